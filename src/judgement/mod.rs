//! Judges what has no form: for every word and number that could come out, the log-odds that it belongs to a name, a place,
//! a date or another identifier, from weights that were learned from marked notes.
//!
//! Between `rules` and `decide` in the way of a note. What it is sure of becomes a finding like those of rules; where it is
//! sure that a weak finding is wrong, the finding does not count. A first pass is linear over what is seen of the token;
//! trees judge again, with the first judgement of all tokens in view. Everything is whole numbers, so every machine gives the
//! same answer.

#![allow(clippy::cast_possible_wrap, clippy::cast_sign_loss, reason = "scores and places are small by their making")]

mod arrays;
mod chance;
mod context;
mod dense;
mod elsewhere;
mod explain;
mod features;
mod grow;
mod hash;
mod model;
mod rows;
mod score;
mod train;
mod trees;

pub use arrays::{Features, Table};
pub use explain::AGAIN;
pub use features::Template;
pub use grow::Growth;
pub use model::Model;
pub use score::Label;
pub use train::{Example, Gold, Options, Trainer};

pub(crate) use arrays::read as features;
pub(crate) use score::{ONE, Scores};

use crate::concepts::Matches;
use crate::policy::{Policy, Unknown};
use crate::rules::{self, Certainty, Findings, Kind, SITE, Verdict, View};
use crate::vocabulary::Classes;
use context::Context;
use dense::{Row, Sections, Seen};
use elsewhere::Elsewhere;
use features::NEAR;
use rows::{Around, FAR, Rows, Sum};
use score::{First, LABELS, PARTS, SINGLE};
use trees::{Block, LANES};

/// The buffers of one worker.
#[derive(Default)]
pub(crate) struct Judgement {
    context: Context,
    elsewhere: Elsewhere,
    features: Vec<u64>,
    rows: Rows,
    /// Of each token its key, what it weighs by itself, and for those around; the last with so many outside on both sides.
    keys: Vec<u64>,
    alone: Vec<[Sum; 2]>,
    around: Vec<Around>,
    first: Vec<First>,
    sections: Sections,
    scores: Vec<Scores>,
    kinds: Vec<Known>,
}

/// Tells how many tokens were judged and nothing of what they say.
impl std::fmt::Debug for Judgement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Judgement").field("tokens", &self.scores.len()).finish_non_exhaustive()
    }
}

impl Judgement {
    /// Judges every word and number of a note.
    pub(crate) fn judge(
        &mut self,
        model: &Model,
        view: &View<'_>,
        matches: &Matches,
        findings: &Findings,
        allowed: Classes,
    ) {
        self.context.read(view, matches, findings, allowed);
        self.elsewhere.read(&self.context);
        self.first(model, view);
        self.second(model);
    }

    /// The first pass: what single tokens say, and where that leaves a doubt, what they say together.
    fn first(&mut self, model: &Model, view: &View<'_>) {
        let Self { context, elsewhere, features, rows, keys, alone, around, first, .. } = self;
        rows.begin(model);
        keys.clear();
        keys.extend(context.sights.iter().map(context::Sight::key));
        let outside = context::OUTSIDE.key();
        let around_outside = rows.alone(model, &context::OUTSIDE, outside, b"").around;
        alone.clear();
        around.clear();
        around.resize(FAR, around_outside);
        for (at, (sight, &key)) in context.sights.iter().zip(&*keys).enumerate() {
            let sums = rows.alone(model, sight, key, view.bytes(at));
            alone.push([sums.own, sums.alone]);
            around.push(sums.around);
        }
        around.resize(around.len() + FAR, around_outside);
        first.clear();
        first.resize(view.len(), First::NOTHING);
        for (at, (here, first)) in context.sights.iter().zip(first).enumerate().filter(|(_, (here, _))| here.judged) {
            let mut parts = [[0; LABELS]; PARTS];
            [parts[0], parts[1]] = alone[at];
            let class = here.class();
            for (nth, far) in NEAR.into_iter().enumerate() {
                let beside = at.checked_add_signed(far).and_then(|at| Some((context.sights.get(at)?, *keys.get(at)?)));
                let (there, key) = beside.unwrap_or((&context::OUTSIDE, outside));
                let sum = rows.beside(model, (there, key), nth, there.line != here.line, class);
                score::add_to(&mut parts[if far < 0 { 2 } else { 3 }], sum);
            }
            parts[4] = rows::around(&around[at..=at + 2 * FAR]);
            *first = First::new(parts);
            if !first.is_clear() {
                features.clear();
                let [in_note, end] = features::rest(context, elsewhere, at, features);
                let (in_note, together) = (&features[..in_note as usize], &features[in_note as usize..end as usize]);
                (parts[SINGLE], parts[SINGLE + 1]) = (model.sum(in_note), model.sum(together));
                *first = First::new(parts);
            }
        }
    }

    /// The second pass: trees judge again what is in doubt, with the first judgement of all tokens in view.
    fn second(&mut self, model: &Model) {
        let Self { context, elsewhere, first, sections, scores, .. } = self;
        for (at, first) in first.iter().enumerate().filter(|&(at, _)| context.at(at).judged) {
            elsewhere.add_score(at, first.scores.total());
        }
        sections.read(context, first);
        let seen = Seen { context, elsewhere, sections, first };
        scores.clear();
        scores.extend(seen.first.iter().map(|first| first.scores));
        let (mut row, mut block, mut asked) = (Row::new(), Block::new(), [0; LANES]);
        let mut lanes = 0;
        for at in 0..scores.len() {
            if context.at(at).judged && dense::in_doubt(scores[at]) {
                seen.read(at, &mut row);
                asked[lanes] = at;
                lanes = block.add(&row);
            }
            if lanes == LANES || at + 1 == scores.len() {
                for (&at, more) in asked[..lanes].iter().zip(model.second(&block)) {
                    scores[at].0.iter_mut().for_each(|score| *score += more);
                }
                lanes = block.clear();
            }
        }
    }
}

/// A marked note as features; `gold` tells what a token is whose first and last byte in the folded text are given.
pub(crate) fn example(
    view: &View<'_>,
    matches: &Matches,
    findings: &Findings,
    allowed: Classes,
    gold: Vec<Gold>,
    (group, note): (u32, u32),
) -> Example {
    let (mut context, mut elsewhere) = (Context::default(), Elsewhere::default());
    context.read(view, matches, findings, allowed);
    elsewhere.read(&context);
    Example::new(context, elsewhere, view, gold, group, note)
}

impl Judgement {
    /// Reports what is sure enough, of words that go anyway also what is likely; and for which tokens findings that are not sure
    /// do not count.
    pub(crate) fn report(&mut self, view: &View<'_>, policy: &Policy, findings: &mut Findings) {
        let threshold = -(f64::from(policy.strictness.max(1)).ln() * f64::from(ONE)).round() as i32;
        let some_stay = policy.rescue || policy.derive || policy.term_words;
        let all_go = policy.unknown == Unknown::Remove && !some_stay;
        self.read_kinds(view.len(), findings);
        let Self { context, scores, kinds, .. } = &*self;
        let found = |at: usize| {
            let (scores, known) = (scores.get(at)?, kinds.get(at)?);
            // A word that goes anyway is told apart sooner: what it is costs nothing.
            let goes = all_go && context.at(at).is_unlisted();
            let in_term = context.at(at).is_in_long_term();
            let enough = if goes {
                threshold - 2 * ONE
            } else if in_term {
                threshold + ONE
            } else {
                threshold
            };
            let label = scores.best();
            // What the site allows nobody judges. What is no name a rule that found it can tell better.
            let judged = scores.total() > enough && *known != Known::Allowed && !rules::is_in_short_form(view, at);
            judged.then(|| match known {
                Known::Found(kind, certainty) if label != Label::Name || *certainty > Certainty::Weak => *kind,
                _ => label.kind(),
            })
        };
        let mut at = 0;
        while at < view.len() {
            let Some(kind) = found(at) else {
                findings.clear_token(at);
                at += 1;
                continue;
            };
            let mut last = at + 1;
            // One finding for what is written as one: `O'Neil-Brown, Ann`.
            loop {
                if found(last) == Some(kind) && view.same_line(last) {
                    last += 1;
                } else if (view.is_any_mark(last, b"-,'&/") || view.is_mark(last, b'.') && view.width(last - 1) == 1)
                    && found(last + 1) == Some(kind)
                    && !view.border_before(last + 1)
                {
                    last += 2;
                } else {
                    break;
                }
            }
            findings.judged(at, last, kind);
            at = last;
        }
    }

    /// Reads off what rules know of each token.
    fn read_kinds(&mut self, tokens: usize, findings: &Findings) {
        self.kinds.clear();
        self.kinds.resize(tokens, Known::Nothing);
        for finding in findings.as_slice() {
            let known = match finding.verdict {
                Verdict::Remove(kind) => Known::Found(kind, finding.certainty),
                Verdict::Keep if finding.rule == SITE => Known::Allowed,
                Verdict::Keep => continue,
            };
            for token in &mut self.kinds[finding.first as usize..finding.last as usize] {
                if *token != Known::Allowed {
                    *token = known;
                }
            }
        }
    }
}

/// What rules know of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Nothing,
    /// The site allows it.
    Allowed,
    /// A rule removes it as this.
    Found(Kind, Certainty),
}

impl Label {
    /// What is reported for it where no rule says more.
    const fn kind(self) -> Kind {
        match self {
            Self::Name => Kind::Name,
            Self::Place => Kind::Organisation,
            Self::Date => Kind::Date,
            Self::Other => Kind::OtherId,
        }
    }
}
