//! Plans replacements that depend on more than the kind of a removal: shifted dates, numbered tags, surrogates.
//!
//! The note is read once before it is written, because a replacement depends on the rest of the note: which names mean
//! one person, what the last date is, which words must not come back.

mod dates;
mod names;
mod surrogates;

use std::collections::{HashMap, HashSet};

use super::people::People;
use super::surrogate::{NameType, Surrogates};
use super::{Context, Input, tag, write_cased};
use crate::calendar::Day;
use crate::entities::Entity;
use crate::finding::{Category, Kind};
use crate::policy::{self, Replace, Zip};
use crate::rules::Note;
use crate::text::token;
use crate::vocabulary::to_hex;
use crate::zip;

/// A removed span with a kind.
#[derive(Clone, Copy, Debug)]
struct RemovedSpan {
    first: usize,
    end: usize,
    kind: Kind,
}

/// The replacements of one note.
pub(super) struct ReplacementPlan<'a> {
    input: Input<'a>,
    context: Context<'a>,
    /// The date shift in days; `None` if dates are not shifted.
    days: Option<i64>,
    /// The order of numeric dates: by the policy, or by other dates of the note.
    order: Option<policy::DateOrder>,
    /// The years for dates without one, by the first token of the date that each comes from.
    years: Vec<(usize, i32)>,
    /// Days and years that would reveal an age over 89.
    hidden: HashSet<Day>,
    hidden_years: HashSet<i32>,
    /// The last date of the note or its message.
    last: Option<Day>,
    /// The first tokens of dates of birth.
    births: HashSet<usize>,
    people: People,
    /// The index of the person, by the first token of a name.
    persons: HashMap<usize, usize>,
    numbers: HashMap<(Category, String), u64>,
    /// The gender of first names by the title before them.
    genders: HashMap<String, NameType>,
    surrogates: Option<Surrogates<'a>>,
    /// Words of names in the note: a kept part of a place must not be one of them.
    names: HashSet<String>,
}

impl<'a> ReplacementPlan<'a> {
    /// Creates the plan of a note.
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
                // Without a patient, surrogates differ between notes, so that common names do not link them.
                None => format!("note {}", to_hex(&key.digest("note", &[input.source]))),
            };
            plan.surrogates = Some(Surrogates::new(key, scope, plan.removed_words()));
        }
        plan
    }

    /// Writes the replacement of the tokens `first..last`.
    pub(super) fn write_replacement(&mut self, first: usize, last: usize, kind: Kind, out: &mut String) {
        let run = RemovedSpan { first, end: last, kind };
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

    fn runs_of_entities(&self) -> Vec<RemovedSpan> {
        let run = |entity: &Entity| {
            let (first, last) = (entity.first as usize, entity.end as usize);
            entity.kind.map(|kind| RemovedSpan { first, end: last, kind })
        };
        self.input.entities.iter().filter_map(run).collect()
    }

    /// Returns the text of a span in the letter case of the note, with plain spaces and letters.
    fn plain_text(&self, run: RemovedSpan) -> String {
        let Input { normalized, tokens, .. } = self.input;
        let mut text = String::new();
        let mut copied = tokens[run.first].start as usize;
        for token in &tokens[run.first..run.end] {
            text.push_str(&normalized.folded()[copied..token.start as usize]);
            write_cased(&normalized.folded()[token.span().range()], token.case, &mut text);
            copied = token.end as usize;
        }
        text
    }

    /// Returns the folded words and numbers of a span, separated by spaces.
    fn folded_text(&self, run: RemovedSpan) -> String {
        let note = self.note();
        let words = (run.first..run.end)
            .filter(|&at| matches!(note.token(at).kind, token::Kind::Word | token::Kind::Number | token::Kind::Symbol));
        words.map(|at| note.word(at)).collect::<Vec<_>>().join(" ")
    }

    fn zip_prefix(&self, run: RemovedSpan) -> Option<String> {
        // Only codes of the United States: five or nine digits. Those of other countries have letters or another number
        // of digits.
        let text = self.plain_text(run);
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let of_states = matches!(digits.len(), 5 | 9) && !text.chars().any(char::is_alphabetic);
        if of_states { zip::safe_harbor_prefix(&digits[..3]).map(str::to_owned) } else { None }
    }
}
