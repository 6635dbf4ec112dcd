//! Rules of wording that leave no doubt: of whom a term is said, and which change is denied.

use super::{Answer, FormReader};
use crate::status::assertion::{FAMILY, Status, UNLISTED};
use crate::text::token::Gap;
use crate::vocabulary::Group;

/// Those who are the patient where a relative reports: "mother denies fever in the child".
const PATIENTS: [&str; 9] = ["child", "infant", "baby", "newborn", "neonate", "toddler", "patient", "pt", "boy"];
const NEWBORNS: [&str; 8] = ["infant", "baby", "newborn", "neonate", "child", "boy", "girl", "twin"];
const CHILDREN: [&str; 2] = ["son", "daughter"];
const REPORTING: [&str; 6] = ["says", "reports", "states", "said", "reported", "stated"];
/// Words between "change in" and a function.
const OWNERS: [&str; 4] = ["his", "her", "their", "the"];
/// How far after a term its owner is named, in tokens.
const OWNER: usize = 8;

impl FormReader<'_> {
    /// Takes back `family` from terms that the text gives to the patient.
    pub(super) fn owners(&mut self) {
        for nth in 0..self.terms.len() {
            if self.out[nth].status.has(Status::FAMILY) && self.is_patients(nth) {
                self.out[nth].remove(FAMILY);
            }
        }
    }

    /// "No change in vision" denies a finding, "no change in the nodule" does not: a function changes, a disorder stays.
    pub(super) fn changes(&mut self) {
        let Some(vocabulary) = self.vocabulary else { return };
        let text = self.text;
        let word = |at: usize| if text.is_word(at) { text.word(at) } else { "" };
        for nth in 0..self.terms.len() {
            let first = self.terms[nth].first as usize;
            let last = if first > 0 && OWNERS.contains(&word(first - 1)) { first - 1 } else { first };
            let Some(start) = last.checked_sub(3) else { continue };
            let denied = matches!(word(start), "no" | "without" | "any" | "denies")
                && matches!(word(start + 1), "change" | "changes")
                && word(start + 2) == "in";
            let entry = self.terms[nth].entry;
            if denied && entry != UNLISTED && vocabulary.entry_group(entry) == Group::Physiology {
                self.answer_term(nth, Answer::No);
            }
        }
    }

    /// Whether "in the child" follows, or a newborn stands before and "born to" after.
    fn is_patients(&self, nth: usize) -> bool {
        let (text, term) = (self.text, self.terms[nth]);
        let ends = |at: usize| text.tokens[at].gap >= Gap::Line || matches!(text.mark(at), b'.' | b';' | b':' | b'?');
        let after = term.last as usize..text.tokens.len().min(term.last as usize + OWNER);
        let word = |at: usize| if text.is_word(at) { text.word(at) } else { "" };
        let next = after.take_while(|&at| !ends(at)).find_map(|at| match (word(at), word(at + 1), word(at + 2)) {
            ("in", "the" | "this" | "their" | "our", owner) => Some(PATIENTS.contains(&owner)),
            ("born", "to", _) => Some(self.follows_newborn(term.first as usize)),
            _ => None,
        });
        next.unwrap_or_else(|| self.has_child_as_subject(term.first as usize))
    }

    /// "Born to a mother with diabetes; baby has jaundice", "mother says that her son has asthma".
    fn has_child_as_subject(&self, first: usize) -> bool {
        let word = |back: usize| match first.checked_sub(back) {
            Some(at) if self.text.is_word(at) => self.text.word(at),
            _ => "",
        };
        let child =
            matches!(word(1), "has" | "had" | "with") && (NEWBORNS.contains(&word(2)) || CHILDREN.contains(&word(2)));
        let told = matches!(word(3), "her" | "his" | "their" | "the")
            && REPORTING.iter().any(|&says| (4..7).any(|back| word(back) == says));
        let born = (3..24).any(|back| word(back + 1) == "born" && word(back) == "to");
        child && (told || born)
    }

    fn follows_newborn(&self, first: usize) -> bool {
        let before = (first.saturating_sub(OWNER)..first).rev().take_while(|&at| self.text.mark(at) != b'.');
        before.into_iter().any(|at| self.text.is_word(at) && NEWBORNS.contains(&self.text.word(at)))
    }
}
