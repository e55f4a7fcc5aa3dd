//! What `saiban inspect` needs for every ID, and what its table and its JSON have in common.

use saiban::inspect::Candidate;
use saiban::{Inspector, Layout};

/// The inspector, the user's layouts, and the form of the output.
pub(super) struct View {
    pub(super) inspector: Inspector,
    pub(super) layouts: Vec<Layout>,
    pub(super) all: bool,
    pub(super) json: bool,
}

impl View {
    /// Returns what distinguishes the forms of one scheme: a preset, a version, an order, or a
    /// layout of the user's.
    pub(super) fn layout(&self, candidate: &Candidate) -> Option<String> {
        if let Some(form) = candidate.parts().form() {
            return Some(form.to_owned());
        }
        candidate.layout_index().and_then(|index| self.layouts.get(index)).map(Layout::to_string)
    }
}

pub(super) fn why(candidate: &Candidate) -> Vec<String> {
    candidate.reasons().map(|reason| reason.to_string()).collect()
}
