//! What may come out, and in what form: the choices that `decide` and `render` follow.

mod check;
mod choices;
mod file;
mod lists;
mod patterns;
mod strictness;
mod suggest;

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

pub(crate) use choices::{ANGLE, DEID, SQUARE};
pub use choices::{Ages, Ambiguous, DateOrder, Dates, Numbers, Replace, Terms, Unknown, Years, Zip};
pub(crate) use lists::{NAMES_AND_PLACES, ORDINARY};
pub(crate) use patterns::CompiledPattern;
pub use patterns::{Pattern, PatternAction, read_patterns};
pub use strictness::{SectionChoices, Strictness};

use crate::finding::Kind;
use crate::patient::Patient;
use crate::placeholders::PlaceholderForms;
use crate::vocabulary::{Group, to_hex};

/// The choices for one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Policy {
    /// What the policy is called.
    pub name: String,
    /// Whether ordinary words stay, or only stop words and terms.
    pub ordinary_words: bool,
    /// How terms are written.
    pub terms: Terms,
    /// Which numbers stay.
    pub numbers: Numbers,
    /// What happens to words on no list.
    pub unknown: Unknown,
    /// What stands for a word on no list.
    pub mask: String,
    /// Kinds of PHI that stay: their findings vouch for the words instead of removing them.
    pub keep: Vec<String>,
    /// What stands for a date.
    pub dates: Dates,
    /// What happens to years that stand alone.
    pub years: Years,
    /// Whether shifted dates keep their season.
    pub season: bool,
    /// How dates in figures are read. Without an order, those that can be read in two ways get a tag.
    pub date_order: Option<DateOrder>,
    /// What stands for what was removed.
    pub replace: Replace,
    /// How tags look: `square`, `angle`, `deid` or a template with `{category}` or `{kind}`.
    pub tags: String,
    /// What stands for an age over 89.
    pub ages: Ages,
    /// What happens to postal codes.
    pub zip: Zip,
    /// What happens to ordinary words that are names too.
    pub ambiguous: Ambiguous,
    /// Whether words for ethnicity and nationality go too.
    #[serde(default)]
    pub ethnicity: bool,
    /// Whether the header of a note goes whole: the lines with labels with which it begins.
    #[serde(default)]
    pub drop_header: bool,
    /// Headings of sections that are dropped whole.
    pub drop_sections: Vec<String>,
    /// Placeholders of earlier de-identification in the notes, which stay as they are: `"[**...**]"`.
    #[serde(default)]
    pub placeholders: Vec<String>,
    /// The site's doctors and other staff: removed wherever they stand.
    pub doctors: Vec<String>,
    /// The site's hospitals and clinics, with their short forms.
    pub hospitals: Vec<String>,
    /// The site's wards.
    pub wards: Vec<String>,
    /// Cues of the site, beside those of the package: `"negated forward: no trace of"`. See [`crate::status`].
    #[serde(default)]
    pub cues: Vec<String>,
    /// The semantic groups of concepts that are reported; all, if there are none. The text is the same with fewer.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Whether brands of drugs and devices stay outside terms.
    pub brands: bool,
    /// Lists of the vocabulary whose words do not come out for standing on them.
    #[serde(default)]
    pub lists_off: Vec<String>,
    /// How many words that identify nobody may be lost for one that does: 12 removes whatever identifies somebody with a
    /// probability of more than one in thirteen; of numbers and listed words that look like no name as much as a strictness 2.5 times
    /// lower. One number, or one per category.
    pub strictness: Strictness,
    /// Choices for sections, by their headings. Where two sections apply, the stricter choice counts.
    #[serde(default)]
    pub sections: BTreeMap<String, SectionChoices>,
    /// Categories of PHI whose rules are not heard, to measure what they are worth: lists and the number grammar are all
    /// that is left. Never for data that leaves the house.
    pub rules_off: Vec<String>,
    /// Regular expressions of the user's own.
    #[serde(default)]
    pub patterns: Vec<Pattern>,
}

impl Default for Policy {
    fn default() -> Self {
        Self::safe()
    }
}

impl Policy {
    /// Concept match as published: stop words and coded terms, nothing else.
    #[must_use]
    pub fn berman() -> Self {
        Self {
            name: "berman".to_owned(),
            ordinary_words: false,
            terms: Terms::Preferred,
            numbers: Numbers::None,
            unknown: Unknown::Remove,
            mask: "*".to_owned(),
            years: Years::Remove,
            ..Self::safe()
        }
    }

    /// The default: ordinary words and terms stay, numbers that the clinical grammar vouches for stay, the rest goes.
    #[must_use]
    pub fn safe() -> Self {
        Self {
            name: "safe".to_owned(),
            ordinary_words: true,
            terms: Terms::Written,
            numbers: Numbers::Judged,
            unknown: Unknown::Remove,
            mask: "***".to_owned(),
            keep: Vec::new(),
            dates: Dates::Tag,
            years: Years::Keep,
            season: false,
            date_order: None,
            replace: Replace::Tag,
            tags: SQUARE.to_owned(),
            ages: Ages::TopCode,
            zip: Zip::Remove,
            ambiguous: Ambiguous::Context,
            ethnicity: false,
            drop_header: false,
            drop_sections: Vec::new(),
            placeholders: Vec::new(),
            doctors: Vec::new(),
            hospitals: Vec::new(),
            wards: Vec::new(),
            cues: Vec::new(),
            groups: Vec::new(),
            brands: true,
            lists_off: Vec::new(),
            strictness: Strictness::DEFAULT.into(),
            sections: BTreeMap::new(),
            rules_off: Vec::new(),
            patterns: Vec::new(),
        }
    }

    /// As `safe`, but words on no list stay where the model is sure that they name nobody.
    #[must_use]
    pub fn balanced() -> Self {
        Self { name: "balanced".to_owned(), unknown: Unknown::Judged, ..Self::safe() }
    }

    /// Extraction as rule systems do it: everything stays that no rule and no list of names speaks against.
    #[must_use]
    pub fn readable() -> Self {
        Self { name: "readable".to_owned(), numbers: Numbers::All, unknown: Unknown::Keep, ..Self::safe() }
    }

    /// What 45 CFR 164.514(e) lets stay in a limited data set: dates, ages, towns, states, postal codes. Such data may be
    /// given away only under an agreement on its use.
    #[must_use]
    pub fn limited_data_set() -> Self {
        let keep = ["date", "age", "city", "state", "country", "zip"];
        Self { name: "limited-data-set".to_owned(), keep: keep.map(str::to_owned).to_vec(), ..Self::safe() }
    }

    /// The names of the presets.
    pub const PRESETS: [&str; 5] = ["safe", "balanced", "berman", "readable", "limited-data-set"];

    /// The preset of that name.
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        match name {
            "berman" => Some(Self::berman()),
            "safe" => Some(Self::safe()),
            "balanced" => Some(Self::balanced()),
            "readable" => Some(Self::readable()),
            "limited-data-set" => Some(Self::limited_data_set()),
            _ => None,
        }
    }

    /// Whether a run needs a key.
    pub fn needs_key(&self) -> bool {
        self.dates == Dates::Shift || self.replace == Replace::Surrogate
    }

    /// Whether each removal is written from its kind alone.
    pub(crate) fn is_plain(&self) -> bool {
        self.dates == Dates::Tag
            && matches!(self.replace, Replace::Tag | Replace::Mask)
            && self.zip == Zip::Remove
            && self.tags != DEID
    }

    /// What the site knows of its staff and places, to be looked for in every note; `None` if it knows nothing.
    pub(crate) fn compile_site_lists(&self) -> Option<Patient> {
        let Self { doctors, hospitals, wards, .. } = self;
        let knows = !(doctors.is_empty() && hospitals.is_empty() && wards.is_empty());
        knows.then(|| Patient::compile_site(doctors, hospitals, wards))
    }

    /// The groups of concepts that are reported, one bit each.
    pub(crate) fn group_bits(&self) -> u16 {
        if self.groups.is_empty() {
            return u16::MAX;
        }
        let named = self.groups.iter().filter_map(|group| Group::from_key(group));
        named.fold(0, |bits, group| bits | 1 << group as u8)
    }

    /// Whether findings of this kind remove.
    pub fn removes_kind(&self, kind: Kind) -> bool {
        if kind == Kind::Year && self.keeps_years() {
            return false;
        }
        !self.keep.iter().any(|kept| kept == kind.key() || kept.eq_ignore_ascii_case(kind.category().key()))
    }

    /// Whether a year alone stays. Beside dates that move, one that does not would tell how far.
    fn keeps_years(&self) -> bool {
        self.years == Years::Keep && self.dates != Dates::Shift && self.numbers != Numbers::None
    }

    /// SHA-256 of the choices, whatever the policy is called.
    pub fn digest(&self) -> String {
        let choices = Self { name: String::new(), ..self.clone() };
        // A policy is strings and lists of strings: it always has a form in JSON.
        to_hex(&Sha256::digest(serde_json::to_vec(&choices).unwrap_or_default()))
    }

    /// The spans of bytes of a text that the policy's own patterns vouch for.
    pub fn kept_by_patterns(&self, text: &str) -> Vec<Range<usize>> {
        patterns::kept_by(&self.patterns, text)
    }

    /// The kinds whose findings remove, and those whose rules are not heard: one bit each.
    pub(crate) fn removed_and_ignored_kinds(&self) -> (u64, u64) {
        const { assert!(Kind::ALL.len() <= 64, "a kind has a bit of its own") };
        let bits = |is: &dyn Fn(Kind) -> bool| {
            let kinds = Kind::ALL.iter().filter(|&&kind| is(kind));
            kinds.fold(0, |kinds, &kind| kinds | 1 << kind as u8)
        };
        let off = |kind: Kind| self.rules_off.iter().any(|off| off.eq_ignore_ascii_case(kind.category().key()));
        let removed = bits(&|kind| self.removes_kind(kind));
        let ignored = if self.rules_off.is_empty() { 0 } else { bits(&off) };
        (removed, ignored)
    }

    /// The placeholders that stay as they are: those that this policy writes, and those that its user names.
    pub fn placeholder_forms(&self) -> PlaceholderForms<'_> {
        let deid = self.tags == DEID;
        PlaceholderForms {
            square: self.tags == SQUARE,
            angle: self.tags == ANGLE,
            deid,
            numbered: self.replace == Replace::Numbered,
            shifted: deid && self.dates == Dates::Shift,
            codes_of_terms: self.terms == Terms::Preferred,
            codes_alone: self.terms == Terms::Code,
            named: &self.placeholders,
        }
    }
}
