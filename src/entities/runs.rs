//! Groups removed tokens without a model: by their findings and their neighbours.

use super::Entity;
use crate::decide::{self, Decision, Judge};
use crate::document::{Action, Reason};
use crate::finding::Kind;
use crate::policy::Zip;
use crate::text::token::Gap;

/// Returns all removed tokens as entities; those in `fixed`, which must be in order, are taken as they are.
pub(super) fn entities_of_runs(judge: Judge<'_>, decisions: &[Decision], fixed: &[Entity]) -> Vec<Entity> {
    let mut all = Vec::new();
    let mut fixed = fixed.iter().peekable();
    let mut at = 0;
    while at < decisions.len() {
        if let Some(&&entity) = fixed.peek()
            && entity.first as usize == at
        {
            all.push(entity);
            at = entity.end as usize;
            fixed.next();
            continue;
        }
        if decisions[at].action != Action::Remove {
            at += 1;
            continue;
        }
        let kind = decide::kind_of_removal(decisions[at], judge.findings);
        let end = fixed.peek().map_or(decisions.len(), |entity| entity.first as usize);
        let last = end_of_run(judge, &decisions[..end], at, kind);
        all.push(Entity { first: at as u32, end: last as u32, kind });
        at = last;
    }
    all
}

/// Returns the end (exclusive) of the removal that starts at the token `first`; `kind` is that of its first token.
fn end_of_run(judge: Judge<'_>, decisions: &[Decision], first: usize, kind: Option<Kind>) -> usize {
    let Judge { note, findings, policy, .. } = judge;
    let mut last = first + 1;
    while last < decisions.len() && decisions[last].action == Action::Remove {
        let (here, next) = (decisions[last - 1], decisions[last]);
        let whole = kind.is_some() || matches!(here.reason, Reason::Section | Reason::Header);
        let same = next.reason == here.reason && next.evidence == here.evidence && whole;
        let beside = || match (kind, decide::kind_of_removal(next, findings)) {
            // The kept first digits of a postal code are a removal of their own.
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
