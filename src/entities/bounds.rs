//! Where entities begin and end.

use std::ops::Range;

use super::model::{EntityModel, TAGS};
use super::view::View;
use crate::finding::Category;
use crate::linear::classes::{ONE, best, scores};
use crate::linear::hash::mix;
use crate::text::token::{self, Gap};

/// How far beside removed tokens others are looked at.
const REACH: usize = 2;

/// How a token stands to an entity.
pub(super) const OUTSIDE: usize = 0;
pub(super) const BEGIN: usize = 1;
pub(super) const INSIDE: usize = 2;

/// The stretches of a note in which entities are looked for: removed tokens, and those beside and between that may belong to them.
pub(super) fn regions(view: View<'_>) -> Vec<Range<usize>> {
    let mut regions: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < view.decisions.len() {
        if view.found(at).is_none() {
            at += 1;
            continue;
        }
        let mut first = at;
        while first > 0 && reaches(view, first, first - 1, at - first) {
            first -= 1;
        }
        let mut last = at + 1;
        let mut free = 0;
        while last < view.decisions.len() && view.note.gap(last) < Gap::Paragraph && free < REACH {
            if view.is_removed(last) {
                free = 0;
            } else if view.may_join(last) {
                free += 1;
            } else {
                break;
            }
            last += 1;
        }
        match regions.last_mut() {
            Some(before) if before.end >= first => before.end = last,
            _ => regions.push(first..last),
        }
        at = last;
    }
    regions
}

/// Whether the token `at` belongs to the region that begins with the token after it.
fn reaches(view: View<'_>, next: usize, at: usize, far: usize) -> bool {
    far < REACH && view.note.gap(next) < Gap::Paragraph && (view.is_removed(at) || view.may_join(at))
}

/// The tags of the tokens of a region.
pub(super) fn tags(model: &EntityModel, view: View<'_>, region: Range<usize>, features: &mut Vec<u64>) -> Vec<usize> {
    let mut tags: Vec<usize> = Vec::with_capacity(region.len());
    for at in region.clone() {
        features.clear();
        read(view, &region, at, &tags, features);
        let mut scores: [i32; TAGS] = scores(&model.bounds, features);
        constrain(view, at, tags.last().copied().unwrap_or(OUTSIDE), &mut scores);
        tags.push(best(&scores));
    }
    tags
}

/// What the likelihood of one entity gains where two removed tokens of a category stand side by side: both go in any case, and one tag
/// reads better than two.
const TOGETHER: i32 = 3 * ONE as i32;

/// Rules out tags that cannot be: nothing goes on that has not begun, what has a form is an entity, and no form is divided.
fn constrain(view: View<'_>, at: usize, before: usize, scores: &mut [i32; TAGS]) {
    let category = view.category(at);
    let has_form = category > 1 + Category::Name as u64 && category != 1 + Category::Location as u64;
    if has_form {
        scores[OUTSIDE] = i32::MIN;
    }
    // Labels and extensions stay outside of numbers.
    if category == 0 && !view.is_removed(at) && (view.is_number(at + 1) || at > 0 && view.is_number(at - 1)) {
        (scores[BEGIN], scores[INSIDE]) = (i32::MIN, i32::MIN);
    }
    if before == OUTSIDE {
        scores[INSIDE] = i32::MIN;
        return;
    }
    // A surname and a first name are one name.
    if category == 1 + Category::Name as u64
        && view.note.is_mark(at - 1, b',')
        && view.category(at.saturating_sub(2)) == category
    {
        scores[INSIDE] += ONE as i32;
    }
    // A comma or a word may stand between a name and a town.
    let divides = |at: usize| !has_form && (view.note.is_any_mark(at, b",;&") || view.is_between(at));
    if category == 0 || category != view.category(at - 1) || view.gap(at) > 1 || divides(at) || divides(at - 1) {
        return;
    }
    let same = view.decision(at).map(|one| one.evidence) == view.decision(at - 1).map(|one| one.evidence);
    let free = category == 1 + Category::Date as u64 || has_form && view.note.is_word(at);
    if view.gap(at) == 0 && !free && view.note.token(at).kind != token::Kind::Possessive {
        scores[INSIDE] = i32::MAX;
    } else if !has_form {
        scores[INSIDE] += TOGETHER;
    } else if same {
        scores[INSIDE] += ONE as i32;
    }
}

/// The features of a token whose neighbours before it have tags.
pub(super) fn read(view: View<'_>, region: &Range<usize>, at: usize, tags: &[usize], features: &mut Vec<u64>) {
    let tag = tags.last().map_or(3, |&tag| tag as u64);
    let beside = |far: isize| at.checked_add_signed(far).unwrap_or(usize::MAX);
    let facts = |far: isize| view.facts(beside(far));
    let word = |far: isize| view.word(beside(far));
    let mut add = |template: u64, one: u64, two: u64| features.push(mix(template << 8 | tag, one, two));
    let length = tags.iter().rev().take_while(|&&tag| tag == INSIDE).count() + usize::from(tag != 0 && tag != 3);
    let start = at - length.min(at - region.start);
    let entity = if length > 0 { view.category(start) } else { 9 };
    add(1, word(0), 0);
    add(2, facts(0), view.gap(at));
    add(3, facts(-1), view.gap(at));
    add(4, facts(1), view.gap(at + 1));
    add(5, facts(-1), facts(0));
    add(6, facts(0), facts(1));
    add(7, word(-1), view.category(at));
    add(8, word(1), view.category(at));
    add(9, facts(-2), facts(0));
    add(10, facts(2), facts(0));
    add(11, view.category(beside(-1)) << 8 | view.category(at + 1), word(0));
    add(12, entity << 8 | view.category(at), word(-1));
    add(13, entity << 8 | view.category(at), view.gap(at));
    add(14, view.judged(at), view.category(at));
    let same =
        view.decision(beside(-1)).is_some_and(|one| view.decision(at).is_some_and(|two| one.evidence == two.evidence));
    add(15, u64::from(same), view.rule(at).map_or(999, u64::from));
    add(16, entity, (length.min(7) as u64) << 8 | view.form(at));
    add(17, view.form(at), view.part(at));
    add(18, view.part(at), view.category(at) << 8 | entity);
    add(19, view.part(at + 1), view.part(at));
    add(20, view.part(beside(-1)), view.part(at));
    add(21, view.judged(beside(-1)), view.judged(at));
    add(22, view.judged(at + 1), view.judged(at));
    add(23, word(-1), word(0));
    add(24, word(0), word(1));
    add(25, view.form(beside(-1)) << 8 | view.form(at), view.form(at + 1) << 8 | view.gap(at));
    add(26, view.form(beside(-2)) << 8 | view.form(beside(-1)), view.form(at) << 8 | entity);
    // What an entity of several words was begun with.
    add(27, if length > 0 { view.word(start) } else { 0 }, view.form(at));
    let commas = (start..at).filter(|&at| view.note.is_mark(at, b',')).count() as u64;
    let words = (start..at).filter(|&at| view.note.is_word(at)).count().min(5) as u64;
    add(28, commas << 8 | words, entity << 16 | facts(0));
    add(29, commas << 8 | words, entity << 16 | view.form(at + 1) << 8 | view.form(at));
}
