//! Roman numerals.

/// Returns whether a word has the letters of a Roman numeral up to thirty-nine, with an optional stage letter: `iv`,
/// `iiia`.
pub(crate) fn is_roman_numeral(word: &[u8]) -> bool {
    let word = match word {
        [rest @ .., b'a'..=b'd'] if !rest.is_empty() => rest,
        _ => word,
    };
    (1..=6).contains(&word.len()) && word.iter().all(|letter| matches!(letter, b'i' | b'v' | b'x'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_numerals() {
        assert!(
            is_roman_numeral(b"iiia")
                && is_roman_numeral(b"iv")
                && !is_roman_numeral(b"a")
                && !is_roman_numeral(b"civil")
        );
    }
}
