//! A command while it runs under a lease: it ends by itself, or with the lease.

use super::bounds::{At, Bounds, clock_us};
use super::command::{self, Running};
use super::keeper::{Keeper, News};
use super::signals::{self, Signals};
use crate::failure::Failure;
use rustix::process::Signal;
use saiban::{ErrorKind, Layout};
use std::process::ExitStatus;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long a command has to end after it was told that its lease is lost, if that has so much time.
const GRACE: Duration = Duration::from_secs(10);

/// How long to wait at most before looking at the clock: what is made after it was set, and before it is looked at, can repeat.
const LONGEST_NAP: Duration = Duration::from_millis(50);

/// For which IDs, and for how long at a time.
pub(super) struct Subject<'a> {
    pub(super) layout: &'a Layout,
    pub(super) ttl_us: i64,
}

/// Waits for the command's end; `None` where it was ended because the lease, or this machine's clock, did not hold.
pub(super) async fn until_end(
    command: &mut Running,
    subject: &Subject<'_>,
    keeper: &mut Keeper,
    signals: &mut Signals,
) -> Result<Option<ExitStatus>, Failure> {
    let mut told_at: Option<Instant> = None;
    loop {
        let (at, problem) = look(subject, &keeper.news());
        if let Some(problem) = problem.filter(|_| told_at.is_none()) {
            problem.tell();
            command::send(Signal::TERM, &command.child);
            told_at = Some(Instant::now());
        }
        // Between the notice and the end it has time; before and after the lease each ID can be another's.
        let is_late = told_at.is_some_and(|at| at.elapsed() >= GRACE);
        if is_late || matches!(at, At::Before | At::Past) {
            command.kill();
        }
        let nap = match at {
            At::Inside(left_us) => Duration::from_micros(left_us.unsigned_abs()).min(LONGEST_NAP),
            _ => LONGEST_NAP / 5,
        };
        tokio::select! {
            biased;
            signal = signals.next() => signals::pass_on(signal, &command.child),
            status = command.child.wait() => {
                let status = status.map_err(Failure::io("waiting for the command"))?;
                if told_at.is_none() {
                    let (at, problem) = look(subject, &keeper.news());
                    let Some(problem) = problem.filter(|_| matches!(at, At::Before | At::Past)) else { return Ok(Some(status)) };
                    problem.tell();
                }
                command.kill();
                return Ok(None);
            }
            () = keeper.over(), if told_at.is_none() => {}
            () = sleep(nap) => {}
        }
    }
}

/// Where the clock is in the lease, and why the command is to end, if it is.
fn look(subject: &Subject<'_>, news: &News) -> (At, Option<Failure>) {
    let News { grant, is_over, why } = news;
    let Some((grant, clock_us)) = grant.as_ref().zip(clock_us()) else {
        // Who cannot tell the time is at none that is the lease's.
        return (At::Past, Some(saiban::Error::ClockUnavailable.into()));
    };
    let bounds = Bounds::of(grant, subject.layout, subject.ttl_us);
    let of_clock = bounds.problem(clock_us, grant, why.as_ref()).map(Failure::from);
    let of_lease = is_over.then(|| lost(why.clone()));
    // The store's own no says more than that time is short.
    let problem = if why.is_some() { of_lease.or(of_clock) } else { of_clock.or(of_lease) };
    (bounds.at(clock_us), problem)
}

/// The lease is over.
pub(super) fn lost(why: Option<saiban_coordination::Error>) -> Failure {
    let message = "the lease is over: the store gave no more time before it ended";
    Failure::from(why.unwrap_or_else(|| saiban_coordination::Error::new(ErrorKind::LeaseLost, message)))
}
