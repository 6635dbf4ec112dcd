//! Turns scores into findings like those of rules, and decides which findings of rules do not count.

use super::partner::{self, NamePartner, partners_of_word};
use super::score::LOG_ODDS_SCALE;
use super::{JudgedToken, Judgement};
use crate::buffer::release;
use crate::finding::{Category, Label};
use crate::policy::{Policy, Strictness, Unknown};
use crate::rules::{self, Certainty, Findings, Headings, KNOWN, Kind, Note, SITE, Verdict, WordColumns, is_detection};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// How many times as strict a note is judged where case is uninformative. A name has less evidence there: in
/// cross-validation on marked notes in lower case and in capitals, one more name costs as many words at two to three
/// times the default as it costs at the default in notes as written.
const CASELESS_STRICTNESS_FACTOR: f64 = 2.5;

/// With fewer words, case is not evaluated: `Cough.`
const MIN_WORDS_FOR_CASE: u64 = 8;

/// Returns whether case is uninformative: hardly any word is capitalised, or nearly all are.
fn is_caseless_note(words: &[WordColumns]) -> bool {
    let count =
        |column: fn(&WordColumns) -> u64| words.iter().map(|at| u64::from(column(at).count_ones())).sum::<u64>();
    let (words, capitalised) = (count(|at| at.words), count(|at| at.capitalised));
    words >= MIN_WORDS_FOR_CASE && capitalised.min(words.saturating_sub(capitalised)) * 50 <= words
}

/// Returns the log-odds above which a token of a note is reported.
fn log_odds_threshold(strictness: u32, words: &[WordColumns]) -> i32 {
    let factor = if is_caseless_note(words) { CASELESS_STRICTNESS_FACTOR } else { 1.0 };
    -((f64::from(strictness.max(1)) * factor).ln() * f64::from(LOG_ODDS_SCALE)).round() as i32
}

/// The strictness of sections, by their headings.
pub(crate) type SectionStrictness = [(Headings, Strictness)];

/// One threshold per category.
type ThresholdsByCategory = [i32; Category::ALL.len()];

/// The log-odds above which tokens of a note are reported.
struct Thresholds {
    note: ThresholdsByCategory,
    /// The bodies of each named section, with the section's thresholds.
    sections: Vec<(Vec<(usize, usize)>, ThresholdsByCategory)>,
}

impl Thresholds {
    fn new(policy: &Policy, sections: &SectionStrictness, note: &Note<'_>, words: &[WordColumns]) -> Self {
        let general = |category| policy.strictness.of_category(category).unwrap_or(Strictness::DEFAULT);
        let of = |strictness: &Strictness| {
            Category::ALL.map(|category| {
                log_odds_threshold(strictness.of_category(category).unwrap_or_else(|| general(category)), words)
            })
        };
        let sections = sections.iter().map(|(headings, strictness)| (headings.section_bodies(note), of(strictness)));
        Self { note: of(&policy.strictness), sections: sections.collect() }
    }

    /// Returns the threshold of a token; in several sections, that of the strictest.
    #[inline]
    fn threshold_at(&self, at: usize, category: Category) -> i32 {
        let holds = |bodies: &[(usize, usize)]| {
            let nth = bodies.partition_point(|&(_, last)| last <= at);
            bodies.get(nth).is_some_and(|&(first, _)| first <= at)
        };
        let within = self.sections.iter().filter(|(bodies, _)| holds(bodies));
        within.map(|(_, thresholds)| thresholds[category as usize]).min().unwrap_or(self.note[category as usize])
    }

    /// Returns the lowest threshold of any token.
    fn lowest_threshold(&self) -> i32 {
        let sections = self.sections.iter().flat_map(|(_, thresholds)| thresholds);
        self.note.iter().chain(sections).copied().min().unwrap_or(i32::MIN)
    }
}

/// How far the threshold is raised for a number, and for an allowed word that is on no list of names or in lower case:
/// ln 2.5. In long documents of four authors held out from training, one in 42 such tokens between both thresholds
/// identified somebody; of the other words, one in 26.
const ORDINARY_MARGIN: i32 = (0.916 * LOG_ODDS_SCALE as f64) as i32;

/// How far the threshold is lowered for an unlisted word.
const UNLISTED_ALLOWANCE: i32 = 2 * LOG_ODDS_SCALE;

/// Returns how far below its threshold a number must be to come out when nothing vouches for it: half as far if it has
/// one or two digits and is not in a row of numbers. In notes of held-out batches, 3 of 213 short numbers around the
/// half identified somebody, and 33 of 2,330 below it.
fn required_margin_of_unvouched_number(note: &Note<'_>, at: usize) -> i32 {
    let short = note.number(at).is_none_or(|number| number.len() == 1 && number.digits(0) <= 2);
    let is_beside = |other: usize| note.is_number(other) && note.same_line(at.max(other));
    let mark = |at: usize| usize::from(note.is_any_mark(at, b"/-.,"));
    let in_row = is_beside(at + 1 + mark(at + 1)) || at > 1 && is_beside(at - 1 - mark(at - 1));
    if short && !in_row { LOG_ODDS_SCALE / 2 } else { LOG_ODDS_SCALE }
}

/// Lists of names of people and places.
const NAME_AND_PLACE_CLASSES: Classes =
    Classes::of(&[Class::Surname, Class::FirstName, Class::City, Class::County, Class::PlacePart]);

/// Returns whether a token is a number, or a word of an allow-list that does not look like a name.
fn is_ordinary_token(note: &Note<'_>, at: usize, allowed: Classes, caseless: bool) -> bool {
    let looks_ordinary = || !note.any(at, NAME_AND_PLACE_CLASSES) || !caseless && note.case(at) == Case::Lower;
    note.is_number(at) || note.any(at, allowed) && looks_ordinary()
}

/// Returns the end (exclusive) of a name that starts at a token and continues over marks: `O'Neil-Brown, Ann`.
fn end_of_joined_name(note: &Note<'_>, at: usize, is_same: impl Fn(usize) -> bool) -> usize {
    let mut last = at + 1;
    loop {
        if is_same(last) && note.same_line(last) {
            last += 1;
        } else if (note.is_any_mark(last, b"-,'&/") || note.is_mark(last, b'.') && note.width(last - 1) == 1)
            && is_same(last + 1)
            && !note.border_before(last + 1)
        {
            last += 2;
        } else {
            return last;
        }
    }
}

/// Judges a word as the other half of a name; `above` returns the kind of a token if it reaches its threshold lowered
/// by an allowance.
fn other_half_of_name<T>(note: &Note<'_>, at: usize, above: impl Fn(usize, i32) -> Option<T>) -> Option<T> {
    partners_of_word(note, at).into_iter().flatten().find_map(|NamePartner { at: other, allowance, mutual }| {
        let sure = allowance > 0 && above(other, 0).is_some();
        let found = sure || mutual > 0 && above(other, mutual).is_some();
        if found { above(at, if sure { allowance } else { mutual }) } else { None }
    })
}

/// How far the threshold is lowered in a sentence where case is uninformative, in a note where it is not: ln 2.5, see
/// [`CASELESS_STRICTNESS_FACTOR`].
const CASELESS_SENTENCE_ALLOWANCE: i32 = ORDINARY_MARGIN;

/// The largest allowance of a listed word: next to the other half of its name, or in a sentence where case is
/// uninformative.
const MAX_ALLOWANCE: i32 = if partner::JOINED_ALLOWANCE > CASELESS_SENTENCE_ALLOWANCE {
    partner::JOINED_ALLOWANCE
} else {
    CASELESS_SENTENCE_ALLOWANCE
};

/// Returns whether a sentence has enough words, all in lower case or all in capitals, to make case uninformative.
fn is_caseless_sentence(note: &Note<'_>, at: usize) -> bool {
    if !note.is_word(at) || !note.any(at, NAME_AND_PLACE_CLASSES) {
        return false;
    }
    let sentence = note.layout().sentence_of(at).take(MAX_SENTENCE_TOKENS);
    let words = sentence.filter(|&word| note.is_word(word) && note.width(word) > 1);
    let (mut all, mut small, mut capitals) = (0, 0, 0);
    for word in words {
        all += 1;
        small += u64::from(note.case(word) == Case::Lower);
        capitals += u64::from(note.case(word) == Case::Upper);
    }
    all >= MIN_WORDS_FOR_CASE && (small == all || capitals == all)
}

/// How far the threshold is raised for a medical term that is capitalised because of its position: `Cough, seen by`. On
/// the notes of fourteen held-out batches this keeps four more words in ten thousand and leaks no name.
const SENTENCE_INITIAL_MARGIN: i32 = 2 * LOG_ODDS_SCALE;

/// Returns whether a medical term starts a line or a sentence, so that its capital letter is uninformative. First names
/// are excluded: `Iris slept`.
fn is_sentence_initial_term(note: &Note<'_>, at: usize) -> bool {
    let token = note.token(at);
    note.is_word(at)
        && note.case(at) == Case::Capital
        && (token.line_start() || token.sentence_start())
        && note.is(at, Class::Term)
        && !note.is(at, Class::FirstName)
}

/// The maximum number of tokens of a sentence to look at.
const MAX_SENTENCE_TOKENS: usize = 96;

/// Returns whether a token may be above its threshold, which is at least `lowest`. Most words are far below, whatever
/// the allowance.
fn may_be_found(note: &Note<'_>, at: usize, token: JudgedToken, lowest: i32) -> bool {
    let named = note.is_word(at) && note.any(at, NAME_AND_PLACE_CLASSES);
    let allowance = if named { MAX_ALLOWANCE } else { 0 };
    let unlisted = if token.is_unlisted() { UNLISTED_ALLOWANCE } else { 0 };
    token.phi_log_odds() > lowest - allowance - unlisted
}

impl Judgement {
    /// Adds findings for tokens above their thresholds, lower ones for words that are removed anyway; and marks the
    /// tokens whose uncertain findings do not count.
    pub(crate) fn report_findings(
        &mut self,
        note: &Note<'_>,
        policy: &Policy,
        sections: &SectionStrictness,
        findings: &mut Findings,
    ) {
        let thresholds = Thresholds::new(policy, sections, note, findings.bits_of_tokens());
        let all_go = policy.unknown == Unknown::Remove;
        let (allowed, caseless) = (policy.allowed(), is_caseless_note(findings.bits_of_tokens()));
        self.collect_rule_knowledge(note.len(), findings);
        let Self { judged, rule_knowledge, .. } = &*self;
        let above = |at: usize, less: i32| {
            let (token, known) = (judged.get(at)?, rule_knowledge.get(at)?);
            let told = token.label.kind_and_override(*known);
            let threshold = thresholds.threshold_at(at, told.0.category()) - less;
            // A label costs nothing on a word that is removed anyway, so its threshold is lower.
            let margin = match () {
                () if all_go && token.is_unlisted() => -UNLISTED_ALLOWANCE,
                () if token.is_in_long_term() => LOG_ODDS_SCALE,
                () if is_ordinary_token(note, at, allowed, caseless) => ORDINARY_MARGIN,
                () if is_sentence_initial_term(note, at) => SENTENCE_INITIAL_MARGIN,
                () => 0,
            };
            // The model does not judge what the site allows or a form that can be nothing else.
            let enough = token.phi_log_odds() > threshold + margin;
            let judged = enough && *known != RuleKnowledge::Allowed && !rules::is_fixed_form(note, at);
            judged.then_some(told)
        };
        let lowest = thresholds.lowest_threshold();
        let found = |at: usize| {
            judged.get(at).filter(|token| may_be_found(note, at, **token, lowest))?;
            above(at, 0).or_else(|| other_half_of_name(note, at, above)).or_else(|| {
                let doubtful = if caseless { None } else { above(at, CASELESS_SENTENCE_ALLOWANCE) };
                doubtful.filter(|_| is_caseless_sentence(note, at))
            })
        };
        let mut at = 0;
        while at < note.len() {
            let Some((kind, overrules)) = found(at) else {
                findings.mark_identifies_nobody(at);
                let is_harmless = |(token, known): (&JudgedToken, &RuleKnowledge)| {
                    let (kind, _) = token.label.kind_and_override(*known);
                    token.phi_log_odds()
                        <= thresholds.threshold_at(at, kind.category()) - required_margin_of_unvouched_number(note, at)
                };
                let is_part = note.is_number(at) || note.token(at).glued() || note.token(at + 1).glued();
                if is_part && judged.get(at).zip(rule_knowledge.get(at)).is_some_and(is_harmless) {
                    findings.set_harmless(at);
                }
                at += 1;
                continue;
            };
            let last = end_of_joined_name(note, at, |other| found(other) == Some((kind, overrules)));
            rules::add_judged(findings, at, last, kind, overrules);
            at = last;
        }
        findings.append_overruling();
        release(&mut self.rule_knowledge);
    }

    /// Frees the buffers that only a long note needs; nothing can be explained afterwards.
    pub(crate) fn release_scores(&mut self) {
        release(&mut self.judged);
    }

    /// Collects what rules know of each token: of two findings the one that agrees with the model's label, then the
    /// more certain.
    fn collect_rule_knowledge(&mut self, tokens: usize, findings: &Findings) {
        let Self { judged, rule_knowledge, .. } = self;
        rule_knowledge.clear();
        rule_knowledge.resize(tokens, RuleKnowledge::Nothing);
        for finding in findings.as_slice() {
            let known = match finding.verdict {
                Verdict::Remove(kind)
                    if finding.rule == SITE || finding.rule == KNOWN || is_detection(finding.rule) =>
                {
                    RuleKnowledge::Told(kind)
                }
                Verdict::Remove(kind) => RuleKnowledge::Found(kind, finding.certainty, false),
                Verdict::Keep if finding.rule == SITE || finding.certainty == Certainty::Sure => RuleKnowledge::Allowed,
                Verdict::Keep => continue,
            };
            let tokens = finding.first as usize..finding.end as usize;
            for (at, kind) in tokens.clone().zip(&mut rule_knowledge[tokens]) {
                let label = judged.get(at).map_or(Label::Other, |judged| judged.label);
                *kind = known.combined_with(*kind, label);
            }
        }
    }
}

/// What rules know of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RuleKnowledge {
    Nothing,
    /// The site allows it, or its form can be nothing but medicine.
    Allowed,
    /// The site or the caller says that it is this.
    Told(Kind),
    /// A rule removes it as this; the flag says whether a rule takes for a name what the model takes for a place.
    Found(Kind, Certainty, bool),
}

impl RuleKnowledge {
    /// Combines both for a token with this label: the kind that agrees with the label, else the more certain one, else
    /// the first.
    fn combined_with(self, earlier: Self, label: Label) -> Self {
        match (earlier, self) {
            (Self::Found(one, by, named), Self::Found(other, with, _)) => {
                let named = named || label.is_place_called(one) || label.is_place_called(other);
                let later = (label.includes_kind(other), with) > (label.includes_kind(one), by);
                if later { Self::Found(other, with, named) } else { Self::Found(one, by, named) }
            }
            (Self::Allowed | Self::Told(_), Self::Nothing | Self::Told(_) | Self::Found(..)) | (_, Self::Nothing) => {
                earlier
            }
            (_, Self::Found(kind, certainty, _)) => Self::Found(kind, certainty, label.is_place_called(kind)),
            (_, Self::Allowed | Self::Told(_)) => self,
        }
    }
}

impl Label {
    /// Returns the kind of a token with this label, and whether that overrides the rule that found it. A rule knows
    /// better which kind of place or number it is. But the model has seen the findings of rules, so where it takes a
    /// name for a place, it is a place.
    const fn kind_and_override(self, known: RuleKnowledge) -> (Kind, bool) {
        match known {
            RuleKnowledge::Told(kind) => (kind, false),
            RuleKnowledge::Found(kind, _, named) if self.includes_kind(kind) => (kind, named),
            RuleKnowledge::Found(_, _, true) => (self.default_kind(), true),
            RuleKnowledge::Found(kind, certainty, _)
                if !matches!(self, Self::Name) || !matches!(certainty, Certainty::Weak) =>
            {
                (kind, false)
            }
            _ => (self.default_kind(), false),
        }
    }

    /// Returns whether this label is a place but the kind is a name.
    const fn is_place_called(self, kind: Kind) -> bool {
        matches!(self, Self::Place) && matches!(kind.category(), Category::Name)
    }

    /// Returns whether the kind belongs to this label.
    const fn includes_kind(self, kind: Kind) -> bool {
        match self {
            Self::Name => matches!(kind.category(), Category::Name),
            Self::Place => matches!(kind.category(), Category::Location),
            Self::Date => matches!(kind.category(), Category::Date),
            Self::Other => false,
        }
    }

    /// Returns the kind to report where no rule is more specific.
    const fn default_kind(self) -> Kind {
        match self {
            Self::Name => Kind::Name,
            Self::Place => Kind::Organisation,
            Self::Date => Kind::Date,
            Self::Other => Kind::OtherId,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::tests::with_read;

    #[test]
    fn notes_without_capitals_or_all_in_capitals_are_judged_more_strictly() {
        let mixed = "Seen by Rose at noon. She slept well and ate her lunch.";
        let said = |text: &str| {
            let mut said = 0;
            with_read(text, |_, _, findings| said = log_odds_threshold(12, findings.bits_of_tokens()));
            said
        };
        // ln 12 and ln 30, times 32.
        assert_eq!(said(mixed), -80);
        assert_eq!(said(&mixed.to_lowercase()), -109);
        assert_eq!(said(&mixed.to_uppercase()), -109);
        // Seven words are too few to evaluate case, eight are enough.
        assert_eq!(said("she slept well and ate her lunch"), -80);
        assert_eq!(said("she slept well and ate all her lunch"), -109);
        // One word of fifty, and one of a hundred.
        assert_eq!(said(&format!("Rose {}", "slept ".repeat(48))), -80);
        assert_eq!(said(&format!("Rose {}", "slept ".repeat(99))), -109);
    }
}
