//! The stores: where a fleet remembers who has which nodes, and which numbers were handed out.
//!
//! All do what [`crate::lease::protocol`] and [`crate::counter::protocol`] say, each with its server's own means of doing it at once and of telling the time.

#![cfg_attr(
    not(any(
        feature = "sqlite",
        feature = "postgres",
        feature = "mysql",
        feature = "redis",
        feature = "etcd",
        feature = "zookeeper"
    )),
    allow(dead_code, reason = "without a store that keeps records nobody reads any")
)]

#[cfg(feature = "coordinator")]
mod coordinator;
#[cfg(any(feature = "etcd", feature = "zookeeper", feature = "coordinator"))]
mod endpoints;
#[cfg(feature = "etcd")]
mod etcd;
#[cfg(any(feature = "etcd", feature = "coordinator"))]
mod members;
mod memory;
mod numbers;
#[cfg(any(feature = "etcd", feature = "zookeeper"))]
mod optimistic;
#[cfg(any(feature = "etcd", feature = "zookeeper"))]
mod records;
#[cfg(feature = "redis")]
mod redis;
mod shared;
#[cfg(any(feature = "sqlite", feature = "postgres", feature = "mysql"))]
pub mod sql;
mod url;
#[cfg(feature = "zookeeper")]
mod zookeeper;

#[cfg(feature = "coordinator")]
pub use coordinator::wire;
#[cfg(feature = "coordinator")]
pub(crate) use coordinator::{Gateway, Question};
pub use memory::MemoryStore;
pub use numbers::Numbers;
pub(crate) use shared::Source;
pub use url::{StoreUrl, open};

use crate::Error;
use crate::lease::protocol::{Acquire, Grant, Release, Renew};
use crate::lease::{Namespace, Slot, Terms, quoted};
use async_trait::async_trait;
use saiban::{Entropy, ErrorKind, OsEntropy};
use std::future::Future;
use std::time::Duration;

/// How long it may take to reach a server.
#[cfg(any(
    feature = "postgres",
    feature = "mysql",
    feature = "redis",
    feature = "etcd",
    feature = "zookeeper",
    feature = "coordinator"
))]
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// How long a call may take in all.
const CALL_LIMIT: Duration = Duration::from_secs(10);

/// Times and fences beyond this are nobody's, in no store: sums of two of them still have room. Redis and PostgreSQL's statements have
/// the same number in their own words.
const MOST: i64 = i64::MAX / 4;

/// A store of leases.
///
/// A call that ends in an error has changed nothing, or has granted what nobody knows of: that ends by itself with its ttl.
///
/// # Errors
/// Every call: `StoreUnavailable` when the server cannot be reached, refuses, or does not answer in time; `StoreCorrupt`;
/// `StoreUnsupported` for what a newer saiban has written. All but `create`: `NamespaceUnknown`.
#[async_trait]
pub trait Store: Send + Sync {
    /// Makes a name space. Where there is one already it stays as it is, whatever its longest lease; answers it.
    ///
    /// Nodes are handed out from a random one on, so that a store which was deleted by mistake seldom hands out what is in use.
    ///
    /// # Errors
    /// `NamespaceMismatch` when it is there, for other IDs.
    async fn create(&self, terms: &Terms) -> Result<Namespace, Error>;

    /// Grants nodes, for IDs of this fingerprint.
    ///
    /// # Errors
    /// `NamespaceMismatch`, `NamespaceFull`, `NamespaceQuarantined`, `ClockSkew`; `InvalidArgument` for a ttl that the name space does
    /// not allow.
    async fn acquire(&self, name: &str, fingerprint: &str, wish: &Acquire) -> Result<Grant, Error>;

    /// Renews a lease.
    ///
    /// # Errors
    /// `LeaseLost`; `NamespaceQuarantined` when the store has forgotten the lease; `InvalidArgument` as `acquire`.
    async fn renew(&self, name: &str, wish: &Renew) -> Result<Grant, Error>;

    /// Takes a lease back. No error where it is not the giver's any more.
    ///
    /// # Errors
    /// Those of every call.
    async fn release(&self, name: &str, wish: &Release) -> Result<(), Error>;

    /// What the store remembers of a name space, and its time, Unix µs.
    ///
    /// # Errors
    /// Those of every call.
    async fn list(&self, name: &str) -> Result<Listing, Error>;

    /// Grants nothing from now on until everything is over that the store can have forgotten; for who puts it back from a backup. Answers
    /// until when, Unix µs.
    ///
    /// # Errors
    /// Those of every call.
    async fn quarantine(&self, name: &str) -> Result<i64, Error>;

    /// What it does for counters; none for a kind of store that keeps none.
    fn numbers(&self) -> Option<&dyn Numbers> {
        None
    }
}

/// What a store remembers of a name space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The name space.
    pub namespace: Namespace,
    /// Its slots, in the order of their nodes.
    pub slots: Vec<Slot>,
    /// The store's time, Unix µs.
    pub now_us: i64,
}

fn unknown(name: &str) -> Error {
    Error::new(
        ErrorKind::NamespaceUnknown,
        format!(
            "the store has no name space {}. An empty store is not proof that nobody has nodes: if it is new indeed, say so \
             (saiban lease init, or create=True); if it was emptied, put it back, or wait until all leases are over",
            quoted(name)
        ),
    )
}

/// What the call answers, if it does in time.
async fn in_time<T>(url: &StoreUrl, call: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    tokio::time::timeout(CALL_LIMIT, call).await.unwrap_or_else(|_| {
        let limit_s = CALL_LIMIT.as_secs();
        Err(unavailable(url, &format!("it did not answer within {limit_s} s")))
    })
}

/// A server that could not be asked.
fn unavailable(url: &StoreUrl, why: &str) -> Error {
    let what = if url.kind().starts_with("saiban") { "service" } else { "store" };
    Error::new(
        ErrorKind::StoreUnavailable,
        format!(
            "the {what} {url} could not be asked: {why}. See that it runs and can be reached from here, and that the URL is right"
        ),
    )
}

/// A server that was asked, and says no for good.
#[cfg(any(feature = "redis", feature = "etcd", feature = "zookeeper", feature = "coordinator"))]
fn refused(url: &StoreUrl, why: &str) -> Error {
    unavailable(url, why).permanent()
}

/// What is to be done about leases that were put back, or cannot be read.
const MEND_LEASES: &str = "Put it back from a backup (and run saiban lease quarantine), or remove the name space once no lease of it can be in use";

/// The same of counters.
const MEND_COUNTERS: &str = "Put it back from a backup (and run saiban counter raise, past all numbers that were used or are in hand), or remove the \
                             counter and let it begin there (saiban counter init --at)";

/// Records of leases that no saiban has written so.
fn corrupt(url: &StoreUrl, place: &str, what: &str) -> Error {
    not_as_written(url, place, what, MEND_LEASES)
}

/// Records that no saiban has written so, and what to do about it.
fn not_as_written(url: &StoreUrl, place: &str, what: &str, mend: &str) -> Error {
    Error::new(
        ErrorKind::StoreCorrupt,
        format!("in the store {url}, {place} is not as saiban writes it: {what}. Nothing was changed. {mend}"),
    )
}

/// Records that a newer saiban has written.
fn newer(url: &StoreUrl, place: &str, version: &str, known: i64) -> Error {
    Error::new(
        ErrorKind::StoreUnsupported,
        format!(
            "in the store {url}, {place} is of version {version}, and this saiban knows {known}: a newer one has written it. Nothing was \
             changed. Update saiban here too"
        ),
    )
}

/// Chooses the cryptography of TLS for the clients that have none of their own. Who has chosen before keeps it.
#[cfg(any(feature = "redis", feature = "etcd", feature = "coordinator"))]
fn choose_tls() {
    // An error says that somebody has chosen already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// A number of 63 bits that nobody can guess.
pub(crate) fn draw() -> Result<i64, Error> {
    let mut bytes = [0; 8];
    OsEntropy.fill(&mut bytes)?;
    Ok(i64::from_le_bytes(bytes) & i64::MAX)
}
