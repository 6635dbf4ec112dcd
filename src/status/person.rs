//! Detects conditions of persons other than the patient.

use super::cues::{CueHit, CueMatcher};
use crate::terms::Match;
use crate::text::token::Kind;
use crate::text::words_of_file;

/// Words before a person who only reports, hears or accompanies.
const REPORTING_WORDS: &[&str] = words_of_file!("words/reporting-words.txt");
/// Words that may stand between those and the person.
const DETERMINERS: &[&str] = words_of_file!("words/determiners.txt");
/// Fillers that may precede a person's condition after a comma.
const AGE_OR_DEATH: [&str; 8] = ["deceased", "died", "dies", "age", "aged", "alive", "living", "dead"];
/// Verbs that may also be terms; right after a person they are not a condition.
const VERBS_THAT_ARE_TERMS: [&str; 3] = ["will", "can", "may"];
/// The maximum distance from a person to the condition, in tokens.
const MAX_TOKENS_AFTER_PERSON: usize = 14;

/// The context of a person.
pub(super) enum PersonContext {
    /// The person has the conditions from a token on.
    ConditionsFrom(usize),
    /// The person has the condition before: "asthma in her mother".
    OwnsTermBefore,
    /// The person reports something.
    Reports,
    /// None of these.
    Nothing,
}

impl CueMatcher<'_> {
    /// Returns the context of the person whose phrase begins at `first`. `clause` is the start of the clause, `next`
    /// the next term.
    pub(super) fn person_context(
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
                || (token.kind == Kind::Word && DETERMINERS.contains(&self.folded_text(before - 1)));
            if !skipped {
                break;
            }
            before -= 1;
        }
        let word = if before > clause && self.is_word_at(before - 1) { self.folded_text(before - 1) } else { "" };
        if word == "in" {
            return PersonContext::OwnsTermBefore;
        }
        // "lives with her husband, who has gout": after such a word, a person has a condition only if "who" follows.
        if REPORTING_WORDS.contains(&word) {
            let clause = hit.end + usize::from(hit.end < end && self.mark_at(hit.end) == b',');
            let told = clause < end && self.is_word_at(clause) && self.folded_text(clause) == "who";
            return if told { self.context_after_person(clause, end, next) } else { PersonContext::Nothing };
        }
        self.context_after_person(hit.end, end, next)
    }

    /// Returns the context of a person by the tokens from `first` on, right after the person.
    fn context_after_person(&self, first: usize, end: usize, next: Option<&Match>) -> PersonContext {
        let (mut at, mut comma, mut dead, mut theirs) = (first, false, false, false);
        // "sister rheumatoid arthritis": a condition may follow directly.
        let mut bare = true;
        while at < end.min(first + MAX_TOKENS_AFTER_PERSON) {
            let listed = bare && !comma && !VERBS_THAT_ARE_TERMS.contains(&self.folded_text(at)) || comma && dead;
            if next.is_some_and(|next| next.first as usize == at) && (theirs || listed) {
                return PersonContext::ConditionsFrom(at);
            }
            if let Some(said) = self.longest_person_phrase(at, end) {
                if said.role.introduces_condition {
                    return PersonContext::ConditionsFrom(said.end);
                }
                dead |= AGE_OR_DEATH.contains(&self.folded_text(at));
                bare &= AGE_OR_DEATH.contains(&self.folded_text(at));
                theirs = false;
                at = said.end;
                continue;
            }
            if let Some(other) = self.longest_phrase(at, end).filter(|other| other.role.person) {
                // What follows belongs to the next person.
                if comma {
                    return PersonContext::Nothing;
                }
                bare = false;
                at = other.end;
                theirs = false;
                continue;
            }
            match (self.tokens[at].kind, self.mark_at(at)) {
                (Kind::Punct, b':') => return PersonContext::ConditionsFrom(at + 1),
                (Kind::Punct, b',') => comma = true,
                (Kind::Punct, b'(' | b')' | b'-' | b'/' | b'\'') | (Kind::Number, _) => {}
                (Kind::Possessive, _) => theirs = at == first,
                (Kind::Word, _) => return PersonContext::Reports,
                _ => return PersonContext::Nothing,
            }
            at += 1;
        }
        PersonContext::Nothing
    }
}
