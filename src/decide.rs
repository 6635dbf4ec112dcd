//! One decision a token: keep, code or remove, with its reason.
//!
//! Fourth step in the way of a note, and the only place that sees concepts and findings together. Every decision starts
//! as *remove*: a forgotten case removes. What speaks for a token and what speaks against it are weighed by certainty
//! (see [`Certainty`]); removal wins a tie:
//!
//! | speaks for a token | certainty |
//! |---|---|
//! | it stands on an allowed list | 0: only where no finding speaks against it |
//! | it is a term of one word | 1 |
//! | it stands inside a term of several words | 2 |
//! | a rule vouches for it | as the rule says |
//!
//! Numbers need something that vouches for them, at 1 or more. Letters and digits with nothing between them stay or go
//! together. A term, and what a rule vouches for as one, is whole or it is nothing: where a part of it goes, or the cue for
//! which the rule vouched, the rest is decided again without it. What an earlier scrub wrote stays.

mod said;

use std::ops::Range;

use crate::bits::bits;
use crate::concepts::Match;
use crate::document::Voucher;
use crate::policy::{Ambiguous, NAMES_AND_PLACES, Numbers, Policy, Unknown};
use crate::rules::{self, Certainty, Finding, Findings, GROUP, Kind, RULES, SITE, Standing, Verdict, View, roman};
use crate::token::{self, Case};
use crate::vocabulary::{Class, Classes, EntryFlags, EntryId, Vocabulary};
use crate::word_forms;
use said::{Said, Sort};

/// What happens to a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Action {
    /// It comes out as written.
    Keep,
    /// It comes out as part of a coded term.
    Code,
    /// It does not come out.
    Remove,
}

/// Why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    /// Removed: nothing vouches for it.
    Unlisted,
    /// Removed: a rule says that it is PHI.
    Finding,
    /// Removed: what it is glued to was removed, or nothing vouches for the two together.
    Glued,
    /// Removed: a list of names or places, where unknown words stay or the policy lets no name pass.
    NameList,
    /// Removed: the policy drops the section.
    Section,
    /// Kept: punctuation.
    Punctuation,
    /// Kept: it stands on an allowed list.
    List,
    /// Kept: part of a term.
    Term,
    /// Kept: a rule vouches for it.
    Vouched,
    /// Kept: the policy keeps what nothing speaks against.
    Policy,
    /// Kept: a tag or a code that notesieve itself writes.
    Own,
    /// Kept: a prefix or an ending over a listed word.
    Derived,
    /// Kept: a word of a longer term.
    TermWord,
    /// Written as the listed word that one typing error makes of it; the evidence is that word.
    Rescued,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 14] = [
        Self::Unlisted,
        Self::Finding,
        Self::Glued,
        Self::NameList,
        Self::Section,
        Self::Punctuation,
        Self::List,
        Self::Term,
        Self::Vouched,
        Self::Policy,
        Self::Own,
        Self::Derived,
        Self::TermWord,
        Self::Rescued,
    ];

    /// Its name in results.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Unlisted => "unlisted",
            Self::Finding => "finding",
            Self::Glued => "glued",
            Self::NameList => "name-list",
            Self::Section => "section",
            Self::Punctuation => "punctuation",
            Self::List => "list",
            Self::Term => "term",
            Self::Vouched => "vouched",
            Self::Policy => "policy",
            Self::Own => "own",
            Self::Derived => "derived",
            Self::TermWord => "term-word",
            Self::Rescued => "rescued",
        }
    }
}

/// The decision on one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What happens to it.
    pub action: Action,
    /// Why.
    pub reason: Reason,
    /// The finding or the match behind the reason: an index, or [`Decision::NOTHING`].
    pub evidence: u32,
}

impl Decision {
    /// No finding and no match.
    pub const NOTHING: u32 = u32::MAX;

    const fn new(action: Action, reason: Reason, evidence: u32) -> Self {
        Self { action, reason, evidence }
    }
}

/// What becomes of a token of which something is said, by the [`Sort`] of what counts.
const HEARD: [Decision; 3] = [
    Decision::new(Action::Keep, Reason::Vouched, Decision::NOTHING),
    Decision::new(Action::Code, Reason::Term, Decision::NOTHING),
    Decision::new(Action::Remove, Reason::Finding, Decision::NOTHING),
];

/// Begins the decisions: what is no mark goes, but for words whose bit says that they are listed.
fn begin_out(standing: &[Standing], policy: &Policy, tokens: usize, out: &mut Vec<Decision>) {
    out.resize(standing.len() * GROUP, UNHEARD[token::Kind::Word as usize]);
    for (out, column) in out.as_chunks_mut::<GROUP>().0.iter_mut().zip(standing) {
        let (mut marks, mut listed) = (!column.no_marks(), let_out(column, policy));
        for out in out.as_chunks_mut::<2>().0 {
            *out = PAIRS[((marks & 3) << 2 | listed & 3) as usize];
            (marks, listed) = (marks >> 2, listed >> 2);
        }
        for place in bits(column.own()) {
            out[place] = UNHEARD[token::Kind::Own as usize];
        }
    }
    out.truncate(tokens);
}

/// What becomes of two tokens of which nobody says anything: two bits say which of them are marks, two which are listed.
const PAIRS: [[Decision; 2]; 16] = {
    let mut pairs = [[UNHEARD[token::Kind::Word as usize]; 2]; 16];
    let mut at = 0;
    while at < 2 * pairs.len() {
        let (pair, place) = (at / 2, at % 2);
        if pair >> 2 >> place & 1 != 0 {
            pairs[pair][place] = UNHEARD[token::Kind::Punct as usize];
        } else if pair >> place & 1 != 0 {
            pairs[pair][place] = LISTED;
        }
        at += 1;
    }
    pairs
};

/// What becomes of a token of which nobody says anything, by its kind. Everything goes that is not named here, words
/// first of all; at them, at numbers and at symbols a closer look is taken.
const UNHEARD: [Decision; 7] = {
    let mut decisions = [Decision::new(Action::Remove, Reason::Unlisted, Decision::NOTHING); 7];
    let keeps = [
        (token::Kind::Punct, Reason::Punctuation),
        (token::Kind::Possessive, Reason::Punctuation),
        (token::Kind::Own, Reason::Own),
    ];
    let mut at = 0;
    while at < keeps.len() {
        decisions[keeps[at].0 as usize] = Decision::new(Action::Keep, keeps[at].1, Decision::NOTHING);
        at += 1;
    }
    decisions
};

/// What becomes of a listed word of which nobody says anything.
const LISTED: Decision = Decision::new(Action::Keep, Reason::List, Decision::NOTHING);

/// The buffers of the step, kept from note to note.
#[derive(Debug, Default)]
pub struct Scale {
    /// By group of tokens.
    groups: Vec<Group>,
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

/// How 64 tokens fare.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// What is said of them.
    said: Said,
    /// Those that are to be decided on. The first time all are.
    open: u64,
    /// Those for which findings are to be heard. The first time all are.
    unheard: u64,
    /// Those that go.
    removed: u64,
}

/// How often what is left of broken evidence is decided again before all evidence that tokens share is given up. A note
/// needs one round or two; more of them means writing that is nothing clinical, and must not cost time without end.
const ROUNDS: usize = 8;

/// Symbols outside ASCII that identify nobody.
fn is_harmless_symbol(symbol: &str) -> bool {
    matches!(
        symbol,
        "°" | "±"
            | "≥"
            | "≤"
            | "≠"
            | "≈"
            | "•"
            | "·"
            | "→"
            | "←"
            | "↑"
            | "↓"
            | "§"
            | "¶"
            | "√"
            | "∞"
            | "~"
    )
}

/// Decides on every token of the note in which `findings` were found. `out` is emptied first.
pub fn decide(
    view: &View<'_>,
    vocabulary: &Vocabulary,
    matches: &[Match],
    findings: &Findings,
    policy: &Policy,
    scale: &mut Scale,
    out: &mut Vec<Decision>,
) {
    let judge = Judge { view, vocabulary, allowed: policy.allowed(), policy };
    let standing = findings.standing();
    scale.begin(standing.len());
    scale.weigh_terms(vocabulary, standing, matches);
    let hearing = Hearing::new(policy);
    scale.note_shared(hearing, findings.as_slice());
    scale.weigh_findings(view, hearing, findings);
    begin_out(standing, policy, view.len(), out);
    scale.settle(judge, standing, out);
    for round in 0.. {
        if !scale.retract(view, matches, findings.as_slice(), round >= ROUNDS) {
            break;
        }
        scale.weigh_findings(view, hearing, findings);
        scale.settle(judge, standing, out);
    }
    scale.write(standing, out);
}

/// The words of a group that come out where nobody says anything of them.
#[inline]
fn let_out(group: &Standing, policy: &Policy) -> u64 {
    let listed = group.listed(policy);
    if policy.ambiguous == Ambiguous::Always { listed & !group.capitalised() } else { listed }
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
fn clusters(standing: &[Standing]) -> impl Iterator<Item = (u64, u64)> {
    let behind = standing.iter().skip(1).map(Standing::glued).chain([0]);
    standing.iter().map(Standing::glued).zip(behind).map(|(glued, behind)| {
        let runs = (glued >> 1 | behind << (GROUP - 1)) & !glued;
        (!(glued | runs), runs)
    })
}

impl Scale {
    /// Empties the scale for a note of so many groups of tokens.
    fn begin(&mut self, groups: usize) {
        let fresh = Group { said: Said::NOTHING, open: u64::MAX, unheard: u64::MAX, removed: 0 };
        self.groups.resize(groups, fresh);
        for group in &mut self.groups {
            group.said.clear();
            (group.open, group.unheard, group.removed) = (u64::MAX, u64::MAX, 0);
        }
    }

    /// Decides which of the open tokens go. Most are listed words and marks of which nobody says anything; every other word
    /// and number of which nobody says anything is looked at by itself.
    fn settle(&mut self, judge: Judge<'_>, standing: &[Standing], out: &mut [Decision]) {
        for ((nth, column), (alone, runs)) in standing.iter().enumerate().zip(clusters(standing)) {
            let Group { said, open, removed, .. } = &mut self.groups[nth];
            if *open == 0 {
                continue;
            }
            let (alone, runs) = (alone & *open, runs & *open);
            // What an earlier scrub wrote stays.
            let mut goes = said.goes() & !column.own();
            let unheard = column.no_marks() & !let_out(column, judge.policy) & !said.heard();
            for place in bits(unheard & alone) {
                let decision = judge.unheard(nth * GROUP + place);
                goes |= u64::from(decision.action == Action::Remove) << place;
                out[nth * GROUP + place] = decision;
            }
            *removed = *removed & !alone | goes & alone;
            for place in bits(runs) {
                self.together(judge, nth * GROUP + place, out);
            }
        }
    }

    /// Writes the decisions on tokens that stand by themselves: `out` has those on marks, and on words and numbers of which
    /// nobody says anything, and lets no listed word out; a word stays where its bit says that it is listed.
    fn write(&self, standing: &[Standing], out: &mut [Decision]) {
        let columns = standing.iter().zip(clusters(standing)).zip(&self.groups);
        for (nth, ((column, (alone, _)), Group { said, .. })) in columns.enumerate() {
            let heard = said.heard();
            let outcome = said.outcomes();
            for place in bits(heard & alone & !column.own()) {
                out[nth * GROUP + place] = heeded(outcome(place));
            }
        }
    }

    /// Decides on letters and digits that stand together from `first` on: all stay, each vouched for, or all go.
    fn together(&mut self, judge: Judge<'_>, first: usize, out: &mut [Decision]) {
        let Judge { view, policy, .. } = judge;
        let run = first..cluster_end(view, first);
        let said = |at: usize| (&self.groups[at / GROUP].said, at % GROUP);
        let is = |at: usize, column: fn(&Said) -> u64| column(said(at).0) >> said(at).1 & 1 != 0;
        let open = policy.unknown == Unknown::Keep;
        let against = run.clone().find(|&at| is(at, Said::goes));
        let stays = |at| is(at, Said::spoken_for) || open && (view.is_word(at) || number_stays(view, at, policy));
        let unvouched = !run.clone().all(stays);
        for at in run.clone() {
            out[at] = match against {
                Some(found) => {
                    // The whole run takes the category of the part that a rule found.
                    let own = is(at, |said| said.has(Sort::Against));
                    let (said, place) = said(if own { at } else { found });
                    Decision::new(Action::Remove, Reason::Finding, said.behind(Sort::Against, place))
                }
                None if unvouched => Decision::new(Action::Remove, Reason::Glued, Decision::NOTHING),
                None if is(at, Said::spoken_for) => heeded(said(at).0.outcomes()(said(at).1)),
                None => Decision::new(Action::Keep, Reason::Policy, Decision::NOTHING),
            };
        }
        for at in run {
            let (removed, place) = (&mut self.groups[at / GROUP].removed, at % GROUP);
            *removed = *removed & !(1 << place) | u64::from(out[at].action == Action::Remove) << place;
        }
    }

    /// Takes back every term and every finding that vouches for several tokens of which one goes, and every finding whose
    /// cue goes: what is left of "Creutzfeldt-Jakob disease" without a name in it is no disease, and the number after
    /// "sodium" no measurement where sodium is somebody's name. With `all`, those are taken back too of which nothing
    /// goes. What they spoke for is open again. Whether there was one.
    fn retract(&mut self, view: &View<'_>, matches: &[Match], findings: &[Finding], all: bool) -> bool {
        let Self { groups: fates, broken, shared, shares, .. } = self;
        let mut any = false;
        for fate in &mut *fates {
            (fate.open, fate.unheard) = (0, 0);
        }
        let open = |fates: &mut [Group], first: u32, last: u32, sort: Sort| {
            let start = cluster_start(view, first as usize);
            fates[start / GROUP].open |= 1 << (start % GROUP);
            for (group, tokens) in groups(first, last) {
                let fate = &mut fates[group];
                fate.said.take_back(tokens, sort);
                fate.open |= tokens;
                fate.unheard |= if sort == Sort::Voucher { tokens } else { 0 };
            }
        };
        for nth in 0..fates.len() {
            // A term that is taken back says nothing of its other tokens any longer.
            loop {
                let Group { said, removed, .. } = &fates[nth];
                let parts = said.in_long_terms() & (removed | if all { u64::MAX } else { 0 });
                if parts == 0 {
                    break;
                }
                let found = matches[said.behind(Sort::Term, parts.trailing_zeros() as usize) as usize];
                open(fates, found.first, found.last, Sort::Term);
                any = true;
            }
        }
        let mut left = 0;
        for nth in 0..*shares {
            let index = shared[nth];
            let Finding { first, last, anchor, .. } = findings[index as usize];
            let goes = match in_one_group(first, last) {
                Some((group, tokens)) => fates[group].removed & tokens,
                None => groups(first, last).fold(0, |goes, (group, tokens)| goes | fates[group].removed & tokens),
            };
            // What is vouched for itself is gone already where it goes. A cue may lie outside the note.
            let (some_goes, several) = (goes != 0, last - first > 1);
            let part = some_goes & several;
            let cue = fates
                .get(anchor as usize / GROUP)
                .is_some_and(|group| group.removed >> (anchor as usize % GROUP) & 1 != 0);
            shared[left] = index;
            left += 1;
            if part | cue | all {
                broken[index as usize] = true;
                open(fates, first, last, Sort::Voucher);
                left -= 1;
                any = true;
            }
        }
        *shares = left;
        any
    }

    /// Puts all terms onto their tokens. No two terms have a token in common, and they stand in the order of the text.
    fn weigh_terms(&mut self, vocabulary: &Vocabulary, standing: &[Standing], matches: &[Match]) {
        let Self { groups: fates, capitalised, .. } = self;
        if capitalised.len() < matches.len() {
            capitalised.resize(matches.len(), 0);
        }
        let mut doubtful = 0;
        for (index, &Match { first, last, .. }) in matches.iter().enumerate() {
            let Some((group, tokens)) = in_one_group(first, last) else {
                for (group, tokens) in groups(first, last) {
                    fates[group].said.put_term(tokens, tokens, tokens, index as u32);
                }
                continue;
            };
            let several = tokens & u64::from(last - first == 1).wrapping_sub(1);
            let capital = tokens & !several & standing[group].capitalised();
            capitalised[doubtful] = index as u32;
            doubtful += usize::from(capital != 0);
            fates[group].said.put_term(tokens, tokens & !capital, several, index as u32);
        }
        // Of words with a capital letter alone the flags of the term are asked, which lie far away in memory.
        let flags = vocabulary.all_entry_flags();
        for &index in &capitalised[..doubtful] {
            let found = matches[index as usize];
            let counts = u64::from(!flags(found.entry).has(EntryFlags::AMBIGUOUS));
            let (group, place) = (found.first as usize / GROUP, found.first as usize % GROUP);
            fates[group].said.trust_terms(counts << place);
        }
    }

    /// Puts all findings that are not broken onto the tokens for which they are to be heard.
    fn weigh_findings(&mut self, view: &View<'_>, hearing: Hearing, findings: &Findings) {
        let Self { groups: fates, broken, .. } = self;
        let (standing, findings) = (findings.standing(), findings.as_slice());
        for index in 0..findings.len() {
            let finding = &findings[index];
            let Some((group, tokens)) = in_one_group(finding.first, finding.last) else {
                put_far(view, hearing, fates, standing, finding, index, broken[index]);
                continue;
            };
            let fate = &mut fates[group];
            let mut tokens = tokens & fate.unheard;
            if tokens == 0 || broken[index] || !hearing.hears(finding) {
                continue;
            }
            // What the site allows stands on its own list.
            let of_rule = is_keep(finding) && finding.rule != SITE;
            let foreign = tokens & standing[group].foreign();
            if foreign != 0 && of_rule {
                tokens &= !strangers(view, group, foreign);
            }
            fate.said.put(tokens, hearing.sort(finding), finding.certainty, index as u32);
        }
    }

    /// Notes which findings may break: those that vouch for several tokens, or whose cue is none of theirs.
    fn note_shared(&mut self, hearing: Hearing, findings: &[Finding]) {
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
            let (vouches, several) = (hearing.sort(finding) == Sort::Voucher, count > 1);
            shared[left] = index as u32;
            let may_break = several | elsewhere;
            left += usize::from(vouches & may_break);
        }
        self.shares = left;
    }
}

/// Which findings a policy hears, and how.
#[derive(Clone, Copy)]
struct Hearing {
    /// The kinds whose findings speak against tokens; those of others vouch for them.
    against: u64,
    /// The verdicts that nobody hears.
    ignored: u64,
    /// The rule that nobody hears.
    unheard: u16,
}

impl Hearing {
    fn new(policy: &Policy) -> Self {
        let (against, ignored) = policy.kinds();
        Self {
            against: against & !(1 << KEEP),
            ignored: ignored | u64::from(policy.numbers == Numbers::None) << KEEP,
            // Words that are judged by their capital letter and the words around stay where the policy says so.
            unheard: if policy.ambiguous == Ambiguous::Never { rules::BARE_NAME } else { u16::MAX },
        }
    }

    #[inline]
    fn hears(self, finding: &Finding) -> bool {
        self.ignored >> place_of(finding.verdict) & 1 == 0 && finding.rule != self.unheard
    }

    #[inline]
    fn sort(self, finding: &Finding) -> Sort {
        if self.against >> place_of(finding.verdict) & 1 != 0 { Sort::Against } else { Sort::Voucher }
    }
}

/// Puts a finding onto tokens of several groups.
#[cold]
#[inline(never)]
fn put_far(
    view: &View<'_>,
    hearing: Hearing,
    fates: &mut [Group],
    standing: &[Standing],
    finding: &Finding,
    index: usize,
    broken: bool,
) {
    if broken || !hearing.hears(finding) {
        return;
    }
    let of_rule = is_keep(finding) && finding.rule != SITE;
    for (group, tokens) in groups(finding.first, finding.last) {
        let foreign = if of_rule { tokens & standing[group].foreign() } else { 0 };
        let tokens = tokens & fates[group].unheard & !strangers(view, group, foreign);
        fates[group].said.put(tokens, hearing.sort(finding), finding.certainty, index as u32);
    }
}

/// The place of [`Verdict::Keep`] among the kinds that findings remove: behind them.
const KEEP: u32 = Kind::ALL.len() as u32;

const _: () = assert!(KEEP < u64::BITS, "a verdict has a bit of its own");

/// The place of a verdict among the verdicts.
#[inline]
const fn place_of(verdict: Verdict) -> u32 {
    match verdict {
        Verdict::Remove(kind) => kind as u32,
        Verdict::Keep => KEEP,
    }
}

/// Whether the finding vouches for its tokens, whatever the policy says.
#[inline]
const fn is_keep(finding: &Finding) -> bool {
    place_of(finding.verdict) == KEEP
}

/// Those of some words on no list that rules may ask for which no rule may vouch.
#[cold]
#[inline(never)]
fn strangers(view: &View<'_>, group: usize, foreign: u64) -> u64 {
    let strange = bits(foreign).filter(|&place| !is_form_of_number(view, group * GROUP + place));
    strange.fold(0, |all, place| all | 1 << place)
}

/// Whether the finding speaks against its tokens.
fn removes(finding: &Finding, policy: &Policy) -> bool {
    matches!(finding.verdict, Verdict::Remove(kind) if policy.removes(kind))
}

/// One past the last token that stands with `at` in one run of letters and digits.
fn cluster_end(view: &View<'_>, at: usize) -> usize {
    let mut end = at + 1;
    while view.token(end).glued() {
        end += 1;
    }
    end
}

/// The first token that stands with `at` in one run of letters and digits.
fn cluster_start(view: &View<'_>, at: usize) -> usize {
    let mut start = at;
    while start > 0 && view.token(start).glued() {
        start -= 1;
    }
    start
}

/// What a term weighs; `None` if it does not count here. Only of a word with a capital letter the flags of the term are asked, which
/// lie far away in memory.
#[inline]
fn term_certainty(view: &View<'_>, flags: impl Fn(EntryId) -> EntryFlags, found: Match) -> Option<Certainty> {
    debug_assert!(flags(found.entry).has(EntryFlags::TERM), "only terms of concepts are found as terms");
    if found.last - found.first > 1 {
        return Some(Certainty::Likely);
    }
    let ambiguous = view.capitalised(found.first as usize) && flags(found.entry).has(EntryFlags::AMBIGUOUS);
    (!ambiguous).then_some(Certainty::Weak)
}

/// Calls `each` with the tokens, the name and the weight of all that speaks for something, for those who ask why.
pub fn vouchers(
    view: &View<'_>,
    vocabulary: &Vocabulary,
    matches: &[Match],
    findings: &Findings,
    policy: &Policy,
    mut each: impl FnMut(Range<u32>, &'static str, u8),
) {
    for found in matches {
        if let Some(certainty) = term_certainty(view, |entry| vocabulary.entry_flags(entry), *found) {
            each(found.first..found.last, Voucher::TERM, certainty as u8);
        }
    }
    for finding in findings.as_slice().iter().filter(|finding| !removes(finding, policy)) {
        each(finding.first..finding.last, RULES[usize::from(finding.rule)].name, finding.certainty as u8);
    }
    let allowed = policy.allowed();
    for at in (0..view.len()).filter(|&at| view.is_word(at) && is_listed(view.case(at), view.classes(at), allowed)) {
        for class in Class::ALL.iter().filter(|&&class| (view.classes(at) & allowed).has(class)) {
            each(at as u32..at as u32 + 1, class.key(), 0);
        }
    }
}

/// Whether a rule may vouch for a word on none of the lists that rules may ask: it is up to three letters of a number's form
/// (`t2n0m0`, `E11.9`), a Roman numeral, or chromosomes of sex (`46,XY`).
fn is_form_of_number(view: &View<'_>, at: usize) -> bool {
    view.width(at) <= 3 && (view.token(at).glued() || view.token(at + 1).glued())
        || roman(view.bytes(at))
        || view.bytes(at).iter().all(|letter| matches!(letter, b'x' | b'y'))
}

/// What is needed to decide on a token, beside the evidence.
#[derive(Clone, Copy)]
struct Judge<'a> {
    view: &'a View<'a>,
    vocabulary: &'a Vocabulary,
    allowed: Classes,
    policy: &'a Policy,
}

impl Judge<'_> {
    /// Decides on a token of which nobody says anything.
    #[inline(never)]
    fn unheard(self, at: usize) -> Decision {
        let Self { view, policy, .. } = self;
        let keep = |reason| Decision::new(Action::Keep, reason, Decision::NOTHING);
        let remove = |reason| Decision::new(Action::Remove, reason, Decision::NOTHING);
        let token = view.token(at);
        match token.kind {
            token::Kind::Word if is_listed(token.case, view.classes(at), self.allowed) => {
                if policy.ambiguous == Ambiguous::Always && is_written_as_name(view, at) {
                    remove(Reason::NameList)
                } else {
                    LISTED
                }
            }
            token::Kind::Symbol if is_harmless_symbol(view.word(at)) => keep(Reason::Punctuation),
            token::Kind::Number if number_stays(view, at, policy) => keep(Reason::Policy),
            token::Kind::Word if policy.unknown == Unknown::Keep => {
                let name = view.any(at, NAMES_AND_PLACES) && token.capitalised();
                if name { remove(Reason::NameList) } else { keep(Reason::Policy) }
            }
            token::Kind::Word if policy.ordinary_words && token.case == Case::Lower => {
                self.unlisted(at).unwrap_or(remove(Reason::Unlisted))
            }
            token::Kind::Word => remove(Reason::Unlisted),
            kind => UNHEARD[kind as usize],
        }
    }

    /// What the policy makes of a lower-case word on no list.
    fn unlisted(self, at: usize) -> Option<Decision> {
        let Self { view, vocabulary, allowed, policy } = self;
        if view.is(at, Class::Deny) {
            return None;
        }
        let word = view.bytes(at);
        let keep = |reason| Some(Decision::new(Action::Keep, reason, Decision::NOTHING));
        if policy.term_words && word_forms::is_of_a_term(vocabulary, word, view.id(at)) {
            keep(Reason::TermWord)
        } else if policy.derive && word_forms::is_derived(vocabulary, word, allowed) {
            keep(Reason::Derived)
        } else if policy.rescue {
            let listed = word_forms::rescued(vocabulary, word, allowed)?;
            Some(Decision::new(Action::Keep, Reason::Rescued, listed.0))
        } else {
            None
        }
    }
}

/// Decides by what is said of a token.
#[inline]
fn heeded((sort, evidence): (Sort, u32)) -> Decision {
    Decision { evidence, ..HEARD[sort as usize] }
}

/// Whether the word stands on an allowed list. A name of a person or place that is only listed because it is also a term
/// passes in lower case alone.
#[inline]
fn is_listed(case: Case, classes: Classes, allowed: Classes) -> bool {
    let on = classes & allowed;
    if on.is_empty() || classes.has(Class::Deny) {
        return false;
    }
    on != Class::Term.set() || case == Case::Lower || !classes.any(NAMES_AND_PLACES)
}

/// Whether an ordinary word that is a name too has a capital letter.
fn is_written_as_name(view: &View<'_>, at: usize) -> bool {
    view.capitalised(at) && view.classes(at).any(NAMES_AND_PLACES) && !view.is(at, Class::Stop)
}

/// Whether the policy keeps a number that nothing speaks for or against.
fn number_stays(view: &View<'_>, at: usize, policy: &Policy) -> bool {
    match policy.numbers {
        Numbers::None | Numbers::Strict => false,
        Numbers::All => true,
        Numbers::Wide => view
            .number(at)
            .is_some_and(|number| number.len() <= 2 && (0..number.len()).all(|part| number.digits(part) <= 3)),
    }
}

/// Drops the sections that a policy does without: the tokens of each body.
pub fn drop_sections(bodies: &[(usize, usize)], out: &mut [Decision]) {
    for (number, &(first, last)) in bodies.iter().enumerate() {
        out[first..last].fill(Decision::new(Action::Remove, Reason::Section, number as u32));
    }
}

/// The kind of PHI behind a removal, if a rule found it.
pub fn kind(decision: Decision, findings: &Findings) -> Option<Kind> {
    if decision.reason != Reason::Finding {
        return None;
    }
    match findings.as_slice().get(decision.evidence as usize)?.verdict {
        Verdict::Remove(kind) => Some(kind),
        Verdict::Keep => None,
    }
}

#[cfg(test)]
mod tests;
