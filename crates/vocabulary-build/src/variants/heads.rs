//! Variants with a synonymous head word or modifier.

/// Interchangeable heads in vocabularies and notes, each with its plural.
const HEADS: &[&[[&str; 2]]] = &[
    &[["neoplasm", "neoplasms"], ["tumor", "tumors"]],
    &[["abnormality", "abnormalities"], ["anomaly", "anomalies"], ["malformation", "malformations"]],
    &[["disease", "diseases"], ["disorder", "disorders"]],
];

/// Heads that are synonymous after a single organ, as in "renal disease" and "renal dysfunction", but not in longer
/// terms.
const OF_ORGANS: &[[&str; 2]] = &[
    ["disease", "diseases"],
    ["disorder", "disorders"],
    ["dysfunction", "dysfunctions"],
    ["abnormality", "abnormalities"],
    ["lesion", "lesions"],
];

/// Organs as a noun and as an adjective before a head.
const ORGANS: &[[&str; 2]] = &[
    ["artery", "arterial"],
    ["brain", "cerebral"],
    ["colon", "colonic"],
    ["cornea", "corneal"],
    ["esophagus", "esophageal"],
    ["eye", "ocular"],
    ["heart", "cardiac"],
    ["kidney", "renal"],
    ["liver", "hepatic"],
    ["lung", "pulmonary"],
    ["muscle", "muscular"],
    ["ovary", "ovarian"],
    ["pancreas", "pancreatic"],
    ["prostate", "prostatic"],
    ["retina", "retinal"],
    ["skin", "cutaneous"],
    ["stomach", "gastric"],
    ["trachea", "tracheal"],
    ["uterus", "uterine"],
];

/// Endings of nouns for a condition, and of the adjective of someone or something with it.
const ADJECTIVES: &[[&str; 2]] = &[
    ["plegia", "plegic"],
    ["paresis", "paretic"],
    ["uremia", "uremic"],
    ["anemia", "anemic"],
    ["ischemia", "ischemic"],
    ["glycemia", "glycemic"],
    ["kalemia", "kalemic"],
    ["natremia", "natremic"],
    ["calcemia", "calcemic"],
    ["volemia", "volemic"],
    ["oxemia", "oxemic"],
    ["bacteremia", "bacteremic"],
    ["myopathy", "myopathic"],
    ["encephalopathy", "encephalopathic"],
    ["phasia", "phasic"],
    ["toxicity", "toxic"],
    ["cytopenia", "cytopenic"],
    ["tropenia", "tropenic"],
];

/// Interchangeable modifiers of inherited diseases.
const INHERITED: [&str; 3] = ["hereditary", "familial", "inherited"];

/// Returns "hereditary X" as "familial X" and "inherited X", and likewise for the other two.
pub(super) fn with_other_modifiers(text: &str) -> Vec<String> {
    let Some((modifier, rest)) = text.split_once(' ') else { return Vec::new() };
    let modifier = modifier.to_ascii_lowercase();
    let others = INHERITED.iter().filter(|&&word| INHERITED.contains(&modifier.as_str()) && word != modifier);
    others.map(|word| format!("{word} {rest}")).collect()
}

/// Returns "renal failure" as "kidney failure", or the reverse; only for terms of two words.
pub(super) fn with_other_organ_name(text: &str) -> Vec<String> {
    let Some((organ, head)) = text.split_once(' ').filter(|(_, head)| !head.contains(' ')) else { return Vec::new() };
    let organ = organ.to_ascii_lowercase();
    let other = ORGANS.iter().find_map(|[noun, adjective]| match organ.as_str() {
        word if word == *noun => Some(adjective),
        word if word == *adjective => Some(noun),
        _ => None,
    });
    other.map(|other| format!("{other} {head}")).into_iter().collect()
}

/// Returns "quadriplegia" as "quadriplegic".
pub(super) fn adjective_of_disease(text: &str) -> Vec<String> {
    if text.contains(|letter: char| !letter.is_ascii_alphabetic()) {
        return Vec::new();
    }
    let stem = |[noun, adjective]: &[&str; 2]| Some(format!("{}{adjective}", text.strip_suffix(noun)?));
    ADJECTIVES.iter().find_map(stem).into_iter().collect()
}

/// Returns the term with each synonymous head in the same grammatical number; "X deficiency" becomes "X deficient".
pub(super) fn with_other_heads(text: &str) -> Vec<String> {
    let Some((before, head)) = text.rsplit_once(' ').filter(|_| !text.contains(", ")) else { return Vec::new() };
    let head = head.to_ascii_lowercase();
    if head == "deficiency" {
        return vec![format!("{before} deficient")];
    }
    let of_organ: &[[&str; 2]] = if before.contains(' ') { &[] } else { OF_ORGANS };
    for group in [of_organ].into_iter().chain(HEADS.iter().copied()) {
        for number in [0, 1] {
            if group.iter().any(|word| word[number] == head) {
                let others = group.iter().map(|word| word[number]).filter(|word| *word != head);
                return others.map(|word| format!("{before} {word}")).collect();
            }
        }
    }
    Vec::new()
}
