"""The Python of README.md and of the documentation runs as it stands there; `py` marks what needs files of the reader's
own."""

import hashlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A block that begins with a comment with the name of a file is that file.
FILE = re.compile(r"^```\w+\n(# (\w+\.\w+)\n.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [
    page for page in (ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))) if BLOCK.search(page.read_text("utf-8"))
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_blocks_run_in_order(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All blocks of a page share their names, as they do for somebody who types them one after the other."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOTESIEVE_KEY", hashlib.sha256(b"pages").hexdigest())
    text = page.read_text("utf-8")
    for content, name in FILE.findall(text):
        (tmp_path / name).write_text(content, encoding="utf-8")
    names: dict[str, object] = {"__name__": "__main__"}
    for block in BLOCK.finditer(text):
        # Empty lines before the block, so that a traceback names the line of the page.
        lines = "\n" * text.count("\n", 0, block.start(1))
        exec(compile(lines + block[1], str(page), "exec"), names)


def test_pages_were_found() -> None:
    assert ROOT / "README.md" in PAGES


def test_links_to_files_of_the_repository_lead_somewhere() -> None:
    link = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)")
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "DESIGN.md", *sorted((ROOT / "docs").glob("**/*.md"))]
    assert len(pages) > 10
    for page in pages:
        if "_build" not in page.parts:
            for target in link.findall(page.read_text("utf-8")):
                assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"


def test_files_that_pages_and_comments_name_are_there() -> None:
    named = re.compile(r"(?<![\w/.:-])(?:\.\./)*([A-Za-z_][\w-]*(?:/[\w.-]+)*/[\w-]+\.(?:py|rs))\b")
    folders = [ROOT / name for name in ("crates", "docs", "fuzz", "models", "python", "src", "tests", "vocabularies")]
    files = [*ROOT.glob("*.md"), *(file for folder in folders for file in folder.rglob("*"))]
    texts = [file for file in files if file.suffix in {".md", ".py", ".rs"} and "target" not in file.parts]
    paths = "\n".join(f"/{file.relative_to(ROOT).as_posix()}" for file in texts) + "\n"
    assert paths.count("\n") > 500
    for file in texts:
        if "_build" not in file.parts:
            for path in named.findall(file.read_text("utf-8")):
                assert f"/{path}\n" in paths, f"{file.relative_to(ROOT)} names {path}"
