"""Scores of a system on marked notes, and comparisons of two systems.

The core computes all scores; this module converts inputs (folders, data frames, predictions of any system, a scrubber)
and returns tables. Offsets count code points.
"""

from __future__ import annotations

import csv
import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any

from notesieve import _core
from notesieve.evaluation.annotation_tools.annotations import Rows
from notesieve.evaluation.further_scores import count_by_dictionary, derived_scores
from notesieve.evaluation.gold import Gold, as_gold, required_field, rows_of, run_core_task, span_of_row
from notesieve.scrubber import Scrubber
from notesieve.tracebacks import keep_texts_out_of_tracebacks


def scrubber_predictions(gold: Gold, scrubber: Scrubber) -> str:
    """Scrub the notes of a gold standard; return removals, their reasons and the kept concepts as JSON Lines."""
    lines = []
    docs = list(gold.notes)
    batch = scrubber.scrub_many(gold.notes.values(), explain=True)
    for doc, note in zip(docs, batch, strict=True):
        removing = iter([d for d in note.decisions if d.action == "remove"])
        decision = next(removing, None)
        spans = []
        for removal in note.removed:
            while decision is not None and decision.end <= removal.start:
                decision = next(removing, None)
            reason = None if decision is None else decision.rule or decision.reason
            # An unlisted word is masked without a category.
            category = None if removal.category == "UNLISTED" else removal.category
            spans.append([removal.start, removal.end, category, reason])
        concepts = {
            "original": [mention.code for mention in scrubber.autocode(gold.notes[doc], identifying=True)],
            "kept": [mention.code for mention in note.concepts],
        }
        kept = _kept_inside_spans(note.decisions, gold.spans.get(doc, []))
        lines.append(json.dumps({"doc": doc, "spans": spans, "concepts": concepts, "kept": kept}))
    return "\n".join(lines)


def _kept_inside_spans(decisions: Sequence[_core.Decision], spans: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """Return the tokens kept inside marked spans with the reasons: the causes of leaks."""
    kept = [decision for decision in decisions if decision.action != "remove"]
    ends = [decision.end for decision in kept]
    found = []
    for span in spans:
        for decision in kept[bisect_right(ends, span["start"]) :]:
            if decision.start >= span["end"]:
                break
            if decision.reason != "punctuation":
                found.append([decision.start, decision.end, decision.rule or decision.reason])
    return found


def _predictions_as_json_lines(gold: Gold, predicted: Any) -> str:
    """Return predictions in any supported form as JSON Lines."""
    if isinstance(predicted, Scrubber):
        return scrubber_predictions(gold, predicted)
    if isinstance(predicted, str | PathLike):
        return run_core_task("read_predictions", path=predicted)
    # A dict of lists is either spans by document or columns.
    if isinstance(predicted, Mapping) and "start" not in predicted:
        return "\n".join(
            json.dumps(
                {
                    "doc": doc,
                    "spans": [_predicted_span(span) if isinstance(span, Mapping) else list(span) for span in spans],
                }
            )
            for doc, spans in predicted.items()
        )
    return "\n".join(
        json.dumps({"doc": str(required_field(row, "doc")), **_predicted_span(row)}) for row in rows_of(predicted)
    )


def _predicted_span(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a predicted span from a row."""
    return span_of_row(row, ("category", "reason", "rule"))


@keep_texts_out_of_tracebacks
def evaluate(
    gold: Gold | str | PathLike[str],
    predicted: Any,
    *,
    name: str = "system",
    with_context: bool = False,
    strict: bool = False,
    confidence: float = 0.95,
    draws: int = 1000,
    seed: int = 1,
    vocabulary: _core.Vocabulary | None = None,
    **options: Any,
) -> Evaluation:
    """Score the spans that a system removed against a gold standard.

    Parameters
    ----------
    gold : Gold or path
        The gold standard.
    predicted : Scrubber, path, dict or data frame
        A scrubber, which is run on the notes; a file of predictions; spans by document,
        ``{"doc": [(start, end, category), ...]}``; or a data frame with ``doc``, ``start``, ``end`` and, where
        available, ``category`` and ``reason``. Nothing was removed from a document without spans.
    name : str, optional
        The name of the system in the report.
    with_context : bool, optional
        Show leaked text with its context. Gold text is PHI, so the result is PHI too.
    strict : bool, optional
        Count generic words inside gold spans ("Hospital", "Street") like any other token.
    confidence : float, optional
        The confidence level of all intervals.
    draws : int, optional
        The number of bootstrap replicates over documents; 0 disables the bootstrap.
    seed : int, optional
        The random seed of the bootstrap.
    vocabulary : Vocabulary, optional
        The vocabulary whose lists ``report["dictionary"]`` uses for the words of identifiers. Default: that of a
        scrubber.
    **options
        ``hamming`` ("labels" or "present"), ``labels`` (list of str, the riskiest first), ``risk`` and ``nursing``
        (dict of ``order``, ``rest`` and the members of each group),
        ``document_risk`` (dict of ``medium`` and ``high``).

    Returns
    -------
    Evaluation

    Raises
    ------
    GoldError
        If the gold standard or the predictions cannot be read.
    PolicyError
        If an option is unknown, or a prediction names an unknown document.

    Examples
    --------
    >>> import notesieve as ns
    >>> gold = ns.Gold({"a": "Seen by Dr. Quill."}, {"a": [{"start": 12, "end": 17, "category": "NAME"}]})
    >>> ns.evaluate(gold, {"a": [(12, 17)]})["token"]["recall"]
    1.0
    >>> ns.evaluate(gold, ns.Scrubber())["document"]["zero_leak"]["value"]
    1.0
    """
    gold = as_gold(gold)
    chosen = {"with_context": with_context, "strict": strict, "confidence": confidence, "draws": draws, "seed": seed}
    lines = _predictions_as_json_lines(gold, predicted)
    report = json.loads(run_core_task("evaluate", gold=gold.to_json(), predictions=lines, options=chosen | options))
    report |= derived_scores(report)
    if vocabulary is None and isinstance(predicted, Scrubber):
        vocabulary = predicted.vocabulary
    if vocabulary is not None:
        report["dictionary"] = count_by_dictionary(gold, lines, vocabulary, strict=strict)
    return Evaluation(name=name, report=report, provenance=_provenance(gold, predicted))


def _provenance(gold: Gold, predicted: Any) -> dict[str, str]:
    facts = {"notesieve version": _core.__version__}
    if isinstance(predicted, Scrubber):
        facts["policy"] = repr(predicted.policy)
        kinds = {"policy": "policy", "vocabulary": "vocabulary", "model": "model", "status": "status model"}
        kinds |= {"entities": "entity model"}
        told = {f"{name} digest": predicted.provenance.get(f"{kind}_digest") for kind, name in kinds.items()}
        facts |= {name: digest for name, digest in told.items() if digest}
        if predicted.detectors:
            facts["detectors"] = str(predicted.provenance["detectors"])
    elif isinstance(predicted, str | PathLike):
        facts["predictions"] = Path(predicted).name
    digest = digest_of_gold(gold)
    return facts | {"gold standard digest": digest}


def digest_of_gold(gold: Gold) -> str:
    """Return the SHA-256 of the notes and marks of a gold standard, whatever format it was read from."""
    whole = json.dumps([gold.notes, gold.spans], sort_keys=True, ensure_ascii=True)
    return sha256(whole.encode("ascii")).hexdigest()


@keep_texts_out_of_tracebacks
def compare(
    gold: Gold | str | PathLike[str], first: Any, second: Any, *, draws: int = 1000, seed: int = 1, **options: Any
) -> dict[str, Any]:
    """Compare two systems on the same notes.

    Parameters
    ----------
    gold : Gold or path
        The gold standard.
    first, second : Scrubber, path, dict or data frame
        As for `evaluate`.
    draws, seed : int, optional
        Replicates and random seed of the paired bootstrap over documents.
    **options
        As for `evaluate`.

    Returns
    -------
    dict
        ``mcnemar`` and ``mcnemar_phi`` (all tokens, PHI tokens), and for each of ``measures`` the difference (second
        minus first) with its interval.

    Examples
    --------
    >>> import notesieve as ns
    >>> gold = ns.Gold({"a": "Seen by Dr. Quill."}, {"a": [{"start": 12, "end": 17, "category": "NAME"}]})
    >>> ns.compare(gold, {"a": []}, {"a": [(12, 17)]})["measures"]["recall"]["difference"]
    1.0
    """
    gold = as_gold(gold)
    lines = {"first": _predictions_as_json_lines(gold, first), "second": _predictions_as_json_lines(gold, second)}
    chosen = {"draws": draws, "seed": seed} | options
    found: dict[str, Any] = json.loads(run_core_task("compare", gold=gold.to_json(), options=chosen, **lines))
    return found


@keep_texts_out_of_tracebacks
@dataclass(frozen=True)
class Evaluation:
    """The result of an evaluation.

    Attributes
    ----------
    name : str
        The name of the system.
    report : dict
        All counts, shares and intervals; ``evaluation["token"]`` is short for ``evaluation.report["token"]``.
    provenance : dict
        Versions and digests.
    """

    name: str
    report: dict[str, Any]
    provenance: dict[str, str]

    def __getitem__(self, key: str) -> Any:
        """Return a part of the report."""
        return self.report[key]

    def __repr__(self) -> str:
        """Return a summary with recall and the share of kept tokens."""
        token = self.report["token"]
        kept = self.report["retained_nonphi"]["value"]
        return (
            f"Evaluation({self.name}: recall {token['recall']:.4f}, kept {kept:.4f}, {self.report['documents']} notes)"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything, for JSON."""
        return {"name": self.name, "provenance": self.provenance, **self.report}

    def rows(self, table: str) -> Rows:
        """Return a table of the report as rows, ready for a data frame.

        Parameters
        ----------
        table : {"category", "subtype", "risk", "nursing_risk", "noise", "typed_category", "typed_span", \
"per_document", "dictionary", "leaks", "leak_forms", "over_scrubbed", "problems"}

        Returns
        -------
        list of dict

        Examples
        --------
        >>> import notesieve as ns
        >>> gold = ns.Gold({"a": "Seen by Dr. Quill."}, {"a": [{"start": 12, "end": 17, "category": "NAME"}]})
        >>> [(row["name"], row["token_leaks"]) for row in ns.evaluate(gold, {}).rows("category")]
        [('NAME', 1)]
        """
        found = self.report.get(table, {})
        if isinstance(found, dict):
            return [{"name": name, **row} for name, row in found.items()]
        return list(found)

    def summary(self) -> str:
        """Return the main figures as text for a terminal."""
        from notesieve.evaluation.text_report import summary

        return summary(self)

    def to_html(self, others: Sequence[Evaluation] = ()) -> str:
        """Return one self-contained page to read and print.

        Parameters
        ----------
        others : sequence of Evaluation, optional
            Other systems or policies on the same notes, shown for comparison.

        Returns
        -------
        str
        """
        from notesieve.evaluation.html_report import html_page

        return html_page(self, others)

    def write(self, folder: str | PathLike[str], others: Sequence[Evaluation] = ()) -> list[Path]:
        """Write ``report.html``, ``report.json`` and tables of documents, leaks and lost words as CSV.

        Parameters
        ----------
        folder : path
            The output folder; created if it does not exist.
        others : sequence of Evaluation, optional
            As for `to_html`.

        Returns
        -------
        list of Path
            The written files.
        """
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        written = [target / "report.html", target / "report.json"]
        written[0].write_text(self.to_html(others), encoding="utf-8")
        whole = self.to_dict() | {"others": [other.to_dict() for other in others]}
        written[1].write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        for table in ("per_document", "leak_forms", "over_scrubbed"):
            rows = self.rows(table)
            file = target / f"{table}.csv"
            with file.open("w", encoding="utf-8", newline="") as stream:
                names = list(dict.fromkeys(name for row in rows for name in row))
                writer = csv.DictWriter(stream, names)
                writer.writeheader()
                writer.writerows(rows)
            written.append(file)
        return written

    def _repr_html_(self) -> str:
        from notesieve.evaluation.html_report import html_fragment

        return html_fragment(self)
