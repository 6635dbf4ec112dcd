"""Learning from one's own notes: features as arrays, training, and which notes to mark next.

Nothing here needs more than the package itself; `Features.to_scipy` needs the extra ``notesieve[learning]``.
"""

from notesieve.learning.arrays import Features, features
from notesieve.learning.choice import suggest
from notesieve.learning.training import Training, train

__all__ = ["Features", "Training", "features", "suggest", "train"]
