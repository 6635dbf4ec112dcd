//! Names after a title: `Dr. Brown`, `MR VELASQUEZ`, `Drs. Field and Ellis`.

use super::name::{Trust, end_of_name};
use crate::rules::engine::names::{NAMES, is_shouted, is_unlisted};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Lists of titles that are also ordinary words: `sister`, `major`, `miss`.
const WORDS: Classes = Classes::of(&[Class::English, Class::Relative, Class::PersonNoun, Class::Unit, Class::Stop]);

/// Finds names after a title.
pub(in crate::rules) fn find_names_after_title(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let mut first = at + 1;
    let point = note.is_mark(first, b'.') && note.joined(first);
    if point {
        // `Swollen, doctor. Right calf.`: only an abbreviation takes a period.
        if note.is(at, Class::English) && note.width(at) > 4 {
            return;
        }
        first += 1;
    }
    // `Mr. <Brown>`, `Mr. "Brown"`
    let marked = note.is_any_mark(first, b"<([{\"'") && note.joined(first + 1) && note.is_word(first + 1);
    let marked = marked && note.same_line(first) && note.capitalised(first + 1);
    if marked {
        first += 1;
    }
    if !(marked || note.follows(first))
        || (at > 0 && note.is_number(at - 1) && note.is(at, Class::Unit))
        || is_finding_not_title(note, at, first)
    {
        return;
    }
    // Consecutive titles: `Prof. Dr. Brown`, `Rev. Mr. Brown`.
    if note.is(first, Class::Title) && note.word(first) != note.word(at) && note.capitalised(first) {
        // `seen by Dr. Captain today`: a rank without a name after it is the name.
        let last = word_is!(note, at, "dr")
            && note.width(first) > 3
            && !(note.follows(first + 1) && note.capitalised(first + 1));
        if last && !note.is_mark(first + 1, b'.') {
            findings.remove(first, first + 1, Kind::Name, Certainty::Likely);
        }
        return;
    }
    // `Ms Sleep`: units are not capitalised this way.
    let word_too = note.any(at, WORDS) && !point && !(word_is!(note, at, "ms") && note.case(at) == Case::Capital);
    if word_too && note.case(at) == Case::Lower {
        return;
    }
    let trust = if note.case(at) == Case::Lower || word_too {
        trust_without_capital(note, first, word_too)
    } else {
        trust_with_capital(note, first)
    };
    let Some(trust) = trust else { return };
    let end = end_of_name(note, first, trust, 4);
    if end == first {
        return;
    }
    let certainty = if word_too { Certainty::Likely } else { Certainty::Sure };
    findings.remove(first, end, Kind::Name, certainty);
    let several = word_is!(note, at, "drs" | "messrs" | "mmes" | "profs");
    find_coordinated_names(note, end, several, certainty, findings);
}

/// Grades of valve regurgitation: `mr mild`.
static REGURGITATION: WordSet = word_set!("cues-title-regurgitation");

/// Returns whether it is a finding: sinus rhythm, `HR 66 SR.`, `ECG SR.`, or mitral regurgitation, `MR mod`.
fn is_finding_not_title(note: &Note<'_>, at: usize, first: usize) -> bool {
    let Some(before) = at.checked_sub(1).filter(|_| note.case(at) == Case::Upper && note.same_line(at)) else {
        return false;
    };
    if word_is!(note, at, "sr") {
        let measured =
            note.is_number(before) || word_is!(note, before, "ecg" | "ekg" | "rhythm" | "hr" | "tele" | "monitor");
        return measured;
    }
    word_is!(note, at, "mr") && note.case(first) == Case::Lower && REGURGITATION.has(note, first)
}

/// Returns the trust after a capitalised title: any capitalised word is a name, in lower case any word but a stop word.
fn trust_with_capital(note: &Note<'_>, first: usize) -> Option<Trust> {
    Some(if note.capitalised(first) { Trust::Capital } else { trust_without_capital(note, first, false)? })
}

fn trust_without_capital(note: &Note<'_>, first: usize, word_too: bool) -> Option<Trust> {
    if word_too {
        return (note.capitalised(first) && (note.any(first, NAMES) || is_unlisted(note, first)))
            .then_some(Trust::Form);
    }
    // `dr notified`; but `dr. cook took`, `dr say`: a verb that is also a common name.
    let verb = note.is(first, Class::PersonVerb) && !note.capitalised(first) && note.ranks(first).surname < 9;
    (!note.is(first, Class::Stop) && !verb).then_some(Trust::Any)
}

/// Finds the other names of `Drs. Field and Ellis`, `Dr. Field, Ellis, and Brown`.
fn find_coordinated_names(note: &Note<'_>, end: usize, several: bool, certainty: Certainty, findings: &mut Findings) {
    let mut at = end;
    for _ in 0..6 {
        let mut next = at;
        if note.is_mark(next, b',') || note.is_mark(next, b'/') || note.is_mark(next, b'&') {
            next += 1;
        }
        if word_is!(note, next, "and" | "or" | "&") && note.follows(next) {
            next += 1;
        }
        // `Dear Dr. Brown, Re: Ann`: a label.
        let label = note.is_mark(next + 1, b':');
        if next == at || label || !note.follows(next) || super::name::is_dotted_credential(note, next) {
            return;
        }
        // After `Drs.` a second name is certain in any case; after `Dr.` the word may begin something else.
        if !several && (!note.capitalised(next) || is_shouted(note, next)) {
            return;
        }
        let known = note.any(next, NAMES) || is_unlisted(note, next) || several && note.is(next, Class::Eponym);
        if !known || note.is(next, Class::Stop) {
            return;
        }
        let trust = match several {
            true if note.capitalised(next) => Trust::Capital,
            true => Trust::Any,
            false => Trust::Form,
        };
        let last = end_of_name(note, next, trust, 3);
        if last == next {
            return;
        }
        findings.remove(next, last, Kind::Name, certainty.min(Certainty::Likely));
        at = last;
    }
}
