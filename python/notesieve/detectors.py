"""External findings: spans that other detectors report, weighed in the core together with those of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

from notesieve.errors import FindingError

if TYPE_CHECKING:
    from notesieve.hidden_repr import HiddenRepr

# One finding: an object with `start`, `end` and `kind`, a mapping with these keys, or a tuple in this order.
FindingLike: TypeAlias = Any

# Takes texts and returns the findings of each, in the same order.
Detector: TypeAlias = Callable[[Sequence[str]], Iterable[Iterable[FindingLike]]]

# What the core takes: start, end, kind, certainty, source.
Span: TypeAlias = tuple[int, int, str, str, str]

_CERTAINTIES = {1: "weak", 2: "likely", 3: "sure"}


def _field_of_finding(finding: FindingLike, name: str, default: Any) -> Any:
    if isinstance(finding, Mapping):
        return finding.get(name, default)
    return getattr(finding, name, default)


def _span_of_finding(finding: FindingLike, nth: int, source: str) -> Span:
    if isinstance(finding, Sequence) and not isinstance(finding, str | bytes):
        values: list[Any] = [*finding, *("likely", source)[len(finding) - 3 :]]
        start, end, kind, certainty, source = values
    else:
        start, end = _field_of_finding(finding, "start", None), _field_of_finding(finding, "end", None)
        kind = _field_of_finding(finding, "kind", None) or _field_of_finding(finding, "category", None)
        certainty = _field_of_finding(finding, "certainty", None) or "likely"
        source = _field_of_finding(finding, "source", None) or source
    certainty = _CERTAINTIES.get(certainty, certainty) if isinstance(certainty, int) else certainty
    whole = all(isinstance(place, SupportsIndex) and not isinstance(place, bool) for place in (start, end))
    if not whole or not all(isinstance(text, str) for text in (kind, certainty, source)):
        raise FindingError(f"findings[{nth}] needs a whole start and end, and a kind as text")
    return index(start), index(end), kind, certainty, source


def normalize_findings(findings: Iterable[FindingLike] | None, source: str = "caller") -> list[Span]:
    """Convert the findings of one note to the form that the core takes.

    Parameters
    ----------
    findings : iterable of finding, optional
        Objects or mappings with ``start`` and ``end`` in code points and ``kind`` (or ``category``), and optionally
        ``certainty`` (``"weak"``, ``"likely"``, ``"sure"``) and ``source``; or tuples in this order.
    source : str, optional
        The source of findings that do not name one.

    Returns
    -------
    list of tuple
        ``(start, end, kind, certainty, source)``.

    Raises
    ------
    FindingError
        If an item is not a finding.

    Examples
    --------
    >>> normalize_findings([{"start": 0, "end": 4, "kind": "name"}, (8, 12, "DATE", "sure")])
    [(0, 4, 'name', 'likely', 'caller'), (8, 12, 'DATE', 'sure', 'caller')]
    """
    try:
        return [
            _span_of_finding(finding, nth, source) for nth, finding in enumerate(() if findings is None else findings)
        ]
    except (TypeError, ValueError, IndexError) as problem:
        if isinstance(problem, FindingError):
            raise
        raise FindingError("a finding is start, end, kind, and if wanted certainty and source") from None


def detector_name(detector: Detector) -> str:
    """Return the name under which results report a detector: its `name`, or that of its function or class.

    Examples
    --------
    >>> def badge_numbers(texts): ...
    >>> detector_name(badge_numbers)
    'badge_numbers'
    """
    name = getattr(detector, "name", None) or getattr(detector, "__name__", None) or type(detector).__name__
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_.") else "-" for letter in name)[
        :64
    ]


def detector_findings(detectors: Iterable[Detector], texts: HiddenRepr) -> list[list[Span]]:
    """Run detectors over texts.

    Parameters
    ----------
    detectors : iterable of callable
        Each takes a list of texts and returns the findings of each.
    texts : HiddenRepr of list of str
        The texts.

    Returns
    -------
    list of list of tuple
        The findings of all detectors for each text.

    Raises
    ------
    FindingError
        If a detector returns findings for more or fewer texts, or something that is not a finding. An exception that a
        detector raises itself is not passed on, since it could quote the text.
    """
    found: list[list[Span]] = [[] for _ in texts.reveal()]
    for detector in detectors:
        name = detector_name(detector)
        try:
            given = [list(findings) for findings in detector(list(texts.reveal()))]
        except Exception as problem:  # noqa: BLE001 whatever it raises could quote the text
            raise FindingError(f"the detector {name} failed with {type(problem).__name__}") from None
        if len(given) != len(found):
            raise FindingError(f"the detector {name} gave findings for {len(given)} of {len(found)} texts")
        for spans, more in zip(found, given, strict=True):
            spans.extend(normalize_findings(more, name))
    return found
