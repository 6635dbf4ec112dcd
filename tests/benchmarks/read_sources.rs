//! How fast the readers of published formats read, and what they find.
//!
//! `cargo run --release --example read_sources -- mesh FILE` (or `umls META`, `rxnorm RRF`, `snomed FOLDER`, `obo FILE`,
//! `obograph FILE`, `icd10cm FILE`, `loinc FILE`).

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use notesieve::vocabulary::sources::{Source, icd10cm, loinc, mesh, obo, rxnorm, snomed, umls};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(format), Some(path)) = (arguments.next(), arguments.next().map(PathBuf::from)) else {
        eprintln!("usage: read_sources FORMAT PATH");
        return ExitCode::FAILURE;
    };
    let source = match format.as_str() {
        "mesh" => Source::Mesh(mesh::Options::default()),
        "umls" => Source::Umls(umls::Options::default()),
        "rxnorm" => Source::RxNorm(rxnorm::Options::default()),
        "snomed" => Source::Snomed(snomed::Options::default()),
        "obo" => Source::Obo(obo::Options::default()),
        "obograph" => Source::OboGraph(obo::Options::default()),
        "icd10cm" => Source::Icd10cm(icd10cm::Options::default()),
        "loinc" => Source::Loinc(loinc::Options::default()),
        other => {
            eprintln!("unknown format {other}");
            return ExitCode::FAILURE;
        }
    };
    let start = Instant::now();
    match source.read(&path, &mut |_| Ok(())) {
        Ok(summary) => {
            println!("{}: {:.2} s", source.name(), start.elapsed().as_secs_f64());
            println!("read {}, concepts {}, terms {}", summary.read, summary.concepts, summary.terms);
            println!("dropped {:?}, unreadable {}", summary.dropped, summary.unreadable);
            for problem in &summary.problems {
                println!("  {}:{}: {}", problem.file, problem.line, problem.problem);
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
