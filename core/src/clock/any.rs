//! A clock chosen at run time, for the bindings and for programs that switch clocks.

use super::{Clock, ManualClock, SystemClock};
use crate::error::Error;
use core::time::Duration;
use std::sync::Arc;

/// The system's clock or a manual one, chosen at run time. The generators of the bindings use it.
///
/// ```
/// use saiban::{AnyClock, Generator, ManualClock, Options, SnowflakeGenerator};
/// use std::sync::Arc;
/// /// A service whose tests may stop the time.
/// fn ids(clock: AnyClock) -> Result<SnowflakeGenerator<AnyClock>, saiban::Error> {
///     SnowflakeGenerator::build(saiban::Layout::TWITTER, &Options::node(7), clock)
/// }
/// ids(AnyClock::System)?.generate()?;
/// let clock = Arc::new(ManualClock::new(1_704_067_200_000)?);
/// let made = ids(AnyClock::Manual(Arc::clone(&clock)))?;
/// assert_eq!(made.inspect(made.generate()?)?.timestamp_ms, Some(clock.now_ms()));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub enum AnyClock {
    /// The operating system's clock.
    #[default]
    System,
    /// A clock that tests move by hand.
    Manual(Arc<ManualClock>),
}

impl Clock for AnyClock {
    fn now_ns(&self) -> Result<u64, Error> {
        match self {
            AnyClock::System => SystemClock.now_ns(),
            AnyClock::Manual(clock) => clock.now_ns(),
        }
    }

    fn coarse_ns(&self) -> Option<u64> {
        match self {
            AnyClock::System => SystemClock.coarse_ns(),
            AnyClock::Manual(clock) => clock.coarse_ns(),
        }
    }

    #[inline]
    fn cycles(&self) -> Option<u64> {
        match self {
            AnyClock::System => SystemClock.cycles(),
            AnyClock::Manual(clock) => clock.cycles(),
        }
    }

    fn wait(&self, duration: Duration) -> bool {
        match self {
            AnyClock::System => SystemClock.wait(duration),
            AnyClock::Manual(clock) => clock.wait(duration),
        }
    }

    fn is_process_time(&self) -> bool {
        match self {
            AnyClock::System => SystemClock.is_process_time(),
            AnyClock::Manual(clock) => clock.is_process_time(),
        }
    }

    fn since_boot_ns(&self) -> Option<u64> {
        match self {
            AnyClock::System => SystemClock.since_boot_ns(),
            AnyClock::Manual(clock) => clock.since_boot_ns(),
        }
    }
}
