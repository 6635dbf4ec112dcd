//! The project's own lists: one folder per source, whose `source.toml` describes its files.
//!
//! ```toml
//! [source]
//! name = "Medical Subject Headings"
//! system = "mesh"              # CURIE prefix of the codes; none for word lists
//! version = "2024"
//! licence = "NLM terms of use"
//! package = "where it was taken from"
//! priority = 10                # the codes of the lowest come first; 100 if not said
//! variants = true              # terms are also written in the other number, with another head, in the other spelling
//! variants_of = ["C", "F03"]   # the same of terms of these branches of the tree only
//!
//! [[terms]]
//! file = "terms.tsv.gz"        # code, 1 if preferred or 0, text
//!
//! [[concepts]]
//! file = "concepts.tsv.gz"     # code, preferred name, then types, parents and same-as, each list joined by |
//!
//! [[list]]
//! file = "stop.txt"            # a word or phrase a line, or with a tab and a count
//! class = "stop"
//! ```
//!
//! Files are UTF-8, plain or gzip; lines that start with `#` are comments. A malformed line is an error, because these
//! lists are ours. Parents and same-as are CURIEs, or codes of the source's own system.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::compile::{Compiler, Report};
use crate::suppress::reason_to_suppress;
use crate::term::{Concept, Record, Term, TermKind, Word};
use crate::variants::{Rule, variants};
use notesieve_text::error::{Error, Result};
use notesieve_vocabulary::SourceInfo;
use notesieve_vocabulary::class::Class;

/// The name of the file that makes a folder a source.
pub const MANIFEST: &str = "source.toml";

#[derive(Deserialize)]
struct Manifest {
    source: Header,
    #[serde(default)]
    terms: Vec<Table>,
    #[serde(default)]
    concepts: Vec<Table>,
    #[serde(default)]
    list: Vec<List>,
}

#[derive(Deserialize)]
struct Header {
    name: String,
    #[serde(default)]
    system: String,
    version: String,
    licence: String,
    #[serde(default)]
    package: String,
    #[serde(default = "default_priority")]
    priority: u32,
    #[serde(default)]
    variants: bool,
    #[serde(default)]
    variants_of: Vec<String>,
}

const fn default_priority() -> u32 {
    100
}

/// The minimum length of a term of one word that gets variants: shorter ones are too often a name, or have another
/// meaning in the other grammatical number.
const MIN_VARIANT_LETTERS: usize = 9;

/// Returns whether a rule may make variants of a term in a source with `variants`.
fn may_apply_rule(term: &str, rule: Rule) -> bool {
    let counts = matches!(
        rule,
        Rule::Head
            | Rule::Modifier
            | Rule::Organ
            | Rule::Adjective
            | Rule::Number
            | Rule::Spelling
            | Rule::Numeral
            | Rule::Joined
    );
    counts && (term.contains(' ') || term.len() >= MIN_VARIANT_LETTERS)
}

#[derive(Deserialize)]
struct Table {
    file: String,
}

#[derive(Deserialize)]
struct List {
    file: String,
    class: String,
}

/// A folder of lists.
pub struct Folder {
    path: PathBuf,
    manifest: Manifest,
    classes: Vec<Class>,
}

impl Folder {
    /// Reads the `source.toml` of a folder.
    pub fn open(path: &Path) -> Result<Self> {
        let file = path.join(MANIFEST);
        let text = std::fs::read_to_string(&file).map_err(|source| Error::File { path: file.clone(), source })?;
        let problem = |problem: String| Error::Source { file: file.display().to_string(), line: 0, problem };
        let manifest: Manifest = toml::from_str(&text).map_err(|error| problem(error.to_string()))?;
        let classes = manifest
            .list
            .iter()
            .map(|list| {
                Class::from_key(&list.class)
                    .ok_or_else(|| problem(format!("no word class is named \"{}\"", list.class)))
            })
            .collect::<Result<_>>()?;
        Ok(Self { path: path.to_path_buf(), manifest, classes })
    }

    /// Opens every folder under `root` that has a `source.toml`, sorted by name.
    pub fn open_all(root: &Path) -> Result<Vec<Self>> {
        let failed = |source| Error::File { path: root.to_path_buf(), source };
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(root).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.join(MANIFEST).is_file() {
                paths.push(path);
            }
        }
        paths.sort();
        paths.iter().map(|path| Self::open(path)).collect()
    }

    /// Returns the metadata of the source.
    pub fn source_info(&self) -> SourceInfo {
        let Header { name, system, version, licence, package, priority, .. } = &self.manifest.source;
        SourceInfo {
            name: name.clone(),
            system: system.clone(),
            version: version.clone(),
            licence: licence.clone(),
            package: package.clone(),
            priority: *priority,
        }
    }

    /// Calls `each` with every record: concepts, terms, then words.
    pub fn read(&self, each: &mut dyn FnMut(Record)) -> Result<()> {
        let system = &self.manifest.source.system;
        let in_system = |code: &str| {
            if code.contains(':') || system.is_empty() { code.to_owned() } else { format!("{system}:{code}") }
        };
        let Header { variants: all_vary, variants_of, .. } = &self.manifest.source;
        // The codes in branches whose terms get variants.
        let mut varying = HashSet::new();
        for table in &self.manifest.concepts {
            for_each_line(&self.path.join(&table.file), |line| {
                let mut fields = line.split('\t');
                let (Some(code), Some(preferred)) = (fields.next(), fields.next()) else {
                    return Err("a concept has at least a code and a name");
                };
                let mut items = || fields.next().unwrap_or_default().split('|').filter(|item| !item.is_empty());
                let types: Vec<String> = items().map(str::to_owned).collect();
                if types.iter().any(|number| variants_of.iter().any(|branch| number.starts_with(branch))) {
                    varying.insert(code.to_owned());
                }
                let parents = items().map(in_system).collect();
                let same_as = items().map(in_system).collect();
                let (code, preferred) = (code.to_owned(), preferred.to_owned());
                each(Record::Concept(Concept { code, system: system.clone(), preferred, types, parents, same_as }));
                Ok(())
            })?;
        }
        for table in &self.manifest.terms {
            for_each_line(&self.path.join(&table.file), |line| {
                let mut fields = line.splitn(3, '\t');
                let (Some(code), Some(preferred), Some(text)) = (fields.next(), fields.next(), fields.next()) else {
                    return Err("a term has three fields: code, 1 or 0, text");
                };
                let kind = match preferred {
                    "1" => TermKind::Preferred,
                    "0" => TermKind::Synonym,
                    _ => return Err("the second field of a term is 1 or 0"),
                };
                let (text, code) = (text.to_owned(), code.to_owned());
                if *all_vary || varying.contains(&code) {
                    let made = variants(&text)
                        .filter(|&(ref made, rule)| may_apply_rule(&text, rule) && reason_to_suppress(made).is_none());
                    for (text, _) in made {
                        let (code, system) = (code.clone(), system.clone());
                        each(Record::Term(Term { text, code, system, kind: TermKind::Variant }));
                    }
                }
                each(Record::Term(Term { text, code, system: system.clone(), kind }));
                Ok(())
            })?;
        }
        for (list, &class) in self.manifest.list.iter().zip(&self.classes) {
            for_each_line(&self.path.join(&list.file), |line| {
                let (text, count) = line.split_once('\t').unwrap_or((line, "0"));
                let Ok(count) = count.trim().parse() else { return Err("what follows the tab is no count") };
                each(Record::Word(Word { text: text.trim().to_owned(), class, count }));
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Compiles every folder under `root` into one vocabulary.
pub fn compile_folders(root: &Path) -> Result<(Vec<u8>, Report)> {
    let mut compiler = Compiler::new();
    for folder in Folder::open_all(root)? {
        compiler.begin_source(folder.source_info());
        folder.read(&mut |record| compiler.push_record(record))?;
    }
    compiler.finish()
}

/// Calls `each` with every line that is neither empty nor a comment.
fn for_each_line(path: &Path, mut each: impl FnMut(&str) -> Result<(), &'static str>) -> Result<()> {
    let failed = |source| Error::File { path: path.to_path_buf(), source };
    let mut raw = BufReader::with_capacity(1 << 16, File::open(path).map_err(failed)?);
    let zipped = raw.fill_buf().map_err(failed)?.starts_with(&[0x1F, 0x8B]);
    let mut reader: Box<dyn BufRead> =
        if zipped { Box::new(BufReader::new(flate2::bufread::MultiGzDecoder::new(raw))) } else { Box::new(raw) };
    let mut line = String::new();
    let mut number = 0;
    loop {
        line.clear();
        if reader.read_line(&mut line).map_err(failed)? == 0 {
            return Ok(());
        }
        number += 1;
        let text = line.trim_end_matches(['\n', '\r']);
        if !text.trim().is_empty() && !text.starts_with('#') {
            each(text).map_err(|problem| Error::Source {
                file: path.display().to_string(),
                line: number,
                problem: problem.to_owned(),
            })?;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use notesieve_vocabulary::{EntryFlags, Vocabulary};

    /// A temporary folder of this process, removed on drop.
    struct TemporaryFolder(PathBuf);

    impl TemporaryFolder {
        fn new(name: &str, files: &[(&str, &[u8])]) -> Self {
            let root = std::env::temp_dir().join(format!("notesieve-lists-{}-{name}", std::process::id()));
            for (file, bytes) in files {
                let path = root.join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, bytes).unwrap();
            }
            Self(root)
        }
    }

    impl Drop for TemporaryFolder {
        fn drop(&mut self) {
            std::fs::remove_dir_all(&self.0).unwrap();
        }
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    const MESH: &str = "[source]\nname = \"Subjects\"\nsystem = \"mesh\"\nversion = \"2024\"\nlicence = \"free\"\n\
                        priority = 1\n[[terms]]\nfile = \"terms.tsv.gz\"\n[[concepts]]\nfile = \"concepts.tsv\"\n";
    const WORDS: &str = "[source]\nname = \"Words\"\nversion = \"1\"\nlicence = \"ours\"\n[[list]]\n\
                         file = \"cities.txt\"\nclass = \"city\"\n";

    #[test]
    fn folders_become_a_vocabulary() {
        let terms = "# code, preferred, text\nD1\t1\tHeart Failure\nD1\t0\tCardiac Failure\nD2\t0\tHeart Failure\n";
        let files: [(&str, &[u8]); 5] = [
            ("mesh/source.toml", MESH.as_bytes()),
            ("mesh/terms.tsv.gz", &gzip(terms)),
            ("mesh/concepts.tsv", b"D1\tHeart Failure\tC14.280\tD9|mesh:D8\tumls:C1\nD2\tOther\n"),
            ("words/source.toml", WORDS.as_bytes()),
            ("words/cities.txt", b"# places\nBoston\t650000\n\nSalt Lake City\t200000\n"),
        ];
        let scratch = TemporaryFolder::new("whole", &files);
        let (bytes, report) = compile_folders(&scratch.0).unwrap();
        assert_eq!((report.counts.terms, report.counts.shared, report.counts.concepts), (2, 1, 2));
        let vocabulary = Vocabulary::from_bytes(bytes).unwrap();
        let found = vocabulary.lookup("heart failure");
        assert_eq!(found.iter().map(|&id| vocabulary.curie(id)).collect::<Vec<_>>(), ["mesh:D1", "mesh:D2"]);
        let concept = vocabulary.concept(found[0]).unwrap();
        assert_eq!(concept.types, ["C14.280"]);
        assert_eq!(concept.parents, ["mesh:D8", "mesh:D9"]);
        assert_eq!(concept.same_as, ["umls:C1"]);
        assert!(vocabulary.entry_flags(vocabulary.entry_of("Salt Lake City").unwrap()).has(EntryFlags::PLACE));
        assert_eq!(vocabulary.info().sources[0].source.version, "2024");
        assert_eq!(
            compile_folders(&scratch.0).unwrap().0,
            compile_folders(&scratch.0).unwrap().0,
            "same lists, same bytes"
        );
    }

    #[test]
    fn a_source_with_variants_has_other_heads_and_numbers() {
        let source = MESH.replace("priority = 1", "priority = 1\nvariants = true");
        let files: [(&str, &[u8]); 3] = [
            ("mesh/source.toml", source.as_bytes()),
            ("mesh/terms.tsv.gz", b"D1\t1\trecessive disease\nD2\t1\tBrook\n"),
            ("mesh/concepts.tsv", b""),
        ];
        let scratch = TemporaryFolder::new("variants", &files);
        let vocabulary = Vocabulary::from_bytes(compile_folders(&scratch.0).unwrap().0).unwrap();
        for text in ["recessive disease", "recessive disorder", "recessive disorders", "recessive diseases"] {
            assert_eq!(vocabulary.lookup(text).len(), 1, "{text}");
        }
        assert!(vocabulary.lookup("brooks").is_empty(), "a short word may be a name");
    }

    #[test]
    fn variants_of_branches_are_those_of_their_terms() {
        let source = MESH.replace("priority = 1", "priority = 1\nvariants_of = [\"C\", \"F03\"]");
        let files: [(&str, &[u8]); 3] = [
            ("mesh/source.toml", source.as_bytes()),
            ("mesh/terms.tsv.gz", b"D1\t1\tmarsh fevers\nD2\t1\tmarsh plants\n"),
            ("mesh/concepts.tsv", b"D1\tmarsh fevers\tC01.2\t\t\nD2\tmarsh plants\tB01.2\t\t\n"),
        ];
        let scratch = TemporaryFolder::new("branches", &files);
        let vocabulary = Vocabulary::from_bytes(compile_folders(&scratch.0).unwrap().0).unwrap();
        assert_eq!(vocabulary.lookup("marsh fever").len(), 1);
        assert!(vocabulary.lookup("marsh plant").is_empty());
    }

    #[test]
    fn a_broken_line_is_named() {
        for (name, terms, line) in [("fields", "D1\t1\tok\nD1\tx\n", 2), ("flag", "D1\tyes\tok\n", 1)] {
            let files: [(&str, &[u8]); 3] = [
                ("mesh/source.toml", MESH.as_bytes()),
                ("mesh/terms.tsv.gz", terms.as_bytes()),
                ("mesh/concepts.tsv", b""),
            ];
            let scratch = TemporaryFolder::new(name, &files);
            match compile_folders(&scratch.0) {
                Err(Error::Source { file, line: at, .. }) => assert!(file.ends_with("terms.tsv.gz") && at == line),
                other => panic!("{:?}", other.map(|_| ())),
            }
        }
    }

    #[test]
    fn an_unknown_class_is_an_error() {
        let scratch =
            TemporaryFolder::new("class", &[("words/source.toml", WORDS.replace("city", "citty").as_bytes())]);
        let error = compile_folders(&scratch.0).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("citty"), "{error}");
    }
}
