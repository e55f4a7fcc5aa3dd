//! How much speaks for a reading: points, of which each makes it twice as likely.
//!
//! What is weighed, in this order of weight: the form of the text and version bits; whether the time is one at which such IDs were made; and
//! how many IDs of the format there can have been until now, among which this one would be: the fewer, the more it says that it is one.

use super::formats::Habit;
use super::reason::Evidence;
use super::{Inspector, MS_PER_DAY, MS_PER_YEAR};
use crate::id::Parts;
use crate::layout::Layout;

/// For a layout that was given.
pub(super) const GIVEN: i32 = 30;
/// For a number in another encoding than its scheme's and decimal: less than anything in its own form has, so that this is never crowded out.
pub(super) const OTHER_ENCODING: i32 = -150;
/// For letters of both cases where either would do: whoever writes so takes one.
pub(super) const MIXED_CASE: i32 = -20;
/// For a wide ID as a decimal number.
pub(super) const WIDE_DECIMAL: i32 = -20;
/// For a time outside the format's life; a point less for each doubling of the years.
const WRONG_TIME: i32 = -25;
/// For the first day after an epoch, in which all small numbers lie: of a preset hardly any ID, of an epoch that was given few.
pub(super) const FIRST_DAY: i32 = -40;
pub(super) const FIRST_DAY_OF_GIVEN_EPOCH: i32 = -20;
/// What began so lately may have no other days.
const LATELY_MS: i64 = 30 * MS_PER_DAY;

/// When such IDs are made.
#[derive(Clone, Copy)]
pub(super) struct Life {
    pub(super) since_ms: i64,
    /// The epoch, and what the first day after it weighs, where small numbers come to be read so.
    pub(super) first_day: Option<(i64, i32)>,
    /// Whether few were made in the first year.
    pub(super) grew: bool,
}

impl Life {
    /// Of a format that takes any Unix time.
    pub(super) const fn since(since_ms: i64) -> Self {
        Life { since_ms, first_day: None, grew: false }
    }
}

/// What speaks for a reading or against it.
#[derive(Clone, Copy)]
pub(super) struct Weight {
    pub(super) points: i32,
    pub(super) evidence: Evidence,
}

impl Weight {
    pub(super) const NONE: Weight = Weight { points: 0, evidence: Evidence::NONE };

    pub(super) const fn of(points: i32, evidence: Evidence) -> Self {
        Weight { points, evidence }
    }

    pub(super) const fn and(self, other: Weight) -> Self {
        Weight { points: self.points + other.points, evidence: self.evidence.and(other.evidence) }
    }

    /// Whether the time is one at which such IDs were made. What else the ID holds says nothing where it is not.
    pub(super) const fn is_plausible(&self) -> bool {
        self.evidence.has(Evidence::TIME_PLAUSIBLE)
    }
}

impl Inspector {
    /// Weighs the time: nothing for one at which such IDs were made.
    pub(super) fn weigh_time(&self, timestamp_ms: i64, life: Life) -> Weight {
        let years = |ms: i64| ((ms / MS_PER_YEAR).unsigned_abs() + 1).ilog2().min(14) as i32;
        let age_ms = self.now_ms.saturating_sub(timestamp_ms);
        // Clocks differ: a day ahead is the present still.
        if age_ms < -MS_PER_DAY {
            return Weight::of(WRONG_TIME - years(age_ms), Evidence::TIME_FUTURE);
        }
        if timestamp_ms < life.since_ms {
            let before_ms = life.since_ms.saturating_sub(timestamp_ms);
            return Weight::of(WRONG_TIME - years(before_ms), Evidence::TIME_BEFORE_FORMAT);
        }
        if let Some((epoch_ms, points)) = life.first_day {
            let is_new = self.now_ms.saturating_sub(epoch_ms) < LATELY_MS;
            if timestamp_ms.saturating_sub(epoch_ms) < MS_PER_DAY && !is_new {
                return Weight::of(points, Evidence::TIME_NEAR_EPOCH);
            }
        }
        if life.grew && timestamp_ms.saturating_sub(life.since_ms) < MS_PER_YEAR {
            // As many as if the number of IDs a year had grown evenly since.
            let lifetime = years(self.now_ms.saturating_sub(life.since_ms));
            return Weight::of(-lifetime, Evidence::TIME_PLAUSIBLE.and(Evidence::TIME_EARLY));
        }
        Weight::of(0, Evidence::TIME_PLAUSIBLE)
    }

    /// Weighs the number of IDs that a format can have had since then, of those that have its width.
    pub(super) fn weigh_scarcity(&self, layout: &Layout, since_ms: i64) -> i32 {
        let bits = |max: u128| (u128::BITS - max.leading_zeros()) as i32;
        let beside_time = bits(layout.max_node().into())
            + bits(layout.max_counter_wide())
            + bits(layout.max_rollback().into())
            + bits(layout.max_random());
        let lived_ns = i128::from(self.now_ms.saturating_sub(since_ms)).max(0).unsigned_abs() * 1_000_000;
        let ticks = (lived_ns / u128::from(layout.tick_ns())).max(1);
        layout.size_bits() as i32 - beside_time - ticks.ilog2() as i32
    }
}

/// Weighs node and sequence.
pub(super) fn weigh_parts(layout: &Layout, parts: &Parts, node: Habit, sequence: Habit) -> Weight {
    let bits = |max: u64| u64::BITS - max.leading_zeros();
    let node = parts.node.map_or(0, |value| node.points(bits(layout.max_node()), value));
    let sequence = parts.sequence.map_or(0, |value| sequence.points(bits(layout.max_counter()), value));
    let evidence = match node + sequence {
        _ if sequence < 0 => Evidence::LARGE_SEQUENCE,
        6.. => Evidence::SMALL_PARTS,
        _ => Evidence::NONE,
    };
    Weight::of(node + sequence, evidence)
}
