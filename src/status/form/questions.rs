//! Questions, and their answers on the same line or in the next turn.

use std::ops::Range;

use super::super::assertion::{FAMILY, HISTORICAL, POSSIBLE, Status};
use super::super::cues::{CompiledCues, CueMatcher};
use super::FormReader;
use super::function_words::{is_auxiliary, is_preposition, may_follow_is_not, means_resolution};
use super::kinds::{Answer, Piece, PieceKind};
use super::pieces::is_unmarked_choice;
use super::reply::{
    REPLY_FILLERS, REPLY_SUBJECTS, end_of_speaker_label, is_direct_answer, is_negating_word, leaves_question_open,
    parse_reply, skip_fillers,
};
use crate::text::token::{Gap, Kind};

/// Words that begin a question.
pub(super) const QUESTION_OPENERS: [&str; 14] =
    ["do", "does", "did", "have", "has", "had", "are", "is", "was", "were", "any", "ever", "anybody", "anyone"];
/// Words for who is asked or asked about, right after the verb. Without a question mark, a question needs one: "HPI:
/// Had a fever" is not a question.
pub(super) const ASKED_SUBJECTS: [&str; 12] =
    ["you", "he", "she", "it", "they", "there", "your", "his", "her", "their", "anyone", "anybody"];
/// Adjectives after "is it" in a request for advice.
const ADVICE_ADJECTIVES: [&str; 6] = ["ok", "okay", "safe", "fine", "alright", "normal"];
/// Words that begin speech.
const SPEECH_OPENERS: [&[&str]; 3] =
    [&REPLY_FILLERS, REPLY_SUBJECTS.split_at(1).1, &["yes", "no", "yeah", "nope", "she's", "he's"]];
/// The maximum number of pieces of a chained question.
const MAX_CHAINED_PIECES: usize = 6;
/// Words before a term that a question presupposes: "Is the pain constant?"
const DETERMINERS_OF_GIVEN_TERM: [&str; 8] = ["the", "your", "his", "her", "their", "this", "that", "my"];

/// Returns whether a turn or sentence begins like a question.
fn opens_question(text: CueMatcher<'_>, first: usize, end: usize, marked: bool) -> bool {
    let word = |at: usize| if at < end && text.is_word_at(at) { text.folded_text(at) } else { "" };
    // "Q12 Do you", "3) Are you"
    let numbers = |at: &usize| {
        let numbered = word(*at).strip_prefix('q').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        numbered || text.tokens[*at].kind == Kind::Number || matches!(text.mark_at(*at), b'.' | b')')
    };
    let at = skip_fillers(text, first + (first..end).take_while(numbers).count(), end);
    let (opener, next) = (word(at), word(at + 1));
    if marked {
        // "Do I need a scan?", "Is it safe to take aspirin?": requests for advice.
        let advice = matches!(next, "i" | "we") || next == "it" && ADVICE_ADJECTIVES.contains(&word(at + 2));
        return !advice && (QUESTION_OPENERS.contains(&opener) || opener == "no");
    }
    opener == "any" || QUESTION_OPENERS.contains(&opener) && (ASKED_SUBJECTS.contains(&next) || next == "any")
}

/// Returns whether the numbers of a scale follow, none of them marked.
fn is_unmarked_number_scale(text: CueMatcher<'_>, at: usize) -> bool {
    let number =
        |at: usize| text.tokens.get(at).is_some_and(|token| token.kind == Kind::Number && token.gap < Gap::Line);
    (at..at + 3).all(number)
}

/// Returns whether two words begin what a question presupposes: "while on", "because of", "with the".
fn begins_presupposition(word: &str, next: &str) -> bool {
    matches!(word, "while" | "since" | "after" | "during" | "because")
        || matches!(word, "with" | "from" | "for" | "by" | "to") && DETERMINERS_OF_GIVEN_TERM.contains(&next)
}

/// Returns whether a word opens a question that yes or no cannot answer.
pub(super) fn is_open_question_word(word: &str) -> bool {
    matches!(word, "why" | "how" | "when" | "where")
}

/// Returns whether a question asks how or why, and thus presupposes the condition.
fn is_open_question(text: CueMatcher<'_>, first: usize, end: usize) -> bool {
    let at = skip_fillers(text, first, end);
    let word = |at: usize| if at < end && text.is_word_at(at) { text.folded_text(at) } else { "" };
    is_open_question_word(word(at)) && !matches!(word(at + 1), "about" | "often" | "many" | "bad" | "much")
}

/// Returns whether a word means that a condition has ended: "Has the bleeding stopped?"
fn means_cessation(word: &str) -> bool {
    means_resolution(word) || matches!(word, "stopped" | "gone" | "settled")
}

/// Returns whether a question contains a negation: "No cough, right?"
fn is_negative_question(text: CueMatcher<'_>, question: Range<usize>) -> bool {
    question
        .into_iter()
        .any(|at| text.is_word_at(at) && (text.folded_text(at) == "no" || is_negating_word(text.folded_text(at))))
}

/// Returns whether a reply agrees with the question: "Right.", "That's correct."
fn reply_agrees(text: CueMatcher<'_>, first: usize) -> bool {
    let end = text.tokens.len();
    let turn = end_of_speaker_label(text, first, end).unwrap_or(first);
    let mut words = (turn..end.min(turn + 4)).filter(|&at| text.is_word_at(at)).map(|at| text.folded_text(at));
    words.any(|word| matches!(word, "right" | "correct" | "exactly" | "absolutely"))
}

/// Returns whether the rest of the line after a question states a degree, frequency or time, and thus affirms it.
fn reply_tells_degree_or_time(text: CueMatcher<'_>, first: usize) -> bool {
    let line = |at: &usize| text.tokens[*at].gap < Gap::Line && text.mark_at(*at) != b'?';
    let end = (first..text.tokens.len()).find(|at| !line(at)).unwrap_or(text.tokens.len());
    let word = |at: usize| if at < end && text.is_word_at(at) { text.folded_text(at) } else { "" };
    let some = match word(first) {
        "a" => matches!(word(first + 1), "little" | "bit" | "few" | "lot" | "couple" | "touch"),
        "when" | "whenever" | "once" | "one" | "two" | "three" | "some" | "my" | "mostly" | "mainly" | "since" => true,
        word => is_preposition(word),
    };
    some && (end == text.tokens.len() || text.mark_at(end) != b'?')
}

impl FormReader<'_> {
    /// Returns whether a line begins with a speaker label.
    pub(super) fn begins_with_speaker_label(&self, line: &[Piece]) -> bool {
        let ends = line.first().zip(line.last());
        ends.is_some_and(|(first, last)| end_of_speaker_label(self.text, first.first, last.end).is_some())
    }

    /// Answers the questions of a line by what follows; without an answer, their terms become possible.
    pub(super) fn answer_questions_of_line(&mut self, line: &[Piece], has_answer: bool) {
        let Some((&first, &last)) = line.first().zip(line.last()) else { return };
        let (text, end) = (self.text, last.end);
        let speaker = end_of_speaker_label(text, first.first, end);
        // The number of full stops at the end of a turn does not matter.
        let stops = line.iter().rev().take_while(|piece| text.mark_at(piece.first) == b'.').count();
        let asked = line.len() - stops;
        // The start of the first of several questions with one reply: "Cough? Fever? No and no."
        let (mut from, mut unanswered) = (0, None);
        for at in 0..asked {
            let piece = line[at];
            let is_last = at + 1 == asked;
            // "back pain, ?discitis": the mark belongs to what follows it.
            let prefix = piece.kind == PieceKind::Question
                && line[..asked].get(at + 1).is_some_and(|next| text.tokens[next.first].gap == Gap::None)
                && text.tokens[piece.first].gap != Gap::None;
            let asks = piece.kind == PieceKind::Question || is_last && speaker.is_some() && !has_answer;
            if !asks || prefix {
                if matches!(piece.kind, PieceKind::Stop) && text.mark_at(piece.first) != b'/' {
                    (from, unanswered) = (at + 1, None);
                }
                continue;
            }
            self.answer_question_by_reply(
                line,
                [from, at],
                unanswered.unwrap_or(from),
                speaker,
                if is_last { end } else { piece.end },
            );
            unanswered = Self::is_followed_by_chained_question(&line[at + 1..]).then(|| unanswered.unwrap_or(from));
            from = at + 1;
        }
    }

    /// Answers the question that ends at a piece, and the unanswered ones from `first` on, by the text at the token
    /// `after`.
    fn answer_question_by_reply(
        &mut self,
        line: &[Piece],
        [from, at]: [usize; 2],
        first: usize,
        speaker: Option<usize>,
        after: usize,
    ) {
        let (text, piece, end) = (self.text, line[at], line[line.len() - 1].end);
        let begin = line[from].first;
        let begin = speaker.filter(|&turn| from == 0 || begin < turn).unwrap_or(begin);
        let marked = piece.kind == PieceKind::Question;
        let question = &line[from..=at];
        // "Please ask her: any cough?"
        let colon = question.iter().rposition(|piece| text.mark_at(piece.first) == b':');
        let told = colon.map_or(begin, |colon| question[colon].end.max(begin));
        let opens = opens_question(text, begin, end, marked) || opens_question(text, told, end, marked);
        if is_open_question(text, begin, end) {
            self.answer_pieces(question, Answer::Yes);
        } else if marked || opens {
            match parse_reply(text, after)
                .filter(|_| is_direct_answer(text, after) || !self.is_reply_about_other_terms(question, after))
            {
                // "No cough, right?" "Right."
                _ if is_negative_question(text, begin..piece.first) && reply_agrees(text, after) => {
                    self.apply_answer_to_question(&line[first..=at], Answer::No);
                }
                // "Any swelling? A little bit.", "Two, both at night."
                None if opens && marked && reply_tells_degree_or_time(text, after) => {
                    self.apply_answer_to_question(question, Answer::Yes);
                }
                Some(answer) => {
                    let question = &line[first..=at];
                    self.apply_answer_to_question(question, answer);
                    self.answer_terms_named_in_reply(question, after);
                }
                None if self.answer_terms_named_in_reply(question, after) => {}
                // "poor appetite? 0 1 2 3"
                None if marked && is_unmarked_number_scale(text, piece.end) => {
                    self.replace_statuses_by_possible(question);
                }
                // "Any loose teeth? No. Dentures? Upper."
                None if self.is_followed_by_detail(line, from, at) => {
                    self.apply_answer_to_question(question, Answer::Yes);
                }
                None if opens && !(marked && Self::is_followed_by_answer(line, at)) => {
                    self.replace_statuses_by_possible(question);
                }
                None => {}
            }
        }
    }

    /// Returns whether another question follows directly, so that one reply answers both: "Any rash? Any itch?
    /// Neither."
    fn is_followed_by_chained_question(rest: &[Piece]) -> bool {
        let Some(end) = rest.iter().take(MAX_CHAINED_PIECES).position(|piece| piece.kind == PieceKind::Question) else {
            return false;
        };
        let asked = |piece: &Piece| matches!(piece.kind, PieceKind::Term(_) | PieceKind::Comma | PieceKind::Other);
        rest[..end].iter().all(asked) && rest[..end].iter().any(|piece| matches!(piece.kind, PieceKind::Term(_)))
    }

    /// Applies an answer. "Have you ever had gout?" asks about the past: "no" negates it for all time, "yes" makes it
    /// historical.
    pub(super) fn apply_answer_to_question(&mut self, question: &[Piece], answer: Answer) {
        let text = self.text;
        let word = |piece: &Piece| if text.is_word_at(piece.first) { text.folded_text(piece.first) } else { "" };
        // "Has the bleeding stopped?", "Are you free of pain?"
        let inverts = |piece: &Piece| means_cessation(word(piece)) || matches!(word(piece), "without" | "free");
        let answer = match answer {
            Answer::Yes if question.iter().any(inverts) => Answer::No,
            Answer::No if question.iter().any(inverts) => Answer::Yes,
            answer => answer,
        };
        let asked = self.end_of_presupposition(question).unwrap_or_default();
        let question = if answer == Answer::No { &question[asked..] } else { question };
        // "Any nausea while on the morphine? No." does not negate the morphine.
        let given = (1..question.len())
            .find(|&at| begins_presupposition(word(&question[at]), question.get(at + 1).map_or("", word)));
        let (question, given) = question.split_at(given.unwrap_or(question.len()));
        self.answer_pieces(question, answer);
        // "Any trouble with your asthma? No."
        if given.get(1).is_some_and(|piece| DETERMINERS_OF_GIVEN_TERM.contains(&word(piece))) {
            self.answer_pieces(given, Answer::Yes);
        }
        let past = question.windows(2).any(|two| word(&two[0]) == "ever" && matches!(word(&two[1]), "had" | "have"));
        let history = question.iter().any(|piece| matches!(word(piece), "history" | "hx"));
        let terms = question.iter().filter_map(|piece| match piece.kind {
            PieceKind::Term(term) => Some(term),
            _ => None,
        });
        for term in terms {
            match answer {
                Answer::No if !history => self.out[term].clear_status(HISTORICAL),
                Answer::Yes if past || history => {
                    self.out[term].set_cue(HISTORICAL, self.text.cues.cue_text(CompiledCues::question_about_past()));
                }
                _ => {}
            }
        }
    }

    /// Returns the end (exclusive) of what a question presupposes: "Is the pain constant?", "Any change in the cough?"
    fn end_of_presupposition(&self, question: &[Piece]) -> Option<usize> {
        let text = self.text;
        let word = |piece: &Piece| if text.is_word_at(piece.first) { text.folded_text(piece.first) } else { "" };
        if question.iter().any(|piece| matches!(word(piece), "change" | "changes" | "worse" | "better")) {
            return Some(question.len());
        }
        let opener = |piece: &Piece| is_auxiliary(word(piece)) || word(piece) == "will";
        let verb = question.iter().position(opener)?;
        let term = verb
            + 1
            + usize::from(question.get(verb + 1).is_some_and(|piece| DETERMINERS_OF_GIVEN_TERM.contains(&word(piece))));
        let next = question.get(term + 1).filter(|next| next.kind == PieceKind::Other)?;
        // "Does aspirin help?", but "is she coughing?", "are there", "is the rash still there?"
        let named = term > verb + 1 || matches!(question[term].kind, PieceKind::Term(_));
        let asks = matches!(word(next), "still" | "there" | "back" | "or" | "and") || may_follow_is_not(word(next));
        (named && !asks && !means_cessation(word(next))).then_some(term + 1)
    }

    /// Marks as possible the term after a question mark: "? gout", "?gout".
    pub(super) fn apply_leading_question_marks(&mut self, line: &[Piece]) {
        let mut doubted = false;
        for at in 0..line.len().saturating_sub(1) {
            let PieceKind::Term(term) = line[at + 1].kind else { continue };
            if line.get(at + 2).is_some_and(|next| matches!(next.kind, PieceKind::Answer(_))) {
                continue;
            }
            let begins = at == 0
                || doubted
                || matches!(line[at - 1].kind, PieceKind::Stop | PieceKind::Comma | PieceKind::Separator);
            let gap = |piece: &Piece| self.text.tokens[piece.first].gap;
            let glued = gap(&line[at + 1]) == Gap::None && (at == 0 || gap(&line[at]) != Gap::None);
            if line[at].kind == PieceKind::Question && (begins || glued) && self.out[term].status.is_affirmed() {
                self.out[term].set_cue(POSSIBLE, self.text.cues.cue_text(CompiledCues::question_mark()));
                doubted = true;
            }
        }
    }

    /// Clears `family` where the relative is only the speaker: "Mother: she doesn't have a rash".
    pub(super) fn clear_family_of_speaker(&mut self, line: &[Piece]) {
        let Some((first, last)) = line.first().zip(line.last()) else { return };
        let (text, end) = (self.text, last.end);
        let is_person = |at: usize| text.longest_phrase(at, end).is_some_and(|hit| hit.role.person);
        let Some(turn) = end_of_speaker_label(text, first.first, end).filter(|_| is_person(first.first)) else {
            return;
        };
        let talks = turn < end
            && text.is_word_at(turn)
            && SPEECH_OPENERS.iter().any(|words| words.contains(&text.folded_text(turn)));
        let asks = turn < end && opens_question(text, turn, end, false);
        if (talks || asks) && !(turn..end).any(is_person) {
            for piece in line {
                let PieceKind::Term(term) = piece.kind else { continue };
                self.out[term].clear_status(FAMILY);
            }
        }
    }

    /// Answers a reported question: "Asked about gout and vertigo: neither.", "When asked whether he has gout he shook
    /// his head."
    pub(super) fn answer_reported_question(&mut self, at: usize, terms: Range<usize>, end: usize) {
        let about = |at: &usize| matches!(self.word_at(*at), "about" | "for" | "re" | "regarding" | "whether" | "if");
        let Some(from) = (at + 1..end.min(at + 4)).find(about) else { return };
        let Some(first) = terms.clone().find(|&nth| self.terms[nth].first as usize > from) else { return };
        let Some(reply) = (self.terms[first].end as usize..end)
            .find_map(|at| self.reported_answer_at(at, end).map(|told| (at, told)))
        else {
            return;
        };
        let (at, answer) = reply;
        for nth in first..terms.end {
            if self.terms[nth].end as usize <= at {
                self.answer_term(nth, answer);
            }
        }
    }

    /// Returns the answer that a word reports, if it answers what precedes it.
    fn reported_answer_at(&self, at: usize, end: usize) -> Option<Answer> {
        let next = self.word_at(at + 1);
        let answer = match self.word_at(at) {
            "neither" | "none" | "denied" | "denies" | "no" | "nothing" => Answer::No,
            "shook" | "shakes" if self.word_at(at + 2) == "head" => Answer::No,
            "not" if is_auxiliary(self.word_at(at - 1)) && (at + 1 >= end || self.text.mark_at(at + 1) != 0) => {
                Answer::No
            }
            "yes" | "nodded" | "nods" | "confirmed" | "affirmed" | "agreed" => Answer::Yes,
            _ => return None,
        };
        let ends =
            matches!(next, "to" | "his" | "her" | "and" | "that" | "either" | "it" | "this" | "them" | "both" | "all");
        let goes_on = self.text.is_word_at(at + 1) && !ends;
        (at + 1 >= end || !goes_on).then_some(answer)
    }

    /// Returns whether a word or number follows a short question, on a line with other answered questions.
    fn is_followed_by_detail(&self, line: &[Piece], from: usize, at: usize) -> bool {
        let label = line[from..at].iter().rev().take_while(|piece| matches!(piece.kind, PieceKind::Term(_)));
        let begins = at - label.count();
        let short = begins < at && (begins == from || line[begins - 1].kind != PieceKind::Other);
        let told = |piece: &Piece| {
            let token = self.text.tokens[piece.first];
            piece.kind == PieceKind::Other && matches!(token.kind, Kind::Word | Kind::Number) && token.gap < Gap::Wide
        };
        let answered = line
            .windows(2)
            .any(|two| two[0].kind == PieceKind::Question && matches!(two[1].kind, PieceKind::Answer(_)));
        let points = |piece: &&Piece| matches!(piece.kind, PieceKind::Sign(Answer::No) | PieceKind::Separator);
        let rest = &line[at + 1..];
        let rest = &rest[rest.iter().take_while(points).count()..];
        let end = rest.iter().position(|piece| piece.kind == PieceKind::Stop).unwrap_or(rest.len());
        let open =
            |piece: &Piece| matches!(piece.kind, PieceKind::Term(_)) || leaves_question_open(self.word_at(piece.first));
        short && answered && end < 6 && !rest[..end].iter().any(open) && rest.first().is_some_and(told)
    }

    /// Returns whether an answer follows a question on its line.
    fn is_followed_by_answer(line: &[Piece], at: usize) -> bool {
        let after = &line[at + 1..];
        !is_unmarked_choice(after) && after.iter().take(4).any(|piece| matches!(piece.kind, PieceKind::Answer(_)))
    }

    pub(super) fn replace_statuses_by_possible(&mut self, question: &[Piece]) {
        let asked = self.end_of_presupposition(question).unwrap_or_default();
        for piece in &question[asked..] {
            let PieceKind::Term(term) = piece.kind else { continue };
            for place in (Status::NEGATED | Status::HYPOTHETICAL | Status::HISTORICAL).indices() {
                self.out[term].clear_status(place);
            }
            if self.out[term].status.is_affirmed() {
                self.out[term].set_cue(POSSIBLE, self.text.cues.cue_text(CompiledCues::question_mark()));
            }
        }
    }
}
