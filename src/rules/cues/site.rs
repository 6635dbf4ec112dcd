//! The lists of the site: its staff, its places, what must never come out and what always may.

use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::vocabulary::SiteList;

/// Finds every item of the lists, at every word.
pub(in crate::rules) fn apply_site_lists(note: &Note<'_>, findings: &mut Findings) {
    let Some(site) = note.site() else { return };
    for at in 0..note.len() {
        if !is_phrase_unit(note, at) {
            continue;
        }
        for phrase in site.phrases_starting_with(note.word(at)) {
            let Some(end) = end_of_site_phrase(note, at, &phrase.rest) else { continue };
            let several = !phrase.rest.is_empty();
            // "Gray" is a colleague, "gray matter" is not: a single word is a name only if capitalised.
            let named = several || note.capitalised(at);
            match phrase.list {
                SiteList::Deny => findings.remove(at, end, Kind::OtherId, Certainty::Sure),
                SiteList::Staff if named && phrase.is_family_name => {
                    findings.remove(at, end, Kind::Name, Certainty::Likely);
                }
                SiteList::Staff if named => findings.remove(at, end, Kind::Name, Certainty::Sure),
                SiteList::Places if named => findings.remove(at, end, Kind::Hospital, Certainty::Sure),
                SiteList::Allow if is_unglued_range(note, at, end) => {
                    findings.keep(at, end, if several { Certainty::Likely } else { Certainty::Weak });
                }
                _ => {}
            }
        }
    }
}

fn is_phrase_unit(note: &Note<'_>, at: usize) -> bool {
    !note.token(at).skipped_in_terms()
}

/// Returns the end (exclusive) of a phrase whose first unit is at `at`. It may cross sentence and line boundaries: a
/// name broken over two lines is still one.
fn end_of_site_phrase(note: &Note<'_>, at: usize, rest: &[Box<str>]) -> Option<usize> {
    let mut end = at + 1;
    for unit in rest {
        while end < note.len() && !is_phrase_unit(note, end) {
            end += 1;
        }
        if end >= note.len() || note.word(end) != &**unit {
            return None;
        }
        end += 1;
    }
    Some(end)
}

/// Returns whether tokens can be vouched for together: nothing is glued to them, and they cross no boundary.
fn is_unglued_range(note: &Note<'_>, first: usize, last: usize) -> bool {
    !note.token(first).glued()
        && !note.token(last).glued()
        && (first + 1..last).all(|at| !note.token(at).border_before())
}
