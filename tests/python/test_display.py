"""What notebooks show: escaped, self-contained, and never the original unless somebody gives it."""

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

import notesieve as ns
from notesieve.display import concept_table, decision_table, finding_table

TEXT = 'Mr. Brown, 97 y/o, seen 3/4/06 <b>for</b> "diabetes" & zwilbruck. BP 128/72. Call 617-555-0123.'
SECRETS = ("Brown", "97", "3/4/06", "zwilbruck", "617")


@pytest.fixture(scope="module")
def scrubber() -> ns.Scrubber:
    # What is shown, not what is judged: the model may tell an invented word for a name.
    return ns.Scrubber(ns.Policy(ambiguous="never"))


@pytest.fixture(scope="module")
def note(scrubber: ns.Scrubber) -> ns.ScrubbedNote:
    return scrubber.scrub(TEXT)


class Balanced(HTMLParser):
    """Fails on a tag that is closed wrongly; collects the text."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.feed(source)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 named by HTMLParser
        assert tag not in {"script", "link", "img"}
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_note_shows_its_output_only(note: ns.ScrubbedNote) -> None:
    source = note._repr_html_()
    assert note.text in Balanced(source).text
    assert not [secret for secret in SECRETS if secret in source]
    assert "<b>" not in source
    assert "http" not in source
    assert "Original text" not in source


def test_tooltips_and_legend(note: ns.ScrubbedNote) -> None:
    source = note._repr_html_()
    concept = next(c for c in note.concepts if note.text[c.start : c.end] == "diabetes")
    assert f"{concept.code}  {concept.name}  (" in source
    legend = Balanced(source).text.removeprefix(note.text)
    for name in ("coded term", "name", "date", "age", "contact", "on no list"):
        assert name in legend
    assert "location" not in legend


def test_the_original_is_shown_where_it_is_given(note: ns.ScrubbedNote) -> None:
    assert "Brown" not in ns.show(note)
    source = ns.show(note, original=TEXT)._repr_html_()
    assert "Original text: it identifies people" in source
    assert TEXT in Balanced(source).text
    with pytest.raises(ns.NoteError, match="another text"):
        ns.show(note, original="Mr.")


def test_tables_of_a_note_are_balanced_html(note: ns.ScrubbedNote) -> None:
    assert "doid:9351" in concept_table(note)
    assert "NAME" in finding_table(note)
    decisions = decision_table(note)
    for source in (concept_table(note), finding_table(note), decisions):
        Balanced(source)
        assert not [secret for secret in SECRETS if secret in source]
    assert len(re.findall("<tr>", decisions)) == len(note.decisions) + 1


def test_overview_counts_and_draws(scrubber: ns.Scrubber) -> None:
    texts = [
        TEXT,
        "Asthma & diabetes, zwilbruck. Seen by Dr. Quill.",
        "No asthma; zwilbruck, smith, Zwilbruck, xyzzyq.",
    ]
    batch = scrubber.scrub_many(texts)
    seen = ns.overview(batch, originals=texts, vocabulary=scrubber.vocabulary, least_notes=2)
    assert seen.removed["NAME"] >= 2
    # One of the two says "no asthma".
    assert seen.concepts["mesh:D001249", "Asthma"] == 1
    # In too few notes, with a capital, or somebody's name: not shown.
    assert dict(seen.masked_words) == {"zwilbruck": 3}
    names, table = seen.pairs()
    both = table[names.index("Asthma")][names.index("Diabetes Mellitus")]
    assert both == 1
    assert all(table[i][j] == table[j][i] for i in range(len(names)) for j in range(len(names)))
    for picture in (seen.plot_removed(), seen.plot_concepts(), seen.plot_masked_words(), seen.plot_pairs()):
        assert ET.fromstring(picture).tag.endswith("svg")
    Balanced(seen._repr_html_())


def test_overview_tells_nothing_of_masked_words_without_originals(scrubber: ns.Scrubber) -> None:
    seen = ns.overview(scrubber.scrub_many([TEXT] * 4))
    assert not seen.masked_words
    assert "zwilbruck" not in seen._repr_html_()
    with pytest.raises(ns.NoteError, match="4 notes and 1 originals"):
        ns.overview(scrubber.scrub_many([TEXT] * 4), originals=[TEXT])


def test_overview_by_label(scrubber: ns.Scrubber) -> None:
    batch = scrubber.scrub_many(["Dr. Brown, Dr. Quill.", "No fever.", "Seen by Mr. Reed.", "Fever."])
    seen = ns.overview(batch, by=["letter", "visit", "visit", None], least_notes=1)
    assert seen.removed_per_note() == [
        {"label": "visit", "notes": 2, "NAME": 0.5},
        {"label": "letter", "notes": 1, "NAME": 2.0},
        {"label": "", "notes": 1, "NAME": 0.0},
    ]
    assert seen.plot_removed_per_note().count("<svg") == 3
    assert "letter: 1 notes" in Balanced(seen._repr_html_()).text
    assert ns.overview(batch).removed_per_note() == [{"label": "all", "notes": 4, "NAME": 0.75}]
    for wrong in (["letter"], "note"):
        with pytest.raises(ns.NoteError, match="one label per note: there are 4"):
            ns.overview(batch, by=wrong)


def test_what_is_no_note_is_told_the_next_step(scrubber: ns.Scrubber) -> None:
    batch = scrubber.scrub_many([TEXT])
    for call in (ns.show, concept_table, finding_table, decision_table):
        with pytest.raises(ns.NoteTypeError, match=r"takes one ScrubbedNote, not ScrubbedBatch: .*overview\(batch\)"):
            call(batch)  # type: ignore[arg-type]
        with pytest.raises(ns.NoteTypeError, match="not str: scrub it first") as problem:
            call(TEXT)  # type: ignore[arg-type]
        assert not [secret for secret in SECRETS if secret in str(problem.value)]
    with pytest.raises(ns.NoteError, match=r"scrub_many\(\.\.\., explain=True\)"):
        decision_table(batch[0])
    assert "remove" in decision_table(scrubber.scrub_many([TEXT], explain=True)[0])
    assert "<tbody></tbody>" in decision_table(scrubber.scrub(""))
