"""A number of an output with what stands around it, and whether something clinical does."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from notesieve.verification.output_tokens import OutputToken

__all__ = ["NumberContext", "Surroundings"]

_Answer = TypeVar("_Answer")

#: Lists whose words say that a number near them is clinical.
WITNESS_LISTS = frozenset(
    "unit duration dose counted sized score age-cue measurement level marker code-system number-word brand".split()
)

#: Words that say so and stand on no such list.
WITNESSES = frozenset(
    "x times every q approximately approx nearly almost roughly another additional only least maximum minimum than "
    "about between per normal nl reference range ref limit limits target goal total out average series age aged ages "
    "at by until till around time turned gravida para grav gravidity parity abortus g p gr ab sab tab lc f m male "
    "female wm wf bm bf w inch strength of o'clock am pm hours hour hrs hr xs onset quit stopped began "
    "sln slns slnb snb lei mf monofil monofilament ceph cephalic allred "
    "vision snellen unaided pinhole bcva ucva dva "
    "up down high low elevated dropped fell rose risen fallen increased decreased improved stable then".split()
)

#: How many words may stand between a number and what says that it is clinical.
WORDS_BEFORE = 24
WORDS_AFTER = 6


class Surroundings:
    """What is computed once for all numbers of an output, so that time grows in proportion to its length.

    Parameters
    ----------
    tokens : sequence of OutputToken
        All tokens of the output.
    lists : callable
        Names the lists of a folded word.
    coded : bool
        Whether codes stand for terms, so that a code may stand for the word that said that the number is clinical.
    years : bool
        Whether years that stand alone stay.
    """

    def __init__(
        self, tokens: Sequence[OutputToken], lists: Callable[[str], frozenset[str]], *, coded: bool, years: bool
    ) -> None:
        self.tokens, self.lists, self.coded, self.years = tokens, lists, coded, years
        self._answers: dict[Hashable, object] = {}

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """The first token, and one past the last, of the run without a blank in which each token stands."""
        found: list[tuple[int, int]] = []
        first = 0
        for at, token in enumerate(self.tokens):
            following = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
            if following is None or following.gap or token.text in _ENDS or following.text in _ENDS:
                found += [(first, at + 1)] * (at + 1 - first)
                first = at + 1
        return found

    def of_run(self, at: int, name: str, compute: Callable[[Sequence[OutputToken]], _Answer]) -> _Answer:
        """Compute something of the run around a token, once for all of its numbers."""
        first, last = self.runs[at]
        if (name, first) not in self._answers:
            self._answers[name, first] = compute(self.tokens[first:last])
        return self._answers[name, first]  # type: ignore[return-value]

    def is_witnessed(self, at: int) -> bool:
        """Whether something clinical stands near a token."""
        return self._is_witnessed_after(at) or self._is_witnessed_before(at)

    def _is_witnessed_after(self, at: int) -> bool:
        # Preferred names of terms are longer than what notes write.
        words = WORDS_AFTER * (3 if self.coded else 1)
        border = self._next_paragraph[min(at + 3, len(self.tokens))]
        near = self._next_witness[at + 1]
        return (near < border and self._words[near] - self._words[at + 1] < words) or any(
            self.tokens[other].folded in _WITNESS_MARKS
            for other in range(at + 1, min(at + _MARKS_WITHIN + 1, border, len(self.tokens)))
        )

    def _is_witnessed_before(self, at: int) -> bool:
        border = self._last_paragraph[max(at - 1, 0)]
        near = self._last_witness[at]
        return (0 <= near >= border and self._words[at] - self._words[near + 1] < WORDS_BEFORE) or any(
            self.tokens[other].folded in _WITNESS_MARKS for other in range(max(at - _MARKS_WITHIN, border, 0), at)
        )

    def _is_witness(self, token: OutputToken) -> bool:
        if token.kind != "word":
            return self.coded and token.kind == "code"
        lists = self.lists(token.folded)
        # Something counted: 3 different probes.
        plural = len(token.folded) >= 5 and token.folded.endswith("s") and bool(lists)
        return token.folded in WITNESSES or bool(lists & WITNESS_LISTS) or plural

    @cached_property
    def _words(self) -> list[int]:
        """How many words stand before each token."""
        return list(accumulate((token.kind == "word" for token in self.tokens), initial=0))

    @cached_property
    def _witnesses(self) -> list[bool]:
        return [self._is_witness(token) for token in self.tokens]

    @cached_property
    def _next_witness(self) -> list[int]:
        """The first witness from each token on; the number of tokens if there is none."""
        return _next(self._witnesses)

    @cached_property
    def _last_witness(self) -> list[int]:
        """The last witness before each token; -1 if there is none."""
        return _last(self._witnesses)

    @cached_property
    def _paragraphs(self) -> list[bool]:
        return [_is_paragraph(token.gap) for token in self.tokens]

    @cached_property
    def _next_paragraph(self) -> list[int]:
        return _next(self._paragraphs)

    @cached_property
    def _last_paragraph(self) -> list[int]:
        return _last(self._paragraphs)


def _next(flags: Sequence[bool]) -> list[int]:
    found = [len(flags)]
    for at in range(len(flags) - 1, -1, -1):
        found.append(at if flags[at] else found[-1])
    return found[::-1]


def _last(flags: Sequence[bool]) -> list[int]:
    return list(accumulate(enumerate(flags), lambda last, item: item[0] if item[1] else last, initial=-1))


@dataclass(frozen=True, slots=True)
class NumberContext:
    """A number of an output with what stands around it."""

    surroundings: Surroundings
    """The output."""
    at: int
    """The number."""

    @property
    def tokens(self) -> Sequence[OutputToken]:
        """All tokens of the output."""
        return self.surroundings.tokens

    @property
    def coded(self) -> bool:
        """Whether codes stand for terms."""
        return self.surroundings.coded

    def lists(self, word: str) -> frozenset[str]:
        """Name the lists of a folded word."""
        return self.surroundings.lists(word)

    def neighbour(self, offset: int) -> OutputToken | None:
        """Give a token beside the number, or None outside the output."""
        at = self.at + offset
        return self.tokens[at] if 0 <= at < len(self.tokens) else None

    def run_text(self, strip: str = "") -> str:
        """Give the text of the run without a blank in which the number stands."""

        def text(run: Sequence[OutputToken]) -> str:
            return "".join(token.folded for token in run).strip(strip)

        return self.surroundings.of_run(self.at, f"text {strip}", text)

    def is_witnessed(self) -> bool:
        """Whether something clinical stands near the number."""
        return self.surroundings.is_witnessed(self.at)


_ENDS = frozenset(",;()[]{}\"'“”?!|")
_WITNESS_MARKS = frozenset("% ° < > = ≤ ≥ ± ≈ + # @ x ' \"".split())
#: How many tokens lie between a number and such a mark at most: 5'10", 3 and 4%.
_MARKS_WITHIN = 4


def _is_paragraph(gap: str) -> bool:
    return gap.replace("\r\n", "\n").count("\n") > 1
