//! The tags that stand for what was removed.

use crate::rules::{Category, Kind};

/// The tag of a kind of PHI.
pub(super) const fn tag(kind: Kind) -> &'static str {
    match kind.category() {
        Category::Name => "[NAME]",
        Category::Date => "[DATE]",
        Category::Age => "90+",
        Category::Location => "[LOCATION]",
        Category::Contact => "[CONTACT]",
        Category::Id => "[ID]",
    }
}
