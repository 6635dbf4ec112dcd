//! The command line.

use std::path::PathBuf;

use notesieve::names::{NameTrainingOptions, TreeGrowth};

/// The parsed arguments.
pub struct Arguments {
    pub folds: bool,
    pub task: String,
    pub batches: Vec<PathBuf>,
    pub measured: Option<Vec<String>>,
    /// How notes are grouped if not by file: `author` or `genre`.
    pub by: Option<String>,
    pub out: PathBuf,
    /// Passages for choosing the thresholds of statuses.
    pub calibration: Vec<PathBuf>,
    pub pools: PathBuf,
    /// Third-party text with almost no identifiers, followed by the audit of it, the half to read, and the maximum
    /// number of texts per file.
    pub public: Vec<PathBuf>,
    pub audit: PathBuf,
    /// The list of files that a shipped model is trained on.
    pub sources: PathBuf,
    pub half: Option<usize>,
    pub most: usize,
    pub copies: usize,
    pub excerpts: usize,
    pub options: NameTrainingOptions,
    pub leaks: Option<PathBuf>,
    /// The case of measured notes: unchanged, all capitals, all lower case.
    pub cases: Vec<Option<bool>>,
    pub growths: Vec<TreeGrowth>,
    pub sizes: Vec<usize>,
    /// The number of timed scrubs of a text; 0 prints only the digest.
    pub passes: usize,
    /// Models of names trained on the batches at odd and at even positions; trained anew if missing.
    pub halves: Option<[PathBuf; 2]>,
}

const USAGE: &str = "usage: learn model|folds|entities|entity-folds|measure|adapt|speed BATCH.txt... [--public FILE.jsonl]... [-o FILE], learn kept --public FILE.jsonl..., \
    or learn status|status-folds|status-measure PASSAGES.toml... [-o FILE]";

pub fn parse_arguments() -> Result<Arguments, String> {
    let mut all = std::env::args().skip(1);
    let task = all.next();
    let folds = match task.as_deref() {
        Some("model" | "entities" | "entity-folds") => false,
        Some("folds" | "measure" | "kept" | "speed" | "adapt" | "status" | "status-folds" | "status-measure") => true,
        _ => return Err(USAGE.to_owned()),
    };
    let mut found = Arguments {
        folds,
        task: task.unwrap_or_default(),
        batches: Vec::new(),
        measured: None,
        by: None,
        out: "models/default.model".into(),
        calibration: Vec::new(),
        pools: "corpus/pools/train".into(),
        public: Vec::new(),
        audit: "models/public-audit.tsv".into(),
        sources: "models/source.toml".into(),
        half: None,
        most: usize::MAX,
        copies: 2,
        excerpts: 3,
        options: NameTrainingOptions::default(),
        leaks: None,
        cases: vec![None],
        growths: Vec::new(),
        sizes: vec![10, 25, 50],
        passes: 5,
        halves: None,
    };
    while let Some(argument) = all.next() {
        if !argument.starts_with('-') {
            found.batches.push(argument.into());
            continue;
        }
        let value = all.next().ok_or(format!("{argument} needs a value"))?;
        let number = || value.parse::<f32>().map_err(|_| format!("{argument}: not a number"));
        match argument.as_str() {
            "-o" => found.out = value.into(),
            "--calibration" => found.calibration.push(value.into()),
            "--public" => found.public.push(value.into()),
            "--audit" => found.audit = value.into(),
            "--sources" => found.sources = value.into(),
            "--by" => found.by = Some(value),
            "--half" => found.half = Some(number()? as usize),
            "--most" => found.most = number()? as usize,
            "--halves" => {
                let (odd, even) = value.split_once(',').ok_or("--halves: MODEL,MODEL")?;
                found.halves = Some([odd.into(), even.into()]);
            }
            "--pools" => found.pools = value.into(),
            "--measured" => found.measured = Some(value.split(',').map(str::to_owned).collect()),
            "--copies" => found.copies = number()? as usize,
            "--excerpts" => found.excerpts = number()? as usize,
            "--epochs" => found.options.epochs = number()? as u32,
            "--rate" => found.options.rate = number()?,
            "--l2" => found.options.l2 = number()?,
            "--dropout" => found.options.dropout = number()? as u64,
            "--conjunction-dropout" => found.options.conjunction_dropout = number()? as u64,
            "--passes" => found.passes = number()? as usize,
            "--documents" => found.options.min_documents = number()? as u32,
            "--parts" => found.options.folds = number()? as u32,
            "--growth" => {
                found.growths.push(parse_growth(&value).ok_or("--growth: TREES:RATE:L2:ROWS:COLUMNS:UNLISTED")?)
            }
            "--sizes" => found.sizes = parse_numbers(&value).ok_or("--sizes: NOTES,NOTES")?,
            "--case" => found.cases.push(match value.as_str() {
                "upper" => Some(true),
                "lower" => Some(false),
                _ => return Err("--case: upper or lower".to_owned()),
            }),
            "--leaks" => found.leaks = Some(value.into()),
            _ => return Err(format!("unknown: {argument}")),
        }
    }
    Ok(found)
}

fn parse_numbers(value: &str) -> Option<Vec<usize>> {
    value.split(',').map(|number| number.parse().ok()).collect()
}

/// Parses the growth of trees from numbers separated by colons.
fn parse_growth(value: &str) -> Option<TreeGrowth> {
    let numbers: Vec<f32> = value.split(':').map(str::parse).collect::<Result<_, _>>().ok()?;
    let &[trees, rate, l2, rows, columns, unlisted] = &numbers[..] else { return None };
    Some(TreeGrowth { trees: trees as u32, rate, l2, rows: rows as u64, columns: columns as u64, unlisted })
}
