"""How queries are read: the parser, its errors, and the words that texts and queries are cut into."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notesieve._core import index_words
from notesieve.errors import QueryError
from notesieve.index.language import parse
from notesieve.index.query import And, Code, Near, Not, Or, Phrase, Range, Word
from notesieve.index.words import words


def parse_query(text: str) -> Any:
    return parse(text, lambda name, *_: (f"x:{name}",))


def test_what_it_reads() -> None:
    assert parse_query("Fever cough") == And((Word("fever"), Word("cough")))
    assert parse_query("a AND b OR NOT c d") == Or((And((Word("a"), Word("b"))), And((Not(Word("c")), Word("d")))))
    assert parse_query("x-ray") == Phrase(("x", "ray"))
    assert parse_query('"heart attack" near') == And((Phrase(("heart", "attack")), Word("near")))
    assert parse_query('"and" "or" "not"') == And((Word("and"), Word("or"), Word("not")))
    assert parse_query("pain NEAR chest") == Near(Word("pain"), Word("chest"), 10)
    assert parse_query("code:MESH:D003920!") == Code(("mesh:D003920",), exact=True)
    assert parse_query('code:"heart attack"!') == Code(("x:heart attack",), exact=True)
    assert parse_query("code:gout") == Code(("x:gout",))
    assert parse_query("family:gout") == Code(("x:gout",), asked="family")
    assert parse_query("any:MESH:D003920!") == Code(("mesh:D003920",), exact=True, asked="any")
    assert parse_query("year:>2004") == Range("year", 2005, None)
    assert parse_query("year:..2004") == Range("year", None, 2004)
    assert parse_query("-5 t-cell without") == And((Word("5"), Phrase(("t", "cell")), Word("without")))
    assert parse_query("a\nAND\tb") == And((Word("a"), Word("b")))


@pytest.mark.parametrize(
    ("query", "position", "message"),
    [
        ("", 0, "is empty"),
        ("  ", 0, "is empty"),
        ("(fever", 0, "never closed"),
        ("fever)", 5, "without an opening"),
        ("fever AND", 9, "ends where"),
        ("fever OR OR cough", 9, "has OR where"),
        ("()", 1, "closing parenthesis where"),
        ('fever "chest', 6, "quotation mark"),
        ("a NEAR b NEAR c", 9, "NEAR after a NEAR"),
        ("a NEAR/0 b", 2, "number from 1 to 1000"),
        ("a NEAR (b AND c)", 7, "NEAR with something"),
        ("ATLEAST fever", 0, "number from 1 to 1000"),
        ("ATLEAST/2 year:2004", 10, "ATLEAST with something"),
        ("***", 0, "without letters or digits"),
        ("fever ---", 6, "without letters or digits"),
        ("x-r*", 0, "after several words"),
        ("cough -fever", 6, "NOT word finds the notes without it"),
        ("!fever", 0, "NOT word finds the notes without it"),
        ("+fever cough", 0, "joined by AND"),
        ("*ead", 0, "not at the end of a word"),
        ("cough fe*er", 6, "not at the end of a word"),
        ("fe?er", 0, "no sign stands for one letter"),
        ("fever~1", 0, "mean nothing here"),
        ("WITHOUT fever", 0, "step of an attrition"),
        ("colour:red", 0, "is none of"),
        ("fever Patient_id:3", 6, "the field Patient_id:, which is none of"),
        ("CODE:fever", 0, "is none of code:"),
        ("fever and cough", 6, "write AND, OR, NOT; the word itself is quoted"),
        ("Or fever", 0, "write AND, OR, NOT"),
        ("fever near/3 cough", 6, "write NEAR/5"),
        ("cough /fev.*/", 6, "regular expression"),
        ("/fev(er)?/", 0, "regular expression"),
        ("[Ff]ever", 0, "regular expression"),
        ("fever|cough", 0, "regular expression"),
        ("code:", 5, "nothing after code:"),
        ("negated:", 8, "nothing after negated:"),
        ("year:04", 5, "no year after"),
        ("year:2008..2004", 5, "ends before it begins"),
        ("saved:nothing", 6, "saved are: none yet"),
        ("(" * 41 + "a", 40, "nested"),
        ("NOT " * 50 + "a", 160, "nested"),
        ("a" * 10_001, 10_000, "longer than"),
    ],
)
def test_errors_say_where_and_what(query: str, position: int, message: str) -> None:
    with pytest.raises(QueryError, match=message) as caught:
        parse_query(query)
    assert caught.value.position == position
    assert caught.value.query == query


def test_errors_point_at_the_place() -> None:
    with pytest.raises(QueryError) as caught:
        parse_query("fever AND (cough")
    assert str(caught.value).splitlines()[1:] == ["    fever AND (cough", "              ^"]


def test_saved_queries_cannot_ask_for_themselves() -> None:
    saved = {"a": "saved:b fever", "b": "cough OR saved:a"}
    with pytest.raises(QueryError, match="asks for itself"):
        parse("saved:a", lambda *_: (), saved)


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=40) | st.text(alphabet='ab*"()! :/5ANDORTENcode', max_size=40))
def test_any_text_is_a_query_or_a_query_error(text: str) -> None:
    try:
        node = parse_query(text)
    except QueryError as problem:
        assert 0 <= problem.position <= len(text)
        return
    assert str(parse_query(str(node))) == str(node)


@settings(max_examples=300)
@given(st.text())
def test_words_have_the_offsets_of_what_they_are_made_of(text: str) -> None:
    found = index_words(text)
    assert [word for word, _, _ in found] == words(text)
    for word, start, end in found:
        assert word in "".join(words(text[start:end]))
    assert all(first[2] <= second[1] + 1 for first, second in pairwise(found))
