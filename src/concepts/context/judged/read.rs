//! Reads a sentence into the numbers by which statuses are judged.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::super::Said;
use super::super::cues::{CueList, Reach, Role, Text};
use super::super::status::Status;
use super::hash;
use super::scene::{END, Item, Lead, Mention, PERSON, Scene, Spoken, symbol};
use crate::concepts::Match;
use crate::text::token::{Gap, Kind};
use crate::vocabulary::{EntryId, Group, Vocabulary, WordId};

/// A marked term that the vocabulary has not: it is learned from all the same.
pub(crate) const UNLISTED: EntryId = EntryId(u32::MAX);
/// Groups of concepts that a note says things of.
const GROUPS: [Group; 6] =
    [Group::Disorder, Group::Finding, Group::Procedure, Group::Drug, Group::Organism, Group::Physiology];
/// Words that join two mentions.
const JOINS: [&str; 4] = ["and", "or", "nor", "vs"];
/// Words that stand for a person, the patient or another.
const PRONOUNS: [&str; 25] = [
    "he", "she", "they", "his", "her", "him", "their", "them", "herself", "himself", "own", "self", "patient", "pt",
    "who", "i", "you", "my", "your", "we", "our", "infant", "proband", "index", "client",
];
/// Words that name a person and may be the patient; those that name another are among the cues.
const PATIENTS: [&str; 21] = [
    "patient",
    "pt",
    "infant",
    "proband",
    "index",
    "client",
    "baby",
    "babe",
    "newborn",
    "neonate",
    "child",
    "girl",
    "boy",
    "man",
    "woman",
    "lady",
    "gentleman",
    "male",
    "female",
    "resident",
    "member",
];
/// Words of a note on a newborn child.
const NEWBORNS: [&str; 9] = ["infant", "baby", "babe", "newborn", "neonate", "neonatal", "apgar", "apgars", "nicu"];
/// The words by which a model knows persons, whether or not the passages it learns from have them.
pub(crate) fn words_of_persons() -> Vec<String> {
    let list = CueList::package();
    let others = list.persons().filter(|person| person.chars().all(char::is_alphabetic));
    others.chain(PATIENTS).chain(NEWBORNS).chain(PRONOUNS).map(str::to_owned).collect()
}

/// How many tokens of a note tell whether it is one on a newborn child.
const HEAD: usize = 96;
/// Endings that words of one stem differ in, the longest first, by their last letter.
const fn endings(last: u8) -> &'static [&'static str] {
    match last {
        b's' => &["ations", "ments", "ions", "ings", "ies", "ous", "es", "s"],
        b't' => &["ment"],
        b'n' => &["ation", "ion"],
        b'y' => &["ingly", "edly", "ity", "ly", "y"],
        b'g' => &["ing"],
        b'e' => &["ive", "e"],
        b'l' => &["ful", "al"],
        b'd' => &["ed"],
        _ => &[],
    }
}
/// How long a stem is, in bytes.
const STEM: Range<usize> = 4..8;

/// What words of one stem share.
pub(crate) fn stem(word: &str) -> &str {
    let cut = endings(word.bytes().last().unwrap_or_default()).iter().filter_map(|ending| word.strip_suffix(ending));
    let stem = cut.into_iter().find(|stem| stem.len() >= STEM.start && !stem.ends_with('s')).unwrap_or(word);
    let end = (0..=stem.len().min(STEM.end - 1)).rev().find(|&at| stem.is_char_boundary(at));
    &stem[..end.unwrap_or_default()]
}

/// How many beginnings of stems are told apart.
const BEGINNINGS: usize = 1 << 16;

/// The first letters of a word as a number below [`BEGINNINGS`]; none of a shorter word.
fn beginning(word: &str) -> Option<usize> {
    let first: &[u8; STEM.start] = word.as_bytes().first_chunk()?;
    Some(hash::of_bytes(first) as usize % BEGINNINGS)
}

/// The words of a model, as one vocabulary numbers them.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// Of each word of the vocabulary its symbol and its stem.
    known: Arc<[AtomicU32]>,
    /// Words that the vocabulary has not, and all stems, by their hashes.
    others: HashMap<u64, u16, Spread>,
    stems: HashMap<u64, u16, Spread>,
    /// How stems begin: one bit each.
    beginnings: Vec<u64>,
    /// Of each word of the model its stem, and what flags an item with it has.
    stemmed: Vec<(u16, u8)>,
}

/// The symbol and the stem of a word as one number.
const fn packed(symbol: u16, stem: u16) -> u32 {
    (symbol as u32) << 16 | stem as u32
}

/// A word of the vocabulary whose stem nobody has asked for yet: most never come.
const UNREAD: u32 = packed(symbol::OTHER, u16::MAX);

/// Hashes are spread already.
type Spread = BuildHasherDefault<Same>;

#[derive(Clone, Copy, Debug, Default)]
struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {}
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

impl Words {
    pub(super) fn new<'a>(
        vocabulary: &Vocabulary,
        words: impl Iterator<Item = &'a str>,
        stems: impl Iterator<Item = &'a str>,
    ) -> Self {
        let list = CueList::package();
        let others: HashSet<&str> = list.persons().collect();
        let mut all = Self { beginnings: vec![0; BEGINNINGS / 64], ..Self::default() };
        let mut known = vec![UNREAD; vocabulary.word_count()];
        for (stem, symbol) in stems.zip(symbol::STEMS..) {
            if let Some(place) = beginning(stem) {
                all.beginnings[place / 64] |= 1 << (place % 64);
            }
            all.stems.insert(hash::of_bytes(stem.as_bytes()), symbol);
        }
        for (symbol, word) in (symbol::WORDS..).zip(words) {
            let id = vocabulary.word(word.as_bytes());
            let stem = all.stem_of(word);
            match known.get_mut(id.0 as usize) {
                Some(known) => *known = packed(symbol, stem),
                None => {
                    all.others.insert(hash::of_bytes(word.as_bytes()), symbol);
                }
            }
            let flags = u8::from(JOINS.contains(&word)) * Item::JOINS;
            let flags = flags | (u8::from(PRONOUNS.contains(&word)) * Item::PRONOUN);
            let flags = flags | (u8::from(PATIENTS.contains(&word)) * Item::PATIENT);
            let flags = flags | (u8::from(others.contains(word)) * Item::ELSE);
            let flags = flags | (u8::from(NEWBORNS.contains(&word)) * Item::NEWBORN);
            all.stemmed.push((stem, flags));
        }
        all.known = known.into_iter().map(AtomicU32::new).collect();
        all
    }

    fn stem_of(&self, word: &str) -> u16 {
        // Most words have no stem of the model, and their first letters tell.
        let begins = beginning(word)
            .is_none_or(|place| self.beginnings.get(place / 64).is_some_and(|bits| bits >> (place % 64) & 1 != 0));
        if !begins {
            return symbol::OTHER;
        }
        self.stems.get(&hash::of_bytes(stem(word).as_bytes())).copied().unwrap_or(symbol::OTHER)
    }

    /// A word as an item.
    #[inline]
    fn word(&self, text: Text<'_>, at: usize) -> Item {
        let id = text.ids[at];
        let Some(place) = self.known.get(id.0 as usize) else {
            let is_other = id == WordId::UNKNOWN && !self.others.is_empty();
            let hash = || hash::of_bytes(text.word(at).as_bytes());
            let symbol = is_other.then(|| self.others.get(&hash()).copied()).flatten().unwrap_or(symbol::OTHER);
            return self.item_of(packed(symbol, self.stem_of(text.word(at))));
        };
        let mut known = place.load(Relaxed);
        if known == UNREAD {
            known = packed(symbol::OTHER, self.stem_of(text.word(at)));
            place.store(known, Relaxed);
        }
        self.item_of(known)
    }

    #[inline]
    fn item_of(&self, known: u32) -> Item {
        let (symbol, stem) = ((known >> 16) as u16, known as u16);
        let place = usize::from(symbol).checked_sub(usize::from(symbol::WORDS));
        let flags = place.and_then(|place| self.stemmed.get(place)).map_or(0, |&(_, flags)| flags);
        Item { symbol, stem, cue: 0, flags }
    }

    /// A token as an item.
    #[inline]
    fn item(&self, text: Text<'_>, at: usize) -> Item {
        let token = &text.tokens[at];
        let symbol = match token.kind {
            Kind::Word => return self.word(text, at),
            Kind::Punct => u16::from(token.mark() & 0x7F),
            Kind::Number => match text.word(at).as_bytes() {
                b"0" => symbol::ZERO,
                [_] => symbol::DIGIT,
                [b'1', b'9', _, _] | [b'2', b'0', _, _] => symbol::YEAR,
                digits if digits.iter().all(u8::is_ascii_digit) => symbol::NUMBER,
                _ => symbol::VALUE,
            },
            _ => symbol::REST,
        };
        Item { symbol, stem: symbol, cue: 0, flags: 0 }
    }
}

/// The number of a phrase among features.
fn code(role: Role, (status, reach): (Status, Reach)) -> u8 {
    match status.places().next() {
        Some(_) if role.person => PERSON,
        Some(place) => 1 + 9 * place as u8 + reach as u8,
        None if role.end == Status::ALL => END,
        None if !role.end.is_affirmed() => 62,
        None if role.pause => 0,
        None if role.severe => 63,
        None if role.through => 64,
        None => 65,
    }
}

/// What the scanner knows of a sentence.
pub(in super::super) struct Sentence<'a> {
    pub(in super::super) text: Text<'a>,
    pub(in super::super) tokens: Range<usize>,
    pub(in super::super) terms: &'a [Match],
    /// The phrases, by their first token.
    pub(in super::super) hits: &'a [(u32, Role)],
    pub(in super::super) section: Status,
}

/// Puts a sentence into a scene, in which stands already what was before it.
pub(super) fn read(words: &Words, vocabulary: &Vocabulary, from: &Sentence<'_>, said: &[Said], scene: &mut Scene) {
    let Sentence { text, terms, hits, .. } = *from;
    scene.begin(from.tokens.start, from.section.bits());
    let (mut term, mut hit) = (0, 0);
    let start_of_hit = |hit: usize| hits.get(hit).map_or(usize::MAX, |&(first, _)| first as usize);
    let start_of_term = |term: usize| terms.get(term).map_or(usize::MAX, |term| term.first as usize);
    let (mut next_hit, mut next_term) = (start_of_hit(0), start_of_term(0));
    // A full stop or none at the end makes no difference.
    let stop = from.tokens.clone().rev().take_while(|&at| text.mark(at) == b'.').count();
    let mut at = from.tokens.start;
    while at < from.tokens.end - stop {
        let mut item = words.item(text, at);
        while next_hit < at {
            hit += 1;
            next_hit = start_of_hit(hit);
        }
        if next_hit == at {
            let role = hits[hit].1;
            item.cue = code(role, text.cues.cue(role.cue));
            if item.cue != 0 {
                scene.phrases.push(scene.items.len() as u16);
            }
        }
        while next_term < at {
            term += 1;
            next_term = start_of_term(term);
        }
        let mut next = at + 1;
        if next_term == at {
            let one = terms[term];
            let last = one.last as usize;
            item.flags |= Item::TERM;
            // Of a term with a phrase in it all words count.
            let open = last - at == 1 || next_hit < last;
            if !open || item.symbol == symbol::OTHER {
                (item.symbol, item.stem) = (symbol::TERM, symbol::TERM);
            }
            if !open {
                next = last;
            }
            let group = if one.entry == UNLISTED { Group::Disorder } else { vocabulary.entry_group(one.entry) };
            let place = scene.items.len() as u16;
            scene.mentions.push(Mention {
                first: place,
                last: place + if open { (last - at) as u16 } else { 1 },
                term: term as u16,
                said: said[term].status.bits(),
                group: group as u8,
                judged: GROUPS.contains(&group),
            });
            term += 1;
            next_term = start_of_term(term);
        }
        scene.items.push(item);
        at = next;
    }
    // A term may reach over the end of its sentence.
    let all = scene.items.len() as u16;
    scene.mentions.iter_mut().for_each(|mention| mention.last = mention.last.min(all));
}

/// An item with one of these names a person.
const NAMES: u8 = Item::ELSE | Item::PATIENT;

/// Keeps for what follows of whom a sentence speaks last.
pub(super) fn keep_persons(words: &Words, text: Text<'_>, tokens: Range<usize>, scene: &mut Scene) {
    let (mut apart, mut spoken, mut named) = (0, None, None);
    for at in tokens.rev() {
        apart = apart.max(match text.tokens.get(at + 1).map(|next| next.gap) {
            Some(Gap::Paragraph) => 2,
            Some(Gap::Line) => 1,
            _ => 0,
        });
        if text.tokens[at].kind != Kind::Word {
            continue;
        }
        let item = words.word(text, at);
        if spoken.is_none() && item.is(Item::PRONOUN | NAMES) {
            spoken = Some(Spoken { item, at, apart });
        }
        if item.is(NAMES) {
            named = Some(Spoken { item, at, apart });
            break;
        }
    }
    let older =
        |old: Spoken| if old.item.symbol == symbol::NONE { old } else { Spoken { apart: apart.max(old.apart), ..old } };
    scene.spoken = spoken.unwrap_or_else(|| older(scene.spoken));
    scene.named = named.unwrap_or_else(|| older(scene.named));
}

/// Whether a note begins with words of a newborn child.
pub(super) fn is_newborn(words: &Words, text: Text<'_>) -> bool {
    (0..text.tokens.len().min(HEAD))
        .any(|at| text.tokens[at].kind == Kind::Word && words.word(text, at).is(Item::NEWBORN))
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
pub(super) fn apart(text: Text<'_>, first: usize) -> bool {
    text.tokens[first].gap == Gap::Paragraph
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn words_of_one_stem_share_it() {
        for words in [["suspected", "suspects"], ["concerning", "concerns"], ["considered", "consideration"]] {
            assert_eq!(stem(words[0]), stem(words[1]));
        }
        assert_eq!(["no", "éé", "history", "aâââââ"].map(stem), ["no", "éé", "histor", "aâââ"]);
    }
}
