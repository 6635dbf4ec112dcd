//! Broader and narrower concepts, and equivalent concepts in other systems, as the sources link them.

use std::collections::{HashMap, HashSet};

use super::Vocabulary;
use super::class::Class;
use super::codes::{Code, Link, code_of_text, for_each_link, split_stem};
use super::entry::ConceptId;
use super::format::Section;
use super::group::{GENERIC_DISEASE_CONCEPTS, Group};

/// The maximum number of steps up to a concept of another system; beyond that it is too general.
const MAX_STEPS_UP: usize = 2;

/// The narrower concepts of all concepts in one array, with the start of each concept's part.
#[derive(Debug, Default)]
pub(crate) struct Children {
    starts: Vec<u32>,
    ids: Vec<u32>,
}

impl Children {
    fn children_of(&self, id: ConceptId) -> &[u32] {
        let border = |at: usize| self.starts.get(at).map(|&start| start as usize);
        let range = border(id.0 as usize).zip(border(id.0 as usize + 1)).map_or(0..0, |(start, end)| start..end);
        self.ids.get(range).unwrap_or_default()
    }
}

impl Vocabulary {
    /// Returns the broader concepts in the vocabulary, in the order of their codes.
    pub fn broader(&self, id: ConceptId) -> Vec<ConceptId> {
        let concept = self.concept(id);
        concept.iter().flat_map(|concept| &concept.parents).filter_map(|code| self.concept_of_curie(code)).collect()
    }

    /// Returns the narrower concepts. The first call scans all concepts.
    pub fn narrower(&self, id: ConceptId) -> Vec<ConceptId> {
        self.children().children_of(id).iter().map(|&id| ConceptId(id)).collect()
    }

    /// Returns all concepts below one, nearest first and each once; cycles in the sources are harmless.
    pub fn descendants(&self, id: ConceptId) -> Vec<ConceptId> {
        let children = self.children();
        let mut seen = HashSet::from([id.0]);
        let mut found: Vec<ConceptId> = Vec::new();
        let mut next = 0;
        let mut at = id;
        loop {
            found.extend(
                children.children_of(at).iter().filter(|&&child| seen.insert(child)).map(|&child| ConceptId(child)),
            );
            let Some(&below) = found.get(next) else { return found };
            at = below;
            next += 1;
        }
    }

    /// Returns the equivalent concepts of other systems, linked in either direction. The first call scans all
    /// concepts.
    pub fn cross_references(&self, id: ConceptId) -> Vec<ConceptId> {
        let Some(concept) = self.concept(id) else { return Vec::new() };
        let mut found: Vec<ConceptId> = concept.same_as.iter().filter_map(|code| self.concept_of_curie(code)).collect();
        if let Some(code) = self.packed(Section::Stems).and_then(|stems| code_of_text(stems, &concept.curie)) {
            let same = self.same_as();
            let first = same.partition_point(|&(other, _)| other < code);
            let named = same[first..].iter().take_while(|&&(other, _)| other == code);
            found.extend(named.map(|&(_, by)| ConceptId(by)));
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|&other| other != id);
        found
    }

    /// Returns the closest concept of a system: the concept itself, its equivalent, or that of a broader concept at
    /// most two steps up. If the nearest level has several, or no level has one, the disease at the end of its name:
    /// "renal hamartoma" is a hamartoma. `None` if there is none, or if it says only that there is a disease.
    pub fn nearest(&self, id: ConceptId, system: &str) -> Option<ConceptId> {
        let of_system = |curie: &str| curie.strip_prefix(system).is_some_and(|rest| rest.starts_with(':'));
        let named = |concept: super::Concept| {
            let of_system = |code: &&String| of_system(code) && !GENERIC_DISEASE_CONCEPTS.contains(&code.as_str());
            if of_system(&&concept.curie) {
                return vec![concept.curie];
            }
            concept.same_as.iter().filter(of_system).cloned().collect()
        };
        let mut level = vec![id];
        for _ in 0..=MAX_STEPS_UP {
            let concepts = level.iter().filter_map(|&id| self.concept(id));
            let mut found: Vec<ConceptId> =
                concepts.flat_map(named).filter_map(|code| self.concept_of_curie(&code)).collect();
            found.sort_unstable();
            found.dedup();
            if let Some(&first) = found.first() {
                return if found.len() == 1 { Some(first) } else { self.disorder_at_end_of_name(id, system) };
            }
            level = level.iter().flat_map(|&id| self.broader(id)).collect();
        }
        self.disorder_at_end_of_name(id, system)
    }

    /// Returns the longest suffix of a concept's name that is a disorder of the system. A name with a stop word does
    /// not end in its head.
    fn disorder_at_end_of_name(&self, id: ConceptId, system: &str) -> Option<ConceptId> {
        let name = self.preferred_name(id);
        let words: Vec<&str> = name.split(' ').collect();
        let is_joined =
            words.iter().any(|word| self.classes(self.word_id(word.to_lowercase().as_bytes())).has(Class::Stop));
        let of_system = |curie: &str| curie.strip_prefix(system).is_some_and(|rest| rest.starts_with(':'));
        let is_disorder = |&id: &ConceptId| {
            let curie = self.curie(id);
            of_system(&curie)
                && !GENERIC_DISEASE_CONCEPTS.contains(&curie.as_str())
                && self.group(id) == Group::Disorder
        };
        // "Deficiency" alone means lack of food.
        let says_nothing = |&word: &&str| matches!(word, "deficiency" | "deficiencies");
        let last = words.len() - usize::from(words.last().is_some_and(says_nothing));
        let mut ends = (1..last).filter(|_| !is_joined).filter_map(|at| self.entry_of(&words[at..].join(" ")));
        ends.find_map(|entry| self.entry_concepts(entry).find(is_disorder))
    }

    /// Returns pairs of a code and a concept that names it as equivalent, sorted.
    fn same_as(&self) -> &[(Code, u32)] {
        self.0.same_as.get_or_init(|| {
            let mut same = Vec::new();
            if let Some(links) = self.packed(Section::Links) {
                links.for_each_record(|id, record| {
                    for_each_link(record, |kind, code| {
                        if kind == Link::SameAs {
                            same.push((code, id as u32));
                        }
                    });
                });
            }
            same.sort_unstable();
            same.into()
        })
    }

    fn children(&self) -> &Children {
        self.0.children.get_or_init(|| {
            let sections = [Section::Codes, Section::Links, Section::Stems].map(|section| self.packed(section));
            let [Some(codes), Some(links), Some(stems)] = sections else { return Children::default() };
            // Codes are compared by stem and number, so no link needs formatting as text.
            let mut numbers = HashMap::new();
            stems.for_each_text(|at, stem| {
                numbers.insert(stem.to_owned(), at as u32);
            });
            let mut ids: HashMap<Code, u32> = HashMap::new();
            let mut stem = String::new();
            codes.for_each_text(|id, text| {
                let number = split_stem(text, &mut stem);
                if let Some(&stem) = numbers.get(&stem) {
                    ids.insert(Code { stem, number }, id as u32);
                }
            });
            let mut pairs: Vec<(u32, u32)> = Vec::new();
            links.for_each_record(|id, record| {
                for_each_link(record, |kind, code| {
                    if kind == Link::Parent
                        && let Some(&parent) = ids.get(&code)
                    {
                        pairs.push((parent, id as u32));
                    }
                });
            });
            pairs.sort_unstable();
            pairs.dedup();
            let mut starts = vec![0_u32; codes.len() + 1];
            for &(parent, _) in &pairs {
                starts[parent as usize + 1] += 1;
            }
            for at in 1..starts.len() {
                starts[at] += starts[at - 1];
            }
            Children { starts, ids: pairs.into_iter().map(|(_, id)| id).collect() }
        })
    }
}
