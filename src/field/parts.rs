//! Values that consist of several parts, and the scrubbed text of each part.

use super::Role;
use crate::document::{Action, Document};

/// A value of a message.
#[derive(Clone, Debug)]
pub struct Field {
    /// What the standard says about it.
    pub role: Role,
    /// The value.
    pub text: String,
    /// The start of each part after the first: texts of several elements are read as one.
    pub starts: Vec<usize>,
}

/// A scrubbed value. Contains nothing that was removed.
#[derive(Clone, Debug, Default)]
pub struct ScrubbedField {
    /// The new text of each part.
    pub parts: Vec<String>,
    /// The category of each removal; `None` for unlisted words.
    pub removed: Vec<Option<crate::finding::Category>>,
}

impl Field {
    /// Splits a scrubbed document into the parts of the field. A removal across the end of a part belongs to the part
    /// where it starts.
    pub(crate) fn split_scrubbed_document(&self, document: &Document) -> ScrubbedField {
        let removed = document.removed.iter().map(|removal| removal.kind.map(crate::finding::Kind::category)).collect();
        if self.starts.is_empty() {
            return ScrubbedField { parts: vec![document.text.clone()], removed };
        }
        let mut parts = Vec::with_capacity(self.starts.len() + 1);
        let mut decisions = document.decisions.iter().peekable();
        let mut begin = 0;
        for &start in self.starts.iter().chain(&[self.text.len() + 1]) {
            // The end of the tokens that start in this part; a kept token across the end is split.
            let mut end = begin;
            while let Some(token) = decisions.next_if(|token| (token.source.start as usize) < start) {
                let (source, output) = (token.source.range(), token.output.range());
                let kept = token.action == Action::Keep && source.len() == output.len();
                let within = if kept { source.end.min(start) - source.start } else { output.len() };
                let to = output.start + within;
                end = end.max(if document.text.is_char_boundary(to) { to } else { output.end });
            }
            let part = &document.text[begin..end];
            parts.push(part.trim_matches(|letter: char| letter.is_whitespace()).to_owned());
            begin = end;
        }
        ScrubbedField { parts, removed }
    }
}
