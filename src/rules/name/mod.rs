//! Names of people.
//!
//! A name is found by what stands beside it: a title, a credential, a header field, a relative, a verb that people do, or
//! another name. Most names are on no allowed list and would go anyway; what these rules decide is the fate of names
//! that are also ordinary words ("Dr. Brown", "Olive slept well").

pub(super) mod agent;
pub(super) mod bare;
pub(super) mod beside;
pub(super) mod credential;
mod duty;
pub(super) mod field;
pub(super) mod form;
mod handover;
pub(super) mod initial;
pub(super) mod line;
pub(super) mod people;
pub(super) mod propagate;
pub(super) mod relative;
mod segment;
pub(super) mod title;

use super::View;
use crate::rules::view::says;
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes, Ranks};

/// Lists of names of people.
pub(super) const NAMES: Classes = Classes::of(&[Class::Surname, Class::FirstName]);

/// Words that end a name wherever they stand.
const NEVER: Classes = Classes::of(&[Class::Title, Class::Credential, Class::Unit, Class::Measurement, Class::Month]);

/// Lists of ordinary words.
pub(super) const ORDINARY: Classes = Classes::of(&[
    Class::Stop,
    Class::English,
    Class::Literature,
    Class::Clinical,
    Class::Term,
    Class::Facility,
    Class::PersonNoun,
    Class::PersonVerb,
    Class::Relative,
    Class::Dose,
    Class::Brand,
]);

/// How much the place says that a name stands here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trust {
    /// Only words that look like names.
    Form,
    /// The first word is a name whatever it looks like, if it has a capital letter.
    Capital,
    /// The first word is a name whatever it looks like.
    Any,
}

/// Whether the word is on no list of ordinary words; `place::is_no_word` asks fewer lists.
pub(in crate::rules) fn is_unlisted(view: &View<'_>, at: usize) -> bool {
    view.is_word(at) && !view.any(at, ORDINARY)
}

/// Parts of the body and words of medicine beside them.
pub(in crate::rules) const PARTS: Classes =
    Classes::of(&[Class::EponymNoun, Class::Level, Class::Clinical, Class::Measurement]);

/// Whether two words of medicine stand with `and` between, from `first` on: `Head and Neck`.
fn are_parts(view: &View<'_>, first: usize) -> bool {
    says!(view, first + 1, "and" | "&") && view.any(first, PARTS) && view.any(first + 2, PARTS)
}

/// How much more common the word is as a name than as a word, in powers of two: bearers in the census against uses in
/// 2.5 million words of the literature. Words of the dictionary count as three powers more common than that.
pub(in crate::rules) fn lean(view: &View<'_>, at: usize) -> i32 {
    lean_by(view, at, || view.ranks(at))
}

/// The same where the ranks are at hand.
#[inline]
fn lean_by(view: &View<'_>, at: usize, ranks: impl FnOnce() -> Ranks) -> i32 {
    if !view.any(at, NAMES) {
        return i32::MIN / 2;
    }
    if is_unlisted(view, at) {
        return 20;
    }
    let ranks = ranks();
    let dictionary = Classes::of(&[Class::English, Class::Stop, Class::Clinical, Class::Literature, Class::Brand]);
    i32::from(ranks.surname.max(ranks.first_name))
        - i32::from(ranks.frequency)
        - if view.any(at, dictionary) { 3 } else { 0 }
}

/// Whether the word is a name far more often than a word, so that it may be taken for one in any case.
pub(super) fn is_mostly_name(view: &View<'_>, at: usize) -> bool {
    !view.is(at, Class::Stop) && lean(view, at) >= 11
}

/// Whether all that stand in the same line up to so many tokens before and behind are as they should be.
#[inline]
fn all_around(view: &View<'_>, at: usize, reach: usize, mut fits: impl FnMut(usize) -> bool) -> bool {
    let mut left = at;
    while left > 0 && at - left < reach && view.same_line(left) {
        left -= 1;
        if !fits(left) {
            return false;
        }
    }
    (at + 1..=at + reach).take_while(|&right| view.same_line(right)).all(fits)
}

/// Whether the words around stand in capitals too, so that capitals say nothing.
pub(in crate::rules) fn is_shouted(view: &View<'_>, at: usize) -> bool {
    const REACH: usize = 5;
    if view.case(at) != Case::Upper {
        return false;
    }
    let mut others = 0;
    let all = all_around(view, at, REACH, |other| {
        let word = view.is_word(other) && view.width(other) > 1;
        others += usize::from(word);
        !word || view.case(other) == Case::Upper
    });
    all && others > 0
}

/// Whether the words around have capital letters like those of a title, so that one more says nothing: `Negative for Chills and
/// Cough`. Two of them are words that are nobody's name and stand beside nobody's.
pub(in crate::rules) fn is_titled(view: &View<'_>, at: usize) -> bool {
    const REACH: usize = 8;
    const NAMED: Classes = Classes::of(&[
        Class::Surname,
        Class::FirstName,
        Class::City,
        Class::PlacePart,
        Class::Brand,
        Class::Title,
        Class::Credential,
        Class::PersonNoun,
        Class::Relative,
        Class::NameField,
        Class::Facility,
        Class::Organisation,
        Class::WardNoun,
        Class::Month,
        Class::Weekday,
    ]);
    let mut others = 0;
    let all = all_around(view, at, REACH, |other| {
        if !view.is_word(other) || view.width(other) < 2 {
            return true;
        }
        let ordinary = || !view.sentence_start(other) && !view.any(other, NAMED) && view.any(other, ORDINARY);
        others += usize::from(view.case(other) == Case::Capital && ordinary());
        view.case(other) != Case::Lower || view.is(other, Class::Stop)
    });
    all && others > 1
}

/// The most hyphens in one name. Without an end, a megabyte of words with hyphens between would be read from each word on.
const HYPHENS: usize = 8;

/// Where a person's name that begins at `first` ends; `first` itself if none does.
pub(super) fn end_of_name(view: &View<'_>, first: usize, trust: Trust, most: usize) -> usize {
    let mut at = first;
    let mut words = 0;
    let mut end = first;
    let shouted = is_shouted(view, first);
    while words < most {
        if !view.is_word(at) || at > first && !goes_on(view, at) {
            break;
        }
        if let Some(after) = initial(view, at, trust) {
            at = after;
            words += 1;
            // An initial alone is a name only beside one, or where a name must stand.
            if words > 1 || trust > Trust::Form {
                end = at;
            }
            continue;
        }
        // `van Gogh`, `St. Clay`
        let particle = view.is(at, Class::NamePrefix);
        if (particle || says!(view, at, "st" | "ste")) && !view.is(at, Class::Stop) {
            let point = view.is_mark(at + 1, b'.') && view.joined(at + 1);
            let next = at + 1 + usize::from(point);
            if (particle || point) && view.is_word(next) && view.follows(next) {
                at += 1;
                if view.is_mark(at, b'-') || view.is_mark(at, b'.') {
                    at += 1;
                }
            }
        }
        if !is_part(view, at, trust, at == first || words == 0, shouted) {
            break;
        }
        at += 1;
        for _ in 0..HYPHENS {
            if !(view.is_mark(at, b'-') && view.joined(at) && view.is_word(at + 1) && view.follows(at + 1)) {
                break;
            }
            at += 2;
        }
        words += 1;
        end = at;
    }
    if end > first {
        end = with_suffix(view, end);
    }
    end
}

/// Whether a name may reach over the gap before `at`.
fn goes_on(view: &View<'_>, at: usize) -> bool {
    match view.gap(at) {
        Gap::None | Gap::Space => true,
        // A name broken over a line, but not the next field of a header.
        Gap::Line => {
            view.capitalised(at)
                && (view.any(at, NAMES) || is_unlisted(view, at))
                && !(1..4).any(|ahead| view.is_mark(at + ahead, b':'))
        }
        Gap::Wide | Gap::Paragraph => false,
    }
}

/// One past an initial with its point.
fn initial(view: &View<'_>, at: usize, trust: Trust) -> Option<usize> {
    let letter = view.is_word(at) && view.width(at) == 1 && (view.capitalised(at) || trust == Trust::Any);
    if !letter {
        return None;
    }
    let point = view.is_mark(at + 1, b'.') && view.joined(at + 1);
    Some(if point { at + 2 } else { at + 1 })
}

/// Whether the word can be a part of a name.
fn is_part(view: &View<'_>, at: usize, trust: Trust, first: bool, shouted: bool) -> bool {
    if !view.is_word(at) || view.width(at) < 2 {
        return false;
    }
    let names = view.any(at, NAMES);
    if trust > Trust::Form && !first && closes(view, at) {
        return true;
    }
    if view.any(at, NEVER) {
        if trust == Trust::Form {
            return false;
        }
        // `Dr. Detlev May`: a month that is a name too, where a name must stand.
        let month = view.is(at, Class::Month) && names && !view.is_number(at + 1);
        // `Dr. Tobra`: short forms of medicine are written otherwise.
        let capital = matches!(view.case(at), Case::Capital | Case::Mixed);
        // `Dr. Trent Forest`
        let family = !first && names && at > 0 && is_given(view, at - 1);
        let short = (first || family) && capital && !view.any(at, Classes::of(&[Class::Title, Class::Credential]));
        if !(names && first || month || short) {
            return false;
        }
        if month && view.capitalised(at) {
            return true;
        }
    }
    if view.is(at, Class::Stop) && !(names && first && view.capitalised(at) && !shouted && trust > Trust::Form) {
        return false;
    }
    if is_unlisted(view, at) {
        return view.capitalised(at) || trust == Trust::Any || names;
    }
    // "Dr. Brown saw": what follows a name in small letters and is what people do ends it, whoever bears it as a name.
    if !first && view.case(at) == Case::Lower && view.is(at, Class::PersonVerb) {
        // `dictated by: gilbert baker, md`
        let before = at > 0 && view.is(at - 1, Class::FirstName) && is_unlisted(view, at - 1);
        let initial = at > 1 && view.is_mark(at - 1, b'.') && view.width(at - 2) == 1;
        let over = view.gap(at + 1) >= Gap::Wide || view.is_mark(at + 1, b',');
        return trust == Trust::Any && names && (before || initial) && over;
    }
    let written = view.capitalised(at) && (!shouted || trust == Trust::Any) && names;
    // `dr. cook took`
    let point = usize::from(at > 0 && view.is_mark(at - 1, b'.'));
    let titled = at > point && view.is(at - 1 - point, Class::Title) && view.ranks(at).surname >= 9;
    let may_be_any = first && (!view.is(at, Class::PersonVerb) || written || titled) && !view.is(at, Class::Facility);
    match trust {
        Trust::Any if may_be_any => true,
        Trust::Capital if may_be_any && view.capitalised(at) => true,
        // What is a word too and has no capital letter belongs to no name.
        Trust::Any if !view.capitalised(at) => {
            // `dr. trent long`: the family name after a first name, or up to the end of the field.
            let given = at > 0 && view.is(at - 1, Class::FirstName) && is_unlisted(view, at - 1);
            let over = view.gap(at + 1) >= Gap::Wide || view.is_mark(at + 1, b',');
            (given && lean(view, at) >= -4 || over && names) && !view.is(at, Class::PersonVerb)
        }
        _ if !view.capitalised(at) => false,
        // Where a name must stand, the family name may be any word: `Dr. Fisher Upper`, `Patient: Olive Graves`.
        Trust::Any | Trust::Capital if !shouted && (names || view.is(at, Class::Eponym)) => true,
        Trust::Any if shouted && lean(view, at) >= -8 => true,
        // `DR. TRENT FOREST`, `NAME: MADISON SHORE`
        _ if shouted && !first && names && trust > Trust::Form && at > 0 && is_given(view, at - 1) => {
            !view.is(at, Class::PersonVerb) || view.gap(at + 1) >= Gap::Wide
        }
        // `WITH ILONKA A BAKER, THEN`: behind a first name that is no word and an initial.
        _ if shouted && !first && names && behind_initial(view, at) => true,
        _ if shouted => is_mostly_name(view, at) || trust > Trust::Form && lean(view, at) >= 4,
        // After a first name that is no word, what has a capital letter is the family name: `Ilonka Bone`.
        _ if !first && at > 0 && view.is(at - 1, Class::FirstName) && is_unlisted(view, at - 1) => names,
        _ => lean(view, at) >= 2,
    }
}

/// Whether an initial and a first name that is no word stand before the word, and a mark behind it.
fn behind_initial(view: &View<'_>, at: usize) -> bool {
    let Some(letter) = at.checked_sub(1 + usize::from(at > 0 && view.is_mark(at - 1, b'.'))) else { return false };
    let over = view.is_any_mark(at + 1, b",.;)") || view.gap(at + 1) >= Gap::Wide;
    over && letter > 0
        && view.is_word(letter)
        && view.width(letter) == 1
        && (is_given(view, letter - 1) || is_unlisted(view, letter - 1))
}

/// Whether the word is a first name and no word.
fn is_given(view: &View<'_>, at: usize) -> bool {
    view.is(at, Class::FirstName) && (is_unlisted(view, at) || lean(view, at) >= 7)
}

/// Whether a word with a capital letter ends what can only be a name: `Patient: Pearl D. Apgar`, and the line is over.
fn closes(view: &View<'_>, at: usize) -> bool {
    let next = at + 1;
    let over = view.gap(next) >= Gap::Wide || view.is_any_mark(next, b",|(");
    let other = Classes::of(&[Class::Title, Class::Credential, Class::NameField, Class::Stop, Class::Facility]);
    over && matches!(view.case(at), Case::Capital | Case::Mixed) && !view.any(at, other)
}

/// Takes in `, Jr.` and its like.
fn with_suffix(view: &View<'_>, end: usize) -> usize {
    let at = if view.is_mark(end, b',') { end + 1 } else { end };
    if view.is(at, Class::NameSuffix) && view.same_line(at) && view.capitalised(at) && view.width(at) > 1 {
        let point = view.is_mark(at + 1, b'.') && view.joined(at + 1);
        if point { at + 2 } else { at + 1 }
    } else {
        end
    }
}

/// Where `Last, First M.` or `First M. Last` ends.
pub(super) fn end_of_full_name(view: &View<'_>, first: usize, trust: Trust) -> usize {
    let end = end_of_name(view, first, trust, 5);
    if end == first || !view.is_mark(end, b',') {
        return end;
    }
    let given = end + 1;
    if !view.same_line(given) || view.any(given, Classes::of(&[Class::Credential, Class::NameSuffix])) {
        return end;
    }
    // `brooks, amber t`: in small letters a first name that is a word too.
    let plain = view.case(given) == Case::Lower && view.is(given, Class::FirstName) && !view.is(given, Class::Stop);
    let more = end_of_name(view, given, if plain { trust } else { trust.min(Trust::Capital) }, 3);
    let name = view.any(given, NAMES) || is_unlisted(view, given);
    if more > given && name && !dotted_credential(view, given) && !view.is_mark(more, b':') {
        // `brooks, iris t`: the letter that ends the field.
        let letter = view.is_word(more) && view.width(more) == 1 && view.gap(more) == Gap::Space;
        let over = view.gap(more + 1) >= Gap::Wide;
        if letter && over { more + 1 } else { more }
    } else {
        end
    }
}

/// Whether letters with points that are a credential begin here: `M.D.`, `Ph.D.`, `R. N.`
pub(super) fn dotted_credential(view: &View<'_>, at: usize) -> bool {
    end_of_credential(view, at) > at
}

/// Where a credential that begins at `at` ends; `at` itself if none does.
pub(super) fn end_of_credential(view: &View<'_>, at: usize) -> usize {
    if view.is(at, Class::Credential) && (view.case(at) != Case::Lower || !view.any(at, ORDINARY)) {
        // PA-C, RN-BC.
        let dash = view.is_mark(at + 1, b'-') && view.joined(at + 1) && view.is_word(at + 2) && view.joined(at + 2);
        return if dash && view.width(at + 2) <= 4 { at + 3 } else { at + 1 };
    }
    let mut letters = [0_u8; 8];
    let mut len = 0;
    let mut next = at;
    while view.is_word(next) && view.width(next) <= 2 && view.is_mark(next + 1, b'.') && view.joined(next + 1) {
        for &letter in view.bytes(next) {
            if len == letters.len() {
                return at;
            }
            letters[len] = letter;
            len += 1;
        }
        next += 2;
        if !view.same_line(next) {
            break;
        }
    }
    // The last point may be missing: `M.D on 9/25`.
    if len > 0 && view.is_word(next) && view.joined(next) && view.width(next) == 1 && len < letters.len() {
        letters[len] = view.bytes(next)[0];
        len += 1;
        next += 1;
    }
    let known = if next == at + 2 && len == view.width(at) {
        // One word with a point behind it: it was looked up.
        len > 1 && view.is(at, Class::Credential)
    } else {
        len > 1 && std::str::from_utf8(&letters[..len]).is_ok_and(|word| view.classes_of(word).has(Class::Credential))
    };
    if known { next } else { at }
}
