//! How far a long command is, on stderr, when a person watches.

use indicatif::{ProgressBar, ProgressStyle};

/// A line on stderr; nothing where stderr is no terminal.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Something of unknown length: how many IDs so far.
    pub(crate) fn counting(what: &'static str) -> Self {
        Self::with("{spinner} {msg} {human_pos} IDs, {per_sec}", ProgressBar::new_spinner(), what)
    }

    /// Something of so many IDs.
    pub(crate) fn of(what: &'static str, ids: u64) -> Self {
        Self::with("{msg} {bar:40} {human_pos} of {human_len} IDs, {eta} left", ProgressBar::new(ids), what)
    }

    fn with(template: &str, bar: ProgressBar, what: &'static str) -> Self {
        // The template is ours, and valid; the usual style is no reason to stop.
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
