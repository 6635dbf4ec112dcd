//! Columns of answers: a row of headings, one of which negates, and rows below it with a mark in one of the columns.

use super::FormReader;
use super::kinds::{Answer, Piece, PieceKind};

/// The maximum distance between the middle of a mark and that of its heading, in bytes.
const MAX_BYTES_FROM_HEADING: usize = 4;

/// The maximum number of headings that affirm.
const MAX_AFFIRMING_HEADINGS: usize = 4;

/// The middles of the column headings, in bytes from the start of the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnswerColumns {
    yes: [usize; MAX_AFFIRMING_HEADINGS],
    no: usize,
}

impl FormReader<'_> {
    /// Returns the columns that a row of headings defines: "Yes  No", "None  Mild  Severe", with wide gaps between.
    pub(super) fn answer_columns_of_line(&self, line: &[Piece]) -> Option<AnswerColumns> {
        let first = line.iter().position(|piece| piece.wide || matches!(piece.kind, PieceKind::Answer(_)))?;
        let denies = |piece: &&Piece| piece.kind == PieceKind::Answer(Answer::No);
        let bar = |at: usize| line[at].kind == PieceKind::Bar;
        let apart = (first + 1..line.len()).all(|at| line[at].wide || bar(at) || bar(at - 1));
        let headings = line[first..].iter().filter(|piece| piece.kind != PieceKind::Bar);
        let several = (2..=MAX_AFFIRMING_HEADINGS + 1).contains(&headings.clone().count());
        let no = headings.clone().find(denies).filter(|_| apart && several)?;
        let mut yes = [usize::MAX; MAX_AFFIRMING_HEADINGS];
        for (column, heading) in yes.iter_mut().zip(headings.filter(|piece| !denies(piece))) {
            *column = self.middle_of_piece(heading);
        }
        (yes[0] != usize::MAX).then(|| AnswerColumns { yes, no: self.middle_of_piece(no) })
    }

    /// Answers the terms of a line by its only mark. Returns whether it has one in a column.
    pub(super) fn answer_by_mark_in_column(&mut self, line: &[Piece], columns: AnswerColumns) -> bool {
        let apart = |at: usize| {
            let bar = |piece: &Piece| piece.wide || piece.kind == PieceKind::Bar;
            at == 0 || (line[at].wide || bar(&line[at - 1])) && line.get(at + 1).is_none_or(bar)
        };
        let is_x = |piece: &Piece| piece.kind == PieceKind::Other && self.text.folded_text(piece.first) == "x";
        let marked = |at: usize| line[at].kind == PieceKind::Box(Answer::Yes) || is_x(&line[at]) && apart(at);
        let mut marks = (0..line.len()).filter(|&at| marked(at));
        let (Some(mark), None) = (marks.next(), marks.next()) else { return false };
        let middle = self.middle_of_piece(&line[mark]);
        let yes = columns.yes.into_iter().map(|column| column.abs_diff(middle)).min().unwrap_or(usize::MAX);
        let no = columns.no.abs_diff(middle);
        let near = yes.min(no) <= MAX_BYTES_FROM_HEADING && yes != no;
        if near {
            self.answer_pieces(line, if yes < no { Answer::Yes } else { Answer::No });
        }
        near
    }

    /// Returns the middle of a piece, in bytes from the start of its line, or a multiple of the column number if tabs
    /// or bars separate the columns.
    fn middle_of_piece(&self, piece: &Piece) -> usize {
        let span = |at: usize| self.text.tokens[at].span().range();
        let (start, end) = (span(piece.first).start, span(piece.end - 1).end);
        let line = self.text.note.text()[..start].rfind('\n').map_or(0, |end| end + 1);
        let tabs = self.text.note.text()[line..start].bytes().filter(|byte| matches!(byte, b'\t' | b'|')).count();
        if tabs > 0 { tabs * (2 * MAX_BYTES_FROM_HEADING + 1) } else { usize::midpoint(start, end) - line }
    }
}
