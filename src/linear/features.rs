//! Hashed features: their templates, and their numbers during training.

use super::hash::{QuickMap, mix_three};

/// Declares an enum of feature templates with a method that returns a value for each.
macro_rules! templates {
    ($($(#[$outer:meta])* $vis:vis enum $enum:ident, fn $method:ident -> $type:ty {
        $($(#[$doc:meta])* $name:ident = $value:expr;)*
    })*) => { $(
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "a method says what each is")]
        $vis enum $enum { $($(#[$doc])* $name,)* }

        impl $enum {
            /// All templates, in order of their numbers.
            #[allow(dead_code, reason = "not all lists of kinds are walked")]
            $vis const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the value declared for this template.
            #[inline]
            $vis const fn $method(self) -> $type {
                match self { $(Self::$name => $value,)* }
            }
        }
    )* };
}
pub(crate) use templates;

/// Returns the hash of a feature: its template and two numbers.
#[inline]
pub(crate) const fn hash_feature(template: u8, one: u64, two: u64) -> u64 {
    mix_three(template as u64 + 1, one, two)
}

/// Features by number, in order of first occurrence.
#[derive(Debug, Default)]
pub(crate) struct FeatureNumbers {
    of: QuickMap<u64, u32>,
    hashes: Vec<u64>,
}

impl FeatureNumbers {
    /// Returns the hashes of the features, by number.
    pub(crate) fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Returns the number of a feature; a new feature gets the next number.
    pub(crate) fn number_of_feature(&mut self, hash: u64) -> u32 {
        *self.of.entry(hash).or_insert_with(|| {
            self.hashes.push(hash);
            self.hashes.len() as u32 - 1
        })
    }

    /// Drops features of fewer than `documents` documents; returns the new number of each old one, or `u32::MAX`. No
    /// feature can be added afterwards.
    pub(crate) fn drop_rare_features(&mut self, counts: &[u32], documents: u32) -> Vec<u32> {
        self.of = QuickMap::default();
        let mut kept = Vec::new();
        let numbers = counts.iter().zip(&self.hashes).map(|(&count, &hash)| {
            let stays = count >= documents;
            kept.extend(stays.then_some(hash));
            if stays { kept.len() as u32 - 1 } else { u32::MAX }
        });
        let numbers = numbers.collect();
        self.hashes = kept;
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::sgd::count_documents;

    #[test]
    fn features_of_few_documents_are_forgotten() {
        let mut numbers = FeatureNumbers::default();
        let rows: Vec<(u32, Vec<u32>)> = [(1, vec![70, 80]), (1, vec![70]), (2, vec![80, 90])]
            .map(|(document, row): (u32, Vec<u64>)| {
                (document, row.into_iter().map(|hash| numbers.number_of_feature(hash)).collect())
            })
            .into();
        let counts = count_documents(rows.iter().map(|(document, row)| (*document, &row[..])), 3);
        assert_eq!(counts, [1, 2, 1]);
        assert_eq!(numbers.drop_rare_features(&counts, 2), [u32::MAX, 0, u32::MAX]);
        assert_eq!(numbers.hashes(), [80]);
    }
}
