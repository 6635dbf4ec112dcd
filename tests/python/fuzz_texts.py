"""Texts that nobody would write, and whether what comes out of them is what may come out.

    python tests/python/fuzz_texts.py --count 1000000

Each text is put together at random from what has leaked or could: names, terms with a piece missing, numbers of every
form glued to anything, tags and codes of an earlier scrub, tricks of writing. Every output must pass
``notesieve.verify``, under each policy. The same seed gives the same texts.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache

import notesieve as ns

POLICIES = ("safe", "berman", "safe-preferred", "safe-code", "wide")
GLUE = [
    "",
    "-",
    "/",
    ".",
    ",",
    ":",
    "'",
    "+",
    "(",
    ")",
    "_",
    "#",
    "'s ",
    "’s ",
    "\n",
    "\n\n",
    "\t",
    "  ",
    ", ",
    ". ",
    ": ",
]
NUMBERS = [
    "{a}", "{b}", "{c}", "{a}.{a}", "{a}/{a}", "{b}/{b}", "{b}/{a}/{c}", "{a}/{a}/{d}", "{d}-{a}-{a}", "{a}-{a}",
    "{c}-{c}-{d}", "({c}) {c}-{d}", "{c}-{a}-{d}", "{d}", "{d}{d}", "{c},{c}", "{a}:{b}", "1:{d}", "{a}x{a}",
    "{a} x {a}", "{a}%", "{a}.{b}%", "{d}{b}.{a}%", "9{a}", "9{a} y/o", "9{a}-year-old", "{b}yo", "90+",
    "90+-year-old", "{a}½", "½", "{a}¾ mg", "10⁶", "m²", "T{a}", "C{a}-{a}", "G{a}P{a}", "q{a}h", "{a}mg", "{b} mg",
    "{a}+/{a}", "{a}-0", "#{a}", "{a}.", "{a})", "{a}th", "CD{b}", "E{b}.{a}", "CPT {d}{a}", "ICD-9 {c}.{b}",
    "BP {c}/{b}", "MRN {d}{c}", "S{b}-{d}", "{a}cm", "{a} weeks", "x{a}", "pH 7.{b}", "{b}/{b}/{b}", "{a}M",
    "{a} F", "0{d}", "T{a}N{a}M{a}", "stage {a}", "{a} to {a}", "{a} and {a}", "@{d}", "{d}/{b}",
    "c.{b}delG", "c.{c}_{c}dup", "p.Val{c}Glu", "BRAF V{c}E", "{a}MWD {c}", "{a}h{b}", "{a}y{a}m", "{a}x", "{a}x/wk",
    "BBPS {a}-{a}-{a}", "{b}->{b}", "{a}/24 ago", "bid x{a}/7", "UR{a}", "R{a}M{a}", "{b}+{a}/40", "{b}x{b}x{b}",
    "{b} cmH2O", "{c}/h", "{b} Gy/{b}#", "NIHSS {a}: gaze {a}, face {a}, arm {a}", "HAM-D {b}", "WBC.....{b}",
    "Na   {c}   {b}-{c}", "LAVI {b}", "SLNB {a}/{b}", "{a}:{a}:{a}", "V{b} {b}%",
    "WBC {a}.{b}, calf {b}, PT {b}, sup {b}",
]  # fmt: skip
OWN = [
    "[NAME]", "[DATE]", "[LOCATION]", "[CONTACT]", "[ID]", "[AGE]", "***", "*", "****", "[mesh:D003920]", "[NAME",
    "NAME]", "[name]", "[mesh:D999999999]", "diabetes mellitus [mesh:D003920]", "[x:y]", "[hp:0001945]",
    "[mesh:zwil]",
]  # fmt: skip
CONTEXT = (
    "Dr. Mr. Mrs. MD RN per told with seen by wife daughter son Name: PATIENT: DOB: Attending: signed from lives in at "
    "Hospital Clinic Street Road sign disease catheter syndrome scale test drain procedure stage grade the a no and of "
    "was reports denies in on since Apgars BP pulse sodium strength gravida para age died"
).split()
CUES = (
    "unit measurement score dose counted marker level month title relative facility state id-keyword duration "
    "eponym-noun credential"
).split()
INVISIBLE = "\u200b\u200c\u200d\u00ad\u2060\ufeff\u200e\u200f\u202e\u2066\ufe0f\u034f\u180e\ufff9\U000e0041\x00\x08\x9c"
ALIKE = str.maketrans("aceiopsxyABEHKMOPTX", "асеіорѕхуАВЕНКМОРТХ")
SPACES = "\u00a0\u2003\u2009\u3000\u2028\u0085\u2800\u202f"


def _full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def _bold_letters(text: str) -> str:
    return "".join(
        chr(0x1D400 + ord(c) - 65) if "A" <= c <= "Z" else chr(0x1D41A + ord(c) - 97) if "a" <= c <= "z" else c
        for c in text
    )


def _digits_of_script(zero: int) -> Callable[[str], str]:
    return lambda text: "".join(chr(zero + int(c)) if c in "0123456789" else c for c in text)


def _random_inserter(what: str) -> Callable[[str, random.Random], str]:
    def insert_at_random(text: str, rng: random.Random) -> str:
        at = rng.randint(0, len(text))
        return text[:at] + rng.choice(what) + text[at:]

    return insert_at_random


def disguise(text: str, rng: random.Random) -> str:
    """Write a text with one trick."""
    tricks: list[Callable[[], str]] = [
        lambda: _random_inserter(INVISIBLE)(text, rng),
        lambda: _random_inserter(INVISIBLE)(_random_inserter(INVISIBLE)(text, rng), rng),
        lambda: _random_inserter(SPACES)(text, rng),
        lambda: _random_inserter("\u0301\u0308\u0327\u20dd\u0489")(text, rng),
        lambda: _random_inserter("\ud800\udfff\ufffd")(text, rng),
        lambda: _random_inserter("\u2010\u2011\u2013\u2019\u02bc\u00b4")(text, rng),
        lambda: text.translate(ALIKE),
        lambda: _full_width(text),
        lambda: _bold_letters(text),
        lambda: _digits_of_script(rng.choice([0x660, 0x6F0, 0x966, 0xFF10, 0x1D7CE, 0x1E950]))(text),
        lambda: text.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")),
        lambda: text.translate(str.maketrans("123456789", "①②③④⑤⑥⑦⑧⑨")),
        lambda: text.replace("fi", "ﬁ").replace("fl", "ﬂ").replace("ff", "ﬀ").replace("st", "ﬆ"),
        lambda: text.replace("i", "ı").replace("I", "İ").replace("s", "ſ").replace("ss", "ß"),
        lambda: "\u202e" + text[::-1] + "\u202c",
        lambda: "".join(chr(0xE0000 + ord(c)) if c.isascii() else c for c in text),
        lambda: "".join(rng.choice((c.upper(), c.lower())) for c in text),
    ]
    return rng.choice(tricks)()


@cache
def _words_by_kind() -> dict[str, list[str]]:
    vocabulary = ns.Vocabulary.default()
    rng = random.Random(1)

    def sample_list(list_name: str, count: int) -> list[str]:
        words = vocabulary.words(list_name)
        return rng.sample(words, min(count, len(words)))

    terms = [term for term, _ in vocabulary.terms()]
    return {
        "name": sample_list("surname", 3000) + sample_list("first-name", 1500),
        "eponym": sample_list("eponym", 400),
        "word": sample_list("english", 4000) + sample_list("stop", 120) + sample_list("clinical", 500),
        "part": sample_list("term-part", 1500),
        "cue": [word for name in CUES for word in sample_list(name, 60)],
        "place": sample_list("city", 800),
        "term": rng.sample([term for term in terms if " " in term], 4000) + rng.sample(terms, 1500),
    }


def _unlisted_word(rng: random.Random) -> str:
    return "".join(
        rng.choice(["zw", "br", "ch", "k", "sch", "x", "qu"]) + rng.choice("aeiou") for _ in range(rng.randint(2, 4))
    )


def _random_case(word: str, rng: random.Random) -> str:
    return rng.choice([word, word, word.capitalize(), word.capitalize(), word.upper(), word.title()])


def _random_piece(rng: random.Random) -> str:
    kind = rng.randrange(12)
    lists = _words_by_kind()
    if kind == 0:
        digits = {
            "a": rng.randint(0, 9),
            "b": rng.randint(10, 99),
            "c": rng.randint(100, 999),
            "d": rng.randint(1000, 9999),
        }
        return rng.choice(NUMBERS).format(**digits)
    if kind == 1:
        return rng.choice(OWN)
    if kind == 2:
        return _random_case(_unlisted_word(rng), rng)
    if kind == 3:
        return rng.choice(CONTEXT)
    if kind == 4:
        # A term in which one word is another.
        words = rng.choice(lists["term"]).split(" ")
        words[rng.randrange(len(words))] = rng.choice([_unlisted_word(rng), rng.choice(lists["name"])])
        return " ".join(_random_case(word, rng) for word in words)
    name = ("name", "eponym", "word", "part", "cue", "place", "term")[kind - 5]
    return _random_case(rng.choice(lists[name]), rng)


def fuzz_text(seed: int) -> str:
    """Make the text of a seed."""
    rng = random.Random(seed)
    parts: list[str] = []
    for _ in range(rng.randint(1, 14)):
        piece = _random_piece(rng)
        if rng.random() < 0.12:
            piece = disguise(piece, rng)
        parts += [piece, " " if rng.random() < 0.7 else rng.choice(GLUE)]
    return "".join(parts)


@cache
def scrubber_by_policy() -> dict[str, ns.Scrubber]:
    """One scrubber for each policy of :data:`POLICIES`."""
    vocabulary = ns.Vocabulary.default()
    policies = {
        "safe": ns.Policy("safe"),
        "berman": ns.Policy("berman"),
        "safe-preferred": ns.Policy("safe", terms="preferred"),
        "safe-code": ns.Policy("safe", terms="code"),
        "wide": ns.Policy("safe", numbers="wide"),
    }
    return {name: ns.Scrubber(policies[name], vocabulary) for name in POLICIES}


def find_failures(seeds: range, policy: str) -> Iterator[tuple[int, ns.VerifyError]]:
    """Give each seed whose output does not pass, with what is wrong."""
    scrubber = scrubber_by_policy()[policy]
    texts = [fuzz_text(seed) for seed in seeds]
    for seed, note in zip(seeds, scrubber.scrub_many(texts, threads=1), strict=True):
        try:
            ns.verify(note.text, scrubber)
        except ns.VerifyError as problem:
            yield seed, problem


def _check_chunk(job: tuple[range, str]) -> list[tuple[int, str, str]]:
    seeds, policy = job
    return [(seed, policy, str(problem)) for seed, problem in find_failures(seeds, policy)]


def main() -> int:
    """Check as many texts as asked for and print the seeds that fail."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1_000_000, help="how many texts; default a million")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=None, help="default: one a core")
    options = parser.parse_args()
    size = 1000
    starts = range(options.seed, options.seed + options.count, size)
    jobs = [
        (range(start, min(start + size, options.seed + options.count)), POLICIES[number % len(POLICIES)])
        for number, start in enumerate(starts)
    ]
    wrong: Counter[str] = Counter()
    begun = time.monotonic()
    with ProcessPoolExecutor(options.processes) as pool:
        for done, found in enumerate(pool.map(_check_chunk, jobs), 1):
            for seed, policy, problem in found:
                wrong[policy] += 1
                print(f"seed {seed}, policy {policy}: {problem}")
            if sys.stderr.isatty():
                rate = done * size / (time.monotonic() - begun)
                print(f"\r{done * size:>9,} texts, {rate:,.0f} a second", end="", file=sys.stderr)
    print(f"{options.count:,} texts: {sum(wrong.values()):,} outputs do not pass {dict(wrong) or ''}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
