"""Which columns of a frame are read, and which are written.

Input columns are dropped unless the call keeps them by name, because a column with the record number or the name of a
patient would undo the de-identification of the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from notesieve.choices import Output, did_you_mean
from notesieve.errors import FrameError
from notesieve.frames.excluded import ExcludedPatients
from notesieve.frames.patients import known_fields

OUTPUTS: tuple[Output, ...] = ("text", "coded", "concepts", "removed", "error")
"""The columns that a scrub can produce; ``text`` is always included."""

CATEGORIES = ("name", "date", "age", "location", "contact", "id", "unlisted")
"""The categories of removed spans, as column names use them."""


class Plan:
    """Which columns are read and written, and the names of the new ones.

    Parameters
    ----------
    names : sequence of str
        The columns of the input.
    text, id, keep, patient, known, outputs, dates, unshifted_dates, findings, exclude_patients
        As for `Scrubber.scrub_frame`.

    Raises
    ------
    FrameError
        If a column is missing, named twice, or would be overwritten.

    Examples
    --------
    >>> plan = Plan(["mrn", "year", "note"], "note", keep=["year"], outputs=["error"])
    >>> plan.kept, plan.new
    (['year'], {'error': 'note_error'})
    """

    def __init__(
        self,
        names: Sequence[str],
        text: str,
        *,
        id: str | None = None,  # noqa: A002 the name that users know
        keep: Sequence[str] = (),
        patient: str | None = None,
        known: Sequence[str] | Mapping[str, str] = (),
        outputs: Sequence[str] = OUTPUTS,
        dates: Sequence[str] = (),
        unshifted_dates: Sequence[str] = (),
        findings: str | None = None,
        exclude_patients: ExcludedPatients | None = None,
    ) -> None:
        lists = {"keep": keep, "outputs": outputs, "dates": dates, "unshifted_dates": unshifted_dates}
        for option, given in lists.items():
            if isinstance(given, str):
                raise FrameError(f"{option} must be a list, not one text")
        wrong = [output for output in outputs if output not in OUTPUTS]
        if wrong:
            raise FrameError(
                f"there is no output {wrong[0]!r}: take some of {', '.join(OUTPUTS)}{did_you_mean(wrong[0], OUTPUTS)}"
            )
        asked = list(dict.fromkeys([text, *([id] if id is not None else []), *keep, *dates, *unshifted_dates]))
        self.dates, self.unshifted_dates = list(dates), list(unshifted_dates)
        self.patient, self.excluded = patient, exclude_patients
        if exclude_patients is not None and patient is None:
            message = "to leave out patients, name the column that tells patients apart: patient"
            raise FrameError(message)
        self.fields = known_fields(known)
        self.patient_columns = [*([patient] if patient is not None else []), *self.fields]
        self.id, self.findings = id, findings
        not_output = [*self.patient_columns, *([findings] if findings is not None else [])]
        for name in [*asked, *not_output]:
            count = list(names).count(name)
            if count != 1:
                # Do not list the columns: the names of a frame without a header are its first row.
                have = f"{len(names)} columns, none of that name" if count == 0 else f"{count} columns of that name"
                hint = did_you_mean(name, names) if count == 0 else ""
                raise FrameError(f"the frame has no column {name!r}: it has {have}{hint}")
        self.text = text
        self.outputs = ["text", *(output for output in OUTPUTS[1:] if output in outputs)]
        passing = set(asked) - {text}
        self.kept = [name for name in names if name in passing]
        self.order = [name for name in names if name in passing or name == text]
        self.read = [name for name in names if name in {*self.order, *not_output}]
        self.new: dict[str, str] = {}
        for output in self.outputs[1:]:
            parts = [f"removed_{category}" for category in CATEGORIES] if output == "removed" else [output]
            self.new |= {part: _sibling_column_name(text, part) for part in parts}
        clash = set(self.new.values()) & set(self.kept)
        if clash:
            message = f"the column {min(clash)!r} is kept and would also be written: rename it, or leave out its output"
            raise FrameError(message)


def _sibling_column_name(text: Any, part: str) -> Any:
    """Name a new column after that of the notes, which in pandas may have several levels."""
    return (*text[:-1], f"{text[-1]}_{part}") if isinstance(text, tuple) else f"{text}_{part}"
