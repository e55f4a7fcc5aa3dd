//! Which process this is: a copy made by fork must not go on with its parent's generators.
//!
//! `pthread_atfork` raises a generation in the child, so that asking costs one relaxed load and no system call. What
//! copies a process without libc's `fork` (a raw `clone`, a snapshot of a virtual machine) is not seen.

#[cfg(unix)]
mod hook;

#[cfg(not(unix))]
mod hook {
    pub(super) fn install() {
        // There is no fork, so nobody calls it.
        let _ = super::start_child;
    }
}

use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};

static GENERATION: AtomicU32 = AtomicU32::new(0);
static NO_FORK: Mutex<()> = Mutex::new(());
/// What every child does first.
static IN_CHILD: OnceLock<fn()> = OnceLock::new();

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

/// What a child does when it begins.
fn start_child() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
    if let Some(action) = IN_CHILD.get() {
        action();
    }
}

/// As long as this is held no thread of the process forks: a child could not wait for threads that it lacks, nor finish what
/// they had begun.
pub(crate) fn no_fork() -> MutexGuard<'static, ()> {
    // It guards nothing that a panic could leave half done.
    NO_FORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on every child made by fork does this first, while [`no_fork`] is held. There is room for one such action. It may do
/// what a child of many threads may: take no memory and give none back, and wait for no lock but those that `no_fork` keeps free.
pub(crate) fn at_start_of_children(action: fn()) {
    // The one that is there already is the same.
    let _ = IN_CHILD.set(action);
}
