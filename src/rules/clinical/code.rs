//! Codes after the name of their system: `CPT 27759`, `ICD-9 250.00`, `ICD-10-CM: E11.9`, `NDC 0002-7597-01`.

use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::{Gap, Kind};

/// Words between a system and its code.
static BETWEEN: WordSet = word_set!("clinical-code-between");

/// Vouches for the codes after the name of their system.
pub(in crate::rules) fn keep_named_codes(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let mut next = at + 1;
    // `ICD-10-CM`, `CPT-4`, `DSM-5`: the edition belongs to the name.
    if note.token(next).glued() && note.is_number(next) && note.width(next) <= 2 {
        findings.keep(at, next + 1, Certainty::Sure);
        next += 1;
    }
    for _ in 0..2 {
        let part = note.is_mark(next, b'-') && note.joined(next) && note.joined(next + 1);
        if part
            && (note.width(next + 1) <= 2 && note.is_number(next + 1)
                || word_is!(note, next + 1, "cm" | "pcs" | "o" | "iv" | "tr"))
        {
            findings.keep(next, next + 2, Certainty::Sure);
            next += 2;
        }
    }
    for _ in 0..12 {
        let (end, known) = end_of_code(note, next, note.bytes(at));
        if known {
            findings.keep(at, at + 1, Certainty::Sure);
            findings.keep(next, end, Certainty::Sure);
            let Some(more) = start_of_next_code(note, end, note.bytes(at)) else { return };
            next = more;
            continue;
        }
        let between = match note.token(next).kind {
            Kind::Word => BETWEEN.has(note, next),
            Kind::Number => note.width(next) <= 2,
            Kind::Punct => b":#.-(=".contains(&note.bytes(next)[0]),
            _ => false,
        };
        if !between || note.gap(next) == Gap::Paragraph {
            return;
        }
        next += 1;
    }
}

/// Returns the end (exclusive) of the code that begins here, and whether it has the form of a code of the system.
fn end_of_code(note: &Note<'_>, at: usize, system: &[u8]) -> (usize, bool) {
    let mut end = at;
    while end < at + 10 && (end == at || note.joined(end)) {
        match note.token(end).kind {
            Kind::Number => {}
            Kind::Word if note.width(end) <= 3 => {}
            Kind::Punct
                if note.is_any_mark(end, b".-")
                    && note.joined(end + 1)
                    && !note.token(end + 1).border_before()
                    && matches!(note.token(end + 1).kind, Kind::Number | Kind::Word) => {}
            _ => break,
        }
        end += 1;
    }
    let begins = note.is_number(at) || note.is_word(at) && note.is_number(at + 1) && note.joined(at + 1);
    (end, begins && has_form_of_system(system, note.text_of(at, end).as_bytes()))
}

/// Returns the start of the next code in a list: `27759, 27760 and 27761`.
fn start_of_next_code(note: &Note<'_>, end: usize, system: &[u8]) -> Option<usize> {
    let mut at = end;
    while at < end + 3
        && (note.is_any_mark(at, b",/;&-") || word_is!(note, at, "and" | "or" | "through" | "to" | "with"))
    {
        at += 1;
    }
    (at > end && note.follows(at) && end_of_code(note, at, system).1).then_some(at)
}

/// Systems of diagnosis codes: a letter and digits, or digits alone.
static DIAGNOSES: WordSet = word_set!("clinical-code-diagnoses");

/// Returns whether the text has the form of a code of the system; numbers of other forms are not vouched for.
fn has_form_of_system(system: &[u8], code: &[u8]) -> bool {
    let cut = code.iter().position(|byte| matches!(byte, b'.' | b'-')).unwrap_or(code.len());
    let (head, tail) = (&code[..cut], code.get(cut + 1..).unwrap_or_default());
    let digits = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
    let sized = |text: &[u8], least: usize, most: usize| (least..=most).contains(&text.len());
    // A letter of the set, then digits.
    let led =
        |text: &[u8], letters: &[u8]| text.first().is_some_and(|first| letters.contains(first)) && digits(&text[1..]);
    match system {
        // `27759`, `0075T`, `99213-25`
        b"cpt" => {
            head.len() == 5
                && digits(&head[..4])
                && (head[4].is_ascii_digit() || b"ftum".contains(&head[4]))
                && tail.len() <= 2
        }
        b"hcpcs" => head.len() == 5 && (digits(head) || led(head, b"abcdefghjklmpqrstuv")) && tail.len() <= 2,
        b"cdt" => head.len() == 5 && led(head, b"d") && tail.is_empty(),
        // `250.00`, `V45.81`, `E812.0`, `E11.65`, `S72.001A`, `0FT44ZZ`
        _ if DIAGNOSES.contains(system) => {
            let mixed = head.iter().any(u8::is_ascii_alphabetic);
            if !mixed {
                return sized(head, 1, 3) && sized(tail, 1, 2) && digits(tail) || sized(head, 3, 5) && tail.is_empty();
            }
            let figures = head.iter().filter(|byte| byte.is_ascii_digit()).count();
            let begins = head[0].is_ascii_alphabetic() && figures >= 2;
            begins && sized(head, 3, 4) && sized(tail, 0, 4)
                || tail.is_empty() && (begins && head.len() <= 7 || head.len() == 7)
        }
        // `0002-7597-01`, `00027597001`
        b"ndc" => {
            let figures = code.iter().filter(|byte| byte.is_ascii_digit()).count();
            let marks = code.split(|&byte| byte == b'-').count() - 1;
            figures + marks == code.len() && (marks == 2 && (10..=11).contains(&figures) || marks == 0 && figures == 11)
        }
        b"loinc" => digits(head) && sized(head, 3, 7) && tail.len() == 1 && digits(tail),
        b"drg" | b"msdrg" => digits(head) && head.len() == 3 && tail.len() <= 2,
        b"snomed" => digits(code) && sized(code, 6, 18),
        b"rxnorm" | b"rxcui" => digits(code) && sized(code, 3, 7),
        b"omim" => code.len() == 6 && digits(code),
        b"mesh" => sized(code, 7, 10) && led(code, b"cd"),
        b"umls" | b"cui" => code.len() == 8 && led(code, b"c"),
        // `N02BE01`
        b"atc" => sized(code, 3, 7) && code[0].is_ascii_alphabetic() && digits(&code[1..3]),
        b"hcc" | b"cvx" => digits(code) && code.len() == 3,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_shapes_of_codes() {
        for (system, code) in [
            ("cpt", "27759"),
            ("cpt", "99213-25"),
            ("cpt", "0075t"),
            ("hcpcs", "j1885"),
            ("icd", "250.00"),
            ("icd", "v45.81"),
            ("icd", "e11.9"),
            ("icd", "s72.001a"),
            ("icd", "0ft44zz"),
            ("icd", "e119"),
            ("ndc", "0002-7597-01"),
            ("loinc", "2345-7"),
            ("drg", "470"),
            ("snomed", "73211009"),
            ("snomed", "22298006"),
            ("umls", "c0011849"),
            ("mesh", "d003920"),
            ("atc", "n02be01"),
            ("rxnorm", "5640"),
            ("omim", "219700"),
        ] {
            assert!(has_form_of_system(system.as_bytes(), code.as_bytes()), "{system} {code}");
        }
        for (system, code) in [
            ("cpt", "277599"),
            ("cpt", "555-0123"),
            ("icd", "4015550123"),
            ("icd", "555-0123"),
            ("ndc", "2545554893"),
            ("loinc", "254-555"),
            ("drg", "4893"),
            ("umls", "00118491"),
            ("cpt", "123456789012345678"),
        ] {
            assert!(!has_form_of_system(system.as_bytes(), code.as_bytes()), "{system} {code}");
        }
    }
}
