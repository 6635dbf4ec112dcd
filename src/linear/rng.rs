//! Deterministic random numbers, the same on every machine.

/// A pseudorandom number generator.
pub struct Rng(u64);

impl Rng {
    /// Creates a generator from a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns the next number, of 48 bits.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// Returns a number below `most`.
    pub const fn next_below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }

    /// Returns true with a probability of `share` per mille.
    pub const fn happens_per_mille(&mut self, share: u64) -> bool {
        self.next() % 1000 < share
    }

    /// Shuffles items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.next_below(last + 1));
        }
    }
}
