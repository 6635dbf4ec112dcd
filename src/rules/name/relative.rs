//! Names after a relative or a role: `wife Rose`, `his neighbour, Ilonka Watson`, `pt's dtr Suzanne`, `surgeon Ellis`.

use super::{NAMES, Trust, end_of_name, is_mostly_name, is_shouted, is_titled, is_unlisted, lean};
use crate::rules::columns::{Around, Fact, GROUP, Group};
use crate::rules::eponym::has_result;
use crate::rules::view::says;
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Which of them may have a name beside them: right behind, perhaps after a mark or `is`; before the comma or the bracket in which
/// they stand.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let name = |group: &Group| {
        let name = (group.capitalised() | group.any(NAMES)) & group.maybe_names();
        name & (!group.on(Class::Stop) | group.is(Fact::Upper)) & !group.is(Fact::NewLine)
    };
    let mark = around.behind(1, |group| group.marks(b",(-"));
    let after = around.behind(1, name) | mark & around.behind(2, name);
    // In small letters and in lines of capitals a first name that is no word, or one and a family name.
    let given = around.behind(2, |group| group.on(Class::FirstName))
        & around.behind(3, |group| group.on(Class::Surname) & group.unlisted());
    let called = around.behind(2, |group| group.any(NAMES) & (group.name_like() | group.unlisted())) | given;
    let called = called & around.behind(1, |group| group.is(Fact::Word) & group.is(Fact::UpToThree));
    // `his wife is joy.`
    let is = around.behind(1, |group| group.is(Fact::UpToTwo)) & around.behind(2, |group| group.on(Class::FirstName));
    let pair = |group: &Group| group.is(Fact::Capital) & group.is(Fact::Spaced);
    let patient = around.behind(1, pair) & around.behind(2, |group| pair(group) & group.on(Class::Surname));
    let open = |group: &Group| group.mark(b'(');
    let bracketed = (around.before(1, open) | around.before(2, open)) & around.behind(1, |group| group.marks(b"),;"));
    let comma = around.up_to_here(|group| group.mark(b','))
        & around.up_to_here(|group| group.maybe_names() | group.on(Class::Eponym)) << 1;
    let comma = |far: u32| (comma << far >> GROUP) as u64;
    let of = around.behind(1, |group| group.is(Fact::OfPlace));
    let apposed = comma(1) & of | comma(2) | comma(3) | comma(4) | comma(5);
    after | called & here.on(Class::PersonNoun) | patient | bracketed | (apposed | is) & here.on(Class::Relative)
}

/// Anchor: a relative or a word for a person.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if view.is(at, Class::Relative) {
        apposition(view, at, findings);
    }
    bracketed(view, at, findings);
    patient(view, at, findings);
    let mut first = at + 1;
    // `his wife is joy.`, `SON IS HUNTER,`
    if says!(view, first, "is") && view.is(at, Class::Relative) && view.case(at) == view.case(first + 1) {
        const OTHER: Classes =
            Classes::of(&[Class::Stop, Class::HumanVerb, Class::PersonVerb, Class::PersonNoun, Class::Clinical]);
        let name = first + 1;
        let given = view.ranks(name).first_name >= 9 && lean(view, name) >= -2 && !view.any(name, OTHER);
        if given && ends(view, name + 1) && view.gap(name) == Gap::Space {
            findings.remove(name, name + 1, Kind::Name, Certainty::Likely);
        }
    }
    // `her primary care doctor is Hazel Acute`
    if says!(view, first, "is" | "was") && view.is(at, Class::PersonNoun) {
        let name = first + 1;
        let capital = matches!(view.case(name), Case::Capital | Case::Mixed) && !is_shouted(view, name);
        // In small letters and in lines of capitals a first name that is no word, or one and a family name.
        let plain = view.is(name, Class::FirstName)
            && (is_unlisted(view, name) || view.is(name + 1, Class::Surname) && is_unlisted(view, name + 1));
        let fits = (capital || plain) && view.any(name, NAMES) && view.follows(name);
        let trust = if capital { Trust::Capital } else { Trust::Any };
        let end = if fits { end_of_name(view, name, trust, 4) } else { name };
        if end > name {
            findings.remove(name, end, Kind::Name, Certainty::Likely);
        }
        return;
    }
    // `Child-Pugh B`
    if view.is_mark(first, b'-') && view.joined(first) && view.is(first + 1, Class::Eponym) {
        return;
    }
    let comma = view.is_mark(first, b',') || view.is_mark(first, b'(') || view.is_mark(first, b'-');
    if comma {
        first += 1;
    }
    // `daughter named May`, `son whose name is Rose` are found by the verb.
    if !view.is_word(first) || view.gap(first) >= Gap::Wide || view.joined(first) && !comma {
        return;
    }
    // `R kid Bosniak II`
    if view.is(first, Class::Score) && has_result(view, first, first + 1) {
        return;
    }
    let shouted = is_shouted(view, first);
    let accept = if view.case(first) == Case::Lower || shouted {
        is_plain_name(view, at, first, comma, shouted)
    } else {
        let relative = view.is(at, Class::Relative);
        // `pt Gene began`: in running text no word but a name has a capital letter there.
        let patient = says!(view, at, "pt" | "patient") && view.case(at) == Case::Lower;
        let given = patient
            && view.case(first) == Case::Capital
            && view.ranks(first).first_name >= 8
            && !view.any(first, Classes::of(&[Class::Clinical, Class::Brand, Class::Dose, Class::WardNoun]));
        let name = lean(view, first) >= 0 || is_unlisted(view, first) || given;
        // `Patient Will Transfer With Assistance`
        let given = given || relative || view.ranks(first).first_name >= 10 && !says!(view, first, "will" | "may");
        let title = || !given && !is_unlisted(view, first) && lean(view, first) < 7 && is_titled(view, first);
        name && !title() && !view.is(first, Class::Stop) && (relative || !comma)
    };
    // `infant, Apgars 7/9`
    let valued = view.any(first, Classes::of(&[Class::Score, Class::Measurement])) && view.is_number(first + 1);
    if !accept || valued {
        return;
    }
    // `volunteer Gene.`: in running text a word with a capital letter that nothing but a small one follows.
    let alone = view.case(first) == Case::Capital
        && !shouted
        && !view.sentence_start(at)
        && view.is(first, Class::FirstName)
        && !view.any(first, Classes::of(&[Class::Clinical, Class::Brand, Class::WardNoun, Class::Month]))
        && !(view.capitalised(first + 1) && view.same_line(first + 1));
    let capital = comma && view.is(at, Class::Relative) && view.capitalised(first) || alone;
    let trust = if capital { Trust::Capital } else { Trust::Form };
    let end = end_of_name(view, first, trust, 4);
    let family = is_unlisted(view, first + 1) || view.ranks(first + 1).surname >= 9;
    let both = comma && view.case(first) == Case::Lower && family && view.is_word(first + 1) && ends(view, first + 2);
    let end = if both { first + 2 } else { end };
    // `wife sandy in to visit`
    let plain = view.case(first) == Case::Lower || shouted;
    let end = if end == first && plain { first + 1 } else { end };
    if end == first || starts_something_else(view, end) {
        return;
    }
    // `Nurse Hope.`, `Tech Ivory,`: a first name with the clause at its end is followed.
    let staff = !comma
        && !shouted
        && end == first + 1
        && view.case(first) == Case::Capital
        && view.ranks(first).first_name >= 9
        && ends(view, end)
        && !view.any(first, Classes::of(&[Class::Clinical, Class::Brand, Class::Term, Class::Month]));
    let certainty = if view.is(at, Class::Relative) || staff { Certainty::Likely } else { Certainty::Weak };
    findings.remove(first, end, Kind::Name, certainty);
    siblings(view, end, certainty, findings);
}

/// Whether the word that begins at `first` is a name in small letters or in a line of capitals, where its look says nothing: only what
/// looks like a name, `wife daryl`, `WIFE ROSE`, and what stands where only people do.
fn is_plain_name(view: &View<'_>, at: usize, first: usize, comma: bool, shouted: bool) -> bool {
    const VERBS: Classes = Classes::of(&[Class::Stop, Class::HumanVerb, Class::PersonVerb]);
    let given = view.ranks(first).first_name >= 9
        && !view.any(first, Classes::of(&[Class::Stop, Class::HumanVerb, Class::PersonNoun]))
        // `pt's niece hope is`: after a verb of people no other verb stands.
        && (!view.is(first, Class::PersonVerb) || says!(view, first + 1, "is" | "was" | "has" | "at" | "called"))
        && !says!(view, first, "will" | "may");
    // `sitter joy at bedside`: staff too, where what follows is no object.
    let staff = says!(
        view,
        at,
        "sitter" | "nurse" | "aide" | "tech" | "cna" | "pct" | "doula" | "interpreter" | "sponsor" | "rn" | "lpn"
    ) && (ends(view, first + 1)
        || view.is(first + 1, Class::HumanVerb)
        || view.is(first + 1, Class::PersonVerb) && view.bytes(first + 1).ends_with(b"ed")
        || says!(view, first + 1, "gave" | "took" | "came" | "says" | "said")
        || says!(view, first + 1, "at" | "is" | "was" | "in" | "to" | "who"));
    // `attending woods notified`
    let acts =
        view.is(first + 1, Class::HumanVerb) || says!(view, first + 1, "notified" | "updated" | "informed" | "paged");
    // `pt brooks refused meds`
    let family = says!(view, at, "pt" | "patient")
        && view.ranks(first).surname >= 13
        && lean(view, first) >= 7
        && !comma
        && !view.any(first, Classes::of(&[Class::Stop, Class::Clinical, Class::Unit]))
        && (view.is(first + 1, Class::HumanVerb)
            || says!(view, first + 1, "c") && view.is_mark(first + 2, b'/')
            || view.is(first + 1, Class::PersonVerb) && view.bytes(first + 1).ends_with(b"ed"));
    // `ASSISTANT KNIGHT.`, `SEEN BY NURSE BANKS TODAY`
    let named = (shouted || acts)
        && !view.is(at, Class::Relative)
        && says!(
            view,
            at,
            "assistant"
                | "surgeon"
                | "anesthesiologist"
                | "anesthetist"
                | "attending"
                | "consultant"
                | "nurse"
                | "fellow"
        )
        && view.ranks(first).surname >= 12
        && lean(view, first) >= 9
        && view.width(first) > 2
        && (acts || ends(view, first + 1) || says!(view, at, "nurse"));
    // `wife good in to sit with her`, `son marble is poa`, `brother (pope) at bedside`: what only people do there.
    let next = first + 1 + usize::from(view.is_mark(first + 1, b')'));
    let there = says!(view, next, "in") && says!(view, next + 1, "to" | "visiting")
        || says!(view, next, "is") && says!(view, next + 1, "hcp" | "poa" | "dpoa" | "hcpoa" | "nok")
        || (view.is_mark(next, b'@') || says!(view, next, "at")) && says!(view, next + 1, "bedside" | "bs")
        || says!(view, next, "called" | "phoned") && view.case(next) == view.case(first);
    let visits = view.is(at, Class::Relative)
        && there
        && (!comma || next > first + 1)
        && view.any(first, NAMES)
        && !view.any(first, Classes::of(&[Class::Stop, Class::HumanVerb]));
    // `his daughter, violet samosir, drove`: a family name that is no word behind it.
    let whole = comma
        && view.is(at, Class::Relative)
        && view.any(first, NAMES)
        && !view.any(first, VERBS)
        && (is_unlisted(view, first + 1) || view.ranks(first).first_name >= 9 && view.ranks(first + 1).surname >= 9)
        && view.case(first) == view.case(first + 1)
        && ends(view, first + 2);
    named && !comma
        || visits
        || whole
        || family
        || staff && given && !comma && !view.any(first, Classes::of(&[Class::Dose, Class::Clinical]))
        || view.is(at, Class::Relative)
            && (is_mostly_name(view, first) && !comma || given && (!comma || ends(view, first + 1)))
        || is_unlisted(view, first) && view.any(first, NAMES)
}

/// `Pt Olive Tree c/o cough`: two words with capital letters that people bear, and no third.
fn patient(view: &View<'_>, at: usize, findings: &mut Findings) {
    let (given, family) = (at + 1, at + 2);
    if !says!(view, at, "pt" | "patient" | "client") || view.gap(given) != Gap::Space || view.gap(family) != Gap::Space
    {
        return;
    }
    let capital = |word: usize| view.case(word) == Case::Capital && view.width(word) > 2;
    let never = Classes::of(&[Class::Stop, Class::Clinical, Class::PersonNoun, Class::Facility, Class::Organisation]);
    let named = capital(given)
        && capital(family)
        && view.ranks(given).first_name >= 9
        && view.is(family, Class::Surname)
        && !view.any(given, never)
        && !view.any(family, never);
    let over = view.case(family + 1) == Case::Lower || !view.is_word(family + 1);
    if named && over {
        findings.remove(given, family + 1, Kind::Name, Certainty::Likely);
    }
}

/// `Candy (dtr) called`, `spoke with Faith (his wife)`: the name stands before the bracket.
fn bracketed(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut open = at.wrapping_sub(1);
    if says!(view, open, "his" | "her" | "their" | "the" | "patient's" | "pt's") {
        open = open.wrapping_sub(1);
    }
    if !view.is_mark(open, b'(') || !view.is_any_mark(at + 1, b"),;") || open == 0 {
        return;
    }
    let last = open - 1;
    let plain = view.case(last) == Case::Lower || is_shouted(view, last);
    let never = Classes::of(&[Class::Title, Class::PersonNoun, Class::Relative, Class::Stop, Class::Facility]);
    let ranks = view.ranks(last);
    let borne = if plain {
        ranks.first_name >= 9 && lean(view, last) >= 3
    } else {
        ranks.surname.max(ranks.first_name) >= 8 || is_unlisted(view, last)
    };
    // `her job (nurse)`
    let borne = borne && !says!(view, last, "job");
    let name = view.is_word(last) && view.any(last, NAMES) && borne && !view.any(last, never) && view.width(last) > 1;
    if name && view.gap(open) == Gap::Space {
        // `Candy Bright (dtr)`
        let given = last > 0
            && view.gap(last) == Gap::Space
            && view.case(last - 1) == view.case(last)
            && view.is(last - 1, Class::FirstName)
            && !view.any(last - 1, never)
            && (!plain || lean(view, last - 1) >= 9);
        findings.remove(last - usize::from(given), open, Kind::Name, Certainty::Likely);
    }
}

fn ends(view: &View<'_>, at: usize) -> bool {
    view.is_any_mark(at, b",.;)") || view.ends_line(at)
}

/// `patient Foley catheter`: a noun that eponyms go with follows.
fn starts_something_else(view: &View<'_>, end: usize) -> bool {
    view.any(end, Classes::of(&[Class::EponymNoun, Class::Facility]))
        || view.is_mark(end, b'\'') && view.is(end + 1, Class::EponymNoun)
}

/// `Cliff Stone, the patient's uncle`: the name stands before the relative.
fn apposition(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut last = at;
    for _ in 0..4 {
        let Some(before) = last.checked_sub(1) else { return };
        let possessive = view.token(before).kind == crate::token::Kind::Possessive;
        if !possessive && !says!(view, before, "patient" | "pt" | "the" | "his" | "her" | "their") {
            break;
        }
        last = before;
    }
    // `Destiny, mom of Angel`
    let of = last == at && says!(view, at + 1, "of");
    if last == at && !of || last == 0 || !view.is_mark(last - 1, b',') {
        return;
    }
    last -= 1;
    let mut first = last;
    while first > 0 && last - first < 3 {
        let word = first - 1;
        let plain = view.case(word) == Case::Lower || is_shouted(view, word);
        let given = is_unlisted(view, word) || is_mostly_name(view, word);
        let name = (!plain || given || first == last && view.is(word, Class::Surname))
            && view.is_word(word)
            && !view.is(word, Class::Stop)
            && (view.any(word, NAMES) || is_unlisted(view, word) || view.is(word, Class::Eponym))
            && !view.is(word, Class::Title)
            && (first == last || view.gap(first) <= Gap::Line);
        if !name {
            break;
        }
        first = word;
        if view.sentence_start(word) {
            break;
        }
    }
    let plain = first < last && (view.case(first) == Case::Lower || is_shouted(view, first));
    let sure = !plain || is_unlisted(view, first) || is_mostly_name(view, first);
    if sure && (last - first >= 2 || first < last && lean(view, first) >= 2) {
        findings.remove(first, last, Kind::Name, Certainty::Likely);
    }
}

/// `daughters Rose and May`, `including Steven, Frank and Ann`.
fn siblings(view: &View<'_>, end: usize, certainty: Certainty, findings: &mut Findings) {
    let mut at = end;
    for _ in 0..5 {
        let mut next = at;
        if view.is_mark(next, b',') {
            next += 1;
        }
        if says!(view, next, "and" | "&") {
            next += 1;
        }
        if next == at || !view.follows(next) || !view.capitalised(next) || !view.any(next, NAMES) {
            return;
        }
        let last = end_of_name(view, next, Trust::Form, 3);
        if last == next {
            return;
        }
        findings.remove(next, last, Kind::Name, certainty);
        at = last;
    }
}
