//! Terms that begin with a modifier. Ontologies of findings have "severe periodontitis" and "recurrent meningitis" as
//! separate concepts; these also get the code of the disease itself in a vocabulary with higher priority.

use std::collections::{HashMap, HashSet};

use super::concepts::WrittenConcepts;
use super::{Compiler, FormKind};
use notesieve_text::words_of_file;

/// Words for severity, duration, frequency, onset or inheritance, which do not turn one disease into another.
const MODIFIERS: &[&str] = words_of_file!("../words/modifiers.txt");

/// The diseases of a vocabulary, by the units of their names.
pub(super) struct Diseases<'a> {
    of: HashMap<&'a [u32], u32>,
    modifiers: HashSet<u32>,
}

impl<'a> Diseases<'a> {
    /// Collects the diseases named by the `kept` forms, whose units are ranks in `alphabet`.
    pub(super) fn new(compiler: &'a Compiler, kept: &[u32], alphabet: &[u32], concepts: &WrittenConcepts) -> Self {
        let text = |word: u32| &*compiler.words[word as usize].text;
        let modifiers = (0..).zip(alphabet).filter(|&(_, &word)| MODIFIERS.contains(&text(word)));
        let modifiers = modifiers.map(|(rank, _)| rank).collect();
        let mut of = HashMap::new();
        for form in kept.iter().map(|&index| &compiler.forms[index as usize]) {
            let names = matches!(form.kind, FormKind::Preferred | FormKind::Synonym | FormKind::Variant);
            if names && concepts.is_disease(form.concept) {
                let id = concepts.ids[form.concept as usize];
                of.entry(compiler.units_of(form)).and_modify(|known: &mut u32| *known = id.min(*known)).or_insert(id);
            }
        }
        Self { of, modifiers }
    }

    /// Returns the disease that the units name after their modifiers; `None` if there is no modifier.
    pub(super) fn disease_without_modifiers(&self, units: &[u32]) -> Option<u32> {
        let first = units.iter().position(|unit| !self.modifiers.contains(unit)).filter(|&first| first > 0)?;
        self.of.get(&units[first..]).copied()
    }
}
