//! Log-odds in fixed point, so that results are the same on every machine.

use crate::finding::Label;

/// The whole number that stands for a log-odds of one.
pub(crate) const LOG_ODDS_SCALE: i32 = 32;

/// The number of labels.
pub(super) const LABELS: usize = Label::ALL.len();

/// The log-odds of each label against no PHI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scores(pub(super) [i32; LABELS]);

impl Scores {
    /// The log-odds of a token that is certainly not PHI.
    pub(super) const LOWEST: i32 = -9 * LOG_ODDS_SCALE;
    /// The scores of tokens that are not judged: punctuation, and tokens outside the note.
    pub(super) const NOT_PHI: Self = Self([Self::LOWEST; LABELS]);

    /// Returns the label with the highest log-odds; of two, the first.
    pub(crate) fn best_label(self) -> Label {
        let mut best = 0;
        for label in 1..LABELS {
            if self.0[label] > self.0[best] {
                best = label;
            }
        }
        Label::ALL[best]
    }

    /// Returns the log-odds that the token is PHI: the logarithm of the sum of the odds of all labels.
    pub(crate) const fn phi_log_odds(self) -> i32 {
        let [one, two, three, four] = self.0;
        log_sum_of_odds(log_sum_of_odds(one, two), log_sum_of_odds(three, four))
    }
}

/// The number of parts of the features of a token: its own letters, its lists, the tokens before it, after it and
/// around it; its place in the note; and conjunctions.
pub(super) const PARTS: usize = 7;

/// Below this threshold, conjunctions of tokens are not computed.
const CLEAR_LOG_ODDS: i32 = -4 * LOG_ODDS_SCALE;

/// The number of parts that come from single tokens; the parts with conjunctions follow.
pub(super) const SINGLE_TOKEN_PARTS: usize = 5;

/// The first-pass score of a token, and what each part of its features contributes.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstPassScore {
    pub(super) scores: Scores,
    /// The log-odds that the token is PHI.
    pub(super) total: i32,
    pub(super) parts: [[i16; LABELS]; PARTS],
}

impl FirstPassScore {
    /// The score of a token that is not judged.
    pub(super) const NOT_PHI: Self =
        Self { scores: Scores::NOT_PHI, total: Scores::NOT_PHI.phi_log_odds(), parts: [[0; LABELS]; PARTS] };

    /// Sums up the parts.
    pub(super) fn from_parts(parts: [[i16; LABELS]; PARTS]) -> Self {
        // Part by part, which vectorises over the labels.
        let mut scores = [0; LABELS];
        for part in &parts {
            scores.iter_mut().zip(part).for_each(|(score, &part)| *score += i32::from(part));
        }
        let scores = Scores(scores);
        Self { scores, total: scores.phi_log_odds(), parts }
    }

    /// Returns the score as inference computes it: the sum of the parts, without conjunctions where single tokens are
    /// clear.
    pub(super) fn from_parts_as_at_inference(parts: [[i16; LABELS]; PARTS]) -> Self {
        let mut single = parts;
        single[SINGLE_TOKEN_PARTS..].fill([0; LABELS]);
        let single = Self::from_parts(single);
        if single.is_clearly_not_phi() { single } else { Self::from_parts(parts) }
    }

    /// Returns whether single tokens alone make it clear that the token is not PHI.
    #[inline]
    pub(super) const fn is_clearly_not_phi(&self) -> bool {
        self.total < CLEAR_LOG_ODDS
    }
}

/// Returns the logarithm of the sum of two odds.
const fn log_sum_of_odds(one: i32, other: i32) -> i32 {
    let (more, less) = if one > other { (one, other) } else { (other, one) };
    let apart = (more - less) as usize;
    if apart < LOG_SUM_CORRECTIONS.len() { more + LOG_SUM_CORRECTIONS[apart] as i32 } else { more }
}

/// What the smaller of two odds adds, by their difference, rounded: `scale * ln(1 + exp(-apart / scale))` with
/// [`LOG_ODDS_SCALE`].
const LOG_SUM_CORRECTIONS: [u8; 128] = [
    22, 22, 21, 21, 20, 20, 19, 19, 18, 18, 18, 17, 17, 16, 16, 16, 15, 15, 14, 14, 14, 13, 13, 13, 12, 12, 12, 11, 11,
    11, 11, 10, 10, 10, 9, 9, 9, 9, 9, 8, 8, 8, 8, 7, 7, 7, 7, 7, 6, 6, 6, 6, 6, 6, 5, 5, 5, 5, 5, 5, 5, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
];
