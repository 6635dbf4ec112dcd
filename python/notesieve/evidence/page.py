"""The evidence page, to read, print and sign."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from notesieve.evaluation.measured import interval, percent, riskiest_first
from notesieve.evaluation.plots import recall_by_group
from notesieve.evidence.html_parts import (
    Html,
    boxed_paragraph,
    bullet_list,
    code_element,
    escaped_prose,
    large_figure,
    paragraph,
    section,
    table,
)
from notesieve.evidence.residual_html import residual_section
from notesieve.evidence.statements import FILES, FOR_SIGNATURE, NO_REAL_PATIENTS, NOT_CLAIMED, PURPOSE, RISK_NAMES

if TYPE_CHECKING:
    from notesieve.evidence.collected import EvidenceData
    from notesieve.evidence.safe_harbor import CheckedIdentifier


def evidence_page(evidence: EvidenceData) -> str:
    """Return the whole page as HTML without external resources.

    Parameters
    ----------
    evidence : Collected
        The result of `notesieve.evidence.collect`.

    Returns
    -------
    str
    """
    style = files("notesieve.evidence").joinpath("page.css").read_text(encoding="utf-8")
    parts = [
        ("summary", "Summary", _summary_section(evidence)),
        ("sample", "The sample, and the sample that is needed", _sample_section(evidence)),
        ("leaks", "What leaks", _leaks_section(evidence)),
        ("safe-harbor", "The 18 identifiers of the Safe Harbor method", _safe_harbor_section(evidence)),
        ("residual", "Residual risk", residual_section(evidence)),
        ("claims", "What cannot be claimed", bullet_list(NOT_CLAIMED)),
        ("who", "Who can see what", _access_section()),
        ("policy", "Policy and versions", _policy_section(evidence)),
        ("signatures", "Decision and signatures", _signatures_section()),
    ]
    contents = "".join(f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title, _ in parts)
    numbered = "".join(section(name, f"{at}. {title}", body) for at, (name, title, body) in enumerate(parts, 1))
    title = "Evidence on de-identification"
    of = f", {escape(evidence.organisation)}" if evidence.organisation else ""
    facts = [evidence.organisation, evidence.figures.evaluation.name, f"notesieve {evidence.environment['notesieve']}"]
    lead = " · ".join(escape(fact) for fact in [*facts, f"{evidence.day}"] if fact)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}{of}</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{style}</style></head><body>'
        f'<a class="skip" href="#summary">Skip to the summary</a><header><h1>{title}</h1><p class="lead">{lead}</p>'
        f"{boxed_paragraph(PURPOSE)}{_warnings_section(evidence)}</header>"
        f'<nav aria-label="Contents"><ol>{contents}</ol></nav><main>{numbered}</main></body></html>\n'
    )


def _warnings_section(evidence: EvidenceData) -> str:
    """Return warnings about what the policy keeps on purpose, shown before any figure."""
    found = []
    if evidence.policy["rules_off"]:
        off = ", ".join(evidence.policy["rules_off"])
        found.append(f"Rules are switched off ({off}): this policy is for measurements. Share nothing made with it.")
    kept = [row for row in evidence.safe_harbor if row.kept_by_policy]
    if kept:
        names = "; ".join(f"{row.identifier.letter}: {', '.join(row.kept_by_policy)}" for row in kept)
        found.append(f"The policy keeps identifiers of the Safe Harbor method on purpose ({names}).")
    if evidence.policy["dates"] == "shift":
        found.append("The policy shifts dates. Shifted dates are dates: the Safe Harbor method does not let them stay.")
    return "".join(boxed_paragraph(text, warn=True) for text in found)


def _summary_section(evidence: EvidenceData) -> str:
    report = evidence.figures.evaluation
    token, document, kept = report["token"], report["document"], report["retained_nonphi"]
    zero, direct = document["zero_leak"], document["zero_direct_leak"]
    share = _percent(report["confidence"])
    tiles = (
        large_figure(percent(token["recall"]), "of identifying tokens removed", interval(token["recall_interval"]))
        + large_figure(percent(zero["value"], 1), "of notes without a leak", interval(zero["interval"]))
        + large_figure(percent(direct["value"], 1), "without a direct identifier left", interval(direct["interval"]))
        + large_figure(percent(kept["value"]), "of other tokens kept", interval(kept["interval"]))
    )
    drawn = report.report.get("bootstrap")
    by_notes = (
        f" The tokens of a note depend on each other: by a bootstrap over notes ({drawn['draws']:,} replicates), "
        f"recall is {interval(drawn['recall'])}."
        if drawn
        else ""
    )
    return (
        f'<div class="figures">{tiles}</div>'
        + paragraph(
            f"Intervals: {share} confidence, two-sided, exact binomial (Clopper-Pearson).{by_notes}", "small grey"
        )
        + paragraph(_verdict_sentence(evidence))
        + _other_policies_section(evidence)
    )


def _percent(share: float) -> str:
    return f"{round(share * 100, 1):g} %"


def _verdict_sentence(evidence: EvidenceData) -> str:
    plan, verdict = evidence.plan, evidence.plan.verdict
    shown = "shows" if verdict["shown"] else "does *not* show"
    return (
        f"The sample {shown} that recall of identifiers is above {plan.recall:g} with {_percent(plan.confidence)} "
        f"confidence: {verdict['phi']['tp']:,} of {verdict['phi']['tp'] + verdict['phi']['fn']:,} identifiers were "
        f"removed as a whole ({percent(verdict['recall'])}), the lower bound is {percent(verdict['lower_bound'])}."
    )


def _other_policies_section(evidence: EvidenceData) -> str:
    """Return the table that compares the policies."""
    if not evidence.others:
        return ""
    rows = [
        (
            one.evaluation.name,
            percent(one.evaluation["token"]["recall"]),
            interval(one.evaluation["token"]["recall_interval"]),
            percent(one.evaluation["document"]["zero_leak"]["value"], 1),
            percent(one.evaluation["document"]["zero_direct_leak"]["value"], 1),
            percent(one.evaluation["retained_nonphi"]["value"]),
        )
        for one in (evidence.figures, *evidence.others)
    ]
    head = ("policy", "recall", "interval", "notes without a leak", "without a direct one", "kept")
    return table("Policies on the same notes; the first is the one reported here", head, rows, numbers=range(1, 6))


def _sample_section(evidence: EvidenceData) -> str:
    report, plan = evidence.figures.evaluation, evidence.plan
    tokens = report["tokens"]
    rows: list[tuple[str, object]] = [
        ("Marked notes", ", ".join(f"{name}: {number:,}" for name, number in evidence.golds.items())),
        ("Words", tokens["words"]),
        ("Identifying tokens; identifiers per note", f"{tokens['phi']:,}; {plan.phi_per_note:.1f}"),
        (
            "To be shown",
            f"recall of identifiers above {plan.recall:g} with {_percent(plan.confidence)} confidence, one-sided",
        ),
        ("Notes needed if nothing is missed", _needed_sample_sentence(plan.planned)),
    ]
    if plan.at_observed is not None:
        recall = percent(plan.verdict["recall"])
        rows.append((f"Notes needed if recall is {recall}, as here", _needed_sample_sentence(plan.at_observed)))
    elif plan.verdict["recall"] <= plan.recall:
        rows.append(("If recall is as here", "not above the stated recall: no sample can show it"))
    rows += [
        ("Notes read", plan.verdict["notes"]),
        ("Design effect in this sample", f"{plan.verdict['design_effect']:.2f}"),
        (
            "Lower bound of recall: exact test; bootstrap over notes",
            f"{percent(plan.verdict['lower_bound'])}; {percent(plan.verdict['bootstrap_bound'])}",
        ),
    ]
    left_out = len(report["problems"])
    return (
        table("The sample", ("what", "value"), rows)
        + (
            boxed_paragraph(f"{left_out} files of the gold standards could not be read and were left out.", warn=True)
            if left_out
            else ""
        )
        + paragraph(
            "The figures are those of this sample. They hold for a release if the notes were drawn at random from "
            "it, by genre (`notesieve sample draw`), were marked by people who did not see the output, and were not "
            "used to train the model or to choose the policy. This page cannot check that: whoever signs it "
            "confirms it.",
        )
    )


def _needed_sample_sentence(plan: Mapping[str, Any]) -> str:
    """Return a sentence on the notes that a sample needs and the misses that it allows."""
    return (
        f"{plan['notes']:,} notes with {plan['phi']:,} identifiers, of which at most {plan['allowed_misses']:,} may be "
        f"missed; chance of success {_percent(plan['power'])}"
    )


def _leaks_section(evidence: EvidenceData) -> str:
    scores = evidence.figures
    kinds = dict(scores.kinds)
    drawn = {name: group for name, group in kinds.items() if group["token_interval"]}
    genres = {
        name: {
            "tokens": genre["token"]["tp"] + genre["token"]["fn"], "token_leaks": genre["token"]["fn"],
            "token_recall": genre["token"]["recall"], "token_interval": genre["token"]["recall_interval"],
        }
        for name, genre in scores.genres.items()
    }  # fmt: skip
    risk = {RISK_NAMES.get(name, name): group for name, group in riskiest_first(scores.risk)}
    head = ("", "tokens", "left", "recall", "interval")
    by_genre = [
        (name, genre["documents"], *_group_cells(genres[name])[0:4], percent(genre["zero_leak"]["value"], 1),
         interval(genre["zero_leak"]["interval"]), percent(genre["kept"]["value"], 1))
        for name, genre in scores.genres.items()
    ]  # fmt: skip
    genre_head = ("genre", "notes", *head[1:], "notes without a leak", "interval", "kept")
    return (
        paragraph("A token is identifying if a person marked it. It is left if any character of it came out.")
        + table("By class of risk", ("class of risk", *head[1:]), _group_rows(risk), numbers=range(1, 5))
        + table("By kind of identifier", ("kind", *head[1:]), _group_rows(kinds), numbers=range(1, 5))
        + "<h3>Share of identifying tokens removed, by kind</h3>"
        + (recall_by_group(drawn, "Share of identifying tokens removed by kind, with intervals") if drawn else "")
        + table("By genre of note", genre_head, by_genre, numbers=range(1, 9))
        + paragraph(
            f"Kinds with fewer than {evidence.residual.least} tokens and genres with fewer than "
            f"{evidence.residual.least} notes are put together. What is left is counted exactly: it counts errors of "
            "the system, not patients.",
            "small grey",
        )
    )


def _group_cells(group: Mapping[str, Any]) -> tuple[object, ...]:
    """Return the cells of a group: tokens, leaks, recall and interval."""
    bounds = group["token_interval"]
    return (
        group["tokens"],
        group["token_leaks"],
        percent(group["token_recall"] if group["tokens"] else None),
        interval(bounds) if bounds and group["tokens"] else "-",
    )


def _group_rows(groups: Mapping[str, Mapping[str, Any]]) -> list[tuple[object, ...]]:
    """Return one row per group."""
    return [(name, *_group_cells(group)) for name, group in groups.items()]


def _safe_harbor_section(evidence: EvidenceData) -> str:
    rows = [
        (
            Html(f"{row.identifier.letter}. {escaped_prose(row.identifier.name)}"),
            ", ".join(row.identifier.kinds) or "-",
            Html(escaped_prose(row.identifier.removed_by)),
            Html(escaped_prose(row.identifier.limit)),
            Html(_outcome_cell(row)),
        )
        for row in evidence.safe_harbor
    ]
    head = ("identifier", "kinds in results", "what removes it", "what can remain", "this policy")
    return (
        paragraph(
            "45 CFR 164.514(b)(2)(i) lists what must be removed. The last column is a check with the policy, model and "
            "vocabulary of this page on invented sentences, one or more for each identifier. It shows that the mapping "
            "holds, not how often an identifier leaks: that is section 3."
        )
        + table("What removes each identifier", head, rows)
        + paragraph(
            "Safe Harbor also demands that the holder has no actual knowledge that the rest could identify a person "
            "(164.514(b)(2)(ii)). Only people can say so. Names of staff, states and countries are removed as well by "
            "default, although the regulation does not list them."
        )
    )


def _outcome_cell(row: CheckedIdentifier) -> str:
    if row.kept_by_policy:
        return f'<span class="bad">kept on purpose: {escape(", ".join(row.kept_by_policy))}</span>'
    done = row.removed == row.examples
    words = f"{row.removed} of {row.examples} removed"
    changed = f"; {escape(row.replaced_by)}" if row.replaced_by else ""
    return f'<span class="{"ok" if done else "bad"}">{words}</span>{changed}'


def _access_section() -> str:
    """Return the table of the files that notesieve writes, their contents and who may see them."""
    head = ("what is written", "where", "what it holds", "who may see it")
    return paragraph(
        "notesieve opens no network connection while it scrubs, keeps no copy of a text and writes no log of texts."
    ) + table("Files", head, [tuple(Html(escaped_prose(cell)) for cell in row) for row in FILES])


def _policy_section(evidence: EvidenceData) -> str:
    def format_value(value: object) -> str:
        if isinstance(value, list):
            return ", ".join(map(str, value)) or "-"
        if isinstance(value, dict):
            return ", ".join(f"{name}: {format_value(part)}" for name, part in value.items()) or "-"
        return "-" if value is None else str(value).lower() if isinstance(value, bool) else str(value)

    choices = "".join(
        f"<div><dt><code>{escape(name)}</code></dt><dd>{escape(format_value(value))}</dd></div>"
        for name, value in evidence.policy.items()
    )
    lists = ", ".join(f"{name}: {number:,} items" for name, number in evidence.site_lists.items()) or "none"
    where = [*evidence.environment.items(), ("lists of the site", lists)]
    return (
        table("Versions", ("what", "version"), where)
        + table(
            "SHA-256 digests",
            ("of", "digest"),
            [(name, code_element(value)) for name, value in evidence.digests.items()],
        )
        + paragraph(
            "`notesieve --version` prints the digests of what is built in. An installed wheel holds its software "
            "bill of materials in CycloneDX form, in the folder `sboms` of its metadata: it names each library that "
            "was compiled in."
        )
        + paragraph(NO_REAL_PATIENTS)
        + f'<h3>Choices of the policy</h3><dl class="choices">{choices}</dl>'
    )


def _signatures_section() -> str:
    choices = "".join(
        f'<p><span class="choice" aria-hidden="true"></span>{escaped_prose(text)}</p>' for text in FOR_SIGNATURE
    )
    fields = ("Prepared by: name, role", "Date, signature", "Decided by: name, role", "Date, signature")
    lines = "".join(f"<div>{field}</div>" for field in fields)
    return f'<div id="signatures-body">{choices}<div class="sign">{lines}</div></div>'
