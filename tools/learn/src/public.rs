//! Third-party text with almost no identifiers: examples of text to keep, and a measure of how much is kept.
//!
//! Each file is JSON Lines with `id` and `text`. Spans that rules remove are ignored, and so are those that an audit
//! marks, in tab-separated lines with the source, the first 16 digits of the SHA-256 of the text, and the start and end
//! (exclusive) in bytes. `models/source.toml` lists the files for training; others are for measurement only.

use std::collections::HashMap;
use std::path::Path;

use notesieve::names::Model;
use notesieve::text::span::Span;
use notesieve::vocabulary::{Vocabulary, to_hex};
use notesieve::{Policy, Scrubber};
use rayon::prelude::*;
use regex::Regex;
use sha2::{Digest, Sha256};

use crate::notes::Note;

/// The texts of one file.
pub struct Source {
    pub name: String,
    pub texts: Vec<Text>,
    /// The SHA-256 of the file.
    digest: String,
}

/// A file listed in `models/source.toml`.
#[derive(serde::Deserialize)]
pub struct Listed {
    name: String,
    digest: String,
    /// Whether a shipped model may be trained on it.
    learned: bool,
    /// The number of copies of each text in training, for small sources.
    #[serde(default = "default_copies")]
    copies: usize,
}

const fn default_copies() -> usize {
    1
}

/// A text, with the digest that identifies it in the audit.
pub struct Text {
    pub text: String,
    digest: String,
}

/// Returns the half of a source that a text belongs to, by the digest of its identifier. The two speakers of a
/// consultation, its transcript and its note are in the same half.
fn half_of_source(id: &str) -> usize {
    let name = id.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
    let name = name.trim_end_matches("_doctor").trim_end_matches("_patient");
    usize::from(Sha256::digest(name.as_bytes())[0] % 2)
}

/// Reads a file; `wanted` selects one half of its texts, `most` the maximum number, taking those with the smallest
/// digests.
pub fn read(path: &Path, wanted: Option<usize>, most: usize) -> Result<Source, String> {
    let wrong = |problem: String| format!("{}: {problem}", path.display());
    let content = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let mut texts = Vec::new();
    for (nth, line) in content.lines().enumerate() {
        let row: serde_json::Value =
            serde_json::from_str(line).map_err(|error| wrong(format!("line {}: {error}", nth + 1)))?;
        let Some(text) = row["text"].as_str() else {
            return Err(wrong(format!("line {}: no field `text`", nth + 1)));
        };
        if wanted.is_none_or(|wanted| half_of_source(row["id"].as_str().unwrap_or_default()) == wanted) {
            texts.push(Text { text: text.to_owned(), digest: to_hex(&Sha256::digest(text.as_bytes())[..8]) });
        }
    }
    texts.sort_by(|one, other| one.digest.cmp(&other.digest));
    texts.dedup_by(|one, other| one.digest == other.digest);
    texts.truncate(most);
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Source { name, texts, digest: to_hex(&Sha256::digest(content.as_bytes())) })
}

/// Reads the list of files.
pub fn listed_files(path: &Path) -> Result<Vec<Listed>, String> {
    #[derive(serde::Deserialize)]
    struct List {
        public: Vec<Listed>,
    }
    let wrong = |problem: String| format!("{}: {problem}", path.display());
    let content = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    toml::from_str(&content).map(|list: List| list.public).map_err(|error| wrong(error.to_string()))
}

/// Rejects files that a shipped model may not be trained on, and reports those with which the model differs from the
/// shipped one.
pub fn check_public_files(sources: &[Source], listed: &[Listed]) -> Result<(), String> {
    for source in sources {
        match listed.iter().find(|one| one.name == source.name) {
            Some(one) if !one.learned => {
                return Err(format!("{}: its licence is not clear: it only measures", one.name));
            }
            Some(one) if one.digest != source.digest => eprintln!("{}: another version than the listed one", one.name),
            Some(_) => {}
            None => eprintln!("{}: not listed among the sources of the model", source.name),
        }
    }
    for one in listed.iter().filter(|one| one.learned && sources.iter().all(|source| source.name != one.name)) {
        eprintln!(
            "{}: missing: the shipped model learned from it too; models/source.toml says where to get it",
            one.name
        );
    }
    Ok(())
}

/// Returns the number of copies of each text of a source in training.
pub fn copies_of_text(source: &Source, listed: &[Listed]) -> usize {
    listed.iter().find(|one| one.name == source.name).map_or(1, |one| one.copies)
}

/// The identifying spans that an audit found, by the digest of the text.
#[derive(Default)]
pub struct Audit(HashMap<String, Vec<Span>>);

impl Audit {
    pub fn read(path: &Path) -> Result<Self, String> {
        let content = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut audit = Self::default();
        for (nth, line) in content.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            let mut fields = line.split('\t');
            let (Some(_), Some(digest), Some(Ok(start)), Some(Ok(end))) =
                (fields.next(), fields.next(), fields.next().map(str::parse), fields.next().map(str::parse))
            else {
                return Err(format!("{}: line {}: not a source, a digest and two offsets", path.display(), nth + 1));
            };
            audit.0.entry(digest.to_owned()).or_default().push(Span::new(start, end));
        }
        Ok(audit)
    }

    fn spans(&self, text: &Text) -> impl Iterator<Item = Span> {
        self.0.get(&text.digest).into_iter().flatten().copied()
    }
}

/// Converts a text to a note in which only ignored spans are marked.
pub fn note_of_text(rules: &Scrubber, audit: &Audit, text: &Text) -> Result<Note, notesieve::Error> {
    let found = rules.scrub(&text.text)?.findings;
    let ignored = found.iter().map(|found| found.source).chain(audit.spans(text));
    let marks = ignored.map(|span| (span, "?ID".to_owned())).collect();
    Ok(Note { marks, ..Note::new(text.text.clone()) })
}

/// Prints the share of words kept for each source, without what rules remove and `XXXX`, and the mean.
pub fn print_kept_shares(
    sources: &[Source],
    audit: &Audit,
    vocabulary: &Vocabulary,
    model: &Model,
) -> Result<(), String> {
    let word = Regex::new(r"\w[\w\u{300}-\u{36f}]*").expect("a pattern");
    let rules = Scrubber::new(vocabulary.clone(), Policy::safe());
    for preset in ["safe", "balanced"] {
        let policy = Policy::preset(preset).unwrap_or_else(Policy::safe);
        let scrubber = Scrubber::new(vocabulary.clone(), policy).with_model(model.clone());
        let mut shares = Vec::new();
        print!("{preset:<9}");
        for source in sources {
            let counts = source.texts.par_iter().map(|text| {
                let ignored = note_of_text(&rules, audit, text)?.marks;
                let removed = scrubber.scrub(&text.text)?.removed;
                let mut counts = (0_usize, 0_usize);
                for found in word.find_iter(&text.text).filter(|found| found.as_str() != "XXXX") {
                    let touches =
                        |span: &Span| (span.start as usize) < found.end() && found.start() < span.end as usize;
                    if !ignored.iter().any(|(span, _)| touches(span)) {
                        counts.0 += 1;
                        counts.1 += usize::from(!removed.iter().any(|removal| touches(&removal.source)));
                    }
                }
                Ok(counts)
            });
            let (all, kept) = counts
                .try_reduce(|| (0, 0), |one, other| Ok((one.0 + other.0, one.1 + other.1)))
                .map_err(|error: notesieve::Error| error.to_string())?;
            shares.push(kept as f64 / all.max(1) as f64);
            print!("  {} {:.4}", source.name, shares[shares.len() - 1]);
        }
        println!("  mean {:.4}", shares.iter().sum::<f64>() / shares.len().max(1) as f64);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_consultation_is_in_one_half() {
        let ids = ["transcripts/day1_visit02_doctor.TextGrid", "transcripts/day1_visit02_patient.TextGrid"];
        assert!(ids.iter().all(|id| half_of_source(id) == half_of_source("notes/day1_visit02.json")));
        assert!((0..50).any(|nth| half_of_source(&format!("a{nth}")) != half_of_source("a0")));
    }

    #[test]
    fn only_listed_files_are_learned_from() {
        let source = |name: &str| Source { name: name.to_owned(), texts: Vec::new(), digest: String::new() };
        let list = |name: &str, learned| Listed { name: name.to_owned(), digest: String::new(), learned, copies: 2 };
        let listed = [list("reports", true), list("scans", false)];
        assert!(check_public_files(&[source("reports")], &listed).is_ok());
        assert!(check_public_files(&[source("scans")], &listed).is_err());
        assert_eq!([copies_of_text(&source("reports"), &listed), copies_of_text(&source("others"), &listed)], [2, 1]);
    }
}
