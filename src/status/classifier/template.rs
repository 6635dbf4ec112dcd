//! Templates of features, and the reason that is reported for each.

use crate::linear::features::{self, templates};

templates! {
    /// The reported reason of features: never a word of the note.
    pub(super) enum Reason, fn says -> &'static str {
        Whole = "judged by the whole sentence";
        Cues = "judged by the phrases around it";
        Above = "judged by the heading or line above it";
        Before = "judged by what stands before it";
        Behind = "judged by what stands behind it";
        Sides = "judged by what stands on both sides of it";
        List = "judged by the list in which it stands";
        Person = "judged by the person of whom the sentence speaks";
    }

    /// A kind of features.
    pub(super) enum Template, fn reason -> Reason {
        /// What is always there.
        Always = Reason::Whole;
        /// What cues say of it, one by one and together.
        Assertion = Reason::Cues;
        SaidAll = Reason::Cues;
        /// What the heading above says, and the last that said something.
        Section = Reason::Above;
        SectionSaid = Reason::Above;
        SectionBefore = Reason::Above;
        /// Words right before and after, by position.
        Before = Reason::Before;
        Behind = Reason::Behind;
        /// Words farther away.
        FarBefore = Reason::Before;
        FarBehind = Reason::Behind;
        FarBeforeTwo = Reason::Before;
        /// Before and after the list in which it stands.
        ListBefore = Reason::List;
        ListBehind = Reason::List;
        ListBeforeTwo = Reason::List;
        /// Phrases of the list of cues around it.
        CueBefore = Reason::Cues;
        CueBehind = Reason::Cues;
        /// How the sentence begins, the label before it, what stands above.
        First = Reason::Before;
        Label = Reason::Before;
        Lead = Reason::Above;
        /// Mentions beside it.
        MentionBefore = Reason::List;
        MentionBehind = Reason::List;
        /// What it is.
        Group = Reason::Whole;
        /// Both sides together.
        Sides = Reason::Sides;
        /// Of whom the sentence speaks.
        Subject = Reason::Person;
        /// Who was named last, before it or after.
        Named = Reason::Person;
        NamedBehind = Reason::Person;
        /// Whether the note begins with a newborn child.
        Newborn = Reason::Whole;
        /// The nearest denial before it or after, and what stands between.
        Denied = Reason::Before;
        DeniedBehind = Reason::Behind;
    }
}

/// Before or after a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Side {
    Before,
    Behind,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Self::Before, Self::Behind];

    /// The place that is so far before or after what stands from `first` to before `last`.
    pub(super) const fn index_at_distance(self, first: isize, last: isize, far: usize) -> isize {
        match self {
            Self::Before => first - far.cast_signed(),
            Self::Behind => last + far.cast_signed() - 1,
        }
    }

    pub(super) const fn adjacent_template(self) -> Template {
        match self {
            Self::Before => Template::Before,
            Self::Behind => Template::Behind,
        }
    }

    pub(super) const fn list_template(self) -> Template {
        match self {
            Self::Before => Template::ListBefore,
            Self::Behind => Template::ListBehind,
        }
    }
}

/// A part of a sentence, or of what stands above it, in which one word is seen.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(super) enum SentencePart {
    First,
    Second,
    /// One of the first of the line above, or of its last.
    Lead,
    LeadLast,
    /// The last of a label, and the one before.
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

    /// The feature of a word there.
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

/// A feature.
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
    Other,
    List,
}

/// The key of the memo for a group of features: all that they depend on, in at most 59 bits.
#[inline]
pub(super) const fn memo_key(of: MemoGroup, parts: u64) -> u64 {
    debug_assert!(parts >> 59 == 0, "a part has outgrown its place");
    (of as u64) << 59 | parts
}
