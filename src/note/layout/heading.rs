//! Recognises headings: `Social history:` at the start of a line, `SOCIAL HISTORY:` also within one, `SOCIAL HISTORY`
//! on a line of its own.

use std::ops::Range;

use super::Layout;
use crate::note::Note;
use crate::text::token::{Case, Gap, Kind};

/// The maximum number of words of a heading.
const MAX_HEADING_WORDS: usize = 6;

/// A heading. Its position and its letter case tell whether it opens a section or is the label of a field.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Heading {
    pub(super) first: u32,
    end: u32,
    body: u32,
    /// The index of the last heading up to this one that opens a section.
    pub(super) section: u32,
    capitals: bool,
    after_blank: bool,
    line_start: bool,
    own_line: bool,
}

impl Heading {
    /// Returns its tokens, without a colon after them.
    #[inline]
    pub const fn words(&self) -> Range<usize> {
        self.first as usize..self.end as usize
    }

    /// Returns the first token after it.
    #[inline]
    pub const fn first_after(&self) -> usize {
        self.body as usize
    }

    /// Returns whether all its words are in capitals.
    #[inline]
    pub const fn is_capitals(&self) -> bool {
        self.capitals
    }

    /// Returns whether an empty line or the start of the note precedes it.
    #[inline]
    pub const fn is_after_blank(&self) -> bool {
        self.after_blank
    }

    /// Returns whether it is at the start of a line.
    #[inline]
    pub const fn is_line_start(&self) -> bool {
        self.line_start
    }

    /// Returns whether it opens a section, judged by its form: in capitals, on a line of its own, or after an empty
    /// line. Any other heading (`Tobacco: none`) is the label of a field in the section above it.
    #[inline]
    pub const fn opens_section(&self) -> bool {
        self.capitals || self.own_line || self.after_blank
    }
}

impl Layout {
    /// Adds the heading that starts at a token, which must be the first of a line or a sentence.
    pub(super) fn add_heading(&mut self, note: &Note<'_>, at: usize) {
        let Some(mut heading) = read_heading(note, at) else { return };
        let nth = self.headings.len() as u32;
        heading.section = match self.headings.last() {
            _ if heading.opens_section() => nth,
            Some(before) => before.section,
            None => Self::NONE,
        };
        self.headings.push(heading);
    }
}

fn read_heading(note: &Note<'_>, at: usize) -> Option<Heading> {
    if !note.is_word(at) {
        return None;
    }
    let (mut last, mut words, mut capitals) = (at, 0, true);
    while last == at || note.same_line(last) {
        match note.token(last).kind {
            Kind::Word if words < MAX_HEADING_WORDS => {
                words += 1;
                capitals &= note.case(last) == Case::Upper;
            }
            Kind::Punct if note.is_any_mark(last, b"/&-'()") => {}
            _ => break,
        }
        last += 1;
    }
    let line_start = note.token(at).line_start();
    let long = note.width(at) > 1;
    let closed = note.is_mark(last, b':') && note.same_line(last);
    // "SpO2: 98" is no heading, nor is one that starts in lower case or is a single letter.
    let inline = closed && (line_start && long && note.capitalised(at) || capitals);
    let alone = !closed && line_start && !note.same_line(last) && capitals && long;
    (inline || alone).then(|| {
        let body = if closed { last + 1 } else { last };
        Heading {
            first: at as u32,
            end: last as u32,
            body: body as u32,
            section: Layout::NONE,
            capitals: capitals && long,
            after_blank: note.gap(at) == Gap::Paragraph,
            line_start,
            own_line: line_start && !note.same_line(body),
        }
    })
}
