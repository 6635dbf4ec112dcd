//! Patterns of the user's own: regular expressions with a kind, a certainty, words around them, and examples.

use std::path::Path;

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::touched;
use crate::document::Name;
use crate::error::{Error, Result};
use crate::finding::{Certainty, Kind};
use crate::note::Note;
use crate::rules::{self, Findings, Verdict};
use crate::text::span::Span;

/// Bytes that a compiled expression may take: one that needs more is a list in disguise, or a mistake.
const LARGEST: usize = 1 << 20;

/// The name of the group that limits what a pattern finds.
const GROUP: &str = "phi";

/// What happens to what a pattern finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PatternAction {
    /// It is PHI.
    #[default]
    Remove,
    /// It is not: the pattern vouches for it.
    Keep,
}

/// A regular expression of the user's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// The name under which results report it: letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// The expression, in the syntax of the crate `regex`. Where it has a group called `phi`, only that group is found.
    pub regex: String,
    /// The kind of PHI; nothing for a pattern that keeps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Whether what it finds goes or stays.
    #[serde(default)]
    pub action: PatternAction,
    /// How sure the pattern is.
    #[serde(default = "likely")]
    pub certainty: String,
    /// Words of which one must stand before what is found.
    #[serde(default)]
    pub before: Vec<String>,
    /// Words of which one must stand after it. With words before and after, one of either side is enough.
    #[serde(default)]
    pub after: Vec<String>,
    /// Among how many words before or after they are looked for.
    #[serde(default = "five")]
    pub within: usize,
    /// Texts in which the pattern must find something: tested when the policy is made.
    #[serde(default)]
    pub examples: Vec<String>,
}

fn likely() -> String {
    "likely".to_owned()
}

const fn five() -> usize {
    5
}

/// A file of patterns.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PatternFile {
    #[serde(default)]
    pattern: Vec<toml::Spanned<Pattern>>,
}

/// Reads a file of tables `[[pattern]]`. Errors name the file, the line and the pattern.
pub fn read_patterns(path: &Path) -> Result<Vec<Pattern>> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
    let line = |at: usize| text.get(..at).unwrap_or_default().matches('\n').count() + 1;
    let file: PatternFile = toml::from_str(&text).map_err(|problem| {
        let line = line(problem.span().map_or(0, |span| span.start));
        Error::Policy(format!("{}, line {line}: {}", path.display(), problem.message()))
    })?;
    let mut patterns = Vec::new();
    for pattern in file.pattern {
        let line = line(pattern.span().start);
        let pattern = pattern.into_inner();
        Compiled::new(&pattern).map_err(|problem| {
            Error::Policy(format!("{}, line {line}: pattern {:?}: {problem}", path.display(), pattern.name))
        })?;
        patterns.push(pattern);
    }
    check_patterns(&patterns)?;
    Ok(patterns)
}

/// Refuses patterns that cannot be used.
pub(crate) fn check_patterns(patterns: &[Pattern]) -> Result<()> {
    for (at, pattern) in patterns.iter().enumerate() {
        let name = &pattern.name;
        Compiled::new(pattern).map_err(|problem| Error::Policy(format!("patterns[{at}] {name:?}: {problem}")))?;
        if patterns[..at].iter().any(|other| other.name == *name) {
            return Err(Error::Policy(format!("patterns[{at}] {name:?}: another pattern has this name")));
        }
    }
    Ok(())
}

/// A pattern that can be searched for.
#[derive(Debug)]
struct Compiled {
    regex: Regex,
    verdict: Verdict,
    certainty: Certainty,
    before: Vec<String>,
    after: Vec<String>,
    within: usize,
    name: Name,
}

impl Compiled {
    /// Compiles a pattern and tests its examples, or says what is wrong.
    fn new(pattern: &Pattern) -> std::result::Result<Self, String> {
        let regex = RegexBuilder::new(&pattern.regex)
            .size_limit(LARGEST)
            .dfa_size_limit(LARGEST)
            .build()
            .map_err(|problem| format!("regex: {}", last_line(&problem.to_string())))?;
        if regex.is_match("") {
            return Err("regex: finds the empty text".to_owned());
        }
        let verdict = match (pattern.action, pattern.kind.as_deref()) {
            (PatternAction::Keep, None) => Verdict::Keep,
            (PatternAction::Keep, Some(_)) => return Err("kind: a pattern that keeps has none".to_owned()),
            (PatternAction::Remove, None) => return Err("kind: a pattern that removes needs one".to_owned()),
            (PatternAction::Remove, Some(key)) => {
                Verdict::Remove(Kind::from_key(key).ok_or_else(|| format!("there is no kind {key:?}"))?)
            }
        };
        let certainty = Certainty::from_key(&pattern.certainty)
            .ok_or_else(|| format!("certainty: {:?} is not weak, likely or sure", pattern.certainty))?;
        let lower = |words: &[String]| words.iter().map(|word| word.to_lowercase()).collect();
        let compiled = Self {
            regex,
            verdict,
            certainty,
            before: lower(&pattern.before),
            after: lower(&pattern.after),
            within: pattern.within,
            name: Name::detector(&format!("pattern:{}", pattern.name))
                .ok_or("name: must be up to 64 letters, digits, -, _ and ., and no more than 4,096 names")?,
        };
        if let Some(at) = pattern.examples.iter().position(|example| compiled.spans(example).next().is_none()) {
            return Err(format!("examples[{at}]: the pattern finds nothing in it"));
        }
        Ok(compiled)
    }

    /// What the pattern finds in a text.
    fn spans<'t>(&'t self, text: &'t str) -> impl Iterator<Item = std::ops::Range<usize>> + 't {
        let found = self.regex.captures_iter(text).filter_map(|groups| groups.name(GROUP).or_else(|| groups.get(0)));
        found.map(|found| found.range()).filter(|found| !found.is_empty() && self.fits(text, found))
    }

    /// Whether the words that it asks for stand around.
    fn fits(&self, text: &str, found: &std::ops::Range<usize>) -> bool {
        if self.before.is_empty() && self.after.is_empty() {
            return true;
        }
        let is_among = |list: &[String], word: &str| list.contains(&word.to_lowercase());
        let mut before = text[..found.start].rsplit(is_between).filter(|word| !word.is_empty()).take(self.within);
        let mut after = text[found.end..].split(is_between).filter(|word| !word.is_empty()).take(self.within);
        before.any(|word| is_among(&self.before, word)) || after.any(|word| is_among(&self.after, word))
    }
}

/// Whether a character divides words.
fn is_between(character: char) -> bool {
    !character.is_alphanumeric()
}

/// The last line of an error of the crate `regex`, which says what is wrong; those before show the expression.
fn last_line(problem: &str) -> &str {
    problem.lines().next_back().unwrap_or(problem).trim_start_matches("error: ")
}

/// The patterns of a policy.
#[derive(Debug, Default)]
pub(crate) struct PatternSet(Vec<Compiled>);

impl PatternSet {
    /// Compiles patterns; those that [`check_patterns`] refuses are left out.
    pub(crate) fn new(patterns: &[Pattern]) -> Self {
        Self(patterns.iter().filter_map(|pattern| Compiled::new(pattern).ok()).collect())
    }

    /// Reports what the patterns find: PHI over every token that they touch, what they vouch for over whole tokens only.
    pub(crate) fn report(&self, note: &Note<'_>, findings: &mut Findings) {
        for pattern in &self.0 {
            for found in pattern.spans(note.source()) {
                let span = Span::new(found.start as u32, found.end as u32);
                let Some((first, last)) = touched(note, span) else { continue };
                let source = note.source_span(first, last);
                let whole = source.start >= span.start && source.end <= span.end;
                if whole || pattern.verdict != Verdict::Keep {
                    rules::add_detection(findings, (first, last), pattern.verdict, pattern.certainty, pattern.name);
                }
            }
        }
    }

    /// The spans of bytes that patterns which keep find in a text.
    pub(crate) fn kept(&self, text: &str) -> Vec<std::ops::Range<usize>> {
        let keeping = self.0.iter().filter(|pattern| pattern.verdict == Verdict::Keep);
        keeping.flat_map(|pattern| pattern.spans(text)).collect()
    }
}
