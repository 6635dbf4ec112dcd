//! What features are made of: each token's own form and lists, its line and field, what terms and rules say of it.

use crate::buffer::release;
use crate::concepts::Matches;
use crate::learned::hash::{EMPTY, mix, of_bytes};
use crate::rules::{Findings, RULES, Shape, Verdict, View};
use crate::text::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// Lists that are features by themselves; lists of names count by how common the name is.
const CUES: Classes = Classes(
    !(Class::Surname.set().0
        | Class::FirstName.set().0
        | Class::City.set().0
        | Class::English.set().0
        | Class::Literature.set().0
        | Class::TermPart.set().0
        | Class::Usage.set().0
        | Class::WordCount.set().0
        | Class::Term.set().0),
);

/// Lists that tell in one symbol what kind of word stands somewhere, the most telling first.
const KINDS: &[Class] = &[
    Class::Title,
    Class::Credential,
    Class::Relative,
    Class::PersonNoun,
    Class::Facility,
    Class::Organisation,
    Class::StreetType,
    Class::NameField,
    Class::WardNoun,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::Month,
    Class::Weekday,
    Class::Unit,
    Class::Measurement,
    Class::HumanVerb,
    Class::PersonVerb,
    Class::Dose,
    Class::Duration,
    Class::State,
    Class::Eponym,
    Class::Brand,
    Class::Organism,
];

/// All of them.
const ANY_KIND: Classes = {
    let (mut all, mut nth) = (0, 0);
    while nth < KINDS.len() {
        all |= KINDS[nth].set().0;
        nth += 1;
    }
    Classes(all)
};

/// What is known of one token.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    /// The word; of a number its shape, of a mark itself.
    pub(super) word: u64,
    /// The kind of word in one symbol; stop words and marks are themselves.
    pub(super) kind: u64,
    /// The lists that are features by themselves.
    pub(super) lists: Classes,
    /// What terms and rules say of it, see [`Evidence`].
    pub(super) evidence: u64,
    /// The label of the field in which it stands, and the heading of the section.
    pub(super) label: u64,
    pub(super) section: u64,
    /// The head of the column of a table.
    pub(super) column: u64,
    /// The first word of its line.
    pub(super) opening: u64,
    /// How general English uses the word as it is written here, and written otherwise.
    pub(super) cluster: u16,
    pub(super) other_cluster: u16,
    /// How much more often it has a capital letter than not, how common it is, how often it is in capitals.
    pub(super) usage: u16,
    pub(super) line: u32,
    /// The row of words with capital letters in which it stands, see [`Context::runs`].
    pub(super) run: u32,
    /// Whether it stands in a term of several words, a place of several words.
    pub(super) phrase: bool,
    /// How many tokens of its line, and of its field, stand before it, at most 255.
    pub(super) place: u8,
    pub(super) behind_label: u8,
    /// How it is written, and how words are written in its line.
    pub(super) form: u8,
    pub(super) style: u8,
    /// On which lists of names and of words it stands: surname, first name, English, city, literature or clinical, term, stop.
    pub(super) prior: u8,
    /// How much more common it is as a name than as a word, in powers of two.
    pub(super) lean: i8,
    pub(super) surname: u8,
    pub(super) first_name: u8,
    pub(super) frequency: u8,
    pub(super) gap: Gap,
    pub(super) judged: bool,
    pub(super) is_word: bool,
    pub(super) sentence_start: bool,
    pub(super) width: u8,
}

/// What stands before the first token and behind the last.
pub(super) const OUTSIDE: Sight = Sight {
    word: 1,
    kind: 1,
    lists: Classes::NONE,
    evidence: 1,
    label: EMPTY,
    section: EMPTY,
    column: EMPTY,
    opening: EMPTY,
    cluster: 0,
    other_cluster: 0,
    usage: 0,
    line: u32::MAX,
    run: u32::MAX,
    phrase: false,
    place: 0,
    behind_label: 0,
    form: form::OUTSIDE,
    style: 0,
    prior: 0,
    lean: 0,
    surname: 0,
    first_name: 0,
    frequency: 0,
    gap: Gap::Paragraph,
    judged: false,
    is_word: false,
    sentence_start: false,
    width: 0,
};

/// How a token is written.
pub(super) mod form {
    pub(in crate::judgement) const OUTSIDE: u8 = 0;
    pub(in crate::judgement) const LOWER: u8 = 1;
    pub(in crate::judgement) const CAPITAL: u8 = 2;
    pub(in crate::judgement) const MIXED: u8 = 3;
    pub(in crate::judgement) const ONE_LOWER: u8 = 4;
    pub(in crate::judgement) const ONE_CAPITAL: u8 = 5;
    /// Capitals: two, three, four, five and more.
    pub(in crate::judgement) const UPPER: u8 = 6;
    /// Numbers by their digits, 1 to 6 and more, from here on; then those with marks inside.
    pub(in crate::judgement) const WHOLE: u8 = 12;
    pub(in crate::judgement) const MARKED: u8 = 20;
    /// Marks: their byte, from here on.
    pub(in crate::judgement) const MARK: u8 = 64;
    pub(in crate::judgement) const SYMBOL: u8 = 40;
    pub(in crate::judgement) const POSSESSIVE: u8 = 41;
    pub(in crate::judgement) const OWN: u8 = 42;
}

/// How words are written in a line.
pub(super) mod style {
    pub(in crate::judgement) const MIXED: u8 = 0;
    pub(in crate::judgement) const UPPER: u8 = 1;
    pub(in crate::judgement) const TITLE: u8 = 2;
    /// The whole note is in small letters.
    pub(in crate::judgement) const LOWER: u8 = 3;
}

/// What terms, lists and rules say of a token, in one number.
#[derive(Clone, Copy)]
#[repr(u64)]
enum Evidence {
    Mark = 2,
    Unlisted = 3,
    Listed = 4,
    Term = 5,
    LongTerm = 6,
    /// The number by which models know the rule is added.
    Vouched = 1 << 16,
    Found = 2 << 16,
}

/// Words with capital letters in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) first: u32,
    /// One past the last.
    pub(super) last: u32,
    /// The lists on which any of them stands.
    pub(super) lists: Classes,
}

/// What is known of a whole note before it is read part by part; a buffer that is used again for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    /// What terms and rules say of each token, if they say something, how certain that is, and [`Outline::PHRASE`].
    said: Vec<u32>,
    /// Whether nearly all is written in small letters.
    low: bool,
}

impl Outline {
    /// The place of how certain it is.
    const CERTAINTY: u32 = 24;
    /// Set where a place of several words stands.
    const PHRASE: u32 = 1 << 31;

    /// Reads a note. The most certain finding counts; of two, that which removes.
    pub(super) fn read(&mut self, view: &View<'_>, matches: &Matches, findings: &Findings) {
        let said = &mut self.said;
        said.clear();
        said.resize(view.len(), 0);
        for found in &matches.terms {
            let several = found.last - found.first > 1;
            said[found.tokens()].fill(if several { Evidence::LongTerm } else { Evidence::Term } as u32);
        }
        for finding in findings.as_slice() {
            let (base, kind) = match finding.verdict {
                Verdict::Remove(kind) => (Evidence::Found, kind as u32),
                Verdict::Keep => (Evidence::Vouched, 0),
            };
            let known_as = RULES[usize::from(finding.rule)].known_as;
            let certainty = 2 * finding.certainty as u32 + u32::from(base as u64 == Evidence::Found as u64);
            let says = certainty << Self::CERTAINTY | (base as u32 + (u32::from(known_as) << 6) + kind);
            for said in &mut said[finding.first as usize..finding.last as usize] {
                if *said >> Self::CERTAINTY <= certainty {
                    *said = says;
                }
            }
        }
        for found in &matches.phrases {
            said[found.tokens()].iter_mut().for_each(|said| *said |= Self::PHRASE);
        }
        let (mut all, mut capitals) = (0_usize, 0_usize);
        for token in view.tokens().iter().filter(|token| token.kind == Kind::Word && token.end - token.start > 2) {
            all += 1;
            capitals += usize::from(token.case != Case::Lower);
        }
        self.low = all > 20 && 33 * capitals < all;
    }

    /// Gives the buffer back that only a long note needed.
    pub(super) fn release(&mut self) {
        release(&mut self.said);
    }

    /// What terms and rules say of a token, if they say something.
    const fn evidence(said: u32) -> Option<u64> {
        let says = said & ((1 << Self::CERTAINTY) - 1);
        if says == 0 { None } else { Some(says as u64) }
    }
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
    pub(super) sights: Vec<Sight>,
    /// The first token of each line, and one past the last line's end.
    pub(super) lines: Vec<u32>,
    /// Words with capital letters in a row, with the small words between them: `Lady of the Lake`.
    pub(super) runs: Vec<Run>,
}

impl Context {
    /// Reads a note in one part.
    pub(crate) fn read(&mut self, view: &View<'_>, matches: &Matches, findings: &Findings, allowed: Classes) {
        let mut outline = Outline::default();
        outline.read(view, matches, findings);
        self.read_words(view, &outline, 0, allowed);
        self.read_fields(&mut Carry::default(), usize::MAX);
    }

    /// Reads the words of some lines of a note, of which the first token has this number.
    pub(super) fn read_words(&mut self, part: &View<'_>, outline: &Outline, first: usize, allowed: Classes) {
        self.sights.clear();
        self.sights.extend((0..part.len()).zip(&outline.said[first..]).map(|(at, &said)| {
            let mut sight = sight(part, at, allowed);
            sight.evidence = Outline::evidence(said).unwrap_or(sight.evidence);
            sight.phrase = said & Outline::PHRASE != 0;
            sight
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
        while at < self.sights.len() {
            if !self.sights[at].is_capital() {
                at += 1;
                continue;
            }
            let (first, mut last, mut lists) = (at, at + 1, self.sights[at].lists);
            loop {
                let line = self.sights[first].line;
                let small = self.sights[last..].iter().take(4).take_while(|sight| sight.joins_capitals()).count();
                let Some(next) = self.sights.get(last + small).filter(|next| next.is_capital() && next.line == line)
                else {
                    break;
                };
                lists |= next.lists;
                last += small + 1;
            }
            let run = self.runs.len() as u32;
            self.sights[first..last].iter_mut().for_each(|sight| sight.run = run);
            self.runs.push(Run { first: first as u32, last: last as u32, lists });
            at = last;
        }
    }

    /// A token, or what stands outside.
    #[inline]
    pub(super) fn at(&self, at: usize) -> &Sight {
        self.sights.get(at).unwrap_or(&OUTSIDE)
    }

    /// The token so many before or behind another, or what stands outside.
    #[inline]
    pub(super) fn near(&self, at: usize, far: isize) -> &Sight {
        at.checked_add_signed(far).map_or(&OUTSIDE, |at| self.at(at))
    }

    /// Finds lines, and how words are written in each.
    fn read_lines(&mut self, low: bool) {
        self.lines.clear();
        for (at, sight) in (0..).zip(&mut self.sights) {
            if at == 0 || sight.gap >= Gap::Line {
                self.lines.push(at);
            }
            sight.line = self.lines.len() as u32 - 1;
        }
        self.lines.push(self.sights.len() as u32);
        let words = |sight: &&Sight| sight.is_word && sight.width > 2;
        for line in self.lines.windows(2) {
            let line = &mut self.sights[line[0] as usize..line[1] as usize];
            let (mut all, mut upper, mut capital) = (0, 0, 0);
            for sight in line.iter().filter(words) {
                all += 1;
                upper += usize::from(sight.form >= form::UPPER && sight.form < form::WHOLE);
                capital += usize::from(sight.form != form::LOWER);
            }
            let style = match () {
                () if all > 1 && 10 * upper > 7 * all => style::UPPER,
                () if all > 3 && 10 * capital > 7 * all => style::TITLE,
                () if low => style::LOWER,
                () => style::MIXED,
            };
            let opening = line.first().map_or(EMPTY, |first| first.word);
            for (place, sight) in line.iter_mut().enumerate() {
                sight.style = style;
                sight.place = place.min(255) as u8;
                sight.opening = opening;
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
            let columns = self.sights[first..last].iter().skip(1).filter(|sight| is_separator(sight)).count();
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
                if at > first && is_separator(&self.sights[at]) {
                    column += 1;
                    if self.sights[at].gap == Gap::Wide && self.sights[at].is_word && behind > 0 {
                        (label, behind) = (EMPTY, 0);
                    }
                }
                if is_head && self.sights[at].is_word && heads.len() <= column {
                    heads.resize(column + 1, EMPTY);
                    heads[column] = self.sights[at].word;
                }
                let head = if is_head { EMPTY } else { heads.get(column).copied().unwrap_or(EMPTY) };
                let sight = &mut self.sights[at];
                (sight.label, sight.section, sight.column, sight.behind_label) = (label, section, head, behind);
                behind = behind.saturating_add(1);
                let mark = sight.form.saturating_sub(form::MARK);
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
        at >= 2 && self.sights[at - 2..at].iter().all(|sight| sight.form == point) && self.at(at + 1).form != point
    }

    /// Up to three words right before a token of a line that begins at `first`, over the points of leaders.
    fn words_before(&self, first: usize, at: usize) -> Option<u64> {
        let mut end = at;
        while end > first && matches!(self.sights[end - 1].form.saturating_sub(form::MARK), b'.' | b'_' | b')') {
            end -= 1;
        }
        let mut label = None;
        for sight in self.sights[first..end].iter().rev().take(3).take_while(|sight| sight.is_word) {
            label = Some(mix(label.unwrap_or(EMPTY), sight.word, 7));
            if sight.gap > Gap::Space {
                break;
            }
        }
        label
    }

    /// The heading that a line holds: words before a colon near its start, or a short line of capitals alone.
    fn heading(&self, first: usize, last: usize) -> Option<u64> {
        let line = &self.sights[first..last];
        let words = line.iter().take_while(|sight| sight.is_word).count();
        let closed = line.get(words).is_some_and(|sight| sight.form == form::MARK + b':');
        let alone = words == line.len() && words <= 5 && line[0].style == style::UPPER;
        let heads = words > 0 && words <= 5 && (closed || alone);
        heads.then(|| line[..words.min(2)].iter().fold(EMPTY, |all, sight| mix(all, sight.word, 5)))
    }
}

/// Whether a column of a table ends before the token.
fn is_separator(sight: &Sight) -> bool {
    sight.gap == Gap::Wide || sight.form == form::MARK + b'|'
}

fn sight(view: &View<'_>, at: usize, allowed: Classes) -> Sight {
    let token = view.token(at);
    let mut sight = Sight {
        gap: token.gap,
        sentence_start: token.sentence_start(),
        width: view.width(at).min(255) as u8,
        judged: matches!(token.kind, Kind::Word | Kind::Number),
        is_word: token.kind == Kind::Word,
        ..OUTSIDE
    };
    match token.kind {
        Kind::Word => word(view, at, allowed, &mut sight),
        Kind::Number => number(view, at, &mut sight),
        Kind::Punct => {
            sight.form = form::MARK.saturating_add(token.mark());
            (sight.word, sight.kind) = (u64::from(token.mark()) + 256, u64::from(token.mark()) + 256);
            sight.evidence = Evidence::Mark as u64;
        }
        other => {
            sight.form = match other {
                Kind::Possessive => form::POSSESSIVE,
                Kind::Own => form::OWN,
                _ => form::SYMBOL,
            };
            sight.word = of_bytes(view.bytes(at));
            sight.kind = u64::from(sight.form);
            sight.evidence = Evidence::Mark as u64;
        }
    }
    sight
}

fn word(view: &View<'_>, at: usize, allowed: Classes, sight: &mut Sight) {
    let (token, classes) = (view.token(at), view.classes(at));
    sight.word = of_bytes(view.bytes(at));
    sight.lists = classes & CUES;
    let long = view.width(at) > 1;
    sight.form = match token.case {
        Case::Lower if long => form::LOWER,
        Case::Lower => form::ONE_LOWER,
        _ if !long => form::ONE_CAPITAL,
        Case::Capital => form::CAPITAL,
        Case::Mixed => form::MIXED,
        Case::Upper => form::UPPER + (view.width(at).min(5) - 2) as u8,
    };
    let ranks = view.ranks(at);
    let on = |class: Class| classes.has(class);
    let surname = if on(Class::Surname) { ranks.surname.max(1) } else { 0 };
    let first_name = if on(Class::FirstName) { ranks.first_name.max(1) } else { 0 };
    let frequency = ranks.frequency;
    let lists = [
        surname > 0,
        first_name > 0,
        on(Class::English),
        on(Class::City) || on(Class::County) || on(Class::PlacePart),
        on(Class::Literature) || on(Class::Clinical),
        on(Class::Term),
        on(Class::Stop),
    ];
    sight.prior = lists.iter().rev().fold(0, |all, &on| all << 1 | u8::from(on));
    let name = i32::from(surname).max(i32::from(first_name) + 1);
    let usual = i32::from(frequency) + if on(Class::English) || on(Class::Stop) { 3 } else { 0 };
    sight.lean = if surname.max(first_name) == 0 { -12 } else { (name - usual).clamp(-11, 16) as i8 };
    (sight.surname, sight.first_name, sight.frequency) = (surname / 2, first_name / 2, frequency / 2);
    let usage = view.usage(at);
    let (small, capital) = (usage.small(), usage.capital());
    sight.usage = usage.writing();
    (sight.cluster, sight.other_cluster) = if sight.form == form::LOWER { (small, capital) } else { (capital, small) };
    let listed = classes.any(allowed) && !on(Class::Deny);
    sight.evidence = if listed { Evidence::Listed } else { Evidence::Unlisted } as u64;
    sight.kind = kind(classes, sight);
}

/// What kind of word it is, in one symbol.
fn kind(classes: Classes, sight: &Sight) -> u64 {
    if classes.has(Class::Stop) {
        return sight.word;
    }
    let class = if classes.any(ANY_KIND) { KINDS.iter().position(|&class| classes.has(class)) } else { None };
    let name = u64::from(sight.surname > 4 || sight.first_name > 4);
    let ordinary = u64::from(sight.prior & 0b11_0100 != 0);
    let capital = u64::from(sight.form != form::LOWER);
    match class {
        Some(class) => 1000 + 2 * class as u64 + capital,
        None => 2000 + 4 * name + 2 * ordinary + capital,
    }
}

fn number(view: &View<'_>, at: usize, sight: &mut Sight) {
    let shape = view
        .bytes(at)
        .iter()
        .fold(EMPTY, |all, &byte| mix(all, if byte.is_ascii_digit() { u64::from(b'0') } else { u64::from(byte) }, 3));
    sight.word = shape;
    sight.evidence = Evidence::Unlisted as u64;
    let Some(number) = view.number(at) else { return };
    sight.form = match number.shape() {
        Shape::Whole => form::WHOLE + number.digits(0).min(7) as u8,
        other => form::MARKED + other as u8,
    };
    sight.kind = 3000 + u64::from(sight.form);
    // The value of a number of one part, or how it would do as a day or a month.
    let most = |part: usize| match number.value(part) {
        0 => 0,
        1..=12 => 1,
        13..=31 => 2,
        32..=59 => 3,
        60..=89 => 4,
        90..=120 => 5,
        121..=1899 => 6,
        1900..=2040 => 7,
        _ => 8,
    };
    sight.lean = most(0) as i8;
    sight.surname = if number.len() > 1 { most(1) as u8 } else { 9 };
    sight.first_name = if number.len() > 2 { most(2) as u8 } else { 9 };
    sight.frequency = u8::from(number.padded());
    sight.prior = 128 | sight.frequency;
}

impl Sight {
    /// How it is written, in a line written so.
    #[inline]
    pub(super) fn shape(&self) -> u64 {
        u64::from(self.form) << 2 | u64::from(self.style)
    }

    /// How it is written, as roughly as its neighbours need to know: below 16.
    #[inline]
    pub(super) const fn class(&self) -> u8 {
        match (self.form, self.style) {
            (form::LOWER, style::LOWER) => 0,
            (form::LOWER | form::ONE_LOWER, _) => 1,
            (form::CAPITAL, style::TITLE) => 2,
            (form::CAPITAL, _) => 3,
            (form::ONE_CAPITAL, _) => 4,
            (form::MIXED, _) => 5,
            (form::UPPER..form::WHOLE, style::UPPER) => 6,
            (form::UPPER..form::WHOLE, _) => 7,
            (form::WHOLE..form::MARKED, _) => 8,
            _ => 9,
        }
    }

    /// All that features of this token alone, and of it as a neighbour, are made of, in one number.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        let facts = u64::from(self.form)
            | u64::from(self.prior) << 8
            | u64::from(self.lean.cast_unsigned()) << 16
            | u64::from(self.surname) << 24
            | u64::from(self.first_name) << 32
            | u64::from(self.frequency) << 40
            | u64::from(self.width) << 48
            | u64::from(self.is_word) << 56
            | u64::from(self.sentence_start) << 57
            | u64::from(self.style) << 58;
        let usage = u64::from(self.cluster) | u64::from(self.other_cluster) << 16 | u64::from(self.usage) << 32;
        mix(mix(self.word, facts, usage), self.lists.0, self.evidence)
    }

    /// Whether it is a word with a capital letter, in a line that has others.
    const fn is_capital(&self) -> bool {
        self.is_word
            && matches!(self.style, style::MIXED | style::LOWER)
            && (matches!(self.form, form::CAPITAL | form::MIXED | form::ONE_CAPITAL)
                || self.form >= form::UPPER && self.form < form::WHOLE)
    }

    /// Whether it may stand between words with capital letters that belong together: a small word, a mark of names.
    fn joins_capitals(&self) -> bool {
        let mark = self.form.saturating_sub(form::MARK);
        let small =
            self.prior & 0b100_0000 != 0 && self.width <= 3 && self.form == form::LOWER && self.gap == Gap::Space;
        small
            || matches!(mark, b'-' | b'\'' | b'&')
            || self.form == form::POSSESSIVE
            || mark == b'.' && self.gap == Gap::None
    }

    /// Whether it stands in a term of several words.
    pub(super) const fn is_in_long_term(&self) -> bool {
        self.evidence == Evidence::LongTerm as u64
    }

    /// Whether it is a word that nothing lets out.
    pub(super) const fn is_unlisted(&self) -> bool {
        self.is_word && self.evidence == Evidence::Unlisted as u64
    }

    /// Whether a rule removes it.
    pub(super) const fn is_found(&self) -> bool {
        self.evidence >= Evidence::Found as u64
    }
}
