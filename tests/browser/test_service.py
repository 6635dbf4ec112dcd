"""The page of the service in a real browser: `make test-browser`."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

import notesieve as ns

TEXT = "Mr. Winters, seen 3/4/2021 by Dr. Quill \U0001f9e0 for asthma.\nNo fever. Father had gout. <b>BP</b> 128/72.\n"
TOKEN = "a-token-of-the-tests"


def start_service(*options: str) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "notesieve", "serve", "--port", "0", *options], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    found = re.search(r"http://\S+:\d+/", process.stderr.readline())
    assert found
    return process, found[0]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    process, url = start_service()
    yield url
    process.terminate()
    process.communicate(timeout=20)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, url: str) -> Iterator[Page]:
    """Give the page; whatever goes elsewhere, and whatever the browser complains of, is an error."""
    context = browser.new_context(
        viewport={"width": 1400, "height": 900}, permissions=["clipboard-read", "clipboard-write"]
    )
    page = context.new_page()
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda problem: complaints.append(str(problem)))
    page.goto(url)
    expect(page.get_by_label("Policy")).to_have_value("safe")
    yield page
    context.close()
    assert [other for other in asked if not other.startswith((url, f"blob:{url}"))] == []
    assert complaints == []


def result_element(page: Page) -> Any:
    return page.get_by_role("group", name="note")


def scrub_on_page(page: Page, text: str = TEXT, **policy: str) -> str:
    page.get_by_role("textbox", name="Note").fill(text)
    expected = ns.Scrubber(**policy).scrub(text).text
    # What is shown beside a piece is generated content, and no part of the text.
    expect(result_element(page)).to_have_text(expected, use_inner_text=False)
    assert result_element(page).evaluate("node => node.textContent") == expected
    return expected


def word_element(page: Page, text: str) -> Any:
    return result_element(page).locator("[data-word]").filter(has_text=re.compile(f"^{re.escape(text)}$"))


def explanation_element(page: Page) -> Any:
    return page.get_by_role("complementary")


def test_a_note_that_is_typed_is_scrubbed(page: Page) -> None:
    scrub_on_page(page)
    expect(page.get_by_role("status")).to_contain_text("4 removed, 4 terms coded")
    removed = result_element(page).locator("[data-mark]:not(.coded)")
    kinds = [note.kind for note in ns.Scrubber().scrub(TEXT).removed]
    assert [each.get_attribute("data-label") for each in removed.all()] == [kind or "on no list" for kind in kinds]
    legend = page.get_by_role("list", name="What was removed and coded")
    affirmed = [concept.affirmed for concept in ns.Scrubber().scrub(TEXT).concepts]
    counts = (("Coded terms", affirmed.count(True)), ("Not affirmed", affirmed.count(False)))
    expected = ["Names2", "Dates1", "On no list1", *(f"{label}{count}" for label, count in counts if count)]
    expect(legend.get_by_role("listitem")).to_have_text(expected)
    negated = word_element(page, "fever")
    assert negated.get_attribute("data-label") == "negated"
    assert negated.evaluate("node => getComputedStyle(node.firstChild).textDecorationLine") == "line-through"


def test_a_click_on_a_word_tells_why(page: Page) -> None:
    scrub_on_page(page)
    word_element(page, "[NAME]").nth(1).click()
    expect(explanation_element(page)).to_contain_text("Removed")
    expect(explanation_element(page)).to_contain_text("name-title (name)")
    expect(explanation_element(page)).to_contain_text("Names after a title: Dr. Brown")
    explanation_element(page).get_by_text("What weighed most").click()
    expect(explanation_element(page).locator("details li").first).to_be_visible()
    word_element(page, "asthma").click()
    expect(explanation_element(page)).to_contain_text("mesh:D001249 · MeSH")
    expect(explanation_element(page).get_by_role("heading", name="asthma", exact=True)).to_be_visible()
    word_element(page, "fever").click()
    expect(explanation_element(page)).to_contain_text("negated by: no")
    word_element(page, "seen").click()
    expect(explanation_element(page)).to_contain_text("Kept")


def test_the_original_is_shown_with_a_warning_and_marks(page: Page) -> None:
    scrub_on_page(page)
    warning = page.get_by_text("Original text: it identifies people.")
    expect(warning).to_be_hidden()
    page.get_by_label("Original").check()
    expect(warning).to_be_visible()
    assert result_element(page).evaluate("node => node.textContent") == TEXT
    word_element(page, "Quill").click()
    expect(explanation_element(page)).to_contain_text("name-title (name)")
    marked = result_element(page).locator("[data-mark]:not(.coded)")
    assert [each.text_content() for each in marked.all()] == [
        TEXT[each.start : each.end] for each in ns.Scrubber().scrub(TEXT).removed
    ]


def test_words_of_a_removed_piece_are_stepped_through(page: Page) -> None:
    scrub_on_page(page, "Patient Name: Winters, Rose B.\n")
    word_element(page, "[NAME]").click()
    expect(explanation_element(page)).to_contain_text("word 1 of")
    explanation_element(page).get_by_role("button", name="Next word").click()
    expect(explanation_element(page)).to_contain_text("word 2 of")
    expect(explanation_element(page).get_by_role("button", name="Previous word")).to_be_enabled()


def test_a_policy_can_be_chosen(page: Page) -> None:
    scrub_on_page(page)
    page.get_by_label("Policy").select_option("berman")
    expect(result_element(page)).to_have_text(ns.Scrubber("berman").scrub(TEXT).text, use_inner_text=False)
    expect(page.locator("#policy-about")).to_contain_text("stop words and coded terms")
    word_element(page, "[NAME]").first.click()
    expect(explanation_element(page)).to_contain_text("Removed")


def test_what_is_known_of_the_patient_is_removed(page: Page) -> None:
    scrub_on_page(page, "the rose bed\n")
    page.get_by_text("Known of the patient").click()
    page.get_by_label("Names").fill("Rose Winters; Rosie")
    expect(result_element(page)).to_have_text("the [NAME] bed\n", use_inner_text=False)
    word_element(page, "[NAME]").click()
    expect(explanation_element(page)).to_contain_text("Removed")
    page.get_by_label("Names").fill("")
    expect(result_element(page)).to_have_text("the rose bed\n", use_inner_text=False)


def test_the_keyboard_alone_suffices(page: Page) -> None:
    note = page.get_by_role("textbox", name="Note")

    def tab_to(target: Any) -> None:
        for _ in range(25):
            page.keyboard.press("Tab")
            if target.evaluate("node => node === document.activeElement"):
                return
        pytest.fail("the tab key does not lead there")

    tab_to(note)
    page.keyboard.insert_text(TEXT)
    expect(result_element(page)).to_have_text(ns.Scrubber().scrub(TEXT).text, use_inner_text=False)
    assert result_element(page).locator("[tabindex='0']").count() == 1
    tab_to(word_element(page, "[NAME]").first)
    page.keyboard.press("Enter")
    expect(explanation_element(page)).to_contain_text("Removed")
    page.keyboard.press("ArrowDown")
    expect(word_element(page, "[DATE]")).to_be_focused()
    page.keyboard.press(" ")
    expect(explanation_element(page)).to_contain_text("date-figures")
    page.keyboard.press("ArrowRight")
    expect(word_element(page, "by")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(word_element(page, "[DATE]")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(word_element(page, "seen")).to_be_focused()
    page.keyboard.press("Home")
    expect(word_element(page, "Mr")).to_be_focused()
    page.keyboard.press("End")
    assert result_element(page).locator("[tabindex='0']").count() == 1
    page.keyboard.press("Tab")  # one stop among the words: the next one is behind them
    assert not result_element(page).evaluate("node => node.contains(document.activeElement)")


def test_verify_copy_and_download(page: Page, tmp_path: Path) -> None:
    text = TEXT.replace("\U0001f9e0 ", "")
    expected = scrub_on_page(page, text)
    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_role("status")).to_contain_text("Verified: each of")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("status")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == expected
    page.get_by_label("Codes").check()
    assert "mesh:D001249" in (word_element(page, "asthma").get_attribute("data-label") or "")
    with page.expect_download() as started:
        page.get_by_role("button", name="Download").click()
    started.value.save_as(tmp_path / "note.txt")
    assert (tmp_path / "note.txt").read_text("utf-8") == ns.Scrubber().scrub(text).coded_text


def test_files_can_be_chosen_and_dropped(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.write_text(TEXT, "utf-8")
    page.locator("#file").set_input_files(file)
    expect(result_element(page)).to_have_text(ns.Scrubber().scrub(TEXT).text, use_inner_text=False)
    dropped = page.evaluate_handle(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["Dropped by Dr. Brown."], "note.txt", { type: "text/plain" }));
            return data;
        }"""
    )
    page.dispatch_event("#note", "drop", {"dataTransfer": dropped})
    expect(result_element(page)).to_have_text("Dropped by Dr. [NAME].", use_inner_text=False)
    file.write_bytes(b"caf\xe9")
    page.locator("#file").set_input_files(file)
    expect(page.get_by_role("status")).to_contain_text("not UTF-8")
    page.get_by_role("button", name="Clear").click()
    expect(result_element(page)).to_contain_text("appears here")
    expect(page.get_by_role("button", name="Copy")).to_be_disabled()


def test_the_page_asks_for_the_token(browser: Browser, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    process, url = start_service("--token-file", str(token))
    page = browser.new_page()
    page.goto(url)
    page.get_by_label("This service needs its token").fill("another-token-than-this")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("the token is missing or wrong")
    page.get_by_label("This service needs its token").fill(TOKEN)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Policy")).to_have_value("safe")
    scrub_on_page(page)
    page.get_by_text("Known of the patient").click()
    page.get_by_label("Names").fill("Rose; -")
    expect(page.get_by_role("status")).to_contain_text("names[1] has no letter")
    page.close()
    process.terminate()
    process.communicate(timeout=20)


CONTRAST = """() => {
    const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const colour = (text) => text.match(/[\\d.]+/g).map(Number);
    const background = (node) => {
        for (; node; node = node.parentElement) {
            const found = colour(getComputedStyle(node).backgroundColor);
            if (found.length === 3 || found[3] === 1) return found;
        }
        return [255, 255, 255];
    };
    const low = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (!node.data.trim() || !parent.checkVisibility() || parent.closest(":disabled, noscript, script")) continue;
        const pair = [colour(getComputedStyle(parent).color), background(parent)].map(luminance).sort((a, b) => b - a);
        const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
        if (ratio < 4.5) low.push(`${parent.className || parent.tagName} ${ratio.toFixed(2)}`);
    }
    return low;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_sufficient(page: Page, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    page.get_by_role("button", name="Example").click()
    expect(result_element(page).locator("[data-mark]").first).to_be_visible()
    page.get_by_label("Original").check()
    result_element(page).locator("[data-mark]").first.click()
    expect(explanation_element(page).get_by_role("heading").nth(1)).to_be_visible()
    page.wait_for_timeout(300)  # colours change gradually
    assert page.evaluate(CONTRAST) == []


@pytest.mark.parametrize("width", [360, 800, 1280])
def test_nothing_overflows_the_width(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_role("button", name="Example").click()
    expect(result_element(page).locator("[data-mark]").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for button in page.get_by_role("button").filter(visible=True).all():
        if not button.get_attribute("data-word"):
            box = button.bounding_box()
            assert box
            assert box["x"] + box["width"] <= width


def test_each_control_has_a_name(page: Page) -> None:
    named = page.evaluate(
        """() => [...document.querySelectorAll("button, select, textarea, input:not([type=file])")].filter(
            (node) => !(node.labels?.length || node.textContent.trim() || node.getAttribute("aria-labelledby"))
        ).map((node) => node.id)"""
    )
    assert named == []
    assert page.locator("html").get_attribute("lang") == "en"


def test_a_long_note_is_shown(page: Page) -> None:
    text = "Seen by Dr. Brown for asthma. " * 6000
    page.get_by_role("textbox", name="Note").fill(text)
    expect(page.get_by_role("status")).to_contain_text("6000 removed", timeout=60_000)
    word_element(page, "[NAME]").first.click()
    expect(explanation_element(page)).to_contain_text("Removed", timeout=60_000)
