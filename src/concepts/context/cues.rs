//! Lists of cues: words that say what a text says of a concept.
//!
//! A list is read line by line into a [`CueList`], and compiled for one vocabulary into [`Cues`]: a trie over the words as
//! the vocabulary numbers them, so that a text that was looked up once is not looked up again.

use std::collections::{BTreeMap, HashMap};
use std::sync::{PoisonError, RwLock};

use super::status::Status;
use crate::error::{Error, Result};
use crate::text::normalize::Normalized;
use crate::text::token::{Kind, Token, tokenize};
use crate::vocabulary::{Vocabulary, WordId};

/// The cues of the package.
const PACKAGE: &str = include_str!("../../../vocabularies/lexicon/cues.txt");

/// How far a cue reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// To the end of the sentence, or to a cue that ends it.
    Before,
    /// To the next comma or preposition.
    Near,
    /// Over what follows within two words.
    Next,
    /// Back to the beginning of the clause.
    Behind,
    /// Over what stands right before.
    Last,
    /// Over what follows, or where nothing does what stands before.
    Around,
    /// Over what stands before, or where nothing does what follows.
    Beside,
    /// Over nothing: it only looks like a cue.
    Nothing,
}

/// What a line of a list says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Cue(Status, Reach),
    End(Status),
    Section(Status),
    Through,
    Pause,
    Severe,
    Person,
    Has,
    Filler,
}

impl Class {
    fn of(name: &str) -> Option<Self> {
        let words: Vec<&str> = name.split_whitespace().collect();
        Some(match words[..] {
            ["nothing"] => Self::Cue(Status::default(), Reach::Nothing),
            ["end"] => Self::End(Status::ALL),
            ["section"] => Self::Section(Status::default()),
            ["through"] => Self::Through,
            ["pause"] => Self::Pause,
            ["severe"] => Self::Severe,
            ["person"] => Self::Person,
            ["person", "has"] => Self::Has,
            ["person", "filler"] => Self::Filler,
            [status, role] => {
                let status = Status::from_key(status)?;
                match role {
                    "before" => Self::Cue(status, Reach::Before),
                    "near" => Self::Cue(status, Reach::Near),
                    "next" => Self::Cue(status, Reach::Next),
                    "behind" => Self::Cue(status, Reach::Behind),
                    "last" => Self::Cue(status, Reach::Last),
                    "around" => Self::Cue(status, Reach::Around),
                    "beside" => Self::Cue(status, Reach::Beside),
                    "end" => Self::End(status),
                    "section" => Self::Section(status),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// One phrase has one class of each role.
    const fn role(self) -> u8 {
        match self {
            Self::Cue(..) => 0,
            Self::End(_) => 1,
            Self::Section(_) => 2,
            Self::Through | Self::Pause | Self::Severe => 3,
            Self::Person => 4,
            Self::Has | Self::Filler => 5,
        }
    }
}

/// A list of cues as its author wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CueList {
    lines: Vec<Line>,
}

/// A cue of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    class: Class,
    phrase: String,
    /// Whether it was added to a list.
    added: bool,
}

impl CueList {
    /// The list of the package.
    ///
    /// # Panics
    ///
    /// Never: a test reads it.
    pub fn package() -> Self {
        Self::parse(PACKAGE.lines(), "cues.txt").unwrap_or_default()
    }

    /// Reads lines: `[class]` begins a class, other lines are cues of it, or `class: cue`. An unknown class, and a cue that
    /// has two classes of which one excludes the other, is told by its line.
    pub fn parse<'a>(lines: impl IntoIterator<Item = &'a str>, name: &str) -> Result<Self> {
        let mut list = Self::default();
        let mut known: HashMap<(String, u8), (usize, Class)> = HashMap::new();
        let mut current = None;
        for (at, line) in (1..).zip(lines) {
            let wrong = |problem: String| Err(Error::Policy(format!("{name}, line {at}: {problem}")));
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let unknown = |class: &str| {
                let class = class.trim();
                wrong(format!(
                    "there is no class of cues {class:?}; take for example \"negated before\", \"end\" or \"nothing\""
                ))
            };
            if let Some(class) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                match Class::of(class) {
                    Some(class) => current = Some(class),
                    None => return unknown(class),
                }
                continue;
            }
            let (class, phrase) = match line.split_once(':') {
                Some((class, phrase)) => match Class::of(class) {
                    Some(class) => (class, phrase.trim()),
                    None => return unknown(class),
                },
                None => match current {
                    Some(class) => (class, line),
                    None => return wrong("a cue without a class: write \"negated before: no trace of\"".to_owned()),
                },
            };
            let phrase = Normalized::new(phrase).folded().to_owned();
            if units(&phrase).is_empty() {
                return wrong("a cue without a word".to_owned());
            }
            let before = known.insert((units(&phrase).join(" "), class.role()), (at, class));
            // A phrase may end several of them.
            let ends = |other| matches!((class, other), (Class::End(one), Class::End(other)) if one != other);
            if let Some((before, other)) = before.filter(|&(_, other)| !ends(other)) {
                let what = if other == class { "is there already" } else { "has another class" };
                return wrong(format!("the cue {what} at line {before}: leave one of them out"));
            }
            list.lines.push(Line { class, phrase, added: false });
        }
        Ok(list)
    }

    /// The cues as they are written.
    #[cfg(test)]
    pub(super) fn phrases(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| line.phrase.as_str())
    }

    /// The list with another's cues, which count more where both have one.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        for Line { class, phrase, .. } in &other.lines {
            let same = units(phrase);
            self.lines.retain(|known| known.class.role() != class.role() || units(&known.phrase) != same);
            self.lines.push(Line { class: *class, phrase: phrase.clone(), added: true });
        }
        self
    }
}

/// The tokens of a cue that count, as text.
fn units(phrase: &str) -> Vec<String> {
    let normalized = Normalized::new(phrase);
    let mut tokens = Vec::new();
    tokenize(phrase, &normalized, &mut tokens);
    let counted = tokens.iter().filter(|token| !token.skipped_in_terms());
    counted.map(|token| normalized.folded()[token.span().range()].to_owned()).collect()
}

/// A cue by its place in [`Cues`]; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CueId(pub(super) u16);

/// A cue as its list writes it, as a number: a mention holds no text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CueText(u16);

/// The texts of all cues of this process; the first is that of none.
static TEXTS: RwLock<Vec<&'static str>> = RwLock::new(Vec::new());
/// Their numbers.
static NUMBERS: RwLock<BTreeMap<&'static str, u16>> = RwLock::new(BTreeMap::new());

impl CueText {
    /// The number of a text. Lists are few and small, and what they hold is kept as long as the process lasts.
    #[must_use]
    pub fn new(text: &str) -> Self {
        if let Some(&known) = NUMBERS.read().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Self(known);
        }
        let mut numbers = NUMBERS.write().unwrap_or_else(PoisonError::into_inner);
        let mut texts = TEXTS.write().unwrap_or_else(PoisonError::into_inner);
        if texts.is_empty() {
            texts.push("");
        }
        let Ok(number) = u16::try_from(texts.len()) else { return Self::default() };
        let known = *numbers.entry(Box::leak(text.into())).or_insert_with_key(|text| {
            texts.push(text);
            number
        });
        Self(known)
    }

    /// How its list writes it; empty for none.
    pub fn as_str(self) -> &'static str {
        TEXTS.read().unwrap_or_else(PoisonError::into_inner).get(usize::from(self.0)).copied().unwrap_or_default()
    }
}

/// What a phrase is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "a phrase may be several of them")]
pub(super) struct Role {
    /// What it says of concepts, and how far; see [`Cues::cue`].
    pub(super) cue: CueId,
    /// What it ends.
    pub(super) end: Status,
    /// What it says of all below it, if it is a heading.
    pub(super) section: Option<Status>,
    pub(super) through: bool,
    pub(super) pause: bool,
    pub(super) severe: bool,
    pub(super) person: bool,
    pub(super) has: bool,
    pub(super) filler: bool,
    /// The policy itself brings it.
    pub(super) own: bool,
}

/// What is behind a node of the trie.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    role: Role,
    /// Whether a phrase ends here.
    ends: bool,
    /// The node behind a `*`; 0 is none.
    gap: u32,
}

/// A phrase in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    /// One past its last token.
    pub(super) last: usize,
    pub(super) role: Role,
}

/// Words between the two parts of a cue with a `*`.
const GAP: usize = 6;
/// The longest phrase, in tokens.
const LONGEST: usize = 16;
/// Units that are marks of punctuation.
const MARKS: u32 = 0xFF00_0000;
/// Units that are words which the vocabulary has not.
const OTHERS: u32 = 0xFE00_0000;
/// The cues that no list can have, in the order of their numbers.
const OWN: [(Status, &str); 4] =
    [(Status::NEGATED, "[ ]"), (Status::NEGATED, "(-)"), (Status::POSSIBLE, "?"), (Status::HISTORICAL, "in a year")];
/// No unit of any cue.
const NONE: u32 = u32::MAX;

/// A list of cues for the texts that one vocabulary looked up.
#[derive(Clone, Debug)]
pub(super) struct Cues {
    /// For each cue what it says, how far it reaches, and how it is written.
    list: Vec<(Status, Reach, CueText)>,
    /// Of each trie: main phrases first, then what says what a person has.
    nodes: [Vec<Node>; 2],
    edges: [HashMap<(u32, u32), u32, Hasher>; 2],
    /// Which words begin a phrase of the first trie: one bit each.
    starts: Vec<u64>,
    /// Which marks do.
    marks: u128,
    /// Words of cues that the vocabulary has not.
    others: HashMap<Box<str>, u32>,
}

impl Cues {
    /// Compiles a list.
    pub(super) fn new(vocabulary: &Vocabulary, list: &CueList) -> Self {
        let mut cues = Self {
            list: vec![(Status::default(), Reach::Nothing, CueText::new(""))],
            nodes: [vec![Node::default()], vec![Node::default()]],
            edges: [HashMap::default(), HashMap::default()],
            starts: vec![0; vocabulary.word_count().div_ceil(64)],
            marks: 0,
            others: HashMap::new(),
        };
        for (status, text) in OWN {
            cues.list.push((status, Reach::Nothing, CueText::new(text)));
        }
        for line in &list.lines {
            cues.add(vocabulary, line);
        }
        cues
    }

    /// An empty box.
    pub(super) const fn box_empty() -> CueId {
        CueId(1)
    }

    /// A minus.
    pub(super) const fn minus() -> CueId {
        CueId(2)
    }

    /// A question mark.
    pub(super) const fn question() -> CueId {
        CueId(3)
    }

    /// A year.
    pub(super) const fn year() -> CueId {
        CueId(4)
    }

    fn add(&mut self, vocabulary: &Vocabulary, line: &Line) {
        let Line { class, ref phrase, added } = *line;
        let trie = usize::from(class.role() == 5);
        let mut node = 0;
        for (at, text) in units(phrase).iter().enumerate() {
            if text == "*" {
                if self.nodes[trie][node as usize].gap == 0 {
                    self.nodes[trie][node as usize].gap = self.nodes[trie].len() as u32;
                    self.nodes[trie].push(Node::default());
                }
                node = self.nodes[trie][node as usize].gap;
                continue;
            }
            let unit = self.unit_of_text(vocabulary, text);
            if at == 0 && trie == 0 {
                match unit {
                    mark @ MARKS.. => self.marks |= 1 << (mark & 0x7F),
                    OTHERS.. => {}
                    word => self.starts[word as usize / 64] |= 1 << (word % 64),
                }
            }
            let fresh = self.nodes[trie].len() as u32;
            node = *self.edges[trie].entry((node, unit)).or_insert(fresh);
            if node == fresh {
                self.nodes[trie].push(Node::default());
            }
        }
        let cue = CueId(self.list.len() as u16);
        let node = &mut self.nodes[trie][node as usize];
        node.ends = true;
        node.role.own |= added;
        let text = CueText::new(phrase);
        match class {
            Class::Cue(status, reach) => {
                node.role.cue = cue;
                self.list.push((status, reach, text));
            }
            Class::End(status) => node.role.end |= status,
            Class::Section(status) => {
                node.role.section = Some(status);
                if node.role.cue == CueId(0) && !status.is_affirmed() {
                    node.role.cue = cue;
                    self.list.push((status, Reach::Before, text));
                }
            }
            Class::Through => node.role.through = true,
            Class::Pause => node.role.pause = true,
            Class::Severe => node.role.severe = true,
            Class::Person => {
                node.role.person = true;
                if node.role.cue == CueId(0) {
                    node.role.cue = cue;
                    self.list.push((Status::FAMILY, Reach::Nothing, text));
                }
            }
            Class::Has => node.role.has = true,
            Class::Filler => node.role.filler = true,
        }
    }

    fn unit_of_text(&mut self, vocabulary: &Vocabulary, text: &str) -> u32 {
        if let &[mark] = text.as_bytes()
            && mark.is_ascii_punctuation()
        {
            return MARKS | u32::from(mark);
        }
        let word = vocabulary.word(text.as_bytes());
        if word.is_known() {
            return word.0;
        }
        let fresh = OTHERS | self.others.len() as u32;
        *self.others.entry(text.into()).or_insert(fresh)
    }

    /// What a cue says and how far it reaches.
    #[inline]
    pub(super) fn cue(&self, id: CueId) -> (Status, Reach) {
        self.list
            .get(usize::from(id.0))
            .map_or((Status::default(), Reach::Nothing), |&(status, reach, _)| (status, reach))
    }

    /// How a cue is written in its list.
    pub(super) fn text(&self, id: CueId) -> CueText {
        self.list.get(usize::from(id.0)).map_or_else(CueText::default, |&(_, _, text)| text)
    }
}

/// The words of a text as cues are told apart by them.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) cues: &'a Cues,
    pub(super) folded: &'a str,
    pub(super) tokens: &'a [Token],
    pub(super) ids: &'a [WordId],
}

impl Text<'_> {
    /// Whether a phrase of the first trie may begin at a token.
    #[inline]
    pub(super) fn may_begin(&self, at: usize) -> bool {
        let id = self.ids[at];
        if let Some(block) = self.cues.starts.get(id.0 as usize / 64)
            && block >> (id.0 % 64) & 1 != 0
        {
            return true;
        }
        let token = self.tokens[at];
        match token.kind {
            Kind::Punct => self.cues.marks >> (token.mark() & 0x7F) & 1 != 0,
            _ => id == WordId::UNKNOWN && !self.cues.others.is_empty() && self.unit(at) != NONE,
        }
    }

    fn unit(&self, at: usize) -> u32 {
        let (token, id) = (self.tokens[at], self.ids[at]);
        match token.kind {
            Kind::Punct if !token.skipped_in_terms() => MARKS | u32::from(token.mark()),
            _ if id.is_known() => id.0,
            _ if id == WordId::SKIPPED => NONE,
            _ => self.cues.others.get(self.word(at)).copied().unwrap_or(NONE),
        }
    }

    /// The folded text of a token.
    pub(super) fn word(&self, at: usize) -> &str {
        &self.folded[self.tokens[at].span().range()]
    }

    /// The longest phrase of the first trie that begins at a token and ends before another.
    #[inline]
    pub(super) fn phrase(&self, at: usize, end: usize) -> Option<Hit> {
        if self.may_begin(at) { self.longest(0, at, end) } else { None }
    }

    /// The longest phrase of what says what a person has.
    pub(super) fn of_person(&self, at: usize, end: usize) -> Option<Hit> {
        self.longest(1, at, end)
    }

    fn longest(&self, trie: usize, first: usize, end: usize) -> Option<Hit> {
        let end = end.min(first + LONGEST);
        let (found, gap) = self.walk(trie, 0, first, end);
        found.filter(|hit| gap.is_none_or(|(_, at)| hit.last > at)).or_else(|| {
            // Behind a `*` some words may stand before the rest.
            let (node, from) = gap?;
            let rest = (from..end.min(from + GAP)).find_map(|at| self.walk(trie, node, at, end).0);
            rest.or(found)
        })
    }

    /// The longest phrase from a node on, and the last node on the way behind which a `*` stands, with the token there.
    fn walk(&self, trie: usize, node: u32, first: usize, end: usize) -> (Option<Hit>, Option<(u32, usize)>) {
        let (nodes, edges) = (&self.cues.nodes[trie], &self.cues.edges[trie]);
        let (mut node, mut found, mut gap) = (node, None, None);
        let mut at = first;
        while at < end {
            if self.ids[at] == WordId::SKIPPED && at > first {
                at += 1;
                continue;
            }
            let Some(&next) = edges.get(&(node, self.unit(at))) else { break };
            node = next;
            at += 1;
            if nodes[node as usize].ends {
                found = Some(Hit { last: at, role: nodes[node as usize].role });
            }
            if nodes[node as usize].gap != 0 {
                gap = Some((nodes[node as usize].gap, at));
            }
        }
        (found, gap)
    }
}

/// Mixes two small numbers; nobody can choose them from outside.
type Hasher = std::hash::BuildHasherDefault<Mix>;

#[derive(Clone, Copy, Debug, Default)]
struct Mix(u64);

impl std::hash::Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        let mixed = (self.0 ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ mixed >> 29;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(lines: &[&str]) -> String {
        CueList::parse(lines.iter().copied(), "ours").unwrap_err().to_string()
    }

    #[test]
    fn the_list_of_the_package_is_right() {
        let list = CueList::parse(PACKAGE.lines(), "cues.txt").expect("a list");
        assert!(list.lines.len() > 1000);
    }

    #[test]
    fn what_is_wrong_is_told_by_line() {
        assert!(problem(&["# ours", "[negated]"]).contains("ours, line 2: there is no class of cues \"negated\""));
        assert!(problem(&["denied before: nil"]).contains("line 1: there is no class"));
        assert!(problem(&["nil"]).contains("line 1: a cue without a class"));
        assert!(problem(&["end: -"]).contains("line 1: a cue without a word"));
        let twice = ["negated before: no trace of", "", "possible before: No trace-of"];
        assert!(problem(&twice).contains("line 3: the cue has another class at line 1"));
        assert!(problem(&["end: but", "end: but"]).contains("line 2: the cue is there already at line 1"));
        assert!(CueList::parse(["end: but", "negated before: but"], "ours").is_ok(), "two roles");
    }
}
