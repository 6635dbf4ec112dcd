//! First names after a comma at the end of a sentence, as in an address: `less cough, Rose.`

use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// The minimum number of lower-case words before the comma, as in running text.
const MIN_WORDS_BEFORE: usize = 2;

/// Finds such a name after the comma at a token.
pub(in crate::rules) fn find_addressed_name(note: &Note<'_>, comma: usize, findings: &mut Findings) {
    let name = comma + 1;
    if note.case(name) != Case::Capital || !note.is(name, Class::FirstName) || !note.joined(comma) || note.joined(name)
    {
        return;
    }
    let end = name + 1;
    let closes = note.ends_line(end)
        || note.is_any_mark(end, b".!?") && (note.ends_line(end + 1) || note.sentence_start(end + 1));
    if closes && note.same_line(name) && follows_running_text(note, comma) && !is_month_day_or_state(note, name) {
        findings.remove(name, end, Kind::Name, Certainty::Sure);
    }
}

/// Returns whether the words before a comma are running text, not a list of names or headings.
fn follows_running_text(note: &Note<'_>, comma: usize) -> bool {
    (comma.saturating_sub(MIN_WORDS_BEFORE)..comma).all(|at| note.is_word(at) && note.case(at) == Case::Lower)
        && comma >= MIN_WORDS_BEFORE
}

/// Returns whether another rule handles the capitalised word: months, days, states.
fn is_month_day_or_state(note: &Note<'_>, at: usize) -> bool {
    note.any(at, Classes::of(&[Class::Month, Class::Weekday, Class::State]))
}
