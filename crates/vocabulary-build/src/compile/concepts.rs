//! Collects concepts and writes them.
//!
//! Millions of concepts are in memory at once, so codes are stored as numbers from the start (see `codes`).

use std::collections::{HashMap, HashSet};

use super::{Result, too_large_error};
use crate::term::{Concept, Term, TermKind};
use notesieve_vocabulary::codes::{self, Code, LINKS, Link, push_links};
use notesieve_vocabulary::packed::Packer;

/// Systems that are ontologies of diseases and findings.
pub(super) const ONTOLOGIES: [&str; 6] = ["mondo", "doid", "hp", "omim", "orphanet", "ordo"];

/// A collected concept with the index of its system.
struct CollectedConcept {
    code: Code,
    name: Box<str>,
    links: Box<[(Link, Code)]>,
    system: u16,
    /// Whether a source has a record of the concept, not only terms.
    described: bool,
    /// Whether the name comes from a preferred term or a concept record.
    named: bool,
}

/// The stems of codes, numbered in order of first appearance.
#[derive(Default)]
struct Stems {
    texts: Vec<Box<str>>,
    ids: HashMap<Box<str>, u32>,
    buffer: String,
}

impl Stems {
    fn split_code(&mut self, text: &str) -> Code {
        let number = codes::split_stem(text, &mut self.buffer);
        let stem = self.ids.get(self.buffer.as_str()).copied().unwrap_or_else(|| {
            let stem = self.texts.len() as u32;
            self.texts.push(self.buffer.as_str().into());
            self.ids.insert(self.buffer.as_str().into(), stem);
            stem
        });
        Code { stem, number }
    }

    fn join_code(&self, code: Code) -> String {
        codes::join_stem(&self.texts[code.stem as usize], code.number)
    }
}

/// All concepts collected so far.
#[derive(Default)]
pub(super) struct CollectedConcepts {
    systems: Vec<(String, u32)>,
    system_ids: HashMap<String, u16>,
    stems: Stems,
    ids: HashMap<Code, u32>,
    data: Vec<CollectedConcept>,
    priority: u32,
    curie: String,
}

/// Concepts as sections of the file.
pub(super) struct WrittenConcepts {
    pub(super) count: usize,
    pub(super) codes: Vec<u8>,
    /// The first concept of each run of alphabetically sorted codes.
    pub(super) runs: Vec<u32>,
    pub(super) names: Vec<u8>,
    pub(super) links: Vec<u8>,
    pub(super) stems: Vec<u8>,
    /// The written id of each collected concept; `u32::MAX` for those that are not written.
    pub(super) ids: Vec<u32>,
    /// Pairs of written ids, sorted: a concept and an equivalent one in a vocabulary with higher priority.
    same: Vec<(u32, u32)>,
    /// The system of each concept, by written id.
    systems: Vec<u16>,
    /// The preferred name of each collected concept.
    texts: Vec<Box<str>>,
    /// Whether each collected concept is a chemical or drug in `MeSH`.
    substances: Vec<bool>,
    /// Whether each collected concept is a disease in `MeSH`.
    diseases: Vec<bool>,
}

impl WrittenConcepts {
    /// Returns the preferred name of a collected concept; empty if there is none.
    pub(super) fn preferred_name(&self, id: u32) -> &str {
        self.texts.get(id as usize).map_or("", |name| name)
    }

    /// Returns whether a collected concept is a chemical or drug in `MeSH`.
    pub(super) fn is_substance(&self, id: u32) -> bool {
        self.substances.get(id as usize).is_some_and(|&is| is)
    }

    /// Returns whether a collected concept is a disease in `MeSH`.
    pub(super) fn is_disease(&self, id: u32) -> bool {
        self.diseases.get(id as usize).is_some_and(|&is| is)
    }

    /// Returns whether a concept precedes all `others` and belongs to none of their systems; takes written ids.
    pub(super) fn comes_before(&self, id: u32, others: &[u32]) -> bool {
        let system = |id: u32| self.systems[id as usize];
        !others.is_empty() && others.iter().all(|&other| id < other && system(id) != system(other))
    }

    /// Returns the equivalents of a form's concepts in vocabularies with higher priority that lack the form, by written
    /// id. The relation is followed transitively, so that recompiling a vocabulary gives the same codes.
    pub(super) fn equivalents_in_preceding(&self, named: &[u32]) -> Vec<u32> {
        let mut all = named.to_vec();
        loop {
            let found = self.same_as(&all);
            if found.is_empty() {
                return all.split_off(named.len());
            }
            all.extend(found);
        }
    }

    fn same_as(&self, named: &[u32]) -> Vec<u32> {
        let of = |id: u32| {
            let first = self.same.partition_point(|&(one, _)| one < id);
            self.same[first..].iter().take_while(move |&&(one, _)| one == id).map(|&(_, other)| other)
        };
        let system = |id: u32| self.systems[id as usize];
        let stated = |other: u32| named.iter().any(|&id| system(id) == system(other));
        named.iter().flat_map(|&id| of(id)).filter(|&other| !stated(other)).collect()
    }
}

impl CollectedConcepts {
    /// Sets the priority of a system; the lowest of several values applies.
    pub(super) fn set_priority(&mut self, system: &str, priority: u32) {
        self.priority = priority;
        let id = self.system_id(system);
        let known = &mut self.systems[id as usize].1;
        *known = priority.min(*known);
    }

    fn system_id(&mut self, name: &str) -> u16 {
        if let Some(&id) = self.system_ids.get(name) {
            return id;
        }
        let id = self.systems.len() as u16;
        self.systems.push((name.to_owned(), self.priority));
        self.system_ids.insert(name.to_owned(), id);
        id
    }

    fn concept_id(&mut self, system: &str, code: &str) -> u32 {
        self.curie.clear();
        if !system.is_empty() {
            self.curie.push_str(system);
            self.curie.push(':');
        }
        self.curie.push_str(code);
        let code = self.stems.split_code(&self.curie);
        if let Some(&id) = self.ids.get(&code) {
            return id;
        }
        let system = self.system_id(system);
        let id = self.data.len() as u32;
        self.ids.insert(code, id);
        let (name, links) = (Box::default(), Box::default());
        self.data.push(CollectedConcept { code, name, links, system, described: false, named: false });
        id
    }

    /// Returns the number of concepts collected so far.
    pub(super) fn len(&self) -> usize {
        self.data.len()
    }

    /// Adds the concept record of a source.
    pub(super) fn add(&mut self, concept: Concept) {
        let id = self.concept_id(&concept.system, &concept.code);
        let data = &mut self.data[id as usize];
        data.described = true;
        if !concept.preferred.is_empty() && !data.named {
            data.name = concept.preferred.into();
            data.named = true;
        }
        let known = std::mem::take(&mut data.links);
        let mut links = Vec::with_capacity(known.len());
        for (kind, new) in LINKS.into_iter().zip([concept.types, concept.parents, concept.same_as]) {
            let mut texts: Vec<String> = new.into_iter().filter(|text| !text.is_empty()).collect();
            texts.extend(known.iter().filter(|link| link.0 == kind).map(|link| self.stems.join_code(link.1)));
            texts.sort_unstable();
            texts.dedup();
            links.extend(texts.iter().map(|text| (kind, self.stems.split_code(text))));
        }
        self.data[id as usize].links = links.into();
    }

    /// Returns the id of the concept of a term, and uses the term as its name if there is no better one.
    pub(super) fn concept_named_by(&mut self, term: &Term) -> u32 {
        let id = self.concept_id(&term.system, &term.code);
        let data = &mut self.data[id as usize];
        if !data.named && (data.name.is_empty() || term.kind == TermKind::Preferred) {
            data.name = term.text.as_str().into();
            data.named = term.kind == TermKind::Preferred;
        }
        id
    }

    /// Returns whether all tree numbers of a `MeSH` concept are in the tree of places (Z), and whether any is in the
    /// tree of organisms (B).
    pub(super) fn mesh_branches(&self, id: u32) -> (bool, bool) {
        let of_mesh = |data: &&CollectedConcept| self.systems[data.system as usize].0 == "mesh";
        let Some(data) = self.data.get(id as usize).filter(of_mesh) else {
            return (false, false);
        };
        let in_branch = |number: &String, branch: u8| {
            number.as_bytes().first() == Some(&branch) && number.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
        };
        let types: Vec<String> =
            data.links.iter().filter(|link| link.0 == Link::Type).map(|link| self.stems.join_code(link.1)).collect();
        let places = !types.is_empty() && types.iter().all(|number| in_branch(number, b'Z'));
        (places, types.iter().any(|number| in_branch(number, b'B')))
    }

    /// Returns whether a concept is a `MeSH` chemical or drug (D).
    fn is_substance(&self, data: &CollectedConcept) -> bool {
        data.links.iter().any(|link| link.0 == Link::Type && self.stems.texts[link.1.stem as usize].starts_with('D'))
    }

    /// Returns whether a concept is a `MeSH` disease (C) or mental disorder (F03).
    fn is_disease(&self, data: &CollectedConcept) -> bool {
        let stem = |code: Code| &self.stems.texts[code.stem as usize];
        data.links
            .iter()
            .any(|link| link.0 == Link::Type && (stem(link.1).starts_with('C') || stem(link.1).starts_with("F03")))
            && self.systems[data.system as usize].0 == "mesh"
    }

    /// Returns pairs of an ontology concept and its equivalent in another system. The sources state them: one names the
    /// other, or both name the same UMLS concept. If that gives several concepts of one system, none counts. Other
    /// sources also name concepts that are only broader (`DrugBank` names the classes of a drug), so their drugs are
    /// matched by name only.
    fn same_concepts(&self) -> Vec<(u32, u32)> {
        let of = |data: &CollectedConcept| {
            let claims = ONTOLOGIES.contains(&self.systems[data.system as usize].0.as_str());
            let same = data.links.iter().filter(|link| claims && link.0 == Link::SameAs);
            same.map(|link| link.1).collect::<Vec<_>>()
        };
        let mut named = self.drugs_of_mesh();
        let umls: Vec<bool> = self.stems.texts.iter().map(|stem| stem.starts_with("umls:")).collect();
        let mut curie_of_umls: HashMap<Code, Vec<u32>> = HashMap::new();
        for (id, data) in (0..).zip(&self.data) {
            let codes = of(data);
            let others: Vec<u32> = codes.iter().filter_map(|code| self.ids.get(code).copied()).collect();
            for code in codes.iter().filter(|code| !others.is_empty() && umls[code.stem as usize]) {
                curie_of_umls.entry(*code).or_default().extend(&others);
            }
            named.extend(others.into_iter().map(|other| (id, other)));
        }
        let of_data = |id: u32| &self.data[id as usize];
        let mut shared = Vec::new();
        for (id, data) in (0..).zip(&self.data) {
            let all = of(data).into_iter().filter_map(|code| curie_of_umls.get(&code)).flatten();
            shared.extend(all.map(|&other| (id, other)));
        }
        let single = |mut pairs: Vec<(u32, u32)>| {
            pairs.sort_unstable_by_key(|&(id, other)| (id, of_data(other).system, other));
            pairs.dedup();
            let one_of_its_system = |pairs: &[(u32, u32)]| match *pairs {
                [(id, other)] if of_data(id).system != of_data(other).system => Some((id, other)),
                _ => None,
            };
            let groups = pairs.chunk_by(|a, b| a.0 == b.0 && of_data(a.1).system == of_data(b.1).system);
            groups.filter_map(one_of_its_system).collect::<Vec<_>>()
        };
        let mut same = single(named);
        let known: HashSet<(u32, u16)> = same.iter().map(|&(id, other)| (id, of_data(other).system)).collect();
        same.extend(single(shared).into_iter().filter(|&(id, other)| !known.contains(&(id, of_data(other).system))));
        same
    }

    /// Returns pairs of a `DrugBank` drug and the `MeSH` drug of the same name, so that a brand in only one of them
    /// gets both codes.
    fn drugs_of_mesh(&self) -> Vec<(u32, u32)> {
        let of = |system: &'static str| {
            let is_of = move |data: &CollectedConcept| self.systems[data.system as usize].0 == system && data.named;
            (0..).zip(&self.data).filter(move |(_, data)| is_of(data))
        };
        let of_mesh = of("mesh").filter(|(_, data)| self.is_substance(data));
        let names: HashMap<String, u32> = of_mesh.map(|(id, data)| (data.name.to_lowercase(), id)).collect();
        of("drugbank").filter_map(|(id, data)| Some((id, *names.get(&data.name.to_lowercase())?))).collect()
    }

    /// Writes the concepts that have a record or, according to `used`, a term.
    pub(super) fn write(mut self, used: &[bool]) -> Result<WrittenConcepts> {
        let same = self.same_concepts();
        let substances = self.data.iter().map(|data| self.is_substance(data)).collect();
        let diseases = self.data.iter().map(|data| self.is_disease(data)).collect();
        self.ids = HashMap::new();
        let kept = self.written_order(used);
        let mut ids = vec![u32::MAX; self.data.len()];
        let (mut codes, mut runs) = (Packer::default(), Vec::new());
        let mut last = None;
        for (new, (code, old)) in (0_u32..).zip(&kept) {
            ids[*old as usize] = new;
            codes.push_text(code);
            if last.is_none_or(|last| last > code) {
                runs.push(new);
            }
            last = Some(code);
        }
        let kept: Vec<u32> = kept.into_iter().map(|(_, id)| id).collect();
        let same = convert_to_written_ids(&same, &ids);
        let (stems, numbers) = self.pack_stems(&kept);
        let (names, links) = self.pack_descriptions(&kept, &numbers);
        let whole =
            |packer: Packer| packer.finish().ok_or_else(|| too_large_error("bytes of names", u32::MAX as usize));
        Ok(WrittenConcepts {
            count: kept.len(),
            codes: whole(codes)?,
            runs,
            names: whole(names)?,
            links: whole(links)?,
            stems: whole(stems)?,
            ids,
            same,
            substances,
            diseases,
            systems: kept.iter().map(|&id| self.data[id as usize].system).collect(),
            texts: self.data.into_iter().map(|data| data.name).collect(),
        })
    }

    /// Returns the codes and collected ids of the concepts to write, ordered by source, then by code.
    fn written_order(&self, used: &[bool]) -> Vec<(String, u32)> {
        let mut kept: Vec<(u32, &str, String, u32)> = Vec::with_capacity(self.data.len());
        for (id, data) in (0..).zip(&self.data).filter(|&(id, data)| data.described || used[id as usize]) {
            let (system, priority) = &self.systems[data.system as usize];
            kept.push((*priority, system, self.stems.join_code(data.code), id));
        }
        kept.sort_unstable();
        kept.into_iter().map(|(_, _, code, id)| (code, id)).collect()
    }

    /// Packs the stems of all links of these concepts in alphabetical order; also returns the new index of each
    /// collected stem.
    fn pack_stems(&self, kept: &[u32]) -> (Packer, Vec<u32>) {
        let mut linked = vec![false; self.stems.texts.len()];
        for link in kept.iter().flat_map(|&id| &self.data[id as usize].links) {
            linked[link.1.stem as usize] = true;
        }
        let mut order: Vec<u32> = (0..linked.len() as u32).filter(|&stem| linked[stem as usize]).collect();
        order.sort_unstable_by_key(|&stem| &self.stems.texts[stem as usize]);
        let mut stems = Packer::default();
        let mut numbers = vec![0_u32; linked.len()];
        for (new, &old) in (0..).zip(&order) {
            numbers[old as usize] = new;
            stems.push_text(&self.stems.texts[old as usize]);
        }
        (stems, numbers)
    }

    /// Packs the names and links of these concepts; `numbers` holds the indices of stems.
    fn pack_descriptions(&self, kept: &[u32], numbers: &[u32]) -> (Packer, Packer) {
        let (mut names, mut links) = (Packer::default(), Packer::default());
        let mut record = Vec::new();
        for data in kept.iter().map(|&id| &self.data[id as usize]) {
            names.push_text(&data.name);
            record.clear();
            for kind in LINKS {
                let of_kind: Vec<Code> = data
                    .links
                    .iter()
                    .filter(|link| link.0 == kind)
                    .map(|&(_, Code { stem, number })| Code { stem: numbers[stem as usize], number })
                    .collect();
                push_links(&mut record, of_kind.into_iter());
            }
            links.push_record(&record);
        }
        (names, links)
    }
}

/// Converts pairs of equivalent concepts to written ids. Keeps only pairs whose second concept precedes the first; the
/// forms of the sources give the others.
fn convert_to_written_ids(same: &[(u32, u32)], ids: &[u32]) -> Vec<(u32, u32)> {
    let written = same.iter().map(|&(id, other)| (ids[id as usize], ids[other as usize]));
    let mut same: Vec<(u32, u32)> = written.filter(|&(id, other)| id != u32::MAX && other < id).collect();
    same.sort_unstable();
    same.dedup();
    same
}
