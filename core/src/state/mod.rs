//! State files, which store on disk which ticks may have been used.
//!
//! With a state file, no ID repeats after a crash, even if the clock was set back.
//!
//! A tick is saved *before* it is used, in steps. The file states that ticks below N may have been
//! used. A generator uses no tick from N on until a larger N is on disk. After a restart, the
//! generator starts with tick N. A clean close saves the tick that was reached, so that no tick is
//! skipped. A crash skips at most one step, 100 ms or one tick if that is longer. (TiKV's timestamp
//! oracle uses this technique for its physical clock.)
//!
//! - [`record`]: the content of the file as text, and its owner.
//! - [`slots`]: two slots written in turn, so that one is intact at every instant.
//! - [`file`](self::file): the path of the file, its creation and its writes.
//! - [`open_file`]: an open file, with what is saved now and at a clean close.
//! - [`registry`]: the files that this process has open, and the locks against other processes.
//! - [`os`]: the differences between operating systems.
//!
//! Generators open state files through `StateFile`; the module is internal to the crate.
//!
//! A state file cannot detect that it was restored from a backup, or copied with a virtual machine.

mod file;
mod identity;
mod open_file;
mod os;
mod record;
mod registry;
mod slots;
#[cfg(test)]
mod tests;

pub(crate) use identity::Identity;
pub(crate) use registry::StateFile;
