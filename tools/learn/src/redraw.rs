//! Replaces names and places in marked notes, so that weights learn the context and not the name.

use std::collections::HashMap;

use notesieve::names::Rng;
use notesieve::text::span::Span;
use notesieve::vocabulary::{Class, Classes, Vocabulary};
use regex::Regex;

use crate::notes::Note;

/// Words to draw from.
pub struct Pools {
    pub words: Vec<String>,
    pub names: Vec<String>,
    pub cities: Vec<String>,
    pub pattern: Regex,
}

/// Lists whose words are not replaced in the name of a place.
const CUES: Classes = Classes(
    !(Class::Surname.as_set().0
        | Class::FirstName.as_set().0
        | Class::City.as_set().0
        | Class::English.as_set().0
        | Class::Literature.as_set().0
        | Class::TermPart.as_set().0
        | Class::WordCount.as_set().0
        | Class::Usage.as_set().0
        | Class::PlacePart.as_set().0
        | Class::Term.as_set().0
        | Class::County.as_set().0),
);

impl Pools {
    /// Returns the note with other names and places.
    pub fn redraw_note(&self, note: &Note, vocabulary: &Vocabulary, rng: &mut Rng) -> Note {
        let mut drawn = Note::default();
        let mut memory: HashMap<String, String> = HashMap::new();
        let mut at = 0;
        for (span, kind) in &note.marks {
            drawn.text += &note.text[at..span.start as usize];
            let inside = &note.text[span.start as usize..span.end as usize];
            let start = drawn.text.len() as u32;
            let name = kind.starts_with("NAME");
            if name || kind.starts_with("LOC") {
                let other = self.pattern.replace_all(inside, |found: &regex::Captures<'_>| {
                    memory
                        .entry(found[0].to_owned())
                        .or_insert_with(|| self.draw_similar_word(&found[0], name, vocabulary, rng))
                        .clone()
                });
                drawn.text += &other;
            } else {
                drawn.text += inside;
            }
            drawn.marks.push((Span::new(start, drawn.text.len() as u32), kind.clone()));
            at = span.end as usize;
        }
        drawn.text += &note.text[at..];
        drawn
    }

    fn draw_similar_word(&self, word: &str, name: bool, vocabulary: &Vocabulary, rng: &mut Rng) -> String {
        let folded = word.to_lowercase();
        let listed = vocabulary.classes(vocabulary.word_id(folded.as_bytes()));
        let other = if name {
            match () {
                () if rng.happens_per_mille(400) => pick_word(&self.words, rng).to_owned(),
                () if rng.happens_per_mille(150) => made_up_name(rng),
                () => pick_word(&self.names, rng).to_owned(),
            }
        } else {
            if listed.any(CUES) || rng.happens_per_mille(300) {
                return word.to_owned();
            }
            if rng.happens_per_mille(500) {
                pick_word(&self.cities, rng).to_owned()
            } else {
                pick_word(&self.words, rng).to_owned()
            }
        };
        let first = word.chars().next().is_some_and(char::is_uppercase);
        if word.chars().all(char::is_uppercase) {
            other.to_uppercase()
        } else if first {
            let mut letters = other.chars();
            letters.next().map_or_else(String::new, |letter| letter.to_uppercase().chain(letters).collect())
        } else {
            other
        }
    }
}

fn pick_word<'a>(words: &'a [String], rng: &mut Rng) -> &'a str {
    &words[rng.next_below(words.len())]
}

fn made_up_name(rng: &mut Rng) -> String {
    let (consonants, vowels) = (b"bdfgklmnrstvz", b"aeiou");
    let syllables = 2 + rng.next_below(2);
    let letters = (0..syllables).flat_map(|_| {
        [consonants[rng.next_below(consonants.len())] as char, vowels[rng.next_below(vowels.len())] as char]
    });
    letters.collect()
}

/// Returns the note in lower case or in capitals; only ASCII letters change, so that spans stay valid.
pub fn note_in_case(note: &Note, upper: bool) -> Note {
    let letter = |letter: char| if upper { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
    Note { text: note.text.chars().map(letter).collect(), ..note.clone() }
}

/// Returns an excerpt of a note of at most `most` words, like the cell of a table or the field of a form, without
/// splitting marks.
pub fn excerpt_of_note(note: &Note, most: usize, rng: &mut Rng) -> Note {
    let inside = |at: usize| note.marks.iter().any(|(span, _)| (span.start as usize) < at && at < span.end as usize);
    let starts: Vec<usize> = note
        .text
        .match_indices(|letter: char| !letter.is_whitespace())
        .map(|(at, _)| at)
        .filter(|&at| note.text[..at].chars().next_back().is_none_or(char::is_whitespace) && !inside(at))
        .collect();
    let words = 1 + rng.next_below(most);
    let first = rng.next_below(starts.len().max(1));
    let from = starts.get(first).copied().unwrap_or_default();
    let to = starts.get(first + words).copied().unwrap_or(note.text.len());
    let marks = note.marks.iter().filter(|(span, _)| from <= span.start as usize && span.end as usize <= to);
    let moved = |span: &Span| Span::new(span.start - from as u32, span.end - from as u32);
    Note {
        text: note.text[from..to].trim_end().to_owned(),
        marks: marks.map(|(span, kind)| (moved(span), kind.clone())).collect(),
        ..Note::default()
    }
}
