//! `notesieve.Removal`, `Finding` and `Decision`: what was removed of a note, and why.

use notesieve::document::{Action, Reason};
use notesieve::finding::Kind;
use pyo3::prelude::*;

use crate::pickle::{self, Places, Reduced};

/// A stretch of the original that did not come out.
#[pyclass(frozen, eq, get_all, module = "notesieve")]
#[derive(Clone, PartialEq)]
pub(crate) struct Removal {
    /// First code point in the original.
    pub(super) start: u32,
    /// One past the last code point there.
    pub(super) end: u32,
    /// `NAME`, `DATE`, `AGE`, `LOCATION`, `CONTACT`, `ID`, or `UNLISTED` for what nothing vouches for.
    pub(super) category: &'static str,
    /// The kind of PHI within the category; `None` if unlisted.
    pub(super) kind: Option<&'static str>,
    /// First code point in the de-identified text of what stands for it.
    output_start: u32,
    /// One past the last code point there.
    output_end: u32,
}

impl Removal {
    pub(super) fn of((start, end, output_start, output_end): Places, kind: Option<Kind>) -> Self {
        Self {
            start,
            end,
            category: kind.map_or("UNLISTED", |kind| kind.category().key()),
            kind: kind.map(Kind::key),
            output_start,
            output_end,
        }
    }
}

#[pymethods]
impl Removal {
    fn __repr__(&self) -> String {
        format!("Removal({}:{}, {:?})", self.start, self.end, self.category)
    }

    /// What a pickle holds: offsets and the kind.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (Places, Option<&'static str>)>> {
        let &Self { start, end, kind, output_start, output_end, .. } = slf.get();
        Ok((slf.get_type().getattr("_restore")?, ((start, end, output_start, output_end), kind)))
    }

    /// The removal of a pickle.
    #[staticmethod]
    fn _restore(places: Places, kind: Option<&str>) -> PyResult<Self> {
        Ok(Self::of(places, kind.map(pickle::kind).transpose()?))
    }
}

/// What a rule found, whether or not it was removed.
#[pyclass(frozen, eq, get_all, module = "notesieve")]
#[derive(Clone, PartialEq)]
pub(crate) struct Finding {
    /// First code point in the original.
    pub(super) start: u32,
    /// One past the last code point there.
    pub(super) end: u32,
    /// The category of PHI.
    pub(super) category: &'static str,
    /// The kind within the category.
    pub(super) kind: &'static str,
    /// The rule.
    pub(super) rule: &'static str,
    /// 1 weak, 2 likely, 3 sure.
    pub(super) certainty: u8,
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        format!("Finding({}:{}, {:?}, rule={:?})", self.start, self.end, self.kind, self.rule)
    }

    /// What a pickle holds: offsets, the kind, the rule and its certainty.
    #[allow(clippy::type_complexity, reason = "the arguments of `_restore`")]
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (u32, u32, &'static str, &'static str, u8)>> {
        let &Self { start, end, kind, rule, certainty, .. } = slf.get();
        Ok((slf.get_type().getattr("_restore")?, (start, end, kind, rule, certainty)))
    }

    /// The finding of a pickle.
    #[staticmethod]
    fn _restore(start: u32, end: u32, kind: &str, rule: &str, certainty: u8) -> PyResult<Self> {
        let kind = pickle::kind(kind)?;
        let (category, rule) = (kind.category().key(), pickle::rule(rule)?);
        Ok(Self { start, end, category, kind: kind.key(), rule, certainty })
    }
}

/// The decision on one token.
#[pyclass(frozen, eq, get_all, module = "notesieve")]
#[derive(Clone, PartialEq)]
pub(crate) struct Decision {
    /// First code point in the original.
    pub(super) start: u32,
    /// One past the last code point there.
    pub(super) end: u32,
    /// First code point in the de-identified text.
    pub(super) output_start: u32,
    /// One past the last code point there.
    pub(super) output_end: u32,
    /// `keep`, `code` or `remove`.
    pub(super) action: &'static str,
    /// Why.
    pub(super) reason: &'static str,
    /// The rule behind the reason, if one is.
    pub(super) rule: Option<&'static str>,
}

#[pymethods]
impl Decision {
    fn __repr__(&self) -> String {
        let rule = self.rule.map(|rule| format!(", rule={rule:?}")).unwrap_or_default();
        format!("Decision({}:{}, {:?}, {:?}{rule})", self.start, self.end, self.action, self.reason)
    }

    /// What a pickle holds: offsets, what was decided, and why.
    #[allow(clippy::type_complexity, reason = "the arguments of `_restore`")]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<Reduced<'py, (Places, &'static str, &'static str, Option<&'static str>)>> {
        let &Self { start, end, output_start, output_end, action, reason, rule } = slf.get();
        Ok((slf.get_type().getattr("_restore")?, ((start, end, output_start, output_end), action, reason, rule)))
    }

    /// The decision of a pickle.
    #[staticmethod]
    fn _restore(places: Places, action: &str, reason: &str, rule: Option<&str>) -> PyResult<Self> {
        let (start, end, output_start, output_end) = places;
        let action = pickle::one_of([Action::Keep, Action::Code, Action::Remove].map(name), action)?;
        let reason = pickle::one_of(Reason::ALL.map(Reason::key), reason)?;
        let rule = rule.map(pickle::rule).transpose()?;
        Ok(Self { start, end, output_start, output_end, action, reason, rule })
    }
}

/// What a decision is called.
pub(super) const fn name(action: Action) -> &'static str {
    match action {
        Action::Keep => "keep",
        Action::Code => "code",
        Action::Remove => "remove",
    }
}
