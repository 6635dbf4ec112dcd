//! Reports the findings of a document, and the scores and vouchers that explain it.

use super::Scrubber;
use crate::bits::indices_of_bits;
use crate::decide;
use crate::document::{Document, Found, SourceName, TokenScore, Voucher};
use crate::names::Judgement;
use crate::note::Note;
use crate::rules::{Finding, Findings, Verdict};
use crate::terms::Matches;

impl Scrubber {
    /// Reports the model's score of each token, and the vouchers of each span.
    pub(super) fn explain(
        &self,
        note: &Note<'_>,
        matches: &Matches,
        findings: &Findings,
        judgement: &mut Judgement,
        out: &mut Document,
    ) {
        if let Some(model) = self.names_model() {
            judgement.explain_tokens(model, note, (matches, findings), self.policy.allowed(), |at, weighed| {
                out.judgements.push(TokenScore { source: note.source_span(at, at + 1), ..weighed });
            });
        }
        let voucher = |tokens: std::ops::Range<u32>, by, certainty| {
            let source = note.source_span(tokens.start as usize, tokens.end as usize);
            out.vouchers.push(Voucher { source, by, certainty });
        };
        decide::for_each_voucher(note, &matches.terms, findings, &self.policy, voucher);
    }
}

/// Reports the findings of rules and model that remove something.
pub(super) fn report_findings(note: &Note<'_>, findings: &Findings, out: &mut Vec<Found>) {
    out.clear();
    // A bit per finding avoids a branch that is often mispredicted.
    for some in findings.as_slice().chunks(64) {
        let goes = |finding: &Finding| u64::from(matches!(finding.verdict, Verdict::Remove(_)));
        let removing = some.iter().rev().fold(0, |found, finding| found << 1 | goes(finding));
        out.extend(indices_of_bits(removing).filter_map(|place| {
            let finding = &some[place];
            let Verdict::Remove(kind) = finding.verdict else { return None };
            Some(Found {
                source: note.source_span(finding.first as usize, finding.end as usize),
                kind,
                rule: SourceName::from_rule_number(finding.rule),
                certainty: finding.certainty,
            })
        }));
    }
}
