//! Word classes that patterns of negation are made of.

use crate::text::words_of_file;

/// Returns whether a word is a verb of having, getting, taking or perceiving.
pub(super) fn is_having_verb(word: &str) -> bool {
    is_perception_verb(word)
        || matches!(
            word,
            "have"
                | "has"
                | "had"
                | "having"
                | "got"
                | "get"
                | "run"
                | "running"
                | "getting"
                | "gotten"
                | "develop"
                | "developed"
                | "developing"
                | "experience"
                | "experienced"
                | "experiencing"
                | "suffer"
                | "suffered"
                | "need"
                | "needed"
                | "require"
                | "required"
                | "use"
                | "used"
                | "take"
                | "taken"
                | "taking"
                | "touch"
                | "touched"
                | "make"
                | "made"
                | "complain"
                | "complained"
                | "contain"
                | "contains"
                | "contained"
                | "grew"
                | "grow"
                | "yield"
                | "yielded"
                | "turn"
                | "turned"
                | "volunteer"
                | "admit"
                | "lead"
                | "led"
        )
}

fn is_perception_verb(word: &str) -> bool {
    matches!(
        word,
        "see"
            | "saw"
            | "seen"
            | "seeing"
            | "find"
            | "found"
            | "finding"
            | "elicit"
            | "elicited"
            | "feel"
            | "felt"
            | "hear"
            | "heard"
            | "detect"
            | "detected"
            | "identify"
            | "identified"
            | "notice"
            | "noticed"
            | "note"
            | "noted"
            | "observe"
            | "observed"
            | "appreciate"
            | "appreciated"
            | "palpate"
            | "visualize"
            | "demonstrate"
            | "demonstrated"
            | "show"
            | "showed"
            | "reveal"
            | "revealed"
            | "disclose"
            | "disclosed"
            | "display"
            | "exhibit"
            | "report"
            | "reported"
            | "mention"
            | "describe"
            | "pick"
    )
}

/// Returns whether a word says that a finding supports a disorder.
pub(super) fn is_supporting_word(word: &str) -> bool {
    matches!(
        word,
        "suggest"
            | "suggests"
            | "suggested"
            | "suggesting"
            | "suggestive"
            | "point"
            | "points"
            | "pointed"
            | "pointing"
            | "indicate"
            | "indicates"
            | "indicated"
            | "indicating"
            | "support"
            | "supports"
            | "supported"
            | "supporting"
            | "favor"
            | "favors"
            | "favour"
            | "favours"
            | "fit"
            | "fits"
            | "consistent"
            | "compatible"
            | "typical"
            | "evidence"
            | "sign"
            | "signs"
            | "explained"
            | "meet"
            | "meets"
            | "meeting"
            | "amount"
            | "amounts"
            | "suspect"
            | "diagnose"
            | "worrisome"
            | "indicative"
            | "resembling"
            | "resembles"
            | "resemble"
    )
}

/// Returns whether a word is a verb of appearance, which "like" or "as if" may follow.
pub(super) fn is_appearance_verb(word: &str) -> bool {
    matches!(
        word,
        "look" | "looks" | "looked" | "sound" | "sounds" | "sounded" | "feel" | "feels" | "smell" | "seem" | "seems"
    )
}

/// Returns whether a word is a verb of naming or thinking, which "it", "she has" or "this is" may follow.
pub(super) fn is_naming_verb(word: &str) -> bool {
    matches!(word, "call" | "calling" | "told" | "label" | "say" | "think" | "believe" | "name")
}

/// Returns whether a word may stand between such a verb and what it names.
pub(super) fn may_precede_named_condition(word: &str) -> bool {
    matches!(
        word,
        "it" | "this"
            | "that"
            | "these"
            | "those"
            | "she"
            | "he"
            | "they"
            | "there"
            | "the"
            | "patient"
            | "pt"
            | "is"
            | "was"
            | "are"
            | "has"
            | "had"
            | "have"
            | "got"
            | "it's"
            | "that's"
            | "she's"
            | "he's"
            | "there's"
            | "they've"
            | "'s"
            | "been"
            | "in"
            | "having"
    )
}

/// Words that may stand between a verb and its object.
const OBJECT_FILLERS: &[&str] = words_of_file!("../words/object-fillers.txt");

pub(super) fn is_object_filler(word: &str) -> bool {
    OBJECT_FILLERS.contains(&word)
}

/// Returns whether a word may stand between "not" and its verb.
pub(super) fn may_follow_not_before_verb(word: &str) -> bool {
    matches!(
        word,
        "ever"
            | "really"
            | "yet"
            | "actually"
            | "currently"
            | "recently"
            | "previously"
            | "so"
            | "far"
            | "clearly"
            | "definitely"
            | "even"
            | "have"
            | "had"
            | "been"
            | "be"
            | "having"
            | "able"
            | "to"
            | "at"
            | "all"
            | "personally"
            | "today"
            | "once"
    )
}

/// Returns whether a word begins another clause.
pub(super) fn begins_clause(word: &str) -> bool {
    matches!(word, "but" | "however" | "although" | "though" | "except" | "because" | "until" | "while")
}

/// Returns whether a word looks like an adjective, adverb or participle, mostly by its ending.
pub(super) fn looks_like_modifier(word: &str) -> bool {
    const ENDINGS: [&str; 13] =
        ["al", "ic", "ive", "ous", "ly", "ant", "ent", "ary", "able", "ible", "ing", "ed", "ar"];
    let has_ending = |ending: &str| word.len() > ending.len() + 2 && word.ends_with(ending);
    matches!(
        word,
        "new"
            | "old"
            | "acute"
            | "large"
            | "small"
            | "gross"
            | "frank"
            | "overt"
            | "discrete"
            | "definite"
            | "focal"
            | "deep"
            | "active"
            | "obvious"
            | "clear"
            | "true"
            | "fresh"
            | "free"
            | "sizeable"
            | "unstable"
            | "severe"
            | "mild"
            | "moderate"
            | "subtle"
            | "major"
            | "minor"
            | "left"
            | "right"
    ) || ENDINGS.iter().any(|ending| has_ending(ending))
}
