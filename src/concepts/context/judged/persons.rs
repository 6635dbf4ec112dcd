//! Of whom a text speaks around a mention: who was named last and by which pronoun, in the sentence or before it.

use super::scene::{FAR, Item, Mention, PERSON, Scene, Spoken};

/// How an item names somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Named {
    Nobody,
    /// "mother"
    Other,
    /// "patient"
    Patient,
    /// "lady": the patient or another.
    Either,
}

impl Named {
    pub(super) const fn by(item: Item) -> Self {
        if item.cue == PERSON || item.is(Item::ELSE) {
            Self::Other
        } else if !item.is(Item::PATIENT) {
            Self::Nobody
        } else if item.is(Item::PRONOUN) {
            Self::Patient
        } else {
            Self::Either
        }
    }

    fn is_somebody(item: Item) -> bool {
        Self::by(item) != Self::Nobody
    }
}

/// Of whom a text speaks around a mention.
#[derive(Clone, Copy, Debug)]
pub(super) struct Persons {
    /// Where in the sentence a person or pronoun stands last before the mention.
    pub(super) subject: Option<usize>,
    /// The stem of that, or of the last before the sentence.
    pub(super) spoken: u16,
    /// Where in the sentence somebody is named last before the mention.
    pub(super) here: Option<usize>,
    /// That item, or the last before the sentence.
    pub(super) named: Item,
    /// 0 in the sentence; before it 1, and one or two more if a line or a paragraph has ended since.
    pub(super) apart: u8,
    /// Where somebody is named first in the sentence, and behind the mention.
    pub(super) first: Option<usize>,
    pub(super) behind: Option<usize>,
}

impl Persons {
    pub(super) fn around(scene: &Scene, mention: Mention) -> Self {
        let items = &scene.items;
        let (first, last) = (usize::from(mention.first), usize::from(mention.last));
        let near = first.saturating_sub(2 * FAR)..first;
        let is_subject = |at: &usize| items[*at].cue == PERSON || items[*at].is(Item::PRONOUN);
        let subject = near.clone().rev().find(is_subject);
        let here = near.rev().find(|&at| Named::is_somebody(items[at]));
        let Scene { named: Spoken { item: before, apart }, spoken, .. } = *scene;
        let (named, apart) = here.map_or((before, 1 + apart), |at| (items[at], 0));
        let spoken = subject.map_or(spoken.item, |at| items[at]).stem;
        let behind = (last..items.len().min(last + FAR / 2)).find(|&at| Named::is_somebody(items[at]));
        let opens = items.iter().take(FAR).position(|&item| Named::is_somebody(item));
        Self { subject, spoken, here, named, apart, first: opens, behind }
    }
}
