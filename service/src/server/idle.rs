//! Write timeouts: a connection fails if its client reads nothing for too long.
//!
//! Resetting a timer for every request would wake the runtime every time. This timer keeps running:
//! when it fires, it is set again to the time that is left.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// A stream whose writes fail if the peer does not read for too long.
pub(super) struct Idle<S> {
    stream: S,
    write: Wait,
}

impl<S> Idle<S> {
    pub(super) fn new(stream: S, limit: Duration) -> Self {
        Idle { stream, write: Wait::new(limit) }
    }
}

/// A timer for one wait for the peer.
pub(super) struct Wait {
    limit: Duration,
    since: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Wait {
    pub(super) fn new(limit: Duration) -> Self {
        Wait { limit, since: None, timer: None }
    }

    /// Ends the wait. The next poll starts a new one.
    pub(super) fn restart(&mut self) {
        self.since = None;
    }

    /// Returns `Ready` when the wait has taken too long.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let end = *self.since.get_or_insert_with(Instant::now) + self.limit;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(end)));
        while timer.as_mut().poll(cx).is_ready() {
            if timer.deadline() >= end {
                return Poll::Ready(());
            }
            timer.as_mut().reset(end);
        }
        Poll::Pending
    }

    /// Passes on the result of an operation, or fails with `TimedOut` if it has been pending for
    /// too long.
    fn watch<T>(&mut self, cx: &mut Context<'_>, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if done.is_ready() {
            self.restart();
            return done;
        }
        self.poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Idle<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Idle<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.write.watch(cx, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.write.watch(cx, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_flush(cx);
        self.write.watch(cx, done)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.write.watch(cx, done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[tokio::test(start_paused = true)]
    async fn each_read_restarts_the_timeout_and_then_the_peer_times_out() {
        let (mut peer, stream) = duplex(1);
        let mut stream = Idle::new(stream, Duration::from_secs(10));
        let began = Instant::now();
        let reading = tokio::spawn(async move {
            for _ in 0..3 {
                tokio::time::sleep(Duration::from_secs(7)).await;
                peer.read_u8().await.expect("a byte");
            }
            peer
        });
        let error = stream.write_all(b"too much").await.expect_err("nobody reads it any more");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(began.elapsed().as_secs(), 21 + 10);
        drop(reading.await);
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_reads_nothing_times_out() {
        let (_peer, stream) = duplex(1);
        let mut stream = Idle::new(stream, Duration::from_secs(3));
        let began = Instant::now();
        let error = stream.write_all(b"too much").await.expect_err("nobody reads it");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(began.elapsed().as_secs(), 3);
    }
}
