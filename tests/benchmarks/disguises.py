"""How well are names found that are written so that nobody reads them as words? Tricks with drawn names, one a line.

    python disguises.py                    # 500 tricks, scrubbed and counted by carrier
    python disguises.py --tricks 2000 --seed 7
    python disguises.py --list             # prints the tricks alone

A carrier hides a name: letters set apart, numbers of HTML, folders, raised letters. A trick is caught if the name
cannot be read back from the output of a scrub, by a reader who undoes every carrier there is: entities and escapes are
read, marks and white space are left out. Names are drawn: words that are names as well, which every list lets out, and
names that no list has.
"""

from __future__ import annotations

import argparse
import collections
import html
import random
import re
import sys
import unicodedata
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass

import notesieve as ns

#: Words that are also names: lists vouch for each of them.
WORDS = (
    "Rose Brown White Green Young Grace Amber Cotton Hope Faith Black Wood Stone Field Banks Cook Baker Carter Mason "
    "Hunter Page Price Rice Root Chance Olive Ivy Lily Summer Joy Will Mark Bill Frank Drew Grant Miles Pierce Reed "
    "Sharp Small Strong Swan West North Winter Wise Best Bird "
    "Bush Day Love Long Short Sweet Fox Hill Marsh Park Pool Rivers Waters Woods"
).split()
#: The syllables of invented names.
SYLLABLES = "bra del fon gar hes kal lin mor nes pil ken ros sal tam ver wil zor bruck ham ley son ton".split()
#: The texts around a trick, which replaces `%s`.
SENTENCES = (
    "Seen with %s about the rash.",
    "Discussed with %s today.",
    "No fever. %s agreed to the plan.",
    "Patient: %s\nNo chest pain.",
    "The rash is better.\n%s\nContinue metformin.",
    "Asthma, as %s said, is stable.",
)
#: Unicode has no raised q, and no raised C, F, Q, S, X, Y, Z.
RAISED = dict(
    zip(
        "abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW",
        "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ",
        strict=True,
    )
)
SAID = "zero one two three four five six seven eight nine".split()


@dataclass(frozen=True, slots=True)
class Trick:
    """A text, the words that it hides, and the carrier. ``baseline_text`` is the text without the trick."""

    carrier: str
    text: str
    baseline_text: str
    hidden: tuple[str, ...]


def _replace_each_letter(form: Callable[[str], str]) -> Callable[[random.Random, str], str]:
    """Return a function that encodes every letter."""
    return lambda _, name: "".join(form(letter) if letter.isalpha() else letter for letter in name)


def _replace_some_letters(form: Callable[[str], str]) -> Callable[[random.Random, str], str]:
    """Return a function that encodes one letter of each word, two of longer ones."""

    def write(rng: random.Random, name: str) -> str:
        words = []
        for word in name.split(" "):
            places = set(rng.sample(range(len(word)), 1 + (len(word) > 4)))
            words.append("".join(form(letter) if at in places else letter for at, letter in enumerate(word)))
        return " ".join(words)

    return write


def _space_letters(between: str, words: str | None = None) -> Callable[[random.Random, str], str]:
    """Return a function that separates the letters."""
    return lambda _, name: (words or between).join(between.join(word) for word in name.split(" "))


def _insert_markup(before: str, behind: str) -> Callable[[random.Random, str], str]:
    """Return a function that puts markup around a letter inside each word."""

    def write(rng: random.Random, name: str) -> str:
        words = []
        for word in name.split(" "):
            at = rng.randrange(1, len(word) - 1)
            words.append(f"{word[:at]}{before}{word[at]}{behind}{word[at + 1 :]}")
        return " ".join(words)

    return write


def _insert_invisible(*marks: str) -> Callable[[random.Random, str], str]:
    """Return a function that inserts an invisible or meaningless string into each word."""

    def write(rng: random.Random, name: str) -> str:
        words = []
        for word in name.split(" "):
            at = rng.randrange(1, len(word))
            words.append(word[:at] + rng.choice(marks) + word[at:])
        return " ".join(words)

    return write


def _number_letters(form: str) -> Callable[[random.Random, str], str]:
    """Return a function that numbers the letters."""

    def write(rng: random.Random, name: str) -> str:
        first = rng.choice([1, 1, 1, 4])
        return " ".join(form.format(first + at, letter) for at, letter in enumerate(name.replace(" ", "")))

    return write


def _separate_by_marks(rng: random.Random, name: str) -> str:
    """Separate the letters by runs of random marks."""
    return "".join(
        letter + rng.choice(["", " "]).join(rng.choices("-.=_*/", k=rng.randrange(3, 7))) for letter in name
    ).rstrip("-.=_*/ ")


def _join_letters(rng: random.Random, name: str) -> str:
    """Join all letters by the same word or mark."""
    return rng.choice([" and ", " then ", ", then ", " dash ", " plus "]).join(name.replace(" ", ""))


def _break_words(by: str) -> Callable[[random.Random, str], str]:
    """Return a function that breaks each word at a line end."""

    def write(rng: random.Random, name: str) -> str:
        cuts = [(word, rng.randrange(1, len(word))) for word in name.split(" ")]
        return " ".join(word[:at] + by + word[at:] for word, at in cuts)

    return write


def _percent_encode(letter: str) -> str:
    return "".join(f"%{byte:02X}" for byte in letter.encode())


CARRIERS: dict[str, Callable[[random.Random, str], str]] = {
    "blanks": _space_letters(" ", "   "),
    "points": _space_letters(".", ". "),
    "points and blanks": _space_letters(". "),
    "hyphens": _space_letters("-", " "),
    "hyphens and blanks": _space_letters(" - "),
    "slashes": _space_letters("/", " "),
    "underscores": _space_letters("_", " "),
    "lines": _space_letters("\n"),
    "commas": _space_letters(", "),
    "bars": _space_letters("|", " "),
    "middle points": _space_letters("·", " "),
    "capitals and blanks": lambda _, name: "   ".join(" ".join(word) for word in name.upper().split(" ")),
    "small letters and blanks": lambda _, name: "  ".join(" ".join(word) for word in name.lower().split(" ")),
    "in brackets": _replace_each_letter("({})".format),
    "counted with brackets": _number_letters("{}) {}"),
    "counted with points": _number_letters("{}. {},"),
    "counted in brackets": _number_letters("({}) {}"),
    "joined by a word": _join_letters,
    "rows of marks": _separate_by_marks,
    "many hyphens": _space_letters("-----", " "),
    "comments of HTML": _insert_invisible("<!-- -->", "<!---->", "<!-- x -->"),
    "comments of code": _insert_invisible("/**/", "/* */", "/* x */"),
    "empty brackets": _insert_invisible("{}", "[]", "()", "<>", "{}{}"),
    "tags with attributes": _insert_invisible('<span class="x">', '<b id="1">', "<font size='1'>"),
    "HTML numbers twice over": _replace_some_letters(lambda letter: f"&amp;#{ord(letter)};"),
    "HTML numbers three times over": _replace_some_letters(lambda letter: f"&amp;amp;#x{ord(letter):x};"),
    "URL twice over": _replace_some_letters(lambda letter: f"%25{ord(letter):02X}"),
    "quoted-printable twice over": _replace_some_letters(lambda letter: f"=3D{ord(letter):02X}"),
    "snake": lambda rng, name: name.lower().replace(" ", "_") + rng.choice(["", "1956", "_notes", "_7"]),
    "camel": lambda rng, name: (name[0].lower() if rng.random() < 0.5 else name[0]) + name[1:].replace(" ", ""),
    "path": lambda _, name: f"/home/{name.lower().replace(' ', '/')}/notes",
    "windows path": lambda _, name: "C:\\Users\\" + name.replace(" ", "\\"),
    "domain user": lambda _, name: "WARD\\" + name.lower().replace(" ", "."),
    "HTML numbers": _replace_each_letter(lambda letter: f"&#{ord(letter)};"),
    "HTML hexadecimal": _replace_each_letter(lambda letter: f"&#x{ord(letter):x};"),
    "some HTML numbers": _replace_some_letters(lambda letter: f"&#{ord(letter)};"),
    "HTML blanks": _space_letters("&nbsp;", " "),
    "HTML soft hyphens": _insert_markup("&shy;", "&shy;"),
    "HTML tags": _insert_markup("<b>", "</b>"),
    "URL": _replace_each_letter(_percent_encode),
    "some URL": _replace_some_letters(_percent_encode),
    "quoted-printable": _replace_each_letter(lambda letter: f"={ord(letter):02X}"),
    "soft line end": _break_words("=\n"),
    "soft hyphen": _break_words("\u00ad\n"),
    "raised letters": _replace_each_letter(lambda letter: RAISED.get(letter, letter)),
    "RTF numbers": _replace_each_letter(lambda letter: f"\\'{ord(letter):02x}"),
    "RTF words": _insert_markup("{\\b ", "}"),
    "JSON": _replace_each_letter(lambda letter: f"\\u{ord(letter):04x}"),
    "bytes": _replace_each_letter(lambda letter: f"\\x{ord(letter):02x}"),
    "bold inside": _insert_markup("**", "**"),
    "italic inside": _insert_markup("*", "*"),
    "struck inside": _insert_markup("~~", "~~"),
    "underlined inside": _insert_markup("__", "__"),
}


#: Folding restores the plain form of these, which is then judged by its context: their names are on no list.
FOLDED = frozenset({"soft hyphen"})


def _draw_spoken_number(rng: random.Random) -> tuple[str, str]:
    digits = [rng.randrange(2, 10) for _ in range(10)]
    said = [SAID[digit] for digit in digits]
    joint = rng.choice(["-", " ", ", ", "-"])
    groups = [joint.join(said[:3]), joint.join(said[3:6]), joint.join(said[6:])]
    return rng.choice([", ", " ", "-"]).join(groups), "".join(said)


def draw_tricks(count: int = 500, seed: int = 1) -> list[Trick]:
    """Draw tricks, distributed evenly over the carriers; the same seed draws the same tricks."""
    rng = random.Random(seed)
    carriers = [*CARRIERS, "said number"]
    drawn = []
    for nth in range(count):
        carrier = carriers[nth % len(carriers)]
        sentence = rng.choice(SENTENCES)
        if carrier == "said number":
            form, hidden = _draw_spoken_number(rng)
            names: tuple[str, ...] = (hidden,)
        else:
            made = ["".join(rng.choices(SYLLABLES, k=2)).capitalize() for _ in range(2)]
            name = [rng.choice([*rng.sample(WORDS, 3), made[at]]) for at in range(2)]
            name = made if carrier in FOLDED else name
            form = CARRIERS[carrier](rng, " ".join(name))
            names = tuple(word.lower() for word in name)
        drawn.append(Trick(carrier, sentence % form, sentence % "", names))
    return drawn


#: What may separate the letters of a sequence.
_JOINTS = re.compile(r"(?<=\b\w)\W+(?:(?:and|then|dash|plus|\d+)\W+)+(?=\w\b)")


def _decode_text(text: str) -> str:
    text = html.unescape(text)
    text = re.sub(r"\\(?:u00|x|')([0-9a-f]{2})", lambda code: chr(int(code[1], 16)), text)
    text = re.sub(r"\\[a-z]+ ", "", text)
    return re.sub(r"=([0-9A-F]{2})", lambda code: chr(int(code[1], 16)), urllib.parse.unquote(text))


def read_back(text: str) -> str:
    """Return the letters of a text as a reader sees them who undoes every carrier."""
    text = re.sub(r"<!--.*?-->|/\*.*?\*/|<[^>]{1,20}>", "", text)
    for _ in range(4):
        text = _decode_text(text)
    # Tags and codes come from the scrubber.
    text = re.sub(r"\[[A-Z]+\]|\[[a-z0-9]+:[^\]]+\]", "\0", text)
    text = _JOINTS.sub("", text)
    text = unicodedata.normalize("NFKD", text).lower()
    return "".join(letter for letter in text if letter.isalpha() or letter == "\0")


def is_readable(trick: Trick, output: str, baseline: str) -> bool:
    """Return whether a hidden word can be read back from an output; ``baseline`` is the output without the trick."""
    return any(read_back(output).count(word) > read_back(baseline).count(word) for word in trick.hidden)


def measure_tricks(drawn: list[Trick], scrubber: ns.Scrubber) -> tuple[dict[str, tuple[int, int]], list[Trick], int]:
    """Scrub tricks; return (caught, all) by carrier, the tricks that leak, and how many of those pass `verify`."""
    counts: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
    leaked, passed = [], 0
    for trick in drawn:
        output = scrubber.scrub(trick.text).text
        caught = not is_readable(trick, output, scrubber.scrub(trick.baseline_text).text)
        counts[trick.carrier][0] += caught
        counts[trick.carrier][1] += 1
        if not caught:
            leaked.append(trick)
            try:
                ns.verify(output, scrubber)
            except ns.VerifyError:
                continue
            passed += 1
    return {carrier: (caught, all_) for carrier, (caught, all_) in counts.items()}, leaked, passed


def main(arguments: list[str] | None = None) -> int:
    """Measure the tricks and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tricks", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="print the tricks alone")
    options = parser.parse_args(arguments)
    drawn = draw_tricks(options.tricks, options.seed)
    if options.list:
        for trick in drawn:
            print(f"{trick.carrier}\t{trick.text!r}")
        return 0
    counts, leaked, passed = measure_tricks(drawn, ns.Scrubber())
    for carrier, (caught, count) in sorted(counts.items(), key=lambda item: (item[1][0] / item[1][1], item[0])):
        print(f"{caught:4} of {count:4}  {carrier}")
    for trick in leaked:
        print(f"leak: {trick.carrier}: {trick.text!r}", file=sys.stderr)
    print(f"recall {1 - len(leaked) / len(drawn):.3f} of {len(drawn)} tricks; verify lets {passed} leaks pass")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
