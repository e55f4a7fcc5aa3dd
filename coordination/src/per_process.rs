//! A value that each process owns separately, also after a fork.

use saiban::process;
use std::mem;
use std::sync::{Mutex, PoisonError};

/// A value, and the generation of the process that it belongs to.
///
/// In a forked child, a default value replaces the parent's. The parent's value is leaked, never
/// dropped: its threads and connections do not exist in the child, and a thread may have been
/// writing the value during the fork.
pub(crate) struct PerProcess<T>(Mutex<(u32, T)>);

impl<T: Default> PerProcess<T> {
    pub(crate) const fn new(value: T) -> Self {
        PerProcess(Mutex::new((0, value)))
    }

    /// Calls `use_it` with this process's value, under a lock.
    pub(crate) fn with<R>(&self, use_it: impl FnOnce(&mut T) -> R) -> R {
        let generation = process::watched_generation();
        // No thread forks while the lock is held, so a child finds it free.
        let _no_fork = process::no_fork();
        let mut own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if own.0 != generation {
            mem::forget(mem::replace(&mut *own, (generation, T::default())));
        }
        use_it(&mut own.1)
    }
}
