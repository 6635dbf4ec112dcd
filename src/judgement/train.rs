//! Learns weights from marked notes: logistic regression over hashed features, by adaptive gradients.
//!
//! The second pass must learn from judgements as good as those that it will see, so the first judges notes from which it did
//! not learn: it is trained once for each part of the notes, without that part.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

mod adapt;

use super::context::Context;
use super::dense::{self, Row, Sections, Seen};
use super::elsewhere::Elsewhere;
use super::features::{self, OWN};
use super::grow::{Growth, Table, grow};
use super::model::Model;
use super::score::{First, LABELS, ONE, PARTS, SINGLE};
use crate::learned::chance::Chance;

/// What a token is in a gold standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Gold {
    /// Nothing that identifies.
    Nothing = 0,
    /// A name.
    Name = 1,
    /// A place or an organisation.
    Place = 2,
    /// A date.
    Date = 3,
    /// Another identifier.
    Other = 4,
    /// It may stay or go: nothing is learned from it.
    Either = 255,
}

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How often all notes are read.
    pub rounds: u32,
    /// The first step of each weight.
    pub rate: f32,
    /// How strongly weights are drawn to zero.
    pub decay: f32,
    /// In how many of a thousand readings the letters of a word are left out.
    pub without_letters: u64,
    /// In how many of a thousand readings what several tokens say together is left out, so that single tokens learn to tell
    /// alone where there is no doubt.
    pub single: u64,
    /// In how many notes a feature must occur.
    pub documents: u32,
    /// Into how many parts the notes are divided for the second pass.
    pub parts: u32,
    /// Where chance begins.
    pub seed: u64,
    /// How the trees of the second pass are grown.
    pub growth: Growth,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rounds: 8,
            rate: 0.05,
            decay: 3.0,
            without_letters: 300,
            single: 400,
            documents: 5,
            parts: 3,
            seed: 1,
            growth: Growth::default(),
        }
    }
}

/// A marked note as features.
#[derive(Debug)]
pub struct Example {
    context: Context,
    elsewhere: Elsewhere,
    /// The tokens that are judged, and where the features of each end.
    judged: Vec<u32>,
    ends: Vec<u32>,
    /// Where each part of the features of a token ends, from its first on.
    parts: Vec<[u16; PARTS]>,
    hashes: Vec<u64>,
    gold: Vec<Gold>,
    /// Notes of one group are never learned from when another of the group is judged, and versions of one note count as one.
    group: u32,
    note: u32,
}

impl Example {
    /// A note; `gold` has an item a token.
    pub(super) fn new(
        context: Context,
        elsewhere: Elsewhere,
        view: &crate::rules::View<'_>,
        gold: Vec<Gold>,
        group: u32,
        note: u32,
    ) -> Self {
        let judged: Vec<u32> = (0..).zip(&context.sights).filter(|(_, sight)| sight.judged).map(|(at, _)| at).collect();
        let (mut hashes, mut ends, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for &at in &judged {
            let first = hashes.len() as u32;
            let read = features::read(&context, &elsewhere, view.bytes(at as usize), at as usize, &mut hashes);
            parts.push(read.map(|end| (end - first) as u16));
            ends.push(hashes.len() as u32);
        }
        Self { context, elsewhere, judged, ends, parts, hashes, gold, group, note }
    }
}

/// Hashes are spread already.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// Features by number.
#[derive(Default)]
pub(super) struct Numbers {
    of: HashMap<u64, u32, BuildHasherDefault<Spread>>,
    hashes: Vec<u64>,
}

impl Numbers {
    /// The features, by number.
    pub(super) fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The number of a feature: of a new one the next.
    pub(super) fn of(&mut self, hash: u64) -> u32 {
        *self.of.entry(hash).or_insert_with(|| {
            self.hashes.push(hash);
            self.hashes.len() as u32 - 1
        })
    }
}

/// Rows of features with a label each.
#[derive(Default)]
struct Rows {
    ends: Vec<u32>,
    features: Vec<u32>,
    parts: Vec<[u16; PARTS]>,
    gold: Vec<Gold>,
    /// What the model that is moved says of each row without the features that are learned; empty where none is moved.
    rests: Vec<Rest>,
    group: u32,
    note: u32,
}

/// What a model says of a row: its letters, its other features, and what the trees add.
#[derive(Clone, Copy)]
struct Rest {
    letters: [i16; LABELS],
    others: [i16; LABELS],
    trees: i32,
}

impl Rows {
    /// Takes the weights of features that are learned out of what the model says.
    fn take_from_rests(&mut self, weights: &[[i16; LABELS]]) {
        let mut rests = std::mem::take(&mut self.rests);
        for (row, rest) in rests.iter_mut().enumerate() {
            for (nth, &feature) in self.features(row).iter().enumerate() {
                let weights = weights.get(feature as usize).copied().unwrap_or_default();
                let rest = if nth < OWN { &mut rest.letters } else { &mut rest.others };
                rest.iter_mut().zip(weights).for_each(|(rest, weight)| *rest -= weight);
            }
        }
        self.rests = rests;
    }

    /// What is said of a row by what is not learned, with its letters or without.
    fn rest(&self, row: usize, letters: bool) -> [f32; LABELS] {
        let Some(rest) = self.rests.get(row) else { return [0.0; LABELS] };
        std::array::from_fn(|label| {
            let letters = if letters { i32::from(rest.letters[label]) } else { 0 };
            (letters + i32::from(rest.others[label]) + rest.trees) as f32 / ONE as f32
        })
    }

    fn features(&self, row: usize) -> &[u32] {
        let first = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.features[first as usize..self.ends[row] as usize]
    }
}

#[derive(Clone, Copy, Default)]
struct Weight {
    value: [f32; LABELS],
    /// To what the weights are drawn.
    start: [f32; LABELS],
    squares: [f32; LABELS],
    /// How strongly the weights are drawn there each time the feature is seen.
    decay: f32,
}

/// Learns from marked notes.
pub struct Trainer {
    options: Options,
    start: Option<Model>,
    examples: Vec<Example>,
    rows: Vec<Rows>,
    numbers: Numbers,
}

/// Tells how many notes there are.
impl std::fmt::Debug for Trainer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trainer").field("examples", &self.examples.len()).finish_non_exhaustive()
    }
}

impl Trainer {
    /// Learns from nothing yet.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, start: None, examples: Vec::new(), rows: Vec::new(), numbers: Numbers::default() }
    }

    /// Has learned from nothing yet, and moves a model that was learned elsewhere instead of learning a new one.
    #[must_use]
    pub fn moving(start: Model, options: Options) -> Self {
        Self { start: Some(start), ..Self::new(options) }
    }

    /// Adds a marked note.
    pub fn add(&mut self, mut example: Example) {
        let hashes = std::mem::take(&mut example.hashes);
        let features = hashes.iter().map(|&hash| self.numbers.of(hash)).collect();
        let rests = self.start.as_ref().map(|start| adapt::rests(start, &example, &hashes)).unwrap_or_default();
        let gold = example.judged.iter().map(|&at| example.gold[at as usize]).collect();
        let ends = std::mem::take(&mut example.ends);
        let parts = std::mem::take(&mut example.parts);
        let Example { group, note, .. } = example;
        self.rows.push(Rows { ends, features, parts, gold, rests, group, note });
        self.examples.push(example);
    }

    /// Forgets features of too few notes, once all notes are there.
    pub fn finish(&mut self) {
        let counts = count(self.rows.iter(), self.numbers.hashes.len());
        let mut left = Vec::new();
        let places: Vec<u32> = counts
            .iter()
            .zip(&self.numbers.hashes)
            .map(|(&count, &hash)| {
                let stays = count >= self.options.documents;
                left.extend(stays.then_some(hash));
                if stays { left.len() as u32 - 1 } else { u32::MAX }
            })
            .collect();
        self.numbers = Numbers { of: HashMap::default(), hashes: left };
        let hashes = &self.numbers.hashes;
        let weights: Vec<_> =
            self.start.iter().flat_map(|start| hashes.iter().map(|&hash| start.sum(&[hash]))).collect();
        for rows in &mut self.rows {
            let (mut first, mut kept) = (0, Vec::with_capacity(rows.features.len()));
            for (end, parts) in rows.ends.iter_mut().zip(&mut rows.parts) {
                let (begin, old) = (kept.len(), *parts);
                // The place of letters stays theirs.
                for (nth, &feature) in rows.features[first..*end as usize].iter().enumerate() {
                    for (part, _) in parts.iter_mut().zip(old).filter(|&(_, old)| usize::from(old) == nth) {
                        *part = (kept.len() - begin) as u16;
                    }
                    let place = places[feature as usize];
                    if place != u32::MAX || nth < OWN {
                        kept.push(place);
                    }
                }
                for (part, _) in parts.iter_mut().zip(old).filter(|&(_, old)| usize::from(old) == *end as usize - first)
                {
                    *part = (kept.len() - begin) as u16;
                }
                first = *end as usize;
                *end = kept.len() as u32;
            }
            rows.features = kept;
            rows.take_from_rests(&weights);
        }
    }

    /// The model of all notes but those of one group.
    pub fn train(&self, without: Option<u32>, provenance: &str) -> Vec<u8> {
        if let Some(start) = &self.start {
            return self.adapt(start, without, provenance);
        }
        self.train_each(without, provenance, &[self.options.growth]).swap_remove(0)
    }

    /// The model of all notes but those of one group, with trees grown in each of some ways.
    pub fn train_each(&self, without: Option<u32>, provenance: &str, growths: &[Growth]) -> Vec<Vec<u8>> {
        let Options { parts, .. } = self.options;
        let chosen: Vec<usize> = (0..self.rows.len()).filter(|&nth| Some(self.rows[nth].group) != without).collect();
        let counts = self.counts(&chosen);
        let mut groups: Vec<u32> = chosen.iter().map(|&nth| self.rows[nth].group).collect();
        groups.sort_unstable();
        groups.dedup();
        // Of one group alone, notes are parted by themselves.
        let part = |nth: usize| {
            let rows = &self.rows[nth];
            if groups.len() > 1 {
                groups.binary_search(&rows.group).unwrap_or_default() as u32 % parts.min(groups.len() as u32)
            } else {
                rows.note % parts
            }
        };
        let mut table = Table::default();
        for held in 0..parts {
            let others: Vec<&Rows> =
                chosen.iter().filter(|&&nth| part(nth) != held).map(|&nth| &self.rows[nth]).collect();
            let weights = self.fit(&others, &counts, self.options.rounds);
            for &nth in chosen.iter().filter(|&&nth| part(nth) == held) {
                self.add_doubts(nth, &weights, &mut table);
            }
        }
        let ends = table.steps();
        let trees: Vec<_> = growths.iter().map(|&growth| grow(&table, &ends, growth, self.options.seed)).collect();
        drop(table);
        let all: Vec<&Rows> = chosen.iter().map(|&nth| &self.rows[nth]).collect();
        let weights = self.fit(&all, &counts, self.options.rounds);
        let ranked = ranked(&self.numbers.hashes, &weights, &counts);
        trees.iter().map(|trees| Model::write(&ranked, trees, provenance)).collect()
    }

    /// In how many notes each feature occurs.
    fn counts(&self, chosen: &[usize]) -> Vec<u32> {
        count(chosen.iter().map(|&nth| &self.rows[nth]), self.numbers.hashes.len())
    }

    /// Adds the rows of the second pass for a note that the weights were not learned from.
    fn add_doubts(&self, nth: usize, weights: &[Weight], table: &mut Table) {
        let (example, rows) = (&self.examples[nth], &self.rows[nth]);
        let mut elsewhere = example.elsewhere.clone();
        let mut first = vec![First::NOTHING; example.context.sights.len()];
        for (row, &at) in example.judged.iter().enumerate() {
            let mut from = 0;
            let sums = rows.parts[row].map(|end| {
                let part = &rows.features(row)[from..usize::from(end)];
                from = usize::from(end);
                sum(weights, part).map(|sum| (sum * ONE as f32).round() as i16)
            });
            first[at as usize] = First::judged(sums);
            elsewhere.add_score(at as usize, first[at as usize].total);
        }
        let mut sections = Sections::default();
        sections.read(&example.context, &first);
        let seen = Seen { context: &example.context, elsewhere: &elsewhere, sections: &sections, first: &first };
        let mut row = Row::new();
        for (&at, &gold) in example.judged.iter().zip(&rows.gold) {
            let first = &first[at as usize];
            if gold != Gold::Either && dense::in_doubt(first) {
                seen.read(at as usize, &mut row);
                table.add(&row, first.total, gold != Gold::Nothing, example.context.at(at as usize).is_unlisted());
            }
        }
    }

    /// Finds weights. Letters are left out of some readings, what several tokens say together out of others.
    fn fit(&self, rows: &[&Rows], counts: &[u32], rounds: u32) -> Vec<Weight> {
        self.fit_from(vec![Weight::default(); counts.len()], rows, counts, rounds, self.options.single)
    }

    /// Moves weights from where they start.
    fn fit_from(
        &self,
        mut weights: Vec<Weight>,
        rows: &[&Rows],
        counts: &[u32],
        rounds: u32,
        single: u64,
    ) -> Vec<Weight> {
        let Options { rate, decay, without_letters, documents, seed, .. } = self.options;
        // All weights are drawn to their start alike, however seldom their feature is seen.
        let mut seen = vec![0_u32; counts.len()];
        for &feature in rows.iter().flat_map(|rows| &rows.features) {
            if let Some(seen) = seen.get_mut(feature as usize) {
                *seen += 1;
            }
        }
        for (weight, seen) in weights.iter_mut().zip(seen) {
            weight.decay = decay / seen.max(1) as f32;
        }
        let mut order: Vec<usize> = (0..rows.len()).collect();
        let mut chance = Chance::new(seed);
        let mut features = Vec::new();
        for _ in 0..rounds {
            for last in (1..order.len()).rev() {
                order.swap(last, chance.next() as usize % (last + 1));
            }
            for &nth in &order {
                let rows = rows[nth];
                for row in 0..rows.ends.len() {
                    let gold = rows.gold[row];
                    if gold == Gold::Either {
                        continue;
                    }
                    let leave = if chance.next() % 1000 < without_letters { OWN } else { 0 };
                    let end = if single > 0 && chance.next() % 1000 < single {
                        usize::from(rows.parts[row][SINGLE - 1])
                    } else {
                        rows.features(row).len()
                    };
                    features.clear();
                    let mut rest = rows.rest(row, leave == 0);
                    for &feature in &rows.features(row)[leave..end] {
                        match counts.get(feature as usize) {
                            Some(&count) if count >= documents => features.push(feature),
                            // Too few of these notes have it: it says what it said.
                            Some(_) => add(&mut rest, weights[feature as usize].value),
                            None => {}
                        }
                    }
                    step(&mut weights, &features, rest, gold, rate);
                }
            }
        }
        weights
    }
}

fn count<'a>(rows: impl Iterator<Item = &'a Rows>, features: usize) -> Vec<u32> {
    let mut counts = vec![0; features];
    let mut last = vec![u32::MAX; features];
    let mut rows: Vec<&Rows> = rows.collect();
    rows.sort_by_key(|rows| rows.note);
    for rows in rows {
        for &feature in &rows.features {
            let feature = feature as usize;
            if feature >= features {
                continue;
            }
            counts[feature] += u32::from(last[feature] != rows.note);
            last[feature] = rows.note;
        }
    }
    counts
}

fn sum(weights: &[Weight], features: &[u32]) -> [f32; LABELS] {
    let mut sum = [0.0; LABELS];
    for weight in features.iter().filter_map(|&feature| weights.get(feature as usize)) {
        add(&mut sum, weight.value);
    }
    sum
}

fn add(sum: &mut [f32; LABELS], more: [f32; LABELS]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// One step down the gradient of the logarithm of what the label is thought to be worth, `rest` by what is not learned.
fn step(weights: &mut [Weight], features: &[u32], rest: [f32; LABELS], gold: Gold, rate: f32) {
    let mut scores = sum(weights, features);
    add(&mut scores, rest);
    let highest = scores.iter().copied().fold(0.0, f32::max);
    let odds = scores.map(|score| (score - highest).exp());
    let all = odds.iter().sum::<f32>() + (-highest).exp();
    let mut gradient = odds.map(|odds| odds / all);
    if gold != Gold::Nothing {
        gradient[gold as usize - 1] -= 1.0;
    }
    // What is judged right already teaches nothing.
    if gradient.iter().all(|gradient| gradient.abs() < 0.004) {
        return;
    }
    for &feature in features {
        let weight = &mut weights[feature as usize];
        for label in 0..LABELS {
            let gradient = gradient[label] + weight.decay * (weight.value[label] - weight.start[label]);
            weight.squares[label] += gradient * gradient;
            weight.value[label] -= rate * gradient / (weight.squares[label].sqrt() + 1e-3);
        }
    }
}

/// Features with their weights in whole numbers, the most important first.
fn ranked(hashes: &[u64], weights: &[Weight], counts: &[u32]) -> Vec<(u64, [i8; LABELS])> {
    let mut ranked: Vec<(f32, u64, [i8; LABELS])> = hashes
        .iter()
        .zip(weights)
        .zip(counts)
        .filter_map(|((&hash, weight), &count)| {
            let whole = weight.value.map(|value| (value * ONE as f32).round().clamp(-127.0, 127.0) as i8);
            let most = weight.value.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
            (whole != [0; LABELS]).then_some((most * (count as f32).sqrt(), hash, whole))
        })
        .collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    ranked.into_iter().map(|(_, hash, weights)| (hash, weights)).collect()
}
