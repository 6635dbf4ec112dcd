//! Words before `hospital` and `clinic` that tell a kind of place, not its name.

use crate::rules::View;
use crate::rules::word_sets::WordSet;
use crate::vocabulary::Class;

/// Kinds of hospitals and clinics, and words that stand before one. Sorted.
#[rustfmt::skip]
static KINDS: WordSet = WordSet::new(&[
    "academic", "acute", "admission", "adolescent", "adult", "age", "all", "allergy", "ambulatory", "another",
    "anticoagulation", "any", "area", "asthma", "audiology", "birthing", "blood", "boarding", "bone", "breast", "burn",
    "call", "cardiac", "cardiology", "cast", "cath", "catheterization", "chemical", "children", "closest", "control",
    "convalescent", "cornea", "coumadin", "county", "crisis", "current", "cystic", "day", "dental", "dependency",
    "dermatology", "detox", "device", "diabetes", "diabetic", "dialysis", "different", "discharge", "each",
    "elementary", "endocrinology", "endoscopy", "english", "epilepsy", "extended", "eye", "fertility", "fibrosis",
    "first", "floor", "follow", "followup", "food", "foot", "foster", "fracture", "free", "gastroenterology", "general",
    "genetics", "geriatric", "glaucoma", "grade", "gynecology", "hand", "headache", "hearing", "heart", "hematology",
    "her", "high", "hip", "his", "hiv", "home", "hospice", "hospital", "hypertension", "imaging", "in", "independent",
    "infusion", "inpatient", "intensive", "joint", "kidney", "knee", "large", "level", "lipid", "liver", "local",
    "long", "loss", "lung", "major", "memory", "mens", "mental", "metabolic", "methadone", "middle", "movement",
    "multidisciplinary", "my", "nearby", "nearest", "nephrology", "neurology", "neuromuscular", "new", "no", "nurse",
    "nutrition", "obstetrics", "occupational", "old", "oncology", "ophthalmology", "orthodontic", "other",
    "otolaryngology", "our", "outlying", "outpatient", "outside", "own", "pacemaker", "pain", "pediatric", "pediatrics",
    "peer", "pelvic", "physical", "podiatry", "possible", "postoperative", "prenatal", "preop", "preoperative",
    "preschool", "present", "previous", "primary", "prior", "private", "psychiatric", "psychiatry", "psychology",
    "public", "pulmonary", "radiology", "recovery", "referring", "renal", "research", "residential", "respite",
    "retina", "rheumatology", "rural", "same", "second", "secondary", "seizure", "senior", "short", "skilled", "sleep",
    "small", "sober", "some", "specialty", "speech", "spine", "std", "strabismus", "stroke", "study", "subacute",
    "support", "swallow", "swing", "teaching", "term", "tertiary", "that", "their", "therapy", "this", "thyroid",
    "transplant", "trauma", "treatment", "tumor", "up", "urology", "usual", "va", "vascular", "vein", "vision", "voice",
    "walk", "warfarin", "weight", "women", "wound", "your",
]);

/// Words before a head that tell its kind, not its name: `an outside hospital`, `the wound care clinic`.
pub(in crate::rules) fn is_kind(view: &View<'_>, at: usize) -> bool {
    is_middle(view, at) || view.is(at, Class::WardNoun) || KINDS.has(view, at)
}

/// Words that stand in the middle of such names and say nothing: `Boise VA Regional Medical Center`.
pub(super) fn is_middle(view: &View<'_>, at: usize) -> bool {
    MIDDLE.has(view, at)
}

/// Words that stand in the middle of the names of hospitals. Sorted.
#[rustfmt::skip]
static MIDDLE: WordSet = WordSet::new(&[
    "assisted", "cancer", "care", "children's", "community", "county", "department", "emergency", "family", "general",
    "health", "heart", "internal", "management", "medical", "memorial", "new", "nursing", "orthopedic", "our",
    "outpatient", "primary", "regional", "rehabilitation", "specialty", "surgery", "surgical", "urgent", "women's",
]);
