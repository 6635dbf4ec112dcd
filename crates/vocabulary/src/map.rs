//! The bytes of a compiled vocabulary: mapped from a file, owned, or part of the program.
//!
//! The only module of this crate with `unsafe` code: mapping a file is unsafe because another process can change it,
//! and a prefetch hint is unsafe because it takes an address.
#![allow(unsafe_code)]

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use notesieve_text::error::{Error, Result};

/// The alignment of sections, which allows reading records in place.
pub const ALIGNMENT: usize = 64;

/// An aligned block of owned bytes; a `Vec<u8>` guarantees no alignment.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Block([u8; ALIGNMENT]);

/// The storage of a vocabulary's bytes.
pub enum Bytes {
    /// A mapped file.
    Mapped(memmap2::Mmap),
    /// Owned memory: the blocks and the number of bytes in use.
    Owned(Vec<Block>, usize),
    /// Bytes embedded in the program.
    Static(&'static [u8]),
}

impl Bytes {
    /// Maps a file.
    pub fn open(path: &Path) -> Result<Self> {
        let failed = |source| Error::File { path: path.to_path_buf(), source };
        let file = File::open(path).map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        if about.is_dir() {
            return Err(failed(ErrorKind::IsADirectory.into()));
        }
        if about.len() == 0 {
            // Some platforms cannot map an empty file; the header check reports the problem.
            return Ok(Self::Owned(Vec::new(), 0));
        }
        // SAFETY: the map is read-only and lives as long as the `Mmap`. A process that alters the file in place can
        // change bytes under us; every access is bounds-checked and no byte is trusted to be valid UTF-8 or in range,
        // so that gives wrong look-ups but no undefined index. Files are replaced by renaming, never written in place.
        unsafe { memmap2::Mmap::map(&file) }.map(Self::Mapped).map_err(failed)
    }

    /// Copies bytes to aligned memory.
    pub fn copy_aligned(bytes: &[u8]) -> Self {
        let mut blocks = vec![Block([0; ALIGNMENT]); bytes.len().div_ceil(ALIGNMENT)];
        bytemuck::cast_slice_mut::<Block, u8>(&mut blocks)[..bytes.len()].copy_from_slice(bytes);
        Self::Owned(blocks, bytes.len())
    }

    /// Uses embedded bytes in place if they are aligned, otherwise copies them.
    pub fn of_static(bytes: &'static [u8]) -> Self {
        if bytes.as_ptr().addr().is_multiple_of(ALIGNMENT) { Self::Static(bytes) } else { Self::copy_aligned(bytes) }
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(blocks, len) => &bytemuck::cast_slice(blocks)[..*len],
            Self::Static(bytes) => bytes,
        }
    }
}

/// Prefetches the cache line of a record without blocking; ignored if `at` is out of range. A cache miss in a table of
/// a hundred megabytes costs as much as five hundred instructions, but a dozen concurrent misses cost no more than one.
#[inline]
pub fn prefetch<T>(records: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, which reads nothing and cannot fault, whatever the address is.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(records.as_ptr().wrapping_add(at).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (records, at);
}
