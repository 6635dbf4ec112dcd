//! The tags that replace what was removed.

use super::{Context, Input};
use crate::finding::{Category, Kind};
use crate::policy::{ANGLE, Ages, DEID, Policy, Replace, SQUARE};

/// Returns whether the tag of a kind is its category in square brackets; that of [`Kind::AgeOver89`] may differ.
pub(super) fn has_square_tags(policy: &Policy) -> bool {
    policy.replace != Replace::Mask && policy.tags == SQUARE
}

/// Writes the tag for the tokens `first..last`.
pub(super) fn write_tag(input: &Input<'_>, first: usize, last: usize, kind: Kind, out: &mut String) {
    let policy = input.policy;
    if policy.replace == Replace::Mask {
        out.push_str(&policy.mask);
    } else if kind == Kind::AgeOver89 && policy.ages == Ages::TopCode && policy.tags != DEID {
        out.push_str("90+");
    } else {
        write_tag_in_style(input, first, last, kind, None, out);
    }
}

/// Writes the tag with a number.
pub(super) fn write_numbered(input: &Input<'_>, first: usize, last: usize, kind: Kind, number: u64, out: &mut String) {
    write_tag_in_style(input, first, last, kind, Some(number), out);
}

fn write_tag_in_style(input: &Input<'_>, first: usize, last: usize, kind: Kind, number: Option<u64>, out: &mut String) {
    let key = kind.category().key();
    let numbered = |key: &str, gap: char, out: &mut String| {
        out.push_str(key);
        if let Some(number) = number {
            out.push(gap);
            out.push_str(&number.to_string());
        }
    };
    match input.policy.tags.as_str() {
        SQUARE if number.is_none() => out.push_str(kind.category().square_tag()),
        SQUARE => {
            out.push('[');
            numbered(key, '-', out);
            out.push(']');
        }
        ANGLE => {
            out.push('<');
            numbered(key, '-', out);
            out.push('>');
        }
        DEID => {
            out.push_str("[**");
            numbered(tag_phrase(input.context, first, last, kind), ' ', out);
            out.push_str("**]");
        }
        template => {
            let mut name = String::new();
            let by_kind = template.contains("{kind}");
            numbered(if by_kind { kind.key() } else { key }, '-', &mut name);
            out.push_str(&template.replace("{category}", &name).replace("{kind}", &name));
        }
    }
}

/// Returns the phrase for a kind in tags of the form `[**Last name**]`.
fn tag_phrase(context: Option<Context<'_>>, first: usize, last: usize, kind: Kind) -> &'static str {
    match kind {
        Kind::Name | Kind::Patient | Kind::Staff | Kind::Relative => part_of_name(context, first, last),
        Kind::Initials => "Initials",
        Kind::Street => "Street address",
        Kind::Zip => "Zip code",
        Kind::Hospital => "Hospital",
        Kind::Ward => "Ward",
        Kind::Organisation => "Organization",
        Kind::City | Kind::County | Kind::State | Kind::Country => "Location",
        Kind::Phone => "Telephone",
        Kind::Fax => "Fax",
        Kind::Pager => "Pager",
        Kind::Email => "Email",
        Kind::Url => "Web address",
        Kind::Network | Kind::Handle => "Contact",
        Kind::Ssn => "Social security number",
        Kind::Record => "Medical record number",
        Kind::Ethnicity => "Ethnicity",
        Kind::Month => "Month",
        Kind::Year | Kind::EarlyYear => "Year",
        Kind::Weekday => "Weekday",
        Kind::Holiday => "Holiday",
        Kind::Season => "Season",
        kind => match kind.category() {
            Category::Date => "Date",
            Category::Age => "Age over 89",
            _ => "ID number",
        },
    }
}

/// Returns whether a name is a full name, a first name or a last name, as a phrase.
fn part_of_name(context: Option<Context<'_>>, first: usize, last: usize) -> &'static str {
    let Some(Context { note, .. }) = context else { return "Full name" };
    let mut words = (first..last).filter(|&at| note.is_word(at) && note.bytes(at).len() > 1);
    match (words.next(), words.next()) {
        (Some(word), None) => {
            let ranks = note.ranks(word);
            let titled =
                first > 0 && (note.is(first - 1, crate::vocabulary::Class::Title) || note.is_mark(first - 1, b'.'));
            if ranks.first_name > ranks.surname && !titled { "First name" } else { "Last name" }
        }
        _ => "Full name",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placeholders::is_phrase;

    #[test]
    fn every_phrase_is_known_to_be_ours() {
        for &kind in Kind::ALL {
            let phrase = tag_phrase(None, 0, 1, kind).to_lowercase();
            assert!(is_phrase(&phrase) && is_phrase(&format!("{phrase} 12")), "{phrase}");
        }
        assert!(is_phrase("first name") && is_phrase("last name 3"));
        assert!(!is_phrase("john brown") && !is_phrase("name 123456"));
    }
}
