//! Whole addresses in one line, whose parts are clinical words or shorthand each for itself: `7 Winters Quadrant, South
//! Ellery, QLD, 2622`, `Madderweg 20, 5129 CS, Eesveen`, `21405975 Duarte Alegre / BA`.
//!
//! What makes the address is the order of its parts: a number, a name, a comma, a town, a code. No amount, dose or value is
//! written so, whatever the words are.

use super::flat::{UNITS, with_apartment};
use super::is_no_word;
use crate::rules::name::{NAMES, is_shouted, lean};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Words with capital letters that stand in no name of a street or a town, even if they are names too.
const NEVER: Classes = Classes::of(&[
    Class::Title,
    Class::Credential,
    Class::Weekday,
    Class::PersonNoun,
    Class::IdKeyword,
    Class::PhoneKeyword,
]);

/// Anchor: a number. Reads the address that the number begins, or in which it is the number of the house or the code.
pub(super) fn find(view: &View<'_>, number: usize, findings: &mut Findings) {
    let digits = view.bytes(number);
    let next = number + 1;
    if digits.len() > 9 || view.token(number).glued() || digits.contains(&b'.') || digits.contains(&b':') {
        return;
    }
    let comma = usize::from(view.is_mark(next, b',') && view.joined(next));
    let small = matches!(view.word(next), "das" | "dos" | "da" | "de" | "do") && view.gap(next) == Gap::Space;
    if small && digits.len() == 8 && town_and_region(view, number, next, findings) {
        return;
    }
    let begins = |at: usize| is_capital(view, at) && view.case(at) == Case::Capital && view.bytes(at).len() > 2;
    if begins(next + comma) && view.gap(next + comma) == Gap::Space {
        if comma == 0 && digits.len() >= 3 && town_and_region(view, number, next, findings) {
            return;
        }
        if digits.len() <= 7 {
            house_first(view, number, next + comma, findings);
        }
    }
    if digits.len() <= 4 && number > 0 && begins(number - 1) && view.gap(number) == Gap::Space {
        house_last(view, number, findings);
    }
}

/// `7 Winters Quadrant, South Ellery, QLD, 2622`, `15073 Brooks Spur Apt. 496, West Ellery, KY 35206`, `781, Rattan Road,
/// Kolhapur 023837`: the number of the house, street, town and code.
fn house_first(view: &View<'_>, number: usize, street: usize, findings: &mut Findings) {
    let street_end = capitals(view, street, 4);
    if street_end == street || is_shouted(view, street) {
        return;
    }
    let end = with_apartment(view, street_end);
    // `209/7 Williams Run`: no number of a house has three slashes, and no date a word for a street behind it.
    let Some(digits) = view.number(number).filter(|digits| digits.len() <= 2) else { return };
    if !view.is_mark(end, b',') {
        slashed(view, number, street, street_end, digits.len(), findings);
        return;
    }
    let town = end + 1;
    let town_end = capitals(view, town, 4);
    if town_end == town || view.gap(town) != Gap::Space {
        slashed(view, number, street, street_end, digits.len(), findings);
        return;
    }
    let Some(code) = code(view, town_end) else {
        slashed(view, number, street, street_end, digits.len(), findings);
        return;
    };
    findings.remove(with_floor(view, number), end, Kind::Street, Certainty::Likely);
    findings.remove(town, town_end, Kind::City, Certainty::Likely);
    if code.region < code.code {
        findings.remove(code.region, code.code, Kind::State, Certainty::Likely);
    }
    if code.code < code.end {
        findings.remove(code.code, code.end, Kind::Zip, Certainty::Likely);
    }
}

/// `282/76 Alexander Crest`, `66/64, Sahota Road`, `47, Jain Road`: a house with a slash or a comma before its street.
fn slashed(view: &View<'_>, number: usize, street: usize, street_end: usize, parts: usize, findings: &mut Findings) {
    let comma = street > number + 1;
    let kind = street_end > street + 1 && view.is(street_end - 1, Class::StreetType);
    let named = is_no_word(view, street)
        || view.any(street, NAMES)
            && (lean(view, street) >= 0 || view.ranks(street).surname >= 12 || view.ranks(street).first_name >= 9);
    let value = number > 0 && view.any(number - 1, Classes::of(&[Class::Measurement, Class::Score]));
    let both = parts == 2 && comma && kind;
    if (parts == 2 || comma && kind) && street_end > street + 1 && (named || both) && !value {
        findings.remove(with_floor(view, number), with_apartment(view, street_end), Kind::Street, Certainty::Likely);
    }
}

/// `Level 3 884 Hansen Garden`, `Flat 09 650 Sarah Artery`: the part of the building before the number of the house.
pub(super) fn with_floor(view: &View<'_>, number: usize) -> usize {
    let before = number.wrapping_sub(1 + usize::from(number > 0 && view.is_mark(number - 1, b',')));
    let floor = before.wrapping_sub(1);
    if view.is_number(before) && UNITS.contains(&view.word(floor)) && view.same_line(before) { floor } else { number }
}

/// `Madderweg 20, 5129 CS, Eesveen`, `Ellersberget 9C, 8801 Helland`: street, number of the house, code, town.
fn house_last(view: &View<'_>, number: usize, findings: &mut Findings) {
    let street = compound(view, number - 1);
    // `January 10, 2010 Neurology`
    let month = Classes::of(&[Class::Month, Class::Weekday, Class::Measurement, Class::Title, Class::Holiday]);
    if is_shouted(view, street) || view.any(number - 1, month) {
        return;
    }
    let mut end = number + 1;
    if view.token(end).glued() {
        if view.bytes(end).len() > 1 || !view.is_word(end) {
            return;
        }
        end += 1;
    }
    let code = end + 1;
    if !view.is_mark(end, b',') || !view.joined(end) || !view.is_number(code) || view.gap(code) != Gap::Space {
        return;
    }
    let digits = view.bytes(code);
    if view.whole(code).is_none() || !matches!(digits.len(), 4 | 5) {
        return;
    }
    let letters = code + 1;
    let lettered = view.is_word(letters) && view.case(letters) == Case::Upper && view.bytes(letters).len() == 2;
    let town = letters + usize::from(lettered) + usize::from(lettered && view.is_mark(letters + 1, b','));
    let town_end = capitals(view, town, 4);
    if town_end == town || view.gap(town) != Gap::Space {
        return;
    }
    // `Troponin 4, 2000 Heparin`: one of the names must be no word.
    let known = is_no_word(view, number - 1) || is_no_word(view, town) || street + 1 < number;
    if !known {
        return;
    }
    findings.remove(street, end, Kind::Street, Certainty::Likely);
    findings.remove(code, letters + usize::from(lettered), Kind::Zip, Certainty::Likely);
    // `6938 Ellerbjerg J`
    let letter = view.is_word(town_end)
        && view.bytes(town_end).len() == 1
        && view.case(town_end) == Case::Upper
        && view.gap(town_end) == Gap::Space
        && view.is_any_mark(town_end + 1, b".,;)");
    findings.remove(town, town_end + usize::from(letter), Kind::City, Certainty::Likely);
}

/// The first of the words that hyphens join to the one at `last`: `Konstanze-Carsten-Allee`.
pub(super) fn compound(view: &View<'_>, last: usize) -> usize {
    let mut first = last;
    for _ in 0..4 {
        let joined = first >= 2
            && view.is_mark(first - 1, b'-')
            && view.joined(first)
            && view.joined(first - 1)
            && is_capital(view, first - 2);
        if !joined {
            break;
        }
        first -= 2;
    }
    first
}

/// `Sport Club, 73476-880 Borges / SC`, `21405975 Duarte Alegre / BA`: the code, the town and the state behind a slash, with
/// the quarter before them.
fn town_and_region(view: &View<'_>, number: usize, town: usize, findings: &mut Findings) -> bool {
    let town_end = capitals(view, town, 5);
    let region = town_end + 1;
    let state = view.is_mark(town_end, b'/')
        && view.is_word(region)
        && view.bytes(region).len() == 2
        && view.case(region) == Case::Upper;
    if !state || town_end == town {
        return false;
    }
    let split = number >= 2
        && view.is_mark(number - 1, b'-')
        && view.joined(number)
        && view.joined(number - 1)
        && view.is_number(number - 2);
    let first = if split { number - 2 } else { number };
    if split && view.bytes(first).len() != 5 || !split && view.bytes(first).len() != 8 {
        return false;
    }
    findings.remove(first, town, Kind::Zip, Certainty::Likely);
    findings.remove(town, region + 1, Kind::City, Certainty::Likely);
    // Back over the quarter to the comma after the number of the house.
    let Some(comma) = first.checked_sub(1).filter(|&comma| view.is_mark(comma, b',')) else { return true };
    let mut quarter = comma;
    while quarter > 0 && comma - quarter < 6 && !view.is_mark(quarter - 1, b',') && view.same_line(quarter) {
        quarter -= 1;
    }
    if quarter > 1 && quarter < comma && view.is_mark(quarter - 1, b',') && view.is_number(quarter - 2) {
        findings.remove(quarter, comma, Kind::City, Certainty::Likely);
    }
    true
}

/// What ends an address: a region in capitals and a code.
struct Ending {
    /// Where the region begins.
    region: usize,
    /// Where the code begins; the end where there is only a region.
    code: usize,
    /// One past the last token.
    end: usize,
}

/// Reads `, KY 35206`, `, QLD, 2622`, ` 023837`, `, W9 1HG`, `, NB J4T 3S5`, `, MA`.
fn code(view: &View<'_>, at: usize) -> Option<Ending> {
    let comma = view.is_mark(at, b',');
    let region = at + usize::from(comma);
    let letters = |word: usize| {
        view.is_word(word)
            && view.case(word) == Case::Upper
            && (2..=5).contains(&view.bytes(word).len())
            && view.gap(word) == Gap::Space
            && !view.token(word + 1).glued()
    };
    if let Some(end) = postcode(view, region) {
        return Some(Ending { region, code: region, end });
    }
    let after = region + usize::from(letters(region));
    let code = after + usize::from(after > region && view.is_mark(after, b','));
    if let Some(end) = postcode(view, code) {
        return Some(Ending { region, code, end });
    }
    let figures = view.whole(code).is_some()
        && (4..=6).contains(&view.bytes(code).len())
        && view.gap(code) == Gap::Space
        && !view.token(code + 1).glued();
    if figures {
        let four = view.is_mark(code + 1, b'-') && view.joined(code + 2) && view.is_number(code + 2);
        return Some(Ending { region, code, end: code + 1 + 2 * usize::from(four) });
    }
    let state = comma && after > region && view.is(region, Class::State);
    state.then_some(Ending { region, code: after, end: after })
}

/// One past a British or Canadian code, or one of Ireland: `W9 1HG`, `J4T 3S5`, `H00 T70V`.
pub(super) fn postcode(view: &View<'_>, at: usize) -> Option<usize> {
    let letters = view.case(at) == Case::Upper || view.bytes(at).len() == 1 && view.capitalised(at);
    if !view.is_word(at) || !letters || view.bytes(at).len() > 2 || view.gap(at) != Gap::Space {
        return None;
    }
    let cluster = |first: usize| {
        let mut last = first + 1;
        let mut length = view.bytes(first).len();
        while last < first + 6 && view.token(last).glued() {
            length += view.bytes(last).len();
            last += 1;
        }
        let upper = (first..last).all(|part| view.is_number(part) || view.case(part) != Case::Lower);
        (last, length, upper && last > first + 1)
    };
    let (half, first_length, mixed) = cluster(at);
    // `K5G1H2`: letters and figures by turns, with nothing between.
    if mixed && first_length == 6 && half == at + 6 && (at..half).all(|part| view.bytes(part).len() == 1) {
        return Some(half);
    }
    let (end, second_length, also) = cluster(half);
    let both = mixed && also && view.is_number(at + 1) && view.gap(half) == Gap::Space;
    // The second half of a British code begins with a figure; in Ireland the first has three characters and the second four.
    let british = view.is_number(half) && second_length == 3 && (2..=4).contains(&first_length);
    let irish = first_length == 3 && second_length == 4;
    (both && (british || irish)).then_some(end)
}

/// One past a row of words with capital letters, with what joins them: `St. Ellery`, `San Rosalia los altos`.
pub(super) fn capitals(view: &View<'_>, first: usize, most: usize) -> usize {
    let mut end = first;
    let mut words = 0;
    while words < most {
        let mut at = end;
        if at > first {
            let hyphen = view.is_mark(at, b'-') && view.joined(at) && view.joined(at + 1);
            let point = view.is_mark(at, b'.') && view.joined(at) && view.bytes(at - 1).len() <= 2;
            at += usize::from(hyphen || point);
        }
        if at > first || words == 0 {
            let small =
                matches!(view.word(at), "de" | "do" | "da" | "dos" | "das" | "del" | "la" | "los" | "las" | "le");
            if small && view.case(at) == Case::Lower && view.gap(at) == Gap::Space {
                let altos = matches!(view.word(at + 1), "altos" | "bajos");
                if altos && view.word(at) == "los" && at > first {
                    return at + 2;
                }
                at += 1 + usize::from(view.word(at + 1) == "la");
            }
            if at > first && (view.gap(at) > Gap::Space || view.border_before(at)) {
                break;
            }
        }
        // `2 Amy Retreat`: AMY is amylase, Amy is not.
        let value = view.is(at, Class::Measurement) && !view.any(at, NAMES);
        let never = (view.any(at, NEVER) || value) && !super::suffix::is_suffix(view, at);
        if !is_capital(view, at) || never || UNITS.contains(&view.word(at)) {
            break;
        }
        end = at + 1;
        words += 1;
    }
    end
}

fn is_capital(view: &View<'_>, at: usize) -> bool {
    view.is_word(at)
        && matches!(view.case(at), Case::Capital | Case::Mixed)
        && view.bytes(at).len() > 1
        && !view.token(at + 1).glued()
        && !view.token(at).glued()
}
