//! Machine scope: processes that share nodes share one word for each range of nodes.
//!
//! A cursor's word lies in a file that all processes of the user map. On Linux, the folder of the
//! files is in memory, and empty when the machine starts. Generators advance the word with one
//! compare-and-swap, as in the memory of a process. The word outlives every process, and remembers
//! what was issued. So several processes may use the same nodes: also a forked child and its
//! parent, and a program that was started again.
//!
//! - [`folder`]: where the files are, and who owns them.
//! - [`memory`]: what a file holds, and locks of the file that the kernel releases.
//! - [`table`]: the rules for opening a range, as pure functions.
//! - [`file`]: opens a range of nodes in a file, by these rules.
//! - [`listing`]: lists and clears what the files hold, for `saiban nodes`.
//! - [`hold`]: an open range, which moves to the new file when its own is deleted.
//!
//! Opening a range takes a lock of the file. Issuing takes none, unless the file was deleted. Each
//! value in a file is one atomic word. A range is marked as taken only when all of its description
//! is written. So a process that dies at any instant leaves nothing to repair.

mod file;
mod folder;
mod hold;
pub(crate) mod listing;
mod memory;
mod table;

pub(super) use file::{NotOpened, Wanted};
pub use hold::Checked;
pub(super) use hold::{Hold, LockFile};
