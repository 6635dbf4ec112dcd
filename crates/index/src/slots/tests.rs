//! Tests of slots.

use notesieve::document::Mention;
use notesieve::status::{Assertion, Status};
use notesieve::text::span::CodePoints;
use notesieve::vocabulary::EntryId;
use notesieve::{Document, Policy, Scrubber, Vocabulary};
use proptest::prelude::*;

use super::*;

fn vocabulary() -> Vocabulary {
    Vocabulary::from_static(notesieve_vocabularies::default_bytes()).unwrap()
}

fn scrubbed(text: &str) -> Document {
    Scrubber::new(vocabulary(), Policy::default()).scrub(text).unwrap()
}

/// Returns the words of a text joined by spaces, each after its slot unless that is empty.
fn words_with_slots(slots: &Slots, text: &str) -> String {
    let mut words = Vec::new();
    slots.for_each_word(text, &mut Normalized::default(), |number, values, folded, word| {
        words.extend(values.iter().map(|(_, value)| value.rsplit_once(':').unwrap().0.to_owned()));
        words.extend(number.map(|number| format!("{SLOT}{number}")));
        words.push(folded[word].to_owned());
    });
    words.join(" ")
}

fn pack_and_unpack(terms: &[(Span, u32)]) -> Vec<u8> {
    let terms = terms.iter().map(|&(span, number)| Term { number, byte: span.start, span }).collect();
    Slots { terms, shared: Vec::new(), values: Vec::new() }.pack_mentions()
}

#[test]
fn a_code_stands_before_the_first_word_of_its_term() {
    let note = scrubbed("Known type 2 diabetes. Fever, fever.");
    let mut sets = CodeSets::new(vocabulary(), vec![(vec!["own:1".to_owned()], Status::default())]);
    let slots = sets.slots_of_document(&note);
    assert_eq!(words_with_slots(&slots, &note.text), "known #1 type 2 diabetes #2 fever #2 fever");
    assert_eq!(slots.pack_mentions()[0], b's');
    assert_eq!(slots.pack_mentions().len(), 1 + 3 * 5);
    assert!(sets.sets()[1].0.contains(&"mesh:D003924".to_owned()));
    let again = CodeSets::new(vocabulary(), sets.sets().to_vec()).slots_of_document(&note);
    assert_eq!(again, slots, "numbers go on where another stopped");
}

#[test]
fn what_is_said_of_a_term_makes_another_set() {
    let note = scrubbed("Fever. No fever. Mother had fever. Fever.");
    let mut sets = CodeSets::new(vocabulary(), Vec::new());
    let slots = sets.slots_of_document(&note);
    let words = words_with_slots(&slots, &note.text);
    assert!(words.starts_with("#0 fever no #1 fever") && words.ends_with("#0 fever"), "{words}");
    assert!(sets.sets()[1].1 == Status::NEGATED && sets.sets()[1].0 == sets.sets()[0].0);
}

#[test]
fn two_terms_in_one_word_share_its_slot() {
    let note = scrubbed("Fever, cough");
    let inside = |start, end, at: usize| Mention { output: Span::new(start, end), ..note.concepts[at] };
    let mut sets = CodeSets::new(vocabulary(), Vec::new());
    let text = "é feverx cough, fever cough";
    let terms = [(2, 4, 0), (4, 8, 1), (16, 21, 0), (22, 27, 1)].map(|(start, end, at)| inside(start, end, at));
    let slots =
        sets.slots_of_document(&Document { text: text.to_owned(), concepts: terms.to_vec(), ..Document::default() });
    assert_eq!(words_with_slots(&slots, text), "e #2 feverx cough #0 fever #1 cough");
    assert_eq!(
        slots.pack_mentions(),
        pack_and_unpack(&[(Span::new(2, 4), 0), (Span::new(4, 8), 1), (Span::new(16, 21), 0), (Span::new(22, 27), 1)]),
        "the terms keep their own numbers"
    );
    assert_eq!(sets.sets()[2].0, [sets.sets()[0].0.clone(), sets.sets()[1].0.clone()].concat());
}

#[test]
fn wide_numbers_are_packed_wide() {
    let far = pack_and_unpack(&[(Span::new(70_000, 70_003), 1)]);
    assert_eq!(far, [b"l".as_slice(), &70_000_u32.to_le_bytes(), &3_u32.to_le_bytes(), &1_u32.to_le_bytes()].concat());
    assert_eq!(
        pack_and_unpack(&[(Span::new(2, 4), 258), (Span::new(7, 8), 3)]),
        *b"s\x02\0\x05\0\x02\x01\x02\x01\x03\0"
    );
    assert_eq!(pack_and_unpack(&[]), *b"s");
}

proptest! {
    #[test]
    fn words_are_what_letters_and_digits_the_folded_text_has(text in "\\PC{0,40}|[a-zé½ß \u{AD}0-9.]{0,40}") {
        let folded = Normalized::new(&text);
        let expected: Vec<&str> =
            folded.folded().split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let found = words_with_spans(&text);
        prop_assert_eq!(found.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>(), expected.clone());
        for (word, span) in &found {
            prop_assert!(Normalized::new(&text[span.range()]).folded().contains(word.as_str()));
        }
        prop_assert_eq!(words_with_slots(&Slots::default(), &text), expected.join(" "));
    }

    // Each slot precedes the word in which its terms begin, and no term is lost, wherever terms begin.
    #[test]
    fn every_term_has_a_slot(text in "[a-cé½ß \u{AD}\u{1}0-1.]{1,30}", starts in proptest::collection::btree_set(0_u32..30, 0..6)) {
        let entries: Vec<EntryId> = scrubbed("Fever, cough, asthma.").concepts.iter().map(|found| found.entry).collect();
        let points = text.chars().count() as u32;
        let mentions: Vec<Mention> = starts
            .into_iter()
            .filter(|&start| start < points)
            .zip(entries.into_iter().cycle())
            .map(|(start, entry)| Mention {
                source: Span::new(0, 1),
                output: Span::new(start, start + 1),
                entry,
                assertion: Assertion::default(),
                attributes: None,
            })
            .collect();
        let mut sets = CodeSets::new(vocabulary(), Vec::new());
        let slots = sets.slots_of_document(&Document { text: text.clone(), concepts: mentions.clone(), ..Document::default() });
        let mut points = CodePoints::new(&text);
        let mut expected: Vec<String> = Vec::new();
        let mut waiting = mentions.iter().peekable();
        for (word, span) in words_with_spans(&text) {
            let end = points.convert_span(span).end;
            let mut codes: Vec<String> = Vec::new();
            while let Some(mention) = waiting.next_if(|mention| mention.output.start < end) {
                let own = sets.number_of_entry(mention.entry, Status::default());
                for code in &sets.sets()[own as usize].0 {
                    if !codes.contains(code) {
                        codes.push(code.clone());
                    }
                }
            }
            if !codes.is_empty() {
                expected.push(format!("#{}", sets.number_of_set((codes, Status::default()))));
            }
            expected.push(word);
        }
        prop_assert_eq!(words_with_slots(&slots, &text), expected.join(" "));
    }
}
