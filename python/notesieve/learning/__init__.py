"""Learning from one's own notes: features as arrays and what they tell, training, and which notes to mark next.

Nothing here needs more than the package itself; `Features.to_scipy` needs the extra ``notesieve[learning]``.
"""

from notesieve.learning.arrays import Features, features
from notesieve.learning.choice import suggest
from notesieve.learning.gain import KindImportance, importance
from notesieve.learning.training import Training, train

__all__ = ["Features", "KindImportance", "Training", "features", "importance", "suggest", "train"]
