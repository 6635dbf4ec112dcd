//! A name found in a sure place is a name everywhere in its note.

use super::{NAMES, is_mostly_name, is_shouted, lean};
use crate::rules::columns::{Columns, GROUP};
use crate::rules::place::is_kind;
use crate::rules::{Certainty, Findings, Kind, Verdict, View};
use crate::vocabulary::{Class, Classes, WordId};

/// More names than this are not followed through a note: no note has them, and the list stays short.
const MOST: usize = 64;

/// The words of the names of one note, sorted, kept from note to note.
#[derive(Debug, Default)]
pub struct Names {
    words: Vec<WordId>,
    /// By the last eight bits of a word: nearly every word of a note is seen not to be a name here.
    filter: Filter,
}

#[derive(Debug)]
struct Filter([bool; 256]);

impl Default for Filter {
    fn default() -> Self {
        Self([false; 256])
    }
}

impl Names {
    /// Reports every other place of the names found so far. Words on no list need no finding: nothing lets them out.
    pub(in crate::rules) fn spread(&mut self, view: &View<'_>, columns: &Columns, findings: &mut Findings) {
        self.words.clear();
        self.filter = Filter::default();
        for finding in findings.as_slice() {
            let Verdict::Remove(kind) = finding.verdict else { continue };
            let place = matches!(kind, Kind::City | Kind::Hospital | Kind::Organisation);
            if finding.certainty < Certainty::Likely || kind != Kind::Name && !place {
                continue;
            }
            for at in finding.first as usize..finding.last as usize {
                let name = view.is_word(at)
                    && view.width(at) > 2
                    && view.id(at).is_known()
                    && !view.is(at, Class::Stop)
                    && (view.any(at, NAMES) && !place || view.capitalised(at))
                    && !(place && is_common(view, at));
                if name && self.words.len() < MOST && !self.words.contains(&view.id(at)) {
                    self.words.push(view.id(at));
                    self.filter.0[view.id(at).0 as usize % 256] = true;
                }
            }
        }
        if self.words.is_empty() {
            return;
        }
        self.words.sort_unstable();
        // In small letters no word is taken for a name here.
        for (group, (standing, ids)) in columns.standing().iter().zip(view.ids().chunks(GROUP)).enumerate() {
            let mut left = standing.capitalised();
            while left != 0 {
                let place = left.trailing_zeros() as usize;
                left &= left - 1;
                let Some(&id) = ids.get(place) else { break };
                if self.filter.0[id.0 as usize % 256] && id.is_known() && self.words.binary_search(&id).is_ok() {
                    again(view, group * GROUP + place, findings);
                }
            }
        }
    }
}

/// Reports a word with a capital letter that is one of a name found elsewhere.
fn again(view: &View<'_>, at: usize, findings: &mut Findings) {
    // In lines of capitals, and at the start of a sentence, an ordinary word looks like this too.
    let named =
        if is_shouted(view, at) { is_mostly_name(view, at) } else { !view.sentence_start(at) || lean(view, at) >= 4 };
    if named {
        findings.remove(at, at + 1, Kind::Name, Certainty::Weak);
    }
}

/// Whether the word of a place's name is one of many places' names.
fn is_common(view: &View<'_>, at: usize) -> bool {
    let kinds = Classes::of(&[
        Class::Facility,
        Class::Organisation,
        Class::StreetType,
        Class::PlaceBefore,
        Class::PlaceAfter,
        Class::WardNoun,
        Class::Clinical,
        Class::Title,
        Class::PersonNoun,
        Class::Relative,
        Class::NameField,
        Class::IdKeyword,
    ]);
    view.width(at) < 4 || view.any(at, kinds) || is_kind(view, at)
}
