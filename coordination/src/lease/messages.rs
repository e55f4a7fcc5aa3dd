//! Requests to a store about leases, and the store's decisions.

use super::{Namespace, Slot, SlotKey};
use crate::Error;

/// The part of a store's state that one decision needs, and the store's time.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// The namespace's name, for messages.
    pub name: &'a str,
    /// The namespace.
    pub namespace: &'a Namespace,
    /// Slots in the order of their nodes.
    ///
    /// They always include the slot with the first node of the lease in the request (`seen`,
    /// `key`). For [`Acquire`] they also include all free slots, or only some of them in a first
    /// attempt, and in etcd and ZooKeeper as long as some of them are enough.
    pub slots: &'a [Slot],
    /// The store's time, Unix µs.
    pub now_us: i64,
}

/// A request for nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Acquire {
    /// The number of adjacent nodes.
    pub nodes: i64,
    /// The ttl, µs.
    pub ttl_us: i64,
    /// The holder's name, for people.
    pub holder: String,
    /// A random number, new for each request.
    pub token: i64,
    /// The time of the holder's clock, Unix µs.
    pub clock_us: i64,
    /// The largest allowed difference between the holder's clock and the store's, µs.
    pub max_clock_skew_us: i64,
    /// The newest lease that the holder knows of. With it, the store detects that it lost changes.
    pub seen: Option<LastSeen>,
}

/// A request for more time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Renew {
    /// The lease, in the last state that the holder knows.
    pub seen: LastSeen,
    /// The ttl from now on, µs.
    pub ttl_us: i64,
}

/// The last state of a lease that its holder knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LastSeen {
    /// The incarnation of the namespace.
    pub incarnation: i64,
    /// The key of the grant.
    pub key: SlotKey,
    /// The end of the lease, Unix µs.
    pub end_us: i64,
}

/// A request to release a lease.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Release {
    /// The key of the grant.
    pub key: SlotKey,
    /// The end of the last reserved tick, Unix µs; 0 if none was reserved.
    pub high_water_us: i64,
}

/// A granted rectangle: nodes × [start, end).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grant {
    /// The incarnation of the namespace.
    pub incarnation: i64,
    /// The key of the grant, with its nodes.
    pub key: SlotKey,
    /// The first time of its IDs, Unix µs.
    pub start_us: i64,
    /// The end of its interval, Unix µs, exclusive.
    pub end_us: i64,
    /// The store's time at the decision, Unix µs.
    pub now_us: i64,
}

/// The changes that a store writes for one decision, all or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The slots to delete, by their first node.
    pub removed: Vec<i64>,
    /// The slots to write. Each replaces an existing slot with an equal first node.
    pub put: Vec<Slot>,
    /// The new end of the quarantine, Unix µs, if the namespace goes into quarantine.
    pub quarantine_until_us: Option<i64>,
}

/// A decision: the reply, and the changes to write before the reply is sent.
///
/// A refusal can have changes too, for example a quarantine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<T> {
    /// The reply to the holder.
    pub answer: Result<T, Error>,
    /// The changes to write first.
    pub changes: Changes,
}

impl<T> Decision<T> {
    pub(super) fn no(error: Error) -> Self {
        Decision { answer: Err(error), changes: Changes::default() }
    }

    pub(super) fn yes(answer: T, changes: Changes) -> Self {
        Decision { answer: Ok(answer), changes }
    }
}
