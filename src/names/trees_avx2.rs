//! Asks trees of 32 rows at once, where the processor has AVX2: the leaf of each row is looked up by shuffles of bytes, not row by row.

#![allow(unsafe_code, reason = "whether the processor has the instructions is asked before")]

use std::arch::x86_64::{
    __m128i, __m256i, _mm256_add_epi32, _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_broadcastsi128_si256,
    _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cvtepi16_epi32, _mm256_extracti128_si256, _mm256_max_epu8,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi16,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
};

use bytemuck::cast;

use super::dense::MAX_COLUMNS;
use super::tree::{LANES, LEAVES, SplitLeaves, Tree};

/// The sums of the leaves of each row, if the processor has AVX2.
pub(super) fn sum_leaves_if_supported(
    columns: &[[u8; LANES]; MAX_COLUMNS],
    trees: &[Tree],
    leaves: &[SplitLeaves],
) -> Option<[i32; LANES]> {
    // SAFETY: the instructions are there.
    is_x86_feature_detected!("avx2").then(|| unsafe { sum_leaves(columns, trees, leaves) })
}

#[target_feature(enable = "avx2")]
fn sum_leaves(columns: &[[u8; LANES]; MAX_COLUMNS], trees: &[Tree], held: &[SplitLeaves]) -> [i32; LANES] {
    let mut sums = [_mm256_setzero_si256(); 4];
    for (tree, held) in trees.iter().zip(held) {
        let [one, other] = look_up_leaf_values(leaf_of_each_row(columns, tree), held);
        // The lower half of `one` has the first eight rows, of `other` the next; the upper halves have those from 16 on.
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

/// Which leaf each row comes to.
#[target_feature(enable = "avx2")]
#[inline]
fn leaf_of_each_row(columns: &[[u8; LANES]; MAX_COLUMNS], tree: &Tree) -> __m256i {
    let mut leaves = _mm256_setzero_si256();
    for (nth, &[column, most]) in tree.questions.iter().enumerate() {
        let values: __m256i = cast(columns[usize::from(column) % MAX_COLUMNS]);
        let most = _mm256_set1_epi8(most.cast_signed());
        let not_more = _mm256_cmpeq_epi8(_mm256_max_epu8(values, most), most);
        leaves = _mm256_or_si256(leaves, _mm256_andnot_si256(not_more, _mm256_set1_epi8(1 << nth)));
    }
    leaves
}

/// What the leaves hold, as 16 bits: of the rows 0 to 7 and 16 to 23, and of the others.
#[target_feature(enable = "avx2")]
#[inline]
fn look_up_leaf_values(leaves: __m256i, SplitLeaves([lower, upper]): &SplitLeaves) -> [__m256i; 2] {
    let (lower, upper) = (select_leaf_bytes(leaves, lower), select_leaf_bytes(leaves, upper));
    [_mm256_unpacklo_epi8(lower, upper), _mm256_unpackhi_epi8(lower, upper)]
}

/// For each row the one of 64 bytes that its leaf says.
#[target_feature(enable = "avx2")]
#[inline]
fn select_leaf_bytes(leaves: __m256i, held: &[u8; LEAVES]) -> __m256i {
    // The two highest bits of a leaf tell in which quarter it is, and are brought to where a blend looks.
    let (odd, second) = (_mm256_slli_epi16::<3>(leaves), _mm256_slli_epi16::<2>(leaves));
    let [a, b, c, d]: [__m128i; 4] = cast(*held);
    let quarter = |held| _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(held), leaves);
    let first_half = _mm256_blendv_epi8(quarter(a), quarter(b), odd);
    let second_half = _mm256_blendv_epi8(quarter(c), quarter(d), odd);
    _mm256_blendv_epi8(first_half, second_half, second)
}
