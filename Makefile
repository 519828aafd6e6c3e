# Every everyday command; `make` alone lists them, and CI runs the same ones (.ci/run).
SHELL := bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
# Tests start hundreds of interpreters. Where it is set, as in many containers, each compiles all that it imports again.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
DEMO_LOGDIR ?= build/demo-runs
FUZZ_SECS ?= 600

VENV := .venv
PY := $(VENV)/bin/python
UV := $(VENV)/bin/uv
PAGE := python/kymograph/server/static/index.html
NODE_MODULES := web/node_modules/.package-lock.json
WHEELS := build/wheels

RUST_SOURCES := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name Cargo.toml)
WEB_SOURCES := $(wildcard web/*.json web/*.js web/*.ts web/*.html web/.npmrc) $(shell find web/src web/public -type f)
PYTHON_SOURCES := $(shell find python build_backend -name '*.py' -o -name '*.pyi' -o -name py.typed)
TYPED := $(wildcard python/kymograph build_backend tools tests benchmarks examples)

.PHONY: help
help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

##### building

.PHONY: setup
setup: $(VENV)/.dev $(NODE_MODULES) ## make .venv and fetch what development needs

.PHONY: build
build: $(VENV)/.built ## build the page and the extension (release mode) into .venv

.PHONY: demo
demo: build ## build everything and open a board of generated demo runs, until Ctrl-C
	@$(PY) examples/demo.py $(DEMO_LOGDIR)

.PHONY: wheel
wheel: $(WHEELS)/.built ## build the abi3 wheel into build/wheels

# Everything that may be missing is named here, before any work is done.
$(VENV)/.uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo 'error: Python 3.10 or newer is needed: install it with your system'"'"'s package manager or from https://python.org, then run `make PYTHON=/path/to/python3`' >&2; exit 1; }
	@PYTHONPATH=build_backend $(PYTHON) -m kymograph_build.prerequisites node npm cargo
	@$(PYTHON) -m venv --clear $(VENV) || { echo 'error: Python cannot make virtual environments: on Debian and Ubuntu install the package `python3-venv`' >&2; exit 1; }
	$(PY) -m pip install --quiet --disable-pip-version-check 'uv>=0.5,<1'
	@touch $@

$(VENV)/.dev: $(VENV)/.uv pyproject.toml
	$(UV) pip install --quiet --python $(PY) --group dev -r pyproject.toml
	@touch $@

$(NODE_MODULES): web/package.json web/package-lock.json | $(VENV)/.uv
	cd web && npm ci
	@touch $@

$(PAGE): $(NODE_MODULES) $(WEB_SOURCES)
	cd web && npm run build
	@touch $@

$(VENV)/.built: $(VENV)/.dev $(PAGE) $(RUST_SOURCES) $(wildcard build_backend/kymograph_build/*.py)
	$(UV) pip install --python $(PY) --no-build-isolation --no-deps --editable .
	@touch $@

$(WHEELS)/.built: $(VENV)/.built $(PYTHON_SOURCES) README.md
	@rm -rf $(WHEELS)
	KYMOGRAPH_WEB=prebuilt $(UV) build --python $(PY) --no-build-isolation --wheel --out-dir $(WHEELS)
	@touch $@

##### testing

.PHONY: test
test: ## all lints and tests but test-frameworks
	@# Compilers and linters mostly keep one core busy, so two of them run side by side.
	@$(MAKE) --jobs 2 --output-sync lint test-rust
	@$(MAKE) test-python test-web

.PHONY: test-rust
test-rust: ## the core's tests
	cargo test --locked --workspace --exclude kymograph-py

.PHONY: test-python
test-python: build ## the Python tests, packaging included
	$(PY) -m pytest -m 'not frameworks' --ignore tests/e2e -n 4 --dist loadfile

.PHONY: test-web
test-web: build ## the page's unit tests, then the page in a real browser
	cd web && npm run test
	@$(PY) tools/browser.py --install
	$(PY) -m pytest tests/e2e -n 3 --dist loadfile

.PHONY: test-frameworks
test-frameworks: .venv-frameworks/.installed ## files by and for torch, TensorFlow, JAX, ..., in .venv-frameworks
	.venv-frameworks/bin/python -m pytest tests/interop tests/compat -m frameworks -W default -n 2 --dist loadfile
	@# Frameworks mend and patch each other's classes, so these have processes of their own; they mostly wait for trainings.
	OMP_NUM_THREADS=1 .venv-frameworks/bin/python -m pytest tests/integrations tests/examples -m frameworks -W default -n 2 --dist loadfile

.venv-frameworks/.installed: tests/frameworks.txt $(WHEELS)/.built
	$(UV) venv --quiet --allow-existing --python $(PY) .venv-frameworks
	$(UV) pip install --quiet --python .venv-frameworks --reinstall-package kymograph -r $< $(WHEELS)/*.whl
	@touch $@

.PHONY: fuzz
fuzz: ## random input to the decoders, FUZZ_SECS (600) for each; needs nightly Rust and cargo-fuzz
	@cargo +nightly fuzz --version >/dev/null 2>&1 || { echo 'error: a nightly Rust and cargo-fuzz are needed: `rustup toolchain install nightly && cargo install cargo-fuzz`' >&2; exit 1; }
	@for target in record event tensor file; do cargo +nightly fuzz run --fuzz-dir fuzz $$target -- -max_total_time=$(FUZZ_SECS) -dict=fuzz/events.dict -max_len=32768 -timeout=10 -print_final_stats=1 || exit 1; done

##### code style

.PHONY: lint
lint: lint-rust lint-python lint-web ## rustfmt, clippy, ruff, mypy, eslint, prettier, svelte-check

.PHONY: lint-rust
lint-rust: export PYO3_PYTHON = $(abspath $(PY))
lint-rust: $(VENV)/.uv
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- --deny warnings

.PHONY: lint-python
lint-python: build
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy $(TYPED)
	$(VENV)/bin/stubtest kymograph._core --allowlist tests/architecture/stubtest-allowlist.txt

.PHONY: lint-web
lint-web: $(NODE_MODULES)
	cd web && npm run lint
	cd web && npm run check

.PHONY: format
format: $(VENV)/.dev $(NODE_MODULES) ## put all code into its standard form
	cargo fmt --all
	$(VENV)/bin/ruff check --fix
	$(VENV)/bin/ruff format
	cd web && npx eslint . --fix && npm run format

##### the rest

.PHONY: bench
bench: .venv-bench/.installed ## load, query, write, serve and page times beside TensorBoard's and PyTorch's, in .venv-bench
	.venv-bench/bin/python benchmarks/load.py
	.venv-bench/bin/python benchmarks/query.py
	.venv-bench/bin/python benchmarks/write.py
	.venv-bench/bin/python benchmarks/serve.py
	@$(PY) tools/browser.py --install
	.venv-bench/bin/python benchmarks/page.py

.venv-bench/.installed: benchmarks/requirements.txt $(WHEELS)/.built
	$(UV) venv --quiet --allow-existing --python $(PY) .venv-bench
	$(UV) pip install --quiet --python .venv-bench --reinstall-package kymograph -r $< $(WHEELS)/*.whl
	@# As pip does: a start that has to compile everything is not what is timed. Some packages hold files that cannot be compiled.
	.venv-bench/bin/python -m compileall -qq .venv-bench/lib || true
	@touch $@

.PHONY: bench-core
bench-core: ## micro-benchmarks of the core, one per step
	cargo bench --locked --package kymograph-core

.PHONY: docs
docs: build ## check that docs are complete and their links resolve
	$(PY) -m pytest tests/architecture/test_docs.py

.PHONY: pictures
pictures: build ## retake the pictures in docs/images
	$(PY) -m tools.pictures

.PHONY: clean
clean: ## delete everything that was built or fetched
	rm -rf $(VENV) .venv-frameworks .venv-bench build dist target web/node_modules
	rm -rf python/kymograph/server/static python/kymograph/_core*.so .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
