//! Weights of hashed features in buckets of eight, read in place.
//!
//! The lowest bits of a feature's hash select its bucket; the highest 16 bits identify it there.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use wide::{CmpEq as _, i16x8};

use crate::vocabulary::prefetch;

/// The number of features per bucket.
pub(crate) const SLOTS_PER_BUCKET: usize = 8;

/// Eight features: 16 bits of the hash and the weights of each. Packed, so that a table can be read from any address.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, packed)]
pub(crate) struct Bucket<W> {
    fingerprints: [u16; SLOTS_PER_BUCKET],
    pub(crate) weights: [W; SLOTS_PER_BUCKET],
}

impl<W: Pod> Bucket<W> {
    /// Returns the slot of a feature, and whether it is there. Branchless, because half of the features are in no
    /// bucket.
    #[inline]
    pub(crate) fn find_slot(&self, hash: u64) -> (usize, bool) {
        let marks = i16x8::from(bytemuck::cast::<_, [i16; SLOTS_PER_BUCKET]>(self.fingerprints));
        let same = marks.cmp_eq(i16x8::splat(slot_fingerprint(hash).cast_signed())).move_mask().cast_unsigned();
        // The extra bit above the slots avoids a branch on zero in `trailing_zeros`.
        ((same | 1 << SLOTS_PER_BUCKET).trailing_zeros() as usize % SLOTS_PER_BUCKET, same != 0)
    }

    fn set_slot(&mut self, slot: usize, hash: u64, weights: W) {
        self.fingerprints[slot] = slot_fingerprint(hash);
        self.weights[slot] = weights;
    }

    /// Returns the first empty slot.
    fn first_free_slot(&self) -> Option<usize> {
        let marks = self.fingerprints;
        marks.iter().position(|&other| other == 0)
    }
}

/// The buckets of a model, embedded or read from a file: a power of two.
#[derive(Clone)]
pub(crate) enum WeightTable<W: Pod> {
    Static(&'static [Bucket<W>]),
    Read(Arc<[Bucket<W>]>),
}

impl<W: Pod> WeightTable<W> {
    /// Uses the bytes of a table without a copy; `None` unless they are whole buckets and a power of two of them.
    pub(crate) fn from_static(bytes: &'static [u8]) -> Option<Self> {
        let buckets: &[Bucket<W>] = bytemuck::try_cast_slice(bytes).ok()?;
        buckets.len().is_power_of_two().then_some(Self::Static(buckets))
    }

    /// Copies the bytes of a table; `None` as for [`from_static`](Self::from_static).
    pub(crate) fn copy_from_bytes(bytes: &[u8]) -> Option<Self> {
        let buckets: &[Bucket<W>] = bytemuck::try_cast_slice(bytes).ok()?;
        buckets.len().is_power_of_two().then(|| Self::Read(buckets.into()))
    }

    /// Puts features, the most important first, into at most `1 << most` buckets. A feature whose bucket is full is
    /// dropped.
    pub(crate) fn from_ranked_features(features: impl ExactSizeIterator<Item = (u64, W)>, most: u32) -> Self {
        let wanted = (features.len() * 5 / 4 / SLOTS_PER_BUCKET).max(1).next_power_of_two();
        let mut buckets = vec![Bucket::<W>::zeroed(); wanted.min(1 << most)];
        let places = buckets.len() - 1;
        for (hash, weights) in features {
            let bucket = &mut buckets[hash as usize & places];
            if let (false, Some(slot)) = (bucket.find_slot(hash).1, bucket.first_free_slot()) {
                bucket.set_slot(slot, hash, weights);
            }
        }
        Self::Read(buckets.into())
    }

    /// Returns the table with changed weights for some features. In a full bucket, the feature with the smallest weight
    /// is replaced if the new one is larger.
    pub(crate) fn with_changed_weights(&self, features: &[(u64, W)], size: impl Fn(&W) -> u8) -> Self {
        let mut buckets = self.buckets().to_vec();
        let places = buckets.len().wrapping_sub(1);
        for &(hash, weights) in features {
            let Some(bucket) = buckets.get_mut(hash as usize & places) else { break };
            let (slot, known) = bucket.find_slot(hash);
            let sizes = { bucket.weights }.map(|weights| size(&weights));
            let least =
                || (0..SLOTS_PER_BUCKET).min_by_key(|&slot| sizes[slot]).filter(|&slot| sizes[slot] < size(&weights));
            if let Some(slot) = known.then_some(slot).or_else(|| bucket.first_free_slot()).or_else(least) {
                bucket.set_slot(slot, hash, weights);
            }
        }
        Self::Read(buckets.into())
    }

    #[inline]
    pub(crate) fn buckets(&self) -> &[Bucket<W>] {
        match self {
            Self::Static(buckets) => buckets,
            Self::Read(buckets) => buckets,
        }
    }

    /// Returns the table as bytes.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self.buckets())
    }

    /// Returns the bucket of a feature.
    #[inline]
    pub(crate) fn bucket_of_hash(&self, hash: u64) -> Option<&Bucket<W>> {
        let buckets = self.buckets();
        buckets.get(hash as usize & buckets.len().wrapping_sub(1))
    }

    /// Prefetches the bucket of a feature.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        let buckets = self.buckets();
        prefetch(buckets, hash as usize & buckets.len().wrapping_sub(1));
    }
}

/// Returns the bits of a hash that identify a feature within its bucket; never 0, which marks an empty slot.
#[inline]
const fn slot_fingerprint(hash: u64) -> u16 {
    let mark = (hash >> 48) as u16;
    if mark == 0 { 1 } else { mark }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the hash of the nth feature; all are in one bucket.
    fn hash(nth: u64) -> u64 {
        (nth + 1) << 48
    }

    fn weights(table: &WeightTable<[i8; 4]>, hash: u64) -> Option<[i8; 4]> {
        let bucket = table.bucket_of_hash(hash)?;
        let (slot, found) = bucket.find_slot(hash);
        found.then(|| bucket.weights[slot])
    }

    #[test]
    fn a_full_bucket_keeps_the_most_important() {
        let features = (0..9).map(|nth| (hash(nth), [9 - nth as i8; 4]));
        let table = WeightTable::from_ranked_features(features.collect::<Vec<_>>().into_iter(), 0);
        assert_eq!(weights(&table, hash(0)), Some([9; 4]));
        assert_eq!(weights(&table, hash(7)), Some([2; 4]));
        assert_eq!(weights(&table, hash(8)), None);
        let size = |weights: &[i8; 4]| weights[0].unsigned_abs();
        let changed = table.with_changed_weights(&[(hash(8), [3; 4]), (hash(9), [1; 4]), (hash(0), [-1; 4])], size);
        assert_eq!(weights(&changed, hash(7)), None, "the least made room");
        assert_eq!(weights(&changed, hash(8)), Some([3; 4]));
        assert_eq!(weights(&changed, hash(9)), None, "less than any that is there");
        assert_eq!(weights(&changed, hash(0)), Some([-1; 4]));
        let read = WeightTable::<[i8; 4]>::copy_from_bytes(changed.as_bytes()).expect("one bucket");
        assert_eq!(read.as_bytes(), changed.as_bytes());
        assert!(WeightTable::<[i8; 4]>::copy_from_bytes(&changed.as_bytes()[1..]).is_none());
    }
}
