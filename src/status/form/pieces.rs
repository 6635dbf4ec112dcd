//! A line of a form as pieces: terms, boxes, signs, answers and separators.

use super::super::cues::CueMatcher;
use super::marks::{Shapes, sign};
use crate::terms::Match;
use crate::text::token::{Case, Gap};

/// The answer to a question, or the state of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Yes,
    No,
}

/// What a piece of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// A term, by its place among those of the note.
    Term(usize),
    /// A box: checked, empty, or crossed out.
    Box(Answer),
    /// A plus or minus without brackets.
    Sign(Answer),
    /// A word that answers, and a box with an answer in it: `[N]`.
    Answer(Answer),
    Circled(Answer),
    /// One of several answers in brackets with a check mark in it: `[Y] [N✓]`.
    Checked(Answer),
    /// The empty-set sign or the number: "Ø fever", "tremor 0".
    Zero,
    /// Between a label and its value: a colon, a dash, dots, an equals sign.
    Separator,
    /// A vertical bar, which separates cells.
    Bar,
    Question,
    /// Where an answer would be written: "____".
    Blank,
    /// Ends an item: a comma, and what ends more than a comma does.
    Comma,
    Stop,
    /// A word by which the item negates itself: "[x] denies cough".
    Negation,
    Other,
}

/// A piece of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) kind: PieceKind,
    /// Its first token, and one past its last.
    pub(super) first: usize,
    pub(super) last: usize,
    /// Whether several blanks or a tab stand before it.
    pub(super) wide: bool,
}

/// The answer that a word gives by itself. Compared as numbers: every word of a line with a term is asked.
pub(super) fn known_answer(word: &str) -> Option<Answer> {
    match word {
        "yes" | "y" | "yep" | "yeah" | "yup" | "true" | "present" => Some(Answer::Yes),
        "no" | "n" | "none" | "nil" | "never" | "nope" | "nah" | "false" | "absent" | "denies" | "denied"
        | "nothing" => Some(Answer::No),
        _ => None,
    }
}

/// The answer of a result that stands alone: "Aura negative", where "negative for" goes on.
pub(super) fn known_result(word: &str) -> Option<Answer> {
    match word {
        "positive" | "pos" => Some(Answer::Yes),
        "negative" | "neg" | "nonreactive" => Some(Answer::No),
        _ => None,
    }
}

/// Whether a word after "not" answers a question together with it.
fn answers_after_not(word: &str) -> bool {
    matches!(
        word,
        "detected"
            | "identified"
            | "seen"
            | "present"
            | "found"
            | "demonstrated"
            | "evident"
            | "observed"
            | "noted"
            | "reported"
            | "felt"
            | "known"
            | "isolated"
    )
}

pub(super) fn is_negation(word: &str) -> bool {
    matches!(word, "not" | "without" | "negative" | "neg" | "w/o" | "free" | "denying" | "declines" | "unremarkable")
}

/// Whether a token only marks up the text: `**bold**`, `# heading`, `<b>`.
pub(in super::super) fn markup_end(text: CueMatcher<'_>, at: usize) -> Option<usize> {
    match text.mark(at) {
        b'*' | b'#' | b'`' | b'~' => Some(at + 1),
        b'<' => {
            let name = at + 1 + usize::from(text.mark(at + 1) == b'/');
            let short = |at: usize| text.is_word(at) && text.tokens[at].gap == Gap::None;
            let close = (name + 1..name + 3).find(|&close| text.mark(close) == b'>');
            close.filter(|_| short(name)).map(|close| close + 1)
        }
        _ => None,
    }
}

/// Splits the tokens of a line into pieces. `term` is the first term of the line.
pub(super) fn pieces(
    text: CueMatcher<'_>,
    [first, end]: [usize; 2],
    terms: &[Match],
    mut term: usize,
    shapes: Shapes,
    out: &mut Vec<Piece>,
) {
    out.clear();
    let (mut at, mut wide) = (first, false);
    while at < end {
        wide |= at > first && text.tokens[at].gap >= Gap::Wide;
        if let Some(next) = markup_end(text, at).or_else(|| (text.mark(at) == b'"').then_some(at + 1)) {
            at = next;
            continue;
        }
        while terms.get(term).is_some_and(|term| (term.first as usize) < at) {
            term += 1;
        }
        let of_term = terms.get(term).filter(|term| term.first as usize == at);
        let (kind, last) = match (of_term, answer(text, at)) {
            (Some(term), Some(_)) if term.last as usize - at > 1 => (PieceKind::Term(usize::MAX), term.last as usize),
            (_, Some((answer, last))) => (PieceKind::Answer(answer), last),
            (Some(term), None) => (PieceKind::Term(usize::MAX), term.last as usize),
            (None, None) => sign(text, at, shapes),
        };
        let kind = if kind == PieceKind::Term(usize::MAX) { PieceKind::Term(term) } else { kind };
        let last = last.min(end).max(at + 1);
        let kind = match kind {
            // "Nausea/vomiting: no"
            PieceKind::Stop if text.mark(at) == b'/' && joins_terms(text, terms, term, at, out) => PieceKind::Comma,
            PieceKind::Other if last == at + 1 => letter(text, at, end, out).unwrap_or(kind),
            kind => kind,
        };
        // "Gout | ruled out"
        let cell = kind == PieceKind::Other && out.last().is_some_and(|piece| piece.kind == PieceKind::Bar);
        let (kind, last) = match kind {
            PieceKind::Answer(answer) if is_marked(text, at, last) => (PieceKind::Checked(answer), last),
            _ if cell => refuted(text, at).map_or((kind, last), |last| (PieceKind::Answer(Answer::No), last)),
            kind => (kind, last),
        };
        out.push(Piece { kind, first: at, last, wide });
        (at, wide) = (last, false);
    }
    keep_checked(out);
}

/// Whether a slash joins the terms beside it.
fn joins_terms(text: CueMatcher<'_>, terms: &[Match], term: usize, at: usize, line: &[Piece]) -> bool {
    let next = terms[term.min(terms.len())..].iter().find(|term| term.first as usize > at);
    let glued = |at: usize| text.tokens[at].gap == Gap::None;
    let before = line.last().is_some_and(|piece| matches!(piece.kind, PieceKind::Term(_)));
    before && next.is_some_and(|next| next.first as usize == at + 1) && glued(at) && glued(at + 1)
}

/// "nausea n, vomiting y": a letter answers right after a term, and before what ends an item.
fn letter(text: CueMatcher<'_>, at: usize, end: usize, line: &[Piece]) -> Option<PieceKind> {
    let is_term = |piece: &Piece| matches!(piece.kind, PieceKind::Term(_));
    let over = at + 1 == end
        || text.tokens[at + 1].gap >= Gap::Wide
        || matches!(text.mark(at + 1), b',' | b';' | b'.')
        || text.mark(at + 1) == b'/' && text.tokens[at + 1].gap == Gap::Space;
    if !over || !text.is_word(at) || text.word(at).len() != 1 {
        return None;
    }
    let labelled = match line {
        [.., term, separator] if separator.kind == PieceKind::Separator => is_term(term),
        [.., term] => is_term(term),
        [] => false,
    };
    let answer = match text.word(at) {
        "n" => Answer::No,
        "y" => Answer::Yes,
        _ => return None,
    };
    labelled.then_some(PieceKind::Answer(answer))
}

/// Of several answers only the checked one answers.
fn keep_checked(line: &mut [Piece]) {
    let checked = line.iter().any(|piece| matches!(piece.kind, PieceKind::Checked(_)));
    let other = |piece: &Piece| matches!(piece.kind, PieceKind::Circled(_) | PieceKind::Answer(_));
    let several = line.iter().any(other);
    for piece in line.iter_mut().filter(|_| checked) {
        piece.kind = match piece.kind {
            PieceKind::Checked(answer) if several => PieceKind::Circled(answer),
            PieceKind::Checked(answer) => PieceKind::Answer(answer),
            PieceKind::Circled(_) | PieceKind::Answer(_) => PieceKind::Other,
            kind => kind,
        };
    }
}

/// Whether an answer is marked beside the other: "Yes  **No**", "Yes  No X".
fn is_marked(text: CueMatcher<'_>, at: usize, last: usize) -> bool {
    let starred = at > 0 && text.mark(at - 1) == b'*' && text.mark(last) == b'*';
    let crossed = text.is_word(last) && text.word(last) == "x" && text.tokens[last].gap <= Gap::Space;
    starred || crossed
}

/// One past the words by which a cell of a table refutes what its row names.
fn refuted(text: CueMatcher<'_>, at: usize) -> Option<usize> {
    let next = if text.is_word(at + 1) { text.word(at + 1) } else { "" };
    match (text.word(at), next) {
        ("ruled", "out") => Some(at + 2),
        ("excluded" | "refuted", _) => Some(at + 1),
        _ => None,
    }
}

/// Whether both answers are printed to choose from, and none is marked: "Yes  No", "Yes / No", "Yes ___  No ___".
pub(super) fn prompts(line: &[Piece]) -> bool {
    let slash = line.get(1).is_some_and(|piece| matches!(piece.kind, PieceKind::Stop | PieceKind::Blank));
    let kind = |at: usize| line.get(at).map(|piece| piece.kind);
    kind(0) == Some(PieceKind::Answer(Answer::Yes))
        && kind(1 + usize::from(slash)) == Some(PieceKind::Answer(Answer::No))
}

/// The answer that a word gives by itself.
pub(super) fn answer(text: CueMatcher<'_>, at: usize) -> Option<(Answer, usize)> {
    if !text.is_word(at) {
        return None;
    }
    let word = text.word(at);
    // Most words begin otherwise. A single letter in lower case is a word of another kind.
    let begins = matches!(word.as_bytes().first(), Some(b'a' | b'd' | b'f' | b'n' | b'p' | b't' | b'y'));
    if !begins || word.len() == 1 && text.tokens[at].case == Case::Lower {
        return None;
    }
    if word == "not" && text.is_word(at + 2) && text.word(at + 1) == "at" && text.word(at + 2) == "all" {
        return Some((Answer::No, at + 3));
    }
    let next = if text.is_word(at + 1) { text.word(at + 1) } else { "" };
    match word {
        "not" | "none" if answers_after_not(next) => return Some((Answer::No, at + 2)),
        // "NOT: gout, asthma"
        "not" if text.mark(at + 1) == b':' => return Some((Answer::No, at + 1)),
        "no" if matches!(next, "answer" | "response" | "reply" | "entry" | "data") => return None,
        _ => {}
    }
    let alone = || {
        text.tokens.get(at + 1).is_none_or(|next| next.gap >= Gap::Wide)
            || matches!(text.mark(at + 1), b',' | b'.' | b';' | b'|' | b')')
    };
    // "Negatives: fever, rash"
    let heads = || matches!(text.mark(at + 1), b':' | b'-') && begins_item(text, at);
    let found = known_answer(word)
        .or_else(|| known_result(word).filter(|_| alone()))
        .or_else(|| known_result(word.trim_end_matches('s')).filter(|_| heads()));
    found.map(|answer| (answer, at + 1))
}

/// Whether a token begins a line or sentence.
fn begins_item(text: CueMatcher<'_>, at: usize) -> bool {
    at == 0 || text.tokens[at].gap >= Gap::Line || matches!(text.mark(at - 1), b'.' | b';')
}
