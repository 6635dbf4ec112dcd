//! Firms, schools and homes whose names are ordinary words: `worked at United Marble until`, `a form for Blue Heron Foods`,
//! `works at corbin textiles`.

use super::{PLACES, is_kind, is_no_word};
use crate::rules::columns::{Around, Fact};
use crate::rules::name::{NAMES, is_shouted, is_titled, lean};
use crate::rules::view::{WordSet, says};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// How many words such a name may have.
const MOST: usize = 5;

/// Words with capital letters that name no firm, even where somebody works at what follows.
const NEVER: Classes = Classes::of(&[
    Class::Title,
    Class::Credential,
    Class::Month,
    Class::Weekday,
    Class::Holiday,
    Class::Brand,
    Class::WardNoun,
    Class::Stop,
    Class::Country,
    Class::NumberWord,
]);

/// Words of medicine and of people.
const MEDICINE: Classes = Classes::of(&[
    Class::EponymNoun,
    Class::Clinical,
    Class::Measurement,
    Class::Score,
    Class::Unit,
    Class::Dose,
    Class::Level,
    Class::PersonNoun,
    Class::Relative,
])
.or(NEVER);

/// Words with capital letters that name no firm.
const OTHER: Classes = MEDICINE.or(Classes::of(&[Class::Eponym, Class::Marker]));

/// Words that are no second word of a shop's name: `at Pain Management`; an eponym may be.
const MEDICAL: Classes = MEDICINE.or(Classes::of(&[Class::Term, Class::Facility, Class::Organisation]));

/// Anchor: a word that places follow, one of those of [`super::after_cue`].
pub(in crate::rules) fn find(view: &View<'_>, cue: usize, findings: &mut Findings) {
    let first = cue + 1 + usize::from(says!(view, cue + 1, "the"));
    if view.gap(first) > Gap::Line || !view.is_word(first) {
        return;
    }
    if view.case(first) == Case::Lower || is_shouted(view, first) {
        if let Some(end) = plain(view, cue, first).filter(|_| works_before(view, cue)) {
            findings.remove(first, end, Kind::Organisation, Certainty::Weak);
        }
        return;
    }
    let capital = |at: usize| {
        view.is_word(at)
            && view.case(at) == Case::Capital
            && (view.width(at) > 2 || at > first && view.width(at) == 2 && !view.is(at, Class::Stop))
            && (at == first || view.gap(at) == Gap::Space && !view.border_before(at))
    };
    if !capital(first) {
        return;
    }
    let there = says!(view, cue, "at" | "@" | "attends" | "attended" | "via");
    let works = works_before(view, cue);
    // `Home With Home Health`, `Due Date by Early Ultrasound`
    if !there && !works && !is_no_word(view, first) && is_titled(view, first) {
        return;
    }
    // `works nights at Iron Horse Foundry`: iron is measured elsewhere.
    // `at Food Lion`: what is taken or measured elsewhere, before a name that is nothing of medicine.
    let shop = there
        && capital(first + 1)
        && view.any(first + 1, NAMES)
        && !is_kind(view, first + 1)
        && !view.any(first + 1, MEDICAL);
    let other = if works && !is_kind(view, first) || shop { NEVER } else { OTHER };
    // `at Sacred Heart`, `by Tender Mercies`: one of the two is a word that medicine has no use for.
    let over =
        |next: usize| view.is_any_mark(next, b",.;)-(:") || view.ends_line(next) || view.case(next) == Case::Lower;
    let rare = (there || says!(view, cue, "by" | "to" | "from"))
        && view.case(cue) == Case::Lower
        && capital(first + 1)
        && !is_crew(view, first + 1)
        && !is_kind(view, first)
        && (is_rare(view, first) && !view.any(first + 1, PEOPLE)
            || is_rare(view, first + 1) && !view.any(first, PEOPLE))
        && (over(first + 2) || view.is_number(first + 2));
    if rare {
        findings.remove(first, first + 2, Kind::Organisation, Certainty::Weak);
    }
    // `confirmed at Turning Point`, `referred to Next Step`: two words of every day.
    let sent = says!(view, cue, "to" | "from" | "by") && cue > 0 && view.is(cue - 1, Class::PlaceCue);
    let daily = |at: usize| view.is(at, Class::English) && !view.any(at, DAILY) && !is_kind(view, at);
    if (there || works || sent)
        && view.case(cue) == Case::Lower
        && capital(first + 1)
        && daily(first)
        && daily(first + 1)
        && !is_crew(view, first + 1)
        && over(first + 2)
        && !view.is_mark(first + 2, b':')
    {
        findings.remove(first, first + 2, Kind::Organisation, Certainty::Weak);
    }
    // `discharged to The Laurels;`: inside a sentence the article has a capital letter in a name only.
    let article = first > cue + 1 && view.case(cue + 1) == Case::Capital && view.case(cue) == Case::Lower;
    if article && !view.any(first, OTHER) && !is_kind(view, first) && over(first + 1) {
        findings.remove(first, first + 1, Kind::Organisation, Certainty::Weak);
    }
    // `drives for Swift`, but `swift 4411`
    if view.any(first, other) || view.is(first, Class::IdKeyword) && (!works || view.is_number(first + 1)) {
        return;
    }
    let mut end = first;
    let mut named = false;
    while end < first + MOST && capital(end) && !view.any(end, other) {
        named |= is_no_word(view, end) || lean(view, end) >= 0 || view.is(end, Class::City);
        end += 1;
        // `Pell & Sons`, `The Elms at Tamarack`
        // `at Back in Motion`: a town stands behind `in` otherwise.
        let inner = there
            && end == first + 1
            && says!(view, end, "in" | "on" | "for" | "of")
            && capital(end + 1)
            && !view.any(first, Classes::of(&[Class::Facility, Class::Organisation, Class::City]))
            && lean(view, first) < 8
            && !view.any(end + 1, PLACES.with(Class::State))
            && !view.any(end + 1, OTHER);
        if says!(view, end, "&" | "and" | "at" | "of") && capital(end + 1) && works || inner {
            end += 1;
        }
    }
    // `at Maple Infusion`, `@ Summit Surgery`: what is done there.
    let trade = there
        && end > first
        && view.is_word(end)
        && view.case(end) == Case::Capital
        && view.gap(end) == Gap::Space
        && TRADES.has(view, end)
        && !(first..end).any(|at| is_kind(view, at));
    end += usize::from(trade);
    // One word alone says little: `works at Baseline`.
    let long = end > first + 1 || works && end > first && !is_kind(view, first) && !view.any(first, OTHER);
    // A term of medicine is no name: `at Maple Infusion` is.
    let last =
        view.is_any_mark(end, b",.;)-(") || view.ends_line(end) || !view.is_word(end) || view.case(end) == Case::Lower;
    let pair = there
        && (shop || !is_kind(view, first))
        && end > first + 1
        && last
        && (first..end).any(|at| view.any(at, NAMES) || view.any(at, PLACES));
    if long && (works || named || trade || pair) {
        findings.remove(first, end, Kind::Organisation, Certainty::Weak);
    }
}

/// `by Rescue Squad`: who comes, and is no firm.
pub(super) fn is_crew(view: &View<'_>, at: usize) -> bool {
    says!(view, at, "squad" | "team" | "crew" | "dept" | "services" | "service" | "police" | "custody")
}

/// Words that are no word of a firm beside one that medicine has no use for.
pub(super) const PEOPLE: Classes = NEVER.or(Classes::of(&[
    Class::PersonNoun,
    Class::Relative,
    Class::Facility,
    Class::Level,
    Class::CodeSystem,
    Class::IdKeyword,
]));

/// Words that notes need.
pub(super) const NEEDED: Classes = PEOPLE.or(Classes::of(&[
    Class::Clinical,
    Class::Literature,
    Class::Term,
    Class::Facility,
    Class::Organisation,
    Class::PersonVerb,
    Class::HumanVerb,
    Class::NameField,
    Class::Sized,
    Class::Counted,
]));

/// Whether the word is English, and medicine never uses it: `Mercies`, `Horizons`.
pub(super) fn is_rare(view: &View<'_>, at: usize) -> bool {
    view.is(at, Class::English) && !view.any(at, NEEDED) && view.width(at) > 3 && view.ranks(at).frequency <= 1
}

/// Words that are no word of a firm of two, whatever the other is.
pub(super) const DAILY: Classes = USED.with(Class::Term);

/// The same without terms of a vocabulary: `Planet` and `Fitness` are terms.
pub(super) const USED: Classes = Classes::of(&[
    Class::Clinical,
    Class::Facility,
    Class::Organisation,
    Class::WardNoun,
    Class::Measurement,
    Class::PersonNoun,
    Class::Relative,
    Class::Title,
    Class::Month,
    Class::Weekday,
    Class::Holiday,
    Class::Brand,
    Class::Country,
    Class::State,
    Class::NameField,
    Class::IdKeyword,
]);

/// What is done in a house, at the end of its name. Sorted.
#[rustfmt::skip]
static TRADES: WordSet = WordSet::new(&[
    "cardiology", "care", "chiropractic", "dental", "dermatology", "diagnostics", "dialysis", "drug", "endoscopy", "eyecare",
    "fertility", "hearing", "homecare", "imaging", "infusion", "labs", "lumber", "med", "medical", "nursing", "oncology",
    "optical", "ortho", "orthopedics", "pediatrics", "pharmacy", "physio", "podiatry", "radiology", "rehab", "surgery",
    "therapy", "urology", "wellness",
]);

/// What is said of people who work, live or are known at what follows. Sorted.
#[rustfmt::skip]
pub(in crate::rules) static WORKS: WordSet = WordSet::new(&[
    "ambulance", "apprentice", "baker", "barber", "barista", "barmaid", "bartender", "bartends", "butcher", "caretaker",
    "carpenter", "cashier", "chef", "cleaner", "cleaning", "cleans", "coach", "coached", "coaches", "cooks", "delivers",
    "dishwasher", "driver", "drives", "drove", "electrician", "employed", "employee", "engineer", "enrolled", "farmer",
    "foreman", "form", "front", "graduated", "guard", "hired", "intern", "interns", "janitor", "job", "laid",
    "landscaping", "lecturer", "letter", "librarian", "live", "lived", "lives", "living", "machinist", "mechanic",
    "nanny", "paralegal", "plumber", "porter", "professor", "pupil", "receptionist", "rehab", "resident", "retired",
    "roofer", "seamstress", "sells", "shift", "shops", "student", "students", "studied", "studies", "studying",
    "taught", "teaches", "trainee", "trucker", "volunteer", "volunteers", "waiter", "waitress", "welder", "work",
    "worked", "working", "works",
]);

/// How far before the cue that stands.
const WITHIN: u32 = 4;

/// Whether somebody works, lives or is known at what follows.
fn works_before(view: &View<'_>, cue: usize) -> bool {
    (cue.saturating_sub(WITHIN as usize)..cue).any(|at| WORKS.has(view, at))
}

/// Which cues may have a firm behind them: who works there stands before, and a name or two words behind; or two words with
/// capital letters stand behind.
pub(in crate::rules) fn near(around: &Around<'_>, cues: u64) -> u64 {
    let capital = |far| around.behind(far, |group| group.is(Fact::Capital));
    let part = |far| around.behind(far, |group| group.is(Fact::Capital) & !group.is(Fact::UpToTwo));
    let pair = |far| part(far) & (capital(far + 1) | capital(far + 2));
    let the = cues & around.behind(1, |group| group.is(Fact::The));
    let (first, second) = (cues & pair(1), the & (pair(2) | capital(1) & part(2)));
    let works = around.up_to_before(WITHIN, |group| group.is(Fact::Works));
    let works = cues & works;
    // Most groups of tokens are done here.
    if first | second | works == 0 {
        return 0;
    }
    let named = |far| !around.behind(far, |group| group.any(NEVER));
    let word = |far| around.behind(far, |group| !group.is(Fact::One) & group.none(NOT_PLAIN));
    let case = |far| around.behind(far, |group| group.is(Fact::Lower) | group.is(Fact::Upper));
    let over =
        |far| around.behind(far, |group| !group.is(Fact::Word) | group.is(Fact::NewLine) | group.on(Class::Stop));
    let plain = |far| case(far) & word(far) & (word(far + 1) | over(far + 1));
    (first | works & part(1)) & named(1)
        | (second | works & the & part(2)) & named(2)
        | works & (plain(1) | the & plain(2))
}

/// Words that are in no name of a firm in text without capitals.
const NOT_PLAIN: Classes = Classes::of(&[
    Class::Stop,
    Class::PersonVerb,
    Class::HumanVerb,
    Class::Duration,
    Class::Month,
    Class::WardNoun,
    Class::Relative,
    Class::Clinical,
    Class::NumberWord,
]);

/// Where many people work and live, with no name: `works at night`, `works for cash`. Sorted.
#[rustfmt::skip]
static ANYWHERE: WordSet = WordSet::new(&[
    "airport", "altitude", "apartment", "base", "baseline", "beach", "bedside", "cabin", "camp", "campus", "cash", "casino",
    "city", "computer", "county", "courthouse", "deli", "depot", "desk", "dock", "docks", "dorm", "dorms", "facilities", "fun",
    "games", "garage", "government", "gym", "height", "heights", "jail", "kiosk", "lab", "laundry", "length", "mall", "market",
    "military", "mill", "mine", "moment", "money", "navy", "nights", "office", "pay", "plant", "pool", "port", "post", "present",
    "prison", "projects", "random", "sea", "shop", "shops", "site", "skills", "speed", "stables", "stairs", "state", "station",
    "store", "stores", "supermarket", "theaters", "thrift", "times", "trees", "uni", "wages", "walls", "warehouse", "weekends",
    "wheel", "windows", "work", "yard",
]);

/// `works at frontier`, `drives for swift`, `lives at the larches`: one word right behind what is said of people at work; behind an
/// article in the plural only, as houses are called.
fn is_workplace(view: &View<'_>, cue: usize, first: usize) -> bool {
    const OTHER: Classes = DAILY.or(Classes::of(&[Class::NumberWord, Class::OrdinalWord, Class::Level, Class::Marker]));
    let house = first == cue + 1 || view.bytes(first).ends_with(b"s");
    cue > 0
        && WORKS.has(view, cue - 1)
        && !says!(view, cue - 1, "form" | "letter" | "front" | "shift" | "rehab")
        && says!(view, cue, "at" | "for")
        && house
        && view.width(first) > 3
        && !view.any(first, OTHER)
        && !is_kind(view, first)
        && !ANYWHERE.has(view, first)
}

/// Where a firm ends in text without capitals: where the clause goes on.
fn plain(view: &View<'_>, cue: usize, first: usize) -> Option<usize> {
    const OVER: Classes = Classes::of(&[Class::Stop, Class::PersonVerb]);
    let mut end = first;
    let mut named = false;
    while end < first + MOST
        && !view.any(end, NOT_PLAIN)
        && view.is_word(end)
        && view.width(end) > 1
        && (end == first || view.gap(end) <= Gap::Line && !view.border_before(end))
    {
        named |= is_no_word(view, end) || view.any(end, NAMES) || view.any(end, PLACES);
        end += 1;
    }
    let over = view.is_any_mark(end, b",.;)") || view.ends_line(end);
    let several = named && end > first + 1 && (over || view.any(end, OVER));
    let single = end == first + 1 && (over || view.is(end, Class::Stop)) && is_workplace(view, cue, first);
    (several || single).then_some(end)
}
