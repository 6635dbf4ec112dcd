"""Learning from your own notes: features as arrays, their importance, training, and active learning.

Only `Features.to_scipy` has an optional dependency, the extra ``notesieve[learning]``.
"""

from notesieve.learning.arrays import Features, features
from notesieve.learning.choice import suggest
from notesieve.learning.gain import KindImportance, importance
from notesieve.learning.training import Training, train

__all__ = ["Features", "KindImportance", "Training", "features", "importance", "suggest", "train"]
