"""Text as a code block that Markdown takes as it is."""

import pytest

from kymograph.writer.capture.part import fenced


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("a\nb\n", "```\na\nb\n```"),
        ("", "```\n\n```"),
        ("a ``` b", "````\na ``` b\n````"),
        ("`````\n```", "``````\n`````\n```\n``````"),
        ("caf\udce9", "```\ncaf?\n```"),
    ],
)
def test_fence_is_longer_than_any_within(text: str, block: str):
    assert fenced(text) == block


def test_language_is_named():
    assert fenced("-a", "diff").startswith("```diff\n")
