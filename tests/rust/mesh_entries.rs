//! Every MeSH entry term that is kept gets the code of its own descriptor when it is written unchanged.
//!
//! Runs on a small file. `NOTESIEVE_MESH=desc2026.xml.gz cargo test --release --test mesh_entries -- --nocapture` runs
//! it on all of MeSH and prints the number of terms without a code, by reason.

use std::collections::BTreeMap;
use std::path::PathBuf;

use notesieve::Vocabulary;
use notesieve::terms::{self, Matches, Overlap};
use notesieve::text::normalize::Normalized;
use notesieve::text::token::tokenize;
use notesieve_vocabulary_build::build::{Options, SourceSpec, build};
use notesieve_vocabulary_build::sources::{Source, mesh};
use notesieve_vocabulary_build::suppress::reason_to_suppress;
use notesieve_vocabulary_build::term::{Record, Term};

fn entry_terms(source: &Source, path: &std::path::Path) -> Vec<Term> {
    let mut terms = Vec::new();
    let read = source.read(path, &mut |record| {
        if let Record::Term(term) = record {
            terms.push(term);
        }
        Ok(())
    });
    read.expect("the file is readable");
    terms
}

/// Returns the codes of the match that covers a text from its first to its last unit, if it is the only one.
fn codes_of_match(vocabulary: &Vocabulary, text: &str) -> Option<Vec<String>> {
    let normalized = Normalized::new(text);
    let (mut tokens, mut ids, mut classes, mut starts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut found = Matches::default();
    tokenize(text, &normalized, &mut tokens);
    terms::lookup_words(vocabulary, normalized.folded(), &tokens, &mut ids, &mut classes, &mut starts);
    terms::find_in_tokens(vocabulary, &tokens, &ids, &starts, Overlap::Longest, &mut found);
    let folded = normalized.folded().as_bytes();
    let units: Vec<u32> = (0..tokens.len() as u32).filter(|&at| !tokens[at as usize].skipped_in_terms()).collect();
    let [only] = found.terms[..] else { return None };
    // A full stop at the end does not belong to the term.
    let end = units.iter().rev().find(|&&at| folded[tokens[at as usize].start as usize] != b'.');
    let whole = units.first() == Some(&only.first) && end.is_some_and(|&last| only.end > last);
    whole.then(|| vocabulary.entry_concepts(only.entry).map(|id| vocabulary.curie(id)).collect())
}

/// Returns why the term does not get its code; `None` if it does.
fn reason_not_coded(vocabulary: &Vocabulary, term: &Term) -> Option<&'static str> {
    let own = format!("mesh:{}", term.code);
    if reason_to_suppress(&term.text).is_some() {
        return Some("suppressed");
    }
    // "Turkey" is left out as a place; the bird has the word.
    let concept = vocabulary.concept_of_curie(&own).and_then(|id| vocabulary.concept(id));
    if concept
        .is_some_and(|concept| !concept.types.is_empty() && concept.types.iter().all(|tree| tree.starts_with('Z')))
    {
        return Some("a place");
    }
    let Some(entry) = vocabulary.entry_of(&term.text) else { return Some("left out by a filter") };
    let listed: Vec<_> = vocabulary.entry_concepts(entry).map(|id| vocabulary.curie(id)).collect();
    if listed.len() > 1 && listed.contains(&own) {
        return Some("on several descriptors");
    }
    match codes_of_match(vocabulary, &term.text) {
        Some(codes) if codes == [own] => None,
        Some(_) => Some("coded with another descriptor"),
        None => Some("not found as a whole"),
    }
}

#[test]
fn every_kept_entry_term_is_coded_with_its_own_descriptor() {
    let full = std::env::var_os("NOTESIEVE_MESH").map(PathBuf::from);
    let small = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sources/mesh/desc.xml");
    let path = full.clone().unwrap_or(small);
    let source = Source::Mesh(mesh::Options::default());
    let terms = entry_terms(&source, &path);
    let (bytes, _) = build(&[SourceSpec::new(source, &path)], Options::default(), &mut |_| Ok(())).expect("built");
    let vocabulary = Vocabulary::from_bytes(bytes).expect("a vocabulary");
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for term in &terms {
        if let Some(reason) = reason_not_coded(&vocabulary, term) {
            reasons.entry(reason).or_default().push(&term.text);
        }
    }
    println!("{} terms", terms.len());
    for (reason, terms) in &reasons {
        println!("{reason}: {}, e.g. {:?}", terms.len(), &terms[..terms.len().min(20)]);
    }
    let allowed = ["suppressed", "a place", "left out by a filter", "on several descriptors"];
    let wrong: Vec<_> = reasons.keys().filter(|reason| !allowed.contains(reason)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    // No filter drops anything of the small file.
    assert!(full.is_some() || reasons.is_empty(), "{reasons:?}");
}
