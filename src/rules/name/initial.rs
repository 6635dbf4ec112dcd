//! Initials: `A. May`, `Major D. was`, `by D Strap`, and initials that stand alone for a person (`DL tolerated`).

use super::{NAMES, Trust, end_of_name, is_shouted, is_unlisted, lean};
use crate::rules::columns::{Around, Fact, Group};
use crate::rules::view::says;
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Which letters stand beside a name or behind a comma, which short words stand at the foot of a note or before what people do,
/// which marks between initials that fill their line.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let typed = here.is(Fact::Joined)
        & around.before(1, |group| group.is(Fact::LineStart) & !group.is(Fact::One))
        & around.behind(2, |group| group.is(Fact::NewLine));
    let foot = around.behind(1, |group| {
        group.is(Fact::NewLine) | group.is(Fact::Number) | group.on(Class::Month) | group.marks(b",/-.")
    });
    let signature = here.is(Fact::LineStart) & !here.is(Fact::Capital) & foot;
    let verb = around.behind(1, |group| group.on(Class::HumanVerb) & group.is(Fact::Lower));
    let word = !here.is(Fact::One) & (signature | here.is(Fact::Upper) & verb);
    let point = around.behind(1, |group| group.mark(b'.'));
    // `A. May`, `J. R. Brown`; in capitals, `A. MAY`, only where the words around have them too.
    let shouted = here.is(Fact::NewLine)
        | around.before(1, |group| group.is(Fact::NewLine))
        | around.before(2, |group| !group.is(Fact::Word) | group.is(Fact::Upper) | group.is(Fact::One));
    let family =
        point & around.behind(2, Group::capitalised) & (around.behind(2, |group| !group.is(Fact::Upper)) | shouted)
            | around.behind(1, |group| group.name_like() & group.maybe_names());
    // `Hazel D. to follow`, `Ronald D was`
    let behind_name =
        around.before(1, |group| group.is(Fact::Capital)) & (point | around.behind(1, |group| group.is(Fact::Lower)));
    // `Thanks, M.A.`
    let closes = around.before(1, |group| group.mark(b','));
    let letter = here.is(Fact::One) & (family | behind_name | closes);
    let whole = !here.is(Fact::Glued) & !around.behind(1, |group| group.is(Fact::Glued));
    let login = here.mark(b'.')
        & here.is(Fact::Joined)
        & around.before(1, |group| group.is(Fact::Lower))
        & around.behind(1, |group| group.is(Fact::Lower) & group.is(Fact::Joined));
    here.is(Fact::Word) & whole & (word | letter) | !here.is(Fact::Word) & (typed | login)
}

/// Anchor: a word with a capital letter.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if view.is_mark(at, b'.') {
        login(view, at, findings);
        return;
    }
    if !view.is_word(at) {
        if at > 0 && view.token(at - 1).line_start() {
            typist(view, at, findings);
        }
        return;
    }
    if view.token(at).glued() || view.token(at + 1).glued() {
        return;
    }
    match view.width(at) {
        1 if signs(view, at, findings) => {}
        1 if super::end_of_credential(view, at) > at => {}
        1 => beside_a_name(view, at, findings),
        2 | 3 => alone(view, at, findings),
        _ => {}
    }
}

/// `Thanks, M.A.`, `Best wishes, R Wise`: who closes a message, up to the end of the line.
fn signs(view: &View<'_>, at: usize, findings: &mut Findings) -> bool {
    let closing = at > 1
        && view.is_mark(at - 1, b',')
        && says!(
            view,
            at - 2,
            "thanks"
                | "thx"
                | "thank"
                | "you"
                | "wishes"
                | "regards"
                | "sincerely"
                | "yours"
                | "cheers"
                | "best"
                | "love"
        );
    // `Rodney Best, M.D.` is no closing.
    let opens = closing
        && (view.sentence_start(at - 2)
            || at > 2
                && says!(view, at - 3, "best" | "kind" | "many" | "warm" | "kindest" | "warmest" | "thank" | "with"));
    let goes_on = view.is_mark(at + 1, b'.') || view.is_word(at + 1) && view.case(at + 1) == Case::Capital;
    if !opens || !goes_on {
        return false;
    }
    let mut end = at;
    let mut words = 0;
    while end < at + 8 && (end == at || view.same_line(end)) {
        let letter = view.is_word(end) && view.width(end) == 1 && view.capitalised(end);
        if !letter && !(view.is_word(end) && words > 0 && view.case(end) == Case::Capital) && !view.is_mark(end, b'.') {
            break;
        }
        words += usize::from(view.is_word(end));
        end += 1;
    }
    let over = view.ends_line(end);
    if over && (1..4).contains(&words) {
        findings.remove(at, end, Kind::Name, Certainty::Likely);
    }
    over
}

fn beside_a_name(view: &View<'_>, at: usize, findings: &mut Findings) {
    let point = view.is_mark(at + 1, b'.') && view.joined(at + 1);
    let next = if point { at + 2 } else { at + 1 };
    // `E. Coli`: some bear the name of what is on no list of organisms by itself.
    if says!(view, at, "e") && says!(view, next, "coli") {
        return;
    }
    // `POAG R>L. Plan: drops`: a side and a label.
    if at > 0 && view.is_any_mark(at - 1, b">=") || point && view.is_mark(next + 1, b':') {
        return;
    }
    if let Some(given) = at.checked_sub(1).filter(|&given| is_full_name(view, given, at, next)) {
        findings.remove(given, end_of_name(view, next, Trust::Capital, 3).max(next + 1), Kind::Name, Certainty::Likely);
        return;
    }
    // `A. May`, `J. R. Brown`; at the start of a line `A.` may only count the lines.
    if view.gap(next) == Gap::Space || view.joined(next) && point {
        let acts = |at: usize| says!(view, at, "was" | "is" | "has" | "had" | "will") || view.is(at, Class::HumanVerb);
        let after_cue = at > 0 && says!(view, at - 1, "by" | "with" | "per" | "and" | "dr" | "/");
        let least = match (view.token(at).line_start(), point) {
            _ if after_cue || point && acts(next + 1) => -8,
            (true, _) => 6,
            (false, true) => -3,
            (false, false) if view.sentence_start(at) && acts(next + 1) => 2,
            (false, false) => i32::MAX,
        };
        let capital = matches!(view.case(next), Case::Capital | Case::Mixed);
        let name = capital || is_shouted(view, next) && point;
        let unlisted =
            point && capital && is_unlisted(view, next) && view.width(next) > 2 && !view.token(at).line_start();
        // `J Prudhomme`, `Ms P Quayle`: without a point before a family name that is no word; `R` and `L` are sides.
        let bare = !point
            && capital
            && !says!(view, at, "a" | "i" | "l" | "r" | "x")
            && view.is(next, Class::Surname)
            && is_unlisted(view, next)
            && view.width(next) > 3
            && !view.any(next, Classes::of(&[Class::Eponym, Class::Organism, Class::City]))
            && !(at > 0 && view.is_number(at - 1));
        // `Crew D Wood / S Knight`: behind who they are, or beside another.
        let before = at.wrapping_sub(1);
        let after = next + 1;
        let listed = !point
            && capital
            && at > 0
            && !says!(view, at, "a" | "i" | "l" | "r" | "x" | "t" | "c" | "s")
            && (view.any(before, Classes::of(&[Class::PersonNoun, Class::NameField])) || view.is_mark(before, b'/'))
            && (view.is_any_mark(after, b".,;)/") || view.gap(after) >= Gap::Wide)
            && view.ranks(next).surname >= 12
            && lean(view, next) >= 4
            && !view.is(next, Class::Clinical);
        let unlisted = unlisted || bare || listed;
        // `T. Dolo 650`, `Inj. Voveran 75`: a tablet.
        let dosed = says!(view, next + 2, "mg" | "mcg" | "od" | "bd" | "tds" | "qds" | "sos" | "hs" | "stat");
        if point && says!(view, at, "t" | "c") && view.is_number(next + 1) && dosed {
            return;
        }
        let named =
            view.any(next, NAMES) && lean(view, next) >= least || unlisted || point && initials_follow(view, next);
        // A Foley catheter, A Penrose drain: an article.
        let thing = !point
            && says!(view, at, "a")
            && view.is(next, Class::Eponym)
            && (next + 1..next + 4).any(|noun| view.is(noun, Class::EponymNoun));
        if name && named && !thing && (listed || !view.any(next, Classes::of(&[Class::Unit, Class::PersonNoun]))) {
            let end = end_of_name(view, at, Trust::Capital, 5).max(if listed { after } else { at });
            if end > next {
                findings.remove(at, end, Kind::Name, Certainty::Likely);
            }
            return;
        }
    }
    // `Major D. was`, `Hazel D. to follow`, `Ronald D was`: the sentence goes on after the letter.
    let on = view.is_word(next) && view.case(next) == Case::Lower && view.follows(next);
    let verb = says!(view, next, "was" | "is" | "has" | "had" | "to" | "will") || view.is(next, Class::HumanVerb);
    let goes_on = point && (on || view.is_any_mark(next, b",;)")) || on && verb;
    let Some(before) = at.checked_sub(1) else { return };
    let name = goes_on
        && view.gap(at) == Gap::Space
        && view.case(before) == Case::Capital
        && (view.any(before, NAMES) && lean(view, before) >= if point { -8 } else { 0 } || is_unlisted(view, before))
        && !view.any(before, Classes::of(&[Class::Title, Class::PersonNoun]));
    if name && !is_count_word(view, before) {
        findings.remove(before, at + 1 + usize::from(point), Kind::Name, Certainty::Likely);
    }
}

/// `Faith E. Danquah`, `Steven A Moss`: a first name, whatever else it means, a letter and a family name.
fn is_full_name(view: &View<'_>, given: usize, letter: usize, family: usize) -> bool {
    const NO_GIVEN: Classes = Classes::of(&[
        Class::Stop,
        Class::Title,
        Class::PersonNoun,
        Class::Clinical,
        Class::Measurement,
        Class::Score,
        Class::Level,
        Class::WardNoun,
        Class::Brand,
        Class::Facility,
    ]);
    const NO_FAMILY: Classes = Classes::of(&[
        Class::Stop,
        Class::Title,
        Class::PersonNoun,
        Class::Clinical,
        Class::Term,
        Class::Measurement,
        Class::EponymNoun,
        Class::Facility,
        Class::Month,
    ]);
    let spaced = |at: usize| view.gap(at) == Gap::Space && !view.border_before(at);
    let certain = is_unlisted(view, given) || lean(view, given) >= 7;
    // `Ana R Pradhan`, `Eloá F Fox`: one of the two is no word.
    let first = view.is(given, Class::FirstName)
        && view.ranks(given).first_name >= 8
        && (!view.any(given, NO_GIVEN) || is_unlisted(view, family) && !view.is(given, Class::Stop))
        || is_unlisted(view, given) && !view.any(given, NO_GIVEN) && lean(view, family) >= 0;
    view.case(given) == Case::Capital
        && first
        && spaced(letter)
        && view.gap(family) == Gap::Space
        // `R` and `L` are sides, `A` is an article.
        && (certain || view.is_mark(letter + 1, b'.') || !says!(view, letter, "a" | "i" | "l" | "r" | "x"))
        && matches!(view.case(family), Case::Capital | Case::Mixed)
        && view.width(family) > 2
        && (is_unlisted(view, family) || view.ranks(family).surname >= 8 && view.is(family, Class::Surname))
        && (!view.any(family, NO_FAMILY) || certain && lean(view, family) >= 0)
}

/// `Group B.`, `Hepatitis C.`: words that a letter follows.
fn is_count_word(view: &View<'_>, at: usize) -> bool {
    view.any(at, Classes::of(&[Class::Score, Class::Level, Class::WardNoun, Class::Measurement]))
}

/// Whether another initial stands here, and a name after it.
fn initials_follow(view: &View<'_>, at: usize) -> bool {
    view.width(at) == 1
        && view.is_mark(at + 1, b'.')
        && view.capitalised(at + 2)
        && (view.any(at + 2, NAMES) || is_unlisted(view, at + 2))
}

/// `JR signed`, `MFS tolerated`: initials before what only people do.
fn alone(view: &View<'_>, at: usize, findings: &mut Findings) {
    signature(view, at, findings);
    let next = at + 1;
    let does = view.gap(next) == Gap::Space && view.is(next, Class::HumanVerb) && view.case(next) == Case::Lower;
    if !does
        || view.case(at) != Case::Upper
        || is_shouted(view, at)
        || view.any(at, Classes::of(&[Class::PersonNoun, Class::Title]))
    {
        return;
    }
    // `CRP fell`: a value, not a person.
    let value = view.is(at, Class::Measurement) && !view.is(at, Class::Unit);
    if value && says!(view, next, "fell" | "rose" | "dropped" | "improved" | "remained" | "returned" | "came") {
        return;
    }
    let before = at.wrapping_sub(1);
    let subject = view.sentence_start(at) || says!(view, before, "and" | "that" | "," | ";" | "but");
    // A code name for a person takes no article: `the PT worked`.
    if subject {
        findings.remove(at, next, Kind::Initials, Certainty::Likely);
    }
}

/// Whether the foot of a note begins at `at`: its end, or the dates of dictation and transcription.
fn is_foot(view: &View<'_>, at: usize) -> bool {
    view.token(at).kind == crate::token::Kind::End
        || view.is_any_mark(at + 1, b":/")
            && says!(view, at, "d" | "t" | "dd" | "dt" | "cc" | "td" | "job" | "dictated")
}

/// A line of initials under a note, alone or with a date: `GMG`, `FS Oct 5, 2007`.
fn signature(view: &View<'_>, at: usize, findings: &mut Findings) {
    if !view.token(at).line_start() || view.gap(at) < Gap::Line || at == 0 {
        return;
    }
    let signed = view.is_mark(at - 1, b'.') || super::end_of_credential(view, at - 1) > at - 1;
    let after_name = signed && at > 1 && (super::end_of_credential(view, at - 1) > at - 1 || view.width(at - 2) == 1);
    let mut end = at + 1;
    if view.ends_line(end) {
        // A heading stands above text; initials stand under it.
        let foot = is_foot(view, end) && (view.gap(at) == Gap::Paragraph || after_name);
        if foot && view.case(at) != Case::Capital {
            findings.remove(at, end, Kind::Initials, Certainty::Likely);
        }
        return;
    }
    if view.gap(at) != Gap::Paragraph || view.case(at) == Case::Capital || view.gap(end) != Gap::Space {
        return;
    }
    let dated =
        |token: usize| view.is_number(token) || view.is(token, Class::Month) || view.is_any_mark(token, b",/-.");
    let first = end;
    while end < first + 8 && dated(end) && (end == first || !view.ends_line(end)) {
        end += 1;
    }
    if end > first && is_foot(view, end) {
        findings.remove(at, first, Kind::Initials, Certainty::Likely);
    }
}

/// Anchor: a point. `closed a.brooks`, `user grace.brooks`: a letter, or behind what is done at a computer a name, and a family name
/// with nothing between.
fn login(view: &View<'_>, point: usize, findings: &mut Findings) {
    let (first, family) = (point.wrapping_sub(1), point + 1);
    let small = |at: usize| view.is_word(at) && view.case(at) == Case::Lower;
    if point == 0 || !view.joined(point) || !view.joined(family) || !small(first) || !small(family) {
        return;
    }
    let before = first.wrapping_sub(1);
    let done = says!(view, before, "by" | "user" | "closed" | "signed" | "verified" | "entered" | "edited" | "login")
        || says!(view, before, "logged" | "locked" | "amended" | "created" | "printed");
    let short = view.width(first) == 1 && (done || lean(view, family) >= 2);
    let whole = done && view.any(first, NAMES);
    let name = view.width(family) > 2 && (view.any(family, NAMES) || is_unlisted(view, family));
    let more = view.is_any_mark(family + 1, b"@.-_/") && view.joined(family + 1) && view.joined(family + 2);
    if (short || whole) && name && !view.joined(first) && !more {
        findings.remove(first, family + 1, Kind::Name, Certainty::Likely);
    }
}

/// Anchors: `/`, `:`. Who dictated and who typed: `WK/wk`, `JKS:skj`, on a line of their own.
fn typist(view: &View<'_>, mark: usize, findings: &mut Findings) {
    let Some(first) = mark.checked_sub(1) else { return };
    let last = mark + 1;
    let letters = |at: usize| view.is_word(at) && (2..=4).contains(&view.width(at));
    let fits = view.token(first).line_start()
        && letters(first)
        && letters(last)
        && view.joined(mark)
        && view.joined(last)
        && view.ends_line(last + 1)
        && !view.token(last + 1).glued();
    // `SSN/ss`, but `mL/dL`: at the foot of the note, or after an empty line and before the dates.
    let foot = view.gap(first) == Gap::Paragraph || is_foot(view, last + 1);
    if fits && foot {
        findings.remove(first, last + 1, Kind::Initials, Certainty::Likely);
    }
}
