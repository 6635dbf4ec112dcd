"""What a type checker must find, and must not: mypy reads this file, nothing runs it.

Every `type: ignore` stands for a mistake of a user. If mypy stops finding it, the comment is unused: an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import assert_type

import notesieve as ns


class Frame:
    """A frame of any library."""


def choices() -> None:
    ns.Policy("balanced", dates="shift", replace="surrogate", keep=["year", "location"], groups=["drug"])
    ns.Policy("balancd")  # type: ignore[arg-type]
    ns.Policy(dates="shfit")  # type: ignore[arg-type]
    ns.Policy(replace="surogate")  # type: ignore[arg-type]
    ns.Policy(keep=["yeer"])  # type: ignore[list-item]
    ns.Policy(groups=["drugs"])  # type: ignore[list-item]
    ns.Policy(date_order="mdyy")  # type: ignore[arg-type]


def scrubbing(scrubber: ns.Scrubber, frame: Frame) -> None:
    scrubber.scrub_many(["a"], on_error="empty")
    scrubber.scrub_many(["a"], on_error="emtpy")  # type: ignore[arg-type]
    scrubber.scrub_message("a", format="fhir")  # type: ignore[arg-type]
    scrubber.autocode("a", groups=["drug"])
    scrubber.autocode("a", groups=["drugs"])  # type: ignore[list-item]
    scrubber.scrub_frame(frame, "note", on_error="riase")  # type: ignore[arg-type]
    scrubber.scrub_frame(frame, "note", outputs=["txt"])  # type: ignore[list-item]
    scrubber.scrub_frame(frame, "note", index="kepe")  # type: ignore[arg-type]
    ns.Scrubber("site.toml", "our.vocabulary")
    ns.Scrubber("site.toml", Path("our.vocabulary"))


def what_comes_back(scrubber: ns.Scrubber, frame: Frame, texts: list[str], some: Iterator[str]) -> None:
    assert_type(scrubber.scrub_frame(frame, "note"), Frame)
    assert_type(scrubber.scrub_column(texts), list[str | None])
    assert_type(scrubber.scrub_column(("a", None)), tuple[str | None, ...])
    assert_type(scrubber.scrub_column(some), Iterator[str | None])
    assert_type(ns.Policy().dates == "shift", bool)
