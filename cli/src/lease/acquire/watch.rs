//! Watches a command while it runs under a lease. The command ends by itself, or with the lease.

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

/// How long a command has to end after the notice that its lease is lost, if the lease lasts that
/// long.
const GRACE: Duration = Duration::from_secs(10);

/// The longest sleep between two reads of the clock. IDs that the command makes after somebody set
/// the clock, and before the next read, can repeat.
const LONGEST_NAP: Duration = Duration::from_millis(50);

/// The layout of the command's IDs, and the ttl of its lease.
pub(super) struct Subject<'a> {
    pub(super) layout: &'a Layout,
    pub(super) ttl_us: i64,
}

/// Waits for the command's end. Returns its status, or `None` if the lease was lost, or if this
/// machine's clock left the lease's time.
pub(super) async fn until_end(
    command: &mut Running,
    subject: &Subject<'_>,
    keeper: &mut Keeper,
    signals: &mut Signals,
) -> Result<Option<ExitStatus>, Failure> {
    let mut told_at: Option<Instant> = None;
    loop {
        let (at, problem) = read(subject, &keeper.news());
        if let Some(problem) = problem.filter(|_| told_at.is_none()) {
            problem.print();
            command::send(Signal::TERM, &command.child);
            told_at = Some(Instant::now());
        }
        // Between the notice and the end the command has time. Outside the lease each ID that it
        // makes can be another holder's.
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
                    let (at, problem) = read(subject, &keeper.news());
                    let Some(problem) = problem.filter(|_| matches!(at, At::Before | At::Past)) else { return Ok(Some(status)) };
                    problem.print();
                }
                command.kill();
                return Ok(None);
            }
            () = keeper.over(), if told_at.is_none() => {}
            () = sleep(nap) => {}
        }
    }
}

/// Returns the position of the clock in the lease, and why the command must end, if it must.
fn read(subject: &Subject<'_>, news: &News) -> (At, Option<Failure>) {
    let News { grant, is_over, why } = news;
    let Some((grant, clock_us)) = grant.as_ref().zip(clock_us()) else {
        // Without a readable clock, the time cannot be shown to be the lease's.
        return (At::Past, Some(saiban::Error::ClockUnavailable.into()));
    };
    let bounds = Bounds::of(grant, subject.layout, subject.ttl_us);
    let of_clock = bounds.problem(clock_us, grant, why.as_ref()).map(Failure::from);
    let of_lease = is_over.then(|| lost(why.clone()));
    // The store's own error explains more than a remark that time is short.
    let problem = if why.is_some() { of_lease.or(of_clock) } else { of_clock.or(of_lease) };
    (bounds.at(clock_us), problem)
}

/// Returns the failure of a lost lease: the store's error if it is known, or a general message.
pub(super) fn lost(why: Option<saiban_coordination::Error>) -> Failure {
    let message = "the lease has ended: the store did not extend it in time";
    Failure::from(why.unwrap_or_else(|| saiban_coordination::Error::new(ErrorKind::LeaseLost, message)))
}
