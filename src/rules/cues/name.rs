//! Names of people.
//!
//! Only unambiguous names: after a title, before a credential, in a header field, in list order. Most names are on no
//! allow-list and would be removed anyway; these rules decide about names that are also ordinary words ("Dr. Brown").
//! The model judges names whose only evidence is their context.

use crate::rules::engine::Note;
use crate::rules::engine::names::{NAMES, ORDINARY, is_shouted, is_unlisted, name_log_odds};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Lists of words that end a name.
const NEVER: Classes = Classes::of(&[Class::Title, Class::Credential, Class::Unit, Class::Measurement, Class::Month]);

/// How strongly the context indicates a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::rules) enum Trust {
    /// Only words that look like names count.
    Form,
    /// The first word is a name if it is capitalised.
    Capital,
    /// The first word is a name in any case.
    Any,
}

/// The maximum number of hyphens in one name. Bounds the scan: in a megabyte of hyphenated words, every word would read
/// to the end.
const MAX_HYPHENS: usize = 8;

/// Returns the end (exclusive) of a person's name that begins at `first`; `first` itself if there is none.
pub(in crate::rules) fn end_of_name(note: &Note<'_>, first: usize, trust: Trust, most: usize) -> usize {
    let mut at = first;
    let mut words = 0;
    let mut end = first;
    let shouted = is_shouted(note, first);
    while words < most {
        if !note.is_word(at) || at > first && !may_continue_name(note, at) {
            break;
        }
        if let Some(after) = end_of_initial(note, at, trust) {
            at = after;
            words += 1;
            // A lone initial is a name only next to one, or where the context requires a name.
            if words > 1 || trust > Trust::Form {
                end = at;
            }
            continue;
        }
        at = skip_particles(note, at);
        if !is_name_part(note, at, trust, at == first || words == 0, shouted) {
            break;
        }
        at += 1;
        for _ in 0..MAX_HYPHENS {
            if !(note.is_mark(at, b'-') && note.joined(at) && note.is_word(at + 1) && note.follows(at + 1)) {
                break;
            }
            at += 2;
        }
        words += 1;
        end = at;
    }
    if end > first {
        end = extend_over_suffix(note, end);
    }
    end
}

/// Skips the particles before a name: `van Gogh`, `de la Cruz`, `St. Clay`.
fn skip_particles(note: &Note<'_>, first: usize) -> usize {
    let mut at = first;
    for _ in 0..3 {
        let particle = note.is(at, Class::NamePrefix);
        let point = note.is_any_mark(at + 1, b".-") && note.joined(at + 1);
        let saint = word_is!(note, at, "st" | "ste") && point;
        let next = at + 1 + usize::from(point);
        if !(particle || saint) || note.is(at, Class::Stop) || !note.is_word(next) || !note.follows(next) {
            break;
        }
        at = next;
    }
    at
}

/// Returns whether a name may continue across the gap before `at`.
fn may_continue_name(note: &Note<'_>, at: usize) -> bool {
    match note.gap(at) {
        Gap::None | Gap::Space => true,
        // A name broken across lines, but not the next field of a header.
        Gap::Line => {
            note.capitalised(at)
                && (note.any(at, NAMES) || is_unlisted(note, at))
                && !(1..4).any(|ahead| note.is_mark(at + ahead, b':'))
        }
        Gap::Wide | Gap::Paragraph => false,
    }
}

/// Returns the end (exclusive) of an initial with its period.
fn end_of_initial(note: &Note<'_>, at: usize, trust: Trust) -> Option<usize> {
    let letter = is_compound_initial(note, at)
        || note.is_word(at) && note.width(at) == 1 && (note.capitalised(at) || trust == Trust::Any);
    if !letter {
        return None;
    }
    let point = note.is_mark(at + 1, b'.') && note.joined(at + 1);
    let end = if point { at + 2 } else { at + 1 };
    // `J.-P. Dupont`
    let hyphen =
        point && note.is_mark(end, b'-') && note.joined(end) && note.joined(end + 1) && note.width(end + 1) <= 3;
    Some(end + usize::from(hyphen && note.is_word(end + 1)))
}

/// Abbreviated first names in the form of an initial: `Ph.`, `Th.`
static COMPOUND: WordSet = word_set!("cues-name-compound-initials");

/// Returns whether the word is such an abbreviation, with its period.
pub(super) fn is_compound_initial(note: &Note<'_>, at: usize) -> bool {
    let point = note.is_mark(at + 1, b'.') && note.joined(at + 1);
    let counted = at > 0 && note.is_number(at - 1) && note.same_line(at);
    point
        && !counted
        && note.is_word(at)
        && note.width(at) <= 3
        && note.case(at) == Case::Capital
        && COMPOUND.has(note, at)
}

/// Returns whether the word may be part of a name.
fn is_name_part(note: &Note<'_>, at: usize, trust: Trust, first: bool, shouted: bool) -> bool {
    if !note.is_word(at) || note.width(at) < 2 {
        return false;
    }
    let (names, capital, must) = (note.any(at, NAMES), note.capitalised(at), trust > Trust::Form);
    if must && !first && is_last_capitalised_of_line(note, at) {
        return true;
    }
    // `Dr. Detlev May`, `Dr. Tobra`: a month or a unit where the context requires a name and the case fits.
    let spared = must && first && capital;
    let written = spared && (names || note.case(at) != Case::Upper);
    if note.any(at, NEVER) && (!written || note.any(at, Classes::of(&[Class::Title, Class::Credential])))
        || note.is(at, Class::Stop) && !(spared && names && !shouted)
    {
        return false;
    }
    let verb = note.is(at, Class::PersonVerb) && !follows_title(note, at);
    let stands = first && !note.is(at, Class::Facility) && (!verb || names && !shouted && capital);
    match () {
        () if is_unlisted(note, at) => capital || trust == Trust::Any || names,
        () if must && stands && (capital || trust == Trust::Any) => true,
        () if capital && shouted => name_log_odds(note, at) >= if trust == Trust::Any { -8 } else { 4 },
        () if capital => must && (names || note.is(at, Class::Eponym)) || name_log_odds(note, at) >= 2,
        // `Dr. Brown saw`: a verb after a name ends it, even if it is also a name.
        () => {
            trust == Trust::Any && !verb && at > 0 && is_only_first_name(note, at - 1) && name_log_odds(note, at) >= -4
        }
    }
}

/// Returns whether a verb that is also a common name follows a title: `dr. cook took`.
fn follows_title(note: &Note<'_>, at: usize) -> bool {
    let point = usize::from(at > 0 && note.is_mark(at - 1, b'.'));
    at > point && note.is(at - 1 - point, Class::Title) && note.ranks(at).surname >= 9
}

/// Returns whether the word is a first name and not a common word.
pub(super) fn is_only_first_name(note: &Note<'_>, at: usize) -> bool {
    note.is(at, Class::FirstName) && (is_unlisted(note, at) || name_log_odds(note, at) >= 7)
}

/// Returns whether a capitalised word ends the line or clause of a certain name: `Patient: Pearl D. Apgar`.
fn is_last_capitalised_of_line(note: &Note<'_>, at: usize) -> bool {
    let next = at + 1;
    let over = note.gap(next) >= Gap::Wide || note.is_any_mark(next, b",|(");
    let other = Classes::of(&[Class::Title, Class::Credential, Class::NameField, Class::Stop, Class::Facility]);
    over && matches!(note.case(at), Case::Capital | Case::Mixed) && !note.any(at, other)
}

/// Extends the end over a name suffix such as `, Jr.`
fn extend_over_suffix(note: &Note<'_>, end: usize) -> usize {
    let at = if note.is_mark(end, b',') { end + 1 } else { end };
    if note.is(at, Class::NameSuffix) && note.same_line(at) && note.capitalised(at) && note.width(at) > 1 {
        let point = note.is_mark(at + 1, b'.') && note.joined(at + 1);
        if point { at + 2 } else { at + 1 }
    } else {
        end
    }
}

/// Returns the end (exclusive) of `Last, First M.` or `First M. Last`.
pub(in crate::rules) fn end_of_full_name(note: &Note<'_>, first: usize, trust: Trust) -> usize {
    let end = end_of_name(note, first, trust, 5);
    if end == first || !note.is_mark(end, b',') {
        return end;
    }
    let given = end + 1;
    if !note.same_line(given) || note.any(given, Classes::of(&[Class::Credential, Class::NameSuffix])) {
        return end;
    }
    // `brooks, amber t`: a first name in lower case that is also a word.
    let plain = note.case(given) == Case::Lower && note.is(given, Class::FirstName) && !note.is(given, Class::Stop);
    let more = end_of_name(note, given, if plain { trust } else { trust.min(Trust::Capital) }, 3);
    let name = note.any(given, NAMES) || is_unlisted(note, given);
    if more > given && name && !is_dotted_credential(note, given) && !note.is_mark(more, b':') {
        // `brooks, iris t`: an initial at the end of the field.
        let letter = note.is_word(more) && note.width(more) == 1 && note.gap(more) == Gap::Space;
        let over = note.gap(more + 1) >= Gap::Wide;
        if letter && over { more + 1 } else { more }
    } else {
        end
    }
}

/// Returns whether a dotted credential begins here: `M.D.`, `Ph.D.`, `R. N.`
pub(in crate::rules) fn is_dotted_credential(note: &Note<'_>, at: usize) -> bool {
    end_of_credential(note, at) > at
}

/// Returns the end (exclusive) of a credential that begins at `at`; `at` itself if there is none.
pub(in crate::rules) fn end_of_credential(note: &Note<'_>, at: usize) -> usize {
    if note.is(at, Class::Credential) && (note.case(at) != Case::Lower || !note.any(at, ORDINARY)) {
        // `PA-C`, `RN-BC`
        let dash = note.is_mark(at + 1, b'-') && note.joined(at + 1) && note.is_word(at + 2) && note.joined(at + 2);
        return if dash && note.width(at + 2) <= 4 { at + 3 } else { at + 1 };
    }
    let mut letters = [0_u8; 8];
    let mut len = 0;
    let mut next = at;
    while note.is_word(next) && note.width(next) <= 2 && note.is_mark(next + 1, b'.') && note.joined(next + 1) {
        for &letter in note.bytes(next) {
            if len == letters.len() {
                return at;
            }
            letters[len] = letter;
            len += 1;
        }
        next += 2;
        if !note.same_line(next) {
            break;
        }
    }
    // `M.D on 9/25`: the last period may be missing.
    if len > 0 && note.is_word(next) && note.joined(next) && note.width(next) == 1 && len < letters.len() {
        letters[len] = note.bytes(next)[0];
        len += 1;
        next += 1;
    }
    let known = if next == at + 2 && len == note.width(at) {
        // A single word with a period: its lists are known already.
        len > 1 && note.is(at, Class::Credential)
    } else {
        len > 1 && std::str::from_utf8(&letters[..len]).is_ok_and(|word| note.classes_of(word).has(Class::Credential))
    };
    if known { next } else { at }
}
