//! Words beside a name that is no word: `Hector Garland`, `Moody-Herd`, `Tucker and Valsalva`, `T. Sakarya`, `L. de Bruyn`,
//! `Bexley Orbital`, `Zapiór S.A.`
//!
//! A name that is on no list of words goes without a rule; what stands beside it is the rest of the name, and may be any
//! word. In text without capitals only a listed first name says so much.

use super::{NAMES, is_shouted, is_unlisted, lean};
use crate::rules::columns::{Around, Fact, Group};
use crate::rules::view::{WordSet, says};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// How many words beside it are looked at.
const MOST: usize = 4;

/// Words with a capital letter that are no part of a name, whatever stands beside them.
const APART: Classes = Classes::of(&[
    Class::Title,
    Class::Credential,
    Class::PersonNoun,
    Class::Relative,
    Class::Month,
    Class::Weekday,
    Class::Holiday,
    Class::Unit,
    Class::Dose,
    Class::EponymNoun,
    Class::Brand,
    Class::NameField,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::WardNoun,
    Class::Measurement,
    Class::Score,
    Class::Clinical,
]);

/// What makes of a word with a capital letter the name of a thing.
const THINGS: Classes = Classes::of(&[Class::Brand, Class::Eponym, Class::Organism, Class::Clinical]);

/// What no family name is that stands in small letters behind a first name.
const NO_FAMILY: Classes =
    Classes::of(&[Class::Stop, Class::Credential, Class::PersonNoun, Class::Title, Class::Month]);

/// What no first name is that stands in small letters before a family name.
const NO_GIVEN: Classes = Classes::of(&[Class::Stop, Class::Month, Class::Title, Class::PersonNoun, Class::Clinical]);

/// Which words may have something beside them that is a part of their name.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let whole = !here.is(Fact::One) & !here.is(Fact::Glued) & !around.behind(1, |group| group.is(Fact::Glued));
    let link = |group: &Group| group.is(Fact::And) | group.mark(b'&');
    let linked = around.behind(1, link);
    // The second of a pair stands where the sentence stops. Both in what has no capital letters and in what has nothing else.
    let over = |far| around.behind(far, |group| !group.is(Fact::Word) | group.is(Fact::NewLine));
    let pair = here.any(NAMES) & (linked & over(3) | around.before(1, link) & over(1));
    let initial = around.before(1, |group| group.mark(b'.')) & around.before(2, |group| group.is(Fact::One));
    let family = around.behind(1, |group| group.on(Class::Surname) & !group.on(Class::Stop))
        | around.behind(1, |group| group.is(Fact::One)) & around.behind(2, |group| group.mark(b'.'));
    let given = around.before(1, |group| group.on(Class::FirstName) & !group.on(Class::Stop)) | initial;
    let plain = !here.name_like() & (family | here.on(Class::Surname) & given);
    let half = |group: &Group| group.capitalised() | group.any(NAMES);
    let hyphen = |group: &Group| group.mark(b'-');
    let double = around.behind(1, hyphen) & around.behind(2, half) | around.before(1, hyphen) & around.before(2, half);
    let beside = around.before(1, Group::name_like) | initial | around.behind(1, Group::name_like);
    let particle = |group: &Group| group.on(Class::NamePrefix) | group.is(Fact::Particle);
    let particle = around.before(1, particle) | around.behind(1, particle);
    let letter = around.behind(1, |group| group.is(Fact::One) & group.capitalised());
    // `S.A.`, `e.V.`, `co.`, `PGE S.A.`, `- ME`, `& Sons`
    let dotted = |group: &Group| group.marks(b"./");
    let form = around.behind(1, |group| group.is(Fact::UpToFive) & group.is(Fact::Word))
        & around.behind(2, dotted)
        & around.behind(3, |group| group.is(Fact::Joined))
        | around.behind(1, |group| group.is(Fact::LegalForm))
        | around.behind(1, |group| group.is(Fact::Upper))
            & around.behind(3, |group| dotted(group) | group.is(Fact::LegalForm))
        | here.is(Fact::LegalForm) & around.behind(1, dotted)
        | around.behind(1, hyphen) & around.behind(2, |group| group.is(Fact::Upper))
        | linked & around.behind(2, |group| !group.is(Fact::One));
    // An eponym is no name, but a firm may be called so.
    let running = !here.on(Class::Eponym) & (double | here.name_like() & beside) | here.name_like() & (particle | form);
    let running = running & !here.on(Class::Title) & !here.on(Class::Month) | here.name_like() & letter;
    let plain = plain & (here.on(Class::FirstName) & !here.on(Class::Stop) | here.unlisted());
    whole & (pair | plain | here.unlisted() & running)
}

/// Anchors: a word with a capital letter, a first name.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let unlisted = is_unlisted(view, at);
    let given = view.is(at, Class::FirstName) && !view.is(at, Class::Stop);
    if !unlisted && !given || view.width(at) < 2 || view.token(at).glued() || view.token(at + 1).glued() {
        return;
    }
    if unlisted {
        beside_unlisted(view, at, findings);
    } else {
        // `hector garland`: a first name that hardly anybody uses as a word.
        let ranks = view.ranks(at);
        let rare = ranks.first_name >= ranks.frequency + 8 && !view.is(at, Class::PersonVerb);
        if view.is(at, Class::Deny) || rare && lean(view, at) >= 9 {
            plain(view, at, findings);
        }
    }
}

/// Beside a word that is on no list of words.
#[inline(never)]
fn beside_unlisted(view: &View<'_>, at: usize, findings: &mut Findings) {
    // `Dear Dr.`, `Printed Jan 3`, `Serum Fe`: no name, though no word either.
    let other = Classes::of(&[
        Class::Title,
        Class::Credential,
        Class::Month,
        Class::Weekday,
        Class::NameField,
        Class::PhoneKeyword,
        Class::IdKeyword,
        Class::Country,
        Class::State,
    ]);
    letter(view, at, findings);
    let short = view.width(at) < 4 && view.any(at, Classes::of(&[Class::Measurement, Class::Unit, Class::Dose]));
    if view.any(at, other) || short {
        return;
    }
    joined(view, at, findings);
    if matches!(view.case(at), Case::Capital | Case::Mixed) && !is_shouted(view, at) {
        before(view, at, findings);
        after(view, at, findings);
    } else if view.is(at, Class::FirstName) {
        plain(view, at, findings);
    } else {
        partner(view, at, findings);
    }
}

/// `Singh J 310`, `Aarav P.`, `Okafor B - stable`: the letter of a first or family name behind one that is no word.
fn letter(view: &View<'_>, at: usize, findings: &mut Findings) {
    let next = at + 1;
    let one = view.is_word(next) && view.width(next) == 1 && view.capitalised(next) && view.gap(next) == Gap::Space;
    if !one
        || view.case(at) != Case::Capital
        || !view.any(at, NAMES)
        || view.any(at, THINGS)
        || says!(view, next, "i" | "l" | "r")
    {
        return;
    }
    let after = next + 1;
    let over = view.is_any_mark(after, b".,;)|-:(")
        || view.gap(after) >= Gap::Wide
        || view.is_number(after) && !view.joined(after);
    if over && !view.is(at, Class::City) {
        findings.remove(next, after, Kind::Name, Certainty::Weak);
    }
}

/// `Moody-Herd`, `buckner-childs`: a double name.
fn joined(view: &View<'_>, at: usize, findings: &mut Findings) {
    let name = |other: usize| {
        view.is_word(other)
            && view.width(other) > 1
            && (view.any(other, NAMES) && !view.any(other, Classes::of(&[Class::Stop, Class::Clinical])))
    };
    let hyphen = |mark: usize| view.is_mark(mark, b'-') && view.joined(mark) && view.joined(mark + 1);
    if !view.any(at, NAMES) && !view.capitalised(at) || view.any(at, THINGS) {
        return;
    }
    // `Moody-Herd`: in running text any word with a capital letter; in small letters a name that is seldom a word, not `ted-hose`.
    let small = view.case(at) == Case::Lower;
    let part = |other: usize| {
        name(other) && (!small || lean(view, other) >= 5 && lean(view, at) >= 5)
            || view.any(at, NAMES)
                && view.case(at) == Case::Capital
                && view.case(other) == Case::Capital
                && !view.any(other, THINGS)
                && !view.is(other, Class::Stop)
    };
    if hyphen(at + 1) && part(at + 2) {
        findings.remove(at + 2, at + 3, Kind::Name, Certainty::Weak);
    }
    if at > 1 && hyphen(at - 1) && part(at - 2) {
        findings.remove(at - 2, at - 1, Kind::Name, Certainty::Weak);
    }
}

/// What stands before a name in running text: particles, an initial, a first name that is a word.
fn before(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut first = at;
    for _ in 0..MOST {
        let Some(word) = first.checked_sub(1) else { break };
        if view.gap(first) > Gap::Space || view.border_before(first) {
            break;
        }
        // `L. de Bruyn`, `Guillen y Asociados`
        if view.case(word) == Case::Lower && view.is_word(word) && is_particle(view, word) && first == at {
            first = word;
            continue;
        }
        if view.case(word) == Case::Lower && first < at && view.is(word, Class::NamePrefix) {
            first = word;
            continue;
        }
        break;
    }
    if first < at {
        findings.remove(first, at, Kind::Name, Certainty::Weak);
    }
    // `Corona y Ibarra`
    let link = at.wrapping_sub(1);
    if at > 1
        && says!(view, link, "y" | "e" | "und" | "et" | "og" | "och" | "en")
        && view.case(link) == Case::Lower
        && view.gap(at) == Gap::Space
        && view.gap(link) == Gap::Space
        && view.case(at - 2) == Case::Capital
        && (view.any(at - 2, NAMES) || is_unlisted(view, at - 2))
        && !view.any(at, THINGS)
    {
        findings.remove(if is_beside(view, at - 2) { at - 2 } else { link }, at, Kind::Name, Certainty::Weak);
    }
    let Some(word) = first.checked_sub(1).filter(|_| view.gap(first) <= Gap::Space && !view.border_before(first))
    else {
        return;
    };
    // `T. Sakarya`; at the start of a line `T.` counts the lines unless the sentence goes on.
    if view.is_mark(word, b'.') && word > 0 && view.joined(word) {
        let initial = view.is_word(word - 1) && view.width(word - 1) == 1 && view.capitalised(word - 1);
        let counts = view.token(word - 1).line_start() && !goes_on(view, at + 1);
        if initial && !counts && !view.any(at, THINGS) {
            findings.remove(word - 1, word, Kind::Name, Certainty::Weak);
        }
        return;
    }
    // At the start of a sentence a word is written like this too, so that it must be somebody's name.
    let stands = !view.sentence_start(word) || view.any(word, NAMES) && lean(view, word) >= -2;
    if is_beside(view, word) && stands && !leads(view, word) && !view.any(at, THINGS) {
        findings.remove(word, word + 1, Kind::Name, Certainty::Weak);
    }
}

/// Whether the word says who is meant, or what to do with them, more often than it is their first name: `Husband Aaro`, `Miss Alves`,
/// `Call Ngozi`.
fn leads(view: &View<'_>, at: usize) -> bool {
    const PEOPLE: Classes = Classes::of(&[Class::Title, Class::Relative, Class::PersonNoun]);
    const DOES: Classes = Classes::of(&[Class::PersonVerb, Class::HumanVerb, Class::PhoneKeyword]);
    view.any(at, PEOPLE) && lean(view, at) < 9
        || view.sentence_start(at) && view.any(at, DOES) && !view.is(at, Class::FirstName)
        || says!(view, at, "hi" | "hello")
}

fn goes_on(view: &View<'_>, at: usize) -> bool {
    view.is_word(at) && view.case(at) == Case::Lower && view.gap(at) == Gap::Space || view.is_any_mark(at, b",;.)")
}

/// Small words inside names of other languages.
fn is_particle(view: &View<'_>, at: usize) -> bool {
    view.is(at, Class::NamePrefix) && !view.is(at, Class::Stop)
}

/// What stands after a name in running text: the family name, the rest of a firm, letters for its legal form.
fn after(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut end = at + 1;
    // An eponym or a brand goes on as a name only where the rest of a firm follows: `Sorensen ApS`.
    let thing = view.any(at, THINGS);
    for _ in 0..if thing { 0 } else { MOST } {
        let mut next = end;
        // `Tucker and Valsalva`, `Alfa Accountants & Adviseurs`, `Green, McMurray and Gibson`
        let link = view.gap(next) == Gap::Space && is_link(view, next);
        if link {
            next += 1;
        }
        if view.gap(next) > Gap::Space || view.border_before(next) || !view.is_word(next) {
            break;
        }
        // Hardly any word in small letters is a part of a name.
        let small = view.case(next) == Case::Lower;
        if small
            && !view.is(next, Class::NamePrefix)
            && !says!(view, next, "do" | "sub" | "los" | "de" | "am" | "op" | "ob" | "an")
        {
            break;
        }
        // `Halidun VAN DEN HOEK`
        let shouted = view.case(next) == Case::Upper
            && view.case(next + 1) == Case::Upper
            && view.width(next + 1) > 1
            && (is_particle(view, next + 1) || is_unlisted(view, next + 1));
        let particle = (small || shouted)
            && (is_particle(view, next)
                || says!(view, next, "do" | "sub" | "am" | "op") && is_unlisted(view, next + 1))
            && (view.capitalised(next + 1) && view.gap(next + 1) == Gap::Space
                || view.is_mark(next + 1, b',') && view.capitalised(next + 2) && view.gap(next + 2) == Gap::Space);
        // `San Rosalia los altos`, `San Alfredo de la Montana`, `Poienile de sub Munte`
        let double = small
            && view.is_word(next + 1)
            && view.case(next + 1) == Case::Lower
            && view.gap(next + 1) == Gap::Space
            && if says!(view, next, "ob" | "an") {
                // `Rothenburg ob der Tauber`
                says!(view, next + 1, "der" | "dem") && view.capitalised(next + 2) && view.gap(next + 2) == Gap::Space
            } else if says!(view, next, "los") {
                says!(view, next + 1, "altos" | "bajos")
            } else {
                says!(view, next, "de")
                    && says!(view, next + 1, "la" | "los" | "las" | "sub")
                    && view.capitalised(next + 2)
            };
        if double {
            findings.remove(next, next + 2, Kind::Name, Certainty::Weak);
            end = next + 2;
            continue;
        }
        let part = if link {
            is_beside(view, next) && (view.any(next, NAMES) || view.is(next, Class::Eponym) || is_unlisted(view, next))
        } else {
            particle || is_beside(view, next)
        };
        if !part {
            break;
        }
        // `Guillen y Asociados`: of other languages the link goes too; `and` stays.
        let foreign = link && view.is_word(next - 1) && !says!(view, next - 1, "and");
        findings.remove(next - usize::from(foreign), next + 1, Kind::Name, Certainty::Weak);
        end = next + 1;
    }
    let form = firm_end(view, end, view.any(at, NAMES) || end > at + 1 || at > 1 && view.is_mark(at - 1, b'-'));
    if form > end {
        findings.remove(end, form, Kind::Name, Certainty::Weak);
    }
}

/// Whether the word joins two names.
fn is_link(view: &View<'_>, at: usize) -> bool {
    says!(view, at, "and" | "&" | "y" | "e" | "i" | "und" | "et" | "og" | "och" | "en")
}

/// Where the end of a firm's name stands: its capitals, its partners and its legal form, `ZETA S.A.`, `i syn s.c.`, `AG & Co.
/// KG`, `Sp. z o.o. Sp.k.`, `S. R.L. de C.V.`
fn firm_end(view: &View<'_>, at: usize, named: bool) -> usize {
    let mut end = at;
    // A short word behind a blank, a hyphen or a link; or the point of `Co.`.
    let begins = if view.gap(at) == Gap::Space {
        view.is_word(at) && view.width(at) <= 5 || view.is_any_mark(at, b"-&")
    } else {
        view.is_mark(at, b'.') && says!(view, at - 1, "co")
    };
    if !begins {
        return at;
    }
    // `Souza - ME`
    let dash = view.is_mark(at, b'-') && view.gap(at) == Gap::Space && view.gap(at + 1) == Gap::Space;
    if dash && says!(view, at + 1, "me" | "epp" | "eireli" | "ltda") && view.case(at + 1) == Case::Upper {
        return at + 2;
    }
    // `Klemens s.c.`, but `Fraxin s.c. 0.4 ml`
    let point = |at: usize| view.is_mark(at, b'.') && view.joined(at) && view.joined(at + 1);
    let small = says!(view, at, "s") && says!(view, at + 2, "c") && point(at + 1) && view.gap(at) == Gap::Space;
    if small && view.case(at) == Case::Lower && named && !view.is_number(at + 3) && !view.is_number(at + 4) {
        return at + 3;
    }
    // The capitals before a legal form are part of the name, whatever else they are short for.
    if view.case(at) == Case::Upper && (2..=5).contains(&view.width(at)) && view.gap(at) == Gap::Space {
        let form = legal_form(view, at + 1, true);
        if form > at + 2 {
            return form;
        }
    }
    let link = is_link(view, at);
    if link && view.gap(at) == Gap::Space && is_partner(view.word(at + 1)) && view.gap(at + 1) == Gap::Space {
        end = at + 2;
    }
    for _ in 0..3 {
        let point = usize::from(
            (end > at || says!(view, end - 1, "co"))
                && view.is_mark(end, b'.')
                && view.joined(end)
                && view.gap(end + 1) == Gap::Space,
        );
        // `S.A. de C.V.`
        let link = end + point;
        let linked = end > at && says!(view, link, "&" | "and" | "de") && view.gap(link) == Gap::Space;
        let next = end + usize::from(linked);
        // `i syn s.c.`: behind a partner the form may stand in small letters.
        let small = end == at + 2 && view.is_mark(next + 1, b'.') && view.joined(next + 2) && view.width(next) == 1;
        let form = match legal_form(view, next + point, named || end > at) {
            form if form == next && small && view.width(next + 2) == 1 => next + 3,
            form => form,
        };
        if form <= next + point {
            break;
        }
        end = form;
    }
    end
}

/// Who stands with the owner in the name of a firm: sons, brothers, partners.
fn is_partner(word: &str) -> bool {
    matches!(
        word,
        "syn"
            | "synowie"
            | "søn"
            | "son"
            | "sons"
            | "soner"
            | "sohne"
            | "sohn"
            | "asociados"
            | "socios"
            | "hijos"
            | "hijo"
            | "figli"
            | "filhos"
            | "irmaos"
            | "zonen"
            | "zoon"
            | "fils"
            | "freres"
            | "poikaa"
            | "cie"
            | "partners"
            | "brothers"
    )
}

/// Whether a word with a capital letter belongs to the name beside it.
fn is_beside(view: &View<'_>, at: usize) -> bool {
    view.is_word(at)
        && matches!(view.case(at), Case::Capital | Case::Mixed)
        && view.width(at) > 1
        && !view.is(at, Class::Stop)
        && !(view.any(at, APART) && !(view.any(at, NAMES) && !view.is(at, Class::Clinical) && lean(view, at) >= 0))
        && !view.token(at + 1).glued()
}

/// Where the letters of a legal form or of a title end: `S.A.`, `A/S`, `e.V.`, `Sp. z o.o.`, `B.Sc.`
fn legal_form(view: &View<'_>, at: usize, named: bool) -> usize {
    let never = Classes::of(&[Class::Dose, Class::Clinical, Class::Measurement, Class::Credential]);
    let piece = |next: usize| {
        let one = view.width(next) == 1 || view.is_mark(next + 1, b'.') && LEGAL.has(view, next);
        view.is_word(next)
            && view.width(next) <= 4
            && (one || named && LEGAL.has(view, next) || !view.any(next, never))
            && !view.border_before(next)
    };
    if view.gap(at) != Gap::Space || !piece(at) || !view.capitalised(at) && view.width(at) > 2 {
        return at;
    }
    let point = view.is_any_mark(at + 1, b"./") && view.joined(at + 1) && view.joined(at + 2) && view.is_word(at + 2);
    if matches!(view.case(at), Case::Upper | Case::Mixed) && !point && LEGAL.has(view, at) {
        return at + 1;
    }
    // `Huuskonen As Oy`
    if LEGAL.has(view, at) && LEGAL.has(view, at + 1) && view.gap(at + 1) == Gap::Space && view.capitalised(at + 1) {
        return at + 2;
    }
    let mut next = at;
    let mut end = at;
    let mut capital = false;
    for _ in 0..6 {
        let near = view.joined(next)
            || view.gap(next) == Gap::Space && (next == at || LEGAL.has(view, next) || says!(view, next - 1, "z"));
        if !near || !piece(next) {
            break;
        }
        capital |= view.capitalised(next);
        let dotted = view.is_any_mark(next + 1, b"./") && view.joined(next + 1);
        let inner = dotted && (view.joined(next + 2) && view.is_word(next + 2));
        if !inner && next == at && !(dotted && LEGAL.has(view, at)) {
            return at;
        }
        end = next + 1;
        // `Sp. z o.o.`
        if !dotted && says!(view, next, "z") && next > at {
            next += 1;
            continue;
        }
        if !dotted {
            break;
        }
        next += 2;
    }
    if capital { end } else { at }
}

/// Letters for the legal form of a firm. Sorted.
#[rustfmt::skip]
pub(in crate::rules) static LEGAL: WordSet = WordSet::new(&[
    "ab", "ag", "aps", "as", "asa", "asf", "ba", "bv", "cia", "co", "crl", "cv", "eireli", "ek", "ev", "gbr", "gmbh", "hb",
    "kft", "kg", "kgaa", "ltda", "mbh", "nv", "nyrt", "ohg", "oy", "oyj", "pfa", "ra", "rt", "sarl", "sas", "sca", "scs",
    "se", "sl", "slu", "snc", "sp", "spa", "spi", "spj", "spk", "srl", "sti", "tic", "vof", "z", "zrt",
]);

/// `leonard marsh`, `HECTOR GARLAND`: after a first name that is no word, in text without capitals or in nothing else.
fn plain(view: &View<'_>, at: usize, findings: &mut Findings) {
    partner(view, at, findings);
    let shouted = is_shouted(view, at);
    if !shouted && view.case(at) != Case::Lower || view.ranks(at).first_name < 8 {
        return;
    }
    let mut next = at + 1;
    // `clifford b. long`
    let initial = view.is_word(next) && view.width(next) == 1 && view.gap(next) == Gap::Space;
    if initial && view.is_mark(next + 1, b'.') && view.joined(next + 1) {
        next += 2;
    }
    // `an 18-guage needle`
    if at > 0 && view.joined(at) && view.is_mark(at - 1, b'-') {
        return;
    }
    if view.gap(next) > Gap::Line || !view.is_word(next) || view.width(next) < 2 || view.joined(next) {
        return;
    }
    // SHE MAY GO HOME
    let house = says!(view, next, "home" | "house");
    if !view.is(next, Class::Surname) || view.any(next, NO_FAMILY) || house || view.ranks(next).surname < 6 {
        return;
    }
    // `A BROWN STAIN`, `MAY GO HOME`: a first name that is a word as often needs a family name that is not.
    let ranks = view.ranks(at);
    let given = view.is(at, Class::Deny)
        || is_unlisted(view, at)
        || ranks.first_name >= ranks.frequency + 6 && !view.is(at, Class::PersonVerb);
    if !given && lean(view, next) < 0 {
        return;
    }
    // `anna called`, `JULIA FELL`: what people do ends the name, unless the sentence is over.
    let closed = view.is_any_mark(next + 1, b",.;:()-")
        || view.ends_line(next + 1)
        || view.token(next + 1).kind == crate::token::Kind::Possessive
        || view.any(next + 1, Classes::of(&[Class::Credential]))
        || says!(view, next + 1, "at" | "in" | "of" | "on" | "and" | "was" | "is" | "has" | "who");
    let verb = view.any(next, Classes::of(&[Class::PersonVerb, Class::HumanVerb]));
    if !verb || closed {
        findings.remove(at + 1, next + 1, Kind::Name, Certainty::Weak);
    }
}

/// `violet oakley is`: a first name that is a word too, before a family name that is none.
fn given_before(view: &View<'_>, at: usize, findings: &mut Findings) {
    let plain = view.case(at) == Case::Lower || is_shouted(view, at);
    if !plain || !view.is(at, Class::Surname) || view.ranks(at).surname < 8 || view.any(at, THINGS) {
        return;
    }
    let mut last = at;
    // `victor g. doyle`
    if at > 2 && view.is_mark(at - 1, b'.') && view.is_word(at - 2) && view.width(at - 2) == 1 {
        last = at - 2;
    }
    let Some(given) = last.checked_sub(1).filter(|_| view.gap(last) == Gap::Space) else { return };
    let verb = view.any(given, Classes::of(&[Class::PersonVerb, Class::HumanVerb]));
    let begins = view.sentence_start(given) || given > 0 && view.is_any_mark(given - 1, b":,(");
    let name = view.is(given, Class::FirstName) && view.ranks(given).first_name >= 10 && !view.any(given, NO_GIVEN);
    // `We will go ahead`
    let modal = view.is(given, Class::Stop) && view.is(at, Class::PersonVerb);
    if name && (!verb || begins) && !modal {
        findings.remove(given, at, Kind::Name, Certainty::Weak);
    }
}

/// `ortega and fisher, (991)`, `PEMBERTON AND TUBBS.`: the second name of a pair, where the sentence stops behind it.
fn partner(view: &View<'_>, at: usize, findings: &mut Findings) {
    given_before(view, at, findings);
    if !view.any(at, NAMES) || view.any(at, THINGS) {
        return;
    }
    let over = |next: usize| view.is_any_mark(next, b",.;()") || view.ends_line(next);
    let name = |other: usize| {
        view.is_word(other)
            && view.is(other, Class::Surname)
            && view.width(other) > 2
            && !view.any(other, Classes::of(&[Class::Stop, Class::PersonNoun, Class::Month, Class::Season]))
            && lean(view, other) >= -6
    };
    if says!(view, at + 1, "and" | "&") && view.gap(at + 2) == Gap::Space && name(at + 2) && over(at + 3) {
        findings.remove(at + 2, at + 3, Kind::Name, Certainty::Weak);
    }
    // `fisher and graves` fills its line.
    if at > 1
        && says!(view, at - 1, "and" | "&")
        && view.gap(at) == Gap::Space
        && over(at + 1)
        && name(at - 2)
        && (view.token(at - 2).line_start() || view.is_mark(at.wrapping_sub(3), b':'))
    {
        findings.remove(at - 2, at - 1, Kind::Name, Certainty::Weak);
    }
}
