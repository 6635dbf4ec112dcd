//! Where sentences, fields and sections begin.

use super::cues::{CueId, CueMatcher};
use super::form::markup_end;
use super::status::Status;
use crate::text::token::{Case, Gap, Kind, Token};

/// A section, as far as it says something of all that is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SectionStatus {
    pub(super) status: Status,
    pub(super) cue: CueId,
    /// Whether its text begins on the line of its heading.
    inline: bool,
    /// Its heading is one of the policy itself.
    pub(super) own: bool,
}

/// Words that are written with a full stop and after which a sentence goes on.
const ABBREVIATIONS: [&str; 14] =
    ["vs", "dr", "mr", "mrs", "ms", "pt", "approx", "st", "eg", "ie", "cf", "neg", "pos", "temp"];
/// Words after which a line is not over.
const CONTINUES: [&str; 12] = ["and", "or", "of", "for", "with", "no", "the", "a", "to", "in", "without", "nor"];
/// The longest label of a field, in tokens.
const LABEL: usize = 8;

impl CueMatcher<'_> {
    pub(super) fn mark(&self, at: usize) -> u8 {
        self.tokens.get(at).map_or(0, |token| token.mark())
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Word)
    }

    /// The token at which the sentence is over that begins at `first`.
    pub(super) fn sentence_end(&self, first: usize) -> usize {
        let begins = |token: &Token| token.sentence_start() || token.gap == Gap::Paragraph;
        let mut at = first + 1;
        while let Some(more) = self.tokens.get(at..).and_then(|rest| rest.iter().position(begins)) {
            at += more;
            if self.breaks(at, first) {
                return at;
            }
            at += 1;
        }
        self.tokens.len()
    }

    /// Whether a sentence that began at `first` is over where one seems to begin.
    fn breaks(&self, at: usize, first: usize) -> bool {
        let (token, before) = (self.tokens[at], self.tokens[at - 1]);
        let lower = token.kind == Kind::Word && token.case == Case::Lower;
        match (token.gap, before.mark()) {
            (Gap::Paragraph, _) | (Gap::Line, b'.' | b'!') => true,
            // "no fever,\nChills": the list goes on.
            (Gap::Line, b',') => false,
            (Gap::Line, _) => !(before.kind == Kind::Word && CONTINUES.contains(&self.word(at - 1))),
            // "p.r.n. for pain", "Dr. Brown"
            (_, b'.') if at >= first + 2 && self.is_word(at - 2) && before.gap == Gap::None => {
                let word = self.word(at - 2);
                !(ABBREVIATIONS.contains(&word) || (lower && word.len() == 1))
            }
            // "? pneumonia" begins with it.
            (_, b'?') => at >= first + 2 && self.tokens[at - 2].mark() == 0,
            _ => true,
        }
    }

    /// Where fields begin within a sentence: at the label before a colon.
    pub(super) fn fields(&self, first: usize, end: usize, out: &mut Vec<usize>) {
        out.clear();
        let colons = self.tokens[first..end].iter().enumerate().filter(|(_, token)| token.mark() == b':');
        for colon in colons.map(|(at, _)| first + at) {
            let mut at = colon;
            let mut capital = false;
            while at > first && colon - at < LABEL {
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

    /// What becomes of the section at the beginning of a sentence, and the token after a heading that stands there.
    pub(super) fn section(&self, first: usize, end: usize, section: &mut SectionStatus) -> usize {
        let token = self.tokens[first];
        let heading = self.skip_markup(first, end);
        if let Some(hit) = self.phrase(heading, end)
            && let Some(status) = hit.role.section
            && let Some(body) = self.heading_end(first, self.skip_markup(hit.last, end))
        {
            let inline =
                self.tokens.get(self.skip_markup(body, self.tokens.len())).is_some_and(|next| !next.line_start());
            *section = SectionStatus { status, cue: hit.role.cue, inline, own: hit.role.own };
            return body;
        }
        if section.status.is_affirmed() || !token.line_start() {
            return first;
        }
        let paragraph = token.gap == Gap::Paragraph;
        let person = self.phrase(first, end).is_some_and(|hit| hit.role.person);
        if (paragraph && section.inline) || (!person && (token.mark() == b'#' || self.is_heading(first, paragraph))) {
            *section = SectionStatus::default();
        }
        first
    }

    /// The first token from one on that does not only mark up the text.
    fn skip_markup(&self, mut at: usize, end: usize) -> usize {
        while let Some(next) = markup_end(*self, at).filter(|_| at < end) {
            at = next;
        }
        at.min(end)
    }

    /// The token after a heading whose words end at `last`.
    fn heading_end(&self, first: usize, last: usize) -> Option<usize> {
        let line_start = self.tokens[first].line_start();
        match self.mark(last) {
            b':' => Some(last + 1),
            b'-' if line_start && self.tokens[last].gap != Gap::None => Some(last + 1),
            _ if line_start && self.tokens.get(last).is_none_or(|next| next.line_start()) => Some(last),
            _ => None,
        }
    }

    /// Whether a heading of any kind stands at the beginning of a line: in capitals, or after an empty line.
    fn is_heading(&self, first: usize, paragraph: bool) -> bool {
        if !self.is_word(first) || !self.tokens[first].capitalised() || self.tokens[first].span().range().len() < 2 {
            return false;
        }
        let mut capitals = true;
        for at in first..self.tokens.len().min(first + LABEL) {
            let token = self.tokens[at];
            if at > first && token.line_start() {
                return capitals;
            }
            match token.kind {
                Kind::Word => capitals &= token.case == Case::Upper,
                Kind::Punct if token.mark() == b':' => return capitals || paragraph,
                Kind::Punct if matches!(token.mark(), b'/' | b'&' | b'-') => {}
                _ => return false,
            }
        }
        false
    }
}
