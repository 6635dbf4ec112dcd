"""A widget to read notes with: step through them, mark what is wrong, keep the marks as gold.

Needs the extra ``notesieve[notebook]``. It shows originals, so it is for those who may read them; a notebook that is
saved with its widgets holds them.
"""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesieve.display import note_html
from notesieve.errors import NotesieveError
from notesieve.gold import Gold

try:
    import anywidget
    import traitlets
except ModuleNotFoundError as problem:  # pragma: no cover - the tests install it
    raise NotesieveError("the review widget needs anywidget: pip install 'notesieve[notebook]'") from problem

if TYPE_CHECKING:
    from notesieve._core import ScrubbedNote

__all__ = ["Review"]

CATEGORIES = ["NAME", "DATE", "AGE", "LOCATION", "CONTACT", "ID"]

_SCRIPT = """
function offsetIn(root, node, offset) {
  const range = document.createRange();
  range.setStart(root, 0);
  range.setEnd(node, offset);
  return [...range.toString()].length;  // code points, as in Python
}
function button(label, title, act) {
  const made = document.createElement("button");
  made.textContent = label; made.title = title; made.onclick = act;
  made.style.margin = "0 .2em";
  return made;
}
export default { render({ model, el }) {
  const [bar, page, list] = [0, 1, 2].map(() => document.createElement("div"));
  const choice = document.createElement("select");
  for (const name of model.get("categories")) choice.add(new Option(name));
  const selected = () => {
    const text = page.querySelector("div[style*='pre-wrap']"), chosen = page.ownerDocument.getSelection();
    const root = page.getRootNode(), inside = root.getSelection ? root.getSelection() : chosen;
    if (!text || !inside.rangeCount) return null;
    const range = inside.getRangeAt(0);
    if (range.collapsed || !text.contains(range.startContainer) || !text.contains(range.endContainer)) return null;
    const start = offsetIn(text, range.startContainer, range.startOffset);
    return [start, offsetIn(text, range.endContainer, range.endOffset)];
  };
  const mark = (kind) => {
    const span = selected();
    if (!span) return;
    const marks = { ...model.get("marks") }, at = String(model.get("at"));
    marks[at] = [...(marks[at] || []), { kind, start: span[0], end: span[1], category: choice.value }];
    model.set("marks", marks); model.save_changes();
  };
  const step = (by) => {
    model.set("at", Math.min(Math.max(model.get("at") + by, 0), model.get("count") - 1));
    model.save_changes();
  };
  const where = document.createElement("span");
  bar.append(button("◀", "previous note", () => step(-1)), where, button("▶", "next note", () => step(1)), choice,
    button("leak", "the selected text should have gone", () => mark("leak")),
    button("needless", "the selected text should have stayed", () => mark("needless")),
    button("undo", "take the last mark of this note back", () => {
      const marks = { ...model.get("marks") }, at = String(model.get("at"));
      marks[at] = (marks[at] || []).slice(0, -1); model.set("marks", marks); model.save_changes();
    }));
  const draw = () => {
    where.textContent = ` ${model.get("at") + 1} of ${model.get("count")} `;
    page.innerHTML = model.get("page");
    list.textContent = "";
    for (const m of model.get("marks")[String(model.get("at"))] || []) {
      const row = document.createElement("div");
      row.textContent = `${m.kind === "leak" ? "leak, " + m.category : "needless"}: ${m.start} to ${m.end}`;
      list.append(row);
    }
  };
  for (const name of ["at", "page", "marks"]) model.on("change:" + name, draw);
  el.append(bar, page, list); draw();
} };
"""


class Review(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
    """Step through notes and mark what is wrong.

    Parameters
    ----------
    notes : iterable of ScrubbedNote
        The notes.
    originals : iterable of str
        The texts that were scrubbed; they are what is shown, with what was removed in colours.
    ids : iterable of str, optional
        What the notes are called in the gold standard. Default: ``note-0`` and so on.

    Attributes
    ----------
    marks : dict of str to list of dict
        By index of the note: ``kind`` (``leak`` or ``needless``), ``start``, ``end`` (code points), ``category``.

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

    _esm = _SCRIPT
    at = traitlets.Int(0).tag(sync=True)
    count = traitlets.Int(0).tag(sync=True)
    page = traitlets.Unicode("").tag(sync=True)
    categories = traitlets.List(traitlets.Unicode(), CATEGORIES).tag(sync=True)
    marks = traitlets.Dict().tag(sync=True)

    def __init__(
        self, notes: Iterable[ScrubbedNote], originals: Iterable[str], ids: Sequence[str] | None = None
    ) -> None:
        self._notes, self._originals = list(notes), list(originals)
        names = list(ids) if ids is not None else [f"note-{at}" for at in range(len(self._notes))]
        if not len(self._notes) == len(self._originals) == len(names) or not names:
            raise NotesieveError("a review needs notes, and one original and one name for each")
        self._ids = names
        super().__init__(count=len(names), page=self._drawn(0))
        self.observe(self._turn, "at")

    def _turn(self, change: Any) -> None:
        self.page = self._drawn(change["new"])

    def _drawn(self, at: int) -> str:
        head = f"<p><b>{html.escape(self._ids[at])}</b></p>"
        return head + note_html(self._notes[at], self._originals[at])

    def __repr__(self) -> str:
        # Widgets print all that they hold; this one holds originals.
        return f"Review({len(self._notes)} notes, {sum(map(len, self.marks.values()))} marks)"

    def mark(self, at: int, kind: str, start: int, end: int, category: str = "NAME") -> None:
        """Mark a stretch of an original, as the buttons do.

        Parameters
        ----------
        at : int
            Which note.
        kind : {"leak", "needless"}
            Whether it should have gone, or should have stayed.
        start, end : int
            Where, in code points of the original.
        category : str, optional
            What a leak is.
        """
        if kind not in {"leak", "needless"} or not 0 <= start < end <= len(self._originals[at]):
            raise NotesieveError("a mark is a leak or needless, and lies inside the note")
        entry = {"kind": kind, "start": start, "end": end, "category": category}
        self.marks = self.marks | {str(at): [*self.marks.get(str(at), []), entry]}

    def _of(self, at: int, kind: str) -> list[dict[str, Any]]:
        return [mark for mark in self.marks.get(str(at), []) if mark["kind"] == kind]

    def gold(self) -> Gold:
        """Give the notes with what should be removed: what was, without what was marked as needless, and the leaks."""
        spans: dict[str, list[dict[str, Any]]] = {}
        for at, note in enumerate(self._notes):
            needless = self._of(at, "needless")
            found = [
                {"start": removal.start, "end": removal.end, "category": removal.category}
                for removal in note.removed
                if removal.category in CATEGORIES
                and not any(m["start"] < removal.end and removal.start < m["end"] for m in needless)
            ]
            found += [{name: m[name] for name in ("start", "end", "category")} for m in self._of(at, "leak")]
            spans[self._ids[at]] = sorted(found, key=lambda span: (span["start"], span["end"]))
        return Gold(dict(zip(self._ids, self._originals, strict=True)), spans)

    def words(self) -> list[str]:
        """Give the words that were marked as needlessly removed: candidates for the site's list of allowed words."""
        return sorted(
            {
                self._originals[at][mark["start"] : mark["end"]].strip().lower()
                for at in range(len(self._notes))
                for mark in self._of(at, "needless")
            }
        )

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Write the marks as a gold standard: ``notes/*.txt``, ``gold.jsonl``, and ``allow.txt`` with the words.

        The folder then holds originals.
        """
        folder = Path(folder)
        self.gold().write(folder)
        (folder / "allow.txt").write_text("".join(word + "\n" for word in self.words()), encoding="utf-8")
        return folder
