//! What only people do, have and are: `Ogindan and Price lifted him`, `Ginger is a 34 yo baker`, `Grace in registration`.
//!
//! `bare` asks for it, where it judges a word that is a name too.

use super::bare::NO_NAME;
use super::{is_unlisted, lean};
use crate::rules::View;
use crate::rules::view::{WordSet, says};
use crate::token::{Case, Kind};
use crate::vocabulary::{Class, Classes};

/// What only people own. Sorted.
#[rustfmt::skip]
static OWNED: WordSet = WordSet::new(&[
    "appetite", "assistance", "brother", "care", "chart", "concern", "concerns", "consult", "daughter", "dictation",
    "family", "father", "help", "husband", "impression", "input", "insurance", "mood", "mother", "note", "notes",
    "office", "opinion", "plan", "recommendation", "recommendations", "records", "request", "room", "service", "sister",
    "son", "team", "wife",
]);

/// `Blood's note`, `Large's input`: what only people have.
pub(super) fn owns(view: &View<'_>, at: usize) -> bool {
    view.token(at + 1).kind == Kind::Possessive && OWNED.has(view, at + 2)
}

/// What only somebody with a mind does: `Salt thinks`, `Rice and I looked`, `Wells, who`; and what may lead to such. Sorted.
#[rustfmt::skip]
static LEADS: WordSet = WordSet::new(&[
    "and", "asks", "believes", "enjoys", "got", "hopes", "is", "knows", "prefers", "says", "sleeps", "slept", "thinks", "thought",
    "told", "understands", "wants", "was", "who", "whose", "will", "wishes",
]);

/// `Ogindan and Price lifted him`: somebody of a name that is no word stands before, and what people do behind.
pub(super) fn is_beside_somebody(view: &View<'_>, at: usize) -> bool {
    at > 1
        && says!(view, at - 1, "and")
        && view.case(at - 2) == Case::Capital
        && (is_unlisted(view, at - 2) || lean(view, at - 2) >= 7)
        && acts(view, at + 1)
}

/// Whether several do here what people do: `helped`, `are worried`, `understand`.
fn acts(view: &View<'_>, at: usize) -> bool {
    const DOES: Classes = Classes::of(&[Class::HumanVerb, Class::PersonVerb]);
    let does = at + usize::from(says!(view, at, "are" | "were" | "both" | "will"));
    view.case(at) == Case::Lower && view.any(does, DOES)
}

/// Whether the words behind a name are said of people alone.
pub(super) fn is_of_a_mind(view: &View<'_>, next: usize) -> bool {
    let at = next + usize::from(view.is_mark(next, b','));
    if view.case(at) != Case::Lower || !LEADS.has(view, at) {
        return false;
    }
    let other = at + 1;
    let key = view.key(at);
    if at > next || says!(view, at, key, "who" | "whose") {
        return says!(view, at, key, "who" | "whose");
    }
    if says!(view, at, key, "and") {
        // `Price and Ogindan lifted him`
        let somebody = is_unlisted(view, other) || lean(view, other) >= 7;
        return view.capitalised(other)
            && view.case(other + 1) == Case::Lower
            && (says!(view, other, "i") || somebody && acts(view, other + 1));
    }
    if says!(view, at, key, "will") {
        // `Young will phone him`: nothing else does that to somebody.
        return view.is(other, Class::PersonVerb)
            && says!(view, other + 1, "her" | "him" | "them" | "pt" | "patient" | "me");
    }
    if says!(view, at, key, "was" | "is" | "got") {
        // `Mason got up to walk the hall`
        let place = |at: usize| says!(view, at, "chair" | "bathroom" | "commode" | "walking" | "lib" | "hall");
        return says!(view, other, "up" | "oob") && (other + 1..other + 5).any(place);
    }
    true
}

/// `is a 34 yo`, `is 34,`: an age is said of nothing else.
pub(super) fn is_aged(view: &View<'_>, at: usize) -> bool {
    if !says!(view, at, "is" | "was") {
        return false;
    }
    let number = at + 1 + usize::from(says!(view, at + 1, "a" | "an"));
    let next = number + 1 + usize::from(view.is_mark(number + 1, b'-'));
    view.whole(number).is_some_and(|age| age < 120)
        && says!(view, next, "yo" | "y" | "yr" | "yrs" | "year" | "years" | "yof" | "yom" | "m" | "f")
}

/// Whether it goes on as only a person does whose first name stands before: what is reported or said, the place among brothers and
/// sisters.
pub(super) fn is_of_a_child(view: &View<'_>, at: usize) -> bool {
    let child = |at: usize| says!(view, at, "youngest" | "oldest" | "eldest" | "middle" | "only" | "second" | "third");
    says!(view, at, "reports" | "reported" | "states" | "stated" | "says" | "said" | "thinks" | "wants" | "enjoys")
        || says!(view, at, "pls" | "plz" | "please")
        || says!(view, at, "seen") && says!(view, at + 1, "for" | "today" | "alone")
        || says!(view, at, "was") && says!(view, at + 1, "born" | "admitted" | "discharged" | "brought")
        || says!(view, at, "was") && says!(view, at + 1, "seen") && is_visit(view, at + 2)
        || says!(view, at, "here") && says!(view, at + 1, "w" | "with" | "for" | "today" | "alone")
        || says!(view, at, "at") && says!(view, at + 1, "work" | "school" | "lunch")
        || says!(view, at, "at") && says!(view, at + 1, "bedside") && !says!(view, at - 1, "walker" | "cane" | "bell")
        || says!(view, at, "on") && says!(view, at + 1, "leave" | "call" | "holiday" | "duty" | "nights" | "vacation")
        || says!(view, at, "is" | "was") && says!(view, at + 1, "the" | "an") && child(at + 2)
}

/// What only people do in a hospital. Sorted.
#[rustfmt::skip]
static ORDERS: WordSet = WordSet::new(&[
    "adjusted", "charted", "cosigned", "covering", "dictated", "documented", "examined", "interpreted", "ordered",
    "orders", "precepted", "prescribed", "prescribes", "recommended", "recommends", "reviewed", "reviews", "rounding",
    "scrubbed", "signed", "started", "stopped",
]);

/// What is said of people first, but of things too. Sorted.
#[rustfmt::skip]
static DOES: WordSet = WordSet::new(&[
    "ate", "brought", "came", "can", "did", "does", "fell", "felt", "gave", "gets", "got", "had", "has", "heard", "is",
    "kept", "left", "lost", "made", "met", "ran", "sat", "saw", "slept", "spoke", "stood", "thinks", "took", "was", "went",
    "woke", "wrote",
]);

/// Whether the word is a finite form of such a verb: `turned`, `seems`, not `care`.
fn is_done(view: &View<'_>, at: usize) -> bool {
    let ends = view.bytes(at).ends_with(b"ed") || view.bytes(at).ends_with(b"s") && !view.bytes(at).ends_with(b"ss");
    ends && view.is(at, Class::PersonVerb)
        || DOES.has(view, at)
        || says!(
            view,
            at,
            "looks" | "remains" | "remained" | "scored" | "weighs" | "lives" | "turns" | "stays" | "stayed"
        )
}

/// Whether a word at the start of a sentence does what people do: what few say and many are called may do what things do too.
pub(super) fn is_subject(view: &View<'_>, at: usize, next: usize) -> bool {
    const THINGS: Classes = Classes::of(&[
        Class::Stop,
        Class::Clinical,
        Class::Counted,
        Class::Sized,
        Class::EponymNoun,
        Class::Brand,
        Class::Organism,
        Class::Season,
        Class::Month,
        Class::Measurement,
        Class::Score,
        Class::Dose,
        Class::Level,
        Class::WardNoun,
        Class::Eponym,
    ]);
    let ranks = view.ranks(at);
    let orders = ORDERS.has(view, next) && ranks.surname.max(ranks.first_name) >= 11 && !view.any(at, NO_NAME);
    if orders && lean(view, at) >= 4 && !view.any(at, Classes::of(&[Class::Clinical, Class::Measurement])) {
        return true;
    }
    let common = ranks.first_name >= 12 || ranks.surname >= 14;
    common
        && is_done(view, next)
        && lean(view, at) >= 9
        && !view.any(at, THINGS)
        && !says!(view, at, "waters" | "faith" | "hope" | "art" | "mark" | "ray" | "iris")
}

/// `was seen on Monday`, `was seen for a cough`: a stone is seen on films.
fn is_visit(view: &View<'_>, at: usize) -> bool {
    let day = view.is_number(at + 1) || view.any(at + 1, Classes::of(&[Class::Weekday, Class::Month]));
    says!(view, at, "for" | "today") || says!(view, at, "on" | "in") && day
}

/// Parts of a hospital from which people call and where nothing is measured.
pub(super) fn is_office(view: &View<'_>, at: usize) -> bool {
    says!(view, at, "registration" | "billing" | "admitting" | "admissions" | "scheduling" | "records" | "reception")
        || says!(view, at, "payroll" | "hr" | "housekeeping" | "dietary" | "transport" | "security" | "finance")
        || says!(view, at, "pharmacy" | "facilities" | "maintenance" | "compliance" | "intake")
}
