//! Features of the nearest negation words before and after a mention, and of the items between.

use super::features::{FeatureSink, MentionFeatureBuilder, distance_bucket, positions_before, positions_from};
use super::sentence_features::{END_CODE, Item, MAX_DISTANT_ITEMS};
use super::template::Template;

/// A summary of the items between a negation word and a mention.
#[derive(Clone, Copy, Debug, Default)]
struct ItemsBetween {
    /// The numbers of commas, verbs and mentions, each at most 2.
    commas: u64,
    verbs: u64,
    mentions: u64,
    /// Whether there is an "or" or "nor", and whether there is a person or a pronoun.
    joins: bool,
    person: bool,
    /// Whether there is a semicolon, a colon or a cue that terminates scopes.
    end: bool,
}

impl ItemsBetween {
    fn summarize(items: &[Item]) -> Self {
        let mut all = Self::default();
        for item in items {
            let add = |count: u64, is: bool| (count + u64::from(is)).min(2);
            all.commas = add(all.commas, item.is_mark(b','));
            all.verbs = add(all.verbs, item.has_flag(Item::VERB));
            all.mentions = add(all.mentions, item.has_flag(Item::TERM));
            all.joins |= item.has_flag(Item::JOINS);
            all.person |= item.has_flag(Item::PRONOUN);
            all.end |= item.cue == END_CODE || item.is_mark(b';') || item.is_mark(b':');
        }
        all
    }

    /// Packs all fields into one number.
    const fn packed(self) -> u64 {
        let flags = self.joins as u64 | (self.person as u64) << 1 | (self.end as u64) << 2;
        (self.commas * 9 + self.verbs * 3 + self.mentions) << 3 | flags
    }

    /// Packs whether the clause ends and the numbers of verbs and commas.
    const fn packed_clause(self) -> u64 {
        (self.end as u64) << 4 | self.verbs << 2 | self.commas
    }
}

impl<S: FeatureSink> MentionFeatureBuilder<'_, S> {
    /// Adds the features of the nearest negation word on each side.
    pub(super) fn add_denial_features(&mut self) {
        let denials = &self.sentence_features.denials;
        let (first, last) = (self.first, self.last);
        let near = positions_before(denials, first)
            .last()
            .map(|&at| usize::from(at))
            .filter(|at| first - at <= 2 * MAX_DISTANT_ITEMS);
        let after = positions_from(denials, last)
            .first()
            .map(|&at| usize::from(at))
            .filter(|at| at - last < 2 * MAX_DISTANT_ITEMS);
        if let Some(at) = near {
            self.add_features_of_denial(Template::Denied, at, at + 1, first);
        }
        if let Some(at) = after {
            self.add_features_of_denial(Template::DeniedAfter, at, last, at);
        }
    }

    fn add_features_of_denial(&mut self, template: Template, at: usize, first: usize, last: usize) {
        let between = ItemsBetween::summarize(&self.sentence_features.items[first..last]);
        let far = distance_bucket(last - first);
        let (stem, next) = (self.stem_at(at.cast_signed()), self.stem_at(at.cast_signed() + 1));
        self.add(template, between.packed(), far);
        self.add(template, stem << 8 | between.packed_clause(), 16);
        self.add(template, stem << 24 | next << 8 | u64::from(between.end), 17);
    }
}
