//! Joins removed tokens to entities: one name, one place, one number, with its bounds and its kind.
//!
//! After `decide` in the way of a note. Tokens are found one by one, with recall in mind; here a model that was learned from the
//! marks of the training notes says which tokens belong together, where an entity begins and ends, and whether it is a patient or a
//! doctor, a hospital or a town. What it may change in what is removed is little: small words and words for a kind inside a name
//! go with it; and of the tokens outside those may come out that their lists let out and that the model of names does not call
//! identifying.

mod bounds;
mod class;
mod kinds;
mod mentions;
mod model;
mod runs;
mod train;
mod view;

use std::ops::Range;

pub use class::EntityClass;
pub use model::EntityModel;
pub(crate) use train::read_training_note;
pub use train::{EntityNote, train_entity_model};
pub(crate) use view::{CertainFacts, DecidedNote, empty_facts_cache};

use crate::decide::{Decision, Judge, Overruling};
use crate::document::{Action, Reason};
use crate::finding::{Category, Kind};
use crate::linear::classes::{SCORE_SCALE, best_class, class_scores};
use crate::policy::Policy;
use crate::text::token::{self, Case};
use class::CLASS_COUNT;
use mentions::NameMentions;

/// Some removed tokens that are written as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entity {
    /// The first token.
    pub first: u32,
    /// One past the last token.
    pub last: u32,
    /// What it is; nothing for words and numbers that nothing vouches for, and for dropped sections.
    pub kind: Option<Kind>,
}

impl Entity {
    /// The tokens as a range.
    pub const fn tokens(&self) -> Range<usize> {
        self.first as usize..self.last as usize
    }
}

/// By how much the class of an entity must be likelier than any other for a policy to keep it; every token must be found as one of
/// its category besides.
const KEEP_MARGIN: i32 = 2 * SCORE_SCALE as i32;

/// By how much it must be likelier that all is nothing, for an entity of ordinary words to be dismissed.
const DISMISSAL_MARGIN: i32 = 8 * SCORE_SCALE as i32;

/// Groups what was decided on into entities, and changes the decisions where an entity has other bounds. Without a model removed
/// tokens are grouped by what was found.
pub(crate) fn find_entities(
    model: Option<&EntityModel>,
    judge: Judge<'_>,
    judgement: &crate::names::Judgement,
    decisions: &mut Vec<Decision>,
) -> Vec<Entity> {
    let mut entities = Vec::new();
    let Some(model) = model else { return runs::entities_of_runs(judge, decisions, &[]) };
    let (certain, read) = (CertainFacts::new(judge.findings, decisions.len()), view::empty_facts_cache());
    let view = DecidedNote {
        note: judge.note,
        findings: judge.findings,
        decisions,
        judgement,
        certain: &certain,
        read: &read,
    };
    let (mut features, mut segments, mut loose) = (Vec::new(), Vec::new(), Vec::new());
    for region in bounds::candidate_regions(view) {
        let tags = bounds::tag_region(model, view, region.clone(), &mut features);
        delimit_segments(view, region, &tags, |at| may_be_released(judge, view, at), &mut segments, &mut loose);
    }
    let settled: Vec<Option<Kind>> =
        segments.iter().map(|segment| kind_without_class(judge.policy, view, segment)).collect();
    let mut all: Vec<[i32; CLASS_COUNT]> = Vec::with_capacity(segments.len());
    let mentions = NameMentions::new(view, &segments);
    for (nth, (segment, settled)) in segments.iter().zip(&settled).enumerate() {
        features.clear();
        if settled.is_none() {
            kinds::read_class_features(view, segment, mentions.facts_of_segment(nth), &mut features);
        }
        all.push(class_scores(&model.classes, &features));
    }
    mentions.pool_person_scores(&mut all);
    for ((segment, settled), mut scores) in segments.into_iter().zip(settled).zip(all) {
        let outcome = if settled.is_some() {
            SegmentOutcome::Removed(settled)
        } else {
            kinds::add_head_word_scores(view, segment.tokens.clone(), &mut scores);
            decide_outcome(judge.policy, view, segment.tokens.clone(), &scores)
        };
        entities.push((segment.tokens, outcome));
    }
    apply_outcomes(judge, entities, &loose, decisions)
}

/// Tokens that are written as one.
#[derive(Clone, Debug)]
struct Segment {
    tokens: Range<usize>,
    /// Whether the model takes them for no entity, though each was found.
    outside: bool,
}

/// What becomes of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SegmentOutcome {
    Removed(Option<Kind>),
    /// The policy keeps its kind.
    Kept,
    /// It is nothing that identifies.
    Dismissed,
}

/// Reads the segments off the tags of a region. One without a token that was found is none. Removed tokens outside that
/// `may_come_out` go to `loose`; others make segments of their own.
fn delimit_segments(
    view: DecidedNote<'_>,
    region: Range<usize>,
    tags: &[usize],
    may_come_out: impl Fn(usize) -> bool,
    segments: &mut Vec<Segment>,
    loose: &mut Vec<usize>,
) {
    let mut at = region.start;
    while at < region.end {
        let tag = |at: usize| tags[at - region.start];
        let mut end = at + 1;
        if tag(at) == bounds::TAG_OUTSIDE {
            if view.found_kind_at(at).is_some() && may_come_out(at) {
                loose.push(at);
            } else if view.found_kind_at(at).is_some() {
                let is_same = |end: usize| {
                    end < region.end && tag(end) == bounds::TAG_OUTSIDE && view.category_at(end) == view.category_at(at)
                };
                // Letters with points between them, `R.N`, are one.
                let is_inner = |end: usize| {
                    view.note.is_mark(end, b'.')
                        && is_same(end + 1)
                        && view.gap_at(end) == 0
                        && view.gap_at(end + 1) == 0
                };
                let goes_on =
                    |end: usize| is_same(end) && view.gap_at(end) <= 1 && (!may_come_out(end) || is_inner(end));
                while goes_on(end) {
                    end += 1;
                }
                segments.push(Segment { tokens: at..end, outside: true });
            }
            at = end;
            continue;
        }
        while end < region.end && tag(end) == bounds::TAG_INSIDE {
            end += 1;
        }
        let tokens = trim_marks(view, at..end);
        if tokens.clone().any(|at| view.found_kind_at(at).is_some()) {
            segments.push(Segment { tokens, outside: false });
        }
        at = end;
    }
}

/// A segment without marks that nothing removes at its ends; the point of an initial and a possessive belong to it.
fn trim_marks(view: DecidedNote<'_>, segment: Range<usize>) -> Range<usize> {
    let Range { start: mut first, end: mut last } = segment;
    let note = view.note;
    let is_mark = |at: usize| note.token(at).kind == token::Kind::Punct && !view.is_removed(at);
    while first < last && (is_mark(first) || note.token(first).kind == token::Kind::Possessive) {
        first += 1;
    }
    while first < last
        && is_mark(last - 1)
        && !(note.is_mark(last - 1, b'.') && last - first > 1 && note.joined(last - 1))
    {
        last -= 1;
    }
    first..last
}

/// The kind of a segment that its form or those who know tell, so that no class is asked for: the policy removes it, it is not
/// doubted, and it is no name, whose class others with its words ask for.
fn kind_without_class(policy: &Policy, view: DecidedNote<'_>, segment: &Segment) -> Option<Kind> {
    let tokens = segment.tokens.clone();
    let kind = kinds::settled_kind_of_entity(view, tokens.clone()).filter(|&kind| policy.removes_kind(kind))?;
    let named = |at: usize| view.found_kind_at(at).is_some_and(|kind| kind.category() == Category::Name);
    (!tokens.clone().any(named) && !is_likely_nothing(view, tokens)).then_some(kind)
}

/// Whether a segment is more likely nothing than anything, and no form says otherwise: it goes, but nothing is claimed of its kind.
fn is_likely_nothing(view: DecidedNote<'_>, mut segment: Range<usize>) -> bool {
    !segment.clone().any(|at| view.is_known_by_caller(at))
        && segment.all(|at| {
            let overruling = view.overruling_at(at);
            let weak = || view.judgement.is_likely_not_phi(at, overruling == Overruling::KindOnly);
            view.found_kind_at(at).is_none() || overruling < Overruling::Forbidden && weak()
        })
}

/// What an entity is, and whether it goes.
fn decide_outcome(
    policy: &Policy,
    view: DecidedNote<'_>,
    segment: Range<usize>,
    scores: &[i32; CLASS_COUNT],
) -> SegmentOutcome {
    let known = segment.clone().any(|at| view.is_known_by_caller(at));
    let doubted = is_likely_nothing(view, segment.clone());
    let top = best_class(scores);
    let class = if EntityClass::ALL[top] == EntityClass::NotPhi {
        let rest: [i32; CLASS_COUNT] = std::array::from_fn(|at| if at == 0 { i32::MIN } else { scores[at] });
        let named = best_class(&rest);
        if doubted
            && segment.clone().all(|at| view.overruling_at(at) == Overruling::Allowed)
            && scores[0] >= scores[named].saturating_add(DISMISSAL_MARGIN)
            && kinds::has_only_ordinary_words(view, segment.clone(), policy.allowed())
        {
            return SegmentOutcome::Dismissed;
        }
        EntityClass::ALL[named]
    } else {
        EntityClass::ALL[top]
    };
    let kind = kinds::kind_of_entity(view, segment.clone(), class);
    let kept = kind.is_some_and(|kind| !policy.removes_kind(kind));
    let others = scores.iter().enumerate().filter(|&(at, _)| at != class as usize).map(|(_, &score)| score).max();
    let agrees = |at: usize| {
        view.found_kind_at(at).is_none_or(|found| kind.is_some_and(|kind| kind.category() == found.category()))
    };
    let sure = known
        || others.is_some_and(|other| scores[class as usize] >= other.saturating_add(KEEP_MARGIN))
            && segment.clone().all(agrees);
    if kept && sure { SegmentOutcome::Kept } else { SegmentOutcome::Removed(kind.filter(|_| !doubted)) }
}

/// Whether a removed token outside of all entities may come out: its lists let it out, the model of names does not call it
/// identifying, it is a title, a credential or a label, or in lower case where no rule is sure, and nobody who knows says so.
/// Marks, and prepositions in lower case, which are nobody's name, stand between two entities (`Hospital in Boston`), whatever
/// their score.
fn may_be_released(judge: Judge<'_>, view: DecidedNote<'_>, at: usize) -> bool {
    let note = view.note;
    let mark = matches!(note.token(at).kind, token::Kind::Punct | token::Kind::Possessive);
    view.found_kind_at(at).is_some()
        && !view.is_known_by_caller(at)
        && view.overruling_at(at) < Overruling::Forbidden
        && (mark
            || view.is_preposition(at)
            || judge.findings.is_cleared(at)
                && (view.may_stand_beside_name(at)
                    || note.case(at) == Case::Lower && view.overruling_at(at) == Overruling::Allowed))
        && !note.token(at).glued()
        && !note.token(at + 1).glued()
        && judge.decide_without_evidence(at).action == Action::Keep
}

/// Changes the decisions as the entities ask, and groups the removed tokens.
fn apply_outcomes(
    judge: Judge<'_>,
    entities: Vec<(Range<usize>, SegmentOutcome)>,
    loose: &[usize],
    decisions: &mut [Decision],
) -> Vec<Entity> {
    for &at in loose {
        decisions[at] = judge.decide_without_evidence(at);
    }
    let mut fixed = Vec::new();
    for (segment, outcome) in entities {
        match outcome {
            SegmentOutcome::Removed(kind) => {
                let found =
                    |at: &usize| decisions[*at].action == Action::Remove && decisions[*at].reason == Reason::Finding;
                let evidence = segment.clone().find(found).map_or(Decision::NOTHING, |at| decisions[at].evidence);
                for at in segment.clone().filter(|&at| decisions[at].action != Action::Remove).collect::<Vec<_>>() {
                    decisions[at] = Decision { action: Action::Remove, reason: Reason::Finding, evidence };
                }
                fixed.push(Entity { first: segment.start as u32, last: segment.end as u32, kind });
            }
            SegmentOutcome::Kept => {
                for at in segment {
                    if decisions[at].action == Action::Remove {
                        decisions[at] =
                            Decision { action: Action::Keep, reason: Reason::Policy, evidence: Decision::NOTHING };
                    }
                }
            }
            SegmentOutcome::Dismissed => {
                for at in segment {
                    if decisions[at].action == Action::Remove {
                        decisions[at] = judge.decide_without_evidence(at);
                    }
                }
            }
        }
    }
    runs::entities_of_runs(judge, decisions, &fixed)
}

#[cfg(test)]
mod tests;
