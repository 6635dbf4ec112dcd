//! Writes terms as in the note, by their preferred name, or as their code.

use std::fmt::Write as _;
use std::num::NonZeroU32;

use super::NoteWriter;
use crate::document::{Action, Mention};
use crate::placeholders;
use crate::policy::Terms;
use crate::render::Input;
use crate::status::Assertion;
use crate::terms::Match;
use crate::text::span::Span;

impl NoteWriter<'_, '_> {
    /// Returns the next term that starts before the token `last` and is written as in the note, with its index.
    #[inline]
    pub(super) fn next_term(&mut self, last: usize) -> Option<(usize, Match)> {
        let Input { matches, decisions, policy, .. } = self.input;
        while let Some(found) = matches.get(self.terms).filter(|found| (found.first as usize) < last) {
            self.terms += 1;
            if decisions[found.first as usize].action == Action::Code && policy.terms == Terms::Written {
                return Some((self.terms - 1, *found));
            }
        }
        None
    }

    /// Writes a placeholder of an earlier scrub; a term with its code is a mention again.
    #[inline(never)]
    pub(super) fn write_placeholder(&mut self, at: usize) -> usize {
        let span = self.folded_span(at, at + 1);
        let output = self.write_or_defer_tokens(at, at + 1, span);
        let token = self.input.tokens[at];
        if let Some(entry) = placeholders::entry_of_placeholder(
            self.input.vocabulary,
            &self.input.normalized.folded()[token.span().range()],
        ) {
            let source = self.source_span(span);
            self.out.concepts.push(Mention {
                source,
                output,
                entry,
                assertion: Assertion::default(),
                attributes: None,
            });
        }
        at + 1
    }

    /// Writes a term that is not written as in the note.
    #[inline(never)]
    pub(super) fn write_term(&mut self, first: usize) -> usize {
        let decisions = self.input.decisions;
        let evidence = decisions[first].evidence;
        let found = self.input.matches[evidence as usize];
        let mut last = first + 1;
        while last < found.end as usize
            && decisions.get(last).is_some_and(|next| next.action == Action::Code && next.evidence == evidence)
        {
            last += 1;
        }
        debug_assert!(
            first == found.first as usize && last == found.end as usize,
            "a term comes out whole or not at all"
        );
        let output = self.write_preferred_term(first, last, found);
        let source = self.source_span(self.folded_span(first, last));
        self.add_mention(evidence as usize, source, output);
        last
    }

    /// Adds the mention of a term.
    pub(super) fn add_mention(&mut self, nth: usize, source: Span, output: Span) {
        let Input { matches, assertions, attributes, .. } = self.input;
        let place = attributes.binary_search_by_key(&(nth as u32), |&(term, _)| term).ok();
        let attributes = place.and_then(|place| {
            self.out.attributes.push(attributes[place].1.clone());
            NonZeroU32::new(self.out.attributes.len() as u32)
        });
        self.out.concepts.push(Mention {
            source,
            output,
            entry: matches[nth].entry,
            assertion: assertions[nth],
            attributes,
        });
    }

    /// Writes a term by its preferred name or code.
    fn write_preferred_term(&mut self, first: usize, last: usize, found: Match) -> Span {
        let Input { vocabulary, policy, tokens, .. } = self.input;
        self.flush_pending(tokens[first].start as usize);
        let mut start = self.out.text.len() as u32;
        if let Some(concept) = vocabulary.entry_concepts(found.entry).next() {
            let code = vocabulary.curie(concept);
            if policy.terms == Terms::Preferred {
                // The preferred name if it would be found again, otherwise the term as the vocabulary writes it.
                let preferred = vocabulary.preferred_name(concept);
                let name = if vocabulary.lookup(&preferred).contains(&concept) {
                    preferred
                } else {
                    vocabulary.entry_text(found.entry).unwrap_or_default()
                };
                if would_join_text(&self.out.text, &name) {
                    self.out.text.push(' ');
                    start += 1;
                }
                let _ = write!(self.out.text, "{name} [{code}]");
            } else {
                let _ = write!(self.out.text, "[{code}]");
            }
        }
        self.copied = tokens[last - 1].end as usize;
        let output = Span::new(start, self.out.text.len() as u32);
        if self.input.explain {
            for at in first..last {
                self.record_decision(at, output);
            }
        }
        output
    }
}

/// Returns whether a name written right after the text would join it into one word or number. The term that it replaces
/// may have started with a bracket.
fn would_join_text(text: &str, name: &str) -> bool {
    let Some(first) = name.chars().next().filter(|first| first.is_alphanumeric()) else { return false };
    text.ends_with(|last: char| match last {
        '\'' | '’' => true,
        '.' | ',' | '/' | ':' => first.is_numeric(),
        _ => last.is_alphanumeric(),
    })
}
