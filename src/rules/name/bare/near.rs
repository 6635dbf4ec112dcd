//! Which words may be a name with nothing beside it: what must stand around them, by columns.

use super::{KNOWN, NAMES_AND_PLACES, THINGS};
use crate::rules::columns::{Around, Fact};
use crate::rules::name::{NAMES, form};
use crate::vocabulary::{Class, Classes};

/// Words before a name that say more than a preposition does, besides those of [`Fact::ByPeople`]. `dear`, `under`: as [`form`] and
/// [`is_met`] ask.
#[rustfmt::skip]
pub(in crate::rules) const LEADING: &[&str] = &[
    "appreciate", "attn", "d", "dear", "dw", "for", "from", "hello", "her", "hey", "hi", "him", "named", "regards", "thank",
    "thanks", "under",
];

/// Words behind a name that speak for it and are in none of the sets.
pub(in crate::rules) const FOLLOWING: &[&str] = &[
    "baby", "health", "infant", "lives", "looks", "please", "pls", "plz", "put", "read", "remained", "remains",
    "reported", "reports", "said", "scored", "seen", "sent", "stated", "states", "stayed", "stays", "turns", "weighs",
];

/// Which words may be a name. A word with a capital letter in running text may be one whatever stands beside it, but no stop word,
/// no row of up to three capitals, no month with its day and no label; of these and of the first word of a sentence what stands
/// beside it must say so.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let place = here.on(Class::City) & around.before(1, |left| left.on(Class::PlaceCue));
    let owns = around.behind(1, |next| next.is(Fact::Possessive));
    let named = here.maybe_names() | here.on(Class::Eponym) | place | owns;
    let judged = named & !here.any(KNOWN) & !here.is(Fact::One) & !here.is(Fact::Glued);
    // Where `start` holds of `points`.
    let first = here.is(Fact::Sentence) | !here.is(Fact::Joined) & around.before(1, |left| left.marks(b":-#)("));
    let stop = here.on(Class::Stop) & !here.is(Fact::Modal);
    let short = here.is(Fact::Upper) & here.is(Fact::UpToThree);
    // `on May 3`; but `May 555-0123`, `Rm 4A May 3M`.
    let day = here.on(Class::Month)
        & !here.is(Fact::Sentence)
        & around.behind(1, |next| next.is(Fact::Number) & (!next.is(Fact::UpToThree) | next.is(Fact::UpToTwo)))
        & around.before(1, |left| left.is(Fact::Word) & !left.is(Fact::Glued));
    let weak = here.any(NAMES_AND_PLACES) & (stop | short | day);
    // What gets points from `before`: `per`, `seen by`, `w/`, `thanks,`; and behind a quotation mark, which has the column of `%`,
    // labels and nicknames.
    let led = around.before(1, |left| {
        let article = left.is(Fact::The) & left.is(Fact::Capital) & !left.is(Fact::Sentence);
        article | left.is(Fact::Asks) | left.is(Fact::ByPeople) | left.is(Fact::And) | left.on(Class::PersonVerb)
    }) | around.before(1, |left| left.mark(b'/')) & around.before(2, |left| left.is(Fact::ByPeople))
        | around.before(1, |left| left.mark(b'.') & left.is(Fact::Joined))
            & around.before(2, |left| left.is(Fact::Capital) & left.is(Fact::UpToThree))
        | around.before(1, |left| left.mark(b',')) & around.before(2, |left| left.is(Fact::Asks))
        | around.before(1, |left| left.marks(b"%'"))
            & (around.behind(1, |next| next.marks(b",%")) | around.behind(2, |group| group.marks(b",%")))
        | around.before(1, |left| left.mark(b'.'))
            & around.before(2, |left| left.on(Class::Title) & left.on(Class::PersonVerb));
    // `Hospital Course:` is a label, `a Foley catheter` no person, unless one of the small words that give a point is before
    // it; a first word too may be a name behind one.
    let small = around
        .before(1, |left| left.is(Fact::Word) & left.is(Fact::UpToFive) & !left.is(Fact::One) & !left.is(Fact::The));
    let label = !here.unlisted()
        & around.behind(1, |next| next.mark(b':') & !next.is(Fact::NewLine))
        & (here.is(Fact::Upper) | !small);
    let thing = here.on(Class::Eponym) & around.behind(1, |next| next.any(THINGS) & next.is(Fact::Follows)) & !small;
    let running = (!first | small) & !label & !thing;
    let sure = led | place | owns | said_near(around) & !(first & stop) | !weak & running;
    // Two groups of three are done here.
    let open = judged & !sure & !weak & here.is(Fact::Capital) & !here.any(form::NEVER);
    if open == 0 { judged & sure } else { judged & sure | open & formed_near(around) }
}

/// What gets points from [`after`]; of a first word, verbs do, and of a first name any word.
fn said_near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let start = here.is(Fact::Sentence) | !around.before(1, |left| left.is(Fact::Word));
    let labelled = labelled_near(around);
    // What `is_subject` takes for nobody may still be a name behind what somebody does.
    let subject = !here.any(Classes::of(&[Class::Stop, Class::Clinical, Class::Eponym])) | labelled;
    let does = around.behind(1, |next| next.is(Fact::Lower) & next.on(Class::PersonVerb));
    let given = here.on(Class::FirstName) & !here.on(Class::Clinical);
    let small = around.behind(1, |next| next.is(Fact::Lower));
    let full = around.behind(1, |next| next.capitalised() & next.any(NAMES))
        & !(here.on(Class::Stop) & here.is(Fact::Upper) & !here.is(Fact::Modal));
    // `Salt, who`, `Price, 65`, `Baker, Sutter and Lloyd`; `Grace, could you`; `Sitter: Joy, Amber`; `Rm 3A Woods, stable`
    let comma = around.behind(1, |next| next.mark(b','))
        & (around.behind(2, |group| group.capitalised() | group.is(Fact::Number) | group.is(Fact::Said))
            | here.is(Fact::LineStart)
            | labelled
            | figure_near(around));
    // `Rivers-Green`, `Will - rides`; but `end-stage`, `BI-RADS`.
    let hyphen = around.behind(1, |next| next.mark(b'-') & next.is(Fact::Joined));
    let dash = around.behind(1, |next| next.mark(b'-')) & (!hyphen | around.behind(2, |group| group.is(Fact::Capital)));
    around.behind(1, |next| next.is(Fact::Said) | next.on(Class::HumanVerb) | next.marks(b"&@%>"))
        | around.behind(1, |next| next.is(Fact::Word)) & around.behind(2, |group| group.on(Class::HumanVerb))
        | start & (subject & does | given & small)
        | full
        | comma
        | dash
}

/// Words behind a label: `Sitter tonight: Joy`, `Surgeon - Brooks`.
fn labelled_near(around: &Around<'_>) -> u64 {
    around.before(1, |left| left.marks(b":-")) & around.before(2, |left| left.is(Fact::Word))
}

/// Words behind a number or a letter glued to one: `Rm 304 Gray`, `4B Frost`.
fn figure_near(around: &Around<'_>) -> u64 {
    around.before(1, |left| left.is(Fact::Number) | left.is(Fact::Glued))
}

/// Names of which [`form`] may speak, besides those with something from [`said_near`] beside them.
#[inline(never)]
fn formed_near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let (colon, item) = (around.before(1, |left| left.mark(b':')), around.before(1, |left| left.marks(b".)")));
    let comma = around.before(1, |left| left.mark(b','));
    let number_before = around.before(2, |left| left.is(Fact::Number));
    // `Hope S.: 3 y`, `4B Frost CHF`
    let letter = here.on(Class::FirstName) & around.behind(1, |next| next.capitalised() & next.is(Fact::One));
    let ill = figure_near(around) & around.behind(1, |next| next.is(Fact::Upper));
    // `Frost: CHF`; `3. Long: GIB`, `09:02 Basil: hello`; `WR Brooks: continue`
    let label = around.behind(1, |next| next.mark(b':'))
        & (here.is(Fact::LineStart)
            | around.up_to_before(3, |group| group.is(Fact::Number))
            | around.before(1, |left| left.is(Fact::Word) & left.is(Fact::LineStart)));
    // `Heath 09:00`, `Colt 4 yo`, `Colt 22M`, `3) Frost 4N`, `Bird 302 - pain`, `Justice 12, Heaven 9`
    let number = around.behind(1, |next| next.is(Fact::Number))
        & ((here.is(Fact::Sentence) | item | colon)
            & around.behind(1, |next| next.is(Fact::Spaced) & !next.is(Fact::UpToThree))
            | around.behind(2, |group| group.is(Fact::Glued) & group.is(Fact::Sex) | group.on(Class::AgeCue))
            | item & around.behind(2, |group| group.is(Fact::Glued))
            | around.behind(2, |group| group.mark(b'-'))
            | around.behind(2, |group| group.mark(b',')) & around.behind(3, |group| group.is(Fact::Capital))
            | here.is(Fact::LineStart) & around.behind(2, |group| group.is(Fact::Upper) | group.mark(b'+'))
            | comma & number_before);
    // The last word of a line, alone behind a sentence or a dash; a line of one word and its point.
    let signs = item | around.before(1, |left| left.mark(b'-'));
    let alone = signs & around.behind(1, |next| next.is(Fact::NewLine))
        | here.is(Fact::LineStart)
            & around.behind(1, |next| next.mark(b'.'))
            & around.behind(2, |next| next.is(Fact::NewLine));
    // `Bed 4: Frost`, `Sitter tonight: Joy.`, `Sick list: Brooks, Weaver`, `w/ Early/Davids`
    let bed = colon & number_before & around.behind(1, |next| !next.is(Fact::Word) | next.is(Fact::NewLine));
    let value = labelled_near(around)
        & around.behind(1, |next| next.marks(b".;") | next.is(Fact::NewLine) | !next.is(Fact::Follows));
    let second = comma & around.before(3, |left| left.mark(b':')) | around.before(1, |left| left.mark(b'/'));
    let mark = around.behind(1, |next| next.is(Fact::Symbol) | next.marks(b"/(;"));
    letter | ill | label | number | alone | bed | value | second | mark
}
