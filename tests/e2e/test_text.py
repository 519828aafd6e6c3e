"""The text dashboard: every step, compared and searched, and nothing in a text that acts."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

import kymograph
from tests import event_files
from tests.e2e.conftest import Boards, OpenPage, keep_picture, page_url
from tests.event_files import double_tensor, metadata, string_tensor, value

# As PyTorch has it, `add_text` adds this to the tag.
SUFFIX = "/text_summary"
REPORT = """# Evaluation after epoch {epoch}

Top-1 rose to **0.94**, see https://example.org/{epoch}.

| class | recall |
|---|--:|
| cat | 0.861 |

- [x] checkpoint written
- [ ] done

```python
def loss(x): return 1  # {epoch}
```

Energy is $E = mc^{{2}}$.
"""
BEFORE = "prompt: a photo of\na brown dog sit on the grass\nin front of a wooden fence"
AFTER = "prompt: a photo of\na small tan dog sitting in the grass\nin front of a wooden fence"
HOSTILE = """<script>window.pwned = 1</script> <img src=x onerror="window.pwned = 2">

[run](javascript:window.pwned=3) [page](data:text/html,<script>window.pwned=4</script>)
[in](../secret)

![far](https://elsewhere.example/pixel.png) ![data](data:image/png;base64,AA)
<b onclick="window.pwned=5">bold</b>

<iframe src="https://elsewhere.example"></iframe> <style>body { display: none }</style>

$\\href{javascript:window.pwned=6}{x}$ $\\htmlStyle{color: red}{y}$ [out](https://elsewhere.example/)
"""


def tab(page: Page) -> None:
    page.get_by_role("button", name="Text", exact=True).click()


def card(page: Page, tag: str) -> Locator:
    return page.locator(f"[data-card='{tag}']")


def of_run(where: Locator, run: str) -> Locator:
    return where.get_by_role("region", name=run, exact=True)


def test_texts_are_rendered_compared_and_copied_at_any_step(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    for run, extra in (("a", ""), ("b", "\nwith a lighthouse")):
        with kymograph.SummaryWriter(tmp_path / "logs" / run) as writer:
            writer.add_text("samples/report", REPORT.format(epoch=1), 10)
            writer.add_text("samples/report", REPORT.format(epoch=2), 20)
            writer.add_text("samples/caption", BEFORE + extra, 10)
            writer.add_text("samples/caption", AFTER + extra, 20)
            writer.add_text("samples/caption", AFTER + extra + "\nat night", 30)
    url = page_url(serve(tmp_path / "logs"))
    page = open_page(url, viewport={"width": 1440, "height": 900}, permissions=["clipboard-read"])
    tab(page)
    report = of_run(card(page, "samples/report" + SUFFIX), "a")
    expect(report.get_by_role("heading", name="Evaluation after epoch 2")).to_be_visible()
    expect(report.get_by_role("cell", name="0.861")).to_be_visible()
    expect(report.get_by_role("img", name="done", exact=True)).to_have_count(1)
    expect(report.locator(".hljs-keyword").first).to_have_text("def")
    expect(report.locator("math")).to_have_count(1)
    expect(report).not_to_contain_text("mc^{2}")
    link = report.get_by_role("link", name="https://example.org/2")
    expect(link).to_have_attribute("target", "_blank")
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    keep_picture(page, "text")
    # The source, in the link; back to the rendered text with the keyboard.
    page.get_by_role("radio", name="Source").check()
    expect(report.get_by_role("region", name=f"samples/report{SUFFIX} of a")).to_contain_text(
        "|---|--:|"
    )
    expect(page).to_have_url(re.compile(r"text\.show=source"))
    page.get_by_role("radio", name="Source").press("ArrowLeft")
    expect(report.get_by_role("heading", name="Evaluation after epoch 2")).to_be_visible()
    report.get_by_role("button", name="Copy text").click()
    expect(page.get_by_text("Copied the text.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == REPORT.format(epoch=2)
    # An earlier step, with the keyboard, in all cards.
    caption = card(page, "samples/caption" + SUFFIX)
    slider = caption.get_by_role("slider", name=f"Step of samples/caption{SUFFIX}")
    slider.press("ArrowLeft")
    slider.press("ArrowRight")
    expect(report).to_contain_text("step 20 \u221210")
    slider.press("ArrowLeft")
    expect(report).not_to_contain_text("\u221210")
    expect(of_run(caption, "a")).to_contain_text("small tan")
    # What changed since the step before, then since another one.
    page.get_by_role("radio", name="Steps").check()
    changes = of_run(caption, "a").locator("[data-text]")
    expect(changes.locator("del")).to_have_text(["brown", "sit on"])
    expect(changes.locator("ins")).to_have_text(["small tan", "sitting in"])
    expect(changes.locator("[data-diff]")).to_contain_text(
        "compared with step 10 +4 words \u22123 words"
    )
    keep_picture(page, "text-compare")
    caption.get_by_role("slider", name=f"Step to compare samples/caption{SUFFIX} with").press("End")
    expect(changes.locator("[data-diff]")).to_contain_text(
        "compared with step 30 +0 words \u22122 words"
    )
    expect(page).to_have_url(re.compile(r"(?=.*text\.compare=steps)(?=.*text\.from=30)"))
    # One run against another, in a link that a colleague opens.
    page.get_by_role("radio", name="Runs").check()
    expect(of_run(caption, "a")).to_contain_text("The others are compared with this one.")
    other = of_run(caption, "b")
    expect(other.locator("ins")).to_have_text(["with a lighthouse"])
    expect(other.locator("[data-diff]")).to_contain_text(
        "compared with a at step 20 +3 words \u22120 words"
    )
    page.get_by_label("Compare with").select_option("b")
    expect(of_run(caption, "a").locator("del")).to_have_text(["with a lighthouse"])
    colleague = open_page(page.url)
    expect(of_run(card(colleague, "samples/caption" + SUFFIX), "a").locator("del")).to_have_text(
        ["with a lighthouse"]
    )
    # One card at full size has the same controls.
    page.get_by_role("radio", name="Off").check()
    caption.hover()
    caption.get_by_role("button", name="Open full size").click()
    page.get_by_role("radio", name="Source").check()
    expect(page.get_by_role("region", name=f"samples/caption{SUFFIX} of b")).to_contain_text(
        "lighthouse"
    )
    page.keyboard.press("Escape")
    expect(card(page, "samples/report" + SUFFIX)).to_be_visible()


def test_a_search_finds_every_step_of_the_shown_runs(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    for run in ("a", "b"):
        with kymograph.SummaryWriter(tmp_path / "logs" / run) as writer:
            for step in range(12):
                animal = "Dog" if step % 2 else "cat"
                writer.add_text("samples/caption", f"line one\na {animal} of {run} (x.y)", step)
            writer.add_text("notes", "nothing of interest", 0)
    page = open_page(page_url(serve(tmp_path / "logs")), viewport={"width": 1440, "height": 900})
    tab(page)
    expect(of_run(card(page, "samples/caption" + SUFFIX), "a")).to_contain_text("Dog")
    page.keyboard.press("f")
    field = page.get_by_role("textbox", name="Search in text")
    expect(field).to_be_focused()
    page.keyboard.type("dog")
    results = page.locator("[data-results]")
    expect(results.get_by_role("status")).to_contain_text("12 hits in 12 texts")
    first = results.get_by_role("region", name=f"samples/caption{SUFFIX}, a")
    expect(first).to_contain_text("6 hits in 6 texts")
    expect(first.locator("mark").first).to_have_text("Dog")
    expect(first.get_by_role("listitem")).to_have_count(3)
    first.get_by_role("button", name="Show more texts of a").click()
    expect(first.get_by_role("listitem")).to_have_count(6)
    keep_picture(page, "text-search")
    page.get_by_role("button", name="Match case").click()
    expect(results.get_by_role("status")).to_contain_text("Nothing found in 26 texts.")
    page.get_by_role("button", name="Match case").click()
    # An expression, also one that is wrong for a moment.
    page.get_by_role("button", name="Regular expression").click()
    field.fill("(cat|dog) of b")
    expect(results.get_by_role("status")).to_contain_text("12 hits in 12 texts")
    assert open_page.complaints == []
    field.fill("(cat")
    expect(results.get_by_role("alert")).to_contain_text("Invalid regular expression")
    open_page.complaints.clear()  # the console names the refused request
    field.fill(r"dog \w+ a")
    expect(results.get_by_role("status")).to_contain_text("6 hits in 6 texts")
    expect(page).to_have_url(re.compile(r"(?=.*text\.search=)(?=.*text\.regex=1)"))
    # A text that was found opens at its step, with the hit marked.
    results.get_by_role("listitem").nth(1).get_by_role("button").click()
    expect(page).to_have_url(re.compile(r"(?=.*at=3)(?=.*full=text:samples/caption/text_summary)"))
    opened = page.get_by_role("region", name=f"samples/caption{SUFFIX}, full size")
    expect(of_run(opened, "a")).to_contain_text("step 3")
    page.wait_for_function("CSS.highlights.get('search')?.size === 1")
    page.keyboard.press("Escape")
    expect(results).to_be_visible()
    field.press("Escape")
    expect(card(page, "samples/caption" + SUFFIX)).to_be_visible()


def test_nothing_in_a_text_acts_and_what_cannot_be_read_disturbs_nothing(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    def note(tag: str, *strings: bytes, **more: Any) -> bytes:
        return value(tag, metadata("text"), string_tensor(*strings, **more), step=1)

    lines = b"\n".join(b"line %d" % number for number in range(100_000))
    path = event_files.write(
        tmp_path / "logs" / "run",
        note("hostile", HOSTILE.encode()),
        note("invalid", b"caf\xe9 \xff dog"),
        note("long line", b"word " * 300_000),
        note("long log", lines),
        note("long table", *(b"row %d" % number for number in range(100_000))),
        note("markdown table", b"|a|b|\n|-|-|\n" + b"|1|2|\n" * 100_000),
        note("table", b"**a**", b"b", b"c", b"d", shape=[2, 2]),
        note("cube", *(b"%d" % number for number in range(8)), shape=[2, 2, 2]),
        note("empty", shape=[0]),
        value("number", metadata("text"), double_tensor(1.5), step=1),
        note("damaged", b"gone " * 4000),
    )
    serving = serve(tmp_path / "logs")
    page = open_page(page_url(serving), viewport={"width": 1440, "height": 900})
    tab(page)
    hostile = card(page, "hostile").locator("[data-text]")
    expect(hostile).to_contain_text("<script>window.pwned = 1</script>")
    expect(hostile.get_by_role("link")).to_have_count(3)
    expect(hostile.get_by_role("link", name="far")).to_have_attribute("rel", "noopener noreferrer")
    expect(hostile.locator("img, script, iframe, style, [onclick], [style]")).to_have_count(0)
    expect(hostile.get_by_text("run", exact=True)).to_be_visible()
    hostile.get_by_text("run", exact=True).click()
    expect(hostile.locator("math, code").first).to_be_visible()
    assert page.evaluate("window.pwned") is None
    # The second fence holds by itself: what no renderer should ever make is taken out.
    expect(card(page, "invalid")).to_contain_text("caf\ufffd \ufffd dog")
    # However long a text is, few of its rows are in the page, and all can be reached.
    log = page.get_by_role("region", name="long log of run")
    log.scroll_into_view_if_needed()
    expect(log).to_have_attribute("data-rows", "100000")
    expect(log).to_contain_text("line 0")
    assert log.locator(".row").count() < 200
    log.focus()
    log.press("End")
    expect(log).to_contain_text("line 99999")
    line = page.get_by_role("region", name="long line of run")
    line.scroll_into_view_if_needed()
    expect(line).to_contain_text("word word")
    assert line.locator(".row").count() < 200
    for tag in ("long table", "markdown table"):
        rows = page.get_by_role("region", name=f"{tag} of run")
        rows.scroll_into_view_if_needed()
        expect(rows).to_have_attribute("data-rows", re.compile(r"^10000\d$"))
        assert rows.locator(".row").count() < 200
    # Tensors are tables, as TensorBoard shows them, with the indices of further dimensions.
    table = card(page, "table")
    table.scroll_into_view_if_needed()
    expect(table.get_by_role("row")).to_have_count(2)
    expect(table.locator("strong")).to_have_text("a")
    cube = card(page, "cube")
    cube.scroll_into_view_if_needed()
    expect(cube.get_by_role("rowheader")).to_have_text(["0, 0", "0, 1", "1, 0", "1, 1"])
    empty = card(page, "empty")
    empty.scroll_into_view_if_needed()
    expect(empty).to_contain_text("A tensor of 0 without any text.")
    number = card(page, "number")
    number.scroll_into_view_if_needed()
    expect(number.get_by_role("alert")).to_contain_text("The value is not text.")
    expect(number.get_by_role("link", name="Download as logged")).to_be_visible()
    # A text whose bytes were overwritten says so; the others are still there.
    with path.open("r+b") as file:
        file.seek(path.stat().st_size - 500)
        file.write(b"\0\0\0")
    again = open_page(page_url(serving), viewport={"width": 1440, "height": 900})
    tab(again)
    damaged = card(again, "damaged")
    damaged.scroll_into_view_if_needed()
    expect(damaged.get_by_role("alert")).to_contain_text("damaged or was overwritten")
    expect(card(again, "hostile")).to_contain_text("bold")


def test_texts_of_a_live_run_appear_in_dark_and_narrow_windows(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    with kymograph.SummaryWriter(tmp_path / "logs" / "run", flush_secs=1) as writer:
        writer.add_scalar("loss", 1.0, 0)
        writer.flush()
        options: Any = {"viewport": {"width": 420, "height": 800}, "color_scheme": "dark"}
        page = open_page(page_url(serve(tmp_path / "logs")) + "?tab=text", **options)
        expect(page.get_by_text("No text has been logged.")).to_be_visible()
        writer.add_text("notes", "first **note**", 1)
        writer.flush()
        notes = card(page, "notes" + SUFFIX)
        expect(notes.locator("strong")).to_have_text("note")
        writer.add_text("notes", "second", 2)
        writer.flush()
        expect(notes).to_contain_text("second")
        keep_picture(page, "text-narrow-dark")
        # What has no room in the toolbar is reached with the keyboard.
        page.get_by_role("radio", name="Steps").press("Space")
        expect(notes.locator("[data-diff]")).to_contain_text("compared with step 1")
