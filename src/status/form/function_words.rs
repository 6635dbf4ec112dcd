//! Function words, by which the structure of a clause is recognised.

use super::reply::is_negating_word;
use crate::text::words_of_file;

const AUXILIARIES: [&str; 14] =
    ["is", "was", "are", "were", "has", "have", "had", "been", "did", "does", "do", "could", "can", "be"];
const ADVERBS: [&str; 13] =
    ["thereby", "all", "both", "now", "then", "since", "also", "even", "again", "so", "far", "therefore", "thus"];
/// Participles of conditions that have ended: "has resolved".
const RESOLUTION_PARTICIPLES: [&str; 7] =
    ["resolved", "cleared", "subsided", "abated", "disappeared", "vanished", "ceased"];
const PREPOSITIONS: &[&str] = words_of_file!("../words/prepositions.txt");
const PRONOUNS: [&str; 11] = ["he", "she", "it", "they", "we", "i", "you", "there", "this", "these", "those"];
/// Nouns for evidence of a disorder: "no evidence of".
const SIGN_NOUNS: &[&str] = words_of_file!("../words/sign-nouns.txt");
/// Nouns whose negation does not negate the disorder: "no change in", "no relief of".
const CHANGE_NOUNS: &[&str] = words_of_file!("../words/change-nouns.txt");
/// Words that begin a condition or an open question.
const CONDITION_WORDS: [&str; 8] = ["if", "unless", "whether", "when", "until", "once", "should", "would"];

pub(super) fn is_auxiliary(word: &str) -> bool {
    AUXILIARIES.contains(&word)
}

/// Returns whether a word is an adverb that may stand within a predicate.
pub(super) fn is_adverb(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ly") || ADVERBS.contains(&word)
}

/// Returns whether a word means that something has ended or improved; its negation does not negate the condition.
pub(super) fn means_improvement(word: &str) -> bool {
    means_resolution(word)
        || matches!(word, "controlled" | "improved" | "better" | "settled" | "left" | "gone" | "stopped")
}

pub(super) fn means_resolution(word: &str) -> bool {
    RESOLUTION_PARTICIPLES.contains(&word)
}

/// Returns whether a word is a test result that negates what the test was for.
pub(super) fn is_negative_result(word: &str) -> bool {
    matches!(word, "negative" | "neg" | "unrevealing" | "unrewarding")
}

/// Returns whether a word may negate its subject.
pub(super) fn may_negate_subject(word: &str) -> bool {
    is_negative_result(word) || matches!(word, "not" | "never" | "longer" | "ruled") || is_denying_participle(word)
}

/// Returns whether a word negates what follows it, including another negation: "cannot be excluded".
pub(super) fn is_denial_word(word: &str) -> bool {
    matches!(word, "cannot" | "no") || is_negating_word(word)
}

/// Returns whether a word leaves open if the predicate after it holds: "cannot be excluded", "must be ruled out".
pub(super) fn leaves_predicate_open(word: &str) -> bool {
    is_denial_word(word)
        || matches!(word, "to" | "must" | "should" | "will" | "may" | "might" | "would" | "shall" | "until")
}

/// Returns whether a word introduces an opinion: "felt to be", "appears to be".
pub(super) fn is_opinion_verb(word: &str) -> bool {
    matches!(
        word,
        "felt"
            | "thought"
            | "believed"
            | "considered"
            | "found"
            | "noted"
            | "shown"
            | "appears"
            | "appeared"
            | "seems"
            | "seemed"
    )
}

pub(super) fn is_relative_pronoun(word: &str) -> bool {
    matches!(word, "which" | "that" | "who")
}

pub(super) fn is_preposition(word: &str) -> bool {
    PREPOSITIONS.contains(&word)
}

pub(super) fn is_pronoun(word: &str) -> bool {
    PRONOUNS.contains(&word)
}

pub(super) fn is_sign_noun(word: &str) -> bool {
    SIGN_NOUNS.contains(&word)
}

/// Returns whether a word means that somebody was asked.
pub(super) fn is_asking_word(word: &str) -> bool {
    matches!(word, "asked" | "questioned" | "questioning" | "screened")
}

/// Returns whether a word means that a condition was considered and may be rejected: "was considered and dismissed",
/// "was sought but not found".
pub(super) fn is_consideration_word(word: &str) -> bool {
    matches!(word, "considered" | "sought" | "suspected" | "feared")
}

pub(super) fn is_change_noun(word: &str) -> bool {
    CHANGE_NOUNS.contains(&word)
}

pub(super) fn begins_condition(word: &str) -> bool {
    CONDITION_WORDS.contains(&word)
}

/// Returns whether "is not" before this word negates its subject.
pub(super) fn may_follow_is_not(word: &str) -> bool {
    matches!(
        word,
        "seen"
            | "found"
            | "present"
            | "identified"
            | "detected"
            | "shown"
            | "demonstrated"
            | "occurred"
            | "occur"
            | "developed"
            | "develop"
            | "appeared"
            | "appear"
            | "supported"
            | "confirmed"
            | "evident"
            | "noted"
            | "observed"
            | "diagnosed"
            | "suspected"
            | "visualized"
            | "visualised"
            | "elicited"
            | "palpable"
            | "happened"
            | "happen"
            | "recurred"
            | "recur"
            | "apparent"
            | "felt"
            | "heard"
            | "reported"
            | "appreciated"
            | "problem"
            | "concern"
            | "issue"
            | "there"
            | "substantiated"
            | "visible"
            | "appreciable"
            | "encountered"
            | "opacified"
    )
}

/// Returns whether a participle or adjective negates by itself.
pub(super) fn is_denying_participle(word: &str) -> bool {
    matches!(
        word,
        "denied"
            | "excluded"
            | "absent"
            | "rejected"
            | "dismissed"
            | "discarded"
            | "discounted"
            | "disproved"
            | "disproven"
            | "refuted"
            | "unsupported"
            | "none"
            | "nil"
            | "lacking"
            | "abandoned"
            | "missing"
            | "unfounded"
    )
}

/// Returns whether a word stands for everything that was asked, after "no to".
pub(super) fn is_word_for_all(word: &str) -> bool {
    matches!(word, "all" | "any" | "both" | "each" | "these")
}

/// Returns whether "at no" or "in no" before this word means at no time or place.
pub(super) fn is_occasion_noun(word: &str) -> bool {
    matches!(
        word,
        "point" | "time" | "stage" | "moment" | "part" | "place" | "case" | "section" | "way" | "instance" | "sample"
    ) || matches!(word, "specimen" | "image" | "view" | "visit" | "level" | "area" | "occasion")
}
