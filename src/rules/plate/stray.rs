//! Letters and figures in a sentence that says nothing clinical: a plate, not a value.
//!
//! `CVP 164`, `372U` and `43 KG 683` have the shape of a value and of a plate, and no list tells them apart. A value, a dose or a
//! level stands beside other values or in a sentence of clinical words; a plate is read off something: "The slip says CVP 164."

use super::part::{CLINICAL, Part, digits, is_hour, is_unit, is_year, known, letters};
use crate::rules::word_sets::{WordSet, says};
use crate::rules::{View, clinical};
use crate::token::Case;
use crate::vocabulary::{Class, Classes};

/// How far a sentence is read on each side, in tokens.
const REACH: usize = 40;

/// Words that are terms and say nothing of anybody's health: of what is written and read, and of the road.
#[rustfmt::skip]
static PLAIN: WordSet = WordSet::new(&[
    "ambulance", "automobile", "automobiles", "back", "bicycle", "book", "bus", "calendar", "car", "cars", "comment",
    "complete", "computer", "document", "documents", "electronic", "envelope", "family", "form", "forms", "garage",
    "gave", "glasses", "handwriting", "history", "internet", "laboratory", "left", "letter", "letters", "mail",
    "motorcycle", "name", "paper", "papers", "parking", "photograph", "photographs", "police", "post", "read",
    "reading", "rest", "review", "road", "software", "sticker", "table", "taxi", "time", "traffic", "truck",
    "vehicle", "vehicles", "will", "word", "writing",
]);

/// Whether the tokens `first..last` stand in a sentence of ordinary words: no other number, no abbreviation in capitals, nothing
/// clinical.
fn in_plain_words(view: &View<'_>, first: usize, last: usize) -> bool {
    let (mut start, mut end) = (first, last);
    let begins = |at: usize| view.border_before(at) || view.sentence_start(at);
    while start > 0 && !begins(start) && first - start < REACH {
        start -= 1;
    }
    while end < view.len() && !begins(end) && end - last < REACH {
        end += 1;
    }
    if first - start == REACH || end - last == REACH {
        return false;
    }
    let (mut words, mut lower) = (0, 0);
    for at in (start..first).chain(last..end) {
        if view.is_number(at) {
            return false;
        }
        if view.is_word(at) {
            if is_clinical(view, at) {
                return false;
            }
            words += 1;
            lower += usize::from(view.case(at) == Case::Lower);
        }
    }
    words > 2 && lower > 1
}

/// Whether the word, as it is written, says something clinical.
fn is_clinical(view: &View<'_>, at: usize) -> bool {
    const ORDINARY: Classes = Classes::of(&[Class::Stop, Class::English]);
    const SHORTHAND: Classes = Classes::of(&[Class::Clinical, Class::Measurement, Class::Score, Class::Unit]);
    const PEOPLE_AND_PAPERS: Classes = Classes::of(&[
        Class::Stop,
        Class::IdKeyword,
        Class::PhoneKeyword,
        Class::PersonNoun,
        Class::Relative,
        Class::NameField,
    ]);
    view.case(at) == Case::Upper && view.bytes(at).len() > 1
        || view.is(at, Class::CodeSystem)
        || view.any(at, SHORTHAND) && !view.any(at, ORDINARY)
        || view.is(at, Class::Term) && !view.any(at, PEOPLE_AND_PAPERS) && !PLAIN.has(view, at)
}

/// A part that stands alone: `372U`, `245JP`, `CVP164`, `469H2`.
pub(super) fn is_single(view: &View<'_>, part: &Part) -> bool {
    let (first, last) = (part.first, part.last - 1);
    let plate = match part.changes {
        1 if view.is_number(first) => {
            part.digits == 3
                && !is_unit(view, part)
                && !view.any(last, Classes::of(&[Class::Duration, Class::AgeCue]))
                && if part.letters == 1 {
                    !is_multiple(view, first, 5) && !says!(view, last, "f" | "x")
                } else {
                    !view.is(last, Class::Unit)
                }
        }
        1 => {
            (2..=3).contains(&part.letters)
                && part.digits >= 3
                && !is_multiple(view, last, 100)
                && !takes_number(view, first)
                && !is_ordinary_value(view, first, last)
        }
        2 => {
            part.digits >= 3
                && part.letters <= 2
                && view.is_number(first)
                && !says!(view, first + 1, "x" | "p" | "q")
                && !(part.letters == 2 && view.is(first + 1, Class::Unit))
        }
        _ => false,
    };
    plate && !follows_unit(view, part.last) && in_plain_words(view, first, part.last)
}

/// A row of two or three parts: `EBL 503`, `43 KG 683`, `GI 8159 KG`, `86Y T79`, `SCC-229`.
pub(super) fn is_row(view: &View<'_>, row: &[Part], hyphen: bool) -> bool {
    let (Some(a), Some(b)) = (row.first(), row.last()) else { return false };
    let (letters, digits) = row.iter().fold((0, 0), |(l, d), part| (l + part.letters, d + part.digits));
    row.len() <= 3
        && (6..=8).contains(&(letters + digits))
        && letters > 0
        && digits > 1
        // `T10-L12`
        && !row.iter().all(|part| part.letters == 1 && part.changes == 1 && view.is_word(part.first))
        && !view.is(a.first, Class::CodeSystem)
        && match row {
            [name, value] if is_letters(name) => is_named(view, name, value, hyphen),
            [number, unit] if is_digits(number) => {
                !is_year(view, number) && !is_hour(view, number) && is_odd_amount(view, number, unit)
            }
            [name, number, unit] if is_letters(name) && is_digits(number) && is_letters(unit) => {
                !view.any(unit.first, AMOUNTS) || number.digits == 4 && !is_multiple(view, number.first, 10)
            }
            [_, unit, number] if is_letters(unit) && is_digits(number) => {
                !view.is(unit.first, Class::Unit) || !is_multiple(view, number.first, 5)
            }
            _ => true,
        }
        && !follows_unit(view, b.last)
        && in_plain_words(view, a.first, b.last)
}

/// What makes an amount of the number before it.
const AMOUNTS: Classes = Classes::of(&[Class::Unit, Class::Dose, Class::Duration, Class::AgeCue, Class::Counted]);

fn is_letters(part: &Part) -> bool {
    letters(part, 1, 3)
}

fn is_digits(part: &Part) -> bool {
    digits(part, 1, 6)
}

/// `EBL 503`, `HB 4314`, `LIP 50G`, `UYM 157PV`: letters with what is no value of theirs and no dose.
fn is_named(view: &View<'_>, name: &Part, value: &Part, hyphen: bool) -> bool {
    if !is_digits(value) {
        // `NPH 12U`, `ASA 81MG`
        let amount = value.changes == 1 && view.is_number(value.first);
        let dose = says!(view, value.last - 1, "u" | "d" | "h" | "w" | "y" | "m" | "f");
        return !(amount && (is_unit(view, value) || value.letters == 1 && dose && known(view, name)));
    }
    let measured = view.any(name.first, Classes::of(&[Class::Measurement, Class::Score]));
    let round = if measured { 10 } else { 100 };
    (hyphen || !is_year(view, value) && !is_hour(view, value))
        && !(is_multiple(view, value.first, round) && (measured || value.digits < 5))
        && !takes_number(view, name.first)
        && !is_ordinary_value(view, name.first, value.first)
}

/// `2730 TDS`, `615 CAN`, `67 67DS`: a number with letters that do not count it, or more exact than a dose is.
fn is_odd_amount(view: &View<'_>, number: &Part, unit: &Part) -> bool {
    if !is_letters(unit) {
        return !is_multiple(view, number.first, 100);
    }
    number.digits >= 3
        && !(view.any(unit.first, AMOUNTS) && is_multiple(view, number.first, if number.digits > 3 { 10 } else { 5 }))
}

fn is_multiple(view: &View<'_>, at: usize, of: u64) -> bool {
    view.whole(at).is_some_and(|value| value.is_multiple_of(of))
}

/// Whether what stands right behind makes an amount of the number before it.
fn follows_unit(view: &View<'_>, at: usize) -> bool {
    const NEVER: Classes = Classes::of(&[Class::Stop, Class::PersonVerb, Class::Link]);
    view.is_mark(at, b'%') || view.same_line(at) && view.any(at, CLINICAL) && !view.any(at, NEVER)
}

/// Whether letters name what is numbered far, and not how much of it there is: antigens, genes, codes, catheters.
fn takes_number(view: &View<'_>, at: usize) -> bool {
    says!(view, at, "cd" | "ca" | "mir" | "gpr" | "znf" | "slc" | "hla" | "cyp" | "pm" | "ns" | "fr")
        || view.any(at, Classes::of(&[Class::CodeSystem, Class::Sized]))
}

/// Whether so many belong behind one of the names that stand in every note, which need nothing clinical around them.
fn is_ordinary_value(view: &View<'_>, name: usize, value: usize) -> bool {
    let most = match view.word(name) {
        "gcs" | "ef" | "inr" | "rr" => 99,
        "hr" | "bp" | "sbp" | "dbp" | "map" | "na" | "bun" | "gfr" | "hdl" | "esr" | "mcv" | "ptt" | "hb" | "hgb"
        | "ht" => 250,
        "fs" | "bs" | "bg" | "ldl" | "crp" | "wt" | "qrs" | "pr" | "po" => 600,
        "plt" | "alp" | "ggt" | "psa" | "cea" | "anc" | "pth" | "qt" | "qtc" | "vt" | "tv" => 999,
        "ast" | "alt" | "ck" | "cpk" | "ldh" | "bnp" | "afp" | "hcg" | "tg" => 9999,
        _ => return clinical::takes_short(view.word(name)) && view.whole(value).is_some_and(|value| value < 1000),
    };
    view.whole(value).is_some_and(|value| value <= most)
}
