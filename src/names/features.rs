//! The features of the first pass, which need no scores of other tokens.
//!
//! Most features come from one token: the token itself or a neighbour. Their weights are summed up once per word, see
//! `rows`. The others are conjunctions of several tokens; they are computed only where the former leave the score
//! uncertain.

use std::ops::RangeInclusive;

use super::context::{NoteContext, TokenFeatures, form};
use super::note_word_counts::NoteWordCounts;
use super::score::{PARTS, SINGLE_TOKEN_PARTS};
use super::sink::{FeatureSink, Template, put_feature};
use crate::linear::hash::{EMPTY_HASH, mix_three};
use crate::text::token::Gap;

/// The number of features that come from the token's own letters; they come first.
pub(super) const LETTER_FEATURES: usize = 5;

/// The offsets of the neighbours with features of their own.
pub(super) const NEIGHBOUR_OFFSETS: [isize; 6] = [-3, -2, -1, 1, 2, 3];

/// The distances at which words count regardless of their order.
pub(super) const BAG_OF_WORDS_DISTANCES: RangeInclusive<usize> = 4..=7;

/// Adds all features of a token; returns the end of each part of them.
pub(super) fn add_token_features(
    context: &NoteContext,
    word_counts: &NoteWordCounts,
    folded: &[u8],
    at: usize,
    sink: &mut impl FeatureSink,
) -> [u32; PARTS] {
    let here = context.token_at(at);
    let mut ends = [0; PARTS];
    add_letter_features(here, folded, sink);
    ends[0] = sink.feature_count() as u32;
    add_own_features_beyond_letters(here, sink);
    ends[1] = sink.feature_count() as u32;
    for far in NEIGHBOUR_OFFSETS {
        add_neighbour(context.token_at_offset(at, far), far, sink);
        ends[if far < 0 { 2 } else { 3 }] = sink.feature_count() as u32;
    }
    for far in BAG_OF_WORDS_DISTANCES {
        add_word_before(context.token_at_offset(at, -far.cast_signed()), sink);
        add_word_after(context.token_at_offset(at, far.cast_signed()), sink);
    }
    ends[4] = sink.feature_count() as u32;
    [ends[5], ends[6]] = add_conjunctions(context, word_counts, at, sink);
    ends
}

/// Adds the features that combine several tokens; returns the ends of their two parts.
pub(super) fn add_conjunctions(
    context: &NoteContext,
    word_counts: &NoteWordCounts,
    at: usize,
    sink: &mut impl FeatureSink,
) -> [u32; PARTS - SINGLE_TOKEN_PARTS] {
    let here = context.token_at(at);
    let shape = here.shape_in_line();
    add_note_features(context, word_counts, at, sink);
    let end = sink.feature_count() as u32;
    add_form_pairs(context, at, sink);
    add_rule_evidence(context, at, sink);
    add_word_pairs(context, at, shape, sink);
    add_words_over_marks(context, at, shape, sink);
    add_capital_run(context, at, shape, sink);
    [end, sink.feature_count() as u32]
}

/// Adds the features of a word that comes somewhere before the token.
pub(super) fn add_word_before(there: &TokenFeatures, sink: &mut impl FeatureSink) {
    put_feature(sink, Template::Around, there.word, 0);
}

/// Adds the features of a word that comes somewhere after the token.
pub(super) fn add_word_after(there: &TokenFeatures, sink: &mut impl FeatureSink) {
    put_feature(sink, Template::Onward, there.word, 0);
}

/// Adds the features of the token's own letters: [`LETTER_FEATURES`] for any token, so that training can drop them.
pub(super) fn add_letter_features(here: &TokenFeatures, folded: &[u8], sink: &mut impl FeatureSink) {
    let letters = |bytes: &[u8]| bytes.iter().fold(0, |all, &byte| all << 8 | u64::from(byte));
    let (first, last) = if here.is_word { (&folded[..folded.len().min(3)], folded) } else { (&[][..], &[][..]) };
    put_feature(sink, Template::Word, here.word, 0);
    put_feature(sink, Template::WordForm, here.word, u64::from(here.form));
    put_feature(sink, Template::Prefix, letters(first), 0);
    put_feature(sink, Template::Suffix, letters(&last[last.len().saturating_sub(3)..]), 3);
    put_feature(sink, Template::Suffix, letters(&last[last.len().saturating_sub(4)..]), 4);
}

/// Adds all other features of the token by itself.
pub(super) fn add_own_features_beyond_letters(here: &TokenFeatures, sink: &mut impl FeatureSink) {
    add_form_and_list_features(here, sink);
    add_length_and_frequency(here, sink);
}

/// Adds the form, lists and evidence of the token, which many words share.
pub(super) fn add_form_and_list_features(here: &TokenFeatures, sink: &mut impl FeatureSink) {
    let (shape, prior) = (here.shape_in_line(), u64::from(here.prior));
    put_feature(sink, Template::Bias, u64::from(here.is_word), 0);
    put_feature(sink, Template::Form, shape, 0);
    put_feature(sink, Template::Prior, prior, 0);
    put_feature(sink, Template::PriorForm, prior, shape);
    put_feature(sink, Template::Sentence, u64::from(here.sentence_start), prior << 8 | shape);
    put_feature(sink, Template::Evidence, here.evidence, 0);
    put_feature(sink, Template::EvidenceForm, here.evidence, shape);
    for list in crate::bits::indices_of_bits(here.lists.0) {
        put_feature(sink, Template::List, list as u64, 0);
        put_feature(sink, Template::ListForm, list as u64, shape);
    }
}

/// Adds the length of a word and its frequency as a name and as a word; of a number, its size.
pub(super) fn add_length_and_frequency(here: &TokenFeatures, sink: &mut impl FeatureSink) {
    let shape = here.shape_in_line();
    // The templates are named after what they mean for words; for numbers they hold the size of the first part.
    let (prior, first_measure) = (u64::from(here.prior), here.measures.0[0].into());
    put_feature(sink, Template::NameRatio, first_measure, 0);
    put_feature(sink, Template::NameRatioForm, first_measure, shape);
    put_feature(sink, Template::Length, here.width.min(12).into(), u64::from(here.form));
    if here.is_word {
        put_feature(sink, Template::Surname, here.measures.surname().into(), 0);
        put_feature(sink, Template::FirstName, here.measures.first_name().into(), 0);
        put_feature(sink, Template::Frequency, here.measures.frequency().into(), shape);
    } else {
        let [first, second, third] = here.measures.part_sizes().map(u64::from);
        let leading_zero = u64::from(here.measures.has_leading_zero());
        put_feature(sink, Template::Value, first << 8 | second << 4 | third, u64::from(here.form) << 1 | leading_zero);
    }
    if here.is_word {
        let (capital_ratio, common, capitals) =
            (u64::from(here.usage & 15), u64::from(here.usage >> 4 & 15), u64::from(here.usage >> 8));
        put_feature(sink, Template::Cluster, here.cluster.into(), u64::from(here.form == form::LOWER));
        put_feature(sink, Template::ClusterForm, here.cluster.into(), shape);
        put_feature(sink, Template::OtherCluster, here.other_cluster.into(), shape);
        put_feature(sink, Template::Usage, capital_ratio, shape);
        put_feature(sink, Template::Usage, capital_ratio | common << 8, shape | 1 << 8);
        put_feature(sink, Template::Usage, capitals, shape | 2 << 8);
        put_feature(sink, Template::Usage, capital_ratio, u64::from(here.sentence_start) | prior << 8 | 3 << 20);
    }
}

/// Adds the line, field, section and table of the token, and how the note uses the same word elsewhere.
fn add_note_features(context: &NoteContext, word_counts: &NoteWordCounts, at: usize, sink: &mut impl FeatureSink) {
    let here = context.token_at(at);
    let (form, shape) = (u64::from(here.form), here.shape_in_line());
    put_feature(sink, Template::Gap, here.gap as u64, form);
    put_feature(sink, Template::Place, here.place.min(3).into(), here.gap as u64 | shape << 3);
    if here.label != EMPTY_HASH {
        put_feature(sink, Template::Label, here.label, 0);
        put_feature(sink, Template::LabelForm, here.label, form);
        put_feature(sink, Template::LabelPlace, here.label, here.tokens_after_label.min(4).into());
        put_feature(sink, Template::NearLabel, here.label, context.token_at_offset(at, 1).word);
    }
    put_feature(sink, Template::Section, here.section, 0);
    put_feature(sink, Template::SectionForm, here.section, form);
    if here.column != EMPTY_HASH {
        put_feature(sink, Template::Column, here.column, form);
    }
    put_feature(sink, Template::Opening, here.opening, here.place.min(6).into());
    let line = here.line as usize;
    let length = context.lines[line + 1] - context.lines[line];
    put_feature(
        sink,
        Template::LineLength,
        u64::from(length.min(64).ilog2()),
        form << 3 | u64::from(here.place.min(3)),
    );
    let counts = word_counts.counts_at(at);
    let lower = matches!(here.form, form::LOWER | form::ONE_LOWER);
    let others = (
        counts.lower > u16::from(lower),
        counts.capital > u16::from(!lower && !here.sentence_start && here.place > 0),
        counts.found > u16::from(here.is_removed_by_rule()),
    );
    let others = u64::from(others.0) | u64::from(others.1) << 1 | u64::from(others.2) << 2;
    put_feature(sink, Template::Elsewhere, others, 0);
    put_feature(sink, Template::ElsewhereForm, others, form << 8 | u64::from(here.prior));
    put_feature(sink, Template::Repeated, counts.all.min(4).into(), form << 8 | u64::from(here.prior));
}

/// Adds the features of the neighbour at an offset, on the same line or another.
pub(super) fn add_neighbour(there: &TokenFeatures, far: isize, sink: &mut impl FeatureSink) {
    add_neighbour_word(there, far, sink);
    add_neighbour_form_and_lists(there, far, sink);
}

/// Adds the word of the neighbour at an offset.
pub(super) fn add_neighbour_word(there: &TokenFeatures, far: isize, sink: &mut impl FeatureSink) {
    let from = distance_code(far, false);
    put_feature(sink, Template::NearWord, there.word, from);
    if there.is_word {
        put_feature(sink, Template::NearCluster, there.cluster.into(), from);
    }
}

/// Adds the form and the lists of the neighbour at an offset, which many words share.
pub(super) fn add_neighbour_form_and_lists(there: &TokenFeatures, far: isize, sink: &mut impl FeatureSink) {
    let from = distance_code(far, false);
    put_feature(sink, Template::NearForm, u64::from(there.form), from);
    put_feature(sink, Template::NearPrior, u64::from(there.prior) << 8 | u64::from(there.form), from);
    for list in crate::bits::indices_of_bits(there.lists.0) {
        put_feature(sink, Template::NearList, list as u64, from);
    }
    if far.abs() < 3 {
        put_feature(sink, Template::NearEvidence, there.evidence, from);
    }
}

/// Encodes the offset of a neighbour, and whether it is on another line.
const fn distance_code(far: isize, other_line: bool) -> u64 {
    (far + 8).cast_unsigned() as u64 | (other_line as u64) << 5
}

/// Adds the neighbours combined with the form of the token.
fn add_form_pairs(context: &NoteContext, at: usize, sink: &mut impl FeatureSink) {
    let here = context.token_at(at);
    for far in NEIGHBOUR_OFFSETS {
        let there = context.token_at_offset(at, far);
        let to = distance_code(far, here.line != there.line) | u64::from(here.shape_class() + 1) << 8;
        put_feature(sink, Template::NearWordForm, there.word, to);
        if far.abs() < 3 {
            if there.is_word {
                put_feature(sink, Template::NearClusterForm, there.cluster.into(), to);
            }
            for list in crate::bits::indices_of_bits(there.lists.0) {
                put_feature(sink, Template::NearListForm, list as u64, to);
            }
        }
    }
}

/// Adds the evidence of the token combined with that of its neighbours; of a number, its size combined with the
/// neighbours.
fn add_rule_evidence(context: &NoteContext, at: usize, sink: &mut impl FeatureSink) {
    let here = context.token_at(at);
    for far in [-2, -1, 1, 2] {
        let there = context.token_at_offset(at, far);
        let from = distance_code(far, here.line != there.line);
        put_feature(sink, Template::NearEvidence, there.evidence, from | here.evidence << 8);
        if !here.is_word {
            let [value, ..] = here.measures.part_sizes().map(u64::from);
            let from = from | u64::from(here.form) << 8;
            put_feature(sink, Template::ValueNear, there.word, from);
            put_feature(sink, Template::ValueNear, there.kind, from | 1 << 20 | mix_three(value, 3, 0) << 24);
        }
    }
}

/// Adds pairs and triples of words on both sides of the token or on one.
fn add_word_pairs(context: &NoteContext, at: usize, shape: u64, sink: &mut impl FeatureSink) {
    let word = |far: isize| context.token_at_offset(at, far).word;
    let kind = |far: isize| context.token_at_offset(at, far).kind;
    let gaps = (context.token_at(at).gap == Gap::None, context.token_at_offset(at, 1).gap == Gap::None);
    let gaps =
        u64::from(gaps.0) | u64::from(gaps.1) << 1 | u64::from(context.token_at_offset(at, 1).gap >= Gap::Line) << 2;
    let cluster = |far: isize| {
        let there = context.token_at_offset(at, far);
        if there.is_word && there.cluster > 0 { u64::from(there.cluster) << 1 | 1 } else { there.kind << 1 }
    };
    put_feature(sink, Template::ClustersAround, mix_three(cluster(-1), cluster(1), 1), shape << 3 | gaps);
    put_feature(sink, Template::ClustersBefore, mix_three(cluster(-2), cluster(-1), 1), shape);
    put_feature(sink, Template::ClustersAfter, mix_three(cluster(1), cluster(2), 1), shape << 3 | gaps);
    put_feature(sink, Template::ClusterPair, mix_three(cluster(-1), cluster(0), 1), shape << 3 | gaps);
    put_feature(sink, Template::ClusterPair, mix_three(cluster(0), cluster(1), 2), shape << 3 | gaps);
    put_feature(sink, Template::PairAround, word(-1), word(1));
    put_feature(sink, Template::PairBefore, word(-2), word(-1));
    put_feature(sink, Template::PairAfter, word(1), word(2));
    put_feature(sink, Template::TripleBefore, mix_three(word(-3), word(-2), 1), word(-1));
    put_feature(sink, Template::TripleAfter, mix_three(word(1), word(2), 1), word(3));
    put_feature(sink, Template::KindsAround, mix_three(kind(-1), kind(1), 1), shape << 3 | gaps);
    put_feature(sink, Template::KindsBefore, mix_three(kind(-2), kind(-1), 1), shape);
    put_feature(sink, Template::KindsAfter, mix_three(kind(1), kind(2), 1), shape << 3 | gaps);
    put_feature(sink, Template::KindsWide, mix_three(kind(-2), kind(-1), kind(1)), mix_three(kind(2), shape, 1));
    put_feature(sink, Template::KindsFar, mix_three(kind(-3), kind(-2), kind(-1)), shape << 1);
    put_feature(sink, Template::KindsFar, mix_three(kind(1), kind(2), kind(3)), shape << 1 | 1);
}

/// Adds the run of capitalised words that the token belongs to, and the words around the run.
fn add_capital_run(context: &NoteContext, at: usize, shape: u64, sink: &mut impl FeatureSink) {
    let here = context.token_at(at);
    put_feature(sink, Template::Phrase, u64::from(here.phrase), shape << 8 | u64::from(here.prior));
    let Some(run) = context.runs.get(here.run as usize) else { return };
    let (first, last) = (run.first as usize, run.end as usize);
    let length = (last - first).min(5) as u64;
    let place = (at - first).min(3) as u64 | ((last - 1 - at).min(3) as u64) << 2;
    put_feature(sink, Template::Run, length, place | shape << 4);
    put_feature(sink, Template::Run, length << 8 | place, u64::from(here.prior) | 1 << 20);
    let (before, after) = (context.token_at_offset(first, -1), context.token_at(last));
    let end = u64::from(at + 1 == last);
    put_feature(sink, Template::RunBefore, before.word, length.min(3));
    put_feature(sink, Template::RunBefore, before.kind, length.min(3) << 8 | shape << 16 | 1);
    put_feature(sink, Template::RunAfter, after.word, length.min(3));
    put_feature(sink, Template::RunAfter, after.kind, length.min(3) << 8 | shape << 16 | 1);
    put_feature(sink, Template::RunFirst, context.token_at(first).word, u64::from(at == first));
    put_feature(sink, Template::RunLast, context.token_at(last - 1).word, end);
    put_feature(sink, Template::RunLast, context.token_at(last - 1).kind, before.kind << 1 | end);
    for list in crate::bits::indices_of_bits(run.lists.0) {
        put_feature(sink, Template::RunList, list as u64, end | (here.lists.0 >> list & 1) << 1);
        put_feature(sink, Template::RunList, list as u64, before.kind << 3 | 4);
    }
}

/// Adds the next words on both sides, skipping punctuation.
fn add_words_over_marks(context: &NoteContext, at: usize, shape: u64, sink: &mut impl FeatureSink) {
    let next = |step: isize| {
        (1..=4).map(|far| context.token_at_offset(at, step * far)).find(|there| there.judged || there.word == 1)
    };
    let word = |found: Option<&TokenFeatures>| found.map_or(EMPTY_HASH, |there| there.word);
    let (before, after) = (next(-1), next(1));
    put_feature(sink, Template::WordBefore, word(before), shape);
    put_feature(sink, Template::WordAfter, word(after), shape);
    put_feature(sink, Template::WordsAround, word(before), word(after));
}
