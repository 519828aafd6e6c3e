"""`importlib.metadata` finds stand-ins that are not installed, and never hides what is."""

from pathlib import Path

import pytest

from tests.stand_in.packages import TENSORBOARD, TENSORBOARDX, run, write

INSTALL = "import importlib.metadata as metadata, kymograph.stand_in as k\n"


def test_versions_are_found_and_gone_after_undo(tmp_path: Path):
    program = """
with k.install():
    assert metadata.version("tensorboard").startswith("2.")
    assert metadata.version("tensorboardX") == metadata.version("TensorboardX")
    assert metadata.metadata("tensorboard")["Name"] == "tensorboard"
    import tensorboard, tensorboardX
    assert tensorboard.__version__ == metadata.version("tensorboard")
    assert tensorboardX.__version__ == metadata.version("tensorboardX")
    names = [distribution.name for distribution in metadata.distributions()]
    assert names.count("tensorboard") == names.count("tensorboardX") == 1
    assert metadata.packages_distributions()["tensorboardX"] == ["tensorboardX"]
    assert metadata.distribution("tensorboard").files is None
    assert not metadata.distribution("tensorboard").entry_points
for name in ("tensorboard", "tensorboardX"):
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        continue
    raise AssertionError(name)
"""
    run(INSTALL + program, tmp_path)


def test_an_installed_distribution_is_the_only_one(tmp_path: Path):
    program = """
k.install()
assert metadata.version("tensorboard") == "9.9"
assert metadata.version("tensorboardX") == "8.8"
names = [distribution.name for distribution in metadata.distributions()]
assert names.count("tensorboard") == names.count("tensorboardX") == 1
"""
    run(INSTALL + program, write(tmp_path, TENSORBOARD, TENSORBOARDX))


def test_whoever_asks_for_a_place_hears_only_of_that_place(tmp_path: Path):
    program = """
k.install()
assert list(metadata.distributions(path=["."])) == []
assert list(metadata.distributions(name="tensorboard", path=["."])) == []
"""
    run(INSTALL + program, tmp_path)


@pytest.mark.parametrize("options", ["metadata=False", "tensorboard=False"])
def test_what_is_not_wanted_is_not_found(tmp_path: Path, options: str):
    program = f"""
k.install({options})
try:
    metadata.version("tensorboard")
except metadata.PackageNotFoundError:
    pass
else:
    raise AssertionError
"""
    run(INSTALL + program, tmp_path)
