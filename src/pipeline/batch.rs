//! Processes many notes in parallel.

use super::{Buffers, Scrubber};
use crate::detections::CallerKnowledge;
use crate::document::Document;
use crate::error::Result;
use crate::parallel;

impl Scrubber {
    /// Returns how many sections each heading of `drop_sections` has dropped so far.
    pub fn dropped_sections(&self) -> impl Iterator<Item = (&str, u64)> {
        self.headings.dropped_counts()
    }

    /// De-identifies many notes with `threads` threads. Results are in the order of the texts, the same for any number
    /// of threads; a note that cannot be scrubbed gives an error in its place.
    pub fn scrub_many<T: AsRef<str> + Sync>(
        &self,
        texts: &[T],
        explain: bool,
        threads: usize,
    ) -> Vec<Result<Document>> {
        self.scrub_map(texts, explain, threads, |_, document| document)
    }

    /// As [`scrub_many`](Self::scrub_many), and runs `finish` on each document on the same threads. A panic fails only
    /// its note, not the batch.
    pub fn scrub_map<T: AsRef<str> + Sync, R: Send>(
        &self,
        texts: &[T],
        explain: bool,
        threads: usize,
        finish: impl Fn(&T, Document) -> R + Sync,
    ) -> Vec<Result<R>> {
        self.scrub_many_with(texts, &[], explain, threads, finish)
    }

    /// As [`scrub_map`](Self::scrub_map), with the caller's knowledge of each note in `known`, by index; notes beyond
    /// its end have none.
    pub fn scrub_many_with<T: AsRef<str> + Sync, R: Send>(
        &self,
        texts: &[T],
        known: &[CallerKnowledge],
        explain: bool,
        threads: usize,
        finish: impl Fn(&T, Document) -> R + Sync,
    ) -> Vec<Result<R>> {
        parallel::map_with_buffers(texts, threads, |buffers: &mut Buffers, (at, text)| {
            let nothing = CallerKnowledge::default();
            let known = known.get(at).unwrap_or(&nothing);
            let mut document = Document::default();
            self.scrub_with_into(text.as_ref(), known, explain, buffers, &mut document)?;
            Ok(finish(text, document))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::policy::Policy;
    use crate::vocabulary::Vocabulary;
    use notesieve_vocabulary_build::Compiler;

    fn scrubber() -> Scrubber {
        let compiled = Compiler::new().finish().expect("an empty vocabulary compiles");
        Scrubber::new(Vocabulary::from_bytes(compiled.0).expect("opens"), Policy::default())
    }

    #[test]
    fn a_panic_costs_one_note() {
        let texts: Vec<String> = (0..100).map(|number| format!("note {number}")).collect();
        for threads in [1, 4] {
            let results = scrubber().scrub_map(&texts, false, threads, |text, document| {
                assert!(text != "note 37", "this one fails");
                document.text.len()
            });
            let failed: Vec<usize> = (0..100).filter(|&at| results[at].is_err()).collect();
            assert_eq!(failed, [37]);
            assert!(matches!(results[37], Err(Error::Internal)));
        }
    }
}
