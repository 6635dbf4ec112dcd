//! Words by which the grammar of a clause is read.

use super::reply::is_not;

const AUXILIARIES: [&str; 14] =
    ["is", "was", "are", "were", "has", "have", "had", "been", "did", "does", "do", "could", "can", "be"];
const ADVERBS: [&str; 13] =
    ["thereby", "all", "both", "now", "then", "since", "also", "even", "again", "so", "far", "therefore", "thus"];
/// Participles after which something is over: "has resolved".
const OVER: [&str; 7] = ["resolved", "cleared", "subsided", "abated", "disappeared", "vanished", "ceased"];
const PREPOSITIONS: [&str; 35] = [
    "of",
    "in",
    "on",
    "at",
    "by",
    "for",
    "with",
    "to",
    "from",
    "after",
    "before",
    "during",
    "since",
    "over",
    "under",
    "between",
    "within",
    "into",
    "against",
    "about",
    "across",
    "along",
    "around",
    "near",
    "above",
    "below",
    "down",
    "up",
    "through",
    "throughout",
    "following",
    "despite",
    "per",
    "via",
    "beyond",
];
const PRONOUNS: [&str; 11] = ["he", "she", "it", "they", "we", "i", "you", "there", "this", "these", "those"];
/// Nouns for what speaks for a disorder: "no evidence of".
const SIGNS: [&str; 34] = [
    "history",
    "source",
    "reason",
    "reasons",
    "basis",
    "grounds",
    "flags",
    "need",
    "mention",
    "complaint",
    "complaints",
    "criteria",
    "support",
    "argument",
    "evidence",
    "sign",
    "signs",
    "finding",
    "findings",
    "suggestion",
    "suspicion",
    "indication",
    "hint",
    "trace",
    "symptom",
    "symptoms",
    "feature",
    "features",
    "stigmata",
    "manifestation",
    "diagnosis",
    "presence",
    "possibility",
    "proof",
];
/// Nouns with which a disorder stays, though they are denied: "no change in", "no relief of".
const CHANGES: [&str; 62] = [
    "account",
    "view",
    "spite",
    "favor",
    "favour",
    "lieu",
    "light",
    "result",
    "terms",
    "change",
    "changes",
    "increase",
    "decrease",
    "improvement",
    "worsening",
    "progression",
    "relief",
    "control",
    "resolution",
    "growth",
    "enlargement",
    "treatment",
    "management",
    "repair",
    "removal",
    "drainage",
    "knowledge",
    "awareness",
    "understanding",
    "memory",
    "recollection",
    "recall",
    "delay",
    "doubt",
    "reduction",
    "effect",
    "effects",
    "complication",
    "complications",
    "cause",
    "explanation",
    "discussion",
    "fear",
    "review",
    "spread",
    "response",
    "exacerbation",
    "exacerbations",
    "flare",
    "flares",
    "attack",
    "attacks",
    "loss",
    "lack",
    "absence",
    "shortness",
    "question",
    "difference",
    "work",
    "means",
    "side",
    "part",
];
/// Words that begin a condition or an open question.
const CONDITIONS: [&str; 8] = ["if", "unless", "whether", "when", "until", "once", "should", "would"];

pub(super) fn is_auxiliary(word: &str) -> bool {
    AUXILIARIES.contains(&word)
}

/// Whether a word is an adverb that stands within a predicate.
pub(super) fn is_adverb(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ly") || ADVERBS.contains(&word)
}

/// Whether a word tells that something is over or better: of what is not so, nothing is denied.
pub(super) fn ends_well(word: &str) -> bool {
    is_over(word) || matches!(word, "controlled" | "improved" | "better" | "settled" | "left" | "gone" | "stopped")
}

pub(super) fn is_over(word: &str) -> bool {
    OVER.contains(&word)
}

/// Results of a test that deny what it was for.
pub(super) fn is_negative(word: &str) -> bool {
    matches!(word, "negative" | "neg" | "unrevealing" | "unrewarding")
}

/// Whether a word may deny what stands before it.
pub(super) fn may_deny_subject(word: &str) -> bool {
    is_negative(word) || matches!(word, "not" | "never" | "longer" | "ruled") || is_denying(word)
}

/// Whether what follows a word is denied, or its denial: "cannot be excluded".
pub(super) fn is_denial(word: &str) -> bool {
    matches!(word, "cannot" | "no") || is_not(word)
}

/// Whether a word before a predicate leaves open whether it holds: "cannot be excluded", "must be ruled out".
pub(super) fn leaves_open(word: &str) -> bool {
    is_denial(word) || matches!(word, "to" | "must" | "should" | "will" | "may" | "might" | "would" | "shall" | "until")
}

/// Whether somebody holds what follows: "felt to be", "appears to be".
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

pub(super) fn is_relative(word: &str) -> bool {
    matches!(word, "which" | "that" | "who")
}

pub(super) fn is_preposition(word: &str) -> bool {
    PREPOSITIONS.contains(&word)
}

pub(super) fn is_pronoun(word: &str) -> bool {
    PRONOUNS.contains(&word)
}

pub(super) fn is_sign(word: &str) -> bool {
    SIGNS.contains(&word)
}

/// Whether a word tells that somebody was asked.
pub(super) fn is_asking(word: &str) -> bool {
    matches!(word, "asked" | "questioned" | "questioning" | "screened")
}

/// Whether something is weighed that may be rejected: "was considered and dismissed", "was sought but not found".
pub(super) fn is_weighing(word: &str) -> bool {
    matches!(word, "considered" | "sought" | "suspected" | "feared")
}

pub(super) fn is_change(word: &str) -> bool {
    CHANGES.contains(&word)
}

pub(super) fn begins_condition(word: &str) -> bool {
    CONDITIONS.contains(&word)
}

/// Participles, adjectives and nouns that "is not" denies.
pub(super) fn is_denied_by_not(word: &str) -> bool {
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

/// Participles and adjectives that deny by themselves.
pub(super) fn is_denying(word: &str) -> bool {
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
