//! Telephone numbers spoken digit by digit: `two two eight five five five zero one four four`.

use crate::rules::engine::digits::is_spoken_digit;
use crate::rules::engine::word_sets::word_is;
use crate::rules::engine::{Certainty, Findings, Kind, Note};

/// The minimum number of consecutive digit words of a telephone number.
const SPOKEN: usize = 7;

/// The minimum with hyphens, which counts never have.
const JOINED: usize = 4;

/// The maximum number of consecutive `oh`.
const OHS: usize = 2;

/// Returns the next spoken digit, after an optional comma or hyphen.
fn next_spoken_digit(note: &Note<'_>, end: usize) -> Option<usize> {
    let word = end + usize::from(note.is_any_mark(end, b",-./") && note.follows(end));
    (note.follows(word) && (is_spoken_digit(note, word) || word_is!(note, word, "oh" | "o"))).then_some(word)
}

/// Finds a telephone number at its first digit word: `reach her at two two eight five five five zero one four four`,
/// `six-one-seven, five-five-five`.
pub(in crate::rules) fn find_spoken_phone(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if !is_spoken_digit(note, at) {
        return;
    }
    // Look for the previous word, across a mark: stopping at the mark would begin a new number at each word.
    let before = |first: usize| {
        let words = (1..=2).filter_map(|back| first.checked_sub(back)).filter(|&word| note.is_word(word));
        words.take(1).find(|&word| next_spoken_digit(note, word + 1) == Some(first))
    };
    // `oh five, five five five`: only `oh` may precede the first digit.
    let mut first = at;
    for nth in 0..=OHS {
        let Some(word) = before(first) else { break };
        if is_spoken_digit(note, word) {
            return;
        }
        if nth == OHS || !word_is!(note, word, "oh" | "o") {
            break;
        }
        first = word;
    }
    let (mut end, mut count, mut digits, mut hyphens, mut ohs) = (at + 1, 1, 1, 0, 0);
    while let Some(word) = next_spoken_digit(note, end) {
        let digit = is_spoken_digit(note, word);
        ohs = if digit { 0 } else { ohs + 1 };
        if ohs > OHS {
            break;
        }
        hyphens += usize::from(word > end && note.is_mark(end, b'-'));
        count += 1;
        digits += usize::from(digit);
        end = word + 1;
    }
    count += (first..at).filter(|&word| note.is_word(word)).count();
    if digits > 2 && (count >= SPOKEN || count >= JOINED && hyphens > 1) {
        findings.remove(first, end, Kind::Phone, Certainty::Likely);
    }
}
