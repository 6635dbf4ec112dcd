//! Holds the steps together: a note in, a document out.

use crate::concepts::{self, Matches, Overlap};
use crate::decide::{self, Decision};
use crate::document::{Document, Found, Mention, Voucher};
use crate::error::{Error, Result};
use crate::key::Key;
use crate::normalize::Normalized;
use crate::own;
use crate::patient::Patient;
use crate::policy::Policy;
use crate::provenance::Provenance;
use crate::render;
use crate::rules::{self, Findings, RULES, Verdict, View};
use crate::span::Span;
use crate::token::{self, Token};
use crate::vocabulary::{Classes, Vocabulary, WordId};

/// Scrubs and autocodes notes with one vocabulary and one policy.
#[derive(Clone, Debug)]
pub struct Scrubber {
    vocabulary: Vocabulary,
    policy: Policy,
    key: Option<Key>,
}

/// The buffers of one worker, kept from note to note so that nothing is allocated for a word.
#[derive(Debug, Default)]
pub struct Scratch {
    normalized: Normalized,
    tokens: Vec<Token>,
    words: Vec<WordId>,
    classes: Vec<Classes>,
    matches: Matches,
    names: rules::Names,
    findings: Findings,
    scale: decide::Scale,
    decisions: Vec<Decision>,
}

impl Scrubber {
    /// A scrubber.
    #[must_use]
    pub const fn new(vocabulary: Vocabulary, policy: Policy) -> Self {
        Self { vocabulary, policy, key: None }
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
    pub fn scrub_patient_into(
        &self,
        text: &str,
        patient: Option<&Patient>,
        explain: bool,
        scratch: &mut Scratch,
        out: &mut Document,
    ) -> Result<()> {
        self.read(text, scratch)?;
        let Scratch { normalized, tokens, words, classes, matches, names, findings, scale, decisions } = scratch;
        let view = View::new(normalized.folded(), tokens, words, classes, &self.vocabulary);
        rules::find(&view, names, findings);
        if let Some(patient) = patient {
            rules::find_known(&view, patient, findings);
        }
        decide::decide(&view, &self.vocabulary, &matches.terms, findings, &self.policy, scale, decisions);
        let input = render::Input {
            source: text,
            normalized,
            tokens,
            matches: &matches.terms,
            findings,
            decisions,
            vocabulary: &self.vocabulary,
            policy: &self.policy,
            explain,
        };
        render::render(input, out);
        out.findings.clear();
        out.findings.extend(findings.as_slice().iter().filter_map(|finding| {
            let Verdict::Remove(kind) = finding.verdict else { return None };
            let (first, last) = (&tokens[finding.first as usize], &tokens[finding.last as usize - 1]);
            Some(Found {
                source: normalized.to_source(Span::new(first.start, last.end)),
                kind,
                rule: RULES[usize::from(finding.rule)].name,
                certainty: finding.certainty,
            })
        }));
        out.vouchers.clear();
        if explain {
            let span = |first: u32, last: u32| {
                normalized.to_source(Span::new(tokens[first as usize].start, tokens[last as usize - 1].end))
            };
            decide::vouchers(
                &view,
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

    /// The terms of one note as written, whatever a scrub would remove. Offsets are those of the note in both spans.
    pub fn autocode(&self, text: &str) -> Result<Vec<Mention>> {
        let mut scratch = Scratch::default();
        self.read(text, &mut scratch)?;
        let Scratch { normalized, tokens, matches, .. } = &scratch;
        Ok(matches
            .terms
            .iter()
            .map(|found| {
                let (first, last) = (&tokens[found.first as usize], &tokens[found.last as usize - 1]);
                let source = normalized.to_source(Span::new(first.start, last.end));
                Mention { source, output: source, entry: found.entry }
            })
            .collect())
    }

    /// The steps that a scrub and an autocode share: fold, cut, look up, seal, match.
    fn read(&self, text: &str, scratch: &mut Scratch) -> Result<()> {
        // Folding can make a text longer: no character folds to more than 18 times its bytes (U+FDFA).
        if text.len() > u32::MAX as usize / 20 {
            return Err(Error::TooLong { bytes: text.len() });
        }
        let Scratch { normalized, tokens, words, classes, matches, .. } = scratch;
        normalized.fold(text);
        token::tokenize(text, normalized, tokens);
        concepts::lookup_words(&self.vocabulary, normalized.folded(), tokens, words, classes);
        own::seal(&self.vocabulary, text, normalized, tokens, words, classes);
        concepts::find(&self.vocabulary, tokens, words, Overlap::Longest, matches);
        Ok(())
    }
}
