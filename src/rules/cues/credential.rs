//! Names before a credential: `Clarence Gifford, M.D.`, `betty rn`, `GRESHAM MD`.

use super::name::{end_of_credential, is_only_first_name};
use crate::rules::engine::names::{NAMES, is_mostly_name, is_shouted, is_unlisted, name_log_odds};
use crate::rules::engine::word_sets::word_is;
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Lists of words that are not part of a name, though they may precede a credential.
const NOT_NAMES: Classes = Classes::of(&[
    Class::Stop,
    Class::Title,
    Class::PersonNoun,
    Class::Facility,
    Class::NameField,
    Class::Credential,
    Class::Month,
]);

/// The maximum number of words of a name.
const MAX_NAME_WORDS: usize = 4;

/// Finds a name at the credential after it, or at the first period of a dotted credential.
pub(in crate::rules) fn find_name_before_credential(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let mut start = at;
    if note.is_mark(at, b'.') {
        // The first period of `M.D.`: a short word begins the abbreviation.
        let dotted = at > 0 && note.joined(at) && note.width(at - 1) <= 2 && note.is_word(at - 1);
        if !dotted || (at > 1 && note.is_mark(at - 2, b'.') && note.joined(at - 1)) {
            return;
        }
        start -= 1;
    }
    let comma = start > 0 && note.is_mark(start - 1, b',');
    // `howard stark, md`: in lower case, only letters that are hardly ever anything else after a comma.
    let small = comma && note.case(start) == Case::Lower && word_is!(note, start, "md" | "rn" | "np" | "lpn" | "crna");
    let end = if small { start + 1 } else { end_of_credential(note, start) };
    let last = start.saturating_sub(usize::from(comma));
    let town = comma && end == start + 1 && last > 0 && is_town_before_state(note, last - 1, start);
    if end == start || last == 0 || town || is_not_credential(note, start, end) {
        return;
    }
    let apart = if comma { Gap::Line } else { Gap::Space };
    // One-word credentials that are also words (`do`, `pa`, `ma`) must be in capitals.
    let word_too = start + 1 == end && note.any(start, Classes::of(&[Class::Stop, Class::English]));
    let shouted = word_too && (note.case(start) != Case::Upper || is_shouted(note, start) && !comma);
    if note.gap(start) > apart || shouted || comma && is_thing_before_comma(note, last - 1, end) {
        return;
    }
    let first = start_of_name(note, last, comma);
    if first < last {
        let certainty = if comma || !word_too { Certainty::Sure } else { Certainty::Likely };
        findings.remove(first, last, Kind::Name, certainty);
        // A dotted credential such as `M.D.` is kept whole or not at all.
        if end > start + 1 && certainty == Certainty::Sure {
            findings.keep(start, end, Certainty::Sure);
        }
    }
}

/// Returns whether it is another abbreviation: a tumour stage `pT3`, a measurement `CMT 342`, a street `58 Temple Rd.`,
/// imaging `chest x-ray, CT`.
fn is_not_credential(note: &Note<'_>, start: usize, end: usize) -> bool {
    let staged = note.is_number(end) && note.token(end).glued();
    let short = || note.number(end).is_some_and(|number| number.digits(0) <= 3) && note.same_line(end);
    staged
        || word_is!(note, start, "bc" | "cmt" | "pt") && short()
        || note.case(start) != Case::Upper && note.is(start, Class::StreetType)
        || word_is!(note, start, "ct")
}

/// Returns whether it is a town before its state, which another rule reports: `Boston, MA`; but not `Tom Reading, PA`.
fn is_town_before_state(note: &Note<'_>, town: usize, state: usize) -> bool {
    let before = town.wrapping_sub(1);
    let initial = |at: usize| note.width(at) == 1 && note.is_word(at);
    let name = is_only_first_name(note, before) && note.capitalised(before) || initial(before);
    let given =
        town > 0 && note.follows(town) && (name || note.is_mark(before, b'.') && before > 0 && initial(before - 1));
    let form = note.case(state) == Case::Upper && !note.token(state + 1).glued() && note.capitalised(town);
    form && note.is(state, Class::State) && note.is(town, Class::City) && !given
}

/// Returns whether the word is the unit of the number before it: `5 mg od`, `2 wk. Cliff Banks, DC`.
fn is_unit_of_number(note: &Note<'_>, at: usize) -> bool {
    at > 0 && note.is_number(at - 1) && note.any(at, Classes::of(&[Class::Unit, Class::Dose, Class::Duration]))
}

/// Returns whether the word before the comma is a thing, not a person: `Continue Lasix, MD aware`, `Gait Training, PT`.
fn is_thing_before_comma(note: &Note<'_>, last: usize, end: usize) -> bool {
    let told = word_is!(note, end, "aware" | "notified" | "paged" | "informed" | "called" | "to");
    let drug =
        note.any(last, Classes::of(&[Class::Brand, Class::Dose, Class::Term])) && !note.is(last, Class::FirstName);
    let nobody = !note.any(last, NAMES) && !note.is(last, Class::Eponym);
    is_unit_of_number(note, last)
        || !is_unlisted(note, last) && (nobody || told && (drug || name_log_odds(note, last) < 0))
}

/// Returns the start of a name that ends before `last`; `last` itself if there is none.
fn start_of_name(note: &Note<'_>, last: usize, comma: bool) -> usize {
    let (mut first, mut words) = (last, 0);
    while first > 0 && words < MAX_NAME_WORDS {
        let at = first - 1;
        if first < last && !note.follows(first) {
            break;
        }
        // An initial, or `St.`; but not `2 wk. Cliff Banks, DC`.
        if note.is_mark(at, b'.') && note.joined(at) && at > 0 && note.is_word(at - 1) && note.width(at - 1) <= 2 {
            if !note.capitalised(at - 1) && (!comma || is_unit_of_number(note, at - 1)) {
                break;
            }
            (first, words) = (at - 1, words + 1);
            continue;
        }
        let hyphen = note.is_mark(at, b'-') && note.joined(at) && at > 0 && note.is_word(at - 1);
        // `Ada van den Berg, PA-C`
        let prefix = note.is(at, Class::NamePrefix) && note.gap(first) == Gap::Space && words > 0;
        // `P Green RN`
        let letter = note.width(at) == 1 && note.is_word(at) && note.capitalised(at) && words > 0;
        let suffix = first == last && note.is(at, Class::NameSuffix);
        // `from PACU RN`, `ED MD`: the ward of the nurse or doctor.
        let ward = first == last && !comma && note.case(at) == Case::Upper && note.is(at, Class::WardNoun);
        let mixed = at > 0 && note.is_word(at - 1) && note.case(at - 1) != Case::Upper;
        if ward && mixed {
            break;
        }
        if !(hyphen && first < last || prefix || letter || suffix || is_name_part(note, at, words == 0 && comma, comma))
        {
            break;
        }
        first = at;
        words += usize::from(note.is_word(at) && !prefix);
        if note.sentence_start(at) && !note.is_mark(at.wrapping_sub(1), b'.') {
            break;
        }
    }
    // A lone hyphen is not a name.
    (first..last).find(|&at| !note.is_mark(at, b'-')).unwrap_or(last)
}

/// Returns whether the word is part of a name; `sure` directly before the comma, where the family name stands.
fn is_name_part(note: &Note<'_>, at: usize, sure: bool, comma: bool) -> bool {
    // `June Bright, R.N.`, `Ada Bishop, R.N.`, `j. may, MD`, `HARRIET MAJOR, RN`
    let named = note.any(at, NAMES) && (sure || comma && note.is(at, Class::Month) && !note.is_number(at + 1));
    let given = sure && at > 0 && is_only_first_name(note, at - 1);
    let spared = note.case(at) == Case::Capital && (named || given);
    if !note.is_word(at)
        || note.any(at, NOT_NAMES) && !spared
        || is_unit_of_number(note, at) && note.case(at) == Case::Lower
    {
        return false;
    }
    let plain = note.case(at) == Case::Lower || is_shouted(note, at);
    let least = if comma && (sure || !plain) { -8 } else { 4 };
    match () {
        () if is_unlisted(note, at) => true,
        // `LEONARD FOREST, M.D.`: the word before the comma is a name with little further evidence.
        () if plain => is_mostly_name(note, at) || comma && name_log_odds(note, at) >= least,
        () => note.capitalised(at) && (sure || name_log_odds(note, at) >= least),
    }
}
