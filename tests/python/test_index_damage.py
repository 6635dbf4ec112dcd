"""One flipped bit in any file of an index: an error that says so, or the right answer, and never a wrong count."""

import random
from pathlib import Path
from typing import Any

import pytest

import notesieve as ns
from notesieve.cli import main

TERMS = ["asthma", "pneumonia", "diabetes mellitus", "chest pain", "fever", "cough", "gout"]
QUERIES = ["*", "fever", "code:mesh:D001249", '"chest pain"', "fever AND NOT cough", "year:2004", "type:letter", "co*"]


def build_random_index(path: Path, scrubber: ns.Scrubber) -> None:
    chance = random.Random(5)
    for part in range(2):
        with (
            ns.Index.open(path, scrubber=scrubber)
            if part
            else ns.Index.create(path, scrubber, given_pseudonyms=True, years=True)
        ) as index:
            texts = [f"Known {chance.choice(TERMS)} and {chance.choice(TERMS)}." for _ in range(60)]
            index.add(
                scrubber.scrub_many(texts),
                note_id=[f"n{(60 - 8 * part) * part + at}" for at in range(60)],  # some of the second replace others
                patient_id=[f"p{at % 23}" for at in range(60)],
                note_type=[chance.choice(["letter", "nursing"]) for _ in range(60)],
                year=[chance.randint(2003, 2005) for _ in range(60)],
            )


def answers_to_queries(path: Path) -> list[Any]:
    index = ns.Index.open(path)
    texts = sorted((hit.note, hit.text, hit.note_type, hit.year) for hit in index.search("*", limit=0).all())
    return [[index.count(query) for query in QUERIES], index.facets("*", "type"), index.facets("*", "concept"), texts]


@pytest.fixture
def index(tmp_path: Path, scrubber: ns.Scrubber) -> Path:
    build_random_index(tmp_path / "index", scrubber)
    return tmp_path / "index"


def test_a_flipped_bit_gives_no_wrong_answer(
    index: Path, scrubber: ns.Scrubber, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = answers_to_queries(index)
    files = [file for file in sorted(index.rglob("*")) if file.is_file() and not file.name.endswith(".lock")]
    assert ns.Index.open(index).verify() == len(files)
    assert main(["index", "verify", str(index)]) == 0
    assert "files are what was written" in capsys.readouterr().out
    chance = random.Random(7)
    assert {"store", "idx", "pos", "term", "fast", "fieldnorm", "del", "json", "jsonl"} <= {
        file.name.rsplit(".", 1)[-1] for file in files
    }
    refused = 0
    for file in files:
        whole = file.read_bytes()
        for place in chance.sample(range(len(whole)), min(len(whole), 25)):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << chance.randrange(8)
            file.write_bytes(damaged)
            try:
                assert answers_to_queries(index) == expected, (file.name, place)
            except ns.SearchIndexError as problem:
                refused += 1
                assert "damaged" in str(problem) or "format" in str(problem) or "ends too early" in str(problem)
            ours = file.suffix in (".json", ".jsonl")
            footer = 0 if ours else int.from_bytes(whole[-8:-4], "little") + 8
            if place < len(whole) - footer:
                with pytest.raises(ns.SearchIndexError, match=r"damaged|of format|ends too early"):
                    ns.Index.open(index).verify()
            if not ours and place < len(whole) - footer:
                with pytest.raises(ns.SearchIndexError, match="damaged"):
                    ns.Index.open(index, scrubber=scrubber)
        file.write_bytes(whole)
    assert refused > 20 * 10
    assert answers_to_queries(index) == expected


def test_verify_names_what_is_damaged(index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for store in index.rglob("*.store"):
        content = bytearray(store.read_bytes())
        content[10] ^= 1
        store.write_bytes(content)
    assert main(["index", "verify", str(index)]) == 2
    assert f"segments/{store.name}" in capsys.readouterr().err
    assert ns.Index.open(index).count("*").notes == len(ns.Index.open(index)), "counts do not read texts"
    with pytest.raises(ns.SearchIndexError, match="is damaged"):
        ns.Index.open(index).search("*")
    store.unlink()
    with pytest.raises(ns.SearchIndexError):
        ns.Index.open(index).verify()
