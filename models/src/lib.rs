//! The built-in models of notesieve: what was learned from the marked notes in `corpus/train`, and from the marked passages in
//! `corpus/status`.

/// Aligns what it holds as models must be aligned to be read in place.
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

static DEFAULT: &Aligned<[u8]> = &Aligned(*include_bytes!("../default.model"));

/// The built-in model.
pub fn default_bytes() -> &'static [u8] {
    &DEFAULT.0
}

static ENTITIES: &[u8] = include_bytes!("../entities.model");

/// The built-in model that joins removed tokens to entities and tells their kinds.
pub fn entity_bytes() -> &'static [u8] {
    ENTITIES
}

static STATUS: &[u8] = include_bytes!("../status.model");

/// The built-in model of what notes say of their concepts.
pub fn status_bytes() -> &'static [u8] {
    STATUS
}
