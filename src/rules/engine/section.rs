//! Sections that a policy drops whole: social history, family history, whatever it names; and the header of a note.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Note;
use super::word_sets::{WordSet, word_is, word_set};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Other ways to write the headings that most policies drop.
static SYNONYMS: [(&str, WordSet); 2] =
    [("social history", word_set!("engine-section-social")), ("family history", word_set!("engine-section-family"))];

/// Headings that begin a section wherever they begin a line, as [`SYNONYMS`] do. Others end a dropped section only after an empty line, or where
/// both are written in capitals: "Tobacco: none" belongs to the social history above it.
static MAIN: WordSet = word_set!("engine-section-main");

/// The headings of sections, made once for a policy.
#[derive(Debug, Default)]
pub struct Headings {
    /// As the policy has them, with the number of sections that each dropped.
    dropped: Vec<(String, AtomicU64)>,
    /// The folded words of each, and of other ways to write the usual ones, with the place of the heading.
    forms: Vec<(Vec<String>, usize)>,
}

impl Headings {
    /// The headings of a policy, with other ways to write the usual ones.
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

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// How many sections each heading of the policy dropped so far. A heading that drops none may be misspelled.
    pub fn dropped_counts(&self) -> impl Iterator<Item = (&str, u64)> {
        self.dropped.iter().map(|(heading, count)| (heading.as_str(), count.load(Ordering::Relaxed)))
    }

    /// The bodies of their sections: the first token after the heading, and one past the last before the next heading.
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

    /// Whether a heading is one of these, which is counted: it is one, has one for a part, `SOCIAL/DISPO`, or holds one of several
    /// words, `Social History and Habits`.
    fn is_listed_heading(&self, note: &Note<'_>, first: usize, last: usize) -> bool {
        let parts = (first..last).collect::<Vec<_>>();
        let parts = parts.split(|&at| note.is_any_mark(at, b"/&,+") || word_is!(note, at, "and" | "or" | "with"));
        let words = |part: &[usize]| -> Vec<&str> {
            part.iter().filter(|&&at| note.is_word(at)).map(|&at| note.word(at)).collect()
        };
        let (whole, parts) = (note.words_of(first..last), parts.map(words).collect::<Vec<_>>());
        let found = self.forms.iter().find(|(heading, _)| {
            let is_held = || heading.len() > 1 && whole.windows(heading.len()).any(|words| words == heading);
            // `FAMILY/SOCIAL HISTORY`: the last word is that of each part.
            let is_part = |part: &Vec<&str>| part == heading || part.iter().chain(whole.last()).eq(heading);
            whole == *heading || parts.iter().any(is_part) || is_held()
        });
        if let Some(&(_, at)) = found {
            self.dropped[at].1.fetch_add(1, Ordering::Relaxed);
        }
        found.is_some()
    }
}

/// Words of the labels in headers: whose note it is, of which visit, who wrote it and when.
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

/// How many lines without a label a header may have in a row: a letterhead, an address.
const UNLABELLED: usize = 4;

/// The most tokens of such a line; a longer one is text.
const LONGEST: usize = 12;

/// One past the last token of the header of a note, 0 if it has none: the lines with which it begins that have labels such as
/// `Patient:` or `Date of birth:`, and short ones between them, up to the first other label, section or sentence.
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
        if begins_section || !label.is_empty() || tokens.len() > LONGEST || unlabelled > UNLABELLED {
            break;
        }
    }
    end
}

/// The words of the label with which a line begins; empty without one.
fn label_of_line(note: &Note<'_>, line: Range<usize>) -> Range<usize> {
    let colon = line.clone().take(LONGEST).find(|&at| note.is_mark(at, b':'));
    line.start..colon.unwrap_or(line.start)
}

/// Whether a folded heading begins a section wherever it begins a line.
fn is_main_heading(heading: &str) -> bool {
    let heading = heading.as_bytes();
    MAIN.contains(heading) || SYNONYMS.iter().any(|(_, others)| others.contains(heading))
}
