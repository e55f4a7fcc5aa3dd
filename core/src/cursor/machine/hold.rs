//! An open range of nodes in a cursor file. The registry opens it; shared words use it.

use super::file::{self, CursorFile, NotOpened, Opened, Status, Wanted};
use super::folder::FolderPath;
use super::memory::AtomicRef;
use crate::clock::Clock;
use crate::cursor::key::{CursorKey, state_at};
use crate::cursor::words::{MOVED, Words, has_moved, reached};
use crate::error::{CursorFileProblem, Error};
use crate::process;
use alloc::sync::Arc;
use core::mem;
use core::ptr;
use core::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long opening a range waits for another process.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// How long an ID waits for another process, if the file of its word was deleted.
const LONGEST_WAIT_OF_AN_ID: Duration = Duration::from_millis(50);

/// A range of nodes that this process has open, until its last generator is dropped. A forked child
/// has a copy, which also keeps the range open.
#[derive(Debug)]
pub(in crate::cursor) struct Hold {
    wanted: Wanted,
    /// The end of the lease, which only grows.
    end_tick: AtomicU64,
    /// The state of the word when it was opened.
    began: u64,
    /// Locked only while no thread can fork.
    current: Mutex<Opened>,
    /// The file of `current`, to be read without a lock.
    file: AtomicRef<CursorFile>,
    lock: AtomicI32,
    new_tick: AtomicU64,
    /// Set to the word's state when the range is closed, for the registry of this process.
    left: Arc<AtomicU64>,
}

/// An open file with the locks of ranges that are closed together.
#[derive(Clone, Debug)]
pub(crate) struct LockFile(Arc<File>);

/// The result of one check of a generator's files, shared by its parts.
#[derive(Debug, Default)]
pub struct Checked {
    /// The descriptor of a file that is still in place; 0 before one was found.
    there: i32,
    /// The lock file of the parts that have moved to the new file.
    lock: Option<LockFile>,
}

/// Returns the state that replaces this one when a lease is closed.
///
/// The new state always differs, so that a thread that has read the old one takes nothing more. The
/// new state is the next position, unless the old one is the first position of a tick that the
/// clock has not reached. There, the next position would mark that tick as begun, and its IDs could
/// be issued. So the new state is the start of the next tick.
///
/// The new state never jumps to the clock's tick. Otherwise, after a clock that was an hour ahead,
/// the next lease of these nodes on this machine could issue nothing for an hour.
fn closed_state(state: u64, now: u64, bits: u32) -> u64 {
    let (tick, has_begun) = (state >> bits, state & ((1 << bits) - 1) != 0);
    if has_begun || tick <= now { state + 1 } else { (tick + 1) << bits }
}

/// Corrects `issued` after `next` has replaced `state` without issuing the positions in between.
fn skip(words: &Words, key: &CursorKey, state: u64, next: u64) {
    if next >> key.bits > state >> key.bits {
        words.leave_tick(key, state);
    } else if key.layout.counts_from_0() {
        // The low part counts these positions as issued. Both numbers wrap, but their sum does not.
        words.issued.fetch_sub(next - state, Ordering::Relaxed);
    }
}

/// Calls `open` again while another process is opening a range, for at most this long.
fn wait_while_busy<T>(longest: Duration, mut open: impl FnMut() -> Result<T, NotOpened>) -> Result<T, NotOpened> {
    let begun = Instant::now();
    loop {
        match open() {
            Err(NotOpened::Busy(_)) if begun.elapsed() < longest => std::thread::sleep(Duration::from_millis(1)),
            answer => return answer,
        }
    }
}

impl Hold {
    /// Opens a range without waiting. The caller keeps threads from forking. `lock` has the locks
    /// of ranges that were opened together with this one.
    pub(in crate::cursor) fn open(
        wanted: Wanted,
        left: Arc<AtomicU64>,
        lock: Option<&LockFile>,
        clock: &dyn Clock,
    ) -> Result<Hold, NotOpened> {
        let opened = file::open(FolderPath::of_process(), &wanted, lock.map(|LockFile(file)| file), clock)?;
        let (file, lock) = (AtomicRef::new(opened.file), AtomicI32::new(opened.lock.as_raw_fd()));
        let new_tick = AtomicU64::new(opened.new_tick);
        let end_tick = AtomicU64::new(wanted.end_tick);
        let began = opened.words().state.load(Ordering::Relaxed);
        Ok(Hold { wanted, end_tick, began, current: Mutex::new(opened), file, lock, new_tick, left })
    }

    /// Calls `open` again while another process is opening a range, for at most 5 seconds.
    pub(in crate::cursor) fn wait_while_busy<T>(open: impl FnMut() -> Result<T, NotOpened>) -> Result<T, NotOpened> {
        wait_while_busy(LONGEST_WAIT, open)
    }

    /// Returns the open file whose lock marks the range as in use. The caller keeps threads from
    /// forking.
    pub(in crate::cursor) fn lock_file(&self) -> LockFile {
        LockFile(Arc::clone(&self.current().lock))
    }

    fn current(&self) -> MutexGuard<'_, Opened> {
        // A panic leaves nothing half changed, so a poisoned mutex is harmless.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the words of the range. The caller keeps threads from forking.
    pub(in crate::cursor) fn words(&self) -> &'static Words {
        self.current().words()
    }

    /// Returns the path of the file, for messages.
    pub(in crate::cursor) fn path(&self) -> &'static str {
        self.file.load().path
    }

    /// Returns the tick with which new words of the file begin.
    pub(in crate::cursor) fn new_tick(&self) -> u64 {
        self.new_tick.load(Ordering::Relaxed)
    }

    /// Moves the end of the lease to a later tick. The caller keeps threads from forking.
    pub(in crate::cursor) fn extend(&self, end_tick: u64) {
        let current = self.current();
        self.end_tick.fetch_max(end_tick, Ordering::Relaxed);
        current.extend(end_tick);
    }

    /// Ends the lease's use of the word, and returns the state up to which the lease may have
    /// issued IDs; 0 for none. Other processes may continue with the word.
    ///
    /// The caller has closed the lease, and keeps threads from forking. A thread that reads the new
    /// state under the lease then finds the lease closed.
    pub(in crate::cursor) fn close(&self, clock: &dyn Clock) -> u64 {
        let current = self.current();
        let key = &self.wanted.key;
        let now = clock.now_ns().ok().and_then(|now_ns| key.layout.tick_at_ns(now_ns).ok()).unwrap_or(0);
        let changed = current.words().state.fetch_update(Ordering::Release, Ordering::Relaxed, |state| {
            // Nothing is taken of a word that has moved, or is after the last tick.
            (state < MOVED).then(|| closed_state(state, now, key.bits))
        });
        if let Ok(before) = changed {
            skip(current.words(), key, before, closed_state(before, now, key.bits));
        }
        current.give_back();
        let state = reached(changed.unwrap_or_else(|state| state));
        if state == self.began { 0 } else { state }
    }

    /// Returns whether the file is still in place. It takes no lock, so it may return false while
    /// another thread moves the range.
    pub(in crate::cursor) fn is_there(&self, checked: &mut Checked) -> bool {
        let lock = self.lock.load(Ordering::Acquire);
        let is_there = (lock > 0 && lock == checked.there) || self.file.load().status(lock) == Status::There;
        if is_there {
            checked.there = lock;
        }
        is_there
    }

    /// Moves the range to the file that has replaced a deleted one, unless another thread has done
    /// so. Returns the words to use from now on.
    #[cold]
    pub(in crate::cursor) fn follow(&self, clock: &dyn Clock, checked: &mut Checked) -> Result<&'static Words, Error> {
        let followed = wait_while_busy(LONGEST_WAIT_OF_AN_ID, || {
            let _no_fork = process::no_fork();
            let mut current = self.current();
            let status = current.file.status(current.lock.as_raw_fd());
            if has_moved(current.words().state.load(Ordering::Relaxed)) || status != Status::There {
                self.move_on(&mut current, status, clock, checked.lock.as_ref())?;
                checked.lock = Some(LockFile(Arc::clone(&current.lock)));
            }
            Ok(current.words())
        });
        followed.map_err(NotOpened::into_error)
    }

    /// Opens the range in the new file, past all positions of the old one, and marks the old word
    /// ([`MOVED`]) for other processes. If this process is killed in between, the old word still
    /// holds the last position, marked or not, for the next process that follows.
    fn move_on(
        &self,
        current: &mut Opened,
        status: Status,
        clock: &dyn Clock,
        lock: Option<&LockFile>,
    ) -> Result<(), NotOpened> {
        let key = &self.wanted.key;
        let free_tick = |state: u64| reached(state).div_ceil(1 << key.bits);
        let is_own = current.is_of(&self.wanted);
        let from_tick = if is_own {
            free_tick(current.words().state.load(Ordering::Relaxed))
        } else {
            // The place was cleared, because it looked unused. All that it issued lies before the
            // clock's next tick.
            key.layout.tick_at_ns(clock.now_ns()?).map_or(0, |tick| tick + 1)
        };
        let end_tick = self.end_tick.load(Ordering::Relaxed);
        let wanted = Wanted { from_tick, end_tick, ..self.wanted };
        let opened = file::open(FolderPath::of_process(), &wanted, lock.map(|LockFile(file)| file), clock)?;
        if !is_own {
            // Nothing to mark: another range has the place now.
        } else if !ptr::eq(opened.words(), current.words()) {
            let last = current.words().state.fetch_or(MOVED, Ordering::Relaxed);
            opened.words().raise(key, state_at(free_tick(last), key));
        } else if status == Status::There {
            // Marked as moved, but still in place: saiban never does that.
            let problem = CursorFileProblem::Damaged;
            return Err(Error::CursorFileMismatch { path: opened.file.path, problem }.into());
        }
        self.new_tick.store(opened.new_tick, Ordering::Relaxed);
        self.file.store(opened.file);
        self.lock.store(opened.lock.as_raw_fd(), Ordering::Release);
        let before = mem::replace(current, opened);
        if status == Status::LockClosed {
            // The descriptor's number may be another file's by now, which must not be closed.
            mem::forget(before.lock);
        }
        Ok(())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let current = self.current.get_mut().unwrap_or_else(PoisonError::into_inner);
        let state = reached(current.words().state.load(Ordering::Relaxed));
        if state != self.began {
            self.left.fetch_max(state, Ordering::Relaxed);
        }
        if current.has_lost_lock() {
            // The descriptor's number may be another file's by now, which must not be closed.
            mem::forget(Arc::clone(&current.lock));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::closed_state;

    #[test]
    fn a_closed_lease_changes_the_state_by_one_position_whatever_the_clock_says() {
        const BITS: u32 = 9;
        let hour = 3_600_000;
        for (tick, low, now) in
            [(7, 1, 7), (7, 1, 7 + hour), (7, 0, 7), (7, 0, 7 + hour), (7 + hour, 5, 7), (7, 511, 7)]
        {
            let state = tick << BITS | low;
            assert_eq!(closed_state(state, now, BITS), state + 1, "tick {tick}, position {low}, clock {now}");
        }
        // The position after the first one of a future tick would mark that tick as begun.
        assert_eq!(closed_state(8 << BITS, 7, BITS), 9 << BITS);
    }
}
