//! Lists of cues: phrases that suggest a status for a concept.
//!
//! A list is parsed line by line into a [`CueList`] and compiled for one vocabulary into [`CompiledCues`]: a trie over
//! the word ids of the vocabulary, so that a text that was looked up once is not looked up again.

mod cue_text;
mod list;
mod matcher;
mod trie;

use super::assertion::Status;
use crate::bits::BitSet;
use crate::linear::hash::QuickMap;
use crate::text::words_of_file;
use crate::vocabulary::Vocabulary;
pub use cue_text::CueText;
pub use list::CueList;
use list::{CueClass, CueLine, split_into_units};
pub(super) use matcher::CueMatcher;
use trie::CueTrie;

/// The feature codes of cues that negate, without pseudo cues.
pub(super) const NEGATED_CODES: std::ops::Range<u8> = 1..8;
/// The feature codes of phrases that terminate all scopes, and of phrases that name a person.
pub(super) const END_CODE: u8 = 60;
pub(super) const PERSON_CODE: u8 = 61;

/// The direction and reach of a cue, after `ConText`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Forward to the end of the sentence, or to a phrase that terminates the scope.
    Forward,
    /// Forward to the next comma or preposition.
    ForwardItem,
    /// Forward to a mention within two words.
    ForwardAdjacent,
    /// Backward to the beginning of the clause.
    Backward,
    /// Backward to the mention right before.
    BackwardAdjacent,
    /// Forward, or backward if no mention follows.
    Bidirectional,
    /// Backward, or forward if no mention precedes.
    BidirectionalBackward,
    /// None: the phrase only looks like a cue.
    Pseudo,
}

/// The index of a cue in [`CompiledCues`]; 0 is no cue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CueId(pub(super) u16);

/// The roles of a phrase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "a phrase may be several of them")]
pub(super) struct CueRole {
    /// Its status and scope; see [`CompiledCues::status_and_scope`].
    pub(super) cue: CueId,
    /// The statuses whose scope it terminates.
    pub(super) end: Status,
    /// The status of its section, if it is a section heading.
    pub(super) section: Option<Status>,
    pub(super) continues: bool,
    pub(super) pause: bool,
    pub(super) graded: bool,
    pub(super) person: bool,
    pub(super) introduces_condition: bool,
    pub(super) filler: bool,
    /// Whether the policy added it.
    pub(super) from_policy: bool,
    /// Its feature code; 0 is none.
    pub(super) code: u8,
}

/// A phrase found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CueHit<'a> {
    /// Its end (exclusive), in tokens.
    pub(super) end: usize,
    pub(super) role: &'a CueRole,
}

/// The maximum number of words that a `*` in a cue stands for.
const MAX_GAP_WORDS: usize = 6;
/// The maximum length of a phrase, in tokens.
const MAX_PHRASE_TOKENS: usize = 16;
/// The first unit of punctuation marks.
const FIRST_MARK_UNIT: u32 = 0xFF00_0000;
/// The first unit of words that the vocabulary lacks.
const FIRST_UNKNOWN_WORD_UNIT: u32 = 0xFE00_0000;
/// The cues that no list can express, in the order of their ids.
const BUILT_IN: [(Status, &str); 7] = [
    (Status::NEGATED, "[ ]"),
    (Status::NEGATED, "(-)"),
    (Status::POSSIBLE, "?"),
    (Status::HISTORICAL, "in a year"),
    (Status::NEGATED, "answered no"),
    (Status::HISTORICAL, "asked of the past"),
    (Status::HYPOTHETICAL, "a label that warns"),
];
/// A unit that no cue contains.
const NO_UNIT: u32 = u32::MAX;
/// Marks and words that may change a status by themselves; see `scope::marks`.
const TRIGGER_MARKS: &[u8] = b",;/[(-+?";
const CONJUNCTIONS: [&str; 3] = ["or", "nor", "and"];
/// Auxiliary verbs that contract with "not", with or without an apostrophe. "can't" and "won't" are missing because
/// "can't exclude" expresses doubt.
const AUXILIARIES: [&str; 14] =
    ["do", "does", "did", "have", "has", "had", "is", "are", "was", "were", "ai", "would", "should", "need"];
/// Adverbs that may follow "not": "has not ever had".
const ADVERBS_AFTER_NOT: &[&str] = words_of_file!("../words/adverbs-after-not.txt");

/// A list of cues compiled for one vocabulary.
#[derive(Clone, Debug)]
pub(super) struct CompiledCues {
    /// The status, scope and text of each cue.
    list: Vec<(Status, Scope, CueText)>,
    /// The cues that overrule the classifier, sorted.
    certain: Vec<CueId>,
    /// The main phrases, and those that introduce the conditions of a person.
    tries: [CueTrie; 2],
    /// Which words begin a phrase of the first trie.
    starts: BitSet,
    /// A bitmask of the marks that do.
    marks: u128,
    /// The words and marks that may begin a cue or change a status by themselves, and whether words outside the
    /// vocabulary may.
    triggers: BitSet,
    trigger_marks: u128,
    others_trigger: bool,
    /// The units of cue words that the vocabulary lacks.
    unknown_words: QuickMap<Box<str>, u32>,
    /// The units of contractions, sorted; each is matched as "not".
    contractions: Vec<u32>,
    /// A 64-bit filter of these units.
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
            starts: BitSet::with_limit(vocabulary.word_count()),
            marks: 0,
            triggers: BitSet::default(),
            trigger_marks: 0,
            others_trigger: false,
            unknown_words: QuickMap::default(),
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
        // A contraction begins whatever "not" begins.
        for &unit in cues.contractions.iter().filter(|&&unit| unit < FIRST_UNKNOWN_WORD_UNIT) {
            cues.starts.insert(unit as usize);
        }
        cues.mark_triggers(vocabulary);
        cues.assign_feature_codes();
        cues
    }

    /// Assigns each phrase its feature code.
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

    /// Marks the words and marks that may begin a cue or change a status by themselves.
    fn mark_triggers(&mut self, vocabulary: &Vocabulary) {
        self.triggers.clone_from(&self.starts);
        self.trigger_marks = TRIGGER_MARKS.iter().fold(self.marks, |all, mark| all | 1 << mark);
        self.others_trigger = !self.unknown_words.is_empty();
        for word in CONJUNCTIONS.map(|word| vocabulary.word_id(word.as_bytes())) {
            if word.is_known() {
                self.triggers.insert(word.0 as usize);
            } else {
                self.others_trigger = true;
            }
        }
    }

    /// Returns the cue of an empty box.
    pub(super) const fn empty_box() -> CueId {
        CueId(1)
    }

    /// Returns the cue of a minus sign.
    pub(super) const fn minus() -> CueId {
        CueId(2)
    }

    /// Returns the cue of a question mark.
    pub(super) const fn question_mark() -> CueId {
        CueId(3)
    }

    /// Returns the cue of an answer in a form.
    pub(super) const fn form_answer() -> CueId {
        CueId(5)
    }

    /// Returns the cue of a question about the past: "ever had".
    pub(super) const fn question_about_past() -> CueId {
        CueId(6)
    }

    /// Returns the cue of a label that introduces a list of risks.
    pub(super) const fn warning_label() -> CueId {
        CueId(7)
    }

    /// Returns the cue of a year.
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
                    word => self.starts.insert(word as usize),
                }
            }
            node = self.tries[trie].child_or_insert(node, unit);
        }
        let cue = CueId(self.list.len() as u16);
        let node = self.tries[trie].node_mut(node);
        node.ends = true;
        node.role.from_policy |= added;
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
            CueClass::Has => node.role.introduces_condition = true,
            CueClass::Filler => node.role.filler = true,
        }
    }

    /// Returns the unit of "not" for a contraction, and any other unit unchanged.
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
        let fresh = FIRST_UNKNOWN_WORD_UNIT | self.unknown_words.len() as u32;
        *self.unknown_words.entry(text.into()).or_insert(fresh)
    }

    /// Returns whether a cue overrules the classifier for the mention next to it.
    pub(super) fn is_certain(&self, id: CueId) -> bool {
        self.certain.binary_search_by_key(&id.0, |certain| certain.0).is_ok()
    }

    /// Returns the status and scope of a cue.
    #[inline]
    pub(super) fn status_and_scope(&self, id: CueId) -> (Status, Scope) {
        self.list
            .get(usize::from(id.0))
            .map_or((Status::default(), Scope::Pseudo), |&(status, scope, _)| (status, scope))
    }

    /// Returns the text of a cue as its list has it.
    pub(super) fn cue_text(&self, id: CueId) -> CueText {
        self.list.get(usize::from(id.0)).map_or_else(CueText::default, |&(_, _, text)| text)
    }
}
