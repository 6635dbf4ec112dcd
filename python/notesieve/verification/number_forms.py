"""The forms that numbers of an output may have, for :mod:`notesieve.verification`.

The core decides about numbers with a grammar of many rules. This module does not copy the grammar; it states what the
grammar guarantees: no number in the output has the form of a date, a telephone number, an identifier or a code, and
none lacks clinical context. :data:`FORMS` lists all forms that are allowed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from notesieve.verification.number_context import NumberContext

if TYPE_CHECKING:
    from notesieve.verification.output_tokens import OutputToken

_PHONE = re.compile(r"(?:\d{3}[-. ])?\d{3}[-. ]\d{4}")


def _is_date(number: str) -> bool:
    """Return whether three numbers could be a date."""
    if not re.fullmatch(r"\d+([/.-])\d+\1\d+", number):
        return False
    parts = re.split("[/.-]", number)
    # Pupils of 4/3.5 mm are not a date: a date repeats one separator, and no part of it is zero.
    if not all(int(part) for part in parts):
        return False
    days = sum(len(part) <= 2 and 1 <= int(part) <= 31 for part in parts)
    return days >= 2 and all(len(part) in {1, 2, 4} for part in parts)


def _is_short_enough_to_measure(number: str) -> bool:
    """Return whether a number is short enough to be a measurement, and is not a date."""
    digits = re.sub(r"\D", "", number)
    if re.fullmatch(r"\d{1,3}(?:,\d{3}){1,3}(?:\.\d+)?", number):
        return True
    if len(digits) > 12 or _is_date(number):
        return False
    return all(len(part) <= 6 or (len(part) <= 9 and part.endswith("000")) for part in re.split(r"[.,/:]", number))


def _looks_identifying(context: NumberContext) -> bool:
    """Return whether the number's run has the form of a date, a telephone number or a long identifier."""
    return context.output_context.once_per_run(context.at, "identifying", _run_looks_identifying)


def _run_looks_identifying(run: Sequence[OutputToken]) -> bool:
    """Return whether a run of tokens without white space has such a form."""
    figures = re.findall(r"\d+(?:-\d+)+", "".join(token.folded for token in run))
    return any(
        sum(map(str.isdigit, figure)) >= 7 or _is_date(figure) or re.fullmatch(_PHONE, figure) for figure in figures
    )


_WORDS_BEFORE_CODE = frozenset(
    "code codes number numbers no diagnosis procedure is of cm ct pcs ed edition billing and or id version revision dx "
    "primary to through with o iv tr".split()
)


def _follows_code_system(context: NumberContext) -> bool:
    """Return whether the name of a code system precedes the number: `CPT 27759`, `ICD-9 250.00, 401.9`."""
    for at in range(context.at - 1, max(-1, context.at - 48), -1):
        token = context.tokens[at]
        if token.kind == "code" and context.terms_are_coded:
            return True
        if token.kind == "word":
            if "code-system" in context.lists_of_word(token.folded):
                return True
            if token.folded not in _WORDS_BEFORE_CODE and len(token.folded) > 3:
                return False
        elif token.kind in {"tag", "mask", "age"} or (token.text == "." and context.tokens[at + 1].gap):
            return False
    return False


def _is_item_number(context: NumberContext) -> bool:
    """Return whether a number of one or two digits is followed by a full stop or a parenthesis: `2.`, `3)`."""
    after = context.neighbour(1)
    return (
        after is not None
        and after.text in {".", ")"}
        and not after.gap
        and bool(re.fullmatch(r"\d{1,2}", context.tokens[context.at].folded))
    )


def _full_match(pattern: str) -> Callable[[NumberContext], bool]:
    """Return a predicate that matches the whole number with a pattern."""
    compiled = re.compile(pattern)
    return lambda context: compiled.fullmatch(context.tokens[context.at].folded) is not None


def _is_measurement(context: NumberContext) -> bool:
    """Return whether a short number has clinical context and no identifying form: `5 mg`, `sodium 138`."""
    number = context.tokens[context.at].folded
    after = context.neighbour(1)
    if (
        after is not None
        and after.text == "%"
        and number.split(".")[0].isdecimal()
        and int(number.split(".")[0]) > 2000
    ):
        return False
    return _is_short_enough_to_measure(number) and not _looks_identifying(context) and context.has_clinical_context()


def _is_cervical_examination(context: NumberContext) -> bool:
    """Return whether the number is part of a cervical examination: dilation, effacement and station, `4/80/-1`."""
    run = context.run_text()
    return re.match(r"(?:10|\d(?:\.\d)?)/(?:\d0|100)/[+-][0-5](?!\d)", run) is not None


_IDENTIFIER_LABEL_LISTS = frozenset({"id-keyword", "phone-keyword", "ward-noun"})


def _follows_identifier_label(context: NumberContext) -> bool:
    """Return whether the word before the number is the label of an identifier, a telephone number or a room."""
    for at in range(context.at - 1, max(-1, context.at - 3), -1):
        token = context.tokens[at]
        if token.text in {"#", "*"}:
            return True
        if token.kind == "word":
            return bool(context.lists_of_word(token.folded) & _IDENTIFIER_LABEL_LISTS)
    return False


def _is_hour(context: NumberContext) -> bool:
    """Return whether the run is a time in four digits, or up to four such times: `0730`, `1900-2200`."""
    run = context.run_text("@~>-.:")
    hour = r"(?:[01]\d|2[0-3])[0-5]\d"
    # A time before ten begins with a zero; a telephone extension does not.
    called = not run.startswith("0") and _follows_identifier_label(context)
    return re.fullmatch(rf"{hour}(?:-{hour}){{0,3}}", run) is not None and not called


def _is_year(context: NumberContext) -> bool:
    """Return whether a year from 1960 on stands alone and the policy keeps years: `1996`, `1996-98`, `the 1990s`."""
    if not context.output_context.years:
        return False
    run = context.run_text("@~.:'")
    year = r"(?:19[6-9]\d|20[0-4]\d|2050)"
    return re.fullmatch(rf"{year}(?:[-/](?:{year}|\d\d))?(?:s|'s)?|[6-9]\d(?:s|'s)?", run) is not None


def _is_money(context: NumberContext) -> bool:
    """Return whether a currency sign precedes the number: `$385`."""
    coin = context.neighbour(-1)
    joined = (
        coin is not None and coin.text in {"$", "£", "€", "₦", "₹", "¥", "₱"} and not context.tokens[context.at].gap
    )
    return joined and re.fullmatch(r"\d{1,6}(?:[.,]\d{1,3})*", context.tokens[context.at].folded) is not None


def _is_short_and_unlabelled(context: NumberContext) -> bool:
    """Return whether a number of at most three digits follows no identifier label: `residual 60`, `b/l 1.4`."""
    short = re.fullmatch(r"\d{1,3}(?:[.,]\d{1,2})?|\d,\d{1,2},\d{1,2}", context.tokens[context.at].folded)
    return short is not None and not _looks_identifying(context) and not _follows_identifier_label(context)


def _is_grade_with_sign(context: NumberContext) -> bool:
    """Return whether the number is part of a grade with a sign: `4+/5`, `3-/3`, `2+`."""
    first = max(context.at - 3, 0)
    around = "".join(
        token.folded if not token.gap else " " + token.folded for token in context.tokens[first : first + 7]
    )
    number = re.escape(context.tokens[context.at].folded)
    # Few numbers have such a sign nearby; the check avoids compiling a pattern for each of the others.
    if len(number) > 4 or not ("+/" in around or "-/" in around):
        return False
    return bool(re.search(rf"(?<![\d/-]){number}[+-]/\d(?:/\d\d?)?(?!\d)|(?<!\d)\d[+-]/{number}(?!\d)", around))


def _is_ratio(context: NumberContext) -> bool:
    """Return whether a number is a ratio or a dilution: `1:100,000`, `1:4096`."""
    number = context.tokens[context.at].folded
    if re.fullmatch(r"\d{1,3}:\d{1,3}(?:,\d{3})*(?:\.\d{1,3})?|\d:\d:\d", number):
        return True
    parts = number.split(":")
    if len(parts) != 2 or not all(part.isdecimal() for part in parts) or len(parts[0]) > 3 or len(parts[1]) > 6:
        return False
    # Dilutions are multiples of ten or powers of two: 1:5000, 1:4096.
    return int(parts[1]) % 10 == 0 or int(parts[1]).bit_count() == 1


def _is_panel_of_values(context: NumberContext) -> bool:
    """Return whether slashes join values of up to three digits, as in blood gases: `7.38/42/96`."""
    number = context.tokens[context.at].folded
    parts = re.split("[./]", number)
    if not all(part.isdecimal() for part in parts):
        return False
    panel = number.count("/") >= 2 or ("." in number and "/" in number)
    return panel and len(parts) <= 8 and all(len(part) <= 3 for part in parts) and not _is_date(number)


def _is_in_letter_number_cluster(context: NumberContext) -> bool:
    """Return whether short letters and short numbers are written together: `C5-6`, `T2N0M0`, `CD34`, `G3P1001`."""
    return (
        context.output_context.once_per_run(context.at, "cluster", _run_is_cluster)
        and not _looks_identifying(context)
        and _is_short_enough_to_measure(context.tokens[context.at].folded)
    )


def _run_is_cluster(run: Sequence[OutputToken]) -> bool:
    """Return whether a run of tokens without white space has letters and at most nine digits."""
    figures = sum(len(re.sub(r"\D", "", token.folded)) for token in run)
    return figures <= 9 and any(token.kind == "word" for token in run)


def _is_unambiguous_decimal(context: NumberContext) -> bool:
    """Return whether a decimal cannot be a day and a month: `36.8`, `1.52`, `4.0`."""
    number = context.tokens[context.at].folded
    if not re.fullmatch(r"(?:0|[1-9]\d{0,2})\.\d{1,2}", number) or _looks_identifying(context):
        return False
    whole, part = map(int, number.split("."))
    return whole > 31 or part > 31 or part == 0 or (whole > 12 and part > 12)


def _follows_scale_name(context: NumberContext) -> bool:
    """Return whether a short number directly follows the name of a test or a scale: `Bishop 6`, `Wells 4.5`."""
    number, before = context.tokens[context.at].folded, context.neighbour(-1)
    named = before is not None and before.kind == "word" and "eponym" in context.lists_of_word(before.folded)
    return named and re.fullmatch(r"\d{1,2}(?:[./]\d{1,2})?", number) is not None and not _looks_identifying(context)


_GRADED = frozenset(
    "strength power motor reflex reflexes dtr dtrs pulse pulses pain nodes node cores core cultures sirs criteria mood "
    "biceps triceps deltoid quads quadriceps grip edema swelling i/o uop output out".split()
)
_AFTER_FRACTION = frozenset(
    "of hx history week weeks wk wks w weeker gestation pills tablets tabs cores cultures ns lr".split()
)


def _is_fraction(context: NumberContext) -> bool:
    """Return whether a number is a fraction, a strength or days of a week: `3/4 of`, `strength 5/5`, `24 2/7 weeks`."""
    number = context.tokens[context.at].folded
    if not re.fullmatch(r"\d{1,4}/\d{1,4}", number):
        return False
    part, whole = map(int, number.split("/"))
    offsets = range(-10, 4)
    words = {
        offset: token.folded for offset in offsets if (token := context.neighbour(offset)) and token.kind == "word"
    }
    if any(word in _GRADED for offset, word in words.items() if offset < 0):
        return True
    after = words.get(1) in _AFTER_FRACTION or words.get(2) in _AFTER_FRACTION
    unit = any(
        context.lists_of_word(words[offset]) & {"unit", "dose", "duration", "counted"}
        for offset in (1, 2)
        if offset in words
    )
    return part <= whole and (after or unit or part == whole == 2)


@dataclass(frozen=True, slots=True)
class NumberForm:
    """A form of numbers."""

    name: str
    """The name that `verify` reports."""
    example: str
    """Example text of this form."""
    fits: Callable[[NumberContext], bool]
    """Returns whether a number has this form."""


#: Every form, in the order in which they are tried.
FORMS: tuple[NumberForm, ...] = (
    NumberForm("pressure", "128/72", _full_match(r"(?:[6-9]\d|[12]\d\d|300)/(?:[2-9]\d|1\d\d|200)")),
    NumberForm(
        "acuity", "20/25", _full_match(r"20/(?:1[0356]|2[05]|3[02]|[45]0|6[03]|[78]0|1[0256]\d|2[05]0|[34568][04]0)")
    ),
    NumberForm("part", "0.5, .75", _full_match(r"0?\.\d{1,4}")),
    NumberForm("time", "10:30", _full_match(r"(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?")),
    NumberForm("station", "4/80/-1", _is_cervical_examination),
    NumberForm("hour", "0730, 1900-2200", _is_hour),
    NumberForm("year", "CABG 1996", _is_year),
    NumberForm("money", "$385", _is_money),
    NumberForm("weeks", "3/52, 28/40", _full_match(r"[1-9]\d?/52|(?:1?\d|2[0-4])/24|(?:1[3-9]|[23]\d|4[0-2])/40")),
    NumberForm("ratio", "1:100,000", _is_ratio),
    NumberForm("grade", "4+/5", _is_grade_with_sign),
    NumberForm("grouped", "250,000", _full_match(r"\d{1,3},\d{3}")),
    NumberForm("panel", "7.38/42/96", _is_panel_of_values),
    NumberForm("item", "2.", _is_item_number),
    NumberForm("decimal", "36.8", _is_unambiguous_decimal),
    NumberForm("graded", "Bishop 6", _follows_scale_name),
    NumberForm("measured", "5 mg, sodium 138, 3 x 4 cm", _is_measurement),
    NumberForm("cluster", "C5-6, T2N0M0, CD34", _is_in_letter_number_cluster),
    NumberForm("announced", "CPT 27759", _follows_code_system),
    NumberForm("fraction", "3/4 of the tray, strength 5/5", _is_fraction),
    NumberForm("short", "residual 60, 9 → 8", _is_short_and_unlabelled),
)  # fmt: skip

#: Forms that depend only on the number's run, not on the text beyond the white space around it.
LOCAL_FORMS = frozenset(
    "pressure acuity part time station year money weeks ratio grouped panel item decimal cluster".split()
)


def number_form(context: NumberContext) -> str | None:
    """Return the name of a number's form.

    Parameters
    ----------
    context : NumberContext
        The number with its context.

    Returns
    -------
    str or None
        The name of the first form that fits; None if none fits, which means that the number may not be in the output.
    """
    return next((form.name for form in FORMS if form.fits(context)), None)
