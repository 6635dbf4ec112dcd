//! The values and units that fit the name of a measurement.

use super::units::Unit;

/// The values and units that fit a name.
#[derive(Clone, Debug, Default)]
pub(super) struct Expected {
    /// The unit of a value without one.
    unit: Option<Unit>,
    /// The unit of a value without one that is above (or below) a bound that no value in the first unit crosses.
    other: Option<(Unit, bool, f64)>,
    /// Other units of the name that do not convert to the first; if there are any, a value needs a unit.
    also: [Option<Unit>; 2],
    /// Whether two numbers with a slash are one value.
    pairs: bool,
    /// Its values have no unit.
    unitless: bool,
}

impl Expected {
    /// Accepts any value; `pairs` is whether two numbers with a slash are one.
    pub(super) fn any_value(pairs: bool) -> Self {
        Self { pairs, ..Self::default() }
    }

    /// Parses the column of the list.
    pub(super) fn parse(column: &str) -> Result<Self, String> {
        let unit = |name: &str| Unit::of(name).ok_or_else(|| format!("there is no unit {name:?}"));
        let mut expected = Self::default();
        let (own, also) = column.split_once("also").unwrap_or((column, ""));
        for part in own.split_whitespace() {
            match part.split_once(['<', '>']) {
                Some((name, bound)) => {
                    let bound = bound.parse().map_err(|_| format!("{bound:?} is no number"))?;
                    expected.other = Some((unit(name)?, part.contains('>'), bound));
                }
                None if part == "pair" => expected.pairs = true,
                None if expected.unit.is_some() => return Err(format!("{part:?} is a second unit")),
                None => expected.unit = Some(unit(part)?),
            }
        }
        expected.unitless = expected.pairs && expected.unit.is_none();
        for (place, name) in expected.also.iter_mut().zip(also.split_whitespace()) {
            *place = Some(unit(name)?);
        }
        Ok(expected)
    }

    /// Whether the list says which unit values have, or that they have none.
    pub(super) const fn says_unit(&self) -> bool {
        self.unit.is_some() || self.unitless
    }

    /// Returns whether a number without a unit is not a value.
    pub(super) fn needs_unit(&self) -> bool {
        self.also.iter().any(Option::is_some)
    }

    /// Returns whether two numbers with a slash are one value.
    pub(super) const fn is_pair(&self) -> bool {
        self.pairs
    }

    /// Returns whether values may have a unit. A concentration may have any unit of concentration.
    pub(super) fn accepts_unit(&self, unit: Unit) -> bool {
        let quotients = || unit.is_quotient() && self.unit.is_some_and(Unit::is_quotient);
        self.is_own_unit(unit) && !unit.is_dose_form() || quotients()
    }

    /// Returns the unit of a value without one.
    pub(super) fn assumed_unit(&self, number: f64) -> Option<Unit> {
        match self.other {
            Some((unit, true, bound)) if number > bound => Some(unit),
            Some((unit, false, bound)) if number < bound => Some(unit),
            _ => self.unit,
        }
    }

    /// Converts a value to the unit of values without one.
    pub(super) fn convert_to_own_unit(&self, number: f64, unit: Unit) -> Option<f64> {
        unit.convert(number, self.unit?)
    }

    /// Returns the meaning of a unit next to this name: for cells, `G/l` is 10^9 per litre, not grams.
    pub(super) fn unit_as_meant(&self, unit: Unit) -> Unit {
        let counted = self.unit.filter(|own| own.is_cell_count() && unit.name() == "g/L");
        counted.and_then(|_| Unit::of("10^9/l")).unwrap_or(unit)
    }

    /// Returns whether the point in a cell count separates thousands, as in languages with a decimal comma:
    /// `210.000 /mm3`.
    pub(super) fn is_grouped_by_points(&self, text: &str, unit: Option<Unit>) -> bool {
        let is_counted = self.unit.is_some_and(Unit::is_cell_count) && unit.is_none_or(|unit| unit.name() == "/uL");
        is_counted && text.split_once('.').is_some_and(|(_, after)| after.len() == 3 && !after.contains(['.', '-']))
    }

    /// Returns the meaning of a unit next to this name, if values may have it.
    pub(super) fn accepted_unit(&self, unit: Unit) -> Option<Unit> {
        Some(self.unit_as_meant(unit)).filter(|&unit| self.accepts_unit(unit))
    }

    /// Returns whether values usually have this unit or one that converts to it.
    pub(super) fn is_own_unit(&self, unit: Unit) -> bool {
        let other = || self.other.is_some_and(|(other, ..)| other.is_convertible(unit));
        let also = || self.also.iter().flatten().any(|also| also.is_convertible(unit));
        self.unit.map_or(!self.unitless, |own| own.is_convertible(unit)) || other() || also()
    }
}
