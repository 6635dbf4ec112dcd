//! Names with nothing beside them that only names have: `We appreciate White's input`, `Olive slept well`.
//!
//! Only words that are ordinary words too come here to any effect; a name that is no word is on no allowed list. For such
//! a word the rule adds up what speaks for a name and for a word in this place, in the points of the table in
//! DESIGN.md, "How a capitalised word is judged".

mod evidence;
mod near;

pub(in crate::rules) use evidence::SAID;
use evidence::{MOST_AFTER, after, after_place_cue, before};
pub(in crate::rules) use near::{FOLLOWING, LEADING, near};

use super::people::{is_beside_somebody, is_met, is_of_a_mind, owns};
use super::{NAMES, Trust, are_parts, end_of_name, form, is_shouted, is_titled, is_unlisted, lean, lean_by};
use crate::rules::clinical::acronym;
use crate::rules::eponym::{has_result, is_medicine_here};
use crate::rules::view::says;
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes, Ranks};

/// Points from which a word is a name that a longer term may overrule.
const WEAK: i32 = 2;
/// Points from which nothing on a list overrules it.
const LIKELY: i32 = 5;

/// Words that are never judged: what they are is known.
pub(super) const KNOWN: Classes = Classes::of(&[
    Class::Title,
    Class::Credential,
    Class::Weekday,
    Class::Holiday,
    Class::PersonNoun,
    Class::Relative,
    Class::NumberWord,
    Class::PhoneKeyword,
    Class::IdKeyword,
    Class::Facility,
    Class::Country,
    Class::State,
]);

/// Lists of names of people and places.
const NAMES_AND_PLACES: Classes =
    Classes::of(&[Class::Surname, Class::FirstName, Class::City, Class::PlacePart, Class::County]);

/// Nouns behind an eponym, a family or a town: it is no person.
const THINGS: Classes = Classes::of(&[Class::EponymNoun, Class::Facility]);

/// Names of fewer people than this (base-2 logarithm) are words that the census happens to hold.
const SOME: u8 = 7;

/// The lists of the words that are judged.
pub(in crate::rules) const JUDGED: Classes = NAMES_AND_PLACES.with(Class::Eponym);

/// Anchor: a word with a capital letter.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let eponym = view.is(at, Class::Eponym) && !view.any(at, NAMES_AND_PLACES);
    if !eponym && !view.any(at, NAMES_AND_PLACES) || view.any(at, KNOWN) || view.width(at) < 2 || view.token(at).glued()
    {
        return;
    }
    if eponym {
        // Names that medicine alone uses, `Gerota`, `Valsalva`, are people's where only people stand.
        if is_eponymous_person(view, at) {
            findings.remove(at, at + 1, Kind::Name, Certainty::Weak);
        }
        return;
    }
    // `16-French Foley`
    if says!(view, at, "french") && at > 0 {
        let dash = usize::from(view.is_mark(at - 1, b'-'));
        if at > dash && view.is_number(at - 1 - dash) {
            return;
        }
    }
    if view.token(at + 1).kind == crate::token::Kind::Possessive && is_saint(view, at) {
        // `at St. Jude's`, without a noun: the hospital.
        findings.remove(at, at + 2, Kind::Hospital, Certainty::Weak);
    }
    if is_label(view, at) {
        let end = end_of_name(view, at, Trust::Capital, 3).max(at + 1);
        findings.remove(at, with_letter(view, end), Kind::Name, Certainty::Likely);
        return;
    }
    let ranks = view.ranks(at);
    let place = view.is(at, Class::City) && after_place_cue(view, at);
    let borne = view.any(at, NAMES) && ranks.surname.max(ranks.first_name) >= SOME;
    if !borne && !is_unlisted(view, at) && !place {
        return;
    }
    // `Babinski downgoing`: a sign, not a person.
    let test = view.any(at, Classes::of(&[Class::Eponym, Class::Score]));
    if test && (view.is(at, Class::Eponym) && is_sign(view, at) || has_result(view, at, at + 1)) {
        return;
    }
    if is_measured(view, at, ranks) || are_parts(view, at) || at > 1 && are_parts(view, at - 2) {
        return;
    }
    if view.is_mark(at + 1, b',') && partners(view, at, findings) {
        return;
    }
    if let Some(end) = form::end_of(view, at) {
        // `Light-Chain Disease`: a longer term may hold two names with a hyphen.
        let double = end == at + 3 && view.is_mark(at + 1, b'-');
        findings.remove(at, end, Kind::Name, if double { Certainty::Weak } else { Certainty::Likely });
        return;
    }
    let points = points(view, at, place, ranks);
    if points < WEAK {
        return;
    }
    // `with Ehlers-Danlos syndrome`: a longer term may explain what stands before its noun.
    let likely = points >= LIKELY && !is_medicine_here(view, at);
    let certainty = if likely { Certainty::Likely } else { Certainty::Weak };
    let kind = if place || !view.any(at, NAMES) { Kind::City } else { Kind::Name };
    let end = end_of_name(view, at, Trust::Form, 3).max(at + 1);
    let first = at - usize::from(kind == Kind::Name && is_given(view, at));
    findings.remove(first, with_letter(view, end), kind, certainty);
}

/// Whether a test stands before its value: `Trop <0.01`, `Alb 3.9`; but `by Root 0440`, `F/u Power 2 wks`, `Amy 4 yo`.
fn is_measured(view: &View<'_>, at: usize, ranks: Ranks) -> bool {
    const OTHER: Classes = Classes::of(&[Class::Duration, Class::AgeCue, Class::Month]);
    if !view.is(at, Class::Measurement) {
        return false;
    }
    let value = at + 1 + usize::from(view.is_any_mark(at + 1, b"<>="));
    let year = view.whole(value).is_some_and(|year| (1950..2050).contains(&year));
    view.is_number(value)
        && view.gap(at + 1) <= Gap::Space
        && ranks.first_name < 9
        && !year
        && !view.any(value + 1, OTHER)
        && before(view, at) < 2
}

/// Whether the word before a family name begins the sentence and is a first name as well as a word: `Grant Field, 23M`, `Lily Hart.`
fn is_given(view: &View<'_>, at: usize) -> bool {
    const NEVER: Classes = Classes::of(&[
        Class::Stop,
        Class::Link,
        Class::Month,
        Class::Clinical,
        Class::Measurement,
        Class::Dose,
        Class::HumanVerb,
    ]);
    let Some(before) = at.checked_sub(1).filter(|_| view.gap(at) == Gap::Space) else { return false };
    view.case(before) == Case::Capital
        && view.case(at) == Case::Capital
        && view.sentence_start(before)
        && view.ranks(before).first_name >= 10
        && !view.any(before, KNOWN)
        && !view.any(before, NEVER)
        && !says!(view, before, "per")
}

/// `Woods, H. |`, `Snow, R` at the end of a line: takes in the letter of the first name where the cell or the line is over.
fn with_letter(view: &View<'_>, end: usize) -> usize {
    let letter = end + 1;
    if !view.is_mark(end, b',') || view.width(letter) != 1 || !view.is_word(letter) || !view.capitalised(letter) {
        return end;
    }
    let over = letter + 1 + usize::from(view.is_mark(letter + 1, b'.'));
    let closed = view.gap(over) >= Gap::Wide || view.is_any_mark(over, b"|);");
    if closed && view.gap(letter) == Gap::Space { letter + 1 } else { end }
}

/// Before a comma. `Baker, Sutter and Lloyd`: three partners, of whom one bears what is more often a name than a word.
fn partners(view: &View<'_>, at: usize, findings: &mut Findings) -> bool {
    let firm = view.case(at) == Case::Capital
        && says!(view, at + 3, "and" | "&")
        && view.gap(at + 4) == Gap::Space
        && is_family_name(view, at)
        && [at + 2, at + 4]
            .into_iter()
            .all(|at| view.case(at) == Case::Capital && (is_family_name(view, at) || is_unlisted(view, at)))
        && [at, at + 2, at + 4].into_iter().any(|at| lean(view, at) >= 2);
    if firm {
        findings.remove(at, at + 3, Kind::Name, Certainty::Likely);
        findings.remove(at + 4, at + 5, Kind::Name, Certainty::Likely);
    }
    firm
}

/// Words that are nobody's name in a form that many words have.
pub(super) const NO_NAME: Classes = Classes::of(&[Class::Stop, Class::Measurement, Class::Unit, Class::Dose]);

/// Whether many people bear the word as a family name, and it is no clinical shorthand.
pub(super) fn is_family_name(view: &View<'_>, at: usize) -> bool {
    view.is(at, Class::Surname) && view.ranks(at).surname >= 9 && !view.any(at, NO_NAME)
}

/// Whether an eponym stands where only people do: `signed out to Gerota.`, `seen with Trendelenburg`, `Valsalva's note`.
fn is_eponymous_person(view: &View<'_>, at: usize) -> bool {
    if is_shouted(view, at) || view.case(at) == Case::Upper {
        return false;
    }
    let next = at + 1;
    let over = view.is_any_mark(next, b",.;:)(") || view.ends_line(next) || view.is(next, Class::Stop);
    let slash = at > 1 && view.is_mark(at - 1, b'/') && says!(view, at - 2, "w") && view.joined(at - 1);
    let after_name = at > 1
        && says!(view, at - 1, "and" | "&")
        && view.capitalised(at - 2)
        && view.any(at - 2, NAMES)
        && lean(view, at - 2) >= 2;
    let acts = view.is(next, Class::HumanVerb) && view.case(next) == Case::Lower && view.gap(next) == Gap::Space;
    (is_met(view, at) || slash || after_name) && over || acts || owns(view, at)
}

/// Whether what is said of the eponym is only said of signs and tests.
fn is_sign(view: &View<'_>, at: usize) -> bool {
    let pair = says!(view, at + 1, "and" | "&") && view.is(at + 2, Class::Eponym);
    let next = if pair { at + 3 } else { at + 1 };
    says!(
        view,
        next,
        "equivocal"
            | "downgoing"
            | "upgoing"
            | "negative"
            | "positive"
            | "absent"
            | "depth"
            | "score"
            | "cautery"
            | "clamps"
    ) && view.case(next) == Case::Lower
}

/// Whether `St.` stands before the word, and nothing follows its possessive that it could own.
fn is_saint(view: &View<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let point = usize::from(view.is_mark(before, b'.'));
    before >= point
        && says!(view, before - point, "st" | "saint")
        && view.gap(at) <= Gap::Space
        && !view.is(at + 2, Class::EponymNoun)
}

/// Whether a label on a specimen begins here: `labeled "Bracken, skin of the arm"`.
fn is_label(view: &View<'_>, at: usize) -> bool {
    at > 1
        && view.is_any_mark(at - 1, b"\"'")
        && says!(view, at - 2, "labeled" | "labelled" | "designated" | "marked" | "identified" | "with" | "as")
        && (view.is_mark(at + 1, b',') || view.is_any_mark(at + 2, b",\""))
        && view.any(at, NAMES)
}

/// What speaks for a name, less what speaks for a word; some number below [`WEAK`] where that is certain early. `place`: a
/// word that only places follow stands before it. `ranks` are those of the word.
fn points(view: &View<'_>, at: usize, place: bool, ranks: Ranks) -> i32 {
    let shouted = is_shouted(view, at);
    let start = view.sentence_start(at) || after_bullet(view, at);
    let lean = lean_by(view, at, || ranks);
    let mut points = match lean {
        // At the start of a sentence a word is written like a name: something else must speak for the name.
        7.. if start => i32::from(lean >= 11),
        11.. => 2,
        7.. => 1,
        2.. => 0,
        -2.. => -1,
        _ => -2,
    };
    if view.is(at, Class::Acronym) && acronym::is_one(view, at) {
        // `with AMS`, `LE swelling`
        points -= 3;
    }
    let before = before(view, at);
    points += before + i32::from(place) * 2;
    let capital = !shouted && !start && matches!(view.case(at), Case::Capital | Case::Mixed);
    if capital {
        // In running text a word needs no capital letter.
        points += 2;
    }
    // Words that are seldom names do things too: `Cast came off`.
    let given = ranks.first_name >= 9;
    let mind = is_of_a_mind(view, at + 1) || is_beside_somebody(view, at);
    let most = if start && lean < 5 && !given && !mind { 2 } else { MOST_AFTER };
    let verb = says!(view, at, "may" | "will");
    // Nothing else adds to the points than what stands behind the word.
    if points + most < WEAK && !verb && view.token(at + 1).kind != crate::token::Kind::Possessive {
        return points;
    }
    let after = after(view, at, ranks, start, shouted, mind);
    points += after.min(most);
    if verb {
        // `May slept`, `Will was`, `a message for Will`: after `may` and `will` no verb has a form of its own.
        let finite = says!(view, at + 1, "is" | "was" | "has" | "had" | "did" | "does")
            || view.word(at + 1).ends_with("ed") && view.is(at + 1, Class::HumanVerb)
            || view.word(at + 1).ends_with('s') && view.is(at + 1, Class::HumanVerb);
        let lower = view.case(at + 1) == Case::Lower;
        let name = finite && lower || after >= 3 || before >= 3;
        points += match (name, view.is(at, Class::Stop)) {
            (true, _) => 4,
            (false, true) => -4,
            (false, false) => 0,
        };
    } else if view.is(at, Class::Stop) {
        points -= 4;
    }
    if owns(view, at) {
        points += 2;
    }
    // In a title every word has one, and only a word for who does or hears something speaks for a name: `Reviewed With Wells,
    // Follow Up Arranged`. Asked last, for it looks far.
    let led = before > 1 && lean >= -5 && !view.is(at - 1, Class::PersonVerb);
    if points >= WEAK && capital && lean < 11 && !led && is_titled(view, at) {
        points -= 2;
    }
    // From here on they only grow less, and no thing has a mind.
    if points < WEAK || mind && !shouted {
        return points;
    }
    points - against(view, at, shouted, given && after >= 3, before >= 2)
}

/// The points that speak for a word. `called`: a common first name does what people do; `led`: what stands before says who it is.
fn against(view: &View<'_>, at: usize, shouted: bool, called: bool, led: bool) -> i32 {
    let mut points = 0;
    let led_by_verb = at > 0 && view.is(at - 1, Class::PersonVerb);
    if view.any(at, Classes::of(&[Class::Brand, Class::Organism])) {
        // They have a capital letter everywhere; and what is done with a drug, `continue Cipro`, is done by people too.
        points += if led_by_verb { 5 } else { 3 };
    }
    if view.is(at, Class::Eponym) {
        // `showed Achilles tendon tear`, `with Crohn's.`
        points += if is_medicine_here(view, at) { 4 } else { 1 };
    }
    if view.any(at, Classes::of(&[Class::Month, Class::Unit])) {
        // `in May`, `May 2004`, `10 Gray`
        let dash = usize::from(at > 1 && view.is_mark(at - 1, b'-'));
        let number = view.is_number(at + 1) || at > dash && view.is_number(at - 1 - dash);
        let dated = at > 0
            && says!(
                view,
                at - 1,
                "in" | "of"
                    | "since"
                    | "until"
                    | "till"
                    | "by"
                    | "last"
                    | "early"
                    | "late"
                    | "mid"
                    | "through"
                    | "from"
            );
        points += if number || dated { 5 } else { 1 };
    }
    if view.case(at) == Case::Upper && (shouted && !called || view.width(at) < 4) {
        // Acronyms and lines in capitals: the capitals say nothing, unless a first name does what people do.
        points += 2;
    }
    if view.width(at) < 3 {
        points += 2;
    }
    let counted = at > 0 && view.is(at - 1, Class::NumberWord);
    if (shouted || counted) && view.any(at, Classes::of(&[Class::Duration, Class::Counted, Class::Unit])) {
        // `1 PACK PER DAY`, `in Two Weeks`
        points += 3;
    }
    if !is_unlisted(view, at) && is_heading(view, at, shouted, led) {
        points += 3;
    }
    points
}

/// `1. Coral`, `- Coral`, `Name: Coral`: the start of an item.
fn after_bullet(view: &View<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    view.is_any_mark(before, b":-*#)\"(") && view.gap(at) != Gap::None
        || view.is_mark(before, b'"')
        || view.is_mark(before, b'.') && (before == 0 || view.is_number(before - 1))
}

/// Whether a word beside it has a capital letter too and is no name (`Emergency Department`), or it is a label
/// (`Chief Complaint:`). `led`: what stands before says who it is, and the colon ends what they did (`Film read by Wood:`).
fn is_heading(view: &View<'_>, at: usize, shouted: bool, led: bool) -> bool {
    let word = |other: usize| {
        view.is_word(other)
            && view.capitalised(other)
            && view.width(other) > 1
            && !is_unlisted(view, other)
            && lean(view, other) < 2
            && !view.any(other, KNOWN)
    };
    // `Basil phoned:` is no label.
    let acts = view.is(at + 1, Class::HumanVerb) && view.case(at + 1) == Case::Lower;
    let label = !acts && !led && (at + 1..at + 4).any(|mark| view.is_mark(mark, b':') && view.same_line(mark));
    // `Spoke With Wells`: in a title what leads to people has a capital letter too.
    let leads = led && at > 0 && view.is(at - 1, Class::Stop);
    let before = at > 0 && view.same_line(at) && word(at - 1) && !view.sentence_start(at - 1) && !leads;
    // In a line of capitals every word has them.
    !shouted && (before || view.same_line(at + 1) && word(at + 1)) || label
}
