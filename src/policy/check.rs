//! Validates policies; errors suggest the nearest known name.

use super::patterns::check_patterns;
use super::suggest::unknown_name;
use super::{ANGLE, DEID, Dates, Policy, SQUARE};
use crate::error::{Error, Result};
use crate::finding::{Category, Kind};
use crate::status::CueList;
use crate::vocabulary::{Class, Group};

impl Policy {
    /// Fails if the policy has invalid or contradictory choices.
    pub fn check(&self) -> Result<()> {
        for (list, items) in [("doctors", &self.doctors), ("hospitals", &self.hospitals), ("wards", &self.wards)] {
            if let Some(at) = items.iter().position(|item| !item.chars().any(char::is_alphanumeric)) {
                return Err(Error::Policy(format!("{list}[{at}] has no letter and no digit: leave it out")));
            }
        }
        check_tags(&self.tags)?;
        if let Some(group) = self.groups.iter().find(|group| Group::from_key(group).is_none()) {
            let known: Vec<&str> = Group::ALL.iter().map(|group| group.key()).collect();
            return Err(unknown_name("group", group, &known));
        }
        CueList::parse(self.cues.iter().map(String::as_str), "cues")?;
        if let Some(at) = self.drop_sections.iter().position(|heading| !heading.chars().any(char::is_alphabetic)) {
            return Err(Error::Policy(format!("drop_sections[{at}] has no letter: leave it out")));
        }
        if self.sections.keys().any(|heading| !heading.chars().any(char::is_alphabetic)) {
            return Err(Error::Policy("sections: a heading has no letter".to_owned()));
        }
        if let Some(at) =
            self.placeholders.iter().position(|named| crate::placeholders::placeholder_marks(named).is_none())
        {
            return Err(Error::Policy(format!(
                "placeholders[{at}] is not marks, three points and marks, such as \"[**...**]\""
            )));
        }
        if self.season && self.dates != Dates::Shift {
            return Err(Error::Policy(
                "season keeps the season of shifted dates: set dates = \"shift\" too".to_owned(),
            ));
        }
        if self.mask.is_empty() || !self.mask.bytes().all(|byte| byte == b'*') {
            // A mask of letters would be text that nothing vouches for.
            return Err(Error::Policy(format!("mask={:?} must be one or more asterisks", self.mask)));
        }
        let switches: Vec<&str> =
            Class::ALL.iter().filter(|class| Self::can_switch_off(**class)).map(|class| class.key()).collect();
        if let Some(off) = self.lists_off.iter().find(|off| !switches.contains(&off.as_str())) {
            return Err(unknown_name("list to switch off,", off, &switches));
        }
        for off in &self.rules_off {
            if !Category::ALL.iter().any(|category| category.key().eq_ignore_ascii_case(off)) {
                return Err(Error::Policy(format!(
                    "rules_off={off:?} is no category of PHI: take name, date, age, location, contact or id"
                )));
            }
        }
        check_patterns(&self.patterns)?;
        for kept in &self.keep {
            let known = Kind::from_key(kept).is_some()
                || Category::ALL.iter().any(|category| category.key().eq_ignore_ascii_case(kept));
            if !known {
                let categories = ["name", "date", "age", "location", "contact", "id"];
                let kinds = Kind::ALL.iter().map(|kind| kind.key()).filter(|key| !categories.contains(key));
                let known: Vec<&str> = categories.into_iter().chain(kinds).collect();
                return Err(unknown_name("category or kind of PHI to keep,", kept, &known));
            }
        }
        Ok(())
    }
}

/// Checks a tag template. Letters in it would be text that nothing vouches for, and could be taken for text of the
/// note.
fn check_tags(tags: &str) -> Result<()> {
    if matches!(tags, SQUARE | ANGLE | DEID) {
        return Ok(());
    }
    let rest = tags.replace("{category}", "").replace("{kind}", "");
    let marks = rest.chars().all(|mark| mark.is_ascii_punctuation() && !matches!(mark, '{' | '}'));
    if rest.len() == tags.len() || !marks || tags.len() > 64 {
        return Err(Error::Policy(format!(
            "tags={tags:?} is not square, angle, deid, or a template of {{category}} or {{kind}} and marks, such as \"<<{{kind}}>>\""
        )));
    }
    Ok(())
}
