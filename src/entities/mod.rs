//! Joins removed tokens into entities: one name, one place or one number, with its bounds and its kind.
//!
//! Runs after `decide`. Tokens are found one by one, with recall in mind. Here a model trained on marked notes decides
//! which tokens belong together, where an entity starts and ends, and whether it is a patient or a doctor, a hospital
//! or a town. It changes little in what is removed: small words and head words inside a name are removed with it, and
//! tokens outside all entities may come out if they are on an allow-list and the name model does not consider them
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

/// A run of removed tokens that forms one entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entity {
    /// The first token.
    pub first: u32,
    /// The end (exclusive).
    pub end: u32,
    /// Its kind; `None` for words and numbers that nothing vouches for, and for dropped sections.
    pub kind: Option<Kind>,
}

impl Entity {
    /// Returns the range of tokens.
    pub const fn tokens(&self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// The margin over all other classes by which an entity's class must win for a policy to keep it; all its findings must
/// agree on the category too.
const KEEP_MARGIN: i32 = 2 * SCORE_SCALE as i32;

/// The margin by which no PHI must win for an entity of ordinary words to be dismissed.
const DISMISSAL_MARGIN: i32 = 8 * SCORE_SCALE as i32;

/// Groups removed tokens into entities, and changes decisions where the bounds of an entity differ. Without a model,
/// removed tokens are grouped by their findings.
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

/// A run of tokens that may be an entity.
#[derive(Clone, Debug)]
struct Segment {
    tokens: Range<usize>,
    /// Whether the model tags the tokens as outside, although each was found.
    outside: bool,
}

/// The outcome for a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SegmentOutcome {
    Removed(Option<Kind>),
    /// The policy keeps its kind.
    Kept,
    /// It does not identify anybody.
    Dismissed,
}

/// Splits a region into segments by its tags. A segment needs at least one finding. Removed tokens tagged as outside go
/// to `loose` if they `may_come_out`; otherwise they form segments of their own.
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
                // Letters with full stops between them, such as `R.N`, are one.
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

/// Trims punctuation that nothing removes from the ends of a segment, except the full stop of an initial; also a
/// leading possessive.
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

/// Returns the kind of a segment whose form or source settles it, so that it needs no class: the policy removes it, it
/// is not doubtful, and it is not a name, whose class other mentions need.
fn kind_without_class(policy: &Policy, view: DecidedNote<'_>, segment: &Segment) -> Option<Kind> {
    let tokens = segment.tokens.clone();
    let kind = kinds::settled_kind_of_entity(view, tokens.clone()).filter(|&kind| policy.removes_kind(kind))?;
    let named = |at: usize| view.found_kind_at(at).is_some_and(|kind| kind.category() == Category::Name);
    (!tokens.clone().any(named) && !is_likely_nothing(view, tokens)).then_some(kind)
}

/// Returns whether a segment is probably no PHI and no form contradicts this: it is removed, but without a kind.
fn is_likely_nothing(view: DecidedNote<'_>, mut segment: Range<usize>) -> bool {
    !segment.clone().any(|at| view.is_known_by_caller(at))
        && segment.all(|at| {
            let overruling = view.overruling_at(at);
            let weak = || view.judgement.is_likely_not_phi(at, overruling == Overruling::KindOnly);
            view.found_kind_at(at).is_none() || overruling < Overruling::Forbidden && weak()
        })
}

/// Decides what an entity is, and whether it is removed.
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

/// Returns whether a removed token outside all entities may come out. It must be on an allow-list, not identifying by
/// the name model, and not found by the site or the caller; and it must be a title, a credential or a label, or in
/// lower case where no rule is sure. Punctuation and lower-case prepositions, which are nobody's name, separate two
/// entities (`Hospital in Boston`) whatever their score.
fn may_be_released(judge: Judge<'_>, view: DecidedNote<'_>, at: usize) -> bool {
    let note = view.note;
    let mark = matches!(note.token(at).kind, token::Kind::Punct | token::Kind::Possessive);
    view.found_kind_at(at).is_some()
        && !view.is_known_by_caller(at)
        && view.overruling_at(at) < Overruling::Forbidden
        && (mark
            || view.is_preposition(at)
            || judge.findings.is_judged_harmless(at)
                && (view.may_stand_beside_name(at)
                    || note.case(at) == Case::Lower && view.overruling_at(at) == Overruling::Allowed))
        && !note.token(at).glued()
        && !note.token(at + 1).glued()
        && judge.decide_without_evidence(at).action == Action::Keep
}

/// Applies the outcomes to the decisions, and groups the removed tokens.
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
                fixed.push(Entity { first: segment.start as u32, end: segment.end as u32, kind });
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
