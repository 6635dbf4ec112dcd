//! Units of measure: their spellings and conversions.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::spelling::Spellings;
use crate::note::Note;
use crate::text::bundled_list;
use crate::text::lists::numbers;
use crate::text::normalize::Normalized;

/// A unit, as an index into the bundled list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub struct Unit(u8);

#[derive(Debug)]
struct Known {
    name: &'static str,
    dimension: &'static str,
    factor: f64,
    offset: f64,
}

#[derive(Debug)]
struct List {
    units: Vec<Known>,
    spellings: Spellings<Unit>,
}

static LIST: LazyLock<List> = LazyLock::new(|| {
    let rows = bundled_list!("units.txt").rows('|', |[name, dimension, conversion, spellings]| {
        let (factor, offset) = match numbers(conversion)?[..] {
            [factor] => (factor, 0.0),
            [factor, offset] => (factor, offset),
            _ => return Err("a unit has a factor and may have an offset".to_owned()),
        };
        Ok((Known { name, dimension, factor, offset }, spellings))
    });
    let mut list = List { units: Vec::new(), spellings: Spellings::default() };
    for (unit, (known, spellings)) in (0..).map(Unit).zip(rows) {
        for spelling in spellings.split_whitespace() {
            list.spellings.add(spelling, unit);
            list.spellings.add(Normalized::new(spelling).folded(), unit);
        }
        list.spellings.add(&known.name.to_lowercase(), unit);
        list.units.push(known);
    }
    list
});

impl From<Unit> for &'static str {
    fn from(unit: Unit) -> Self {
        unit.name()
    }
}

impl TryFrom<String> for Unit {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        Self::of(&name).ok_or("no unit of this version")
    }
}

impl Unit {
    fn entry(self) -> &'static Known {
        &LIST.units[usize::from(self.0)]
    }

    /// Returns the unit with a spelling; blanks and case are ignored.
    ///
    /// ```
    /// use notesieve::values::Unit;
    ///
    /// let unit = Unit::of("MG / dl").unwrap();
    /// assert_eq!(unit.name(), "mg/dL");
    /// assert_eq!(Unit::of("g/L").unwrap().convert(1.5, unit), Some(150.0));
    /// assert_eq!(Unit::of("mmol/L").unwrap().convert(1.5, unit), None);
    /// ```
    pub fn of(written: &str) -> Option<Self> {
        let spelling: String = written.split_whitespace().collect::<String>().to_lowercase().replace(['µ', 'μ'], "u");
        LIST.spellings.get(&spelling)
    }

    /// Returns the name as results show it.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns whether it counts dose forms: tablets, puffs, drops.
    pub(super) fn is_dose_form(self) -> bool {
        self.entry().dimension == "forms"
    }

    /// Returns whether amounts of drugs are given in it.
    pub(super) fn is_dose(self) -> bool {
        matches!(self.entry().dimension, "mass" | "volume" | "charge" | "substance" | "activity" | "forms" | "share")
            || matches!(self.name(), "mL/h" | "L/min" | "mg/L")
    }

    /// Returns whether single doses are given in it, unlike units of body weight.
    pub(super) fn is_given(self) -> bool {
        self.is_dose() && !matches!(self.name(), "kg" | "lb" | "oz")
    }

    /// Returns whether it is a unit of concentration or a ratio, which measured values have and doses do not.
    pub(super) fn is_concentration(self) -> bool {
        let dimension = self.entry().dimension;
        dimension.ends_with("/volume") || dimension.ends_with("ratio")
    }

    /// Returns whether it counts cells per volume.
    pub(super) fn is_cell_count(self) -> bool {
        self.entry().dimension == "count/volume"
    }

    /// Returns whether it is a quotient.
    pub(super) fn is_quotient(self) -> bool {
        self.entry().dimension.contains('/') || self.name() == "%"
    }

    /// Returns whether values convert from one unit to the other.
    pub(super) fn is_convertible(self, other: Self) -> bool {
        self.entry().dimension == other.entry().dimension
    }

    /// Converts a value to another unit of the same dimension; `None` if the dimensions differ.
    pub fn convert(self, value: f64, to: Self) -> Option<f64> {
        let (from, to) = (self.entry(), to.entry());
        let same = from.factor.total_cmp(&to.factor).is_eq();
        match from.dimension == to.dimension {
            true if same => Some(value),
            true => Some((value * from.factor + from.offset - to.offset) / to.factor),
            false => None,
        }
    }

    /// Reads the unit that begins at a token, with its end (exclusive).
    pub(super) fn read(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool) -> Option<(Self, usize)> {
        LIST.spellings.longest_spelling(note, at, kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_convert_within_their_dimension() {
        let convert = |value, from, to| Unit::of(from).unwrap().convert(value, Unit::of(to).unwrap());
        let close = |found: Option<f64>, wanted: f64| assert!((found.unwrap() - wanted).abs() < 1e-9, "{found:?}");
        close(convert(98.6, "F", "C"), 37.0);
        close(convert(37.0, "C", "F"), 98.6);
        close(convert(0.5, "g", "mg"), 500.0);
        close(convert(5.0, "kPa", "mmHg"), 37.503_084_15);
        assert_eq!(convert(1.0, "mEq/L", "mg/dL"), None);
    }

    #[test]
    fn no_spelling_has_two_units() {
        let mut seen = std::collections::HashMap::new();
        for [name, _, _, spellings] in bundled_list!("units.txt").rows('|', Ok) {
            for spelling in spellings.split_whitespace() {
                assert_eq!(seen.insert(spelling, name), None, "{spelling}");
            }
        }
    }
}
