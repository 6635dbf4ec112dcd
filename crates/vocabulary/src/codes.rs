//! Codes as numbers: thousands of codes share everything before their last digits.
//!
//! `snomed:22298006` is the stem `snomed:` with eight digits and the number 22298006; `mesh:D003920` is the stem
//! `mesh:D` with six digits and the number 3920. Types and tree numbers are stored the same way. A text that does not
//! end in digits is all stem.

use super::packed::{PackedRecords, push_number, take_number};

/// The maximum number of digits in the number; further digits belong to the stem. Eighteen digits fit into 64 bits.
const MAX_NUMBER_DIGITS: usize = 18;

/// A code as stored in the file: the index of its stem, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code {
    pub stem: u32,
    pub number: u64,
}

/// Writes the stem of `text` into a buffer, followed by a letter that encodes the number of digits, and returns the
/// number.
pub fn split_stem(text: &str, stem: &mut String) -> u64 {
    let digits = text.bytes().rev().take(MAX_NUMBER_DIGITS).take_while(u8::is_ascii_digit).count();
    let (before, number) = text.split_at(text.len() - digits);
    stem.clear();
    stem.push_str(before);
    stem.push(char::from(b'A' + digits as u8));
    number.parse().unwrap_or_default()
}

/// Returns the text made of a stem and a number.
pub fn join_stem(stem: &str, number: u64) -> String {
    let Some((at, letter)) = stem.char_indices().next_back() else { return String::new() };
    match (letter as usize).wrapping_sub('A' as usize) {
        0 => stem[..at].to_owned(),
        digits @ 1..=MAX_NUMBER_DIGITS => format!("{}{number:0digits$}", &stem[..at]),
        _ => String::new(),
    }
}

/// The kind of a concept's link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// A semantic type or tree number.
    Type,
    /// A broader concept.
    Parent,
    /// The same concept in another system.
    SameAs,
}

/// All kinds of links, in the order of the record.
pub const LINKS: [Link; 3] = [Link::Type, Link::Parent, Link::SameAs];

/// Appends the links of one kind to a record.
pub fn push_links(record: &mut Vec<u8>, links: impl ExactSizeIterator<Item = Code>) {
    push_number(record, links.len() as u64);
    for code in links {
        push_number(record, u64::from(code.stem));
        push_number(record, code.number);
    }
}

/// Calls `each` with every link in a record.
pub fn for_each_link(mut record: &[u8], mut each: impl FnMut(Link, Code)) {
    for kind in LINKS {
        let Some(count) = take_number(&mut record) else { return };
        for _ in 0..count {
            let (Some(stem), Some(number)) = (take_number(&mut record), take_number(&mut record)) else { return };
            each(kind, Code { stem: stem as u32, number });
        }
    }
}

/// Returns the code of a text if its stem is in `stems`.
pub fn code_of_text(stems: PackedRecords<'_>, text: &str) -> Option<Code> {
    let mut stem = String::new();
    let number = split_stem(text, &mut stem);
    stems.position_of_text(&stem, 0..stems.len()).map(|at| Code { stem: at as u32, number })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn codes_are_stems_and_numbers() {
        let mut stem = String::new();
        for (text, before, number) in [
            ("mesh:D003920", "mesh:DG", 3920),
            ("snomed:22298006", "snomed:I", 22_298_006),
            ("icd10cm:E11.9", "icd10cm:E11.B", 9),
            ("C01.100", "C01.D", 100),
            ("umls:", "umls:A", 0),
            ("", "A", 0),
            ("x:01234567890123456789", "x:01S", 234_567_890_123_456_789),
        ] {
            assert_eq!((split_stem(text, &mut stem), stem.as_str()), (number, before), "{text}");
            assert_eq!(join_stem(&stem, number), text);
        }
        assert_eq!((join_stem("", 3), join_stem("x", 3)), (String::new(), String::new()), "no stem of ours");
    }

    proptest! {
        #[test]
        fn a_text_is_its_stem_and_number(text in "[a-z:é漢.]{0,4}[0-9]{0,25}") {
            let mut stem = String::new();
            let number = split_stem(&text, &mut stem);
            prop_assert_eq!(join_stem(&stem, number), text);
        }
    }
}
