//! What stands for each removal where that depends on more than its kind: shifted dates, numbers, surrogates.
//!
//! The note is read once before it is written, because what stands for a removal depends on the others: who is who, what the
//! last date is, which words must not come back.

use std::collections::{HashMap, HashSet};

use super::date::{self, Dates};
use super::people::People;
use super::surrogate::{Surrogates, Word};
use super::{Context, Input, run_end, tag, write_cased};
use crate::calendar::{self, Day};
use crate::decide::{self, Action};
use crate::key::hex;
use crate::policy::{self, Replace, Zip};
use crate::rules::{Category, Kind, View};
use crate::token::{self, Case};
use crate::vocabulary::{Class, Classes};
use crate::zip;

/// A stretch that does not come out.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: usize,
    last: usize,
    kind: Kind,
}

/// Parts of the names of places that say what kind of place it is.
const GENERIC: Classes = Classes::of(&[
    Class::StreetType,
    Class::Facility,
    Class::Organisation,
    Class::WardNoun,
    Class::PlaceAfter,
    Class::PlaceBefore,
    Class::Stop,
]);

/// What stands for the removals of one note.
pub(super) struct Plan<'a> {
    input: Input<'a>,
    context: Context<'a>,
    /// By how many days dates are moved; `None`: they are not.
    days: Option<i64>,
    /// The year of dates without one, by the first token from which on it holds.
    years: Vec<(usize, i32)>,
    /// Dates and years that would tell an age over 89.
    hidden: HashSet<Day>,
    hidden_years: HashSet<i32>,
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

impl<'a> Plan<'a> {
    /// The plan of a note.
    pub(super) fn new(input: Input<'a>, context: Context<'a>) -> Self {
        let mut plan = Self {
            input,
            context,
            days: None,
            years: Vec::new(),
            hidden: HashSet::new(),
            hidden_years: HashSet::new(),
            people: People::default(),
            persons: HashMap::new(),
            numbers: HashMap::new(),
            genders: HashMap::new(),
            surrogates: None,
            names: HashSet::new(),
        };
        let runs = plan.runs();
        if input.policy.dates != policy::Dates::Tag {
            plan.read_dates(&runs);
        }
        if matches!(input.policy.replace, Replace::Numbered | Replace::Surrogate) {
            plan.read_names(&runs);
        }
        if let (Replace::Surrogate, Some(key)) = (input.policy.replace, context.key) {
            let scope = match context.patient.and_then(|patient| patient.id()) {
                Some(id) => format!("patient {id}"),
                // Nobody's notes are linked by what stands for a common name.
                None => format!("note {}", hex(&key.digest("note", &[input.source]))),
            };
            plan.surrogates = Some(Surrogates::new(key, scope, plan.removed_words()));
        }
        plan
    }

    /// Writes what stands for the tokens `first..last`.
    pub(super) fn write(&mut self, first: usize, last: usize, kind: Kind, out: &mut String) {
        let run = Run { first, last, kind };
        let policy = self.input.policy;
        let new = match kind.category() {
            Category::Date if policy.dates != policy::Dates::Tag => self.date(run),
            Category::Location if kind == Kind::Zip && policy.zip == Zip::Prefix => self.zip(run),
            _ => None,
        };
        let new = new.or_else(|| match policy.replace {
            Replace::Numbered => self.number(run),
            Replace::Surrogate => self.surrogate(run),
            Replace::Tag | Replace::Mask => None,
        });
        match new {
            Some(new) => out.push_str(&new),
            None => tag::write(&self.input, first, last, kind, out),
        }
    }

    const fn view(&self) -> &'a View<'a> {
        self.context.view
    }

    fn runs(&self) -> Vec<Run> {
        let Input { decisions, findings, .. } = self.input;
        let mut runs = Vec::new();
        let mut at = 0;
        while at < decisions.len() {
            if decisions[at].action != Action::Remove {
                at += 1;
                continue;
            }
            let kind = decide::kind(decisions[at], findings);
            let last = run_end(&self.input, at, kind);
            if let Some(kind) = kind {
                runs.push(Run { first: at, last, kind });
            }
            at = last;
        }
        runs
    }

    /// The text of a run, in the case of the note, with plain blanks and letters.
    fn text(&self, run: Run) -> String {
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
    fn folded(&self, run: Run) -> String {
        let view = self.view();
        let words = (run.first..run.last)
            .filter(|&at| matches!(view.token(at).kind, token::Kind::Word | token::Kind::Number | token::Kind::Symbol));
        words.map(|at| view.word(at)).collect::<Vec<_>>().join(" ")
    }

    // ---- dates

    fn read_dates(&mut self, runs: &[Run]) {
        let policy = self.input.policy;
        let Context { key, patient, .. } = self.context;
        if let (policy::Dates::Shift, Some(key), Some(id)) =
            (policy.dates, key, patient.and_then(|patient| patient.id()))
        {
            self.days = Some(calendar::offset(key, id, policy.season));
        }
        let mut all = Vec::new();
        for run in runs.iter().filter(|run| run.kind.category() == Category::Date) {
            let text = self.text(*run);
            let Some(dates) = Dates::read(&text, policy.date_order) else { continue };
            let days: Vec<Day> = dates.days().collect();
            if let Some(day) = days.first() {
                self.years.push((run.first, day.year));
            }
            let birth = self.is_birth(run.first);
            if days.is_empty() {
                all.extend(dates.years().flatten().filter_map(|year| Some((Day::new(year, 12, 31)?, birth))));
            }
            all.extend(days.into_iter().map(|day| (day, birth)));
        }
        let Some(latest) = all.iter().filter(|(_, birth)| !birth).map(|&(day, _)| day).max() else {
            // Nothing to hold a date of birth against but the age itself.
            if runs.iter().any(|run| run.kind == Kind::AgeOver89) {
                for (day, _) in all.into_iter().filter(|(_, birth)| *birth) {
                    self.hide(day);
                }
            }
            return;
        };
        let aged = runs.iter().any(|run| run.kind == Kind::AgeOver89);
        for (day, birth) in all {
            if day.is_ninety_on(latest) || (aged && birth) {
                self.hide(day);
            }
        }
        let born = patient.and_then(|patient| patient.known().birth_date);
        if let Some(born) =
            born.and_then(|(year, month, day)| Day::new(year, month, day)).filter(|born| born.is_ninety_on(latest))
        {
            self.hide(born);
        }
    }

    fn hide(&mut self, day: Day) {
        self.hidden.insert(day);
        self.hidden_years.insert(day.year);
    }

    /// Whether a word before the date says that it is one of birth.
    fn is_birth(&self, first: usize) -> bool {
        let view = self.view();
        (first.saturating_sub(5)..first)
            .any(|at| matches!(view.bytes(at), b"dob" | b"birth" | b"born" | b"birthdate" | b"birthday" | b"bday"))
    }

    /// A date moved, or its year. `None`: it gets a tag.
    fn date(&self, run: Run) -> Option<String> {
        let policy = self.input.policy;
        let text = self.text(run);
        if policy.dates == policy::Dates::Year {
            return self.year(&text);
        }
        let days = self.days?;
        let dates = Dates::read(&text, policy.date_order)?;
        let hidden = dates.days().any(|day| self.hidden.contains(&day))
            || dates.years().flatten().any(|year| self.hidden_years.contains(&year));
        if hidden {
            return None;
        }
        if policy.tags == policy::DEID {
            let mut moved = dates.days();
            let (day, None) = (moved.next()?.plus(days), moved.next()) else { return None };
            return Some(format!("[**{}/{}/{}**]", day.year, day.month, day.day));
        }
        // The year of the date before it, or of the first one after.
        let before = self.years.iter().rev().find(|(first, _)| *first < run.first);
        let context = before.or(self.years.first()).map_or(COMMON_YEAR, |&(_, year)| year);
        dates.shifted(days, context)
    }

    fn year(&self, text: &str) -> Option<String> {
        use policy::DateOrder::{Dmy, Mdy, Ymd};
        let years = |order| {
            let dates = Dates::read(text, order)?;
            dates.years().collect::<Option<Vec<i32>>>()
        };
        let order = self.input.policy.date_order;
        // Without an order the year may be plain where day and month are not.
        let years = if order.is_some() {
            years(order)?
        } else {
            let mut readings = [Mdy, Dmy, Ymd].into_iter().filter_map(|order| years(Some(order)));
            let first = readings.next()?;
            readings.all(|other| other == first).then_some(first)?
        };
        if years.iter().any(|year| self.hidden_years.contains(year)) {
            return None;
        }
        let (first, last) = (years.first()?, years.last()?);
        Some(if first == last { first.to_string() } else { format!("{first}-{last}") })
    }

    fn zip(&self, run: Run) -> Option<String> {
        let digits: String = self.text(run).chars().filter(char::is_ascii_digit).take(3).collect();
        zip::prefix(&digits).map(str::to_owned)
    }

    // ---- names

    fn read_names(&mut self, runs: &[Run]) {
        if let Some(patient) = self.context.patient {
            let names: Vec<Vec<String>> =
                patient.known().names.iter().map(|name| crate::patient::name_words(name)).collect();
            self.people.patient(&names);
            if !names.concat().is_empty() {
                // The patient is always the first.
                self.numbers.insert((Category::Name, "person 0".to_owned()), 1);
            }
        }
        for run in runs.iter().filter(|run| run.kind.category() == Category::Name) {
            let words = self.name(*run);
            if words.is_empty() {
                continue;
            }
            let person = self.people.person(&words);
            self.persons.insert(run.first, person);
            if let Some(gender) = self.gender_before(run.first) {
                let told = words.iter().filter(|word| self.is_first_name(word)).cloned();
                let told: Vec<String> = told.collect();
                self.genders.extend(told.into_iter().map(|word| (word, gender)));
            }
            self.names.extend(words.into_iter().filter(|word| word.len() > 1));
        }
    }

    /// The folded words of a name, the family name last.
    fn name(&self, run: Run) -> Vec<String> {
        let view = self.view();
        let mut words = Vec::new();
        let mut comma = None;
        for at in run.first..run.last {
            if view.is_word(at) && !view.any(at, Classes::of(&[Class::NameSuffix, Class::Title, Class::Credential])) {
                // Initials without points: JB.
                let initials = run.kind == Kind::Initials && view.case(at) == Case::Upper && view.bytes(at).len() > 1;
                if initials {
                    words.extend(view.word(at).chars().map(String::from));
                } else {
                    words.push(view.word(at).to_owned());
                }
            } else if view.is_mark(at, b',') && comma.is_none() && !words.is_empty() {
                comma = Some(words.len());
            }
        }
        if let Some(comma) = comma {
            words.rotate_left(comma);
        }
        words
    }

    fn gender_before(&self, first: usize) -> Option<Word> {
        let view = self.view();
        for back in 1..=2 {
            let at = first.checked_sub(back)?;
            match view.bytes(at) {
                b"mr" | b"mister" | b"sir" | b"husband" | b"father" | b"son" | b"brother" | b"uncle"
                | b"grandfather" | b"nephew" | b"sr" | b"senor" => return Some(Word::Man),
                b"mrs" | b"ms" | b"miss" | b"wife" | b"mother" | b"daughter" | b"sister" | b"aunt" | b"grandmother"
                | b"niece" | b"sra" | b"senora" | b"mme" => return Some(Word::Woman),
                b"." => {}
                _ => return None,
            }
        }
        None
    }

    /// Whether a word is more often a first name than a family name.
    fn is_first_name(&self, word: &str) -> bool {
        let vocabulary = self.input.vocabulary;
        let id = vocabulary.word(word.as_bytes());
        let ranks = vocabulary.ranks(id);
        vocabulary.classes(id).has(Class::FirstName) && ranks.first_name > ranks.surname
    }

    // ---- numbers

    /// The tag with the number of the person, place or thing.
    fn number(&mut self, run: Run) -> Option<String> {
        let category = run.kind.category();
        if category == Category::Age {
            return None;
        }
        let person = self.persons.get(&run.first).copied();
        let thing = match person {
            Some(person) => format!("person {person}"),
            None => self.folded(run).replace(' ', ""),
        };
        let known = (category, thing);
        let number = self.numbers.get(&known).copied().unwrap_or_else(|| self.next_number(category, person, &known.1));
        self.numbers.insert(known, number);
        let mut tag = String::new();
        tag::write_numbered(&self.input, run.first, run.last, run.kind, number, &mut tag);
        Some(tag)
    }

    /// A number that nothing else of the category has: in order of appearance, or drawn from the key where all notes of a
    /// patient must agree.
    fn next_number(&self, category: Category, person: Option<usize>, thing: &str) -> u64 {
        let taken = |number: u64| self.numbers.iter().any(|((known, _), other)| *known == category && *other == number);
        let Context { patient, key, .. } = self.context;
        let mut number = 1;
        if let (Some(key), Some(id)) = (key, patient.and_then(|patient| patient.id())) {
            let family = person.map_or(thing, |person| self.people.family(person));
            number = KEYED + key.below(9 * KEYED, "number", &[id, category.key(), family]);
        }
        while taken(number) {
            number += 1;
        }
        number
    }

    // ---- surrogates

    /// Folded words and numbers of the note that do not come out.
    fn removed_words(&self) -> HashSet<String> {
        let view = self.view();
        (0..view.len())
            .filter(|&at| self.input.decisions[at].action == Action::Remove)
            .filter(|&at| matches!(view.token(at).kind, token::Kind::Word | token::Kind::Number))
            .flat_map(|at| view.word(at).split(|letter: char| !letter.is_alphanumeric()))
            .filter(|part| part.len() > 1)
            .map(str::to_owned)
            .collect()
    }

    fn surrogate(&mut self, run: Run) -> Option<String> {
        let mut surrogates = self.surrogates.take()?;
        let new = self.surrogate_of(run, &mut surrogates);
        self.surrogates = Some(surrogates);
        new
    }

    fn surrogate_of(&self, run: Run, surrogates: &mut Surrogates<'a>) -> Option<String> {
        match run.kind {
            Kind::Name | Kind::Initials => self.other_name(run, surrogates),
            Kind::Zip => surrogates.zip(&self.folded(run)),
            Kind::State | Kind::Country => None,
            kind if kind.category() == Category::Location => self.other_place(run, surrogates),
            Kind::Email | Kind::Url => surrogates.electronic(&self.folded(run), run.kind == Kind::Url),
            Kind::Phone | Kind::Fax | Kind::Pager => {
                let text = self.text(run);
                surrogates.phone(&text).or_else(|| surrogates.code(&text))
            }
            kind if matches!(kind.category(), Category::Id | Category::Contact) => surrogates.code(&self.text(run)),
            _ => None,
        }
    }

    /// Whether a made-up word is no word of any list and no name that the caller knows.
    fn is_free(&self, word: &str) -> bool {
        let vocabulary = self.input.vocabulary;
        vocabulary.classes(vocabulary.word(word.as_bytes())).is_empty()
            && !self.context.patient.is_some_and(|patient| patient.has_word(word))
    }

    /// Writes a run word by word, with the marks and blanks between.
    fn word_by_word(&self, run: Run, mut new: impl FnMut(usize) -> Option<String>) -> Option<String> {
        let Input { normalized, tokens, .. } = self.input;
        let mut text = String::new();
        let mut copied = tokens[run.first].start as usize;
        for (token, at) in tokens[run.first..run.last].iter().zip(run.first..) {
            text.push_str(&normalized.folded()[copied..token.start as usize]);
            text.push_str(&new(at)?);
            copied = token.end as usize;
        }
        Some(text)
    }

    fn other_name(&self, run: Run, surrogates: &mut Surrogates<'a>) -> Option<String> {
        let view = self.view();
        let person = self.persons.get(&run.first).copied();
        let gender = self.gender_before(run.first);
        self.word_by_word(run, |at| {
            let word = view.word(at);
            match view.token(at).kind {
                token::Kind::Punct | token::Kind::Possessive => return Some(word.to_owned()),
                token::Kind::Word => {}
                _ => return None,
            }
            let mut name = |word: &str| {
                let kind = if self.is_first_name(word) {
                    gender.or(self.genders.get(word).copied()).unwrap_or_else(|| usual_gender(word))
                } else {
                    Word::Family
                };
                // Another first letter, so that an initial is never that of the original.
                surrogates.word(kind, word, |new| new.as_bytes()[0] != word.as_bytes()[0] && self.is_free(new))
            };
            if word.chars().count() == 1 {
                // An initial is that of the name which it stands for.
                let full = person.and_then(|person| self.people.word_of(person, word)).unwrap_or(word);
                let first = name(full)?.chars().next()?;
                return Some(first.to_ascii_uppercase().to_string());
            }
            if run.kind == Kind::Initials {
                // Letters in a row say too little to be told from what was missed.
                return None;
            }
            Some(date::cased(
                &name(word)?,
                &self.input.source[self.input.normalized.to_source(view.token(at).span()).range()],
            ))
        })
    }

    fn other_place(&self, run: Run, surrogates: &mut Surrogates<'a>) -> Option<String> {
        let view = self.view();
        let is_generic = |at: usize| {
            view.any(at, GENERIC) && !self.names.contains(view.word(at)) && self.input.policy.lets_out(view.classes(at))
        };
        // A place that is called by a kind of place alone, such as Forest, must not come out as it is.
        let only = (run.first..run.last).all(|at| !view.is_word(at) || is_generic(at));
        self.word_by_word(run, |at| {
            let word = view.word(at);
            match view.token(at).kind {
                token::Kind::Punct | token::Kind::Possessive => Some(word.to_owned()),
                token::Kind::Number => surrogates.house(word),
                token::Kind::Word => {
                    let source = &self.input.source[self.input.normalized.to_source(view.token(at).span()).range()];
                    if is_generic(at) && !(only && view.capitalised(at)) {
                        return Some(source.to_owned()).filter(|_| !view.token(at).foreign());
                    }
                    Some(date::cased(&surrogates.word(Word::Place, word, |new| self.is_free(new))?, source))
                }
                _ => None,
            }
        })
    }
}

/// Numbers that are drawn have five digits, so that they are not taken for numbers in order of appearance.
const KEYED: u64 = 10_000;

/// The year of dates without one in notes without any: it has no leap day.
const COMMON_YEAR: i32 = 2005;

/// Whose first name a word most often is, by its ending: enough to keep one patient's notes alike where no title tells.
fn usual_gender(word: &str) -> Word {
    let woman = ["a", "ie", "ine", "elle", "ette", "lyn", "lynn", "een", "eth", "ary", "ice", "anne", "ann", "i"];
    if woman.iter().any(|ending| word.ends_with(ending)) { Word::Woman } else { Word::Man }
}
