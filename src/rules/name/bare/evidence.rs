//! What the words before and behind a word say of it, in points.

use super::{THINGS, after_bullet};
use crate::rules::View;
use crate::rules::name::duty::is_somebody;
use crate::rules::name::people::{
    is_a_patient, is_aged, is_at_work, is_done_by_somebody, is_finite, is_of_a_child, is_so_old, is_subject,
};
use crate::rules::name::{NAMES, PARTS, form, is_mostly_name, is_unlisted, lean};
use crate::rules::view::{WordSet, says};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes, Ranks};

/// Words of which [`before`] asks more than their lists. Sorted.
#[rustfmt::skip]
static CUES: WordSet = WordSet::new(&[
    "a", "an", "and", "any", "appreciate", "ask", "asked", "at", "attn", "by", "called", "d", "dw", "emailed", "for", "from",
    "hello", "her", "hey", "hi", "him", "his", "in", "left", "messaged", "named", "near", "no", "paged", "per", "phoned", "right",
    "some", "texted", "thank", "thanks", "that", "the", "these", "this", "thx", "to", "told", "w", "with",
]);

/// What is done with things and hardly with people: `noted Achilles reflexes`, `has Crohn's`. Sorted.
#[rustfmt::skip]
static FINDS: WordSet = WordSet::new(&[
    "applied", "continue", "continued", "continues", "demonstrated", "demonstrates", "denied", "denies", "developed", "gave", "given",
    "had", "has", "have", "inserted", "needs", "noted", "performed", "placed", "prescribed", "received", "removed", "repeat", "report",
    "restarted", "resumed", "revealed", "reveals", "showed", "shown", "shows", "start", "started", "stopped", "takes", "taking", "took",
    "underwent", "used", "uses",
]);

/// What the words before say.
pub(super) fn before(view: &View<'_>, at: usize) -> i32 {
    let Some(mut last) = at.checked_sub(1) else { return 0 };
    if !view.is_word(last) {
        let word = last.wrapping_sub(1);
        match view.token(last).mark() {
            // `w/ Mallory`, `d/w Bishop`
            b'/' if says!(view, word, "w") => return 2,
            // `thanks, Drew`
            b',' if says!(view, word, "thanks" | "thx" | "hi" | "hello" | "regards") => return 4,
            b'.' if view.is(word, Class::Title) && view.is_word(word) => last = word,
            b'.' if is_rank(view, word) && !view.any(at, BODY) => return 3,
            _ => return 0,
        }
    }
    if view.gap(at) > Gap::Line {
        return 0;
    }
    if !CUES.has(view, last) {
        return if view.is(last, Class::PersonVerb) && !FINDS.has(view, last) { 2 } else { 0 };
    }
    // `per White`, `spoke with White`, `covered by White`.
    let key = view.key(last);
    if says!(view, last, key, "per" | "told" | "asked" | "ask" | "paged" | "called" | "thank" | "named" | "attn")
        || says!(view, last, key, "texted" | "phoned" | "messaged" | "emailed")
        || says!(view, last, key, "thx" | "thanks" | "hi" | "hello" | "hey")
    {
        return 4;
    }
    if says!(view, last, key, "for") {
        let message = last > 0 && says!(view, last - 1, "message" | "messages" | "voicemail" | "covering" | "note");
        // `positive for Cough`, `Risk for Falls`
        let found =
            last > 0 && says!(view, last - 1, "positive" | "negative" | "risk" | "screened" | "treated" | "prn");
        return if message {
            3
        } else if found {
            -2
        } else {
            1
        };
    }
    // `likes it if we call her Joy`
    if says!(view, last, key, "her" | "him") && last > 0 && says!(view, last - 1, "call" | "calls" | "called" | "named")
    {
        return 4;
    }
    if says!(view, last, key, "to") {
        const DOES: Classes = Classes::of(&[Class::PersonVerb, Class::HumanVerb]);
        let out = last > 1 && says!(view, last - 1, "out") && view.is(last - 2, Class::PersonVerb);
        return if out || last > 0 && view.any(last - 1, DOES) { 2 } else { 1 };
    }
    if says!(view, last, key, "by" | "with" | "w" | "appreciate" | "from" | "d" | "dw") {
        return 2;
    }
    if says!(view, last, key, "and" | "that" | "at" | "in" | "near") {
        return 1;
    }
    // `choices Ellery, The Elms`: with a capital letter inside a sentence the article is part of a name.
    let inside = view.case(last) == Case::Capital && !view.sentence_start(last) && !after_bullet(view, last);
    if says!(view, last, key, "the") && inside {
        return 3;
    }
    // An article or an adjective goes with a word, not with a name.
    if says!(
        view,
        last,
        key,
        "the" | "a" | "an" | "no" | "any" | "this" | "these" | "some" | "her" | "his" | "left" | "right"
    ) {
        return -2;
    }
    if view.is(last, Class::PersonVerb) { 2 } else { 0 }
}

/// Words behind a side or a size.
const BODY: Classes = PARTS.or(Classes::of(&[Class::Counted, Class::Sized]));

/// `Lt. Bland`, `Fr. Sharp`, `Hon. Early`: a rank that is a side or a size as well, so that it is on no list of titles.
fn is_rank(view: &View<'_>, at: usize) -> bool {
    says!(view, at, "lt" | "fr" | "hon")
        && view.case(at) == Case::Capital
        && view.joined(at + 1)
        && !(at > 0 && view.is_number(at - 1))
}

/// `Drain to check`, `Hope to see him`
fn is_a_thing(view: &View<'_>, at: usize) -> bool {
    view.any(at, Classes::of(&[Class::Sized, Class::Counted, Class::EponymNoun])) || says!(view, at, "hope")
}

/// Whether the word is a first name that many bear, and nothing of medicine.
fn is_given_name(view: &View<'_>, at: usize) -> bool {
    form::is_given(view, at) && lean(view, at) >= 2
}

/// Whether it is a first name that hardly anybody uses as a word: `Grace`, not `Will`. What is frank in medicine is no Frank, and
/// crystals and the iris do things.
fn is_seldom_a_word(view: &View<'_>, at: usize) -> bool {
    form::is_given(view, at)
        && view.ranks(at).first_name >= 12
        && lean(view, at) >= 9
        && !says!(view, at, "frank" | "crystal" | "iris" | "hope")
}

pub(super) fn after_place_cue(view: &View<'_>, at: usize) -> bool {
    at > 0 && view.is(at - 1, Class::PlaceCue)
}

/// The most points that [`after`] gives.
pub(super) const MOST_AFTER: i32 = 4;

/// Words and marks of which [`after`] asks more than their lists. Sorted.
#[rustfmt::skip]
pub(in crate::rules) static SAID: WordSet = WordSet::new(&[
    "&", "-", "@", "and", "at", "aware", "baby", "boy", "boys", "can", "couple", "did", "does", "family", "from",
    "girl", "girls", "had", "has", "household", "in", "infant", "informed", "is", "notified", "on", "or", "present", "residence",
    "siblings", "to", "triplets", "turned", "turns", "twins", "updated", "w", "was", "will", "with", "would",
]);

/// What the words after say.
pub(super) fn after(view: &View<'_>, at: usize, ranks: Ranks, start: bool, shouted: bool, mind: bool) -> i32 {
    let next = at + 1;
    let owned = view.token(next).kind == crate::token::Kind::Possessive;
    if !view.follows(next) && !owned {
        return 0;
    }
    if mind {
        return 4;
    }
    let verb = |at: usize| view.is(at, Class::HumanVerb) && (view.case(at) == Case::Lower || shouted);
    let said = SAID.has(view, next);
    let key = view.key(next);
    if said {
        // `Olive is doing well`, `Sandy has been tearful`.
        let helper = says!(view, next, key, "is" | "was" | "has" | "had" | "will" | "did" | "does" | "can" | "would");
        let will = says!(view, next, key, "will") && view.is(next + 1, Class::PersonVerb);
        if will || helper && (verb(next + 1) || says!(view, next + 1, "been" | "not") && verb(next + 2)) {
            return 2;
        }
    }
    let word = view.is_word(next);
    if verb(next) || word && verb(next + 1) && view.bytes(next).ends_with(b"ly") {
        return 3;
    }
    // `Ray to change the dressing`
    if said
        && (says!(view, next, key, "to") && view.is(next + 1, Class::PersonVerb) && start && !is_a_thing(view, at)
            || says!(view, next, key, "from") && (next + 2..next + 5).any(verb))
    {
        return 3;
    }
    let goes_on = start && word && view.case(next) == Case::Lower;
    // `Penny has asthma`, `Weaver ordered CT`
    if goes_on && is_subject(view, at, next) {
        return 4;
    }
    // `Ginger is a 34 yo baker`
    if said
        && (ranks.surname.max(ranks.first_name) >= 9 && is_aged(view, next)
            || start && is_so_old(view, next) && is_given_name(view, at))
    {
        return 4;
    }
    // `Dawn is the youngest of four`, `Lily reports`
    if goes_on
        && ranks.first_name >= 9
        && !view.is(at, Class::Clinical)
        && (is_of_a_child(view, next)
            || is_given_name(view, at) && is_a_patient(view, next)
            || (is_seldom_a_word(view, at) || is_given_name(view, at) && is_finite(view, at, next))
                && !says!(view, at, "just")
                && is_done_by_somebody(view, next))
    {
        return 4;
    }
    if said && let Some(points) = after_such(view, at, ranks, start, shouted) {
        return points;
    }
    if owned {
        // `Gray's drain`; a first name has no disease, but a drain.
        let thing = view.is(next + 1, Class::EponymNoun) && !(start && is_seldom_a_word(view, at));
        return if thing { -2 } else { 2 };
    }
    if view.any(next, THINGS) {
        return -2;
    }
    if word && view.capitalised(next) && !shouted {
        // First Last.
        let last = is_mostly_name(view, next) || is_unlisted(view, next) && view.any(next, NAMES);
        return if !last {
            0
        } else if view.is(at, Class::FirstName) {
            3
        } else {
            1
        };
    }
    if view.is_mark(next, b',') && view.capitalised(next + 1) && view.any(next + 1, NAMES) && !shouted {
        // `Pope, Kathleen`, `Green, McMurray and Gibson`
        let sure = is_unlisted(view, next + 1) && view.same_line(next + 1) && view.any(at, NAMES);
        return if sure { 2 } else { i32::from(start) };
    }
    0
}

/// What a word or mark of [`SAID`] behind it says.
fn after_such(view: &View<'_>, at: usize, ranks: Ranks, start: bool, shouted: bool) -> Option<i32> {
    let next = at + 1;
    let key = view.key(next);
    if view.is_mark(next, b'-') {
        // `Will - rides, Susan - meals`
        let other = |at: usize| view.is_mark(at, b',') && view.capitalised(at + 1) && view.any(at + 1, NAMES);
        return (!view.joined(next) && (next + 2..next + 5).any(other)).then_some(3);
    }
    if says!(view, next, key, "residence" | "household") && ranks.surname >= 9 {
        // `Hall residence`
        return Some(4);
    }
    if ranks.surname >= 10
        && !start
        && says!(
            view,
            next,
            key,
            "twins" | "triplets" | "siblings" | "couple" | "boy" | "girl" | "baby" | "infant" | "boys" | "girls"
        )
    {
        // `the Long twins`
        return Some(4);
    }
    if says!(view, next, key, "family")
        && ranks.surname >= 10
        && (!start || says!(view, next + 1, "from" | "has" | "had" | "lived" | "came"))
    {
        // `on her father's side the Price family`
        return Some(if !start && ranks.surname >= 12 { 4 } else { 3 });
    }
    if says!(view, next, key, "notified" | "updated" | "informed" | "aware")
        && (view.case(next) == Case::Lower || shouted)
        && ranks.surname.max(ranks.first_name) >= 10
        && lean(view, at) >= 0
        && (view.is_any_mark(next + 1, b".,;")
            || view.ends_line(next + 1)
            || says!(view, next + 1, "at" | "by" | "and" | "via" | "of"))
    {
        // `Rivers updated at bedside`, `Rose notified.`
        return Some(4);
    }
    if is_at_work(view, next) && is_somebody(view, at, 10) {
        // `Grace in registration`, `Price from billing`, `Hope @ lab`
        return Some(3);
    }
    if says!(view, next, key, "and" | "&" | "or") && view.capitalised(next + 1) && view.any(next + 1, NAMES) {
        let verb = view.is(next + 2, Class::HumanVerb) && (view.case(next + 2) == Case::Lower || shouted);
        return Some(if shouted { 0 } else { 2 } + i32::from(verb) * 2);
    }
    // `TAPE CUT, WOODS PRESENT, SKIN WHOLE`
    let present = shouted && says!(view, next, key, "present") && !view.is_word(next + 1);
    (present && !view.is(at, Class::Clinical)).then_some(3)
}
