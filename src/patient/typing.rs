//! Typing errors.

/// Returns whether two words differ by at most one typing error: a letter inserted, deleted or replaced, or two
/// neighbours swapped.
pub(crate) fn is_misspelling_of(one: &[u8], other: &[u8]) -> bool {
    // In words of three letters or more, one error leaves the first or the last letter unchanged.
    let other_ends = || one.len() > 2 && one.first() != other.first() && one.last() != other.last();
    if one.len().abs_diff(other.len()) > 1 || other_ends() {
        return false;
    }
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let front = short.iter().zip(long).take_while(|(one, other)| one == other).count();
    let back = short[front..].iter().rev().zip(long[front..].iter().rev()).take_while(|(one, other)| one == other);
    let left = short.len() - front - back.count();
    match (left, long.len() - short.len()) {
        (0, _) | (1, 0) => true,
        (2, 0) => short[front] == long[front + 1] && short[front + 1] == long[front],
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_typing_error() {
        for near in ["brown", "bown", "browwn", "brwon", "rbown", "brownd", "brawn", "rown", "browns"] {
            assert!(is_misspelling_of(b"brown", near.as_bytes()), "{near}");
        }
        for far in ["bowm", "bro", "brawns", "nworb", "borwm", "prows"] {
            assert!(!is_misspelling_of(b"brown", far.as_bytes()), "{far}");
        }
        for (near, short) in [("ba", "ab"), ("b", "a"), ("", "a"), ("ct", "act"), ("cat", "act"), ("acd", "act")] {
            assert!(is_misspelling_of(near.as_bytes(), short.as_bytes()), "{near}");
        }
    }
}
