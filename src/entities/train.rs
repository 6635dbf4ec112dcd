//! Trains bounds and classes of entities on marked notes.

use std::ops::Range;

use super::bounds::{self, TAG_BEGIN, TAG_INSIDE, TAG_OUTSIDE};
use super::class::{CLASS_COUNT, EntityClass};
use super::mentions::NameMentions;
use super::model::{BOUND_BUCKETS, CLASS_BUCKETS, EntityModel, TAG_COUNT};
use super::view::DecidedNote;
use super::{delimit_segments, kinds};
use crate::linear::classes::{ClassExample, ClassTrainingOptions, train_classes as learn};

/// The training examples of a marked note: the tokens of its regions, and its segments.
#[derive(Clone, Debug, Default)]
pub struct EntityNote {
    bounds: Vec<ClassExample>,
    classes: Vec<ClassExample>,
}

/// Reads a note with decisions. `gold` has the mark of each token, counted from one, or 0; `marks` has the class of
/// each mark. With a model, segments are delimited by its tags, otherwise by the marks.
pub(crate) fn read_training_note(
    model: Option<&EntityModel>,
    view: DecidedNote<'_>,
    gold: &[u32],
    marks: &[EntityClass],
    document: u32,
) -> EntityNote {
    let mut out = EntityNote::default();
    let (mut features, mut segments) = (Vec::new(), Vec::new());
    let mark_of = |at: usize| gold.get(at).copied().unwrap_or(0);
    for region in bounds::candidate_regions(view) {
        let mut tags = Vec::new();
        for at in region.clone() {
            let tag = match mark_of(at) {
                0 => TAG_OUTSIDE,
                mark if at > region.start && mark_of(at - 1) == mark => TAG_INSIDE,
                _ => TAG_BEGIN,
            };
            let mut features = Vec::new();
            bounds::read_tag_features(view, &region, at, &tags, &mut features);
            out.bounds.push(ClassExample { features, class: tag, document });
            tags.push(tag);
        }
        let tags = model.map_or(tags, |model| bounds::tag_region(model, view, region.clone(), &mut features));
        delimit_segments(view, region, &tags, |_| false, &mut segments, &mut Vec::new());
    }
    let mentions = NameMentions::new(view, &segments);
    for (nth, segment) in segments.iter().enumerate() {
        let class = gold_class_of_segment(segment.tokens.clone(), mark_of, marks);
        let mut features = Vec::new();
        kinds::read_class_features(view, segment, mentions.facts_of_segment(nth), &mut features);
        out.classes.push(ClassExample { features, class: class as usize, document });
    }
    out
}

/// Returns the class of most marked tokens of a segment.
fn gold_class_of_segment(segment: Range<usize>, mark_of: impl Fn(usize) -> u32, marks: &[EntityClass]) -> EntityClass {
    let mut counts = [0; CLASS_COUNT];
    for at in segment.clone() {
        let mark = mark_of(at) as usize;
        let class = if mark == 0 { EntityClass::NotPhi } else { marks[mark - 1] };
        counts[class as usize] += 1;
    }
    let most = (1..CLASS_COUNT).fold(1, |best, at| if counts[at] > counts[best] { at } else { best });
    if counts[most] == 0 { EntityClass::NotPhi } else { EntityClass::ALL[most] }
}

/// Trains a model; `provenance` describes the training data as JSON.
pub fn train_entity_model(notes: &[EntityNote], provenance: &str) -> Vec<u8> {
    let all = |of: fn(&EntityNote) -> &[ClassExample]| notes.iter().flat_map(of).collect::<Vec<_>>();
    let training =
        |buckets| ClassTrainingOptions { buckets, epochs: 8, rate: 0.05, l2: 1e-5, dropout: 200, documents: 5 };
    let bounds = learn::<TAG_COUNT>(&all(|note| &note.bounds), training(BOUND_BUCKETS));
    let classes = learn::<CLASS_COUNT>(&all(|note| &note.classes), training(CLASS_BUCKETS));
    EntityModel::serialize_model(&bounds, &classes, provenance)
}
