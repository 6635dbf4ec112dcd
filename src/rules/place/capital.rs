//! Words that medicine has no use for, with a capital letter where no word needs one: `moved to Acorns`, `drain out by Flip`.
//!
//! No list has the names of houses, shops, wards and dogs. In running text a capital letter is all that tells them, and for words
//! that notes need it tells too little; for these it is enough.

use super::employer::{DAILY, NEEDED, PEOPLE, USED, is_crew, is_rare};
use super::{is_cause, is_kind, is_side};
use crate::rules::columns::{Around, Fact};
use crate::rules::name::is_titled;
use crate::rules::view::{WordSet, says};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// How many words the name may have before and behind such a word.
const MOST: usize = 2;

/// Words of medicine, which may have a capital letter beside such a word and are no part of the name.
const MEDICINE: Classes = PEOPLE.or(Classes::of(&[
    Class::Clinical,
    Class::Term,
    Class::EponymNoun,
    Class::Measurement,
    Class::Score,
    Class::Unit,
    Class::Dose,
    Class::Eponym,
    Class::NameField,
]));

/// Words before a ward or a clinic that say which it is.
const SORTS: Classes = Classes::of(&[Class::Eponym, Class::Level, Class::OrdinalWord, Class::NumberWord]);

/// What stands in small letters behind the name of a house, a ward or a class. Sorted.
#[rustfmt::skip]
static HOUSES: WordSet = WordSet::new(&[
    "branch", "care", "carers", "centre", "class", "clinic", "court", "farm", "hospice", "hostel", "house", "hub", "lodge", "nursery",
    "practice", "pub", "school", "site", "suite", "surgery", "team", "unit", "ward",
]);

/// What places stand behind with an article, besides the words of a list. Sorted.
#[rustfmt::skip]
static LEADING: WordSet = WordSet::new(&[
    "above", "behind", "below", "beside", "called", "manages", "nr", "on", "opposite", "owns", "runs", "to",
]);

/// What is done with houses, schools and firms. Sorted.
#[rustfmt::skip]
static CHOSEN: WordSet = WordSet::new(&[
    "attends", "bought", "chose", "chosen", "contacted", "hates", "joined", "joining", "left", "liked", "likes", "loves", "manages",
    "owns", "phoned", "preferred", "prefers", "quit", "runs", "sold", "sued", "toured", "touring", "tried",
]);

/// Whether the words up to the one at `at` say that a name may follow: in running text any does that makes no title of it (`see Guilty
/// Pleasures`, `for Sore Throats`), and before an article what stands before places. `of the Treaty`, `using the Harmonic scalpel`
fn leads(view: &View<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).filter(|_| says!(view, at, "the")) else {
        return !says!(view, at, "a" | "an" | "and" | "as" | "for" | "free" | "like" | "of" | "or" | "see");
    };
    view.case(at) == Case::Capital
        || view.is_mark(before, b'@')
        || LEADING.has(view, before)
        || view.is(before, Class::PlaceCue) && !says!(view, before, "of")
}

/// Which words have a word in small letters before them, perhaps behind others with a capital letter; and the first words of
/// sentences before one in small letters. Words of every day need one behind them in running text too, or another of them.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let capital = |far| around.before(far, |group| group.is(Fact::Capital));
    let lower = |far| around.before(far, |group| group.is(Fact::Lower));
    let led = lower(1) | capital(1) & (lower(2) | capital(2) & (lower(3) | capital(3) & lower(4)));
    let running = here.is(Fact::Spaced) & !here.is(Fact::Sentence) & led;
    let house = around.behind(1, |group| group.is(Fact::Lower));
    let pair = !here.any(USED) & around.behind(1, |group| group.is(Fact::Capital) & group.is(Fact::Spaced));
    let rare = !here.any(NEEDED) & (running | here.is(Fact::Sentence) & house);
    here.is(Fact::Capital) & !here.is(Fact::UpToThree) & !here.any(PEOPLE) & (rare | running & (house | pair))
}

/// Whether a name may end there: no third word with a capital letter stands behind it, and no colon.
fn over(view: &View<'_>, at: usize) -> bool {
    view.is_any_mark(at, b".,;)(") || view.ends_line(at) || view.case(at) == Case::Lower && view.gap(at) == Gap::Space
}

/// `toured Harbour View and`: two words of every day, behind what is done with houses or before places.
#[inline(never)]
fn is_pair(view: &View<'_>, at: usize) -> bool {
    let (before, next) = (at - 1, at + 1);
    let used = USED.or(SORTS).or(PEOPLE);
    let part = |at: usize| !is_kind(view, at) && !view.any(at, used);
    (CHOSEN.has(view, before) || view.is(before, Class::PlaceCue) && !says!(view, before, "in" | "through"))
        && view.gap(next) == Gap::Space
        && !view.sentence_start(next)
        && view.width(at) > 3
        && view.is(next, Class::English)
        && part(at)
        && part(next)
        && !is_crew(view, next)
        && !(view.is(at, Class::Term) && view.is(next, Class::Term))
        && over(view, at + 2)
        && !is_cause(view, before)
        && !is_side(view, at)
        && !is_titled(view, at)
}

/// Anchor: an English word with a capital letter.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let running = |at: usize| view.case(at) == Case::Capital && view.gap(at) == Gap::Space && !view.sentence_start(at);
    if view.case(at) != Case::Capital || !view.is(at, Class::English) {
        return;
    }
    let small = |at: usize| view.is_word(at) && view.case(at) == Case::Lower;
    let before = at.wrapping_sub(1);
    let house = HOUSES.has(view, at + 1) && small(at + 1) && view.gap(at + 1) == Gap::Space;
    let rare = is_rare(view, at);
    // `Acorns ward full`; in running text any word of every day, `on Target ward`.
    let never = DAILY.or(SORTS).or(PEOPLE);
    let daily = running(at) && small(before) && !is_kind(view, at) && !view.any(at, never) && view.bytes(at).len() > 3;
    if house && (rare && view.sentence_start(at) || daily && leads(view, before)) {
        findings.remove(at, at + 1, Kind::Organisation, Certainty::Weak);
        return;
    }
    if view.case(at + 1) == Case::Capital && running(at) && small(before) && is_pair(view, at) {
        findings.remove(at, at + 2, Kind::Organisation, Certainty::Weak);
        return;
    }
    if !rare || !running(at) {
        return;
    }
    let part = |at: usize| view.is_word(at) && running(at) && !view.border_before(at) && !view.any(at, MEDICINE);
    let mut first = at;
    while first > 0 && at - first < MOST && view.gap(first) == Gap::Space && part(first - 1) {
        first -= 1;
    }
    let Some(before) = first.checked_sub(1) else { return };
    // A heading, a line of words that all have capital letters; `manages The Mermaid`.
    let article = says!(view, before, "the") && running(before) && small(before.wrapping_sub(1));
    let running = (small(before) || article) && !view.border_before(first);
    if !running || !leads(view, before) {
        return;
    }
    let mut end = at + 1;
    while end < at + 1 + MOST && part(end) {
        end += 1;
    }
    // Words beside it that are no part of a name end in one.
    if view.is_word(end) && view.gap(end) == Gap::Space && view.case(end) == Case::Capital && view.any(end, MEDICINE) {
        end = at + 1;
    }
    let kind =
        if view.any(before, Classes::of(&[Class::PlaceCue, Class::Link])) { Kind::Organisation } else { Kind::Name };
    findings.remove(first, end, kind, Certainty::Weak);
}
