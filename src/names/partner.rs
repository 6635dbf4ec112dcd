//! The other half of a name: a word beside another, written and joined to it as a first name and a family name are. The model was
//! trained on running prose and knows little of such layouts, so less is asked of it there.

use super::score::LOG_ODDS_SCALE;
use crate::rules::{Note, is_family_name, is_first_name, is_unlisted};
use crate::text::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// A word beside which another may be the other half of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NamePartner {
    pub(super) at: usize,
    /// How much less sure the model may be of the other word where it is sure of this one.
    pub(super) allowance: i32,
    /// How much less sure the model may be of both where it is sure of neither: names of many people speak for each other.
    pub(super) mutual: i32,
}

/// Two names of which the model is not sure speak for each other.
const MUTUAL_ALLOWANCE: i32 = 3 * LOG_ODDS_SCALE / 2;

/// The same where they are all that stands between two marks.
const ENCLOSED_ALLOWANCE: i32 = 3 * LOG_ODDS_SCALE;

/// After a blank, in lower case or in capitals: the next word may as well go on with the sentence.
const AFTER_BLANK_ALLOWANCE: i32 = 3 * LOG_ODDS_SCALE / 2;

/// The same in lower case after a first name that is no other word.
const AFTER_UNLISTED_ALLOWANCE: i32 = 5 * LOG_ODDS_SCALE / 2;

/// After a blank where both have a capital letter, or in the next column: a word that is nobody's name has one only at the
/// start of a sentence.
const CAPITALISED_ALLOWANCE: i32 = 3 * LOG_ODDS_SCALE;

/// Joined by a mark, without a blank: `rose.bishop`, `BISHOP^ROSE`. No allowance is larger.
pub(super) const JOINED_ALLOWANCE: i32 = 4 * LOG_ODDS_SCALE;

/// Marks that join the halves of names of users, of messages and of shorthand.
const JOINING_MARKS: &[u8] = b"+~^|_*&/\\";

/// Of these, what joins words in small letters: a slash and an ampersand join any two words there.
const JOINING_MARKS_LOWER_CASE: &[u8] = b"+~^|._";

/// Marks between the values of a row.
const CELL_SEPARATORS: &[u8] = b"|;,\"'^./+";

/// How many marks stand between two values: `"Rose"," ","Bishop"`.
const MAX_MARKS_BETWEEN: usize = 7;

const NAME_CLASSES: Classes = Classes::of(&[Class::Surname, Class::FirstName]);

/// What somebody does, or is to others: no other half of a name without a capital letter of its own.
const ACTION_VERBS: Classes = Classes::of(&[Class::PersonVerb, Class::HumanVerb]);

/// The words before and after one, of which each may be the other half of a name.
pub(super) fn partners_of_word(note: &Note<'_>, at: usize) -> [Option<NamePartner>; 2] {
    if !note.is_word(at) || !note.any(at, NAME_CLASSES) || note.width(at) < 2 {
        return [None; 2];
    }
    [partner_before(note, at), partner_after(note, at)]
}

/// The word before, if the two can be a name.
fn partner_before(note: &Note<'_>, at: usize) -> Option<NamePartner> {
    let last = at.checked_sub(1)?;
    if note.gap(at) == Gap::Space && note.is_word(last) {
        return first_name_before(note, at);
    }
    if last > 0
        && let Some(allowance) = allowance_of_joining_mark(note, last, note.case(at))
    {
        return partner_if_alike(note, at, last - 1, allowance);
    }
    let other = (at.saturating_sub(MAX_MARKS_BETWEEN + 1)..at).rev().find(|&other| !is_cell_separator(note, other))?;
    if are_adjacent_values(note, other, at) { partner_if_alike(note, at, other, CAPITALISED_ALLOWANCE) } else { None }
}

/// The first name right before a family name.
fn first_name_before(note: &Note<'_>, at: usize) -> Option<NamePartner> {
    let capitalised = matches!(note.case(at), Case::Capital | Case::Mixed);
    let common = is_family_name(note, at) && !note.is(at, Class::Eponym);
    let named = note.is(at, Class::Surname) && (capitalised || !note.any(at, ACTION_VERBS));
    let allowance = match () {
        () if common && capitalised => CAPITALISED_ALLOWANCE,
        () if common && note.case(at) == Case::Lower && is_unlisted(note, at - 1) => AFTER_UNLISTED_ALLOWANCE,
        () => AFTER_BLANK_ALLOWANCE,
    };
    let partner = partner_if_alike(note, at, at - 1, allowance).filter(|_| named)?;
    let mutual = match () {
        () if !capitalised || !common || !is_first_name(note, at - 1) => 0,
        () if are_alone_between_marks(note, at - 1, at + 1) => ENCLOSED_ALLOWANCE,
        () => partner.mutual,
    };
    Some(NamePartner { mutual, ..partner })
}

/// The word after, if the two can be a name.
fn partner_after(note: &Note<'_>, at: usize) -> Option<NamePartner> {
    let next = at + 1;
    if note.gap(next) == Gap::Space && note.is_word(next) {
        // `BISHOP KAREN F 34Y`: at the head of a line.
        let headed = note.token(at).line_start() && note.case(at) == Case::Upper && is_family_name(note, at);
        let family_first = if headed { partner_if_alike(note, at, next, AFTER_BLANK_ALLOWANCE) } else { None };
        let in_order = || first_name_before(note, next).map(|it| NamePartner { at: next, allowance: 0, ..it });
        return family_first.map(|it| NamePartner { mutual: 0, ..it }).or_else(in_order);
    }
    if let Some(allowance) = allowance_of_joining_mark(note, next, note.case(at)) {
        return partner_if_alike(note, at, next + 1, allowance).filter(|_| note.case(at) != Case::Lower);
    }
    let other = (next..=next + MAX_MARKS_BETWEEN).find(|&other| !is_cell_separator(note, other))?;
    if are_adjacent_values(note, at, other) { partner_if_alike(note, at, other, CAPITALISED_ALLOWANCE) } else { None }
}

/// Another word as the partner of one, if they are written alike and one can be the first name of the other.
fn partner_if_alike(note: &Note<'_>, at: usize, other: usize, allowance: i32) -> Option<NamePartner> {
    let alike = note.is_word(other) && note.case(at) == note.case(other);
    let labels = Classes::of(&[Class::Title, Class::Credential, Class::Month, Class::NameField]);
    let short = note.width(at).min(note.width(other)) < 3;
    if !alike || short || note.any(at, labels) || note.any(other, labels) {
        return None;
    }
    let given = is_first_name(note, other);
    let either = given && is_family_name(note, at) || is_first_name(note, at) && is_family_name(note, other);
    let mutual = if either && note.case(at) != Case::Lower { MUTUAL_ALLOWANCE } else { 0 };
    // What is no first name speaks for nothing alone.
    (given || mutual > 0).then_some(NamePartner { at: other, allowance: if given { allowance } else { 0 }, mutual })
}

/// Whether words stand alone between two marks: `<<Rose Bishop>>`, `"Rose Bishop"`.
fn are_alone_between_marks(note: &Note<'_>, first: usize, end: usize) -> bool {
    const MARKS: &[u8] = b"<>[](){}\"'*_|=";
    first > 0
        && note.is_any_mark(first - 1, MARKS)
        && note.joined(first)
        && note.is_any_mark(end, MARKS)
        && note.joined(end)
}

/// How much less sure the model may be of one of two words that a mark joins.
fn allowance_of_joining_mark(note: &Note<'_>, mark: usize, case: Case) -> Option<i32> {
    if !note.joined(mark) || !note.joined(mark + 1) {
        return None;
    }
    let dot = note.token(mark).kind == Kind::Symbol && note.word(mark) == "·";
    let joins =
        dot || note.is_any_mark(mark, if case == Case::Lower { JOINING_MARKS_LOWER_CASE } else { JOINING_MARKS });
    // `Rose.Bishop`, or a sentence without a blank after it.
    let loosely = case == Case::Capital && note.is_mark(mark, b'.');
    if joins { Some(JOINED_ALLOWANCE) } else { loosely.then_some(MUTUAL_ALLOWANCE) }
}

fn is_cell_separator(note: &Note<'_>, at: usize) -> bool {
    note.is_any_mark(at, CELL_SEPARATORS)
}

/// Whether two words are values beside each other in a row, with a capital letter each: alone in their columns, or between marks;
/// or shorthand for two of whom one is named after the other, `Rose / Bishop`.
fn are_adjacent_values(note: &Note<'_>, one: usize, other: usize) -> bool {
    let marks = other - one - 1;
    let blanks = |at: usize| note.gap(at) == Gap::Space && note.gap(at + 1) == Gap::Space;
    let slash = marks == 1 && note.is_any_mark(one + 1, b"/&") && blanks(one + 1);
    let apart = marks > 1 || marks == 1 && !note.is_any_mark(one + 1, b",.'") || note.gap(other) == Gap::Wide;
    note.capitalised(one)
        && (one + 1..=other).all(|at| note.same_line(at))
        && (slash || apart && is_isolated_word(note, one) && is_isolated_word(note, other))
}

/// Whether no word stands before or after a word with a blank between.
fn is_isolated_word(note: &Note<'_>, at: usize) -> bool {
    let word = |at: usize| note.is_word(at) || note.is_number(at);
    let before = at > 0 && word(at - 1) && note.gap(at) <= Gap::Space;
    !before && !(word(at + 1) && note.gap(at + 1) <= Gap::Space)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::tests::with_read;

    /// The words that are other halves of names by their place, if those beside them are first names.
    fn halves(text: &str) -> Vec<String> {
        let mut halves = Vec::new();
        with_read(text, |note, _, _| {
            let is_half = |at: &usize| partners_of_word(note, *at).iter().any(Option::is_some);
            halves = (0..note.len()).filter(is_half).map(|at| note.word(at).to_owned()).collect();
        });
        halves
    }

    #[test]
    fn the_other_half_of_a_name_is_joined_to_it_or_stands_in_the_next_column() {
        for text in
            ["ask karen.bishop today", "PN [BISHOP^KAREN]", "Karen    Bishop    gout", "\"Karen\",\"Bishop\",\"gout\""]
        {
            assert!(halves(text).contains(&"bishop".into()), "{text}");
        }
    }

    #[test]
    fn what_stands_in_a_sentence_or_is_written_otherwise_is_none() {
        for text in ["Seen by Karen, Bishop score 8", "karen Bishop", "Karen\nBishop score"] {
            assert!(!halves(text).contains(&"bishop".into()), "{text}");
        }
    }
}
