//! Ulid-Flake: time and a random part that grows.

use crate::arguments::{Given, Maybe, epoch_ms, flag, int, maybe_int};
use crate::clock::clock;
use crate::error::{Result, guard};
use crate::generator::{Generator, repr};
use crate::held::{Held, Issued};
use crate::lease::maybe_lease;
use crate::time::timestamp_ms;
use pyo3::prelude::*;
use saiban::generator::DefaultCursor;
use saiban::{AnyClock, Options, PooledEntropy, UlidFlakeFormat};

/// Makes Ulid-Flake IDs: time, and a random part that grows within a millisecond.
///
/// IDs sort by time and tell it to anyone.
///
/// scalability: 0 to 31, an id that no other machine has; without it IDs are stand-alone, and unique within
/// the scope only.
/// lease: a Lease for ulid-flake, in place of scalability, allow_collisions, window, not_before and state: IDs are
/// scalable, of its node and time. It leases one node, and for another epoch_ms it is given the layout of that epoch.
/// entropy_size: how many random bytes an ID grows by within a millisecond, 1 to 3, scalable 1 to 2.
/// epoch_ms: the time of tick 0, Unix milliseconds; by default 2024-01-01.
/// allow_collisions: has scope "process", and lets a process made by fork go on with its parent's generator or id.
/// Random bits do not keep two processes apart: a few of their IDs will be equal.
/// window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
/// not_before: the time of the last ID known to be used for this id, Unix milliseconds; IDs begin with the
/// millisecond after it. Without it, on the system's clock and with scope "process", they begin with the
/// millisecond after the one in which the generator was built, so that a restart within it repeats nothing.
/// state: the path of a file that remembers which milliseconds were used: a clock that was set back while
/// the program was down repeats nothing either. Locked (PATH.lock) as long as a generator uses it.
/// rollback: what happens when the clock steps back. "hold", the default: goes on in the millisecond it has
/// reached, then waits; "error": ClockBackwardError at once.
/// scope: which generators of the same id, or of none, share a cursor, so that none repeats another's ID: "machine",
/// those of all processes of this user on this machine, also restarted and forked ones; "process", those of this
/// process. By default "machine" where that can be had, else "process" (see Stats.scope): it needs Linux or macOS, the
/// system's clock, no allow_collisions, and of a lease a store that other processes use too.
/// clock: a ManualClock, for tests. Generators with one share no cursor.
/// max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
/// max_wait_ms: the longest wait for an ID; by default 2.
///
/// Raises NodeOutOfRangeError for the scalability, NodeInUseError, InvalidEntropySizeError,
/// InvalidLayoutError for the epoch or the policy "bits", InvalidWindowError, UnknownNameError,
/// InvalidArgumentError; for the state file StateInUseError; for that and for scope "machine" StateMismatchError,
/// StateUnavailableError; ClockBackwardError where the clock is more than max_jump_s behind the last ID of this
/// machine.
///
/// Source: github.com/ulid-flake/spec (2024).
///
/// >>> import saiban
/// >>> ids = saiban.UlidFlake()
/// >>> ids.to_text(14246757444195114)
/// '00CMXB6TAK4SA'
#[pyclass(frozen, extends = Generator, module = "saiban")]
pub struct UlidFlake(Issued<saiban::UlidFlake<AnyClock, DefaultCursor, PooledEntropy>>);

#[pymethods]
impl UlidFlake {
    #[new]
    #[pyo3(signature = (*, scalability=None, lease=None, entropy_size=None, epoch_ms=None, allow_collisions=None, window=None, not_before=None, state=None, rollback=None, scope=None, clock=None, max_jump_s=None, max_wait_ms=None), text_signature = "(*, scalability=None, lease=None, entropy_size=None, epoch_ms=None, allow_collisions=False, window=None, not_before=None, state=None, rollback=None, scope=None, clock=None, max_jump_s=None, max_wait_ms=None)")]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new<'py>(
        py: Python<'py>,
        scalability: Maybe<'_, 'py>,
        lease: Maybe<'_, 'py>,
        entropy_size: Maybe<'_, 'py>,
        epoch_ms: Maybe<'_, 'py>,
        allow_collisions: Maybe<'_, 'py>,
        window: Maybe<'_, 'py>,
        not_before: Maybe<'_, 'py>,
        state: Maybe<'_, 'py>,
        rollback: Maybe<'_, 'py>,
        scope: Maybe<'_, 'py>,
        clock: Maybe<'_, 'py>,
        max_jump_s: Maybe<'_, 'py>,
        max_wait_ms: Maybe<'_, 'py>,
    ) -> Result<PyClassInitializer<Self>> {
        guard(|| {
            let usual = UlidFlakeFormat::default();
            let format = UlidFlakeFormat {
                scalability: maybe_int("scalability", scalability)?,
                entropy_size: maybe_int("entropy_size", entropy_size)?.unwrap_or(usual.entropy_size),
                epoch_ms: epoch_ms.map(self::epoch_ms).transpose()?.unwrap_or(usual.epoch_ms),
                allow_collisions: flag("allow_collisions", allow_collisions)?,
            };
            let given =
                Given { window, not_before, state, rollback, scope, max_jump_s, max_wait_ms, ..Given::default() };
            let options = given.options()?;
            let lease = maybe_lease(lease)?;
            let clock = self::clock(clock)?;
            let mut shown: Vec<String> = format.scalability.map(|id| format!("scalability={id}")).into_iter().collect();
            shown.push(format!("entropy_size={}", format.entropy_size));
            shown.push(format!("epoch_ms={}", format.epoch_ms));
            let repr = repr(py, "UlidFlake", &options, lease.as_deref(), &clock, &shown)?;
            let build =
                move |options: &Options| saiban::UlidFlake::build(format, options, clock.clone(), PooledEntropy);
            let ids = Held::issue(py, lease, options, build)?;
            Ok(PyClassInitializer::from(Generator::new(&ids, repr)).add_subclass(UlidFlake(ids)))
        })
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// timestamp_ms or time, a datetime with a time zone. Only scalable IDs have a scalability id; without one
    /// given, the generator's own is taken.
    ///
    /// Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
    /// RandomOutOfRangeError.
    #[pyo3(signature = (*, timestamp_ms=None, time=None, random, scalability=None))]
    fn compose(
        &self,
        timestamp_ms: Maybe<'_, '_>,
        time: Maybe<'_, '_>,
        random: &Bound<'_, PyAny>,
        scalability: Option<&Bound<'_, PyAny>>,
    ) -> Result<i64> {
        guard(|| {
            let scalability = maybe_int("scalability", scalability)?;
            Ok(self.0.reader().compose(self::timestamp_ms(timestamp_ms, time)?, int("random", random)?, scalability)?)
        })
    }
}
