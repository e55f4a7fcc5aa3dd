//! Slots: the records that a store keeps for ranges of nodes.

use std::ops::Range;

/// A range of nodes, and its current or last lease.
///
/// The slots of a namespace contain all its nodes, each node once. The store keeps them for ever,
/// because their high-water marks make reuse of nodes safe. A slot is split, or merged with its
/// neighbours, only while no lease holds it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// The nodes, half-open.
    pub nodes: Range<i64>,
    /// The fencing token, which grows with each grant and each release. Of two records for one
    /// node, the one with the higher fence is newer.
    pub fence: i64,
    /// A random number that the last holder chose for its lease. Two grants can have equal fences
    /// after a store lost its last changes; their tokens differ.
    pub token: i64,
    /// The start of the last lease, Unix µs; 0 if there was none.
    pub start_us: i64,
    /// The end of the last lease, Unix µs; 0 if there was none, or if it was released.
    pub end_us: i64,
    /// The high-water mark, Unix µs: the next lease begins at or after it. 0 if there was no lease.
    pub high_water_us: i64,
    /// The current or last holder, for people: by default host name and process id.
    pub holder: String,
}

/// Identifies one grant among all grants of its namespace.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SlotKey {
    /// The nodes, half-open.
    pub nodes: Range<i64>,
    /// The slot's fence, as set by the grant.
    pub fence: i64,
    /// The holder's random number for this grant.
    pub token: i64,
}

impl Slot {
    /// Creates a slot of nodes that were never leased.
    #[must_use]
    pub fn unused(nodes: Range<i64>) -> Self {
        Slot { nodes, fence: 0, token: 0, start_us: 0, end_us: 0, high_water_us: 0, holder: String::new() }
    }

    /// Returns whether a lease holds the slot at this time.
    #[must_use]
    pub fn is_held(&self, now_us: i64) -> bool {
        now_us < self.end_us
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn width(&self) -> i64 {
        self.nodes.end - self.nodes.start
    }

    /// Returns the key of the slot's last grant.
    #[must_use]
    pub fn key(&self) -> SlotKey {
        SlotKey { nodes: self.nodes.clone(), fence: self.fence, token: self.token }
    }
}
