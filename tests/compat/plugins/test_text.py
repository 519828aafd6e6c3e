"""Every text as HTML, in TensorBoard's words."""

import pytest

from tests import event_files
from tests.compat import servers
from tests.compat.tensorboard_client import Client

START = event_files.START


def asked(folder, strings, shape, **parameters):
    tensor = event_files.string_tensor(*strings, shape=shape)
    about = event_files.metadata("text")
    event_files.write(folder / "run", event_files.value("note", tensor, about, step=1))
    with servers.ours(folder) as url:
        client = Client(url)
        assert client.get("plugin/text/tags").json() == {"run": ["note"]}
        answer = client.get("plugin/text/text", run="run", tag="note", **parameters)
        [entry] = answer.json()
    assert (entry["wall_time"], entry["step"]) == (START + 1, 1)
    return entry["text"]


def row(*cells):
    return "<tr>\n" + "".join(f"<td>{cell}</td>\n" for cell in cells) + "</tr>\n"


def table(*rows):
    return "<table>\n<tbody>\n" + "".join(rows) + "</tbody>\n</table>"


@pytest.mark.parametrize(
    ("strings", "shape", "expected"),
    [
        ([b"a *b*"], [], "<p>a <em>b</em></p>"),
        ([b"a"], [1], table(row("<p>a</p>"))),
        ([b"a", b"b"], [2], table(row("<p>a</p>"), row("<p>b</p>"))),
        ([b"a", b"b"], [1, 2], table(row("<p>a</p>", "<p>b</p>"))),
        ([], [0], table()),
        ([b"\xff"], [], "<p>\ufffd</p>"),
    ],
)
def test_shape_of_the_strings_is_the_shape_of_the_table(tmp_path, strings, shape, expected):
    assert asked(tmp_path, strings, shape) == expected


def test_of_more_than_two_dimensions_the_first_slice_is_shown(tmp_path):
    html = asked(tmp_path, [b"a", b"b", b"c", b"d"], [2, 1, 2])
    assert html.startswith("<p><strong>Warning:</strong> This text has 3 dimensions.")
    assert html.endswith(table(row("<p>a</p>", "<p>b</p>")))


def test_without_markdown_the_text_is_shown_as_it_is(tmp_path):
    html = asked(tmp_path, [b"# a <b>&"], [], markdown="false")
    assert html == "# a &lt;b&gt;&amp;"
