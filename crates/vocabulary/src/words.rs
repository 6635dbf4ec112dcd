//! The word table: maps the bytes of a folded word to its id with one hash and usually one probe.
//!
//! A slot holds a word's id and eight bits of its hash. A word record holds up to 15 bytes of the word itself, so most
//! comparisons follow no offset; longer words are compared in their own section. The most frequent words have the
//! lowest ids, so they share cache lines.

use super::format::WordRecord;
use super::map::prefetch;
use notesieve_text::token::{NO_BYTE, Token, token_key};

/// The length byte of a key that marks a long word.
const LONG_WORD_TAG: u64 = 0xFF;
/// The length in bytes of the longest word that fits into its record.
pub const MAX_INLINE_LENGTH: usize = 15;
/// An empty slot.
pub const EMPTY: u32 = u32::MAX;
/// The maximum number of words: an id has 24 bits, and the other eight bits of a slot hold a part of the hash.
pub const MAX_WORDS: usize = 0x00FF_FFFF;

/// The index of a word in the vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct WordId(pub u32);

impl WordId {
    /// A word that is not in the vocabulary.
    pub const UNKNOWN: Self = Self(u32::MAX);
    /// A token that terms skip: hyphen, apostrophe, possessive.
    pub const SKIPPED: Self = Self(u32::MAX - 1);

    /// Returns whether the vocabulary contains the word.
    #[inline]
    pub const fn is_known(self) -> bool {
        self.0 < Self::SKIPPED.0
    }
}

/// Frequencies of a word, as 1 + log2 of each count; 0 where it was not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrequencyRanks {
    /// The rank as a surname in the census.
    pub surname: u8,
    /// The rank as a first name.
    pub first_name: u8,
    /// The rank as a word of ordinary or medical text.
    pub frequency: u8,
}

impl FrequencyRanks {
    /// Returns the rank of a count. A word on a list without counts has rank 1.
    pub const fn rank_of_count(count: u64) -> u8 {
        match count.checked_ilog2() {
            None => 1,
            Some(log) => log as u8 + 1,
        }
    }
}

/// Use of a word in general English, packed into one number. From the lowest bit: the Brown cluster of the word
/// in lower case and of the capitalised word (0 for none), ten bits each; the log ratio of capitalised to lower
/// case, offset by 7, four bits; the frequency, four bits; the log ratio of all capitals, offset by 4, three bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage(pub u32);

impl Usage {
    /// Returns the cluster of the word in lower case; 0 if it has none.
    #[inline]
    pub const fn lowercase_cluster(self) -> u16 {
        (self.0 & 1023) as u16
    }

    /// Returns the cluster of the capitalised word; 0 if it has none.
    #[inline]
    pub const fn capitalised_cluster(self) -> u16 {
        (self.0 >> 10 & 1023) as u16
    }

    /// Returns the upper bits: capitalisation, frequency and all capitals.
    #[inline]
    pub const fn case_and_frequency(self) -> u16 {
        (self.0 >> 20) as u16
    }
}

/// A lookup key: the key as stored in records, and its hash.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    /// The bytes and the length of a short word; the hash of a long one.
    pub key: [u64; 2],
    /// The hash of the word.
    pub hash: u64,
}

/// Hashes 16 bytes to 8 with two multiplications.
#[inline]
const fn mix_bytes(low: u64, high: u64) -> u64 {
    let product = (low ^ 0x9E37_79B9_7F4A_7C15) as u128 * (high ^ 0xD1B5_4A32_D192_ED03) as u128;
    let folded = product as u64 ^ (product >> 64) as u64;
    folded.wrapping_mul(0xA076_1D64_78BD_642F) ^ (folded >> 29)
}

/// Per length: the masks for the first and second eight bytes of a word, and the bits that a token key sets for words
/// over eight bytes. A table, because a shift of 128 bits by a variable takes three times as many instructions.
const LENGTH_MASKS: [[u64; 4]; MAX_INLINE_LENGTH + 1] = {
    let mut masks = [[0; 4]; MAX_INLINE_LENGTH + 1];
    let mut len = 0;
    while len <= MAX_INLINE_LENGTH {
        let mask = (1_u128 << (8 * len)) - 1;
        masks[len] = [mask as u64, (mask >> 64) as u64, if len > 8 { NO_BYTE } else { 0 }, 0];
        len += 1;
    }
    masks
};

/// Returns at most 16 bytes, padded with zeros, as a number.
#[inline]
fn zero_padded(bytes: &[u8]) -> u128 {
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    u128::from_le_bytes(all)
}

impl Probe {
    /// Returns the probe of `text[start..end]`.
    #[inline]
    pub fn at(text: &[u8], start: usize, end: usize) -> Self {
        let probe = Self::short(text, start, end).map(|(probe, _)| probe);
        probe.unwrap_or_else(|| Self::of(text.get(start..end).unwrap_or_default()))
    }

    /// Returns the probe of `text[start..end]` and the key of its token (wrong for a row of asterisks), or `None` if
    /// the word is long or near the end of the text. Reads 16 bytes at once, past the word: one load instead of a loop.
    #[inline]
    fn short(text: &[u8], start: usize, end: usize) -> Option<(Self, u64)> {
        let len = end.wrapping_sub(start);
        let [low, high, longer, _] = LENGTH_MASKS.get(len)?;
        let window = text.get(start..start.wrapping_add(16))?.first_chunk::<16>()?;
        let bits = u128::from_le_bytes(*window);
        let probe = Self::inline(bits as u64 & low, (bits >> 64) as u64 & high, len);
        Some((probe, probe.key[0] | longer))
    }

    /// Returns the probe of a word.
    #[inline(never)]
    pub fn of(word: &[u8]) -> Self {
        if word.len() <= MAX_INLINE_LENGTH {
            let bits = zero_padded(word);
            return Self::inline(bits as u64, (bits >> 64) as u64, word.len());
        }
        let chunks = word.chunks(16).map(zero_padded);
        let hash = chunks.fold(word.len() as u64, |hash, bits| mix_bytes(bits as u64 ^ hash, (bits >> 64) as u64));
        // No record has this key, so the word itself must be compared.
        Self { key: [hash, u64::MAX], hash }
    }

    #[inline]
    const fn inline(low: u64, high: u64, len: usize) -> Self {
        let key = [low, high | (len as u64) << 56];
        Self { key, hash: mix_bytes(key[0], key[1]) }
    }

    /// Returns whether the word is stored outside its record.
    #[inline]
    pub const fn is_long(&self) -> bool {
        self.key[1] >> 56 == LONG_WORD_TAG
    }

    /// Returns the key of a long word of `len` bytes stored at `offset`.
    pub fn long_key(&self, offset: u32, len: u32) -> [u64; 2] {
        [self.key[0], LONG_WORD_TAG << 56 | u64::from(len & 0x00FF_FFFF) << 32 | u64::from(offset)]
    }
}

/// Returns the first slot to probe for a hash, and the bits of the hash that the slot stores.
#[inline]
pub const fn slot_and_tag(hash: u64, slots: usize) -> (usize, u32) {
    ((hash >> 20) as usize & slots.wrapping_sub(1), tag_of_hash(hash))
}

/// Returns the bits of a hash that its slot stores.
#[inline]
const fn tag_of_hash(hash: u64) -> u32 {
    hash as u32 & 0xFF
}

/// The word table of an open vocabulary.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    pub slots: &'a [u32],
    pub records: &'a [WordRecord],
    pub long: &'a [u8],
}

impl<'a> Words<'a> {
    /// Computes the keys, probes and hashes of tokens, and prefetches the first slot of each.
    #[inline(never)]
    pub fn prefetch_lookup(
        &self,
        folded: &str,
        tokens: &[Token],
        keys: &mut [u64],
        probes: &mut [[u64; 2]],
        hashes: &mut [u64],
    ) {
        const ASTERISKS: u16 = u16::from_le_bytes(*b"**");
        let mut items = tokens.iter().zip(keys).zip(probes).zip(hashes);
        // The loop over short words makes no call, so its values stay in registers.
        while let Some((((token, key), probe), hash)) = items.find_map(|(((token, key), probe), hash)| {
            let (start, end) = (token.start as usize, token.end as usize);
            let Some((found, its_key)) =
                Probe::short(folded.as_bytes(), start, end).filter(|&(_, key)| key as u16 != ASTERISKS)
            else {
                return Some((((token, key), probe), hash));
            };
            prefetch(self.slots, slot_and_tag(found.hash, self.slots.len()).0);
            (*key, *probe, *hash) = (its_key, found.key, found.hash);
            None
        }) {
            let found = Probe::of(bytes_of_token(folded, token));
            prefetch(self.slots, slot_and_tag(found.hash, self.slots.len()).0);
            (*key, *probe, *hash) = (token_key(folded, *token), found.key, found.hash);
        }
    }

    /// Sets the most likely word for each hash, and prefetches its record: the word of the first slot if the tag
    /// matches, otherwise that of the second. The caller must compare the word itself.
    #[inline(never)]
    pub fn candidates(&self, hashes: &[u64], ids: &mut [WordId]) {
        for (&hash, id) in hashes.iter().zip(ids) {
            let (at, tag) = slot_and_tag(hash, self.slots.len());
            // The choice is unpredictable, so it is made without a branch.
            let slot = |at: usize| self.slots.get(at).copied().unwrap_or_default();
            let slot = slot((at + usize::from(slot(at) & 0xFF != tag)) & self.slots.len().wrapping_sub(1));
            prefetch(self.records, slot as usize >> 8);
            *id = WordId(slot >> 8);
        }
    }

    /// Finds the word of a probe after `candidate` turned out to be wrong, or the word to be long.
    #[inline]
    pub fn find_other_than(
        &self,
        candidate: WordId,
        probe: &Probe,
        text: &[u8],
        start: u32,
        end: u32,
    ) -> Option<(WordId, &'a WordRecord)> {
        // The candidate was an empty slot, which ends the search.
        if candidate == WordId(EMPTY >> 8) {
            return None;
        }
        self.find_probe(probe, text.get(start as usize..end as usize)?)
    }

    /// Returns the id and the record of a word.
    pub fn find(&self, word: &[u8]) -> Option<(WordId, &'a WordRecord)> {
        self.find_probe(&Probe::of(word), word)
    }

    fn find_probe(&self, probe: &Probe, word: &[u8]) -> Option<(WordId, &'a WordRecord)> {
        let (mut at, tag) = slot_and_tag(probe.hash, self.slots.len());
        // Bounded, because a damaged table may have no empty slot.
        for _ in 0..self.slots.len() {
            let Some(&slot) = self.slots.get(at) else { break };
            if slot == EMPTY {
                break;
            }
            if slot & 0xFF == tag
                && let Some(record) = self.records.get(slot as usize >> 8)
                && self.is_word_of(record, probe, word)
            {
                return Some((WordId(slot >> 8), record));
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        None
    }

    #[inline]
    fn is_word_of(&self, record: &WordRecord, probe: &Probe, word: &[u8]) -> bool {
        if !probe.is_long() {
            return record.key == probe.key;
        }
        record.key[0] == probe.key[0] && self.bytes(record, &mut [0; 16]) == word
    }

    /// Returns the bytes of a record's word. `inline` is a buffer for words stored in the record.
    pub fn bytes<'b>(&'b self, record: &WordRecord, inline: &'b mut [u8; 16]) -> &'b [u8] {
        let high = record.key[1];
        if high >> 56 == LONG_WORD_TAG {
            let offset = high as u32 as usize;
            let len = (high >> 32) as usize & 0x00FF_FFFF;
            return self.long.get(offset..offset + len).unwrap_or_default();
        }
        *inline = (u128::from(record.key[0]) | u128::from(high) << 64).to_le_bytes();
        &inline[..(high >> 56) as usize % 16]
    }
}

/// Returns the folded bytes of a token.
#[inline]
pub fn bytes_of_token<'a>(folded: &'a str, token: &Token) -> &'a [u8] {
    folded.as_bytes().get(token.span().range()).unwrap_or_default()
}

/// Lays out the slots for words, given their hashes in id order.
pub fn lay_out_slots(hashes: &[u64]) -> Vec<u32> {
    let len = (hashes.len() * 2).next_power_of_two().max(16);
    let mut slots = vec![EMPTY; len];
    for (id, &hash) in hashes.iter().enumerate() {
        let (mut at, tag) = slot_and_tag(hash, len);
        while slots[at] != EMPTY {
            at = (at + 1) & (len - 1);
        }
        slots[at] = (id as u32) << 8 | tag;
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_in_a_text_has_the_key_of_the_word_alone() {
        let text = "a bc subarachnoid hyperparathyroidism pseudopseudohypoparathyroidism x".as_bytes();
        let mut start = 0;
        for word in text.split(|&byte| byte == b' ') {
            let inside = Probe::at(text, start, start + word.len());
            let alone = Probe::of(word);
            assert_eq!((inside.key, inside.hash), (alone.key, alone.hash));
            start += word.len() + 1;
        }
    }

    #[test]
    fn ranks_are_logarithms() {
        assert_eq!([0, 1, 2, 3, 4, 1 << 20].map(FrequencyRanks::rank_of_count), [1, 1, 2, 2, 3, 21]);
    }
}
