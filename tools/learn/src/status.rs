//! Trains the classifier of assertion statuses on marked passages, and measures it.

use std::path::Path;

use notesieve::status::{CrossValidatedStatus, Passage, Status, StatusModel, StatusOptions, StatusTrainer};
use notesieve::text::span::Span;
use notesieve::vocabulary::Vocabulary;
use notesieve::{Policy, Scrubber};

use crate::options::Arguments;

/// Trains a model, measures one, or cross-validates it.
pub fn learn_or_measure_statuses(arguments: &Arguments, vocabulary: Vocabulary) -> Result<(), String> {
    let Arguments { task, batches: files, calibration, out, .. } = arguments;
    let digest = vocabulary.digest().to_owned();
    let scrubber = Scrubber::new(vocabulary, Policy::default());
    let read: Vec<(String, Vec<Passage>)> = files.iter().map(|path| read_passages(path)).collect::<Result<_, _>>()?;
    if task == "status-measure" {
        let model = StatusModel::open(out).map_err(|error| error.to_string())?;
        let judging = scrubber.clone().with_status(model);
        for (name, passages) in &read {
            let mut marks = Vec::new();
            for (place, passage) in passages.iter().enumerate() {
                marks.extend(judge_passage(&scrubber, &judging, place, passage).map_err(|error| error.to_string())?);
            }
            println!("{name}: {} passages, {} mentions found", passages.len(), marks.len());
            print_shares(&marks.iter().map(|&(_, judged)| judged).collect::<Vec<_>>());
            if let Some(folder) = &arguments.leaks {
                let file = folder.join(format!("{name}.status"));
                std::fs::write(&file, wrong_marks(passages, &marks))
                    .map_err(|error| format!("{}: {error}", file.display()))?;
            }
        }
        return Ok(());
    }
    let names: Vec<&str> = read.iter().map(|(name, _)| name.as_str()).collect();
    let all: Vec<Passage> = read.iter().flat_map(|(_, passages)| passages.iter().cloned()).collect();
    let calibration: Vec<(String, Vec<Passage>)> =
        calibration.iter().map(|path| read_passages(path)).collect::<Result<_, _>>()?;
    let by: Vec<&str> = calibration.iter().map(|(name, _)| name.as_str()).collect();
    let calibration: Vec<Passage> = calibration.iter().flat_map(|(_, passages)| passages.iter().cloned()).collect();
    let options = StatusOptions::default();
    let trainer = StatusTrainer::new(&scrubber, &all, &calibration, options).map_err(|error| error.to_string())?;
    if task == "status-folds" {
        let judged = trainer.cross_validate();
        let mut first = 0;
        for (name, passages) in &read {
            let of_file: Vec<CrossValidatedStatus> =
                judged.iter().filter(|one| (first..first + passages.len()).contains(&one.passage)).copied().collect();
            println!("{name}: {} passages, {} mentions", passages.len(), of_file.len());
            print_shares(&of_file);
            first += passages.len();
        }
        println!("all: {} passages, {} mentions", all.len(), judged.len());
        print_shares(&judged);
        return Ok(());
    }
    let provenance = serde_json::json!({
        "files": names, "thresholds": by, "passages": all.len(), "mentions": trainer.mention_count(), "seed": options.seed, "vocabulary": digest,
    });
    let model = trainer.train_model(&provenance.to_string());
    std::fs::write(out, &model).map_err(|problem| format!("{}: {problem}", out.display()))?;
    println!("{}: {} bytes", out.display(), model.len());
    Ok(())
}

/// The name of a file, and its passages.
fn read_passages(path: &Path) -> Result<(String, Vec<Passage>), String> {
    let problem = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| problem(&error))?;
    let read = Passage::read_toml(&text).map_err(|error| problem(&error))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok((name, read.into_iter().map(|(_, passage)| passage).collect()))
}

/// Formats the marks that a model classifies wrongly with their context, one per line, for passages that may be read.
fn wrong_marks(passages: &[Passage], marks: &[(Span, CrossValidatedStatus)]) -> String {
    let mut lines = Vec::new();
    for (span, judged) in marks.iter().filter(|(_, judged)| judged.model != judged.gold) {
        let text = &passages[judged.passage].text;
        let (before, term, behind) = (&text[..span.start as usize], &text[span.range()], &text[span.end as usize..]);
        let from = before.char_indices().rev().nth(100).map_or(0, |(at, _)| at);
        let to = behind.char_indices().nth(60).map_or(behind.len(), |(at, _)| at);
        let says = format!("{:?} for {:?}", judged.model, judged.gold);
        let around = format!("{}<<{term}>>{}", &before[from..], &behind[..to]);
        lines.push(format!("{says}\t{}\n", around.replace('\n', "\u{21b5}")));
    }
    lines.concat()
}

/// Returns the statuses of the marks of a passage, from cues alone and from a model.
fn judge_passage(
    cues: &Scrubber,
    model: &Scrubber,
    place: usize,
    passage: &Passage,
) -> notesieve::Result<Vec<(Span, CrossValidatedStatus)>> {
    let of = |scrubber: &Scrubber| scrubber.autocode(&passage.text).map(|document| document.concepts);
    let (cues, model) = (of(cues)?, of(model)?);
    let mut judged = Vec::new();
    for &(span, gold) in &passage.marks {
        let over = |found: &[notesieve::document::Mention]| {
            let over = found.iter().filter(|one| one.source.start < span.end && span.start < one.source.end);
            over.map(|one| one.assertion.status).reduce(|all, one| all | one)
        };
        if let (Some(cues), Some(model)) = (over(&cues), over(&model)) {
            judged.push((span, CrossValidatedStatus { passage: place, gold, cues, model }));
        }
    }
    Ok(judged)
}

/// Prints precision, recall and F1 of the cues, of the model, and of their union.
fn print_shares(marks: &[CrossValidatedStatus]) {
    for (place, key) in Status::KEYS.into_iter().enumerate() {
        let one = Status::from_index(place);
        let shares = |says: fn(&CrossValidatedStatus) -> Status| {
            let count = |says_it: bool, is: bool| {
                let of =
                    |mark: &&CrossValidatedStatus| says(mark).contains(one) == says_it && mark.gold.contains(one) == is;
                marks.iter().filter(of).count() as f64
            };
            let (right, much, missed) = (count(true, true), count(true, false), count(false, true));
            let (precision, recall) = (right / (right + much).max(1.0), right / (right + missed).max(1.0));
            format!("{precision:.3} {recall:.3} {:.3}", 2.0 * right / (2.0 * right + much + missed).max(1.0))
        };
        let mentions = marks.iter().filter(|mark| mark.gold.contains(one)).count();
        let [cues, model, both] =
            [shares(|mark| mark.cues), shares(|mark| mark.model), shares(|mark| mark.cues | mark.model)];
        println!("  {key:<13}{mentions:>5}  cues {cues}   model {model}   either {both}");
    }
}
