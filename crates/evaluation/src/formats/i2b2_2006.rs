//! i2b2 2006: one XML file, `<ROOT><RECORD ID=".."><TEXT>.. <PHI TYPE="..">..</PHI> ..</TEXT></RECORD></ROOT>`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use quick_xml::Reader;
use quick_xml::escape::partial_escape;
use quick_xml::events::{BytesStart, Event};

use super::i2b2_2014::{normal_line_ends, text_of_reference};
use super::{files_or_one, foreign_span, line_of_offset};
use crate::error::Result;
use crate::gold::{Gold, GoldSpan, broken_line, read_text, slice_code_points, write_text};
use crate::label_map::LabelMap;

pub(super) fn read(path: &Path, gold: &mut Gold) -> Result<()> {
    for file in files_or_one(path, "xml")? {
        if let Err(error) = read_file(&file, gold) {
            gold.record_problem(error);
        }
    }
    Ok(())
}

/// A record that is being read.
#[derive(Default)]
struct Record {
    doc: String,
    text: String,
    length: u32,
    open: Option<(String, u32)>,
    spans: Vec<GoldSpan>,
    in_text: bool,
}

impl Record {
    fn push(&mut self, text: &str) {
        self.length += text.chars().count() as u32;
        self.text += text;
    }

    /// Closes the open tag, and returns the problem if its type is unknown.
    fn close(&mut self) -> Option<String> {
        let (kind, start) = self.open.take()?;
        if start == self.length {
            return None;
        }
        let covered: String = self.text.chars().skip(start as usize).collect();
        match foreign_span("i2b2-2006", &kind, start, self.length, &covered) {
            Some(span) => self.spans.push(span),
            None => return Some(format!("the TYPE `{kind}` is not known")),
        }
        None
    }
}

fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    let value = tag.try_get_attribute(name).ok()??;
    value.unescape_value().ok().map(std::borrow::Cow::into_owned)
}

/// Reads record by record, and keeps those before a malformed part.
fn read_file(file: &Path, gold: &mut Gold) -> Result<()> {
    let source = read_text(file)?;
    let mut reader = Reader::from_str(&source);
    let mut record = Record::default();
    loop {
        let at = line_of_offset(&source, reader.buffer_position() as usize);
        let wrong = |problem: &str| broken_line(file, at, problem);
        match reader.read_event().map_err(|_| wrong("is not well-formed XML"))? {
            Event::Start(tag) => match tag.name().as_ref() {
                b"RECORD" => {
                    let doc = attribute(&tag, "ID").ok_or_else(|| wrong("a RECORD has no ID"))?;
                    record = Record { doc, ..Record::default() };
                }
                b"TEXT" => record.in_text = true,
                b"PHI" if record.open.is_some() => return Err(wrong("a PHI lies in another")),
                b"PHI" => {
                    let kind = attribute(&tag, "TYPE").ok_or_else(|| wrong("a PHI has no TYPE"))?;
                    record.open = Some((kind, record.length));
                }
                _ => {}
            },
            Event::End(tag) => match tag.name().as_ref() {
                b"PHI" => {
                    if let Some(problem) = record.close() {
                        return Err(wrong(&problem));
                    }
                }
                b"TEXT" => record.in_text = false,
                b"RECORD" => {
                    let Record { doc, text, spans, .. } = std::mem::take(&mut record);
                    gold.add(file, doc, text, spans);
                }
                _ => {}
            },
            Event::Text(part) if record.in_text => record.push(&normal_line_ends(&part)),
            Event::CData(part) if record.in_text => record.push(&normal_line_ends(&part)),
            Event::GeneralRef(name) if record.in_text => {
                record.push(&text_of_reference(&name).ok_or_else(|| wrong("an entity is not known"))?);
            }
            Event::Eof if !record.doc.is_empty() => return Err(wrong("ends within a RECORD")),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// Returns the file to write: `path` itself, or `gold.xml` in that folder.
fn target_file(path: &Path) -> PathBuf {
    if path.extension().is_some_and(|extension| extension == "xml") { path.to_owned() } else { path.join("gold.xml") }
}

pub(super) fn write(gold: &Gold, path: &Path) -> Result<&'static [&'static str]> {
    let labels = LabelMap::from_name("i2b2-2006");
    let escaped = |text: &str| partial_escape(text).replace('\r', "&#13;");
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ROOT>\n".to_owned();
    for (doc, text) in &gold.notes {
        let characters: Vec<char> = text.chars().collect();
        let part = |start: u32, end: u32| escaped(&slice_code_points(&characters, start, end).unwrap_or_default());
        write!(xml, "<RECORD ID=\"{}\">\n<TEXT>", quick_xml::escape::escape(doc.as_str())).expect("a string takes all");
        let mut at = 0;
        for span in gold.spans.get(doc).into_iter().flatten() {
            if span.start < at {
                return Err(broken_line(
                    path,
                    0,
                    format!("`{doc}` has overlapping spans, which inline XML cannot hold"),
                ));
            }
            let kind = labels.to_label(&span.category, &span.subtype);
            xml += &part(at, span.start);
            write!(xml, "<PHI TYPE=\"{kind}\">{}</PHI>", part(span.start, span.end)).expect("a string takes all");
            at = span.end;
        }
        xml += &part(at, characters.len() as u32);
        xml += "</TEXT>\n</RECORD>\n";
    }
    xml += "</ROOT>\n";
    write_text(&target_file(path), &xml)?;
    Ok(&["subtypes beyond the eight types of the scheme", "noise and clean"])
}
