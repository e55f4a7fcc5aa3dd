//! Which process this is: a copy made by fork must not go on with its parent's generators.
//!
//! `pthread_atfork` raises a generation in the child, so that asking costs one relaxed load and no system call. What
//! copies a process without libc's `fork` (a raw `clone`) is seen when the copy makes a generator or calls [`notice_fork`],
//! not before; a snapshot of a virtual machine is not seen at all.

#[cfg(unix)]
mod hook;

#[cfg(not(unix))]
mod hook {
    pub(super) fn install() {
        // There is no fork, so nobody calls it.
        let _ = super::forked;
    }
}

use crate::bits::low_32;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
#[cfg(unix)]
use std::time::{Duration, Instant};

/// In the low half how many forks lie between the first process that made a generator and this one, in the high half this
/// one's id; 0 before there is a generator. One word, so that both change at once.
static PROCESS: AtomicU64 = AtomicU64::new(0);
static NO_FORK: Mutex<()> = Mutex::new(());
/// What every child does first.
static IN_CHILD: OnceLock<fn()> = OnceLock::new();

/// Looks whether this process is a copy of the one that made the generators. If so, they answer
/// [`Forked`](crate::ErrorKind::Forked) from now on.
///
/// After libc's `fork` there is no need: saiban has heard of it already, and this changes nothing, however often it is
/// called. It is for those who copy a process in another way (a raw `clone`), and for runtimes that tell of a fork
/// themselves, as Python's `os.register_at_fork` does: in the child, before an ID is made. Generators that the child has made
/// already stay valid if saiban had heard of the fork.
///
/// It goes by the process id, so a copy that has its parent's id, in a pid namespace of its own, is not seen. It takes
/// no lock.
///
/// ```
/// use saiban::{Generator, Snowflake};
/// let ids = Snowflake::new(7)?;
/// saiban::process::notice_fork();
/// ids.generate()?;                           // still the same process
/// # Ok::<(), saiban::Error>(())
/// ```
pub fn notice_fork() {
    let id = std::process::id();
    let noticed = |process| match process_id(process) {
        // Nobody has a generator to lose.
        0 => None,
        known => (known != id).then(|| next(process, id)),
    };
    // Whoever else notices it first has done all there is to do.
    let _ = PROCESS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, noticed);
}

/// After libc's fork: this is another process, whatever its id. `is_divided` says that the fork waited in vain for a call
/// that must not be divided.
fn forked(is_divided: bool) {
    let id = std::process::id();
    let _ = PROCESS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |process| Some(next(process, id)));
    if is_divided {
        IS_DIVIDED.store(true, Ordering::SeqCst);
    }
    // Of the threads that these count there is one here, and it has forked.
    UNDIVIDED.store(0, Ordering::SeqCst);
    FORKING.store(0, Ordering::SeqCst);
    if let Some(action) = IN_CHILD.get() {
        action();
    }
}

const fn process_id(process: u64) -> u32 {
    low_32(process >> 32)
}

const fn next(process: u64, id: u32) -> u64 {
    (id as u64) << 32 | low_32(process).wrapping_add(1) as u64
}

/// How many forks lie between the first process that made a generator and this one: what was made under another number is a parent's, and
/// not to be used. It is known from the first generator, or the first call of [`watched_generation`], on.
#[inline]
#[must_use]
pub fn generation() -> u32 {
    low_32(word())
}

/// The same, for who keeps the answer: from now on a fork is noticed.
///
/// ```
/// use saiban::process::{generation, watched_generation};
/// let made_in = watched_generation();
/// // … later, perhaps in a copy of the process:
/// assert_eq!(made_in, generation());
/// ```
pub fn watched_generation() -> u32 {
    watch();
    // Generators are made seldom: time enough to look for what no handler hears of.
    notice_fork();
    generation()
}

/// This process, as one word: what was made under another is a parent's. It is known from [`watched`] on.
#[inline]
pub(crate) fn word() -> u64 {
    PROCESS.load(Ordering::Relaxed)
}

/// The same, for who keeps the answer.
pub(crate) fn watched() -> u64 {
    watched_generation();
    word()
}

fn watch() {
    // Not `Once`: a process forked while another thread is inside it would wait there for ever. Two threads may both
    // install the handlers, which may be called twice.
    static WATCHED: AtomicBool = AtomicBool::new(false);
    if !WATCHED.load(Ordering::Acquire) {
        let new = u64::from(std::process::id()) << 32;
        let _ = PROCESS.compare_exchange(0, new, Ordering::Relaxed, Ordering::Relaxed);
        hook::install();
        WATCHED.store(true, Ordering::Release);
    }
}

/// As long as this is held no thread of the process forks: a child could not wait for threads that it lacks, nor finish what
/// they had begun. For who takes a lock that a child must find free; held for as short a time, and never while waiting.
#[must_use = "threads may fork again as soon as it is dropped"]
pub fn no_fork() -> MutexGuard<'static, ()> {
    // First, or a fork would not wait for us.
    watch();
    lock()
}

fn lock() -> MutexGuard<'static, ()> {
    // It guards nothing that a panic could leave half done.
    NO_FORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many parts of the program are [`Undivided`], and how many threads are forking.
static UNDIVIDED: AtomicUsize = AtomicUsize::new(0);
static FORKING: AtomicUsize = AtomicUsize::new(0);

/// Whether this process, or one that it descends from, was forked while something was [`Undivided`].
static IS_DIVIDED: AtomicBool = AtomicBool::new(false);

/// How long a fork waits for what must not be divided. The program's own `fork` waits, so it is short; but a transaction
/// of SQLite writes to the disk four times and more, 50 ms each on a busy one, and a child that was forked in the middle of
/// it can have no lease.
#[cfg(unix)]
const LONGEST_WAIT: Duration = Duration::from_millis(500);

/// Makes a fork of this process wait until it is dropped, for at most 500 ms: for a library's call that would be
/// left half done in the child, its locks held for ever, as SQLite's. A child that was forked all the same knows it
/// ([`NotUndivided::Divided`]) and must not use that library.
///
/// Unlike [`no_fork`] it may be held while waiting, and by many threads.
#[derive(Debug)]
pub struct Undivided {
    generation: u32,
}

/// Why a thread cannot be [`Undivided`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotUndivided {
    /// A thread is forking: ask again soon, and end what other calls wait for.
    Forking,
    /// This process was forked while a call was at work that must not be divided, and had not ended after 500 ms. What
    /// that call left half done is half done here for ever.
    Divided,
}

/// Keeps threads from forking until the returned value is dropped.
///
/// ```
/// use saiban::process::try_undivided;
/// let undivided = try_undivided().expect("no thread forks");
/// drop(undivided);
/// ```
///
/// # Errors
/// [`NotUndivided`].
pub fn try_undivided() -> Result<Undivided, NotUndivided> {
    watch();
    if IS_DIVIDED.load(Ordering::SeqCst) {
        return Err(NotUndivided::Divided);
    }
    // First counted, then looked: of this thread and one that begins to fork at least one sees the other.
    UNDIVIDED.fetch_add(1, Ordering::SeqCst);
    let undivided = Undivided { generation: generation() };
    if FORKING.load(Ordering::SeqCst) == 0 { Ok(undivided) } else { Err(NotUndivided::Forking) }
}

impl Drop for Undivided {
    fn drop(&mut self) {
        // A copy counts anew.
        if self.generation == generation() {
            UNDIVIDED.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Waits for what must not be divided; returns whether that was in vain. Only this thread knows: later a thread that asks
/// whether it may be undivided, and may not, counts for an instant too.
#[cfg(unix)]
fn begin_to_fork() -> bool {
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
fn forked_in_parent() {
    FORKING.fetch_sub(1, Ordering::SeqCst);
}

/// From now on every child made by fork does this first, while [`no_fork`] is held; perhaps twice. There is room for one such
/// action. It may do what a child of many threads may: take no memory and give none back, and wait for no lock but those that
/// `no_fork` keeps free.
pub(crate) fn at_start_of_children(action: fn()) {
    // The one that is there already is the same.
    let _ = IN_CHILD.set(action);
}
