//! The table of rules: where each is asked, and what looks there.

use super::CODE_ROW;
use super::clinical;
use super::cues::{credential, eponym, field, title};
use super::engine::columns::Group;
use super::engine::facts::Fact;
use super::engine::{Anchors, Findings, Looks, View};
use super::forms::{age, code, contact, date, encoded, holiday, identifier, path, phone, place, plate, split, zip};
use crate::vocabulary::Class;

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
    ($($known_as:literal $name:literal: $anchors:expr => $find:expr;)*) => {
        /// Every rule. The order changes nothing: `decide` weighs all findings together.
        pub static RULES: &[Rule] = &[$(Rule { known_as: $known_as, name: $name, anchors: $anchors, find: $find }),*];

        /// What finds, by rule.
        pub(super) static FINDS: [Find; COUNT] = [$($find),*];

        /// Where each rule is asked among the 64 tokens of the `nth` group of a block, one bit each: at words and marks and at numbers;
        /// in the middle of long rows only the one for these.
        #[inline(never)]
        pub(super) fn plan((group, rows): (&Group, u64), nth: usize, asked: &mut [[u64; BLOCK]; COUNT]) {
            let mut rule = 0;
            $({
                const ANCHORS: Anchors = $anchors;
                asked[rule][nth] = ANCHORS.places(group) & !rows;
                rule += 1;
            })*
            debug_assert!(rule == COUNT);
            asked[usize::from(CODE_ROW)][nth] = rows;
        }
    };
}

/// What times of day look like.
const TIMES: Looks = Looks::COLON.or(Looks::UP_TO_TWO).or(Looks::DECIMAL).or(Looks::FOUR);

rules! {
    0 "name-title": Anchors::words(&[Class::Title]) => title::find;
    1 "name-credential": Anchors { marks: b".", ..Anchors::words(&[Class::Credential]) } => credential::find;
    2 "name-field": Anchors::marks(b":|") => field::find;
    4 "eponym": Anchors::words(&[Class::Eponym]) => eponym::find;
    6 "city-state": Anchors::words(&[Class::State]) => place::town::find;
    8 "street": Anchors::words(&[Class::StreetType]) => place::street::find;
    9 "street-number": Anchors::numbers(Looks::ALL) => place::street::numbered;
    10 "apartment": Anchors::numbers(Looks::ALL) => place::flat::find;
    12 "ward": Anchors::words(&[Class::WardNoun]) => place::ward::find;
    14 "date-figures": Anchors::numbers(Looks::LONG.or(Looks::MARKED)).or_close(Looks::UP_TO_FOUR) => date::order::find;
    15 "date-month": Anchors::words(&[Class::Month]) => date::words::find;
    18 "year": Anchors::numbers(Looks::YEAR.or(Looks::MARKED)).or_close(Looks::TWO) => date::year::find;
    19 "birth-spoken": Anchors::words(&[Class::DateCue]) => date::spoken::find_birth;
    21 "holiday": Anchors::words(&[Class::Holiday, Class::HolidayPart]) => holiday::find;
    22 "weekday": Anchors::words(&[Class::Weekday]) => holiday::find_weekday;
    24 "age": Anchors::numbers(Looks::OLD.or(Looks::FOUR).or(Looks::FROM_FIVE).or(Looks::MARKED)).or_close(Looks::UP_TO_TWO) => age::find;
    25 "age-spoken": Anchors::words(&[Class::NumberWord, Class::OrdinalWord]) => age::find_spoken;
    26 "phone": Anchors::numbers(Looks::FROM_SIX.or(Looks::MARKED)).or_close(Looks::WHOLE) => phone::find;
    27 "phone-keyword": Anchors::words(&[Class::PhoneKeyword]) => phone::find_keyword;
    28 "phone-spoken": Anchors::words(&[Class::NumberWord]) => phone::spoken::find;
    29 "identifier-short": Anchors::marks(b"/") => identifier::find_short;
    30 "identifier": Anchors::words(&[Class::IdKeyword]) => identifier::find;
    31 "code": Anchors::numbers(Looks::FROM_SIX).or_close(Looks::ALL) => code::find;
    32 "plate": Anchors { by_capitals: Looks::UP_TO_SEVEN, ..Anchors::NONE } => plate::find;
    // Asked at the places that no other rule is asked at: in the middle of long rows.
    33 "code-row": Anchors::NONE => code::find_in_row;
    34 "code-hash": Anchors::marks(b"#") => code::find_hash;
    35 "contact-at": Anchors::marks(b"@") => contact::find_at;
    36 "contact-domain": Anchors::words(&[Class::DomainSuffix]) => contact::find_domain;
    37 "contact-scheme": Anchors::marks(b":") => contact::find_colon;
    38 "contact-number": Anchors::numbers(Looks::MARKED).or_close(Looks::ALL) => contact::find_number;
    39 "zip": Anchors::numbers(Looks::FIVE).or_close(Looks::UP_TO_TWO) => zip::find;
    // ---- tricks of writing: whatever their form hides goes whole
    40 "split-letters": Anchors::columns(Group::letters) => split::find;
    41 "encoded": Anchors { marks: encoded::MARKS, ..Anchors::columns(|group| group.is(Fact::Stars)) } => encoded::find;
    42 "path": Anchors::marks(b"_/\\") => path::find;
    // ---- vouch for clinical numbers
    43 "quantity": Anchors::numbers(Looks::ALL) => clinical::quantity::find;
    44 "measurement": Anchors::words(&[Class::Measurement]) => clinical::value::find;
    45 "score": Anchors::words(&[Class::Score]) => clinical::score::named;
    47 "grade": Anchors::numbers(Looks::UP_TO_THREE.or(Looks::PART)).or_close(Looks::MARKED) => clinical::score::form;
    48 "panel": Anchors::numbers(Looks::ALL) => clinical::panel::find;
    49 "time-span": Anchors::numbers(Looks::SLASH) => clinical::span::find;
    50 "time-of-day": Anchors::numbers(TIMES) => clinical::time::find;
    51 "clock": Anchors::numbers(Looks::FOUR) => clinical::clock::find;
    52 "vital-signs": Anchors::numbers(Looks::SLASH) => clinical::row::vital;
    53 "cell": Anchors::numbers(Looks::UP_TO_THREE.or(Looks::DECIMAL)) => clinical::row::cell;
    54 "change": Anchors::numbers(Looks::ALL) => clinical::change::find;
    55 "part": Anchors::numbers(Looks::UP_TO_THREE.or(Looks::DECIMAL)) => clinical::part::find;
    56 "short-number": Anchors::numbers(Looks::UP_TO_THREE.or(Looks::DECIMAL).or(Looks::SLASH)) => clinical::count::find;
    57 "obstetric": Anchors::numbers(Looks::UP_TO_FOUR) => clinical::obstetric::find;
    58 "level": Anchors::words(&[Class::Level]) => clinical::score::level;
    59 "notation": Anchors::NONE.or_close(Looks::ALL) => clinical::notation::find;
    60 "marker": Anchors::words(&[Class::Marker]) => clinical::marker::find;
    61 "acronym": Anchors::words(&[Class::Acronym]) => clinical::acronym::find;
    62 "age-to-89": Anchors::numbers(Looks::UP_TO_TWO) => clinical::age::find;
    65 "named-code": Anchors::words(&[Class::CodeSystem]) => clinical::code::find;
    66 "list-number": Anchors::NONE.or_close(Looks::UP_TO_TWO) => clinical::list::item;
    67 "count": Anchors::numbers(Looks::UP_TO_FOUR.or(Looks::DECIMAL).or(Looks::SLASH)) => clinical::list::led;
    // These have no anchors and run after all others, see `find_known` and `find`.
    69 "site-list": Anchors::NONE => |_, _, _| {};
    70 "known": Anchors::NONE => |_, _, _| {};
    71 "name-propagated": Anchors::NONE => |_, _, _| {};
    72 "raised-letters": Anchors::NONE => |_, _, _| {};
    // What the model is sure of, see `judgement`.
    73 "judged": Anchors::NONE => |_, _, _| {};
    74 "misread": Anchors::NONE.or_close(Looks::ALL) => clinical::misread::find;
}

/// How many rules there are.
pub(super) const COUNT: usize = RULES.len();

/// How many groups of tokens are read before rules are asked.
pub(super) const BLOCK: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_rules_are_one_to_models() {
        let numbers: std::collections::BTreeSet<u16> = RULES.iter().map(|rule| rule.known_as).collect();
        assert_eq!(numbers.len(), RULES.len());
    }
}
