//! The reply to a question: on the same line, on the next, or in the next turn of a conversation.

use super::super::cues::CueMatcher;
use super::kinds::{Answer, parse_answer};
use crate::text::token::{Gap, Kind};
use crate::text::words_of_file;

/// Words that may precede a question or an answer.
pub(super) const REPLY_FILLERS: [&str; 20] = [
    "and", "so", "ok", "okay", "now", "hey", "hi", "please", "but", "uh", "um", "oh", "well", "hm", "hmm", "erm", "ah",
    "then", "also", "right",
];
/// Words that begin a sentence in reply.
pub(super) const REPLY_SUBJECTS: [&str; 7] = ["i", "he", "she", "it", "they", "there", "we"];
const AFFIRMING_AUXILIARIES: [&str; 12] =
    ["do", "does", "did", "have", "has", "had", "am", "is", "are", "was", "were", "sure"];
/// Words after "not" that keep it from negating.
const NON_DENYING_AFTER_NOT: [&str; 6] = ["sure", "certain", "always", "only", "just", "often"];
/// Words that affirm in part.
const PARTIAL_AFFIRMATIONS: [&str; 7] = ["sometimes", "occasionally", "usually", "often", "always", "just", "only"];
/// Words after an answer that address the asker.
const FORMS_OF_ADDRESS: [&str; 7] = ["ma'am", "maam", "sir", "doctor", "doc", "thanks", "thank"];
/// The maximum number of tokens of a turn that are searched for an answer.
const MAX_REPLY_TOKENS: usize = 6;
/// Labels of speakers who answer; their turn affirms the question unless it negates or expresses doubt.
const ANSWERER_LABELS: &[&str] = words_of_file!("../words/answerer-labels.txt");
/// Words of a reply that leaves the question open.
const WORDS_LEAVING_OPEN: [&str; 16] = [
    "know", "say", "tell", "sure", "maybe", "guess", "unsure", "perhaps", "possibly", "unknown", "blank", "remember",
    "what", "why", "how", "unclear",
];
/// Words after "not" that report a missing answer.
const MISSING_AFTER_NOT: &[&str] = words_of_file!("../words/missing-after-not.txt");
/// Words of frequency, which affirm.
const FREQUENCY_WORDS: [&str; 8] = ["all", "every", "daily", "most", "weekly", "twice", "constantly", "several"];
/// Verbs that report an answer.
const REPORTING_VERBS: &[&str] = words_of_file!("../words/reporting-verbs.txt");
/// The maximum length of the legend of a scale, in tokens.
const MAX_LEGEND_TOKENS: usize = 16;
/// The maximum length of a speaker label, in tokens.
const MAX_SPEAKER_TOKENS: usize = 4;

/// Returns whether a word names a speaker who asks.
fn is_asker_label(word: &str) -> bool {
    matches!(word, "dr" | "doctor" | "gp" | "nurse" | "mr" | "mrs" | "ms" | "q")
}

/// Returns the start of a turn after its speaker label: `Doctor:`, `[patient]`.
pub(super) fn end_of_speaker_label(text: CueMatcher<'_>, first: usize, end: usize) -> Option<usize> {
    if text.mark_at(first) == b'[' {
        return (first + 1..end.min(first + MAX_SPEAKER_TOKENS)).find(|&at| text.mark_at(at) == b']').map(|at| at + 1);
    }
    // "A. Every morning."
    if text.is_word_at(first) && matches!(text.folded_text(first), "a" | "ans") && text.mark_at(first + 1) == b'.' {
        return Some(first + 2);
    }
    // "Pt. — Never.", "GP - Any pain?"
    let speaks = text.is_word_at(first)
        && (ANSWERER_LABELS[..4].contains(&text.folded_text(first)) || is_asker_label(text.folded_text(first)));
    let dash = |at: &usize| text.tokens[*at].gap != Gap::None && matches!(text.folded_text(*at), "-" | "–" | "—");
    if let Some(dash) = (first + 1..end.min(first + MAX_SPEAKER_TOKENS)).find(dash).filter(|_| speaks) {
        return Some(dash + 1);
    }
    let colon = (first..end.min(first + MAX_SPEAKER_TOKENS)).find(|&at| text.mark_at(at) == b':')?;
    text.is_word_at(first).then_some(colon + 1)
}

pub(super) fn skip_fillers(text: CueMatcher<'_>, mut at: usize, end: usize) -> usize {
    while at < end && (text.mark_at(at) == b',' || text.is_word_at(at) && REPLY_FILLERS.contains(&text.folded_text(at)))
    {
        at += 1;
    }
    at
}

/// Skips marks that point to an answer: `- no`, `>> none`, `→ yes`.
pub(super) fn skip_pointers(text: CueMatcher<'_>, mut at: usize, end: usize) -> usize {
    let points = |at: usize| {
        matches!(text.mark_at(at), b'-' | b'>' | b'*' | b';' | b'|' | b',' | b'"' | b'\'')
            || matches!(text.folded_text(at), "→" | "–" | "—" | "“" | "‘")
    };
    while at < end && points(at) {
        at += 1;
    }
    at
}

/// Returns the answer of an interjection: "Uh-uh", "mm-hmm".
fn answer_of_murmur(text: CueMatcher<'_>, at: usize) -> Option<Answer> {
    let word = |at: usize| if at < text.tokens.len() && text.is_word_at(at) { text.folded_text(at) } else { "" };
    let parts = if text.mark_at(at + 1) == b'-' { (word(at), word(at + 2)) } else { (word(at), "") };
    match parts {
        ("uh" | "nuh", "uh") => Some(Answer::No),
        ("uh" | "mm" | "mhm", "huh" | "hmm" | "hm") | ("mhm" | "mmhmm", "") => Some(Answer::Yes),
        _ => None,
    }
}

/// Returns the answer of a sign that stands alone: "Cough? +   Fever? -".
fn answer_of_lone_sign(text: CueMatcher<'_>, at: usize) -> Option<Answer> {
    let alone =
        text.tokens.get(at + 1).is_none_or(|next| next.gap >= Gap::Wide) || matches!(text.mark_at(at + 1), b',' | b'.');
    let answer = match text.mark_at(at) {
        b'+' => Answer::Yes,
        b'-' => Answer::No,
        _ => return None,
    };
    alone.then_some(answer)
}

/// Returns whether an answer is the first of a printed scale: "Not at all    Several days    Most days".
fn begins_printed_scale(text: CueMatcher<'_>, last: usize) -> bool {
    let wide = text.tokens.get(last).is_some_and(|next| next.gap == Gap::Wide);
    let grade = ["several", "some", "sometimes", "rarely", "often", "mild", "slight", "a", "occasionally", "most"];
    wide && text.is_word_at(last) && grade.contains(&text.folded_text(last))
}

/// Returns the answer in reported speech: "Pt answered no", "she says that she has not".
fn reported_answer(text: CueMatcher<'_>, first: usize) -> Option<Answer> {
    let end = text.tokens.len();
    let word = |at: usize| if at < end && text.is_word_at(at) { text.folded_text(at) } else { "" };
    let verb = (first..first + 3).find(|&at| REPORTING_VERBS.contains(&word(at)))?;
    let turn = verb + 1..end.min(verb + MAX_REPLY_TOKENS);
    turn.take_while(|&at| text.tokens[at].gap < Gap::Line && text.mark_at(at) != b'.').find_map(|at| {
        parse_answer(text, at).map(|(answer, _)| answer).or_else(|| is_negating_word(word(at)).then_some(Answer::No))
    })
}

/// Returns the answer that begins a turn. On another line without a speaker label, it must stand alone or be a
/// sentence.
pub(super) fn parse_reply(text: CueMatcher<'_>, first: usize) -> Option<Answer> {
    let end = text.tokens.len();
    let speaker = end_of_speaker_label(text, first, end);
    let turn = skip_pointers(text, speaker.unwrap_or(first), end);
    if let Some(answer) = answer_of_murmur(text, turn).or_else(|| answer_of_lone_sign(text, speaker.unwrap_or(first))) {
        return Some(answer);
    }
    // "(0 = none, 3 = severe)  2"
    let legend = (turn..end.min(turn + MAX_LEGEND_TOKENS))
        .find(|&at| text.mark_at(at) == b')')
        .filter(|&close| text.mark_at(turn) == b'(' && (turn..close).any(|at| text.mark_at(at) == b'='));
    let turn = legend.map_or(turn, |close| close + 1);
    let at = skip_fillers(text, turn, end);
    let breaks = |at: usize| text.tokens.get(at).is_none_or(|token| token.gap >= Gap::Line);
    // On the line of the question, or in a turn of its own.
    let addressed = speaker.is_some() || !(first..=at).any(breaks);
    // "Yes / No" is not an answer.
    let slash = |at: usize| text.mark_at(at) == b'/' && parse_answer(text, at + 1).is_none();
    let polite = |at: usize| text.is_word_at(at) && FORMS_OF_ADDRESS.contains(&text.folded_text(at));
    let over = |at: usize| {
        breaks(at)
            || slash(at)
            || polite(at)
            || matches!(text.mark_at(at), b',' | b'.' | b'!' | b';' | b'(' | b'"' | b'\'')
    };
    let word = |at: usize| if text.is_word_at(at) { text.folded_text(at) } else { "" };
    // "X Not at all    Several days"
    let crossed = word(at) == "x" && parse_answer(text, at + 1).is_some();
    let at = at + usize::from(crossed || word(at) == "all" && parse_answer(text, at + 1).is_some());
    if let Some((found, last)) = parse_answer(text, at) {
        if !crossed && begins_printed_scale(text, last) {
            return None;
        }
        if is_answer_to_all(text, at, last) {
            return Some(found);
        }
        // "Never had any."
        let denies = matches!(word(at), "never" | "none" | "nothing");
        let nobody = word(at) == "no" && word(last) == "one";
        return (speaker.is_some() || over(last) || addressed && (denies || nobody)).then_some(found);
    }
    if let Some(found) = meaning_of_first_word(text, at, addressed, legend.is_some()) {
        return found.decided_answer();
    }
    let found = answer_of_sentence(text, at, addressed).or_else(|| reported_answer(text, at).filter(|_| addressed));
    found.or_else(|| (speaker.is_some() && answerer_tells_something(text, first, at)).then_some(Answer::Yes))
}

/// The meaning of the first word of a reply.
enum FirstWord {
    Answers(Answer),
    /// It leaves the question open.
    LeavesOpen,
}

impl FirstWord {
    const fn decided_answer(self) -> Option<Answer> {
        match self {
            Self::Answers(answer) => Some(answer),
            Self::LeavesOpen => None,
        }
    }
}

/// Returns the meaning of a first word that is not an answer by itself.
fn meaning_of_first_word(text: CueMatcher<'_>, at: usize, addressed: bool, legend: bool) -> Option<FirstWord> {
    use FirstWord::{Answers, LeavesOpen};
    let end = text.tokens.len();
    let word = |at: usize| if at < end && text.is_word_at(at) { text.folded_text(at) } else { "" };
    // The number of full stops at the end of a turn does not matter.
    let ends = |at: usize| {
        let stops = (at..end).take_while(|&at| text.mark_at(at) == b'.').count();
        text.tokens.get(at + stops).is_none_or(|token| token.gap >= Gap::Line)
    };
    match word(at) {
        letter @ ("n" | "y") if addressed && ends(at + 1) => {
            Some(Answers(if letter == "n" { Answer::No } else { Answer::Yes }))
        }
        "not" if MISSING_AFTER_NOT.contains(&word(at + 1)) => Some(LeavesOpen),
        "not" if NON_DENYING_AFTER_NOT.contains(&word(at + 1)) => Some(LeavesOpen),
        "not" => Some(Answers(Answer::No)),
        "neither" | "zero" | "nobody" if addressed || ends(at + 1) || ends(at + 2) => Some(Answers(Answer::No)),
        "rarely" if addressed && word(at + 2) == "never" => Some(Answers(Answer::No)),
        some if addressed && PARTIAL_AFFIRMATIONS.contains(&some) => Some(Answers(Answer::Yes)),
        often if addressed && FREQUENCY_WORDS.contains(&often) && word(at + 1) != "to" => Some(Answers(Answer::Yes)),
        // "0 Not at all" is an answer on a scale; "0 1 2 3" is the printed scale.
        "" if at < end && text.tokens[at].kind == Kind::Number && text.folded_text(at) == "0" => {
            let printed = text.tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Number);
            Some(if printed { LeavesOpen } else { Answers(Answer::No) })
        }
        "" if legend && at < end && text.tokens[at].kind == Kind::Number => Some(Answers(Answer::Yes)),
        _ => None,
    }
}

/// Returns whether a word leaves a question open: "hard to say", "same", "not done".
pub(super) fn leaves_question_open(word: &str) -> bool {
    WORDS_LEAVING_OPEN.contains(&word) || MISSING_AFTER_NOT.contains(&word) || matches!(word, "ask" | "same" | "not")
}

/// Returns whether a reply begins with an answer, so that its sentences need not be searched.
pub(super) fn is_direct_answer(text: CueMatcher<'_>, first: usize) -> bool {
    let end = text.tokens.len();
    let own = end_of_speaker_label(text, first, end).unwrap_or(first);
    let turn = skip_pointers(text, own, end);
    let at = skip_fillers(text, turn, end);
    let found = parse_answer(text, at).map(|(answer, _)| answer);
    found
        .or_else(|| answer_of_murmur(text, turn))
        .or_else(|| answer_of_lone_sign(text, own))
        .or_else(|| reported_answer(text, at))
        .is_some()
}

/// Returns whether an answer applies to everything that was asked: "no no just the leg", "No to all".
fn is_answer_to_all(text: CueMatcher<'_>, at: usize, last: usize) -> bool {
    let word = |at: usize| if text.is_word_at(at) { text.folded_text(at) } else { "" };
    word(last + usize::from(word(last) == "and")) == word(at)
        || matches!(word(last), "to" | "for") && matches!(word(last + 1), "all" | "both" | "each")
}

/// Returns whether the turn of an answering speaker is a statement: "All the time, doc."
fn answerer_tells_something(text: CueMatcher<'_>, first: usize, turn: usize) -> bool {
    let end = text.tokens.len();
    let label = first + usize::from(text.mark_at(first) == b'[');
    let asked = label < end && text.is_word_at(label) && ANSWERER_LABELS.contains(&text.folded_text(label));
    let line = (turn..end).take_while(|&at| at == turn || text.tokens[at].gap < Gap::Line);
    let open = |at: usize| {
        text.mark_at(at) == b'?' || text.is_word_at(at) && WORDS_LEAVING_OPEN.contains(&text.folded_text(at))
    };
    asked && turn < end && text.tokens[turn].gap < Gap::Line && text.is_word_at(turn) && !line.into_iter().any(open)
}

/// Returns the answer that a sentence implies: "A little bit, yeah.", "I think so.", "I haven't noticed any."
fn answer_of_sentence(text: CueMatcher<'_>, first: usize, addressed: bool) -> Option<Answer> {
    let end = text.tokens.len();
    let word = |at: usize| if at < end && text.is_word_at(at) { text.folded_text(at) } else { "" };
    let goes_on =
        |at: usize| at == first || text.tokens[at].gap < Gap::Line && !matches!(text.mark_at(at), b'.' | b'?');
    let turn: Vec<usize> = (first..end.min(first + MAX_REPLY_TOKENS)).take_while(|&at| goes_on(at)).collect();
    // "(Y/N)" is a prompt.
    let printed = |at: usize| matches!(text.mark_at(at + 1), b'/' | b'_') || at > 0 && text.mark_at(at - 1) == b'/';
    if let Some(&at) = turn.iter().find(|&&at| word(at) == "head") {
        let shakes = turn.iter().any(|&at| matches!(word(at), "shakes" | "shook" | "shaking"));
        return (addressed && at > first && shakes).then_some(Answer::No);
    }
    let later =
        turn.iter().filter(|&&at| !printed(at)).find_map(|&at| parse_answer(text, at)).map(|(answer, _)| answer);
    let denied = turn.iter().take(4).any(|&at| is_negating_word(word(at)));
    let agrees = turn.windows(2).any(|two| word(two[0]) == "think" && word(two[1]) == "so");
    if addressed && !denied && (later == Some(Answer::Yes) || agrees) {
        return Some(Answer::Yes);
    }
    // "I don't know."
    let said =
        (first..end.min(first + 3 * MAX_REPLY_TOKENS)).take_while(|&at| at == first || text.tokens[at].gap < Gap::Line);
    if said.into_iter().any(|at| is_negating_word(word(at)) && WORDS_LEAVING_OPEN.contains(&word(at + 1))) {
        return None;
    }
    // "Haven't had one in weeks."
    if addressed && word(first).ends_with("n't") {
        return Some(Answer::No);
    }
    // "I'd never."
    let subject = word(first).split('\'').next().unwrap_or_default();
    if !REPLY_SUBJECTS.contains(&subject) {
        return None;
    }
    if denied {
        return Some(Answer::No);
    }
    // "I do."
    let whole = word(first) == "i" && (first + 2 >= end || !goes_on(first + 2));
    ((addressed || whole) && AFFIRMING_AUXILIARIES.contains(&word(first + 1))).then_some(Answer::Yes)
}

pub(super) fn is_negating_word(word: &str) -> bool {
    word == "not" || word == "never" || word.ends_with("n't")
}
