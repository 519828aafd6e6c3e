"""However a training job ends, what was promised to survive survives, counted exactly."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

import kymograph
from tests.writer import programs
from tests.writer.programs import event_files, run, start, wait_for

counts = functools.partial(programs.counts, by_log=True)
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals and fork")


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("pass", 0),
        ("sys.exit(3)", 3),
        ("raise RuntimeError('planted')", 1),
        ("raise KeyboardInterrupt", None),
        ("writer.close()", 0),
        ("writer.flush(); os._exit(5)", 5),
        ("del writer", 0),
    ],
)
def test_everything_is_written_however_the_program_ends(tmp_path: Path, end: str, code: int | None):
    done = run(
        f"""
        writer = SummaryWriter(sys.argv[1])
        log(writer, 1234)
        {end}
        """,
        tmp_path,
    )
    if code is not None:
        assert done.returncode == code, done.stderr
    assert counts(tmp_path) == {".:loss": 1234}


def test_without_a_flush_os_exit_keeps_what_was_logged_a_moment_ago(tmp_path: Path):
    run(
        """
        writer = SummaryWriter(sys.argv[1])
        log(writer, 500)
        await_written(sys.argv[1], 500)
        log(writer, 3, tag="late")
        os._exit(0)
        """,
        tmp_path,
    )
    assert counts(tmp_path)[".:loss"] == 500


def test_what_exit_handlers_log_is_written_too(tmp_path: Path):
    run(
        """
        import atexit
        from kymograph.writer import lifetime
        atexit.unregister(lifetime._flush)
        atexit.register(lambda: log(writer, 7, tag="exit"))
        atexit.register(lifetime._flush)  # as if imported here: called before that one
        writer = SummaryWriter(sys.argv[1])
        atexit.register(lambda: log(writer, 5, tag="before"))
        log(writer, 3)
        """,
        tmp_path,
    )
    assert counts(tmp_path) == {".:loss": 3, ".:exit": 7, ".:before": 5}


@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signal_that_ends_the_program_loses_nothing(tmp_path: Path, number: signal.Signals):
    # The main thread hangs in a system call, where no Python handler would run.
    with start(
        """
        writer = SummaryWriter(sys.argv[1])
        log(writer, 1234)
        print("logged", flush=True)
        sys.stdin.read()
        """,
        tmp_path,
    ) as process:
        wait_for(process, "logged")
        process.send_signal(number)
        assert process.wait(60) == -number
    assert counts(tmp_path) == {".:loss": 1234}


@posix
def test_signal_writes_small_records_before_pictures(tmp_path: Path):
    # Encoding so many takes longer than a process that is asked to end may live.
    with start(
        """
        import numpy as np
        writer = SummaryWriter(sys.argv[1], max_queue=0)
        pictures = np.random.default_rng(1).random((40, 3, 512, 512), np.float32)
        for step, picture in enumerate(pictures):
            writer.add_image("sample", picture, step)
        log(writer, 1234)
        print("logged", flush=True)
        sys.stdin.read()
        """,
        tmp_path,
    ) as process:
        wait_for(process, "logged")
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == -signal.SIGTERM
    assert counts(tmp_path)[".:loss"] == 1234


@posix
def test_signal_that_the_program_handles_is_left_to_it(tmp_path: Path):
    done = run(
        """
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
        writer = SummaryWriter(sys.argv[1])
        log(writer, 10)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
        """,
        tmp_path,
    )
    assert done.returncode == 7
    assert counts(tmp_path) == {".:loss": 10}


@posix
def test_handler_that_comes_later_takes_over(tmp_path: Path):
    done = run(
        """
        writer = SummaryWriter(sys.argv[1])
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
        log(writer, 10)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
        """,
        tmp_path,
    )
    assert done.returncode == 7
    assert counts(tmp_path) == {".:loss": 10}


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs `unshare`")
def test_first_process_of_a_container_lives_on_with_a_signal_as_ever(tmp_path: Path):
    first = ["unshare", "--pid", "--fork", sys.executable, "-c"]
    probe = subprocess.run([*first, ""], check=False, capture_output=True)
    if probe.returncode != 0:
        pytest.skip("needs the right to make a process namespace")
    program = programs.PREFACE + textwrap.dedent(
        """
        writer = SummaryWriter(sys.argv[1])
        assert os.getpid() == 1
        if os.fork() == 0:
            os.kill(1, signal.SIGTERM)
            os._exit(0)
        os.wait()
        time.sleep(0.5)
        log(writer, 10)
        """
    )
    subprocess.run([*first, program, tmp_path], check=True, timeout=60)
    assert counts(tmp_path) == {".:loss": 10}


@posix
def test_killed_child_does_not_take_its_parent_along(tmp_path: Path):
    done = run(
        """
        writer = SummaryWriter(sys.argv[1])
        log(writer, 10)
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
        os.kill(child, signal.SIGTERM)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGTERM
        log(writer, 10, start=10)
        """,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert counts(tmp_path) == {".:loss": 20}


@posix
def test_sigkill_keeps_what_was_flushed_and_what_is_older_than_a_moment(tmp_path: Path):
    with start(
        """
        writer = SummaryWriter(sys.argv[1])
        log(writer, 400, tag="older")
        await_written(sys.argv[1], 400, tag="older")
        log(writer, 600)
        writer.flush()
        log(writer, 5, tag="newer")
        print("logged", flush=True)
        sys.stdin.read()
        """,
        tmp_path,
    ) as process:
        wait_for(process, "logged")
        process.kill()
    found = counts(tmp_path)
    assert (found[".:older"], found[".:loss"]) == (400, 600)
    assert found.get(".:newer", 0) <= 5


@posix
@pytest.mark.parametrize("before", [0, 100])
@pytest.mark.parametrize("ending", ["os._exit(0)", "sys.exit(0)"])
def test_forked_child_writes_a_file_of_its_own(tmp_path: Path, before: int, ending: str):
    done = run(
        f"""
        writer = SummaryWriter(sys.argv[1])
        log(writer, {before})
        child = os.fork()
        if child == 0:
            log(writer, 50, tag="child")
            writer.flush()
            {ending}
        os.waitpid(child, 0)
        log(writer, 100, start={before})
        """,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert counts(tmp_path) == {".:loss": before + 100, ".:child": 50}
    pids = {file.name.split(".")[-2] for file in event_files(tmp_path)}
    assert len(pids) == 2


@posix
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_workers_of_multiprocessing_lose_nothing(tmp_path: Path, method: str):
    program = tmp_path / "program.py"
    program.write_text(
        """
import multiprocessing, sys
from kymograph import SummaryWriter

def work(logdir, name):
    writer = SummaryWriter(f"{logdir}/{name}")
    for step in range(50):
        writer.add_scalar("loss", 0.5 * step, step)
    if inherited is not None:
        for step in range(20):
            inherited.add_scalar(f"from-{name}", 0.5 * step, step)

inherited = None
if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[2])
    if sys.argv[2] == "fork":
        inherited = SummaryWriter(f"{sys.argv[1]}/shared")
    workers = [context.Process(target=work, args=(sys.argv[1], f"w{i}")) for i in range(2)]
    for worker in workers: worker.start()
    for worker in workers: worker.join()
    assert all(worker.exitcode == 0 for worker in workers)
"""
    )
    logdir = tmp_path / "runs"
    subprocess.run([sys.executable, program, logdir, method], check=True, timeout=120)
    expected = {"w0:loss": 50, "w1:loss": 50}
    if method == "fork":
        expected |= {"shared:from-w0": 20, "shared:from-w1": 20}
    assert counts(logdir) == expected


@posix
def test_fork_while_threads_log_neither_hangs_nor_loses(tmp_path: Path):
    done = run(
        """
        writer = SummaryWriter(sys.argv[1])
        stop = threading.Event()
        def busy(tag):
            step = 0
            while not stop.is_set():
                writer.add_scalar(tag, 0.5 * step, step)
                step += 1
            totals[tag] = step
        totals = {}
        threads = [threading.Thread(target=busy, args=(f"t{i}",)) for i in range(3)]
        for thread in threads: thread.start()
        for number in range(10):
            child = os.fork()
            if child == 0:
                log(writer, 10, tag=f"child{number}")
                writer.close()
                os._exit(0)
            os.waitpid(child, 0)
        stop.set()
        for thread in threads: thread.join()
        print(sorted(totals.items()))
        """,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    found = counts(tmp_path)
    assert [found.pop(f".:child{number}") for number in range(10)] == [10] * 10
    assert str(sorted((tag[2:], count) for tag, count in found.items())) == done.stdout.strip()


@posix
def test_child_logs_though_a_thread_of_its_parent_was_opening_a_file(tmp_path: Path):
    done = run(
        """
        import kymograph
        from kymograph.writer import lifetime
        held = threading.Event()
        def hold():
            with lifetime.opening():
                held.set()
                sys.stdin.read()
        threading.Thread(target=hold, daemon=True).start()
        held.wait()
        child = os.fork()
        if child == 0:
            signal.alarm(30)
            kymograph.init(sys.argv[1])
            kymograph.log({"loss": 0.0}, 0)
            kymograph.finish()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        """,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert counts(tmp_path) == {".:loss": 1}


def test_sixteen_threads_lose_nothing(tmp_path: Path):
    run(
        """
        writer = SummaryWriter(sys.argv[1])
        threads = [threading.Thread(target=log, args=(writer, 1000, f"t{i}")) for i in range(16)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        """,
        tmp_path,
    )
    assert counts(tmp_path) == {f".:t{i}": 1000 for i in range(16)}


def test_closing_in_one_thread_while_others_log_loses_nothing(tmp_path: Path):
    run(
        """
        writer = SummaryWriter(sys.argv[1])
        threads = [threading.Thread(target=log, args=(writer, 2000, f"t{i}")) for i in range(4)]
        for thread in threads: thread.start()
        for _ in range(20):
            writer.close()
            time.sleep(0.002)
        for thread in threads: thread.join()
        """,
        tmp_path,
    )
    assert counts(tmp_path) == {f".:t{i}": 2000 for i in range(4)}


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("add_summary(scalar(f't{i}', 1.0), step)", {f".:t{i}": 1000 for i in range(4)}),
        ("add_scalars('m', {f't{i}': 1.0}, step)", {f"m_t{i}:m": 1000 for i in range(4)}),
    ],
)
def test_no_method_raises_or_loses_while_another_thread_closes(
    tmp_path: Path, call: str, expected: dict[str, int]
):
    done = run(
        """
        from kymograph.writer.summaries.scalars import scalar
        sys.setswitchinterval(1e-6)
        writer = SummaryWriter(sys.argv[1])
        def work(i):
            for step in range(1000):
                writer.CALL
                if step % 100 == 0:
                    writer.flush()
        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads: thread.start()
        while any(thread.is_alive() for thread in threads):
            writer.close()
            time.sleep(0.001)
        """.replace("CALL", call),
        tmp_path,
    )
    assert done.stderr == ""
    assert programs.counts(tmp_path) == expected


def test_threads_that_begin_a_sub_run_at_once_share_its_file(tmp_path: Path):
    run(
        """
        sys.setswitchinterval(1e-6)
        for number in range(30):
            writer = SummaryWriter(f"{sys.argv[1]}/{number}")
            barrier = threading.Barrier(4)
            def work():
                barrier.wait()
                writer.add_scalars("m", {"k": 1.0}, 1)
            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
        """,
        tmp_path,
    )
    assert len(event_files(tmp_path)) == 60


def test_file_writer_closed_by_itself_raises_and_continues_when_reopened(tmp_path: Path):
    writer = kymograph.SummaryWriter(tmp_path)
    files = writer.file_writer
    assert files is not None
    files.close()
    with pytest.raises(OSError, match="Writer is closed"):
        writer.add_scalar("loss", 0.0, 0)
    with pytest.raises(OSError, match="Writer is closed"):
        writer.add_text("note", "x", 0)
    files.reopen()
    writer.add_scalar("loss", 0.5, 1)
    writer.close()
    assert counts(tmp_path) == {".:loss": 1}


@posix
def test_more_sub_runs_than_descriptors_lose_nothing_and_leave_the_program_its_own(tmp_path: Path):
    done = run(
        """
        import resource
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
        writer = SummaryWriter(sys.argv[1])
        for step in range(2):
            writer.add_scalars("m", {f"k{i}": 0.5 * step for i in range(400)}, step)
        files = [open(os.devnull) for _ in range(100)]
        """,
        tmp_path,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert counts(tmp_path) == {f"m_k{i}:m": 2 for i in range(400)}


@posix
def test_child_that_drops_a_writer_unused_leaves_it_to_the_parent(tmp_path: Path):
    done = run(
        """
        writer = SummaryWriter(sys.argv[1])
        log(writer, 100)
        child = os.fork()
        if child == 0:
            del writer
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
        """,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert counts(tmp_path) == {".:loss": 100}
    assert len(event_files(tmp_path)) == 1


@posix
def test_path_that_is_not_text_is_reported_as_python_does(tmp_path: Path):
    logdir = os.fsdecode(os.fsencode(tmp_path) + b"/run-\xff")
    writer = kymograph.SummaryWriter(logdir)
    assert writer.file_writer is not None
    assert Path(writer.file_writer.event_writer._file_name).exists()
    writer.close()


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_closed_writer_holds_no_descriptor(tmp_path: Path):
    writer = kymograph.SummaryWriter(tmp_path)
    writer.add_scalar("loss", 0.5, 0)
    writer.close()
    descriptors = [entry for entry in Path("/proc/self/fd").iterdir() if entry.exists()]
    assert not [entry for entry in descriptors if entry.readlink().is_relative_to(tmp_path)]


def test_two_writers_in_one_second_have_two_files(tmp_path: Path):
    run(
        """
        os.chdir(sys.argv[1])
        first, second = SummaryWriter(), SummaryWriter()
        log(first, 10, tag="first")
        log(second, 10, tag="second")
        first.close()
        log(first, 10, tag="again")
        """,
        tmp_path,
    )
    assert sum(counts(tmp_path / "runs").values()) == 30
    assert len(event_files(tmp_path)) == 3


# --- disks that fail ---


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    mount = tmp_path / "small"
    mount.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(mount)]
    if os.name != "posix" or shutil.which("mount") is None:
        pytest.skip("needs `mount`")
    if subprocess.run(command, check=False, capture_output=True).returncode != 0:
        pytest.skip("needs the right to mount a tmpfs")
    yield mount
    subprocess.run(["umount", "--lazy", str(mount)], check=True)


def fill(disk: Path) -> Path:
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(4096)):
            pass
    assert shutil.disk_usage(disk).free == 0
    return filler


def wait_until_logged(logdir: Path, expected: dict[str, int]) -> None:
    deadline = time.monotonic() + 60
    while counts(logdir) != expected and time.monotonic() < deadline:
        time.sleep(0.2)
    assert counts(logdir) == expected


def lost_records(text: str) -> int:
    (count,) = re.findall(r"(\d+) records are lost", text)
    return int(count)


def test_full_disk_warns_once_and_loses_nothing_when_there_is_room_again(
    small_disk: Path, caplog: pytest.LogCaptureFixture
):
    logdir = small_disk / "run"
    writer = kymograph.SummaryWriter(logdir)
    for step in range(100):
        writer.add_scalar("loss", 0.5 * step, step)
    writer.flush()
    filler = fill(small_disk)
    for step in range(100, 5000):
        writer.add_scalar("loss", 0.5 * step, step)
        if step % 1000 == 0:
            writer.flush()
    assert len(caplog.records) == 1
    assert "No space left on device" in caplog.text
    filler.unlink()
    wait_until_logged(logdir, {".:loss": 5000})
    writer.close()
    assert counts(logdir) == {".:loss": 5000}
    assert "works again, nothing is missing" in caplog.text


def test_full_disk_at_the_end_is_reported_with_the_number_of_lost_records(
    small_disk: Path, caplog: pytest.LogCaptureFixture
):
    writer = kymograph.SummaryWriter(small_disk)
    for step in range(10):
        writer.add_scalar("loss", 0.5 * step, step)
    writer.flush()
    fill(small_disk)
    for step in range(10, 3010):
        writer.add_scalar("loss", 0.5 * step, step)
    writer.close()
    kept = counts(small_disk)[".:loss"]
    # The last page of the file has room for some.
    assert kept > 10
    assert lost_records(caplog.text) == 3010 - kept


def test_full_disk_is_reported_by_a_program_that_never_closes(small_disk: Path):
    with start(
        """
        writer = SummaryWriter(sys.argv[1])
        print("made", flush=True)
        sys.stdin.readline()
        log(writer, 3000)
        """,
        small_disk,
    ) as process:
        wait_for(process, "made")
        fill(small_disk)
        _, err = process.communicate("continue\n", timeout=60)
    assert process.returncode == 0
    assert err.count("records are lost: No space left on device") == 1
    assert lost_records(err) == 3000 - counts(small_disk).get(".:loss", 0)


@posix
def test_lost_records_are_those_that_cannot_be_read(tmp_path: Path):
    done = run(
        """
        import resource
        writer = SummaryWriter(sys.argv[1])
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        log(writer, 5000)
        writer.close()
        """,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    kept = counts(tmp_path)[".:loss"]
    assert 0 < kept < 5000
    assert lost_records(done.stderr) == 5000 - kept


def test_writer_made_on_a_full_disk_writes_later(small_disk: Path):
    filler = fill(small_disk)
    writer = kymograph.SummaryWriter(small_disk, purge_step=0)
    for step in range(10):
        writer.add_scalar("loss", 0.5 * step, step)
    filler.unlink()
    wait_until_logged(small_disk, {".:loss": 10})
    writer.close()


def test_strict_writer_raises_where_others_warn(small_disk: Path):
    writer = kymograph.SummaryWriter(small_disk, strict=True)
    fill(small_disk)
    # More than the rest of the last page, which the file may still use.
    writer.add_text("big", "x" * 10_000)
    with pytest.raises(kymograph.KymographError, match="No space left"):
        writer.flush()
    with pytest.raises(kymograph.KymographError, match="not everything could be written"):
        writer.flush()


@posix
def test_read_only_directory_warns_and_continues(tmp_path: Path):
    """The program gives up root's right to write anywhere; later the directory is opened."""
    logdir = tmp_path / "run"
    logdir.mkdir()
    for parent in takewhile(lambda folder: folder != Path(tempfile.gettempdir()), logdir.parents):
        parent.chmod(0o755)
    logdir.chmod(0o555)
    with start(
        """
        if os.getuid() == 0:
            os.setuid(65534)
        writer = SummaryWriter(sys.argv[1])
        log(writer, 100)
        print("logged", flush=True)
        sys.stdin.readline()
        writer.close()
        """,
        logdir,
    ) as process:
        wait_for(process, "logged")
        assert event_files(logdir) == []
        logdir.chmod(0o777)
        deadline = time.monotonic() + 60
        while not event_files(logdir) and time.monotonic() < deadline:
            time.sleep(0.1)
        _, err = process.communicate("continue\n", timeout=60)
    assert process.returncode == 0, err
    assert err.count("Permission denied") == 1
    assert counts(logdir) == {".:loss": 100}


def test_deleted_run_is_written_again(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    logdir = tmp_path / "run"
    writer = kymograph.SummaryWriter(logdir)
    writer.add_scalar("loss", 0.0, 0)
    writer.flush()
    shutil.rmtree(logdir)
    writer.add_scalar("loss", 0.5, 1)
    writer.close()
    assert counts(logdir) == {".:loss": 1}
    assert "was deleted" in caplog.text


def test_path_that_is_a_file_raises_like_pytorch(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError):
        kymograph.SummaryWriter(tmp_path / "file")
    with pytest.raises(NotADirectoryError):
        kymograph.SummaryWriter(tmp_path / "file" / "run")
