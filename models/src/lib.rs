//! The built-in model of notesieve: what was learned from the marked notes in `corpus/train`.

/// Aligns what it holds as models must be aligned to be read in place.
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

static DEFAULT: &Aligned<[u8]> = &Aligned(*include_bytes!("../default.model"));

/// The built-in model.
pub fn default_bytes() -> &'static [u8] {
    &DEFAULT.0
}
