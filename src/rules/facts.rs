//! What is true of one token: the bits that become columns, see `columns`.

use std::sync::LazyLock;

use super::{age, clinical, identifier, name, phone, place};
use crate::token::{Case, FORMS, Gap, Kind, Token, form_of};

/// A fact about a token: the number of its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Fact {
    /// A word.
    Word,
    /// A number.
    Number,
    /// A character that is no mark of ASCII.
    Symbol,
    /// `'s`
    Possessive,
    /// A word without capital letters; and, being no word, what an earlier scrub wrote.
    Lower,
    /// A word with a capital letter and small ones behind it.
    Capital,
    /// A word in capital letters.
    Upper,
    /// Nothing stands before it.
    Joined,
    /// One blank stands before it.
    Spaced,
    /// Nothing, one blank or one line end stands before it.
    Follows,
    /// A line end stands before it, or it is the end.
    NewLine,
    /// The first of a sentence, line or field.
    Sentence,
    /// The first of its line.
    LineStart,
    /// Glued to the word or number before it.
    Glued,
    /// One byte.
    One,
    /// Up to two bytes.
    UpToTwo,
    /// Up to three bytes.
    UpToThree,
    /// Up to five bytes.
    UpToFive,
    /// The first of [`MARKS`]; each has a column.
    Marks,
    /// `at`, `from`, `to`; the first of the words of lists in the code of a rule. A longer word whose first seven bytes are those
    /// of a longer one of the list has the fact too.
    ToPlace = Self::Marks as u8 + MARKS.len() as u8,
    /// `by`, `for`, `of`, `with`
    OfPlace,
    /// `by`, `with`, `to`, `w`, `out`
    ByPeople,
    /// `the`
    The,
    /// Letters that scanners make of digits.
    DigitLike,
    /// May stand between the keyword of a number and the number: `number`, `is`.
    Announces,
    /// A label or keyword with a value of letters alone; a figure said as a word.
    Lettered,
    /// An age stands behind it.
    LeadsAge,
    // ---- beside numbers
    /// The number of a flat, a post box, an army post office stands behind it.
    Room,
    /// North, south and their short forms; the label of a field for a place, which no number stands before.
    Direction,
    /// A length of time.
    Span,
    /// `m`, `female`
    Sex,
    /// A time of day stands behind it, or the other end of a range.
    LeadsTime,
    /// Pregnancies and births stand behind it.
    LeadsBirth,
    /// A count stands behind it, or behind it and a preposition a count or an age.
    LeadsCount,
    /// `st`, `nd`, `rd`, `th`
    Ordinal,
    /// Makes an amount of the number before it.
    Amount,
}

/// The marks that have columns.
const MARKS: &[u8; 19] = b".,:;|/-_&@#()<=>+'%";

/// The marks that share the column of `%`: inches and powers stand behind numbers as it does; the star of `CYP2C19 *2` and the marks of
/// paths and markup have none of their own.
const ALIKE: &[u8; 12] = b"\"^?*\\~`!{}[]";

/// The words of facts.
static WORDS: &[(Fact, &[&str])] = &[
    (Fact::ToPlace, &["at", "from", "to"]),
    (Fact::OfPlace, &["by", "for", "of", "with"]),
    (Fact::ByPeople, &["by", "with", "to", "w", "out"]),
    (Fact::The, &["the"]),
    (Fact::Announces, identifier::MARKING.words()),
    (Fact::Announces, identifier::JOINING.words()),
    (Fact::Announces, phone::PASSING),
    (Fact::Lettered, identifier::SECRETS.words()),
    (Fact::Lettered, identifier::USERS.words()),
    (Fact::Lettered, identifier::LETTERED),
    (Fact::Lettered, name::field::ROLES.words()),
    (Fact::Lettered, &["ninty", "hundred", "thousand"]),
    (Fact::Room, place::flat::ROOMS),
    (Fact::Room, place::street::POSTS),
    (Fact::Room, &["box"]),
    (Fact::Direction, place::ward::DIRECTIONS),
    (Fact::Direction, place::field::LABELS),
    (Fact::Span, age::SPANS),
    (Fact::Span, clinical::time::HOURS),
    (Fact::Span, &["o"]),
    (Fact::Sex, clinical::age::SEXES),
    (Fact::LeadsAge, clinical::age::LEADING),
    (Fact::LeadsTime, clinical::time::LEADING),
    (Fact::LeadsTime, clinical::LINKING),
    (Fact::LeadsBirth, clinical::obstetric::LEADING),
    (Fact::LeadsCount, clinical::list::LEADING),
    (Fact::LeadsCount, &["x"]),
    (Fact::LeadsCount, clinical::list::CHANGES),
    (Fact::LeadsCount, clinical::age::EVENTS),
    (Fact::Ordinal, clinical::list::ENDINGS),
    (Fact::Amount, clinical::FOLLOWING),
];

/// Facts by what a token is made of, so that each token needs a few looks into small tables.
pub(super) struct Tables {
    /// By [`Token::form`].
    form: [u64; FORMS],
    /// By the number of bytes, up to six.
    width: [u64; 8],
    /// By the key: marks have the smallest keys, and no other token has that of one.
    marks: [u64; 256],
    /// By two hashes of the key, the facts from [`Fact::ToPlace`] on: a word has those that both tables tell. What another word
    /// says too often costs a question, and changes no answer.
    words: [[u32; PLACES]; 2],
}

/// Makes the tables that all threads share.
pub(super) fn prepare() {
    LazyLock::force(&TABLES);
}

pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let bit = |fact: Fact, holds: bool| u64::from(holds) << fact as u8;
    let mut tables = Tables { form: [0; FORMS], width: [0; 8], marks: [0; 256], words: [[0; PLACES]; 2] };
    let kinds = [Kind::Word, Kind::Number, Kind::Punct, Kind::Possessive, Kind::Symbol, Kind::Own, Kind::End];
    let gaps = [Gap::None, Gap::Space, Gap::Wide, Gap::Line, Gap::Paragraph];
    for (kind, gap) in kinds.iter().flat_map(|&kind| gaps.map(|gap| (kind, gap))) {
        for case in [Case::Lower, Case::Capital, Case::Upper, Case::Mixed] {
            let (word, end) = (kind == Kind::Word, kind == Kind::End);
            for place in 0..8 {
                tables.form[form_of(kind, gap, case, place)] = bit(Fact::Word, word)
                    | bit(Fact::Number, kind == Kind::Number)
                    | bit(Fact::Symbol, kind == Kind::Symbol)
                    | bit(Fact::Possessive, kind == Kind::Possessive)
                    | bit(Fact::Lower, word && case == Case::Lower || kind == Kind::Own)
                    | bit(Fact::Capital, word && case == Case::Capital)
                    | bit(Fact::Upper, word && case == Case::Upper)
                    | bit(Fact::Joined, gap == Gap::None && !end)
                    | bit(Fact::Spaced, gap == Gap::Space)
                    | bit(Fact::Follows, matches!(gap, Gap::None | Gap::Space | Gap::Line) && !end)
                    | bit(Fact::NewLine, gap >= Gap::Line)
                    | bit(Fact::Sentence, place & 1 != 0)
                    | bit(Fact::LineStart, place & 2 != 0)
                    | bit(Fact::Glued, place & 4 != 0);
            }
        }
    }
    for (width, facts) in tables.width.iter_mut().enumerate() {
        *facts = bit(Fact::One, width == 1)
            | bit(Fact::UpToTwo, width <= 2)
            | bit(Fact::UpToThree, width <= 3)
            | bit(Fact::UpToFive, width <= 5);
    }
    for &mark in MARKS.iter().chain(ALIKE) {
        tables.marks[usize::from(mark)] = 1 << column_of(mark);
    }
    for letters in digit_like() {
        tables.add(Fact::DigitLike, &letters);
    }
    for &(fact, words) in WORDS {
        for word in words {
            tables.add(fact, word.as_bytes());
        }
    }
    tables
});

/// Every word that [`super::digits::looks_like_digits`].
fn digit_like() -> impl Iterator<Item = Vec<u8>> {
    let letters = [None, Some(b'o'), Some(b'l'), Some(b'i')];
    let words = (1..64_usize).map(move |code| [code & 3, code >> 2 & 3, code >> 4].map(|letter| letters[letter]));
    words.map(|word| word.into_iter().flatten().collect())
}

/// By mark, its column; what no column has where the mark has none.
static COLUMNS: [u8; 256] = {
    let mut columns = [u8::MAX; 256];
    let mut at = 0;
    while at < MARKS.len() {
        columns[MARKS[at] as usize] = Fact::Marks as u8 + at as u8;
        at += 1;
    }
    at = 0;
    while at < ALIKE.len() {
        columns[ALIKE[at] as usize] = columns[b'%' as usize];
        at += 1;
    }
    columns
};

/// The column of a mark.
#[inline]
pub(super) const fn column_of(mark: u8) -> usize {
    COLUMNS[mark as usize] as usize
}

/// How many places the table of words has.
const PLACES: usize = 1024;

/// The places of a key in the two tables of words.
#[inline]
const fn places(key: u64) -> [usize; 2] {
    // With this factor the fewest words of notes have facts that are not theirs.
    let hash = key.wrapping_mul(0xDC62_1F40_B8EB_51FD);
    [(hash >> 54) as usize, (hash as u32 >> 22) as usize]
}

impl Tables {
    fn add(&mut self, fact: Fact, word: &[u8]) {
        for (table, place) in self.words.iter_mut().zip(places(crate::token::key(word))) {
            table[place] |= 1 << (fact as u8 - Fact::ToPlace as u8);
        }
    }

    /// The facts that hold of a token, one bit each; `key` is that of its word.
    #[inline]
    pub(super) fn facts(&self, token: Token, key: u64) -> u64 {
        let width = (token.end - token.start).min(6) as usize;
        let [one, other] = places(key);
        self.form[token.form()]
            | self.width[width & 7]
            | self.marks[(key as usize).min(0xFF)]
            | u64::from(self.words[0][one] & self.words[1][other]) << Fact::ToPlace as u8
    }
}
