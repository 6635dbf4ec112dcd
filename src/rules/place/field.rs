//! The fields of a header whose values are places: `Employer: United Marble`, `Pharmacy: Larch Street Drugs`.

use super::{PLACES, is_kind, is_no_word};
use crate::rules::columns::{Around, Fact};
use crate::rules::name::NAMES;
use crate::rules::word_sets::says;
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// The labels of fields for a place; of others (`Home:`, `Work:`, `Insurance:`) the value is a kind or a state as often.
#[rustfmt::skip]
pub(in crate::rules) const LABELS: &[&str] = &[
    "agency", "chemist", "church", "clinic", "college", "company", "daycare", "employer", "facility", "gym", "hosp",
    "hospital", "hostel", "institution", "insurer", "kindergarten", "nursery", "payer", "payor", "pharmacy", "playgroup",
    "preschool", "school", "shelter", "undertaker", "workplace",
];

/// The most words in the name of a place.
const WORDS: usize = 6;

/// Words that no name of a place begins with.
const NEVER: Classes =
    Classes::of(&[Class::Stop, Class::Clinical, Class::Month, Class::Weekday, Class::PersonNoun, Class::NumberWord]);

/// Words for places of care and firms.
const HEADS: Classes = Classes::of(&[Class::Facility, Class::Organisation]);

/// Which colons stand behind such a label.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    around.here().mark(b':') & around.before(1, |label| label.is(Fact::Direction))
}

/// Anchor: a colon. The words with capital letters that fill the field: two and more whatever they mean, one that is a name.
pub(in crate::rules) fn find(view: &View<'_>, colon: usize, findings: &mut Findings) {
    let label = colon.checked_sub(1).filter(|&label| LABELS.contains(&view.word(label)));
    let first = colon + 1;
    if label.is_none() || view.gap(first) > Gap::Space || view.any(first, NEVER) || is_state(view, first) {
        return;
    }
    let end = end_of_value(view, first);
    let ends = !view.is_word(end) || view.case(end) == Case::Lower || view.gap(end) >= Gap::Wide;
    let over = ends && !view.is_mark(end, b':');
    let named = (first..end).any(|at| view.is_word(at) && !is_kind(view, at) && !view.any(at, HEADS));
    let sure = match view.case(first) {
        // `Hosp: massive hospital`
        Case::Lower => end > first && view.any(end - 1, HEADS),
        _ => end > first + 1 || is_no_word(view, first) || view.any(first, NAMES) || view.any(first, PLACES),
    };
    if over && named && sure {
        findings.remove(first, end, Kind::Organisation, Certainty::Likely);
    }
}

/// One past the words with capital letters, or those in small letters where the first is, and what joins them.
fn end_of_value(view: &View<'_>, first: usize) -> usize {
    let (mut end, mut at) = (first, first);
    while at < first + WORDS && (at == first || view.gap(at) <= Gap::Space) {
        let plain = view.case(first) == Case::Lower && !view.is(at, Class::Stop);
        if view.is_word(at) && (view.capitalised(at) || plain) {
            end = at + 1;
        } else if at == first || !view.is_any_mark(at, b"-&'") && !says!(view, at, "and" | "of" | "the" | "s") {
            break;
        }
        at += 1;
    }
    end
}

/// `School: Full time`, `Employer: None`: words that say how or whether, not where.
fn is_state(view: &View<'_>, at: usize) -> bool {
    let key = view.key(at);
    says!(
        view,
        at,
        key,
        "full" | "part" | "self" | "retired" | "employed" | "special" | "regular" | "public" | "private"
    ) || says!(
        view,
        at,
        key,
        "student" | "yes" | "none" | "unknown" | "disabled" | "closed" | "open" | "local" | "same"
    )
}
