//! A sentence as statuses are classified by it: numbers instead of words.

use bytemuck::{Pod, Zeroable};

use super::super::cues::NEGATED_CODES;
pub(super) use super::super::cues::{END_CODE, PERSON_CODE};

/// What stands at a place, by its number: a mark of punctuation has that of its ASCII character.
pub(super) mod symbol {
    /// A word that the model does not know.
    pub(in super::super) const OTHER: u16 = 0;
    /// A term that is no word of the model.
    pub(in super::super) const TERM: u16 = 128;
    /// A number of one digit, of more, that is a year, or with marks inside.
    pub(in super::super) const DIGIT: u16 = 129;
    pub(in super::super) const NUMBER: u16 = 130;
    pub(in super::super) const YEAR: u16 = 131;
    pub(in super::super) const VALUE: u16 = 132;
    /// Something else: `'s`, what an earlier scrub wrote.
    pub(in super::super) const REST: u16 = 133;
    /// No place: before the first and after the last of a sentence.
    pub(in super::super) const NONE: u16 = 134;
    pub(in super::super) const ZERO: u16 = 135;
    /// How many numbers those above may have.
    pub(in super::super) const OWN: u16 = 160;
    /// The first word of the model, and the first stem.
    pub(in super::super) const WORDS: u16 = OWN;
    pub(in super::super) const STEMS: u16 = 0x8000;
}

/// Distinguishes kinds of cues from kinds of words.
pub(super) const PHRASE_KIND: u32 = 1 << 20;

/// How far around a mention words count wherever they stand, in items.
pub(super) const MAX_DISTANT_ITEMS: usize = 16;

/// Marks whose places are kept.
const RECORDED_MARKS: u64 = 1 << b',' | 1 << b';' | 1 << b':';

/// The place of a stem among those that are weighed.
#[inline]
pub(super) const fn index_of_stem(stem: u16) -> u16 {
    if stem < symbol::STEMS { stem } else { stem - symbol::STEMS + symbol::OWN }
}

/// A word, number or mark, or a term.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Item {
    pub(super) symbol: u16,
    /// The same for all words of one stem.
    pub(super) stem: u16,
    /// Its place among all stems that are weighed; see [`place`].
    pub(super) place: u16,
    /// What a phrase of the list of cues is that begins here; 0 is none.
    pub(super) cue: u8,
    pub(super) flags: u8,
}

impl Item {
    /// It is a term, or the first word of one.
    pub(super) const TERM: u8 = 1;
    /// It joins two mentions: "and", "or".
    pub(super) const JOINS: u8 = 2;
    /// It stands for a person: "she", "patient".
    pub(super) const PRONOUN: u8 = 4;
    /// It names somebody else: "mother".
    pub(super) const ELSE: u8 = 8;
    /// It names somebody who may be the patient: "lady".
    pub(super) const PATIENT: u8 = 16;
    /// It names a newborn child: "infant".
    pub(super) const NEWBORN: u8 = 32;
    /// It denies: "not", "without".
    pub(super) const DENIES: u8 = 64;
    /// It is a verb by which a clause is known: "was".
    pub(super) const VERB: u8 = 128;
    /// Nothing stands there.
    pub(super) const NONE: Self = Self::new(symbol::NONE, symbol::NONE, 0);

    #[inline]
    pub(super) const fn new(symbol: u16, stem: u16, flags: u8) -> Self {
        Self { symbol, stem, place: index_of_stem(stem), cue: 0, flags }
    }

    #[inline]
    pub(super) const fn has_flag(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    #[inline]
    pub(super) const fn is_mark(self, mark: u8) -> bool {
        self.symbol == mark as u16
    }

    /// What phrase begins there, or what word it is.
    #[inline]
    pub(super) fn cue_or_word_kind(self) -> u32 {
        match self.cue {
            0 if self.has_flag(Self::TERM) => symbol::TERM.into(),
            0 => self.stem.into(),
            cue => PHRASE_KIND | u32::from(cue),
        }
    }

    /// Whether it is a comma, and whether a semicolon.
    #[inline]
    pub(super) const fn comma_and_semicolon_bits(self) -> u64 {
        self.is_mark(b',') as u64 | (self.is_mark(b';') as u64) << 1
    }

    /// Whether it denies, by itself or as a phrase.
    #[inline]
    pub(super) const fn denies(self) -> bool {
        self.has_flag(Self::DENIES) || NEGATED_CODES.start <= self.cue && self.cue < NEGATED_CODES.end
    }

    /// Whether it names a person, or stands for one.
    #[inline]
    const fn is_person(self) -> bool {
        self.cue == PERSON_CODE || self.has_flag(Self::PRONOUN | Self::ELSE | Self::PATIENT)
    }

    /// Whether it is a word or a number.
    const fn is_word(self) -> bool {
        self.symbol == symbol::OTHER || self.symbol >= symbol::TERM
    }
}

/// A mention in a sentence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mention {
    /// Its first item, and one past its last.
    pub(super) first: u16,
    pub(super) last: u16,
    /// Which term of the sentence it is, from 0.
    pub(super) term: u16,
    /// Its statuses by cues.
    pub(super) said: u8,
    /// The group of its concept.
    pub(super) group: u8,
    /// Whether it is classified.
    pub(super) judged: bool,
}

/// A line that introduces those below it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lead {
    /// The stems of its first words, and of its last.
    pub(super) first: [u16; 3],
    pub(super) last: [u16; 2],
    /// How many sentences ago it was.
    pub(super) ago: u8,
    /// Whether an empty line stands between.
    pub(super) apart: bool,
}

/// A person of whom the text spoke before a sentence.
#[derive(Clone, Copy, Debug)]
pub(super) struct PersonReference {
    pub(super) item: Item,
    /// Where, in tokens.
    pub(super) at: usize,
    /// Whether a line, or a paragraph, has ended since.
    pub(super) apart: u8,
}

impl PersonReference {
    /// Of nobody.
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

/// A sentence, and what stands before it.
#[derive(Clone, Default)]
pub(super) struct SentenceFeatures {
    pub(super) items: Vec<Item>,
    /// Where phrases of the list of cues begin.
    pub(super) phrases: Vec<u16>,
    /// Where commas, semicolons and colons stand.
    pub(super) marks: Vec<u16>,
    /// Where persons are named, or words stand for them.
    pub(super) persons: Vec<u16>,
    /// Where words and phrases deny.
    pub(super) denials: Vec<u16>,
    pub(super) mentions: Vec<Mention>,
    /// The status of the heading above.
    pub(super) section: u8,
    /// What the last heading said that said something, also where its section is over, and how many sentences ago.
    pub(super) past_section: u8,
    pub(super) past_ago: u8,
    /// The last line that ends in a colon, or looks like a heading.
    pub(super) lead: Lead,
    /// Where in the note persons are named or spoken of, in tokens.
    pub(super) people: Vec<(usize, Item)>,
    /// Where lines and paragraphs begin, with 1 and 2.
    pub(super) lines: Vec<(usize, u8)>,
    /// How many of both were passed with their sentences.
    pub(super) passed: [usize; 2],
    /// Who was named last before the sentence, and who was spoken of last, by a name or a pronoun.
    pub(super) named: PersonReference,
    pub(super) spoken: PersonReference,
    /// The note begins with a newborn child.
    pub(super) newborn: bool,
    /// The first token of the sentence.
    pub(super) start: usize,
}

impl SentenceFeatures {
    /// Begins a note.
    pub(super) fn begin_note(&mut self) {
        self.lead = Lead { ago: u8::MAX, ..Lead::default() };
        (self.past_section, self.past_ago) = (0, u8::MAX);
        (self.named, self.spoken) = (PersonReference::NOBODY, PersonReference::NOBODY);
        self.people.clear();
        self.lines.clear();
        (self.passed, self.newborn) = ([0; 2], false);
    }

    /// Begins a sentence at a token, below a heading with a status.
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

    /// Adds a word.
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

    /// Adds an item.
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

    /// Goes on to the next sentence; `section` is the status of the heading above.
    pub(super) fn pass_sentence(&mut self, section: u8) {
        self.past_ago = self.past_ago.saturating_add(1);
        if section != 0 {
            (self.past_section, self.past_ago) = (section, 0);
        }
        self.lead.ago = self.lead.ago.saturating_add(1);
    }

    /// The stems of the first two words.
    pub(super) fn stems_of_first_words(&self) -> [u16; 2] {
        let mut words = self.items.iter().filter(|item| item.is_word()).map(|item| item.stem);
        [words.next().unwrap_or_default(), words.next().unwrap_or_default()]
    }
}
