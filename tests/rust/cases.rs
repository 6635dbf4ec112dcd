//! The cases of `tests/cases`, run through the core. `tests/python/test_cases.py` runs the same from Python.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

use notesieve::concepts::lookup_words;
use notesieve::normalize::Normalized;
use notesieve::rules::{self, Finding, Findings, Names, Numbers, RULES, View};
use notesieve::token::{Kind, tokenize};
use notesieve::{Document, Model, Policy, Scrubber, Vocabulary};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// See `tests/cases/README.md`.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    text: String,
    why: String,
    #[serde(default)]
    removed: Vec<String>,
    #[serde(default)]
    kept: Vec<String>,
    expect: Option<String>,
    #[serde(default)]
    codes: Vec<String>,
    #[serde(default = "safe")]
    policy: String,
    /// Whether it also holds in small letters and in capitals.
    #[serde(default, rename = "any_case")]
    recased: bool,
}

fn safe() -> String {
    "safe".to_owned()
}

impl Case {
    /// The case as it stands, and in lower case and in capitals where it must hold in any.
    fn forms(&self) -> Vec<Self> {
        let with = |form: fn(&str) -> String| {
            let all = |pieces: &[String]| pieces.iter().map(|piece| form(piece)).collect();
            Self {
                text: form(&self.text),
                removed: all(&self.removed),
                kept: all(&self.kept),
                expect: self.expect.as_deref().map(form),
                ..self.clone()
            }
        };
        if self.recased {
            vec![self.clone(), with(str::to_lowercase), with(str::to_uppercase)]
        } else {
            vec![self.clone()]
        }
    }

    /// What is wrong with the output, if anything.
    fn failures(&self, scrubber: &Scrubber) -> Vec<String> {
        let mut failures = Vec::new();
        if self.removed.is_empty() && self.kept.is_empty() && self.expect.is_none() && self.codes.is_empty() {
            failures.push("checks nothing".to_owned());
        }
        let note = scrubber.scrub(&self.text).expect("a case is short");
        let is_gone =
            |at: usize| note.removed.iter().any(|r| (r.source.start as usize..r.source.end as usize).contains(&at));
        for (pieces, should_go) in [(&self.removed, true), (&self.kept, false)] {
            for piece in pieces {
                let places = places(&self.text, piece);
                if places.is_empty() {
                    failures.push(format!("{piece:?} is not in the text"));
                }
                let wrong: String = places
                    .into_iter()
                    .flat_map(|place| self.text[place.clone()].char_indices().map(move |(at, c)| (place.start + at, c)))
                    .filter(|&(at, c)| c.is_alphanumeric() && is_gone(at) != should_go)
                    .map(|(_, c)| c)
                    .collect();
                if !wrong.is_empty() {
                    let fate = if should_go { "came out in" } else { "is gone from" };
                    failures.push(format!("{wrong:?} of {piece:?} {fate} {:?}", note.text));
                }
            }
        }
        if self.expect.as_ref().is_some_and(|expect| *expect != note.text) {
            failures.push(format!("gives {:?}", note.text));
        }
        let found = codes(scrubber, &note);
        failures.extend(
            self.codes.iter().filter(|c| !found.contains(c.as_str())).map(|c| format!("{c} is not in {found:?}")),
        );
        failures
    }
}

/// A scrubber with the default vocabulary.
fn scrubber(policy: &str) -> Scrubber {
    let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the default vocabulary");
    Scrubber::new(vocabulary, Policy::preset(policy).expect("the name of a preset"))
}

/// The codes of the concepts in the output.
fn codes(scrubber: &Scrubber, note: &Document) -> BTreeSet<String> {
    let vocabulary = scrubber.vocabulary();
    let concepts = note.concepts.iter().flat_map(|mention| vocabulary.entry_concepts(mention.entry));
    concepts.map(|concept| vocabulary.curie(concept)).collect()
}

/// Each place of a piece in the text; of `before|piece|after` only the middle.
fn places(text: &str, piece: &str) -> Vec<Range<usize>> {
    let parts: Vec<&str> = piece.split('|').collect();
    let [before, target, after] = parts[..].try_into().unwrap_or(["", piece, ""]);
    let whole = [before, target, after].concat();
    text.match_indices(&whole).map(|(at, _)| at + before.len()..at + before.len() + target.len()).collect()
}

/// The files of cases by their families.
fn files() -> BTreeMap<String, File> {
    files_of("tests/cases")
}

/// The files of cases in a folder by their families.
fn files_of(folder: &str) -> BTreeMap<String, File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let paths = fs::read_dir(&folder).expect("the folder of cases").map(|entry| entry.expect("a file").path());
    let files: BTreeMap<String, File> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| {
            let family = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let file = toml::from_str(&fs::read_to_string(&path).expect("UTF-8")).expect(&family);
            (family, file)
        })
        .collect();
    assert!(!files.is_empty(), "no case in {}", folder.display());
    files
}

#[test]
fn every_case_holds() {
    all_hold(files(), scrubber);
}

/// What has only its surroundings holds with the built-in model.
#[test]
fn every_case_of_judgement_holds() {
    all_hold(files_of("tests/cases/judgement"), |policy| {
        let model = Model::from_static(notesieve_models::default_bytes()).expect("the built-in model");
        scrubber(policy).with_model(model)
    });
}

fn all_hold(files: BTreeMap<String, File>, scrubber: impl Fn(&str) -> Scrubber) {
    let mut scrubbers = BTreeMap::new();
    let (mut cases, mut failures) = (0, Vec::new());
    for (family, file) in files {
        let names: BTreeSet<&str> = file.case.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names.len(), file.case.len(), "{family}: a name is given twice");
        for case in &file.case {
            let scrubber = scrubbers.entry(case.policy.clone()).or_insert_with(|| scrubber(&case.policy));
            let wrong: Vec<String> = case.forms().iter().flat_map(|form| form.failures(scrubber)).collect();
            failures.extend(wrong.iter().map(|wrong| format!("{family}: {}: {wrong}; {}", case.name, case.why)));
            cases += 1;
        }
    }
    assert!(failures.is_empty(), "{} of {cases} cases:\n{}", failures.len(), failures.join("\n"));
}

/// The words of one of our lists, of letters alone.
fn listed(list: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vocabularies/lexicon").join(list);
    let words = fs::read_to_string(path).expect("a list");
    let words = words.lines().filter(|word| word.len() > 2 && word.bytes().all(|letter| letter.is_ascii_lowercase()));
    words.map(str::to_owned).collect()
}

/// How a word of a list is written.
type Form = fn(&str) -> String;

/// Short forms in capitals, drugs with a capital letter: behind `in`, `to` and `from` stand towns, and these. A few are called like people.
#[test]
fn medicine_stays_where_places_stand() {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    let upper = |word: &str| word.to_uppercase();
    // The last is how many words there are for one that may go.
    let lists: [(&str, Form, usize); 3] =
        [("measurement.txt", upper, 20), ("ward-noun.txt", upper, 5), ("brand.txt", capital, 100)];
    let scrubber = scrubber("safe");
    for (list, form, each) in lists {
        let words = listed(list);
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

/// Asks each rule at every number, every capital and every mark of its own, and compares with what a scrub finds.
fn asked_everywhere(vocabulary: &Vocabulary, text: &str, asked: &mut Findings) {
    let (mut tokens, mut words, mut classes, mut numbers) = (Vec::new(), Vec::new(), Vec::new(), Numbers::default());
    let normalized = Normalized::new(text);
    tokenize(text, &normalized, &mut tokens);
    lookup_words(vocabulary, normalized.folded(), &tokens, &mut words, &mut classes, &mut Vec::new());
    numbers.read(normalized.folded(), &mut tokens);
    let view = View::new(normalized.folded(), &tokens, &words, &classes, &numbers, vocabulary);
    rules::find(&view, &mut Names::default(), asked);
    let seen = |finding: &Finding| {
        let alike = |other: &Finding| (other.first, other.last, other.verdict, other.certainty);
        asked.as_slice().iter().any(|other| alike(other) == alike(finding))
    };
    // In the middle of a long row only one rule is asked, and takes it whole.
    let mut rows = vec![false; tokens.len()];
    for row in asked.as_slice().iter().filter(|finding| RULES[usize::from(finding.rule)].name == "code-row") {
        rows[row.first as usize..row.last as usize].fill(true);
    }
    for rule in RULES {
        let mut everywhere = Findings::default();
        for (at, token) in tokens.iter().enumerate() {
            let number = token.kind == Kind::Number && !rule.anchors.numbers.is_empty();
            let capital = token.kind == Kind::Word && token.capitalised() && rule.anchors.line_ends;
            let listed = token.kind == Kind::Word && view.any(at, rule.anchors.classes);
            let marked = token.mark() != 0 && rule.anchors.marks.contains(&token.mark());
            if (number || capital || listed || marked) && !rows[at] {
                (rule.find)(&view, at, &mut everywhere);
            }
        }
        for finding in everywhere.as_slice() {
            assert!(seen(finding), "{} at {:?} of {text:?}", rule.name, finding.first..finding.last);
        }
    }
}

/// The anchors, and what must stand around them, only spare work: asked everywhere, a rule finds nothing more.
#[test]
fn rules_are_asked_wherever_they_find_something() {
    let scrubber = scrubber("safe");
    let mut asked = Findings::default();
    let mut all = String::new();
    for case in files().into_values().flat_map(|file| file.case) {
        all += &case.text;
        all += "\n\n";
        for text in [case.text.to_uppercase(), case.text.to_lowercase(), case.text] {
            asked_everywhere(scrubber.vocabulary(), &text, &mut asked);
        }
    }
    // Longer than a block of tokens.
    asked_everywhere(scrubber.vocabulary(), &all, &mut asked);
}

/// Every word and mark that stands in the code of a rule.
fn words_of_the_rules() -> Vec<String> {
    let mut words = BTreeSet::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder of the rules") {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let code = fs::read_to_string(path).expect("UTF-8");
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            let pieces = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
            words.extend(pieces.filter(|piece| (1..=12).contains(&piece.len())).map(str::to_owned));
        }
    }
    assert!(words.len() > 500, "{} words", words.len());
    words.into_iter().collect()
}

/// What stands between words and numbers.
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

/// What a character belongs to: a word, a number, white space, a mark.
fn sort_of(c: char) -> usize {
    [char::is_alphabetic, char::is_numeric, char::is_whitespace]
        .iter()
        .position(|is: &fn(char) -> bool| is(c))
        .unwrap_or(3)
}

/// A text in words, numbers, white space and single marks.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for c in text.chars() {
        match pieces.last_mut() {
            Some(last) if sort_of(c) < 3 && last.chars().all(|other| sort_of(other) == sort_of(c)) => last.push(c),
            _ => pieces.push(c.to_string()),
        }
    }
    pieces
}

/// The same in the texts of the cases, some pieces of each changed: forms that rules know, and what is nearly one.
#[test]
fn rules_are_asked_in_cases_that_are_changed() {
    let scrubber = scrubber("safe");
    let texts: Vec<String> = files().into_values().flat_map(|file| file.case).map(|case| case.text).collect();
    let mut others: [Vec<String>; 4] = Default::default();
    for piece in texts.iter().flat_map(|text| pieces(text)) {
        others[piece.chars().next().map_or(3, sort_of)].push(piece);
    }
    let mut asked = Findings::default();
    let mut draws = Draws(11);
    for text in &texts {
        let mut pieces = pieces(text);
        for _ in 0..=draws.below(4) {
            let at = draws.below(pieces.len().max(1)).min(pieces.len());
            let sort = pieces.get(at).and_then(|piece| piece.chars().next()).map_or(3, sort_of);
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

/// The same in texts made of nothing but the words that rules wait for, and numbers.
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
