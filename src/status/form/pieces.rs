//! A line of a form as pieces: terms, boxes, signs, answers and separators.

use super::super::cues::CueMatcher;
use crate::terms::Match;
use crate::text::token::{Case, Gap, Kind, Token};

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

/// Which shapes are boxes in a note: they are only where both filled and empty ones occur, else bullets and blanks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shapes {
    filled: bool,
    empty: bool,
    filled_blank: bool,
}

/// The answer that a word gives by itself. Compared as numbers: every word of a line with a term is asked.
fn known_answer(word: &str) -> Option<Answer> {
    match word {
        "yes" | "y" | "yep" | "yeah" | "yup" | "true" | "present" => Some(Answer::Yes),
        "no" | "n" | "none" | "nil" | "never" | "nope" | "nah" | "false" | "absent" | "denies" | "denied"
        | "nothing" => Some(Answer::No),
        _ => None,
    }
}

/// The answer of a result that stands alone: "Aura negative", where "negative for" goes on.
fn known_result(word: &str) -> Option<Answer> {
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

fn is_negation(word: &str) -> bool {
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

/// Whether a line may have a box, without which it has no options: a line without a term has nothing else to say.
pub(super) fn may_have_box(text: CueMatcher<'_>, [first, end]: [usize; 2]) -> bool {
    let marks = |token: &Token| token.kind == Kind::Symbol || matches!(token.mark(), b'[' | b'(' | b'_');
    text.tokens[first..end].iter().any(marks)
}

impl Shapes {
    /// The shapes of a note.
    pub(super) fn of(text: CueMatcher<'_>) -> Self {
        let mut shapes = Self::default();
        for (at, token) in text.tokens.iter().enumerate() {
            match (token.kind, token.mark()) {
                (Kind::Symbol, _) => match symbol(text, at) {
                    Some('■' | '●' | '◼' | '◉' | '☑' | '☒' | '✓' | '✔' | '⊠' | '√') => {
                        shapes.filled = true;
                    }
                    Some('□' | '○' | '◻' | '◯' | '☐') => shapes.empty = true,
                    _ => {}
                },
                (_, b'_') => shapes.filled_blank |= text.is_word(at + 1) && text.word(at + 1) == "x",
                _ => {}
            }
        }
        shapes
    }
}

fn symbol(text: CueMatcher<'_>, at: usize) -> Option<char> {
    text.word(at).chars().next()
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
            PieceKind::Other if last == at + 1 => letter(text, at, end, out).unwrap_or(kind),
            kind => kind,
        };
        out.push(Piece { kind, first: at, last, wide });
        (at, wide) = (last, false);
    }
    if out.iter().any(|piece| matches!(piece.kind, PieceKind::Checked(_))) {
        keep_checked(out);
    }
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

/// Of several answers in brackets only the checked one answers.
fn keep_checked(line: &mut [Piece]) {
    for piece in line {
        piece.kind = match piece.kind {
            PieceKind::Checked(answer) => PieceKind::Circled(answer),
            PieceKind::Circled(_) => PieceKind::Other,
            kind => kind,
        };
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
    let found = known_answer(word).or_else(|| known_result(word).filter(|_| alone()));
    found.map(|answer| (answer, at + 1))
}

/// A box, sign or separator, with one past its last token.
fn sign(text: CueMatcher<'_>, at: usize, shapes: Shapes) -> (PieceKind, usize) {
    let token = text.tokens[at];
    if token.kind == Kind::Symbol {
        return (shape(text, at, shapes), at + 1);
    }
    match token.mark() {
        b'[' | b'(' => bracket(text, at).unwrap_or((PieceKind::Other, at + 1)),
        b'_' => blank(text, at, shapes),
        b'+' if token.gap == Gap::None && at > 0 && text.tokens[at - 1].kind == Kind::Number => {
            (PieceKind::Other, at + 1)
        }
        b'+' => (PieceKind::Sign(Answer::Yes), at + 1),
        // "->", "=>"
        b'-' | b'=' if text.mark(at + 1) == b'>' && text.tokens[at + 1].gap == Gap::None => {
            (PieceKind::Separator, at + 2)
        }
        b'-' => (PieceKind::Sign(Answer::No), at + 1),
        b'.' => {
            let glued = |dot: usize| dot == at || text.tokens[dot].gap == Gap::None;
            let dots = (at..text.tokens.len()).take_while(|&dot| text.mark(dot) == b'.' && glued(dot)).count();
            (if dots > 1 { PieceKind::Separator } else { PieceKind::Stop }, at + dots)
        }
        b':' | b'=' => (PieceKind::Separator, at + 1),
        b'|' => (PieceKind::Bar, at + 1),
        b'?' => (PieceKind::Question, at + 1),
        b',' => (PieceKind::Comma, at + 1),
        b';' | b'/' | b'!' => (PieceKind::Stop, at + 1),
        _ if token.kind == Kind::Number && text.word(at) == "0" => (PieceKind::Zero, at + 1),
        // "0/10", "4/10"
        _ if token.kind == Kind::Number && text.word(at).ends_with("/10") => {
            let none = text.word(at).len() == 4 && text.word(at).starts_with('0');
            (PieceKind::Answer(if none { Answer::No } else { Answer::Yes }), at + 1)
        }
        _ if token.kind != Kind::Word => (PieceKind::Other, at + 1),
        _ if text.word(at) == "o" && token.capitalised() && token.gap != Gap::None => (PieceKind::Zero, at + 1),
        _ if is_negation(text.word(at)) => (PieceKind::Negation, at + 1),
        _ => (PieceKind::Other, at + 1),
    }
}

/// A symbol as a box.
fn shape(text: CueMatcher<'_>, at: usize, shapes: Shapes) -> PieceKind {
    let bullets = shapes.filled && shapes.empty;
    // "□ Yes □ No"
    let bullets = bullets || answer(text, at + 1).is_some();
    match symbol(text, at) {
        Some('☐' | '⬜' | '▢' | '❏' | '❑' | '✗' | '✘' | '❌') => PieceKind::Box(Answer::No),
        Some('☑' | '☒' | '✓' | '✔' | '⊠' | '🗹' | '√' | '✅') => PieceKind::Box(Answer::Yes),
        Some('■' | '●' | '◼' | '◉') if bullets => PieceKind::Box(Answer::Yes),
        Some('□' | '○' | '◻' | '◯') if bullets => PieceKind::Box(Answer::No),
        Some('∅') => PieceKind::Zero,
        Some('→' | '⇒') => PieceKind::Separator,
        _ => PieceKind::Other,
    }
}

/// `[ ]`, `(x)`, `[N]`, `(+)`, `(Y/N)`.
fn bracket(text: CueMatcher<'_>, at: usize) -> Option<(PieceKind, usize)> {
    let closes = |at: usize| matches!(text.mark(at), b']' | b')');
    if closes(at + 1) {
        return Some((PieceKind::Box(Answer::No), at + 2));
    }
    if closes(at + 2) {
        let inside = match (text.mark(at + 1), text.tokens[at + 1].kind) {
            (b'+' | b'*', _) => PieceKind::Box(Answer::Yes),
            (b'-' | b'_', _) => PieceKind::Box(Answer::No),
            (_, Kind::Symbol) => match symbol(text, at + 1) {
                // In brackets, a dot marks and a circle is empty.
                Some('•' | '●' | '◉') => PieceKind::Box(Answer::Yes),
                Some('○' | '◯') => PieceKind::Box(Answer::No),
                _ => shape(text, at + 1, Shapes::default()),
            },
            (_, Kind::Word) if text.word(at + 1) == "x" => PieceKind::Box(Answer::Yes),
            (_, Kind::Word) => PieceKind::Circled(known_answer(text.word(at + 1))?),
            _ => return None,
        };
        return Some((inside, at + 3));
    }
    if closes(at + 3) {
        let mark = |at: usize| {
            text.tokens[at].kind == Kind::Symbol && shape(text, at, Shapes::default()) == PieceKind::Box(Answer::Yes)
                || text.is_word(at) && text.word(at) == "x"
        };
        let checked = [(at + 1, at + 2), (at + 2, at + 1)].into_iter().find(|&(_, other)| mark(other));
        if let Some((answer, _)) = checked.and_then(|(word, _)| answer(text, word)) {
            return Some((PieceKind::Checked(answer), at + 4));
        }
    }
    // A prompt: what may be answered.
    let prompt = closes(at + 4) && text.mark(at + 2) == b'/' && answer(text, at + 1).is_some();
    prompt.then_some((PieceKind::Other, at + 5))
}

/// `____`, `_x_`.
fn blank(text: CueMatcher<'_>, at: usize, shapes: Shapes) -> (PieceKind, usize) {
    let glued = |at: usize| text.tokens.get(at).is_some_and(|token| token.gap == Gap::None);
    let mut end = at + 1;
    let mut checked = false;
    while glued(end) && (text.mark(end) == b'_' || text.is_word(end) && text.word(end) == "x") {
        checked |= text.mark(end) == 0;
        end += 1;
    }
    let kind = match checked {
        true => PieceKind::Box(Answer::Yes),
        false if shapes.filled_blank && end - at > 1 => PieceKind::Box(Answer::No),
        false if end - at > 1 => PieceKind::Blank,
        false => PieceKind::Other,
    };
    (kind, end)
}
