//! The default vocabulary of notesieve, compiled from the lists beside this crate when it is built.

/// Aligns what it holds as compiled vocabularies must be aligned to be read in place.
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

static DEFAULT: &Aligned<[u8]> = &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/default.nsv")));

/// The compiled default vocabulary.
///
/// # Examples
///
/// ```
/// let vocabulary = notesieve_vocabulary::Vocabulary::from_static(notesieve_vocabularies::default_bytes())?;
/// assert!(!vocabulary.info().sources.is_empty());
/// # Ok::<(), notesieve_text::Error>(())
/// ```
pub fn default_bytes() -> &'static [u8] {
    &DEFAULT.0
}
