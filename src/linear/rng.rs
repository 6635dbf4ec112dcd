//! Deterministic random numbers, the same on every machine.

/// A generator of random numbers.
pub struct Rng(u64);

impl Rng {
    /// The generator that a seed begins.
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number, of 48 bits.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// A number below `most`.
    pub const fn next_below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }

    /// Whether something happens that happens so often in a thousand.
    pub const fn happens_per_mille(&mut self, share: u64) -> bool {
        self.next() % 1000 < share
    }

    /// Puts items into another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.next_below(last + 1));
        }
    }
}
