//! Compiled vocabularies as sources, for merging.
//!
//! A compiled file has only the units of terms, in lower case; a form that matches only capital letters is returned in
//! capital letters. Word counts are returned as the smallest count of their rank.

use std::path::Path;

use serde::Deserialize;

use super::{Each, OnUnreadable, Sink, Summary};
use crate::term::{Concept, TermKind, Word};
use notesieve_text::error::Result;
use notesieve_vocabulary::class::Class;
use notesieve_vocabulary::{ConceptId, EntryFlags, EntryId, FrequencyRanks, Vocabulary};

/// Lists that the compiler sets itself.
const MADE: &[Class] = &[Class::Term, Class::TermPart, Class::PlacePart];

/// Options for reading a compiled vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Whether to read concepts and their terms, or only the lists of words and places.
    pub concepts: bool,
}

impl Default for Options {
    /// Reads everything.
    fn default() -> Self {
        Self { concepts: true }
    }
}

/// Reads a compiled vocabulary after verifying all of its bytes.
pub fn read(path: &Path, options: Options, each: Each<'_>) -> Result<Summary> {
    read_open_vocabulary(&Vocabulary::open(path)?, options, each)
}

/// Reads an open vocabulary after verifying all of its bytes.
pub(super) fn read_open_vocabulary(vocabulary: &Vocabulary, options: Options, each: Each<'_>) -> Result<Summary> {
    vocabulary.verify()?;
    let mut sink = Sink::new(each, OnUnreadable::Stop);
    let concepts = if options.concepts { vocabulary.concept_count() as u32 } else { 0 };
    for concept in (0..concepts).filter_map(|id| vocabulary.concept(ConceptId(id))) {
        let (system, code) = concept.curie.split_once(':').unwrap_or(("", &concept.curie));
        sink.emit_concept(Concept {
            code: code.to_owned(),
            system: system.to_owned(),
            preferred: concept.preferred,
            types: concept.types,
            parents: concept.parents,
            same_as: concept.same_as,
        })?;
    }
    // The callbacks of a vocabulary cannot stop the iteration, so keep the first error.
    let mut outcome = Ok(());
    vocabulary.for_each_entry(|key, entry| {
        if outcome.is_ok() {
            outcome = read_entry(vocabulary, options, key, entry, &mut sink);
        }
    });
    outcome?;
    let mut outcome = Ok(());
    vocabulary.for_each_word(|text| {
        if outcome.is_ok() {
            outcome = read_word(vocabulary, text, &mut sink);
        }
    });
    outcome?;
    // No check for an empty file: opening it already proved that it is a vocabulary.
    Ok(sink.summary)
}

/// Emits an entry: a term of each of its concepts, a phrase on each of its lists, or a place.
fn read_entry(vocabulary: &Vocabulary, options: Options, key: &str, entry: EntryId, sink: &mut Sink<'_>) -> Result<()> {
    sink.summary.read += 1;
    let flags = vocabulary.entry_flags(entry);
    let text = if flags.has(EntryFlags::UPPER_ONLY) { key.to_uppercase() } else { key.to_owned() };
    for id in vocabulary.entry_concepts(entry).filter(|_| options.concepts) {
        let kind = match () {
            () if flags.has(EntryFlags::VARIANT) => TermKind::Variant,
            () if vocabulary.is_preferred(entry, id) => TermKind::Preferred,
            () => TermKind::Synonym,
        };
        let curie = vocabulary.curie(id);
        let (system, code) = curie.split_once(':').unwrap_or(("", &curie));
        sink.emit_term(system, code, &text, kind)?;
    }
    let classes = vocabulary.entry_classes(entry);
    for &class in Class::ALL.iter().filter(|&&class| classes.has(class)) {
        sink.emit_word(Word { text: key.to_owned(), class, count: 0 })?;
    }
    if flags.has(EntryFlags::PLACE) && classes.is_empty() {
        sink.emit_term("", "", key, TermKind::Place)?;
    }
    Ok(())
}

/// Emits a word for each of its lists, except those that the compiler sets.
fn read_word(vocabulary: &Vocabulary, text: &str, sink: &mut Sink<'_>) -> Result<()> {
    let word = vocabulary.word_id(text.as_bytes());
    let (classes, ranks) = (vocabulary.classes(word), vocabulary.ranks(word));
    let usage = u64::from(vocabulary.tables().usage(word).0);
    let mut listed = Class::ALL.iter().filter(|&&class| classes.has(class) && !MADE.contains(&class));
    listed.try_for_each(|&class| {
        sink.summary.read += 1;
        let count = if class == Class::Usage { usage } else { smallest_count(class, ranks) };
        sink.emit_word(Word { text: text.to_owned(), class, count })
    })
}

/// Returns the smallest count of a rank.
fn smallest_count(class: Class, ranks: FrequencyRanks) -> u64 {
    let rank = match class {
        Class::Surname => ranks.surname,
        Class::FirstName => ranks.first_name,
        Class::Stop | Class::English | Class::Literature | Class::Clinical => ranks.frequency,
        _ => 0,
    };
    rank.checked_sub(1).map_or(0, |log| 1 << log.min(63))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{TemporaryFile, path};
    use super::super::{Source, mesh, obo, words};
    use super::*;
    use crate::build::{Options as BuildOptions, SourceSpec, build};
    use crate::diff::{Diff, diff};

    #[test]
    fn a_merged_vocabulary_is_the_one_built_from_all_sources() {
        let names = TemporaryFile::new("names.txt", b"Paludin\t400\nFens\t7\nde la Cruz\t3\n");
        let list = |class| Source::Words(words::Options { class, damage: OnUnreadable::Stop });
        let specs = [
            SourceSpec::new(list(Class::Surname), &names.0),
            SourceSpec::new(list(Class::City), &names.0),
            SourceSpec::new(Source::Mesh(mesh::Options::default()), path("mesh/desc.xml")),
            SourceSpec::new(Source::Obo(obo::Options::default()), path("ontology.obo")),
        ];
        let plain = BuildOptions { variants: true, suppress: true };
        let whole = build(&specs, plain, &mut |_| Ok(())).expect("built").0;
        let parts: Vec<TemporaryFile> = [&specs[..2], &specs[2..]]
            .iter()
            .enumerate()
            .map(|(at, part)| {
                TemporaryFile::new(
                    &format!("part{at}.vocabulary"),
                    &build(part, plain, &mut |_| Ok(())).expect("built").0,
                )
            })
            .collect();
        let compiled: Vec<SourceSpec> =
            parts.iter().map(|part| SourceSpec::new(Source::Compiled(Options::default()), &part.0)).collect();
        // Compiled terms get no second round of variants.
        let merged = build(&compiled, plain, &mut |_| Ok(())).expect("merged").0;
        let (whole, merged) =
            (Vocabulary::from_bytes(whole).expect("whole"), Vocabulary::from_bytes(merged).expect("merged"));
        assert_eq!(diff(&whole, &merged), Diff::default());
        let paludin = merged.word_id(b"paludin");
        assert_eq!(merged.ranks(paludin), whole.ranks(whole.word_id(b"paludin")));
        assert_eq!(merged.classes(paludin), whole.classes(whole.word_id(b"paludin")));
        let same = |text: &str| {
            let (a, b) = (whole.entry_of(text).expect("an entry"), merged.entry_of(text).expect("an entry"));
            assert_eq!(whole.entry_flags(a), merged.entry_flags(b), "{text}");
        };
        ["marsh fever", "paludin", "marsh protein", "de la cruz"].into_iter().for_each(same);
        let names = |vocabulary: &Vocabulary| {
            vocabulary.info().sources.iter().map(|one| one.source.name.clone()).collect::<Vec<_>>()
        };
        let merged_names = names(&merged);
        assert!(names(&whole).iter().all(|name| merged_names.contains(name)), "what the parts were made of is told");
        let lists = SourceSpec::new(Source::Compiled(Options { concepts: false }), &parts[0].0);
        let others = SourceSpec::new(Source::Compiled(Options { concepts: false }), &parts[1].0);
        let lists =
            Vocabulary::from_bytes(build(&[lists, others], plain, &mut |_| Ok(())).expect("built").0).expect("lists");
        assert!(lists.lookup("marsh fever").is_empty() && lists.concept_count() == 0);
        assert!(lists.classes(lists.word_id(b"paludin")).has(Class::Surname));
    }
}
