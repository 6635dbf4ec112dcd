//! Sections that a policy drops whole: social history, family history, whatever it names.

use super::View;
use super::word_sets::{WordSet, word_set};
use crate::text::token::{Case, Gap, Kind};

/// Other ways to write the headings that most policies drop.
static SYNONYMS: [(&str, WordSet); 2] =
    [("social history", word_set!("engine-section-social")), ("family history", word_set!("engine-section-family"))];

/// Headings that begin a section wherever they begin a line, as [`SYNONYMS`] do. Others end a dropped section only after an empty line, or where
/// both are written in capitals: "Tobacco: none" belongs to the social history above it.
static MAIN: WordSet = word_set!("engine-section-main");

/// The most words of a heading.
const WORDS: usize = 6;

/// The folded words of the headings of sections, made once for a policy.
#[derive(Clone, Debug, Default)]
pub struct Headings(Vec<Vec<String>>);

impl Headings {
    /// The headings of a policy, with other ways to write the usual ones.
    #[must_use]
    pub fn new(headings: &[String]) -> Self {
        let mut all = Vec::new();
        for heading in headings {
            let words = |heading: &str| -> Vec<String> {
                let parts = heading.split(|letter: char| !letter.is_alphanumeric());
                parts.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
            };
            let own = words(heading);
            let joined = own.join(" ");
            for (name, others) in &SYNONYMS {
                if *name == joined {
                    all.extend(others.words().iter().map(|other| words(other)));
                }
            }
            all.push(own);
        }
        all.sort();
        all.dedup();
        Self(all)
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bodies of their sections: the first token after the heading, and one past the last before the next heading.
    pub fn bodies(&self, view: &View<'_>) -> Vec<(usize, usize)> {
        let mut bodies: Vec<(usize, usize)> = Vec::new();
        let mut open = None;
        for at in 0..view.len() {
            let Some((first, last, body)) = heading(view, at) else { continue };
            let dropped = self.is_dropped(view, first, last);
            if let Some((start, shouted)) = open {
                let capitals = view.case(first) == Case::Upper && view.bytes(first).len() > 1;
                let ends = dropped
                    || (capitals && shouted)
                    || view.gap(at) == Gap::Paragraph
                    || is_main(view.text_of(first, last));
                if !ends {
                    continue;
                }
                if start < at {
                    bodies.push((start, at));
                }
                open = None;
            }
            if dropped {
                open = Some((body, view.case(first) == Case::Upper));
            }
        }
        if let Some((start, _)) = open
            && start < view.len()
        {
            bodies.push((start, view.len()));
        }
        bodies
    }

    fn is_dropped(&self, view: &View<'_>, first: usize, last: usize) -> bool {
        let words = || (first..last).filter(|&at| view.is_word(at)).map(|at| view.word(at));
        self.0.iter().any(|heading| words().eq(heading.iter().map(String::as_str)))
    }
}

/// Whether a folded heading begins a section wherever it begins a line.
fn is_main(heading: &str) -> bool {
    let heading = heading.as_bytes();
    MAIN.contains(heading) || SYNONYMS.iter().any(|(_, others)| others.contains(heading))
}

/// The words of a heading that begins at a token, and the first token after it: `Social history:` at the start of a line or
/// in capitals, `SOCIAL HISTORY` on a line of its own.
fn heading(view: &View<'_>, at: usize) -> Option<(usize, usize, usize)> {
    if !view.is_word(at) || !(view.token(at).line_start() || view.sentence_start(at)) {
        return None;
    }
    let mut last = at;
    let mut words = 0;
    let mut capitals = true;
    while last == at || view.same_line(last) {
        match view.token(last).kind {
            Kind::Word if words < WORDS => {
                words += 1;
                capitals &= view.case(last) == Case::Upper;
            }
            Kind::Punct if view.is_any_mark(last, b"/&-'()") => {}
            _ => break,
        }
        last += 1;
    }
    let begins_line = view.token(at).line_start();
    if view.is_mark(last, b':') && view.same_line(last) && (begins_line || (capitals && words > 0)) {
        // 10:30 and "SpO2: 98" are no headings of a section; a letter alone is none either.
        return (view.bytes(at).len() > 1 && view.capitalised(at) || capitals).then_some((at, last, last + 1));
    }
    // A line of its own.
    let alone = begins_line && !view.same_line(last) && words > 0 && (capitals && view.bytes(at).len() > 1);
    alone.then_some((at, last, last))
}
