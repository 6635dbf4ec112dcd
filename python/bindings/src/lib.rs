//! Python binding of notesieve: a table of contents. It has no rule of its own.

mod batch;
mod enter;
mod errors;
mod evaluation;
mod note;
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
    use crate::evaluation::evaluation;
    #[pymodule_export]
    use crate::note::{ConceptMention, Decision, Finding, Removal, ScrubbedNote};
    #[pymodule_export]
    use crate::policy::Policy;
    #[pymodule_export]
    use crate::scrubber::Scrubber;
    #[pymodule_export]
    use crate::vocabulary::{Concept, Vocabulary};

    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name that Python gives it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
