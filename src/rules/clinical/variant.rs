//! Variants of genes as geneticists write them: `c.35delG`, `c.1521_1523delCTT`, `p.Val600Glu`, `p.(Glu23Valfs*17)`, and in short,
//! behind the name of a gene, `V600E`.

use super::value::{Fit, after};
use crate::rules::columns::{Around, Fact};
use crate::rules::word_sets::says;
use crate::rules::{Certainty, Findings, View};
use crate::token::{Case, Kind};
use crate::vocabulary::{Class, Classes};

/// The longest variant, in tokens.
const LONGEST: usize = 24;
/// The longest place, `68_69` or `1521_1523`, in bytes.
const LONG: usize = 13;
/// How many tokens may stand between a gene and its variant: `EGFR L858R + T790M`.
const WITHIN: usize = 8;

/// The letters of amino acids.
const AMINO: &[u8] = b"acdefghiklmnpqrstvwxy";

/// Which points may stand behind the letter that says what is counted: bases of the coding or whole sequence, amino acids.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let letter = around.before(1, |left| left.is(Fact::Lower) & left.is(Fact::One) & !left.is(Fact::Glued));
    let joined = around.here().is(Fact::Joined);
    let next = around.behind(1, |right| right.is(Fact::Joined));
    let leader = around.before(1, |left| left.mark(b'.')) & around.before(2, |left| left.mark(b'.'));
    let points = (letter | leader) & joined & next;
    if points == 0 {
        return 0;
    }
    // A place stands in it, seldom behind more than a bracket and a word.
    let number = |far| around.behind(far, |right| right.is(Fact::Number) & right.is(Fact::Joined));
    let inner = |far| around.behind(far, |right| right.is(Fact::Joined) & !right.marks(b".,:;/"));
    let place = number(1) | inner(1) & (number(2) | inner(2) & (number(3) | inner(3)));
    points & (place | leader & number(1))
}

/// `WBC........7.8`: points lead from the name of a test to its value.
fn led(view: &View<'_>, point: usize, findings: &mut Findings) {
    /// So many points are a line across a table.
    const MOST: usize = 60;
    let mut first = point;
    while first > 0 && point - first < MOST && view.is_mark(first - 1, b'.') && view.joined(first) {
        first -= 1;
    }
    let named = first > 0
        && point - first >= 2
        && view.is_number(point + 1)
        && view.joined(point + 1)
        && view.joined(first)
        && view.any(first - 1, Classes::of(&[Class::Measurement, Class::Score]));
    if named {
        let known = findings.as_slice().len();
        after(view, point + 1, Fit::Measure, findings);
        findings.count_by(first - 1, known);
    }
}

/// Vouches for a variant, at the point behind its letter.
pub(in crate::rules) fn find(view: &View<'_>, point: usize, findings: &mut Findings) {
    let Some(letter) = point.checked_sub(1) else { return };
    if view.is_mark(letter, b'.') {
        led(view, point, findings);
        return;
    }
    let kind = view.bytes(letter);
    if view.case(letter) != Case::Lower || view.token(letter).glued() || !view.joined(point) {
        return;
    }
    let protein = match kind {
        b"p" => true,
        b"c" | b"g" | b"m" | b"n" | b"r" => false,
        _ => return,
    };
    let Some(last) = read(view, point + 1, protein) else { return };
    let first = transcript(view, letter).unwrap_or(letter - usize::from(is_gene(view, letter)));
    findings.keep(first, last, Certainty::Sure);
}

/// Where the name of the sequence begins that the places count in: `NM_000059.4:c.5946delT`.
fn transcript(view: &View<'_>, letter: usize) -> Option<usize> {
    let first = letter.checked_sub(4)?;
    let joined = (first + 1..=letter).all(|at| view.joined(at));
    let named = says!(view, first, "nm" | "np" | "nc" | "ng" | "nr")
        && view.is_mark(first + 1, b'_')
        && view.is_number(first + 2)
        && view.width(first + 2) <= 12
        && view.is_mark(first + 3, b':');
    (joined && named && !view.token(first).glued()).then_some(first)
}

/// Whether a gene of one word stands right before the token.
fn is_gene(view: &View<'_>, at: usize) -> bool {
    at > 0
        && view.is(at - 1, Class::Marker)
        && view.case(at - 1) == Case::Upper
        && view.width(at - 1) > 2
        && view.same_line(at)
        && !view.token(at - 1).glued()
}

/// One past the variant that begins at `first`.
fn read(view: &View<'_>, first: usize, protein: bool) -> Option<usize> {
    let (mut at, mut last) = (first, first);
    let (mut places, mut changes) = (0, 0);
    while at < first + LONGEST && view.joined(at) {
        let token = view.token(at);
        match token.kind {
            Kind::Number if view.width(at) <= LONG => {
                places += 1;
                last = at + 1;
            }
            // What became of it: another base, deleted, doubled; amino acids. A letter alone says nothing.
            Kind::Word if view.width(at) == 1 || view.is(at, Class::Marker) => {
                changes += usize::from(protein || view.width(at) > 2 || view.is_mark(at - 1, b'>'));
                last = at + 1;
            }
            Kind::Punct if view.is_any_mark(at, b"*=") => last = at + 1,
            Kind::Punct if view.is_mark(at, b')') && view.is_mark(first, b'(') => last = at + 1,
            Kind::Punct if view.is_any_mark(at, b"_+->(") => {}
            _ => break,
        }
        at += 1;
    }
    // Nothing glued is left behind; `c.1 a` and `p.3` are no variants.
    let whole = places > 0 && changes > 0 && !view.token(last).glued();
    let named = !protein || {
        let begins = first + usize::from(view.is_mark(first, b'('));
        view.is_word(begins) && (view.width(begins) == 3 || view.width(begins) == 1) && view.is_number(begins + 1)
    };
    (whole && named).then_some(last)
}

/// Where the variant in short begins in which the number stands, `BRAF V600E`, behind the name of a gene. Alone it may be any code.
pub(super) fn short(view: &View<'_>, at: usize) -> Option<usize> {
    let ([before], [after]) = (view.bytes(at - 1), view.bytes(at + 1)) else { return None };
    let written = view.token(at + 1).glued()
        && !view.token(at + 2).glued()
        && view.case(at - 1) == Case::Upper
        && view.case(at + 1) == Case::Upper
        && AMINO.contains(before)
        && AMINO.contains(after)
        && (2..=4).contains(&view.width(at))
        && view.whole(at).is_some_and(|place| place > 9);
    (written && behind_gene(view, at - 1)).then(|| at - 1 - usize::from(is_gene(view, at - 1)))
}

/// Whether the name of a gene stands before it, in the same line: letters on the list of markers, all capitals.
pub(super) fn behind_gene(view: &View<'_>, at: usize) -> bool {
    (at.saturating_sub(WITHIN)..at)
        .rev()
        .take_while(|&word| view.same_line(word + 1) && !view.is_any_mark(word, b".;:"))
        .any(|word| view.is(word, Class::Marker) && view.case(word) == Case::Upper && view.width(word) > 2)
}
