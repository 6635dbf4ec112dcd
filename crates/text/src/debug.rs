//! How what holds text of a note shows itself: by how much it holds, never by what.

/// Implements `Debug` with the name of a type and one count.
#[macro_export]
macro_rules! debug_count {
    ($name:ident $(<$life:lifetime>)?, $what:literal, $count:expr) => {
        /// Shows how much it holds and nothing of what a note says.
        impl std::fmt::Debug for $name $(<$life>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let count: fn(&Self) -> usize = $count;
                f.debug_struct(stringify!($name)).field($what, &count(self)).finish_non_exhaustive()
            }
        }
    };
}
pub use debug_count;
