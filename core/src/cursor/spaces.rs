//! What people are told of the cursor files: see [`crate::nodes`].

use crate::error::CursorFileProblem;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The generators whose IDs can be equal: a file, in which each range of nodes has a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IdSpace {
    /// The file.
    pub path: String,
    /// How long a tick is, nanoseconds.
    pub tick_ns: u64,
    /// The time of tick 0, Unix milliseconds.
    pub epoch_ms: i64,
    /// The ranges of nodes that were used, ordered by node.
    pub ranges: Vec<NodeRange>,
    /// Why the file cannot be read, if it cannot: then there are no ranges.
    pub problem: Option<CursorFileProblem>,
}

/// Nodes that were used since the machine was started.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NodeRange {
    /// The nodes, half-open.
    pub nodes: Range<u64>,
    /// The value of the rollback bits; 0 for a layout without.
    pub rollback: u64,
    /// Whether they are those of a lease.
    pub is_leased: bool,
    /// Whether a process has them open.
    pub is_open: bool,
    /// The processes that have, as far as this one may know: those of the same user, on Linux.
    pub processes: Vec<u32>,
    /// The time from which nothing was issued, Unix milliseconds.
    pub free_from_ms: i64,
}
