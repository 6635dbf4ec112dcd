//! Semantic groups: what kind of thing a concept is, from the trees and types of its source.

use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use serde::{Deserialize, Serialize};

use super::Vocabulary;
use super::entry::{Concept, ConceptId, EntryId};

macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident = $key:literal;)*) => {
        /// What kind of thing a concept is. If a source puts a concept into several groups, the first in this order
        /// counts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum Group { $($(#[$doc])* $name,)* }

        impl Group {
            /// Every group, in order.
            pub const ALL: &'static [Group] = &[$(Group::$name,)*];

            /// Returns the name in results.
            pub const fn key(self) -> &'static str {
                match self { $(Group::$name => $key,)* }
            }
        }
    };
}

groups! {
    /// Diseases, injuries and abnormalities.
    Disorder = "disorder";
    /// Symptoms, signs and findings of an examination.
    Finding = "finding";
    /// Operations, treatments and tests.
    Procedure = "procedure";
    /// Drugs and other substances.
    Drug = "drug";
    /// Devices and supplies.
    Device = "device";
    /// Parts of the body.
    Anatomy = "anatomy";
    /// Living things.
    Organism = "organism";
    /// Roles and populations of people.
    Person = "person";
    /// Places.
    Place = "place";
    /// Functions of the body and the mind.
    Physiology = "physiology";
    /// Everything else.
    Other = "other";
    /// Vital signs and laboratory tests. No concept has only this group, because glucose is both measured and given;
    /// the context of a mention decides.
    Measurement = "measurement";
}

/// Concepts that say only that there is a disease.
pub(crate) const GENERIC_DISEASE_CONCEPTS: [&str; 7] =
    ["mondo:0000001", "mondo:0700096", "doid:4", "hp:0000001", "hp:0000118", "mesh:D004194", "mesh:D013577"];

impl Group {
    /// The groups that tables show by default: what a patient has, and what is done about it.
    pub const SHOWN: [Self; 5] = [Self::Disorder, Self::Finding, Self::Procedure, Self::Drug, Self::Measurement];

    /// Returns the group with this key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|group| group.key() == key)
    }

    /// Returns the group of a semantic type (TUI) of the UMLS, following the UMLS semantic groups.
    fn of_type(tui: &str) -> Option<Self> {
        let number: u16 = tui.strip_prefix('T')?.parse().ok()?;
        Some(match number {
            19 | 20 | 37 | 46 | 47 | 48 | 49 | 50 | 190 | 191 => Self::Disorder,
            33 | 34 | 184 => Self::Finding,
            58..=61 | 63 | 65 => Self::Procedure,
            103 | 104 | 109 | 114 | 116 | 118 | 119 | 120..=127 | 129 | 130 | 131 | 192 | 195..=197 | 200 => Self::Drug,
            74 | 75 | 203 => Self::Device,
            17 | 18 | 21..=26 | 29 | 30 | 31 => Self::Anatomy,
            1..=16 | 194 | 204 => match number {
                16 => Self::Person,
                _ => Self::Organism,
            },
            32 | 38..=45 | 70 | 71 | 201 => Self::Physiology,
            96..=101 => Self::Person,
            83 => Self::Place,
            _ => Self::Other,
        })
    }

    /// Returns the group of the semantic tag of a SNOMED CT name.
    fn of_tag(tag: &str) -> Option<Self> {
        Some(match tag {
            "disorder" | "morphologic abnormality" => Self::Disorder,
            "finding" => Self::Finding,
            "procedure" | "regime/therapy" => Self::Procedure,
            "substance" | "product" | "medicinal product" | "medicinal product form" | "clinical drug" => Self::Drug,
            "physical object" => Self::Device,
            "body structure" | "cell" | "cell structure" => Self::Anatomy,
            "organism" => Self::Organism,
            "observable entity" => Self::Physiology,
            "person" | "occupation" | "ethnic group" | "social concept" => Self::Person,
            "environment" | "environment / location" | "geographic location" => Self::Place,
            "situation" | "event" | "qualifier value" | "attribute" | "record artifact" => Self::Other,
            _ => return None,
        })
    }

    /// Returns the default group of a vocabulary without semantic types.
    fn of_system(curie: &str) -> Option<Self> {
        let (system, code) = curie.split_once(':')?;
        Some(match system {
            "doid" | "omim" | "orphanet" | "ordo" => Self::Disorder,
            "drugbank" | "rxnorm" | "atc" | "ndc" | "chebi" => Self::Drug,
            "loinc" | "cpt" | "hcpcs" | "icd10pcs" | "icd9proc" => Self::Procedure,
            "uberon" | "fma" | "cl" => Self::Anatomy,
            "ncbitaxon" => Self::Organism,
            "icd10cm" | "icd10" => match code.bytes().next()? {
                b'R' => Self::Finding,
                b'U'..=b'Z' => Self::Other,
                _ => Self::Disorder,
            },
            _ => return None,
        })
    }

    /// Returns the group of a concept from its own types, without its broader concepts.
    fn of_concept(concept: &Concept) -> Option<Self> {
        if GENERIC_DISEASE_CONCEPTS.contains(&concept.curie.as_str()) {
            return Some(Self::Other);
        }
        let types = || concept.types.iter();
        let of_types = if concept.curie.starts_with("mesh:") {
            Self::of_trees(&concept.types)
        } else {
            types().filter_map(|name| Self::of_type(name).or_else(|| Self::of_tag(name))).min()
        };
        of_types.or_else(|| Self::of_system(&concept.curie))
    }
}

/// Ontologies that also contain qualifiers ("rare", "left") besides diseases and abnormalities, with the roots of their
/// main branches and the group of each branch.
const ONTOLOGIES: [(&str, &[&str], Group); 3] = [
    ("mondo:", &["mondo:0000001", "mondo:0700096", "mondo:0042489"], Group::Disorder),
    // Neoplasms are diseases in every source.
    ("hp:", &["hp:0002664"], Group::Disorder),
    ("hp:", &["hp:0000118"], Group::Finding),
];
/// The maximum number of broader concepts to visit.
const MAX_BROADER_CONCEPTS: usize = 256;
/// The maximum number of steps up to find the group of a concept without a type of its own.
const MAX_STEPS_UP: usize = 4;

/// Returns an empty cache of `count` groups.
fn empty_cache(count: usize) -> Box<[AtomicU8]> {
    (0..count).map(|_| AtomicU8::new(0)).collect()
}

/// Returns a group from the cache, computing it on first use; [`Group::Other`] if `at` is out of range.
fn cached_group(all: &[AtomicU8], at: u32, find: impl FnOnce() -> Group) -> Group {
    let Some(known) = all.get(at as usize) else { return Group::Other };
    // 0: not computed yet.
    if let Some(&group) = usize::from(known.load(Relaxed)).checked_sub(1).and_then(|at| Group::ALL.get(at)) {
        return group;
    }
    let group = find();
    known.store(group as u8 + 1, Relaxed);
    group
}

impl Vocabulary {
    /// Returns the semantic group of a concept.
    ///
    /// # Examples
    ///
    /// ```
    /// use notesieve_vocabulary::Group;
    ///
    /// let vocabulary = notesieve_vocabulary::Vocabulary::from_static(notesieve_vocabularies::default_bytes())?;
    /// let fever = vocabulary.concept_of_curie("mesh:D005334").expect("Fever");
    /// assert_eq!(vocabulary.group(fever), Group::Finding);
    /// # Ok::<(), notesieve_text::Error>(())
    /// ```
    pub fn group(&self, id: ConceptId) -> Group {
        cached_group(self.0.groups.get_or_init(|| empty_cache(self.concept_count())), id.0, || {
            self.group_below(id, MAX_STEPS_UP)
        })
    }

    fn group_below(&self, id: ConceptId, left: usize) -> Group {
        let Some(concept) = self.concept_in_hierarchy(id) else { return Group::Other };
        let mut of_ontology = ONTOLOGIES.iter().filter(|(system, ..)| concept.curie.starts_with(system)).peekable();
        if of_ontology.peek().is_some() {
            let is_nothing = GENERIC_DISEASE_CONCEPTS.contains(&concept.curie.as_str());
            let found = of_ontology
                .find(|(_, roots, _)| roots.contains(&concept.curie.as_str()) || self.is_below(&concept, roots));
            return found.filter(|_| !is_nothing).map_or(Group::Other, |&(.., group)| group);
        }
        Group::of_concept(&concept).unwrap_or_else(|| {
            let parents = concept.parents.iter().filter(|_| left > 0).filter_map(|code| self.concept_of_curie(code));
            let of_parents = parents.map(|parent| self.group_below(parent, left - 1)).min();
            let is_bare = concept.types.is_empty() && concept.parents.is_empty() && concept.curie.starts_with("mesh:");
            of_parents
                .or_else(|| is_bare.then(|| self.group_of_name(&self.preferred_name(id))).flatten())
                .unwrap_or(Group::Other)
        })
    }

    /// Returns the group of a concept with a name only, as new `MeSH` headings in the package have: the group of that
    /// name in another source, otherwise of the longest suffix of the name that is a term (*Community-Acquired
    /// Pneumonia* is a pneumonia).
    fn group_of_name(&self, name: &str) -> Option<Group> {
        let natural = name.rsplit(", ").collect::<Vec<_>>().join(" ");
        let spaced = natural.replace('-', " ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        // The head is before the preposition and can be anything.
        if words.iter().any(|word| ["and", "as", "by", "for", "in", "of"].contains(word)) {
            return None;
        }
        (0..words.len()).find_map(|first| {
            let entry = self.entry_of(&words[first..].join(" "))?;
            let mut concepts = self.entry_concepts(entry).filter_map(|id| Some((id, self.concept_in_hierarchy(id)?)));
            let known = |(id, concept): (ConceptId, Concept)| {
                // "Therapy" alone is too general, "grief therapy" is not.
                if first > 0 && concept.types.iter().any(|number| number == "E02") {
                    return Some(Group::Procedure);
                }
                let of_ontology = ONTOLOGIES.iter().any(|(system, ..)| concept.curie.starts_with(system));
                if of_ontology { Some(self.group(id)) } else { Group::of_concept(&concept) }
            };
            concepts.find_map(known)
        })
    }

    /// Returns whether a concept is below one of the roots.
    fn is_below(&self, concept: &Concept, roots: &[&str]) -> bool {
        let mut waiting = concept.parents.clone();
        let mut seen: Vec<String> = Vec::new();
        while let Some(code) = waiting.pop() {
            if roots.contains(&code.as_str()) {
                return true;
            }
            if seen.contains(&code) || seen.len() > MAX_BROADER_CONCEPTS {
                continue;
            }
            let broader = self.concept_of_curie(&code).and_then(|id| self.concept_in_hierarchy(id));
            waiting.extend(broader.into_iter().flat_map(|one| one.parents));
            seen.push(code);
        }
        false
    }

    /// Returns the semantic group of an entry, which is that of its best concept. HPO does not separate diseases from
    /// signs and leaves some of them out of its main branch, so the group of another source takes precedence over
    /// HPO's.
    pub fn entry_group(&self, entry: EntryId) -> Group {
        cached_group(self.0.entry_groups.get_or_init(|| empty_cache(self.entry_count())), entry.0, || {
            self.group_of_entry(entry)
        })
    }

    fn group_of_entry(&self, entry: EntryId) -> Group {
        let mut groups = self.entry_concepts(entry).map(|id| (self.group(id), id));
        let Some((first, id)) = groups.next() else { return Group::Other };
        if !matches!(first, Group::Finding | Group::Other) || !self.curie(id).starts_with("hp:") {
            return first;
        }
        groups.next().map_or(first, |(second, _)| second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_other_vocabularies_have_a_group() {
        for (curie, types, expected) in [
            ("umls:C1", "T047", Some(Group::Disorder)),
            ("umls:C1", "T121", Some(Group::Drug)),
            ("snomed:1", "finding", Some(Group::Finding)),
            ("icd10cm:R05", "", Some(Group::Finding)),
            ("icd10cm:Z80", "", Some(Group::Other)),
            ("loinc:1", "CHEM", Some(Group::Procedure)),
            ("own:1", "", None),
        ] {
            let types = if types.is_empty() { vec![] } else { vec![types.to_owned()] };
            let concept =
                Concept { curie: curie.into(), preferred: String::new(), types, parents: vec![], same_as: vec![] };
            assert_eq!(Group::of_concept(&concept), expected, "{curie}");
        }
        assert!(Group::ALL.iter().all(|&group| Group::from_key(group.key()) == Some(group)));
    }
}
