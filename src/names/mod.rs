//! Scores every word and number that could come out: the log-odds that it belongs to a name, a place, a date or another
//! identifier, by weights learned from marked notes.
//!
//! A token with a high score becomes a finding like those of rules; weak findings on tokens with low scores are
//! dropped. The first pass is linear over the features of the token. Gradient-boosted trees then score uncertain tokens
//! again, with the first-pass scores of all tokens as input. All scores are integers, so every machine gives the same
//! answer.

#![allow(clippy::cast_possible_wrap, clippy::cast_sign_loss, reason = "scores and places are small by their making")]

mod arrays;
mod context;
mod dense;
mod explain;
mod features;
mod grow;
mod memo;
mod model;
mod note_word_counts;
mod partner;
mod parts;
mod report;
mod rows;
mod score;
mod sink;
mod train;
mod tree;
mod trees;
#[cfg(target_arch = "x86_64")]
mod trees_avx2;

pub use crate::finding::Label;
pub use crate::linear::rng::Rng;
pub use arrays::{FeatureArrays, FeatureMatrix};
pub use explain::SECOND_PASS_REASON;
pub use grow::TreeGrowth;
pub use model::Model;
pub use sink::Template;
pub use train::{GoldLabel, NameTrainer, NameTrainingOptions, TrainingNote};

pub(crate) use arrays::features_of_note as features;
pub(crate) use report::SectionStrictness;
pub(crate) use score::LOG_ODDS_SCALE;

use crate::buffer::release;
use crate::debug::debug_count;
use crate::rules::{Findings, Note};
use crate::terms::Matches;
use crate::vocabulary::Classes;
use context::{NoteContext, NoteEvidence, TokenFeatures};
use dense::{DenseRow, RowWriter};
use note_word_counts::NoteWordCounts;
use parts::NotePart;
use report::RuleKnowledge;
use rows::SingleTokenSums;
use score::{FirstPassScore, LABELS, PARTS, SINGLE_TOKEN_PARTS};
use tree::LANES;
use trees::RowBlock;

/// The buffers of one worker. Those that span the note take a few bytes per token; the others are as long as one part.
#[derive(Default)]
pub(crate) struct Judgement {
    evidence: NoteEvidence,
    context: NoteContext,
    word_counts: NoteWordCounts,
    rows: SingleTokenSums,
    features: sink::FeatureBuffer,
    first: Vec<FirstPassScore>,
    line_and_run_scores: dense::LineAndRunScores,
    uncertain: Vec<UncertainToken>,
    /// The row written last, and the bytes of the rows of all uncertain tokens.
    row: DenseRow,
    uncertain_rows: Vec<u8>,
    /// The result for each token of the note.
    judged: Vec<JudgedToken>,
    rule_knowledge: Vec<RuleKnowledge>,
}

/// The final score and label of a token, and flags for the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JudgedToken {
    total: i16,
    label: Label,
    /// [`JudgedToken::UNLISTED`] and [`JudgedToken::IN_LONG_TERM`].
    flags: u8,
}

const _: () = assert!(size_of::<JudgedToken>() == 4, "a long note has millions of them");

impl JudgedToken {
    const UNLISTED: u8 = 1;
    const IN_LONG_TERM: u8 = 2;

    fn new(first: &FirstPassScore, features_of_token: &TokenFeatures) -> Self {
        let unlisted = if features_of_token.is_unlisted() { Self::UNLISTED } else { 0 };
        let in_long_term = if features_of_token.is_in_long_term() { Self::IN_LONG_TERM } else { 0 };
        Self { total: 0, label: first.scores.best_label(), flags: unlisted | in_long_term }.with_total(first.total)
    }

    /// Returns whether the word is unlisted: nothing vouches for it.
    const fn is_unlisted(self) -> bool {
        self.flags & Self::UNLISTED != 0
    }

    /// Returns whether it is part of a term of several words.
    const fn is_in_long_term(self) -> bool {
        self.flags & Self::IN_LONG_TERM != 0
    }

    /// Sets the total, clamped to 16 bits.
    fn with_total(self, total: i32) -> Self {
        Self { total: total.clamp(i16::MIN.into(), i16::MAX.into()) as i16, ..self }
    }

    /// Returns the log-odds that the token is PHI.
    pub(crate) fn phi_log_odds(self) -> i32 {
        self.total.into()
    }
}

/// A token whose first-pass score is so uncertain that the trees score it again.
#[derive(Clone, Copy, Debug)]
struct UncertainToken {
    token: u32,
    /// The number of its word.
    word: u32,
    first: i32,
}

debug_count!(Judgement, "tokens", |it| it.judged.len());

impl Judgement {
    /// Scores every word and number of a note.
    pub(crate) fn score_note(
        &mut self,
        model: &Model,
        note: &Note<'_>,
        matches: &Matches,
        findings: &Findings,
        allowed: Classes,
    ) {
        self.score_in_parts(model, note, (matches, findings), allowed, parts::MIN_PART_TOKENS);
    }

    /// Returns whether a token is more likely not PHI than PHI; with `sure`, at least e times more likely.
    pub(crate) fn is_likely_not_phi(&self, at: usize, sure: bool) -> bool {
        self.judged.get(at).is_some_and(|judged| judged.phi_log_odds() < if sure { -LOG_ODDS_SCALE } else { 0 })
    }

    /// Encodes the label and the quantised log-odds of a token as one number; 0 for tokens that were not judged.
    pub(crate) fn label_and_log_odds_code(&self, at: usize) -> u64 {
        self.judged.get(at).map_or(0, |judged| {
            let step = (judged.phi_log_odds() / (2 * LOG_ODDS_SCALE)).clamp(-4, 4) + 4;
            ((1 + judged.label as u64) << 8) | step as u64
        })
    }

    /// Scores a note in parts of at least `long` tokens; the scores do not depend on `long`.
    fn score_in_parts(
        &mut self,
        model: &Model,
        note: &Note<'_>,
        (matches, findings): (&Matches, &Findings),
        allowed: Classes,
        long: usize,
    ) {
        self.evidence.set_from_terms_and_findings(note, matches, findings);
        self.uncertain.clear();
        self.uncertain_rows.clear();
        self.judged.clear();
        self.judged.reserve_exact(note.len());
        self.for_each_part(note, allowed, long, |judgement, note, part| {
            judgement.run_first_pass_over_part(model, note, part);
        });
        self.evidence.release_buffer();
        self.rescore_with_trees(model);
        release(&mut self.uncertain);
        release(&mut self.uncertain_rows);
    }

    /// Reads a note in parts of at least `long` tokens, and calls `each` with the tokens around each part. The evidence
    /// must have been read before.
    fn for_each_part(
        &mut self,
        note: &Note<'_>,
        allowed: Classes,
        long: usize,
        mut each: impl FnMut(&mut Self, &Note<'_>, &NotePart),
    ) {
        let several = self.count_words_of_note(note, allowed, long);
        let mut part = NotePart::starting_with(note, 0, long);
        loop {
            if several {
                self.context.read_words(note, &self.evidence, part.around.clone(), allowed);
                self.word_counts.look_up_words(&self.context);
            }
            self.context.read_layout(note, part.around.start);
            each(self, &note.slice_of_tokens(part.around.clone()), &part);
            part = NotePart::starting_with(note, part.core.end, long);
            if part.core.is_empty() {
                break;
            }
        }
    }

    /// Counts the words of a note; returns whether it has several parts.
    fn count_words_of_note(&mut self, note: &Note<'_>, allowed: Classes, long: usize) -> bool {
        self.word_counts.start_note();
        let mut core = NotePart::starting_with(note, 0, long).core;
        let several = core.end < note.len();
        loop {
            self.context.read_words(note, &self.evidence, core.clone(), allowed);
            self.word_counts.count_part(&self.context);
            core = NotePart::starting_with(note, core.end, long).core;
            if core.is_empty() {
                return several;
            }
        }
    }

    /// Runs the first pass over a part that was read; `note` holds the tokens around it.
    fn run_first_pass_over_part(&mut self, model: &Model, note: &Note<'_>, part: &NotePart) {
        let start = part.around.start;
        self.rows.sum_weights_of_tokens(model, &self.context.token_features, |at| note.bytes(at));
        self.first.clear();
        self.first.resize(note.len(), FirstPassScore::NOT_PHI);
        for at in part.seen.start - start..part.seen.end - start {
            if self.context.token_at(at).judged {
                self.first[at] = self.first_pass_score(model, at);
            }
        }
        let Self {
            context,
            word_counts,
            first,
            line_and_run_scores: sections,
            uncertain,
            row,
            uncertain_rows,
            judged,
            ..
        } = self;
        sections.sum_scores(context, first);
        let core = part.core.start - start..part.core.end - start;
        for at in core.clone().filter(|&at| context.token_at(at).judged) {
            word_counts.add_score(at, first[at].total);
        }
        let seen = RowWriter { context, word_counts, sections, first };
        for at in core {
            let (features_of_token, first) = (context.token_at(at), &first[at]);
            judged.push(JudgedToken::new(first, features_of_token));
            if features_of_token.judged && dense::is_uncertain(first) {
                seen.write_row(at, row);
                uncertain_rows.extend_from_slice(row.column_bytes());
                let (token, word) = ((start + at) as u32, word_counts.word_number_at(at));
                uncertain.push(UncertainToken { token, word, first: first.total });
            }
        }
    }

    /// Returns the first-pass score of a token: from single tokens, and from conjunctions unless the single tokens are
    /// clear.
    #[inline]
    fn first_pass_score(&mut self, model: &Model, at: usize) -> FirstPassScore {
        let Self { context, word_counts, features, rows, .. } = self;
        let mut parts = [[0; LABELS]; PARTS];
        parts[..SINGLE_TOKEN_PARTS].copy_from_slice(rows.single_token_parts(at));
        let single = FirstPassScore::from_parts(parts);
        if single.is_clearly_not_phi() {
            return single;
        }
        features.clear();
        let [in_note, end] = features::add_conjunctions(context, word_counts, at, features);
        let features = &features.as_slice()[..end as usize];
        model.prefetch(features);
        let (in_note, together) = features.split_at(in_note as usize);
        (parts[SINGLE_TOKEN_PARTS], parts[SINGLE_TOKEN_PARTS + 1]) =
            (model.sum_weights(in_note), model.sum_weights(together));
        FirstPassScore::from_parts(parts)
    }

    /// Runs the second pass: trees score uncertain tokens again, now that all tokens have a first-pass score.
    fn rescore_with_trees(&mut self, model: &Model) {
        let Self { word_counts, uncertain, row, uncertain_rows, judged, .. } = self;
        let mut block = RowBlock::new();
        let mut rows = uncertain_rows.chunks_exact(row.column_bytes().len().max(1));
        for uncertain in uncertain.chunks(LANES) {
            block.clear();
            for (&UncertainToken { word, first, .. }, bytes) in uncertain.iter().zip(&mut rows) {
                row.set_bytes(bytes);
                row.rewrite_same_word_counts(word_counts.counts_of_word(word), first);
                block.add_row(row);
            }
            for (UncertainToken { token, first, .. }, more) in uncertain.iter().zip(model.tree_scores(&block)) {
                let judged = &mut judged[*token as usize];
                *judged = judged.with_total(*first + more);
            }
        }
    }
}

/// Returns the features of a marked note for training. `token_labels` has one item per token; notes of one `fold_group`
/// are held out together, and versions of one note share a `note_index`.
pub(crate) fn training_example(
    note: &Note<'_>,
    matches: &Matches,
    findings: &Findings,
    allowed: Classes,
    token_labels: Vec<GoldLabel>,
    (fold_group, note_index): (u32, u32),
) -> TrainingNote {
    let (mut context, mut word_counts) = (NoteContext::default(), NoteWordCounts::default());
    context.read_note(note, matches, findings, allowed);
    word_counts.count_note(&context);
    TrainingNote::new(context, word_counts, note, token_labels, (fold_group, note_index))
}
