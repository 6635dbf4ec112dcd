//! Which notes no longer count.

use std::fmt;
use std::sync::Arc;

use tantivy::query::{BitSetDocSet, ConstScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{BitSet, DocId, DocSet, Score, SegmentReader, Term};

/// Notes of which there are newer ones, and those of patients who were removed.
///
/// tantivy deletes what it finds by the order of its own operations, which segments that were written elsewhere have no part
/// in. So each note has a number of its own ([`crate::schema::ORDER`]), and only those before a number go.
#[derive(Clone, Default)]
pub(crate) struct Outdated(Vec<(Field, String, u64)>);

impl Outdated {
    /// All notes with this name in a field that were added before a number.
    pub(crate) fn add(&mut self, field: Field, name: String, before: u64) {
        self.0.push((field, name, before));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn query(self) -> Box<dyn Query> {
        Box::new(OutdatedQuery(Arc::new(self)))
    }

    /// The notes of a segment, one bit each.
    fn find(&self, segment: &SegmentReader) -> tantivy::Result<BitSet> {
        let mut found = BitSet::with_max_value(segment.max_doc());
        let order = segment.fast_fields().u64("order")?.first_or_default_col(0);
        for (field, name, before) in &self.0 {
            let lists = segment.inverted_index(*field)?;
            let Some(list) = lists.get_term_info(&Term::from_field_text(*field, name))? else { continue };
            let mut notes = lists.read_block_postings_from_terminfo(&list, IndexRecordOption::Basic)?;
            while !notes.docs().is_empty() {
                for &note in notes.docs().iter().filter(|&&note| order.get_val(note) < *before) {
                    found.insert(note);
                }
                notes.advance();
            }
        }
        Ok(found)
    }
}

#[derive(Clone)]
struct OutdatedQuery(Arc<Outdated>);

/// Never a name.
impl fmt::Debug for OutdatedQuery {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("OutdatedQuery")
    }
}

impl Query for OutdatedQuery {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for OutdatedQuery {
    fn scorer(&self, segment: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        Ok(Box::new(ConstScorer::new(BitSetDocSet::from(self.0.find(segment)?), boost)))
    }

    fn explain(&self, segment: &SegmentReader, note: DocId) -> tantivy::Result<Explanation> {
        let mut scorer = self.scorer(segment, 1.0)?;
        Ok(Explanation::new("Outdated", f32::from(u8::from(scorer.seek(note) == note))))
    }
}
