//! What follows an amount and confirms it: a unit, a duration, a dose form, a counted noun.

use crate::rules::engine::Note;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::text::token::{Case, Kind};
use crate::vocabulary::{Class, Classes};

/// The kind of phrase after an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnitKind {
    /// A unit of measure, including percent and degrees.
    Unit,
    /// One letter that may be a unit, after a blank: `2 L`, `37 C`.
    Letter,
    /// Days, weeks, months, hours.
    Duration,
    /// Years, and all expressions of an age in years.
    Years,
    /// Dosing words: tablets, po, bid, daily.
    Dose,
    /// A counted noun.
    Counted,
    /// Something that comes in sizes: blade, needle, tube.
    Sized,
    /// Something that is graded: strength, murmur.
    Graded,
    /// am, pm, o'clock.
    Clock,
}

impl UnitKind {
    /// Returns the kind of a word after an amount, by its lists; the word is not a unit.
    #[inline]
    const fn of_lists(classes: Classes) -> Self {
        if classes.has(Class::Duration) {
            Self::Duration
        } else if classes.has(Class::Dose) {
            Self::Dose
        } else if classes.has(Class::Counted) {
            Self::Counted
        } else if classes.has(Class::Sized) {
            Self::Sized
        } else if classes.has(Class::Score) {
            Self::Graded
        } else {
            Self::Years
        }
    }
}

/// Denominators of a rate, after a slash.
static PER: WordSet = word_set!("clinical-follow-per");

/// Returns whether the word after a slash makes the number before it a rate.
fn is_rate_unit(note: &Note<'_>, at: usize) -> bool {
    note.case(at) == Case::Lower && PER.has(note, at) && !note.token(at + 1).glued()
}

/// Returns whether the hash sign after a number stands for a count: a slash precedes the number or follows the sign.
fn hash_is_count(note: &Note<'_>, sharp: usize) -> bool {
    let slash = |at: usize| note.is_mark(at, b'/') && note.joined(at);
    sharp > 1 && slash(sharp - 2) && !note.joined(sharp + 1) || slash(sharp + 1) && note.is_word(sharp + 2)
}

/// The phrase after an amount and its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnitPhrase {
    pub(super) what: UnitKind,
    end: u32,
    /// Whether other words stand between the amount and the phrase.
    pub(super) is_separated: bool,
}

/// The lists of words that follow an amount.
pub(in crate::rules) const CUES: Classes = Classes::of(&[
    Class::Unit,
    Class::Duration,
    Class::Dose,
    Class::Counted,
    Class::Sized,
    Class::Score,
    Class::AgeCue,
]);

/// Words that take precedence over their lists.
static READ_FIRST: WordSet = word_set!("clinical-follow-read-first");

/// Years of an age, optionally with the sex.
static YEARS: WordSet = word_set!("clinical-follow-years");

impl UnitPhrase {
    #[inline]
    const fn new(what: UnitKind, last: usize, is_separated: bool) -> Self {
        Self { what, end: last as u32, is_separated }
    }

    /// Returns the end (exclusive).
    #[inline]
    pub(super) const fn last(self) -> usize {
        self.end as usize
    }

    /// Reads the phrase after the amount that ends before `at`.
    #[inline]
    pub(super) fn read_after(note: &Note<'_>, at: usize) -> Option<Self> {
        match note.token(at).kind {
            _ if !Self::may_begin_at(note, at) => None,
            Kind::Word => Self::read_word(note, at, false),
            _ => Self::read_mark(note, at),
        }
    }

    /// Returns whether the token may begin the phrase after an amount.
    #[inline]
    pub(super) fn may_begin_at(note: &Note<'_>, at: usize) -> bool {
        let token = note.token(at);
        let kind = match token.kind {
            Kind::Word | Kind::Symbol => true,
            Kind::Punct => matches!(token.mark(), b'%' | b'\'' | b'"' | b'-' | b'/' | b'#' | b'+'),
            _ => false,
        };
        kind && note.follows(at)
    }

    /// Reads a phrase that begins with a mark or a symbol.
    #[inline(never)]
    fn read_mark(note: &Note<'_>, at: usize) -> Option<Self> {
        let token = note.token(at);
        let found = |what, last| Some(Self::new(what, last, false));
        match token.kind {
            Kind::Punct => match token.mark() {
                b'%' => found(UnitKind::Unit, at + 1),
                // `5'10"` and `27"`, but not a closing quotation mark.
                b'\'' | b'"' if note.joined(at) => {
                    let inches = token.mark() == b'\''
                        && note
                            .number(at + 1)
                            .is_some_and(|inches| inches.decimal().is_some_and(|inches| inches < 12.0));
                    let last = at + 1 + usize::from(inches);
                    found(UnitKind::Unit, last + usize::from(inches && note.is_any_mark(last, b"\"'")))
                }
                b'-' if note.is_word(at + 1) && note.joined(at + 1) => Self::read_word(note, at + 1, true),
                // `2800/mm3`
                b'/' if note.joined(at) && note.joined(at + 1) && is_volume_unit(note, at + 1) => {
                    found(UnitKind::Unit, end_of_unit(note, at + 1))
                }
                // `NS 125/h`, `UF 75/h`
                b'/' if note.joined(at) && note.joined(at + 1) && is_rate_unit(note, at + 1) => {
                    found(UnitKind::Unit, at + 2)
                }
                // `40 Gy/15#`, `5#/wk`: fractions of a dose, pounds.
                b'#' if note.joined(at) && hash_is_count(note, at) => found(UnitKind::Counted, at + 1),
                b'+' if note.joined(at) => {
                    Self::read_after(note, at + 1).map(|follow| Self { is_separated: true, ..follow })
                }
                _ => None,
            },
            Kind::Symbol => match note.word(at) {
                "°" => {
                    let scale =
                        note.same_line(at + 1) && word_is!(note, at + 1, "c" | "f" | "celsius" | "fahrenheit" | "k");
                    found(UnitKind::Unit, at + 1 + usize::from(scale))
                }
                "‰" => found(UnitKind::Unit, at + 1),
                _ => None,
            },
            _ => None,
        }
    }

    fn read_word(note: &Note<'_>, at: usize, hyphen: bool) -> Option<Self> {
        let found = |what, last| Some(Self::new(what, last, false));
        let word = note.bytes(at);
        match word {
            // Fast path: nearly every word is none of those below.
            _ if !READ_FIRST.has(note, at) => {}
            _ if YEARS.has(note, at) => {
                let last = dotted_abbreviation(note, at).map_or(at + 1, |(_, last)| last);
                return found(UnitKind::Years, last);
            }
            b"am" | b"pm" | b"o'clock" | b"oclock" => return found(UnitKind::Clock, at + 1),
            // Pack years.
            b"py" | b"pys" => return found(UnitKind::Counted, at + 1),
            // `47 522 gave no result`: a subject precedes these, not an amount.
            b"gave" | b"took" => return None,
            // `30417 w/ any change`, `2 s/p surgery`: shorthand for with, without and status post, not watt or second.
            b"w" | b"s" | b"c" | b"h" if !note.joined(at) && note.is_mark(at + 1, b'/') => return None,
            // Primarily a word; a unit only if written like one.
            b"in" | b"ins" if !hyphen && !note.joined(at) && !note.is_mark(at + 1, b'.') => return None,
            b"a" | b"an" | b"per" | b"each" | b"every" => {
                // `75 an hour`, `2 a day`, `16 per minute`
                let rated = note.is_word(at + 1)
                    && note.any(at + 1, Classes::of(&[Class::Duration, Class::Unit, Class::Dose, Class::Counted]))
                    || word_is!(note, at + 1, "year" | "yr" | "night" | "day");
                let after_number = word.len() > 1 || rated;
                return if rated && after_number { found(UnitKind::Duration, at + 2) } else { None };
            }
            _ => {}
        }
        let mut classes = note.classes(at);
        let mut end = None;
        if word.len() == 1
            && let Some((dotted, last)) = dotted_abbreviation(note, at)
        {
            (classes, end) = (dotted, Some(last));
            if classes.is_empty() {
                return None;
            }
            if note.is_mark(at + 1, b'.') && matches!(word, b"a" | b"p") && word_is!(note, at + 2, "m") {
                return found(UnitKind::Clock, last);
            }
        }
        if !classes.any(CUES) {
            return None;
        }
        let last = end.unwrap_or_else(|| end_of_unit(note, at));
        let what = if classes.has(Class::Unit) {
            if last == at + 1 && word.len() == 1 && !hyphen && !note.joined(at) {
                UnitKind::Letter
            } else {
                UnitKind::Unit
            }
        } else {
            UnitKind::of_lists(classes)
        };
        found(what, last)
    }

    /// Reads the phrase after a few ordinary words: `3 different probes`, `2 interrupted sutures`.
    #[inline]
    pub(super) fn read_past_ordinary_words(note: &Note<'_>, at: usize) -> Option<Self> {
        let first = at + usize::from(note.is_mark(at, b'-') && note.joined(at));
        if note.is_word(first) { Self::read_past_words_from(note, first) } else { None }
    }

    #[inline(never)]
    fn read_past_words_from(note: &Note<'_>, first: usize) -> Option<Self> {
        let mut next = first;
        for words in 0..4 {
            if !note.follows(next) || !note.is_word(next) || !is_ordinary_word(note, next) {
                return None;
            }
            let classes = note.classes(next);
            if words > 0 && classes.has(Class::NumberWord) {
                return None;
            }
            if words > 0 && classes.any(Classes::of(&[Class::Counted, Class::Sized, Class::Dose])) {
                let what = if classes.has(Class::Sized) { UnitKind::Sized } else { UnitKind::Counted };
                return Some(Self::new(what, next + 1, true));
            }
            if is_plural_noun(note, next) {
                return Some(Self::new(UnitKind::Counted, next + 1, true));
            }
            if note.is(next, Class::Stop) && !word_is!(note, next, "other" | "more" | "such") {
                return None;
            }
            next += 1;
            // `bite-wing`, `x-rays`
            next += usize::from(note.is_mark(next, b'-') && note.joined(next) && note.is_word(next + 1));
        }
        None
    }
}

/// Units of volume for cell counts: `mm3`, `uL`, `hpf`.
static VOLUMES: WordSet = word_set!("clinical-follow-volumes");

/// Returns whether it is a unit of volume for cell counts: `mm3`, `uL`, `hpf`.
fn is_volume_unit(note: &Note<'_>, at: usize) -> bool {
    VOLUMES.has(note, at)
}

/// Returns the end (exclusive) of a unit with its suffixes: `cm2`, `mm3`, `K/uL`.
#[inline]
fn end_of_unit(note: &Note<'_>, at: usize) -> usize {
    let next = note.token(at + 1);
    if next.glued() | note.is_mark(at + 1, b'/') { end_of_unit_tail(note, at) } else { at + 1 }
}

#[inline(never)]
fn end_of_unit_tail(note: &Note<'_>, at: usize) -> usize {
    // `5 cmH2O`: centimetres of water.
    let water = word_is!(note, at, "cmh" | "mmh")
        && word_is!(note, at + 1, "2")
        && word_is!(note, at + 2, "o")
        && note.token(at + 1).glued()
        && note.token(at + 2).glued()
        && !note.token(at + 3).glued();
    if water {
        return at + 3;
    }
    let power = note.token(at + 1).glued() && word_is!(note, at + 1, "2" | "3");
    let last = at + 1 + usize::from(power);
    let per = note.is_mark(last, b'/') && note.joined(last) && note.joined(last + 1) && is_volume_unit(note, last + 1);
    if per && !power && !note.token(last + 2).glued() { last + 2 } else { last }
}

/// Returns whether the word may describe a counted thing: not capitalised, not a street type.
fn is_ordinary_word(note: &Note<'_>, at: usize) -> bool {
    note.case(at) != Case::Capital && note.case(at) != Case::Mixed && !note.is(at, Class::StreetType)
}

/// Returns whether the word looks like a plural noun.
fn is_plural_noun(note: &Note<'_>, at: usize) -> bool {
    const KNOWN: Classes = Classes::of(&[Class::English, Class::Literature, Class::Clinical, Class::Term]);
    let word = note.bytes(at);
    word.len() >= 5
        && word.ends_with(b"s")
        && !matches!(word[word.len() - 2], b's' | b'u' | b'i')
        && note.any(at, KNOWN)
        && !note.any(at, Classes::of(&[Class::Stop, Class::Surname, Class::City, Class::PersonVerb, Class::Month]))
}

/// Returns the lists and the end (exclusive) of an abbreviation with periods: `b.i.d.`, `p.o.`, `q.h.s.`.
pub(super) fn dotted_abbreviation(note: &Note<'_>, at: usize) -> Option<(Classes, usize)> {
    let mut letters = [0_u8; 6];
    let mut len = 0;
    let mut next = at;
    while let [letter] = note.bytes(next) {
        if len == letters.len() || !letter.is_ascii_lowercase() || len > 0 && !note.joined(next) {
            break;
        }
        letters[len] = *letter;
        len += 1;
        next += 1;
        // `y/o` and `y.o.`
        if !(note.is_any_mark(next, b"./") && note.joined(next)) {
            break;
        }
        next += 1;
    }
    if len < 2 {
        return None;
    }
    let last = if note.is_mark(next - 1, b'/') { next - 1 } else { next };
    let word = str::from_utf8(&letters[..len]).unwrap_or_default();
    Some((note.classes_of(word), last))
}
