//! Predicates that negate their subject.

use super::super::cues::CueMatcher;
use super::function_words::{
    is_adverb, is_auxiliary, is_denying_participle, is_negative_result, is_opinion_verb, may_follow_is_not,
};
use super::reply::is_negating_word;

/// The maximum number of words in a predicate up to the one that negates.
const MAX_PREDICATE_WORDS: usize = 7;

/// Returns whether a predicate negates: "is not present", "excluded", "has not occurred", "diabetes is not."
pub(super) fn predicate_negates(text: CueMatcher<'_>, first: usize, end: usize) -> bool {
    let word = |at: usize| if at < end && text.is_word_at(at) { text.folded_text(at) } else { "" };
    let (mut at, mut not, mut auxiliary) = (first, false, false);
    // "They have ruled out gout" negates the object, not the subject.
    let mut active = false;
    while at < end && at < first + MAX_PREDICATE_WORDS {
        match word(at) {
            "" => break,
            one if is_auxiliary(one) => {
                auxiliary = true;
                active = matches!(one, "has" | "have" | "had");
            }
            "not" | "never" => not = true,
            "no" if word(at + 1) == "longer" => {
                not = true;
                at += 1;
            }
            one if is_negating_word(one) => (not, auxiliary) = (true, true),
            "a" | "an" | "any" => {}
            one if is_adverb(one) => {}
            one if is_opinion_verb(one) && word(at + 1) == "to" => at += 1,
            one => {
                let ruled = one == "ruled" && word(at + 1) == "out";
                // "DVT neg by US"
                let by = matches!(word(at + 1), "by" | "on" | "per" | "via");
                let over =
                    at + 1 >= end || text.mark_at(at + 1) != 0 || matches!(word(at + 1), "and" | "but" | "while");
                let negative = is_negative_result(one) && (by || over);
                // "The patient was not diagnosed with gout."
                let goes_on = matches!(word(at + 1), "with" | "to" | "having");
                return if not {
                    may_follow_is_not(one) && !goes_on
                } else {
                    !active && (ruled || negative || is_denying_participle(one))
                };
            }
        }
        at += 1;
    }
    // "Hypertension is present, diabetes (any type) is not."
    not && auxiliary && (at >= end || matches!(text.mark_at(at), b'.' | b';' | b','))
}
