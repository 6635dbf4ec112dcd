//! Which values and units fit the name of something measured.

use super::units::Unit;

/// Which values fit a name.
#[derive(Clone, Debug, Default)]
pub(super) struct Expected {
    /// The unit of a value without one.
    unit: Option<Unit>,
    /// The unit of a value without one that lies above or below a number, as no value in the other unit does.
    other: Option<(Unit, bool, f64)>,
    /// Other units that its values have, which do not convert into the first: a value needs one of them.
    also: [Option<Unit>; 2],
    /// Two numbers with a slash are one value.
    pairs: bool,
}

impl Expected {
    /// Any value, two numbers with a slash as one if `pairs`.
    pub(super) fn any_value(pairs: bool) -> Self {
        Self { pairs, ..Self::default() }
    }

    /// Reads the column of the list.
    pub(super) fn from_column(column: &str) -> Self {
        let (mut expected, pairs) = (Self::default(), column.ends_with("pair"));
        let (column, also) = column.split_once("also").unwrap_or((column, ""));
        let mut also = also.split_whitespace().map(Unit::of);
        expected.also = [also.next().flatten(), also.next().flatten()];
        for part in column.split_whitespace() {
            match part.split_once(['<', '>']) {
                Some((unit, bound)) => {
                    let other = Unit::of(unit).zip(bound.parse().ok());
                    expected.other = other.map(|(unit, bound)| (unit, part.contains('>'), bound));
                }
                None => expected.unit = expected.unit.or_else(|| Unit::of(part)),
            }
        }
        Self { pairs, ..expected }
    }

    /// Whether values have a unit as a rule.
    pub(super) const fn has_unit(&self) -> bool {
        self.unit.is_some()
    }

    /// Whether a number without a unit is no value.
    pub(super) fn needs_unit(&self) -> bool {
        self.also.iter().any(Option::is_some)
    }

    /// Whether two numbers with a slash are one value.
    pub(super) const fn is_pair(&self) -> bool {
        self.pairs
    }

    /// Whether a unit is one in which it may be measured: concentrations in any of a concentration.
    pub(super) fn accepts_unit(&self, unit: Unit) -> bool {
        let quotients = || unit.is_quotient() && self.unit.is_some_and(Unit::is_quotient);
        self.is_own_unit(unit) && !unit.is_dose_form() || quotients()
    }

    /// The unit that is meant where a value has none.
    pub(super) fn assumed_unit(&self, number: f64) -> Option<Unit> {
        match self.other {
            Some((unit, true, bound)) if number > bound => Some(unit),
            Some((unit, false, bound)) if number < bound => Some(unit),
            _ => self.unit,
        }
    }

    /// A value in the unit of values without one.
    pub(super) fn convert_to_own_unit(&self, number: f64, unit: Unit) -> Option<f64> {
        unit.convert(number, self.unit?)
    }

    /// A unit as one reads it beside this name: `G/l` of cells are thousands of millions, not grams.
    pub(super) fn unit_as_meant(&self, unit: Unit) -> Unit {
        let counted = self.unit.filter(|own| own.is_cell_count() && unit.name() == "g/L");
        counted.and_then(|_| Unit::of("10^9/l")).unwrap_or(unit)
    }

    /// Whether the point in a number of cells stands between thousands, as in languages with a decimal comma: `210.000 /mm3`.
    pub(super) fn is_grouped_by_points(&self, text: &str, unit: Option<Unit>) -> bool {
        let is_counted = self.unit.is_some_and(Unit::is_cell_count) && unit.is_none_or(|unit| unit.name() == "/uL");
        is_counted && text.split_once('.').is_some_and(|(_, after)| after.len() == 3 && !after.contains(['.', '-']))
    }

    /// A unit as one reads it beside this name, if it may be measured in it.
    pub(super) fn accepted_unit(&self, unit: Unit) -> Option<Unit> {
        Some(self.unit_as_meant(unit)).filter(|&unit| self.accepts_unit(unit))
    }

    /// Whether a unit is one of those in which it is measured as a rule.
    pub(super) fn is_own_unit(&self, unit: Unit) -> bool {
        let other = || self.other.is_some_and(|(other, ..)| other.is_convertible(unit));
        let also = || self.also.iter().flatten().any(|also| also.is_convertible(unit));
        self.unit.is_none_or(|own| own.is_convertible(unit)) || other() || also()
    }
}
