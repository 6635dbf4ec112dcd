//! i2b2 2014, one XML file per note:
//! `<deIdi2b2><TEXT><![CDATA[..]]></TEXT><TAGS><NAME id start end text TYPE comment/>`.
//!
//! The names of the scheme are coarser than ours. The writer stores our name and whether the span may stay in `comment`
//! (`required NAME/RELATIVE`, `optional DATE/YEAR`), so a round trip loses nothing except the kinds of noise.

use std::fmt::Write as _;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::escape::{escape, resolve_xml_entity};
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::{foreign_span, line_of_offset, read_each};
use crate::error::Result;
use crate::gold::{Gold, GoldSpan, broken_line, read_text, slice_code_points, write_text};
use crate::label_map::{self, LabelMap};

pub(super) fn read(path: &Path, gold: &mut Gold) -> Result<()> {
    read_each(path, "xml", gold, read_file)
}

/// Normalises line ends, as an XML parser must.
pub(super) fn normal_line_ends(text: &[u8]) -> String {
    String::from_utf8_lossy(text).replace("\r\n", "\n").replace('\r', "\n")
}

/// What an entity or character reference stands for.
pub(super) fn text_of_reference(reference: &BytesRef<'_>) -> Option<String> {
    match reference.resolve_char_ref() {
        Ok(Some(character)) => Some(character.to_string()),
        _ => resolve_xml_entity(std::str::from_utf8(reference).ok()?).map(str::to_owned),
    }
}

fn read_file(file: &Path) -> Result<(String, Vec<GoldSpan>)> {
    let source = read_text(file)?;
    let mut reader = Reader::from_str(&source);
    let (mut text, mut in_text, mut in_tags, mut seen_text) = (String::new(), false, false, false);
    let mut tags = Vec::new();
    loop {
        let at = line_of_offset(&source, reader.buffer_position() as usize);
        let wrong = |problem: &str| broken_line(file, at, problem);
        match reader.read_event().map_err(|_| wrong("is not well-formed XML"))? {
            Event::Start(tag) if tag.name().as_ref() == b"TEXT" => (in_text, seen_text) = (true, true),
            Event::End(tag) if tag.name().as_ref() == b"TEXT" => in_text = false,
            Event::Start(tag) if tag.name().as_ref() == b"TAGS" => in_tags = true,
            Event::End(tag) if tag.name().as_ref() == b"TAGS" => in_tags = false,
            Event::CData(part) if in_text => text += &normal_line_ends(&part),
            Event::Text(part) if in_text => text += &normal_line_ends(&part),
            Event::GeneralRef(name) if in_text => {
                text += &text_of_reference(&name).ok_or_else(|| wrong("an entity is not known"))?;
            }
            Event::Empty(tag) | Event::Start(tag) if in_tags => tags.push((at, tag.into_owned())),
            Event::Eof => break,
            _ => {}
        }
    }
    if !seen_text {
        return Err(broken_line(file, 1, "has no element TEXT"));
    }
    let characters: Vec<char> = text.chars().collect();
    let spans = tags.iter().map(|(line, tag)| read_tag(file, *line, tag, &characters)).collect::<Result<_>>()?;
    Ok((text, spans))
}

fn read_tag(file: &Path, line: u64, tag: &BytesStart, text: &[char]) -> Result<GoldSpan> {
    let attribute = |name: &str| -> Result<Option<String>> {
        let found = tag.try_get_attribute(name).map_err(|_| broken_line(file, line, "an attribute is damaged"))?;
        found
            .map(|found| found.unescape_value().map(std::borrow::Cow::into_owned))
            .transpose()
            .map_err(|_| broken_line(file, line, "an attribute is damaged"))
    };
    let offset = |name: &str| {
        let value = attribute(name)?.and_then(|value| value.trim().parse::<u32>().ok());
        value.ok_or_else(|| broken_line(file, line, format!("`{name}` is no number")))
    };
    let (start, end) = (offset("start")?, offset("end")?);
    let covered = slice_code_points(text, start, end).filter(|covered| !covered.is_empty());
    let covered = covered.ok_or_else(|| broken_line(file, line, "a tag does not lie in its text"))?;
    // XML converts line ends in an attribute to spaces.
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    if attribute("text")?.is_some_and(|text| words(&text) != words(&covered)) {
        return Err(broken_line(file, line, "a tag holds another text than its place"));
    }
    let comment = attribute("comment")?.unwrap_or_default();
    let ours = comment.strip_prefix("required ").map(|name| (name, true));
    if let Some((name, required)) = ours.or_else(|| comment.strip_prefix("optional ").map(|name| (name, false))) {
        return Ok(GoldSpan { required, ..GoldSpan::new(start, end, name) });
    }
    let kind = attribute("TYPE")?.unwrap_or_else(|| String::from_utf8_lossy(tag.name().as_ref()).into_owned());
    foreign_span("i2b2-2014", &kind, start, end, &covered)
        .ok_or_else(|| broken_line(file, line, format!("the TYPE `{kind}` is not known")))
}

/// Returns a text as a CDATA section, or escaped if it has carriage returns.
fn text_element(text: &str) -> String {
    if text.contains('\r') {
        return escape(text).replace('\r', "&#13;");
    }
    format!("<![CDATA[{}]]>", text.replace("]]>", "]]]]><![CDATA[>"))
}

pub(super) fn write(gold: &Gold, folder: &Path) -> Result<&'static [&'static str]> {
    let labels = LabelMap::from_name("i2b2-2014");
    for (doc, text) in &gold.notes {
        let characters: Vec<char> = text.chars().collect();
        let mut xml = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<deIdi2b2>\n<TEXT>{}</TEXT>\n<TAGS>\n",
            text_element(text)
        );
        for (id, span) in gold.spans.get(doc).into_iter().flatten().enumerate() {
            let kind = labels.to_label(&span.category, &span.subtype);
            let covered = slice_code_points(&characters, span.start, span.end).unwrap_or_default();
            let covered = escape(&covered).replace('\n', "&#10;").replace('\r', "&#13;").replace('\t', "&#9;");
            let comment = label_map::join_category(&span.category, &span.subtype);
            let must = if span.required { "required" } else { "optional" };
            writeln!(
                xml,
                "<{} id=\"P{id}\" start=\"{}\" end=\"{}\" text=\"{covered}\" TYPE=\"{kind}\" comment=\"{must} {}\" />",
                element_of_category(&span.category),
                span.start,
                span.end,
                escape(&comment)
            )
            .expect("a string takes every line");
        }
        xml += "</TAGS>\n</deIdi2b2>\n";
        write_text(&folder.join(format!("{doc}.xml")), &xml)?;
    }
    Ok(&["noise and clean (the damage of deliberately damaged spans)"])
}

/// Returns the element of a category: the scheme's own element, or OTHER.
fn element_of_category(category: &str) -> &str {
    if label_map::CATEGORIES.contains(&category) || category == "PROFESSION" { category } else { "OTHER" }
}
