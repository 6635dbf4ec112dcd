//! The table of rules: the anchors of each rule and its function.

use super::CODE_ROW;
use super::clinical;
use super::cues::{
    addressed, announced, credential, eponym, field, household, initials, joined, misread_name, near_placeholder,
    recipient, segment, spoken_name, title,
};
use super::engine::facts::Fact;
use super::engine::group::Group;
use super::engine::{Anchors, Findings, Note, NumberShapes};
use super::forms::{
    age, alphabet, code, contact, coordinates, date, document, encoded, holiday, identifier, markup, path, phone,
    place, plate, split, spoken_contact, spoken_quantity, zip,
};
use crate::vocabulary::{Class, Classes};

/// A rule of the table.
#[derive(Debug)]
pub struct Rule {
    /// The number by which models know the rule. Never reuse one, not even that of a deleted rule: models would confuse
    /// the two.
    pub model_id: u16,
    /// The name in findings and explanations.
    pub name: &'static str,
    /// What the rule removes or keeps: a sentence with examples for users.
    pub about: &'static str,
    /// The tokens at which the rule runs.
    pub anchors: Anchors,
    /// Looks at the tokens around the anchor and reports what it finds.
    pub find: Find,
}

/// The function of a rule: looks at the tokens around the anchor and reports what it finds.
pub type Find = fn(&Note<'_>, usize, &mut Findings);

/// Builds the table and the function that finds the anchors of each rule among 64 tokens. Because anchors are constants
/// there, the compiler drops the checks that a rule does not need.
macro_rules! rules {
    ($($model_id:literal $name:literal $about:literal: $anchors:expr => $find:expr;)*) => {
        /// Every rule. The order does not matter: `decide` weighs all findings together.
        pub static RULES: &[Rule] = &[$(Rule { model_id: $model_id, name: $name, about: $about, anchors: $anchors, find: $find }),*];

        /// The functions of the rules, by index.
        pub(super) static FINDS: [Find; COUNT] = [$($find),*];

        /// Marks the anchors of each rule among the 64 tokens of the `nth` group of a block, one bit per token. In the
        /// middle of long rows only the rule for such rows runs.
        #[inline(never)]
        pub(super) fn mark_anchors((group, rows): (&Group, u64), nth: usize, asked: &mut [[u64; BLOCK]; COUNT]) {
            let mut rule = 0;
            $({
                const ANCHORS: Anchors = $anchors;
                asked[rule][nth] = ANCHORS.anchor_bits(group) & !rows;
                rule += 1;
            })*
            debug_assert!(rule == COUNT);
            asked[usize::from(CODE_ROW)][nth] = rows;
        }
    };
}

/// The number shapes of times of day.
const TIMES: NumberShapes =
    NumberShapes::COLON.or(NumberShapes::UP_TO_TWO).or(NumberShapes::DECIMAL).or(NumberShapes::FOUR);

rules! {
    0 "name-title" "Names after a title: `Dr. Brown`, `Drs. Field and Ellis`.":
        Anchors::at_words(&[Class::Title]) => title::find_names_after_title;
    1 "name-credential" "Names before a credential: `Clarence Gifford, M.D.`, `Ada Bishop, R.N.`.":
        Anchors { marks: b".", ..Anchors::at_words(&[Class::Credential]) } => credential::find_name_before_credential;
    2 "name-field" "Names in fields and segments for them: `Patient Name: ROSE, May B.`, `cc: Dr. Field`.":
        Anchors::at_marks(b":|") => field::find_names_in_field;
    4 "eponym" "Keeps names that are medicine: `Foley catheter`, `Graves' disease`.":
        Anchors::at_words(&[Class::Eponym]) => eponym::keep_eponym;
    6 "city-state" "Towns before a state: `Tyler, AZ`, `Tyler, Texas`.":
        Anchors::at_words(&[Class::State]) => place::town::find_town;
    8 "street" "Streets with the number of a house: `20 Ellery Street`.":
        Anchors::at_words(&[Class::StreetType]) => place::street::find_street;
    9 "street-number" "Streets by their form, a number, a name and a word that streets end with: `284 Aaron Villages`, `654 Ellis Corner`.":
        Anchors::at_numbers(NumberShapes::ALL) => place::street::find_numbered_street;
    10 "apartment" "Flats, suites and post boxes with their number: `Apt. 4`, `PO Box 118`.":
        Anchors::at_numbers(NumberShapes::ALL) => place::flat::find_flat;
    12 "ward" "Rooms, beds, wards and floors with their number: `unit 8D`, `ICU bed 12`.":
        Anchors::at_words(&[Class::WardNoun]) => place::ward::find_ward_number;
    14 "date-figures" "Dates in figures, in every order: `3/4/06`, `2006-03-04`, `3/2019`.":
        Anchors::at_numbers(NumberShapes::LONG.or(NumberShapes::MARKED)).or_glued_numbers(NumberShapes::UP_TO_FOUR) => date::numeric::find_numeric_date;
    15 "date-month" "Dates with the name of a month: `March 3rd, 2004`, `03MAR2004`, `since October`.":
        Anchors::at_words(&[Class::Month]) => date::month_date::find_month_date;
    18 "year" "Years: `in 2003`, `class of 1964`, `'03`, `the 1990s`.":
        Anchors::at_numbers(NumberShapes::YEAR.or(NumberShapes::MARKED)).or_glued_numbers(NumberShapes::TWO) => date::year::find_year;
    19 "birth-spoken" "Dates of birth in words: `born on the third of the fifth, fifty-one`.":
        Anchors::at_words(&[Class::DateCue]) => date::number_words::find_spoken_birth_date;
    21 "holiday" "Holidays and their eves: `Christmas Eve`, `the day after Thanksgiving`.":
        Anchors::at_words(&[Class::Holiday, Class::HolidayPart]) => holiday::find_holiday;
    22 "weekday" "Days of the week: `on Tuesday`.":
        Anchors::at_words(&[Class::Weekday]) => holiday::find_weekday;
    24 "age" "Ages over 89 in figures: `93 y/o`, `93F`, `died at 91`.":
        Anchors::at_numbers(NumberShapes::OLD.or(NumberShapes::FOUR).or(NumberShapes::FROM_FIVE).or(NumberShapes::MARKED)).or_glued_numbers(NumberShapes::UP_TO_TWO) => age::find_age_over_89;
    25 "age-spoken" "Ages over 89 in words: `ninety-three years old`, `in her nineties`.":
        Anchors::at_words(&[Class::NumberWord, Class::OrdinalWord]) => age::find_spoken_age;
    26 "phone" "Telephone, fax and pager numbers: `(617) 555-0123`, `+44 20 7946 0958`.":
        Anchors::at_numbers(NumberShapes::FROM_SIX.or(NumberShapes::MARKED)).or_glued_numbers(NumberShapes::INTEGER) => phone::find_phone;
    27 "phone-keyword" "Numbers after a word for telephones: `ext. 4567`, `pager 12345`.":
        Anchors::at_words(&[Class::PhoneKeyword]) => phone::find_phone_after_keyword;
    28 "phone-spoken" "Telephone numbers said digit by digit: `five five five zero one four four`.":
        Anchors::at_words(&[Class::NumberWord]) => phone::spoken::find_spoken_phone;
    29 "identifier-short" "Numbers of devices after a short form with a slash: `s/n K-88 20147`.":
        Anchors::at_marks(b"/") => identifier::find_device_number;
    30 "identifier" "Identifiers announced by a keyword: `MRN 1234567`, `accession S84-0816`.":
        Anchors::at_words(&[Class::IdKeyword]) => identifier::find_announced_identifier;
    31 "code" "Identifiers by their form alone: long rows of digits, letters and digits mixed: `S84K0816Q2`.":
        Anchors::at_numbers(NumberShapes::FROM_SIX).or_glued_numbers(NumberShapes::ALL) => code::find_code;
    32 "plate" "Number plates and the like: short rows of capitals and figures: `4KX-291`.":
        Anchors { numbers_near_capitals: NumberShapes::UP_TO_SEVEN, ..Anchors::NONE } => plate::find_plate;
    // Runs where no other rule does: in the middle of long rows.
    33 "code-row" "Identifiers in the middle of long rows of figures and marks.":
        Anchors::NONE => code::find_code_in_long_row;
    34 "code-hash" "Identifiers after a hash: `#448812`.":
        Anchors::at_marks(b"#") => code::find_number_after_hash;
    35 "contact-at" "E-mail addresses and handles: `rose@example.org`, `@rose_b`.":
        Anchors::at_marks(b"@") => contact::find_at_sign_address;
    36 "contact-domain" "Web addresses without a scheme: `example.org/rose`.":
        Anchors::at_words(&[Class::DomainSuffix]) => contact::find_web_address;
    37 "contact-scheme" "Web addresses and network addresses with a colon: `https://example.org`, `00:1A:2B:3C:4D:5E`.":
        Anchors::at_marks(b":") => contact::find_address_with_colon;
    38 "contact-number" "IP addresses: `192.0.2.44`.":
        Anchors::at_numbers(NumberShapes::MARKED).or_glued_numbers(NumberShapes::ALL) => contact::find_numeric_address;
    39 "zip" "Postal codes: `AZ 85001`, `EC1A 1BB`.":
        Anchors::at_numbers(NumberShapes::FIVE).or_glued_numbers(NumberShapes::UP_TO_TWO) => zip::find_zip;
    // ---- obfuscation: the whole form is removed, whatever it hides
    40 "split-letters" "Words written letter by letter: `J o h n`, `R-o-s-e`.":
        Anchors::at_columns(Group::single_letters) => split::find_split_word;
    41 "encoded" "Characters written by their numbers or names, and markup inside a word: `R&#111;se`, `R**o**se`.":
        Anchors { marks: encoded::MARKS, ..Anchors::at_columns(|group| group.tokens_with_fact(Fact::Stars)) } => encoded::find_encoded_characters;
    42 "path" "Words joined as computers have them: `rose_brown1956`, `/home/rose/notes`.":
        Anchors::at_marks(b"_/\\") => path::find_path;
    // ---- vouch for clinical numbers
    43 "quantity" "Keeps numbers with what they measure after them: `3-4 cm`, `5 mg`, `12 stitches`.":
        Anchors::at_numbers(NumberShapes::ALL) => clinical::quantity::keep_quantity;
    44 "measurement" "Keeps numbers with what is measured before them: `sodium 138`, `BP was 128/72`.":
        Anchors::at_words(&[Class::Measurement]) => clinical::value::keep_measurement_values;
    45 "score" "Keeps scores and stages by their name: `Apgars 8 and 9`, `GCS 15`, `stage IIIA`.":
        Anchors::at_words(&[Class::Score]) => clinical::score::keep_named_score;
    47 "grade" "Keeps grades by their form: `2+ edema`, `3/6 murmur`.":
        Anchors::at_numbers(NumberShapes::UP_TO_THREE.or(NumberShapes::PART)).or_glued_numbers(NumberShapes::MARKED) => clinical::score::keep_grade_by_form;
    48 "panel" "Keeps numbers whose form alone is clinical: `7.38/42/88/24`, `20/40`.":
        Anchors::at_numbers(NumberShapes::ALL) => clinical::panel::keep_clinical_form;
    49 "time-span" "Keeps lengths of time as fractions of a year or a week: `review in 3/52`, `for 5/7`.":
        Anchors::at_numbers(NumberShapes::SLASH) => clinical::duration::keep_time_span;
    50 "time-of-day" "Keeps times of day: `10:30`, `at 14.30`.":
        Anchors::at_numbers(TIMES) => clinical::time::keep_time_of_day;
    51 "clock" "Keeps hours and minutes in four figures: `0340 turned`, `seen 1415`.":
        Anchors::at_numbers(NumberShapes::FOUR) => clinical::clock::keep_four_digit_time;
    52 "vital-signs" "Keeps vital signs in a row around a blood pressure: `37.4 112 116/72 99%`.":
        Anchors::at_numbers(NumberShapes::SLASH) => clinical::row::keep_vital_signs;
    53 "cell" "Keeps numbers in the columns of a table or a log of values, in rows of short forms with their values, and in delimited text.":
        Anchors::at_numbers(NumberShapes::UP_TO_THREE.or(NumberShapes::DECIMAL).or(NumberShapes::OTHER)) => clinical::row::keep_table_cell;
    54 "change" "Keeps values that a sign tells to be changed, more or less: `9 -> 8`, `+700`.":
        Anchors::at_numbers(NumberShapes::ALL) => clinical::change::keep_signed_number;
    55 "part" "Keeps numbers that tell a part: `page 2 of 3`, `1 in 4`.":
        Anchors::at_numbers(NumberShapes::UP_TO_THREE.or(NumberShapes::DECIMAL)) => clinical::part::keep_part_number;
    56 "short-number" "Keeps short numbers among plain words: `bladder scan 42`, `took 2 baby aspirin`.":
        Anchors::at_numbers(NumberShapes::UP_TO_THREE.or(NumberShapes::DECIMAL).or(NumberShapes::SLASH)) => clinical::count::keep_short_number;
    57 "obstetric" "Keeps obstetric notation: `G3P2`, `para 0-0-1-0`.":
        Anchors::at_numbers(NumberShapes::UP_TO_FOUR) => clinical::obstetric::keep_obstetric_counts;
    58 "level" "Keeps numbers of levels and of days after an operation: `L4 level`, `POD 3`.":
        Anchors::at_words(&[Class::Level]) => clinical::score::keep_level;
    59 "notation" "Keeps letters and digits written as one: `C5-6`, `V1-V6`, `T2N0M0`.":
        Anchors::NONE.or_glued_numbers(NumberShapes::ALL) => clinical::notation::keep_notation;
    60 "marker" "Keeps markers, genes and gases with their number: `CD34`, `HER2`, `CA 19-9`.":
        Anchors::at_words(&[Class::Marker]) => clinical::marker::keep_marker_number;
    61 "acronym" "Keeps short forms of medicine that are names or words as well: `LE swelling`, `denies SI`.":
        Anchors::at_words(&[Class::Acronym]) => clinical::acronym::keep_acronym;
    62 "age-to-89" "Keeps ages up to 89: `age 70`, `45M`, `died at 67`.":
        Anchors::at_numbers(NumberShapes::UP_TO_TWO) => clinical::age::keep_age;
    65 "named-code" "Keeps codes after the name of their system: `CPT 27759`, `ICD-10-CM: E11.9`.":
        Anchors::at_words(&[Class::CodeSystem]) => clinical::code::keep_named_codes;
    66 "list-number" "Keeps the numbers of list items: `1.`, `2)`.":
        Anchors::NONE.or_glued_numbers(NumberShapes::UP_TO_TWO) => clinical::list::keep_list_number;
    67 "count" "Keeps numbers that count: `x 3`, `q4h`, `a total of 8`.":
        Anchors::at_numbers(NumberShapes::UP_TO_FOUR.or(NumberShapes::DECIMAL).or(NumberShapes::SLASH)) => clinical::list::keep_counted_number;
    // These have no anchors and run after all others, see `find_known` and `apply_rules`.
    69 "site-list" "The lists of the site: its staff and places go, what it always allows stays.":
        Anchors::NONE => |_, _, _| {};
    70 "known" "What the caller knows of the patient, in every written form.":
        Anchors::NONE => |_, _, _| {};
    71 "name-propagated" "A name that was found in a sure place, everywhere else in its note.":
        Anchors::NONE => |_, _, _| {};
    72 "raised-letters" "Words in raised letters.":
        Anchors::NONE => |_, _, _| {};
    // What the model is sure of, see `add_judged`.
    73 "judged" "What the trained model is sure of, from what stands around it.":
        Anchors::NONE => |_, _, _| {};
    74 "misread" "Keeps words in which a scanner read letters as figures: `metopro1ol`, `b1ood`.":
        Anchors::NONE.or_glued_numbers(NumberShapes::ALL) => clinical::misread::keep_misread_word;
    75 "variant" "Keeps variants of genes and karyotypes by their published forms: `c.68_69delAG`, `p.Phe508del`, `46,XX`, `22q11.2`.":
        Anchors { marks: b".,(", ..Anchors::NONE.or_glued_numbers(NumberShapes::DECIMAL) } => clinical::variant::keep_gene_variant;
    76 "phrase" "Keeps terms of medicine that hold a name, a place or a number, from lists: `Milan criteria`, `Hinchey III`, `day of life 12`, `s/p Whipple`.":
        Anchors::at_columns(|group| group.tokens_with_fact(Fact::Word) & (group.tokens_with_fact(Fact::Phrase) | group.tokens_with_fact(Fact::Trial) & group.tokens_with_fact(Fact::Upper))) => clinical::phrase::keep_listed_term;
    77 "fraction" "Keeps fractions, shares and strengths: `3/4 of breakfast`, `24 2/7 weeks`, `strength 5/5`, `sepsis 2/2 UTI`, `I/O 2300/1800`.":
        Anchors::at_numbers(NumberShapes::SLASH.or(NumberShapes::PART)) => clinical::fraction::keep_fraction;
    78 "greek-letter" "Keeps a Greek letter and the figure glued to it: `TNF-α`, `β2-microglobulin`.":
        Anchors::at_columns(|group| group.tokens_with_fact(Fact::Word) & group.tokens_with_fact(Fact::Greek)) => clinical::symbol::keep_greek_letter;
    79 "isotope" "Keeps isotopes that medicine uses: `I-131`, `99mTc`, `Ga-68 DOTATATE`.":
        Anchors::NONE.or_glued_numbers(NumberShapes::UP_TO_THREE) => clinical::symbol::keep_isotope;
    82 "spelling-alphabet" "Words spelled by words: `B as in banana`, `W like water, H like house, I like item`.":
        Anchors::at_columns(|group| group.tokens_with_fact(Fact::Word) & group.tokens_with_fact(Fact::SingleByte)) => alphabet::find_spelled_letters;
    83 "spelling-words" "Rows of words of a spelling alphabet, and names with dictated capitals: `whiskey hotel india tango`, `cap brown comma cap rose`.":
        Anchors::at_columns(|group| group.tokens_with_fact(Fact::Word) & group.tokens_with_fact(Fact::Spelling)) => alphabet::find_alphabet_words;
    92 "morse" "Words in Morse code: `.-. --- ... .`.":
        Anchors::at_marks(b".-") => alphabet::find_morse_code;
    84 "coordinates" "Places to metres: `42°21'36\"N`, `geo:42.36,-71.06`, `///filled.count.soap`.":
        Anchors { marks: b":,/", ..Anchors::at_columns(|group| group.tokens_with_fact(Fact::Symbol) | group.tokens_with_fact(Fact::Word) & group.tokens_with_fact(Fact::Spelling)) } => coordinates::find_coordinates;
    85 "document" "Machine-readable zones of cards, and initials of who dictated and typed: `BROWN<<ROSE<<<<`, `KD/mr`.":
        Anchors::at_columns(|group| group.tokens_with_fact(Fact::Upper)) => document::find_machine_zone_or_initials;
    86 "contact-spoken" "Addresses and handles in words: `rose dot brown at gmail dot com`, `u/rosebrown`, `skype rose.brown`.":
        Anchors { marks: b":./", classes: Classes::of(&[Class::DomainSuffix]), ..Anchors::at_columns(|group| group.tokens_with_fact(Fact::Word) & group.tokens_with_fact(Fact::Spelling)) } => spoken_contact::find_spoken_contact;
    81 "markup" "Values of attributes go, names of elements and escapes stay: `<img alt=\"rose brown\">`, `<br/>`, `\\.br\\`.":
        Anchors::at_marks(b"<\\") => markup::find_markup_values;
    80 "label" "Keeps labels of blocks, specimens and diagnoses before what they name: `A1-A3: margin`, `R05: Cough`.":
        Anchors::NONE.or_glued_numbers(NumberShapes::UP_TO_TWO) => clinical::label::keep_specimen_label;
    103 "list-letter" "Keeps the letters of list items: `A: stomach, B: fundus`, `a) fluids, b) antibiotics`.":
        Anchors::at_columns(|group| group.tokens_with_fact(Fact::Word) & group.tokens_with_fact(Fact::SingleByte)) => clinical::label::keep_list_letter;
    90 "slides" "Keeps counts of slides by stain: `H&E x 1 A`, `PAS x 2`.":
        Anchors::at_numbers(NumberShapes::UP_TO_TWO) => clinical::slides::keep_slide_count;
    94 "quantity-spoken" "Keeps quantities in words: `nine point four`, `one forty over ninety`, `six by two centimetres`, `forty one years old`.":
        Anchors::at_words(&[Class::NumberWord]) => spoken_quantity::keep_spoken_quantity;
    95 "daily-doses" "Keeps how a dose is spread over the day: `ramipril 5 mg 1-0-1`.":
        Anchors::at_numbers(NumberShapes::UP_TO_TWO) => clinical::doses::keep_daily_doses;
    91 "reference-range" "Keeps reference ranges behind the value that they judge: `Sodium 131 L 135-145`, `K 5.6 (3.5 - 5.0)`.":
        Anchors::at_numbers(NumberShapes::UP_TO_FOUR.or(NumberShapes::DECIMAL)) => clinical::range::keep_reference_range;
    88 "name-initials" "Names with short forms of first names for initials: `A.Ph. de Visser`, `J.-Chr. Dupont`.":
        Anchors::at_marks(b".") => initials::find_name_with_initials;
    93 "name-addressed" "First names after a comma at the end of a sentence: `less cough, Rose.`":
        Anchors::at_marks(b",") => addressed::find_addressed_name;
    96 "name-announced" "Names after a label without a mark, or before one in brackets: `surname bishop`, `Bishop [surname]`.":
        Anchors::at_words(&[Class::NameField]) => announced::find_announced_name;
    97 "name-household" "Names of families: `the Bishop children`, `the Bishops are here`.":
        Anchors::at_columns(Group::capitalised_words) => household::find_household_name;
    98 "name-spoken" "Full names where somebody is spoken of and capitals tell nothing: `patient rose bishop comes in`.":
        Anchors::at_words(&[Class::FirstName]) => spoken_name::find_spoken_name;
    99 "name-joined" "Halves of a name joined by a mark: `Hope+Bishop`, `BISHOP^HOPE`.":
        Anchors { marks: b"+^~", ..Anchors::NONE } => joined::find_joined_names;
    100 "name-segment" "Names in segments of EDIFACT and X12, and as values of keys: `NAD+PAT+++BISHOP:HOPE'`, `lname='Bishop'`.":
        Anchors::at_marks(b"+*=<") => segment::find_interchange_segment;
    102 "name-told" "Family names of whoever is told or does something: `called to bishop at 1020`, `read back by bishop`.":
        Anchors::at_words(&[Class::NameField]) => recipient::find_told_name;
    101 "name-misread" "Names beside a first name in which a scanner read letters as figures: `Karen B1shop`.":
        Anchors::NONE.or_glued_numbers(NumberShapes::ALL) => misread_name::find_misread_name;
    89 "beside-tag" "Keeps credentials and labels beside a tag of an earlier scrub: `[NAME], M.D.`, `DOB: [DATE]`.":
        Anchors::at_columns(|group| group.tokens_with_fact(Fact::Lower) & !group.tokens_with_fact(Fact::Word)) => near_placeholder::keep_words_beside_tag;
    // See `field`.
    87 "field" "What a standard says of a field of a message: HL7, FHIR, C-CDA.":
        Anchors::NONE => |_, _, _| {};
}

/// The number of rules.
pub(super) const COUNT: usize = RULES.len();

/// The number of groups of 64 tokens per block; each rule runs on a whole block at a time.
pub(super) const BLOCK: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_rules_are_one_to_models() {
        let numbers: std::collections::BTreeSet<u16> = RULES.iter().map(|rule| rule.model_id).collect();
        assert_eq!(numbers.len(), RULES.len());
    }
}
