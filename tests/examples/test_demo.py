"""The demo: its runs are believable, complete and the same every time."""

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import numpy as np
import pytest

import kymograph
from kymograph.store import BlobSeries, Images, Series, doctor
from kymograph.store.sidecar import Sidecar

DEMO = Path(__file__).parents[2] / "examples/demo.py"


def demo(logdir: Path) -> str:
    return subprocess.check_output(
        [sys.executable, str(DEMO), str(logdir), "--once"], text=True, timeout=120
    )


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    logdir = tmp_path_factory.mktemp("demo") / "runs"
    output = demo(logdir)
    assert "$ kymograph inspect" in output
    assert ">>> store = kymograph.open(" in output
    return logdir


def test_there_are_a_few_dozen_intact_runs(logdir: Path):
    store = kymograph.open(logdir)
    assert 24 <= len(store) <= 60
    assert len({name.split("/")[0] for name in store}) >= 3
    assert not any(file.is_damaged or file.tail_bytes or file.error for file in store.files)


def test_they_hold_every_kind(logdir: Path):
    store = kymograph.open(logdir)
    dashboards = {name for run in store.runs.values() for name in run.dashboards}
    media = {"images", "video", "audio", "text", "mesh", "tensors"}
    assert dashboards == {"scalars", "histograms", "hparams"} | media
    picture = store["cifar/augment/baseline"].blobs("filters/conv1")[0]
    decoded = picture.decode()
    assert isinstance(decoded, Images)
    assert decoded.items[0].startswith(b"\x89PNG")


def test_one_run_diverges_and_one_restarts(logdir: Path):
    store = kymograph.open(logdir)
    diverged = [s.run for s in store.select(tags="train/loss") if np.isnan(s.values[-1])]
    assert diverged == ["cifar/lr-sweep/adamw-1e-2"]
    restarted = [name for name, run in store.runs.items() if run.hidden_points]
    assert restarted == ["gpt/medium"]
    steps = store["gpt/medium"].series("train/loss").steps
    np.testing.assert_array_equal(steps, np.arange(0, 40_000, 20))
    times = store["gpt/medium"].series("train/loss").wall_times
    assert (np.diff(times) > 0).all()


def test_the_doctor_only_finds_the_restart(logdir: Path):
    found = doctor.diagnose(kymograph.open(logdir)).findings
    assert [finding.code for finding in found] == ["hidden-points"]


def logged(logdir: Path) -> list[tuple[object, ...]]:
    """Everything in it, with times relative to the run's first, in milliseconds."""
    found: list[tuple[object, ...]] = []
    for run in kymograph.open(logdir).runs.values():
        tags: list[Series | BlobSeries] = [*run.all_series(), *run.all_blobs()]
        first = min(tag.wall_times[0] for tag in tags)
        for tag in tags:
            content: object
            if isinstance(tag, Series):
                content = tag.values.tobytes()
            else:
                content = [blob.read() for blob in tag]
            times = np.round(1000 * (tag.wall_times - first)).tolist()
            found.append((run.name, tag.tag, tag.steps.tolist(), times, content))
    return found


def test_what_is_logged_is_the_same_every_time(logdir: Path, tmp_path: Path):
    demo(tmp_path / "again")
    first = logged(logdir)
    assert len(first) > 150
    assert logged(tmp_path / "again") == first


def test_runs_are_of_the_past_days_and_two_were_not_done(logdir: Path):
    began = min(path.stat().st_mtime for path in logdir.rglob("*tfevents*"))
    not_done = set()
    for run in kymograph.open(logdir).runs.values():
        last = max(series.wall_times[-1] for series in run.all_series())
        assert run.start_time is not None
        assert run.end_time is not None
        assert began - 7 * 86400 < run.start_time < last <= run.end_time < began + 60
        assert run.end_time - last < 60
        if "val_loss_by_domain" not in run.name and began - last < 60:
            not_done.add(run.name)
    assert not_done == {"gpt/medium-long", "cifar/augment/all-aug"}


def test_every_run_has_its_hyper_parameters(logdir: Path):
    for name, run in kymograph.open(logdir).runs.items():
        is_part = "val_loss_by_domain" in name  # a line of `add_scalars`
        assert ("hparams" in run.dashboards) != is_part, name


def test_more_augmentation_is_better_on_unseen_images_only(logdir: Path):
    store = kymograph.open(logdir)
    plain, cutmix = store["cifar/augment/baseline"], store["cifar/augment/cutmix-1.0"]
    assert plain.series("train/loss").values[-1] < cutmix.series("train/loss").values[-1]
    assert plain.series("val/loss").values[-1] > cutmix.series("val/loss").values[-1]
    assert plain.series("val/loss").values.min() < plain.series("val/loss").values[-1] - 0.1


def test_cards_are_pinned_and_runs_have_notes(logdir: Path):
    demo(logdir.parent / "curated")
    demo(logdir.parent / "curated")
    items = Sidecar(logdir.parent / "curated").snapshot().items
    assert items["card", "scalars", "val/acc", "pinned"].value is True
    store = kymograph.open(logdir)
    tags = {series.tag for series in store.select()}
    assert {key[2] for key in items if key[0] == "card"} <= tags
    assert {key[1] for key in items if key[0] == "run"} <= set(store)


def test_what_else_is_in_the_directory_stays(logdir: Path, tmp_path: Path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes").write_text("keep")
    demo(tmp_path)
    assert (tmp_path / "mine/notes").read_text() == "keep"


@pytest.mark.slow
def test_a_board_is_served_and_runs_train_on_until_ctrl_c(tmp_path: Path):
    process = subprocess.Popen(
        [sys.executable, str(DEMO), str(tmp_path), "--port=0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    timer = threading.Timer(120, process.kill)
    timer.start()
    try:
        ready = next(line for line in process.stdout if line.startswith("KYMOGRAPH_READY "))
        page = httpx.get(json.loads(ready.partition(" ")[2])["url"], timeout=60)
        assert page.status_code == 200
        with kymograph.open(tmp_path / "cifar/augment/all-aug", follow=True) as store:
            store.wait()
            change, before = store.change, len(store["."].series("train/loss"))
            while len(store["."].series("train/loss")) < before + 5:
                change = store.wait_for_change(change, 60)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 0
    finally:
        timer.cancel()
        process.kill()
        process.communicate()
