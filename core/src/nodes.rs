//! The nodes that processes of this machine use, and how far each of them has come: what [`Scope::Machine`](crate::Scope::Machine) shares.
//!
//! For people who want to know, and who have to repair: the command `saiban nodes` shows it. Generators need nothing of this.

use crate::cursor::listing;
use crate::error::Error;
use alloc::vec::Vec;
use core::ops::Range;

pub use crate::cursor::{IdSpace, NodeRange};

/// The ID spaces of this machine's memory, ordered by path: none where nothing was used, or there is no such memory.
///
/// ```
/// use saiban::{Generator, Snowflake, nodes};
/// let ids = Snowflake::new(7)?;
/// ids.generate()?;
/// # if cfg!(any(target_os = "linux", target_vendor = "apple")) {
/// let spaces = nodes::list()?;
/// assert!(spaces.iter().flat_map(|space| &space.ranges).any(|range| range.nodes == (7..8) && range.is_open));
/// # }
/// # Ok::<(), saiban::Error>(())
/// ```
///
/// # Errors
/// `StateUnavailable` where the folder or a file of it cannot be read.
pub fn list() -> Result<Vec<IdSpace>, Error> {
    listing::list()
}

/// Forgets how far these nodes have come, or all of the ID space, if no process has any of them open; returns how many ranges that were. Whoever
/// opens the nodes next begins with the tick after this one. That repeats the IDs of times that are still to come: for nodes whose time was wrong.
///
/// # Errors
/// `NodeInUse` where a process has some of them open; `StateUnavailable` where there is no such file; `StateMismatch` where it is damaged, or of
/// another version.
pub fn clear(path: &str, nodes: Option<Range<u64>>) -> Result<usize, Error> {
    listing::clear(path, nodes)
}
