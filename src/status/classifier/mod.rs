//! A trained classifier of assertion statuses; the statuses asserted by cues are among its features.
//!
//! A list of cues does not generalise: whether "worried about" is the patient's fear, a warning or a finding depends on
//! the surrounding words, which are many and each rare. Five linear classifiers, one per status, score each mention by
//! cues, words, the list that contains it, headings and persons. Weights are integers, so results are the same on every
//! machine.
//!
//! `read` computes the features of a sentence (`sentence_features`, `words`), `features` and `persons` those of a
//! mention, of the kinds in `template`; `model` holds the weights, `weight_tables` caches sums, `train` fits them.

mod denials;
mod features;
mod model;
mod persons;
mod read;
mod sentence_features;
mod template;
mod train;
mod weight_tables;
mod words;

pub use model::StatusModel;
pub(crate) use train::TrainingMention;
pub use train::{CrossValidatedStatus, Passage, StatusOptions, StatusTrainer};
pub(crate) use words::{person_words, shared_stem};

use std::ops::Range;

use super::Assertion;
use super::assertion::Status;
use super::cues::{CueMatcher, CueText};
use crate::buffer::release;
use crate::linear::hash;
use crate::vocabulary::Vocabulary;
use model::Scores;
pub(super) use read::SentenceInput;
use sentence_features::{MAX_DISTANT_ITEMS, Mention, SentenceFeatures, symbol};
use template::Reason;
use weight_tables::{WeightMemo, WeightSum, WeightTables};
use words::ModelWords;

/// The maximum length of a classified sentence, in tokens; longer ones are left to the cues.
const MAX_SENTENCE_TOKENS: usize = 4096;

/// Returns whether a text is a reason that is reported where the model asserts a status without a cue.
#[cfg(test)]
pub(super) fn is_text_of_reason(text: &str) -> bool {
    Reason::ALL.iter().any(|reason| reason.text() == text)
}

/// A model bound to one vocabulary.
#[derive(Clone, Debug)]
pub(super) struct Classifier {
    model: StatusModel,
    vocabulary: Vocabulary,
    words: ModelWords,
    weighed: WeightTables,
    /// The reported texts, by the index of the reason.
    reasons: Vec<CueText>,
}

/// Buffers that are reused from note to note.
#[derive(Clone, Default)]
pub(super) struct ClassifierScratch {
    sentence_features: SentenceFeatures,
    /// Cumulative weights of the word pairs up to each item.
    pairs: Vec<Scores>,
    memo: WeightMemo,
    /// Kept for training: the index of each sentence's first term, and the features of the sentence.
    kept: Option<Vec<(usize, SentenceFeatures)>>,
}

impl Classifier {
    pub(super) fn new(model: StatusModel, vocabulary: &Vocabulary) -> Self {
        let [words, stems] = model.words_and_stems();
        let words = ModelWords::new(vocabulary, words, stems);
        let weighed = WeightTables::new(&model);
        let reasons = Reason::ALL.iter().map(|reason| CueText::intern(reason.text())).collect();
        Self { words, weighed, reasons, model, vocabulary: vocabulary.clone() }
    }

    /// Returns the vocabulary of the terms.
    pub(super) const fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Returns the digest of the model.
    pub(super) fn digest(&self) -> &str {
        self.model.digest()
    }

    /// Prepares for a new note.
    pub(super) fn begin_note(&self, text: CueMatcher<'_>, scratch: &mut ClassifierScratch) {
        scratch.memo.clear_for_other_model(&self.model);
        read::read_persons_and_lines(&self.words, text, &mut scratch.sentence_features);
    }

    /// Classifies the terms of a sentence, after the cues have been applied.
    pub(super) fn classify_terms(
        &self,
        sentence: &SentenceInput<'_>,
        term: usize,
        scratch: &mut ClassifierScratch,
        out: &mut [Assertion],
    ) {
        let ClassifierScratch { sentence_features, pairs, memo, kept } = scratch;
        if sentence.tokens.len() > MAX_SENTENCE_TOKENS || !read::has_classified_term(&self.vocabulary, sentence.terms) {
            return;
        }
        read::read_sentence(&self.words, &self.vocabulary, sentence, out, sentence_features);
        if let Some(kept) = kept {
            kept.push((term, sentence_features.clone()));
            return;
        }
        if !sentence_features.mentions.iter().any(|mention| mention.classified) {
            return;
        }
        let Self { model, weighed, .. } = self;
        let mut sum = WeightSum { model, weighed, memo, scores: Default::default() };
        features::add_sentence_features(sentence_features, &mut sum);
        let shared = sum.scores;
        self.sum_pair_weights(sentence_features, pairs);
        for (nth, &mention) in sentence_features.mentions.iter().enumerate().filter(|(_, mention)| mention.classified) {
            sum.scores = shared;
            self.add_distant_word_weights(sentence_features, mention, pairs, &mut sum.scores);
            features::add_mention_features(sentence_features, nth, &mut sum);
            self.assert_by_scores(&sum.scores, &mut out[usize::from(mention.term)]);
        }
    }

    /// Updates the state that carries over from a sentence to the next.
    pub(super) fn pass_sentence(
        &self,
        text: CueMatcher<'_>,
        tokens: Range<usize>,
        terms: usize,
        section: Status,
        scratch: &mut ClassifierScratch,
    ) {
        scratch.sentence_features.pass_sentence(section.bits());
        scratch.sentence_features.lead.after_empty_line |= read::is_after_empty_line(text, tokens.start);
        read::carry_over_last_person(&tokens, &mut scratch.sentence_features);
        if let Some(lead) = read::lead_line_of_sentence(&self.words, text, tokens, terms == 0) {
            scratch.sentence_features.lead = lead;
        }
    }

    /// Accumulates the weights of word pairs from the start of the sentence to each item before the last mention.
    fn sum_pair_weights(&self, sentence_features: &SentenceFeatures, pairs: &mut Vec<Scores>) {
        pairs.clear();
        let mut sum = Scores::default();
        pairs.push(sum);
        let mut before = symbol::NONE;
        let last = sentence_features.mentions.last().map_or(0, |mention| usize::from(mention.first));
        // The model of names fills the near caches, so all buckets are prefetched before the first one is read.
        for two in sentence_features.items[..last].windows(2) {
            self.model.prefetch(features::hash_word_pair_before(two[0].stem, two[1].stem));
        }
        for item in &sentence_features.items[..last] {
            sum += self.model.weights(features::hash_word_pair_before(before, item.stem));
            pairs.push(sum);
            before = item.stem;
        }
    }

    /// Adds the weights of words and pairs anywhere in the window; equals the sum over the corresponding features.
    fn add_distant_word_weights(
        &self,
        sentence_features: &SentenceFeatures,
        mention: Mention,
        pairs: &[Scores],
        scores: &mut [Scores],
    ) {
        let (first, last) = (usize::from(mention.first), usize::from(mention.end));
        let (before, behind) = (
            first.saturating_sub(MAX_DISTANT_ITEMS)..first,
            last..sentence_features.items.len().min(last + MAX_DISTANT_ITEMS),
        );
        scores[Reason::Before as usize] += pairs[before.end] - pairs[before.start];
        scores[Reason::Before as usize] +=
            self.weighed.sum_distant_before(sentence_features.items[before].iter().rev());
        scores[Reason::Behind as usize] += self.weighed.sum_distant_after(sentence_features.items[behind].iter());
    }

    /// Assigns statuses by scores. The reason is a cue that asserts the same status, or else the group of features with
    /// the largest weight.
    fn assert_by_scores(&self, scores: &[Scores], said: &mut Assertion) {
        let all = scores.iter().fold(Scores::default(), |sum, &more| sum + more);
        for (place, (score, threshold)) in all.to_array().into_iter().zip(self.model.thresholds).enumerate() {
            let has = said.status.contains(Status::from_index(place));
            if score > threshold && !has {
                let most = (0..scores.len()).max_by_key(|&reason| scores[reason].as_array_ref()[place]);
                said.set_cue(place, most.and_then(|most| self.reasons.get(most)).copied().unwrap_or_default());
            } else if score <= threshold && has {
                said.clear_status(place);
            }
        }
    }
}

impl ClassifierScratch {
    /// Releases memory that only a long note needed.
    pub(super) fn release_large_buffers(&mut self) {
        release(&mut self.sentence_features.people);
        release(&mut self.sentence_features.lines);
    }

    /// Returns buffers that collect features instead of classifying.
    pub(super) fn keeping_features() -> Self {
        Self { kept: Some(Vec::new()), ..Self::default() }
    }

    /// Returns the collected features of each classified term, with the index of the term.
    pub(super) fn into_kept_features(self) -> Vec<(usize, Vec<u64>)> {
        let kept = self.kept.unwrap_or_default();
        let of_scene = |(term, sentence_features): (usize, SentenceFeatures)| {
            let judged: Vec<usize> = (0..sentence_features.mentions.len())
                .filter(|&nth| sentence_features.mentions[nth].classified)
                .collect();
            judged.into_iter().map(move |nth| {
                let mut features = Vec::new();
                features::add_all_features(&sentence_features, nth, &mut features);
                (term + usize::from(sentence_features.mentions[nth].term), features)
            })
        };
        kept.into_iter().flat_map(of_scene).collect()
    }
}
