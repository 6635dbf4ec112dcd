//! Identifiers with a written form that a grammar can describe and sources can confirm, and the obfuscations that hide
//! one.

pub(in crate::rules) mod age;
pub(in crate::rules) mod alphabet;
pub(in crate::rules) mod code;
pub(in crate::rules) mod contact;
pub(in crate::rules) mod coordinates;
pub(in crate::rules) mod date;
mod decade;
pub(in crate::rules) mod document;
pub(in crate::rules) mod encoded;
mod future_age;
pub(in crate::rules) mod holiday;
pub(in crate::rules) mod identifier;
mod insertion;
pub(in crate::rules) mod letters;
pub(in crate::rules) mod markup;
pub(in crate::rules) mod path;
pub(in crate::rules) mod phone;
pub(in crate::rules) mod place;
pub(in crate::rules) mod plate;
pub(in crate::rules) mod raised;
mod run;
mod secret;
mod spelled;
pub(in crate::rules) mod split;
pub(in crate::rules) mod spoken_contact;
pub(in crate::rules) mod spoken_quantity;
pub(in crate::rules) mod zip;

/// Returns the names of markup elements and of layout entities.
pub(in crate::rules) const fn markup_name_lists() -> [&'static [&'static str]; 2] {
    [markup::ELEMENTS.words(), encoded::LAYOUT.words()]
}
