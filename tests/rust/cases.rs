//! The cases of `tests/cases`, one test per case, with the default scrubber: vocabulary, built-in model and policy
//! `safe`. `cargo test --test cases -- title` runs those with this word in their file or name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Trial};
use notesieve::detections::CallerKnowledge;
use notesieve::entities::EntityModel;
use notesieve::key::Key;
use notesieve::patient::{Patient, PatientDetails};
use notesieve::policy::Dates;
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
    #[serde(default = "default_policy")]
    policy: String,
    /// Whether to use the built-in model; without it the case tests only the rules.
    #[serde(default = "default_true")]
    model: bool,
    /// How dates are replaced, if not as in the preset.
    dates: Option<Dates>,
    #[serde(default)]
    absent: Vec<String>,
    #[serde(default)]
    present: Vec<String>,
    /// Whether the case must also hold in lower case and in capitals.
    #[serde(default, rename = "any_case")]
    recased: bool,
}

fn default_policy() -> String {
    "safe".to_owned()
}

const fn default_true() -> bool {
    true
}

impl Case {
    /// Returns the case, and also in lower case and in capitals if it must hold there, each with a suffix for its name.
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

    /// Returns what is wrong with the output.
    fn failures(&self, scrubber: &Scrubber) -> Vec<String> {
        let mut failures = Vec::new();
        let pieces = [&self.removed, &self.kept, &self.codes, &self.absent, &self.present];
        if self.expect.is_none() && pieces.into_iter().all(Vec::is_empty) {
            failures.push("checks nothing".to_owned());
        }
        let known = self.dates.map_or_else(CallerKnowledge::default, |_| patient_for_date_shift());
        let note = scrubber.scrub_with(&self.text, &known).expect("a case is short");
        let is_gone =
            |at: usize| note.removed.iter().any(|r| (r.source.start as usize..r.source.end as usize).contains(&at));
        for (pieces, should_go) in [(&self.removed, true), (&self.kept, false)] {
            for piece in pieces {
                let places = places_of_piece(&self.text, piece);
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
        for (pieces, comes_out) in [(&self.absent, false), (&self.present, true)] {
            for piece in pieces.iter().filter(|piece| note.text.contains(*piece) != comes_out) {
                failures.push(format!("{piece:?} is {}in {:?}", if comes_out { "not " } else { "" }, note.text));
            }
        }
        let found = codes_in_output(scrubber, &note);
        failures.extend(
            self.codes.iter().filter(|c| !found.contains(c.as_str())).map(|c| format!("{c} is not in {found:?}")),
        );
        failures
    }
}

/// Returns a patient whose dates can be shifted, and of whom nothing else is known.
fn patient_for_date_shift() -> CallerKnowledge {
    let patient =
        Patient::new(PatientDetails { id: Some("p1".to_owned()), ..PatientDetails::default() }).expect("a patient");
    CallerKnowledge { patient: Some(Arc::new(patient)), ..CallerKnowledge::default() }
}

/// Returns the codes of the concepts in the output.
fn codes_in_output(scrubber: &Scrubber, note: &Document) -> BTreeSet<String> {
    let vocabulary = scrubber.vocabulary();
    let concepts = note.concepts.iter().flat_map(|mention| vocabulary.entry_concepts(mention.entry));
    concepts.map(|concept| vocabulary.curie(concept)).collect()
}

/// Returns each occurrence of a piece in the text; for `before|piece|after` only the middle part.
fn places_of_piece(text: &str, piece: &str) -> Vec<Range<usize>> {
    let parts: Vec<&str> = piece.split('|').collect();
    let [before, target, after] = parts[..].try_into().unwrap_or(["", piece, ""]);
    let whole = [before, target, after].concat();
    text.match_indices(&whole).map(|(at, _)| at + before.len()..at + before.len() + target.len()).collect()
}

/// Returns a scrubber with the default vocabulary and, unless a case tests only the rules, the built-in model.
fn scrubber_of(policy: &str, model: bool, dates: Option<Dates>) -> Scrubber {
    let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the default vocabulary");
    let preset = Policy::preset(policy).expect("the name of a preset");
    let policy = Policy { dates: dates.unwrap_or(preset.dates), ..preset };
    let key = Key::from_hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f").expect("a key");
    let scrubber = Scrubber::new(vocabulary, policy).with_key(key);
    if model {
        let entities =
            EntityModel::from_static(notesieve_models::entity_bytes()).expect("the built-in model of entities");
        let names = Model::from_static(notesieve_models::default_bytes()).expect("the built-in model");
        scrubber.with_model(names).with_entities(entities)
    } else {
        scrubber
    }
}

/// Reads the cases of a folder, by file name. Case names must be unique within a file.
fn read_cases(folder: &str) -> BTreeMap<String, Vec<Case>> {
    let paths = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("the folder of cases");
    let paths = paths.map(|entry| entry.expect("a file").path());
    let mut families = BTreeMap::new();
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "toml")) {
        let family = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let file: File = toml::from_str(&fs::read_to_string(path).expect("UTF-8")).expect(&family);
        let mut names = BTreeSet::new();
        for case in &file.case {
            assert!(names.insert(&case.name), "{family}: {}: a name is given twice", case.name);
        }
        drop(names);
        families.insert(family, file.case);
    }
    assert!(!families.is_empty(), "no case in {folder}");
    families
}

/// Scrubbers by policy, use of the model, and dates.
#[derive(Default)]
struct Scrubbers(BTreeMap<(String, bool, String), Arc<Scrubber>>);

impl Scrubbers {
    fn scrubber_for_case(&mut self, case: &Case) -> Arc<Scrubber> {
        let made = self.0.entry((case.policy.clone(), case.model, format!("{:?}", case.dates)));
        Arc::clone(made.or_insert_with(|| Arc::new(scrubber_of(&case.policy, case.model, case.dates))))
    }
}

/// Returns one test per case and form, named after its file and the case.
fn trials_of_cases(folder: &str, scrubbers: &mut Scrubbers) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (family, cases) in read_cases(folder) {
        for case in cases {
            let scrubber = scrubbers.scrubber_for_case(&case);
            for (form, case) in case.forms() {
                let scrubber = Arc::clone(&scrubber);
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
    trials
}

/// Also runs the cases of names and places that the model misses: at least two in five of all these cases must hold.
fn run_missed_cases(scrubbers: &mut Scrubbers) -> Trial {
    let hard: Vec<_> = ["tests/cases/judgement", "tests/cases/judgement/missed"]
        .into_iter()
        .flat_map(|folder| read_cases(folder).into_values().flatten())
        .map(|case| (scrubbers.scrubber_for_case(&case), case))
        .collect();
    Trial::test("two in five cases of names and places hold", move || {
        let held = hard.iter().filter(|(scrubber, case)| case.failures(scrubber).is_empty()).count();
        if 5 * held >= 2 * hard.len() { Ok(()) } else { Err(format!("{held} of {} hold", hard.len()).into()) }
    })
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut scrubbers = Scrubbers::default();
    let mut all = trials_of_cases("tests/cases", &mut scrubbers);
    all.extend(
        trials_of_cases("tests/cases/judgement", &mut scrubbers).into_iter().map(|trial| trial.with_kind("judgement")),
    );
    all.push(run_missed_cases(&mut scrubbers));
    libtest_mimic::run(&arguments, all).exit_code()
}
