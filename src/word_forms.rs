//! What may be made of a lower-case word that stands on no list: a word of a list with one typing error (*rescue*), or a
//! prefix or an ending over a word of a list (*derivation*). `decide` asks where the policy wants it.
//!
//! Both are plain enough to be done again by a checker that shares nothing with this file: see `word_forms.py` of the
//! Python package, which does. No name of a person or place is a word for either of them, and neither makes one.

use crate::vocabulary::{Class, Classes, Vocabulary, WordId};

/// The shortest word that is looked at, in letters.
pub const SHORTEST: usize = 6;
/// The longest one.
pub const LONGEST: usize = 24;
/// The shortest stem behind a prefix, and before an ending.
pub const STEM: usize = 5;

/// Prefixes of the language and of medicine, read before a stem.
pub const PREFIXES: &[&str] = &[
    "anti",
    "auto",
    "bi",
    "cardio",
    "cerebro",
    "cervico",
    "chemo",
    "contra",
    "costo",
    "cranio",
    "de",
    "dis",
    "dys",
    "electro",
    "endo",
    "entero",
    "epi",
    "extra",
    "gastro",
    "hemi",
    "hemo",
    "hepato",
    "hyper",
    "hypo",
    "iliac",
    "ilio",
    "im",
    "immuno",
    "in",
    "infra",
    "inter",
    "intra",
    "lumbo",
    "macro",
    "micro",
    "mid",
    "mis",
    "multi",
    "musculo",
    "myo",
    "naso",
    "neo",
    "nephro",
    "neuro",
    "non",
    "out",
    "over",
    "para",
    "peri",
    "poly",
    "post",
    "pre",
    "pseudo",
    "psycho",
    "pyelo",
    "radio",
    "re",
    "recto",
    "retro",
    "sacro",
    "semi",
    "sub",
    "super",
    "supra",
    "thoraco",
    "trans",
    "tri",
    "ultra",
    "un",
    "under",
    "uni",
    "uretero",
    "uro",
    "vaso",
    "ventriculo",
];

/// Endings, and what a stem may have lost before them.
pub const ENDINGS: &[(&str, &[&str])] = &[
    ("s", &[""]),
    ("es", &[""]),
    ("ies", &["y"]),
    ("ed", &["", "e"]),
    ("ing", &["", "e"]),
    ("ly", &["", "le"]),
    ("ally", &["", "al"]),
    ("ness", &[""]),
    ("able", &["", "e"]),
    ("er", &["", "e"]),
    ("al", &["", "a", "e", "us", "um", "is"]),
    ("ar", &["", "a", "e", "us", "um"]),
    ("ic", &["", "ia", "y", "e", "is"]),
    ("ous", &["", "us", "e"]),
    ("ation", &["", "e"]),
    ("ized", &["", "e", "y"]),
    ("ization", &["", "e"]),
];

/// No word for what is made here: names, places, calendars.
const NEVER: Classes = Classes::of(&[
    Class::Surname,
    Class::FirstName,
    Class::City,
    Class::PlacePart,
    Class::State,
    Class::Country,
    Class::Month,
    Class::Weekday,
    Class::Holiday,
    Class::Eponym,
    Class::Deny,
]);

/// A word that may be looked at: lower-case letters of ASCII.
fn plain(word: &[u8]) -> bool {
    (SHORTEST..=LONGEST).contains(&word.len()) && word.iter().all(u8::is_ascii_lowercase)
}

fn listed(vocabulary: &Vocabulary, word: &[u8], allowed: Classes) -> Option<WordId> {
    let id = vocabulary.word(word);
    let classes = vocabulary.classes(id);
    (classes.any(allowed) && !classes.any(NEVER)).then_some(id)
}

/// Whether the word is a prefix before a listed word, or a listed word with an ending.
pub fn is_derived(vocabulary: &Vocabulary, word: &[u8], allowed: Classes) -> bool {
    if !plain(word) || vocabulary.classes(vocabulary.word(word)).any(NEVER) {
        return false;
    }
    let prefixed = PREFIXES.iter().any(|prefix| {
        word.strip_prefix(prefix.as_bytes())
            .is_some_and(|stem| stem.len() >= STEM && listed(vocabulary, stem, allowed).is_some())
    });
    prefixed
        || ENDINGS.iter().any(|(ending, lost)| {
            word.strip_suffix(ending.as_bytes()).is_some_and(|stem| {
                lost.iter().any(|lost| {
                    let mut whole = [0_u8; LONGEST + 2];
                    let len = stem.len() + lost.len();
                    whole[..stem.len()].copy_from_slice(stem);
                    whole[stem.len()..len].copy_from_slice(lost.as_bytes());
                    stem.len() >= STEM && listed(vocabulary, &whole[..len], allowed).is_some()
                })
            })
        })
}

/// The one listed word of six letters or more that one typing error makes of this one: a letter too many, too few, wrong, or
/// two neighbours swapped. `None` where there is none, or more than one.
pub fn rescued(vocabulary: &Vocabulary, word: &[u8], allowed: Classes) -> Option<WordId> {
    if !plain(word) || word.len() == LONGEST || vocabulary.classes(vocabulary.word(word)).any(NEVER) {
        return None;
    }
    let mut found = None;
    let mut several = false;
    let mut buffer = [0_u8; LONGEST + 1];
    let mut look = |candidate: &[u8]| {
        if candidate.len() < SHORTEST {
            return;
        }
        if let Some(id) = listed(vocabulary, candidate, allowed) {
            several |= found.is_some_and(|other| other != id);
            found = Some(id);
        }
    };
    for at in 0..=word.len() {
        let (head, tail) = word.split_at(at);
        buffer[..at].copy_from_slice(head);
        // A letter too few.
        buffer[at + 1..=word.len()].copy_from_slice(tail);
        for letter in b'a'..=b'z' {
            buffer[at] = letter;
            look(&buffer[..=word.len()]);
        }
        let Some((&first, rest)) = tail.split_first() else { break };
        // A wrong letter.
        buffer[at + 1..word.len()].copy_from_slice(rest);
        for letter in (b'a'..=b'z').filter(|&letter| letter != first) {
            buffer[at] = letter;
            look(&buffer[..word.len()]);
        }
        // A letter too many.
        buffer[at..word.len() - 1].copy_from_slice(rest);
        look(&buffer[..word.len() - 1]);
        // Two neighbours swapped.
        if let Some((&second, rest)) = rest.split_first() {
            buffer[at] = second;
            buffer[at + 1] = first;
            buffer[at + 2..word.len()].copy_from_slice(rest);
            look(&buffer[..word.len()]);
        }
    }
    found.filter(|_| !several)
}

/// Whether the word stands in a term of several words and is no name: five letters or more, on no list that says otherwise.
pub fn is_of_a_term(vocabulary: &Vocabulary, word: &[u8], id: WordId) -> bool {
    word.len() >= STEM && word.iter().all(u8::is_ascii_lowercase) && id.is_known() && !vocabulary.classes(id).any(NEVER)
}
