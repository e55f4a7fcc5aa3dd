//! One connection: its limits, its TLS, its requests.

use super::front::Front;
use super::idle::Idle;
use super::pace::{Pace, Paced};
use super::patience::Patient;
use crate::config::Limits;
use crate::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::Instant;

/// What a connection of HTTP/1.1 is told where there are too many.
const TOO_MANY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: close\r\n\
Content-Length: 125\r\n\r\n{\"error\":{\"code\":\"OVERLOADED\",\"message\":\"too many connections are open (limits.max_connections): try again\",\"position\":null}}";

/// The largest head of a request.
const MOST_HEAD_BYTES: usize = 16 << 10;

/// All connections of the service.
pub(super) struct Connections {
    service: Arc<Service>,
    front: Front,
    free: Arc<Semaphore>,
    /// Says to all connections that the service ends, and knows when the last has.
    pub(super) ending: watch::Sender<bool>,
}

impl Connections {
    pub(super) fn new(service: &Arc<Service>) -> Arc<Self> {
        Arc::new(Connections {
            front: Front::of(service),
            free: Arc::new(Semaphore::new(service.limits().max_connections)),
            service: Arc::clone(service),
            ending: watch::channel(false).0,
        })
    }

    /// Serves a connection in a task of its own; where there are too many it is told so, and closed.
    pub(super) fn open(self: &Arc<Self>, stream: TcpStream, peer: SocketAddr) {
        let metrics = &self.service.metrics;
        metrics.connections_accepted.inc();
        let Ok(place) = Arc::clone(&self.free).try_acquire_owned() else {
            metrics.connections_refused.inc();
            if self.service.settings().tls.is_none() {
                // What is new has room for it; else it is closed all the same.
                let _ = stream.try_write(TOO_MANY);
            }
            return;
        };
        // Answers are small, and waited for.
        let _ = stream.set_nodelay(true);
        let connections = Arc::clone(self);
        tokio::spawn(async move { connections.keep(stream, peer, place).await });
    }

    async fn keep(self: Arc<Self>, stream: TcpStream, peer: SocketAddr, place: OwnedSemaphorePermit) {
        let metrics = &self.service.metrics;
        metrics.connections.inc();
        // Kept until the connection has ended, which is waited for.
        let mut ending = self.ending.subscribe();
        let limits = self.service.limits();
        let stream = Idle::new(stream, limits.write_timeout());
        let tls = self.service.settings().tls.clone();
        let ended = match tls {
            None => self.serve(stream, peer, None, &mut ending).await,
            Some(tls) => tokio::select! {
                accepted = tokio::time::timeout(limits.header_timeout(), tls.acceptor.accept(stream)) => match accepted {
                    Ok(Ok(stream)) => self.serve(stream, peer, tls.client_ca, &mut ending).await,
                    Ok(Err(error)) => Err(error.into()),
                    Err(_) => Err(io::Error::from(io::ErrorKind::TimedOut).into()),
                },
                () = told(&mut ending) => Ok(()),
            },
        };
        if let Err(error) = ended {
            tracing::debug!(%peer, "connection: {error}");
        }
        // Who is told that it has ended finds its place free.
        drop(place);
        metrics.connections.dec();
    }

    async fn serve(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: SocketAddr,
        client_ca: Option<[u8; 32]>,
        ending: &mut watch::Receiver<bool>,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let limits = self.service.limits();
        let pace = Arc::new(Pace::default());
        let stream = Paced::new(stream, Arc::clone(&pace), limits.header_timeout());
        let front = self.front.of_connection(peer, client_ca, Arc::clone(&pace));
        let builder = builder(&limits);
        let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), front));
        tokio::select! {
            ended = connection.as_mut() => return ended,
            () = told(ending) => {}
            () = pace.idle(Instant::now(), limits.idle_timeout()) => {}
        }
        // What is being answered still is; what is idle is closed, where the other side does not do it soon.
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            ended = connection.as_mut() => ended,
            () = pace.idle(Instant::now(), limits.header_timeout()) => Ok(()),
        }
    }
}

/// What serves a connection, with the limits at its beginning.
fn builder(limits: &Limits) -> Builder<Patient> {
    let mut builder = Builder::new(Patient(limits.write_timeout()));
    builder
        .http1()
        .timer(TokioTimer::new())
        // See `pace`.
        .header_read_timeout(None)
        .max_buf_size(MOST_HEAD_BYTES);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits.max_streams_per_connection)
        .max_header_list_size(MOST_HEAD_BYTES as u32)
        .keep_alive_interval(limits.idle_timeout() / 3)
        .keep_alive_timeout(limits.header_timeout());
    builder
}

/// Ends when the service does.
async fn told(ending: &mut watch::Receiver<bool>) {
    // Who tells so outlives all connections.
    let _ = ending.wait_for(|is_ending| *is_ending).await;
}
