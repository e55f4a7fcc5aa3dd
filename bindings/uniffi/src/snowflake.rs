//! Snowflake for Kotlin and Swift.

use crate::convert::{Given, clock, issuer};
use crate::error::{SaibanError, guard};
use crate::generator::generator;
use crate::parts::HasLayout;
use crate::{Interval, Layout, Lease, ManualClock, Rollback, Scope};
use saiban::AnyClock;
use saiban_coordination::Issuer;
use std::sync::Arc;

/// Makes Snowflake IDs: time, node, sequence. They sort by time, and tell it to anyone. Canonical text is decimal.
///
/// ```kotlin
/// val ids = Snowflake(node = 7)                // node 7, which no other machine has
/// val id = ids.generate()                      // Long
/// ids.inspect(id).node                         // 7
/// ```
/// ```swift
/// let ids = try Snowflake(node: 7)             // node 7, which no other machine has
/// let id = try ids.generate()                  // Int64
/// try ids.inspect(id).node                     // 7
/// ```
#[derive(uniffi::Object)]
pub struct Snowflake(Issuer<saiban::Snowflake<AnyClock>>);

generator!(Snowflake);

impl HasLayout for Snowflake {
    fn core_layout(&self) -> Option<&saiban::Layout> {
        Some(self.0.reader().layout())
    }
}

#[uniffi::export]
impl Snowflake {
    /// A generator for one node or a range of `nodes`, which no other machine has, of this layout (Twitter's by default: nodes
    /// 0 to 1023). The window is Unix milliseconds. Waits at most `max_wait_ms`: 2 ticks by default.
    ///
    /// - `lease`: whose nodes these are, in place of `node`, `nodes`, `window`, `not_before` and `state`; `NamespaceMismatch` for one of
    ///   other IDs, `LeaseLost` where it is over.
    /// - `not_before`: the time of the last ID known to be used for these nodes, Unix milliseconds; IDs begin with the tick
    ///   after it. Without it, on the system's clock and with scope `Process`, they begin with the tick after the one in which the
    ///   generator was made, so that a restart within a tick repeats nothing.
    /// - `state`: the path of a file that remembers which ticks were used: a clock that was set back while the program was
    ///   down repeats nothing either. It is locked as long as a generator uses it.
    /// - `rollback`: what happens when the clock steps back; by default `Bits` for a layout with a rollback field (see
    ///   `Layout.with_rollback_bits`), else `Hold`.
    /// - `shards`: how many parts a range of nodes is divided into, 1 by default. Threads are given one in turn and do not
    ///   contend; their IDs are ordered among each other by tick only.
    /// - `scope`: which generators of the same node share a cursor, so that none repeats another's ID; by default `Machine` where that can
    ///   be had, else `Process` (see `Stats.scope`).
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    ///
    /// Errors: `NodeRequired`, `NodeOutOfRange` (also for shards), `NodeInUse`; `InvalidLayout` for a layout without node or
    /// sequence, or the policy `Bits` without bits; `InvalidWindow`; `StateInUse`, `StateMismatch`, `StateUnavailable`;
    /// `InvalidArgument` for a negative wait or a jump below a second; `ClockBackward` where the clock is more than
    /// `max_jump_s` behind the last ID of this machine.
    #[uniffi::constructor(default(
        node = None, nodes = None, layout = None, window = None, not_before = None, state = None, rollback = None,
        shards = None, clock = None, max_jump_s = None, max_wait_ms = None, lease = None, scope = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "named arguments in Kotlin and Swift")]
    pub fn new(
        node: Option<i64>,
        nodes: Option<Interval>,
        layout: Option<Arc<Layout>>,
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
            let layout = layout.map_or(saiban::Layout::TWITTER, |layout| layout.to_core());
            let given =
                Given { node, nodes, window, not_before, state, rollback, shards, scope, max_jump_s, max_wait_ms };
            let clock = self::clock(clock);
            let build = move |options: &_| saiban::Snowflake::build(layout, options, clock.clone());
            Ok(Snowflake(issuer(lease, given, build)?))
        })
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time is Unix milliseconds, and 0
    /// to 999,999 nanoseconds after that, rounded down to the tick; the node need not be the generator's own. Only a layout with
    /// a rollback field has another `rollback` than 0: how often the clock had stepped back.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`, `RollbackOutOfRange`;
    /// `InvalidArgument` for nanoseconds that are none of a millisecond.
    #[uniffi::method(default(rollback = 0, submillisecond_ns = 0))]
    pub fn compose(
        &self,
        timestamp_ms: i64,
        node: i64,
        sequence: i64,
        rollback: i64,
        submillisecond_ns: i64,
    ) -> Result<i64, SaibanError> {
        guard(|| Ok(self.0.reader().compose_ns(timestamp_ms, submillisecond_ns, node, sequence, rollback)?))
    }
}
