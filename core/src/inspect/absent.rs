//! What targets without 64-bit atomics do not know: the wide formats, and layouts of the user's own.

use super::candidates::Candidates;
use super::read::Outcome;
use super::{Inspector, Reading};
use crate::layout::Layout;

/// How many bits IDs have that are read in encodings of full width only.
pub(super) const SIZES: [u32; 1] = [u64::BITS];

impl Inspector {
    pub(super) fn read_wide_forms(&self, _: &mut Candidates, _: &str, _: &mut Outcome) {}

    pub(super) fn add_wide(&self, _: &mut Candidates, _: &Reading<'_>, _: u128, _: Option<u32>) {}

    pub(super) fn add_wide_layouts(&self, _: &mut Candidates, _: &Reading<'_>, _: u128, _: Option<u32>) {}

    pub(super) fn add_layouts(&self, _: &mut Candidates, _: &Reading<'_>, _: u128, _: impl Fn(&Layout) -> bool) {}
}
