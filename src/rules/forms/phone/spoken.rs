//! Telephone numbers said digit by digit: `two two eight five five five zero one four four`.

use crate::rules::engine::digits::is_said;
use crate::rules::engine::word_sets::says;
use crate::rules::engine::{Certainty, Findings, Kind, View};

/// How many digits in words stand beside each other before they are a number to dial.
const SPOKEN: usize = 7;

/// The fewest where hyphens join them, as they never do in counts.
const JOINED: usize = 4;

/// How many `oh` stand in a row.
const OHS: usize = 2;

/// The digit said next, past a comma or a hyphen.
fn next_said(view: &View<'_>, end: usize) -> Option<usize> {
    let word = end + usize::from(view.is_any_mark(end, b",-./") && view.follows(end));
    (view.follows(word) && (is_said(view, word) || says!(view, word, "oh" | "o"))).then_some(word)
}

/// Anchor: a word for a number. `reach her at two two eight five five five zero one four four`, `six-one-seven, five-five-five`.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if !is_said(view, at) {
        return;
    }
    // The word itself is looked for, over the mark that may stand between: whoever takes the mark for it begins again at each word.
    let before = |first: usize| {
        let words = (1..=2).filter_map(|back| first.checked_sub(back)).filter(|&word| view.is_word(word));
        words.take(1).find(|&word| next_said(view, word + 1) == Some(first))
    };
    // `oh five, five five five`: only `oh` stands before the first digit.
    let mut first = at;
    for nth in 0..=OHS {
        let Some(word) = before(first) else { break };
        if is_said(view, word) {
            return;
        }
        if nth == OHS || !says!(view, word, "oh" | "o") {
            break;
        }
        first = word;
    }
    let (mut end, mut count, mut digits, mut hyphens, mut ohs) = (at + 1, 1, 1, 0, 0);
    while let Some(word) = next_said(view, end) {
        let digit = is_said(view, word);
        ohs = if digit { 0 } else { ohs + 1 };
        if ohs > OHS {
            break;
        }
        hyphens += usize::from(word > end && view.is_mark(end, b'-'));
        count += 1;
        digits += usize::from(digit);
        end = word + 1;
    }
    count += (first..at).filter(|&word| view.is_word(word)).count();
    if digits > 2 && (count >= SPOKEN || count >= JOINED && hyphens > 1) {
        findings.remove(first, end, Kind::Phone, Certainty::Likely);
    }
}
