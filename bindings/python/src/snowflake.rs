//! Snowflake: time, node, sequence.

use crate::arguments::{Given, Maybe, int, maybe_int};
use crate::clock::clock;
use crate::error::{Result, guard};
use crate::field::node;
use crate::generator::{Generator, repr};
use crate::held::{Held, Issued};
use crate::layout::{Layout, maybe_layout};
use crate::lease::maybe_lease;
use crate::time::{Moment, moment};
use pyo3::prelude::*;
use saiban::{AnyClock, Options};

/// Makes Snowflake IDs: time, node, sequence.
///
/// IDs sort by time and tell it to anyone.
///
/// node: a node that no other machine has (0 to 1023 in Twitter's layout), or nodes: a range of them.
/// lease: a Lease for this layout, in place of node, nodes, window, not_before and state: IDs are of its nodes and
/// time.
/// layout: Layout.TWITTER unless another preset or one of your own is given.
/// window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
/// not_before: the time of the last ID known to be used for these nodes, Unix milliseconds; IDs begin with
/// the tick after it. Without it, on the system's clock and with scope "process", they begin with the tick after
/// the one in which the generator was built, so that a restart within a tick repeats nothing.
/// state: the path of a file that remembers which ticks were used: a clock that was set back while the
/// program was down repeats nothing either. Locked (PATH.lock) as long as a generator uses it.
/// rollback: what happens when the clock steps back. "hold": goes on in the tick it has reached, then waits;
/// "error": ClockBackwardError at once; "bits": counts the step in the layout's rollback field and goes on.
/// By default "bits" for a layout with such a field (see Layout.with_rollback_bits), else "hold".
/// shards: how many parts a range of nodes is divided into, 1 by default. Threads are given one in turn and
/// do not contend; their IDs are ordered among each other by tick only.
/// scope: which generators of the same node share a cursor, so that none repeats another's ID: "machine", those of
/// all processes of this user on this machine, also restarted and forked ones; "process", those of this process.
/// By default "machine" where that can be had, else "process" (see Stats.scope): it needs Linux or macOS, the system's
/// clock, and of a lease a store that other processes use too.
/// clock: a ManualClock, for tests. Generators with one share no cursor.
/// max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
/// max_wait_ms: the longest wait for an ID; by default 2 ticks.
///
/// Raises NodeRequiredError, NodeOutOfRangeError, NodeInUseError, InvalidWindowError,
/// InvalidLayoutError, UnknownNameError, InvalidArgumentError; for the state file StateInUseError; for that and for
/// scope "machine" StateMismatchError, StateUnavailableError; ClockBackwardError where the clock is more than
/// max_jump_s behind the last ID of this machine.
///
/// Source: Twitter, "Announcing Snowflake" (2010).
///
/// >>> import saiban
/// >>> ids = saiban.Snowflake(node=7)
/// >>> ids.inspect(ids.generate()).node
/// 7
#[pyclass(frozen, extends = Generator, module = "saiban")]
pub struct Snowflake(Issued<saiban::Snowflake<AnyClock>>);

#[pymethods]
impl Snowflake {
    #[new]
    #[pyo3(signature = (*, node=None, nodes=None, lease=None, layout=None, window=None, not_before=None, state=None, rollback=None, shards=None, scope=None, clock=None, max_jump_s=None, max_wait_ms=None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new<'py>(
        py: Python<'py>,
        node: Maybe<'_, 'py>,
        nodes: Maybe<'_, 'py>,
        lease: Maybe<'_, 'py>,
        layout: Maybe<'_, 'py>,
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
            let layout = maybe_layout(layout)?.unwrap_or(saiban::Layout::TWITTER);
            let clock = self::clock(clock)?;
            let shown = [format!("layout={}", Layout::from(layout).repr())];
            let repr = repr(py, "Snowflake", &options, lease.as_deref(), &clock, &shown)?;
            let build = move |options: &Options| saiban::Snowflake::build(layout, options, clock.clone());
            let ids = Held::issue(py, lease, options, build)?;
            Ok(PyClassInitializer::from(Generator::new(&ids, repr).with_layout(layout)).add_subclass(Snowflake(ids)))
        })
    }

    /// The layout of its IDs.
    #[getter]
    fn layout(&self) -> Layout {
        Layout::from(*self.0.reader().layout())
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// timestamp_ms or time, a datetime with a time zone: rounded down to the tick. submillisecond_ns: with
    /// timestamp_ms the nanoseconds after that, 0 to 999,999, which a layout of such ticks tells. node: a number, or
    /// where its parts have names a mapping of them. rollback: how often the clock had stepped back, 0 by default,
    /// for a layout with a rollback field.
    ///
    /// Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
    /// SequenceOutOfRangeError, RollbackOutOfRangeError; InvalidArgumentError for nanoseconds that are none of a
    /// millisecond.
    ///
    /// >>> import saiban
    /// >>> saiban.Snowflake(node=0).compose(timestamp_ms=1_704_067_200_000, node=7, sequence=1)
    /// 1741610183685074945
    #[pyo3(
        signature = (*, timestamp_ms=None, time=None, submillisecond_ns=None, node, sequence, rollback=None),
        text_signature = "($self, *, timestamp_ms=None, time=None, submillisecond_ns=None, node, sequence, rollback=0)"
    )]
    fn compose(
        &self,
        timestamp_ms: Maybe<'_, '_>,
        time: Maybe<'_, '_>,
        submillisecond_ns: Maybe<'_, '_>,
        node: &Bound<'_, PyAny>,
        sequence: &Bound<'_, PyAny>,
        rollback: Option<&Bound<'_, PyAny>>,
    ) -> Result<i64> {
        guard(|| {
            let Moment { timestamp_ms, submillisecond_ns: ns } = moment(timestamp_ms, submillisecond_ns, time)?;
            let node = self::node(self.0.reader().layout(), node)?;
            let rollback = maybe_int("rollback", rollback)?.unwrap_or(0);
            Ok(self.0.reader().compose_ns(timestamp_ms, ns, node, int("sequence", sequence)?, rollback)?)
        })
    }
}
