//! Sixty-four answers in one number.

/// The places of the bits that are set, from the lowest on.
#[inline]
pub fn indices_of_bits(mut left: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (left != 0).then(|| left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        bit
    })
}
