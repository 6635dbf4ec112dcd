//! Names beside what somebody does: `Wood (pharm)`, `Neuro - Brooks - EEG`, `ID (Brooks): stop it`, `GI/Brooks: scope`, `Brooks PGY2`.
//!
//! `form` asks them; which words are asked, says `bare`.

use super::form::{MEDICINE, is_borne};
use super::handover::is_dash;
use super::lean;
use crate::rules::View;
use crate::rules::view::{WordSet, says};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Words for what people do in a hospital, short and in full, as they stand behind a name in brackets and before one. Sorted.
#[rustfmt::skip]
pub(super) static DUTIES: WordSet = WordSet::new(&[
    "aide", "anaes", "anes", "anesthesia", "angio", "bookings", "cardiology", "cards", "cath", "chaplain", "charge", "cm",
    "cna", "covering", "crna", "day", "derm", "dwr", "ed", "endo", "ent", "er", "fellow", "float", "gi", "gp", "gyn", "heme",
    "hospitalist", "icu", "id", "ir", "lab", "locum", "lpn", "lvn", "ma", "med", "medicine", "neuro", "neurology",
    "neurosurgery", "night", "np", "nurse", "ob", "onc", "oncology", "ortho", "ot", "outpatients", "pa", "palliative",
    "peds", "pharm", "pharmacist", "pharmacy", "pm", "psych", "psychiatry", "pt", "pulm", "radiology", "rads", "rd", "reg",
    "registrar", "renal", "resident", "rn", "rt", "scribe", "security", "sho", "slp", "student", "supervisor", "surgery",
    "sw", "switchboard", "tech", "theatres", "trauma", "triage", "uro", "urology", "vascular", "wr", "xray",
]);

/// `Wood (pharm) advised`, `Banks (PM&R)`: what somebody does, in brackets behind the name.
pub(super) fn with_a_role(view: &View<'_>, at: usize) -> Option<usize> {
    const THINGS: Classes =
        Classes::of(&[Class::Clinical, Class::Counted, Class::Sized, Class::EponymNoun, Class::Term]);
    let (open, role) = (at + 1, at + 2);
    let end = (role + 1..role + 4).find(|&end| view.is_mark(end, b')'))?;
    let done = DUTIES.has(view, role) || view.any(role, Classes::of(&[Class::PersonNoun, Class::Credential]));
    // `Love (SW)`, `Bell (left renal)`
    let letters = end == role + 1 || view.case(role) == Case::Upper && view.is_mark(role + 1, b'&');
    let person = is_borne(view, at, 10) && lean(view, at) >= if view.any(at, THINGS) { 9 } else { 2 };
    (view.is_mark(open, b'(') && done && letters && person).then_some(open)
}

/// `Neuro - Brooks - EEG`, `Onc: Brooks following`, `ID (Brooks): stop it`, `GI/Brooks: scope`, `Proxy - Grace`: who it is, behind what
/// they do.
pub(super) fn behind_a_duty(view: &View<'_>, at: usize) -> Option<usize> {
    const DOES: Classes = Classes::of(&[Class::PersonVerb, Class::HumanVerb]);
    const WHO: Classes = Classes::of(&[Class::PersonNoun, Class::Relative]);
    let (label, mark, next) = (at.checked_sub(2)?, at - 1, at + 1);
    if !view.is_any_mark(mark, b":-(/") {
        return None;
    }
    let over = view.is_any_mark(next, b".;,(") || view.ends_line(next) || is_dash(view, next);
    let acts = view.case(next) == Case::Lower
        && (view.any(next, DOES) || says!(view, next, "aware" | "ok" | "to" | "will" | "w" | "with"));
    let set_off = match view.token(mark).mark() {
        b':' => view.gap(at) == Gap::Space && (over || acts),
        b'-' => is_dash(view, mark) && (over || acts),
        b'(' if view.is_mark(next, b')') && view.is_mark(next + 1, b':') && lean(view, at) >= 4 => {
            // `Plan (Brooks): hold it`
            return (view.joined(at) && is_somebody(view, at, 9)).then_some(next);
        }
        b'(' => view.joined(at) && view.is_mark(next, b')'),
        b'/' => view.joined(mark) && view.joined(at) && (view.is_mark(next, b':') || is_dash(view, next)),
        _ => return None,
    };
    let known = DUTIES.has(view, label) || says!(view, label, "proxy" | "hcp" | "poa" | "surrogate" | "nephro");
    let field = view.is(label, Class::NameField) && view.is_mark(mark, b'-');
    let duty = known || field || view.any(label, WHO) && !view.is_mark(mark, b'(');
    (set_off && duty && is_somebody(view, at, 9)).then_some(next)
}

/// Whether so many people bear the word, base-2 logarithm, and more often than it is said.
pub(super) fn is_somebody(view: &View<'_>, at: usize, least: u8) -> bool {
    const THINGS: Classes =
        MEDICINE.or(Classes::of(&[Class::Counted, Class::Sized, Class::EponymNoun, Class::Term, Class::Facility]));
    is_borne(view, at, least) && lean(view, at) >= if view.any(at, THINGS) { 7 } else { 2 }
}

/// Whether the word is the first of a sentence or of an item: `- Dawn on nights`.
fn begins(view: &View<'_>, at: usize) -> bool {
    let bullet = at > 0 && view.is_any_mark(at - 1, b"-*>") && view.token(at - 1).line_start();
    view.sentence_start(at) || bullet
}

/// `Brooks here.`, `Brooks ok with it`, `Brooks off today`, `Brooks team to see`: who has come, agrees or is away, and who belongs to them.
pub(super) fn before_a_status(view: &View<'_>, at: usize) -> Option<usize> {
    let (next, more) = (at + 1, at + 2);
    let over = view.is_any_mark(more, b".,;") || view.ends_line(more);
    let key = view.key(next);
    let came = says!(view, next, key, "here") && (over || says!(view, more, "to" | "for" | "with" | "now" | "w"));
    let agrees = says!(view, next, key, "ok" | "okay" | "fine") && says!(view, more, "with" | "w" | "to" | "for");
    let few = view.ranks(at).surname >= 13 && lean(view, at) >= 7;
    let away = says!(view, next, key, "out" | "off" | "back" | "away") && {
        let day = view.is(more, Class::Weekday) || view.is(more, Class::Month);
        day || says!(
            view,
            more,
            "of" | "today" | "until" | "till" | "this" | "tomorrow" | "tonight" | "sick" | "on" | "next"
        )
    };
    let gone = says!(view, next, key, "unavailable" | "available")
        || says!(view, next, key, "not") && says!(view, more, "available" | "here" | "in")
        || says!(view, next, key, "on")
            && says!(view, more, "vacation" | "leave" | "call" | "nights" | "service" | "earlies" | "lates" | "long")
        || says!(view, next, key, "in") && says!(view, more, "clinic" | "or" | "surgery")
        || says!(view, next, key, "to") && says!(view, more, "bedside");
    let owns = few && says!(view, next, key, "team" | "pt" | "office" | "clinic" | "service" | "list" | "patient");
    let lower = view.case(next) == Case::Lower && view.gap(next) == Gap::Space && begins(view, at);
    (lower && (came || agrees || away || gone || owns) && is_somebody(view, at, 10)).then_some(next)
}

/// `Brooks our registrar will ring`, `Grace the interpreter rang off`, `Grace, our dietitian,`, `Grace mum rang`: who it is, behind the
/// name.
pub(super) fn before_who(view: &View<'_>, at: usize, first: usize) -> Option<usize> {
    const WHO: Classes = Classes::of(&[Class::PersonNoun, Class::Relative]);
    const DOES: Classes = Classes::of(&[Class::PersonVerb, Class::HumanVerb]);
    let key = view.key(first);
    let ours = says!(view, first, key, "our" | "my");
    let article = ours || says!(view, first, key, "the" | "his" | "her");
    if view.case(first) != Case::Lower || !article && !view.is(first, Class::Relative) {
        return None;
    }
    let who = |at: usize| {
        let letters = view.case(at) == Case::Upper && (2..5).contains(&view.width(at));
        view.is_word(at) && view.same_line(at) && (view.any(at, WHO) || DUTIES.has(view, at) || letters)
    };
    let noun = if article { (first + 1..first + 3).find(|&noun| who(noun))? } else { first };
    let does = noun + 1 + usize::from(view.is_mark(noun + 1, b','));
    let acts = view.case(does) == Case::Lower
        && (view.any(does, DOES)
            || says!(view, does, "is" | "was" | "has" | "will" | "does" | "did" | "took" | "rang"));
    // `Hope the family will come`, `Mark the patient`
    let verb = view.any(at, DOES) || says!(view, at, "hope" | "mark" | "will" | "may" | "bill" | "grant" | "chase");
    let begins = ours || acts && begins(view, at);
    (begins && !verb && is_somebody(view, at, 10)).then_some(at + 1)
}

/// `Forest Unit`, `Brooks Building`: a part of a hospital that bears a name.
pub(super) fn before_a_house(view: &View<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    let house = says!(view, next, "unit" | "building" | "bldg") && view.case(next) == Case::Capital;
    let over = !view.is_word(next + 1) || view.ends_line(next + 1) || view.case(next + 1) == Case::Lower;
    (house && over && view.gap(next) == Gap::Space && lean(view, at) >= 4 && is_somebody(view, at, 10)).then_some(next)
}

/// `Brooks PGY2`, `Brooks (PGY-3)`, `Brooks MS4`: a doctor or a student and the year of their training.
pub(super) fn in_training(view: &View<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    let open = usize::from(view.is_mark(next, b'('));
    let (year, number) = (next + open, next + open + 1);
    let hyphen = usize::from(view.is_mark(number, b'-') && view.joined(number));
    let trains = says!(view, year, "pgy") || says!(view, year, "ms" | "fy" | "ct" | "st") && hyphen == 0;
    if !trains {
        return None;
    }
    let counted = view.is_number(number + hyphen) && view.joined(number + hyphen) && view.width(number + hyphen) == 1;
    let written = view.case(year) == Case::Upper && view.gap(next) == Gap::Space;
    (counted && written && is_borne(view, at, 8) && lean(view, at) >= -2).then_some(next)
}

/// `Brooks in 204 needs labs`: who lies there, at the start of a sentence.
pub(super) fn in_a_numbered_room(view: &View<'_>, at: usize) -> Option<usize> {
    let (next, room) = (at + 1, at + 2);
    let there = says!(view, next, "in") && view.whole(room).is_some_and(|room| (100..1000).contains(&room));
    let goes_on =
        view.is_any_mark(room + 1, b".,;:-") || view.case(room + 1) == Case::Lower && !view.token(room + 1).glued();
    (there && goes_on && view.sentence_start(at) && view.same_line(room + 1) && is_somebody(view, at, 10))
        .then_some(next)
}

/// What is to be done, behind a name in a list of jobs. Sorted.
#[rustfmt::skip]
static TASKS: WordSet = WordSet::new(&[
    "await", "awaiting", "bloods", "cannula", "chase", "check", "clerk", "consent", "d", "dc", "discharge", "for", "home", "need",
    "needing", "needs", "ready", "repeat", "review", "rpt", "rv", "scan", "stable", "tto", "ttos", "update", "waiting",
]);

/// `Brooks - home tomorrow`, `Brooks to chase it`, `Brooks ? home`, `Brooks not keen on it`: a line of jobs that begins with who it is about.
pub(super) fn before_a_task(view: &View<'_>, at: usize) -> Option<usize> {
    let (next, more) = (at + 1, at + 2);
    let led = says!(view, next, "to" | "?") || is_dash(view, next);
    let task = led && TASKS.has(view, more);
    let not = says!(view, next, "not") && says!(view, more, "keen" | "happy" | "fit" | "for" | "sure" | "convinced");
    let new = says!(view, next, "new") && says!(view, more, "admission" | "patient" | "pt" | "referral");
    if !task && !not && !new {
        return None;
    }
    let item = at > 1 && view.is_any_mark(at - 1, b".)") && view.is_number(at - 2);
    let lower = view.case(more) == Case::Lower && view.same_line(more);
    let thing = view.any(at, Classes::of(&[Class::Counted, Class::Sized, Class::EponymNoun]));
    let begins = (view.sentence_start(at) || item) && !thing;
    (lower && begins && is_somebody(view, at, 11)).then_some(next)
}

/// `WR Brooks: continue`, `Angio Brooks: one vessel`: what was done, by whom, and what was found.
pub(super) fn did_it(view: &View<'_>, at: usize) -> Option<usize> {
    let duty = at.checked_sub(1)?;
    let led = DUTIES.has(view, duty) && view.token(duty).line_start() && view.gap(at) == Gap::Space;
    (led && view.is_mark(at + 1, b':') && is_somebody(view, at, 9)).then_some(at + 1)
}

/// `Sick list: Brooks, Weaver`: names in a row behind a colon.
pub(super) fn in_a_row(view: &View<'_>, at: usize) -> Option<usize> {
    let person =
        |at: usize| view.case(at) == Case::Capital && is_somebody(view, at, 11) && view.ranks(at).surname >= 11;
    let comma = |at: usize| view.is_mark(at, b',') && view.gap(at + 1) == Gap::Space;
    let label = |at: usize| {
        view.is_number(at)
            || says!(
                view,
                at,
                "list" | "present" | "staff" | "attendees" | "outliers" | "meeting" | "discussed" | "patients"
            )
            || says!(view, at, "team" | "crew" | "admissions" | "discharges" | "transfers" | "absent" | "covering")
    };
    let colon = |at: usize| view.is_mark(at, b':') && at > 0 && label(at - 1);
    let first = at > 0 && colon(at - 1) && comma(at + 1) && person(at + 2);
    let next = at > 3 && comma(at - 1) && colon(at - 3) && person(at - 2);
    ((first || next) && person(at)).then_some(at + 1)
}

/// `Grace - please call her`, `Grace - daughter - was told`: who is spoken to, or who they are.
pub(super) fn before_a_dash(view: &View<'_>, at: usize) -> Option<usize> {
    let (dash, next) = (at + 1, at + 2);
    if !is_dash(view, dash) {
        return None;
    }
    let asked = says!(view, next, "please" | "pls" | "plz" | "can" | "could" | "thanks" | "thx");
    let kin = view.is(next, Class::Relative) && (is_dash(view, next + 1) || view.is_any_mark(next + 1, b",."));
    let given = view.ranks(at).first_name >= 10 && is_somebody(view, at, 10);
    ((asked || kin) && view.case(next) == Case::Lower && given && view.sentence_start(at)).then_some(dash)
}
