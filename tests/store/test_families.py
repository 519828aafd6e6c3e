"""Which runs belong to which: what `add_scalars` and `add_hparams` write, sweeps, Keras's runs."""

from pathlib import Path

import kymograph
from kymograph.store import Folded, Session
from kymograph.tensorboardx import SummaryWriter as TensorboardX
from tests import event_files
from tests.golden import wire

HPARAMS: dict[str, float | str | bool] = {"lr": 0.1, "optimizer": "sgd", "amsgrad": True}


def session(hparams: dict[str, float], status: int | None = None) -> list[bytes]:
    """The events that TensorFlow's `hp.KerasCallback` writes into the run of a session."""
    entries = [
        wire.message(1, wire.text(1, name), wire.message(2, wire.double(2, value)))
        for name, value in hparams.items()
    ]
    contents = {"_hparams_/session_start_info": wire.message(3, *entries)}
    if status is not None:
        contents["_hparams_/session_end_info"] = wire.message(4, wire.integer(1, status))
    return [
        event_files.value(tag, event_files.metadata("hparams", content), step=0)
        for tag, content in contents.items()
    ]


def test_what_add_scalars_wrote_belongs_to_its_run(tmp_path: Path):
    with kymograph.SummaryWriter(tmp_path / "exp") as writer:
        writer.add_scalars("a/loss", {"train": 1.0, "val/set": 2.0}, 0)
    with TensorboardX(str(tmp_path / "old")) as writer:
        writer.add_scalars("a/loss", {"train": 1.0}, 0)
    families = kymograph.open(tmp_path).families()
    assert families.folded == {
        "exp/a_loss_train": Folded("exp", "scalars", "train", "a/loss"),
        "exp/a_loss_val/set": Folded("exp", "scalars", "val/set", "a/loss"),
        "old/a/loss/train": Folded("old", "scalars", "train", "a/loss"),
    }
    assert families.sessions == {}


def test_the_logdir_itself_may_be_the_run(tmp_path: Path):
    with kymograph.SummaryWriter(tmp_path) as writer:
        writer.add_scalars("loss", {"train": 1.0}, 0)
    folded = kymograph.open(tmp_path).families().folded
    assert folded == {"loss_train": Folded(".", "scalars", "train", "loss")}


def test_runs_that_only_look_like_it_stand_for_themselves(tmp_path: Path):
    scalar = event_files.scalar
    event_files.write(tmp_path / "exp", scalar("loss", 0, 1.0))
    event_files.write(tmp_path / "exp/loss_two", scalar("loss", 0, 1.0), scalar("acc", 0, 1.0))
    event_files.write(tmp_path / "exp/other", scalar("loss", 0, 1.0))
    # There is no run above it.
    event_files.write(tmp_path / "sweep/loss_train", scalar("loss", 0, 1.0))
    assert kymograph.open(tmp_path).families().folded == {}


def test_what_add_hparams_wrote_belongs_to_its_run(tmp_path: Path):
    with kymograph.SummaryWriter(tmp_path / "exp") as writer:
        writer.add_scalar("loss", 1.0, 0)
        writer.add_hparams(HPARAMS, {"best": 0.5}, run_name="first")
        writer.add_hparams({"lr": 0.2}, {"best": 0.5}, run_name="second")
    families = kymograph.open(tmp_path).families()
    assert families.folded == {
        "exp/first": Folded("exp", "hparams", "first", None),
        "exp/second": Folded("exp", "hparams", "second", None),
    }
    # The last value that was logged counts.
    assert families.sessions == {"exp": Session(HPARAMS | {"lr": 0.2}, "success")}


def test_the_trials_of_a_sweep_stand_for_themselves(tmp_path: Path):
    with kymograph.SummaryWriter(tmp_path / "sweep") as writer:
        for number in range(2):
            writer.add_hparams({"lr": float(number)}, {"best": 0.5}, run_name=str(number))
    families = kymograph.open(tmp_path).families()
    assert families.folded == {}
    assert list(families.sessions) == ["sweep/0", "sweep/1"]
    assert families.sessions["sweep/1"].hparams == {"lr": 1.0}


def test_runs_below_a_session_have_its_hyper_parameters(tmp_path: Path):
    scalar = event_files.scalar
    event_files.write(tmp_path / "tuning", scalar("note", 0, 1.0))
    event_files.write(tmp_path / "tuning/0", *session({"lr": 0.5}))
    event_files.write(tmp_path / "tuning/0/train", scalar("loss", 0, 1.0))
    event_files.write(tmp_path / "tuning/1", *session({"lr": 0.25}, status=2))
    families = kymograph.open(tmp_path).families()
    assert families.folded == {}
    assert families.sessions == {
        "tuning/0": Session({"lr": 0.5}, "unknown"),
        "tuning/0/train": Session({"lr": 0.5}, "unknown"),
        "tuning/1": Session({"lr": 0.25}, "failure"),
    }


def test_families_follow_the_tags(tmp_path: Path):
    scalar = event_files.scalar
    event_files.write(tmp_path / "exp", scalar("loss", 0, 1.0))
    path = event_files.write(tmp_path / "exp/loss_a", scalar("loss", 0, 1.0))
    with kymograph.open(tmp_path) as store:
        before = store.families()
        assert list(before.folded) == ["exp/loss_a"]
        event_files.append(path, scalar("loss", 1, 1.0))
        store.refresh()
        # Points alone change nothing, and nothing is looked at again.
        assert store.families() is before
        event_files.append(path, scalar("acc", 1, 1.0))
        store.refresh()
        assert store.families().folded == {}
        path.unlink()
        store.refresh()
        assert store.families().folded == {}


def test_a_session_that_cannot_be_read_is_none(tmp_path: Path):
    broken = event_files.metadata("hparams", b"\x1a\xff\xff")
    events = event_files.value("_hparams_/session_start_info", broken, step=0)
    event_files.write(tmp_path / "exp", events)
    assert kymograph.open(tmp_path).families().sessions == {}
