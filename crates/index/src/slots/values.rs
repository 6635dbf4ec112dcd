//! Values of measurements as index words: code set, unit and number, such that a numeric range is a range of words.

use notesieve::values::Attributes;

/// The first character of a value word; no word or slot begins with it.
pub(crate) const VALUE: char = '=';

/// Returns a number as text that sorts in numeric order.
fn sortable_form(number: f64) -> String {
    let bits = number.to_bits();
    let ordered = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
    format!("{ordered:016x}")
}

/// Returns the prefix of the values of a code set in a unit.
pub(crate) fn value_word_prefix(set: u32, unit: &str) -> String {
    format!("{VALUE}{set}:{unit}:")
}

/// Returns the unit of a word that is a value of a code set.
pub(crate) fn unit_of_value_word(word: &str, set: u32) -> Option<&str> {
    let rest = word.strip_prefix(VALUE)?.strip_prefix(&set.to_string())?.strip_prefix(':')?;
    rest.rsplit_once(':').map(|(unit, _)| unit)
}

/// Returns the word for a value of a code set. "Less than n" is stored as the next number below n, "greater than n" as
/// the next above.
pub(super) fn word_of_value(set: u32, attributes: &Attributes) -> Option<String> {
    let number = attributes.number?;
    let number = match attributes.comparator {
        Some("<") => number.next_down(),
        Some(">") => number.next_up(),
        _ => number,
    };
    let unit = attributes.unit.or(attributes.assumed_unit).map_or("", |unit| unit.name());
    Some(value_word_prefix(set, unit) + &sortable_form(number))
}

/// Returns the first and last words of a range of values that includes both ends.
pub(crate) fn range_of_value_words(set: u32, unit: &str, least: Option<f64>, most: Option<f64>) -> (String, String) {
    let start = value_word_prefix(set, unit);
    let end = |number: Option<f64>, open: f64| start.clone() + &sortable_form(number.unwrap_or(open));
    (end(least, f64::NEG_INFINITY), end(most, f64::INFINITY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_in_the_order_of_numbers() {
        let numbers = [f64::NEG_INFINITY, -4.5, -0.1, 0.0, 0.04_f64.next_down(), 0.04, 1.2, 138.0, f64::INFINITY];
        let written: Vec<String> = numbers.into_iter().map(sortable_form).collect();
        assert!(written.is_sorted(), "{written:?}");
        let (least, most) = range_of_value_words(7, "mg/dL", Some(1.0), None);
        let value = word_of_value(7, &Attributes { number: Some(1.2), ..Attributes::NONE });
        assert_eq!(value.as_deref().and_then(|value| unit_of_value_word(value, 7)), Some(""));
        assert!(
            least < most && unit_of_value_word(&least, 7) == Some("mg/dL") && unit_of_value_word(&least, 70).is_none()
        );
    }
}
