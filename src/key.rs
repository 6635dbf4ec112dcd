//! The secret key behind date shifts, surrogates and pseudonyms.
//!
//! Whoever has the key and a patient's number can undo a shift, so the key comes from the environment or from a file
//! that only its owner can read; it is never an argument, and never printed, logged or pickled. Only its
//! [fingerprint](Key::fingerprint) may be shown, which tells whether two runs used the same key.

use std::fmt;
use std::path::Path;

use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::error::{Error, Result};
use crate::vocabulary::to_hex;

/// The environment variable that holds the key itself, as 64 hexadecimal digits.
pub const VARIABLE: &str = "NOTESIEVE_KEY";

/// The environment variable that holds the path of a key file.
pub const FILE_VARIABLE: &str = "NOTESIEVE_KEY_FILE";

/// A secret key of 256 bits.
#[derive(Clone)]
pub struct Key {
    /// HMAC-SHA256 keyed with the key.
    mac: Hmac<Sha256>,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.fingerprint())
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint() == other.fingerprint()
    }
}

impl Eq for Key {}

impl Key {
    /// Loads the key from `NOTESIEVE_KEY`, or from the file that `NOTESIEVE_KEY_FILE` names.
    pub fn load() -> Result<Self> {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        match (set(VARIABLE), set(FILE_VARIABLE)) {
            (Some(_), Some(_)) => {
                Err(Error::Key(format!("{VARIABLE} and {FILE_VARIABLE} are both set: unset one of them")))
            }
            (Some(digits), None) => digits.to_str().and_then(Self::from_hex).ok_or_else(|| malformed(VARIABLE)),
            (None, Some(path)) => Self::open(Path::new(&path)),
            (None, None) => Err(Error::Key(format!(
                "there is no key: make one with `notesieve key new -o FILE` and set {FILE_VARIABLE} to the file"
            ))),
        }
    }

    /// Reads the key from a file with 64 hexadecimal digits that only its owner may access.
    pub fn open(path: &Path) -> Result<Self> {
        let file = |source| Error::File { path: path.to_owned(), source };
        let facts = std::fs::metadata(path).map_err(file)?;
        if !facts.is_file() {
            return Err(Error::Key(format!("{}: is no file", path.display())));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = facts.permissions().mode() & 0o777;
            if mode & 0o077 != 0 {
                return Err(Error::Key(format!(
                    "{}: others than the owner may use the key (mode {mode:03o}): chmod 600 it",
                    path.display()
                )));
            }
        }
        // A key file is tiny; a large file is something else and must not be read whole.
        if facts.len() > 1024 {
            return Err(malformed(&path.display().to_string()));
        }
        let bytes = std::fs::read(path).map_err(file)?;
        let digits = std::str::from_utf8(&bytes).ok();
        digits.and_then(Self::from_hex).ok_or_else(|| malformed(&path.display().to_string()))
    }

    /// Parses a key of 64 hexadecimal digits, with optional white space around them.
    #[must_use]
    pub fn from_hex(digits: &str) -> Option<Self> {
        let digits = digits.trim().as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |at: usize| char::from(pair[at]).to_digit(16);
            *byte = (digit(0)? * 16 + digit(1)?) as u8;
        }
        // A key of one repeated byte is a placeholder that somebody forgot to fill in.
        if bytes.iter().all(|&byte| byte == bytes[0]) {
            return None;
        }
        Some(Self { mac: Hmac::new_from_slice(&bytes).ok()? })
    }

    /// Returns 16 hexadecimal digits that distinguish this key from others and reveal nothing else about it.
    pub fn fingerprint(&self) -> String {
        to_hex(&self.digest("fingerprint", &[])[..8])
    }

    /// Returns a pseudonym of 32 hexadecimal digits for `value`: always the same for the same key, domain and value,
    /// and useless without the key. Domains separate what must not be linked, such as the same number of a patient and
    /// of an encounter.
    pub fn pseudonym(&self, domain: &str, value: &str) -> String {
        to_hex(&self.digest("pseudonym", &[domain, value])[..16])
    }

    /// Returns the HMAC-SHA256 of a purpose and its parts. Each part is prefixed with its length, so that no two lists
    /// of parts give the same message.
    pub(crate) fn digest(&self, purpose: &str, parts: &[&str]) -> [u8; 32] {
        let mut mac = self.mac.clone();
        mac.update(b"notesieve 1 ");
        for part in std::iter::once(&purpose).chain(parts) {
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part.as_bytes());
        }
        mac.finalize().into_bytes().into()
    }

    /// Draws a uniform integer below `bound` for a purpose and its parts. Draws that would favour some numbers are
    /// rejected and repeated (rejection sampling).
    pub(crate) fn draw_below(&self, bound: u64, purpose: &str, parts: &[&str]) -> u64 {
        debug_assert!(bound > 0, "there is no number below 0");
        let limit = u64::MAX - u64::MAX % bound;
        let mut draw = self.digest(purpose, parts);
        loop {
            for chunk in draw.chunks_exact(8) {
                let number = u64::from_le_bytes(std::array::from_fn(|at| chunk[at]));
                if number < limit {
                    return number % bound;
                }
            }
            let mut mac = self.mac.clone();
            mac.update(b"notesieve 1 again");
            mac.update(&draw);
            draw = mac.finalize().into_bytes().into();
        }
    }
}

fn malformed(place: &str) -> Error {
    Error::Key(format!(
        "{place}: a key is 64 hexadecimal digits, drawn at random: `notesieve key new -o FILE` makes one"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGITS: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

    #[test]
    fn keys_are_64_digits() {
        assert!(Key::from_hex(&format!(" {DIGITS}\n")).is_some());
        for wrong in ["", "00", &DIGITS[1..], &DIGITS.replace('f', "g"), &"ab".repeat(32)] {
            assert!(Key::from_hex(wrong).is_none());
        }
    }

    #[test]
    fn the_key_is_not_shown() {
        let key = Key::from_hex(DIGITS).expect("a key");
        let shown = format!("{key:?}");
        assert_eq!(shown, format!("Key({})", key.fingerprint()));
        assert!(!DIGITS.contains(&key.fingerprint()));
    }

    #[test]
    fn pseudonyms_depend_on_key_domain_and_value() {
        let key = Key::from_hex(DIGITS).expect("a key");
        let other = Key::from_hex(&DIGITS.replace('1', "2")).expect("a key");
        let all = [
            key.pseudonym("patient", "17"),
            key.pseudonym("visit", "17"),
            key.pseudonym("patient", "18"),
            key.pseudonym("patient1", "7"),
            other.pseudonym("patient", "17"),
        ];
        assert_eq!(all[0], key.pseudonym("patient", "17"));
        for (at, one) in all.iter().enumerate() {
            assert!(one.len() == 32 && !all[..at].contains(one));
        }
    }

    #[test]
    fn draws_are_below_their_bound_and_even() {
        let key = Key::from_hex(DIGITS).expect("a key");
        let mut counts = [0_u32; 7];
        for number in 0..7_000 {
            counts[key.draw_below(7, "test", &[&number.to_string()]) as usize] += 1;
        }
        // Six degrees of freedom: a chi-square above 22.5 has a probability of one in a thousand, and this one is
        // deterministic.
        let chi: f64 = counts.iter().map(|&count| (f64::from(count) - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi < 22.5, "chi-square {chi}");
    }
}
