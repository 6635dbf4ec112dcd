//! The parser of cue lists, line by line.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Scope;
use crate::error::Result;
use crate::status::assertion::Status;
use crate::text::bundled_list;
use crate::text::lists::{BundledList, Line, read_lines};
use crate::text::normalize::Normalized;
use crate::text::token::tokenize;

/// The class of a cue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CueClass {
    Cue(Status, Scope),
    /// A cue that overrules the classifier for the mention next to it.
    Certain(Status, Scope),
    End(Status),
    SectionStatus(Status),
    Continue,
    Pause,
    Graded,
    Person,
    Has,
    Filler,
}

impl CueClass {
    fn parse(name: &str) -> Result<Self, String> {
        let name = name.trim();
        Self::from_name(name).ok_or_else(|| {
            format!(
                "there is no class of cues {name:?}; take for example \"negated forward\", \"terminate\" or \"pseudo\""
            )
        })
    }

    fn from_name(name: &str) -> Option<Self> {
        let words: Vec<&str> = name.split_whitespace().collect();
        Some(match words[..] {
            ["pseudo"] => Self::Cue(Status::default(), Scope::Pseudo),
            ["terminate"] => Self::End(Status::ALL),
            ["section"] => Self::SectionStatus(Status::default()),
            ["continue"] => Self::Continue,
            ["pause"] => Self::Pause,
            ["graded"] => Self::Graded,
            ["person"] => Self::Person,
            ["person", "has"] => Self::Has,
            ["person", "filler"] => Self::Filler,
            [key, ref scope @ ..] => {
                let status = Status::from_key(key)?;
                match scope {
                    ["forward"] => Self::Cue(status, Scope::Forward),
                    ["forward", "item"] => Self::Cue(status, Scope::ForwardItem),
                    ["forward", "adjacent"] => Self::Cue(status, Scope::ForwardAdjacent),
                    ["backward"] => Self::Cue(status, Scope::Backward),
                    ["backward", "adjacent"] => Self::Cue(status, Scope::BackwardAdjacent),
                    ["bidirectional"] => Self::Cue(status, Scope::Bidirectional),
                    ["bidirectional", "backward"] => Self::Cue(status, Scope::BidirectionalBackward),
                    ["terminate"] => Self::End(status),
                    ["section"] => Self::SectionStatus(status),
                    [scope @ .., "certain"] => match Self::from_name(&format!("{key} {}", scope.join(" ")))? {
                        Self::Cue(status, scope) => Self::Certain(status, scope),
                        _ => return None,
                    },
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// Returns the number of the role. A phrase has at most one class per role.
    pub(super) const fn role_number(self) -> u8 {
        match self {
            Self::Cue(..) | Self::Certain(..) => 0,
            Self::End(_) => 1,
            Self::SectionStatus(_) => 2,
            Self::Continue | Self::Pause | Self::Graded => 3,
            Self::Person => 4,
            Self::Has | Self::Filler => 5,
        }
    }
}

/// A list of cues as its author wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CueList {
    pub(super) lines: Vec<CueLine>,
}

/// A cue of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CueLine {
    pub(super) class: CueClass,
    pub(super) phrase: String,
    /// Whether [`CueList::extended_by`] added it.
    pub(super) added: bool,
}

impl CueList {
    /// The list of the package.
    pub fn bundled() -> &'static Self {
        static LIST: LazyLock<CueList> = LazyLock::new(|| {
            let BundledList { name, text } = bundled_list!("cues.txt");
            CueList::parse(text.lines(), name).unwrap_or_else(|problem| panic!("{problem}"))
        });
        &LIST
    }

    /// Returns the words and phrases for persons other than the patient.
    pub(in super::super) fn person_phrases(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter(|line| line.class == CueClass::Person).map(|line| line.phrase.as_str())
    }

    /// Parses lines: `[class]` begins a class, and each other line is a cue of that class, or `class: cue`. An unknown
    /// class, or a cue with two classes that exclude each other, is an error with its line number.
    pub fn parse<'a>(lines: impl IntoIterator<Item = &'a str>, name: &str) -> Result<Self> {
        let mut list = Self::default();
        let mut known: HashMap<(String, u8), (usize, CueClass)> = HashMap::new();
        let mut current = None;
        read_lines(name, lines, |at, line| {
            let (class, phrase) = match line {
                Line::Section(class) => {
                    current = Some(CueClass::parse(class)?);
                    return Ok(());
                }
                Line::Item(item) => match item.split_once(':') {
                    Some((class, phrase)) => (CueClass::parse(class)?, phrase.trim()),
                    None => (current.ok_or("a cue without a class: write \"negated forward: no trace of\"")?, item),
                },
            };
            let phrase = Normalized::new(phrase).folded().to_owned();
            if split_into_units(&phrase).is_empty() {
                return Err("a cue without a word".to_owned());
            }
            let before = known.insert((split_into_units(&phrase).join(" "), class.role_number()), (at, class));
            // A phrase may terminate several statuses.
            let ends = |other| matches!((class, other), (CueClass::End(one), CueClass::End(other)) if one != other);
            if let Some((before, other)) = before.filter(|&(_, other)| !ends(other)) {
                let what = if other == class { "is there already" } else { "has another class" };
                return Err(format!("the cue {what} at line {before}: leave one of them out"));
            }
            list.lines.push(CueLine { class, phrase, added: false });
            Ok(())
        })?;
        Ok(list)
    }

    /// Returns the phrases of the cues.
    #[cfg(test)]
    pub(in super::super) fn phrases(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| line.phrase.as_str())
    }

    /// Returns this list with the cues of another added; the other takes precedence where both have a cue.
    #[must_use]
    pub fn extended_by(mut self, other: &Self) -> Self {
        for CueLine { class, phrase, .. } in &other.lines {
            let same = split_into_units(phrase);
            self.lines.retain(|known| {
                known.class.role_number() != class.role_number() || split_into_units(&known.phrase) != same
            });
            self.lines.push(CueLine { class: *class, phrase: phrase.clone(), added: true });
        }
        self
    }
}

/// Returns the tokens of a cue that take part in matching, as folded text.
pub(super) fn split_into_units(phrase: &str) -> Vec<String> {
    let normalized = Normalized::new(phrase);
    let mut tokens = Vec::new();
    tokenize(phrase, &normalized, &mut tokens);
    let counted = tokens.iter().filter(|token| !token.skipped_in_terms());
    counted.map(|token| normalized.folded()[token.span().range()].to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(lines: &[&str]) -> String {
        CueList::parse(lines.iter().copied(), "ours").unwrap_err().to_string()
    }

    #[test]
    fn the_list_of_the_package_is_right() {
        assert!(CueList::bundled().lines.len() > 1000);
    }

    #[test]
    fn what_is_wrong_is_told_by_line() {
        assert!(problem(&["# ours", "[negated]"]).contains("ours, line 2: there is no class of cues \"negated\""));
        assert!(problem(&["denied forward: nil"]).contains("line 1: there is no class"));
        assert!(problem(&["nil"]).contains("line 1: a cue without a class"));
        assert!(problem(&["terminate: -"]).contains("line 1: a cue without a word"));
        let twice = ["negated forward: no trace of", "", "possible forward: No trace-of"];
        assert!(problem(&twice).contains("line 3: the cue has another class at line 1"));
        assert!(problem(&["terminate: but", "terminate: but"]).contains("line 2: the cue is there already at line 1"));
        assert!(CueList::parse(["terminate: but", "negated forward: but"], "ours").is_ok(), "two roles");
    }
}
