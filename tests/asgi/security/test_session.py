"""Signed sessions."""

import pytest

from kymograph.asgi.security import session

TOKEN = "0123456789abcdef"


def test_a_session_holds_until_its_end():
    issued = session.issue(TOKEN, now=1000.0)
    assert session.is_valid(TOKEN, issued, now=1000.0 + session.LIFETIME_SECS - 1)
    assert not session.is_valid(TOKEN, issued, now=1000.0 + session.LIFETIME_SECS)
    assert session.is_valid(TOKEN, session.issue(TOKEN))


def test_another_token_ends_it():
    assert not session.is_valid(TOKEN + "x", session.issue(TOKEN))


def test_no_two_are_the_same():
    assert session.issue(TOKEN, now=1000.0) != session.issue(TOKEN, now=1000.0)


def test_a_later_end_cannot_be_written_in():
    end, random, signature = session.issue(TOKEN).split(".")
    assert not session.is_valid(TOKEN, f"{int(end) + 1}.{random}.{signature}")


@pytest.mark.parametrize("text", ["", ".", "..", "x", "9999999999..", "9999999999.a.b", "é.é.é"])
def test_what_was_never_issued_is_no_session(text):
    assert not session.is_valid(TOKEN, text)
