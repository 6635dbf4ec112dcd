//! The cases of `tests/concepts`: which concepts a text has. The first file says how they are written.

use std::collections::BTreeMap;

use notesieve::document::Mention;
use notesieve::vocabulary::{Group, Vocabulary};
use notesieve::{Policy, Scrubber};

/// The cases of one topic; a row is a text and its mentions.
#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Cases {
    has: Vec<Vec<String>>,
    lacks: Vec<Vec<String>>,
    shows: Vec<Vec<String>>,
    hides: Vec<Vec<String>>,
}

/// The mentions of a text that are other than a row says, with all that it has.
fn failures(scrubber: &Scrubber, row: &[String], found: &[Mention], expected: bool) -> Vec<String> {
    let [text, wanted @ ..] = row else { panic!("a row without a text") };
    let name = |mention: &Mention| {
        let concept = scrubber.vocabulary().entry_concepts(mention.entry).next();
        let name = concept.map(|id| scrubber.vocabulary().preferred_name(id)).unwrap_or_default();
        if mention.assertion.ambiguous { "?".to_owned() } else { name }
    };
    let found: Vec<_> = found.iter().map(|one| (&text[one.source.range()], name(one))).collect();
    let fits = |wanted: &str, found: &str| wanted.is_empty() || wanted == found;
    let is_found = |wanted: &&String| {
        let (words, name) = wanted.split_once('=').expect("words=name");
        found.iter().any(|found| fits(words, found.0) && fits(name, &found.1))
    };
    let wrong = wanted.iter().filter(|wanted| is_found(wanted) != expected);
    wrong.map(|wanted| format!("{text}: {wanted} in {found:?}: {}", !expected)).collect()
}

#[test]
fn texts_have_the_concepts_of_their_cases() {
    let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("a vocabulary");
    let all = Scrubber::new(vocabulary, Policy::default());
    let groups = Group::SHOWN.iter().map(|group| group.key().to_owned()).collect();
    let shown = all.clone().with_policy(Policy { groups, ..Policy::default() });
    let mut wrong = Vec::new();
    for file in [
        include_str!("../concepts/senses.toml"),
        include_str!("../concepts/vaccines.toml"),
        include_str!("../concepts/split-terms.toml"),
    ] {
        let topics: BTreeMap<String, Cases> = toml::from_str(file).expect("cases");
        for Cases { has, lacks, shows, hides } in topics.values() {
            for (rows, expected) in [(has, true), (lacks, false)] {
                let check = |row: &Vec<String>| {
                    failures(&all, row, &all.autocode_identifying(&row[0]).expect("a short text").concepts, expected)
                };
                wrong.extend(rows.iter().flat_map(check));
            }
            for (rows, expected) in [(shows, true), (hides, false)] {
                let check = |row: &Vec<String>| {
                    failures(&shown, row, &shown.autocode(&row[0]).expect("a short text").concepts, expected)
                };
                wrong.extend(rows.iter().flat_map(check));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
