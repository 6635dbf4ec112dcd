//! Finds the other half of a name: a word next to another, in the same case and joined to it like a first name and a
//! surname. The model was trained on running prose and knows little of such layouts, so its thresholds are lowered
//! there.

use super::score::LOG_ODDS_SCALE;
use crate::rules::{Note, is_family_name, is_first_name, is_unlisted};
use crate::text::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// A word whose neighbour may be the other half of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NamePartner {
    pub(super) at: usize,
    /// How far the threshold of the other word is lowered where the model is sure of this one.
    pub(super) allowance: i32,
    /// How far both thresholds are lowered where the model is sure of neither: the two names are evidence for each
    /// other.
    pub(super) mutual: i32,
}

/// Two uncertain names next to each other are evidence for each other.
const MUTUAL_ALLOWANCE: i32 = 3 * LOG_ODDS_SCALE / 2;

/// As [`MUTUAL_ALLOWANCE`], where the two names are all that is between two marks.
const ENCLOSED_ALLOWANCE: i32 = 3 * LOG_ODDS_SCALE;

/// After a space, both in lower case or both in capitals: the next word may as well continue the sentence.
const AFTER_BLANK_ALLOWANCE: i32 = 3 * LOG_ODDS_SCALE / 2;

/// As [`AFTER_BLANK_ALLOWANCE`], in lower case after a first name that is no other word.
const AFTER_UNLISTED_ALLOWANCE: i32 = 5 * LOG_ODDS_SCALE / 2;

/// After a space where both are capitalised, or in the next column: a word that is nobody's name is capitalised only at
/// the start of a sentence.
const CAPITALISED_ALLOWANCE: i32 = 3 * LOG_ODDS_SCALE;

/// Joined by a mark without a space: `rose.bishop`, `BISHOP^ROSE`. No allowance is larger.
pub(super) const JOINED_ALLOWANCE: i32 = 4 * LOG_ODDS_SCALE;

/// Marks that join the halves of names in user names, messages and shorthand.
const JOINING_MARKS: &[u8] = b"+~^|_*&/\\";

/// The marks that join names in lower case: a slash or an ampersand joins any two words there.
const JOINING_MARKS_LOWER_CASE: &[u8] = b"+~^|._";

/// Marks between the values of a row.
const CELL_SEPARATORS: &[u8] = b"|;,\"'^./+";

/// The maximum number of marks between two values: `"Rose"," ","Bishop"`.
const MAX_MARKS_BETWEEN: usize = 7;

const NAME_CLASSES: Classes = Classes::of(&[Class::Surname, Class::FirstName]);

/// Verbs of persons: a word on these lists must be capitalised itself to be half of a name.
const ACTION_VERBS: Classes = Classes::of(&[Class::PersonVerb, Class::HumanVerb]);

/// Returns the words before and after a word that may be the other half of its name.
pub(super) fn partners_of_word(note: &Note<'_>, at: usize) -> [Option<NamePartner>; 2] {
    if !note.is_word(at) || !note.any(at, NAME_CLASSES) || note.width(at) < 2 {
        return [None; 2];
    }
    [partner_before(note, at), partner_after(note, at)]
}

/// Returns the word before, if the two can be a name.
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

/// Returns the first name right before a surname.
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

/// Returns the word after, if the two can be a name.
fn partner_after(note: &Note<'_>, at: usize) -> Option<NamePartner> {
    let next = at + 1;
    if note.gap(next) == Gap::Space && note.is_word(next) {
        // `BISHOP KAREN F 34Y`: at the start of a line.
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

/// Returns another word as the partner of this one, if both have the same case and one can be the first name of the
/// other.
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
    // A word that is no first name is no evidence by itself.
    (given || mutual > 0).then_some(NamePartner { at: other, allowance: if given { allowance } else { 0 }, mutual })
}

/// Returns whether words are alone between two marks: `<<Rose Bishop>>`, `"Rose Bishop"`.
fn are_alone_between_marks(note: &Note<'_>, first: usize, end: usize) -> bool {
    const MARKS: &[u8] = b"<>[](){}\"'*_|=";
    first > 0
        && note.is_any_mark(first - 1, MARKS)
        && note.joined(first)
        && note.is_any_mark(end, MARKS)
        && note.joined(end)
}

/// Returns how far the threshold is lowered for one of two words joined by a mark.
fn allowance_of_joining_mark(note: &Note<'_>, mark: usize, case: Case) -> Option<i32> {
    if !note.joined(mark) || !note.joined(mark + 1) {
        return None;
    }
    let dot = note.token(mark).kind == Kind::Symbol && note.word(mark) == "·";
    let joins =
        dot || note.is_any_mark(mark, if case == Case::Lower { JOINING_MARKS_LOWER_CASE } else { JOINING_MARKS });
    // `Rose.Bishop`, or a sentence without a space after its full stop.
    let loosely = case == Case::Capital && note.is_mark(mark, b'.');
    if joins { Some(JOINED_ALLOWANCE) } else { loosely.then_some(MUTUAL_ALLOWANCE) }
}

fn is_cell_separator(note: &Note<'_>, at: usize) -> bool {
    note.is_any_mark(at, CELL_SEPARATORS)
}

/// Returns whether two capitalised words are adjacent values in a row: alone in their columns, or between marks. Also
/// shorthand for two people, one named after the other: `Rose / Bishop`.
fn are_adjacent_values(note: &Note<'_>, one: usize, other: usize) -> bool {
    let marks = other - one - 1;
    let blanks = |at: usize| note.gap(at) == Gap::Space && note.gap(at + 1) == Gap::Space;
    let slash = marks == 1 && note.is_any_mark(one + 1, b"/&") && blanks(one + 1);
    let apart = marks > 1 || marks == 1 && !note.is_any_mark(one + 1, b",.'") || note.gap(other) == Gap::Wide;
    note.capitalised(one)
        && (one + 1..=other).all(|at| note.same_line(at))
        && (slash || apart && is_isolated_word(note, one) && is_isolated_word(note, other))
}

/// Returns whether no word precedes or follows this one after a single space.
fn is_isolated_word(note: &Note<'_>, at: usize) -> bool {
    let word = |at: usize| note.is_word(at) || note.is_number(at);
    let before = at > 0 && word(at - 1) && note.gap(at) <= Gap::Space;
    !before && !(word(at + 1) && note.gap(at + 1) <= Gap::Space)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::tests::with_read;

    /// Returns the words that may be half of a name by their place, if the word next to them is a first name.
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
