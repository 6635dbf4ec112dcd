"""The page of the evidence in a real browser: what it loads, whether it fits, and how it prints."""

import os
import re
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

import notesieve as ns

WIDTH = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# WCAG 2: the contrast of a text with what is after it, of all texts that are seen.
CONTRAST = """() => {
  const light = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(v => v / 255)
      .map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/, 0\\)$/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    if (![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
    const style = getComputedStyle(element);
    const colour = element instanceof SVGElement ? style.fill : style.color;
    const [a, b] = [light(colour), light(behind(element))].sort((x, y) => y - x);
    if ((a + .05) / (b + .05) < 4.5) found.push(element.tagName + " " + element.className + " " + colour);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Page, list[str]]]:
    folder = tmp_path_factory.mktemp("evidence")
    span = {"start": 12, "end": 17, "category": "NAME", "subtype": "DOCTOR"}
    notes = {f"{at}": f"Seen by Dr. Quill. A {30 + at} year old man with gout, day {at}." for at in range(40)}
    gold = ns.Gold(notes, {doc: [span] for doc in notes})
    ns.evidence.collect(gold, ns.Scrubber(), draws=20, day=date(2026, 1, 2)).write(folder)
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, ("chromium", "google-chrome"))))
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        shown = opened.new_page(viewport={"width": 1000, "height": 900})
        asked: list[str] = []
        shown.on("request", lambda request: asked.append(request.url))
        shown.goto((folder / "evidence.html").as_uri())
        yield shown, asked
        opened.close()


def test_it_loads_nothing_else(page: tuple[Page, list[str]]) -> None:
    shown, asked = page
    assert len(asked) == 1 and asked[0].startswith("file:")
    assert shown.title() == "Evidence on de-identification"


@pytest.mark.parametrize("width", [1400, 1000, 400])
def test_the_page_fits_the_width(page: tuple[Page, list[str]], width: int) -> None:
    shown, _ = page
    shown.set_viewport_size({"width": width, "height": 900})
    assert shown.evaluate(WIDTH) == 0


def test_texts_have_enough_contrast(page: tuple[Page, list[str]]) -> None:
    assert page[0].evaluate(CONTRAST) == []


def test_the_keyboard_reaches_every_section(page: tuple[Page, list[str]]) -> None:
    shown, _ = page
    sections = shown.locator("main section").count()
    assert sections == 9
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.textContent") == "Skip to the summary"
    for _ in range(sections):
        shown.keyboard.press("Tab")
        target = shown.evaluate("document.activeElement.getAttribute('href')")
        assert shown.locator(f"h2{target}").count() == 1


def test_it_prints_on_paper(page: tuple[Page, list[str]], tmp_path: Path) -> None:
    shown, _ = page
    content = shown.pdf(path=tmp_path / "evidence.pdf", prefer_css_page_size=True)
    pages = len(re.findall(rb"/Type\s*/Page\b", content))
    sizes = {
        tuple(round(float(side)) for side in box.split()[2:])
        for box in re.findall(rb"/MediaBox\s*\[([^\]]+)\]", content)
    }
    assert 4 <= pages <= 9
    assert sizes <= {(595, 842), (596, 842), (594, 842)}, "A4"
    shown.emulate_media(media="print")
    shown.set_viewport_size({"width": 673, "height": 900})  # A4 without margins
    assert shown.evaluate(WIDTH) == 0
