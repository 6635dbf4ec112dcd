//! Transposes a matrix of 64 by 64 bits.

use bytemuck::cast;
use wide::{u8x16, u64x2};

/// The number of rows and of columns.
const GROUP: usize = 64;

/// Transposes rows into columns: bit `k` of row `n` becomes bit `n` of row `k`. First bytes are moved, 16 rows at a
/// time, then bits: Henry S. Warren, "Hacker's Delight", 7-3, with two rows per step.
#[inline(never)]
pub(crate) fn transpose(row: impl Fn(usize) -> u64, columns: &mut [u64; GROUP]) {
    // By quarter of the columns: the rows of the bytes that go there, each paired with the byte eight columns on.
    let pairs: [[[u64x2; 2]; 4]; 4] = std::array::from_fn(|pair| {
        let load = |eighth: usize| cast::<_, u8x16>([row(8 * eighth + 2 * pair), row(8 * eighth + 2 * pair + 1)]);
        // Each interleaving moves one bit of the index of the eighth from the register index to the byte index.
        let bytes = interleave(interleave(interleave(std::array::from_fn(load))));
        std::array::from_fn(|nth| {
            let (even, odd) = (cast(bytes[nth]), cast(bytes[nth + 4]));
            swap_off_diagonal::<1>(even, odd, 0x5555_5555_5555_5555).into()
        })
    });
    for (nth, columns) in columns.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let mut pairs: [u64x2; 8] = std::array::from_fn(|at| pairs[at / 2][nth][at % 2]);
        for at in [0, 1, 4, 5] {
            (pairs[at], pairs[at + 2]) = swap_off_diagonal::<2>(pairs[at], pairs[at + 2], 0x3333_3333_3333_3333);
        }
        for at in 0..4 {
            (pairs[at], pairs[at + 4]) = swap_off_diagonal::<4>(pairs[at], pairs[at + 4], 0x0F0F_0F0F_0F0F_0F0F);
        }
        for (at, pair) in pairs.into_iter().enumerate() {
            [columns[at], columns[at + 8]] = pair.to_array();
        }
    }
}

/// Interleaves the bytes of each of the first four registers with those of its partner four further on.
#[inline]
fn interleave(all: [u8x16; 8]) -> [u8x16; 8] {
    std::array::from_fn(|nth| {
        let (first, second) = (all[nth / 2], all[nth / 2 + 4]);
        if nth % 2 == 0 { u8x16::unpack_low(first, second) } else { u8x16::unpack_high(first, second) }
    })
}

/// Swaps the two off-diagonal quarters of each square of side 2 * `SIDE`, for two of its rows that are `SIDE` apart.
#[inline]
fn swap_off_diagonal<const SIDE: u32>(upper: u64x2, lower: u64x2, low: u64) -> (u64x2, u64x2) {
    let differ = (upper >> SIDE ^ lower) & u64x2::new([low; 2]);
    (upper ^ differ << SIDE, lower ^ differ)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_columns_and_rows_again() {
        let rows: [u64; GROUP] =
            std::array::from_fn(|row| (row as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(row as u32));
        let (mut columns, mut again) = ([0; GROUP], [0; GROUP]);
        transpose(|row| rows[row], &mut columns);
        for (row, bits) in rows.iter().enumerate() {
            for (column, also) in columns.iter().enumerate() {
                assert_eq!(bits >> column & 1, also >> row & 1, "{row} {column}");
            }
        }
        transpose(|row| columns[row], &mut again);
        assert_eq!(again, rows);
    }
}
