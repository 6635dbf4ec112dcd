//! `notesieve.vocabularies.build`: builds vocabularies from the user's sources.

use std::path::PathBuf;

use notesieve::{Error, Vocabulary as Core};
use notesieve_vocabulary_build::build::{self, Progress, SourceSpec};
use notesieve_vocabulary_build::sources::{Source, compiled};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use serde::Deserialize;

use crate::boundary;

/// A request to build, as sent by `notesieve.vocabularies`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    sources: Vec<SourceSpec>,
    options: build::Options,
    /// Which part of the embedded vocabulary to add after all sources: `default`, `lists` or nothing.
    base: Option<String>,
}

impl Request {
    fn parse(request: &str) -> notesieve::Result<Self> {
        let mut request: Self = serde_json::from_str(request).map_err(|error| {
            Error::Policy(format!("an option of a source is not known or has a wrong value: {error}"))
        })?;
        let concepts = match request.base.as_deref() {
            None => return Ok(request),
            Some("default") => true,
            Some("lists") => false,
            Some(other) => {
                return Err(Error::Policy(format!("base={other:?} is not one of default, lists, none")));
            }
        };
        let vocabulary = Core::from_static(notesieve_vocabularies::default_bytes())?;
        let source = Source::Open { vocabulary, options: compiled::Options { concepts } };
        request.sources.push(SourceSpec::new(source, "<embedded>"));
        Ok(request)
    }
}

/// Build a vocabulary into a file and return the report as JSON. `progress` receives the index of the source and the
/// number of its records, or `None` twice when all sources were read.
#[pyfunction]
#[pyo3(signature = (request, out, progress, /))]
pub(crate) fn build_vocabulary(
    py: Python<'_>,
    request: &str,
    out: PathBuf,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let mut stopped = None;
    let stopped_in = &mut stopped;
    let report = boundary::without_gil(py, move || {
        let request = Request::parse(request)?;
        let mut on_progress = |step: Progress| {
            let told = Python::attach(|py| {
                py.check_signals()?;
                let Some(progress) = &progress else { return Ok(()) };
                let step = match step {
                    Progress::Read { source, records } => (Some(source), Some(records)),
                    Progress::Compile => (None, None),
                };
                progress.call1(py, step).map(drop)
            });
            told.map_err(|problem| {
                *stopped_in = Some(problem);
                Error::Policy("the build was stopped".to_owned())
            })
        };
        build::build_file(&request.sources, request.options, &out, &mut on_progress)
    });
    // If a callback stopped the build, report its error.
    let report = report.map_err(|problem| stopped.unwrap_or(problem))?;
    Ok(serde_json::to_string(&report).unwrap_or_default())
}
