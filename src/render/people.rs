//! Decides which names in a note belong to the same person.
//!
//! "Mr. Brown" is John Brown if the note has one John Brown; if it also has a Mary Brown, it is the one named last.
//! Names are compared by their words: they may belong to one person if all words of one match words of the other. An
//! initial matches a word that starts with it, and one typing error still matches.

use crate::patient::is_misspelling_of;

/// One person of a note.
#[derive(Clone, Debug, Default)]
struct Person {
    /// The folded words of the person's names, in order of appearance.
    words: Vec<String>,
    /// The number of the name by which the person was last mentioned.
    last: usize,
    /// The last word of the longest name.
    family: String,
    longest: usize,
}

/// The people of one note.
#[derive(Debug, Default)]
pub(super) struct People {
    people: Vec<Person>,
    /// The number of names read so far.
    read: usize,
}

fn may_be_same_word(one: &str, other: &str) -> bool {
    let initial = |short: &str, long: &str| short.chars().count() == 1 && long.starts_with(short);
    one == other
        || initial(one, other)
        || initial(other, one)
        || (one.len() >= 5 && other.len() >= 5 && is_misspelling_of(one.as_bytes(), other.as_bytes()))
}

impl People {
    /// Returns the person with that name; adds a new one if nobody matches. `words` are folded, with the surname last.
    pub(super) fn find_or_add(&mut self, words: &[String]) -> usize {
        self.read += 1;
        let read = self.read;
        let fits = |person: &Person| {
            let shared = |one: &String, others: &[String]| others.iter().any(|other| may_be_same_word(one, other));
            let common = words.iter().filter(|word| shared(word, &person.words)).count();
            let full = words.iter().any(|word| {
                word.chars().count() > 1
                    && person.words.iter().any(|other| other.len() > 1 && may_be_same_word(word, other))
            });
            let initials = words.iter().all(|word| word.chars().count() == 1);
            let covered = common == words.len();
            let covers = person.words.iter().all(|word| shared(word, words));
            common > 0 && (full || (initials && words.len() > 1)) && (covered || covers)
        };
        let found = (0..self.people.len()).filter(|&at| fits(&self.people[at])).max_by_key(|&at| self.people[at].last);
        let at = found.unwrap_or_else(|| {
            self.people.push(Person::default());
            self.people.len() - 1
        });
        let person = &mut self.people[at];
        person.last = read;
        if words.len() > person.longest {
            person.longest = words.len();
            person.family = words.last().cloned().unwrap_or_default();
        }
        for word in words {
            match person.words.iter_mut().find(|known| may_be_same_word(known, word)) {
                // Replaces an initial by the full name.
                Some(known) if known.chars().count() == 1 => known.clone_from(word),
                Some(_) => {}
                None => person.words.push(word.clone()),
            }
        }
        at
    }

    /// Adds the patient as the first person, with all names of the patient.
    pub(super) fn add_patient(&mut self, names: &[Vec<String>]) {
        let words: Vec<String> = names.iter().flatten().cloned().collect();
        if !words.is_empty() {
            let family = words[words.len() - 1].clone();
            self.people.insert(0, Person { longest: words.len(), words, last: 0, family });
        }
    }

    /// Returns the surname of a person, or the last word of the longest known name.
    pub(super) fn family_name(&self, person: usize) -> &str {
        self.people.get(person).map_or("", |person| &person.family)
    }

    /// Returns a known word of the person's name that starts with an initial, so that a replaced initial matches the
    /// replaced name.
    pub(super) fn word_of_initial(&self, person: usize, initial: &str) -> Option<&str> {
        let mut words = self.people.get(person)?.words.iter().map(String::as_str);
        words.find(|word| word.len() > initial.len() && word.starts_with(initial))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(names: &[&str]) -> Vec<usize> {
        let mut people = People::default();
        let words = |name: &str| name.split(' ').map(str::to_owned).collect::<Vec<_>>();
        names.iter().map(|name| people.find_or_add(&words(name))).collect()
    }

    #[test]
    fn one_person_has_one_number() {
        assert_eq!(
            numbers(&["brown", "john brown", "john", "j brown", "jon brown", "johnn brown"]),
            [0, 0, 0, 0, 1, 2]
        );
        assert_eq!(numbers(&["john brown", "mary brown", "brown", "john", "mary"]), [0, 1, 1, 0, 1]);
        assert_eq!(numbers(&["john brown", "white", "john q brown", "q"]), [0, 1, 0, 2]);
        assert_eq!(numbers(&["john brown", "j b", "m w"]), [0, 0, 1]);
        assert_eq!(numbers(&["john brown", "john white"]), [0, 1]);
        assert_eq!(numbers(&["j brown", "john brown", "james brown"]), [0, 0, 1]);
    }
}
