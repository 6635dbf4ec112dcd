//! Definitions of short forms in a text.

use memchr::memchr_iter;

use super::Definition;
use crate::text::token::{Case, Kind, Token};
use crate::vocabulary::long_form_start;

/// The maximum length of a short form in bytes, and in tokens (`IL-2R` has four).
const MAX_SHORT_FORM_BYTES: usize = 10;
const MAX_SHORT_FORM_TOKENS: usize = 5;

/// Returns the definitions of a text, in its order: a long form with the short form in brackets, or the reverse.
pub fn find_definitions(tokens: &[Token], folded: &str) -> Vec<Definition> {
    let mut found = Vec::new();
    let mut open = 0;
    for bracket in memchr_iter(b'(', folded.as_bytes()) {
        // A token has at least one byte, which bounds the number of tokens before the bracket and so the search.
        let most = tokens.get(open).map_or(0, |token| bracket.saturating_sub(token.start as usize));
        let ahead = &tokens[open..tokens.len().min(open + most)];
        open += ahead.partition_point(|token| (token.start as usize) < bracket);
        // A bracket inside a placeholder of an earlier scrub is not a token.
        if tokens.get(open).is_none_or(|token| token.start as usize != bracket || token.kind != Kind::Punct) {
            continue;
        }
        // Neither form begins with a punctuation mark.
        if tokens.get(open + 1).is_none_or(|token| token.kind == Kind::Punct) {
            continue;
        }
        // Text after a comma or semicolon inside the brackets is not part of the form.
        let inside = tokens[open + 1..].iter().take(40).position(|token| {
            token.border_before()
                || (token.kind == Kind::Punct && matches!(folded.as_bytes()[token.start as usize], b')' | b',' | b';'))
        });
        let Some(end) = inside.map(|inside| open + 1 + inside) else { continue };
        let before = start_of_long_form_window(tokens, open);
        if may_be_short_form(&tokens[open + 1..end], folded) {
            let short = &folded[byte_range_of_tokens(&tokens[open + 1..end])];
            let words = short.chars().filter(|letter| letter.is_alphanumeric()).count();
            let first = start_of_candidate_words(tokens, before, open, (words + 5).min(words * 2));
            let long_first = align_long_form(tokens, folded, short, first, open);
            if let Some(long_first) = long_first.or_else(|| align_reordered(tokens, folded, short, before, open)) {
                push_definition_and_parts(tokens, folded, new_definition(open + 1, end, long_first, open), &mut found);
            }
        } else {
            // The reverse: the last tokens before the bracket are the short form.
            let first = (before..open)
                .rev()
                .take(MAX_SHORT_FORM_TOKENS)
                .take_while(|&at| at + 1 == open || tokens[at + 1].glued() || is_hyphen(tokens, folded, at))
                .last();
            if let Some(first) = first
                && may_be_short_form(&tokens[first..open], folded)
                && let Some(long_first) =
                    align_long_form(tokens, folded, &folded[byte_range_of_tokens(&tokens[first..open])], open + 1, end)
                && long_first == open + 1
            {
                push_definition_and_parts(tokens, folded, new_definition(first, open, long_first, end), &mut found);
            }
        }
    }
    found
}

fn new_definition(short_first: usize, short_last: usize, long_first: usize, long_last: usize) -> Definition {
    Definition {
        short_first: short_first as u32,
        short_last: short_last as u32,
        long_first: long_first as u32,
        long_last: long_last as u32,
    }
}

/// Adds a definition and, if both forms have two parts joined by a hyphen, those of the parts: "hyperparathyroidism-jaw
/// tumor (HPT-JT)" also defines HPT.
fn push_definition_and_parts(tokens: &[Token], folded: &str, whole: Definition, found: &mut Vec<Definition>) {
    found.push(whole);
    let [short, long] = [(whole.short_first, whole.short_last), (whole.long_first, whole.long_last)]
        .map(|(first, last)| (first as usize, last as usize));
    let is_hyphen = |at: &usize| &folded[tokens[*at].span().range()] == "-";
    let hyphen = |(first, last): (usize, usize)| (first + 1..last - 1).find(is_hyphen);
    let Some((in_short, in_long)) = hyphen(short).zip(hyphen(long)) else { return };
    for (short, long) in [((short.0, in_short), (long.0, in_long)), ((in_short + 1, short.1), (in_long + 1, long.1))] {
        let form = &tokens[short.0..short.1];
        if may_be_short_form(form, folded)
            && align_long_form(tokens, folded, &folded[byte_range_of_tokens(form)], long.0, long.1) == Some(long.0)
        {
            found.push(new_definition(short.0, short.1, long.0, long.1));
        }
    }
}

/// Returns the first token of the sentence or field before `open`, at most forty tokens back. Line breaks are ignored.
fn start_of_long_form_window(tokens: &[Token], open: usize) -> usize {
    let starts = |token: &Token| token.border_before() || (token.sentence_start() && !token.line_start());
    let mut first = open;
    while first > 0 && open - first < 40 && !starts(&tokens[first]) {
        first -= 1;
    }
    first
}

/// Returns the first of at most `words` words before `open`. Hyphens and attached tokens do not count as words.
fn start_of_candidate_words(tokens: &[Token], from: usize, open: usize, words: usize) -> usize {
    let mut first = open;
    let mut seen = 0;
    while first > from && seen < words {
        first -= 1;
        seen += usize::from(tokens[first].kind == Kind::Word && !tokens[first].glued());
    }
    first
}

pub(super) fn byte_range_of_tokens(tokens: &[Token]) -> std::ops::Range<usize> {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => first.start as usize..last.end as usize,
        _ => 0..0,
    }
}

fn is_hyphen(tokens: &[Token], folded: &str, at: usize) -> bool {
    let next = &tokens[at + 1];
    let is = |token: &Token| &folded[token.span().range()] == "-";
    (is(next) || is(&tokens[at])) && next.gap == crate::text::token::Gap::None
}

/// Returns whether tokens may be a short form: 2 to 10 bytes, with a word that has a capital, and a letter or digit in
/// front.
fn may_be_short_form(tokens: &[Token], folded: &str) -> bool {
    let text = &folded[byte_range_of_tokens(tokens)];
    let words = tokens.iter().filter(|token| token.kind == Kind::Word && !token.glued()).count();
    (2..=MAX_SHORT_FORM_BYTES).contains(&text.len())
        && tokens.len() <= MAX_SHORT_FORM_TOKENS
        && words <= 2
        && tokens.iter().any(|token| token.kind == Kind::Word && token.case != Case::Lower)
        && tokens.first().is_some_and(|token| matches!(token.kind, Kind::Word | Kind::Number))
}

/// Returns the first token of the long form that is in `first..end` and ends at `end`.
fn align_long_form(tokens: &[Token], folded: &str, short: &str, first: usize, end: usize) -> Option<usize> {
    if first >= end {
        return None;
    }
    let text = byte_range_of_tokens(&tokens[first..end]);
    let start = text.start + long_form_start(short, &folded[text.clone()])?;
    let long_first = (first..end).find(|&at| tokens[at].end as usize > start)?;
    let words = tokens[long_first..end].iter().filter(|token| token.kind == Kind::Word).count();
    // A long form is longer than its short form and does not contain it.
    let longer = text.end - start > short.len() && words > 0;
    let holds = tokens[long_first..end].iter().any(|token| &folded[token.span().range()] == short);
    (longer && !holds).then_some(long_first)
}

/// Returns the first token of a long form whose initials are the letters of the short form in another order: "myotonic
/// dystrophy (DM)", by its Latin name.
fn align_reordered(tokens: &[Token], folded: &str, short: &str, from: usize, open: usize) -> Option<usize> {
    let mut letters: Vec<u8> = short.bytes().collect();
    let first = open.checked_sub(letters.len()).filter(|&first| first >= from)?;
    let words = &tokens[first..open];
    if !letters.iter().all(u8::is_ascii_alphabetic)
        || words.iter().any(|token| token.kind != Kind::Word || token.glued())
    {
        return None;
    }
    let mut initials: Vec<u8> = words.iter().map(|token| folded.as_bytes()[token.start as usize]).collect();
    letters.sort_unstable();
    initials.sort_unstable();
    (letters == initials).then_some(first)
}
