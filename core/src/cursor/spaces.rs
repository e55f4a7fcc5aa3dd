//! What the cursor files show to people: see [`crate::nodes`].

use crate::error::CursorFileProblem;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// A set of generators whose IDs can be equal. It has a file, with a cursor for each range of
/// nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IdSpace {
    /// The path of the file.
    pub path: String,
    /// The length of a tick, in nanoseconds.
    pub tick_ns: u64,
    /// The time of tick 0, in Unix milliseconds.
    pub epoch_ms: i64,
    /// The ranges of nodes that were used, ordered by node.
    pub ranges: Vec<NodeRange>,
    /// Why the file cannot be read, if it cannot. Then `ranges` is empty.
    pub problem: Option<CursorFileProblem>,
}

/// A range of nodes that was used since the machine was started.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NodeRange {
    /// The nodes, half-open.
    pub nodes: Range<u64>,
    /// The value of the rollback bits; 0 for a layout without them.
    pub rollback: u64,
    /// Whether the nodes are those of a lease.
    pub is_leased: bool,
    /// Whether a process has them open.
    pub is_open: bool,
    /// The ids of the processes that have the nodes open, as far as this process may know them: on
    /// Linux, those of the same user.
    pub processes: Vec<u32>,
    /// The time from which no IDs were issued, in Unix milliseconds.
    pub free_from_ms: i64,
}
