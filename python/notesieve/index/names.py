"""Lookup of codes by the name of a concept: a single meaning is used, several raise an error that lists them."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

from notesieve._core import Vocabulary, short_form
from notesieve.errors import AmbiguousNameError, CodeError, QueryError
from notesieve.index.words import words

if TYPE_CHECKING:
    from notesieve._core import Concept

# "Chronic kidney disease (CKD)"
_BRACKET = re.compile(r" \([A-Z]+\)$")


def meanings_of_name(vocabulary: Vocabulary, name: str) -> list[list[Concept]]:
    """Return the concepts that a name can stand for, grouped by meaning.

    Sources often have separate concepts for the same thing. Two concepts are one meaning if they have the same name, or
    if one declares equivalence to the other, or both to a third.

    Parameters
    ----------
    vocabulary : Vocabulary
        The vocabulary to search.
    name : str
        A term, or an abbreviation that notes use for one.

    Returns
    -------
    list of list of Concept
        The meanings, best source first, each with its concepts.

    Examples
    --------
    >>> import notesieve as ns
    >>> [group[0].code for group in meanings_of_name(ns.Vocabulary.default(), "heart attack")]
    ['mesh:D009203']
    >>> [group[0].name for group in meanings_of_name(ns.Vocabulary.default(), "CABG")]
    ['Coronary Artery Bypass']
    """
    groups: list[tuple[list[Concept], set[object]]] = []
    concepts = vocabulary.lookup(name) or vocabulary.lookup(short_form(name) or name)
    for concept in concepts:
        keys: set[object] = {concept.code, *concept.same_as, tuple(words(concept.name))}
        members = [concept]
        apart = []
        for group, known in groups:
            if known & keys:
                members = group + members
                keys |= known
            else:
                apart.append((group, known))
        groups = [*apart, (members, keys)]
    order = {concept.code: at for at, concept in enumerate(concepts)}
    found = [sorted(group, key=lambda concept: order[concept.code]) for group, _ in groups]
    return sorted(found, key=lambda group: order[group[0].code])


def resolve_name(vocabulary: Vocabulary, name: str, query: str, at: int) -> tuple[str, ...]:
    """Return the codes of the one meaning of a name.

    Raises
    ------
    QueryError
        If no term has that name.
    AmbiguousNameError
        If it has several meanings.
    """
    groups = meanings_of_name(vocabulary, name)
    if not groups:
        raise QueryError(
            "names a concept that is not in the vocabulary; `notesieve vocabulary lookup` helps", query, at
        )
    # A preferred name has priority over synonyms: *asthma* is first of all Asthma.
    named = [group for group in groups if any(words(concept.name) == words(name) for concept in group)]
    groups = named if len(named) == 1 else groups
    if len(groups) > 1:
        candidates = [(group[0].code, group[0].name) for group in groups]
        raise AmbiguousNameError(candidates, query, at)
    return tuple(concept.code for concept in groups[0])


def check_code(vocabulary: Vocabulary, code: str, query: str, at: int) -> None:
    """Raise for a code that the vocabulary does not have: it would silently find nothing.

    Raises
    ------
    QueryError
        If it is neither a code of the vocabulary nor equivalent to one of its codes.
    """
    if _has_code(vocabulary, code):
        _warn_of_missing_links(vocabulary, code)
        return
    system, _, local = code.partition(":")
    other = f"{system}:{local.upper()}"
    hint = (
        f"is {other} meant?" if _has_code(vocabulary, other) else "`notesieve vocabulary lookup NAME` gives the codes"
    )
    reason = f"has a code that is not in the vocabulary of these notes; {hint}"
    raise QueryError(reason, query, at)


def _warn_of_missing_links(vocabulary: Vocabulary, code: str) -> None:
    """Warn of an ICD code to which no other vocabulary links: it finds only its own names."""
    concept = vocabulary.concept(code)
    if concept is None or not code.startswith("icd") or vocabulary.cross_references(code):
        return
    if any(vocabulary.cross_references(below.code) for below in vocabulary.descendants(code)):
        return
    named = vocabulary.lookup(_BRACKET.sub("", concept.name).removeprefix("Other ").removesuffix(", unspecified"))
    others = [other.code for other in named if other.code.partition(":")[0] != code.partition(":")[0]]
    hint = f"ask for {others[0]} as well" if others else "ask for a name as well"
    message = f"no vocabulary links {code} ({concept.name}) to another code: it finds only its own terms; {hint}"
    warnings.warn(message, stacklevel=2)


def _has_code(vocabulary: Vocabulary, code: str) -> bool:
    try:
        return vocabulary.concept(code) is not None or bool(vocabulary.cross_references(code))
    except CodeError:
        return False


def digest_without_site_lists(vocabulary: Vocabulary) -> str:
    """Return the digest of a vocabulary without its site lists.

    Examples
    --------
    >>> import notesieve as ns
    >>> vocabulary = ns.Vocabulary.default()
    >>> digest_without_site_lists(vocabulary.with_lists(staff=["Zorvex"])) == vocabulary.digest
    True
    """
    if not any(vocabulary.site_lists.values()):
        return vocabulary.digest
    bare = Vocabulary.default() if vocabulary.file == "<embedded>" else Vocabulary.open(vocabulary.file)
    return bare.digest
