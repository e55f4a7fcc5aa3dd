//! The trait `Store`, which every store of leases implements.

use crate::Error;
use crate::lease::protocol::{Acquire, Grant, Release, Renew};
use crate::lease::{Namespace, Slot, Terms};
use crate::store::Numbers;
use async_trait::async_trait;

/// A store of leases.
///
/// A call that returns an error has granted nothing, unless the server's response was lost. In that
/// case the store may have granted a lease that has no holder; it ends after its ttl.
///
/// # Errors
/// Every call can return `StoreUnavailable` when the server cannot be reached, refuses, or does not
/// reply in time. It can also return `StoreCorrupt`, and `StoreUnsupported` for records of a newer
/// version of saiban. Every call except `create` can return `NamespaceUnknown`.
#[async_trait]
pub trait Store: Send + Sync {
    /// Creates a namespace, or returns the existing one of this name.
    ///
    /// An existing namespace is not changed, even if its longest ttl differs from that of `terms`.
    /// A new namespace starts with a random node. So if a store was deleted by mistake, new leases
    /// seldom get nodes that are still in use.
    ///
    /// # Errors
    /// `NamespaceMismatch` if the namespace exists for other IDs.
    async fn create(&self, terms: &Terms) -> Result<Namespace, Error>;

    /// Grants nodes for IDs of this fingerprint.
    ///
    /// # Errors
    /// `NamespaceMismatch`, `NamespaceFull`, `NamespaceQuarantined`, `ClockSkew`; `InvalidArgument`
    /// for a ttl that the namespace does not allow.
    async fn acquire(&self, name: &str, fingerprint: &str, request: &Acquire) -> Result<Grant, Error>;

    /// Renews a lease.
    ///
    /// # Errors
    /// `LeaseLost`; `NamespaceQuarantined` if the store has lost the lease; `InvalidArgument` as
    /// for `acquire`.
    async fn renew(&self, name: &str, request: &Renew) -> Result<Grant, Error>;

    /// Releases a lease. Does nothing if the caller no longer holds it.
    ///
    /// # Errors
    /// Those of every call.
    async fn release(&self, name: &str, request: &Release) -> Result<(), Error>;

    /// Returns the records of a namespace, and the store's time.
    ///
    /// # Errors
    /// Those of every call.
    async fn list(&self, name: &str) -> Result<Listing, Error>;

    /// Puts a namespace into quarantine, and returns until when, in Unix µs.
    ///
    /// Until then the store grants no new lease. By then every lease that the store may have lost
    /// has ended. Holders still on record may renew. For operators, after they restore a store from
    /// a backup.
    ///
    /// # Errors
    /// Those of every call.
    async fn quarantine(&self, name: &str) -> Result<i64, Error>;

    /// Returns the store's counters, or `None` for a kind of store that keeps no counters.
    fn numbers(&self) -> Option<&dyn Numbers> {
        None
    }
}

/// The records of a namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The namespace.
    pub namespace: Namespace,
    /// The namespace's slots, in the order of their nodes.
    pub slots: Vec<Slot>,
    /// The store's time, Unix µs.
    pub now_us: i64,
}
