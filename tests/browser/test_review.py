"""The review widget in a real JupyterLab in a real browser: `make test-browser`."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Page, expect, sync_playwright
from playwright.sync_api import TimeoutError as NotInTime

TEXTS = ["Seen for 5 °C \U0001f9e0\r\nby Cotton\r\nand zorvex given.", "Gout of the quombled toe."]
FIRST = TEXTS[0]
CODE = f"""
import notesieve as ns
from notesieve.review import Review
texts = {TEXTS!r}
review = Review(ns.Scrubber().scrub_many(texts), texts, ["a", "b"], folder="kept")
review
"""
READERS = f"""
import notesieve as ns
from notesieve.review import Review
notes = dict(zip("ab", {TEXTS!r}))
start = notes["a"].index("Cotton")
one = [{{"start": start, "end": start + 6, "category": "NAME"}}]
two = [{{"start": start - 3, "end": start + 6, "category": "NAME"}}]
readers = {{"anna": ns.Gold(notes, {{"a": one}}), "ben": ns.Gold(notes, {{"a": two}})}}
review = Review.adjudicate(readers, folder="kept")
review
"""


class Lab:
    def __init__(self, folder: Path, code: str = CODE) -> None:
        self.folder = folder
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in (code.strip(), "1 + 1")])
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(notebook, folder / "review.ipynb")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{free.getsockname()[1]}"
        port = self.url.rsplit(":", 1)[1]
        environment = os.environ | {"HOME": str(folder), "JUPYTER_CONFIG_DIR": str(folder / ".jupyter")}
        self.log = (folder / "lab.log").open("w")
        self.process = subprocess.Popen(
            [
                sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.port={port}",
                "--IdentityProvider.token=", "--ServerApp.ip=127.0.0.1", "--ServerApp.disable_check_xsrf=True",
                f"--ServerApp.root_dir={folder}", "--LabApp.news_url=None", "--expose-app-in-browser",
            ],
            env=environment, cwd=folder, stdout=subprocess.DEVNULL, stderr=self.log,
        )  # fmt: skip
        self._wait()

    def _wait(self) -> None:
        for _ in range(300):
            try:
                self.ask("/api/status")
            except OSError:
                assert self.process.poll() is None, (self.folder / "lab.log").read_text()
                time.sleep(0.2)
            else:
                return
        pytest.fail("JupyterLab does not start")

    def ask(self, path: str, method: str = "GET") -> Any:
        request = urllib.request.Request(self.url + path, method=method, data=b"" if method == "POST" else None)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def restart_kernel(self) -> None:
        (kernel,) = self.ask("/api/kernels")
        self.ask(f"/api/kernels/{kernel['id']}/restart", "POST")

    def marks(self) -> dict[str, Any]:
        path = self.folder / "kept" / "marks.json"
        return dict(json.loads(path.read_text())["marks"]) if path.exists() else {}

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)
        self.log.close()


@pytest.fixture
def lab(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Lab]:
    lab = Lab(tmp_path, getattr(request, "param", CODE))
    yield lab
    lab.stop()


@pytest.fixture
def page(lab: Lab) -> Iterator[Page]:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 1000})
        page.goto(f"{lab.url}/lab/tree/review.ipynb?reset")
        run_first_cell(page)
        yield page
        browser.close()


def run_first_cell(page: Page) -> None:
    """Run the first cell; JupyterLab drops a Shift+Enter before the kernel is there or the cell has focus."""
    idle = page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").first
    expect(idle).to_be_attached(timeout=60_000)
    cell = page.locator(".jp-Notebook .jp-CodeCell").first
    editor = cell.locator(".cm-content")
    for _ in range(6):
        editor.click(timeout=60_000)
        expect(editor).to_be_focused(timeout=10_000)
        page.keyboard.press("Shift+Enter")
        try:
            page.wait_for_selector(".notesieve-review [role=textbox]", timeout=20_000)
        except NotInTime:
            print("The cell shows:", cell.inner_text())
            continue
        expect(idle).to_be_attached(timeout=60_000)
        return
    pytest.fail("the widget does not appear")


def select_word(page: Page, word: str) -> None:
    """Select a word as people do, with a double click."""
    place = page.get_by_role("textbox", name="Note").evaluate(
        """(root, word) => {
            const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                const at = node.data.indexOf(word);
                if (at < 0) continue;
                const range = document.createRange();
                range.setStart(node, at);
                range.setEnd(node, at + word.length);
                node.parentElement.scrollIntoView({ block: "center" });
                const box = range.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            }
        }""",
        word,
    )
    page.mouse.dblclick(*place)


def press_button(page: Page, name: str) -> None:
    """Press a button on its label, as people do."""
    box = page.get_by_role("button", name=name).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def span_of_word(text: str, word: str) -> tuple[int, int]:
    return text.index(word), text.index(word) + len(word)


def wait_for_marks(lab: Lab, expected: dict[str, list[tuple[str, int, int]]]) -> None:
    """Wait until the kernel has these marks."""
    found: Any = None
    for _ in range(100):
        found = {
            name: [(m["kind"], m["start"], m["end"]) for m in marks] for name, marks in lab.marks().items() if marks
        }
        if found == expected:
            return
        time.sleep(0.1)
    pytest.fail(f"{found} is not {expected}")


def test_marks_with_the_mouse(lab: Lab, page: Page) -> None:
    cotton, zorvex = ("leak", *span_of_word(FIRST, "Cotton")), ("needless", *span_of_word(FIRST, "zorvex"))
    select_word(page, "Cotton")
    press_button(page, "Leak: the selected text should have gone")
    wait_for_marks(lab, {"a": [cotton]})
    select_word(page, "zorvex")
    press_button(page, "Needless: the selected text should have stayed")
    wait_for_marks(lab, {"a": [cotton, zorvex]})
    marked = page.locator(".notesieve-review [data-mark]")
    assert marked.all_inner_texts() == ["Cotton", "zorvex"]
    rows = page.get_by_role("list", name="Marks of this note").get_by_role("listitem")
    expect(rows).to_have_count(2)
    press_button(page, "Take the mark back: leak, NAME, Cotton")
    wait_for_marks(lab, {"a": [zorvex]})
    expect(rows).to_have_count(1)
    assert marked.all_inner_texts() == ["zorvex"]
    press_button(page, "Next note")
    expect(page.get_by_role("textbox", name="Note")).to_have_text(TEXTS[1])
    expect(marked).to_have_count(0)
    page.get_by_label("Category of a leak").select_option("LOCATION")
    select_word(page, "Gout")
    press_button(page, "Leak: the selected text should have gone")
    wait_for_marks(lab, {"a": [zorvex], "b": [("leak", 0, 4)]})
    assert lab.marks()["b"][0]["category"] == "LOCATION"
    press_button(page, "Take the last mark of this note back")
    wait_for_marks(lab, {"a": [zorvex]})


def test_the_keyboard_alone_suffices(lab: Lab, page: Page) -> None:
    note = page.get_by_role("textbox", name="Note")
    page.get_by_role("button", name="Previous note").focus()
    for _ in range(7):  # to the note itself
        page.keyboard.press("Tab")
        if note.evaluate("node => node === document.activeElement"):
            break
    expect(note).to_be_focused()
    for _ in range(7):  # Seen for 5 °C (an emoji) by Cotton
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("l")
    wait_for_marks(lab, {"a": [("leak", *span_of_word(FIRST, "Cotton"))]})
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("x")
    both = (FIRST.index("and"), FIRST.index("zorvex") + len("zorvex"))
    wait_for_marks(lab, {"a": [("leak", *span_of_word(FIRST, "Cotton")), ("needless", *both)]})
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Delete")
    wait_for_marks(lab, {"a": [("needless", *both)]})
    page.keyboard.press("u")
    wait_for_marks(lab, {})
    page.keyboard.press("n")
    expect(note).to_have_text(TEXTS[1])
    page.keyboard.press("p")
    expect(note).to_have_text(FIRST.replace("\r\n", "\n"), use_inner_text=False)


def test_no_key_reaches_the_notebook(page: Page) -> None:
    cells = page.locator(".jp-Notebook .jp-Cell")
    before = cells.count()
    for place in (page.get_by_label("Category of a leak"), page.get_by_role("textbox", name="Note"),
                  page.get_by_role("button", name="Next note")):  # fmt: skip
        place.focus()
        for keys in ("dd", "a", "b", "x"):  # delete, insert above and below, cut
            for key in keys:
                page.keyboard.press(key)
            page.wait_for_timeout(300)
            assert cells.count() == before, keys
    expect(page.locator(".notesieve-review")).to_be_visible()


def test_marks_survive_a_kernel_that_ends(lab: Lab, page: Page) -> None:
    select_word(page, "Cotton")
    press_button(page, "Leak: the selected text should have gone")
    leak = {"a": [("leak", *span_of_word(FIRST, "Cotton"))]}
    wait_for_marks(lab, leak)
    expect(page.get_by_role("status").filter(has_text="Marks are kept in")).to_be_visible()
    lab.restart_kernel()
    page.wait_for_timeout(2000)
    select_word(page, "zorvex")
    press_button(page, "Needless: the selected text should have stayed")
    expect(page.get_by_text("The kernel does not answer: 1 changes are not kept. Run the cell again.")).to_be_visible(
        timeout=10_000
    )
    wait_for_marks(lab, leak)
    run_first_cell(page)
    expect(page.locator(".notesieve-review [data-mark]")).to_have_text(["Cotton"])
    select_word(page, "zorvex")
    press_button(page, "Needless: the selected text should have stayed")
    wait_for_marks(lab, {"a": [*leak["a"], ("needless", *span_of_word(FIRST, "zorvex"))]})


@pytest.mark.parametrize("lab", [READERS], indirect=True)
def test_readers_are_adjudicated(lab: Lab, page: Page) -> None:
    title = page.locator(".notesieve-review [role=toolbar] + b")
    expect(title).to_have_text("a: 2 disputes to settle")
    spans = page.get_by_role("textbox", name="Note").locator("span[title*=anna]")
    assert spans.all_inner_texts() == ["Cotton"]
    assert spans.first.get_attribute("title") == "NAME: ben; NAME: anna"
    select_word(page, "Cotton")
    press_button(page, "Leak: the selected text should have gone")
    wait_for_marks(lab, {"a": [("leak", *span_of_word(FIRST, "Cotton"))]})
    # One mark decides for both spans that it touches.
    expect(title).to_have_text("a: 0 disputes to settle")
