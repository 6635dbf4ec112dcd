//! The measures on cases computed by hand, and properties that hold for every input.

#![allow(clippy::float_cmp, clippy::manual_midpoint)] // Shares that must be exactly 0 or 1; means written as means.

use proptest::prelude::*;

use crate::*;

fn add_marked_note(gold: &mut Gold, doc: &str, text: &str, spans: &[(&str, &str)]) {
    let mut found = Vec::new();
    for (word, category) in spans {
        let start = text[..text.find(word).unwrap()].chars().count() as u32;
        found.push(GoldSpan::new(start, start + word.chars().count() as u32, category));
    }
    gold.notes.insert(doc.to_owned(), text.to_owned());
    gold.spans.insert(doc.to_owned(), found);
}

fn predicted_spans(spans: &[(u32, u32)]) -> Vec<PredictedSpan> {
    spans.iter().map(|&(start, end)| PredictedSpan { start, end, ..PredictedSpan::default() }).collect()
}

fn options_with_few_draws() -> Options {
    Options { draws: 20, ..Options::default() }
}

fn assert_near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
}

/// Returns two notes: a doctor whose surname is a word elsewhere, a partly removed date, a year that may stay.
fn gold_and_predictions() -> (Gold, Predictions) {
    let mut gold = Gold::default();
    let first = "Mrs. Iris Bloom met Dr. Fay on 7/8/09. Bloom phase.";
    add_marked_note(
        &mut gold,
        "a",
        first,
        &[("Iris Bloom", "NAME/PATIENT"), ("Fay", "NAME/DOCTOR"), ("7/8/09", "DATE/DATE")],
    );
    add_marked_note(&mut gold, "b", "Born in 1931 to Una.", &[("1931", "DATE/YEAR"), ("Una", "NAME/RELATIVE")]);
    let mut predictions = Predictions::default();
    // Both names of the patient; 7/8 but not /09; the second Bloom in error; "Born in 1931".
    predictions.spans.insert("a".into(), predicted_spans(&[(5, 15), (31, 34), (39, 44)]));
    predictions.spans.insert("b".into(), predicted_spans(&[(0, 12)]));
    (gold, predictions)
}

#[test]
fn tokens_and_spans_by_hand() {
    let (gold, predictions) = gold_and_predictions();
    let report = evaluate(&gold, &predictions, &options_with_few_draws()).unwrap();
    // PHI: Iris Bloom Fay 7 8 09 | Una; caught Iris Bloom 7 8. Others: Mrs met Dr on Bloom phase | Born in to.
    assert_eq!(report.token.counts, Tally { tp: 4, fp: 3, missed: 3 });
    assert_eq!((report.tokens.words, report.tokens.phi, report.tokens.nonphi), (17, 7, 9));
    assert_near(report.token.precision, 4.0 / 7.0);
    assert_near(report.retained_nonphi.value, 6.0 / 9.0);
    let span = &report.span;
    assert_eq!((span.gold, span.found, span.touched, span.predicted), (4, 1, 2, 4));
    assert_near(span.precision, 3.0 / 4.0);
    // The predicted span "Born in 1931" overlaps only optional text.
    assert_eq!(span.exact.counts, Tally { tp: 1, fp: 2, missed: 3 });
    assert_eq!(span.partial.counts, Tally { tp: 2, fp: 1, missed: 2 });
    assert!(span.exact_typed.is_none());
    assert_eq!((report.ambiguous.nonphi_tokens, report.ambiguous.nonphi_retained), (1, Some(0.0)));
    assert_eq!((report.ambiguous.phi_tokens, report.ambiguous.phi_recall), (1, Some(1.0)));
}

#[test]
fn documents_and_risks_by_hand() {
    let (gold, predictions) = gold_and_predictions();
    let report = evaluate(&gold, &predictions, &options_with_few_draws()).unwrap();
    assert_eq!((report.document.zero_leak.part, report.document.zero_leak.whole), (0, 2));
    assert_eq!(report.document.zero_direct_leak.part, 1, "note a leaks a doctor and a date only");
    let labels = &report.sokolova_category;
    assert_near(labels.exact_match_ratio, 0.0);
    assert_near(labels.hamming_loss, (2.0 / 6.0 + 1.0 / 6.0) / 2.0);
    assert_near(labels.one_error, 1.0);
    // The published interpretation: of six labels expected, NAME and DATE leak in a, NAME in b.
    assert_near(report.sokolova_leaked.labelling_f, (2.0 * 2.0 / 8.0 + 2.0 / 7.0) / 2.0);
    assert_eq!(report.document.risk, BTreeMap::from([("low".to_owned(), 1), ("medium".to_owned(), 1)]));
    let names = &report.category["NAME"];
    assert_eq!((names.tokens, names.token_leaks, names.spans, names.span_leaks), (4, 2, 3, 2));
    assert_near(names.leaks_per_10000_words, 2.0 * 10_000.0 / 17.0);
    assert_eq!(report.subtype["NAME/PATIENT"].rule_of_three, Some(1.0), "two tokens bound nothing");
}

#[test]
fn risk_grows_with_categories_and_not_with_spans() {
    let mut gold = Gold::default();
    let text = "Seen 3/4/09, 5/6/09 and 7/8/09 by Una.";
    let dates = [("3/4/09", "DATE/DATE"), ("5/6/09", "DATE/DATE"), ("7/8/09", "DATE/DATE"), ("Una", "NAME/DOCTOR")];
    add_marked_note(&mut gold, "a", text, &dates);
    let leaves = |spans: &[(u32, u32)]| {
        let mut predictions = Predictions::default();
        predictions.spans.insert("a".into(), predicted_spans(spans));
        let report = evaluate(&gold, &predictions, &options_with_few_draws()).unwrap();
        let row = &report.per_document[0];
        (row.leaked_spans, row.leaked_categories, row.risk.clone().unwrap_or_default())
    };
    assert_eq!(leaves(&[(34, 37)]), (3, 1, "low".to_owned()), "three dates");
    assert_eq!(leaves(&[(5, 19)]), (2, 2, "medium".to_owned()), "a date and a name");
    assert_eq!(leaves(&[(0, 38)]), (0, 0, String::new()));
}

#[test]
fn what_is_removed_without_a_category_claims_none() {
    let (gold, mut predictions) = gold_and_predictions();
    for (span, kind) in predictions.spans.get_mut("a").unwrap().iter_mut().zip(["NAME", "DATE", "UNLISTED"]) {
        span.category = Some(kind.to_owned());
    }
    let report = evaluate(&gold, &predictions, &options_with_few_draws()).unwrap();
    let typed = report.span.exact_typed.as_ref().unwrap();
    // Neither the second Bloom nor "Born in 1931" has a category, and both were removed in error.
    assert_eq!(typed.counts, Tally { tp: 1, fp: 1, missed: 3 });
    assert_eq!(report.span.exact.counts.fp, 2);
    assert_eq!(report.typed_category.values().map(|scores| scores.counts.fp).sum::<u64>(), 0);
    assert_eq!(report.token.counts.fp, 3);
    for span in predictions.spans.values_mut().flatten() {
        span.category = Some("UNLISTED".to_owned());
    }
    assert!(evaluate(&gold, &predictions, &options_with_few_draws()).unwrap().span.exact_typed.is_none());
}

#[test]
fn the_words_of_a_range_of_dates_count_neither_way() {
    let text = "Off 3/4 to 5/6, and 7/8 through to 9/1.";
    let (mut apart, mut whole) = (Gold::default(), Gold::default());
    let dates = ["3/4", "5/6", "7/8", "9/1"].map(|date| (date, "DATE/DATE"));
    add_marked_note(&mut apart, "a", text, &dates);
    add_marked_note(&mut whole, "a", text, &[("3/4 to 5/6", "DATE/DATE"), dates[2], dates[3]]);
    let mut predictions = Predictions::default();
    predictions.spans.insert("a".into(), predicted_spans(&[(4, 14), (20, 38)]));
    for gold in [&apart, &whole] {
        let report = evaluate(gold, &predictions, &options_with_few_draws()).unwrap();
        // "through to" are two words between two dates, which make no range.
        assert_eq!(report.token.counts, Tally { tp: 8, fp: 2, missed: 0 });
        assert_eq!(report.tokens.nonphi, 4);
        let strict = evaluate(gold, &predictions, &Options { strict: true, ..options_with_few_draws() }).unwrap();
        assert_eq!(strict.token.counts.tp + strict.token.counts.fp, 11);
    }
}

#[test]
fn a_report_shows_no_phi_unless_asked() {
    let (gold, predictions) = gold_and_predictions();
    let plain = evaluate(&gold, &predictions, &options_with_few_draws()).unwrap();
    assert_eq!(plain.leaks.iter().map(|leak| leak.shape.as_str()).collect::<Vec<_>>(), ["Aaa", "███/99", "Aaa"]);
    assert_eq!(plain.over_scrubbed.iter().map(|lost| lost.form.as_str()).collect::<Vec<_>>(), ["Aaaa", "Aaaaa", "in"]);
    let json = serde_json::to_string(&plain).unwrap();
    for word in ["Iris", "Bloom", "Fay", "7/8", "Una", "1931", "Born"] {
        assert!(!json.contains(word), "{word}");
    }
    let full = evaluate(&gold, &predictions, &Options { with_context: true, ..options_with_few_draws() }).unwrap();
    assert_eq!(full.leaks[0].text.as_deref(), Some("Fay"));
    let born = full.over_scrubbed.iter().find(|lost| lost.form == "Born").unwrap();
    assert_eq!(born.context.as_deref(), Some("Born in 1931 to Una."));
}

#[test]
fn a_leak_tells_why_it_was_left() {
    let (gold, mut predictions) = gold_and_predictions();
    let kept = |start, end, reason: &str| PredictedSpan { start, end, category: None, reason: Some(reason.to_owned()) };
    let pieces = vec![kept(0, 4, "stop"), kept(24, 27, "list"), kept(34, 35, "punctuation"), kept(35, 37, "term")];
    predictions.kept.insert("a".into(), pieces);
    let report = evaluate(&gold, &predictions, &options_with_few_draws()).unwrap();
    let reasons: Vec<Option<&str>> = report.leaks.iter().map(|leak| leak.reason.as_deref()).collect();
    assert_eq!(reasons, [Some("list"), Some("punctuation, term"), None]);
    assert!(report.leak_forms.iter().any(|form| form.reason.as_deref() == Some("list")));
}

#[test]
fn categories_that_a_system_names_are_judged() {
    let (gold, mut predictions) = gold_and_predictions();
    for (doc, kinds) in [("a", ["PERSON", "DATE_TIME", "NAME"].as_slice()), ("b", &["LOCATION"])] {
        for (span, kind) in predictions.spans.get_mut(doc).unwrap().iter_mut().zip(kinds) {
            span.category = Some((*kind).to_owned());
        }
    }
    let report = evaluate(&gold, &predictions, &options_with_few_draws()).unwrap();
    assert_eq!(report.typed_category["NAME"].counts, Tally { tp: 2, fp: 1, missed: 2 });
    assert_eq!(report.typed_category["DATE"].counts, Tally { tp: 2, fp: 0, missed: 1 });
    assert_eq!(report.typed_category["LOCATION"].counts, Tally { tp: 0, fp: 2, missed: 0 });
    assert_eq!(report.span.exact_typed.as_ref().unwrap().counts, Tally { tp: 1, fp: 2, missed: 3 });
    assert_eq!(report.span.partial_typed.as_ref().unwrap().counts, Tally { tp: 2, fp: 1, missed: 2 });
    assert_near(report.macro_average.typed_recall.unwrap(), (0.5 + 2.0 / 3.0) / 2.0);
    // LOCATION was predicted in b, which has none.
    assert_near(report.sokolova_category.hamming_loss, (2.0 / 6.0 + 2.0 / 6.0) / 2.0);
}

#[test]
fn generic_words_count_only_when_strict() {
    let mut gold = Gold::default();
    let text = "At Larkmoor Memorial Hospital on Monday May 3, 2004.";
    add_marked_note(
        &mut gold,
        "h",
        text,
        &[("Larkmoor Memorial Hospital", "LOCATION/HOSPITAL"), ("Monday May 3, 2004", "DATE/DATE")],
    );
    let mut predictions = Predictions::default();
    predictions.spans.insert("h".into(), predicted_spans(&[(3, 11), (40, 51)]));
    let report = evaluate(&gold, &predictions, &options_with_few_draws()).unwrap();
    assert_near(report.token.recall, 1.0);
    assert_eq!(report.strict_token.counts, Tally { tp: 4, fp: 0, missed: 3 });
    assert_eq!(report.tokens.generic, 3);
    let strict = evaluate(&gold, &predictions, &Options { strict: true, ..options_with_few_draws() }).unwrap();
    assert_eq!(strict.token.counts, report.strict_token.counts);
}

#[test]
fn concepts_survive_or_do_not() {
    let (gold, mut predictions) = gold_and_predictions();
    let codes = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect();
    let concepts = Concepts { original: codes(&["m:1", "m:1", "m:2", "m:3"]), kept: codes(&["m:1", "m:2", "m:9"]) };
    predictions.concepts.insert("a".into(), concepts);
    let report = evaluate(&gold, &predictions, &options_with_few_draws()).unwrap();
    let concepts = report.concepts.unwrap();
    assert_eq!((concepts.mentions.part, concepts.mentions.whole), (2, 4));
    assert_eq!((concepts.distinct.part, concepts.distinct.whole), (2, 3));
}

#[test]
fn predictions_for_an_unknown_document_are_an_error() {
    let (gold, mut predictions) = gold_and_predictions();
    predictions.spans.insert("c".into(), Vec::new());
    let error = evaluate(&gold, &predictions, &options_with_few_draws()).unwrap_err().to_string();
    assert!(error.contains("`c`"), "{error}");
}

#[test]
fn two_systems_are_compared() {
    let (gold, first) = gold_and_predictions();
    let second = perfect_predictions(&gold);
    let comparison = compare(&gold, &first, &second, &options_with_few_draws()).unwrap();
    let table = comparison.mcnemar;
    assert_eq!((table.both_right, table.only_first, table.only_second, table.neither), (10, 0, 6, 0));
    assert_eq!((comparison.mcnemar_phi.only_second, comparison.mcnemar_phi.both_right), (3, 4));
    assert_near(comparison.mcnemar.p, 2.0 / 64.0);
    assert_near(comparison.measures["recall"].difference, 3.0 / 7.0);
    let same = compare(&gold, &first, &first, &options_with_few_draws()).unwrap();
    assert_near(same.mcnemar.p, 1.0);
    assert_near(same.measures["F1"].interval.high, 0.0);
}

fn perfect_predictions(gold: &Gold) -> Predictions {
    let mut predictions = Predictions::default();
    for (doc, spans) in &gold.spans {
        let spans = spans.iter().map(|span| PredictedSpan {
            start: span.start,
            end: span.end,
            category: Some(span.category.clone()),
            reason: None,
        });
        predictions.spans.insert(doc.clone(), spans.collect());
    }
    predictions
}

#[test]
fn agreement_by_hand() {
    let read = |spans: &[(&str, &str)]| {
        let mut gold = Gold::default();
        add_marked_note(&mut gold, "a", "Iris met Fay on May 3 2004", spans);
        gold
    };
    let people = [
        ("one".to_owned(), read(&[("Iris", "NAME"), ("Fay", "NAME"), ("May 3 2004", "DATE")])),
        ("two".to_owned(), read(&[("Iris", "NAME"), ("May 3 2004", "DATE")])),
        ("three".to_owned(), read(&[("Iris", "NAME"), ("Fay", "NAME"), ("May", "NAME")])),
    ];
    let found = agreement(&people, None).unwrap();
    // The first reader marks 5 of 7 tokens, the second 4 of them.
    assert_eq!(found.pairs[0].tokens, Tally { tp: 4, fp: 0, missed: 1 });
    assert_near(found.pairs[0].f1, 8.0 / 9.0);
    assert_near(found.pairs[0].exact_span_f1, 0.8);
    let chance = (5.0 * 4.0 + 2.0 * 3.0) / 49.0;
    assert_near(found.pairs[0].kappa, (6.0 / 7.0 - chance) / (1.0 - chance));
    // PHI votes by token: 3 0 2 0 3 2 2; agreeing pairs of three: 3 3 1 3 3 1 1.
    let (observed, phi) = (15.0 / 21.0, 12.0 / 21.0_f64);
    let chance = phi * phi + (1.0 - phi) * (1.0 - phi);
    assert_near(found.fleiss_kappa, (observed - chance) / (1.0 - chance));
    // The majority equals the first reader.
    let majority = majority_gold(&people).unwrap();
    assert_eq!(majority.spans["a"], people[0].1.spans["a"]);
    assert_near(found.against_gold[0].f1, 1.0);
    assert_near(found.by_readers[0].recall, (1.0 + 0.8 + 0.6) / 3.0);
    assert_near(found.by_readers[2].recall, 1.0);
}

/// Fleiss (1971): a table of 10 subjects, 14 raters and 5 categories gives kappa 0.210 (the usual worked example).
#[test]
fn fleiss_kappa_of_the_worked_example() {
    let table = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ];
    let mut raters = vec![Vec::new(); 14];
    for row in table {
        let labels = row.iter().enumerate().flat_map(|(label, &count)| vec![label as u32; count]);
        labels.zip(&mut raters).for_each(|(label, rater)| rater.push(label));
    }
    assert!((agreement::fleiss_kappa(&raters, 4) - 0.210).abs() < 5e-4);
}

/// Returns notes of plain and foreign words, some of them marked.
fn any_corpus() -> impl Strategy<Value = Gold> {
    // No generic word has this ending: a span of only generic words would not count.
    let word = "[a-zA-Zéß漢0-9]{1,6}xq";
    let category = proptest::sample::select(vec!["NAME/PATIENT", "DATE/DATE", "ID/MRN", "LOCATION/CITY", "AGE/AGE90"]);
    let piece = (word, "[ .,\n]{1,2}", proptest::option::of(category));
    proptest::collection::vec(proptest::collection::vec(piece, 0..30), 1..4).prop_map(|notes| {
        let mut gold = Gold::default();
        for (at, pieces) in notes.into_iter().enumerate() {
            let (mut text, mut spans) = (String::new(), Vec::new());
            for (word, gap, category) in pieces {
                let start = text.chars().count() as u32;
                if let Some(category) = category {
                    spans.push(GoldSpan::new(start, start + word.chars().count() as u32, category));
                }
                text = text + &word + &gap;
            }
            gold.notes.insert(at.to_string(), text);
            gold.spans.insert(at.to_string(), spans);
        }
        gold
    })
}

proptest! {
    #[test]
    fn a_perfect_prediction_is_perfect(gold in any_corpus()) {
        let report = evaluate(&gold, &perfect_predictions(&gold), &options_with_few_draws()).unwrap();
        for scores in [&report.token, &report.strict_token, &report.span.exact, &report.span.partial] {
            prop_assert_eq!((scores.counts.fp, scores.counts.missed), (0, 0));
            prop_assert_eq!((scores.precision, scores.recall, scores.f1, scores.f10), (1.0, 1.0, 1.0, 1.0));
        }
        prop_assert_eq!((report.retained_nonphi.value, report.document.zero_leak.value), (1.0, 1.0));
        prop_assert_eq!(report.sokolova_category.exact_match_ratio, 1.0);
        prop_assert_eq!(report.sokolova_category.hamming_loss, 0.0);
        prop_assert!(report.leaks.is_empty() && report.over_scrubbed.is_empty());
        prop_assert!(report.category.values().all(|scores| scores.token_recall == 1.0 && scores.span_recall == 1.0));
    }

    #[test]
    fn an_empty_prediction_finds_nothing_and_keeps_all(gold in any_corpus()) {
        let report = evaluate(&gold, &Predictions::default(), &options_with_few_draws()).unwrap();
        prop_assert_eq!((report.token.counts.tp, report.token.counts.fp), (0, 0));
        prop_assert_eq!(report.retained_nonphi.value, 1.0);
        prop_assert_eq!(report.token.recall, if report.tokens.phi == 0 { 1.0 } else { 0.0 });
        prop_assert_eq!(report.leaks.len() as u64, report.span.gold.min(200));
    }

    #[test]
    fn removing_more_never_leaks_more(gold in any_corpus(), cuts in proptest::collection::vec((0_u32..200, 0_u32..20), 0..10)) {
        let mut predictions = Predictions::default();
        let mut before = evaluate(&gold, &predictions, &options_with_few_draws()).unwrap();
        for (start, length) in cuts {
            let spans = predictions.spans.entry("0".to_owned()).or_default();
            spans.push(PredictedSpan { start, end: start + length, ..PredictedSpan::default() });
            let after = evaluate(&gold, &predictions, &options_with_few_draws()).unwrap();
            prop_assert!(after.token.counts.missed <= before.token.counts.missed);
            prop_assert!(after.token.counts.fp >= before.token.counts.fp);
            prop_assert_eq!(after.tokens.phi, before.tokens.phi);
            let rows: u64 = after.per_document.iter().map(|row| row.leaked).sum();
            prop_assert_eq!(rows, after.token.counts.missed);
            before = after;
        }
    }

    #[test]
    fn every_format_gives_back_the_places(gold in any_corpus()) {
        for (name, format) in Format::NAMES {
            let folder = std::env::temp_dir().join(format!("notesieve-property-{}-{name}", std::process::id()));
            let _ = std::fs::remove_dir_all(&folder);
            gold.write(&folder, format).unwrap();
            let again = Gold::read(&folder).unwrap();
            std::fs::remove_dir_all(&folder).unwrap();
            let texts = |gold: &Gold| gold.notes.values().cloned().collect::<Vec<_>>();
            prop_assert_eq!(texts(&again), texts(&gold), "{}", name);
            if format != Format::Philter {
                let places = |gold: &Gold| gold.spans.values().flatten().map(|s| (s.start, s.end)).collect::<Vec<_>>();
                prop_assert_eq!(places(&again), places(&gold), "{}", name);
            }
        }
    }
}
