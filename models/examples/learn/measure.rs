//! Recall, notes without a leak, and what is kept of other tokens.

use notesieve::text::span::Span;
use regex::Regex;

use crate::notes::Note;

/// Counts of tokens and notes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub found: usize,
    pub leaked: usize,
    pub other: usize,
    pub kept: usize,
    pub clean: usize,
    pub notes: usize,
}

impl Counts {
    pub fn add(&mut self, more: Self) {
        self.found += more.found;
        self.leaked += more.leaked;
        self.other += more.other;
        self.kept += more.kept;
        self.clean += more.clean;
        self.notes += more.notes;
    }

    /// Recall, share of notes without a leak, share of other tokens kept.
    pub fn shares(&self) -> [f64; 3] {
        let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
        [share(self.found, self.found + self.leaked), share(self.clean, self.notes), share(self.kept, self.other)]
    }
}

/// Measures what was removed of a note.
pub fn measure(token: &Regex, note: &Note, removed: &[Span]) -> Counts {
    let mut gone = vec![false; note.text.len()];
    for span in removed {
        gone[span.start as usize..span.end as usize].fill(true);
    }
    // 1 must go, 2 may.
    let mut gold = vec![0_u8; note.text.len()];
    for (span, kind) in &note.marks {
        gold[span.start as usize..span.end as usize].fill(if kind.starts_with('?') { 2 } else { 1 });
    }
    let mut counts = Counts { notes: 1, ..Counts::default() };
    for found in token.find_iter(&note.text) {
        let range = found.range();
        if gold[range.clone()].contains(&1) {
            let hidden = range.clone().all(|at| gold[at] != 1 || gone[at]);
            counts.found += usize::from(hidden);
            counts.leaked += usize::from(!hidden);
        } else if !gold[range.clone()].contains(&2) {
            counts.other += 1;
            counts.kept += usize::from(!gone[range].contains(&true));
        }
    }
    counts.clean = usize::from(counts.leaked == 0);
    counts
}
