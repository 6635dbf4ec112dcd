"""Training of a model on a site's own marked notes, with cross-validation."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from hashlib import sha256
from os import PathLike
from typing import Any

import numpy as np

from notesieve import _core
from notesieve._core import Model, Policy
from notesieve.batches import Batch
from notesieve.errors import GoldError, SettingError
from notesieve.evaluation.annotation_tools.annotations import Rows
from notesieve.evaluation.gold import Gold, as_gold
from notesieve.evaluation.scores import Evaluation, compare, evaluate, scrubber_predictions
from notesieve.learning import marks
from notesieve.progress import progress_bar
from notesieve.scrubber import Scrubber
from notesieve.tracebacks import keep_texts_out_of_tracebacks

# Features in fewer marked notes are dropped: the model would memorise those notes.
MIN_DOCUMENTS = 5

# Marked notes that improve the model, by the table of docs/how-to/train.md.
_MIN_MARKED_NOTES = 50


@dataclass(frozen=True)
class Training:
    """A trained model with its cross-validated scores.

    Attributes
    ----------
    model : Model
        The model trained on all notes; for ``Scrubber(model=...)``.
    notes : int
        The number of training notes.
    strictness : int or None
        The policy `strictness` at which the model keeps no more of the non-identifying words than the initial model did
        with the given policy. Use it: a model that has seen similar notes is more confident and keeps more.
    problems : list of dict
        ``doc`` and ``problem`` of what could not be used.
    before, after : Evaluation or None
        The scores of the scrubber's own model; and of models trained without the fold of each note, at that
        `strictness`.
    comparison : dict
        The comparison of both by `notesieve.compare`.
    """

    model: Model
    notes: int
    strictness: int | None = None
    problems: Rows = field(default_factory=list)
    before: Evaluation | None = None
    after: Evaluation | None = None
    comparison: dict[str, Any] = field(default_factory=dict)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file, for ``Scrubber(model=path)`` and ``--model path``."""
        self.model.save(path)

    def changes(self) -> Rows:
        """Return the leaks by category before and after training.

        Returns
        -------
        list of dict
            ``category``, ``tokens``, ``leaks_before`` and ``leaks_after``.
        """
        if self.before is None or self.after is None:
            return []
        after = {row["name"]: row["token_leaks"] for row in self.after.rows("category")}
        return [
            {
                "category": row["name"],
                "tokens": row["tokens"],
                "leaks_before": row["token_leaks"],
                "leaks_after": after.get(row["name"], 0),
            }
            for row in self.before.rows("category")
        ]

    def summary(self) -> str:
        """Return the effect of training as text for a terminal."""
        lines = [f"learned from {self.notes} notes"]
        if self.before is None or self.after is None:
            return lines[0]
        lines.append("on notes that were left out of training, fold by fold:")
        lines.append(f"  {'':22}{'before':>9}{'after':>9}   change")
        shares = self.comparison["measures"]
        for name, told, of in _SUMMARY_MEASURES:
            row = shares[name]
            low, high = row["interval"]["low"], row["interval"]["high"]
            one, two = of(self.before), of(self.after)
            lines.append(f"  {told:22}{one:9.4f}{two:9.4f}  {row['difference']:+.4f} ({low:+.4f} to {high:+.4f})")
        lines.extend(
            f"  leaks, {row['category']:15}{row['leaks_before']:9}{row['leaks_after']:9}   of {row['tokens']} tokens"
            for row in self.changes()
        )
        lines.append(f"this holds for a policy with strictness = {self.strictness}; with less, more comes out")
        return "\n".join(lines)

    def __repr__(self) -> str:
        """Return the counts only, no content."""
        return f"Training({self.notes} notes, {len(self.problems)} problems, {self.model!r})"


_SUMMARY_MEASURES: list[tuple[str, str, Callable[[Evaluation], float]]] = [
    ("recall", "recall", lambda found: float(found["token"]["recall"])),
    ("precision", "precision", lambda found: float(found["token"]["precision"])),
]


@keep_texts_out_of_tracebacks
def train(
    gold: Gold | str | PathLike[str],
    *,
    scrubber: Scrubber | None = None,
    from_scratch: bool = False,
    folds: int = 5,
    by: Mapping[str, str] | None = None,
    epochs: int = 12,
    l2: float = 30.0,
    rate: float = 0.05,
    seed: int = 1,
    threads: int | None = None,
    progress: bool | None = None,
) -> Training:
    """Adapt a model to your own marked notes.

    The model contains no text, only a hash and weights for each feature. Features in fewer than five notes are dropped,
    so that the model contains no name or number of a few notes.

    Parameters
    ----------
    gold : Gold or path
        The marked notes, in any format that `Gold.read` knows.
    scrubber : Scrubber, optional
        The scrubber whose vocabulary and policy are used, and whose model is the starting point. Default:
        ``Scrubber()``.
    from_scratch : bool, optional
        Train from zero instead of from the scrubber's model; for many hundred notes.
    folds : int, optional
        The number of cross-validation folds; 0 only trains, without evaluation.
    by : dict of str to str, optional
        The group of each document, such as a patient, an author or a ward; a group is never split across folds.
        Default: each document is its own group.
    epochs : int, optional
        The number of passes over all notes.
    l2 : float, optional
        The strength of the L2 penalty towards the initial weights.
    rate : float, optional
        The learning rate.
    seed : int, optional
        The random seed of the fold assignment.
    threads : int, optional
        The number of threads. Default: ``NOTESIEVE_THREADS``, or one per core. The result is the same for any number.
    progress : bool, optional
        Whether to show a progress bar. Default: in a terminal or notebook.

    Returns
    -------
    Training

    Raises
    ------
    GoldError
        If the gold standard cannot be read, no note of it can be used, or nothing in it is marked.
    SettingError
        If there are fewer notes, or groups of notes, than folds.

    Warns
    -----
    UserWarning
        If fewer than fifty notes, or fewer than half of the notes, have a mark: the model learns to keep what is not
        marked.

    Examples
    --------
    >>> import notesieve as ns
    >>> notes = {f"n{at}": "Seen by zorvex today." for at in range(6)}
    >>> marked = {doc: [{"start": 8, "end": 14, "category": "NAME"}] for doc in notes}
    >>> training = ns.learning.train(ns.Gold(notes, marked), folds=2)
    >>> ns.Scrubber(model=training.model).model == training.model
    True
    """
    gold, problems = marks.usable_documents(as_gold(gold))
    if not gold.notes:
        first = f": {problems[0]['doc']}: {problems[0]['problem']}" if problems else ""
        raise GoldError(f"there is no note to learn from{first}")
    _check_annotations(gold)
    scrubber = scrubber or Scrubber()
    now = scrubber.policy.strictness
    if not isinstance(now, int) or scrubber.policy.sections:
        message = "training measures at one strictness: give a policy without one per category or section"
        raise SettingError(message)
    groups = _assign_folds(gold, folds, by, seed)
    total = len(gold) + (folds + 1) * len(gold)
    start = None if from_scratch else scrubber.model
    with progress_bar(progress, total=total, desc="notesieve", unit=" notes") as bar:
        places = np.array([groups[doc] for doc in gold.notes], dtype=np.uint32)
        trainer = _core.Trainer(
            scrubber, Batch(gold.notes.values()), marks.mark_columns(gold), places, start,
            documents=MIN_DOCUMENTS, epochs=epochs, l2=l2, rate=rate, threads=threads, tell=bar.update,
        )  # fmt: skip
        docs = list(gold.notes)
        problems += [{"doc": docs[at], "problem": problem} for at, problem in trainer.skipped]
        provenance = _provenance_json(gold, scrubber, start, seed)
        models = _train_models(trainer, provenance, folds, threads, lambda: bar.update(len(gold)))
    found = Training(model=models[None], notes=len(gold), problems=problems)
    if not folds:
        return found
    before = _removed_spans(gold, scrubber)
    evaluated = evaluate(gold, before, name="before", seed=seed)
    for strictness in _strictness_levels(now):
        after = _removed_by_held_out_models(gold, groups, models, scrubber, strictness)
        # A model that has seen similar notes is more confident and keeps more, identifiers included; compare at equal
        # specificity.
        kept = evaluate(gold, after, draws=0)["retained_nonphi"]["value"]
        if kept <= evaluated["retained_nonphi"]["value"]:
            break
    return Training(
        model=models[None],
        notes=len(gold),
        strictness=strictness,
        problems=problems,
        before=evaluated,
        after=evaluate(gold, after, name="after", seed=seed),
        comparison=compare(gold, before, after, seed=seed),
    )


def _check_annotations(gold: Gold) -> None:
    """Raise if nothing is marked, and warn if so little is marked that the model may leak more."""
    marked = sum(any(marks.training_label(span) != marks.IGNORED for span in spans) for spans in gold.spans.values())
    if not marked:
        raise GoldError(
            f"nothing that identifies is marked in these notes ({len(gold)}): a model would learn that all may come out"
        )
    told = f"only {marked} of {len(gold)} notes have a mark of what identifies"
    if 2 * marked < len(gold):
        text = f"{told}: of what is not marked in the others the model learns that it may come out"
        warnings.warn(f"{text}; leave them out if nobody has read them", UserWarning, stacklevel=4)
    elif marked < _MIN_MARKED_NOTES:
        text = f"{told}: the model may leak more than before; {_MIN_MARKED_NOTES} or more are recommended"
        warnings.warn(f"{text}, see docs/how-to/train.md", UserWarning, stacklevel=4)


def _strictness_levels(now: int) -> list[int]:
    """Return the strictness of a policy and higher ones, up to 32 times."""
    return sorted({round(max(now, 1) * 2 ** (step / 2)) for step in range(11)})


def _removed_by_held_out_models(
    gold: Gold, groups: Mapping[str, int], models: Mapping[int | None, Model], scrubber: Scrubber, strictness: int
) -> dict[str, Any]:
    """Return the spans that are removed from each note by a model trained without its fold."""
    policy = Policy.from_toml(
        re.sub(r"(?m)^strictness = \d+$", f"strictness = {strictness}", scrubber.policy.to_toml())
    )
    found: dict[str, Any] = {}
    for fold in sorted(set(groups.values())):
        some = Gold({doc: text for doc, text in gold.notes.items() if groups[doc] == fold}, {})
        found |= _removed_spans(some, Scrubber(policy, scrubber.vocabulary, key=scrubber.key, model=models[fold]))
    return found


def _removed_spans(gold: Gold, scrubber: Scrubber) -> dict[str, Any]:
    """Return the spans that a scrubber removes, by document."""
    lines = scrubber_predictions(gold, scrubber).split("\n") if gold.notes else []
    return {row["doc"]: row["spans"] for row in map(json.loads, lines)}


def _assign_folds(gold: Gold, folds: int, by: Mapping[str, str] | None, seed: int) -> dict[str, int]:
    """Assign documents to folds by group, in an order that depends only on the seed."""
    of = {doc: doc if by is None else by.get(doc, doc) for doc in gold.notes}
    drawn = sorted(set(of.values()), key=lambda group: sha256(f"{seed} {group}".encode()).digest())
    if folds and (folds < 2 or len(drawn) < folds):
        unit = "notes" if by is None else "groups of notes"
        raise SettingError(f"folds={folds}: must be 0, or from 2 to the number of {unit}, here {len(drawn)}")
    place = {group: at % max(folds, 1) for at, group in enumerate(drawn)}
    return {doc: place[group] for doc, group in of.items()}


def _provenance_json(gold: Gold, scrubber: Scrubber, start: Model | None, seed: int) -> str:
    """Return the provenance as JSON: initial model, number of notes, seed and vocabulary."""
    facts = {
        "adapted_from": None if start is None else start.digest,
        "notes": len(gold),
        "seed": seed,
        "vocabulary": scrubber.vocabulary.digest,
    }
    return json.dumps(facts)


def _train_models(
    trainer: _core.Trainer, provenance: str, folds: int, threads: int | None, tell: Callable[[], Any]
) -> dict[int | None, Model]:
    """Train one model without each fold and one on all notes, in parallel; the core releases the GIL."""
    wanted: list[int | None] = [None, *range(folds)]
    models = {}
    with ThreadPoolExecutor(_core.threads(threads)) as pool:
        jobs = {pool.submit(trainer.train_without_group, without, provenance=provenance): without for without in wanted}
        for job in as_completed(jobs):
            models[jobs[job]] = job.result()
            tell()
    return models
