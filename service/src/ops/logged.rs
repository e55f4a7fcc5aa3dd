//! Limits how many lines are logged, so that logs do not fill a disk. `measure` and `leases` call
//! it before they log.

use crate::auth::Reason;
use crate::metrics::Operation;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The maximum number of lines for an operation's successes in `EVERY_S`. Operators see which
/// program leases which nodes, and a fleet that starts does not fill a disk.
const MAX_DONE: u64 = 100;

/// The minimum interval between two lines for the failures of one operation, in seconds.
///
/// While a store is down, every request fails. A line for each could fill the disk that the store
/// needs. Metrics count all failures.
const EVERY_S: u64 = 10;

/// When failures of one kind were logged last.
#[derive(Default)]
struct Last {
    /// Seconds since the start of the service, from 1; 0 means never.
    at_s: AtomicU64,
    left_out: AtomicU64,
}

impl Last {
    /// Returns `None` if this failure is not logged, or else how many were left out since the last
    /// line.
    fn due(&self, now_s: u64) -> Option<u64> {
        let at_s = self.at_s.load(Ordering::Relaxed);
        let is_due = at_s == 0 || now_s >= at_s + EVERY_S;
        if is_due && self.at_s.compare_exchange(at_s, now_s, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            return Some(self.left_out.swap(0, Ordering::Relaxed));
        }
        self.left_out.fetch_add(1, Ordering::Relaxed);
        None
    }
}

/// How many successes of an operation were logged in the current interval of `EVERY_S`.
#[derive(Default)]
struct Done {
    /// The number of the interval.
    time: AtomicU64,
    lines: AtomicU64,
    left_out: AtomicU64,
}

impl Done {
    /// Returns `None` if this success is not logged, or else how many were left out since the last
    /// line.
    fn due(&self, now_s: u64) -> Option<u64> {
        let time = now_s / EVERY_S;
        if self.time.swap(time, Ordering::Relaxed) != time {
            self.lines.store(0, Ordering::Relaxed);
        }
        if self.lines.fetch_add(1, Ordering::Relaxed) < MAX_DONE {
            return Some(self.left_out.swap(0, Ordering::Relaxed));
        }
        self.left_out.fetch_add(1, Ordering::Relaxed);
        None
    }
}

/// The state of the limits: successes by operation, failures by operation, and denied requests by
/// reason. Failures of the service count apart from those of what it depends on.
pub(crate) struct Logged {
    began: Instant,
    last: Vec<[Last; 2]>,
    done: Vec<Done>,
    denied: [Last; Reason::ALL.len()],
}

impl Logged {
    pub(crate) fn new() -> Self {
        Logged {
            began: Instant::now(),
            last: Operation::ALL.iter().map(|_| Default::default()).collect(),
            done: Operation::ALL.iter().map(|_| Done::default()).collect(),
            denied: Default::default(),
        }
    }

    /// Returns `None` if this success is not logged, or else how many were left out since the last
    /// line.
    pub(super) fn done(&self, operation: Operation) -> Option<u64> {
        self.done[operation as usize].due(self.now_s())
    }

    /// Returns `None` if this failure is not logged, or else how many were left out since the last
    /// line.
    pub(super) fn failed(&self, operation: Operation, is_own: bool) -> Option<u64> {
        self.due(operation, is_own, self.now_s())
    }

    /// Returns `None` if this denied request is not logged, or else how many were left out since
    /// the last line.
    pub(super) fn denied(&self, reason: Reason) -> Option<u64> {
        self.denied[reason as usize].due(self.now_s())
    }

    fn now_s(&self) -> u64 {
        self.began.elapsed().as_secs() + 1
    }

    /// Decides for a failure at the time `now_s`.
    fn due(&self, operation: Operation, is_own: bool, now_s: u64) -> Option<u64> {
        self.last[operation as usize][usize::from(is_own)].due(now_s)
    }
}

#[cfg(test)]
mod tests {
    use super::{Done, EVERY_S, Logged, MAX_DONE};
    use crate::metrics::Operation;

    #[test]
    fn completed_calls_are_logged_up_to_a_limit_and_counted() {
        let done = Done::default();
        let lines = (0..MAX_DONE + 5).filter(|_| done.due(1).is_some()).count();
        assert_eq!(lines as u64, MAX_DONE);
        assert_eq!(done.due(EVERY_S - 1), None);
        assert_eq!(done.due(EVERY_S), Some(6), "the next ten seconds");
        assert_eq!(done.due(EVERY_S), Some(0));
    }

    #[test]
    fn failures_that_repeat_are_one_line_each_ten_seconds_and_counted() {
        let logged = Logged::new();
        assert_eq!(logged.due(Operation::Generate, false, 1), Some(0), "the first at once");
        assert_eq!([1, 2, EVERY_S].map(|now_s| logged.due(Operation::Generate, false, now_s)), [None; 3]);
        assert_eq!(logged.due(Operation::Generate, true, 2), Some(0), "another kind of failure");
        assert_eq!(logged.due(Operation::LeaseAcquire, false, 2), Some(0), "another operation");
        assert_eq!(logged.due(Operation::Generate, false, 1 + EVERY_S), Some(3));
    }
}
