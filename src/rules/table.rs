//! The table of rules: where each is asked, and what looks there.

use super::agenda::{FOURS, Fours};
use super::beside::Figures;
use super::columns::{Around, Fact};
use super::{Anchors, At, Findings, GROUP, Looks, Signs, View};
use super::{
    age, clinical, code, contact, date, encoded, eponym, holiday, identifier, month, name, path, phone, place, plate,
    split, zip,
};
use crate::vocabulary::{Class, Classes};

/// One rule of the table.
#[derive(Debug)]
pub struct Rule {
    /// The number by which models know it: never that of another rule, not even of one that is gone, or they would take this
    /// for that.
    pub known_as: u16,
    /// Its name in findings and explanations.
    pub name: &'static str,
    /// Where it is asked.
    pub anchors: Anchors,
    /// Looks at the tokens around the anchor and reports what it finds.
    pub find: Find,
}

/// Looks at the tokens around the anchor and reports what it finds.
pub type Find = fn(&View<'_>, usize, &mut Findings);

/// Makes the table, and what says of 64 tokens at which each rule is asked. Anchors that are constants there leave no question of
/// what a rule does not ask for.
macro_rules! rules {
    ($(Rule { known_as: $known_as:literal, name: $name:literal, anchors: $anchors:expr, find: $find:expr $(,)? }),* $(,)?) => {
        /// Every rule. The order changes nothing: `decide` weighs all findings together.
        pub static RULES: &[Rule] = &[$(Rule { known_as: $known_as, name: $name, anchors: $anchors, find: $find }),*];

        /// What finds, by rule.
        pub(super) static FINDS: [Find; COUNT] = [$($find),*];

        /// Where each rule is asked among 64 tokens: at words and marks and at numbers, but not in long rows; and which rules are.
        /// Apart from what calls it: there the compiler knows that what is written changes nothing of what is read.
        #[inline(never)]
        pub(super) fn plan(
            around: &Around<'_>,
            figures: &Figures,
            rows: u64,
            places: &mut [u64; COUNT],
        ) -> Fours {
            let mut rule = 0;
            let mut some = [0; FOURS];
            $({
                const ANCHORS: Anchors = $anchors;
                let asked = (ANCHORS.at_words(around) | ANCHORS.at_numbers(figures)) & !rows;
                places[rule] = asked;
                // Each of four rules goes to the first bit, from there each to its own.
                some[rule / 4] = (some[rule / 4] + u64::from(asked != 0)).rotate_right(GROUP as u32 / 4);
                rule += 1;
            })*
            debug_assert!(rule == COUNT);
            while rule % 4 != 0 {
                some[rule / 4] = some[rule / 4].rotate_right(GROUP as u32 / 4);
                rule += 1;
            }
            some
        }
    };
}

rules![
    Rule { known_as: 0, name: "name-title", anchors: Anchors::words(&[Class::Title]), find: name::title::find },
    Rule {
        known_as: 1,
        name: "name-credential",
        anchors: Anchors { marks: b".", ..Anchors::words(&[Class::Credential]) }.near(name::credential::near),
        find: name::credential::find,
    },
    Rule {
        known_as: 2,
        name: "name-field",
        anchors: Anchors::marks(b":|.-").near(name::field::near),
        find: name::field::find
    },
    Rule {
        known_as: 3,
        name: "name-last-first",
        anchors: Anchors::marks(b",").near(name::line::near_comma),
        find: name::line::last_first,
    },
    Rule { known_as: 4, name: "eponym", anchors: Anchors::words(&[Class::Eponym]), find: eponym::find },
    Rule {
        known_as: 5,
        name: "place-field",
        anchors: Anchors::marks(b":").near(place::field::near),
        find: place::field::find
    },
    Rule {
        known_as: 6,
        name: "city-state",
        anchors: Anchors::words(&[Class::State, Class::PlaceBefore]).near_all(place::city::near_state),
        find: place::city::state,
    },
    Rule { known_as: 7, name: "county", anchors: Anchors::words(&[Class::PlaceAfter]), find: place::city::before_kind },
    Rule {
        known_as: 8,
        name: "street",
        anchors: Anchors::words(&[Class::StreetType]).near(place::street::near),
        find: place::street::find,
    },
    Rule {
        known_as: 9,
        name: "street-number",
        anchors: Anchors::numbers(&[At::beside(Looks::ALL, Signs::ADDRESS).or_after(Fact::Room)]),
        find: place::street::numbered,
    },
    Rule {
        known_as: 10,
        name: "apartment",
        anchors: Anchors::numbers(&[At::beside(Looks::ALL, Signs::HEAP).or_after(Fact::Room)]),
        find: place::flat::apartment,
    },
    Rule {
        known_as: 11,
        name: "post-box",
        anchors: Anchors::numbers(&[At::words(Looks::ALL).or_after(Fact::Room)]),
        find: place::street::post_box,
    },
    Rule {
        known_as: 12,
        name: "ward",
        anchors: Anchors::words(&[Class::WardNoun]).near_all(place::ward::near),
        find: place::ward::find
    },
    Rule {
        known_as: 13,
        name: "wing",
        anchors: Anchors::numbers(&[At::beside(Looks::WHOLE, Signs::WARD).or_before(Fact::Direction)]),
        find: place::ward::wing,
    },
    Rule {
        known_as: 14,
        name: "date-figures",
        anchors: Anchors::numbers(&[
            At::any(Looks::LONG.or(Looks::SLASHES).or(Looks::OTHER)),
            At::beside(Looks::SLASH, Signs::SLASHED.or(Signs::SCANNED).or(Signs::GLUED)),
            At::beside(Looks::UP_TO_TWO.or(Looks::FOUR).or(Looks::DECIMAL), Signs::GROUPS),
            At::beside(Looks::DECIMAL.or(Looks::COLON), Signs::CALENDAR),
        ]),
        find: date::order::find,
    },
    Rule { known_as: 15, name: "date-month", anchors: Anchors::words(&[Class::Month]), find: date::words::find },
    Rule {
        known_as: 16,
        name: "date-day",
        anchors: Anchors::words(&[Class::OrdinalWord, Class::NumberWord]).near_all(date::words::near_day),
        find: date::words::day,
    },
    Rule {
        known_as: 17,
        name: "date-misspelt-month",
        anchors: Anchors {
            line_ends: true,
            classes: Classes::of(&[Class::OrdinalWord]),
            ..Anchors::numbers(&[At::beside(Looks::UP_TO_FOUR.or(Looks::MARKED), Signs::UNKNOWN)])
        }
        .near(month::near_word),
        find: month::find,
    },
    Rule {
        known_as: 18,
        name: "year",
        anchors: Anchors::numbers(&[
            At::any(Looks::YEAR),
            At::beside(Looks::TWO, Signs::SIGN_BEFORE),
            At::beside(Looks::MARKED, Signs::DATED),
        ]),
        find: date::year::find,
    },
    Rule {
        known_as: 19,
        name: "birth-spoken",
        anchors: Anchors::words(&[Class::DateCue]).near(date::spoken::near_birth),
        find: date::spoken::find_birth,
    },
    Rule {
        known_as: 20,
        name: "year-spoken",
        anchors: Anchors::words(&[Class::NumberWord]).near_all(date::year::near_spoken),
        find: date::year::find_spoken,
    },
    Rule {
        known_as: 21,
        name: "holiday",
        anchors: Anchors::words(&[Class::Holiday, Class::HolidayPart]),
        find: holiday::find
    },
    Rule { known_as: 22, name: "weekday", anchors: Anchors::words(&[Class::Weekday]), find: holiday::find_weekday },
    Rule { known_as: 23, name: "season", anchors: Anchors::words(&[Class::Season]), find: holiday::find_season },
    Rule {
        known_as: 24,
        name: "age",
        anchors: Anchors::numbers(&[
            At::any(Looks::OLD),
            At::beside(Looks::UP_TO_TWO, Signs::SCANNED),
            At::beside(Looks::DECIMAL, Signs::AGED),
            At::beside(Looks::FOUR, Signs::BIRTH),
            At::words(Looks::FOUR.or(Looks::FROM_FIVE).or(Looks::GROUPED)).or_before(Fact::Span),
        ]),
        find: age::find,
    },
    Rule {
        known_as: 25,
        name: "age-spoken",
        anchors: Anchors::words(&[Class::NumberWord, Class::OrdinalWord]).near_all(age::near_spoken),
        find: age::find_spoken,
    },
    Rule {
        known_as: 26,
        name: "phone",
        anchors: Anchors::numbers(&[
            At::beside(Looks::ALL, Signs::DIALLED),
            At::beside(Looks::MARKED, Signs::WIDE),
            At::beside(Looks::MARKED.or(Looks::FROM_SIX), Signs::SIGN_BEFORE)
        ]),
        find: phone::find,
    },
    Rule {
        known_as: 27,
        name: "phone-keyword",
        anchors: Anchors::words(&[Class::PhoneKeyword]).near(phone::near_keyword),
        find: phone::find_keyword,
    },
    Rule {
        known_as: 28,
        name: "phone-spoken",
        anchors: Anchors::words(&[Class::NumberWord]).near(phone::spoken::near),
        find: phone::spoken::find,
    },
    Rule {
        known_as: 29,
        name: "identifier-short",
        anchors: Anchors::marks(b"/").near_all(identifier::near_short),
        find: identifier::find_short,
    },
    Rule {
        known_as: 30,
        name: "identifier",
        anchors: Anchors::words(&[Class::IdKeyword]).near(identifier::near),
        find: identifier::find,
    },
    Rule {
        known_as: 31,
        name: "code",
        anchors: Anchors::numbers(&[At::any(Looks::FROM_SIX), At::beside(Looks::ALL, Signs::CODED)]),
        find: code::find,
    },
    Rule {
        known_as: 32,
        name: "plate",
        anchors: Anchors::numbers(&[At::beside(Looks::UP_TO_SEVEN, Signs::CAPITALS)]),
        find: plate::find
    },
    // Asked at the places that no other rule is asked at, see `agenda`.
    Rule { known_as: 33, name: "code-row", anchors: Anchors::NONE, find: code::find_in_row },
    Rule { known_as: 34, name: "code-hash", anchors: Anchors::marks(b"#"), find: code::find_hash },
    Rule { known_as: 35, name: "contact-at", anchors: Anchors::marks(b"@"), find: contact::find_at },
    Rule {
        known_as: 36,
        name: "contact-domain",
        anchors: Anchors::words(&[Class::DomainSuffix]).near(contact::near_domain),
        find: contact::find_domain,
    },
    Rule {
        known_as: 37,
        name: "contact-scheme",
        anchors: Anchors::marks(b":").near_all(contact::near_colon),
        find: contact::find_colon
    },
    Rule {
        known_as: 38,
        name: "contact-number",
        anchors: Anchors::numbers(&[
            At::beside(Looks::ALL, Signs::HEXADECIMAL),
            At::beside(Looks::SLASHES.or(Looks::COLON).or(Looks::OTHER), Signs::NETWORK),
        ]),
        find: contact::find_number,
    },
    Rule {
        known_as: 39,
        name: "zip",
        anchors: Anchors::numbers(&[
            At::any(Looks::FIVE),
            At::beside(Looks::UP_TO_TWO, Signs::GLUED_CAPITAL),
            At::beside(Looks::FROM_SIX, Signs::HYPHEN_BEFORE),
        ]),
        find: zip::find,
    },
    // ---- tricks of writing: whatever their form hides goes whole
    Rule {
        known_as: 40,
        name: "split-letters",
        anchors: Anchors::columns(split::letters).near(split::near),
        find: split::find
    },
    Rule {
        known_as: 41,
        name: "encoded",
        anchors: Anchors { marks: encoded::MARKS, ..Anchors::columns(encoded::stars) }.near(encoded::near),
        find: encoded::find,
    },
    Rule { known_as: 42, name: "path", anchors: Anchors::marks(b"_/\\").near(path::near), find: path::find },
    // ---- vouch for clinical numbers
    Rule {
        known_as: 43,
        name: "quantity",
        anchors: Anchors::numbers(&[At::any(Looks::ALL)]),
        find: clinical::quantity::find
    },
    Rule {
        known_as: 44,
        name: "measurement",
        anchors: Anchors::words(&[Class::Measurement]).near(clinical::value::near),
        find: clinical::value::find,
    },
    Rule { known_as: 45, name: "score", anchors: Anchors::words(&[Class::Score]), find: clinical::score::named },
    Rule {
        known_as: 46,
        name: "joined-score",
        anchors: Anchors::marks(b"-").near_all(clinical::score::near_joined),
        find: clinical::score::joined,
    },
    Rule {
        known_as: 47,
        name: "grade",
        anchors: Anchors::numbers(&[
            At::any(Looks::PART),
            At::beside(Looks::ONE.or(Looks::MARKED), Signs::SIGN_AFTER.or(Signs::SIGN_BEFORE).or(Signs::HYPHEN_BEFORE)),
            At::beside(Looks::UP_TO_THREE, Signs::SIGN_BEFORE),
        ]),
        find: clinical::score::form,
    },
    Rule {
        known_as: 48,
        name: "panel",
        anchors: Anchors::numbers(&[
            At::any(Looks::GROUPED.or(Looks::SLASH).or(Looks::SLASHES).or(Looks::COLON).or(Looks::DECIMAL)),
            At::beside(Looks::ALL, Signs::COMPARED),
        ]),
        find: clinical::panel::find,
    },
    Rule {
        known_as: 49,
        name: "time-span",
        anchors: Anchors::numbers(&[At::any(Looks::SLASH)]),
        find: clinical::span::find
    },
    Rule {
        known_as: 50,
        name: "time-of-day",
        anchors: Anchors::numbers(&[
            At::any(Looks::COLON),
            At::beside(Looks::UP_TO_TWO, Signs::CLOCK),
            At::beside(Looks::DECIMAL, Signs::CLOCK).or_before(Fact::Span),
            At::beside(Looks::DECIMAL, Signs::SIGN_BEFORE).or_after(Fact::LeadsTime).or_before(Fact::Amount),
            At::beside(Looks::FOUR, Signs::SIGN_BEFORE.or(Signs::HYPHEN_BEFORE).or(Signs::ZERO))
                .or_after(Fact::LeadsTime)
                .or_before(Fact::Span),
        ]),
        find: clinical::time::find,
    },
    Rule {
        known_as: 51,
        name: "clock",
        anchors: Anchors::numbers(&[At::any(Looks::FOUR)]),
        find: clinical::clock::find
    },
    Rule {
        known_as: 52,
        name: "vital-signs",
        anchors: Anchors::numbers(&[At::any(Looks::SLASH)]),
        find: clinical::row::vital
    },
    Rule {
        known_as: 53,
        name: "cell",
        anchors: Anchors::numbers(&[At::any(Looks::UP_TO_THREE.or(Looks::DECIMAL))]),
        find: clinical::row::cell,
    },
    Rule {
        known_as: 54,
        name: "change",
        anchors: Anchors::numbers(&[At::any(Looks::ALL)]),
        find: clinical::change::find
    },
    Rule {
        known_as: 55,
        name: "part",
        anchors: Anchors::numbers(&[At::any(Looks::UP_TO_THREE.or(Looks::DECIMAL))]),
        find: clinical::part::find
    },
    Rule {
        known_as: 56,
        name: "short-number",
        anchors: Anchors::numbers(&[At::any(Looks::UP_TO_THREE.or(Looks::DECIMAL).or(Looks::SLASH))]),
        find: clinical::count::find,
    },
    Rule {
        known_as: 57,
        name: "obstetric",
        anchors: Anchors::numbers(&[At::beside(Looks::UP_TO_FOUR, Signs::BORN).or_after(Fact::LeadsBirth)]),
        find: clinical::obstetric::find,
    },
    Rule {
        known_as: 58,
        name: "level",
        anchors: Anchors::words(&[Class::Level]).near(clinical::value::near_level),
        find: clinical::score::level,
    },
    Rule {
        known_as: 59,
        name: "notation",
        anchors: Anchors::numbers(&[At::beside(Looks::ALL, Signs::GLUED)]),
        find: clinical::notation::find,
    },
    Rule {
        known_as: 60,
        name: "marker",
        anchors: Anchors::words(&[Class::Marker]).near_all(clinical::marker::near),
        find: clinical::marker::find
    },
    Rule {
        known_as: 61,
        name: "acronym",
        anchors: Anchors::words(&[Class::Acronym]).near(clinical::acronym::near),
        find: clinical::acronym::find,
    },
    Rule {
        known_as: 62,
        name: "age-to-89",
        anchors: Anchors::numbers(
            &[At::beside(Looks::UP_TO_TWO, Signs::POSSESSED.or(Signs::AGE)).or_before(Fact::Sex)]
        ),
        find: clinical::age::find,
    },
    Rule {
        known_as: 63,
        name: "variant",
        anchors: Anchors::marks(b".").near(clinical::variant::near),
        find: clinical::variant::find
    },
    Rule {
        known_as: 64,
        name: "chromosome",
        anchors: Anchors::marks(b"(,*").near(clinical::chromosome::near),
        find: clinical::chromosome::find
    },
    Rule {
        known_as: 65,
        name: "named-code",
        anchors: Anchors::words(&[Class::CodeSystem]),
        find: clinical::code::find
    },
    Rule {
        known_as: 66,
        name: "list-number",
        anchors: Anchors::numbers(&[At::beside(Looks::UP_TO_TWO, Signs::CLOSED)]),
        find: clinical::list::item,
    },
    Rule {
        known_as: 67,
        name: "count",
        anchors: Anchors::numbers(&[At::beside(
            Looks::UP_TO_FOUR.or(Looks::DECIMAL).or(Looks::SLASH),
            Signs::SHARP.or(Signs::DRUG),
        )
        .or_after(Fact::LeadsCount)
        .or_before(Fact::Ordinal)]),
        find: clinical::list::led,
    },
    Rule {
        known_as: 68,
        name: "suture",
        anchors: Anchors::numbers(&[At::beside(Looks::ONE, Signs::HYPHEN_BEFORE)]),
        find: clinical::list::suture,
    },
    // These have no anchors and run after all others, see `find_known` and `find`.
    Rule { known_as: 69, name: "site-list", anchors: Anchors::NONE, find: |_, _, _| {} },
    Rule { known_as: 70, name: "known", anchors: Anchors::NONE, find: |_, _, _| {} },
    Rule { known_as: 71, name: "name-propagated", anchors: Anchors::NONE, find: |_, _, _| {} },
    Rule { known_as: 72, name: "raised-letters", anchors: Anchors::NONE, find: |_, _, _| {} },
    // What the model is sure of, see `judgement`.
    Rule { known_as: 73, name: "judged", anchors: Anchors::NONE, find: |_, _, _| {} },
    Rule {
        known_as: 74,
        name: "misread",
        anchors: Anchors::numbers(&[At::beside(Looks::ALL, Signs::GLUED)]),
        find: clinical::misread::find,
    },
];

/// How many rules there are.
pub(super) const COUNT: usize = RULES.len();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_rules_are_one_to_models() {
        let numbers: std::collections::BTreeSet<u16> = RULES.iter().map(|rule| rule.known_as).collect();
        assert_eq!(numbers.len(), RULES.len());
    }
}
