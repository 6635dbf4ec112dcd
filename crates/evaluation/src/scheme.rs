//! How gold standards and systems name categories: data, in `schemes.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Schemes {
    optional: Vec<String>,
    /// Our name to the words that mean it where nothing stands beside them.
    alone: BTreeMap<String, String>,
    #[serde(flatten)]
    by_name: BTreeMap<String, Scheme>,
}

/// The names of one scheme.
#[derive(Debug, Default, Deserialize)]
pub struct Scheme {
    /// Their name to ours, `CATEGORY` or `CATEGORY/SUBTYPE`.
    #[serde(default)]
    pub read: BTreeMap<String, String>,
    /// Our name to theirs.
    #[serde(default)]
    pub write: BTreeMap<String, String>,
}

static SCHEMES: LazyLock<Schemes> =
    LazyLock::new(|| toml::from_str(include_str!("schemes.toml")).expect("schemes.toml is part of the program"));

/// The categories of this program.
pub const CATEGORIES: [&str; 6] = ["ID", "NAME", "CONTACT", "LOCATION", "DATE", "AGE"];

/// The schemes by name, for documentation and inspection.
pub fn schemes() -> &'static BTreeMap<String, Scheme> {
    &SCHEMES.by_name
}

/// Whether something of this category and subtype may stay in a text.
pub fn is_optional(category: &str, subtype: &str) -> bool {
    SCHEMES.optional.contains(&format!("{category}/{subtype}"))
}

/// Our name for a text that is nothing but a day of the week or a season.
pub(crate) fn alone(text: &str) -> Option<&'static str> {
    let letters: String =
        text.chars().filter(|c| !c.is_whitespace() && *c != '.').flat_map(char::to_lowercase).collect();
    let holds = |words: &String| words.split_whitespace().any(|word| word == letters);
    SCHEMES.alone.iter().find(|(_, words)| holds(words)).map(|(name, _)| name.as_str())
}

/// Splits `CATEGORY/SUBTYPE`; the subtype may be missing.
pub(crate) fn split(name: &str) -> (String, String) {
    let (category, subtype) = name.split_once('/').unwrap_or((name, ""));
    (category.to_owned(), subtype.to_owned())
}

/// Joins what [`split`] takes apart.
pub(crate) fn join(category: &str, subtype: &str) -> String {
    if subtype.is_empty() { category.to_owned() } else { format!("{category}/{subtype}") }
}

impl Scheme {
    /// The scheme of that name.
    pub(crate) fn named(name: &str) -> &'static Self {
        &SCHEMES.by_name[name]
    }

    /// Our category and subtype for a name of the scheme.
    pub(crate) fn ours(&self, theirs: &str) -> Option<(String, String)> {
        self.read.get(theirs).map(|name| split(name))
    }

    /// The scheme's name for our category and subtype.
    pub(crate) fn theirs(&self, category: &str, subtype: &str) -> String {
        let whole = join(category, subtype);
        let found = self.write.get(&whole).or_else(|| self.write.get(category)).or_else(|| self.write.get(""));
        found.cloned().unwrap_or(whole)
    }
}

/// The category that a system's label means: one of ours, a known label of another system, or the label itself.
pub(crate) fn system_category(label: &str) -> (String, String) {
    let (category, subtype) = split(label);
    if CATEGORIES.contains(&category.as_str()) {
        return (category, subtype);
    }
    Scheme::named("systems").ours(&label.to_uppercase()).unwrap_or((category, subtype))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_a_category() {
        for (name, scheme) in schemes() {
            for target in scheme.read.values() {
                let (category, _) = split(target);
                assert!(CATEGORIES.contains(&category.as_str()) || category == "PROFESSION", "{name}: {target}");
            }
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        for (name, scheme) in schemes() {
            for theirs in scheme.write.values() {
                assert!(scheme.read.contains_key(theirs), "{name}: {theirs}");
            }
        }
    }

    #[test]
    fn weekdays_and_seasons_alone_may_stay() {
        assert_eq!(alone("MONDAY"), Some("DATE/DAYOFWEEK"));
        assert_eq!(alone("Thurs."), Some("DATE/DAYOFWEEK"));
        assert_eq!(alone("Satur\nday"), Some("DATE/DAYOFWEEK"));
        assert_eq!(alone("fall"), Some("DATE/SEASON"));
        assert_eq!(alone("Monday, May 3"), None);
        assert!(SCHEMES.alone.keys().all(|name| SCHEMES.optional.contains(name)));
    }

    #[test]
    fn labels_of_systems() {
        assert_eq!(system_category("DATE_TIME").0, "DATE");
        assert_eq!(system_category("Person").0, "NAME");
        assert_eq!(system_category("NAME"), ("NAME".into(), String::new()));
        assert_eq!(system_category("SOMETHING").0, "SOMETHING");
    }
}
