//! What is seen of a mention: the one place where features are made, for those who learn and for those who judge.

use std::ops::Range;

use super::hash::mix;
use super::persons::{Named, Persons};
use super::scene::{END, FAR, Item, Lead, Mention, PERSON, Scene, symbol};
use super::template::{Side, Template};

/// How far words are looked at one by one, in items.
pub(super) const NEAR: usize = 3;
/// How many items may stand between two mentions of a list.
const BETWEEN: usize = 3;

/// Takes features. Those that hang on one item alone may be known beforehand: who judges has them in tables.
pub(super) trait Sink {
    fn add(&mut self, template: Template, hash: u64);

    /// Which word or mark stands right before or behind a mention.
    #[inline]
    fn near(&mut self, side: Side, far: usize, symbol: u16) {
        self.add(side.near(), near(side, far, symbol));
    }

    /// Of what kind it is that stands there.
    #[inline]
    fn near_kind(&mut self, side: Side, far: usize, kind: u32) {
        self.add(side.near(), near_kind(side, far, kind));
    }

    /// Of what kind it is that stands before or behind a list.
    #[inline]
    fn beside_list(&mut self, side: Side, far: usize, kind: u32) {
        self.add(side.list(), beside_list(side, far, kind));
    }
}

/// The feature of the word or mark that stands right before or behind a mention.
#[inline]
pub(super) const fn near(side: Side, far: usize, symbol: u16) -> u64 {
    feature(side.near(), symbol as u64, far as u64)
}

/// The feature of the kind of what stands there.
#[inline]
pub(super) const fn near_kind(side: Side, far: usize, kind: u32) -> u64 {
    feature(side.near(), kind as u64, 16 + far as u64)
}

/// The feature of the kind of what stands before or behind a list.
#[inline]
pub(super) const fn beside_list(side: Side, far: usize, kind: u32) -> u64 {
    feature(side.list(), kind as u64, far as u64)
}

/// What tells the kinds that phrases are from those that words are.
pub(super) const PHRASE: u32 = 1 << 20;

impl Sink for Vec<u64> {
    fn add(&mut self, _: Template, hash: u64) {
        self.push(hash);
    }
}

/// How far something is, roughly.
const fn bucket(far: usize) -> u64 {
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

/// A feature.
#[inline]
const fn feature(template: Template, one: u64, two: u64) -> u64 {
    mix(template as u64 + 1, one, two)
}

/// The features of a word before or behind a mention, at one of the distances.
pub(super) const fn single(behind: bool, stem: u16, rough: usize) -> [u64; 2] {
    let template = if behind { Template::FarBehind } else { Template::FarBefore };
    [feature(template, stem as u64, rough as u64), feature(template, stem as u64, 9)]
}

/// The feature of two words before a mention.
pub(super) const fn pair(one: u16, two: u16) -> u64 {
    feature(Template::FarBeforeTwo, (one as u64) << 16 | two as u64, 0)
}

/// All features of a mention.
pub(super) fn read(scene: &Scene, nth: usize, sink: &mut impl Sink) {
    sentence(scene, sink);
    words(scene, nth, sink);
    mention(scene, nth, sink);
}

/// What all mentions of a sentence share.
pub(super) fn sentence(scene: &Scene, sink: &mut impl Sink) {
    let mut add = |template, one, two| sink.add(template, feature(template, one, two));
    let Scene { past_section, past_ago, lead: Lead { first, last, ago, apart }, .. } = *scene;
    add(Template::Always, 0, 0);
    add(Template::Section, scene.section.into(), 0);
    add(Template::SectionBefore, past_section.into(), 0);
    add(Template::SectionBefore, past_section.into(), 1 + bucket(past_ago.into()));
    let [one, two] = scene.first_words().map(u64::from);
    add(Template::First, one, 0);
    add(Template::First, two, 99);
    for word in first {
        add(Template::Lead, word.into(), 0);
    }
    add(Template::Lead, first[0].into(), 1 + (u64::from(ago.min(5)) << 1 | u64::from(apart)));
    for word in last {
        add(Template::Lead, word.into(), 100);
    }
}

/// Words that count wherever they stand: the same as weights of single words and pairs, added up.
fn words(scene: &Scene, nth: usize, sink: &mut impl Sink) {
    let Mention { first, last, .. } = scene.mentions[nth];
    let (first, last) = (usize::from(first), usize::from(last));
    for far in 0..FAR.min(first) {
        let at = first - 1 - far;
        let before = if at == 0 { symbol::NONE } else { scene.items[at - 1].stem };
        let here = scene.items[at].stem;
        for hash in single(false, here, rough(far)) {
            sink.add(Template::FarBefore, hash);
        }
        sink.add(Template::FarBeforeTwo, pair(before, here));
    }
    for (far, item) in scene.items[last..].iter().take(FAR).enumerate() {
        for hash in single(true, item.stem, rough(far)) {
            sink.add(Template::FarBehind, hash);
        }
    }
}

/// What is seen from the place of a mention.
pub(super) fn mention(scene: &Scene, nth: usize, sink: &mut impl Sink) {
    let mention = scene.mentions[nth];
    let (first, last) = (mention.first.into(), mention.last.into());
    let mut around = Around { scene, mention, first, last, sink };
    around.cues();
    around.beside(nth);
    around.near();
    around.label();
    around.list(nth);
    around.persons();
}

/// A phrase, with how far it is and which marks stand between.
fn phrase(sink: &mut impl Sink, template: Template, item: Item, far: usize, commas: u64) {
    sink.add(template, feature(template, item.cue.into(), bucket(far) << 2 | commas));
    sink.add(template, feature(template, item.cue.into(), 99));
}

struct Around<'a, S> {
    scene: &'a Scene,
    mention: Mention,
    first: usize,
    last: usize,
    sink: &'a mut S,
}

impl<S: Sink> Around<'_, S> {
    #[inline]
    fn add(&mut self, template: Template, one: u64, two: u64) {
        self.sink.add(template, feature(template, one, two));
    }

    fn at(&self, place: isize) -> Item {
        let item = usize::try_from(place).ok().and_then(|place| self.scene.items.get(place));
        item.copied().unwrap_or(Item::NONE)
    }

    fn symbol(&self, place: isize) -> u16 {
        self.at(place).symbol
    }

    fn stem(&self, place: isize) -> u64 {
        self.at(place).stem.into()
    }

    /// What phrase begins there, or what word it is.
    fn kind(&self, place: isize) -> u32 {
        let item = self.at(place);
        match item.cue {
            0 if item.is(Item::TERM) => symbol::TERM.into(),
            0 => item.stem.into(),
            cue => PHRASE | u32::from(cue),
        }
    }

    /// What cues say of it, and what phrases stand around.
    fn cues(&mut self) {
        let said = u64::from(self.mention.said);
        for place in (0..8).filter(|place| said >> place & 1 != 0) {
            self.add(Template::Said, place, 0);
        }
        self.add(Template::SaidAll, said, 0);
        self.add(Template::SectionSaid, self.scene.section.into(), said);
        self.add(Template::Group, self.mention.group.into(), 0);
        let (first, last) = (self.first, self.last);
        let before = first.saturating_sub(FAR)..first;
        let behind = last..self.scene.items.len().min(last + FAR);
        let phrases = |within: &Range<usize>| {
            let place = |at: usize| self.scene.phrases.partition_point(|&phrase| usize::from(phrase) < at);
            self.scene.phrases[place(within.start)..place(within.end)].iter().map(|&at| usize::from(at))
        };
        let (mut commas, mut from) = (0, first);
        for at in phrases(&before).rev() {
            commas |= self.commas(at..from);
            from = at;
            phrase(self.sink, Template::CueBefore, self.scene.items[at], first - at, commas);
        }
        let (mut commas, mut from) = (0, last);
        for at in phrases(&behind) {
            commas |= self.commas(from..at + 1);
            from = at + 1;
            phrase(self.sink, Template::CueBehind, self.scene.items[at], at + 1 - last, commas);
        }
    }

    /// Whether there is a comma, and whether a semicolon.
    fn commas(&self, items: Range<usize>) -> u64 {
        let mark = |item: &Item| u64::from(item.is_mark(b',')) | u64::from(item.is_mark(b';')) << 1;
        self.scene.items[items].iter().fold(0, |all, item| all | mark(item))
    }

    /// Mentions beside it, and what stands between.
    fn beside(&mut self, nth: usize) {
        let mentions = &self.scene.mentions;
        let said = u64::from(self.mention.said);
        let other = |other: Mention| u64::from(other.said) << 8 | said;
        if nth > 0 {
            let between = self.between(mentions[nth - 1].last.into(), self.first);
            self.add(Template::MentionBefore, other(mentions[nth - 1]), between);
        } else {
            self.add(Template::MentionBefore, u64::MAX, said);
        }
        if let Some(&behind) = mentions.get(nth + 1) {
            let between = self.between(self.last, behind.first.into());
            self.add(Template::MentionBehind, other(behind), between);
        }
    }

    /// What stands between two mentions, if it is little.
    fn between(&self, first: usize, last: usize) -> u64 {
        if last.saturating_sub(first) > BETWEEN {
            return 0;
        }
        (first..last).fold(1, |all, at| mix(all, self.symbol(at.cast_signed()).into(), 7))
    }

    /// Words by their place.
    fn near(&mut self) {
        let (first, last) = (self.first.cast_signed(), self.last.cast_signed());
        for far in 1..=NEAR {
            let places = Side::BOTH.map(|side| (side, side.place(first, last, far)));
            for (side, place) in places {
                self.sink.near(side, far, self.symbol(place));
            }
            for (side, place) in places {
                self.sink.near_kind(side, far, self.kind(place));
            }
        }
        let (before, behind) = (self.kind(first - 1), self.kind(last));
        self.add(Template::Sides, u64::from(before) << 24 | u64::from(behind), 0);
    }

    /// The words before the last colon.
    fn label(&mut self) {
        let mut before = (self.first.saturating_sub(FAR)..self.first).rev();
        if let Some(colon) = before.find(|&at| self.scene.items[at].is_mark(b':')) {
            self.add(Template::Label, self.stem(colon.cast_signed() - 1), 0);
            self.add(Template::Label, self.stem(colon.cast_signed() - 2), 1);
        }
    }

    /// What stands before and behind the list of mentions in which it stands.
    fn list(&mut self, nth: usize) {
        let mentions = &self.scene.mentions;
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
        self.add(Template::MentionBefore, said, 1 << 40);
        let (first, last) = (first.cast_signed(), last.cast_signed());
        for far in 1..=NEAR {
            let [before, behind] = Side::BOTH.map(|side| self.kind(side.place(first, last, far)));
            self.sink.beside_list(Side::Before, far, before);
            self.sink.beside_list(Side::Behind, far, behind);
            if far < NEAR {
                let two = self.kind(Side::Before.place(first, last, far + 1));
                self.add(Template::ListBeforeTwo, u64::from(two) << 24 | u64::from(before), far as u64);
            }
        }
    }

    /// Whether nothing but marks and few words stand between two mentions of a list.
    fn joined(&self, first: usize, last: usize) -> bool {
        if last <= first || last - first > BETWEEN {
            return false;
        }
        let between = &self.scene.items[first..last];
        let over = |item: &Item| item.cue == END || item.is_mark(b';') || item.is_mark(b':');
        let joins = |item: &Item| item.is_mark(b',') || item.is_mark(b'/') || item.is(Item::JOINS);
        !between.iter().any(over) && between.iter().any(joins)
    }

    /// Of whom the text speaks.
    fn persons(&mut self) {
        let persons = Persons::around(self.scene, self.mention);
        if let Some(at) = persons.subject {
            self.subject(at);
        }
        let Persons { named, spoken, apart, .. } = persons;
        let (apart, carried) = (u64::from(apart), u64::from(persons.subject.is_none()));
        let (kind, stem, spoken) = (Named::by(named) as u64, u64::from(named.stem), u64::from(spoken));
        self.add(Template::Named, stem, apart);
        self.add(Template::Named, kind, 8 + apart);
        self.add(Template::Named, kind << 16 | spoken, 16 + 4 * carried + apart);
        self.add(Template::Named, stem << 16 | spoken, 32 + carried);
        if let Some(at) = persons.here {
            self.named_here(at, kind);
        }
        if let Some(at) = persons.first {
            let kind = (Named::by(self.scene.items[at]) as u64) << 1 | u64::from(at < self.first);
            self.add(Template::Named, kind << 16 | self.stem(at.cast_signed() + 1), 44 + u64::from(at > 2));
        }
        if let Some(at) = persons.behind {
            let behind = Named::by(self.scene.items[at]) as u64;
            self.add(Template::NamedBehind, behind, bucket(at - self.last));
            self.add(Template::NamedBehind, behind << 16 | self.stem(at.cast_signed() - 1), 8);
            self.add(Template::NamedBehind, behind << 16 | kind, 16 + apart);
        }
        let newborn = u64::from(self.scene.newborn);
        self.add(Template::Newborn, newborn, 0);
        self.add(Template::Newborn, newborn << 2 | kind, 1 + apart);
        self.add(Template::Newborn, newborn << 16 | stem, 6);
    }

    /// The last person or pronoun before it.
    fn subject(&mut self, at: usize) {
        let (item, place) = (self.scene.items[at], at.cast_signed());
        let kind = if item.cue == PERSON { u64::from(PHRASE) } else { u64::from(item.stem) };
        self.add(Template::Subject, item.stem.into(), 0);
        self.add(Template::Subject, item.stem.into(), 1 + bucket(self.first - at));
        self.add(Template::Subject, kind << 16 | self.stem(place + 1), 20);
        self.add(Template::Subject, self.stem(place - 1) << 24 | kind, 21);
    }

    /// The last that is named in the sentence before it, and what stands between.
    fn named_here(&mut self, at: usize, kind: u64) {
        let place = at.cast_signed();
        self.add(Template::Named, kind << 16 | self.stem(place + 1), 40);
        self.add(Template::Named, kind << 16 | self.stem(place + 2), 41);
        self.add(Template::Named, self.stem(place - 1) << 16 | kind, 42);
        let terms = self.scene.items[at + 1..self.first].iter().filter(|item| item.is(Item::TERM)).count();
        self.add(Template::Named, kind << 4 | terms.min(3) as u64, 43);
        let far = bucket(self.first - at) << 2 | self.commas(at..self.first);
        self.add(Template::Named, kind, 48 + far);
    }
}
