//! Abbreviations that a note defines itself: "acute kidney injury (AKI)".
//!
//! Schwartz and Hearst, *A simple algorithm for identifying abbreviation definitions in biomedical text*, Pacific
//! Symposium on Biocomputing 2003. If the long form is a known term, the short form is coded as that term from its
//! definition on.

mod definitions;
mod expanded;

use crate::note::Note;
use crate::terms::{self, Match, Matches, Overlap, Start};
pub use definitions::find_definitions;
use expanded::ExpandedPiece;

/// How far before a definition the short form of another may serve as its long form, in tokens (exclusive).
const MAX_CHAIN_DISTANCE: u32 = 64;

/// The minimum length of a shared word that shows that two names mean the same, in letters.
const MIN_SHARED_WORD_LETTERS: usize = 5;

/// An abbreviation and its long form, as ranges of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The first token of the short form.
    pub short_first: u32,
    /// The end (exclusive) of the short form.
    pub short_last: u32,
    /// The first token of the long form.
    pub long_first: u32,
    /// The end (exclusive) of the long form.
    pub long_last: u32,
}

/// Matches the terms of a text again if it has definitions; `terms` stay sorted.
///
/// The text is matched without its defining brackets ("von Hippel-Lindau (VHL) disease") and with each later short
/// form, in the same spelling, replaced by its long form ("G6PD deficiency"). The short form in a definition has the
/// code of its long form. Definitions that are not `trusted` are ignored.
pub fn rematch_with_definitions(note: &Note<'_>, trusted: impl Fn(&Definition) -> bool, terms: &mut Vec<Match>) {
    let vocabulary = note.vocabulary();
    let mut definitions = find_definitions(note.tokens(), note.text());
    definitions.retain(trusted);
    if definitions.is_empty() {
        return;
    }
    let mut matches = Matches::default();
    let before = std::mem::take(terms);
    ExpandedPiece::for_each_piece(note, &definitions, |piece| {
        let starts = Start::all(vocabulary, &piece.tokens, &piece.ids);
        terms::find_in_tokens(vocabulary, &piece.tokens, &piece.ids, &starts, Overlap::Longest, &mut matches);
        terms.extend(matches.terms.iter().filter_map(|&hit| piece.match_in_source(hit)));
    });
    let mut new: Vec<Match> = Vec::new();
    for definition in &definitions {
        let (first, last) = (definition.short_first, definition.short_last);
        let long = (definition.long_first, definition.long_last);
        let near = |at: u32| new.iter().rev().take_while(move |term| term.end + MAX_CHAIN_DISTANCE > at);
        let next = terms.partition_point(|term| term.end <= first);
        let is_free = terms.get(next).is_none_or(|term| term.first >= last)
            && !near(first).any(|term| term.first < last && first < term.end);
        let place = terms.partition_point(|term| term.first < long.0);
        let is_long = |term: &&Match| (term.first, term.end) == long;
        let found = terms.get(place).filter(is_long).or_else(|| near(long.0).find(is_long));
        if let Some(entry) = found.filter(|_| is_free).map(|term| term.entry) {
            new.push(Match { first, end: last, entry });
        }
    }
    terms.append(&mut new);
    terms.sort_unstable();
    let is_free = |old: &&Match| {
        let next = terms.partition_point(|term| term.end <= old.first);
        terms.get(next).is_none_or(|term| term.first >= old.end)
    };
    let kept: Vec<Match> =
        before.iter().filter(is_free).filter(|old| is_term_of_long_form(note, &definitions, **old)).copied().collect();
    if !kept.is_empty() {
        terms.extend(kept);
        terms.sort_unstable();
    }
}

/// Returns whether a term of several words contains a short form as the note defines it. For "marsh liver protein
/// (MLP)", this is "MLP deficiency", if the vocabulary has that term only with the short form and its name has a word
/// of the long one.
fn is_term_of_long_form(note: &Note<'_>, definitions: &[Definition], term: Match) -> bool {
    let vocabulary = note.vocabulary();
    let has = |word: &str| term.tokens().any(|at| note.word(at) == word);
    let is_long = |at: usize| note.is_word(at) && note.width(at) >= MIN_SHARED_WORD_LETTERS;
    let names = || vocabulary.entry_concepts(term.entry).map(|id| vocabulary.preferred_name(id).to_lowercase());
    term.end - term.first > 1
        && definitions.iter().any(|one| {
            let long = (one.long_first as usize..one.long_last as usize).filter(|&at| is_long(at));
            one.short_last == one.short_first + 1
                && has(note.word(one.short_first as usize))
                && long.map(|at| note.word(at)).any(|word| names().any(|name| name.contains(word)))
        })
}

/// Returns the source text of the tokens `first..last`.
fn source_text<'a>(note: &Note<'a>, first: u32, last: u32) -> &'a str {
    note.source().get(note.source_span(first as usize, last as usize).range()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::definitions::byte_range_of_tokens;
    use super::*;
    use crate::note::NoteBuffers;
    use crate::text::token::cut_source as cut;
    use crate::vocabulary::Vocabulary;
    use notesieve_vocabulary_build::Compiler;
    use notesieve_vocabulary_build::term::{Record, Term, TermKind};

    /// Returns folded short and long forms.
    fn pairs(text: &str) -> Vec<(String, String)> {
        let (normalized, tokens) = cut(text);
        let text = |first: u32, last: u32| {
            normalized.folded()[byte_range_of_tokens(&tokens[first as usize..last as usize])].to_owned()
        };
        find_definitions(&tokens, normalized.folded())
            .iter()
            .map(|one| (text(one.short_first, one.short_last), text(one.long_first, one.long_last)))
            .collect()
    }

    #[test]
    fn long_forms_before_the_bracket() {
        for (text, short, long) in [
            ("She had an acute kidney injury (AKI) then.", "aki", "acute kidney injury"),
            ("treated for ataxia-telangiectasia (A-T)", "a-t", "ataxia-telangiectasia"),
            ("the interleukin 2 receptor (IL-2R) was", "il-2r", "interleukin 2 receptor"),
            ("Heat shock transcription factor (HSF)", "hsf", "heat shock transcription factor"),
            ("a coronary artery bypass graft (CABG, 1996)", "cabg", "coronary artery bypass graft"),
            ("with myotonic dystrophy (DM)", "dm", "myotonic dystrophy"),
        ] {
            assert_eq!(pairs(text), [(short.to_owned(), long.to_owned())], "{text}");
        }
    }

    #[test]
    fn long_forms_inside_the_bracket() {
        assert_eq!(
            pairs("had AKI (acute kidney injury) twice"),
            [("aki".to_owned(), "acute kidney injury".to_owned())]
        );
    }

    #[test]
    fn parts_of_hyphenated_forms_are_defined_too() {
        let pair = |short: &str, long: &str| (short.to_owned(), long.to_owned());
        assert_eq!(
            pairs("a marsh fever-lake swelling (MF-LS) and"),
            [pair("mf-ls", "marsh fever-lake swelling"), pair("mf", "marsh fever"), pair("ls", "lake swelling")]
        );
        assert_eq!(
            pairs("tumor necrosis factor-alpha (TNF-alpha)"),
            [pair("tnf-alpha", "tumor necrosis factor-alpha"), pair("tnf", "tumor necrosis factor")]
        );
        // The parts before the two hyphens do not correspond.
        let leukaemia = "T-cell acute lymphoblastic leukemia";
        assert_eq!(pairs(&format!("{leukaemia} (T-ALL)")), [pair("t-all", &leukaemia.to_lowercase())]);
        check(
            &[("marsh fever", "1"), ("marsh fever lake swelling", "2")],
            "Marsh fever-lake swelling (MF-LS). MF was severe.",
            &[("Marsh fever-lake swelling", "2"), ("MF-LS", "2"), ("MF", "1")],
        );
    }

    #[test]
    fn what_is_no_definition() {
        for text in [
            "aspirin (81 mg) daily",
            "the patient (male) slept",
            "renal failure (AKI)",
            "(AKI)",
            "a b. Kidney (AKI",
            "ABC (ABC)",
        ] {
            assert_eq!(pairs(text), [], "{text}");
        }
    }

    #[test]
    fn a_border_ends_the_candidate() {
        assert_eq!(pairs("Acute pain. Kidney injury (AKI)"), []);
    }

    /// Returns the text and code of each term.
    fn coded(terms: &[(&str, &str)], source: &str) -> Vec<(String, String)> {
        let mut compiler = Compiler::new();
        for &(text, code) in terms {
            let (text, code, system) = (text.to_owned(), code.to_owned(), "t".to_owned());
            compiler.push_record(Record::Term(Term { text, code, system, kind: TermKind::Preferred }));
        }
        let vocabulary = Vocabulary::from_bytes(compiler.finish().expect("compiled").0).expect("a vocabulary");
        let (mut buffers, mut matches) = (NoteBuffers::default(), Matches::default());
        let note = buffers.read(source, &vocabulary, crate::placeholders::PlaceholderForms::default());
        terms::find_terms(&note, &mut matches);
        rematch_with_definitions(&note, |_| true, &mut matches.terms);
        let code = |hit: &Match| vocabulary.entry_concepts(hit.entry).next().map(|id| vocabulary.curie(id));
        matches
            .terms
            .iter()
            .map(|hit| (source_text(&note, hit.first, hit.end).to_owned(), code(hit).unwrap_or_default()))
            .collect()
    }

    fn check(terms: &[(&str, &str)], source: &str, expect: &[(&str, &str)]) {
        let expect: Vec<(String, String)> =
            expect.iter().map(|&(text, code)| (text.to_owned(), format!("t:{code}"))).collect();
        assert_eq!(coded(terms, source), expect, "{source}");
    }

    #[test]
    fn short_forms_are_coded_from_their_definition_on() {
        check(
            &[("acute kidney injury", "1")],
            "AKI? Acute kidney injury (AKI) grew; AKI, aki and AKIN.",
            &[("Acute kidney injury", "1"), ("AKI", "1"), ("AKI", "1")],
        );
    }

    #[test]
    fn long_forms_complete_a_term() {
        check(
            &[("marsh liver protein deficiency", "1"), ("marsh liver protein", "2")],
            "Marsh liver protein (MLP) deficiency. MLP deficiency, but MLP alone",
            &[("Marsh liver protein (MLP) deficiency", "1"), ("MLP deficiency", "1"), ("MLP", "2")],
        );
    }

    #[test]
    fn terms_with_the_short_form_alone_stay() {
        let terms = &[("lack of liver protein", "1"), ("MLP deficiency", "1"), ("MLP fever", "2")];
        check(terms, "Marsh liver protein (MLP). MLP deficiency, MLP fever.", &[("MLP deficiency", "1")]);
    }

    #[test]
    fn the_note_decides_what_its_short_form_means() {
        let terms = &[("MLP", "9"), ("liver", "3"), ("mlp biomarker", "4")];
        check(terms, "Marsh liver protein (MLP) and MLP.", &[("liver", "3")]);
        check(terms, "the MLP biomarker and MLP.", &[("MLP biomarker", "4"), ("MLP", "9")]);
    }
}
