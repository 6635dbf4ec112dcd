//! Groups removed tokens that no model delimits: by what was found, and what stands beside it.

use super::Entity;
use crate::decide::{self, Decision, Judge};
use crate::document::{Action, Reason};
use crate::finding::Kind;
use crate::policy::Zip;
use crate::text::token::Gap;

/// All removed tokens as entities; those of `fixed`, which are in order, are taken as they are.
pub(super) fn entities_of_runs(judge: Judge<'_>, decisions: &[Decision], fixed: &[Entity]) -> Vec<Entity> {
    let mut all = Vec::new();
    let mut fixed = fixed.iter().peekable();
    let mut at = 0;
    while at < decisions.len() {
        if let Some(&&entity) = fixed.peek()
            && entity.first as usize == at
        {
            all.push(entity);
            at = entity.last as usize;
            fixed.next();
            continue;
        }
        if decisions[at].action != Action::Remove {
            at += 1;
            continue;
        }
        let kind = decide::kind(decisions[at], judge.findings);
        let end = fixed.peek().map_or(decisions.len(), |entity| entity.first as usize);
        let last = end_of_run(judge, &decisions[..end], at, kind);
        all.push(Entity { first: at as u32, last: last as u32, kind });
        at = last;
    }
    all
}

/// One past the removal that begins at the token `first`, with the kind of its first token.
fn end_of_run(judge: Judge<'_>, decisions: &[Decision], first: usize, kind: Option<Kind>) -> usize {
    let Judge { note, findings, policy, .. } = judge;
    let mut last = first + 1;
    while last < decisions.len() && decisions[last].action == Action::Remove {
        let (here, next) = (decisions[last - 1], decisions[last]);
        let whole = kind.is_some() || matches!(here.reason, Reason::Section | Reason::Header);
        let same = next.reason == here.reason && next.evidence == here.evidence && whole;
        let beside = || match (kind, decide::kind(next, findings)) {
            // The first figures of a postal code stand for themselves.
            (Some(_), Some(Kind::Zip)) if policy.zip == Zip::Prefix && kind != Some(Kind::Zip) => false,
            (Some(one), Some(other)) => one.category() == other.category() && note.gap(last) <= Gap::Space,
            (None, None) => note.token(last).glued(),
            _ => false,
        };
        if !same && !beside() {
            break;
        }
        last += 1;
    }
    last
}
