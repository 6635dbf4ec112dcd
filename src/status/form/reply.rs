//! The reply to a question: in its line, in the next line, or in the next turn of a conversation.

use super::super::cues::CueMatcher;
use super::kinds::{Answer, answer};
use crate::text::token::{Gap, Kind};

/// Words that may stand before a question or an answer.
pub(super) const FILLERS: [&str; 20] = [
    "and", "so", "ok", "okay", "now", "hey", "hi", "please", "but", "uh", "um", "oh", "well", "hm", "hmm", "erm", "ah",
    "then", "also", "right",
];
/// Words with which a sentence that replies begins.
pub(super) const SUBJECTS: [&str; 7] = ["i", "he", "she", "it", "they", "there", "we"];
const AFFIRMING: [&str; 12] = ["do", "does", "did", "have", "has", "had", "am", "is", "are", "was", "were", "sure"];
/// Words after "not" with which nothing is denied.
const UNSURE: [&str; 6] = ["sure", "certain", "always", "only", "just", "often"];
/// Words with which somebody says that it is so at times.
const SOME: [&str; 7] = ["sometimes", "occasionally", "usually", "often", "always", "just", "only"];
/// Words after an answer that address who asked.
const POLITE: [&str; 7] = ["ma'am", "maam", "sir", "doctor", "doc", "thanks", "thank"];
/// How many tokens of a turn may answer.
const TURN: usize = 6;
/// Who answers: whatever a turn of theirs tells, if it neither denies nor doubts, affirms what was asked.
const ANSWERERS: [&str; 16] = [
    "patient",
    "pt",
    "p",
    "a",
    "ans",
    "answer",
    "caller",
    "client",
    "participant",
    "parent",
    "mother",
    "mom",
    "father",
    "dad",
    "wife",
    "husband",
];
/// Words of an answer that leaves a question open.
const OPEN: [&str; 16] = [
    "know", "say", "tell", "sure", "maybe", "guess", "unsure", "perhaps", "possibly", "unknown", "blank", "remember",
    "what", "why", "how", "unclear",
];
/// Words after "not" with which an answer is missing.
const MISSING: [&str; 11] = [
    "recorded",
    "documented",
    "asked",
    "answered",
    "applicable",
    "assessed",
    "given",
    "done",
    "tested",
    "checked",
    "performed",
];
/// How often something is, which affirms it.
const HOW_OFTEN: [&str; 8] = ["all", "every", "daily", "most", "weekly", "twice", "constantly", "several"];
/// Verbs after which somebody's answer is told.
const TELLS: [&str; 11] = [
    "answered",
    "answers",
    "replied",
    "replies",
    "responded",
    "responds",
    "said",
    "says",
    "states",
    "stated",
    "reports",
];
/// The longest legend of a scale, in tokens.
const LEGEND: usize = 16;
/// The longest label of a speaker, in tokens.
const SPEAKER: usize = 4;

/// Whether a word names somebody who asks.
fn asks(word: &str) -> bool {
    matches!(word, "dr" | "doctor" | "gp" | "nurse" | "mr" | "mrs" | "ms" | "q")
}

/// Where a turn begins after the label of its speaker: `Doctor:`, `[patient]`.
pub(super) fn after_speaker(text: CueMatcher<'_>, first: usize, end: usize) -> Option<usize> {
    if text.mark(first) == b'[' {
        return (first + 1..end.min(first + SPEAKER)).find(|&at| text.mark(at) == b']').map(|at| at + 1);
    }
    // "A. Every morning."
    if text.is_word(first) && matches!(text.word(first), "a" | "ans") && text.mark(first + 1) == b'.' {
        return Some(first + 2);
    }
    // "Pt. — Never.", "GP - Any pain?"
    let speaks = text.is_word(first) && (ANSWERERS[..4].contains(&text.word(first)) || asks(text.word(first)));
    let dash = |at: &usize| text.tokens[*at].gap != Gap::None && matches!(text.word(*at), "-" | "–" | "—");
    if let Some(dash) = (first + 1..end.min(first + SPEAKER)).find(dash).filter(|_| speaks) {
        return Some(dash + 1);
    }
    let colon = (first..end.min(first + SPEAKER)).find(|&at| text.mark(at) == b':')?;
    text.is_word(first).then_some(colon + 1)
}

pub(super) fn skip_fillers(text: CueMatcher<'_>, mut at: usize, end: usize) -> usize {
    while at < end && (text.mark(at) == b',' || text.is_word(at) && FILLERS.contains(&text.word(at))) {
        at += 1;
    }
    at
}

/// Skips what points to an answer: `- no`, `>> none`, `→ yes`.
pub(super) fn skip_pointers(text: CueMatcher<'_>, mut at: usize, end: usize) -> usize {
    let points = |at: usize| {
        matches!(text.mark(at), b'-' | b'>' | b'*' | b';' | b'|' | b',' | b'"' | b'\'')
            || matches!(text.word(at), "→" | "–" | "—" | "“" | "‘")
    };
    while at < end && points(at) {
        at += 1;
    }
    at
}

/// "Uh-uh", "mm-hmm".
fn murmur(text: CueMatcher<'_>, at: usize) -> Option<Answer> {
    let word = |at: usize| if at < text.tokens.len() && text.is_word(at) { text.word(at) } else { "" };
    let parts = if text.mark(at + 1) == b'-' { (word(at), word(at + 2)) } else { (word(at), "") };
    match parts {
        ("uh" | "nuh", "uh") => Some(Answer::No),
        ("uh" | "mm" | "mhm", "huh" | "hmm" | "hm") | ("mhm" | "mmhmm", "") => Some(Answer::Yes),
        _ => None,
    }
}

/// "Cough? +   Fever? -"
fn lone_sign(text: CueMatcher<'_>, at: usize) -> Option<Answer> {
    let alone =
        text.tokens.get(at + 1).is_none_or(|next| next.gap >= Gap::Wide) || matches!(text.mark(at + 1), b',' | b'.');
    let answer = match text.mark(at) {
        b'+' => Answer::Yes,
        b'-' => Answer::No,
        _ => return None,
    };
    alone.then_some(answer)
}

/// Whether an answer is the first of a printed scale: "Not at all    Several days    Most days".
fn is_printed(text: CueMatcher<'_>, last: usize) -> bool {
    let wide = text.tokens.get(last).is_some_and(|next| next.gap == Gap::Wide);
    let grade = ["several", "some", "sometimes", "rarely", "often", "mild", "slight", "a", "occasionally", "most"];
    wide && text.is_word(last) && grade.contains(&text.word(last))
}

/// "Pt answered no", "she says that she has not".
fn told(text: CueMatcher<'_>, first: usize) -> Option<Answer> {
    let end = text.tokens.len();
    let word = |at: usize| if at < end && text.is_word(at) { text.word(at) } else { "" };
    let verb = (first..first + 3).find(|&at| TELLS.contains(&word(at)))?;
    let turn = verb + 1..end.min(verb + TURN);
    turn.take_while(|&at| text.tokens[at].gap < Gap::Line && text.mark(at) != b'.')
        .find_map(|at| answer(text, at).map(|(answer, _)| answer).or_else(|| is_not(word(at)).then_some(Answer::No)))
}

/// The answer with which a turn begins. In another line, without the label of a speaker, it must stand alone or be a sentence.
pub(super) fn reply(text: CueMatcher<'_>, first: usize) -> Option<Answer> {
    let end = text.tokens.len();
    let speaker = after_speaker(text, first, end);
    let turn = skip_pointers(text, speaker.unwrap_or(first), end);
    if let Some(answer) = murmur(text, turn).or_else(|| lone_sign(text, speaker.unwrap_or(first))) {
        return Some(answer);
    }
    // "(0 = none, 3 = severe)  2"
    let legend = (turn..end.min(turn + LEGEND))
        .find(|&at| text.mark(at) == b')')
        .filter(|&close| text.mark(turn) == b'(' && (turn..close).any(|at| text.mark(at) == b'='));
    let turn = legend.map_or(turn, |close| close + 1);
    let at = skip_fillers(text, turn, end);
    let breaks = |at: usize| text.tokens.get(at).is_none_or(|token| token.gap >= Gap::Line);
    // In the line of the question, or in a turn of its own.
    let addressed = speaker.is_some() || !(first..=at).any(breaks);
    // "Yes / No" is no answer.
    let slash = |at: usize| text.mark(at) == b'/' && answer(text, at + 1).is_none();
    let polite = |at: usize| text.is_word(at) && POLITE.contains(&text.word(at));
    let over = |at: usize| {
        breaks(at)
            || slash(at)
            || polite(at)
            || matches!(text.mark(at), b',' | b'.' | b'!' | b';' | b'(' | b'"' | b'\'')
    };
    let word = |at: usize| if text.is_word(at) { text.word(at) } else { "" };
    // "X Not at all    Several days"
    let crossed = word(at) == "x" && answer(text, at + 1).is_some();
    let at = at + usize::from(crossed || word(at) == "all" && answer(text, at + 1).is_some());
    if let Some((found, last)) = answer(text, at) {
        if !crossed && is_printed(text, last) {
            return None;
        }
        if is_repeated(text, at, last) {
            return Some(found);
        }
        // "Never had any."
        let denies = matches!(word(at), "never" | "none" | "nothing");
        let nobody = word(at) == "no" && word(last) == "one";
        return (speaker.is_some() || over(last) || addressed && (denies || nobody)).then_some(found);
    }
    if let Some(found) = first_word(text, at, addressed, legend.is_some()) {
        return found.answer();
    }
    let found = sentence(text, at, addressed).or_else(|| told(text, at).filter(|_| addressed));
    found.or_else(|| (speaker.is_some() && tells(text, first, at)).then_some(Answer::Yes))
}

/// What the first word of a reply says.
enum FirstWord {
    Answers(Answer),
    /// It leaves the question open.
    LeavesOpen,
}

impl FirstWord {
    const fn answer(self) -> Option<Answer> {
        match self {
            Self::Answers(answer) => Some(answer),
            Self::LeavesOpen => None,
        }
    }
}

/// What the first word of a reply says that is no answer by itself.
fn first_word(text: CueMatcher<'_>, at: usize, addressed: bool, legend: bool) -> Option<FirstWord> {
    use FirstWord::{Answers, LeavesOpen};
    let end = text.tokens.len();
    let word = |at: usize| if at < end && text.is_word(at) { text.word(at) } else { "" };
    // How many full stops end a turn makes no difference.
    let ends = |at: usize| {
        let stops = (at..end).take_while(|&at| text.mark(at) == b'.').count();
        text.tokens.get(at + stops).is_none_or(|token| token.gap >= Gap::Line)
    };
    match word(at) {
        letter @ ("n" | "y") if addressed && ends(at + 1) => {
            Some(Answers(if letter == "n" { Answer::No } else { Answer::Yes }))
        }
        "not" if MISSING.contains(&word(at + 1)) => Some(LeavesOpen),
        "not" if UNSURE.contains(&word(at + 1)) => Some(LeavesOpen),
        "not" => Some(Answers(Answer::No)),
        "neither" | "zero" | "nobody" if addressed || ends(at + 1) || ends(at + 2) => Some(Answers(Answer::No)),
        "rarely" if addressed && word(at + 2) == "never" => Some(Answers(Answer::No)),
        some if addressed && SOME.contains(&some) => Some(Answers(Answer::Yes)),
        often if addressed && HOW_OFTEN.contains(&often) && word(at + 1) != "to" => Some(Answers(Answer::Yes)),
        // "0 Not at all" of a scale, which "0 1 2 3" only prints.
        "" if at < end && text.tokens[at].kind == Kind::Number && text.word(at) == "0" => {
            let printed = text.tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Number);
            Some(if printed { LeavesOpen } else { Answers(Answer::No) })
        }
        "" if legend && at < end && text.tokens[at].kind == Kind::Number => Some(Answers(Answer::Yes)),
        _ => None,
    }
}

/// Whether a word leaves a question open: "hard to say", "same", "not done".
pub(super) fn is_open(word: &str) -> bool {
    OPEN.contains(&word) || MISSING.contains(&word) || matches!(word, "ask" | "same" | "not")
}

/// Whether a reply begins with an answer, and no sentence has to be read for it.
pub(super) fn is_bare(text: CueMatcher<'_>, first: usize) -> bool {
    let end = text.tokens.len();
    let own = after_speaker(text, first, end).unwrap_or(first);
    let turn = skip_pointers(text, own, end);
    let at = skip_fillers(text, turn, end);
    let found = answer(text, at).map(|(answer, _)| answer);
    found.or_else(|| murmur(text, turn)).or_else(|| lone_sign(text, own)).or_else(|| told(text, at)).is_some()
}

/// "no no just the leg", "No to all": an answer for all that is asked.
fn is_repeated(text: CueMatcher<'_>, at: usize, last: usize) -> bool {
    let word = |at: usize| if text.is_word(at) { text.word(at) } else { "" };
    word(last + usize::from(word(last) == "and")) == word(at)
        || matches!(word(last), "to" | "for") && matches!(word(last + 1), "all" | "both" | "each")
}

/// Whether a turn of somebody who is asked tells something: "All the time, doc."
fn tells(text: CueMatcher<'_>, first: usize, turn: usize) -> bool {
    let end = text.tokens.len();
    let label = first + usize::from(text.mark(first) == b'[');
    let asked = label < end && text.is_word(label) && ANSWERERS.contains(&text.word(label));
    let line = (turn..end).take_while(|&at| at == turn || text.tokens[at].gap < Gap::Line);
    let open = |at: usize| text.mark(at) == b'?' || text.is_word(at) && OPEN.contains(&text.word(at));
    asked && turn < end && text.tokens[turn].gap < Gap::Line && text.is_word(turn) && !line.into_iter().any(open)
}

/// The answer that a sentence gives: "A little bit, yeah.", "I think so.", "I haven't noticed any."
fn sentence(text: CueMatcher<'_>, first: usize, addressed: bool) -> Option<Answer> {
    let end = text.tokens.len();
    let word = |at: usize| if at < end && text.is_word(at) { text.word(at) } else { "" };
    let goes_on = |at: usize| at == first || text.tokens[at].gap < Gap::Line && !matches!(text.mark(at), b'.' | b'?');
    let turn: Vec<usize> = (first..end.min(first + TURN)).take_while(|&at| goes_on(at)).collect();
    // "(Y/N)" is what may be answered.
    let printed = |at: usize| matches!(text.mark(at + 1), b'/' | b'_') || at > 0 && text.mark(at - 1) == b'/';
    if let Some(&at) = turn.iter().find(|&&at| word(at) == "head") {
        let shakes = turn.iter().any(|&at| matches!(word(at), "shakes" | "shook" | "shaking"));
        return (addressed && at > first && shakes).then_some(Answer::No);
    }
    let later = turn.iter().filter(|&&at| !printed(at)).find_map(|&at| answer(text, at)).map(|(answer, _)| answer);
    let denied = turn.iter().take(4).any(|&at| is_not(word(at)));
    let agrees = turn.windows(2).any(|two| word(two[0]) == "think" && word(two[1]) == "so");
    if addressed && !denied && (later == Some(Answer::Yes) || agrees) {
        return Some(Answer::Yes);
    }
    // "I don't know."
    let said = (first..end.min(first + 3 * TURN)).take_while(|&at| at == first || text.tokens[at].gap < Gap::Line);
    if said.into_iter().any(|at| is_not(word(at)) && OPEN.contains(&word(at + 1))) {
        return None;
    }
    // "Haven't had one in weeks."
    if addressed && word(first).ends_with("n't") {
        return Some(Answer::No);
    }
    // "I'd never."
    let subject = word(first).split('\'').next().unwrap_or_default();
    if !SUBJECTS.contains(&subject) {
        return None;
    }
    if denied {
        return Some(Answer::No);
    }
    // "I do."
    let whole = word(first) == "i" && (first + 2 >= end || !goes_on(first + 2));
    ((addressed || whole) && AFFIRMING.contains(&word(first + 1))).then_some(Answer::Yes)
}

pub(super) fn is_not(word: &str) -> bool {
    word == "not" || word == "never" || word.ends_with("n't")
}
