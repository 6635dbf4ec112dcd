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
    /// The name of the policy.
    pub name: String,
    /// Whether ordinary words are kept, or only stop words and terms.
    pub ordinary_words: bool,
    /// The output form of terms.
    pub terms: Terms,
    /// The numbers that are kept.
    pub numbers: Numbers,
    /// The treatment of unlisted words.
    pub unknown: Unknown,
    /// The replacement of an unlisted word.
    pub mask: String,
    /// Kinds of PHI that are kept: their findings vouch for the words instead of removing them.
    pub keep: Vec<String>,
    /// The replacement of a date.
    pub dates: Dates,
    /// The treatment of years alone.
    pub years: Years,
    /// Whether shifted dates keep their season.
    pub season: bool,
    /// The order of numeric dates. If `None`, ambiguous ones get a tag.
    pub date_order: Option<DateOrder>,
    /// The replacement of what was removed.
    pub replace: Replace,
    /// The style of tags: `square`, `angle`, `deid` or a template with `{category}` or `{kind}`.
    pub tags: String,
    /// The replacement of an age over 89.
    pub ages: Ages,
    /// The treatment of postal codes.
    pub zip: Zip,
    /// The treatment of ordinary words that are also names.
    pub ambiguous: Ambiguous,
    /// Whether words for ethnicity and nationality are removed.
    #[serde(default)]
    pub ethnicity: bool,
    /// Whether the header of a note is removed: the lines with labels that it starts with.
    #[serde(default)]
    pub drop_header: bool,
    /// Headings of sections that are removed.
    pub drop_sections: Vec<String>,
    /// Placeholders of earlier de-identification in the notes, which are kept as they are: `"[**...**]"`.
    #[serde(default)]
    pub placeholders: Vec<String>,
    /// The site's doctors and other staff: removed everywhere.
    pub doctors: Vec<String>,
    /// The site's hospitals and clinics, with their short forms.
    pub hospitals: Vec<String>,
    /// The site's wards.
    pub wards: Vec<String>,
    /// Cues of the site, in addition to the bundled ones: `"negated forward: no trace of"`. See [`crate::status`].
    #[serde(default)]
    pub cues: Vec<String>,
    /// The semantic groups of concepts that are reported; all if empty. The text does not depend on them.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Whether brands of drugs and devices are kept outside terms.
    pub brands: bool,
    /// Lists of the vocabulary that no longer let their words out.
    #[serde(default)]
    pub lists_off: Vec<String>,
    /// The number of harmless words that may be lost to remove one more identifying word. 12 removes every token that
    /// identifies somebody with a probability of more than one in thirteen; numbers, and listed words that do not look
    /// like names, are judged as by a strictness 2.5 times lower. One number, or one per category.
    pub strictness: Strictness,
    /// Choices for sections, by their headings. Where two sections overlap, the stricter choice counts.
    #[serde(default)]
    pub sections: BTreeMap<String, SectionChoices>,
    /// Categories of PHI whose rules are disabled, to measure their contribution: only lists and the number grammar are
    /// left. Never use this for data that is released.
    pub rules_off: Vec<String>,
    /// The user's own regular expressions.
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

    /// The default: keeps ordinary words, terms, and numbers that the clinical grammar vouches for; removes the rest.
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

    /// As `safe`, but keeps unlisted words that the model is sure name nobody.
    #[must_use]
    pub fn balanced() -> Self {
        Self { name: "balanced".to_owned(), unknown: Unknown::Judged, ..Self::safe() }
    }

    /// For extraction, like rule-based systems: keeps everything that no rule and no list of names is against.
    #[must_use]
    pub fn readable() -> Self {
        Self { name: "readable".to_owned(), numbers: Numbers::All, unknown: Unknown::Keep, ..Self::safe() }
    }

    /// Keeps what 45 CFR 164.514(e) permits in a limited data set: dates, ages, towns, states, postal codes. Such data
    /// may be disclosed only under a data use agreement.
    #[must_use]
    pub fn limited_data_set() -> Self {
        let keep = ["date", "age", "city", "state", "country", "zip"];
        Self { name: "limited-data-set".to_owned(), keep: keep.map(str::to_owned).to_vec(), ..Self::safe() }
    }

    /// The names of the presets.
    pub const PRESETS: [&str; 5] = ["safe", "balanced", "berman", "readable", "limited-data-set"];

    /// Returns the preset of that name.
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

    /// Returns whether a run needs a key.
    pub fn needs_key(&self) -> bool {
        self.dates == Dates::Shift || self.replace == Replace::Surrogate
    }

    /// Returns whether the replacement of each removal depends on its kind alone.
    pub(crate) fn is_plain(&self) -> bool {
        self.dates == Dates::Tag
            && matches!(self.replace, Replace::Tag | Replace::Mask)
            && self.zip == Zip::Remove
            && self.tags != DEID
    }

    /// Compiles the site's lists of staff and places, which are searched for in every note; `None` if they are empty.
    pub(crate) fn compile_site_lists(&self) -> Option<Patient> {
        let Self { doctors, hospitals, wards, .. } = self;
        let knows = !(doctors.is_empty() && hospitals.is_empty() && wards.is_empty());
        knows.then(|| Patient::compile_site(doctors, hospitals, wards))
    }

    /// Returns the groups of concepts that are reported, as a bitmask.
    pub(crate) fn group_bits(&self) -> u16 {
        if self.groups.is_empty() {
            return u16::MAX;
        }
        let named = self.groups.iter().filter_map(|group| Group::from_key(group));
        named.fold(0, |bits, group| bits | 1 << group as u8)
    }

    /// Returns whether findings of this kind remove.
    pub fn removes_kind(&self, kind: Kind) -> bool {
        if kind == Kind::Year && self.keeps_years() {
            return false;
        }
        !self.keep.iter().any(|kept| kept == kind.key() || kept.eq_ignore_ascii_case(kind.category().key()))
    }

    /// Returns whether a year alone is kept. Next to shifted dates, a year that is not shifted would reveal the shift.
    fn keeps_years(&self) -> bool {
        self.years == Years::Keep && self.dates != Dates::Shift && self.numbers != Numbers::None
    }

    /// Returns the SHA-256 digest of the choices, without the name.
    pub fn digest(&self) -> String {
        let choices = Self { name: String::new(), ..self.clone() };
        // Cannot fail: a policy is strings and lists of strings, which JSON can represent.
        to_hex(&Sha256::digest(serde_json::to_vec(&choices).unwrap_or_default()))
    }

    /// Returns the byte spans of a text that the policy's own patterns vouch for.
    pub fn kept_by_patterns(&self, text: &str) -> Vec<Range<usize>> {
        patterns::kept_by(&self.patterns, text)
    }

    /// Returns the kinds whose findings remove, and those whose rules are disabled, as bitmasks.
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

    /// Returns the placeholders that are kept as they are: those that this policy writes, and those that the user
    /// names.
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
