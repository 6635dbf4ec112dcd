//! Findings from outside the core: spans that other detectors report, and the user's own patterns.
//!
//! Both become findings like those of the rules, with a kind and a certainty, and `decide` weighs them like any other.
//! The model may not clear them, because whoever adds a detector or a pattern knows the notes.

mod ethnicity;

use std::sync::Arc;

pub(crate) use ethnicity::EthnicityWords;

use crate::document::SourceName;
use crate::finding::{Certainty, Kind};
use crate::note::Note;
use crate::patient::Patient;
use crate::policy::{CompiledPattern, Pattern};
use crate::rules::{self, Findings, Verdict};
use crate::text::span::Span;
use crate::text::token::Token;

/// A span that an external detector reports as PHI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The bytes of the note.
    pub span: Span,
    /// The kind of PHI.
    pub kind: Kind,
    /// How certain the detector is.
    pub certainty: Certainty,
    /// The name of the detector; see [`SourceName::detector`].
    pub detector: SourceName,
}

/// What the caller knows about one note.
#[derive(Clone, Debug, Default)]
pub struct CallerKnowledge {
    /// The patient.
    pub patient: Option<Arc<Patient>>,
    /// The findings of other detectors.
    pub detections: Vec<Detection>,
}

/// Reports detections as findings over whole tokens: a token that is partly PHI is removed as a whole.
pub(crate) fn report_detections(note: &Note<'_>, detections: &[Detection], findings: &mut Findings) {
    for detection in detections {
        if let Some((first, last)) = touched_tokens(note, detection.span) {
            let Detection { kind, certainty, detector, .. } = *detection;
            rules::add_detection(
                findings,
                (first, last),
                Verdict::Remove(kind),
                certainty,
                detector.number_of_detector(),
            );
        }
    }
}

/// The compiled patterns of a policy, each with the name under which it is reported.
#[derive(Debug, Default)]
pub(crate) struct PatternSet(Vec<(CompiledPattern, SourceName)>);

impl PatternSet {
    /// Compiles patterns; those that `Scrubber::check` rejects are left out.
    pub(crate) fn new(patterns: &[Pattern]) -> Self {
        let compile = |pattern: &Pattern| {
            Some((CompiledPattern::new(pattern).ok()?, SourceName::detector(&format!("pattern:{}", pattern.name))?))
        };
        Self(patterns.iter().filter_map(compile).collect())
    }

    /// Returns the number of patterns.
    pub(crate) const fn pattern_count(&self) -> usize {
        self.0.len()
    }

    /// Reports the matches of the patterns. PHI covers every token that it touches; a pattern that keeps text covers
    /// whole tokens only.
    pub(crate) fn report_matches(&self, note: &Note<'_>, findings: &mut Findings) {
        for (pattern, name) in &self.0 {
            for found in pattern.matches_in(note.source()) {
                let span = Span::new(found.start as u32, found.end as u32);
                let Some((first, last)) = touched_tokens(note, span) else { continue };
                let source = note.source_span(first, last);
                let whole = source.start >= span.start && source.end <= span.end;
                let verdict = pattern.kind.map_or(Verdict::Keep, Verdict::Remove);
                if whole || verdict != Verdict::Keep {
                    rules::add_detection(
                        findings,
                        (first, last),
                        verdict,
                        pattern.certainty,
                        name.number_of_detector(),
                    );
                }
            }
        }
    }
}

/// Returns the range of tokens that a span overlaps; `None` if it contains only blanks.
fn touched_tokens(note: &Note<'_>, span: Span) -> Option<(usize, usize)> {
    let tokens = &note.tokens()[..note.len()];
    let source = |token: &Token| note.normalized().source_span(token.span());
    let first = tokens.partition_point(|token| source(token).end <= span.start);
    let last = tokens.partition_point(|token| source(token).start < span.end);
    (first < last).then_some((first, last))
}

#[cfg(test)]
mod tests;
