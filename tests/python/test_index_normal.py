"""The normal form of queries: the same for all that ask for the same notes, and another for all that do not."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from notesieve.index.language import parse
from notesieve.index.normal_form import normal_form
from notesieve.index.query import All, And, Code, Node, Not, Or, Word

NAMES = ["cough", "fever", "gout", "pain"]

leaf = st.sampled_from([*map(Word, NAMES), All()])
trees = st.recursive(
    leaf,
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=2, max_size=3).map(lambda found: And(tuple(found))),
        st.lists(inner, min_size=2, max_size=3).map(lambda found: Or(tuple(found))),
    ),
    max_leaves=10,
)


def parse_query(query: str) -> Node:
    return parse(query, lambda name, *_: (f"x:{name}", f"y:{name}"))


def is_satisfied(node: Node, having: tuple[bool, ...]) -> bool:
    match node:
        case All():
            return True
        case Word(word):
            return having[NAMES.index(word)]
        case Not(operand):
            return not is_satisfied(operand, having)
        case And(operands):
            return all(is_satisfied(operand, having) for operand in operands)
        case Or(operands):
            return any(is_satisfied(operand, having) for operand in operands)
    raise AssertionError


def truth_values(node: Node) -> list[bool]:
    return [is_satisfied(node, having) for having in itertools.product((False, True), repeat=len(NAMES))]


@settings(max_examples=400, deadline=None)
@given(trees, trees)
def test_same_meaning_same_form(one: Node, other: Node) -> None:
    assert truth_values(normal_form(one)) == truth_values(one)
    assert (str(normal_form(one)) == str(normal_form(other))) == (truth_values(one) == truth_values(other))
    assert str(normal_form(parse_query(str(normal_form(one))))) == str(normal_form(one))


def test_what_is_written_in_other_words() -> None:
    for words in (
        ("code:gout", "code:y:gout OR code:x:gout", "NOT (NOT code:x:gout AND NOT code:y:gout)"),
        ("fever", "ATLEAST/1 fever", "fever AND (fever OR cough)", "fever fever"),
        ("fever NEAR/5 cough", "cough NEAR/5 fever", "fever NEAR/5 (cough OR cough)"),
        ("type:Letter AND year:2004", 'year:2004..2004 type:"letter"'),
        ("fever OR NOT fever", "*"),
    ):
        assert len({str(normal_form(parse_query(query))) for query in words}) == 1, words


def test_long_queries_are_read_in_time() -> None:
    many = " OR ".join(f"word{at}" for at in range(200))
    assert str(normal_form(parse_query(f"NOT NOT ({many}) AND *"))) == str(normal_form(parse_query(many)))
    # Parity has the longest form of all.
    parity = "a"
    for name in "bcdefghijklmn":
        parity = f"(({parity}) AND NOT {name}) OR (NOT ({parity}) AND {name})"
        if len(parity) > 4000:
            break
        assert normal_form(parse_query(parity))
    assert isinstance(normal_form(Code(("x:a",))), Code)
