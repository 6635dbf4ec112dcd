//! Computes the features of a sentence from its tokens, cues and terms.

use std::ops::Range;

use super::super::Assertion;
use super::super::assertion::{Status, UNLISTED};
use super::super::cues::CueMatcher;
use super::super::form::markup_end;
use super::sentence_features::{Item, Lead, Mention, PersonReference, SentenceFeatures, symbol};
use super::words::Words;
use crate::terms::Match;
use crate::text::token::{Gap, Kind};
use crate::vocabulary::{Group, Vocabulary};

/// Groups of concepts that the model classifies.
const GROUPS: [Group; 6] =
    [Group::Disorder, Group::Finding, Group::Procedure, Group::Drug, Group::Organism, Group::Physiology];
/// A note that names a newborn within this many tokens is taken for the note of a newborn.
const HEAD: usize = 96;

/// A sentence as the scanner passes it to the classifier.
pub(in super::super) struct SentenceInput<'a> {
    pub(in super::super) text: CueMatcher<'a>,
    pub(in super::super) tokens: Range<usize>,
    pub(in super::super) terms: &'a [Match],
    /// The cues by their first token, with their feature codes.
    pub(in super::super) hits: &'a [(u32, u8)],
    pub(in super::super) section: Status,
}

/// The group of the concept of a term.
fn group(vocabulary: &Vocabulary, term: &Match) -> Group {
    if term.entry == UNLISTED { Group::Disorder } else { vocabulary.entry_group(term.entry) }
}

/// Whether any of these terms is of a group that the model classifies.
pub(super) fn any_classified(vocabulary: &Vocabulary, terms: &[Match]) -> bool {
    terms.iter().any(|term| GROUPS.contains(&group(vocabulary, term)))
}

/// Computes the features of a sentence; `features` already holds what was before it.
pub(super) fn read(
    words: &Words,
    vocabulary: &Vocabulary,
    from: &SentenceInput<'_>,
    asserted: &[Assertion],
    features: &mut SentenceFeatures,
) {
    let text = from.text;
    features.begin(from.tokens.start, from.section.bits());
    // A full stop or none at the end makes no difference.
    let stop = from.tokens.clone().rev().take_while(|&at| text.mark(at) == b'.').count();
    let (mut at, end) = (from.tokens.start, from.tokens.end - stop);
    let mut cursor = Cursor { from, hit: 0, term: 0 };
    while at < end {
        if let Some(next) = markup_end(text, at) {
            at = next;
            continue;
        }
        let mut item = match text.tokens[at].kind {
            Kind::Word => words.word(text, at),
            _ => words.item(text, at),
        };
        let mut next = at + 1;
        let cue = cursor.cue(at);
        item.cue = cue.unwrap_or_default();
        if let Some(last) = cursor.term_end(at) {
            let group = group(vocabulary, &from.terms[cursor.term]);
            item.flags |= Item::TERM;
            // All words of a term count if a phrase stands in it.
            let open = last - at == 1 || cue.is_some() || cursor.next_hit(at) < last;
            if !open || item.symbol == symbol::OTHER {
                item = Item { cue: item.cue, ..Item::new(symbol::TERM, symbol::TERM, item.flags) };
            }
            if !open {
                next = last;
            }
            let items = if open { last - at } else { 1 };
            features.mentions.push(mention(features.items.len(), items, cursor.term, asserted, group));
        }
        features.push(item);
        at = next;
        cursor.advance(at);
    }
    // A term may extend over the end of its sentence.
    let all = features.items.len() as u16;
    features.mentions.iter_mut().for_each(|mention| mention.last = mention.last.min(all));
}

/// The next phrase and the next term of a sentence.
struct Cursor<'a> {
    from: &'a SentenceInput<'a>,
    hit: usize,
    term: usize,
}

impl Cursor<'_> {
    /// The code of the phrase that begins at a token.
    fn cue(&self, at: usize) -> Option<u8> {
        self.from.hits.get(self.hit).filter(|&&(first, _)| first as usize == at).map(|&(_, code)| code)
    }

    /// Where the term ends that begins at a token.
    fn term_end(&self, at: usize) -> Option<usize> {
        self.from.terms.get(self.term).filter(|term| term.first as usize == at).map(|term| term.last as usize)
    }

    /// Where the first phrase after a token begins.
    fn next_hit(&self, at: usize) -> usize {
        let after = self.from.hits[self.hit..].iter().map(|&(first, _)| first as usize).find(|&first| first > at);
        after.unwrap_or(usize::MAX)
    }

    /// Moves to the first phrase and the first term at a token or after it.
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

/// A mention that has so many items from one on.
fn mention(first: usize, items: usize, term: usize, asserted: &[Assertion], group: Group) -> Mention {
    Mention {
        first: first as u16,
        last: (first + items) as u16,
        term: term as u16,
        said: asserted[term].status.bits(),
        group: group as u8,
        judged: GROUPS.contains(&group),
    }
}

/// An item with one of these names a person.
const NAMES: u8 = Item::ELSE | Item::PATIENT;

/// Reads who is spoken of in a note, where its lines begin, and whether it begins with words of a newborn child.
pub(super) fn begin(words: &Words, text: CueMatcher<'_>, features: &mut SentenceFeatures) {
    features.reset();
    for (at, (token, &id)) in text.tokens.iter().zip(text.ids).enumerate() {
        if token.gap >= Gap::Line {
            features.lines.push((at, 1 + u8::from(token.gap == Gap::Paragraph)));
        }
        if words.may_tell(id) && token.kind == Kind::Word {
            let item = words.word(text, at);
            features.newborn |= at < HEAD && item.is(Item::NEWBORN);
            if item.is(Item::PRONOUN | NAMES) {
                features.people.push((at, item));
            }
        }
    }
}

/// Keeps the last person of a sentence for what follows.
pub(super) fn keep_persons(tokens: &Range<usize>, features: &mut SentenceFeatures) {
    let [people, lines] = features.passed;
    let (people, lines) = (&features.people[people..], &features.lines[lines..]);
    let people = &people[..people.iter().take_while(|&&(at, _)| at < tokens.end).count()];
    // The line that begins right after the sentence stands between it and what follows.
    let lines = &lines[..lines.iter().take_while(|&&(at, _)| at <= tokens.end).count()];
    features.passed = [features.passed[0] + people.len(), features.passed[1] + lines.len()];
    let apart = |at: usize| lines.iter().filter(|&&(line, _)| line > at).map(|&(_, apart)| apart).max().unwrap_or(0);
    let here = |&(at, item): &(usize, Item)| PersonReference { item, at, apart: apart(at) };
    let older = |old: PersonReference| {
        let apart = if old.is_nobody() { 0 } else { apart(tokens.start).max(old.apart) };
        PersonReference { apart, ..old }
    };
    let named = people.iter().rev().find(|(_, item)| item.is(NAMES));
    features.spoken = people.last().map_or_else(|| older(features.spoken), here);
    features.named = named.map_or_else(|| older(features.named), here);
}

/// What a sentence is for those below it, if it is a line that ends in a colon or looks like a heading.
pub(super) fn lead(words: &Words, text: CueMatcher<'_>, tokens: Range<usize>, without_terms: bool) -> Option<Lead> {
    let line = |at: usize| text.tokens.get(at).is_some_and(|token| token.line_start());
    let last = tokens.end - 1;
    let bare = || without_terms && tokens.len() <= 4 && text.is_word(tokens.start) && text.is_word(last);
    if !line(tokens.start) || !line(tokens.end) || !(text.mark(last) == b':' || bare()) {
        return None;
    }
    let mut lead = Lead { first: [symbol::NONE; 3], last: [symbol::NONE; 2], ago: 0, apart: false };
    let stem = |at: usize| words.item(text, at).stem;
    for (place, at) in lead.first.iter_mut().zip(tokens.clone().filter(|&at| text.is_word(at))) {
        *place = stem(at);
    }
    for (place, at) in lead.last.iter_mut().zip(tokens.rev().filter(|&at| text.is_word(at))) {
        *place = stem(at);
    }
    Some(lead)
}

/// Whether an empty line stands before a sentence.
pub(super) fn is_apart(text: CueMatcher<'_>, first: usize) -> bool {
    text.tokens[first].gap == Gap::Paragraph
}
