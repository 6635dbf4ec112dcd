//! Reads one token: the form and lists of a word, the shape of a number, or a punctuation mark.

use super::token_features::{Evidence, Measures, OUTSIDE, TokenFeatures, form};
use crate::bits::indices_of_bits;
use crate::linear::hash::{EMPTY_HASH, hash_bytes, hash_short, mix_three};
use crate::rules::{Note, Shape};
use crate::text::token::{Case, Kind};
use crate::vocabulary::{Class, Classes};

/// Lists that are features by themselves; lists of names count by how common the name is.
const CUE_CLASSES: Classes = Classes(
    !(Class::Surname.as_set().0
        | Class::FirstName.as_set().0
        | Class::City.as_set().0
        | Class::English.as_set().0
        | Class::Literature.as_set().0
        | Class::TermPart.as_set().0
        | Class::Usage.as_set().0
        | Class::WordCount.as_set().0
        | Class::Term.as_set().0),
);

/// Lists that determine the kind of a word, the most informative first.
const KIND_CLASSES: &[Class] = &[
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

/// All of [`KIND_CLASSES`].
const ALL_KIND_CLASSES: Classes = {
    let (mut all, mut nth) = (0, 0);
    while nth < KIND_CLASSES.len() {
        all |= KIND_CLASSES[nth].as_set().0;
        nth += 1;
    }
    Classes(all)
};

/// The index of each list in [`KIND_CLASSES`].
const KIND_INDEX_BY_CLASS: [u8; u64::BITS as usize] = {
    let (mut places, mut nth) = ([u8::MAX; u64::BITS as usize], 0);
    while nth < KIND_CLASSES.len() {
        places[KIND_CLASSES[nth] as usize] = nth as u8;
        nth += 1;
    }
    places
};

/// Lists of places, and of medical words.
const PLACE_CLASSES: Classes = Classes::of(&[Class::City, Class::County, Class::PlacePart]);
const MEDICAL_CLASSES: Classes = Classes::of(&[Class::Literature, Class::Clinical]);

/// Returns the hash of a word; that of a short word comes from its key.
fn hash_word(note: &Note<'_>, at: usize) -> u64 {
    let (width, key) = (note.width(at), note.key(at));
    if (1..8).contains(&width) { hash_short(key, width) } else { hash_bytes(note.bytes(at)) }
}

/// Reads a token.
pub(super) fn read_token(note: &Note<'_>, at: usize, allowed: Classes) -> TokenFeatures {
    let token = note.token(at);
    let mut features_of_token = TokenFeatures {
        gap: token.gap,
        sentence_start: token.sentence_start(),
        width: note.width(at).min(255) as u8,
        judged: matches!(token.kind, Kind::Word | Kind::Number),
        is_word: token.kind == Kind::Word,
        ..OUTSIDE
    };
    match token.kind {
        Kind::Word => read_word(note, at, allowed, &mut features_of_token),
        Kind::Number => read_number(note, at, &mut features_of_token),
        Kind::Punct => {
            features_of_token.form = form::MARK.saturating_add(token.mark());
            (features_of_token.word, features_of_token.kind) =
                (u64::from(token.mark()) + 256, u64::from(token.mark()) + 256);
            features_of_token.evidence = Evidence::Mark as u64;
        }
        other => {
            features_of_token.form = match other {
                Kind::Possessive => form::POSSESSIVE,
                Kind::Placeholder => form::OWN,
                _ => form::SYMBOL,
            };
            features_of_token.word = hash_bytes(note.bytes(at));
            features_of_token.kind = u64::from(features_of_token.form);
            features_of_token.evidence = Evidence::Mark as u64;
        }
    }
    features_of_token
}

/// Reads a word: its form, its lists, and its frequency as a name and as a word.
fn read_word(note: &Note<'_>, at: usize, allowed: Classes, features_of_token: &mut TokenFeatures) {
    let (token, classes) = (note.token(at), note.classes(at));
    features_of_token.word = hash_word(note, at);
    features_of_token.lists = classes & CUE_CLASSES;
    let long = note.width(at) > 1;
    features_of_token.form = match token.case {
        Case::Lower if long => form::LOWER,
        Case::Lower => form::ONE_LOWER,
        _ if !long => form::ONE_CAPITAL,
        Case::Capital => form::CAPITAL,
        Case::Mixed => form::MIXED,
        Case::Upper => form::UPPER + (note.width(at).min(5) - 2) as u8,
    };
    let ranks = note.ranks(at);
    let on = |class: Class| classes.has(class);
    let surname = if on(Class::Surname) { ranks.surname.max(1) } else { 0 };
    let first_name = if on(Class::FirstName) { ranks.first_name.max(1) } else { 0 };
    let frequency = ranks.frequency;
    features_of_token.prior = u8::from(on(Class::Surname))
        | u8::from(on(Class::FirstName)) << 1
        | u8::from(on(Class::English)) << 2
        | u8::from(classes.any(PLACE_CLASSES)) << 3
        | u8::from(classes.any(MEDICAL_CLASSES)) << 4
        | u8::from(on(Class::Term)) << 5
        | u8::from(on(Class::Stop)) << 6;
    let name = i32::from(surname).max(i32::from(first_name) + 1);
    let usual = i32::from(frequency) + if on(Class::English) || on(Class::Stop) { 3 } else { 0 };
    let name_log2_ratio = if surname.max(first_name) == 0 { -12 } else { (name - usual).clamp(-11, 16) as i8 };
    features_of_token.measures = Measures::of_word(name_log2_ratio, surname / 2, first_name / 2, frequency / 2);
    let usage = note.usage(at);
    let (small, capital) = (usage.lowercase_cluster(), usage.capitalised_cluster());
    features_of_token.usage = usage.case_and_frequency();
    (features_of_token.cluster, features_of_token.other_cluster) =
        if features_of_token.form == form::LOWER { (small, capital) } else { (capital, small) };
    let listed = classes.any(allowed) && !on(Class::Deny);
    features_of_token.evidence = if listed { Evidence::Listed } else { Evidence::Unlisted } as u64;
    features_of_token.kind = word_kind(classes, features_of_token);
}

/// Returns the kind of a word as one number.
fn word_kind(classes: Classes, features_of_token: &TokenFeatures) -> u64 {
    if classes.has(Class::Stop) {
        return features_of_token.word;
    }
    let class = indices_of_bits((classes & ALL_KIND_CLASSES).0).map(|class| KIND_INDEX_BY_CLASS[class]).min();
    let name = u64::from(features_of_token.measures.surname() > 4 || features_of_token.measures.first_name() > 4);
    let ordinary = u64::from(features_of_token.prior & 0b11_0100 != 0);
    let capital = u64::from(features_of_token.form != form::LOWER);
    match class {
        Some(class) => 1000 + 2 * u64::from(class) + capital,
        None => 2000 + 4 * name + 2 * ordinary + capital,
    }
}

/// Reads a number: its shape, and the sizes of its parts.
fn read_number(note: &Note<'_>, at: usize, features_of_token: &mut TokenFeatures) {
    let shape = note.bytes(at).iter().fold(EMPTY_HASH, |all, &byte| {
        mix_three(all, if byte.is_ascii_digit() { u64::from(b'0') } else { u64::from(byte) }, 3)
    });
    features_of_token.word = shape;
    features_of_token.evidence = Evidence::Unlisted as u64;
    let Some(number) = note.number(at) else { return };
    features_of_token.form = match number.shape() {
        Shape::Integer => form::INTEGER + number.digits(0).min(7) as u8,
        other => form::MARKED + other as u8,
    };
    features_of_token.kind = 3000 + u64::from(features_of_token.form);
    // Size classes end where days, months, minutes, ages and years end; 9 where there is no such part.
    let size = |part: usize| match number.value(part) {
        _ if part > 0 && part >= number.len() => 9,
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
    features_of_token.measures = Measures::of_number([size(0), size(1), size(2)], number.has_leading_zero());
    features_of_token.prior = 128 | u8::from(number.has_leading_zero());
}
