//! Streets of other languages: `874, rue Chartier`, `ul. Miodowa 53`, `Rákóczi út 13`, `Lindgatan 5`.

use super::is_no_word;
use super::street::with_apartment;
use crate::rules::columns::{Around, Fact, GROUP};
use crate::rules::name::is_shouted;
use crate::rules::view::{WordSet, says};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Words for streets that stand before their names, in languages that write Latin letters. Sorted.
#[rustfmt::skip]
pub(in crate::rules) static LEADS: WordSet = WordSet::new(&[
    "acceso", "al", "alameda", "aleea", "aleja", "aleje", "allee", "ampliacion", "andador", "av", "avda", "avenida",
    "avenue", "bd", "blvd", "boulevard", "bulevardul", "c", "calea", "calle", "callejon", "calzada", "camino", "canada",
    "carrer", "cerrada", "chacara", "chemin", "circuito", "circunvalacion", "colonia", "condominio", "conjunto",
    "continuacion", "corredor", "corso", "cours", "cuesta", "diagonal", "distrito", "drumul", "eje", "estacao",
    "estrada", "favela", "fazenda", "feira", "fundatura", "glorieta", "impasse", "intrarea", "jalan", "jardim", "jl",
    "ladeira", "lagoa", "largo", "loteamento", "morro", "nucleo", "os", "osiedle", "parque", "pasadizo", "pasaje",
    "pasarela", "paseo", "passage", "passarela", "peatonal", "periferico", "piazza", "pl", "plac", "place", "plaza",
    "praca", "praia", "prelungirea", "privada", "prolongacion", "quadra", "quai", "rambla", "recanto", "residencial",
    "retorno", "rodovia", "ronda", "rua", "rue", "setor", "sitio", "soseaua", "splaiul", "str", "strada", "travessa",
    "trecho", "u", "ul", "ulica", "urbanizacion", "vereda", "via", "viaducto", "vial", "viale", "viela", "vila",
]);

/// Lists of which the name of a street may be a word.
const NAMES: Classes = Classes::of(&[Class::Surname, Class::FirstName, Class::PlacePart]);

/// How words for streets end where they are one word with the name.
#[rustfmt::skip]
static ENDS: [&[u8]; 56] = [
    b"strasse", b"str", b"gatan", b"gata", b"gate", b"vagen", b"vegen", b"veien", b"vej", b"gade", b"laan", b"straat",
    b"weg", b"plein", b"katu", b"tie", b"gasse", b"allee", b"platz", b"ring", b"dreef", b"singel", b"baan", b"pad", b"kade",
    b"bakken", b"berget", b"gropa", b"gracht", b"torget", b"holtet", b"straede", b"str\xc3\xa6de", b"kollen", b"moen",
    b"stubben", b"spranget", b"eggen", b"lunden", b"lyngen", b"skrenten", b"bulevardi", b"kuja", b"polku", b"steeg", b"roa",
    b"ringen", b"svingen", b"grand", b"plassen", b"stien", b"tjernet", b"hogda", b"boulevard", b"brinken", b"gaten",
];

/// A bit for every value of a hash of three letters with which one of them ends.
static LAST_LETTERS: [u64; 16] = {
    let (mut letters, mut end) = ([0; 16], 0);
    while end < ENDS.len() {
        let (row, bit) = last_letters(ENDS[end]);
        letters[row] |= bit;
        end += 1;
    }
    letters
};

/// Where the bit of the last three letters of a word stands, and the bit.
const fn last_letters(word: &[u8]) -> (usize, u64) {
    let (last, middle, first) = (word[word.len() - 1], word[word.len() - 2], word[word.len() - 3]);
    let hash = last as usize * 131 + middle as usize * 31 + first as usize;
    (hash / 64 % 16, 1 << (hash % 64))
}

/// Whether the word ends so.
fn ends_like_a_street(word: &[u8]) -> bool {
    if word.len() <= 5 {
        return false;
    }
    let (row, bit) = last_letters(word);
    LAST_LETTERS[row] & bit != 0 && ENDS.iter().any(|end| word.ends_with(end))
}

/// Which words have the number of a house behind them, or the word for a street before them.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let unlisted = here.none(super::ORDINARY);
    let number = |far| around.behind(far, |group| group.is(Fact::Number) & group.is(Fact::Spaced));
    // `Lindgatan 5`, `Konstanze-Carsten-Allee 64`
    let compound = number(1) & (unlisted & !here.is(Fact::UpToFive) | around.before(1, |left| left.mark(b'-')));
    // `Rákóczi út 13`, `Király u. 15`
    let short = around.behind(1, |next| next.is(Fact::Lower) & next.is(Fact::Spaced) & next.is(Fact::UpToThree));
    let point = around.behind(2, |next| next.mark(b'.'));
    let apart = unlisted & short & (number(2) | point & number(3));
    let leads = around.up_to_here(|group| group.is(Fact::StreetLead));
    let led = if leads == 0 { 0 } else { led(around, leads) };
    !here.is(Fact::One) & (unlisted | here.any(NAMES)) & (compound | apart | led)
}

/// Which words have the word for a street before them: `rue de la Miodowa`.
fn led(around: &Around<'_>, leads: u128) -> u64 {
    // Up to four small words, marks and words that are none; one letter or two have a point.
    let passes = around.up_to_here(|group| {
        let word = group.is(Fact::Lower) & group.is(Fact::UpToFive) | group.capitalised() & group.none(super::ORDINARY);
        (word | group.marks(b"'./")) & !group.is(Fact::NewLine)
    });
    let point = around.up_to_here(|group| group.mark(b'.'));
    let mut led = leads & (!around.up_to_here(|group| group.is(Fact::UpToTwo)) | point >> 1);
    for _ in 0..BACK {
        led |= led << 1 & passes;
    }
    (led << 1 >> GROUP) as u64 & !around.here().is(Fact::NewLine)
}

/// How many small words and marks may stand between the word for a street and its name.
const BACK: usize = 4;

/// Anchor: a word with a capital letter: `874, rue Chartier`, `ul. Miodowa 53`, `Rákóczi út 13`,
/// `Lindgatan 5`.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    // The name of the street is no word, or a name.
    let unlisted = is_no_word(view, at);
    if view.width(at) < 2 || !unlisted && !view.any(at, NAMES) {
        return;
    }
    let joined_number = |number: usize| view.is_number(number) && view.gap(number) == Gap::Space;
    let kind = says!(view, at, "allee" | "strasse" | "str" | "weg" | "platz" | "ring" | "gasse" | "ufer" | "damm");
    // `Konstanze-Carsten-Allee 64/22`, `Dursun-Kohl-Straße 6-7`
    let compound = || super::address::compound(view, at);
    if joined_number(at + 1) && (unlisted && ends_like_a_street(view.bytes(at)) || kind && compound() < at) {
        let range = view.is_mark(at + 2, b'-') && view.joined(at + 2) && view.joined(at + 3) && view.is_number(at + 3);
        // `Ellenkollen 74C`
        let letter = usize::from(view.token(at + 2).glued() && view.width(at + 2) == 1);
        if !is_shouted(view, at) {
            findings.remove(compound(), at + 2 + 2 * usize::from(range) + letter, Kind::Street, Certainty::Likely);
        }
        return;
    }
    // `Rákóczi út 13`, `Király u. 15`: a short word between the name and its number.
    let point = usize::from(view.is_mark(at + 2, b'.') && view.joined(at + 2));
    let short = unlisted && view.case(at + 1) == Case::Lower && view.gap(at + 1) == Gap::Space;
    if short
        && joined_number(at + 2 + point)
        && says!(view, at + 1, "u" | "ut" | "utca" | "ter" | "tee" | "mnt" | "pst" | "krt" | "sok" | "cad")
        && view.width(at + 1) <= 3
    {
        if !is_shouted(view, at) {
            findings.remove(at, at + 3 + point, Kind::Street, Certainty::Likely);
        }
        return;
    }
    // `doxycycline 100 bd. Path: FBE`: a label.
    if at > 0 && view.gap(at) <= Gap::Space && !view.is_mark(at + 1, b':') {
        behind_its_word(view, at, findings);
    }
}

/// `874, rue Chartier`, `ul. Miodowa 53`: back over the small words between to the word for the street.
#[inline(never)]
fn behind_its_word(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut first = at;
    for _ in 0..BACK {
        let Some(before) = first.checked_sub(1).filter(|_| view.gap(first) <= Gap::Space) else { return };
        if view.is_any_mark(before, b"'./") && first == before + 1 {
            first = before;
            continue;
        }
        if !view.is_word(before) {
            return;
        }
        if LEADS.has(view, before) {
            break;
        }
        let goes_on =
            if view.case(before) == Case::Lower { is_particle(view, before) } else { is_no_word(view, before) };
        if !goes_on {
            return;
        }
        first = before;
    }
    // No street goes on behind a line end.
    let Some(lead) = first.checked_sub(1).filter(|&lead| LEADS.has(view, lead) && view.gap(first) <= Gap::Space) else {
        return;
    };
    if is_shouted(view, at) {
        return;
    }
    // One letter needs its point, and a word that is English too a number.
    let mut end = at + 1;
    while view.is_word(end)
        && end < at + 4
        && view.gap(end) == Gap::Space
        && view.capitalised(end)
        && !view.any(end, Classes::of(&[Class::Stop, Class::Title, Class::Month]))
        && !super::street::UNITS.contains(&view.word(end))
    {
        end += 1;
    }
    let comma = usize::from(view.is_mark(end, b','));
    let numbered = view.is_number(end + comma) && view.gap(end + comma) <= Gap::Space;
    let before = lead.wrapping_sub(1);
    let number_before = if view.is_number(before) {
        Some(before)
    } else if view.is_mark(before, b',') && lead > 1 && view.is_number(lead - 2) {
        Some(lead - 2)
    } else {
        None
    };
    let short = view.width(lead) < 3;
    // `rue Adrien Morel`: a plant has no name behind it.
    let french = says!(view, lead, "rue") && view.case(lead) == Case::Lower;
    let word = (view.any(lead, Classes::of(&[Class::English, Class::Stop])) || short) && !french;
    if word && !numbered && number_before.is_none() || short && !view.is_mark(lead + 1, b'.') {
        return;
    }
    let end = if numbered { end + comma + 1 } else { end };
    // `Cerrada Laurel 173 972`: the number of the flat behind that of the house.
    let flat = numbered && view.is_number(end) && view.gap(end) == Gap::Space && view.bytes(end).len() == 3;
    let end = with_apartment(view, end + usize::from(flat));
    findings.remove(number_before.unwrap_or(lead), end, Kind::Street, Certainty::Likely);
    // `3, avenue de Rollin, 33614 Mattis`: the code and the town.
    let code = end + 1;
    let five = view.whole(code).is_some() && view.width(code) == 5 && view.gap(code) == Gap::Space;
    if view.is_mark(end, b',') && five {
        let town = super::address::capitals(view, code + 1, 4);
        if town > code + 1 && view.gap(code + 1) == Gap::Space {
            findings.remove(code, town, Kind::City, Certainty::Likely);
        }
    }
}

/// Small words between the word for a street and its name.
fn is_particle(view: &View<'_>, at: usize) -> bool {
    let key = view.key(at);
    says!(view, at, key, "de" | "la" | "du" | "des" | "del" | "do" | "da" | "dos" | "das" | "d" | "l" | "le" | "les")
        || says!(view, at, key, "los" | "las" | "el" | "al" | "di" | "dei" | "della" | "ks" | "sw" | "gen" | "dr")
}
