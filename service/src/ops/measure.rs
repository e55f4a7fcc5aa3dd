//! Every request is measured, and told of where it failed.

use crate::auth::Reason;
use crate::caller::Caller;
use crate::metrics::{Operation, Protocol};
use crate::problem::{Code, Problem};
use crate::service::Service;
use http::StatusCode;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// How many lines an operation's successes are at most in each of these times: an operator sees who leases what, and a fleet that starts, or
/// somebody who leases without an end, fills no disk.
const MOST_DONE: u64 = 100;

/// How often an operation's failures are logged at most, seconds: while a store is away, every request that is refused would be a line, and
/// together they could fill the disk that the store needs. Metrics count all of them.
const EVERY_S: u64 = 10;

/// The most of a path that is logged, characters: callers choose it.
const MOST_PATH: usize = 100;

/// When failures of one kind were logged last.
#[derive(Default)]
struct Last {
    /// Seconds of the service's life, from 1 on.
    at_s: AtomicU64,
    left_out: AtomicU64,
}

impl Last {
    /// Whether to log this one, and how many were left out since the last.
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

/// How many successes were logged in a time of EVERY_S.
#[derive(Default)]
struct Done {
    /// Which time it is.
    time: AtomicU64,
    lines: AtomicU64,
    left_out: AtomicU64,
}

impl Done {
    /// Whether to log this one, and how many were left out since the last.
    fn due(&self, now_s: u64) -> Option<u64> {
        let time = now_s / EVERY_S;
        if self.time.swap(time, Ordering::Relaxed) != time {
            self.lines.store(0, Ordering::Relaxed);
        }
        if self.lines.fetch_add(1, Ordering::Relaxed) < MOST_DONE {
            return Some(self.left_out.swap(0, Ordering::Relaxed));
        }
        self.left_out.fetch_add(1, Ordering::Relaxed);
        None
    }
}

/// What was logged of which operation: failures that are the service's own, and those of what it needs; and of who was not let in, by reason.
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

    fn now_s(&self) -> u64 {
        self.began.elapsed().as_secs() + 1
    }

    /// Whether to log this one, and how many were left out since the last.
    fn due(&self, operation: Operation, is_own: bool, now_s: u64) -> Option<u64> {
        self.last[operation as usize][usize::from(is_own)].due(now_s)
    }
}

impl Service {
    /// Does this, and counts how it went.
    pub(crate) async fn measure<T>(
        &self,
        operation: Operation,
        protocol: Protocol,
        work: impl Future<Output = Result<T, Problem>>,
    ) -> Result<T, Problem> {
        let began = Instant::now();
        let done = work.await;
        self.answered(operation, protocol, done.as_ref().err(), began);
        done
    }

    /// Whether to log that this was done, and how many were left out since that was logged last.
    pub(super) fn logged_now(&self, operation: Operation) -> Option<u64> {
        self.logged.done[operation as usize].due(self.logged.now_s())
    }

    /// Counts a request that was denied, and logs some of them: anybody who reaches the service
    /// can cause these lines.
    pub(crate) fn denied(&self, reason: Reason, caller: &Caller, path: &str) {
        self.metrics.denied(reason);
        if let Some(left_out) = self.logged.denied[reason as usize].due(self.logged.now_s()) {
            let path: String = path.chars().take(MOST_PATH).collect();
            let forwarded = caller.forwarded.map(tracing::field::display);
            tracing::info!(reason = reason.name(), peer = %caller.peer, forwarded, path, left_out, "denied");
        }
    }

    /// Counts an answer, or why there was none.
    pub(crate) fn answered(&self, operation: Operation, protocol: Protocol, problem: Option<&Problem>, began: Instant) {
        let code = problem.map(|problem| problem.code().name());
        self.metrics.answered(operation, protocol, code, began.elapsed());
        let Some(problem) = problem else { return };
        let status = problem.code().status();
        let is_own = status == StatusCode::INTERNAL_SERVER_ERROR;
        let is_graver = is_own || status == StatusCode::SERVICE_UNAVAILABLE && problem.code() != Code::Overloaded;
        let due = is_graver.then(|| self.logged.due(operation, is_own, self.logged.now_s())).flatten();
        let (operation, code, message) = (operation.name(), problem.code().name(), problem.message());
        match due {
            Some(left_out) if is_own => tracing::error!(operation, code, left_out, "{message}"),
            Some(left_out) => tracing::warn!(operation, code, left_out, "{message}"),
            // What callers do wrong is theirs to see, and could fill a disk.
            None => tracing::debug!(operation, code, "{message}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Done, EVERY_S, Logged, MOST_DONE};
    use crate::metrics::Operation;

    #[test]
    fn what_is_done_is_logged_up_to_so_many_lines_and_counted() {
        let done = Done::default();
        let lines = (0..MOST_DONE + 5).filter(|_| done.due(1).is_some()).count();
        assert_eq!(lines as u64, MOST_DONE);
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
