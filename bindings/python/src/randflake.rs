//! Randflake: time, node, sequence, encrypted.

use crate::arguments::{self, Given, Maybe, int};
use crate::clock::clock;
use crate::error::{Result, guard};
use crate::generator::{Generator, repr};
use crate::held::{Held, Issued};
use crate::lease::maybe_lease;
use crate::time::timestamp_ms;
use pyo3::prelude::*;
use saiban::{AnyClock, Options};

/// Makes Randflake IDs: time, node and sequence, encrypted. Half of all IDs are negative.
///
/// node: a node that no other machine has, 0 to 131071, or nodes: a range of them.
/// lease: a Lease for this secret, in place of node, nodes, window, not_before and state: IDs are of its nodes and
/// time.
/// secret: 16 random bytes (the command: saiban secret), the same on every machine. Who has it can read
/// an ID's time and node.
/// window: (start, end), half-open, Unix seconds: the time in the IDs stays within.
/// not_before: the time of the last ID known to be used for these nodes, Unix seconds; IDs begin with the
/// second after it. Without it, on the system's clock and with scope "process", they begin with the second after
/// the one in which the generator was built, so that a restart within a second repeats nothing: the first ID may
/// wait that long.
/// state: the path of a file that remembers which seconds were used: a clock that was set back while the
/// program was down repeats nothing either. Locked (PATH.lock) as long as a generator uses it.
/// rollback: what happens when the clock steps back. "hold", the default: goes on in the second it has
/// reached, then waits; "error": ClockBackwardError at once.
/// shards: how many parts a range of nodes is divided into, 1 by default. Threads are given one in turn and
/// do not contend.
/// scope: which generators of the same node share a cursor, so that none repeats another's ID: "machine", those of
/// all processes of this user on this machine, also restarted and forked ones; "process", those of this process.
/// By default "machine" where that can be had, else "process" (see Stats.scope): it needs Linux or macOS, the system's
/// clock, and of a lease a store that other processes use too.
/// clock: a ManualClock, for tests. Generators with one share no cursor.
/// max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
/// max_wait_ms: the longest wait for an ID; by default 2000.
///
/// An ID is no token: always authorise. Lasts until 2058-11-05.
///
/// Raises InvalidSecretError, NodeRequiredError, NodeOutOfRangeError, NodeInUseError,
/// InvalidWindowError, InvalidLayoutError, UnknownNameError, InvalidArgumentError; for the state file
/// StateInUseError; for that and for scope "machine" StateMismatchError, StateUnavailableError;
/// ClockBackwardError where the clock is more than max_jump_s behind the last ID of this machine.
///
/// Source: github.com/gosuda/randflake (2024).
///
/// >>> import saiban
/// >>> ids = saiban.Randflake(node=42, secret=bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5"))
/// >>> ids.compose(timestamp_ms=1_733_706_297_000, node=42, sequence=1)
/// 4594531474933654033
/// >>> ids.to_text(4594531474933654033)
/// '3vgoe12ccb8gh'
#[pyclass(frozen, extends = Generator, module = "saiban")]
pub struct Randflake(Issued<saiban::Randflake<AnyClock>>);

#[pymethods]
impl Randflake {
    #[new]
    #[pyo3(signature = (*, secret, node=None, nodes=None, lease=None, window=None, not_before=None, state=None, rollback=None, shards=None, scope=None, clock=None, max_jump_s=None, max_wait_ms=None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new<'py>(
        py: Python<'py>,
        secret: &Bound<'py, PyAny>,
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
            let clock = self::clock(clock)?;
            let repr = repr(py, "Randflake", &options, lease.as_deref(), &clock, &["secret=<hidden>".into()])?;
            let secret = arguments::secret("secret", secret)?;
            let build = move |options: &Options| saiban::Randflake::build(&secret, options, clock.clone());
            let ids = Held::issue(py, lease, options, build)?;
            Ok(PyClassInitializer::from(Generator::new(&ids, repr)).add_subclass(Randflake(ids)))
        })
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// timestamp_ms or time, a datetime with a time zone: rounded down to the second.
    ///
    /// Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
    /// SequenceOutOfRangeError.
    #[pyo3(signature = (*, timestamp_ms=None, time=None, node, sequence))]
    fn compose(
        &self,
        timestamp_ms: Maybe<'_, '_>,
        time: Maybe<'_, '_>,
        node: &Bound<'_, PyAny>,
        sequence: &Bound<'_, PyAny>,
    ) -> Result<i64> {
        guard(|| {
            let timestamp_ms = self::timestamp_ms(timestamp_ms, time)?;
            Ok(self.0.reader().compose(timestamp_ms, int("node", node)?, int("sequence", sequence)?)?)
        })
    }
}
