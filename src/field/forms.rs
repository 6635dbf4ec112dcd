//! The forms of codes, numbers and contacts.

use crate::finding::Kind;

/// The maximum length of a code in bytes.
const MAX_CODE_BYTES: usize = 64;

/// Returns whether a value has the form of a code or a unit: printable ASCII without a space, and no card, social
/// security or telephone number.
pub(super) fn has_code_form(value: &str) -> bool {
    let value = value.trim();
    let plain =
        value.chars().all(|letter| letter.is_ascii_graphic() && !"\"\\|@".contains(letter) || "µμ°".contains(letter));
    plain && value.len() <= MAX_CODE_BYTES && !holds_long_number(value)
}

/// Returns whether a value has the form of a short local code: up to four capitals, three letters, or twelve letters,
/// digits and marks with at most four digits, or the form of a LOINC code.
pub(super) fn has_local_code_form(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().all(|byte| byte.is_ascii_alphabetic());
    let capitals = value.bytes().all(|byte| !byte.is_ascii_lowercase());
    let marked = value.bytes().any(|byte| byte.is_ascii_digit() || b"_./+-".contains(&byte));
    let mixed = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_./+-".contains(&byte));
    let loinc = value.split_once('-').is_some_and(|(number, check)| {
        let figures =
            |text: &str, most| (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        figures(number, 5) && figures(check, 2)
    });
    loinc
        || digits <= 4
            && (letters && (value.len() <= 3 || capitals && value.len() <= 4)
                || mixed && marked && capitals && value.len() <= 12)
}

/// Returns whether a value is a number as results are written: `11.2`, `<5`, `135-145`, `120/80`, `1:40`, `2+`, `-`.
pub(super) fn is_result_number(value: &str) -> bool {
    let value = value.trim();
    if matches!(value, "-" | "+" | "++" | "+++" | "++++") {
        return true;
    }
    let digits = value.strip_suffix(['+']).map(|rest| rest.trim_end_matches('+'));
    if digits.is_some_and(|digits| matches!(digits, "1" | "2" | "3" | "4")) {
        return true;
    }
    is_decimal_with_sign(value) || is_number_range(value)
}

/// Returns whether a value is one number, with an optional comparator, sign and percent sign.
fn is_decimal_with_sign(value: &str) -> bool {
    let value = value.strip_prefix(['<', '>', '~', '=']).map_or(value, |rest| rest.strip_prefix('=').unwrap_or(rest));
    let value = value.trim_start();
    let value = value.strip_suffix('%').map_or(value, str::trim_end);
    let value = value.strip_prefix(['-', '+']).unwrap_or(value);
    let (value, exponent) = value.split_once(['e', 'E']).unwrap_or((value, "0"));
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let figures = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let exact = value.contains('.') && !fraction.is_empty();
    figures(whole)
        && figures(fraction)
        && figures(exponent)
        && (1..=3).contains(&exponent.len())
        && whole.len() <= 7
        && fraction.len() <= 20
        && (!whole.is_empty() && !value.ends_with('.') || exact)
}

/// Returns whether a value is two short numbers with a mark between them.
fn is_number_range(value: &str) -> bool {
    let Some(at) = value.char_indices().skip(1).find(|(_, mark)| "-/:^".contains(*mark)).map(|(at, _)| at) else {
        return false;
    };
    let short = |text: &str, most: usize| {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let figures = |text: &str, most: usize| {
            (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        figures(whole, most) && figures(fraction, 4)
    };
    short(value[..at].trim_end(), 4) && short(value[at + 1..].trim_start(), 3)
}

/// Returns whether a value contains 19 digits in a row, or the digits of a social security or telephone number.
fn holds_long_number(value: &str) -> bool {
    let bytes = value.as_bytes();
    let runs: Vec<&str> = value.split(|letter: char| !letter.is_ascii_digit()).collect();
    if runs.iter().any(|run| run.len() >= 19) {
        return true;
    }
    let lengths: Vec<usize> = value
        .split('-')
        .map(|part| if part.bytes().all(|byte| byte.is_ascii_digit()) { part.len() } else { 0 })
        .collect();
    bytes.contains(&b'-')
        && (lengths.windows(3).any(|some| some == [3, 2, 4]) || lengths.windows(2).any(|some| some == [3, 4]))
}

/// Returns the kind of a contact.
pub(super) fn kind_of_contact(value: &str) -> Kind {
    let value = value.to_ascii_lowercase();
    if value.contains('@') {
        Kind::Email
    } else if value.contains("://") || value.starts_with("www.") {
        Kind::Url
    } else if value.starts_with("fax:") {
        Kind::Fax
    } else {
        Kind::Phone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_results() {
        for number in
            ["11.2", "<5", "<= 5", "250000", "-1.5", "98 %", "135-145", "120/80", "1:40", "2+", ".5", "1e-3", "7.20"]
        {
            assert!(is_result_number(number), "{number}");
        }
        for other in ["12345678", "555-1234", "1.", "", "5 mg", "1.2.3", "4815-16-23", "e5"] {
            assert!(!is_result_number(other), "{other}");
        }
    }

    #[test]
    fn codes_hold_no_number_of_a_person() {
        for code in
            ["2823-3", "E11.9", "mm[Hg]", "text/plain;charset=utf-8", "10*3/uL", "44054006", "900000000000207008"]
        {
            assert!(has_code_form(code), "{code}");
        }
        for other in ["219-09-9999", "555-0142", "two words", "rose@example.org", "1234567890123456789"] {
            assert!(!has_code_form(other), "{other}");
        }
    }

    #[test]
    fn local_codes_are_short() {
        for code in ["F", "Na", "CBC", "GLUC", "A01", "ORU_R01", "4W-12", "57714-8"] {
            assert!(has_local_code_form(code), "{code}");
        }
        for other in ["Frost", "CARVER", "Ivy Frost", "77001", "MRN0048151"] {
            assert!(!has_local_code_form(other), "{other}");
        }
    }
}
