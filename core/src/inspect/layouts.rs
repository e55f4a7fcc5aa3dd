//! Finds candidates in the layouts of the user.

use super::candidates::Candidates;
use super::formats::Habit;
use super::weigh::{Life, weigh_parts};
use super::{Inspector, Reading, scheme_of_layout};
use crate::generator::inspect_flake;
use crate::id::AnyId;
use crate::layout::Layout;
use crate::scheme::Scheme;

/// Points for a time in the first day after the epoch, where all small numbers lie. They are
/// positive, because the user passed the layout.
const FIRST_DAY: i32 = 10;

impl Inspector {
    /// Adds the candidates for a number in the user's layouts of more than 64 bits. If `bits` is
    /// given, only layouts of this size count.
    pub(super) fn add_wide_layouts(
        &self,
        found: &mut Candidates,
        reading: &Reading<'_>,
        value: u128,
        bits: Option<u32>,
    ) {
        self.add_layouts(found, reading, value, |layout| {
            layout.is_wide() && bits.is_none_or(|bits| bits == layout.size_bits())
        });
    }

    pub(super) fn add_layouts(
        &self,
        found: &mut Candidates,
        reading: &Reading<'_>,
        value: u128,
        fits: impl Fn(&Layout) -> bool,
    ) {
        if !self.wants(Scheme::Flake) {
            return;
        }
        for (index, layout) in self.given().iter().enumerate() {
            // `add_known` finds the layouts of other schemes, if the inspector looks for these.
            let found_as = scheme_of_layout(layout);
            if !fits(layout) || found_as != Scheme::Flake && self.wants(found_as) {
                continue;
            }
            let Ok(parts) = inspect_flake(layout, AnyId::known(value, layout.size_bits())) else { continue };
            let small = weigh_parts(layout, &parts, Habit::Assigned, Habit::Running);
            let first_day = Some((layout.epoch_ms(), FIRST_DAY));
            let life = Life { first_day, ..Life::since(layout.epoch_ms()) };
            let weight = self.weigh(layout, &parts, life, 0, small);
            self.add_given(found, reading, parts, weight, Some(index));
        }
    }
}
