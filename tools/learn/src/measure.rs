//! Recall, precision, notes without a leak, the share of other tokens kept, and strict F1 of typed entities.

use notesieve::document::Removal;
use notesieve::finding::Category;
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
    /// Entities: removed with the marked bounds and category, removed with a category, marked.
    pub exact: usize,
    pub claimed: usize,
    pub entities: usize,
}

impl Counts {
    pub fn add(&mut self, more: Self) {
        self.found += more.found;
        self.leaked += more.leaked;
        self.other += more.other;
        self.kept += more.kept;
        self.clean += more.clean;
        self.notes += more.notes;
        self.exact += more.exact;
        self.claimed += more.claimed;
        self.entities += more.entities;
    }

    /// Returns recall, share of notes without a leak, share of other tokens kept, precision, strict F1 of typed
    /// entities.
    pub fn shares(&self) -> [f64; 5] {
        let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
        [
            share(self.found, self.found + self.leaked),
            share(self.clean, self.notes),
            share(self.kept, self.other),
            share(self.found, self.found + self.other - self.kept),
            share(2 * self.exact, self.claimed + self.entities),
        ]
    }
}

/// Measures the removals of a note.
pub fn count_leaks_and_losses(token: &Regex, note: &Note, removed: &[Removal]) -> Counts {
    let mut gone = vec![false; note.text.len()];
    for removal in removed {
        gone[removal.source.range()].fill(true);
    }
    // 1: required, 2: optional.
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
    count_entities(note, removed, &gold, &mut counts);
    counts
}

/// Counts entities. A removal without a category is not counted, nor is one that overlaps only optional marks.
fn count_entities(note: &Note, removed: &[Removal], gold: &[u8], counts: &mut Counts) {
    counts.entities = note.marks.iter().filter(|(_, kind)| !kind.starts_with('?')).count();
    for removal in removed {
        let Some(category) = removal.kind.map(notesieve::finding::Kind::category) else { continue };
        let touched = &gold[removal.source.range()];
        if touched.contains(&2) && !touched.contains(&1) {
            continue;
        }
        counts.claimed += 1;
        let is_it =
            |(span, kind): &(_, String)| *span == removal.source && self::category_of_mark(kind) == Some(category);
        counts.exact += usize::from(note.marks.iter().any(is_it));
    }
}

/// Returns the category of a mark.
fn category_of_mark(mark: &str) -> Option<Category> {
    Some(match mark.split('/').next()? {
        "NAME" => Category::Name,
        "LOC" => Category::Location,
        "DATE" => Category::Date,
        "AGE" => Category::Age,
        "CONTACT" => Category::Contact,
        "ID" => Category::Id,
        _ => return None,
    })
}
