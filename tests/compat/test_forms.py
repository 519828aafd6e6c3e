"""Forms are read in both encodings, and what is none is refused."""

import pytest

from kymograph.compat import forms
from kymograph.errors import RequestError

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=b"


def part(name, value):
    return f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()


def test_fields_of_both_encodings_are_the_same():
    expected = [("runs", "ä&b"), ("runs", ""), ("tag", "x=y\nz")]
    assert forms.fields(URLENCODED, b"runs=%C3%A4%26b&runs=&tag=x%3Dy%0Az") == expected
    body = b"".join(part(name, value) for name, value in expected) + b"--b--\r\n"
    assert forms.fields(MULTIPART, body) == expected


def test_no_body_is_an_empty_form():
    assert forms.fields("", b"") == []


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/json", b"{}"),
        (URLENCODED, b"\xff"),
        (URLENCODED, b"a=1&" * 20_000),
        (MULTIPART, part("a", "1") * 20_000 + b"--b--\r\n"),
        ("multipart/form-data", part("a", "1") + b"--b--\r\n"),
        (MULTIPART, b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\xff\r\n--b--\r\n'),
    ],
)
def test_what_is_no_form_is_refused(content_type, body):
    with pytest.raises(RequestError):
        forms.fields(content_type, body)


@pytest.mark.parametrize("body", [b"nonsense", b"--b", b"--b\r\n\r\n--b--", b"--b\r\nX: y\r\n"])
def test_broken_parts_are_no_fault_of_ours(body):
    assert all(name == "" for name, _ in forms.fields(MULTIPART, body))


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ('Content-Disposition: form-data; name="a\\"b"', 'a"b'),
        ("content-disposition: form-data; filename=x; name=a", "a"),
        ('Content-Type: text/plain\r\nContent-Disposition: form-data; name="a b"', "a b"),
        ("Content-Type: text/plain; name=a", ""),
    ],
)
def test_fields_are_named_by_their_heads(head, name):
    body = f"--b\r\n{head}\r\n\r\n1\r\n--b--\r\n".encode()
    assert forms.fields('Multipart/Form-Data; charset=utf-8; Boundary="b"', body) == [(name, "1")]


def test_forms_in_forms_are_not_opened():
    heads = (
        b"--%d\r\nContent-Type: multipart/mixed; boundary=%d\r\n\r\n" % (depth, depth + 1)
        for depth in range(5000)
    )
    [(name, content)] = forms.fields("multipart/form-data; boundary=0", b"".join(heads))
    assert name == ""
    assert content.startswith("--1\r\n")
