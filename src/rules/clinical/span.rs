//! Lengths of time as a count over the number of them in a year or a week: `3/52` is three weeks, `6/12` six months, `5/7` five days.
//!
//! British and Australian notes are full of them, and by their form they may be dates, `3/52` a month of a year long ago. So words
//! must say that a length is meant.

use crate::rules::word_sets::{WordSet, says};
use crate::rules::{Certainty, Findings, View};
use crate::token::Case;
use crate::vocabulary::{Class, Classes};

/// How far before the number stands what says that it is no length, or that it is one.
const WITHIN: usize = 8;

/// Words that fix a day: `scheduled for 5/7`.
static FIXED: WordSet = WordSet::new(&[
    "appointment",
    "appt",
    "apt",
    "arranged",
    "booked",
    "date",
    "due",
    "here",
    "listed",
    "planned",
    "procedure",
    "rescheduled",
    "scheduled",
    "set",
    "slated",
    "surgery",
    "visit",
]);

/// Words that say that something will be done again.
static AGAIN: WordSet = WordSet::new(&[
    "again", "back", "bloods", "come", "f", "follow", "followup", "please", "reassess", "recall", "recheck", "repeat",
    "rescan", "return", "review", "rpt", "rv", "see", "tca",
]);

/// What goes on or comes in so many weeks: `wound check 1/52`, `wait 5/52`.
static LASTS: WordSet = WordSet::new(&[
    "check",
    "checks",
    "fit",
    "next",
    "opd",
    "postpartum",
    "restart",
    "sick",
    "stay",
    "stays",
    "tcu",
    "til",
    "till",
    "wait",
    "wean",
]);

/// Vouches for a length of time, at its number.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if is_one(view, at) || is_acuity(view, at) {
        // `x7/7`
        let first = if view.token(at).glued() { at - 1 } else { at };
        findings.keep(first, at + 1, Certainty::Likely);
    }
}

/// Whether the number tells how well an eye sees: `VA 6/9 R, 6/12 L`. The lines of the chart that is read at six metres.
fn is_acuity(view: &View<'_>, at: usize) -> bool {
    /// How far the word may stand before: both eyes are told, each with glasses and without.
    const FAR: usize = 14;
    let lines = |number: &crate::rules::Number| {
        number.value(0) == 6
            && number.is(2, b'/')
            && matches!(number.value(1), 4 | 5 | 6 | 7 | 9 | 12 | 15 | 18 | 24 | 36 | 48 | 60)
    };
    if !view.number(at).is_some_and(lines) || at == 0 || view.token(at).glued() || view.token(at + 1).glued() {
        return false;
    }
    let dated = says!(view, at - 1, "on" | "in" | "since" | "from" | "by" | "until" | "dated" | "of" | "seen" | "date");
    let told = |word: usize| {
        let key = view.key(word);
        says!(
            view,
            word,
            key,
            "va" | "vas" | "vaod" | "vaos" | "bcva" | "ucva" | "dva" | "acuity" | "acuities" | "unaided"
        ) || says!(view, word, key, "vision" | "pinhole" | "ph" | "snellen")
    };
    !dated
        && (at.saturating_sub(FAR)..at)
            .rev()
            .take_while(|&word| view.same_line(word + 1) && !view.is_mark(word, b'.'))
            .any(told)
}

/// Whether the number is a length of time.
pub(in crate::rules) fn is_one(view: &View<'_>, at: usize) -> bool {
    let Some(number) = view.number(at) else { return false };
    let (count, of) = (number.value(0), number.value(1));
    // Few numbers are over one of these.
    if !matches!(of, 7 | 12 | 24 | 52) || !number.is(2, b'/') || number.padded() {
        return false;
    }
    let short = (1..=2).contains(&number.digits(0)) && count > 0;
    // `x7/7` is glued to its sign.
    let glued = view.token(at).glued() && !(at > 0 && says!(view, at - 1, "x") && !view.token(at - 1).glued());
    if !short || number.digits(1) > 2 || glued || view.token(at + 1).glued() {
        return false;
    }
    // Hours are told so in Australia: `pain 2/24 ago`.
    if of == 24 {
        return count <= 24 && (said_behind(view, at) || says!(view, at - usize::from(at > 0), "x"));
    }
    said_behind(view, at) || said_before(view, at) || of == 52 && (is_coming(view, at) || is_lasting(view, at))
}

/// `review 2/52`, `F/U 1/52`, `NV: 2/52`, `no driving 2/52`: nothing that is still to come was in a month of 1952.
fn is_coming(view: &View<'_>, at: usize) -> bool {
    let colon = usize::from(at > 0 && view.is_mark(at - 1, b':'));
    let Some(before) = (at - colon).checked_sub(1).filter(|_| view.same_line(at)) else { return false };
    let key = view.key(before);
    // `r/v 1/52`
    let slashed = before > 1 && says!(view, before, key, "v") && view.is_mark(before - 1, b'/') && view.joined(before);
    if slashed
        || says!(
            view,
            before,
            key,
            "gp" | "sling" | "cast" | "splint" | "brace" | "boot" | "pop" | "backslab" | "defer"
        )
    {
        return true;
    }
    if says!(
        view,
        before,
        key,
        "nv" | "fu" | "u" | "rv" | "driving" | "lifting" | "rtc" | "then" | "off" | "od" | "om" | "over"
    ) {
        return true;
    }
    // `NWB 6/52`, `co-amoxiclav 6/52`, `6/52 postop`: how long no weight is borne and a drug is taken, how long ago an operation was.
    if says!(view, before, key, "nwb" | "ttwb" | "tdwb" | "pwb" | "fwb" | "wbat")
        || view.is(before, Class::Brand) && view.case(before) != Case::Capital
        || view.same_line(at + 1) && says!(view, at + 1, "postop" | "preop")
    {
        return true;
    }
    // `CEA w/in 2/52`
    if says!(view, before, key, "in") && before > 1 && view.is_mark(before - 1, b'/') && says!(view, before - 2, "w") {
        return true;
    }
    if LASTS.has(view, before) {
        return true;
    }
    let past = says!(view, before, key, "in" | "since" | "from" | "of" | "dob" | "born" | "birth" | "date" | "dated");
    !past
        && (at.saturating_sub(WITHIN)..at)
            .rev()
            .take_while(|&word| view.same_line(word + 1))
            .any(|at| AGAIN.has(view, at))
}

/// What people come for; nobody notes that he coughed in a month of 1952.
static COMPLAINTS: WordSet = WordSet::new(&[
    "cough",
    "diarrhoea",
    "dizziness",
    "fatigue",
    "fever",
    "headache",
    "headaches",
    "hoarse",
    "hoarseness",
    "itch",
    "lbp",
    "lethargy",
    "lmp",
    "lnmp",
    "nausea",
    "pain",
    "physio",
    "prehab",
    "rash",
    "sciatica",
    "sob",
    "swelling",
    "vomiting",
]);

/// `HPC: 3/52`, `sciatica 6/52`: what has been so for weeks; an illness or an operation may have been in a month of that year.
fn is_lasting(view: &View<'_>, at: usize) -> bool {
    let colon = usize::from(at > 0 && view.is_mark(at - 1, b':'));
    let Some(before) = (at - colon).checked_sub(1).filter(|_| view.same_line(at)) else { return false };
    if colon > 0 {
        return says!(view, before, "hpc" | "hopc" | "hpi" | "pc" | "hx" | "sx");
    }
    COMPLAINTS.has(view, before)
}

/// `6/12 history of`, `2/7 ago`, `5/7 old.`
fn said_behind(view: &View<'_>, at: usize) -> bool {
    let next = at + 1;
    if !view.is_word(next) || !view.follows(next) {
        return false;
    }
    let key = view.key(next);
    let ends = |at: usize| !view.is_word(at) && !view.is_number(at);
    if says!(view, next, key, "history" | "hx") {
        return says!(view, next + 1, "of") || ends(next + 1);
    }
    if says!(view, next, key, "old") {
        return ends(next + 1) || view.any(next + 1, Classes::of(&[Class::PersonNoun, Class::Relative]));
    }
    says!(view, next, key, "ago" | "later" | "hence" | "duration" | "supply" | "course")
}

/// `TDS 5/7`, `every 3/12`, `on prednisone for 6/12`, `see him in 6/12.`
fn said_before(view: &View<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).filter(|_| view.same_line(at)) else { return false };
    let key = view.key(before);
    if says!(view, before, key, "x" | "tds" | "qds" | "bd" | "nocte" | "mane" | "every" | "past" | "within")
        || says!(view, before, key, "wk" | "weekly" | "hrly") && view.whole(before.wrapping_sub(1)).is_none()
        || says!(view, before, key, "bid" | "tid" | "qid" | "qhs" | "od" | "rtw" | "nbm")
    {
        return true;
    }
    // `codeine 30 mg qds PRN 3/7`
    let often = |at: usize| says!(view, at, "tds" | "qds" | "bd" | "nocte" | "mane");
    if says!(view, before, key, "prn") && before > 0 && often(before - 1) {
        return true;
    }
    let within = |words: &WordSet| (at.saturating_sub(WITHIN)..before).any(|word| words.has(view, word));
    if says!(view, before, key, "for") {
        return !within(&FIXED) && !view.is(at + 1, Class::IdKeyword);
    }
    // `repeat in 5/12 was normal` was in May of that year.
    let over = !view.is_word(at + 1)
        || !view.same_line(at + 1)
        || says!(view, at + 1, "with" | "for" | "please" | "or" | "to" | "if");
    says!(view, before, key, "in") && over && within(&AGAIN)
}
