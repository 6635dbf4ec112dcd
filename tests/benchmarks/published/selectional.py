"""Selectional restrictions for names (Taira 2002): the verbs and semantic classes that take persons, from marked notes.

A candidate is a word in a run of capitalised words of a line. It fills slots of the words around the run: the verb of
which it may be the subject or object, the adjacent words, and their semantic classes. A maximum entropy model weighs
how well a person fills these slots. Names only; the candidate and its run count by their lists, never as words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from sklearn.feature_extraction import FeatureHasher
from sklearn.linear_model import LogisticRegression

from published.notes import Note
from published.reading import Reading, kinds_of, labels_of, lists_of, read_note
from published.systems import Spans

_TITLES = frozenset("dr mr mrs ms miss prof doctor professor sister brother father nurse".split())
_COMMON = frozenset(("english", "stop", "clinical", "term", "literature"))
_REACH = 5


def _capitalised(word: str) -> bool:
    return word[0].isupper() and word.lower() not in _TITLES


def capitalised_candidates(note: Note, reading: Reading) -> Iterator[tuple[int, int, int]]:
    """Yield each capitalised word with the start and the end (exclusive) of its run, in tokens."""
    run: list[int] = []
    for at, word in enumerate([*reading.words, "."]):
        inside = _capitalised(word)
        broken = at and inside and "\n" in note.text[reading.spans[at - 1][1] : reading.spans[at][0]]
        if run and (not inside or broken):
            yield from ((one, run[0], run[-1] + 1) for one in run)
            run = []
        if inside:
            run.append(at)


def _semantic_classes(word: str) -> list[str]:
    """Return the semantic classes of a word: lists of people, places and medicine."""
    known = lists_of(word.lower())
    return [*kinds_of(word.lower()), *sorted(known & {"person-verb", "human-verb", "clinical", "term", "facility"})]


def _governing_verb(reading: Reading, places: Sequence[int]) -> str:
    for at in places:
        if reading.words[at] in ".;":
            break
        if reading.tags[at].startswith("VB"):
            return reading.lemmas[at]
    return ""


def slots_of_candidate(reading: Reading, own: int, first: int, after: int) -> list[str]:
    """Return the slots that a candidate fills, its own lists and those of its run."""
    count = len(reading.words)
    at = first - 1
    if at > 0 and reading.words[at] == ".":
        at -= 1
    before = reading.lemmas[at] if at >= 0 else "start"
    following = reading.lemmas[after] if after < count else "end"
    subject_of = _governing_verb(reading, range(after, min(after + _REACH, count)))
    object_of = _governing_verb(reading, range(first - 1, max(first - 1 - _REACH, -1), -1))
    found = [f"before={before}", f"after={following}", f"subject={subject_of}", f"object={object_of}"]
    found += [f"between={object_of} {before}", f"around={before} {following}", f"title={before in _TITLES}"]
    found += [f"class before={one}" for one in (_semantic_classes(before) if at >= 0 else [])]
    found += [f"class after={one}" for one in (_semantic_classes(following) if after < count else [])]
    word, known = reading.words[own], lists_of(reading.words[own].lower())
    found += [f"is={one}" for one in _semantic_classes(word)]
    found += [f"is common={not known.isdisjoint(_COMMON)}", f"is unknown={not known}", f"is capitals={word.isupper()}"]
    found.append(f"is tag={reading.tags[own]}")
    found += [
        f"place={own - first} of {after - first}",
        f"place={own - first} {before}",
        f"place={after - own} {following}",
    ]
    for sign, at in (("-", own - 1), ("+", own + 1)):
        if first <= at < after:
            found += [f"run{sign}{one}" for one in _semantic_classes(reading.words[at])]
            found.append(f"run{sign}common={not lists_of(reading.words[at].lower()).isdisjoint(_COMMON)}")
    return found


class Selectional:
    """The maximum entropy model of the actions of persons and on persons."""

    name: ClassVar[str] = "selectional restrictions (2002)"
    published: ClassVar[str] = "patient names P .992, R .939"
    reads: ClassVar[bool] = True

    def __init__(self) -> None:
        """Create the learner."""
        self._hasher = FeatureHasher(2**16, input_type="string", alternate_sign=False)
        self._learner = LogisticRegression(C=1.0, solver="liblinear", random_state=1)

    def fit(self, notes: Sequence[Note]) -> None:
        """Learn which slots persons fill."""
        rows, people = [], []
        for note in notes:
            reading = read_note(note)
            labels = labels_of(note, reading.spans)
            for own, first, after in capitalised_candidates(note, reading):
                if labels[own] is not None:
                    rows.append(slots_of_candidate(reading, own, first, after))
                    people.append(labels[own] == "NAME")
        self._learner.fit(self._hasher.transform(rows), people)

    def predict(self, notes: Sequence[Note]) -> list[Spans]:
        """Return the candidates that are more likely persons than not."""
        return [self._person_spans(note) for note in notes]

    def _person_spans(self, note: Note) -> Spans:
        reading = read_note(note)
        found = list(capitalised_candidates(note, reading))
        if not found:
            return []
        people = self._learner.predict(self._hasher.transform(slots_of_candidate(reading, *one) for one in found))
        return [reading.spans[own] for (own, _, _), one in zip(found, people, strict=True) if one]
