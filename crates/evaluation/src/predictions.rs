//! Predictions: what a system removed, from a file of spans or from any gold format.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::gold::{Gold, broken_line, read_text};
use crate::label_map::{join_category, system_category};

/// A span that a system removed or changed. Offsets count code points, the end is exclusive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PredictedSpan {
    /// The start in code points.
    pub start: u32,
    /// The end, exclusive.
    pub end: u32,
    /// The category, if the system assigns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// The rule or list that decided, if the system names it.
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "rule")]
    pub reason: Option<String>,
}

/// The concepts of a note before and after scrubbing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Concepts {
    /// The codes in the original.
    pub original: Vec<String>,
    /// The codes that remain in the scrubbed text.
    pub kept: Vec<String>,
}

/// A system's output for a set of notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Predictions {
    /// The removed spans by document. A document without an entry was not changed.
    pub spans: BTreeMap<String, Vec<PredictedSpan>>,
    /// The concepts by document, if known.
    pub concepts: BTreeMap<String, Concepts>,
    /// The reasons why spans were kept, by document, if the system gives them; they explain leaks.
    pub kept: BTreeMap<String, Vec<PredictedSpan>>,
}

impl Predictions {
    /// Reads predictions: JSON lines of documents (`{"doc": .., "spans": [[start, end, category, reason], ..]}`, the
    /// last two optional, and optionally `"concepts": {"original": [..], "kept": [..]}` and the reasons for kept text,
    /// `"kept": [[start, end, reason], ..]`), JSON lines of spans (as gold spans), or any gold format.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let lines = path.extension().is_some_and(|extension| extension == "jsonl" || extension == "ndjson");
        if lines && path.is_file() {
            return Self::parse(path, &read_text(path)?);
        }
        let gold = Gold::read(path)?;
        if let Some(problem) = gold.problems.into_iter().next() {
            // Incomplete predictions would give wrong scores.
            return Err(Error::Gold { file: problem.file, line: problem.line, problem: problem.problem });
        }
        let mut predictions = Self::default();
        for (doc, spans) in gold.spans {
            let spans = spans.into_iter().map(|span| PredictedSpan {
                start: span.start,
                end: span.end,
                category: (span.category != "PHI").then(|| join_category(&span.category, &span.subtype)),
                reason: None,
            });
            predictions.spans.insert(doc, spans.collect());
        }
        Ok(predictions)
    }

    /// Parses predictions from JSON lines; `file` is used in messages.
    pub fn parse(file: &Path, text: &str) -> Result<Self> {
        let mut predictions = Self::default();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |problem: &str| broken_line(file, at as u64 + 1, problem);
            // The message of serde_json may quote the text of a note.
            let line: Value = serde_json::from_str(line).map_err(|_| wrong("is no JSON"))?;
            let doc = line.get("doc").and_then(Value::as_str).ok_or_else(|| wrong("has no `doc`"))?.to_owned();
            if let Some(concepts) = line.get("concepts") {
                let concepts = Concepts::deserialize(concepts).map_err(|_| wrong("`concepts` is damaged"))?;
                predictions.concepts.insert(doc.clone(), concepts);
            }
            if let Some(kept) = line.get("kept") {
                let kept = kept.as_array().ok_or_else(|| wrong("`kept` is no list"))?;
                let entry = predictions.kept.entry(doc.clone()).or_default();
                for value in kept {
                    let PredictedSpan { start, end, category: reason, .. } =
                        parse_span(value).ok_or_else(|| wrong("a piece of `kept` is not `[start, end, reason]`"))?;
                    entry.push(PredictedSpan { start, end, category: None, reason });
                }
            }
            let entry = predictions.spans.entry(doc).or_default();
            match line.get("spans") {
                Some(Value::Array(spans)) => {
                    for value in spans {
                        entry.push(parse_span(value).ok_or_else(|| wrong("a span is not `[start, end, ..]`"))?);
                    }
                }
                Some(_) => return Err(wrong("`spans` is no list")),
                None => {
                    entry.push(parse_span(&line).ok_or_else(|| wrong("has neither `spans` nor `start` and `end`"))?);
                }
            }
        }
        Ok(predictions)
    }

    /// Returns whether any span has a category.
    pub fn has_categories(&self) -> bool {
        self.spans.values().flatten().any(|span| category_of(span).is_some())
    }
}

fn parse_span(value: &Value) -> Option<PredictedSpan> {
    if value.is_object() {
        return PredictedSpan::deserialize(value).ok();
    }
    let [start, end, rest @ ..] = value.as_array()?.as_slice() else { return None };
    let text = |at: usize| rest.get(at).and_then(Value::as_str).map(str::to_owned);
    Some(PredictedSpan {
        start: u32::try_from(start.as_u64()?).ok()?,
        end: u32::try_from(end.as_u64()?).ok()?,
        category: text(0),
        reason: text(1),
    })
}

/// The category that notesieve gives to unlisted words; it counts as no category.
const UNLISTED: &str = "UNLISTED";

/// Returns the category of a prediction, converted to one of ours.
pub(crate) fn category_of(span: &PredictedSpan) -> Option<String> {
    span.category.as_deref().filter(|label| *label != UNLISTED).map(|label| system_category(label).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_kinds_of_lines() {
        let text = r#"
            {"doc": "a", "spans": [[0, 4], [5, 9, "NAME", "title"]], "kept": [[9, 12, "list"]], "concepts": {"original": ["x:1"], "kept": []}}
            {"doc": "b", "start": 3, "end": 5, "category": "DATE_TIME", "rule": "date"}
            {"doc": "b", "spans": []}"#;
        let found = Predictions::parse(Path::new("p.jsonl"), text).unwrap();
        assert!(found.has_categories());
        assert_eq!(found.spans["a"][1].reason.as_deref(), Some("title"));
        assert_eq!(found.spans["b"][0].reason.as_deref(), Some("date"));
        assert_eq!(category_of(&found.spans["b"][0]).as_deref(), Some("DATE"));
        assert_eq!(found.concepts["a"].original, ["x:1"]);
        assert_eq!((found.kept["a"][0].end, found.kept["a"][0].reason.as_deref()), (12, Some("list")));
    }

    #[test]
    fn errors_name_the_line_and_not_the_text() {
        for broken in [
            r#"{"doc": "a", "spans": [["Quill", 2]]}"#,
            r#"{"spans": []}"#,
            r#"{"doc": "a", "spans": [], "kept": [["Quill"]]}"#,
            "Quill",
            r#"{"doc": "a"}"#,
        ] {
            let error = Predictions::parse(Path::new("p.jsonl"), &format!("\n{broken}")).unwrap_err().to_string();
            assert!(error.starts_with("p.jsonl:2: ") && !error.contains("Quill"), "{error}");
        }
    }
}
