"""The query language: what the index answers is what reading every note would answer, and errors say where they are."""

import random
import re
import tempfile
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import notesieve as ns
from notesieve.errors import AmbiguousNameError, NotesieveError, QueryError
from notesieve.index.language import parse
from notesieve.index.matching import highlighted_spans, matches
from notesieve.statuses import ASKED

VOCABULARY = ns.Vocabulary.default()
PIECES = (
    "fever|chest pain|no|type 2 diabetes|diabetes mellitus|insulin|and|heart attack|pneumonia|asthma|cough|5 mg|x-ray|"
    "is clear|left|lower lobe|pain|stable|gout|mother had|history of|possible|return if|"
    "congestive heart failure|chronic obstructive pulmonary disease|BP 128/72"
).split("|")
WORDS = ["fever", "pain", "chest", "no", "insulin", "left", "cough", "5", "mg", "x", "clear", "heart", "128", "unseen"]
PHRASES = ["chest pain", "heart attack", "x-ray is clear", "pain no", "128/72", "lower lobe", "never so"]
# Diabetes; respiratory tract diseases; heart diseases; disease; signs and symptoms; nothing in these notes.
CODES = ["mesh:D003920", "mesh:D012140", "mesh:D006331", "doid:4", "mesh:D012816", "hp:0002090", "mesh:D008223"]
TYPES = ["letter", "discharge summary", "nursing note"]


# ---- notes, and what it means to read every one of them


class World:
    def __init__(self, index: ns.Index, rows: list[dict[str, Any]]) -> None:
        self.index, self.rows = index, rows

    def __repr__(self) -> str:
        return f"World of {len(self.rows)} notes"


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    chance = random.Random(8)
    texts = []
    for _ in range(80):
        pieces = chance.choices(PIECES, k=chance.randint(1, 14))
        texts.append("".join(piece + chance.choice([" ", " ", ", ", ". ", "\n"]) for piece in pieces))
    scrubber = ns.Scrubber()
    notes = scrubber.scrub_many(texts)
    rows = [
        {
            "id": f"n{at}",
            "patient": f"p{chance.randint(0, 25)}",
            "type": chance.choice(TYPES),
            "year": chance.randint(2001, 2009),
            "words": re.findall(r"[a-z0-9]+", note.text.lower()),
            # The place of a term is the number of words before it.
            "terms": [
                (len(re.findall(r"[a-z0-9]+", note.text[: c.start].lower())), c.codes, set(c.reasons))
                for c in note.concepts
            ],
        }
        for at, note in enumerate(notes)
    ]
    columns = {name: [row[name] for row in rows] for name in ("id", "patient", "type", "year")}
    with tempfile.TemporaryDirectory() as folder:
        index = ns.Index.create(Path(folder) / "notes", scrubber, years=True, given_pseudonyms=True)
        ids, patients, types, years = columns.values()
        # Two commits, so that there are several segments.
        index.add(notes[:50], note_id=ids[:50], patient_id=patients[:50], note_type=types[:50], year=years[:50])
        index.commit()
        index.add(notes[50:], note_id=ids[50:], patient_id=patients[50:], note_type=types[50:], year=years[50:])
        index.commit()
        yield World(index, rows)
        index.close()


@cache
def is_code_or_narrower(code: str, wanted: str) -> bool:
    seen, waiting = set(), [code]
    while waiting:
        at = waiting.pop()
        if at == wanted:
            return True
        concept = VOCABULARY.concept(at)
        if at not in seen and concept is not None:
            waiting += concept.parents + concept.same_as
        seen.add(at)
    return False


@cache
def is_equivalent_code(code: str, wanted: str) -> bool:
    concept = VOCABULARY.concept(code)
    return code == wanted or (concept is not None and wanted in concept.same_as)


def places_of_match(query: tuple[Any, ...], row: dict[str, Any]) -> set[int]:
    kind, value = query[0], query[1]
    told = row["words"]
    if kind == "or":
        return {place for part in query[1:] for place in places_of_match(part, row)}
    if kind == "word":
        return {place for place, word in enumerate(told) if word == value}
    if kind == "prefix":
        return {place for place, word in enumerate(told) if word.startswith(value)}
    if kind == "phrase":
        parts = re.findall(r"[a-z0-9]+", value)
        return {place for place in range(len(told)) if told[place : place + len(parts)] == parts}
    same = is_equivalent_code if query[2] else is_code_or_narrower
    asked = query[3]
    return {
        place
        for place, codes, said in row["terms"]
        if any(same(code, value) for code in codes) and has_asked_status(asked, said)
    }


def has_asked_status(asked: str, said: set[str]) -> bool:
    if asked == "any":
        return True
    if asked == "affirmed":
        return not said
    return asked in said and not (said & {"negated", "family"}) - {asked}


def is_match(query: tuple[Any, ...], row: dict[str, Any]) -> bool:
    match query:
        case ("and", *parts):
            return all(is_match(part, row) for part in parts)
        case ("or", *parts):
            return any(is_match(part, row) for part in parts)
        case ("not", part):
            return not is_match(part, row)
        case ("near", left, right, distance):
            return any(abs(a - b) <= distance for a in places_of_match(left, row) for b in places_of_match(right, row))
        case ("atleast", times, part):
            return len(places_of_match(part, row)) >= times
        case ("type", value):
            return bool(row["type"] == value)
        case ("year", first, last):
            return bool(first <= row["year"] <= last)
        case _:
            return bool(places_of_match(query, row))


def query_text(query: tuple[Any, ...]) -> str:
    match query:
        case ("and", *parts):
            return "(" + " AND ".join(map(query_text, parts)) + ")"
        case ("or", *parts):
            return "(" + " OR ".join(map(query_text, parts)) + ")"
        case ("not", part):
            return f"(NOT {query_text(part)})"
        case ("near", left, right, distance):
            return f"({query_text(left)} NEAR/{distance} {query_text(right)})"
        case ("atleast", times, part):
            return f"ATLEAST/{times} {query_text(part)}"
        case ("word", word):
            return str(word).upper() if word in {"no", "fever"} else str(word)
        case ("prefix", start):
            return f"{start}*"
        case ("phrase", phrase):
            return f'"{phrase}"'
        case ("code", code, exact, asked):
            return f"{'code' if asked == 'affirmed' else asked}:{code}{'!' if exact else ''}"
        case ("type", value):
            return f'type:"{value.title()}"'
        case ("year", first, last):
            return f"year:{first}..{last}"
    raise AssertionError(query)


standing = st.one_of(
    st.tuples(st.just("word"), st.sampled_from(WORDS)),
    st.tuples(st.just("prefix"), st.sampled_from(["c", "pa", "1", "zz", "insul"])),
    st.tuples(st.just("phrase"), st.sampled_from(PHRASES)),
    st.tuples(st.just("code"), st.sampled_from(CODES), st.booleans(), st.sampled_from(ASKED)),
)
placed = st.one_of(standing, st.tuples(st.just("or"), standing, standing))
queries = st.recursive(
    st.one_of(
        standing,
        st.tuples(st.just("near"), placed, placed, st.integers(1, 6)),
        st.tuples(st.just("atleast"), st.integers(1, 3), placed),
        st.tuples(st.just("type"), st.sampled_from(TYPES)),
        st.tuples(st.just("year"), st.integers(2000, 2005), st.integers(2005, 2010)),
    ),
    lambda part: st.one_of(
        st.tuples(st.just("and"), part, part),
        st.tuples(st.just("or"), part, part, part),
        st.tuples(st.just("not"), part),
    ),
    max_leaves=5,
)


@settings(max_examples=400, deadline=None)
@given(query=queries)
@example(query=("atleast", 2, ("or", ("prefix", "c"), ("phrase", "chest pain"))))
def test_the_index_answers_as_reading_every_note_would(world: World, query: Any) -> None:
    index, rows = world.index, world.rows
    expected = [row for row in rows if is_match(query, row)]
    text = query_text(query)
    counted = index.count(text)
    assert counted.notes == len(expected)
    assert counted.patients == len({row["patient"] for row in expected})
    results = index.search(text, limit=len(rows))
    assert {hit.note for hit in results} == {row["id"] for row in expected}
    # The canonical form means the same and does not change any more.
    canonical = str(index.parse(text))
    assert str(index.parse(canonical)) == canonical
    assert index.count(canonical) == counted
    for hit in results:
        assert matches(index.parse(text), hit._content, index._queries.numbers_of_sets)
        marks = hit.highlights
        assert all(0 <= start < end <= len(hit.text) for start, end in marks)
        assert all(end < start for (_, end), (start, _) in pairwise(marks))


@settings(max_examples=60, deadline=None)
@given(operands=st.lists(standing, min_size=1, max_size=3))
def test_occurrences_are_counted(world: World, operands: list[Any]) -> None:
    index, rows = world.index, world.rows
    text = " OR ".join(map(query_text, operands))
    found = {(row["id"], place) for row in rows for part in operands for place in places_of_match(part, row)}
    distinct = {
        (hit.note, place)
        for hit in index.search(text, limit=100)
        for place in {
            place for part in operands for place in places_of_match(part, next(r for r in rows if r["id"] == hit.note))
        }
    }
    assert distinct == found
    if len(operands) == 1:
        assert index.occurrences(text) == len(found)


# ---- what is no word and no code


def test_words_that_are_operators_are_found_in_quotes(world: World) -> None:
    assert world.index.count('"and"') == world.index.count("an* AND and*") != world.index.count("*")
    assert str(parse('"and" "fever or cough"', lambda *_: ())) == '"and" AND "fever or cough"'


def test_codes_that_there_are_not(world: World, tmp_path: Path) -> None:
    index = world.index
    for query, position in (("fever code:mesh:D99", 11), ("any:cpt:99213", 4), ("negated:hp:0002090x!", 8)):
        with pytest.raises(QueryError, match="not in the vocabulary of these notes; `notesieve vocabulary") as caught:
            index.search(query)
        assert caught.value.position == position
    with pytest.raises(QueryError, match="is mesh:D003920 meant"):
        index.count("code:mesh:d003920")
    with pytest.raises(QueryError, match="not in the vocabulary"):
        index.save_query("none", "code:mesh:D99")
    assert index.count("code:MESH:D003920").notes
    # Of codes of another vocabulary nothing is known here.
    (tmp_path / "codes.csv").write_text("code,term\na:1,fen ague\n", encoding="utf-8")
    built = ns.vocabularies.build(tmp_path / "codes.nsv", delimited=tmp_path / "codes.csv", base=None, variants=False)
    other = ns.Scrubber(vocabulary=built.vocabulary)
    with ns.Index.create(tmp_path / "other", other, given_pseudonyms=True) as made:
        assert made.count("code:a:1").notes == 0
    assert ns.Index.open(tmp_path / "other").count("code:mesh:D99").notes == 0


def test_a_name_with_several_meanings_lists_them(world: World) -> None:
    with pytest.raises(AmbiguousNameError) as caught:
        world.index.count("code:cold")
    assert ("mesh:D003080", "Cold Temperature") in caught.value.candidates
    assert "code:mesh:D003080 Cold Temperature" in str(caught.value)
    with pytest.raises(QueryError, match="not in the vocabulary"):
        world.index.count("code:qwrtz")


def test_spans_of_accents_and_invisible_characters(world: World) -> None:
    from notesieve.index.matching import IndexedNote

    note = IndexedNote("Me\u0301nie\u0300re\u2019s di\u00adsease", [], None, None)
    assert [
        note.text[s:e] for s, e in highlighted_spans(parse("meniere disease", lambda *_: ()), note, lambda _: [])
    ] == [
        "Me\u0301nie\u0300re",
        "di\u00adsease",
    ]
    assert world.index.count("fe\u0301ver") == world.index.count("fever")


def test_errors_survive_a_pickle(world: World) -> None:
    import pickle

    for query in ("code:cold", "(fever"):
        with pytest.raises(NotesieveError) as caught:
            world.index.parse(query)
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
