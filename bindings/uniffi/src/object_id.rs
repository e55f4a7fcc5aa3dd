//! ObjectId for Kotlin and Swift.

use crate::convert::{Given, clock};
use crate::error::{SaibanError, guard};
use crate::wide::{WideGenerator, as_text, in_bytes, wide_generator};
use crate::{Interval, ManualClock, Rollback, TextRange};
use saiban::{AnyClock, PooledEntropy};
use std::sync::Arc;

/// Makes ObjectIds that MongoDB and its drivers take as their own: seconds, 40 bits that each generator draws for itself, and a counter,
/// which begins each second with a number that the generator drew (drivers count on over seconds). They sort by second, and
/// tell it to anyone. Text is 24 hexadecimal digits.
///
/// ```kotlin
/// val ids = ObjectId()
/// val id = ids.generate()                      // 6740e5c04f1d9a0b7c3e2a18
/// ids.inspect(id).sequence                     // the counter: 4074008
/// ```
/// ```swift
/// let ids = try ObjectId()
/// let id = try ids.generate()                  // 6740e5c04f1d9a0b7c3e2a18
/// try ids.inspect(id).sequence                 // the counter: 4074008
/// ```
#[derive(uniffi::Object)]
pub struct ObjectId(saiban::ObjectId<AnyClock, PooledEntropy>);

as_text!(ObjectId);
wide_generator!(ObjectId, String, TextRange);
in_bytes!(ObjectId, String);

#[uniffi::export]
impl ObjectId {
    /// A generator. It needs no node: it draws one for itself. The window is Unix seconds. Waits at most `max_wait_ms`: 2000 by
    /// default. At most 16777216 IDs a second.
    ///
    /// - `not_before`: the time of the last ID known to be used, Unix seconds; IDs begin with the second after it.
    ///   Without it, and on the system's clock, they begin with the second after the one in which the generator was made.
    /// - `rollback`: what happens when the clock steps back, `Hold` by default, or `Error`.
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    ///
    /// Errors: `InvalidWindow`; `InvalidLayout` for the policy `Bits`; `EntropyUnavailable`; `InvalidArgument` for a negative
    /// wait or a jump below a second.
    #[uniffi::constructor(default(
        window = None, not_before = None, rollback = None, clock = None, max_jump_s = None, max_wait_ms = None
    ))]
    pub fn new(
        window: Option<Interval>,
        not_before: Option<i64>,
        rollback: Option<Rollback>,
        clock: Option<Arc<ManualClock>>,
        max_jump_s: Option<i64>,
        max_wait_ms: Option<i64>,
    ) -> Result<Self, SaibanError> {
        guard(|| {
            let given = Given { window, not_before, rollback, max_jump_s, max_wait_ms, ..Given::default() };
            Ok(ObjectId(saiban::ObjectId::build(&given.options()?, self::clock(clock), PooledEntropy)?))
        })
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time is Unix milliseconds,
    /// rounded down to the second; the node, which generators draw, has 40 bits, the sequence (the counter) 24.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`.
    pub fn compose(&self, timestamp_ms: i64, node: i64, sequence: i64) -> Result<String, SaibanError> {
        guard(|| self.id_of(self.0.compose(timestamp_ms, node, sequence)?))
    }
}
