//! Answers over HTTP/2 that are not read are given up.
//!
//! What is not read is not even written, so that no limit on writing finds it. Each such answer is a task of its own, which hyper makes: who gives
//! it what is to be sent tells so, and here it is seen how long it waits afterwards. Answers that are sent at once need no timer.

use super::idle::Wait;
use hyper::rt::Executor;
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

/// What an answer is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// Nothing can be sent yet.
    Making,
    /// There is something for the other side to read.
    Sending,
}

thread_local! {
    /// What the answer whose task runs on this thread said last.
    static DOING: Cell<Option<Doing>> = const { Cell::new(None) };
}

/// Tells what the answer is doing whose task this is.
pub(super) fn tell(doing: Doing) {
    DOING.set(Some(doing));
}

/// Runs answers, each until it is sent or nothing of it was read for this long: then its stream is reset.
#[derive(Clone)]
pub(super) struct Patient(pub(super) Duration);

impl<F> Executor<F> for Patient
where
    F: Future<Output: Send> + Send + 'static,
{
    fn execute(&self, answer: F) {
        tokio::spawn(patiently(answer, self.0));
    }
}

async fn patiently(answer: impl Future, limit: Duration) {
    let mut answer = pin!(answer);
    let mut wait = Wait::new(limit);
    let mut doing = Doing::Making;
    poll_fn(|context| {
        DOING.set(None);
        if answer.as_mut().poll(context).is_ready() {
            return Poll::Ready(());
        }
        if let Some(now) = DOING.take() {
            doing = now;
            wait.restart();
        }
        match doing {
            Doing::Making => Poll::Pending,
            Doing::Sending => wait.poll(context),
        }
    })
    .await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::{Instant, sleep, timeout};

    const LIMIT: Duration = Duration::from_secs(10);

    #[tokio::test(start_paused = true)]
    async fn what_is_not_read_is_given_up_and_what_is_made_or_read_slowly_is_not() {
        let began = Instant::now();
        let answer = async {
            tell(Doing::Making);
            sleep(5 * LIMIT).await;
            for _ in 0..5 {
                tell(Doing::Sending);
                sleep(LIMIT - Duration::from_secs(1)).await;
            }
            tell(Doing::Making);
            sleep(5 * LIMIT).await;
            tell(Doing::Sending);
            std::future::pending::<()>().await;
        };
        timeout(100 * LIMIT, patiently(answer, LIMIT)).await.expect("it is given up");
        assert_eq!(began.elapsed(), Duration::from_secs(50 + 5 * 9 + 50 + 10));
    }
}
