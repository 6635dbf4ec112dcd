//! The lists of the site: its staff, its places, what never comes out there and what always may.

use crate::rules::engine::{Certainty, Findings, Kind, View};
use crate::vocabulary::SiteList;

/// Looks for every item of the lists, from every word on.
pub(in crate::rules) fn find(view: &View<'_>, findings: &mut Findings) {
    let Some(site) = view.site() else { return };
    for at in 0..view.len() {
        if !is_unit(view, at) {
            continue;
        }
        for phrase in site.starting_with(view.word(at)) {
            let Some(end) = end(view, at, &phrase.rest) else { continue };
            let several = !phrase.rest.is_empty();
            // "Gray" is a colleague, "gray matter" is none: a single word is a name only with a capital letter.
            let named = several || view.capitalised(at);
            match phrase.list {
                SiteList::Deny => findings.remove(at, end, Kind::OtherId, Certainty::Sure),
                SiteList::Staff if named && phrase.part => findings.remove(at, end, Kind::Name, Certainty::Likely),
                SiteList::Staff if named => findings.remove(at, end, Kind::Name, Certainty::Sure),
                SiteList::Places if named => findings.remove(at, end, Kind::Hospital, Certainty::Sure),
                SiteList::Allow if is_free(view, at, end) => {
                    findings.keep(at, end, if several { Certainty::Likely } else { Certainty::Weak });
                }
                _ => {}
            }
        }
    }
}

fn is_unit(view: &View<'_>, at: usize) -> bool {
    !view.token(at).skipped_in_terms()
}

/// One past the last token of a phrase whose first unit stands at `at`. Removing may reach over borders of sentences
/// and lines: a name that a line breaks in two is still one.
fn end(view: &View<'_>, at: usize, rest: &[Box<str>]) -> Option<usize> {
    let mut end = at + 1;
    for unit in rest {
        while end < view.len() && !is_unit(view, end) {
            end += 1;
        }
        if end >= view.len() || view.word(end) != &**unit {
            return None;
        }
        end += 1;
    }
    Some(end)
}

/// Whether tokens can be vouched for as one: nothing is glued to them, and no border lies inside.
fn is_free(view: &View<'_>, first: usize, last: usize) -> bool {
    !view.token(first).glued()
        && !view.token(last).glued()
        && (first + 1..last).all(|at| !view.token(at).border_before())
}
