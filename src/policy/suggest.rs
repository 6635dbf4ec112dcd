//! Errors for names that are not known, with the nearest that is.

use crate::error::Error;

/// The error for a name that is not known, with the nearest one that is.
pub(super) fn unknown_name(what: &str, given: &str, known: &[&str]) -> Error {
    Error::Policy(format!("there is no {what} {given:?}: {}", nearest_or_all(given, known)))
}

/// The nearest name that is known, or all where none is near.
pub(super) fn nearest_or_all(given: &str, known: &[&str]) -> String {
    let nearest = known.iter().map(|name| (edit_distance(given, name), *name)).min();
    match nearest {
        Some((far, name)) if far <= name.len() / 2 => format!("did you mean {name:?}?"),
        _ => format!("known are {}", known.join(", ")),
    }
}

/// What serde says of a value or a key that is not known, in the words of [`unknown_name`]; anything else as it is.
pub(super) fn plain_problem(problem: &str) -> String {
    let what = if problem.starts_with("unknown variant `") {
        "value"
    } else if problem.starts_with("unknown field `") {
        "key"
    } else {
        return problem.to_owned();
    };
    let Some((given, rest)) = problem.split_once("`, expected ") else { return problem.to_owned() };
    let given = given.split_once('`').map_or("", |(_, given)| given);
    let known: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
    format!("there is no {what} {given:?}: {}", nearest_or_all(given, &known))
}

/// How many slips of the pen make one word the other: a letter wrong, missing or too many, or two that changed places.
fn edit_distance(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.to_lowercase().chars().collect();
    let other: Vec<char> = other.to_lowercase().chars().collect();
    let mut rows = vec![(0..=other.len()).collect::<Vec<usize>>()];
    for (at, letter) in one.iter().enumerate() {
        let mut row = vec![at + 1];
        for (column, another) in other.iter().enumerate() {
            let changed = rows[at][column] + usize::from(letter != another);
            let mut least = changed.min(rows[at][column + 1] + 1).min(row[column] + 1);
            if at > 0 && column > 0 && *letter == other[column - 1] && one[at - 1] == *another {
                least = least.min(rows[at - 1][column - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}
