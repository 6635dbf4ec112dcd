//! The user's own patterns: regular expressions with a kind, a certainty, context words and examples.

use std::ops::Range;
use std::path::Path;

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::suggest::{nearest_or_all, plain_problem};
use crate::error::{Error, Result};
use crate::finding::{Certainty, Kind};

/// The maximum size of a compiled expression in bytes: a larger one is a list in disguise, or a mistake.
const MAX_REGEX_BYTES: usize = 1 << 20;

/// The name of the capture group that limits what a pattern finds.
const GROUP: &str = "phi";

/// What is done with the matches of a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PatternAction {
    /// They are PHI and removed.
    #[default]
    Remove,
    /// They are not PHI: the pattern vouches for them.
    Keep,
}

/// A regular expression of the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// The name in results: letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// The expression, in the syntax of the `regex` crate. If it has a group called `phi`, only that group is found.
    pub regex: String,
    /// The kind of PHI; `None` for a pattern that keeps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Whether its matches are removed or kept.
    #[serde(default)]
    pub action: PatternAction,
    /// The certainty of the pattern.
    #[serde(default = "default_certainty")]
    pub certainty: String,
    /// Words of which one must precede a match.
    #[serde(default)]
    pub before: Vec<String>,
    /// Words of which one must follow a match. With words before and after, a word on either side is enough.
    #[serde(default)]
    pub after: Vec<String>,
    /// The number of words before and after a match that are searched for them.
    #[serde(default = "default_window")]
    pub within: usize,
    /// Texts in which the pattern must find something: tested when the policy is loaded.
    #[serde(default)]
    pub examples: Vec<String>,
}

fn default_certainty() -> String {
    "likely".to_owned()
}

const fn default_window() -> usize {
    5
}

/// A pattern file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PatternFile {
    #[serde(default)]
    pattern: Vec<toml::Spanned<Pattern>>,
}

/// Reads a file of `[[pattern]]` tables. Errors name the file, the line and the pattern.
pub fn read_patterns(path: &Path) -> Result<Vec<Pattern>> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
    let line = |at: usize| text.get(..at).unwrap_or_default().matches('\n').count() + 1;
    let file: PatternFile = toml::from_str(&text).map_err(|problem| {
        let line = line(problem.span().map_or(0, |span| span.start));
        Error::Policy(format!("{}, line {line}: {}", path.display(), plain_problem(problem.message())))
    })?;
    let mut patterns = Vec::new();
    for pattern in file.pattern {
        let line = line(pattern.span().start);
        let pattern = pattern.into_inner();
        CompiledPattern::new(&pattern).map_err(|problem| {
            Error::Policy(format!("{}, line {line}: pattern {:?}: {problem}", path.display(), pattern.name))
        })?;
        patterns.push(pattern);
    }
    check_patterns(&patterns)?;
    Ok(patterns)
}

/// Rejects invalid patterns and duplicate names.
pub(super) fn check_patterns(patterns: &[Pattern]) -> Result<()> {
    for (at, pattern) in patterns.iter().enumerate() {
        let name = &pattern.name;
        CompiledPattern::new(pattern)
            .map_err(|problem| Error::Policy(format!("patterns[{at}] {name:?}: {problem}")))?;
        if patterns[..at].iter().any(|other| other.name == *name) {
            return Err(Error::Policy(format!("patterns[{at}] {name:?}: another pattern has this name")));
        }
    }
    Ok(())
}

/// A compiled pattern.
#[derive(Debug)]
pub(crate) struct CompiledPattern {
    regex: Regex,
    /// The kind of PHI that it finds; `None` if it vouches for its matches.
    pub(crate) kind: Option<Kind>,
    pub(crate) certainty: Certainty,
    before: Vec<String>,
    after: Vec<String>,
    within: usize,
}

impl CompiledPattern {
    /// Compiles a pattern and tests its examples. Errors are messages.
    pub(crate) fn new(pattern: &Pattern) -> std::result::Result<Self, String> {
        let regex = RegexBuilder::new(&pattern.regex)
            .size_limit(MAX_REGEX_BYTES)
            .dfa_size_limit(MAX_REGEX_BYTES)
            .build()
            .map_err(|problem| format!("regex: {}", last_line(&problem.to_string())))?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if !(1..=64).contains(&pattern.name.len()) || !pattern.name.bytes().all(plain) {
            return Err("name: must be up to 64 letters, digits, -, _ and .".to_owned());
        }
        if regex.is_match("") {
            return Err("regex: finds the empty text".to_owned());
        }
        let kind = match (pattern.action, pattern.kind.as_deref()) {
            (PatternAction::Keep, None) => None,
            (PatternAction::Keep, Some(_)) => return Err("kind: a pattern that keeps has none".to_owned()),
            (PatternAction::Remove, None) => return Err("kind: a pattern that removes needs one".to_owned()),
            (PatternAction::Remove, Some(key)) => {
                let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.key()).collect();
                Some(
                    Kind::from_key(key)
                        .ok_or_else(|| format!("there is no kind {key:?}: {}", nearest_or_all(key, &known)))?,
                )
            }
        };
        let certainty = Certainty::from_key(&pattern.certainty)
            .ok_or_else(|| format!("certainty: {:?} is not weak, likely or sure", pattern.certainty))?;
        let lower = |words: &[String]| words.iter().map(|word| word.to_lowercase()).collect();
        let compiled = Self {
            regex,
            kind,
            certainty,
            before: lower(&pattern.before),
            after: lower(&pattern.after),
            within: pattern.within,
        };
        if let Some(at) = pattern.examples.iter().position(|example| compiled.matches_in(example).next().is_none()) {
            return Err(format!("examples[{at}]: the pattern finds nothing in it"));
        }
        Ok(compiled)
    }

    /// Returns the matches of the pattern in a text.
    pub(crate) fn matches_in<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
        let found = self.regex.captures_iter(text).filter_map(|groups| groups.name(GROUP).or_else(|| groups.get(0)));
        found.map(|found| found.range()).filter(|found| !found.is_empty() && self.has_context_words(text, found))
    }

    /// Returns whether a match has the required words around it.
    fn has_context_words(&self, text: &str, found: &Range<usize>) -> bool {
        if self.before.is_empty() && self.after.is_empty() {
            return true;
        }
        let is_among = |list: &[String], word: &str| list.contains(&word.to_lowercase());
        let mut before = text[..found.start].rsplit(divides_words).filter(|word| !word.is_empty()).take(self.within);
        let mut after = text[found.end..].split(divides_words).filter(|word| !word.is_empty()).take(self.within);
        before.any(|word| is_among(&self.before, word)) || after.any(|word| is_among(&self.after, word))
    }
}

/// Returns whether a character separates words.
fn divides_words(character: char) -> bool {
    !character.is_alphanumeric()
}

/// Returns the last line of an error of the `regex` crate, which says what is wrong; those before show the expression.
fn last_line(problem: &str) -> &str {
    problem.lines().next_back().unwrap_or(problem).trim_start_matches("error: ")
}

/// Returns the byte spans of a text that the patterns vouch for; invalid patterns find nothing.
pub(super) fn kept_by(patterns: &[Pattern], text: &str) -> Vec<Range<usize>> {
    let keeping = patterns.iter().filter(|pattern| pattern.action == PatternAction::Keep);
    let compiled: Vec<_> = keeping.filter_map(|pattern| CompiledPattern::new(pattern).ok()).collect();
    compiled.iter().flat_map(|pattern| pattern.matches_in(text)).collect()
}
