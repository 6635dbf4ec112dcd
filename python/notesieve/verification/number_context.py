"""A number of an output with what stands around it, and whether something clinical does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from notesieve.verification.output_tokens import OutputToken

__all__ = ["NumberContext"]

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


@dataclass(frozen=True, slots=True)
class NumberContext:
    """A number of an output with what stands around it."""

    tokens: Sequence[OutputToken]
    """All tokens of the output."""
    lists: Callable[[str], frozenset[str]]
    """The lists of a folded word."""
    at: int
    """The number."""
    coded: bool = False
    """Whether codes stand for terms, so that a code may stand for the word that said that the number is clinical."""
    years: bool = False
    """Whether years that stand alone stay."""

    def neighbour(self, offset: int) -> OutputToken | None:
        """Give a token beside the number, or None outside the output."""
        at = self.at + offset
        return self.tokens[at] if 0 <= at < len(self.tokens) else None

    def run(self) -> tuple[int, int]:
        """Give the first token and one past the last that stand with the number in one run without a blank."""
        first = self.at
        while first > 0 and not self.tokens[first].gap and self.tokens[first - 1].text not in _ENDS:
            first -= 1
        last = self.at + 1
        while last < len(self.tokens) and not self.tokens[last].gap and self.tokens[last].text not in _ENDS:
            last += 1
        return first, last

    def is_witnessed(self) -> bool:
        """Whether something clinical stands near the number."""
        # Preferred names of terms are longer than what notes write.
        after = WORDS_AFTER * (3 if self.coded else 1)
        return any(self._looks(step, words) for step, words in ((1, after), (-1, WORDS_BEFORE)))

    def _looks(self, step: int, words: int) -> bool:
        at = self.at
        while words > 0:
            # Going forward, the gap that counts stands before the next token; going back, before this one.
            at += step
            if not 0 <= at < len(self.tokens):
                return False
            token = self.tokens[at]
            if abs(at - self.at) > 2 and _is_paragraph(token.gap if step > 0 else self.tokens[at + 1].gap):
                return False
            if token.kind == "word":
                if self._is_witness(token.folded):
                    return True
                words -= 1
            elif self._is_mark_of_one(token, abs(at - self.at)):
                return True
        return False

    def _is_mark_of_one(self, token: OutputToken, distance: int) -> bool:
        return (token.folded in _WITNESS_MARKS and distance <= _MARKS_WITHIN) or (self.coded and token.kind == "code")

    def _is_witness(self, word: str) -> bool:
        lists = self.lists(word)
        # Something counted: 3 different probes.
        plural = len(word) >= 5 and word.endswith("s") and bool(lists)
        return word in WITNESSES or bool(lists & WITNESS_LISTS) or plural


_ENDS = frozenset(",;()[]{}\"'“”?!|")
_WITNESS_MARKS = frozenset("% ° < > = ≤ ≥ ± ≈ + # @ x ' \"".split())
#: How many tokens lie between a number and such a mark at most: 5'10", 3 and 4%.
_MARKS_WITHIN = 4


def _is_paragraph(gap: str) -> bool:
    return gap.replace("\r\n", "\n").count("\n") > 1
