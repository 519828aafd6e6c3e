"""Imports of other packages' writers give ours, whatever is installed or loaded, until undone."""

from pathlib import Path

import pytest

from tests.stand_in.packages import TENSORBOARD, TENSORBOARDX, TORCH, run, write

# Made once, before: `state()` is everything that importing and installing can change.
STATE = """
import sys
def state():
    modules = {
        name: (id(module), {key: id(value) for key, value in vars(module).items()})
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in ("torch", "tensorboard", "tensorboardX", "framework")
    }
    return modules, [id(finder) for finder in sys.meta_path]
"""
OURS = """
import kymograph.tensorboardx
from kymograph.writer.summary_writer import SummaryWriter as Ours
from kymograph.writer.file_writer import EventFileWriter as OurEvents
from kymograph.stand_in.scalar_writer import Writer as OurWriter
OursX = kymograph.tensorboardx.SummaryWriter
import kymograph.stand_in as k
"""
REAL = (TENSORBOARD, TENSORBOARDX)


@pytest.fixture(params=["nothing installed", "everything installed"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write(tmp_path, TORCH, *(REAL if request.param == "everything installed" else ()))


IMPORTS = [
    "from torch.utils.tensorboard import SummaryWriter; assert SummaryWriter is Ours",
    "from torch.utils.tensorboard.writer import SummaryWriter; assert SummaryWriter is Ours",
    "from torch.utils import tensorboard; assert tensorboard.SummaryWriter is Ours",
    "import torch.utils.tensorboard; assert torch.utils.tensorboard.SummaryWriter is Ours",
    "import torch.utils.tensorboard as t; assert callable(t.summary.hparams)",
    "from torch.utils.tensorboard.summary import hparams, scalar, tensor_proto, video",
    "from torch.utils.tensorboard import FileWriter, RecordWriter",
    "from torch.utils.tensorboard._pytorch_graph import graph",
    "from torch.utils.tensorboard._convert_np import make_np",
    "from tensorboardX import SummaryWriter; assert SummaryWriter is OursX",
    "from tensorboardX.writer import SummaryWriter; assert SummaryWriter is OursX",
    "from tensorboardX import GlobalSummaryWriter, FileWriter, RecordWriter",
    "from tensorboardX.summary import hparams; import tensorboardX; tensorboardX.summary.hparams",
    "from tensorboard.summary import Writer, DirectoryOutput; assert Writer is OurWriter",
    (
        "import tensorboard.summary.writer.event_file_writer as events\n"
        "assert events.EventFileWriter is OurEvents"
    ),
    "import tensorboard; assert tensorboard.__version__",
]


# Each statement as if it were the first: nothing of the packages is loaded, ours or theirs.
EACH = """
import sys
def forget():
    for name in list(sys.modules):
        if name.partition(".")[0] in ("torch", "tensorboard", "tensorboardX"):
            del sys.modules[name]
"""


def test_imports_give_ours(place: Path):
    program = f"""
for statement in {IMPORTS}:
    forget()
    with k.install():
        exec(statement)
"""
    run(OURS + EACH + program, place)


def test_imports_give_ours_where_the_real_ones_were_loaded_before(tmp_path: Path):
    write(tmp_path, TORCH, *REAL)
    program = f"""
for statement in {IMPORTS}:
    forget()
    import torch.utils.tensorboard._convert_np, tensorboardX.summary, tensorboard.summary
    with k.install():
        exec(statement)
"""
    run(OURS + EACH + program, tmp_path)


def test_parts_of_an_installed_package_that_are_not_ours_stay(tmp_path: Path):
    write(tmp_path, TORCH, *REAL)
    program = """
k.install()
import tensorboard.backend
assert tensorboard.__version__ == "9.9" and tensorboard.backend.real
from tensorboardX.proto.event_pb2 import Event
import tensorboardX; tensorboardX.proto.event_pb2
"""
    run(OURS + program, tmp_path)
    run(OURS + "import tensorboardX.proto.event_pb2" + program, tmp_path)


def test_functions_that_give_tensorboards_messages_are_the_real_ones(tmp_path: Path):
    program = """
k.install()
for name in ("torch.utils.tensorboard.summary", "tensorboardX.summary"):
    module = importlib.import_module(name)
    assert module.make_image() == "real"
    assert not hasattr(module, "no_such_function")
"""
    run(f"import importlib\n{OURS}{program}", write(tmp_path, TORCH, *REAL))
    without = """
k.install()
import tensorboardX.summary
assert not hasattr(tensorboardX.summary, "make_image")
"""
    (tmp_path / "bare").mkdir()
    run(OURS + without, tmp_path / "bare")


def test_installing_loads_nothing_of_the_others(place: Path):
    program = """
import sys
k.install()
loaded = {"torch", "tensorboard", "tensorboardX"} & {name.partition(".")[0] for name in sys.modules}
assert not loaded, loaded
"""
    run(f"import kymograph.stand_in as k{program}", place)


def test_specs_are_real(place: Path):
    names = ["torch.utils.tensorboard", "torch.utils.tensorboard.summary", "tensorboardX"]
    program = f"""
import importlib, importlib.util, inspect, pkgutil
k.install()
assert importlib.util.find_spec("tensorboard").origin
for name in {names}:
    spec = importlib.util.find_spec(name)
    module = importlib.import_module(name)
    assert module.__spec__ == spec and module.__name__ == spec.name == name
    assert inspect.getsource(module) and importlib.reload(module) is module
    assert importlib.util.find_spec(name) is module.__spec__
import tensorboardX
assert "summary" in {{module.name for module in pkgutil.iter_modules(tensorboardX.__path__)}}
"""
    run(OURS + program, place)


def test_a_log_directory_called_tensorboard_is_no_installed_package(tmp_path: Path):
    (write(tmp_path, TORCH) / "tensorboard").mkdir()
    run(f"{OURS}\nk.install()\nfrom tensorboard.summary import Writer", tmp_path)


@pytest.mark.parametrize(
    ("off", "statement", "real"),
    [
        ("torch", "from torch.utils.tensorboard import SummaryWriter as it", "Ours"),
        ("tensorboardx", "from tensorboardX import SummaryWriter as it", "OursX"),
        ("tensorboard", "from tensorboard.summary import Writer as it", "OurWriter"),
    ],
)
def test_what_is_not_wanted_stays_real(tmp_path: Path, off: str, statement: str, real: str):
    write(tmp_path, TORCH, *REAL)
    run(f"{OURS}\nk.install({off}=False)\n{statement}\nassert it is not {real}", tmp_path)


def test_torch_itself_writes_through_our_events_where_only_they_are_wanted(tmp_path: Path):
    write(tmp_path, TORCH, TENSORBOARD)
    program = """
with k.install(torch=False):
    import torch.utils.tensorboard.writer as writer
    assert writer.EventFileWriter is OurEvents
assert writer.EventFileWriter is not OurEvents
"""
    run(OURS + program, tmp_path)
    run(f"{OURS}\nimport torch.utils.tensorboard{program}", tmp_path)


# --- going back ---


@pytest.mark.parametrize(
    "before",
    [
        "import torch",
        "import torch.utils.tensorboard._convert_np, tensorboardX.proto.event_pb2",
        "import tensorboard.summary, framework",
    ],
)
def test_undo_restores_everything(tmp_path: Path, before: str):
    write(tmp_path, TORCH, *REAL, FRAMEWORK)
    program = f"""
import torch.utils
{before}
was = state()
with k.install() as installation:
    pass
assert state() == was
installation = k.install()
for statement in {IMPORTS}:
    exec(statement)
installation.undo()
installation.undo()
modules, finders = state()
assert finders == was[1]
assert {{name: modules[name] for name in was[0]}} == was[0]
from torch.utils.tensorboard import SummaryWriter
from tensorboardX import SummaryWriter as X
from tensorboard.summary import Writer
from tensorboard.summary.writer.event_file_writer import EventFileWriter
assert not {{SummaryWriter, X, Writer, EventFileWriter}} & {{Ours, OursX, OurWriter, OurEvents}}
import torch.utils.tensorboard as t
assert t is torch.utils.tensorboard and t.SummaryWriter is SummaryWriter
"""
    run(OURS + STATE + program, tmp_path)


def test_undo_gives_back_an_installed_tensorboard_that_was_loaded_meanwhile(tmp_path: Path):
    write(tmp_path, TENSORBOARD)
    program = """
with k.install():
    import tensorboard.summary
    assert tensorboard.summary.Writer is OurWriter
assert tensorboard.summary.Writer is not OurWriter
output = tensorboard.summary.DirectoryOutput("x")
assert type(output.events).__module__ == "tensorboard.summary.writer.event_file_writer"
"""
    run(OURS + program, tmp_path)


def test_undo_leaves_nothing_behind_where_nothing_was_installed(tmp_path: Path):
    program = """
import importlib.util, torch.utils
with k.install():
    import torch.utils.tensorboard, tensorboardX.summary, tensorboard.summary
assert not hasattr(torch.utils, "tensorboard")
assert not [name for name in sys.modules if "tensorboard" in name and "kymograph" not in name]
assert importlib.util.find_spec("tensorboard") is importlib.util.find_spec("tensorboardX") is None
"""
    run(f"import sys\n{OURS}{program}", write(tmp_path, TORCH))


def test_installing_twice_is_undone_twice(tmp_path: Path):
    program = """
import torch.utils.tensorboard as first
one, two = k.install(), k.install()
import torch.utils.tensorboard as ours
assert ours.SummaryWriter is Ours
two.undo()
from torch.utils.tensorboard import SummaryWriter
assert SummaryWriter is Ours
one.undo()
import torch.utils.tensorboard as last
assert last is first
"""
    run(OURS + program, write(tmp_path, TORCH, *REAL))


def test_a_failure_while_installing_leaves_no_trace(tmp_path: Path):
    write(tmp_path, TORCH, *REAL)
    program = """
import torch.utils.tensorboard
was = state()
import kymograph.stand_in.installation as i
def fail(*_): raise MemoryError
i.replacements = fail
try:
    k.install()
except MemoryError:
    pass
else:
    raise AssertionError
assert state() == was
"""
    run(OURS + STATE + program, tmp_path)


# --- names bound before ---

FRAMEWORK = {
    "framework.py": (
        "from torch.utils.tensorboard import SummaryWriter\n"
        "from torch.utils import tensorboard as board\n"
        "class Child(SummaryWriter): ...\n"
    )
}
FASTAI = {
    "fastai/__init__.py": "",
    "fastai/callback.py": "from torch.utils.tensorboard import SummaryWriter\n",
}
SB3 = {
    "stable_baselines3/__init__.py": "",
    "stable_baselines3/common/__init__.py": "",
    "stable_baselines3/common/logger.py": (
        "try:\n"
        "    from torch.utils.tensorboard import SummaryWriter\n"
        "    from torch.utils.tensorboard.summary import hparams\n"
        "except ImportError:\n"
        "    SummaryWriter = None\n"
    ),
}


def test_frameworks_that_hold_the_real_class_are_patched(tmp_path: Path):
    write(tmp_path, TORCH, *REAL, FASTAI, SB3)
    program = """
import fastai.callback, stable_baselines3.common.logger as sb3
real = fastai.callback.SummaryWriter, sb3.hparams
with k.install():
    assert fastai.callback.SummaryWriter is sb3.SummaryWriter is Ours
    assert sb3.hparams is not real[1]
assert (fastai.callback.SummaryWriter, sb3.hparams) == real
"""
    assert run(OURS + program, tmp_path) == ""


def test_a_framework_that_found_no_writer_gets_ours(tmp_path: Path):
    write(tmp_path, TORCH, SB3)
    program = """
import stable_baselines3.common.logger as sb3
assert sb3.SummaryWriter is None
with k.install():
    assert sb3.SummaryWriter is Ours and callable(sb3.hparams)
assert sb3.SummaryWriter is None and not hasattr(sb3, "hparams")
"""
    run(OURS + program, tmp_path)


def test_holders_that_cannot_be_patched_are_named(tmp_path: Path):
    write(tmp_path, TORCH, *REAL, FRAMEWORK, FASTAI)
    program = "import framework, fastai.callback\nk.install(patch={})\n"
    printed = run(OURS + program.format(True), tmp_path)
    named = sorted(line.rpartition(" ")[2] for line in printed.splitlines())
    assert named == ["framework.Child", "framework.SummaryWriter", "framework.board"]
    assert "import it after `install()`" in printed
    printed = run(OURS + program.format(False), tmp_path)
    assert "fastai.callback.SummaryWriter" in printed


def test_without_patching_nothing_of_others_changes(tmp_path: Path):
    write(tmp_path, TORCH, *REAL, FASTAI)
    program = """
import fastai.callback
real = fastai.callback.SummaryWriter
k.install(patch=False)
assert fastai.callback.SummaryWriter is real
"""
    run(OURS + program, tmp_path)


def test_lazy_modules_stay_unloaded(tmp_path: Path):
    write(tmp_path, TORCH, *REAL, {"lazy.py": "raise RuntimeError\n"})
    program = """
import importlib.util, sys, torch.utils.tensorboard
spec = importlib.util.find_spec("lazy")
spec.loader = importlib.util.LazyLoader(spec.loader)
sys.modules["lazy"] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
k.install()
"""
    run(OURS + program, tmp_path)
