//! Known terms in a text.
//!
//! Every word is hashed once to its id; terms are found by walking a trie over ids from each word on. A term is a
//! sequence of *units*: all tokens except hyphens, apostrophes and possessives. It never crosses a border, and never
//! begins or ends inside a run of letters and digits (`IL2` is not found in `IL2R`).

mod form_context;
mod headings;
mod prefixed;
pub mod senses;
pub mod split_terms;
mod unsure;
mod vaccines;
mod walk;

use crate::note::Note;
use crate::text::token::Token;
pub use crate::vocabulary::Start;
use crate::vocabulary::{Classes, EntryId, Vocabulary, WordId};
use walk::TermMatcher;

/// A match of a vocabulary entry in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Match {
    /// Its first token.
    pub first: u32,
    /// Its end (exclusive), in tokens.
    pub end: u32,
    /// The matched entry.
    pub entry: EntryId,
}

impl Match {
    /// No match; it covers no token.
    const NONE: Self = Self { first: 0, end: 0, entry: EntryId(0) };

    /// Returns the tokens as a range.
    pub const fn tokens(self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// Which overlapping matches to return.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlap {
    /// The longest matches from left to right, without overlaps.
    #[default]
    Longest,
    /// All matches.
    All,
}

/// The matches of a text; a reusable buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// Terms of concepts, in the order of the text.
    pub terms: Vec<Match>,
    /// Places and other listed phrases, in the order of the text: evidence for rules, which does not allow a token to
    /// come out. Places of one word are not included; the classes of the word have them.
    pub phrases: Vec<Match>,
}

impl Matches {
    /// Removes all matches and keeps the memory.
    pub fn clear_matches(&mut self) {
        self.terms.clear();
        self.phrases.clear();
    }
}

/// Looks up every token. The output lists are cleared first. `ids` and `classes` get one item per token:
/// [`WordId::SKIPPED`] for a token that terms skip. `starts` gets the tokens at which a match may begin, in the order
/// of the text.
pub fn lookup_words(
    vocabulary: &Vocabulary,
    folded: &str,
    tokens: &[Token],
    ids: &mut Vec<WordId>,
    classes: &mut Vec<Classes>,
    starts: &mut Vec<Start>,
) {
    // Only rules need the keys of the tokens.
    vocabulary.tables().lookup(folded, tokens, &mut Vec::new(), ids, classes, starts);
}

/// Finds the longest matches of a note from left to right; `found` is cleared first.
pub fn find_terms(note: &Note<'_>, found: &mut Matches) {
    find_in_tokens(note.vocabulary(), note.tokens(), note.word_ids(), note.term_starts(), Overlap::Longest, found);
}

/// Finds matches. `ids` and `starts` come from [`lookup_words`]; [`Start::all`] finds the same. `found` is cleared
/// first.
pub fn find_in_tokens(
    vocabulary: &Vocabulary,
    tokens: &[Token],
    ids: &[WordId],
    starts: &[Start],
    overlap: Overlap,
    found: &mut Matches,
) {
    found.clear_matches();
    let tables = vocabulary.tables();
    let matcher = TermMatcher { tables, tokens, ids: &ids[..ids.len().min(tokens.len())], starts };
    match overlap {
        Overlap::Longest => matcher.find_longest_matches(found),
        Overlap::All => matcher.find_all_matches(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalize::Normalized;
    use crate::text::token::tokenize;
    use crate::vocabulary::{Class, EntryFlags};
    use notesieve_vocabulary_build::Compiler;
    use notesieve_vocabulary_build::term::{Record, Term, TermKind, Word};

    /// Compiles terms `text|code` and words `class word`.
    fn vocabulary(terms: &[&str], words: &[(Class, &str)]) -> Vocabulary {
        let mut compiler = Compiler::new();
        for term in terms {
            let (text, code) = term.split_once('|').unwrap();
            compiler.push_record(Record::Term(Term {
                text: text.into(),
                code: code.into(),
                system: "t".into(),
                kind: TermKind::Preferred,
            }));
        }
        for &(class, text) in words {
            compiler.push_record(Record::Word(Word { text: text.into(), class, count: 1 }));
        }
        Vocabulary::from_bytes(compiler.finish().unwrap().0).unwrap()
    }

    /// Returns `[matched text=code]` for each term, then `<text>` for each phrase.
    fn matches(vocabulary: &Vocabulary, text: &str, overlap: Overlap) -> Vec<String> {
        let normalized = Normalized::new(text);
        let (mut tokens, mut ids, mut classes, mut starts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        tokenize(text, &normalized, &mut tokens);
        lookup_words(vocabulary, normalized.folded(), &tokens, &mut ids, &mut classes, &mut starts);
        assert_eq!((ids.len(), classes.len()), (tokens.len(), tokens.len()));
        let mut found = Matches::default();
        find_in_tokens(vocabulary, &tokens, &ids, &starts, overlap, &mut found);
        // Starting at every token finds the same.
        let everywhere = Start::all(vocabulary, &tokens, &ids);
        let mut same = Matches::default();
        find_in_tokens(vocabulary, &tokens, &ids, &everywhere, overlap, &mut same);
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
        assert!(flags("parkin").has(EntryFlags::ALSO_NAME) && !flags("parkin").has(EntryFlags::UPPER_ONLY));
        assert!(!known.classes(known.word_id(b"marys")).has(Class::Term), "capitals say nothing of lower case");
        assert!(known.classes(known.word_id(b"parkin")).has(Class::Term));
    }

    #[test]
    fn places_are_phrases_and_no_terms() {
        let words =
            [(Class::City, "New York"), (Class::City, "Boston"), (Class::English, "new"), (Class::Unit, "mg/dl")];
        let known = vocabulary(&["York disease|1"], &words);
        let found = matches(&known, "New York disease in Boston, 5 mg/dL", Overlap::Longest);
        assert_eq!(found, ["york disease=t:1", "<new york>", "<mg/dl>"]);
        assert!(known.classes(known.word_id(b"york")).has(Class::PlacePart));
        assert_eq!(known.classes(known.word_id(b"boston")), Class::City.as_set());
        assert_eq!(known.entry_classes(known.entry_of("mg/dl").unwrap()), Class::Unit.as_set());
        assert!(known.entry_flags(known.entry_of("new york").unwrap()).has(EntryFlags::PLACE));
    }
}
