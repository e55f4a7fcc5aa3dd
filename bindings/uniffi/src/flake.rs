//! Flake, IDs of any layout, for Kotlin and Swift.

use crate::convert::{Given, clock, issuer};
use crate::error::{Failure, SaibanError, guard};
use crate::generator::generator;
use crate::number::{id_from_bytes, id_to_bytes};
use crate::parts::HasLayout;
use crate::wide::{WideGenerator, wide_generator};
use crate::{BytesRange, Interval, Layout, Lease, ManualClock, Natural, Rollback, Scope};
use saiban::{AnyClock, PooledEntropy};
use saiban_coordination::Issuer;
use std::sync::Arc;

/// Makes IDs of a layout of your own, of up to 64 bits: the fields that you choose, in the order that you choose. Canonical text is
/// decimal. `Layout` tells how long it lasts, how many IDs it holds, and how likely two are equal.
///
/// ```kotlin
/// val layout = Layout.fromText("unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12")
/// val ids = Flake(layout, node = 7)            // node 7, which no other machine has
/// val id = ids.generate()                      // Long
/// ids.inspect(id).node                         // 7
/// ```
/// ```swift
/// let layout = try Layout.fromText("unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12")
/// let ids = try Flake(layout: layout, node: 7) // node 7, which no other machine has
/// let id = try ids.generate()                  // Int64
/// try ids.inspect(id).node                     // 7
/// ```
#[derive(uniffi::Object)]
pub struct Flake(Issuer<saiban::Flake<AnyClock, PooledEntropy>>);

generator!(Flake);

impl HasLayout for Flake {
    fn core_layout(&self) -> Option<&saiban::Layout> {
        Some(self.0.reader().layout())
    }
}

#[uniffi::export]
impl Flake {
    /// A generator of this layout, of up to 64 bits: for one node or a range of `nodes`, which no other machine has, where the
    /// layout has a node. Without one all generators of the scope count together. The window is Unix milliseconds. Waits at
    /// most `max_wait_ms`: 2 ticks by default.
    ///
    /// - `lease`: whose nodes these are, in place of `node`, `nodes`, `window`, `not_before` and `state`; `NamespaceMismatch` for one of
    ///   other IDs, `LeaseLost` where it is over.
    /// - `not_before`: the time of the last ID known to be used for these nodes, Unix milliseconds; IDs begin with the tick
    ///   after it. Without it, on the system's clock and with scope `Process`, they begin with the tick after the one in which the
    ///   generator was made, so that a restart within a tick repeats nothing.
    /// - `state`: the path of a file that remembers which ticks were used: a clock that was set back while the program was
    ///   down repeats nothing either. It is locked as long as a generator uses it.
    /// - `rollback`: what happens when the clock steps back; by default `Bits` for a layout with a rollback field, else `Hold`.
    /// - `shards`: how many parts a range of nodes is divided into, 1 by default. Threads are given one in turn and do not
    ///   contend; their IDs are ordered among each other by tick only.
    /// - `scope`: which generators of the same node share a cursor, so that none repeats another's ID; by default `Machine` where that can
    ///   be had, else `Process` (see `Stats.scope`).
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
    ///
    /// Errors: `InvalidLayout` for one of more than 64 bits, which `WideFlake` takes, or the policy `Bits` without bits;
    /// `NodeRequired`, `NodeOutOfRange` (also for shards), `NodeInUse`; `InvalidWindow`; `StateInUse`, `StateMismatch`,
    /// `StateUnavailable`; `InvalidArgument` for a node of a layout without, a negative wait or a jump below a second;
    /// `ClockBackward` where the clock is more than `max_jump_s` behind the last ID of this machine.
    #[uniffi::constructor(default(
        node = None, nodes = None, window = None, not_before = None, state = None, rollback = None, shards = None,
        clock = None, max_jump_s = None, max_wait_ms = None, lease = None, scope = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "named arguments in Kotlin and Swift")]
    pub fn new(
        layout: Arc<Layout>,
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
            let given =
                Given { node, nodes, window, not_before, state, rollback, shards, scope, max_jump_s, max_wait_ms };
            let (layout, clock) = (layout.to_core(), self::clock(clock));
            let build = move |options: &_| saiban::Flake::build(layout, options, clock.clone(), PooledEntropy);
            Ok(Flake(issuer(lease, given, build)?))
        })
    }

    /// The layout of its IDs.
    pub fn layout(&self) -> Arc<Layout> {
        Arc::new(Layout::of(*self.0.reader().layout()))
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time is Unix milliseconds, and 0
    /// to 999,999 nanoseconds after that, rounded down to the tick; the node need not be the generator's own. A part that the layout has not is 0.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`, `RandomOutOfRange`,
    /// `RollbackOutOfRange`; `InvalidArgument` for a negative sequence or random part, and for nanoseconds that are none of a
    /// millisecond.
    #[uniffi::method(default(node = 0, sequence = 0, random = 0, rollback = 0, submillisecond_ns = 0))]
    pub fn compose(
        &self,
        timestamp_ms: i64,
        node: i64,
        sequence: i64,
        random: i64,
        rollback: i64,
        submillisecond_ns: i64,
    ) -> Result<i64, SaibanError> {
        guard(|| {
            let (counter, random) = counter_and_random(self.0.reader().layout(), sequence.into(), random.into())?;
            Ok(self.0.reader().compose_ns(timestamp_ms, submillisecond_ns, node, counter, rollback, random)?)
        })
    }
}

/// Makes IDs of a layout of your own, of 65 to 128 bits: bytes, the highest first, as many as the layout's bits need. Canonical text is
/// decimal.
///
/// ```kotlin
/// val ids = WideFlake(Layout.fromText("timestamp:48 node:16 sequence:16 random:48"), node = 7)
/// val id = ids.generate()                      // ByteArray of 16
/// ```
/// ```swift
/// let ids = try WideFlake(layout: .fromText("timestamp:48 node:16 sequence:16 random:48"), node: 7)
/// let id = try ids.generate()                  // Data of 16 bytes
/// ```
#[derive(uniffi::Object)]
pub struct WideFlake(Issuer<saiban::WideFlake<AnyClock, PooledEntropy>>);

/// What its IDs cross as.
type Bytes = Vec<u8>;

impl WideGenerator for WideFlake {
    type Core = Issuer<saiban::WideFlake<AnyClock, PooledEntropy>>;
    type Id = Bytes;

    fn core(&self) -> &Self::Core {
        &self.0
    }

    fn id_of(&self, id: u128) -> Result<Bytes, Failure> {
        Ok(id_to_bytes(id, self.0.reader().layout().size_bits()))
    }

    fn number_of(&self, id: Bytes) -> Result<u128, Failure> {
        id_from_bytes(&id, self.0.reader().layout().size_bits())
    }

    fn explain(&self, error: saiban::Error) -> Failure {
        self.0.explain(error).into()
    }

    fn core_layout(&self) -> Option<&saiban::Layout> {
        Some(self.0.reader().layout())
    }
}

wide_generator!(WideFlake, Bytes, BytesRange);

#[uniffi::export]
impl WideFlake {
    /// A generator of this layout, of more than 64 bits. The rest is as of `Flake`.
    ///
    /// Errors: `InvalidLayout` for one of up to 64 bits, which `Flake` takes; else as of `Flake`.
    #[uniffi::constructor(default(
        node = None, nodes = None, window = None, not_before = None, state = None, rollback = None, shards = None,
        clock = None, max_jump_s = None, max_wait_ms = None, lease = None, scope = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "named arguments in Kotlin and Swift")]
    pub fn new(
        layout: Arc<Layout>,
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
            let given =
                Given { node, nodes, window, not_before, state, rollback, shards, scope, max_jump_s, max_wait_ms };
            let (layout, clock) = (layout.to_core(), self::clock(clock));
            let build = move |options: &_| saiban::WideFlake::build(layout, options, clock.clone(), PooledEntropy);
            Ok(WideFlake(issuer(lease, given, build)?))
        })
    }

    /// The layout of its IDs.
    pub fn layout(&self) -> Arc<Layout> {
        Arc::new(Layout::of(*self.0.reader().layout()))
    }

    /// As `generate_up_to`, with the bytes of all IDs one after the other. `fill` writes them into a buffer.
    ///
    /// Errors: as `generate_up_to`.
    pub fn generate_bytes_up_to(&self, count: i64) -> Result<Bytes, SaibanError> {
        guard(|| self.make_bytes_up_to(count))
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time is Unix milliseconds, and 0
    /// to 999,999 nanoseconds after that, rounded down to the tick; the node need not be the generator's own. A part that the layout has not is left out, or 0.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`, `RandomOutOfRange`,
    /// `RollbackOutOfRange`; `InvalidArgument` for a negative sequence or random part, and for nanoseconds that are none of a
    /// millisecond.
    #[uniffi::method(default(node = 0, sequence = None, random = None, rollback = 0, submillisecond_ns = 0))]
    pub fn compose(
        &self,
        timestamp_ms: i64,
        node: i64,
        sequence: Option<Natural>,
        random: Option<Natural>,
        rollback: i64,
        submillisecond_ns: i64,
    ) -> Result<Bytes, SaibanError> {
        guard(|| {
            let [sequence, random] = [sequence, random].map(|part| part.unwrap_or(Natural::Of(0)));
            let (counter, random) = counter_and_random(self.0.reader().layout(), sequence, random)?;
            self.id_of(self.0.reader().compose_ns(timestamp_ms, submillisecond_ns, node, counter, rollback, random)?)
        })
    }
}

/// What a user gives for both, which may be negative, as the layout takes it.
fn counter_and_random(layout: &saiban::Layout, sequence: Natural, random: Natural) -> Result<(u128, u128), Failure> {
    let (sequence, random) = (sequence.get("sequence is negative: give 0 or more")?, random.random()?);
    Ok(layout.counter_and_random(sequence, random)?)
}
