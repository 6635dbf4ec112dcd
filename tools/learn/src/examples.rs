//! Training data for the model of names: marked notes, unchanged and redrawn, and third-party text.

use notesieve::Scrubber;
use notesieve::names::{NameTrainer, Rng};
use rayon::prelude::*;

use crate::notes::Note;
use crate::options::Arguments;
use crate::public::{self, Audit};
use crate::redraw::{self, Pools};

/// The maximum number of words in an excerpt.
const WORDS_OF_EXCERPT: usize = 16;

/// Adds every note, unchanged and redrawn.
pub fn add_marked(
    trainer: &mut NameTrainer,
    arguments: &Arguments,
    batches: &[(String, Vec<Note>)],
    scrubber: &Scrubber,
    pools: &Pools,
) -> Result<(), String> {
    let mut jobs = Vec::new();
    for (group, (_, notes)) in batches.iter().enumerate() {
        for note in notes {
            jobs.push((group as u32, jobs.len() as u32, note));
        }
    }
    for jobs in jobs.chunks(200) {
        let read: Vec<_> = jobs
            .par_iter()
            .flat_map_iter(|&(group, number, note)| {
                let mut rng = Rng::new(u64::from(number) + 1);
                (0..=arguments.copies + arguments.excerpts).map(move |copy| {
                    let note = match copy {
                        0 => note.clone(),
                        _ => pools.redraw_note(note, scrubber.vocabulary(), &mut rng),
                    };
                    if copy > arguments.copies {
                        let note = redraw::excerpt_of_note(&note, WORDS_OF_EXCERPT, &mut rng);
                        return scrubber.training_example(&note.text, &note.gold(), group, number);
                    }
                    let note = match (copy, rng.next_below(100)) {
                        (1.., 0..28) => redraw::note_in_case(&note, false),
                        (1.., 28..46) => redraw::note_in_case(&note, true),
                        _ => note,
                    };
                    scrubber.training_example(&note.text, &note.gold(), group, number)
                })
            })
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())?;
        read.into_iter().for_each(|example| trainer.add_note(example));
    }
    Ok(())
}

/// The number of groups into which the texts of a source are split, so that the second pass learns from scores of a
/// model trained on the same kind of text.
const PUBLIC_GROUPS: usize = 8;

/// Adds third-party texts: each unchanged, an excerpt of it, and some in one case.
pub fn add_public(
    trainer: &mut NameTrainer,
    batches: usize,
    (sources, listed): (&[public::Source], &[public::Listed]),
    audit: &Audit,
    scrubber: &Scrubber,
) -> Result<(), String> {
    let texts = sources.iter().enumerate().flat_map(|(nth, source)| {
        let copies = public::copies_of_text(source, listed);
        source.texts.iter().map(move |text| (nth, copies, text))
    });
    let jobs: Vec<_> = texts.enumerate().collect();
    for jobs in jobs.chunks(200) {
        let read = jobs.par_iter().map(|&(number, (nth, copies, text))| {
            let mut rng = Rng::new(number as u64 + 1);
            let group = (batches + nth * PUBLIC_GROUPS + number % PUBLIC_GROUPS) as u32;
            let number = u32::MAX / 2 + number as u32;
            let whole = public::note_of_text(scrubber, audit, text)?;
            let mut notes = Vec::new();
            for _ in 0..copies {
                notes.push(redraw::excerpt_of_note(&whole, WORDS_OF_EXCERPT, &mut rng));
                match rng.next_below(100) {
                    0..14 => notes.push(redraw::note_in_case(&whole, false)),
                    14..23 => notes.push(redraw::note_in_case(&whole, true)),
                    _ => {}
                }
                notes.push(whole.clone());
            }
            notes
                .iter()
                .map(|note| scrubber.training_example(&note.text, &note.gold(), group, number))
                .collect::<Result<Vec<_>, _>>()
        });
        let read: Vec<_> = read.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        read.into_iter().flatten().for_each(|example| trainer.add_note(example));
    }
    Ok(())
}
