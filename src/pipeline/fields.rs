//! Scrubs the fields of a message, each by its role.

use super::{Buffers, FieldContext, Request, Scrubber};
use crate::calendar::Day;
use crate::detections::Detection;
use crate::document::Document;
use crate::error::Result;
use crate::field::{Field, Role, ScrubbedField};
use crate::finding::Category;
use crate::parallel;
use crate::patient::Patient;
use crate::render;

impl Scrubber {
    /// De-identifies the fields of one message of a patient, in order. `detections` has the detections in each field,
    /// by index; fields beyond its end have none.
    pub fn scrub_fields(
        &self,
        fields: &[Field],
        detections: &[Vec<Detection>],
        patient: Option<&Patient>,
        threads: usize,
    ) -> Result<Vec<ScrubbedField>> {
        let latest = latest_date(fields);
        let one = |buffers: &mut Buffers, (at, field): (usize, &Field)| {
            let of = FieldContext { role: field.role, latest };
            let several = !field.starts.is_empty();
            let detections = detections.get(at).map_or(&[][..], Vec::as_slice);
            let request = Request { text: &field.text, patient, detections, explain: several, field: Some(of) };
            let mut document = Document::default();
            let role = self.scrub_request(request, buffers, &mut document)?;
            // A code is copied from the source, as folding may change its text.
            if document.removed.is_empty() && !role.is_free_text() && !several {
                document.text.clone_from(&field.text);
            }
            Ok(field.split_scrubbed_document(&document))
        };
        parallel::map_with_buffers(fields, threads, one).into_iter().collect()
    }
}

/// Returns the latest date of a message.
fn latest_date(fields: &[Field]) -> Option<Day> {
    let is_date = |field: &&Field| matches!(field.role, Role::Identifier(kind) if kind.category() == Category::Date);
    fields.iter().filter(is_date).filter_map(|field| render::latest_day_written_in(&field.text)).max()
}
