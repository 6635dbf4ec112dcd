//! Concepts while they are collected, and how they are written.

use std::collections::HashMap;

use super::{Result, too_large};
use crate::vocabulary::format::ConceptRecord;
use crate::vocabulary::term::{Concept, Term, TermKind};

/// A concept with the rank of its system.
struct Data {
    system: u16,
    concept: Concept,
    /// A source says more of it than its terms.
    described: bool,
    /// The preferred name comes from a term or record that says so.
    named: bool,
}

/// Everything that is known of concepts.
#[derive(Default)]
pub(super) struct Collected {
    systems: Vec<(String, u32)>,
    system_ids: HashMap<String, u16>,
    ids: HashMap<(u16, String), u32>,
    data: Vec<Data>,
    priority: u32,
}

/// Concepts as sections of the file.
pub(super) struct Written {
    pub(super) records: Vec<ConceptRecord>,
    pub(super) order: Vec<u32>,
    pub(super) lists: Vec<u32>,
    pub(super) string_starts: Vec<u32>,
    pub(super) strings: Vec<u8>,
    /// The written id of each collected concept; `u32::MAX` for those that nothing says anything of.
    pub(super) ids: Vec<u32>,
}

impl Collected {
    /// Sets the priority of a system; the best of several counts.
    pub(super) fn prioritise(&mut self, system: &str, priority: u32) {
        self.priority = priority;
        let id = self.system(system);
        let known = &mut self.systems[id as usize].1;
        *known = priority.min(*known);
    }

    fn system(&mut self, name: &str) -> u16 {
        if let Some(&id) = self.system_ids.get(name) {
            return id;
        }
        let id = self.systems.len() as u16;
        self.systems.push((name.to_owned(), self.priority));
        self.system_ids.insert(name.to_owned(), id);
        id
    }

    fn id(&mut self, system: &str, code: &str) -> u32 {
        let system_id = self.system(system);
        let key = (system_id, code.to_owned());
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let id = self.data.len() as u32;
        self.ids.insert(key, id);
        // The system is known by its number: its name again in each of millions would take more than the code.
        let concept = Concept { code: code.to_owned(), ..Concept::default() };
        self.data.push(Data { system: system_id, concept, described: false, named: false });
        id
    }

    /// How many concepts were named so far.
    pub(super) fn len(&self) -> usize {
        self.data.len()
    }

    fn curie(&self, data: &Data) -> String {
        let (system, code) = (&self.systems[data.system as usize].0, &data.concept.code);
        if system.is_empty() { code.clone() } else { format!("{system}:{code}") }
    }

    /// Takes what a source says of a concept.
    pub(super) fn add(&mut self, concept: Concept) {
        let id = self.id(&concept.system, &concept.code);
        let data = &mut self.data[id as usize];
        data.described = true;
        if !concept.preferred.is_empty() && !data.named {
            data.concept.preferred = concept.preferred;
            data.named = true;
        }
        for (known, new) in [
            (&mut data.concept.types, concept.types),
            (&mut data.concept.parents, concept.parents),
            (&mut data.concept.same_as, concept.same_as),
        ] {
            known.extend(new.into_iter().filter(|item| !item.is_empty()));
            known.sort_unstable();
            known.dedup();
        }
    }

    /// The concept that a term names.
    pub(super) fn named(&mut self, term: &Term) -> u32 {
        let id = self.id(&term.system, &term.code);
        let data = &mut self.data[id as usize];
        if !data.named && (data.concept.preferred.is_empty() || term.kind == TermKind::Preferred) {
            data.concept.preferred.clone_from(&term.text);
            data.named = term.kind == TermKind::Preferred;
        }
        id
    }

    /// Whether a concept of `MeSH` stands only in the tree of places (Z), or in the tree of organisms (B).
    pub(super) fn mesh_branches(&self, id: u32) -> (bool, bool) {
        let of_mesh = |data: &&Data| self.systems[data.system as usize].0 == "mesh";
        let Some(data) = self.data.get(id as usize).filter(of_mesh) else {
            return (false, false);
        };
        let in_branch = |number: &String, branch: u8| {
            number.as_bytes().first() == Some(&branch) && number.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
        };
        let types = &data.concept.types;
        let places = !types.is_empty() && types.iter().all(|number| in_branch(number, b'Z'));
        (places, types.iter().any(|number| in_branch(number, b'B')))
    }

    /// Writes the concepts that have a description or, as `used` says, a term.
    pub(super) fn write(mut self, used: &[bool]) -> Result<Written> {
        self.ids = HashMap::new();
        let mut kept: Vec<u32> =
            (0..self.data.len() as u32).filter(|&id| self.data[id as usize].described || used[id as usize]).collect();
        let key = |id: u32| {
            let data = &self.data[id as usize];
            let (system, priority) = &self.systems[data.system as usize];
            (*priority, system, &data.concept.code)
        };
        kept.sort_unstable_by(|&a, &b| key(a).cmp(&key(b)));
        let mut ids = vec![u32::MAX; self.data.len()];
        for (new, &old) in kept.iter().enumerate() {
            ids[old as usize] = new as u32;
        }

        let curies: Vec<String> = kept.iter().map(|&id| self.curie(&self.data[id as usize])).collect();
        let mut strings: Vec<&str> = curies.iter().map(String::as_str).collect();
        for &id in &kept {
            let concept = &self.data[id as usize].concept;
            strings.push(&concept.preferred);
            for list in [&concept.types, &concept.parents, &concept.same_as] {
                strings.extend(list.iter().map(String::as_str));
            }
        }
        strings.sort_unstable();
        strings.dedup();
        let find = |text: &str| strings.binary_search(&text).unwrap_or_default() as u32;

        let mut records = Vec::with_capacity(kept.len() + 1);
        let mut lists = Vec::new();
        for (&id, code) in kept.iter().zip(&curies) {
            let concept = &self.data[id as usize].concept;
            let few = |list: &[String]| list.len().min(u16::MAX as usize);
            let (types, parents) = (few(&concept.types), few(&concept.parents));
            records.push(ConceptRecord {
                curie: find(code),
                preferred: find(&concept.preferred),
                lists: lists.len() as u32,
                types: types as u16,
                parents: parents as u16,
                same_as: concept.same_as.len() as u32,
            });
            lists.extend(concept.types[..types].iter().map(|item| find(item)));
            lists.extend(concept.parents[..parents].iter().map(|item| find(item)));
            lists.extend(concept.same_as.iter().map(|item| find(item)));
        }
        let mut order: Vec<u32> = (0..records.len() as u32).collect();
        order.sort_unstable_by_key(|&id| (records[id as usize].curie, id));

        let total: usize = strings.iter().map(|text| text.len()).sum();
        if total > u32::MAX as usize || lists.len() > u32::MAX as usize {
            return Err(too_large("bytes of names", u32::MAX as usize));
        }
        let mut string_starts = Vec::with_capacity(strings.len() + 1);
        let mut bytes = Vec::with_capacity(total);
        for text in &strings {
            string_starts.push(bytes.len() as u32);
            bytes.extend_from_slice(text.as_bytes());
        }
        string_starts.push(bytes.len() as u32);
        Ok(Written { records, order, lists, string_starts, strings: bytes, ids })
    }
}
