//! `notesieve.Policy`.

use notesieve::policy::{Numbers, Policy as Core, Terms, Unknown};
use notesieve::vocabulary::{Class, Classes};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors;

/// What may come out, and in what form.
#[pyclass(frozen, eq, from_py_object, module = "notesieve")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Policy(pub(crate) Core);

fn choice<T>(py: Python<'_>, option: &str, given: &str, choices: &[(&str, T)]) -> PyResult<T>
where
    T: Copy,
{
    choices.iter().find(|(name, _)| *name == given).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        errors::new(py, "PolicyError", format!("{option}={given:?} is not one of {}", names.join(", ")))
    })
}

const NUMBERS: &[(&str, Numbers)] =
    &[("none", Numbers::None), ("strict", Numbers::Strict), ("wide", Numbers::Wide), ("all", Numbers::All)];
const TERMS: &[(&str, Terms)] = &[("written", Terms::Written), ("preferred", Terms::Preferred), ("code", Terms::Code)];
const UNKNOWN: &[(&str, Unknown)] = &[("remove", Unknown::Remove), ("keep", Unknown::Keep)];

fn name_of<T: PartialEq>(choices: &[(&'static str, T)], value: &T) -> &'static str {
    choices.iter().find(|(_, choice)| choice == value).map_or("", |(name, _)| name)
}

fn keys(classes: Classes) -> Vec<&'static str> {
    Class::ALL.iter().filter(|&&class| classes.has(class)).map(|class| class.key()).collect()
}

#[pymethods]
impl Policy {
    #[new]
    #[pyo3(signature = (preset = "safe", *, ordinary_words = None, terms = None, numbers = None, unknown = None, mask = None, keep = None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of a Python constructor")]
    fn new(
        py: Python<'_>,
        preset: &str,
        ordinary_words: Option<bool>,
        terms: Option<&str>,
        numbers: Option<&str>,
        unknown: Option<&str>,
        mask: Option<String>,
        keep: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let mut policy = Core::preset(preset).ok_or_else(|| {
            errors::new(py, "PolicyError", format!("there is no policy {preset:?}: take berman, safe or readable"))
        })?;
        if let Some(value) = ordinary_words {
            policy.ordinary_words = value;
        }
        if let Some(value) = terms {
            policy.terms = choice(py, "terms", value, TERMS)?;
        }
        if let Some(value) = numbers {
            policy.numbers = choice(py, "numbers", value, NUMBERS)?;
        }
        if let Some(value) = unknown {
            policy.unknown = choice(py, "unknown", value, UNKNOWN)?;
        }
        if let Some(value) = mask {
            policy.mask = value;
        }
        if let Some(value) = keep {
            policy.keep = value;
        }
        policy.check().map_err(|error| errors::to_python(py, &error))?;
        Ok(Self(policy))
    }

    /// What the policy is called.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Whether ordinary words stay.
    #[getter]
    const fn ordinary_words(&self) -> bool {
        self.0.ordinary_words
    }

    /// How terms are written: `written`, `preferred` or `code`.
    #[getter]
    fn terms(&self) -> &'static str {
        name_of(TERMS, &self.0.terms)
    }

    /// Which numbers stay: `none`, `strict`, `wide` or `all`.
    #[getter]
    fn numbers(&self) -> &'static str {
        name_of(NUMBERS, &self.0.numbers)
    }

    /// What happens to words on no list: `remove` or `keep`.
    #[getter]
    fn unknown(&self) -> &'static str {
        name_of(UNKNOWN, &self.0.unknown)
    }

    /// What stands for a word on no list.
    #[getter]
    fn mask(&self) -> &str {
        &self.0.mask
    }

    /// Kinds and categories of PHI that stay.
    #[getter]
    fn keep(&self) -> Vec<String> {
        self.0.keep.clone()
    }

    /// The lists whose words may come out.
    #[getter]
    fn lists(&self) -> Vec<&'static str> {
        keys(self.0.allowed())
    }

    /// The lists whose words come out where a rule vouches for them.
    #[getter]
    fn vouched_lists(&self) -> Vec<&'static str> {
        keys(self.0.vouched())
    }

    fn __repr__(&self) -> String {
        format!(
            "Policy({:?}, ordinary_words={}, terms={:?}, numbers={:?}, unknown={:?}, mask={:?}, keep={:?})",
            self.0.name,
            if self.0.ordinary_words { "True" } else { "False" },
            self.terms(),
            self.numbers(),
            self.unknown(),
            self.0.mask,
            self.0.keep
        )
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.__repr__().hash(&mut hasher);
        hasher.finish()
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String,), Bound<'py, PyDict>)> {
        let changes = PyDict::new(py);
        changes.set_item("ordinary_words", self.0.ordinary_words)?;
        changes.set_item("terms", self.terms())?;
        changes.set_item("numbers", self.numbers())?;
        changes.set_item("unknown", self.unknown())?;
        changes.set_item("mask", &self.0.mask)?;
        changes.set_item("keep", &self.0.keep)?;
        Ok(((self.0.name.clone(),), changes))
    }
}
