//! Ontologies in OBO format 1.2 and 1.4: terms, synonyms with their scope, `is_a`, cross-references.

use std::path::Path;

use serde::Deserialize;

use super::open::Lines;
use super::{Each, OnUnreadable, Sink, Summary, curie};
use crate::term::{Concept, TermKind};
use notesieve_text::error::Result;

/// The scope of a synonym, relative to its concept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The same meaning.
    Exact,
    /// A narrower meaning.
    Narrow,
    /// A broader meaning.
    Broad,
    /// A related meaning.
    Related,
}

impl Scope {
    fn of(word: &str) -> Option<Self> {
        match word {
            "EXACT" => Some(Self::Exact),
            "NARROW" => Some(Self::Narrow),
            "BROAD" => Some(Self::Broad),
            "RELATED" => Some(Self::Related),
            _ => None,
        }
    }
}

/// Options for reading an ontology.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The scopes of synonyms to read.
    pub scopes: Vec<Scope>,
    /// The systems to read, as CURIE prefixes; empty for all. Ontologies import terms of others.
    pub systems: Vec<String>,
    /// How to handle unreadable records.
    pub damage: OnUnreadable,
}

impl Default for Options {
    /// Reads all except broad synonyms, whose code would be more specific than the text.
    fn default() -> Self {
        let scopes = vec![Scope::Exact, Scope::Narrow, Scope::Related];
        Self { scopes, systems: Vec::new(), damage: OnUnreadable::Count }
    }
}

/// A term of the ontology.
#[derive(Clone, Debug, Default)]
struct Node {
    id: String,
    name: String,
    synonyms: Vec<(String, Scope)>,
    parents: Vec<String>,
    same_as: Vec<String>,
    obsolete: bool,
}

impl Node {
    /// Emits the terms and returns the concept, if the node is wanted.
    fn emit_terms(self, file: &Path, line: u64, options: &Options, sink: &mut Sink<'_>) -> Result<Option<Concept>> {
        let names = 1 + self.synonyms.len() as u64;
        sink.summary.read += names;
        let Some((system, code)) = curie::split_curie(&self.id) else {
            sink.record_problem(file, line, "a term without an identifier `PREFIX:code`")?;
            return Ok(None);
        };
        let reason = if self.obsolete {
            "obsolete"
        } else if !options.systems.is_empty() && !options.systems.contains(&system) {
            "system"
        } else if self.name.is_empty() {
            // An import may refer to a term without its name.
            "no name"
        } else {
            ""
        };
        if !reason.is_empty() {
            sink.count_many_dropped(reason, names);
            return Ok(None);
        }
        sink.emit_term(&system, code, &self.name, TermKind::Preferred)?;
        for (text, scope) in &self.synonyms {
            if text.is_empty() {
                sink.record_problem(file, line, "a synonym without text")?;
            } else if options.scopes.contains(scope) {
                sink.emit_term(&system, code, text, TermKind::Synonym)?;
            } else {
                sink.count_dropped("synonym scope");
            }
        }
        let mut same_as = self.same_as;
        same_as.sort();
        same_as.dedup();
        let code = code.to_owned();
        Ok(Some(Concept { code, system, preferred: self.name, types: Vec::new(), parents: self.parents, same_as }))
    }
}

/// Reads an OBO file.
pub fn read(path: &Path, options: &Options, each: Each<'_>) -> Result<Summary> {
    let mut sink = Sink::new(each, options.damage);
    let mut lines = Lines::open(path)?;
    let mut stanza = Stanza::Header;
    let mut began = 0;
    while let Some((number, line)) = lines.next(&mut sink)? {
        let line = line.trim();
        if line.starts_with('[') {
            let next = if line == "[Term]" { Stanza::Term(Node::default()) } else { Stanza::Other };
            if let Stanza::Term(node) = std::mem::replace(&mut stanza, next)
                && let Some(concept) = node.emit_terms(path, began, options, &mut sink)?
            {
                sink.emit_concept(concept)?;
            }
            began = number;
        } else if !line.is_empty() && !line.starts_with('!') {
            let Some((tag, value)) = line.split_once(':') else {
                sink.record_problem(path, number, "neither `tag: value` nor a stanza")?;
                continue;
            };
            let value = value.trim();
            match &mut stanza {
                Stanza::Header if tag == "data-version" => sink.summary.version = Some(value.to_owned()),
                Stanza::Term(node) => {
                    let sound = read_field(node, tag, value);
                    if !sound {
                        sink.record_problem(path, number, "a synonym whose text is not in quotes")?;
                    }
                }
                _ => {}
            }
        }
    }
    if let Stanza::Term(node) = stanza
        && let Some(concept) = node.emit_terms(path, began, options, &mut sink)?
    {
        sink.emit_concept(concept)?;
    }
    sink.finish(path, "OBO")
}

enum Stanza {
    Header,
    Term(Node),
    Other,
}

/// Reads a field of a term. Returns `false` if it is malformed.
fn read_field(node: &mut Node, tag: &str, value: &str) -> bool {
    match tag {
        "id" => without_comment(value).clone_into(&mut node.id),
        "name" => node.name = unescape(value),
        "is_obsolete" => node.obsolete = value.starts_with("true"),
        "is_a" => node.parents.extend(curie::normalize_curie(without_comment(value))),
        // MONDO states how exact each cross-reference is.
        "xref" if !value.contains("source=\"MONDO:") || value.contains("MONDO:equivalentTo") => {
            node.same_as.extend(curie::normalize_curie(without_comment(value)));
        }
        "synonym" => {
            let Some((text, rest)) = split_quoted(value) else { return false };
            // The format defines synonyms without a scope as related.
            let scope = rest.split_whitespace().next().and_then(Scope::of).unwrap_or(Scope::Related);
            node.synonyms.push((text, scope));
        }
        _ => {}
    }
    true
}

/// Returns an identifier without the modifiers, text or comment after it.
fn without_comment(value: &str) -> &str {
    value.split([' ', '{', '!', '"']).next().unwrap_or_default()
}

/// Returns the quoted text at the start, and the rest.
fn split_quoted(value: &str) -> Option<(String, &str)> {
    let inner = value.strip_prefix('"')?;
    let mut escaped = false;
    for (at, character) in inner.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some((unescape(&inner[..at]), &inner[at + 1..])),
            _ => {}
        }
    }
    None
}

fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('n' | 't' | 'W') => text.push(' '),
            Some(other) => text.push(other),
            None => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::super::fixture::{TemporaryFile, read as read_fixture, try_read};
    use super::*;

    fn obo(options: Options) -> Source {
        Source::Obo(options)
    }

    #[test]
    fn names_scopes_parents_and_cross_references() {
        let records = read_fixture(&obo(Options::default()), "ontology.obo");
        assert_eq!(records.terms_of("9900001"), ["Marsh fever", "fever of \"the\" marsh", "Paludal fever", "Fen ague"]);
        let fever = records.concept("9900001");
        assert_eq!((fever.system.as_str(), fever.preferred.as_str()), ("hp", "Marsh fever"));
        assert_eq!(fever.parents, ["hp:9900000"]);
        assert_eq!(fever.same_as, ["mesh:D990002", "snomed:990001005", "umls:C9900001"]);
        assert_eq!(records.summary.version.as_deref(), Some("hp/releases/2025-01-16"));
        let dropped: Vec<(&str, u64)> = records.summary.dropped.iter().map(|(&name, &count)| (name, count)).collect();
        assert_eq!(dropped, [("obsolete", 2), ("synonym scope", 1)]);
    }

    #[test]
    fn scopes_and_systems_can_be_chosen() {
        let exact = Options { scopes: vec![Scope::Exact], ..Options::default() };
        let records = read_fixture(&obo(exact), "ontology.obo");
        assert_eq!(records.terms_of("9900001"), ["Marsh fever", "fever of \"the\" marsh"]);
        let other = Options { systems: vec!["uberon".to_owned()], ..Options::default() };
        let records = read_fixture(&obo(other), "ontology.obo");
        assert_eq!(records.concepts.len(), 1);
    }

    #[test]
    fn what_cannot_be_read_is_listed_with_its_line() {
        let text =
            b"format-version: 1.2\n\n[Term]\nname: no id\n\n[Term]\nid: X:1\nname: one\nsynonym: unquoted EXACT []\n";
        let file = TemporaryFile::new("damaged.obo", text);
        let records = try_read(&obo(Options::default()), &file.0).expect("the rest is readable");
        let lines: Vec<u64> = records.summary.problems.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [3, 9]);
        assert_eq!(records.terms_of("1"), ["one"]);
    }
}
