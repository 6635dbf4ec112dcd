//! Names that are medicine: `Foley catheter`, `positive Babinski`, `Jackson-Pratt drain`, `Graves' disease`.

use super::clinical::roman;
use super::place::is_no_word;
use super::{Certainty, Findings, Shape, View};
use crate::rules::word_sets::{WordSet, says};
use crate::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// Names carried by at most this many people (base-2 logarithm) are medicine even alone.
const RARE: u8 = 9;

/// Names carried by at most this many people (base-2 logarithm) may be those of a scale without being on its list.
const FEW: u8 = 12;

/// Names carried by at least this many people (base-2 logarithm) are people's where nothing of medicine stands by them.
const COMMON: u8 = 13;

/// Anchor: an eponym.
pub(super) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    // `Dr. Foley`, `Mr. Graves`, `Foley, MD`: a person after all.
    if before_is_title(view, at) {
        return;
    }
    // The circle of Willis, the tetralogy of Fallot: no place and no person has one.
    if at > 1 && says!(view, at - 1, "of") && PARTS.has(view, at - 2) {
        findings.keep(at, at + 1, Certainty::Sure);
    }
    let mut end = at + 1;
    let mut hyphened = false;
    let mut paired = false;
    if let Some((first, last)) = pair_of_names(view, at) {
        findings.keep(first, last, Certainty::Sure);
        return;
    }
    // `Jackson-Pratt`, `Hunt and Hess`, `Creutzfeldt-Jakob`: several names.
    for _ in 0..3 {
        let joint = view.is_mark(end, b'-') && view.joined(end) || says!(view, end, "and" | "&");
        if joint && view.is(end + 1, Class::Eponym) {
            hyphened |= view.is_mark(end, b'-');
            paired |= !view.is_mark(end, b'-');
            end += 2;
        } else {
            break;
        }
    }
    let owner = is_possessive(view, end);
    end += usize::from(owner);
    if let Some(noun) = noun(view, end) {
        // Hunt and Hess grade: two people would not be graded.
        findings.keep(at, end, if paired && noun == end { Certainty::Sure } else { Certainty::Likely });
        // Not for the word between, which may be anything but a grade: `Chiari II malformation`.
        let grade = noun > end && view.case(end) != Case::Lower && roman(view.bytes(end));
        findings.keep(if grade { end } else { noun }, noun + 1, Certainty::Likely);
    } else if owner && owns_nothing(view, at, end)
        || hyphened && !is_a_family(view, at, end)
        // `Hunt and Hess 3`: a scale of two names is one where its grade follows.
        || end > at + 1 && view.is_number(end) && view.follows(end)
        || in_a_place_of_things(view, at, end)
    {
        findings.keep(at, end, Certainty::Likely);
    } else if let Some(certainty) = result(view, at, end) {
        findings.keep(at, end, certainty);
        // `Pirani 4.5`: no list of scales has its name.
        if !view.is(at, Class::Score) && view.is_number(end) {
            findings.keep_by(at, end, end + 1, Certainty::Weak);
        }
    } else {
        let ranks = view.ranks(at);
        if ranks.surname.max(ranks.first_name) <= RARE {
            findings.keep(at, end, Certainty::Weak);
        }
    }
}

fn is_possessive(view: &View<'_>, at: usize) -> bool {
    view.token(at).kind == Kind::Possessive || view.is_mark(at, b'\'') && view.joined(at)
}

/// The noun behind an eponym that ends before `end`. It may have a word before it: `Foley urinary catheter`, `Glasgow coma scale`.
fn noun(view: &View<'_>, end: usize) -> Option<usize> {
    (end..end + 2)
        .find(|&noun| view.follows(noun) && view.is(noun, Class::EponymNoun) && (noun == end || view.is_word(end)))
        .filter(|&noun| noun == end || !view.any(end, Classes::of(&[Class::Stop, Class::PersonVerb])))
}

/// `has Crohn's and`, `h/o Parkinson's.`: what people own stands behind it, and a disease needs no noun.
fn owns_nothing(view: &View<'_>, at: usize, end: usize) -> bool {
    let over = !view.follows(end) || !view.is_word(end) || view.is(end, Class::Stop);
    let before = at.checked_sub(1).filter(|_| view.follows(at));
    // `at Foley's`, `per Graves'`; `Ann Crohn's`
    let place = before.is_some_and(|before| {
        let name = view.capitalised(before) && (view.any(before, NAMES) || is_no_word(view, before));
        says!(view, before, "at" | "to" | "from" | "per" | "by" | "near" | "and") || name
    });
    over && !place && view.ranks(at).surname < COMMON
}

/// Scales, signs and diseases named after two people. With a hyphen they are nobody's; otherwise a grade tells a scale from two
/// people and a family: `Salter-Harris II`, `Hunt and Hess 3`, `House Brackmann IV/VI`, `Tay-Sachs`.
#[rustfmt::skip]
const PAIRS: [(&str, &str); 54] = [
    ("allen", "brown"), ("arnold", "chiari"), ("austin", "moore"), ("bard", "parker"), ("brown", "sequard"),
    ("budd", "chiari"), ("calve", "perthes"), ("child", "pugh"), ("churg", "strauss"), ("clavien", "dindo"),
    ("cormack", "lehane"), ("danis", "weber"), ("dix", "hallpike"), ("dubin", "johnson"), ("ehlers", "danlos"),
    ("epstein", "barr"), ("foster", "kennedy"), ("fugl", "meyer"), ("gustilo", "anderson"), ("hamilton", "norwood"),
    ("harris", "benedict"), ("hawkins", "kelly"), ("henoch", "schonlein"), ("hoehn", "yahr"), ("house", "brackmann"),
    ("hunt", "hess"), ("jackson", "pratt"), ("kellgren", "lawrence"), ("kleihauer", "betke"), ("lauge", "hansen"),
    ("legg", "calve"), ("lesch", "nyhan"), ("levine", "edwards"), ("li", "fraumeni"), ("mallory", "weiss"),
    ("miller", "abbott"), ("moses", "laney"), ("niemann", "pick"), ("osgood", "schlatter"), ("parkinson", "white"),
    ("peutz", "jeghers"), ("prader", "willi"), ("salter", "harris"), ("savary", "miller"), ("smith", "petersen"),
    ("spetzler", "martin"), ("stevens", "johnson"), ("sturge", "weber"), ("tay", "sachs"), ("thompson", "epstein"),
    ("watson", "jones"), ("wolff", "parkinson"), ("young", "burgess"), ("zollinger", "ellison"),
];

/// Where such a pair, with its grade if it has one, begins and ends, at either name.
fn pair_of_names(view: &View<'_>, at: usize) -> Option<(usize, usize)> {
    let pair = |first: usize, second: usize| {
        view.capitalised(first)
            && view.capitalised(second)
            && (second == first + 1 || says!(view, first + 1, "-" | "and" | "&" | "/"))
            && (first + 1..=second).all(|word| view.gap(word) <= Gap::Line)
            && PAIRS.iter().any(|&(one, other)| view.word(first) == one && view.word(second) == other)
    };
    // The second name stands right behind the first, or behind a hyphen or `and`.
    let (first, second) = [(2, 0), (1, 0), (0, 1), (0, 2)]
        .into_iter()
        .filter_map(|(before, behind)| Some((at.checked_sub(before)?, at + behind)))
        .find(|&(first, second)| pair(first, second))?;
    let hyphen = view.is_mark(first + 1, b'-') && view.joined(first + 1) && view.joined(second);
    // `Wolff-Parkinson-White`
    let second = if hyphen && pair(second, second + 2) { second + 2 } else { second };
    let grade = second + 1 + usize::from(says!(view, second + 1, "grade" | "gr" | "type" | "class" | "stage"));
    let numbered = view.width(grade) == 1 && view.whole(grade).is_some_and(|grade| (1..=6).contains(&grade));
    let letter = view.width(grade) == 1 && matches!(view.bytes(grade), b"a" | b"b" | b"c" | b"d");
    let written = view.is_word(grade) && view.case(grade) != Case::Lower && (letter || roman(view.bytes(grade)));
    // `3A`
    let last = grade + 1 + usize::from(view.token(grade + 1).glued() && view.width(grade + 1) == 1);
    let graded =
        (numbered || written) && (second + 1..=grade).all(|word| view.same_line(word)) && !view.token(last).glued();
    if !graded && !hyphen {
        return None;
    }
    let last = if graded { last } else { second + 1 };
    // `Andrew Salter-Harris III`
    let given = first.checked_sub(1).is_some_and(|before| {
        let name = is_no_word(view, before) || view.is(before, Class::FirstName) && !view.any(before, TESTS);
        view.same_line(first) && view.case(before) == Case::Capital && name
    });
    let person = given || before_is_title(view, first);
    (!person).then_some((first, last))
}

/// What anatomists named after one of theirs. Sorted.
#[rustfmt::skip]
static PARTS: WordSet = WordSet::new(&[
    "ampulla", "angle", "bundle", "canal", "circle", "crypts", "duct", "fascia", "foramen", "islets", "ligament", "loop", "pouch",
    "sinus", "sphincter", "tetralogy", "triangle", "vein",
]);

fn before_is_title(view: &View<'_>, at: usize) -> bool {
    let Some(mut before) = at.checked_sub(1) else { return false };
    if view.is_mark(before, b'.') && before > 0 {
        before -= 1;
    }
    view.is(before, Class::Title)
}

/// What is said of things behind them. Sorted.
#[rustfmt::skip]
static STATES: WordSet = WordSet::new(&[
    "absent", "downgoing", "equivocal", "in", "intact", "negative", "positive", "present", "removed", "upgoing",
]);

/// Articles, adjectives and numbers go before things, not before people.
fn in_a_place_of_things(view: &View<'_>, at: usize, end: usize) -> bool {
    // `24 Fr. Foley`
    let point = at > 1 && view.is_mark(at - 1, b'.') && view.joined(at - 1) && says!(view, at - 2, "fr");
    let before = at.checked_sub(1 + usize::from(point)).filter(|_| view.follows(at));
    let article = before.is_some_and(|before| {
        // `WITH ILONKA A BAKER`: an initial.
        let initial = view.capitalised(before) && before > 0 && is_no_word(view, before - 1) && view.follows(before);
        says!(view, before, "a") && !initial
            || says!(view, before, "an" | "the" | "no" | "negative" | "positive" | "bilateral" | "french" | "fr")
            // `0 Evans Ellery`: with a name behind it the number is that of a house.
            || view.is_number(before) && !view.joined(at)
                && !(view.case(end) == Case::Capital && view.gap(end) == Gap::Space && is_no_word(view, end))
    });
    let state = STATES.has(view, end)
        && view.case(end) != Case::Capital
        && !(says!(view, end, "in") && !says!(view, end + 1, "place" | "situ"))
        // `Tape cut, Simmonds present`: so are people.
        && !(says!(view, end, "present") && view.ranks(at).surname >= COMMON);
    article || state
}

/// Words that say how a test went.
#[rustfmt::skip]
static RESULTS: WordSet = WordSet::new(&[
    "central", "dg", "downgoing", "equivocal", "lateralises", "lateralizes", "midline", "neg", "negative", "nl",
    "pos", "positive", "ug", "upgoing", "wnl",
]);

/// Words before a name that only people have.
static LEADING_PEOPLE: WordSet = WordSet::new(&[
    "and", "asked", "at", "by", "d", "for", "from", "in", "mr", "mrs", "ms", "of", "on", "per", "saw", "see", "seen",
    "to", "told", "under", "via", "w", "with",
]);

/// How sure it is that the result of a test stands behind its name, which ends before `end`: `Lachman +`, `Phalen neg`, `Tinel -ve`;
/// behind the name of a scale, or a rare name, a score or a grade too: `Bishop 6`, `Wells 4.5`, `Garden III`.
fn result(view: &View<'_>, at: usize, end: usize) -> Option<Certainty> {
    let next = end + 1;
    if !view.same_line(end) || led_as_a_person(view, at) {
        return None;
    }
    let told = match view.token(end).kind {
        Kind::Punct if view.is_mark(end, b'+') => {
            // `Allen + Sprague` are two people.
            let name =
                view.capitalised(next) && view.width(next) > 3 && (is_no_word(view, next) || view.any(next, NAMES));
            says!(view, next, "ve") || !view.is_word(next) || !view.same_line(next) || !name
        }
        Kind::Punct if view.is_mark(end, b'-') => {
            // `Weber -> L`
            (says!(view, next, "ve") || view.is_mark(next, b'>')) && view.joined(next)
                || !view.joined(end) && view.joined(next) && view.is_any_mark(next, b",;.)")
                // `Barlow - Ortolani +`
                || !view.joined(end) && !view.joined(next) && view.is(next, Class::Eponym) && view.is_any_mark(next + 1, b"+-")
        }
        Kind::Symbol => view.word(end) == "→",
        Kind::Word if RESULTS.has(view, end) => view.case(end) != Case::Capital,
        // `Rinne R+`, `Shaffer gr 3`, `Epley x1`, `Foley d6`
        Kind::Word if says!(view, end, "r" | "l") => view.is_any_mark(next, b"+-") && view.joined(next),
        Kind::Word if says!(view, end, "gr" | "grade") => {
            view.same_line(next) && (view.is_number(next) || roman(view.bytes(next)))
        }
        Kind::Word if says!(view, end, "x" | "d") => {
            view.case(end) == Case::Lower && view.token(next).glued() && view.is_number(next) && view.width(next) == 1
        }
        _ => return grade(view, at, end),
    };
    told.then_some(Certainty::Likely)
}

/// Names of people.
const NAMES: Classes = Classes::of(&[Class::FirstName, Class::Surname]);

/// Names of tests and scales.
const TESTS: Classes = Classes::of(&[Class::Eponym, Class::Score]);

/// Whether a title, a first name or a word that leads to people stands before the name.
fn led_as_a_person(view: &View<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).filter(|_| view.same_line(at)) else { return false };
    if view.is_any_mark(before, b"/&.") {
        return view.is_mark(before, b'&') || view.joined(at) || before_is_title(view, at);
    }
    let name = view.case(before) == Case::Capital
        && (is_no_word(view, before) || view.any(before, NAMES))
        && !view.any(before, TESTS);
    name || view.is(before, Class::Title) || LEADING_PEOPLE.has(view, before)
}

/// How sure it is that a short number or a Roman numeral behind the name is its grade, and no bed and no age. A scale may be called like
/// somebody who lies in a bed.
fn grade(view: &View<'_>, at: usize, end: usize) -> Option<Certainty> {
    let ranks = view.ranks(at);
    let borne = ranks.surname.max(ranks.first_name);
    let rare = borne <= RARE;
    let next = end + 1;
    if view.joined(end) || view.token(next).glued() || borne > FEW && !view.is(at, Class::Score) {
        return None;
    }
    let graded = if let Some(number) = view.number(end) {
        let aged = view.is(next, Class::AgeCue) || says!(view, next, "m" | "f" | "y" | "male" | "female");
        let dash = view.is_mark(next, b'-') && !view.joined(next);
        let short = number.digits(0) <= 2 && !number.padded() && !aged && !dash;
        short
            && match number.shape() {
                Shape::Whole | Shape::Decimal => true,
                Shape::Slash => number.value(1) > 12 && number.digits(1) <= 2,
                _ => false,
            }
    } else {
        // `Clark III, Robert`; `Tanner V.` may be an initial.
        let listed = view.is_mark(next, b',') && view.case(next + 1) == Case::Capital;
        let numeral = matches!(view.case(end), Case::Upper | Case::Mixed) && roman(view.bytes(end));
        numeral && (rare || view.width(end) > 1 && !listed)
    };
    graded.then_some(if rare { Certainty::Likely } else { Certainty::Weak })
}

/// `Williams-Robertson` without a noun: both names are so common that they are people rather than an eponym.
fn is_a_family(view: &View<'_>, first: usize, end: usize) -> bool {
    let double = PAIRS.contains(&(view.word(first), view.word(first + 2)));
    !double
        && (first..end).step_by(2).all(|name| view.ranks(name).surname >= COMMON && view.case(name) == Case::Capital)
}
