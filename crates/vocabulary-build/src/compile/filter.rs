//! Which terms are left out, and why.

use super::{Compiler, Form, Purpose};
use notesieve_vocabulary::class::{Class, Classes};

/// Terms of more words are never written in a note as they are.
const MOST_WORDS: usize = 8;
/// And no form of any kind has more units, marks included.
pub(super) const MOST_UNITS: usize = 40;
/// Terms of fewer letters and digits mean too many things.
const LEAST_SIZE: usize = 3;

/// Terms of sources that are ordinary words in notes.
const JUNK: [&str; 13] = ["he", "in", "on", "or", "was", "met", "set", "mr", "dr", "ms", "mrs", "cap", "map"];

const NAMES: Classes = Classes::of(&[Class::Surname, Class::FirstName]);
/// Lists of places: a phrase of one of them is never let through.
pub(super) const PLACES: Classes = Classes::of(&[Class::City, Class::State, Class::Country, Class::County]);
/// Words that identify nobody and are no names.
pub(super) const ORDINARY: Classes = Classes::of(&[Class::English, Class::Stop]);

/// Heads that say nothing after a word that says nothing: "her disease", "the syndrome".
const HEADS: [&str; 5] = ["disease", "diseases", "disorder", "disorders", "syndrome"];

/// Why a term was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dropped {
    /// Nothing but white space, hyphens and apostrophes.
    Empty,
    /// Numbers and marks only.
    NoLetters,
    /// More than eight words.
    Long,
    /// One or two letters.
    Short,
    /// Stop words only.
    StopWords,
    /// It ends in a comma: what should follow is missing.
    Cut,
    /// A title, or one of the words that sources list and notes use otherwise.
    Junk,
    /// An organism of one word that is somebody's name.
    OrganismName,
    /// A place of the `MeSH` tree (branch Z).
    MeshPlace,
}

impl Dropped {
    /// The name in reports.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::NoLetters => "no letters",
            Self::Long => "more than eight words",
            Self::Short => "one or two letters",
            Self::StopWords => "stop words only",
            Self::Cut => "ends in a comma",
            Self::Junk => "title or junk",
            Self::OrganismName => "organism that is a name",
            Self::MeshPlace => "place",
        }
    }
}

/// What can be said of a term without knowing the lists.
pub(super) fn dropped_by_shape(words: usize, units: usize, size: usize, place: bool) -> Option<Dropped> {
    if words == 0 {
        Some(Dropped::NoLetters)
    } else if words > MOST_WORDS || units > MOST_UNITS {
        Some(Dropped::Long)
    } else if size < LEAST_SIZE && !place {
        Some(Dropped::Short)
    } else {
        None
    }
}

/// What must be said when all lists are known.
pub(super) fn dropped_by_lists(compiler: &Compiler, form: &Form) -> Option<Dropped> {
    if !matches!(form.purpose, Purpose::Preferred | Purpose::Synonym | Purpose::Variant) {
        return None;
    }
    let units = compiler.units_of(form);
    let word = |unit: &u32| &compiler.words[*unit as usize];
    let says_nothing = |unit: &u32| !word(unit).letters || word(unit).classes.has(Class::Stop);
    if units.iter().all(says_nothing)
        || matches!(units, [first, head] if says_nothing(first) && HEADS.contains(&&*word(head).text))
    {
        return Some(Dropped::StopWords);
    }
    if units.last().is_some_and(|unit| &*word(unit).text == ",") {
        return Some(Dropped::Cut);
    }
    let (in_places, in_organisms) = compiler.collected.mesh_branches(form.concept);
    if in_places {
        return Some(Dropped::MeshPlace);
    }
    if let [unit] = units {
        let word = word(unit);
        if word.classes.has(Class::Title) || JUNK.contains(&&*word.text) {
            return Some(Dropped::Junk);
        }
        if in_organisms && word.classes.any(NAMES) {
            return Some(Dropped::OrganismName);
        }
    }
    None
}

/// Whether a word is somebody's name or a place's.
pub(super) fn is_name(classes: Classes) -> bool {
    classes.any(NAMES | PLACES)
}
