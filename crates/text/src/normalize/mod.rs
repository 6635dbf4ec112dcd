//! Folds a text to the form of the lists: lower case, one form of each letter, with a map back to the source.
//!
//! A whole note is folded once: NFKC, lower case, accents and other marks dropped, typographic quotes and dashes as in
//! ASCII, digits of every script as `0` to `9`, zero-width characters dropped, letters that look like Latin ones made
//! Latin. Two words that fold alike are the same word to every list, so no spelling trick keeps a word that its plain
//! spelling would not. If the source used such a trick, the output is written from the list.

mod letters;

use wide::{CmpLt, i8x16};

use crate::debug::debug_count;
use crate::span::Span;
pub use letters::is_fraction;
use letters::{fold_char, is_control};

/// The version of folding, incremented with every change: a compiled vocabulary only fits the normaliser that made it.
pub const VERSION: u32 = 4;

/// A folded text with a map back to the source.
#[derive(Default)]
pub struct Normalized {
    folded: String,
    /// The offset map; empty if every byte folds to one byte, as in ASCII.
    runs: Vec<Run>,
    source_len: u32,
    identity: bool,
}

/// A run of the offset map, which begins at `folded` and ends at the next run. Offsets in both texts advance together
/// or, if `atomic`, all of its bytes come from one character of the source.
#[derive(Clone, Copy, Debug)]
struct Run {
    folded: u32,
    source: u32,
    source_end: u32,
    atomic: bool,
}

debug_count!(Normalized, "bytes", |it| it.folded.len());

impl Normalized {
    /// Folds `source`.
    #[must_use]
    pub fn new(source: &str) -> Self {
        let mut normalized = Self::default();
        normalized.fold(source);
        normalized
    }

    /// Folds `source` into the buffers of this value.
    pub fn fold(&mut self, source: &str) {
        self.folded.clear();
        self.runs.clear();
        self.source_len = source.len() as u32;
        self.identity = plain_len(source.as_bytes()) == source.len();
        self.folded.push_str(source);
        if self.identity {
            self.folded.make_ascii_lowercase();
            return;
        }
        self.folded.clear();
        let bytes = source.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let plain = plain_len(&bytes[at..]);
            if plain > 0 {
                let from = self.folded.len();
                self.runs.push(Run {
                    folded: from as u32,
                    source: at as u32,
                    source_end: (at + plain) as u32,
                    atomic: false,
                });
                self.folded.push_str(&source[at..at + plain]);
                self.folded[from..].make_ascii_lowercase();
                at += plain;
            }
            if let Some(letter) = source[at..].chars().next() {
                let from = self.folded.len();
                let end = at + letter.len_utf8() + self.soft_line_break_len(letter, &source[at + letter.len_utf8()..]);
                if is_fraction(letter) {
                    self.fold_fraction(letter, &source[end..]);
                } else {
                    fold_char(letter, &mut self.folded);
                }
                if self.folded.len() > from {
                    self.runs.push(Run {
                        folded: from as u32,
                        source: at as u32,
                        source_end: end as u32,
                        atomic: true,
                    });
                }
                at = end;
            }
        }
    }

    /// Returns the length of a line break after a soft hyphen inside a word, where the word continues on the next line.
    fn soft_line_break_len(&self, letter: char, after: &str) -> usize {
        let word = letter == '\u{AD}' && self.folded.ends_with(char::is_alphabetic);
        let next = after.trim_start_matches(['\r', '\n', ' ', '\t']);
        let gap = &after[..after.len() - next.len()];
        let one_line = gap.matches('\n').count() == 1 || !gap.contains('\n') && gap.matches('\r').count() == 1;
        if word && one_line && next.starts_with(char::is_alphabetic) { gap.len() } else { 0 }
    }

    /// Folds `½`, separated from adjacent numbers: `2½` is `2 1/2`, not `21/2`.
    fn fold_fraction(&mut self, letter: char, after: &str) {
        if self.folded.ends_with(|before: char| before.is_ascii_digit()) {
            self.folded.push(' ');
        }
        fold_char(letter, &mut self.folded);
        if after.starts_with(char::is_numeric) {
            self.folded.push(' ');
        }
    }

    /// Returns whether the source is ASCII without control characters, so that folding changed only the case of
    /// letters.
    pub const fn is_plain(&self) -> bool {
        self.identity
    }

    /// Returns the folded text.
    pub fn folded(&self) -> &str {
        &self.folded
    }

    /// Returns the source span of a span of the folded text. It includes dropped characters inside the span, but not at
    /// its ends.
    #[inline]
    pub fn source_span(&self, span: Span) -> Span {
        if self.identity { span } else { self.source_span_by_runs(span) }
    }

    #[inline(never)]
    fn source_span_by_runs(&self, span: Span) -> Span {
        if span.is_empty() {
            let at = self.source_start(span.start);
            return Span::new(at, at);
        }
        Span::new(self.source_start(span.start), self.source_end(span.end))
    }

    /// Returns the offset in the source of byte `at` of the folded text, and the end in the folded text of the stretch
    /// in which both texts differ only in the case of ASCII letters; `None` outside such a stretch. The caller keeps
    /// `hint`, which makes lookups in ascending order fast.
    #[inline]
    pub fn plain_offset(&self, at: u32, hint: &mut usize) -> Option<(u32, u32)> {
        if self.identity {
            return Some((at, self.folded.len() as u32));
        }
        if self.runs.get(*hint).is_none_or(|run| run.folded > at) {
            *hint = self.runs.partition_point(|run| run.folded <= at).saturating_sub(1);
        }
        while self.runs.get(*hint + 1).is_some_and(|next| next.folded <= at) {
            *hint += 1;
        }
        let run = self.runs.get(*hint).filter(|run| !run.atomic && run.folded <= at)?;
        let end = self.runs.get(*hint + 1).map_or(self.folded.len() as u32, |next| next.folded);
        Some((run.source + (at - run.folded), end))
    }

    fn run_of(&self, folded: u32) -> Option<Run> {
        let after = self.runs.partition_point(|run| run.folded <= folded);
        after.checked_sub(1).map(|at| self.runs[at])
    }

    fn source_start(&self, folded: u32) -> u32 {
        if folded as usize >= self.folded.len() {
            return self.source_len;
        }
        self.run_of(folded).map_or(0, |run| if run.atomic { run.source } else { run.source + (folded - run.folded) })
    }

    fn source_end(&self, folded: u32) -> u32 {
        self.run_of(folded - 1).map_or(
            0,
            |run| {
                if run.atomic { run.source_end } else { run.source + (folded - run.folded) }
            },
        )
    }
}

/// Returns the number of bytes before the first one that is not ASCII or is a control character. Most notes have none,
/// so it tests 64 bytes at once, then sixteen.
fn plain_len(bytes: &[u8]) -> usize {
    let (blocks, _) = bytes.as_chunks::<64>();
    let is_plain = |block: &&[u8; 64]| {
        let (pieces, _) = block.as_chunks::<16>();
        (needs_folding_mask(pieces[0])
            | needs_folding_mask(pieces[1])
            | needs_folding_mask(pieces[2])
            | needs_folding_mask(pieces[3]))
        .move_mask()
            == 0
    };
    let plain = 64 * blocks.iter().take_while(is_plain).count();
    let (pieces, rest) = bytes[plain..].as_chunks::<16>();
    for (nth, &piece) in pieces.iter().enumerate() {
        let odd = needs_folding_mask(piece).move_mask();
        if odd != 0 {
            return plain + 16 * nth + odd.trailing_zeros() as usize;
        }
    }
    let odd = |&byte: &u8| !byte.is_ascii() || is_control(byte);
    bytes.len() - rest.len() + rest.iter().position(odd).unwrap_or(rest.len())
}

/// Returns the lanes with bytes that are non-ASCII, or control characters other than tab and line ends.
#[inline]
fn needs_folding_mask(piece: [u8; 16]) -> i8x16 {
    let piece: i8x16 = bytemuck::cast(piece);
    let than = |byte: u8| i8x16::splat(byte.cast_signed());
    // Non-ASCII bytes are negative as i8, and DEL becomes negative when 1 is added.
    let ends = (piece + than(1)).cmp_lt(than(10));
    // 0x0E to 0x1F become the smallest values when 0x0E is shifted to the smallest one.
    let low = (piece + than(0x80 - 0x0E)).cmp_lt(than(0x80 + 0x20 - 0x0E));
    ends | low
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn folded(source: &str) -> String {
        Normalized::new(source).folded().to_owned()
    }

    #[test]
    fn what_is_not_plain_is_found_at_every_place() {
        for at in 0..200 {
            for byte in 0..=u8::MAX {
                let mut bytes = [b'a'; 200];
                bytes[at] = byte;
                let odd = !byte.is_ascii() || is_control(byte);
                assert_eq!(plain_len(&bytes), if odd { at } else { bytes.len() }, "{byte} at {at}");
            }
        }
    }

    #[test]
    fn folds_what_looks_alike() {
        assert_eq!(folded("DIABETES"), "diabetes");
        assert_eq!(folded("Sjögren’s"), "sjogren's");
        assert_eq!(folded("Sjo\u{308}gren"), "sjogren");
        assert_eq!(folded("dia\u{AD}be\u{200B}tes"), "diabetes");
        assert_eq!(folded("ﬁbrosis"), "fibrosis");
        assert_eq!(folded("Brоwn"), "brown", "Cyrillic o");
        assert_eq!(folded("１２/٣/۴"), "12/3/4");
        assert_eq!(folded("5 µg × 2"), "5 ug x 2");
        assert_eq!(folded("Straße Øre İstanbul"), "strasse ore istanbul");
        assert_eq!(folded("a\u{A0}b\u{2003}c"), "a b c");
        assert_eq!(folded("3½"), "3 1/2");
        assert_eq!(folded("½ ¾5 x⅓"), "1/2 3/4 5 x1/3");
        assert_eq!(folded("10⁶ ⑥①⑦"), "106 617");
        assert_eq!(folded("dia\0be\u{8}te\u{FFF9}s\u{9C}"), "diabetes");
        assert_eq!(folded("m²"), "m2");
        assert_eq!(folded("🅰 𝐁𝐨𝐛"), "🅰 bob");
        assert_eq!(folded("\u{FDFA}"), "\u{FDFA}");
        assert_eq!(folded("Zwil\u{AD}\r\n  bruck\u{AD}\n\nis\u{AD}\n5"), "zwilbruck\n\nis\n5");
    }

    #[test]
    fn no_character_folds_to_more_than_six_times_its_bytes() {
        for letter in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let mut out = String::new();
            fold_char(letter, &mut out);
            assert!(out.len() <= 6 * letter.len_utf8(), "U+{:04X} {} bytes", u32::from(letter), out.len());
        }
    }

    #[test]
    fn knows_the_source_of_each_word() {
        let source = "x é dia\u{AD}betes\u{200B} y";
        let normalized = Normalized::new(source);
        assert_eq!(normalized.folded(), "x e diabetes y");
        let span = normalized.source_span(Span::new(4, 12));
        assert_eq!(&source[span.range()], "dia\u{AD}betes");
        let span = normalized.source_span(Span::new(2, 3));
        assert_eq!(&source[span.range()], "é");
    }

    proptest! {
        #[test]
        fn spans_lead_back_to_character_borders(source in "\\PC{0,40}") {
            let normalized = Normalized::new(&source);
            let text = normalized.folded();
            let borders: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
            let mut last = 0;
            for pair in borders.windows(2) {
                let span = normalized.source_span(Span::new(pair[0] as u32, pair[1] as u32));
                prop_assert!(source.get(span.range()).is_some());
                prop_assert!(span.start as usize >= last || normalized.run_of(pair[0] as u32).unwrap().atomic);
                last = span.start as usize;
            }
        }

        #[test]
        fn folding_twice_changes_nothing(source in "\\PC{0,40}") {
            let once = folded(&source);
            prop_assert_eq!(folded(&once), once);
        }
    }
}
