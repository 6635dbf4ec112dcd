//! Python binding of notesieve.
