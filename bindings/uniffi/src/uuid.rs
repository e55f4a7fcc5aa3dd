//! UUIDs for Kotlin and Swift.

use crate::convert::{Given, clock};
use crate::error::{Failure, SaibanError, guard};
use crate::number::id_from_bytes;
use crate::wide::{WideGenerator, in_bytes, wide_generator};
use crate::{Interval, ManualClock, Natural, Rollback, UuidRange, UuidValue};
use saiban::generator::UuidParts;
use saiban::{AnyClock, PooledEntropy};
use std::sync::Arc;

/// Makes UUIDs of version 1, 4 or 7 of RFC 9562, in the language's own type. Version 7 is the one for keys: milliseconds, and 74 random bits that
/// grow by a random step within a millisecond, so that a generator's IDs sort in the order in which they were made. Version 4 is
/// random only.
///
/// ```kotlin
/// val ids = Uuid(7)
/// val id = ids.generate()                      // java.util.UUID
/// ids.inspect(id).time                         // 2022-02-22T19:22:22Z
/// ```
/// ```swift
/// let ids = try Uuid(version: 7)
/// let id = try ids.generate()                  // Foundation's UUID
/// try ids.inspect(id).time                     // 2022-02-22 19:22:22 +0000
/// ```
#[derive(uniffi::Object)]
pub struct Uuid(saiban::Uuid<AnyClock, PooledEntropy>);

impl WideGenerator for Uuid {
    type Core = saiban::Uuid<AnyClock, PooledEntropy>;
    type Id = UuidValue;

    fn core(&self) -> &Self::Core {
        &self.0
    }

    fn id_of(&self, id: u128) -> Result<UuidValue, Failure> {
        Ok(UuidValue(id))
    }

    fn number_of(&self, id: UuidValue) -> Result<u128, Failure> {
        Ok(id.0)
    }
}

wide_generator!(Uuid, UuidValue, UuidRange);
in_bytes!(Uuid, UuidValue);

#[uniffi::export]
impl Uuid {
    /// A generator of this version: 1, 4 or 7. It needs no node: random bits keep generators apart. The window is Unix
    /// milliseconds. Waits at most `max_wait_ms`: 2 by default. Version 4 has no time, and takes none of the options but the clock, which it does not read.
    ///
    /// - `not_before`: the time of the last ID known to be used, Unix milliseconds; IDs begin with the millisecond after it.
    ///   Without it, and on the system's clock, they begin with the millisecond after the one in which the generator was made.
    /// - `rollback`: what happens when the clock steps back, `Hold` by default, or `Error`.
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    ///
    /// Errors: `InvalidArgument` for another version, an option of version 4, a negative wait or a jump below a second;
    /// `InvalidWindow`; `InvalidLayout` for the policy `Bits`; `EntropyUnavailable`.
    #[uniffi::constructor(default(
        window = None, not_before = None, rollback = None, clock = None, max_jump_s = None, max_wait_ms = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "named arguments in Kotlin and Swift")]
    pub fn new(
        version: i64,
        window: Option<Interval>,
        not_before: Option<i64>,
        rollback: Option<Rollback>,
        clock: Option<Arc<ManualClock>>,
        max_jump_s: Option<i64>,
        max_wait_ms: Option<i64>,
    ) -> Result<Self, SaibanError> {
        guard(|| {
            let given = Given { window, not_before, rollback, max_jump_s, max_wait_ms, ..Given::default() };
            Ok(Uuid(saiban::Uuid::build(version, &given.options()?, self::clock(clock), PooledEntropy)?))
        })
    }

    /// The version: 1, 4 or 7.
    pub fn version(&self) -> i32 {
        self.0.version() as i32
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. Version 7 takes a time, Unix
    /// milliseconds, and 74 random bits; version 4 takes 122 random bits; version 1 a time, a clock sequence of 14 bits and a
    /// node of 48. `submillisecond_ns` are 0 to 999,999 nanoseconds after a time, which is rounded down to the tick: a
    /// millisecond, of version 1 100 ns.
    ///
    /// Errors: `InvalidArgument` for a part that is missing, or that the version has not; `TimestampBeforeEpoch`,
    /// `TimestampOverflow`, `RandomOutOfRange`, `SequenceOutOfRange`, `NodeOutOfRange`.
    #[uniffi::method(default(
        timestamp_ms = None, random = None, clock_sequence = None, node = None, submillisecond_ns = None
    ))]
    pub fn compose(
        &self,
        timestamp_ms: Option<i64>,
        random: Option<Natural>,
        clock_sequence: Option<i64>,
        node: Option<i64>,
        submillisecond_ns: Option<i64>,
    ) -> Result<UuidValue, SaibanError> {
        guard(|| {
            let random = random.map(Natural::random).transpose()?;
            let parts = UuidParts { timestamp_ms, submillisecond_ns, random, clock_sequence, node };
            self.id_of(self.0.compose(&parts)?)
        })
    }
}

/// The 16 bytes of a UUID as Microsoft's `GUID` lies in memory: of the first three groups the lowest byte first.
#[uniffi::export]
#[must_use]
pub fn uuid_to_guid_bytes(uuid: UuidValue) -> Vec<u8> {
    saiban::encoding::uuid_to_guid_bytes(uuid.0).into()
}

/// The UUID of these 16 bytes of a Microsoft `GUID`.
///
/// Errors: `InvalidArgument` for another number of bytes.
#[uniffi::export]
pub fn uuid_from_guid_bytes(bytes: Vec<u8>) -> Result<UuidValue, SaibanError> {
    guard(|| {
        let bytes = id_from_bytes(&bytes, u128::BITS)?.to_be_bytes();
        Ok(UuidValue(saiban::encoding::uuid_from_guid_bytes(bytes)))
    })
}
