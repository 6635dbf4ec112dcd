"""Run philter-lite (PyPI) over a folder of notes and write what it removed, as the scorer of gold notes reads it.

    python run_philter_lite.py GOLD/notes -o philter-lite.jsonl [--limit 300]

philter-lite tags parts of speech by NLTK's perceptron, whose model NLTK downloads apart
(``python -m nltk.downloader averaged_perceptron_tagger_eng``). Where it is missing, ``--tagger pattern`` takes the
tagger that comes with TextBlob; few of its 313 filters ask for a part of speech, and the line printed says which
tagger was used. A note that takes longer than ``--timeout`` seconds (some of its regular expressions backtrack) gets
no prediction and is counted as unfinished; its time counts.
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import FrameType

import nltk
import philter_lite

Tagger = Callable[[list[str]], list[tuple[str, str]]]


class TooLongError(Exception):
    """A note took longer than it may."""


def interrupt(_signal: int, _frame: FrameType | None) -> None:
    """Give up the note at hand."""
    raise TooLongError


def pattern_tagger() -> Tagger:
    """TextBlob's tagger; white space, which philter-lite hands over too, gets no tag."""
    from textblob.en import parser

    def tag(words: list[str]) -> list[tuple[str, str]]:
        tags = iter(parser.find_tags([word for word in words if not word.isspace()]))
        return [(word, "") if word.isspace() else (word, next(tags)[1]) for word in words]

    return tag


def removed(text: str, output: str) -> list[list[int]]:
    """Runs of asterisks that were no asterisk before; philter-lite's output is as long as its input."""
    if len(output) != len(text):
        raise ValueError("the output is not as long as the input")
    spans: list[list[int]] = []
    for match in re.finditer(r"\*+", output):
        for at in range(*match.span()):
            if text[at] == "*":
                continue
            if spans and spans[-1][1] == at:
                spans[-1][1] = at + 1
            else:
                spans.append([at, at + 1])
    return spans


def main(arguments: list[str] | None = None) -> None:
    """Entry point of the command line."""
    cli = argparse.ArgumentParser(description="Run philter-lite over a folder of notes.")
    cli.add_argument("notes", type=Path, help="folder of .txt files")
    cli.add_argument("-o", "--output", type=Path, required=True, help="predictions, JSON lines")
    cli.add_argument("--limit", type=int, help="the first so many notes only")
    cli.add_argument("--timeout", type=float, default=60.0, help="seconds a note may take (default 60)")
    cli.add_argument("--tagger", choices=["nltk", "pattern"], default="nltk")
    options = cli.parse_args(arguments)

    if options.tagger == "pattern":
        nltk.pos_tag = pattern_tagger()
    else:
        try:
            nltk.pos_tag(["a"])
        except LookupError:
            cli.error("NLTK's tagger model is not installed: see the first lines of this file, or --tagger pattern")
    package = Path(philter_lite.__file__).parent
    filters = philter_lite.load_filters(str(package / "configs" / "philter_delta.toml"))
    paths = sorted(options.notes.glob("*.txt"))[: options.limit]
    signal.signal(signal.SIGALRM, interrupt)

    size = unfinished = 0
    seconds = 0.0
    options.output.parent.mkdir(parents=True, exist_ok=True)
    with options.output.open("w", encoding="utf-8") as out:
        for number, path in enumerate(paths, 1):
            text = path.read_bytes().decode("utf-8")
            size += len(text.encode())
            begin = time.perf_counter()
            signal.setitimer(signal.ITIMER_REAL, options.timeout)
            try:
                included, _, _ = philter_lite.detect_phi(text, patterns=filters)
                output = philter_lite.transform_text_asterisk(text, included)
            except TooLongError:
                unfinished += 1
                continue
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                seconds += time.perf_counter() - begin
            out.write(json.dumps({"doc": path.stem, "spans": removed(text, output)}) + "\n")
            if number % 50 == 0:
                print(f"{number}/{len(paths)} notes, {size / 1e6 / seconds:.4f} MB/s", file=sys.stderr)
    print(
        json.dumps(
            {
                "system": f"philter-lite {metadata.version('philter-lite')}", "tagger": options.tagger,
                "notes": len(paths), "unfinished": unfinished, "megabytes": round(size / 1e6, 3),
                "seconds": round(seconds, 1),
                "megabytes_per_second": round(size / 1e6 / seconds, 5) if seconds else None,
            }
        )
    )  # fmt: skip


if __name__ == "__main__":
    main()
