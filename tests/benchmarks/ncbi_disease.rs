//! How well terms are coded: concepts found against the gold standard of the NCBI disease corpus.
//!
//! `cargo run --release --example ncbi_disease -- DESC.xml CORPUS.txt [--supplementary SUPP.xml] [--mesh-only] [--errors]`
//!
//! The vocabulary is the disease branches of MeSH (C and F03) without what is no disease there: headings that say only
//! that there is one, and processes of chromosomes and death; nothing is trained. To its terms come the names that MONDO,
//! the Disease Ontology and HPO in the vocabulary of the package have for the same diseases, where they say for which MeSH
//! record, else for which OMIM number, a name stands; `--mesh-only` does without them. A document's concepts are compared as
//! sets and counted over all documents; mentions are compared with their place. OMIM numbers count in the gold standard,
//! although MeSH has none of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use notesieve::note::NoteBuffers;
use notesieve::placeholders::PlaceholderForms;
use notesieve::terms::{self, Matches};
use notesieve::vocabulary::{ConceptId, EntryFlags, EntryId};
use notesieve::{Error, Result, Vocabulary, abbreviations};
use notesieve_vocabulary_build::build::{Options, SourceSpec, build};
use notesieve_vocabulary_build::sources::{Source, delimited, mesh};

/// Branches of C that hold no diseases: disease attributes, chromosome aberrations, death, genomic instability,
/// growth processes of tumours.
const NO_DISEASE: &[&str] =
    &["C23.550.288", "C23.550.291", "C23.550.210", "C23.550.260", "C23.550.362", "C23.550.727.098"];

/// Ontologies that say for which MeSH record or OMIM number a name stands.
const ONTOLOGIES: &[&str] = &["mondo:", "doid:", "hp:"];

/// Words in the names of headings of diseases at the top, which have no tree number in some files.
const TOP: &[&str] = &["Disease", "Disorders", "Neoplasms", "Infections", "Abnormalities", "Wounds"];

/// Whether a concept of MeSH is a disease: by its tree numbers, or those of the headings to which a supplementary record is
/// mapped.
fn is_disease(vocabulary: &Vocabulary, concept: ConceptId) -> bool {
    vocabulary.concept(concept).is_some_and(|concept| {
        let heading = |code: &String| vocabulary.concept_of(code).is_some_and(|id| is_disease(vocabulary, id));
        let supplementary = concept.curie.starts_with("mesh:C") && concept.parents.iter().any(heading);
        let top = concept.types.is_empty() && TOP.iter().any(|word| concept.preferred.contains(word));
        let in_branch = |tree: &String| {
            (tree.starts_with('C') || tree.starts_with("F03"))
                && !NO_DISEASE.iter().any(|branch| tree.starts_with(branch))
        };
        supplementary || top || concept.types.iter().any(in_branch)
    })
}

/// Start and end in characters, and the text.
type Place = (usize, usize, String);

#[derive(Default)]
struct Document {
    text: String,
    /// Concepts of each mention; more than one where it is a coordination.
    gold: Vec<(Place, BTreeSet<String>)>,
}

fn read_corpus(path: &Path) -> Result<BTreeMap<String, Document>> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
    let mut documents: BTreeMap<String, Document> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty()) {
        let problem = |problem: &str| Error::Source {
            file: path.display().to_string(),
            line: number,
            problem: problem.to_owned(),
        };
        if let [id, part @ ("t" | "a"), text] = line.splitn(3, '|').collect::<Vec<_>>()[..] {
            let document = documents.entry(id.to_owned()).or_default();
            if part == "a" {
                document.text.push(' ');
            }
            document.text.push_str(text);
            continue;
        }
        let [id, start, end, text, _, codes] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(problem("neither a title, an abstract nor an annotation"));
        };
        let offset = |text: &str| text.parse::<usize>().map_err(|_| problem("an offset is no number"));
        let codes = codes.trim().split(['|', '+']).map(|code| code.trim().replace("MESH:", "")).collect();
        let place = (offset(start)?, offset(end)?, text.to_owned());
        let document = documents.get_mut(id).ok_or_else(|| problem("an annotation of no document"))?;
        document.gold.push((place, codes));
    }
    Ok(documents)
}

/// Whether a name of an ontology may count: names without a word of five letters are mostly those of genes (RB1, WT1), and
/// one ordinary word means something else in a text ("skin" for a cancer of it).
fn may_count(package: &Vocabulary, text: &str, entry: EntryId) -> bool {
    let long = text.split(' ').any(|word| word.chars().filter(|letter| letter.is_alphabetic()).count() >= 5);
    long && !package.entry_flags(entry).has(EntryFlags::COMMON_WORD)
}

/// A table of the names that ontologies of the package have for diseases which MeSH has by another name, or OMIM alone.
fn write_names(package: &Vocabulary, mesh: &Vocabulary, path: &Path) -> Result<()> {
    let mut table = "code\tterm\n".to_owned();
    package.for_each_entry(|text, entry| {
        let has_disease = |id| is_disease(mesh, id);
        if mesh.lookup(text).into_iter().any(has_disease) || !may_count(package, text, entry) {
            return;
        }
        let concepts = package.entry_concepts(entry).filter_map(|id| package.concept(id));
        let of_ontology = concepts.filter(|one| ONTOLOGIES.iter().any(|system| one.curie.starts_with(system)));
        let same: Vec<String> = of_ontology.flat_map(|concept| concept.same_as).collect();
        let known = |code: &String| {
            code.starts_with("mesh:D") && mesh.concept_of(code).is_some_and(has_disease) || code.starts_with("mesh:C")
        };
        let heading = same.iter().find(|code| known(code));
        let number = || same.iter().find(|code| code.starts_with("omim:"));
        if let Some(code) = heading.or_else(number) {
            let _ = writeln!(table, "{code}\t{text}");
        }
    });
    std::fs::write(path, table).map_err(|source| Error::File { path: path.to_owned(), source })
}

/// The code of a form: a heading before a supplementary record before an OMIM number.
fn code_of(vocabulary: &Vocabulary, entry: EntryId) -> Option<String> {
    let codes = vocabulary.entry_concepts(entry).filter_map(|id| {
        let code = vocabulary.curie(id);
        let rank = match &code {
            code if code.starts_with("mesh:D") && is_disease(vocabulary, id) => 0,
            code if code.starts_with("mesh:C") => 1,
            code if code.starts_with("omim:") => 2,
            _ => return None,
        };
        Some((rank, code.replace("mesh:", "").replace("omim:", "OMIM:")))
    });
    codes.min().map(|(_, code)| code)
}

/// Found concepts with their place. Of several diseases of a form the first counts.
fn code(vocabulary: &Vocabulary, text: &str) -> Vec<(Place, String)> {
    let mut buffers = NoteBuffers::default();
    let note = buffers.read(text, vocabulary, PlaceholderForms::default());
    let mut matches = Matches::default();
    terms::find(&note, &mut matches);
    abbreviations::code(&note, |_| true, &mut matches.terms);
    let mut found = Vec::new();
    for hit in &matches.terms {
        let span = note.source_span(hit.first as usize, hit.last as usize);
        let (start, end) = (span.start as usize, span.end as usize);
        let characters = |byte: usize| text[..byte].chars().count();
        if let Some(code) = code_of(vocabulary, hit.entry) {
            found.push(((characters(start), characters(end), text[start..end].to_owned()), code));
        }
    }
    found
}

#[derive(Default)]
struct Score {
    right: usize,
    wrong: usize,
    missed: usize,
}

impl Score {
    fn print(&self, name: &str) {
        let share = |part: usize, of: usize| if of == 0 { 0.0 } else { part as f64 / of as f64 };
        let (precision, recall) =
            (share(self.right, self.right + self.wrong), share(self.right, self.right + self.missed));
        let f1 = share(2 * self.right, 2 * self.right + self.wrong + self.missed);
        println!("{name}: P {precision:.3} R {recall:.3} F1 {f1:.3}");
    }
}

/// What was found in documents, and what not.
#[derive(Default)]
struct Comparison {
    /// Codes, each counted once a document.
    documents: Score,
    mentions: Score,
    /// How often each text was given a code that its document does not have.
    wrong: BTreeMap<String, usize>,
    /// How often a text has a code in the gold standard that its document was not given.
    missed: BTreeMap<String, usize>,
}

impl Comparison {
    fn add(&mut self, document: &Document, found: &[(Place, String)]) {
        let gold: BTreeSet<&String> = document.gold.iter().flat_map(|(_, codes)| codes).collect();
        let coded: BTreeSet<&String> = found.iter().map(|(_, code)| code).collect();
        self.documents.right += gold.intersection(&coded).count();
        self.documents.wrong += coded.difference(&gold).count();
        self.documents.missed += gold.difference(&coded).count();
        let is_gold = |place: &Place, code: &String| {
            document
                .gold
                .iter()
                .any(|((start, end, _), codes)| (*start, *end) == (place.0, place.1) && codes.contains(code))
        };
        let right = found.iter().filter(|(place, code)| is_gold(place, code)).count();
        self.mentions.right += right;
        self.mentions.wrong += found.len() - right;
        self.mentions.missed += document.gold.len().saturating_sub(right);
        for (place, code) in found.iter().filter(|(_, code)| !gold.contains(code)) {
            *self.wrong.entry(format!("{} {code}", place.2)).or_default() += 1;
        }
        for (place, codes) in document.gold.iter().filter(|(_, codes)| codes.iter().any(|code| !coded.contains(code))) {
            let all = codes.iter().map(String::as_str).collect::<Vec<_>>().join("+");
            *self.missed.entry(format!("{} {all}", place.2)).or_default() += 1;
        }
    }

    /// Prints the most frequent errors.
    fn print_errors(&self) {
        for (name, errors) in [("wrong", &self.wrong), ("missed", &self.missed)] {
            let mut errors: Vec<_> = errors.iter().collect();
            errors.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            println!("{name}:");
            for (error, count) in errors.iter().take(400) {
                println!("  {count:4} {error}");
            }
        }
    }
}

/// The diseases of MeSH; with the names that the package has for them, if `package` says so.
fn build_vocabulary(descriptors: PathBuf, supplementary: Option<PathBuf>, package: bool) -> Result<Vocabulary> {
    let branches = vec!["C".to_owned(), "F03".to_owned()];
    let source = Source::Mesh(mesh::Options { branches, ..mesh::Options::default() });
    let mut specs = vec![SourceSpec::new(source.clone(), descriptors)];
    specs.extend(supplementary.map(|path| SourceSpec::new(source, path)));
    let compile = |specs: &[SourceSpec]| {
        let (bytes, report) = build(specs, Options::default(), &mut |_| Ok(()))?;
        println!("{} terms, built in {:.1} s", report.compiled.counts.terms, report.seconds);
        Vocabulary::from_bytes(bytes)
    };
    let mut vocabulary = compile(&specs)?;
    if package {
        let path = std::env::temp_dir().join(format!("notesieve-names-{}.tsv", std::process::id()));
        write_names(&Vocabulary::from_static(notesieve_vocabularies::default_bytes())?, &vocabulary, &path)?;
        specs.push(SourceSpec::new(Source::Delimited(delimited::Options::default()), &path));
        vocabulary = compile(&specs)?;
        std::fs::remove_file(&path).map_err(|source| Error::File { path, source })?;
    }
    Ok(vocabulary)
}

fn run(
    descriptors: PathBuf,
    corpus: &Path,
    supplementary: Option<PathBuf>,
    package: bool,
    list_errors: bool,
) -> Result<()> {
    let vocabulary = build_vocabulary(descriptors, supplementary, package)?;
    let mut comparison = Comparison::default();
    for document in read_corpus(corpus)?.values() {
        comparison.add(document, &code(&vocabulary, &document.text));
    }
    comparison.documents.print("documents");
    comparison.mentions.print("mentions");
    if list_errors {
        comparison.print_errors();
    }
    Ok(())
}

fn main() -> ExitCode {
    let mut paths = Vec::new();
    let (mut supplementary, mut package, mut list_errors) = (None, true, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--errors" => list_errors = true,
            "--mesh-only" => package = false,
            "--supplementary" => supplementary = arguments.next().map(PathBuf::from),
            path => paths.push(PathBuf::from(path)),
        }
    }
    let [descriptors, corpus] = &paths[..] else {
        eprintln!("usage: ncbi_disease DESC.xml CORPUS.txt [--supplementary SUPP.xml] [--mesh-only] [--errors]");
        return ExitCode::FAILURE;
    };
    match run(descriptors.clone(), corpus, supplementary, package, list_errors) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
