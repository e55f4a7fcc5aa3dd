//! The clock since boot.

use saiban::{AnyClock, Clock, Error, ManualClock};
use std::sync::Arc;

#[test]
fn the_time_since_boot_passes_through_references_and_pointers() {
    struct Booted;
    impl Clock for Booted {
        fn now_ns(&self) -> Result<u64, Error> {
            Ok(0)
        }
        fn since_boot_ns(&self) -> Option<u64> {
            Some(42)
        }
    }
    // The clock is passed by value: for `&Booted`, the reference itself implements `Clock`.
    fn of(clock: impl Clock) -> Option<u64> {
        clock.since_boot_ns()
    }
    assert_eq!(of(&Booted), Some(42));
    let shared = Arc::new(Booted);
    assert_eq!(of(&shared), Some(42));
    assert_eq!(of(shared), Some(42));
}

#[test]
fn a_manual_clock_has_no_time_since_boot() -> Result<(), Error> {
    let manual = Arc::new(ManualClock::new(1_763_700_000_000)?);
    assert_eq!(manual.since_boot_ns(), None);
    assert_eq!(AnyClock::Manual(manual).since_boot_ns(), None);
    Ok(())
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
#[test]
fn the_time_since_boot_never_goes_back() {
    let mut last = 0;
    for clock in [AnyClock::System, AnyClock::default()].iter().cycle().take(10_000) {
        let now = clock.since_boot_ns().expect("a system that tells it");
        assert!(now >= last, "{now} after {last}");
        last = now;
    }
    assert!(last > 0);
}

#[cfg(target_os = "linux")]
#[test]
fn the_time_since_boot_is_that_of_the_system() {
    let before = saiban::SystemClock.since_boot_ns().expect("Linux tells it");
    // `/proc/uptime` shows seconds, truncated to two decimals.
    let uptime = std::fs::read_to_string("/proc/uptime").expect("Linux tells it there too");
    let (seconds, hundredths) = uptime.split(' ').next().and_then(|first| first.split_once('.')).expect("a number");
    let uptime_ns =
        (seconds.parse::<u64>().expect("seconds") * 100 + hundredths.parse::<u64>().expect("hundredths")) * 10_000_000;
    let after = saiban::SystemClock.since_boot_ns().expect("Linux tells it");
    assert!(before < uptime_ns + 10_000_000 && uptime_ns <= after, "{before} {uptime_ns} {after}");
}
