//! Variants that change the order or the grammatical number of words.

use std::sync::LazyLock;

use crate::suppress::UNDERSPECIFIED;
use notesieve_text::{bundled_list, words_of_file};
use notesieve_vocabulary::long_form_start;

/// Semantic tags of SNOMED CT and other sources, in parentheses after a term.
const TAGS: &[&str] = words_of_file!("../words/tags.txt");

/// Words that do not begin a modifier: a part after the comma that begins with one is no inversion.
const CONNECTIVES: &[&str] = words_of_file!("../words/connectives.txt");

/// Words that follow the head of a term.
const PREPOSITIONS: &[&str] =
    &["of", "in", "with", "due", "to", "for", "from", "by", "on", "at", "without", "during", "after", "before", "as"];

/// Words that follow the head of a term, with or without a comma.
const WORDS_AFTER_HEAD: &[&str] =
    &["type", "stage", "grade", "class", "with", "without", "due", "acute", "chronic", "congenital", "familial"];

/// Singular and plural of the words that no rule makes, by their columns.
static IRREGULAR: LazyLock<Vec<[&str; 2]>> = LazyLock::new(|| bundled_list!("irregular-plurals.txt").rows('|', Ok));
const ONE: usize = 0;
const MANY: usize = 1;

/// Words that end in s but are not plurals.
const SINGULARS_IN_S: &[&str] = words_of_file!("../words/no-plural.txt");

/// Removes qualifiers without meaning: NOS, semantic tags, square brackets.
pub(super) fn without_qualifiers(text: &str) -> Vec<String> {
    let mut rest = text.trim();
    loop {
        let before = rest;
        if let Some((_, inner)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            rest = inner.trim_start();
        }
        if let Some((outer, _)) = rest.strip_suffix(']').and_then(|rest| rest.rsplit_once(" [")) {
            rest = outer.trim_end();
        }
        if let Some((outer, tag)) = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("))
            && TAGS.contains(&tag.to_lowercase().as_str())
        {
            rest = outer.trim_end();
        }
        for phrase in UNDERSPECIFIED {
            let cut = rest.len().checked_sub(phrase.len()).filter(|&cut| cut > 0 && rest.is_char_boundary(cut));
            if let Some(cut) = cut
                && rest[cut..].eq_ignore_ascii_case(phrase)
                && rest[..cut].ends_with([' ', ','])
            {
                rest = rest[..cut].trim_end_matches([' ', ',', '-']);
            }
        }
        if rest == before {
            break;
        }
    }
    if rest == text || rest.is_empty() { Vec::new() } else { vec![rest.to_owned()] }
}

/// Splits a term with an abbreviation in parentheses into the long form and the abbreviation.
pub(super) fn split_expansion(text: &str) -> Vec<String> {
    let Some((long, short)) = text.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) else { return Vec::new() };
    let capitals = short.chars().filter(|letter| letter.is_uppercase()).count();
    let sound = (2..=10).contains(&short.len()) && capitals >= 2 && !short.contains(' ');
    if sound && long_form_start(&short.to_lowercase(), &long.to_lowercase()) == Some(0) {
        vec![long.to_owned(), short.to_owned()]
    } else {
        Vec::new()
    }
}

/// Returns the natural order of an inverted term. The comma of an inversion is followed by a space; commas in chemical
/// names are not.
pub(super) fn uninverted(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split(", ").map(str::trim).collect();
    let modifier = |part: &&str| {
        let first = part.split([' ', '-']).next().unwrap_or_default().to_lowercase();
        !first.is_empty() && !CONNECTIVES.contains(&first.as_str())
    };
    let inverted = (2..=4).contains(&parts.len()) && parts.iter().all(modifier) && !text.contains([';', ':']);
    if inverted { vec![parts.iter().rev().copied().collect::<Vec<_>>().join(" ")] } else { Vec::new() }
}

/// Returns a term like "Diabetes Mellitus, Type 2" without its comma.
pub(super) fn without_comma(text: &str) -> Vec<String> {
    let Some((head, rest)) = text.split_once(", ") else { return Vec::new() };
    let first = rest.split(' ').next().unwrap_or_default().to_lowercase();
    if rest.contains(',') || !WORDS_AFTER_HEAD.contains(&first.as_str()) {
        return Vec::new();
    }
    vec![format!("{head} {rest}")]
}

/// Returns the term with its head in the other grammatical number.
pub(super) fn with_other_grammatical_number(text: &str) -> Vec<String> {
    if text.contains(", ") {
        return Vec::new();
    }
    let words: Vec<&str> = text.split(' ').collect();
    let stop = words.iter().skip(1).position(|word| PREPOSITIONS.contains(&word.to_lowercase().as_str()));
    let head = stop.map_or(words.len(), |stop| stop + 1) - 1;
    let other = |form: Option<String>| {
        let form = form?;
        let mut all: Vec<&str> = words.clone();
        all[head] = &form;
        Some(all.join(" "))
    };
    let is_plural = singular(words[head]);
    if is_plural.is_some() { other(is_plural) } else { other(plural(words[head])) }.into_iter().collect()
}

/// Returns whether a word can be inflected: letters (with hyphens), at least one vowel, not in capitals. Without a
/// vowel it is an abbreviation in any case, and without its last letter it would be another: *Dcms*.
fn is_inflectable(word: &str) -> bool {
    let last = word.rsplit('-').next().unwrap_or_default();
    word.len() >= 4
        && last.len() >= 3
        && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
        && last.bytes().skip(1).all(|byte| byte.is_ascii_lowercase())
        && last.bytes().any(|byte| b"aeiouy".contains(&byte.to_ascii_lowercase()))
}

/// Replaces the ending of the last part of a word according to a table of irregular forms.
fn replace_irregular_ending(word: &str, from: usize, to: usize) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    IRREGULAR.iter().find_map(|pair| {
        let stem = lower.strip_suffix(pair[from])?;
        let whole = stem.is_empty() || stem.ends_with('-');
        // Keep the case of the first letter.
        whole.then(|| format!("{}{}{}", &word[..stem.len()], &word[stem.len()..=stem.len()], &pair[to][1..]))
    })
}

/// Returns the singular of a word; `None` if it is not a plural.
///
/// ```
/// use notesieve_vocabulary_build::variants::singular;
/// assert_eq!(singular("Diagnoses").as_deref(), Some("Diagnosis"));
/// assert_eq!(singular("diabetes"), None);
/// ```
pub fn singular(word: &str) -> Option<String> {
    if !is_inflectable(word) {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    let last = lower.rsplit('-').next().unwrap_or_default();
    if SINGULARS_IN_S.contains(&last) {
        return None;
    }
    if let Some(form) =
        replace_irregular_ending(word, MANY, ONE).filter(|form| form.as_bytes()[0] == word.as_bytes()[0])
    {
        return Some(form);
    }
    let cut = |letters: usize, end: &str| Some(format!("{}{end}", &word[..word.len() - letters]));
    let ends = |end: &str| lower.ends_with(end);
    if ends("omata") {
        cut(2, "")
    } else if ends("ies") && lower.len() > 4 {
        cut(3, "y")
    } else if ends("oses") || ends("yses") || ends("eses") || ends("ases") && ends("stases") {
        // "doses" and "noses" do not come from -osis.
        if lower.len() > 6 { cut(2, "is") } else { cut(1, "") }
    } else if ["sses", "shes", "ches", "xes", "zzes"].iter().any(|end| ends(end)) {
        cut(2, "")
    } else if ends("s") && !["ss", "us", "is", "as", "os"].iter().any(|end| ends(end)) || ends("mas") || ends("ias") {
        cut(1, "")
    } else {
        None
    }
}

/// Returns the plural of a word; `None` if it has none.
///
/// ```
/// use notesieve_vocabulary_build::variants::plural;
/// assert_eq!(plural("Biopsy").as_deref(), Some("Biopsies"));
/// ```
pub fn plural(word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let last = lower.rsplit('-').next().unwrap_or_default();
    if !is_inflectable(word) || SINGULARS_IN_S.contains(&last) {
        return None;
    }
    if let Some(form) = replace_irregular_ending(word, ONE, MANY) {
        return Some(form);
    }
    let cut = |letters: usize, end: &str| Some(format!("{}{end}", &word[..word.len() - letters]));
    let ends = |end: &str| lower.ends_with(end);
    let vowel = lower.as_bytes()[lower.len() - 2];
    if ends("itis") || ends("us") || ends("ae") || ends("ics") {
        None
    } else if ends("sis") || ends("xis") {
        cut(2, "es")
    } else if ends("y") && !b"aeiou".contains(&vowel) {
        cut(1, "ies")
    } else if ["ss", "x", "z", "ch", "sh"].iter().any(|end| ends(end)) {
        cut(0, "es")
    } else if ends("s") {
        None
    } else {
        cut(0, "s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_words() {
        for (one, many) in [
            ("Neoplasm", "Neoplasms"),
            ("biopsy", "biopsies"),
            ("Diagnosis", "Diagnoses"),
            ("metastasis", "metastases"),
            ("abscess", "abscesses"),
            ("reflex", "reflexes"),
            ("Vertebra", "Vertebrae"),
            ("foot", "feet"),
            ("B-cell", "B-cells"),
            ("dose", "doses"),
            ("disease", "diseases"),
            ("carcinoma", "carcinomas"),
            ("anemia", "anemias"),
        ] {
            assert_eq!(singular(many).as_deref(), Some(one), "{many}");
            assert_eq!(plural(one).as_deref(), Some(many), "{one}");
        }
        assert_eq!(singular("carcinomata").as_deref(), Some("carcinoma"));
        for word in ["diabetes", "pancreas", "arthritis", "AIDS", "virus", "abscess", "IL-2", "gas", "Dcms"] {
            assert_eq!(singular(word), None, "{word}");
        }
        for word in ["arthritis", "AIDS", "series", "DNA", "x1", "Dcmq"] {
            assert_eq!(plural(word), None, "{word}");
        }
    }
}
