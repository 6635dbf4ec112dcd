//! Names of people.
//!
//! Only names that leave no doubt: behind a title, before a credential, in a header field, in the order of lists. Most names
//! are on no allowed list and would go anyway; what these rules decide on are names that are also ordinary words
//! ("Dr. Brown"). Names that have nothing but their surroundings are judged by the model, see `judgement`.

use crate::rules::engine::View;
use crate::rules::engine::names::{NAMES, ORDINARY, is_shouted, is_unlisted, lean};
use crate::rules::engine::word_sets::says;
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Words that end a name wherever they stand.
const NEVER: Classes = Classes::of(&[Class::Title, Class::Credential, Class::Unit, Class::Measurement, Class::Month]);

/// How much the place says that a name stands here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::rules) enum Trust {
    /// Only words that look like names.
    Form,
    /// The first word is a name whatever it looks like, if it has a capital letter.
    Capital,
    /// The first word is a name whatever it looks like.
    Any,
}

/// The most hyphens in one name. Without an end, a megabyte of words with hyphens between would be read from each word on.
const HYPHENS: usize = 8;

/// Where a person's name that begins at `first` ends; `first` itself if none does.
pub(in crate::rules) fn end_of_name(view: &View<'_>, first: usize, trust: Trust, most: usize) -> usize {
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
        at = behind_particles(view, at);
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

/// One past the small words before a name: `van Gogh`, `de la Cruz`, `St. Clay`.
fn behind_particles(view: &View<'_>, first: usize) -> usize {
    let mut at = first;
    for _ in 0..3 {
        let particle = view.is(at, Class::NamePrefix);
        let point = view.is_any_mark(at + 1, b".-") && view.joined(at + 1);
        let saint = says!(view, at, "st" | "ste") && point;
        let next = at + 1 + usize::from(point);
        if !(particle || saint) || view.is(at, Class::Stop) || !view.is_word(next) || !view.follows(next) {
            break;
        }
        at = next;
    }
    at
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
    let (names, capital, must) = (view.any(at, NAMES), view.capitalised(at), trust > Trust::Form);
    if must && !first && closes(view, at) {
        return true;
    }
    // `Dr. Detlev May`, `Dr. Tobra`: a month or a unit, where a name must stand and it is written like one.
    let spared = must && first && capital;
    let written = spared && (names || view.case(at) != Case::Upper);
    if view.any(at, NEVER) && (!written || view.any(at, Classes::of(&[Class::Title, Class::Credential])))
        || view.is(at, Class::Stop) && !(spared && names && !shouted)
    {
        return false;
    }
    let verb = view.is(at, Class::PersonVerb) && !is_titled(view, at);
    let stands = first && !view.is(at, Class::Facility) && (!verb || names && !shouted && capital);
    match () {
        () if is_unlisted(view, at) => capital || trust == Trust::Any || names,
        () if must && stands && (capital || trust == Trust::Any) => true,
        () if capital && shouted => lean(view, at) >= if trust == Trust::Any { -8 } else { 4 },
        () if capital => must && (names || view.is(at, Class::Eponym)) || lean(view, at) >= 2,
        // What follows a name and is what people do ends it, even if it is a name too: `Dr. Brown saw`.
        () => trust == Trust::Any && !verb && at > 0 && is_given(view, at - 1) && lean(view, at) >= -4,
    }
}

/// `dr. cook took`: a verb that is a common name too, behind a title.
fn is_titled(view: &View<'_>, at: usize) -> bool {
    let point = usize::from(at > 0 && view.is_mark(at - 1, b'.'));
    at > point && view.is(at - 1 - point, Class::Title) && view.ranks(at).surname >= 9
}

/// Whether the word is a first name and no word.
pub(super) fn is_given(view: &View<'_>, at: usize) -> bool {
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
pub(in crate::rules) fn end_of_full_name(view: &View<'_>, first: usize, trust: Trust) -> usize {
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
pub(in crate::rules) fn dotted_credential(view: &View<'_>, at: usize) -> bool {
    end_of_credential(view, at) > at
}

/// Where a credential that begins at `at` ends; `at` itself if none does.
pub(in crate::rules) fn end_of_credential(view: &View<'_>, at: usize) -> usize {
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
