//! Hashes of words and features, and hash maps with a fast hasher.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// The hash of an empty value.
pub(crate) const EMPTY_HASH: u64 = 0x51_7C_C1_B7_27_22_0A_95;

const FIRST_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
const SECOND_FACTOR: u64 = 0xD6E8_FEB8_6659_FD93;

/// Mixes three numbers into one hash.
#[inline]
pub(crate) const fn mix_three(one: u64, two: u64, three: u64) -> u64 {
    let all = (one ^ two.rotate_left(25)).wrapping_mul(FIRST_FACTOR);
    let all = (all ^ (all >> 32) ^ three.rotate_left(41)).wrapping_mul(SECOND_FACTOR);
    all ^ (all >> 29)
}

/// Returns the hash of less than eight bytes, given as a little-endian number padded with zeros.
#[inline]
pub(crate) const fn hash_short(bytes: u64, len: usize) -> u64 {
    mix_three(EMPTY_HASH ^ len as u64, bytes.swap_bytes() >> (u64::BITS as usize - 8 * len), 2)
}

/// Returns the hash of some bytes.
#[inline]
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    let (chunks, rest) = bytes.as_chunks::<8>();
    let all =
        chunks.iter().fold(EMPTY_HASH ^ bytes.len() as u64, |all, chunk| mix_three(all, u64::from_le_bytes(*chunk), 1));
    let rest = rest.iter().fold(0, |all, &byte| all << 8 | u64::from(byte));
    mix_three(all, rest, 2)
}

/// A map whose keys come from the package itself. Keys that come from notes would need a keyed hasher.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<UnkeyedHasher>>;
/// A set whose keys come from the package itself.
pub(crate) type QuickSet<K> = HashSet<K, BuildHasherDefault<UnkeyedHasher>>;

/// A fast hasher without a secret key.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UnkeyedHasher(u64);

impl Hasher for UnkeyedHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = mix_three(self.0, hash_bytes(bytes), 3);
    }

    // The terminator of a string.
    fn write_u8(&mut self, byte: u8) {
        self.0 ^= u64::from(byte);
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mix_three(self.0, number, 4);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number.cast_unsigned() as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_have_the_hash_of_their_bytes() {
        for word in ["a", "of", "rose", "nodular"] {
            let mut bytes = [0; 8];
            bytes[..word.len()].copy_from_slice(word.as_bytes());
            assert_eq!(hash_short(u64::from_le_bytes(bytes), word.len()), hash_bytes(word.as_bytes()), "{word}");
        }
    }
}
