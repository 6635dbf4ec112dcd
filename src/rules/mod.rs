//! The rules: patterns that report a span of a note as PHI to remove, or as clinical text to keep.
//!
//! Every rule is a function that looks at the tokens around one *anchor*: a number, a punctuation mark, a word of a
//! list. [`RULES`] is the table; adding a rule takes one file, one line in the table and one case file. Each module
//! depends only on those before it: `engine` finds the anchors, `clinical` vouches for numbers, `forms` finds
//! identifiers by their written form, `cues` finds names by their context. Rules look at a bounded window, so the time
//! is linear in the length of a note. They know the word lists but not the concepts; `decide` weighs their findings
//! against all other evidence.

mod clinical;
mod cues;
mod engine;
mod forms;
mod table;

pub(crate) use clinical::age::may_be_over_89;
pub use cues::propagate::FoundNames;
pub(crate) use engine::names::{is_family_name, is_first_name, is_unlisted};
pub use engine::{
    Anchors, Category, Certainty, Finding, Findings, Headings, Kind, Note, Number, NumberShapes, Numbers, Shape,
    Verdict, header_end,
};
pub(crate) use engine::{GROUP, WordColumns, is_roman_numeral};
pub use table::{Find, RULES, Rule};

use cues::{known, site};
use engine::facts;
use forms::{age, letters, raised};
use table::{BLOCK, COUNT, FINDS, mark_anchors};

use crate::bits::indices_of_bits;
use crate::patient::Patient;
use crate::text::token::Gap;
use crate::vocabulary::Class;

/// Returns whether a letter or an abbreviated title belongs to a fixed form that names nobody, whatever the model says:
/// `p.r.n.`, `93 y/o`, `Age: 34`, `Sex: M`, `mm Hg`, `Dr.`, also before a placeholder.
pub(crate) fn is_fixed_form(note: &Note<'_>, at: usize) -> bool {
    let title = note.is(at, Class::Title) && note.is_mark(at + 1, b'.') && note.joined(at + 1);
    let of_age = age::is_letter_of_age_unit(note, at)
        || clinical::age::is_age_or_sex_label(note, at)
        || clinical::age::is_sex_field_value(note, at);
    title || of_age || is_second_unit(note, at) || is_title_alone(note, at) || letters::is_in_short_form(note, at)
}

/// Returns whether a title stands alone in a salutation: `Dear Doctor,`. A title that is not a noun for a person may be
/// a first name.
fn is_title_alone(note: &Note<'_>, at: usize) -> bool {
    at > 0
        && note.is(at, Class::Title)
        && note.is(at, Class::PersonNoun)
        && note.bytes(at - 1) == b"dear"
        && note.is_any_mark(at + 1, b",:")
}

/// Returns whether the token is the second of two units after a number: `300 mm Hg`, `8 cm H2O`.
fn is_second_unit(note: &Note<'_>, at: usize) -> bool {
    let follows = |at: usize| note.same_line(at) && note.gap(at) <= Gap::Space;
    at >= 2
        && note.is(at, Class::Unit)
        && note.is(at - 1, Class::Unit)
        && note.is_number(at - 2)
        && follows(at)
        && follows(at - 1)
}

/// Builds the tables that all threads share. Otherwise the first scrub builds them; a fork at that very moment would
/// leave the child waiting for a thread that it does not have.
pub fn build_tables() {
    facts::build_fact_tables();
}

/// Runs every rule at each of its anchors, then looks for the names found in the rest of the note.
pub fn apply_rules(note: &Note<'_>, names: &mut FoundNames, findings: &mut Findings) {
    findings.clear();
    let mut columns = std::mem::take(&mut findings.columns);
    columns.begin_note(note);
    // Run one rule at all anchors of a block before the next rule: the instruction cache holds the code of some rules,
    // not of all.
    let mut asked = [[0; BLOCK]; COUNT];
    for block in (0..note.len()).step_by(BLOCK * GROUP) {
        let count = BLOCK.min((note.len() - block).div_ceil(GROUP));
        for nth in 0..count {
            mark_anchors(columns.read_next_group(note), nth, &mut asked);
        }
        for (rule, groups) in asked.iter().enumerate() {
            for (nth, &places) in groups[..count].iter().enumerate() {
                for place in indices_of_bits(places) {
                    let at = block + nth * GROUP + place;
                    findings.set_current_rule(rule as u16, at);
                    FINDS[rule](note, at, findings);
                }
            }
        }
    }
    findings.set_current_rule(SITE, note.len());
    site::apply_site_lists(note, findings);
    findings.set_current_rule(PROPAGATED, note.len());
    names.report_repeats(note, &columns, findings);
    findings.columns = columns;
    findings.amounts.release();
}

/// Adds findings for what the caller knows about the patient.
pub fn find_known(note: &Note<'_>, patient: &Patient, findings: &mut Findings) {
    findings.set_current_rule(KNOWN, note.len());
    known::find_known_identifiers(note, patient, findings);
}

/// Adds findings for words in raised letters, which only the original text shows.
pub fn find_raised(note: &Note<'_>, findings: &mut Findings) {
    if !note.normalized().is_plain() {
        findings.set_current_rule(RAISED, note.len());
        raised::find_raised_words(note, findings);
    }
}

/// Returns the lists of terms that rules know besides the vocabulary, each with its name, for checks of the output.
pub fn listed_terms() -> [(&'static str, &'static [&'static str]); 8] {
    let [elements, entities] = forms::markup_name_lists();
    let [terms, scales, scale_nouns, things, trials] = clinical::phrase::term_lists();
    [
        ("terms", terms),
        ("scales", scales),
        ("scale-nouns", scale_nouns),
        ("things", things),
        ("trials", trials),
        ("isotopes", clinical::symbol::ISOTOPES),
        ("elements", elements),
        ("entities", entities),
    ]
}

/// Returns the index of the rule with this name.
pub(crate) const fn rule_number(name: &[u8]) -> u16 {
    let mut rule = 0;
    loop {
        let known = RULES[rule].name.as_bytes();
        let mut at = 0;
        while at < known.len() && at < name.len() && known[at] == name[at] {
            at += 1;
        }
        if at == known.len() && at == name.len() {
            return rule as u16;
        }
        rule += 1;
    }
}

/// Reports PHI that the model is sure of; `overrules` if the rule that found it reports another kind.
pub(crate) fn add_judged(findings: &mut Findings, first: usize, last: usize, kind: Kind, overrules: bool) {
    findings.set_current_rule(JUDGED, first);
    findings.remove_judged(first, last, kind, overrules);
}

/// Reports what a message standard says of a field: PHI of this kind, or `None` to keep it.
pub(crate) fn add_field(findings: &mut Findings, first: usize, last: usize, kind: Option<Kind>, certainty: Certainty) {
    findings.set_current_rule(FIELD, first);
    match kind {
        Some(kind) => findings.remove(first, last, kind, certainty),
        None => findings.keep(first, last, certainty),
    }
}

/// Reports the finding of a custom pattern or an external detector for the tokens `first..last`. Detectors have numbers
/// beyond those of the rules.
pub(crate) fn add_detection(
    findings: &mut Findings,
    (first, last): (usize, usize),
    verdict: Verdict,
    certainty: Certainty,
    detector: u16,
) {
    findings.set_current_rule(detector, first);
    match verdict {
        Verdict::Remove(kind) => findings.remove(first, last, kind, certainty),
        Verdict::Keep => findings.keep(first, last, certainty),
    }
}

/// Returns whether a finding comes from a detector or a custom pattern rather than a rule.
pub(crate) const fn is_detection(rule: u16) -> bool {
    rule as usize >= COUNT
}

/// Clears the findings for a field to which no rule applies.
pub(crate) fn clear_findings(findings: &mut Findings) {
    findings.clear();
}

/// Returns whether the token is part of a listed word in which OCR read letters as digits.
pub(crate) fn is_misread_word(note: &Note<'_>, at: usize) -> bool {
    clinical::misread::is_in_misread_word(note, at)
}

/// The rule for long unbroken rows.
const CODE_ROW: u16 = rule_number(b"code-row");

/// The pseudo-rule under which the findings of the model are reported.
pub(crate) const JUDGED: u16 = rule_number(b"judged");

/// The rule for listed terms: its lists are evidence for words that are on no other list.
pub(crate) const PHRASE: u16 = rule_number(b"phrase");

/// The rules for markup and encoded characters.
pub(crate) const MARKUP: [u16; 2] = [rule_number(b"markup"), rule_number(b"encoded")];

/// The rule for Greek letters.
pub(crate) const GREEK_LETTER: u16 = rule_number(b"greek-letter");

/// The rule for isotopes.
pub(crate) const ISOTOPE: u16 = rule_number(b"isotope");

/// The rule for the lists of the site.
pub(crate) const SITE: u16 = rule_number(b"site-list");

/// The rule for fields of messages.
pub(crate) const FIELD: u16 = rule_number(b"field");

/// The rule for what the caller knows about the patient.
pub(crate) const KNOWN: u16 = rule_number(b"known");

/// The rule that propagates found names through a note.
const PROPAGATED: u16 = rule_number(b"name-propagated");

/// The rule for raised letters.
const RAISED: u16 = rule_number(b"raised-letters");
