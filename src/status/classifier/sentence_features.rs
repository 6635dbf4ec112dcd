//! The features of a sentence that all mentions in it are computed from: numbers instead of words.

use bytemuck::{Pod, Zeroable};

use super::super::cues::NEGATED_CODES;
pub(super) use super::super::cues::{END_CODE, PERSON_CODE};

/// Symbols, the numbers of items; a punctuation mark has its ASCII code.
pub(super) mod symbol {
    /// A word that the model does not know.
    pub(in super::super) const OTHER: u16 = 0;
    /// A term that is not a word of the model.
    pub(in super::super) const TERM: u16 = 128;
    /// Numbers: of one digit, of more, a year, and with marks inside.
    pub(in super::super) const DIGIT: u16 = 129;
    pub(in super::super) const NUMBER: u16 = 130;
    pub(in super::super) const YEAR: u16 = 131;
    pub(in super::super) const VALUE: u16 = 132;
    /// Anything else: `'s`, placeholders of an earlier scrub.
    pub(in super::super) const REST: u16 = 133;
    /// No item: before the first and after the last item of a sentence.
    pub(in super::super) const NONE: u16 = 134;
    pub(in super::super) const ZERO: u16 = 135;
    /// The end (exclusive) of the symbols for marks and the constants above.
    pub(in super::super) const RESERVED_END: u16 = 160;
    /// The symbols of the first word and of the first stem of the model.
    pub(in super::super) const WORDS: u16 = RESERVED_END;
    pub(in super::super) const STEMS: u16 = 0x8000;
}

/// The bit that distinguishes kinds of cues from kinds of words.
pub(super) const PHRASE_KIND: u32 = 1 << 20;

/// How far from a mention words count regardless of their position, in items.
pub(super) const MAX_DISTANT_ITEMS: usize = 16;

/// The bitmask of the marks whose positions are recorded.
const RECORDED_MARKS: u64 = 1 << b',' | 1 << b';' | 1 << b':';

/// Returns the index of a stem in the weight tables.
#[inline]
pub(super) const fn index_of_stem(stem: u16) -> u16 {
    if stem < symbol::STEMS { stem } else { stem - symbol::STEMS + symbol::RESERVED_END }
}

/// A word, number, mark or term.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Item {
    pub(super) symbol: u16,
    /// The same for all words of one stem.
    pub(super) stem: u16,
    /// The index of its stem in the weight tables; see [`index_of_stem`].
    pub(super) table_index: u16,
    /// The feature code of the cue that begins here; 0 if none does.
    pub(super) cue: u8,
    pub(super) flags: u8,
}

impl Item {
    /// A term, or the first word of one.
    pub(super) const TERM: u8 = 1;
    /// Joins two mentions: "and", "or".
    pub(super) const JOINS: u8 = 2;
    /// Refers to a person: "she", "patient".
    pub(super) const PRONOUN: u8 = 4;
    /// Names somebody other than the patient: "mother".
    pub(super) const OTHER_PERSON: u8 = 8;
    /// Names somebody who may be the patient: "lady".
    pub(super) const PATIENT: u8 = 16;
    /// Names a newborn: "infant".
    pub(super) const NEWBORN: u8 = 32;
    /// Negates: "not", "without".
    pub(super) const DENIES: u8 = 64;
    /// A verb that marks a clause: "was".
    pub(super) const VERB: u8 = 128;
    /// No item, outside of the sentence.
    pub(super) const NONE: Self = Self::new(symbol::NONE, symbol::NONE, 0);

    #[inline]
    pub(super) const fn new(symbol: u16, stem: u16, flags: u8) -> Self {
        Self { symbol, stem, table_index: index_of_stem(stem), cue: 0, flags }
    }

    #[inline]
    pub(super) const fn has_flag(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    #[inline]
    pub(super) const fn is_mark(self, mark: u8) -> bool {
        self.symbol == mark as u16
    }

    /// Returns the code of the cue that begins here, or else the stem of the word.
    #[inline]
    pub(super) fn cue_or_word_kind(self) -> u32 {
        match self.cue {
            0 if self.has_flag(Self::TERM) => symbol::TERM.into(),
            0 => self.stem.into(),
            cue => PHRASE_KIND | u32::from(cue),
        }
    }

    /// Returns a bit for a comma and a bit for a semicolon.
    #[inline]
    pub(super) const fn comma_and_semicolon_bits(self) -> u64 {
        self.is_mark(b',') as u64 | (self.is_mark(b';') as u64) << 1
    }

    /// Returns whether the item negates, as a word or as a cue.
    #[inline]
    pub(super) const fn denies(self) -> bool {
        self.has_flag(Self::DENIES) || NEGATED_CODES.start <= self.cue && self.cue < NEGATED_CODES.end
    }

    /// Returns whether the item names or refers to a person.
    #[inline]
    const fn is_person(self) -> bool {
        self.cue == PERSON_CODE || self.has_flag(Self::PRONOUN | Self::OTHER_PERSON | Self::PATIENT)
    }

    /// Returns whether the item is a word, a number or a term.
    const fn is_word(self) -> bool {
        self.symbol == symbol::OTHER || self.symbol >= symbol::TERM
    }
}

/// A mention in a sentence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mention {
    /// Its first item, and its end (exclusive).
    pub(super) first: u16,
    pub(super) end: u16,
    /// The index of the term in the sentence.
    pub(super) term: u16,
    /// Its statuses by cues, as bits.
    pub(super) cue_statuses: u8,
    /// The group of its concept.
    pub(super) group: u8,
    /// Whether the model classifies it.
    pub(super) classified: bool,
}

/// A line that introduces those below it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lead {
    /// The stems of its first words, and those of its last words.
    pub(super) first: [u16; 3],
    pub(super) last: [u16; 2],
    /// How many sentences ago it was.
    pub(super) ago: u8,
    /// Whether an empty line has followed since.
    pub(super) after_empty_line: bool,
}

/// The last person mentioned before a sentence.
#[derive(Clone, Copy, Debug)]
pub(super) struct PersonReference {
    pub(super) item: Item,
    /// The position in the note, in tokens.
    pub(super) at: usize,
    /// 1 if a line, 2 if a paragraph has ended since, else 0.
    pub(super) apart: u8,
}

impl PersonReference {
    /// No person.
    pub(super) const NOBODY: Self = Self { item: Item::NONE, at: 0, apart: 0 };

    pub(super) const fn is_nobody(self) -> bool {
        self.item.symbol == symbol::NONE
    }
}

impl Default for PersonReference {
    fn default() -> Self {
        Self::NOBODY
    }
}

/// A sentence, with the state carried over from the text before it.
#[derive(Clone, Default)]
pub(super) struct SentenceFeatures {
    pub(super) items: Vec<Item>,
    /// The positions of cues.
    pub(super) phrases: Vec<u16>,
    /// The positions of commas, semicolons and colons.
    pub(super) marks: Vec<u16>,
    /// The positions of persons and pronouns.
    pub(super) persons: Vec<u16>,
    /// The positions of negating words and cues.
    pub(super) denials: Vec<u16>,
    pub(super) mentions: Vec<Mention>,
    /// The status of the section, as bits.
    pub(super) section: u8,
    /// The last section status other than affirmed, even if its section has ended, and how many sentences ago it
    /// applied.
    pub(super) past_section: u8,
    pub(super) past_ago: u8,
    /// The last line that ends in a colon or looks like a heading.
    pub(super) lead: Lead,
    /// The persons and pronouns of the note, with their token positions.
    pub(super) people: Vec<(usize, Item)>,
    /// The first tokens of lines, with 1, or 2 if a paragraph begins.
    pub(super) lines: Vec<(usize, u8)>,
    /// How many of both belong to sentences already passed.
    pub(super) passed: [usize; 2],
    /// The last person named before the sentence, and the last referred to by a name or a pronoun.
    pub(super) last_named: PersonReference,
    pub(super) last_reference: PersonReference,
    /// Whether the note names a newborn near its beginning.
    pub(super) newborn: bool,
    /// The first token of the sentence.
    pub(super) start: usize,
}

impl SentenceFeatures {
    /// Resets the state for a new note.
    pub(super) fn begin_note(&mut self) {
        self.lead = Lead { ago: u8::MAX, ..Lead::default() };
        (self.past_section, self.past_ago) = (0, u8::MAX);
        (self.last_named, self.last_reference) = (PersonReference::NOBODY, PersonReference::NOBODY);
        self.people.clear();
        self.lines.clear();
        (self.passed, self.newborn) = ([0; 2], false);
    }

    /// Begins a sentence at a token, in a section with a status.
    pub(super) fn begin_sentence(&mut self, start: usize, section: u8) {
        self.start = start;
        self.items.clear();
        self.phrases.clear();
        self.marks.clear();
        self.persons.clear();
        self.denials.clear();
        self.mentions.clear();
        self.section = section;
    }

    /// Adds an item, and records whether it negates or refers to a person.
    #[inline]
    pub(super) fn push_word(&mut self, item: Item) {
        if item.denies() {
            self.denials.push(self.items.len() as u16);
        }
        if item.is_person() {
            self.persons.push(self.items.len() as u16);
        }
        self.items.push(item);
    }

    /// Adds an item, and records all its positions.
    #[inline]
    pub(super) fn push_item(&mut self, item: Item) {
        let place = self.items.len() as u16;
        if item.cue != 0 {
            self.phrases.push(place);
        }
        if item.symbol < 64 && RECORDED_MARKS >> item.symbol & 1 != 0 {
            self.marks.push(place);
        }
        self.push_word(item);
    }

    /// Moves past a sentence; `section` is the status of its section.
    pub(super) fn pass_sentence(&mut self, section: u8) {
        self.past_ago = self.past_ago.saturating_add(1);
        if section != 0 {
            (self.past_section, self.past_ago) = (section, 0);
        }
        self.lead.ago = self.lead.ago.saturating_add(1);
    }

    /// Returns the stems of the first two words.
    pub(super) fn stems_of_first_words(&self) -> [u16; 2] {
        let mut words = self.items.iter().filter(|item| item.is_word()).map(|item| item.stem);
        [words.next().unwrap_or_default(), words.next().unwrap_or_default()]
    }
}
