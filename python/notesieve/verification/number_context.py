"""A number of an output with its context, and whether the context is clinical."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from notesieve.verification.output_tokens import OutputToken

_Answer = TypeVar("_Answer")

#: Lists whose words suggest that a nearby number is clinical.
CLINICAL_LISTS = frozenset(
    "unit duration dose counted sized score age-cue measurement level marker code-system number-word brand".split()
)

#: Words that suggest the same and are on none of these lists.
CLINICAL_WORDS = frozenset(
    "x times every q approximately approx nearly almost roughly another additional only least maximum minimum than "
    "about between per normal nl reference range ref limit limits target goal total out average series age aged ages "
    "at by until till around time turned gravida para grav gravidity parity abortus g p gr ab sab tab lc f m male "
    "female wm wf bm bf w inch strength of o'clock am pm hours hour hrs hr xs onset quit stopped began "
    "sln slns slnb snb lei mf monofil monofilament ceph cephalic allred "
    "vision snellen unaided pinhole bcva ucva dva "
    "up down high low elevated dropped fell rose risen fallen increased decreased improved stable then".split()
)

#: The maximum number of words between a number and a clinical word, before and after the number.
WORDS_BEFORE = 24
WORDS_AFTER = 6


class OutputContext:
    """Context computed once for all numbers of an output, so that the time is linear in its length.

    Parameters
    ----------
    tokens : sequence of OutputToken
        All tokens of the output.
    lists : callable
        Returns the lists of a folded word.
    coded : bool
        Whether codes replace terms, so that a code may have replaced the word that marked the number as clinical.
    years : bool
        Whether years without a month and day are kept.
    """

    def __init__(
        self, tokens: Sequence[OutputToken], lists: Callable[[str], frozenset[str]], *, coded: bool, years: bool
    ) -> None:
        self.tokens, self.lists, self.coded, self.years = tokens, lists, coded, years
        self._answers: dict[Hashable, object] = {}

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """For each token, the start and the end (exclusive) of its run of tokens without white space."""
        found: list[tuple[int, int]] = []
        first = 0
        for at, token in enumerate(self.tokens):
            following = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
            if following is None or following.gap or token.text in _RUN_DELIMITERS or following.text in _RUN_DELIMITERS:
                found += [(first, at + 1)] * (at + 1 - first)
                first = at + 1
        return found

    def once_per_run(self, at: int, name: str, compute: Callable[[Sequence[OutputToken]], _Answer]) -> _Answer:
        """Compute a property of the run around a token, once for all numbers of that run."""
        first, last = self.runs[at]
        if (name, first) not in self._answers:
            self._answers[name, first] = compute(self.tokens[first:last])
        return self._answers[name, first]  # type: ignore[return-value]

    def has_clinical_context(self, at: int) -> bool:
        """Return whether the token has clinical context before or after it."""
        return self._has_clinical_context_after(at) or self._has_clinical_context_before(at)

    def _has_clinical_context_after(self, at: int) -> bool:
        """Return whether a clinical word, code or mark closely follows the token in its paragraph."""
        # Preferred names are longer than the terms that notes use.
        words = WORDS_AFTER * (3 if self.coded else 1)
        border = self._next_paragraph[min(at + 3, len(self.tokens))]
        near = self._next_clinical[at + 1]
        return (near < border and self._word_counts[near] - self._word_counts[at + 1] < words) or any(
            self.tokens[other].folded in _CLINICAL_MARKS
            for other in range(at + 1, min(at + _MAX_MARK_DISTANCE + 1, border, len(self.tokens)))
        )

    def _has_clinical_context_before(self, at: int) -> bool:
        """Return whether a clinical word, code or mark precedes the token in its paragraph, within `WORDS_BEFORE`."""
        border = self._last_paragraph[max(at - 1, 0)]
        near = self._last_clinical[at]
        return (0 <= near >= border and self._word_counts[at] - self._word_counts[near + 1] < WORDS_BEFORE) or any(
            self.tokens[other].folded in _CLINICAL_MARKS for other in range(max(at - _MAX_MARK_DISTANCE, border, 0), at)
        )

    def _is_clinical(self, token: OutputToken) -> bool:
        """Return whether a token suggests that a nearby number is clinical."""
        if token.kind != "word":
            return self.coded and token.kind == "code"
        lists = self.lists(token.folded)
        # A plural suggests a count: 3 different probes.
        plural = len(token.folded) >= 5 and token.folded.endswith("s") and bool(lists)
        return token.folded in CLINICAL_WORDS or bool(lists & CLINICAL_LISTS) or plural

    @cached_property
    def _word_counts(self) -> list[int]:
        """The number of words before each token."""
        return list(accumulate((token.kind == "word" for token in self.tokens), initial=0))

    @cached_property
    def _clinical_tokens(self) -> list[bool]:
        """Whether each token suggests that a nearby number is clinical."""
        return [self._is_clinical(token) for token in self.tokens]

    @cached_property
    def _next_clinical(self) -> list[int]:
        """For each token, the first clinical token at or after it; the number of tokens if there is none."""
        return _next_true(self._clinical_tokens)

    @cached_property
    def _last_clinical(self) -> list[int]:
        """For each token, the last clinical token before it; -1 if there is none."""
        return _last_true(self._clinical_tokens)

    @cached_property
    def _begins_paragraph(self) -> list[bool]:
        """Whether each token begins a paragraph."""
        return [_is_paragraph_break(token.gap) for token in self.tokens]

    @cached_property
    def _next_paragraph(self) -> list[int]:
        """For each token, the first token at or after it that begins a paragraph."""
        return _next_true(self._begins_paragraph)

    @cached_property
    def _last_paragraph(self) -> list[int]:
        """For each token, the last token before it that begins a paragraph."""
        return _last_true(self._begins_paragraph)


def _next_true(flags: Sequence[bool]) -> list[int]:
    """Return for each position the first true flag at or after it; the number of flags if there is none."""
    found = [len(flags)]
    for at in range(len(flags) - 1, -1, -1):
        found.append(at if flags[at] else found[-1])
    return found[::-1]


def _last_true(flags: Sequence[bool]) -> list[int]:
    """Return for each position the last true flag before it; -1 if there is none."""
    return list(accumulate(enumerate(flags), lambda last, item: item[0] if item[1] else last, initial=-1))


@dataclass(frozen=True, slots=True)
class NumberContext:
    """A number of an output with its context."""

    output_context: OutputContext
    """The context of all numbers of the output."""
    at: int
    """The index of the number's token."""

    @property
    def tokens(self) -> Sequence[OutputToken]:
        """All tokens of the output."""
        return self.output_context.tokens

    @property
    def terms_are_coded(self) -> bool:
        """Whether codes replace terms."""
        return self.output_context.coded

    def lists_of_word(self, word: str) -> frozenset[str]:
        """Return the lists of a folded word."""
        return self.output_context.lists(word)

    def neighbour(self, offset: int) -> OutputToken | None:
        """Return the token at an offset from the number, or None outside the output."""
        at = self.at + offset
        return self.tokens[at] if 0 <= at < len(self.tokens) else None

    def run_text(self, strip: str = "") -> str:
        """Return the text of the number's run of tokens without white space."""

        def text(run: Sequence[OutputToken]) -> str:
            return "".join(token.folded for token in run).strip(strip)

        return self.output_context.once_per_run(self.at, f"text {strip}", text)

    def has_clinical_context(self) -> bool:
        """Return whether the number has clinical context."""
        return self.output_context.has_clinical_context(self.at)


_RUN_DELIMITERS = frozenset(",;()[]{}\"'“”?!|")
_CLINICAL_MARKS = frozenset("% ° < > = ≤ ≥ ± ≈ + # @ x ' \"".split())
#: The maximum distance in tokens between a number and such a mark: 5'10", 3 and 4%.
_MAX_MARK_DISTANCE = 4


def _is_paragraph_break(gap: str) -> bool:
    """Return whether the white space before a token contains an empty line."""
    return gap.replace("\r\n", "\n").count("\n") > 1
