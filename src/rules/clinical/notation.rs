//! Letters and digits written as one: levels of the spine `C5-6`, leads `V1-V6`, heart sounds `S1`, stages `T2N0M0`,
//! markers and gases `CD34`, `HER2`, `CA 19-9`, `CO2`.

use super::amount::cluster;
use super::value::{Fit, after};
use crate::rules::columns::{Around, Fact};
use crate::rules::view::says;
use crate::rules::{Certainty, Findings, View};
use crate::token::Case;
use crate::vocabulary::{Class, Classes};

/// Vouches for levels, leads, sounds and stages, at the first number of such a cluster.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if at == 0 || !view.token(at).glued() || !view.is_word(at - 1) {
        return;
    }
    if view.token(at - 1).glued() {
        if is_frequency(view, at) {
            findings.keep(at - 2, at + 1, Certainty::Sure);
        }
        return;
    }
    if is_item(view, at) {
        findings.keep(at - 1, at + 2, Certainty::Likely);
        return;
    }
    let letters = view.bytes(at - 1);
    if letters.len() > 3 {
        return;
    }
    if let [letter] = letters
        && let Some(value) = view.whole(at)
        && level(*letter, value)
        && !view.token(at + 1).glued()
    {
        let (last, spread) = levels(view, at, *letter);
        findings.keep(at - 1, last, if spread { Certainty::Likely } else { certainty(view, at, *letter) });
        return;
    }
    // C5/6
    if let [letter] = letters
        && let Some(number) = view.number(at)
        && number.is(2, b'/')
        && level(*letter, number.value(0))
        && level(*letter, number.value(1))
        && !view.token(at + 1).glued()
    {
        findings.keep(at - 1, at + 1, Certainty::Likely);
        return;
    }
    let (first, last) = cluster(view, at);
    if first == at - 1 && view.text_of(first, last) == "a1c" {
        findings.keep(first, last, Certainty::Likely);
        after(view, last, Fit::Measure, findings);
    } else if first == at - 1 && (is_cycle(view, first, last) || tumour(view.text_of(first, last).as_bytes())) {
        findings.keep(first, last, Certainty::Likely);
    } else if first == at - 1
        && let Some(scale) = coma_scale_before(view, first)
        && responses(view.text_of(first, last).as_bytes())
    {
        findings.keep_by(scale, first, last, Certainty::Sure);
    }
}

/// Whether it ends how often and how long somebody comes to the house: `2w4`, twice a week for four weeks.
fn is_frequency(view: &View<'_>, at: usize) -> bool {
    let few = |at: usize, digits: usize| view.whole(at).is_some_and(|value| value > 0) && view.width(at) <= digits;
    at > 1
        && view.bytes(at - 1) == b"w"
        && view.case(at - 1) == Case::Lower
        && few(at - 2, 1)
        && few(at, 2)
        && !view.token(at - 2).glued()
        && !view.token(at + 1).glued()
}

/// Whether it is one of the items of an assessment at home, in a row with others: `M1800 2 M1810 2`. Alone it may be anything.
fn is_item(view: &View<'_>, at: usize) -> bool {
    let named = |at: usize| {
        matches!(view.bytes(at - 1), b"m" | b"gg")
            && view.token(at).glued()
            && !view.token(at + 1).glued()
            && view.width(at) == 4
            && view.whole(at).is_some_and(|item| item < 3000)
    };
    let answered = |at: usize| view.is_number(at) && view.width(at) <= 2 && view.same_line(at);
    let beside = |at: usize| view.is_number(at) && named(at) && answered(at + 1);
    named(at) && answered(at + 1) && (beside(at + 3) || at > 3 && beside(at - 3))
}

/// The name of the coma scale, if it stands within a few tokens: `GCS 12 (E3V4M5)`. Without it the three may be a postal code of
/// Canada.
fn coma_scale_before(view: &View<'_>, at: usize) -> Option<usize> {
    const REACH: usize = 5;
    (at.saturating_sub(REACH)..at).rev().find(|&word| says!(view, word, "gcs" | "coma"))
}

/// `e3v4m5`, `e1vtm4`: the best response of the eyes, of speech (`t` with a tube) and of movement.
fn responses(text: &[u8]) -> bool {
    matches!(text, [b'e', b'1'..=b'4', b'v', b'1'..=b'5' | b't', b'm', b'1'..=b'6'])
}

/// Whether there is such a vertebra, nerve, lead, sound or pulley.
fn level(letter: u8, value: u64) -> bool {
    let most = match letter {
        b'c' => 8,
        b't' | b'd' => 12,
        b'l' => 6,
        b'v' => 9,
        b's' | b'a' | b'p' | b'm' | b'n' | b'q' => 5,
        _ => 0,
    };
    (1..=most).contains(&value) || value == 0 && matches!(letter, b't' | b'n' | b'm')
}

fn certainty(view: &View<'_>, at: usize, letter: u8) -> Certainty {
    // Of the spine, the heart and magnetic resonance; other letters stand for anything.
    let room = at >= 2 && view.any(at - 2, Classes::of(&[Class::WardNoun, Class::IdKeyword, Class::StreetType]));
    if matches!(letter, b'c' | b't' | b'l' | b's' | b'v') && !room { Certainty::Likely } else { Certainty::Weak }
}

/// One past `C5-6`, `L5-S1`, `V1-V6`, and whether there was more than one.
fn levels(view: &View<'_>, at: usize, letter: u8) -> (usize, bool) {
    let mut last = at + 1;
    let mut spread = false;
    for _ in 0..3 {
        if !(view.is_any_mark(last, b"-/") && view.joined(last)) {
            break;
        }
        let word = usize::from(view.is_word(last + 1));
        let number = last + 1 + word;
        let [next] = (if word == 1 { view.bytes(last + 1) } else { &[letter] }) else { break };
        let written = view.joined(number) && (word == 0 || view.joined(last + 1));
        let known = view.whole(number).is_some_and(|value| level(*next, value) || word == 0 && value <= 5);
        if !(written && known) || view.token(number + 1).glued() {
            break;
        }
        last = number + 1;
        spread = true;
    }
    (last, spread)
}

/// `C3D15`: cycle and day of a course of drugs.
fn is_cycle(view: &View<'_>, first: usize, last: usize) -> bool {
    let few =
        |at: usize, most: u64| view.whole(at).is_some_and(|value| (1..=most).contains(&value)) && view.width(at) <= 2;
    last == first + 4
        && view.bytes(first) == b"c"
        && view.bytes(first + 2) == b"d"
        && few(first + 1, 40)
        && few(first + 3, 42)
}

/// `t2n0m0`, `pt1c`, `ypt3n2bmx`: the stage of a tumour.
fn tumour(text: &[u8]) -> bool {
    let mut rest = text;
    let take = |rest: &mut &[u8], set: &[u8]| {
        let found = rest.first().is_some_and(|letter| set.contains(letter));
        if found {
            *rest = &rest[1..];
        }
        found
    };
    while rest.len() > 2 && take(&mut rest, b"ypcra") {}
    let mut parts = 0;
    if take(&mut rest, b"t") {
        if !take(&mut rest, b"01234x") {
            return false;
        }
        take(&mut rest, b"abcd");
        parts += 1;
    }
    while take(&mut rest, b"pc") {}
    if take(&mut rest, b"n") {
        if !take(&mut rest, b"0123x") {
            return false;
        }
        take(&mut rest, b"abc");
        parts += 1;
    }
    while take(&mut rest, b"pc") {}
    if take(&mut rest, b"m") {
        if !take(&mut rest, b"01x") {
            return false;
        }
        take(&mut rest, b"abc");
        parts += 1;
    }
    parts > 0 && rest.is_empty()
}

/// Which of them have a number behind them, perhaps with a hyphen between.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let number = |far| around.behind(far, |group| group.is(Fact::Number));
    number(1) | around.behind(1, |group| group.mark(b'-')) & number(2)
}

/// Vouches for the number of a marker, gene, antigen, gas or test, and for the value after it.
pub(in crate::rules) fn marker(view: &View<'_>, at: usize, findings: &mut Findings) {
    // 2O10, 9l: a letter that stands for a digit makes a number of it, not the name of a marker.
    let inside = view.token(at).glued() || at > 0 && view.joined(at) && view.is_any_mark(at - 1, b"/-");
    if inside && matches!(view.bytes(at), b"o" | b"l" | b"i") {
        return;
    }
    let hyphen = usize::from(view.is_mark(at + 1, b'-') && view.joined(at + 1));
    let number = at + 1 + hyphen;
    if !view.is_number(number) || view.token(at).glued() {
        return;
    }
    let glued = view.joined(number);
    let short =
        view.number(number).is_some_and(|parts| parts.len() <= 2 && (0..parts.len()).all(|at| parts.digits(at) <= 3));
    if !short || !(glued || view.same_line(number) && view.bytes(at) == b"ca") {
        return;
    }
    let mut last = number + 1;
    // 19-9, 15-3, 1c, 2/neu, 2D6
    if view.is_mark(last, b'-')
        && view.joined(last)
        && view.joined(last + 1)
        && view.bytes(last + 1).len() <= 2
        && view.is_number(last + 1)
    {
        last += 2;
    }
    for _ in 0..3 {
        if view.token(last).glued()
            && (view.is_number(last) && view.bytes(last).len() <= 2 || view.bytes(last).len() <= 2)
        {
            last += 1;
        }
    }
    if view.token(last).glued() {
        return;
    }
    if glued {
        findings.keep(at, last, Certainty::Likely);
    } else {
        findings.keep(number, last, Certainty::Weak);
    }
    after(view, last, Fit::Measure, findings);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_stages_of_tumours() {
        for stage in ["t2n0m0", "pt1c", "ypt3n2bmx", "t2", "n1b", "pt2apn1", "t4an2cm1b"] {
            assert!(tumour(stage.as_bytes()), "{stage}");
        }
        for other in ["t", "t5", "n0x", "room3", "t22", "m2", "a1"] {
            assert!(!tumour(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn knows_the_responses_of_the_coma_scale() {
        assert!(responses(b"e3v4m5") && responses(b"e1vtm4"));
        assert!(!responses(b"e5v4m5") && !responses(b"e3v4") && !responses(b"e3v4m7"));
    }

    #[test]
    fn knows_which_levels_there_are() {
        assert!(level(b'c', 7) && level(b't', 12) && level(b'l', 5) && level(b'v', 6));
        assert!(!level(b'c', 9) && !level(b't', 13) && !level(b'b', 2) && !level(b's', 0));
    }
}
