//! Questions, and their answers in the same line or in the next turn.

use super::super::assertion::{NEGATED, POSSIBLE};
use super::super::cues::{CueMatcher, Cues};
use super::FormReader;
use super::pieces::{Answer, Piece, PieceKind, answer};
use crate::text::token::Gap;

/// Words with which a question begins.
const OPENERS: [&str; 14] =
    ["do", "does", "did", "have", "has", "had", "are", "is", "was", "were", "any", "ever", "anybody", "anyone"];
/// Who is asked or asked about, right after the verb: a question without its mark has one, "HPI: Had a fever" has none.
const ASKED: [&str; 12] =
    ["you", "he", "she", "it", "they", "there", "your", "his", "her", "their", "anyone", "anybody"];
/// Words that may stand before them, and before an answer.
const FILLERS: [&str; 20] = [
    "and", "so", "ok", "okay", "now", "hey", "hi", "please", "but", "uh", "um", "oh", "well", "hm", "hmm", "erm", "ah",
    "then", "also", "right",
];
const SUBJECTS: [&str; 8] = ["i", "he", "she", "it", "they", "there", "we", "not"];
const AFFIRMING: [&str; 12] = ["do", "does", "did", "have", "has", "had", "am", "is", "are", "was", "were", "sure"];
/// How many tokens of a turn may answer.
const TURN: usize = 6;
/// The longest label of a speaker, in tokens.
const SPEAKER: usize = 4;

/// Where a turn begins after the label of its speaker: `Doctor:`, `[patient]`.
fn after_speaker(text: CueMatcher<'_>, first: usize, end: usize) -> Option<usize> {
    if text.mark(first) == b'[' {
        return (first + 1..end.min(first + SPEAKER)).find(|&at| text.mark(at) == b']').map(|at| at + 1);
    }
    let colon = (first..end.min(first + SPEAKER)).find(|&at| text.mark(at) == b':')?;
    text.is_word(first).then_some(colon + 1)
}

fn skip_fillers(text: CueMatcher<'_>, mut at: usize, end: usize) -> usize {
    while at < end && (text.mark(at) == b',' || text.is_word(at) && FILLERS.contains(&text.word(at))) {
        at += 1;
    }
    at
}

/// Whether a turn or sentence begins like a question.
fn opens_question(text: CueMatcher<'_>, first: usize, end: usize, marked: bool) -> bool {
    let at = skip_fillers(text, first, end);
    let word = |at: usize| if at < end && text.is_word(at) { text.word(at) } else { "" };
    let (opener, next) = (word(at), word(at + 1));
    if marked {
        return OPENERS.contains(&opener) || opener == "no";
    }
    opener == "any" || OPENERS.contains(&opener) && (ASKED.contains(&next) || next == "any")
}

/// The answer with which a turn begins. Without the label of a speaker it must stand alone.
fn reply(text: CueMatcher<'_>, first: usize) -> Option<Answer> {
    let end = text.tokens.len();
    let speaker = after_speaker(text, first, end);
    let at = skip_fillers(text, speaker.unwrap_or(first), end);
    if let Some((found, last)) = answer(text, at) {
        let ends =
            last >= end || text.tokens[last].gap >= Gap::Line || matches!(text.mark(last), b',' | b'.' | b'!' | b';');
        return (speaker.is_some() || ends).then_some(found);
    }
    // "A little bit, yeah."
    let turn = (at..end.min(at + TURN)).take_while(|&at| text.tokens[at].gap < Gap::Line && text.mark(at) != b'.');
    let later = turn.filter_map(|at| answer(text, at)).map(|(answer, _)| answer).next();
    if speaker.is_some() && later == Some(Answer::Yes) {
        return later;
    }
    let new_turn = speaker.is_some() || text.tokens.get(first).is_some_and(|token| token.gap >= Gap::Line);
    if !new_turn || !text.is_word(at) || !SUBJECTS.contains(&text.word(at)) {
        return None;
    }
    let negated = (at..end.min(at + 4)).any(|at| text.is_word(at) && is_not(text.word(at)));
    let short = text.is_word(at + 1) && AFFIRMING.contains(&text.word(at + 1));
    if negated { Some(Answer::No) } else { (short && speaker.is_some()).then_some(Answer::Yes) }
}

fn is_not(word: &str) -> bool {
    word == "not" || word == "never" || word.ends_with("n't")
}

impl FormReader<'_> {
    /// Answers the questions of a line by what follows; a question without an answer leaves its terms possible.
    pub(super) fn questions(&mut self, line: &[Piece], has_answer: bool) {
        let Some((&first, &last)) = line.first().zip(line.last()) else { return };
        let (text, end) = (self.text, last.last);
        let speaker = after_speaker(text, first.first, end);
        // How many full stops end a turn makes no difference.
        let stops = line.iter().rev().take_while(|piece| text.mark(piece.first) == b'.').count();
        let asked = line.len() - stops;
        let mut from = 0;
        for at in 0..asked {
            let piece = line[at];
            let is_last = at + 1 == asked;
            let asks = piece.kind == PieceKind::Question || is_last && speaker.is_some() && !has_answer;
            if !asks {
                if matches!(piece.kind, PieceKind::Stop) && text.mark(piece.first) != b'/' {
                    from = at + 1;
                }
                continue;
            }
            let begin = line[from].first;
            let begin = speaker.filter(|&turn| from == 0 || begin < turn).unwrap_or(begin);
            let marked = piece.kind == PieceKind::Question;
            let opens = opens_question(text, begin, end, marked);
            let question = &line[from..=at];
            if marked || opens {
                match reply(text, if is_last { end } else { piece.last }) {
                    Some(answer) => self.answer(question, answer),
                    None if opens && !(marked && Self::is_answered(line, at)) => self.leave_possible(question),
                    None => {}
                }
            }
            from = at + 1;
        }
    }

    /// Whether an answer follows a question in its line.
    fn is_answered(line: &[Piece], at: usize) -> bool {
        line[at + 1..].iter().take(4).any(|piece| matches!(piece.kind, PieceKind::Answer(_)))
    }

    fn leave_possible(&mut self, question: &[Piece]) {
        for piece in question {
            let PieceKind::Term(term) = piece.kind else { continue };
            self.out[term].remove(NEGATED);
            if self.out[term].status.is_affirmed() {
                self.out[term].add(POSSIBLE, self.text.cues.text(Cues::question()));
            }
        }
    }
}
