//! Columns of yes and no: a line with both answers, and in the lines below it a mark in the column of one.

use super::FormReader;
use super::pieces::{Answer, Piece, PieceKind};

/// How far the middle of a mark may be from that of its heading, in bytes.
const NEAR: usize = 4;

/// The middle of the headings of a table, in bytes of their line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    yes: usize,
    no: usize,
}

impl FormReader<'_> {
    /// The columns that a line opens: it ends in both answers, with several blanks between.
    pub(super) fn columns(&self, line: &[Piece]) -> Option<Columns> {
        let [.., one, two] = line else { return None };
        match [one.kind, two.kind] {
            [PieceKind::Answer(Answer::Yes), PieceKind::Answer(Answer::No)] if two.wide => {
                Some(Columns { yes: self.middle(one), no: self.middle(two) })
            }
            [PieceKind::Answer(Answer::No), PieceKind::Answer(Answer::Yes)] if two.wide => {
                Some(Columns { yes: self.middle(two), no: self.middle(one) })
            }
            _ => None,
        }
    }

    /// Answers the terms of a line by the one mark in it. Returns whether there is one in a column.
    pub(super) fn mark_in_column(&mut self, line: &[Piece], columns: Columns) -> bool {
        let apart = |at: usize| at == 0 || line[at].wide && line.get(at + 1).is_none_or(|next| next.wide);
        let is_x = |piece: &Piece| piece.kind == PieceKind::Other && self.text.word(piece.first) == "x";
        let marked = |at: usize| line[at].kind == PieceKind::Box(Answer::Yes) || is_x(&line[at]) && apart(at);
        let mut marks = (0..line.len()).filter(|&at| marked(at));
        let (Some(mark), None) = (marks.next(), marks.next()) else { return false };
        let [yes, no] = [columns.yes, columns.no].map(|column| column.abs_diff(self.middle(&line[mark])));
        let near = yes.min(no) <= NEAR && yes != no;
        if near {
            self.answer(line, if yes < no { Answer::Yes } else { Answer::No });
        }
        near
    }

    /// The middle of a piece, in bytes of its line; where tabs separate columns, by the column.
    fn middle(&self, piece: &Piece) -> usize {
        let span = |at: usize| self.text.tokens[at].span().range();
        let (start, end) = (span(piece.first).start, span(piece.last - 1).end);
        let line = self.text.note.text()[..start].rfind('\n').map_or(0, |end| end + 1);
        let tabs = self.text.note.text()[line..start].bytes().filter(|&byte| byte == b'\t').count();
        if tabs > 0 { tabs * (2 * NEAR + 1) } else { usize::midpoint(start, end) - line }
    }
}
