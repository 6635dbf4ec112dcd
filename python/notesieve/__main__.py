"""`python -m notesieve` is the command `notesieve`."""

import sys

from notesieve.cli import main

if __name__ == "__main__":
    sys.exit(main())
