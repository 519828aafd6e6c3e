"""What the page says is ordinary English: phrases that readers stumbled over do not return."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web/src"

# What it was → what it is.
PHRASES = {
    "Let go of": "Unpin",
    ", or not": "Toggle …",
    "as it is usual": "Reset view",
    "Pause, or go on": "Pause or resume",
    "Least and greatest": "Min to max",
    "Tags over each other": "Overlay tags",
    "A press chooses": "Click selects",
    "Hold y": "Lock y range",
    "What colours mean": "Colour by",
    "Show selected runs": "Back to charts",
    "wrote nothing for long": "no recent writes",
    "was not kept": "Change not saved",
    "Forget filters": "Reset view",
    "Close all groups": "Collapse all groups",
}


def visible_text(source: str) -> str:
    """The source without its comments: what a user may read is in the rest."""
    return re.sub(r"<!--.*?-->|/\*.*?\*/|(?m:^\s*//.*$)", "", source, flags=re.DOTALL)


def offending(source: str) -> Iterator[str]:
    text = visible_text(source)
    for phrase, instead in PHRASES.items():
        if phrase.lower() in text.lower():
            yield f"`{phrase}`: say `{instead}`"


def test_the_page_has_no_phrase_that_readers_stumbled_over():
    files = [path for kind in ("*.svelte", "*.ts") for path in WEB.rglob(kind)]
    assert len(files) > 200
    found = [
        f"{path.relative_to(WEB)}: {fault}"
        for path in files
        for fault in offending(path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_planted_phrase_is_found_and_a_comment_is_not(phrase: str):
    assert list(offending(f"<button title='{phrase} x'>"))
    assert not list(offending(f"<!-- {phrase} -->\n  // {phrase}\n/* {phrase} */"))
