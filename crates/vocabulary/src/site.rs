//! Lists of one site, added to a vocabulary at run time without compiling it again.
//!
//! They are separate from the word lists of the file: the rule `site-list` looks them up. The digest of a vocabulary
//! with site lists covers both, so results show which lists were used.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Vocabulary;
use super::container::to_hex;
use super::search::key_of_text;
use notesieve_text::error::{Error, Result};

/// Lists that a site adds. Each item is a word or a phrase, in any case.
///
/// # Examples
///
/// ```
/// use notesieve_vocabulary::SiteLists;
/// use notesieve_vocabulary_build::Compiler;
///
/// # let bytes = Compiler::new().finish()?.0;
/// let vocabulary = notesieve_vocabulary::Vocabulary::from_bytes(&bytes)?;
/// let lists = SiteLists { staff: vec!["Ambrosius Thackle".to_owned()], ..SiteLists::default() };
/// let ours = vocabulary.with_lists(lists)?;
/// assert_ne!(ours.digest(), vocabulary.digest());
/// # Ok::<(), notesieve_text::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SiteLists {
    /// Words and phrases that identify nobody: they come out unless a rule reports them.
    pub allow: Vec<String>,
    /// Words and phrases that never come out.
    pub deny: Vec<String>,
    /// Names of people who work here.
    pub staff: Vec<String>,
    /// Names of hospitals, wards, clinics, streets and towns.
    pub places: Vec<String>,
}

/// The site list that contains a word or phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SiteList {
    /// [`SiteLists::allow`].
    Allow,
    /// [`SiteLists::deny`].
    Deny,
    /// [`SiteLists::staff`].
    Staff,
    /// [`SiteLists::places`].
    Places,
}

impl SiteList {
    /// Returns the name in results.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Allow => "site-allow",
            Self::Deny => "site-deny",
            Self::Staff => "site-staff",
            Self::Places => "site-places",
        }
    }
}

/// One item of a list, split into units.
#[derive(Debug)]
pub struct Phrase {
    /// All units except the first.
    pub rest: Box<[Box<str>]>,
    pub list: SiteList,
    /// Whether this is only the family name of a member of staff.
    pub is_family_name: bool,
}

/// Site lists, indexed by first unit.
#[derive(Debug)]
pub struct Site {
    lists: SiteLists,
    digest: String,
    phrases: HashMap<Box<str>, Vec<Phrase>>,
}

impl Site {
    fn new(mut lists: SiteLists, vocabulary: &str) -> Result<Self> {
        let mut site = Self { lists: SiteLists::default(), digest: String::new(), phrases: HashMap::new() };
        for (name, list, items) in [
            ("allow", SiteList::Allow, &mut lists.allow),
            ("deny", SiteList::Deny, &mut lists.deny),
            ("staff", SiteList::Staff, &mut lists.staff),
            ("places", SiteList::Places, &mut lists.places),
        ] {
            for (at, item) in items.iter().enumerate() {
                let key = key_of_text(item);
                if key.chars().filter(|unit| unit.is_alphanumeric()).count() == 0 {
                    // The item may be a name, so the message gives only its position.
                    return Err(Error::Policy(format!("item {} of the site list `{name}` holds no word", at + 1)));
                }
                site.add_phrase(&key, list, false);
                let family_name = key.rsplit(' ').next().filter(|last| list == SiteList::Staff && *last != key);
                if let Some(last) = family_name.filter(|last| last.chars().count() > 1) {
                    site.add_phrase(last, list, true);
                }
            }
            items.sort_unstable();
            items.dedup();
        }
        let mut hash = Sha256::new();
        hash.update(vocabulary);
        for items in [&lists.allow, &lists.deny, &lists.staff, &lists.places] {
            hash.update((items.len() as u64).to_le_bytes());
            for item in items {
                hash.update((item.len() as u64).to_le_bytes());
                hash.update(item);
            }
        }
        site.digest = to_hex(&hash.finalize());
        site.lists = lists;
        Ok(site)
    }

    fn add_phrase(&mut self, key: &str, list: SiteList, is_family_name: bool) {
        let mut units = key.split(' ');
        let Some(first) = units.next() else { return };
        let rest: Box<[Box<str>]> = units.map(Box::from).collect();
        let phrases = self.phrases.entry(Box::from(first)).or_default();
        if !phrases.iter().any(|have| have.rest == rest && have.list == list && have.is_family_name <= is_family_name) {
            phrases.push(Phrase { rest, list, is_family_name });
        }
    }

    /// Returns the phrases that begin with a unit.
    pub fn phrases_starting_with(&self, unit: &str) -> &[Phrase] {
        self.phrases.get(unit).map_or(&[], Vec::as_slice)
    }

    pub fn digest(&self) -> &str {
        &self.digest
    }
}

impl Vocabulary {
    /// Returns the same vocabulary with these site lists instead of any previous ones. An item without a word is an
    /// error, whose message gives the position of the item but not its text.
    pub fn with_lists(&self, lists: SiteLists) -> Result<Self> {
        let mut other = self.clone();
        other.1 = None;
        if lists != SiteLists::default() {
            other.1 = Some(std::sync::Arc::new(Site::new(lists, other.digest())?));
        }
        Ok(other)
    }

    /// Returns the lists of the site.
    pub fn site_lists(&self) -> Option<&SiteLists> {
        self.1.as_deref().map(|site| &site.lists)
    }

    /// Returns the site lists that contain a word or phrase as a whole item.
    pub fn site_lists_of(&self, text: &str) -> Vec<SiteList> {
        let key = key_of_text(text);
        let (first, rest) = key.split_once(' ').unwrap_or((&key, ""));
        let same = |phrase: &&Phrase| {
            !phrase.is_family_name && phrase.rest.iter().map(|unit| &**unit).eq(rest.split_terminator(' '))
        };
        let phrases = self.site().map_or(&[][..], |site| site.phrases_starting_with(first));
        let mut lists: Vec<SiteList> = phrases.iter().filter(same).map(|phrase| phrase.list).collect();
        lists.sort_unstable();
        lists
    }

    pub fn site(&self) -> Option<&Site> {
        self.1.as_deref()
    }
}
