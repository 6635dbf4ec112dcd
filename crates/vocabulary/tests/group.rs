//! The semantic groups of the default vocabulary.

use notesieve_vocabulary::Vocabulary;

#[test]
fn concepts_have_the_groups_of_their_sources() {
    let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).unwrap();
    let group = |term: &str| {
        let found = vocabulary.lookup(term);
        vocabulary.group(*found.first().expect(term)).key()
    };
    for (term, expected) in [
        ("pneumonia", "disorder"),
        ("fever", "finding"),
        ("appendectomy", "procedure"),
        ("aspirin", "drug"),
        ("chest", "anatomy"),
        ("staphylococcus aureus", "organism"),
        ("patients", "person"),
        ("history", "other"),
        ("depression", "finding"),
        ("left", "other"),
        ("rare", "other"),
        ("scoliosis", "disorder"),
        ("metastasis", "disorder"),
        ("carcinogenesis", "finding"),
        // Study methods, dosage forms, drinks and materials.
        ("records", "other"),
        ("tablets", "other"),
        ("tea", "other"),
        ("water", "other"),
        ("nylons", "device"),
        ("cholestyramine", "drug"),
        ("vaccines", "drug"),
        ("saline solution", "drug"),
        // Headings with nothing but a name.
        ("community-acquired pneumonia", "disorder"),
        ("semaglutide", "drug"),
        ("grief therapy", "procedure"),
        ("social prescribing", "other"),
    ] {
        assert_eq!(group(term), expected, "{term}");
    }
    // HPO has it outside its main branch; ICD-10-CM has the form too.
    assert_eq!(vocabulary.entry_group(vocabulary.entry_of("miscarriage").unwrap()).key(), "disorder");
}
