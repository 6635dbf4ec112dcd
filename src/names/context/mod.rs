//! What features are made of: each token's own form and lists, its line and field, what terms and rules say of it.

mod outline;
mod token_features;
mod word;

pub(crate) use outline::Outline;
pub(crate) use token_features::TokenFeatures;
pub(super) use token_features::{OUTSIDE, form, style};

use crate::linear::hash::{EMPTY, mix};
use crate::rules::{Findings, Note};
use crate::terms::Matches;
use crate::text::token::Gap;
use crate::vocabulary::Classes;
use word::features_of_token;

/// Words with capital letters in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) first: u32,
    /// One past the last.
    pub(super) last: u32,
    /// The lists on which any of them stands.
    pub(super) lists: Classes,
}

/// What a line hands on to the next.
#[derive(Clone, Debug)]
pub(super) struct Carry {
    section: u64,
    in_table: bool,
    /// The heads of the columns of a table.
    heads: Vec<u64>,
}

impl Default for Carry {
    fn default() -> Self {
        Self { section: EMPTY, in_table: false, heads: Vec::new() }
    }
}

/// A note, or some lines of it, as features see it; a buffer that is used again for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    pub(super) token_features: Vec<TokenFeatures>,
    /// The first token of each line, and one past the last line's end.
    pub(super) lines: Vec<u32>,
    /// Words with capital letters in a row, with the small words between them: `Lady of the Lake`.
    pub(super) runs: Vec<Run>,
}

impl Context {
    /// Reads a note in one part.
    pub(crate) fn read(&mut self, note: &Note<'_>, matches: &Matches, findings: &Findings, allowed: Classes) {
        let mut outline = Outline::default();
        outline.read(note, matches, findings);
        self.read_words(note, &outline, 0, allowed);
        self.read_fields(&mut Carry::default(), usize::MAX);
    }

    /// Reads the words of some lines of a note, of which the first token has this number.
    pub(super) fn read_words(&mut self, part: &Note<'_>, outline: &Outline, first: usize, allowed: Classes) {
        self.token_features.clear();
        self.token_features.extend((0..part.len()).zip(&outline.said[first..]).map(|(at, &said)| {
            let mut features_of_token = features_of_token(part, at, allowed);
            features_of_token.evidence = Outline::evidence(said).unwrap_or(features_of_token.evidence);
            features_of_token.phrase = said & Outline::PHRASE != 0;
            features_of_token
        }));
        self.read_lines(outline.low);
    }

    /// Reads fields, sections, tables and rows of words with capital letters in these lines; what came before them hands on
    /// `carry`, which becomes what the lines before the token `next` hand on.
    pub(super) fn read_fields(&mut self, carry: &mut Carry, next: usize) {
        self.read_labels(carry, next);
        self.read_runs();
    }

    /// Finds the rows of words with capital letters in lines that have small ones too.
    fn read_runs(&mut self) {
        self.runs.clear();
        let mut at = 0;
        while at < self.token_features.len() {
            if !self.token_features[at].is_capital() {
                at += 1;
                continue;
            }
            let (first, mut last, mut lists) = (at, at + 1, self.token_features[at].lists);
            loop {
                let line = self.token_features[first].line;
                let small = self.token_features[last..]
                    .iter()
                    .take(4)
                    .take_while(|features_of_token| features_of_token.joins_capitals())
                    .count();
                let Some(next) =
                    self.token_features.get(last + small).filter(|next| next.is_capital() && next.line == line)
                else {
                    break;
                };
                lists |= next.lists;
                last += small + 1;
            }
            let run = self.runs.len() as u32;
            self.token_features[first..last].iter_mut().for_each(|features_of_token| features_of_token.run = run);
            self.runs.push(Run { first: first as u32, last: last as u32, lists });
            at = last;
        }
    }

    /// A token, or what stands outside.
    #[inline]
    pub(super) fn at(&self, at: usize) -> &TokenFeatures {
        self.token_features.get(at).unwrap_or(&OUTSIDE)
    }

    /// The token so many before or behind another, or what stands outside.
    #[inline]
    pub(super) fn near(&self, at: usize, far: isize) -> &TokenFeatures {
        at.checked_add_signed(far).map_or(&OUTSIDE, |at| self.at(at))
    }

    /// Finds lines, and how words are written in each.
    fn read_lines(&mut self, low: bool) {
        self.lines.clear();
        for (at, features_of_token) in (0..).zip(&mut self.token_features) {
            if at == 0 || features_of_token.gap >= Gap::Line {
                self.lines.push(at);
            }
            features_of_token.line = self.lines.len() as u32 - 1;
        }
        self.lines.push(self.token_features.len() as u32);
        let words = |features_of_token: &&TokenFeatures| features_of_token.is_word && features_of_token.width > 2;
        for line in self.lines.windows(2) {
            let line = &mut self.token_features[line[0] as usize..line[1] as usize];
            let (mut all, mut upper, mut capital) = (0, 0, 0);
            for features_of_token in line.iter().filter(words) {
                all += 1;
                upper += usize::from(features_of_token.form >= form::UPPER && features_of_token.form < form::WHOLE);
                capital += usize::from(features_of_token.form != form::LOWER);
            }
            let style = match () {
                () if all > 1 && 10 * upper > 7 * all => style::UPPER,
                () if all > 3 && 10 * capital > 7 * all => style::TITLE,
                () if low => style::LOWER,
                () => style::MIXED,
            };
            let opening = line.first().map_or(EMPTY, |first| first.word);
            for (place, features_of_token) in line.iter_mut().enumerate() {
                features_of_token.style = style;
                features_of_token.place = place.min(255) as u8;
                features_of_token.opening = opening;
            }
        }
    }

    /// Finds the labels of fields, the headings of sections and the heads of columns.
    fn read_labels(&mut self, carry: &mut Carry, next: usize) {
        let Carry { mut section, mut in_table, mut heads } = std::mem::take(carry);
        for nth in 0..self.lines.len() - 1 {
            let (first, last) = (self.lines[nth] as usize, self.lines[nth + 1] as usize);
            if first == next {
                *carry = Carry { section, in_table, heads: heads.clone() };
            }
            let columns = self.token_features[first..last]
                .iter()
                .skip(1)
                .filter(|features_of_token| is_separator(features_of_token))
                .count();
            if columns < 2 {
                heads.clear();
            }
            let is_head = columns >= 2 && !in_table;
            in_table = columns >= 2;
            if let Some(heading) = self.heading(first, last) {
                section = heading;
            }
            let (mut label, mut behind, mut column) = (EMPTY, 0_u8, 0);
            for at in first..last {
                if at > first && is_separator(&self.token_features[at]) {
                    column += 1;
                    if self.token_features[at].gap == Gap::Wide && self.token_features[at].is_word && behind > 0 {
                        (label, behind) = (EMPTY, 0);
                    }
                }
                if is_head && self.token_features[at].is_word && heads.len() <= column {
                    heads.resize(column + 1, EMPTY);
                    heads[column] = self.token_features[at].word;
                }
                let head = if is_head { EMPTY } else { heads.get(column).copied().unwrap_or(EMPTY) };
                let features_of_token = &mut self.token_features[at];
                (
                    features_of_token.label,
                    features_of_token.section,
                    features_of_token.column,
                    features_of_token.behind_label,
                ) = (label, section, head, behind);
                behind = behind.saturating_add(1);
                let mark = features_of_token.form.saturating_sub(form::MARK);
                if matches!(mark, b':' | b'|' | b'=' | b'#') || mark == b'.' && self.is_leader(at) {
                    if let Some(found) = self.words_before(first, at) {
                        label = found;
                    }
                    behind = 0;
                }
            }
        }
    }

    /// Whether a point is the last of dot leaders.
    fn is_leader(&self, at: usize) -> bool {
        let point = form::MARK + b'.';
        at >= 2
            && self.token_features[at - 2..at].iter().all(|features_of_token| features_of_token.form == point)
            && self.at(at + 1).form != point
    }

    /// Up to three words right before a token of a line that begins at `first`, over the points of leaders.
    fn words_before(&self, first: usize, at: usize) -> Option<u64> {
        let mut end = at;
        while end > first && matches!(self.token_features[end - 1].form.saturating_sub(form::MARK), b'.' | b'_' | b')')
        {
            end -= 1;
        }
        let mut label = None;
        for features_of_token in self.token_features[first..end]
            .iter()
            .rev()
            .take(3)
            .take_while(|features_of_token| features_of_token.is_word)
        {
            label = Some(mix(label.unwrap_or(EMPTY), features_of_token.word, 7));
            if features_of_token.gap > Gap::Space {
                break;
            }
        }
        label
    }

    /// The heading that a line holds: words before a colon near its start, or a short line of capitals alone.
    fn heading(&self, first: usize, last: usize) -> Option<u64> {
        let line = &self.token_features[first..last];
        let words = line.iter().take_while(|features_of_token| features_of_token.is_word).count();
        let closed = line.get(words).is_some_and(|features_of_token| features_of_token.form == form::MARK + b':');
        let alone = words == line.len() && words <= 5 && line[0].style == style::UPPER;
        let heads = words > 0 && words <= 5 && (closed || alone);
        heads.then(|| {
            line[..words.min(2)].iter().fold(EMPTY, |all, features_of_token| mix(all, features_of_token.word, 5))
        })
    }
}

/// Whether a column of a table ends before the token.
fn is_separator(features_of_token: &TokenFeatures) -> bool {
    features_of_token.gap == Gap::Wide || features_of_token.form == form::MARK + b'|'
}
