//! Postal codes of the United States whose first three digits may stay.
//!
//! 45 CFR 164.514(b)(2)(i)(B) permits the first three digits where all codes that start with them have more than 20,000
//! people together; the others become 000. The list changes with each census.

/// The prefixes with 20,000 people or fewer by the census of 2020, and those by the census of 2000, which the
/// Department of Health and Human Services lists in its *Guidance Regarding Methods for De-identification of Protected
/// Health Information* (2012). A prefix on either list is replaced.
pub const RESTRICTED: [&str; 23] = [
    "036", "059", "063", "102", "202", "203", "204", "205", "369", "556", "692", "753", "772", "790", "821", "823",
    "830", "831", "878", "879", "884", "890", "893",
];

/// Returns what may stay of a code that starts with these three digits; `None` if they are not three digits.
pub fn safe_harbor_prefix(digits: &str) -> Option<&str> {
    if digits.len() != 3 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if RESTRICTED.contains(&digits) { "000" } else { digits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_prefixes_become_zeros() {
        assert!(RESTRICTED.is_sorted());
        assert_eq!(safe_harbor_prefix("021"), Some("021"));
        assert_eq!(safe_harbor_prefix("036"), Some("000"));
        assert_eq!(safe_harbor_prefix("203"), Some("000"));
        assert_eq!(safe_harbor_prefix("772"), Some("000"));
        assert_eq!(safe_harbor_prefix("02"), None);
        assert_eq!(safe_harbor_prefix("K1A"), None);
    }
}
