//! Terms that are not concepts where they occur: section headings and names of studies.

use super::Match;
use super::unsure::is_surrounded_by_capitals;
use crate::note::Note;
use crate::text::token::Case;
use crate::text::words_of_file;
use crate::vocabulary::{Class, EntryId, Vocabulary};

/// Section headings that are also terms; the name of a section says nothing about the patient.
const HEADING_TERMS: &[&str] = words_of_file!("words/heading-terms.txt");
/// Words after a capitalised name that is the name of a study.
const STUDY_NOUNS: [&str; 4] = ["trial", "trials", "study", "registry"];

/// The heading terms of one vocabulary.
#[derive(Clone, Debug, Default)]
pub(super) struct HeadingTerms(Vec<EntryId>);

impl HeadingTerms {
    /// Looks up the heading terms in a vocabulary.
    pub(super) fn new(vocabulary: &Vocabulary) -> Self {
        Self(HEADING_TERMS.iter().filter_map(|name| vocabulary.entry_of(name)).collect())
    }

    /// Returns whether a term is a whole heading.
    pub(super) fn is_whole_heading(&self, note: &Note<'_>, term: &Match) -> bool {
        let heading = || note.layout().heading_at(term.first as usize);
        self.0.contains(&term.entry) && heading().is_some_and(|heading| heading.words() == term.tokens())
    }
}

/// Returns whether an ordinary word in capitals is the name of a study: "the HOPE trial".
pub(super) fn is_study_name(note: &Note<'_>, term: &Match) -> bool {
    let (first, last) = (term.first as usize, term.end as usize);
    last - first == 1
        && note.case(first) == Case::Upper
        && note.is(first, Class::English)
        && !note.border_before(last)
        && STUDY_NOUNS.contains(&note.word(last))
        && !is_surrounded_by_capitals(note.tokens(), first)
}
