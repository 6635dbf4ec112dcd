//! Lists of cues: words that give a concept a status.
//!
//! A list is read line by line into a [`CueList`], and compiled for one vocabulary into [`Cues`]: a trie over the words as
//! the vocabulary numbers them, so that a text that was looked up once is not looked up again.

mod cue_text;
mod list;
mod matcher;
mod trie;

use super::assertion::Status;
use crate::linear::hash::QuickMap;
use crate::vocabulary::Vocabulary;
pub use cue_text::CueText;
pub use list::CueList;
use list::{Class, Line, units};
pub(super) use matcher::CueMatcher;
use trie::Trie;

/// The numbers of phrases that negate.
pub(super) const NEGATED: std::ops::Range<u8> = 1..8;
/// The numbers of phrases that end what was said, and of those that name a person.
pub(super) const END: u8 = 60;
pub(super) const PERSON: u8 = 61;

/// In which direction a cue has effect and how far, after `ConText`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// To the end of the sentence, or to a cue that terminates it.
    Forward,
    /// To the next comma or preposition.
    ForwardItem,
    /// What follows within two words.
    ForwardAdjacent,
    /// Back to the beginning of the clause.
    Backward,
    /// What stands right before.
    BackwardAdjacent,
    /// What follows; where nothing follows, what stands before.
    Bidirectional,
    /// What stands before; where nothing does, what follows.
    BidirectionalBackward,
    /// Nothing: the phrase only looks like a cue.
    Pseudo,
}

/// A cue by its place in [`Cues`]; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CueId(pub(super) u16);

/// What a phrase is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "a phrase may be several of them")]
pub(super) struct CueRole {
    /// Its status and scope; see [`Cues::cue`].
    pub(super) cue: CueId,
    /// What it ends.
    pub(super) end: Status,
    /// The status of all below it, if it is a heading.
    pub(super) section: Option<Status>,
    pub(super) continues: bool,
    pub(super) pause: bool,
    pub(super) graded: bool,
    pub(super) person: bool,
    pub(super) has: bool,
    pub(super) filler: bool,
    /// The policy itself brings it.
    pub(super) own: bool,
    /// Its number among features; 0 is none.
    pub(super) code: u8,
}

/// A phrase in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CueHit<'a> {
    /// One past its last token.
    pub(super) last: usize,
    pub(super) role: &'a CueRole,
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
const BUILT_IN: [(Status, &str); 7] = [
    (Status::NEGATED, "[ ]"),
    (Status::NEGATED, "(-)"),
    (Status::POSSIBLE, "?"),
    (Status::HISTORICAL, "in a year"),
    (Status::NEGATED, "answered no"),
    (Status::HISTORICAL, "asked of the past"),
    (Status::HYPOTHETICAL, "a label that warns"),
];
/// No unit of any cue.
const NONE: u32 = u32::MAX;
/// Marks and words that may change a status by themselves: see `scope::marks`.
const TRIGGER_MARKS: &[u8] = b",;/[(-+?";
const JOINING: [&str; 3] = ["or", "nor", "and"];
/// Auxiliary verbs that contract with "not", with and without the apostrophe. "can't" and "won't" are left out: "can't exclude" doubts.
const AUXILIARIES: [&str; 14] =
    ["do", "does", "did", "have", "has", "had", "is", "are", "was", "were", "ai", "would", "should", "need"];
/// Adverbs that may stand after "not": "has not ever had".
const ADVERBS: [&str; 14] = [
    "ever",
    "currently",
    "really",
    "yet",
    "actually",
    "recently",
    "previously",
    "presently",
    "apparently",
    "clearly",
    "definitely",
    "today",
    "so",
    "quite",
];

/// A list of cues for the texts that one vocabulary looked up.
#[derive(Clone, Debug)]
pub(super) struct Cues {
    /// For each cue its status, its scope and its text.
    list: Vec<(Status, Scope, CueText)>,
    /// The cues that overrule the classifier.
    certain: Vec<CueId>,
    /// Main phrases first, then those that introduce what a person has.
    tries: [Trie; 2],
    /// Which words begin a phrase of the first trie: one bit each.
    starts: Vec<u64>,
    /// Which marks do.
    marks: u128,
    /// Which words and marks may trigger, and whether words outside the vocabulary may.
    triggers: Vec<u64>,
    trigger_marks: u128,
    others_trigger: bool,
    /// Words of cues that the vocabulary has not.
    others: QuickMap<Box<str>, u32>,
    /// The units of contractions, sorted: each is read as "not".
    contractions: Vec<u32>,
    /// Which units may be contractions, by some bits of them.
    contracted: u64,
    /// The unit of "not", and the sorted units of adverbs that are skipped after it.
    not: u32,
    adverbs: Vec<u32>,
}

impl Cues {
    /// Compiles a list.
    pub(super) fn new(vocabulary: &Vocabulary, list: &CueList) -> Self {
        let mut cues = Self {
            list: vec![(Status::default(), Scope::Pseudo, CueText::new(""))],
            certain: Vec::new(),
            tries: [Trie::default(), Trie::default()],
            starts: vec![0; vocabulary.word_count().div_ceil(64)],
            marks: 0,
            triggers: Vec::new(),
            trigger_marks: 0,
            others_trigger: false,
            others: QuickMap::default(),
            contractions: Vec::new(),
            contracted: 0,
            not: NONE,
            adverbs: Vec::new(),
        };
        cues.not = cues.unit_of_text(vocabulary, "not");
        let contracted = AUXILIARIES.iter().flat_map(|verb| [format!("{verb}n't"), format!("{verb}nt")]);
        let contracted: Vec<String> = contracted.chain(["n't".to_owned()]).collect();
        cues.contractions = contracted.iter().map(|word| cues.unit_of_text(vocabulary, word)).collect();
        cues.adverbs = ADVERBS.iter().map(|word| cues.unit_of_text(vocabulary, word)).collect();
        cues.contracted = cues.contractions.iter().fold(0, |all, &unit| all | trie::bit(unit));
        cues.contractions.sort_unstable();
        cues.adverbs.sort_unstable();
        for (status, text) in BUILT_IN {
            cues.list.push((status, Scope::Pseudo, CueText::new(text)));
        }
        for line in &list.lines {
            cues.add(vocabulary, line);
        }
        // A contraction begins what "not" begins.
        for &unit in cues.contractions.iter().filter(|&&unit| unit < OTHERS) {
            cues.starts[unit as usize / 64] |= 1 << (unit % 64);
        }
        cues.tell(vocabulary);
        cues.number();
        cues
    }

    /// Gives each phrase its number among features.
    fn number(&mut self) {
        let Self { tries, list, .. } = self;
        for role in tries[0].roles() {
            let (status, scope, _) = list.get(usize::from(role.cue.0)).copied().unwrap_or(list[0]);
            role.code = match status.places().next() {
                Some(_) if role.person => PERSON,
                Some(place) => 1 + 9 * place as u8 + scope as u8,
                None if role.end == Status::ALL => END,
                None if !role.end.is_affirmed() => 62,
                None if role.pause => 0,
                None if role.graded => 63,
                None if role.continues => 64,
                None => 65,
            };
        }
    }

    /// Marks the words and marks that may trigger.
    fn tell(&mut self, vocabulary: &Vocabulary) {
        self.triggers.clone_from(&self.starts);
        self.trigger_marks = TRIGGER_MARKS.iter().fold(self.marks, |all, mark| all | 1 << mark);
        self.others_trigger = !self.others.is_empty();
        for word in JOINING.map(|word| vocabulary.word_id(word.as_bytes())) {
            match self.triggers.get_mut(word.0 as usize / 64) {
                Some(block) => *block |= 1 << (word.0 % 64),
                None => self.others_trigger = true,
            }
        }
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

    /// The answer of a form.
    pub(super) const fn answer() -> CueId {
        CueId(5)
    }

    /// A question for what ever was.
    pub(super) const fn past() -> CueId {
        CueId(6)
    }

    /// A label of boxes that warns.
    pub(super) const fn warning() -> CueId {
        CueId(7)
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
                node = self.tries[trie].gap(node);
                continue;
            }
            let unit = self.unit_of_text(vocabulary, text);
            let unit = self.canonical(unit);
            if at == 0 && trie == 0 {
                match unit {
                    mark @ MARKS.. => self.marks |= 1 << (mark & 0x7F),
                    OTHERS.. => {}
                    word => self.starts[word as usize / 64] |= 1 << (word % 64),
                }
            }
            node = self.tries[trie].edge(node, unit);
        }
        let cue = CueId(self.list.len() as u16);
        let node = self.tries[trie].node_mut(node);
        node.ends = true;
        node.role.own |= added;
        let text = CueText::new(phrase);
        match class {
            Class::Cue(status, scope) => {
                node.role.cue = cue;
                self.list.push((status, scope, text));
            }
            Class::Certain(status, scope) => {
                node.role.cue = cue;
                self.list.push((status, scope, text));
                self.certain.push(cue);
            }
            Class::End(status) => node.role.end |= status,
            Class::SectionStatus(status) => {
                node.role.section = Some(status);
                if node.role.cue == CueId(0) && !status.is_affirmed() {
                    node.role.cue = cue;
                    self.list.push((status, Scope::Forward, text));
                }
            }
            Class::Continue => node.role.continues = true,
            Class::Pause => node.role.pause = true,
            Class::Graded => node.role.graded = true,
            Class::Person => {
                node.role.person = true;
                if node.role.cue == CueId(0) {
                    node.role.cue = cue;
                    self.list.push((Status::FAMILY, Scope::Pseudo, text));
                }
            }
            Class::Has => node.role.has = true,
            Class::Filler => node.role.filler = true,
        }
    }

    /// A contraction as "not", any other unit as it is.
    #[inline]
    fn canonical(&self, unit: u32) -> u32 {
        let is_contraction = self.contracted & trie::bit(unit) != 0 && self.contractions.binary_search(&unit).is_ok();
        if is_contraction { self.not } else { unit }
    }

    fn unit_of_text(&mut self, vocabulary: &Vocabulary, text: &str) -> u32 {
        if let &[mark] = text.as_bytes()
            && mark.is_ascii_punctuation()
        {
            return MARKS | u32::from(mark);
        }
        let word = vocabulary.word_id(text.as_bytes());
        if word.is_known() {
            return word.0;
        }
        let fresh = OTHERS | self.others.len() as u32;
        *self.others.entry(text.into()).or_insert(fresh)
    }

    /// Whether a cue overrules the classifier for what stands next to it.
    pub(super) fn is_certain(&self, id: CueId) -> bool {
        self.certain.binary_search_by_key(&id.0, |certain| certain.0).is_ok()
    }

    /// The status and scope of a cue.
    #[inline]
    pub(super) fn cue(&self, id: CueId) -> (Status, Scope) {
        self.list
            .get(usize::from(id.0))
            .map_or((Status::default(), Scope::Pseudo), |&(status, scope, _)| (status, scope))
    }

    /// How a cue is written in its list.
    pub(super) fn text(&self, id: CueId) -> CueText {
        self.list.get(usize::from(id.0)).map_or_else(CueText::default, |&(_, _, text)| text)
    }
}
