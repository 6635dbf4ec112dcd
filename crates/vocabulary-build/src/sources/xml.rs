//! A minimal XML reader: a stream of start and end events with a path, a text and a line number.

use std::path::{Path, PathBuf};

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};

use super::not_of_format;
use super::open::CountedLines;
use notesieve_text::error::{Error, Result};

/// The start or end of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// An element begins; its attributes are available until the next call.
    Start,
    /// An element ends; its text is available until the next call.
    End,
}

/// An XML file, read element by element.
pub(super) struct Xml {
    file: PathBuf,
    reader: Reader<CountedLines>,
    buffer: Vec<u8>,
    /// The names of the open elements, each after a `/`.
    path: String,
    /// Whether the element that ended last is still on the path.
    ended: bool,
    /// The name and attributes of the element that began last.
    tag: String,
    tag_name: usize,
    text: String,
}

impl Xml {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let mut reader = Reader::from_reader(CountedLines::open(path)?);
        reader.config_mut().expand_empty_elements = true;
        Ok(Self {
            file: path.to_owned(),
            reader,
            buffer: Vec::new(),
            path: String::new(),
            ended: false,
            tag: String::new(),
            tag_name: 0,
            text: String::new(),
        })
    }

    /// Returns the number of the current line.
    pub(super) fn line(&self) -> u64 {
        self.reader.get_ref().line
    }

    /// Returns whether the innermost elements have this path, for example `DescriptorName/String`.
    pub(super) fn is_at_path(&self, path: &str) -> bool {
        self.path.strip_suffix(path).is_some_and(|before| before.ends_with('/'))
    }

    /// Returns the name of the element.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// Returns the text directly in the element after its last child, trimmed.
    pub(super) fn text(&self) -> &str {
        self.text.trim()
    }

    /// Returns an attribute of the element that just began, if its value is plain.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let start = BytesStart::from_content(self.tag.as_str(), self.tag_name);
        let value = start.try_get_attribute(name).ok()??;
        value.unescape_value().ok().map(std::borrow::Cow::into_owned)
    }

    /// Returns the next start or end; `None` after the last element. Malformed XML is an error.
    pub(super) fn next(&mut self) -> Result<Option<Node>> {
        if std::mem::take(&mut self.ended) {
            let parent = self.path.rfind('/').unwrap_or(0);
            self.path.truncate(parent);
            self.text.clear();
        }
        loop {
            self.buffer.clear();
            let event = match self.reader.read_event_into(&mut self.buffer) {
                Ok(event) => event,
                Err(error) => return Err(self.xml_error(error)),
            };
            match event {
                Event::Start(start) => {
                    let Ok(tag) = std::str::from_utf8(&start) else { return Err(self.not_utf8()) };
                    self.tag_name = start.name().as_ref().len();
                    self.tag.clear();
                    self.tag.push_str(tag);
                    self.path.push('/');
                    self.path.push_str(&self.tag[..self.tag_name]);
                    self.text.clear();
                    return Ok(Some(Node::Start));
                }
                Event::End(_) => {
                    self.ended = true;
                    return Ok(Some(Node::End));
                }
                Event::Text(text) => match std::str::from_utf8(&text) {
                    Ok(text) => self.text.push_str(text),
                    Err(_) => return Err(self.not_utf8()),
                },
                Event::CData(text) => match std::str::from_utf8(&text) {
                    Ok(text) => self.text.push_str(text),
                    Err(_) => return Err(self.not_utf8()),
                },
                Event::GeneralRef(entity) => {
                    if let Ok(Some(character)) = entity.resolve_char_ref() {
                        self.text.push(character);
                    } else if let Some(text) = std::str::from_utf8(&entity).ok().and_then(resolve_xml_entity) {
                        self.text.push_str(text);
                    } else {
                        return Err(not_of_format(&self.file, self.line(), "an entity that XML does not define"));
                    }
                }
                Event::Eof if self.path.is_empty() => return Ok(None),
                Event::Eof => {
                    return Err(not_of_format(&self.file, self.line(), "the file ends inside an element: truncated?"));
                }
                Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
    }

    fn xml_error(&self, error: quick_xml::Error) -> Error {
        match error {
            quick_xml::Error::Io(source) => {
                let source = std::io::Error::new(source.kind(), source.to_string());
                Error::File { path: self.file.clone(), source }
            }
            other => not_of_format(&self.file, self.line(), format!("not well-formed XML: {other}")),
        }
    }

    fn not_utf8(&self) -> Error {
        not_of_format(&self.file, self.line(), "not UTF-8")
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::TemporaryFile;
    use super::*;

    fn ends(text: &str, name: &str) -> Result<Vec<(String, String, u64)>> {
        let file = TemporaryFile::new(name, text.as_bytes());
        let mut xml = Xml::open(&file.0)?;
        let mut all = Vec::new();
        while let Some(node) = xml.next()? {
            if node == Node::End {
                all.push((xml.path.clone(), xml.text().to_owned(), xml.line()));
            }
        }
        Ok(all)
    }

    #[test]
    fn paths_texts_entities_and_lines() {
        let all = ends("<?xml version=\"1.0\"?>\n<a>\n <b x='1'>1 &lt; 2 &#945;</b>\n <c/>\n</a>\n", "paths.xml");
        let expect = [("/a/b", "1 < 2 α", 3), ("/a/c", "", 4), ("/a", "", 5)];
        assert_eq!(all.expect("well formed"), expect.map(|(path, text, line)| (path.into(), text.into(), line)));
    }

    #[test]
    fn what_is_not_well_formed_is_an_error_with_its_line() {
        for (text, line) in [("<a>\n<b>\n</a>", ":3:"), ("<a>\n<b>", ":2:"), ("<a>\n&nosuch;</a>", ":2:")] {
            let error = ends(text, "broken.xml").expect_err("broken").to_string();
            assert!(error.contains(line), "{error}");
        }
    }
}
