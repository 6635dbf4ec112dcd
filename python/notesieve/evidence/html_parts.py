"""HTML parts of a page: accessible tables, headline figures, and suppressed counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from re import sub

_MAX_SHORT_ROWS = 14


@dataclass(frozen=True, slots=True)
class Html:
    """Markup that is inserted unescaped; all other values are escaped."""

    markup: str


def code_element(text: str) -> Html:
    """Return the markup of a digest or code, which may wrap at any character.

    Examples
    --------
    >>> code_element("a<b").markup
    '<span class="digest">a&lt;b</span>'
    """
    return Html(f'<span class="digest">{escape(text)}</span>')


def escaped_prose(text: str) -> str:
    """Escape a text; text in backticks becomes code, in asterisks emphasis.

    Examples
    --------
    >>> escaped_prose("under `dates` *or* <b>")
    'under <code>dates</code> <em>or</em> &lt;b&gt;'
    """
    marked = sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    return sub(r"\*([^*<>]+)\*", r"<em>\1</em>", marked)


def paragraph(text: str, style: str = "") -> str:
    """Return a paragraph.

    Examples
    --------
    >>> paragraph("One & two.", "small")
    '<p class="small">One &amp; two.</p>'
    """
    return f"<p{_class_attribute(style)}>{escaped_prose(text)}</p>"


def bullet_list(texts: Iterable[str]) -> str:
    """Return a bulleted list.

    Examples
    --------
    >>> bullet_list(["one", "two"])
    '<ul><li>one</li><li>two</li></ul>'
    """
    return f"<ul>{''.join(f'<li>{escaped_prose(text)}</li>' for text in texts)}</ul>"


def count_or_suppressed(number: int | None) -> str:
    """Return a count as text; None is a suppressed count.

    Examples
    --------
    >>> count_or_suppressed(1200), count_or_suppressed(None)
    ('1,200', 'suppressed')
    """
    return "suppressed" if number is None else f"{number:,}"


def large_figure(value: str, what: str, more: str) -> str:
    """Return a headline figure.

    Examples
    --------
    >>> large_figure("99 %", "removed", "98 % to 100 %").count("<span")
    2
    """
    return (
        f'<div class="figure"><b>{escape(value)}</b><span class="what">{escape(what)}</span>'
        f"<span>{escape(more)}</span></div>"
    )


def boxed_paragraph(text: str, *, warn: bool = False) -> str:
    """Return a highlighted paragraph.

    Examples
    --------
    >>> boxed_paragraph("Read this.", warn=True)
    '<div class="box warn" role="note"><p>Read this.</p></div>'
    """
    return f'<div class="box{" warn" if warn else ""}" role="note"><p>{escaped_prose(text)}</p></div>'


def section(name: str, title: str, body: str) -> str:
    """Return a section with a heading that has an anchor.

    Examples
    --------
    >>> section("risk", "Risk", "<p>None.</p>")
    '<section aria-labelledby="risk"><h2 id="risk">Risk</h2><p>None.</p></section>'
    """
    return f'<section aria-labelledby="{name}"><h2 id="{name}">{escape(title)}</h2>{body}</section>'


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]], numbers: Sequence[int] = ()) -> str:
    """Return a table with a caption; the first cell of each row is its header.

    Parameters
    ----------
    caption : str
        The caption.
    head : sequence of str
        The column headers.
    rows : iterable of sequence
        Cells: `Html` unescaped, integers with thousands separators, all others escaped.
    numbers : sequence of int, optional
        The columns that are aligned as numbers.

    Examples
    --------
    >>> table("Counts", ["kind", "count"], [["name", 1200]], numbers=[1]).count('scope="row"')
    1
    """

    def format_cell(tag: str, at: int, value: object, scope: str = "") -> str:
        if isinstance(value, Html):
            shown = value.markup
        else:
            shown = escape(f"{value:,}" if isinstance(value, int) else str(value), quote=False)
        where = f' scope="{scope}"' if scope else ""
        return f"<{tag}{where}{_class_attribute('number' if at in numbers else '')}>{shown}</{tag}>"

    top = "".join(format_cell("th", at, name, "col") for at, name in enumerate(head))
    lines = [
        "".join(format_cell("td" if at else "th", at, value, "" if at else "row") for at, value in enumerate(row))
        for row in rows
    ]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    # In print, a short table is not split across pages.
    style = "wide short" if len(lines) <= _MAX_SHORT_ROWS else "wide"
    return (
        f'<div class="{style}"><table><caption>{escape(caption, quote=False)}</caption>'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _class_attribute(style: str) -> str:
    return f' class="{style}"' if style else ""
