//! Stubs for targets without 64-bit atomics, which have no wide formats and no layouts of the user.

use super::candidates::Candidates;
use super::outcome::Outcome;
use super::{Inspector, Reading};
use crate::layout::Layout;

/// The sizes, in bits, of IDs whose text is read in full width only.
pub(super) const SIZES: [u32; 1] = [u64::BITS];

impl Inspector {
    pub(super) fn read_wide_forms(&self, _: &mut Candidates, _: &str, _: &mut Outcome) {}

    pub(super) fn add_wide(&self, _: &mut Candidates, _: &Reading<'_>, _: u128, _: Option<u32>) {}

    pub(super) fn add_wide_layouts(&self, _: &mut Candidates, _: &Reading<'_>, _: u128, _: Option<u32>) {}

    pub(super) fn add_layouts(&self, _: &mut Candidates, _: &Reading<'_>, _: u128, _: impl Fn(&Layout) -> bool) {}
}
