//! The fields of a header whose values are places, and what is said of such a place in passing: `Employer: United Marble`,
//! `his work (Allied Granite)`, `her church, Good Shepherd,`.

use super::employer::{DAILY, WORKS, is_rare};
use super::facility::HEADS;
use super::kind::is_kind;
use super::{PLACES, is_no_word};
use crate::rules::columns::{Around, Fact};
use crate::rules::name::{NAMES, lean};
use crate::rules::view::{WordSet, says};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Words that say which sort of ward or house it is.
const KINDS: Classes =
    Classes::of(&[Class::Term, Class::Literature, Class::WardNoun, Class::Level, Class::Facility, Class::EponymNoun]);

/// The labels of fields for a place.
#[rustfmt::skip]
pub(in crate::rules) const LABELS: &[&str] = &[
    "agency", "alf", "bank", "chemist", "church", "clinic", "college", "company", "daycare", "dest", "destination", "dme",
    "employed", "employer", "facility", "gym", "health", "home", "hosp", "hospital", "hostel", "housing", "ins",
    "institution", "insurance", "insurer", "job", "kindergarten", "landlord", "nh", "nursery", "payer", "payor", "pharmacy",
    "placement", "playgroup", "preschool", "school", "shelter", "snf", "store", "undertaker", "ward", "work", "workplace",
];

/// Which colons stand behind such a label; and which other marks, with a capital letter behind them.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let capital = around.behind(1, |group| group.is(Fact::Capital));
    let bracket = here.mark(b'(') & around.behind(1, |group| group.is(Fact::Joined));
    let apart = here.marks(b",-") & around.behind(2, |group| group.is(Fact::Capital) & group.is(Fact::Spaced));
    (here.mark(b':') | (bracket | apart) & capital) & around.before(1, |label| label.is(Fact::Direction))
}

/// Anchors: a colon, and the marks before what is said in passing. The value of a field for a place: `Hosp: massive hospital`,
/// `Employer: United Marble`.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let Some(label) = at.checked_sub(1) else { return };
    if !view.is_mark(at, b':') {
        if let Some(end) = set_off(view, label) {
            findings.remove(at + 1, end, Kind::Organisation, Certainty::Likely);
        }
        return;
    }
    let name = match view.word(label) {
        "hosp" | "employer" | "workplace" | "school" | "institution" => true,
        "employed" | "preschool" | "daycare" | "kindergarten" | "playgroup" | "gym" | "church" | "shelter" => {
            capitals(view, at + 1).is_some()
        }
        "work" | "job" | "company" => capitals(view, at + 1).is_some_and(|end| !is_work(view, at + 1, end)),
        "hospital" | "facility" | "clinic" | "pharmacy" | "agency" => view.capitalised(at + 1),
        "dest" | "destination" | "ins" | "insurance" | "insurer" | "payer" | "payor" | "dme" => {
            view.capitalised(at + 1) && (view.any(at + 1, NAMES) || view.any(at + 1, PLACES))
        }
        "health" => label > 0 && says!(view, label - 1, "home"),
        _ => false,
    };
    let first = at + 1;
    // Of these the value is a name, unless it is a kind of place.
    let called = says!(view, label, "chemist" | "nursery" | "college" | "placement" | "hostel" | "housing" | "ward")
        || says!(view, label, "landlord" | "undertaker");
    if !name && (called || says!(view, label, "home" | "nh" | "snf" | "alf")) {
        let care =
            label > 0 && says!(view, label - 1, "care" | "nursing" | "rest" | "residential" | "retirement" | "funeral");
        let kind = is_kind(view, first) || view.any(first, KINDS) && lean(view, first) < 2;
        home(view, first, care || called && !kind, findings);
        return;
    }
    if !name || view.gap(first) > Gap::Space || !view.is_word(first) || view.is(first, Class::Stop) {
        return;
    }
    // `School: Little Acorns, teacher`: two words and more with capital letters that end there are a name whatever they mean.
    if !matches!(view.word(label), "insurance" | "insurer" | "ins" | "payer" | "payor" | "dme" | "dest" | "destination")
        && let Some(end) = capitals(view, first)
    {
        findings.remove(first, end, Kind::Organisation, Certainty::Likely);
        return;
    }
    let mut end = first;
    for _ in 0..10 {
        if end > first && !view.same_line(end) || !view.is_word(end) && !view.is_any_mark(end, b"-&'.") {
            break;
        }
        if view.is_mark(end, b'.') && (view.width(end - 1) > 2 || view.border_before(end + 1)) {
            break;
        }
        end += 1;
    }
    // The label of the next field is no part of it: `Hosp: Boone Hospital  Unit: 4`.
    if view.is_mark(end, b':') {
        return;
    }
    let known = (first..end)
        .any(|word| view.any(word, PLACES) || view.any(word, NAMES) || view.any(word, HEADS) || is_no_word(view, word));
    if end > first && (known || says!(view, label, "employer")) && end - first < 10 {
        findings.remove(first, end, Kind::Organisation, Certainty::Likely);
    }
}

/// Kinds of work, and words that end one: `Truck Driver`, `Light Duty`, `Night Shift`. Sorted.
#[rustfmt::skip]
static WORK: WordSet = WordSet::new(&[
    "accounting", "assembly", "builder", "construction", "cook", "desk", "duty", "entry", "hours", "labor", "lifting", "line",
    "maid", "office", "painter", "remote", "sales", "service", "shift", "shifts", "stylist", "time", "trade", "warehouse",
]);

/// Whether the words say what somebody does, not for whom.
fn is_work(view: &View<'_>, first: usize, end: usize) -> bool {
    let last = end - 1;
    WORK.has(view, last) || WORK.has(view, first) || WORKS.has(view, last) || view.is(last, Class::PersonNoun)
}

/// One past the name of a place that is set off behind the word for it: `his work (Allied Granite)`, `job - Allied Granite, lifts`,
/// `her church, Good Shepherd,`; of one word where people or towns are called so: `goes to school (Pioneer)`.
fn set_off(view: &View<'_>, label: usize) -> Option<usize> {
    const OTHER: Classes = DAILY.or(Classes::of(&[Class::Stop, Class::HumanVerb, Class::NumberWord, Class::Duration]));
    let (mark, first) = (label + 1, label + 2);
    let key = view.key(label);
    let paid =
        says!(view, label, key, "ins" | "insurance" | "insurer" | "payer" | "payor" | "dme" | "dest" | "destination");
    let called = if says!(view, label, key, "health") { says!(view, label.wrapping_sub(1), "home") } else { !paid };
    if !called || view.case(first) != Case::Capital || !LABELS.contains(&view.word(label)) {
        return None;
    }
    let bracket = view.is_mark(mark, b'(') && view.joined(first);
    // `County Hospital - Ellery Emergency Department` has a branch.
    let dash = view.is_mark(mark, b'-')
        && !view.joined(mark)
        && !view.joined(first)
        && !view.any(label, Classes::of(&[Class::Facility, Class::WardNoun]));
    let own = view.is_mark(mark, b',')
        && (says!(view, label.wrapping_sub(1), "his" | "her" | "their" | "my" | "the")
            || says!(view, label, key, "employer" | "workplace"));
    let end = capitals(view, first).or_else(|| {
        let known = view.any(first, NAMES) || view.any(first, PLACES) || is_rare(view, first);
        let alone = bracket && view.width(first) > 3 && known && !view.any(first, OTHER);
        alone.then_some(first + 1)
    })?;
    let closed = if bracket { view.is_any_mark(end, b"),;") } else { dash || own && view.is_mark(end, b',') };
    let name = (first..end).any(|at| !view.any(at, OTHER) && !is_kind(view, at)) && !is_kind(view, first);
    ((bracket || dash || own) && closed && name && !is_work(view, first, end)).then_some(end)
}

/// One past two to four words with capital letters up to a mark, a number, a small word or the end of the line; none of them says how
/// much somebody works or of which sort a school is.
fn capitals(view: &View<'_>, first: usize) -> Option<usize> {
    const NEVER: Classes = Classes::of(&[
        Class::Stop,
        Class::Clinical,
        Class::Month,
        Class::Weekday,
        Class::NumberWord,
        Class::OrdinalWord,
        Class::HumanVerb,
        Class::Duration,
        Class::IdKeyword,
        Class::PhoneKeyword,
    ]);
    let mut end = first;
    while end < first + 5
        && view.is_word(end)
        && view.case(end) == Case::Capital
        && (end == first || view.gap(end) == Gap::Space)
        && !view.any(end, NEVER)
    {
        let key = view.key(end);
        let sort = says!(view, end, key, "full" | "part" | "time" | "self" | "retired" | "employed" | "special")
            || says!(
                view,
                end,
                key,
                "home" | "regular" | "public" | "private" | "student" | "yes" | "none" | "unknown"
            )
            || says!(view, end, key, "disabled" | "closed" | "open" | "local" | "same" | "grade");
        if sort {
            return None;
        }
        end += 1;
    }
    let over = view.is_any_mark(end, b",.;()-")
        || view.is_number(end)
        || view.ends_line(end)
        || view.is_word(end) && view.case(end) == Case::Lower && view.gap(end) == Gap::Space;
    ((2..=4).contains(&(end - first)) && over).then_some(end)
}

/// `Care home: Rosewood`, `Home: Hope House,`: up to three words with capital letters and nothing else, one of them a name by far.
fn home(view: &View<'_>, first: usize, care: bool, findings: &mut Findings) {
    let never = Classes::of(&[Class::Clinical, Class::Stop, Class::HumanVerb, Class::PersonNoun, Class::Relative]);
    let mut end = first;
    while end < first + 4
        && view.is_word(end)
        && view.case(end) == Case::Capital
        && view.gap(end) <= Gap::Space
        && !view.any(end, never)
    {
        end += 1;
    }
    let over = view.is_any_mark(end, b",.;)(") || view.ends_line(end);
    let named = care
        || (first..end)
            .any(|at| is_no_word(view, at) || view.is(at, Class::City) || lean(view, at) >= 7 || is_rare(view, at));
    if (1..=3).contains(&(end - first)) && over && named && view.gap(first) == Gap::Space {
        findings.remove(first, end, Kind::Organisation, Certainty::Likely);
    }
}
