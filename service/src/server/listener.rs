//! Binds sockets and accepts connections, also when file descriptors run out.

use super::connection::Connections;
use rustix::net::sockopt::set_ipv6_v6only;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket};

/// The maximum number of connections that wait to be accepted.
const BACKLOG: u32 = 4_096;

/// The pause when no file descriptors are left. A connection must end first.
const PAUSE: Duration = Duration::from_millis(100);

/// Binds an address, and listens on it.
///
/// `others` are all configured addresses. If one is an IPv4 address with this port, an IPv6 socket
/// accepts IPv6 connections only.
pub(super) fn bind(address: SocketAddr, others: &[SocketAddr]) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Allows a restarted service to bind the port at once.
    socket.set_reuseaddr(true)?;
    if address.is_ipv6() && others.iter().any(|other| other.is_ipv4() && other.port() == address.port()) {
        set_ipv6_v6only(&socket, true)?;
    }
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Accepts connections until the task is aborted.
pub(super) async fn accept(socket: TcpListener, connections: Arc<Connections>) {
    let mut is_told = false;
    loop {
        match socket.accept().await {
            Ok((stream, peer)) => {
                is_told = false;
                connections.open(stream, peer);
            }
            Err(error) if is_of_the_peer(&error) => {}
            Err(error) => {
                if !is_told {
                    tracing::error!(
                        "connections cannot be accepted: {error}; raise the limit of open files (LimitNOFILE)"
                    );
                    is_told = true;
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Returns whether the error is the client's, which has disconnected already.
fn is_of_the_peer(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionRefused
    )
}

/// Raises the limit of open files to the maximum. Logs a warning if that is too low for the
/// configured number of connections.
#[cfg(unix)]
pub(crate) fn raise_limit(max_connections: usize) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum {
        // If this fails, the limit stays as it was.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
    // Files, stores and listening sockets.
    const OTHERS: u64 = 100;
    let wanted = max_connections as u64 + OTHERS;
    if let Some(current) = getrlimit(Resource::Nofile).current.filter(|current| *current < wanted) {
        tracing::warn!(
            current,
            wanted,
            "the limit of open files is lower than limits.max_connections needs: raise it (LimitNOFILE), or allow fewer"
        );
    }
}

/// Windows has no limit of open files.
#[cfg(not(unix))]
pub(crate) fn raise_limit(_max_connections: usize) {}
