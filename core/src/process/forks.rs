//! Records forks: which process this is, and which calls a fork must not interrupt.
//!
//! Only this folder uses it.

use crate::bits::low_32;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
#[cfg(unix)]
use std::time::{Duration, Instant};

/// The low half is the number of forks between the first process that made a generator and this
/// one. The high half is this process's id. The word is 0 until there is a generator. It is one
/// word, so that both halves change at once.
pub(super) static PROCESS: AtomicU64 = AtomicU64::new(0);
static NO_FORK: Mutex<()> = Mutex::new(());
/// The action that every child runs first.
pub(super) static IN_CHILD: OnceLock<fn()> = OnceLock::new();

/// The number of [`Undivided`](super::Undivided) values that exist.
pub(super) static UNDIVIDED: AtomicUsize = AtomicUsize::new(0);
/// The number of threads that are forking.
pub(super) static FORKING: AtomicUsize = AtomicUsize::new(0);

/// Whether this process, or one of its ancestors, was forked while an
/// [`Undivided`](super::Undivided) existed.
pub(super) static IS_DIVIDED: AtomicBool = AtomicBool::new(false);

/// How long a fork waits for [`Undivided`](super::Undivided) values to be dropped. The program's
/// own `fork` waits, so this is short. But a transaction of SQLite writes to the disk at least four
/// times, and each write takes 50 ms on a busy disk. A child that is forked in the middle of a
/// transaction cannot have a lease.
#[cfg(unix)]
const LONGEST_WAIT: Duration = Duration::from_millis(500);

/// Records a fork of libc, in the child. The child is another process even if its id is its
/// parent's. `is_divided` is true if the fork's wait for [`Undivided`](super::Undivided) values
/// timed out.
pub(super) fn forked(is_divided: bool) {
    let id = own_id();
    let _ = PROCESS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |process| Some(next(process, id)));
    if is_divided {
        IS_DIVIDED.store(true, Ordering::SeqCst);
    }
    // Of the threads that the two counters counted, only the one that forked exists in the child.
    UNDIVIDED.store(0, Ordering::SeqCst);
    FORKING.store(0, Ordering::SeqCst);
    if let Some(action) = IN_CHILD.get() {
        action();
    }
}

/// Returns the id of this process.
pub(super) fn own_id() -> u32 {
    // std has none for WebAssembly, and panics: a module is alone, and cannot fork.
    if cfg!(target_family = "wasm") { 1 } else { std::process::id() }
}

pub(super) const fn process_id(process: u64) -> u32 {
    low_32(process >> 32)
}

pub(super) const fn next(process: u64, id: u32) -> u64 {
    (id as u64) << 32 | low_32(process).wrapping_add(1) as u64
}

pub(super) fn lock() -> MutexGuard<'static, ()> {
    // The mutex guards no data that a panic could leave half changed.
    NO_FORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until no [`Undivided`](super::Undivided) exists, and returns whether the wait timed out.
/// The caller must keep this result: later, the count may for an instant include a thread whose
/// call of `try_undivided` fails.
#[cfg(unix)]
pub(super) fn begin_to_fork() -> bool {
    FORKING.fetch_add(1, Ordering::SeqCst);
    let begun = Instant::now();
    while UNDIVIDED.load(Ordering::SeqCst) > 0 {
        if begun.elapsed() >= LONGEST_WAIT {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}

#[cfg(unix)]
pub(super) fn forked_in_parent() {
    FORKING.fetch_sub(1, Ordering::SeqCst);
}
