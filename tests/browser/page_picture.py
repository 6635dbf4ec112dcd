"""Draw `docs/pictures/page.png`, the page of the service with its example, and write what it shows: `make picture`.

The record beside the picture, `page.json`, is what a test compares with what the scrubber makes of the example now.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import notesieve as ns

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs/pictures"
STATUSES = ("negated", "family", "historical", "hypothetical", "possible")
PAGE = ROOT / "python/notesieve/service/page/page.js"


def read_example() -> str:
    """Give the example of the page."""
    found = re.search(r"const EXAMPLE = `(.*?)`;", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found, "page.js has an example"
    return found[1].replace("\\\n", "")


def shown_result() -> dict[str, Any]:
    """Give what the page shows of its example: the text, what was removed, the terms with their status."""
    note = ns.Scrubber().scrub(read_example())
    return {
        "text": note.text,
        "removed": [[note.text[r.output_start : r.output_end], r.kind] for r in note.removed],
        "terms": [
            [note.text[term.start : term.end], *(status for status in STATUSES if getattr(term, status))]
            for term in note.concepts
        ],
    }


def draw_picture() -> None:
    """Take the picture: the example, with the reason why the name of the last doctor was removed."""
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    command = [sys.executable, "-m", "notesieve", "serve", "--port", "0"]
    service = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert service.stderr
        url = re.search(r"http://\S+:\d+/", service.stderr.readline())
        assert url, "the service tells where it is"
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1400, "height": 790}, device_scale_factor=1.5)
            page.goto(url[0])
            page.get_by_role("button", name="Example").click()
            words = page.get_by_role("group", name="note").locator("[data-word]")
            names = words.filter(has_text=re.compile(r"^\[NAME\]$"))
            text = shown_result()["text"]
            names.nth(text[: text.index("Dr. [NAME]")].count("[NAME]")).click()
            page.wait_for_timeout(500)
            page.screenshot(path=PICTURES / "page.png")
            browser.close()
    finally:
        service.terminate()
        service.communicate(timeout=20)


if __name__ == "__main__":
    draw_picture()
    record = json.dumps(shown_result(), indent=1, ensure_ascii=False) + "\n"
    (PICTURES / "page.json").write_text(record, encoding="utf-8")
