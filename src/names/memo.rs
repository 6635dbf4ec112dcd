//! Hash tables for memoised results, looked up by the hash of everything that they depend on.

use crate::vocabulary::prefetch;

/// The initial capacity, in items.
const INITIAL_SLOTS: usize = 1 << 10;

/// A slot of the hash table.
#[derive(Clone, Copy, Debug, Default)]
struct MemoSlot {
    key: u64,
    /// The number of the item plus one; zero if the slot is empty.
    item: u32,
}

/// Items by number, and their numbers by key. Equal 64-bit keys are assumed to come from equal items.
#[derive(Clone, Debug)]
pub(super) struct Memo<T> {
    pub(super) all: Vec<T>,
    /// A power of two of slots, probed linearly from the slot that the upper half of the key selects.
    slots: Vec<MemoSlot>,
}

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self { all: Vec::new(), slots: vec![MemoSlot::default(); 2 * INITIAL_SLOTS] }
    }
}

impl<T> Memo<T> {
    /// Removes all items.
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.slots.clear();
        self.slots.resize(2 * INITIAL_SLOTS, MemoSlot::default());
    }

    /// Prefetches the slot of a key.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.slots, (key >> 32) as usize & (self.slots.len() - 1));
    }

    /// Returns the number of the item with a key.
    #[inline]
    pub(super) fn number_of_key(&self, key: u64) -> Option<u32> {
        self.slots[self.slot_of(key)].item.checked_sub(1)
    }

    /// Inserts an item with a new key; returns its number.
    pub(super) fn insert(&mut self, key: u64, item: T) -> u32 {
        self.all.push(item);
        if 2 * self.all.len() > self.slots.len() {
            let more = vec![MemoSlot::default(); 2 * self.slots.len()];
            for old in std::mem::replace(&mut self.slots, more).into_iter().filter(|old| old.item != 0) {
                let place = self.slot_of(old.key);
                self.slots[place] = old;
            }
        }
        let place = self.slot_of(key);
        self.slots[place] = MemoSlot { key, item: self.all.len() as u32 };
        self.all.len() as u32 - 1
    }

    /// Returns the slot of a key: the one that holds it, or the free one for it.
    #[inline]
    fn slot_of(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = (key >> 32) as usize & mask;
        while self.slots[place].item != 0 && self.slots[place].key != key {
            place = (place + 1) & mask;
        }
        place
    }
}

/// Small values by key, stored in the slots themselves to save a memory access.
#[derive(Clone, Debug)]
pub(super) struct ValueMemo<T> {
    /// A power of two of slots, probed linearly from the slot that the upper half of the key selects; key 0 means
    /// empty.
    slots: Vec<(u64, T)>,
    count: usize,
}

impl<T: Copy + Default> Default for ValueMemo<T> {
    fn default() -> Self {
        Self { slots: vec![(0, T::default()); 2 * INITIAL_SLOTS], count: 0 }
    }
}

impl<T: Copy + Default> ValueMemo<T> {
    /// Returns the number of values.
    pub(super) const fn len(&self) -> usize {
        self.count
    }

    /// Removes all values.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Prefetches the slot of a key.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.slots, (key >> 32) as usize & (self.slots.len() - 1));
    }

    /// Returns the value of a key; computes and stores it on first use.
    #[inline]
    pub(super) fn get_or_insert_with(&mut self, key: u64, compute: impl FnOnce() -> T) -> T {
        let key = key.max(1);
        let place = self.slot_of(key);
        let (known, value) = self.slots[place];
        if known == key { value } else { self.insert(key, compute()) }
    }

    #[inline(never)]
    fn insert(&mut self, key: u64, value: T) -> T {
        self.count += 1;
        if 2 * self.count > self.slots.len() {
            let more = vec![(0, T::default()); 2 * self.slots.len()];
            for old in std::mem::replace(&mut self.slots, more).into_iter().filter(|old| old.0 != 0) {
                let place = self.slot_of(old.0);
                self.slots[place] = old;
            }
        }
        let place = self.slot_of(key);
        self.slots[place] = (key, value);
        value
    }

    #[inline]
    fn slot_of(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = (key >> 32) as usize & mask;
        while self.slots[place].0 != key && self.slots[place].0 != 0 {
            place = (place + 1) & mask;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::hash::mix_three;

    #[test]
    fn values_are_found_again() {
        let mut values = ValueMemo::default();
        for round in 0..2 {
            for nth in 0..5 * INITIAL_SLOTS as u64 {
                let value = values.get_or_insert_with(mix_three(nth, 1, 2), || if round == 0 { nth } else { u64::MAX });
                assert_eq!(value, nth);
            }
        }
        assert_eq!(values.len(), 5 * INITIAL_SLOTS);
        values.clear();
        assert_eq!(values.get_or_insert_with(7, || 8), 8);
    }

    #[test]
    fn items_are_found_again() {
        let mut memo = Memo::default();
        let key = |nth: u64| mix_three(nth, 1, 2);
        for nth in 0..5 * INITIAL_SLOTS as u64 {
            assert_eq!(memo.number_of_key(key(nth)), None);
            assert_eq!(memo.insert(key(nth), nth), nth as u32);
        }
        assert!((0..5 * INITIAL_SLOTS as u64).all(|nth| memo.number_of_key(key(nth)) == Some(nth as u32)));
        memo.clear();
        assert_eq!(memo.number_of_key(key(7)), None);
    }
}
