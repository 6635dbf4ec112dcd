"""A widget for reviewing notes: step through them, mark errors, save the marks as a gold standard.

Needs the extra ``notesieve[notebook]``. It shows originals, so it is for people with access to them; a notebook that is
saved with its widgets holds them.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from notesieve.display.note_views import pieces_of
from notesieve.errors import GoldError, NotesieveError
from notesieve.evaluation.annotator_spans import AnnotatorSpans
from notesieve.evaluation.gold import Gold
from notesieve.files.output_folder import atomic_write
from notesieve.files.reading_errors import as_file_errors
from notesieve.hidden_repr import HiddenRepr
from notesieve.tracebacks import keep_texts_out_of_tracebacks

try:
    import anywidget
    import traitlets
except ModuleNotFoundError as problem:  # pragma: no cover - the tests install it
    raise NotesieveError("the review widget needs anywidget: pip install 'notesieve[notebook]'") from problem

if TYPE_CHECKING:
    from notesieve._core import ScrubbedNote
    from notesieve.scrubber import Scrubber

__all__ = ["Adjudication", "Review"]

CATEGORIES = ["NAME", "DATE", "AGE", "LOCATION", "CONTACT", "ID"]
_MARKS = "marks.json"


@keep_texts_out_of_tracebacks
class Review(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
    """Step through notes and mark errors, with the mouse or the keyboard.

    Parameters
    ----------
    notes : iterable of ScrubbedNote
        The notes.
    originals : iterable of str
        The texts that were scrubbed; the widget shows them, with the removed spans in colour.
    ids : iterable of str, optional
        The names of the notes in the gold standard, and of their files. Default: ``note-0`` and so on.
    folder : path-like, optional
        Where to save each mark at once, so that it survives the kernel. Existing marks of these notes are loaded.
        Default: only the kernel holds the marks until `save`.

    Attributes
    ----------
    marks : dict of str to list of dict
        By index of the note: ``kind`` (``leak`` or ``needless``), ``start``, ``end`` (code points), ``category``.

    Raises
    ------
    NotesieveError
        If there is not exactly one original and one name per note, if a name is not valid as a file name or is used
        twice, or if the folder has marks of other notes.

    Examples
    --------
    >>> import notesieve as ns
    >>> from notesieve.review import Review
    >>> texts = ["Dr. Brown: zorvex."]
    >>> review = Review(ns.Scrubber().scrub_many(texts), texts)
    >>> review.mark(0, "needless", 11, 17)
    >>> review.words()
    ['zorvex']
    """

    _esm = Path(__file__).with_name("review.js")
    at = traitlets.Int(0).tag(sync=True)
    count = traitlets.Int(0).tag(sync=True)
    title = traitlets.Unicode("").tag(sync=True)
    pieces = traitlets.List(traitlets.Dict()).tag(sync=True)
    categories = traitlets.List(traitlets.Unicode(), CATEGORIES).tag(sync=True)
    marks = traitlets.Dict().tag(sync=True)
    # The counters of marks sent by the page and received by the kernel: they show when the kernel no longer answers.
    sent = traitlets.Int(0).tag(sync=True)
    taken = traitlets.Int(0).tag(sync=True)
    folder = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        notes: Iterable[ScrubbedNote],
        originals: Iterable[str],
        ids: Sequence[str] | None = None,
        *,
        folder: str | os.PathLike[str] | None = None,
    ) -> None:
        # Keep the texts out of tracebacks that show arguments.
        hidden_originals, originals = HiddenRepr(list(originals)), ()
        self._notes, self._originals = list(notes), hidden_originals
        names = list(ids) if ids is not None else [f"note-{at}" for at in range(len(self._notes))]
        if not len(self._notes) == len(hidden_originals.reveal()) == len(names) or not names:
            raise NotesieveError("a review needs notes, and one original and one name for each")
        _check_names(names)
        self._ids = names
        self._folder = None if folder is None else _make_private_folder(Path(folder))
        marks = {} if self._folder is None else self._load_marks(self._folder / _MARKS)
        super().__init__(count=len(names), marks=marks, folder="" if self._folder is None else str(self._folder))
        self._show_current_note()
        self.observe(lambda _: self._show_current_note(), "at")
        self.observe(lambda _: self._save_marks(), ["marks", "sent"])

    @classmethod
    def load(cls, folder: str | os.PathLike[str], scrubber: Scrubber) -> Self:
        """Load a saved review to continue it.

        Parameters
        ----------
        folder : path-like
            The folder that `save` wrote.
        scrubber : Scrubber
            The scrubber for the notes; the marks do not depend on it.

        Returns
        -------
        Review
            The review with all notes and marks.

        Raises
        ------
        NotesieveError
            If the folder holds no saved review.
        """
        folder = Path(folder)
        ids = list(_read_saved_review(folder / _MARKS)["digests"])
        hidden_originals = HiddenRepr([])
        for name in ids:
            with as_file_errors(folder / "notes" / f"{name}.txt"):
                hidden_originals.reveal().append((folder / "notes" / f"{name}.txt").read_bytes().decode("utf-8"))
        return cls(scrubber.scrub_many(hidden_originals), hidden_originals, ids, folder=folder)

    @staticmethod
    def adjudicate(
        annotators: Mapping[str, Gold | str | os.PathLike[str]], *, folder: str | os.PathLike[str] | None = None
    ) -> Adjudication:
        """Load the marks of several annotators, to settle their disagreements.

        Parameters
        ----------
        annotators : dict of str to Gold or path
            The marks of each annotator on the same notes; `Gold.read_annotators` gives those of one export.
        folder : path-like, optional
            Where to save each decision at once. Default: only the kernel holds the decisions until `save`.

        Returns
        -------
        Adjudication
            The notes that all annotators read. Show it in a notebook; `disputes` lists what remains to be settled, and
            `gold` returns the result.

        Raises
        ------
        NotesieveError
            If there are fewer than two annotators, if no note was read by all of them, or if a note has two texts.

        Examples
        --------
        >>> import notesieve as ns
        >>> from notesieve.review import Review
        >>> notes = {"a": "Dr. Quill in Larkmoor"}
        >>> name = {"start": 4, "end": 9, "category": "NAME"}
        >>> place = {"start": 13, "end": 21, "category": "LOCATION"}
        >>> anna, ben = ns.Gold(notes, {"a": [name, place]}), ns.Gold(notes, {"a": [name]})
        >>> review = Review.adjudicate({"anna": anna, "ben": ben})
        >>> review.disputes()
        [{'doc': 'a', 'start': 13, 'end': 21, 'category': 'LOCATION', 'annotators': ['anna']}]
        >>> review.mark(0, "leak", 13, 21, "LOCATION")
        >>> review.disputes(), len(review.gold().spans["a"])
        ([], 2)
        """
        return Adjudication(AnnotatorSpans(annotators), folder)

    def _show_current_note(self) -> None:
        """Send the title and the pieces of the current note to the widget."""
        with self.hold_sync():
            self.title = self._ids[self.at]
            self.pieces = pieces_of(self._notes[self.at], HiddenRepr(self._originals.reveal()[self.at]))

    def __repr__(self) -> str:
        # The default repr of a widget shows all that it holds; this one holds originals.
        return f"Review({len(self._notes)} notes, {sum(map(len, self.marks.values()))} marks)"

    def mark(self, at: int, kind: str, start: int, end: int, category: str = "NAME") -> None:
        """Mark a span of an original, as the buttons do.

        Parameters
        ----------
        at : int
            The index of the note.
        kind : {"leak", "needless"}
            Whether it should have been removed, or should have been kept.
        start, end : int
            The span, in code points of the original.
        category : str, optional
            The category of a leak.
        """
        entry = {"kind": kind, "start": start, "end": end, "category": category}
        if not 0 <= at < len(self._notes) or not self._is_valid_mark(at, entry):
            raise NotesieveError("a mark is a leak or needless, and lies inside the note")
        self.marks = self.marks | {str(at): [*self.marks.get(str(at), []), entry]}

    def _is_valid_mark(self, at: int, entry: dict[str, Any]) -> bool:
        """Return whether kind and category of a mark are known and it lies inside its note."""
        known = entry["kind"] in {"leak", "needless"} and entry["category"] in CATEGORIES
        return known and 0 <= entry["start"] < entry["end"] <= len(self._originals.reveal()[at])

    # ---- saved marks and results

    def _save_marks(self) -> None:
        """Write the marks to the folder if there is one, and tell the page that the kernel has them."""
        if self._folder is not None:
            self._write_marks(self._folder)
        self.taken = self.sent

    def _text_digests(self) -> dict[str, str]:
        """Return the SHA-256 of each original, by name."""
        texts = (text.encode("utf-8", "surrogatepass") for text in self._originals.reveal())
        return {name: hashlib.sha256(text).hexdigest() for name, text in zip(self._ids, texts, strict=True)}

    def _write_marks(self, folder: Path) -> None:
        marks = {self._ids[int(at)]: found for at, found in sorted(self.marks.items(), key=lambda item: int(item[0]))}
        with atomic_write(folder / _MARKS) as partial:
            partial.touch(mode=0o600)
            partial.write_text(
                json.dumps({"digests": self._text_digests(), "marks": marks}, indent=1), encoding="utf-8"
            )

    def _load_marks(self, path: Path) -> dict[str, list[dict[str, Any]]]:
        """Read earlier marks, after checking that they are of these notes."""
        if not path.exists():
            return {}
        saved = _read_saved_review(path)
        if saved["digests"] != self._text_digests():
            message = f"{path}: holds marks of other notes, or of the same in another order; take another folder"
            raise NotesieveError(message)
        return {str(self._ids.index(name)): found for name, found in saved["marks"].items()}

    def _marks_of_kind(self, at: int, kind: str) -> list[dict[str, Any]]:
        """Return the marks of one kind in a note."""
        return [mark for mark in self.marks.get(str(at), []) if mark["kind"] == kind]

    def gold(self) -> Gold:
        """Return the notes with what should be removed: the removed spans without the needless ones, and the leaks."""
        spans: dict[str, list[dict[str, Any]]] = {}
        for at, note in enumerate(self._notes):
            needless = self._marks_of_kind(at, "needless")
            found = [
                {"start": removal.start, "end": removal.end, "category": removal.category}
                for removal in note.removed
                if removal.category in CATEGORIES
                and not any(m["start"] < removal.end and removal.start < m["end"] for m in needless)
            ]
            found += [{name: m[name] for name in ("start", "end", "category")} for m in self._marks_of_kind(at, "leak")]
            spans[self._ids[at]] = sorted(found, key=lambda span: (span["start"], span["end"]))
        return Gold(dict(zip(self._ids, self._originals.reveal(), strict=True)), spans)

    def words(self) -> list[str]:
        """Return the words marked as needlessly removed: candidates for the site's allow-list."""
        return sorted(
            {
                self._originals.reveal()[at][mark["start"] : mark["end"]].strip().lower()
                for at in range(len(self._notes))
                for mark in self._marks_of_kind(at, "needless")
            }
        )

    def save(self, folder: str | os.PathLike[str] | None = None) -> Path:
        """Write the marks as a gold standard: ``notes/*.txt``, ``gold.jsonl``, and ``allow.txt`` with the words.

        The folder then holds originals: only its owner can read its files. `Review.load` continues the review.

        Parameters
        ----------
        folder : path-like, optional
            The target. Default: the folder of the review.

        Raises
        ------
        NotesieveError
            If there is no folder, or it holds the review of other notes.
        """
        given = self._folder if folder is None else Path(folder)
        if given is None:
            raise NotesieveError("say where to: save(FOLDER), or Review(..., folder=FOLDER)")
        folder = _make_private_folder(given)
        self._load_marks(folder / _MARKS)
        if (folder / "gold.jsonl").exists() and not (folder / _MARKS).exists():
            raise NotesieveError(f"{folder}: holds another gold standard; take another folder")
        with as_file_errors(folder):
            (folder / "notes").mkdir(mode=0o700, exist_ok=True)
            # Restrict each file to its owner before writing anything to it.
            names = ("gold.jsonl", "allow.txt", *(f"notes/{name}.txt" for name in self._ids))
            for file in (folder / name for name in names):
                file.touch(mode=0o600)
                file.chmod(0o600)
            self.gold().write(folder)
            (folder / "allow.txt").write_text("".join(word + "\n" for word in self.words()), encoding="utf-8")
            self._write_marks(folder)
        return folder


@keep_texts_out_of_tracebacks
class Adjudication(Review):
    """A review of the marks of several annotators; returned by `Review.adjudicate`.

    Spans that all annotators marked have the colour of their category, those that only some marked are yellow. A mark
    decides for all spans that it touches: ``leak`` makes the selected text a span of the chosen category, ``needless``
    removes them.
    """

    def __init__(self, spans: AnnotatorSpans, folder: str | os.PathLike[str] | None) -> None:
        self._spans = spans
        # No note was scrubbed: the view and the gold standard are built from the annotators' spans.
        scrubbed: list[Any] = [None] * len(spans.docs)
        super().__init__(scrubbed, spans.texts, spans.docs, folder=folder)
        self.observe(lambda _: self._show_current_note(), "marks")

    def _show_current_note(self) -> None:
        with self.hold_sync():
            left = len(self._spans.disputed_spans(self.at, self.marks.get(str(self.at), [])))
            self.title = f"{self._ids[self.at]}: {left} disputes to settle"
            self.pieces = self._spans.coloured_pieces(self.at)

    def disputes(self) -> list[dict[str, Any]]:
        """Return the spans that only some annotators marked and that no mark touches yet.

        Returns
        -------
        list of dict
            ``doc``, ``start``, ``end``, ``category``, ``subtype`` and ``annotators``.
        """
        marks = [self.marks.get(str(at), []) for at in range(len(self._ids))]
        return [dispute for at, made in enumerate(marks) for dispute in self._spans.disputed_spans(at, made)]

    def gold(self) -> Gold:
        """Return the adjudicated gold standard: the spans that all annotators marked, and the decisions.

        An unsettled dispute counts as marked: a word that is wrongly required costs less than a name that is not
        required. `disputes` lists these.
        """
        spans = {
            doc: self._spans.adjudicated_spans(at, self.marks.get(str(at), [])) for at, doc in enumerate(self._ids)
        }
        return Gold(dict(zip(self._ids, self._originals.reveal(), strict=True)), spans)


def _make_private_folder(folder: Path) -> Path:
    """Create a folder that only its owner may enter; an existing one is left as it is."""
    with as_file_errors(folder):
        if not folder.is_dir():
            folder.mkdir(mode=0o700, parents=True)
    return folder


def _check_names(names: Sequence[str]) -> None:
    """Refuse invalid file names, and names that are the same on some systems. Errors give the index, not the name."""
    seen: dict[str, int] = {}
    for at, name in enumerate(names):
        if not isinstance(name, str):
            raise NotesieveError(f"the id at index {at} is no text: ids name the files of the notes")
        if not name.strip(". ") or len(name.encode("utf-8", "replace")) > 200:
            raise NotesieveError(f"the id at index {at} is empty, or too long for the name of a file")
        if any(letter in '/\\:*?"<>|' or not letter.isprintable() for letter in name):
            message = f"the id at index {at} has a character that the name of a file cannot have, such as / or :"
            raise NotesieveError(message)
        if seen.setdefault(name.casefold(), at) != at:
            raise NotesieveError(
                f"the ids at {seen[name.casefold()]} and {at} are the same: one note would take the place of the other"
            )


def _read_saved_review(path: Path) -> dict[str, Any]:
    """Read the file of a saved review; raise GoldError if it is not one."""
    try:
        with as_file_errors(path):
            saved = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(saved["digests"], dict) and isinstance(saved["marks"], dict):
            _check_names(list(saved["digests"]))
            return dict(saved)
    except (ValueError, KeyError, TypeError):
        pass
    raise GoldError(f"{path}: is no saved review")
