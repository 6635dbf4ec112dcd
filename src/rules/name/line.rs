//! A line that begins with a name in the order of lists: `BROOKS, IRIS, 63F`.

use super::{NAMES, is_unlisted};
use crate::rules::columns::{Around, Fact};
use crate::rules::word_sets::says;
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Which commas stand between the first word of a line, a name, and another word.
pub(in crate::rules) fn near_comma(around: &Around<'_>) -> u64 {
    let last = around.before(1, |last| {
        let name = last.maybe_names() | last.on(Class::Eponym);
        last.is(Fact::LineStart) & last.is(Fact::Word) & !last.is(Fact::One) & name
    });
    let first = around.behind(1, |first| first.is(Fact::Word) & (first.is(Fact::Spaced) | first.is(Fact::Joined)));
    last & first
}

/// Anchor: a comma. `BROOKS, IRIS, 63F`, `graves, rupert k, 59m`: a line that begins with a name in the order of lists.
pub(in crate::rules) fn last_first(view: &View<'_>, comma: usize, findings: &mut Findings) {
    let Some(last) = comma.checked_sub(1) else { return };
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
