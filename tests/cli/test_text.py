"""Numbers, sizes, times and columns as a terminal shows them."""

import pytest
from rich.cells import cell_len

from kymograph.cli import text

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (99_949, "99.9 kB"),
        (99_950, "100 kB"),
        (999_999, "1.0 MB"),
        (2_000_000_000, "2.0 GB"),
    ],
)
def test_sizes(number, shown):
    assert text.size(number) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0 s"),
        (1.25, "1.25 s"),
        (60, "1 min"),
        (245, "4 min 5 s"),
        (3 * 3600 + 20 * 60 + 5, "3 h 20 min"),
        (86400 * 2 + 3 * 3600, "2 d 3 h"),
        (86400, "1 d"),
    ],
)
def test_durations(seconds, shown):
    assert text.duration(seconds) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.1, "0.1"), (1e300, "1e+300"), (NAN, "NaN"), (INF, "Infinity"), (-INF, "-Infinity")],
)
def test_numbers_are_spelled_so_that_they_can_be_read_back(value, shown):
    assert text.spelled(value) == shown


def test_times_that_are_no_dates_are_shown_as_numbers():
    assert text.date_and_time(1e300) == "1e+300"
    assert len(text.date_and_time(1_700_000_000.0)) == len("2023-11-14 22:13:20")


def test_counts_agree_with_their_nouns():
    assert text.count(1, "run") == "1 run"
    assert text.count(2000, "run") == "2,000 runs"
    assert text.count(2, "series") == "2 series"


def test_columns_line_up_for_wide_characters():
    layout = (text.Column("run"), text.Column("n", right=True))
    lines = text.columns(layout, [("ラン", "1"), ("ab", "22")], limit=None)
    assert lines == ["run    n", "ラン   1", "ab    22"]


def test_names_lose_their_middle_when_the_terminal_is_narrow():
    layout = (text.Column("run", shrinks=True), text.Column("n", right=True))
    name = "experiment-with-a-long-name/and-its-end"
    title, line = text.columns(layout, [(name, "7")], limit=30)
    assert text.cells(line) == 30
    assert line.startswith("experiment")
    assert line.endswith("its-end  7")
    assert "…" in line
    assert title.endswith("n")


def test_columns_leave_in_order_before_names_get_short():
    layout = (
        text.Column("run", shrinks=True),
        text.Column("first", leaves=1),
        text.Column("second", leaves=2),
        text.Column("n"),
    )
    row = ("r" * 30, "1st", "2nd", "7")
    assert text.columns(layout, [row], limit=44)[0].split() == ["run", "first", "second", "n"]
    title, line = text.columns(layout, [row], limit=38)
    assert title.split() == ["run", "second", "n"]
    assert text.cells(line) == 38
    assert text.columns(layout, [row], limit=20)[0].split() == ["run", "n"]


def test_sentences_break_between_words_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch):
    sentence = "a sentence about /some/path/that-is-long that goes on for a while"
    assert text.wrapped(sentence, first=7) == sentence
    monkeypatch.setattr(text, "width", lambda: 40)
    assert text.wrapped(sentence, first=7).splitlines() == [
        "a sentence about",
        "  /some/path/that-is-long that goes on",
        "  for a while",
    ]


@pytest.mark.parametrize(
    "sample",
    ["", "plain", "ラン", "한글", "e\u0301", "🎉", "→ …", "\uff46\uff55", "a\u200bb", "ÄÖ"],
)
def test_cells_are_counted_as_a_terminal_does(sample):
    assert text.cells(sample) == cell_len(sample)


def test_a_wide_character_is_not_cut_in_half():
    layout = (text.Column("run", shrinks=True),)
    _, line = text.columns(layout, [("ランランランランラン",)], limit=12)
    assert line == "ラン …ンラン"
    assert text.cells(line) == 12
