//! The measures of Sokolova and others (2011): a document is a set of labels, not a bag of words.
//!
//! The same four formulas are read in two ways. `protected` compares the labels that a document holds with those that
//! the system wholly removed: high EMR and LF, low HL and OE are good. `leaked` is the published reading: every label
//! is expected, and a label comes out where something of it leaked: low EMR and LF, high HL and OE are good.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// What the mismatches of a document are divided by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HammingBase {
    /// The number of labels there are.
    #[default]
    Labels,
    /// The number of labels in either set of the document.
    Present,
}

/// A set of labels.
pub type Labels = BTreeSet<String>;

/// The four measures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sokolova {
    /// Documents.
    #[serde(rename = "docs")]
    pub documents: u64,
    /// The number of labels.
    pub labels: u64,
    /// Exact Match Ratio: the share of documents whose sets are equal.
    #[serde(rename = "EMR")]
    pub exact_match_ratio: f64,
    /// Labelling F: the mean of 2 |in & out| / (|in| + |out|).
    #[serde(rename = "LF")]
    pub labelling_f: f64,
    /// Hamming loss: the mean share of labels that are in one set only.
    #[serde(rename = "HL")]
    pub hamming_loss: f64,
    /// One-error: the share of documents whose top label is not in the second set.
    #[serde(rename = "OE")]
    pub one_error: f64,
}

/// Computes the measures of pairs of label sets. `order` holds the labels, the riskiest first; a document's top label
/// is the first of `order` in its first set. Documents with an empty first set are left out of the one-error.
pub fn sokolova(documents: &[(Labels, Labels)], order: &[String], base: HammingBase) -> Sokolova {
    if documents.is_empty() {
        return Sokolova { labels: order.len() as u64, ..Sokolova::default() };
    }
    let (mut equal, mut labelling, mut hamming) = (0_u64, 0.0, 0.0);
    let (mut with_label, mut top_missed) = (0_u64, 0_u64);
    for (first, second) in documents {
        equal += u64::from(first == second);
        let both = first.intersection(second).count();
        let either = first.union(second).count();
        labelling += if either == 0 { 1.0 } else { 2.0 * both as f64 / (first.len() + second.len()) as f64 };
        let of = match base {
            HammingBase::Labels => order.len(),
            HammingBase::Present => either,
        };
        hamming += (either - both) as f64 / of.max(1) as f64;
        // A label outside `order` is less risky than every label in it.
        let top = order.iter().find(|label| first.contains(*label)).or_else(|| first.first());
        if let Some(top) = top {
            with_label += 1;
            top_missed += u64::from(!second.contains(top));
        }
    }
    let count = documents.len() as f64;
    Sokolova {
        documents: documents.len() as u64,
        labels: order.len() as u64,
        exact_match_ratio: equal as f64 / count,
        labelling_f: labelling / count,
        hamming_loss: hamming / count,
        one_error: if with_label == 0 { 0.0 } else { top_missed as f64 / with_label as f64 },
    }
}

/// How bad the misses of one document are together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentRisk {
    /// From so many leaked categories on, a document is of medium risk.
    pub medium: u64,
    /// From so many leaked categories on, a document is of high risk.
    pub high: u64,
}

impl Default for DocumentRisk {
    /// As published: what leaks of one category is a low risk, of two a medium one, of more a high one.
    fn default() -> Self {
        Self { medium: 2, high: 3 }
    }
}

impl DocumentRisk {
    /// The name of the risk, nothing where nothing leaked.
    pub fn of(&self, categories: u64) -> Option<&'static str> {
        match categories {
            0 => None,
            _ if categories >= self.high => Some("high"),
            _ if categories >= self.medium => Some("medium"),
            _ => Some("low"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The misses of the published case: 45 in 500 notes.
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

    /// Puts all misses into notes of the given sizes. Each note takes what is commonest among the rest, never the same
    /// label twice while there is another, so that a note's misses are different things.
    fn notes(sizes: &[usize]) -> Vec<Vec<&'static str>> {
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

    /// Whether a value is printed as that figure.
    fn is(value: f64, printed: f64, digits: i32) -> bool {
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
            let notes = notes(&sizes);
            let documents: Vec<(Labels, Labels)> =
                notes.iter().map(|note| (all.clone(), note.iter().map(|kind| label(kind)).collect())).collect();
            let found = sokolova(&documents, &order, HammingBase::Labels);
            assert!(is(found.exact_match_ratio, emr, 2), "{method}: {found:?}");
            assert!(is(found.labelling_f, lf, 3), "{method}: {found:?}");
            assert!(is(found.hamming_loss, hl, 2), "{method}: {found:?}");
            assert!(is(found.one_error, 0.986, 3), "{method}: {found:?}");
            let mut table: BTreeMap<&str, i32> = BTreeMap::new();
            for note in &notes {
                if let Some(risk) = DocumentRisk::default().of(note.len() as u64) {
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
}
