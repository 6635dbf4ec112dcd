//! Bytes from anywhere are a vocabulary or an error, never a panic, and never one that passes `verify` with a digest that
//! its content has not.
//!
//! A header that fits makes the fuzzer reach the sections: every input is tried as it is, and as a damaged copy of a small
//! vocabulary, where its first bytes say what is altered. The tests of damage run the same function.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

#[path = "../any_vocabulary.rs"]
mod any_vocabulary;

static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(any_vocabulary::compiled);

fuzz_target!(|bytes: &[u8]| any_vocabulary::read_any(&WHOLE, bytes));
