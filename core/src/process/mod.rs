//! Which process this is: a copy made by fork must not go on with its parent's generators.
//!
//! `pthread_atfork` raises a generation in the child, so that asking costs one relaxed load and no system call. What
//! copies a process without libc's `fork` (a raw `clone`, a snapshot of a virtual machine) is not seen.

#[cfg(unix)]
mod hook;

#[cfg(not(unix))]
mod hook {
    pub(super) fn install() {}
}

use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

static GENERATION: AtomicU32 = AtomicU32::new(0);
static NO_FORK: Mutex<()> = Mutex::new(());

/// How many forks lie between the first process that used saiban and this one.
#[inline]
pub(crate) fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}

/// The same, for who keeps the answer: from now on a fork is noticed.
pub(crate) fn watched_generation() -> u32 {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(hook::install);
    generation()
}

/// As long as this is held no thread of the process forks: a child could not wait for threads that it lacks, nor finish what
/// they had begun.
pub(crate) fn no_fork() -> MutexGuard<'static, ()> {
    // It guards nothing that a panic could leave half done.
    NO_FORK.lock().unwrap_or_else(PoisonError::into_inner)
}
