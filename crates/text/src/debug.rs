//! `Debug` for types that hold text of a note: shows how much they hold, never the text.

/// Implements `Debug` with the name of a type and one count.
#[macro_export]
macro_rules! debug_count {
    ($name:ident $(<$life:lifetime>)?, $what:literal, $count:expr) => {
        /// Shows a count only, never text of a note.
        impl std::fmt::Debug for $name $(<$life>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let count: fn(&Self) -> usize = $count;
                f.debug_struct(stringify!($name)).field($what, &count(self)).finish_non_exhaustive()
            }
        }
    };
}
pub use debug_count;
