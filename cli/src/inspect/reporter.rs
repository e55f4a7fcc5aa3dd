//! Writes the result for each ID, as a table or as JSON, and reports texts that are not IDs.

use super::view::View;
use super::{json, table};
use crate::failure::Failure;
use crate::output::Output;
use saiban::ErrorKind;

/// Where an ID was read.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Argument,
    /// A line of stdin, counted from 1.
    Line(u64),
}

/// Writes the results of one ID after another, and keeps the exit code.
pub(super) struct Reporter {
    pub(super) view: View,
    pub(super) output: Output,
    pub(super) exit_code: u8,
}

impl Reporter {
    /// Inspects a text. It ignores surrounding white space, which pasting adds.
    pub(super) fn text(&mut self, text: &str, place: Place) -> Result<(), Failure> {
        let text = text.trim();
        match self.view.inspector.inspect_text(text) {
            Ok(found) if self.view.json => self.output.line(&json::found(&self.view, text, &found)),
            Ok(found) => table::lines(&self.view, text, &found).iter().try_for_each(|line| self.output.line(line)),
            Err(error) => {
                if self.view.json {
                    self.output.line(&json::refused(text, &error))?;
                }
                let failure = Failure::of(text)(error);
                self.refuse(match place {
                    Place::Argument => failure,
                    Place::Line(number) => failure.in_line(number),
                })
            }
        }
    }

    /// Reports a line that is too long or not UTF-8.
    pub(super) fn no_text(
        &mut self,
        line: &[u8],
        number: u64,
        kind: ErrorKind,
        problem: &'static str,
    ) -> Result<(), Failure> {
        if self.view.json {
            self.output.line(&json::no_text(line, kind, problem))?;
        }
        self.refuse(Failure::Input { place: format!("line {number}"), problem })
    }

    /// Writes an error to stderr, after the results that come before it.
    fn refuse(&mut self, failure: Failure) -> Result<(), Failure> {
        self.output.flush()?;
        failure.print();
        self.exit_code = failure.exit_code();
        Ok(())
    }
}
