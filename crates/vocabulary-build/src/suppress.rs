//! Suppresses source terms that cause false matches in text.
//!
//! `build` applies it to every term and variant. The rules are those that Hettne, van Mulligen, Schuemie, Schijvenaars
//! and Kors (*Rewriting and suppressing UMLS terms for improved biomedical term identification*, Journal of Biomedical
//! Semantics 2010) measured as safe: they suppress terms that are almost never right. The compiler's own filters handle
//! length and abbreviations.

/// The reason why a term is suppressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Without stop words, it is one character, a number or a Roman numeral.
    ShortToken,
    /// A dose or a strength: "Aspirin 81 MG", "5 % solution".
    Dosage,
    /// It contains an at sign.
    AtSign,
    /// An enzyme number: "EC 1.1.1.1".
    EnzymeNumber,
    /// It states its place in a classification: "not elsewhere classified", NEC.
    Classification,
    /// It is underspecified: "unspecified", NOS. The term without these words is a variant.
    Underspecified,
    /// It begins with "other", or is marked as deprecated, obsolete, unknown or miscellaneous.
    Miscellaneous,
}

impl Reason {
    /// Returns the name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ShortToken => "short token",
            Self::Dosage => "dosage",
            Self::AtSign => "at sign",
            Self::EnzymeNumber => "enzyme number",
            Self::Classification => "classification",
            Self::Underspecified => "underspecified",
            Self::Miscellaneous => "miscellaneous",
        }
    }
}

/// Phrases that state a term's place in a classification.
const CLASSIFICATION: &[&str] =
    &["not elsewhere classified", "nec", "unclassified", "not classifiable", "classified elsewhere", "without mention"];

/// Phrases that state that a detail is unknown.
pub(super) const UNDERSPECIFIED: &[&str] =
    &["not otherwise specified", "nos", "unspecified", "not specified", "type not stated"];

/// First words that mark a term as not a proper name.
const FIRST_WORDS: &[&str] = &["other", "deprecated", "obsolete", "unknown", "miscellaneous", "misc"];

/// Units that make a number a dose.
const UNITS: &[&str] = &[
    "mg", "mcg", "ug", "g", "gm", "ml", "meq", "mmol", "unt", "iu", "unit", "units", "actuat", "mg/ml", "mcg/ml", "%",
];

/// Words without meaning on their own.
const STOP_WORDS: &[&str] = &["the", "a", "an", "of", "and", "or", "in", "on", "at", "to", "for", "with", "by", "no"];

/// Returns why a term must be suppressed; `None` if it may stay.
///
/// ```
/// use notesieve_vocabulary_build::suppress::{Reason, reason_to_suppress};
/// assert_eq!(reason_to_suppress("Other diseases of the lung"), Some(Reason::Miscellaneous));
/// assert_eq!(reason_to_suppress("Aspirin 81 MG"), Some(Reason::Dosage));
/// assert_eq!(reason_to_suppress("Vitamin B 12"), None);
/// ```
pub fn reason_to_suppress(text: &str) -> Option<Reason> {
    if text.contains('@') {
        return Some(Reason::AtSign);
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|character: char| character.is_whitespace() || matches!(character, ',' | ';' | '(' | ')' | '[' | ']'))
        .filter(|word| !word.is_empty())
        .collect();
    if words.first() == Some(&"ec") && words.get(1).is_some_and(|number| is_enzyme_number(number)) {
        return Some(Reason::EnzymeNumber);
    }
    if is_dosage(&words) {
        return Some(Reason::Dosage);
    }
    if words.len() > 1 && words.first().is_some_and(|first| FIRST_WORDS.contains(first)) {
        return Some(Reason::Miscellaneous);
    }
    let sentence = words.join(" ");
    if CLASSIFICATION.iter().any(|phrase| has_phrase(&sentence, phrase)) {
        return Some(Reason::Classification);
    }
    if words.len() > 1 && UNDERSPECIFIED.iter().any(|phrase| has_phrase(&sentence, phrase)) {
        return Some(Reason::Underspecified);
    }
    let mut content = words.iter().filter(|word| !STOP_WORDS.contains(word));
    let short = |word: &&&str| word.chars().count() == 1 || is_number(word) || is_roman(word);
    (content.clone().count() > 0 && content.all(|word| short(&word))).then_some(Reason::ShortToken)
}

fn is_enzyme_number(number: &str) -> bool {
    number.split('.').count() >= 2
        && number.split('.').all(|part| part == "-" || part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        && number.starts_with(|character: char| character.is_ascii_digit())
}

fn is_number(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().all(|byte| byte.is_ascii_digit() || b".,-/".contains(&byte))
}

/// Returns whether the words contain a number and a unit, separate or joined.
fn is_dosage(words: &[&str]) -> bool {
    words.windows(2).any(|pair| is_number(pair[0]) && UNITS.contains(&pair[1]))
        || words.iter().any(|word| {
            let digits = word.trim_start_matches(|character: char| character.is_ascii_digit() || character == '.');
            digits.len() < word.len()
                && word.starts_with(|character: char| character.is_ascii_digit())
                && UNITS.contains(&digits)
                && digits != "g"
        })
}

/// Returns whether a word is a Roman numeral up to 39.
pub(super) fn is_roman(word: &str) -> bool {
    roman_value(word).is_some()
}

/// Roman numerals from 0 to 9.
const ONES: [&str; 10] = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];

/// Returns the value of a lower-case Roman numeral up to 39.
pub(super) fn roman_value(word: &str) -> Option<u32> {
    let tens = word.chars().take_while(|&character| character == 'x').count();
    let ones = &word[tens..];
    let value = ONES.iter().position(|&one| one == ones)? as u32 + 10 * tens as u32;
    (tens <= 3 && value > 0).then_some(value)
}

/// Returns whether a sentence contains a phrase as whole words.
fn has_phrase(sentence: &str, phrase: &str) -> bool {
    sentence.match_indices(phrase).any(|(at, _)| {
        let before = at == 0 || sentence.as_bytes()[at - 1] == b' ';
        let end = at + phrase.len();
        before && (end == sentence.len() || sentence.as_bytes()[end] == b' ')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_and_why() {
        for (text, reason) in [
            ("of 12", Reason::ShortToken),
            ("III", Reason::ShortToken),
            ("the K", Reason::ShortToken),
            ("Aspirin 81 MG Oral Tablet", Reason::Dosage),
            ("Dextrose 5 % solution", Reason::Dosage),
            ("Ibuprofen 200mg", Reason::Dosage),
            ("ADHESIVE @@ tape", Reason::AtSign),
            ("EC 2.7.11.1", Reason::EnzymeNumber),
            ("EC 3.4.-", Reason::EnzymeNumber),
            ("Anemia, not elsewhere classified", Reason::Classification),
            ("Disorders of joints NEC", Reason::Classification),
            ("Pneumonia, unspecified", Reason::Underspecified),
            ("Asthma NOS", Reason::Underspecified),
            ("Other anemias", Reason::Miscellaneous),
            ("Deprecated fever", Reason::Miscellaneous),
        ] {
            assert_eq!(reason_to_suppress(text), Some(reason), "{text}");
        }
    }

    #[test]
    fn what_stays() {
        for text in [
            "Vitamin B 12",
            "Factor VIII",
            "Nose",
            "EC coupling",
            "Necrosis",
            "5-HT",
            "Otherness",
            "Interleukin-2",
            "3g",
            "Type 1 diabetes",
            "Unknown",
            "",
        ] {
            assert_eq!(reason_to_suppress(text), None, "{text}");
        }
    }

    #[test]
    fn roman_numbers() {
        assert_eq!(["i", "iv", "xii", "xxxix"].map(roman_value), [Some(1), Some(4), Some(12), Some(39)]);
        assert_eq!(["", "iiii", "xxxx", "mix"].map(roman_value), [None; 4]);
    }
}
