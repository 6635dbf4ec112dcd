//! Errors for names that are not known, with the nearest that is.

use strsim::osa_distance;

use crate::error::Error;

/// The error for a name that is not known, with the nearest one that is.
pub(super) fn unknown_name(what: &str, given: &str, known: &[&str]) -> Error {
    Error::Policy(format!("there is no {what} {given:?}: {}", nearest_or_all(given, known)))
}

/// The nearest name that is known, or all where none is near.
pub(super) fn nearest_or_all(given: &str, known: &[&str]) -> String {
    let nearest = known.iter().map(|name| (osa_distance(&given.to_lowercase(), &name.to_lowercase()), *name)).min();
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
