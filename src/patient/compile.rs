//! Compiles the names, numbers and addresses of a patient into words and runs to search for.

use super::words::{folded_alphanumerics, folded_words, name_words};
use super::{Code, Patient};
use crate::finding::Kind;

/// Parts of names that are not names by themselves, and function words that are also names; they count only next to
/// another name.
const WEAK_NAME_WORDS: [&str; 54] = [
    "van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "das", "du", "la", "le", "el", "al", "bin",
    "ibn", "ben", "ter", "ten", "st", "san", "mac", "mc", "an", "as", "at", "be", "by", "do", "go", "he", "in", "is",
    "it", "me", "no", "of", "on", "or", "so", "to", "up", "us", "we", "the", "and", "for", "not", "her", "she", "his",
    "has",
];

/// The minimum length of a code; shorter runs of digits occur in every note.
const MIN_CODE_LENGTH: usize = 4;

impl Patient {
    pub(super) fn add_name(&mut self, name: &str) {
        let words = name_words(name);
        for word in &words {
            if word.chars().count() < 2 || WEAK_NAME_WORDS.contains(&word.as_str()) {
                self.weak.push(word.as_bytes().into());
            } else {
                self.words.push(word.as_bytes().into());
            }
        }
        if words.len() < 2 {
            return;
        }
        let letters: Vec<u8> = words.iter().filter_map(|word| word.bytes().next()).collect();
        let (first, last) = (letters[0], letters[letters.len() - 1]);
        let mut orders = vec![vec![first, last], vec![last, first]];
        if letters.len() > 2 {
            orders.push(letters.clone());
            let mut index = vec![last];
            index.extend(&letters[..letters.len() - 1]);
            orders.push(index);
        }
        self.initials.extend(orders.into_iter().map(Into::into));
        // An initial next to a name is part of it.
        self.weak.extend(letters.iter().map(|&letter| Box::from([letter])));
        let (given, family) = (words[0].as_str(), words[words.len() - 1].as_str());
        let joined = [
            format!("{given}{family}"),
            format!("{family}{given}"),
            format!("{}{family}", &given[..given.chars().next().map_or(0, char::len_utf8)]),
            format!("{family}{}", &given[..given.chars().next().map_or(0, char::len_utf8)]),
        ];
        self.compounds.extend(joined.into_iter().filter(|word| word.len() > 4).map(|word| word.into_bytes().into()));
        // Ann-Marie and O'Brien are also written as one word.
        for (one, other) in words.iter().zip(&words[1..]) {
            let pair = format!("{one}{other}");
            if pair.len() > 4 {
                self.compounds.push(pair.into_bytes().into());
            }
        }
    }

    pub(super) fn add_code(&mut self, text: &str, kind: Kind) {
        let run = folded_alphanumerics(text);
        self.push_code_unless_short(without_zeros(&run), kind);
        // "MR-0048812" is also written without its letters.
        if !run.iter().all(u8::is_ascii_digit) && matches!(kind, Kind::Record | Kind::OtherId) {
            let number = run.split(|byte| !byte.is_ascii_digit()).max_by_key(|digits| digits.len()).unwrap_or_default();
            if number.len() > MIN_CODE_LENGTH {
                self.push_code_unless_short(without_zeros(number), kind);
            }
        }
    }

    pub(super) fn push_code_unless_short(&mut self, run: &[u8], kind: Kind) {
        if run.len() >= MIN_CODE_LENGTH {
            self.codes.push(Code { run: run.into(), kind, fuzzy: run.len() >= 7 });
        }
    }

    pub(super) fn add_phone(&mut self, phone: &str) {
        // "617-555-0123 ext. 12" and "617 555 0123 (home)": letters are not part of the number.
        let digits: Vec<u8> = folded_alphanumerics(phone).into_iter().filter(u8::is_ascii_digit).collect();
        self.push_code_unless_short(without_zeros(&digits), Kind::Phone);
        for length in [10, 7] {
            if digits.len() > length {
                let tail = &digits[digits.len() - length..];
                self.push_code_unless_short(without_zeros(tail), Kind::Phone);
            }
        }
    }

    pub(super) fn add_address(&mut self, address: &str) {
        let run = folded_alphanumerics(address);
        if run.len() >= 7 {
            self.push_code_unless_short(&run, Kind::Street);
        }
        for word in folded_words(address) {
            let postal = word.len() == 5 && word.bytes().all(|byte| byte.is_ascii_digit());
            if postal {
                self.codes.push(Code { run: without_zeros(word.as_bytes()).into(), kind: Kind::Zip, fuzzy: false });
            }
            self.places.push(word.into_bytes().into());
        }
    }

    pub(super) fn add_other(&mut self, other: &str) {
        let kind = if other.contains('@') { Kind::Email } else { Kind::OtherId };
        self.add_code(other, kind);
        let words = folded_words(other);
        if let [one, two] = words.as_slice() {
            self.add_code(&format!("{two}{one}"), kind);
        }
    }

    pub(super) fn add_birth_date(&mut self, (year, month, day): (i32, u32, u32)) {
        let short = year.rem_euclid(100);
        let mut forms = Vec::new();
        for year in [format!("{year}"), format!("{short:02}")] {
            for month in [format!("{month:02}"), format!("{month}")] {
                for day in [format!("{day:02}"), format!("{day}")] {
                    forms.push(format!("{year}{month}{day}"));
                    forms.push(format!("{month}{day}{year}"));
                    forms.push(format!("{day}{month}{year}"));
                }
            }
        }
        for form in forms {
            let run = without_zeros(form.as_bytes());
            // Shorter runs of digits are too common; with separators, the rules recognise such a date by its form.
            if form.len() >= 6 && run.len() >= 5 {
                self.codes.push(Code { run: run.into(), kind: Kind::Date, fuzzy: false });
            }
        }
    }
}

/// Strips leading zeros from a number, if enough digits remain.
fn without_zeros(run: &[u8]) -> &[u8] {
    let zeros = run.iter().take_while(|&&byte| byte == b'0').count();
    let all_digits = run.iter().all(u8::is_ascii_digit);
    if all_digits && run.len() - zeros >= MIN_CODE_LENGTH { &run[zeros..] } else { run }
}
