//! Randflake for Kotlin and Swift.

use crate::convert::{Given, clock, issuer};
use crate::error::{SaibanError, guard};
use crate::generator::generator;
use crate::parts::HasLayout;
use crate::{Interval, Lease, ManualClock, Rollback, Scope};
use saiban::{AnyClock, Secret};
use saiban_coordination::Issuer;
use std::sync::Arc;
use zeroize::Zeroizing;

/// Makes Randflake IDs: time, node and sequence, encrypted under a secret, so that they tell nothing to who does not have it. Half of all
/// IDs are negative. Canonical text is base32hex. An ID is neither a token nor access control: always authorise.
///
/// ```kotlin
/// val ids = Randflake(secret = secret, node = 42)      // 16 bytes, the same on every machine
/// val text = ids.generateText()                        // 3vgoe12ccb8gh
/// ids.inspect(text).time                               // only with the secret
/// ```
/// ```swift
/// let ids = try Randflake(secret: secret, node: 42)    // 16 bytes, the same on every machine
/// let text = try ids.generateText()                    // 3vgoe12ccb8gh
/// try ids.inspect(text).time                           // only with the secret
/// ```
#[derive(uniffi::Object)]
pub struct Randflake(Issuer<saiban::Randflake<AnyClock>>);

generator!(Randflake);

impl HasLayout for Randflake {}

#[uniffi::export]
impl Randflake {
    /// A generator under this secret (16 bytes) for one node, 0 to 131071, or a range of `nodes`, which no other machine has.
    /// The window is Unix **seconds**. Waits at most `max_wait_ms`: 2 s by default. saiban wipes its copies of the secret, but not the buffer
    /// in which UniFFI hands it over.
    ///
    /// - `lease`: whose nodes these are, in place of `node`, `nodes`, `window`, `not_before` and `state`; `NamespaceMismatch` for one of
    ///   other IDs, `LeaseLost` where it is over.
    /// - `not_before`: the time of the last ID known to be used for these nodes, Unix **seconds**; IDs begin with the second
    ///   after it. Without it, on the system's clock and with scope `Process`, they begin with the second after the one in which
    ///   the generator was made, so that a restart within a second repeats nothing: the first ID may wait that long.
    /// - `state`: the path of a file that remembers which seconds were used: a clock that was set back while the program was
    ///   down repeats nothing either. It is locked as long as a generator uses it.
    /// - `rollback`: what happens when the clock steps back, `Hold` by default, or `Error`.
    /// - `shards`: how many parts a range of nodes is divided into, 1 by default. Threads are given one in turn and do not
    ///   contend.
    /// - `scope`: which generators of the same node share a cursor, so that none repeats another's ID; by default `Machine` where that can
    ///   be had, else `Process` (see `Stats.scope`).
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    ///
    /// Errors: `InvalidSecret`; `NodeRequired`, `NodeOutOfRange` (also for shards), `NodeInUse`; `InvalidWindow`;
    /// `InvalidLayout` for the policy `Bits`; `StateInUse`, `StateMismatch`, `StateUnavailable`; `InvalidArgument` for a
    /// negative wait or a jump below a second; `ClockBackward` where the clock is more than
    /// `max_jump_s` behind the last ID of this machine.
    #[uniffi::constructor(default(
        node = None, nodes = None, window = None, not_before = None, state = None, rollback = None, shards = None,
        clock = None, max_jump_s = None, max_wait_ms = None, lease = None, scope = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "named arguments in Kotlin and Swift")]
    pub fn new(
        secret: Vec<u8>,
        node: Option<i64>,
        nodes: Option<Interval>,
        window: Option<Interval>,
        not_before: Option<i64>,
        state: Option<String>,
        rollback: Option<Rollback>,
        shards: Option<i64>,
        clock: Option<Arc<ManualClock>>,
        max_jump_s: Option<i64>,
        max_wait_ms: Option<i64>,
        lease: Option<Arc<Lease>>,
        scope: Option<Scope>,
    ) -> Result<Self, SaibanError> {
        guard(|| {
            let secret = Secret::from_slice(&Zeroizing::new(secret))?;
            let given =
                Given { node, nodes, window, not_before, state, rollback, shards, scope, max_jump_s, max_wait_ms };
            let clock = self::clock(clock);
            let build = move |options: &_| saiban::Randflake::build(&secret, options, clock.clone());
            Ok(Randflake(issuer(lease, given, build)?))
        })
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time is Unix milliseconds,
    /// rounded down to the second; the node need not be the generator's own.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`.
    pub fn compose(&self, timestamp_ms: i64, node: i64, sequence: i64) -> Result<i64, SaibanError> {
        guard(|| Ok(self.0.reader().compose(timestamp_ms, node, sequence)?))
    }
}
