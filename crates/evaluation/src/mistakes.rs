//! Errors to inspect: leaks, and words that were removed without need.
//!
//! Gold text is PHI. Without context, a leak shows its position, category and shape (`Aaa 9/99`), and a lost word is
//! shown only if it is in lower case: a word with a capital may be a name that the gold standard missed.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Options;
use crate::document::ScoredDocument;
use crate::gold::GoldSpan;
use crate::label_map::join_category;
use crate::predictions::PredictedSpan;
use crate::tokens::word_shape;

/// A gold span with a leak.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leak {
    /// The name of the document.
    pub doc: String,
    /// The start in code points.
    pub start: u32,
    /// The end, exclusive.
    pub end: u32,
    /// The category.
    pub category: String,
    /// The subtype.
    pub subtype: String,
    /// The risk group.
    pub risk: String,
    /// The shape of the leaked text; `█` stands for removed characters.
    pub shape: String,
    /// Why it leaked, if the system gives reasons: the distinct reasons of its words, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The text, only with context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The surrounding text, only with context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

impl Leak {
    /// Sets the reason from the kept pieces that it overlaps, as far as the system gives reasons.
    pub(crate) fn set_reason_from_kept(&mut self, kept: &[PredictedSpan]) {
        let mut reasons: Vec<&str> = Vec::new();
        for piece in kept.iter().filter(|piece| piece.start < self.end && self.start < piece.end) {
            reasons.extend(piece.reason.as_deref().filter(|reason| !reasons.contains(reason)));
        }
        self.reason = (!reasons.is_empty()).then(|| reasons.join(", "));
    }

    pub(crate) fn new(
        span: &GoldSpan,
        text: &[char],
        range: Range<usize>,
        removed: impl Fn(usize) -> bool,
        risk: String,
        options: &Options,
    ) -> Self {
        let left: String = range.clone().map(|at| if removed(at) { '█' } else { text[at] }).collect();
        let around = range.start.saturating_sub(30)..(range.end + 20).min(text.len());
        let part = |range: Range<usize>| options.with_context.then(|| text[range].iter().collect::<String>());
        Self {
            doc: String::new(),
            start: span.start,
            end: span.end,
            category: span.category.clone(),
            subtype: span.subtype.clone(),
            risk,
            shape: word_shape(left.chars()),
            reason: None,
            text: part(range),
            context: part(around).map(|context| context.replace('\n', "↵")),
        }
    }
}

/// A word that was removed but is not PHI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loss {
    pub(crate) word: String,
    pub(crate) category: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// The number of leaks of one kind, or of lost words of one form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// The shape of a leak, or a lost word.
    pub form: String,
    /// The category: from the gold standard for a leak, from the system for a lost word.
    pub category: Option<String>,
    /// Why the system kept or removed it, if it gives a reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The number of occurrences.
    pub count: u64,
    /// The first occurrence: document, start and end.
    pub first: (String, u32, u32),
    /// The text around the first occurrence, only with context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

type Key = (String, Option<String>, Option<String>);

fn count_groups(all: impl Iterator<Item = (Key, (String, u32, u32), Option<String>)>) -> Vec<Counted> {
    let mut groups: BTreeMap<Key, Counted> = BTreeMap::new();
    for (key, first, context) in all {
        let (form, category, reason) = key.clone();
        groups.entry(key).or_insert(Counted { form, category, reason, count: 0, first, context }).count += 1;
    }
    let mut groups: Vec<Counted> = groups.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    groups
}

/// Counts leaks by form and category, the most frequent first.
pub(crate) fn count_leaks_by_form(leaks: &[Leak]) -> Vec<Counted> {
    count_groups(leaks.iter().map(|leak| {
        let form = leak.text.clone().unwrap_or_else(|| leak.shape.clone());
        let key = (form, Some(join_category(&leak.category, &leak.subtype)), leak.reason.clone());
        (key, (leak.doc.clone(), leak.start, leak.end), leak.context.clone())
    }))
}

/// Counts lost words by form, category and reason, the most frequent first.
pub(crate) fn count_lost_words_by_form(
    documents: &BTreeMap<String, ScoredDocument>,
    notes: &BTreeMap<String, String>,
    options: &Options,
) -> Vec<Counted> {
    let shown = |word: &str| {
        if options.with_context || word.chars().all(char::is_lowercase) {
            word.to_owned()
        } else {
            word_shape(word.chars())
        }
    };
    let all = documents.iter().flat_map(|(doc, document)| document.losses.iter().map(move |loss| (doc, loss)));
    let mut lost = count_groups(all.map(|(doc, loss)| {
        let key = (shown(&loss.word), loss.category.clone(), loss.reason.clone());
        (key, (doc.clone(), loss.start, loss.end), None)
    }));
    if options.with_context {
        for group in &mut lost {
            let (doc, start, end) = &group.first;
            let skip = (*start as usize).saturating_sub(30);
            let length = *end as usize + 20 - skip;
            let around = notes[doc].chars().skip(skip).take(length).collect::<String>();
            group.context = Some(around.replace('\n', "↵"));
        }
    }
    lost
}
