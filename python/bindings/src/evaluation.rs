//! The evaluation as one function from JSON to JSON. Reports are large, nested and read by people, so a class for each
//! of their parts would not help.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use notesieve_evaluation::sampling::{ReviewPlan, annotation_sheet, draw_sample, judge_marks, read_sheet, sample_size};
use notesieve_evaluation::{
    Error, Format, Gold, Options, Predictions, Result, agreement, compare, evaluate, majority_gold,
};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::errors;

/// A task of the evaluation. Gold standards and predictions are JSON texts of their own, so that they are parsed and
/// checked once.
#[derive(Deserialize)]
#[serde(tag = "task", rename_all = "snake_case")]
enum Request {
    ReadGold { path: PathBuf, format: Option<String> },
    WriteGold { gold: String, path: PathBuf, format: String },
    ReadPredictions { path: PathBuf },
    Evaluate { gold: String, predictions: String, options: Options },
    Compare { gold: String, first: String, second: String, options: Options },
    Agreement { people: Vec<(String, String)>, adjudicated: Option<String> },
    Majority { people: Vec<(String, String)> },
    SampleSize { question: ReviewPlan },
    Sample { documents: BTreeMap<String, String>, size: usize, seed: u64 },
    Judge { sheet: PathBuf, question: ReviewPlan, seed: u64 },
}

/// Run one task of the evaluation. `request` and the result are JSON.
#[pyfunction]
#[pyo3(signature = (request, /))]
pub(crate) fn run_evaluation_request(py: Python<'_>, request: &str) -> PyResult<String> {
    py.detach(|| run_request(request)).map_err(|error| {
        let class = match error {
            Error::File { .. } => "FileError",
            Error::Gold { .. } => "GoldError",
            _ => "PolicyError",
        };
        errors::new(py, class, error.to_string())
    })
}

fn run_request(request: &str) -> Result<String> {
    // The message of serde_json may quote the text of a note.
    let request: Request = serde_json::from_str(request).map_err(|error| {
        Error::Option(format!("an option is not known or has a wrong value: {}", hidden_json_error(&error)))
    })?;
    match request {
        Request::ReadGold { path, format: None } => to_json(&Gold::read(path)?),
        Request::ReadGold { path, format: Some(format) } => to_json(&Gold::read_as(path, Format::from_name(&format)?)?),
        Request::WriteGold { gold, path, format } => {
            to_json(&Gold::from_json(&gold)?.write(path, Format::from_name(&format)?)?)
        }
        Request::ReadPredictions { path } => predictions_to_json_lines(&Predictions::read(path)?),
        Request::Evaluate { gold, predictions, options } => {
            to_json(&evaluate(&Gold::from_json(&gold)?, &parse_predictions(&predictions)?, &options)?)
        }
        Request::Compare { gold, first, second, options } => to_json(&compare(
            &Gold::from_json(&gold)?,
            &parse_predictions(&first)?,
            &parse_predictions(&second)?,
            &options,
        )?),
        Request::Agreement { people, adjudicated } => {
            let adjudicated = adjudicated.as_deref().map(Gold::from_json).transpose()?;
            to_json(&agreement(&parse_readers(people)?, adjudicated.as_ref())?)
        }
        Request::Majority { people } => to_json(&majority_gold(&parse_readers(people)?)?),
        Request::SampleSize { question } => to_json(&sample_size(&question)?),
        Request::Sample { documents, size, seed } => {
            let sample = draw_sample(&documents, size, seed);
            to_json(&json!({ "sample": sample, "sheet": annotation_sheet(&sample) }))
        }
        Request::Judge { sheet, question, seed } => to_json(&judge_marks(&read_sheet(&sheet)?, &question, seed)),
    }
}

/// Describes the problem with a request, without the values in it.
fn hidden_json_error(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let names = message.starts_with("unknown field") || message.starts_with("unknown variant");
    if names { message } else { format!("column {}", error.column()) }
}

fn parse_predictions(predictions: &str) -> Result<Predictions> {
    Predictions::parse(Path::new("<predictions>"), predictions)
}

fn parse_readers(people: Vec<(String, String)>) -> Result<Vec<(String, Gold)>> {
    people.into_iter().map(|(name, gold)| Ok((name, Gold::from_json(&gold)?))).collect()
}

/// Formats predictions as JSON lines, the format in which they are read back.
fn predictions_to_json_lines(predictions: &Predictions) -> Result<String> {
    let mut lines = String::new();
    for (doc, spans) in &predictions.spans {
        let mut line = json!({ "doc": doc, "spans": spans });
        if let Some(concepts) = predictions.concepts.get(doc) {
            line["concepts"] = json!(concepts);
        }
        if let Some(kept) = predictions.kept.get(doc) {
            line["kept"] = kept.iter().map(|piece| json!([piece.start, piece.end, piece.reason])).collect();
        }
        lines += &to_json(&line)?;
        lines.push('\n');
    }
    Ok(lines)
}

fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|_| Error::Option("the result cannot be written as JSON".to_owned()))
}
