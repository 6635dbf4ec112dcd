//! Scores on the sentences of `corpus/status`, and properties that hold for every text.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;

use super::{Passage, Status, StatusModel, StatusOptions, StatusTrainer};
use crate::{Policy, Scrubber};

static JUDGING: LazyLock<Scrubber> = LazyLock::new(|| {
    let model = StatusModel::from_bytes(notesieve_models::status_bytes()).expect("the model");
    SCRUBBER.clone().with_status(model)
});

static SCRUBBER: LazyLock<Scrubber> = LazyLock::new(crate::pipeline::tests::scrubber);

/// Returns the numbers of true positives, false positives and false negatives by status, and a list of the errors.
fn measure(toml: &str) -> (BTreeMap<&'static str, [usize; 3]>, Vec<String>) {
    measure_by(&SCRUBBER, toml)
}

fn measure_by(scrubber: &Scrubber, toml: &str) -> (BTreeMap<&'static str, [usize; 3]>, Vec<String>) {
    let mut counts: BTreeMap<&'static str, [usize; 3]> = Status::KEYS.map(|key| (key, [0; 3])).into();
    let mut wrong = Vec::new();
    for (kind, Passage { text, marks }) in Passage::read_toml(toml).expect("sentences") {
        let found = scrubber.autocode(&text).expect("mentions").concepts;
        for (span, status) in marks {
            let overlaps = found.iter().filter(|one| one.source.start < span.end && span.start < one.source.end);
            let of: Vec<Status> = overlaps.map(|one| one.assertion.status).collect();
            if of.is_empty() {
                wrong.push(format!("{kind}: not found: {} in {text:?}", &text[span.range()]));
                continue;
            }
            let said = of.into_iter().fold(Status::default(), |all, one| all | one);
            for (place, key) in Status::KEYS.into_iter().enumerate() {
                let one = Status::from_index(place);
                let counted = counts.get_mut(key).expect("a status");
                match (said.contains(one), status.contains(one)) {
                    (true, true) => counted[0] += 1,
                    (true, false) => counted[1] += 1,
                    (false, true) => counted[2] += 1,
                    (false, false) => continue,
                }
                if said.contains(one) != status.contains(one) {
                    let sign = if said.contains(one) { '+' } else { '-' };
                    wrong.push(format!("{kind}: {sign}{key} {} in {text:?}", &text[span.range()]));
                }
            }
        }
    }
    (counts, wrong)
}

fn shares([right, much, missed]: [usize; 3]) -> (f64, f64, f64) {
    let (right, much, missed) = (right as f64, much as f64, missed as f64);
    let (precision, recall) = (right / (right + much).max(1.0), right / (right + missed).max(1.0));
    (precision, recall, 2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE))
}

/// Checks the minimum scores, which hold for training and test sentences alike.
fn check(name: &str, toml: &str) {
    let (counts, wrong) = measure(toml);
    for (key, counted) in &counts {
        let (precision, recall, f) = shares(*counted);
        println!("{name} {key:<13} P {precision:.3} R {recall:.3} F {f:.3} {counted:?}");
    }
    if std::env::var_os("NOTESIEVE_SHOW_WRONG").is_some() {
        for line in &wrong {
            println!("{line}");
        }
    }
    let (precision, recall, _) = shares(counts["negated"]);
    assert!(precision >= 0.95 && recall >= 0.95, "{name}: negated");
    for (key, floor) in [("family", 0.95), ("historical", 0.80), ("hypothetical", 0.90), ("possible", 0.80)] {
        assert!(shares(counts[key]).2 >= floor, "{name}: {key}");
    }
}

#[test]
fn sentences_that_were_read() {
    check("open", include_str!("../../corpus/status/train/sentences-1.toml"));
}

#[test]
fn a_relative_named_right_before_an_illness_has_it() {
    let (_, wrong) = measure(
        r#"[family]
sentences = [
    "Brother {gout|family}, sister {asthma|family}.",
    "Lives with her son, who has {epilepsy|family}.",
    "Parents will call us about {fever}.",
    "Lives with her son. {Epilepsy} since 2003.",
]"#,
    );
    assert!(wrong.iter().all(|line| !line.contains("family")), "{wrong:?}");
}

#[test]
fn sentences_that_nobody_read() {
    check("unread", include_str!("../../corpus/status/test/sentences.toml"));
}

static LISTED: LazyLock<std::collections::BTreeSet<String>> = LazyLock::new(|| {
    let own = ["[ ]", "(-)", "?", "in a year", "answered no", "asked of the past", ""].map(str::to_owned);
    super::CueList::bundled().phrases().map(str::to_owned).chain(own).collect()
});

fn passages(toml: &str) -> Vec<Passage> {
    Passage::read_toml(toml).expect("passages").into_iter().map(|(_, passage)| passage).collect()
}

#[test]
fn what_is_learned_is_the_same_each_time() {
    let passages = &passages(include_str!("../../corpus/status/train/sentences-2.toml"))[..60];
    let options = StatusOptions { epochs: 3, models: 2, ..StatusOptions::default() };
    let learn = || StatusTrainer::new(&SCRUBBER, passages, passages, options).expect("short texts").train_model("{}");
    let model = learn();
    assert_eq!(model, learn());
    let judging = SCRUBBER.clone().with_status(StatusModel::from_bytes(&model).expect("a model"));
    assert_ne!(judging.provenance().status_digest, JUDGING.provenance().status_digest);
}

/// Returns the contents of the training files.
fn files() -> impl Iterator<Item = String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/status/train");
    let entries = fs::read_dir(folder).expect("the folder of passages").map(|entry| entry.expect("a file").path());
    entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| fs::read_to_string(path).expect("UTF-8"))
}

#[test]
fn the_model_is_learned_from_the_passages_that_are_there() {
    let model = StatusModel::from_bytes(notesieve_models::status_bytes()).expect("the model");
    let files: Vec<String> = files().collect();
    let count: usize = files.iter().map(|file| passages(file).len()).sum();
    assert!(
        model.provenance().contains(&format!("\"passages\":{count},")),
        "{}: run `make status-model`",
        model.provenance()
    );
}

#[test]
fn marks_of_passages_are_right() {
    for wrong in ["{fever", "fever}", "{fever|negted}", "{ |negated}", "{fever}}"] {
        assert!(Passage::read_toml(&format!("[kind]\nsentences = [\"No {wrong}.\"]")).is_err(), "{wrong}");
    }
}

/// The model learns from persons named before a sentence and after a mention.
#[test]
fn persons_around_a_sentence_count() {
    let terms = ["asthma", "gout", "pneumonia", "diabetes", "epilepsy", "migraine", "eczema", "anemia"];
    let told = |person: &str, status: &str| {
        let with = move |term: &&str| {
            let mark = format!("{{{term}{status}}}");
            format!("\"{person} came along. Has {mark}.\",\n\"There is {mark} in the {person}.\",\n")
        };
        terms.iter().map(with).collect::<String>()
    };
    let toml = format!("[all]\nsentences = [\n{}{}]", told("mother", "|family"), told("patient", ""));
    let learned = passages(&toml);
    let trainer = StatusTrainer::new(&SCRUBBER, &learned, &learned, StatusOptions::default()).expect("short texts");
    let model = StatusModel::from_bytes(&trainer.train_model("{}")).expect("a model");
    let scrubber = SCRUBBER.clone().with_status(model);
    let said = |text: &str| {
        let at = text.find("tuberculosis").expect("the term") as u32;
        let mentions = scrubber.autocode(text).expect("mentions").concepts;
        mentions.iter().find(|mention| mention.source.start == at).expect("a mention").assertion.status
    };
    assert_eq!(said("The mother came along. Has tuberculosis."), Status::FAMILY);
    assert_eq!(said("The patient came along. Has tuberculosis."), Status::default());
    assert_eq!(said("The mother brought the patient. Has tuberculosis."), Status::default());
    assert_eq!(said("There is tuberculosis in the mother."), Status::FAMILY);
    assert_eq!(said("There is tuberculosis in the patient."), Status::default());
}

/// Scores of the model on held-out sentences, with floors below the measured values.
#[test]
fn sentences_that_were_not_learned_from() {
    for (name, toml) in [
        ("fresh", include_str!("../../corpus/status/calibrate/sentences.toml")),
        ("unread", include_str!("../../corpus/status/test/sentences.toml")),
    ] {
        for (key, counted) in measure_by(&JUDGING, toml).0 {
            println!("{name} {key:<13} {:?}", shares(counted));
            assert!(shares(counted).2 >= 0.88, "{name}: {key}");
        }
    }
}

/// Boxes, signs, answers and questions overrule cues and the model.
#[test]
fn forms_overrule_cues_and_the_model() {
    for toml in [
        include_str!("../../tests/status/boxes.toml"),
        include_str!("../../tests/status/answers.toml"),
        include_str!("../../tests/status/phrases.toml"),
        include_str!("../../tests/status/blocks.toml"),
        include_str!("../../tests/status/denials.toml"),
    ] {
        let (_, wrong) = measure_by(&JUDGING, toml);
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

#[test]
fn a_cue_of_the_policy_overrules_the_model() {
    let model = StatusModel::from_bytes(notesieve_models::status_bytes()).expect("the model");
    let policy =
        Policy { cues: vec!["negated forward: zonk".to_owned(), "pseudo: no".to_owned()], ..Policy::default() };
    let scrubber = SCRUBBER.clone().with_policy(policy).with_status(model);
    let said = |text: &str| scrubber.autocode(text).expect("mentions").concepts.last().expect("a term").assertion;
    assert_eq!(said("zonk pneumonia").reasons().collect::<Vec<_>>(), [("negated", "zonk")]);
    assert!(said("There is no pneumonia.").status.is_affirmed());
    assert_eq!(said("Denies pneumonia.").status, Status::NEGATED);
}

proptest! {
    // A reported reason is a cue of a list or a fixed text of the model, never a word of the note.
    #[test]
    fn reasons_hold_no_text(parts in proptest::collection::vec(
        prop_oneof!["no ", "fever", "asthma ", " or ", ", ", "\n", "worried about ", "zxqvbrn ", "mother ", "had ", "risks: ", "[.] ", "return if ", "[?] ", "nurse: ", "have you ", "[a-zé]{4,9} "],
        0..24,
    )) {
        let text = parts.concat();
        for mention in JUDGING.autocode(&text).expect("mentions").concepts {
            for (_, reason) in mention.assertion.reasons() {
                prop_assert!(!reason.contains("zxq"));
                prop_assert!(super::classifier::is_text_of_reason(reason) || LISTED.contains(reason), "{reason}");
            }
        }
        // The appended term must not occur in the text, or it could answer a question at the end: "nurse: have you
        // asthma", "He has asthma."
        let longer = JUDGING.autocode(&format!("{text}.\n\nHe has gout.")).expect("mentions").concepts;
        for (one, other) in JUDGING.autocode(&text).expect("mentions").concepts.iter().zip(&longer) {
            prop_assert_eq!(one.assertion.status, other.assertion.status, "{}", text);
        }
    }

    // Any text gives each term a status, and appended text does not change the statuses before it.
    #[test]
    fn any_text_is_read(parts in proptest::collection::vec(
        prop_oneof!["no ", "fever", " or ", "cough", ", ", "[.] ", "\n", "[(]-[)] ", "[\\[] [\\]] ", "mother ", "had ", "risks: ", "nurse: ", "have you ", ": ", "[?] ", "- ", "[+] ", "history of ", "in 1999 ", "[ -~é]{0,3}"],
        0..24,
    )) {
        let text = parts.concat();
        let scrubber = &*SCRUBBER;
        let once = scrubber.autocode(&text).expect("mentions").concepts;
        let longer = scrubber.autocode(&format!("{text}.\n\nHe has asthma.")).expect("mentions").concepts;
        prop_assert_eq!(longer.len(), once.len() + 1);
        for (one, other) in once.iter().zip(&longer) {
            prop_assert_eq!(one.assertion.status, other.assertion.status);
        }
        prop_assert!(longer.last().expect("asthma").assertion.status.is_affirmed() || text.contains(':') || text.contains("mother"));
    }
}

/// A label and a verb are not a question by themselves, and full stops at the end of a turn change nothing.
#[test]
fn full_stops_at_the_end_change_nothing() {
    let said = |text: &str| -> Vec<Status> {
        JUDGING.autocode(text).expect("mentions").concepts.iter().map(|mention| mention.assertion.status).collect()
    };
    let list = "return if \n? asthma worried about ";
    for text in [list, "risks: had . ", "nurse: have you had fever", "nurse: have you had fever. ", "HPI: Had fever. "]
    {
        let longer = said(&format!("{text}.\n\nHe has asthma."));
        assert_eq!(longer[..longer.len() - 1], said(text), "{text}");
    }
    assert_eq!(said("nurse: have you had fever.").last(), Some(&Status::POSSIBLE));
    assert_eq!(said("HPI: Had fever.").last(), Some(&Status::default()));
}

#[test]
fn a_note_may_end_in_markup() {
    for end in ["**", "##", "**\n", "- **"] {
        let text = format!("Cough today.\n\n{end}");
        assert_eq!(SCRUBBER.autocode(&text).unwrap().concepts.len(), 1, "{text:?}");
    }
}
