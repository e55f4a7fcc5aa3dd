//! The key of a cursor, and which generators share the cursor. Generators make both.

use super::Position;
use crate::layout::Layout;
#[cfg(feature = "std")]
use crate::layout::{IdSet, TimeForm};

/// The key of a cursor: a format, and a half-open range of nodes in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CursorKey {
    /// The ID space. In that of Snowflake, Flake and Ulid-Flake, an ID consists of its fields, so
    /// equal fields are equal IDs, whichever scheme made them. The fields of a Randflake are
    /// encrypted.
    pub format: &'static str,
    /// The layout of the IDs.
    pub layout: Layout,
    /// The first node.
    pub first_node: u64,
    /// The node after the last.
    pub end_node: u64,
    /// The value of the rollback bits; 0 for a layout without them. Each value has a cursor of its
    /// own.
    pub rollback: u64,
    /// The number of low bits of a position, at most 127.
    pub bits: u32,
    /// Whether positions have 128 bits.
    pub is_wide: bool,
}

#[cfg(feature = "std")]
impl CursorKey {
    /// Returns what two keys must have in common for their IDs to be able to be equal: the ID space
    /// and the form of the time.
    pub(super) fn space(&self) -> (&'static str, TimeForm) {
        (self.format, self.layout.time_form())
    }

    /// Returns the set of IDs, apart from their time.
    pub(super) fn ids(&self) -> IdSet {
        self.layout.ids_of(self.first_node..self.end_node, self.rollback)
    }
}

/// Which generators share a cursor. Without `std`, none do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// None: the generator has a clock of its own, or random bits keep generators apart.
    Own,
    /// All generators of the same nodes in this process, but not in a forked child.
    Process,
    /// As `Process`, but a forked child continues with a copy: where collisions are allowed.
    ProcessAndForks,
    /// All generators of the same nodes on this machine, of the same user. It falls back to
    /// `Process` if the machine has no memory for this, or positions have more than 63 bits.
    Machine {
        /// Whether opening fails instead of falling back.
        is_required: bool,
    },
}

/// Returns the state of a cursor that begins with this tick.
pub(super) fn state_at<P: Position>(tick: u64, key: &CursorKey) -> P {
    let tick = tick.min(key.layout.ticks());
    // If a position has all 128 bits, no number exists for the tick past the last. Then the last
    // tick is not used either.
    let has_room = key.layout.timestamp_bits() + key.bits < u128::BITS;
    P::from(if has_room { tick } else { tick.min(key.layout.ticks() - 1) }) << key.bits
}
