//! Holds the steps together: a note in, a document out.

use std::cell::LazyCell;
use std::sync::Arc;

use crate::abbreviations::{self, Definition};
use crate::bits::bits;
use crate::buffer::release;
use crate::concepts::apart::Apart;
use crate::concepts::context::{Context, ContextScratch, CueList, Said, StatusModel};
use crate::concepts::senses::{Senses, Unclear};
use crate::concepts::{self, Matches, Overlap, Start};
use crate::decide::{self, Decision};
use crate::document::{Document, Found, Mention, Name, Voucher, Weighed};
use crate::error::{Error, LONGEST_TEXT, Result};
use crate::judgement::{self, Judgement, Model};
use crate::key::Key;
use crate::own;
use crate::patient::Patient;
use crate::policy::{Ambiguous, Policy, Terms};
use crate::provenance::Provenance;
use crate::render;
use crate::rules::{self, Finding, Findings, GROUP, Headings, Verdict, View};
use crate::text::normalize::Normalized;
use crate::text::span::Span;
use crate::text::token::{self, Token};
use crate::vocabulary::{Class, Classes, Vocabulary, WordId};

mod passages;

/// Scrubs and autocodes notes with one vocabulary and one policy.
#[derive(Clone, Debug)]
pub struct Scrubber {
    vocabulary: Vocabulary,
    policy: Policy,
    model: Option<Model>,
    key: Option<Key>,
    /// What the site knows, compiled.
    site: Option<Arc<Patient>>,
    /// The headings of sections that are dropped.
    headings: Arc<Headings>,
    /// What says of a term that it is negated, somebody else's and so on.
    context: Arc<Context>,
    /// What short forms of several meanings mean.
    senses: Arc<Senses>,
    /// What puts together the terms that a text writes in parts.
    apart: Apart,
    /// The groups of concepts that are told, one bit each.
    groups: u16,
}

/// The buffers of one worker, kept from note to note so that nothing is allocated for a word.
#[derive(Debug, Default)]
pub struct Scratch {
    normalized: Normalized,
    tokens: Vec<Token>,
    words: Vec<WordId>,
    classes: Vec<Classes>,
    starts: Vec<Start>,
    matches: Matches,
    numbers: rules::Numbers,
    names: rules::Names,
    findings: Findings,
    judgement: Judgement,
    scale: decide::Scale,
    decisions: Vec<Decision>,
    context: ContextScratch,
    said: Vec<Said>,
    unclear: Vec<(u32, Unclear)>,
}

impl Scrubber {
    /// A scrubber.
    #[must_use]
    pub fn new(vocabulary: Vocabulary, policy: Policy) -> Self {
        let site = policy.site().map(Arc::new);
        let headings = Arc::new(Headings::new(&policy.drop_sections));
        // `Policy::check` refuses cues that cannot be read.
        let own = CueList::parse(policy.cues.iter().map(String::as_str), "cues").unwrap_or_default();
        let context = Arc::new(Context::new(&vocabulary, &CueList::package().with(&own)));
        let senses = Arc::new(Senses::new(&vocabulary));
        let apart = Apart::new(&vocabulary);
        let groups = policy.group_bits();
        Self { vocabulary, policy, model: None, key: None, site, headings, context, senses, apart, groups }
    }

    /// The scrubber with a model that judges what has no form. Without one, rules and lists are all that is left.
    #[must_use]
    pub fn with_model(self, model: Model) -> Self {
        Self { model: Some(model), ..self }
    }

    /// The model.
    pub const fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// The scrubber with a model that judges what a note says of its concepts. Without one, cues are all that is left.
    #[must_use]
    pub fn with_status(self, model: StatusModel) -> Self {
        let context = Context::clone(&self.context).with_model(&self.vocabulary, model);
        Self { context: Arc::new(context), ..self }
    }

    /// The scrubber with a key, from which shifts and surrogates are drawn.
    #[must_use]
    pub fn with_key(self, key: Key) -> Self {
        Self { key: Some(key), ..self }
    }

    /// The key.
    pub const fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    /// What an output needs to be made again.
    pub fn provenance(&self) -> Provenance {
        Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            vocabulary_digest: self.vocabulary.digest().to_owned(),
            model_digest: self.model.as_ref().map(|model| model.digest().to_owned()),
            status_digest: self.context.digest().map(str::to_owned),
            policy_digest: self.policy.digest(),
            key_fingerprint: self.key.as_ref().map(Key::fingerprint),
        }
    }

    /// The vocabulary.
    pub const fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The policy.
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// What says of a term that it is negated, somebody else's and so on.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// What short forms of several meanings mean.
    pub fn senses(&self) -> &Senses {
        &self.senses
    }

    /// Refuses a policy that needs a key where there is none.
    pub fn check(&self) -> Result<()> {
        self.policy.check()?;
        if self.policy.needs_key() && self.key.is_none() {
            return Err(Error::Key(
                "the policy shifts dates or writes surrogates and needs a key: give Key.load()".to_owned(),
            ));
        }
        Ok(())
    }

    /// De-identifies one note and explains each decision.
    pub fn scrub(&self, text: &str) -> Result<Document> {
        let mut document = Document::default();
        self.scrub_into(text, true, &mut Scratch::default(), &mut document)?;
        Ok(document)
    }

    /// De-identifies one note of a patient of whom something is known.
    pub fn scrub_patient(&self, text: &str, patient: &Patient) -> Result<Document> {
        let mut document = Document::default();
        self.scrub_patient_into(text, Some(patient), true, &mut Scratch::default(), &mut document)?;
        Ok(document)
    }

    /// De-identifies one note into buffers that are used again. With `explain`, the document tells every decision.
    pub fn scrub_into(&self, text: &str, explain: bool, scratch: &mut Scratch, out: &mut Document) -> Result<()> {
        self.scrub_patient_into(text, None, explain, scratch, out)
    }

    /// De-identifies one note, and what is known of its patient, into buffers that are used again.
    #[allow(clippy::too_many_lines, reason = "the steps in the order in which a note takes them")]
    pub fn scrub_patient_into(
        &self,
        text: &str,
        patient: Option<&Patient>,
        explain: bool,
        scratch: &mut Scratch,
        out: &mut Document,
    ) -> Result<()> {
        self.read(text, scratch)?;
        let Scratch {
            normalized,
            tokens,
            words,
            classes,
            starts,
            matches,
            numbers,
            names,
            findings,
            judgement,
            scale,
            decisions,
            context,
            said,
            unclear,
        } = scratch;
        release(starts);
        numbers.read_behind_keys(normalized.folded(), tokens);
        let view = View::new(normalized.folded(), tokens, words, classes, numbers, &self.vocabulary);
        rules::find(&view, names, findings);
        rules::find_raised(&view, text, normalized, findings);
        for known in self.site.as_deref().into_iter().chain(patient) {
            rules::find_known(&view, known, findings);
        }
        // Few steps behind the rules ask for keys.
        numbers.release_keys();
        let view = View::new(normalized.folded(), tokens, words, classes, numbers, &self.vocabulary);
        // A policy that never takes a word for a name by its surroundings hears rules and lists alone.
        let model = self.model.as_ref().filter(|_| self.policy.ambiguous != Ambiguous::Never);
        if let Some(model) = model {
            judgement.judge(model, &view, matches, findings, self.policy.allowed());
            judgement.report(&view, &self.policy, findings);
            if !explain {
                judgement.release();
            }
        }
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
        let written = abbreviations::Text { source: text, normalized, folded: normalized.folded(), tokens, ids: words };
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
        decide::decide(&view, &self.vocabulary, &matches.terms, findings, &self.policy, scale, decisions);
        scale.release();
        if !self.headings.is_empty() {
            decide::drop_sections(&self.headings.bodies(&view), decisions);
        }
        self.context.read(normalized.folded(), tokens, words, &matches.terms, context, said);
        Senses::mark(&matches.terms, unclear, said);
        // Tags are written without a look at the words.
        let is_looked_at = explain || !self.policy.is_plain();
        if !is_looked_at {
            release(words);
            release(classes);
            numbers.release();
        }
        let view =
            is_looked_at.then(|| View::new(normalized.folded(), tokens, words, classes, numbers, &self.vocabulary));
        let made_from = view.as_ref().filter(|_| !self.policy.is_plain());
        let input = render::Input {
            source: text,
            normalized,
            tokens,
            matches: &matches.terms,
            said,
            findings,
            decisions,
            vocabulary: &self.vocabulary,
            policy: &self.policy,
            explain,
            context: made_from.map(|view| render::Context { view, patient, key: self.key.as_ref() }),
        };
        render::render(input, out);
        release(decisions);
        release(said);
        self.choose(&mut out.concepts);
        out.findings.clear();
        // A bit for each finding instead of a branch that is often mispredicted.
        for some in findings.as_slice().chunks(64) {
            let goes = |finding: &Finding| u64::from(matches!(finding.verdict, Verdict::Remove(_)));
            let removing = some.iter().rev().fold(0, |found, finding| found << 1 | goes(finding));
            out.findings.extend(bits(removing).filter_map(|place| {
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
        out.vouchers.clear();
        out.judgements.clear();
        if let Some(view) = view.as_ref().filter(|_| explain) {
            if let Some(model) = model {
                judgement.explain(model, view, (matches, findings), allowed, |at, weighed| {
                    let source = normalized.to_source(tokens[at].span());
                    out.judgements.push(Weighed { source, ..weighed });
                });
            }
            let span = |first: u32, last: u32| {
                normalized.to_source(Span::new(tokens[first as usize].start, tokens[last as usize - 1].end))
            };
            decide::vouchers(
                view,
                &self.vocabulary,
                &matches.terms,
                findings,
                &self.policy,
                |tokens, by, certainty| {
                    out.vouchers.push(Voucher { source: span(tokens.start, tokens.end), by, certainty });
                },
            );
        }
        Ok(())
    }

    /// The terms of one note that a scrub lets out. Offsets are those of the note in both spans.
    pub fn autocode(&self, text: &str) -> Result<Vec<Mention>> {
        let mut document = Document::default();
        self.scrub_into(text, false, &mut Scratch::default(), &mut document)?;
        let mut mentions = document.concepts;
        for mention in &mut mentions {
            mention.output = mention.source;
        }
        Ok(mentions)
    }

    /// The terms of one note as written, names that are terms among them: what comes out identifies people.
    pub fn autocode_identifying(&self, text: &str) -> Result<Vec<Mention>> {
        let mut scratch = Scratch::default();
        self.code_all(text, &mut scratch)?;
        let Scratch { normalized, tokens, words, matches, context, said, unclear, .. } = &mut scratch;
        self.context.read(normalized.folded(), tokens, words, &matches.terms, context, said);
        Senses::mark(&matches.terms, unclear, said);
        let mut mentions: Vec<Mention> = matches
            .terms
            .iter()
            .zip(said)
            .map(|(found, said)| {
                let (first, last) = (&tokens[found.first as usize], &tokens[found.last as usize - 1]);
                let source = normalized.to_source(Span::new(first.start, last.end));
                Mention { source, output: source, entry: found.entry, said: *said }
            })
            .collect();
        self.choose(&mut mentions);
        Ok(mentions)
    }

    /// The terms of one note as written.
    fn code_all(&self, text: &str, scratch: &mut Scratch) -> Result<()> {
        self.read(text, scratch)?;
        let Scratch { normalized, tokens, words, classes, matches, unclear, .. } = scratch;
        let written = abbreviations::Text { source: text, normalized, folded: normalized.folded(), tokens, ids: words };
        abbreviations::code(&self.vocabulary, &written, |_| true, &mut matches.terms);
        self.apart.code(&self.vocabulary, tokens, words, |_| true, &mut matches.terms);
        self.senses.code(&self.vocabulary, tokens, words, classes, |_| true, &mut matches.terms, unclear);
        Ok(())
    }

    /// Leaves out what is no concept here, and concepts of groups that the policy does not name.
    fn choose(&self, mentions: &mut Vec<Mention>) {
        let wanted =
            |entry| self.groups == u16::MAX || self.groups >> self.vocabulary.entry_group(entry) as u8 & 1 != 0;
        mentions.retain(|mention| !mention.said.no_concept && wanted(mention.entry));
    }

    /// A marked note as features to learn from; `gold` has spans of bytes of the text and what they are.
    pub fn example(
        &self,
        text: &str,
        gold: &[(Span, judgement::Gold)],
        group: u32,
        note: u32,
    ) -> Result<judgement::Example> {
        self.marked(text, gold, |view, matches, findings, tokens| {
            let labels = tokens.iter().map(|&(_, gold)| gold).collect();
            judgement::example(view, matches, findings, self.policy.allowed(), labels, (group, note))
        })
    }

    /// A marked note as features to look at, with the judgement of the model.
    pub fn features(&self, text: &str, gold: &[(Span, judgement::Gold)]) -> Result<judgement::Features> {
        self.marked(text, gold, |view, matches, findings, tokens| {
            judgement::features(view, matches, findings, self.policy.allowed(), tokens, self.model.as_ref())
        })
    }

    /// Reads a note up to where it is judged, with what each token is in a gold standard.
    fn marked<T>(
        &self,
        text: &str,
        gold: &[(Span, judgement::Gold)],
        finish: impl FnOnce(&View<'_>, &Matches, &Findings, &[(Span, judgement::Gold)]) -> T,
    ) -> Result<T> {
        let mut scratch = Scratch::default();
        self.read(text, &mut scratch)?;
        let Scratch { normalized, tokens, words, classes, matches, numbers, names, findings, .. } = &mut scratch;
        numbers.read_behind_keys(normalized.folded(), tokens);
        let view = View::new(normalized.folded(), tokens, words, classes, numbers, &self.vocabulary);
        rules::find(&view, names, findings);
        let labels = tokens.iter().map(|token| {
            let source = normalized.to_source(token.span());
            let mark = gold.iter().find(|(span, _)| span.start < source.end && source.start < span.end);
            (source, mark.map_or(judgement::Gold::Nothing, |&(_, gold)| gold))
        });
        let labels: Vec<_> = labels.collect();
        Ok(finish(&view, matches, findings, &labels))
    }

    /// The steps that a scrub and an autocode share: fold, cut, look up, seal, match.
    fn read(&self, text: &str, scratch: &mut Scratch) -> Result<()> {
        if text.len() > LONGEST_TEXT {
            return Err(Error::TooLong { bytes: text.len() });
        }
        let Scratch { normalized, tokens, words, classes, starts, matches, numbers, .. } = scratch;
        normalized.fold(text);
        token::tokenize(text, normalized, tokens);
        let (folded, keys) = (normalized.folded(), numbers.keys_mut());
        self.vocabulary.tables().lookup(folded, tokens, keys, words, classes, starts);
        own::seal(&self.vocabulary, text, normalized, tokens, words, classes, starts);
        if tokens.len() != numbers.keys_mut().len() {
            numbers.read_keys(folded, tokens);
        }
        concepts::find(&self.vocabulary, tokens, words, starts, Overlap::Longest, matches);
        Ok(())
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Calls `each` with a note as it is judged, read with the default vocabulary.
    pub(crate) fn with_read(text: &str, each: impl FnOnce(&View<'_>, &Matches, &Findings)) {
        let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).unwrap();
        let scrubber = Scrubber::new(vocabulary, Policy::default());
        scrubber.marked(text, &[], |view, matches, findings, _| each(view, matches, findings)).unwrap();
    }
}
