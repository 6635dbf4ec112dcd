"""Inter-annotator agreement, and samples for people to read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from os import PathLike
from typing import Any

from notesieve.evaluation.gold import Gold, as_gold, run_core_task
from notesieve.tracebacks import keep_texts_out_of_tracebacks


@dataclass(frozen=True)
class Agreement:
    """Inter-annotator agreement, and the majority gold standard.

    Attributes
    ----------
    report : dict
        Pairs, kappas, and every subset of annotators against the adjudicated gold: ``by_readers`` has the mean over all
        subsets of each size, and ``minimum`` and ``maximum`` of precision, recall and F1.
    majority : Gold
        The spans that more than half of the annotators marked.
    """

    report: dict[str, Any]
    majority: Gold

    def __getitem__(self, key: str) -> Any:
        """Return a part of the report."""
        return self.report[key]


@keep_texts_out_of_tracebacks
def agreement(
    annotators: Mapping[str, Gold | str | PathLike[str]], adjudicated: Gold | str | PathLike[str] | None = None
) -> Agreement:
    """Measure the agreement of two or more annotators on PHI.

    Parameters
    ----------
    annotators : dict of str to Gold or path
        The marks of each annotator on the same notes.
    adjudicated : Gold or path, optional
        The adjudicated gold standard. Default: the majority gold standard.

    Returns
    -------
    Agreement

    Raises
    ------
    PolicyError
        If there are fewer than two annotators, or no note that all of them read.

    Examples
    --------
    >>> import notesieve as ns
    >>> notes = {"a": "Seen by Dr. Quill in Larkmoor."}
    >>> name, place = ({"start": 12, "end": 17, "category": "NAME"}, {"start": 21, "end": 29, "category": "LOCATION"})
    >>> one, two = ns.Gold(notes, {"a": [name, place]}), ns.Gold(notes, {"a": [name]})
    >>> round(ns.agreement({"one": one, "two": two})["pairs"][0]["F1"], 3)
    0.667
    """
    people = [(name, as_gold(gold).to_json()) for name, gold in annotators.items()]
    truth = None if adjudicated is None else as_gold(adjudicated).to_json()
    report = json.loads(run_core_task("agreement", people=people, adjudicated=truth))
    majority = run_core_task("majority", people=people)
    for row in report["by_readers"]:
        row |= _extreme_scores(people, row["readers"], truth or majority)
    return Agreement(report, Gold(**json.loads(majority)))


def _extreme_scores(people: Sequence[tuple[str, str]], annotators: int, truth: str) -> dict[str, dict[str, float]]:
    """Return the lowest and the highest scores over all subsets of this many annotators."""
    rows = []
    for some in combinations(people, annotators):
        # Agreement needs two annotators: one annotator given twice scores like that annotator alone.
        pair = [*some, *((f"{name} again", gold) for name, gold in some)] if annotators == 1 else list(some)
        rows.append(json.loads(run_core_task("agreement", people=pair, adjudicated=truth))["by_readers"][-1])
    measures = ("precision", "recall", "F1")
    return {
        "minimum": {name: min(row[name] for row in rows) for name in measures},
        "maximum": {name: max(row[name] for row in rows) for name in measures},
    }


def sample_size(recall: float = 0.99, confidence: float = 0.95, **expectations: float) -> dict[str, Any]:
    """Compute how many notes people must read to show that recall is above a value.

    Parameters
    ----------
    recall : float
        The recall to show.
    confidence : float
        One-sided.
    **expectations
        ``expected`` recall (default 1: plan for no miss), ``power`` (0.8), ``phi_per_note`` (20) and ``correlation`` of
        the misses of one note (0.05).

    Returns
    -------
    dict
        ``notes`` to read, pieces of ``phi`` in them, ``allowed_misses``, ``design_effect``, ``power``.

    Examples
    --------
    >>> import notesieve as ns
    >>> ns.sample_size(0.99, 0.95, phi_per_note=10, correlation=0)["notes"]
    30
    """
    question = {"recall": recall, "confidence": confidence, **expectations}
    found: dict[str, Any] = json.loads(run_core_task("sample_size", question=question))
    return found


@keep_texts_out_of_tracebacks
def draw_sample(documents: Mapping[str, str], size: int, seed: int = 1) -> tuple[list[dict[str, str]], str]:
    """Draw a stratified sample of documents, and return it with a sheet to fill in.

    Parameters
    ----------
    documents : dict of str to str
        The stratum of each document.
    size : int
        The number of documents to draw.
    seed : int, optional
        The random seed; the same seed draws the same sample.

    Returns
    -------
    tuple of (list of dict, str)
        ``doc`` and ``stratum`` of each, and the text of a CSV file.
    """
    found = json.loads(run_core_task("sample", documents=dict(documents), size=size, seed=seed))
    return found["sample"], found["sheet"]


@keep_texts_out_of_tracebacks
def judge_sample(
    sheet: str | PathLike[str], recall: float = 0.99, confidence: float = 0.95, seed: int = 1, **expectations: float
) -> dict[str, Any]:
    """Read a filled-in sheet and test whether it shows that recall is above a value.

    Parameters
    ----------
    sheet : path
        CSV: ``doc,stratum,phi,missed``.
    recall, confidence : float
        As for `sample_size`.
    seed : int, optional
        The random seed of the bootstrap.
    **expectations
        As for `sample_size`.

    Returns
    -------
    dict
        ``shown``, the ``recall`` in the sample, its ``lower_bound``, the ``design_effect``, tallies by stratum.
    """
    question = {"recall": recall, "confidence": confidence, **expectations}
    found: dict[str, Any] = json.loads(run_core_task("judge", sheet=sheet, question=question, seed=seed))
    return found
