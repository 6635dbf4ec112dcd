//! Terms after a prefix and a hyphen: "pre-syncope" is presyncope, but "non-smoking" is not smoking.
//!
//! If the vocabulary has prefix and term as one word, that is the term; otherwise, after a prefix that changes the
//! meaning, the term is no concept.

use super::Match;
use super::unsure::UnclearReason;
use crate::text::token::{Gap, Kind, Token};
use crate::vocabulary::{EntryFlags, Group, Vocabulary, WordId};

/// Prefixes that change the meaning of a word, unlike "post-" or "ex-", which change only the time.
const MEANING_CHANGING_PREFIXES: [&str; 8] = ["anti", "co", "non", "pre", "pseudo", "quasi", "un", "semi"];

/// The prefixes of one vocabulary.
#[derive(Clone, Debug, Default)]
pub(super) struct TermPrefixes(Vec<(WordId, &'static str)>);

impl TermPrefixes {
    /// Looks up the prefixes in a vocabulary.
    pub(super) fn new(vocabulary: &Vocabulary) -> Self {
        let known = MEANING_CHANGING_PREFIXES.map(|prefix| (vocabulary.word_id(prefix.as_bytes()), prefix));
        Self(known.into_iter().filter(|(word, _)| word.is_known()).collect())
    }

    /// Recodes terms after a prefix as the term with the prefix, or else lists their first tokens in `unclear`.
    pub(super) fn code_prefixed_terms(
        &self,
        vocabulary: &Vocabulary,
        tokens: &[Token],
        ids: &[WordId],
        terms: &mut [Match],
        unclear: &mut Vec<(u32, UnclearReason)>,
    ) {
        let mut end = 0;
        for term in terms {
            let before = std::mem::replace(&mut end, term.end);
            let Some(prefix) = self.prefix_before(term.first as usize, tokens, ids) else { continue };
            let units = term.tokens().map(|at| ids[at]).filter(|&word| word != WordId::SKIPPED);
            let words: Vec<String> = units.map(|word| vocabulary.word_text(word)).collect();
            let whole = vocabulary.entry_of(&format!("{prefix}{}", words.join(" "))).filter(|&entry| {
                vocabulary.entry_flags(entry).has(EntryFlags::TERM)
                    && Group::SHOWN.contains(&vocabulary.entry_group(entry))
            });
            match whole.filter(|_| before + 2 <= term.first) {
                Some(entry) => *term = Match { first: term.first - 2, entry, ..*term },
                None => unclear.push((term.first, UnclearReason::NoConcept)),
            }
        }
    }

    /// Returns the prefix that a hyphen joins to a token.
    fn prefix_before(&self, first: usize, tokens: &[Token], ids: &[WordId]) -> Option<&'static str> {
        let (hyphen, at) = (first.checked_sub(1)?, first.checked_sub(2)?);
        let joined = tokens[hyphen].mark() == b'-'
            && tokens[hyphen].gap == Gap::None
            && tokens[first].gap == Gap::None
            && tokens[at].kind == Kind::Word;
        // A prefix inside a longer hyphenated compound does not count.
        let alone = !tokens[at].glued()
            && (at == 0 || tokens[at].gap != Gap::None || !matches!(tokens[at - 1].mark(), b'-' | b'\''));
        self.0.iter().find(|&&(word, _)| joined && alone && word == ids[at]).map(|&(_, prefix)| prefix)
    }
}
