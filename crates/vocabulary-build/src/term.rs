//! Records of vocabulary sources: words, terms and concepts.

use notesieve_vocabulary::class::Class;

/// The kind of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TermKind {
    /// The preferred name in its source.
    Preferred,
    /// A synonym for the same concept.
    Synonym,
    /// A form that a rule derived from a name. A form that a source states takes precedence over it.
    Variant,
    /// A place or another phrase that is no reason to keep a token; rules look it up.
    Place,
}

/// One written form of a concept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The text as in the source.
    pub text: String,
    /// The concept's code within its system, for example `D003920`.
    pub code: String,
    /// The CURIE prefix of the system, for example `mesh`.
    pub system: String,
    /// The kind of the term.
    pub kind: TermKind,
}

/// A source's record of a concept, without its terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Concept {
    /// The code within its system.
    pub code: String,
    /// The CURIE prefix of the system.
    pub system: String,
    /// The preferred name.
    pub preferred: String,
    /// The semantic types, or tree numbers where the system has a tree.
    pub types: Vec<String>,
    /// The CURIEs of the broader concepts.
    pub parents: Vec<String>,
    /// The CURIEs of the same concept in other systems.
    pub same_as: Vec<String>,
}

/// A word on a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word, or the phrase for lists of places and eponyms.
    pub text: String,
    /// The list that contains it.
    pub class: Class,
    /// Its count; 0 where the list has no counts.
    pub count: u64,
}

/// One record of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// A concept.
    Concept(Concept),
    /// A term of a concept.
    Term(Term),
    /// A word of a list.
    Word(Word),
}
