//! Merges forms with the same sequence of units into one entry.

use std::collections::BTreeMap;

use super::concepts::{ONTOLOGIES, WrittenConcepts};
use super::filter::{ORDINARY, PLACES, is_name};
use super::modifiers::Diseases;
use super::{Compiler, Form, FormKind, WordData, too_large_error};
use notesieve_text::error::Result;
use notesieve_vocabulary::Counts;
use notesieve_vocabulary::class::{Class, Classes};
use notesieve_vocabulary::entry::{EntryFlags, NO_CONCEPTS, ONE_CONCEPT, PREFERRED};
use notesieve_vocabulary::format::EntryRecord;
use notesieve_vocabulary::trie::NodeEntry;

/// The distinct sets of classes, numbered in order of first appearance.
pub(super) struct ClassSets {
    ids: BTreeMap<Classes, u16>,
    pub(super) sets: Vec<[u64; 2]>,
}

impl ClassSets {
    pub(super) fn new() -> Self {
        // Set 0 is the empty set.
        Self { ids: BTreeMap::from([(Classes::NONE, 0)]), sets: vec![[0; 2]] }
    }

    pub(super) fn id(&mut self, set: Classes) -> Result<u16> {
        if let Some(&id) = self.ids.get(&set) {
            return Ok(id);
        }
        let id = u16::try_from(self.sets.len()).map_err(|_| too_large_error("sets of classes", 1 << 16))?;
        self.sets.push([set.0, 0]);
        self.ids.insert(set, id);
        Ok(id)
    }
}

/// Entries with the start of their concepts, in the order of their keys until [`Entries::reorder`] puts them in file
/// order.
pub(super) struct Entries {
    pub(super) records: Vec<EntryRecord>,
    pub(super) concepts: Vec<u32>,
    /// The form that provides the units of each entry.
    pub(super) forms: Vec<u32>,
    /// The packed flags of each entry for the trie.
    pub(super) facts: Vec<u32>,
}

impl Entries {
    /// Puts the records in the order of the trie and of the file. An entry with one concept, as most have, stores it
    /// inline.
    pub(super) fn reorder(&mut self, order: &[u32]) {
        let mut records = Vec::with_capacity(order.len());
        let mut lists = Vec::new();
        for &old in order {
            let [mut record, next] = [0, 1].map(|at| self.records[old as usize + at]);
            record.concepts = match self.concepts[record.concepts as usize..next.concepts as usize] {
                [] => NO_CONCEPTS,
                [concept] => {
                    record.flags |= ONE_CONCEPT;
                    concept
                }
                ref several => {
                    let place = lists.len() as u32;
                    lists.push(several.len() as u32);
                    lists.extend_from_slice(several);
                    place
                }
            };
            records.push(record);
        }
        (self.records, self.concepts) = (records, lists);
    }
}

/// Returns whether a form requires capital letters in the text: a short acronym, or letters that are also a word or
/// a name. `word` holds the lists of a form of one word.
pub(super) fn counts_in_capitals_only(form: &Form, word: Classes) -> bool {
    form.upper && (form.size <= 4 || word.any(ORDINARY) || is_name(word))
}

/// The maximum length of an abbreviation, in letters and digits, and in units.
const MAX_ABBREVIATION_SIZE: (u8, u8) = (5, 3);
/// The maximum length of a gene symbol in letters and digits: "COL2A1" is also a name of the diseases its mutations
/// cause.
const SYMBOL: u8 = 8;
/// The maximum length of an unreliable abbreviation of a substance.
const SUBSTANCE: u8 = 4;

/// Lists of abbreviations that notes use, whatever they mean in chemistry.
const CLINICAL_LISTS: Classes = Classes::of(&[Class::Clinical, Class::Measurement, Class::Brand]);

/// Returns whether a form is too ambiguous for its concept: an abbreviation that only an ontology or a substance
/// catalogue has. HPO describes findings, so its short forms may also be everyday words.
fn is_unsure(compiler: &Compiler, concepts: &WrittenConcepts, form: &Form, merged: &MergedForm<'_>) -> bool {
    let word = merged.word;
    let system = compiler.system_of(form);
    if form.kind == FormKind::Preferred || word.is_some_and(|word| is_in_name(concepts, form, &word.text)) {
        return false;
    }
    let is_short = form.size <= MAX_ABBREVIATION_SIZE.0 && form.len <= MAX_ABBREVIATION_SIZE.1;
    // Ontologies record every abbreviation from a paper, and ICD-10-CM has words with this meaning only under their
    // heading.
    if ONTOLOGIES.contains(&system) || system == "icd10cm" {
        return is_short && (system != "hp" || form.upper) || form.symbol && form.size <= SYMBOL;
    }
    // Chemistry has three-letter abbreviations for thousands of substances, and medicine uses the same ones for other
    // things.
    let is_substance = system == "drugbank" || system == "mesh" && concepts.is_substance(form.concept);
    let listed = word.map_or(Classes::NONE, |word| word.classes);
    is_substance
        && is_short
        && !listed.any(CLINICAL_LISTS)
        && match word {
            Some(_) if system == "drugbank" => listed.any(ORDINARY),
            Some(_) => form.upper && form.size <= SUBSTANCE,
            // "AL1" of Ephrin-A5 and "HL 29" of Galectin 3, but not "IL6" of Interleukin-6.
            None => form.size <= SUBSTANCE && is_misnumbered(concepts.preferred_name(form.concept), &merged.units),
        }
}

/// Roman numerals in names, starting at one.
const ROMAN: [&str; 4] = ["i", "ii", "iii", "iv"];

/// Returns whether the units are letters and a number that the name does not contain, in digits or as a Roman numeral.
fn is_misnumbered(name: &str, units: &[&str]) -> bool {
    let [_, number] = *units else { return false };
    let Ok(value) = number.parse::<usize>() else { return false };
    let roman = value.checked_sub(1).and_then(|at| ROMAN.get(at)).copied();
    let named = name.to_lowercase();
    let mut words = named.split(|letter: char| !letter.is_alphanumeric());
    let digits = |word: &str| word.split(|letter: char| !letter.is_ascii_digit()).any(|other| other == number);
    !words.any(|word| Some(word) == roman || digits(word))
}

/// Returns whether a form of one word is a word of its concept's name.
fn is_in_name(concepts: &WrittenConcepts, form: &Form, word: &str) -> bool {
    let name = concepts.preferred_name(form.concept).to_lowercase();
    name.split(|letter: char| !letter.is_alphanumeric()).any(|other| other == word)
}

/// Merges forms into one entry per distinct sequence of units. `kept` is sorted by units, which are ranks in
/// `alphabet`.
pub(super) fn merge_forms(
    compiler: &Compiler,
    kept: &[u32],
    alphabet: &[u32],
    concepts: &WrittenConcepts,
    sets: &mut ClassSets,
    counts: &mut Counts,
) -> Result<Entries> {
    let mut entries = Entries { records: Vec::new(), concepts: Vec::new(), forms: Vec::new(), facts: Vec::new() };
    let form_of = |index: u32| &compiler.forms[index as usize];
    let diseases = Diseases::new(compiler, kept, alphabet, concepts);
    for forms in kept.chunk_by(|&a, &b| compiler.units_of(form_of(a)) == compiler.units_of(form_of(b))) {
        let word_of = |&unit: &u32| &compiler.words[alphabet[unit as usize] as usize];
        let units: Vec<&WordData> = compiler.units_of(form_of(forms[0])).iter().map(word_of).collect();
        let is_stated = |form: &Form| matches!(form.kind, FormKind::Preferred | FormKind::Synonym);
        let stated = forms.iter().any(|&form| is_stated(form_of(form)));
        let mut merged = MergedForm::new(&units, stated);
        let first = entries.concepts.len();
        for form in forms.iter().map(|&index| form_of(index)) {
            merged.add(compiler, concepts, form, &mut entries.concepts, counts);
        }
        let named: Vec<u32> = entries.concepts[first..].iter().map(|&id| id & !PREFERRED).collect();
        entries.concepts.extend(concepts.equivalents_in_preceding(&named));
        let named: Vec<u32> = entries.concepts[first..].iter().map(|&id| id & !PREFERRED).collect();
        let before = [merged.first_variant(), diseases.disease_without_modifiers(compiler.units_of(form_of(forms[0])))];
        let before = before.into_iter().flatten().find(|&id| concepts.comes_before(id, &named));
        entries.concepts.extend(before);
        let distinct = merge_concepts(&mut entries.concepts, first);
        let flags = merged.flags(distinct, counts);
        let id = entries.records.len();
        if id > NodeEntry::MAX {
            return Err(too_large_error("terms", NodeEntry::MAX));
        }
        entries.records.push(EntryRecord {
            concepts: first as u32,
            flags: flags.bits(),
            set: sets.id(merged.classes)?,
        });
        entries.forms.push(forms[0]);
        entries.facts.push(NodeEntry::pack(flags));
    }
    let end = entries.concepts.len() as u32;
    entries.records.push(EntryRecord { concepts: end, flags: 0, set: 0 });
    Ok(entries)
}

/// The merged properties of an entry's forms.
struct MergedForm<'a> {
    /// The word, if the entry has only one.
    word: Option<&'a WordData>,
    /// The texts of its units.
    units: Vec<&'a str>,
    /// Whether a source has the form itself, rather than a rule deriving it from another.
    stated: bool,
    /// The lists that contain the entry.
    classes: Classes,
    place: bool,
    terms: u64,
    /// Concepts for which the form is a variant, while some source states it for others.
    variants: Vec<u32>,
    /// The number of unsure terms. Sources copy abbreviations from each other, so several unsure terms do not make a
    /// sure one.
    unsure: u64,
    /// Whether capital letters are required, according to the sure forms and to the unsure ones, which count only if
    /// there are no others.
    upper: [bool; 2],
}

impl<'a> MergedForm<'a> {
    fn new(units: &[&'a WordData], stated: bool) -> Self {
        let word = if let [word] = *units { Some(word) } else { None };
        let units = units.iter().map(|unit| &*unit.text).collect();
        let (classes, variants) = (Classes::NONE, Vec::new());
        Self { word, units, stated, classes, place: false, terms: 0, variants, unsure: 0, upper: [true; 2] }
    }

    /// Returns the first concept for which the form is a variant. It counts if its vocabulary precedes those that state
    /// the form: "parathyroid tumor" in one is "Parathyroid Neoplasms" in another.
    fn first_variant(&self) -> Option<u32> {
        self.variants.iter().min().copied()
    }

    /// Returns the lists of the word, if the entry has only one.
    fn word_classes(&self) -> Classes {
        self.word.map_or(Classes::NONE, |word| word.classes)
    }

    /// Adds a form; if it is a term, pushes its concept to `ids`.
    fn add(
        &mut self,
        compiler: &Compiler,
        concepts: &WrittenConcepts,
        form: &Form,
        ids: &mut Vec<u32>,
        counts: &mut Counts,
    ) {
        match form.kind {
            FormKind::Place => self.place = true,
            FormKind::Listed(class) => self.classes |= class.as_set(),
            // A form stated by a source takes precedence over a variant.
            FormKind::Variant if self.stated => {
                counts.merged += 1;
                self.variants.push(concepts.ids[form.concept as usize]);
            }
            FormKind::Preferred | FormKind::Synonym | FormKind::Variant => {
                self.terms += 1;
                let doubt = is_unsure(compiler, concepts, form, self);
                self.upper[usize::from(doubt)] &= counts_in_capitals_only(form, self.word_classes());
                self.unsure += u64::from(doubt);
                let preferred = if form.kind == FormKind::Preferred { PREFERRED } else { 0 };
                ids.push(concepts.ids[form.concept as usize] | preferred);
            }
        }
    }

    /// Returns the flags of the entry; `distinct` is the number of its concepts.
    fn flags(&self, distinct: usize, counts: &mut Counts) -> EntryFlags {
        let mut flags = EntryFlags::default();
        if self.place || self.classes.any(PLACES) {
            flags |= EntryFlags::PLACE;
        }
        if !self.classes.is_empty() || flags.has(EntryFlags::PLACE) {
            flags |= EntryFlags::PHRASE;
            counts.phrases += 1;
        }
        if self.terms > 0 {
            flags |= self.term_flags();
            counts.terms += 1;
            counts.variants += u64::from(flags.has(EntryFlags::VARIANT));
            counts.merged += self.terms - 1;
            counts.shared += u64::from(distinct > 1);
            counts.upper_only += u64::from(flags.has(EntryFlags::UPPER_ONLY));
            counts.ambiguous += u64::from(flags.has(EntryFlags::ALSO_NAME));
        }
        flags
    }

    /// Returns the flags of a term.
    fn term_flags(&self) -> EntryFlags {
        let mut flags = EntryFlags::TERM;
        if !self.stated {
            flags |= EntryFlags::VARIANT;
        }
        let all_unsure = self.unsure == self.terms;
        if all_unsure {
            flags |= EntryFlags::UNRELIABLE_ABBREVIATION;
        }
        if self.upper[usize::from(all_unsure)] {
            flags |= EntryFlags::UPPER_ONLY;
        }
        if self.word_classes().any(ORDINARY) {
            flags |= EntryFlags::COMMON_WORD;
        } else if is_name(self.word_classes()) {
            flags |= EntryFlags::ALSO_NAME;
        }
        flags
    }
}

/// Sorts the concepts from index `first` by id, that is, by priority, removes duplicates, and returns their number.
fn merge_concepts(concepts: &mut Vec<u32>, first: usize) -> usize {
    // The preferred form of a concept sorts before its other forms, so it survives.
    concepts[first..].sort_unstable_by_key(|&id| (id & !PREFERRED, std::cmp::Reverse(id)));
    let mut end = first;
    for at in first..concepts.len() {
        if end == first || concepts[end - 1] & !PREFERRED != concepts[at] & !PREFERRED {
            concepts[end] = concepts[at];
            end += 1;
        }
    }
    concepts.truncate(end);
    end - first
}
