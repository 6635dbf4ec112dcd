//! The measures on values computed by hand.

use std::collections::BTreeMap;

use super::*;
use crate::groups::DocumentRisk;

#[test]
fn f_measures_by_hand() {
    assert!((f_beta(0.5, 1.0, 2.0) - 2.5 / 3.0).abs() < 1e-12);
    assert!((f_beta(0.5, 1.0, 10.0) - 50.5 / 51.0).abs() < 1e-12);
    assert!(f_beta(0.0, 1.0, 1.0).abs() < f64::EPSILON);
}

/// The re-implementation of the local-context SVM prints the confusion matrix 9,013 / 625 / 243 / 158,838 and
/// P 97.37, R 93.52, F 95.41, but not which cell is which. One assignment of the cells gives these figures.
#[test]
fn the_cells_of_the_svm_study() {
    let reading = |tp, fp, missed| {
        let tally = Tally { tp, fp, missed };
        [tally.precision(), tally.recall(), tally.f_measure(1.0)].map(|share| (share * 1e4).round() / 100.0)
    };
    let printed = [97.37, 93.52, 95.41];
    let cells = [9_013, 625, 243, 158_838];
    let mut readings = Vec::new();
    for tp in cells {
        for fp in cells {
            for missed in cells {
                let distinct = tp != fp && fp != missed && tp != missed;
                if distinct && reading(tp, fp, missed).iter().zip(printed).all(|(a, b)| (a - b).abs() < 0.006) {
                    readings.push((tp, fp, missed));
                }
            }
        }
    }
    assert_eq!(readings, [(9_013, 243, 625)], "625 were missed, 243 were removed without being PHI");
}

/// The numbers of misses in the published case: 45 in 500 notes.
const MISSES: [(&str, usize); 7] =
    [("age", 1), ("date", 5), ("doctor", 18), ("hospital", 4), ("id", 5), ("location", 7), ("patient", 5)];

fn label(kind: &str) -> String {
    match kind {
        "doctor" | "patient" => "name",
        "location" => "location",
        _ => "other",
    }
    .to_owned()
}

/// Distributes all misses over notes of the given sizes. Each note takes the most frequent remaining kinds, without
/// repeating a label while another is left, so that a note's misses are different.
fn notes_with_misses(sizes: &[usize]) -> Vec<Vec<&'static str>> {
    let mut left: Vec<(&str, usize)> = MISSES.to_vec();
    let mut notes: Vec<Vec<&str>> = Vec::new();
    for &size in sizes {
        let mut note: Vec<&str> = Vec::new();
        for _ in 0..size {
            let (_, _, at) = left
                .iter()
                .enumerate()
                .filter(|(_, (kind, count))| *count > 0 && !note.contains(kind))
                .map(|(at, (kind, count))| (!note.iter().any(|have| label(have) == label(kind)), *count, at))
                .max()
                .expect("there are misses left");
            left[at].1 -= 1;
            note.push(left[at].0);
        }
        notes.push(note);
    }
    assert!(left.iter().all(|(_, count)| *count == 0), "all 45 misses lie in a note");
    notes.resize(500, Vec::new());
    notes
}

/// Returns whether a value rounds to the printed figure.
fn assert_rounds_to(value: f64, printed: f64, digits: i32) -> bool {
    (value * 10_f64.powi(digits)).round() as i64 == (printed * 10_f64.powi(digits)).round() as i64
}

#[test]
fn the_published_case() {
    let sizes = |parts: &[(usize, usize)]| -> Vec<usize> {
        parts.iter().flat_map(|&(notes, misses)| vec![misses; notes]).collect()
    };
    let order = ["location", "name", "other"].map(str::to_owned);
    let all: Labels = order.iter().cloned().collect();
    let methods = [
        ("A", sizes(&[(45, 1)]), [0.00, 0.045, 0.97], vec![("low", 45)]),
        ("B", sizes(&[(5, 5), (20, 1)]), [0.01, 0.030, 0.98], vec![("high", 5), ("low", 20)]),
        ("C", sizes(&[(18, 2), (9, 1)]), [0.00, 0.038, 0.97], vec![("low", 9), ("medium", 18)]),
    ];
    for (method, sizes, [emr, lf, hl], risks) in methods {
        let notes = notes_with_misses(&sizes);
        let documents: Vec<(Labels, Labels)> =
            notes.iter().map(|note| (all.clone(), note.iter().map(|kind| label(kind)).collect())).collect();
        let found = sokolova(&documents, &order, HammingBase::Labels);
        assert!(assert_rounds_to(found.exact_match_ratio, emr, 2), "{method}: {found:?}");
        assert!(assert_rounds_to(found.labelling_f, lf, 3), "{method}: {found:?}");
        assert!(assert_rounds_to(found.hamming_loss, hl, 2), "{method}: {found:?}");
        assert!(assert_rounds_to(found.one_error, 0.986, 3), "{method}: {found:?}");
        let mut table: BTreeMap<&str, i32> = BTreeMap::new();
        for note in &notes {
            if let Some(risk) = DocumentRisk::default().risk_name(note.len() as u64) {
                *table.entry(risk).or_default() += 1;
            }
        }
        assert_eq!(table.into_iter().collect::<Vec<_>>(), risks, "{method}");
    }
}

#[test]
fn empty_sets_match() {
    let none = (Labels::new(), Labels::new());
    let found = sokolova(&[none], &["NAME".to_owned()], HammingBase::Present);
    assert_eq!((found.exact_match_ratio, found.labelling_f, found.hamming_loss), (1.0, 1.0, 0.0));
}
