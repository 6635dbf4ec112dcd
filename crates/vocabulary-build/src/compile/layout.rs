//! Lays out the collected records as the sections of a file.

use std::time::Instant;

use bytemuck::cast_slice;

use super::concepts::WrittenConcepts;
use super::entries::{self, ClassSets, Entries};
use super::filter::{PLACES, dropped_by_lists};
use super::{Compiler, FormKind, NO_CONCEPT, Report, too_large_error};
use notesieve_text::error::{Error, Result};
use notesieve_vocabulary::class::Class;
use notesieve_vocabulary::contents::Contents;
use notesieve_vocabulary::format::{FORMAT, Section, WordRecord};
use notesieve_vocabulary::trie;
use notesieve_vocabulary::words::{self, MAX_INLINE_LENGTH, MAX_WORDS, Probe};

pub(super) fn lay_out_vocabulary(mut compiler: Compiler) -> Result<(Vec<u8>, Report)> {
    let mut kept = keep_forms_and_count_dropped(&mut compiler);
    add_compiler_lists(&mut compiler, &kept);
    let used = used_concepts(&compiler, &kept);
    let concepts = std::mem::take(&mut compiler.collected).write(&used)?;

    let alphabet = words_by_text(&compiler);
    rank_units(&mut compiler, &alphabet);
    sort_by_units(&compiler, &mut kept);
    let mut sets = ClassSets::new();
    let mut counts = std::mem::take(&mut compiler.counts);
    let mut entries = entries::merge_forms(&compiler, &kept, &alphabet, &concepts, &mut sets, &mut counts)?;
    drop(kept);

    let (order, ids) = words_by_frequency(&compiler, &alphabet)?;
    for unit in &mut compiler.units {
        *unit = ids[alphabet[*unit as usize] as usize];
    }
    let trie = build_trie(&compiler, &entries)?;
    entries.reorder(&trie.order);
    let usage: Vec<u32> = order.iter().map(|&word| compiler.words[word as usize].usage).collect();
    let words = WordTables::new(&compiler, &order, &mut sets, &trie.roots)?;
    let word_set = word_set(&compiler, &alphabet).map_err(|error| fst_problem(&error))?;

    counts.words = words.records.len() as u64;
    counts.concepts = concepts.count as u64;
    let (sources, started) = (std::mem::take(&mut compiler.sources), compiler.started);
    // Only the sections are needed from here on: free the collected records before writing the file.
    drop(compiler);
    let provenance = Contents { sources, counts };
    let tables = Tables { concepts, sets, entries, trie, usage, words, word_set };
    Ok(tables.write(provenance, started))
}

/// The data for the sections of a file.
struct Tables {
    concepts: WrittenConcepts,
    sets: ClassSets,
    entries: Entries,
    trie: trie::TrieLayout,
    usage: Vec<u32>,
    words: WordTables,
    word_set: Vec<u8>,
}

impl Tables {
    /// Returns the bytes of the file and the report of the compilation.
    fn write(&self, provenance: Contents, started: Instant) -> (Vec<u8>, Report) {
        let contents = serde_json::to_vec(&provenance).unwrap_or_default();
        let keys = Class::ALL.iter().map(|class| class.key()).collect::<Vec<_>>().join("\n");
        let slots = words::lay_out_slots(&self.words.hashes);
        let bytes_of_section = |section: &Section| -> &[u8] {
            match section {
                Section::Provenance => &contents,
                Section::ClassKeys => keys.as_bytes(),
                Section::ClassSets => cast_slice(&self.sets.sets),
                Section::Slots => cast_slice(&slots),
                Section::Words => cast_slice(&self.words.records),
                Section::Usage => cast_slice(&self.usage),
                Section::LongWords => &self.words.long,
                Section::Nodes => cast_slice(&self.trie.nodes),
                Section::Edges => cast_slice(&self.trie.edges),
                Section::Filter => cast_slice(&self.trie.filter),
                Section::Entries => cast_slice(&self.entries.records),
                Section::EntryConcepts => cast_slice(&self.entries.concepts),
                Section::Codes => &self.concepts.codes,
                Section::CodeRuns => cast_slice(&self.concepts.runs),
                Section::Names => &self.concepts.names,
                Section::Links => &self.concepts.links,
                Section::Stems => &self.concepts.stems,
                Section::WordSet => &self.word_set,
            }
        };
        let sections: Vec<&[u8]> = Section::ALL.iter().map(bytes_of_section).collect();
        let file = FORMAT.write(&sections);
        let report = Report {
            sources: provenance.sources,
            counts: provenance.counts,
            sections: Section::ALL
                .iter()
                .zip(&sections)
                .map(|(s, bytes)| (s.name().to_owned(), bytes.len() as u64))
                .collect(),
            bytes: file.len() as u64,
            seconds: started.elapsed().as_secs_f64(),
        };
        (file, report)
    }
}

/// Returns whether a kept form names each concept.
fn used_concepts(compiler: &Compiler, kept: &[u32]) -> Vec<bool> {
    let mut used = vec![false; compiler.collected.len()];
    for &form in kept {
        let concept = compiler.forms[form as usize].concept;
        if concept != NO_CONCEPT {
            used[concept as usize] = true;
        }
    }
    used
}

/// Replaces the units of forms by their alphabetical ranks, so that forms sort in the order of their keys.
fn rank_units(compiler: &mut Compiler, alphabet: &[u32]) {
    let mut ranks = vec![0_u32; compiler.words.len()];
    for (rank, &word) in alphabet.iter().enumerate() {
        ranks[word as usize] = rank as u32;
    }
    for unit in &mut compiler.units {
        *unit = ranks[*unit as usize];
    }
}

fn sort_by_units(compiler: &Compiler, kept: &mut [u32]) {
    let units = |form: u32| compiler.units_of(&compiler.forms[form as usize]);
    kept.sort_by(|&a, &b| units(a).cmp(units(b)));
}

/// Builds the trie of the entries, whose units are word ids at this point.
fn build_trie(compiler: &Compiler, entries: &Entries) -> Result<trie::TrieLayout> {
    let units = |form: u32| compiler.units_of(&compiler.forms[form as usize]);
    let mut sequences: Vec<(&[u32], u32)> =
        (0..).zip(&entries.forms).map(|(entry, &form)| (units(form), entry)).collect();
    sequences.sort_unstable();
    let trie = trie::build_trie(&sequences, &entries.facts);
    if trie.edges.len() >= u32::MAX as usize {
        return Err(too_large_error("nodes", u32::MAX as usize));
    }
    Ok(trie)
}

/// Returns the forms that pass the filters, and counts the others.
fn keep_forms_and_count_dropped(compiler: &mut Compiler) -> Vec<u32> {
    let mut kept = Vec::with_capacity(compiler.forms.len());
    for index in 0..compiler.forms.len() {
        let form = &compiler.forms[index];
        if let Some(filter) = dropped_by_lists(compiler, form) {
            *compiler.counts.dropped.entry(filter.name().to_owned()).or_default() += 1;
            continue;
        }
        if !matches!(form.kind, FormKind::Listed(_)) {
            let source = form.source as usize;
            compiler.sources[source].kept += 1;
            compiler.counts.kept += 1;
        }
        kept.push(index as u32);
    }
    kept
}

/// Adds the words of forms to the lists that only the compiler sets.
fn add_compiler_lists(compiler: &mut Compiler, kept: &[u32]) {
    // Decide on the lists from the sources, before the marks below change them.
    let marks: Vec<Option<Class>> = kept
        .iter()
        .map(|&index| {
            let form = &compiler.forms[index as usize];
            let single = form.len == 1;
            let first = compiler.words[compiler.units[form.start] as usize].classes;
            match form.kind {
                FormKind::Place if single => Some(Class::City),
                FormKind::Place => Some(Class::PlacePart),
                FormKind::Listed(class) if PLACES.has(class) => Some(Class::PlacePart),
                FormKind::Listed(_) => None,
                // An acronym says nothing about the same letters in lower case.
                _ if single && entries::counts_in_capitals_only(form, first) => None,
                _ if single => Some(Class::Term),
                _ => Some(Class::TermPart),
            }
        })
        .collect();
    for (&index, class) in kept.iter().zip(marks) {
        let form = &compiler.forms[index as usize];
        let range = form.start..form.start + form.len as usize;
        for &unit in &compiler.units[range] {
            let word = &mut compiler.words[unit as usize];
            word.uses += 1;
            if let Some(class) = class.filter(|_| word.letters) {
                word.classes |= class.as_set();
            }
        }
    }
}

/// Returns the words on a list or in a form, sorted by text.
fn words_by_text(compiler: &Compiler) -> Vec<u32> {
    let mut words: Vec<u32> = (0..compiler.words.len() as u32)
        .filter(|&word| {
            let data = &compiler.words[word as usize];
            data.uses > 0 || !data.classes.is_empty()
        })
        .collect();
    words.sort_unstable_by(|&a, &b| compiler.words[a as usize].text.cmp(&compiler.words[b as usize].text));
    words
}

/// Returns the words by descending frequency, and the id of each.
fn words_by_frequency(compiler: &Compiler, alphabet: &[u32]) -> Result<(Vec<u32>, Vec<u32>)> {
    if alphabet.len() > MAX_WORDS {
        return Err(too_large_error("words", MAX_WORDS));
    }
    let mut order = alphabet.to_vec();
    // A stable sort: words of equal frequency stay in alphabetical order.
    order.sort_by_key(|&word| {
        let data = &compiler.words[word as usize];
        std::cmp::Reverse((data.frequency, data.uses))
    });
    let mut ids = vec![0; compiler.words.len()];
    for (id, &word) in order.iter().enumerate() {
        ids[word as usize] = id as u32;
    }
    Ok((order, ids))
}

fn fst_problem(error: &fst::Error) -> Error {
    Error::Policy(format!("cannot write the finite-state transducer: {error}"))
}

/// Builds the FST of all words.
fn word_set(compiler: &Compiler, alphabet: &[u32]) -> std::result::Result<Vec<u8>, fst::Error> {
    let mut set = fst::SetBuilder::memory();
    for &word in alphabet {
        set.insert(&*compiler.words[word as usize].text)?;
    }
    set.into_inner()
}

/// The word tables of the file, in id order.
struct WordTables {
    records: Vec<WordRecord>,
    hashes: Vec<u64>,
    /// The bytes of the words that are too long for their records.
    long: Vec<u8>,
}

impl WordTables {
    fn new(compiler: &Compiler, order: &[u32], sets: &mut ClassSets, roots: &[trie::Root]) -> Result<Self> {
        let mut records = Vec::with_capacity(order.len());
        let mut hashes = Vec::with_capacity(order.len());
        let mut long = Vec::new();
        for &word in order {
            let data = &compiler.words[word as usize];
            let text = data.text.as_bytes();
            let probe = Probe::of(text);
            let mut key = probe.key;
            if text.len() > MAX_INLINE_LENGTH {
                key = probe.long_key(long.len() as u32, text.len() as u32);
                long.extend_from_slice(text);
            }
            hashes.push(probe.hash);
            records.push(WordRecord {
                key,
                set: sets.id(data.classes)?,
                ranks: [data.surname, data.first_name, data.rank],
                flags: 0,
                reserved: 0,
                root: 0,
                followers: 0,
            });
        }
        for root in roots {
            let record = &mut records[root.word as usize];
            record.root = root.node;
            record.followers = root.followers;
            record.flags = u8::from(root.has_entry);
        }
        Ok(Self { records, hashes, long })
    }
}
