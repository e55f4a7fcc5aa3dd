//! Generates IDs without blocking a thread. `ops` calls it for each request.

use crate::problem::Problem;
use saiban::{Attempt, ErrorKind, IdValue};
use saiban_coordination::Issuer;
use std::time::{Duration, Instant};

/// Converts an error of a generator. If its lease has ended, the message states why.
pub(crate) fn explain<I: IdValue>(ids: &Issuer<I>, error: saiban::Error) -> Problem {
    ids.explain(error).map_or_else(|| Problem::of_issuing(error.into()), Problem::of_issuing)
}

/// Generates `count` IDs, or returns an error and no ID.
///
/// If the IDs of the tick are used up, the task sleeps for at most `max_wait` in total, and other
/// requests continue.
pub(crate) async fn generate<I: IdValue>(ids: &Issuer<I>, count: usize, max_wait: Duration) -> Result<Vec<I>, Problem> {
    let mut made = vec![I::default(); count];
    let mut done = 0;
    let mut began = None;
    loop {
        // The generator itself never waits.
        done += fill(ids, &mut made[done..])?;
        if done == count {
            return Ok(made);
        }
        let left = max_wait.saturating_sub(began.get_or_insert_with(Instant::now).elapsed());
        match ids.try_generate_within(left) {
            Ok(Attempt::Ready(id)) => {
                made[done] = id;
                done += 1;
                if done == count {
                    return Ok(made);
                }
            }
            Ok(Attempt::Wait(wait)) => tokio::time::sleep(wait).await,
            Err(error) => return Err(explain(ids, error)),
        }
    }
}

/// Generates as many IDs as are available now, and returns their number.
fn fill<I: IdValue>(ids: &Issuer<I>, made: &mut [I]) -> Result<usize, Problem> {
    match ids.fill(made) {
        Ok(filled) => Ok(filled),
        // Waiting solves these errors. The next step of the caller determines how long.
        Err(error)
            if matches!(error.kind(), ErrorKind::WouldWait | ErrorKind::ClockBackward | ErrorKind::LeaseNotBegun) =>
        {
            Ok(0)
        }
        Err(error) => Err(explain(ids, error)),
    }
}
