//! Variants with another head word, or another word before it, that means the same.

/// Heads that vocabularies and notes use for each other, each with its plural.
const HEADS: &[&[[&str; 2]]] = &[
    &[["neoplasm", "neoplasms"], ["tumor", "tumors"]],
    &[["abnormality", "abnormalities"], ["anomaly", "anomalies"], ["malformation", "malformations"]],
    &[["disease", "diseases"], ["disorder", "disorders"]],
];

/// Words before a disease that runs in families, which sources use for each other.
const INHERITED: [&str; 3] = ["hereditary", "familial", "inherited"];

/// "hereditary X" as "familial X" and "inherited X", and the other ways round.
pub(super) fn other_modifiers(text: &str) -> Vec<String> {
    let Some((modifier, rest)) = text.split_once(' ') else { return Vec::new() };
    let modifier = modifier.to_ascii_lowercase();
    let others = INHERITED.iter().filter(|&&word| INHERITED.contains(&modifier.as_str()) && word != modifier);
    others.map(|word| format!("{word} {rest}")).collect()
}

/// The term with each other head of its kind, in the same number; "X deficiency" also as "X deficient".
pub(super) fn other_heads(text: &str) -> Vec<String> {
    let Some((before, head)) = text.rsplit_once(' ').filter(|_| !text.contains(", ")) else { return Vec::new() };
    let head = head.to_ascii_lowercase();
    if head == "deficiency" {
        return vec![format!("{before} deficient")];
    }
    for group in HEADS {
        for number in [0, 1] {
            if group.iter().any(|word| word[number] == head) {
                let others = group.iter().map(|word| word[number]).filter(|word| *word != head);
                return others.map(|word| format!("{before} {word}")).collect();
            }
        }
    }
    Vec::new()
}
