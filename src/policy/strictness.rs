//! Strictness: the number of harmless words that may be lost to remove one more identifying word, by category and
//! section.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::suggest::unknown_name;
use crate::error::Error;
use crate::finding::Category;

/// A strictness per category: one number, or a table such as `{NAME = 40, LOCATION = 8}`. Categories missing from a
/// table have the default; in a section, that of the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub struct Strictness([Option<u32>; Category::ALL.len()]);

impl Strictness {
    /// The strictness of a category that is not given.
    pub const DEFAULT: u32 = 20;

    /// Returns the strictness of a category, if given.
    pub const fn of_category(&self, category: Category) -> Option<u32> {
        self.0[category as usize]
    }
}

impl From<u32> for Strictness {
    fn from(all: u32) -> Self {
        Self([Some(all); Category::ALL.len()])
    }
}

impl TryFrom<Value> for Strictness {
    type Error = Error;

    fn try_from(value: Value) -> Result<Self, Error> {
        let number = |value: &Value| {
            let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
            number.ok_or_else(|| Error::Policy(format!("a strictness is a whole number from 0 to {}", u32::MAX)))
        };
        let Value::Object(table) = value else { return number(&value).map(Self::from) };
        let mut all = Self([None; Category::ALL.len()]);
        for (key, value) in &table {
            let named = Category::ALL.into_iter().find(|category| category.key().eq_ignore_ascii_case(key));
            let Some(category) = named else {
                return Err(unknown_name("category", key, &Category::ALL.map(Category::key)));
            };
            if all.0[category as usize].replace(number(value)?).is_some() {
                return Err(Error::Policy(format!("{} is there twice", category.key())));
            }
        }
        if table.is_empty() {
            return Err(Error::Policy("the table names no category".to_owned()));
        }
        Ok(all)
    }
}

impl From<Strictness> for Value {
    fn from(strictness: Strictness) -> Self {
        let first = strictness.0[0];
        if let Some(all) = first.filter(|_| strictness.0.iter().all(|each| *each == first)) {
            return all.into();
        }
        let given =
            Category::ALL.into_iter().filter_map(|category| Some((category, strictness.of_category(category)?)));
        let table: Map<_, _> = given.map(|(category, number)| (category.key().to_lowercase(), number.into())).collect();
        table.into()
    }
}

/// The choices for a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectionChoices {
    /// The strictness of the section.
    pub strictness: Strictness,
}
