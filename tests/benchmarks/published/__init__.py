"""Twenty years of published de-identification methods, reimplemented and measured on the marked notes of ``corpus/``.

    make published                                                         # everything, by folds of batches
    python -m published --models FOLDER -o report/published.json           # the same, from tests/benchmarks
    python -m published corpus/train/T1.txt corpus/train/T2.txt --folds 2  # some batches
    python -m published GOLD --folds 5                                     # a gold set, by folds of documents

Each system has a file of its own, except policies of notesieve, with ``name``, ``published`` (what its authors
reported), ``fit(notes)`` and ``predict(notes)``; see `published.systems`. They are for comparison only, never for use
on notes.
"""
