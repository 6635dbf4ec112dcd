//! Unambiguous wording: whose condition a term is, and which negated changes negate a finding.

use super::{Answer, FormReader};
use crate::status::assertion::{FAMILY, Status, UNLISTED_ENTRY};
use crate::text::token::Gap;
use crate::vocabulary::Group;

/// Words for the patient where a relative reports: "mother denies fever in the child".
const PATIENT_WORDS: [&str; 9] = ["child", "infant", "baby", "newborn", "neonate", "toddler", "patient", "pt", "boy"];
const NEWBORN_WORDS: [&str; 8] = ["infant", "baby", "newborn", "neonate", "child", "boy", "girl", "twin"];
const CHILD_WORDS: [&str; 2] = ["son", "daughter"];
const REPORTING_VERBS: [&str; 6] = ["says", "reports", "states", "said", "reported", "stated"];
/// Words that may stand between "change in" and a function.
const DETERMINERS_BEFORE_FUNCTION: [&str; 4] = ["his", "her", "their", "the"];
/// The maximum distance from a term to its owner after it, in tokens.
const MAX_TOKENS_TO_OWNER: usize = 8;

impl FormReader<'_> {
    /// Clears `family` from terms that the text attributes to the patient.
    pub(super) fn clear_family_of_patient_terms(&mut self) {
        for nth in 0..self.terms.len() {
            if self.out[nth].status.contains(Status::FAMILY) && self.belongs_to_patient(nth) {
                self.out[nth].clear_status(FAMILY);
            }
        }
    }

    /// Negates a function after "no change in". "No change in vision" negates a finding; "no change in the nodule" does
    /// not, because the nodule stays.
    pub(super) fn negate_functions_after_no_change(&mut self) {
        let Some(vocabulary) = self.vocabulary else { return };
        let text = self.text;
        let word = |at: usize| if text.is_word_at(at) { text.folded_text(at) } else { "" };
        for nth in 0..self.terms.len() {
            let first = self.terms[nth].first as usize;
            let last =
                if first > 0 && DETERMINERS_BEFORE_FUNCTION.contains(&word(first - 1)) { first - 1 } else { first };
            let Some(start) = last.checked_sub(3) else { continue };
            let denied = matches!(word(start), "no" | "without" | "any" | "denies")
                && matches!(word(start + 1), "change" | "changes")
                && word(start + 2) == "in";
            let entry = self.terms[nth].entry;
            if denied && entry != UNLISTED_ENTRY && vocabulary.entry_group(entry) == Group::Physiology {
                self.answer_term(nth, Answer::No);
            }
        }
    }

    /// Returns whether "in the child" follows a term, or "born to" follows and a newborn precedes it.
    fn belongs_to_patient(&self, nth: usize) -> bool {
        let (text, term) = (self.text, self.terms[nth]);
        let ends =
            |at: usize| text.tokens[at].gap >= Gap::Line || matches!(text.mark_at(at), b'.' | b';' | b':' | b'?');
        let after = term.end as usize..text.tokens.len().min(term.end as usize + MAX_TOKENS_TO_OWNER);
        let word = |at: usize| if text.is_word_at(at) { text.folded_text(at) } else { "" };
        let next = after.take_while(|&at| !ends(at)).find_map(|at| match (word(at), word(at + 1), word(at + 2)) {
            ("in", "the" | "this" | "their" | "our", owner) => Some(PATIENT_WORDS.contains(&owner)),
            ("born", "to", _) => Some(self.newborn_stands_before(term.first as usize)),
            _ => None,
        });
        next.unwrap_or_else(|| self.has_child_as_subject(term.first as usize))
    }

    /// Returns whether the subject is the patient as a child: "Born to a mother with diabetes; baby has jaundice",
    /// "mother says that her son has asthma".
    fn has_child_as_subject(&self, first: usize) -> bool {
        let word = |back: usize| match first.checked_sub(back) {
            Some(at) if self.text.is_word_at(at) => self.text.folded_text(at),
            _ => "",
        };
        let child = matches!(word(1), "has" | "had" | "with")
            && (NEWBORN_WORDS.contains(&word(2)) || CHILD_WORDS.contains(&word(2)));
        let told = matches!(word(3), "her" | "his" | "their" | "the")
            && REPORTING_VERBS.iter().any(|&says| (4..7).any(|back| word(back) == says));
        let born = (3..24).any(|back| word(back + 1) == "born" && word(back) == "to");
        child && (told || born)
    }

    fn newborn_stands_before(&self, first: usize) -> bool {
        let before =
            (first.saturating_sub(MAX_TOKENS_TO_OWNER)..first).rev().take_while(|&at| self.text.mark_at(at) != b'.');
        before.into_iter().any(|at| self.text.is_word_at(at) && NEWBORN_WORDS.contains(&self.text.folded_text(at)))
    }
}
