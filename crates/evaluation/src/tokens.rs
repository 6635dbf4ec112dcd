//! Tokens of the evaluation, and comparison of words.
//!
//! These tokens are coarser than those of the scrubber and independent of its rules: a measure must not change with the
//! system it measures. A token is a maximal run of letters, digits and `_`, including combining marks.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

/// Returns whether a character is a letter or a number (general categories L and N).
pub(crate) fn is_alphanumeric(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    // `char::is_alphanumeric` also includes vowel signs and circled letters, which do not begin a word here.
    let circled = matches!(c, '\u{24B6}'..='\u{24E9}' | '\u{1F130}'..='\u{1F149}' | '\u{1F150}'..='\u{1F169}'
        | '\u{1F170}'..='\u{1F189}');
    c.is_alphanumeric() && !circled && !is_combining_mark(c)
}

fn begins_word(c: char) -> bool {
    c == '_' || is_alphanumeric(c)
}

fn continues_word(c: char) -> bool {
    begins_word(c) || matches!(c, '\u{300}'..='\u{36F}')
}

/// Returns the tokens of a text of code points as pairs of start and end (exclusive).
pub(crate) fn tokenize(text: &[char]) -> Vec<(usize, usize)> {
    let mut found = Vec::with_capacity(text.len() / 6);
    let mut at = 0;
    while at < text.len() {
        if !begins_word(text[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < text.len() && continues_word(text[at]) {
            at += 1;
        }
        found.push((start, at));
    }
    found
}

/// Folds case, close to Unicode's full case folding: upper case and then lower case of each character.
pub(crate) fn fold_case(word: impl IntoIterator<Item = char>) -> String {
    let mut folded = String::new();
    for c in word {
        match c {
            _ if c.is_ascii() => folded.push(c.to_ascii_lowercase()),
            'ı' => folded.push(c),
            _ => folded.extend(c.to_uppercase().flat_map(char::to_lowercase)),
        }
    }
    folded
}

/// Returns whether a word has digits only (decimal digits of any script, superscripts, circled digits).
pub(crate) fn is_digits(word: &str) -> bool {
    static DIGITS: LazyLock<regex::Regex> = LazyLock::new(|| {
        let other = concat!(
            r"\u{B2}\u{B3}\u{B9}\u{1369}-\u{1371}\u{19DA}\u{2070}\u{2074}-\u{2079}\u{2080}-\u{2089}\u{2460}-\u{2468}",
            r"\u{2474}-\u{247C}\u{2488}-\u{2490}\u{24EA}\u{24F5}-\u{24FD}\u{24FF}\u{2776}-\u{277E}\u{2780}-\u{2788}",
            r"\u{278A}-\u{2792}\u{10A40}-\u{10A43}\u{10E60}-\u{10E68}\u{11052}-\u{1105A}\u{1F100}-\u{1F10A}"
        );
        regex::Regex::new(&format!(r"\A[\p{{Nd}}{other}]+\z")).expect("the class of digits is valid")
    });
    if word.is_ascii() {
        return !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    }
    DIGITS.is_match(word)
}

/// Returns a word without case, accents and compatibility forms.
fn plain_form(word: &str) -> String {
    fold_case(word.chars()).nfkd().filter(|&c| canonical_combining_class(c) == 0).collect()
}

/// Returns whether two words differ by at most one letter inserted, deleted, replaced or swapped with its neighbour.
fn within_one_edit(a: &[char], b: &[char]) -> bool {
    a.len().abs_diff(b.len()) <= 1 && strsim::generic_damerau_levenshtein(a, b) <= 1
}

/// Words in gold spans that identify nobody, by category.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GenericWords(HashMap<String, HashSet<String>>);

impl Default for GenericWords {
    /// Returns the words of `generic.toml`.
    fn default() -> Self {
        let lists: HashMap<String, String> =
            toml::from_str(include_str!("generic.toml")).expect("generic.toml is part of the program");
        let set = |words: String| words.split_whitespace().map(str::to_owned).collect();
        Self(lists.into_iter().map(|(category, words)| (category, set(words))).collect())
    }
}

impl GenericWords {
    /// Returns whether `form` (with folded case) is a generic word in spans of this category. If the span is a noisy
    /// copy of `clean`, a generic word of `clean` with one typing error counts too.
    pub fn contains(&self, category: &str, form: &str, clean: Option<&str>) -> bool {
        let Some(words) = self.0.get(category) else { return false };
        if words.contains(form) {
            return true;
        }
        let Some(clean) = clean.filter(|clean| !clean.is_empty()) else { return false };
        let form: Vec<char> = plain_form(form).chars().collect();
        let clean: Vec<char> = clean.chars().collect();
        tokenize(&clean).into_iter().any(|(start, end)| {
            let word = plain_form(&clean[start..end].iter().collect::<String>());
            let letters: Vec<char> = word.chars().collect();
            letters.len() > 2 && words.contains(&word) && within_one_edit(&form, &letters)
        })
    }
}

/// Returns the shape of a word, which reports may show even if the word is PHI.
pub(crate) fn word_shape(text: impl IntoIterator<Item = char>) -> String {
    let letter = |c: char| match c {
        _ if c.is_numeric() => '9',
        _ if c.is_uppercase() => 'A',
        _ if c.is_alphabetic() => 'a',
        _ if c.is_whitespace() => ' ',
        _ => c,
    };
    let mut shape = String::new();
    let mut run = 0;
    for c in text.into_iter().map(letter) {
        run = if shape.ends_with(c) { run + 1 } else { 0 };
        // The length of a long run adds nothing about the kind of word, but may identify a person.
        if run < 4 || !c.is_alphanumeric() {
            shape.push(c);
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let text: Vec<char> = text.chars().collect();
        tokenize(&text).into_iter().map(|(start, end)| text[start..end].iter().collect()).collect()
    }

    #[test]
    fn finds_words() {
        assert_eq!(words("Mr. O'Neil_2, 3/4/05"), ["Mr", "O", "Neil_2", "3", "4", "05"]);
        assert_eq!(words("Jose\u{301} Ⓐb ٣٤"), ["Jose\u{301}", "b", "٣٤"]);
        assert!(words(" .-\u{301}").is_empty());
    }

    #[test]
    fn letters_and_numbers_are_the_general_categories() {
        // Skip characters that the older of the two Unicode tables lacks.
        let class = regex::Regex::new(r"\A[\p{L}\p{N}\p{Cn}]\z").unwrap();
        let unassigned = regex::Regex::new(r"\A\p{Cn}\z").unwrap();
        let mut buffer = [0; 4];
        let differ = ('\0'..='\u{10FFFF}')
            .filter(|c| {
                let text: &str = c.encode_utf8(&mut buffer);
                is_alphanumeric(*c) != class.is_match(text) && !unassigned.is_match(text)
            })
            .count();
        assert_eq!(differ, 0);
    }

    #[test]
    fn folds_case() {
        assert_eq!(fold_case("STRASSE".chars()), fold_case("Straße".chars()));
        assert_eq!(fold_case("ΟΔΟΣ".chars()), fold_case("οδος".chars()));
        assert!(is_digits("٣٤²") && is_digits("12") && !is_digits("½") && !is_digits("1a") && !is_digits(""));
    }

    #[test]
    fn knows_near_words() {
        let near =
            |a: &str, b: &str| super::within_one_edit(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        for (a, b) in [("road", "raod"), ("road", "rod"), ("road", "rroad"), ("road", "roal"), ("road", "road")] {
            assert!(near(a, b) && near(b, a), "{a} {b}");
        }
        assert!(!near("road", "rd") && !near("road", "read2") && !near("abcd", "badc"));
    }

    #[test]
    fn generic_words_identify_nobody() {
        let generic = GenericWords::default();
        assert!(generic.contains("LOCATION", "hospital", None));
        assert!(!generic.contains("NAME", "hospital", None));
        assert!(!generic.contains("LOCATION", "hospitla", None));
        assert!(generic.contains("LOCATION", "hospitla", Some("Quillfeather Hospital")));
        assert!(!generic.contains("LOCATION", "quillfeathre", Some("Quillfeather Hospital")));
    }

    #[test]
    fn shapes_hide_letters() {
        assert_eq!(word_shape("Zoe Quillfeather 3/14/05".chars()), "Aaa Aaaaa 9/99/99");
    }
}
