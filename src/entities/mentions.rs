//! Mentions of the same name in a note: evidence about a person is shared between them.

use super::Segment;
use super::class::CLASS_COUNT;
use super::view::DecidedNote;
use crate::finding::{Category, Kind};
use crate::vocabulary::Class;

/// The maximum number of other mentions to look at.
const MAX_MENTIONS: usize = 32;

/// The words of the names and places of a note, by segment and by word.
pub(super) struct NameMentions {
    words: Vec<u64>,
    /// The end of the words of each segment.
    ends: Vec<usize>,
    /// Words with their segments, sorted.
    by_word: Vec<(u64, usize)>,
    facts: Vec<MentionFacts>,
}

/// Flags: another mention is longer, is shorter, or contains a facility word.
const LONGER: u64 = 1;
const SHORTER: u64 = 2;
const FACILITY: u64 = 4;

/// What other mentions of the name of a segment contribute.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MentionFacts {
    /// The number of segments with its words or a part of them, including itself; 0 if it is neither a name nor a
    /// place.
    pub(super) mentions: u32,
    /// Whether it was found as the name of a person.
    person: bool,
    /// Whether it is the first name, or the first place, of the note.
    pub(super) first: bool,
    /// The number of name segments in the note.
    pub(super) names: u32,
    /// Flags of other mentions: [`LONGER`], [`SHORTER`], [`FACILITY`].
    pub(super) others: u64,
    /// The token before and the token after the nearest earlier mention; `None` if there is none.
    pub(super) before: Option<(usize, usize)>,
}

impl NameMentions {
    pub(super) fn new(view: DecidedNote<'_>, segments: &[Segment]) -> Self {
        let note = view.note;
        let named = |at: usize| {
            view.found_kind_at(at).map(Kind::category).filter(|it| matches!(it, Category::Name | Category::Location))
        };
        let mut mentions = Self {
            words: Vec::new(),
            ends: Vec::with_capacity(segments.len()),
            by_word: Vec::new(),
            facts: Vec::new(),
        };
        for (nth, segment) in segments.iter().enumerate() {
            let first = mentions.words.len();
            let telling = |&at: &usize| {
                note.is_word(at) && note.width(at) > 2 && !note.is(at, Class::Stop) && named(at).is_some()
            };
            mentions.words.extend(segment.tokens.clone().filter(telling).map(|at| view.word_at(at)));
            mentions.by_word.extend(mentions.words[first..].iter().map(|&word| (word, nth)));
            mentions.ends.push(mentions.words.len());
        }
        mentions.by_word.sort_unstable();
        mentions.compute_facts(view, segments);
        mentions
    }

    fn compute_facts(&mut self, view: DecidedNote<'_>, segments: &[Segment]) {
        let is = |segment: &Segment, category: Category| {
            segment.tokens.clone().any(|at| view.found_kind_at(at).is_some_and(|kind| kind.category() == category))
        };
        let names = segments.iter().filter(|segment| is(segment, Category::Name)).count() as u32;
        let mut seen = [false; 2];
        for (nth, segment) in segments.iter().enumerate() {
            let mut facts = MentionFacts { names, ..MentionFacts::default() };
            if !self.words_of_segment(nth).is_empty() {
                facts.person = is(segment, Category::Name);
                facts.first = !std::mem::replace(&mut seen[usize::from(facts.person)], true);
                facts.mentions = 1;
                for other in self.segments_of_same_name(nth) {
                    facts.mentions += 1;
                    let (own, others) = (self.words_of_segment(nth).len(), self.words_of_segment(other).len());
                    let tokens = segments[other].tokens.clone();
                    let facility = tokens.clone().any(|at| view.note.is(at, Class::Facility));
                    let holds = [(LONGER, others > own), (SHORTER, others < own), (FACILITY, facility)];
                    facts.others |= holds.iter().filter(|(_, holds)| *holds).fold(0, |all, (bit, _)| all | bit);
                    if other < nth {
                        facts.before = Some((tokens.start.wrapping_sub(1), tokens.end));
                    }
                }
            }
            self.facts.push(facts);
        }
    }

    /// Returns what other mentions contribute to a segment.
    pub(super) fn facts_of_segment(&self, nth: usize) -> MentionFacts {
        self.facts.get(nth).copied().unwrap_or_default()
    }

    fn words_of_segment(&self, nth: usize) -> &[u64] {
        &self.words[if nth == 0 { 0 } else { self.ends[nth - 1] }..self.ends[nth]]
    }

    /// Returns other segments that mention the same name: one of the two contains all words of the other.
    fn segments_of_same_name(&self, nth: usize) -> impl Iterator<Item = usize> {
        let words = self.words_of_segment(nth);
        let mentions_of = |&word: &u64| {
            let first = self.by_word.partition_point(|&(other, _)| other < word);
            &self.by_word[first..first + self.by_word[first..].partition_point(|&(other, _)| other == word)]
        };
        let most = words.iter().map(mentions_of).max_by_key(|others| others.len()).unwrap_or_default();
        let is_part = |one: &[u64], other: &[u64]| one.iter().all(|word| other.contains(word));
        most.iter()
            .take(8 * MAX_MENTIONS)
            .map(|&(_, other)| other)
            .filter(move |&other| {
                let others = self.words_of_segment(other);
                other != nth && (is_part(words, others) || is_part(others, words))
            })
            .take(MAX_MENTIONS)
    }

    /// Adds to the scores of each person's name the mean scores of its other mentions. Places are excluded: a town and
    /// the hospital named after it share words. In cross-validation over batches, the kind of .69 of towns is right
    /// without pooling, and of .66 with it.
    pub(super) fn pool_person_scores(&self, all: &mut [[i32; CLASS_COUNT]]) {
        let own = all.to_vec();
        for (nth, scores) in all
            .iter_mut()
            .enumerate()
            .filter(|&(nth, _)| self.facts_of_segment(nth).mentions > 1 && self.facts_of_segment(nth).person)
        {
            let (mut sums, mut count) = ([0; CLASS_COUNT], 0);
            for other in self.segments_of_same_name(nth) {
                sums.iter_mut().zip(own[other]).for_each(|(sum, score)| *sum += score);
                count += 1;
            }
            scores.iter_mut().zip(sums).for_each(|(score, sum)| *score += sum / count.max(1));
        }
    }
}
