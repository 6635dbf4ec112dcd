//! What may come out, and in what form: the choices that `decide` and `render` follow.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::concepts::context::CueList;
use crate::error::{Error, Result};
use crate::finding::{Category, Kind};
use crate::patient::Patient;
use crate::vocabulary::{Class, Classes, Group, hex};

/// Which numbers stay besides those inside terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Numbers {
    /// None.
    None,
    /// Those that the clinical grammar vouches for.
    Strict,
    /// Also whole numbers of up to three digits, decimals and ratios that no rule removes.
    Wide,
    /// All that no rule removes.
    All,
}

/// What happens to words on no list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unknown {
    /// They go.
    Remove,
    /// They stay where the model is sure that they name nobody.
    Judged,
    /// They stay unless a rule or a list of names and places speaks against them.
    Keep,
}

/// How a matched term is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Terms {
    /// As the note writes it.
    Written,
    /// As the vocabulary prefers it, followed by its code.
    Preferred,
    /// As its code alone.
    Code,
}

/// What stands for a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dates {
    /// A tag.
    Tag,
    /// Its year.
    Year,
    /// The date moved by as many days as all dates of the patient. Needs a key, and the patient's number.
    Shift,
}

/// What happens to years that stand alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Years {
    /// They stay from 1960 on, unless the dates around them move or they belong to a longer date. Years before may tell an age
    /// over 89.
    Keep,
    /// They go.
    Remove,
}

/// The order of day, month and year in figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DateOrder {
    /// 3/14/2006.
    Mdy,
    /// 14/3/2006.
    Dmy,
    /// 2006/3/14.
    Ymd,
}

/// What stands for what was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Replace {
    /// The tag of its category.
    Tag,
    /// The tag with a number: the same person, place or number has the same one.
    Numbered,
    /// Something else of the same kind. Needs a key.
    Surrogate,
    /// The mask of words on no list, so that not even the category is told.
    Mask,
}

/// What stands for an age over 89.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ages {
    /// `90+`.
    #[serde(rename = "90+")]
    TopCode,
    /// A tag.
    #[serde(rename = "tag")]
    Tag,
}

/// What happens to postal codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Zip {
    /// They go.
    Remove,
    /// Their first three digits stay where more than 20,000 people live: see [`crate::zip`].
    Prefix,
}

/// What happens to ordinary words that are names too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ambiguous {
    /// Their place decides.
    Context,
    /// They go wherever they have a capital letter.
    Always,
    /// They stay unless a rule sees more than their capital letter: a title, a field, a relative.
    Never,
}

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
    /// Headings of sections that are dropped whole.
    pub drop_sections: Vec<String>,
    /// The site's doctors and other staff: removed wherever they stand.
    pub doctors: Vec<String>,
    /// The site's hospitals and clinics, with their short forms.
    pub hospitals: Vec<String>,
    /// The site's wards.
    pub wards: Vec<String>,
    /// Cues of the site, beside those of the package: `"negated before: no trace of"`. See [`crate::concepts::context`].
    #[serde(default)]
    pub cues: Vec<String>,
    /// The semantic groups of concepts that are told; all, if there are none. The text is the same with fewer.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Whether a lower-case word on no list is written as the one listed word that is a typing error away.
    pub rescue: bool,
    /// Whether a lower-case word on no list stays that is a prefix or an ending over a listed word.
    pub derive: bool,
    /// Whether a lower-case word of a longer term, no name of a person or place, stays by itself.
    pub term_words: bool,
    /// Whether brands of drugs and devices stay outside terms.
    pub brands: bool,
    /// How many words that identify nobody may be lost for one that does: 12 removes whatever identifies somebody with a
    /// probability of more than one in thirteen.
    pub strictness: u32,
    /// Categories of PHI whose rules are not heard, to measure what they are worth: lists and the number grammar are all
    /// that is left. Never for data that leaves the house.
    pub rules_off: Vec<String>,
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
            numbers: Numbers::Strict,
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
            drop_sections: Vec::new(),
            doctors: Vec::new(),
            hospitals: Vec::new(),
            wards: Vec::new(),
            cues: Vec::new(),
            groups: Vec::new(),
            rescue: false,
            derive: false,
            term_words: false,
            brands: true,
            strictness: 12,
            rules_off: Vec::new(),
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

    /// A preset with choices of one's own: those named in `choices` replace the preset's. An unknown name is an error that
    /// tells the nearest known one.
    pub fn with(preset: &str, choices: &serde_json::Map<String, Value>) -> Result<Self> {
        let base = Self::preset(preset).ok_or_else(|| unknown("policy", preset, &Self::PRESETS))?;
        let Ok(Value::Object(mut all)) = serde_json::to_value(&base) else {
            return Err(Error::Policy("the preset cannot be written".to_owned()));
        };
        let known: Vec<String> = all.keys().cloned().collect();
        for (key, value) in choices {
            if !all.contains_key(key) {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                return Err(unknown("key", key, &known));
            }
            // Names of people stand in lists, which no error repeats.
            if all[key].is_array() && !value.as_array().is_some_and(|items| items.iter().all(Value::is_string)) {
                return Err(Error::Policy(format!("{key}: must be a list of texts")));
            }
            // Each key alone, so that the error names it.
            let mut changed = all.clone();
            changed.insert(key.clone(), value.clone());
            if let Err(problem) = serde_json::from_value::<Self>(Value::Object(changed)) {
                return Err(Error::Policy(format!("{key}: {problem}")));
            }
            all.insert(key.clone(), value.clone());
        }
        let policy: Self =
            serde_json::from_value(Value::Object(all)).map_err(|problem| Error::Policy(problem.to_string()))?;
        policy.check()?;
        Ok(policy)
    }

    /// The policy of a TOML text: the key `preset` names what it begins with (`safe` if left out), the others are choices.
    pub fn from_toml(text: &str) -> Result<Self> {
        // The line is told, not shown: somebody may have given a note for a policy.
        let table: toml::Table = text.parse().map_err(|problem: toml::de::Error| {
            let before = problem.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            Error::Policy(format!("is no TOML at line {line}: {}", problem.message()))
        })?;
        let Ok(Value::Object(mut choices)) = serde_json::to_value(&table) else {
            return Err(Error::Policy("a policy is a table of keys and values".to_owned()));
        };
        let preset = match choices.remove("preset") {
            None => "safe".to_owned(),
            Some(Value::String(preset)) => preset,
            Some(_) => return Err(Error::Policy(format!("preset: must be one of {}", Self::PRESETS.join(", ")))),
        };
        Self::with(&preset, &choices)
    }

    /// The policy of a TOML file.
    pub fn open(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
        Self::from_toml(&text).map_err(|error| match error {
            Error::Policy(problem) => Error::Policy(format!("{}: {problem}", path.display())),
            other => other,
        })
    }

    /// Every choice, as TOML that [`Policy::from_toml`] reads.
    pub fn to_toml(&self) -> String {
        // A policy is strings, switches and lists of strings: it always has a form in TOML.
        toml::to_string(self).unwrap_or_default()
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
    pub(crate) fn site(&self) -> Option<Patient> {
        let Self { doctors, hospitals, wards, .. } = self;
        let knows = !(doctors.is_empty() && hospitals.is_empty() && wards.is_empty());
        knows.then(|| Patient::site(doctors, hospitals, wards))
    }

    /// The groups of concepts that are told, one bit each.
    pub(crate) fn group_bits(&self) -> u16 {
        if self.groups.is_empty() {
            return u16::MAX;
        }
        let named = self.groups.iter().filter_map(|group| Group::from_key(group));
        named.fold(0, |bits, group| bits | 1 << group as u8)
    }

    /// Whether findings of this kind remove.
    pub fn removes(&self, kind: Kind) -> bool {
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
        hex(&Sha256::digest(serde_json::to_vec(&choices).unwrap_or_default()))
    }

    /// Whether the lists on which a word stands let it out.
    pub(crate) fn lets_out(&self, classes: Classes) -> bool {
        classes.any(self.allowed()) && !classes.has(Class::Deny)
    }

    /// The lists whose words may come out.
    pub fn allowed(&self) -> Classes {
        match (self.ordinary_words, self.brands) {
            (true, true) => ORDINARY,
            (true, false) => ORDINARY & !Class::Brand.set(),
            (false, _) => Class::Stop.set(),
        }
    }

    /// The kinds whose findings remove, and those whose rules are not heard: one bit each.
    pub(crate) fn kinds(&self) -> (u64, u64) {
        const { assert!(Kind::ALL.len() <= 64, "a kind has a bit of its own") };
        let bits = |is: &dyn Fn(Kind) -> bool| {
            let kinds = Kind::ALL.iter().filter(|&&kind| is(kind));
            kinds.fold(0, |kinds, &kind| kinds | 1 << kind as u8)
        };
        let off = |kind: Kind| self.rules_off.iter().any(|off| off.eq_ignore_ascii_case(kind.category().key()));
        let removed = bits(&|kind| self.removes(kind));
        let ignored = if self.rules_off.is_empty() { 0 } else { bits(&off) };
        (removed, ignored)
    }

    /// The lists whose words come out where a rule vouches for them, beside those that may come out anywhere.
    pub fn vouched(&self) -> Classes {
        if self.numbers == Numbers::None { Classes::NONE } else { VOUCHED & !self.allowed() }
    }
}

/// The lists whose words identify nobody by themselves.
pub(crate) const ORDINARY: Classes = Classes::of(&[
    Class::Stop,
    Class::English,
    Class::Literature,
    Class::Clinical,
    Class::Term,
    Class::Season,
    Class::NumberWord,
    Class::OrdinalWord,
    Class::Title,
    Class::Credential,
    Class::Relative,
    Class::PersonVerb,
    Class::HumanVerb,
    Class::PersonNoun,
    Class::NameField,
    Class::Facility,
    Class::StreetType,
    Class::PlaceCue,
    Class::Organisation,
    Class::WardNoun,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::AgeCue,
    Class::Unit,
    Class::Measurement,
    Class::Score,
    Class::Dose,
    Class::Duration,
    Class::Counted,
    Class::CodeSystem,
    Class::Level,
    Class::EponymNoun,
    Class::Brand,
]);

/// The lists that remove a capitalised word where unknown words stay.
pub(crate) const NAMES_AND_PLACES: Classes =
    Classes::of(&[Class::Surname, Class::FirstName, Class::City, Class::PlacePart]);

/// The lists that rules may vouch from: names of medicine, and the letters of numbers' forms.
pub(crate) const VOUCHED: Classes = ORDINARY.or(Classes::of(&[
    Class::Eponym,
    Class::Organism,
    Class::Marker,
    Class::Link,
    Class::Sized,
    Class::Acronym,
]));

impl Policy {
    /// Refuses what cannot be done.
    pub fn check(&self) -> Result<()> {
        for (list, items) in [("doctors", &self.doctors), ("hospitals", &self.hospitals), ("wards", &self.wards)] {
            if let Some(at) = items.iter().position(|item| !item.chars().any(char::is_alphanumeric)) {
                return Err(Error::Policy(format!("{list}[{at}] has no letter and no digit: leave it out")));
            }
        }
        check_tags(&self.tags)?;
        if let Some(group) = self.groups.iter().find(|group| Group::from_key(group).is_none()) {
            let known: Vec<&str> = Group::ALL.iter().map(|group| group.key()).collect();
            return Err(unknown("group", group, &known));
        }
        CueList::parse(self.cues.iter().map(String::as_str), "cues")?;
        if let Some(at) = self.drop_sections.iter().position(|heading| !heading.chars().any(char::is_alphabetic)) {
            return Err(Error::Policy(format!("drop_sections[{at}] has no letter: leave it out")));
        }
        if self.season && self.dates != Dates::Shift {
            return Err(Error::Policy(
                "season keeps the season of shifted dates: set dates = \"shift\" too".to_owned(),
            ));
        }
        if self.mask.is_empty() || !self.mask.bytes().all(|byte| byte == b'*') {
            // A mask of letters would be text that nobody has vouched for.
            return Err(Error::Policy(format!("mask={:?} must be one or more asterisks", self.mask)));
        }
        for off in &self.rules_off {
            if !Category::ALL.iter().any(|category| category.key().eq_ignore_ascii_case(off)) {
                return Err(Error::Policy(format!(
                    "rules_off={off:?} is no category of PHI: take name, date, age, location, contact or id"
                )));
            }
        }
        for kept in &self.keep {
            let known = Kind::ALL.iter().any(|kind| kind.key() == kept)
                || Category::ALL.iter().any(|category| category.key().eq_ignore_ascii_case(kept));
            if !known {
                let categories = ["name", "date", "age", "location", "contact", "id"];
                let kinds = Kind::ALL.iter().map(|kind| kind.key()).filter(|key| !categories.contains(key));
                let known: Vec<&str> = categories.into_iter().chain(kinds).collect();
                return Err(unknown("category or kind of PHI to keep,", kept, &known));
            }
        }
        Ok(())
    }
}

/// Tags in square brackets: `[NAME]`.
pub(crate) const SQUARE: &str = "square";

/// Tags in angle brackets: `<NAME>`.
pub(crate) const ANGLE: &str = "angle";

/// Tags as deid.pl writes them: `[**Last name**]`.
pub(crate) const DEID: &str = "deid";

/// Letters of a template would be text that nobody has vouched for, and could be taken for the note's.
fn check_tags(tags: &str) -> Result<()> {
    if matches!(tags, SQUARE | ANGLE | DEID) {
        return Ok(());
    }
    let rest = tags.replace("{category}", "").replace("{kind}", "");
    let marks = rest.chars().all(|mark| mark.is_ascii_punctuation() && !matches!(mark, '{' | '}'));
    if rest.len() == tags.len() || !marks || tags.len() > 64 {
        return Err(Error::Policy(format!(
            "tags={tags:?} is not square, angle, deid, or a template of {{category}} or {{kind}} and marks, such as \"<<{{kind}}>>\""
        )));
    }
    Ok(())
}

/// The error for a name that is not known, with the nearest one that is.
fn unknown(what: &str, given: &str, known: &[&str]) -> Error {
    let nearest = known.iter().map(|name| (distance(given, name), *name)).min();
    let hint = match nearest {
        Some((far, name)) if far <= name.len() / 2 => format!("did you mean {name:?}?"),
        _ => format!("known are {}", known.join(", ")),
    };
    Error::Policy(format!("there is no {what} {given:?}: {hint}"))
}

/// How many slips of the pen make one word the other: a letter wrong, missing or too many, or two that changed places.
fn distance(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.to_lowercase().chars().collect();
    let other: Vec<char> = other.to_lowercase().chars().collect();
    let mut rows = vec![(0..=other.len()).collect::<Vec<usize>>()];
    for (at, letter) in one.iter().enumerate() {
        let mut row = vec![at + 1];
        for (column, another) in other.iter().enumerate() {
            let changed = rows[at][column] + usize::from(letter != another);
            let mut least = changed.min(rows[at][column + 1] + 1).min(row[column] + 1);
            if at > 0 && column > 0 && *letter == other[column - 1] && one[at - 1] == *another {
                least = least.min(rows[at - 1][column - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_toml() {
        for name in Policy::PRESETS {
            let policy = Policy::preset(name).expect("a preset");
            policy.check().expect("a valid preset");
            assert_eq!(Policy::from_toml(&policy.to_toml()).expect("its own form"), policy);
        }
        let text =
            "preset = 'berman'\nname = 'ours'\ndates = 'shift'\ndate_order = 'dmy'\nzip = 'prefix'\nages = 'tag'";
        let policy = Policy::from_toml(text).expect("a policy");
        assert_eq!((policy.dates, policy.date_order, policy.mask.as_str()), (Dates::Shift, Some(DateOrder::Dmy), "*"));
        assert!(policy.needs_key());
        assert_ne!(policy.digest(), Policy::berman().digest());
        assert_eq!(Policy { name: "other".to_owned(), ..policy.clone() }.digest(), policy.digest());
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text: &str| Policy::from_toml(text).expect_err("a mistake").to_string();
        assert_eq!(message("datse = 'shift'"), "there is no key \"datse\": did you mean \"dates\"?");
        assert_eq!(message("preset = 'save'"), "there is no policy \"save\": did you mean \"safe\"?");
        assert!(message("keep = ['yaer']").contains("did you mean \"year\"?"));
        assert!(message("dates = 'shifted'").starts_with("dates: unknown variant `shifted`"));
        assert!(message("season = true").contains("dates = \"shift\""));
        assert!(message("season = 'yes'").starts_with("season: invalid type"));
        assert!(message("tags = 'PATIENT'").contains("template"));
        assert!(message("mask = 'xxx'").contains("asterisks"));
        assert!(message("doctors = ['--']").contains("doctors[0]"));
        assert!(message("dates = ").contains("line 1"));
        assert_eq!(message("doctors = 'Quilla Zandvoort'"), "doctors: must be a list of texts");
        assert_eq!(message("wards = ['Larkmoor', 3]"), "wards: must be a list of texts");
    }

    #[test]
    fn a_note_given_for_a_policy_is_not_shown() {
        let problem = Policy::from_toml("# a comment\nMs. Zandvoort has asthma.").expect_err("no policy").to_string();
        assert!(problem.starts_with("is no TOML at line 2: ") && !problem.contains("Zandvoort"), "{problem}");
    }
}
