//! The system's clock with a counter that a thread advances.

use super::{Clock, SystemClock};
use crate::error::Error;
use crate::process::{generation, watched_generation};
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Instant;

/// How long the thread sleeps between two readings.
const PERIOD: Duration = Duration::from_micros(500);

/// How many counts a nanosecond has. The counter lags by another time in each reading. It runs
/// faster, so that it still advances by at least one per nanosecond between two readings with
/// different counts.
const COUNTS_PER_NS: u64 = 4;

/// The size of the thread's stack. It calls little more than the system.
const STACK_BYTES: usize = 64 * 1024;

/// The system's clock for a program that makes tens of millions of IDs a second: a thread of this
/// clock advances the counter ([`Clock::cycles`]) about every half millisecond, and most IDs need
/// no other reading.
///
/// - The thread wakes nearly 2000 times a second, as long as a copy of this clock exists.
/// - The time in an ID may be older than the system's by as long as the thread sleeps: on an idle
///   machine somewhat more than half a millisecond, and longer while the thread gets no processor.
///   As much later, a generator notices that the clock was set, that its window or lease has ended,
///   or that its cursor file was deleted. It repeats no ID.
/// - A forked child lacks the thread, and reads the time for each ID. In a copy that a raw `clone`
///   made, call [`notice_fork`](crate::process::notice_fork), or the counter stands still.
///
/// ```
/// use saiban::cursor::LocalCursor;
/// use saiban::{Generator, Options, PooledEntropy, TickingClock, UlidGenerator};
/// let clock = TickingClock::start()?;
/// // A single owner needs no lock either.
/// let ids: UlidGenerator<_, _, LocalCursor<u128>> =
///     UlidGenerator::with_cursor(&Options::default(), clock, PooledEntropy)?;
/// assert!(ids.generate()? < ids.generate()?);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TickingClock(Arc<Counter>);

#[derive(Debug)]
struct Counter {
    begun: Instant,
    /// What the thread read last.
    counts: AtomicU64,
    /// The process that has the thread.
    made_in: u32,
}

impl Counter {
    /// Returns the count of this moment.
    fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_nanos()).unwrap_or(u64::MAX).wrapping_mul(COUNTS_PER_NS)
    }
}

impl TickingClock {
    /// Starts the thread, which ends soon after the last copy of this clock was dropped.
    ///
    /// # Errors
    /// `ClockUnavailable` if the system starts no thread.
    pub fn start() -> Result<Self, Error> {
        if cfg!(all(target_family = "wasm", target_os = "unknown")) {
            // std has neither threads nor a time there, and panics.
            return Err(Error::ClockThread);
        }
        let counter = Counter { begun: Instant::now(), counts: AtomicU64::new(0), made_in: watched_generation() };
        let counter = Arc::new(counter);
        let advanced = Arc::downgrade(&counter);
        let thread = thread::Builder::new().name("saiban-clock".into()).stack_size(STACK_BYTES);
        thread.spawn(move || advance(&advanced)).map_err(|_| Error::ClockThread)?;
        Ok(TickingClock(counter))
    }
}

fn advance(counter: &Weak<Counter>) {
    while let Some(counter) = counter.upgrade() {
        counter.counts.store(counter.now(), Ordering::Relaxed);
        drop(counter);
        thread::sleep(PERIOD);
    }
}

impl Clock for TickingClock {
    fn now_ns(&self) -> Result<u64, Error> {
        SystemClock.now_ns()
    }

    fn coarse_ns(&self) -> Option<u64> {
        SystemClock.coarse_ns()
    }

    #[inline]
    fn cycles(&self) -> Option<u64> {
        let counter = &*self.0;
        let has_thread = counter.made_in == generation();
        Some(if has_thread { counter.counts.load(Ordering::Relaxed) } else { counter.now() })
    }

    fn wait(&self, duration: Duration) -> bool {
        SystemClock.wait(duration)
    }

    fn is_process_time(&self) -> bool {
        SystemClock.is_process_time()
    }

    fn since_boot_ns(&self) -> Option<u64> {
        SystemClock.since_boot_ns()
    }
}
