//! Judges what has no form: for every word and number that could come out, the log-odds that it belongs to a name, a place,
//! a date or another identifier, from weights that were learned from marked notes.
//!
//! What it is sure of becomes a finding like those of rules; where it is
//! sure that a weak finding is wrong, the finding does not count. A first pass is linear over what is seen of the token;
//! trees judge again, with the first judgement of all tokens in view. Everything is whole numbers, so every machine gives the
//! same answer.

#![allow(clippy::cast_possible_wrap, clippy::cast_sign_loss, reason = "scores and places are small by their making")]

mod arrays;
mod context;
mod dense;
mod elsewhere;
mod explain;
mod features;
mod grow;
mod memo;
mod model;
mod parts;
mod report;
mod rows;
mod score;
mod sink;
mod train;
mod tree;
mod trees;
#[cfg(target_arch = "x86_64")]
mod trees_avx2;

pub use crate::finding::Label;
pub use crate::linear::rng::Rng;
pub use arrays::{Features, Table};
pub use explain::AGAIN;
pub use grow::Growth;
pub use model::Model;
pub use sink::Template;
pub use train::{Example, Gold, Options, Trainer};

pub(crate) use arrays::read as features;
pub(crate) use report::Sections;
pub(crate) use score::ONE;

use crate::buffer::release;
use crate::debug::debug_count;
use crate::rules::{Findings, Note};
use crate::terms::Matches;
use crate::vocabulary::Classes;
use context::{Context, NoteEvidence, TokenFeatures};
use dense::{Row, Seen};
use elsewhere::Elsewhere;
use parts::Part;
use report::Known;
use rows::Rows;
use score::{First, LABELS, PARTS, SINGLE};
use tree::LANES;
use trees::Block;

/// The buffers of one worker. Those of a whole note have some bytes a token; the others are as long as one of its parts.
#[derive(Default)]
pub(crate) struct Judgement {
    evidence: NoteEvidence,
    context: Context,
    elsewhere: Elsewhere,
    rows: Rows,
    features: sink::Hashes,
    first: Vec<First>,
    sections: dense::Sections,
    doubts: Vec<Doubt>,
    /// The row that was read last, and the bytes of those of all doubts.
    row: Row,
    rows_in_doubt: Vec<u8>,
    /// What is said of each token of the note.
    judged: Vec<Judged>,
    kinds: Vec<Known>,
}

/// What is said of a token in the end, and what a report asks besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    total: i16,
    label: Label,
    /// [`Judged::UNLISTED`] and [`Judged::IN_LONG_TERM`].
    flags: u8,
}

const _: () = assert!(size_of::<Judged>() == 4, "a long note has millions of them");

impl Judged {
    const UNLISTED: u8 = 1;
    const IN_LONG_TERM: u8 = 2;

    fn new(first: &First, features_of_token: &TokenFeatures) -> Self {
        let unlisted = if features_of_token.is_unlisted() { Self::UNLISTED } else { 0 };
        let in_long_term = if features_of_token.is_in_long_term() { Self::IN_LONG_TERM } else { 0 };
        Self { total: 0, label: first.scores.best(), flags: unlisted | in_long_term }.with_total(first.total)
    }

    /// Whether nothing lets the word out.
    const fn is_unlisted(self) -> bool {
        self.flags & Self::UNLISTED != 0
    }

    /// Whether it stands in a term of several words.
    const fn is_in_long_term(self) -> bool {
        self.flags & Self::IN_LONG_TERM != 0
    }

    /// No judgement hangs on more than so many bits.
    fn with_total(self, total: i32) -> Self {
        Self { total: total.clamp(i16::MIN.into(), i16::MAX.into()) as i16, ..self }
    }

    /// The log-odds that it is anything.
    pub(crate) fn total(self) -> i32 {
        self.total.into()
    }
}

/// A token of which the first pass is not sure.
#[derive(Clone, Copy, Debug)]
struct Doubt {
    token: u32,
    /// The number of its word.
    word: u32,
    first: i32,
}

debug_count!(Judgement, "tokens", |it| it.judged.len());

impl Judgement {
    /// Judges every word and number of a note.
    pub(crate) fn judge(
        &mut self,
        model: &Model,
        note: &Note<'_>,
        matches: &Matches,
        findings: &Findings,
        allowed: Classes,
    ) {
        self.judge_in_parts(model, note, (matches, findings), allowed, parts::LONG);
    }

    /// Whether the model takes a token to be likelier nothing than anything; with `sure`, e times as likely.
    pub(crate) fn is_weak(&self, at: usize, sure: bool) -> bool {
        self.judged.get(at).is_some_and(|judged| judged.total() < if sure { -ONE } else { 0 })
    }

    /// What the model takes a token for and how likely, in steps, as one number; 0 where it was not judged.
    pub(crate) fn summary(&self, at: usize) -> u64 {
        self.judged.get(at).map_or(0, |judged| {
            let step = (judged.total() / (2 * ONE)).clamp(-4, 4) + 4;
            ((1 + judged.label as u64) << 8) | step as u64
        })
    }

    /// Judges a note in parts of at least so many tokens; the judgement does not hang on how many.
    fn judge_in_parts(
        &mut self,
        model: &Model,
        note: &Note<'_>,
        (matches, findings): (&Matches, &Findings),
        allowed: Classes,
        long: usize,
    ) {
        self.evidence.read(note, matches, findings);
        self.doubts.clear();
        self.rows_in_doubt.clear();
        self.judged.clear();
        self.judged.reserve_exact(note.len());
        self.in_parts(note, allowed, long, |judgement, note, part| judgement.judge_part(model, note, part));
        self.evidence.release();
        self.ask_trees(model);
        release(&mut self.doubts);
        release(&mut self.rows_in_doubt);
    }

    /// Reads a note whose evidence is known in parts of at least so many tokens, and calls `each` with the tokens around each of them.
    fn in_parts(
        &mut self,
        note: &Note<'_>,
        allowed: Classes,
        long: usize,
        mut each: impl FnMut(&mut Self, &Note<'_>, &Part),
    ) {
        let several = self.count_words(note, allowed, long);
        let mut part = Part::starting_with(note, 0, long);
        loop {
            if several {
                self.context.read_words(note, &self.evidence, part.around.clone(), allowed);
                self.elsewhere.look_up(&self.context);
            }
            self.context.read_fields(note, part.around.start);
            each(self, &note.part(part.around.clone()), &part);
            part = Part::starting_with(note, part.core.end, long);
            if part.core.is_empty() {
                break;
            }
        }
    }

    /// Counts the words of a note; tells whether it has several parts.
    fn count_words(&mut self, note: &Note<'_>, allowed: Classes, long: usize) -> bool {
        self.elsewhere.begin();
        let mut core = Part::starting_with(note, 0, long).core;
        let several = core.end < note.len();
        loop {
            self.context.read_words(note, &self.evidence, core.clone(), allowed);
            self.elsewhere.count(&self.context);
            core = Part::starting_with(note, core.end, long).core;
            if core.is_empty() {
                return several;
            }
        }
    }

    /// The first pass over a part that was read; `note` has the tokens around it.
    fn judge_part(&mut self, model: &Model, note: &Note<'_>, part: &Part) {
        let start = part.around.start;
        self.rows.read(model, &self.context.token_features, |at| note.bytes(at));
        self.first.clear();
        self.first.resize(note.len(), First::NOTHING);
        for at in part.seen.start - start..part.seen.end - start {
            if self.context.at(at).judged {
                self.first[at] = self.judge_first(model, at);
            }
        }
        let Self { context, elsewhere, first, sections, doubts, row, rows_in_doubt, judged, .. } = self;
        sections.read(context, first);
        let core = part.core.start - start..part.core.end - start;
        for at in core.clone().filter(|&at| context.at(at).judged) {
            elsewhere.add_score(at, first[at].total);
        }
        let seen = Seen { context, elsewhere, sections, first };
        for at in core {
            let (features_of_token, first) = (context.at(at), &first[at]);
            judged.push(Judged::new(first, features_of_token));
            if features_of_token.judged && dense::in_doubt(first) {
                seen.read(at, row);
                rows_in_doubt.extend_from_slice(row.bytes());
                let (token, word) = ((start + at) as u32, elsewhere.number_of(at));
                doubts.push(Doubt { token, word, first: first.total });
            }
        }
    }

    /// The first judgement of a token: what single tokens say, and where that leaves a doubt, what they say together.
    #[inline]
    fn judge_first(&mut self, model: &Model, at: usize) -> First {
        let Self { context, elsewhere, features, rows, .. } = self;
        let mut parts = [[0; LABELS]; PARTS];
        parts[..SINGLE].copy_from_slice(rows.parts(at));
        let single = First::new(parts);
        if single.is_clear() {
            return single;
        }
        features.clear();
        let [in_note, end] = features::rest(context, elsewhere, at, features);
        let features = &features.as_slice()[..end as usize];
        model.prefetch(features);
        let (in_note, together) = features.split_at(in_note as usize);
        (parts[SINGLE], parts[SINGLE + 1]) = (model.sum(in_note), model.sum(together));
        First::new(parts)
    }

    /// The second pass: trees judge again what is in doubt, now that all tokens have a first judgement.
    fn ask_trees(&mut self, model: &Model) {
        let Self { elsewhere, doubts, row, rows_in_doubt, judged, .. } = self;
        let mut block = Block::new();
        let mut rows = rows_in_doubt.chunks_exact(row.bytes().len().max(1));
        for doubts in doubts.chunks(LANES) {
            block.clear();
            for (&Doubt { word, first, .. }, bytes) in doubts.iter().zip(&mut rows) {
                row.set_bytes(bytes);
                row.put_same_word(elsewhere.counts(word), first);
                block.add(row);
            }
            for (Doubt { token, first, .. }, more) in doubts.iter().zip(model.second(&block)) {
                let judged = &mut judged[*token as usize];
                *judged = judged.with_total(*first + more);
            }
        }
    }
}

/// A marked note as features; `gold` tells what a token is whose first and last byte in the folded text are given.
pub(crate) fn example(
    note: &Note<'_>,
    matches: &Matches,
    findings: &Findings,
    allowed: Classes,
    gold: Vec<Gold>,
    (group, nth_note): (u32, u32),
) -> Example {
    let (mut context, mut elsewhere) = (Context::default(), Elsewhere::default());
    context.read(note, matches, findings, allowed);
    elsewhere.read(&context);
    Example::new(context, elsewhere, note, gold, group, nth_note)
}
