//! Scores 32 rows at once on processors with AVX2: leaf values are looked up by byte shuffles, not row by row.

#![allow(unsafe_code, reason = "the caller checks that the processor has the instructions")]

use std::arch::x86_64::{
    __m128i, __m256i, _mm256_add_epi32, _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_broadcastsi128_si256,
    _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cvtepi16_epi32, _mm256_extracti128_si256, _mm256_max_epu8,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi16,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
};

use bytemuck::cast;

use super::dense::MAX_COLUMNS;
use super::tree::{LANES, LEAVES, SplitLeaves, Tree};

/// Returns the sum of the leaf values of each row, if the processor has AVX2.
pub(super) fn sum_leaves_if_supported(
    columns: &[[u8; LANES]; MAX_COLUMNS],
    trees: &[Tree],
    leaves: &[SplitLeaves],
) -> Option<[i32; LANES]> {
    // SAFETY: the processor has the instructions.
    is_x86_feature_detected!("avx2").then(|| unsafe { sum_leaves(columns, trees, leaves) })
}

#[target_feature(enable = "avx2")]
fn sum_leaves(columns: &[[u8; LANES]; MAX_COLUMNS], trees: &[Tree], values: &[SplitLeaves]) -> [i32; LANES] {
    let mut sums = [_mm256_setzero_si256(); 4];
    for (tree, values) in trees.iter().zip(values) {
        let [one, other] = look_up_leaf_values(leaf_of_each_row(columns, tree), values);
        // The lower half of `one` has the first eight rows, that of `other` the next; the upper halves, those from 16.
        let parts = [
            _mm256_castsi256_si128(one),
            _mm256_castsi256_si128(other),
            _mm256_extracti128_si256::<1>(one),
            _mm256_extracti128_si256::<1>(other),
        ];
        for (sum, part) in sums.iter_mut().zip(parts) {
            *sum = _mm256_add_epi32(*sum, _mm256_cvtepi16_epi32(part));
        }
    }
    cast(sums)
}

/// Returns the index of the leaf that each row reaches.
#[target_feature(enable = "avx2")]
#[inline]
fn leaf_of_each_row(columns: &[[u8; LANES]; MAX_COLUMNS], tree: &Tree) -> __m256i {
    let mut leaves = _mm256_setzero_si256();
    for (level, &[column, threshold]) in tree.splits.iter().enumerate() {
        let values: __m256i = cast(columns[usize::from(column) % MAX_COLUMNS]);
        let threshold = _mm256_set1_epi8(threshold.cast_signed());
        let not_above = _mm256_cmpeq_epi8(_mm256_max_epu8(values, threshold), threshold);
        leaves = _mm256_or_si256(leaves, _mm256_andnot_si256(not_above, _mm256_set1_epi8(1 << level)));
    }
    leaves
}

/// Looks up the 16-bit leaf values of rows 0 to 7 and 16 to 23, then of the other rows.
#[target_feature(enable = "avx2")]
#[inline]
fn look_up_leaf_values(leaves: __m256i, SplitLeaves([lower, upper]): &SplitLeaves) -> [__m256i; 2] {
    let (lower, upper) = (select_leaf_bytes(leaves, lower), select_leaf_bytes(leaves, upper));
    [_mm256_unpacklo_epi8(lower, upper), _mm256_unpackhi_epi8(lower, upper)]
}

/// Looks up, for each row, the byte at the index of its leaf.
#[target_feature(enable = "avx2")]
#[inline]
fn select_leaf_bytes(leaves: __m256i, bytes: &[u8; LEAVES]) -> __m256i {
    // The two highest bits of a leaf index select a quarter; a blend reads them from the top bit of each byte.
    let (odd, second) = (_mm256_slli_epi16::<3>(leaves), _mm256_slli_epi16::<2>(leaves));
    let [a, b, c, d]: [__m128i; 4] = cast(*bytes);
    let quarter = |bytes| _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bytes), leaves);
    let first_half = _mm256_blendv_epi8(quarter(a), quarter(b), odd);
    let second_half = _mm256_blendv_epi8(quarter(c), quarter(d), odd);
    _mm256_blendv_epi8(first_half, second_half, second)
}
