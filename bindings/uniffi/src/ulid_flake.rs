//! Ulid-Flake for Kotlin and Swift.

use crate::convert::{Given, clock, issuer};
use crate::error::{SaibanError, guard};
use crate::generator::generator;
use crate::parts::HasLayout;
use crate::{Interval, Lease, ManualClock, Rollback, Scope};
use saiban::{AnyClock, PooledEntropy, UlidFlakeFormat};
use saiban_coordination::Issuer;
use std::sync::Arc;

/// Makes Ulid-Flake IDs: time, and a random part that grows within a millisecond. Stand-alone they are unique within their scope, scalable
/// ones also between up to 32. Canonical text is 13 characters of Crockford's base32; any case is read, as their specification says.
///
/// ```kotlin
/// val ids = UlidFlake(scalability = 3)         // or UlidFlake(), stand-alone
/// ids.generateText()                           // 00CMXB6TAK4SA
/// ```
/// ```swift
/// let ids = try UlidFlake(scalability: 3)      // or UlidFlake(), stand-alone
/// try ids.generateText()                       // 00CMXB6TAK4SA
/// ```
#[derive(uniffi::Object)]
pub struct UlidFlake(Issuer<saiban::UlidFlake<AnyClock>>);

generator!(UlidFlake);

impl HasLayout for UlidFlake {}

#[uniffi::export]
impl UlidFlake {
    /// A generator: stand-alone, or scalable with this scalability id, 0 to 31. Within a millisecond IDs grow by a random
    /// number of `entropy_size` bytes: 1 to 3, scalable 1 to 2. The epoch is Unix milliseconds (2024-01-01 by default), and
    /// so is the window. Waits at most `max_wait_ms`: 2 by default. `allow_collisions` lets a process made by fork go on with
    /// its parent's generator or id: random bits do not keep two processes apart, and a few of their IDs will be equal.
    ///
    /// - `lease`: whose scalability id this is, in place of `scalability`, `window`, `not_before` and `state`; it allows no
    ///   collisions. `NamespaceMismatch` for one of other IDs, `LeaseLost` where it is over.
    /// - `not_before`: the time of the last ID known to be used for this id, Unix milliseconds; IDs begin with the millisecond
    ///   after it. Without it, on the system's clock and with scope `Process`, they begin with the millisecond after the one in
    ///   which the generator was made, so that a restart within it repeats nothing.
    /// - `state`: the path of a file that remembers which milliseconds were used: a clock that was set back while the program
    ///   was down repeats nothing either. It is locked as long as a generator uses it.
    /// - `rollback`: what happens when the clock steps back, `Hold` by default, or `Error`.
    /// - `scope`: which generators of the same scalability id share a cursor, so that none repeats another's ID; by default `Machine`
    ///   where that can be had, else `Process` (see `Stats.scope`).
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    ///
    /// Errors: `NodeOutOfRange` for the scalability id, `NodeInUse`; `InvalidEntropySize`; `InvalidLayout` for an epoch too
    /// far away or the policy `Bits`; `InvalidWindow`; `StateInUse`, `StateMismatch`, `StateUnavailable`; `InvalidArgument`
    /// for a negative wait or a jump below a second; `ClockBackward` where the clock is more than `max_jump_s` behind the last ID of this
    /// machine.
    #[uniffi::constructor(default(
        scalability = None, entropy_size = None, epoch_ms = None, window = None, not_before = None, state = None,
        rollback = None, clock = None, max_jump_s = None, max_wait_ms = None, allow_collisions = false,
        lease = None, scope = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "named arguments in Kotlin and Swift")]
    pub fn new(
        scalability: Option<i64>,
        entropy_size: Option<i64>,
        epoch_ms: Option<i64>,
        window: Option<Interval>,
        not_before: Option<i64>,
        state: Option<String>,
        rollback: Option<Rollback>,
        clock: Option<Arc<ManualClock>>,
        max_jump_s: Option<i64>,
        max_wait_ms: Option<i64>,
        allow_collisions: bool,
        lease: Option<Arc<Lease>>,
        scope: Option<Scope>,
    ) -> Result<Self, SaibanError> {
        guard(|| {
            let by_default = UlidFlakeFormat::default();
            let format = UlidFlakeFormat {
                scalability,
                entropy_size: entropy_size.unwrap_or(by_default.entropy_size),
                epoch_ms: epoch_ms.unwrap_or(by_default.epoch_ms),
                allow_collisions,
            };
            let given =
                Given { window, not_before, state, rollback, scope, max_jump_s, max_wait_ms, ..Given::default() };
            let clock = self::clock(clock);
            let build = move |options: &_| saiban::UlidFlake::build(format, options, clock.clone(), PooledEntropy);
            Ok(UlidFlake(issuer(lease, given, build)?))
        })
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time is Unix milliseconds. Only
    /// scalable IDs have a scalability id: the generator's own when none is given.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `RandomOutOfRange`, `NodeOutOfRange`.
    #[uniffi::method(default(scalability = None))]
    pub fn compose(&self, timestamp_ms: i64, random: i64, scalability: Option<i64>) -> Result<i64, SaibanError> {
        guard(|| Ok(self.0.reader().compose(timestamp_ms, random, scalability)?))
    }
}
