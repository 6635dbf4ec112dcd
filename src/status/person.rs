//! Whether a condition is of somebody else than the patient.

use super::cues::{CueHit, CueMatcher};
use crate::terms::Match;
use crate::text::token::Kind;

/// Words before a person who only reports, hears or brings.
const REPORTING: [&str; 24] = [
    "by",
    "per",
    "from",
    "with",
    "to",
    "according",
    "via",
    "about",
    "for",
    "told",
    "asked",
    "asks",
    "tells",
    "informed",
    "calls",
    "called",
    "phoned",
    "than",
    "like",
    "and",
    "of",
    "without",
    "saw",
    "visited",
];
/// Words between those and the person.
const DETERMINERS: [&str; 24] = [
    "his",
    "her",
    "the",
    "a",
    "an",
    "my",
    "their",
    "both",
    "one",
    "two",
    "three",
    "several",
    "maternal",
    "paternal",
    "younger",
    "older",
    "another",
    "another's",
    "patient",
    "pt",
    "multiple",
    "many",
    "first",
    "second",
];
/// Fillers with which somebody's illness may follow after a comma.
const AGE_OR_DEATH: [&str; 8] = ["deceased", "died", "dies", "age", "aged", "alive", "living", "dead"];
/// Words of their own that are terms as well: no illness of somebody named right before.
const VERBS: [&str; 3] = ["will", "can", "may"];
/// How far after a person it is said what they have, in tokens.
const FAR: usize = 14;

/// What is said of a person.
pub(super) enum PersonContext {
    /// From a token on what they have.
    Has(usize),
    /// What was named before is theirs: "asthma in her mother".
    In,
    /// They report something.
    Tells,
    /// Nothing.
    Nothing,
}

impl CueMatcher<'_> {
    /// What is said of the person named by a phrase that begins at `first`. `clause` is where the clause begins, `next` the next term.
    pub(super) fn person(
        &self,
        first: usize,
        hit: CueHit<'_>,
        clause: usize,
        end: usize,
        next: Option<&Match>,
    ) -> PersonContext {
        let mut before = first;
        while before > clause && first - before < 6 {
            let token = self.tokens[before - 1];
            let skipped = matches!(token.kind, Kind::Possessive | Kind::Number)
                || (token.kind == Kind::Word && DETERMINERS.contains(&self.word(before - 1)));
            if !skipped {
                break;
            }
            before -= 1;
        }
        let word = if before > clause && self.is_word(before - 1) { self.word(before - 1) } else { "" };
        if word == "in" {
            return PersonContext::In;
        }
        // "lives with her husband, who has gout": of a person beside whom something else is said it must be said.
        if REPORTING.contains(&word) {
            let clause = hit.last + usize::from(hit.last < end && self.mark(hit.last) == b',');
            let told = clause < end && self.is_word(clause) && self.word(clause) == "who";
            return if told { self.has(clause, end, next) } else { PersonContext::Nothing };
        }
        self.has(hit.last, end, next)
    }

    /// From where on it is said what a person has who was named right before.
    fn has(&self, first: usize, end: usize, next: Option<&Match>) -> PersonContext {
        let (mut at, mut comma, mut dead, mut theirs) = (first, false, false, false);
        // "sister rheumatoid arthritis": nothing else stands between.
        let mut bare = true;
        while at < end.min(first + FAR) {
            let listed = bare && !comma && !VERBS.contains(&self.word(at)) || comma && dead;
            if next.is_some_and(|next| next.first as usize == at) && (theirs || listed) {
                return PersonContext::Has(at);
            }
            if let Some(said) = self.of_person(at, end) {
                if said.role.has {
                    return PersonContext::Has(said.last);
                }
                dead |= AGE_OR_DEATH.contains(&self.word(at));
                bare &= AGE_OR_DEATH.contains(&self.word(at));
                theirs = false;
                at = said.last;
                continue;
            }
            if let Some(other) = self.phrase(at, end).filter(|other| other.role.person) {
                // What follows is said of the next.
                if comma {
                    return PersonContext::Nothing;
                }
                bare = false;
                at = other.last;
                theirs = false;
                continue;
            }
            match (self.tokens[at].kind, self.mark(at)) {
                (Kind::Punct, b':') => return PersonContext::Has(at + 1),
                (Kind::Punct, b',') => comma = true,
                (Kind::Punct, b'(' | b')' | b'-' | b'/' | b'\'') | (Kind::Number, _) => {}
                (Kind::Possessive, _) => theirs = at == first,
                (Kind::Word, _) => return PersonContext::Tells,
                _ => return PersonContext::Nothing,
            }
            at += 1;
        }
        PersonContext::Nothing
    }
}
