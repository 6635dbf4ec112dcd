//! Scores one document: its tokens and spans, and what the system did with them. All totals are sums of these.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::Options;
use crate::gold::GoldSpan;
use crate::label_map::join_category;
use crate::measures::{Counts, GroupTally, Labels, Tally};
use crate::mistakes::{Leak, Loss};
use crate::predictions::{PredictedSpan, category_of};
use crate::readability::{Readability, readability};
use crate::tokens::{fold_case, is_alphanumeric, is_digits, tokenize};

/// The scores of one document.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScoredDocument {
    pub(crate) words: u64,
    pub(crate) token: Tally,
    pub(crate) counts: Counts,
    pub(crate) category: BTreeMap<String, GroupTally>,
    pub(crate) subtype: BTreeMap<String, GroupTally>,
    pub(crate) risk: BTreeMap<String, GroupTally>,
    pub(crate) nursing: BTreeMap<String, GroupTally>,
    pub(crate) noise: BTreeMap<String, GroupTally>,
    pub(crate) typed: BTreeMap<String, Tally>,
    pub(crate) typed_spans: BTreeMap<String, Tally>,
    /// The categories and risk groups in the document, and those with a leak.
    pub(crate) present: Labels,
    pub(crate) leaked: Labels,
    pub(crate) present_risk: Labels,
    pub(crate) leaked_risk: Labels,
    pub(crate) predicted_categories: Labels,
    pub(crate) direct_leaks: u64,
    pub(crate) leaks: Vec<Leak>,
    pub(crate) losses: Vec<Loss>,
    pub(crate) readability: Readability,
    /// For each scored token, in order, whether the system was right.
    pub(crate) right: Vec<bool>,
    /// For each scored token, whether it is PHI.
    pub(crate) phi: Vec<bool>,
}

/// Words that join two dates to a range. Gold standards differ in whether they mark them: `generic.toml` has them for
/// spans that include them.
const RANGE_WORDS: [&str; 6] = ["to", "through", "thru", "until", "till", "til"];

/// The text with the gold span and the predicted span of each code point.
struct DocumentText<'a> {
    text: Vec<char>,
    gold: Vec<&'a GoldSpan>,
    predicted: &'a [PredictedSpan],
    /// The index of the gold span of each code point.
    owner: Vec<Option<u32>>,
    /// The index of the last predicted span over each code point.
    remover: Vec<Option<u32>>,
    /// The category of each predicted span; `kind_of` has the last span with a category over each code point.
    kinds: Vec<Option<String>>,
    kind_of: Vec<Option<u32>>,
}

impl<'a> DocumentText<'a> {
    fn new(text: &str, gold: &'a [GoldSpan], predicted: &'a [PredictedSpan]) -> Self {
        let text: Vec<char> = text.chars().collect();
        let mut gold: Vec<&GoldSpan> = gold.iter().collect();
        gold.sort_by_key(|span| span.start);
        let mut ground = Self {
            owner: vec![None; text.len()],
            remover: vec![None; text.len()],
            kind_of: vec![None; text.len()],
            kinds: predicted.iter().map(category_of).collect(),
            text,
            gold,
            predicted,
        };
        for (at, span) in ground.gold.iter().enumerate() {
            let range = clip_to_text(span.start, span.end, ground.owner.len());
            ground.owner[range].fill(Some(at as u32));
        }
        for (at, span) in predicted.iter().enumerate() {
            let range = clip_to_text(span.start, span.end, ground.remover.len());
            ground.remover[range.clone()].fill(Some(at as u32));
            if ground.kinds[at].is_some() {
                ground.kind_of[range].fill(Some(at as u32));
            }
        }
        ground
    }

    fn is_removed(&self, at: usize) -> bool {
        self.remover[at].is_some()
    }

    fn kind_of_remover(&self, at: usize) -> Option<&str> {
        self.kinds[self.kind_of[at]? as usize].as_deref()
    }

    fn folded_text(&self, places: impl IntoIterator<Item = usize>) -> String {
        fold_case(places.into_iter().map(|at| self.text[at]))
    }

    /// Returns whether a token outside all spans is the only one between the two dates of a range: *3/4 to 3/9*.
    fn joins_dates(&self, words: &[(usize, usize)], index: usize) -> bool {
        let date = |at: usize| {
            self.owner[at].is_some_and(|owner| {
                let span = self.gold[owner as usize];
                span.required && span.category == "DATE"
            })
        };
        let (start, end) = words[index];
        let (Some(before), Some(after)) = (index.checked_sub(1).map(|at| words[at]), words.get(index + 1)) else {
            return false;
        };
        date(before.1 - 1) && date(after.0) && RANGE_WORDS.contains(&self.folded_text(start..end).as_str())
    }

    fn gold_spans_in(&self, start: usize, end: usize) -> BTreeSet<u32> {
        self.owner[start..end].iter().flatten().copied().collect()
    }
}

fn clip_to_text(start: u32, end: u32, length: usize) -> std::ops::Range<usize> {
    let end = (end as usize).min(length);
    (start as usize).min(end)..end
}

/// The result for one gold span.
#[derive(Clone, Copy, Default)]
struct SpanOutcome {
    scored: u64,
    leaked: u64,
    hit: bool,
}

/// Scores one document. `typed` tells whether the system assigns categories at all.
pub(crate) fn score_document(
    text: &str,
    gold: &[GoldSpan],
    predicted: &[PredictedSpan],
    typed: bool,
    options: &Options,
) -> ScoredDocument {
    let ground = DocumentText::new(text, gold, predicted);
    let words = tokenize(&ground.text);
    let mut document = ScoredDocument { words: words.len() as u64, ..ScoredDocument::default() };
    let mut outcomes = vec![SpanOutcome::default(); ground.gold.len()];
    let mut phi_forms: HashSet<String> = HashSet::new();
    let mut other_words: Vec<(String, bool)> = Vec::new();
    for (index, &(start, end)) in words.iter().enumerate() {
        let owners = ground.gold_spans_in(start, end);
        if owners.is_empty() && (options.strict || !ground.joins_dates(&words, index)) {
            document.score_other_token(&ground, start, end, &mut other_words);
        }
        for owner in owners {
            let places: Vec<usize> = (start..end).filter(|&at| ground.owner[at] == Some(owner)).collect();
            let outcome = &mut outcomes[owner as usize];
            if let Some(form) = document.score_phi_token(&ground, owner, &places, outcome, typed, options) {
                phi_forms.insert(form);
            }
        }
    }
    document.score_ambiguous_words(&ground, &words, &phi_forms, &other_words, options);
    document.score_gold_spans(&ground, &outcomes, typed, options);
    document.score_predicted_spans(&ground, &outcomes);
    document.readability = readability(&ground.text, &words, &ground.remover);
    if typed {
        document.predicted_categories =
            ground.kind_of.iter().flatten().filter_map(|&at| ground.kinds[at as usize].clone()).collect();
    }
    document
}

impl ScoredDocument {
    /// Scores a token outside all gold spans.
    fn score_other_token(
        &mut self,
        ground: &DocumentText,
        start: usize,
        end: usize,
        other_words: &mut Vec<(String, bool)>,
    ) {
        let first = (start..end).find(|&at| ground.is_removed(at));
        self.counts.nonphi += 1;
        self.right.push(first.is_none());
        self.phi.push(false);
        other_words.push((ground.folded_text(start..end), first.is_some()));
        let Some(first) = first else { return };
        self.token.fp += 1;
        let kind = ground.kind_of_remover(first);
        // A span without a category makes no typed error.
        if let Some(kind) = kind {
            self.typed.entry(kind.to_owned()).or_default().fp += 1;
        }
        let span = ground.remover[first].map(|at| &ground.predicted[at as usize]);
        self.losses.push(Loss {
            word: ground.text[start..end].iter().collect(),
            category: kind.map(str::to_owned),
            reason: span.and_then(|span| span.reason.clone()),
            start: start as u32,
            end: end as u32,
        });
    }

    /// Scores the part of a token inside one gold span. Returns its folded form if it counts.
    fn score_phi_token(
        &mut self,
        ground: &DocumentText,
        owner: u32,
        places: &[usize],
        outcome: &mut SpanOutcome,
        typed: bool,
        options: &Options,
    ) -> Option<String> {
        let span = ground.gold[owner as usize];
        if !span.required {
            return None;
        }
        let caught = places.iter().all(|&at| ground.is_removed(at));
        let form = ground.folded_text(places.iter().copied());
        if !options.strict && options.generic.contains(&span.category, &form, span.clean.as_deref()) {
            self.counts.generic.count_gold(caught);
            return None;
        }
        outcome.scored += 1;
        outcome.leaked += u64::from(!caught);
        outcome.hit |= places.iter().any(|&at| ground.is_removed(at));
        self.token.count_gold(caught);
        self.right.push(caught);
        self.phi.push(true);
        let risk = self.count_in_groups(span, options, |group| group.tokens.count_gold(caught));
        if typed {
            let kind = if caught { ground.kind_of_remover(places[0]) } else { None };
            if kind == Some(&span.category) {
                self.typed.entry(span.category.clone()).or_default().tp += 1;
            } else {
                self.typed.entry(span.category.clone()).or_default().missed += 1;
                if let Some(kind) = kind {
                    self.typed.entry(kind.to_owned()).or_default().fp += 1;
                }
            }
        }
        if !caught {
            self.leaked.insert(span.category.clone());
            self.direct_leaks += u64::from(options.risk.order.first() == Some(&risk));
            self.leaked_risk.insert(risk);
        }
        Some(form)
    }

    /// Counts in every group of a span, and returns its risk group.
    fn count_in_groups(&mut self, span: &GoldSpan, options: &Options, count: impl Fn(&mut GroupTally)) -> String {
        let risk = options.risk.group_of(&span.category, &span.subtype).to_owned();
        let groups = [
            (&mut self.category, span.category.clone()),
            (&mut self.subtype, join_category(&span.category, &span.subtype)),
            (&mut self.risk, risk.clone()),
            (&mut self.nursing, options.nursing.group_of(&span.category, &span.subtype).to_owned()),
        ];
        for (group, name) in groups {
            count(group.entry(name).or_default());
        }
        for noise in noise_kinds_of_span(span) {
            count(self.noise.entry(noise).or_default());
        }
        risk
    }

    /// Scores words that are PHI in one place of the document but not in another.
    fn score_ambiguous_words(
        &mut self,
        ground: &DocumentText,
        words: &[(usize, usize)],
        phi_forms: &HashSet<String>,
        other_words: &[(String, bool)],
        options: &Options,
    ) {
        for (form, lost) in other_words {
            if phi_forms.contains(form) && !is_digits(form) {
                self.counts.ambiguous_nonphi += 1;
                self.counts.ambiguous_nonphi_lost += u64::from(*lost);
            }
        }
        let other_forms: HashSet<&str> = other_words.iter().map(|(form, _)| form.as_str()).collect();
        for &(start, end) in words {
            let first = ground.owner[start];
            let Some(owner) = first.filter(|_| ground.owner[start..end].iter().all(|&owner| owner == first)) else {
                continue;
            };
            let span = ground.gold[owner as usize];
            let form = ground.folded_text(start..end);
            if span.required
                && other_forms.contains(form.as_str())
                && !is_digits(&form)
                && !options.generic.contains(&span.category, &form, span.clean.as_deref())
            {
                self.counts.ambiguous_phi += 1;
                self.counts.ambiguous_phi_caught += u64::from((start..end).all(|at| ground.is_removed(at)));
            }
        }
    }

    fn score_gold_spans(&mut self, ground: &DocumentText, outcomes: &[SpanOutcome], typed: bool, options: &Options) {
        let exact: HashSet<(u32, u32, &str)> = ground
            .predicted
            .iter()
            .zip(&ground.kinds)
            .filter_map(|(span, kind)| Some((span.start, span.end, kind.as_deref()?)))
            .collect();
        for (span, outcome) in
            ground.gold.iter().zip(outcomes).filter(|(span, outcome)| span.required && outcome.scored > 0)
        {
            let range = clip_to_text(span.start, span.end, ground.text.len());
            let risk = options.risk.group_of(&span.category, &span.subtype).to_owned();
            self.present.insert(span.category.clone());
            self.present_risk.insert(risk.clone());
            let found = outcome.leaked == 0 && range.clone().any(|at| is_alphanumeric(ground.text[at]));
            self.counts.spans += 1;
            self.counts.found += u64::from(found);
            self.counts.touched += u64::from(outcome.hit);
            self.count_in_groups(span, options, |group| group.spans.count_gold(found));
            if typed {
                let partly = range.clone().any(|at| ground.kind_of_remover(at) == Some(&span.category));
                let exactly = exact.contains(&(span.start, span.end, span.category.as_str()));
                self.counts.partial_typed_gold += u64::from(partly);
                self.counts.exact_typed += u64::from(exactly);
                self.typed_spans.entry(span.category.clone()).or_default().count_gold(exactly);
            }
            if !found {
                self.leaks.push(Leak::new(span, &ground.text, range, |at| ground.is_removed(at), risk, options));
            }
        }
    }

    fn score_predicted_spans(&mut self, ground: &DocumentText, outcomes: &[SpanOutcome]) {
        let bounds: HashSet<(u32, u32)> = ground.gold.iter().map(|span| (span.start, span.end)).collect();
        for (span, kind) in ground.predicted.iter().zip(&ground.kinds) {
            let owners: BTreeSet<u32> =
                ground.owner[clip_to_text(span.start, span.end, ground.text.len())].iter().flatten().copied().collect();
            let scored = |owner: &&u32| ground.gold[**owner as usize].required && outcomes[**owner as usize].scored > 0;
            let counts = owners.iter().any(|owner| scored(&owner));
            let exact = counts && bounds.contains(&(span.start, span.end));
            self.counts.predicted += 1;
            self.counts.predicted_right += u64::from(!owners.is_empty());
            self.counts.predicted_optional += u64::from(!owners.is_empty() && !counts);
            self.counts.predicted_exact += u64::from(exact);
            if let Some(kind) = kind.as_ref().filter(|_| owners.is_empty() || counts) {
                let right = owners.iter().filter(scored).any(|owner| &ground.gold[*owner as usize].category == kind);
                self.counts.claimed += 1;
                self.counts.partial_typed_predicted += u64::from(right);
                let exactly = ground.gold.iter().zip(outcomes).any(|(gold, outcome)| {
                    outcome.scored > 0 && (gold.start, gold.end) == (span.start, span.end) && &gold.category == kind
                });
                if !exactly {
                    self.typed_spans.entry(kind.clone()).or_default().fp += 1;
                }
            }
        }
    }
}

/// Returns the kinds of noise of a span; `none` for an undamaged span of a damaged text.
fn noise_kinds_of_span(span: &GoldSpan) -> Vec<String> {
    match &span.noise {
        None => Vec::new(),
        Some(noise) if noise.is_empty() => vec!["none".to_owned()],
        Some(noise) => noise.clone(),
    }
}
