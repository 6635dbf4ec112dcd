//! Whether somebody smokes: the classes of the i2b2 challenge of 2006, as far as the words around a mention tell.

use super::units::Unit;
use crate::note::Note;

/// How far from a mention its words may stand, in tokens.
const REACH: usize = 5;
/// How far after it, where an amount may stand between.
const AFTER: usize = 10;
const NEVER: [&str; 5] = ["never", "non", "nonsmoker", "nonsmokers", "lifelong"];
const FORMER: [&str; 14] = [
    "former",
    "formerly",
    "ex",
    "quit",
    "stopped",
    "previous",
    "previously",
    "past",
    "prior",
    "remote",
    "remotely",
    "until",
    "ceased",
    "used",
];
const CURRENT: [&str; 8] = ["current", "currently", "active", "actively", "still", "continues", "continued", "smokes"];

/// Whether a term that ends before `last` names people by whether they smoke.
pub(super) fn is_smoker(note: &Note<'_>, last: usize) -> bool {
    last > 0 && matches!(note.word(last - 1), "smoker" | "smokers" | "nonsmoker" | "nonsmokers")
}

/// `current`, `former` or `never`; nothing where no word tells. An amount a day without another word is current.
pub(super) fn smoking_status(
    note: &Note<'_>,
    (first, last): (usize, usize),
    amount: Option<Unit>,
    kept: impl Fn(usize) -> bool,
) -> Option<&'static str> {
    let before = (first.saturating_sub(REACH)..first).rev().take_while(|&at| !note.border_before(at + 1));
    let after = (last..last + AFTER).take_while(|&at| !note.sentence_start(at) && !note.is_any_mark(at, b".;"));
    let around: Vec<&str> =
        before.chain(first..last).chain(after).filter(|&at| kept(at)).map(|at| note.word(at)).collect();
    let has = |words: &[&str]| around.iter().any(|word| words.contains(word));
    let daily = || amount.is_some_and(|unit| matches!(unit.name(), "packs/day" | "cigarettes/day"));
    match () {
        () if has(&NEVER) => Some("never"),
        () if has(&FORMER) => Some("former"),
        () if has(&CURRENT) || daily() => Some("current"),
        () => None,
    }
}
