//! Variants of genes and changes of chromosomes by their published forms: `c.68_69delAG`, `p.Glu23Valfs*17`, `NM_007294.3:c.5266dupC`
//! (the nomenclature of the Human Genome Variation Society, den Dunnen and others 2016), `46,XX,t(9;22)(q34;q11.2)[20]`, `del(5q)`, `22q11.2`
//! (the international system of cytogenomic nomenclature, 2020). Nothing that identifies is written so.

use std::sync::LazyLock;

use regex::Regex;

use crate::rules::engine::{Certainty, Findings, View};

/// The longest that is read, and the longest name of a record before it, in tokens.
const LONGEST: usize = 32;
const RECORD: usize = 10;

/// All forms, as folded text has them.
static FORM: LazyLock<Regex> = LazyLock::new(|| {
    let amino =
        "(?:ala|arg|asn|asp|cys|gln|glu|gly|his|ile|leu|lys|met|phe|pro|ser|thr|trp|tyr|val|[acdefghiklmnpqrstvwy])";
    let place = r"\(?[-*]?[0-9]+(?:[-+][0-9]+)?(?:_[-*]?[0-9]+(?:[-+][0-9]+)?)?\)?";
    let bases = format!(r"[cgmnr]\.{place}(?:[acgtu]+>[acgtu]+|(?:delins|del|dup|ins|inv)(?:[acgtu]+|[0-9]+)?|=)");
    let end = r"(?:fs(?:(?:\*|ter|x)[0-9]*)?)";
    let protein = format!(
        r"p\.\(?{amino}[0-9]+(?:_{amino}[0-9]+)?(?:{amino}?{end}|(?:delins|ins)(?:{amino})+|del|dup|ter|{amino}|[*x=?])\)?"
    );
    let record = r"n[cgmpr]_[0-9]{6,9}(?:\.[0-9]+)?(?:\([a-z0-9-]+\))?:";
    let chromosome = "(?:1[0-9]|2[0-2]|[1-9]|x|y)";
    let band = r"[pq](?:[0-9]{1,2}(?:\.[0-9]{1,2})?)?";
    // Of one chromosome a change must say more, or it could be a name and an age.
    let change = format!(
        r"(?:t|del|inv|dup|der|ins|add|i)\((?:{chromosome}{band}|{chromosome}(?:;{chromosome})+|{chromosome}\){band}|{chromosome}\)\({band})[pq0-9;.]*\)?(?:\([pq0-9;.]+\))?"
    );
    let in_row =
        format!(r"(?:[-+]{chromosome}|{change}|(?:t|del|inv|dup|der|ins|add|i)\({chromosome}\)(?:\([pq0-9;.]+\))?)");
    let karyotype = format!(r"4[4-9],[xy]{{1,5}}(?:,{in_row})*(?:\[[0-9]{{1,3}}\])?");
    let located = format!(r"{chromosome}[pq][0-9]{{1,2}}\.[0-9]{{1,2}}");
    let forms = format!("^(?:(?:{record})?(?:{bases}|{protein})|{karyotype}|{change}|{located})");
    Regex::new(&forms).expect("a form that a test reads")
});

/// Vouches for a variant, a karyotype or a band, at its first mark or at the number of its band.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let Some(first) = first_of(view, at) else { return };
    let last = (at + 1..at + LONGEST).find(|&last| !view.joined(last)).unwrap_or(at + LONGEST);
    let Some(found) = FORM.find(view.text_of(first, last)) else { return };
    let end = view.token(first).start as usize + found.end();
    let last = (at..last).find(|&part| view.token(part).end as usize == end);
    if let Some(last) = last.filter(|&last| !view.token(last + 1).glued()) {
        findings.keep(first, last + 1, Certainty::Sure);
    }
}

/// Where a form with such a mark or number begins, if it may be one.
fn first_of(view: &View<'_>, at: usize) -> Option<usize> {
    let before = at.checked_sub(1)?;
    if view.is_number(at) {
        return match view.bytes(before) {
            [b'p' | b'q'] => before.checked_sub(1).filter(|&first| view.is_number(first)),
            [b'x' | b'y', b'p' | b'q'] => Some(before),
            _ => None,
        };
    }
    let width = view.width(before);
    let begins = match view.token(at).mark() {
        b',' => view.is_number(before) && width == 2,
        b'(' => view.is_word(before) && width <= 3,
        _ => view.is_word(before) && width == 1,
    };
    if !begins || !view.joined(at) {
        return None;
    }
    // Over the record of which it is a variant: `NM_007294.3:`.
    let is_of_record = before > 0 && view.is_mark(before - 1, b':') && view.joined(before);
    let record =
        || (before.saturating_sub(RECORD)..before).find(|&first| (first + 1..before).all(|at| view.joined(at)));
    if is_of_record { record() } else { Some(before) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_published_forms() {
        let forms = "c.68_69delag c.35g>a c.83-1g>a c.2235_2249del15 c.76_78delinsgt m.3243a>g p.glu23valfs*17 p.phe508del p.v600e \
            p.(arg97profster23) p.gly12asp p.q61* nm_007294.3:c.5266dupc 46,xx 45,x 47,xy,+21[12] 46,xy,t(9;22)(q34;q11.2)[20] \
            46,xy,del(5)(q13q33) del(5q) t(15;17)(q24;q21) inv(16)(p13q22) 22q11.2 xq27.3";
        for form in forms.split(' ').filter(|form| !form.is_empty()) {
            assert_eq!(FORM.find(form).map(|found| found.as_str()), Some(form));
        }
        for other in "c.68 p.12 46,xz 12,xy del(31) rob(13) del(17) 23q11.2 22q11 p.b12c nm_12:c.5".split(' ') {
            assert!(FORM.find(other).is_none_or(|found| found.as_str() != other), "{other}");
        }
    }
}
