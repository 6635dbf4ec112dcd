//! Surrogates for the tags of texts that were de-identified before. The originals are unknown, so each surrogate is
//! drawn from a name of its tag.

use std::collections::HashSet;

use super::surrogate::{NameType, Surrogates};
use crate::calendar::Day;
use crate::key::Key;
use crate::vocabulary::{Vocabulary, to_hex};

/// The surrogates of one text: the same for the same patient, form and name.
#[derive(Debug)]
pub struct TagSurrogates<'a> {
    surrogates: Surrogates<'a>,
    vocabulary: &'a Vocabulary,
    /// Separates the tags of this text from those of others, unless they are known to mean the same.
    note: String,
    has_patient: bool,
}

impl<'a> TagSurrogates<'a> {
    /// The forms of surrogates.
    pub const FORMS: [&'static str; 11] =
        ["family", "woman", "man", "place", "house", "zip", "phone", "code", "email", "url", "date"];

    /// Creates the surrogates of a patient's text; without a patient, of this text alone.
    #[must_use]
    pub fn new(key: &'a Key, vocabulary: &'a Vocabulary, patient: Option<&str>, text: &str) -> Self {
        let note = to_hex(&key.digest("note", &[text]));
        let scope = patient.map_or_else(|| format!("note {note}"), |id| format!("patient {id}"));
        let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() > 1);
        // No surrogate may be a word of the text: the two would be indistinguishable.
        let forbidden: HashSet<String> = words.map(str::to_lowercase).collect();
        let surrogates = Surrogates::new(key, scope, forbidden);
        Self { surrogates, vocabulary, note, has_patient: patient.is_some() }
    }

    /// Returns a surrogate for the tag with that name. With `shared`, the name means the same in all texts of the
    /// patient. `None` if there is no such form.
    pub fn surrogate_for_tag(&mut self, form: &str, name: &str, shared: bool) -> Option<String> {
        let name = if shared && self.has_patient { format!("tag {name}") } else { format!("tag {} {name}", self.note) };
        let Self { surrogates, vocabulary, .. } = self;
        let is_free = |word: &str| vocabulary.classes(vocabulary.word_id(word.as_bytes())).is_empty();
        match form {
            "family" => surrogates.made_up_word(NameType::Family, &name, is_free),
            "woman" => surrogates.made_up_word(NameType::Woman, &name, is_free),
            "man" => surrogates.made_up_word(NameType::Man, &name, is_free),
            "place" => surrogates.made_up_word(NameType::Place, &name, is_free),
            "house" => surrogates.house_number(&name),
            "zip" => surrogates.zip_code(&name),
            "email" | "url" => surrogates.electronic_address(&name, form == "url"),
            "phone" => {
                let digits = format!("{:010}", surrogates.draw_below(10_u64.pow(10), "tag", &name, 0));
                surrogates.phone_number(&format!("({}) {}-{}", &digits[..3], &digits[3..6], &digits[6..]))
            }
            "code" => {
                surrogates.code_of_same_shape(&format!("{:07}", surrogates.draw_below(10_u64.pow(7), "tag", &name, 0)))
            }
            // In a future year, the same for each patient, so that it cannot be mistaken for a missed date.
            "date" => {
                let year = 2100 + surrogates.draw_below(90, "year", "", 0) as i32;
                let day = Day::new(year, 1, 1)?.plus_days(surrogates.draw_below(365, "day", &name, 0).cast_signed());
                Some(format!("{:02}/{:02}/{}", day.month, day.day, day.year))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_has_one_surrogate_in_each_form() {
        let key = Key::from_hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f").expect("a key");
        let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("a vocabulary");
        let of = |patient, text| TagSurrogates::new(&key, &vocabulary, patient, text);
        for form in TagSurrogates::FORMS {
            let one = of(Some("17"), "one").surrogate_for_tag(form, "a", true).expect("a surrogate");
            assert_eq!(
                of(Some("17"), "two").surrogate_for_tag(form, "a", true),
                Some(one.clone()),
                "{form} in another text"
            );
            assert_ne!(
                of(Some("18"), "one").surrogate_for_tag(form, "a", true),
                Some(one.clone()),
                "{form} of another patient"
            );
            let mut own = of(None, "one");
            let first = own.surrogate_for_tag(form, "a", true);
            assert_eq!(own.surrogate_for_tag(form, "a", true), first, "{form}");
            if form != "zip" {
                assert_ne!(of(None, "two").surrogate_for_tag(form, "a", true), first, "{form} of nobody's text");
                assert_ne!(
                    of(Some("17"), "two").surrogate_for_tag(form, "a", false),
                    Some(one),
                    "{form} of one text alone"
                );
            }
        }
        assert_eq!(of(None, "one").surrogate_for_tag("state", "a", true), None);
    }
}
