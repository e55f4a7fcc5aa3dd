//! The server: sockets, TLS, connections, their timeouts, and shutdown. `run` starts it.

mod connection;
mod front;
mod held;
mod idle;
mod listener;
mod pace;
mod patience;
mod tls;

pub(crate) use listener::raise_limit;
pub(crate) use tls::{Tls, tls};

use crate::service::Service;
use connection::Connections;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;

/// The listening sockets.
pub(crate) struct Sockets(Vec<TcpListener>);

impl Sockets {
    /// Binds all addresses.
    ///
    /// # Errors
    /// The address that failed, and why.
    pub(crate) async fn bind(addresses: &[SocketAddr]) -> Result<Self, (SocketAddr, io::Error)> {
        let mut sockets = Vec::new();
        for address in addresses {
            sockets.push(listener::bind(*address, addresses).map_err(|error| (*address, error))?);
        }
        Ok(Sockets(sockets))
    }

    /// Returns the bound addresses. A port 0 is replaced by the one that the system chose.
    pub(crate) fn addresses(&self) -> Vec<SocketAddr> {
        self.0.iter().filter_map(|socket| socket.local_addr().ok()).collect()
    }
}

/// Serves connections until `end` completes. Requests in flight then finish, for at most
/// `limits.shutdown_timeout_s`.
pub(crate) async fn serve(service: &Arc<Service>, sockets: Sockets, end: impl Future<Output = ()>) {
    let connections = Connections::new(service);
    let accepting: Vec<_> =
        sockets.0.into_iter().map(|socket| tokio::spawn(listener::accept(socket, Arc::clone(&connections)))).collect();
    end.await;
    service.end();
    for task in &accepting {
        task.abort();
    }
    for task in accepting {
        // The task was aborted, so it returns an error.
        let _ = task.await;
    }
    let limit = service.limits().shutdown_timeout();
    let _ = connections.ending.send(true);
    if tokio::time::timeout(limit, connections.ending.closed()).await.is_err() {
        let open = service.metrics.connections.get();
        tracing::warn!(open, limit_s = limit.as_secs(), "connections were still open, and are closed");
    }
}
