//! Assertion of the statuses of terms in the scope of cues.

use super::{
    CueHit, CueId, CueScanner, MAX_WORDS_TO_ADJACENT, Match, NEGATED, Scope, SectionStatus, SentenceState, Status,
};

impl CueScanner<'_> {
    /// Applies the open cues to the next term.
    pub(super) fn apply_open_cues(&mut self, here: &mut SentenceState) {
        let first = self.terms[self.term].first as usize;
        self.apply_section_status(self.term, here.section);
        if !here.opened {
            return;
        }
        for (place, open) in here.open.iter_mut().enumerate() {
            let Some(scope) = open.scope else { continue };
            if open.paused {
                continue;
            }
            if scope == Scope::ForwardAdjacent {
                open.scope = None;
                let words = (open.from..first).filter(|&at| self.text.is_word_at(at)).count();
                if words > MAX_WORDS_TO_ADJACENT {
                    continue;
                }
            }
            let is_first = self.terms[..self.term].last().is_none_or(|before| (before.first as usize) < open.from);
            let joined = first > 0 && matches!(self.text.folded_text(first - 1), "or" | "nor" | "and");
            let (near, cue) = (here.comma <= open.from && (is_first || joined), open.cue);
            self.assert_cue(self.term, place, cue, near);
        }
    }

    /// Asserts a status by a cue; if the term is near, a certain cue overrules the classifier.
    pub(super) fn assert_cue(&mut self, term: usize, place: usize, id: CueId, near: bool) {
        let text = self.text.cues.cue_text(id);
        self.out[term].set_cue(place, text);
        if near && self.text.cues.is_certain(id) {
            self.scratch.certain.push((term, place, text));
        }
    }

    /// Applies a cue at the beginning of a term: "family history of cancer", "old myocardial infarction".
    pub(super) fn apply_inner_cue(&mut self, at: usize, term: Match) {
        if let Some(hit) = self.text.longest_phrase(at, term.end as usize).filter(|_| term.first as usize == at)
            && let (status, Scope::Forward | Scope::ForwardItem) = self.text.cues.status_and_scope(hit.role.cue)
            && (Status::FAMILY | Status::HISTORICAL).contains(status)
        {
            self.own |= hit.role.from_policy;
            status
                .indices()
                .for_each(|place| self.out[self.term].set_cue(place, self.text.cues.cue_text(hit.role.cue)));
        }
    }

    /// Applies the open cues to the terms inside a phrase that is not a cue itself: "acute" in "no evidence of acute
    /// distress".
    pub(super) fn apply_open_cues_within_phrase(&mut self, last: usize, here: &mut SentenceState) {
        while self.terms.get(self.term).is_some_and(|term| term.end as usize <= last) {
            self.apply_open_cues(here);
            self.term += 1;
        }
    }

    /// Negates a term at the end of a negation, such as "acute" in "no acute", but not one at its beginning.
    pub(super) fn negate_term_at_end_of_cue(&mut self, at: usize, hit: CueHit<'_>, here: &SentenceState) {
        let open = here.open[NEGATED];
        let opened = open.scope.is_some() && open.cue == hit.role.cue && open.from == hit.end;
        if opened && self.terms[self.term].first as usize > at {
            self.out[self.term].set_cue(NEGATED, self.text.cues.cue_text(hit.role.cue));
        }
    }

    pub(super) fn apply_section_status(&mut self, term: usize, section: SectionStatus) {
        for place in section.status.indices() {
            self.out[term].set_cue(place, self.text.cues.cue_text(section.cue));
        }
    }
}
