"""The optional link parser: its output is read as recorded, and the program itself runs where it is installed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from published import links
from published.local_context import CLASSES, LINKS, LinkedContext, linked_features
from published.notes import parse_marked_note as note_of
from published.reading import tokens_of

# TextBlob leaves the files of its tagger open.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")

SENTENCE = "Mr. Horvat was seen by the nurse (Pell) in Tenby."
# As version 5.12 prints it; the third number of a link is not initialised there.
OUTPUT = """postscript set to 1
[(LEFT-WALL)(Mr..x)(Horvat[!])(was.v-d)(seen.v)(by)(the)(nurse.n)(()(Pell[!])
())(in.r)(Tenby[!])(.)]
[[0 13 0 (Xp)][0 4 0 (WV)][0 2 0 (Wd)][1 2 0 (G)][2 3 0 (Ss*s)][3 4 0 (Pv)][4 11 0 (MVp)]
[4 5 0 (MVp)][5 7 -1358216384 (Js)][6 7 1 (Ds**c)][7 9 1 (MXs)][8 9 1 (Xdp)][9 10 2 (Xcp)][11 12 2 (Js)]]
[0]

"""
UNLINKED = (
    "[(LEFT-WALL)(lungs.n)([clear])([w/])([no])(wheeze.v)([[])([sic])([]])(.)]\n[[1 5 1 (Sp)][6 8 0 (Xdp)]]\n[0]\n\n"
)


def link_initials(text: str, found: list[links.Link]) -> list[tuple[str, str, str]]:
    """Give the first letters of both words of each link."""
    return [(text[left : left + 3], kind, text[right : right + 3]) for left, kind, right in found]


def test_a_recorded_linkage_is_read_in_place() -> None:
    found = link_initials(SENTENCE, links.read_links(OUTPUT, SENTENCE))
    assert found[:3] == [("Mr.", "G", "Hor"), ("Hor", "Ss*s", "was"), ("was", "Pv", "see")]
    assert {("(Pe", "Xdp", "Pel"), ("by ", "Js", "nur"), ("in ", "Js", "Ten")} <= set(found)
    # Links of the wall are left out.
    assert len(found) == 11


def test_words_without_a_link_keep_the_others_in_place() -> None:
    text = "Lungs clear w/ no wheeze [sic]."
    assert link_initials(text, links.read_links(UNLINKED, text)) == [
        ("Lun", "Sp", "whe"),
        ("[si", "Xdp", "]."),
    ]
    assert links.read_links("", text) == []
    # A word that the parser changed has no place; those after it have.
    assert link_initials(text, links.read_links(UNLINKED.replace("lungs", "lunges"), text)) == [("[si", "Xdp", "].")]


def test_a_title_or_an_initial_ends_no_sentence() -> None:
    text = "Seen by Dr. Pell and J. Quill today. Lungs clear.\nHome.\n\nNo fever"
    assert [text[start:end] for start, end in links.split_sentences(text)] == [
        "Seen by Dr. Pell and J. Quill today.", "Lungs clear.", "No fever",
    ]  # fmt: skip
    assert links.split_sentences("word " * 41) == []


def test_a_token_has_its_two_nearest_links_on_each_side() -> None:
    found = [(0, "G", 4), (1, "A", 4), (2, "D", 4), (4, "S", 5)]
    assert links.link_bigrams(found, ["a", "b", "c", "d", "e", "f"]) == [
        ["s+G e"], ["s+A e"], ["s+D e"], [], ["s+S f", "s-D c", "s-A b"], ["s-S e"],
    ]  # fmt: skip


def test_where_there_is_no_parser_the_message_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="not on PATH: install the Debian packages link-grammar"):
        LinkedContext().fit([note_of("absent", "b", "Seen by Dr. [[NAME/S:Pell]].")])


def test_a_parser_that_fails_is_reported_without_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / links.PROGRAM
    program.write_text('#!/bin/sh\nread line\necho "$line"\nexit 3\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="exit status 3") as raised:
        links.parse_links(note_of("failing", "b", "Seen by Quill today."))
    assert "Quill" not in str(raised.value)


# The parser is no package of Python: where it is installed, it runs.
if shutil.which(links.PROGRAM):

    def test_the_installed_parser_links_names_to_their_verbs() -> None:
        note = note_of("linked", "b", "Mr. [[NAME/P:Horvat]] was seen by the nurse.\n!exit now\nShe denies pain.\n")
        parsed = links.parse_links(note)
        text = [note.text[start:end] for start, end in tokens_of(note.text)]
        found = {(text[left], text[right]) for left, _, right in parsed.links}
        assert {("Horvat", "was"), ("She", "denies"), ("denies", "pain")} <= found
        assert parsed.seconds > 0.0
        assert "Horvat" not in repr(parsed)
        rows = linked_features(note)
        assert any(name.startswith("s+S") for name in rows[text.index("Horvat")])
        for name in (name for row in rows for name in row):
            assert sum(name.startswith(starts) for starts in (CLASSES | LINKS).values()) == 1

    def test_the_linked_system_learns_from_links_alone() -> None:
        people = ["Quill", "Pell", "Horvat", "Tamsin", "Marchbanks", "Abernathy"]
        train = [note_of(f"l{at}", "b", f"[[NAME/P:{name}]] denies pain.") for at, name in enumerate(people)]
        system = LinkedContext(only="link bigrams")
        system.fit(train)
        assert system.predict([note_of("new", "b", "Ostrander denies pain.")]) == [[(0, 9)]]
