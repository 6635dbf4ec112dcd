//! Tests how tokens are joined, which kinds entities get, and that the model changes little in what is removed.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::document::Document;
use crate::finding::Kind;
use crate::names::Model;
use crate::pipeline::tests::scrubber;
use crate::{Scrubber, policy::Policy};

fn with(policy: Policy, entities: bool) -> Scrubber {
    let model = Model::from_static(notesieve_models::default_bytes()).expect("the built-in model");
    let scrubber = scrubber().with_policy(policy).with_model(model);
    if !entities {
        return scrubber;
    }
    scrubber.with_entities(
        EntityModel::from_static(notesieve_models::entity_bytes()).expect("the built-in model of entities"),
    )
}

static WITH: LazyLock<Scrubber> = LazyLock::new(|| with(Policy::safe(), true));
static WITHOUT: LazyLock<Scrubber> = LazyLock::new(|| with(Policy::safe(), false));

fn spans<'a>(text: &'a str, document: &Document) -> Vec<(&'a str, Kind)> {
    let kinds = document.removed.iter().filter_map(|removal| Some((&text[removal.source.range()], removal.kind?)));
    kinds.collect()
}

#[test]
fn a_name_of_several_words_is_one_tag() {
    let cases = [
        (
            "Transferred to St. Luke's Hospital in Boston yesterday.",
            "Transferred to [LOCATION] in [LOCATION] yesterday.",
        ),
        ("He lives at 20 Ellery Street, Quincy.", "He lives at [LOCATION], [LOCATION]."),
        ("Seen by Dr. Rose Winters, MD.", "Seen by Dr. [NAME], MD."),
    ];
    for (text, expected) in cases {
        assert_eq!(WITH.scrub(text).expect("a short text").text, expected);
    }
}

#[test]
fn the_label_of_a_number_tells_its_kind() {
    let cases = [("Medical Record Number: 00829113", Kind::Record), ("Contact number: 617-555-0123", Kind::Phone)];
    for (text, kind) in cases {
        let removed = WITH.scrub(text).expect("a short text").removed;
        assert_eq!(removed.iter().map(|one| one.kind).collect::<Vec<_>>(), [Some(kind)], "{text}");
    }
}

#[test]
fn entities_have_kinds() {
    let text = "Patient: Olive Winters\nAdmitted to Mercy General Hospital. Born in Quincy. Her daughter Pansy Winters was called. \
        Attending: Hugo Brandt, MD. Lives at 20 Ellery Street.";
    let document = WITH.scrub(text).expect("a short text");
    let expected = [
        ("Olive Winters", Kind::Patient),
        ("Mercy General Hospital", Kind::Hospital),
        ("Quincy", Kind::City),
        ("Pansy Winters", Kind::Relative),
        ("Hugo Brandt", Kind::Staff),
        ("20 Ellery Street", Kind::Street),
    ];
    assert_eq!(spans(text, &document), expected);
}

#[test]
fn a_policy_keeps_whole_entities_of_a_kind() {
    let keeping = with(Policy { keep: vec!["hospital".to_owned()], ..Policy::safe() }, true);
    let text = "Admitted to Mercy General Hospital from home. Her daughter Pansy Winters lives in Quincy.";
    let kept = keeping.scrub(text).expect("a short text").text;
    assert_eq!(kept, "Admitted to Mercy General Hospital from home. Her daughter [NAME] lives in [LOCATION].");
}

/// Pieces of notes.
const PIECES: &[&str] = &[
    "St. Luke's Hospital",
    "in Boston",
    "Dr. Brown",
    "MD",
    "Olive slept well",
    "the daughter",
    "of",
    "the",
    "Copper Kettle",
    ",",
    ".",
    "'s",
    "3/4/06",
    "BP 128/72",
    "MRN 7734419",
    "Ward 12",
    "room 4",
    "chest pain",
    "20 Ellery Street",
    "Tyler, TX",
    "85001",
    "Page",
    "diabetes mellitus",
    "Mercy",
    "General",
    "Hospital",
    "\n",
    "-",
    "&",
    "zorblax",
    "McZwil",
    "617-555-0142",
    "Rose, Margaret A.",
    "Foley catheter",
    "x2",
    "5mg",
    "E11.9",
    "[NAME]",
    "93 y/o",
    "Christmas",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn little_changes_in_what_goes(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        let text = pieces.join(" ");
        let (with, without) = (WITH.scrub(&text).expect("a short text"), WITHOUT.scrub(&text).expect("a short text"));
        prop_assert_eq!(with.decisions.len(), without.decisions.len());
        for (with, without) in with.decisions.iter().zip(&without.decisions) {
            if with.action != Action::Remove && without.action == Action::Remove {
                // A token that comes out is on a list, and the model does not consider it identifying.
                prop_assert!(matches!(with.reason, Reason::List | Reason::Punctuation), "{:?}", with.reason);
            }
        }
        let mut end = 0;
        for removal in &with.removed {
            prop_assert!(removal.source.start >= end && removal.source.end > removal.source.start);
            end = removal.source.end;
        }
    }
}
