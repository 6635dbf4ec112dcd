//! The words within a distance of one word, for the search of `search`.

use std::sync::LazyLock;

use fst::automaton::Automaton;
use levenshtein_automata::{DFA, Distance, LevenshteinAutomatonBuilder};

/// Longer texts are not searched for: their automata would take many megabytes.
const LONGEST: usize = 126;

/// What makes automata of up to two edits, by their number.
static BUILDERS: LazyLock<[LevenshteinAutomatonBuilder; 3]> =
    LazyLock::new(|| [0, 1, 2].map(|distance| LevenshteinAutomatonBuilder::new(distance, false)));

/// The automaton of all texts within a distance of one, at most two; `None` for a text that is too long.
pub(crate) fn levenshtein_automaton(text: &str, distance: u8) -> Option<DFA> {
    (text.chars().count() <= LONGEST).then(|| BUILDERS[usize::from(distance.min(2))].build_dfa(text))
}

/// The distance of what an automaton has read, if it is within its own.
pub(crate) fn distance_of(automaton: &DFA, state: u32) -> Option<u8> {
    match automaton.distance(state) {
        Distance::Exact(distance) => Some(distance),
        Distance::AtLeast(_) => None,
    }
}

/// Accepts every beginning of what another automaton may accept.
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
