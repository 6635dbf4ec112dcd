//! The points of scales, which tell a score from a month and a day: `MoCA 22/30`, `MoCA 11/23`.

use super::amount::{Figure, Shape};
use crate::rules::engine::View;
use crate::rules::engine::word_sets::says;
use crate::vocabulary::Class;

/// By the most that can be scored, scales whose scores could be read as a month and a day; those that are told in hundredths or have
/// less than ten points stand at 0.
#[rustfmt::skip]
static TOPS: &[(u64, &[&str])] = &[
    (0, &["asa", "clavien", "ecog", "forrest", "gaf", "karnofsky", "killip", "kps", "lansky", "mallampati", "mrc", "mrs", "nyha",
        "pps", "rankin", "rass", "tanner", "zubrod"]),
    (11, &["mipi", "ranson", "rockall"]),
    (12, &["cpis", "mayo", "pram", "prams", "rts", "sppb"]),
    (13, &["bishop", "pews"]),
    (14, &["frat", "mews", "mna", "mna-sf"]),
    (15, &["bims", "child", "child-pugh", "childpugh", "gcs", "gds", "gds-15", "glasgow", "pugh"]),
    (16, &["four"]),
    (17, &["mcisaac", "westley"]),
    (18, &["fab"]),
    (19, &["lace"]),
    (20, &["barthel", "mchat", "news", "news2", "norton"]),
    (21, &["gad", "gad7", "gad-7", "hads"]),
    (23, &["blatchford", "braden", "gbs"]),
    (24, &["dgi", "epworth", "ess", "mackay", "mg-adl", "mgadl", "sofa"]),
    (25, &["act", "iief", "iief-5"]),
    (27, &["phq", "phq9", "phq-9"]),
    (28, &["ghq", "isi", "minibest", "poma", "tinetti"]),
    (30, &["dlqi", "edps", "epds", "fga", "gds", "mms", "mmse", "mmses", "mna", "moca", "phq", "slums"]),
];

/// Whether the number reads as a month and a day that are no score of ten points or less.
#[inline]
pub(super) fn is_month_and_day(figure: &Figure) -> bool {
    figure.shape == Shape::Slash
        && (11..=31).contains(&figure.number.value(1))
        && (1..=12).contains(&figure.number.value(0))
}

/// Whether what reads as a month and a day is no share of the points of that scale: `MoCA 11/23`, `KPS 3/12`; of scales that nobody
/// counted the points go in fives. `scale`: the name of the scale.
#[cold]
pub(super) fn is_day(view: &View<'_>, scale: usize, figure: &Figure) -> bool {
    let top = figure.number.value(1);
    // `scored 11/23`, `MoCA score 11/30`
    let scored = says!(view, scale, "score" | "scored" | "scores" | "scoring");
    let before = scale.wrapping_sub(1);
    let word = view.word(if scored && view.is(before, Class::Score) { before } else { scale });
    let counted = |most: Option<u64>| {
        TOPS.iter().any(|(top, scales)| most.is_none_or(|most| *top == most) && scales.contains(&word))
    };
    let five = top.is_multiple_of(5) || matches!(word, "score" | "scored" | "scores" | "scoring");
    !counted(Some(top)) && (counted(None) || !five)
}
