//! Findings of other detectors, converted from code points to byte offsets.

use notesieve::detections::Detection;
use notesieve::document::SourceName;
use notesieve::finding::{Category, Certainty, Kind};
use notesieve::text::span::Span;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::errors;

/// `(start, end, kind, certainty, source)`, as made by `notesieve.detectors`.
pub(crate) type FindingTuple = (i64, i64, String, String, String);

/// Returns the detections of a note, and messages for the invalid ones. No message contains text of the note.
pub(crate) fn detections_of_text(text: &str, given: &[FindingTuple]) -> (Vec<Detection>, Vec<String>) {
    let mut bytes: Vec<u32> = Vec::new();
    if !given.is_empty() {
        bytes.extend(text.char_indices().map(|(at, _)| at as u32));
        bytes.push(text.len() as u32);
    }
    let (mut detections, mut problems) = (Vec::new(), Vec::new());
    for (nth, given) in given.iter().enumerate() {
        match parse_detection(&bytes, given) {
            Ok(detection) => detections.push(detection),
            Err(problem) => problems.push(format!("findings[{nth}]: {problem}")),
        }
    }
    (detections, problems)
}

/// Returns the detections of the next note, and a message if some are invalid.
pub(crate) fn next_detections(
    py: Python<'_>,
    findings: &mut Bound<'_, PyIterator>,
    text: &str,
    index: usize,
) -> PyResult<(Vec<Detection>, Option<String>)> {
    let Some(found) = findings.next() else {
        let message =
            format!("there are more notes than lists of findings, which end after {index}: give one list a note");
        return Err(errors::new(py, "FindingError", message));
    };
    let (detections, wrong) = detections_of_text(text, &found?.extract::<Vec<FindingTuple>>()?);
    Ok((detections, (!wrong.is_empty()).then(|| wrong.join("; "))))
}

fn parse_detection(bytes: &[u32], (start, end, kind, certainty, source): &FindingTuple) -> Result<Detection, String> {
    let place = |at: i64| usize::try_from(at).ok().and_then(|at| bytes.get(at)).copied();
    let span = match (place(*start), place(*end)) {
        (Some(first), Some(last)) if first < last => Span::new(first, last),
        _ => {
            let length = bytes.len().saturating_sub(1);
            return Err(format!("{start}..{end} is no span of a note of {length} characters"));
        }
    };
    let kind = kind_of(kind).ok_or("there is no such kind: take a kind or a category of PHI")?;
    let certainty = Certainty::from_key(certainty).ok_or("certainty must be weak, likely or sure")?;
    let detector = SourceName::detector(&format!("detector:{source}"))
        .ok_or("source must be up to 64 letters, digits and marks of -_./, and no more than 4,096 sources")?;
    Ok(Detection { span, kind, certainty, detector })
}

/// Returns the kind with this name; for a category, its most general kind.
fn kind_of(key: &str) -> Option<Kind> {
    let category = Category::ALL.iter().find(|category| category.key() == key);
    Kind::from_key(key).or_else(|| {
        Some(match category? {
            Category::Name => Kind::Name,
            Category::Date => Kind::Date,
            Category::Age => Kind::AgeOver89,
            Category::Location => Kind::Organisation,
            Category::Contact => Kind::Phone,
            Category::Id => Kind::OtherId,
        })
    })
}
