//! Compares this machine's clock with the time of a command's lease.
//!
//! A generator of saiban compares the tick of each ID with its lease. A command takes its times
//! from this machine's clock, and nothing checks its IDs. So the command runs only while this clock
//! is in the time of the lease.

use super::super::table::{nodes, rounded_up_ms};
use crate::time::{Left, utc_or_year};
use saiban::{Clock, ErrorKind, Layout, SystemClock};
use saiban_coordination::Error;
use saiban_coordination::lease::protocol::Grant;

/// The maximum notice that a command gets before its lease ends, µs.
const LONGEST_NOTICE_US: i64 = 10_000_000;

/// How far a coarser clock may be behind the clock that is read here, µs. `time(2)` is behind by up
/// to a tick of the kernel.
const COARSE_US: i64 = 10_000;

/// Returns how far this machine's clock may be from the store's, µs: at most a third of the lease.
/// The renewal follows after another third, and then one third is left.
pub(super) fn max_clock_skew_us(wanted_us: i64, ttl_us: i64) -> i64 {
    wanted_us.clamp(0, ttl_us / 3)
}

/// Returns the time of this machine's clock, Unix µs; `None` if the clock cannot be read.
pub(super) fn clock_us() -> Option<i64> {
    SystemClock.now_ns().ok().map(|ns| i64::try_from(ns / 1_000).unwrap_or(i64::MAX))
}

/// The time of a lease, Unix µs.
pub(super) struct Bounds {
    /// When the first whole tick begins. The last tick of an earlier holder is over by then.
    pub(super) begin_us: i64,
    /// When the lease ends.
    end_us: i64,
    /// How long before the end the command gets its notice.
    notice_us: i64,
}

/// The position of a clock relative to a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// Before the first whole tick of the lease.
    Before,
    /// In the lease. The value is the time in µs until the command gets its notice.
    Inside(i64),
    /// In the time between the notice and the end.
    Closing,
    /// After the end, or so near to it that the command must end at once.
    Past,
}

impl Bounds {
    pub(super) fn of(grant: &Grant, layout: &Layout, ttl_us: i64) -> Self {
        let epoch_us = i128::from(layout.epoch_ms()) * 1_000;
        let since_ns = (i128::from(grant.start_us) - epoch_us) * 1_000;
        let tick_ns = i128::from(layout.tick_ns());
        let begin_ns = (since_ns + tick_ns - 1).div_euclid(tick_ns) * tick_ns;
        let begin_us = i64::try_from(epoch_us + (begin_ns + 999).div_euclid(1_000)).unwrap_or(i64::MAX);
        Bounds { begin_us, end_us: grant.end_us, notice_us: (ttl_us / 6).min(LONGEST_NOTICE_US) }
    }

    /// Returns how long to wait before the command may begin, µs.
    pub(super) fn wait_us(&self, clock_us: i64) -> i64 {
        self.begin_us.saturating_add(COARSE_US).saturating_sub(clock_us).max(0)
    }

    pub(super) fn at(&self, clock_us: i64) -> At {
        let left_us = self.end_us.saturating_sub(clock_us);
        if clock_us < self.begin_us {
            At::Before
        } else if left_us > self.notice_us {
            At::Inside(left_us - self.notice_us)
        } else if left_us > self.notice_us / 10 {
            // The last tenth counts as past: signals and the scheduler take time.
            At::Closing
        } else {
            At::Past
        }
    }

    /// Returns why a command cannot run under this lease at this time of the clock; `None` if it
    /// can.
    pub(super) fn problem(&self, clock_us: i64, grant: &Grant, why: Option<&Error>) -> Option<Error> {
        let at = self.at(clock_us);
        if matches!(at, At::Inside(_)) {
            return None;
        }
        let (nodes, clock) = (nodes(&grant.key.nodes), utc_or_year(clock_us.div_euclid(1_000)));
        let (begin, end) = (utc_or_year(rounded_up_ms(self.begin_us)), utc_or_year(self.end_us.div_euclid(1_000)));
        let left = match at {
            At::Before => {
                let message = format!(
                    "this machine's clock shows {clock}, and the lease of nodes {nodes} begins at {begin} by the \
                     store's: the clock was set back, and another holder may have made IDs of that time. Set the \
                     clock (NTP), and start the command again"
                );
                return Some(Error::new(ErrorKind::LeaseNotBegun, message));
            }
            At::Closing | At::Inside(_) => format!("in {}", Left(self.end_us - clock_us)),
            At::Past => "which is now or past".to_owned(),
        };
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        let message = format!(
            "this machine's clock shows {clock}, and the lease of nodes {nodes} ends at {end} by the store's, \
             {left}: the store did not extend the lease{why}, or the clock was set ahead. Check that the store can \
             be reached, and set the clock (NTP)"
        );
        Some(Error::new(ErrorKind::LeaseExpired, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saiban_coordination::lease::SlotKey;

    const S: i64 = 1_000_000;

    fn bounds(tick: &str, start_us: i64, end_us: i64, ttl_us: i64) -> Bounds {
        let layout = Layout::from_text(&format!("timestamp:41@{tick} node:1 sequence:10")).expect("a layout");
        let key = SlotKey { nodes: 0..1, fence: 1, token: 1 };
        Bounds::of(&Grant { incarnation: 1, key, start_us, end_us, now_us: start_us }, &layout, ttl_us)
    }

    #[test]
    fn a_command_begins_with_the_first_whole_tick() {
        let begin = |start_us| bounds("1s", start_us, 600 * S, 600 * S).begin_us;
        assert_eq!([100 * S, 100 * S + 1, 101 * S].map(begin), [100 * S, 101 * S, 101 * S]);
        let bounds = bounds("1s", 100 * S, 600 * S, 600 * S);
        assert_eq!([99 * S, 100 * S, 101 * S].map(|clock_us| bounds.wait_us(clock_us)), [S + COARSE_US, COARSE_US, 0]);
    }

    #[test]
    fn a_command_is_signalled_before_its_lease_ends_and_over_by_then() {
        let long = bounds("1ms", 1_000 * S, 1_600 * S, 600 * S);
        assert_eq!(long.at(1_000 * S - 1), At::Before);
        assert_eq!(long.at(1_000 * S), At::Inside(590 * S));
        assert_eq!(long.at(1_590 * S), At::Closing);
        assert_eq!([1_599 * S, 1_700 * S, i64::MAX].map(|clock_us| long.at(clock_us)), [At::Past; 3]);
        let short = bounds("1ms", 1_000 * S, 1_006 * S, 6 * S);
        assert_eq!((short.at(1_005 * S), short.at(1_005 * S + 900_000)), (At::Closing, At::Past));
    }

    #[test]
    fn a_clock_ahead_by_the_maximum_skew_is_inside_the_lease_until_after_the_renewal() {
        for ttl_us in [3 * S, 12 * S, 600 * S] {
            let skew_us = max_clock_skew_us(10 * S, ttl_us);
            let bounds = bounds("1ms", 1_000 * S, 1_000 * S + ttl_us, ttl_us);
            assert!(matches!(bounds.at(1_000 * S + ttl_us / 3 + skew_us), At::Inside(_)), "{ttl_us}");
        }
    }
}
