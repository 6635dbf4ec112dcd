//! Words that are written letter by letter: `J o h n`, `J.o.h.n`, `R-o-s-e`, `P A T I E N T : R O S E`.
//!
//! Nobody can judge a letter, and single letters are on lists. A row of them is joined before it is judged, and stays only where it
//! is a short form of medicine: `p.o. b.i.d.`, `m/r/g`.

use super::spelled;
use crate::rules::engine::names::NAMES;
use crate::rules::engine::word_sets::WordSet;
use crate::rules::engine::{Certainty, Findings, Kind, View};
use crate::text::token;
use crate::vocabulary::{Class, Classes};

/// The most marks between two letters of a row: longer than anybody draws a line between two of them.
const MARKS: usize = 64;

/// Letters of one row that are joined; longer ones are no short form.
const MOST: usize = 8;

/// Short forms that are written with marks between their letters, and are names as well or on no list.
static SHORT: WordSet = WordSet::new(&[
    "ac", "am", "ao", "aox", "ap", "bid", "bo", "bp", "cce", "co", "dc", "do", "eg", "fu", "ho", "hs", "ia", "ie",
    "im", "io", "iv", "ko", "lo", "mo", "no", "np", "nvd", "od", "oe", "os", "ou", "pc", "pe", "pm", "po", "pr", "prn",
    "qd", "qid", "qod", "ro", "rom", "sc", "so", "sob", "sp", "tid", "us", "usa", "wo", "yo",
]);

/// Lists of short forms.
const CLINICAL: Classes = Classes::of(&[
    Class::Dose,
    Class::Clinical,
    Class::Acronym,
    Class::Measurement,
    Class::Score,
    Class::Unit,
    Class::Credential,
]);

pub(in crate::rules) fn is_letter(view: &View<'_>, at: usize) -> bool {
    view.is_word(at) && view.width(at) == 1
}

/// A mark or a symbol. A longer row of asterisks stands for what an earlier scrub removed, unless two letters touch it: words that
/// were removed do not.
pub(in crate::rules) fn is_mark(view: &View<'_>, at: usize) -> bool {
    let touched =
        || at > 0 && view.joined(at) && view.joined(at + 1) && is_letter(view, at - 1) && is_letter(view, at + 1);
    match view.token(at).kind {
        token::Kind::Punct => view.width(at) <= 2 || touched(),
        token::Kind::Symbol => true,
        _ => false,
    }
}

/// The next letter of the row, past marks.
pub(in crate::rules) fn next(view: &View<'_>, at: usize) -> Option<usize> {
    let next = (at + 1..=at + 1 + MARKS).find(|&next| !is_mark(view, next))?;
    (is_letter(view, next) && !view.token(next).glued() && !view.token(next + 1).glued()).then_some(next)
}

/// Whether the letter goes on a row that began before it.
fn goes_on(view: &View<'_>, at: usize) -> bool {
    let before = (at.saturating_sub(1 + MARKS)..at).rev().find(|&before| !is_mark(view, before));
    before.is_some_and(|before| is_letter(view, before) && !view.token(before).glued())
}

/// Letters of a row, joined.
#[derive(Clone, Copy, Default)]
pub(in crate::rules) struct Joined {
    letters: [u8; MOST],
    len: usize,
    /// The last letter.
    last: u8,
    /// How many stand behind the letter before them in the alphabet.
    steps: usize,
    /// Which letters there are.
    set: u32,
}

impl Joined {
    pub(in crate::rules) fn push(&mut self, letter: u8) {
        if let Some(place) = self.letters.get_mut(self.len) {
            *place = letter;
        }
        self.len += 1;
        self.steps += usize::from(letter == self.last.wrapping_add(1));
        self.set |= 1 << (letter.wrapping_sub(b'a') % 32);
        self.last = letter;
    }

    pub(in crate::rules) const fn len(&self) -> usize {
        self.len
    }

    /// Whether its letters follow each other in the alphabet, or are all the same, or answers of yes and no: a list, and no name.
    pub(in crate::rules) fn is_list(&self, view: &View<'_>) -> bool {
        const ANSWERS: u32 = 1 << (b'y' - b'a') | 1 << (b'n' - b'a');
        let list = self.steps + 1 == self.len || self.set.is_power_of_two() || self.set & !ANSWERS == 0;
        let word = self.letters.get(..self.len).and_then(|letters| std::str::from_utf8(letters).ok());
        list && !word.is_some_and(|word| view.classes_of(word).any(NAMES))
    }

    /// Whether it is a word of one letter.
    fn is_article(&self) -> bool {
        self.len == 1 && matches!(self.letters[0], b'a' | b'i')
    }

    /// Whether it is a short form, and nothing that could be read as a name. `alone` where it is the whole row.
    pub(in crate::rules) fn is_short_form(&self, view: &View<'_>, alone: bool) -> bool {
        let Some(letters) = self.letters.get(..self.len) else { return false };
        let Ok(word) = std::str::from_utf8(letters) else { return false };
        let vowels = letters.iter().any(|letter| b"aeiouy".contains(letter));
        if SHORT.words().binary_search(&word).is_ok() || !vowels && self.len <= 5 {
            return true;
        }
        let classes = view.classes_of(word);
        let name = classes.any(NAMES.with(Class::City));
        !name && (alone && self.len <= 3 || self.len > 1 && classes.any(CLINICAL))
    }
}

/// Finds a row of single letters, at its first.
pub(in crate::rules) fn find(view: &View<'_>, first: usize, findings: &mut Findings) {
    spelled::find(view, first, findings);
    if !is_letter(view, first) || view.token(first).glued() || view.token(first + 1).glued() || goes_on(view, first) {
        return;
    }
    let (mut row, mut group) = (Joined::default(), Joined::default());
    let (mut last, mut at) = (first, Some(first));
    let (mut groups, mut single, mut harmless, mut articles) = (0, true, true, 0);
    while let Some(letter) = at {
        // White space ends what belongs together: `p.o. b.i.d.`
        if letter > first && (last + 1..=letter).any(|at| !view.joined(at)) {
            articles += usize::from(group.is_article());
            harmless &= group.is_short_form(view, false) || group.is_article();
            single &= group.len == 1;
            groups += 1;
            group = Joined::default();
        }
        row.push(view.bytes(letter)[0]);
        group.push(view.bytes(letter)[0]);
        last = letter;
        at = next(view, letter);
    }
    single &= group.len == 1;
    articles += usize::from(group.is_article());
    harmless &= group.is_short_form(view, false) || group.is_article();
    // `h/o a fall`; but `M.o. l l i` has more.
    harmless &= articles < 2;
    // Letters that stand each for itself, or all together, are one word.
    if single || groups == 0 {
        harmless = row.is_short_form(view, true);
    }
    if row.len > 2 && !harmless && !row.is_list(view) {
        findings.remove(first, last + 1, Kind::Name, Certainty::Sure);
    }
}

/// Whether a small letter stands in a short form of three letters or more with points between them: `p.r.n.`, `t.i.d.`
pub(in crate::rules) fn is_in_short_form(view: &View<'_>, at: usize) -> bool {
    let is_small = |at: usize| is_letter(view, at) && view.case(at) == token::Case::Lower && !view.token(at).glued();
    let is_point = |at: usize| view.is_any_mark(at, b".") && view.joined(at) && view.joined(at + 1);
    if !is_small(at) {
        return false;
    }
    let mut first = at;
    while first >= 2 && is_point(first - 1) && is_small(first - 2) {
        first -= 2;
    }
    let mut joined = Joined::default();
    joined.push(view.bytes(first)[0]);
    while is_point(first + 1) && is_small(first + 2) {
        first += 2;
        joined.push(view.bytes(first)[0]);
    }
    let word = joined.letters.get(..joined.len).and_then(|letters| std::str::from_utf8(letters).ok());
    joined.len > 2 && word.is_some_and(|word| SHORT.words().binary_search(&word).is_ok())
}
