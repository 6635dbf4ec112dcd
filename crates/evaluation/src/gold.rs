//! Gold standards: notes with the PHI spans that people marked, from any known format.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::formats::{self, Format};
use crate::label_map;

/// The texts by document name.
pub type Notes = BTreeMap<String, String>;

/// A span that a person marked as PHI. Offsets count code points, the end is exclusive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldSpan {
    /// The start in code points.
    pub start: u32,
    /// The end, exclusive.
    pub end: u32,
    /// NAME, DATE, AGE, LOCATION, CONTACT, ID or another category of the gold standard.
    pub category: String,
    /// The subtype; may be empty.
    #[serde(default)]
    pub subtype: String,
    /// Whether the span must be removed. If `false` (a year alone, a state), it may stay and is left out of all counts.
    #[serde(rename = "hipaa", default = "default_true")]
    pub required: bool,
    /// The kinds of noise in a deliberately damaged span; empty for an undamaged one of a damaged text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<Vec<String>>,
    /// The span's text before the damage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clean: Option<String>,
}

fn default_true() -> bool {
    true
}

impl GoldSpan {
    /// Creates a span of a category `CATEGORY/SUBTYPE`; it must be removed unless the category may stay.
    pub fn new(start: u32, end: u32, category: &str) -> Self {
        let (category, subtype) = label_map::split_category(category);
        let required = !label_map::is_optional(&category, &subtype);
        Self { start, end, category, subtype, required, noise: None, clean: None }
    }
}

/// A part of a gold standard that could not be used. Holds no text of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// The line number, from 1; 0 if there is none.
    pub line: u64,
    /// The problem.
    pub problem: String,
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Gold { file, line, problem } => Self { file, line, problem },
            Error::File { path, source } => {
                Self { file: path.display().to_string(), line: 0, problem: source.to_string() }
            }
            other => Self { file: String::new(), line: 0, problem: other.to_string() },
        }
    }
}

/// A gold standard.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Gold {
    /// The texts by document name.
    pub notes: Notes,
    /// The marked spans by document name, sorted by start. A document without spans may be missing.
    pub spans: BTreeMap<String, Vec<GoldSpan>>,
    /// Files, documents and lines that were left out, with the reason.
    pub problems: Vec<Problem>,
}

impl Gold {
    /// Reads a gold standard and detects its format: a folder with `notes/` and `gold.jsonl` or `gold.csv`,
    /// i2b2 XML of 2014 or 2006, `PhysioNet` deid (`.text` and `.phi`), BRAT (`.txt` and `.ann`) or Philter's folders
    /// (`notes/` and `anno/`).
    ///
    /// An unreadable file is left out and reported in [`Gold::problems`]; it is an error if nothing is left.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let format = Format::detect(path)?;
        Self::read_as(path, format)
    }

    /// Reads a gold standard in a known format.
    pub fn read_as(path: impl AsRef<Path>, format: Format) -> Result<Self> {
        let mut gold = Self::default();
        formats::read(path.as_ref(), format, &mut gold)?;
        if gold.notes.is_empty() {
            let first = gold.problems.first().cloned();
            let problem = first.unwrap_or_else(|| Problem {
                file: path.as_ref().display().to_string(),
                line: 0,
                problem: "holds no notes".to_owned(),
            });
            return Err(Error::Gold { file: problem.file, line: problem.line, problem: problem.problem });
        }
        gold.sort_spans();
        Ok(gold)
    }

    /// Parses a gold standard from JSON: `{"notes": {doc: text}, "spans": {doc: [{start, end, category, ..}]}}`. Spans
    /// outside their note become problems, and their document is left out.
    pub fn from_json(json: &str) -> Result<Self> {
        let wrong = |problem: String| broken_line(Path::new("<memory>"), 0, problem);
        // The message of serde_json may quote the text of a note.
        let given: Self = serde_json::from_str(json)
            .map_err(|error| wrong(format!("is no gold standard (JSON column {})", error.column())))?;
        let mut gold = Self { problems: given.problems, ..Self::default() };
        let mut spans = given.spans;
        for (doc, text) in given.notes {
            let spans = spans.remove(&doc).unwrap_or_default();
            gold.add(Path::new("<memory>"), doc, text, spans);
        }
        if let Some(doc) = spans.keys().next() {
            return Err(wrong(format!("there is no note `{doc}`")));
        }
        gold.sort_spans();
        Ok(gold)
    }

    /// Writes the gold standard in another format, and returns what that format cannot represent.
    pub fn write(&self, path: impl AsRef<Path>, format: Format) -> Result<Vec<String>> {
        formats::write(self, path.as_ref(), format)
    }

    /// Returns the number of marked spans.
    pub fn len(&self) -> usize {
        self.spans.values().map(Vec::len).sum()
    }

    /// Returns whether there are no marked spans.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a document. A duplicate, or a document with a span outside its text, becomes a problem.
    pub(crate) fn add(&mut self, file: &Path, doc: String, text: String, spans: Vec<GoldSpan>) {
        let length = text.chars().count();
        let bad = spans.iter().position(|span| span.start >= span.end || span.end as usize > length);
        let problem = if self.notes.contains_key(&doc) {
            format!("the document `{doc}` is there twice")
        } else if let Some(bad) = bad {
            format!("annotation {} of `{doc}` does not lie in its text", bad + 1)
        } else {
            self.notes.insert(doc.clone(), text);
            self.spans.insert(doc, spans);
            return;
        };
        self.problems.push(Problem { file: file.display().to_string(), line: 0, problem });
    }

    /// Records a problem, so that reading can continue with other files.
    pub(crate) fn record_problem(&mut self, error: Error) {
        self.problems.push(error.into());
    }

    fn sort_spans(&mut self) {
        for spans in self.spans.values_mut() {
            // A stable sort: spans with the same start stay in file order.
            spans.sort_by_key(|span| span.start);
        }
    }
}

/// Reads a UTF-8 file without changing its line ends.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.split(|&byte| byte == b'\n').count() as u64;
        broken_line(path, line, "is not UTF-8")
    })
}

/// Writes a file and creates its folder. It may hold original text, so only its owner can read a new file.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<()> {
    let failed = |source| Error::File { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed)
}

/// Returns the files in a folder with an extension, sorted by name.
pub(crate) fn files_with_extension(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let failed = |source| Error::File { path: folder.to_owned(), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|have| have.eq_ignore_ascii_case(extension)) && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the name of a file without folder and extension.
pub(crate) fn file_stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// Creates an error for a line of a file.
pub(crate) fn broken_line(path: &Path, line: u64, problem: impl Into<String>) -> Error {
    Error::Gold { file: path.display().to_string(), line, problem: problem.into() }
}

/// Returns the code points from `start` to `end` (exclusive), or `None` if they are outside the text.
pub(crate) fn slice_code_points(text: &[char], start: u32, end: u32) -> Option<String> {
    text.get(start as usize..end as usize).map(|part| part.iter().collect())
}
