//! ICD-10-CM: the tabular list in XML, and the order file and code file of CMS.

use std::io::BufRead;
use std::path::Path;

use serde::Deserialize;

use super::open::{Lines, open};
use super::xml::{Node, Xml};
use super::{Each, OnUnreadable, Sink, Summary};
use crate::term::{Concept, TermKind};
use notesieve_text::error::{Error, Result};

/// The CURIE prefix.
pub const SYSTEM: &str = "icd10cm";

/// Options for reading ICD-10-CM.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Whether the inclusion terms of the tabular list are read as synonyms of their code.
    pub inclusion_terms: bool,
    /// How to handle unreadable records.
    pub damage: OnUnreadable,
}

impl Default for Options {
    /// Reads inclusion terms.
    fn default() -> Self {
        Self { inclusion_terms: true, damage: OnUnreadable::Count }
    }
}

/// Reads any of the three files. XML is recognised by its first character.
pub fn read(path: &Path, options: &Options, each: Each<'_>) -> Result<Summary> {
    let failed = |source| Error::File { path: path.to_owned(), source };
    let xml = open(path)?.fill_buf().map_err(failed)?.trim_ascii_start().starts_with(b"<");
    let sink = Sink::new(each, options.damage);
    if xml { read_tabular(path, options, sink) } else { read_order_or_code_file(path, sink) }
}

/// A code of the tabular list whose element is still open.
#[derive(Default)]
struct Open {
    line: u64,
    code: String,
    name: String,
    inclusion: Vec<String>,
    emitted: bool,
}

/// Reads the tabular list. Emits a code when all of its own text is known: at its first subdivision or at its end.
fn read_tabular(path: &Path, options: &Options, mut sink: Sink<'_>) -> Result<Summary> {
    let mut xml = Xml::open(path)?;
    let mut section = Section::default();
    let mut open: Vec<Open> = Vec::new();
    while let Some(node) = xml.next()? {
        match (node, xml.name()) {
            (Node::Start, "section") => {
                section = Section { code: xml.attribute("id").unwrap_or_default(), ..Section::default() };
            }
            (Node::Start, "diag") => {
                section.emit_chapter(&mut sink)?;
                emit_open_code(path, &section, &mut open, options, &mut sink)?;
                open.push(Open { line: xml.line(), ..Open::default() });
            }
            (Node::End, "diag") => {
                emit_open_code(path, &section, &mut open, options, &mut sink)?;
                open.pop();
            }
            (Node::End, "desc") if xml.is_at_path("section/desc") => xml.text().clone_into(&mut section.name),
            (Node::End, "version") if open.is_empty() => sink.summary.version = Some(xml.text().to_owned()),
            (Node::End, name) => {
                if let Some(code) = open.last_mut() {
                    match name {
                        "name" if xml.is_at_path("diag/name") => xml.text().clone_into(&mut code.code),
                        "desc" if xml.is_at_path("diag/desc") => xml.text().clone_into(&mut code.name),
                        "note" if xml.is_at_path("inclusionTerm/note") => code.inclusion.push(xml.text().to_owned()),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    sink.finish(path, "the tabular list of ICD-10-CM")
}

/// A block of codes, for example `A00-A09`.
#[derive(Default)]
struct Section {
    code: String,
    name: String,
    emitted: bool,
}

impl Section {
    fn emit_chapter(&mut self, sink: &mut Sink<'_>) -> Result<()> {
        if std::mem::replace(&mut self.emitted, true) || self.code.is_empty() {
            return Ok(());
        }
        let range = format!("({})", self.code);
        let preferred = self.name.trim_end().trim_end_matches(&range).trim_end().to_owned();
        sink.emit_concept(Concept {
            code: self.code.clone(),
            system: SYSTEM.to_owned(),
            preferred,
            ..Concept::default()
        })
    }
}

/// Emits the innermost open code, once.
fn emit_open_code(
    path: &Path,
    section: &Section,
    open: &mut [Open],
    options: &Options,
    sink: &mut Sink<'_>,
) -> Result<()> {
    let parent = open.len().checked_sub(2).map_or(&section.code, |above| &open[above].code).clone();
    let Some(code) = open.last_mut().filter(|code| !code.emitted) else { return Ok(()) };
    code.emitted = true;
    sink.summary.read += 1 + code.inclusion.len() as u64;
    if !is_code(&code.code) || code.name.is_empty() {
        return sink.record_problem(path, code.line, "a diagnosis without its code or its name");
    }
    sink.emit_concept(concept_with_parent(&code.code, &code.name, &parent))?;
    sink.emit_term(SYSTEM, &code.code, &code.name, TermKind::Preferred)?;
    if options.inclusion_terms {
        for text in &code.inclusion {
            sink.emit_term(SYSTEM, &code.code, text, TermKind::Synonym)?;
        }
    } else {
        sink.count_many_dropped("inclusion term", code.inclusion.len() as u64);
    }
    Ok(())
}

fn concept_with_parent(code: &str, name: &str, parent: &str) -> Concept {
    Concept {
        code: code.to_owned(),
        system: SYSTEM.to_owned(),
        preferred: name.to_owned(),
        parents: if parent.is_empty() { Vec::new() } else { vec![format!("{SYSTEM}:{parent}")] },
        ..Concept::default()
    }
}

/// Reads the order file (order number, code, header or billable, short and long name in fixed columns) or the code file
/// (code and name). Both are sorted by code, so the parent of a code is the last code that is a prefix of it.
fn read_order_or_code_file(path: &Path, mut sink: Sink<'_>) -> Result<Summary> {
    let mut lines = Lines::open(path)?;
    let mut above: Vec<String> = Vec::new();
    while let Some((number, line)) = lines.next(&mut sink)? {
        if line.trim().is_empty() {
            continue;
        }
        sink.summary.read += 1;
        let ordered = line.len() > 14 && line.as_bytes()[..5].iter().all(u8::is_ascii_digit);
        let (raw, name) = if ordered {
            (line.get(6..14), line.get(77..).or_else(|| line.get(16..)))
        } else {
            (line.get(..7), line.get(7..))
        };
        let (raw, name) = (raw.unwrap_or_default().trim(), name.unwrap_or_default().trim());
        let code = with_decimal_point(raw);
        if !is_code(&code) || name.is_empty() {
            sink.record_problem(path, number, "neither a line of the order file nor of the code file")?;
            continue;
        }
        while above.last().is_some_and(|last| !raw.starts_with(last.as_str())) {
            above.pop();
        }
        let parent = above.last().map(|last| with_decimal_point(last)).unwrap_or_default();
        above.push(raw.to_owned());
        sink.emit_concept(concept_with_parent(&code, name, &parent))?;
        sink.emit_term(SYSTEM, &code, name, TermKind::Preferred)?;
    }
    sink.finish(path, "a code file of ICD-10-CM")
}

/// Inserts the decimal point, which the files of CMS omit.
fn with_decimal_point(code: &str) -> String {
    match (code.get(..3), code.get(3..)) {
        (Some(category), Some(rest)) if !rest.is_empty() => format!("{category}.{rest}"),
        _ => code.to_owned(),
    }
}

fn is_code(code: &str) -> bool {
    let bytes = code.as_bytes();
    let sound = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    (3..=8).contains(&bytes.len())
        && bytes[0].is_ascii_uppercase()
        && bytes[1].is_ascii_digit()
        && sound(&bytes[2])
        && (bytes.len() == 3 || (bytes[3] == b'.' && bytes.len() > 4 && bytes[4..].iter().all(sound)))
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::super::fixture::{TemporaryFile, read as read_fixture, try_read};
    use super::*;

    fn source() -> Source {
        Source::Icd10cm(Options::default())
    }

    #[test]
    fn the_tabular_list() {
        let records = read_fixture(&source(), "icd10cm/tabular.xml");
        assert_eq!(records.summary.version.as_deref(), Some("2026"));
        assert_eq!(records.terms_of("A99.0"), ["Marsh fever & chills", "Fen ague", "Paludal fever"]);
        assert_eq!(records.concept("A99.0").parents, ["icd10cm:A99"]);
        assert_eq!(records.concept("A99").parents, ["icd10cm:A90-A99"]);
        assert_eq!(records.concept("A90-A99").preferred, "Fevers of wet lands");
        assert_eq!(records.concept("A99.01").parents, ["icd10cm:A99.0"]);
        assert_eq!(records.concept("A99.9").parents, ["icd10cm:A99"]);
        let order: Vec<&str> = records.concepts.iter().map(|concept| concept.code.as_str()).collect();
        assert_eq!(order, ["A90-A99", "A99", "A99.0", "A99.01", "A99.9"]);
        let bare = Source::Icd10cm(Options { inclusion_terms: false, ..Options::default() });
        assert_eq!(read_fixture(&bare, "icd10cm/tabular.xml").terms_of("A99.0").len(), 1);
    }

    #[test]
    fn order_file_and_code_file() {
        let order = read_fixture(&source(), "icd10cm/order.txt");
        assert_eq!(order.terms_of("A99.01"), ["Marsh fever with chills, severe form"]);
        assert_eq!(order.concept("A99.01").parents, ["icd10cm:A99.0"]);
        assert_eq!(order.concept("A99.9").parents, ["icd10cm:A99"]);
        assert_eq!(order.summary.problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [5]);
        let codes = read_fixture(&source(), "icd10cm/codes.txt");
        assert_eq!(codes.terms_of("A99.01"), ["Marsh fever with chills, severe form"]);
    }

    #[test]
    fn a_foreign_file_is_an_error() {
        for (name, text) in [("icd.txt", "what is this\n"), ("icd-empty.txt", "\n"), ("icd.xml", "<a/>")] {
            let file = TemporaryFile::new(name, text.as_bytes());
            let error = try_read(&source(), &file.0).expect_err("foreign").to_string();
            assert!(error.contains("ICD-10-CM"), "{error}");
        }
    }
}
