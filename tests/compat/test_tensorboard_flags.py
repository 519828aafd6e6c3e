"""TensorBoard's own list of flags beside ours."""

import argparse

import pytest

from kymograph.compat.flags import FLAGS

pytestmark = pytest.mark.frameworks


def test_every_flag_of_tensorboard_is_known():
    core = pytest.importorskip("tensorboard.plugins.core.core_plugin", reason="needs TensorBoard")
    parser = argparse.ArgumentParser(add_help=False)
    core.CorePluginLoader().define_flags(parser)
    ours = {flag.name: flag.takes_value for flag in FLAGS}
    theirs = {
        name.removeprefix("--"): action.nargs != 0
        for action in parser._actions
        for name in action.option_strings
    }
    assert len(theirs) > 20
    assert theirs.items() <= ours.items()
    # The rest belongs to a plugin that is installed on its own.
    assert ours.keys() - theirs.keys() == {"master_tpu_unsecure_channel"}
