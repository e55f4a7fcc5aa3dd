//! ULID for Kotlin and Swift.

use crate::convert::{Given, clock};
use crate::error::{SaibanError, guard};
use crate::wide::{WideGenerator, as_text, in_bytes, wide_generator};
use crate::{Interval, ManualClock, Natural, Rollback, TextRange, UuidValue};
use saiban::{AnyClock, PooledEntropy};
use std::sync::Arc;

/// Makes ULIDs: milliseconds, and 80 random bits that grow by one within a millisecond. They sort by time, and tell it to anyone. Text is 26
/// characters of Crockford's base32, upper case; any case is read, as the specification says, and `from_text` answers upper case.
///
/// ```kotlin
/// val ids = Ulid()
/// val id = ids.generate()                      // 01H455VB4PEX5VSKNK084SN02Q
/// ids.inspect(id).time                         // 2023-06-30T03:34:18.518Z
/// ```
/// ```swift
/// let ids = try Ulid()
/// let id = try ids.generate()                  // 01H455VB4PEX5VSKNK084SN02Q
/// try ids.inspect(id).time                     // 2023-06-30 03:34:18 +0000
/// ```
#[derive(uniffi::Object)]
pub struct Ulid(saiban::Ulid<AnyClock, PooledEntropy>);

as_text!(Ulid);
wide_generator!(Ulid, String, TextRange);
in_bytes!(Ulid, String);

#[uniffi::export]
impl Ulid {
    /// A generator. It needs no node: random bits keep generators apart. The window is Unix milliseconds. Waits at most
    /// `max_wait_ms`: 2 by default.
    ///
    /// - `not_before`: the time of the last ID known to be used, Unix milliseconds; IDs begin with the millisecond after it.
    ///   Without it, and on the system's clock, they begin with the millisecond after the one in which the generator was made.
    /// - `rollback`: what happens when the clock steps back, `Hold` by default, or `Error`.
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    ///
    /// Errors: `InvalidWindow`; `InvalidLayout` for the policy `Bits`; `InvalidArgument` for a negative wait or a jump below a
    /// second.
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
            Ok(Ulid(saiban::Ulid::build(&given.options()?, self::clock(clock), PooledEntropy)?))
        })
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time is Unix milliseconds, the
    /// random part has 80 bits.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `RandomOutOfRange`; `InvalidArgument` for a negative random part.
    pub fn compose(&self, timestamp_ms: i64, random: Natural) -> Result<String, SaibanError> {
        guard(|| self.id_of(self.0.compose(timestamp_ms, random.random()?)?))
    }

    /// The same 128 bits as a UUID: for a column of that type. It is one of no version.
    ///
    /// Errors: as of `inspect`.
    #[allow(clippy::wrong_self_convention, reason = "to_uuid and from_uuid are a pair")]
    pub fn to_uuid(&self, id: String) -> Result<UuidValue, SaibanError> {
        guard(|| self.number_of(id).map(UuidValue))
    }

    /// The ULID of the same 128 bits.
    #[allow(clippy::wrong_self_convention, reason = "to_uuid and from_uuid are a pair")]
    pub fn from_uuid(&self, uuid: UuidValue) -> Result<String, SaibanError> {
        guard(|| self.id_of(uuid.0))
    }
}
