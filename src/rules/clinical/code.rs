//! Codes announced by the name of their system: `CPT 27759`, `ICD-9 250.00`, `ICD-10-CM: E11.9`, `NDC 0002-7597-01`.

use crate::rules::{Certainty, Findings, View};
use crate::token::{Gap, Kind};

/// Systems whose names are nothing else.
fn system(word: &[u8]) -> bool {
    matches!(
        word,
        b"cpt"
            | b"icd"
            | b"icd9"
            | b"icd10"
            | b"icdcm"
            | b"ndc"
            | b"loinc"
            | b"hcpcs"
            | b"drg"
            | b"dsm"
            | b"snomed"
            | b"rxnorm"
            | b"rxcui"
            | b"omim"
            | b"mesh"
            | b"umls"
            | b"cui"
            | b"cdt"
            | b"msdrg"
            | b"icpc"
            | b"atc"
            | b"opcs"
            | b"hcc"
            | b"cvx"
    )
}

/// Vouches for the codes after the name of their system.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if !system(view.bytes(at)) {
        return;
    }
    let mut next = at + 1;
    // ICD-10-CM, CPT-4, DSM-5: the edition belongs to the name.
    if view.token(next).glued() && view.is_number(next) && view.bytes(next).len() <= 2 {
        findings.keep(at, next + 1, Certainty::Sure);
        next += 1;
    }
    for _ in 0..2 {
        let part = view.is_mark(next, b'-') && view.joined(next) && view.joined(next + 1);
        if part
            && (view.bytes(next + 1).len() <= 2 && view.is_number(next + 1)
                || matches!(view.bytes(next + 1), b"cm" | b"pcs" | b"o" | b"iv" | b"tr"))
        {
            findings.keep(next, next + 2, Certainty::Sure);
            next += 2;
        }
    }
    for _ in 0..12 {
        let (end, digits) = code(view, next);
        if digits {
            findings.keep(next, end, Certainty::Sure);
            let Some(more) = another(view, end) else { return };
            next = more;
            continue;
        }
        let between = match view.token(next).kind {
            Kind::Word => matches!(
                view.bytes(next),
                b"code"
                    | b"codes"
                    | b"number"
                    | b"numbers"
                    | b"no"
                    | b"diagnosis"
                    | b"procedure"
                    | b"is"
                    | b"of"
                    | b"cm"
                    | b"ct"
                    | b"pcs"
                    | b"ed"
                    | b"edition"
                    | b"billing"
                    | b"and"
                    | b"id"
                    | b"version"
                    | b"revision"
                    | b"dx"
                    | b"primary"
            ),
            Kind::Number => view.bytes(next).len() <= 2,
            Kind::Punct => b":#.-(=".contains(&view.bytes(next)[0]),
            _ => false,
        };
        if !between || view.gap(next) == Gap::Paragraph {
            return;
        }
        next += 1;
    }
}

/// One past the code that begins here, and whether it is one: up to two letters and three digits or more.
fn code(view: &View<'_>, at: usize) -> (usize, bool) {
    let mut end = at;
    let mut digits = 0;
    let mut letters = 0;
    while end < at + 10 && (end == at || view.joined(end)) {
        match view.token(end).kind {
            Kind::Number => digits += view.bytes(end).iter().filter(|byte| byte.is_ascii_digit()).count(),
            Kind::Word if view.bytes(end).len() <= 3 => letters += view.bytes(end).len(),
            Kind::Punct
                if view.is_any_mark(end, b".-")
                    && view.joined(end + 1)
                    && !view.token(end + 1).border_before()
                    && matches!(view.token(end + 1).kind, Kind::Number | Kind::Word) => {}
            _ => break,
        }
        end += 1;
    }
    let begins = view.is_number(at) || view.is_word(at) && view.is_number(at + 1) && view.joined(at + 1);
    (end, begins && letters <= 7 && (digits >= 3 || digits == 2 && letters > 0) && digits <= 18)
}

/// Where the next code of a list begins: `27759, 27760 and 27761`.
fn another(view: &View<'_>, end: usize) -> Option<usize> {
    let mut at = end;
    while at < end + 3
        && (view.is_any_mark(at, b",/;&-") || matches!(view.word(at), "and" | "or" | "through" | "to" | "with"))
    {
        at += 1;
    }
    (at > end && view.follows(at) && code(view, at).1).then_some(at)
}
