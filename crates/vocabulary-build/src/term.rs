//! What every source of a vocabulary gives: words, terms and concepts.

use notesieve_vocabulary::class::Class;

/// What a term may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TermKind {
    /// The name that its source prefers.
    Preferred,
    /// Another name for the same concept.
    Synonym,
    /// A way to write a name that a rule made. It never stands beside what a source says of the same form.
    Variant,
    /// A place or another phrase that is never let through: rules ask for it.
    Place,
}

/// One written form of a concept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// As the source writes it.
    pub text: String,
    /// The concept's code within its system, e.g. `D003920`.
    pub code: String,
    /// The CURIE prefix of the system, e.g. `mesh`.
    pub system: String,
    /// What it may do.
    pub kind: TermKind,
}

/// What a source says of a concept besides its terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Concept {
    /// The code within its system.
    pub code: String,
    /// The CURIE prefix of the system.
    pub system: String,
    /// The preferred name.
    pub preferred: String,
    /// Semantic types, or tree numbers where the system has a tree.
    pub types: Vec<String>,
    /// CURIEs of the broader concepts.
    pub parents: Vec<String>,
    /// CURIEs of the same concept in other systems.
    pub same_as: Vec<String>,
}

/// A word of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word (or phrase, for lists of places and eponyms).
    pub text: String,
    /// The list it stands on.
    pub class: Class,
    /// How often it was counted; 0 where the list has no counts.
    pub count: u64,
}

/// One record of a source, in the order of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// A concept.
    Concept(Concept),
    /// A term of a concept.
    Term(Term),
    /// A word of a list.
    Word(Word),
}
