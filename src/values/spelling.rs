//! Phrases without blanks, as the lists of this module spell them: `mm Hg` is `mmhg`, `q 6 h` is `q6h`.

use crate::note::Note;
use crate::text::lists::BundledList;
use crate::text::normalize::Normalized;
use crate::text::token::{Gap, Kind};

/// The maximum number of tokens of a spelling.
const MAX_TOKENS: usize = 9;

/// A map from spellings to meanings: a trie over bytes.
#[derive(Clone, Debug)]
pub(super) struct Spellings<T> {
    /// The nodes; the first is the root.
    nodes: Vec<Node<T>>,
}

/// A prefix of spellings.
#[derive(Clone, Debug)]
struct Node<T> {
    /// The child nodes by their byte, sorted.
    next: Vec<(u8, u32)>,
    /// The meaning of the spelling that ends here.
    meaning: Option<T>,
}

impl<T> Node<T> {
    const EMPTY: Self = Self { next: Vec::new(), meaning: None };

    fn child(&self, byte: u8) -> Result<u32, usize> {
        self.next.binary_search_by_key(&byte, |&(byte, _)| byte).map(|place| self.next[place].1)
    }
}

impl<T> Default for Spellings<T> {
    fn default() -> Self {
        Self { nodes: vec![Node::EMPTY] }
    }
}

impl<T: Copy> Spellings<T> {
    /// Adds a spelling, unless it has a meaning already.
    pub(super) fn add(&mut self, spelling: &str, of: T) {
        let mut at = 0;
        for byte in spelling.bytes() {
            at = match self.nodes[at].child(byte) {
                Ok(next) => next as usize,
                Err(place) => {
                    let new = self.nodes.len();
                    self.nodes[at].next.insert(place, (byte, new as u32));
                    self.nodes.push(Node::EMPTY);
                    new
                }
            };
        }
        self.nodes[at].meaning.get_or_insert(of);
    }

    /// Returns the meaning of a spelling.
    pub(super) fn get(&self, spelling: &str) -> Option<T> {
        self.nodes[self.follow(0, spelling)?].meaning
    }

    /// Returns the node that further bytes lead to, if any spelling continues with them.
    fn follow(&self, from: usize, more: &str) -> Option<usize> {
        more.bytes().try_fold(from, |at, byte| self.nodes[at].child(byte).ok().map(|next| next as usize))
    }

    /// Returns the meaning of the longest spelling that begins at a token, and its end (exclusive). It stays on its
    /// line, consists of tokens that are `kept`, and does not end inside a run of letters and digits.
    pub(super) fn longest_spelling(
        &self,
        note: &Note<'_>,
        first: usize,
        kept: impl Fn(usize) -> bool,
    ) -> Option<(T, usize)> {
        let (mut prefix, mut found) = (0, None);
        for at in first..first + MAX_TOKENS {
            let Some(next) = self.follow(prefix, note.word(at)) else { break };
            let token = note.token(at);
            let goes_on = at == first || token.gap <= Gap::Space || token.gap == Gap::Line && !token.border_before();
            // `mg s.c.`: a letter of another abbreviation is not a plural.
            let dotted = note.width(at) == 1 && note.is_mark(at + 1, b'.') && note.joined(at + 1);
            let is_abbreviation = found.is_some() && token.gap != Gap::None && note.is_word(at) && dotted;
            if token.kind == Kind::End || !goes_on || !kept(at) || is_abbreviation {
                break;
            }
            prefix = next;
            if !note.token(at + 1).glued()
                && let Some(known) = self.nodes[prefix].meaning
            {
                found = Some((known, at + 1));
            }
        }
        found
    }
}

/// Returns the spellings of a list whose rows begin with the meaning.
pub(super) fn spellings(list: BundledList) -> Spellings<&'static str> {
    let mut spellings = Spellings::default();
    for [name, all] in list.rows('|', Ok) {
        all.split_whitespace().for_each(|spelling| spellings.add(Normalized::new(spelling).folded(), name));
    }
    spellings
}
