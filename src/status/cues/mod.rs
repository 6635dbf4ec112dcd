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
use list::{CueClass, CueLine, split_into_units};
pub(super) use matcher::CueMatcher;
use trie::CueTrie;

/// The numbers of phrases that negate.
pub(super) const NEGATED_CODES: std::ops::Range<u8> = 1..8;
/// The numbers of phrases that end what was said, and of those that name a person.
pub(super) const END_CODE: u8 = 60;
pub(super) const PERSON_CODE: u8 = 61;

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
const MAX_GAP_WORDS: usize = 6;
/// The longest phrase, in tokens.
const MAX_PHRASE_TOKENS: usize = 16;
/// Units that are marks of punctuation.
const FIRST_MARK_UNIT: u32 = 0xFF00_0000;
/// Units that are words which the vocabulary has not.
const FIRST_UNKNOWN_WORD_UNIT: u32 = 0xFE00_0000;
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
const NO_UNIT: u32 = u32::MAX;
/// Marks and words that may change a status by themselves: see `scope::marks`.
const TRIGGER_MARKS: &[u8] = b",;/[(-+?";
const CONJUNCTIONS: [&str; 3] = ["or", "nor", "and"];
/// Auxiliary verbs that contract with "not", with and without the apostrophe. "can't" and "won't" are left out: "can't exclude" doubts.
const AUXILIARIES: [&str; 14] =
    ["do", "does", "did", "have", "has", "had", "is", "are", "was", "were", "ai", "would", "should", "need"];
/// Adverbs that may stand after "not": "has not ever had".
const ADVERBS_AFTER_NOT: [&str; 14] = [
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
pub(super) struct CompiledCues {
    /// For each cue its status, its scope and its text.
    list: Vec<(Status, Scope, CueText)>,
    /// The cues that overrule the classifier.
    certain: Vec<CueId>,
    /// Main phrases first, then those that introduce what a person has.
    tries: [CueTrie; 2],
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

impl CompiledCues {
    /// Compiles a list.
    pub(super) fn new(vocabulary: &Vocabulary, list: &CueList) -> Self {
        let mut cues = Self {
            list: vec![(Status::default(), Scope::Pseudo, CueText::intern(""))],
            certain: Vec::new(),
            tries: [CueTrie::default(), CueTrie::default()],
            starts: vec![0; vocabulary.word_count().div_ceil(64)],
            marks: 0,
            triggers: Vec::new(),
            trigger_marks: 0,
            others_trigger: false,
            others: QuickMap::default(),
            contractions: Vec::new(),
            contracted: 0,
            not: NO_UNIT,
            adverbs: Vec::new(),
        };
        cues.not = cues.intern_unit(vocabulary, "not");
        let contracted = AUXILIARIES.iter().flat_map(|verb| [format!("{verb}n't"), format!("{verb}nt")]);
        let contracted: Vec<String> = contracted.chain(["n't".to_owned()]).collect();
        cues.contractions = contracted.iter().map(|word| cues.intern_unit(vocabulary, word)).collect();
        cues.adverbs = ADVERBS_AFTER_NOT.iter().map(|word| cues.intern_unit(vocabulary, word)).collect();
        cues.contracted = cues.contractions.iter().fold(0, |all, &unit| all | trie::follow_bit(unit));
        cues.contractions.sort_unstable();
        cues.adverbs.sort_unstable();
        for (status, text) in BUILT_IN {
            cues.list.push((status, Scope::Pseudo, CueText::intern(text)));
        }
        for line in &list.lines {
            cues.add_line(vocabulary, line);
        }
        // A contraction begins what "not" begins.
        for &unit in cues.contractions.iter().filter(|&&unit| unit < FIRST_UNKNOWN_WORD_UNIT) {
            cues.starts[unit as usize / 64] |= 1 << (unit % 64);
        }
        cues.mark_triggers(vocabulary);
        cues.assign_feature_codes();
        cues
    }

    /// Gives each phrase the code by which features know it.
    fn assign_feature_codes(&mut self) {
        let Self { tries, list, .. } = self;
        for role in tries[0].cue_roles_mut() {
            let (status, scope, _) = list.get(usize::from(role.cue.0)).copied().unwrap_or(list[0]);
            role.code = match status.indices().next() {
                Some(_) if role.person => PERSON_CODE,
                Some(place) => 1 + 9 * place as u8 + scope as u8,
                None if role.end == Status::ALL => END_CODE,
                None if !role.end.is_affirmed() => 62,
                None if role.pause => 0,
                None if role.graded => 63,
                None if role.continues => 64,
                None => 65,
            };
        }
    }

    /// Marks the words and marks that may trigger.
    fn mark_triggers(&mut self, vocabulary: &Vocabulary) {
        self.triggers.clone_from(&self.starts);
        self.trigger_marks = TRIGGER_MARKS.iter().fold(self.marks, |all, mark| all | 1 << mark);
        self.others_trigger = !self.others.is_empty();
        for word in CONJUNCTIONS.map(|word| vocabulary.word_id(word.as_bytes())) {
            match self.triggers.get_mut(word.0 as usize / 64) {
                Some(block) => *block |= 1 << (word.0 % 64),
                None => self.others_trigger = true,
            }
        }
    }

    /// An empty box.
    pub(super) const fn empty_box() -> CueId {
        CueId(1)
    }

    /// A minus.
    pub(super) const fn minus() -> CueId {
        CueId(2)
    }

    /// A question mark.
    pub(super) const fn question_mark() -> CueId {
        CueId(3)
    }

    /// The answer of a form.
    pub(super) const fn form_answer() -> CueId {
        CueId(5)
    }

    /// A question about the past: "ever had".
    pub(super) const fn question_about_past() -> CueId {
        CueId(6)
    }

    /// A label of boxes that warns.
    pub(super) const fn warning_label() -> CueId {
        CueId(7)
    }

    /// A year.
    pub(super) const fn year() -> CueId {
        CueId(4)
    }

    fn add_line(&mut self, vocabulary: &Vocabulary, line: &CueLine) {
        let CueLine { class, ref phrase, added } = *line;
        let trie = usize::from(class.role_number() == 5);
        let mut node = 0;
        for (at, text) in split_into_units(phrase).iter().enumerate() {
            if text == "*" {
                node = self.tries[trie].gap_node_or_insert(node);
                continue;
            }
            let unit = self.intern_unit(vocabulary, text);
            let unit = self.expand_contraction(unit);
            if at == 0 && trie == 0 {
                match unit {
                    mark @ FIRST_MARK_UNIT.. => self.marks |= 1 << (mark & 0x7F),
                    FIRST_UNKNOWN_WORD_UNIT.. => {}
                    word => self.starts[word as usize / 64] |= 1 << (word % 64),
                }
            }
            node = self.tries[trie].child_or_insert(node, unit);
        }
        let cue = CueId(self.list.len() as u16);
        let node = self.tries[trie].node_mut(node);
        node.ends = true;
        node.role.own |= added;
        let text = CueText::intern(phrase);
        match class {
            CueClass::Cue(status, scope) => {
                node.role.cue = cue;
                self.list.push((status, scope, text));
            }
            CueClass::Certain(status, scope) => {
                node.role.cue = cue;
                self.list.push((status, scope, text));
                self.certain.push(cue);
            }
            CueClass::End(status) => node.role.end |= status,
            CueClass::SectionStatus(status) => {
                node.role.section = Some(status);
                if node.role.cue == CueId(0) && !status.is_affirmed() {
                    node.role.cue = cue;
                    self.list.push((status, Scope::Forward, text));
                }
            }
            CueClass::Continue => node.role.continues = true,
            CueClass::Pause => node.role.pause = true,
            CueClass::Graded => node.role.graded = true,
            CueClass::Person => {
                node.role.person = true;
                if node.role.cue == CueId(0) {
                    node.role.cue = cue;
                    self.list.push((Status::FAMILY, Scope::Pseudo, text));
                }
            }
            CueClass::Has => node.role.has = true,
            CueClass::Filler => node.role.filler = true,
        }
    }

    /// A contraction as "not", any other unit as it is.
    #[inline]
    fn expand_contraction(&self, unit: u32) -> u32 {
        let is_contraction =
            self.contracted & trie::follow_bit(unit) != 0 && self.contractions.binary_search(&unit).is_ok();
        if is_contraction { self.not } else { unit }
    }

    fn intern_unit(&mut self, vocabulary: &Vocabulary, text: &str) -> u32 {
        if let &[mark] = text.as_bytes()
            && mark.is_ascii_punctuation()
        {
            return FIRST_MARK_UNIT | u32::from(mark);
        }
        let word = vocabulary.word_id(text.as_bytes());
        if word.is_known() {
            return word.0;
        }
        let fresh = FIRST_UNKNOWN_WORD_UNIT | self.others.len() as u32;
        *self.others.entry(text.into()).or_insert(fresh)
    }

    /// Whether a cue overrules the classifier for what stands next to it.
    pub(super) fn is_certain(&self, id: CueId) -> bool {
        self.certain.binary_search_by_key(&id.0, |certain| certain.0).is_ok()
    }

    /// The status and scope of a cue.
    #[inline]
    pub(super) fn status_and_scope(&self, id: CueId) -> (Status, Scope) {
        self.list
            .get(usize::from(id.0))
            .map_or((Status::default(), Scope::Pseudo), |&(status, scope, _)| (status, scope))
    }

    /// How a cue is written in its list.
    pub(super) fn cue_text(&self, id: CueId) -> CueText {
        self.list.get(usize::from(id.0)).map_or_else(CueText::default, |&(_, _, text)| text)
    }
}
