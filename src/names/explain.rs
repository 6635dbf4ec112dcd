//! Explains the score of a token by templates and positions, without any word of the note.

use super::features::{self, BAG_OF_WORDS_DISTANCES, NEIGHBOUR_OFFSETS};
use super::model::Model;
use super::score::{LABELS, LOG_ODDS_SCALE, Scores};
use super::sink::{FeatureSink, Template};
use super::{JudgedToken, Judgement, NoteContext, NoteWordCounts, parts};
use crate::document::{ScoreReason, TokenScore};
use crate::rules::{Findings, Note};
use crate::terms::Matches;
use crate::text::span::Span;
use crate::vocabulary::Classes;

/// The maximum number of reasons reported.
const MAX_REASONS: usize = 5;
/// The minimum weight of a reported reason.
const MIN_REASON_WEIGHT: i32 = LOG_ODDS_SCALE / 4;
/// The minimum log-odds of an explained token: nearly every word of a note is below it.
const MIN_EXPLAINED_LOG_ODDS: i32 = -3 * LOG_ODDS_SCALE;

/// Collects the weights of the features of a token for one label, by template and by position.
struct WeightCollector<'a> {
    model: &'a Model,
    label: usize,
    /// The offset of the token that the current features come from.
    far: isize,
    weighed: Vec<(Template, isize, i32)>,
    /// The sums of all weights, by label.
    sums: [i32; LABELS],
}

impl FeatureSink for WeightCollector<'_> {
    fn add(&mut self, template: Template, hash: u64) {
        let weights = self.model.sum_weights(&[hash]).map(i32::from);
        self.sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
        let weight = weights[self.label];
        let known = self.weighed.iter_mut().find(|(other, far, _)| (*other, *far) == (template, self.far));
        match known {
            Some((.., sum)) => *sum += weight,
            None => self.weighed.push((template, self.far, weight)),
        }
    }

    fn feature_count(&self) -> usize {
        self.weighed.len()
    }
}

impl Judgement {
    /// Reports the most likely label of every judged token, and the strongest reasons where it may be PHI.
    pub(crate) fn explain_tokens(
        &mut self,
        model: &Model,
        note: &Note<'_>,
        (matches, findings): (&Matches, &Findings),
        allowed: Classes,
        mut each: impl FnMut(usize, TokenScore),
    ) {
        self.evidence.set_from_terms_and_findings(note, matches, findings);
        self.for_each_part(note, allowed, parts::MIN_PART_TOKENS, |judgement, note, part| {
            let Self { context, word_counts, judged, .. } = &*judgement;
            let start = part.around.start;
            for at in part.core.clone().filter(|at| context.token_at(at - start).judged) {
                let judged = judged[at];
                let reasons = if judged.phi_log_odds() > MIN_EXPLAINED_LOG_ODDS {
                    strongest_reasons(model, (context, word_counts), note.bytes(at - start), at - start, judged)
                } else {
                    Vec::new()
                };
                let (source, score) = (Span::default(), score_to_log_odds(judged.phi_log_odds()));
                each(at, TokenScore { source, label: judged.label, score, reasons: reasons.into() });
            }
        });
        self.evidence.release_buffer();
    }
}

fn strongest_reasons(
    model: &Model,
    (context, word_counts): (&NoteContext, &NoteWordCounts),
    folded: &[u8],
    at: usize,
    judged: JudgedToken,
) -> Vec<ScoreReason> {
    let mut scale =
        WeightCollector { model, label: judged.label as usize, far: 0, weighed: Vec::new(), sums: [0; LABELS] };
    collect_weights(context, word_counts, folded, at, &mut scale);
    let again = judged.phi_log_odds() - Scores(scale.sums).phi_log_odds();
    let mut weighed = scale.weighed;
    weighed.sort_by_key(|&(_, _, weight)| std::cmp::Reverse(weight.abs()));
    // All features of a neighbour count as one reason, named after the strongest of them.
    let mut told: Vec<(Template, isize, i32)> = Vec::new();
    for (template, far, weight) in weighed {
        match told.iter_mut().find(|(_, other, _)| *other == far && far != 0) {
            Some((.., sum)) => *sum += weight,
            None => told.push((template, far, weight)),
        }
    }
    told.sort_by_key(|&(_, _, weight)| std::cmp::Reverse(weight.abs()));
    let strongest = told.into_iter().take(MAX_REASONS).filter(|(_, _, weight)| weight.abs() >= MIN_REASON_WEIGHT);
    let mut told: Vec<_> = strongest
        .map(|(template, far, weight)| ScoreReason {
            description: template.description(),
            offset: far as i8,
            weight: score_to_log_odds(weight),
        })
        .collect();
    if again.abs() >= MIN_REASON_WEIGHT {
        told.push(ScoreReason { description: SECOND_PASS_REASON, offset: 0, weight: score_to_log_odds(again) });
    }
    told
}

/// The text of the reason that stands for the second pass.
pub const SECOND_PASS_REASON: &str = "a second look, with the whole note in view";

/// Adds all features of a token, each with the offset of the token that it comes from.
fn collect_weights(
    context: &NoteContext,
    word_counts: &NoteWordCounts,
    folded: &[u8],
    at: usize,
    scale: &mut WeightCollector<'_>,
) {
    let here = context.token_at(at);
    features::add_letter_features(here, folded, scale);
    features::add_own_features_beyond_letters(here, scale);
    for far in NEIGHBOUR_OFFSETS {
        scale.far = far;
        features::add_neighbour(context.token_at_offset(at, far), far, scale);
    }
    for far in BAG_OF_WORDS_DISTANCES.map(usize::cast_signed) {
        scale.far = -far;
        features::add_word_before(context.token_at_offset(at, -far), scale);
        scale.far = far;
        features::add_word_after(context.token_at_offset(at, far), scale);
    }
    scale.far = 0;
    features::add_conjunctions(context, word_counts, at, scale);
}

fn score_to_log_odds(score: i32) -> f32 {
    score as f32 / LOG_ODDS_SCALE as f32
}
