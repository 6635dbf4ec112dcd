//! Detection of the long form of an abbreviation.
//!
//! Schwartz and Hearst, *A simple algorithm for identifying abbreviation definitions in biomedical text*, Pacific
//! Symposium on Biocomputing 2003.

/// Returns the start of the long form in `candidate`, the text before the short form. `None` unless `candidate`
/// contains the letters of the short form, read from right to left, with the first at the start of a word. Both must be
/// lower case.
///
/// ```
/// use notesieve_vocabulary::long_form_start;
/// assert_eq!(long_form_start("aki", "with acute kidney injury"), Some(5));
/// assert_eq!(long_form_start("aki", "with renal failure"), None);
/// ```
pub fn long_form_start(short: &str, candidate: &str) -> Option<usize> {
    let mut letters = short.chars().rev().filter(|letter| letter.is_alphanumeric()).peekable();
    let mut long = candidate.char_indices().rev().peekable();
    let mut start = None;
    while let Some(letter) = letters.next() {
        let is_first = letters.peek().is_none();
        start = Some(loop {
            let (at, found) = long.next()?;
            let mut starts_word = || long.peek().is_none_or(|before| !before.1.is_alphanumeric());
            if found == letter && (!is_first || starts_word()) {
                break at;
            }
        });
    }
    start
}
