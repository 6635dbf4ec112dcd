//! Laboratory analytes and vital signs, and their short forms: `Cr 1.2`, `T 98.6`, `SpO2 95 %`.

use std::sync::LazyLock;
use std::sync::atomic::AtomicU16;
use std::sync::atomic::Ordering::Relaxed;

use super::amount;
use super::before::value_right_before;
use super::expected::Expected;
use super::joint::joint_value;
use super::measured::{Value, value_after};
use super::spelling::Spellings;
use super::tables::value_below_header;
use super::units::Unit;
use crate::bits::BitSet;
use crate::linear::hash::QuickMap;
use crate::note::{Note, Number, Shape};
use crate::terms::Match;
use crate::text::bundled_list;
use crate::text::lists::numbers;
use crate::text::normalize::Normalized;
use crate::text::token::{Case, cut_source};
use crate::vocabulary::{Class, Classes, ConceptId, EntryId, Vocabulary, WordId};

/// The maximum distance between measurements of one list, in tokens.
const MAX_LIST_DISTANCE: usize = 6;
/// Body fluids in which blood analytes have other reference amounts.
const FLUIDS: [&str; 9] = ["urine", "urinary", "csf", "pleural", "ascitic", "peritoneal", "synovial", "stool", "fluid"];
/// The maximum distance from a name to its number, in tokens.
const MAX_VALUE_DISTANCE: usize = 6;

/// A row of the list of the package.
struct ListedAnalyte {
    name: &'static str,
    expected: Expected,
    range: (f64, f64),
    forms: Vec<ShortForm>,
}

/// A short form of an analyte.
struct ShortForm {
    written: &'static str,
    first_word: String,
    spelling: String,
    /// The place of its condition among [`CONDITIONS`].
    condition: Option<usize>,
}

static LIST: LazyLock<Vec<ListedAnalyte>> = LazyLock::new(|| {
    bundled_list!("analytes.txt").rows('|', |[name, expected, range, forms]| {
        let &[least, most] = numbers(range)?.as_slice() else { return Err("no range of values".to_owned()) };
        let forms = forms.split_whitespace().map(ShortForm::parse).collect::<Result<_, _>>()?;
        Ok(ListedAnalyte { name, expected: Expected::parse(expected)?, range: (least, most), forms })
    })
});

impl ShortForm {
    fn parse(written: &'static str) -> Result<Self, String> {
        let text = written.replace('_', " ");
        let (normalized, tokens) = cut_source(&text);
        let first = tokens.first().ok_or_else(|| format!("{written:?} has no token"))?;
        let spelling = written.replace('_', "");
        let condition = CONDITIONS.iter().position(|&condition| spelling.ends_with(condition));
        let spelling = spelling.strip_suffix(CONDITIONS).filter(|_| condition.is_some()).unwrap_or(&spelling);
        let (first_word, spelling) = (&normalized.folded()[first.span().range()], Normalized::new(spelling));
        Ok(Self { written, first_word: first_word.to_owned(), spelling: spelling.folded().to_owned(), condition })
    }
}

/// Something that is measured.
#[derive(Clone, Debug)]
pub(super) struct Analyte {
    pub(super) entry: EntryId,
    pub(super) expected: &'static Expected,
    /// The range of possible values.
    range: (f64, f64),
}

impl Analyte {
    /// Returns whether a value is possible for the name that begins at a token. In fluids other than blood, any value
    /// from 0 on is.
    pub(super) fn is_plausible(&self, note: &Note<'_>, first: usize, value: &Value) -> bool {
        let near = (first.saturating_sub(2)..first).rev().take_while(|&at| !note.border_before(at + 1));
        if near.into_iter().any(|at| FLUIDS.contains(&note.word(at))) {
            return value.number.is_some_and(|number| number >= 0.0);
        }
        let number = value.number.or_else(|| value.text.split('-').find_map(|part| part.parse().ok()));
        // The range is in the unit that a value without a unit has.
        let own =
            |number| value.unit.and_then(|unit| self.expected.convert_to_own_unit(number, unit)).unwrap_or(number);
        let bare = value.unit.is_none() && self.expected.needs_unit();
        !bare && number.map(own).is_some_and(|number| self.range.0 <= number && number <= self.range.1)
    }
}

/// The analytes of one vocabulary.
#[derive(Debug, Default)]
pub struct Analytes {
    all: Vec<Analyte>,
    of_concept: QuickMap<ConceptId, u16>,
    /// Short forms by their spelling.
    short_forms: Spellings<u16>,
    /// Short forms that have a meaning only under a condition, by their spelling: `RR 120/80`, `BM 6.4`, `TLC 4,600`.
    conditional: Spellings<ByCondition>,
    /// Which words begin a short form.
    first_words: BitSet,
    /// The analyte of each entry of the vocabulary: its index plus 2, 1 if there is none, 0 if not looked up yet.
    of_entries: Box<[AtomicU16]>,
}

impl Analytes {
    /// Creates the bundled list for a vocabulary, without the analytes for which the vocabulary has no term.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let first_words = BitSet::with_limit(vocabulary.word_count());
        let of_entries = (0..vocabulary.entry_count()).map(|_| AtomicU16::new(0)).collect();
        let mut analytes = Self { first_words, of_entries, ..Self::default() };
        let mut conditional: QuickMap<&str, ByCondition> = QuickMap::default();
        for listed in LIST.iter() {
            let Some(entry) = vocabulary.entry_of(listed.name) else { continue };
            let nth = analytes.all.len() as u16;
            analytes.all.push(Analyte { entry, expected: &listed.expected, range: listed.range });
            for concept in vocabulary.entry_concepts(entry) {
                analytes.of_concept.entry(concept).or_insert(nth);
            }
            for form in &listed.forms {
                let word = vocabulary.word_id(form.first_word.as_bytes());
                if word.is_known() {
                    analytes.first_words.insert(word.0 as usize);
                }
                match form.condition {
                    Some(condition) => {
                        conditional.entry(&form.spelling).or_default()[condition].get_or_insert(nth);
                    }
                    None => analytes.short_forms.add(&form.spelling, nth),
                }
            }
        }
        for (spelling, meanings) in conditional {
            analytes.conditional.add(spelling, meanings);
        }
        analytes
    }

    /// Returns the analyte of a term.
    pub(super) fn analyte_of_entry(&self, vocabulary: &Vocabulary, entry: EntryId) -> Option<&Analyte> {
        let known = self.of_entries.get(entry.0 as usize)?;
        let mut number = known.load(Relaxed);
        if number == 0 {
            let concept = vocabulary.entry_concepts(entry).next();
            number = concept.and_then(|concept| self.of_concept.get(&concept)).map_or(1, |&nth| nth + 2);
            known.store(number, Relaxed);
        }
        self.all.get(usize::from(number).checked_sub(2)?)
    }

    /// Turns short forms with a plausible value into terms. `may_be_new` is whether a token may become a term; `terms`
    /// stay sorted. Returns the first tokens of the new terms, sorted.
    pub fn code_short_forms(
        &self,
        note: &Note<'_>,
        may_be_new: impl Fn(usize) -> bool,
        terms: &mut Vec<Match>,
    ) -> Vec<u32> {
        let mut coded = Vec::new();
        if note.count_of_numbers() == 0 {
            return coded;
        }
        let (mut next, mut at, mut coded_end) = (0, 0, None);
        let mut new: Vec<Match> = Vec::new();
        while at < note.len() {
            let word = note.word_id(at);
            // In a list of measurements, other meanings are less likely: `P 88, R 16, sat 96`.
            let listed = note.same_line(at) && coded_end.is_some_and(|end| at < end + MAX_LIST_DISTANCE);
            // The vocabulary lacks words of other languages, so the bitmap does, too.
            let unknown = !word.is_known() && note.is_word(at) && note.may_hold_number(at + 1, at + MAX_VALUE_DISTANCE);
            let found = (unknown || self.may_begin_form(word)).then(|| self.short_form(note, at, listed)).flatten();
            let Some((analyte, last)) =
                found.filter(|&(_, last)| (at..last).all(|at| note.is_number(at) || may_be_new(at)))
            else {
                at += 1;
                continue;
            };
            while terms.get(next).is_some_and(|term| term.end as usize <= at) {
                next += 1;
            }
            let is_with_value = |term: Match| (last..term.end as usize).all(|at| note.is_number(at));
            coded_end = Some(last);
            let hit = Match { first: at as u32, end: last as u32, entry: analyte.entry };
            let alone = terms.get(next + 1).is_none_or(|second| second.first as usize >= last);
            match terms.get_mut(next).filter(|term| (term.first as usize) < last) {
                // A longer term such as "calcium gluconate" takes precedence; a form of several words such as "mean
                // corpuscular hemoglobin" replaces the terms that it covers.
                Some(term)
                    if !(alone && term.first > hit.first && term.end <= hit.end)
                        && (term.first != hit.first || term.end > hit.end && !(listed && is_with_value(*term))) => {}
                Some(term) => {
                    *term = hit;
                    coded.push(hit.first);
                    // `creatinine ratio` of `albumin/creatinine ratio`.
                    let inside = terms[next + 1..].iter().take_while(|term| term.end <= hit.end).count();
                    terms.drain(next + 1..=next + inside);
                }
                None => {
                    new.push(hit);
                    coded.push(hit.first);
                }
            }
            at = last;
        }
        if !new.is_empty() {
            terms.append(&mut new);
            terms.sort_unstable();
        }
        coded
    }

    #[inline]
    fn may_begin_form(&self, word: WordId) -> bool {
        self.first_words.contains(word.0 as usize)
    }

    /// Returns the analyte of the short form at a token, if a possible value follows, and the end (exclusive) of the
    /// form.
    fn short_form(&self, note: &Note<'_>, at: usize, listed: bool) -> Option<(&Analyte, usize)> {
        if note.token(at).glued() && note.is_word(at) {
            return None;
        }
        // `1100 units/hr`
        if at > 1 && note.is_mark(at - 1, b'/') && note.joined(at) && Unit::of(note.word(at - 2)).is_some() {
            return None;
        }
        // Most words that begin a form are ordinary words with no number nearby.
        let is_near_number = note.may_hold_number(at.saturating_sub(MAX_VALUE_DISTANCE), at + 2 * MAX_VALUE_DISTANCE);
        let leads =
            || (at + 1..at + MAX_VALUE_DISTANCE).any(|at| note.is_mark(at, b'.') && amount::is_leader(note, at));
        if !is_near_number && !leads() && note.layout().table_of(note.layout().line_index_of(at)).is_none() {
            return None;
        }
        let (nth, last) = self.form_at(note, at)?;
        // `5 mg PO 4-6 hourly`
        let is_apart = last > at + 1 && note.is_number(at + 1) && !note.joined(at + 1);
        if is_apart && at > 0 && note.same_line(at) && Unit::of(note.word(at - 1)).is_some_and(Unit::is_given) {
            return None;
        }
        let analyte = &self.all[usize::from(nth)];
        let joint = || joint_value(note, (at, last), analyte.expected, |_| true);
        let beside = value_after(note, last, analyte.expected, |_| true);
        let before = || value_right_before(note, (at, last), 0, analyte.expected, |_| true);
        let below = || value_below_header(note, at, analyte.expected, |_| true);
        let value = joint().or_else(|| beside.clone()).or_else(below).or_else(before)?;
        // `UA` in `Specific gravity (UA) 1.020` names the specimen.
        if note.is_mark(last, b')') && at > 0 && note.is_mark(at - 1, b'(') {
            return None;
        }
        let own_unit = value.unit.is_some_and(|unit| analyte.expected.is_own_unit(unit));
        let precise = own_unit || value.text.contains('.');
        let listed = listed || self.is_listed_after(note, last);
        // `P 53` is a protein, unless other vital signs are next to it.
        let sure = match note.width(at) {
            1 if last == at + 1 => {
                precise || (listed || note.is_any_mark(last, b":=")) && looks_like_short_form(note, at, last)
            }
            // `found to be 1.9`
            _ if note.is(at, Class::Stop) && note.case(at) == Case::Lower && !note.is_any_mark(last, b":=") => false,
            _ => precise || listed || looks_like_short_form(note, at, last),
        };
        // `T of 3` is not a temperature, and `250 mg` is not magnesium.
        let is_unit = at > 0 && note.is_number(at - 1) && note.same_line(at) && Unit::of(note.word(at)).is_some();
        let reach = last + if is_unit { usize::from(note.is_any_mark(last, b":=")) } else { 1 };
        // `2 mg 4 hourly`
        let is_plain_unit = is_unit && note.width(at) > 1 && note.case(at) == Case::Lower && reach == last;
        if is_plain_unit && !value.text.contains('.') {
            return None;
        }
        let close = note.width(at) > 1 && !is_unit || beside.is_none_or(|value| value.first <= reach);
        let fits = value.unit.is_none_or(|unit| analyte.expected.accepts_unit(unit));
        (sure && close && fits && analyte.is_plausible(note, at, &value)).then_some((analyte, last))
    }

    /// Returns whether another short form with a number follows soon.
    fn is_listed_after(&self, note: &Note<'_>, last: usize) -> bool {
        let with_number = |at: usize| {
            let end = self.form_at(note, at)?.1;
            (note.is_number(end) || note.is_any_mark(end, b":=") && note.is_number(end + 1)).then_some(())
        };
        let near = (last + 1..last + MAX_LIST_DISTANCE).take_while(|&at| note.same_line(at));
        near.filter(|&at| self.may_begin_form(note.word_id(at))).any(|at| with_number(at).is_some())
    }

    /// Returns a short form that ends in a digit, with its value after a colon: in `SpO2:97`, the second token is
    /// `2:97`.
    fn form_with_value(&self, note: &Note<'_>, at: usize) -> Option<(u16, usize)> {
        let number = note.number(at + 1).filter(|number| number.has_form(2, b':') && note.token(at + 1).glued())?;
        let form = format!("{}{}", note.word(at), number.value(0));
        self.short_forms.get(&form).map(|nth| (nth, at + 2))
    }

    /// Returns the longest short form at a token and its end (exclusive). Its value may be attached: `T98.6`.
    fn form_at(&self, note: &Note<'_>, at: usize) -> Option<(u16, usize)> {
        let conditional = self.conditional.longest_spelling(note, at, |_| true).and_then(|(meanings, last)| {
            let met = CONDITIONS.into_iter().zip(meanings).find_map(|(condition, nth)| {
                let nth = nth?;
                meets_condition(note, (at, last), condition, self.all[usize::from(nth)].expected).then_some(nth)
            });
            met.map(|nth| (nth, last))
        });
        if conditional.is_some() {
            return conditional;
        }
        let longer = self.short_forms.longest_spelling(note, at, |_| true);
        let glued = || {
            let value = note.token(at + 1).glued() && note.is_number(at + 1);
            value.then(|| self.short_forms.get(note.word(at)).map(|nth| (nth, at + 1))).flatten()
        };
        longer.or_else(glued).or_else(|| self.form_with_value(note, at))
    }
}

/// The suffixes of short forms in the list that have a meaning only under a condition.
const CONDITIONS: [char; 6] = ['/', '~', '^', '@', '*', '!'];
/// The analyte of a short form under each condition.
type ByCondition = [Option<u16>; CONDITIONS.len()];

/// Returns whether the value after a short form, or the form itself, meets a condition.
fn meets_condition(note: &Note<'_>, (first, last): (usize, usize), condition: char, expected: &Expected) -> bool {
    let Some(at) = (last..last + MAX_VALUE_DISTANCE).find(|&at| note.is_number(at)) else { return false };
    let shape = note.number(at).map(Number::shape);
    match condition {
        '/' => shape == Some(Shape::Slash),
        '~' => shape == Some(Shape::Decimal),
        '^' => note.number(at).and_then(Number::decimal).is_some_and(|number| number >= 1000.0),
        '*' => amount::is_graded(note, at),
        '@' => {
            let amount = amount::read_amount(note, at, false, |_| true);
            let unit = amount.and_then(|amount| Unit::read(note, amount.end, |_| true));
            unit.is_some_and(|(unit, _)| expected.is_own_unit(unit))
        }
        _ => (first..last).all(|at| !note.is_word(at) || note.case(at) == Case::Upper),
    }
}

/// Returns the term of the analyte with a short form of three or more letters.
pub fn short_form(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let mut listed = LIST.iter().filter(|_| name.len() > 2);
    listed.find(|listed| listed.forms.iter().any(|form| form.written == name)).map(|listed| listed.name)
}

/// Returns whether the spelling suggests a short form: an ordinary word or a single letter must be capitalised, or
/// precede a colon or an equals sign.
fn looks_like_short_form(note: &Note<'_>, first: usize, last: usize) -> bool {
    const ORDINARY: Classes = Classes::of(&[Class::English, Class::Stop]);
    let width = note.width(first);
    if last > first + 1 || width > 3 || width > 1 && !note.any(first, ORDINARY) {
        return true;
    }
    let single = width == 1 && note.case(first) != Case::Lower;
    single
        || width > 2 && note.case(first) != Case::Lower
        || note.case(first) == Case::Upper
        || width > 1 && note.is_any_mark(last, b":=")
}

/// Returns whether a number follows a term directly, or after a mark.
pub(super) fn is_followed(note: &Note<'_>, last: usize) -> bool {
    (last..last + 3).any(|at| amount::read_amount(note, at, true, |_| true).is_some())
}
