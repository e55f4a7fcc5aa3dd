//! Shows the progress of long commands on stderr, if stderr is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A line of progress on stderr; invisible if stderr is not a terminal.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Starts a line for an unknown number of IDs. It counts them.
    pub(crate) fn counting(what: &'static str) -> Self {
        Self::with("{spinner} {msg} {human_pos} IDs, {per_sec}", ProgressBar::new_spinner(), what)
    }

    /// Starts a line for `ids` IDs. It shows a bar and the time left.
    pub(crate) fn of(what: &'static str, ids: u64) -> Self {
        Self::with("{msg} {bar:40} {human_pos} of {human_len} IDs, {eta} left", ProgressBar::new(ids), what)
    }

    fn with(template: &str, bar: ProgressBar, what: &'static str) -> Self {
        // The templates are constants, and valid. The default style avoids a panic.
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        Progress(bar.with_style(style).with_message(what))
    }

    pub(crate) fn at(&self, ids: u64) {
        self.0.set_position(ids);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
