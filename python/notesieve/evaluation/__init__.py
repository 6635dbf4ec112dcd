"""Evaluation of de-identification systems: scores of one system, and comparisons of two.

Includes gold standards, inter-annotator agreement, sampling for review, and reports for a terminal, a notebook and a
board.
"""

from notesieve.evaluation.altered_text import removed_spans
from notesieve.evaluation.annotator_agreement import Agreement, agreement, draw_sample, judge_sample, sample_size
from notesieve.evaluation.further_scores import corpus_statistics
from notesieve.evaluation.gold import Gold
from notesieve.evaluation.scores import Evaluation, compare, evaluate, scrubber_predictions

__all__ = [
    "Agreement",
    "Evaluation",
    "Gold",
    "agreement",
    "compare",
    "corpus_statistics",
    "draw_sample",
    "evaluate",
    "judge_sample",
    "removed_spans",
    "sample_size",
    "scrubber_predictions",
]
