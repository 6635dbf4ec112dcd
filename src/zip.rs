//! Postal codes of the United States whose first three digits may stay.
//!
//! 45 CFR 164.514(b)(2)(i)(B) lets the first three digits stay where all codes that begin with them have more than 20,000
//! people together; the others become 000. Which these are changes with each census.

/// The prefixes with 20,000 people or fewer by the census of 2020, and those of the census of 2000, the list that the Department
/// of Health and Human Services gives in its *Guidance Regarding Methods for De-identification of Protected Health Information*
/// (2012): a prefix on either goes.
pub const RESTRICTED: [&str; 23] = [
    "036", "059", "063", "102", "202", "203", "204", "205", "369", "556", "692", "753", "772", "790", "821", "823",
    "830", "831", "878", "879", "884", "890", "893",
];

/// What may stay of a code that begins with these three digits; `None` if they are no three digits.
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
