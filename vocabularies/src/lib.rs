//! The default vocabulary of notesieve.
