//! The operating system's time. Generators reach it through this file only, whatever their clock.

#[cfg(feature = "std")]
use super::Clock;
#[cfg(feature = "std")]
use crate::error::Error;

/// The operating system's real-time clock. It implements [`Clock`](crate::Clock) only with the
/// feature `std`.
///
/// On Linux, Android and Apple's systems, it also knows the time since boot.
///
/// The clock may step back, as the system's clock may. `wait` sleeps, but yields through the last
/// part of a wait, because a sleep is not precise enough.
///
/// ```
/// use saiban::{Clock, SystemClock};
/// assert!(SystemClock.now_ns()? > 1_700_000_000_000_000_000); // it is later than 2023
/// assert!(SystemClock.is_process_time());
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

#[cfg(feature = "std")]
mod real {
    use std::time::{Duration, Instant};

    /// How much longer than requested a sleep may take on an idle machine. The last part of a wait,
    /// as long as this, yields instead.
    const OVERSLEEP: Duration = Duration::from_micros(150);

    /// Reads the clock that std reads, without std's arithmetic on pairs of seconds and
    /// nanoseconds.
    #[cfg(unix)]
    #[inline]
    pub(super) fn now_ns() -> Option<u64> {
        ns(&rustix::time::clock_gettime(rustix::time::ClockId::Realtime))
    }

    #[cfg(not(unix))]
    pub(super) fn now_ns() -> Option<u64> {
        use std::time::{SystemTime, UNIX_EPOCH};
        let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        u64::try_from(since.as_nanos()).ok()
    }

    /// Returns the time of the kernel's last timer tick, which is 1 to 10 ms ago at most.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(super) fn coarse_ns() -> Option<u64> {
        ns(&rustix::time::clock_gettime(rustix::time::ClockId::RealtimeCoarse))
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub(super) fn coarse_ns() -> Option<u64> {
        None
    }

    /// Linux counts the time asleep only in `CLOCK_BOOTTIME`. Apple's `CLOCK_MONOTONIC` counts it,
    /// too; other systems do not guarantee that.
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    pub(super) fn since_boot_ns() -> Option<u64> {
        #[cfg(not(target_vendor = "apple"))]
        let time = rustix::time::clock_gettime_dynamic(rustix::time::DynamicClockId::Boottime).ok()?;
        #[cfg(target_vendor = "apple")]
        let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        ns(&time)
    }

    #[cfg(unix)]
    #[inline]
    fn ns(time: &rustix::time::Timespec) -> Option<u64> {
        let seconds = u64::try_from(time.tv_sec).ok()?;
        seconds.checked_mul(1_000_000_000)?.checked_add(u64::try_from(time.tv_nsec).ok()?)
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    pub(super) fn since_boot_ns() -> Option<u64> {
        None
    }

    pub(super) fn wait(duration: Duration) {
        let begun = Instant::now();
        if let Some(sleep) = duration.checked_sub(OVERSLEEP) {
            std::thread::sleep(sleep);
        }
        while begun.elapsed() < duration {
            std::thread::yield_now();
        }
    }
}

/// The processor's timestamp counter (TSC). It is used only where Linux uses it as clock source.
/// There it has a constant rate, does not stop when a processor is idle, and is equal on all
/// processors.
#[cfg(all(feature = "std", target_os = "linux", target_arch = "x86_64"))]
mod counter {
    use core::sync::atomic::{AtomicU8, Ordering};
    use std::time::{Duration, Instant};

    const UNKNOWN: u8 = 0;
    const TRUSTED: u8 = 1;
    const NOT_TRUSTED: u8 = 2;

    /// How long the counter is compared with the time. This is long enough that reading both takes
    /// a small part of it.
    const LOOK: Duration = Duration::from_micros(5);

    /// How often it is compared, once in a process, until it is fast enough: if the thread is
    /// interrupted between the two readings of a comparison, the counter seems to be slow.
    const LOOKS: usize = 8;

    /// Whether Linux trusts the counter, as read once. Linux may stop trusting it while the program
    /// runs. Then the counter's error is as small as what Linux can detect, and a tick is cached
    /// for longer by that error.
    static COUNTER: AtomicU8 = AtomicU8::new(UNKNOWN);

    #[inline]
    pub(super) fn cycles() -> Option<u64> {
        match COUNTER.load(Ordering::Relaxed) {
            TRUSTED => Some(safe_arch::read_timestamp_counter()),
            NOT_TRUSTED => None,
            _ => read(),
        }
    }

    #[cold]
    fn read() -> Option<u64> {
        let source = std::fs::read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource");
        let is_trusted = source.is_ok_and(|source| source.trim_end() == "tsc") && (0..LOOKS).any(|_| is_fast());
        COUNTER.store(if is_trusted { TRUSTED } else { NOT_TRUSTED }, Ordering::Relaxed);
        cycles()
    }

    /// Returns whether the counter advances by at least one per nanosecond. Those of servers
    /// advance by 2 to 4, those of some small machines by less than 1.
    fn is_fast() -> bool {
        let (begun, count) = (Instant::now(), safe_arch::read_timestamp_counter());
        loop {
            let counted = safe_arch::read_timestamp_counter().wrapping_sub(count);
            let passed = begun.elapsed();
            if passed >= LOOK {
                return u128::from(counted) >= passed.as_nanos();
            }
        }
    }
}

#[cfg(feature = "std")]
impl Clock for SystemClock {
    fn now_ns(&self) -> Result<u64, Error> {
        real::now_ns().ok_or(Error::ClockUnavailable)
    }

    fn coarse_ns(&self) -> Option<u64> {
        real::coarse_ns()
    }

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[inline]
    fn cycles(&self) -> Option<u64> {
        counter::cycles()
    }

    fn wait(&self, duration: core::time::Duration) -> bool {
        real::wait(duration);
        true
    }

    fn is_process_time(&self) -> bool {
        true
    }

    fn since_boot_ns(&self) -> Option<u64> {
        real::since_boot_ns()
    }
}
