"""The text of an HTML document as a browser shows it: one line per block, tabs between cells, no attributes."""

from __future__ import annotations

from html.parser import HTMLParser

_HIDDEN = frozenset(["script", "style", "template", "head"])
_BLOCKS = frozenset(
    "address article aside blockquote body br caption dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 "
    "h5 h6 header hr html legend li main nav ol option p pre section table tbody tfoot thead tr ul".split()
)


class _TextCollector(HTMLParser):
    """Collects the text of a document."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.hidden = self.preformatted = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        del attrs
        self.hidden += tag in _HIDDEN
        self.preformatted += tag == "pre"
        # The body begins, even if the head was never closed.
        self.hidden = 0 if tag == "body" else self.hidden
        self._add_separator(tag)

    def handle_endtag(self, tag: str) -> None:
        self.hidden = max(0, self.hidden - (tag in _HIDDEN))
        self.preformatted = max(0, self.preformatted - (tag == "pre"))
        self._add_separator(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        del attrs
        self._add_separator(tag)

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            blank = " " if data[:1].isspace() else ""
            end = " " if data[-1:].isspace() else ""
            self.pieces.append(data if self.preformatted else blank + " ".join(data.split()) + end)

    def _add_separator(self, tag: str) -> None:
        """Add the separator that a tag implies: a tab for a cell, a line end for a block."""
        if tag in ("td", "th"):
            self.pieces.append("\t")
        elif tag in _BLOCKS:
            self.pieces.append("\n")


def extract_html_text(document: str) -> str:
    r"""Return the text of an HTML document.

    Examples
    --------
    >>> extract_html_text("<p>Seen by <b>Dr. Br</b>own&nbsp;today.</p><table><tr><td>BP<td>128/72</table>")
    'Seen by Dr. Brown today.\nBP\t128/72\n'
    """
    parser = _TextCollector()
    parser.feed(document)
    parser.close()
    return "".join(f"{line.strip()}\n" for line in "".join(parser.pieces).split("\n") if line.strip())
