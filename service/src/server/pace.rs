//! Timeouts for the heads of requests, and for idle connections.
//!
//! The head of an HTTP/1.1 request has a short timeout, and so has the preface of HTTP/2. Between
//! requests, a connection may be idle for much longer, so that clients can reuse it. The timeout of
//! hyper does not distinguish these cases, and does not apply to HTTP/2.

use super::idle::Wait;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

/// The first bytes of an HTTP/2 connection. No HTTP/1.1 request starts with them.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The activity of a connection.
#[derive(Debug)]
pub(super) struct Pace {
    opened: Instant,
    /// The number of requests whose response is not sent completely. `begun` counts all requests so
    /// far.
    requests: AtomicUsize,
    begun: AtomicU64,
    /// When the last request ended, in milliseconds after the connection was opened.
    ended_ms: AtomicU64,
}

impl Default for Pace {
    fn default() -> Self {
        let (requests, begun, ended_ms) = Default::default();
        Pace { opened: Instant::now(), requests, begun, ended_ms }
    }
}

impl Pace {
    /// Completes when the connection has had no request for `limit`, measured from `since` at the
    /// earliest.
    pub(super) async fn idle(&self, since: Instant, limit: Duration) {
        loop {
            let ended = self.opened + Duration::from_millis(self.ended_ms.load(Ordering::Relaxed));
            let end = match self.requests.load(Ordering::Relaxed) {
                0 => ended.max(since) + limit,
                _ => Instant::now() + limit,
            };
            if end <= Instant::now() {
                return;
            }
            tokio::time::sleep_until(end).await;
        }
    }
}

/// A request on a connection, until its response is sent.
pub(super) struct Turn(Arc<Pace>);

impl Turn {
    pub(super) fn of(pace: &Arc<Pace>) -> Self {
        pace.requests.fetch_add(1, Ordering::Relaxed);
        pace.begun.fetch_add(1, Ordering::Relaxed);
        Turn(Arc::clone(pace))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let now_ms = self.0.opened.elapsed().as_millis() as u64;
        self.0.ended_ms.store(now_ms, Ordering::Relaxed);
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A stream whose reads fail if the head of a request takes too long.
pub(super) struct Paced<S> {
    stream: S,
    pace: Arc<Pace>,
    /// How many bytes of `PREFACE` have matched so far. `None` once the protocol is known.
    first: Option<usize>,
    is_http2: bool,
    /// The value of `begun` when the first bytes of the current head arrived.
    head: Option<u64>,
    wait: Wait,
}

impl<S> Paced<S> {
    pub(super) fn new(stream: S, pace: Arc<Pace>, limit: Duration) -> Self {
        Paced { stream, pace, first: Some(0), is_http2: false, head: None, wait: Wait::new(limit) }
    }

    /// Records that bytes arrived.
    fn came(&mut self, bytes: &[u8]) {
        if let Some(before) = self.first {
            let known = &PREFACE[before..];
            let count = known.len().min(bytes.len());
            self.first = (known[..count] == bytes[..count]).then_some(before + count);
            if self.first == Some(PREFACE.len()) {
                self.first = None;
                self.is_http2 = true;
            }
        }
        if self.pace.requests.load(Ordering::Relaxed) == 0 {
            let begun = self.pace.begun.load(Ordering::Relaxed);
            if self.head != Some(begun) {
                self.head = Some(begun);
                self.wait.restart();
            }
        }
    }

    /// Returns whether a head has begun to arrive, and is incomplete.
    fn is_in_head(&self) -> bool {
        !self.is_http2 && self.head == Some(self.pace.begun.load(Ordering::Relaxed))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        match read {
            Poll::Ready(Ok(())) if buffer.filled().len() > before => self.came(&buffer.filled()[before..]),
            // A head that arrives at once needs no timer.
            Poll::Pending if self.is_in_head() && self.wait.poll(context).is_ready() => {
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the head took too long")));
            }
            _ => {}
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::{sleep, timeout};

    const LIMIT: Duration = Duration::from_secs(10);
    const LONG: Duration = Duration::from_secs(3_600);

    #[tokio::test(start_paused = true)]
    async fn a_head_that_takes_too_long_ends_a_connection_and_silence_between_requests_does_not() {
        let (mut peer, stream) = duplex(64);
        let pace = Arc::new(Pace::default());
        let mut stream = Paced::new(stream, Arc::clone(&pace), LIMIT);
        let mut bytes = [0; 64];
        assert!(timeout(LONG, stream.read(&mut bytes)).await.is_err(), "before the first");
        for _ in 0..2 {
            peer.write_all(b"POST a head").await.expect("it is taken");
            assert_eq!(stream.read(&mut bytes).await.expect("bytes"), 11);
            let turn = Turn::of(&pace);
            assert!(timeout(LONG, stream.read(&mut bytes)).await.is_err(), "while it is answered");
            drop(turn);
            assert!(timeout(LONG, stream.read(&mut bytes)).await.is_err(), "after it");
        }
        let began = Instant::now();
        for _ in 0..2 {
            peer.write_all(b"P").await.expect("it is taken");
            assert_eq!(stream.read(&mut bytes).await.expect("a byte"), 1);
            assert!(timeout(LIMIT / 3, stream.read(&mut bytes)).await.is_err());
        }
        let error = stream.read(&mut bytes).await.expect_err("no more of it comes");
        assert_eq!((error.kind(), began.elapsed().as_secs()), (io::ErrorKind::TimedOut, LIMIT.as_secs()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_of_http2_has_no_such_limit_once_it_has_begun_however_its_first_bytes_come() {
        let (mut peer, stream) = duplex(64);
        let mut stream = Paced::new(stream, Arc::default(), LIMIT);
        let mut bytes = [0; 64];
        for part in [&b"P"[..], b"RI * HTTP/2.0\r\n\r\nSM", b"\r\n\r\na frame"] {
            peer.write_all(part).await.expect("it is taken");
            assert_eq!(stream.read(&mut bytes).await.expect("bytes"), part.len());
        }
        assert!(timeout(LONG, stream.read(&mut bytes)).await.is_err());
        let (mut peer, stream) = duplex(64);
        let mut stream = Paced::new(stream, Arc::default(), LIMIT);
        peer.write_all(b"PRI * HTTP/2.0\r\n\r\nSM").await.expect("it is taken");
        let error = stream.read_exact(&mut bytes).await.expect_err("no more of it comes");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_is_idle_since_its_last_request() {
        let pace = Arc::new(Pace::default());
        let began = Instant::now();
        pace.idle(began, LIMIT).await;
        assert_eq!(began.elapsed(), LIMIT, "since it was opened");
        let turn = Turn::of(&pace);
        let busy = tokio::spawn(async move {
            sleep(3 * LIMIT + LIMIT / 2).await;
            drop(turn);
        });
        pace.idle(began, LIMIT).await;
        assert_eq!(began.elapsed(), LIMIT * 5 + LIMIT / 2);
        pace.idle(Instant::now(), LIMIT / 2).await;
        assert_eq!(began.elapsed(), LIMIT * 6, "since then");
        busy.await.expect("it ended");
    }
}
