//! Tick IDs for Kotlin and Swift.

use crate::convert::{Given, clock};
use crate::error::{SaibanError, guard};
use crate::wide::{WideGenerator, as_text, wide_generator};
use crate::{Interval, ManualClock, Rollback, TextRange};
use saiban::{AnyClock, PooledEntropy};
use std::sync::Arc;

/// Which tick IDs come first in a store that sorts by text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, uniffi::Enum)]
pub enum TickOrder {
    /// The oldest.
    Ascending,
    /// The newest.
    Descending,
}

impl From<TickOrder> for saiban::TickOrder {
    fn from(order: TickOrder) -> Self {
        match order {
            TickOrder::Ascending => saiban::TickOrder::Ascending,
            TickOrder::Descending => saiban::TickOrder::Descending,
        }
    }
}

/// Makes tick IDs: the time in ticks of 100 ns as text that sorts, oldest or newest first, and a few random digits. For key-value and table
/// stores, which must be asked to keep them unique: two processes make equal IDs in 1 of 10,000 cases of equal ticks (1 of 1000,
/// descending); generators of one process and order never have a tick in common. They tell their time to anyone.
///
/// ```kotlin
/// TickId(TickOrder.ASCENDING).generate()       // 0638996712000000000_0042
/// TickId(TickOrder.DESCENDING).generate()      // 8584375324854775807_042
/// ```
/// ```swift
/// try TickId(order: .ascending).generate()     // 0638996712000000000_0042
/// try TickId(order: .descending).generate()    // 8584375324854775807_042
/// ```
#[derive(uniffi::Object)]
pub struct TickId(saiban::TickId<AnyClock, PooledEntropy>);

as_text!(TickId);
wide_generator!(TickId, String, TextRange);

#[uniffi::export]
impl TickId {
    /// A generator of IDs in this order, ascending by default. It needs no node. The window is Unix milliseconds. Waits at most `max_wait_ms`.
    ///
    /// - `not_before`: the time of the last ID known to be used, Unix milliseconds; IDs begin with the millisecond after it.
    ///   Without it, and on the system's clock, they begin with the millisecond after the one in which the generator was made.
    /// - `rollback`: what happens when the clock steps back, `Hold` by default, or `Error`.
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    ///
    /// Errors: `InvalidWindow`; `InvalidLayout` for the policy `Bits`; `InvalidArgument` for a negative wait or a jump below a
    /// second.
    #[uniffi::constructor(default(
        order = None, window = None, not_before = None, rollback = None, clock = None, max_jump_s = None, max_wait_ms = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "named arguments in Kotlin and Swift")]
    pub fn new(
        order: Option<TickOrder>,
        window: Option<Interval>,
        not_before: Option<i64>,
        rollback: Option<Rollback>,
        clock: Option<Arc<ManualClock>>,
        max_jump_s: Option<i64>,
        max_wait_ms: Option<i64>,
    ) -> Result<Self, SaibanError> {
        guard(|| {
            let given = Given { window, not_before, rollback, max_jump_s, max_wait_ms, ..Given::default() };
            let (order, options) = (order.unwrap_or(TickOrder::Ascending), given.options()?);
            Ok(TickId(saiban::TickId::build(order.into(), &options, self::clock(clock), PooledEntropy)?))
        })
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time is Unix milliseconds, and 0
    /// to 999,999 nanoseconds after that, rounded down to 100; the random part has 4 decimal digits, descending 3.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `RandomOutOfRange`; `InvalidArgument` for nanoseconds that are none
    /// of a millisecond.
    #[uniffi::method(default(submillisecond_ns = 0))]
    pub fn compose(&self, timestamp_ms: i64, random: i64, submillisecond_ns: i64) -> Result<String, SaibanError> {
        guard(|| self.id_of(self.0.compose_ns(timestamp_ms, submillisecond_ns, random)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_of_core_has_a_case() {
        let ours = [TickOrder::Ascending, TickOrder::Descending];
        assert_eq!(ours.map(saiban::TickOrder::from), saiban::TickOrder::ALL);
    }
}
