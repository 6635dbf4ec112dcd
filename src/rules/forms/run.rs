//! Runs of joined words, numbers and hyphens, the form of identifiers.

use crate::rules::engine::Note;
use crate::vocabulary::Class;

/// A run of joined words, numbers and hyphens.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own about the form")]
pub(in crate::rules) struct Run {
    /// The first token.
    pub(in crate::rules) first: usize,
    /// The end (exclusive).
    pub(in crate::rules) last: usize,
    /// The number of digits.
    pub(in crate::rules) digits: usize,
    /// The number of letters.
    pub(in crate::rules) letters: usize,
    /// The number of changes between letters and digits.
    pub(in crate::rules) alternations: usize,
    /// The length of the longest number, in digits.
    pub(in crate::rules) longest: usize,
    /// The number of hyphens, underscores and similar marks.
    pub(in crate::rules) marks: usize,
    /// Whether it has the form of a date in digits.
    pub(in crate::rules) date: bool,
    /// Whether it contains a number with a decimal point or comma.
    pub(in crate::rules) decimal: bool,
    /// Whether it contains the name of a month, a time, a ratio or colons, which other rules handle.
    pub(in crate::rules) foreign: bool,
    /// Whether it contains a word of at least four letters.
    pub(in crate::rules) wordy: bool,
}

impl Run {
    /// The maximum length in tokens; longer runs are truncated.
    const MAX_TOKENS: usize = 32;

    /// Returns the run that begins at a token.
    pub(in crate::rules) fn starting_at(note: &Note<'_>, first: usize) -> Self {
        let mut run = Self {
            first,
            last: first,
            digits: 0,
            letters: 0,
            alternations: 0,
            longest: 0,
            marks: 0,
            date: false,
            decimal: false,
            foreign: false,
            wordy: false,
        };
        let mut figures = 0;
        let mut before = 0;
        while run.last < first + Self::MAX_TOKENS && (run.last == first || note.joined(run.last)) {
            let at = run.last;
            if note.is_number(at) {
                let mut digits = note.width(at);
                // Fast path: most numbers have no mark inside.
                if note.integer(at).is_none() {
                    let bytes = note.bytes(at);
                    digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
                    // `11:27PM` and `BP128/83` are not codes.
                    run.foreign |= bytes.iter().any(|byte| matches!(byte, b':' | b'/'));
                    run.decimal |= bytes.iter().any(|byte| matches!(byte, b'.' | b','));
                    run.date |= note.number(at).is_some_and(|number| number.has_form(3, b'/'));
                }
                run.digits += digits;
                run.longest = run.longest.max(digits);
                figures += 1;
                run.alternations += usize::from(before == b'a');
                before = b'0';
            } else if note.is_word(at) {
                let letters = note.width(at);
                run.letters += letters;
                run.wordy |= letters >= 4;
                run.foreign |= note.is(at, Class::Month);
                run.alternations += usize::from(before == b'0');
                before = b'a';
            } else if note.is_any_mark(at, b"-_/.:")
                && at > first
                && note.joined(at + 1)
                && (note.is_number(at + 1) || note.is_word(at + 1) || note.is_mark(at + 1, b'-'))
            {
                run.marks += 1;
                run.foreign |= note.is_mark(at, b':');
            } else {
                break;
            }
            run.last += 1;
        }
        // `2004-03-04`
        run.date |= figures == 3 && run.letters == 0 && run.marks == 2 && run.digits == 8 && note.width(first) == 4;
        run
    }

    /// Returns the run around a number, or `None` if it contains an earlier number.
    pub(in crate::rules) fn around(note: &Note<'_>, at: usize) -> Option<Self> {
        let mut first = at;
        while first > 0 && at - first < 8 && note.joined(first) {
            let before = first - 1;
            if note.is_number(before) {
                return None;
            }
            let part = note.is_word(before) || (note.is_any_mark(before, b"-_") && before > 0 && note.joined(before));
            if !part {
                break;
            }
            first = before;
        }
        while note.is_any_mark(first, b"-_") {
            first += 1;
        }
        Some(Self::starting_at(note, first))
    }
}
