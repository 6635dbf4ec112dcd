//! Abbreviations that a note defines itself: "acute kidney injury (AKI)".
//!
//! Schwartz and Hearst, *A simple algorithm for identifying abbreviation definitions in biomedical text*, Pacific
//! Symposium on Biocomputing 2003. Stands after `concepts` in the way of a note: where the long form is a known term, the
//! short form is coded as that term from its definition on.

use std::collections::HashMap;

use memchr::memchr_iter;

use crate::concepts::{self, Match, Matches, Overlap, Start};
use crate::normalize::Normalized;
use crate::span::Span;
use crate::token::{Case, Kind, Token};
use crate::vocabulary::variants::long_form;
use crate::vocabulary::{Vocabulary, WordId};

/// The longest short form in bytes, and in tokens (`IL-2R` has four).
const MOST_BYTES: usize = 10;
const MOST_TOKENS: usize = 5;
/// How far before a definition the short form of another may be its long form, in tokens: not as far as that.
const REACH: u32 = 64;

/// An abbreviation and what it stands for, as tokens; `last` is one past the last token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The first token of the short form.
    pub short_first: u32,
    /// One past its last token.
    pub short_last: u32,
    /// The first token of the long form.
    pub long_first: u32,
    /// One past its last token.
    pub long_last: u32,
}

/// The definitions of a text, in its order: a long form and the short form in brackets, or the other way round.
pub fn find(tokens: &[Token], folded: &str) -> Vec<Definition> {
    let mut found = Vec::new();
    let mut open = 0;
    for bracket in memchr_iter(b'(', folded.as_bytes()) {
        // No token is shorter than a byte, so that not all of the text is looked through for each bracket.
        let most = tokens.get(open).map_or(0, |token| bracket.saturating_sub(token.start as usize));
        let ahead = &tokens[open..tokens.len().min(open + most)];
        open += ahead.partition_point(|token| (token.start as usize) < bracket);
        // Inside what an earlier scrub wrote it is no token.
        if tokens.get(open).is_none_or(|token| token.start as usize != bracket || token.kind != Kind::Punct) {
            continue;
        }
        // Neither form begins with a mark.
        if tokens.get(open + 1).is_none_or(|token| token.kind == Kind::Punct) {
            continue;
        }
        // What stands behind a comma or semicolon inside the brackets is no part of the form.
        let inside = tokens[open + 1..].iter().take(40).position(|token| {
            token.border_before()
                || (token.kind == Kind::Punct && matches!(folded.as_bytes()[token.start as usize], b')' | b',' | b';'))
        });
        let Some(end) = inside.map(|inside| open + 1 + inside) else { continue };
        let before = before(tokens, open);
        if is_short(&tokens[open + 1..end], folded) {
            let short = &folded[range(&tokens[open + 1..end])];
            let words = short.chars().filter(|letter| letter.is_alphanumeric()).count();
            let first = candidate(tokens, before, open, (words + 5).min(words * 2));
            let long_first = align(tokens, folded, short, first, open);
            if let Some(long_first) = long_first.or_else(|| reordered(tokens, folded, short, before, open)) {
                found.push(definition(open + 1, end, long_first, open));
            }
        } else {
            // The other way round: the last one or two tokens before the bracket are the short form.
            let first = (before..open)
                .rev()
                .take(MOST_TOKENS)
                .take_while(|&at| at + 1 == open || tokens[at + 1].glued() || hyphen(tokens, folded, at))
                .last();
            if let Some(first) = first
                && is_short(&tokens[first..open], folded)
                && let Some(long_first) = align(tokens, folded, &folded[range(&tokens[first..open])], open + 1, end)
                && long_first == open + 1
            {
                found.push(definition(first, open, long_first, end));
            }
        }
    }
    found
}

/// Matches anew what the definitions of a text change, if there are any, and keeps the matches in order.
///
/// Terms are looked for in the text without its defining brackets ("von Hippel-Lindau (VHL) disease") and with each
/// later short form, as it was written, replaced by its long form ("G6PD deficiency"). The short form of a definition
/// itself has the code of its long form. A definition that is not `trusted` defines nothing.
pub fn code(vocabulary: &Vocabulary, text: &Text<'_>, trusted: impl Fn(&Definition) -> bool, terms: &mut Vec<Match>) {
    let mut definitions = find(text.tokens, text.folded);
    definitions.retain(trusted);
    if definitions.is_empty() {
        return;
    }
    let mut matches = Matches::default();
    terms.clear();
    Expanded::in_pieces(text, &definitions, |piece| {
        let starts = Start::all(vocabulary, &piece.tokens, &piece.ids);
        concepts::find(vocabulary, &piece.tokens, &piece.ids, &starts, Overlap::Longest, &mut matches);
        terms.extend(matches.terms.iter().filter_map(|&hit| piece.in_text(hit)));
    });
    let mut new: Vec<Match> = Vec::new();
    for definition in &definitions {
        let (first, last) = (definition.short_first, definition.short_last);
        let long = (definition.long_first, definition.long_last);
        let near = |at: u32| new.iter().rev().take_while(move |term| term.last + REACH > at);
        let next = terms.partition_point(|term| term.last <= first);
        let is_free = terms.get(next).is_none_or(|term| term.first >= last)
            && !near(first).any(|term| term.first < last && first < term.last);
        let place = terms.partition_point(|term| term.first < long.0);
        let is_long = |term: &&Match| (term.first, term.last) == long;
        let found = terms.get(place).filter(is_long).or_else(|| near(long.0).find(is_long));
        if let Some(entry) = found.filter(|_| is_free).map(|term| term.entry) {
            new.push(Match { first, last, entry });
        }
    }
    terms.append(&mut new);
    terms.sort_unstable();
}

/// A text that was cut into tokens, whose words were looked up.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    /// As it was written.
    pub source: &'a str,
    /// As it was folded.
    pub normalized: &'a Normalized,
    /// The folded text.
    pub folded: &'a str,
    /// Its tokens.
    pub tokens: &'a [Token],
    /// The word of each token.
    pub ids: &'a [WordId],
}

/// Tells how long the text is and nothing of what it says.
impl std::fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Text").field("tokens", &self.tokens.len()).finish_non_exhaustive()
    }
}

impl Text<'_> {
    fn written(&self, first: u32, last: u32) -> &str {
        let span = Span::new(self.tokens[first as usize].start, self.tokens[last as usize - 1].end);
        self.source.get(self.normalized.to_source(span).range()).unwrap_or_default()
    }
}

/// How many tokens a piece of an expanded text has before the next border ends it.
const PIECE: usize = 4096;

/// The tokens of a piece of a text without defining brackets and with long forms for short ones. No term reaches over a border,
/// so the terms of a text are those of its pieces.
#[derive(Default)]
struct Expanded {
    tokens: Vec<Token>,
    ids: Vec<WordId>,
    /// For each token the tokens of the text that it stands for.
    places: Vec<(u32, u32)>,
}

impl Expanded {
    /// Calls `each` with the pieces of a text, in its order.
    fn in_pieces(text: &Text<'_>, definitions: &[Definition], mut each: impl FnMut(&Self)) {
        let mut expanded = Self::default();
        let mut known = Known::default();
        let mut waiting = definitions.iter().peekable();
        let mut at = 0;
        while at < text.tokens.len() as u32 {
            // The definition that is passed here counts from here on.
            while let Some(definition) = waiting.next_if(|one| one.short_first.max(one.long_last) <= at) {
                known.add(text, definition);
            }
            if let Some(definition) = waiting.peek()
                && at == definition.long_last
                && definition.short_first == at + 1
                && text
                    .tokens
                    .get(definition.short_last as usize)
                    .is_some_and(|token| text.folded[token.span().range()] == *")")
            {
                at = definition.short_last + 1;
                continue;
            }
            if expanded.tokens.len() >= PIECE && text.tokens[at as usize].border_before() {
                each(&expanded);
                expanded.clear();
            }
            // The last definition of a short form counts.
            let Some(definition) = known.at(text, at) else {
                expanded.push(text, at, (at, at + 1));
                at += 1;
                continue;
            };
            let last = at + definition.short_last - definition.short_first;
            let from = expanded.tokens.len();
            for long in definition.long_first..definition.long_last {
                expanded.push(text, long, (at, last));
            }
            expanded.tokens[from].flags = text.tokens[at as usize].flags;
            expanded.tokens[from].gap = text.tokens[at as usize].gap;
            at = last;
        }
        each(&expanded);
    }

    fn clear(&mut self) {
        self.tokens.clear();
        self.ids.clear();
        self.places.clear();
    }

    fn push(&mut self, text: &Text<'_>, token: u32, place: (u32, u32)) {
        self.tokens.push(text.tokens[token as usize]);
        self.ids.push(text.ids[token as usize]);
        self.places.push(place);
    }

    /// A match in the text itself; `None` if it begins or ends inside a long form that is not there.
    fn in_text(&self, hit: Match) -> Option<Match> {
        let (first, last) = (hit.first as usize, hit.last as usize);
        let is_cut = |at: usize| at > 0 && at < self.places.len() && self.places[at - 1] == self.places[at];
        let (start, end) = (self.places[first].0, self.places[last - 1].1);
        (!is_cut(first) && !is_cut(last)).then_some(Match { first: start, last: end, entry: hit.entry })
    }
}

/// The definitions that count from a place on, by the first word of their short forms.
#[derive(Default)]
struct Known<'a> {
    by_word: HashMap<&'a str, Vec<&'a Definition>>,
    /// Which cases these words have, one bit each: most words have none of them.
    cases: u8,
}

impl<'a> Known<'a> {
    fn add(&mut self, text: &Text<'a>, definition: &'a Definition) {
        let token = text.tokens[definition.short_first as usize];
        self.by_word.entry(&text.folded[token.span().range()]).or_default().push(definition);
        self.cases |= 1 << token.case as u8;
    }

    /// The last one whose short form stands at a token.
    fn at(&self, text: &Text<'_>, at: u32) -> Option<&'a Definition> {
        let token = text.tokens[at as usize];
        if self.cases >> token.case as u8 & 1 == 0 || token.kind == Kind::Punct {
            return None;
        }
        let same = self.by_word.get(&text.folded[token.span().range()])?;
        same.iter().rev().find(|definition| is_short_form(text, definition, at)).copied()
    }
}

/// Whether the short form of a definition stands at a token, whole and as it was written.
fn is_short_form(text: &Text<'_>, definition: &Definition, at: u32) -> bool {
    let last = at + definition.short_last - definition.short_first;
    let glued = |at: u32| text.tokens.get(at as usize).is_some_and(|token| token.glued());
    last as usize <= text.tokens.len()
        && !glued(at)
        && !glued(last)
        && text.tokens[at as usize].case == text.tokens[definition.short_first as usize].case
        && text.written(at, last) == text.written(definition.short_first, definition.short_last)
}

fn definition(short_first: usize, short_last: usize, long_first: usize, long_last: usize) -> Definition {
    Definition {
        short_first: short_first as u32,
        short_last: short_last as u32,
        long_first: long_first as u32,
        long_last: long_last as u32,
    }
}

/// The first token of the sentence or field before `open`, at most forty tokens back. A line may be broken anywhere.
fn before(tokens: &[Token], open: usize) -> usize {
    let starts = |token: &Token| token.border_before() || (token.sentence_start() && !token.line_start());
    let mut first = open;
    while first > 0 && open - first < 40 && !starts(&tokens[first]) {
        first -= 1;
    }
    first
}

/// The first of at most `words` words before `open`. Hyphens and glued tokens are no words of their own.
fn candidate(tokens: &[Token], from: usize, open: usize, words: usize) -> usize {
    let mut first = open;
    let mut seen = 0;
    while first > from && seen < words {
        first -= 1;
        seen += usize::from(tokens[first].kind == Kind::Word && !tokens[first].glued());
    }
    first
}

fn range(tokens: &[Token]) -> std::ops::Range<usize> {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => first.start as usize..last.end as usize,
        _ => 0..0,
    }
}

fn hyphen(tokens: &[Token], folded: &str, at: usize) -> bool {
    let next = &tokens[at + 1];
    let is = |token: &Token| &folded[token.span().range()] == "-";
    (is(next) || is(&tokens[at])) && next.gap == crate::token::Gap::None
}

/// Whether tokens can be a short form: 2 to 10 characters, a letter, a capital, and a letter or digit in front.
fn is_short(tokens: &[Token], folded: &str) -> bool {
    let text = &folded[range(tokens)];
    let words = tokens.iter().filter(|token| token.kind == Kind::Word && !token.glued()).count();
    (2..=MOST_BYTES).contains(&text.len())
        && tokens.len() <= MOST_TOKENS
        && words <= 2
        && tokens.iter().any(|token| token.kind == Kind::Word && token.case != Case::Lower)
        && tokens.first().is_some_and(|token| matches!(token.kind, Kind::Word | Kind::Number))
}

/// The token at which the long form begins that lies in `first..end` and ends there.
fn align(tokens: &[Token], folded: &str, short: &str, first: usize, end: usize) -> Option<usize> {
    if first >= end {
        return None;
    }
    let text = range(&tokens[first..end]);
    let start = text.start + long_form(short, &folded[text.clone()])?;
    let long_first = (first..end).find(|&at| tokens[at].end as usize > start)?;
    let words = tokens[long_first..end].iter().filter(|token| token.kind == Kind::Word).count();
    // A long form is longer than its short form and does not hold it.
    let longer = text.end - start > short.len() && words > 0;
    let holds = tokens[long_first..end].iter().any(|token| &folded[token.span().range()] == short);
    (longer && !holds).then_some(long_first)
}

/// The token at which a long form of as many words as its short form has letters begins, where these are the first letters of the
/// words in another order: "myotonic dystrophy (DM)", by its Latin name.
fn reordered(tokens: &[Token], folded: &str, short: &str, from: usize, open: usize) -> Option<usize> {
    let mut letters: Vec<u8> = short.bytes().collect();
    let first = open.checked_sub(letters.len()).filter(|&first| first >= from)?;
    let words = &tokens[first..open];
    if !letters.iter().all(u8::is_ascii_alphabetic)
        || words.iter().any(|token| token.kind != Kind::Word || token.glued())
    {
        return None;
    }
    let mut initials: Vec<u8> = words.iter().map(|token| folded.as_bytes()[token.start as usize]).collect();
    letters.sort_unstable();
    initials.sort_unstable();
    (letters == initials).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::tokenize;
    use crate::vocabulary::Compiler;
    use crate::vocabulary::term::{Record, Term, TermKind};

    fn cut(text: &str) -> (Normalized, Vec<Token>) {
        let normalized = Normalized::new(text);
        let mut tokens = Vec::new();
        tokenize(text, &normalized, &mut tokens);
        (normalized, tokens)
    }

    /// Short and long forms as they are folded.
    fn pairs(text: &str) -> Vec<(String, String)> {
        let (normalized, tokens) = cut(text);
        let text =
            |first: u32, last: u32| normalized.folded()[range(&tokens[first as usize..last as usize])].to_owned();
        find(&tokens, normalized.folded())
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

    /// Coded terms: the text and the code.
    fn coded(terms: &[(&str, &str)], source: &str) -> Vec<(String, String)> {
        let mut compiler = Compiler::new();
        for &(text, code) in terms {
            let (text, code, system) = (text.to_owned(), code.to_owned(), "t".to_owned());
            compiler.push(Record::Term(Term { text, code, system, kind: TermKind::Preferred }));
        }
        let vocabulary = Vocabulary::from_bytes(compiler.finish().expect("compiled").0).expect("a vocabulary");
        let (normalized, tokens) = cut(source);
        let (mut ids, mut classes, mut starts, mut matches) = (Vec::new(), Vec::new(), Vec::new(), Matches::default());
        concepts::lookup_words(&vocabulary, normalized.folded(), &tokens, &mut ids, &mut classes, &mut starts);
        concepts::find(&vocabulary, &tokens, &ids, &starts, Overlap::Longest, &mut matches);
        let folded = normalized.folded();
        let text = Text { source, normalized: &normalized, folded, tokens: &tokens, ids: &ids };
        code(&vocabulary, &text, |_| true, &mut matches.terms);
        let code = |hit: &Match| vocabulary.entry_concepts(hit.entry).next().map(|id| vocabulary.curie(id));
        matches
            .terms
            .iter()
            .map(|hit| (text.written(hit.first, hit.last).to_owned(), code(hit).unwrap_or_default()))
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
    fn the_note_decides_what_its_short_form_means() {
        let terms = &[("MLP", "9"), ("liver", "3"), ("mlp biomarker", "4")];
        check(terms, "Marsh liver protein (MLP) and MLP.", &[("liver", "3")]);
        check(terms, "the MLP biomarker and MLP.", &[("MLP biomarker", "4"), ("MLP", "9")]);
    }
}
