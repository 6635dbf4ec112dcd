//! Variants of a term, each with the rule that made it.
//!
//! `build` applies them to every term it keeps. A hyphen, a space and a possessive `'s` need no variant if the units of
//! the term are the same without them (`B-12`, `B 12`; `Crohn's disease`, `Crohn disease`), because the compiler and
//! the matcher skip these marks. The rules here make the variants whose units differ.

mod forms;
mod heads;
mod spelling;

use std::collections::HashSet;

pub use forms::{plural, singular};
pub use notesieve_vocabulary::long_form_start;

/// The maximum number of variants: no term needs more, and chemical names would have hundreds.
const MAX_VARIANTS: usize = 16;
/// The maximum length of a term with variants, in bytes.
const MAX_TERM_BYTES: usize = 120;

/// A rule that makes variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// "Anemia, Aplastic" as "Aplastic Anemia".
    Uninverted,
    /// "Diabetes Mellitus, Type 2" without its comma.
    CommaDropped,
    /// Without NOS, "unspecified", a semantic tag in parentheses, or anything in square brackets.
    Stripped,
    /// "Acute Kidney Injury (AKI)" as both of its parts.
    Expanded,
    /// "Jaw Neoplasms" as "Jaw tumors".
    Head,
    /// "Hereditary angioedema" as "familial angioedema".
    Modifier,
    /// "Renal failure" as "kidney failure".
    Organ,
    /// "Quadriplegia" as "quadriplegic".
    Adjective,
    /// The head word in the other grammatical number.
    Number,
    /// American spelling as British, or the reverse.
    Spelling,
    /// Greek letters spelled out or as symbols.
    Greek,
    /// Roman numerals as Arabic, or the reverse.
    Numeral,
    /// "post-operative" as "postoperative".
    Joined,
    /// "Crohn's disease" as "Crohns disease".
    Possessive,
}

impl Rule {
    /// Returns the name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uninverted => "uninverted",
            Self::CommaDropped => "comma dropped",
            Self::Stripped => "stripped",
            Self::Expanded => "expanded",
            Self::Head => "head word",
            Self::Modifier => "modifier",
            Self::Organ => "organ",
            Self::Adjective => "adjective",
            Self::Number => "number",
            Self::Spelling => "spelling",
            Self::Greek => "Greek letter",
            Self::Numeral => "numeral",
            Self::Joined => "joined",
            Self::Possessive => "possessive",
        }
    }
}

/// Returns the distinct variants of a term without the term itself, those with the fewest changes first. Each has the
/// last rule that was applied to make it.
///
/// ```
/// use notesieve_vocabulary_build::variants::{Rule, variants};
/// let made: Vec<_> = variants("Anemias, Aplastic").collect();
/// assert!(made.contains(&("Aplastic Anemias".to_owned(), Rule::Uninverted)));
/// assert!(made.contains(&("Aplastic Anemia".to_owned(), Rule::Number)));
/// ```
pub fn variants(text: &str) -> impl Iterator<Item = (String, Rule)> + use<> {
    let mut made = Variants { seen: HashSet::from([text.to_owned()]), list: vec![(text.to_owned(), None)] };
    if text.len() <= MAX_TERM_BYTES {
        // Each step applies to all results of the previous steps.
        made.apply_rules(&[(Rule::Stripped, forms::without_qualifiers)]);
        made.apply_rules(&[(Rule::Expanded, forms::split_expansion)]);
        made.apply_rules(&[(Rule::Uninverted, forms::uninverted), (Rule::CommaDropped, forms::without_comma)]);
        made.apply_rules(&[(Rule::Head, heads::with_other_heads)]);
        made.apply_rules(&[(Rule::Modifier, heads::with_other_modifiers), (Rule::Organ, heads::with_other_organ_name)]);
        made.apply_rules(&[(Rule::Adjective, heads::adjective_of_disease)]);
        made.apply_rules(&[(Rule::Number, forms::with_other_grammatical_number)]);
        made.apply_rules(&[
            (Rule::Spelling, spelling::other_english_spelling),
            (Rule::Greek, spelling::with_other_greek_form),
            (Rule::Numeral, spelling::with_other_numerals),
            (Rule::Joined, spelling::without_hyphen),
            (Rule::Possessive, spelling::without_apostrophe),
        ]);
    }
    made.list.into_iter().filter_map(|(text, rule)| rule.map(|rule| (text, rule)))
}

/// A function that makes the variants of a term for one rule.
type Make = fn(&str) -> Vec<String>;

struct Variants {
    seen: HashSet<String>,
    list: Vec<(String, Option<Rule>)>,
}

impl Variants {
    fn apply_rules(&mut self, rules: &[(Rule, Make)]) {
        for at in 0..self.list.len() {
            for &(rule, make) in rules {
                for form in make(&self.list[at].0) {
                    let sound = form.bytes().any(|byte| byte.is_ascii_alphanumeric());
                    if sound && self.list.len() <= MAX_VARIANTS && self.seen.insert(form.clone()) {
                        self.list.push((form, Some(rule)));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Vec<(String, Rule)> {
        variants(text).collect()
    }

    fn rule_of_variant(text: &str, variant: &str) -> Option<Rule> {
        rules(text).into_iter().find(|(form, _)| form == variant).map(|(_, rule)| rule)
    }

    #[test]
    fn each_rule_makes_its_variant() {
        for (text, variant, rule) in [
            ("Anemia, Aplastic", "Aplastic Anemia", Rule::Uninverted),
            ("Anemia, Hemolytic, Autoimmune", "Autoimmune Hemolytic Anemia", Rule::Uninverted),
            ("Fever of the Fens, Acute", "Acute Fever of the Fens", Rule::Uninverted),
            ("Diabetes Mellitus, Type 2", "Diabetes Mellitus Type 2", Rule::CommaDropped),
            ("Diabetes Mellitus, Type 2", "Type II Diabetes Mellitus", Rule::Numeral),
            ("Asthma NOS", "Asthma", Rule::Stripped),
            ("Pneumonia, unspecified", "Pneumonia", Rule::Stripped),
            ("Marsh fever (disorder)", "Marsh fever", Rule::Stripped),
            ("[X]Marsh fever", "Marsh fever", Rule::Stripped),
            ("Marsh fever [Disease/Finding]", "Marsh fever", Rule::Stripped),
            ("Acute Kidney Injury (AKI)", "Acute Kidney Injury", Rule::Expanded),
            ("Acute Kidney Injury (AKI)", "AKI", Rule::Expanded),
            ("Jaw Neoplasms", "Jaw tumors", Rule::Head),
            ("Jaw Neoplasms", "Jaw tumour", Rule::Spelling),
            ("Marsh protein deficiency", "Marsh protein deficient", Rule::Head),
            ("Hereditary marsh fever", "familial marsh fever", Rule::Modifier),
            ("Familial marsh fevers", "inherited marsh fevers", Rule::Modifier),
            ("Renal failure", "kidney failure", Rule::Organ),
            ("Muscular diseases", "muscle diseases", Rule::Organ),
            ("Hepatic diseases", "Hepatic dysfunctions", Rule::Head),
            ("Quadriplegia", "Quadriplegic", Rule::Adjective),
            ("Ototoxicity", "Ototoxic", Rule::Adjective),
            ("Hyperinsulinemia", "Hyperinsulinaemia", Rule::Spelling),
            ("Marsh and lake fever", "Marsh and lake fevers", Rule::Number),
            ("Lung Neoplasms", "Lung Neoplasm", Rule::Number),
            ("Disorder of the eye", "Disorders of the eye", Rule::Number),
            ("Tumor of brain", "Tumour of brain", Rule::Spelling),
            ("oesophageal tumour", "esophageal tumor", Rule::Spelling),
            ("beta-Thalassemia", "β-Thalassemia", Rule::Greek),
            ("α-fetoprotein", "alpha-fetoprotein", Rule::Greek),
            ("Factor VIII", "Factor 8", Rule::Numeral),
            ("stage 3 disease", "stage III disease", Rule::Numeral),
            ("Post-operative pain", "Postoperative pain", Rule::Joined),
            ("X-ray", "Xray", Rule::Joined),
            ("Crohn's disease", "Crohns disease", Rule::Possessive),
        ] {
            assert_eq!(rule_of_variant(text, variant), Some(rule), "{text} -> {variant}: {:?}", rules(text));
        }
    }

    #[test]
    fn what_must_not_be_made() {
        for (text, variant) in [
            ("1,2-Dipalmitoylphosphatidylcholine", "2-Dipalmitoylphosphatidylcholine 1"),
            ("Bites, Stings, and Wounds", "and Wounds Stings Bites"),
            ("Diabetes", "Diabete"),
            ("Herpes", "Herpe"),
            ("Hepatitis", "Hepatiti"),
            ("Hepatitis (viral)", "Hepatitis"),
            ("AIDS", "AID"),
            ("Colorectal surgery", "Colourectal surgery"),
            ("Vitamin C", "Vitamin 100"),
            ("Hemiplegia", "Haemiplegia"),
            ("Marsh fever, familial", "Marsh fever, hereditary"),
            ("Marsh protein disease", "Marsh protein dysfunction"),
            ("Renal cell cancer", "Kidney cell cancer"),
            ("Academia", "Academaia"),
            ("Neuropathic", "Neuropathicic"),
        ] {
            assert_eq!(rule_of_variant(text, variant), None, "{text} -> {variant}");
        }
    }

    #[test]
    fn variants_are_few_distinct_and_never_the_term() {
        for text in
            ["Anemia, Aplastic", "Tumors, beta-Cell, Type II, Post-operative (disorder)", "", ",", "(x)", "é, ü"]
        {
            let all = rules(text);
            let distinct: HashSet<&String> = all.iter().map(|(form, _)| form).collect();
            assert_eq!(distinct.len(), all.len());
            assert!(all.len() <= MAX_VARIANTS && all.iter().all(|(form, _)| form != text));
        }
    }
}
