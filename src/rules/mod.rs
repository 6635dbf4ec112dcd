//! What a pattern says about a stretch of a note: remove it, it is PHI; or keep it, it is medicine.
//!
//! Third step in the way of a note, beside `concepts`. Every rule is a function that looks at the tokens around one
//! *anchor*: a number, a mark, a word of a list. [`RULES`] is the table; adding a rule is one file, one line in the table
//! and one case file. Rules look at a bounded window, so a note takes time in proportion to its length whatever it holds.
//! They know the word lists, not the concepts; `decide` weighs their findings against everything else.

mod age;
mod beside;
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
mod site;
mod view;
mod zip;

use std::sync::LazyLock;

pub use beside::{At, Signs};
pub(crate) use clinical::roman;
pub use finding::{Category, Certainty, Finding, Findings, Kind, Verdict};
pub use name::propagate::Names;
pub use number::{Looks, Number, Numbers, Shape};
pub use section::Headings;
pub use view::View;

use view::says;

use crate::patient::Patient;
use crate::token::{self, Token};
use crate::vocabulary::{Class, Classes};

/// Where a rule is asked.
#[derive(Clone, Copy, Debug)]
pub struct Anchors {
    /// At words that stand on one of these lists.
    pub classes: Classes,
    /// At words that stand on one of these lists and on no list of ordinary words.
    pub unlisted: Classes,
    /// At these numbers.
    pub numbers: &'static [At],
    /// At words that begin with a capital letter.
    pub capitals: Capitals,
    /// At these marks.
    pub marks: &'static [u8],
}

/// Which words with a capital letter a rule is asked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capitals {
    /// None.
    No,
    /// All.
    Any,
    /// Those that stand on one of these lists.
    On(Classes),
    /// Those of up to three letters.
    Short,
    /// The last of a line, and those before a hyphen.
    LineEnd,
    /// The first of a line, and those after `and`.
    LineStart,
    /// Those on no list of ordinary words.
    Unlisted,
}

impl Anchors {
    /// Nowhere: the base for `..Anchors::NONE`.
    pub const NONE: Self =
        Self { classes: Classes::NONE, unlisted: Classes::NONE, numbers: &[], capitals: Capitals::No, marks: b"" };

    /// At these numbers.
    pub const fn numbers(numbers: &'static [At]) -> Self {
        Self { numbers, ..Self::NONE }
    }

    /// At some of the words with a capital letter.
    pub const fn capitals(capitals: Capitals) -> Self {
        Self { capitals, ..Self::NONE }
    }

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
    pub find: Find,
}

/// Looks at the tokens around the anchor and reports what it finds.
pub type Find = fn(&View<'_>, usize, &mut Findings);

/// Every rule. The order changes nothing: `decide` weighs all findings together.
pub static RULES: &[Rule] = &[
    Rule { name: "name-title", anchors: Anchors::words(&[Class::Title]), find: name::title::find },
    Rule {
        name: "name-credential",
        anchors: Anchors { marks: b".", ..Anchors::words(&[Class::Credential]) },
        find: name::credential::find,
    },
    Rule { name: "name-field", anchors: Anchors::marks(b":|"), find: name::field::find },
    Rule {
        name: "name-relative",
        anchors: Anchors::words(&[Class::Relative, Class::PersonNoun]),
        find: name::relative::find,
    },
    Rule {
        name: "name-beside",
        anchors: Anchors {
            capitals: Capitals::Unlisted,
            unlisted: Class::Surname.set(),
            ..Anchors::words(&[Class::FirstName])
        },
        find: name::beside::find,
    },
    Rule { name: "name-bare", anchors: Anchors::capitals(Capitals::On(name::bare::JUDGED)), find: name::bare::find },
    Rule {
        name: "name-agent",
        anchors: Anchors { marks: b"/", ..Anchors::words(&[Class::PersonVerb, Class::HumanVerb]) },
        find: name::agent::find,
    },
    Rule {
        name: "name-initial",
        anchors: Anchors { marks: b"/:", ..Anchors::capitals(Capitals::Short) },
        find: name::initial::find,
    },
    Rule { name: "name-line", anchors: Anchors::capitals(Capitals::LineStart), find: name::line::find },
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
    Rule { name: "street-foreign", anchors: Anchors::capitals(Capitals::Any), find: place::foreign_street::find },
    Rule {
        name: "street-number",
        anchors: Anchors::numbers(&[At::beside(
            Looks::ALL,
            Signs::NAME_AFTER.or(Signs::LISTED).or(Signs::LETTER).or(Signs::WIDE),
        )
        .or_after(place::street::POSTS)]),
        find: place::street::numbered,
    },
    Rule {
        name: "apartment",
        anchors: Anchors::numbers(&[At::beside(Looks::ALL, Signs::HEAP).or_after(place::street::ROOMS)]),
        find: place::street::apartment,
    },
    Rule {
        name: "post-box",
        anchors: Anchors::numbers(&[At::words(Looks::ALL).or_after(&["box"])]),
        find: place::street::post_box,
    },
    Rule { name: "ward", anchors: Anchors::words(&[Class::WardNoun]), find: place::ward::find },
    Rule {
        name: "wing",
        anchors: Anchors::numbers(&[
            At::beside(Looks::WHOLE, Signs::NAME_BEFORE.or(Signs::LETTER)).or_before(place::ward::DIRECTIONS)
        ]),
        find: place::ward::wing,
    },
    Rule {
        name: "date-figures",
        anchors: Anchors::numbers(&[
            At::any(Looks::LONG.or(Looks::SLASH).or(Looks::SLASHES).or(Looks::OTHER)),
            At::beside(Looks::UP_TO_TWO.or(Looks::FOUR).or(Looks::DECIMAL), Signs::MORE),
            At::beside(Looks::DECIMAL.or(Looks::COLON), Signs::CALENDAR),
        ]),
        find: date::order::find,
    },
    Rule { name: "date-month", anchors: Anchors::words(&[Class::Month]), find: date::words::find },
    Rule {
        name: "date-misspelt-month",
        anchors: Anchors {
            capitals: Capitals::LineEnd,
            classes: Classes::of(&[Class::OrdinalWord]),
            ..Anchors::numbers(&[At::beside(Looks::UP_TO_FOUR.or(Looks::MARKED), Signs::UNKNOWN)])
        },
        find: month::find,
    },
    Rule {
        name: "year",
        anchors: Anchors::numbers(&[
            At::any(Looks::YEAR),
            At::beside(Looks::TWO, Signs::SIGN_BEFORE),
            At::beside(Looks::MARKED, Signs::DATED),
        ]),
        find: date::year::find,
    },
    Rule { name: "year-spoken", anchors: Anchors::words(&[Class::NumberWord]), find: date::year::find_spoken },
    Rule { name: "holiday", anchors: Anchors::words(&[Class::Holiday, Class::HolidayPart]), find: holiday::find },
    Rule { name: "weekday", anchors: Anchors::words(&[Class::Weekday]), find: holiday::find_weekday },
    Rule { name: "season", anchors: Anchors::words(&[Class::Season]), find: holiday::find_season },
    Rule {
        name: "age",
        anchors: Anchors::numbers(&[
            At::any(Looks::OLD),
            At::beside(Looks::UP_TO_TWO, Signs::TAILED),
            At::beside(Looks::DECIMAL, Signs::AGED),
            At::beside(Looks::FOUR, Signs::BIRTH),
            At::words(Looks::FOUR.or(Looks::FROM_FIVE).or(Looks::GROUPED)).or_before(age::SPANS),
        ]),
        find: age::find,
    },
    Rule {
        name: "age-spoken",
        anchors: Anchors::words(&[Class::NumberWord, Class::OrdinalWord]),
        find: age::find_spoken,
    },
    Rule {
        name: "phone",
        anchors: Anchors::numbers(&[At::beside(Looks::ALL, Signs::WIDE.or(Signs::MORE))]),
        find: phone::find,
    },
    Rule { name: "phone-keyword", anchors: Anchors::words(&[Class::PhoneKeyword]), find: phone::find_keyword },
    Rule { name: "identifier", anchors: Anchors::words(&[Class::IdKeyword]), find: identifier::find },
    Rule {
        name: "code",
        anchors: Anchors::numbers(&[
            At::any(Looks::FROM_SIX),
            At::beside(
                Looks::ALL,
                Signs::JOINED.or(Signs::TAILED).or(Signs::HYPHEN_AFTER).or(Signs::GOES_ON).or(Signs::MORE),
            ),
        ]),
        find: code::find,
    },
    Rule { name: "plate", anchors: Anchors::numbers(&[At::beside(Looks::ALL, Signs::CAPITALS)]), find: plate::find },
    Rule { name: "code-hash", anchors: Anchors::marks(b"#"), find: code::find_hash },
    Rule { name: "contact-at", anchors: Anchors::marks(b"@"), find: contact::find_at },
    Rule { name: "contact-domain", anchors: Anchors::words(&[Class::DomainSuffix]), find: contact::find_domain },
    Rule { name: "contact-scheme", anchors: Anchors::marks(b":"), find: contact::find_colon },
    Rule {
        name: "contact-number",
        anchors: Anchors::numbers(&[
            At::beside(Looks::ALL, Signs::GOES_ON),
            At::beside(Looks::SLASHES.or(Looks::COLON).or(Looks::OTHER), Signs::WIDE),
        ]),
        find: contact::find_number,
    },
    Rule {
        name: "zip",
        anchors: Anchors::numbers(&[At::any(Looks::FIVE), At::beside(Looks::UP_TO_TWO, Signs::GLUED_CAPITAL)]),
        find: zip::find,
    },
    // ---- vouch for clinical numbers
    Rule {
        name: "quantity",
        anchors: Anchors::numbers(&[At::beside(Looks::ALL, Signs::MEASURED).or_before(clinical::FOLLOWING)]),
        find: clinical::quantity::find,
    },
    Rule { name: "measurement", anchors: Anchors::words(&[Class::Measurement]), find: clinical::value::find },
    Rule { name: "score", anchors: Anchors::words(&[Class::Score]), find: clinical::score::named },
    Rule {
        name: "grade",
        anchors: Anchors::numbers(&[
            At::any(Looks::PART),
            At::beside(Looks::ONE.or(Looks::MARKED), Signs::SIGN_AFTER.or(Signs::SIGN_BEFORE).or(Signs::HYPHEN_BEFORE)),
        ]),
        find: clinical::score::form,
    },
    Rule {
        name: "panel",
        anchors: Anchors::numbers(&[
            At::any(Looks::GROUPED.or(Looks::SLASH).or(Looks::SLASHES).or(Looks::COLON)),
            At::beside(Looks::DECIMAL, Signs::ZERO.or(Signs::BRACKET)),
            At::beside(Looks::ALL, Signs::COMPARED),
        ]),
        find: clinical::panel::find,
    },
    Rule {
        name: "time-of-day",
        anchors: Anchors::numbers(&[
            At::any(Looks::COLON),
            At::words(Looks::UP_TO_TWO.or(Looks::DECIMAL)).or_before(&["o"]),
            At::beside(Looks::FOUR, Signs::SIGN_BEFORE.or(Signs::HYPHEN_BEFORE))
                .or_after(clinical::time::LEADING)
                .or_before(clinical::time::HOURS),
        ]),
        find: clinical::time::find,
    },
    Rule {
        name: "obstetric",
        anchors: Anchors::numbers(&[At::words(Looks::UP_TO_FOUR)
            .or_after(clinical::obstetric::LEADING)
            .or_before(&["w"])]),
        find: clinical::obstetric::find,
    },
    Rule { name: "level", anchors: Anchors::words(&[Class::Level]), find: clinical::score::level },
    Rule {
        name: "notation",
        anchors: Anchors::numbers(&[At::beside(Looks::ALL, Signs::GLUED)]),
        find: clinical::notation::find,
    },
    Rule { name: "marker", anchors: Anchors::words(&[Class::Marker]), find: clinical::notation::marker },
    Rule {
        name: "age-to-89",
        anchors: Anchors::numbers(&[At::beside(
            Looks::UP_TO_TWO,
            Signs::POSSESSED.or(Signs::PASSED).or(Signs::SIGN_BEFORE).or(Signs::GOES_ON),
        )
        .or_after(clinical::age::LEADING)
        .or_before(clinical::age::SEXES)]),
        find: clinical::age::find,
    },
    Rule { name: "named-code", anchors: Anchors::words(&[Class::CodeSystem]), find: clinical::code::find },
    Rule {
        name: "list-number",
        anchors: Anchors::numbers(&[At::beside(Looks::UP_TO_TWO, Signs::CLOSED)]),
        find: clinical::list::item,
    },
    Rule {
        name: "count",
        anchors: Anchors::numbers(&[At::beside(Looks::ALL, Signs::SHARP.or(Signs::DRUG))
            .or_after(clinical::list::LEADING)
            .or_before(clinical::list::ENDINGS)]),
        find: clinical::list::led,
    },
    Rule {
        name: "suture",
        anchors: Anchors::numbers(&[At::beside(Looks::ONE, Signs::HYPHEN_BEFORE)]),
        find: clinical::list::suture,
    },
    // Keep these three last: they have no anchors and run after all others, see `find_known` and `find`.
    Rule { name: "site-list", anchors: Anchors::NONE, find: |_, _, _| {} },
    Rule { name: "known", anchors: Anchors::NONE, find: |_, _, _| {} },
    Rule { name: "name-propagated", anchors: Anchors::NONE, find: |_, _, _| {} },
];

/// The rules to ask, as bits, by what a token is.
struct Dispatch {
    /// By the look of a number and each of the signs beside it.
    numbers: [[u64; Signs::COUNT]; Looks::COUNT],
    /// By the look of a number alone, for the two that come next: which rules wait for words.
    waiting: [u64; Looks::COUNT],
    /// By the [`beside::hash`] of the word before a number.
    before: [u64; beside::HASHES],
    /// By that of the word behind it.
    after: [u64; beside::HASHES],
    /// By the looks that words with a capital letter have, see [`Dispatch::capitals`].
    capitals: [u64; 32],
    capitals_on: Vec<(Classes, u64)>,
    unlisted: Vec<(Classes, u64)>,
    marks: [u64; 128],
    classes: [[u64; 64]; 2],
    any_class: Classes,
    find: [Find; 64],
}

static DISPATCH: LazyLock<Dispatch> = LazyLock::new(|| {
    assert!(RULES.len() <= 64, "a set of rules is 64 bits");
    let mut dispatch = Dispatch {
        numbers: [[0; Signs::COUNT]; Looks::COUNT],
        waiting: [0; Looks::COUNT],
        before: [0; beside::HASHES],
        after: [0; beside::HASHES],
        capitals: [0; 32],
        capitals_on: Vec::new(),
        unlisted: Vec::new(),
        marks: [0; 128],
        classes: [[0; 64]; 2],
        any_class: Classes::NONE,
        find: [|_, _, _| {}; 64],
    };
    for (at, rule) in RULES.iter().enumerate() {
        let bit = 1 << at;
        dispatch.find[at] = rule.find;
        for number in rule.anchors.numbers {
            for look in (0..Looks::COUNT).filter(|&look| number.looks.has(look)) {
                for sign in (0..Signs::COUNT).filter(|&sign| number.signs.has(sign)) {
                    dispatch.numbers[look][sign] |= bit;
                }
                if !(number.before.is_empty() && number.after.is_empty()) {
                    dispatch.waiting[look] |= bit;
                }
            }
            for word in number.before {
                dispatch.before[beside::hash(word.as_bytes())] |= bit;
            }
            for word in number.after {
                dispatch.after[beside::hash(word.as_bytes())] |= bit;
            }
        }
        let look = match rule.anchors.capitals {
            Capitals::No => 0,
            Capitals::On(classes) => {
                dispatch.capitals_on.push((classes, bit));
                0
            }
            Capitals::Any => Dispatch::ANY,
            Capitals::Short => Dispatch::SHORT,
            Capitals::LineEnd => Dispatch::LINE_END,
            Capitals::LineStart => Dispatch::LINE_START,
            Capitals::Unlisted => Dispatch::UNLISTED,
        };
        if !rule.anchors.unlisted.is_empty() {
            dispatch.unlisted.push((rule.anchors.unlisted, bit));
        }
        for (looks, rules) in dispatch.capitals.iter_mut().enumerate() {
            *rules |= if looks & look != 0 { bit } else { 0 };
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
    const ANY: usize = 1;
    const SHORT: usize = 2;
    const LINE_END: usize = 4;
    const LINE_START: usize = 8;
    const UNLISTED: usize = 16;

    #[inline]
    fn rules_at(&self, view: &View<'_>, at: usize, token: Token) -> u64 {
        match token.kind {
            token::Kind::Number => view.number(at).map_or(0, |number| self.at_number(view, at, token, number)),
            token::Kind::Punct => self.marks[usize::from(token.mark() & 0x7F)],
            token::Kind::Word => {
                let classes = view.classes(at);
                let unlisted = !classes.any(name::ORDINARY);
                let mut rules = if token.capitalised() { self.capitals(view, at, token, unlisted) } else { 0 };
                if unlisted {
                    let listed = self.unlisted.iter().filter(|(lists, _)| classes.any(*lists));
                    rules = listed.fold(rules, |rules, (_, bit)| rules | bit);
                }
                // Halves, because 64 bits are searched much faster than 128.
                let found = (classes & self.any_class).0;
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

    #[inline]
    fn at_number(&self, view: &View<'_>, at: usize, token: Token, number: &Number) -> u64 {
        let (signs, before, after) = Signs::read(view, at, token, number);
        let look = number.look();
        let rules = signs.rules(&self.numbers[look]);
        let waiting = |rules: &[u64; beside::HASHES], word: Option<usize>| {
            word.map_or(0, |word| rules[beside::hash(view.bytes(word))])
        };
        rules | self.waiting[look] & (waiting(&self.before, before) | waiting(&self.after, after))
    }

    fn capitals(&self, view: &View<'_>, at: usize, token: Token, unlisted: bool) -> u64 {
        let after = view.token(at + 1);
        let starts = token.line_start() || at > 0 && says!(view, at - 1, "and" | "&");
        let look = Self::ANY
            + usize::from(token.end - token.start <= 3) * Self::SHORT
            + usize::from(after.line_start() || after.mark() == b'-') * Self::LINE_END
            + usize::from(starts) * Self::LINE_START
            + usize::from(unlisted) * Self::UNLISTED;
        let classes = view.classes(at);
        let listed = self.capitals_on.iter().filter(|(lists, _)| classes.any(*lists));
        listed.fold(self.capitals[look], |rules, (_, bit)| rules | bit)
    }
}

/// How many tokens are dealt with before the next ones are looked at. One rule is asked at all of its places before the next
/// rule is: the machine has room for the instructions of some rules, not of all.
const BLOCK: usize = 1024;

/// Where each rule is to be asked in a block of tokens.
#[derive(Debug)]
struct Agenda {
    /// A block for each rule, counted from the first token of the block.
    places: Vec<u16>,
    len: [usize; 64],
}

impl Default for Agenda {
    fn default() -> Self {
        Self { places: Vec::new(), len: [0; 64] }
    }
}

impl Agenda {
    fn begin(&mut self) {
        self.places.resize(64 * BLOCK, 0);
        self.len = [0; 64];
    }

    /// Once a token at the most, so that no rule has more places than a block has tokens.
    #[inline]
    fn push(&mut self, rule: usize, place: usize) {
        self.places[rule * BLOCK + self.len[rule]] = place as u16;
        self.len[rule] += 1;
    }

    fn places(&self, rule: usize) -> &[u16] {
        &self.places[rule * BLOCK..][..self.len[rule]]
    }
}

/// Asks every rule at every place where it has an anchor, then looks for the names found everywhere else in the note.
pub fn find(view: &View<'_>, names: &mut Names, findings: &mut Findings) {
    findings.clear();
    let dispatch = &*DISPATCH;
    let mut agenda = std::mem::take(&mut findings.agenda);
    for (block, tokens) in view.tokens().chunks(BLOCK).enumerate() {
        let start = block * BLOCK;
        agenda.begin();
        for (place, token) in tokens.iter().enumerate() {
            let mut rules = dispatch.rules_at(view, start + place, *token);
            while rules != 0 {
                agenda.push(rules.trailing_zeros() as usize, place);
                rules &= rules - 1;
            }
        }
        findings.begin_block();
        for (rule, find) in dispatch.find.iter().enumerate() {
            for &place in agenda.places(rule) {
                let at = start + usize::from(place);
                findings.set_rule(rule as u16, at);
                find(view, at, findings);
            }
        }
        findings.end_block(start, tokens.len());
    }
    findings.agenda = agenda;
    findings.set_rule(SITE, view.len());
    site::find(view, findings);
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

/// The number of the rule of the site's lists.
pub(crate) const SITE: u16 = RULES.len() as u16 - 3;

/// The number of the rule that follows names through a note; it has no anchor and stands last in the table.
const PROPAGATED: u16 = RULES.len() as u16 - 1;
