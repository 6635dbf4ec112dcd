//! Time is proportional to the length of a text, even if it repeats pieces at which rules scan forward.

#![cfg(target_os = "linux")]

use notesieve::{Model, Policy, Scrubber, Vocabulary};

/// Repeated pieces that took quadratic time once, or similar ones.
const PIECES: &[&str] =
    &["six-one-", "six, one, ", "R and ", "1 R 1 o ", "R---", "R - ", "R<!--", "R/*", "R{", "R{}", "&amp;", "=3D"];

/// Returns the processor time of this thread in nanoseconds. Unlike wall-clock time, it does not include other
/// programs.
fn processor_time() -> u64 {
    // The kernel updates the time of a thread when the thread yields.
    std::thread::yield_now();
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the times of this thread");
    status.split(' ').next().and_then(|time| time.parse().ok()).expect("a number")
}

/// Returns the processor time of one scrub.
fn processor_work(scrubber: &Scrubber, text: &str) -> u64 {
    let begin = processor_time();
    scrubber.scrub(text).expect("a scrub");
    processor_time() - begin
}

#[test]
fn eight_times_the_text_takes_no_more_than_sixteen_times_the_work() {
    const BYTES: usize = 16 << 10;
    let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the default vocabulary");
    let model = Model::from_static(notesieve_models::default_bytes()).expect("the built-in model");
    let scrubber = Scrubber::new(vocabulary, Policy::safe()).with_model(model);
    for piece in PIECES {
        let one = piece.repeat(BYTES / piece.len());
        let eight = piece.repeat(8 * BYTES / piece.len());
        // A single disturbed measurement proves nothing; quadratic work exceeds the limit every time.
        let ratios = (0..5).map(|_| processor_work(&scrubber, &eight) / processor_work(&scrubber, &one).max(1));
        assert!(ratios.into_iter().any(|ratio| ratio < 16), "{piece:?} takes more than sixteen times the work");
    }
}
