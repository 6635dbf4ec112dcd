//! Names with nothing beside them that only names have: `We appreciate White's input`, `Olive slept well`.
//!
//! Only words that are ordinary words too come here to any effect; a name that is no word is on no allowed list. For such
//! a word the rule adds up what speaks for a name and for a word in this place, in the points of the table in
//! DESIGN.md, "How a capitalised word is judged".

use super::duty::is_somebody;
use super::people::{
    is_a_patient, is_aged, is_at_work, is_beside_somebody, is_done_by_somebody, is_finite, is_met, is_of_a_child,
    is_of_a_mind, is_so_old, is_subject, owns,
};
use super::{
    NAMES, Trust, are_parts, end_of_name, form, is_mostly_name, is_shouted, is_titled, is_unlisted, lean, lean_by,
};
use crate::rules::clinical::acronym;
use crate::rules::columns::{Around, Fact};
use crate::rules::eponym::{has_result, is_medicine_here};
use crate::rules::view::{WordSet, says};
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

/// Words before a name that say more than a preposition does, besides those of [`Fact::ByPeople`]. `dear`, `under`: as [`form`] and
/// [`is_met`] ask.
#[rustfmt::skip]
pub(in crate::rules) const LEADING: &[&str] = &[
    "appreciate", "attn", "d", "dear", "dw", "for", "from", "hello", "her", "hey", "hi", "him", "named", "regards", "thank",
    "thanks", "under",
];

/// Words behind a name that speak for it and are in none of the sets.
pub(in crate::rules) const FOLLOWING: &[&str] = &[
    "baby", "health", "infant", "lives", "looks", "please", "pls", "plz", "put", "read", "remained", "remains",
    "reported", "reports", "said", "scored", "seen", "sent", "stated", "states", "stayed", "stays", "turns", "weighs",
];

/// Which words may be a name. A word with a capital letter in running text may be one whatever stands beside it, but no stop word,
/// no row of up to three capitals, no month with its day and no label; of these and of the first word of a sentence what stands
/// beside it must say so.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let place = here.on(Class::City) & around.before(1, |left| left.on(Class::PlaceCue));
    let owns = around.behind(1, |next| next.is(Fact::Possessive));
    let named = here.maybe_names() | here.on(Class::Eponym) | place | owns;
    let judged = named & !here.any(KNOWN) & !here.is(Fact::One) & !here.is(Fact::Glued);
    // Where `start` holds of `points`.
    let first = here.is(Fact::Sentence) | !here.is(Fact::Joined) & around.before(1, |left| left.marks(b":-#)("));
    let stop = here.on(Class::Stop) & !here.is(Fact::Modal);
    let short = here.is(Fact::Upper) & here.is(Fact::UpToThree);
    // `on May 3`; but `May 555-0123`, `Rm 4A May 3M`.
    let day = here.on(Class::Month)
        & !here.is(Fact::Sentence)
        & around.behind(1, |next| next.is(Fact::Number) & (!next.is(Fact::UpToThree) | next.is(Fact::UpToTwo)))
        & around.before(1, |left| left.is(Fact::Word) & !left.is(Fact::Glued));
    let weak = here.any(NAMES_AND_PLACES) & (stop | short | day);
    // What gets points from `before`: `per`, `seen by`, `w/`, `thanks,`; and behind a quotation mark, which has the column of `%`,
    // labels and nicknames.
    let led = around.before(1, |left| {
        let article = left.is(Fact::The) & left.is(Fact::Capital) & !left.is(Fact::Sentence);
        article | left.is(Fact::Asks) | left.is(Fact::ByPeople) | left.is(Fact::And) | left.on(Class::PersonVerb)
    }) | around.before(1, |left| left.mark(b'/')) & around.before(2, |left| left.is(Fact::ByPeople))
        | around.before(1, |left| left.mark(b'.') & left.is(Fact::Joined))
            & around.before(2, |left| left.is(Fact::Capital) & left.is(Fact::UpToThree))
        | around.before(1, |left| left.mark(b',')) & around.before(2, |left| left.is(Fact::Asks))
        | around.before(1, |left| left.marks(b"%'"))
            & (around.behind(1, |next| next.marks(b",%")) | around.behind(2, |group| group.marks(b",%")))
        | around.before(1, |left| left.mark(b'.'))
            & around.before(2, |left| left.on(Class::Title) & left.on(Class::PersonVerb));
    // `Hospital Course:` is a label, `a Foley catheter` no person, unless one of the small words that give a point is before
    // it; a first word too may be a name behind one.
    let small = around
        .before(1, |left| left.is(Fact::Word) & left.is(Fact::UpToFive) & !left.is(Fact::One) & !left.is(Fact::The));
    let label = !here.unlisted()
        & around.behind(1, |next| next.mark(b':') & !next.is(Fact::NewLine))
        & (here.is(Fact::Upper) | !small);
    let thing = here.on(Class::Eponym) & around.behind(1, |next| next.any(THINGS) & next.is(Fact::Follows)) & !small;
    let running = (!first | small) & !label & !thing;
    let sure = led | place | owns | said_near(around) & !(first & stop) | !weak & running;
    // Two groups of three are done here.
    let open = judged & !sure & !weak & here.is(Fact::Capital) & !here.any(form::NEVER);
    if open == 0 { judged & sure } else { judged & sure | open & formed_near(around) }
}

/// What gets points from [`after`]; of a first word, verbs do, and of a first name any word.
fn said_near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let start = here.is(Fact::Sentence) | !around.before(1, |left| left.is(Fact::Word));
    let labelled = labelled_near(around);
    // What `is_subject` takes for nobody may still be a name behind what somebody does.
    let subject = !here.any(Classes::of(&[Class::Stop, Class::Clinical, Class::Eponym])) | labelled;
    let does = around.behind(1, |next| next.is(Fact::Lower) & next.on(Class::PersonVerb));
    let given = here.on(Class::FirstName) & !here.on(Class::Clinical);
    let small = around.behind(1, |next| next.is(Fact::Lower));
    let full = around.behind(1, |next| next.capitalised() & next.any(NAMES))
        & !(here.on(Class::Stop) & here.is(Fact::Upper) & !here.is(Fact::Modal));
    // `Salt, who`, `Price, 65`, `Baker, Sutter and Lloyd`; `Grace, could you`; `Sitter: Joy, Amber`; `Rm 3A Woods, stable`
    let comma = around.behind(1, |next| next.mark(b','))
        & (around.behind(2, |group| group.capitalised() | group.is(Fact::Number) | group.is(Fact::Said))
            | here.is(Fact::LineStart)
            | labelled
            | figure_near(around));
    // `Rivers-Green`, `Will - rides`; but `end-stage`, `BI-RADS`.
    let hyphen = around.behind(1, |next| next.mark(b'-') & next.is(Fact::Joined));
    let dash = around.behind(1, |next| next.mark(b'-')) & (!hyphen | around.behind(2, |group| group.is(Fact::Capital)));
    around.behind(1, |next| next.is(Fact::Said) | next.on(Class::HumanVerb) | next.marks(b"&@%>"))
        | around.behind(1, |next| next.is(Fact::Word)) & around.behind(2, |group| group.on(Class::HumanVerb))
        | start & (subject & does | given & small)
        | full
        | comma
        | dash
}

/// Words behind a label: `Sitter tonight: Joy`, `Surgeon - Brooks`.
fn labelled_near(around: &Around<'_>) -> u64 {
    around.before(1, |left| left.marks(b":-")) & around.before(2, |left| left.is(Fact::Word))
}

/// Words behind a number or a letter glued to one: `Rm 304 Gray`, `4B Frost`.
fn figure_near(around: &Around<'_>) -> u64 {
    around.before(1, |left| left.is(Fact::Number) | left.is(Fact::Glued))
}

/// Names of which [`form`] may speak, besides those with something from [`said_near`] beside them.
#[inline(never)]
fn formed_near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let (colon, item) = (around.before(1, |left| left.mark(b':')), around.before(1, |left| left.marks(b".)")));
    let comma = around.before(1, |left| left.mark(b','));
    let number_before = around.before(2, |left| left.is(Fact::Number));
    // `Hope S.: 3 y`, `4B Frost CHF`
    let letter = here.on(Class::FirstName) & around.behind(1, |next| next.capitalised() & next.is(Fact::One));
    let ill = figure_near(around) & around.behind(1, |next| next.is(Fact::Upper));
    // `Frost: CHF`; `3. Long: GIB`, `09:02 Basil: hello`; `WR Brooks: continue`
    let label = around.behind(1, |next| next.mark(b':'))
        & (here.is(Fact::LineStart)
            | around.up_to_before(3, |group| group.is(Fact::Number))
            | around.before(1, |left| left.is(Fact::Word) & left.is(Fact::LineStart)));
    // `Heath 09:00`, `Colt 4 yo`, `Colt 22M`, `3) Frost 4N`, `Bird 302 - pain`, `Justice 12, Heaven 9`
    let number = around.behind(1, |next| next.is(Fact::Number))
        & ((here.is(Fact::Sentence) | item | colon)
            & around.behind(1, |next| next.is(Fact::Spaced) & !next.is(Fact::UpToThree))
            | around.behind(2, |group| group.is(Fact::Glued) & group.is(Fact::Sex) | group.on(Class::AgeCue))
            | item & around.behind(2, |group| group.is(Fact::Glued))
            | around.behind(2, |group| group.mark(b'-'))
            | around.behind(2, |group| group.mark(b',')) & around.behind(3, |group| group.is(Fact::Capital))
            | here.is(Fact::LineStart) & around.behind(2, |group| group.is(Fact::Upper) | group.mark(b'+'))
            | comma & number_before);
    // The last word of a line, alone behind a sentence or a dash; a line of one word and its point.
    let signs = item | around.before(1, |left| left.mark(b'-'));
    let alone = signs & around.behind(1, |next| next.is(Fact::NewLine))
        | here.is(Fact::LineStart)
            & around.behind(1, |next| next.mark(b'.'))
            & around.behind(2, |next| next.is(Fact::NewLine));
    // `Bed 4: Frost`, `Sitter tonight: Joy.`, `Sick list: Brooks, Weaver`, `w/ Early/Davids`
    let bed = colon & number_before & around.behind(1, |next| !next.is(Fact::Word) | next.is(Fact::NewLine));
    let value = labelled_near(around)
        & around.behind(1, |next| next.marks(b".;") | next.is(Fact::NewLine) | !next.is(Fact::Follows));
    let second = comma & around.before(3, |left| left.mark(b':')) | around.before(1, |left| left.mark(b'/'));
    let mark = around.behind(1, |next| next.is(Fact::Symbol) | next.marks(b"/(;"));
    letter | ill | label | number | alone | bed | value | second | mark
}

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

/// Words of which [`before`] asks more than their lists. Sorted.
#[rustfmt::skip]
static CUES: WordSet = WordSet::new(&[
    "a", "an", "and", "any", "appreciate", "ask", "asked", "at", "attn", "by", "called", "d", "dw", "emailed", "for", "from",
    "hello", "her", "hey", "hi", "him", "his", "in", "left", "messaged", "named", "near", "no", "paged", "per", "phoned", "right",
    "some", "texted", "thank", "thanks", "that", "the", "these", "this", "thx", "to", "told", "w", "with",
]);

/// What is done with things and hardly with people: `noted Achilles reflexes`, `has Crohn's`. Sorted.
#[rustfmt::skip]
static FINDS: WordSet = WordSet::new(&[
    "applied", "continue", "continued", "continues", "demonstrated", "demonstrates", "denied", "denies", "developed", "gave", "given",
    "had", "has", "have", "inserted", "needs", "noted", "performed", "placed", "prescribed", "received", "removed", "repeat", "report",
    "restarted", "resumed", "revealed", "reveals", "showed", "shown", "shows", "start", "started", "stopped", "takes", "taking", "took",
    "underwent", "used", "uses",
]);

/// What the words before say.
fn before(view: &View<'_>, at: usize) -> i32 {
    let Some(mut last) = at.checked_sub(1) else { return 0 };
    if !view.is_word(last) {
        let word = last.wrapping_sub(1);
        match view.token(last).mark() {
            // `w/ Mallory`, `d/w Bishop`
            b'/' if says!(view, word, "w") => return 2,
            // `thanks, Drew`
            b',' if says!(view, word, "thanks" | "thx" | "hi" | "hello" | "regards") => return 4,
            b'.' if view.is(word, Class::Title) && view.is_word(word) => last = word,
            b'.' if is_rank(view, word) && !view.any(at, BODY) => return 3,
            _ => return 0,
        }
    }
    if view.gap(at) > Gap::Line {
        return 0;
    }
    if !CUES.has(view, last) {
        return if view.is(last, Class::PersonVerb) && !FINDS.has(view, last) { 2 } else { 0 };
    }
    // `per White`, `spoke with White`, `covered by White`.
    let key = view.key(last);
    if says!(view, last, key, "per" | "told" | "asked" | "ask" | "paged" | "called" | "thank" | "named" | "attn")
        || says!(view, last, key, "texted" | "phoned" | "messaged" | "emailed")
        || says!(view, last, key, "thx" | "thanks" | "hi" | "hello" | "hey")
    {
        return 4;
    }
    if says!(view, last, key, "for") {
        let message = last > 0 && says!(view, last - 1, "message" | "messages" | "voicemail" | "covering" | "note");
        // `positive for Cough`, `Risk for Falls`
        let found =
            last > 0 && says!(view, last - 1, "positive" | "negative" | "risk" | "screened" | "treated" | "prn");
        return if message {
            3
        } else if found {
            -2
        } else {
            1
        };
    }
    // `likes it if we call her Joy`
    if says!(view, last, key, "her" | "him") && last > 0 && says!(view, last - 1, "call" | "calls" | "called" | "named")
    {
        return 4;
    }
    if says!(view, last, key, "to") {
        const DOES: Classes = Classes::of(&[Class::PersonVerb, Class::HumanVerb]);
        let out = last > 1 && says!(view, last - 1, "out") && view.is(last - 2, Class::PersonVerb);
        return if out || last > 0 && view.any(last - 1, DOES) { 2 } else { 1 };
    }
    if says!(view, last, key, "by" | "with" | "w" | "appreciate" | "from" | "d" | "dw") {
        return 2;
    }
    if says!(view, last, key, "and" | "that" | "at" | "in" | "near") {
        return 1;
    }
    // `choices Ellery, The Elms`: with a capital letter inside a sentence the article is part of a name.
    let inside = view.case(last) == Case::Capital && !view.sentence_start(last) && !after_bullet(view, last);
    if says!(view, last, key, "the") && inside {
        return 3;
    }
    // An article or an adjective goes with a word, not with a name.
    if says!(
        view,
        last,
        key,
        "the" | "a" | "an" | "no" | "any" | "this" | "these" | "some" | "her" | "his" | "left" | "right"
    ) {
        return -2;
    }
    if view.is(last, Class::PersonVerb) { 2 } else { 0 }
}

/// Words behind a side or a size.
const BODY: Classes =
    Classes::of(&[Class::Clinical, Class::Counted, Class::EponymNoun, Class::Level, Class::Measurement, Class::Sized]);

/// `Lt. Bland`, `Fr. Sharp`, `Hon. Early`: a rank that is a side or a size as well, so that it is on no list of titles.
fn is_rank(view: &View<'_>, at: usize) -> bool {
    says!(view, at, "lt" | "fr" | "hon")
        && view.case(at) == Case::Capital
        && view.joined(at + 1)
        && !(at > 0 && view.is_number(at - 1))
}

/// `Drain to check`, `Hope to see him`
fn is_a_thing(view: &View<'_>, at: usize) -> bool {
    view.any(at, Classes::of(&[Class::Sized, Class::Counted, Class::EponymNoun])) || says!(view, at, "hope")
}

/// Whether the word is a first name that many bear, and nothing of medicine.
fn is_given_name(view: &View<'_>, at: usize) -> bool {
    form::is_given(view, at) && lean(view, at) >= 2
}

/// Whether it is a first name that hardly anybody uses as a word: `Grace`, not `Will`. What is frank in medicine is no Frank, and
/// crystals and the iris do things.
fn is_seldom_a_word(view: &View<'_>, at: usize) -> bool {
    form::is_given(view, at)
        && view.ranks(at).first_name >= 12
        && lean(view, at) >= 9
        && !says!(view, at, "frank" | "crystal" | "iris" | "hope")
}

fn after_place_cue(view: &View<'_>, at: usize) -> bool {
    at > 0 && view.is(at - 1, Class::PlaceCue)
}

/// The most points that [`after`] gives.
const MOST_AFTER: i32 = 4;

/// Words and marks of which [`after`] asks more than their lists. Sorted.
#[rustfmt::skip]
pub(in crate::rules) static SAID: WordSet = WordSet::new(&[
    "&", "-", "@", "and", "at", "aware", "baby", "boy", "boys", "can", "couple", "did", "does", "family", "from",
    "girl", "girls", "had", "has", "household", "in", "infant", "informed", "is", "notified", "on", "or", "present", "residence",
    "siblings", "to", "triplets", "turned", "turns", "twins", "updated", "w", "was", "will", "with", "would",
]);

/// What the words after say.
fn after(view: &View<'_>, at: usize, ranks: Ranks, start: bool, shouted: bool, mind: bool) -> i32 {
    let next = at + 1;
    let owned = view.token(next).kind == crate::token::Kind::Possessive;
    if !view.follows(next) && !owned {
        return 0;
    }
    if mind {
        return 4;
    }
    let verb = |at: usize| view.is(at, Class::HumanVerb) && (view.case(at) == Case::Lower || shouted);
    let said = SAID.has(view, next);
    let key = view.key(next);
    if said {
        // `Olive is doing well`, `Sandy has been tearful`.
        let helper = says!(view, next, key, "is" | "was" | "has" | "had" | "will" | "did" | "does" | "can" | "would");
        let will = says!(view, next, key, "will") && view.is(next + 1, Class::PersonVerb);
        if will || helper && (verb(next + 1) || says!(view, next + 1, "been" | "not") && verb(next + 2)) {
            return 2;
        }
    }
    let word = view.is_word(next);
    if verb(next) || word && verb(next + 1) && view.bytes(next).ends_with(b"ly") {
        return 3;
    }
    // `Ray to change the dressing`
    if said
        && (says!(view, next, key, "to") && view.is(next + 1, Class::PersonVerb) && start && !is_a_thing(view, at)
            || says!(view, next, key, "from") && (next + 2..next + 5).any(verb))
    {
        return 3;
    }
    let goes_on = start && word && view.case(next) == Case::Lower;
    // `Penny has asthma`, `Weaver ordered CT`
    if goes_on && is_subject(view, at, next) {
        return 4;
    }
    // `Ginger is a 34 yo baker`
    if said
        && (ranks.surname.max(ranks.first_name) >= 9 && is_aged(view, next)
            || start && is_so_old(view, next) && is_given_name(view, at))
    {
        return 4;
    }
    // `Dawn is the youngest of four`, `Lily reports`
    if goes_on
        && ranks.first_name >= 9
        && !view.is(at, Class::Clinical)
        && (is_of_a_child(view, next)
            || is_given_name(view, at) && is_a_patient(view, next)
            || (is_seldom_a_word(view, at) || is_given_name(view, at) && is_finite(view, at, next))
                && !says!(view, at, "just")
                && is_done_by_somebody(view, next))
    {
        return 4;
    }
    if said && let Some(points) = after_such(view, at, ranks, start, shouted) {
        return points;
    }
    if owned {
        // `Gray's drain`; a first name has no disease, but a drain.
        let thing = view.is(next + 1, Class::EponymNoun) && !(start && is_seldom_a_word(view, at));
        return if thing { -2 } else { 2 };
    }
    if view.any(next, THINGS) {
        return -2;
    }
    if word && view.capitalised(next) && !shouted {
        // First Last.
        let last = is_mostly_name(view, next) || is_unlisted(view, next) && view.any(next, NAMES);
        return if !last {
            0
        } else if view.is(at, Class::FirstName) {
            3
        } else {
            1
        };
    }
    if view.is_mark(next, b',') && view.capitalised(next + 1) && view.any(next + 1, NAMES) && !shouted {
        // `Pope, Kathleen`, `Green, McMurray and Gibson`
        let sure = is_unlisted(view, next + 1) && view.same_line(next + 1) && view.any(at, NAMES);
        return if sure { 2 } else { i32::from(start) };
    }
    0
}

/// What a word or mark of [`SAID`] behind it says.
fn after_such(view: &View<'_>, at: usize, ranks: Ranks, start: bool, shouted: bool) -> Option<i32> {
    let next = at + 1;
    let key = view.key(next);
    if view.is_mark(next, b'-') {
        // `Will - rides, Susan - meals`
        let other = |at: usize| view.is_mark(at, b',') && view.capitalised(at + 1) && view.any(at + 1, NAMES);
        return (!view.joined(next) && (next + 2..next + 5).any(other)).then_some(3);
    }
    if says!(view, next, key, "residence" | "household") && ranks.surname >= 9 {
        // `Hall residence`
        return Some(4);
    }
    if ranks.surname >= 10
        && !start
        && says!(
            view,
            next,
            key,
            "twins" | "triplets" | "siblings" | "couple" | "boy" | "girl" | "baby" | "infant" | "boys" | "girls"
        )
    {
        // `the Long twins`
        return Some(4);
    }
    if says!(view, next, key, "family")
        && ranks.surname >= 10
        && (!start || says!(view, next + 1, "from" | "has" | "had" | "lived" | "came"))
    {
        // `on her father's side the Price family`
        return Some(if !start && ranks.surname >= 12 { 4 } else { 3 });
    }
    if says!(view, next, key, "notified" | "updated" | "informed" | "aware")
        && (view.case(next) == Case::Lower || shouted)
        && ranks.surname.max(ranks.first_name) >= 10
        && lean(view, at) >= 0
        && (view.is_any_mark(next + 1, b".,;")
            || view.ends_line(next + 1)
            || says!(view, next + 1, "at" | "by" | "and" | "via" | "of"))
    {
        // `Rivers updated at bedside`, `Rose notified.`
        return Some(4);
    }
    if is_at_work(view, next) && is_somebody(view, at, 10) {
        // `Grace in registration`, `Price from billing`, `Hope @ lab`
        return Some(3);
    }
    if says!(view, next, key, "and" | "&" | "or") && view.capitalised(next + 1) && view.any(next + 1, NAMES) {
        let verb = view.is(next + 2, Class::HumanVerb) && (view.case(next + 2) == Case::Lower || shouted);
        return Some(if shouted { 0 } else { 2 } + i32::from(verb) * 2);
    }
    // `TAPE CUT, WOODS PRESENT, SKIN WHOLE`
    let present = shouted && says!(view, next, key, "present") && !view.is_word(next + 1);
    (present && !view.is(at, Class::Clinical)).then_some(3)
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
