//! The starts of fields within a sentence, and the status of the current section.

use super::assertion::Status;
use super::cues::{CueId, CueMatcher};
use super::form::end_of_markup;
use crate::text::token::{Case, Gap, Kind};

/// The status that a section gives to its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SectionStatus {
    pub(super) status: Status,
    pub(super) cue: CueId,
    /// Whether its text begins on the line of its heading.
    inline: bool,
    /// Whether its heading is a cue of the policy.
    pub(super) own: bool,
}

/// The maximum length of a field label, in tokens.
const MAX_LABEL_TOKENS: usize = 8;

impl CueMatcher<'_> {
    pub(super) fn mark_at(&self, at: usize) -> u8 {
        self.tokens.get(at).map_or(0, |token| token.mark())
    }

    pub(super) fn is_word_at(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Word)
    }

    /// Collects the starts of fields within a sentence: the first tokens of labels before a colon.
    pub(super) fn collect_field_starts(&self, first: usize, end: usize, out: &mut Vec<usize>) {
        out.clear();
        let colons = self.tokens[first..end].iter().enumerate().filter(|(_, token)| token.mark() == b':');
        for colon in colons.map(|(at, _)| first + at) {
            let mut at = colon;
            let mut capital = false;
            while at > first && colon - at < MAX_LABEL_TOKENS {
                let before = self.tokens[at - 1];
                let joins = matches!(before.mark(), b'-' | b'/' | b'&' | b')' | b'(');
                if !(before.kind == Kind::Word || joins) || (capital && before.case == Case::Lower) {
                    break;
                }
                if capital && before.case != Case::Upper && !joins {
                    break;
                }
                at -= 1;
                capital |= before.kind == Kind::Word && before.capitalised();
                if self.tokens[at].gap >= Gap::Wide {
                    break;
                }
            }
            if at < colon && at > first {
                out.push(at);
            }
        }
    }

    /// Updates the section at the beginning of a sentence, and returns the token after its heading, or `first` if it
    /// has none.
    pub(super) fn update_section_at_heading(&self, first: usize, end: usize, section: &mut SectionStatus) -> usize {
        let token = self.tokens[first];
        let heading = self.skip_markup(first, end);
        if let Some(hit) = self.longest_phrase(heading, end)
            && let Some(status) = hit.role.section
            && let Some(body) = self.end_of_heading(first, self.skip_markup(hit.end, end))
        {
            let inline =
                self.tokens.get(self.skip_markup(body, self.tokens.len())).is_some_and(|next| !next.line_start());
            *section = SectionStatus { status, cue: hit.role.cue, inline, own: hit.role.from_policy };
            return body;
        }
        if section.status.is_affirmed() || !token.line_start() {
            return first;
        }
        let paragraph = token.gap == Gap::Paragraph;
        let person = self.longest_phrase(first, end).is_some_and(|hit| hit.role.person);
        let is_heading = || {
            let heading = self.note.layout().heading_at(first);
            heading.is_some_and(|heading| heading.is_capitals() || heading.is_after_blank())
        };
        if (paragraph && section.inline) || (!person && (token.mark() == b'#' || is_heading())) {
            *section = SectionStatus::default();
        }
        first
    }

    /// Returns the first token from `at` on that is not markup.
    fn skip_markup(&self, mut at: usize, end: usize) -> usize {
        while let Some(next) = end_of_markup(*self, at).filter(|_| at < end) {
            at = next;
        }
        at.min(end)
    }

    /// Returns the token after a heading whose words end at `last`.
    fn end_of_heading(&self, first: usize, last: usize) -> Option<usize> {
        let line_start = self.tokens[first].line_start();
        match self.mark_at(last) {
            b':' => Some(last + 1),
            b'-' if line_start && self.tokens[last].gap != Gap::None => Some(last + 1),
            _ if line_start && self.tokens.get(last).is_none_or(|next| next.line_start()) => Some(last),
            _ => None,
        }
    }
}
