//! Feature templates, and the reason reported for each.

use crate::linear::features::{self, templates};

templates! {
    /// The reason reported for a group of features; never contains words of the note.
    pub(super) enum Reason, fn text -> &'static str {
        Whole = "judged by the whole sentence";
        Cues = "judged by the phrases around it";
        Above = "judged by the heading or line above it";
        Before = "judged by what stands before it";
        Behind = "judged by what stands behind it";
        Sides = "judged by what stands on both sides of it";
        List = "judged by the list in which it stands";
        Person = "judged by the person of whom the sentence speaks";
    }

    /// A feature template.
    pub(super) enum Template, fn reason -> Reason {
        /// The bias.
        Always = Reason::Whole;
        /// The statuses asserted by cues, each and all together.
        Assertion = Reason::Cues;
        AllAssertions = Reason::Cues;
        /// The status of the section, and the last one other than affirmed.
        Section = Reason::Above;
        SectionAndAssertion = Reason::Above;
        SectionBefore = Reason::Above;
        /// Adjacent words, by position.
        Before = Reason::Before;
        After = Reason::Behind;
        /// Words farther away.
        FarBefore = Reason::Before;
        FarAfter = Reason::Behind;
        FarBeforeTwo = Reason::Before;
        /// The items before and after the list that contains the mention.
        ListBefore = Reason::List;
        ListAfter = Reason::List;
        ListBeforeTwo = Reason::List;
        /// Surrounding cues.
        CueBefore = Reason::Cues;
        CueAfter = Reason::Cues;
        /// How the sentence begins, the field label before the mention, the line above.
        First = Reason::Before;
        Label = Reason::Before;
        Lead = Reason::Above;
        /// Neighbouring mentions.
        MentionBefore = Reason::List;
        MentionAfter = Reason::List;
        /// The group of the concept.
        Group = Reason::Whole;
        /// Both sides together.
        Sides = Reason::Sides;
        /// The subject of the sentence.
        Subject = Reason::Person;
        /// The last person named before the mention, and the first after it.
        Named = Reason::Person;
        NamedAfter = Reason::Person;
        /// Whether the note names a newborn near its beginning.
        Newborn = Reason::Whole;
        /// The nearest negation word before and after, and the items between.
        Denied = Reason::Before;
        DeniedAfter = Reason::Behind;
    }
}

/// A side of a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Side {
    Before,
    After,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Self::Before, Self::After];

    /// Returns the index of the item at a distance before or after the range from `first` to `last` (exclusive).
    pub(super) const fn index_at_distance(self, first: isize, last: isize, far: usize) -> isize {
        match self {
            Self::Before => first - far.cast_signed(),
            Self::After => last + far.cast_signed() - 1,
        }
    }

    pub(super) const fn adjacent_template(self) -> Template {
        match self {
            Self::Before => Template::Before,
            Self::After => Template::After,
        }
    }

    pub(super) const fn list_template(self) -> Template {
        match self {
            Self::Before => Template::ListBefore,
            Self::After => Template::ListAfter,
        }
    }
}

/// A part of a sentence, or of the line above it, that contributes one word.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(super) enum SentencePart {
    First,
    Second,
    /// One of the first words of the line above, and one of its last.
    Lead,
    LeadLast,
    /// The last word of a field label, and the one before.
    Label,
    LabelBefore,
}

impl SentencePart {
    pub(super) const ALL: [Self; 6] =
        [Self::First, Self::Second, Self::Lead, Self::LeadLast, Self::Label, Self::LabelBefore];

    pub(super) const fn template(self) -> Template {
        match self {
            Self::First | Self::Second => Template::First,
            Self::Lead | Self::LeadLast => Template::Lead,
            Self::Label | Self::LabelBefore => Template::Label,
        }
    }

    /// Returns the feature of a word in this part.
    pub(super) const fn hash_word(self, stem: u16) -> u64 {
        let place = match self {
            Self::First | Self::Lead | Self::Label => 0,
            Self::LabelBefore => 1,
            Self::Second => 99,
            Self::LeadLast => 100,
        };
        hash_feature(self.template(), stem as u64, place)
    }
}

/// Returns the hash of a feature.
#[inline]
pub(super) const fn hash_feature(template: Template, one: u64, two: u64) -> u64 {
    features::hash_feature(template as u8, one, two)
}

/// Groups of features whose weights are memoised together.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(super) enum MemoGroup {
    Always = 1,
    Above,
    Lead,
    Assertion,
    SectionSaid,
    Group,
    Phrase,
    Subject,
    Named,
    NamedHere,
    NamedBehind,
    Newborn,
    NoneBefore,
    NeighbouringMention,
    List,
}

/// Returns the memo key of a group of features: all that they depend on, in at most 59 bits.
#[inline]
pub(super) const fn memo_key(of: MemoGroup, parts: u64) -> u64 {
    debug_assert!(parts >> 59 == 0, "a part has outgrown its place");
    (of as u64) << 59 | parts
}
