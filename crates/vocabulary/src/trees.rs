//! Semantic groups of the `MeSH` trees.

use super::group::Group;

/// Tree numbers of `MeSH` that are too general: *Diagnosis*, *Prognosis*, *Therapeutics*, *Pharmaceutical
/// Preparations*, and the classes of chemistry *Elements*, *Acids*, *Gases*, *Metals*, *Salts*, *Sugars*.
const TOO_GENERAL_NUMBERS: [&str; 11] =
    ["E01", "E01.789", "E02", "E05", "D26", "D01.268", "D01.029", "D01.362", "D01.552", "D01.786", "D09.947"];

/// Branches of `MeSH` under procedures and drugs that contain neither: study methods (*Records*, *Risk*, *Observation*,
/// *Models*,
/// *Artifacts*, *Pedigree*), dosage forms (*Tablets*), water, fuels, dust, soil, food and drink.
const OTHER_BRANCHES: [&str; 18] = [
    "E05.047",
    "E05.318",
    "E05.393.673",
    "E05.581",
    "E05.599",
    "D01.045.250.875",
    "D01.248.497.158.459.650",
    "D01.650.550.925",
    "D20.215.780",
    "D20.215.784.249",
    "D20.215.784.844",
    "D20.280",
    "D20.345",
    "D20.601",
    "D20.633",
    "D20.721",
    "D26.255",
    "G07.203",
];

/// Resins taken as drugs: *Cholestyramine*.
const ION_EXCHANGE: &str = "D25.720.716.579";

/// Returns whether a tree number equals another or is below it.
fn is_in_tree(number: &str, other: &str) -> bool {
    number.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl Group {
    /// Returns the group of a `MeSH` tree number.
    fn of_tree(number: &str) -> Option<Self> {
        let mut letters = number.bytes();
        let (branch, digit) = (letters.next()?, letters.next()?);
        if !digit.is_ascii_digit() {
            return None;
        }
        if TOO_GENERAL_NUMBERS.contains(&number) || OTHER_BRANCHES.iter().any(|&other| is_in_tree(number, other)) {
            return Some(Self::Other);
        }
        Some(match branch {
            b'C' if number == "C23.550.288" => Self::Other,
            // Carcinogenesis is a research topic, not a patient's disease.
            b'C' if number.starts_with("C04.697.098") => Self::Physiology,
            b'C' if number.starts_with("C23.888") || number.starts_with("C23.550") => Self::Finding,
            b'C' => Self::Disorder,
            b'F' if number.starts_with("F03") => Self::Disorder,
            b'F' if number.starts_with("F01.145.126") => Self::Finding,
            b'F' if number.starts_with("F04") => Self::Procedure,
            b'E' if number.starts_with("E07") => Self::Device,
            b'E' => Self::Procedure,
            b'D' => Self::Drug,
            b'A' => Self::Anatomy,
            b'B' => Self::Organism,
            b'F' | b'G' => Self::Physiology,
            b'M' => Self::Person,
            b'Z' => Self::Place,
            _ => Self::Other,
        })
    }

    /// Returns the group of a `MeSH` concept with these tree numbers: the best of their groups. Materials are an
    /// exception: a concept that is both a material and a polymer or metal, and not otherwise a drug, counts as a
    /// device.
    pub fn of_trees(numbers: &[String]) -> Option<Self> {
        let is_material = |number: &String| is_in_tree(number, "D25") && !number.starts_with(ION_EXCHANGE);
        let is_stuff = |number: &String| ["D01", "D05", "D25"].iter().any(|branch| is_in_tree(number, branch));
        let mut chemicals = numbers.iter().filter(|number| number.starts_with('D'));
        if numbers.iter().any(is_material) && chemicals.all(is_stuff) {
            return Some(Self::Device);
        }
        numbers.iter().filter_map(|number| Self::of_tree(number)).min()
    }
}
