//! Postal codes: after a state or a city, ZIP+4, after their keyword, British and Canadian forms.

use super::word_sets::says;
use super::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap, Kind as Kinds};
use crate::vocabulary::{Class, Classes};

/// Finds a postal code in figures.
pub(super) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let Some(code) = view.whole(at).filter(|_| view.width(at) == 5 && !view.token(at).glued()) else {
        mixed(view, at, findings);
        behind_its_town(view, at, findings);
        return;
    };
    let mut last = at + 1;
    let plus_four = view.is_mark(last, b'-')
        && view.joined(last)
        && view.is_number(last + 1)
        && view.joined(last + 1)
        && view.width(last + 1) == 4;
    if plus_four {
        last += 2;
    }
    if view.token(last).glued() || (view.is_mark(last, b'-') && view.joined(last) && view.joined(last + 1)) {
        return;
    }
    let mut before = at;
    for _ in 0..4 {
        if before == 0 || !(view.follows(before) || view.same_line(before)) {
            break;
        }
        before -= 1;
        let word = view.bytes(before);
        if view.is_any_mark(before, b",.:#-(") || matches!(word, b"code" | b"is" | b"usa" | b"us") {
            continue;
        }
        if matches!(word, b"zip" | b"zipcode" | b"postal" | b"postcode" | b"plz" | b"z") && word.len() > 1 {
            findings.remove(at, last, Kind::Zip, Certainty::Sure);
            return;
        }
        // `Nueva Ellery, Q. ROO 80312`
        if word == b"roo" && view.case(before) == Case::Upper && before > 1 && says!(view, before - 2, "q") {
            findings.remove(before - 2, last, Kind::Zip, Certainty::Likely);
            return;
        }
        // CA is calcium and a state, PA a projection; five digits decide.
        let state = view.is(before, Class::State) && (view.capitalised(before) || word.len() > 3);
        let comma = before > 0 && view.is_mark(before - 1, b',') && word.len() == 2;
        let city = view.is(before, Class::City)
            && view.capitalised(before)
            && !view.any(before, Classes::of(&[Class::Unit, Class::IdKeyword]));
        let part = view.is(before, Class::PlacePart) && view.capitalised(before) && !view.is(before, Class::Stop);
        let known = state || city || part;
        if (known && !view.is(before, Class::CodeSystem)) || (comma && view.is(before, Class::State)) {
            findings.remove(at, last, Kind::Zip, Certainty::Likely);
            return;
        }
        // `Ellery, TAMPS 47324`: the region of a country in capitals, behind a comma and a name.
        let region = view.case(before) == Case::Upper
            && (2..=5).contains(&word.len())
            && (!view
                .any(before, Classes::of(&[Class::Measurement, Class::CodeSystem, Class::IdKeyword, Class::Unit]))
                || word == b"camp")
            && before > 1
            && view.is_mark(before - 1, b',')
            && (view.case(before - 2) == Case::Capital || says!(view, before - 2, "altos" | "bajos"))
            && !view.any(before - 2, Classes::of(&[Class::Clinical, Class::Term, Class::Measurement, Class::Brand]))
            && !code.is_multiple_of(1000);
        if region {
            findings.remove(before, last, Kind::Zip, Certainty::Likely);
            return;
        }
        break;
    }
    if plus_four {
        findings.remove(at, last, Kind::Zip, Certainty::Likely);
    }
}

/// `Bhilwara-311001`: six figures joined to a town.
fn behind_its_town(view: &View<'_>, at: usize, findings: &mut Findings) {
    let Some(town) = at.checked_sub(2).filter(|_| view.is_mark(at - 1, b'-') && view.joined(at)) else { return };
    let six = view.width(at) == 6 && view.whole(at).is_some() && !view.token(at + 1).glued();
    let named = view.case(town) == Case::Capital && view.width(town) > 3 && view.joined(at - 1);
    let unlisted = Classes::of(&[Class::English, Class::Stop, Class::Clinical, Class::Brand, Class::IdKeyword]);
    if six && named && !view.any(town, unlisted) {
        findings.remove(town, at + 1, Kind::Zip, Certainty::Likely);
    }
}

/// K1A 0B1, SW1A 1AA: asked at their first number.
fn mixed(view: &View<'_>, at: usize, findings: &mut Findings) {
    let digits = view.width(at);
    if digits > 2
        || !view.token(at).glued()
        || at == 0
        || !view.is_word(at - 1)
        || view.width(at - 1) > 2
        || view.case(at - 1) != Case::Upper
    {
        return;
    }
    let first = at - 1;
    let mut next = at + 1;
    // The letter at the end of the first half.
    let letter = view.is_word(next) && view.token(next).glued() && view.width(next) == 1;
    if letter {
        next += 1;
    }
    // A token with a digit in front, in the same word or the next one.
    let spaced = !view.joined(next);
    let dash = view.is_mark(next, b'-') && view.joined(next);
    if dash {
        next += 1;
    }
    if !view.is_number(next)
        || !view.same_line(next)
        || view.width(next) != 1
        || !view.is_word(next + 1)
        || !view.token(next + 1).glued()
    {
        return;
    }
    let tail = view.width(next + 1);
    let canadian = letter
        && (spaced || dash)
        && digits == 1
        && view.width(first) == 1
        && tail == 1
        && view.is_number(next + 2)
        && view.token(next + 2).glued()
        && view.width(next + 2) == 1
        && !view.token(next + 3).glued();
    if canadian {
        findings.remove(first, next + 3, Kind::Zip, Certainty::Likely);
        return;
    }
    let british = tail == 2
        && spaced
        && view.case(next + 1) == Case::Upper
        && (!view.is(next + 1, Class::Unit) || behind_a_town(view, first))
        && !view.token(next + 2).glued();
    if british {
        findings.remove(first, next + 2, Kind::Zip, Certainty::Likely);
        let town = address(view, first);
        if town < first {
            findings.remove(town, first, Kind::City, Certainty::Likely);
        }
    }
}

/// Where the address before a British postcode begins: `The Old Forge, Nether Wallop SO20 8EZ` where the line or the field holds
/// nothing else, otherwise the two last words with capital letters. `first` if there is none.
fn address(view: &View<'_>, first: usize) -> usize {
    const MOST: usize = 14;
    const OTHER: Classes = Classes::of(&[
        Class::IdKeyword,
        Class::PhoneKeyword,
        Class::PersonNoun,
        Class::NameField,
        Class::Clinical,
        Class::Measurement,
        Class::DateCue,
    ]);
    let mut at = first;
    let mut words = 0;
    while at > 0 && first - at < MOST && view.gap(at) <= Gap::Space {
        let before = at - 1;
        let small = view.case(before) == Case::Lower
            && matches!(
                view.word(before),
                "upon" | "on" | "in" | "of" | "the" | "under" | "by" | "le" | "next" | "and" | "cum"
            );
        let part = view.is_word(before) && (view.case(before) == Case::Capital && !view.any(before, OTHER) || small);
        let mark = view.is_any_mark(before, b",-.") || view.token(before).kind == Kinds::Possessive;
        if !part && !mark {
            break;
        }
        words += usize::from(part);
        at = before;
    }
    let open = at == 0 || view.gap(at) >= Gap::Wide || view.is_any_mark(at - 1, b":(") || view.is_number(at - 1);
    if words > 0 && open && view.is_word(at) && first - at < MOST {
        return at;
    }
    let comma = usize::from(first > 0 && view.is_mark(first - 1, b','));
    let end = first - comma;
    let mut town = end;
    while town > 0
        && end - town < 2
        && view.gap(town) <= Gap::Space
        && view.case(town - 1) == Case::Capital
        && view.is_word(town - 1)
        && !view.any(town - 1, OTHER)
        && !view.sentence_start(town - 1)
    {
        town -= 1;
    }
    if town < end { town } else { first }
}

/// `Ellery, W9 1HG`: the letters are no unit behind a town and a comma.
fn behind_a_town(view: &View<'_>, first: usize) -> bool {
    first > 1
        && view.is_mark(first - 1, b',')
        && view.case(first - 2) == Case::Capital
        && !view.any(first - 2, Classes::of(&[Class::English, Class::Clinical, Class::Brand]))
}
