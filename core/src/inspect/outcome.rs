//! Records whether a text could be read in any form.

use crate::error::Error;

/// Whether a text could be read in any form.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) was_read: bool,
}

impl Outcome {
    /// Calls `then` with the value, if the text could be read.
    pub(super) fn of<T>(&mut self, read: Result<T, Error>, then: impl FnOnce(T)) {
        if let Ok(value) = read {
            self.was_read = true;
            then(value);
        }
    }
}
