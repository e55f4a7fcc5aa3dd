//! Readings by layouts of the user's own.

use super::candidates::Candidates;
use super::formats::Habit;
use super::weigh::{Life, weigh_parts};
use super::{Inspector, Reading};
use crate::generator::inspect_flake;
use crate::id::{AnyId, Scheme};
use crate::layout::Layout;

/// The first day after the epoch, in which all small numbers lie: still more than nothing, as the layout was given.
const FIRST_DAY: i32 = 10;

impl Inspector {
    /// A number of more than 64 bits in the layouts given, of those with so many bits where that is known.
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
            // Presets are Snowflakes, and Ulid-Flake's layouts Ulid-Flakes, where these are looked for.
            let is_snowflake = layout.name().is_some() && self.wants(Scheme::Snowflake);
            if !fits(layout) || is_snowflake || layout.is_ulid_flake() && self.wants(Scheme::UlidFlake) {
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
