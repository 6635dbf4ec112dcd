//! Gene variants in the nomenclature of the Human Genome Variation Society (den Dunnen and others 2016):
//! `c.68_69delAG`, `NM_007294.3:c.5266dupC`; and chromosomes in the International System for Human Cytogenomic
//! Nomenclature (2020): `46,XX,t(9;22)(q34;q11.2)[20]`, `22q11.2`. No identifier has these forms.

use std::sync::LazyLock;

use regex::Regex;

use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::Case;

/// The maximum number of tokens to read before and after a mark.
const MAX_TOKENS_PER_SIDE: usize = 32;

/// All forms, in folded text.
static FORM: LazyLock<Regex> = LazyLock::new(|| {
    let three = "ala|arg|asn|asp|cys|gln|glu|gly|his|ile|leu|lys|met|phe|pro|ser|thr|trp|tyr|val";
    let amino = format!("(?:{three}|[acdefghiklmnpqrstvwy])");
    // Positions in a gene have fewer digits than telephone numbers.
    let place = r"\(?[-*]?[0-9]{1,6}(?:[-+][0-9]{1,5})?(?:_[-*]?[0-9]{1,6}(?:[-+][0-9]{1,5})?)?\)?";
    let changed = "(?:[acgtu]+>[acgtu]+|(?:delins|del|dup|ins|inv)(?:[acgtu]+|[0-9]{1,3})?|=)";
    let protein = format!(
        r"p\.\(?{amino}[0-9]{{1,5}}(?:_{amino}[0-9]{{1,5}})?(?:{amino}?fs(?:(?:\*|ter|x)[0-9]{{0,4}})?|(?:delins|ins)(?:{amino})+|del|dup|ter|{amino}|[*x=?])\)?"
    );
    let record = r"n[cgmpr]_(?:[0-9]{9}|[0-9]{6})(?:\.[0-9]{1,2})?(?:\([a-z0-9-]{1,8}\))?:";
    let variant = format!(r"(?:{record})?(?:[cmnr]\.{place}{changed}|{protein})|{record}g\.[0-9]{{1,9}}{changed}");
    let chromosome = "(?:1[0-9]|2[0-2]|[1-9]|x|y)";
    let arm = r"[pq](?:[0-9]{1,2}(?:\.[0-9]{1,2})?)?";
    let (arms, kinds) = (format!("{arm}(?:;?{arm}){{0,3}}"), r"(?:t|del|inv|dup|der|ins|add|i)\(");
    // For a single chromosome, a change must contain more, or it might be a name and an age.
    let more = format!(r"(?:;{chromosome}){{1,2}}\)(?:\({arms}\))?|{arms}\)|\)\({arms}\)");
    let change = format!(r"{kinds}{chromosome}(?:{more})");
    let in_row = format!(r"(?:[-+]{chromosome}|{change}|{kinds}{chromosome}\))");
    let karyotype = format!(r"4[4-9],[xy]{{1,5}}(?:,{in_row})*(?:\[[0-9]{{1,3}}\])?");
    let forms = format!(r"^(?:{variant}|{karyotype}|{change}|{chromosome}[pq][0-9]{{1,2}}\.[0-9]{{1,2}})");
    Regex::new(&forms).expect("a form that a test reads")
});

/// Vouches for a variant, a karyotype or a band, at its first mark or at the number of its band.
pub(in crate::rules) fn keep_gene_variant(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(first) = start_of_variant(note, at) else { return };
    let last = (at + 1..at + MAX_TOKENS_PER_SIDE).find(|&last| !note.joined(last)).unwrap_or(at + MAX_TOKENS_PER_SIDE);
    let Some(found) = FORM.find(note.text_of(first, last)) else { return };
    let end = note.token(first).start as usize + found.end();
    let last = (at..last).find(|&part| note.token(part).end as usize == end);
    if let Some(last) = last.filter(|&last| !note.token(last + 1).glued() && !note.token(first).glued()) {
        findings.keep(first, last + 1, Certainty::Sure);
    }
}

/// Returns the start of a possible form with this mark or number.
fn start_of_variant(note: &Note<'_>, at: usize) -> Option<usize> {
    let before = at.checked_sub(1)?;
    if note.is_number(at) {
        return match note.bytes(before) {
            [b'p' | b'q'] => before.checked_sub(1).filter(|&first| note.is_number(first)),
            [b'x' | b'y', b'p' | b'q'] => Some(before),
            _ => None,
        };
    }
    let width = note.width(before);
    let begins = match note.token(at).mark() {
        b',' => note.is_number(before) && width == 2,
        b'(' => note.is_word(before) && width <= 3,
        // Capital letters are initials.
        _ => note.is_word(before) && width == 1 && note.case(before) == Case::Lower,
    };
    if !begins || !note.joined(at) {
        return None;
    }
    // Include the reference sequence of the variant: `NM_007294.3:`.
    let of_record = note.is_mark(before.wrapping_sub(1), b':');
    let begins = |at: usize| of_record && matches!(note.bytes(at), [b'n', b'c' | b'g' | b'm' | b'p' | b'r']);
    let joined = |first: usize| (first + 1..=before).all(|at| note.joined(at));
    (before.saturating_sub(MAX_TOKENS_PER_SIDE)..before).find(|&first| begins(first) && joined(first)).or(Some(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_published_forms() {
        let forms = "c.68_69delag c.35g>a c.83-1g>a c.2235_2249del15 c.76_78delinsgt m.3243a>g p.glu23valfs*17 p.phe508del p.v600e \
            p.(arg97profster23) p.gly12asp p.q61* nm_007294.3:c.5266dupc 46,xx 45,x 47,xy,+21[12] 46,xy,t(9;22)(q34;q11.2)[20] \
            46,xy,del(5)(q13q33) del(5q) t(15;17)(q24;q21) inv(16)(p13q22) 22q11.2 xq27.3";
        for form in forms.split_whitespace() {
            assert_eq!(FORM.find(form).map(|found| found.as_str()), Some(form));
        }
        let others = "c.68 p.12 46,xz 12,xy del(31) del(17) 23q11.2 22q11 p.b12c nm_12:c.5 t(1;19450312) p.a4471923t";
        for other in others.split_whitespace() {
            assert!(FORM.find(other).is_none_or(|found| found.as_str() != other), "{other}");
        }
    }
}
