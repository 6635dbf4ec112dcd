//! A line that is a name and nothing else, or a name and a date: `Guy Sorrell`, `Carolina Shore, 2011-02-07`.

use super::{NAMES, Trust, are_parts, end_of_name, is_unlisted, lean};
use crate::rules::columns::{Around, Fact, Group};
use crate::rules::view::{WordSet, says};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Anchor: a word with a capital letter.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if at >= 2 && says!(view, at - 1, "and" | "&") {
        firm(view, at, findings);
    }
    if view.token(at).line_start() {
        headed(view, at, findings);
    }
    if !view.token(at).line_start() || !view.any(at, NAMES) && !is_unlisted(view, at) {
        return;
    }
    let end = whole_line(view, at);
    if end > at + 1 {
        findings.remove(at, end, Kind::Name, Certainty::Likely);
    }
}

/// Where a name that fills the line ends; `at` if something else stands in the line.
fn whole_line(view: &View<'_>, at: usize) -> usize {
    let mut end = at;
    let mut words = 0;
    let mut first_names = 0;
    while words < 4 && (end == at || view.same_line(end)) {
        let initial = view.width(end) == 1 && view.is_word(end);
        let name = view.is_word(end)
            && view.capitalised(end)
            && (view.any(end, NAMES) || initial || is_unlisted(view, end) || view.is(end, Class::Eponym))
            && !(view.is(end, Class::Stop) && words == 0 || view.is(end, Class::Month) && view.is_number(end + 1))
            && !view.any(end, Classes::of(&[Class::Title, Class::Credential, Class::Facility, Class::Organisation]));
        if !name {
            break;
        }
        first_names += u32::from(view.is(end, Class::FirstName) && words == 0);
        words += 1;
        end += 1;
        if initial && view.is_mark(end, b'.') && view.joined(end) {
            end += 1;
        }
        while view.is_mark(end, b'-') && view.joined(end) && view.is_word(end + 1) && view.joined(end + 1) {
            end += 2;
        }
    }
    // GLEASON SCORE, GLASGOW COMA SCALE
    let scale = view.is(at, Class::Eponym) && (at + 1..end).any(|noun| view.is(noun, Class::EponymNoun));
    if scale {
        return at;
    }
    let unlisted = (at..end).any(|word| is_unlisted(view, word) && view.any(word, NAMES));
    if !(2..=3).contains(&words) || first_names == 0 && !unlisted {
        return at;
    }
    // Headings are words, and a line of capitals is a heading: one word at least must be no word of medicine.
    let medicine = Classes::of(&[Class::Clinical, Class::Term, Class::Measurement, Class::Literature, Class::Stop]);
    // `Care Plan`: both are words far more often than names.
    let named = (at..end).any(|word| view.is_word(word) && !view.any(word, medicine))
        && (at..end).any(|word| is_unlisted(view, word) || lean(view, word) >= 0);
    let over = |next: usize| view.ends_line(next);
    let month = end + 1;
    let dated = view.is_mark(end, b',')
        && (view.is_number(month) || view.is(month, Class::Month) && view.is_number(month + 1))
        || view.is_number(end) && view.same_line(end);
    let ends = over(end) || dated;
    let two_names = (at..end).filter(|&word| view.any(word, NAMES)).count() >= 2;
    // The head of a letter: the street or the post box stands in the next line.
    let address = over(end) && view.gap(end) == Gap::Line && (view.is_number(end) || says!(view, end, "po" | "p"));
    if ends && (two_names && (named || dated || date_above(view, at)) || address) {
        end_of_name(view, at, Trust::Capital, 4).max(end)
    } else {
        at
    }
}

/// Words with capital letters from here on up to one that ends the name of a practice or a house: at the start of a line, after a
/// word for places.
pub(in crate::rules) fn headed(view: &View<'_>, first: usize, findings: &mut Findings) {
    for at in first..first + WORDS {
        if at > first && (view.gap(at) != Gap::Space || view.border_before(at)) || !view.is_word(at) {
            return;
        }
        if at > first && HOUSES.has(view, at) {
            if says!(view, at, "surgery" | "practice") {
                surgery(view, at, findings);
            } else {
                house(view, at, findings);
            }
        }
        if view.case(at) != Case::Capital && !(at == first && says!(view, at, "the")) {
            return;
        }
    }
}

/// `The Larches Surgery` on a line of its own, `registered at Limes Surgery`: a general practice, not an operation.
fn surgery(view: &View<'_>, at: usize, findings: &mut Findings) {
    let medicine = Classes::of(&[
        Class::Clinical,
        Class::Term,
        Class::EponymNoun,
        Class::Credential,
        Class::WardNoun,
        Class::PersonNoun,
        Class::Level,
    ]);
    let mut first = at;
    while first > 0
        && at - first < 3
        && view.gap(first) == Gap::Space
        && view.case(first - 1) == Case::Capital
        && !view.is(first - 1, Class::Stop)
    {
        first -= 1;
    }
    if first == at || view.case(at) != Case::Capital {
        return;
    }
    let named = |word: usize| {
        is_unlisted(view, word)
            || view.any(word, Classes::of(&[Class::City, Class::PlacePart]))
            || view.bytes(word).ends_with(b"s") && view.bytes(word).len() > 4
    };
    let specialty = |word: usize| {
        matches!(
            view.word(word),
            "general"
                | "plastic"
                | "vascular"
                | "thoracic"
                | "oral"
                | "trauma"
                | "transplant"
                | "family"
                | "private"
                | "group"
                | "hand"
                | "spine"
                | "foot"
                | "eye"
                | "breast"
                | "day"
                | "sports"
                | "physicians"
                | "nurses"
                | "burns"
                | "women's"
        )
    };
    let words = (first..at).all(|word| !view.any(word, medicine) && !specialty(word)) && (first..at).any(named);
    let article = first > 0 && view.word(first - 1) == "the" && view.gap(first) == Gap::Space;
    let start = first - usize::from(article);
    // `The Beeches Surgery, Church Lane`
    let address = view.is_mark(at + 1, b',') && (view.capitalised(at + 2) || view.is_number(at + 2));
    let over = view.ends_line(at + 1) || address;
    let own = view.token(start).line_start() && over;
    let cue = start > 0 && matches!(view.word(start - 1), "at" | "to" | "from" | "of") && view.gap(start) == Gap::Space;
    // `GP: Dr A Penrose, The Laurels Surgery, 14 Mill Lane`
    let set_off = article
        && start > 0
        && view.case(start) == Case::Capital
        && view.is_any_mark(start - 1, b",:")
        && view.gap(start) == Gap::Space;
    if words && (own || cue || set_off) {
        findings.remove(first, at + 1, Kind::Hospital, Certainty::Likely);
    }
}

/// Words that end the name of a practice or of a house. Sorted.
pub(in crate::rules) static HOUSES: WordSet = WordSet::new(&[
    "bungalow",
    "cottage",
    "croft",
    "farmhouse",
    "grange",
    "lodge",
    "manor",
    "practice",
    "rectory",
    "surgery",
    "vicarage",
]);

/// How many words the name of a house or a practice has at the most.
const WORDS: usize = 5;

/// Which lines may begin with a name, and which words may be the second of a firm.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let here = around.here();
    // Two or three words, each perhaps with a point, and the end of the line or a date; or a hyphen, behind which more may stand.
    let part = |group: &Group| {
        let name = group.capitalised() & (group.maybe_names() | group.on(Class::Eponym) | group.is(Fact::One));
        (name | group.mark(b'.')) & !group.is(Fact::NewLine)
    };
    let dated = around.on_from_here(|group| group.is(Fact::Number) | group.on(Class::Month)) >> 1;
    let ends = around.on_from_here(|group| group.is(Fact::NewLine) | group.is(Fact::Number) | group.mark(b'-'))
        | around.on_from_here(|group| group.mark(b',')) & dated;
    let part = |far| around.behind(far, part);
    let ends = |far: u32| (ends >> far) as u64;
    let whole = part(2) & (ends(3) | part(3) & (ends(4) | part(4) & (ends(5) | part(5) & ends(6))));
    let whole = here.maybe_names() & (part(1) & (ends(2) | whole) | around.behind(1, |group| group.mark(b'-')));
    let house = (1..WORDS as u32).fold(0, |near, far| near | around.behind(far, |group| group.is(Fact::House)));
    let firm = around.before(1, |group| group.is(Fact::And) | group.mark(b'&'))
        & around.before(2, |group| group.is(Fact::Capital))
        & here.is(Fact::Capital);
    here.is(Fact::LineStart) & (whole | house) | firm
}

/// `Rose Cottage, Mill Lane`: a house with a name instead of a number, at the start of a line or behind a word for places.
fn house(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut first = at;
    while first > 0
        && at - first < 3
        && view.gap(first) == Gap::Space
        && matches!(view.case(first - 1), Case::Capital | Case::Mixed)
        && !view.any(first - 1, Classes::of(&[Class::Title, Class::PersonNoun, Class::NameField]))
    {
        first -= 1;
    }
    let before = first.wrapping_sub(1);
    let set_off = view.token(first).line_start() || says!(view, before, "at" | "from" | "to" | "of");
    let goes_on = view.is_mark(at + 1, b',') && view.capitalised(at + 2) || view.gap(at + 1) == Gap::Line;
    if first < at && set_off && goes_on && view.case(at) == Case::Capital {
        findings.remove(first, at + 1, Kind::Street, Certainty::Likely);
    }
}

/// A word with a capital letter, the second of two. `Upright and Lembert` on a line of its own: a firm.
fn firm(view: &View<'_>, at: usize, findings: &mut Findings) {
    let (link, before) = (at - 1, at - 2);
    // `Ward and Sons`: the first is a name whatever it means.
    let sons = matches!(view.word(at), "sons" | "brothers" | "daughters") && view.case(at) == Case::Capital;
    if sons && view.case(before) == Case::Capital && view.is_word(before) && view.gap(at) == Gap::Space {
        // `Miller & Sons Cabinets`
        let trade = view.case(at + 1) == Case::Capital && view.gap(at + 1) == Gap::Space && !view.border_before(at + 1);
        let more = trade && !view.any(at + 1, Classes::of(&[Class::Title, Class::PersonNoun, Class::Month]));
        findings.remove(before, at + 1 + usize::from(more), Kind::Organisation, Certainty::Likely);
        return;
    }
    let part = |at: usize| {
        view.is_word(at)
            && view.case(at) == Case::Capital
            && (view.any(at, NAMES) && view.ranks(at).surname >= 6
                || is_unlisted(view, at)
                || view.is(at, Class::Eponym))
            && !view.any(at, Classes::of(&[Class::Title, Class::PersonNoun, Class::Relative]))
    };
    let double = |at: usize| view.is_mark(at, b'-') && view.joined(at) && view.joined(at + 1) && part(at + 1);
    let mut first = before;
    if first > 1 && view.joined(first) && double(first - 1) && part(first - 2) {
        first -= 2;
    }
    let next = link + 1;
    let end = if double(next + 1) { next + 3 } else { next + 1 };
    let over = view.ends_line(end) || view.is_mark(end, b',');
    let own = view.token(first).line_start() || first > 0 && view.is_mark(first - 1, b':') && view.is_mark(end, b',');
    if own && part(before) && part(next) && !are_parts(view, before) && over && view.gap(next) == Gap::Space {
        findings.remove(first, end, Kind::Organisation, Certainty::Likely);
    }
}

/// Which commas stand between the first word of a line, a name, and another word, or before `The`.
pub(in crate::rules) fn near_comma(around: &Around<'_>) -> u64 {
    let last = around.before(1, |last| {
        let name = last.maybe_names() | last.on(Class::Eponym);
        last.is(Fact::LineStart) & last.is(Fact::Word) & !last.is(Fact::One) & name
    });
    let first = around.behind(1, |first| first.is(Fact::Word) & (first.is(Fact::Spaced) | first.is(Fact::Joined)));
    last & first | around.behind(1, |next| next.is(Fact::The) & next.is(Fact::Capital))
}

/// Anchor: a comma. `BROOKS, IRIS, 63F`, `graves, rupert k, 59m`: a line that begins with a name in the order of lists.
pub(in crate::rules) fn last_first(view: &View<'_>, comma: usize, findings: &mut Findings) {
    let Some(last) = comma.checked_sub(1) else { return };
    // `Dr A Penrose, The Larches Surgery`
    if says!(view, comma + 1, "the") && view.case(comma + 1) == Case::Capital {
        headed(view, comma + 1, findings);
    }
    if !view.token(last).line_start() || !view.is_word(last) || view.width(last) < 2 {
        return;
    }
    let first = comma + 1;
    let known = view.any(last, NAMES) || is_unlisted(view, last) || view.is(last, Class::Eponym);
    if !known || !view.is_word(first) || view.gap(first) > Gap::Space {
        return;
    }
    let mut end = first + 1;
    if view.is_word(end) && view.width(end) == 1 && view.same_line(end) {
        end += 1;
        if view.is_mark(end, b'.') && view.joined(end) {
            end += 1;
        }
    }
    let over = view.gap(end) >= Gap::Wide;
    let aged = view.is_mark(end, b',') && view.is_number(end + 1) || view.is_number(end);
    // `White, Ilonka  RZ030379` at the head of a note: a record's number behind it.
    let wide = |at: usize| matches!(view.gap(at), Gap::Wide | Gap::Space) && at < end + 3;
    let mut number = end;
    while wide(number) && view.is_word(number) && view.case(number) == Case::Upper && view.width(number) <= 4 {
        number += 1 + usize::from(view.is_mark(number + 1, b'-') && view.joined(number + 1));
    }
    let record = view.is_number(number)
        && view.same_line(number)
        && view
            .number(number)
            .is_some_and(|number| (0..number.len()).map(|part| number.digits(part)).sum::<usize>() >= 5)
        && view.case(last) == view.case(first)
        && view.case(last) != Case::Lower
        && (view.any(first, NAMES) || is_unlisted(view, first))
        && !view.any(first, Classes::of(&[Class::Clinical, Class::Measurement, Class::Dose]));
    if record {
        findings.remove(last, end, Kind::Name, Certainty::Likely);
        return;
    }
    let certain = view.is(first, Class::FirstName) && view.any(last, NAMES);
    // `VORLETH, OSK D, 76F`: an age with its sex makes a name of whatever stands before it.
    let age = end + usize::from(view.is_mark(end, b','));
    let sexed = view.is_number(age)
        && view.token(age + 1).glued()
        && says!(view, age + 1, "m" | "f")
        && view.gap(age + 2) >= Gap::Wide;
    if !sexed && !view.is(first, Class::FirstName) && !is_unlisted(view, first) {
        return;
    }
    // `holloway, hazel   mrn: 6972`: one of the two must be no word.
    let header = view.gap(end) == Gap::Wide
        && view.is_word(end)
        && certain
        && (is_unlisted(view, last) || is_unlisted(view, first));
    if aged || sexed || header || over && certain && view.capitalised(first) {
        findings.remove(last, end, Kind::Name, Certainty::Likely);
    }
}

/// Whether the line above is a date: the head of a note.
fn date_above(view: &View<'_>, at: usize) -> bool {
    at > 0 && view.gap(at) == Gap::Line && (view.is_number(at - 1) || view.is(at - 1, Class::Month))
}
