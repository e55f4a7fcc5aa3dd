//! Connections to a Redis server, and to the other servers of its cluster.

use crate::store::calls::CONNECT_LIMIT;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, ConnectionAddr, ErrorKind, RedisError, RedisResult, ServerErrorKind};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

type Address = (String, u16);
type Slot = Arc<tokio::sync::Mutex<Option<MultiplexedConnection>>>;

/// One multiplexed connection for each server, opened on demand. Concurrent calls share it.
pub(super) struct Connections {
    client: Client,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// Connections by address. `None` stands for the server that the URL names.
    open: HashMap<Option<Address>, Slot>,
    /// Which other server of the cluster owns a namespace or a counter, by its name.
    moved: HashMap<String, Address>,
}

impl Connections {
    pub(super) fn new(client: Client) -> Self {
        Connections { client, known: Mutex::default() }
    }

    /// Returns the URL's password, which must not appear in messages.
    pub(super) fn password(&self) -> Option<&str> {
        self.client.get_connection_info().redis_settings().password().filter(|password| !password.is_empty())
    }

    /// Returns the connection to the server that owns the keys of this name, and whether it is new.
    pub(super) async fn of(&self, name: &str) -> RedisResult<(MultiplexedConnection, bool)> {
        let (address, slot) = self.with(|known| {
            let address = known.moved.get(name).cloned();
            (address.clone(), Arc::clone(known.open.entry(address).or_default()))
        });
        let mut shared = slot.lock().await;
        if let Some(connection) = shared.as_ref() {
            return Ok((connection.clone(), false));
        }
        let limits =
            AsyncConnectionConfig::new().set_connection_timeout(Some(CONNECT_LIMIT)).set_response_timeout(None);
        let connection = self.client_of(address)?.get_multiplexed_async_connection_with_config(&limits).await?;
        *shared = Some(connection.clone());
        Ok((connection, true))
    }

    /// Drops the connection for this name. The next call connects to the server that the URL names.
    pub(super) fn forget(&self, name: &str) {
        self.with(|known| {
            let address = known.moved.remove(name);
            known.open.remove(&address);
        });
    }

    /// If the error redirects to another server (`MOVED`), records that server for the next try and
    /// returns true.
    pub(super) fn follow(&self, name: &str, error: &RedisError) -> bool {
        if error.kind() != ErrorKind::Server(ServerErrorKind::Moved) {
            return false;
        }
        let Some((host, port)) = error.redirect_node().and_then(|(address, _)| address.rsplit_once(':')) else {
            return false;
        };
        let Ok(port) = port.parse() else { return false };
        self.with(|known| {
            // A server that does not know its own host name omits it. The redirection then keeps
            // the host that was asked.
            let asked = known.moved.get(name).map(|(host, _)| host.clone()).unwrap_or_else(|| self.host());
            let host = if host.is_empty() { asked } else { host.to_owned() };
            known.moved.insert(name.to_owned(), (host, port));
        });
        true
    }

    fn with<T>(&self, use_it: impl FnOnce(&mut Known) -> T) -> T {
        use_it(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn host(&self) -> String {
        match self.client.get_connection_info().addr() {
            ConnectionAddr::Tcp(host, _) | ConnectionAddr::TcpTls { host, .. } => host.clone(),
            _ => String::new(),
        }
    }

    fn client_of(&self, address: Option<Address>) -> RedisResult<Client> {
        let Some((host, port)) = address else { return Ok(self.client.clone()) };
        let info = self.client.get_connection_info().clone();
        let address = match info.addr().clone() {
            ConnectionAddr::TcpTls { insecure, tls_params, .. } => {
                ConnectionAddr::TcpTls { host, port, insecure, tls_params }
            }
            _ => ConnectionAddr::Tcp(host, port),
        };
        Client::open(info.set_addr(address))
    }
}
