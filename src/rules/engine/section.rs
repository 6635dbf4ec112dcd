//! Sections that a policy drops whole, such as the social history, and the header of a note.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Note;
use super::word_sets::{WordSet, word_is, word_set};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Synonyms of the headings that most policies drop.
static SYNONYMS: [(&str, WordSet); 2] =
    [("social history", word_set!("engine-section-social")), ("family history", word_set!("engine-section-family"))];

/// Headings that begin a section wherever they begin a line, as [`SYNONYMS`] do. Other headings end a dropped section
/// only after an empty line, or if both are in capitals: "Tobacco: none" belongs to the social history above it.
static MAIN: WordSet = word_set!("engine-section-main");

/// The section headings that a policy drops, prepared once per policy.
#[derive(Debug, Default)]
pub struct Headings {
    /// The headings as the policy has them, each with the number of sections dropped so far.
    dropped: Vec<(String, AtomicU64)>,
    /// The folded words of each heading and its synonyms, with the index of the heading.
    forms: Vec<(Vec<String>, usize)>,
}

impl Headings {
    /// Creates the headings of a policy and adds their synonyms.
    #[must_use]
    pub fn new(headings: &[String]) -> Self {
        let words = |heading: &str| -> Vec<String> {
            let parts = heading.split(|letter: char| !letter.is_alphanumeric());
            parts.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
        };
        let mut forms = Vec::new();
        for (at, heading) in headings.iter().enumerate() {
            let own = words(heading);
            let joined = own.join(" ");
            forms.push((own, at));
            let others = SYNONYMS.iter().filter(|(name, _)| *name == joined).flat_map(|(_, others)| others.words());
            forms.extend(others.map(|other| (words(other), at)));
        }
        let dropped = headings.iter().map(|heading| (heading.clone(), AtomicU64::new(0))).collect();
        Self { dropped, forms }
    }

    /// Returns whether there are no headings.
    pub const fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// Returns the number of sections that each heading dropped so far. A heading that drops none may be misspelled.
    pub fn dropped_counts(&self) -> impl Iterator<Item = (&str, u64)> {
        self.dropped.iter().map(|(heading, count)| (heading.as_str(), count.load(Ordering::Relaxed)))
    }

    /// Returns the bodies of the dropped sections as token ranges: from the first token after the heading to the next
    /// heading (exclusive).
    pub fn section_bodies(&self, note: &Note<'_>) -> Vec<(usize, usize)> {
        let mut bodies: Vec<(usize, usize)> = Vec::new();
        let mut open = None;
        for heading in note.layout().headings() {
            let Range { start: first, end: last } = heading.words();
            let dropped = self.is_listed_heading(note, first, last);
            let capitals = note.case(first) == Case::Upper;
            if let Some((start, in_capitals)) = open {
                let ends = dropped
                    || (capitals && in_capitals && note.width(first) > 1)
                    || heading.is_after_blank()
                    || is_main_heading(note.text_of(first, last));
                if !ends {
                    continue;
                }
                if start < first {
                    bodies.push((start, first));
                }
                open = None;
            }
            if dropped {
                open = Some((heading.first_after(), capitals));
            }
        }
        if let Some((start, _)) = open
            && start < note.len()
        {
            bodies.push((start, note.len()));
        }
        bodies
    }

    /// Returns whether a heading matches one of the list, and counts it. A heading matches if it is equal, if a part of
    /// it is (`SOCIAL/DISPO`), or if it contains a heading of several words (`Social History and Habits`).
    fn is_listed_heading(&self, note: &Note<'_>, first: usize, last: usize) -> bool {
        let parts = (first..last).collect::<Vec<_>>();
        let parts = parts.split(|&at| note.is_any_mark(at, b"/&,+") || word_is!(note, at, "and" | "or" | "with"));
        let words = |part: &[usize]| -> Vec<&str> {
            part.iter().filter(|&&at| note.is_word(at)).map(|&at| note.word(at)).collect()
        };
        let (whole, parts) = (note.words_of(first..last), parts.map(words).collect::<Vec<_>>());
        let found = self.forms.iter().find(|(heading, _)| {
            let is_held = || heading.len() > 1 && whole.windows(heading.len()).any(|words| words == heading);
            // `FAMILY/SOCIAL HISTORY`: the last word completes each part.
            let is_part = |part: &Vec<&str>| part == heading || part.iter().chain(whole.last()).eq(heading);
            whole == *heading || parts.iter().any(is_part) || is_held()
        });
        if let Some(&(_, at)) = found {
            self.dropped[at].1.fetch_add(1, Ordering::Relaxed);
        }
        found.is_some()
    }
}

/// Lists of the words in header labels: whose note it is, which visit, who wrote it and when.
const HEADER: Classes = Classes::of(&[
    Class::NameField,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::DateCue,
    Class::AgeCue,
    Class::Facility,
    Class::WardNoun,
    Class::Organisation,
]);

/// The maximum number of consecutive header lines without a label, such as a letterhead or an address.
const MAX_UNLABELLED_LINES: usize = 4;

/// The maximum number of tokens of such a line; a longer one is body text.
const MAX_UNLABELLED_TOKENS: usize = 12;

/// Returns the end (exclusive) of the header of a note, 0 if it has none. The header is the lines at its start with
/// labels such as `Patient:` or `Date of birth:`, and short lines between them, up to the first other label, section
/// heading or sentence.
pub fn header_end(note: &Note<'_>) -> usize {
    let layout = note.layout();
    let (mut end, mut unlabelled) = (0, 0);
    for line in 0..layout.lines().len() {
        let tokens = layout.line_tokens(line);
        let label = label_of_line(note, tokens.clone());
        let is_heading = |part: &Range<usize>| !part.is_empty() && is_main_heading(note.text_of(part.start, part.end));
        let begins_section = is_heading(&label) || is_heading(&tokens);
        if !begins_section && label.clone().any(|at| note.any(at, HEADER)) {
            (end, unlabelled) = (tokens.end, 0);
            continue;
        }
        unlabelled += 1;
        if begins_section
            || !label.is_empty()
            || tokens.len() > MAX_UNLABELLED_TOKENS
            || unlabelled > MAX_UNLABELLED_LINES
        {
            break;
        }
    }
    end
}

/// Returns the words of the label at the start of a line; empty without a label.
fn label_of_line(note: &Note<'_>, line: Range<usize>) -> Range<usize> {
    let colon = line.clone().take(MAX_UNLABELLED_TOKENS).find(|&at| note.is_mark(at, b':'));
    line.start..colon.unwrap_or(line.start)
}

/// Returns whether a folded heading begins a section wherever it begins a line.
fn is_main_heading(heading: &str) -> bool {
    let heading = heading.as_bytes();
    MAIN.contains(heading) || SYNONYMS.iter().any(|(_, others)| others.contains(heading))
}
