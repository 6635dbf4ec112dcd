//! Finds where entities start and end.

use std::ops::Range;

use super::model::{EntityModel, TAG_COUNT};
use super::view::{DecidedNote, category_of, form_of, part_of};
use notesieve_vocabulary::{Class, Classes};

use crate::finding::{Category, Kind};
use crate::linear::classes::{SCORE_SCALE, best_class, class_scores};
use crate::linear::hash::mix_three;
use crate::text::token::{self, Case, Gap};

/// The maximum number of tokens to look back for the start of an entity.
const MAX_TOKENS_BACK: usize = 64;

/// The maximum number of kept tokens next to removed ones that a region includes.
const MAX_TOKENS_BESIDE: usize = 2;

/// BIO tags: the position of a token relative to an entity.
pub(super) const TAG_OUTSIDE: usize = 0;
pub(super) const TAG_BEGIN: usize = 1;
pub(super) const TAG_INSIDE: usize = 2;

/// Returns the regions of a note that may hold entities: removed tokens, and kept ones next to and between them that
/// may belong to them.
pub(super) fn candidate_regions(view: DecidedNote<'_>) -> Vec<Range<usize>> {
    let mut regions: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < view.decisions.len() {
        if view.found_kind_at(at).is_none() {
            at += 1;
            continue;
        }
        let mut first = at;
        while first > 0 && belongs_to_region(view, first, first - 1, at - first) {
            first -= 1;
        }
        let mut last = at + 1;
        let mut free = 0;
        while last < view.decisions.len() && view.note.gap(last) < Gap::Paragraph && free < MAX_TOKENS_BESIDE {
            if view.is_removed(last) {
                free = 0;
            } else if view.may_join_entity(last) {
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

/// Returns whether the token `at` belongs to the region that starts with the token after it.
fn belongs_to_region(view: DecidedNote<'_>, next: usize, at: usize, far: usize) -> bool {
    far < MAX_TOKENS_BESIDE && view.note.gap(next) < Gap::Paragraph && (view.is_removed(at) || view.may_join_entity(at))
}

/// Tags the tokens of a region.
pub(super) fn tag_region(
    model: &EntityModel,
    view: DecidedNote<'_>,
    region: Range<usize>,
    features: &mut Vec<u64>,
) -> Vec<usize> {
    let mut tags: Vec<usize> = Vec::with_capacity(region.len());
    for at in region.clone() {
        let before = tags.last().copied().unwrap_or(TAG_OUTSIDE);
        let mut free = [0; TAG_COUNT];
        constrain_tag_scores(view, at, before, &mut free);
        if let Some(tag) = forced_tag(&free) {
            tags.push(tag);
            continue;
        }
        features.clear();
        read_tag_features(view, &region, at, &tags, features);
        let mut scores: [i32; TAG_COUNT] = class_scores(&model.bounds, features);
        constrain_tag_scores(view, at, before, &mut scores);
        tags.push(best_class(&scores));
    }
    tags
}

/// Returns the tag that a token has whatever its features, if the constraints leave only one.
fn forced_tag(constrained: &[i32; TAG_COUNT]) -> Option<usize> {
    if constrained[TAG_INSIDE] == i32::MAX {
        return Some(TAG_INSIDE);
    }
    let mut left = (0..TAG_COUNT).filter(|&tag| constrained[tag] != i32::MIN);
    left.next().filter(|_| left.next().is_none())
}

/// The bonus for a single entity where two removed tokens of one category are adjacent: both are removed in any case,
/// and one placeholder reads better than two.
const SAME_CATEGORY_BONUS: i32 = 3 * SCORE_SCALE as i32;

/// Rules out impossible tags: an entity must start before it continues, a token with a form is part of an entity, and
/// no form is split.
fn constrain_tag_scores(view: DecidedNote<'_>, at: usize, before: usize, scores: &mut [i32; TAG_COUNT]) {
    let category = view.category_at(at);
    let has_form = category > 1 + Category::Name as u64 && category != 1 + Category::Location as u64;
    if has_form {
        scores[TAG_OUTSIDE] = i32::MIN;
    }
    // Labels and extensions stay outside of numbers.
    if category == 0 && !view.is_removed(at) && (view.has_number_form(at + 1) || at > 0 && view.has_number_form(at - 1))
    {
        (scores[TAG_BEGIN], scores[TAG_INSIDE]) = (i32::MIN, i32::MIN);
    }
    // A finding of the site, the caller, a detector or a pattern is exactly one entity.
    let known = view.is_known_by_caller(at);
    if known {
        scores[TAG_OUTSIDE] = i32::MIN;
    }
    if before == TAG_OUTSIDE {
        scores[TAG_INSIDE] = i32::MIN;
        return;
    }
    let same = view.decision_at(at).map(|one| one.evidence) == view.decision_at(at - 1).map(|one| one.evidence);
    if known && same && view.is_known_by_caller(at - 1) {
        scores[TAG_INSIDE] = i32::MAX;
        return;
    }
    // `Hospital in Boston`: two places. In the training notes the word is between two entities 199 times and inside one
    // ten times.
    if view.note.case(at) == Case::Lower && view.note.word(at) == "in" {
        scores[TAG_INSIDE] = i32::MIN;
        return;
    }
    // A postal code is an entity of its own: `Penn Yan 14527`.
    if begins_postal_code(view, at) || is_in_postal_code(view, at - 1) && !is_in_postal_code(view, at) {
        scores[TAG_INSIDE] = i32::MIN;
        return;
    }
    // A surname and a first name are one name.
    if category == 1 + Category::Name as u64
        && view.note.is_mark(at - 1, b',')
        && view.category_at(at.saturating_sub(2)) == category
    {
        scores[TAG_INSIDE] += SCORE_SCALE as i32;
    }
    // A comma or a word may separate a name and a town.
    let divides = |at: usize| !has_form && (view.note.is_any_mark(at, b",;&") || view.is_preposition(at));
    if category == 0 || category != view.category_at(at - 1) || view.gap_at(at) > 1 || divides(at) || divides(at - 1) {
        return;
    }
    let free = category == 1 + Category::Date as u64 || has_form && view.note.is_word(at);
    if view.gap_at(at) == 0 && !free && view.note.token(at).kind != token::Kind::Possessive {
        scores[TAG_INSIDE] = i32::MAX;
    } else if !has_form {
        scores[TAG_INSIDE] += SAME_CATEGORY_BONUS;
    } else if same {
        scores[TAG_INSIDE] += SCORE_SCALE as i32;
    }
}

/// Returns whether a rule or the name model takes a token for part of a postal code.
fn is_in_postal_code(view: DecidedNote<'_>, at: usize) -> bool {
    view.found_kind_at(at) == Some(Kind::Zip)
}

/// Returns whether a postal code starts after other words of a place: a token found as one, or a number of four to six
/// digits after a word that is not usually followed by a number, as in `Apt 1204`.
fn begins_postal_code(view: DecidedNote<'_>, at: usize) -> bool {
    const COUNTING: Classes = Classes::of(&[
        Class::StreetType,
        Class::PlaceBefore,
        Class::WardNoun,
        Class::IdKeyword,
        Class::PhoneKeyword,
        Class::Facility,
    ]);
    let note = view.note;
    if is_in_postal_code(view, at) {
        return !is_in_postal_code(view, at - 1);
    }
    let number = view.category_at(at) == 1 + Category::Location as u64
        && note.is_number(at)
        && (4..=6).contains(&note.width(at))
        && !note.token(at + 1).glued();
    let word = at - usize::from(note.is_any_mark(at - 1, b"-,"));
    number && word > 0 && note.is_word(word - 1) && !note.any(word - 1, COUNTING)
}

/// Adds the features of a token, given the tags of the tokens before it.
pub(super) fn read_tag_features(
    view: DecidedNote<'_>,
    region: &Range<usize>,
    at: usize,
    tags: &[usize],
    features: &mut Vec<u64>,
) {
    let tag = tags.last().map_or(3, |&tag| tag as u64);
    let beside = |far: isize| at.checked_add_signed(far).unwrap_or(usize::MAX);
    let (before, here, after) = (view.facts_at(beside(-1)), view.facts_at(at), view.facts_at(at + 1));
    let (far_before, far_after) = (view.facts_at(beside(-2)), view.facts_at(at + 2));
    let (word_before, word, word_after) = (view.word_at(beside(-1)), view.word_at(at), view.word_at(at + 1));
    let (judged_before, judged, judged_after) =
        (view.judged_at(beside(-1)), view.judged_at(at), view.judged_at(at + 1));
    let (gap, gap_after) = (view.gap_at(at), view.gap_at(at + 1));
    let (category, form, part) = (category_of(here), form_of(here), part_of(here));
    let length = tags.iter().rev().take(MAX_TOKENS_BACK).take_while(|&&tag| tag == TAG_INSIDE).count()
        + usize::from(tag != 0 && tag != 3);
    let start = at - length.min(at - region.start);
    let entity = if length > 0 { view.category_at(start) } else { 9 };
    let same = view
        .decision_at(beside(-1))
        .is_some_and(|one| view.decision_at(at).is_some_and(|two| one.evidence == two.evidence));
    let commas = (start..at).filter(|&at| view.note.is_mark(at, b',')).count() as u64;
    let words = (start..at).filter(|&at| view.note.is_word(at)).count().min(5) as u64;
    let begun_with = if length > 0 { view.word_at(start) } else { 0 };
    let feature = |template: u64, one: u64, two: u64| mix_three(template << 8 | tag, one, two);
    features.extend_from_slice(&[
        feature(1, word, 0),
        feature(2, here, gap),
        feature(3, before, gap),
        feature(4, after, gap_after),
        feature(5, before, here),
        feature(6, here, after),
        feature(7, word_before, category),
        feature(8, word_after, category),
        feature(9, far_before, here),
        feature(10, far_after, here),
        feature(11, category_of(before) << 8 | category_of(after), word),
        feature(12, entity << 8 | category, word_before),
        feature(13, entity << 8 | category, gap),
        feature(14, judged, category),
        feature(15, u64::from(same), view.rule_at(at).map_or(999, u64::from)),
        feature(16, entity, (length.min(7) as u64) << 8 | form),
        feature(17, form, part),
        feature(18, part, category << 8 | entity),
        feature(19, part_of(after), part),
        feature(20, part_of(before), part),
        feature(21, judged_before, judged),
        feature(22, judged_after, judged),
        feature(23, word_before, word),
        feature(24, word, word_after),
        feature(25, form_of(before) << 8 | form, form_of(after) << 8 | gap),
        feature(26, form_of(far_before) << 8 | form_of(before), form << 8 | entity),
        // The first word of an entity of several words.
        feature(27, begun_with, form),
        feature(28, commas << 8 | words, entity << 16 | here),
        feature(29, commas << 8 | words, entity << 16 | form_of(after) << 8 | form),
    ]);
}
