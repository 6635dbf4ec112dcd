//! Rules run wherever they would find something, and medical words are kept in positions typical of names and places.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use notesieve::note::NoteBuffers;
use notesieve::rules::{self, Finding, Findings, FoundNames, NumberShapes, RULES};
use notesieve::text::token::Kind;
use notesieve::{Policy, Scrubber, Vocabulary};

/// Returns a scrubber with the default vocabulary and a preset.
fn scrubber(policy: &str) -> Scrubber {
    let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the default vocabulary");
    Scrubber::new(vocabulary, Policy::preset(policy).expect("the name of a preset"))
}

/// Returns the texts of all cases, file by file.
fn texts_of_cases() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files = fs::read_dir(folder).expect("the folder of cases").map(|entry| entry.expect("a file").path());
    let files: BTreeSet<_> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect();
    let mut texts = Vec::new();
    for file in files {
        let table: toml::Table = fs::read_to_string(file).expect("UTF-8").parse().expect("TOML");
        let cases = table["case"].as_array().expect("cases");
        texts.extend(cases.iter().map(|case| case["text"].as_str().expect("a text").to_owned()));
    }
    assert!(!texts.is_empty(), "no case");
    texts
}

/// Returns the words of one of our lists, those with letters only.
fn words_of_list(list: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vocabularies/lexicon").join(list);
    let words = fs::read_to_string(path).expect("a list");
    let words = words.lines().filter(|word| word.len() > 2 && word.bytes().all(|letter| letter.is_ascii_lowercase()));
    words.map(str::to_owned).collect()
}

/// A function that changes the spelling of a listed word.
type Form = fn(&str) -> String;

/// Abbreviations in capitals and capitalised drugs: like towns, they follow `in`, `to` and `from`. A few are also names
/// of people.
#[test]
fn medicine_stays_where_places_stand() {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    let upper = |word: &str| word.to_uppercase();
    // The last field is the number of words per word that may be removed.
    let lists: [(&str, Form, usize); 3] =
        [("measurement.txt", upper, 20), ("ward-noun.txt", upper, 5), ("brand.txt", capital, 100)];
    let scrubber = scrubber("safe");
    for (list, form, each) in lists {
        let words = words_of_list(list);
        for frame in
            ["Mild change in {} since then.", "Switched to {} this morning.", "Weakness due to {}, better now."]
        {
            let lost = |word: &&String| {
                let text = frame.replace("{}", &form(word));
                scrubber.scrub(&text).expect("a note").text != text
            };
            let lost: Vec<_> = words.iter().filter(lost).collect();
            let few = words.len() / each;
            assert!(lost.len() <= few, "{list}: {} of {} are gone from {frame:?}: {lost:?}", lost.len(), words.len());
        }
    }
}

/// Runs each rule at every number and at every mark of its own, and compares the findings with those of a scrub.
fn asked_everywhere(vocabulary: &Vocabulary, text: &str, asked: &mut Findings) {
    let mut buffers = NoteBuffers::default();
    let note = buffers.read(text, vocabulary, Policy::safe().placeholder_forms());
    let tokens = note.tokens();
    rules::apply_rules(&note, &mut FoundNames::default(), asked);
    let seen = |finding: &Finding| {
        let alike = |other: &Finding| (other.first, other.end, other.verdict, other.certainty);
        asked.as_slice().iter().any(|other| alike(other) == alike(finding))
    };
    // Inside a long row of codes only one rule runs, and it takes the whole row.
    let mut rows = vec![false; tokens.len()];
    for row in asked.as_slice().iter().filter(|finding| RULES[usize::from(finding.rule)].name == "code-row") {
        rows[row.first as usize..row.end as usize].fill(true);
    }
    for rule in RULES {
        let mut everywhere = Findings::default();
        for (at, token) in tokens.iter().enumerate() {
            let number = token.kind == Kind::Number
                && (rule.anchors.numbers, rule.anchors.glued_numbers) != (NumberShapes::NONE, NumberShapes::NONE);
            let listed = token.kind == Kind::Word && note.any(at, rule.anchors.classes);
            let marked = token.mark() != 0 && rule.anchors.marks.contains(&token.mark());
            if (number || listed || marked) && !rows[at] {
                (rule.find)(&note, at, &mut everywhere);
            }
        }
        for finding in everywhere.as_slice() {
            assert!(seen(finding), "{} at {:?} of {text:?}", rule.name, finding.first..finding.end);
        }
    }
}

/// Anchors and their required context only save work: run everywhere, a rule finds nothing more.
#[test]
fn rules_are_asked_wherever_they_find_something() {
    let scrubber = scrubber("safe");
    let mut asked = Findings::default();
    let mut all = String::new();
    for text in texts_of_cases() {
        all += &text;
        all += "\n\n";
        for text in [text.to_uppercase(), text.to_lowercase(), text] {
            asked_everywhere(scrubber.vocabulary(), &text, &mut asked);
        }
    }
    // Longer than a block of tokens.
    asked_everywhere(scrubber.vocabulary(), &all, &mut asked);
}

/// Every rule with anchors finds something in some case. The other rules use the data of the site and the caller,
/// characters before folding, the output of the model, or fields of messages; `tests/python` covers them.
#[test]
fn each_rule_finds_something_in_a_case() {
    let scrubber = scrubber("safe");
    let (mut found, mut asked) = (BTreeSet::new(), Findings::default());
    for text in texts_of_cases() {
        asked_everywhere(scrubber.vocabulary(), &text, &mut asked);
        found.extend(asked.as_slice().iter().map(|finding| RULES[usize::from(finding.rule)].name));
    }
    let missing: Vec<_> = RULES.iter().map(|rule| rule.name).filter(|name| !found.contains(name)).collect();
    assert_eq!(missing, ["site-list", "known", "raised-letters", "judged", "field"]);
}

/// Returns every word and mark in the code of the rules, and the words of their sets.
fn words_of_the_rules() -> Vec<String> {
    let mut words = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src/rules")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder of the rules") {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let is_list = path.extension().is_some_and(|extension| extension == "txt");
            let code = fs::read_to_string(path).expect("UTF-8");
            let lines = code.lines().filter(|line| !line.trim_start().starts_with(['/', '#']));
            if is_list {
                words.extend(lines.clone().flat_map(str::split_whitespace).map(str::to_owned));
            }
            let pieces = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
            words.extend(pieces.filter(|piece| (1..=12).contains(&piece.len())).map(str::to_owned));
        }
    }
    assert!(words.len() > 500, "{} words", words.len());
    words.into_iter().collect()
}

/// Separators between words and numbers.
const BETWEEN: &[&str] =
    &[" ", " ", " ", "", "", "-", " - ", ".", ". ", ", ", "/", "\n", "(", ") ", ": ", "#", "'", "+", " ? ", "; "];

/// A linear congruential generator: the same texts on every machine.
struct Draws(u64);

impl Draws {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// Returns the class of a character: word, number, white space or mark.
fn kind_of_character(c: char) -> usize {
    [char::is_alphabetic, char::is_numeric, char::is_whitespace]
        .iter()
        .position(|is: &fn(char) -> bool| is(c))
        .unwrap_or(3)
}

/// Splits a text into words, numbers, white space and single marks.
fn split_pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for c in text.chars() {
        match pieces.last_mut() {
            Some(last)
                if kind_of_character(c) < 3
                    && last.chars().all(|other| kind_of_character(other) == kind_of_character(c)) =>
            {
                last.push(c);
            }
            _ => pieces.push(c.to_string()),
        }
    }
    pieces
}

/// The same for the texts of the cases with some pieces replaced: forms that rules recognise, and near misses.
#[test]
fn rules_are_asked_in_cases_that_are_changed() {
    let scrubber = scrubber("safe");
    let texts = texts_of_cases();
    let mut others: [Vec<String>; 4] = Default::default();
    for piece in texts.iter().flat_map(|text| split_pieces(text)) {
        others[piece.chars().next().map_or(3, kind_of_character)].push(piece);
    }
    let mut asked = Findings::default();
    let mut draws = Draws(11);
    for text in &texts {
        let mut pieces = split_pieces(text);
        for _ in 0..=draws.below(4) {
            let at = draws.below(pieces.len().max(1)).min(pieces.len());
            let sort = pieces.get(at).and_then(|piece| piece.chars().next()).map_or(3, kind_of_character);
            let change = draws.below(10);
            let mut other = |sort: usize| others[sort][draws.below(others[sort].len())].clone();
            match (change, pieces.get_mut(at)) {
                (0, Some(_)) => _ = pieces.remove(at),
                (1, Some(_)) => pieces.truncate(at),
                (2, Some(_)) => _ = pieces.drain(..at),
                (3, Some(piece)) => *piece = piece.to_uppercase(),
                (4, Some(piece)) => *piece = piece.to_lowercase(),
                (5, Some(piece)) => {
                    *piece =
                        piece.char_indices().map(|(at, c)| if at == 0 { c.to_ascii_uppercase() } else { c }).collect();
                }
                (6, _) => pieces.insert(at, other(0)),
                (7, _) => pieces.insert(at, BETWEEN[draws.below(BETWEEN.len())].to_owned()),
                (8, Some(piece)) if sort > 1 => *piece = BETWEEN[draws.below(BETWEEN.len())].to_owned(),
                (_, Some(piece)) => *piece = other(sort),
                (_, None) => pieces.push(other(1)),
            }
        }
        asked_everywhere(scrubber.vocabulary(), &pieces.concat(), &mut asked);
    }
}

/// The same for texts made only of the words that rules look for, and numbers.
#[test]
fn rules_are_asked_among_each_others_words() {
    const NUMBERS: &str = "\
        2 0 5 12 31 90 93 07 300 117 617 1430 0800 1996 1912 2004 5550 02134 70000 123456 20040304 6175550142 \
        1,080 2,3 98.6 7.38 0.5 .5 93.5 03.04 3.2004 3/4 1/2 5/8 128/72 12/2004 3/4/06 7.4/40/90 138/4.1 10:30 \
        1:40 10.20.30.40 00:11:22:33:44:55 1996/97";
    let scrubber = scrubber("safe");
    let (words, numbers) = (words_of_the_rules(), NUMBERS.split(' ').collect::<Vec<_>>());
    let mut asked = Findings::default();
    let mut draws = Draws(7);
    let mut draw = |most: usize| draws.below(most);
    for _ in 0..10_000 {
        let mut text = String::new();
        for _ in 0..40 {
            let word = &words[draw(words.len())];
            match draw(8) {
                0..=2 => text += numbers[draw(numbers.len())],
                3 => text += &word.to_uppercase(),
                4 => text.extend(word.char_indices().map(|(at, c)| if at == 0 { c.to_ascii_uppercase() } else { c })),
                _ => text += word,
            }
            text += BETWEEN[draw(BETWEEN.len())];
        }
        asked_everywhere(scrubber.vocabulary(), &text, &mut asked);
    }
}
