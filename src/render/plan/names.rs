//! Reads the names of a note, and numbers people, places and things.

use super::{RemovedSpan, ReplacementPlan};
use crate::finding::{Category, Kind};
use crate::render::surrogate::NameType;
use crate::render::{Context, tag};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

impl ReplacementPlan<'_> {
    pub(super) fn read_names(&mut self, runs: &[RemovedSpan]) {
        if let Some(patient) = self.context.patient {
            let names: Vec<Vec<String>> =
                patient.known().names.iter().map(|name| crate::patient::name_words(name)).collect();
            self.people.add_patient(&names);
            if !names.concat().is_empty() {
                // The patient always has number 1.
                self.numbers.insert((Category::Name, "person 0".to_owned()), 1);
            }
        }
        for run in runs.iter().filter(|run| run.kind.category() == Category::Name) {
            let words = self.folded_name(*run);
            if words.is_empty() {
                continue;
            }
            let person = self.people.find_or_add(&words);
            self.persons.insert(run.first, person);
            if let Some(gender) = self.gender_of_title_before(run.first) {
                let told = words.iter().filter(|word| self.is_first_name(word)).cloned();
                let told: Vec<String> = told.collect();
                self.genders.extend(told.into_iter().map(|word| (word, gender)));
            }
            self.names.extend(words.into_iter().filter(|word| word.len() > 1));
        }
    }

    /// Returns the folded words of a name, with the surname last.
    fn folded_name(&self, run: RemovedSpan) -> Vec<String> {
        let note = self.note();
        let mut words = Vec::new();
        let mut comma = None;
        for at in run.first..run.end {
            if note.is_word(at) && !note.any(at, Classes::of(&[Class::NameSuffix, Class::Title, Class::Credential])) {
                // Initials without full stops: JB.
                let initials = run.kind == Kind::Initials && note.case(at) == Case::Upper && note.bytes(at).len() > 1;
                if initials {
                    words.extend(note.word(at).chars().map(String::from));
                } else {
                    words.push(note.word(at).to_owned());
                }
            } else if note.is_mark(at, b',') && comma.is_none() && !words.is_empty() {
                comma = Some(words.len());
            }
        }
        if let Some(comma) = comma {
            words.rotate_left(comma);
        }
        words
    }

    pub(super) fn gender_of_title_before(&self, first: usize) -> Option<NameType> {
        let note = self.note();
        for back in 1..=2 {
            let at = first.checked_sub(back)?;
            match note.bytes(at) {
                b"mr" | b"mister" | b"sir" | b"husband" | b"father" | b"son" | b"brother" | b"uncle"
                | b"grandfather" | b"nephew" | b"sr" | b"senor" => return Some(NameType::Man),
                b"mrs" | b"ms" | b"miss" | b"wife" | b"mother" | b"daughter" | b"sister" | b"aunt" | b"grandmother"
                | b"niece" | b"sra" | b"senora" | b"mme" => return Some(NameType::Woman),
                b"." => {}
                _ => return None,
            }
        }
        None
    }

    /// Returns whether a word is more often a first name than a surname.
    pub(super) fn is_first_name(&self, word: &str) -> bool {
        let vocabulary = self.input.vocabulary;
        let id = vocabulary.word_id(word.as_bytes());
        let ranks = vocabulary.ranks(id);
        vocabulary.classes(id).has(Class::FirstName) && ranks.first_name > ranks.surname
    }

    /// Returns the tag with the number of the person, place or thing.
    pub(super) fn numbered_tag(&mut self, run: RemovedSpan) -> Option<String> {
        let category = run.kind.category();
        if category == Category::Age {
            return None;
        }
        let person = self.persons.get(&run.first).copied();
        let thing = match person {
            Some(person) => format!("person {person}"),
            None => self.folded_text(run).replace(' ', ""),
        };
        let known = (category, thing);
        let number = self.numbers.get(&known).copied().unwrap_or_else(|| self.next_number(category, person, &known.1));
        self.numbers.insert(known, number);
        let mut tag = String::new();
        tag::write_numbered(&self.input, run.first, run.end, run.kind, number, &mut tag);
        Some(tag)
    }

    /// Returns a number that is free in its category: in order of appearance, or drawn from the key where all notes of
    /// a patient must agree.
    fn next_number(&self, category: Category, person: Option<usize>, thing: &str) -> u64 {
        let taken = |number: u64| self.numbers.iter().any(|((known, _), other)| *known == category && *other == number);
        let Context { patient, key, .. } = self.context;
        let mut number = 1;
        if let (Some(key), Some(id)) = (key, patient.and_then(|patient| patient.draw_id())) {
            let family = person.map_or(thing, |person| self.people.family_name(person));
            number =
                FIRST_KEYED_NUMBER + key.draw_below(9 * FIRST_KEYED_NUMBER, "number", &[id, category.key(), family]);
        }
        while taken(number) {
            number += 1;
        }
        number
    }
}

/// Drawn numbers have five digits, so that they are not confused with numbers in order of appearance.
const FIRST_KEYED_NUMBER: u64 = 10_000;
