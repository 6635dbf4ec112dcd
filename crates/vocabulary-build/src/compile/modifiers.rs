//! Terms that a modifier begins: "severe periodontitis" and "recurrent meningitis", which ontologies of findings have as concepts of their
//! own, are also the disease that the vocabulary before them has.

use std::collections::{HashMap, HashSet};

use super::concepts::WrittenConcepts;
use super::{Compiler, Purpose};
use notesieve_text::words_of_file;

/// Words that say how severe, how long, how often, from when on or by which inheritance, and change no disease into another.
const MODIFIERS: &[&str] = words_of_file!("../words/modifiers.txt");

/// The diseases of a vocabulary, by the units of their names.
pub(super) struct Diseases<'a> {
    of: HashMap<&'a [u32], u32>,
    modifiers: HashSet<u32>,
}

impl<'a> Diseases<'a> {
    /// What `kept` forms name; their units are ranks in `alphabet`.
    pub(super) fn new(compiler: &'a Compiler, kept: &[u32], alphabet: &[u32], concepts: &WrittenConcepts) -> Self {
        let text = |word: u32| &*compiler.words[word as usize].text;
        let modifiers = (0..).zip(alphabet).filter(|&(_, &word)| MODIFIERS.contains(&text(word)));
        let modifiers = modifiers.map(|(rank, _)| rank).collect();
        let mut of = HashMap::new();
        for form in kept.iter().map(|&index| &compiler.forms[index as usize]) {
            let names = matches!(form.purpose, Purpose::Preferred | Purpose::Synonym | Purpose::Variant);
            if names && concepts.is_disease(form.concept) {
                let id = concepts.ids[form.concept as usize];
                of.entry(compiler.units_of(form)).and_modify(|known: &mut u32| *known = id.min(*known)).or_insert(id);
            }
        }
        Self { of, modifiers }
    }

    /// The disease that units name after their modifiers.
    pub(super) fn disease_without_modifiers(&self, units: &[u32]) -> Option<u32> {
        let first = units.iter().position(|unit| !self.modifiers.contains(unit)).filter(|&first| first > 0)?;
        self.of.get(&units[first..]).copied()
    }
}
