//! Reads policies from TOML, and customises presets.

use std::path::Path;

use serde_json::Value;

use super::Policy;
use super::patterns::read_patterns;
use super::suggest::{plain_problem, unknown_name};
use crate::error::{Error, Result};

/// The key of patterns, whose value may also be the path of a pattern file.
const PATTERNS: &str = "patterns";

impl Policy {
    /// Returns a preset with some choices replaced. Fails on an unknown name and suggests the nearest known one.
    pub fn preset_with_choices(preset: &str, choices: &serde_json::Map<String, Value>) -> Result<Self> {
        let base = Self::preset(preset).ok_or_else(|| unknown_name("policy", preset, &Self::PRESETS))?;
        let Ok(Value::Object(mut all)) = serde_json::to_value(&base) else {
            return Err(Error::Policy("the preset cannot be written".to_owned()));
        };
        let known: Vec<String> = all.keys().cloned().collect();
        for (key, value) in choices {
            if !all.contains_key(key) {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                return Err(unknown_name("key", key, &known));
            }
            let value = &match (key.as_str(), value) {
                (PATTERNS, Value::String(path)) => {
                    serde_json::to_value(read_patterns(Path::new(path))?).unwrap_or_default()
                }
                _ => value.clone(),
            };
            // Lists contain names of people, so no error repeats them.
            if key != PATTERNS
                && all[key].is_array()
                && !value.as_array().is_some_and(|items| items.iter().all(Value::is_string))
            {
                return Err(Error::Policy(format!("{key}: must be a list of texts")));
            }
            // One key at a time, so that the error can name it.
            let mut changed = all.clone();
            changed.insert(key.clone(), value.clone());
            if let Err(problem) = serde_json::from_value::<Self>(Value::Object(changed)) {
                return Err(Error::Policy(format!("{key}: {}", plain_problem(&problem.to_string()))));
            }
            all.insert(key.clone(), value.clone());
        }
        let policy: Self =
            serde_json::from_value(Value::Object(all)).map_err(|problem| Error::Policy(problem.to_string()))?;
        policy.check()?;
        Ok(policy)
    }

    /// Parses a policy from TOML: the key `preset` names the preset to start from (default `safe`), the others are
    /// choices.
    pub fn from_toml(text: &str) -> Result<Self> {
        Self::from_toml_at(text, Path::new(""))
    }

    /// Parses a policy from TOML; the path of a pattern file is relative to `folder`.
    fn from_toml_at(text: &str, folder: &Path) -> Result<Self> {
        // Only the line number is shown: the text may be a note given by mistake.
        let table: toml::Table = text.parse().map_err(|problem: toml::de::Error| {
            let before = problem.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            Error::Policy(format!("is no TOML at line {line}: {}", problem.message()))
        })?;
        let Ok(Value::Object(mut choices)) = serde_json::to_value(&table) else {
            return Err(Error::Policy("a policy is a table of keys and values".to_owned()));
        };
        let preset = match choices.remove("preset") {
            None => "safe".to_owned(),
            Some(Value::String(preset)) => preset,
            Some(_) => return Err(Error::Policy(format!("preset: must be one of {}", Self::PRESETS.join(", ")))),
        };
        if let Some(Value::String(path)) = choices.get_mut(PATTERNS) {
            *path = folder.join(&*path).to_string_lossy().into_owned();
        }
        Self::preset_with_choices(&preset, &choices)
    }

    /// Reads a policy from a TOML file.
    pub fn open(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        Self::from_toml_at(&text, folder).map_err(|error| match error {
            Error::Policy(problem) => Error::Policy(format!("{}: {problem}", path.display())),
            other => other,
        })
    }

    /// Returns every choice as TOML, which [`Policy::from_toml`] reads.
    pub fn to_toml(&self) -> String {
        // Cannot fail: a policy is strings, switches and lists of strings, which TOML can represent.
        toml::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Category;
    use crate::policy::{DateOrder, Dates};
    #[test]
    fn policies_are_toml() {
        for name in Policy::PRESETS {
            let policy = Policy::preset(name).expect("a preset");
            policy.check().expect("a valid preset");
            assert_eq!(Policy::from_toml(&policy.to_toml()).expect("its own form"), policy);
        }
        let text =
            "preset = 'berman'\nname = 'ours'\ndates = 'shift'\ndate_order = 'dmy'\nzip = 'prefix'\nages = 'tag'";
        let policy = Policy::from_toml(text).expect("a policy");
        assert_eq!((policy.dates, policy.date_order, policy.mask.as_str()), (Dates::Shift, Some(DateOrder::Dmy), "*"));
        assert!(policy.needs_key());
        assert_ne!(policy.digest(), Policy::berman().digest());
        assert_eq!(Policy { name: "other".to_owned(), ..policy.clone() }.digest(), policy.digest());
    }

    #[test]
    fn strictness_is_chosen_by_category_and_section() {
        let text = "strictness = { NAME = 40, location = 8 }\n[sections.\"social history\"]\nstrictness = 60";
        let policy = Policy::from_toml(text).expect("a policy");
        let of = |category| policy.strictness.of_category(category);
        assert_eq!((of(Category::Name), of(Category::Location), of(Category::Date)), (Some(40), Some(8), None));
        assert_eq!(policy.sections["social history"].strictness, 60.into());
        assert_eq!(Policy::from_toml(&policy.to_toml()).expect("its own form"), policy);
        assert_ne!(policy.digest(), Policy::safe().digest());
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text: &str| Policy::from_toml(text).expect_err("a mistake").to_string();
        assert_eq!(message("datse = 'shift'"), "there is no key \"datse\": did you mean \"dates\"?");
        assert_eq!(
            message("strictness = { nmae = 4 }"),
            "strictness: there is no category \"nmae\": did you mean \"NAME\"?"
        );
        for mistake in ["strictness = -1", "strictness = {}", "strictness = { name = 1, NAME = 2 }", "strictness = 2.5"]
        {
            assert!(message(mistake).starts_with("strictness: "), "{mistake}");
        }
        for mistake in ["[sections.'1']\nstrictness = 4", "[sections.plan]", "[sections.plan]\nstrict = 4"] {
            assert!(message(mistake).starts_with("sections: "), "{mistake}");
        }
        assert_eq!(message("preset = 'save'"), "there is no policy \"save\": did you mean \"safe\"?");
        assert!(message("keep = ['yaer']").contains("did you mean \"year\"?"));
        assert_eq!(message("dates = 'shfit'"), "dates: there is no value \"shfit\": did you mean \"shift\"?");
        assert_eq!(
            message("dates = 'quarterly'"),
            "dates: there is no value \"quarterly\": known are tag, year, shift"
        );
        assert_eq!(
            message("patterns = [{name = 'a', regex = 'b', knd = 'name'}]"),
            "patterns: there is no key \"knd\": did you mean \"kind\"?"
        );
        assert_eq!(
            message("patterns = [{name = 'a', regex = 'b', kind = 'hospitl'}]"),
            "patterns[0] \"a\": there is no kind \"hospitl\": did you mean \"hospital\"?"
        );
        assert!(message("season = true").contains("dates = \"shift\""));
        assert!(message("season = 'yes'").starts_with("season: invalid type"));
        assert!(message("tags = 'PATIENT'").contains("template"));
        assert!(message("mask = 'xxx'").contains("asterisks"));
        assert!(message("doctors = ['--']").contains("doctors[0]"));
        assert!(message("dates = ").contains("line 1"));
        assert_eq!(message("doctors = 'Quilla Zandvoort'"), "doctors: must be a list of texts");
        assert_eq!(message("wards = ['Larkmoor', 3]"), "wards: must be a list of texts");
    }

    #[test]
    fn a_note_given_for_a_policy_is_not_shown() {
        let problem = Policy::from_toml("# a comment\nMs. Zandvoort has asthma.").expect_err("no policy").to_string();
        assert!(problem.starts_with("is no TOML at line 2: ") && !problem.contains("Zandvoort"), "{problem}");
    }
}
