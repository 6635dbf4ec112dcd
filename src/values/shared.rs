//! Dosing that several drugs share: `A 5 mg, B 10 mg and C 20 mg, all once daily`.

use super::{Attributes, TermAttributes, amount};
use crate::note::Note;
use crate::terms::Match;
use crate::vocabulary::Group;

/// The maximum number of tokens between two drugs of an enumeration.
const MAX_TOKENS_BETWEEN_DRUGS: usize = 8;

/// Copies shared dosing from a drug to those before it. The dosing of that drug ends at `end` (exclusive).
pub(super) fn share_dosing(
    note: &Note<'_>,
    terms: &[Match],
    (nth, end): (usize, usize),
    said: &Attributes,
    found: &mut TermAttributes,
    kept: impl Fn(usize) -> bool + Copy,
) {
    let is_drug = |term: &Match| note.vocabulary().entry_group(term.entry) == Group::Drug;
    let last = terms[nth].end as usize;
    let Some(word) = word_for_all(note, last, end).filter(|_| is_drug(&terms[nth])) else {
        return;
    };
    let mut next = terms[nth].first as usize;
    for (at, term) in (0..nth as u32).zip(terms).rev().filter(|(_, term)| is_drug(term)) {
        let between = term.end as usize..next;
        if between.len() > MAX_TOKENS_BETWEEN_DRUGS || between.clone().any(|at| note.border_before(at)) {
            break;
        }
        next = term.first as usize;
        let place = found.partition_point(|&(of, _)| of < at);
        if found.get(place).is_none_or(|&(of, _)| of != at) {
            found.insert(place, (at, Attributes { group: Some(Group::Drug), ..Attributes::NONE }));
        }
        let earlier = &mut found[place].1;
        if earlier.value.is_some() || earlier.frequency.is_some() {
            break;
        }
        earlier.route = earlier.route.or(said.route);
        earlier.frequency.clone_from(&said.frequency);
        if note.is_number(word + 1) && earlier.dose.is_none() {
            earlier.dose.clone_from(&said.dose);
        }
        // `aspirin 81, lisinopril 20, all daily`
        if earlier.dose.is_none() && note.is_number(term.end as usize) {
            let amount = amount::read_amount(note, term.end as usize, false, kept);
            earlier.dose = amount.map(|amount| amount.text.into());
        }
    }
}

/// Returns the word after a mark that makes the dosing apply to all drugs before: `, all once daily`.
fn word_for_all(note: &Note<'_>, first: usize, last: usize) -> Option<usize> {
    let marked = |at: usize| note.is_any_mark(at - 1, b",;(-");
    (first + 1..last).find(|&at| matches!(note.word(at), "all" | "both" | "each" | "alle" | "beide") && marked(at))
}
