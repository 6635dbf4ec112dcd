//! Questions, and their answers in the same line or in the next turn.

use std::ops::Range;

use super::super::assertion::{FAMILY, HISTORICAL, POSSIBLE, Status};
use super::super::cues::{CueMatcher, Cues};
use super::FormReader;
use super::function_words::{is_auxiliary, is_denied_by_not, is_over, is_preposition};
use super::kinds::{Answer, Piece, PieceKind};
use super::pieces::prompts;
use super::reply::{FILLERS, SUBJECTS, after_speaker, is_bare, is_not, is_open, reply, skip_fillers};
use crate::text::token::{Gap, Kind};

/// Words with which a question begins.
pub(super) const OPENERS: [&str; 14] =
    ["do", "does", "did", "have", "has", "had", "are", "is", "was", "were", "any", "ever", "anybody", "anyone"];
/// Who is asked or asked about, right after the verb: a question without its mark has one, "HPI: Had a fever" has none.
pub(super) const ASKED: [&str; 12] =
    ["you", "he", "she", "it", "they", "there", "your", "his", "her", "their", "anyone", "anybody"];
/// Words after "is it" with which advice is asked for.
const ADVISED: [&str; 6] = ["ok", "okay", "safe", "fine", "alright", "normal"];
/// Words with which somebody begins to talk.
const TALKING: [&[&str]; 3] = [&FILLERS, SUBJECTS.split_at(1).1, &["yes", "no", "yeah", "nope", "she's", "he's"]];
/// How many pieces the next of several questions has.
const CHAINED: usize = 6;
/// Words before a term of which something is asked: "Is the pain constant?"
const GIVEN: [&str; 8] = ["the", "your", "his", "her", "their", "this", "that", "my"];

/// Whether a turn or sentence begins like a question.
fn opens_question(text: CueMatcher<'_>, first: usize, end: usize, marked: bool) -> bool {
    let word = |at: usize| if at < end && text.is_word(at) { text.word(at) } else { "" };
    // "Q12 Do you", "3) Are you"
    let numbers = |at: &usize| {
        let numbered = word(*at).strip_prefix('q').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        numbered || text.tokens[*at].kind == Kind::Number || matches!(text.mark(*at), b'.' | b')')
    };
    let at = skip_fillers(text, first + (first..end).take_while(numbers).count(), end);
    let (opener, next) = (word(at), word(at + 1));
    if marked {
        // "Do I need a scan?", "Is it safe to take aspirin?" ask for advice.
        let advice = matches!(next, "i" | "we") || next == "it" && ADVISED.contains(&word(at + 2));
        return !advice && (OPENERS.contains(&opener) || opener == "no");
    }
    opener == "any" || OPENERS.contains(&opener) && (ASKED.contains(&next) || next == "any")
}

/// Whether the numbers of a scale follow, of which none is marked.
fn is_printed_scale(text: CueMatcher<'_>, at: usize) -> bool {
    let number =
        |at: usize| text.tokens.get(at).is_some_and(|token| token.kind == Kind::Number && token.gap < Gap::Line);
    (at..at + 3).all(number)
}

/// Whether two words begin what a question takes as given: "while on", "because of", "with the".
fn is_given(word: &str, next: &str) -> bool {
    matches!(word, "while" | "since" | "after" | "during" | "because")
        || matches!(word, "with" | "from" | "for" | "by" | "to") && GIVEN.contains(&next)
}

/// Whether a question with a word is not one whether something is.
pub(super) fn is_how(word: &str) -> bool {
    matches!(word, "why" | "how" | "when" | "where")
}

/// Whether a question asks how or why something is, and so not whether it is.
fn asks_how(text: CueMatcher<'_>, first: usize, end: usize) -> bool {
    let at = skip_fillers(text, first, end);
    let word = |at: usize| if at < end && text.is_word(at) { text.word(at) } else { "" };
    is_how(word(at)) && !matches!(word(at + 1), "about" | "often" | "many" | "bad" | "much")
}

/// Whether a word asks for the end of something: "Has the bleeding stopped?"
fn means_cessation(word: &str) -> bool {
    is_over(word) || matches!(word, "stopped" | "gone" | "settled")
}

/// Whether a question is one that denies: "No cough, right?"
fn denies_itself(text: CueMatcher<'_>, question: Range<usize>) -> bool {
    question.into_iter().any(|at| text.is_word(at) && (text.word(at) == "no" || is_not(text.word(at))))
}

/// Whether somebody agrees with what was asked: "Right.", "That's correct."
fn agrees(text: CueMatcher<'_>, first: usize) -> bool {
    let end = text.tokens.len();
    let turn = after_speaker(text, first, end).unwrap_or(first);
    let mut words = (turn..end.min(turn + 4)).filter(|&at| text.is_word(at)).map(|at| text.word(at));
    words.any(|word| matches!(word, "right" | "correct" | "exactly" | "absolutely"))
}

/// Whether what follows a question in its line tells how much, how often or when, and so affirms it.
fn tells_some(text: CueMatcher<'_>, first: usize) -> bool {
    let line = |at: &usize| text.tokens[*at].gap < Gap::Line && text.mark(*at) != b'?';
    let end = (first..text.tokens.len()).find(|at| !line(at)).unwrap_or(text.tokens.len());
    let word = |at: usize| if at < end && text.is_word(at) { text.word(at) } else { "" };
    let some = match word(first) {
        "a" => matches!(word(first + 1), "little" | "bit" | "few" | "lot" | "couple" | "touch"),
        "when" | "whenever" | "once" | "one" | "two" | "three" | "some" | "my" | "mostly" | "mainly" | "since" => true,
        word => is_preposition(word),
    };
    some && (end == text.tokens.len() || text.mark(end) != b'?')
}

impl FormReader<'_> {
    /// Whether a line begins with the label of a speaker.
    pub(super) fn has_speaker(&self, line: &[Piece]) -> bool {
        let ends = line.first().zip(line.last());
        ends.is_some_and(|(first, last)| after_speaker(self.text, first.first, last.last).is_some())
    }

    /// Answers the questions of a line by what follows; a question without an answer leaves its terms possible.
    pub(super) fn questions(&mut self, line: &[Piece], has_answer: bool) {
        let Some((&first, &last)) = line.first().zip(line.last()) else { return };
        let (text, end) = (self.text, last.last);
        let speaker = after_speaker(text, first.first, end);
        // How many full stops end a turn makes no difference.
        let stops = line.iter().rev().take_while(|piece| text.mark(piece.first) == b'.').count();
        let asked = line.len() - stops;
        // Where the first of several questions begins that one reply answers: "Cough? Fever? No and no."
        let (mut from, mut unanswered) = (0, None);
        for at in 0..asked {
            let piece = line[at];
            let is_last = at + 1 == asked;
            // "back pain, ?discitis": the mark is of what follows it.
            let prefix = piece.kind == PieceKind::Question
                && line[..asked].get(at + 1).is_some_and(|next| text.tokens[next.first].gap == Gap::None)
                && text.tokens[piece.first].gap != Gap::None;
            let asks = piece.kind == PieceKind::Question || is_last && speaker.is_some() && !has_answer;
            if !asks || prefix {
                if matches!(piece.kind, PieceKind::Stop) && text.mark(piece.first) != b'/' {
                    (from, unanswered) = (at + 1, None);
                }
                continue;
            }
            self.ask(line, [from, at], unanswered.unwrap_or(from), speaker, if is_last { end } else { piece.last });
            unanswered = Self::is_chained(&line[at + 1..]).then(|| unanswered.unwrap_or(from));
            from = at + 1;
        }
    }

    /// Answers the question that ends at a piece, together with those from `first` on, by what follows at the token `after`.
    fn ask(&mut self, line: &[Piece], [from, at]: [usize; 2], first: usize, speaker: Option<usize>, after: usize) {
        let (text, piece, end) = (self.text, line[at], line[line.len() - 1].last);
        let begin = line[from].first;
        let begin = speaker.filter(|&turn| from == 0 || begin < turn).unwrap_or(begin);
        let marked = piece.kind == PieceKind::Question;
        let question = &line[from..=at];
        // "Please ask her: any cough?"
        let colon = question.iter().rposition(|piece| text.mark(piece.first) == b':');
        let told = colon.map_or(begin, |colon| question[colon].last.max(begin));
        let opens = opens_question(text, begin, end, marked) || opens_question(text, told, end, marked);
        if asks_how(text, begin, end) {
            self.answer(question, Answer::Yes);
        } else if marked || opens {
            match reply(text, after).filter(|_| is_bare(text, after) || !self.tells_else(question, after)) {
                // "No cough, right?" "Right."
                _ if denies_itself(text, begin..piece.first) && agrees(text, after) => {
                    self.answer_question(&line[first..=at], Answer::No);
                }
                // "Any swelling? A little bit.", "Two, both at night."
                None if opens && marked && tells_some(text, after) => {
                    self.answer_question(question, Answer::Yes);
                }
                Some(answer) => {
                    let question = &line[first..=at];
                    self.answer_question(question, answer);
                    self.answer_parts(question, after);
                }
                None if self.answer_parts(question, after) => {}
                // "poor appetite? 0 1 2 3"
                None if marked && is_printed_scale(text, piece.last) => self.leave_possible(question),
                // "Any loose teeth? No. Dentures? Upper."
                None if self.is_told(line, from, at) => {
                    self.answer_question(question, Answer::Yes);
                }
                None if opens && !(marked && Self::is_answered(line, at)) => self.leave_possible(question),
                None => {}
            }
        }
    }

    /// Whether the next question of a line follows at once, so that one reply answers both: "Any rash? Any itch? Neither."
    fn is_chained(rest: &[Piece]) -> bool {
        let Some(end) = rest.iter().take(CHAINED).position(|piece| piece.kind == PieceKind::Question) else {
            return false;
        };
        let asked = |piece: &Piece| matches!(piece.kind, PieceKind::Term(_) | PieceKind::Comma | PieceKind::Other);
        rest[..end].iter().all(asked) && rest[..end].iter().any(|piece| matches!(piece.kind, PieceKind::Term(_)))
    }

    /// "Have you ever had gout?" asks for the past: "no" denies it at any time, "yes" leaves it there.
    pub(super) fn answer_question(&mut self, question: &[Piece], answer: Answer) {
        let text = self.text;
        let word = |piece: &Piece| if text.is_word(piece.first) { text.word(piece.first) } else { "" };
        // "Has the bleeding stopped?", "Are you free of pain?"
        let inverts = |piece: &Piece| means_cessation(word(piece)) || matches!(word(piece), "without" | "free");
        let answer = match answer {
            Answer::Yes if question.iter().any(inverts) => Answer::No,
            Answer::No if question.iter().any(inverts) => Answer::Yes,
            answer => answer,
        };
        let asked = self.given(question).unwrap_or_default();
        let question = if answer == Answer::No { &question[asked..] } else { question };
        // "Any nausea while on the morphine? No." leaves the morphine.
        let given =
            (1..question.len()).find(|&at| is_given(word(&question[at]), question.get(at + 1).map_or("", word)));
        let (question, given) = question.split_at(given.unwrap_or(question.len()));
        self.answer(question, answer);
        // "Any trouble with your asthma? No."
        if given.get(1).is_some_and(|piece| GIVEN.contains(&word(piece))) {
            self.answer(given, Answer::Yes);
        }
        let past = question.windows(2).any(|two| word(&two[0]) == "ever" && matches!(word(&two[1]), "had" | "have"));
        let history = question.iter().any(|piece| matches!(word(piece), "history" | "hx"));
        let terms = question.iter().filter_map(|piece| match piece.kind {
            PieceKind::Term(term) => Some(term),
            _ => None,
        });
        for term in terms {
            match answer {
                Answer::No if !history => self.out[term].remove(HISTORICAL),
                Answer::Yes if past || history => self.out[term].add(HISTORICAL, self.text.cues.text(Cues::past())),
                _ => {}
            }
        }
    }

    /// Where a question begins to ask, after what it takes as given: "Is the pain constant?", "Any change in the cough?"
    fn given(&self, question: &[Piece]) -> Option<usize> {
        let text = self.text;
        let word = |piece: &Piece| if text.is_word(piece.first) { text.word(piece.first) } else { "" };
        if question.iter().any(|piece| matches!(word(piece), "change" | "changes" | "worse" | "better")) {
            return Some(question.len());
        }
        let opener = |piece: &Piece| is_auxiliary(word(piece)) || word(piece) == "will";
        let verb = question.iter().position(opener)?;
        let term = verb + 1 + usize::from(question.get(verb + 1).is_some_and(|piece| GIVEN.contains(&word(piece))));
        let next = question.get(term + 1).filter(|next| next.kind == PieceKind::Other)?;
        // "Does aspirin help?", but "is she coughing?", "are there", "is the rash still there?"
        let named = term > verb + 1 || matches!(question[term].kind, PieceKind::Term(_));
        let asks = matches!(word(next), "still" | "there" | "back" | "or" | "and") || is_denied_by_not(word(next));
        (named && !asks && !means_cessation(word(next))).then_some(term + 1)
    }

    /// "? gout", "?gout": doubt, where the mark stands before its term.
    pub(super) fn doubts(&mut self, line: &[Piece]) {
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
                self.out[term].add(POSSIBLE, self.text.cues.text(Cues::question()));
                doubted = true;
            }
        }
    }

    /// "Mother: she doesn't have a rash": who speaks is not spoken of.
    pub(super) fn spoken(&mut self, line: &[Piece]) {
        let Some((first, last)) = line.first().zip(line.last()) else { return };
        let (text, end) = (self.text, last.last);
        let is_person = |at: usize| text.phrase(at, end).is_some_and(|hit| hit.role.person);
        let Some(turn) = after_speaker(text, first.first, end).filter(|_| is_person(first.first)) else { return };
        let talks = turn < end && text.is_word(turn) && TALKING.iter().any(|words| words.contains(&text.word(turn)));
        let asks = turn < end && opens_question(text, turn, end, false);
        if (talks || asks) && !(turn..end).any(is_person) {
            for piece in line {
                let PieceKind::Term(term) = piece.kind else { continue };
                self.out[term].remove(FAMILY);
            }
        }
    }

    /// "Asked about gout and vertigo: neither.", "When asked whether he has gout he shook his head.": a question that is told.
    pub(super) fn reported_question(&mut self, at: usize, terms: Range<usize>, end: usize) {
        let about = |at: &usize| matches!(self.word_at(*at), "about" | "for" | "re" | "regarding" | "whether" | "if");
        let Some(from) = (at + 1..end.min(at + 4)).find(about) else { return };
        let Some(first) = terms.clone().find(|&nth| self.terms[nth].first as usize > from) else { return };
        let Some(reply) =
            (self.terms[first].last as usize..end).find_map(|at| self.told(at, end).map(|told| (at, told)))
        else {
            return;
        };
        let (at, answer) = reply;
        for nth in first..terms.end {
            if self.terms[nth].last as usize <= at {
                self.answer_term(nth, answer);
            }
        }
    }

    /// The answer of somebody that is told at a word, if it is of what stands before.
    fn told(&self, at: usize, end: usize) -> Option<Answer> {
        let next = self.word_at(at + 1);
        let answer = match self.word_at(at) {
            "neither" | "none" | "denied" | "denies" | "no" | "nothing" => Answer::No,
            "shook" | "shakes" if self.word_at(at + 2) == "head" => Answer::No,
            "not" if is_auxiliary(self.word_at(at - 1)) && (at + 1 >= end || self.text.mark(at + 1) != 0) => Answer::No,
            "yes" | "nodded" | "nods" | "confirmed" | "affirmed" | "agreed" => Answer::Yes,
            _ => return None,
        };
        let ends =
            matches!(next, "to" | "his" | "her" | "and" | "that" | "either" | "it" | "this" | "them" | "both" | "all");
        let goes_on = self.text.is_word(at + 1) && !ends;
        (at + 1 >= end || !goes_on).then_some(answer)
    }

    /// Whether a word or number follows a short question, in a line in which others are answered.
    fn is_told(&self, line: &[Piece], from: usize, at: usize) -> bool {
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
        let open = |piece: &Piece| matches!(piece.kind, PieceKind::Term(_)) || is_open(self.word_at(piece.first));
        short && answered && end < 6 && !rest[..end].iter().any(open) && rest.first().is_some_and(told)
    }

    /// Whether an answer follows a question in its line.
    fn is_answered(line: &[Piece], at: usize) -> bool {
        let after = &line[at + 1..];
        !prompts(after) && after.iter().take(4).any(|piece| matches!(piece.kind, PieceKind::Answer(_)))
    }

    pub(super) fn leave_possible(&mut self, question: &[Piece]) {
        let asked = self.given(question).unwrap_or_default();
        for piece in &question[asked..] {
            let PieceKind::Term(term) = piece.kind else { continue };
            for place in (Status::NEGATED | Status::HYPOTHETICAL | Status::HISTORICAL).places() {
                self.out[term].remove(place);
            }
            if self.out[term].status.is_affirmed() {
                self.out[term].add(POSSIBLE, self.text.cues.text(Cues::question()));
            }
        }
    }
}
