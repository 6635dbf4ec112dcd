//! Features of a mention, computed in one place for training and for classification.

use super::hash::mix;
use super::sentence_features::{END, FAR, Item, Lead, Mention, SentenceFeatures, symbol};
use super::template::{Part, Reason, Side, Template, Together, feature, key};

/// How far words are looked at one by one, in items.
pub(super) const NEAR: usize = 3;
/// How many items may stand between two mentions of a list.
const BETWEEN: usize = 3;

/// Takes features. Those that depends on one item alone may be known beforehand: the classifier has them in tables.
pub(super) trait Sink: Sized {
    fn add(&mut self, template: Template, hash: u64);

    /// Some features of one reason that depends on nothing but a [`key`]: the classifier remembers what they weigh together.
    #[inline]
    fn together(&mut self, _key: u64, _reason: Reason, read: impl FnOnce(&mut Self)) {
        read(self);
    }

    /// Which word stands in some part of a sentence.
    #[inline]
    fn part(&mut self, part: Part, stem: u16) {
        self.add(part.template(), part.feature(stem));
    }

    /// What stands right before and after a mention, the nearest first.
    #[inline]
    fn add_around_mention(&mut self, around: [[Item; NEAR]; 2]) {
        let [before, behind] = around;
        for (at, (before, behind)) in before.into_iter().zip(behind).enumerate() {
            let places = [(Side::Before, before), (Side::Behind, behind)];
            for (side, item) in places {
                self.add(side.near(), near(side, at + 1, item.symbol));
            }
            for (side, item) in places {
                self.add(side.near(), near_kind(side, at + 1, item.kind()));
            }
        }
    }

    /// What stands before and after a list, the nearest first.
    #[inline]
    fn add_around_enumeration(&mut self, around: [[Item; NEAR]; 2]) {
        for at in 0..NEAR {
            for side in Side::BOTH {
                self.add(side.list(), beside_list(side, at + 1, around[side as usize][at].kind()));
            }
            if at + 1 < NEAR {
                self.add(Template::ListBeforeTwo, list_two(around[0], at));
            }
        }
    }
}

/// The feature of two that stand before a list.
#[inline]
pub(super) fn list_two(before: [Item; NEAR], at: usize) -> u64 {
    let [one, two] = [at, at + 1].map(|at| u64::from(before[at].kind()));
    feature(Template::ListBeforeTwo, two << 24 | one, at as u64 + 1)
}

/// The feature of the word or mark that stands right before or after a mention.
#[inline]
pub(super) const fn near(side: Side, far: usize, symbol: u16) -> u64 {
    feature(side.near(), symbol as u64, far as u64)
}

/// The feature of the kind of what stands there.
#[inline]
pub(super) const fn near_kind(side: Side, far: usize, kind: u32) -> u64 {
    feature(side.near(), kind as u64, 16 + far as u64)
}

/// The feature of the kind of what stands before or after a list.
#[inline]
pub(super) const fn beside_list(side: Side, far: usize, kind: u32) -> u64 {
    feature(side.list(), kind as u64, far as u64)
}

impl Sink for Vec<u64> {
    fn add(&mut self, _: Template, hash: u64) {
        self.push(hash);
    }
}

/// How far something is, roughly.
pub(super) const fn bucket(far: usize) -> u64 {
    match far {
        0..=2 => far as u64,
        3..=4 => 3,
        5..=8 => 4,
        9..=14 => 5,
        _ => 6,
    }
}

/// How many distances of words there are.
pub(super) const ROUGH: usize = 3;

/// How far a word is, of those that count wherever they stand.
#[inline]
pub(super) const fn rough(far: usize) -> usize {
    match far {
        0..=3 => 0,
        4..=9 => 1,
        _ => 2,
    }
}

/// The features of a word before or after a mention, at one of the distances.
pub(super) const fn single(behind: bool, stem: u16, rough: usize) -> [u64; 2] {
    let template = if behind { Template::FarBehind } else { Template::FarBefore };
    [feature(template, stem as u64, rough as u64), feature(template, stem as u64, 9)]
}

/// The feature of two words before a mention.
pub(super) const fn pair(one: u16, two: u16) -> u64 {
    feature(Template::FarBeforeTwo, (one as u64) << 16 | two as u64, 0)
}

/// All features of a mention.
pub(super) fn read(sentence_features: &SentenceFeatures, nth: usize, sink: &mut impl Sink) {
    sentence(sentence_features, sink);
    words(sentence_features, nth, sink);
    mention(sentence_features, nth, sink);
}

/// What all mentions of a sentence share.
pub(super) fn sentence(sentence_features: &SentenceFeatures, sink: &mut impl Sink) {
    let SentenceFeatures { past_section, lead: Lead { first, last, ago, apart }, .. } = *sentence_features;
    let (section, past, past_ago) =
        (sentence_features.section.into(), past_section.into(), bucket(sentence_features.past_ago.into()));
    sink.together(key(Together::Always, 0), Reason::Whole, |sink| add(sink, Template::Always, 0, 0));
    sink.together(key(Together::Above, section << 16 | past << 8 | past_ago), Reason::Above, |sink| {
        add(sink, Template::Section, section, 0);
        add(sink, Template::SectionBefore, past, 0);
        add(sink, Template::SectionBefore, past, 1 + past_ago);
    });
    let [one, two] = sentence_features.first_words();
    sink.part(Part::First, one);
    sink.part(Part::Second, two);
    for word in first {
        sink.part(Part::Lead, word);
    }
    let (word, ago) = (first[0].into(), u64::from(ago.min(5)) << 1 | u64::from(apart));
    sink.together(key(Together::Lead, word << 8 | ago), Reason::Above, |sink| add(sink, Template::Lead, word, 1 + ago));
    for word in last {
        sink.part(Part::LeadLast, word);
    }
}

/// Words that count wherever they stand: the same as weights of single words and pairs, added up.
fn words(sentence_features: &SentenceFeatures, nth: usize, sink: &mut impl Sink) {
    let Mention { first, last, .. } = sentence_features.mentions[nth];
    let (first, last) = (usize::from(first), usize::from(last));
    for far in 0..FAR.min(first) {
        let at = first - 1 - far;
        let before = if at == 0 { symbol::NONE } else { sentence_features.items[at - 1].stem };
        let here = sentence_features.items[at].stem;
        for hash in single(false, here, rough(far)) {
            sink.add(Template::FarBefore, hash);
        }
        sink.add(Template::FarBeforeTwo, pair(before, here));
    }
    for (far, item) in sentence_features.items[last..].iter().take(FAR).enumerate() {
        for hash in single(true, item.stem, rough(far)) {
            sink.add(Template::FarBehind, hash);
        }
    }
}

/// Features that depend on the place of a mention.
pub(super) fn mention(sentence_features: &SentenceFeatures, nth: usize, sink: &mut impl Sink) {
    let mention = sentence_features.mentions[nth];
    let (first, last) = (mention.first.into(), mention.last.into());
    let mut around = Around { sentence_features, mention, nth, first, last, sink };
    around.cues();
    around.beside();
    let near = around.near();
    around.label();
    around.list(near);
    around.persons();
    around.denials();
}

/// Adds a feature.
#[inline]
pub(super) fn add(sink: &mut impl Sink, template: Template, one: u64, two: u64) {
    sink.add(template, feature(template, one, two));
}

/// A phrase, with how far it is and which marks stand between.
fn phrase(sink: &mut impl Sink, template: Template, item: Item, far: usize, commas: u64) {
    let (cue, far) = (u64::from(item.cue), bucket(far) << 2 | commas);
    sink.together(key(Together::Phrase, (template as u64) << 16 | cue << 8 | far), Reason::Cues, |sink| {
        add(sink, template, cue, far);
        add(sink, template, cue, 99);
    });
}

/// The places in order that stand before an item.
#[inline]
pub(super) fn before(places: &[u16], item: usize) -> &[u16] {
    &places[..places.partition_point(|&at| usize::from(at) < item)]
}

/// Those at an item or after it.
#[inline]
pub(super) fn behind(places: &[u16], item: usize) -> &[u16] {
    &places[before(places, item).len()..]
}

/// A mention and what surrounds it.
pub(super) struct Around<'a, S> {
    pub(super) sentence_features: &'a SentenceFeatures,
    pub(super) mention: Mention,
    /// Which mention of the sentence it is, from 0.
    pub(super) nth: usize,
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) sink: &'a mut S,
}

impl<S: Sink> Around<'_, S> {
    #[inline]
    pub(super) fn add(&mut self, template: Template, one: u64, two: u64) {
        add(self.sink, template, one, two);
    }

    #[inline]
    fn at(&self, place: isize) -> Item {
        // Before the first is after all.
        self.sentence_features.items.get(place.cast_unsigned()).copied().unwrap_or(Item::NONE)
    }

    pub(super) fn stem(&self, place: isize) -> u64 {
        self.at(place).stem.into()
    }

    /// What stands before and after, the nearest first.
    #[inline]
    fn around(&self, first: usize, last: usize) -> [[Item; NEAR]; 2] {
        let (first, last) = (first.cast_signed(), last.cast_signed());
        Side::BOTH.map(|side| std::array::from_fn(|at| self.at(side.place(first, last, at + 1))))
    }

    /// The statuses by cues, and the cues around.
    fn cues(&mut self) {
        let (said, section, group) =
            (self.mention.said.into(), self.sentence_features.section.into(), self.mention.group.into());
        self.sink.together(key(Together::Assertion, said), Reason::Cues, |sink| {
            for place in (0..8).filter(|place| said >> place & 1 != 0) {
                add(sink, Template::Assertion, place, 0);
            }
            add(sink, Template::SaidAll, said, 0);
        });
        self.sink.together(key(Together::SectionSaid, section << 8 | said), Reason::Above, |sink| {
            add(sink, Template::SectionSaid, section, said);
        });
        self.sink.together(key(Together::Group, group), Reason::Whole, |sink| add(sink, Template::Group, group, 0));
        let SentenceFeatures { items, phrases, marks, .. } = self.sentence_features;
        let (first, last) = (self.first, self.last);
        let commas = |at: &u16| items[usize::from(*at)].comma();
        let (mut all, mut marks_before) = (0, before(marks, first).iter().rev().peekable());
        for at in before(phrases, first).iter().rev().map(|&at| usize::from(at)).take_while(|at| first - at <= FAR) {
            while let Some(mark) = marks_before.next_if(|&&mark| usize::from(mark) >= at) {
                all |= commas(mark);
            }
            phrase(self.sink, Template::CueBefore, items[at], first - at, all);
        }
        let (mut all, mut marks_behind) = (0, behind(marks, last).iter().peekable());
        for at in behind(phrases, last).iter().map(|&at| usize::from(at)).take_while(|at| at - last < FAR) {
            while let Some(mark) = marks_behind.next_if(|&&mark| usize::from(mark) <= at) {
                all |= commas(mark);
            }
            phrase(self.sink, Template::CueBehind, items[at], at + 1 - last, all);
        }
    }

    /// Mentions beside it, and what stands between.
    fn beside(&mut self) {
        let nth = self.nth;
        let mentions = &self.sentence_features.mentions;
        let said = u64::from(self.mention.said);
        let other = |other: Mention| u64::from(other.said) << 8 | said;
        if nth > 0 {
            let between = self.between(mentions[nth - 1].last.into(), self.first);
            self.other(Template::MentionBefore, other(mentions[nth - 1]), between);
        } else {
            self.sink.together(key(Together::NoneBefore, said), Reason::List, |sink| {
                add(sink, Template::MentionBefore, u64::MAX, said);
            });
        }
        if let Some(&behind) = mentions.get(nth + 1) {
            let between = self.between(self.last, behind.first.into());
            self.other(Template::MentionBehind, other(behind), between);
        }
    }

    /// Another mention, and what stands between: nothing that counts between most.
    fn other(&mut self, template: Template, said: u64, between: u64) {
        if between > 1 {
            return self.add(template, said, between);
        }
        let all = (template as u64) << 24 | said << 1 | between;
        self.sink.together(key(Together::Other, all), Reason::List, |sink| add(sink, template, said, between));
    }

    /// What stands between two mentions, if it is little.
    fn between(&self, first: usize, last: usize) -> u64 {
        if last.saturating_sub(first) > BETWEEN {
            return 0;
        }
        (first..last).fold(1, |all, at| mix(all, self.at(at.cast_signed()).symbol.into(), 7))
    }

    /// Words by their place.
    fn near(&mut self) -> [[Item; NEAR]; 2] {
        let around = self.around(self.first, self.last);
        self.sink.add_around_mention(around);
        let [before, behind] = around.map(|side| u64::from(side[0].kind()));
        self.add(Template::Sides, before << 24 | behind, 0);
        around
    }

    /// The words before the last colon.
    fn label(&mut self) {
        let near = before(&self.sentence_features.marks, self.first).iter().rev().map(|&at| usize::from(at));
        let mut near = near.take_while(|at| self.first - at <= FAR);
        if let Some(colon) = near.find(|&at| self.sentence_features.items[at].is_mark(b':')) {
            for (part, far) in [(Part::Label, 1), (Part::LabelBefore, 2)] {
                self.sink.part(part, self.at(colon.cast_signed() - far).stem);
            }
        }
    }

    /// What stands before and after the list of mentions in which it stands.
    fn list(&mut self, near: [[Item; NEAR]; 2]) {
        let nth = self.nth;
        let mentions = &self.sentence_features.mentions;
        let (mut first, mut one) = (self.first, nth);
        while one > 0 && nth - one < 2 * FAR && self.joined(mentions[one - 1].last.into(), first) {
            one -= 1;
            first = mentions[one].first.into();
        }
        let (mut last, mut two) = (self.last, nth);
        while two + 1 < mentions.len() && two - nth < 2 * FAR && self.joined(last, mentions[two + 1].first.into()) {
            two += 1;
            last = mentions[two].last.into();
        }
        let said = u64::from(mentions[one].said) << 8 | u64::from(self.mention.said);
        self.sink.together(key(Together::List, said), Reason::List, |sink| {
            add(sink, Template::MentionBefore, said, 1 << 40);
        });
        let alone = (first, last) == (self.first, self.last);
        self.sink.add_around_enumeration(if alone { near } else { self.around(first, last) });
    }

    /// Whether nothing but marks and few words stand between two mentions of a list.
    fn joined(&self, first: usize, last: usize) -> bool {
        if last <= first || last - first > BETWEEN {
            return false;
        }
        let between = &self.sentence_features.items[first..last];
        let over = |item: &Item| item.cue == END || item.is_mark(b';') || item.is_mark(b':');
        let joins = |item: &Item| item.is_mark(b',') || item.is_mark(b'/') || item.is(Item::JOINS);
        !between.iter().any(over) && between.iter().any(joins)
    }
}
