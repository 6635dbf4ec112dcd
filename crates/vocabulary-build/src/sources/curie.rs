//! Normalised codes of all systems: `mesh:D003920`, `hp:0001945`, `icd10cm:E11.9`.
//!
//! Sources write the same system in many ways (`MSH`, `MESH`, `http://identifiers.org/mesh/`); cross-references match
//! only if all use the same prefix.

use std::sync::LazyLock;

use notesieve_text::bundled_list;

/// The spellings of systems in sources, in upper case, each with the prefix that notesieve uses.
static PREFIXES: LazyLock<Vec<[&str; 2]>> = LazyLock::new(|| bundled_list!("prefixes.txt").rows('|', Ok));

/// Returns the normalised prefix of a system.
///
/// ```
/// use notesieve_vocabulary_build::sources::curie::prefix_of_system;
/// assert_eq!(prefix_of_system("MSH"), "mesh");
/// assert_eq!(prefix_of_system("SNOMEDCT_US_2023_03_01"), "snomed");
/// assert_eq!(prefix_of_system("DOID"), "doid");
/// ```
pub fn prefix_of_system(system: &str) -> String {
    let upper = system.to_ascii_uppercase();
    let name = if upper.starts_with("SNOMEDCT_US_") { "SNOMEDCT_US" } else { upper.as_str() };
    match PREFIXES.iter().find(|[spelling, _]| *spelling == name) {
        Some([_, prefix]) => (*prefix).to_owned(),
        None => name.to_ascii_lowercase(),
    }
}

/// Splits an identifier `PREFIX:code` into system and code; `None` if it has another form.
pub fn split_curie(identifier: &str) -> Option<(String, &str)> {
    let (system, code) = identifier.split_once(':')?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let good = !system.is_empty() && system.bytes().all(plain) && !code.is_empty();
    (good && !code.starts_with("//") && !code.contains(char::is_whitespace)).then(|| (prefix_of_system(system), code))
}

/// Returns the CURIE of an identifier `PREFIX:code`; `None` if it has another form.
///
/// ```
/// use notesieve_vocabulary_build::sources::curie::normalize_curie;
/// assert_eq!(normalize_curie("UMLS_CUI:C0011849").as_deref(), Some("umls:C0011849"));
/// assert_eq!(normalize_curie("https://example.org/"), None);
/// ```
pub fn normalize_curie(identifier: &str) -> Option<String> {
    split_curie(identifier).map(|(system, code)| format!("{system}:{code}"))
}

/// Returns the CURIE of a source and code from the UMLS, whose codes may repeat the prefix (`HP:0001945`).
pub fn curie_of_umls(source: &str, code: &str) -> String {
    let code = match code.split_once(':') {
        Some((system, rest)) if prefix_of_system(system) == prefix_of_system(source) => rest,
        _ => code,
    };
    format!("{}:{code}", prefix_of_system(source))
}

/// Returns the CURIE of a MeSH registry number: CAS, EC, UNII or NCBI taxon.
pub fn curie_of_registry_number(number: &str) -> Option<String> {
    let number = number.trim();
    if let Some(enzyme) = number.strip_prefix("EC ") {
        return Some(format!("ec:{}", enzyme.trim_end_matches(['.', '-'])));
    }
    if let Some(taxon) = number.strip_prefix("txid") {
        return taxon.bytes().all(|byte| byte.is_ascii_digit()).then(|| format!("ncbitaxon:{taxon}"));
    }
    let mut groups = number.split('-');
    let digits = |group: &str, length: std::ops::RangeInclusive<usize>| {
        length.contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_digit())
    };
    if let (Some(first), Some(second), Some(check), None) = (groups.next(), groups.next(), groups.next(), groups.next())
        && digits(first, 2..=7)
        && digits(second, 2..=2)
        && digits(check, 1..=1)
    {
        return Some(format!("cas:{number}"));
    }
    let unii = number.len() == 10 && number.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    unii.then(|| format!("unii:{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_spelled_alike() {
        assert_eq!(normalize_curie("HP:0001945").as_deref(), Some("hp:0001945"));
        assert_eq!(normalize_curie("ICD10CM:E11.9").as_deref(), Some("icd10cm:E11.9"));
        assert_eq!(normalize_curie("SNOMEDCT_US_2016_03_01:73211009").as_deref(), Some("snomed:73211009"));
        assert_eq!(normalize_curie("a remark: not a code"), None);
        assert_eq!(curie_of_umls("HPO", "HP:0001945"), "hp:0001945");
        assert_eq!(curie_of_umls("ICD10CM", "E11.9"), "icd10cm:E11.9");
    }

    #[test]
    fn registry_numbers() {
        assert_eq!(curie_of_registry_number("EC 2.7.11.1").as_deref(), Some("ec:2.7.11.1"));
        assert_eq!(curie_of_registry_number("EC 3.4.-").as_deref(), Some("ec:3.4"));
        assert_eq!(curie_of_registry_number("72539-79-8").as_deref(), Some("cas:72539-79-8"));
        assert_eq!(curie_of_registry_number("I0J33N5627").as_deref(), Some("unii:I0J33N5627"));
        assert_eq!(curie_of_registry_number("txid9606").as_deref(), Some("ncbitaxon:9606"));
        assert_eq!(curie_of_registry_number("0"), None);
    }
}
