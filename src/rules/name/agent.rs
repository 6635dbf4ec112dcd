//! Who did it, in text without capital letters: `cleared by rossi and means`, `report to ray`, `ASK CRYSTAL ABOUT`.

use super::{NAMES, is_shouted, is_unlisted, lean};
use crate::rules::columns::{Around, Fact, Group};
use crate::rules::view::{WordSet, says};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// How many people a list may hold.
const MOST: usize = 5;

/// Things come, go and fall too.
fn is_of_things(view: &View<'_>, verb: usize) -> bool {
    says!(view, verb, "came" | "comes" | "went" | "goes" | "got" | "kept" | "made")
        || says!(view, verb, "ran" | "stood" | "sat" | "took" | "gave" | "like" | "left")
}

/// Words that are no name after such a verb.
const NOT_NAMES: Classes = Classes::of(&[
    Class::Stop,
    Class::Title,
    Class::Credential,
    Class::PersonNoun,
    Class::Relative,
    Class::Facility,
    Class::Month,
    Class::Measurement,
    Class::Dose,
    Class::Unit,
    Class::Duration,
    Class::PersonVerb,
    Class::WardNoun,
]);

/// Who is asked or told stands behind these without another word.
pub(in crate::rules) const ASKS: &[&str] = &[
    "ask", "asked", "told", "tell", "paged", "page", "called", "call", "per", "text", "texted", "thx", "phoned",
    "messaged", "emailed",
];

/// What somebody does to somebody with `to` between. Sorted.
#[rustfmt::skip]
static HANDED: WordSet = WordSet::new(&[
    "assigned", "called", "deferred", "delegated", "directed", "endorsed", "escalated", "faxed", "forwarded", "gave", "given", "handed",
    "handoff", "introduced", "notified", "off", "out", "over", "passed", "presented", "referred", "refers", "relayed", "report",
    "reported", "reports", "routed", "said", "sent", "shown", "spoke", "spoken", "talked", "talks", "told",
]);

/// Which verbs may have people behind or before them, which slashes stand in `c/o`, `w/` and `d/w`.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let name = |group: &Group| {
        let plain = group.is(Fact::Lower) | group.is(Fact::Upper);
        plain & group.any(NAMES) & !group.any(NOT_NAMES) & !group.is(Fact::UpToTwo)
    };
    let name = |far| around.behind(far, name);
    let (second, third) = (name(2), name(3));
    let letter = |group: &Group| group.is(Fact::Word) & group.is(Fact::One);
    let given = |group: &Group| group.is(Fact::Lower) & group.on(Class::FirstName) & !group.is(Fact::UpToTwo);
    // Who complains begins the sentence, behind a mark if no border stands there, and hyphens may join what is said of them.
    let begins = around.before(2, |group| group.is(Fact::Sentence)) | around.before(3, |group| group.marks(b".:;-"));
    let slash = here.mark(b'/')
        & here.is(Fact::Joined)
        & around.before(1, letter)
        & (around.behind(1, letter) & (begins | second) | around.behind(1, given));
    let first = here.on(Class::HumanVerb)
        & here.is(Fact::Lower)
        & here.is(Fact::Spaced)
        & around.before(1, |group| group.is(Fact::Lower) & (group.is(Fact::Sentence) | group.is(Fact::LineStart)));
    let asked = here.is(Fact::Asks) & (name(1) | second);
    // `by brown`, `out with brown`, `w/ brown`, `out w/ brown`
    let by = |group: &Group| group.is(Fact::ByPeople);
    let far_on = around.behind(2, |group| by(group) | group.is(Fact::ToPlace) | group.mark(b'/'))
        & (third | around.behind(3, |group| group.mark(b'/')) & name(4));
    let led = around.behind(1, by) & (second | far_on);
    // The verb is `report` or `handoff`, and the clause is over behind the name.
    let over = around.behind(3, |group| !group.is(Fact::Word) | group.is(Fact::NewLine) | group.on(Class::Credential));
    let reported = !here.is(Fact::UpToFive) & around.behind(1, |group| group.is(Fact::ToPlace)) & second & over;
    slash | first | asked | led | reported
}

/// Anchors: what people do, the slash of `c/o`.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if !view.is_word(at) {
        complains(view, at, findings);
        company(view, at, findings);
        return;
    }
    if view.is(at, Class::HumanVerb) {
        subject(view, at, findings);
    }
    let mut first = at + 1;
    // `a cat named tiger`
    if says!(view, at, "named")
        && view.any(first, NAMES)
        && !view.any(first, NOT_NAMES)
        && view.gap(first) == Gap::Space
        && view.width(first) > 2
        && (view.case(first) == Case::Lower || is_shouted(view, first))
    {
        findings.remove(first, first + 1, Kind::Name, Certainty::Likely);
        return;
    }
    let mut key = view.key(first);
    if says!(view, first, key, "out") {
        first += 1;
        key = view.key(first);
    }
    // `report from penny`
    let report = says!(view, at, "report" | "handoff") && says!(view, first, key, "from" | "to");
    if report && view.is_word(first + 1) && view.gap(first + 1) == Gap::Space {
        reporter(view, first + 1, findings);
    }
    if says!(view, first, key, "by" | "with" | "to" | "w") {
        // `continues to wear`, `able to heal`: behind other verbs `to` begins what is done.
        if says!(view, first, key, "to") && !HANDED.has(view, first - 1) {
            return;
        }
        first += 1;
        if says!(view, first, key, "w") && view.is_mark(first, b'/') {
            first += 1;
        }
    } else if !ASKS.contains(&view.word(at)) {
        return;
    }
    if view.is_word(first) && view.gap(first) <= Gap::Line && view.any(first, NAMES) {
        people(view, first, findings);
    }
}

/// `report to rose`: a first name alone in text without capitals, where the clause is over.
fn reporter(view: &View<'_>, at: usize, findings: &mut Findings) {
    let plain = view.case(at) == Case::Lower || is_shouted(view, at);
    let next = at + 1;
    let over = view.is_any_mark(next, b",.;)") || view.ends_line(next) || view.is(next, Class::Credential);
    let given = view.is(at, Class::FirstName) && view.width(at) > 2 && view.ranks(at).first_name >= 8;
    if plain && over && given && !view.any(at, NOT_NAMES) {
        findings.remove(at, next, Kind::Name, Certainty::Weak);
    }
}

/// The people of a list that begins at `first`.
#[inline(never)]
fn people(view: &View<'_>, first: usize, findings: &mut Findings) {
    let plain = view.case(first) == Case::Lower || is_shouted(view, first);
    if !plain {
        return;
    }
    // The whole list is looked at before a word of it is judged: one sure name makes names of the others.
    let mut ends = [0_usize; MOST];
    let mut len = 0;
    let mut next = first;
    let mut sure = false;
    let mut good = true;
    while len < MOST
        && view.is_word(next)
        && view.width(next) > 2
        && view.any(next, NAMES)
        && !view.any(next, NOT_NAMES)
    {
        let unlisted = is_unlisted(view, next);
        sure |= unlisted;
        good &= lean(view, next) >= 5;
        ends[len] = next;
        len += 1;
        next += 1;
        // `edith holloway`
        if len < MOST && view.gap(next) == Gap::Space && is_unlisted(view, next) && view.width(next) > 2 {
            sure = true;
            ends[len] = next;
            len += 1;
            next += 1;
        }
        if view.is_mark(next, b',') && view.same_line(next + 1) && is_unlisted(view, next + 1) {
            next += 1;
        }
        if says!(view, next, "and" | "&") {
            next += 1;
        } else if !view.is_mark(next.wrapping_sub(1), b',') {
            break;
        }
    }
    // `by patch`: a word alone must end there, or it is the first of a phrase (`by drain culture`).
    // `called drew back`, `spoke with reed re meds`
    let closed = len > 0
        && !(view.is_word(ends[len - 1] + 1)
            && view.follows(ends[len - 1] + 1)
            && view.gap(ends[len - 1] + 1) != Gap::Line
            && !says!(view, ends[len - 1] + 1, "back" | "re" | "about" | "regarding" | "again" | "today" | "via")
            && !view.any(ends[len - 1] + 1, Classes::of(&[Class::Stop, Class::Credential])));
    if len == 0 || !(sure || good && closed) {
        return;
    }
    for &name in &ends[..len] {
        findings.remove(name, name + 1, Kind::Name, if sure && len > 1 { Certainty::Likely } else { Certainty::Weak });
    }
}

/// A slash. `PT w/ faith,`: with whom, where the clause is over or a place follows.
fn company(view: &View<'_>, slash: usize, findings: &mut Findings) {
    let at = slash + 1;
    let with = slash > 0 && says!(view, slash - 1, "w") && view.joined(slash) && view.gap(at) == Gap::Space;
    // `d/w brooks, ok to go`
    let talked = slash > 0
        && view.joined(slash)
        && says!(view, slash - 1, "d")
        && says!(view, at, "w")
        && view.joined(at)
        && view.case(at + 1) == Case::Lower
        && view.gap(at + 1) == Gap::Space;
    let given = view.case(at) == Case::Lower && view.is(at, Class::FirstName) && view.width(at) > 2;
    if talked || with && given && says!(view, at + 1, "and" | "&") {
        people(view, at + usize::from(talked), findings);
        return;
    }
    if !with || view.case(at) != Case::Lower || !view.is(at, Class::FirstName) || view.width(at) < 3 {
        return;
    }
    let things = Classes::of(&[
        Class::Clinical,
        Class::Brand,
        Class::Counted,
        Class::Sized,
        Class::EponymNoun,
        Class::Dose,
        Class::Season,
        Class::Level,
        Class::Score,
    ]);
    let next = at + 1;
    let from = says!(view, next, "from" | "re");
    let over = view.is_any_mark(next, b",.;)") || view.ends_line(next) || from || says!(view, next, "at" | "who");
    let named = view.ranks(at).first_name >= 13 && lean(view, at) >= 9;
    let walker =
        says!(view, at, "walker" | "cane" | "honey" | "candy" | "chase" | "page" | "reed" | "ice" | "shade" | "silver");
    let verb = view.any(at, NOT_NAMES) && !(from && view.is(at, Class::PersonVerb));
    if named && over && !walker && !verb && !view.any(at, things) {
        findings.remove(at, next, Kind::Name, Certainty::Weak);
    }
}

/// A slash. `waters c/o pain`: who complains, at the start of a sentence.
fn complains(view: &View<'_>, slash: usize, findings: &mut Findings) {
    let Some(at) = slash.checked_sub(2) else { return };
    if !says!(view, slash - 1, "c") || !says!(view, slash + 1, "o") || !view.joined(slash) || !view.joined(slash + 1) {
        return;
    }
    let never = Classes::of(&[Class::Stop, Class::PersonNoun, Class::Relative, Class::Title, Class::HumanVerb]);
    let mut first = at;
    while first > 1 && at - first < 6 && view.is_mark(first - 1, b'-') && view.joined(first) && view.joined(first - 1) {
        first -= 2;
    }
    let starts = view.sentence_start(first) || first > 0 && view.is_any_mark(first - 1, b".:;");
    if starts && (first..=at).any(|word| view.any(word, NAMES)) && !view.any(at, never) {
        findings.remove(first, at + 1, Kind::Name, Certainty::Likely);
    }
}

/// `penny walked her in hall`: who does it, in lower case at the start of a line.
#[inline(never)]
fn subject(view: &View<'_>, verb: usize, findings: &mut Findings) {
    let Some(at) = verb.checked_sub(1) else { return };
    let opens = view.token(at).line_start() || view.sentence_start(at);
    if !opens
        || view.gap(verb) != Gap::Space
        || view.case(at) != Case::Lower
        || view.case(verb) != Case::Lower
        || view.any(at, NOT_NAMES)
    {
        return;
    }
    let before_ends = at == 0 || view.gap(at) == Gap::Paragraph || view.is_any_mark(at - 1, b".!?:");
    let named = view.token(at).line_start() || view.ranks(at).first_name >= 9 && lean(view, at) >= -1;
    if before_ends && named && !is_of_things(view, verb) && lean(view, at) >= -3 {
        findings.remove(at, verb, Kind::Name, Certainty::Weak);
    }
}
