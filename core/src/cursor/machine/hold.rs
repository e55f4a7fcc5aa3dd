//! An open range of nodes of a file.

use super::file::{self, CursorFile, NotOpened, Opened, Status, Wanted};
use super::folder::FolderPath;
use super::memory::AtomicRef;
use crate::clock::Clock;
use crate::cursor::shared::{MOVED, has_moved, reached};
use crate::cursor::word::{Words, state_at};
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

/// How long opening a range waits for another process, and how long an ID does whose file was deleted.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
const LONGEST_WAIT_OF_AN_ID: Duration = Duration::from_millis(50);

/// A range of nodes that this process has open, until its last generator is dropped. A child made by fork has a copy, which keeps the
/// range open as well.
#[derive(Debug)]
pub(in crate::cursor) struct Hold {
    wanted: Wanted,
    /// The end of its lease, which only grows.
    end_tick: AtomicU64,
    /// The word's state when it was opened.
    began: u64,
    /// Locked only while no thread can fork.
    current: Mutex<Opened>,
    /// What `current` holds, for reading without a lock.
    file: AtomicRef<CursorFile>,
    lock: AtomicI32,
    new_tick: AtomicU64,
    /// Set to the word's state when the range is closed, for the registry of this process.
    left: Arc<AtomicU64>,
}

/// An open file that holds the locks of ranges which are closed together.
#[derive(Clone, Debug)]
pub(crate) struct LockFile(Arc<File>);

/// The result of one check of a generator's files, shared by its parts.
#[derive(Debug, Default)]
pub struct Checked {
    /// The descriptor of a file that is there; 0 before one was found.
    there: i32,
    /// The locks of parts that have moved to the new file.
    lock: Option<LockFile>,
}

/// The state after this one when a lease is closed: always another, so that who has read this one takes nothing of it any more, and as little
/// further as can be: the clock's tick, or the next position, but for the first of a tick that the clock has not reached.
fn closed_state(state: u64, now: u64, bits: u32) -> u64 {
    let (tick, has_begun) = (state >> bits, state & ((1 << bits) - 1) != 0);
    if tick < now {
        now << bits
    } else if has_begun || tick == now {
        state + 1
    } else {
        (tick + 1) << bits
    }
}

/// Calls `open` again while another process is opening a range.
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
    /// Opens a range without waiting. The caller keeps threads from forking. `lock` holds the locks of ranges that were opened together.
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

    /// Calls `open` again while another process is opening a range.
    pub(in crate::cursor) fn wait_while_busy<T>(open: impl FnMut() -> Result<T, NotOpened>) -> Result<T, NotOpened> {
        wait_while_busy(LONGEST_WAIT, open)
    }

    /// The open file whose lock keeps the range in use. The caller keeps threads from forking.
    pub(in crate::cursor) fn lock_file(&self) -> LockFile {
        LockFile(Arc::clone(&self.current().lock))
    }

    fn current(&self) -> MutexGuard<'_, Opened> {
        // Nothing in here can be left half done, so a panic elsewhere does no harm.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The word to count with. The caller keeps threads from forking.
    pub(in crate::cursor) fn words(&self) -> &'static Words {
        self.current().words()
    }

    /// The file, for messages.
    pub(in crate::cursor) fn path(&self) -> &'static str {
        self.file.load().path
    }

    /// The tick with which new words of the file begin.
    pub(in crate::cursor) fn new_tick(&self) -> u64 {
        self.new_tick.load(Ordering::Relaxed)
    }

    /// Moves the end of its lease on. The caller keeps threads from forking.
    pub(in crate::cursor) fn extend(&self, end_tick: u64) {
        let current = self.current();
        self.end_tick.fetch_max(end_tick, Ordering::Relaxed);
        current.extend(end_tick);
    }

    /// Ends the lease under which it counts, and returns the state up to which that may have issued IDs; 0 for none. Other processes may go on with
    /// the word. The caller has closed the lease, and keeps threads from forking: who counts under it and reads the new state learns of that.
    pub(in crate::cursor) fn close(&self, clock: &dyn Clock) -> u64 {
        let current = self.current();
        let key = &self.wanted.key;
        let now = clock.now_ns().ok().and_then(|now_ns| key.layout.tick_at_ns(now_ns).ok()).unwrap_or(0);
        let changed = current.words().state.fetch_update(Ordering::Release, Ordering::Relaxed, |state| {
            // Of a word that was moved, or is after the last tick, nobody takes anything.
            (state < MOVED).then(|| closed_state(state, now, key.bits))
        });
        let left = changed.ok().filter(|before| before >> key.bits < closed_state(*before, now, key.bits) >> key.bits);
        left.iter().for_each(|before| current.words().leave_tick(key, *before));
        current.give_back();
        let state = reached(changed.unwrap_or_else(|state| state));
        if state == self.began { 0 } else { state }
    }

    /// Whether its file is still there. Takes no lock, so it may return false while another thread moves the range.
    pub(in crate::cursor) fn is_there(&self, checked: &mut Checked) -> bool {
        let lock = self.lock.load(Ordering::Acquire);
        let is_there = (lock > 0 && lock == checked.there) || self.file.load().status(lock) == Status::There;
        if is_there {
            checked.there = lock;
        }
        is_there
    }

    /// Moves the range to the file that has replaced a deleted one, unless another thread has done so. Returns the word to count with from now
    /// on.
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

    /// Opens the range in the new file, past all positions of the old one, and marks the old word ([`MOVED`]) for other processes. If this process is killed
    /// in between, the old word still holds the last position, marked or not, for the next process that follows.
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
            // Cleared, as it looked unused. What it had issued lies before the clock's next tick.
            key.layout.tick_at_ns(clock.now_ns()?).map_or(0, |tick| tick + 1)
        };
        let end_tick = self.end_tick.load(Ordering::Relaxed);
        let wanted = Wanted { from_tick, end_tick, ..self.wanted };
        let opened = file::open(FolderPath::of_process(), &wanted, lock.map(|LockFile(file)| file), clock)?;
        if !is_own {
            // Nothing to mark: the word is another range's.
        } else if !ptr::eq(opened.words(), current.words()) {
            let last = current.words().state.fetch_or(MOVED, Ordering::Relaxed);
            opened.words().raise(key, state_at(free_tick(last), key));
        } else if status == Status::There {
            // Marked as moved, and still there: saiban does not do that.
            let problem = CursorFileProblem::Damaged;
            return Err(Error::CursorFileMismatch { path: opened.file.path, problem }.into());
        }
        self.new_tick.store(opened.new_tick, Ordering::Relaxed);
        self.file.store(opened.file);
        self.lock.store(opened.lock.as_raw_fd(), Ordering::Release);
        let before = mem::replace(current, opened);
        if status == Status::LockClosed {
            // Its number may be another file's by now, which is not ours to close.
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
            // Not ours to close.
            mem::forget(Arc::clone(&current.lock));
        }
    }
}
