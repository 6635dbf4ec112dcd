//! What speaks for tokens and against them, weighed for 64 at a time, and taken back where it breaks.

use super::Decision;
use super::defaults::{Judge, let_out, number_stays};
use super::evidence::{Evidence, Sort};
use super::filter::{FindingFilter, is_keep};
use crate::bits::bits;
use crate::buffer::release;
use crate::document::{Action, Reason};
use crate::policy::Unknown;
use crate::rules::{Allowance, Finding, Findings, GROUP, Note, SITE, is_misread, roman};
use crate::terms::Match;
use crate::vocabulary::{EntryFlags, Vocabulary};

/// How often what is left of broken evidence is decided again before all evidence that tokens share is given up. A note
/// needs one round or two; more of them means writing that is nothing clinical, and must not cost time without end.
pub(super) const ROUNDS: usize = 8;

/// The buffers of the step, kept from note to note.
#[derive(Debug, Default)]
pub struct Scale {
    /// By group of tokens.
    states: Vec<GroupState>,
    /// Which findings are given up: what they vouch for, or their cue, is there no longer as a whole.
    broken: Vec<bool>,
    /// The findings that may break and have not: they vouch for several tokens, or have their cue elsewhere. Behind them
    /// stand more.
    shared: Vec<u32>,
    /// How many they are.
    shares: usize,
    /// Terms of one word with a capital letter. Behind them stand more.
    capitalised: Vec<u32>,
}

/// What is known of 64 tokens so far.
#[derive(Clone, Copy, Debug)]
struct GroupState {
    /// What is said of them.
    evidence: Evidence,
    /// Those that are to be decided on. The first time all are.
    open: u64,
    /// Those for which findings are to be weighed. The first time all are.
    unweighed: u64,
    /// Those that go.
    removed: u64,
}

/// The group in which the tokens `first..last` stand, and which of its tokens these are; `None` where they stand in several.
#[inline]
fn in_one_group(first: u32, last: u32) -> Option<(usize, u64)> {
    let (place, count) = (first as usize % GROUP, (last - first) as usize);
    (place + count <= GROUP).then(|| (first as usize / GROUP, (u64::MAX >> ((GROUP - count) % GROUP)) << place))
}

/// The groups in which the tokens `first..last` stand, and which of their tokens these are.
fn groups(first: u32, last: u32) -> impl Iterator<Item = (usize, u64)> {
    let (first, last) = (first as usize, last as usize);
    (first / GROUP..last.div_ceil(GROUP)).map(move |group| {
        let (from, to) = (first.saturating_sub(group * GROUP), (last - group * GROUP).min(GROUP));
        (group, u64::MAX << from & u64::MAX >> (GROUP - to))
    })
}

/// Which tokens of each group stand by themselves, and which are the first of some that are glued together.
fn clusters(allowance: &[Allowance]) -> impl Iterator<Item = (u64, u64)> {
    let behind = allowance.iter().skip(1).map(Allowance::glued).chain([0]);
    allowance.iter().map(Allowance::glued).zip(behind).map(|(glued, behind)| {
        let runs = (glued >> 1 | behind << (GROUP - 1)) & !glued;
        (!(glued | runs), runs)
    })
}

impl Scale {
    /// Empties the scale for a note of so many groups of tokens.
    pub(super) fn begin(&mut self, groups: usize) {
        let fresh = GroupState { evidence: Evidence::NOTHING, open: u64::MAX, unweighed: u64::MAX, removed: 0 };
        self.states.resize(groups, fresh);
        for state in &mut self.states {
            state.evidence.clear();
            (state.open, state.unweighed, state.removed) = (u64::MAX, u64::MAX, 0);
        }
    }

    /// Gives back the buffers that only a long note needed.
    pub(crate) fn release(&mut self) {
        release(&mut self.states);
        release(&mut self.broken);
        release(&mut self.shared);
        release(&mut self.capitalised);
    }

    /// Decides which of the open tokens go. Most are listed words and marks without evidence; every other word and number without
    /// evidence is looked at by itself.
    pub(super) fn settle(
        &mut self,
        judge: Judge<'_>,
        allowance: &[Allowance],
        matches: &[Match],
        out: &mut [Decision],
    ) {
        for ((nth, column), (alone, runs)) in allowance.iter().enumerate().zip(clusters(allowance)) {
            let GroupState { evidence, open, removed, .. } = &mut self.states[nth];
            if *open == 0 {
                continue;
            }
            let (alone, runs) = (alone & *open, runs & *open);
            // What an earlier scrub wrote stays.
            let mut goes = evidence.goes() & !column.own();
            let unheard = column.no_marks() & !let_out(column, judge.policy) & !evidence.any();
            for place in bits(unheard & alone) {
                let decision = judge.without_evidence(nth * GROUP + place);
                goes |= u64::from(decision.action == Action::Remove) << place;
                out[nth * GROUP + place] = decision;
            }
            *removed = *removed & !alone | goes & alone;
            for place in bits(runs) {
                self.together(judge, nth * GROUP + place, matches, out);
            }
        }
    }

    /// Writes the decisions on tokens that stand by themselves and of which something is said: `out` has all others.
    pub(super) fn write(&self, allowance: &[Allowance], matches: &[Match], out: &mut [Decision]) {
        let mut term = 0;
        let columns = allowance.iter().zip(clusters(allowance)).zip(&self.states);
        for (nth, ((column, (alone, _)), GroupState { evidence, .. })) in columns.enumerate() {
            let heard = evidence.any();
            let outcome = evidence.outcomes();
            for place in bits(heard & alone & !column.own()) {
                let at = nth * GROUP + place;
                let (sort, finding) = outcome(place);
                if sort == Sort::Term {
                    while matches[term].last as usize <= at {
                        term += 1;
                    }
                }
                out[at] = heeded(sort, if sort == Sort::Term { term as u32 } else { finding });
            }
        }
    }

    /// Decides on letters and digits that stand together from `first` on: all stay, each vouched for, or all go.
    fn together(&mut self, judge: Judge<'_>, first: usize, matches: &[Match], out: &mut [Decision]) {
        let Judge { note, policy, .. } = judge;
        let run = first..cluster_end(note, first);
        let evidence = |at: usize| (&self.states[at / GROUP].evidence, at % GROUP);
        let is = |at: usize, column: fn(&Evidence) -> u64| column(evidence(at).0) >> evidence(at).1 & 1 != 0;
        let open = policy.unknown == Unknown::Keep;
        let against = run.clone().find(|&at| is(at, Evidence::goes));
        let stays = |at| {
            is(at, Evidence::spoken_for)
                || judge.names_nobody(at)
                || open && (note.is_word(at) || number_stays(note, at, policy))
        };
        let unvouched = !run.clone().all(stays);
        for at in run.clone() {
            out[at] = match against {
                Some(found) => {
                    // The whole run takes the category of the part that a rule found.
                    let own = is(at, |evidence| evidence.has(Sort::Against));
                    let (evidence, place) = evidence(if own { at } else { found });
                    Decision::new(Action::Remove, Reason::Finding, evidence.behind(Sort::Against, place))
                }
                None if unvouched => Decision::new(Action::Remove, Reason::Glued, Decision::NOTHING),
                None if is(at, Evidence::spoken_for) => match evidence(at).0.outcomes()(evidence(at).1) {
                    (Sort::Term, _) => heeded(Sort::Term, term_at(matches, at) as u32),
                    (sort, finding) => heeded(sort, finding),
                },
                None if judge.names_nobody(at) => Decision::new(Action::Keep, Reason::Judged, Decision::NOTHING),
                None => Decision::new(Action::Keep, Reason::Policy, Decision::NOTHING),
            };
        }
        for at in run {
            let (removed, place) = (&mut self.states[at / GROUP].removed, at % GROUP);
            *removed = *removed & !(1 << place) | u64::from(out[at].action == Action::Remove) << place;
        }
    }

    /// Takes back every term and every finding that vouches for several tokens of which one goes, and every finding whose
    /// cue goes: what is left of "Creutzfeldt-Jakob disease" without a name in it is no disease, and the number after
    /// "sodium" no measurement where sodium is somebody's name. With `all`, those are taken back too of which nothing
    /// goes. What they spoke for is open again. Whether there was one.
    pub(super) fn retract(&mut self, note: &Note<'_>, matches: &[Match], findings: &[Finding], all: bool) -> bool {
        let Self { states, broken, shared, shares, .. } = self;
        let mut any = false;
        for state in &mut *states {
            (state.open, state.unweighed) = (0, 0);
        }
        let open = |states: &mut [GroupState], first: u32, last: u32, sort: Sort| {
            let start = cluster_start(note, first as usize);
            states[start / GROUP].open |= 1 << (start % GROUP);
            for (group, tokens) in groups(first, last) {
                let state = &mut states[group];
                state.evidence.take_back(tokens, sort);
                state.open |= tokens;
                state.unweighed |= if sort == Sort::Voucher { tokens } else { 0 };
            }
        };
        for nth in 0..states.len() {
            // A term that is taken back says nothing of its other tokens any longer.
            loop {
                let GroupState { evidence, removed, .. } = &states[nth];
                let parts = evidence.in_long_terms() & (removed | if all { u64::MAX } else { 0 });
                if parts == 0 {
                    break;
                }
                let found = matches[term_at(matches, nth * GROUP + parts.trailing_zeros() as usize)];
                open(states, found.first, found.last, Sort::Term);
                any = true;
            }
        }
        let mut left = 0;
        for nth in 0..*shares {
            let index = shared[nth];
            let Finding { first, last, anchor, .. } = findings[index as usize];
            let goes = match in_one_group(first, last) {
                Some((group, tokens)) => states[group].removed & tokens,
                None => groups(first, last).fold(0, |goes, (group, tokens)| goes | states[group].removed & tokens),
            };
            // What is vouched for itself is gone already where it goes. A cue may lie outside the note.
            let (some_goes, several) = (goes != 0, last - first > 1);
            let part = some_goes & several;
            let cue = states
                .get(anchor as usize / GROUP)
                .is_some_and(|group| group.removed >> (anchor as usize % GROUP) & 1 != 0);
            shared[left] = index;
            left += 1;
            if part | cue | all {
                broken[index as usize] = true;
                open(states, first, last, Sort::Voucher);
                left -= 1;
                any = true;
            }
        }
        *shares = left;
        any
    }

    /// Puts all terms onto their tokens. No two terms have a token in common, and they stand in the order of the text.
    pub(super) fn weigh_terms(&mut self, vocabulary: &Vocabulary, allowance: &[Allowance], matches: &[Match]) {
        let Self { states, capitalised, .. } = self;
        if capitalised.len() < matches.len() {
            capitalised.resize(matches.len(), 0);
        }
        let mut doubtful = 0;
        for (index, &Match { first, last, .. }) in matches.iter().enumerate() {
            let Some((group, tokens)) = in_one_group(first, last) else {
                for (group, tokens) in groups(first, last) {
                    states[group].evidence.put_term(tokens, tokens);
                }
                continue;
            };
            let several = tokens & u64::from(last - first == 1).wrapping_sub(1);
            let capital = tokens & !several & allowance[group].capitalised();
            capitalised[doubtful] = index as u32;
            doubtful += usize::from(capital != 0);
            states[group].evidence.put_term(tokens & !capital, several);
        }
        // Of words with a capital letter alone the flags of the term are asked, which lie far away in memory.
        let flags = vocabulary.all_entry_flags();
        for &index in &capitalised[..doubtful] {
            let found = matches[index as usize];
            let counts = u64::from(!flags(found.entry).has(EntryFlags::AMBIGUOUS));
            let (group, place) = (found.first as usize / GROUP, found.first as usize % GROUP);
            states[group].evidence.trust_terms(counts << place);
        }
    }

    /// Puts all findings that are not broken onto the tokens for which they are to be heard.
    pub(super) fn weigh_findings(&mut self, note: &Note<'_>, filter: FindingFilter, findings: &Findings) {
        let Self { states, broken, .. } = self;
        let (all, allowance, findings) = (findings, findings.allowance(), findings.as_slice());
        for index in all.in_order() {
            let finding = &findings[index];
            let Some((group, tokens)) = in_one_group(finding.first, finding.last) else {
                put_far(note, filter, states, all, finding, index, broken[index]);
                continue;
            };
            let state = &mut states[group];
            let mut tokens = tokens & state.unweighed & !cleared(filter, all, group, finding);
            if tokens == 0 || broken[index] || !filter.counts(finding) {
                continue;
            }
            // What the site allows stands on its own list.
            let of_rule = is_keep(finding) && finding.rule != SITE;
            let foreign = tokens & allowance[group].foreign();
            if foreign != 0 && of_rule {
                tokens &= !unvouchable(note, group, foreign);
            }
            state.evidence.put(tokens, filter.sort(finding), finding.certainty, index as u32);
        }
    }

    /// Notes which findings may break: those that vouch for several tokens, or whose cue is none of theirs.
    pub(super) fn note_shared(&mut self, filter: FindingFilter, findings: &[Finding]) {
        let Self { broken, shared, .. } = self;
        broken.clear();
        broken.resize(findings.len(), false);
        if shared.len() <= findings.len() {
            shared.resize(findings.len() + 1, 0);
        }
        let mut left = 0;
        for (index, finding) in findings.iter().enumerate() {
            let count = finding.last - finding.first;
            let elsewhere = finding.anchor.wrapping_sub(finding.first) >= count;
            let (vouches, several) = (filter.sort(finding) == Sort::Voucher, count > 1);
            shared[left] = index as u32;
            let may_break = several | elsewhere;
            left += usize::from(vouches & may_break);
        }
        self.shares = left;
    }
}

/// Of which of 64 tokens a finding does not count, because the model is sure that they identify nobody. What the policy keeps
/// counts: it speaks for its tokens.
#[inline]
fn cleared(filter: FindingFilter, findings: &Findings, group: usize, finding: &Finding) -> u64 {
    if matches!(filter.sort(finding), Sort::Against) { findings.cleared(group, finding) } else { 0 }
}

/// Puts a finding onto tokens of several groups.
#[cold]
#[inline(never)]
fn put_far(
    note: &Note<'_>,
    filter: FindingFilter,
    states: &mut [GroupState],
    findings: &Findings,
    finding: &Finding,
    index: usize,
    broken: bool,
) {
    if broken || !filter.counts(finding) {
        return;
    }
    let of_rule = is_keep(finding) && finding.rule != SITE;
    for (group, tokens) in groups(finding.first, finding.last) {
        let foreign = if of_rule { tokens & findings.allowance()[group].foreign() } else { 0 };
        let tokens = tokens & states[group].unweighed & !unvouchable(note, group, foreign);
        let tokens = tokens & !cleared(filter, findings, group, finding);
        states[group].evidence.put(tokens, filter.sort(finding), finding.certainty, index as u32);
    }
}

/// Those of some words on no list that rules may ask for which no rule may vouch.
#[cold]
#[inline(never)]
fn unvouchable(note: &Note<'_>, group: usize, foreign: u64) -> u64 {
    let outside = bits(foreign).filter(|&place| !is_form_of_number(note, group * GROUP + place));
    outside.fold(0, |all, place| all | 1 << place)
}

/// Whether a rule may vouch for a word on none of the lists that rules may ask: it is up to three letters of a number's form
/// (`t2n0m0`, `E11.9`), a Roman numeral, chromosomes of sex (`46,XY`), or stands in a listed word with figures for letters.
pub(super) fn is_form_of_number(note: &Note<'_>, at: usize) -> bool {
    note.width(at) <= 3 && (note.token(at).glued() || note.token(at + 1).glued())
        || roman(note.bytes(at))
        || note.bytes(at).iter().all(|letter| matches!(letter, b'x' | b'y'))
        || is_misread(note, at)
}

/// One past the last token that stands with `at` in one run of letters and digits.
pub(super) fn cluster_end(note: &Note<'_>, at: usize) -> usize {
    let mut end = at + 1;
    while note.token(end).glued() {
        end += 1;
    }
    end
}

/// The first token that stands with `at` in one run of letters and digits.
fn cluster_start(note: &Note<'_>, at: usize) -> usize {
    let mut start = at;
    while start > 0 && note.token(start).glued() {
        start -= 1;
    }
    start
}

/// The number of the term in which a token stands.
fn term_at(matches: &[Match], at: usize) -> usize {
    matches.partition_point(|term| term.last as usize <= at)
}

/// What becomes of a token of which something is said, by the [`Sort`] of what counts.
const HEARD: [Decision; 3] = [
    Decision::new(Action::Keep, Reason::Vouched, Decision::NOTHING),
    Decision::new(Action::Remove, Reason::Finding, Decision::NOTHING),
    Decision::new(Action::Code, Reason::Term, Decision::NOTHING),
];

/// Decides by what is said of a token.
#[inline]
pub(super) fn heeded(sort: Sort, evidence: u32) -> Decision {
    Decision { evidence, ..HEARD[sort as usize] }
}
