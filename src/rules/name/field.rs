//! Names in header fields: `Patient Name: ROSE, May B.`, `Dictated by: J. Brown`, `cc: Dr. Field`.

use super::{NAMES, Trust, end_of_credential, end_of_full_name, end_of_name, is_shouted, is_unlisted, lean, small};
use crate::rules::columns::{Around, Fact};
use crate::rules::word_sets::{WordSet, says};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Field values that are no name: `Attending: none`, `Patient: Unknown`.
const NOT_VALUES: Classes = Classes::of(&[Class::Stop, Class::PersonNoun, Class::Relative]);

/// How many values a field may have.
const VALUES: usize = 8;

/// How many tokens a field's label may have.
const LABEL: usize = 6;

/// Which bars stand in a table, and which colons and dashes behind a label that may have a name for its value: its last word says so, unless a
/// mark stands there.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    const LABELS: Classes = Classes::of(&[Class::NameField, Class::PersonNoun, Class::Relative]);
    // The quotation mark is the one of a key in JSON; it has the column of `%`.
    let label = around.before(1, |left| left.any(LABELS) | left.is(Fact::Lettered) | left.marks(b"()/.-#&%"));
    // `Name ........ Wood`: the last of several points.
    let point = |far| around.before(far, |left| left.mark(b'.'));
    let name = around.behind(1, |next| next.capitalised() | next.on(Class::NamePrefix));
    let dots = around.here().mark(b'.') & point(1) & point(2) & name;
    around.here().mark(b'|') | around.here().mark(b':') & label | dots | small::near_dash(around)
}

/// Anchors: a colon, a dash, a bar, the last of the points that lead from a label to its value.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if view.is_mark(at, b'.') {
        led(view, at, findings);
        return;
    }
    if view.is_mark(at, b'-') {
        small::find(view, at, behind_titles(view, at + 1), findings);
        return;
    }
    if view.is_mark(at, b'|') {
        super::segment::find(view, at, findings);
        return;
    }
    super::segment::find_key(view, at, findings);
    // `Eye Contact: Good`
    if at > 1 && says!(view, at - 1, "contact") && says!(view, at - 2, "eye" | "skin" | "sexual" | "social") {
        return;
    }
    if at == 0 || !view.joined(at) && view.gap(at) > Gap::Space {
        return;
    }
    small::find(view, at, behind_titles(view, at + 1), findings);
    if ROLES.has(view, at - 1) {
        role(view, at, findings);
    }
    let Some(mut label) = label(view, at) else { return };
    let mut first = at + 1;
    // `mother: rose`; but `mother: diabetes`
    let given = view.ranks(first).first_name >= 10 && !view.is(first, Class::Clinical);
    if given && view.is(first, Class::FirstName) && view.is(at - 1, Class::Relative) {
        label = Trust::Any;
    }
    // An empty field's value may stand on the next line, but not the next label.
    let next_label = view.ends_line(first) && (1..=LABEL).any(|ahead| view.is_mark(first + ahead, b':'));
    if next_label || view.gap(first) >= Gap::Paragraph {
        return;
    }
    for _ in 0..VALUES {
        let start = behind_titles(view, first);
        let filled = if label == Trust::Any { pair_to_end(view, start) } else { fills(view, start, 2) };
        if filled > start {
            findings.remove(start, filled, Kind::Name, Certainty::Likely);
            return;
        }
        let Some(end) = value(view, start, label) else { return };
        findings.remove(start, end, Kind::Name, Certainty::Sure);
        first = match next_value(view, end) {
            Some(next) => next,
            None => return,
        };
    }
}

/// One past the titles at the beginning of a value.
fn behind_titles(view: &View<'_>, first: usize) -> usize {
    let mut at = first;
    while view.is(at, Class::Title) && view.is_word(at) {
        at += 1 + usize::from(view.is_mark(at + 1, b'.') && view.joined(at + 1));
    }
    at
}

/// One past the name that a value begins with: behind a label of names alone, whatever it looks like.
fn value(view: &View<'_>, start: usize, label: Trust) -> Option<usize> {
    // `PCP: Garner, Call`, `pt: weaver, priya`: a family name, a comma and a first name, whatever the label is worth.
    let given = start + 2;
    let listed = view.any(start, NAMES)
        && view.is_mark(start + 1, b',')
        && view.same_line(given)
        && view.width(given) > 1
        && (view.any(given, NAMES) && view.case(start) == Case::Capital && view.capitalised(given)
            || view.is(given, Class::FirstName) && lean(view, given) >= 0
            || is_unlisted(view, given));
    let trust = match () {
        () if listed && !view.is(start, Class::Stop) => Trust::Any,
        () if (view.any(start, NOT_VALUES) || is_said(view, start)) && !listed => Trust::Form,
        () => label,
    };
    // `Dictated: 6/16/98`, `Attending: None`, and sentences that happen to follow a colon.
    let other = says!(view, start, "none" | "na" | "not" | "same") || view.is(start, Class::NameField);
    if !view.is_word(start) || other && !listed || trust == Trust::Form && !view.capitalised(start) {
        return None;
    }
    let end = end_of_full_name(view, start, trust);
    (end > start).then(|| with_letter(view, on_one_line(view, start, end)))
}

/// Whether a value in small letters is a word that hardly anybody bears: `Patient: stable`.
fn is_said(view: &View<'_>, at: usize) -> bool {
    let ranks = view.ranks(at);
    view.case(at) == Case::Lower && !is_unlisted(view, at) && ranks.surname.max(ranks.first_name) <= ranks.frequency
}

/// `Prescriber: LOVE, T NPI`: takes in the letter behind a comma.
fn with_letter(view: &View<'_>, end: usize) -> usize {
    let letter = end + 1;
    let initial = view.is_mark(end, b',')
        && view.is_word(letter)
        && view.width(letter) == 1
        && view.capitalised(letter)
        && view.gap(letter) == Gap::Space
        && !view.token(letter + 1).glued()
        && end_of_credential(view, letter) == letter;
    if initial { letter + 1 } else { end }
}

/// `Operator ..... Wood`: what points lead to.
fn led(view: &View<'_>, last: usize, findings: &mut Findings) {
    const MOST: usize = 80;
    let mut first = last;
    while first > 0 && last - first < MOST && view.is_mark(first - 1, b'.') && view.joined(first) {
        first -= 1;
    }
    let (value, trust) = (last + 1, label(view, first));
    if last - first < 2 || !trust.is_some_and(|trust| trust > Trust::Form) || view.gap(value) > Gap::Wide {
        return;
    }
    let end = end_of_full_name(view, value, Trust::Capital);
    if end > value && !view.any(value, NOT_VALUES) {
        findings.remove(value, end, Kind::Name, Certainty::Sure);
    }
}

/// Labels before the colon of which the value is a name, but a procedure, a drug or a result as often. Sorted.
#[rustfmt::skip]
pub(in crate::rules) static ROLES: WordSet = WordSet::new(&[
    "accepting", "adjuster", "aide", "anaes", "anaesthesia", "anaesthetist", "anes", "anesthesia", "apologies", "assessor", "assist", "assistants",
    "asst", "attendance", "attendant", "backup", "break", "call", "caller", "carer", "caseworker", "chair", "chaperone", "charge", "circ",
    "circulator", "cm", "cmw", "cna", "cns", "contact", "coordinator", "cosign", "cosigner", "cpn", "dr", "driver", "emt", "escort", "fellow",
    "float", "gp", "handler", "handoff", "hcp", "hv", "hyg", "hygienist", "interp", "keyworker", "landlord", "lpn", "lvn", "ma", "medic", "mgr",
    "midwife", "minutes", "mw", "neighbor", "neighbour", "notified", "np", "nurse", "odp", "officer", "onc", "op", "operator", "pi", "po", "police",
    "presenter", "proxy", "rad", "ref", "referring", "reg", "rehab", "relay", "relief", "rep", "reporter", "res", "ride", "rmo", "rn", "roommate",
    "rph", "rt", "sc", "scrub", "sho", "signout", "sitter", "slp", "sponsor", "sup", "supervisor", "surg", "surrogate", "sw", "tech", "tutor", "tx",
    "vet", "volunteer", "wife", "witness", "worker",
]);

/// Of these the values are words as well: `RT: clear`, `Onc: stable`. Sorted.
#[rustfmt::skip]
static LOOSE: WordSet = WordSet::new(&[
    "assist", "break", "cns", "driver", "hv", "ma", "mw", "onc", "op", "po", "rad", "reg", "relief", "rep", "res", "rt", "sho", "sup",
]);

/// A colon. `SURG: Grant`, `ANES: GETA, Storm`, `hyg: Misty`, `REF: PRICE`: values of which some are names and nothing else.
fn role(view: &View<'_>, colon: usize, findings: &mut Findings) {
    const LONGEST: usize = 4;
    let mut first = colon + 1;
    for _ in 0..VALUES / 2 {
        let start = behind_titles(view, first);
        if !view.is_word(start) || view.gap(start) > Gap::Space {
            return;
        }
        let end = fills(view, start, 1);
        if end > start && (!LOOSE.has(view, colon - 1) || lean(view, start) >= 7) {
            findings.remove(start, end, Kind::Name, Certainty::Likely);
        }
        let Some(next) = (end..start + LONGEST)
            .take_while(|&at| view.gap(at + 1) < Gap::Wide && !view.is_any_mark(at, b".:|"))
            .find(|&at| view.is_any_mark(at, b",/&"))
        else {
            return;
        };
        first = next + 1;
    }
}

/// One past a value that is the name of a person and nothing else: `cc: Iris Strap`, `re: patience croft`, `Scrub: Ivy T.`; of
/// one word where one is enough.
fn fills(view: &View<'_>, first: usize, least: usize) -> usize {
    const NEVER: Classes = NOT_VALUES.or(Classes::of(&[Class::Title, Class::Facility, Class::Country, Class::State]));
    const THINGS: Classes =
        Classes::of(&[Class::Clinical, Class::Measurement, Class::Dose, Class::Brand, Class::EponymNoun]);
    const NEXT: Classes = Classes::of(&[Class::PhoneKeyword, Class::IdKeyword, Class::NameField]);
    let plain = view.case(first) == Case::Lower || is_shouted(view, first);
    let person = |at: usize| view.any(at, NAMES) || is_unlisted(view, at);
    let borne = |at: usize| {
        let ranks = view.ranks(at);
        view.any(at, NAMES)
            && !view.any(at, THINGS)
            && (ranks.surname.max(ranks.first_name) >= 8 || is_unlisted(view, at))
    };
    let other = says!(view, first, "general" | "local" | "regional" | "block" | "choice" | "none");
    if least == 1 && (other || !view.capitalised(first)) {
        return first;
    }
    let (mut end, mut words, mut borne_by, mut family) = (first, 0, 0, false);
    let next = |at: usize| end_of_credential(view, at) > at || view.any(at, NEXT) && view.width(at) > 1;
    while words < 4 && view.is_word(end) && (end == first || view.gap(end) <= Gap::Space && !next(end)) {
        let letter = view.width(end) == 1 && (view.capitalised(end) || words > 0);
        let part = person(end) || view.is(end, Class::NamePrefix) || letter || !plain && view.capitalised(end);
        if !part || !letter && view.any(end, NEVER) && !(words > 0 && !plain && view.any(end, NAMES)) {
            return first;
        }
        words += usize::from(!letter);
        borne_by += usize::from(!letter && borne(end));
        family |= words > 1 && !letter && (person(end) || view.is(end, Class::Eponym) || !view.any(end, THINGS));
        end += 1;
        let initial = letter && view.is_mark(end, b'.') && view.joined(end);
        let hyphen = view.is_mark(end, b'-') && view.joined(end) && view.joined(end + 1);
        end += usize::from(initial || hyphen);
    }
    let over = view.gap(end) >= Gap::Wide
        || view.is_any_mark(end, b",/;.(|&")
        || view.is_number(end) && view.width(end) > 2
        || next(end)
        || (1..3).any(|ahead| view.is_mark(end + ahead, b':'));
    let given = view.is(first, Class::FirstName) && (lean(view, first) >= -3 || view.ranks(first).first_name >= 9)
        || is_unlisted(view, first);
    // `Op: Heart, J. / fellow`: a word, a comma and one letter.
    let listed = least == 1 && words == 1 && with_letter(view, end) > end && view.case(first) == Case::Capital;
    let named =
        if words == 1 { least == 1 && borne_by == 1 } else { given && family || least == 1 && borne_by == words };
    match () {
        () if listed => with_letter(view, end),
        () if words > 0 && over && named => end,
        () => first,
    }
}

/// Where the part of a name ends that stands on the first of its lines: `Name: Hope Rivers` above `Hope is well`. The next line is
/// part of it only where the first cannot be all: behind a comma, a hyphen, an initial or a word alone.
fn on_one_line(view: &View<'_>, start: usize, end: usize) -> usize {
    let words = |to: usize| (start..to).filter(|&at| view.is_word(at) && view.bytes(at).len() > 1).count();
    let broken = (start + 1..end).find(|&at| view.ends_line(at));
    match broken {
        Some(at) if words(at) > 1 && !view.is_any_mark(at - 1, b",-.") => at,
        _ => end,
    }
}

/// Where a value ends that is a word, a comma and one or two words or letters up to the end of the field, of which one is a name:
/// `PATIENT NAME: READER, ILONKA B.`; or two words, perhaps with a letter between: `Patient Name: Friend T More`. `first` itself if
/// it is something else.
fn pair_to_end(view: &View<'_>, first: usize) -> usize {
    const MEDICINE: Classes =
        Classes::of(&[Class::Clinical, Class::Term, Class::EponymNoun, Class::Measurement, Class::WardNoun]);
    let over = |end: usize| view.gap(end) >= Gap::Wide || view.is_any_mark(end, b"|;(");
    let letter = usize::from(view.is_word(first + 1) && view.width(first + 1) == 1 && view.capitalised(first + 1));
    let point = usize::from(letter == 1 && view.is_mark(first + 2, b'.'));
    let family = first + 1 + letter + point;
    let person = |at: usize| !view.is(at, Class::Stop) && (view.any(at, NAMES) || is_unlisted(view, at));
    // `Primary: Colon Cancer`
    let thing = |at: usize| view.any(at, MEDICINE) && lean(view, at) < 0;
    let plain = view.capitalised(first)
        && !thing(family)
        && (letter == 1 || !thing(first))
        && view.is_word(family)
        && view.width(family) > 1
        && (first + 1..=family).all(|at| view.gap(at) <= Gap::Space)
        && view.case(first) == view.case(family)
        && over(family + 1)
        && (letter == 1 || person(first))
        && !view.any(family, Classes::of(&[Class::Credential, Class::Facility, Class::PersonVerb]));
    if plain {
        return family + 1;
    }
    let double = |at: usize| if view.is_mark(at, b'-') && view.joined(at) && view.joined(at + 1) { at + 2 } else { at };
    let comma = double(first + 1);
    if !view.is_word(first) || !view.is_mark(comma, b',') || view.width(first) < 2 {
        return first;
    }
    let given = comma + 1;
    let mut end = given;
    while end < given + 4 && view.is_word(end) && view.gap(end) <= Gap::Space && end_of_credential(view, end) == end {
        end = double(end + 1);
        end += usize::from(view.width(end - 1) == 1 && view.is_mark(end, b'.') && view.joined(end));
    }
    let words = (given..end).filter(|&at| view.is_word(at)).count();
    // `Attending: none, unassigned`
    let fits = over(end) && (1..=2).contains(&words) && view.case(first) == view.case(given);
    if fits && (person(first) || person(given)) && !says!(view, first, "none" | "see" | "same" | "not" | "n") {
        end
    } else {
        first
    }
}

/// How far the words before the colon at `colon` say that a name follows.
fn label(view: &View<'_>, colon: usize) -> Option<Trust> {
    let mut at = colon;
    let mut trust = None;
    let mut read = false;
    for _ in 0..LABEL {
        if at == 0 {
            break;
        }
        at -= 1;
        if view.is_word(at) {
            let last = !read;
            read = true;
            if view.is(at, Class::NameField) {
                // `Dictated by:`, `Attending:`, `Patient Name:`; but `PROCEDURE PERFORMED:`, `CC:`, `To:` and `Primary:` have
                // other values more often.
                let other = last
                    && (view.bytes(at).ends_with(b"ed")
                        || view.width(at) < 3
                        || says!(view, at, "primary" | "present" | "team" | "crew" | "consultants" | "from"));
                trust = trust.max(Some(if other {
                    Trust::Form
                } else if last || trust.is_some() {
                    Trust::Any
                } else {
                    Trust::Form
                }));
            } else if last && view.is(at, Class::PersonNoun) {
                trust = trust.max(Some(Trust::Form));
            } else if last {
                // The value belongs to the last word of the label: `T/C from Olive: still hoarse`.
                return None;
            }
        } else if !view.is_any_mark(at, b"()/.-#&") {
            break;
        }
        if view.token(at).line_start() || view.gap(at) >= Gap::Wide {
            break;
        }
    }
    trust
}

/// Where the next name of a list begins: after a comma, `and`, `/`, `;` or `&`, with credentials between.
fn next_value(view: &View<'_>, end: usize) -> Option<usize> {
    let mut at = end;
    let mut separated = false;
    for _ in 0..4 {
        if view.is_any_mark(at, b",;/&") {
            at += 1;
            separated = true;
        }
        let credential = end_of_credential(view, at);
        if credential > at {
            at = credential;
            continue;
        }
        break;
    }
    if says!(view, at, "and" | "&") {
        at += 1;
        separated = true;
    }
    let begins = separated && view.same_line(at) && view.capitalised(at);
    (begins && end_of_name(view, at, Trust::Capital, 3) > at).then_some(at)
}
