//! Texts that repeat what rules read on from: the time that they take is in proportion to their length.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use notesieve::document::Document;
use notesieve::pipeline::Buffers;
use notesieve::{Policy, Scrubber, Vocabulary};

static VOCABULARY: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the default vocabulary"));

/// Pieces that are repeated. Each was quadratic once, or reads on like one that was.
const PIECES: &[&str] =
    &["six-one-", "six, one, ", "R and ", "1 R 1 o ", "R---", "R - ", "R<!--", "R/*", "R{", "R{}", "&amp;", "=3D"];

/// The least time of three scrubs of a text.
fn time(scrubber: &Scrubber, buffers: &mut Buffers, text: &str) -> Duration {
    let mut document = Document::default();
    let mut once = || {
        let begin = Instant::now();
        scrubber.scrub_into(text, true, buffers, &mut document).expect("a scrub");
        begin.elapsed()
    };
    once().min(once()).min(once())
}

#[test]
fn eight_times_the_text_takes_no_more_than_sixteen_times_as_long() {
    const BYTES: usize = 8 << 10;
    let scrubber = Scrubber::new(VOCABULARY.clone(), Policy::safe());
    let mut buffers = Buffers::default();
    for piece in PIECES {
        let one = time(&scrubber, &mut buffers, &piece.repeat(BYTES / piece.len()));
        let eight = time(&scrubber, &mut buffers, &piece.repeat(8 * BYTES / piece.len()));
        assert!(eight < 16 * one + Duration::from_millis(5), "{piece:?}: {one:?}, then {eight:?}");
    }
}
