//! Computes the features of a sentence from its tokens, cues and terms.

use std::ops::Range;

use super::super::Assertion;
use super::super::assertion::{Status, UNLISTED_ENTRY};
use super::super::cues::CueMatcher;
use super::super::form::end_of_markup;
use super::sentence_features::{Item, Lead, Mention, PersonReference, SentenceFeatures, symbol};
use super::words::ModelWords;
use crate::terms::Match;
use crate::text::token::{Gap, Kind};
use crate::vocabulary::{Group, Vocabulary};

/// The concept groups that the model classifies.
const CLASSIFIED_GROUPS: [Group; 6] =
    [Group::Disorder, Group::Finding, Group::Procedure, Group::Drug, Group::Organism, Group::Physiology];
/// A note that names a newborn within this many tokens is taken for a newborn's note.
const MAX_TOKENS_TO_NEWBORN: usize = 96;

/// A sentence as the scanner passes it to the classifier.
pub(in super::super) struct SentenceInput<'a> {
    pub(in super::super) text: CueMatcher<'a>,
    pub(in super::super) tokens: Range<usize>,
    pub(in super::super) terms: &'a [Match],
    /// The cues by their first token, with their feature codes.
    pub(in super::super) hits: &'a [(u32, u8)],
    pub(in super::super) section: Status,
}

/// Returns the group of a term's concept.
fn group_of_term(vocabulary: &Vocabulary, term: &Match) -> Group {
    if term.entry == UNLISTED_ENTRY { Group::Disorder } else { vocabulary.entry_group(term.entry) }
}

/// Returns whether any of these terms is of a group that the model classifies.
pub(super) fn has_classified_term(vocabulary: &Vocabulary, terms: &[Match]) -> bool {
    terms.iter().any(|term| CLASSIFIED_GROUPS.contains(&group_of_term(vocabulary, term)))
}

/// Computes the features of a sentence; `features` already holds those of the text before it.
pub(super) fn read_sentence(
    words: &ModelWords,
    vocabulary: &Vocabulary,
    from: &SentenceInput<'_>,
    asserted: &[Assertion],
    features: &mut SentenceFeatures,
) {
    let text = from.text;
    features.begin_sentence(from.tokens.start, from.section.bits());
    // Full stops at the end are ignored, so that a sentence with and without one is the same.
    let stop = from.tokens.clone().rev().take_while(|&at| text.mark_at(at) == b'.').count();
    let (mut at, end) = (from.tokens.start, from.tokens.end - stop);
    let mut cursor = CueAndTermCursor { from, hit: 0, term: 0 };
    while at < end {
        if let Some(next) = end_of_markup(text, at) {
            at = next;
            continue;
        }
        let mut item = match text.tokens[at].kind {
            Kind::Word => words.item_of_word(text, at),
            _ => words.item_at(text, at),
        };
        let mut next = at + 1;
        let cue = cursor.cue_code_at(at);
        item.cue = cue.unwrap_or_default();
        if let Some(last) = cursor.end_of_term_at(at) {
            let group = group_of_term(vocabulary, &from.terms[cursor.term]);
            item.flags |= Item::TERM;
            // The words of a term count one by one if a cue is inside it.
            let open = last - at == 1 || cue.is_some() || cursor.next_cue_start(at) < last;
            if !open || item.symbol == symbol::OTHER {
                item = Item { cue: item.cue, ..Item::new(symbol::TERM, symbol::TERM, item.flags) };
            }
            if !open {
                next = last;
            }
            let items = if open { last - at } else { 1 };
            features.mentions.push(new_mention(features.items.len(), items, cursor.term, asserted, group));
        }
        features.push_item(item);
        at = next;
        cursor.advance(at);
    }
    // A term may extend beyond the end of its sentence.
    let all = features.items.len() as u16;
    features.mentions.iter_mut().for_each(|mention| mention.end = mention.end.min(all));
}

/// A cursor over the cues and terms of a sentence.
struct CueAndTermCursor<'a> {
    from: &'a SentenceInput<'a>,
    hit: usize,
    term: usize,
}

impl CueAndTermCursor<'_> {
    /// Returns the feature code of the cue that begins at a token.
    fn cue_code_at(&self, at: usize) -> Option<u8> {
        self.from.hits.get(self.hit).filter(|&&(first, _)| first as usize == at).map(|&(_, code)| code)
    }

    /// Returns the end (exclusive) of the term that begins at a token.
    fn end_of_term_at(&self, at: usize) -> Option<usize> {
        self.from.terms.get(self.term).filter(|term| term.first as usize == at).map(|term| term.end as usize)
    }

    /// Returns the start of the first cue after a token, or `usize::MAX`.
    fn next_cue_start(&self, at: usize) -> usize {
        let after = self.from.hits[self.hit..].iter().map(|&(first, _)| first as usize).find(|&first| first > at);
        after.unwrap_or(usize::MAX)
    }

    /// Advances to the first cue and the first term at or after a token.
    fn advance(&mut self, at: usize) {
        let SentenceInput { hits, terms, .. } = *self.from;
        while hits.get(self.hit).is_some_and(|&(first, _)| (first as usize) < at) {
            self.hit += 1;
        }
        while terms.get(self.term).is_some_and(|term| (term.first as usize) < at) {
            self.term += 1;
        }
    }
}

/// Creates a mention of `items` items that begins at item `first`.
fn new_mention(first: usize, items: usize, term: usize, asserted: &[Assertion], group: Group) -> Mention {
    Mention {
        first: first as u16,
        end: (first + items) as u16,
        term: term as u16,
        cue_statuses: asserted[term].status.bits(),
        group: group as u8,
        classified: CLASSIFIED_GROUPS.contains(&group),
    }
}

/// An item with one of these flags names a person.
const NAMES_PERSON_FLAGS: u8 = Item::OTHER_PERSON | Item::PATIENT;

/// Collects the persons and the line starts of a note, and whether it names a newborn near its beginning.
pub(super) fn read_persons_and_lines(words: &ModelWords, text: CueMatcher<'_>, features: &mut SentenceFeatures) {
    features.begin_note();
    for (at, (token, &id)) in text.tokens.iter().zip(text.ids).enumerate() {
        if token.gap >= Gap::Line {
            features.lines.push((at, 1 + u8::from(token.gap == Gap::Paragraph)));
        }
        if words.may_name_person(id) && token.kind == Kind::Word {
            let item = words.item_of_word(text, at);
            features.newborn |= at < MAX_TOKENS_TO_NEWBORN && item.has_flag(Item::NEWBORN);
            if item.has_flag(Item::PRONOUN | NAMES_PERSON_FLAGS) {
                features.people.push((at, item));
            }
        }
    }
}

/// Carries the last person of a sentence over to the next ones.
pub(super) fn carry_over_last_person(tokens: &Range<usize>, features: &mut SentenceFeatures) {
    let [people, lines] = features.passed;
    let (people, lines) = (&features.people[people..], &features.lines[lines..]);
    let people = &people[..people.iter().take_while(|&&(at, _)| at < tokens.end).count()];
    // A line that begins right after the sentence separates it from what follows.
    let lines = &lines[..lines.iter().take_while(|&&(at, _)| at <= tokens.end).count()];
    features.passed = [features.passed[0] + people.len(), features.passed[1] + lines.len()];
    let apart = |at: usize| lines.iter().filter(|&&(line, _)| line > at).map(|&(_, apart)| apart).max().unwrap_or(0);
    let here = |&(at, item): &(usize, Item)| PersonReference { item, at, apart: apart(at) };
    let older = |old: PersonReference| {
        let apart = if old.is_nobody() { 0 } else { apart(tokens.start).max(old.apart) };
        PersonReference { apart, ..old }
    };
    let named = people.iter().rev().find(|(_, item)| item.has_flag(NAMES_PERSON_FLAGS));
    features.last_reference = people.last().map_or_else(|| older(features.last_reference), here);
    features.last_named = named.map_or_else(|| older(features.last_named), here);
}

/// Returns a sentence as the lead of the lines below it, if it is a line that ends in a colon or looks like a heading.
pub(super) fn lead_line_of_sentence(
    words: &ModelWords,
    text: CueMatcher<'_>,
    tokens: Range<usize>,
    without_terms: bool,
) -> Option<Lead> {
    let line = |at: usize| text.tokens.get(at).is_some_and(|token| token.line_start());
    let last = tokens.end - 1;
    let bare = || without_terms && tokens.len() <= 4 && text.is_word_at(tokens.start) && text.is_word_at(last);
    if !line(tokens.start) || !line(tokens.end) || !(text.mark_at(last) == b':' || bare()) {
        return None;
    }
    let mut lead = Lead { first: [symbol::NONE; 3], last: [symbol::NONE; 2], ago: 0, after_empty_line: false };
    let stem = |at: usize| words.item_at(text, at).stem;
    for (place, at) in lead.first.iter_mut().zip(tokens.clone().filter(|&at| text.is_word_at(at))) {
        *place = stem(at);
    }
    for (place, at) in lead.last.iter_mut().zip(tokens.rev().filter(|&at| text.is_word_at(at))) {
        *place = stem(at);
    }
    Some(lead)
}

/// Returns whether an empty line precedes a sentence.
pub(super) fn is_after_empty_line(text: CueMatcher<'_>, first: usize) -> bool {
    text.tokens[first].gap == Gap::Paragraph
}
