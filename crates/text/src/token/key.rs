//! Tokens as integer keys, so that one instruction compares them.

use super::{Kind, Token};

/// A byte that occurs in no UTF-8 text.
pub const NO_BYTE: u64 = 0xFF << 56;

/// Returns the key of a word: its first eight bytes, padded with zeros. Words of up to eight bytes are equal if their
/// keys are; a longer word has its first seven bytes and, as the last, a byte that no text has.
pub const fn word_key(word: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let mut at = 0;
    while at < 8 && at < word.len() {
        bytes[at] = word[at];
        at += 1;
    }
    let key = u64::from_le_bytes(bytes);
    if word.len() > 8 { key | NO_BYTE } else { key }
}

/// Returns the key of a token. A run of asterisks has the key of one, because a mark is recognised by its key.
#[inline]
pub fn token_key(folded: &str, token: Token) -> u64 {
    // By length: the mask of the word's bytes, and the bits to set.
    const FORMS: [(u64, u64); 10] = {
        let mut forms = [(!NO_BYTE, NO_BYTE); 10];
        let mut len = 0;
        while len < 9 {
            forms[len] = if len < 8 { ((1 << (8 * len)) - 1, 0) } else { (u64::MAX, 0) };
            len += 1;
        }
        forms
    };
    let start = token.start as usize;
    let width = if token.kind == Kind::Punct { 1 } else { (token.end - token.start) as usize };
    match folded.as_bytes().get(start..start + 8).and_then(<[u8]>::first_chunk) {
        Some(bytes) => {
            let (own, all) = FORMS[width.min(9)];
            u64::from_le_bytes(*bytes) & own | all
        }
        // Near the end of the text.
        _ => word_key(folded.as_bytes().get(start..start + width).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_have_keys_of_their_own() {
        assert_eq!(word_key(b"by"), 0x79_62);
        assert_eq!(word_key(b"admitted"), u64::from_le_bytes(*b"admitted"));
        assert_ne!(word_key(b"a"), word_key(b"aa"));
        assert_eq!(word_key(b"dictation").to_le_bytes(), *b"dictati\xFF");
    }

    #[test]
    fn tokens_have_the_keys_of_their_words() {
        let text = "a dictation ** by";
        let token = |start, end, kind| Token { start, end, kind, ..Token::END };
        assert_eq!(token_key(text, token(0, 1, Kind::Word)), word_key(b"a"));
        assert_eq!(token_key(text, token(2, 11, Kind::Word)), word_key(b"dictation"));
        assert_eq!(token_key(text, token(12, 14, Kind::Punct)), u64::from(b'*'));
        assert_eq!(token_key(text, token(15, 17, Kind::Word)), word_key(b"by"));
    }
}
