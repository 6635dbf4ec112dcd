//! Tokenizes a folded text: plain stretches one window at a time, everything else one token at a time.

use super::before::PrecedingToken;
use super::scan::{scan_token, skip_gap};
use super::window::{WINDOW, cut_window};
use super::{Case, Flags, Gap, Kind, Token};
use crate::normalize::Normalized;
use crate::span::Span;

/// A stretch of the folded text that differs from the source only in the case of ASCII letters.
struct PlainStretch {
    /// Its end in the folded text.
    end: usize,
    /// The difference between offsets in the source and in the folded text; wraps.
    shift: usize,
}

impl PlainStretch {
    /// Returns the stretch that contains `at`, or an empty one.
    fn stretch_around(normalized: &Normalized, at: usize, hint: &mut usize) -> Self {
        let (source, end) = normalized.plain_offset(at as u32, hint).unwrap_or((0, at as u32));
        Self { end: end as usize, shift: (source as usize).wrapping_sub(at) }
    }
}

/// Splits a folded text into tokens. `source` is the text before folding; `out` is cleared first.
pub fn tokenize(source: &str, normalized: &Normalized, out: &mut Vec<Token>) {
    out.clear();
    let text = normalized.folded();
    // Prose has one token per four to five bytes.
    out.reserve(text.len() / 4);
    let mut hint = 0;
    let mut plain = PlainStretch { end: 0, shift: 0 };
    let mut before = PrecedingToken::Other;
    let mut at = 0;
    while let Some((gap, start)) = skip_gap(text.as_bytes(), at, out.is_empty()) {
        if start >= plain.end {
            plain = PlainStretch::stretch_around(normalized, start, &mut hint);
        }
        at = cut_token(source, normalized, &plain, gap, start, &mut before, out);
        loop {
            let left = plain.end.saturating_sub(at);
            // The byte before `at` belongs to a plain token too.
            let behind = source.as_bytes().get(at.wrapping_add(plain.shift).wrapping_sub(1)..).unwrap_or_default();
            let padded;
            let bytes = match behind.first_chunk() {
                Some(bytes) if left >= WINDOW => bytes,
                // Padding with blanks is equivalent to the end of the text.
                _ if left > 0 && plain.end == text.len() => {
                    padded = pad_with_blanks(behind.get(..=left).unwrap_or_default());
                    &padded
                }
                _ => break,
            };
            let end = cut_window(bytes, text.as_bytes(), at, &mut before, out);
            if end == at {
                break;
            }
            at = end;
        }
    }
}

/// Pads bytes with blanks for [`cut_window`].
fn pad_with_blanks<const LEN: usize>(bytes: &[u8]) -> [u8; LEN] {
    let mut padded = [b' '; LEN];
    let len = bytes.len().min(LEN);
    padded[..len].copy_from_slice(&bytes[..len]);
    padded
}

/// Reads one token at `start` and returns its end. Not inlined, since [`cut_window`] needs every register.
#[inline(never)]
fn cut_token(
    source: &str,
    normalized: &Normalized,
    plain: &PlainStretch,
    gap: Gap,
    start: usize,
    before: &mut PrecedingToken,
    out: &mut Vec<Token>,
) -> usize {
    let text = normalized.folded();
    let mark = text.as_bytes()[start];
    let (kind, end) = scan_token(text, start, gap);
    let (mut case, mut foreign) = (Case::Lower, 0);
    if end > plain.end || kind == Kind::Word {
        let written = &source[normalized.source_span(Span::new(start as u32, end as u32)).range()];
        case = self::case_of(written);
        if end > plain.end && !is_written_plainly(written) {
            foreign = Flags::FOREIGN;
        }
    }
    let data = if kind == Kind::Punct { u32::from(mark) } else { 0 };
    let flags = Flags(before.flags_of_next(kind, gap, case).0 | foreign);
    *before = PrecedingToken::after_token(kind, mark);
    out.push(Token { start: start as u32, end: end as u32, kind, gap, case, flags, data });
    end
}

fn case_of(written: &str) -> Case {
    // Unicode classifies superscript capital letters as lower case.
    let is_upper = |letter: char| letter.is_uppercase() || matches!(letter, '\u{1D2C}'..='\u{1D42}' | '\u{2C7D}');
    let first = written.chars().next().is_some_and(is_upper);
    let upper = written.chars().filter(|&letter| is_upper(letter)).count();
    let lower = written.chars().filter(|&letter| letter.is_lowercase() && !is_upper(letter)).count();
    match (upper, lower) {
        (0, _) => Case::Lower,
        (_, 0) => Case::Upper,
        (1, _) if first => Case::Capital,
        _ => Case::Mixed,
    }
}

/// Returns whether a token may be copied from the source: ASCII, plain and accented Latin letters, Greek letters,
/// superscript and subscript digits, common typographic marks.
pub fn is_written_plainly(written: &str) -> bool {
    written.bytes().all(|byte| byte.is_ascii_graphic())
        || written.chars().all(|letter| {
            letter.is_ascii_graphic()
                || letter == ' '
                || matches!(letter, '‘' | '’' | '“' | '”' | '–' | '—' | '°' | '±' | '≥' | '≤' | '•' | '·' | '→' | '×')
                || matches!(letter, '²' | '³' | '¹' | '⁰' | '⁴'..='⁹' | '₀'..='₉')
                || matches!(letter, '\u{C0}'..='\u{24F}' | 'α'..='ω' | 'Γ' | 'Δ' | 'Θ' | 'Λ' | 'Σ' | 'Φ' | 'Ω' | 'µ')
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::token::cut_source as tokens;
    use crate::token::scan::ascii_letters;

    fn words(source: &str) -> Vec<String> {
        let (normalized, out) = tokens(source);
        out.iter().map(|token| normalized.folded()[token.span().range()].to_owned()).collect()
    }

    #[test]
    fn cuts_words_numbers_and_marks() {
        assert_eq!(words("Pt's BP 128/72, pH 7.38."), ["pt", "'s", "bp", "128/72", ",", "ph", "7.38", "."]);
        assert_eq!(words("O'Brien's don't 's"), ["o'brien", "'s", "don't", "'", "s"]);
        assert_eq!(words("5mg T12 03MAR2004 q4h"), ["5", "mg", "t", "12", "03", "mar", "2004", "q", "4", "h"]);
        assert_eq!(words("3-4/9 .5 1,000 x"), ["3", "-", "4/9", ".5", "1,000", "x"]);
        assert_eq!(words("**** a_b"), ["****", "a", "_", "b"]);
        assert_eq!(words(""), [""; 0]);
    }

    #[test]
    fn knows_gaps_cases_and_borders() {
        let (_, out) = tokens("Name: McNeil  ROSE\n\nHe fell.\nthen\nShe did. 5mg");
        let seen: Vec<_> = out.iter().map(|t| (t.gap, t.case)).collect();
        assert_eq!(seen[0], (Gap::Paragraph, Case::Capital));
        assert_eq!(seen[2], (Gap::Space, Case::Mixed));
        assert_eq!(seen[3], (Gap::Wide, Case::Upper));
        assert_eq!(seen[4], (Gap::Paragraph, Case::Capital));
        let borders: Vec<_> = out.iter().map(|t| t.border_before()).collect();
        assert!(borders[0] && borders[3] && borders[4]);
        assert!(!borders[7], "a wrapped line goes on");
        assert!(borders[8]);
        assert!(out.last().unwrap().glued());
    }

    /// Returns the result of [`tokenize`], computed one token at a time.
    fn one_by_one(source: &str) -> Vec<Token> {
        let normalized = Normalized::new(source);
        let (mut out, mut hint, mut at) = (Vec::new(), 0, 0);
        let mut before = PrecedingToken::Other;
        while let Some((gap, start)) = skip_gap(normalized.folded().as_bytes(), at, out.is_empty()) {
            let plain = PlainStretch::stretch_around(&normalized, start, &mut hint);
            at = cut_token(source, &normalized, &plain, gap, start, &mut before, &mut out);
        }
        out
    }

    proptest! {
        #[test]
        fn many_at_once_are_those_that_come_one_by_one(
            source in "([a-zA-Z]{1,9}|[0-9]{1,3}|'s|'S|[.,/:*'é!?\\n\\r\\t _-]|\\n\\n| {1,3}){0,120}"
        ) {
            let (_, out) = tokens(&source);
            prop_assert_eq!(out, one_by_one(&source));
        }

        #[test]
        fn marks_in_any_order_are_those_that_come_one_by_one(source in "[aS'5.:* \\n]{0,200}") {
            let (_, out) = tokens(&source);
            prop_assert_eq!(out, one_by_one(&source));
        }

        #[test]
        fn sixteen_bytes_at_once_are_as_good_as_one(source in "[a-zA-Z' @\\[`{é-]{0,40}", start in 0..20_usize) {
            let bytes = source.as_bytes();
            let end = (start..bytes.len()).find(|&at| !bytes[at].is_ascii_alphabetic()).unwrap_or(bytes.len());
            if start < bytes.len() {
                prop_assert_eq!(ascii_letters(bytes, start), end);
            }
        }

        #[test]
        fn gaps_and_tokens_tile_the_text(source in "[\\PC\\n\\t ]{0,60}") {
            let (normalized, out) = tokens(&source);
            let text = normalized.folded();
            let mut at = 0;
            for token in &out {
                let gap = &text[at..token.start as usize];
                prop_assert!(gap.bytes().all(|b| b" \t\r\n\x0b\x0c".contains(&b)));
                prop_assert!(token.end > token.start);
                prop_assert!(text.is_char_boundary(token.end as usize));
                at = token.end as usize;
            }
            prop_assert!(text[at..].bytes().all(|b| b" \t\r\n\x0b\x0c".contains(&b)));
        }
    }
}
