"""Collection of the evidence: runs the scrubber on marked notes, scores it and measures the residual risk."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesieve.batches import batches
from notesieve.detectors import detector_name
from notesieve.errors import GoldError
from notesieve.evaluation.gold import Gold, as_gold
from notesieve.evidence.collected import EvidenceData
from notesieve.evidence.digests import collect_digests, runtime_environment
from notesieve.evidence.figures import Figures, genres_of, measure_figures, pool_golds, sampling_plan
from notesieve.evidence.residual import residual_risk
from notesieve.evidence.safe_harbor import check_identifiers
from notesieve.evidence.statements import MARKED_NOTES
from notesieve.evidence.suppression import MIN_SHOWN_COUNT
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    from notesieve._core import Policy, ScrubbedNote
    from notesieve.scrubber import Scrubber

_BATCH_SIZE = 256
_SITE_LIST_SETTINGS = ("doctors", "hospitals", "wards", "patterns", "placeholders", "cues")


@keep_texts_out_of_tracebacks
@dataclass(frozen=True, repr=False)
class Evidence(EvidenceData):
    """Evidence that can be written as a page and as JSON; the attributes are those of `EvidenceData`."""

    def __repr__(self) -> str:
        """Return a summary of what was measured."""
        return f"Evidence({self.figures.evaluation.name}, {sum(self.golds.values())} notes, {self.day})"

    def to_dict(self) -> dict[str, Any]:
        """Return everything that may be shown, for JSON: no note text, no document names."""
        private = ("per_document", "leaks", "leak_forms", "over_scrubbed", "problems")

        def report_fields(scores: Figures) -> dict[str, Any]:
            report = {name: part for name, part in scores.evaluation.report.items() if name not in private}
            return {"name": scores.evaluation.name, "genres": scores.genres, "kinds": scores.kinds, "report": report}

        return {
            "date": self.day.isoformat(),
            "organisation": self.organisation,
            "environment": self.environment,
            "digests": self.digests,
            "gold_standards": self.golds,
            "site_lists": self.site_lists,
            "policy": self.policy,
            "figures": report_fields(self.figures),
            "other_policies": [report_fields(scores) for scores in self.others],
            "sampling_plan": asdict(self.plan),
            "safe_harbor": [
                {
                    "paragraph": row.identifier.letter,
                    "identifier": row.identifier.name,
                    "kinds": list(row.identifier.kinds),
                    "examples": row.examples,
                    "removed": row.removed,
                    "kept_by_policy": list(row.kept_by_policy),
                    "replaced_by": row.replaced_by,
                }
                for row in self.safe_harbor
            ],
            "residual_risk": {"of": self.residual_of, **self.residual.to_dict()},
        }

    def to_html(self) -> str:
        """Return one self-contained page to read, print and sign."""
        from notesieve.evidence.page import evidence_page

        return evidence_page(self)

    def write(self, folder: str | PathLike[str]) -> list[Path]:
        """Write ``evidence.html``, ``evidence.json``, and ``notes-to-read.csv`` for those who may read the notes.

        Parameters
        ----------
        folder : path
            The output folder; created if it does not exist. ``notes-to-read.csv`` names documents: only its owner may
            read it (mode 600).

        Returns
        -------
        list of Path
            The written files.
        """
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        written = [target / name for name in ("evidence.html", "evidence.json", "notes-to-read.csv")]
        written[0].write_text(self.to_html(), encoding="utf-8")
        written[1].write_text(json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        written[2].unlink(missing_ok=True)
        descriptor = os.open(written[2], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
            rows = csv.DictWriter(stream, [self.residual.unit, "why"])
            rows.writeheader()
            rows.writerows({self.residual.unit: row["unit"], "why": row["why"]} for row in self.residual.to_read)
        return written


@keep_texts_out_of_tracebacks
def collect(
    golds: Gold | str | PathLike[str] | Sequence[Gold | str | PathLike[str]],
    scrubber: Scrubber,
    *,
    others: Sequence[Scrubber] = (),
    genres: Mapping[str, str] | None = None,
    patients: Mapping[str, str] | None = None,
    notes: Iterable[tuple[str, str]] | None = None,
    site: str | PathLike[str] | None = None,
    recall: float = 0.99,
    confidence: float = 0.95,
    least: int = MIN_SHOWN_COUNT,
    day: date | None = None,
    organisation: str = "",
    draws: int = 1000,
    seed: int = 1,
) -> Evidence:
    """Measure a scrubber on marked notes and collect the evidence for a release decision.

    Parameters
    ----------
    golds : Gold, path, or sequence of them
        Gold standards: notes of your own in which people marked the identifiers.
    scrubber : Scrubber
        The scrubber for the release: policy, model, vocabulary with the site lists.
    others : sequence of Scrubber, optional
        Scrubbers with other policies, scored for comparison.
    genres, patients : mapping of str to str, optional
        Genre and patient of each document. Default: the genre is the gold standard or the folder; each note is a
        patient of its own. With several gold standards, document names are prefixed by the name of the gold standard
        and a slash.
    notes : iterable of (str, str), optional
        Name and text of the notes of the release, for which the residual risk is measured. Default: the marked notes.
    site : path, optional
        The folder with the site lists, for the digests of its files.
    recall, confidence : float, optional
        The claim that the sample has to show: recall of identifiers above this value, with one-sided confidence. All
        intervals of the page are two-sided with the same confidence.
    least : int, optional
        Counts of notes and patients below this are suppressed.
    day : date, optional
        The date of the page. Default: today, UTC.
    organisation : str, optional
        The organisation for which the evidence is made.
    draws, seed : int, optional
        Replicates and random seed of the bootstrap.

    Returns
    -------
    Evidence

    Raises
    ------
    GoldError
        If a gold standard cannot be read or has no note.
    PolicyError
        If recall or confidence is not a valid share.

    Examples
    --------
    >>> import notesieve as ns
    >>> gold = ns.Gold({"a": "Seen by Dr. Quill."}, {"a": [{"start": 12, "end": 17, "category": "NAME"}]})
    >>> found = ns.evidence.collect(gold, ns.Scrubber(), draws=0, day=date(2026, 1, 2))
    >>> found
    Evidence(policy safe, 1 notes, 2026-01-02)
    >>> found.plan.verdict["shown"]
    False
    """
    if least < 2:
        raise GoldError(f"least={least} would show single patients: take 2 or more, 11 by default")
    named = _golds_by_name(golds)
    gold = pool_golds(named)
    _check_names(gold, "genres", genres)
    if notes is None:
        _check_names(gold, "patients", patients)
    kinds_of_notes = genres_of(gold, genres)
    options: dict[str, Any] = {"confidence": confidence, "draws": draws, "seed": seed}
    first = measure_figures(gold, scrubber, kinds_of_notes, name=_scrubber_name(scrubber), least=least, **options)
    rest = [
        measure_figures(
            gold, other, kinds_of_notes, name=_scrubber_name(other), least=least, with_genres=False, **options
        )
        for other in others
    ]
    plan = sampling_plan(gold, first.evaluation.report, kinds_of_notes, recall=recall, confidence=confidence)
    return Evidence(
        figures=first,
        others=tuple(rest),
        plan=plan,
        safe_harbor=tuple(check_identifiers(scrubber)),
        residual=residual_risk(
            _scrub_notes(gold.notes.items() if notes is None else notes, scrubber),
            scrubber,
            patients=patients,
            least=least,
        ),
        residual_of=MARKED_NOTES if notes is None else "the notes of the release",
        policy=_policy_without_lists(scrubber.policy),
        digests=collect_digests(scrubber, named, site),
        environment=runtime_environment() | _detector_names(scrubber),
        golds={name: len(one) for name, one in named.items()},
        site_lists={name: count for name, count in scrubber.vocabulary.site_lists.items() if count},
        day=day or datetime.now(UTC).date(),
        organisation=organisation,
    )


def _golds_by_name(golds: Gold | str | PathLike[str] | Sequence[Gold | str | PathLike[str]]) -> dict[str, Gold]:
    """Read gold standards; name each after its file or, if it has none, by its number."""
    given = [golds] if isinstance(golds, Gold | str | PathLike) else list(golds)
    if not given:
        raise GoldError("there is no gold standard: name one or more")
    named: dict[str, Gold] = {}
    for at, one in enumerate(given, 1):
        name = str(at) if isinstance(one, Gold) else Path(one).resolve().name
        named[name if name not in named else f"{name}-{at}"] = as_gold(one)
    return named


def _check_names(gold: Gold, what: str, given: Mapping[str, str] | None) -> None:
    """Raise if genres or patients are all of other documents: they would be ignored silently."""
    if given is not None and not given.keys() & gold.notes.keys():
        example = next(iter(gold.notes))
        raise GoldError(f"the {what} name no document of the gold standards; a document is called as {example!r}")


def _policy_without_lists(policy: Policy) -> dict[str, Any]:
    """Return the choices of a policy; for lists of people and places of the site, only the number of items."""
    return {
        name: f"{len(value)} given" if name in _SITE_LIST_SETTINGS and value else value
        for name, value in policy.to_dict().items()
    }


def _detector_names(scrubber: Scrubber) -> dict[str, str]:
    """Return the names of the site's detectors: no digest covers their code."""
    names = ", ".join(detector_name(detector) for detector in scrubber.detectors)
    return {"detectors of the site, which no digest covers": names} if names else {}


def _scrubber_name(scrubber: Scrubber) -> str:
    return f"policy {scrubber.policy.name}"


def _scrub_notes(notes: Iterable[tuple[str, str]], scrubber: Scrubber) -> Iterator[tuple[str, ScrubbedNote]]:
    for some in batches(iter(notes), _BATCH_SIZE):
        names, texts = zip(*some, strict=True)
        yield from zip(names, scrubber.scrub_many(texts, explain=True), strict=True)
