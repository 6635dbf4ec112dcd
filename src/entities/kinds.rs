//! Classifies entities: the features of their class, and the kind that follows from it.

use std::ops::Range;

use notesieve_vocabulary::{Class, Classes};

use super::Segment;
use super::class::{CLASS_COUNT, EntityClass};
use super::mentions::MentionFacts;
use super::view::DecidedNote;
use crate::finding::{Category, Certainty, Kind};
use crate::linear::classes::SCORE_SCALE;
use crate::linear::hash::mix_three;
use crate::rules::{JUDGED, Verdict};
use crate::text::token::{self, Case, Gap};

/// The number of words to look at before and after an entity.
const CONTEXT_WORDS: usize = 8;

/// Adds the features of an entity.
pub(super) fn read_class_features(
    view: DecidedNote<'_>,
    segment: &Segment,
    mentions: MentionFacts,
    features: &mut Vec<u64>,
) {
    let (note, entity) = (view.note, segment.tokens.clone());
    let category = main_category(view, entity.clone());
    let is_word = |at: usize| matches!(note.token(at).kind, token::Kind::Word | token::Kind::Number);
    let words: Vec<usize> = entity.clone().filter(|&at| is_word(at)).collect();
    let mut add = |template: u64, one: u64, two: u64| features.push(mix_three(0x100 | template, one, two));
    add(1, category, words.len().min(6) as u64);
    add(33, u64::from(segment.outside), category);
    for (nth, &at) in words.iter().enumerate() {
        let place = u64::from(nth == 0) + 2 * u64::from(nth + 1 == words.len());
        add(2, view.word_at(at), 0);
        add(3, view.word_at(at), place);
        add(4, view.part_at(at), place << 8 | view.form_at(at));
        add(5, view.rule_at(at).map_or(999, u64::from), view.found_kind_at(at).map_or(99, |kind| kind as u64));
        add(6, view.judged_at(at), 0);
        add(7, view.form_at(at), category);
        add(45, view.list_bits_at(at), place << 8 | category);
    }
    let shape = entity.clone().take(8).fold(0, |all, at| mix_three(all, view.form_at(at), 5));
    add(8, shape, category);
    add(9, entity.clone().take(8).fold(0, |all, at| mix_three(all, view.part_at(at), 5)), 0);
    add_context_features(view, &entity, category, &mut add);
    let (start, label) = line_start_and_label_hash(view, entity.start);
    add(30, label, 0);
    add(31, label, category);
    for at in start..(start + 3).min(entity.start) {
        add(32, view.word_at(at), category);
    }
    let (before, after) = (view.word_at(entity.start.wrapping_sub(1)), view.word_at(entity.end));
    add(34, before, after);
    add(35, before, words.first().map_or(0, |&at| view.word_at(at)));
    add(36, after, words.last().map_or(0, |&at| view.word_at(at)));
    add_position_features(view, &entity, category, &mut add);
    add_mention_features(view, mentions, category, &mut add);
}

/// Adds features of other mentions of the same name: a person named only once, at the end, is seldom the patient.
fn add_mention_features(
    view: DecidedNote<'_>,
    facts: MentionFacts,
    category: u64,
    add: &mut impl FnMut(u64, u64, u64),
) {
    if facts.mentions == 0 {
        return;
    }
    let count = u64::from(facts.mentions.min(5));
    add(46, count << 4 | u64::from(facts.first), category);
    add(47, u64::from(facts.names.min(9)) << 4 | count, category);
    add(48, facts.others, category);
    if let Some((before, after)) = facts.before {
        add(49, view.word_at(before), category);
        add(50, view.word_at(after), category);
    }
}

/// Adds words and punctuation before and after an entity.
fn add_context_features(
    view: DecidedNote<'_>,
    entity: &Range<usize>,
    category: u64,
    add: &mut impl FnMut(u64, u64, u64),
) {
    let before = (0..entity.start).rev().take_while(|&at| view.note.gap(at + 1) < Gap::Paragraph).take(CONTEXT_WORDS);
    let mut chain = 0;
    for (far, at) in before.enumerate() {
        let far = far as u64;
        if far < 5 {
            add(10, view.word_at(at), far.min(3));
            add(11, view.facts_at(at), far);
            add(12, view.part_at(at), far.min(2) << 8 | category);
        }
        if far < 3 {
            chain = mix_three(chain, view.word_at(at), 1);
            add(13, chain, far);
        }
        if view.note.is_word(at) {
            add(14, view.word_at(at), category);
        }
    }
    let mut chain = 0;
    let behind =
        (entity.end..view.decisions.len()).take_while(|&at| view.note.gap(at) < Gap::Paragraph).take(CONTEXT_WORDS);
    for (far, at) in behind.enumerate() {
        let far = far as u64;
        if far < 5 {
            add(20, view.word_at(at), far.min(3));
            add(21, view.facts_at(at), far);
            add(22, view.part_at(at), far.min(2) << 8 | category);
        }
        if far < 3 {
            chain = mix_three(chain, view.word_at(at), 1);
            add(23, chain, far);
        }
        if view.note.is_word(at) {
            add(24, view.word_at(at), category);
        }
    }
}

/// Returns the first token of the entity's line, and a hash of the label before the entity: the words before the last
/// colon on the line.
fn line_start_and_label_hash(view: DecidedNote<'_>, entity: usize) -> (usize, u64) {
    let mut start = entity;
    while start > 0 && entity - start < 24 && view.note.gap(start) < Gap::Line {
        start -= 1;
    }
    let colon = (start..entity).rev().find(|&at| view.note.is_mark(at, b':'));
    let label = colon.map_or(0, |colon| {
        let words = (start..colon).rev().take_while(|&at| view.note.is_word(at)).take(2);
        words.fold(1, |all, at| mix_three(all, view.word_at(at), 2))
    });
    (start, label)
}

/// Adds the position of an entity in the note.
fn add_position_features(
    view: DecidedNote<'_>,
    entity: &Range<usize>,
    category: u64,
    add: &mut impl FnMut(u64, u64, u64),
) {
    let tokens = view.decisions.len();
    let starts_line = u64::from(view.note.gap(entity.start) >= Gap::Line || entity.start == 0);
    let ends_line = u64::from(entity.end >= tokens || view.note.gap(entity.end) >= Gap::Line);
    add(40, starts_line << 1 | ends_line, category);
    let from_start = entity.start.min(63) / 8;
    let from_end = (tokens - entity.end).min(63) / 8;
    add(41, from_start as u64, category);
    add(42, from_end as u64, category << 2 | starts_line << 1 | ends_line);
    add(43, (entity.start * 8 / tokens.max(1)) as u64, category);
}

/// Returns the most frequent category among the decisions on an entity's tokens, counted from one; 0 for none.
fn main_category(view: DecidedNote<'_>, entity: Range<usize>) -> u64 {
    let mut counts = [0_u32; 8];
    for at in entity {
        counts[view.category_at(at) as usize] += 1;
    }
    let most = (1..8).fold(1, |best, at| if counts[at] > counts[best] { at } else { best });
    if counts[most] == 0 { 0 } else { most as u64 }
}

/// The bonus of a class for a head word of it inside an entity.
const HEAD_WORD_BONUS: i32 = 3 * SCORE_SCALE as i32;

/// Adds a bonus for head words: `Golden Orchard Manor` is a building, `Lime Kiln Lane` a street. They are rare, and
/// marked examples are rarer.
pub(super) fn add_head_word_scores(view: DecidedNote<'_>, entity: Range<usize>, scores: &mut [i32; CLASS_COUNT]) {
    if entity.len() == 1
        && view.note.is_number(entity.start)
        && view.note.width(entity.start) >= 4
        && view.category_at(entity.start) == 1 + Category::Location as u64
    {
        scores[EntityClass::Zip as usize] += HEAD_WORD_BONUS;
    }
    let words: Vec<usize> = entity.filter(|&at| view.note.is_word(at) && view.note.width(at) > 1).collect();
    let [_, .., last] = words[..] else { return };
    if view.category_at(last) == 1 + Category::Name as u64 {
        return;
    }
    let class = if view.note.any(last, Class::Facility.as_set() | Class::WardNoun.as_set()) {
        EntityClass::Hospital
    } else if view.note.is(last, Class::StreetType) {
        EntityClass::Street
    } else if view.note.is(last, Class::Organisation) {
        EntityClass::Organisation
    } else {
        return;
    };
    scores[class as usize] += HEAD_WORD_BONUS;
}

/// The kinds that were found for an entity.
struct FoundKinds {
    /// The kind by the site, the caller, a detector or a pattern.
    known: Option<Kind>,
    /// The most certain kind by a rule.
    form: Option<(Certainty, Kind)>,
    /// The kind by the name model.
    judged: Option<Kind>,
}

impl FoundKinds {
    fn of_entity(view: DecidedNote<'_>, entity: Range<usize>) -> Self {
        let mut found = Self { known: view.known_kind(entity.clone()), form: None, judged: None };
        for at in entity {
            let Some(finding) = view
                .decision_at(at)
                .filter(|decision| decision.reason == crate::document::Reason::Finding)
                .and_then(|decision| view.findings.as_slice().get(decision.evidence as usize))
            else {
                continue;
            };
            let Verdict::Remove(kind) = finding.verdict else { continue };
            match finding.rule {
                JUDGED => found.judged = found.judged.or(Some(kind)),
                _ if found.form.is_none_or(|(certainty, _)| finding.certainty > certainty) => {
                    found.form = Some((finding.certainty, kind));
                }
                _ => {}
            }
        }
        found
    }

    /// Returns the kind that the entity has whatever its class.
    fn settled_kind(&self) -> Option<Kind> {
        let is_sure = |(certainty, kind): &(Certainty, Kind)| *certainty == Certainty::Sure && is_kind_with_form(*kind);
        self.known.or(self.form.filter(is_sure).map(|(_, kind)| kind))
    }
}

/// Returns the kind that an entity has whatever its class: as the site or the caller says, or by a form that a rule is
/// sure of.
pub(super) fn settled_kind_of_entity(view: DecidedNote<'_>, entity: Range<usize>) -> Option<Kind> {
    FoundKinds::of_entity(view, entity).settled_kind()
}

/// Returns the kind of an entity of a class: as the site or the caller says, by the form that a rule found, or by the
/// class.
pub(super) fn kind_of_entity(view: DecidedNote<'_>, entity: Range<usize>, class: EntityClass) -> Option<Kind> {
    let found = FoundKinds::of_entity(view, entity.clone());
    let fits = |kind: &Kind| Some(kind.category()) == class.category();
    let form = found.form.map(|(_, kind)| kind);
    let by_form = form.or(found.judged).filter(|kind| is_kind_with_form(*kind));
    found
        .settled_kind()
        .or_else(|| by_form.filter(fits))
        .or_else(|| kind_by_class_and_words(view, entity, class))
        .or(form)
        .or(found.judged)
}

/// Returns whether a kind is recognised by its form, not by its context.
const fn is_kind_with_form(kind: Kind) -> bool {
    !matches!(kind.category(), Category::Name | Category::Location) || matches!(kind, Kind::Initials)
}

/// Returns the kind for a class, given the words of the entity.
fn kind_by_class_and_words(view: DecidedNote<'_>, entity: Range<usize>, class: EntityClass) -> Option<Kind> {
    let has = |class: Class| entity.clone().any(|at| view.note.is(at, class));
    let spells = |words: &[&str]| entity.clone().any(|at| words.contains(&view.note.word(at)));
    Some(match class {
        EntityClass::Hospital if !has(Class::Facility) && has(Class::WardNoun) => Kind::Ward,
        EntityClass::City if spells(&["county", "parish", "borough", "shire"]) => Kind::County,
        EntityClass::Region if has(Class::Country) && !has(Class::State) => Kind::Country,
        EntityClass::Contact => {
            let marks = |mark: u8| entity.clone().any(|at| view.note.is_mark(at, mark));
            match (marks(b'@'), spells(&["http", "https", "www", "com", "org", "net"])) {
                (true, true) => Kind::Email,
                (true, false) => Kind::Handle,
                (false, true) => Kind::Url,
                (false, false) => Kind::Phone,
            }
        }
        class => class.default_kind()?,
    })
}

/// Returns whether all words of an entity are in lower case and on allow-lists, and none on a list of names.
pub(super) fn has_only_ordinary_words(view: DecidedNote<'_>, entity: Range<usize>, allowed: Classes) -> bool {
    const NAMES: Classes = Classes::of(&[Class::Surname, Class::FirstName, Class::City, Class::Deny]);
    entity.clone().all(|at| match view.note.token(at).kind {
        token::Kind::Word => {
            view.note.case(at) == Case::Lower && view.note.any(at, allowed) && !view.note.any(at, NAMES)
        }
        token::Kind::Punct | token::Kind::Possessive => true,
        _ => false,
    })
}
