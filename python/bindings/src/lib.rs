//! Python bindings of notesieve. They only list and convert; all rules are in the core.

mod batch;
mod boundary;
mod columns;
mod detections;
mod errors;
mod evaluation;
mod field;
mod index;
mod key;
mod learning;
mod model;
mod note;
mod patient;
mod pickle;
mod policy;
mod scrubber;
mod vocabulary;

/// The compiled part of `notesieve`.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::batch::ScrubbedBatch;
    #[pymodule_export]
    use crate::columns::ColumnResult;
    #[pymodule_export]
    use crate::evaluation::run_evaluation_request;
    #[pymodule_export]
    use crate::index::{
        SegmentQuery, SegmentSearcher, SegmentWriter, Segments, convert_unit, index_words, short_form, unit_name,
    };
    #[pymodule_export]
    use crate::key::{Key, tag_surrogates};
    #[pymodule_export]
    use crate::learning::{Trainer, feature_kinds, features, threads};
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::note::{ConceptMention, Decision, Finding, Removal, ScrubbedNote};
    #[pymodule_export]
    use crate::patient::Patient;
    #[pymodule_export]
    use crate::policy::{Policy, listed_terms, rule_table, surrogate_syllables};
    #[pymodule_export]
    use crate::scrubber::Scrubber;
    #[pymodule_export]
    use crate::vocabulary::{Concept, Vocabulary, build_vocabulary};

    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name that Python gives it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Build the tables at import, while the interpreter's lock is held, so that no fork happens in between.
    #[pymodule_init]
    #[allow(clippy::unnecessary_wraps, reason = "the signature that pyo3 asks for")]
    fn init(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        notesieve::rules::build_tables();
        // A panic message can quote the text of a note; its location is enough to find the bug.
        std::panic::set_hook(Box::new(|panic| {
            if notesieve_index::is_catching_damage() {
                return;
            }
            let place = panic.location().map(ToString::to_string).unwrap_or_default();
            eprintln!("notesieve: a mistake in the program, at {place}");
        }));
        Ok(())
    }
}
