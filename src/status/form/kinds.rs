//! Kinds of pieces of a line, and the answers that words give.

use super::super::cues::CueMatcher;
use crate::text::token::{Case, Gap};

/// The answer to a question, or the state of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Yes,
    No,
}

/// The kind of a piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// A term, by its index in the note.
    Term(usize),
    /// A box: checked, empty, or crossed out.
    Box(Answer),
    /// A plus or minus without brackets.
    Sign(Answer),
    /// A word that answers, and a box with an answer in it: `[N]`.
    Answer(Answer),
    Circled(Answer),
    /// A bracketed answer, one of several, with a check mark in it: `[Y] [N✓]`.
    Checked(Answer),
    /// An empty-set sign or the number zero: "Ø fever", "tremor 0".
    Zero,
    /// Separates a label from its value: a colon, an arrow, dots, an equals sign.
    Separator,
    /// A vertical bar, which separates cells.
    Bar,
    Question,
    /// A blank for an answer: "____".
    Blank,
    /// A comma, which ends an item, and a mark that ends more than an item.
    Comma,
    Stop,
    /// A word that negates within the item itself: `[x] denies cough`.
    Negation,
    Other,
}

impl PieceKind {
    /// Returns the index of the kind, without its payload.
    const fn kind_number(self) -> u8 {
        match self {
            Self::Term(_) => 0,
            Self::Box(_) => 1,
            Self::Sign(_) => 2,
            Self::Answer(_) => 3,
            Self::Circled(_) => 4,
            Self::Checked(_) => 5,
            Self::Zero => 6,
            Self::Separator => 7,
            Self::Bar => 8,
            Self::Question => 9,
            Self::Blank => 10,
            Self::Comma => 11,
            Self::Stop => 12,
            Self::Negation => 13,
            Self::Other => 14,
        }
    }
}

/// The kinds of pieces on a line, so that rules that need a missing kind can be skipped.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PieceKindSet(u16);

impl PieceKindSet {
    /// Returns the kinds of some pieces.
    pub(super) fn of(pieces: &[Piece]) -> Self {
        let mut kinds = Self::default();
        for piece in pieces {
            kinds.insert(piece.kind);
        }
        kinds
    }

    pub(super) const fn insert(&mut self, kind: PieceKind) {
        self.0 |= 1 << kind.kind_number();
    }

    /// Returns whether there is a piece of a kind, with any payload.
    pub(super) const fn contains(self, kind: PieceKind) -> bool {
        self.0 >> kind.kind_number() & 1 != 0
    }
}

/// A piece of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) kind: PieceKind,
    /// Its first token, and its end (exclusive).
    pub(super) first: usize,
    pub(super) end: usize,
    /// Whether a wide gap or a tab precedes it.
    pub(super) wide: bool,
}

/// Returns the answer that a word gives by itself.
pub(super) fn answer_of_word(word: &str) -> Option<Answer> {
    match word {
        "yes" | "y" | "yep" | "yeah" | "yup" | "true" | "present" => Some(Answer::Yes),
        "no" | "n" | "none" | "nil" | "never" | "nope" | "nah" | "false" | "absent" | "denies" | "denied"
        | "nothing" => Some(Answer::No),
        _ => None,
    }
}

/// Returns the answer that a result gives if it stands alone: "Aura negative", while "negative for" needs an object.
pub(super) fn result_of_word(word: &str) -> Option<Answer> {
    match word {
        "positive" | "pos" => Some(Answer::Yes),
        "negative" | "neg" | "nonreactive" => Some(Answer::No),
        _ => None,
    }
}

/// Returns whether a word may be an answer, by itself or with the next.
pub(super) fn may_be_answer(word: &str) -> bool {
    let results = [word, word.trim_end_matches('s')];
    matches!(word, "not" | "non")
        || answer_of_word(word).is_some()
        || results.into_iter().any(|word| result_of_word(word).is_some())
}

/// Returns whether a word after "not" forms an answer with it.
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

pub(super) fn is_negation_word(word: &str) -> bool {
    matches!(word, "not" | "without" | "negative" | "neg" | "w/o" | "free" | "denying" | "declines" | "unremarkable")
}

/// Returns the answer that begins at a token, and its end (exclusive).
pub(super) fn parse_answer(text: CueMatcher<'_>, at: usize) -> Option<(Answer, usize)> {
    if !text.is_word_at(at) {
        return None;
    }
    let word = text.folded_text(at);
    // The first letter rules out most words. A single lower-case letter is not an answer.
    let begins = matches!(word.as_bytes().first(), Some(b'a' | b'd' | b'f' | b'n' | b'p' | b't' | b'y'));
    if !begins || word.len() == 1 && text.tokens[at].case == Case::Lower {
        return None;
    }
    if word == "not" && text.is_word_at(at + 2) && text.folded_text(at + 1) == "at" && text.folded_text(at + 2) == "all"
    {
        return Some((Answer::No, at + 3));
    }
    if word == "non"
        && text.mark_at(at + 1) == b'-'
        && text.is_word_at(at + 2)
        && text.folded_text(at + 2) == "reactive"
    {
        return Some((Answer::No, at + 3));
    }
    let next = if text.is_word_at(at + 1) { text.folded_text(at + 1) } else { "" };
    match word {
        "not" | "none" if answers_after_not(next) => return Some((Answer::No, at + 2)),
        // "NOT: gout, asthma"
        "not" if text.mark_at(at + 1) == b':' => return Some((Answer::No, at + 1)),
        "no" if matches!(next, "answer" | "response" | "reply" | "entry" | "data") => return None,
        _ => {}
    }
    let alone = || {
        text.tokens.get(at + 1).is_none_or(|next| next.gap >= Gap::Wide)
            || matches!(text.mark_at(at + 1), b',' | b'.' | b';' | b'|' | b')')
    };
    // "Negatives: fever, rash"
    let heads = || matches!(text.mark_at(at + 1), b':' | b'-') && begins_line_or_sentence(text, at);
    let found = answer_of_word(word)
        .or_else(|| result_of_word(word).filter(|_| alone()))
        .or_else(|| result_of_word(word.trim_end_matches('s')).filter(|_| heads()));
    found.map(|answer| (answer, at + 1))
}

/// Returns whether a token begins a line or sentence.
fn begins_line_or_sentence(text: CueMatcher<'_>, at: usize) -> bool {
    at == 0 || text.tokens[at].gap >= Gap::Line || matches!(text.mark_at(at - 1), b'.' | b';')
}
