//! Reads a sentence into the numbers by which statuses are judged.

use std::ops::Range;

use super::super::Assertion;
use super::super::cues::Text;
use super::super::status::Status;
use super::sentence_features::{Item, Lead, Mention, SentenceFeatures, Spoken, symbol};
use super::words::Words;
use crate::terms::Match;
use crate::text::token::{Gap, Kind};
use crate::vocabulary::{EntryId, Group, Vocabulary};

/// A marked term that the vocabulary has not: it is learned from all the same.
pub(crate) const UNLISTED: EntryId = EntryId(u32::MAX);
/// Groups of concepts that a note says things of.
const GROUPS: [Group; 6] =
    [Group::Disorder, Group::Finding, Group::Procedure, Group::Drug, Group::Organism, Group::Physiology];
/// How many tokens of a note tell whether it is one on a newborn child.
const HEAD: usize = 96;
/// What the scanner knows of a sentence.
pub(in super::super) struct Sentence<'a> {
    pub(in super::super) text: Text<'a>,
    pub(in super::super) tokens: Range<usize>,
    pub(in super::super) terms: &'a [Match],
    /// The numbers of the phrases, by their first token.
    pub(in super::super) hits: &'a [(u32, u8)],
    pub(in super::super) section: Status,
}

/// The group of the concept of a term.
fn group(vocabulary: &Vocabulary, term: &Match) -> Group {
    if term.entry == UNLISTED { Group::Disorder } else { vocabulary.entry_group(term.entry) }
}

/// Whether a note may say something of any of these terms.
pub(super) fn may_judge(vocabulary: &Vocabulary, terms: &[Match]) -> bool {
    terms.iter().any(|term| GROUPS.contains(&group(vocabulary, term)))
}

/// Puts a sentence into a features, in which stands already what was before it.
pub(super) fn read(
    words: &Words,
    vocabulary: &Vocabulary,
    from: &Sentence<'_>,
    said: &[Assertion],
    features: &mut SentenceFeatures,
) {
    let Sentence { text, terms, hits, .. } = *from;
    features.begin(from.tokens.start, from.section.bits());
    // A full stop or none at the end makes no difference.
    let stop = from.tokens.clone().rev().take_while(|&at| text.mark(at) == b'.').count();
    let (mut at, end) = (from.tokens.start, from.tokens.end - stop);
    let (mut term, mut hit) = (0, 0);
    let start_of_hit = |hit: usize| hits.get(hit).map_or(usize::MAX, |&(first, _)| first as usize);
    let start_of_term = |term: usize| terms.get(term).map_or(usize::MAX, |term| term.first as usize);
    let (mut next_hit, mut next_term) = (start_of_hit(0), start_of_term(0));
    while at < end {
        let mut item = match text.tokens[at].kind {
            Kind::Word => words.word(text, at),
            _ => words.item(text, at),
        };
        if next_hit == at {
            item.cue = hits[hit].1;
            hit += 1;
        } else if next_term != at {
            features.push(item);
            at += 1;
            continue;
        }
        let (mut next, is_hit) = (at + 1, next_hit == at);
        next_hit = start_of_hit(hit);
        if next_term == at {
            let one = terms[term];
            let last = one.last as usize;
            item.flags |= Item::TERM;
            // Of a term with a phrase in it all words count.
            let open = last - at == 1 || is_hit || next_hit < last;
            if !open || item.symbol == symbol::OTHER {
                item = Item { cue: item.cue, ..Item::new(symbol::TERM, symbol::TERM, item.flags) };
            }
            if !open {
                next = last;
            }
            let items = if open { last - at } else { 1 };
            features.mentions.push(mention(features.items.len(), items, term, said, group(vocabulary, &one)));
        }
        features.push(item);
        at = next;
        while next_hit < at {
            hit += 1;
            next_hit = start_of_hit(hit);
        }
        while next_term < at {
            term += 1;
            next_term = start_of_term(term);
        }
    }
    // A term may reach over the end of its sentence.
    let all = features.items.len() as u16;
    features.mentions.iter_mut().for_each(|mention| mention.last = mention.last.min(all));
}

/// A mention that has so many items from one on.
fn mention(first: usize, items: usize, term: usize, said: &[Assertion], group: Group) -> Mention {
    Mention {
        first: first as u16,
        last: (first + items) as u16,
        term: term as u16,
        said: said[term].status.bits(),
        group: group as u8,
        judged: GROUPS.contains(&group),
    }
}

/// An item with one of these names a person.
const NAMES: u8 = Item::ELSE | Item::PATIENT;

/// Reads who is spoken of in a note, where its lines begin, and whether it begins with words of a newborn child.
pub(super) fn begin(words: &Words, text: Text<'_>, features: &mut SentenceFeatures) {
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

/// Keeps for what follows of whom a sentence speaks last.
pub(super) fn keep_persons(tokens: &Range<usize>, features: &mut SentenceFeatures) {
    let [people, lines] = features.passed;
    let (people, lines) = (&features.people[people..], &features.lines[lines..]);
    let people = &people[..people.iter().take_while(|&&(at, _)| at < tokens.end).count()];
    // The line that begins right behind the sentence stands between it and what follows.
    let lines = &lines[..lines.iter().take_while(|&&(at, _)| at <= tokens.end).count()];
    features.passed = [features.passed[0] + people.len(), features.passed[1] + lines.len()];
    let apart = |at: usize| lines.iter().filter(|&&(line, _)| line > at).map(|&(_, apart)| apart).max().unwrap_or(0);
    let here = |&(at, item): &(usize, Item)| Spoken { item, at, apart: apart(at) };
    let older = |old: Spoken| {
        let apart = if old.is_nobody() { 0 } else { apart(tokens.start).max(old.apart) };
        Spoken { apart, ..old }
    };
    let named = people.iter().rev().find(|(_, item)| item.is(NAMES));
    features.spoken = people.last().map_or_else(|| older(features.spoken), here);
    features.named = named.map_or_else(|| older(features.named), here);
}

/// What a sentence is for those below it, if it is a line that ends in a colon or looks like a heading.
pub(super) fn lead(words: &Words, text: Text<'_>, tokens: Range<usize>, without_terms: bool) -> Option<Lead> {
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
pub(super) fn is_apart(text: Text<'_>, first: usize) -> bool {
    text.tokens[first].gap == Gap::Paragraph
}
