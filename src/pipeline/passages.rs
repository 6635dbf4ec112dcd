//! Reads marked passages for training statuses: the features of each mention, and the words that become features.

use std::collections::BTreeMap;

use super::Scrubber;
use crate::error::Result;
use crate::note::NoteBuffers;
use crate::status;
use crate::status::{
    Passage, Status, StatusOptions, StatusTrainer, TrainingMention, UNLISTED_ENTRY, person_words, shared_stem,
};
use crate::terms::Match;
use crate::text::span::Span;

impl StatusTrainer {
    /// Reads training passages, and the `usual` ones, which are used only to choose thresholds: their statuses are as
    /// frequent as in notes.
    pub fn new(scrubber: &Scrubber, passages: &[Passage], usual: &[Passage], options: StatusOptions) -> Result<Self> {
        let words = words_outside_marks(scrubber, passages, options.min_passages)?;
        let reader =
            Scrubber::with_status(scrubber.clone(), Self::model_without_weights(words.each_ref().map(Vec::as_slice))?);
        let read = |passages: &[Passage]| -> Result<Vec<(usize, TrainingMention)>> {
            let mut rows = Vec::new();
            for (nth, passage) in passages.iter().enumerate() {
                let of_passage = reader.status_rows(&passage.text, &passage.marks)?;
                rows.extend(of_passage.into_iter().map(|row| (nth, row)));
            }
            Ok(rows)
        };
        let usual = read(usual)?.into_iter().map(|(_, row)| row).collect();
        Ok(Self::from_mentions(read(passages)?, usual, words, options))
    }
}

impl Scrubber {
    /// Returns the mentions at the marks of a text, with features for the status model. A mark that is no term of the
    /// vocabulary counts as one.
    fn status_rows(&self, text: &str, marks: &[(Span, Status)]) -> Result<Vec<TrainingMention>> {
        let mut buffers = NoteBuffers::default();
        let note = self.read_note(text, &mut buffers)?;
        let (mut terms, unclear) = self.terms_and_uncoded(&note);
        let source = |at: usize| note.source_span(at, at + 1);
        for (span, _) in marks {
            let over = |&at: &usize| source(at).start < span.end && span.start < source(at).end;
            let (Some(first), Some(last)) = ((0..note.len()).find(over), (0..note.len()).rfind(over)) else {
                continue;
            };
            let (first, last) = (first as u32, last as u32 + 1);
            if terms.iter().all(|term| last <= term.first || term.end <= first) {
                terms.push(Match { first, end: last, entry: UNLISTED_ENTRY });
            }
        }
        terms.sort_by_key(|term| term.first);
        let (mut said, features) = self.context.statuses_and_features(&note, &terms);
        let cues: Vec<Status> = said.iter().map(|said| said.status).collect();
        status::mark_terms_without_code(&terms, &unclear, &mut said);
        let mut rows = Vec::new();
        for (nth, features) in features.into_iter().filter(|&(nth, _)| !said[nth].no_concept) {
            let term = terms[nth];
            let Span { start, end } = note.source_span(term.first as usize, term.end as usize);
            let marked = marks.iter().position(|(span, _)| span.start < end && start < span.end);
            if let Some(mark) = marked {
                rows.push(TrainingMention { mark, gold: marks[mark].1, cues: cues[nth], features });
            }
        }
        Ok(rows)
    }

    /// Returns the folded words of a text with their spans.
    fn words_with_places(&self, text: &str) -> Result<Vec<(Span, String)>> {
        let mut buffers = NoteBuffers::default();
        let note = self.read_note(text, &mut buffers)?;
        let words = (0..note.len()).filter(|&at| note.is_word(at));
        Ok(words.map(|at| (note.source_span(at, at + 1), note.word(at).to_owned())).collect())
    }
}

/// Returns the words, and the stems, that occur outside marks in at least `least` passages.
fn words_outside_marks(scrubber: &Scrubber, passages: &[Passage], least: u32) -> Result<[Vec<String>; 2]> {
    let mut counts: [BTreeMap<String, (u32, usize)>; 2] = Default::default();
    let mut count = |which: usize, word: &str, nth: usize| {
        let known = counts[which].entry(word.to_owned()).or_insert((0, usize::MAX));
        known.0 += u32::from(known.1 != nth);
        known.1 = nth;
    };
    for (nth, passage) in passages.iter().enumerate() {
        for (span, word) in scrubber.words_with_places(&passage.text)? {
            let marked = passage.marks.iter().any(|(mark, _)| mark.start < span.end && span.start < mark.end);
            if !marked {
                count(0, &word, nth);
                count(1, shared_stem(&word), nth);
            }
        }
    }
    for person in person_words() {
        counts[1].entry(shared_stem(&person).to_owned()).or_default().0 = least;
        counts[0].entry(person).or_default().0 = least;
    }
    Ok(counts.map(|counts| {
        let often = counts.into_iter().filter(|(_, (count, _))| *count >= least);
        often.map(|(word, _)| word).collect()
    }))
}
