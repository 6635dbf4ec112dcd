//! The words and numbers of what the caller knows about a patient, folded like those of a note.

use crate::text::normalize::Normalized;
use crate::text::token::{self, Token};

/// Words that precede or follow names and are not part of them.
const TITLES: [&str; 21] = [
    "mr", "mrs", "ms", "miss", "mx", "dr", "prof", "rev", "sir", "sr", "sra", "jr", "ii", "iii", "iv", "md", "phd",
    "rn", "esq", "aka", "nee",
];

/// Returns the folded words of a name, the family name last.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    folded_words(&in_natural_order(name)).into_iter().filter(|word| !TITLES.contains(&word.as_str())).collect()
}

/// Returns "Brown, John Q." as John Q. Brown.
fn in_natural_order(name: &str) -> String {
    match name.split_once(',') {
        Some((last, first)) if first.chars().any(char::is_alphabetic) && !is_title(first) => format!("{first} {last}"),
        _ => name.to_owned(),
    }
}

fn is_title(word: &str) -> bool {
    let folded = folded_words(word);
    folded.iter().all(|word| TITLES.contains(&word.as_str()))
}

/// Returns the words and numbers of a text, folded like those of a note, without apostrophes.
pub(super) fn folded_words(text: &str) -> Vec<String> {
    let mut normalized = Normalized::default();
    normalized.fold(text);
    let mut tokens: Vec<Token> = Vec::new();
    token::tokenize(text, &normalized, &mut tokens);
    let mut words: Vec<String> = Vec::new();
    for token in tokens {
        if !matches!(token.kind, token::Kind::Word | token::Kind::Number) {
            continue;
        }
        let word: String =
            normalized.folded()[token.span().range()].chars().filter(|letter| letter.is_alphanumeric()).collect();
        if word.is_empty() {
            continue;
        }
        // `3rd` is one word here, and so is `A12`.
        if token.glued()
            && let Some(last) = words.last_mut()
        {
            last.push_str(&word);
        } else {
            words.push(word);
        }
    }
    words
}

/// Returns the letters and digits of a text, folded, without what separates them.
pub(super) fn folded_alphanumerics(text: &str) -> Vec<u8> {
    folded_words(text).concat().into_bytes()
}
