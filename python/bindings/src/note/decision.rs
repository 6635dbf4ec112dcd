//! `notesieve.Removal`, `Finding` and `Decision`: what was removed from a note, and why.

#![allow(clippy::unsafe_derive_deserialize, reason = "the unsafe methods are those of pyo3")]

use notesieve::document::{self, Action, Found, SourceName, TokenDecision};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::pickle::{self, Key, Reduced};

/// A span of the original that was removed.
#[pyclass(frozen, eq, get_all, module = "notesieve")]
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Removal {
    /// The start in the original, in code points.
    start: u32,
    /// The end in the original, exclusive.
    end: u32,
    /// `NAME`, `DATE`, `AGE`, `LOCATION`, `CONTACT`, `ID`, or `UNLISTED`.
    category: Key,
    /// The kind of PHI within the category; `None` if unlisted.
    kind: Option<Key>,
    /// The start of its replacement in the de-identified text, in code points.
    output_start: u32,
    /// The end of its replacement, exclusive.
    output_end: u32,
}

impl From<&document::Removal> for Removal {
    fn from(&document::Removal { source, output, kind }: &document::Removal) -> Self {
        Self {
            start: source.start,
            end: source.end,
            category: Key(kind.map_or("UNLISTED", |kind| kind.category().key())),
            kind: kind.map(|kind| Key(kind.key())),
            output_start: output.start,
            output_end: output.end,
        }
    }
}

#[pymethods]
impl Removal {
    fn __repr__(&self) -> String {
        format!("Removal({}:{}, {:?})", self.start, self.end, self.category.0)
    }

    /// Pickle offsets and the kind.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (String,)>> {
        pickle::reduce_to_state(slf)
    }

    #[staticmethod]
    fn _restore(state: &str) -> PyResult<Self> {
        pickle::from_state(state)
    }
}

/// A finding of a rule, whether or not it was removed.
#[pyclass(frozen, eq, get_all, module = "notesieve")]
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Finding {
    /// The start in the original, in code points.
    start: u32,
    /// The end in the original, exclusive.
    end: u32,
    /// The category of PHI.
    category: Key,
    /// The kind within the category.
    kind: Key,
    /// The name of the rule.
    rule: Key,
    /// 1 weak, 2 likely, 3 sure.
    certainty: u8,
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        format!("Finding({}:{}, {:?}, rule={:?})", self.start, self.end, self.kind.0, self.rule.0)
    }

    /// Pickle offsets, the kind, the rule and its certainty.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (String,)>> {
        pickle::reduce_to_state(slf)
    }

    #[staticmethod]
    fn _restore(state: &str) -> PyResult<Self> {
        pickle::from_state(state)
    }
}

/// The decision on one token.
#[pyclass(frozen, eq, get_all, module = "notesieve")]
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Decision {
    /// The start in the original, in code points.
    start: u32,
    /// The end in the original, exclusive.
    end: u32,
    /// The start in the de-identified text, in code points.
    output_start: u32,
    /// The end in the de-identified text, exclusive.
    output_end: u32,
    /// `keep`, `code` or `remove`.
    action: Key,
    /// The reason.
    reason: Key,
    /// The rule that gave the reason, if any.
    rule: Option<Key>,
}

#[pymethods]
impl Decision {
    fn __repr__(&self) -> String {
        let rule = self.rule.map(|rule| format!(", rule={:?}", rule.0)).unwrap_or_default();
        format!("Decision({}:{}, {:?}, {:?}{rule})", self.start, self.end, self.action.0, self.reason.0)
    }

    /// Pickle offsets, the action and its reason.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (String,)>> {
        pickle::reduce_to_state(slf)
    }

    #[staticmethod]
    fn _restore(state: &str) -> PyResult<Self> {
        pickle::from_state(state)
    }
}

impl From<&Found> for Finding {
    fn from(&Found { source, kind, rule, certainty }: &Found) -> Self {
        Self {
            start: source.start,
            end: source.end,
            category: Key(kind.category().key()),
            kind: Key(kind.key()),
            rule: Key(rule.as_str()),
            certainty: certainty as u8,
        }
    }
}

impl From<&TokenDecision> for Decision {
    fn from(&TokenDecision { source, output, action, reason, rule }: &TokenDecision) -> Self {
        Self {
            start: source.start,
            end: source.end,
            output_start: output.start,
            output_end: output.end,
            action: Key(action_name(action)),
            reason: Key(reason.key()),
            rule: rule.map(SourceName::as_str).map(Key),
        }
    }
}

/// Returns the name of an action.
pub(crate) const fn action_name(action: Action) -> &'static str {
    match action {
        Action::Keep => "keep",
        Action::Code => "code",
        Action::Remove => "remove",
    }
}
