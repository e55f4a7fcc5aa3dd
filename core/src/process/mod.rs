//! Detects forks: a child must not continue with its parent's generators.
//!
//! A handler of `pthread_atfork` raises the generation in the child, so a check costs one relaxed
//! load and no system call. A copy that is made without libc's `fork` (a raw `clone`) is noticed
//! only when it makes a generator or calls [`notice_fork`]. A snapshot of a virtual machine is not
//! noticed.

mod forks;
#[cfg(unix)]
mod hook;

#[cfg(not(unix))]
mod hook {
    pub(super) fn install() {
        // There is no fork. This use keeps `forked` from being dead code.
        let _ = super::forks::forked;
    }
}

use crate::bits::low_32;
use core::sync::atomic::{AtomicBool, Ordering};
use forks::{FORKING, IN_CHILD, IS_DIVIDED, PROCESS, UNDIVIDED, lock, next, own_id, process_id};
use std::sync::MutexGuard;

/// Checks whether this process is a copy of the one that made the generators. If so, they return
/// [`Forked`](crate::ErrorKind::Forked) from now on, unless a copy may use them, as in machine
/// scope.
///
/// You need not call this after libc's `fork`: saiban has noticed that already, and any number of
/// calls changes nothing. Call it in the child, before it makes an ID, if you copy a process in
/// another way (a raw `clone`). Runtimes that report forks themselves, as Python's
/// `os.register_at_fork` does, may call it, too. If saiban had noticed the fork, generators that
/// the child has made already stay valid.
///
/// The check compares process ids. So it does not notice a copy with its parent's id, in a pid
/// namespace of its own. It takes no lock.
///
/// ```
/// use saiban::{Generator, SnowflakeGenerator};
/// let ids = SnowflakeGenerator::new(7)?;
/// saiban::process::notice_fork();
/// ids.generate()?;                           // still the same process
/// # Ok::<(), saiban::Error>(())
/// ```
pub fn notice_fork() {
    let id = own_id();
    let noticed = |process| match process_id(process) {
        // There are no generators yet.
        0 => None,
        known => (known != id).then(|| next(process, id)),
    };
    // If another thread is first to notice the fork, nothing is left to do.
    let _ = PROCESS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, noticed);
}

/// Returns the number of forks between the first process that made a generator and this one.
///
/// What was made in another generation belongs to an ancestor and must not be used. Forks are
/// counted from the first generator, or the first call of [`watched_generation`], on.
#[doc(hidden)]
#[inline]
#[must_use]
pub fn generation() -> u32 {
    low_32(word())
}

/// Returns [`generation`] for a later comparison: from now on, forks are noticed.
///
/// ```
/// use saiban::process::{generation, watched_generation};
/// let made_in = watched_generation();
/// // … later, perhaps in a copy of the process:
/// assert_eq!(made_in, generation());
/// ```
#[doc(hidden)]
pub fn watched_generation() -> u32 {
    watch();
    // Generators are made rarely, so there is time to check for copies that no handler reports.
    notice_fork();
    generation()
}

/// Returns the generation and the process id as one word. What was made under another word belongs
/// to an ancestor. It is valid from the first call of [`watched`] on.
#[inline]
pub(crate) fn word() -> u64 {
    PROCESS.load(Ordering::Relaxed)
}

/// Returns [`word`] for a later comparison: from now on, forks are noticed.
pub(crate) fn watched() -> u64 {
    watched_generation();
    word()
}

fn watch() {
    // Not `Once`: a process forked while another thread is inside it would wait there for ever. Two
    // threads may both install the handlers, which may be called twice.
    static WATCHED: AtomicBool = AtomicBool::new(false);
    if !WATCHED.load(Ordering::Acquire) {
        let new = u64::from(own_id()) << 32;
        let _ = PROCESS.compare_exchange(0, new, Ordering::Relaxed, Ordering::Relaxed);
        hook::install();
        WATCHED.store(true, Ordering::Release);
    }
}

/// Prevents all threads of this process from forking until the guard is dropped.
///
/// A child could neither wait for threads that it lacks, nor finish what they had begun. Use the
/// guard to take a lock that a child must find free. Hold the guard as briefly as possible, and
/// never while waiting.
#[doc(hidden)]
#[must_use = "threads may fork again as soon as it is dropped"]
pub fn no_fork() -> MutexGuard<'static, ()> {
    // First: without the handlers, a fork would not wait for the lock.
    watch();
    lock()
}

/// Delays forks of this process until it is dropped, by at most 500 ms.
///
/// It is for calls of a library, such as SQLite, that a fork would leave half done in the child,
/// with its locks held for ever. A child that was forked all the same gets
/// [`NotUndivided::Divided`], and must not use that library.
///
/// Unlike [`no_fork`], it may be held while waiting, and by many threads.
#[doc(hidden)]
#[derive(Debug)]
pub struct Undivided {
    generation: u32,
}

/// Why [`try_undivided`] failed.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotUndivided {
    /// A thread is forking: try again soon, and finish what other calls wait for.
    Forking,
    /// This process was forked while an [`Undivided`] existed that was not dropped within 500 ms.
    /// The call that it protected stays half done here for ever.
    Divided,
}

/// Delays forks of this process until the returned value is dropped.
///
/// ```
/// use saiban::process::try_undivided;
/// let undivided = try_undivided().expect("no thread forks");
/// drop(undivided);
/// ```
///
/// # Errors
/// [`NotUndivided`].
#[doc(hidden)]
pub fn try_undivided() -> Result<Undivided, NotUndivided> {
    watch();
    if IS_DIVIDED.load(Ordering::SeqCst) {
        return Err(NotUndivided::Divided);
    }
    // Count first, then check: of this thread and one that begins to fork, at least one notices the
    // other.
    UNDIVIDED.fetch_add(1, Ordering::SeqCst);
    let undivided = Undivided { generation: generation() };
    if FORKING.load(Ordering::SeqCst) == 0 { Ok(undivided) } else { Err(NotUndivided::Forking) }
}

impl Drop for Undivided {
    fn drop(&mut self) {
        // A child has a count of its own, from 0.
        if self.generation == generation() {
            UNDIVIDED.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Registers an action that every child made by fork runs first, while [`no_fork`] is held; perhaps
/// twice.
///
/// Only one action can be registered. It may do what the child of a process with many threads may
/// do: allocate and free no memory, and take no lock but those that `no_fork` keeps free.
pub(crate) fn at_start_of_children(action: fn()) {
    // An action that is registered already is this one.
    let _ = IN_CHILD.set(action);
}
