//! Reads one token: its form and lists, what a mark or a number looks like.

use super::sight::{Evidence, OUTSIDE, Sight, form};
use crate::learned::hash::{EMPTY, mix, of_bytes};
use crate::rules::{Shape, View};
use crate::text::token::{Case, Kind};
use crate::vocabulary::{Class, Classes};

/// Lists that are features by themselves; lists of names count by how common the name is.
const CUES: Classes = Classes(
    !(Class::Surname.set().0
        | Class::FirstName.set().0
        | Class::City.set().0
        | Class::English.set().0
        | Class::Literature.set().0
        | Class::TermPart.set().0
        | Class::Usage.set().0
        | Class::WordCount.set().0
        | Class::Term.set().0),
);

/// Lists that tell in one symbol what kind of word stands somewhere, the most telling first.
const KINDS: &[Class] = &[
    Class::Title,
    Class::Credential,
    Class::Relative,
    Class::PersonNoun,
    Class::Facility,
    Class::Organisation,
    Class::StreetType,
    Class::NameField,
    Class::WardNoun,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::Month,
    Class::Weekday,
    Class::Unit,
    Class::Measurement,
    Class::HumanVerb,
    Class::PersonVerb,
    Class::Dose,
    Class::Duration,
    Class::State,
    Class::Eponym,
    Class::Brand,
    Class::Organism,
];

/// All of them.
const ANY_KIND: Classes = {
    let (mut all, mut nth) = (0, 0);
    while nth < KINDS.len() {
        all |= KINDS[nth].set().0;
        nth += 1;
    }
    Classes(all)
};

/// Reads a token.
pub(super) fn sight(view: &View<'_>, at: usize, allowed: Classes) -> Sight {
    let token = view.token(at);
    let mut sight = Sight {
        gap: token.gap,
        sentence_start: token.sentence_start(),
        width: view.width(at).min(255) as u8,
        judged: matches!(token.kind, Kind::Word | Kind::Number),
        is_word: token.kind == Kind::Word,
        ..OUTSIDE
    };
    match token.kind {
        Kind::Word => word(view, at, allowed, &mut sight),
        Kind::Number => number(view, at, &mut sight),
        Kind::Punct => {
            sight.form = form::MARK.saturating_add(token.mark());
            (sight.word, sight.kind) = (u64::from(token.mark()) + 256, u64::from(token.mark()) + 256);
            sight.evidence = Evidence::Mark as u64;
        }
        other => {
            sight.form = match other {
                Kind::Possessive => form::POSSESSIVE,
                Kind::Own => form::OWN,
                _ => form::SYMBOL,
            };
            sight.word = of_bytes(view.bytes(at));
            sight.kind = u64::from(sight.form);
            sight.evidence = Evidence::Mark as u64;
        }
    }
    sight
}

/// Reads a word: how it is written, its lists, how common it is as a name and as a word.
fn word(view: &View<'_>, at: usize, allowed: Classes, sight: &mut Sight) {
    let (token, classes) = (view.token(at), view.classes(at));
    sight.word = of_bytes(view.bytes(at));
    sight.lists = classes & CUES;
    let long = view.width(at) > 1;
    sight.form = match token.case {
        Case::Lower if long => form::LOWER,
        Case::Lower => form::ONE_LOWER,
        _ if !long => form::ONE_CAPITAL,
        Case::Capital => form::CAPITAL,
        Case::Mixed => form::MIXED,
        Case::Upper => form::UPPER + (view.width(at).min(5) - 2) as u8,
    };
    let ranks = view.ranks(at);
    let on = |class: Class| classes.has(class);
    let surname = if on(Class::Surname) { ranks.surname.max(1) } else { 0 };
    let first_name = if on(Class::FirstName) { ranks.first_name.max(1) } else { 0 };
    let frequency = ranks.frequency;
    let lists = [
        surname > 0,
        first_name > 0,
        on(Class::English),
        on(Class::City) || on(Class::County) || on(Class::PlacePart),
        on(Class::Literature) || on(Class::Clinical),
        on(Class::Term),
        on(Class::Stop),
    ];
    sight.prior = lists.iter().rev().fold(0, |all, &on| all << 1 | u8::from(on));
    let name = i32::from(surname).max(i32::from(first_name) + 1);
    let usual = i32::from(frequency) + if on(Class::English) || on(Class::Stop) { 3 } else { 0 };
    sight.lean = if surname.max(first_name) == 0 { -12 } else { (name - usual).clamp(-11, 16) as i8 };
    (sight.surname, sight.first_name, sight.frequency) = (surname / 2, first_name / 2, frequency / 2);
    let usage = view.usage(at);
    let (small, capital) = (usage.small(), usage.capital());
    sight.usage = usage.writing();
    (sight.cluster, sight.other_cluster) = if sight.form == form::LOWER { (small, capital) } else { (capital, small) };
    let listed = classes.any(allowed) && !on(Class::Deny);
    sight.evidence = if listed { Evidence::Listed } else { Evidence::Unlisted } as u64;
    sight.kind = kind(classes, sight);
}

/// What kind of word it is, in one symbol.
fn kind(classes: Classes, sight: &Sight) -> u64 {
    if classes.has(Class::Stop) {
        return sight.word;
    }
    let class = if classes.any(ANY_KIND) { KINDS.iter().position(|&class| classes.has(class)) } else { None };
    let name = u64::from(sight.surname > 4 || sight.first_name > 4);
    let ordinary = u64::from(sight.prior & 0b11_0100 != 0);
    let capital = u64::from(sight.form != form::LOWER);
    match class {
        Some(class) => 1000 + 2 * class as u64 + capital,
        None => 2000 + 4 * name + 2 * ordinary + capital,
    }
}

/// Reads a number: its shape, and what its parts could be of a date.
fn number(view: &View<'_>, at: usize, sight: &mut Sight) {
    let shape = view
        .bytes(at)
        .iter()
        .fold(EMPTY, |all, &byte| mix(all, if byte.is_ascii_digit() { u64::from(b'0') } else { u64::from(byte) }, 3));
    sight.word = shape;
    sight.evidence = Evidence::Unlisted as u64;
    let Some(number) = view.number(at) else { return };
    sight.form = match number.shape() {
        Shape::Whole => form::WHOLE + number.digits(0).min(7) as u8,
        other => form::MARKED + other as u8,
    };
    sight.kind = 3000 + u64::from(sight.form);
    // The value of a number of one part, or how it would do as a day or a month.
    let most = |part: usize| match number.value(part) {
        0 => 0,
        1..=12 => 1,
        13..=31 => 2,
        32..=59 => 3,
        60..=89 => 4,
        90..=120 => 5,
        121..=1899 => 6,
        1900..=2040 => 7,
        _ => 8,
    };
    sight.lean = most(0) as i8;
    sight.surname = if number.len() > 1 { most(1) as u8 } else { 9 };
    sight.first_name = if number.len() > 2 { most(2) as u8 } else { 9 };
    sight.frequency = u8::from(number.padded());
    sight.prior = 128 | sight.frequency;
}
