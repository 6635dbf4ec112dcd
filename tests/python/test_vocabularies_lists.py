"""The lists of the default vocabulary are whole, sorted and described."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

VOCABULARIES = Path(__file__).resolve().parents[2] / "vocabularies"
SOURCES = sorted(VOCABULARIES.glob("*/source.toml"))
CLASS_KEYS = set(
    re.findall(
        r'= "([a-z-]+)";',
        (VOCABULARIES.parent / "crates" / "vocabulary" / "src" / "class.rs").read_text(encoding="utf-8"),
    )
)
FIELDS = {"terms": 3, "concepts": 5}


def read_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def source_entries_by_kind(path: Path) -> list[tuple[str, dict[str, Any]]]:
    read = read_toml(path)
    return [(kind, entry) for kind in ("terms", "concepts", "list") for entry in read.get(kind, [])]


def data_rows(path: Path) -> list[str]:
    text = path.read_bytes().decode("utf-8")
    assert text.endswith("\n"), path
    return [line for line in text[:-1].split("\n") if not line.startswith("#")]


LISTS = [
    pytest.param(path.parent, kind, entry, id=f"{path.parent.name}/{entry['file']}")
    for path in SOURCES
    for kind, entry in source_entries_by_kind(path)
]


def test_every_folder_with_lists_has_a_source() -> None:
    described = {path.parent.name for path in SOURCES}
    assert {"mesh", "english", "census", "places", "literature", "lexicon"} <= described
    folders = {path.parent.name for path in VOCABULARIES.glob("*/*.[t][sx][vt]") if path.name != "NOTICE.txt"}
    assert folders <= described


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.parent.name)
def test_source_is_described(path: Path) -> None:
    source = read_toml(path)["source"]
    for key in ("name", "version", "licence"):
        assert source[key].strip(), key
    if "package" in source:
        assert re.fullmatch("[0-9a-f]{64}", source["sha256"])
        assert source["archive"] and source["member"] and source["package_version"]
        assert source["package"] in (VOCABULARIES / "NOTICE.md").read_text(encoding="utf-8")
    assert source_entries_by_kind(path)
    if read_toml(path).get("terms"):
        assert re.fullmatch("[a-z0-9]+", source["system"])
    listed = {entry["file"] for _, entry in source_entries_by_kind(path)}
    beside = {other.name for other in path.parent.glob("*.t[sx][vt]")} - {"NOTICE.txt"}
    # Not words: what they say of concepts is read by the core itself.
    assert listed == beside - {"cues.txt", "senses.txt", "vaccines.txt"}


@pytest.mark.parametrize(("folder", "kind", "entry"), LISTS)
def test_list_is_whole(folder: Path, kind: str, entry: dict[str, Any]) -> None:
    lines = data_rows(folder / entry["file"])
    assert len(lines) == entry["entries"]
    assert all(line and line == line.strip(" \r") for line in lines)
    assert len(set(lines)) == len(lines)
    assert not [number for number, line in enumerate(lines) if "\ufffd" in line], "a letter was lost before"
    if kind == "list":
        assert entry["class"] in CLASS_KEYS
        words = [line.partition("\t")[0] for line in lines]
        assert words == sorted(set(words))
        assert all(re.fullmatch("|[0-9]+", line.partition("\t")[2]) for line in lines)
    else:
        fields = [line.split("\t") for line in lines]
        assert {len(row) for row in fields} == {FIELDS[kind]}
        order = [(row[0], row[1] == "0", row[2]) for row in fields] if kind == "terms" else [row[0] for row in fields]
        assert order == sorted(order)  # type: ignore[type-var]


@pytest.mark.parametrize(
    "path", [path for path in SOURCES if read_toml(path).get("terms")], ids=lambda path: path.parent.name
)
def test_terms_belong_to_concepts(path: Path) -> None:
    concepts = {row.split("\t")[0] for row in data_rows(path.parent / "concepts.tsv")}
    terms = [row.split("\t") for row in data_rows(path.parent / "terms.tsv")]
    known = concepts | {row.split("\t")[0] for row in data_rows(VOCABULARIES / "mesh" / "concepts.tsv")}
    assert {code for code, _, _ in terms} <= known
    assert {preferred for _, preferred, _ in terms} <= {"0", "1"}
    assert max(len(text.split()) for _, _, text in terms) <= 8


def test_every_cue_class_has_a_list() -> None:
    classes = {entry["class"] for path in SOURCES for kind, entry in source_entries_by_kind(path) if kind == "list"}
    assert CLASS_KEYS - classes == {"term", "term-part", "place-part"}


def test_what_may_come_out_is_no_common_name() -> None:
    """The first thousand surnames and the first five hundred first names stand on no list of our own that passes."""
    names: set[str] = set()
    for file, most in (("surnames.tsv", 1000), ("first-names.tsv", 500)):
        counted = [line.split("\t") for line in data_rows(VOCABULARIES / "census" / file)]
        names |= {name for name, _ in sorted(counted, key=lambda row: -int(row[1]))[:most]}
    for file in ("lexicon/clinical.txt", "lexicon/brand.txt", "drugbank/drugs.txt"):
        assert not names & set(data_rows(VOCABULARIES / file)), file
    assert not names & {line.split("\t")[0] for line in data_rows(VOCABULARIES / "literature" / "words.tsv")}


def test_no_drug_stands_in_our_own_list_too() -> None:
    """What comes from the source is not copied into the list that is ours."""
    drugs = set(data_rows(VOCABULARIES / "drugbank" / "drugs.txt"))
    assert not drugs & set(data_rows(VOCABULARIES / "lexicon" / "brand.txt"))


def test_drug_words_come_from_the_terms_and_have_a_stem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(VOCABULARIES))
    import stems

    terms = [row.split("\t") for row in data_rows(VOCABULARIES / "drugbank" / "terms.tsv")]
    names = {text.lower(): False for _, _, text in terms}
    names |= {text.lower(): True for _, preferred, text in terms if preferred == "1"}
    drugs = data_rows(VOCABULARIES / "drugbank" / "drugs.txt")
    assert [word for word in drugs if word not in names or not re.fullmatch("[a-z]{8,}", word)] == []
    assert [word for word in drugs if not stems.has_stem(word, names[word])] == []
    assert [word for word in drugs if stems.is_measured(word) or word.endswith(("sterol", "cholinesterase"))] == []
    people = {
        row.split("\t")[0]
        for file in ("surnames", "first-names")
        for row in data_rows(VOCABULARIES / f"census/{file}.tsv")
    }
    cities = {row.split("\t")[0].lower() for row in data_rows(VOCABULARIES / "places" / "cities.tsv")}
    assert not set(drugs) & (people | cities)
    missing = {"fluticasone", "adalimumab", "imatinib", "lisinopril", "rivaroxaban", "cefepime"} - set(drugs)
    assert not missing


def test_stems_are_written_as_the_book_writes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(VOCABULARIES))
    import stems

    written = [stem for group in stems.STEMS.values() for stem in group.split()]
    assert all(re.fullmatch("-[a-z]{3,}|[a-z]{3,}-", stem) for stem in written)
    assert len(set(written)) == len(written)


def test_drug_words_are_read_by_stem(monkeypatch: pytest.MonkeyPatch) -> None:
    """One word, eight letters, a stem; nothing of the body, no name of a person or place."""
    import bz2
    import pickle

    monkeypatch.syspath_prepend(str(VOCABULARIES))
    import readers

    names = [
        "Fictimab", "Cefnovel", "Madeupril",
        "Tinymab", "Noplainword", "Cholesterol", "Cortisone", "Marionstat", "two fictimab",
    ]  # fmt: skip
    drugs = {name.lower(): {"drugbank_id": f"DB{at:05}", "name": name} for at, name in enumerate(names)}
    tables = {
        "drug_canonical_to_data": drugs | {"unnumberedmab": {"name": "Unnumberedmab"}},
        "drug_variant_to_canonical": {
            "cefnovelum": ["cefnovel"],
            "othermab": ["fictimab"],
            "strangemab": ["unnumberedmab"],
        },
    }
    out = readers.read_drugbank(bz2.compress(pickle.dumps(tables, protocol=4)), set(), {"marionstat"})
    assert sorted(out.words["drugs.txt"]) == ["cefnovel", "fictimab", "madeupril", "othermab"]
    assert out.counts["dropped_measured"] == 2
    assert out.counts["dropped_people_and_places"] == 1


def test_terms_of_which_a_letter_was_lost_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(VOCABULARIES))
    import readers

    out = readers.Extract()
    for text in ("Zwilbruck syndrome", "Zwilbr\ufffdck syndrome"):
        out.add_term("1", text, preferred=False)
    assert out.terms == {("1", False, "Zwilbruck syndrome")}
    assert out.counts["dropped_unreadable"] == 1


def test_scraps_of_citations_are_no_drugs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Markup, fields of a citation and what its authors are called; letters after other names stay."""
    import bz2
    import pickle

    monkeypatch.syspath_prepend(str(VOCABULARIES))
    import readers

    good = ["fictimabum", "fictimycin b", "3''-o-fictimab", "fictimab(1->4)"]
    scraps = [
        "&lt;ref name=&quot;label&quot; /&gt;", "{{cite journal", "oldmab}}", "[[madeupril", "title = fictimab",
        "vauthors = zwilbruck pe", "fictimaba&lt;br/&gt;", "fictim\xe3\xa9b", "issue = 1\xe2\x80\x932", "quorvane zl",
    ]  # fmt: skip
    tables = {
        "drug_canonical_to_data": {name: {"drugbank_id": name, "name": name} for name in ("fictimab", "othermab")},
        "drug_variant_to_canonical": {
            name: ["othermab" if name == good[1] else "fictimab"] for name in [*good, *scraps]
        },
    }
    out = readers.read_drugbank(bz2.compress(pickle.dumps(tables, protocol=4)), set(), set())
    assert {text for _, preferred, text in out.terms if not preferred} == set(good)
    assert out.counts["dropped_markup"] == len(scraps) - 1
    assert out.counts["dropped_authors"] == 1


def test_no_term_of_a_drug_is_a_scrap() -> None:
    terms = [row.split("\t") for row in data_rows(VOCABULARIES / "drugbank" / "terms.tsv")]
    others = [text for _, preferred, text in terms if preferred == "0"]
    assert not [text for text in others if re.search(r"&\w+;|[{][{]|[}][}]|\[\[[a-z]{3}|=", text)]


def test_pickles_are_read_without_running_them(monkeypatch: pytest.MonkeyPatch) -> None:
    import pickle

    monkeypatch.setattr(sys, "path", [str(VOCABULARIES), *sys.path])
    import pickled

    data = {"a": [1.5, True, "b"], "c": {"d": ["b"]}}
    assert pickled.read(pickle.dumps(data, protocol=4)) == data
    with pytest.raises(pickled.NotPlainDataError):
        pickled.read(pickle.dumps(Path("x"), protocol=4))
