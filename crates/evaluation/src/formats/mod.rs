//! Formats of gold standards, one file per format; each reads into and writes from [`Gold`].

mod brat;
mod csv;
mod i2b2_2006;
mod i2b2_2014;
pub(crate) mod jsonl;
mod philter;
mod physionet;
#[cfg(test)]
mod tests;

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::gold::{Gold, GoldSpan, broken_line, files_with_extension};
use crate::label_map;

/// A format of gold standards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `notes/*.txt` and `gold.jsonl`, one span per line: `{doc, start, end, category, subtype}`.
    JsonLines,
    /// `notes/*.txt` and `gold.csv` with the same columns.
    Csv,
    /// i2b2 2014: a folder of XML files with the text and stand-off tags.
    I2b2y2014,
    /// i2b2 2006: one XML file with inline tags.
    I2b2y2006,
    /// `PhysioNet` deid: `.text`, `.phi` and optionally `.phrase`.
    PhysioNet,
    /// BRAT stand-off: `.txt` and `.ann`.
    Brat,
    /// Philter's folders: `notes/*.txt` and `anno/*.txt`, in which PHI is masked by asterisks.
    Philter,
}

impl Format {
    /// The names of the formats on the command line.
    pub const NAMES: [(&'static str, Self); 7] = [
        ("jsonl", Self::JsonLines),
        ("csv", Self::Csv),
        ("i2b2-2014", Self::I2b2y2014),
        ("i2b2-2006", Self::I2b2y2006),
        ("physionet", Self::PhysioNet),
        ("brat", Self::Brat),
        ("philter", Self::Philter),
    ];

    /// Returns the format with this name.
    pub fn from_name(name: &str) -> Result<Self> {
        Self::NAMES.iter().find(|(have, _)| *have == name).map(|(_, format)| *format).ok_or_else(|| {
            let names: Vec<&str> = Self::NAMES.iter().map(|(name, _)| *name).collect();
            Error::Option(format!("no format `{name}`: there are {}", names.join(", ")))
        })
    }

    /// Detects the format of a file or folder from its content.
    pub fn detect(path: &Path) -> Result<Self> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        if path.is_dir() {
            return Self::detect_folder(path);
        }
        match extension.as_deref() {
            Some("jsonl" | "json" | "ndjson") => Ok(Self::JsonLines),
            Some("csv") => Ok(Self::Csv),
            Some("xml") => Self::detect_xml(path),
            Some("phi" | "text" | "phrase") => Ok(Self::PhysioNet),
            Some("ann") => Ok(Self::Brat),
            _ if !path.exists() => Err(broken_line(path, 0, "is not there")),
            _ => Err(broken_line(path, 0, "is of no known gold format")),
        }
    }

    fn detect_folder(path: &Path) -> Result<Self> {
        let holds = |extension: &str| files_with_extension(path, extension).map(|found| !found.is_empty());
        if path.join("gold.jsonl").is_file() {
            Ok(Self::JsonLines)
        } else if path.join("gold.csv").is_file() {
            Ok(Self::Csv)
        } else if path.join("anno").is_dir() {
            Ok(Self::Philter)
        } else if holds("phi")? {
            Ok(Self::PhysioNet)
        } else if holds("ann")? {
            Ok(Self::Brat)
        } else if let Some(first) = files_with_extension(path, "xml")?.first() {
            Self::detect_xml(first)
        } else {
            Err(broken_line(path, 0, "holds no known gold format (gold.jsonl, gold.csv, anno/, *.phi, *.ann, *.xml)"))
        }
    }

    fn detect_xml(path: &Path) -> Result<Self> {
        let failed = |source| Error::File { path: path.to_owned(), source };
        let mut head = Vec::new();
        std::fs::File::open(path).map_err(failed)?.take(4096).read_to_end(&mut head).map_err(failed)?;
        let head = String::from_utf8_lossy(&head);
        let inline = head.contains("<RECORD") || head.contains("<ROOT");
        Ok(if inline { Self::I2b2y2006 } else { Self::I2b2y2014 })
    }
}

pub(crate) fn read(path: &Path, format: Format, gold: &mut Gold) -> Result<()> {
    match format {
        Format::JsonLines => jsonl::read(path, gold),
        Format::Csv => csv::read(path, gold),
        Format::I2b2y2014 => i2b2_2014::read(path, gold),
        Format::I2b2y2006 => i2b2_2006::read(path, gold),
        Format::PhysioNet => physionet::read(path, gold),
        Format::Brat => brat::read(path, gold),
        Format::Philter => philter::read(path, gold),
    }
}

pub(crate) fn write(gold: &Gold, path: &Path, format: Format) -> Result<Vec<String>> {
    let losses: &[&str] = match format {
        Format::JsonLines => jsonl::write(gold, path)?,
        Format::Csv => csv::write(gold, path)?,
        Format::I2b2y2014 => i2b2_2014::write(gold, path)?,
        Format::I2b2y2006 => i2b2_2006::write(gold, path)?,
        Format::PhysioNet => physionet::write(gold, path)?,
        Format::Brat => brat::write(gold, path)?,
        Format::Philter => philter::write(gold, path)?,
    };
    Ok(losses.iter().map(|loss| (*loss).to_owned()).collect())
}

/// Reads a folder of files with an extension, or one of them, each with `read_file`. What is wrong with one becomes a problem.
fn read_each(
    path: &Path,
    extension: &str,
    gold: &mut Gold,
    read_file: impl Fn(&Path) -> Result<(String, Vec<GoldSpan>)>,
) -> Result<()> {
    for file in files_or_one(path, extension)? {
        match read_file(&file) {
            Ok((text, spans)) => gold.add(&file, crate::gold::file_stem(&file), text, spans),
            Err(error) => gold.record_problem(error),
        }
    }
    Ok(())
}

/// The files of a folder with an extension, or one file.
fn files_or_one(path: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    if path.is_dir() { files_with_extension(path, extension) } else { Ok(vec![path.to_owned()]) }
}

/// Reads the texts in `notes/`. Files that are not UTF-8 become problems.
fn read_notes(folder: &Path, gold: &mut Gold) -> Result<Vec<(String, String)>> {
    let mut notes = Vec::new();
    for path in files_with_extension(folder, "txt")? {
        match crate::gold::read_text(&path) {
            Ok(text) => notes.push((crate::gold::file_stem(&path), text)),
            Err(error) => gold.record_problem(error),
        }
    }
    Ok(notes)
}

/// Converts a span of a foreign scheme. Schemes that mark every age and date do not tell which may stay: an age below
/// 90, a year, a day of the week or a season alone may.
fn foreign_span(scheme: &str, label: &str, start: u32, end: u32, text: &str) -> Option<GoldSpan> {
    let (category, subtype) = label_map::LabelMap::from_name(scheme).to_category(label)?;
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let name = match category.as_str() {
        "AGE" if digits.parse::<u32>().is_ok_and(|age| age < 90) => "AGE/AGE".to_owned(),
        "AGE" => "AGE/AGE90".to_owned(),
        "DATE" if digits.len() == 4 && text.trim().len() == 4 => "DATE/YEAR".to_owned(),
        "DATE" => label_map::label_of_weekday_or_season(text)
            .map_or_else(|| label_map::join_category(&category, &subtype), str::to_owned),
        _ => label_map::join_category(&category, &subtype),
    };
    Some(GoldSpan::new(start, end, &name))
}

/// Returns the line number of a byte offset, from 1.
fn line_of_offset(text: &str, byte: usize) -> u64 {
    text.as_bytes()[..byte.min(text.len())].split(|&byte| byte == b'\n').count() as u64
}
