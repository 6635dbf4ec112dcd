//! Levenshtein automata for the fuzzy lookup in `search`.

use std::sync::LazyLock;

use fst::automaton::Automaton;
use levenshtein_automata::{DFA, Distance, LevenshteinAutomatonBuilder};

/// The maximum length of a text: the automata of longer texts would take many megabytes.
const MAX_CHARACTERS: usize = 126;

/// The builders of automata for zero to two edits, by number of edits.
static BUILDERS: LazyLock<[LevenshteinAutomatonBuilder; 3]> =
    LazyLock::new(|| [0, 1, 2].map(|distance| LevenshteinAutomatonBuilder::new(distance, false)));

/// Returns the automaton of all texts within `distance` (at most 2) of a text, or `None` if the text is too long.
pub(crate) fn levenshtein_automaton(text: &str, distance: u8) -> Option<DFA> {
    (text.chars().count() <= MAX_CHARACTERS).then(|| BUILDERS[usize::from(distance.min(2))].build_dfa(text))
}

/// Returns the distance of a state, or `None` if it exceeds the automaton's maximum.
pub(crate) fn distance_of(automaton: &DFA, state: u32) -> Option<u8> {
    match automaton.distance(state) {
        Distance::Exact(distance) => Some(distance),
        Distance::AtLeast(_) => None,
    }
}

/// Accepts every prefix of the texts that another automaton accepts.
pub(crate) struct StartsWith<'a>(pub &'a DFA);

impl Automaton for StartsWith<'_> {
    type State = u32;

    fn start(&self) -> u32 {
        self.0.initial_state()
    }

    fn is_match(&self, state: &u32) -> bool {
        self.0.can_match(state)
    }

    fn can_match(&self, state: &u32) -> bool {
        self.0.can_match(state)
    }

    fn accept(&self, state: &u32, byte: u8) -> u32 {
        self.0.transition(*state, byte)
    }
}
