//! Pickles contain only output and offsets, as JSON.

use notesieve::document::{Action, Reason, SourceName};
use notesieve::finding::{Category, Kind};
use notesieve::status::Status;
use notesieve::values::{Attributes, Unit};
use notesieve::vocabulary::Group;
use pyo3::PyClass;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};

use crate::errors;
use crate::note::action_name;

/// The return value of `__reduce__`: a function and its arguments.
pub(crate) type Reduced<'py, Arguments> = (Bound<'py, PyAny>, Arguments);

/// Raises an exception of class `class` about `thing` if the digest of a file differs from that in a pickle.
pub(crate) fn check_digest(
    py: Python<'_>,
    (file, found): (&str, &str),
    wanted: &str,
    (class, thing): (&str, &str),
) -> PyResult<()> {
    if found == wanted {
        return Ok(());
    }
    let message =
        format!("{file}: has digest {found}, the pickle was made with {wanted}: use the same {thing} on both sides");
    Err(errors::new(py, class, message))
}

/// Reduces an object to its restoring function and its fields.
pub(crate) fn reduce_to_state<'py, T>(object: &Bound<'py, T>) -> PyResult<Reduced<'py, (String,)>>
where
    T: PyClass<Frozen = True> + Serialize + Sync,
{
    Ok((object.as_any().get_type().getattr("_restore")?, (to_state(object.get())?,)))
}

/// Serialises a value as JSON.
pub(crate) fn to_state(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|_| foreign_version_error())
}

/// Deserialises a value from JSON.
pub(crate) fn from_state<T: DeserializeOwned>(state: &str) -> PyResult<T> {
    serde_json::from_str(state).map_err(|_| foreign_version_error())
}

fn foreign_version_error() -> PyErr {
    PyValueError::new_err(
        "the pickle was made by another version of notesieve; load it with that version, or scrub the notes again",
    )
}

/// A name defined by notesieve: a kind, a group, a unit, a rule. A pickle with any other name is rejected.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, IntoPyObject, IntoPyObjectRef)]
pub(crate) struct Key(pub(crate) &'static str);

impl Key {
    fn known_key(name: &str) -> Option<&'static str> {
        let finds = Kind::ALL.iter().map(|kind| kind.key()).chain(Category::ALL.map(Category::key)).chain(["UNLISTED"]);
        let decides = Reason::ALL.map(Reason::key).into_iter().chain(Action::ALL.map(action_name));
        let says = Attributes::COMPARATORS.into_iter().chain(Attributes::FLAGS).chain(Attributes::routes());
        let concepts = Group::ALL.iter().map(|group| group.key()).chain(Status::KEYS);
        let named = || SourceName::rule(name).or_else(|| SourceName::detector(name)).map(SourceName::as_str);
        let unit = || Unit::of(name).map(Unit::name).filter(|known| *known == name);
        finds.chain(decides).chain(says).chain(concepts).find(|known| *known == name).or_else(unit).or_else(named)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(name: D) -> Result<Self, D::Error> {
        let name = String::deserialize(name)?;
        Self::known_key(&name).map(Self).ok_or_else(|| D::Error::custom("no name of this version"))
    }
}
