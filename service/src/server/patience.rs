//! Write timeouts for responses over HTTP/2: a response that the client does not read is reset.
//!
//! What the client does not read is never written, so timeouts of writes do not apply. hyper runs
//! each response in a task of its own. Its body reports by [`tell`] what it is doing, and
//! [`Patient`] measures how long it then waits. Responses that are sent at once need no timer.

use super::idle::Wait;
use hyper::rt::Executor;
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

/// What a response is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// The response waits for its content.
    Making,
    /// The response waits for the client to read.
    Sending,
}

thread_local! {
    /// The last report of the response whose task runs on this thread.
    static DOING: Cell<Option<Doing>> = const { Cell::new(None) };
}

/// Reports what the response of this task is doing.
pub(super) fn report(doing: Doing) {
    DOING.set(Some(doing));
}

/// An executor that runs each response until it is sent, or until the client has read nothing for
/// this time. The stream is then reset.
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
    async fn an_unread_answer_times_out_and_a_slowly_made_or_read_one_does_not() {
        let began = Instant::now();
        let answer = async {
            report(Doing::Making);
            sleep(5 * LIMIT).await;
            for _ in 0..5 {
                report(Doing::Sending);
                sleep(LIMIT - Duration::from_secs(1)).await;
            }
            report(Doing::Making);
            sleep(5 * LIMIT).await;
            report(Doing::Sending);
            std::future::pending::<()>().await;
        };
        timeout(100 * LIMIT, patiently(answer, LIMIT)).await.expect("it is given up");
        assert_eq!(began.elapsed(), Duration::from_secs(50 + 5 * 9 + 50 + 10));
    }
}
