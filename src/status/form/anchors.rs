//! A cheap test for what a line must contain to be read as a form; most lines contain none of it.

use std::ops::Range;

use super::FormReader;
use super::kinds::{PieceKind, parse_answer};
use super::marks::{parse_box, parse_bracket};
use super::pieces::first_token_after_markup;
use super::reply::end_of_speaker_label;
use super::roles::WordRoles;
use crate::text::token::{Gap, Kind};

impl FormReader<'_> {
    /// Returns whether a line may have a box, an answer, a sign or a question. Most lines of prose have none and are
    /// not split into pieces.
    pub(super) fn may_be_form_line(&self, [first, end]: [usize; 2], terms: &Range<usize>) -> bool {
        if self.follows_negation(first) {
            return true;
        }
        let text = self.text;
        let (mut slash, mut frequency, mut asks) = (false, false, false);
        let mut before = WordRoles::default();
        for at in first..end {
            let roles = self.roles[at];
            let token = &text.tokens[at];
            let is_anchor = match token.kind {
                Kind::Word => {
                    frequency |= roles.contains_any(WordRoles::FREQUENCY);
                    asks |= roles.contains_any(WordRoles::QUESTION)
                        || roles.contains_any(WordRoles::ASKED) && before.contains_any(WordRoles::OPENER);
                    roles.contains_any(WordRoles::LETTER)
                        || roles.contains_any(WordRoles::STATE) && text.mark_at(at + 1) == b')'
                        || roles.contains_any(WordRoles::ANSWER) && self.may_be_answering_value(at, [first, end], terms)
                }
                Kind::Punct => {
                    slash |= token.mark() == b'/';
                    match token.mark() {
                        b'?' | b'+' | b'|' | b'_' => true,
                        b'-' => !self.is_hyphen_between_words(at, end),
                        b'[' | b'(' | b'{' => parse_bracket(text, at).is_some(),
                        _ => false,
                    }
                }
                Kind::Symbol => parse_box(text, at).is_some_and(|(kind, _)| kind != PieceKind::Other),
                Kind::Number => {
                    let number = text.folded_text(at);
                    number == "0"
                        || number.ends_with("/10")
                        || number == "1" && at > first && text.mark_at(at - 1) == b','
                }
                _ => false,
            };
            if is_anchor {
                return true;
            }
            before = roles;
        }
        slash && frequency || self.may_be_turn_of_dialogue([first, end], asks)
    }

    /// Returns whether a hyphen joins two words.
    fn is_hyphen_between_words(&self, at: usize, end: usize) -> bool {
        let joined = |at: usize| self.text.tokens[at].gap == Gap::None;
        let side = |at: usize| matches!(self.text.tokens[at].kind, Kind::Word | Kind::Number);
        let joins = at > 0 && at + 1 < end && joined(at) && joined(at + 1) && side(at - 1) && side(at + 1);
        joins && self.word_at(at + 1) != "ve"
    }

    /// Returns whether an answer word may be a value. If words follow directly and none of them is a field label, it is
    /// part of a sentence.
    fn may_be_answering_value(&self, at: usize, [first, end]: [usize; 2], terms: &Range<usize>) -> bool {
        let text = self.text;
        let Some((_, last)) = parse_answer(text, at) else { return false };
        let goes_on = last < end
            && text.tokens[last].gap < Gap::Wide
            && text.is_word_at(last)
            && !self.roles[last].contains_any(WordRoles::ANSWER)
            && text.folded_text(last) != "x";
        if !goes_on {
            return true;
        }
        let named = self.terms[terms.clone()].binary_search_by_key(&last, |term| term.first as usize);
        let Ok(named) = named.map(|nth| self.terms[terms.start + nth]) else { return false };
        // "COPD: no exacerbation", "no fever: yes"
        let stop = |at: usize| match text.mark_at(at) {
            b'.' => text.mark_at(at + 1) != b'.',
            mark => matches!(mark, b',' | b';'),
        };
        let begins = at == first || text.is_word_at(at - 1) || stop(at - 1) && (at < 2 || text.mark_at(at - 2) != b'.');
        let after = named.end as usize;
        let ends =
            after >= end || stop(after) || text.is_word_at(after) && !self.roles[after].contains_any(WordRoles::ANSWER);
        !begins || !ends
    }

    /// Returns whether a line without a question mark may be a turn of a dialogue: a speaker label, and a question or a
    /// cue at the beginning, such as a person.
    fn may_be_turn_of_dialogue(&self, [first, end]: [usize; 2], asks: bool) -> bool {
        let first = first_token_after_markup(self.text, [first, end]);
        first < end
            && end_of_speaker_label(self.text, first, end).is_some()
            && (asks || self.text.longest_phrase(first, end).is_some())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;
    use crate::note::NoteBuffers;
    use crate::pipeline::tests::vocabulary;
    use crate::placeholders::PlaceholderForms;
    use crate::status::{Assertion, Status, StatusAssigner};
    use crate::terms::{self, Matches};

    static CONTEXT: LazyLock<StatusAssigner> = LazyLock::new(|| StatusAssigner::new(vocabulary()));

    /// Returns the assertions of a line after all form rules have run, if the line would have been skipped as prose.
    fn read_prose(text: &str, before: Status) -> Option<Vec<Assertion>> {
        let (mut buffers, mut matches) = (NoteBuffers::default(), Matches::default());
        let note = buffers.read(text, vocabulary(), PlaceholderForms::default());
        terms::find_terms(&note, &mut matches);
        let (text, terms) = (CONTEXT.cue_matcher(&note), &matches.terms);
        let mut out = vec![Assertion { status: before, ..Assertion::default() }; terms.len()];
        let mut reader = FormReader::new(text, terms, &mut out, None, &CONTEXT.word_roles);
        let whole = [0, note.len()];
        if reader.may_be_form_line(whole, &(0..terms.len())) {
            return None;
        }
        let mut line = Vec::new();
        reader.split_line(whole, 0, &mut line);
        let marked = reader.answer_columns_of_line(&line).is_some() || reader.answer_yes_no_boxes(&line);
        let marked = reader.apply_checked_scale(&line)
            || reader.apply_boxes(&line)
            || reader.apply_plus_and_minus_signs(&line)
            || marked;
        let has_answer = reader.apply_answers_of_line(&line);
        reader.apply_zeros(&line);
        reader.apply_state_in_brackets_or_cell(&line);
        reader.answer_questions_of_line(&line, has_answer);
        reader.apply_leading_question_marks(&line);
        reader.clear_family_of_speaker(&line);
        reader.negate_after_line_break(&line);
        assert!(!marked && !has_answer);
        Some(out)
    }

    proptest! {
        /// Running the form rules on a skipped line changes nothing.
        #[test]
        fn prose_has_no_form(parts in proptest::collection::vec(
            prop_oneof![
                "fever", "cough ", "asthma ", " COPD", "no ", "denies ", " present", " negative", "not seen ", "positives", "yes ",
                "[nyox01] ?", "Y/N ", "no/yes ", "(refuted)", "suspected", "how ", "Pt. - ", "resolved ", "non-reactive ", "± ", "∅", ",1",
                "4,", "[-:,.;/|?+=*_(\\[\\])\"] ?", "0/10 ", "-ve ", "often ", "some ", "any ", "have you ", "mother: ",
                "patient: ", "→ ", "• ", "☐ ", "  ", "[a-z]{2,6} "
            ],
            1..14,
        )) {
            let text = parts.concat();
            for before in [Status::default(), Status::ALL] {
                for assertion in read_prose(&text, before).into_iter().flatten() {
                    prop_assert_eq!(assertion, Assertion { status: before, ..Assertion::default() }, "{}", text);
                }
            }
        }
    }
}
