//! The cases of `tests/cases`, run through the core, a test a case: `cargo test --test cases -- title` runs those with this word
//! in their file or name. `tests/python/test_cases.py` runs the same from Python.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Trial};
use notesieve::entities::EntityModel;
use notesieve::{Document, Model, Policy, Scrubber, Vocabulary};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// See `tests/cases/README.md`.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    text: String,
    why: String,
    #[serde(default)]
    removed: Vec<String>,
    #[serde(default)]
    kept: Vec<String>,
    expect: Option<String>,
    #[serde(default)]
    codes: Vec<String>,
    #[serde(default = "safe")]
    policy: String,
    /// Whether it also holds in small letters and in capitals.
    #[serde(default, rename = "any_case")]
    recased: bool,
}

fn safe() -> String {
    "safe".to_owned()
}

impl Case {
    /// The case as it stands, and in lower case and in capitals where it must hold in any, each with what its name says of it.
    fn forms(self) -> Vec<(&'static str, Self)> {
        let with = |form: fn(&str) -> String| {
            let all = |pieces: &[String]| pieces.iter().map(|piece| form(piece)).collect();
            Self {
                text: form(&self.text),
                removed: all(&self.removed),
                kept: all(&self.kept),
                expect: self.expect.as_deref().map(form),
                ..self.clone()
            }
        };
        let others = if self.recased {
            vec![(", lower", with(str::to_lowercase)), (", upper", with(str::to_uppercase))]
        } else {
            Vec::new()
        };
        [("", self)].into_iter().chain(others).collect()
    }

    /// What is wrong with the output, if anything.
    fn failures(&self, scrubber: &Scrubber) -> Vec<String> {
        let mut failures = Vec::new();
        if self.removed.is_empty() && self.kept.is_empty() && self.expect.is_none() && self.codes.is_empty() {
            failures.push("checks nothing".to_owned());
        }
        let note = scrubber.scrub(&self.text).expect("a case is short");
        let is_gone =
            |at: usize| note.removed.iter().any(|r| (r.source.start as usize..r.source.end as usize).contains(&at));
        for (pieces, should_go) in [(&self.removed, true), (&self.kept, false)] {
            for piece in pieces {
                let places = places(&self.text, piece);
                if places.is_empty() {
                    failures.push(format!("{piece:?} is not in the text"));
                }
                let wrong: String = places
                    .into_iter()
                    .flat_map(|place| self.text[place.clone()].char_indices().map(move |(at, c)| (place.start + at, c)))
                    .filter(|&(at, c)| c.is_alphanumeric() && is_gone(at) != should_go)
                    .map(|(_, c)| c)
                    .collect();
                if !wrong.is_empty() {
                    let outcome = if should_go { "came out in" } else { "is gone from" };
                    failures.push(format!("{wrong:?} of {piece:?} {outcome} {:?}", note.text));
                }
            }
        }
        if self.expect.as_ref().is_some_and(|expect| *expect != note.text) {
            failures.push(format!("gives {:?}", note.text));
        }
        let found = codes(scrubber, &note);
        failures.extend(
            self.codes.iter().filter(|c| !found.contains(c.as_str())).map(|c| format!("{c} is not in {found:?}")),
        );
        failures
    }
}

/// The codes of the concepts in the output.
fn codes(scrubber: &Scrubber, note: &Document) -> BTreeSet<String> {
    let vocabulary = scrubber.vocabulary();
    let concepts = note.concepts.iter().flat_map(|mention| vocabulary.entry_concepts(mention.entry));
    concepts.map(|concept| vocabulary.curie(concept)).collect()
}

/// Each place of a piece in the text; of `before|piece|after` only the middle.
fn places(text: &str, piece: &str) -> Vec<Range<usize>> {
    let parts: Vec<&str> = piece.split('|').collect();
    let [before, target, after] = parts[..].try_into().unwrap_or(["", piece, ""]);
    let whole = [before, target, after].concat();
    text.match_indices(&whole).map(|(at, _)| at + before.len()..at + before.len() + target.len()).collect()
}

/// A scrubber with the default vocabulary, and with the built-in model where what has only its surroundings is judged.
fn scrubber_of(policy: &str, judged: bool) -> Scrubber {
    let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the default vocabulary");
    let scrubber = Scrubber::new(vocabulary, Policy::preset(policy).expect("the name of a preset"));
    if judged {
        let entities =
            EntityModel::from_static(notesieve_models::entity_bytes()).expect("the built-in model of entities");
        let names = Model::from_static(notesieve_models::default_bytes()).expect("the built-in model");
        scrubber.with_model(names).with_entities(entities)
    } else {
        scrubber
    }
}

/// The cases of a folder, each a test that is called as its file and it are.
fn trials(folder: &str, judged: bool) -> Vec<Trial> {
    let paths = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("the folder of cases");
    let paths: BTreeSet<_> = paths.map(|entry| entry.expect("a file").path()).collect();
    let mut scrubbers = BTreeMap::new();
    let mut trials = Vec::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "toml")) {
        let family = path.file_stem().expect("a name").to_string_lossy();
        let file: File = toml::from_str(&fs::read_to_string(path).expect("UTF-8")).expect(&family);
        let mut names = BTreeSet::new();
        for case in file.case {
            assert!(names.insert(case.name.clone()), "{family}: {}: a name is given twice", case.name);
            let scrubber = scrubbers.entry(case.policy.clone());
            let scrubber = scrubber.or_insert_with(|| Arc::new(scrubber_of(&case.policy, judged)));
            for (form, case) in case.forms() {
                let scrubber = Arc::clone(scrubber);
                trials.push(Trial::test(format!("{family}: {}{form}", case.name), move || {
                    let failures = case.failures(&scrubber);
                    if failures.is_empty() {
                        Ok(())
                    } else {
                        Err(format!("{}; {}", failures.join("\n"), case.why).into())
                    }
                }));
            }
        }
    }
    assert!(!trials.is_empty(), "no case in {folder}");
    trials
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut all = trials("tests/cases", false);
    // What has only its surroundings holds with the built-in model.
    all.extend(trials("tests/cases/judgement", true).into_iter().map(|trial| trial.with_kind("judgement")));
    libtest_mimic::run(&arguments, all).exit_code()
}
