//! What a line must have before it is read as a form: most have none of it.

use std::ops::Range;

use super::FormReader;
use super::kinds::{PieceKind, answer};
use super::marks::{box_at, bracket};
use super::pieces::first_piece;
use super::reply::after_speaker;
use super::roles::WordRoles;
use crate::text::token::{Gap, Kind};

impl FormReader<'_> {
    /// Whether a line may have a box, an answer, a sign or a question: most lines of prose have none, and are not split into pieces.
    pub(super) fn may_be_form(&self, [first, end]: [usize; 2], terms: &Range<usize>) -> bool {
        if self.is_cut_negation(first) {
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
                    frequency |= roles.has(WordRoles::FREQUENCY);
                    asks |=
                        roles.has(WordRoles::QUESTION) || roles.has(WordRoles::ASKED) && before.has(WordRoles::OPENER);
                    roles.has(WordRoles::LETTER)
                        || roles.has(WordRoles::STATE) && text.mark(at + 1) == b')'
                        || roles.has(WordRoles::ANSWER) && self.may_be_value(at, [first, end], terms)
                }
                Kind::Punct => {
                    slash |= token.mark() == b'/';
                    match token.mark() {
                        b'?' | b'+' | b'|' | b'_' => true,
                        b'-' => !self.is_hyphen(at, end),
                        b'[' | b'(' | b'{' => bracket(text, at).is_some(),
                        _ => false,
                    }
                }
                Kind::Symbol => box_at(text, at).is_some_and(|(kind, _)| kind != PieceKind::Other),
                Kind::Number => {
                    let number = text.word(at);
                    number == "0" || number.ends_with("/10") || number == "1" && at > first && text.mark(at - 1) == b','
                }
                _ => false,
            };
            if is_anchor {
                return true;
            }
            before = roles;
        }
        slash && frequency || self.may_be_turn([first, end], asks)
    }

    /// Whether a hyphen joins two words.
    fn is_hyphen(&self, at: usize, end: usize) -> bool {
        let joined = |at: usize| self.text.tokens[at].gap == Gap::None;
        let side = |at: usize| matches!(self.text.tokens[at].kind, Kind::Word | Kind::Number);
        let joins = at > 0 && at + 1 < end && joined(at) && joined(at + 1) && side(at - 1) && side(at + 1);
        joins && self.word_at(at + 1) != "ve"
    }

    /// Whether a word that answers may be a value: words that go on right after it, and no label among them, make it a part of a sentence.
    fn may_be_value(&self, at: usize, [first, end]: [usize; 2], terms: &Range<usize>) -> bool {
        let text = self.text;
        let Some((_, last)) = answer(text, at) else { return false };
        let goes_on = last < end
            && text.tokens[last].gap < Gap::Wide
            && text.is_word(last)
            && !self.roles[last].has(WordRoles::ANSWER)
            && text.word(last) != "x";
        if !goes_on {
            return true;
        }
        let named = self.terms[terms.clone()].binary_search_by_key(&last, |term| term.first as usize);
        let Ok(named) = named.map(|nth| self.terms[terms.start + nth]) else { return false };
        // "COPD: no exacerbation", "no fever: yes"
        let stop = |at: usize| match text.mark(at) {
            b'.' => text.mark(at + 1) != b'.',
            mark => matches!(mark, b',' | b';'),
        };
        let begins = at == first || text.is_word(at - 1) || stop(at - 1) && (at < 2 || text.mark(at - 2) != b'.');
        let after = named.last as usize;
        let ends = after >= end || stop(after) || text.is_word(after) && !self.roles[after].has(WordRoles::ANSWER);
        !begins || !ends
    }

    /// Whether a line without a question mark may be a turn of somebody who asks, or of whom its terms are not said.
    fn may_be_turn(&self, [first, end]: [usize; 2], asks: bool) -> bool {
        let first = first_piece(self.text, [first, end]);
        first < end
            && after_speaker(self.text, first, end).is_some()
            && (asks || self.text.phrase(first, end).is_some())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;
    use crate::note::NoteBuffers;
    use crate::placeholders::PlaceholderForms;
    use crate::status::{Assertion, Context, CueList, Status};
    use crate::terms::{self, Matches};
    use crate::vocabulary::Vocabulary;

    static VOCABULARY: LazyLock<Vocabulary> =
        LazyLock::new(|| Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the vocabulary"));
    static CONTEXT: LazyLock<Context> = LazyLock::new(|| Context::new(&VOCABULARY, &CueList::package()));

    /// What is said of the terms of a line after all rules of form have read it, if it need not be read as a form.
    fn read_prose(text: &str, before: Status) -> Option<Vec<Assertion>> {
        let (mut buffers, mut matches) = (NoteBuffers::default(), Matches::default());
        let note = buffers.read(text, &VOCABULARY, PlaceholderForms::default());
        terms::find(&note, &mut matches);
        let (text, terms) = (CONTEXT.matcher(&note), &matches.terms);
        let mut out = vec![Assertion { status: before, ..Assertion::default() }; terms.len()];
        let mut reader = FormReader::new(text, terms, &mut out, None, &CONTEXT.known);
        let whole = [0, note.len()];
        if reader.may_be_form(whole, &(0..terms.len())) {
            return None;
        }
        let mut line = Vec::new();
        reader.pieces(whole, 0, &mut line);
        let marked = reader.columns(&line).is_some() || reader.answer_yes_no_boxes(&line);
        let marked = reader.scale(&line) || reader.boxes(&line) || reader.signs(&line) || marked;
        let has_answer = reader.answers(&line);
        reader.zeros(&line);
        reader.stated(&line);
        reader.questions(&line, has_answer);
        reader.doubts(&line);
        reader.spoken(&line);
        reader.continued_negation(&line);
        assert!(!marked && !has_answer);
        Some(out)
    }

    proptest! {
        /// A line that is left out would have changed nothing.
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
