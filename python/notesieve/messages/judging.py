"""What comes out of the values of a message: by their field, and by the scrubber where they are text."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from notesieve._core import Patient
from notesieve.errors import NoteError, PatientError
from notesieve.messages import structured_xml
from notesieve.messages.parsed import HIDDEN, MEASURE, Leaf, NoMessage, Parsed, role_of_head

if TYPE_CHECKING:
    from notesieve._core import ScrubbedNote, Scrubber

__all__ = ["Judge"]

_CODE = re.compile(r"[\w+*/.#%:\[\]{}()<>='^-]{1,64}")
_FLAG = re.compile(r"(?!(?:\D*\d){5})(?:[A-Z]{1,4}|[A-Za-z]{1,3}|(?=.*[\d_./+-])[A-Z0-9_./+-]{1,12})")
_TITLE = re.compile(
    r"(?:Mrs?|Ms|Miss|Dr|Prof|M\.?D|R\.?N|D\.?O|N\.?P|Ph\.?D|PA(?:-C)?|FNP(?:-BC)?|PharmD|MBBS|DDS|RPh)\.?",
    re.IGNORECASE,
)
_LONG_NUMBER = re.compile(r"\d{19}|(?:\D|^)\d{3}-\d{2}-\d{4}(?:\D|$)|\d{3}-\d{4}")
_NAMES = frozenset(["surname", "first-name", "city", "county", "place-part"])
_STATES = frozenset("active inactive normal abnormal negative positive present absent none yes no unknown".split())
_WORD = re.compile(r"[^\W\d_]+")
_TITLES = frozenset("dr doctor mr mrs ms miss nurse by prof professor sister father mother patient pt for".split())
_DATE = re.compile(
    r"(?P<year>\d{4})"
    r"(?:(?P<dash>-?)(?P<month>\d\d)(?:(?P=dash)(?P<day>\d\d)(?P<time>[T ]?\d[\d:.]*(?:Z|[+-][\d:]+)?|Z)?)?)?"
)
_PHRASES = {
    "NAME": "Full name", "DATE": "Date", "LOCATION": "Location", "CONTACT": "Contact", "ID": "ID number",
}  # fmt: skip
_KINDS = {"NAME": "name", "DATE": "date", "LOCATION": "place", "CONTACT": "phone", "ID": "other-id"}
_FIELDS = ("names", "phones", "addresses", "other")


class Judge:
    """Decides on the values of one message.

    Parameters
    ----------
    scrubber : Scrubber
        What reads the texts, and whose policy says how things are written.
    parsed : Parsed
        The message.
    patient : Patient or None
        What the caller knows of the patient.
    threads : int or None
        How many threads the scrubber uses.
    """

    def __init__(self, scrubber: Scrubber, parsed: Parsed, patient: Patient | None, threads: int | None) -> None:
        self.scrubber = scrubber
        self.policy = scrubber.policy
        self.threads = threads
        self.removed: dict[str, int] = {}
        facts = [*parsed.facts, *_facts_of(patient)]
        self.patient = _patient(facts, patient)
        self.numbers = {digits for _, value in facts if len(digits := re.sub(r"\W", "", value).lower()) > 4}
        self.words = {
            word.lower() for what, value in facts if what == "names" for word in _WORD.findall(value) if len(word) > 2
        }

    def written(self, pieces: Sequence[str | Leaf]) -> str:
        """Give the message as it comes out."""
        leaves = [piece for piece in pieces if isinstance(piece, Leaf)]
        for leaf in leaves:
            leaf.role = self.role(leaf)
        made: dict[int, str] = {}
        self._narratives([leaf for leaf in leaves if leaf.role == "narrative"], made)
        self._texts([leaf for leaf in leaves if leaf.role == "text"], made)
        self._hidden([leaf for leaf in leaves if leaf.role in HIDDEN], made)
        for leaf in leaves:
            if leaf.role == "display":
                made[id(leaf)] = self.listed(leaf) or leaf.text
            elif leaf.role == "unlisted":
                made[id(leaf)] = self.policy.mask
                self._count("UNLISTED")
            elif leaf.role == "old" and "age" not in self.policy.keep:
                made[id(leaf)] = "90"  # a number again: a mark would be none
                self._count("AGE")
        out = []
        for piece in pieces:
            if isinstance(piece, str):
                out.append(piece)
            else:
                text = made.get(id(piece), piece.text)
                out.append(piece.raw if text == piece.text else piece.encode(text))
        return "".join(out)

    def role(self, leaf: Leaf) -> str:
        """Say what a value is when its content was looked at too: ``code`` comes out as it is."""
        role, text = leaf.role, leaf.text.strip()
        if not text:
            return "code"  # white space
        if role in ("measure", "text") and leaf.label and (told := role_of_head(leaf.label)):
            return told
        if role == "measure":
            role = "code" if MEASURE.fullmatch(text) and not self.knows(text) else "text"
        elif role == "flag":
            role = "code" if _FLAG.fullmatch(text) and not self.knows(text) else "text"
        elif role == "code":
            odd = self.knows(text) or not _CODE.fullmatch(text) or _LONG_NUMBER.search(text)
            role = "text" if odd else "code"
        elif role == "published":
            role = "id" if self.knows(text) else "code"
        elif role == "name" and _TITLE.fullmatch(text) and not self.knows(text):
            role = "code"
        elif role == "display" and self.listed(leaf) is None:
            role = "text"
        return "code" if role == "text" and self.lone(leaf) else role

    def lone(self, leaf: Leaf) -> bool:
        """Whether a value is one listed word that is no name: nothing around it would tell the scrubber more."""
        word = leaf.text.strip().lower()
        if not word.isalpha() or self.listed(leaf) != leaf.text:
            return False
        lists = self.scrubber.vocabulary._lists_of([word])[0]
        return leaf.text.islower() or word in _STATES or not _NAMES.intersection(lists)

    def knows(self, text: str) -> bool:
        """Whether a value is a number, or holds a name, of the message's people."""
        if re.sub(r"\W", "", text).lower() in self.numbers:
            return True
        return any(word.lower() in self.words for word in _WORD.findall(text))

    def listed(self, leaf: Leaf) -> str | None:
        """Write the name of a published code, or the head of a column, with a mask for words on no list.

        Gives nothing where it says more than a code does: it holds a title, a date, or what names somebody here.
        """
        words = [word.lower() for word in _WORD.findall(leaf.text)]
        if self.knows(leaf.text) or _TITLES.intersection(words) or re.search(r"\d{5}|(?:19|20)\d\d", leaf.text):
            return None
        wanted = {*self.policy.lists, *self.policy.vouched_lists}
        lists = iter(self.scrubber.vocabulary._lists_of(words))
        return _WORD.sub(
            lambda word: word[0] if wanted.intersection(next(lists)) or len(word[0]) < 3 else self.policy.mask,
            leaf.text,
        )

    # ---- texts

    def _narratives(self, leaves: list[Leaf], made: dict[int, str]) -> None:
        """Read XHTML inside a value."""
        for leaf in leaves:
            try:
                parsed, _ = structured_xml.read(leaf.text)
            except NoMessage:
                leaf.role = "text"
            else:
                made[id(leaf)] = self.written(parsed.pieces)

    def _texts(self, leaves: list[Leaf], made: dict[int, str]) -> None:
        groups: list[list[Leaf]] = []
        for number, together in groupby(leaves, key=lambda leaf: leaf.group):
            some = list(together)
            groups += [some] if number else [[leaf] for leaf in some]
        texts = ["\n".join(leaf.text for leaf in group) for group in groups]
        for group, note in zip(groups, self._scrub(texts), strict=True):
            self._note(note)
            for leaf, text in zip(group, _apart(group, note), strict=True):
                made[id(leaf)] = text

    def _scrub(self, texts: list[str]) -> Iterable[ScrubbedNote]:
        batch, errors = self.scrubber._scrub_many(texts, patients=[self.patient] * len(texts), threads=self.threads)
        if errors:
            raise NoteError(errors[0][1])
        return batch

    def _note(self, note: ScrubbedNote) -> None:
        for span in note.removed:
            self._count(span.category)

    def _count(self, category: str) -> None:
        self.removed[category] = self.removed.get(category, 0) + 1

    # ---- what names somebody

    def _hidden(self, leaves: list[Leaf], made: dict[int, str]) -> None:
        dates = [leaf for leaf in leaves if HIDDEN[leaf.role] == "DATE"]
        others = [leaf for leaf in leaves if HIDDEN[leaf.role] != "DATE"]
        for leaf, text in zip(dates, self._dates([leaf.text.strip() for leaf in dates]), strict=True):
            made[id(leaf)] = text
        asked = others if self.policy.replace in ("surrogate", "numbered") else []
        for leaf in others:
            made[id(leaf)] = self.tag(HIDDEN[leaf.role])
        for leaf, note in zip(asked, self._scrub([leaf.text for leaf in asked]), strict=True):
            # A surrogate for a value that the scrubber takes for the same thing from its first to its last letter.
            spans = [span for span in note.removed if span.category == HIDDEN[leaf.role]]
            gone = {at for span in spans for at in range(span.start, span.end)}
            if all(at in gone for at, letter in enumerate(leaf.text) if letter.isalnum()):
                made[id(leaf)] = note.text
        for leaf in leaves:
            self._count(HIDDEN[leaf.role])

    def _dates(self, values: list[str]) -> Iterable[str]:
        """Write dates as the policy does, each in the form that it has."""
        found = [_DATE.fullmatch(value) for value in values]
        whole = ["-".join((m["year"], m["month"], m["day"])) if m and m["day"] else "" for m in found]
        if "date" in self.policy.keep:
            return [value if match else self.tag("DATE") for value, match in zip(values, found, strict=True)]
        notes = self._scrub(whole)
        return [
            _in_form(match, note.text) or self.tag("DATE") if match and date else self.tag("DATE")
            for match, date, note in zip(found, whole, notes, strict=True)
        ]

    def tag(self, category: str) -> str:
        """Write what stands for a category."""
        if self.policy.replace == "mask":
            return self.policy.mask
        form = {"square": "[{category}]", "angle": "<{category}>", "deid": "[**{phrase}**]"}.get(
            self.policy.tags, self.policy.tags
        )
        return (
            form.replace("{category}", category)
            .replace("{kind}", _KINDS[category])
            .replace("{phrase}", _PHRASES[category])
        )


def _in_form(match: re.Match[str], written: str) -> str | None:
    """Put a date that the scrubber wrote into the form of another; give nothing if it wrote no date."""
    date = _DATE.fullmatch(written)
    if date is None:
        return None
    if date["month"] is None:
        return date["year"]
    dash = match["dash"]
    return f"{date['year']}{dash}{date['month']}{dash}{date['day']}{match['time'] or ''}"


def _apart(group: list[Leaf], note: ScrubbedNote) -> list[str]:
    """Cut the new text where one value ended and the next began.

    Where that place was removed, as in a name over the end of a line, what stands for it belongs to the first value.
    """
    texts: list[str] = []
    first = begin = at = 0
    for index, leaf in enumerate(group):
        at += len(leaf.text)
        over = [span.output_end for span in note.removed if span.start <= at < span.end]
        at += 1
        if over or index + 1 == len(group):
            end = over[0] if over else len(note.text)
            texts += _lines(group[first : index + 1], note.text[begin:end].removeprefix(" " if first else ""))
            first, begin = index + 1, end
    return texts


def _lines(leaves: list[Leaf], text: str) -> list[str]:
    """Cut a text at the ends of lines between values; where lines are missing, all of it stands in the first."""
    lines = text.split("\n")
    counts = [1 + leaf.text.count("\n") for leaf in leaves]
    if sum(counts) != len(lines):
        return [text, *[""] * (len(leaves) - 1)]
    coming = iter(lines)
    return ["\n".join(islice(coming, count)) for count in counts]


def _facts_of(patient: Patient | None) -> list[tuple[str, str]]:
    if patient is None:
        return []
    facts = [(name, value) for name in _FIELDS for value in getattr(patient, name)]
    facts += [("other", patient.mrn)] if patient.mrn else []
    return facts + ([("birth_date", patient.birth_date.isoformat())] if patient.birth_date else [])


def _patient(facts: list[tuple[str, str]], given: Patient | None) -> Patient | None:
    """Make a patient of what a message says; a value that cannot be looked for is left out."""
    known: dict[str, Any] = {}
    for what, value in dict.fromkeys(facts):
        if what == "birth_date":
            date = _birth_date(value)
            if date and "birth_date" not in known:
                known["birth_date"] = date
            continue
        if what == "id" or sum(letter.isalnum() for letter in value) < 2:
            continue
        try:
            Patient(**{what: [value]})  # type: ignore[arg-type]
        except PatientError:
            continue
        known.setdefault(what, []).append(value)
    number = next((value for what, value in facts if what == "id"), None)
    if given is not None:
        number, known["mrn"] = given.id or number, given.mrn
    return Patient(number, **known) if number or known else None


def _birth_date(value: str) -> dt.date | None:
    match = _DATE.fullmatch(value)
    if match is None or not match["day"]:
        return None
    try:
        return dt.date(int(match["year"]), int(match["month"]), int(match["day"]))
    except ValueError:
        return None
