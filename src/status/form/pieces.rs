//! Splits a line of a form into pieces: terms, boxes, signs, answers and separators.

use super::super::cues::CueMatcher;
use super::FormReader;
use super::kinds::{Answer, Piece, PieceKind, PieceKindSet};
use super::marks::parse_mark;
use crate::terms::Match;
use crate::text::token::{Case, Gap};

/// Returns the end (exclusive) of markup at a token: `**bold**`, `# heading`, `<b>`.
pub(in super::super) fn end_of_markup(text: CueMatcher<'_>, at: usize) -> Option<usize> {
    match text.mark_at(at) {
        b'*' | b'#' | b'`' | b'~' => Some(at + 1),
        b'<' => {
            let name = at + 1 + usize::from(text.mark_at(at + 1) == b'/');
            let short = |at: usize| text.is_word_at(at) && text.tokens[at].gap == Gap::None;
            let close = (name + 1..name + 3).find(|&close| text.mark_at(close) == b'>');
            close.filter(|_| short(name)).map(|close| close + 1)
        }
        _ => None,
    }
}

/// Returns the first token of a line that is neither markup nor a quotation mark, or the end of the line.
pub(super) fn first_token_after_markup(text: CueMatcher<'_>, [mut at, end]: [usize; 2]) -> usize {
    while at < end
        && let Some(next) = end_of_markup_or_quote(text, at)
    {
        at = next;
    }
    at
}

/// Returns the end (exclusive) of markup or a quotation mark at a token.
fn end_of_markup_or_quote(text: CueMatcher<'_>, at: usize) -> Option<usize> {
    end_of_markup(text, at).or_else(|| (text.mark_at(at) == b'"').then_some(at + 1))
}

impl FormReader<'_> {
    /// Splits the tokens of a line into pieces. `term` is the first term of the line.
    pub(super) fn split_line(&self, [first, end]: [usize; 2], mut term: usize, out: &mut Vec<Piece>) -> PieceKindSet {
        out.clear();
        let (text, terms) = (self.text, self.terms);
        let (mut at, mut wide, mut kinds) = (first, false, PieceKindSet::default());
        while at < end {
            wide |= at > first && text.tokens[at].gap >= Gap::Wide;
            if let Some(next) = end_of_markup_or_quote(text, at) {
                at = next;
                continue;
            }
            while terms.get(term).is_some_and(|term| (term.first as usize) < at) {
                term += 1;
            }
            let printed = if at > first && self.may_answer_at(at) { parse_printed_choice(text, at) } else { None };
            if let Some(printed) = printed {
                if let PrintedChoice::Chosen(answer) = printed {
                    kinds.insert(PieceKind::Answer(answer));
                    out.push(Piece { kind: PieceKind::Answer(answer), first: at, end: at + 3, wide });
                }
                (at, wide) = (at + 3, false);
                continue;
            }
            let of_term = terms.get(term).filter(|term| term.first as usize == at);
            let (kind, last) = match (of_term, self.parse_answer_at(at)) {
                (Some(whole), Some(_)) if whole.end as usize - at > 1 => (PieceKind::Term(term), whole.end as usize),
                (_, Some((answer, last))) => (PieceKind::Answer(answer), last),
                (Some(whole), None) => (PieceKind::Term(term), whole.end as usize),
                (None, None) if self.is_plain_word(at) => (PieceKind::Other, at + 1),
                (None, None) => parse_mark(text, at, self.box_shapes_at(at)),
            };
            let last = last.min(end).max(at + 1);
            let slash = text.mark_at(at) == b'/';
            let kind = match kind {
                // "Nausea/vomiting: no"
                PieceKind::Stop if slash && joins_terms(text, terms, term, at, out) => PieceKind::Comma,
                PieceKind::Other if last == at + 1 && !self.is_plain_word(at) => {
                    parse_letter(text, at, end, out).unwrap_or(kind)
                }
                kind => kind,
            };
            // "Gout | ruled out"
            let cell = kind == PieceKind::Other && out.last().is_some_and(|piece| piece.kind == PieceKind::Bar);
            let (kind, last) = match kind {
                PieceKind::Answer(answer) if is_answer_marked(text, at, last) => (PieceKind::Checked(answer), last),
                _ if cell => {
                    end_of_refutation(text, at).map_or((kind, last), |last| (PieceKind::Answer(Answer::No), last))
                }
                kind => (kind, last),
            };
            kinds.insert(kind);
            out.push(Piece { kind, first: at, end: last, wide });
            (at, wide) = (last, false);
        }
        if kinds.contains(PieceKind::Checked(Answer::Yes)) {
            keep_checked_answer(out);
            kinds = PieceKindSet::of(out);
        }
        kinds
    }
}

/// Both answers of a form, printed side by side.
enum PrintedChoice {
    /// One of them is chosen.
    Chosen(Answer),
    /// None is chosen; a value follows.
    Unchosen,
}

/// Parses two answers with a slash between. If exactly one is in capitals, it is chosen; otherwise a value must follow.
fn parse_printed_choice(text: CueMatcher<'_>, at: usize) -> Option<PrintedChoice> {
    let kind = |at: usize| {
        let token = text.tokens.get(at).filter(|_| text.is_word_at(at))?;
        let answer = match text.folded_text(at) {
            "y" | "yes" => Answer::Yes,
            "n" | "no" => Answer::No,
            _ => return None,
        };
        Some((answer, token.case == Case::Upper))
    };
    if text.mark_at(at + 1) != b'/' {
        return None;
    }
    let ((one, loud), (other, louder)) = (kind(at)?, kind(at + 2)?);
    let value = matches!(text.mark_at(at + 3), b'-' | b'=' | b':') && !loud && !louder;
    let chosen = if loud { one } else { other };
    match () {
        () if one == other => None,
        () if loud != louder => Some(PrintedChoice::Chosen(chosen)),
        () => value.then_some(PrintedChoice::Unchosen),
    }
}

/// Returns whether a slash joins the terms on both sides.
fn joins_terms(text: CueMatcher<'_>, terms: &[Match], term: usize, at: usize, line: &[Piece]) -> bool {
    let next = terms[term.min(terms.len())..].iter().find(|term| term.first as usize > at);
    let glued = |at: usize| text.tokens[at].gap == Gap::None;
    let before = line.last().is_some_and(|piece| matches!(piece.kind, PieceKind::Term(_)));
    before && next.is_some_and(|next| next.first as usize == at + 1) && glued(at) && glued(at + 1)
}

/// Returns the answer of a letter right after a term and before the end of an item: "nausea n, vomiting y".
fn parse_letter(text: CueMatcher<'_>, at: usize, end: usize, line: &[Piece]) -> Option<PieceKind> {
    let is_term = |piece: &Piece| matches!(piece.kind, PieceKind::Term(_));
    let over = at + 1 == end
        || text.tokens[at + 1].gap >= Gap::Wide
        || matches!(text.mark_at(at + 1), b',' | b';' | b'.')
        || text.mark_at(at + 1) == b'/' && text.tokens[at + 1].gap == Gap::Space;
    if !over || !text.is_word_at(at) || text.folded_text(at).len() != 1 {
        return None;
    }
    let labelled = match line {
        [.., term, separator] if separator.kind == PieceKind::Separator => is_term(term),
        [.., term] => is_term(term),
        [] => false,
    };
    let answer = match text.folded_text(at) {
        "n" => Answer::No,
        "y" => Answer::Yes,
        _ => return None,
    };
    labelled.then_some(PieceKind::Answer(answer))
}

/// Keeps only the checked answer of several.
fn keep_checked_answer(line: &mut [Piece]) {
    let other = |piece: &Piece| matches!(piece.kind, PieceKind::Circled(_) | PieceKind::Answer(_));
    let several = line.iter().any(other);
    for piece in line {
        piece.kind = match piece.kind {
            PieceKind::Checked(answer) if several => PieceKind::Circled(answer),
            PieceKind::Checked(answer) => PieceKind::Answer(answer),
            PieceKind::Circled(_) | PieceKind::Answer(_) => PieceKind::Other,
            kind => kind,
        };
    }
}

/// Returns whether one of two answers is marked: "Yes  **No**", "Yes  No X".
fn is_answer_marked(text: CueMatcher<'_>, at: usize, last: usize) -> bool {
    let starred = at > 0 && text.mark_at(at - 1) == b'*' && text.mark_at(last) == b'*';
    let crossed = text.is_word_at(last) && text.folded_text(last) == "x" && text.tokens[last].gap <= Gap::Space;
    starred || crossed
}

/// Returns the end (exclusive) of the words with which a table cell refutes the condition of its row.
fn end_of_refutation(text: CueMatcher<'_>, at: usize) -> Option<usize> {
    let next = if text.is_word_at(at + 1) { text.folded_text(at + 1) } else { "" };
    match (text.folded_text(at), next) {
        ("ruled", "out") => Some(at + 2),
        ("excluded" | "refuted", _) => Some(at + 1),
        _ => None,
    }
}

/// Returns whether both answers are printed and none is marked: "Yes  No", "Yes / No", "Yes ___  No ___".
pub(super) fn is_unmarked_choice(line: &[Piece]) -> bool {
    let slash = line.get(1).is_some_and(|piece| matches!(piece.kind, PieceKind::Stop | PieceKind::Blank));
    let kind = |at: usize| line.get(at).map(|piece| piece.kind);
    kind(0) == Some(PieceKind::Answer(Answer::Yes))
        && kind(1 + usize::from(slash)) == Some(PieceKind::Answer(Answer::No))
}
