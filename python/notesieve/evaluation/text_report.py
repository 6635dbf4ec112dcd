"""Text reports for a terminal: evaluation, annotator agreement, statistics of a gold standard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from notesieve.evaluation.measured import EvaluationLike, interval, percent, riskiest_first


def summary(evaluation: EvaluationLike) -> str:
    """Return the main figures as text."""
    report = evaluation.report
    token, span, document = report["token"], report["span"], report["document"]
    tokens, zero = report["tokens"], document["zero_leak"]
    lines = [
        f"{evaluation.name}: {report['documents']:,} notes, {tokens['phi']:,} PHI tokens in {span['gold']:,} spans, "
        f"{tokens['nonphi']:,} other tokens",
        "",
        f"PHI tokens removed      {percent(token['recall']):>10}   {interval(token['recall_interval'])}",
        f"notes without a leak    {percent(zero['value']):>10}   {interval(zero['interval'])}",
        f"  ... a direct one      {percent(document['zero_direct_leak']['value']):>10}   "
        f"{interval(document['zero_direct_leak']['interval'])}",
        f"other tokens kept       {percent(report['retained_nonphi']['value']):>10}   "
        f"{interval(report['retained_nonphi']['interval'])}",
        "tokens                  P {precision:.4f}  F1 {F1:.4f}  F2 {F2:.4f}  F10 {F10:.4f}".format(**token),
        "spans                   P {precision:.4f}  R {recall:.4f}".format(**span)
        + f"  exact F1 {span['exact']['F1']:.4f}",
    ]
    if "confusion" in report:
        counts = report["confusion"]
        lines += [
            "other tokens            P {precision:.4f}  R {recall:.4f}  F1 {F1:.4f}".format(**report["other_tokens"]),
            f"accuracy                {percent(counts['accuracy']):>10}   PHI {counts['phi_removed']:,} removed, "
            f"{counts['phi_left']:,} left; others {counts['other_removed']:,} removed, {counts['other_kept']:,} kept",
        ]
    if report.get("concepts"):
        lines.append(f"concepts still coded    {percent(report['concepts']['mentions']['value']):>10}")
    lines += ["", f"{'':22}  tokens    left     recall    spans    left     recall"]
    for group in ("category", "risk"):
        for name, row in riskiest_first(report[group]):
            lines.append(
                f"  {name:20}{row['tokens']:8,}{row['token_leaks']:8,}{percent(row['token_recall']):>11}"
                f"{row['spans']:9,}{row['span_leaks']:8,}{percent(row['span_recall']):>11}"
            )
        lines.append("")
    for row in report.get("dictionary", []):
        shown = f"{row['tokens']:8,}{row['token_leaks']:8,}{percent(row['token_recall']):>11}"
        lines.append(f"  {'words ' + row['status'] if 'in' in row['status'] else row['status']:20}{shown}")
    lines += [f"left out: {p['file']}:{p['line']}: {p['problem']}" for p in report["problems"]]
    return "\n".join(lines).rstrip()


def agreement_summary(report: Mapping[str, Any]) -> str:
    """Return the agreement of annotators as text."""
    lines = [f"{report['documents']:,} notes, {report['tokens']:,} tokens", ""]
    lines.append(f"{'pair':30} token F1  span F1  with category   kappa")
    for pair in report["pairs"]:
        names = f"{pair['first']} - {pair['second']}"
        lines.append(
            f"{names:30} {pair['F1']:8.4f} {pair['exact_span_f1']:8.4f} {pair['exact_typed_f1']:14.4f} "
            f"{pair['kappa']:7.4f}"
        )
    lines += [
        "",
        f"Fleiss' kappa {report['fleiss_kappa']:.4f}, over categories {report['fleiss_kappa_category']:.4f}",
        "",
    ]
    lines.append("annotators against the adjudicated gold           precision  recall      F1")
    for row in report["by_readers"]:
        low, high = (row[name]["recall"] for name in ("minimum", "maximum"))
        lines.append(
            f"  {row['readers']:<46}{row['precision']:9.4f}{row['recall']:8.4f}{row['F1']:8.4f}"
            f"   recall {low:.4f} to {high:.4f}"
        )
    lines += [f"left out: {p['file']}: {p['problem']}" for p in report["problems"]]
    return "\n".join(lines)


def statistics_summary(found: Mapping[str, Any]) -> str:
    """Return the statistics of a gold standard as text."""
    lines = [
        f"{found['notes']:,} notes, {found['words']:,} words ({found['words_per_note']:.1f} a note), "
        f"{found['phi']:,} PHI tokens in {found['spans']:,} spans, {found['other']:,} other tokens, "
        f"{found['optional']:,} spans that may stay",
        "",
        f"{'':26}  tokens     share    spans   a note    notes",
    ]
    for group in ("categories", "subtypes"):
        for row in found[group]:
            notes = f"{row['notes']:9,}" if "notes" in row else ""
            lines.append(
                f"  {row['name']:24}{row['tokens']:8,}{percent(row['share']):>10}{row['spans']:9,}"
                f"{row['per_note']:9.2f}{notes}"
            )
        lines.append("")
    return "\n".join(lines).rstrip()
