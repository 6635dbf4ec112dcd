//! Ontologies as OBO Graphs JSON (`doid.json`, `mondo.json`), read as a stream.
//!
//! Terms stream. The edges come after the nodes, so that concepts, which hold their parents, come after all terms.

use std::cell::RefCell;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::obo::{Node, Options, Scope};
use super::open::open;
use super::{Each, Sink, Summary, curie, not_of_format};
use crate::term::Concept;
use notesieve_text::error::{Error, Result};

const EXACT_MATCH: &str = "http://www.w3.org/2004/02/skos/core#exactMatch";

/// Reads a graph document.
pub fn read(path: &Path, options: &Options, each: Each<'_>) -> Result<Summary> {
    let graph = RefCell::new(Graph {
        file: path.to_owned(),
        options,
        sink: Sink::new(each, options.damage),
        held: Vec::new(),
        edges: Vec::new(),
        nodes: 0,
        failed: None,
    });
    let mut json = serde_json::Deserializer::from_reader(open(path)?);
    let outcome = At(Place::Document, &graph).deserialize(&mut json).and_then(|()| json.end());
    let mut graph = graph.into_inner();
    if let Some(error) = graph.failed.take() {
        return Err(error);
    }
    match outcome {
        Ok(()) => graph.finish(),
        Err(error) if error.is_io() => Err(Error::File { path: path.to_owned(), source: error.into() }),
        Err(error) => Err(not_of_format(path, error.line() as u64, "not the JSON of a graph document, or truncated")),
    }
}

struct Graph<'a> {
    file: PathBuf,
    options: &'a Options,
    sink: Sink<'a>,
    held: Vec<Concept>,
    /// Narrower and broader node, as CURIEs.
    edges: Vec<(String, String)>,
    nodes: u64,
    /// The parser can only stop with an error of its own; this is the true one.
    failed: Option<Error>,
}

impl Graph<'_> {
    fn node(&mut self, raw: RawNode) -> Result<()> {
        self.nodes += 1;
        let meta = raw.meta.unwrap_or_default();
        // Properties and individuals stand among the classes.
        if raw.kind.is_some_and(|kind| kind != "CLASS") {
            return Ok(());
        }
        // The line of a node is not known to the parser's user; its number in the file is what can be said.
        let Some(id) = curie::of_iri(&raw.id) else {
            let place = format!("node {}: no identifier that is a code", self.nodes);
            return self.sink.problem(&self.file, 0, place);
        };
        let matches: Vec<String> = meta
            .properties
            .iter()
            .filter(|property| property.pred == EXACT_MATCH)
            .filter_map(|property| curie::of_iri(&property.val))
            .collect();
        // Where the ontology says which matches are exact, its other cross-references are not.
        let same_as = if matches.is_empty() {
            meta.xrefs.iter().filter_map(|xref| curie::normalize(&xref.val)).collect()
        } else {
            matches
        };
        let node = Node {
            id,
            name: raw.lbl.unwrap_or_default(),
            synonyms: meta.synonyms.into_iter().map(|synonym| (synonym.val, Scope::of(&synonym.pred))).collect(),
            parents: Vec::new(),
            same_as,
            obsolete: meta.deprecated,
        };
        self.held.extend(node.terms(&self.file, 0, self.options, &mut self.sink)?);
        Ok(())
    }

    fn finish(mut self) -> Result<Summary> {
        self.edges.sort();
        self.edges.dedup();
        for mut concept in std::mem::take(&mut self.held) {
            let own = format!("{}:{}", concept.system, concept.code);
            let from = self.edges.partition_point(|(below, _)| *below < own);
            let above = self.edges[from..].iter().take_while(|(below, _)| *below == own);
            concept.parents = above.map(|(_, above)| above.clone()).collect();
            self.sink.concept(concept)?;
        }
        self.sink.finish(&self.file, "an OBO graph")
    }
}

#[derive(Deserialize)]
struct RawNode {
    id: String,
    #[serde(default)]
    lbl: Option<String>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    meta: Option<Meta>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Meta {
    synonyms: Vec<Synonym>,
    xrefs: Vec<Value>,
    #[serde(rename = "basicPropertyValues")]
    properties: Vec<Property>,
    deprecated: bool,
}

#[derive(Deserialize)]
struct Synonym {
    #[serde(default)]
    pred: String,
    val: String,
}

#[derive(Deserialize)]
struct Value {
    val: String,
}

#[derive(Deserialize)]
struct Property {
    pred: String,
    val: String,
}

#[derive(Deserialize)]
struct RawEdge {
    sub: String,
    pred: String,
    obj: String,
}

#[derive(Deserialize)]
struct RawMeta {
    #[serde(default)]
    version: Option<String>,
}

/// A place in the document `{"graphs": [{"nodes": [...], "edges": [...]}, ...]}`.
#[derive(Clone, Copy)]
enum Place {
    Document,
    Graphs,
    Graph,
    Nodes,
    Edges,
}

/// Reads what stands at a place and lets it go.
struct At<'a, 'b>(Place, &'a RefCell<Graph<'b>>);

impl<'de> DeserializeSeed<'de> for At<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.0 {
            Place::Document | Place::Graph => deserializer.deserialize_map(self),
            Place::Graphs | Place::Nodes | Place::Edges => deserializer.deserialize_seq(self),
        }
    }
}

impl<'de> Visitor<'de> for At<'_, '_> {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self.0 {
            Place::Document => "a graph document",
            Place::Graphs => "a list of graphs",
            Place::Graph => "a graph",
            Place::Nodes => "a list of nodes",
            Place::Edges => "a list of edges",
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self(place, graph) = self;
        while let Some(key) = map.next_key::<String>()? {
            match (place, key.as_str()) {
                (Place::Document, "graphs") => map.next_value_seed(At(Place::Graphs, graph))?,
                (Place::Graph, "nodes") => map.next_value_seed(At(Place::Nodes, graph))?,
                (Place::Graph, "edges") => map.next_value_seed(At(Place::Edges, graph))?,
                (Place::Graph, "meta") => {
                    let version = map.next_value::<Option<RawMeta>>()?.and_then(|meta| meta.version);
                    graph.borrow_mut().sink.summary.version = version;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Self(place, graph) = self;
        match place {
            Place::Nodes => {
                while let Some(node) = list.next_element::<RawNode>()? {
                    let mut graph = graph.borrow_mut();
                    if let Err(error) = graph.node(node) {
                        graph.failed = Some(error);
                        return Err(serde::de::Error::custom("stopped"));
                    }
                }
            }
            Place::Edges => {
                while let Some(edge) = list.next_element::<RawEdge>()? {
                    if edge.pred == "is_a"
                        && let (Some(below), Some(above)) = (curie::of_iri(&edge.sub), curie::of_iri(&edge.obj))
                    {
                        graph.borrow_mut().edges.push((below, above));
                    }
                }
            }
            Place::Document | Place::Graphs | Place::Graph => {
                while list.next_element_seed(At(Place::Graph, graph))?.is_some() {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Scratch, read as read_fixture, try_read};
    use super::super::{Damage, Source};
    use super::*;

    #[test]
    fn the_same_ontology_in_both_formats_gives_the_same_records() {
        let json = read_fixture(&Source::OboGraph(Options::default()), "ontology.json");
        let obo = read_fixture(&Source::Obo(Options::default()), "ontology.obo");
        assert_eq!(json.concepts, obo.concepts);
        assert_eq!(json.terms, obo.terms);
        assert_eq!(json.summary.dropped, obo.summary.dropped);
    }

    #[test]
    fn exact_matches_beat_cross_references() {
        let text = r#"{"graphs":[{"nodes":[{"id":"http://purl.obolibrary.org/obo/MONDO_0099","lbl":"marsh fever",
            "type":"CLASS","meta":{"xrefs":[{"val":"DOID:1"}],"basicPropertyValues":[{"pred":
            "http://www.w3.org/2004/02/skos/core#exactMatch","val":"http://identifiers.org/mesh/D990002"}]}}],"edges":[]}]}"#;
        let file = Scratch::new("exact.json", text.as_bytes());
        let records = try_read(&Source::OboGraph(Options::default()), &file.0).expect("readable");
        assert_eq!(records.concepts[0].same_as, ["mesh:D990002"]);
    }

    #[test]
    fn truncated_json_is_an_error_with_its_line_and_strict_stops_at_a_bad_node() {
        let cut = Scratch::new("cut.json", b"{\"graphs\":[{\"nodes\":[\n{\"id\":\"x\"");
        let error = try_read(&Source::OboGraph(Options::default()), &cut.0).expect_err("cut").to_string();
        assert!(error.contains("cut.json:2: "), "{error}");
        let bad = Scratch::new("bad.json", b"{\"graphs\":[{\"nodes\":[{\"id\":\"x\"}]}]}");
        let strict = Options { damage: Damage::Stop, ..Options::default() };
        let error = try_read(&Source::OboGraph(strict), &bad.0).expect_err("strict").to_string();
        assert!(error.contains("node 1"), "{error}");
    }
}
