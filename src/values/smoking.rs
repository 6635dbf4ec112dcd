//! Smoking status: the classes of the i2b2 challenge of 2006, as far as the surrounding words show them.

use super::units::Unit;
use crate::note::Note;
use crate::text::words_of_file;

/// The maximum distance before a mention, in tokens.
const MAX_DISTANCE_BEFORE: usize = 5;
/// The maximum distance after it, where an amount may intervene.
const MAX_DISTANCE_AFTER: usize = 10;
const NEVER: [&str; 5] = ["never", "non", "nonsmoker", "nonsmokers", "lifelong"];
const FORMER: &[&str] = words_of_file!("words/former-smoking.txt");
const CURRENT: [&str; 8] = ["current", "currently", "active", "actively", "still", "continues", "continued", "smokes"];

/// Returns whether the term that ends at `last` (exclusive) names a person by smoking status.
pub(super) fn is_smoker(note: &Note<'_>, last: usize) -> bool {
    last > 0 && matches!(note.word(last - 1), "smoker" | "smokers" | "nonsmoker" | "nonsmokers")
}

/// Returns `current`, `former` or `never`, or `None` if no word shows it. An amount per day alone means current.
pub(super) fn smoking_status(
    note: &Note<'_>,
    (first, last): (usize, usize),
    amount: Option<Unit>,
    kept: impl Fn(usize) -> bool,
) -> Option<&'static str> {
    let before = (first.saturating_sub(MAX_DISTANCE_BEFORE)..first).rev().take_while(|&at| !note.border_before(at + 1));
    let after =
        (last..last + MAX_DISTANCE_AFTER).take_while(|&at| !note.sentence_start(at) && !note.is_any_mark(at, b".;"));
    let around: Vec<&str> =
        before.chain(first..last).chain(after).filter(|&at| kept(at)).map(|at| note.word(at)).collect();
    let has = |words: &[&str]| around.iter().any(|word| words.contains(word));
    let daily = || amount.is_some_and(|unit| matches!(unit.name(), "packs/day" | "cigarettes/day"));
    match () {
        () if has(&NEVER) => Some("never"),
        () if has(FORMER) => Some("former"),
        () if has(&CURRENT) || daily() => Some("current"),
        () => None,
    }
}
