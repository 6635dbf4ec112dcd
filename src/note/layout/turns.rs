//! Recognises speaker turns: `Doctor: ...`, `Patient: ...`, line by line.

use super::{Layout, Turn};
use crate::note::Note;
use crate::vocabulary::{Class, Classes};

/// The maximum number of words of a speaker label.
const MAX_LABEL_WORDS: usize = 3;
/// The minimum number of turns of a dialogue.
const MIN_TURNS: usize = 4;
/// The maximum number of lines per turn, on average from the first turn to the last.
const MAX_LINES_PER_TURN: u32 = 4;
/// Lists of words for people.
const PEOPLE: Classes = Classes::of(&[Class::PersonNoun, Class::Relative, Class::Title, Class::Credential]);

/// The label of a line that may be a speaker's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SpeakerLabel {
    /// A hash of its words.
    key: u64,
    line: u32,
    first: u32,
    body: u32,
}

impl Layout {
    /// Stores the label at the start of the last line.
    pub(super) fn add_speaker_label(&mut self, note: &Note<'_>, first: usize, last: usize, body: usize) {
        if last - first <= MAX_LABEL_WORDS {
            let fold = |all: u64, at: usize| (all ^ note.key(at)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
            let (key, line) = ((first..last).fold(0, fold), self.lines.len() as u32 - 1);
            self.labels.push(SpeakerLabel { key, line, first: first as u32, body: body as u32 });
        }
    }

    /// Takes labels for those of speakers if at least two recur, one of them is that of a person, and the turns are not
    /// too far apart.
    pub(super) fn read_turns(&mut self, note: &Note<'_>) {
        if self.labels.len() < MIN_TURNS {
            return;
        }
        self.labels.sort_unstable();
        let (mut speakers, mut persons) = (0, 0);
        for same in self.labels.chunk_by(|one, other| one.key == other.key).filter(|same| same.len() > 1) {
            persons += u32::from(is_label_of_person(note, &same[0]));
            let turn = |label: &SpeakerLabel| Turn { first: label.first, body: label.body, speaker: speakers };
            self.turns.extend(same.iter().map(turn));
            speakers += 1;
        }
        let lines = || self.labels.iter().map(|label| label.line);
        let between = lines().max().unwrap_or(0) - lines().min().unwrap_or(0);
        if persons == 0
            || speakers < 2
            || self.turns.len() < MIN_TURNS
            || between > MAX_LINES_PER_TURN * self.turns.len() as u32
        {
            self.turns.clear();
        }
        self.turns.sort_unstable_by_key(|turn| turn.first);
    }
}

/// Returns whether a label is a word for a person, or a letter that stands for one or for question and answer.
fn is_label_of_person(note: &Note<'_>, label: &SpeakerLabel) -> bool {
    let last = (label.first..label.body).rev().map(|at| at as usize).find(|&at| note.is_word(at));
    last.is_some_and(|at| note.any(at, PEOPLE) || matches!(note.bytes(at), b"d" | b"p" | b"q" | b"a" | b"pt" | b"dr"))
}
