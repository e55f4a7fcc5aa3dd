//! One machine, one word for each range of nodes: what processes that share nodes count with.
//!
//! A cursor's word lies in a file that all processes of the user map, in a folder that is memory and is emptied when the machine
//! starts. It takes the same compare-and-swap there, outlives every process, and remembers what was issued. So the same nodes may be
//! used by several processes, by a child made by fork and its parent, and by a program that was started again.
//!
//! - [`folder`]: where the files are, and whose.
//! - [`memory`]: what a file holds, and locks of it that the kernel releases.
//! - [`table`]: the rules for opening a range, as pure functions.
//! - [`file`]: opens a range of nodes in a file, by these rules.
//! - [`listing`]: shows and clears what the files hold, for `saiban nodes`.
//! - [`hold`]: an open range, which moves to the new file where its file was deleted.
//!
//! Opening takes a lock of the file; issuing takes none, but where the file was deleted. Each value in a file is one atomic word, and a range
//! is marked as taken when all of its description is there: a process that dies at any instant leaves nothing to repair.

mod file;
mod folder;
mod hold;
pub(crate) mod listing;
mod memory;
mod table;

pub(super) use file::{NotOpened, Wanted};
pub use hold::Checked;
pub(super) use hold::{Hold, LockFile};
