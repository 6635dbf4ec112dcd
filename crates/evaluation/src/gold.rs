//! Notes with what people marked in them, from any of the known formats.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::formats::{self, Format};
use crate::label_map;

/// The texts by document.
pub type Notes = BTreeMap<String, String>;

/// A piece of text that a person marked as PHI. Offsets count code points, the end is exclusive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldSpan {
    /// The first code point.
    pub start: u32,
    /// One past the last code point.
    pub end: u32,
    /// NAME, DATE, AGE, LOCATION, CONTACT, ID or a category of the gold standard's own.
    pub category: String,
    /// The finer category, may be empty.
    #[serde(default)]
    pub subtype: String,
    /// Whether the span must be removed. What may stay (a year alone, a state) is `false`: it is left out of all counts.
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
    /// A span of a category `CATEGORY/SUBTYPE`; it must be removed unless the category may stay.
    pub fn new(start: u32, end: u32, category: &str) -> Self {
        let (category, subtype) = label_map::split_category(category);
        let required = !label_map::is_optional(&category, &subtype);
        Self { start, end, category, subtype, required, noise: None, clean: None }
    }
}

/// Something in a gold standard that could not be used. Holds no text of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// The line, from 1; 0 where there is none.
    pub line: u64,
    /// What is wrong.
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
    /// The texts by document.
    pub notes: Notes,
    /// The marked spans by document, in the order of their start. A document without spans may be missing.
    pub spans: BTreeMap<String, Vec<GoldSpan>>,
    /// Files, documents and lines that were left out, and why.
    pub problems: Vec<Problem>,
}

impl Gold {
    /// Reads a gold standard. The format is found by looking: a folder with `notes/` and `gold.jsonl` or `gold.csv`,
    /// i2b2 XML of 2014 or 2006, `PhysioNet` deid (`.text` and `.phi`), BRAT (`.txt` and `.ann`) or Philter's folders
    /// (`notes/` and `anno/`).
    ///
    /// A broken file is left out and stands in [`Gold::problems`]; it is an error where nothing is left.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let format = Format::detect(path)?;
        Self::read_as(path, format)
    }

    /// Reads a gold standard of a known format.
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

    /// A gold standard from its JSON form: `{"notes": {doc: text}, "spans": {doc: [{start, end, category, ..}]}}`. Spans
    /// that do not lie in their note become problems, and their document is left out.
    pub fn from_json(json: &str) -> Result<Self> {
        let wrong = |problem: String| broken_line(Path::new("<memory>"), 0, problem);
        // serde_json's own message may quote the text of a note.
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

    /// Writes the gold standard as another format and returns what that format cannot hold.
    pub fn write(&self, path: impl AsRef<Path>, format: Format) -> Result<Vec<String>> {
        formats::write(self, path.as_ref(), format)
    }

    /// The number of marked spans.
    pub fn len(&self) -> usize {
        self.spans.values().map(Vec::len).sum()
    }

    /// Whether nothing is marked.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a document; one that is already there, or whose spans do not lie in its text, becomes a problem.
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

    /// Keeps a problem and goes on with the other files.
    pub(crate) fn record_problem(&mut self, error: Error) {
        self.problems.push(error.into());
    }

    fn sort_spans(&mut self) {
        for spans in self.spans.values_mut() {
            // A stable sort: of two spans with the same start the later line still goes last.
            spans.sort_by_key(|span| span.start);
        }
    }
}

/// Reads a file as UTF-8, without changing its line ends.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.split(|&byte| byte == b'\n').count() as u64;
        broken_line(path, line, "is not UTF-8")
    })
}

/// Writes a file, making its folder. It may hold an original: a new one is its owner's alone.
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

/// The files of a folder with one of the extensions, sorted by name.
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

/// The name of a file without folder and extension.
pub(crate) fn file_stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// An error that names a file and a line.
pub(crate) fn broken_line(path: &Path, line: u64, problem: impl Into<String>) -> Error {
    Error::Gold { file: path.display().to_string(), line, problem: problem.into() }
}

/// The code points from `start` up to `end`, nothing where they do not lie in the text.
pub(crate) fn slice_code_points(text: &[char], start: u32, end: u32) -> Option<String> {
    text.get(start as usize..end as usize).map(|part| part.iter().collect())
}
