//! What stands for each removal where that depends on more than its kind: shifted dates, numbers, surrogates.
//!
//! The note is read once before it is written, because what stands for a removal depends on the others: who is who, what the
//! last date is, which words must not come back.

mod dates;
mod names;
mod surrogates;

use std::collections::{HashMap, HashSet};

use super::people::People;
use super::surrogate::{Surrogates, Word};
use super::{Context, Input, tag, write_cased};
use crate::calendar::Day;
use crate::entities::Entity;
use crate::finding::{Category, Kind};
use crate::policy::{self, Replace, Zip};
use crate::rules::Note;
use crate::text::token;
use crate::vocabulary::to_hex;
use crate::zip;

/// A stretch that does not come out.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: usize,
    last: usize,
    kind: Kind,
}

/// What stands for the removals of one note.
pub(super) struct ReplacementPlan<'a> {
    input: Input<'a>,
    context: Context<'a>,
    /// By how many days dates are moved; `None`: they are not.
    days: Option<i64>,
    /// The order of day and month in figures: the policy's, or what other dates of the note settle.
    order: Option<policy::DateOrder>,
    /// The year of dates without one, by the first token from which on it holds.
    years: Vec<(usize, i32)>,
    /// Dates and years that would tell an age over 89.
    hidden: HashSet<Day>,
    hidden_years: HashSet<i32>,
    /// The last date that the note or its message tells.
    last: Option<Day>,
    /// The first tokens of dates of birth.
    births: HashSet<usize>,
    people: People,
    /// The person of the name that begins at a token.
    persons: HashMap<usize, usize>,
    numbers: HashMap<(Category, String), u64>,
    /// Words of first names that a title tells to be a woman's or a man's.
    genders: HashMap<String, Word>,
    surrogates: Option<Surrogates<'a>>,
    /// Words of names in the note: no part of a place that stays may be one.
    names: HashSet<String>,
}

impl<'a> ReplacementPlan<'a> {
    /// The plan of a note.
    pub(super) fn new(input: Input<'a>, context: Context<'a>) -> Self {
        let mut plan = Self {
            input,
            context,
            days: None,
            order: input.policy.date_order,
            years: Vec::new(),
            hidden: HashSet::new(),
            hidden_years: HashSet::new(),
            last: None,
            births: HashSet::new(),
            people: People::default(),
            persons: HashMap::new(),
            numbers: HashMap::new(),
            genders: HashMap::new(),
            surrogates: None,
            names: HashSet::new(),
        };
        let runs = plan.runs_of_entities();
        if input.policy.dates != policy::Dates::Tag {
            plan.read_dates(&runs);
        }
        if matches!(input.policy.replace, Replace::Numbered | Replace::Surrogate) {
            plan.read_names(&runs);
        }
        if let (Replace::Surrogate, Some(key)) = (input.policy.replace, context.key) {
            let scope = match context.patient.and_then(|patient| patient.draw_id()) {
                Some(id) => format!("patient {id}"),
                // Nobody's notes are linked by what stands for a common name.
                None => format!("note {}", to_hex(&key.digest("note", &[input.source]))),
            };
            plan.surrogates = Some(Surrogates::new(key, scope, plan.removed_words()));
        }
        plan
    }

    /// Writes what stands for the tokens `first..last`.
    pub(super) fn write_replacement(&mut self, first: usize, last: usize, kind: Kind, out: &mut String) {
        let run = Run { first, last, kind };
        let policy = self.input.policy;
        let new = match kind.category() {
            Category::Date if policy.dates != policy::Dates::Tag => self.shifted_date(run),
            Category::Location if kind == Kind::Zip && policy.zip == Zip::Prefix => self.zip_prefix(run),
            _ => None,
        };
        let new = new.or_else(|| match policy.replace {
            Replace::Numbered => self.numbered_tag(run),
            Replace::Surrogate => self.draw_surrogate(run),
            Replace::Tag | Replace::Mask => None,
        });
        match new {
            Some(new) => out.push_str(&new),
            None => tag::write_tag(&self.input, first, last, kind, out),
        }
    }

    const fn note(&self) -> &'a Note<'a> {
        self.context.note
    }

    fn runs_of_entities(&self) -> Vec<Run> {
        let run = |entity: &Entity| {
            let (first, last) = (entity.first as usize, entity.last as usize);
            entity.kind.map(|kind| Run { first, last, kind })
        };
        self.input.entities.iter().filter_map(run).collect()
    }

    /// The text of a run, in the case of the note, with plain blanks and letters.
    fn plain_text(&self, run: Run) -> String {
        let Input { normalized, tokens, .. } = self.input;
        let mut text = String::new();
        let mut copied = tokens[run.first].start as usize;
        for token in &tokens[run.first..run.last] {
            text.push_str(&normalized.folded()[copied..token.start as usize]);
            write_cased(&normalized.folded()[token.span().range()], token.case, &mut text);
            copied = token.end as usize;
        }
        text
    }

    /// The folded letters and digits of a run, words apart.
    fn folded_text(&self, run: Run) -> String {
        let note = self.note();
        let words = (run.first..run.last)
            .filter(|&at| matches!(note.token(at).kind, token::Kind::Word | token::Kind::Number | token::Kind::Symbol));
        words.map(|at| note.word(at)).collect::<Vec<_>>().join(" ")
    }

    fn zip_prefix(&self, run: Run) -> Option<String> {
        // Codes of the United States only: five digits, or nine. Those of other countries have letters or another number of digits.
        let text = self.plain_text(run);
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let of_states = matches!(digits.len(), 5 | 9) && !text.chars().any(char::is_alphabetic);
        if of_states { zip::safe_harbor_prefix(&digits[..3]).map(str::to_owned) } else { None }
    }
}
