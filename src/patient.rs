//! What the caller knows of a patient: names, numbers, addresses that must not come out of this patient's notes.
//!
//! A patient is compiled once, when it is made, into the words and runs of letters and digits that `rules::known` looks
//! for in each note. Nothing here depends on a vocabulary.

use std::fmt;

use crate::calendar::Day;
use crate::error::{Error, Result};
use crate::finding::Kind;
use crate::normalize::Normalized;
use crate::token::{self, Token};

/// What is known of a patient, as the caller writes it.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Known {
    /// The number by which the caller tells patients apart: shifts and surrogates are drawn from it and the key.
    pub id: Option<String>,
    /// Names of the patient: `John Q. Brown`, `Brown, John`, a maiden name, a nickname.
    pub names: Vec<String>,
    /// The medical record number.
    pub mrn: Option<String>,
    /// The date of birth: year, month, day.
    pub birth_date: Option<(i32, u32, u32)>,
    /// Telephone numbers.
    pub phones: Vec<String>,
    /// Postal addresses.
    pub addresses: Vec<String>,
    /// Anything else that stands for this patient: e-mail addresses, account numbers, an employer, names of relatives.
    pub other: Vec<String>,
}

/// A run of letters and digits, whatever marks and blanks stand between them.
#[derive(Clone)]
pub(crate) struct Code {
    pub(crate) run: Box<[u8]>,
    pub(crate) kind: Kind,
    /// Whether one typing error is allowed for.
    pub(crate) fuzzy: bool,
}

/// A patient, ready to be looked for in notes.
#[derive(Clone, Default)]
pub struct Patient {
    known: Known,
    /// Words of names, each a name wherever it stands.
    pub(crate) words: Vec<Box<[u8]>>,
    /// Words of names that are names only beside another: `van`, `no`, initials.
    pub(crate) weak: Vec<Box<[u8]>>,
    /// First and last name written as one word: `johnbrown`, `jbrown`.
    pub(crate) compounds: Vec<Box<[u8]>>,
    /// Initials in the orders in which they are written.
    pub(crate) initials: Vec<Box<[u8]>>,
    /// Words of addresses.
    pub(crate) places: Vec<Box<[u8]>>,
    /// Numbers, codes and phrases.
    pub(crate) codes: Vec<Code>,
    /// The longest of them, in bytes.
    pub(crate) longest_code: usize,
    /// Short forms of hospitals and wards, in capitals in the note: `MGH`, `4W`.
    pub(crate) labels: Vec<(Box<[u8]>, Kind)>,
}

impl fmt::Debug for Patient {
    /// How much is known, never what.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary())
    }
}

impl PartialEq for Patient {
    fn eq(&self, other: &Self) -> bool {
        self.known == other.known
    }
}

impl Eq for Patient {}

/// Words that stand before and after names and are no part of them.
const TITLES: [&str; 21] = [
    "mr", "mrs", "ms", "miss", "mx", "dr", "prof", "rev", "sir", "sr", "sra", "jr", "ii", "iii", "iv", "md", "phd",
    "rn", "esq", "aka", "nee",
];

/// Parts of names that are no name alone, and function words that are names too: they count only beside another name.
const WEAK: [&str; 54] = [
    "van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "das", "du", "la", "le", "el", "al", "bin",
    "ibn", "ben", "ter", "ten", "st", "san", "mac", "mc", "an", "as", "at", "be", "by", "do", "go", "he", "in", "is",
    "it", "me", "no", "of", "on", "or", "so", "to", "up", "us", "we", "the", "and", "for", "not", "her", "she", "his",
    "has",
];

/// A short run of digits is in every note.
const SHORTEST_CODE: usize = 4;

impl Patient {
    /// Compiles what is known. Errors name the field that cannot be used, never its value.
    pub fn new(known: Known) -> Result<Self> {
        let mut patient = Self { known, ..Self::default() };
        patient.check()?;
        let known = patient.known.clone();
        for name in &known.names {
            patient.add_name(name);
        }
        if let Some(id) = &known.id {
            // A pseudonym of the caller's own making, `a` or `7`, says nothing and is in every note.
            if id.bytes().any(|byte| byte.is_ascii_digit()) {
                patient.add_code(id, Kind::OtherId);
            }
        }
        if let Some(mrn) = &known.mrn {
            patient.add_code(mrn, Kind::Record);
        }
        for phone in &known.phones {
            patient.add_phone(phone);
        }
        for address in &known.addresses {
            patient.add_address(address);
        }
        for other in &known.other {
            patient.add_other(other);
        }
        if let Some(date) = known.birth_date {
            patient.add_birth_date(date);
        }
        patient.sort();
        Ok(patient)
    }

    /// Compiles what a site knows of its staff and places.
    pub(crate) fn site(doctors: &[String], hospitals: &[String], wards: &[String]) -> Self {
        let mut site = Self::default();
        for name in doctors {
            site.add_name(name);
        }
        // The initials of all doctors together are half of all pairs of letters.
        site.initials.clear();
        for (names, kind) in [(hospitals, Kind::Hospital), (wards, Kind::Ward)] {
            for name in names {
                let run = run_of(name);
                if run.len() < 5 {
                    site.labels.push((run.into(), kind));
                } else {
                    site.push_code(&run, kind);
                }
            }
        }
        site.sort();
        site
    }

    /// Whether a folded word is one of the patient's names or places.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        let word = word.as_bytes();
        self.words.iter().chain(&self.places).any(|known| **known == *word)
    }

    fn sort(&mut self) {
        let patient = self;
        for list in [&mut patient.words, &mut patient.weak, &mut patient.compounds, &mut patient.initials] {
            list.sort_unstable();
            list.dedup();
        }
        patient.places.sort_unstable();
        patient.places.dedup();
        patient.codes.sort_by(|one, other| one.run.cmp(&other.run).then(other.fuzzy.cmp(&one.fuzzy)));
        patient.codes.dedup_by(|one, other| one.run == other.run);
        patient.longest_code = patient.codes.iter().map(|code| code.run.len()).max().unwrap_or(0);
    }

    /// What is known, as it was given.
    pub const fn known(&self) -> &Known {
        &self.known
    }

    /// The number from which shifts and surrogates are drawn.
    pub fn id(&self) -> Option<&str> {
        self.known.id.as_deref()
    }

    /// How much is known: fields and counts.
    pub fn summary(&self) -> String {
        let Known { id, names, mrn, birth_date, phones, addresses, other } = &self.known;
        let mut parts = Vec::new();
        for (given, field) in [(id.is_some(), "id"), (mrn.is_some(), "mrn"), (birth_date.is_some(), "birth_date")] {
            if given {
                parts.push(field.to_owned());
            }
        }
        for (list, field) in [(names, "names"), (phones, "phones"), (addresses, "addresses"), (other, "other")] {
            if !list.is_empty() {
                parts.push(format!("{} {field}", list.len()));
            }
        }
        format!("Patient({})", parts.join(", "))
    }

    fn check(&self) -> Result<()> {
        let Known { id, names, mrn, birth_date, phones, addresses, other } = &self.known;
        let lists = [("names", names), ("phones", phones), ("addresses", addresses), ("other", other)];
        for (field, list) in lists {
            if let Some(at) = list.iter().position(|item| !item.chars().any(char::is_alphanumeric)) {
                return Err(Error::Patient(format!("{field}[{at}] has no letter and no digit: leave it out")));
            }
        }
        for (field, value) in [("id", id), ("mrn", mrn)] {
            if value.as_ref().is_some_and(|value| value.trim().is_empty()) {
                return Err(Error::Patient(format!("{field} is empty: leave it out")));
            }
        }
        if let Some((year, month, day)) = *birth_date
            && (!(1800..=2200).contains(&year) || Day::new(year, month, day).is_none())
        {
            return Err(Error::Patient("birth_date is no date between the years 1800 and 2200".to_owned()));
        }
        Ok(())
    }

    fn add_name(&mut self, name: &str) {
        let words = name_words(name);
        for word in &words {
            if word.chars().count() < 2 || WEAK.contains(&word.as_str()) {
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
        // An initial beside a name is a part of it.
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

    fn add_code(&mut self, text: &str, kind: Kind) {
        let run = run_of(text);
        self.push_code(without_zeros(&run), kind);
        // "MR-0048812" is also written without its letters.
        if !run.iter().all(u8::is_ascii_digit) && matches!(kind, Kind::Record | Kind::OtherId) {
            let number = run.split(|byte| !byte.is_ascii_digit()).max_by_key(|digits| digits.len()).unwrap_or_default();
            if number.len() > SHORTEST_CODE {
                self.push_code(without_zeros(number), kind);
            }
        }
    }

    fn push_code(&mut self, run: &[u8], kind: Kind) {
        if run.len() >= SHORTEST_CODE {
            self.codes.push(Code { run: run.into(), kind, fuzzy: run.len() >= 7 });
        }
    }

    fn add_phone(&mut self, phone: &str) {
        // "617-555-0123 ext. 12" and "617 555 0123 (home)": letters are no part of the number.
        let digits: Vec<u8> = run_of(phone).into_iter().filter(u8::is_ascii_digit).collect();
        self.push_code(without_zeros(&digits), Kind::Phone);
        for length in [10, 7] {
            if digits.len() > length {
                let tail = &digits[digits.len() - length..];
                self.push_code(without_zeros(tail), Kind::Phone);
            }
        }
    }

    fn add_address(&mut self, address: &str) {
        let run = run_of(address);
        if run.len() >= 7 {
            self.push_code(&run, Kind::Street);
        }
        for word in folded_words(address) {
            let postal = word.len() == 5 && word.bytes().all(|byte| byte.is_ascii_digit());
            if postal {
                self.codes.push(Code { run: without_zeros(word.as_bytes()).into(), kind: Kind::Zip, fuzzy: false });
            }
            self.places.push(word.into_bytes().into());
        }
    }

    fn add_other(&mut self, other: &str) {
        let kind = if other.contains('@') { Kind::Email } else { Kind::OtherId };
        self.add_code(other, kind);
        let words = folded_words(other);
        if let [one, two] = words.as_slice() {
            self.add_code(&format!("{two}{one}"), kind);
        }
    }

    fn add_birth_date(&mut self, (year, month, day): (i32, u32, u32)) {
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
            // Five digits in a row are many things; with its marks such a date is found by its form.
            if form.len() >= 6 && run.len() >= 5 {
                self.codes.push(Code { run: run.into(), kind: Kind::Date, fuzzy: false });
            }
        }
    }
}

/// The folded words of a name, the family name last.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    folded_words(&in_order(name)).into_iter().filter(|word| !TITLES.contains(&word.as_str())).collect()
}

/// "Brown, John Q." as John Q. Brown.
fn in_order(name: &str) -> String {
    match name.split_once(',') {
        Some((last, first)) if first.chars().any(char::is_alphabetic) && !is_title(first) => format!("{first} {last}"),
        _ => name.to_owned(),
    }
}

fn is_title(word: &str) -> bool {
    let folded = folded_words(word);
    folded.iter().all(|word| TITLES.contains(&word.as_str()))
}

/// The words and numbers of a text, folded as those of a note are, without apostrophes.
fn folded_words(text: &str) -> Vec<String> {
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

/// The letters and digits of a text, folded, without what stands between them.
fn run_of(text: &str) -> Vec<u8> {
    folded_words(text).concat().into_bytes()
}

/// Without the zeros at the start of a number, if enough is left of it.
fn without_zeros(run: &[u8]) -> &[u8] {
    let zeros = run.iter().take_while(|&&byte| byte == b'0').count();
    let all_digits = run.iter().all(u8::is_ascii_digit);
    if all_digits && run.len() - zeros >= SHORTEST_CODE { &run[zeros..] } else { run }
}

/// Whether one typing error at most lies between two words: a letter more, less or other, or two neighbours exchanged.
pub(crate) fn is_near(one: &[u8], other: &[u8]) -> bool {
    // One error leaves the first letter of three or the last one.
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
            assert!(is_near(b"brown", near.as_bytes()), "{near}");
        }
        for far in ["bowm", "bro", "brawns", "nworb", "borwm", "prows"] {
            assert!(!is_near(b"brown", far.as_bytes()), "{far}");
        }
        for (near, short) in [("ba", "ab"), ("b", "a"), ("", "a"), ("ct", "act"), ("cat", "act"), ("acd", "act")] {
            assert!(is_near(near.as_bytes(), short.as_bytes()), "{near}");
        }
    }

    #[test]
    fn shows_how_much_is_known_and_not_what() {
        let known = Known {
            names: vec!["Quilla Zandvoort".to_owned()],
            mrn: Some("00881234".to_owned()),
            birth_date: Some((1946, 3, 4)),
            ..Known::default()
        };
        let patient = Patient::new(known).expect("a patient");
        assert_eq!(format!("{patient:?}"), "Patient(mrn, birth_date, 1 names)");
    }

    #[test]
    fn refuses_what_cannot_be_looked_for() {
        for known in [
            Known { names: vec!["  ".to_owned()], ..Known::default() },
            Known { mrn: Some(String::new()), ..Known::default() },
            Known { birth_date: Some((1946, 13, 4)), ..Known::default() },
            Known { birth_date: Some((1946, 2, 29)), ..Known::default() },
        ] {
            assert!(matches!(Patient::new(known), Err(Error::Patient(_))));
        }
    }
}
