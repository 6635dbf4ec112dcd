"""Scores derived from those of the core: both token classes, sums behind means, and words by dictionary."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from notesieve.evaluation.annotation_tools.annotations import OPTIONAL_LABELS, Rows, label_of
from notesieve.evaluation.gold import Gold, as_gold, run_core_task
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    from notesieve._core import Vocabulary

#: Lists with names of people and places.
_NAME_LISTS = frozenset({"surname", "first-name", "city", "place-part"})
_LIST_STATUSES = ("in none", "names only", "words and names", "words only", "numbers")
_SUMS = {"EMR": "exact_matches", "LF": "sum_of_F", "HL": "sum_of_losses", "OE": "one_errors"}


def derived_scores(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the confusion matrix, the scores of non-identifying tokens, and the sums behind the label-set means.

    Parameters
    ----------
    report : dict
        The report of the core.

    Returns
    -------
    dict
        ``confusion`` with the four counts and ``accuracy``; ``other_tokens`` with ``precision``, ``recall`` and
        ``F1``; ``sokolova_sums`` by reading.

    Examples
    --------
    >>> import notesieve as ns
    >>> gold = ns.Gold({"a": "Seen by Dr. Quill."}, {"a": [{"start": 12, "end": 17, "category": "NAME"}]})
    >>> ns.evaluate(gold, {"a": [(0, 4)]})["confusion"]
    {'phi_removed': 0, 'phi_left': 1, 'other_removed': 1, 'other_kept': 2, 'accuracy': 0.5}
    """
    token = report["token"]
    tp, fp, fn = token["tp"], token["fp"], token["fn"]
    tn = report["retained_nonphi"]["part"]
    precision, recall = _ratio_or_one(tn, tn + fn), _ratio_or_one(tn, tn + fp)
    holding = sum(row["phi"] > 0 for row in report["per_document"])
    return {
        "confusion": {
            "phi_removed": tp, "phi_left": fn, "other_removed": fp, "other_kept": tn,
            "accuracy": _ratio_or_one(tp + tn, tp + tn + fp + fn),
        },
        "other_tokens": {
            "precision": precision, "recall": recall,
            "F1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        },
        "sokolova_sums": {
            "category": _sums_of_means(report["sokolova_category"], holding),
            "risk": _sums_of_means(report["sokolova_risk"], holding),
            "leaked": _sums_of_means(report["sokolova_leaked"], report["documents"]),
        },
    }  # fmt: skip


def _ratio_or_one(part: int, whole: int) -> float:
    """Return part / whole, or 1.0 if the whole is 0."""
    return part / whole if whole else 1.0


def _sums_of_means(means: Mapping[str, Any], with_label: int) -> dict[str, float]:
    """Return the sums behind the means over notes in a report."""
    # The one-error is a mean over the notes that have at least one label.
    wholes = {"EMR": means["docs"], "LF": means["docs"], "HL": means["docs"], "OE": with_label}
    return {"docs": means["docs"], **{name: round(means[mean] * wholes[mean], 6) for mean, name in _SUMS.items()}}


# ---- By dictionary


def count_by_dictionary(gold: Gold, predictions: str, vocabulary: Vocabulary, *, strict: bool) -> Rows:
    """Count the words of identifiers, and the leaked ones, by the vocabulary lists that contain them.

    Parameters
    ----------
    gold : Gold
        The gold standard.
    predictions : str
        The removed spans, as JSON Lines.
    vocabulary : Vocabulary
        The vocabulary with the lists.
    strict : bool
        Whether generic words inside identifiers count.

    Returns
    -------
    list of dict
        ``status``, ``tokens``, ``token_leaks`` and ``token_recall``. A word is on no list, only on lists of names of
        people and places, on these and others, or only on others; words with a digit are counted separately.
    """
    words = {doc: list(_words_of_spans(gold.notes[doc], spans)) for doc, spans in gold.spans.items()}
    forms = sorted({word.lower() for found in words.values() for word, _ in found})
    lists = dict(zip(forms, map(frozenset, vocabulary._lists_of(forms)), strict=True))
    marked = {
        doc: [
            {**span, "subtype": "" if span["hipaa"] is False else _list_status(word, lists[word.lower()])}
            for word, span in found
        ]
        for doc, found in words.items()
    }
    chosen = {"draws": 0, "strict": strict}
    found = json.loads(
        run_core_task("evaluate", gold=Gold(gold.notes, marked).to_json(), predictions=predictions, options=chosen)
    )
    rows = []
    for status in _LIST_STATUSES:
        counts = [row for name, row in found["subtype"].items() if name.partition("/")[2] == status]
        tokens, leaks = (sum(row[name] for row in counts) for name in ("tokens", "token_leaks"))
        if tokens:
            recall = (tokens - leaks) / tokens
            rows.append({"status": status, "tokens": tokens, "token_leaks": leaks, "token_recall": recall})
    return rows


def _words_of_spans(text: str, spans: Rows) -> Iterable[tuple[str, dict[str, Any]]]:
    """Yield each word inside a span with a span of its own."""
    for span in spans:
        required = span.get("hipaa", label_of(span) not in OPTIONAL_LABELS) is not False
        kept: dict[str, Any] = {name: span[name] for name in ("category", "clean") if name in span}
        for match in re.finditer(r"\w+", text[span["start"] : span["end"]]):
            place = {"start": span["start"] + match.start(), "end": span["start"] + match.end()}
            yield match[0], {**kept, **place, "hipaa": required}


def _list_status(word: str, lists: frozenset[str]) -> str:
    """Classify a word by the lists that contain it: names, other words, both or none; or as a number."""
    if any(letter.isdigit() for letter in word):
        return "numbers"
    names, others = bool(lists & _NAME_LISTS), bool(lists - _NAME_LISTS)
    return _LIST_STATUSES[(2 if names else 3) if others else int(names)]


# ---- The corpus itself


@keep_texts_out_of_tracebacks
def corpus_statistics(gold: Gold | str | PathLike[str]) -> dict[str, Any]:
    """Return the statistics of a gold standard: its size and its marked spans.

    Parameters
    ----------
    gold : Gold or path
        The gold standard.

    Returns
    -------
    dict
        ``notes``, ``words``, ``phi`` and ``other`` tokens, ``spans``, ``optional`` spans, ``words_per_note``; and
        ``categories`` and ``subtypes``, rows with ``tokens``, their ``share`` of all counted tokens, ``spans``,
        ``per_note`` and, for categories, the ``notes`` that contain one.

    Examples
    --------
    >>> import notesieve as ns
    >>> gold = ns.Gold({"a": "Seen by Dr. Quill."}, {"a": [{"start": 12, "end": 17, "category": "NAME"}]})
    >>> corpus_statistics(gold)["categories"]
    [{'name': 'NAME', 'tokens': 1, 'share': 0.25, 'spans': 1, 'per_note': 1.0, 'notes': 1}]
    """
    gold = as_gold(gold)
    found = json.loads(run_core_task("evaluate", gold=gold.to_json(), predictions="", options={"draws": 0}))
    tokens, notes = found["tokens"], max(found["documents"], 1)
    counted = max(tokens["phi"] + tokens["nonphi"], 1)

    def rows(groups: Mapping[str, Any]) -> Rows:
        return [
            {
                "name": name, "tokens": row["tokens"], "share": row["tokens"] / counted, "spans": row["spans"],
                "per_note": row["spans"] / notes,
            }
            for name, row in groups.items()
        ]  # fmt: skip

    holding = found["document"]["by_category"]
    categories = [row | {"notes": holding.get(row["name"], {"whole": 0})["whole"]} for row in rows(found["category"])]
    spans = sum(map(len, gold.spans.values()))
    return {
        "notes": found["documents"], "words": tokens["words"], "phi": tokens["phi"], "other": tokens["nonphi"],
        "spans": found["span"]["gold"], "optional": spans - found["span"]["gold"],
        "words_per_note": tokens["words"] / notes, "categories": categories, "subtypes": rows(found["subtype"]),
    }  # fmt: skip
