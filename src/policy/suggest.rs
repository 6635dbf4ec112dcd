//! Errors about unknown names, with suggestions.

use strsim::osa_distance;

use crate::error::Error;

/// Returns the error about an unknown name, with the nearest known one.
pub(super) fn unknown_name(what: &str, given: &str, known: &[&str]) -> Error {
    Error::Policy(format!("there is no {what} {given:?}: {}", nearest_or_all(given, known)))
}

/// Returns a suggestion of the nearest known name, or a list of all if none is near.
pub(super) fn nearest_or_all(given: &str, known: &[&str]) -> String {
    let nearest = known.iter().map(|name| (osa_distance(&given.to_lowercase(), &name.to_lowercase()), *name)).min();
    match nearest {
        Some((far, name)) if far <= name.len() / 2 => format!("did you mean {name:?}?"),
        _ => format!("known are {}", known.join(", ")),
    }
}

/// Rephrases serde errors about unknown values and keys as in [`unknown_name`]; returns others unchanged.
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
