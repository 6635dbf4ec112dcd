//! Streets with their number, post office boxes.

use super::flat::{UNITS, with_apartment};
use super::is_no_word;
use super::suffix::is_suffix;
use crate::rules::columns::{Around, Fact, GROUP, Group};
use crate::rules::word_sets::{WordSet, says};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// How many words a street's name may have.
const MOST: usize = 5;

/// Which words for streets have a number before the words of their name, a word with a capital letter before them, or the number
/// of a road behind them.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let before = |has: fn(&Group) -> u64| around.up_to_here(has);
    let follows = before(|group| group.is(Fact::Follows));
    let name = before(|group| {
        let stop = group.is(Fact::Lower) & group.on(Class::Stop) & !group.is(Fact::Glued);
        group.is(Fact::Word) & !stop | group.marks(b".-/")
    });
    let (mut row, mut numbered) = (name & follows, before(|group| group.is(Fact::Number)));
    for far in [1, 2, 4, 8, 16, 32] {
        numbered |= row & numbered << far;
        row &= row << far;
    }
    ((numbered << 1 & follows) >> GROUP) as u64
        | around.before(1, Group::capitalised)
        | around.behind(1, |group| group.is(Fact::Number))
}

/// Anchor: a word for a street. The words before it up to a number are its name.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    // `IP14 3QX` above `Dear Dr. Long`
    if at == 0 || says!(view, at - 1, "dear") || road(view, at, findings) {
        return;
    }
    let Some((first, words)) = number_before(view, at) else {
        if is_without_number(view, at) {
            findings.remove(at - 1, at + 1, Kind::Street, Certainty::Likely);
        }
        return;
    };
    if !is_address(view, first, words, at) {
        return;
    }
    let end = with_apartment(view, at + 1);
    findings.remove(super::address::with_floor(view, first), end, Kind::Street, Certainty::Likely);
    // `20 Ellery Street T23 K4AK`: no level and no marker behind a street.
    if let Some(last) = super::address::postcode(view, end) {
        findings.remove(end, last, Kind::Zip, Certainty::Likely);
    }
}

/// The number before the words of a street's name, and how many words there are.
fn number_before(view: &View<'_>, at: usize) -> Option<(usize, usize)> {
    let (mut first, mut words) = (at, 0);
    while first > 0 && words < MOST {
        let before = first - 1;
        if !matches!(view.gap(first), Gap::None | Gap::Space | Gap::Line) {
            return None;
        }
        if view.is_number(before) {
            return Some((before, words));
        }
        let short = before > 0 && view.is_word(before - 1) && view.width(before - 1) <= 2;
        // `125/H Calder Street`
        let door = view.is_mark(before, b'/') && view.joined(before) && view.joined(first) && view.width(first) == 1;
        if view.is_mark(before, b'.') && short || view.is_mark(before, b'-') || door {
            first = before;
            continue;
        }
        // `91st Street`
        let small = view.case(before) == Case::Lower && !view.token(before).glued();
        if !view.is_word(before) || small && (view.is(before, Class::Stop) || view.capitalised(at)) {
            return None;
        }
        first = before;
        words += 1;
    }
    None
}

/// `at Copperhead Ln`, `lives on Division street`: a street without a number, behind a word for places.
fn is_without_number(view: &View<'_>, at: usize) -> bool {
    // Nothing else is written so.
    let sure = matches!(view.word(at), "ln" | "rd" | "blvd" | "pkwy" | "ave" | "cres" | "hwy")
        && view.bytes(at - 1).len() > 2
        && !view.is(at - 1, Class::Stop);
    let near = view.is_word(at - 1) && matches!(view.gap(at), Gap::None | Gap::Space | Gap::Line);
    let named = near && view.case(at) == Case::Capital && view.capitalised(at - 1) && (sure || is_name(view, at - 1));
    let cue = at > 1 && matches!(view.word(at - 2), "on" | "at" | "of" | "off" | "near" | "corner");
    let small = view.case(at) == Case::Lower
        && matches!(view.word(at), "street" | "avenue" | "ave" | "road" | "lane" | "drive" | "boulevard" | "blvd")
        && view.case(at - 1) == Case::Capital
        && view.gap(at) == Gap::Space;
    cue && (named || small)
}

/// Words for streets and for nothing else. Sorted.
#[rustfmt::skip]
static ROADS: WordSet = WordSet::new(&[
    "ave", "avenue", "blvd", "boulevard", "court", "drive", "lane", "ln", "parkway", "rd", "road", "street", "terrace",
]);

/// Whether the number `first` and the words up to the one for a street are an address, and no amount.
fn is_address(view: &View<'_>, first: usize, words: usize, at: usize) -> bool {
    // `129th Street`: the number may be the name.
    let ordinal = words == 1 && matches!(view.word(first + 1), "st" | "nd" | "rd" | "th");
    let whole = view.whole(first).is_some() && (words > 0 || ordinal);
    // `2 L dr`, `3 way`; but `2214 W Brown Avenue` and, where nothing has capitals, `2214 w brown avenue`.
    let lower = view.case(at) == Case::Lower;
    let plain = ROADS.has(view, at);
    let points = matches!(view.bytes(first + 1), b"n" | b"s" | b"e" | b"w" | b"ne" | b"nw" | b"se" | b"sw");
    let house = view.bytes(first).len() >= 2;
    let direction = words > 1
        && (view.bytes(first + 1).len() == 1 && view.case(first + 1) == Case::Upper
            || points && house && (plain || view.word(at) == "st"));
    // `37 Spray Drive`, `2081 Wood Road`: a capital letter and a word for nothing but a street; units have neither.
    let capitals = view.case(first + 1) == Case::Capital && view.case(at) == Case::Capital && !view.joined(first + 1);
    let written = capitals || plain && view.bytes(first + 1).len() >= 4 && lower && house;
    // A 30-MINUTE WALK
    let after = first + 1 + usize::from(view.is_mark(first + 1, b'-'));
    let measure = view.any(after, Classes::of(&[Class::Unit, Class::Duration]))
        && !ordinal
        && !direction
        && !written
        && !view.is(first + 1, Class::OrdinalWord);
    if !whole || measure || first > 0 && view.is_mark(first - 1, b'#') {
        return false;
    }
    // `418 station ave, eastbrook`: in small letters the address begins a line or follows a comma, and ends so.
    let place = Classes::of(&[Class::Surname, Class::PlacePart, Class::City]);
    let set_off = (view.token(first).line_start() || view.is_mark(first.wrapping_sub(1), b',')) && house;
    let ends = view.is_any_mark(at + 1, b",.") || view.ends_line(at + 1);
    let named = direction
        || plain && house && words <= 2
        || (first + 1..at).any(|word| is_no_word(view, word) || view.any(word, place));
    !lower || named || set_off && ends
}

/// `on Route 9`, `off Hwy 61`: a road with a number for its name. A way of giving has none.
fn road(view: &View<'_>, at: usize, findings: &mut Findings) -> bool {
    let next = at + 1;
    let kind =
        says!(view, at, "route" | "rte" | "highway" | "hwy" | "interstate" | "motorway" | "freeway" | "turnpike");
    let number = view.whole(next).is_some_and(|number| number > 0 && number < 1000) && view.gap(next) == Gap::Space;
    let led =
        at > 0 && says!(view, at - 1, "on" | "off" | "along" | "near" | "from" | "to" | "at" | "of" | "and" | "state");
    let written = view.case(at) == Case::Capital && !view.sentence_start(at);
    let found = kind && number && led && (written || !says!(view, at, "route")) && !view.token(next + 1).glued();
    if found {
        findings.remove(at, next + 1, Kind::Street, Certainty::Likely);
    }
    found
}

pub(super) fn is_name(view: &View<'_>, at: usize) -> bool {
    is_no_word(view, at) || view.any(at, Classes::of(&[Class::Surname, Class::FirstName, Class::City]))
}

/// Words with capital letters that no street is called by.
const NEVER: Classes = Classes::of(&[
    Class::Unit,
    Class::Dose,
    Class::Month,
    Class::Weekday,
    Class::Stop,
    Class::Duration,
    Class::NumberWord,
    Class::OrdinalWord,
    Class::Brand,
]);

/// Lists of which the name of a street may be a word.
const CALLED: Classes = Classes::of(&[Class::Surname, Class::FirstName, Class::City, Class::PlacePart]);

/// Anchor: a number. `01234 Heather Inlet`, `8 Winters Quadrant`: a number, a name and a word, all with capital letters.
pub(in crate::rules) fn numbered(view: &View<'_>, number: usize, findings: &mut Findings) {
    military(view, number, findings);
    super::address::find(view, number, findings);
    let name = number + 1;
    // `22 The Paddocks,`
    if says!(view, name, "the")
        && view.case(name) == Case::Capital
        && view.case(name + 1) == Case::Capital
        && view.gap(name) == Gap::Space
        && view.gap(name + 1) == Gap::Space
        && (view.is_mark(name + 2, b',') || view.ends_line(name + 2))
        && view.whole(number).is_some()
    {
        findings.remove(number, name + 2, Kind::Street, Certainty::Likely);
        return;
    }
    let capital = |at: usize| view.case(at) == Case::Capital && view.gap(at) == Gap::Space && view.bytes(at).len() > 2;
    // `282/76 Alexander Crest` too; but no decimals.
    let plain = view.bytes(number).len() <= 6 && !view.bytes(number).contains(&b'.');
    if !capital(name) || !plain || view.token(name + 1).glued() {
        return;
    }
    // `80 Hubbard-Brown Arcade`
    let double = view.is_mark(name + 1, b'-') && view.joined(name + 2) && view.case(name + 2) == Case::Capital;
    let things = Classes::of(&[
        Class::Eponym,
        Class::EponymNoun,
        Class::Brand,
        Class::Unit,
        Class::Dose,
        Class::Counted,
        Class::Sized,
        Class::Month,
        Class::Weekday,
        Class::Stop,
        Class::Clinical,
        Class::Duration,
        Class::PersonNoun,
        Class::Measurement,
        Class::Term,
    ]);
    // `12 Turner Greens`: an eponym that is a common name, and no noun of medicine behind it.
    let named = !view.any(name, things)
        || view.is(name, Class::Eponym)
            && view.ranks(name).surname >= 12
            && !view.any(name, Classes::of(&[Class::Unit, Class::Dose, Class::Brand, Class::Sized]));
    let bears = view.any(name, Classes::of(&[Class::Surname, Class::FirstName]))
        && (crate::rules::name::lean(view, name) >= 0 || view.ranks(name).first_name >= 9);
    let last = name + 1 + 2 * usize::from(double);
    // `14419 Hendrix Neck`, `04 Sue Extension`: numbers of so many digits, and those that begin with a zero, count no thing.
    let house = view.number(number).is_some_and(|digits| digits.padded() || digits.digits(0) == 5);
    // Nothing else is written so where the line or the clause is over behind it.
    let over =
        view.is_any_mark(last + 1, b",.") || view.gap(last + 1) >= Gap::Wide || UNITS.contains(&view.word(last + 1));
    let certainty = if over && view.bytes(number).len() > 1 { Certainty::Likely } else { Certainty::Weak };
    let thing = view.any(last, things) && !(house && !view.any(last, Classes::of(&[Class::Unit, Class::Dose])));
    // `654 Ellis Corner`, `36423 Keating Stream`, `284 Aaron Villages Suite 4`: the word is one that streets end with, or a flat
    // follows.
    let end = with_apartment(view, last + 1);
    let street = is_suffix(view, last) || end > last + 1;
    let called = is_no_word(view, name) || view.any(name, CALLED) && !view.any(name, NEVER);
    if street && called && capital(last) && !view.border_before(name) && !view.is(last + 1, Class::EponymNoun) {
        findings.remove(super::address::with_floor(view, number), end, Kind::Street, Certainty::Likely);
        return;
    }
    if bears && named && capital(last) && !thing && !view.border_before(name) {
        findings.remove(
            super::address::with_floor(view, number),
            with_apartment(view, last + 1),
            Kind::Street,
            certainty,
        );
    }
}

/// The address of a soldier abroad: `PSC 0413, Box 8144`, `Unit 0822 Box 8858`, and its `APO AA 42323`.
fn military(view: &View<'_>, number: usize, findings: &mut Findings) {
    let Some(before) = number.checked_sub(1) else { return };
    let post = before > 0 && matches!(view.word(before), "aa" | "ae" | "ap") && view.same_line(number);
    if post && matches!(view.word(before - 1), "apo" | "fpo" | "dpo") && view.same_line(before) {
        findings.remove(before - 1, number + 1, Kind::Street, Certainty::Sure);
        return;
    }
    // `Box 6644, AA 34012`: without the name of the post five digits that begin as theirs do.
    let bytes = view.bytes(number);
    let theirs = match view.word(before) {
        "aa" => bytes.starts_with(b"340"),
        "ae" => bytes.starts_with(b"09"),
        "ap" => bytes.starts_with(b"96"),
        _ => false,
    };
    if theirs
        && bytes.len() == 5
        && view.whole(number).is_some()
        && view.case(before) == Case::Upper
        && view.same_line(number)
    {
        findings.remove(before, number + 1, Kind::Zip, Certainty::Likely);
        return;
    }
    if !matches!(view.word(before), "psc" | "unit" | "cmr") || !view.same_line(number) {
        return;
    }
    let comma = usize::from(view.is_mark(number + 1, b','));
    let at = number + 1 + comma;
    if view.word(at) == "box" && view.is_number(at + 1) && view.same_line(at) {
        findings.remove(before, at + 2, Kind::Street, Certainty::Sure);
    }
}

/// Words before the numbers of the address of a soldier abroad.
pub(in crate::rules) const POSTS: &[&str] = &["aa", "ae", "ap", "psc", "unit", "cmr"];

/// Anchor: a number. A post office box is `P.O.`, `PO` or `Post Office`, `Box` and the number.
pub(in crate::rules) fn post_box(view: &View<'_>, number: usize, findings: &mut Findings) {
    let Some(mut at) = number.checked_sub(1) else { return };
    if view.is_any_mark(at, b"#:.") && at > 0 {
        at -= 1;
    }
    if view.word(at) != "box" || !view.follows(number) {
        return;
    }
    let mut first = at;
    let mut letters = 0;
    while first > 0 && letters < 2 && view.same_line(first) {
        let before = first - 1;
        match view.word(before) {
            "p" | "o" => letters += 1,
            "po" | "post" | "office" => letters = 2,
            "." => {}
            _ => break,
        }
        first = before;
    }
    if letters == 2 {
        // `PO Box 9, Burnt Corn`: the town behind it.
        let town = number + 2;
        let end = super::address::capitals(view, town, 3);
        let over = view.is_any_mark(end, b".,;)") || view.gap(end) >= Gap::Wide;
        let named = view.is_mark(number + 1, b',') && view.gap(town) == Gap::Space && end > town && over;
        let named = named && !view.any(town, Classes::of(&[Class::Title, Class::PhoneKeyword, Class::IdKeyword]));
        findings.remove(first, if named { end } else { number + 1 }, Kind::Street, Certainty::Sure);
    }
}
