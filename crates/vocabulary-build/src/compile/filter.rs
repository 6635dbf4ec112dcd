//! Filters that drop terms.

use super::{Compiler, Form, FormKind};
use notesieve_vocabulary::class::{Class, Classes};

/// The maximum number of words of a term: notes never contain longer ones verbatim.
const MAX_WORDS: usize = 8;
/// The maximum number of units of any form, punctuation included.
pub(super) const MAX_UNITS: usize = 40;
/// The minimum number of letters and digits of a term: shorter ones are too ambiguous.
const MIN_LETTERS_AND_DIGITS: usize = 3;

/// Terms of sources that are ordinary words in notes.
const ORDINARY_SOURCE_TERMS: [&str; 13] =
    ["he", "in", "on", "or", "was", "met", "set", "mr", "dr", "ms", "mrs", "cap", "map"];

const NAMES: Classes = Classes::of(&[Class::Surname, Class::FirstName]);
/// Lists of places: a phrase on one of them is no reason to keep a token.
pub(super) const PLACES: Classes = Classes::of(&[Class::City, Class::State, Class::Country, Class::County]);
/// Ordinary words that identify nobody.
pub(super) const ORDINARY: Classes = Classes::of(&[Class::English, Class::Stop]);

/// Generic heads, meaningless after a stop word: "her disease", "the syndrome".
const HEADS: [&str; 5] = ["disease", "diseases", "disorder", "disorders", "syndrome"];

/// The reason why a term was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DropReason {
    /// Only white space, hyphens and apostrophes.
    Empty,
    /// Only numbers and punctuation.
    NoLetters,
    /// More than eight words.
    Long,
    /// One or two letters.
    Short,
    /// Stop words only.
    StopWords,
    /// Ends in a comma, so it is truncated.
    Cut,
    /// A title, or one of the source terms that are ordinary words in notes.
    Junk,
    /// An organism of one word that is also a name.
    OrganismName,
    /// A place in the `MeSH` tree (branch Z).
    MeshPlace,
}

impl DropReason {
    /// Returns the name in reports.
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

/// Applies the filters that do not need the lists.
pub(super) fn dropped_by_shape(words: usize, units: usize, size: usize, place: bool) -> Option<DropReason> {
    if words == 0 {
        Some(DropReason::NoLetters)
    } else if words > MAX_WORDS || units > MAX_UNITS {
        Some(DropReason::Long)
    } else if size < MIN_LETTERS_AND_DIGITS && !place {
        Some(DropReason::Short)
    } else {
        None
    }
}

/// Applies the filters that need the complete lists.
pub(super) fn dropped_by_lists(compiler: &Compiler, form: &Form) -> Option<DropReason> {
    if !matches!(form.kind, FormKind::Preferred | FormKind::Synonym | FormKind::Variant) {
        return None;
    }
    let units = compiler.units_of(form);
    let word = |unit: &u32| &compiler.words[*unit as usize];
    let says_nothing = |unit: &u32| !word(unit).letters || word(unit).classes.has(Class::Stop);
    if units.iter().all(says_nothing)
        || matches!(units, [first, head] if says_nothing(first) && HEADS.contains(&&*word(head).text))
    {
        return Some(DropReason::StopWords);
    }
    if units.last().is_some_and(|unit| &*word(unit).text == ",") {
        return Some(DropReason::Cut);
    }
    let (in_places, in_organisms) = compiler.collected.mesh_branches(form.concept);
    if in_places {
        return Some(DropReason::MeshPlace);
    }
    if let [unit] = units {
        let word = word(unit);
        if word.classes.has(Class::Title) || ORDINARY_SOURCE_TERMS.contains(&&*word.text) {
            return Some(DropReason::Junk);
        }
        if in_organisms && word.classes.any(NAMES) {
            return Some(DropReason::OrganismName);
        }
    }
    None
}

/// Returns whether a word is a name of a person or a place.
pub(super) fn is_name(classes: Classes) -> bool {
    classes.any(NAMES | PLACES)
}
