//! Where features go.

use super::features::Template;

/// Takes features.
pub(super) trait Sink {
    /// Takes a feature: what kind it is, and its hash.
    fn add(&mut self, template: Template, hash: u64);

    /// How many features it holds.
    fn count(&self) -> usize;
}

impl Sink for Vec<u64> {
    #[inline]
    fn add(&mut self, _: Template, hash: u64) {
        self.push(hash);
    }

    #[inline]
    fn count(&self) -> usize {
        self.len()
    }
}

/// How many features of several tokens a token has at most: some seventy, and one or two for each list of five words.
const MOST: usize = 512;

/// The features of one token; a buffer that is used again for the next.
#[derive(Clone, Debug)]
pub(super) struct Hashes {
    all: [u64; MOST],
    len: usize,
}

impl Default for Hashes {
    fn default() -> Self {
        Self { all: [0; MOST], len: 0 }
    }
}

impl Hashes {
    /// Forgets all features.
    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }

    /// The features.
    pub(super) fn as_slice(&self) -> &[u64] {
        &self.all[..self.len.min(MOST)]
    }
}

impl Sink for Hashes {
    #[inline]
    fn add(&mut self, _: Template, hash: u64) {
        debug_assert!(self.len < MOST, "a token has too many features");
        self.all[self.len % MOST] = hash;
        self.len += 1;
    }

    #[inline]
    fn count(&self) -> usize {
        self.len
    }
}
