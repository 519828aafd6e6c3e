"""Markdown becomes HTML in which nothing runs."""

import pytest

from kymograph.compat import markdown


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a *b* **c** `d`", "<p>a <em>b</em> <strong>c</strong> <code>d</code></p>"),
        ("# a", "<h1>a</h1>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("3. a", '<ol start="3">\n<li>a</li>\n</ol>'),
        ("```python\nx < 1\n```", "<pre><code>x &lt; 1\n</code></pre>"),
        ("[a](http://b?c&d)", '<p><a href="http://b?c&amp;d">a</a></p>'),
        ("[a](b/c.html)", '<p><a href="b/c.html">a</a></p>'),
        ("![a](b.png)", '<p><img src="b.png" alt="a" /></p>'),
        ("a\0b", "<p>ab</p>"),
        ("", ""),
    ],
)
def test_markdown_becomes_html(text, html):
    assert markdown.html(text) == html


def test_tables_have_no_styles():
    html = markdown.html("| a | b |\n|:--|--:|\n| 1 | 2 |")
    assert "<th>a</th>" in html
    assert "<td>2</td>" in html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("a <img src=x onerror=alert(1)>", "<p>a &lt;img src=x onerror=alert(1)&gt;</p>"),
        ("[a](javascript:alert(1))", "<p><a>a</a></p>"),
        ("[a](JaVaScRiPt:alert(1))", "<p><a>a</a></p>"),
        ("[a](javascript&colon;alert)", "<p><a>a</a></p>"),
        ("[a](data:text/html,b)", "<p><a>a</a></p>"),
        ("[a](vbscript:b)", "<p><a>a</a></p>"),
        ("[a](file:///etc/passwd)", "<p><a>a</a></p>"),
        ("<javascript:alert(1)>", "<p><a>javascript:alert(1)</a></p>"),
        ("![a](data:image/svg+xml,b)", '<p><img alt="a" /></p>'),
        ("[a][b]\n\n[b]: javascript:c", "<p><a>a</a></p>"),
    ],
)
def test_nothing_runs(text, html):
    assert markdown.html(text) == html


@pytest.mark.parametrize(
    "address",
    ["<java\tscript:alert(1)>", "<\x01javascript:alert(1)>", "&#1;javascript:alert(1)"],
)
def test_schemes_in_disguise_are_none(address):
    html = markdown.html(f"[a]({address})")
    assert 'href="javascript:' not in html
    assert "\t" not in html
    assert "\x01" not in html


def test_quotes_do_not_leave_their_attribute():
    html = markdown.html('[a](http://b "\\" onclick=alert(1)")')
    assert html == '<p><a href="http://b" title="&quot; onclick=alert(1)">a</a></p>'
