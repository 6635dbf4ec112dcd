//! Abbreviations that a note defines itself: "acute kidney injury (AKI)".
//!
//! Schwartz and Hearst, *A simple algorithm for identifying abbreviation definitions in biomedical text*, Pacific
//! Symposium on Biocomputing 2003. Stands after `concepts` in the way of a note: where the long form is a known term, the
//! short form is coded as that term from its definition on.

use crate::concepts::Match;
use crate::normalize::Normalized;
use crate::span::Span;
use crate::token::{Case, Kind, Token};

/// The longest short form in bytes, and in tokens (`IL-2R` has four).
const MOST_BYTES: usize = 10;
const MOST_TOKENS: usize = 5;

/// An abbreviation and what it stands for, as tokens; `last` is one past the last token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The first token of the short form.
    pub short_first: u32,
    /// One past its last token.
    pub short_last: u32,
    /// The first token of the long form.
    pub long_first: u32,
    /// One past its last token.
    pub long_last: u32,
}

/// Where the long form begins in `candidate`, the text before the short form. `None` if it does not hold the letters of
/// the short form, from right to left, the first of them at the start of a word. Both texts are in lower case.
///
/// ```
/// use notesieve::abbreviations::long_form;
/// assert_eq!(long_form("aki", "with acute kidney injury"), Some(5));
/// assert_eq!(long_form("aki", "with renal failure"), None);
/// ```
pub fn long_form(short: &str, candidate: &str) -> Option<usize> {
    let long: Vec<(usize, char)> = candidate.char_indices().collect();
    let letters: Vec<char> = short.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let mut at = long.len();
    for (place, &letter) in letters.iter().enumerate().rev() {
        loop {
            at = at.checked_sub(1)?;
            let starts_word = at == 0 || !long[at - 1].1.is_alphanumeric();
            if long[at].1 == letter && (place > 0 || starts_word) {
                break;
            }
        }
    }
    long.get(at).map(|&(byte, _)| byte)
}

/// The definitions of a text, in its order: a long form and the short form in brackets, or the other way round.
pub fn find(tokens: &[Token], folded: &str) -> Vec<Definition> {
    let mut found = Vec::new();
    let mark = |at: usize, mark: &str| tokens[at].kind == Kind::Punct && &folded[tokens[at].span().range()] == mark;
    for open in 0..tokens.len() {
        if !mark(open, "(") {
            continue;
        }
        // What stands behind a comma or semicolon inside the brackets is no part of the form.
        let inside = tokens[open + 1..].iter().take(40).position(|token| {
            token.border_before()
                || (token.kind == Kind::Punct && matches!(folded.as_bytes()[token.start as usize], b')' | b',' | b';'))
        });
        let Some(end) = inside.map(|inside| open + 1 + inside) else { continue };
        let before = before(tokens, open);
        if is_short(&tokens[open + 1..end], folded) {
            let short = &folded[range(&tokens[open + 1..end])];
            let words = short.chars().filter(|letter| letter.is_alphanumeric()).count();
            let first = candidate(tokens, before, open, (words + 5).min(words * 2));
            if let Some(long_first) = align(tokens, folded, short, first, open) {
                found.push(definition(open + 1, end, long_first, open));
            }
        } else {
            // The other way round: the last one or two tokens before the bracket are the short form.
            let first = (before..open)
                .rev()
                .take(MOST_TOKENS)
                .take_while(|&at| at + 1 == open || tokens[at + 1].glued() || hyphen(tokens, folded, at))
                .last();
            if let Some(first) = first
                && is_short(&tokens[first..open], folded)
                && let Some(long_first) = align(tokens, folded, &folded[range(&tokens[first..open])], open + 1, end)
                && long_first == open + 1
            {
                found.push(definition(first, open, long_first, end));
            }
        }
    }
    found
}

/// Adds a match for each short form that stands after its definition, where its long form is a match, and keeps the
/// matches in order. A short form is found as it was written; matches that it overlaps give way unless they are longer.
pub fn code(tokens: &[Token], folded: &str, source: &str, normalized: &Normalized, terms: &mut Vec<Match>) {
    let definitions = find(tokens, folded);
    if definitions.is_empty() {
        return;
    }
    let written = |first: u32, last: u32| {
        let span = Span::new(tokens[first as usize].start, tokens[last as usize - 1].end);
        normalized.to_source(span).range()
    };
    let mut added = Vec::new();
    for definition in &definitions {
        let inside = |term: &&Match| term.first >= definition.long_first && term.last == definition.long_last;
        // The term must be the long form, not only its last word: its head alone means more.
        let Some(known) = terms.iter().find(inside).filter(|term| term.first == definition.long_first) else {
            continue;
        };
        let short = &source[written(definition.short_first, definition.short_last)];
        let length = definition.short_last - definition.short_first;
        for first in definition.short_first.min(definition.long_last)..=(tokens.len() as u32).saturating_sub(length) {
            let last = first + length;
            let whole = !tokens[first as usize].glued() && tokens.get(last as usize).is_none_or(|next| !next.glued());
            if whole && &source[written(first, last)] == short {
                added.push(Match { first, last, entry: known.entry });
            }
        }
    }
    added.sort_unstable();
    added.dedup_by_key(|hit| hit.first);
    let overlaps = |a: &Match, b: &Match| a.first < b.last && b.first < a.last;
    added.retain(|hit| !terms.iter().any(|term| overlaps(hit, term) && term.last - term.first > hit.last - hit.first));
    terms.retain(|term| !added.iter().any(|hit| overlaps(hit, term)));
    terms.append(&mut added);
    terms.sort_unstable();
}

fn definition(short_first: usize, short_last: usize, long_first: usize, long_last: usize) -> Definition {
    Definition {
        short_first: short_first as u32,
        short_last: short_last as u32,
        long_first: long_first as u32,
        long_last: long_last as u32,
    }
}

/// The first token of the sentence or field before `open`, at most forty tokens back. A line may be broken anywhere.
fn before(tokens: &[Token], open: usize) -> usize {
    let starts = |token: &Token| token.border_before() || (token.sentence_start() && !token.line_start());
    let mut first = open;
    while first > 0 && open - first < 40 && !starts(&tokens[first]) {
        first -= 1;
    }
    first
}

/// The first of at most `words` words before `open`. Hyphens and glued tokens are no words of their own.
fn candidate(tokens: &[Token], from: usize, open: usize, words: usize) -> usize {
    let mut first = open;
    let mut seen = 0;
    while first > from && seen < words {
        first -= 1;
        seen += usize::from(tokens[first].kind == Kind::Word && !tokens[first].glued());
    }
    first
}

fn range(tokens: &[Token]) -> std::ops::Range<usize> {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => first.start as usize..last.end as usize,
        _ => 0..0,
    }
}

fn hyphen(tokens: &[Token], folded: &str, at: usize) -> bool {
    let next = &tokens[at + 1];
    let is = |token: &Token| &folded[token.span().range()] == "-";
    (is(next) || is(&tokens[at])) && next.gap == crate::token::Gap::None
}

/// Whether tokens can be a short form: 2 to 10 characters, a letter, a capital, and a letter or digit in front.
fn is_short(tokens: &[Token], folded: &str) -> bool {
    let text = &folded[range(tokens)];
    let words = tokens.iter().filter(|token| token.kind == Kind::Word && !token.glued()).count();
    (2..=MOST_BYTES).contains(&text.len())
        && tokens.len() <= MOST_TOKENS
        && words <= 2
        && tokens.iter().any(|token| token.kind == Kind::Word && token.case != Case::Lower)
        && tokens.first().is_some_and(|token| matches!(token.kind, Kind::Word | Kind::Number))
}

/// The token at which the long form begins that lies in `first..end` and ends there.
fn align(tokens: &[Token], folded: &str, short: &str, first: usize, end: usize) -> Option<usize> {
    if first >= end {
        return None;
    }
    let text = range(&tokens[first..end]);
    let start = text.start + long_form(short, &folded[text.clone()])?;
    let long_first = (first..end).find(|&at| tokens[at].end as usize > start)?;
    let words = tokens[long_first..end].iter().filter(|token| token.kind == Kind::Word).count();
    // A long form is longer than its short form and does not hold it.
    let longer = text.end - start > short.len() && words > 0;
    let holds = tokens[long_first..end].iter().any(|token| &folded[token.span().range()] == short);
    (longer && !holds).then_some(long_first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::tokenize;
    use crate::vocabulary::EntryId;

    fn cut(text: &str) -> (Normalized, Vec<Token>) {
        let normalized = Normalized::new(text);
        let mut tokens = Vec::new();
        tokenize(text, &normalized, &mut tokens);
        (normalized, tokens)
    }

    /// Short and long forms as they are folded.
    fn pairs(text: &str) -> Vec<(String, String)> {
        let (normalized, tokens) = cut(text);
        let text =
            |first: u32, last: u32| normalized.folded()[range(&tokens[first as usize..last as usize])].to_owned();
        find(&tokens, normalized.folded())
            .iter()
            .map(|one| (text(one.short_first, one.short_last), text(one.long_first, one.long_last)))
            .collect()
    }

    #[test]
    fn long_forms_before_the_bracket() {
        for (text, short, long) in [
            ("She had an acute kidney injury (AKI) then.", "aki", "acute kidney injury"),
            ("treated for ataxia-telangiectasia (A-T)", "a-t", "ataxia-telangiectasia"),
            ("the interleukin 2 receptor (IL-2R) was", "il-2r", "interleukin 2 receptor"),
            ("Heat shock transcription factor (HSF)", "hsf", "heat shock transcription factor"),
            ("a coronary artery bypass graft (CABG, 1996)", "cabg", "coronary artery bypass graft"),
        ] {
            assert_eq!(pairs(text), [(short.to_owned(), long.to_owned())], "{text}");
        }
    }

    #[test]
    fn long_forms_inside_the_bracket() {
        assert_eq!(
            pairs("had AKI (acute kidney injury) twice"),
            [("aki".to_owned(), "acute kidney injury".to_owned())]
        );
    }

    #[test]
    fn what_is_no_definition() {
        for text in [
            "aspirin (81 mg) daily",
            "the patient (male) slept",
            "renal failure (AKI)",
            "(AKI)",
            "a b. Kidney (AKI",
            "ABC (ABC)",
        ] {
            assert_eq!(pairs(text), [], "{text}");
        }
    }

    #[test]
    fn a_border_ends_the_candidate() {
        assert_eq!(pairs("Acute pain. Kidney injury (AKI)"), []);
    }

    #[test]
    fn short_forms_are_coded_from_their_definition_on() {
        let text = "AKI? Acute kidney injury (AKI) grew; AKI, aki and AKIN.";
        let (normalized, tokens) = cut(text);
        let token_of = |word: &str| {
            tokens.iter().position(|token| &normalized.folded()[token.span().range()] == word).expect("a token") as u32
        };
        let first = token_of("acute");
        let long = Match { first, last: first + 3, entry: EntryId(7) };
        let mut terms = vec![long];
        code(&tokens, normalized.folded(), text, &normalized, &mut terms);
        let texts: Vec<&str> =
            terms.iter().map(|hit| &text[range(&tokens[hit.first as usize..hit.last as usize])]).collect();
        assert_eq!(texts, ["Acute kidney injury", "AKI", "AKI"]);
        assert!(terms.iter().all(|hit| hit.entry == EntryId(7)));
    }

    #[test]
    fn a_longer_match_beats_a_short_form() {
        let text = "Acute kidney injury (AKI). AKI biomarkers";
        let (normalized, tokens) = cut(text);
        let end = tokens.len() as u32;
        let long = Match { first: 0, last: 3, entry: EntryId(7) };
        let other = Match { first: end - 2, last: end, entry: EntryId(9) };
        let mut terms = vec![long, other];
        code(&tokens, normalized.folded(), text, &normalized, &mut terms);
        assert_eq!(terms.iter().map(|hit| hit.entry.0).collect::<Vec<_>>(), [7, 7, 9]);
    }
}
