//! Words for ethnicity and nationality, which a policy may remove: Safe Harbor does not list them, but a rare origin
//! narrows down who the patient is.
//!
//! They are reported after the model has judged the note, so that they do not influence it, and nothing overrules them.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::document::SourceName;
use crate::finding::{Certainty, Kind};
use crate::note::Note;
use crate::rules::{self, Findings, Verdict};
use crate::terms::Match;
use crate::text::bundled_list;
use crate::text::lists::Line;
use crate::vocabulary::{Class, Classes, Group};

/// The context that a word needs to state somebody's origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NeededContext {
    Nothing,
    /// A capital letter: *polish* is not a nationality.
    Capital,
    /// A word for a person after it, or race before it: *white male*, *race: white*.
    Person,
}

/// The words, by the first of each phrase; the longest phrases first.
static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let mut phrases = bundled_list!("ethnicity.txt").read(|phrases: &mut Phrases, line| {
        let Line::Item(items) = line else { return Err("a section in a list without sections".to_owned()) };
        for item in items.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let needs = match item.as_bytes()[0] {
                b'^' => NeededContext::Capital,
                b'+' => NeededContext::Person,
                _ => NeededContext::Nothing,
            };
            let mut words = item.trim_start_matches(['^', '+']).split(' ');
            let first = words.next().unwrap_or_default();
            phrases.entry(first).or_default().push((words.collect(), needs));
        }
        Ok(())
    });
    for rests in phrases.values_mut() {
        rests.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
    }
    phrases
});

type Phrases = HashMap<&'static str, Vec<(Vec<&'static str>, NeededContext)>>;

/// Finds the words for one scrubber.
#[derive(Debug)]
pub(crate) struct EthnicityWords {
    name: Option<SourceName>,
}

impl EthnicityWords {
    pub(crate) fn new() -> Self {
        Self { name: SourceName::detector("detector:ethnicity") }
    }

    /// Returns whether findings can be reported; see [`SourceName::detector`].
    pub(crate) const fn has_detector_name(&self) -> bool {
        self.name.is_some()
    }

    /// Reports the words of a note, except inside a longer term for something else: *German measles* states nobody's
    /// origin.
    pub(crate) fn report_ethnicity(&self, note: &Note<'_>, terms: &[Match], findings: &mut Findings) {
        let Some(name) = self.name else { return };
        let found: Vec<_> = (0..note.len()).filter_map(|at| Some((at, end_of_phrase(note, at)?))).collect();
        if found.is_empty() {
            return;
        }
        let mut in_other_term = vec![false; note.len()];
        for term in terms.iter().filter(|term| term.tokens().len() > 1 && !term_is_about_people(note, term)) {
            in_other_term[term.tokens()].fill(true);
        }
        for (first, last) in found {
            if !(first..last).all(|at| in_other_term[at]) {
                let verdict = Verdict::Remove(Kind::Ethnicity);
                rules::add_detection(findings, (first, last), verdict, Certainty::Sure, name.number_of_detector());
            }
        }
    }
}

/// Returns the end (exclusive) of the phrase that begins at a token.
fn end_of_phrase(note: &Note<'_>, first: usize) -> Option<usize> {
    if !note.is_word(first) || note.word(first) == "french" && first > 0 && note.is_number(first - 1) {
        return None; // `16 French` is the size of a catheter
    }
    let rests = [note.word(first), without_plural_s(note.word(first))].map(|word| PHRASES.get(word));
    rests.into_iter().flatten().flatten().find_map(|(rest, needs)| {
        let mut last = first;
        for word in rest {
            last = next_phrase_token(note, last)?;
            if note.word(last) != *word && without_plural_s(note.word(last)) != *word {
                return None;
            }
        }
        let fits = match needs {
            NeededContext::Nothing => true,
            NeededContext::Capital => note.capitalised(first),
            NeededContext::Person => is_said_of_person(note, first, last),
        };
        fits.then_some(last + 1)
    })
}

fn without_plural_s(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

/// Returns the next token that counts in phrases.
fn next_phrase_token(note: &Note<'_>, at: usize) -> Option<usize> {
    let last = note.len().min(at + 3);
    (at + 1..last).find(|&at| !note.token(at).skipped_in_terms())
}

/// Returns whether a word for a person follows, or a word for race follows or shortly precedes.
fn is_said_of_person(note: &Note<'_>, first: usize, last: usize) -> bool {
    const PEOPLE: Classes = Classes::of(&[Class::PersonNoun, Class::Relative]);
    const PERSON: &[&str] = &[
        "m",
        "f",
        "male",
        "female",
        "man",
        "woman",
        "men",
        "women",
        "boy",
        "girl",
        "gentleman",
        "lady",
        "race",
        "person",
        "people",
    ];
    let after = next_phrase_token(note, last).is_some_and(|at| note.any(at, PEOPLE) || PERSON.contains(&note.word(at)));
    let before = (first.saturating_sub(2)..first).any(|at| matches!(note.word(at), "race" | "racial" | "ethnicity"));
    after || before
}

fn term_is_about_people(note: &Note<'_>, term: &Match) -> bool {
    let vocabulary = note.vocabulary();
    let mut groups = vocabulary.entry_concepts(term.entry).map(|concept| vocabulary.group(concept));
    groups.all(|group| matches!(group, Group::Person | Group::Place | Group::Other))
}
