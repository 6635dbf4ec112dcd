//! Arbitrary bytes are a vocabulary or an error: they never cause a panic, and never pass `verify` with a digest that
//! does not match their content.
//!
//! To reach the sections despite the checks of the header, every input is tried as it is, and as a damaged copy of a
//! small vocabulary, where its bytes say what to alter. The tests of damaged files call the same function.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

#[path = "../any_vocabulary.rs"]
mod any_vocabulary;

static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(any_vocabulary::compiled);

fuzz_target!(|bytes: &[u8]| any_vocabulary::read_any(&WHOLE, bytes));
