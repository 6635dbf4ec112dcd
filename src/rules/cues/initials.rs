//! Names with abbreviated first names as initials: `A.Ph. de Visser`, `J.-Chr. Dupont`, `Th. Lindeman`.

use super::name::{Trust, end_of_name, is_compound_initial, is_dotted_credential};
use crate::rules::engine::{Certainty, Findings, Kind, Note};

/// The maximum number of initials before the abbreviated one.
const MAX_INITIALS: usize = 4;

/// Finds such a name at the period of the abbreviation.
pub(in crate::rules) fn find_name_with_initials(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(short) = at.checked_sub(1).filter(|&short| is_compound_initial(note, short)) else { return };
    let mut first = short;
    for _ in 0..MAX_INITIALS {
        // `J.`, `J.-` before the abbreviation.
        let hyphen = usize::from(first > 0 && note.is_mark(first - 1, b'-'));
        let Some(before) = first.checked_sub(2 + hyphen) else { break };
        let initial = note.is_mark(before + 1, b'.')
            && note.is_word(before)
            && (note.width(before) == 1 || is_compound_initial(note, before))
            && note.capitalised(before)
            && note.follows(first);
        if !initial {
            break;
        }
        first = before;
    }
    let end = end_of_name(note, first, Trust::Form, 6);
    if end > at + 1 && !is_dotted_credential(note, first) && !is_dotted_credential(note, short) {
        findings.remove(first, end, Kind::Name, Certainty::Likely);
    }
}
