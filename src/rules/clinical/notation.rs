//! Letters and digits written as one: levels of the spine `C5-6`, leads `V1-V6`, heart sounds `S1`, stages `T2N0M0`,
//! markers and gases `CD34`, `HER2`, `CA 19-9`, `CO2`.

use super::amount::{Figure, Shape, cluster};
use super::chromosome;
use super::follow::{Follow, What};
use super::value::{Fit, after};
use super::variant;
use crate::rules::columns::{Around, Fact};
use crate::rules::view::{WordSet, says};
use crate::rules::{Certainty, Findings, View};
use crate::token::Case;
use crate::vocabulary::{Class, Classes};

/// Vouches for levels, leads, sounds and stages, at the first number of such a cluster.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if at == 0 || !view.token(at).glued() || !view.is_word(at - 1) {
        return;
    }
    if let Some((first, last)) = chromosome::band(view, at) {
        findings.keep(first, last, Certainty::Likely);
        return;
    }
    if view.token(at - 1).glued() {
        if is_frequency(view, at) {
            findings.keep(at - 2, at + 1, Certainty::Sure);
        }
        return;
    }
    if let Some(first) = variant::short(view, at) {
        findings.keep(first, at + 2, Certainty::Sure);
        return;
    }
    if is_item(view, at) {
        findings.keep(at - 1, at + 2, Certainty::Likely);
        return;
    }
    if risk_of_stroke(view, at, findings) {
        return;
    }
    if is_numbered(view, at) {
        findings.keep(at - 1, at + 1, Certainty::Weak);
        return;
    }
    let letters = view.bytes(at - 1);
    if letters.len() > 4 {
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
    if is_dose_volume(view, at) {
        findings.keep(at - 1, at + 1, Certainty::Likely);
        after(view, at + 1, Fit::Measure, findings);
        return;
    }
    let (first, last) = cluster(view, at);
    if first != at - 1 {
        return;
    }
    let text = view.text_of(first, last).as_bytes();
    if is_named(text) {
        findings.keep(first, last, Certainty::Likely);
        after(view, last, Fit::Measure, findings);
    } else if last == at + 1 && is_tooth(view, at)
        || is_cycle(view, first, last)
        || tumour(text)
        || with_tube(text)
        || is_days(view, at)
    {
        findings.keep(first, last, Certainty::Likely);
    } else if responses(text)
        && let Some(scale) = coma_scale_before(view, first)
    {
        findings.keep_by(scale, first, last, Certainty::Sure);
    }
}

/// `CHA2DS2-VASc 4`: vouches for the name with its figures, and for the score.
fn risk_of_stroke(view: &View<'_>, at: usize, findings: &mut Findings) -> bool {
    let glued = (at..at + 3).all(|part| view.token(part).glued());
    let named =
        says!(view, at - 1, "cha") && says!(view, at, "2") && says!(view, at + 1, "ds") && says!(view, at + 2, "2");
    if !named || !glued {
        return false;
    }
    let mut last = at + 3;
    let hyphen = usize::from(view.is_any_mark(last, b"-/ ") && view.joined(last));
    if says!(view, last + hyphen, "vasc" | "va") && view.joined(last + hyphen) {
        last += hyphen + 1;
    }
    findings.keep(at - 1, last, Certainty::Sure);
    after(view, last, Fit::Grade, findings);
    true
}

/// A short form of medicine with its number behind it: `AKI2`, `OPV0`, `IPT3`, `FeSO4`. A room or a unit has one too.
fn is_numbered(view: &View<'_>, at: usize) -> bool {
    const KNOWN: Classes = Classes::of(&[
        Class::Clinical,
        Class::Measurement,
        Class::Score,
        Class::Marker,
        Class::Term,
        Class::Literature,
    ]);
    const NEVER: Classes = Classes::of(&[
        Class::WardNoun,
        Class::IdKeyword,
        Class::PhoneKeyword,
        Class::StreetType,
        Class::State,
        Class::Title,
        Class::Facility,
        Class::Month,
    ]);
    const NAMES: Classes = Classes::of(&[Class::FirstName, Class::Surname, Class::City]);
    let name = at - 1;
    // In small letters it may be the name of a user.
    matches!(view.case(name), Case::Upper | Case::Mixed)
        && !(view.case(name) == Case::Mixed && view.any(name, NAMES))
        && (3..=6).contains(&view.width(name))
        && view.width(at) == 1
        && view.is_number(at)
        && !view.token(at + 1).glued()
        && view.any(name, KNOWN)
        && !view.any(name, NEVER)
        && !UNITS.has(view, name)
        && !(view.is_any_mark(at + 1, b"-/") && view.joined(at + 1) && view.joined(at + 2) && view.is_number(at + 2))
}

/// Units and rooms of a hospital in short, and what else bears a number.
static UNITS: WordSet = WordSet::new(&[
    "acu", "amu", "asu", "bed", "bicu", "cath", "ccu", "cdu", "chair", "cicu", "csicu", "ctu", "cvicu", "eau", "edobs",
    "ficu", "flat", "hdu", "icu", "imc", "imcu", "itu", "ldr", "ldrp", "mau", "micu", "msu", "ncc", "ncu", "nicu",
    "nsicu", "pacu", "pcu", "picu", "rcu", "room", "sau", "scbu", "sicu", "stu", "ticu", "ward",
]);

/// Tests, grades and strengths that are named with letters and figures in turn.
fn is_named(text: &[u8]) -> bool {
    match text {
        b"a1c" | b"a1at" | b"news2" | b"nh3" | b"fo2hb" | b"ly30" | b"ly60" | b"vo2pk" | b"vo2peak" | b"vo2max" | b"tar1"
        | b"tar2" | b"tbr1" | b"tbr2" | b"ros1" | b"h3k27m" | b"u100" | b"u200" | b"u300" | b"u500" | b"t1w"
        | b"t2w" | b"ax1" | b"ax2"
        // What pathologists stain.
        | b"ae1" | b"ae3" | b"brg1" | b"cam5.2" | b"dog1" | b"ini1" | b"oct4" | b"oct3/4" | b"mdm2" | b"s100" | b"tle1"
        // Retinopathy and maculopathy; genotypes of hepatitis C.
        | [b'r', b'0'..=b'3', b'm', b'0' | b'1']
        | [b'g', b't', b'1'..=b'6']
        | [b'g', b't', b'1'..=b'6', b'a'..=b'c'] => true,
        // Lesions of a kidney with IgA in it; Barrett's in centimetres.
        [b'm', b'0' | b'1', b'e', b'0' | b'1', b's', b'0' | b'1', b't', b'0'..=b'2', rest @ ..] => {
            matches!(rest, [] | [b'c', b'0'..=b'2'])
        }
        [b'c', around @ b'0'..=b'9', b'm', most @ b'0'..=b'9'] => around <= most,
        _ => false,
    }
}

/// `V20 28%`, `D95 97%`: how much of an organ has so many grays, how many so much of it.
fn is_dose_volume(view: &View<'_>, at: usize) -> bool {
    let value = at + 1;
    says!(view, at - 1, "v" | "d")
        && view.case(at - 1) == Case::Upper
        && view.width(at) == 2
        && view.whole(at).is_some_and(|dose| dose > 12)
        && view.same_line(value)
        && view.number(value).is_some_and(|number| number.digits(0) <= 2 && number.len() <= 2)
        && (view.is_mark(value + 1, b'%') || view.number(value).is_some_and(|number| number.is(2, b'.')))
}

/// `UR5`, `LL6`: a tooth by its quadrant. Behind such letters a postal code has another group.
fn is_tooth(view: &View<'_>, at: usize) -> bool {
    says!(view, at - 1, "ul" | "ur" | "ll" | "lr")
        && view.case(at - 1) == Case::Upper
        && view.width(at) == 1
        && view.whole(at).is_some_and(|tooth| (1..=8).contains(&tooth))
        && !(view.is_number(at + 1) && view.token(at + 2).glued())
}

/// Whether it ends how often and how long somebody comes to the house: `2w4`, twice a week for four weeks.
fn is_frequency(view: &View<'_>, at: usize) -> bool {
    let few = |at: usize, digits: usize| view.whole(at).is_some_and(|value| value > 0) && view.width(at) <= digits;
    at > 1
        && says!(view, at - 1, "w")
        && view.case(at - 1) == Case::Lower
        && few(at - 2, 1)
        && few(at, 2)
        && !view.token(at - 2).glued()
        && !view.token(at + 1).glued()
}

/// Whether it is one of the items of an assessment at home, in a row with others: `M1800 2 M1810 2`. Alone it may be anything.
fn is_item(view: &View<'_>, at: usize) -> bool {
    let named = |at: usize| {
        says!(view, at - 1, "m" | "gg")
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

/// `e3vtm5`: no postal code has such letters, so the name of the scale need not stand before it.
fn with_tube(text: &[u8]) -> bool {
    responses(text) && text[3] == b't'
}

/// `d1,8,15`, `D1,15`: the days of a cycle on which a drug is given.
fn is_days(view: &View<'_>, at: usize) -> bool {
    says!(view, at - 1, "d")
        && !view.token(at + 1).glued()
        && view.number(at).is_some_and(|number| {
            (2..=6).contains(&number.len())
                && !number.padded()
                && (0..number.len()).all(|part| (1..=42).contains(&number.value(part)))
                && (1..number.len())
                    .all(|part| number.mark(part - 1) == b',' && number.value(part - 1) < number.value(part))
        })
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
        && says!(view, first, "c")
        && says!(view, first + 2, "d")
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
    if inside && says!(view, at, "o" | "l" | "i") {
        return;
    }
    let hyphen = usize::from(view.is_mark(at + 1, b'-') && view.joined(at + 1));
    let number = at + 1 + hyphen;
    if !view.is_number(number) || view.token(at).glued() {
        return;
    }
    if is_short_for(view, at) {
        // Without its value it is nobody's test.
        findings.keep_by(number, at, at + 1, Certainty::Weak);
        after(view, at + 1, Fit::Measure, findings);
        return;
    }
    let glued = view.joined(number);
    // `They left cat24 at the desk`: what stays beside a value alone, and what becomes of a gene.
    if glued && (SHORT.has(view, at) || DRUGS.has(view, at) || is_change(view.bytes(at))) {
        return;
    }
    let short =
        view.number(number).is_some_and(|parts| parts.len() <= 2 && (0..parts.len()).all(|at| parts.digits(at) <= 3));
    if !short || !(glued || view.same_line(number) && says!(view, at, "ca")) {
        return;
    }
    let mut last = number + 1;
    // 19-9, 15-3, 1c, 2/neu, 2D6
    if view.is_mark(last, b'-')
        && view.joined(last)
        && view.joined(last + 1)
        && view.width(last + 1) <= 2
        && view.is_number(last + 1)
    {
        last += 2;
    }
    for _ in 0..3 {
        if view.token(last).glued() && (view.is_number(last) && view.width(last) <= 2 || view.width(last) <= 2) {
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

/// What a variant makes of a gene, which stays inside one: bases that are gone, amino acids.
fn is_change(word: &[u8]) -> bool {
    const AMINO: [&[u8]; 21] = [
        b"ala", b"arg", b"asn", b"asp", b"cys", b"gln", b"glu", b"gly", b"his", b"ile", b"leu", b"lys", b"met", b"phe",
        b"pro", b"ser", b"ter", b"thr", b"trp", b"tyr", b"val",
    ];
    let bases = |rest: &[u8]| rest.iter().all(|base| b"acgt".contains(base));
    [&b"del"[..], b"dup", b"ins"].iter().any(|change| word.strip_prefix(*change).is_some_and(bases))
        || AMINO.contains(&word.strip_suffix(b"fs").unwrap_or(word))
}

/// Short names of tests, and of drugs, that some people bear as a name too. They stay with a value beside them only.
#[rustfmt::skip]
static SHORT: WordSet = WordSet::new(&[
    "ama", "amm", "apri", "asma", "axl", "bai", "bars", "bas", "baz", "cac", "cas", "cat", "cer", "che", "cho", "dass",
    "dia", "digest", "doi", "ead", "ece", "edi", "elf", "fai", "feno", "fit", "foa", "gap", "gat", "gedi", "gir",
    "gold", "gose", "guss", "hama", "haz", "heart", "homa", "hoos", "ice", "ima", "isi", "ket", "koos", "laa", "lams",
    "lavi", "lems", "mage", "mas", "mic", "mio", "mit", "mods", "mot", "must", "nice", "nose", "oai", "ohs", "oks",
    "oss", "ouch", "owls", "pals", "pappa", "pass", "perme", "pisa", "pram", "prism", "push", "rast", "rei", "rox",
    "rudas", "salic", "salt", "sas", "scai", "sid", "sis", "snr", "spiro", "stamp", "sul", "testo", "til", "tos", "var",
    "vasi", "vis", "waz", "wit", "womac",
]);

/// See [`SHORT`].
#[rustfmt::skip]
static DRUGS: WordSet = WordSet::new(&[
    "aba", "acala", "adal", "alf", "aten", "aza", "bari", "bev", "cabo", "cana", "carbo", "cital", "clo", "curo",
    "dabi", "daro", "denos", "dex", "domp", "enox", "enza", "epi", "epler", "fent", "fonda", "gaba", "idel", "ilop",
    "letro", "lev", "levet", "levo", "lido", "lina", "mero", "mirt", "miso", "oca", "osi", "panto", "perin", "pertuz",
    "posa", "prava", "ramu", "remi", "riss", "riva", "roc", "romo", "salb", "spiro", "sunit", "tac", "taz", "tige",
    "toci", "vaso", "vel", "ven", "vino", "warf",
]);

/// `LAVI 44`, `fent 75 mcg`: a test in capitals among words that are not, or a drug without any, with its value.
fn is_short_for(view: &View<'_>, at: usize) -> bool {
    let number = at + 1;
    let Some(figure) = Figure::at(view, number).filter(|_| view.same_line(number) && !view.token(number).glued())
    else {
        return false;
    };
    let value = match figure.shape {
        Shape::Whole => figure.number.digits(0) <= 3 && !figure.padded,
        Shape::Decimal => figure.number.digits(0) <= 3,
        Shape::Slash => figure.short() && !figure.like_date(),
        Shape::Colon => figure.number.value(0) == 1 && figure.number.value(1).is_multiple_of(10),
        _ => false,
    };
    let known = match view.case(at) {
        Case::Lower => DRUGS.has(view, at),
        Case::Upper | Case::Mixed => SHORT.has(view, at) || DRUGS.has(view, at),
        Case::Capital => false,
    };
    if !value || !known {
        return false;
    }
    let follow = Follow::read(view, number + 1).map(|follow| follow.what);
    let today = says!(view, number + 1, "today" | "now" | "tonight" | "overnight");
    let aged = !today && matches!(follow, Some(What::Years | What::Duration | What::Clock | What::Counted));
    if aged || view.joined(number + 1) && view.is_any_mark(number + 1, b"-/") {
        return false;
    }
    if view.case(at) == Case::Lower {
        figure.shape == Shape::Decimal || follow.is_some() || among_drugs(view, at)
    } else {
        among_small(view, at)
    }
}

/// Whether another drug stands near.
fn among_drugs(view: &View<'_>, at: usize) -> bool {
    const NEAR: usize = 6;
    (at.saturating_sub(NEAR)..at + NEAR)
        .any(|word| word != at && view.is_word(word) && (view.is(word, Class::Brand) || DRUGS.has(view, word)))
}

/// Whether words without capitals stand near: the text is not all in capitals.
pub(super) fn among_small(view: &View<'_>, at: usize) -> bool {
    const NEAR: usize = 12;
    (at.saturating_sub(NEAR)..at + NEAR)
        .any(|word| view.is_word(word) && view.case(word) == Case::Lower && view.width(word) > 1)
}

/// Tests told by how far or how often: `6MWD`, `10MWT`, `5xSTS`, `9HPT`.
static TIMED: WordSet =
    WordSet::new(&["cit", "cst", "fwt", "hpt", "mwd", "mws", "mwt", "pcl", "ppc", "scst", "sts", "tsts", "ww", "xsts"]);

/// One past the name of such a test, at its number.
pub(super) fn timed(view: &View<'_>, at: usize) -> Option<usize> {
    let name = at + 1;
    let written = view.token(name).glued()
        && view.width(at) <= 2
        && view.whole(at).is_some()
        && view.case(name) != Case::Capital
        && TIMED.has(view, name)
        && !view.token(at).glued()
        && !view.token(name + 1).glued();
    written.then_some(name + 1)
}

/// One past a length in two units, `5h42`, `3y4m`, `1h30min`, at its first number. Plates have capitals.
pub(super) fn two_units(view: &View<'_>, at: usize) -> Option<usize> {
    let small = |at: usize| view.is_word(at) && view.token(at).glued() && view.case(at) == Case::Lower;
    let (unit, second) = (at + 1, at + 2);
    if view.token(at).glued() || !small(unit) || !view.token(second).glued() || view.width(at) > 2 {
        return None;
    }
    let (first, rest) = (view.whole(at)?, view.whole(second)?);
    let below = match view.bytes(unit) {
        b"h" | b"hr" | b"hrs" | b"m" | b"min" => 60,
        b"y" | b"yr" => 12,
        b"mo" => 32,
        b"d" => 24,
        b"w" | b"wk" => 7,
        _ => return None,
    };
    if first > 89 || rest >= below || view.width(second) > 2 {
        return None;
    }
    let last = second + 1;
    if !view.token(last).glued() {
        // `5h42` alone has no unit behind it; `4w3` is how often somebody comes.
        return says!(view, unit, "h" | "hr").then_some(last);
    }
    (small(last)
        && matches!(view.bytes(last), b"m" | b"min" | b"mins" | b"s" | b"sec" | b"mo" | b"w" | b"d" | b"h")
        && !view.token(last + 1).glued())
    .then_some(last + 1)
}

/// One past `3x`, `10x`: how often, how many times as much.
pub(super) fn so_often(view: &View<'_>, at: usize) -> Option<usize> {
    let times = at + 1;
    let written = says!(view, times, "x" | "xuln")
        && view.token(times).glued()
        && (view.case(times) == Case::Lower || view.width(times) > 1)
        && !view.token(at).glued()
        && !view.token(times + 1).glued()
        && !(view.joined(at) && at > 0 && view.is_any_mark(at - 1, b"-/."));
    let few = view.number(at).is_some_and(|number| number.len() <= 2 && number.digits(0) <= 2 && !number.padded());
    (written && few).then_some(times + 1)
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
