//! Propagates names found in a certain context to the rest of the note.

use crate::bits::indices_of_bits;
use crate::rules::engine::GROUP;
use crate::rules::engine::columns::Columns;
use crate::rules::engine::names::{NAMES, is_mostly_name, is_shouted, name_log_odds};
use crate::rules::engine::{Certainty, Finding, Findings, Kind, Note, Verdict};
use crate::vocabulary::{Class, Classes, WordId};

/// The maximum number of name words to propagate; exceeds that of any note and keeps the set small.
const MAX_WORDS: usize = 64;

/// The number of slots of the hash table.
const SLOTS: usize = 256;

/// The name words of one note; reused for the next note.
#[derive(Debug)]
pub struct FoundNames {
    /// An open-addressing hash table by the last eight bits of the word; empty slots hold [`WordId::UNKNOWN`].
    places: [WordId; SLOTS],
    count: usize,
}

impl Default for FoundNames {
    fn default() -> Self {
        Self { places: [WordId::UNKNOWN; SLOTS], count: 0 }
    }
}

impl FoundNames {
    /// Adds a word, unless there are too many.
    fn add_word(&mut self, word: WordId) {
        let place = self.slot_of(word);
        if self.count < MAX_WORDS && self.places[place] != word {
            self.places[place] = word;
            self.count += 1;
        }
    }

    /// Returns whether the word is in the set.
    #[inline]
    fn has(&self, word: WordId) -> bool {
        self.places[self.slot_of(word)] == word && word.is_known()
    }

    /// Returns the slot of the word, or the empty slot where it belongs.
    #[inline]
    fn slot_of(&self, word: WordId) -> usize {
        let mut place = word.0 as usize % SLOTS;
        while self.places[place] != word && self.places[place].is_known() {
            place = (place + 1) % SLOTS;
        }
        place
    }

    /// Reports every other occurrence of the names found so far. Words on no list need no finding: nothing vouches for
    /// them.
    pub(in crate::rules) fn report_repeats(&mut self, note: &Note<'_>, columns: &Columns, findings: &mut Findings) {
        *self = Self::default();
        for findings in findings.as_slice().chunks(GROUP) {
            // The first pass is branchless, because which findings are names is unpredictable.
            let names = findings.iter().rev().fold(0, |names, finding| names << 1 | u64::from(may_spread(finding)));
            for nth in indices_of_bits(names) {
                self.add_words(note, &findings[nth]);
            }
        }
        if self.count == 0 {
            return;
        }
        // Only capitalised words count as names here.
        for (group, (columns, ids)) in columns.word_bits().iter().zip(note.word_ids().chunks(GROUP)).enumerate() {
            for place in indices_of_bits(columns.capitalised) {
                let Some(&id) = ids.get(place) else { break };
                if self.has(id) {
                    report_repeated_word(note, group * GROUP + place, findings);
                }
            }
        }
    }

    /// Adds the name words of a finding.
    fn add_words(&mut self, note: &Note<'_>, finding: &Finding) {
        let place = finding.verdict != Verdict::Remove(Kind::Name);
        for at in finding.first as usize..finding.end as usize {
            let name = note.is_word(at)
                && note.width(at) > 2
                && note.word_id(at).is_known()
                && !note.is(at, Class::Stop)
                && (note.any(at, NAMES) && !place || note.capitalised(at))
                && !(place && is_common_place_word(note, at));
            if name {
                self.add_word(note.word_id(at));
            }
        }
    }
}

/// Returns whether a finding is a name of a person or a place with at least likely certainty.
#[inline]
fn may_spread(finding: &Finding) -> bool {
    let named =
        matches!(finding.verdict, Verdict::Remove(Kind::Name | Kind::City | Kind::Hospital | Kind::Organisation));
    let likely = finding.certainty >= Certainty::Likely;
    named & likely
}

/// Reports a capitalised word that is part of a name found elsewhere.
fn report_repeated_word(note: &Note<'_>, at: usize, findings: &mut Findings) {
    // In capitals or at the start of a sentence, an ordinary word looks like this too.
    let named = if is_shouted(note, at) {
        is_mostly_name(note, at)
    } else {
        !note.sentence_start(at) || name_log_odds(note, at) >= 4
    };
    if named {
        findings.remove(at, at + 1, Kind::Name, Certainty::Weak);
    }
}

/// Returns whether a word is common in names of places.
fn is_common_place_word(note: &Note<'_>, at: usize) -> bool {
    let kinds = Classes::of(&[
        Class::Facility,
        Class::Organisation,
        Class::StreetType,
        Class::PlaceBefore,
        Class::PlaceAfter,
        Class::WardNoun,
        Class::Clinical,
        Class::Title,
        Class::PersonNoun,
        Class::Relative,
        Class::NameField,
        Class::IdKeyword,
    ]);
    note.width(at) < 4 || note.any(at, kinds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_words_with_the_same_last_bits() {
        let mut names = FoundNames::default();
        for word in [7, 7 + 256, 7, 8, 255, 511] {
            names.add_word(WordId(word));
        }
        assert_eq!(names.count, 5);
        assert!([7, 263, 8, 255, 511].iter().all(|&word| names.has(WordId(word))));
        assert!(![0, 9, 519, 767, 256].iter().any(|&word| names.has(WordId(word))));
        assert!(!names.has(WordId::UNKNOWN) && !names.has(WordId::SKIPPED));
        for word in 1000..2000 {
            names.add_word(WordId(word));
        }
        assert_eq!(names.count, MAX_WORDS, "no more than those");
        assert!(!names.has(WordId(1999)));
    }
}
