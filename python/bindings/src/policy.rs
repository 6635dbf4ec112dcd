//! `notesieve.Policy`.

use std::path::PathBuf;

use notesieve::policy::Policy as Core;
use notesieve::text::span::CodePoints;
use notesieve::vocabulary::{Class, Classes};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use serde_json::Value;

use crate::errors;
use crate::pickle::Reduced;

/// What may come out, and in what form.
#[pyclass(frozen, eq, from_py_object, module = "notesieve")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Policy(pub(crate) Core);

impl Policy {
    /// Converts the policy given to a scrubber: a `Policy`, the name of a preset, or the path of a TOML file.
    pub(crate) fn from_py(given: &Bound<'_, PyAny>) -> PyResult<Core> {
        let py = given.py();
        if let Ok(policy) = given.cast::<Self>() {
            return Ok(policy.get().0.clone());
        }
        if let Ok(name) = given.extract::<String>() {
            let file = name.to_lowercase().ends_with(".toml") || name.contains(['/', '\\']);
            let made = if file {
                Core::open(name.as_ref())
            } else {
                Core::preset_with_choices(&name, &serde_json::Map::new())
            };
            return made.map_err(|error| errors::to_python(py, &error));
        }
        if let Ok(path) = given.extract::<PathBuf>() {
            return Core::open(&path).map_err(|error| errors::to_python(py, &error));
        }
        let message = "policy must be a Policy, the name of one, or the path of a TOML file".to_owned();
        Err(errors::new(py, "PolicyError", message))
    }

    /// Returns one choice as a plain Python value.
    fn choice_as_python<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)?.as_any().get_item(name)
    }
}

fn names_of_lists(classes: Classes) -> Vec<&'static str> {
    Class::ALL.iter().filter(|&&class| classes.has(class)).map(|class| class.key()).collect()
}

#[pymethods]
impl Policy {
    #[new]
    #[pyo3(signature = (preset = "safe", **choices), text_signature = "(preset='safe', *, name=None, ordinary_words=None, terms=None, numbers=None, unknown=None, mask=None, keep=None, dates=None, years=None, season=None, date_order=None, replace=None, tags=None, ages=None, zip=None, ambiguous=None, ethnicity=None, drop_header=None, drop_sections=None, placeholders=None, doctors=None, hospitals=None, wards=None, cues=None, groups=None, brands=None, lists_off=None, strictness=None, sections=None, rules_off=None, patterns=None)")]
    fn new(py: Python<'_>, preset: &str, choices: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut given = serde_json::Map::new();
        for (name, value) in choices.into_iter().flatten() {
            if value.is_none() {
                continue;
            }
            let name: String = name.extract()?;
            let value = if name == "patterns" { path_as_text(&value)? } else { value };
            let json = py.import("json")?.call_method1("dumps", (&value,));
            let json =
                json.and_then(|json| json.extract::<String>()).ok().and_then(|json| serde_json::from_str(&json).ok());
            let Some(json) = json else {
                let kind = value.get_type().name()?;
                return Err(errors::new(py, "PolicyError", format!("{name}: a {kind} is no choice of a policy")));
            };
            given.insert(name, json);
        }
        Core::preset_with_choices(preset, &given).map(Self).map_err(|error| errors::to_python(py, &error))
    }

    /// Read a policy from a TOML file.
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Core::open(&path).map(Self).map_err(|error| errors::to_python(py, &error))
    }

    /// Read a policy from a TOML text.
    #[staticmethod]
    fn from_toml(py: Python<'_>, text: &str) -> PyResult<Self> {
        Core::from_toml(text).map(Self).map_err(|error| errors::to_python(py, &error))
    }

    /// Return every choice as TOML.
    fn to_toml(&self) -> String {
        self.0.to_toml()
    }

    /// Return every choice as plain Python values.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let json = serde_json::to_string(&self.0).unwrap_or_default();
        Ok(py.import("json")?.call_method1("loads", (json,))?.cast_into()?)
    }

    /// SHA-256 of the choices, without the name of the policy.
    #[getter]
    fn digest(&self) -> String {
        self.0.digest()
    }

    /// Whether a scrubber with this policy needs a key.
    #[getter]
    fn needs_key(&self) -> bool {
        self.0.needs_key()
    }

    /// The name of the policy.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "name")
    }

    /// Whether ordinary words are kept.
    #[getter]
    fn ordinary_words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "ordinary_words")
    }

    /// How terms are written.
    #[getter]
    fn terms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "terms")
    }

    /// Which numbers are kept.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "numbers")
    }

    /// What happens to unlisted words.
    #[getter]
    fn unknown<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "unknown")
    }

    /// The placeholder of an unlisted word.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "mask")
    }

    /// Kinds and categories of PHI that are kept.
    #[getter]
    fn keep<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "keep")
    }

    /// The replacement of dates.
    #[getter]
    fn dates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "dates")
    }

    /// What happens to years without a date.
    #[getter]
    fn years<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "years")
    }

    /// Whether shifted dates keep their season.
    #[getter]
    fn season<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "season")
    }

    /// The order of day and month in numeric dates.
    #[getter]
    fn date_order<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "date_order")
    }

    /// The replacement of removed text.
    #[getter]
    fn replace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "replace")
    }

    /// The format of tags.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "tags")
    }

    /// The replacement of an age over 89.
    #[getter]
    fn ages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "ages")
    }

    /// What happens to postal codes.
    #[getter]
    fn zip<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "zip")
    }

    /// What happens to ordinary words that are also names.
    #[getter]
    fn ambiguous<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "ambiguous")
    }

    /// Whether words for ethnicity and nationality are removed too.
    #[getter]
    const fn ethnicity(&self) -> bool {
        self.0.ethnicity
    }

    /// Whether the whole header of a note is removed.
    #[getter]
    const fn drop_header(&self) -> bool {
        self.0.drop_header
    }

    /// Headings of sections that are removed whole.
    #[getter]
    fn drop_sections<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "drop_sections")
    }

    /// Placeholders of earlier de-identification that are kept.
    #[getter]
    fn placeholders<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "placeholders")
    }

    /// The site's doctors and other staff.
    #[getter]
    fn doctors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "doctors")
    }

    /// The site's hospitals.
    #[getter]
    fn hospitals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "hospitals")
    }

    /// The site's wards.
    #[getter]
    fn wards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "wards")
    }

    /// Additional cues of the site.
    #[getter]
    fn cues<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "cues")
    }

    /// The semantic groups of concepts that are reported.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "groups")
    }

    /// The lists whose words may come out.
    #[getter]
    fn lists(&self) -> Vec<&'static str> {
        names_of_lists(self.0.allowed())
    }

    /// The lists whose words come out if a rule vouches for them.
    #[getter]
    fn vouched_lists(&self) -> Vec<&'static str> {
        names_of_lists(self.0.vouched_lists())
    }

    /// Whether brands of drugs and devices are kept.
    #[getter]
    const fn brands(&self) -> bool {
        self.0.brands
    }

    /// Lists of the vocabulary that are no reason to keep a word.
    #[getter]
    fn lists_off<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "lists_off")
    }

    /// How many harmless words may be lost to remove one more identifying word: a number, or one per category.
    #[getter]
    fn strictness<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "strictness")
    }

    /// Choices for sections, by heading.
    #[getter]
    fn sections<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "sections")
    }

    /// Categories whose rules are disabled.
    #[getter]
    fn rules_off(&self) -> Vec<String> {
        self.0.rules_off.clone()
    }

    /// Regular expressions of the user, each a dict.
    #[getter]
    fn patterns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choice_as_python(py, "patterns")
    }

    /// Return the spans of a text, in code points, that keeping patterns vouch for.
    #[pyo3(name = "_kept_by_patterns")]
    fn kept_by_patterns(&self, text: &str) -> Vec<(u32, u32)> {
        let mut points = CodePoints::new(text);
        let spans = self.0.kept_by_patterns(text).into_iter();
        spans.map(|span| (points.count_before(span.start as u32), points.count_before(span.end as u32))).collect()
    }

    fn __repr__(&self) -> String {
        let Ok(Value::Object(choices)) = serde_json::to_value(&self.0) else { return "Policy()".to_owned() };
        let base = Core::preset(&self.0.name).unwrap_or_default();
        let Ok(Value::Object(base)) = serde_json::to_value(&base) else { return "Policy()".to_owned() };
        let mut shown = format!("Policy({:?}", self.0.name);
        for (name, value) in choices.iter().filter(|(name, value)| *name != "name" && base.get(*name) != Some(*value)) {
            // Show only the number of items, because the site's lists hold names.
            let value = match value {
                Value::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
                Value::Array(items) if matches!(name.as_str(), "doctors" | "hospitals" | "wards" | "patterns") => {
                    format!("<{} items>", items.len())
                }
                other => other.to_string(),
            };
            shown.extend([", ", name.as_str(), "=", value.as_str()]);
        }
        shown + ")"
    }

    fn __hash__(&self) -> u64 {
        u64::from_str_radix(&self.0.digest()[..16], 16).unwrap_or_default()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (String,)>> {
        Ok((slf.get_type().getattr("_restore")?, (slf.get().to_toml(),)))
    }

    /// Restore a policy from a pickle.
    #[classmethod]
    fn _restore(class: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        Self::from_toml(class.py(), text)
    }
}

/// Converts a path to text; returns any other value unchanged.
fn path_as_text<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if value.hasattr("__fspath__")? { value.call_method0("__fspath__") } else { Ok(value.clone()) }
}

/// Return the name of each rule, and what it removes or keeps.
#[pyfunction]
pub(crate) fn rule_table() -> Vec<(&'static str, &'static str)> {
    notesieve::rules::RULES.iter().map(|rule| (rule.name, rule.about)).collect()
}

/// Return the name and the lines of each term list of the rules that is not in the vocabulary.
#[pyfunction]
pub(crate) fn listed_terms() -> Vec<(&'static str, Vec<&'static str>)> {
    notesieve::rules::listed_terms().into_iter().map(|(name, lines)| (name, lines.to_vec())).collect()
}

/// Return the syllables of surrogate names: starts, middles, links, endings.
#[pyfunction]
pub(crate) fn surrogate_syllables() -> [Vec<&'static str>; 4] {
    notesieve::render::syllables()
}
