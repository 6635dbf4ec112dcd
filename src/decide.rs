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

use crate::concepts::Match;
use crate::document::Voucher;
use crate::policy::{self, Ambiguous, Numbers, Policy, Unknown};
use crate::rules::{self, Certainty, Finding, Findings, Kind, RULES, SITE, Verdict, View, roman};
use crate::token::{self, Case};
use crate::vocabulary::{Class, Classes, EntryFlags, Vocabulary};
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

/// What speaks for and against one token: the certainty of the strongest of each sort, 0 without one, and the first that
/// is so certain.
#[derive(Clone, Copy, Debug, Default)]
struct Evidence {
    against: u8,
    term: u8,
    voucher: u8,
    /// Whether it was weighed, and nothing of it was taken back.
    closed: bool,
    against_index: u32,
    term_index: u32,
    voucher_index: u32,
}

impl Evidence {
    /// Certainty of the strongest evidence for it.
    fn speaks_for(self) -> u8 {
        self.term.max(self.voucher)
    }

    /// Whether what speaks against it wins.
    fn goes(self) -> bool {
        self.against > 0 && self.against >= self.speaks_for()
    }
}

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
    evidence: Vec<Evidence>,
    /// What may break and has not.
    shared: Vec<Shared>,
    /// The tokens that are to be weighed and decided, each in one range at least.
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

/// Decides on every token. `out` is emptied first.
pub fn decide(
    view: &View<'_>,
    vocabulary: &Vocabulary,
    matches: &[Match],
    findings: &Findings,
    policy: &Policy,
    scale: &mut Scale,
    out: &mut Vec<Decision>,
) {
    scale.begin(view.len(), matches.len(), findings.as_slice().len());
    out.clear();
    out.resize(view.len(), Decision::new(Action::Remove, Reason::Unlisted, Decision::NOTHING));
    let allowed = policy.allowed();
    for round in 0.. {
        scale.weigh(view, vocabulary, matches, findings, policy, round == 0);
        for open in &scale.open {
            let mut at = open.start;
            while at < open.end {
                let end = cluster_end(view, at);
                if end == at + 1 {
                    out[at] = alone(view, vocabulary, at, scale.evidence[at], allowed, policy);
                } else {
                    together(view, at, &scale.evidence[at..end], policy, &mut out[at..end]);
                }
                at = end;
            }
        }
        if !scale.retract(view, out, round >= ROUNDS) {
            break;
        }
    }
}

impl Scale {
    /// Empties the scale for a note of so many tokens, all of them open.
    fn begin(&mut self, tokens: usize, matches: usize, findings: usize) {
        self.evidence.clear();
        self.evidence.resize(tokens, Evidence::default());
        self.shared.clear();
        self.open.clear();
        self.open.push(0..tokens);
        self.broken_terms.clear();
        self.broken_terms.resize(matches, false);
        self.broken_findings.clear();
        self.broken_findings.resize(findings, false);
    }

    /// Takes back every term and every finding that vouches for several tokens of which one goes, and every finding whose
    /// cue goes: what is left of "Creutzfeldt-Jakob disease" without a name in it is no disease, and the number after
    /// "sodium" no measurement where sodium is somebody's name. With `all`, those are taken back too of which nothing
    /// goes. What they spoke for is open again. Whether there was one.
    fn retract(&mut self, view: &View<'_>, decisions: &[Decision], all: bool) -> bool {
        let Self { evidence, shared, open, broken_terms, broken_findings } = self;
        open.clear();
        let goes = |decision: &Decision| decision.action == Action::Remove;
        shared.retain(|item| {
            let range = item.first as usize..item.last as usize;
            // What is vouched for itself is gone already where it goes.
            let part = range.len() > 1 && decisions[range.clone()].iter().any(goes);
            let broken = all || part || decisions.get(item.cue as usize).is_some_and(goes);
            if broken {
                let of = if item.term { &mut *broken_terms } else { &mut *broken_findings };
                of[item.index as usize] = true;
                evidence[range.clone()].fill(Evidence::default());
                open.push(cluster_start(view, range.start)..range.end);
            }
            !broken
        });
        !open.is_empty()
    }

    /// Puts all evidence that is not broken onto the open tokens, and closes them. Notes what may break, the `first` time.
    fn weigh(
        &mut self,
        view: &View<'_>,
        vocabulary: &Vocabulary,
        matches: &[Match],
        findings: &Findings,
        policy: &Policy,
        first: bool,
    ) {
        let Self { evidence, shared, open, broken_terms, broken_findings } = self;
        for ((index, found), _) in matches.iter().enumerate().zip(broken_terms.iter()).filter(|(_, broken)| !**broken) {
            let tokens = &mut evidence[found.first as usize..found.last as usize];
            if !first && tokens.iter().all(|token| token.closed) {
                continue;
            }
            let Some(certainty) = term_certainty(view, vocabulary, *found) else { continue };
            let certainty = certainty as u8;
            let index = index as u32;
            if first && tokens.len() > 1 {
                shared.push(Shared { first: found.first, last: found.last, cue: found.first, index, term: true });
            }
            for token in tokens.iter_mut().filter(|token| !token.closed && certainty > token.term) {
                (token.term, token.term_index) = (certainty, index);
            }
        }
        let findings = findings.as_slice().iter().enumerate().zip(broken_findings.iter());
        for ((index, finding), _) in findings.filter(|(_, broken)| !**broken) {
            let tokens = &mut evidence[finding.first as usize..finding.last as usize];
            if !first && tokens.iter().all(|token| token.closed) || policy.ignores(finding.verdict) {
                continue;
            }
            let removes = removes(finding, policy);
            let keeps = finding.verdict == Verdict::Keep;
            // Words that are judged by their capital letter and the words around stay where the policy says so.
            if keeps && policy.numbers == Numbers::None
                || policy.ambiguous == Ambiguous::Never && finding.rule == rules::BARE_NAME
            {
                continue;
            }
            let certainty = finding.certainty as u8;
            let index = index as u32;
            if removes {
                for token in tokens.iter_mut().filter(|token| !token.closed && certainty > token.against) {
                    (token.against, token.against_index) = (certainty, index);
                }
                continue;
            }
            let own = finding.first..finding.last;
            let cue = if own.contains(&finding.anchor) { own.start } else { finding.anchor };
            if first && (tokens.len() > 1 || cue != own.start) {
                shared.push(Shared { first: own.start, last: own.end, cue, index, term: false });
            }
            // What the site allows stands on its own list.
            let of_rule = keeps && finding.rule != SITE;
            for (at, token) in (own.start as usize..).zip(tokens) {
                // A term stays a term: that a rule vouches for it too only makes it more certain.
                if !token.closed && certainty > token.voucher && !(of_rule && is_foreign_to_rules(view, at)) {
                    (token.voucher, token.voucher_index) = (certainty, index);
                }
            }
        }
        for open in open {
            for token in &mut evidence[open.clone()] {
                token.closed = true;
            }
        }
    }
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

/// What a term weighs; `None` if it does not count here.
fn term_certainty(view: &View<'_>, vocabulary: &Vocabulary, found: Match) -> Option<Certainty> {
    let flags = vocabulary.entry_flags(found.entry);
    let several = found.last - found.first > 1;
    if !flags.has(EntryFlags::TERM)
        || !several && flags.has(EntryFlags::AMBIGUOUS) && view.capitalised(found.first as usize)
    {
        return None;
    }
    Some(if several { Certainty::Likely } else { Certainty::Weak })
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
        if let Some(certainty) = term_certainty(view, vocabulary, *found) {
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

/// Whether no rule may vouch for the token: a word on none of the lists that rules may ask, unless it is up to three
/// letters of a number's form (`t2n0m0`, `E11.9`), or a Roman numeral.
fn is_foreign_to_rules(view: &View<'_>, at: usize) -> bool {
    view.is_word(at)
        && !view.any(at, policy::VOUCHED)
        && !(view.bytes(at).len() <= 3 && (view.token(at).glued() || view.token(at + 1).glued()))
        && !roman(view.bytes(at))
}

/// Decides on a token with nothing glued to it.
#[inline]
fn alone(
    view: &View<'_>,
    vocabulary: &Vocabulary,
    at: usize,
    evidence: Evidence,
    allowed: Classes,
    policy: &Policy,
) -> Decision {
    let keep = |reason| Decision::new(Action::Keep, reason, Decision::NOTHING);
    let token = view.token(at);
    // Most tokens are listed words and marks of which nobody says anything.
    if evidence.against | evidence.term | evidence.voucher == 0 {
        match token.kind {
            token::Kind::Punct | token::Kind::Possessive => return keep(Reason::Punctuation),
            token::Kind::Word if is_listed(token.case, view.classes(at), allowed) => {
                if policy.ambiguous == Ambiguous::Always && is_written_as_name(view, at) {
                    return Decision::new(Action::Remove, Reason::NameList, Decision::NOTHING);
                }
                return keep(Reason::List);
            }
            _ => return unheard(view, vocabulary, at, allowed, policy),
        }
    }
    if token.kind == token::Kind::Own {
        return keep(Reason::Own);
    }
    if evidence.goes() {
        Decision::new(Action::Remove, Reason::Finding, evidence.against_index)
    } else {
        vouched(evidence)
    }
}

/// Decides on a token that is neither a mark nor a listed word, and of which nobody says anything.
#[inline(never)]
fn unheard(view: &View<'_>, vocabulary: &Vocabulary, at: usize, allowed: Classes, policy: &Policy) -> Decision {
    let keep = |reason| Decision::new(Action::Keep, reason, Decision::NOTHING);
    let remove = |reason| Decision::new(Action::Remove, reason, Decision::NOTHING);
    match view.token(at).kind {
        token::Kind::Own => keep(Reason::Own),
        token::Kind::Symbol if is_harmless_symbol(view.word(at)) => keep(Reason::Punctuation),
        token::Kind::Number if number_stays(view, at, policy) => keep(Reason::Policy),
        token::Kind::Word if policy.unknown == Unknown::Keep => {
            let name = view.any(at, NAMES_AND_PLACES) && view.case(at) != Case::Lower;
            if name { remove(Reason::NameList) } else { keep(Reason::Policy) }
        }
        token::Kind::Word if policy.ordinary_words && view.case(at) == Case::Lower => {
            unlisted(view, vocabulary, at, allowed, policy).unwrap_or(remove(Reason::Unlisted))
        }
        _ => remove(Reason::Unlisted),
    }
}

/// What the policy makes of a lower-case word on no list.
fn unlisted(
    view: &View<'_>,
    vocabulary: &Vocabulary,
    at: usize,
    allowed: Classes,
    policy: &Policy,
) -> Option<Decision> {
    if !view.is_word(at) || view.is(at, Class::Deny) {
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

/// The lists that remove a capitalised word where unknown words stay.
const NAMES_AND_PLACES: Classes = Classes::of(&[Class::Surname, Class::FirstName, Class::City, Class::PlacePart]);

fn vouched(evidence: Evidence) -> Decision {
    if evidence.term > 0 {
        Decision::new(Action::Code, Reason::Term, evidence.term_index)
    } else {
        Decision::new(Action::Keep, Reason::Vouched, evidence.voucher_index)
    }
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

/// Decides on letters and digits that stand together from `first` on: all stay, each vouched for, or all go.
fn together(view: &View<'_>, first: usize, evidence: &[Evidence], policy: &Policy, out: &mut [Decision]) {
    let open = policy.unknown == Unknown::Keep;
    let against = evidence.iter().find(|token| token.goes());
    let unvouched = (first..)
        .zip(evidence)
        .any(|(at, token)| token.speaks_for() == 0 && !(open && (view.is_word(at) || number_stays(view, at, policy))));
    for (token, out) in evidence.iter().zip(out) {
        *out = match against {
            Some(_) if token.against > 0 => Decision::new(Action::Remove, Reason::Finding, token.against_index),
            // The whole run takes the category of the part that a rule found.
            Some(found) => Decision::new(Action::Remove, Reason::Finding, found.against_index),
            None if unvouched => Decision::new(Action::Remove, Reason::Glued, Decision::NOTHING),
            None if token.speaks_for() > 0 => vouched(*token),
            None => Decision::new(Action::Keep, Reason::Policy, Decision::NOTHING),
        };
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
