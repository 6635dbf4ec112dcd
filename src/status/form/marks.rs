//! Boxes, signs and separators of a form.

use super::super::cues::CueMatcher;
use super::kinds::{Answer, PieceKind, answer_of_word, is_negation_word, parse_answer, result_of_word};
use crate::text::token::{Gap, Kind, Token};

/// The maximum distance between marks of one form, in tokens.
const MAX_TOKENS_BETWEEN_MARKS: usize = 48;
/// The minimum number of boxes in a form that nobody filled in.
const MIN_EMPTY_BOXES: usize = 3;

/// The shapes that are boxes in a note. If a note does not have both filled and empty ones, they are bullets and
/// blanks.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "facts of a note that have nothing to do with each other")]
pub(super) struct BoxShapes {
    filled: bool,
    empty: bool,
    filled_blank: bool,
    /// Whether there are several boxes, all empty, because nobody filled in the form.
    pub(super) unfilled: bool,
}

/// Returns whether a line may have a box. Without one, a line without terms is not worth splitting.
pub(super) fn line_may_have_box(text: CueMatcher<'_>, [first, end]: [usize; 2]) -> bool {
    let marks = |token: &Token| token.kind == Kind::Symbol || matches!(token.mark(), b'[' | b'(' | b'{' | b'_');
    text.tokens[first..end].iter().any(marks)
}

impl BoxShapes {
    /// Finds the shapes of a note.
    pub(super) fn find_in_note(text: CueMatcher<'_>) -> Self {
        let mut shapes = Self::default();
        let (mut empty, mut filled) = (0, 0);
        for (at, token) in text.tokens.iter().enumerate() {
            match (token.kind, token.mark()) {
                (Kind::Symbol, _) => match symbol_at(text, at) {
                    Some('■' | '●' | '◼' | '◉' | '☑' | '☒' | '✓' | '✔' | '⊠' | '√') => {
                        shapes.filled = true;
                    }
                    Some('□' | '○' | '◻' | '◯' | '☐') => shapes.empty = true,
                    _ => {}
                },
                (_, b'_') => shapes.filled_blank |= text.is_word_at(at + 1) && text.folded_text(at + 1) == "x",
                _ => {}
            }
            match parse_box(text, at) {
                Some((PieceKind::Box(Answer::No), _)) if is_empty_box(text, at) => empty += 1,
                Some((PieceKind::Box(_) | PieceKind::Circled(_) | PieceKind::Checked(_), _)) => filled += 1,
                _ => {}
            }
        }
        shapes.unfilled = filled == 0 && empty >= MIN_EMPTY_BOXES;
        shapes
    }
}

fn symbol_at(text: CueMatcher<'_>, at: usize) -> Option<char> {
    text.folded_text(at).chars().next()
}

/// Parses a box, sign or separator; also returns its end (exclusive).
pub(super) fn parse_mark(text: CueMatcher<'_>, at: usize, shapes: BoxShapes) -> (PieceKind, usize) {
    let token = text.tokens[at];
    if token.kind == Kind::Symbol {
        return (kind_of_symbol(text, at, shapes), at + 1);
    }
    match token.mark() {
        b'[' | b'(' | b'{' => parse_bracket(text, at).unwrap_or((PieceKind::Other, at + 1)),
        b'_' => parse_blank(text, at, shapes),
        b'+' if token.gap == Gap::None && at > 0 && text.tokens[at - 1].kind == Kind::Number => {
            (PieceKind::Other, at + 1)
        }
        // "+ve: cough. -ve: fever."
        sign @ (b'+' | b'-') if text.is_word_at(at + 1) && text.folded_text(at + 1) == "ve" => {
            (PieceKind::Answer(if sign == b'+' { Answer::Yes } else { Answer::No }), at + 2)
        }
        b'+' => (PieceKind::Sign(Answer::Yes), at + 1),
        // "->", "=>"
        b'-' | b'=' if text.mark_at(at + 1) == b'>' && text.tokens[at + 1].gap == Gap::None => {
            (PieceKind::Separator, at + 2)
        }
        b'-' => (PieceKind::Sign(Answer::No), at + 1),
        b'.' => {
            // ". . . ." leads to a value just as "...." does.
            let glued = |dot: usize| dot == at || text.tokens[dot].gap <= Gap::Space;
            let dots = (at..text.tokens.len()).take_while(|&dot| text.mark_at(dot) == b'.' && glued(dot)).count();
            let leads = text.tokens.get(at + dots).is_some_and(|next| next.gap < Gap::Line);
            (if dots > 2 && leads { PieceKind::Separator } else { PieceKind::Stop }, at + dots)
        }
        b':' | b'=' => (PieceKind::Separator, at + 1),
        b'|' => (PieceKind::Bar, at + 1),
        b'?' => (PieceKind::Question, at + 1),
        b',' => (PieceKind::Comma, at + 1),
        b';' | b'/' | b'!' => (PieceKind::Stop, at + 1),
        _ if token.kind == Kind::Number && text.folded_text(at) == "0" => (PieceKind::Zero, at + 1),
        // "0/10", "4/10"
        _ if token.kind == Kind::Number && text.folded_text(at).ends_with("/10") => {
            let none = text.folded_text(at).len() == 4 && text.folded_text(at).starts_with('0');
            (PieceKind::Answer(if none { Answer::No } else { Answer::Yes }), at + 1)
        }
        _ if token.kind != Kind::Word => (PieceKind::Other, at + 1),
        _ if text.folded_text(at) == "o" && token.capitalised() && token.gap != Gap::None => (PieceKind::Zero, at + 1),
        _ if is_negation_word(text.folded_text(at)) => (PieceKind::Negation, at + 1),
        _ => (PieceKind::Other, at + 1),
    }
}

/// Parses a box or an answer in brackets; also returns its end (exclusive).
pub(super) fn parse_box(text: CueMatcher<'_>, at: usize) -> Option<(PieceKind, usize)> {
    match text.mark_at(at) {
        b'[' | b'(' => parse_bracket(text, at),
        _ if text.tokens.get(at).is_some_and(|token| token.kind == Kind::Symbol) => {
            Some((kind_of_symbol(text, at, BoxShapes { filled: true, empty: true, ..BoxShapes::default() }), at + 1))
        }
        _ => None,
    }
}

/// Returns the kind of a symbol.
fn kind_of_symbol(text: CueMatcher<'_>, at: usize, shapes: BoxShapes) -> PieceKind {
    let bullets = shapes.filled && shapes.empty;
    // "□ Yes □ No"
    let bullets = bullets || parse_answer(text, at + 1).is_some();
    match symbol_at(text, at) {
        Some('☐' | '⬜' | '▢' | '❏' | '❑' | '✗' | '✘' | '❌' | '🗷' | '☓') => {
            PieceKind::Box(Answer::No)
        }
        Some('☑' | '☒' | '✓' | '✔' | '⊠' | '🗹' | '√' | '✅') => PieceKind::Box(Answer::Yes),
        Some('■' | '●' | '◼' | '◉') if bullets => PieceKind::Box(Answer::Yes),
        Some('□' | '○' | '◻' | '◯') if bullets => PieceKind::Box(Answer::No),
        Some('∅') => PieceKind::Zero,
        Some('→' | '⇒') => PieceKind::Separator,
        _ => PieceKind::Other,
    }
}

/// Returns whether a box is empty.
fn is_empty_box(text: CueMatcher<'_>, at: usize) -> bool {
    match text.mark_at(at) {
        b'[' | b'(' => matches!(text.mark_at(at + 1), b']' | b')'),
        b'_' => true,
        _ => matches!(symbol_at(text, at), Some('☐' | '⬜' | '▢' | '❏' | '❑' | '□' | '○' | '◻' | '◯')),
    }
}

/// Returns whether another bracket nearby contains a zero.
fn has_bracketed_zero_nearby(text: CueMatcher<'_>, at: usize) -> bool {
    let near = at.saturating_sub(MAX_TOKENS_BETWEEN_MARKS)
        ..text.tokens.len().saturating_sub(1).min(at + MAX_TOKENS_BETWEEN_MARKS);
    let zero = |near: usize| {
        text.mark_at(near) == text.mark_at(at)
            && text.folded_text(near + 1) == "0"
            && matches!(text.mark_at(near + 2), b']' | b')' | b'}')
    };
    near.into_iter().any(zero)
}

/// Parses a bracket: `[ ]`, `(x)`, `[N]`, `(+)`, `(Y/N)`; also returns its end (exclusive).
pub(super) fn parse_bracket(text: CueMatcher<'_>, at: usize) -> Option<(PieceKind, usize)> {
    let closes = |at: usize| matches!(text.mark_at(at), b']' | b')' | b'}');
    if closes(at + 1) {
        return Some((PieceKind::Box(Answer::No), at + 2));
    }
    if closes(at + 2) {
        let inside = match (text.mark_at(at + 1), text.tokens[at + 1].kind) {
            (b'+' | b'*', _) => PieceKind::Box(Answer::Yes),
            (b'-' | b'_', _) => PieceKind::Box(Answer::No),
            (_, Kind::Symbol) => match symbol_at(text, at + 1) {
                // In brackets, a dot is a check mark and a circle is empty.
                Some('•' | '●' | '◉') => PieceKind::Box(Answer::Yes),
                Some('○' | '◯') => PieceKind::Box(Answer::No),
                _ => kind_of_symbol(text, at + 1, BoxShapes::default()),
            },
            (_, Kind::Word) if text.folded_text(at + 1) == "x" => PieceKind::Box(Answer::Yes),
            (_, Kind::Word) => PieceKind::Circled(
                answer_of_word(text.folded_text(at + 1)).or_else(|| result_of_word(text.folded_text(at + 1)))?,
            ),
            // "Edema [0]  Pain [2]"
            (_, Kind::Number) if text.folded_text(at + 1) == "0" => PieceKind::Circled(Answer::No),
            (_, Kind::Number) if text.folded_text(at + 1).len() == 1 && has_bracketed_zero_nearby(text, at) => {
                PieceKind::Circled(Answer::Yes)
            }
            _ => return None,
        };
        return Some((inside, at + 3));
    }
    // "Rash (1+)"
    if closes(at + 3)
        && text.tokens[at + 1].kind == Kind::Number
        && text.mark_at(at + 2) == b'+'
        && has_bracketed_zero_nearby(text, at)
    {
        return Some((PieceKind::Circled(Answer::Yes), at + 4));
    }
    if closes(at + 3) {
        let mark = |at: usize| {
            text.tokens[at].kind == Kind::Symbol
                && kind_of_symbol(text, at, BoxShapes::default()) == PieceKind::Box(Answer::Yes)
                || text.is_word_at(at) && text.folded_text(at) == "x"
        };
        let checked = [(at + 1, at + 2), (at + 2, at + 1)].into_iter().find(|&(_, other)| mark(other));
        if let Some((answer, _)) = checked.and_then(|(word, _)| parse_answer(text, word)) {
            return Some((PieceKind::Checked(answer), at + 4));
        }
    }
    // A prompt with the possible answers.
    let prompt = closes(at + 4) && text.mark_at(at + 2) == b'/' && parse_answer(text, at + 1).is_some();
    prompt.then_some((PieceKind::Other, at + 5))
}

/// Parses a blank: `____`, `_x_`; also returns its end (exclusive).
fn parse_blank(text: CueMatcher<'_>, at: usize, shapes: BoxShapes) -> (PieceKind, usize) {
    let glued = |at: usize| text.tokens.get(at).is_some_and(|token| token.gap == Gap::None);
    let mut end = at + 1;
    let mut checked = false;
    while glued(end) && (text.mark_at(end) == b'_' || text.is_word_at(end) && text.folded_text(end) == "x") {
        checked |= text.mark_at(end) == 0;
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
