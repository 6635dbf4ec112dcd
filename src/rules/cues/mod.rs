//! Names by their context: after a title, before a credential, in a field, and what the caller or the site knows.

pub(in crate::rules) mod addressed;
pub(in crate::rules) mod announced;
pub(in crate::rules) mod credential;
pub(in crate::rules) mod eponym;
pub(in crate::rules) mod field;
pub(in crate::rules) mod household;
pub(in crate::rules) mod initials;
pub(in crate::rules) mod joined;
pub(in crate::rules) mod known;
pub(in crate::rules) mod misread_name;
mod name;
pub(in crate::rules) mod near_placeholder;
pub(in crate::rules) mod propagate;
pub(in crate::rules) mod recipient;
pub(in crate::rules) mod segment;
pub(in crate::rules) mod site;
pub(in crate::rules) mod spoken_name;
pub(in crate::rules) mod title;
