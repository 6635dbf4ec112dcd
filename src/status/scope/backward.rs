//! Backward cues.

use super::super::cues::CueRole;
use super::{
    CueId, CueScanner, Gap, Kind, MAX_LIST_TERMS, MAX_WORDS_BETWEEN, MAX_WORDS_TO_ADJACENT, Match, NEGATED, POSSIBLE,
    SentenceState, Status,
};

/// Words that may stand between a term and its body site.
const WORDS_BEFORE_SITE: [&str; 12] =
    ["of", "in", "on", "at", "the", "a", "his", "her", "left", "right", "both", "either"];

impl CueScanner<'_> {
    /// Returns whether no mention that a cue could apply to follows in the sentence.
    pub(super) fn nothing_follows(&self, at: usize, end: usize) -> bool {
        at >= end
            || self.text.tokens[at].gap >= Gap::Wide
            || matches!(self.text.mark_at(at), b'.' | b',' | b';' | b')' | b'/' | b'|' | b']')
    }

    /// Returns whether a word is the value of a field, or right after a term.
    pub(super) fn is_value_or_after_term(&self, at: usize) -> bool {
        let behind_term = self.terms.get(self.term.wrapping_sub(1)).is_some_and(|term| {
            let last = term.end as usize;
            // "calf tenderness denied": the vocabulary may have only a part of the phrase.
            last == at || last + 1 == at && self.text.is_word_at(last) && self.text.longest_phrase(last, at).is_none()
        });
        behind_term || at > 0 && matches!(self.text.mark_at(at - 1), b':' | b'-' | b'?' | b'(' | b')' | b',' | b'=')
    }

    /// Applies a cue backward to the beginning of its clause. Returns whether it applies to any term.
    pub(super) fn apply_backward(&mut self, place: usize, cue: usize, id: CueId, here: &SentenceState) -> bool {
        let one = cue < self.text.tokens.len() && matches!(self.text.folded_text(cue), "is" | "was" | "has");
        let (mut end, mut list, mut found) = (cue, false, false);
        let mut near = true;
        for term in (here.term..self.term).rev().take(MAX_LIST_TERMS) {
            let Match { first, end: term_end, .. } = self.terms[term];
            if (first as usize) < here.clause
                || term_end as usize > end
                || !self.is_joined_to_cue(term_end as usize, end, cue, one, &mut list)
            {
                break;
            }
            let apposition = [end, cue].iter().all(|&at| self.text.mark_at(at.wrapping_sub(1)) == b',');
            // "fracture of the left hip is not seen"
            let placed = near
                && (term_end as usize..end)
                    .all(|at| self.text.is_word_at(at) && WORDS_BEFORE_SITE.contains(&self.text.folded_text(at)));
            near = end == cue || placed || apposition || self.text.mark_at(end.wrapping_sub(1)) == b'(';
            self.assert_cue(term, place, id, near);
            if place == NEGATED {
                self.out[term].clear_status(POSSIBLE);
            }
            (end, found) = (first as usize, true);
        }
        found
    }

    /// Returns whether a term is joined to the cue, or to the term after it. Sets `list` at a conjunction.
    fn is_joined_to_cue(&self, first: usize, end: usize, cue: usize, one: bool, list: &mut bool) -> bool {
        let nearest = end == cue;
        let (mut comma, mut words) = (false, 0);
        let mut at = first;
        while at < end {
            if let Some(hit) = self.text.longest_phrase(at, end) {
                let CueRole { cue: id, end: ends, person, pause, .. } = *hit.role;
                let (status, _) = self.text.cues.status_and_scope(id);
                if ends == Status::ALL || person || !nearest && !(ends.is_affirmed() && status.is_affirmed()) {
                    return false;
                }
                words += usize::from(!pause);
                at = hit.end;
                continue;
            }
            match (self.text.tokens[at].kind, self.text.mark_at(at)) {
                (Kind::Word, _) => match self.text.folded_text(at) {
                    "and" if one => return false,
                    "and" | "or" | "nor" => *list = true,
                    _ => words += 1,
                },
                (_, b',') => comma = true,
                (_, b';') => return false,
                _ => {}
            }
            at += 1;
        }
        let mark = |at: usize| self.text.mark_at(at.wrapping_sub(1));
        let relative = nearest && (mark(end) == b',' || self.text.folded_text(end - 1) == "which");
        // "Pneumonia, right lower lobe, ruled out": text between commas belongs to the term before it.
        let apposition = mark(cue) == b',';
        let limit = if nearest { 2 * MAX_WORDS_BETWEEN } else { MAX_WORDS_BETWEEN };
        words <= limit && (!comma || *list || apposition || relative)
    }

    /// Applies a cue to the term right before it.
    pub(super) fn apply_adjacent(&mut self, place: usize, cue: usize, id: CueId, here: &SentenceState) {
        if here.term < self.term && self.terms[self.term - 1].first as usize >= here.clause {
            let last = self.terms[self.term - 1].end as usize;
            let marks = (last..cue).any(|at| matches!(self.text.mark_at(at), b',' | b';' | b'.'));
            if !marks && (last..cue).filter(|&at| self.text.is_word_at(at)).count() <= MAX_WORDS_TO_ADJACENT {
                self.out[self.term - 1].set_cue(place, self.text.cues.cue_text(id));
            }
        }
    }
}
