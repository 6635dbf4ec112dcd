//! Features of the persons around a mention: who was named last, and by which pronoun, in the sentence or before it.

use super::features::{
    FeatureSink, MentionFeatureBuilder, add_feature, distance_bucket, positions_before, positions_from,
};
use super::sentence_features::{
    Item, MAX_DISTANT_ITEMS, Mention, PERSON_CODE, PHRASE_KIND, PersonReference, SentenceFeatures,
};
use super::template::{MemoGroup, Reason, Template, memo_key};

/// How far before a sentence its subject may have been named, in tokens.
const MAX_TOKENS_BACK: usize = 64;

/// How an item refers to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum PersonKind {
    Nobody,
    /// Somebody else: "mother".
    Other,
    /// The patient: "patient".
    Patient,
    /// The patient or somebody else: "lady".
    Either,
}

impl PersonKind {
    pub(super) const fn of_item(item: Item) -> Self {
        if item.cue == PERSON_CODE || item.has_flag(Item::OTHER_PERSON) {
            Self::Other
        } else if !item.has_flag(Item::PATIENT) {
            Self::Nobody
        } else if item.has_flag(Item::PRONOUN) {
            Self::Patient
        } else {
            Self::Either
        }
    }

    fn names_somebody(item: Item) -> bool {
        Self::of_item(item) != Self::Nobody
    }
}

/// The persons around a mention.
#[derive(Clone, Copy, Debug)]
struct PersonsAroundMention {
    /// The position in the sentence of the last person or pronoun before the mention.
    subject: Option<usize>,
    /// The stem of that item, or of the last one before the sentence.
    spoken: u16,
    /// The position in the sentence of the last named person before the mention.
    here: Option<usize>,
    /// That item, or the last one before the sentence.
    named: Item,
    /// 0 if that item is in the sentence; otherwise 1, plus 1 if a line or 2 if a paragraph has ended since.
    apart: u8,
    /// The positions of the first named person in the sentence, and of the first after the mention.
    first: Option<usize>,
    behind: Option<usize>,
}

impl PersonsAroundMention {
    fn find_around(sentence_features: &SentenceFeatures, mention: Mention) -> Self {
        let (items, persons) = (&sentence_features.items, &sentence_features.persons);
        let (first, last) = (usize::from(mention.first), usize::from(mention.end));
        let is_subject = |at: &usize| items[*at].cue == PERSON_CODE || items[*at].has_flag(Item::PRONOUN);
        let is_somebody = |at: &usize| PersonKind::names_somebody(items[*at]);
        let near = positions_before(persons, first).iter().rev().map(|&at| usize::from(at));
        let near = near.take_while(|at| first - at <= 2 * MAX_DISTANT_ITEMS);
        let (subject, here) = (near.clone().find(is_subject), near.clone().find(is_somebody));
        let before = |spoken: PersonReference| {
            if sentence_features.start - spoken.at > MAX_TOKENS_BACK { PersonReference::NOBODY } else { spoken }
        };
        let (named, spoken) = (before(sentence_features.last_named), before(sentence_features.last_reference));
        let (named, apart) = here.map_or((named.item, 1 + named.apart), |at| (items[at], 0));
        let spoken = subject.map_or(spoken.item, |at| items[at]).stem;
        let mut behind = positions_from(persons, last)
            .iter()
            .map(|&at| usize::from(at))
            .take_while(|at| at - last < MAX_DISTANT_ITEMS / 2);
        let mut opens = persons.iter().map(|&at| usize::from(at)).take_while(|&at| at < MAX_DISTANT_ITEMS);
        let (behind, first) = (behind.find(is_somebody), opens.find(is_somebody));
        Self { subject, spoken, here, named, apart, first, behind }
    }
}

impl<S: FeatureSink> MentionFeatureBuilder<'_, S> {
    /// Adds the features of the persons around the mention.
    pub(super) fn add_person_features(&mut self) {
        let persons = PersonsAroundMention::find_around(self.sentence_features, self.mention);
        if let Some(at) = persons.subject {
            self.add_subject_features(at);
        }
        let PersonsAroundMention { named, spoken, apart, .. } = persons;
        let (apart, carried) = (u64::from(apart), u64::from(persons.subject.is_none()));
        let (kind, stem, spoken) = (PersonKind::of_item(named) as u64, u64::from(named.stem), u64::from(spoken));
        let place = carried << 4 | apart << 2 | kind;
        self.sink.add_memoized(memo_key(MemoGroup::Named, stem << 32 | spoken << 16 | place), Reason::Person, |sink| {
            add_feature(sink, Template::Named, stem, apart);
            add_feature(sink, Template::Named, kind, 8 + apart);
            add_feature(sink, Template::Named, kind << 16 | spoken, 16 + 4 * carried + apart);
            add_feature(sink, Template::Named, stem << 16 | spoken, 32 + carried);
        });
        if let Some(at) = persons.here {
            self.add_person_named_before(at, kind);
        }
        if let Some(at) = persons.first {
            let kind = (PersonKind::of_item(self.sentence_features.items[at]) as u64) << 1 | u64::from(at < self.first);
            let next = self.stem_at(at.cast_signed() + 1);
            add_feature(self.sink, Template::Named, kind << 16 | next, 44 + u64::from(at > 2));
        }
        if let Some(at) = persons.behind {
            self.add_person_named_after(at, kind, apart);
        }
        let newborn = u64::from(self.sentence_features.newborn);
        self.sink.add_memoized(
            memo_key(MemoGroup::Newborn, newborn << 24 | stem << 8 | apart << 2 | kind),
            Reason::Whole,
            |sink| {
                add_feature(sink, Template::Newborn, newborn, 0);
                add_feature(sink, Template::Newborn, newborn << 2 | kind, 1 + apart);
                add_feature(sink, Template::Newborn, newborn << 16 | stem, 6);
            },
        );
    }

    /// Adds the features of the last person or pronoun before the mention.
    fn add_subject_features(&mut self, at: usize) {
        let (item, place) = (self.sentence_features.items[at], at.cast_signed());
        let (stem, is_phrase) = (u64::from(item.stem), item.cue == PERSON_CODE);
        let kind = if is_phrase { u64::from(PHRASE_KIND) } else { stem };
        let (before, behind, far) =
            (self.stem_at(place - 1), self.stem_at(place + 1), distance_bucket(self.first - at));
        let all = before << 36 | stem << 20 | behind << 4 | far << 1 | u64::from(is_phrase);
        self.sink.add_memoized(memo_key(MemoGroup::Subject, all), Reason::Person, |sink| {
            add_feature(sink, Template::Subject, stem, 0);
            add_feature(sink, Template::Subject, stem, 1 + far);
            add_feature(sink, Template::Subject, kind << 16 | behind, 20);
            add_feature(sink, Template::Subject, before << 24 | kind, 21);
        });
    }

    /// Adds the features of the last person named before the mention in the sentence, and of the distance between.
    fn add_person_named_before(&mut self, at: usize, kind: u64) {
        let place = at.cast_signed();
        let [last, one, two] = [-1, 1, 2].map(|far| self.stem_at(place + far));
        let between =
            self.sentence_features.mentions[..self.nth].iter().rev().take_while(|other| usize::from(other.first) > at);
        let terms = between.take(3).count() as u64;
        let marks =
            positions_before(&self.sentence_features.marks, self.first).iter().rev().map(|&mark| usize::from(mark));
        let commas = marks
            .take_while(|&mark| mark >= at)
            .fold(0, |all, mark| all | self.sentence_features.items[mark].comma_and_semicolon_bits());
        let far = distance_bucket(self.first - at) << 2 | commas;
        let all = last << 41 | one << 25 | two << 9 | far << 4 | terms << 2 | kind;
        self.sink.add_memoized(memo_key(MemoGroup::NamedHere, all), Reason::Person, |sink| {
            add_feature(sink, Template::Named, kind << 16 | one, 40);
            add_feature(sink, Template::Named, kind << 16 | two, 41);
            add_feature(sink, Template::Named, last << 16 | kind, 42);
            add_feature(sink, Template::Named, kind << 4 | terms, 43);
            add_feature(sink, Template::Named, kind, 48 + far);
        });
    }

    /// Adds the features of the first person named after the mention.
    fn add_person_named_after(&mut self, at: usize, kind: u64, apart: u64) {
        let behind = PersonKind::of_item(self.sentence_features.items[at]) as u64;
        let (before, far) = (self.stem_at(at.cast_signed() - 1), distance_bucket(at - self.last));
        let all = before << 9 | behind << 7 | far << 4 | apart << 2 | kind;
        self.sink.add_memoized(memo_key(MemoGroup::NamedBehind, all), Reason::Person, |sink| {
            add_feature(sink, Template::NamedAfter, behind, far);
            add_feature(sink, Template::NamedAfter, behind << 16 | before, 8);
            add_feature(sink, Template::NamedAfter, behind << 16 | kind, 16 + apart);
        });
    }
}
