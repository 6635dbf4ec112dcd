//! The steps of a scrub; `order` says which comes when.

use std::cell::LazyCell;

use super::{Scratch, Scrubber};
use crate::abbreviations::{self, Definition};
use crate::bits::bits;
use crate::buffer::release;
use crate::decide;
use crate::document::{Document, Found, Name, Voucher, Weighed};
use crate::names::Model;
use crate::patient::Patient;
use crate::placeholders;
use crate::policy::{Ambiguous, Policy, Terms};
use crate::render;
use crate::rules::{self, Finding, Findings, GROUP, Note, Verdict};
use crate::status;
use crate::terms::{self, Overlap};
use crate::text::span::Span;
use crate::text::token;
use crate::vocabulary::Class;

/// A request, and what is asked of it.
#[derive(Clone, Copy)]
pub(super) struct Request<'a> {
    pub(super) text: &'a str,
    pub(super) patient: Option<&'a Patient>,
    /// Whether the document tells every decision.
    pub(super) explain: bool,
}

impl Scrubber {
    /// Cuts the folded text into tokens.
    pub(super) fn cut(request: Request<'_>, scratch: &mut Scratch) {
        token::tokenize(request.text, &scratch.normalized, &mut scratch.tokens);
    }

    /// NumberShapes words up, and seals what an earlier scrub wrote.
    pub(super) fn look_up(&self, request: Request<'_>, scratch: &mut Scratch) {
        let Scratch { normalized, tokens, words, classes, starts, numbers, .. } = scratch;
        let (folded, keys) = (normalized.folded(), numbers.keys_mut());
        self.vocabulary.tables().lookup(folded, tokens, keys, words, classes, starts);
        placeholders::seal(&self.vocabulary, &self.policy, request.text, normalized, tokens, words, classes, starts);
        if tokens.len() != numbers.keys_mut().len() {
            numbers.read_keys(folded, tokens);
        }
    }

    /// Finds terms.
    pub(super) fn find_terms(&self, scratch: &mut Scratch) {
        let Scratch { tokens, words, starts, matches, .. } = scratch;
        terms::find(&self.vocabulary, tokens, words, starts, Overlap::Longest, matches);
    }

    /// Asks rules, and looks for what the site knows and what is known of the patient.
    pub(super) fn ask_rules(&self, request: Request<'_>, scratch: &mut Scratch) {
        let Scratch { normalized, tokens, words, classes, starts, numbers, names, findings, .. } = scratch;
        release(starts);
        numbers.read_behind_keys(normalized.folded(), tokens);
        let note = Note::new(normalized.folded(), tokens, words, classes, numbers, &self.vocabulary);
        rules::find(&note, names, findings);
        rules::find_raised(&note, request.text, normalized, findings);
        for known in self.site.as_deref().into_iter().chain(request.patient) {
            rules::find_known(&note, known, findings);
        }
        // Few steps behind the rules ask for keys.
        numbers.release_keys();
    }

    /// The model. A policy that never takes a word for a name by its surroundings hears rules and lists alone.
    fn heard_model(&self) -> Option<&Model> {
        self.model.as_ref().filter(|_| self.policy.ambiguous != Ambiguous::Never)
    }

    /// Judges what has no form.
    pub(super) fn judge(&self, request: Request<'_>, scratch: &mut Scratch) {
        let Some(model) = self.heard_model() else { return };
        let Scratch { normalized, tokens, words, classes, numbers, matches, findings, judgement, .. } = scratch;
        let note = Note::new(normalized.folded(), tokens, words, classes, numbers, &self.vocabulary);
        judgement.judge(model, &note, matches, findings, self.policy.allowed());
        judgement.report(&note, &self.policy, findings);
        if !request.explain {
            judgement.release();
        }
    }

    /// Codes short forms that the note defines, terms that it writes in parts, and short forms of several meanings.
    pub(super) fn code_written(&self, request: Request<'_>, scratch: &mut Scratch) {
        let Scratch { normalized, tokens, words, classes, matches, findings, unclear, .. } = scratch;
        // A short form says what it stands for; that it may come out, a list must say, or it might be somebody's initials.
        // And what a rule speaks against is removed: nothing would tell any longer what its short form stood for.
        let allowed = self.policy.allowed();
        let removed = LazyCell::new(|| removed(findings, &self.policy, tokens.len()));
        let trusted = |definition: &Definition| {
            let short = definition.short_first as usize..definition.short_last as usize;
            if !classes[short].iter().all(|listed| listed.any(allowed) && !listed.has(Class::Deny)) {
                return false;
            }
            let first = definition.long_first.min(definition.short_first) as usize;
            let last = definition.long_last.max(definition.short_last) as usize;
            !(first..last).any(|at| removed[at / GROUP] >> (at % GROUP) & 1 != 0)
        };
        let folded = normalized.folded();
        let written = abbreviations::Text { source: request.text, normalized, folded, tokens, ids: words };
        abbreviations::code(&self.vocabulary, &written, trusted, &mut matches.terms);
        // A form that is no term yet may become one where its letters may come out anyway, and are told as written.
        let may_be_new = |at: usize| {
            self.policy.terms == Terms::Written && {
                let (first, last) = (at as u32, at as u32 + 1);
                trusted(&Definition { short_first: first, short_last: last, long_first: first, long_last: last })
            }
        };
        self.apart.code(&self.vocabulary, tokens, words, may_be_new, &mut matches.terms);
        self.senses.code(&self.vocabulary, tokens, words, classes, may_be_new, &mut matches.terms, unclear);
    }

    /// Decides on each token.
    pub(super) fn decide(&self, scratch: &mut Scratch) {
        let Scratch { normalized, tokens, words, classes, numbers, matches, findings, decisions, .. } = scratch;
        let note = Note::new(normalized.folded(), tokens, words, classes, numbers, &self.vocabulary);
        decide::decide(&note, &self.vocabulary, &matches.terms, findings, &self.policy, decisions);
        if !self.headings.is_empty() {
            decide::drop_sections(&self.headings.bodies(&note), decisions);
        }
    }

    /// Finds what the note says of each term.
    pub(super) fn say(&self, scratch: &mut Scratch) {
        let Scratch { normalized, tokens, words, matches, context, said, unclear, .. } = scratch;
        self.context.read(normalized.folded(), tokens, words, &matches.terms, context, said);
        status::mark_unclear(&matches.terms, unclear, said);
    }

    /// Writes the new text.
    pub(super) fn write(&self, request: Request<'_>, scratch: &mut Scratch, out: &mut Document) {
        let Scratch { normalized, tokens, words, classes, numbers, matches, findings, decisions, said, .. } = scratch;
        // Tags are written without a look at the words.
        if !request.explain && self.policy.is_plain() {
            release(words);
            release(classes);
            numbers.release();
        }
        let note = (!self.policy.is_plain())
            .then(|| Note::new(normalized.folded(), tokens, words, classes, numbers, &self.vocabulary));
        let input = render::Input {
            source: request.text,
            normalized,
            tokens,
            matches: &matches.terms,
            said,
            findings,
            decisions,
            vocabulary: &self.vocabulary,
            policy: &self.policy,
            explain: request.explain,
            context: note.as_ref().map(|note| render::Context {
                note,
                patient: request.patient,
                key: self.key.as_ref(),
            }),
        };
        render::render(input, out);
        release(decisions);
        release(said);
        self.choose(&mut out.concepts);
    }

    /// Tells what the model thought of each token, and what speaks for each stretch.
    pub(super) fn explain(&self, scratch: &mut Scratch, out: &mut Document) {
        let Scratch { normalized, tokens, words, classes, numbers, matches, findings, judgement, .. } = scratch;
        let note = Note::new(normalized.folded(), tokens, words, classes, numbers, &self.vocabulary);
        if let Some(model) = self.heard_model() {
            judgement.explain(model, &note, (matches, findings), self.policy.allowed(), |at, weighed| {
                let source = normalized.to_source(tokens[at].span());
                out.judgements.push(Weighed { source, ..weighed });
            });
        }
        let span = |first: u32, last: u32| {
            normalized.to_source(Span::new(tokens[first as usize].start, tokens[last as usize - 1].end))
        };
        let told = |tokens: std::ops::Range<u32>, by, certainty| {
            out.vouchers.push(Voucher { source: span(tokens.start, tokens.end), by, certainty });
        };
        decide::vouchers(&note, &self.vocabulary, &matches.terms, findings, &self.policy, told);
    }
}

/// Tells what rules and model found, but for what they vouch for.
pub(super) fn report(scratch: &Scratch, out: &mut Vec<Found>) {
    let Scratch { normalized, tokens, findings, .. } = scratch;
    out.clear();
    // A bit for each finding instead of a branch that is often mispredicted.
    for some in findings.as_slice().chunks(64) {
        let goes = |finding: &Finding| u64::from(matches!(finding.verdict, Verdict::Remove(_)));
        let removing = some.iter().rev().fold(0, |found, finding| found << 1 | goes(finding));
        out.extend(bits(removing).filter_map(|place| {
            let finding = &some[place];
            let Verdict::Remove(kind) = finding.verdict else { return None };
            let (first, last) = (&tokens[finding.first as usize], &tokens[finding.last as usize - 1]);
            Some(Found {
                source: normalized.to_source(Span::new(first.start, last.end)),
                kind,
                rule: Name::of_rule(finding.rule),
                certainty: finding.certainty,
            })
        }));
    }
}

/// Which tokens a finding removes, 64 in one.
fn removed(findings: &Findings, policy: &Policy, tokens: usize) -> Vec<u64> {
    let mut removed = vec![0; tokens.div_ceil(GROUP)];
    for finding in findings.as_slice() {
        if matches!(finding.verdict, Verdict::Remove(kind) if policy.removes(kind)) {
            for at in finding.first as usize..finding.last as usize {
                removed[at / GROUP] |= 1 << (at % GROUP);
            }
        }
    }
    removed
}
