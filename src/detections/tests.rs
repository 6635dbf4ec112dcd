use super::*;
use crate::Scrubber;
use crate::policy::{Pattern, PatternAction, Policy, read_patterns};

fn scrubber(policy: Policy) -> Scrubber {
    policy.check().expect("a policy");
    crate::pipeline::tests::scrubber().with_policy(policy)
}

fn pattern(name: &str, regex: &str, kind: Option<&str>) -> Pattern {
    let text = format!("name = {name:?}\nregex = {regex:?}");
    let pattern: Pattern = toml::from_str(&text).expect("a pattern");
    let action = if kind.is_some() { PatternAction::Remove } else { PatternAction::Keep };
    Pattern { kind: kind.map(str::to_owned), action, ..pattern }
}

fn policy_with_patterns(patterns: Vec<Pattern>) -> Policy {
    Policy { patterns, ..Policy::safe() }
}

fn caller_knowledge(span: std::ops::Range<usize>, kind: Kind, certainty: Certainty) -> CallerKnowledge {
    let detector = SourceName::detector("detector:second").expect("a name");
    let span = Span::new(span.start as u32, span.end as u32);
    CallerKnowledge { patient: None, detections: vec![Detection { span, kind, certainty, detector }] }
}

#[test]
fn a_detection_removes_what_lists_let_out() {
    let text = "The kidney stone passed.";
    let known = caller_knowledge(4..10, Kind::City, Certainty::Sure);
    let note = scrubber(Policy::safe()).scrub_with(text, &known).expect("a short note");
    assert_eq!(note.text, "The [LOCATION] stone passed.");
    let finding = note.findings.iter().find(|found| found.rule.as_str() == "detector:second").expect("is reported");
    assert_eq!((finding.kind, finding.source), (Kind::City, Span::new(4, 10)));
}

#[test]
fn a_detection_of_a_part_of_a_word_removes_the_word() {
    let known = caller_knowledge(5..7, Kind::Name, Certainty::Likely);
    let note = scrubber(Policy::safe()).scrub_with("The kidney.", &known).expect("a short note");
    assert_eq!(note.text, "The [NAME].");
}

#[test]
fn a_weak_detection_yields_to_a_term_of_several_words() {
    let text = "Has sickle cell anemia.";
    let weak = caller_knowledge(4..10, Kind::Name, Certainty::Weak);
    let note = scrubber(Policy::safe()).scrub_with(text, &weak).expect("a short note");
    assert_eq!(note.text, text);
}

#[test]
fn a_pattern_removes_and_vouches() {
    let policy = policy_with_patterns(vec![
        pattern("study", r"\bST-\d{3}\b", Some("other-id")),
        Pattern { certainty: "sure".to_owned(), ..pattern("protocol", r"\bZorblax\b", None) },
    ]);
    let scrubber = scrubber(policy);
    let note = scrubber.scrub("Zorblax given in study ST-123.").expect("a short note");
    assert_eq!(note.text, "Zorblax given in study [ID].");
    assert!(note.findings.iter().any(|found| found.rule.as_str() == "pattern:study"));
    assert_eq!(scrubber.policy().kept_by_patterns("Zorblax given."), std::iter::once(0..7).collect::<Vec<_>>());
}

#[test]
fn a_pattern_asks_for_words_around() {
    let near = Pattern { before: vec!["Cell".to_owned()], within: 2, ..pattern("cell", r"\b\d{2}\b", Some("ward")) };
    let scrubber = scrubber(policy_with_patterns(vec![near]));
    let text = |note: &str| scrubber.scrub(note).expect("a short note").text;
    assert_eq!(text("In cell block 14 today."), "In cell block [LOCATION] today.");
    assert_eq!(text("Aged 14 today, cell phone."), "Aged 14 today, cell phone.");
}

#[test]
fn a_group_limits_what_is_found() {
    let scrubber = scrubber(policy_with_patterns(vec![pattern("bed", r"seen in (?P<phi>cot)", Some("ward"))]));
    assert_eq!(scrubber.scrub("Was seen in cot.").expect("a short note").text, "Was seen in [LOCATION].");
}

#[test]
fn patterns_that_cannot_be_used_are_refused() {
    let refused = |pattern: Pattern, says: &str| {
        let problem = policy_with_patterns(vec![pattern]).check().expect_err("is refused").to_string();
        assert!(problem.contains(says), "{problem}");
    };
    refused(pattern("open", "(", Some("name")), "patterns[0] \"open\": regex");
    refused(pattern("empty", "a*", Some("name")), "finds the empty text");
    refused(pattern("large", r"(?:\w{1000}){1000}", Some("name")), "regex");
    refused(pattern("kind", "a", Some("person")), "there is no kind");
    refused(pattern("two words", "a", Some("name")), "name: must be");
    refused(Pattern { certainty: "certain".to_owned(), ..pattern("sure", "a", Some("name")) }, "certainty");
    refused(Pattern { kind: Some("name".to_owned()), ..pattern("keeps", "a", None) }, "kind: a pattern that keeps");
    refused(Pattern { examples: vec!["b".to_owned()], ..pattern("example", "a", Some("name")) }, "examples[0]");
    let twice = policy_with_patterns(vec![pattern("one", "a", Some("name")), pattern("one", "b", Some("name"))]);
    assert!(twice.check().expect_err("is refused").to_string().contains("another pattern"));
}

#[test]
fn a_file_of_patterns_is_read_and_its_errors_name_the_line() {
    let folder = std::env::temp_dir().join(format!("notesieve-patterns-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("patterns.toml");
    let good = "[[pattern]]\nname = \"study\"\nregex = 'ST-\\d{3}'\nkind = \"other-id\"\nexamples = [\"in ST-123\"]\n";
    std::fs::write(&path, good).expect("written");
    assert_eq!(read_patterns(&path).expect("is right").len(), 1);
    let policy = folder.join("policy.toml");
    std::fs::write(&policy, "patterns = \"patterns.toml\"\n").expect("written");
    let policy = Policy::open(&policy).expect("a policy");
    assert_eq!(policy.patterns.len(), 1);
    assert_eq!(Policy::from_toml(&policy.to_toml()).expect("reads what it wrote"), policy);
    std::fs::write(&path, format!("{good}\n[[pattern]]\nname = \"bad\"\nregex = '('\nkind = \"name\"\n"))
        .expect("written");
    let problem = read_patterns(&path).expect_err("is refused").to_string();
    assert!(problem.contains("patterns.toml, line 7: pattern \"bad\""), "{problem}");
    std::fs::write(&path, "[[pattern]]\nname = \"x\"\ncolour = 1\n").expect("written");
    let problem = read_patterns(&path).expect_err("is refused").to_string();
    assert!(problem.contains("patterns.toml, line"), "{problem}");
    std::fs::remove_dir_all(&folder).expect("removed");
}
