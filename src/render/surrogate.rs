//! Surrogates of the same kind: made-up names, places and numbers.
//!
//! A surrogate is drawn from the HMAC-SHA256 of the key, the patient's number and the original. So it is the same for
//! the same patient in every note and on every machine, without a lookup table to keep. Names and places are composed
//! of the syllables below, which read like names but are hardly ever real ones. A list of real names would be too short
//! to avoid collisions, and a check of the output could not tell a surrogate from a missed real name. For the same
//! reason, numbers come from unassigned ranges, or carry a check that real ones have only by chance.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;

use crate::key::Key;

const STARTS: [&str; 64] = [
    "al", "ar", "ash", "bar", "bel", "ber", "bram", "bran", "brin", "cal", "cor", "cran", "dal", "dar", "del", "dor",
    "dun", "el", "em", "fal", "far", "fen", "gal", "gar", "glen", "hal", "har", "hol", "il", "ir", "kel", "ken", "kin",
    "lam", "lan", "lor", "mal", "mar", "mel", "mor", "nor", "or", "pel", "pen", "per", "quil", "ran", "ros", "sal",
    "sel", "shel", "sten", "tal", "tar", "thorn", "til", "tor", "ul", "ven", "ver", "wal", "wel", "yar", "zel",
];

const MIDDLES: [&str; 32] = [
    "ba", "de", "den", "der", "di", "do", "fi", "ga", "gen", "ko", "len", "ma", "men", "mi", "na", "nel", "no", "ra",
    "ri", "ro", "sen", "si", "ta", "ten", "ther", "ti", "va", "vel", "ver", "vi", "win", "za",
];

const LINKS: [&str; 16] = ["b", "br", "d", "dr", "g", "l", "m", "n", "nd", "r", "rn", "s", "st", "t", "v", "z"];

const FAMILY: [&str; 32] = [
    "abury", "acombe", "acott", "acroft", "adale", "aford", "agate", "aham", "ahurst", "aland", "aley", "alow", "aman",
    "amere", "aport", "arick", "ashaw", "ason", "astead", "astock", "aston", "athorpe", "aton", "award", "awell",
    "awick", "awood", "aworth", "eby", "efield", "eridge", "ington",
];

const FEMALE: [&str; 16] = [
    "abel", "ana", "anne", "elia", "ella", "elle", "ena", "essa", "ette", "ia", "ina", "ine", "ira", "issa", "ora",
    "ynne",
];

const MALE: [&str; 16] =
    ["an", "ard", "bert", "ek", "en", "eric", "ert", "ian", "in", "io", "old", "on", "or", "ric", "us", "win"];

const PLACE: [&str; 16] = [
    "aburgh", "acaster", "achester", "afalls", "ahaven", "aminster", "amouth", "apoint", "aquay", "ashire", "astown",
    "atown", "aville", "aweir", "ekirk", "eness",
];

/// The kind of word that a surrogate replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum NameType {
    /// A surname.
    Family,
    /// The first name of a woman.
    Woman,
    /// The first name of a man.
    Man,
    /// A part of the name of a place.
    Place,
}

impl NameType {
    const fn name_endings(self) -> &'static [&'static str] {
        match self {
            Self::Family => &FAMILY,
            Self::Woman => &FEMALE,
            Self::Man => &MALE,
            Self::Place => &PLACE,
        }
    }

    const fn draw_purpose(self) -> &'static str {
        match self {
            Self::Family => "family name",
            Self::Woman | Self::Man => "first name",
            Self::Place => "place",
        }
    }
}

/// Returns the syllables of made-up names, for checks of an output: starts, middles, links, endings.
pub fn syllables() -> [Vec<&'static str>; 4] {
    let endings =
        [NameType::Family, NameType::Woman, NameType::Man, NameType::Place].map(NameType::name_endings).concat();
    [STARTS.to_vec(), MIDDLES.to_vec(), LINKS.to_vec(), endings]
}

/// Returns whether a folded word could be a surrogate name.
#[cfg(test)]
fn is_made_up_word(folded: &str) -> bool {
    STARTS.iter().filter_map(|start| folded.strip_prefix(start)).any(|rest| {
        MIDDLES.iter().filter_map(|middle| rest.strip_prefix(middle)).any(|rest| {
            LINKS.iter().filter_map(|link| rest.strip_prefix(link)).any(|ending| {
                [NameType::Family, NameType::Woman, NameType::Man, NameType::Place]
                    .iter()
                    .any(|word| word.name_endings().contains(&ending))
            })
        })
    })
}

/// The maximum number of draws when a surrogate is already taken or occurs in the note.
const MAX_DRAWS: u32 = 4096;

/// The surrogates of one note.
#[derive(Debug)]
pub(super) struct Surrogates<'a> {
    key: &'a Key,
    /// The patient's number, or a substitute for it.
    scope: String,
    /// Removed folded words and numbers of the note: a surrogate must not reveal one by chance.
    forbidden: HashSet<String>,
    /// The surrogates given in this note, by purpose and original.
    given: HashMap<(&'static str, String), String>,
    /// All surrogates given in this note.
    taken: HashSet<String>,
}

impl<'a> Surrogates<'a> {
    pub(super) fn new(key: &'a Key, scope: String, forbidden: HashSet<String>) -> Self {
        Self { key, scope, forbidden, given: HashMap::new(), taken: HashSet::new() }
    }

    /// Draws an integer below `bound` for an original.
    pub(super) fn draw_below(&self, bound: u64, purpose: &str, original: &str, attempt: u32) -> u64 {
        self.key.draw_below(bound, purpose, &[&self.scope, original, &attempt.to_string()])
    }

    /// Returns the surrogate of an original, always the same for the same purpose. `make` draws candidates; `None` if
    /// none is free.
    pub(super) fn surrogate_for(
        &mut self,
        purpose: &'static str,
        original: &str,
        is_free: impl Fn(&str) -> bool,
        make: impl Fn(&Self, u32) -> Option<String>,
    ) -> Option<String> {
        let asked = (purpose, original.to_owned());
        if let Some(given) = self.given.get(&asked) {
            return Some(given.clone());
        }
        for attempt in 0..MAX_DRAWS {
            let drawn = make(self, attempt)?;
            let folded = drawn.to_lowercase();
            let mut parts = folded.split(|letter: char| !letter.is_alphanumeric());
            let clean =
                folded != original && !self.taken.contains(&folded) && !parts.any(|part| self.forbidden.contains(part));
            if clean && is_free(&folded) {
                self.taken.insert(folded);
                self.given.insert(asked, drawn.clone());
                return Some(drawn);
            }
        }
        None
    }

    /// Returns a made-up name for a folded word, in lower case.
    pub(super) fn made_up_word(
        &mut self,
        word: NameType,
        original: &str,
        is_free: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let lists: [&[&str]; 4] = [&STARTS, &MIDDLES, &LINKS, word.name_endings()];
        let total: u64 = lists.iter().map(|list| list.len() as u64).product();
        self.surrogate_for(word.draw_purpose(), original, is_free, |all, attempt| {
            let mut draw = all.draw_below(total, word.draw_purpose(), original, attempt);
            let mut name = String::new();
            for list in lists {
                name.push_str(list[(draw % list.len() as u64) as usize]);
                draw /= list.len() as u64;
            }
            Some(name)
        })
    }

    /// Returns a telephone number in the format of `text`, from the range `555-01xx`, which is reserved for fiction.
    pub(super) fn phone_number(&mut self, text: &str) -> Option<String> {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        if text.chars().any(char::is_alphabetic) || !matches!(digits.len(), 7 | 10 | 11) {
            return None;
        }
        self.surrogate_for(
            "phone",
            &digits.clone(),
            |_| true,
            |all, attempt| {
                let line = all.draw_below(100, "phone", &digits, attempt);
                let area = 200 + all.draw_below(800, "area code", &digits, attempt);
                let new = match digits.len() {
                    7 => format!("55501{line:02}"),
                    10 => format!("{area}55501{line:02}"),
                    _ => format!("1{area}55501{line:02}"),
                };
                Some(fill_letters_and_digits(text, &new))
            },
        )
    }

    /// Returns an e-mail or web address at a reserved domain.
    pub(super) fn electronic_address(&mut self, original: &str, web: bool) -> Option<String> {
        let name = self.made_up_word(NameType::Family, original, |_| true)?;
        Some(if web { format!("https://www.example.org/{name}") } else { format!("{name}@example.org") })
    }

    /// Returns a network address from a range reserved for documentation: 203.0.113.0/24 (TEST-NET-3, RFC 5737),
    /// `2001:db8::/32` (RFC 3849), 00-00-5E-00-53 (RFC 7042).
    pub(super) fn network_address(&mut self, text: &str) -> Option<String> {
        self.surrogate_for(
            "network address",
            &text.to_lowercase(),
            |_| true,
            |all, attempt| {
                let last = all.draw_below(256, "network address", &text.to_lowercase(), attempt);
                Some(match network_address_family(text)? {
                    AddressFamily::Four => format!("203.0.113.{last}"),
                    AddressFamily::Six => format!("2001:db8::{:x}", 256 + last),
                    AddressFamily::Device(mark) => format!("00-00-5E-00-53-{last:02X}").replace('-', &mark.to_string()),
                })
            },
        )
    }

    /// Returns a number or code of the same shape, with a check; `None` if it is too short for one.
    pub(super) fn code_of_same_shape(&mut self, text: &str) -> Option<String> {
        let run: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
        // With spaces inside, the end of the code would be unclear.
        let plain = text.chars().all(|mark| mark.is_ascii_graphic());
        if run.len() < MIN_CODE_LENGTH || !run.bytes().any(|byte| byte.is_ascii_digit()) || !plain {
            return None;
        }
        self.surrogate_for("code", &run.to_lowercase(), has_check, |all, attempt| {
            let mut draw = all.key.digest("code", &[&all.scope, &run.to_lowercase(), &attempt.to_string()]).into_iter();
            let letters: String = run
                .chars()
                .map(|old| {
                    let draw = draw.next().unwrap_or(0);
                    match old {
                        '0'..='9' => char::from(b'0' + draw % 10),
                        'a'..='z' => char::from(b'a' + draw % 26),
                        _ => char::from(b'A' + draw % 26),
                    }
                })
                .collect();
            (run.len() <= 32).then(|| fill_letters_and_digits(text, &letters))
        })
    }

    /// Returns a house number: four digits with a check.
    pub(super) fn house_number(&mut self, original: &str) -> Option<String> {
        self.surrogate_for("house", original, has_check, |all, attempt| {
            Some((1000 + all.draw_below(9000, "house", original, attempt)).to_string())
        })
    }

    /// Returns an unassigned postal code: 00001 to 00099.
    pub(super) fn zip_code(&mut self, original: &str) -> Option<String> {
        self.surrogate_for(
            "zip",
            original,
            |_| true,
            |all, attempt| Some(format!("{:05}", 1 + all.draw_below(99, "zip", original, attempt))),
        )
    }
}

/// The type of a network address.
enum AddressFamily {
    Four,
    Six,
    /// A MAC address, with its separator.
    Device(char),
}

fn network_address_family(text: &str) -> Option<AddressFamily> {
    match text.trim().parse::<IpAddr>() {
        Ok(IpAddr::V4(_)) => return Some(AddressFamily::Four),
        Ok(IpAddr::V6(_)) => return Some(AddressFamily::Six),
        Err(_) => {}
    }
    let mark = text.chars().find(|letter| matches!(letter, ':' | '-'))?;
    let pairs = text.split(mark).map(|part| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let (count, whole) = pairs.fold((0, true), |(count, whole), pair| (count + 1, whole && pair));
    (count == 6 && whole).then_some(AddressFamily::Device(mark))
}

/// The minimum number of letters and digits of a code with a check.
const MIN_CODE_LENGTH: usize = 4;

/// The modulus of the check: one in that many codes has it by chance.
const CHECK_MODULUS: u32 = 97;

/// Returns whether the letters and digits of a code have the check of a surrogate: their weighted sum is 1 modulo
/// [`CHECK_MODULUS`].
fn has_check(code: &str) -> bool {
    let values = code.bytes().filter(u8::is_ascii_alphanumeric);
    let sum: u32 = values
        .zip((0..CHECK_MODULUS).cycle().skip(3))
        .map(|(byte, weight)| char::from(byte).to_digit(36).unwrap_or(0) * (7 * weight % CHECK_MODULUS))
        .sum();
    sum % CHECK_MODULUS == 1
}

/// Replaces the letters and digits of a text by those of `run`, in order.
fn fill_letters_and_digits(text: &str, run: &str) -> String {
    let mut run = run.chars();
    text.chars().map(|old| if old.is_ascii_alphanumeric() { run.next().unwrap_or(old) } else { old }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        Key::from_hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f").expect("a key")
    }

    #[test]
    fn names_are_made_up_and_kept_apart() {
        let key = key();
        let mut surrogates = Surrogates::new(&key, "17".to_owned(), HashSet::new());
        let mut seen = HashSet::new();
        for number in 0..500 {
            let original = format!("name{number}");
            let word = [NameType::Family, NameType::Man, NameType::Woman, NameType::Place][number % 4];
            let name = surrogates.made_up_word(word, &original, |_| true).expect("a name");
            assert!(is_made_up_word(&name), "{name}");
            assert!(seen.insert(name.clone()), "{name} for two");
            assert_eq!(surrogates.made_up_word(word, &original, |_| true), Some(name.clone()));
            let mut again = Surrogates::new(&key, "17".to_owned(), HashSet::new());
            assert_eq!(again.made_up_word(word, &original, |_| true), Some(name.clone()), "in another note");
            let mut other = Surrogates::new(&key, "18".to_owned(), HashSet::new());
            assert_ne!(other.made_up_word(word, &original, |_| true), Some(name), "of another patient");
        }
        for real in ["smith", "johnson", "maria", "brown", "marland", "alden", "boston"] {
            assert!(!is_made_up_word(real), "{real}");
        }
    }

    #[test]
    fn numbers_keep_their_shape() {
        let key = key();
        let mut surrogates = Surrogates::new(&key, "17".to_owned(), HashSet::new());
        let phone = surrogates.phone_number("(617) 867-5309").expect("a number");
        assert!(phone.starts_with('(') && phone.contains(") 555-01"), "{phone}");
        assert!(surrogates.phone_number("867-5309").expect("a number").starts_with("555-01"));
        assert_eq!(surrogates.phone_number("12345"), None);
        assert!(surrogates.network_address("198.18.4.77").expect("an address").starts_with("203.0.113."));
        assert!(surrogates.network_address("fe80::1").expect("an address").starts_with("2001:db8::"));
        assert!(surrogates.network_address("3c:22:fb:0a:1b:2c").expect("an address").starts_with("00:00:5E:00:53:"));
        assert_eq!((surrogates.network_address("10:30"), surrogates.network_address("3-4-5")), (None, None));
        let code = surrogates.code_of_same_shape("S84-0816").expect("a code");
        assert!(has_check(&code) && code.len() == 8 && code.as_bytes()[3] == b'-', "{code}");
        assert!(code.as_bytes()[0].is_ascii_uppercase() && code[1..3].parse::<u32>().is_ok(), "{code}");
        assert_eq!(surrogates.code_of_same_shape("S84-0816"), Some(code));
        assert_eq!(surrogates.code_of_same_shape("12"), None);
    }

    #[test]
    fn what_was_removed_does_not_come_back() {
        let key = key();
        let mut free = Surrogates::new(&key, "17".to_owned(), HashSet::new());
        let first = free.made_up_word(NameType::Family, "brown", |_| true).expect("a name");
        let mut strict = Surrogates::new(&key, "17".to_owned(), HashSet::from([first.clone()]));
        assert_ne!(strict.made_up_word(NameType::Family, "brown", |_| true), Some(first));
    }
}
