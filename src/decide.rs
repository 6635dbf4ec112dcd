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

use std::ops::Range;

use crate::bits::bits;
use crate::concepts::Match;
use crate::document::Voucher;
use crate::policy::{Ambiguous, NAMES_AND_PLACES, Numbers, Policy, Unknown};
use crate::rules::{self, Certainty, Finding, Findings, GROUP, Kind, RULES, SITE, Standing, Verdict, View, roman};
use crate::token::{self, Case};
use crate::vocabulary::{Class, Classes, EntryFlags, EntryId, Vocabulary};
use crate::word_forms;

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

/// The sorts of evidence.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
enum Sort {
    /// A finding speaks against the token.
    Against,
    /// It stands in a term.
    Term,
    /// A finding vouches for it.
    Voucher,
}

/// What speaks for and against one token: the certainty of the strongest of each [`Sort`], two bits each, 0 without one.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
struct Weights(u8);

impl Weights {
    /// A token that was decided and is to be weighed again. The first time all are.
    const OPEN: Self = Self(1 << 6);

    /// Its bits without the mark of open tokens.
    const EVIDENCE: u8 = Self::OPEN.0 - 1;

    const fn of(self, sort: Sort) -> u8 {
        self.0 >> (2 * sort as u8) & 3
    }

    const fn set(&mut self, sort: Sort, certainty: u8) {
        self.0 = self.0 & !(3 << (2 * sort as u8)) | certainty << (2 * sort as u8);
    }

    const fn is_open(self) -> bool {
        self.0 & Self::OPEN.0 != 0
    }

    /// Whether nobody says anything of it.
    const fn is_empty(self) -> bool {
        self.0 & Self::EVIDENCE == 0
    }

    /// Certainty of the strongest evidence for it.
    const fn speaks_for(self) -> u8 {
        let (term, voucher) = (self.of(Sort::Term), self.of(Sort::Voucher));
        if term > voucher { term } else { voucher }
    }

    /// Whether what speaks against it wins.
    const fn goes(self) -> bool {
        let against = self.of(Sort::Against);
        against > 0 && against >= self.speaks_for()
    }
}

/// What becomes of a token of which somebody says something, by its weights, and which evidence is behind it.
const VERDICTS: [(Decision, Sort); 64] = {
    const fn verdict(action: Action, reason: Reason, sort: Sort) -> (Decision, Sort) {
        (Decision::new(action, reason, Decision::NOTHING), sort)
    }
    let mut verdicts = [verdict(Action::Remove, Reason::Finding, Sort::Against); 64];
    let mut at = 0;
    while at < verdicts.len() {
        let weights = Weights(at as u8);
        if !weights.goes() {
            verdicts[at] = if weights.of(Sort::Term) > 0 {
                verdict(Action::Code, Reason::Term, Sort::Term)
            } else {
                verdict(Action::Keep, Reason::Vouched, Sort::Voucher)
            };
        }
        at += 1;
    }
    verdicts
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

/// Of each [`Sort`], the first evidence of that strength: a match or a finding. Says nothing where the weight is 0.
type Indices = [u32; 3];

/// Evidence that is whole or nothing: a term of several words, or a finding that vouches for several tokens or has its cue
/// elsewhere.
#[derive(Clone, Copy, Debug)]
struct Shared {
    first: u32,
    last: u32,
    /// The token that makes it evidence: its own first one, or another, which may lie outside the note.
    cue: u32,
    /// The index of the match, or of the finding.
    index: u32,
    term: bool,
}

/// The buffers of the step, kept from note to note.
#[derive(Debug, Default)]
pub struct Scale {
    /// By token; behind the last one up to the end of its group stand more.
    weights: Vec<Weights>,
    /// By token. Never emptied: what a note before left there has no weight.
    indices: Vec<Indices>,
    /// What may break and has not.
    shared: Vec<Shared>,
    /// The tokens that are to be weighed and decided again, each in one range at least.
    open: Vec<Range<usize>>,
    /// The terms of which a part goes.
    broken_terms: Vec<bool>,
    /// The findings that vouch for several tokens of which a part goes.
    broken_findings: Vec<bool>,
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
    scale.begin(view.len(), matches.len(), findings.as_slice().len());
    scale.weigh::<true>(judge, matches, findings);
    out.clear();
    out.extend(view.tokens().iter().map(|token| UNHEARD[token.kind as usize]));
    scale.decide_first(judge, findings.standing(), out);
    for round in 0.. {
        if !scale.retract(view, out, round >= ROUNDS) {
            break;
        }
        scale.weigh::<false>(judge, matches, findings);
        scale.decide_open(judge, out);
    }
}

/// The words of a group that come out where nobody says anything of them.
#[inline]
fn let_out(group: &Standing, policy: &Policy) -> u64 {
    let listed = group.listed(policy);
    if policy.ambiguous == Ambiguous::Always { listed & !group.capitalised() } else { listed }
}

impl Scale {
    /// Empties the scale for a note of so many tokens.
    fn begin(&mut self, tokens: usize, matches: usize, findings: usize) {
        self.weights.clear();
        self.weights.resize(tokens.next_multiple_of(GROUP), Weights::default());
        if self.indices.len() < tokens {
            self.indices.resize(tokens, Indices::default());
        }
        self.shared.clear();
        self.open.clear();
        self.broken_terms.clear();
        self.broken_terms.resize(matches, false);
        self.broken_findings.clear();
        self.broken_findings.resize(findings, false);
    }

    /// Decides on every token for the first time. Most are listed words and marks of which nobody says anything: `out`
    /// has the decisions on marks already, and lets no word out; a word stays where its bit says that it is listed. All
    /// others are looked at one by one.
    fn decide_first(&self, judge: Judge<'_>, standing: &[Standing], out: &mut [Decision]) {
        let mut behind = standing.iter().skip(1).map(Standing::glued);
        for ((nth, group), weights) in standing.iter().enumerate().zip(self.weights.chunks_exact(GROUP)) {
            let (heard, listed) = (heard(weights), let_out(group, judge.policy));
            let glued = group.glued();
            let runs = (glued >> 1 | behind.next().unwrap_or(0) << (GROUP - 1)) & !glued;
            let alone = !(glued | runs);
            for at in bits(listed & !heard & alone).map(|place| nth * GROUP + place) {
                out[at] = LISTED;
            }
            for at in bits((heard | group.no_marks() & !listed) & alone).map(|place| nth * GROUP + place) {
                judge.alone(at, self.weights[at], &self.indices[at], &mut out[at]);
            }
            for at in bits(runs).map(|place| nth * GROUP + place) {
                let end = cluster_end(judge.view, at);
                judge.together(at, &self.weights[at..end], &self.indices[at..end], &mut out[at..end]);
            }
        }
    }

    /// Decides on the open tokens.
    fn decide_open(&self, judge: Judge<'_>, out: &mut [Decision]) {
        for open in &self.open {
            let mut at = open.start;
            while at < open.end {
                let end = cluster_end(judge.view, at);
                if end == at + 1 {
                    judge.alone(at, self.weights[at], &self.indices[at], &mut out[at]);
                } else {
                    judge.together(at, &self.weights[at..end], &self.indices[at..end], &mut out[at..end]);
                }
                at = end;
            }
        }
    }

    /// Takes back every term and every finding that vouches for several tokens of which one goes, and every finding whose
    /// cue goes: what is left of "Creutzfeldt-Jakob disease" without a name in it is no disease, and the number after
    /// "sodium" no measurement where sodium is somebody's name. With `all`, those are taken back too of which nothing
    /// goes. What they spoke for is open again. Whether there was one.
    fn retract(&mut self, view: &View<'_>, decisions: &[Decision], all: bool) -> bool {
        let Self { weights, shared, open, broken_terms, broken_findings, .. } = self;
        open.clear();
        let goes = |decision: &Decision| decision.action == Action::Remove;
        let mut at = 0;
        while let Some(&item) = shared.get(at) {
            let range = item.first as usize..item.last as usize;
            // What is vouched for itself is gone already where it goes.
            let part = item.last - item.first > 1 && decisions[range.clone()].iter().any(goes);
            if all || part || decisions.get(item.cue as usize).is_some_and(goes) {
                let of = if item.term { &mut *broken_terms } else { &mut *broken_findings };
                of[item.index as usize] = true;
                weights[range.clone()].fill(Weights::OPEN);
                open.push(cluster_start(view, range.start)..range.end);
                shared.swap_remove(at);
            } else {
                at += 1;
            }
        }
        !open.is_empty()
    }

    /// Puts all evidence that is not broken onto the tokens: the `FIRST` time onto all, and notes what may break; then onto
    /// the open ones, and closes them.
    fn weigh<const FIRST: bool>(&mut self, judge: Judge<'_>, matches: &[Match], findings: &Findings) {
        let Judge { view, vocabulary, policy, .. } = judge;
        let Self { weights, indices, shared, open, broken_terms, broken_findings } = self;
        let all = open.iter().fold((usize::MAX, 0), |all, open| (all.0.min(open.start), all.1.max(open.end)));
        let mut tokens = Tokens::<FIRST> { weights, indices, open: all.0..all.1 };
        let flags = vocabulary.all_entry_flags();
        for (index, found) in matches.iter().enumerate() {
            let range = found.first as usize..found.last as usize;
            if !FIRST && (tokens.are_closed(&range) || broken_terms[index]) {
                continue;
            }
            let Some(certainty) = term_certainty(view, &flags, *found) else { continue };
            let index = index as u32;
            if FIRST && found.last - found.first > 1 {
                shared.push(Shared { first: found.first, last: found.last, cue: found.first, index, term: true });
            }
            tokens.put(range, Sort::Term, certainty, index);
        }
        // Words that are judged by their capital letter and the words around stay where the policy says so.
        let unheard = if policy.ambiguous == Ambiguous::Never { rules::BARE_NAME } else { u16::MAX };
        let (removed, ignored) = policy.kinds();
        let standing = findings.standing();
        for (index, finding) in findings.as_slice().iter().enumerate() {
            let range = finding.first as usize..finding.last as usize;
            if !FIRST && (tokens.are_closed(&range) || broken_findings[index]) || finding.rule == unheard {
                continue;
            }
            let index = index as u32;
            if let Verdict::Remove(kind) = finding.verdict {
                if ignored >> kind as u8 & 1 != 0 {
                    continue;
                }
                if removed >> kind as u8 & 1 != 0 {
                    tokens.put(range, Sort::Against, finding.certainty, index);
                    continue;
                }
            } else if policy.numbers == Numbers::None {
                continue;
            }
            let own = finding.first..finding.last;
            let cue = if own.contains(&finding.anchor) { own.start } else { finding.anchor };
            if FIRST && (own.end - own.start > 1 || cue != own.start) {
                shared.push(Shared { first: own.start, last: own.end, cue, index, term: false });
            }
            // What the site allows stands on its own list.
            let of_rule = finding.verdict == Verdict::Keep && finding.rule != SITE;
            let foreign = |at: usize| standing[at / GROUP].foreign() >> (at % GROUP);
            // The first word for which no rule may vouch, or the end of the group.
            let near = (foreign(range.start).trailing_zeros() as usize).min(GROUP - range.start % GROUP);
            // A term stays a term: that a rule vouches for it too only makes it more certain.
            if !of_rule || range.len() <= near {
                tokens.put(range, Sort::Voucher, finding.certainty, index);
                continue;
            }
            for at in range.filter(|&at| foreign(at) & 1 == 0 || is_form_of_number(view, at)) {
                tokens.put(at..at + 1, Sort::Voucher, finding.certainty, index);
            }
        }
        for open in open {
            for weights in &mut weights[open.clone()] {
                weights.0 &= Weights::EVIDENCE;
            }
        }
    }
}

/// The tokens onto which evidence is put: the `FIRST` time all of them, then those that are open.
struct Tokens<'a, const FIRST: bool> {
    weights: &'a mut [Weights],
    indices: &'a mut [Indices],
    /// Outside of it none is open.
    open: Range<usize>,
}

impl<const FIRST: bool> Tokens<'_, FIRST> {
    /// Whether none of the tokens is open.
    fn are_closed(&self, range: &Range<usize>) -> bool {
        range.end <= self.open.start
            || self.open.end <= range.start
            || !self.weights[range.clone()].iter().any(|weights| weights.is_open())
    }

    /// Puts evidence onto the tokens that have none of that sort that is as certain.
    #[inline]
    fn put(&mut self, range: Range<usize>, sort: Sort, certainty: Certainty, index: u32) {
        let certainty = certainty as u8;
        // Most evidence speaks of one token: two slices would take longer to cut out than that token takes.
        for at in range {
            let weights = &mut self.weights[at];
            if (FIRST || weights.is_open()) && certainty > weights.of(sort) {
                weights.set(sort, certainty);
                self.indices[at][sort as usize] = index;
            }
        }
    }
}

/// Of which tokens of a group somebody says something.
#[inline]
fn heard(weights: &[Weights]) -> u64 {
    weights.chunks_exact(8).enumerate().fold(0, |heard, (nth, eight)| {
        let bytes = u64::from_le_bytes(std::array::from_fn(|at| eight[at].0));
        // Weights are below 0x80: the highest bit of a byte is that of a carry, and the product brings these bits together.
        let some = (bytes + 0x7F7F_7F7F_7F7F_7F7F) >> 7 & 0x0101_0101_0101_0101;
        heard | (some.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * nth)
    })
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
/// (`t2n0m0`, `E11.9`), or a Roman numeral.
fn is_form_of_number(view: &View<'_>, at: usize) -> bool {
    view.width(at) <= 3 && (view.token(at).glued() || view.token(at + 1).glued()) || roman(view.bytes(at))
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
    /// Decides on a token with nothing glued to it. What an earlier scrub wrote stays, as was decided by its kind.
    #[inline]
    fn alone(self, at: usize, weights: Weights, indices: &Indices, out: &mut Decision) {
        if weights.is_empty() {
            *out = self.unheard(at);
        } else if out.reason != Reason::Own {
            *out = heeded(weights, indices);
        }
    }

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

    /// Decides on letters and digits that stand together from `first` on: all stay, each vouched for, or all go.
    fn together(self, first: usize, weights: &[Weights], indices: &[Indices], out: &mut [Decision]) {
        let Self { view, policy, .. } = self;
        let open = policy.unknown == Unknown::Keep;
        let against = weights.iter().position(|weights| weights.goes());
        let unvouched = (first..).zip(weights).any(|(at, weights)| {
            weights.speaks_for() == 0 && !(open && (view.is_word(at) || number_stays(view, at, policy)))
        });
        for ((weights, own), out) in weights.iter().zip(indices).zip(out) {
            *out = match against {
                Some(found) => {
                    // The whole run takes the category of the part that a rule found.
                    let found = if weights.of(Sort::Against) > 0 { own } else { &indices[found] };
                    Decision::new(Action::Remove, Reason::Finding, found[Sort::Against as usize])
                }
                None if unvouched => Decision::new(Action::Remove, Reason::Glued, Decision::NOTHING),
                None if weights.speaks_for() > 0 => heeded(*weights, own),
                None => Decision::new(Action::Keep, Reason::Policy, Decision::NOTHING),
            };
        }
    }
}

/// Decides by what is said of a token.
#[inline]
fn heeded(weights: Weights, indices: &Indices) -> Decision {
    let (decision, sort) = VERDICTS[usize::from(weights.0 & Weights::EVIDENCE)];
    Decision { evidence: indices[sort as usize], ..decision }
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
