//! Inter-annotator agreement on PHI, and the gold standard derived from several readers.
//!
//! The unit is the token, as in scoring: a token is PHI for a reader who marked any character of it. Pairwise F1 treats
//! one reader as the gold standard and the other as the system; it does not depend on which is which.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::gold::{Gold, GoldSpan, Problem};
use crate::label_map::join_category;
use crate::measures::Tally;
use crate::tokens::tokenize;

/// The agreement of two readers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The first reader.
    pub first: String,
    /// The second reader.
    pub second: String,
    /// The tokens that both, only the second, or only the first marked.
    pub tokens: Tally,
    /// The F1 of the marked tokens.
    #[serde(rename = "F1")]
    pub f1: f64,
    /// The F1 of spans with the same bounds.
    pub exact_span_f1: f64,
    /// The F1 of spans with the same bounds and category.
    pub exact_typed_f1: f64,
    /// Cohen's kappa for PHI or not.
    pub kappa: f64,
    /// Cohen's kappa over the categories.
    pub kappa_category: f64,
}

/// One or more readers against the adjudicated gold standard; several together mark a token if any of them does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Readers {
    /// The names of the readers.
    pub readers: Vec<String>,
    /// The tally of tokens.
    pub tokens: Tally,
    /// The precision.
    pub precision: f64,
    /// The recall.
    pub recall: f64,
    /// The F1.
    #[serde(rename = "F1")]
    pub f1: f64,
}

/// The mean result of a number of readers together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Combined {
    /// The number of readers per note.
    pub readers: u64,
    /// The mean precision over all combinations of that many readers.
    pub precision: f64,
    /// The mean recall.
    pub recall: f64,
    /// The mean F1.
    #[serde(rename = "F1")]
    pub f1: f64,
}

/// The agreement of two or more readers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// The number of documents that all of them read.
    pub documents: u64,
    /// The number of tokens in these documents.
    pub tokens: u64,
    /// The agreement of every pair.
    pub pairs: Vec<Pair>,
    /// Fleiss' kappa over all readers for PHI or not.
    pub fleiss_kappa: f64,
    /// Fleiss' kappa over the categories.
    pub fleiss_kappa_category: f64,
    /// Every combination of one or more readers against the adjudicated (or majority) gold standard.
    pub against_gold: Vec<Readers>,
    /// The means by number of readers.
    pub by_readers: Vec<Combined>,
    /// The documents left out because not all readers read them.
    pub problems: Vec<Problem>,
}

/// Each reader's label of every token in all documents: 0 for no PHI, otherwise the number of a category.
struct LabelTable {
    categories: Vec<String>,
    /// `labels[person][token]`.
    labels: Vec<Vec<u32>>,
}

fn token_labels(gold: &Gold, doc: &str, categories: &mut Vec<String>) -> Vec<u32> {
    let text: Vec<char> = gold.notes[doc].chars().collect();
    let mut owner = vec![0_u32; text.len()];
    for span in gold.spans.get(doc).into_iter().flatten() {
        let known = categories.iter().position(|have| *have == span.category);
        let at = known.unwrap_or_else(|| {
            categories.push(span.category.clone());
            categories.len() - 1
        });
        owner[span.start as usize..span.end as usize].fill(at as u32 + 1);
    }
    let label = |(start, end): (usize, usize)| owner[start..end].iter().copied().find(|&label| label > 0).unwrap_or(0);
    tokenize(&text).into_iter().map(label).collect()
}

fn shared_documents(people: &[(String, Gold)]) -> Result<(Vec<String>, Vec<Problem>)> {
    let [(_, first), others @ ..] = people else { return Err(Error::Option("no annotations to compare".to_owned())) };
    if others.is_empty() {
        return Err(Error::Option("agreement needs the annotations of two people or more".to_owned()));
    }
    let all: BTreeSet<&String> = people.iter().flat_map(|(_, gold)| gold.notes.keys()).collect();
    let (mut shared, mut problems) = (Vec::new(), Vec::new());
    for doc in all {
        let same = people.iter().all(|(_, gold)| gold.notes.get(doc) == first.notes.get(doc));
        if same && first.notes.contains_key(doc) {
            shared.push(doc.clone());
        } else {
            let problem = "is not there, or has another text, for one of the readers".to_owned();
            problems.push(Problem { file: doc.clone(), line: 0, problem });
        }
    }
    Ok((shared, problems))
}

/// Returns Cohen's kappa of two lists of labels; 1 if chance alone would give full agreement.
fn cohen_kappa(first: &[u32], second: &[u32], categories: usize) -> f64 {
    let n = first.len() as f64;
    let mut margins = vec![(0_u64, 0_u64); categories + 1];
    let mut same = 0_u64;
    for (&a, &b) in first.iter().zip(second) {
        same += u64::from(a == b);
        margins[a as usize].0 += 1;
        margins[b as usize].1 += 1;
    }
    let chance: f64 = margins.iter().map(|&(a, b)| a as f64 / n * (b as f64 / n)).sum();
    kappa_from_agreement(same as f64 / n, chance)
}

fn kappa_from_agreement(observed: f64, chance: f64) -> f64 {
    if (1.0 - chance).abs() < 1e-15 || chance.is_nan() { 1.0 } else { (observed - chance) / (1.0 - chance) }
}

/// Returns Fleiss' kappa for any number of raters.
pub(super) fn fleiss_kappa(labels: &[Vec<u32>], categories: usize) -> f64 {
    let (raters, items) = (labels.len() as f64, labels[0].len());
    let mut totals = vec![0_u64; categories + 1];
    let mut agreement = 0.0;
    for at in 0..items {
        let mut counts = vec![0_u64; categories + 1];
        for person in labels {
            counts[person[at] as usize] += 1;
            totals[person[at] as usize] += 1;
        }
        let pairs: u64 = counts.iter().map(|&count| count * count).sum();
        agreement += (pairs as f64 - raters) / (raters * (raters - 1.0));
    }
    let chance: f64 = totals.iter().map(|&total| (total as f64 / (items as f64 * raters)).powi(2)).sum();
    kappa_from_agreement(agreement / items as f64, chance)
}

fn tally_against(truth: &[u32], found: impl Fn(usize) -> bool) -> Tally {
    let mut tally = Tally::default();
    for (at, &label) in truth.iter().enumerate() {
        match (label > 0, found(at)) {
            (true, caught) => tally.count_gold(caught),
            (false, true) => tally.fp += 1,
            (false, false) => {}
        }
    }
    tally
}

fn span_f1(first: &Gold, second: &Gold, docs: &[String], typed: bool) -> f64 {
    let all = |gold: &Gold| -> BTreeSet<(String, u32, u32, String)> {
        let key = |doc: &String, span: &GoldSpan| {
            let category = if typed { span.category.clone() } else { String::new() };
            (doc.clone(), span.start, span.end, category)
        };
        docs.iter().flat_map(|doc| gold.spans.get(doc).into_iter().flatten().map(move |span| key(doc, span))).collect()
    };
    let (first, second) = (all(first), all(second));
    let both = first.intersection(&second).count() as u64;
    Tally { tp: both, fp: second.len() as u64 - both, missed: first.len() as u64 - both }.f_measure(1.0)
}

/// Computes the agreement. Without `adjudicated`, readers are compared with the majority's gold standard.
pub fn agreement(people: &[(String, Gold)], adjudicated: Option<&Gold>) -> Result<Agreement> {
    let (docs, problems) = shared_documents(people)?;
    let majority;
    let truth = if let Some(gold) = adjudicated {
        gold
    } else {
        majority = majority_gold(people)?;
        &majority
    };
    let docs: Vec<String> = docs.into_iter().filter(|doc| truth.notes.contains_key(doc)).collect();
    if docs.is_empty() {
        return Err(Error::Option("no document was read by all".to_owned()));
    }
    let mut categories = Vec::new();
    let mut of =
        |gold: &Gold| docs.iter().flat_map(|doc| token_labels(gold, doc, &mut categories)).collect::<Vec<u32>>();
    let labels: Vec<Vec<u32>> = people.iter().map(|(_, gold)| of(gold)).collect();
    let truth = of(truth);
    if labels.iter().any(|labels| labels.len() != truth.len()) {
        return Err(Error::Option("the adjudicated gold has other texts than the readers".to_owned()));
    }
    let table = LabelTable { categories, labels };
    let against_gold = score_readers_against_gold(people, &table, &truth);
    Ok(Agreement {
        documents: docs.len() as u64,
        tokens: truth.len() as u64,
        pairs: compare_pairs_of_readers(people, &table, &docs),
        fleiss_kappa: fleiss_kappa(&table.as_phi_or_not(), 1),
        fleiss_kappa_category: fleiss_kappa(&table.labels, table.categories.len()),
        by_readers: combine_by_reader_count(&against_gold),
        against_gold,
        problems,
    })
}

impl LabelTable {
    /// Returns the labels reduced to PHI or not.
    fn as_phi_or_not(&self) -> Vec<Vec<u32>> {
        self.labels.iter().map(|labels| labels.iter().map(|&label| label.min(1)).collect()).collect()
    }
}

fn compare_pairs_of_readers(people: &[(String, Gold)], table: &LabelTable, docs: &[String]) -> Vec<Pair> {
    let binary = table.as_phi_or_not();
    let mut pairs = Vec::new();
    for a in 0..people.len() {
        for b in a + 1..people.len() {
            let tokens = tally_against(&table.labels[a], |at| table.labels[b][at] > 0);
            pairs.push(Pair {
                first: people[a].0.clone(),
                second: people[b].0.clone(),
                tokens,
                f1: tokens.f_measure(1.0),
                exact_span_f1: span_f1(&people[a].1, &people[b].1, docs, false),
                exact_typed_f1: span_f1(&people[a].1, &people[b].1, docs, true),
                kappa: cohen_kappa(&binary[a], &binary[b], 1),
                kappa_category: cohen_kappa(&table.labels[a], &table.labels[b], table.categories.len()),
            });
        }
    }
    pairs
}

/// Scores every combination of readers, for up to twelve readers; a combination marks what any of them marked.
fn score_readers_against_gold(people: &[(String, Gold)], table: &LabelTable, truth: &[u32]) -> Vec<Readers> {
    let count = people.len().min(12);
    let mut choices: Vec<u32> = (1..1_u32 << count).collect();
    choices.sort_by_key(|choice| choice.count_ones());
    let readers = |choice: u32| {
        let chosen: Vec<usize> = (0..count).filter(|at| choice >> at & 1 == 1).collect();
        let tokens = tally_against(truth, |at| chosen.iter().any(|&person| table.labels[person][at] > 0));
        Readers {
            readers: chosen.iter().map(|&person| people[person].0.clone()).collect(),
            tokens,
            precision: tokens.precision(),
            recall: tokens.recall(),
            f1: tokens.f_measure(1.0),
        }
    };
    choices.into_iter().map(readers).collect()
}

fn combine_by_reader_count(all: &[Readers]) -> Vec<Combined> {
    let most = all.iter().map(|one| one.readers.len()).max().unwrap_or(0);
    let combined = |number: usize| {
        let some: Vec<&Readers> = all.iter().filter(|one| one.readers.len() == number).collect();
        let mean = |of: fn(&Readers) -> f64| some.iter().map(|one| of(one)).sum::<f64>() / some.len() as f64;
        Combined {
            readers: number as u64,
            precision: mean(|r| r.precision),
            recall: mean(|r| r.recall),
            f1: mean(|r| r.f1),
        }
    };
    (1..=most).map(combined).collect()
}

/// Returns the gold standard of the majority: characters are PHI if more than half of the readers marked them. The
/// category is the most frequent one, and the alphabetically first of equally frequent ones.
pub fn majority_gold(people: &[(String, Gold)]) -> Result<Gold> {
    let (docs, problems) = shared_documents(people)?;
    let mut gold = Gold { problems, ..Gold::default() };
    for doc in docs {
        let text = people[0].1.notes[&doc].clone();
        let length = text.chars().count();
        let mut votes: Vec<BTreeMap<(String, bool), u32>> = vec![BTreeMap::new(); length];
        for (_, person) in people {
            for span in person.spans.get(&doc).into_iter().flatten() {
                let vote = (join_category(&span.category, &span.subtype), span.required);
                for votes in &mut votes[span.start as usize..span.end as usize] {
                    *votes.entry(vote.clone()).or_default() += 1;
                }
            }
        }
        let winner = |votes: &BTreeMap<(String, bool), u32>| {
            let all: u32 = votes.values().sum();
            let best = votes.iter().max_by_key(|(vote, count)| (**count, std::cmp::Reverse(*vote)))?;
            (all as usize * 2 > people.len()).then(|| best.0.clone())
        };
        let mut starts: BTreeMap<u32, usize> = BTreeMap::new();
        for span in people.iter().filter_map(|(_, person)| person.spans.get(&doc)).flatten() {
            *starts.entry(span.start).or_default() += 1;
        }
        let begins = |at: u32| starts.get(&at).is_some_and(|count| count * 2 > people.len());
        let mut spans: Vec<(Option<(String, bool)>, GoldSpan)> = Vec::new();
        for (at, vote) in votes.iter().map(winner).enumerate() {
            let Some((name, required)) = vote.clone() else { continue };
            let at = at as u32;
            match spans.last_mut() {
                // Adjacent spans that the majority marked separately stay separate.
                Some((last, span)) if *last == vote && span.end == at && !begins(at) => span.end += 1,
                _ => spans.push((vote, GoldSpan { required, ..GoldSpan::new(at, at + 1, &name) })),
            }
        }
        gold.notes.insert(doc.clone(), text);
        gold.spans.insert(doc, spans.into_iter().map(|(_, span)| span).collect());
    }
    Ok(gold)
}
