//! Differences between two versions of a vocabulary: codes, names, terms, and words that may come out.

use serde::Serialize;

use notesieve_vocabulary::class::{Class, Classes};
use notesieve_vocabulary::{ConceptId, EntryFlags, EntryId, Vocabulary};

/// Lists whose words may come out.
const ALLOWED: Classes = Classes::of(&[Class::Stop, Class::English, Class::Literature, Class::Clinical, Class::Term]);

/// A concept or term that differs between two versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The code of the concept, or the units of the term joined by spaces.
    pub what: String,
    /// The old name or codes.
    pub old: String,
    /// The new name or codes.
    pub new: String,
}

/// The differences between two vocabularies. All lists are in alphabetical order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Diff {
    /// The codes that only the new one has.
    pub concepts_added: Vec<String>,
    /// The codes that only the old one has.
    pub concepts_removed: Vec<String>,
    /// The concepts whose preferred name changed.
    pub concepts_renamed: Vec<Change>,
    /// The terms that only the new one has.
    pub terms_added: Vec<String>,
    /// The terms that only the old one has.
    pub terms_removed: Vec<String>,
    /// The terms whose codes changed.
    pub terms_recoded: Vec<Change>,
    /// The words that may come out with the new one only.
    pub words_allowed: Vec<String>,
    /// The words that may come out with the old one only.
    pub words_no_longer_allowed: Vec<String>,
}

/// Compares two vocabularies.
pub fn diff(old: &Vocabulary, new: &Vocabulary) -> Diff {
    let mut diff = Diff::default();
    for (one, other, missing) in [(new, old, &mut diff.concepts_added), (old, new, &mut diff.concepts_removed)] {
        let codes = (0..one.concept_count() as u32).map(|id| one.curie(ConceptId(id)));
        missing.extend(codes.filter(|code| other.concept_of_curie(code).is_none()));
        missing.sort_unstable();
    }
    for id in (0..new.concept_count() as u32).map(ConceptId) {
        let code = new.curie(id);
        let Some(before) = old.concept_of_curie(&code) else { continue };
        let (old, new) = (old.preferred_name(before), new.preferred_name(id));
        if old != new {
            diff.concepts_renamed.push(Change { what: code, old, new });
        }
    }
    diff.concepts_renamed.sort_unstable_by(|a, b| a.what.cmp(&b.what));
    new.for_each_entry(|key, entry| {
        if !is_term(new, entry) {
            return;
        }
        match old.entry_of_key(key).filter(|&before| is_term(old, before)) {
            None => diff.terms_added.push(key.to_owned()),
            Some(before) => {
                let (old, new) = (codes_of_entry(old, before), codes_of_entry(new, entry));
                if old != new {
                    diff.terms_recoded.push(Change { what: key.to_owned(), old, new });
                }
            }
        }
    });
    old.for_each_entry(|key, entry| {
        if is_term(old, entry) && new.entry_of_key(key).is_none_or(|now| !is_term(new, now)) {
            diff.terms_removed.push(key.to_owned());
        }
    });
    for (one, other, words) in [(new, old, &mut diff.words_allowed), (old, new, &mut diff.words_no_longer_allowed)] {
        one.for_each_word(|word| {
            if is_allowed(one, word) && !is_allowed(other, word) {
                words.push(word.to_owned());
            }
        });
    }
    diff
}

fn is_term(vocabulary: &Vocabulary, entry: EntryId) -> bool {
    vocabulary.entry_flags(entry).has(EntryFlags::TERM)
}

fn is_allowed(vocabulary: &Vocabulary, word: &str) -> bool {
    vocabulary.classes(vocabulary.word_id(word.as_bytes())).any(ALLOWED)
}

fn codes_of_entry(vocabulary: &Vocabulary, entry: EntryId) -> String {
    vocabulary.entry_concepts(entry).map(|id| vocabulary.curie(id)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::Compiler;
    use super::super::term::{Record, Term, TermKind, Word};
    use super::*;

    fn vocabulary(terms: &[(&str, &str)], words: &[&str]) -> Vocabulary {
        let mut compiler = Compiler::new();
        for &(code, text) in terms {
            let (text, code, system) = (text.to_owned(), code.to_owned(), "t".to_owned());
            compiler.push_record(Record::Term(Term { text, code, system, kind: TermKind::Preferred }));
        }
        for &text in words {
            compiler.push_record(Record::Word(Word { text: text.to_owned(), class: Class::English, count: 1 }));
        }
        Vocabulary::from_bytes(compiler.finish().expect("compiled").0).expect("a vocabulary")
    }

    #[test]
    fn everything_that_changed_is_named_and_nothing_else() {
        let old = vocabulary(&[("1", "marsh fever"), ("2", "ague"), ("3", "bog liver")], &["walk", "fell"]);
        let new = vocabulary(&[("1", "fen fever"), ("2", "ague"), ("4", "bog liver"), ("5", "paludism")], &["walk"]);
        let found = diff(&old, &new);
        assert_eq!(found.concepts_added, ["t:4", "t:5"]);
        assert_eq!(found.concepts_removed, ["t:3"]);
        let renamed = Change { what: "t:1".into(), old: "marsh fever".into(), new: "fen fever".into() };
        assert_eq!(found.concepts_renamed, [renamed]);
        assert_eq!(found.terms_added, ["fen fever", "paludism"]);
        assert_eq!(found.terms_removed, ["marsh fever"]);
        let recoded = Change { what: "bog liver".into(), old: "t:3".into(), new: "t:4".into() };
        assert_eq!(found.terms_recoded, [recoded]);
        assert_eq!(found.words_allowed, ["paludism"]);
        assert_eq!(found.words_no_longer_allowed, ["fell"]);
        assert_eq!(diff(&old, &old), Diff::default());
    }
}
