//! Compares the decisions with those of a reference that looks at all evidence for each token.

use std::collections::HashSet;
use std::sync::LazyLock;

use proptest::prelude::*;

use super::clearable::is_clearable;
use super::evidence::{BY_LIST, is_form_of_number};
use super::*;
use crate::names::{Judgement, Model};
use crate::note::NoteBuffers;
use crate::pipeline::tests::vocabulary;
use crate::policy::{Ambiguous, Numbers, Unknown};
use crate::rules;
use crate::terms::{self, Matches};
use crate::text::words_of_file;
use crate::vocabulary::WordId;

/// Returns whether the finding is against its tokens.
fn is_removal(finding: &Finding, policy: &Policy) -> bool {
    matches!(finding.verdict, Verdict::Remove(kind) if policy.removes_kind(kind))
}

static MODEL: LazyLock<Model> =
    LazyLock::new(|| Model::from_static(notesieve_models::default_bytes()).expect("the built-in model"));

/// Pieces of notes apart from the words of the vocabulary.
const PIECES: &[&str] = words_of_file!("../../tests/words/pieces.txt");

/// Words of the vocabulary, frequent and rare, in every case, mixed with other pieces: notes of several groups of 64
/// tokens.
fn any_text() -> impl Strategy<Value = String> {
    let count = vocabulary().word_count() as u32;
    let word = (prop_oneof![0..5_000.min(count), 0..count], 0..3_u8).prop_map(|(word, case)| {
        let word = vocabulary().word_text(WordId(word));
        let first = word.chars().next().map_or(0, char::len_utf8);
        match case {
            0 => word,
            1 => word[..first].to_uppercase() + &word[first..],
            _ => word.to_uppercase(),
        }
    });
    let piece = prop_oneof![2 => word, 1 => proptest::sample::select(PIECES).prop_map(str::to_owned)];
    let gap = proptest::sample::select(vec![" ", " ", " ", " ", " ", "", "-", ", ", ". ", ": ", "\n"]);
    proptest::collection::vec((piece, gap), 0..120)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, gap)| [piece, gap.to_owned()]).collect())
}

/// Every preset, unchanged and with other choices.
#[allow(clippy::inconsistent_struct_constructor, reason = "choices in the order in which they are drawn")]
fn any_policy() -> impl Strategy<Value = Policy> {
    let preset = || proptest::sample::select(&Policy::PRESETS).prop_map(|name| Policy::preset(name).expect("a preset"));
    let ambiguous = prop_oneof![Just(Ambiguous::Context), Just(Ambiguous::Always), Just(Ambiguous::Never)];
    let numbers = prop_oneof![Just(Numbers::None), Just(Numbers::Strict), Just(Numbers::Wide), Just(Numbers::All)];
    let switches = (any::<bool>(), any::<bool>());
    let kinds = || prop_oneof![2 => Just(vec![]), 1 => Just(vec!["name".to_owned(), "date".to_owned()])];
    let lists_off = prop_oneof![2 => Just(vec![]), 1 => Just(vec!["english".to_owned(), "unit".to_owned()])];
    let other = (preset(), ambiguous, numbers, switches, kinds(), kinds(), lists_off).prop_map(
        |(preset, ambiguous, numbers, (ordinary_words, brands), keep, rules_off, lists_off)| Policy {
            ambiguous,
            numbers,
            ordinary_words,
            brands,
            keep,
            rules_off,
            lists_off,
            ..preset
        },
    );
    prop_oneof![preset(), other]
}

/// Returns whether no rule may vouch for the word.
fn is_foreign(note: &Note<'_>, at: usize, policy: &Policy) -> bool {
    note.is_word(at) && !note.any(at, policy.vouchable_lists())
}

/// A piece of evidence: its kind, its tokens, and the cue it depends on.
struct Piece {
    tokens: Range<usize>,
    cue: usize,
    sort: EvidenceKind,
    certainty: u8,
    index: u32,
    /// Whether it comes from a rule, which may not vouch for every word.
    by_rule: bool,
}

/// Returns all evidence for the tokens of a note.
fn evidence_of_tokens(judge: Judge<'_>, matches: &[Match], findings: &Findings) -> Vec<Piece> {
    let Judge { note, policy, .. } = judge;
    let mut pieces = Vec::new();
    for (index, found) in (0..).zip(matches) {
        if let Some(certainty) = term_certainty(note, *found) {
            let (tokens, certainty) = (found.tokens(), certainty as u8);
            pieces.push(Piece {
                cue: tokens.start,
                tokens,
                sort: EvidenceKind::Term,
                certainty,
                index,
                by_rule: false,
            });
        }
    }
    for index in findings.indices_by_certainty() {
        let finding = &findings.as_slice()[index];
        let counts = match finding.verdict {
            Verdict::Keep => policy.numbers != Numbers::None,
            Verdict::Remove(kind) => {
                !policy.rules_off.iter().any(|off| off.eq_ignore_ascii_case(kind.category().key()))
            }
        };
        let unheard = finding.rule == rules::JUDGED && policy.ambiguous == Ambiguous::Never;
        if counts && !unheard {
            let tokens = finding.first as usize..finding.end as usize;
            let anchor = finding.anchor as usize;
            pieces.push(Piece {
                cue: if tokens.contains(&anchor) { tokens.start } else { anchor },
                tokens,
                sort: if is_removal(finding, policy) { EvidenceKind::Against } else { EvidenceKind::Voucher },
                certainty: finding.certainty as u8,
                index: index as u32,
                by_rule: finding.verdict == Verdict::Keep && !BY_LIST.contains(&finding.rule),
            });
        }
    }
    pieces
}

/// The evidence for one token: by kind, the certainty of the strongest, 0 if there is none, and the index of the first
/// such.
type Weights = [(u8, u32); 3];

/// Returns the evidence that decides, or `None` if there is none.
fn strongest_evidence(weights: &Weights) -> Option<(EvidenceKind, u32)> {
    let [voucher, against, term] = *weights;
    if against.0 > 0 && against.0 >= voucher.0.max(term.0) {
        Some((EvidenceKind::Against, against.1))
    } else if term.0 > 0 {
        Some((EvidenceKind::Term, term.1))
    } else {
        (voucher.0 > 0).then_some((EvidenceKind::Voucher, voucher.1))
    }
}

/// Decides on letters and digits without white space between them, from `first` on.
fn decide_joined(judge: Judge<'_>, first: usize, weights: &[Weights]) -> Vec<Decision> {
    let Judge { note, policy, .. } = judge;
    let against = weights.iter().filter_map(strongest_evidence).find(|outcome| outcome.0 == EvidenceKind::Against);
    let open = policy.unknown == Unknown::Keep;
    let is_harmless = |at: usize| weights.len() == 2 && judge.is_harmless_part(at);
    let stays = |(at, weights): (usize, &Weights)| {
        weights[EvidenceKind::Voucher as usize].0.max(weights[EvidenceKind::Term as usize].0) > 0
            || judge.names_nobody(at)
            || is_harmless(at)
            || open && (note.is_word(at) || is_number_allowed(note, at, policy))
    };
    let all_stay = (first..).zip(weights).all(stays);
    let decide = |(at, weights): (usize, &Weights)| match (against, strongest_evidence(weights)) {
        (Some((_, found)), _) => {
            let own = weights[EvidenceKind::Against as usize];
            Decision::new(Action::Remove, Reason::Finding, if own.0 > 0 { own.1 } else { found })
        }
        _ if !all_stay => Decision::new(Action::Remove, Reason::Glued, Decision::NOTHING),
        (None, Some((sort, evidence))) => decision_of(sort, evidence),
        (None, None) if judge.names_nobody(at) || is_harmless(at) => {
            Decision::new(Action::Keep, Reason::Judged, Decision::NOTHING)
        }
        (None, None) => Decision::new(Action::Keep, Reason::Policy, Decision::NOTHING),
    };
    (first..).zip(weights).map(decide).collect()
}

/// Decides on every token by itself, by looking at all evidence for each.
fn decide_one_by_one(judge: Judge<'_>, pieces: &[Piece], broken: &HashSet<usize>) -> Vec<Decision> {
    let note = judge.note;
    let mut weights = vec![Weights::default(); note.len()];
    for (at, weights) in weights.iter_mut().enumerate() {
        for (number, piece) in pieces.iter().enumerate() {
            let cleared = piece.sort == EvidenceKind::Against
                && is_clearable(&judge.findings.as_slice()[piece.index as usize])
                && judge.findings.is_judged_harmless(at);
            let may =
                !cleared && (!piece.by_rule || !is_foreign(note, at, judge.policy) || is_form_of_number(note, at));
            let known = &mut weights[piece.sort as usize];
            if piece.tokens.contains(&at) && may && !broken.contains(&number) && piece.certainty > known.0 {
                *known = (piece.certainty, piece.index);
            }
        }
    }
    let mut out = Vec::new();
    while out.len() < note.len() {
        let at = out.len();
        let end = cluster_end(note, at);
        if end > at + 1 {
            out.extend(decide_joined(judge, at, &weights[at..end]));
        } else if note.token(at).kind == token::Kind::Placeholder {
            out.push(Decision::new(Action::Keep, Reason::Own, Decision::NOTHING));
        } else {
            out.push(
                strongest_evidence(&weights[at])
                    .map_or_else(|| judge.decide_without_evidence(at), |(sort, evidence)| decision_of(sort, evidence)),
            );
        }
    }
    out
}

/// Decides on every token, repeatedly until nothing more is broken.
fn reference_decisions(judge: Judge<'_>, matches: &[Match], findings: &Findings) -> Vec<Decision> {
    let pieces = evidence_of_tokens(judge, matches, findings);
    let mut broken = HashSet::new();
    for round in 0.. {
        let out = decide_one_by_one(judge, &pieces, &broken);
        let goes = |at: usize| out.get(at).is_some_and(|decision| decision.action == Action::Remove);
        let before = broken.len();
        for (number, piece) in pieces.iter().enumerate() {
            let several = piece.tokens.len() > 1;
            let may_break =
                piece.sort as u8 != EvidenceKind::Against as u8 && (several || piece.cue != piece.tokens.start);
            let breaks = several && piece.tokens.clone().any(goes) || goes(piece.cue) || round >= MAX_ROUNDS;
            if may_break && breaks {
                broken.insert(number);
            }
        }
        if broken.len() == before {
            return out;
        }
    }
    unreachable!("evidence breaks once")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn decisions_are_those_of_the_reference(text in any_text(), policy in any_policy()) {
        let (mut buffers, mut matches) = (NoteBuffers::default(), Matches::default());
        let note = buffers.read(&text, vocabulary(), Policy::safe().placeholder_forms());
        terms::find_terms(&note, &mut matches);
        let mut findings = Findings::default();
        rules::apply_rules(&note, &mut rules::FoundNames::default(), &mut findings);
        if policy.ambiguous != Ambiguous::Never {
            let mut judgement = Judgement::default();
            judgement.score_note(&MODEL, &note, &matches, &findings, policy.allowed());
            judgement.report_findings(&note, &policy, &[], &mut findings);
        }
        let allowed = policy.allowed();
        let judge = Judge { note: &note, findings: &findings, allowed, policy: &policy };
        let expected = reference_decisions(judge, &matches.terms, &findings);
        let mut decided = Vec::new();
        decide(&note, &matches.terms, &findings, &policy, &mut decided);
        prop_assert_eq!(decided.len(), expected.len());
        for (at, (decided, expected)) in decided.iter().zip(&expected).enumerate() {
            let more = decided.action != Action::Remove && expected.action == Action::Remove;
            prop_assert!(!more, "{:?} comes out: {:?}, not {:?}", note.word(at), decided, expected);
            prop_assert_eq!(decided, expected, "{:?}", note.word(at));
        }
    }
}
