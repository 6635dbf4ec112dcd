//! What the caller knows about the patient, in every written form; runs after the rules on notes with patient data.

use crate::patient::{Patient, is_misspelling_of};
use crate::rules::engine::names::{is_shouted, is_unlisted};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::rules::forms::split;
use crate::text::token::{self, Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Address words that occur in all notes; they count only next to another word of the address.
const PLAIN: Classes = Classes::of(&[
    Class::Stop,
    Class::English,
    Class::Literature,
    Class::Clinical,
    Class::Term,
    Class::StreetType,
    Class::PlaceBefore,
    Class::PlaceAfter,
    Class::State,
    Class::Country,
    Class::NumberWord,
    Class::OrdinalWord,
]);

/// Lists of common words, which are not misspellings of a name that differs by one letter.
const COMMON: Classes = Classes::of(&[
    Class::Stop,
    Class::Literature,
    Class::Clinical,
    Class::Term,
    Class::Measurement,
    Class::Dose,
    Class::Unit,
    Class::Duration,
    Class::Counted,
    Class::PersonVerb,
    Class::HumanVerb,
    Class::PersonNoun,
    Class::Relative,
]);

/// The maximum number of name words to match with typing errors; a patient has only a few.
const MAX_FUZZY_WORDS: usize = 64;

/// The maximum number of codes, places and initials to match with typing errors; beyond it, only exact lookups.
const MAX_FUZZY_ITEMS: usize = 512;

/// How far a token matches a name of the patient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NameMatch {
    /// No match.
    None,
    /// A match only next to another one: an initial, `van`, an ordinary word that differs by one typing error.
    Beside,
    /// A match anywhere.
    Name,
}

/// Reports all known identifiers of `patient`.
pub(in crate::rules) fn find_known_identifiers(note: &Note<'_>, patient: &Patient, findings: &mut Findings) {
    if !(patient.words.is_empty() && patient.weak.is_empty()) {
        find_names(note, patient, findings);
    }
    if !patient.labels.is_empty() {
        find_site_short_forms(note, patient, findings);
    }
    if !patient.codes.is_empty() {
        find_codes(note, patient, findings);
    }
    if !patient.places.is_empty() {
        find_address_words(note, patient, findings);
    }
}

/// Finds names in any order and case, with one typing error, across a line break, or as initials.
fn find_names(note: &Note<'_>, patient: &Patient, findings: &mut Findings) {
    let mut at = 0;
    while at < note.len() {
        if !note.is_word(at) {
            at += 1;
            continue;
        }
        if let Some(end) = end_of_initials(note, patient, at) {
            findings.remove(at, end, Kind::Initials, Certainty::Sure);
            at = end;
            continue;
        }
        let (hit, end) = patient_name_at(note, patient, at);
        if hit < NameMatch::Name {
            at += 1;
            continue;
        }
        // Include neighbouring words on both sides that match only there.
        let mut first = at;
        while let Some(before) = name_neighbour_before(note, first) {
            if patient_name_at(note, patient, before).0 == NameMatch::None {
                break;
            }
            first = before;
        }
        let mut last = end;
        while let Some(next) = name_neighbour_after(note, last) {
            let (hit, end) = patient_name_at(note, patient, next);
            if hit == NameMatch::None {
                break;
            }
            last = end;
        }
        findings.remove(first, last, Kind::Name, Certainty::Sure);
        at = last;
    }
}

/// Returns the word before `first` that may belong to the same name.
fn name_neighbour_before(note: &Note<'_>, first: usize) -> Option<usize> {
    let mut at = first;
    for _ in 0..3 {
        if at == 0 || !note.follows(at) {
            return None;
        }
        at -= 1;
        if note.is_word(at) {
            return Some(at);
        }
        if !note.is_any_mark(at, b".,-'") {
            return None;
        }
    }
    None
}

/// Returns the word from `last` on that may belong to the same name.
fn name_neighbour_after(note: &Note<'_>, last: usize) -> Option<usize> {
    for at in last..last + 3 {
        if !note.follows(at) {
            return None;
        }
        if note.is_word(at) {
            return Some(at);
        }
        if !note.is_any_mark(at, b".,-'") {
            return None;
        }
    }
    None
}

/// Returns how far the word `at` begins a name of the patient, and the end (exclusive).
fn patient_name_at(note: &Note<'_>, patient: &Patient, at: usize) -> (NameMatch, usize) {
    let mut buffer = [0; Joined::MAX_BYTES];
    let word = Joined::join(note, at, at + 1, &mut buffer);
    let Some(word) = word else { return (NameMatch::None, at + 1) };
    let mut best = NameMatch::None;
    let is_one_of = |list: &[Box<[u8]>], word: &[u8]| list.binary_search_by(|known| (**known).cmp(word)).is_ok();
    if is_one_of(&patient.words, word) || is_one_of(&patient.compounds, word) {
        return (NameMatch::Name, at + 1);
    }
    if is_one_of(&patient.weak, word) {
        best = NameMatch::Beside;
    }
    // Letter by letter: `R o s e`, `Q.i.x`.
    let (mut letters, mut length, mut letter) = ([0; Joined::MAX_BYTES], 0, (word.len() == 1).then_some(at));
    while let Some(at) = letter.filter(|_| length < Joined::MAX_BYTES) {
        (letters[length], length) = (note.bytes(at)[0], length + 1);
        if length > 1 && is_one_of(&patient.words, &letters[..length]) {
            return (NameMatch::Name, at + 1);
        }
        letter = split::next_letter_of_row(note, at);
    }
    // A hospital's staff list is so long that every word is close to some name: match it exactly.
    let near_words: &[Box<[u8]>] = if patient.words.len() <= MAX_FUZZY_WORDS { &patient.words } else { &[] };
    if near_words.iter().any(|known| known.len() >= 4 && word.len() >= 3 && is_misspelling_of(known, word)) {
        // A common word one letter away is that word, unless it is capitalised like a name.
        let written = note.capitalised(at) && !note.sentence_start(at) && !is_shouted(note, at);
        if !note.any(at, COMMON) && word.len() >= 4 || written {
            return (NameMatch::Name, at + 1);
        }
        best = NameMatch::Beside;
    }
    // In pieces: across a line break, with a hyphen or a blank inside, with digits for letters.
    let mut last = at + 1;
    for _ in 0..4 {
        let hyphen = note.is_any_mark(last, b"-'") && note.joined(last);
        let next = if hyphen { last + 1 } else { last };
        let piece = matches!(note.token(next).kind, token::Kind::Word | token::Kind::Number) && note.follows(next);
        if !piece {
            break;
        }
        last = next + 1;
        let mut buffer = [0; Joined::MAX_BYTES];
        let Some(joined) = Joined::join(note, at, last, &mut buffer) else { break };
        // A break at a line end or inside a cluster is an accident; across a blank only the exact name counts.
        let broken = note.gap(next) == Gap::Line || hyphen || note.token(next).glued();
        let is_name = |known: &[u8]| {
            known.len() >= 4 && (known == joined || (broken && known.len() >= 5 && is_misspelling_of(known, joined)))
        };
        if near_words.iter().any(|known| is_name(known))
            || (joined.len() >= 4 && is_one_of(&patient.words, joined))
            || is_one_of(&patient.compounds, joined)
        {
            return (NameMatch::Name, last);
        }
    }
    (best, at + 1)
}

/// Tokens joined without the marks between their letters and digits.
struct Joined;

impl Joined {
    /// The maximum length of a name, in bytes.
    const MAX_BYTES: usize = 64;

    fn join<'b>(note: &Note<'_>, first: usize, last: usize, buffer: &'b mut [u8; Self::MAX_BYTES]) -> Option<&'b [u8]> {
        let mut length = 0;
        for at in first..last {
            if !matches!(note.token(at).kind, token::Kind::Word | token::Kind::Number) {
                continue;
            }
            for &byte in note.bytes(at) {
                // Keep letters outside ASCII, drop marks.
                if byte.is_ascii_alphanumeric() || byte >= 0x80 {
                    *buffer.get_mut(length)? = byte;
                    length += 1;
                }
            }
        }
        Some(&buffer[..length])
    }
}

/// Returns the end (exclusive) of the initials that begin at `at`: `JB`, `J.B.`, `J. Q. B.`, `J B`.
fn end_of_initials(note: &Note<'_>, patient: &Patient, at: usize) -> Option<usize> {
    let word = note.bytes(at);
    if word.len() > 1 {
        // Only capitals that are not also a measurement or a title: BP, PT, MS.
        let own = word.len() <= 4
            && note.case(at) == Case::Upper
            && !note.any(at, Classes::of(&[Class::Measurement, Class::Title, Class::Unit, Class::Credential]))
            && patient.initials.binary_search_by(|letters| (**letters).cmp(word)).is_ok();
        return own.then_some(at + 1);
    }
    if patient.initials.len() > MAX_FUZZY_ITEMS
        || !note.capitalised(at)
        || (at > 0 && note.joined(at) && note.is_any_mark(at - 1, b"'/"))
    {
        return None;
    }
    patient.initials.iter().filter_map(|letters| end_of_spaced_initials(note, letters, at)).max()
}

fn end_of_spaced_initials(note: &Note<'_>, letters: &[u8], first: usize) -> Option<usize> {
    let mut at = first;
    for (number, letter) in letters.iter().enumerate() {
        if number > 0 {
            if note.is_any_mark(at, b".-") && note.joined(at) {
                at += 1;
            }
            if !(note.joined(at) || note.gap(at) == Gap::Space) {
                return None;
            }
        }
        if !(note.is_word(at) && note.capitalised(at) && note.bytes(at) == [*letter]) {
            return None;
        }
        at += 1;
    }
    Some(if note.is_mark(at, b'.') && note.joined(at) { at + 1 } else { at })
}

/// Finds abbreviations of hospitals and wards, in capitals.
fn find_site_short_forms(note: &Note<'_>, patient: &Patient, findings: &mut Findings) {
    for at in 0..note.len() {
        if !matches!(note.token(at).kind, token::Kind::Word | token::Kind::Number) || note.token(at).glued() {
            continue;
        }
        let mut last = at + 1;
        while note.token(last).glued() && last < at + 4 {
            last += 1;
        }
        let written =
            (at..last).all(|at| !note.is_word(at) || note.case(at) == Case::Upper || note.case(at) == Case::Capital);
        let mut buffer = [0; Joined::MAX_BYTES];
        if written
            && let Some(run) = Joined::join(note, at, last, &mut buffer)
            && let Some((_, kind)) = patient.labels.iter().find(|(label, _)| **label == *run)
        {
            findings.remove(at, last, *kind, Certainty::Sure);
        }
    }
}

/// Finds numbers, codes and phrases, with any marks between their letters and digits.
fn find_codes(note: &Note<'_>, patient: &Patient, findings: &mut Findings) {
    let mut buffer = Vec::with_capacity(patient.longest_code + 2);
    for at in 0..note.len() {
        if !matches!(note.token(at).kind, token::Kind::Word | token::Kind::Number) {
            continue;
        }
        // Inside a cluster only digits after letters may begin a code: `MRN0012345`.
        if note.token(at).glued() && !note.is_number(at) {
            continue;
        }
        if let Some((last, kind)) = patient_code_at(note, patient, at, &mut buffer) {
            findings.remove(at, last, kind, Certainty::Sure);
        }
    }
}

/// Returns the end (exclusive) and the kind of the longest code that begins at the token `first`.
fn patient_code_at(note: &Note<'_>, patient: &Patient, first: usize, run: &mut Vec<u8>) -> Option<(usize, Kind)> {
    run.clear();
    let mut best = None;
    let mut at = first;
    let mut marks = 0;
    while at < note.len() && (at == first || note.follows(at)) {
        match note.token(at).kind {
            token::Kind::Word | token::Kind::Number => {
                marks = 0;
                for &byte in note.bytes(at) {
                    if byte.is_ascii_alphanumeric() || byte >= 0x80 {
                        // Ignore leading zeros.
                        if !(run.is_empty() && byte == b'0') {
                            run.push(byte);
                        }
                    } else if let Some(kind) = kind_of_patient_code(patient, run) {
                        // `1234567/2`: the numbers of the patient and of the visit.
                        best = Some((at + 1, kind));
                    }
                }
                if let Some(kind) = kind_of_patient_code(patient, run) {
                    best = Some((at + 1, kind));
                }
                if run.len() > patient.longest_code {
                    return best;
                }
            }
            token::Kind::Punct | token::Kind::Possessive => {
                marks += 1;
                if marks > 3 {
                    return best;
                }
            }
            _ => return best,
        }
        at += 1;
    }
    best
}

fn kind_of_patient_code(patient: &Patient, run: &[u8]) -> Option<Kind> {
    if patient.codes.len() > MAX_FUZZY_ITEMS {
        let at = patient.codes.binary_search_by(|code| (*code.run).cmp(run)).ok()?;
        return Some(patient.codes[at].kind);
    }
    let is = |code: &&crate::patient::Code| *code.run == *run || (code.fuzzy && is_misspelling_of(&code.run, run));
    patient.codes.iter().find(is).map(|code| code.kind)
}

/// Finds address words: distinctive ones anywhere, the others next to another one.
fn find_address_words(note: &Note<'_>, patient: &Patient, findings: &mut Findings) {
    let known = |at: usize| {
        matches!(note.token(at).kind, token::Kind::Word | token::Kind::Number) && {
            let mut buffer = [0; Joined::MAX_BYTES];
            Joined::join(note, at, at + 1, &mut buffer).is_some_and(|word| {
                if patient.places.len() > MAX_FUZZY_ITEMS {
                    return patient.places.binary_search_by(|place| (**place).cmp(word)).is_ok();
                }
                patient.places.iter().any(|place| {
                    **place == *word || (place.len() >= 6 && is_unlisted(note, at) && is_misspelling_of(place, word))
                })
            })
        }
    };
    let mut at = 0;
    while at < note.len() {
        if !known(at) {
            at += 1;
            continue;
        }
        let (first, mut last, mut hits, mut next) = (at, at + 1, 1, at + 1);
        while next < last + 3 && note.follows(next) {
            if known(next) {
                hits += 1;
                last = next + 1;
            } else if !note.is_any_mark(next, b",.#-") {
                break;
            }
            next += 1;
        }
        // Two adjacent numbers are not evidence.
        let named = (first..last).any(|at| note.is_word(at) && note.bytes(at).len() > 2);
        let tells = note.is_word(first) && note.bytes(first).len() > 3 && !note.any(first, PLAIN);
        if (hits > 1 && named) || tells {
            findings.remove(first, last, Kind::Street, Certainty::Sure);
        }
        at = last;
    }
}
