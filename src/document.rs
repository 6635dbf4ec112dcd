//! The output of a scrub: the new text, and where everything in it came from. Holds no text of the note.

use std::num::{NonZeroU16, NonZeroU32};
use std::sync::RwLock;

use serde::{Deserialize, Deserializer, Serialize};

use crate::finding::{Certainty, Kind, Label};
use crate::rules::RULES;
use crate::status::{Assertion, CueText};
use crate::text::span::Span;
use crate::values::{self, Attributes};
use crate::vocabulary::{Class, EntryId, Group, Vocabulary};

/// The interned name of a rule, list or detector, as a number: a long note has millions of them.
#[derive(Clone, Copy, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub struct SourceName(NonZeroU16);

/// Names with the same letters are equal: a rule and a list of one name cannot be told apart once deserialised.
impl PartialEq for SourceName {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.as_str() == other.as_str()
    }
}

impl std::hash::Hash for SourceName {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl SourceName {
    /// The name of a vocabulary term as a voucher.
    pub const TERM: Self = Self(NonZeroU16::MIN);

    /// Returns the name of a rule by its index in [`RULES`].
    #[inline]
    pub(crate) const fn from_rule_number(rule: u16) -> Self {
        Self(NonZeroU16::MIN.saturating_add(1 + rule))
    }

    /// Returns the name of a list.
    #[inline]
    pub(crate) const fn from_list(list: Class) -> Self {
        Self(NonZeroU16::MIN.saturating_add(1 + RULES.len() as u16 + list as u16))
    }

    /// Returns the name of an external detector or of a user's own pattern. `None` if it is not a prefix, a colon and
    /// up to 64 letters, digits and marks, or if there are already 4,096. Names live as long as the process.
    pub fn detector(name: &str) -> Option<Self> {
        let (prefix, rest) = name.split_once(':')?;
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte));
        if !matches!(prefix, "detector" | "pattern") || !(1..=64).contains(&rest.len()) || !plain(rest) {
            return None;
        }
        let mut names = DETECTORS.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let nth = match names.iter().position(|&known| known == name) {
            Some(nth) => nth,
            None if names.len() < MAX_DETECTORS => {
                names.push(Box::leak(name.to_owned().into_boxed_str()));
                names.len() - 1
            }
            None => return None,
        };
        NonZeroU16::MIN.checked_add(1 + (RULES.len() + Class::ALL.len() + nth) as u16).map(Self)
    }

    /// Returns the number that findings use for a detector or a pattern: above those of all rules.
    pub(crate) const fn number_of_detector(self) -> u16 {
        self.0.get() - 2
    }

    /// Returns the name of a rule, or `None` if there is no such rule.
    pub fn rule(name: &str) -> Option<Self> {
        RULES.iter().position(|rule| rule.name == name).map(|rule| Self::from_rule_number(rule as u16))
    }

    /// Returns the name of a voucher: a list, a rule, or `term`.
    pub fn voucher(name: &str) -> Option<Self> {
        let term = (name == Self::TERM.as_str()).then_some(Self::TERM);
        Class::from_key(name).map(Self::from_list).or(term).or_else(|| Self::rule(name))
    }

    /// Returns the name as a string.
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

impl From<SourceName> for &'static str {
    fn from(name: SourceName) -> Self {
        name.as_str()
    }
}

impl TryFrom<String> for SourceName {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        Self::voucher(&name).or_else(|| Self::detector(&name)).ok_or("no rule, list or detector of this version")
    }
}

/// The names of detectors and patterns seen in this process.
static DETECTORS: RwLock<Vec<&'static str>> = RwLock::new(Vec::new());

/// The maximum number of detectors and patterns.
const MAX_DETECTORS: usize = 4096;

fn detector_name(nth: usize) -> &'static str {
    DETECTORS.read().unwrap_or_else(std::sync::PoisonError::into_inner).get(nth).copied().unwrap_or("detector")
}

impl std::fmt::Debug for SourceName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(f)
    }
}

impl std::fmt::Display for SourceName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// A vocabulary term in the new text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    /// Its span in the note.
    pub source: Span,
    /// Its span in the new text.
    pub output: Span,
    /// The term; [`entry_concepts`](crate::Vocabulary::entry_concepts) gives its concepts.
    pub entry: EntryId,
    /// Its status, and the cues for it.
    pub assertion: Assertion,
    /// Value, dose and the like, as an index into [`Document::attributes`], plus one.
    pub attributes: Option<NonZeroU32>,
}

/// A removed span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removal {
    /// Its span in the note.
    pub source: Span,
    /// The span of its placeholder in the new text.
    pub output: Span,
    /// The kind of PHI if a rule found it; `None` for words and numbers that nothing vouches for.
    pub kind: Option<Kind>,
}

/// A finding of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Its span in the note.
    pub source: Span,
    /// The kind of PHI.
    pub kind: Kind,
    /// The rule.
    pub rule: SourceName,
    /// The certainty of the finding.
    pub certainty: Certainty,
}

/// What is done with a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Action {
    /// It comes out as written.
    Keep,
    /// It comes out as part of a coded term.
    Code,
    /// It is removed.
    Remove,
}

impl Action {
    /// All actions.
    pub const ALL: [Self; 3] = [Self::Keep, Self::Code, Self::Remove];
}

/// The reason for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Reason {
    /// Removed: nothing vouches for it.
    Unlisted,
    /// Removed: a rule says that it is PHI.
    Finding,
    /// Removed: the token attached to it was removed, or nothing vouches for the two together.
    Glued,
    /// Removed: on a list of names or places, where unknown words stay or the policy lets no name pass.
    NameList,
    /// Removed: the policy drops the section.
    Section,
    /// Removed: the policy drops the header.
    Header,
    /// Kept: punctuation.
    Punctuation,
    /// Kept: it is on an allow-list.
    List,
    /// Kept: part of a term.
    Term,
    /// Kept: a rule vouches for it.
    Vouched,
    /// Kept: the policy keeps tokens without evidence against them.
    Policy,
    /// Kept: a tag or a code that notesieve itself writes.
    Own,
    /// Kept: an unlisted word that the model is sure identifies nobody.
    Judged,
}

impl Reason {
    /// All reasons.
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

    /// Returns its name in results.
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

/// The decision on one token, with its spans in both texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenDecision {
    /// The span of the token in the note.
    pub source: Span,
    /// The span of the token or of its placeholder in the new text.
    pub output: Span,
    /// What was done with it.
    pub action: Action,
    /// Why.
    pub reason: Reason,
    /// The rule behind the reason, if there is one.
    pub rule: Option<SourceName>,
}

/// What vouches for a span, whether or not it comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Voucher {
    /// The span in the note.
    pub source: Span,
    /// The list, the rule, or [`SourceName::TERM`].
    pub by: SourceName,
    /// The certainty of the voucher: 0 for a list, which any finding overrules.
    pub certainty: u8,
}

/// The model's score of a token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TokenScore {
    /// The span in the note.
    pub source: Span,
    /// The most likely label, if the token is PHI.
    pub label: Label,
    /// The log-odds that the token is PHI.
    pub score: f32,
    /// The strongest reasons, if it is likely to be PHI.
    pub reasons: Box<[ScoreReason]>,
}

// An explained long note has one of each per token.
const _: () = assert!(size_of::<TokenDecision>() == 20 && size_of::<Voucher>() == 12 && size_of::<TokenScore>() == 32);

/// One reason for a score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreReason {
    /// The description of the features; contains no word of the note.
    #[serde(deserialize_with = "leak_string")]
    pub description: Words,
    /// The offset of the token that the features come from: negative before, positive after, 0 for the token itself.
    pub offset: i8,
    /// How much it adds to the log-odds.
    pub weight: f32,
}

/// A text of the package.
type Words = &'static str;

/// Interns a text of a pickle, which then lives as long as the process.
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
    /// The attributes of some of them; see [`Mention::attributes`].
    pub attributes: Vec<Attributes>,
    /// The removed spans, in order.
    pub removed: Vec<Removal>,
    /// The findings of rules, in the order of the positions that triggered them.
    pub findings: Vec<Found>,
    /// One decision per token, if requested.
    pub decisions: Vec<TokenDecision>,
    /// The vouchers of all spans, if decisions were requested.
    pub vouchers: Vec<Voucher>,
    /// The model's score of each token, if decisions were requested.
    pub judgements: Vec<TokenScore>,
}

impl Document {
    /// Returns value, dose and the like of a mention.
    pub fn attributes_of(&self, mention: &Mention) -> &Attributes {
        static NONE: Attributes = Attributes::NONE;
        mention.attributes.and_then(|place| self.attributes.get(place.get() as usize - 1)).unwrap_or(&NONE)
    }

    /// Returns the semantic group of a mention: that of its concept, or measurement or drug if the note shows that it
    /// is one.
    pub fn group_of(&self, vocabulary: &Vocabulary, mention: &Mention) -> Group {
        values::group_of(vocabulary, mention.entry, self.attributes_of(mention))
    }
}
