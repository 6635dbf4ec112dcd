//! Interned texts of cues.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use serde::{Deserialize, Serialize};

/// The text of a cue as its list has it, interned so that a mention holds only a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "&'static str")]
pub struct CueText(u16);

/// The texts of all cues in this process; the first is empty and means no cue.
static INTERNED_TEXTS: RwLock<Vec<&'static str>> = RwLock::new(Vec::new());
/// The numbers of the texts.
static INTERNED_NUMBERS: RwLock<BTreeMap<&'static str, u16>> = RwLock::new(BTreeMap::new());

impl CueText {
    /// Interns a text. Interned texts live as long as the process; lists of cues are few and small.
    #[must_use]
    pub fn intern(text: &str) -> Self {
        if let Some(&known) = INTERNED_NUMBERS.read().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Self(known);
        }
        let mut numbers = INTERNED_NUMBERS.write().unwrap_or_else(PoisonError::into_inner);
        let mut texts = INTERNED_TEXTS.write().unwrap_or_else(PoisonError::into_inner);
        if texts.is_empty() {
            texts.push("");
        }
        let Ok(number) = u16::try_from(texts.len()) else { return Self::default() };
        let known = *numbers.entry(Box::leak(text.into())).or_insert_with_key(|text| {
            texts.push(text);
            number
        });
        Self(known)
    }

    /// Returns the text as its list has it; empty if there is no cue.
    pub fn as_str(self) -> &'static str {
        INTERNED_TEXTS
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(usize::from(self.0))
            .copied()
            .unwrap_or_default()
    }
}

impl From<String> for CueText {
    fn from(text: String) -> Self {
        if text.is_empty() { Self::default() } else { Self::intern(&text) }
    }
}

impl From<CueText> for &'static str {
    fn from(cue: CueText) -> Self {
        cue.as_str()
    }
}
