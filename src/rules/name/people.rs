//! What only people do, have and are: `Ogindan and Price lifted him`, `Ginger is a 34 yo baker`, `Grace in registration`.
//!
//! `bare` asks for it, where it judges a word that is a name too.

use super::bare::NO_NAME;
use super::duty::DUTIES;
use super::{is_unlisted, lean};
use crate::rules::View;
use crate::rules::view::{WordSet, says};
use crate::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// What only people own. Sorted.
#[rustfmt::skip]
static OWNED: WordSet = WordSet::new(&[
    "apartment", "appetite", "assistance", "aunt", "birthday", "boss", "boyfriend", "brother", "care", "cell", "chart",
    "children", "concern", "concerns", "consult", "dad", "daughter", "dictation", "dog", "email", "family", "father", "fax",
    "girlfriend", "grandmother", "help", "house", "husband", "impression", "inbox", "input", "insurance", "job", "kids", "mom",
    "mood", "mother", "nephew", "niece", "note", "notes", "office", "opinion", "orders", "pager", "parents", "phone", "plan",
    "recommendation", "recommendations", "records", "request", "room", "schedule", "secretary", "service", "sister", "son",
    "spouse", "team", "uncle", "voicemail", "wife",
]);

/// `Blood's note`, `Large's input`: what only people have.
pub(super) fn owns(view: &View<'_>, at: usize) -> bool {
    view.token(at + 1).kind == Kind::Possessive && OWNED.has(view, at + 2)
}

/// What is done with people, before `with`, `by` and `to`. Sorted.
#[rustfmt::skip]
static MET: WordSet = WordSet::new(&[
    "agree", "agreed", "agrees", "assisted", "cleared", "consulted", "cosigned", "covered", "d", "dictated", "discussed", "evaluated",
    "examined", "met", "out", "paged", "referred", "report", "reviewed", "seen", "signed", "spoke", "spoken", "staffed", "talked",
]);

/// `seen by`, `d/w`, `signed out to`, `told`: what people stand behind, whatever the word means.
pub(in crate::rules) fn is_met(view: &View<'_>, at: usize) -> bool {
    let Some(last) = at.checked_sub(1).filter(|_| view.gap(at) == Gap::Space) else { return false };
    let with = last > 0 && says!(view, last, "with" | "by" | "to" | "w") && MET.has(view, last - 1);
    let discussed = last > 1 && says!(view, last, "w") && view.is_mark(last - 1, b'/') && says!(view, last - 2, "d");
    with || discussed
        || says!(view, last, "told" | "asked" | "paged" | "called" | "thank" | "appreciate" | "attn" | "per" | "under")
}

/// What only somebody with a mind does: `Salt thinks`, `Rice and I looked`, `Wells, who`; and what may lead to such. Sorted.
#[rustfmt::skip]
pub(in crate::rules) static LEADS: WordSet = WordSet::new(&[
    "and", "asks", "believes", "enjoys", "got", "hopes", "is", "knows", "prefers", "says", "sleeps", "slept", "thinks", "thought",
    "told", "understands", "wants", "was", "who", "whose", "will", "wishes",
]);

/// `Ogindan and Price lifted him`: somebody of a name that is no word stands before, and what people do behind.
pub(super) fn is_beside_somebody(view: &View<'_>, at: usize) -> bool {
    at > 1
        && says!(view, at - 1, "and")
        && view.case(at - 2) == Case::Capital
        && (is_unlisted(view, at - 2) || lean(view, at - 2) >= 7)
        && acts(view, at + 1)
}

/// Whether several do here what people do: `helped`, `are worried`, `understand`.
fn acts(view: &View<'_>, at: usize) -> bool {
    const DOES: Classes = Classes::of(&[Class::HumanVerb, Class::PersonVerb]);
    let does = at + usize::from(says!(view, at, "are" | "were" | "both" | "will"));
    view.case(at) == Case::Lower && view.any(does, DOES)
}

/// Whether the words behind a name are said of people alone.
pub(super) fn is_of_a_mind(view: &View<'_>, next: usize) -> bool {
    let at = next + usize::from(view.is_mark(next, b','));
    // `Salt & I saw him`
    if view.is_mark(next, b'&') {
        return says!(view, next + 1, "i") && view.case(next + 2) == Case::Lower;
    }
    if view.case(at) != Case::Lower || !LEADS.has(view, at) {
        return false;
    }
    let other = at + 1;
    let key = view.key(at);
    if at > next || says!(view, at, key, "who" | "whose") {
        return says!(view, at, key, "who" | "whose");
    }
    if says!(view, at, key, "and") {
        // `Price and Ogindan lifted him`
        let somebody = is_unlisted(view, other) || lean(view, other) >= 7;
        // `Grace and her mom`
        if says!(view, other, "her" | "his" | "their") && view.is(other + 1, Class::Relative) {
            return true;
        }
        return view.capitalised(other)
            && view.case(other + 1) == Case::Lower
            && (says!(view, other, "i") || somebody && acts(view, other + 1));
    }
    if says!(view, at, key, "will") {
        // `Young will phone him`: nothing else does that to somebody.
        return view.is(other, Class::PersonVerb)
            && says!(view, other + 1, "her" | "him" | "them" | "pt" | "patient" | "me");
    }
    if says!(view, at, key, "was" | "is" | "got") {
        // `Mason got up to walk the hall`
        let place = |at: usize| says!(view, at, "chair" | "bathroom" | "commode" | "walking" | "lib" | "hall");
        return says!(view, other, "up" | "oob") && (other + 1..other + 5).any(place);
    }
    true
}

/// `is a 34 yo`, `is 34,`: an age is said of nothing else.
pub(super) fn is_aged(view: &View<'_>, at: usize) -> bool {
    if !says!(view, at, "is" | "was") {
        return false;
    }
    let number = at + 1 + usize::from(says!(view, at + 1, "a" | "an"));
    let next = number + 1 + usize::from(view.is_mark(number + 1, b'-'));
    view.whole(number).is_some_and(|age| age < 120)
        && says!(view, next, "yo" | "y" | "yr" | "yrs" | "year" | "years" | "yof" | "yom" | "m" | "f")
}

/// `is 54.`, `turned 6,`
pub(super) fn is_so_old(view: &View<'_>, at: usize) -> bool {
    says!(view, at, "is" | "turned" | "turns")
        && view.whole(at + 1).is_some_and(|age| (1..120).contains(&age))
        && view.is_any_mark(at + 2, b".,;")
}

/// Whether it goes on as only a person does whose first name stands before: what is reported or said, the place among brothers and
/// sisters.
pub(super) fn is_of_a_child(view: &View<'_>, at: usize) -> bool {
    let child = |at: usize| says!(view, at, "youngest" | "oldest" | "eldest" | "middle" | "only" | "second" | "third");
    says!(view, at, "reports" | "reported" | "states" | "stated" | "says" | "said" | "thinks" | "wants" | "enjoys")
        || says!(view, at, "pls" | "plz" | "please")
        || says!(view, at, "seen") && says!(view, at + 1, "for" | "today" | "alone")
        || says!(view, at, "was") && says!(view, at + 1, "born" | "admitted" | "discharged" | "brought")
        || says!(view, at, "was") && says!(view, at + 1, "seen") && is_visit(view, at + 2)
        || says!(view, at, "here") && says!(view, at + 1, "w" | "with" | "for" | "today" | "alone")
        || says!(view, at, "at") && says!(view, at + 1, "work" | "school" | "lunch")
        || says!(view, at, "at") && says!(view, at + 1, "bedside") && !says!(view, at - 1, "walker" | "cane" | "bell")
        || says!(view, at, "on") && says!(view, at + 1, "leave" | "call" | "holiday" | "duty" | "nights" | "vacation")
        || says!(view, at, "is" | "was") && says!(view, at + 1, "the" | "an") && child(at + 2)
}

/// What only people do in a hospital. Sorted.
#[rustfmt::skip]
pub(in crate::rules) static ORDERS: WordSet = WordSet::new(&[
    "adjusted", "attending", "bleeped", "charted", "clerked", "concurs", "consented", "cosigned", "covering", "dictated",
    "dictating", "discharged", "documented", "examined", "interpreted", "ordered", "orders", "precepted", "prescribed",
    "prescribes", "rec", "recommended", "recommends", "recs", "referred", "reviewed", "reviews", "rounding", "scrubbed",
    "signed", "staffed", "started", "stopped",
]);

/// What is said of people first, but of things too. Sorted.
#[rustfmt::skip]
pub(in crate::rules) static DOES: WordSet = WordSet::new(&[
    "ate", "brought", "came", "can", "did", "does", "fell", "felt", "gave", "gets", "got", "had", "has", "heard", "is",
    "kept", "left", "lost", "made", "met", "ran", "sat", "saw", "slept", "spoke", "stood", "thinks", "took", "was", "went",
    "woke", "wrote",
]);

/// Whether the word is a finite form of such a verb: `turned`, `seems`, not `care`.
fn is_done(view: &View<'_>, at: usize) -> bool {
    let ends = view.bytes(at).ends_with(b"ed") || view.bytes(at).ends_with(b"s") && !view.bytes(at).ends_with(b"ss");
    ends && view.is(at, Class::PersonVerb)
        || DOES.has(view, at)
        || says!(
            view,
            at,
            "looks" | "remains" | "remained" | "scored" | "weighs" | "lives" | "turns" | "stays" | "stayed"
        )
}

/// Whether a word at the start of a sentence does what people do: what few say and many are called may do what things do too.
pub(super) fn is_subject(view: &View<'_>, at: usize, next: usize) -> bool {
    const THINGS: Classes = Classes::of(&[
        Class::Stop,
        Class::Clinical,
        Class::Counted,
        Class::Sized,
        Class::EponymNoun,
        Class::Brand,
        Class::Organism,
        Class::Season,
        Class::Month,
        Class::Measurement,
        Class::Score,
        Class::Dose,
        Class::Level,
        Class::WardNoun,
        Class::Eponym,
    ]);
    let ranks = view.ranks(at);
    // `Moss is covering`
    let does = next + usize::from(says!(view, next, "is" | "was") && view.bytes(next + 1).ends_with(b"ing"));
    let orders = ORDERS.has(view, does) && ranks.surname.max(ranks.first_name) >= 11 && !view.any(at, NO_NAME);
    if orders && lean(view, at) >= 4 && !view.any(at, Classes::of(&[Class::Clinical, Class::Measurement])) {
        return true;
    }
    if acts_on(view, next) && ranks.surname >= 10 && lean(view, at) >= 2 && !view.any(at, THINGS) {
        return true;
    }
    // Things are and have more than they do: `Bridge was loose`.
    let (borne, least) = if says!(view, next, "is" | "was" | "has" | "had" | "can") { (14, 9) } else { (12, 7) };
    (ranks.first_name >= 12 || ranks.surname >= borne)
        && is_done(view, next)
        && lean(view, at) >= least
        && !view.any(at, THINGS)
        && !says!(view, at, "waters" | "faith" | "hope" | "art" | "mark" | "ray" | "iris" | "just")
}

/// What is said of a patient, and of nothing else that has a capital letter at the start of a sentence. Sorted.
#[rustfmt::skip]
static STATES: WordSet = WordSet::new(&[
    "able", "afebrile", "afraid", "aged", "agitated", "agreeable", "alert", "ambulating", "ambulatory", "angry", "anxious",
    "apneic", "apprehensive", "asleep", "awake", "bedbound", "better", "blind", "breastfeeding", "calm", "colicky",
    "combative", "comfortable", "constipated", "continent", "cooperative", "cranky", "deaf", "delirious", "dependent",
    "diaphoretic", "disoriented", "dizzy", "drowsy", "due", "dysphoric", "eligible", "euthymic", "extubated", "febrile",
    "fussy", "giggling", "glad", "groggy", "happy", "hoarse", "homeless", "homesick", "housebound", "hungry",
    "hypoglycemic", "hypotensive", "hypoxic", "ill", "incontinent", "independent", "intubated", "irritable", "jaundiced",
    "jittery", "laughing", "lethargic", "lonely", "mad", "napping", "nauseous", "nervous", "nonverbal", "overdue", "pale",
    "playful", "playing", "pleasant", "pregnant", "quiet", "readmitted", "ready", "resting", "restless", "sad", "scared",
    "screaming", "sedated", "settled", "shy", "sick", "sleepy", "smiling", "snoring", "sobbing", "stable", "tachycardic",
    "tachypneic", "tearful", "thirsty", "tolerated", "tolerates", "tolerating", "unable", "unhappy", "unsettled", "unwell",
    "upset", "verbal", "voided", "voiding", "weak", "weepy", "wheezy", "withdrawn", "worse",
]);

/// Where patients are brought. Sorted.
#[rustfmt::skip]
static PLACES: WordSet = WordSet::new(&[
    "bed", "cath", "chair", "clinic", "ct", "dialysis", "ed", "er", "floor", "home", "hospice", "icu", "ir", "mri", "nicu", "or", "pacu",
    "picu", "preop", "rehab", "room", "school", "sleep", "snf", "stepdown", "surgery", "theatre", "therapy", "toilet", "ward",
]);

/// What patients are on and come off. Sorted.
#[rustfmt::skip]
static SUPPORT: WordSet = WordSet::new(&[
    "bipap", "contact", "cpap", "droplet", "hfnc", "isolation", "nc", "oxygen", "precautions", "pressors", "ra", "restraints", "room",
    "sedation", "trach", "vent", "ventilator",
]);

/// Whether it goes on as only a patient does whose first name stands before: `tolerating diet`, `in pain`, `on room air`, `hit her head`,
/// `s/p`, `POD 2`.
pub(super) fn is_a_patient(view: &View<'_>, at: usize) -> bool {
    let more = at + 1;
    let key = view.key(at);
    let over = view.is_any_mark(more, b".,;") || view.ends_line(more);
    let number = view.is_number(more) && view.same_line(more);
    if STATES.has(view, at) {
        return true;
    }
    if says!(view, at, key, "seen" | "examined") {
        return says!(view, more, "and" | "&" | "by" | "with" | "w" | "today" | "for") || view.is_mark(more, b'&');
    }
    if says!(view, at, key, "to") {
        return PLACES.has(view, more);
    }
    if says!(view, at, key, "in") {
        let room = says!(view, more, "pain" | "distress" | "good" | "isolation" | "restraints" | "tears");
        return room || PLACES.has(view, more);
    }
    if says!(view, at, key, "on" | "off") {
        let litres = number && says!(view, more + 1, "l" | "lpm" | "liters" | "litres");
        return litres
            || SUPPORT.has(view, more)
            || PLACES.has(view, more)
            || says!(view, more, "o") && view.is_number(more + 1);
    }
    if says!(view, at, key, "home") {
        return over || says!(view, more, "today" | "tomorrow" | "tonight" | "with" | "on" | "w");
    }
    if says!(view, at, key, "not") {
        return view.bytes(more).ends_with(b"ing") || view.is(more, Class::HumanVerb);
    }
    if says!(view, at, key, "would") {
        return says!(view, more, "like" | "prefer" | "rather" | "love");
    }
    if says!(view, at, key, "failed" | "passed" | "given" | "completed") {
        return view.is_word(more) && view.case(more) != Case::Capital && view.same_line(more);
    }
    // `s/p TKA`, `d/c today`, `c/o pain`
    if says!(view, at, key, "s" | "d" | "c") {
        return view.is_mark(more, b'/') && view.joined(more) && says!(view, more + 1, "p" | "c" | "o");
    }
    if says!(view, at, key, "pod" | "dol" | "hod" | "age") {
        return number;
    }
    // A thing has nothing that is hers or his.
    let did =
        view.bytes(at).ends_with(b"ed") || DOES.has(view, at) || says!(view, at, key, "hit" | "broke" | "cut" | "hurt");
    did && says!(view, more, "her" | "his") && view.is_word(more + 1)
}

/// What somebody did or does, in forms that do not tell by their ending. Sorted.
#[rustfmt::skip]
static DID: WordSet = WordSet::new(&[
    "attends", "became", "began", "bit", "bitten", "bled", "broke", "calls", "can", "chose", "could", "cried", "cries",
    "cut", "denies", "did", "does", "drank", "drinks", "drove", "dug", "eats", "fed", "flew", "forgot", "found", "gets",
    "grew", "had", "has", "hates", "hid", "hit", "hopes", "hurt", "is", "knew", "knows", "laughed", "lay", "let", "lied",
    "lies", "likes", "lives", "loves", "made", "may", "meant", "must", "needs", "paid", "plays", "quit", "ran", "rang",
    "rates", "reads", "rides", "rode", "rolls", "said", "sang", "saw", "seized", "sent", "shook", "should", "slid",
    "smokes", "spat", "spent", "spoke", "stole", "stuck", "swam", "swore", "taken", "takes", "taught", "threw", "took",
    "tore", "understood", "underwent", "uses", "walks", "wants", "was", "weaned", "will", "woke", "won", "wore", "would",
]);

/// Whether a verb stands behind a first name: in a form with an ending, or one of [`DID`]. Only for names that are seldom words: an
/// ordinary noun may have such a word behind it.
pub(super) fn is_done_by_somebody(view: &View<'_>, at: usize) -> bool {
    let word = view.bytes(at);
    // `Amber colored urine`
    let formed =
        says!(view, at, "colored" | "coloured" | "tinged" | "stained" | "shaped" | "based" | "sized" | "scented");
    let ends = word.len() > 4
        && (word.ends_with(b"ed") || word.ends_with(b"ing") && !says!(view, at, "nothing" | "something"));
    view.is_word(at) && view.gap(at) == Gap::Space && (ends && !formed || DID.has(view, at))
}

/// Whether such a verb has somebody before it who does it: `Coral cut on the foot`, `Grant funding covers it`, `Iris is normal` have
/// nobody.
pub(super) fn is_finite(view: &View<'_>, at: usize, next: usize) -> bool {
    let passive = says!(
        view,
        next,
        "placed" | "noted" | "removed" | "applied" | "obtained" | "performed" | "made" | "found" | "given" | "taken"
    );
    let bare = says!(view, next, "cut" | "hit" | "hurt" | "let" | "may" | "bit" | "quit");
    let thing =
        says!(view, at, "frank" | "crystal" | "iris" | "hope") && says!(view, next, "is" | "was" | "has" | "had");
    !passive && !bare && !thing && !view.bytes(next).ends_with(b"ing")
}

/// `placed the line`, `saw him`: something is done to somebody or something.
fn acts_on(view: &View<'_>, at: usize) -> bool {
    let did = view.bytes(at).ends_with(b"ed") && view.is(at, Class::PersonVerb)
        || says!(view, at, "did" | "took" | "saw" | "put" | "sent" | "told" | "read");
    did && says!(view, at + 1, "the" | "a" | "an" | "her" | "him" | "his" | "it" | "pt" | "patient" | "my" | "our")
}

/// `from PT`, `at front desk`, `@ lab`: where somebody works.
pub(super) fn is_at_work(view: &View<'_>, at: usize) -> bool {
    if !says!(view, at, "in" | "from" | "at" | "on" | "with" | "w" | "@") {
        return false;
    }
    let place = at + 1 + usize::from(says!(view, at + 1, "the"));
    let desk = says!(view, place, "front" | "reception") && says!(view, place + 1, "desk");
    let visits = says!(view, place, "home") && says!(view, place + 1, "health" | "care");
    is_office(view, place) || DUTIES.has(view, place) || desk || visits
}

/// `was seen on Monday`, `was seen for a cough`: a stone is seen on films.
fn is_visit(view: &View<'_>, at: usize) -> bool {
    let day = view.is_number(at + 1) || view.any(at + 1, Classes::of(&[Class::Weekday, Class::Month]));
    says!(view, at, "for" | "today") || says!(view, at, "on" | "in") && day
}

/// Parts of a hospital from which people call and where nothing is measured.
fn is_office(view: &View<'_>, at: usize) -> bool {
    says!(view, at, "registration" | "billing" | "admitting" | "admissions" | "scheduling" | "records" | "reception")
        || says!(view, at, "payroll" | "hr" | "housekeeping" | "dietary" | "transport" | "security" | "finance")
        || says!(view, at, "pharmacy" | "facilities" | "maintenance" | "compliance" | "intake")
}
