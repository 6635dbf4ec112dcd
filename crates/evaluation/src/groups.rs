//! Groups of categories by risk, also used as labels of Sokolova's measures.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// A division of all categories and subtypes into named groups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Groups {
    /// The names of the groups, the riskiest first.
    pub order: Vec<String>,
    /// The group of all categories that are not listed.
    pub rest: String,
    /// The members of each group: `CATEGORY` or `CATEGORY/SUBTYPE`.
    #[serde(flatten)]
    pub members: BTreeMap<String, Vec<String>>,
}

impl Groups {
    /// Returns the groups `identifying` or `nursing` of `groups.toml`.
    fn embedded(name: &str) -> Self {
        let mut all: BTreeMap<String, Self> =
            toml::from_str(include_str!("groups.toml")).expect("groups.toml is part of the program");
        all.remove(name).expect("groups.toml names the group")
    }

    /// Returns the groups of direct identifiers, quasi-identifiers, and providers and places of care.
    pub fn identifying() -> Self {
        Self::embedded("identifying")
    }

    /// Returns the high, medium and low risk groups of the nursing-note study.
    pub fn nursing() -> Self {
        Self::embedded("nursing")
    }

    /// Parses groups from TOML in the form of `groups.toml`, without its table header.
    pub fn parse(text: &str) -> Result<Self> {
        let groups: Self = toml::from_str(text).map_err(|error| Error::Option(error.message().to_owned()))?;
        let unknown = groups.members.keys().chain([&groups.rest]).find(|group| !groups.order.contains(group));
        match unknown {
            Some(group) => Err(Error::Option(format!("the group `{group}` is not in `order`"))),
            None => Ok(groups),
        }
    }

    /// Returns the group of a category and subtype.
    pub fn group_of(&self, category: &str, subtype: &str) -> &str {
        let whole = format!("{category}/{subtype}");
        let named = |name: &str| {
            self.order.iter().find(|group| self.members.get(*group).is_some_and(|all| all.iter().any(|m| m == name)))
        };
        named(&whole).or_else(|| named(category)).unwrap_or(&self.rest)
    }
}

/// Thresholds for the risk of all leaks in one document together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentRisk {
    /// The minimum number of leaked categories for medium risk.
    pub medium: u64,
    /// The minimum number of leaked categories for high risk.
    pub high: u64,
}

impl Default for DocumentRisk {
    /// Returns the published thresholds: one leaked category is low risk, two are medium, three or more are high.
    fn default() -> Self {
        Self { medium: 2, high: 3 }
    }
}

impl DocumentRisk {
    /// Returns the name of the risk, or `None` without leaks.
    pub fn risk_name(&self, categories: u64) -> Option<&'static str> {
        match categories {
            0 => None,
            _ if categories >= self.high => Some("high"),
            _ if categories >= self.medium => Some("medium"),
            _ => Some("low"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtypes_go_before_categories() {
        let groups = Groups::identifying();
        assert_eq!(groups.group_of("NAME", "PATIENT"), "direct");
        assert_eq!(groups.group_of("NAME", "DOCTOR"), "provider_place");
        assert_eq!(groups.group_of("LOCATION", "STREET"), "direct");
        assert_eq!(groups.group_of("LOCATION", "CITY"), "quasi");
        assert_eq!(groups.group_of("LOCATION", "HOSPITAL"), "provider_place");
        assert_eq!(groups.group_of("VEHICLE", ""), "quasi");
        assert_eq!(Groups::nursing().group_of("DATE", "YEAR"), "low");
    }

    #[test]
    fn a_group_outside_the_order_is_an_error() {
        let error = Groups::parse("order = ['a']\nrest = 'a'\nb = ['NAME']").unwrap_err();
        assert_eq!(error.to_string(), "the group `b` is not in `order`");
        assert!(Groups::parse("order = ['a']\nrest = 'a'\na = ['NAME']").is_ok());
    }
}
