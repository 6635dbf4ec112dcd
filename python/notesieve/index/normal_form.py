"""Normal form of queries: the same for equivalent ones such as `NOT NOT a`, `a AND *` and `a OR (a AND b)`.

The parts of a query other than AND, OR and NOT (words, phrases, codes ...) are the variables of a Boolean function, and
the normal form is the irredundant sum of products of that function, with the variables sorted by their text: S. Minato
(1992), *Fast generation of irredundant sum-of-products forms from binary decision diagrams*. It depends on the function
alone. Truth tables are integers with one bit per row.
"""

from __future__ import annotations

from dataclasses import replace

from notesieve.index.query import All, And, AtLeast, Code, Near, Node, Not, Or, Value, join_operands

# The most variables of a query, and the most recursive steps: far more than people need.
_MAX_VARIABLES = 14
_MAX_STEPS = 20_000


class _TooLarge(Exception):
    """Raised for a function whose sum of products would be too long."""


def normal_form(node: Node) -> Node:
    """Return the normal form of a query.

    A query with very many parts, or one whose normal form would be very long, only loses repetitions and double
    negations. Two such queries may be equivalent and still have different forms.

    Parameters
    ----------
    node : Node
        The parsed query.

    Examples
    --------
    >>> from notesieve.index.language import parse
    >>> def written(query):
    ...     return str(normal_form(parse(query, lambda name, query, at: ())))
    >>> written("NOT NOT fever AND *"), written("(fever AND cough) OR (fever AND NOT cough)")
    ('fever', 'fever')
    >>> written("NOT (fever OR cough)"), written("fever AND NOT fever")
    ('(NOT cough) AND (NOT fever)', 'NOT *')
    """
    node = _push_negations(node, negated=False)
    variables = {str(leaf): leaf for leaf in _atomic_parts(node)}
    if len(variables) > _MAX_VARIABLES:
        return node
    names = sorted(variables)
    rows = 1 << len(names)
    tables = {name: _variable_column(at, rows) for at, name in enumerate(names)}
    function = _truth_table(node, tables, (1 << rows) - 1)
    try:
        cubes = _Products().sum_of_products(function, function, len(names))[0]
    except _TooLarge:
        return node
    if not cubes:
        return Not(All())
    products = [_conjunction([(variables[names[at]], positive) for at, positive in cube]) for cube in cubes]
    return join_operands(Or, sorted(products, key=str))


def _push_negations(node: Node, *, negated: bool) -> Node:
    """Push NOT down to the parts other than AND and OR, and normalise those parts."""
    match node:
        case Not(operand):
            return _push_negations(operand, negated=not negated)
        case And(operands) | Or(operands):
            kind = And if isinstance(node, And) != negated else Or
            return _join_operands(kind, [_push_negations(operand, negated=negated) for operand in operands])
        case Code(codes) if len(set(codes)) > 1:
            return _push_negations(Or(tuple(replace(node, codes=(code,)) for code in codes)), negated=negated)
        case Value(concept) if len(set(concept.codes)) > 1:
            single = [replace(node, concept=replace(concept, codes=(code,))) for code in concept.codes]
            return _push_negations(Or(tuple(single)), negated=negated)
        case AtLeast(1, operand):
            return _push_negations(operand, negated=negated)
        case AtLeast(times, operand):
            node = AtLeast(times, normal_form(operand))
        case Near(left, right, distance):
            node = Near(normal_form(left), normal_form(right), distance)
    return Not(node) if negated else node


def _join_operands(kind: type[And | Or], operands: list[Node]) -> Node:
    """Join operands without neutral ones: all notes in an AND, no notes in an OR."""
    neutral, whole = (All(), Not(All())) if kind is And else (Not(All()), All())
    left = [operand for operand in operands if operand != neutral]
    return whole if whole in left else join_operands(kind, left) if left else neutral


def _atomic_parts(node: Node) -> list[Node]:
    """Return the parts of a query other than AND, OR and NOT."""
    match node:
        case And(operands) | Or(operands):
            return [leaf for operand in operands for leaf in _atomic_parts(operand)]
        case Not(operand):
            return _atomic_parts(operand)
        case All():
            return []
        case _:
            return [node]


def _variable_column(at: int, rows: int) -> int:
    """Return the truth table of a variable: runs of 2 ** `at` zeros and ones in turn."""
    column, width = ((1 << (1 << at)) - 1) << (1 << at), 2 << at
    while width < rows:
        column |= column << width
        width *= 2
    return column


def _truth_table(node: Node, tables: dict[str, int], full: int) -> int:
    """Return the truth table of a query, as the bits of an integer."""
    match node:
        case And(operands):
            table = full
            for operand in operands:
                table &= _truth_table(operand, tables, full)
            return table
        case Or(operands):
            table = 0
            for operand in operands:
                table |= _truth_table(operand, tables, full)
            return table
        case Not(operand):
            return full & ~_truth_table(operand, tables, full)
        case All():
            return full
        case _:
            return tables[str(node)]


def _conjunction(literals: list[tuple[Node, bool]]) -> Node:
    """Join literals by AND."""
    return join_operands(And, [leaf if positive else Not(leaf) for leaf, positive in literals]) if literals else All()


class _Products:
    """Minato's algorithm from a function to products: each is a tuple of variables with their signs."""

    def __init__(self) -> None:
        self.steps = 0

    def sum_of_products(self, lower: int, upper: int, variables: int) -> tuple[list[tuple[tuple[int, bool], ...]], int]:
        """Return products whose sum lies between two functions, and that sum."""
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise _TooLarge
        full = (1 << (1 << variables)) - 1
        if not lower:
            return [], 0
        if upper == full:
            return [()], full
        at = variables - 1
        half = 1 << at
        low = (1 << half) - 1
        lower_0, lower_1, upper_0, upper_1 = lower & low, lower >> half, upper & low, upper >> half
        without, sum_0 = self.sum_of_products(lower_0 & ~upper_1, upper_0, at)
        having, sum_1 = self.sum_of_products(lower_1 & ~upper_0, upper_1, at)
        either, both = self.sum_of_products((lower_0 & ~sum_0) | (lower_1 & ~sum_1), upper_0 & upper_1, at)
        cubes = [((at, False), *cube) for cube in without] + [((at, True), *cube) for cube in having] + either
        return cubes, (sum_0 | both) | ((sum_1 | both) << half)
