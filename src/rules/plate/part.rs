//! The parts of a row, and what is asked of one of them.

use crate::rules::View;
use crate::rules::clinical::takes_short;
use crate::rules::date::is_year4;
use crate::rules::number::Number;
use crate::token::Case;
use crate::vocabulary::{Class, Classes};

/// Letters and figures with nothing between them, five at most.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    pub first: usize,
    pub last: usize,
    pub letters: usize,
    pub digits: usize,
    /// How often it changes between letters and figures.
    pub changes: usize,
    /// A unit, a dose, something counted or measured stands in it.
    pub clinical: bool,
}

/// What makes capitals beside a number an amount or a value.
pub(super) const CLINICAL: Classes = Classes::of(&[
    Class::Unit,
    Class::Dose,
    Class::Duration,
    Class::Counted,
    Class::Sized,
    Class::Measurement,
    Class::Score,
    Class::Marker,
    Class::Level,
    Class::CodeSystem,
    Class::AgeCue,
    Class::Month,
    Class::Weekday,
    Class::OrdinalWord,
]);

/// Words, terms, and what a number is announced with.
pub(super) const LISTED: Classes = Classes::of(&[
    Class::Stop,
    Class::English,
    Class::Term,
    Class::Brand,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::WardNoun,
    Class::State,
]);

/// The part around a token: capitals and whole figures only.
pub(super) fn part(view: &View<'_>, at: usize) -> Option<Part> {
    let (mut first, mut last) = (at, at + 1);
    while first > 0 && at - first < 5 && view.token(first).glued() {
        first -= 1;
    }
    while last - at < 5 && view.token(last).glued() {
        last += 1;
    }
    let mut part = Part { first, last, ..Part::default() };
    for token in first..last {
        let len = view.width(token);
        if view.is_word(token) {
            if view.case(token) != Case::Upper && !(len == 1 && view.capitalised(token)) {
                return None;
            }
            part.letters += len;
            part.clinical |= view.any(token, CLINICAL);
        } else if view.whole(token).is_some() {
            part.digits += len;
        } else {
            return None;
        }
    }
    part.changes = last - first - 1;
    // `2G3OYS`: more letters only where figures stand between them.
    let letters = part.letters <= 3 || part.changes > 1;
    (letters && part.digits <= 6 && part.letters + part.digits <= 6).then_some(part)
}

/// Letters behind an amount, never on a plate with hyphens: `MS-10-MG`.
pub(super) fn is_unit(view: &View<'_>, part: &Part) -> bool {
    matches!(
        view.bytes(if part.changes > 0 { part.last - 1 } else { part.first }),
        b"mg" | b"ml" | b"cc" | b"kg" | b"cm" | b"mm" | b"iu" | b"gm" | b"hr" | b"mcg" | b"prn"
    )
}

/// So many letters and nothing else.
pub(super) fn letters(part: &Part, least: usize, most: usize) -> bool {
    part.digits == 0 && (least..=most).contains(&part.letters)
}

/// So many figures and nothing else.
pub(super) fn digits(part: &Part, least: usize, most: usize) -> bool {
    part.letters == 0 && (least..=most).contains(&part.digits)
}

/// So many letters, and so many figures behind them or before them.
pub(super) fn mixed(part: &Part, letters: usize, digits: usize) -> bool {
    (part.letters, part.digits, part.changes) == (letters, digits, 1)
}

/// So many letters with so many figures behind them: `V37`.
pub(super) fn letters_first(view: &View<'_>, part: &Part, letters: usize, digits: usize) -> bool {
    view.is_word(part.first) && mixed(part, letters, digits)
}

/// So many letters with so many figures before them: `5CT`.
pub(super) fn figures_first(view: &View<'_>, part: &Part, letters: usize, digits: usize) -> bool {
    view.is_number(part.first) && mixed(part, letters, digits)
}

/// `062 PS7`, `80L 021`: a number that begins with a zero counts nothing.
pub(super) fn is_padded(view: &View<'_>, part: &Part) -> bool {
    part.changes == 0 && view.number(part.first).is_some_and(Number::padded)
}

/// What is counted or measured with many figures ends with zeros.
pub(super) fn is_round(view: &View<'_>, part: &Part) -> bool {
    view.bytes(part.last - 1).ends_with(b"00")
}

/// Whether the figures of a mixed part end with zeros: `1000M`.
pub(super) fn has_round(view: &View<'_>, part: &Part) -> bool {
    (part.first..part.last).any(|at| view.is_number(at) && view.bytes(at).ends_with(b"00"))
}

/// Four figures that may be a year.
pub(super) fn is_year(view: &View<'_>, part: &Part) -> bool {
    view.whole(part.first).is_some_and(|value| is_year4(value, part.digits))
}

/// Four figures that are a time of day.
pub(super) fn is_hour(view: &View<'_>, part: &Part) -> bool {
    part.digits == 4
        && part.changes == 0
        && view.whole(part.first).is_some_and(|value| value < 2400 && value % 100 < 60)
}

/// Whether the letters of the part are on no list of words or shorthand.
pub(super) fn is_blank(view: &View<'_>, part: &Part) -> bool {
    part.letters > 0 && (part.first..part.last).all(|at| !view.is_word(at) || is_nothing(view, at))
}

/// Whether a word is on no list of words or shorthand.
pub(super) fn is_nothing(view: &View<'_>, at: usize) -> bool {
    const MORE: Classes = Classes::of(&[Class::Literature, Class::Clinical, Class::Credential]);
    !view.any(at, LISTED) && !view.any(at, MORE) && !view.any(at, CLINICAL)
}

/// Whether the letters are a word, a term or clinical shorthand.
pub(super) fn known(view: &View<'_>, part: &Part) -> bool {
    part.clinical || view.any(part.first, LISTED)
}

/// Whether letters beside three figures are clinical shorthand, a small word or what a number is announced with. What is
/// a word or a term of its own announces none: `RAW 531`.
pub(super) fn announces(view: &View<'_>, part: &Part) -> bool {
    const ANNOUNCING: Classes = Classes::of(&[
        Class::Stop,
        Class::Clinical,
        Class::Brand,
        Class::IdKeyword,
        Class::PhoneKeyword,
        Class::WardNoun,
        Class::State,
        Class::Credential,
    ]);
    part.clinical || view.any(part.first, ANNOUNCING)
}

/// Words that announce a number, or that one belongs to.
pub(super) const LABELS: Classes = Classes::of(&[
    Class::CodeSystem,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::WardNoun,
    Class::State,
    Class::Month,
    Class::Title,
    Class::NameField,
]);

/// Whether a number of so many figures belongs behind the letters: tests, codes, keywords.
pub(super) fn names_a_number(view: &View<'_>, part: &Part) -> bool {
    const NAMES: Classes = LABELS.or(Classes::of(&[Class::Measurement, Class::Score]));
    view.any(part.first, NAMES) && !takes_short(view.word(part.first))
}

/// Whether the letters name what is counted or measured, or a day: `5-MAR-98`, `10-TAB-30`.
pub(super) fn is_amount(view: &View<'_>, part: &Part) -> bool {
    const AMOUNTS: Classes =
        Classes::of(&[Class::Unit, Class::Dose, Class::Duration, Class::Month, Class::OrdinalWord, Class::AgeCue]);
    view.any(part.first, AMOUNTS)
}

/// Whether the letters behind a number make an amount, a time or an age of it.
pub(super) fn ends_amount(view: &View<'_>, part: &Part) -> bool {
    is_unit(view, part) || view.any(part.last - 1, Classes::of(&[Class::Dose, Class::Duration, Class::AgeCue]))
}

/// Whether the part begins with a letter that a number follows: of a frequency, a level, a stage, a dose.
pub(super) fn leads_number(view: &View<'_>, part: &Part) -> bool {
    matches!(view.bytes(part.first), b"q" | b"t" | b"l" | b"c" | b"s" | b"x" | b"d" | b"p")
}

/// Whether the first figure of a part is a zero.
pub(super) fn leads_with_zero(view: &View<'_>, part: &Part) -> bool {
    view.is_number(part.first) && view.bytes(part.first).first() == Some(&b'0')
}
