//! Facts about single tokens: the bits from which `columns` builds its columns.

use std::sync::LazyLock;

use super::patterns::KnownWords;
use super::word_sets::word_list;
use crate::text::token::{Case, FORMS, Gap, Kind, Token, form_of};

pub(crate) use crate::note::GROUP;

/// A fact about a token; its discriminant is the index of its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(in crate::rules) enum Fact {
    /// A word.
    Word,
    /// A number.
    Number,
    /// A character other than an ASCII mark.
    Symbol,
    /// A word without capital letters, or a placeholder of an earlier scrub (which is not a `Word`).
    Lower,
    /// A word in capital letters, or one capital letter.
    Upper,
    /// A token with no white space before it.
    Joined,
    /// A token glued to the word or number before it.
    Glued,
    /// A token of one byte.
    SingleByte,
    /// Two asterisks, the only run of marks that a rule needs.
    Stars,
    /// A token whose first byte is the lead byte of a Greek letter.
    Greek,
    /// A word that may begin a pattern of the listed terms.
    Phrase,
    /// A word that may be in the list of trials.
    Trial,
    /// A word that may be in the lists of spelling alphabets, dictated capitals, degrees and spoken address marks.
    Spelling,
    /// The first ASCII mark; each mark has a column.
    Marks,
}

const _: () = assert!(column_of_mark(b'~') < GROUP, "each mark has a column");
const _: () = assert!(Fact::Trial as u8 == Fact::Phrase as u8 + 1 && Fact::Spelling as u8 == Fact::Phrase as u8 + 2);

/// Returns the column of a mark: the 32 marks of ASCII lie in four ranges between the letters and digits.
#[inline]
pub(in crate::rules) const fn column_of_mark(mark: u8) -> usize {
    let nth = match mark {
        b'!'..=b'/' => mark - b'!',
        b':'..=b'@' => mark - b':' + 15,
        b'['..=b'`' => mark - b'[' + 22,
        _ => mark.saturating_sub(b'{') + 28,
    };
    Fact::Marks as usize + nth as usize
}

/// Lookup tables from the form and the key of a token to its facts: two lookups per token.
pub(in crate::rules) struct FactTables {
    /// By [`Token::form`].
    form: [u64; FORMS],
    /// By key: marks have the smallest keys, which no other token has.
    marks: [u64; 256],
}

/// Builds the tables that all threads share.
pub(in crate::rules) fn build_fact_tables() {
    LazyLock::force(&TABLES);
}

/// The words of the lists behind the facts from [`Fact::Phrase`] on.
static KNOWN: KnownWords = KnownWords::new(&[
    &[word_list!("clinical-phrase-terms"), word_list!("clinical-phrase-scales"), word_list!("clinical-phrase-things")],
    &[word_list!("clinical-phrase-trials")],
    &[
        word_list!("forms-alphabet-words"),
        word_list!("forms-alphabet-capitals"),
        word_list!("forms-coordinates-degrees"),
        word_list!("forms-contact-joints"),
    ],
]);

pub(in crate::rules) static TABLES: LazyLock<FactTables> = LazyLock::new(|| {
    let bit = |fact: Fact, holds: bool| u64::from(holds) << fact as u8;
    let mut tables = FactTables { form: [0; FORMS], marks: [0; 256] };
    let kinds = [Kind::Word, Kind::Number, Kind::Punct, Kind::Possessive, Kind::Symbol, Kind::Placeholder, Kind::End];
    let gaps = [Gap::None, Gap::Space, Gap::Wide, Gap::Line, Gap::Paragraph];
    for (kind, gap) in kinds.iter().flat_map(|&kind| gaps.map(|gap| (kind, gap))) {
        for case in [Case::Lower, Case::Capital, Case::Upper, Case::Mixed] {
            for place in 0..8 {
                tables.form[form_of(kind, gap, case, place)] = bit(Fact::Word, kind == Kind::Word)
                    | bit(Fact::Number, kind == Kind::Number)
                    | bit(Fact::Symbol, kind == Kind::Symbol)
                    | bit(Fact::Lower, kind == Kind::Word && case == Case::Lower || kind == Kind::Placeholder)
                    | bit(Fact::Upper, kind == Kind::Word && case == Case::Upper)
                    | bit(Fact::Joined, gap == Gap::None && kind != Kind::End)
                    | bit(Fact::Glued, place & 4 != 0);
            }
        }
    }
    for mark in (0..128_u8).filter(u8::is_ascii_punctuation) {
        tables.marks[usize::from(mark)] = 1 << column_of_mark(mark);
    }
    tables
});

impl FactTables {
    /// Returns the bitmask of the facts that hold for a token; `key` is that of its word.
    #[inline]
    pub(in crate::rules) fn facts_of_token(&self, token: Token, key: u64) -> u64 {
        const STARS: u64 = crate::text::token::word_key(b"**");
        self.form[token.form()]
            | u64::from(token.end - token.start == 1) << Fact::SingleByte as u8
            | u64::from(key == STARS) << Fact::Stars as u8
            | u64::from(matches!(key as u8, 0xCE | 0xCF)) << Fact::Greek as u8
            | u64::from(KNOWN.lists_of_key(key)) << Fact::Phrase as u8
            | self.marks[(key as usize).min(0xFF)]
    }
}
