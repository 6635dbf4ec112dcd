//! Features of a mention, computed by the same code for training and for classification.

use super::hash::mix_three;
use super::sentence_features::{END_CODE, Item, Lead, MAX_DISTANT_ITEMS, Mention, SentenceFeatures, symbol};
use super::template::{MemoGroup, Reason, SentencePart, Side, Template, hash_feature, memo_key};

/// The number of items on each side whose exact position counts.
pub(super) const NEAR_ITEMS: usize = 3;
/// The maximum number of items between two mentions of a list.
const MAX_ITEMS_BETWEEN: usize = 3;

/// A receiver of features. The classifier overrides the methods for features of single items, which it reads from
/// tables.
pub(super) trait FeatureSink: Sized {
    fn add(&mut self, template: Template, hash: u64);

    /// Adds features with one reason that depend only on a [`memo_key`]; the classifier memoises the sum of their
    /// weights.
    #[inline]
    fn add_memoized(&mut self, _key: u64, _reason: Reason, read: impl FnOnce(&mut Self)) {
        read(self);
    }

    /// Adds the feature of a word in a part of a sentence.
    #[inline]
    fn add_word_in_part(&mut self, part: SentencePart, stem: u16) {
        self.add(part.template(), part.hash_word(stem));
    }

    /// Adds the features of the items next to a mention, the nearest first.
    #[inline]
    fn add_around_mention(&mut self, around: [[Item; NEAR_ITEMS]; 2]) {
        let [before, behind] = around;
        for (at, (before, behind)) in before.into_iter().zip(behind).enumerate() {
            let places = [(Side::Before, before), (Side::After, behind)];
            for (side, item) in places {
                self.add(side.adjacent_template(), hash_adjacent_symbol(side, at + 1, item.symbol));
            }
            for (side, item) in places {
                self.add(side.adjacent_template(), hash_adjacent_kind(side, at + 1, item.cue_or_word_kind()));
            }
        }
    }

    /// Adds the features of the items next to a list, the nearest first.
    #[inline]
    fn add_around_list(&mut self, around: [[Item; NEAR_ITEMS]; 2]) {
        for at in 0..NEAR_ITEMS {
            for side in Side::BOTH {
                self.add(
                    side.list_template(),
                    hash_kind_beside_list(side, at + 1, around[side as usize][at].cue_or_word_kind()),
                );
            }
            if at + 1 < NEAR_ITEMS {
                self.add(Template::ListBeforeTwo, hash_pair_before_list(around[0], at));
            }
        }
    }
}

/// Returns the feature of two consecutive items before a list.
#[inline]
pub(super) fn hash_pair_before_list(before: [Item; NEAR_ITEMS], at: usize) -> u64 {
    let [one, two] = [at, at + 1].map(|at| u64::from(before[at].cue_or_word_kind()));
    hash_feature(Template::ListBeforeTwo, two << 24 | one, at as u64 + 1)
}

/// Returns the feature of the word or mark at a distance from a mention.
#[inline]
pub(super) const fn hash_adjacent_symbol(side: Side, far: usize, symbol: u16) -> u64 {
    hash_feature(side.adjacent_template(), symbol as u64, far as u64)
}

/// Returns the feature of the kind of the item at a distance from a mention.
#[inline]
pub(super) const fn hash_adjacent_kind(side: Side, far: usize, kind: u32) -> u64 {
    hash_feature(side.adjacent_template(), kind as u64, 16 + far as u64)
}

/// Returns the feature of the kind of the item at a distance from a list.
#[inline]
pub(super) const fn hash_kind_beside_list(side: Side, far: usize, kind: u32) -> u64 {
    hash_feature(side.list_template(), kind as u64, far as u64)
}

impl FeatureSink for Vec<u64> {
    fn add(&mut self, _: Template, hash: u64) {
        self.push(hash);
    }
}

/// Returns the bucket of a distance in items, for features.
pub(super) const fn distance_bucket(far: usize) -> u64 {
    match far {
        0..=2 => far as u64,
        3..=4 => 3,
        5..=8 => 4,
        9..=14 => 5,
        _ => 6,
    }
}

/// The number of distance classes.
pub(super) const DISTANCE_CLASSES: usize = 3;

/// Returns the distance class of a word that counts anywhere in the window.
#[inline]
pub(super) const fn distance_class(far: usize) -> usize {
    match far {
        0..=3 => 0,
        4..=9 => 1,
        _ => 2,
    }
}

/// Returns two features of a word before or after a mention: with its distance class, and at any distance.
pub(super) const fn hash_word_at_distance(behind: bool, stem: u16, rough: usize) -> [u64; 2] {
    let template = if behind { Template::FarAfter } else { Template::FarBefore };
    [hash_feature(template, stem as u64, rough as u64), hash_feature(template, stem as u64, 9)]
}

/// Returns the feature of a pair of adjacent words before a mention.
pub(super) const fn hash_word_pair_before(one: u16, two: u16) -> u64 {
    hash_feature(Template::FarBeforeTwo, (one as u64) << 16 | two as u64, 0)
}

/// Adds all features of a mention.
pub(super) fn add_all_features(sentence_features: &SentenceFeatures, nth: usize, sink: &mut impl FeatureSink) {
    add_sentence_features(sentence_features, sink);
    add_distant_word_features(sentence_features, nth, sink);
    add_mention_features(sentence_features, nth, sink);
}

/// Adds the features that all mentions of a sentence share.
pub(super) fn add_sentence_features(sentence_features: &SentenceFeatures, sink: &mut impl FeatureSink) {
    let SentenceFeatures { past_section, lead: Lead { first, last, ago, after_empty_line }, .. } = *sentence_features;
    let (section, past, past_ago) =
        (sentence_features.section.into(), past_section.into(), distance_bucket(sentence_features.past_ago.into()));
    sink.add_memoized(memo_key(MemoGroup::Always, 0), Reason::Whole, |sink| add_feature(sink, Template::Always, 0, 0));
    sink.add_memoized(memo_key(MemoGroup::Above, section << 16 | past << 8 | past_ago), Reason::Above, |sink| {
        add_feature(sink, Template::Section, section, 0);
        add_feature(sink, Template::SectionBefore, past, 0);
        add_feature(sink, Template::SectionBefore, past, 1 + past_ago);
    });
    let [one, two] = sentence_features.stems_of_first_words();
    sink.add_word_in_part(SentencePart::First, one);
    sink.add_word_in_part(SentencePart::Second, two);
    for word in first {
        sink.add_word_in_part(SentencePart::Lead, word);
    }
    let (word, ago) = (first[0].into(), u64::from(ago.min(5)) << 1 | u64::from(after_empty_line));
    sink.add_memoized(memo_key(MemoGroup::Lead, word << 8 | ago), Reason::Above, |sink| {
        add_feature(sink, Template::Lead, word, 1 + ago);
    });
    for word in last {
        sink.add_word_in_part(SentencePart::LeadLast, word);
    }
}

/// Adds words and word pairs anywhere in the window; the classifier sums their weights from tables instead.
fn add_distant_word_features(sentence_features: &SentenceFeatures, nth: usize, sink: &mut impl FeatureSink) {
    let Mention { first, end: last, .. } = sentence_features.mentions[nth];
    let (first, last) = (usize::from(first), usize::from(last));
    for far in 0..MAX_DISTANT_ITEMS.min(first) {
        let at = first - 1 - far;
        let before = if at == 0 { symbol::NONE } else { sentence_features.items[at - 1].stem };
        let here = sentence_features.items[at].stem;
        for hash in hash_word_at_distance(false, here, distance_class(far)) {
            sink.add(Template::FarBefore, hash);
        }
        sink.add(Template::FarBeforeTwo, hash_word_pair_before(before, here));
    }
    for (far, item) in sentence_features.items[last..].iter().take(MAX_DISTANT_ITEMS).enumerate() {
        for hash in hash_word_at_distance(true, item.stem, distance_class(far)) {
            sink.add(Template::FarAfter, hash);
        }
    }
}

/// Adds the features that depend on the position of a mention.
pub(super) fn add_mention_features(sentence_features: &SentenceFeatures, nth: usize, sink: &mut impl FeatureSink) {
    let mention = sentence_features.mentions[nth];
    let (first, last) = (mention.first.into(), mention.end.into());
    let mut around = MentionFeatureBuilder { sentence_features, mention, nth, first, last, sink };
    around.add_cue_features();
    around.add_neighbouring_mentions();
    let near = around.add_adjacent_item_features();
    around.add_label_words();
    around.add_list_features(near);
    around.add_person_features();
    around.add_denial_features();
}

/// Adds a feature.
#[inline]
pub(super) fn add_feature(sink: &mut impl FeatureSink, template: Template, one: u64, two: u64) {
    sink.add(template, hash_feature(template, one, two));
}

/// Adds the features of a cue: with its distance and the kinds of marks between, and without.
fn add_phrase_feature(sink: &mut impl FeatureSink, template: Template, item: Item, far: usize, commas: u64) {
    let (cue, far) = (u64::from(item.cue), distance_bucket(far) << 2 | commas);
    sink.add_memoized(memo_key(MemoGroup::Phrase, (template as u64) << 16 | cue << 8 | far), Reason::Cues, |sink| {
        add_feature(sink, template, cue, far);
        add_feature(sink, template, cue, 99);
    });
}

/// Returns the positions before an item; `places` is sorted.
#[inline]
pub(super) fn positions_before(places: &[u16], item: usize) -> &[u16] {
    &places[..places.partition_point(|&at| usize::from(at) < item)]
}

/// Returns the positions at or after an item; `places` is sorted.
#[inline]
pub(super) fn positions_from(places: &[u16], item: usize) -> &[u16] {
    &places[positions_before(places, item).len()..]
}

/// A mention with its surroundings, and the sink for its features.
pub(super) struct MentionFeatureBuilder<'a, S> {
    pub(super) sentence_features: &'a SentenceFeatures,
    pub(super) mention: Mention,
    /// The index of the mention in the sentence.
    pub(super) nth: usize,
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) sink: &'a mut S,
}

impl<S: FeatureSink> MentionFeatureBuilder<'_, S> {
    #[inline]
    pub(super) fn add(&mut self, template: Template, one: u64, two: u64) {
        add_feature(self.sink, template, one, two);
    }

    #[inline]
    fn item_at(&self, place: isize) -> Item {
        // A negative place wraps to an index far out of range.
        self.sentence_features.items.get(place.cast_unsigned()).copied().unwrap_or(Item::NONE)
    }

    pub(super) fn stem_at(&self, place: isize) -> u64 {
        self.item_at(place).stem.into()
    }

    /// Returns the items before and after a range, the nearest first.
    #[inline]
    fn items_around(&self, first: usize, last: usize) -> [[Item; NEAR_ITEMS]; 2] {
        let (first, last) = (first.cast_signed(), last.cast_signed());
        Side::BOTH.map(|side| std::array::from_fn(|at| self.item_at(side.index_at_distance(first, last, at + 1))))
    }

    /// Adds the statuses asserted by cues, the section, the group and the surrounding cues.
    fn add_cue_features(&mut self) {
        let (said, section, group) =
            (self.mention.cue_statuses.into(), self.sentence_features.section.into(), self.mention.group.into());
        self.sink.add_memoized(memo_key(MemoGroup::Assertion, said), Reason::Cues, |sink| {
            for place in (0..8).filter(|place| said >> place & 1 != 0) {
                add_feature(sink, Template::Assertion, place, 0);
            }
            add_feature(sink, Template::AllAssertions, said, 0);
        });
        self.sink.add_memoized(memo_key(MemoGroup::SectionSaid, section << 8 | said), Reason::Above, |sink| {
            add_feature(sink, Template::SectionAndAssertion, section, said);
        });
        self.sink.add_memoized(memo_key(MemoGroup::Group, group), Reason::Whole, |sink| {
            add_feature(sink, Template::Group, group, 0);
        });
        let SentenceFeatures { items, phrases, marks, .. } = self.sentence_features;
        let (first, last) = (self.first, self.last);
        let commas = |at: &u16| items[usize::from(*at)].comma_and_semicolon_bits();
        let (mut all, mut marks_before) = (0, positions_before(marks, first).iter().rev().peekable());
        for at in positions_before(phrases, first)
            .iter()
            .rev()
            .map(|&at| usize::from(at))
            .take_while(|at| first - at <= MAX_DISTANT_ITEMS)
        {
            while let Some(mark) = marks_before.next_if(|&&mark| usize::from(mark) >= at) {
                all |= commas(mark);
            }
            add_phrase_feature(self.sink, Template::CueBefore, items[at], first - at, all);
        }
        let (mut all, mut marks_behind) = (0, positions_from(marks, last).iter().peekable());
        for at in positions_from(phrases, last)
            .iter()
            .map(|&at| usize::from(at))
            .take_while(|at| at - last < MAX_DISTANT_ITEMS)
        {
            while let Some(mark) = marks_behind.next_if(|&&mark| usize::from(mark) <= at) {
                all |= commas(mark);
            }
            add_phrase_feature(self.sink, Template::CueAfter, items[at], at + 1 - last, all);
        }
    }

    /// Adds the features of the previous and the next mention, and of the symbols between.
    fn add_neighbouring_mentions(&mut self) {
        let nth = self.nth;
        let mentions = &self.sentence_features.mentions;
        let said = u64::from(self.mention.cue_statuses);
        let other = |other: Mention| u64::from(other.cue_statuses) << 8 | said;
        if nth > 0 {
            let between = self.hash_symbols_between(mentions[nth - 1].end.into(), self.first);
            self.add_neighbouring_mention(Template::MentionBefore, other(mentions[nth - 1]), between);
        } else {
            self.sink.add_memoized(memo_key(MemoGroup::NoneBefore, said), Reason::List, |sink| {
                add_feature(sink, Template::MentionBefore, u64::MAX, said);
            });
        }
        if let Some(&behind) = mentions.get(nth + 1) {
            let between = self.hash_symbols_between(self.last, behind.first.into());
            self.add_neighbouring_mention(Template::MentionAfter, other(behind), between);
        }
    }

    /// Adds the feature of a neighbouring mention. It is memoised in the usual case, when `between` is 0 (far apart) or
    /// 1 (adjacent).
    fn add_neighbouring_mention(&mut self, template: Template, said: u64, between: u64) {
        if between > 1 {
            return self.add(template, said, between);
        }
        let all = (template as u64) << 24 | said << 1 | between;
        self.sink.add_memoized(memo_key(MemoGroup::NeighbouringMention, all), Reason::List, |sink| {
            add_feature(sink, template, said, between);
        });
    }

    /// Returns a hash of the symbols between two mentions: 1 if there are none, 0 if there are too many.
    fn hash_symbols_between(&self, first: usize, last: usize) -> u64 {
        if last.saturating_sub(first) > MAX_ITEMS_BETWEEN {
            return 0;
        }
        (first..last).fold(1, |all, at| mix_three(all, self.item_at(at.cast_signed()).symbol.into(), 7))
    }

    /// Adds the features of the nearest items by position, and returns these items.
    fn add_adjacent_item_features(&mut self) -> [[Item; NEAR_ITEMS]; 2] {
        let around = self.items_around(self.first, self.last);
        self.sink.add_around_mention(around);
        let [before, behind] = around.map(|side| u64::from(side[0].cue_or_word_kind()));
        self.add(Template::Sides, before << 24 | behind, 0);
        around
    }

    /// Adds the words before the last colon.
    fn add_label_words(&mut self) {
        let near = positions_before(&self.sentence_features.marks, self.first).iter().rev().map(|&at| usize::from(at));
        let mut near = near.take_while(|at| self.first - at <= MAX_DISTANT_ITEMS);
        if let Some(colon) = near.find(|&at| self.sentence_features.items[at].is_mark(b':')) {
            for (part, far) in [(SentencePart::Label, 1), (SentencePart::LabelBefore, 2)] {
                self.sink.add_word_in_part(part, self.item_at(colon.cast_signed() - far).stem);
            }
        }
    }

    /// Adds the features of the items before and after the list that contains the mention.
    fn add_list_features(&mut self, near: [[Item; NEAR_ITEMS]; 2]) {
        let nth = self.nth;
        let mentions = &self.sentence_features.mentions;
        let (mut first, mut one) = (self.first, nth);
        while one > 0
            && nth - one < 2 * MAX_DISTANT_ITEMS
            && self.is_joined_in_list(mentions[one - 1].end.into(), first)
        {
            one -= 1;
            first = mentions[one].first.into();
        }
        let (mut last, mut two) = (self.last, nth);
        while two + 1 < mentions.len()
            && two - nth < 2 * MAX_DISTANT_ITEMS
            && self.is_joined_in_list(last, mentions[two + 1].first.into())
        {
            two += 1;
            last = mentions[two].end.into();
        }
        let said = u64::from(mentions[one].cue_statuses) << 8 | u64::from(self.mention.cue_statuses);
        self.sink.add_memoized(memo_key(MemoGroup::List, said), Reason::List, |sink| {
            add_feature(sink, Template::MentionBefore, said, 1 << 40);
        });
        let alone = (first, last) == (self.first, self.last);
        self.sink.add_around_list(if alone { near } else { self.items_around(first, last) });
    }

    /// Returns whether only marks and a few words separate two mentions of a list.
    fn is_joined_in_list(&self, first: usize, last: usize) -> bool {
        if last <= first || last - first > MAX_ITEMS_BETWEEN {
            return false;
        }
        let between = &self.sentence_features.items[first..last];
        let over = |item: &Item| item.cue == END_CODE || item.is_mark(b';') || item.is_mark(b':');
        let joins = |item: &Item| item.is_mark(b',') || item.is_mark(b'/') || item.has_flag(Item::JOINS);
        !between.iter().any(over) && between.iter().any(joins)
    }
}
