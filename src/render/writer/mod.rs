//! Writes the text of a note, from one removal or term to the next.

mod terms;

use memchr::memchr;

use super::plan::ReplacementPlan;
use super::{Input, tag, write_cased};
use crate::decide::Decision;
use crate::document::{Action, Document, Reason, Removal, SourceName, TokenDecision};
use crate::finding::Kind;
use crate::policy::Terms;
use crate::rules::GROUP;
use crate::text::normalize::is_fraction;
use crate::text::span::Span;
use crate::text::token::Gap;

/// The writer of one note.
pub(super) struct NoteWriter<'a, 'b> {
    input: Input<'a>,
    out: &'b mut Document,
    /// The offset in the folded text up to which the note is written or removed.
    copied: usize,
    /// The offset up to which text is kept as in the note, but not written yet. Kept spans are long, and one copy is
    /// cheaper than one per term. At least `copied` if anything is pending.
    kept: usize,
    /// The end of a span where folded text and source differ in case only. If it is after `copied`, `copied` is in this
    /// span. 0 where tokens are written one by one.
    plain_end: usize,
    /// The wrapping difference between source offset and folded offset within the span.
    plain_shift: usize,
    /// The cursor for `Normalized::plain_offset`.
    plain_cursor: usize,
    /// The number of terms processed.
    terms: usize,
    /// The number of entities processed.
    entities: usize,
    plan: Option<ReplacementPlan<'a>>,
    /// Whether every removal is replaced by its category in square brackets, except [`Kind::AgeOver89`].
    square: bool,
}

impl<'a, 'b> NoteWriter<'a, 'b> {
    pub(super) fn new(input: Input<'a>, out: &'b mut Document) -> Self {
        let plan = input.context.map(|context| ReplacementPlan::new(input, context));
        let square = plan.is_none() && tag::has_square_tags(input.policy);
        Self {
            input,
            out,
            copied: 0,
            kept: 0,
            plain_end: 0,
            plain_shift: 0,
            plain_cursor: 0,
            terms: 0,
            entities: 0,
            plan,
            square,
        }
    }
}

impl NoteWriter<'_, '_> {
    /// Writes the whole note.
    pub(super) fn write_note(&mut self) {
        let Input { decisions, normalized, .. } = self.input;
        // A code that an earlier scrub wrote has brackets.
        let own = memchr(b'[', normalized.folded().as_bytes()).is_some();
        let coded = self.input.policy.terms != Terms::Written;
        let mut done = 0;
        for (nth, group) in decisions.chunks(GROUP).enumerate() {
            let start = nth * GROUP;
            let mut left = changed_token_bits(group, coded, own);
            if done > start {
                left &= bits_from(done - start);
            }
            // The functions called here are rare and not inlined, so that the loop keeps its registers.
            while left != 0 {
                let at = start + left.trailing_zeros() as usize;
                if at > done {
                    self.write_kept(done, at);
                }
                done = match decisions[at].action {
                    Action::Remove => self.write_removed(at),
                    Action::Keep => self.write_placeholder(at),
                    Action::Code => self.write_term(at),
                };
                left &= bits_from(done - start);
            }
        }
        if done < decisions.len() {
            self.write_kept(done, decisions.len());
        }
        self.flush_pending(normalized.folded().len());
    }

    /// Writes pending kept text, and what is between the last token and `start`.
    fn flush_pending(&mut self, start: usize) {
        let Input { source, normalized, .. } = self.input;
        let shift = self.plain_shift;
        if start <= self.plain_end {
            self.out.text.push_str(&source[self.copied.wrapping_add(shift)..start.wrapping_add(shift)]);
        } else {
            if self.kept > self.copied {
                let kept = self.copied.wrapping_add(shift)..self.kept.wrapping_add(shift);
                self.out.text.push_str(&source[kept]);
                self.copied = self.kept;
            }
            // White space has one form in the folded text, so that no zero-width character is hidden there.
            self.out.text.push_str(&normalized.folded()[self.copied..start]);
        }
        self.copied = start;
    }

    /// Writes the tokens `first..last`, which have this folded span, as in the note, or defers them. Returns their span
    /// in the output.
    #[inline]
    fn write_or_defer_tokens(&mut self, first: usize, last: usize, Span { start, end }: Span) -> Span {
        let (start, end) = (start as usize, end as usize);
        if end > self.plain_end && !self.is_plain(end) {
            return self.write_changed_tokens(first, last);
        }
        let ahead = |at: usize| (self.out.text.len() + (at - self.copied)) as u32;
        self.kept = end;
        Span::new(ahead(start), ahead(end))
    }

    /// Writes tokens that differ from the folded text in more than case, or that must be written one by one.
    #[inline(never)]
    fn write_changed_tokens(&mut self, first: usize, last: usize) -> Span {
        self.flush_pending(self.input.tokens[first].start as usize);
        let start = self.out.text.len() as u32;
        let mut at = first;
        while at < last {
            at = if self.input.explain { self.write_token(at) } else { self.write_run(at, last) };
        }
        Span::new(start, self.out.text.len() as u32)
    }

    /// Returns whether source and folded text differ in case only from `copied` to `end`, which is outside the known
    /// span.
    #[inline(never)]
    fn is_plain(&mut self, end: usize) -> bool {
        if self.kept <= self.copied && !self.input.explain {
            let plain = self.input.normalized.plain_offset(self.copied as u32, &mut self.plain_cursor);
            (self.plain_end, self.plain_shift) =
                plain.map_or((0, 0), |(from, end)| (end as usize, (from as usize).wrapping_sub(self.copied)));
        }
        end <= self.plain_end
    }

    /// Writes as many of the tokens `first..last` as differ from the source in case only, with the gap before them, in
    /// one piece; otherwise one token. Returns the end (exclusive).
    fn write_run(&mut self, first: usize, last: usize) -> usize {
        let Input { normalized, tokens, source, .. } = self.input;
        let tokens = &tokens[first..last];
        if let Some((from, end)) = normalized.plain_offset(self.copied as u32, &mut self.plain_cursor) {
            let count = if tokens.last().is_some_and(|token| token.end <= end) {
                tokens.len()
            } else {
                tokens.partition_point(|token| token.end <= end)
            };
            if count > 0 {
                let end = tokens[count - 1].end as usize;
                let from = from as usize;
                self.out.text.push_str(&source[from..from + (end - self.copied)]);
                self.copied = end;
                return first + count;
            }
        }
        self.write_token(first)
    }

    /// Writes one token with the gap before it.
    fn write_token(&mut self, at: usize) -> usize {
        let token = self.input.tokens[at];
        let Input { normalized, tokens, source, .. } = self.input;
        let place = normalized.source_span(token.span());
        let written = &source[place.range()];
        // `2½` stays as written: the space is only in the folded text.
        let fraction = written.chars().all(is_fraction);
        if fraction && at > 0 && normalized.source_span(tokens[at - 1].span()).end == place.start {
            self.copied = token.start as usize;
        }
        self.flush_pending(token.start as usize);
        let from = self.out.text.len() as u32;
        if token.is_foreign() && !fraction {
            write_cased(&normalized.folded()[token.span().range()], token.case, &mut self.out.text);
        } else {
            self.out.text.push_str(written);
        }
        self.copied = token.end as usize;
        if self.input.explain {
            let output = Span::new(from, self.out.text.len() as u32);
            self.record_decision(at, output);
        }
        at + 1
    }

    /// Writes kept tokens, and adds mentions of the terms among them.
    #[inline]
    fn write_kept(&mut self, first: usize, last: usize) {
        let end = self.input.tokens[last - 1].end as usize;
        if end > self.plain_end && !self.is_plain(end) {
            self.write_kept_piecewise(first, last);
            return;
        }
        self.kept = end;
        let (source, output) = (self.plain_shift as u32, (self.out.text.len() as u32).wrapping_sub(self.copied as u32));
        while let Some((nth, found)) = self.next_term(last) {
            let span = self.folded_span(found.first as usize, found.end as usize);
            let shifted = |by: u32| Span::new(span.start.wrapping_add(by), span.end.wrapping_add(by));
            let (source, output) = (shifted(source), shifted(output));
            self.add_mention(nth, source, output);
        }
    }

    /// Writes kept tokens piecewise: some differ from the folded text in more than case, or must be written one by one.
    #[inline(never)]
    fn write_kept_piecewise(&mut self, first: usize, last: usize) {
        let mut done = first;
        while let Some((nth, found)) = self.next_term(last) {
            // Whatever the bounds of a term, no removed token is written.
            let (first, last) = (found.first as usize, last.min(found.end as usize));
            if first > done {
                self.write_or_defer_tokens(done, first, self.folded_span(done, first));
            }
            let span = self.folded_span(first, last);
            let output = self.write_or_defer_tokens(first, last, span);
            let source = self.source_span(span);
            self.add_mention(nth, source, output);
            done = last;
        }
        if done < last {
            self.write_or_defer_tokens(done, last, self.folded_span(done, last));
        }
    }

    #[inline(never)]
    fn write_removed(&mut self, first: usize) -> usize {
        let Input { tokens, decisions, policy, normalized, .. } = self.input;
        let (last, kind) = self.entity_at(first);
        self.flush_pending(tokens[first].start as usize);
        let start = self.out.text.len() as u32;
        match (kind, &mut self.plan) {
            (None, _) => self.out.text.push_str(&policy.mask),
            // Nearly all removals.
            (Some(kind), _) if self.square && kind != Kind::AgeOver89 => {
                self.out.text.push_str(kind.category().square_tag());
            }
            (Some(kind), None) => tag::write_tag(&self.input, first, last, kind, &mut self.out.text),
            (Some(kind), Some(plan)) => plan.write_replacement(first, last, kind, &mut self.out.text),
        }
        // If the note has a `+` after its number, the tag must not add another.
        let marked = self.out.text.ends_with("90+")
            && tokens.get(last).is_some_and(|next| {
                next.gap == Gap::None
                    && normalized.folded()[next.span().range()] == *"+"
                    && decisions[last].action == Action::Keep
            });
        if marked {
            self.out.text.pop();
        }
        let output = Span::new(start, self.out.text.len() as u32);
        self.copied = tokens[last - 1].end as usize;
        let source = self.source_span(self.folded_span(first, last));
        self.out.removed.push(Removal { source, output, kind });
        if self.input.explain {
            for at in first..last {
                self.record_decision(at, output);
            }
        }
        last
    }

    /// Returns the end (exclusive) and the kind of the entity that starts at a token.
    fn entity_at(&mut self, first: usize) -> (usize, Option<Kind>) {
        let entity = self.input.entities.get(self.entities).copied();
        self.entities += 1;
        debug_assert!(entity.is_some_and(|entity| entity.first as usize == first), "entities cover all that goes");
        entity.map_or((first + 1, None), |entity| (entity.end as usize, entity.kind))
    }

    /// Returns the span of the tokens `first..last` in the folded text.
    #[inline]
    fn folded_span(&self, first: usize, last: usize) -> Span {
        let tokens = self.input.tokens;
        Span::new(tokens[first].start, tokens[last - 1].end)
    }

    /// Returns the source span of a folded span, which must be the last one that was written or removed.
    #[inline]
    fn source_span(&self, span: Span) -> Span {
        if span.end as usize <= self.plain_end {
            let shift = self.plain_shift as u32;
            Span::new(span.start.wrapping_add(shift), span.end.wrapping_add(shift))
        } else {
            self.input.normalized.source_span(span)
        }
    }

    fn record_decision(&mut self, at: usize, output: Span) {
        let Decision { action, reason, evidence } = self.input.decisions[at];
        let rule = matches!(reason, Reason::Finding | Reason::Vouched)
            .then(|| self.input.findings.as_slice().get(evidence as usize))
            .flatten()
            .map(|finding| SourceName::from_rule_number(finding.rule));
        let source = self.source_span(self.folded_span(at, at + 1));
        self.out.decisions.push(TokenDecision { source, output, action, reason, rule });
    }
}

/// Returns a bitmask of the positions from `tokens` on.
#[inline]
const fn bits_from(tokens: usize) -> u64 {
    if tokens < GROUP { u64::MAX << tokens } else { 0 }
}

/// Returns a bitmask of the tokens that need more than a copy: removed ones, with `coded` also coded ones, and with
/// `own` also output of an earlier scrub.
#[inline]
fn changed_token_bits(decisions: &[Decision], coded: bool, own: bool) -> u64 {
    let each = |of: fn(&Decision) -> bool| {
        decisions.iter().rev().fold(0, |found, decision| found << 1 | u64::from(of(decision)))
    };
    let mut found = each(|decision| decision.action == Action::Remove);
    if coded {
        found |= each(|decision| decision.action == Action::Code);
    }
    if own {
        found |= each(|decision| decision.reason == Reason::Own);
    }
    found
}
