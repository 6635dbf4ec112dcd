//! A damaged, foreign or outdated vocabulary is an error that names the place, and never a panic.

use notesieve::{Error, Result, Vocabulary};

#[path = "../../fuzz/any_vocabulary.rs"]
mod any_vocabulary;

use any_vocabulary::{compiled, read_any, use_all};

const HEADER: usize = 128;
const ROW: usize = 64;

/// Returns the offset and length of each section from the section table.
fn section_borders(bytes: &[u8]) -> Vec<(usize, usize)> {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let count = u32::from_le_bytes(bytes[20..24].try_into().unwrap()) as usize;
    (0..count).map(|row| HEADER + row * ROW).map(|row| (number(row + 16), number(row + 24))).collect()
}

fn open_and_verify(bytes: &[u8]) -> Result<Vocabulary> {
    let vocabulary = Vocabulary::from_bytes(bytes)?;
    vocabulary.verify()?;
    Ok(vocabulary)
}

/// Returns the section that the error names.
fn section_in_error(bytes: &[u8]) -> &'static str {
    match open_and_verify(bytes) {
        Err(Error::Vocabulary { file, section, problem }) => {
            assert_eq!(file, "<memory>");
            assert!(!problem.is_empty());
            section
        }
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("accepted"),
    }
}

#[test]
fn a_whole_file_is_accepted() {
    let vocabulary = open_and_verify(&compiled()).unwrap();
    assert!(use_all(&vocabulary) > 1000);
    assert_eq!(vocabulary.digest().len(), 64);
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let bytes = compiled();
    let mut cuts: Vec<usize> = vec![0, 1, 15, 16, 17, HEADER - 1, HEADER, HEADER + 1, HEADER + ROW];
    for (offset, length) in section_borders(&bytes) {
        cuts.extend([offset - 1, offset, offset + 1, (offset + length).saturating_sub(1), offset + length]);
    }
    for cut in cuts.into_iter().filter(|&cut| cut < bytes.len()) {
        assert_eq!(section_in_error(&bytes[..cut]), "header", "cut at {cut}");
    }
    let mut longer = bytes;
    longer.push(0);
    assert_eq!(section_in_error(&longer), "header");
}

#[test]
fn a_patched_header_is_refused() {
    let bytes = compiled();
    let fields =
        [("label", 0), ("version", 16), ("sections", 20), ("length", 24), ("normaliser", 32), ("reserved", 48)];
    for (field, at) in fields.into_iter().chain([("digest", 96), ("last", HEADER - 1)]) {
        let mut patched = bytes.clone();
        patched[at] ^= 1;
        assert_eq!(section_in_error(&patched), "header", "{field}");
    }
    let message = |at: usize| {
        let mut patched = bytes.clone();
        patched[at] += 1;
        Vocabulary::from_bytes(patched).unwrap_err().to_string()
    };
    assert!(message(0).contains("not a compiled vocabulary"), "{}", message(0));
    assert!(message(16).contains("format version 5"), "{}", message(16));
    assert!(message(32).contains("normaliser"), "{}", message(32));
}

#[test]
fn a_patched_section_table_is_refused() {
    let bytes = compiled();
    for row in 0..section_borders(&bytes).len() {
        for at in [0, 16, 24, 32, 63] {
            let mut patched = bytes.clone();
            patched[HEADER + row * ROW + at] ^= 1;
            assert_eq!(section_in_error(&patched), "header", "row {row}, byte {at}");
        }
    }
}

#[test]
fn an_altered_section_is_named() {
    let bytes = compiled();
    for (row, (offset, length)) in section_borders(&bytes).into_iter().enumerate() {
        let name = &bytes[HEADER + row * ROW..HEADER + row * ROW + 16];
        let name = std::str::from_utf8(name).unwrap().trim_end_matches('\0');
        for at in [offset, offset + length / 2, offset + length - 1] {
            let mut patched = bytes.clone();
            patched[at] ^= 0x10;
            assert_eq!(section_in_error(&patched), name);
        }
        if !(offset + length).is_multiple_of(64) && offset + length < bytes.len() {
            let mut patched = bytes.clone();
            patched[offset + length] = 1;
            assert_ne!(section_in_error(&patched), name, "padding belongs to the section that follows");
        }
    }
}

/// Returns a generator of numbers below a bound, the same in every run.
fn pseudorandom_numbers() -> impl FnMut(usize) -> usize {
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as usize % below
    }
}

#[test]
fn flipped_bytes_are_errors_and_never_panics() {
    let bytes = compiled();
    let mut next = pseudorandom_numbers();
    let mut used = 0;
    for _ in 0..10_000 {
        let mut patched = bytes.clone();
        let at = next(bytes.len());
        patched[at] ^= 1 + next(255) as u8;
        assert!(open_and_verify(&patched).is_err(), "byte {at}");
        // Without verification, lookups may give fewer or other results, but must not fail.
        if let Ok(vocabulary) = Vocabulary::from_bytes(&patched) {
            used += usize::from(use_all(&vocabulary) > 0);
        }
    }
    assert!(used > 2_500, "most damage is beyond what opening checks: {used}");
}

#[test]
fn foreign_files_are_refused_by_name() {
    let path = std::env::temp_dir().join(format!("notesieve-foreign-{}", std::process::id()));
    for foreign in [&b""[..], b"\x7fELF and more of it", &[0xFF; 5000]] {
        std::fs::write(&path, foreign).unwrap();
        let error = Vocabulary::open(&path).unwrap_err().to_string();
        assert!(error.starts_with(&path.display().to_string()), "{error}");
        assert!(error.contains("not a compiled vocabulary"), "{error}");
    }
    std::fs::write(&path, compiled()).unwrap();
    let mapped = Vocabulary::open(&path).unwrap();
    mapped.verify().unwrap();
    assert_eq!(use_all(&mapped), use_all(&open_and_verify(&compiled()).unwrap()));
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(Vocabulary::open(&path), Err(Error::File { .. })));
}

#[test]
fn the_fuzz_target_holds_for_many_alterations_at_once() {
    let whole = compiled();
    let mut next = pseudorandom_numbers();
    for _ in 0..2_000 {
        let edits = 5 * (1 + next(40));
        let bytes: Vec<u8> = (0..edits).map(|_| next(256) as u8).collect();
        read_any(&whole, &bytes);
    }
    // Sections of random bytes.
    for (offset, length) in section_borders(&whole) {
        for _ in 0..20 {
            let mut patched = whole.clone();
            patched[offset..offset + length].fill_with(|| next(256) as u8);
            read_any(&whole, &patched);
        }
    }
}
