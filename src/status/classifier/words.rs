//! The words of a model by their ids in one vocabulary.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::super::cues::{CueList, CueMatcher};
use super::hash;
use super::sentence_features::{Item, symbol};
use crate::bits::BitSet;
use crate::debug::debug_count;
use crate::linear::hash::QuickMap;
use crate::text::token::Kind;
use crate::text::words_of_file;
use crate::vocabulary::{Vocabulary, WordId};

/// Words that join two mentions.
const CONJUNCTIONS: [&str; 4] = ["and", "or", "nor", "vs"];
/// Words that refer to a person, the patient or another.
const PRONOUNS: [&str; 25] = [
    "he", "she", "they", "his", "her", "him", "their", "them", "herself", "himself", "own", "self", "patient", "pt",
    "who", "i", "you", "my", "your", "we", "our", "infant", "proband", "index", "client",
];
/// Words for a person who may be the patient; words for others are among the cues.
const POSSIBLE_PATIENTS: &[&str] = words_of_file!("../words/possible-patients.txt");
/// Words that negate, besides contractions.
const DENIAL_WORDS: [&str; 22] = [
    "no", "not", "never", "nor", "neither", "none", "nothing", "nobody", "nowhere", "without", "cannot", "denies",
    "denied", "denying", "negative", "neg", "absent", "excluded", "free", "nil", "lacks", "unable",
];
/// Verbs that mark a clause.
const CLAUSE_VERBS: [&str; 21] = [
    "is", "was", "are", "were", "has", "have", "had", "been", "be", "being", "did", "does", "do", "can", "could",
    "will", "would", "should", "may", "might", "which",
];
/// Words of a newborn's note.
const NEWBORN_WORDS: [&str; 9] =
    ["infant", "baby", "babe", "newborn", "neonate", "neonatal", "apgar", "apgars", "nicu"];
/// Returns words for persons, which a model knows even if the training passages do not contain them.
pub(crate) fn person_words() -> Vec<String> {
    let list = CueList::bundled();
    let others = list.person_phrases().filter(|person| person.chars().all(char::is_alphabetic));
    others.chain(POSSIBLE_PATIENTS.iter().copied()).chain(NEWBORN_WORDS).chain(PRONOUNS).map(str::to_owned).collect()
}

/// Returns the endings that are stripped from a word with this last letter, the longest first.
const fn endings_by_last_letter(last: u8) -> &'static [&'static str] {
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
/// The length of a stem, in bytes (end exclusive).
const STEM_BYTES: Range<usize> = 4..8;

/// Returns the stem of a word, which related words share.
pub(crate) fn shared_stem(word: &str) -> &str {
    let cut = endings_by_last_letter(word.bytes().last().unwrap_or_default())
        .iter()
        .filter_map(|ending| word.strip_suffix(ending));
    let stem = cut.into_iter().find(|stem| stem.len() >= STEM_BYTES.start && !stem.ends_with('s')).unwrap_or(word);
    let end = (0..=stem.len().min(STEM_BYTES.end - 1)).rev().find(|&at| stem.is_char_boundary(at));
    &stem[..end.unwrap_or_default()]
}

/// The number of buckets for the first letters of stems.
const STEM_PREFIXES: usize = 1 << 16;

/// Returns the bucket of the first letters of a word, below [`STEM_PREFIXES`]; `None` if the word is shorter than a
/// stem.
fn prefix_number(word: &str) -> Option<usize> {
    let first: &[u8; STEM_BYTES.start] = word.as_bytes().first_chunk()?;
    Some(hash::hash_bytes(first) as usize % STEM_PREFIXES)
}

/// The words of a model by their ids in one vocabulary.
#[derive(Clone, Default)]
pub(super) struct ModelWords {
    /// The item of each word of the vocabulary, packed into one number.
    known: Arc<[AtomicU64]>,
    /// The model's words that the vocabulary lacks, and all stems, by hash.
    others: QuickMap<u64, Item>,
    stems: QuickMap<u64, u16>,
    /// How stems begin.
    stem_prefixes: BitSet,
    /// Which words of the vocabulary name persons.
    persons: BitSet,
    /// Whether any word that the vocabulary lacks names a person.
    other_persons: bool,
}

debug_count!(ModelWords, "stems", |it| it.stems.len());

/// Marks an item that is not computed yet: most words never occur.
const ITEM_UNKNOWN: u64 = u64::MAX;

impl ModelWords {
    pub(super) fn new<'a>(
        vocabulary: &Vocabulary,
        words: impl Iterator<Item = &'a str>,
        stems: impl Iterator<Item = &'a str>,
    ) -> Self {
        let list = CueList::bundled();
        let others: HashSet<&str> = list.person_phrases().collect();
        let mut all = Self { stem_prefixes: BitSet::with_limit(STEM_PREFIXES), ..Self::default() };
        all.persons = BitSet::with_limit(vocabulary.word_count());
        let mut known = vec![ITEM_UNKNOWN; vocabulary.word_count()];
        for (stem, symbol) in stems.zip(symbol::STEMS..) {
            if let Some(place) = prefix_number(stem) {
                all.stem_prefixes.insert(place);
            }
            all.stems.insert(hash::hash_bytes(stem.as_bytes()), symbol);
        }
        for (symbol, word) in (symbol::WORDS..).zip(words) {
            let id = vocabulary.word_id(word.as_bytes());
            let stem = all.stem_number(word);
            let flags = u8::from(CONJUNCTIONS.contains(&word)) * Item::JOINS;
            let flags = flags | (u8::from(PRONOUNS.contains(&word)) * Item::PRONOUN);
            let flags = flags | (u8::from(POSSIBLE_PATIENTS.contains(&word)) * Item::PATIENT);
            let flags = flags | (u8::from(others.contains(word)) * Item::OTHER_PERSON);
            let flags = flags | (u8::from(NEWBORN_WORDS.contains(&word)) * Item::NEWBORN);
            let is_person = flags & !Item::JOINS != 0;
            let denies = DENIAL_WORDS.contains(&word) || word.ends_with("n't");
            let flags =
                flags | (u8::from(denies) * Item::DENIES) | (u8::from(CLAUSE_VERBS.contains(&word)) * Item::VERB);
            let item = Item::new(symbol, stem, flags);
            if let Some(known) = known.get_mut(id.0 as usize) {
                *known = bytemuck::cast(item);
                if is_person {
                    all.persons.insert(id.0 as usize);
                }
            } else {
                all.others.insert(hash::hash_bytes(word.as_bytes()), item);
                all.other_persons |= is_person;
            }
        }
        all.known = known.into_iter().map(AtomicU64::new).collect();
        all
    }

    fn stem_number(&self, word: &str) -> u16 {
        // Most words have no stem in the model; their first letters rule them out without a lookup.
        if prefix_number(word).is_some_and(|place| !self.stem_prefixes.contains(place)) {
            return symbol::OTHER;
        }
        self.stems.get(&hash::hash_bytes(shared_stem(word).as_bytes())).copied().unwrap_or(symbol::OTHER)
    }

    /// Returns whether a word may name a person.
    #[inline]
    pub(super) fn may_name_person(&self, id: WordId) -> bool {
        self.persons.get(id.0 as usize).unwrap_or(self.other_persons && id == WordId::UNKNOWN)
    }

    /// Returns the item of a word.
    #[inline]
    pub(super) fn item_of_word(&self, text: CueMatcher<'_>, at: usize) -> Item {
        let known = self.known.get(text.ids[at].0 as usize).map_or(ITEM_UNKNOWN, |known| known.load(Relaxed));
        if known == ITEM_UNKNOWN { self.compute_item_of_word(text, at) } else { bytemuck::cast(known) }
    }

    /// Computes the item of a word and caches it, unless the vocabulary lacks the word.
    #[cold]
    fn compute_item_of_word(&self, text: CueMatcher<'_>, at: usize) -> Item {
        let (id, word) = (text.ids[at], text.folded_text(at));
        let item = Item::new(symbol::OTHER, self.stem_number(word), 0);
        if let Some(known) = self.known.get(id.0 as usize) {
            known.store(bytemuck::cast(item), Relaxed);
            return item;
        }
        let is_other = id == WordId::UNKNOWN && !self.others.is_empty();
        let other = is_other.then(|| self.others.get(&hash::hash_bytes(word.as_bytes())).copied()).flatten();
        other.map_or(item, |other| Item::new(other.symbol, item.stem, other.flags))
    }

    /// Returns the item of a token.
    #[inline]
    pub(super) fn item_at(&self, text: CueMatcher<'_>, at: usize) -> Item {
        let token = &text.tokens[at];
        let symbol = match token.kind {
            Kind::Word => return self.item_of_word(text, at),
            Kind::Punct => u16::from(token.mark() & 0x7F),
            Kind::Number => match text.folded_text(at).as_bytes() {
                b"0" => symbol::ZERO,
                [_] => symbol::DIGIT,
                [b'1', b'9', _, _] | [b'2', b'0', _, _] => symbol::YEAR,
                digits if digits.iter().all(u8::is_ascii_digit) => symbol::NUMBER,
                _ => symbol::VALUE,
            },
            _ => symbol::REST,
        };
        Item::new(symbol, symbol, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::shared_stem;

    #[test]
    fn words_of_one_stem_share_it() {
        for words in [["suspected", "suspects"], ["concerning", "concerns"], ["considered", "consideration"]] {
            assert_eq!(shared_stem(words[0]), shared_stem(words[1]));
        }
        assert_eq!(["no", "éé", "history", "aâââââ"].map(shared_stem), ["no", "éé", "histor", "aâââ"]);
    }
}
