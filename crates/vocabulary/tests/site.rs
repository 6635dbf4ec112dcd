//! Site lists added to a vocabulary.

use notesieve_vocabulary::{SiteList, SiteLists, Vocabulary};
use notesieve_vocabulary_build::Compiler;

fn site_lists(staff: &[&str], allow: &[&str]) -> SiteLists {
    let owned = |items: &[&str]| items.iter().map(|&item| item.to_owned()).collect();
    SiteLists { staff: owned(staff), allow: owned(allow), ..SiteLists::default() }
}

#[test]
fn the_digest_tells_the_lists_whatever_their_order() {
    let vocabulary = Vocabulary::from_bytes(Compiler::new().finish().unwrap().0).unwrap();
    let with =
        |staff: &[&str], allow: &[&str]| vocabulary.with_lists(site_lists(staff, allow)).unwrap().digest().to_owned();
    assert_eq!(with(&["Ada Wren", "Odo Fen"], &[]), with(&["Odo Fen", "Ada Wren", "Odo Fen"], &[]));
    assert_ne!(with(&["Ada Wren"], &[]), with(&[], &["Ada Wren"]));
    assert_ne!(with(&["Ada", "Wren"], &[]), with(&["AdaWren"], &[]));
    assert_eq!(with(&[], &[]), vocabulary.digest());
    let twice =
        vocabulary.with_lists(site_lists(&["Ada Wren"], &[])).unwrap().with_lists(site_lists(&["Odo Fen"], &[]));
    assert_eq!(twice.unwrap().digest(), with(&["Odo Fen"], &[]), "the last lists count");
}

#[test]
fn an_item_without_a_word_is_told_by_its_place() {
    let vocabulary = Vocabulary::from_bytes(Compiler::new().finish().unwrap().0).unwrap();
    let error = vocabulary.with_lists(site_lists(&["Ada Wren", " -- "], &[])).unwrap_err().to_string();
    assert_eq!(error, "item 2 of the site list `staff` holds no word");
}

#[test]
fn items_are_found_as_wholes() {
    let vocabulary = Vocabulary::from_bytes(Compiler::new().finish().unwrap().0).unwrap();
    let ours = vocabulary.with_lists(site_lists(&["Ada Wren-Lowe"], &["wren"])).unwrap();
    assert_eq!(ours.site_lists_of("ADA WREN LOWE"), [SiteList::Staff]);
    assert_eq!(ours.site_lists_of("Wren"), [SiteList::Allow]);
    assert_eq!(ours.site_lists_of("Lowe"), [], "a family name alone is no item of the list");
}
