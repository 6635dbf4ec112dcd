//! A text with its abbreviations expanded, in which terms are matched again.

use std::collections::HashMap;

use super::{Definition, source_text};
use crate::note::Note;
use crate::terms::Match;
use crate::text::token::{Kind, Token};
use crate::vocabulary::WordId;

/// The length of a piece of expanded text, in tokens, beyond which the next border ends it.
const MAX_PIECE_TOKENS: usize = 4096;

/// The tokens of a piece of text, without defining brackets and with long forms in place of short ones. No term crosses
/// a border, so the terms of a text are those of its pieces.
#[derive(Default)]
pub(super) struct ExpandedPiece {
    pub(super) tokens: Vec<Token>,
    pub(super) ids: Vec<WordId>,
    /// For each token, the range of source tokens that it stands for.
    places: Vec<(u32, u32)>,
}

impl ExpandedPiece {
    /// Calls `each` with the pieces of a text, in order.
    pub(super) fn for_each_piece(note: &Note<'_>, definitions: &[Definition], mut each: impl FnMut(&Self)) {
        let mut expanded = Self::default();
        let mut in_force = DefinitionsInForce::default();
        let mut waiting = definitions.iter().peekable();
        let mut at = 0;
        while at < note.len() as u32 {
            // A definition is in force from its end on.
            while let Some(definition) = waiting.next_if(|one| one.short_first.max(one.long_last) <= at) {
                in_force.add_definition(note, definition);
            }
            if let Some(definition) = waiting.peek()
                && at == definition.long_last
                && definition.short_first == at + 1
                && note.word(definition.short_last as usize) == ")"
            {
                at = definition.short_last + 1;
                continue;
            }
            if expanded.tokens.len() >= MAX_PIECE_TOKENS && note.token(at as usize).border_before() {
                each(&expanded);
                expanded.clear();
            }
            // The last definition of a short form applies.
            let Some(definition) = in_force.definition_at(note, at) else {
                expanded.push_token(note, at, (at, at + 1));
                at += 1;
                continue;
            };
            let last = at + definition.short_last - definition.short_first;
            let from = expanded.tokens.len();
            for long in definition.long_first..definition.long_last {
                expanded.push_token(note, long, (at, last));
            }
            expanded.tokens[from].flags = note.token(at as usize).flags;
            expanded.tokens[from].gap = note.token(at as usize).gap;
            at = last;
        }
        each(&expanded);
    }

    fn clear(&mut self) {
        self.tokens.clear();
        self.ids.clear();
        self.places.clear();
    }

    fn push_token(&mut self, note: &Note<'_>, token: u32, place: (u32, u32)) {
        self.tokens.push(note.token(token as usize));
        self.ids.push(note.word_id(token as usize));
        self.places.push(place);
    }

    /// Maps a match to the source text; `None` if it begins or ends inside an inserted long form.
    pub(super) fn match_in_source(&self, hit: Match) -> Option<Match> {
        let (first, last) = (hit.first as usize, hit.end as usize);
        let is_cut = |at: usize| at > 0 && at < self.places.len() && self.places[at - 1] == self.places[at];
        let (start, end) = (self.places[first].0, self.places[last - 1].1);
        (!is_cut(first) && !is_cut(last)).then_some(Match { first: start, end, entry: hit.entry })
    }
}

/// The definitions in force at a position, by the first word of their short forms.
#[derive(Default)]
struct DefinitionsInForce<'a> {
    by_word: HashMap<&'a str, Vec<&'a Definition>>,
    /// A bitmask of the cases of these words; it rules out most words.
    cases: u8,
}

impl<'a> DefinitionsInForce<'a> {
    fn add_definition(&mut self, note: &Note<'a>, definition: &'a Definition) {
        let first = definition.short_first as usize;
        self.by_word.entry(note.word(first)).or_default().push(definition);
        self.cases |= 1 << note.case(first) as u8;
    }

    /// Returns the last definition whose short form is at a token.
    fn definition_at(&self, note: &Note<'_>, at: u32) -> Option<&'a Definition> {
        let token = note.token(at as usize);
        if self.cases >> token.case as u8 & 1 == 0 || token.kind == Kind::Punct {
            return None;
        }
        let same = self.by_word.get(note.word(at as usize))?;
        same.iter().rev().find(|definition| short_form_stands_at(note, definition, at)).copied()
    }
}

/// Returns whether the short form of a definition is at a token, complete and in the same spelling.
fn short_form_stands_at(note: &Note<'_>, definition: &Definition, at: u32) -> bool {
    let last = at + definition.short_last - definition.short_first;
    let glued = |at: u32| note.token(at as usize).glued();
    last as usize <= note.len()
        && !glued(at)
        && !glued(last)
        && note.token(at as usize).case == note.token(definition.short_first as usize).case
        && source_text(note, at, last) == source_text(note, definition.short_first, definition.short_last)
}
