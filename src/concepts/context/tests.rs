//! The sentences of `tests/context`, and what must hold for every text.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use proptest::prelude::*;
use serde::Deserialize;

use super::Status;
use crate::{Policy, Scrubber, Vocabulary};

static SCRUBBER: LazyLock<Scrubber> = LazyLock::new(|| {
    let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the vocabulary");
    Scrubber::new(vocabulary, Policy::default())
});

#[derive(Deserialize)]
struct Kind {
    sentences: Vec<String>,
}

/// A sentence without its marks, and its mentions with what is said of them.
fn read_marks(marked: &str) -> (String, Vec<(usize, usize, Status)>) {
    let (mut text, mut mentions) = (String::new(), Vec::new());
    let mut parts = marked.split('{');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (inside, behind) = part.split_once('}').expect("a closed mark");
        let (term, status) = inside.split_once('|').unwrap_or((inside, ""));
        let status = status.split(' ').filter_map(Status::from_key).fold(Status::default(), |all, one| all | one);
        mentions.push((text.len(), text.len() + term.len(), status));
        text.push_str(term);
        text.push_str(behind);
    }
    (text, mentions)
}

/// Right, too many and missed, by status, and what went wrong.
fn measure(toml: &str) -> (BTreeMap<&'static str, [usize; 3]>, Vec<String>) {
    let kinds: BTreeMap<String, Kind> = toml::from_str(toml).expect("sentences");
    let scrubber = &*SCRUBBER;
    let mut counts: BTreeMap<&'static str, [usize; 3]> = Status::KEYS.map(|key| (key, [0; 3])).into();
    let mut wrong = Vec::new();
    for (kind, marked) in kinds.iter().flat_map(|(kind, all)| all.sentences.iter().map(move |one| (kind, one))) {
        let (text, expected) = read_marks(marked);
        let found = scrubber.autocode(&text).expect("mentions");
        for (start, end, status) in expected {
            let overlaps =
                found.iter().filter(|one| (one.source.start as usize) < end && start < one.source.end as usize);
            let of: Vec<Status> = overlaps.map(|one| one.said.status).collect();
            if of.is_empty() {
                wrong.push(format!("{kind}: not found: {} in {text:?}", &text[start..end]));
                continue;
            }
            let said = of.into_iter().fold(Status::default(), |all, one| all | one);
            for (place, key) in Status::KEYS.into_iter().enumerate() {
                let one = Status::at(place);
                let counted = counts.get_mut(key).expect("a status");
                match (said.has(one), status.has(one)) {
                    (true, true) => counted[0] += 1,
                    (true, false) => counted[1] += 1,
                    (false, true) => counted[2] += 1,
                    (false, false) => continue,
                }
                if said.has(one) != status.has(one) {
                    let sign = if said.has(one) { '+' } else { '-' };
                    wrong.push(format!("{kind}: {sign}{key} {} in {text:?}", &text[start..end]));
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

/// The floors of the issue, which both halves keep.
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
    check("open", include_str!("../../../tests/context/open.toml"));
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
    check("unread", include_str!("../../../tests/context/unread.toml"));
}

proptest! {
    // Whatever stands in a text, each term gets an answer, and nothing behind a text changes what is said before its end.
    #[test]
    fn any_text_is_read(parts in proptest::collection::vec(
        prop_oneof!["no ", "fever", " or ", "cough", ", ", "[.] ", "\n", "[(]-[)] ", "[\\[] [\\]] ", "mother ", "had ", ": ", "[?] ", "- ", "[+] ", "history of ", "in 1999 ", "[ -~é]{0,3}"],
        0..24,
    )) {
        let text = parts.concat();
        let scrubber = &*SCRUBBER;
        let once = scrubber.autocode(&text).expect("mentions");
        let longer = scrubber.autocode(&format!("{text}.\n\nHe has asthma.")).expect("mentions");
        prop_assert_eq!(longer.len(), once.len() + 1);
        for (one, other) in once.iter().zip(&longer) {
            prop_assert_eq!(one.said.status, other.said.status);
        }
        prop_assert!(longer.last().expect("asthma").said.status.is_affirmed() || text.contains(':') || text.contains("mother"));
    }
}
