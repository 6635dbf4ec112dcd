"""The figures of the evidence: leaks by kind, genre and risk class, and the adequacy of the sample."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from notesieve.errors import GoldError
from notesieve.evaluation.annotator_agreement import judge_sample, sample_size
from notesieve.evaluation.gold import Gold, run_core_task
from notesieve.evaluation.scores import Evaluation, scrubber_predictions
from notesieve.evidence.suppression import MIN_SHOWN_COUNT

if TYPE_CHECKING:
    from notesieve.scrubber import Scrubber

_POOLED = "smaller genres"


def pool_golds(golds: Mapping[str, Gold]) -> Gold:
    """Join gold standards; with several, document names are prefixed by the name of their gold standard.

    Examples
    --------
    >>> golds = {"east": Gold({"a": "Well."}), "west": Gold({"a": "Ill."})}
    >>> list(pool_golds(golds).notes)
    ['east/a', 'west/a']
    """
    if len(golds) == 1:
        return next(iter(golds.values()))
    notes: dict[str, str] = {}
    spans: dict[str, Any] = {}
    for name, gold in golds.items():
        notes |= {f"{name}/{doc}": text for doc, text in gold.notes.items()}
        spans |= {f"{name}/{doc}": found for doc, found in gold.spans.items()}
    return Gold(notes, spans, [problem for gold in golds.values() for problem in gold.problems])


def genres_of(gold: Gold, given: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the genre of each document: the given one, or its folder, or ``all``.

    Examples
    --------
    >>> genres_of(Gold({"ward/a": "Well.", "b": "Ill."}), {"b": "letter"})
    {'ward/a': 'ward', 'b': 'letter'}
    """
    given = given or {}
    return {doc: given.get(doc) or (doc.rpartition("/")[0] or "all") for doc in gold.notes}


@dataclass(frozen=True)
class Figures:
    """The scores of one policy.

    Attributes
    ----------
    evaluation : Evaluation
        The evaluation over all notes.
    genres : dict of str to dict
        By genre: ``documents``, ``token``, ``zero_leak``, ``kept``. Genres with few notes are pooled.
    kinds : dict of str to dict
        By kind of PHI, as ``evaluation["subtype"]``; kinds with few tokens are pooled.
    risk : dict of str to dict
        By risk class, as ``evaluation["risk"]``.
    """

    evaluation: Evaluation
    genres: dict[str, dict[str, Any]]
    kinds: dict[str, dict[str, Any]]
    risk: dict[str, dict[str, Any]]


def measure_figures(
    gold: Gold,
    scrubber: Scrubber,
    genres: Mapping[str, str],
    *,
    name: str,
    least: int = MIN_SHOWN_COUNT,
    with_genres: bool = True,
    **options: Any,
) -> Figures:
    """Scrub the notes of a gold standard and score the result, overall and by genre.

    Parameters
    ----------
    gold : Gold
        The gold standard.
    scrubber : Scrubber
        The scrubber to measure.
    genres : mapping of str to str
        The genre of each document.
    name : str
        The name of the system.
    least : int, optional
        Genres with fewer notes, and kinds with fewer tokens, are pooled.
    with_genres : bool, optional
        Whether to score each genre.
    **options
        As for `notesieve.evaluate`.

    Returns
    -------
    Figures

    Raises
    ------
    GoldError
        If the gold standard has no note.

    Examples
    --------
    >>> import notesieve as ns
    >>> gold = ns.Gold({"a": "Seen by Dr. Quill."}, {"a": [{"start": 12, "end": 17, "category": "NAME"}]})
    >>> found = measure_figures(gold, ns.Scrubber(), {"a": "letter"}, name="safe", draws=0)
    >>> list(found.genres), found.risk["direct"]["token_leaks"]
    (['smaller genres'], 0)
    """
    if not gold.notes:
        raise GoldError("the gold standard has no note")
    lines = {json.loads(line)["doc"]: line for line in scrubber_predictions(gold, scrubber).splitlines()}
    evaluation = Evaluation(name, _score_documents(gold, lines, list(gold.notes), options), {})
    members: dict[str, list[str]] = {}
    for doc in gold.notes:
        members.setdefault(genres[doc], []).append(doc)
    few = [genre for genre, docs in members.items() if len(docs) < least]
    if few:
        members[_POOLED] = [doc for genre in few for doc in members.pop(genre)]
    by_genre = {}
    for genre, docs in members.items() if with_genres else ():
        report = _score_documents(gold, lines, docs, options)
        by_genre[genre] = {
            "documents": report["documents"],
            "token": report["token"],
            "zero_leak": report["document"]["zero_leak"],
            "kept": report["retained_nonphi"],
        }
    return Figures(evaluation, by_genre, _pool_small_kinds(evaluation["subtype"], least), evaluation["risk"])


def _score_documents(
    gold: Gold, lines: Mapping[str, str], docs: Sequence[str], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Score the predictions on some of the documents."""
    some = Gold({doc: gold.notes[doc] for doc in docs}, {doc: gold.spans.get(doc, []) for doc in docs}, gold.problems)
    predictions = "\n".join(lines[doc] for doc in docs)
    report: dict[str, Any] = json.loads(
        run_core_task("evaluate", gold=some.to_json(), predictions=predictions, options=dict(options))
    )
    return report


def _pool_small_kinds(groups: Mapping[str, Mapping[str, Any]], least: int) -> dict[str, dict[str, Any]]:
    """Pool kinds with few tokens, without an interval, since their tokens are of different kinds."""
    few = [name for name, group in groups.items() if group["tokens"] < least]
    shown = {name: dict(group) for name, group in groups.items() if name not in few}
    if few:
        tokens, leaks = (sum(groups[name][key] for name in few) for key in ("tokens", "token_leaks"))
        shown["smaller kinds"] = {
            "tokens": tokens,
            "token_leaks": leaks,
            "token_recall": 1 - leaks / tokens if tokens else None,
            "token_interval": None,
        }
    return shown


@dataclass(frozen=True)
class SamplingPlan:
    """The number of notes that the stated recall needs, and whether the sample shows that recall.

    Attributes
    ----------
    recall, confidence : float
        The recall to show, and the one-sided confidence.
    phi_per_note : float
        The mean number of identifiers per note in the sample.
    planned : dict
        The result of `notesieve.sample_size` if no identifier is missed.
    at_observed : dict or None
        The same at the recall of the sample; None if that is 1 or not above the stated recall.
    verdict : dict
        The result of `notesieve.judge_sample` for the sample.
    """

    recall: float
    confidence: float
    phi_per_note: float
    planned: dict[str, Any]
    at_observed: dict[str, Any] | None
    verdict: dict[str, Any]


def sampling_plan(
    gold: Gold,
    report: Mapping[str, Any],
    genres: Mapping[str, str],
    *,
    recall: float = 0.99,
    confidence: float = 0.95,
    power: float = 0.8,
    correlation: float = 0.05,
) -> SamplingPlan:
    """Plan a sample that shows a recall of identifiers, and apply the same test to the given sample.

    Parameters
    ----------
    gold : Gold
        The sample.
    report : mapping
        The evaluation report of the sample.
    genres : mapping of str to str
        The genre of each document, its stratum.
    recall, confidence, power, correlation : float, optional
        As for `notesieve.sample_size`.

    Returns
    -------
    SamplingPlan

    Examples
    --------
    >>> import notesieve as ns
    >>> gold = ns.Gold({"a": "Seen by Dr. Quill."}, {"a": [{"start": 12, "end": 17, "category": "NAME"}]})
    >>> plan = sampling_plan(gold, ns.evaluate(gold, ns.Scrubber(), draws=0).report, {"a": "all"})
    >>> plan.verdict["shown"], plan.planned["phi"]
    (False, 299)
    """
    rows = {row["doc"]: row for row in report["per_document"]}
    required = {doc: _count_required(gold, doc, rows[doc]) for doc in gold.notes}
    total = sum(required.values())
    per_note = max(1.0, total / len(gold.notes))
    expectations = {"power": power, "correlation": correlation, "phi_per_note": per_note}
    with TemporaryDirectory() as folder:  # the sheet has only counts, no text
        sheet = Path(folder) / "sheet.csv"
        strata = {genre: at for at, genre in enumerate(dict.fromkeys(genres.values()))}
        lines = [
            f"{at},{strata[genres[doc]]},{required[doc]},{min(rows[doc]['leaked_spans'], required[doc])}"
            for at, doc in enumerate(gold.notes)
        ]
        sheet.write_text("\n".join(["doc,stratum,phi,missed", *lines, ""]), encoding="utf-8")
        verdict = judge_sample(sheet, recall, confidence, 1, **expectations)
    observed = float(verdict["recall"])
    reachable = recall < observed < 1
    return SamplingPlan(
        recall,
        confidence,
        per_note,
        sample_size(recall, confidence, **expectations),
        sample_size(recall, confidence, **expectations, expected=observed) if reachable else None,
        verdict,
    )


def _count_required(gold: Gold, doc: str, row: Mapping[str, Any]) -> int:
    """Count the identifiers of a note that must be removed."""
    spans = sum(span.get("hipaa") is not False for span in gold.spans.get(doc, []))
    return max(spans, int(row["leaked_spans"]))
