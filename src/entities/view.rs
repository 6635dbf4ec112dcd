//! The token facts that entity bounds and classes depend on: decision, form, lists and model score.

use std::cell::Cell;
use std::ops::Range;

use notesieve_vocabulary::{Class, Classes};

use crate::decide::{self, Decision, Overruling};
use crate::document::{Action, Reason};
use crate::finding::{Category, Kind};
use crate::linear::hash::{hash_bytes, mix_three};
use crate::names::Judgement;
use crate::rules::{Findings, KNOWN, Note, SITE, Verdict, is_detection};
use crate::text::token::{self, Case};

/// A note with the decisions on its tokens.
#[derive(Clone, Copy)]
pub(crate) struct DecidedNote<'a> {
    pub(crate) note: &'a Note<'a>,
    pub(crate) findings: &'a Findings,
    pub(crate) decisions: &'a [Decision],
    pub(crate) judgement: &'a Judgement,
    pub(crate) certain: &'a CertainFacts,
    /// The cached facts of tokens, see [`empty_facts_cache`].
    pub(crate) read: &'a FactsCache,
}

/// The word of a token and its facts, see [`DecidedNote::facts_at`]; never 0 within the note.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TokenFacts {
    word: u64,
    facts: u64,
}

/// The size of the cache: features of a token read the tokens near it again and again.
const FACTS_CACHE_SIZE: usize = 256;

/// The facts of some tokens with their numbers, counted from one. A token's slot is its number modulo the size.
pub(crate) type FactsCache = [Cell<(u32, TokenFacts)>; FACTS_CACHE_SIZE];

/// Returns an empty cache.
pub(crate) fn empty_facts_cache() -> FactsCache {
    std::array::from_fn(|_| Cell::default())
}

/// What the model cannot overrule.
#[derive(Debug, Default)]
pub(crate) struct CertainFacts {
    /// How far the findings that remove a token may be overruled: the strictest of all.
    overruling: Vec<Overruling>,
    /// The kind of each token as the site, the caller, detectors and patterns say; empty if they say nothing.
    known: Vec<Option<Kind>>,
}

impl CertainFacts {
    pub(crate) fn new(findings: &Findings, tokens: usize) -> Self {
        let mut certain = Self { overruling: vec![Overruling::Allowed; tokens], known: Vec::new() };
        for finding in findings.as_slice() {
            let Verdict::Remove(kind) = finding.verdict else { continue };
            let least = decide::overruling(finding);
            for overruling in &mut certain.overruling[finding.tokens()] {
                *overruling = least.max(*overruling);
            }
            let kind = match (finding.rule, kind) {
                (KNOWN, Kind::Name) => Kind::Patient,
                (SITE, Kind::Name) => Kind::Staff,
                (KNOWN | SITE, kind) => kind,
                (rule, kind) if is_detection(rule) => kind,
                _ => continue,
            };
            certain.known.resize(tokens, None);
            for known in &mut certain.known[finding.tokens()] {
                *known = known.or(Some(kind));
            }
        }
        certain
    }
}

/// The lists that determine the part of a word in an entity; the first match counts.
const PART_CLASSES: [Classes; 20] = [
    Class::Title.as_set(),
    Class::Credential.as_set(),
    Class::Facility.as_set(),
    Class::WardNoun.as_set(),
    Class::StreetType.as_set(),
    Class::Organisation.as_set(),
    Class::Relative.as_set(),
    Class::Month.as_set(),
    Class::Weekday.as_set(),
    Class::NamePrefix.as_set(),
    Class::NameSuffix.as_set(),
    Class::Stop.as_set(),
    Class::State.as_set(),
    Class::Country.as_set(),
    Class::PlaceAfter.as_set(),
    Class::PlaceBefore.as_set(),
    Class::PersonNoun.as_set(),
    Class::IdKeyword.as_set(),
    Class::PhoneKeyword.as_set(),
    Class::Clinical.as_set(),
];

/// Further lists for words of an entity.
const LIST_CLASSES: [Class; 8] = [
    Class::Surname,
    Class::FirstName,
    Class::City,
    Class::PlacePart,
    Class::County,
    Class::State,
    Class::English,
    Class::Term,
];

/// All of [`PART_CLASSES`].
const ALL_PART_CLASSES: Classes = {
    let (mut all, mut nth) = (0, 0);
    while nth < PART_CLASSES.len() {
        all |= PART_CLASSES[nth].0;
        nth += 1;
    }
    Classes(all)
};

/// The part of a word on no list, and the form outside the note.
const PART_OF_NO_LIST: u64 = 40;
const FORM_OUTSIDE: u64 = 20;

/// Returns the category in the facts of a token, see [`DecidedNote::category_at`].
pub(super) const fn category_of(facts: u64) -> u64 {
    facts >> 16 & 0xFF
}

/// Returns the form in the facts of a token.
pub(super) const fn form_of(facts: u64) -> u64 {
    if facts == 0 { FORM_OUTSIDE } else { facts >> 8 & 0xFF }
}

/// Returns the part of a word in the facts of a token.
pub(super) const fn part_of(facts: u64) -> u64 {
    if facts == 0 { PART_OF_NO_LIST } else { facts & 0xFF }
}

/// Returns whether a word without a part is on a list of names, and on one of places, one bit each.
fn name_and_place_bits(classes: Classes) -> u64 {
    let name = classes.any(Classes::of(&[Class::Surname, Class::FirstName]));
    let place = classes.any(Classes::of(&[Class::City, Class::County, Class::PlacePart]));
    u64::from(name) + 2 * u64::from(place)
}

impl DecidedNote<'_> {
    pub(super) fn decision_at(&self, at: usize) -> Option<Decision> {
        self.decisions.get(at).copied()
    }

    /// Returns the kind of the finding that removes a token.
    pub(super) fn found_kind_at(&self, at: usize) -> Option<Kind> {
        decide::kind_of_removal(self.decision_at(at)?, self.findings)
    }

    /// Returns the rule of the finding that removes a token. Detectors are numbered in order of first use in the
    /// process, which features must not depend on, so they count as the caller's knowledge.
    pub(super) fn rule_at(&self, at: usize) -> Option<u16> {
        let decision = self.decision_at(at).filter(|decision| decision.reason == Reason::Finding)?;
        let rule = self.findings.as_slice().get(decision.evidence as usize)?.rule;
        Some(if is_detection(rule) { KNOWN } else { rule })
    }

    /// Returns whether a token is removed by itself, not with its section.
    pub(super) fn is_removed(&self, at: usize) -> bool {
        self.decision_at(at)
            .is_some_and(|it| it.action == Action::Remove && !matches!(it.reason, Reason::Section | Reason::Header))
    }

    /// Returns whether the site, the caller, a detector or a pattern says what a token is.
    pub(super) fn is_known_by_caller(&self, at: usize) -> bool {
        self.known_kind(at..at + 1).is_some()
    }

    /// Returns the first kind among tokens that the site, the caller, a detector or a pattern knows.
    pub(super) fn known_kind(&self, tokens: Range<usize>) -> Option<Kind> {
        self.certain.known.get(tokens)?.iter().find_map(|kind| *kind)
    }

    /// Returns whether a token that is kept, or a coded term of one word, may belong to an entity between or next to
    /// removed ones.
    pub(super) fn may_join_entity(&self, at: usize) -> bool {
        let Some(decision) = self.decision_at(at) else { return false };
        let note = self.note;
        let single = decision.action == Action::Code
            && self
                .decision_at(at + 1)
                .is_none_or(|next| next.evidence != decision.evidence || next.action != Action::Code)
            && (at == 0
                || self.decisions[at - 1].evidence != decision.evidence
                || self.decisions[at - 1].action != Action::Code);
        if !(single || decision.action == Action::Keep && decision.reason != Reason::Own) {
            return false;
        }
        match note.token(at).kind {
            // `6MWD` is no house number with letters after it.
            token::Kind::Number if note.token(at + 1).glued() && !self.is_removed(at + 1) => false,
            token::Kind::Possessive | token::Kind::Number | token::Kind::Word => true,
            token::Kind::Punct => note.is_any_mark(at, b".,'-&/#:\""),
            _ => false,
        }
    }

    /// Returns how far the findings that remove a token may be overruled.
    pub(super) fn overruling_at(&self, at: usize) -> Overruling {
        self.certain.overruling.get(at).copied().unwrap_or(Overruling::Forbidden)
    }

    /// Returns whether a token is a lower-case preposition or the like, which is nobody's name and may precede a place.
    pub(super) fn is_preposition(&self, at: usize) -> bool {
        const BETWEEN: &[&str] =
            &["and", "at", "by", "for", "from", "in", "near", "of", "on", "or", "the", "to", "with"];
        self.note.case(at) == Case::Lower && BETWEEN.contains(&self.note.word(at))
    }

    /// Returns whether a word is on a list of words found next to names: titles, credentials, labels.
    pub(super) fn may_stand_beside_name(&self, at: usize) -> bool {
        const BESIDE: Classes = Classes::of(&[
            Class::Title,
            Class::Credential,
            Class::PersonNoun,
            Class::Relative,
            Class::IdKeyword,
            Class::PhoneKeyword,
            Class::NameField,
        ]);
        self.note.any(at, BESIDE)
    }

    /// Returns whether a token is removed as a number or an address, whose form determines its bounds.
    pub(super) fn has_number_form(&self, at: usize) -> bool {
        self.found_kind_at(at).is_some_and(|kind| matches!(kind.category(), Category::Contact | Category::Id))
    }

    /// Returns the category of the finding that removes a token, counted from one; 0 if there is none.
    pub(super) fn category_at(&self, at: usize) -> u64 {
        category_of(self.facts_at(at))
    }

    /// Returns the packed facts of a token: state, category, form and part; 0 outside the note.
    pub(super) fn facts_at(&self, at: usize) -> u64 {
        self.cached_facts_at(at).facts
    }

    /// Returns the form of a token.
    pub(super) fn form_at(&self, at: usize) -> u64 {
        form_of(self.facts_at(at))
    }

    /// Returns the index of the list that determines the part of a word in an entity.
    pub(super) fn part_at(&self, at: usize) -> u64 {
        part_of(self.facts_at(at))
    }

    /// Returns the hash of the word; for numbers, that of the shape.
    pub(super) fn word_at(&self, at: usize) -> u64 {
        if at < self.decisions.len() { self.cached_facts_at(at).word } else { 1 }
    }

    #[inline]
    fn cached_facts_at(&self, at: usize) -> TokenFacts {
        if at >= self.decisions.len() {
            return TokenFacts::default();
        }
        let (place, number) = (&self.read[at % FACTS_CACHE_SIZE], at as u32 + 1);
        let (known, facts) = place.get();
        if known == number {
            return facts;
        }
        let facts = self.compute_facts(at);
        place.set((number, facts));
        facts
    }

    fn compute_facts(&self, at: usize) -> TokenFacts {
        let state = self.decision_at(at).map_or(0, |decision| match (decision.action, decision.reason) {
            (Action::Remove, Reason::Finding) => 1,
            (Action::Remove, Reason::Section | Reason::Header) => 2,
            (Action::Remove, _) => 3,
            (Action::Code, _) => 4,
            (Action::Keep, Reason::Own) => 5,
            (Action::Keep, _) => 6,
        });
        let category = self.found_kind_at(at).map_or(0, |kind| 1 + kind.category() as u64);
        let facts = 1 << 40 | state << 24 | category << 16 | self.compute_form(at) << 8 | self.compute_part(at);
        TokenFacts { word: self.compute_word_hash(at), facts }
    }

    fn compute_form(&self, at: usize) -> u64 {
        let note = self.note;
        match note.token(at).kind {
            token::Kind::Word => {
                let case = match note.case(at) {
                    Case::Lower => 0,
                    Case::Capital => 1,
                    Case::Upper => 2,
                    Case::Mixed => 3,
                };
                1 + case + if note.width(at) == 1 { 4 } else { 0 }
            }
            token::Kind::Number => 10 + note.width(at).min(6) as u64,
            token::Kind::Punct => 32 + note.bytes(at).first().copied().map_or(0, u64::from),
            token::Kind::Possessive => 17,
            token::Kind::Symbol => 18,
            token::Kind::Placeholder => 19,
            token::Kind::End => FORM_OUTSIDE,
        }
    }

    fn compute_part(&self, at: usize) -> u64 {
        let classes = self.note.classes(at);
        if !classes.any(ALL_PART_CLASSES) {
            return if classes.is_empty() { PART_OF_NO_LIST } else { 30 + name_and_place_bits(classes) };
        }
        1 + PART_CLASSES.iter().position(|&part| classes.any(part)).unwrap_or_default() as u64
    }

    /// Returns a bitmask of the lists of names, places and words that a token is on.
    pub(super) fn list_bits_at(&self, at: usize) -> u64 {
        let classes = self.note.classes(at);
        LIST_CLASSES.iter().enumerate().map(|(nth, &list)| u64::from(classes.has(list)) << nth).sum()
    }

    fn compute_word_hash(&self, at: usize) -> u64 {
        let note = self.note;
        match note.token(at).kind {
            token::Kind::End => 1,
            token::Kind::Number => note
                .bytes(at)
                .iter()
                .fold(7, |all, byte| mix_three(all, if byte.is_ascii_digit() { 0 } else { u64::from(*byte) }, 3)),
            _ => hash_bytes(note.bytes(at)),
        }
    }

    pub(super) fn gap_at(&self, at: usize) -> u64 {
        self.note.gap(at) as u64
    }

    /// Returns the label and the quantised score of a token by the name model.
    pub(super) fn judged_at(&self, at: usize) -> u64 {
        self.judgement.label_and_log_odds_code(at)
    }
}
