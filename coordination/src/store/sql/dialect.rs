//! The differences between the databases: how to connect, and their SQL.

use super::failure::{Failure, Judge};
use super::session::{Session, Value};
use async_trait::async_trait;

/// Connects to a database.
#[async_trait]
pub(super) trait Server: Send + Sync {
    /// Opens a connection. `create` allows a client to create a missing database, if it can
    /// (SQLite).
    async fn connect(&self, create: bool) -> Result<Box<dyn Session>, Failure>;
}

/// The SQL and the properties of one kind of database.
pub(super) struct Dialect {
    /// Begins a transaction that writes.
    pub(super) begin: &'static str,
    /// Begins a read-only transaction, which reads one snapshot of all tables.
    pub(super) begin_reading: &'static str,
    /// The suffix of a SELECT that locks its rows until the transaction ends.
    pub(super) lock: &'static str,
    /// Reads the server's time, Unix µs; `None` if the time is this machine's.
    pub(super) now: Option<&'static str>,
    /// Creates the tables of leases, under a lock against concurrent creation.
    pub(super) make_tables: &'static str,
    /// Creates the tables of counters, under a lock against concurrent creation.
    pub(super) make_counters: &'static str,
    /// The fast path for leases: one statement for each kind of request.
    pub(super) quick: Option<Quick>,
    /// The fast path for counters, one round trip. Returns the SQL that takes numbers, for these
    /// values: the growth, name, fingerprint, incarnation, and the least and the greatest next
    /// number allowed. The SQL returns the first number, or no row to fall back to the general
    /// path.
    pub(super) quick_counter: Option<fn(&[Value<'_>]) -> String>,
    /// Classifies the server's errors.
    pub(super) judge: Judge,
    /// The maximum number of connections.
    pub(super) connections: usize,
    /// Whether connections are kept for later calls.
    pub(super) keeps: bool,
}

/// One statement for each kind of request. Each returns the grant as a row (`nodes_start,
/// nodes_end, fence, token, start_us, end_us, now_us, incarnation`), or no row to fall back to the
/// general path.
pub(super) struct Quick {
    /// The values are name, fingerprint, nodes, ttl, holder, token, clock and skew.
    pub(super) acquire: &'static str,
    /// The values are name, incarnation, nodes_start, nodes_end, fence, token, end and ttl.
    pub(super) renew: &'static str,
    /// The values are name, nodes_start, nodes_end, fence, token and high-water mark.
    pub(super) release: &'static str,
}
