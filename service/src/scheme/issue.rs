//! A generator behind the service, and how it is asked without holding up a thread.

use crate::problem::Problem;
use saiban::{Attempt, Encoding, ErrorKind, Generator, IdValue, Scheme, Text};
use saiban_coordination::Issuer;
use std::time::{Duration, Instant};

/// A generator that follows its lease.
pub(crate) trait Issue<I: IdValue>: Generator<I> + Send + Sync {
    /// What an error of its own means: of one whose lease is over, why it is.
    fn explain(&self, error: saiban::Error) -> Problem;
}

impl<I: IdValue, G: Generator<I> + Send + Sync> Issue<I> for Issuer<G> {
    fn explain(&self, error: saiban::Error) -> Problem {
        Problem::of_issuing(Issuer::explain(self, error))
    }
}

/// Makes so many IDs. Where the tick's are used up it waits, for at most `max_wait`, and other requests go on meanwhile. All or none.
pub(crate) async fn generate<I: IdValue>(
    ids: &dyn Issue<I>,
    count: usize,
    max_wait: Duration,
) -> Result<Vec<I>, Problem> {
    let mut made = vec![I::default(); count];
    let mut done = 0;
    let mut began = None;
    loop {
        // Generators are built so that they wait for nothing by themselves.
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
            Err(error) => return Err(ids.explain(error)),
        }
    }
}

/// As many as there are at the moment.
fn fill<I: IdValue>(ids: &dyn Issue<I>, made: &mut [I]) -> Result<usize, Problem> {
    match ids.fill(made) {
        Ok(filled) => Ok(filled),
        // What a wait mends, the next step tells.
        Err(error)
            if matches!(error.kind(), ErrorKind::WouldWait | ErrorKind::ClockBackward | ErrorKind::LeaseNotBegun) =>
        {
            Ok(0)
        }
        Err(error) => Err(ids.explain(error)),
    }
}

/// The text of an ID that was made here: canonical, or in this encoding.
pub(crate) fn text<I: IdValue>(ids: &dyn Issue<I>, id: I, encoding: Option<Encoding>) -> Result<Text, saiban::Error> {
    let scheme = ids.scheme();
    match encoding {
        None if scheme == Scheme::TickId => ids.to_text(id),
        None => id.any(ids.bits()).encode_as(scheme.encoding(), scheme.text_width()),
        Some(encoding) => id.any(ids.bits()).encode(encoding),
    }
}
