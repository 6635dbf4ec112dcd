//! The dense features of the second pass: one byte per column, written once all tokens have a first-pass score.

use super::context::{CapitalRun, NoteContext, TokenFeatures};
use super::note_word_counts::{NoteWordCounts, WordCounts};
use super::score::{FirstPassScore, LABELS, LOG_ODDS_SCALE, Scores};
use crate::linear::hash::EMPTY_HASH;

/// The maximum number of columns of a row; a power of two.
pub(super) const MAX_COLUMNS: usize = 128;

/// The dense features of one token.
#[derive(Clone, Debug)]
pub(super) struct DenseRow {
    pub(super) values: [u8; MAX_COLUMNS],
    pub(super) len: usize,
    /// The first column of the statistics of the same word elsewhere in the note.
    same_word: usize,
}

impl Default for DenseRow {
    fn default() -> Self {
        Self::new()
    }
}

impl DenseRow {
    pub(super) const fn new() -> Self {
        Self { values: [0; MAX_COLUMNS], len: 0, same_word: 0 }
    }

    /// Returns the columns.
    pub(super) fn column_bytes(&self) -> &[u8] {
        &self.values[..self.len]
    }

    /// Overwrites all columns with those of another row of the same length.
    pub(super) fn set_bytes(&mut self, bytes: &[u8]) {
        self.values[..bytes.len()].copy_from_slice(bytes);
    }

    /// Rewrites the statistics of the same word elsewhere in the note; `own` is the first-pass score of this token.
    pub(super) fn rewrite_same_word_counts(&mut self, counts: WordCounts, own: i32) {
        let len = std::mem::replace(&mut self.len, self.same_word);
        self.put_same_word_counts(counts, own);
        self.len = len;
    }

    fn put_same_word_counts(&mut self, counts: WordCounts, own: i32) {
        let several = counts.scored > 1;
        self.put_score(if several { counts.highest } else { Scores::LOWEST });
        self.put_score(if several { (counts.sum - own) / (counts.scored - 1) } else { Scores::LOWEST });
        for count in [counts.all, counts.lower, counts.capital, counts.found] {
            self.put_byte(count.min(9) as u8);
        }
    }

    #[inline]
    fn put_byte(&mut self, value: u8) {
        self.values[self.len % MAX_COLUMNS] = value;
        self.len += 1;
    }

    #[inline]
    fn put_score(&mut self, score: i32) {
        self.put_byte(quantize_score(score));
    }
}

/// Quantises a score in steps of an eighth.
#[inline]
fn quantize_score(score: i32) -> u8 {
    ((score.clamp(-400, 400) >> 2) + 128).cast_unsigned() as u8
}

/// Returns whether the first-pass score is so uncertain that the trees score the token again.
#[inline]
pub(super) fn is_uncertain(first: &FirstPassScore) -> bool {
    (-4 * LOG_ODDS_SCALE..4 * LOG_ODDS_SCALE).contains(&first.total)
}

/// Aggregated scores of several tokens.
#[derive(Clone, Copy, Debug)]
struct ScoreSummary {
    highest: i32,
    sum: i32,
    count: i32,
    likely: i32,
}

impl ScoreSummary {
    const NONE: Self = Self { highest: Scores::LOWEST, sum: 0, count: 0, likely: 0 };

    fn add_score(&mut self, score: i32) {
        self.highest = self.highest.max(score);
        self.sum += score.clamp(-7 * LOG_ODDS_SCALE, 7 * LOG_ODDS_SCALE);
        self.count += 1;
        self.likely += i32::from(score > 0);
    }

    /// Returns the mean of all scores but one.
    fn mean_without(self, score: i32) -> i32 {
        if self.count < 2 {
            Scores::LOWEST
        } else {
            (self.sum - score.clamp(-7 * LOG_ODDS_SCALE, 7 * LOG_ODDS_SCALE)) / (self.count - 1)
        }
    }

    /// Returns the number of tokens with a positive score, per 200.
    const fn likely_per_200(self) -> u8 {
        (200 * self.likely / if self.count == 0 { 1 } else { self.count }).cast_unsigned() as u8
    }
}

/// The scores of each line and of each run of capitalised words; buffers are reused from note to note.
#[derive(Clone, Debug, Default)]
pub(super) struct LineAndRunScores {
    lines: Vec<ScoreSummary>,
    runs: Vec<ScoreSummary>,
}

impl LineAndRunScores {
    /// Sums up the scores of each line and run. There is no sum for the whole note: how much it names elsewhere says
    /// little about a word, and bare names leaked from notes that name little.
    pub(super) fn sum_scores(&mut self, context: &NoteContext, first: &[FirstPassScore]) {
        self.lines.clear();
        self.lines.resize(context.lines.len(), ScoreSummary::NONE);
        self.runs.clear();
        self.runs.resize(context.runs.len(), ScoreSummary::NONE);
        for (features_of_token, first) in
            context.token_features.iter().zip(first).filter(|(features_of_token, _)| features_of_token.judged)
        {
            let score = first.total;
            if let Some(line) = self.lines.get_mut(features_of_token.line as usize) {
                line.add_score(score);
            }
            if let Some(run) = self.runs.get_mut(features_of_token.run as usize) {
                run.add_score(score);
            }
        }
    }
}

/// Writes the rows of a note.
pub(super) struct RowWriter<'a> {
    pub(super) context: &'a NoteContext,
    pub(super) word_counts: &'a NoteWordCounts,
    pub(super) sections: &'a LineAndRunScores,
    pub(super) first: &'a [FirstPassScore],
}

impl RowWriter<'_> {
    fn first_pass_score_at(&self, at: usize, far: isize) -> &FirstPassScore {
        at.checked_add_signed(far).and_then(|at| self.first.get(at)).unwrap_or(&FirstPassScore::NOT_PHI)
    }

    /// Writes the row of a token.
    pub(super) fn write_row(&self, at: usize, row: &mut DenseRow) {
        row.len = 0;
        let here = self.context.token_at(at);
        let first = self.first_pass_score_at(at, 0);
        put_first_pass_scores(first, row);
        put_token_features(here, row);
        for far in [-1, 1, -2, 2, -3, 3] {
            self.put_neighbour(at, far, row);
        }
        self.put_words_over_marks(at, -1, row);
        self.put_words_over_marks(at, 1, row);
        row.same_word = row.len;
        row.put_same_word_counts(self.word_counts.counts_at(at), first.total);
        self.put_capital_run(at, first.total, row);
        self.put_line_scores(at, first.total, row);
        debug_assert!(row.len <= MAX_COLUMNS, "a row is too long");
    }

    fn put_neighbour(&self, at: usize, far: isize, row: &mut DenseRow) {
        let (here, there, first) =
            (self.context.token_at(at), self.context.token_at_offset(at, far), self.first_pass_score_at(at, far));
        row.put_score(first.total);
        row.put_byte(first.scores.best_label() as u8 | u8::from(here.line != there.line) << 2);
        if far.abs() < 3 {
            row.put_byte(there.form);
        }
        if far.abs() < 2 {
            let best = first.scores.best_label() as usize;
            row.put_score(i32::from(first.parts[0][best]) + i32::from(first.parts[1][best]));
            row.put_byte(there.prior);
            row.put_byte(kind_byte(there));
            row.put_byte(evidence_byte(there));
        }
    }

    /// Puts the scores of the next two words in one direction, skipping punctuation.
    fn put_words_over_marks(&self, at: usize, step: isize, row: &mut DenseRow) {
        let mut found = (1..=6).map(|far| far * step).filter(|&far| self.context.token_at_offset(at, far).judged);
        for _ in 0..2 {
            let (first, far) = found
                .next()
                .map_or((&FirstPassScore::NOT_PHI, 7), |far| (self.first_pass_score_at(at, far), far.unsigned_abs()));
            row.put_score(first.total);
            row.put_byte(first.scores.best_label() as u8 | (far as u8) << 2);
        }
    }

    fn put_capital_run(&self, at: usize, own: i32, row: &mut DenseRow) {
        let here = self.context.token_at(at);
        let none = CapitalRun { first: at as u32, end: at as u32 + 1, lists: here.lists };
        let run = self.context.runs.get(here.run as usize).unwrap_or(&none);
        let sums = self.sections.runs.get(here.run as usize).copied().unwrap_or(ScoreSummary::NONE);
        let (first, last) = (run.first as usize, run.end as usize);
        row.put_byte((last - first).min(9) as u8);
        row.put_byte((at - first).min(5) as u8);
        row.put_byte((last - 1).saturating_sub(at).min(5) as u8);
        row.put_score(sums.highest);
        row.put_score(sums.mean_without(own));
        row.put_score(self.first_pass_score_at(first, -1).total);
        row.put_score(self.first_pass_score_at(last, 0).total);
        row.put_byte(kind_byte(self.context.token_at_offset(first, -1)));
        row.put_byte(kind_byte(self.context.token_at(last)));
        row.put_byte(kind_byte(self.context.token_at(last - 1)));
        row.put_score(self.first_pass_score_at(last - 1, 0).total);
    }

    fn put_line_scores(&self, at: usize, own: i32, row: &mut DenseRow) {
        let here = self.context.token_at(at);
        let line = here.line as usize;
        let sums = self.sections.lines.get(line).copied().unwrap_or(ScoreSummary::NONE);
        let (from, to) = (self.context.lines[line] as usize, self.context.lines[line + 1] as usize);
        row.put_byte(here.place.min(40));
        row.put_byte((to - from).min(60) as u8);
        row.put_byte((to - at).min(20) as u8);
        row.put_byte(sums.likely_per_200());
        row.put_score(sums.mean_without(own));
        let above = (line > 0)
            .then(|| self.context.lines[line - 1] as usize + usize::from(here.place))
            .filter(|&above| above < from);
        row.put_score(above.map_or(Scores::LOWEST, |above| self.first_pass_score_at(above, 0).total));
        row.put_score(self.first_pass_score_at(from, 0).total);
    }
}

fn put_first_pass_scores(first: &FirstPassScore, row: &mut DenseRow) {
    let best = first.scores.best_label() as usize;
    row.put_score(first.total);
    for score in first.scores.0 {
        row.put_score(score);
    }
    row.put_byte(best as u8);
    for part in &first.parts {
        row.put_score(part[best].into());
    }
    for part in &first.parts[..2] {
        for &score in &part[..LABELS] {
            row.put_score(score.into());
        }
    }
}

fn put_token_features(here: &TokenFeatures, row: &mut DenseRow) {
    row.put_byte(here.form);
    row.put_byte(here.style);
    row.put_byte(here.prior);
    let [first, second, third, fourth] = here.measures.0;
    row.put_byte(first.wrapping_add(100));
    for measure in [second, third, fourth] {
        row.put_byte(measure);
    }
    row.put_byte((here.usage & 15) as u8);
    row.put_byte((here.usage >> 4 & 15) as u8);
    row.put_byte((here.usage >> 8) as u8);
    row.put_byte(here.width);
    row.put_byte(here.gap as u8);
    row.put_byte(u8::from(here.is_word) | u8::from(here.sentence_start) << 1 | u8::from(here.phrase) << 2);
    row.put_byte(
        u8::from(here.label != EMPTY_HASH)
            | u8::from(here.section != EMPTY_HASH) << 1
            | u8::from(here.column != EMPTY_HASH) << 2,
    );
    row.put_byte(here.tokens_after_label.min(12));
    row.put_byte(kind_byte(here));
    row.put_byte(evidence_byte(here));
}

/// Encodes the kind of a word in one byte.
fn kind_byte(features_of_token: &TokenFeatures) -> u8 {
    match features_of_token.kind {
        kind @ 1000..2000 => 100 + (kind - 1000).min(99) as u8,
        kind @ 2000..3000 => 200 + (kind - 2000).min(20) as u8,
        3000..4000 => 230,
        kind @ 256..512 => (kind - 256).min(95) as u8,
        kind if kind < 256 => 240,
        _ => 250,
    }
}

/// Encodes the evidence of lists and rules in one byte.
fn evidence_byte(features_of_token: &TokenFeatures) -> u8 {
    match features_of_token.evidence >> 16 {
        0 => features_of_token.evidence.min(7) as u8,
        1 => 8,
        _ => 16 + (features_of_token.evidence & 63) as u8,
    }
}
