//! Chromosomes and alleles as geneticists write them: karyotypes `46,XX`, `47,XY,+21`, `46,xy`, changes `del(5q)`, `t(9;22)(q34;q11.2)`, bands
//! `22q11.2`, `Xq28`, and the stars of alleles, `CYP2C19 *2/*17`, `HLA-B*5701`.

use super::variant;
use crate::rules::columns::{Around, Fact, Group};
use crate::rules::word_sets::says;
use crate::rules::{Certainty, Findings, View};
use crate::token::{Case, Gap};

/// How many chromosomes there are.
const CHROMOSOMES: u64 = 22;

/// The longest brackets, `(q34;q11.2)`, in tokens.
const LONGEST: usize = 16;

/// The most changes that a karyotype has.
const CHANGES: usize = 12;

/// Which brackets stand behind the name of a change and before a chromosome, which commas between a count and the letters of sex, and
/// which stars before the number of an allele.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let joined = |far| around.behind(far, |right| right.is(Fact::Joined));
    let number = |group: &Group| group.is(Fact::Number) & group.is(Fact::Joined);
    let bracket = here.mark(b'(')
        & here.is(Fact::Joined)
        & around.before(1, |left| left.is(Fact::Word) & left.is(Fact::UpToFive))
        & joined(1);
    let comma = here.mark(b',')
        & here.is(Fact::Joined)
        & around.before(1, |left| left.is(Fact::Number) & left.is(Fact::UpToTwo))
        & around.behind(1, |right| (right.capitals() | right.is(Fact::Lower)) & right.is(Fact::UpToFive));
    let star = here.mark(b'*') & around.behind(1, number);
    bracket | comma | star
}

/// Vouches for a change at its bracket, for a karyotype at its first comma, for an allele at its star.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let Some(before) = at.checked_sub(1) else { return };
    match view.token(at).mark() {
        b'(' => {
            if let Some(last) = change(view, before) {
                findings.keep(before, at, Certainty::Likely);
                findings.keep(at, last, Certainty::Likely);
            }
        }
        b',' => {
            if let Some(last) = karyotype(view, before) {
                findings.keep(before, last, Certainty::Likely);
            }
        }
        _ => {
            if let Some(last) = allele(view, at) {
                findings.keep(at + 1, last, Certainty::Likely);
            }
        }
    }
}

/// Whether there is a chromosome of that number, or the word is one of sex.
fn is_chromosome(view: &View<'_>, at: usize) -> bool {
    view.width(at) <= 2 && view.whole(at).is_some_and(|number| (1..=CHROMOSOMES).contains(&number))
        || says!(view, at, "x" | "y")
}

/// Where the band begins and ends that has the number last: `22q11.2`, `Xq28`, `22q11.2DS`.
pub(super) fn band(view: &View<'_>, at: usize) -> Option<(usize, usize)> {
    let number = view.number(at)?;
    let arm = at.checked_sub(1)?;
    let last = at + 1 + usize::from(view.token(at + 1).glued() && says!(view, at + 1, "ds" | "del" | "dup"));
    let fits = number.digits(0) <= 2
        && !number.padded()
        && (number.len() == 1 || number.is(2, b'.') && number.digits(1) <= 3)
        && !view.token(last).glued();
    if !fits {
        return None;
    }
    // `22Q11` and `XQ28` may be a plate or a room: in letters of another size only with the point.
    let parted = number.len() == 2;
    if says!(view, arm, "xp" | "xq" | "yp" | "yq") {
        return (parted || matches!(view.case(arm), Case::Mixed | Case::Capital)).then_some((arm, last));
    }
    let chromosome = arm.checked_sub(1)?;
    let written = says!(view, arm, "p" | "q")
        && (parted || view.case(arm) == Case::Lower)
        && view.token(arm).glued()
        && !view.token(chromosome).glued()
        && view.is_number(chromosome)
        && is_chromosome(view, chromosome);
    written.then_some((chromosome, last))
}

/// One past a change of chromosomes at its name: `del(5q)`, `inv(16)(p13q22)`, `t(9;22)`, `T(9;22)`.
fn change(view: &View<'_>, name: usize) -> Option<usize> {
    let single = says!(view, name, "t" | "i" | "r");
    let known = single || says!(view, name, "del" | "inv" | "dup" | "add" | "ins" | "rob");
    if !known || view.token(name).glued() || !view.joined(name + 1) {
        return None;
    }
    let (mut last, marked) = brackets(view, name + 1)?;
    // `t(9)` is anything, and Del and Rob are people.
    let bare = !single && view.case(name) == Case::Lower || says!(view, name, "inv");
    if !is_chromosome(view, name + 2) || !bare && !marked {
        return None;
    }
    if view.joined(last)
        && view.is_mark(last, b'(')
        && let Some((end, _)) = brackets(view, last)
    {
        last = end;
    }
    Some(last)
}

/// One past brackets with chromosomes, arms and bands in them, and whether there is more than a number.
fn brackets(view: &View<'_>, open: usize) -> Option<(usize, bool)> {
    let mut marked = false;
    for at in open + 1..open + LONGEST {
        if !view.joined(at) {
            return None;
        }
        if view.is_mark(at, b')') {
            return Some((at + 1, marked));
        }
        let band = view.number(at).is_some_and(|number| {
            number.digits(0) <= 2 && (number.len() == 1 || number.is(2, b'.') && number.digits(1) <= 2)
        });
        let letter = says!(view, at, "p" | "q" | "x" | "y" | "xp" | "xq" | "yp" | "yq" | ";" | "~" | "?");
        if !band && !letter {
            return None;
        }
        marked |= letter;
    }
    None
}

/// One past a karyotype at its count: `46,XX`, `47,XY,+21`, `46,XY,t(9;22)(q34;q11.2)[20]`.
fn karyotype(view: &View<'_>, count: usize) -> Option<usize> {
    let sex = count + 2;
    let letters = says!(view, sex, "x" | "xx" | "xy" | "xxx" | "xxy" | "xyy" | "xxxy" | "xxyy" | "xxxx");
    let counted = view.whole(count).is_some_and(|count| (40..=50).contains(&count) || matches!(count, 23 | 69 | 92));
    let written = letters
        && matches!(view.case(sex), Case::Upper | Case::Lower)
        && counted
        && !view.token(count).glued()
        && (view.joined(sex) || view.gap(sex) == Gap::Space && view.width(sex) > 1)
        && !view.token(sex + 1).glued();
    if !written {
        return None;
    }
    let mut last = sex + 1;
    for _ in 0..CHANGES {
        let Some(end) = one_more(view, last) else { break };
        last = end;
    }
    Some(last)
}

/// One past what a karyotype goes on with: a chromosome too many or too few, `,+21`, a change, how many cells have it, `[20]`.
fn one_more(view: &View<'_>, mark: usize) -> Option<usize> {
    if !view.joined(mark) {
        return None;
    }
    let next = mark + 1;
    if view.is_mark(mark, b'[') {
        let closed = view.is_mark(next + 1, b']') && view.joined(next + 1);
        return (closed && view.width(next) <= 2 && view.whole(next).is_some()).then_some(next + 2);
    }
    if !view.is_mark(mark, b',') || view.gap(next) > Gap::Space {
        return None;
    }
    if view.is_any_mark(next, b"+-") {
        let chromosome = next + 1;
        let one = view.joined(chromosome) && is_chromosome(view, chromosome) && !view.token(chromosome + 1).glued();
        return one.then_some(chromosome + 1);
    }
    change(view, next)
}

/// One past the number of an allele behind the name of its gene: `CYP2C19 *2/*17`, `HLA-B*5701`.
fn allele(view: &View<'_>, star: usize) -> Option<usize> {
    let number = star + 1;
    let whole = view.whole(number).is_some() && view.width(number) <= 4;
    let fields = view.number(number).is_some_and(|fields| {
        fields.len() <= 4
            && (0..fields.len())
                .all(|field| fields.digits(field) <= 3 && (field == 0 || fields.mark(field - 1) == b':'))
    });
    let tail = number + 1;
    let last = tail + usize::from(view.token(tail).glued() && view.width(tail) <= 2);
    let written = view.is_mark(star, b'*') && view.joined(number) && (whole || fields) && !view.token(last).glued();
    (written && variant::behind_gene(view, star)).then_some(last)
}
