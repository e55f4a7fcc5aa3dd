//! Accepting connections, and surviving that there are too many.

use super::connection::Connections;
use rustix::net::sockopt::set_ipv6_v6only;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket};

/// How many connections may wait to be accepted.
const BACKLOG: u32 = 4_096;

/// How long to wait where there are no descriptors left: some connection has to end first.
const PAUSE: Duration = Duration::from_millis(100);

/// `others` are listened on too: where IPv4's connections to the port have a socket of their own, an address of IPv6 leaves them to that.
pub(super) fn bind(address: SocketAddr, others: &[SocketAddr]) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // What is started again finds the port of what has just ended.
    socket.set_reuseaddr(true)?;
    if address.is_ipv6() && others.iter().any(|other| other.is_ipv4() && other.port() == address.port()) {
        set_ipv6_v6only(&socket, true)?;
    }
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Accepts, for ever.
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

/// Who connected has gone already.
fn is_of_the_peer(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionRefused
    )
}

/// Raises the limit of open files as far as it may be, and says where that is fewer than the connections that are allowed.
pub(crate) fn raise_limit(max_connections: usize) {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum {
        // Where it cannot be raised it stays as it was.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
    // Files, stores and the sockets that are listened on.
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
