//! What a pattern says about a stretch of a note: remove it, it is PHI; or keep it, it is medicine.
//!
//! Every rule is a function that looks at the tokens around one
//! *anchor*: a number, a mark, a word of a list. [`RULES`] is the table; adding a rule is one file, one line in the table
//! and one case file. Each room knows only those before it: `engine` asks, `clinical` vouches for numbers, `forms` has what has a
//! form, `cues` certain places for a name. Rules look at a bounded window, so a note takes time in proportion to its length whatever it holds.
//! They know the word lists, not the concepts; `decide` weighs their findings against everything else.

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

/// Whether a letter or a title cut short belongs to a form that names nobody, whatever the model thinks of it: `p.r.n.`, `93 y/o`,
/// `Age: 34`, `Sex: M`, `mm Hg`, `Dr.`, also where an earlier scrub left a tag after it.
pub(crate) fn is_fixed_form(note: &Note<'_>, at: usize) -> bool {
    let title = note.is(at, Class::Title) && note.is_mark(at + 1, b'.') && note.joined(at + 1);
    let of_age = age::is_letter_of_age_unit(note, at)
        || clinical::age::is_age_or_sex_label(note, at)
        || clinical::age::is_sex_field_value(note, at);
    title || of_age || is_second_unit(note, at) || is_title_alone(note, at) || letters::is_in_short_form(note, at)
}

/// Whether a letter speaks to a title without a name: `Dear Doctor,`. A title that is no word for a person may be a first name.
fn is_title_alone(note: &Note<'_>, at: usize) -> bool {
    at > 0
        && note.is(at, Class::Title)
        && note.is(at, Class::PersonNoun)
        && note.bytes(at - 1) == b"dear"
        && note.is_any_mark(at + 1, b",:")
}

/// Whether it is the second of two units after a number: `300 mm Hg`, `8 cm H2O`.
fn is_second_unit(note: &Note<'_>, at: usize) -> bool {
    let follows = |at: usize| note.same_line(at) && note.gap(at) <= Gap::Space;
    at >= 2
        && note.is(at, Class::Unit)
        && note.is(at - 1, Class::Unit)
        && note.is_number(at - 2)
        && follows(at)
        && follows(at - 1)
}

/// Makes the tables that all threads share. Without it the first scrub does; a fork at that very moment would leave the child
/// waiting for a thread that it does not have.
pub fn build_tables() {
    facts::build_fact_tables();
}

/// Asks every rule at every place where it has an anchor, then looks for the names found everywhere else in the note.
pub fn apply_rules(note: &Note<'_>, names: &mut FoundNames, findings: &mut Findings) {
    findings.clear();
    let mut columns = std::mem::take(&mut findings.columns);
    columns.begin_note(note);
    // One rule is asked at all of its places in a block before the next rule is: the machine has room for the instructions of some
    // rules, not of all.
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

/// Adds what is known of the patient of the note to what the rules found.
pub fn find_known(note: &Note<'_>, patient: &Patient, findings: &mut Findings) {
    findings.set_current_rule(KNOWN, note.len());
    known::find_known_identifiers(note, patient, findings);
}

/// Adds words in raised letters: which these are, only the text as it is written tells.
pub fn find_raised(note: &Note<'_>, findings: &mut Findings) {
    if !note.normalized().is_plain() {
        findings.set_current_rule(RAISED, note.len());
        raised::find_raised_words(note, findings);
    }
}

/// The lists of terms that rules know beside the vocabulary, for whoever checks an output: the name of each, and its lines.
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

/// The number of the rule of that name.
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

/// Reports what the model is sure of; `overrules` where it is of another kind than the rule that found it says.
pub(crate) fn add_judged(findings: &mut Findings, first: usize, last: usize, kind: Kind, overrules: bool) {
    findings.set_current_rule(JUDGED, first);
    findings.remove_judged(first, last, kind, overrules);
}

/// Reports what a standard says of a field: it is of this kind, or it stays.
pub(crate) fn add_field(findings: &mut Findings, first: usize, last: usize, kind: Option<Kind>, certainty: Certainty) {
    findings.set_current_rule(FIELD, first);
    match kind {
        Some(kind) => findings.remove(first, last, kind, certainty),
        None => findings.keep(first, last, certainty),
    }
}

/// Reports what a detector outside the core, or a pattern of the user's own, says of the tokens `first..last`; detectors have numbers
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

/// Whether a finding is of a detector or a pattern, not of a rule.
pub(crate) const fn is_detection(rule: u16) -> bool {
    rule as usize >= COUNT
}

/// Empties the findings for a field in which no rule is asked.
pub(crate) fn clear_findings(findings: &mut Findings) {
    findings.clear();
}

/// Whether the token stands in a listed word in which a scanner read letters as figures.
pub(crate) fn is_misread_word(note: &Note<'_>, at: usize) -> bool {
    clinical::misread::is_in_misread_word(note, at)
}

/// The rule of long rows.
const CODE_ROW: u16 = rule_number(b"code-row");

/// What stands for the model among the rules.
pub(crate) const JUDGED: u16 = rule_number(b"judged");

/// The rule of listed terms: its lists are evidence for words that no other list has.
pub(crate) const PHRASE: u16 = rule_number(b"phrase");

/// The rules of markup and of its characters.
pub(crate) const MARKUP: [u16; 2] = [rule_number(b"markup"), rule_number(b"encoded")];

/// The rule of Greek letters.
pub(crate) const GREEK_LETTER: u16 = rule_number(b"greek-letter");

/// The rule of isotopes.
pub(crate) const ISOTOPE: u16 = rule_number(b"isotope");

/// The rule of the site's lists.
pub(crate) const SITE: u16 = rule_number(b"site-list");

/// The rule of fields of messages.
pub(crate) const FIELD: u16 = rule_number(b"field");

/// The rule that finds what is known of the patient.
pub(crate) const KNOWN: u16 = rule_number(b"known");

/// The rule that follows names through a note.
const PROPAGATED: u16 = rule_number(b"name-propagated");

/// The rule of raised letters.
const RAISED: u16 = rule_number(b"raised-letters");
