//! Iteration over the bits of a 64-bit mask.

/// A set of numbers below a limit, one bit each.
#[derive(Clone, Debug, Default)]
pub struct BitSet(Vec<u64>);

impl BitSet {
    /// An empty set with room for the numbers below a limit.
    pub fn with_limit(limit: usize) -> Self {
        Self(vec![0; limit.div_ceil(u64::BITS as usize)])
    }

    /// Adds a number that is below the limit.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Whether a number is in the set; `None` where it lies above the limit.
    #[inline]
    pub fn get(&self, number: usize) -> Option<bool> {
        self.0.get(number / 64).map(|block| block >> (number % 64) & 1 != 0)
    }

    /// Whether a number is in the set.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.get(number) == Some(true)
    }
}

/// Iterates over the indices of the set bits, lowest first.
#[inline]
pub fn indices_of_bits(mut left: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (left != 0).then(|| left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        bit
    })
}
