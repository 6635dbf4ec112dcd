//! What comes out: the new text, and where everything in it came from. Holds no text of the note.

use std::num::{NonZeroU16, NonZeroU32};
use std::sync::RwLock;

use serde::{Deserialize, Deserializer, Serialize};

use crate::finding::{Certainty, Kind, Label};
use crate::rules::RULES;
use crate::status::{Assertion, CueText};
use crate::text::span::Span;
use crate::values::{self, Attributes};
use crate::vocabulary::{Class, EntryId, Group, Vocabulary};

/// What something is called, as a number: a long note names millions of rules and lists.
#[derive(Clone, Copy, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub struct Name(NonZeroU16);

/// A rule and a list that are called alike have one name: whoever reads it back from its letters has no other.
impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.as_str() == other.as_str()
    }
}

impl std::hash::Hash for Name {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl Name {
    /// A term of the vocabulary, as that which speaks for something.
    pub const TERM: Self = Self(NonZeroU16::MIN);

    /// The name of a rule by its place in [`RULES`].
    #[inline]
    pub(crate) const fn from_rule_number(rule: u16) -> Self {
        Self(NonZeroU16::MIN.saturating_add(1 + rule))
    }

    /// The name of a list.
    #[inline]
    pub(crate) const fn from_list(list: Class) -> Self {
        Self(NonZeroU16::MIN.saturating_add(1 + RULES.len() as u16 + list as u16))
    }

    /// The name of a detector outside the core or of a pattern of the user's own; `None` if it is not a prefix, a colon and up to 64
    /// letters, digits and marks, or if there are 4,096 already. Names are kept for the life of the process.
    pub fn detector(name: &str) -> Option<Self> {
        let (prefix, rest) = name.split_once(':')?;
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte));
        if !matches!(prefix, "detector" | "pattern") || !(1..=64).contains(&rest.len()) || !plain(rest) {
            return None;
        }
        let mut names = DETECTORS.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let nth = match names.iter().position(|&known| known == name) {
            Some(nth) => nth,
            None if names.len() < DETECTORS_MAX => {
                names.push(Box::leak(name.to_owned().into_boxed_str()));
                names.len() - 1
            }
            None => return None,
        };
        NonZeroU16::MIN.checked_add(1 + (RULES.len() + Class::ALL.len() + nth) as u16).map(Self)
    }

    /// The number by which findings know a detector or a pattern: beyond those of all rules.
    pub(crate) const fn number_of_detector(self) -> u16 {
        self.0.get() - 2
    }

    /// The rule of that name.
    pub fn rule(name: &str) -> Option<Self> {
        RULES.iter().position(|rule| rule.name == name).map(|rule| Self::from_rule_number(rule as u16))
    }

    /// What speaks for something and is called so: a list, a rule, or `term`.
    pub fn voucher(name: &str) -> Option<Self> {
        let term = (name == Self::TERM.as_str()).then_some(Self::TERM);
        Class::from_key(name).map(Self::from_list).or(term).or_else(|| Self::rule(name))
    }

    /// The name.
    pub fn as_str(self) -> &'static str {
        let number = self.0.get() as usize - 1;
        if number == 0 {
            return "term";
        }
        if let Some(rule) = RULES.get(number - 1) {
            return rule.name;
        }
        let rest = number - 1 - RULES.len();
        Class::ALL.get(rest).map_or_else(|| detector_name(rest - Class::ALL.len()), |list| list.key())
    }
}

impl From<Name> for &'static str {
    fn from(name: Name) -> Self {
        name.as_str()
    }
}

impl TryFrom<String> for Name {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        Self::voucher(&name).or_else(|| Self::detector(&name)).ok_or("no rule, list or detector of this version")
    }
}

/// The names of detectors and patterns that this process has met.
static DETECTORS: RwLock<Vec<&'static str>> = RwLock::new(Vec::new());

/// How many there can be.
const DETECTORS_MAX: usize = 4096;

fn detector_name(nth: usize) -> &'static str {
    DETECTORS.read().unwrap_or_else(std::sync::PoisonError::into_inner).get(nth).copied().unwrap_or("detector")
}

impl std::fmt::Debug for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(f)
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// A term of the vocabulary that came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    /// Where it stands in the note.
    pub source: Span,
    /// Where it stands in the new text.
    pub output: Span,
    /// The term; [`entry_concepts`](crate::Vocabulary::entry_concepts) gives its concepts.
    pub entry: EntryId,
    /// What the note says of it, and by which cues.
    pub said: Assertion,
    /// Value, dose and the like, by the place among [`Document::attributes`], from 1.
    pub attributes: Option<NonZeroU32>,
}

/// A stretch that did not come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removal {
    /// Where it stood in the note.
    pub source: Span,
    /// What stands for it in the new text.
    pub output: Span,
    /// The kind of PHI, where a rule found it; `None` for words and numbers that nothing vouches for.
    pub kind: Option<Kind>,
}

/// What a rule found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Where in the note.
    pub source: Span,
    /// The kind of PHI.
    pub kind: Kind,
    /// The rule.
    pub rule: Name,
    /// How sure the rule is.
    pub certainty: Certainty,
}

/// What happens to a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Action {
    /// It comes out as written.
    Keep,
    /// It comes out as part of a coded term.
    Code,
    /// It does not come out.
    Remove,
}

impl Action {
    /// Every action.
    pub const ALL: [Self; 3] = [Self::Keep, Self::Code, Self::Remove];
}

/// Why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Reason {
    /// Removed: nothing vouches for it.
    Unlisted,
    /// Removed: a rule says that it is PHI.
    Finding,
    /// Removed: what it is glued to was removed, or nothing vouches for the two together.
    Glued,
    /// Removed: a list of names or places, where unknown words stay or the policy lets no name pass.
    NameList,
    /// Removed: the policy drops the section.
    Section,
    /// Removed: the policy drops the header.
    Header,
    /// Kept: punctuation.
    Punctuation,
    /// Kept: it stands on an allowed list.
    List,
    /// Kept: part of a term.
    Term,
    /// Kept: a rule vouches for it.
    Vouched,
    /// Kept: the policy keeps what nothing speaks against.
    Policy,
    /// Kept: a tag or a code that notesieve itself writes.
    Own,
    /// Kept: a word on no list of which the model is sure that it names nobody.
    Judged,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 13] = [
        Self::Unlisted,
        Self::Finding,
        Self::Glued,
        Self::NameList,
        Self::Section,
        Self::Header,
        Self::Punctuation,
        Self::List,
        Self::Term,
        Self::Vouched,
        Self::Policy,
        Self::Own,
        Self::Judged,
    ];

    /// Its name in results.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Unlisted => "unlisted",
            Self::Finding => "finding",
            Self::Glued => "glued",
            Self::NameList => "name-list",
            Self::Section => "section",
            Self::Header => "header",
            Self::Punctuation => "punctuation",
            Self::List => "list",
            Self::Term => "term",
            Self::Vouched => "vouched",
            Self::Policy => "policy",
            Self::Own => "own",
            Self::Judged => "judged",
        }
    }
}

/// The decision on one token, with its place in both texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenDecision {
    /// Where the token stands in the note.
    pub source: Span,
    /// Where it, or what stands for it, is in the new text.
    pub output: Span,
    /// What happened to it.
    pub action: Action,
    /// Why.
    pub reason: Reason,
    /// The rule behind the reason, if one is.
    pub rule: Option<Name>,
}

/// What speaks for a stretch, whether or not it comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Voucher {
    /// Where in the note.
    pub source: Span,
    /// The list, the rule, or [`Name::TERM`].
    pub by: Name,
    /// How much it weighs: 0 for a list, which any finding overrules.
    pub certainty: u8,
}

/// The judgement of a token by the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weighed {
    /// Where in the note.
    pub source: Span,
    /// What it is most likely, if it is anything.
    pub label: Label,
    /// The log-odds that it identifies.
    pub score: f32,
    /// What weighed most, if it is likely.
    pub reasons: Box<[Reasoned]>,
}

// A long note that is explained has one for each of its tokens.
const _: () = assert!(size_of::<TokenDecision>() == 20 && size_of::<Voucher>() == 12 && size_of::<Weighed>() == 32);

/// One thing that weighed in a judgement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reasoned {
    /// What, in words; no word of the note.
    #[serde(deserialize_with = "leak_string")]
    pub says: Words,
    /// How many tokens before (negative) or after the token it stands; 0 for the token itself.
    pub far: i8,
    /// How much it adds to the log-odds.
    pub weight: f32,
}

/// Words of the package.
type Words = &'static str;

/// Words of a pickle, kept for the life of the process as those of the package are.
fn leak_string<'de, D: Deserializer<'de>>(words: D) -> Result<Words, D::Error> {
    CueText::deserialize(words).map(CueText::as_str)
}

/// A scrubbed note.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The new text.
    pub text: String,
    /// The terms in it, in order.
    pub concepts: Vec<Mention>,
    /// What the note says beside some of them; a mention has the place.
    pub attributes: Vec<Attributes>,
    /// What did not come out, in order.
    pub removed: Vec<Removal>,
    /// What the rules found, in order of the places where they looked.
    pub findings: Vec<Found>,
    /// One decision a token, if asked for.
    pub decisions: Vec<TokenDecision>,
    /// What speaks for each stretch, if decisions were asked for.
    pub vouchers: Vec<Voucher>,
    /// How the model judged each token, if decisions were asked for.
    pub judgements: Vec<Weighed>,
}

impl Document {
    /// Value, dose and the like of a mention.
    pub fn attributes_of(&self, mention: &Mention) -> &Attributes {
        static NONE: Attributes = Attributes::NONE;
        mention.attributes.and_then(|place| self.attributes.get(place.get() as usize - 1)).unwrap_or(&NONE)
    }

    /// What kind of thing a mention is: that of its concept, or measurement or drug, where the note tells.
    pub fn group_of(&self, vocabulary: &Vocabulary, mention: &Mention) -> Group {
        values::group_of(vocabulary, mention.entry, self.attributes_of(mention))
    }
}
