//! The node ranges that processes on this machine use, and the time that each range has reached:
//! the state behind [`Scope::Machine`](crate::Scope::Machine).
//!
//! This module is for inspection and repair; the command `saiban nodes` uses it. Generators do not
//! need it.

use crate::cursor::listing;
use crate::error::Error;
use alloc::vec::Vec;
use core::ops::Range;

pub use crate::cursor::{IdSpace, NodeRange};

/// Lists the ID spaces in this machine's shared memory, ordered by path. The list is empty if
/// nothing was used, or if the system has no such memory.
///
/// ```
/// use saiban::{Generator, SnowflakeGenerator, nodes};
/// let ids = SnowflakeGenerator::new(7)?;
/// ids.generate()?;
/// # if cfg!(any(target_os = "linux", target_vendor = "apple")) {
/// let spaces = nodes::list()?;
/// assert!(spaces.iter().flat_map(|space| &space.ranges).any(|range| range.nodes == (7..8) && range.is_open));
/// # }
/// # Ok::<(), saiban::Error>(())
/// ```
///
/// # Errors
/// `StateUnavailable` if the folder or one of its files cannot be read, `ClockUnavailable` if the
/// system's clock cannot.
pub fn list() -> Result<Vec<IdSpace>, Error> {
    listing::list()
}

/// Clears the records of how far these nodes, or all nodes of the ID space, have come, if no
/// process has any of them open. Returns the number of ranges cleared.
///
/// A generator that opens the nodes later begins after the current tick. It repeats IDs whose times
/// are still in the future. Use this function for nodes whose clock was wrong.
///
/// # Errors
/// - `NodeInUse` if a process has some of the nodes open.
/// - `StateUnavailable` if there is no such file, or other processes keep it locked for 5 seconds.
/// - `StateMismatch` if the file is damaged, or of another version.
/// - `ClockUnavailable` if the system's clock cannot be read.
pub fn clear(path: &str, nodes: Option<Range<u64>>) -> Result<usize, Error> {
    listing::clear(path, nodes)
}
