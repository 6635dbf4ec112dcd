//! The findings that the model may clear: they do not count for a token that the model is sure identifies nobody.
//!
//! A form that can be checked is never cleared. Not in the table are ages over 89 in every form, years, birth dates,
//! dates that parse in one way, labelled identifiers and numbers, postal codes, addresses, and what the site or the
//! caller knows. The table holds rules that hit medicine as often: of the findings that the model cleared on the
//! training notes, fewer than one in fifty was marked.

use crate::finding::Certainty;
use crate::rules::{Finding, JUDGED, RULES, Verdict, rule_number};

/// A rule, the highest certainty at which a finding of it may be cleared, and why.
struct Clearable(u16, Certainty, #[allow(dead_code, reason = "for whoever reads the table")] &'static str);

const fn clearable(rule: &str, up_to: Certainty, reason: &'static str) -> Clearable {
    Clearable(rule_number(rule.as_bytes()), up_to, reason)
}

use Certainty::{Likely, Weak};

const CLEARABLE: &[Clearable] = &[
    clearable("name-title", Likely, "a title is a word too: `Dr` for drive, `Sr`, `Miss`, `Father`"),
    clearable("name-credential", Likely, "letters of a credential are medicine too: `PA`, `MS`, `DO`"),
    clearable("name-field", Likely, "fields for people also hold roles and findings"),
    clearable("name-propagated", Weak, "the same word in its ordinary sense"),
    clearable("city-state", Likely, "short forms of states are medicine and credentials: `MD`, `PA`, `MS`"),
    clearable("street", Likely, "words for streets are medicine and English: `drive`, `way`, `place`, `st`"),
    clearable("street-number", Likely, "the same words behind a number"),
    clearable("apartment", Likely, "`flat 4 h`, `STE 3 mm`: rest and an infarct"),
    clearable("ward", Likely, "`unit 2`, `bed`, `floor` count and measure too"),
    clearable("date-figures", Weak, "fractions, grades, ranges and readings look like a day and a month"),
    clearable("holiday", Likely, "a holiday as a topic, or an ordinary word"),
    clearable("weekday", Weak, "`sat`, `sun`, `wed` are words and readings"),
    clearable("phone", Likely, "rows of readings look like telephone numbers"),
    clearable("code", Likely, "genes, devices, models and laboratory values mix letters and figures"),
    clearable("code-hash", Likely, "a hash numbers items and counts: `#1`, `#30`"),
    clearable("code-row", Likely, "rows of figures are readings and settings"),
    clearable("plate", Likely, "short rows of capitals and figures are shorthand: `2VD`, `T60E`"),
    clearable("contact-at", Weak, "`@` is shorthand for at: `@ 10 ml/h`"),
    clearable("contact-domain", Weak, "a point without a blank behind it ends a sentence"),
];

/// The number of rules.
const COUNT: usize = RULES.len();

/// The highest certainty that may be cleared, by rule; 0 for none.
const BY_RULE: [u8; COUNT] = {
    let mut by_rule = [0; COUNT];
    let mut at = 0;
    while at < CLEARABLE.len() {
        by_rule[CLEARABLE[at].0 as usize] = CLEARABLE[at].1 as u8;
        at += 1;
    }
    by_rule
};

/// Returns whether a finding may be cleared for tokens that the model is sure identify nobody.
pub(super) fn is_clearable(finding: &Finding) -> bool {
    let up_to = BY_RULE.get(usize::from(finding.rule)).copied().unwrap_or(0);
    matches!(finding.verdict, Verdict::Remove(_)) && finding.certainty as u8 <= up_to
}

/// How far findings may be overruled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Overruling {
    /// Freely: they are only a suspicion.
    Allowed,
    /// The rule is often wrong, but sure here: the token is removed, but its kind may change.
    KindOnly,
    /// Never: a form that can be checked, or an evasive spelling.
    Forbidden,
}

/// Returns how far a finding may be overruled.
pub(crate) fn overruling(finding: &Finding) -> Overruling {
    if finding.rule == JUDGED || is_clearable(finding) {
        Overruling::Allowed
    } else if BY_RULE.get(usize::from(finding.rule)).is_some_and(|&up_to| up_to > 0) {
        Overruling::KindOnly
    } else {
        Overruling::Forbidden
    }
}
