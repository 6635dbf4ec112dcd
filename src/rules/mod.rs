//! What a pattern says about a stretch of a note: remove it, it is PHI; or keep it, it is medicine.
//!
//! Third step in the way of a note, beside `concepts`. Every rule is a function that looks at the tokens around one
//! *anchor*: a number, a mark, a word of a list. [`RULES`] is the table; adding a rule is one file, one line in the table
//! and one case file. Rules look at a bounded window, so a note takes time in proportion to its length whatever it holds.
//! They know the word lists, not the concepts; `decide` weighs their findings against everything else.

mod age;
mod clinical;
mod code;
mod contact;
mod date;
mod digits;
mod eponym;
mod finding;
mod holiday;
mod identifier;
mod known;
mod month;
mod name;
mod number;
mod phone;
mod place;
mod plate;
mod section;
mod view;
mod zip;

use std::sync::LazyLock;

pub(crate) use clinical::roman;
pub use finding::{Category, Certainty, Finding, Findings, Kind, Verdict};
pub use name::propagate::Names;
pub use number::Number;
pub use section::Headings;
pub use view::View;

use crate::patient::Patient;
use crate::token;
use crate::vocabulary::{Class, Classes};

/// Where a rule is asked.
#[derive(Clone, Copy, Debug)]
pub struct Anchors {
    /// At words that stand on one of these lists.
    pub classes: Classes,
    /// At numbers.
    pub numbers: bool,
    /// At words that begin with a capital letter.
    pub capitals: bool,
    /// At these marks.
    pub marks: &'static [u8],
}

impl Anchors {
    /// Nowhere: the base for `..Anchors::NONE`.
    pub const NONE: Self = Self { classes: Classes::NONE, numbers: false, capitals: false, marks: b"" };

    /// At numbers only.
    pub const NUMBERS: Self = Self { numbers: true, ..Self::NONE };

    /// At words of these lists only.
    pub const fn words(classes: &[Class]) -> Self {
        Self { classes: Classes::of(classes), ..Self::NONE }
    }

    /// At these marks only.
    pub const fn marks(marks: &'static [u8]) -> Self {
        Self { marks, ..Self::NONE }
    }
}

/// One rule of the table.
#[derive(Debug)]
pub struct Rule {
    /// Its name in findings, docs and policies.
    pub name: &'static str,
    /// Where it is asked.
    pub anchors: Anchors,
    /// Looks at the tokens around the anchor and reports what it finds.
    pub find: fn(&View<'_>, usize, &mut Findings),
}

/// Every rule. The order changes nothing: `decide` weighs all findings together.
pub static RULES: &[Rule] = &[
    Rule { name: "name-title", anchors: Anchors::words(&[Class::Title]), find: name::title::find },
    Rule {
        name: "name-credential",
        anchors: Anchors { marks: b".", ..Anchors::words(&[Class::Credential]) },
        find: name::credential::find,
    },
    Rule { name: "name-field", anchors: Anchors::marks(b":"), find: name::field::find },
    Rule {
        name: "name-relative",
        anchors: Anchors::words(&[Class::Relative, Class::PersonNoun]),
        find: name::relative::find,
    },
    Rule {
        name: "name-beside",
        anchors: Anchors { capitals: true, ..Anchors::words(&[Class::FirstName, Class::Surname]) },
        find: name::beside::find,
    },
    Rule { name: "name-bare", anchors: Anchors { capitals: true, ..Anchors::NONE }, find: name::bare::find },
    Rule {
        name: "name-agent",
        anchors: Anchors { marks: b"/", ..Anchors::words(&[Class::PersonVerb, Class::HumanVerb]) },
        find: name::agent::find,
    },
    Rule {
        name: "name-initial",
        anchors: Anchors { capitals: true, marks: b"/:", ..Anchors::NONE },
        find: name::initial::find,
    },
    Rule { name: "name-line", anchors: Anchors { capitals: true, ..Anchors::NONE }, find: name::line::find },
    Rule { name: "name-last-first", anchors: Anchors::marks(b","), find: name::line::last_first },
    Rule { name: "eponym", anchors: Anchors::words(&[Class::Eponym]), find: eponym::find },
    Rule {
        name: "facility",
        anchors: Anchors::words(&[Class::Facility, Class::Organisation]),
        find: place::facility::find,
    },
    Rule {
        name: "place-cue",
        anchors: Anchors { marks: b"@", ..Anchors::words(&[Class::PlaceCue, Class::Link]) },
        find: place::after_cue,
    },
    Rule { name: "place-field", anchors: Anchors::marks(b":"), find: place::facility::field },
    Rule { name: "city-state", anchors: Anchors::words(&[Class::State, Class::PlaceBefore]), find: place::city::state },
    Rule { name: "city-cue", anchors: Anchors::words(&[Class::PlaceCue]), find: place::city::after_cue },
    Rule { name: "county", anchors: Anchors::words(&[Class::PlaceAfter]), find: place::city::before_kind },
    Rule { name: "street", anchors: Anchors::words(&[Class::StreetType]), find: place::street::find },
    Rule {
        name: "street-foreign",
        anchors: Anchors { capitals: true, ..Anchors::NONE },
        find: place::foreign_street::find,
    },
    Rule { name: "street-number", anchors: Anchors::NUMBERS, find: place::street::numbered },
    Rule { name: "apartment", anchors: Anchors::NUMBERS, find: place::street::apartment },
    Rule { name: "post-box", anchors: Anchors::NUMBERS, find: place::street::post_box },
    Rule { name: "ward", anchors: Anchors::words(&[Class::WardNoun]), find: place::ward::find },
    Rule { name: "wing", anchors: Anchors::NUMBERS, find: place::ward::wing },
    Rule { name: "date-figures", anchors: Anchors::NUMBERS, find: date::order::find },
    Rule { name: "date-month", anchors: Anchors::words(&[Class::Month]), find: date::words::find },
    Rule { name: "date-misspelt-month", anchors: Anchors { capitals: true, ..Anchors::NUMBERS }, find: month::find },
    Rule { name: "year", anchors: Anchors::NUMBERS, find: date::year::find },
    Rule { name: "year-spoken", anchors: Anchors::words(&[Class::NumberWord]), find: date::year::find_spoken },
    Rule { name: "holiday", anchors: Anchors::words(&[Class::Holiday, Class::HolidayPart]), find: holiday::find },
    Rule { name: "weekday", anchors: Anchors::words(&[Class::Weekday]), find: holiday::find_weekday },
    Rule { name: "season", anchors: Anchors::words(&[Class::Season]), find: holiday::find_season },
    Rule { name: "age", anchors: Anchors::NUMBERS, find: age::find },
    Rule {
        name: "age-spoken",
        anchors: Anchors::words(&[Class::NumberWord, Class::OrdinalWord]),
        find: age::find_spoken,
    },
    Rule { name: "phone", anchors: Anchors::NUMBERS, find: phone::find },
    Rule { name: "phone-keyword", anchors: Anchors::words(&[Class::PhoneKeyword]), find: phone::find_keyword },
    Rule { name: "identifier", anchors: Anchors::words(&[Class::IdKeyword]), find: identifier::find },
    Rule { name: "code", anchors: Anchors::NUMBERS, find: code::find },
    Rule { name: "plate", anchors: Anchors::NUMBERS, find: plate::find },
    Rule { name: "code-hash", anchors: Anchors::marks(b"#"), find: code::find_hash },
    Rule { name: "contact-at", anchors: Anchors::marks(b"@"), find: contact::find_at },
    Rule { name: "contact-domain", anchors: Anchors::words(&[Class::DomainSuffix]), find: contact::find_domain },
    Rule { name: "contact-scheme", anchors: Anchors::marks(b":"), find: contact::find_colon },
    Rule { name: "contact-number", anchors: Anchors::NUMBERS, find: contact::find_number },
    Rule { name: "zip", anchors: Anchors::NUMBERS, find: zip::find },
    // ---- vouch for clinical numbers
    Rule { name: "quantity", anchors: Anchors::NUMBERS, find: clinical::quantity::find },
    Rule { name: "measurement", anchors: Anchors::words(&[Class::Measurement]), find: clinical::value::find },
    Rule { name: "score", anchors: Anchors::words(&[Class::Score]), find: clinical::score::named },
    Rule { name: "grade", anchors: Anchors::NUMBERS, find: clinical::score::form },
    Rule { name: "panel", anchors: Anchors::NUMBERS, find: clinical::panel::find },
    Rule { name: "time-of-day", anchors: Anchors::NUMBERS, find: clinical::time::find },
    Rule { name: "obstetric", anchors: Anchors::NUMBERS, find: clinical::obstetric::find },
    Rule { name: "level", anchors: Anchors::words(&[Class::Level]), find: clinical::score::level },
    Rule { name: "notation", anchors: Anchors::NUMBERS, find: clinical::notation::find },
    Rule { name: "marker", anchors: Anchors::words(&[Class::Marker]), find: clinical::notation::marker },
    Rule { name: "age-to-89", anchors: Anchors::NUMBERS, find: clinical::age::find },
    Rule { name: "named-code", anchors: Anchors::words(&[Class::CodeSystem]), find: clinical::code::find },
    Rule { name: "list-number", anchors: Anchors::NUMBERS, find: clinical::list::item },
    Rule { name: "count", anchors: Anchors::NUMBERS, find: clinical::list::led },
    Rule { name: "suture", anchors: Anchors::NUMBERS, find: clinical::list::suture },
    // Keep these two last: they have no anchors and run after all others, see `find_known` and `find`.
    Rule { name: "known", anchors: Anchors::NONE, find: |_, _, _| {} },
    Rule { name: "name-propagated", anchors: Anchors::NONE, find: |_, _, _| {} },
];

/// The rules to ask, as bits, by what a token is.
struct Dispatch {
    numbers: u64,
    capitals: u64,
    marks: [u64; 128],
    classes: [[u64; 64]; 2],
    any_class: Classes,
}

static DISPATCH: LazyLock<Dispatch> = LazyLock::new(|| {
    assert!(RULES.len() <= 64, "a set of rules is 64 bits");
    let mut dispatch =
        Dispatch { numbers: 0, capitals: 0, marks: [0; 128], classes: [[0; 64]; 2], any_class: Classes::NONE };
    for (at, rule) in RULES.iter().enumerate() {
        let bit = 1 << at;
        if rule.anchors.numbers {
            dispatch.numbers |= bit;
        }
        if rule.anchors.capitals {
            dispatch.capitals |= bit;
        }
        for &mark in rule.anchors.marks {
            dispatch.marks[usize::from(mark)] |= bit;
        }
        for &class in Class::ALL {
            if rule.anchors.classes.has(class) {
                dispatch.classes[class as usize / 64][class as usize % 64] |= bit;
            }
        }
        dispatch.any_class |= rule.anchors.classes;
    }
    dispatch
});

/// Makes the tables that all threads share. Without it the first scrub does; a fork at that very moment would leave the child
/// waiting for a thread that it does not have.
pub fn prepare() {
    LazyLock::force(&DISPATCH);
}

impl Dispatch {
    #[inline]
    fn rules_at(&self, view: &View<'_>, at: usize) -> u64 {
        match view.token(at).kind {
            token::Kind::Number => self.numbers,
            token::Kind::Punct => self.marks[usize::from(view.bytes(at)[0] & 0x7F)],
            token::Kind::Word => {
                let mut rules = if view.capitalised(at) { self.capitals } else { 0 };
                // Halves, because 64 bits are searched much faster than 128.
                let found = (view.classes(at) & self.any_class).0;
                for (half, classes) in [found as u64, (found >> 64) as u64].into_iter().zip(&self.classes) {
                    let mut left = half;
                    while left != 0 {
                        rules |= classes[left.trailing_zeros() as usize];
                        left &= left - 1;
                    }
                }
                rules
            }
            _ => 0,
        }
    }
}

/// Asks every rule at every place where it has an anchor, then looks for the names found everywhere else in the note.
pub fn find(view: &View<'_>, names: &mut Names, findings: &mut Findings) {
    findings.clear();
    let dispatch = &*DISPATCH;
    for at in 0..view.len() {
        let mut rules = dispatch.rules_at(view, at);
        while rules != 0 {
            let rule = rules.trailing_zeros() as usize;
            findings.set_rule(rule as u16, at);
            (RULES[rule].find)(view, at, findings);
            rules &= rules - 1;
        }
    }
    findings.set_rule(PROPAGATED, view.len());
    names.spread(view, findings);
}

/// Adds what is known of the patient of the note to what the rules found.
pub fn find_known(view: &View<'_>, patient: &Patient, findings: &mut Findings) {
    findings.set_rule(KNOWN, view.len());
    known::find(view, patient, findings);
}

/// The number of the rule of that name.
const fn number_of(name: &[u8]) -> u16 {
    let mut rule = 0;
    loop {
        let known = RULES[rule].name.as_bytes();
        let mut at = 0;
        while at < known.len() && at < name.len() && known[at] == name[at] {
            at += 1;
        }
        if at == known.len() && at == name.len() {
            return rule as u16;
        }
        rule += 1;
    }
}

/// The number of the rule that judges a name by its capital letter and the words around.
pub(crate) const BARE_NAME: u16 = number_of(b"name-bare");

/// The number of the rule that finds what is known of the patient; it has no anchor and stands before the last one.
const KNOWN: u16 = RULES.len() as u16 - 2;

/// The number of the rule that follows names through a note; it has no anchor and stands last in the table.
const PROPAGATED: u16 = RULES.len() as u16 - 1;
