//! Dictionary columns: each distinct text that a row uses is scrubbed once.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::ArrowDictionaryKeyType;
use arrow_array::{Array, ArrayRef, DictionaryArray};
use arrow_schema::DataType;
use pyo3::prelude::*;

use super::cells::{Cell, Cells};
use super::results::{self, Results, Row};
use super::{ColumnJob, MAX_ROWS_PER_CHECK, Owner, Progress, RowFindings, hidden_arrow_error};
use crate::errors;
use crate::scrubber::CHUNK;

/// The identity of a text: its dictionary key, its owner, and the index of its findings.
type TextOf = (usize, usize, usize);

/// The rows of a dictionary with their owners and findings, both empty if nothing is known.
struct Keyed<'a, K: ArrowDictionaryKeyType> {
    array: &'a DictionaryArray<K>,
    owners: &'a [Owner],
    findings: &'a [RowFindings],
    /// For each row, the index of its findings among the distinct ones.
    numbers: Vec<usize>,
}

impl<K: ArrowDictionaryKeyType> Keyed<'_, K> {
    /// Returns the identity of a row's text, or `None` for a null.
    fn text_of(&self, row: usize) -> Option<TextOf> {
        let owner = match self.owners.get(row) {
            None | Some(Ok(None)) => 0,
            Some(Ok(Some(patient))) => Arc::as_ptr(patient).addr(),
            Some(Err(())) => 1,
        };
        let found = self.numbers.get(row).copied().unwrap_or_default();
        self.array.key(row).map(|key| (key, owner, found))
    }

    /// Returns the distinct texts that rows use, in a dictionary of `size` texts. A key beyond its end is a broken row.
    fn used_texts(&self, size: usize) -> Used {
        let mut used = Used::default();
        for row in 0..self.array.len() {
            let Some(text) = self.text_of(row).filter(|&(key, ..)| key < size) else { continue };
            used.numbers.entry(text).or_insert_with(|| {
                used.places.push(text.0);
                used.owners.extend(self.owners.get(row).cloned());
                used.findings.extend(self.findings.get(row).cloned());
                used.places.len() - 1
            });
        }
        used
    }
}

/// The texts of a dictionary that rows use.
#[derive(Default)]
struct Used {
    numbers: HashMap<TextOf, usize>,
    /// The index of each text in the dictionary.
    places: Vec<usize>,
    owners: Vec<Owner>,
    findings: Vec<RowFindings>,
}

/// Returns the index of each list of findings among the distinct ones.
fn number_distinct_findings(findings: &[RowFindings]) -> Vec<usize> {
    let mut known = HashMap::new();
    let number = |row| {
        let next = known.len();
        *known.entry(row).or_insert(next)
    };
    findings.iter().map(number).collect()
}

/// Distinct texts. Two notes can have the same scrubbed text.
struct Distinct<'a> {
    texts: Vec<Option<&'a str>>,
    /// The index of each note's text.
    keys: Vec<Option<usize>>,
}

impl<'a> Distinct<'a> {
    fn of_notes(notes: impl Iterator<Item = Option<&'a str>>) -> Self {
        let mut texts = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        let mut place = |text| {
            *known.entry(text).or_insert_with(|| {
                texts.push(Some(text));
                texts.len() - 1
            })
        };
        let keys = notes.map(|note| note.map(&mut place)).collect();
        Self { texts, keys }
    }
}

impl ColumnJob<'_> {
    /// Scrubs once each distinct text of a dictionary that a row uses.
    pub(super) fn scrub_dictionary<K: ArrowDictionaryKeyType>(
        &self,
        py: Python<'_>,
        array: &ArrayRef,
        done: &mut Progress,
    ) -> PyResult<()> {
        let broken = || errors::new(py, "FrameError", "the other library gave no valid Arrow data".to_owned());
        let array = array.as_any().downcast_ref::<DictionaryArray<K>>().ok_or_else(broken)?;
        let form = array.data_type();
        let DataType::Dictionary(_, plain) = form else { return Err(broken()) };
        let cells = Cells::of_array(array.values());
        let findings = self.findings.get(done.rows..).unwrap_or_default();
        let owners = self.owners.get(done.rows..).unwrap_or_default();
        let keyed = Keyed { array, owners, findings, numbers: number_distinct_findings(findings) };
        let used = keyed.used_texts(cells.len());
        let (rows, mut in_dictionary) = self.scrub_used_texts(py, &cells, &used)?;
        let text = Distinct::of_notes(rows.iter().map(Row::text));
        let coded = Distinct::of_notes(rows.iter().map(Row::coded_text));
        let values = results::text_array(plain, &text.texts);
        let coded_values = results::text_array(plain, &coded.texts);
        let beyond = Row::Failed("arrow");
        let mut start = 0;
        while start < array.len() {
            let end = array.len().min(start + 16 * MAX_ROWS_PER_CHECK);
            let mut results = Results::new(&self.wanted, form, self.core.vocabulary(), end - start);
            let mut keys = Vec::with_capacity(end - start);
            let mut coded_keys = Vec::with_capacity(end - start);
            for row in start..end {
                let number = keyed.text_of(row).map(|text| used.numbers.get(&text).copied());
                results.push_row(match number {
                    None => &Row::Null,
                    Some(None) => &beyond,
                    Some(Some(number)) => &rows[number],
                });
                let number = number.flatten();
                keys.push(number.and_then(|number| text.keys[number]));
                coded_keys.push(number.and_then(|number| coded.keys[number]));
            }
            let counted = results.removals_and_failures();
            results
                .push_dictionary::<K>((&keys, &values), (&coded_keys, &coded_values))
                .map_err(|problem| hidden_arrow_error(py, &problem))?;
            let batch = results.finish().map_err(|problem| hidden_arrow_error(py, &problem))?;
            self.report_batch(py, done, batch, std::mem::take(&mut in_dictionary), counted)?;
            start = end;
        }
        Ok(())
    }

    /// Scrubs texts of a dictionary in chunks of a few megabytes, and returns the rows and the number of bytes.
    fn scrub_used_texts(&self, py: Python<'_>, cells: &Cells<'_>, used: &Used) -> PyResult<(Vec<Row>, usize)> {
        let mut rows = Vec::with_capacity(used.places.len());
        let mut all_bytes = 0;
        let mut first = 0;
        while first < used.places.len() {
            let (mut last, mut bytes) = (first, 0);
            while last < used.places.len() && bytes < CHUNK {
                bytes += cells.byte_len(used.places[last]);
                last += 1;
            }
            let read: Vec<Cell<'_>> = used.places[first..last].iter().map(|&at| cells.get(at)).collect();
            let found = self.collect_findings(py, &read, used.findings.get(first..last).unwrap_or_default())?;
            let owners = used.owners.get(first..last).unwrap_or_default();
            rows.extend(py.detach(|| self.scrub_rows(&read, owners, &found)));
            py.check_signals()?;
            all_bytes += bytes;
            first = last;
        }
        Ok((rows, all_bytes))
    }
}
