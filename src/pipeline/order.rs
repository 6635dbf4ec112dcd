//! The order of the steps that a note takes before its new text is written.

use super::steps::Request;
use super::{Scratch, Scrubber};
use crate::error::{Error, LONGEST_TEXT, Result};

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Folds the text.
    Fold,
    /// Cuts it into tokens.
    Cut,
    /// NumberShapes words up, and seals what an earlier scrub wrote.
    LookUp,
    /// Finds terms.
    Match,
    /// Asks rules.
    AskRules,
    /// Judges what has no form.
    Judge,
    /// Codes what the note writes in its own way.
    Code,
    /// Decides on each token.
    Decide,
    /// Joins removed tokens to entities.
    Join,
    /// Finds what the note says of each term.
    Assert,
}

impl Step {
    /// All steps, in their order.
    pub const ALL: [Self; 10] = [
        Self::Fold,
        Self::Cut,
        Self::LookUp,
        Self::Match,
        Self::AskRules,
        Self::Judge,
        Self::Code,
        Self::Decide,
        Self::Join,
        Self::Assert,
    ];
}

impl Scrubber {
    /// Takes a note through the steps up to one of them.
    pub(super) fn take(&self, request: Request<'_>, last: Step, scratch: &mut Scratch) -> Result<()> {
        if request.text.len() > LONGEST_TEXT {
            return Err(Error::TooLong { bytes: request.text.len() });
        }
        for step in Step::ALL.into_iter().take_while(|step| *step <= last) {
            match step {
                Step::Fold => scratch.normalized.fold(request.text),
                Step::Cut => Self::cut(request, scratch),
                Step::LookUp => self.look_up(request, scratch),
                Step::Match => self.find_terms(scratch),
                Step::AskRules => self.ask_rules(request, scratch),
                Step::Judge => self.judge(scratch),
                Step::Code => self.code_written(request, scratch),
                Step::Decide => self.decide(scratch),
                Step::Join => self.join(request, scratch),
                Step::Assert => self.say(scratch),
            }
        }
        Ok(())
    }

    /// Takes a note through the steps up to one of them, for who measures what each costs.
    #[doc(hidden)]
    pub fn take_up_to(&self, text: &str, last: Step, scratch: &mut Scratch) -> Result<()> {
        self.take(Request { text, patient: None, explain: false }, last, scratch)
    }

    /// The steps that a scrub and an autocode share.
    pub(super) fn read(&self, text: &str, scratch: &mut Scratch) -> Result<()> {
        self.take_up_to(text, Step::Match, scratch)
    }
}
