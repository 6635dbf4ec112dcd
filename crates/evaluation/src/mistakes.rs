//! Errors to look at: what leaked, and what was removed without need.
//!
//! Gold text is PHI. Unless context is asked for, a leak shows its place, category and shape (`Aaa 9/99`), and a lost
//! word is shown only when it is written in small letters: a word with a capital may be a name that the gold missed.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Options;
use crate::document::ScoredDocument;
use crate::gold::GoldSpan;
use crate::label_map::join_category;
use crate::predictions::PredictedSpan;
use crate::tokens::word_shape;

/// A gold span of which something was left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leak {
    /// The document.
    pub doc: String,
    /// The first code point.
    pub start: u32,
    /// One past the last code point.
    pub end: u32,
    /// The category.
    pub category: String,
    /// The subtype.
    pub subtype: String,
    /// The risk group.
    pub risk: String,
    /// What was left, as a shape; `█` stands for what was removed.
    pub shape: String,
    /// Why it was left, where the system gives a reason: each reason of its words once, in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Only with context: the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Only with context: the text around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

impl Leak {
    /// Says why it was left, as far as the system gives reasons: the reasons of the pieces that it touches.
    pub(crate) fn explain(&mut self, kept: &[PredictedSpan]) {
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

/// A word that is no PHI and was removed all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loss {
    pub(crate) word: String,
    pub(crate) category: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Leaks of one kind, or lost words of one form, with their number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// The shape of a leak, or a lost word.
    pub form: String,
    /// The category: the gold's for a leak, the system's for a lost word.
    pub category: Option<String>,
    /// Why the system left or removed it, where it gives a reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How often.
    pub count: u64,
    /// Where it stands first.
    pub first: (String, u32, u32),
    /// Only with context: the text around the first.
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

/// The leaks by form and category, the commonest first.
pub(crate) fn count_leaks_by_form(leaks: &[Leak]) -> Vec<Counted> {
    count_groups(leaks.iter().map(|leak| {
        let form = leak.text.clone().unwrap_or_else(|| leak.shape.clone());
        let key = (form, Some(join_category(&leak.category, &leak.subtype)), leak.reason.clone());
        (key, (leak.doc.clone(), leak.start, leak.end), leak.context.clone())
    }))
}

/// The lost words by form, category and reason, the commonest first.
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
