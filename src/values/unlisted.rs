//! Values of terms that are not in the list of analytes.

use super::analytes::is_followed;
use super::expected::Expected;
use super::measured::Value;
use super::units::Unit;
use crate::note::Note;
use crate::vocabulary::{Class, Group};

/// Returns whether an unlisted term may have a value: its last word names a measurement.
pub(super) fn may_be_measured(note: &Note<'_>, group: Group, last: usize) -> bool {
    let measured = last > 0 && note.is(last - 1, Class::Measurement) && note.word(last - 1) != "time";
    measured
        && !matches!(group, Group::Anatomy | Group::Organism | Group::Person | Group::Place | Group::Other)
        && is_followed(note, last)
}

/// Returns whether an antibody level follows the term that ends at `last` (exclusive): `peanut 14.2 kU/L`.
pub(super) fn is_followed_by_antibody_level(note: &Note<'_>, last: usize) -> bool {
    let number = last + usize::from(note.is_any_mark(last, b"<>:="));
    note.is_number(number)
        && Unit::read(note, number + 1, |_| true).is_some_and(|(unit, _)| unit.name() == "kU/L" && number < last + 2)
}

/// Returns whether a value of an unlisted term is plausible: it has a unit or a number; for disorders and findings, it
/// must be a temperature or a score out of ten.
pub(super) fn is_plausible_value(value: &Value, group: Group) -> bool {
    match group {
        Group::Disorder | Group::Finding => {
            value.unit.is_some_and(|unit| matches!(unit.name(), "C" | "F"))
                || value.unit.is_none()
                    && value.number.is_some_and(|number| {
                        (100.0..107.0).contains(&number) || value.text.contains('.') && (35.0..43.0).contains(&number)
                    })
                || value.text.ends_with("/10")
        }
        // `CT shows a 6 mm nodule`, `ABG on 4 L`: not values of the procedure.
        Group::Procedure => value.unit.is_none_or(Unit::is_quotient),
        _ => value.unit.is_some() || value.number.is_some(),
    }
}

/// Returns whether a value next to the name of an analyte is a dose of it.
pub(super) fn is_dose_of_analyte(value: &Value, expected: &Expected) -> bool {
    value.unit.is_some_and(|unit| unit.is_dose() && !expected.is_own_unit(unit))
}
