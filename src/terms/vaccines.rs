//! Diseases that a note names for their vaccines: "flu given", "Tetanus.", "Hib, flu, COVID due".
//!
//! A list, `src/terms/vaccines.txt`, has the diseases that vaccines prevent and the words that indicate the vaccine or
//! the disease. A disease next to a word for vaccines, or in a list with a vaccine, gets the code of its vaccine.

use std::sync::LazyLock;

use super::Match;
use super::unsure::UnclearReason;
use crate::bits::BitSet;
use crate::linear::hash::{QuickMap, QuickSet};
use crate::text::bundled_list;
use crate::text::lists::{Line, columns};
use crate::text::token::{Kind, Token};
use crate::vocabulary::{Class, EntryId, Vocabulary, WordId};

/// How many bits tell that a term is no disease.
const DISEASE_FILTER_BITS: usize = 1 << 12;
/// The maximum number of other words between a disease and a cue.
const MAX_WORDS_TO_CUE: usize = 1;
/// The maximum number of list items that are searched.
const MAX_LIST_ITEMS: usize = 8;
/// The maximum distance back to the heading on the line of a disease, in tokens.
const MAX_TOKENS_TO_HEADING: usize = 60;

/// The kinds of cues in the list.
const CUE_KINDS: [&str; 5] = ["vaccine", "behind", "before", "product", "disease"];

/// The bundled list.
#[derive(Default)]
struct VaccineList {
    vaccines: Vec<ListedVaccine>,
    /// The kind of cues whose section is read.
    kind: Option<usize>,
    cues: [Vec<&'static str>; CUE_KINDS.len()],
}

/// A vaccine, and the diseases for which it stands.
struct ListedVaccine {
    term: &'static str,
    alone: bool,
    strict: bool,
    diseases: Vec<&'static str>,
}

static LIST: LazyLock<VaccineList> = LazyLock::new(|| {
    bundled_list!("vaccines.txt").read(|list: &mut VaccineList, line| {
        match line {
            Line::Section(name) => {
                let kind = CUE_KINDS.iter().position(|kind| *kind == name);
                list.kind = Some(kind.ok_or_else(|| format!("there is no kind of cues {name:?}"))?);
            }
            Line::Item(item) => {
                if let Some(kind) = list.kind {
                    list.cues[kind].extend(item.split(' '));
                    return Ok(());
                }
                let [name, diseases] = columns(item, ':')?;
                let term = name.trim_end_matches(['!', '?']).trim();
                let (alone, strict) = (name.ends_with('!'), name.ends_with('?'));
                let diseases = diseases.split(',').map(str::trim).collect();
                list.vaccines.push(ListedVaccine { term, alone, strict, diseases });
            }
        }
        Ok(())
    })
});

/// A disease that a vaccine prevents.
#[derive(Clone, Copy, Debug)]
struct VaccineDisease {
    /// The term of its vaccine; `None` if the vocabulary has none.
    vaccine: Option<EntryId>,
    /// Whether it means the vaccine as an item of its own.
    alone: bool,
    /// Whether only unambiguous words for vaccines count as cues.
    strict: bool,
}

/// Words that indicate a vaccine or a disease.
#[derive(Clone, Debug)]
struct VaccineCues {
    vaccine: QuickSet<WordId>,
    after: QuickSet<WordId>,
    before: QuickSet<WordId>,
    product: QuickSet<WordId>,
    disease: QuickSet<WordId>,
}

/// The list for one vocabulary.
#[derive(Clone, Debug)]
pub(super) struct Vaccines {
    diseases: QuickMap<EntryId, VaccineDisease>,
    /// A filter of diseases by the lowest bits of their entries; most terms are not in it.
    may_be: BitSet,
    cues: VaccineCues,
    and: Option<WordId>,
    to: Option<WordId>,
}

/// A text whose terms have been found.
struct VaccineText<'a> {
    vaccines: &'a Vaccines,
    vocabulary: &'a Vocabulary,
    tokens: &'a [Token],
    ids: &'a [WordId],
    terms: &'a [Match],
}

impl Vaccines {
    /// Looks up the bundled list in a vocabulary.
    pub(super) fn new(vocabulary: &Vocabulary) -> Self {
        let known = |word: &str| Some(vocabulary.word_id(word.as_bytes())).filter(|word| word.is_known());
        let [vaccine, behind, before, product, disease] =
            LIST.cues.each_ref().map(|words| words.iter().filter_map(|word| known(word)).collect());
        let cues = VaccineCues { vaccine, after: behind, before, product, disease };
        let (and, to, mut may_be) = (known("and"), known("to"), BitSet::with_limit(DISEASE_FILTER_BITS));
        let mut all = QuickMap::default();
        for &ListedVaccine { term, alone, strict, ref diseases } in &LIST.vaccines {
            let disease = VaccineDisease { vaccine: vocabulary.entry_of(term), alone, strict };
            for entry in diseases.iter().filter_map(|name| vocabulary.entry_of(name)) {
                all.insert(entry, disease);
                may_be.insert(entry.0 as usize % DISEASE_FILTER_BITS);
            }
        }
        Self { diseases: all, may_be, cues, and, to }
    }

    /// Recodes diseases as their vaccines where these are meant. The first tokens of terms without a code are listed in
    /// `unclear`.
    pub(super) fn code_vaccines(
        &self,
        vocabulary: &Vocabulary,
        tokens: &[Token],
        ids: &[WordId],
        terms: &mut [Match],
        unclear: &mut Vec<(u32, UnclearReason)>,
    ) {
        let known = |term: &Match| {
            let may_be = self.may_be.contains(term.entry.0 as usize % DISEASE_FILTER_BITS);
            may_be.then(|| self.diseases.get(&term.entry)).flatten()
        };
        if !terms.iter().any(|term| known(term).is_some()) {
            return;
        }
        let text = VaccineText { vaccines: self, vocabulary, tokens, ids, terms };
        let meant: Vec<(usize, Option<EntryId>)> = (0..terms.len())
            .filter_map(|at| Some((at, known(&terms[at])?)))
            .filter(|&(at, disease)| text.means_vaccine(terms[at], disease))
            .map(|(at, disease)| (at, disease.vaccine))
            .collect();
        for (at, vaccine) in meant {
            match vaccine {
                Some(entry) => terms[at].entry = entry,
                None => unclear.push((terms[at].first, UnclearReason::NoConcept)),
            }
        }
    }
}

impl VaccineText<'_> {
    fn means_vaccine(&self, term: Match, disease: &VaccineDisease) -> bool {
        let (first, last) = (term.first as usize, term.end as usize);
        !self.means_disease(first, last)
            && (self.has_vaccine_cue_after(last, disease.strict)
                || self.has_vaccine_cue_before(first, disease.strict)
                || self.is_under_vaccine_heading(first)
                || disease.alone && self.is_separate_item(first, last))
    }

    /// Returns whether an adjacent word indicates the disease.
    fn means_disease(&self, first: usize, last: usize) -> bool {
        let disease = &self.vaccines.cues.disease;
        let before = first.checked_sub(1).is_some_and(|at| disease.contains(&self.ids[at]));
        let behind = (last..self.tokens.len().min(last + 2)).take_while(|&at| !self.sentence_ends_before(at));
        before || behind.into_iter().any(|at| disease.contains(&self.ids[at]))
    }

    /// Returns whether a sentence ends before a token.
    fn sentence_ends_before(&self, at: usize) -> bool {
        self.tokens.get(at).is_none_or(|token| token.sentence_start() || token.kind == Kind::End)
    }

    /// Returns whether a token is a stop word, a number or a mark.
    fn is_filler(&self, at: usize) -> bool {
        self.tokens[at].kind != Kind::Word || self.vocabulary.classes(self.ids[at]).has(Class::Stop)
    }

    /// Returns whether a token separates the items of a list.
    fn is_list_separator(&self, at: usize) -> bool {
        b",+/&".contains(&self.tokens[at].mark()) || Some(self.ids[at]) == self.vaccines.and
    }

    /// Returns whether a word after the disease indicates the vaccine, for it or for another item of its list.
    fn has_vaccine_cue_after(&self, last: usize, strict: bool) -> bool {
        let cues = &self.vaccines.cues;
        let (mut at, mut between, mut items) = (last, 0, 0);
        while !self.sentence_ends_before(at) && between <= MAX_WORDS_TO_CUE {
            let word = self.ids[at];
            let told = cues.after.contains(&word) && !self.is_due_to(at) || cues.product.contains(&word);
            if cues.vaccine.contains(&word) || told && !strict {
                return true;
            }
            if strict && self.is_list_separator(at) || cues.disease.contains(&word) || self.tokens[at].mark() == b';' {
                return false;
            }
            if self.is_list_separator(at) && !self.sentence_ends_before(at + 1) {
                let place = self.terms.partition_point(|term| (term.first as usize) < at + 1);
                let next = self.terms.get(place).filter(|term| term.first as usize == at + 1);
                items += 1;
                match next.filter(|term| self.vaccines.diseases.contains_key(&term.entry) && items < MAX_LIST_ITEMS) {
                    Some(next) => (at, between) = (next.end as usize, 0),
                    None => return cues.product.contains(&self.ids[at + 1]),
                }
                continue;
            }
            between += usize::from(!self.is_filler(at));
            at += 1;
        }
        false
    }

    /// Returns whether a word before the disease indicates the vaccine, for it or for another item of its list.
    fn has_vaccine_cue_before(&self, first: usize, strict: bool) -> bool {
        let cues = &self.vaccines.cues;
        let (mut end, mut between, mut items) = (first, 0, 0);
        while end > 0 && !self.sentence_ends_before(end) && between <= MAX_WORDS_TO_CUE {
            let at = end - 1;
            let word = self.ids[at];
            let told = cues.before.contains(&word) || cues.product.contains(&word);
            if cues.vaccine.contains(&word) || told && !strict {
                return true;
            }
            if strict && self.is_list_separator(at) || cues.disease.contains(&word) || self.tokens[at].mark() == b';' {
                return false;
            }
            if self.is_list_separator(at) && at > 0 && !self.sentence_ends_before(at) {
                let place = self.terms.partition_point(|term| (term.end as usize) < at);
                let next = self.terms.get(place).filter(|term| term.end as usize == at);
                items += 1;
                match next.filter(|term| self.vaccines.diseases.contains_key(&term.entry) && items < MAX_LIST_ITEMS) {
                    Some(next) => (end, between) = (next.first as usize, 0),
                    None => return (at.saturating_sub(2)..at).any(|at| cues.product.contains(&self.ids[at])),
                }
                continue;
            }
            between += usize::from(!self.is_filler(at));
            end = at;
        }
        false
    }

    /// Returns whether the last heading on the line is about vaccines: "Vax: yellow fever".
    fn is_under_vaccine_heading(&self, first: usize) -> bool {
        let line = (first.saturating_sub(MAX_TOKENS_TO_HEADING)..=first)
            .rev()
            .take_while(|&at| at == first || !self.tokens[at + 1].line_start());
        let heading = line.into_iter().find(|&at| self.tokens[at].mark() == b':').filter(|&at| at > 0);
        heading.is_some_and(|at| self.vaccines.cues.vaccine.contains(&self.ids[at - 1]))
    }

    /// Returns whether "due" is part of "due to".
    fn is_due_to(&self, at: usize) -> bool {
        self.ids.get(at + 1).is_some_and(|&next| Some(next) == self.vaccines.to)
    }

    /// Returns whether the disease is an item of its own, between marks or sentence ends; a year or another number may
    /// follow.
    fn is_separate_item(&self, first: usize, last: usize) -> bool {
        let last = last + usize::from(self.tokens.get(last).is_some_and(|next| next.kind == Kind::Number));
        let is_mark = |at: usize| b",;.+/".contains(&self.tokens[at].mark());
        let begins = first == 0 || self.sentence_ends_before(first) || is_mark(first - 1);
        begins && (last >= self.tokens.len() || self.sentence_ends_before(last) || is_mark(last))
    }
}
