//! Variants that change letters: spelling, Greek letters, numerals, joined words, possessives.

use std::sync::LazyLock;

use notesieve_text::bundled_list;
use regex::Regex;

use crate::suppress::roman_value;

/// American and British pieces of words, whole words, and ends of words.
static ENGLISH: LazyLock<[Vec<[&str; 2]>; 3]> = LazyLock::new(|| {
    let lists =
        [bundled_list!("english/pieces.txt"), bundled_list!("english/words.txt"), bundled_list!("english/ends.txt")];
    lists.map(|list| list.rows('|', Ok))
});

/// Greek letters by name, and as letters.
static GREEK: LazyLock<Vec<[&str; 2]>> = LazyLock::new(|| bundled_list!("greek.txt").rows('|', Ok));

/// Words after which a numeral may be Roman or Arabic.
const NUMBERED: &[&str] = &["type", "types", "stage", "grade", "class", "phase", "group", "factor", "degree", "level"];

/// Prefixes that are written with or without a hyphen.
const PREFIXES: &[&str] = &[
    "ante", "anti", "auto", "bio", "cardio", "co", "counter", "electro", "endo", "extra", "gastro", "hyper", "hypo",
    "immuno", "inter", "intra", "macro", "micro", "mid", "multi", "neo", "neuro", "non", "over", "para", "peri",
    "poly", "post", "pre", "pro", "pseudo", "radio", "re", "retro", "semi", "sub", "super", "supra", "trans", "tri",
    "ultra", "un", "under", "x", "psycho", "broncho", "hemo", "myo", "osteo", "thrombo", "cerebro", "vaso",
];

/// Matches every part and word of both spellings. `oedema` starts before the `edema` in it, so it is found first.
static SPELLING_PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let sides = |pairs: &Vec<[&str; 2]>| {
        pairs.iter().flat_map(|&[american, british]| [british, american]).collect::<Vec<_>>().join("|")
    };
    let [pieces, words, blood] = ENGLISH.each_ref().map(sides);
    Regex::new(&format!(r"(?-u:{pieces}|(?:{blood})\b|\b(?:{words})\b)")).ok()
});

/// Returns the term with all words in British spelling, and with all in American spelling.
pub(super) fn other_english_spelling(text: &str) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let Some(both) = SPELLING_PATTERN.as_ref().filter(|both| both.is_match(&lower)) else { return Vec::new() };
    let mut forms = Vec::new();
    for to_british in [true, false] {
        let mut form = String::with_capacity(text.len() + 8);
        let mut copied = 0;
        for found in both.find_iter(&lower) {
            let pair = ENGLISH.iter().flatten().find(|pair| pair.contains(&found.as_str()));
            let Some(&[american, british]) = pair else { continue };
            let piece = if to_british { british } else { american };
            form.push_str(&text[copied..found.start()]);
            // Keep an initial capital.
            let capital = text.as_bytes()[found.start()].is_ascii_uppercase();
            form.push_str(&if capital { piece[..1].to_ascii_uppercase() } else { piece[..1].to_owned() });
            form.push_str(&piece[1..]);
            copied = found.end();
        }
        form.push_str(&text[copied..]);
        if !form.eq_ignore_ascii_case(text) {
            forms.push(form);
        }
    }
    forms
}

/// Returns the term with Greek letter names as symbols, or symbols as names.
pub(super) fn with_other_greek_form(text: &str) -> Vec<String> {
    let form = map_words(text, |word| {
        let lower = word.to_lowercase();
        GREEK.iter().find_map(|&[name, letter]| {
            if lower == name {
                Some(letter.to_owned())
            } else if lower == letter {
                Some(name.to_owned())
            } else {
                None
            }
        })
    });
    if form == text { Vec::new() } else { vec![form] }
}

/// Converts Roman numerals to Arabic, or the reverse, after "type", "stage" and similar words, and a Roman numeral of
/// two letters or more at the end.
pub(super) fn with_other_numerals(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split(' ').collect();
    if words.len() < 2 {
        return Vec::new();
    }
    let mut changed = false;
    let mut form: Vec<String> = Vec::with_capacity(words.len());
    for (at, &word) in words.iter().enumerate() {
        let bare = word.trim_end_matches(',');
        let numbered = at > 0 && NUMBERED.contains(&words[at - 1].to_lowercase().as_str());
        let at_end = at + 1 == words.len() && at > 0 && bare.len() >= 2;
        let upper = bare.bytes().all(|byte| byte.is_ascii_uppercase());
        let value = roman_value(&bare.to_ascii_lowercase()).filter(|_| upper && (numbered || at_end));
        let other = match (value, bare.parse::<u32>()) {
            (Some(value), _) => Some(value.to_string()),
            (None, Ok(number)) if numbered && (1..=39).contains(&number) => Some(to_roman(number)),
            _ => None,
        };
        changed |= other.is_some();
        form.push(other.map_or_else(|| word.to_owned(), |other| word.replacen(bare, &other, 1)));
    }
    if changed { vec![form.join(" ")] } else { Vec::new() }
}

fn to_roman(number: u32) -> String {
    const ONES: [&str; 10] = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    format!("{}{}", "X".repeat(number as usize / 10), ONES[number as usize % 10])
}

/// Removes the hyphen after a prefix.
pub(super) fn without_hyphen(text: &str) -> Vec<String> {
    let mut form = text.to_owned();
    let mut at = 0;
    while let Some(hyphen) = form[at..].find('-').map(|found| found + at) {
        let start = form[..hyphen].rfind(|letter: char| !letter.is_ascii_alphabetic()).map_or(0, |before| before + 1);
        let rest = form[hyphen + 1..].split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
        if form.is_char_boundary(start)
            && PREFIXES.contains(&form[start..hyphen].to_ascii_lowercase().as_str())
            && rest.len() >= 3
            && rest.bytes().all(|byte| byte.is_ascii_lowercase())
        {
            form.remove(hyphen);
            at = hyphen;
        } else {
            at = hyphen + 1;
        }
    }
    if form == text { Vec::new() } else { vec![form] }
}

/// Removes the apostrophe of a possessive.
pub(super) fn without_apostrophe(text: &str) -> Vec<String> {
    let form = text.replace("'s ", "s ").replace("\u{2019}s ", "s ");
    if form == text { Vec::new() } else { vec![form] }
}

/// Replaces words, that is, runs of letters, and copies everything between them.
fn map_words(text: &str, change: impl Fn(&str) -> Option<String>) -> String {
    let mut form = String::with_capacity(text.len() + 8);
    let mut word_start = 0;
    let mut in_word = false;
    let flush = |form: &mut String, word: &str| match change(word) {
        Some(other) => form.push_str(&other),
        None => form.push_str(word),
    };
    for (at, character) in text.char_indices() {
        if character.is_alphabetic() != in_word {
            if in_word {
                flush(&mut form, &text[word_start..at]);
            }
            word_start = at;
            in_word = !in_word;
        }
        if !in_word {
            form.push(character);
        }
    }
    if in_word {
        flush(&mut form, &text[word_start..]);
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_of_all_words() {
        assert_eq!(other_english_spelling("Edema of Esophageal Tumors"), ["Oedema of Oesophageal Tumours"]);
        assert_eq!(other_english_spelling("Leukaemia in Paediatrics"), ["Leukemia in Pediatrics"]);
        assert_eq!(other_english_spelling("Center for Hemophilia"), ["Centre for Haemophilia"]);
        assert_eq!(other_english_spelling("Oedema"), ["Edema"]);
        assert!(other_english_spelling("Colorectal Hemisphere").is_empty());
    }

    #[test]
    fn text_between_words_stays() {
        assert_eq!(map_words("a-b é 3c", |word| (word == "c").then(|| "x".to_owned())), "a-b é 3x");
    }
}
