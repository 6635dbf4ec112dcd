//! Queries.

use std::ops::Bound as End;

use tantivy::query::{
    AllQuery, BitSetDocSet, BooleanQuery, ConstScorer, EmptyQuery, EnableScoring, Explanation, InvertedIndexRangeQuery,
    Occur, PhraseQuery, Query, RangeQuery, Scorer, TermQuery, TermSetQuery, Weight,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{BitSet, DocId, DocSet, Score, SegmentReader, Term};

use crate::schema::{NOTE, TYPE, WORDS, YEAR};
use crate::slots::{SLOT, values};

/// A query to the index.
pub struct SegmentQuery(Box<dyn Query>);

impl SegmentQuery {
    fn new(query: impl Query) -> Self {
        Self(Box::new(query))
    }

    pub(crate) fn query(&self) -> &dyn Query {
        self.0.as_ref()
    }

    fn exact_term(field: Field, text: &str) -> Self {
        Self::new(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::WithFreqs))
    }

    fn joined(occur: Occur, operands: &[&Self]) -> Self {
        Self::new(BooleanQuery::new(operands.iter().map(|operand| (occur, operand.0.box_clone())).collect()))
    }

    /// Matches every note.
    pub fn everything() -> Self {
        Self::new(AllQuery)
    }

    /// Matches no note.
    pub fn nothing() -> Self {
        Self::new(EmptyQuery)
    }

    /// Matches notes with a word.
    pub fn word(word: &str) -> Self {
        Self::exact_term(WORDS, word)
    }

    /// Matches notes with a word that has this prefix.
    pub fn prefix(start: &str) -> Self {
        let lower = End::Included(Term::from_field_text(WORDS, start));
        // No letter follows the last code point.
        let upper = End::Included(Term::from_field_text(WORDS, &format!("{start}{}", char::MAX)));
        Self::new(InvertedIndexRangeQuery::new(lower, upper))
    }

    /// Matches notes with words or slots at these relative positions, with at most `slop` positions between them.
    pub fn phrase(places: Vec<(usize, String)>, slop: u32) -> Self {
        let terms = places.into_iter().map(|(place, text)| (place, Term::from_field_text(WORDS, &text))).collect();
        Self::new(PhraseQuery::new_with_offset_and_slop(terms, slop))
    }

    /// Matches notes with a term of one of these code sets.
    pub fn codes(numbers: &[u32]) -> Self {
        match *numbers {
            [] => Self::nothing(),
            [number] => Self::word(&format!("{SLOT}{number}")),
            _ => {
                let terms = numbers.iter().map(|number| Term::from_field_text(WORDS, &format!("{SLOT}{number}")));
                Self::new(TermSetQuery::new(terms))
            }
        }
    }

    /// Matches notes with a value of one of these code sets in a unit, within a range that includes both ends.
    pub fn values(numbers: &[u32], unit: &str, least: Option<f64>, most: Option<f64>) -> Self {
        let of_set = |&number: &u32| {
            let (lowest, highest) = values::range_of_value_words(number, unit, least, most);
            let end = |word: String| End::Included(Term::from_field_text(WORDS, &word));
            Self::new(InvertedIndexRangeQuery::new(end(lowest), end(highest)))
        };
        let ranges: Vec<Self> = numbers.iter().map(of_set).collect();
        Self::any_of(&ranges.iter().collect::<Vec<_>>())
    }

    /// Matches notes of a type.
    pub fn of_type(kind: &str) -> Self {
        Self::exact_term(TYPE, kind)
    }

    /// Matches notes within a range of years that includes both ends.
    pub fn years(first: Option<u64>, last: Option<u64>) -> Self {
        let end = |year: Option<u64>| End::Included(Term::from_field_u64(YEAR, year.unwrap_or_default()));
        Self::new(RangeQuery::new(end(first), last.map_or(End::Unbounded, |year| end(Some(year)))))
    }

    /// Matches notes by their pseudonyms.
    pub fn notes(pseudonyms: &[String]) -> Self {
        Self::new(TermSetQuery::new(pseudonyms.iter().map(|note| Term::from_field_text(NOTE, note))))
    }

    /// Matches notes that all operands match.
    pub fn all_of(operands: &[&Self]) -> Self {
        Self::joined(Occur::Must, operands)
    }

    /// Matches notes that any operand matches.
    pub fn any_of(operands: &[&Self]) -> Self {
        Self::joined(Occur::Should, operands)
    }

    /// Matches notes that the operand does not match.
    pub fn without(operand: &Self) -> Self {
        Self::new(WithoutQuery(operand.0.box_clone()))
    }
}

/// Matches every document that a query does not match. tantivy's own negation seeks backwards in phrase scorers, which
/// they do not support.
#[derive(Debug)]
struct WithoutQuery(Box<dyn Query>);

impl Clone for WithoutQuery {
    fn clone(&self) -> Self {
        Self(self.0.box_clone())
    }
}

impl Query for WithoutQuery {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let scoring = match scoring.searcher() {
            Some(searcher) => EnableScoring::disabled_from_searcher(searcher),
            None => EnableScoring::disabled_from_schema(scoring.schema()),
        };
        Ok(Box::new(WithoutWeight(self.0.weight(scoring)?)))
    }
}

struct WithoutWeight(Box<dyn Weight>);

impl Weight for WithoutWeight {
    fn scorer(&self, segment: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let mut left = BitSet::with_max_value_and_full(segment.max_doc());
        self.0.for_each_no_score(segment, &mut |found| found.iter().for_each(|&note| left.remove(note)))?;
        Ok(Box::new(ConstScorer::new(BitSetDocSet::from(left), boost)))
    }

    fn explain(&self, segment: &SegmentReader, note: DocId) -> tantivy::Result<Explanation> {
        let mut scorer = self.scorer(segment, 1.0)?;
        Ok(Explanation::new("Without", f32::from(u8::from(scorer.seek(note) == note))))
    }
}
