//! Known terms in a text. Third step in the way of a note, and the last that knows nothing of rules.
//!
//! Every word is hashed once to its id; terms are found by walking the trie over ids from each word on. A term is a
//! sequence of *units*: all tokens but hyphens, apostrophes and possessives. It never reaches over a border, and never
//! begins or ends inside letters and digits that are glued together (`IL2` is not found in `IL2R`).

#[cfg(feature = "scrub")]
pub mod apart;
#[cfg(feature = "scrub")]
pub mod context;
#[cfg(feature = "scrub")]
pub mod senses;

use std::hint::select_unpredictable;

use crate::bits::bits;
use crate::token::{Case, Token};
pub use crate::vocabulary::Start;
use crate::vocabulary::{Classes, EntryId, Node, NodeEntry, Step, Tables, Vocabulary, WordId};

/// A known form in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Match {
    /// Its first token.
    pub first: u32,
    /// One past its last token.
    pub last: u32,
    /// What it is.
    pub entry: EntryId,
}

impl Match {
    /// No match: it reaches over no token.
    const NONE: Self = Self { first: 0, last: 0, entry: EntryId(0) };

    /// The tokens as a range.
    pub const fn tokens(self) -> std::ops::Range<usize> {
        self.first as usize..self.last as usize
    }
}

/// Which matches are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlap {
    /// From left to right the longest, none inside another.
    #[default]
    Longest,
    /// Every one.
    All,
}

/// The matches of a text; a buffer that is used again for the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// Terms of concepts, in the order of the text.
    pub terms: Vec<Match>,
    /// Places and other phrases of lists, in the order of the text: what a rule asks for, never a permission. One-word
    /// places are not here: the word's classes say it.
    pub phrases: Vec<Match>,
}

impl Matches {
    /// Forgets all matches and keeps the memory.
    pub fn clear(&mut self) {
        self.terms.clear();
        self.phrases.clear();
    }
}

/// Looks up every token. What the lists held before is gone. `ids` and `classes` get one item a token: [`WordId::SKIPPED`] for a
/// token that terms leave out. `starts` gets the tokens from which a form may begin, in the order of the text.
pub fn lookup_words(
    vocabulary: &Vocabulary,
    folded: &str,
    tokens: &[Token],
    ids: &mut Vec<WordId>,
    classes: &mut Vec<Classes>,
    starts: &mut Vec<Start>,
) {
    // The keys of the tokens are for rules.
    vocabulary.tables().lookup(folded, tokens, &mut Vec::new(), ids, classes, starts);
}

/// Finds known forms. `ids` and `starts` are those of [`lookup_words`], or [`Start::all`], with which the same is
/// found; `found` is emptied first.
pub fn find(
    vocabulary: &Vocabulary,
    tokens: &[Token],
    ids: &[WordId],
    starts: &[Start],
    overlap: Overlap,
    found: &mut Matches,
) {
    found.clear();
    let tables = vocabulary.tables();
    let text = Text { tables, tokens, ids: &ids[..ids.len().min(tokens.len())], starts };
    match overlap {
        Overlap::Longest => text.longest(found),
        Overlap::All => text.all(found),
    }
}

/// Adds the matches with these places, from the lowest on, that begin where the one before them has ended, or later. Nobody
/// can foresee which do: all are put where the next one goes.
#[inline]
fn take(matches: &mut [Match; SIDE_BY_SIDE], places: u64, end: &mut u32, found: &mut Vec<Match>) {
    let mut count = 0;
    for place in bits(places) {
        let hit = matches[place];
        let apart = hit.first >= *end;
        matches[count % SIDE_BY_SIDE] = hit;
        *end = select_unpredictable(apart, hit.last, *end);
        count += usize::from(apart);
    }
    found.extend_from_slice(&matches[..count]);
}

/// A text whose words were looked up.
struct Text<'a> {
    tables: Tables<'a>,
    tokens: &'a [Token],
    ids: &'a [WordId],
    starts: &'a [Start],
}

/// How many starts are walked side by side: enough that memory is never idle, few enough for the first cache and for one
/// bit each.
const SIDE_BY_SIDE: usize = 64;

/// A walk through the trie that has come to a node.
#[derive(Clone, Copy)]
struct Walk {
    /// The node, and the step that it takes next.
    step: Step,
    /// The place of its start among those that are walked side by side.
    start: u32,
    /// The token over which it came here, and the unit after it.
    last: u32,
    next: u32,
}

impl Walk {
    const NONE: Self = Self { step: Step::NONE, start: 0, last: 0, next: 0 };
}

impl Text<'_> {
    fn longest(&self, found: &mut Matches) {
        let (mut terms_end, mut phrases_end) = (0, 0);
        let mut walks = [Walk::NONE; SIDE_BY_SIDE];
        let (mut terms, mut phrases) = ([Match::NONE; SIDE_BY_SIDE], [Match::NONE; SIDE_BY_SIDE]);
        for starts in self.starts.chunks(SIDE_BY_SIDE) {
            // The longest of each start, and which starts have one: shorter ones come first.
            let (mut are_terms, mut are_phrases) = (0, 0);
            self.walk(starts, &mut walks, |start, entry, last| {
                let hit = Match { first: starts[start].at, last, entry: entry.id() };
                if entry.is_term() {
                    terms[start] = hit;
                    are_terms |= 1 << start;
                }
                if entry.is_phrase() {
                    phrases[start] = hit;
                    are_phrases |= 1 << start;
                }
            });
            take(&mut terms, are_terms, &mut terms_end, &mut found.terms);
            take(&mut phrases, are_phrases, &mut phrases_end, &mut found.phrases);
        }
    }

    fn all(&self, found: &mut Matches) {
        let mut walks = [Walk::NONE; SIDE_BY_SIDE];
        for starts in self.starts.chunks(SIDE_BY_SIDE) {
            self.walk(starts, &mut walks, |start, entry, last| {
                let hit = Match { first: starts[start].at, last, entry: entry.id() };
                if entry.is_term() {
                    found.terms.push(hit);
                }
                if entry.is_phrase() {
                    found.phrases.push(hit);
                }
            });
        }
        // All of one length come before the next.
        found.terms.sort_unstable();
        found.phrases.sort_unstable();
    }

    /// Calls `hit` for every form that begins with one of the tokens `starts`, with the place of its start, what it is and the
    /// token after its last; of each start shorter ones first.
    ///
    /// In a large vocabulary nearly every step is a read that no cache has, and where it leads is known only then. So all walks
    /// take one step before any takes the next, and what memory must bring is asked for in loops that do not look at it.
    ///
    /// Most walks end where they begin, and which do is seen without a branch: a bit for each says what is to be done with it.
    #[inline]
    fn walk(&self, starts: &[Start], walks: &mut [Walk; SIDE_BY_SIDE], mut hit: impl FnMut(usize, NodeEntry, u32)) {
        let mut count = self.begin(starts, walks);
        while count > 0 {
            let (ending, going) = self.ways(&walks[..count]);
            for walk in bits(ending).map(|place| walks[place]) {
                if let Some(entry) = self.tables.entry(walk.step)
                    && self.may_end(walk.last as usize)
                    && (!entry.is_upper_only()
                        || self.tokens[starts[walk.start as usize].at as usize].case == Case::Upper)
                {
                    hit(walk.start as usize, entry, walk.last + 1);
                }
            }
            count = self.go_on(going, walks);
        }
    }

    /// Takes every walk to its root, and says how many there are.
    #[inline(never)]
    fn begin(&self, starts: &[Start], walks: &mut [Walk; SIDE_BY_SIDE]) -> usize {
        // So that one check of bounds is enough.
        let text = Text { tokens: &self.tokens[..self.ids.len()], ..*self };
        for ((start, &Start { at, root }), walk) in (0..).zip(starts).zip(walks) {
            *walk = text.arrive(root, start, at);
        }
        starts.len()
    }

    /// At which nodes an entry ends, and from which a walk may go on: a bit for each walk.
    #[inline(never)]
    fn ways(&self, walks: &[Walk]) -> (u64, u64) {
        let (mut ending, mut going) = (0, 0);
        for (place, walk) in walks.iter().enumerate() {
            ending |= u64::from(self.tables.entry(walk.step).is_some()) << place;
            going |= u64::from(self.tables.may_follow(walk.step)) << place;
        }
        (ending, going)
    }

    /// Takes the walks with these places one step on, and says how many are left.
    #[inline(never)]
    fn go_on(&self, going: u64, walks: &mut [Walk; SIDE_BY_SIDE]) -> usize {
        for place in bits(going) {
            self.tables.prepare_child(walks[place].step);
        }
        let mut count = 0;
        for place in bits(going) {
            let Walk { step, start, next, .. } = walks[place];
            if let Some(node) = self.tables.child(step) {
                walks[count] = self.arrive(node, start, next);
                count += 1;
            }
        }
        count
    }

    /// A walk that has come to a node over token `last`.
    #[inline]
    fn arrive(&self, node: Node, start: u32, last: u32) -> Walk {
        let (next, word) = self.next_unit(last);
        Walk { step: self.tables.prepare(node, word), start, last, next }
    }

    /// The unit after token `at` with its word, if no border lies between; else a token that is not there.
    #[inline]
    fn next_unit(&self, at: u32) -> (u32, WordId) {
        let mut unit = self.unit(at as usize + 1);
        while unit.1 == WordId::SKIPPED {
            unit = self.unit(unit.0 as usize + 1);
        }
        unit
    }

    /// The token with its word, if no border lies before it; else a token that is not there.
    #[inline]
    fn unit(&self, at: usize) -> (u32, WordId) {
        match self.ids.get(at) {
            Some(&id) if !self.tokens[at].border_before() => (at as u32, id),
            _ => (u32::MAX, WordId::UNKNOWN),
        }
    }

    #[inline]
    fn may_end(&self, last: usize) -> bool {
        self.tokens.get(last + 1).is_none_or(|next| !next.glued())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalize::Normalized;
    use crate::token::tokenize;
    use crate::vocabulary::term::{Record, Term, TermKind, Word};
    use crate::vocabulary::{Class, Compiler, EntryFlags};

    /// Compiles terms `text|code` and words `class word`.
    fn vocabulary(terms: &[&str], words: &[(Class, &str)]) -> Vocabulary {
        let mut compiler = Compiler::new();
        for term in terms {
            let (text, code) = term.split_once('|').unwrap();
            compiler.push(Record::Term(Term {
                text: text.into(),
                code: code.into(),
                system: "t".into(),
                kind: TermKind::Preferred,
            }));
        }
        for &(class, text) in words {
            compiler.push(Record::Word(Word { text: text.into(), class, count: 1 }));
        }
        Vocabulary::from_bytes(compiler.finish().unwrap().0).unwrap()
    }

    /// `[matched text=code]` for each term, then `<text>` for each phrase.
    fn matches(vocabulary: &Vocabulary, text: &str, overlap: Overlap) -> Vec<String> {
        let normalized = Normalized::new(text);
        let (mut tokens, mut ids, mut classes, mut starts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        tokenize(text, &normalized, &mut tokens);
        lookup_words(vocabulary, normalized.folded(), &tokens, &mut ids, &mut classes, &mut starts);
        assert_eq!((ids.len(), classes.len()), (tokens.len(), tokens.len()));
        let mut found = Matches::default();
        find(vocabulary, &tokens, &ids, &starts, overlap, &mut found);
        // From everywhere the same is found.
        let everywhere = Start::all(vocabulary, &tokens, &ids);
        let mut same = Matches::default();
        find(vocabulary, &tokens, &ids, &everywhere, overlap, &mut same);
        assert_eq!(found, same);
        let written = |hit: &Match| {
            let range = hit.tokens();
            &normalized.folded()[tokens[range.start].start as usize..tokens[range.end - 1].end as usize]
        };
        let codes = |hit: &Match| {
            let codes: Vec<_> =
                vocabulary.entry_concepts(hit.entry).map(|id| vocabulary.concept(id).unwrap().curie).collect();
            codes.join(",")
        };
        let terms = found.terms.iter().map(|hit| format!("{}={}", written(hit), codes(hit)));
        terms.chain(found.phrases.iter().map(|hit| format!("<{}>", written(hit)))).collect()
    }

    #[test]
    fn the_longest_term_wins() {
        let known =
            vocabulary(&["Heart|1", "Heart Failure|2", "Failure to thrive|3", "congestive heart failure|4"], &[]);
        let found = |text| matches(&known, text, Overlap::Longest);
        assert_eq!(found("Congestive HEART failure to thrive"), ["congestive heart failure=t:4"]);
        assert_eq!(found("congestive heart disease"), ["heart=t:1"]);
        assert_eq!(found("heart rate; failure to thrive"), ["heart=t:1", "failure to thrive=t:3"]);
        assert_eq!(found("failure to"), [""; 0]);
        let all = matches(&known, "heart failure to thrive", Overlap::All);
        assert_eq!(all, ["heart=t:1", "heart failure=t:2", "failure to thrive=t:3"]);
    }

    #[test]
    fn hyphens_and_possessives_do_not_count() {
        let known = vocabulary(&["Crohn's Disease|1", "vitamin B 12|2", "X-ray|3"], &[]);
        let found = |text| matches(&known, text, Overlap::Longest);
        assert_eq!(found("Crohn disease, crohn's disease"), ["crohn disease=t:1", "crohn's disease=t:1"]);
        assert_eq!(
            found("Vitamin B12, vitamin B-12 and vitamin b 12"),
            ["vitamin b12=t:2", "vitamin b-12=t:2", "vitamin b 12=t:2"]
        );
        assert_eq!(found("chest x-ray"), ["x-ray=t:3"]);
    }

    #[test]
    fn a_border_ends_a_term() {
        let known = vocabulary(&["heart failure|1"], &[]);
        for text in ["heart. failure", "heart, failure", "heart\n\nfailure", "Heart:  Failure", "heart\nFailure"] {
            assert_eq!(matches(&known, text, Overlap::Longest), [""; 0], "{text}");
        }
        assert_eq!(matches(&known, "heart\nfailure", Overlap::Longest), ["heart\nfailure=t:1"], "a wrapped line");
    }

    #[test]
    fn glued_letters_and_digits_are_one() {
        let known = vocabulary(&["IL2 receptor|1", "interleukin|2", "CD4|3", "interleukin 12|4"], &[]);
        let found = |text| matches(&known, text, Overlap::Longest);
        assert_eq!(found("IL2 receptor"), ["il2 receptor=t:1"]);
        assert_eq!(found("XCD4 CD4A 7CD4"), [""; 0]);
        assert_eq!(found("CD4 interleukin12"), ["cd4=t:3", "interleukin12=t:4"]);
        assert_eq!(found("interleukin13"), [""; 0]);
    }

    #[test]
    fn acronyms_that_are_words_need_capitals() {
        let words = [(Class::English, "aids"), (Class::Surname, "marys"), (Class::FirstName, "parkin")];
        let known = vocabulary(&["AIDS|1", "MARYS|2", "Parkin|3", "LEUKEMIA|4", "COPD|5", "copd|6"], &words);
        let found = |text| matches(&known, text, Overlap::Longest);
        assert_eq!(found("AIDS aids Aids"), ["aids=t:1"]);
        assert_eq!(found("Marys MARYS"), ["marys=t:2"]);
        assert_eq!(found("parkin leukemia copd"), ["parkin=t:3", "leukemia=t:4", "copd=t:5,t:6"]);
        let flags = |text| known.entry_flags(known.entry_of(text).unwrap());
        assert!(flags("aids").has(EntryFlags::UPPER_ONLY) && flags("aids").has(EntryFlags::COMMON_WORD));
        assert!(flags("parkin").has(EntryFlags::AMBIGUOUS) && !flags("parkin").has(EntryFlags::UPPER_ONLY));
        assert!(!known.classes(known.word(b"marys")).has(Class::Term), "capitals say nothing of lower case");
        assert!(known.classes(known.word(b"parkin")).has(Class::Term));
    }

    #[test]
    fn places_are_phrases_and_no_terms() {
        let words =
            [(Class::City, "New York"), (Class::City, "Boston"), (Class::English, "new"), (Class::Unit, "mg/dl")];
        let known = vocabulary(&["York disease|1"], &words);
        let found = matches(&known, "New York disease in Boston, 5 mg/dL", Overlap::Longest);
        assert_eq!(found, ["york disease=t:1", "<new york>", "<mg/dl>"]);
        assert!(known.classes(known.word(b"york")).has(Class::PlacePart));
        assert_eq!(known.classes(known.word(b"boston")), Class::City.set());
        assert_eq!(known.entry_classes(known.entry_of("mg/dl").unwrap()), Class::Unit.set());
        assert!(known.entry_flags(known.entry_of("new york").unwrap()).has(EntryFlags::PLACE));
    }
}
