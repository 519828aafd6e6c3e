"""`kymograph doctor`."""

import json
import re
from pathlib import Path

from tests import event_files
from tests.cli.program import run
from tests.event_files import scalar


def test_a_healthy_logdir_ends_with_0(tmp_path: Path):
    event_files.write(tmp_path, scalar("loss", 0, 1.0), scalar("loss", 1, 1.0))
    outcome = run("doctor", tmp_path)
    assert outcome.exit_code == 0
    assert outcome.out == "no problems found: 1 run, 1 tag, 2 points can be shown\n"


def test_nothing_to_show_ends_with_1_and_says_why(tmp_path: Path):
    outcome = run("doctor", tmp_path / "nope")
    assert outcome.exit_code == 1
    message, place, hint, _, summary = outcome.out.splitlines()
    assert message == "error: the directory does not exist"
    assert place.strip() == str(tmp_path / "nope")
    assert hint.startswith("  hint: ")
    assert summary == "nothing to show: 0 runs, 0 tags, 0 points"


def test_oddities_beside_data_end_with_0(tmp_path: Path):
    event_files.write(tmp_path, scalar("loss", 0, 1.0), scalar("loss", 0, 1.0))
    outcome = run("doctor", tmp_path)
    assert outcome.exit_code == 0
    assert outcome.out.startswith("warning: all points have the same step")


def test_json_has_every_finding(tmp_path: Path):
    outcome = run("doctor", tmp_path / "nope", "--json")
    assert outcome.exit_code == 1
    document = json.loads(outcome.out)
    assert (document["version"], document["shows_data"], document["points"]) == (1, False, 0)
    (finding,) = document["findings"]
    assert sorted(finding) == ["code", "hint", "message", "places", "severity"]
    assert finding["places"] == [str(tmp_path / "nope")]


def test_several_directories_are_looked_at(tmp_path: Path):
    event_files.write(tmp_path / "a", scalar("loss", 0, 1.0), scalar("loss", 1, 1.0))
    outcome = run("doctor", tmp_path / "a", tmp_path / "b")
    assert outcome.exit_code == 0
    assert f"error: the directory does not exist\n    {tmp_path / 'b'}\n" in outcome.out


def test_the_first_few_places_are_named_and_the_rest_counted(tmp_path: Path):
    for number in range(6):
        points = [scalar("loss", step, 1.0) for step in range(2)]
        event_files.write(tmp_path / f"run{number}", *points)
        (tmp_path / f"run{number}/tfevents.silent").write_bytes(event_files.header())
    lines = run("doctor", tmp_path).out.splitlines()
    assert lines[0].startswith("note: 6 event files have no values")
    assert [line.split("/")[-2] for line in lines[1:5]] == ["run0", "run1", "run2", "run3"]
    assert lines[5] == "    and 2 more"


def test_every_code_is_in_the_reference():
    root = Path(__file__).parents[2]
    sources = (root / "python/kymograph/store/doctor").glob("*.py")
    code = r'"([a-z]+(?:-[a-z]+)+)",'
    used = {name for path in sources for name in re.findall(code, path.read_text("utf-8"))}
    section = (root / "docs/reference/cli.md").read_text("utf-8").partition("| code | found |")[2]
    listed = {
        name for row in section.splitlines() for name in re.findall(r"`([a-z-]+)`", row[:200])
    }
    assert used == listed
