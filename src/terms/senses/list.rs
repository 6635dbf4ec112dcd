//! The lists of forms of several meanings, and of short forms of one.

use std::sync::LazyLock;

use crate::text::bundled_list;
use crate::text::lists::Line;
use crate::vocabulary::{EntryId, Vocabulary, WordId};

/// A form, with its meanings.
pub(super) struct ListedForm {
    pub(super) name: &'static str,
    pub(super) senses: Vec<ListedSense>,
}

/// A meaning and the evidence for it.
#[derive(Clone, Debug)]
pub(super) struct Sense<Term, Word> {
    pub(super) term: Term,
    pub(super) words: Vec<Word>,
    /// Words right before it.
    pub(super) before: Vec<Word>,
    /// Words right after it.
    pub(super) after: Vec<Word>,
    pub(super) signs: Signs,
}

/// A meaning in one vocabulary; it has no term where the vocabulary has none.
type ListedSense = Sense<&'static str, &'static str>;
pub(super) type VocabularySense = Sense<Option<EntryId>, WordId>;

/// What is evidence for a meaning, besides words.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is evidence of its own")]
pub(super) struct Signs {
    /// What only people do, right after it.
    pub(super) person: bool,
    pub(super) value: bool,
    pub(super) dose: bool,
    pub(super) lab: bool,
    pub(super) range: bool,
    /// It is meant where there is no evidence for another.
    pub(super) is_default: bool,
}

/// The forms of several meanings.
pub(super) static FORMS: LazyLock<Vec<ListedForm>> = LazyLock::new(|| {
    bundled_list!("../senses.txt").read(|forms: &mut Vec<ListedForm>, line| {
        match line {
            Line::Section(name) => forms.push(ListedForm { name, senses: Vec::new() }),
            Line::Item(item) => {
                let (term, evidence) = item.split_once(':').ok_or("a meaning without a colon")?;
                let form = forms.last_mut().ok_or("a meaning without a form")?;
                form.senses.push(Sense::parse(term, evidence)?);
            }
        }
        Ok(())
    })
});

/// Short forms, each with its term.
pub(super) static SHORT_FORMS: LazyLock<Vec<[&str; 2]>> =
    LazyLock::new(|| bundled_list!("../short_forms.txt").rows(':', Ok));

/// The term for which notes write a short form of one meaning.
///
/// ```
/// assert_eq!(notesieve::terms::senses::expand_short_form("AKI"), Some("acute kidney injury"));
/// ```
pub fn expand_short_form(name: &str) -> Option<&'static str> {
    SHORT_FORMS.iter().find(|[form, _]| form.eq_ignore_ascii_case(name)).map(|&[_, term]| term)
}

impl<Term: Default, Word> Default for Sense<Term, Word> {
    fn default() -> Self {
        let (words, before, after) = (Vec::new(), Vec::new(), Vec::new());
        Self { term: Term::default(), words, before, after, signs: Signs::default() }
    }
}

impl ListedSense {
    fn parse(term: &'static str, evidence: &'static str) -> Result<Self, String> {
        let mut sense = Self { term, ..Self::default() };
        for sign in evidence.split_whitespace() {
            match sign {
                "<value>" => sense.signs.value = true,
                "<dose>" => sense.signs.dose = true,
                "<lab>" => sense.signs.lab = true,
                "<range>" => sense.signs.range = true,
                "<else>" => sense.signs.is_default = true,
                "<person>" => sense.signs.person = true,
                _ => match (sign.strip_prefix('>'), sign.strip_suffix('>')) {
                    (Some(word), _) => sense.after.push(word),
                    (None, Some(word)) if word.starts_with('<') => {
                        return Err(format!("there is no evidence {sign:?}"));
                    }
                    (None, Some(word)) => sense.before.push(word),
                    (None, None) => sense.words.push(sign),
                },
            }
        }
        Ok(sense)
    }

    /// The meaning in a vocabulary.
    pub(super) fn in_vocabulary(&self, vocabulary: &Vocabulary) -> VocabularySense {
        let known = |words: &[&str]| {
            let ids = words.iter().map(|word| vocabulary.word_id(word.as_bytes()));
            ids.filter(|word| word.is_known()).collect()
        };
        let (words, before, after) = (known(&self.words), known(&self.before), known(&self.after));
        Sense { term: vocabulary.entry_of(self.term), words, before, after, signs: self.signs }
    }
}
