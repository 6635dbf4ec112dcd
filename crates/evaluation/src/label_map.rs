//! Labels of gold standards and systems, mapped to our categories. The data is in `label_maps.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct LabelMaps {
    optional: Vec<String>,
    /// For each of our names, the words that get it when they are the whole span.
    standalone_labels: BTreeMap<String, String>,
    #[serde(flatten)]
    by_name: BTreeMap<String, LabelMap>,
}

/// The labels of one annotation scheme or system, mapped to categories and back.
#[derive(Debug, Default, Deserialize)]
pub struct LabelMap {
    /// Maps a label of the scheme to our name, `CATEGORY` or `CATEGORY/SUBTYPE`.
    #[serde(default)]
    pub to_ours: BTreeMap<String, String>,
    /// Maps our name to a label of the scheme.
    #[serde(default)]
    pub from_ours: BTreeMap<String, String>,
}

static LABEL_MAPS: LazyLock<LabelMaps> =
    LazyLock::new(|| toml::from_str(include_str!("label_maps.toml")).expect("label_maps.toml is part of the program"));

/// The categories of this program.
pub const CATEGORIES: [&str; 6] = ["ID", "NAME", "CONTACT", "LOCATION", "DATE", "AGE"];

/// Returns the label maps by name, for documentation and inspection.
pub fn label_maps() -> &'static BTreeMap<String, LabelMap> {
    &LABEL_MAPS.by_name
}

/// Returns whether spans of this category and subtype may stay in a text.
pub fn is_optional(category: &str, subtype: &str) -> bool {
    LABEL_MAPS.optional.contains(&format!("{category}/{subtype}"))
}

/// Returns our name for a text that is only a day of the week or a season.
pub(crate) fn label_of_weekday_or_season(text: &str) -> Option<&'static str> {
    let letters: String =
        text.chars().filter(|c| !c.is_whitespace() && *c != '.').flat_map(char::to_lowercase).collect();
    let holds = |words: &String| words.split_whitespace().any(|word| word == letters);
    LABEL_MAPS.standalone_labels.iter().find(|(_, words)| holds(words)).map(|(name, _)| name.as_str())
}

/// Splits `CATEGORY/SUBTYPE`; the subtype is optional.
pub(crate) fn split_category(name: &str) -> (String, String) {
    let (category, subtype) = name.split_once('/').unwrap_or((name, ""));
    (category.to_owned(), subtype.to_owned())
}

/// Joins a category and subtype, the inverse of [`split_category`].
pub(crate) fn join_category(category: &str, subtype: &str) -> String {
    if subtype.is_empty() { category.to_owned() } else { format!("{category}/{subtype}") }
}

impl LabelMap {
    /// Returns the map with this name.
    pub(crate) fn from_name(name: &str) -> &'static Self {
        &LABEL_MAPS.by_name[name]
    }

    /// Returns our category and subtype for a label of the scheme.
    pub(crate) fn to_category(&self, label: &str) -> Option<(String, String)> {
        self.to_ours.get(label).map(|name| split_category(name))
    }

    /// Returns the scheme's label for our category and subtype.
    pub(crate) fn to_label(&self, category: &str, subtype: &str) -> String {
        let whole = join_category(category, subtype);
        let found =
            self.from_ours.get(&whole).or_else(|| self.from_ours.get(category)).or_else(|| self.from_ours.get(""));
        found.cloned().unwrap_or(whole)
    }
}

/// Returns the category of a system's label: one of ours, a known label of another system, or the label itself.
pub(crate) fn system_category(label: &str) -> (String, String) {
    let (category, subtype) = split_category(label);
    if CATEGORIES.contains(&category.as_str()) {
        return (category, subtype);
    }
    LabelMap::from_name("systems").to_category(&label.to_uppercase()).unwrap_or((category, subtype))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_a_category() {
        for (name, map) in label_maps() {
            for target in map.to_ours.values() {
                let (category, _) = split_category(target);
                assert!(CATEGORIES.contains(&category.as_str()) || category == "PROFESSION", "{name}: {target}");
            }
        }
    }

    #[test]
    fn every_written_label_has_a_read_mapping() {
        for (name, map) in label_maps() {
            for label in map.from_ours.values() {
                assert!(map.to_ours.contains_key(label), "{name}: {label}");
            }
        }
    }

    #[test]
    fn weekdays_and_seasons_alone_may_stay() {
        assert_eq!(label_of_weekday_or_season("MONDAY"), Some("DATE/DAYOFWEEK"));
        assert_eq!(label_of_weekday_or_season("Thurs."), Some("DATE/DAYOFWEEK"));
        assert_eq!(label_of_weekday_or_season("Satur\nday"), Some("DATE/DAYOFWEEK"));
        assert_eq!(label_of_weekday_or_season("fall"), Some("DATE/SEASON"));
        assert_eq!(label_of_weekday_or_season("Monday, May 3"), None);
        assert!(LABEL_MAPS.standalone_labels.keys().all(|name| LABEL_MAPS.optional.contains(name)));
    }

    #[test]
    fn labels_of_systems() {
        assert_eq!(system_category("DATE_TIME").0, "DATE");
        assert_eq!(system_category("Person").0, "NAME");
        assert_eq!(system_category("NAME"), ("NAME".into(), String::new()));
        assert_eq!(system_category("SOMETHING").0, "SOMETHING");
    }
}
