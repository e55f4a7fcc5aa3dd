//! The one door to the operating system's time.

#[cfg(feature = "std")]
use super::Clock;
#[cfg(feature = "std")]
use crate::error::Error;

/// The operating system's real-time clock. It needs the feature `std`; without it the type has no time to tell.
///
/// On Linux, Android and Apple's systems it also tells the time since boot.
///
/// It may step back, as the system's clock may. Waiting sleeps, and yields through the last part, where sleep is too coarse.
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

    /// What a sleep may oversleep by on an idle machine; the rest of a wait is yielded away.
    const OVERSLEEP: Duration = Duration::from_micros(150);

    /// As std reads it, without its sums of two numbers each.
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

    /// The time of the kernel's last tick, 1 to 10 ms ago.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(super) fn coarse_ns() -> Option<u64> {
        ns(&rustix::time::clock_gettime(rustix::time::ClockId::RealtimeCoarse))
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub(super) fn coarse_ns() -> Option<u64> {
        None
    }

    /// Linux counts sleep in this clock only; Apple's monotonic clock counts it, which others do not promise.
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

/// The processor's timestamp counter, where Linux makes the time of it: then it goes on evenly, sleeps with nobody, and shows all processors the same.
#[cfg(all(feature = "std", target_os = "linux", target_arch = "x86_64"))]
mod counter {
    use core::sync::atomic::{AtomicU8, Ordering};
    use std::time::{Duration, Instant};

    const UNKNOWN: u8 = 0;
    const TRUSTED: u8 = 1;
    const NOT_TRUSTED: u8 = 2;

    /// How long it is compared with the time, once a process: so long that reading both takes little of it.
    const LOOK: Duration = Duration::from_micros(5);

    /// What Linux thinks of it. If it changes its mind while the program runs, the counter is wrong by as little as it takes to notice, and a tick is taken for that much
    /// longer.
    static COUNTER: AtomicU8 = AtomicU8::new(UNKNOWN);

    #[inline]
    pub(super) fn cycles() -> Option<u64> {
        match COUNTER.load(Ordering::Relaxed) {
            TRUSTED => Some(safe_arch::read_timestamp_counter()),
            NOT_TRUSTED => None,
            _ => look(),
        }
    }

    #[cold]
    fn look() -> Option<u64> {
        let source = std::fs::read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource");
        let is_trusted = source.is_ok_and(|source| source.trim_end() == "tsc") && is_fast();
        COUNTER.store(if is_trusted { TRUSTED } else { NOT_TRUSTED }, Ordering::Relaxed);
        cycles()
    }

    /// Whether it counts once a nanosecond at least: servers' count 2 to 4 times, and some processors of small machines less than once.
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
