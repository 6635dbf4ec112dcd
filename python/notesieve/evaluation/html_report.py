"""HTML reports of an evaluation: a fragment for a notebook, and a page that a board can read and print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from notesieve.evaluation.measured import EvaluationLike, interval, percent, riskiest_first
from notesieve.evaluation.plots import kept_against_leaked, leaks_by_document, recall_by_group

_STYLE = """
:root{--ink:#1f2933;--grey:#616e7c;--line:#d9e2ec;--blue:#1f5fa8;--red:#b3261e}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,"Segoe UI","Liberation Sans",Arial,sans-serif;color:var(--ink);
  max-width:860px;margin:36px auto;padding:0 24px}
h1{font-size:25px;margin:0 0 4px}h2{font-size:18px;margin:34px 0 8px;padding-top:10px;border-top:1px solid var(--line)}
h3{font-size:15px;margin:22px 0 4px}p{margin:6px 0}.grey{color:var(--grey)}.small{font-size:13px}
.figures{display:grid;grid-template-columns:repeat(4,1fr);gap:12px;margin:18px 0}
.figure{border:1px solid var(--line);border-radius:6px;padding:10px 12px}
.figure b{display:block;font-size:25px;line-height:1.25;font-weight:600}.figure .red{color:var(--red)}
.figure span{font-size:13px;color:var(--grey);display:block}
table{border-collapse:collapse;width:100%;font-size:13.5px;margin:8px 0 4px}
th,td{text-align:right;padding:4px 8px;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--grey);border-bottom:1px solid var(--grey)}
td{white-space:nowrap}td.left,table.facts td{white-space:normal}
th:first-child,td:first-child,td.left,th.left{text-align:left}
table.facts{table-layout:fixed}table.facts th{border-bottom:1px solid var(--line);width:190px;text-align:left}
table.facts td{text-align:left;overflow-wrap:anywhere}
svg{width:100%;height:auto;display:block;margin:6px 0}
code{font:12.5px ui-monospace,"Liberation Mono",monospace}
ul{margin:6px 0;padding-left:20px}li{margin:3px 0}
.warn{border-left:4px solid var(--red);padding:4px 12px;background:#fbeceb}
@media print{body{margin:0;max-width:none;font-size:12px}
  h2{break-after:avoid}tr,svg,.figure{break-inside:avoid}.page{break-before:page}}
"""


def _html_table(head: Sequence[str], rows: Iterable[Sequence[object]], left: Sequence[int] = (0,)) -> str:
    def format_cell(tag: str, at: int, value: object) -> str:
        shown = f"{value:,}" if isinstance(value, int) else "-" if value is None else str(value)
        kind = ' class="left"' if at in left else ""
        return f"<{tag}{kind}>{escape(shown)}</{tag}>"

    top = "".join(format_cell("th", at, name) for at, name in enumerate(head))
    body = "".join(f"<tr>{''.join(format_cell('td', at, value) for at, value in enumerate(row))}</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _large_figure(value: str, what: str, more: str, *, red: bool = False) -> str:
    """Return the HTML of a headline figure."""
    shade = ' class="red"' if red else ""
    return (
        f'<div class="figure"><b{shade}>{escape(value)}</b><span>{escape(what)}</span><span>{escape(more)}</span></div>'
    )


def _large_figures(evaluation: EvaluationLike) -> str:
    """Return the headline figures: recall, notes without a leak, other tokens kept."""
    token, document = evaluation["token"], evaluation["document"]
    zero, direct, kept = document["zero_leak"], document["zero_direct_leak"], evaluation["retained_nonphi"]
    return (
        '<div class="figures">'
        + _large_figure(percent(token["recall"]), "of PHI tokens removed", interval(token["recall_interval"]))
        + _large_figure(percent(zero["value"], 1), "of notes without a leak", interval(zero["interval"]))
        + _large_figure(percent(direct["value"], 1), "without a direct identifier left", interval(direct["interval"]))
        + _large_figure(percent(kept["value"]), "of other tokens kept", interval(kept["interval"]))
        + "</div>"
    )


def _provenance_table(evaluation: EvaluationLike) -> str:
    """Return the table of what was measured and with which versions."""
    report = evaluation.report
    tokens = report["tokens"]
    rows: list[tuple[str, str]] = [("System", evaluation.name)]
    rows += [(name[0].upper() + name[1:], value) for name, value in evaluation.provenance.items()]
    rows += [
        ("Sample", f"{report['documents']:,} notes with {tokens['words']:,} words"),
        ("Marked as PHI", f"{report['span']['gold']:,} spans, {tokens['phi']:,} tokens"),
        (
            "Left out",
            f"{tokens['generic']:,} generic words inside spans; {len(report['problems'])} files with problems",
        ),
        (
            "Intervals",
            f"{report['confidence'] * 100:g} % confidence, exact binomial (Clopper-Pearson); F by bootstrap of notes",
        ),
    ]
    body = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f'<table class="facts"><tbody>{body}</tbody></table>'


def _uncertainty_list(report: Mapping[str, Any]) -> str:
    """Return the list of uncertainties that the measurement leaves."""
    token, document, risk = report["token"], report["document"], report["risk"]
    low, zero = token["recall_interval"]["low"], document["zero_leak"]
    notes = [
        f"{token['fn']:,} PHI tokens in {zero['whole'] - zero['part']:,} notes were left. With "
        f"{report['confidence'] * 100:g} % confidence up to {percent(1 - low)} of such tokens are left in notes "
        "like these.",
    ]
    for name, group in riskiest_first(risk):
        if group["tokens"]:
            bound = group.get("rule_of_three")
            more = f"; with none left, at most {percent(bound)} by the rule of three" if bound is not None else ""
            notes.append(
                f"Risk group “{name}”: {group['token_leaks']:,} of {group['tokens']:,} tokens left, "
                f"{group['leaks_per_10000_words']:.2f} in 10,000 words{more}."
            )
    if document["risk"]:
        parts = ", ".join(f"{number:,} {name}" for name, number in riskiest_first(document["risk"]))
        notes.append(f"Notes by how many categories leaked in them (one is low, two medium, more high): {parts}.")
    notes.append(
        "The tokens of a note are not independent; the intervals by bootstrap of notes, below, allow for that."
    )
    notes.append(
        "A gold standard has errors of its own: an annotator who missed a name makes a system look better than it is."
    )
    notes.append(
        "The figures hold for notes like those of the sample. Other note types, sites and years need their own."
    )
    return "<ul>" + "".join(f"<li>{escape(note)}</li>" for note in notes) + "</ul>"


def _groups_table(groups: Mapping[str, Mapping[str, Any]], first: str) -> str:
    head = (first, "tokens", "left", "recall", "interval", "spans", "left", "recall", "per 10,000 words")
    rows = [
        (name, g["tokens"], g["token_leaks"], percent(g["token_recall"]), interval(g["token_interval"]), g["spans"],
         g["span_leaks"], percent(g["span_recall"]), f"{g['leaks_per_10000_words']:.2f}")
        for name, g in riskiest_first(groups)
    ]  # fmt: skip
    return _html_table(head, rows)


def _scores_table(rows: Sequence[tuple[str, Mapping[str, Any]]], first: str) -> str:
    head = (first, "found", "wrong", "missed", "precision", "recall", "F1", "F2", "F10")
    return _html_table(
        head,
        [
            # A share of nothing is 1, which would mislead for a category that the gold standard does not have.
            (
                name,
                s["tp"],
                s["fp"],
                s["fn"],
                *(
                    percent(s[key] if s["tp"] + s["fn"] or key == "precision" else None)
                    for key in ("precision", "recall", "F1", "F2", "F10")
                ),
            )
            for name, s in rows
        ],
    )


def _all_scores_tables(report: Mapping[str, Any]) -> str:
    span = report["span"]
    rows = [
        ("tokens", report["token"]),
        ("tokens, generic words too", report["strict_token"]),
        ("spans, same bounds", span["exact"]),
        ("spans, any overlap", span["partial"]),
    ]
    rows += [
        (name, span[key])
        for name, key in (
            ("spans, same bounds and category", "exact_typed"),
            ("spans, overlap and category", "partial_typed"),
        )
        if span.get(key)
    ]
    html = _scores_table(rows, "unit")
    if report.get("bootstrap"):
        drawn = report["bootstrap"]
        ranges = ", ".join(f"{key} {interval(drawn[key])}" for key in ("recall", "precision", "F1", "F2", "F10"))
        html += f'<p class="small grey">Tokens, by {drawn["draws"]:,} draws of notes: {escape(ranges)}.</p>'
    return html


def _confusion_table(report: Mapping[str, Any]) -> str:
    counts, rest = report["confusion"], report["other_tokens"]
    rows = [
        ("PHI tokens", counts["phi_removed"], counts["phi_left"]),
        ("other tokens", counts["other_removed"], counts["other_kept"]),
    ]
    more = "Accuracy {:.4f}. Of the other tokens: precision {:.4f}, recall {:.4f}, F1 {:.4f}.".format(
        counts["accuracy"], *(rest[name] for name in ("precision", "recall", "F1"))
    )
    return _html_table(("", "removed", "left in the text"), rows) + f"<p>{escape(more)}</p>"


def _sokolova_table(report: Mapping[str, Any]) -> str:
    readings = (
        ("categories removed", "sokolova_category"),
        ("risk groups removed", "sokolova_risk"),
        ("categories leaked (as published)", "sokolova_leaked"),
    )
    rows = [(name, *(f"{report[key][measure]:.3f}" for measure in ("EMR", "LF", "HL", "OE"))) for name, key in readings]
    return (
        _html_table(("labels of a note", "exact match", "labelling F", "Hamming loss", "one-error"), rows)
        + '<p class="small grey">Labels removed: high match and F, low loss and error are good. '
        "Labels leaked, as Sokolova and others (2011) print it: the other way round.</p>"
    )


def _utility_table(report: Mapping[str, Any]) -> str:
    """Return the table of the utility of the output: words, concepts and readability."""
    read, rows = report["readability"], []
    rows.append(("Other tokens kept", percent(report["retained_nonphi"]["value"])))
    ambiguous = report["ambiguous"]
    if ambiguous["nonphi_tokens"]:
        rows.append(("Words that are PHI elsewhere in the note, kept", percent(ambiguous["nonphi_retained"])))
    if ambiguous["phi_tokens"]:
        rows.append(("The same words where they are PHI, removed", percent(ambiguous["phi_recall"])))
    if report.get("concepts"):
        concepts = report["concepts"]
        rows.append(("Concept mentions still coded", percent(concepts["mentions"]["value"])))
        rows.append(("Distinct concepts of a note still coded", percent(concepts["distinct"]["value"])))
    rows.append(("Masks in a sentence", f"{report['masks_per_sentence']:.2f}"))
    rows.append(("Longest run of masked words", f"{read['longest_mask']:,}"))
    return _html_table(("", ""), rows)


def _error_table(rows: Sequence[Mapping[str, Any]], what: str, *, with_reason: bool) -> str:
    """Return the table of leaks or of needlessly removed words."""
    if not rows:
        return f"<p>No {what}.</p>"
    context = any(row.get("context") for row in rows)
    head = [
        "count",
        "form",
        "category",
        *(["reason"] if with_reason else []),
        "first in",
        *(["context"] if context else []),
    ]
    body = []
    for row in rows[:60]:
        doc, start, _ = row["first"]
        cells = [row["count"], row["form"], row["category"] or "-"]
        cells += [row.get("reason") or "-"] if with_reason else []
        body.append([*cells, f"{doc}:{start}", *([row.get("context") or ""] if context else [])])
    more = (
        f'<p class="small grey">The first 60 of {len(rows)}; all listed are in the CSV file.</p>'
        if len(rows) > 60
        else ""
    )
    return _html_table(head, body, left=range(1, len(head))) + more


def _documents_table(rows: Sequence[Mapping[str, Any]]) -> str:
    worst = sorted(rows, key=lambda row: (-row["leaked_direct"], -row["leaked"], row["kept"]))[:40]
    names = ("doc", "words", "phi", "leaked", "leaked_direct", "leaked_spans")
    head = ("note", "words", "PHI tokens", "left", "direct identifiers left", "spans left", "kept", "risk")
    body = [
        (*(r[name] for name in names), percent(r["kept"], 1), r.get("risk"))
        for r in worst
    ]  # fmt: skip
    more = f'<p class="small grey">The first {len(worst)} of {len(rows):,} by leaks; all are in the CSV file.</p>'
    return _html_table(head, body) + more


def html_fragment(evaluation: EvaluationLike) -> str:
    """Return the main figures and one plot, for a notebook."""
    style = _STYLE.replace("body{", ".notesieve-evaluation{").replace(":root{", ".notesieve-evaluation{")
    plot = recall_by_group(evaluation["category"], "share of PHI tokens removed by category")
    return f'<style>{style}</style><div class="notesieve-evaluation">{_large_figures(evaluation)}{plot}</div>'


def html_page(evaluation: EvaluationLike, others: Sequence[EvaluationLike] = ()) -> str:
    """Return the whole page."""
    parts = [
        *_overview_sections(evaluation, others),
        *_measures_sections(evaluation.report),
        *_error_sections(evaluation.report),
    ]
    title = escape(f"De-identification measured: {evaluation.name}")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _overview_sections(evaluation: EvaluationLike, others: Sequence[EvaluationLike]) -> list[str]:
    report = evaluation.report
    shown = any(leak.get("text") for leak in report["leaks"])
    warning = (
        '<p class="warn"><b>This page shows text of the gold standard. It is PHI, as the notes are.</b></p>'
        if shown
        else ""
    )
    points = [(e.name, 1 - e["token"]["recall"], e["retained_nonphi"]["value"]) for e in (evaluation, *others)]
    parts = [
        f"<h1>De-identification measured: {escape(evaluation.name)}</h1>",
        '<p class="grey">What was removed, held against what people marked as PHI. A measurement: it certifies '
        "nothing and takes no expert's place.</p>",
        warning,
        _large_figures(evaluation),
        _provenance_table(evaluation),
        "<h3>Residual risk</h3>",
        _uncertainty_list(report),
        '<h2 class="page">What leaks, by category</h2>',
        '<p class="grey small">Share of PHI tokens removed, with its interval.</p>',
        recall_by_group(report["category"], "share of PHI tokens removed by category"),
        _groups_table(report["category"], "category"),
        "<h2>Notes by what leaked in them</h2>",
        leaks_by_document([row["leaked"] for row in report["per_document"]], "notes by the number of leaked tokens"),
        "<h2>Kept against leaked</h2>",
        kept_against_leaked(points, "share of other tokens kept against share of PHI tokens left"),
    ]
    if others:
        compared = [
            (e.name, percent(e["token"]["recall"]), percent(e["document"]["zero_leak"]["value"], 1),
             percent(e["document"]["zero_direct_leak"]["value"], 1), percent(e["retained_nonphi"]["value"]),
             percent(e["token"]["F2"]))
            for e in (evaluation, *others)
        ]  # fmt: skip
        head = ("system", "recall", "notes without a leak", "without a direct one", "kept", "F2")
        parts.append(_html_table(head, compared))
    return parts


def _measures_sections(report: Mapping[str, Any]) -> list[str]:
    parts = [
        "<h2>By risk</h2>",
        _groups_table(report["risk"], "risk group"),
        "<h3>As in the nursing-note study</h3>",
        _groups_table(report["nursing_risk"], "risk"),
        "<h2>Both classes</h2>",
        _confusion_table(report),
        "<h2>All measures</h2>",
        _all_scores_tables(report),
    ]
    if report.get("typed_category"):
        parts += [
            "<h3>Tokens with the right category</h3>",
            _scores_table(list(report["typed_category"].items()), "category"),
        ]
    parts += [
        "<h3>Notes as sets of labels</h3>",
        _sokolova_table(report),
        "<h2>What is left to use</h2>",
        _utility_table(report),
        '<h2 class="page">By kind of PHI</h2>',
        _groups_table(report["subtype"], "kind"),
    ]
    if report.get("noise"):
        parts += ["<h3>By the kind of noise</h3>", _groups_table(report["noise"], "noise")]
    return parts


def _error_sections(report: Mapping[str, Any]) -> list[str]:
    parts = [
        "<h2>Leaks</h2>",
        _error_table(report["leak_forms"], "leaks", with_reason=any(row.get("reason") for row in report["leak_forms"])),
        "<h2>Removed without need</h2>",
        _error_table(report["over_scrubbed"], "lost words", with_reason=True),
        "<h2>Notes</h2>",
        _documents_table(report["per_document"]),
    ]
    if report["problems"]:
        rows = [(p["file"], p["line"], p["problem"]) for p in report["problems"]]
        parts += ["<h2>Left out</h2>", _html_table(("file", "line", "problem"), rows, left=(0, 2))]
    return parts
