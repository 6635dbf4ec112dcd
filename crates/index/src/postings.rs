//! An inverted index of notes, for full-text search: which words stand where.
//!
//! A note goes in as a row of numbers, one for each word and each full slot ([`crate::slots`]): a word costs one look into a
//! table, and most words are cache hits. Only at the end the rows are sorted by their terms, all at once and
//! without comparing: each number says where its place goes. An index that keeps a list a word while notes come in has a
//! cache miss for each word of each note, and that costs more than everything else.

use std::ops::Range;

use notesieve::text::normalize::Normalized;
use notesieve::vocabulary::Probe;

use crate::slots::{SLOT, Slots};

/// Says of a number in a row that it stands in a slot.
const IN_SLOT: u32 = 1 << 31;

/// Of a word that is too long for an index: it has a place, but is not found.
const TOO_LONG: u32 = IN_SLOT - 1;

/// The longest word that goes in, in bytes: longer ones [tantivy] leaves out as well.
///
/// [tantivy]: https://docs.rs/tantivy/latest/tantivy/tokenizer/constant.MAX_TOKEN_LEN.html
const LONGEST: usize = u16::MAX as usize - 5;

/// Two to this many places share an entry in the table that tells whose they are.
const BLOCK: u32 = 9;

/// A note that has a term, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The note, by its place among those that were added.
    pub note: u32,
    /// How often the term stands there.
    pub times: u32,
}

/// The words and slots of some notes, to be read term by term.
///
/// ```
/// use notesieve::text::normalize::Normalized;
/// use notesieve_index::postings::{Posting, Postings};
/// use notesieve_index::slots::Slots;
///
/// let mut postings = Postings::default();
/// for note in ["No fever.", "Fever, then no fever."] {
///     postings.add(&Slots::default(), note, &mut Normalized::default());
/// }
/// let mut found = Vec::new();
/// postings.each_term(|term, notes, steps| {
///     found.push((String::from_utf8_lossy(term).into_owned(), notes.to_vec(), steps.to_vec()));
///     Ok::<_, ()>(())
/// }).unwrap();
/// // Words stand at odd places, since each has a slot before it.
/// let notes = vec![Posting { note: 0, times: 1 }, Posting { note: 1, times: 2 }];
/// assert_eq!(found[0], ("fever".to_owned(), notes, vec![3, 1, 6]));
/// ```
#[derive(Debug, Default)]
pub struct Postings {
    terms: Terms,
    /// The terms of all notes, one note behind the other; those in slots marked.
    row: Vec<u32>,
    /// How many words there were before each note but the first.
    ends: Vec<u32>,
    words: u32,
}

impl Postings {
    /// Takes the words and the full slots of a note and tells how many there are. `folded` is room for the folded text.
    pub fn add(&mut self, slots: &Slots, text: &str, folded: &mut Normalized) -> u32 {
        let before = self.row.len();
        let mut left_out = 0;
        slots.each(text, folded, |number, folded, word| {
            if let Some(number) = number {
                self.row.push(IN_SLOT | self.terms.of_set(number));
            }
            let is_known = word.len() <= LONGEST;
            left_out += u32::from(!is_known);
            self.row.push(if is_known { self.terms.of_word(folded, word) } else { TOO_LONG });
            self.words += 1;
        });
        self.ends.push(self.words);
        (self.row.len() - before) as u32 - left_out
    }

    /// How many notes there are.
    pub fn notes(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Bytes of memory that are needed to read them.
    pub fn memory(&self) -> usize {
        2 * size_of_val(&self.row[..]) + self.terms.memory()
    }

    /// Gives each term in the order of its bytes, with the notes that have it in the order in which they were added, and for
    /// each time it occurs how far its place is behind that of the time before in the same note, or behind the note's
    /// begin. A slot has the place `2 * n` before the word `n` with the place `2 * n + 1`, counted from 0.
    pub fn each_term<E>(&self, mut take: impl FnMut(&[u8], &[Posting], &[u32]) -> Result<(), E>) -> Result<(), E> {
        let order = self.terms.in_order();
        let mut next = vec![0_u32; self.terms.len() + 1];
        // Words that are too long count as the term behind the last.
        let term_of = |number: u32| ((number & !IN_SLOT) as usize).min(self.terms.len());
        for &number in &self.row {
            next[term_of(number)] += 1;
        }
        let mut from = 0;
        for term in order.iter().map(|&term| term as usize).chain([self.terms.len()]) {
            let times = next[term];
            next[term] = from;
            from += times;
        }
        let mut places = vec![0_u32; self.row.len()];
        let mut place = 0;
        for &number in &self.row {
            let is_word = u32::from(number & IN_SLOT == 0);
            let to = &mut next[term_of(number)];
            places[*to as usize] = place + is_word;
            *to += 1;
            place += 2 * is_word;
        }
        let owners = Owners::of(&self.ends);
        let (mut notes, mut steps) = (Vec::new(), Vec::new());
        let mut from = 0;
        for &term in &order {
            let to = next[term as usize] as usize;
            notes.clear();
            steps.clear();
            owners.part(&places[from..to], &mut notes, &mut steps);
            from = to;
            take(self.terms.text(term), &notes, &steps)?;
        }
        Ok(())
    }
}

/// Tells in which note a place is.
struct Owners<'a> {
    /// How many words there are up to the end of each note.
    ends: &'a [u32],
    /// The note of the first place of each block.
    of_block: Vec<u32>,
}

impl<'a> Owners<'a> {
    fn of(ends: &'a [u32]) -> Self {
        let places = ends.last().map_or(0, |words| 2 * words);
        let mut note = 0;
        let of_block = (0..=places >> BLOCK)
            .map(|block| {
                while ends.get(note as usize).is_some_and(|words| 2 * words <= block << BLOCK) {
                    note += 1;
                }
                note
            })
            .collect();
        Self { ends, of_block }
    }

    /// Parts the places of a term by their notes.
    fn part(&self, places: &[u32], notes: &mut Vec<Posting>, steps: &mut Vec<u32>) {
        // The note at hand, and where it ends.
        let (mut times, mut end, mut before) = (0, 0, 0);
        let mut at = 0;
        for &place in places {
            if place >= end {
                if times > 0 {
                    notes.push(Posting { note: at, times });
                }
                times = 0;
                at = self.of_block[(place >> BLOCK) as usize];
                while 2 * self.ends[at as usize] <= place {
                    at += 1;
                }
                end = 2 * self.ends[at as usize];
                before = at.checked_sub(1).map_or(0, |one| 2 * self.ends[one as usize]);
            }
            times += 1;
            steps.push(place - before);
            before = place;
        }
        if times > 0 {
            notes.push(Posting { note: at, times });
        }
    }
}

/// A word in the table of terms.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The first eight bytes of the word, or the hash of a longer one than [`Known::INLINE`].
    head: u64,
    /// The next four, or [`Known::LONG`].
    tail: u32,
    /// The number of the term; [`Known::NOBODY`] where no word is.
    term: u32,
}

impl Known {
    /// As many bytes of a word as stand in the table itself, so that most words are found in one place of the memory.
    const INLINE: usize = 12;
    /// No four bytes of a text.
    const LONG: u32 = u32::MAX;
    const NOBODY: Self = Self { head: 0, tail: 0, term: u32::MAX };

    fn is_nobody(&self) -> bool {
        self.term == u32::MAX
    }
}

/// Words and slots with their numbers, in the order in which they were first met.
#[derive(Debug, Default)]
struct Terms {
    /// Half empty; its length is a power of two.
    table: Vec<Known>,
    words: usize,
    /// All terms, one behind the other.
    text: Vec<u8>,
    ends: Vec<u32>,
    /// For the number of a set of codes its term, plus 1; 0 where it was not met.
    of_set: Vec<u32>,
}

impl Terms {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn memory(&self) -> usize {
        size_of_val(&self.table[..]) + self.text.len() + 8 * size_of_val(&self.ends[..])
    }

    fn text(&self, term: u32) -> &[u8] {
        let from = term.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.text[from as usize..self.ends[term as usize] as usize]
    }

    fn push(&mut self, term: &[u8]) -> u32 {
        self.text.extend_from_slice(term);
        self.ends.push(self.text.len() as u32);
        self.ends.len() as u32 - 1
    }

    fn of_set(&mut self, number: u32) -> u32 {
        let at = number as usize;
        if let Some(term) = self.of_set.get(at).and_then(|term| term.checked_sub(1)) {
            return term;
        }
        if self.of_set.len() <= at {
            self.of_set.resize(at + 1, 0);
        }
        let term = self.push(format!("{SLOT}{number}").as_bytes());
        self.of_set[at] = term + 1;
        term
    }

    #[inline]
    fn of_word(&mut self, text: &str, word: Range<usize>) -> u32 {
        if 2 * self.words >= self.table.len() {
            self.grow();
        }
        let text = text.as_bytes();
        let probe = Probe::at(text, word.start, word.end);
        let (head, tail) = key(&probe, word.len());
        let mut at = probe.hash as usize;
        loop {
            at &= self.table.len() - 1;
            let known = self.table[at];
            if known.is_nobody() {
                let term = self.push(&text[word]);
                self.table[at] = Known { head, tail, term };
                self.words += 1;
                return term;
            }
            if (known.head, known.tail) == (head, tail)
                && (tail != Known::LONG || self.text(known.term) == &text[word.clone()])
            {
                return known.term;
            }
            at += 1;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let len = (2 * self.table.len()).max(1 << 12);
        let old = std::mem::replace(&mut self.table, vec![Known::NOBODY; len]);
        for known in old.into_iter().filter(|known| !known.is_nobody()) {
            let mut at = Probe::of(self.text(known.term)).hash as usize;
            while !self.table[at & (len - 1)].is_nobody() {
                at += 1;
            }
            self.table[at & (len - 1)] = known;
        }
    }

    /// All terms in the order of their bytes.
    fn in_order(&self) -> Vec<u32> {
        // The first eight bytes tell most terms apart.
        let begin = |term: u32| {
            let mut bytes = [0; 8];
            let text = self.text(term);
            let len = text.len().min(8);
            bytes[..len].copy_from_slice(&text[..len]);
            u64::from_be_bytes(bytes)
        };
        let mut order: Vec<(u64, u32)> = (0..self.len() as u32).map(|term| (begin(term), term)).collect();
        order.sort_unstable_by(|one, other| one.0.cmp(&other.0).then_with(|| self.text(one.1).cmp(self.text(other.1))));
        order.into_iter().map(|(_, term)| term).collect()
    }
}

/// What the table has of a word.
#[inline]
fn key(probe: &Probe, len: usize) -> (u64, u32) {
    if len <= Known::INLINE { (probe.key[0], probe.key[1] as u32) } else { (probe.hash, Known::LONG) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// Terms with note, place.
    fn read(postings: &Postings) -> Vec<(String, Vec<(u32, u32)>)> {
        let mut found = Vec::new();
        let end = postings.each_term(|term, notes, steps| {
            let mut steps = steps.iter();
            let mut places = Vec::new();
            for posting in notes {
                let mut place = 0;
                for step in steps.by_ref().take(posting.times as usize) {
                    place += step;
                    places.push((posting.note, place));
                }
            }
            assert_eq!(steps.next(), None);
            found.push((String::from_utf8(term.to_vec()).unwrap(), places));
            Ok::<_, ()>(())
        });
        assert_eq!(end, Ok(()));
        found
    }

    fn add(postings: &mut Postings, text: &str) -> u32 {
        postings.add(&Slots::default(), text, &mut Normalized::default())
    }

    #[test]
    fn a_word_that_is_too_long_has_a_place_and_no_term() {
        let mut postings = Postings::default();
        assert_eq!(add(&mut postings, &format!("a {} b", "x".repeat(LONGEST + 1))), 2);
        assert_eq!(add(&mut postings, &"x".repeat(LONGEST)), 1);
        let terms: Vec<_> = read(&postings).into_iter().map(|(term, places)| (term.len(), places)).collect();
        assert_eq!(terms, [(1, vec![(0, 1)]), (1, vec![(0, 5)]), (LONGEST, vec![(1, 1)])]);
    }

    #[test]
    fn the_first_error_ends_it() {
        let mut postings = Postings::default();
        add(&mut postings, "a b c");
        let mut times = 0;
        let end = postings.each_term(|term, _, _| {
            times += 1;
            if term == b"b" { Err("full") } else { Ok(()) }
        });
        assert_eq!((end, times), (Err("full"), 2));
    }

    proptest! {
        // The same as putting each word of each note behind the others of its list, whatever the words and however long.
        #[test]
        fn as_if_each_word_had_its_list(
            notes in proptest::collection::vec("([a-c]{1,3}|[xy]{11,18}|[é漢]{1,7}|[0-9]{1,2})?( ([a-b]|[xy]{16,17}|[α-γ])){0,30}", 0..40),
            crowd in 0_u32..6000,
        ) {
            let crowd: Vec<String> = (0..crowd).map(|number| number.to_string()).collect();
            let notes: Vec<String> = notes.into_iter().chain([crowd.join(" "), String::new()]).collect();
            let mut postings = Postings::default();
            let mut lists: BTreeMap<String, Vec<(u32, u32)>> = BTreeMap::new();
            for (note, text) in (0..).zip(&notes) {
                let words = crate::slots::words(text);
                prop_assert_eq!(add(&mut postings, text), words.len() as u32);
                for (place, (word, _)) in (0..).zip(words) {
                    lists.entry(word).or_default().push((note, 2 * place + 1));
                }
            }
            prop_assert_eq!(postings.notes() as usize, notes.len());
            prop_assert_eq!(read(&postings), lists.into_iter().collect::<Vec<_>>());
        }
    }
}
