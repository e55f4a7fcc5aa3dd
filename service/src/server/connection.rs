//! Serves one connection: its limits, its TLS and its requests. `listener` opens connections here.

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

/// The response to an HTTP/1.1 client when too many connections are open.
const TOO_MANY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: close\r\n\
Content-Length: 125\r\n\r\n{\"error\":{\"code\":\"OVERLOADED\",\"message\":\"too many connections are open (limits.max_connections): try again\",\"position\":null}}";

/// The maximum size of a request's head, in bytes.
const MAX_HEAD_BYTES: usize = 16 << 10;

/// The state that all connections share.
pub(super) struct Connections {
    service: Arc<Service>,
    front: Front,
    free: Arc<Semaphore>,
    /// Notifies all connections that the service ends. It is closed when the last connection has
    /// ended.
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

    /// Serves a connection in a task of its own. If too many are open, the connection is closed,
    /// without TLS after an error response.
    pub(super) fn open(self: &Arc<Self>, stream: TcpStream, peer: SocketAddr) {
        let metrics = &self.service.metrics;
        metrics.connections_accepted.inc();
        let Ok(place) = Arc::clone(&self.free).try_acquire_owned() else {
            metrics.connections_refused.inc();
            if self.service.settings().tls.is_none() {
                // The send buffer of a new socket has room for the response. If it has not, the
                // connection is closed without one.
                let _ = stream.try_write(TOO_MANY);
            }
            return;
        };
        // Responses are small, and clients wait for them.
        let _ = stream.set_nodelay(true);
        let connections = Arc::clone(self);
        tokio::spawn(async move { connections.keep(stream, peer, place).await });
    }

    async fn keep(self: Arc<Self>, stream: TcpStream, peer: SocketAddr, place: OwnedSemaphorePermit) {
        let metrics = &self.service.metrics;
        metrics.connections.inc();
        // Held until the connection ends, because shutdown waits until all receivers are dropped.
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
                () = ended(&mut ending) => Ok(()),
            },
        };
        if let Err(error) = ended {
            tracing::debug!(%peer, "connection: {error}");
        }
        // Frees the place before the metric shows that the connection has ended.
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
            () = ended(ending) => {}
            () = pace.idle(Instant::now(), limits.idle_timeout()) => {}
        }
        // Requests in flight finish. An idle connection is closed if the client does not close it
        // soon.
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            ended = connection.as_mut() => ended,
            () = pace.idle(Instant::now(), limits.header_timeout()) => Ok(()),
        }
    }
}

/// Returns the protocol settings of a connection, with the limits at its start.
fn builder(limits: &Limits) -> Builder<Patient> {
    let mut builder = Builder::new(Patient(limits.write_timeout()));
    builder
        .http1()
        .timer(TokioTimer::new())
        // `Paced` limits the time for the head instead.
        .header_read_timeout(None)
        .max_buf_size(MAX_HEAD_BYTES);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits.max_streams_per_connection)
        .max_header_list_size(MAX_HEAD_BYTES as u32)
        .keep_alive_interval(limits.idle_timeout() / 3)
        .keep_alive_timeout(limits.header_timeout());
    builder
}

/// Waits until the service ends.
async fn ended(ending: &mut watch::Receiver<bool>) {
    // The sender outlives all connections, so this does not fail.
    let _ = ending.wait_for(|is_ending| *is_ending).await;
}
