//! Scores candidates in points. One point more means twice as likely.
//!
//! The criteria, in the order of their weight:
//!
//! - the form of the text, and version bits
//! - the time: whether IDs of the format existed then
//! - the number of IDs that the format can have so far: the fewer, the more a match means

use super::formats::Habit;
use super::reason::Evidence;
use super::units::{MS_PER_DAY, MS_PER_YEAR};
use crate::id::Parts;
use crate::layout::Layout;

/// Points for a layout of the user.
pub(super) const GIVEN: i32 = 30;
/// Points for a number in an encoding that is neither its scheme's nor decimal. The result is lower
/// than any score of text in its own form, so such candidates never displace others.
pub(super) const OTHER_ENCODING: i32 = -150;
/// Points for letters of both cases in an encoding where the case has no meaning. Encoders use one
/// case.
pub(super) const MIXED_CASE: i32 = -20;
/// Points for a wide ID as a decimal number.
pub(super) const WIDE_DECIMAL: i32 = -20;
/// Points for a time before the format existed or in the future. Each doubling of the years takes
/// one more point.
const WRONG_TIME: i32 = -25;
/// Points for the first day after the epoch of a known layout, where all small numbers lie. Hardly
/// any ID is from this day.
pub(super) const FIRST_DAY: i32 = -40;
/// Points for the first day after an epoch that the user passed.
pub(super) const FIRST_DAY_OF_GIVEN_EPOCH: i32 = -20;
/// The age of an epoch up to which its first day has no effect: there may be no IDs of later days.
const LATELY_MS: i64 = 30 * MS_PER_DAY;

/// The time in which IDs of a format are made.
#[derive(Clone, Copy)]
pub(super) struct Life {
    pub(super) since_ms: i64,
    /// The epoch, and the points for the first day after it. `None` if small numbers have no times
    /// near an epoch.
    pub(super) first_day: Option<(i64, i32)>,
    /// Whether few IDs were made in the first year.
    pub(super) grew: bool,
}

impl Life {
    /// Returns the life of a format that has existed since `since_ms`.
    pub(super) const fn since(since_ms: i64) -> Self {
        Life { since_ms, first_day: None, grew: false }
    }
}

/// The points of a candidate, and the reasons for them.
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

    /// Returns whether IDs of the format existed at the time. If not, the other parts do not count.
    pub(super) const fn is_plausible(&self) -> bool {
        self.evidence.has(Evidence::TIME_PLAUSIBLE)
    }
}

/// Weighs the time. A time at which IDs of the format existed has 0 points, or fewer in the first
/// year of the format.
pub(super) fn weigh_time(now_ms: i64, timestamp_ms: i64, life: Life) -> Weight {
    let years = |ms: i64| ((ms / MS_PER_YEAR).unsigned_abs() + 1).ilog2().min(14) as i32;
    let age_ms = now_ms.saturating_sub(timestamp_ms);
    // Clocks differ: up to a day in the future counts as the present.
    if age_ms < -MS_PER_DAY {
        return Weight::of(WRONG_TIME - years(age_ms), Evidence::TIME_FUTURE);
    }
    if timestamp_ms < life.since_ms {
        let before_ms = life.since_ms.saturating_sub(timestamp_ms);
        return Weight::of(WRONG_TIME - years(before_ms), Evidence::TIME_BEFORE_FORMAT);
    }
    if let Some((epoch_ms, points)) = life.first_day {
        let is_new = now_ms.saturating_sub(epoch_ms) < LATELY_MS;
        if timestamp_ms.saturating_sub(epoch_ms) < MS_PER_DAY && !is_new {
            return Weight::of(points, Evidence::TIME_NEAR_EPOCH);
        }
    }
    if life.grew && timestamp_ms.saturating_sub(life.since_ms) < MS_PER_YEAR {
        // This assumes that the number of IDs per year has grown linearly since then.
        let lifetime = years(now_ms.saturating_sub(life.since_ms));
        return Weight::of(-lifetime, Evidence::TIME_PLAUSIBLE.and(Evidence::TIME_EARLY));
    }
    Weight::of(0, Evidence::TIME_PLAUSIBLE)
}

/// Weighs the number of IDs that a format can have since `since_ms`, relative to all numbers of its
/// width.
pub(super) fn weigh_scarcity(now_ms: i64, layout: &Layout, since_ms: i64) -> i32 {
    let bits = |max: u128| (u128::BITS - max.leading_zeros()) as i32;
    let beside_time = bits(layout.max_node().into())
        + bits(layout.max_counter_wide())
        + bits(layout.max_rollback().into())
        + bits(layout.max_random());
    let lived_ns = i128::from(now_ms.saturating_sub(since_ms)).max(0).unsigned_abs() * 1_000_000;
    let ticks = (lived_ns / u128::from(layout.tick_ns())).max(1);
    layout.size_bits() as i32 - beside_time - ticks.ilog2() as i32
}

/// Weighs the node and the sequence.
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
