//! Tests which numbers of a sentence the clinical grammar vouches for.

use std::path::Path;
use std::sync::LazyLock;

use notesieve::Vocabulary;
use notesieve::note::NoteBuffers;
use notesieve::rules::{self, Certainty, Findings, FoundNames, Verdict};
use notesieve::text::token::Kind;
use notesieve_vocabulary_build::Compiler;
use notesieve_vocabulary_build::sources::lists::Folder;

/// The cue words and the drug names, the only lists that the grammar needs.
static CUES: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut compiler = Compiler::new();
    for source in ["lexicon", "drugbank"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vocabularies").join(source);
        Folder::open(&folder).unwrap().read(&mut |record| compiler.push_record(record)).unwrap();
    }
    Vocabulary::from_bytes(compiler.finish().unwrap().0).unwrap()
});

/// Returns the words and numbers that no finding of the profile `strict` covers.
fn tokens_without_finding(text: &str) -> Vec<String> {
    let mut buffers = NoteBuffers::default();
    let note = buffers.read(text, &CUES, notesieve::Policy::safe().placeholder_forms());
    let tokens = note.tokens();
    let mut findings = Findings::default();
    rules::apply_rules(&note, &mut FoundNames::default(), &mut findings);
    let mut kept: Vec<Option<Certainty>> = vec![None; tokens.len()];
    for finding in findings.as_slice() {
        if finding.verdict == Verdict::Keep {
            for slot in &mut kept[finding.first as usize..finding.end as usize] {
                *slot = (*slot).max(Some(finding.certainty));
            }
        }
    }
    // A cluster of glued tokens is kept or removed as a whole.
    let mut left = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let mut end = at + 1;
        while end < tokens.len() && tokens[end].glued() {
            end += 1;
        }
        let number = (at..end).any(|at| tokens[at].kind == Kind::Number);
        if number && (at..end).any(|at| kept[at].is_none()) {
            left.push(note.text_of(at, end).to_owned());
        }
        at = end;
    }
    left
}

/// Reads the grammar cases, described in `tests/cases/README.md`.
fn grammar_cases() -> Vec<(String, Vec<String>)> {
    #[derive(serde::Deserialize)]
    struct File {
        case: Vec<Case>,
    }
    #[derive(serde::Deserialize)]
    struct Case {
        text: String,
        #[serde(default)]
        removed: Vec<String>,
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("clinical-")) {
            let file: File = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            cases.extend(file.case.into_iter().map(|case| (case.text, case.removed)));
        }
    }
    cases
}

#[test]
fn vouches_for_the_numbers_of_the_cases_in_any_case_and_for_no_others() {
    let cases = grammar_cases();
    assert!(cases.len() > 200, "{} cases", cases.len());
    let mut wrong = Vec::new();
    for (text, removed) in cases {
        for text in [text.clone(), text.to_lowercase(), text.to_uppercase()] {
            let left = tokens_without_finding(&text);
            let fine = left.iter().all(|number| removed.iter().any(|piece| piece.contains(number.as_str())))
                && removed.iter().all(|piece| left.iter().any(|number| piece.contains(number.as_str())));
            if !fine {
                wrong.push(format!("{left:?} is left of {text:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} texts\n{}", wrong.len(), wrong.join("\n"));
}
