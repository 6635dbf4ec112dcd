//! Rows whose parts have hyphens between: `HS-629-GT`, `SP-S-51`, `Do-EU-863`.

use super::part::{
    Part, announces, digits, is_amount, is_blank, is_nothing, is_unit, letters, letters_first, mixed, names_a_number,
};
use super::{LIKELY, WEAK, by_length, is_bullet};
use crate::rules::word_sets::says;
use crate::rules::{Certainty, Kind, View};
use crate::token::Case;

/// `HS-629-GT`, `ZWD-395-S`, `SP-S-51`, `13-XED-8`, `D64-CDW`, `LAR-879`.
pub(super) fn hyphenated(view: &View<'_>, row: &[Part]) -> Option<(Kind, Certainty)> {
    let plain = |part: &Part| part.changes == 0;
    if is_bullet(view, row[0].last) {
        let digits: usize = row.iter().map(|part| part.digits).sum();
        let letters: usize = row.iter().map(|part| part.letters).sum();
        return if letters > 0 && digits > 2 && letters + digits >= 5 { LIKELY } else { None };
    }
    let plate = match row {
        [a, b, c] if plain(a) && plain(b) && plain(c) => {
            let german =
                a.letters > 0 && (1..=2).contains(&b.letters) && (1..=4).contains(&c.digits) && !is_wave(view, a, c);
            let odd = b.digits == 3 && !view.bytes(b.first).ends_with(b"0");
            let between = a.letters > 0 && (2..=4).contains(&b.digits) && c.letters > 0 && (odd || !is_unit(view, c));
            // No amount, and no date, has two letters behind a second hyphen: `17-MS-BY`.
            let counts = if c.letters == 2 { is_unit(view, b) } else { is_amount(view, b) };
            let dutch = (1..=2).contains(&a.digits) && b.letters >= 2 && c.digits + c.letters <= 2 && !counts;
            let mexican = (2..=3).contains(&a.letters) && b.digits == 2 && c.digits == 2 && !a.clinical;
            german || between || dutch || mexican
        }
        // `LAR-879`, `471-ZTC`
        [a, b] if a.letters == 3 && b.digits == 3 && plain(a) && plain(b) && !announces(view, a) => {
            return Some((Kind::Vehicle, if is_blank(view, a) { Certainty::Likely } else { Certainty::Weak }));
        }
        [a, b] if a.digits == 3 && b.letters == 3 && plain(a) && plain(b) && !announces(view, b) => {
            return Some((Kind::Vehicle, if is_blank(view, b) { Certainty::Likely } else { Certainty::Weak }));
        }
        // `ROS-543`, `826-SRS`: shorthand, with more figures behind a hyphen than any test or amount has.
        [a, b]
            if plain(a)
                && plain(b)
                && a.letters + b.letters == 3
                && (a.letters == 3 && b.digits == 3 && !a.clinical && !names_a_number(view, a)
                    || a.digits == 3 && b.letters == 3 && !is_amount(view, b)) =>
        {
            return WEAK;
        }
        // `73-5735V`: no range goes from so little to so much.
        [a, b] if plain(a) && (1..=2).contains(&a.digits) && b.letters == 1 && b.digits >= 4 && b.changes == 1 => {
            view.is_number(b.first) && !view.bytes(b.first).ends_with(b"00")
        }
        // `R72-94J`
        [a, b] if mixed(a, 1, 2) && mixed(b, 1, 2) => view.is_word(a.first) && view.is_number(b.first),
        [a, b] => {
            let short = |part: &Part| part.changes > 0 && (3..=4).contains(&(part.letters + part.digits));
            // `B52-FSH`: no level of the spine.
            let initial = letters_first(view, a, 1, 2) && plain(b);
            let level = view.is_word(a.first) && says!(view, a.first, "c" | "t" | "l" | "s");
            short(a) && b.letters == 3 && (!b.clinical || initial && !level)
                || a.letters == 3 && short(b) && (!a.clinical || b.changes > 1)
        }
        _ => false,
    };
    if plate {
        return LIKELY;
    }
    match row {
        [a, b] if plain(a) && plain(b) && a.letters + b.letters == 3 && a.digits + b.digits == 3 => {
            by_length(view, row)
        }
        _ => None,
    }
}

/// Where a plate begins whose district is written as a name is: `Do-EU-863`.
pub(super) fn district(view: &View<'_>, row: &[Part]) -> Option<usize> {
    let [area, number] = row else { return None };
    let first = area.first.checked_sub(2)?;
    let written = letters(area, 1, 2)
        && digits(number, 1, 4)
        && !is_wave(view, area, number)
        && view.is_mark(first + 1, b'-')
        && view.joined(first + 1)
        && view.joined(area.first)
        && view.case(first) == Case::Capital
        && view.width(first) <= 3
        && !says!(view, first, "non" | "pre" | "sub" | "mid" | "ex");
    written.then_some(first)
}

/// One past `51F-RZTP`: a figure or two with a letter, and four letters that are nothing behind a hyphen.
pub(super) fn with_four(view: &View<'_>, part: &Part) -> Option<usize> {
    let tail = part.last + 1;
    let written = part.letters == 1
        && (1..=2).contains(&part.digits)
        && part.changes == 1
        && view.is_number(part.first)
        && view.is_mark(part.last, b'-')
        && view.joined(part.last)
        && view.joined(tail)
        && view.is_word(tail)
        && view.case(tail) == Case::Upper
        && view.width(tail) == 4
        && !(view.joined(tail + 1) && (view.is_number(tail + 1) || view.is_any_mark(tail + 1, b"-/")))
        && (is_nothing(view, tail) || !says!(view, part.first + 1, "f" | "m" | "y"));
    written.then_some(tail + 1)
}

/// ST-T-2: changes of two waves.
fn is_wave(view: &View<'_>, part: &Part, number: &Part) -> bool {
    says!(view, part.first, "st" | "t" | "qrs") && number.digits < 3
}
