//! Measures the gain of adapting a model to some notes of a batch that it was not trained on, using other notes of the
//! batch.
//!
//! Each batch or gold set is a site. Its notes are shuffled once; training uses the first ones, measurement the last
//! half or the rest; then again in reverse order. Leaks are compared at the share of other tokens that the model kept
//! before.

use std::fmt::Write as _;

use notesieve::names::{Model, NameTrainer, NameTrainingOptions, Rng};
use notesieve::vocabulary::Vocabulary;
use notesieve::{Policy, Scrubber};
use rayon::prelude::*;
use regex::Regex;

use crate::measure::{Counts, count_leaks_and_losses};
use crate::notes::Note;

/// The minimum number of measured notes.
const MIN_MEASURED_NOTES: usize = 30;
/// The strictness values of the curves.
const STRICTNESS: [u32; 9] = [2, 4, 8, 12, 20, 32, 50, 90, 160];
/// The indices of the strictness values whose kept share is used to compare leaks.
const COMPARED: [usize; 4] = [1, 2, 3, 4];

/// Prints the leaks before and after for each site and number of notes, and for all sites together.
pub fn measure_adaptation(
    sites: &[(String, Vec<Note>)],
    vocabulary: &Vocabulary,
    start: &Model,
    numbers: &[usize],
    options: NameTrainingOptions,
) {
    println!("site  notes {}", COMPARED.map(|at| format!("  kept before after (at {})", STRICTNESS[at])).concat());
    for &size in numbers {
        let mut all = [[0.0; 2]; COMPARED.len()];
        for (name, notes) in sites.iter().filter(|(_, notes)| size + MIN_MEASURED_NOTES <= notes.len()) {
            let turns: Vec<[Vec<Counts>; 2]> = [false, true]
                .par_iter()
                .map(|&reversed| curves_before_and_after(notes, vocabulary, start, size, reversed, options))
                .collect();
            let [before, after] = [0, 1].map(|which| {
                let mut sums = vec![Counts::default(); STRICTNESS.len()];
                for turn in &turns {
                    sums.iter_mut().zip(&turn[which]).for_each(|(sum, &counts)| sum.add(counts));
                }
                sums
            });
            let mut line = format!("{name:<12} {size:>4}");
            for (all, at) in all.iter_mut().zip(COMPARED) {
                let (leaks, share) = (before[at].leaked as f64, before[at].shares()[2]);
                let left = leaks_at(&after, share);
                *all = [all[0] + leaks, all[1] + left];
                let _ = write!(line, "  {share:.3}: {leaks:>4.0} {left:>6.1}");
            }
            println!("{line}");
        }
        let totals =
            all.map(|[before, after]| format!("{before:.0} {after:.0} ({:+.3})", after / before.max(1.0) - 1.0));
        println!("{:<12} {size:>4}  {}", "all", totals.join("  "));
    }
}

/// Returns the curves before and after adaptation.
fn curves_before_and_after(
    notes: &[Note],
    vocabulary: &Vocabulary,
    start: &Model,
    size: usize,
    reversed: bool,
    options: NameTrainingOptions,
) -> [Vec<Counts>; 2] {
    let mut order: Vec<usize> = (0..notes.len()).collect();
    Rng::new(1).shuffle(&mut order);
    if reversed {
        order.reverse();
    }
    let (learned, measured) = (&order[..size], &order[size.max(notes.len() / 2)..]);
    let scrubber = Scrubber::new(vocabulary.clone(), Policy::safe());
    let mut trainer = NameTrainer::adapting_model(start.clone(), options);
    for &nth in learned {
        let example = scrubber.training_example(&notes[nth].text, &notes[nth].gold(), nth as u32, nth as u32);
        trainer.add_note(example.expect("a short text"));
    }
    trainer.drop_rare_features();
    let moved = Model::from_bytes(&trainer.train_without_group(None, "{}")).expect("what was just written");
    [recall_curve(notes, measured, vocabulary, start), recall_curve(notes, measured, vocabulary, &moved)]
}

/// Returns the counts at each strictness.
fn recall_curve(notes: &[Note], measured: &[usize], vocabulary: &Vocabulary, model: &Model) -> Vec<Counts> {
    let token = Regex::new(r"\w[\w\u{300}-\u{36f}]*").expect("a pattern");
    let at = |strictness: u32| {
        let policy = Policy { strictness: strictness.into(), ..Policy::safe() };
        let scrubber = Scrubber::new(vocabulary.clone(), policy).with_model(model.clone());
        let mut counts = Counts::default();
        for &nth in measured {
            let document = scrubber.scrub(&notes[nth].text).expect("a short text");
            counts.add(count_leaks_and_losses(&token, &notes[nth], &document.removed));
        }
        counts
    };
    STRICTNESS.map(at).to_vec()
}

/// Returns the leaks at a kept share, interpolated linearly between strictness values.
fn leaks_at(curve: &[Counts], share: f64) -> f64 {
    let points: Vec<[f64; 2]> = curve.iter().map(|counts| [counts.shares()[2], counts.leaked as f64]).collect();
    for pair in points.windows(2) {
        let [[one, low], [two, high]] = [pair[0], pair[1]];
        if one >= share && share >= two {
            let part = if one > two { (one - share) / (one - two) } else { 0.0 };
            return low + part * (high - low);
        }
    }
    if share > points[0][0] { points[0][1] } else { points[points.len() - 1][1] }
}
