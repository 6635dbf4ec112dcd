//! Splits dates into pieces (numbers, words and what is between them), and looks up the words of dates.

/// A run of letters, of digits, or of other characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    Number(&'t str),
    Word(&'t str),
    Gap(&'t str),
}

pub(super) const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Splits a text into pieces.
pub(super) fn split_pieces(text: &str) -> Vec<Piece<'_>> {
    let kind = |letter: char| match letter {
        letter if letter.is_ascii_digit() => 0,
        letter if letter.is_alphabetic() => 1,
        _ => 2,
    };
    let mut pieces = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        let mut end = start + letter.len_utf8();
        while let Some((at, next)) = letters.next_if(|&(_, next)| kind(next) == kind(letter)) {
            end = at + next.len_utf8();
        }
        let piece = &text[start..end];
        pieces.push(match kind(letter) {
            0 => Piece::Number(piece),
            1 => Piece::Word(piece),
            _ => Piece::Gap(piece),
        });
    }
    pieces
}

/// Returns the index of the name that a word stands for: in full, its first three letters, `sept`, or in full with one
/// typing error.
pub(super) fn name_index(names: &[&str], word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    if word.len() < 3 {
        return None;
    }
    let short = |name: &&str| {
        name.starts_with(&word) && (word.len() == 3 || matches!(word.as_str(), "sept" | "tues" | "thur" | "thurs"))
    };
    names.iter().position(|name| *name == word || short(name)).or_else(|| {
        let near = |name: &&str| word.len() >= 5 && crate::patient::is_misspelling_of(name.as_bytes(), word.as_bytes());
        names.iter().position(near)
    })
}

/// Returns whether the word joins two dates or days.
pub(super) fn is_joiner(word: &str) -> bool {
    ["to", "and", "through", "thru", "until", "till", "or", "from", "between"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
}

/// Returns whether the letters are an ordinal suffix: `3rd`.
pub(super) fn is_ordinal(word: &str) -> bool {
    ["st", "nd", "rd", "th"].iter().any(|known| word.eq_ignore_ascii_case(known))
}
