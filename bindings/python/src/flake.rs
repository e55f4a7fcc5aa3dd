//! Flake: IDs of any layout.

use crate::arguments::{Given, Maybe, int, maybe_random, wide, wrong_type};
use crate::clock::clock;
use crate::error::{Result, guard};
use crate::field::node;
use crate::form::Number;
use crate::generator::{Generator, repr};
use crate::held::{Held, Issued};
use crate::layout::Layout;
use crate::lease::maybe_lease;
use crate::time::{Moment, moment};
use pyo3::prelude::*;
use saiban::{AnyClock, Options, PooledEntropy};

/// Makes IDs of a layout of your own, of 16 to 128 bits: integers, those of more than 64 bits never negative.
///
/// layout: what the bits are; see Layout.from_text.
/// node: a node that no other machine has, or nodes: a range of them; for a layout with a node field.
/// lease: a Lease for this layout, in place of node, nodes, window, not_before and state: IDs are of its nodes and
/// time.
/// window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
/// not_before: the time of the last ID known to be used for these nodes, Unix milliseconds; IDs begin with
/// the tick after it. Without it, on the system's clock and with scope "process", they begin with the tick after
/// the one in which the generator was built, so that a restart within a tick repeats nothing.
/// state: the path of a file that remembers which ticks were used: a clock that was set back while the
/// program was down repeats nothing either. Locked (PATH.lock) as long as a generator uses it.
/// rollback: what happens when the clock steps back. "hold": goes on in the tick it has reached, then waits;
/// "error": ClockBackwardError at once; "bits": counts the step in the layout's rollback field and goes on.
/// By default "bits" for a layout with such a field, else "hold".
/// shards: how many parts a range of nodes is divided into, 1 by default. Threads are given one in turn and
/// do not contend; their IDs are ordered among each other by tick only.
/// scope: which generators of the same node share a cursor, so that none repeats another's ID: "machine", those of
/// all processes of this user on this machine, also restarted and forked ones; "process", those of this process.
/// By default "machine" where that can be had, else "process" (see Stats.scope): it needs Linux or macOS, the
/// system's clock, a layout whose time, node and sequence have 63 bits or fewer together, and of a lease a store that
/// other processes use too.
/// clock: a ManualClock, for tests. Generators with one share no cursor.
/// max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
/// max_wait_ms: the longest wait for an ID; by default 2 ticks.
///
/// What IDs promise depends on the layout (see Stats.guarantee): with a node and a sequence, or a random part that
/// grows, they are unique; without a node within the scope; with a random part only it is Layout.collision_odds
/// that tells.
///
/// Raises NodeRequiredError, NodeOutOfRangeError, NodeInUseError, InvalidWindowError, UnknownNameError,
/// InvalidLayoutError; InvalidArgumentError for a node of a layout without; for the state file StateInUseError; for
/// that and for scope "machine" StateMismatchError, StateUnavailableError; ClockBackwardError where the clock is more
/// than max_jump_s behind the last ID of this machine.
///
/// >>> import saiban
/// >>> layout = saiban.Layout.from_text("timestamp:48 node.region:4 node.host:12 sequence:16 random:16")
/// >>> ids = saiban.Flake(layout, node=layout.node_of_parts({"region": 2, "host": 7}))
/// >>> ids.inspect(ids.generate()).node_parts
/// {'region': 2, 'host': 7}
#[pyclass(frozen, extends = Generator, module = "saiban")]
pub struct Flake(Width);

/// IDs of up to 64 bits, or wider ones.
enum Width {
    Narrow(Issued<saiban::Flake<AnyClock, PooledEntropy>>),
    Wide(Issued<saiban::WideFlake<AnyClock, PooledEntropy>>),
}

impl Flake {
    fn core_layout(&self) -> &saiban::Layout {
        match &self.0 {
            Width::Narrow(ids) => ids.reader().layout(),
            Width::Wide(ids) => ids.reader().layout(),
        }
    }
}

#[pymethods]
impl Flake {
    #[new]
    #[pyo3(signature = (layout, *, node=None, nodes=None, lease=None, window=None, not_before=None, state=None, rollback=None, shards=None, scope=None, clock=None, max_jump_s=None, max_wait_ms=None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new<'py>(
        py: Python<'py>,
        layout: &Bound<'py, PyAny>,
        node: Maybe<'_, 'py>,
        nodes: Maybe<'_, 'py>,
        lease: Maybe<'_, 'py>,
        window: Maybe<'_, 'py>,
        not_before: Maybe<'_, 'py>,
        state: Maybe<'_, 'py>,
        rollback: Maybe<'_, 'py>,
        shards: Maybe<'_, 'py>,
        scope: Maybe<'_, 'py>,
        clock: Maybe<'_, 'py>,
        max_jump_s: Maybe<'_, 'py>,
        max_wait_ms: Maybe<'_, 'py>,
    ) -> Result<PyClassInitializer<Self>> {
        guard(|| {
            let given =
                Given { node, nodes, window, not_before, state, rollback, shards, scope, max_jump_s, max_wait_ms };
            let options = given.options()?;
            let lease = maybe_lease(lease)?;
            let layout = layout.cast::<Layout>().map_err(|_| wrong_type("layout", "a saiban.Layout", layout))?;
            let layout = *layout.get().core();
            let clock = self::clock(clock)?;
            let shown = [format!("layout={}", Layout::from(layout).repr())];
            let repr = repr(py, "Flake", &options, lease.as_deref(), &clock, &shown)?;
            let (base, width) = if layout.is_wide() {
                let build =
                    move |options: &Options| saiban::WideFlake::build(layout, options, clock.clone(), PooledEntropy);
                let ids = Held::issue(py, lease, options, build)?;
                (Generator::wide(&ids, repr), Width::Wide(ids))
            } else {
                let build =
                    move |options: &Options| saiban::Flake::build(layout, options, clock.clone(), PooledEntropy);
                let ids = Held::issue(py, lease, options, build)?;
                (Generator::new(&ids, repr), Width::Narrow(ids))
            };
            Ok(PyClassInitializer::from(base.with_layout(layout)).add_subclass(Flake(width)))
        })
    }

    /// The layout of its IDs.
    #[getter]
    fn layout(&self) -> Layout {
        Layout::from(*self.core_layout())
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// timestamp_ms or time, a datetime with a time zone: rounded down to the tick. submillisecond_ns: with
    /// timestamp_ms the nanoseconds after that, 0 to 999,999, which a layout of such ticks tells. node: a number, or
    /// where its parts have names a mapping of them. A part that the layout does not have must be 0 or left out.
    ///
    /// Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError, SequenceOutOfRangeError,
    /// RandomOutOfRangeError, RollbackOutOfRangeError; UnknownNameError for a name that no part of the node has;
    /// InvalidArgumentError for a part of the node that is missing, and for nanoseconds that are none of a millisecond.
    ///
    /// >>> import saiban
    /// >>> ids = saiban.Flake(saiban.Layout.from_text("timestamp:48 sequence:16 random:32"))
    /// >>> hex(ids.compose(timestamp_ms=1_700_000_000_000, sequence=1, random=2))
    /// '0x18bcfe56800000100000002'
    #[pyo3(
        signature = (*, timestamp_ms=None, time=None, submillisecond_ns=None, node=None, sequence=None, random=None, rollback=None),
        text_signature = "($self, *, timestamp_ms=None, time=None, submillisecond_ns=None, node=0, sequence=0, random=0, rollback=0)"
    )]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn compose<'py>(
        &self,
        py: Python<'py>,
        timestamp_ms: Maybe<'_, 'py>,
        time: Maybe<'_, 'py>,
        submillisecond_ns: Maybe<'_, 'py>,
        node: Maybe<'_, 'py>,
        sequence: Maybe<'_, 'py>,
        random: Maybe<'_, 'py>,
        rollback: Maybe<'_, 'py>,
    ) -> Result<Bound<'py, PyAny>> {
        guard(|| {
            let layout = self.core_layout();
            let Moment { timestamp_ms, submillisecond_ns: ns } = moment(timestamp_ms, submillisecond_ns, time)?;
            let node = node.map_or(Ok(0), |value| self::node(layout, value))?;
            let sequence = sequence.map_or(Ok(0), |value| wide("sequence", value))?;
            let random = maybe_random(random)?.unwrap_or(0);
            let rollback = rollback.map_or(Ok(0), |value| int("rollback", value))?;
            let (counter, fresh) = layout.counter_and_random(sequence, random)?;
            Ok(match &self.0 {
                Width::Narrow(ids) => {
                    ids.reader().compose_ns(timestamp_ms, ns, node, counter, rollback, fresh)?.int(py)
                }
                Width::Wide(ids) => ids.reader().compose_ns(timestamp_ms, ns, node, counter, rollback, fresh)?.int(py),
            })
        })
    }
}
