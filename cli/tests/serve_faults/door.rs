//! A proxy between a client and a server that can be blocked: it imitates network faults that
//! neither machine detects.

use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// How the proxy treats its connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It forwards all bytes.
    Open,
    /// It forwards bytes after this delay.
    Slow(Duration),
    /// It accepts connections and forwards nothing, undetected by both ends. When it opens again,
    /// connections continue.
    Blocked,
    /// It closes all connections, including new ones.
    Cut,
}

/// A proxy on a free port in front of a server.
pub struct Proxy {
    address: SocketAddr,
    way: watch::Sender<Way>,
    server: watch::Sender<SocketAddr>,
}

impl Proxy {
    /// Starts an open proxy.
    pub async fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (way, ways) = watch::channel(Way::Open);
        let (server, servers) = watch::channel(server);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(join(client, *servers.borrow(), ways.clone()));
            }
        });
        Proxy { address, way, server }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn set(&self, way: Way) {
        self.way.send_replace(way);
    }

    /// Directs new connections to this server.
    pub fn lead_to(&self, server: SocketAddr) {
        self.server.send_replace(server);
    }
}

async fn join(client: TcpStream, server: SocketAddr, ways: watch::Receiver<Way>) {
    // A refused client does not learn whether the service listens.
    let mut open = ways.clone();
    if open.wait_for(|way| *way != Way::Blocked).await.is_err() || *open.borrow() == Way::Cut {
        return;
    }
    let Ok(server) = TcpStream::connect(server).await else { return };
    for stream in [&client, &server] {
        let _ = stream.set_nodelay(true);
    }
    let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
    let mut cut = ways.clone();
    tokio::select! {
        _ = cut.wait_for(|way| *way == Way::Cut) => {}
        () = pass(from_client, to_server, ways.clone()) => {}
        () = pass(from_server, to_client, ways) => {}
    }
}

/// Forwards bytes until one side ends, which ends both.
async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut ways: watch::Receiver<Way>) {
    let mut bytes = vec![0; 16 << 10];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        let Ok(way) = ways.wait_for(|way| *way != Way::Blocked).await.map(|way| *way) else { return };
        if let Way::Slow(by) = way {
            tokio::time::sleep(by).await;
        }
        if to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}
