//! Fields of structured messages: turns what a standard says about a value into findings over its tokens.
//!
//! A parser knows which type a standard gives a field and passes it on as a [`Role`]; everything else is decided in
//! this crate. The role of an identifier becomes a finding like that of a rule, with its kind, so policies, tags,
//! shifts and surrogates work as in a note. Codes and numbers stay if they have the form of a code or a number;
//! otherwise their value is read as free text. Rules, the model and patient records read free text only: a name in one
//! field must not change a code in another.

mod forms;
mod parts;

use crate::finding::{Certainty, Kind};
use crate::policy::{NAMES_AND_PLACES, Policy};
use crate::rules::{self, Findings, Note};
use crate::vocabulary::{Class, Classes};

pub use parts::{Field, ScrubbedField};

/// What a standard says about the value of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Free text, read as a note.
    #[default]
    Text,
    /// A code of a published system, or a value that the standard itself lists.
    Code,
    /// A short code of a table that sites extend.
    LocalCode,
    /// The display name of a published code.
    Display,
    /// The display name of a local code.
    LocalDisplay,
    /// A measured or structural number.
    Number,
    /// An academic or courtesy title next to a name.
    Title,
    /// A telephone number, an e-mail address or a web address.
    Contact,
    /// The patient's date of birth.
    BirthDate,
    /// A field that is in no table.
    Unknown,
    /// An identifier of this kind.
    Identifier(Kind),
}

impl Role {
    /// Returns the role of that name: the key of a [`Kind`], or the name of another role.
    pub fn from_key(key: &str) -> Option<Self> {
        Some(match key {
            "text" => Self::Text,
            "code" => Self::Code,
            "local-code" => Self::LocalCode,
            "display" => Self::Display,
            "local-display" => Self::LocalDisplay,
            "number" => Self::Number,
            "title" => Self::Title,
            "contact" => Self::Contact,
            "birth-date" => Self::BirthDate,
            "unknown" => Self::Unknown,
            key => Self::Identifier(Kind::from_key(key)?),
        })
    }

    /// Returns the role after a check of the value: a code that does not look like one is free text.
    pub(crate) fn role_of_value(self, value: &str, note: &Note<'_>, policy: &Policy) -> Self {
        let keeps = match self {
            Self::Code => forms::has_code_form(value),
            Self::LocalCode => forms::has_local_code_form(value),
            Self::Number => forms::is_result_number(value),
            Self::Display | Self::LocalDisplay => is_plain_display_name(self, note, policy),
            _ => return if self == Self::Text && is_listed_word(note, policy) { Self::Display } else { self },
        };
        if keeps { self } else { Self::Text }
    }

    /// Returns whether rules and the model read the value.
    pub(crate) const fn is_free_text(self) -> bool {
        matches!(self, Self::Text)
    }

    /// Returns whether the value may contain data of the patient. A published code does not.
    pub(crate) const fn may_name_patient(self) -> bool {
        !matches!(self, Self::Code | Self::Display | Self::Number | Self::Title)
    }
}

/// Reports the findings that follow from the role.
pub(crate) fn report_role(role: Role, value: &str, note: &Note<'_>, policy: &Policy, findings: &mut Findings) {
    let all = note.len();
    if all == 0 {
        return;
    }
    let mut remove = |kind| rules::add_field(findings, 0, all, Some(kind), Certainty::Sure);
    match role {
        Role::Text if all == 1 && is_bare_first_name(note) => remove(Kind::Name),
        Role::Text | Role::Unknown => {}
        Role::Identifier(kind) => remove(kind),
        Role::BirthDate => remove(Kind::Date),
        Role::Contact => remove(forms::kind_of_contact(value)),
        Role::Title => {
            let titles = Classes::of(&[Class::Title, Class::Credential]);
            let is_title = |at| note.any(at, titles) || !note.is_word(at) && !note.is_number(at);
            if (0..all).all(is_title) {
                rules::add_field(findings, 0, all, None, Certainty::Sure);
            } else {
                remove(Kind::Name);
            }
        }
        Role::Code | Role::Number => rules::add_field(findings, 0, all, None, Certainty::Sure),
        // Data of the patient overrules it.
        Role::LocalCode => rules::add_field(findings, 0, all, None, Certainty::Likely),
        Role::Display | Role::LocalDisplay => {
            for at in (0..all).filter(|&at| may_be_displayed(role, note, at, policy)) {
                rules::add_field(findings, at, at + 1, None, Certainty::Likely);
            }
        }
    }
}

/// Returns whether a token of a display name stays: numbers, listed words and short words. Published names also keep
/// words on no list of names, and words that few people and some places are named.
fn may_be_displayed(role: Role, note: &Note<'_>, at: usize, policy: &Policy) -> bool {
    let ranks = note.ranks(at);
    let surnames = if note.is(at, Class::TermPart) { COMMON_FIRST_NAME_LOG2 + 1 } else { RARE_NAME_LOG2 };
    let rare = || ranks.surname < surnames && ranks.first_name < COMMON_FIRST_NAME_LOG2;
    let unnamed = || role == Role::Display && (!note.any(at, NAMES_AND_PLACES) || rare());
    !note.is_word(at) || is_ordinary_token(note, at, policy) || note.bytes(at).len() < 3 || unnamed()
}

fn is_ordinary_token(note: &Note<'_>, at: usize, policy: &Policy) -> bool {
    note.any(at, policy.allowed() | policy.vouchable_lists()) && !note.is(at, Class::Deny)
}

/// Returns whether a display name is no more than that: it contains no title before a name, no year and no long number.
fn is_plain_display_name(role: Role, note: &Note<'_>, policy: &Policy) -> bool {
    const TITLES: &[&[u8]] = &[b"dr", b"doctor", b"mr", b"mrs", b"ms", b"miss", b"prof", b"professor"];
    const PEOPLE: &[&[u8]] =
        &[b"nurse", b"by", b"sister", b"father", b"mother", b"patient", b"pt", b"for", b"provider", b"physician"];
    let may_be_name =
        |at| note.capitalised(at) && (note.any(at, NAMES_AND_PLACES) || !is_ordinary_token(note, at, policy));
    let is_title = |at: usize| {
        let local = role == Role::LocalDisplay && PEOPLE.contains(&note.bytes(at));
        (local || TITLES.contains(&note.bytes(at)))
            && may_be_name(if note.is_mark(at + 1, b'.') { at + 2 } else { at + 1 })
    };
    let words = (0..note.len()).filter(|&at| note.is_word(at)).count();
    let is_sentence = role == Role::LocalDisplay && words > MAX_DISPLAY_NAME_WORDS;
    !is_sentence
        && !(0..note.len()).any(|at| {
            let digits = note.bytes(at).iter().filter(|byte| byte.is_ascii_digit()).count();
            let year = digits == 4 && (note.bytes(at).starts_with(b"19") || note.bytes(at).starts_with(b"20"));
            is_title(at)
                || role == Role::LocalDisplay && note.is_number(at) && (digits > 4 || year)
                || note.is_number(at) && digits > 6
        })
}

/// Results and states that are also names of people.
const RESULT_STATES: &[&[u8]] = &[
    b"active",
    b"inactive",
    b"normal",
    b"abnormal",
    b"negative",
    b"positive",
    b"present",
    b"absent",
    b"none",
    b"yes",
    b"no",
    b"unknown",
    b"final",
    b"clear",
    b"male",
    b"female",
    b"stable",
    b"acute",
    b"alert",
];

/// The number of bearers, as a logarithm to base 2, from which a word counts as a first name in lower case too.
const COMMON_FIRST_NAME_LOG2: u8 = 14;

/// The maximum number of words in the name of a local code; more words are a sentence.
const MAX_DISPLAY_NAME_WORDS: usize = 12;

/// The number of bearers, as a logarithm to base 2, below which a word in a published name is more likely an ordinary
/// word.
const RARE_NAME_LOG2: u8 = 11;

/// Returns whether a text is one listed word that does not look like a name: context could add nothing.
fn is_listed_word(note: &Note<'_>, policy: &Policy) -> bool {
    let name = || note.capitalised(0) && note.any(0, NAMES_AND_PLACES) && !RESULT_STATES.contains(&note.bytes(0));
    let listed = || is_ordinary_token(note, 0, policy);
    note.len() == 1 && note.is_word(0) && listed() && !name() && !is_bare_first_name(note)
}

/// Returns whether a value is one word that is a first name in any case and nothing clinical.
fn is_bare_first_name(note: &Note<'_>) -> bool {
    const CLINICAL: Classes =
        Classes::of(&[Class::Stop, Class::Clinical, Class::Term, Class::Measurement, Class::Relative]);
    let common = note.is(0, Class::FirstName) && note.ranks(0).first_name >= COMMON_FIRST_NAME_LOG2;
    common && !note.any(0, CLINICAL) && !RESULT_STATES.contains(&note.bytes(0))
}
