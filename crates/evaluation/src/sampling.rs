//! Sample size, sampling and analysis for a manual review.
//!
//! Users have no gold standard of their own notes. A sample that people read can show that recall is above a required
//! value, by the one-sided exact binomial test on PHI spans with a design effect, since the misses of one note are
//! correlated.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::bootstrap::{Random, quantile};
use crate::error::{Error, Result};
use crate::gold::{broken_line, read_text};
use crate::intervals::{beta_quantile, binomial_at_most};
use crate::measures::{Tally, share_or_one};

/// The hypothesis to test, and the expected result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewPlan {
    /// The recall that the system must exceed.
    pub recall: f64,
    /// The one-sided confidence level.
    pub confidence: f64,
    /// The expected recall of the system; 1 plans for no miss at all.
    pub expected: f64,
    /// The required probability that the study succeeds if the expectation is right.
    pub power: f64,
    /// The mean number of PHI spans per note.
    pub phi_per_note: f64,
    /// The intracluster correlation: how much more alike the misses of one note are than those of different notes.
    pub correlation: f64,
}

impl Default for ReviewPlan {
    fn default() -> Self {
        Self { recall: 0.99, confidence: 0.95, expected: 1.0, power: 0.8, phi_per_note: 20.0, correlation: 0.05 }
    }
}

/// The required size of a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleSize {
    /// The number of notes to read.
    pub notes: u64,
    /// The number of PHI spans that they should contain, before the design effect.
    pub phi: u64,
    /// The maximum number of misses with which the test still succeeds.
    pub allowed_misses: u64,
    /// 1 + (PHI per note - 1) x correlation.
    pub design_effect: f64,
    /// The probability of success if the expectation is right.
    pub power: f64,
}

/// Returns the minimum number of PHI spans for which the test succeeds with `misses` misses.
fn fewest_pieces_for(misses: u64, recall: f64, risk: f64) -> u64 {
    let shown = |n: u64| binomial_at_most(misses, n, 1.0 - recall) <= risk;
    let (mut low, mut high) = (misses, misses + 1);
    while !shown(high) {
        low = high;
        high *= 2;
    }
    while high - low > 1 {
        let middle = u64::midpoint(low, high);
        if shown(middle) { high = middle } else { low = middle }
    }
    high
}

/// Returns the number of notes to read for a test.
pub fn sample_size(plan: &ReviewPlan) -> Result<SampleSize> {
    let ReviewPlan { recall, confidence, expected, power, phi_per_note, correlation } = *plan;
    let within = |value: f64| value > 0.0 && value < 1.0;
    if !within(recall) || !within(confidence) || !within(power) {
        return Err(Error::Option("recall, confidence and power must lie between 0 and 1".to_owned()));
    }
    if expected <= recall || expected > 1.0 {
        return Err(Error::Option("the expected recall must be above the recall to show, and at most 1".to_owned()));
    }
    if phi_per_note <= 0.0 || phi_per_note.is_nan() || !(0.0..=1.0).contains(&correlation) {
        return Err(Error::Option("a note must hold PHI, and the correlation must lie from 0 to 1".to_owned()));
    }
    let design_effect = 1.0 + (phi_per_note - 1.0).max(0.0) * correlation;
    for misses in 0..10_000 {
        let phi = fewest_pieces_for(misses, recall, 1.0 - confidence);
        let reached = binomial_at_most(misses, phi, 1.0 - expected);
        if reached >= power {
            #[allow(clippy::cast_sign_loss)] // All three are positive.
            let notes = (phi as f64 * design_effect / phi_per_note).ceil() as u64;
            return Ok(SampleSize { notes, phi, allowed_misses: misses, design_effect, power: reached });
        }
    }
    Err(Error::Option("the expected recall is too close to the recall to show".to_owned()))
}

/// A note of a sample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sampled {
    /// The name of the document.
    pub doc: String,
    /// The stratum of the document.
    pub stratum: String,
}

/// Draws a stratified sample, proportional to the size of each stratum, with at least one document of each if the size
/// allows it. The same documents and seed give the same sample, whatever the order of the documents.
pub fn draw_sample(documents: &BTreeMap<String, String>, size: usize, seed: u64) -> Vec<Sampled> {
    let mut strata: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (doc, stratum) in documents {
        strata.entry(stratum).or_default().push(doc);
    }
    let size = size.min(documents.len());
    let mut shares: Vec<(&str, usize, f64)> = strata
        .iter()
        .map(|(stratum, docs)| {
            let exact = size as f64 * docs.len() as f64 / documents.len() as f64;
            #[allow(clippy::cast_sign_loss)] // A part of a size.
            let whole = (exact.floor() as usize).max(usize::from(size >= strata.len()));
            (*stratum, whole.min(docs.len()), exact - exact.floor())
        })
        .collect();
    // The largest remainders get what is left. If the minimum of one made the total too large, the largest strata give.
    shares.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(b.0)));
    let mut given: usize = shares.iter().map(|share| share.1).sum();
    while given < size {
        for share in &mut shares {
            if given < size && share.1 < strata[share.0].len() {
                share.1 += 1;
                given += 1;
            }
        }
    }
    while given > size {
        if let Some(largest) = shares.iter_mut().max_by_key(|share| share.1) {
            largest.1 -= 1;
        }
        given -= 1;
    }
    shares.sort_by(|a, b| a.0.cmp(b.0));
    let mut random = Random::new(seed);
    let mut sample = Vec::with_capacity(size);
    for (stratum, number, _) in shares {
        let mut docs = strata[stratum].clone();
        random.shuffle(&mut docs);
        docs.truncate(number);
        docs.sort_unstable();
        sample.extend(docs.into_iter().map(|doc| Sampled { doc: doc.to_owned(), stratum: stratum.to_owned() }));
    }
    sample
}

/// Returns the sheet for readers to fill in: one row per note.
pub fn annotation_sheet(sample: &[Sampled]) -> String {
    let rows = sample.iter().map(|Sampled { doc, stratum }| format!("{doc},{stratum},,\n"));
    ["doc,stratum,phi,missed\n".to_owned()].into_iter().chain(rows).collect()
}

/// The findings of a reader in one note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The name of the document.
    pub doc: String,
    /// The stratum of the document.
    pub stratum: String,
    /// The number of PHI spans in the original.
    pub phi: u64,
    /// The number of those left in the scrubbed text.
    pub missed: u64,
}

/// Reads a filled-in sheet. A row without numbers is an error, because a note that nobody read proves nothing.
pub fn read_sheet(path: &Path) -> Result<Vec<Mark>> {
    let mut marks = Vec::new();
    for (at, line) in read_text(path)?.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |problem: &str| broken_line(path, at as u64 + 1, problem);
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [doc, stratum, phi, missed, ..] = fields[..] else { return Err(wrong("is not doc,stratum,phi,missed")) };
        let number = |field: &str| field.parse::<u64>().map_err(|_| wrong("phi and missed must both be numbers"));
        let (phi, missed) = (number(phi)?, number(missed)?);
        if missed > phi {
            return Err(wrong("more was missed than there was"));
        }
        marks.push(Mark { doc: doc.to_owned(), stratum: stratum.to_owned(), phi, missed });
    }
    Ok(marks)
}

/// The conclusion from a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The number of notes read.
    pub notes: u64,
    /// The PHI removed and missed.
    pub phi: Tally,
    /// The recall in the sample.
    pub recall: f64,
    /// The lower one-sided bound of the recall, with the design effect.
    pub lower_bound: f64,
    /// The design effect estimated from the marks; at least 1.
    pub design_effect: f64,
    /// The lower one-sided bound of the recall by bootstrap over notes.
    pub bootstrap_bound: f64,
    /// Whether the sample shows that recall is above the required value.
    pub shown: bool,
    /// The tallies by stratum.
    pub strata: BTreeMap<String, Tally>,
}

/// Analyses the marks. Without any miss, the design effect cannot be estimated, so that of the plan is used.
pub fn judge_marks(marks: &[Mark], plan: &ReviewPlan, seed: u64) -> Verdict {
    let tally = |mark: &Mark| Tally { tp: mark.phi - mark.missed, fp: 0, missed: mark.missed };
    let (mut phi, mut strata) = (Tally::default(), BTreeMap::<String, Tally>::new());
    for mark in marks {
        phi += tally(mark);
        *strata.entry(mark.stratum.clone()).or_default() += tally(mark);
    }
    let recall = phi.recall();
    let design_effect = design_effect(marks, phi, plan);
    let (n, k) = (phi.gold_count() as f64 / design_effect, phi.tp as f64 / design_effect);
    let risk = 1.0 - plan.confidence;
    let lower_bound = if phi.tp == 0 { 0.0 } else { beta_quantile(risk, k, n - k + 1.0) };
    let mut random = Random::new(seed);
    let mut drawn: Vec<f64> = (0..if marks.is_empty() { 0 } else { 2_000 })
        .map(|_| {
            let mut sum = Tally::default();
            for _ in marks {
                sum += tally(&marks[random.below(marks.len() as u64) as usize]);
            }
            sum.recall()
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    Verdict {
        notes: marks.len() as u64,
        phi,
        recall,
        lower_bound,
        design_effect,
        bootstrap_bound: if drawn.is_empty() { 0.0 } else { quantile(&drawn, risk) },
        shown: lower_bound >= plan.recall,
        strata,
    }
}

/// Returns the variance of the recall over notes divided by that of independent spans (ratio estimator).
fn design_effect(marks: &[Mark], phi: Tally, plan: &ReviewPlan) -> f64 {
    let notes = marks.len() as f64;
    if phi.missed == 0 || phi.tp == 0 || marks.len() < 2 {
        let mean = share_or_one(phi.gold_count(), marks.len().max(1) as u64);
        return 1.0 + (mean - 1.0).max(0.0) * plan.correlation;
    }
    let (recall, all) = (phi.recall(), phi.gold_count() as f64);
    let residuals: f64 =
        marks.iter().map(|mark| ((mark.phi - mark.missed) as f64 - recall * mark.phi as f64).powi(2)).sum();
    let clustered = residuals * notes / (notes - 1.0) / (all * all);
    (clustered / (recall * (1.0 - recall) / all)).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_miss_in_299_pieces_shows_99_percent() {
        let plan = ReviewPlan { correlation: 0.0, phi_per_note: 10.0, ..ReviewPlan::default() };
        let size = sample_size(&plan).unwrap();
        // ln 0.05 / ln 0.99 = 298.07.
        assert_eq!((size.phi, size.allowed_misses, size.notes), (299, 0, 30));
        assert!((size.power - 1.0).abs() < 1e-12);
    }

    #[test]
    fn misses_that_are_expected_need_more_notes() {
        let plan = ReviewPlan { expected: 0.998, correlation: 0.05, ..ReviewPlan::default() };
        let size = sample_size(&plan).unwrap();
        // One miss fewer, or one span fewer, would not suffice.
        assert!(size.power >= 0.8 && size.allowed_misses > 0);
        assert!(binomial_at_most(size.allowed_misses, size.phi, 0.01) <= 0.05);
        assert!(binomial_at_most(size.allowed_misses, size.phi - 1, 0.01) > 0.05);
        let fewer = fewest_pieces_for(size.allowed_misses - 1, 0.99, 0.05);
        assert!(binomial_at_most(size.allowed_misses - 1, fewer, 0.002) < 0.8);
        assert!((size.design_effect - 1.95).abs() < 1e-12);
        assert!(sample_size(&ReviewPlan { expected: 0.98, ..ReviewPlan::default() }).is_err());
    }

    #[test]
    fn the_sample_is_stratified_and_repeats() {
        let documents: BTreeMap<String, String> = (0..100)
            .map(|at| {
                (
                    format!("n{at:03}"),
                    if at < 70 {
                        "ward"
                    } else if at < 98 {
                        "clinic"
                    } else {
                        "rare"
                    }
                    .to_owned(),
                )
            })
            .collect();
        let sample = draw_sample(&documents, 20, 42);
        let count = |stratum: &str| sample.iter().filter(|one| one.stratum == stratum).count();
        assert_eq!((count("ward"), count("clinic"), count("rare")), (14, 5, 1));
        assert_eq!(sample, draw_sample(&documents, 20, 42));
        assert_ne!(sample, draw_sample(&documents, 20, 43));
        assert_eq!(draw_sample(&documents, 500, 1).len(), 100);
        assert_eq!(draw_sample(&documents, 2, 1).len(), 2);
    }

    #[test]
    fn marks_show_or_do_not_show() {
        let mark = |at: u64, missed| Mark { doc: at.to_string(), stratum: "all".to_owned(), phi: 20, missed };
        let plan = ReviewPlan { correlation: 0.0, ..ReviewPlan::default() };
        let good: Vec<Mark> = (0..15).map(|at| mark(at, 0)).collect();
        let verdict = judge_marks(&good, &plan, 1);
        assert!(verdict.shown && (verdict.lower_bound - 0.05_f64.powf(1.0 / 300.0)).abs() < 1e-9, "{verdict:?}");
        // Misses in one note weigh more than the same number spread over many notes.
        let mut together = good.clone();
        together[0].missed = 6;
        let mut spread = good.clone();
        spread.iter_mut().take(6).for_each(|mark| mark.missed = 1);
        let (together, spread) = (judge_marks(&together, &plan, 1), judge_marks(&spread, &plan, 1));
        assert!(!together.shown && together.design_effect > 3.0 && spread.design_effect < 1.5);
        assert!(together.lower_bound < spread.lower_bound);
    }
}
