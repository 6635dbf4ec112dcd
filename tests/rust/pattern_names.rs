//! A pattern that cannot be named is an error, not a pattern without matches. A separate process, because it uses up
//! all names.

use notesieve::policy::{Pattern, PatternAction};
use notesieve::{Policy, Scrubber, Vocabulary};

fn nth_pattern(nth: usize) -> Pattern {
    Pattern {
        name: format!("p{nth}"),
        regex: format!("x{nth}"),
        kind: Some("other-id".to_owned()),
        action: PatternAction::Remove,
        certainty: "sure".to_owned(),
        before: Vec::new(),
        after: Vec::new(),
        within: 5,
        examples: Vec::new(),
    }
}

#[test]
fn more_patterns_than_names_are_refused() {
    let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the vocabulary is whole");
    let checked = |count: usize| {
        let policy = Policy { patterns: (0..count).map(nth_pattern).collect(), ..Policy::safe() };
        Scrubber::new(vocabulary.clone(), policy).check_key()
    };
    assert!(checked(3).is_ok());
    let problem = checked(4_200).expect_err("there are fewer names").to_string();
    assert!(problem.contains("4,096"), "{problem}");
    let ethnicity = Policy { ethnicity: true, ..Policy::safe() };
    assert!(Scrubber::new(vocabulary.clone(), ethnicity).check_key().is_err(), "what it finds could not be reported");
}
