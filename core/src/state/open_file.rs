//! An open state file: what it has saved, and what it saves when it is closed.
//!
//! Generators call its methods through `StateFile`; the registry creates and closes it.

use super::file::DataFile;
use super::slots::Slots;
use crate::error::{Error, Excerpt};
use crate::layout::Layout;
use crate::process;
use core::sync::atomic::{AtomicU64, Ordering};
use std::io;
use std::sync::{Mutex, PoisonError};

/// The step, in microseconds: ticks are saved this far before they are used. A crash skips at most
/// one step.
const STEP_US: u64 = 100_000;

/// An open state file: the ticks that are saved, and those that its generators have used.
#[derive(Debug)]
pub(crate) struct OpenFile {
    path: Excerpt,
    /// The number of ticks that are saved at once.
    step: u64,
    /// The number of ticks that the layout can count.
    ticks: u64,
    /// The process that opened the file, as [`process::generation`].
    generation: u32,
    /// The end that the file stated when it was opened; 0 for a new file.
    first_free: u64,
    /// Ticks below this one are saved.
    saved_end: AtomicU64,
    pub(super) slots: Mutex<Slots<DataFile>>,
    /// How many openers there were, and how many of them called `close_at`.
    opened: AtomicU64,
    reported: AtomicU64,
    /// The largest tick that was passed to `close_at`.
    reported_free: AtomicU64,
}

pub(super) fn unavailable(path: Excerpt, error: &io::Error) -> Error {
    // Errors that std finds by itself, for example a path with a NUL, have no number: use `EINVAL`.
    const EINVAL: i32 = 22;
    Error::StateUnavailable { path, os_error: error.raw_os_error().unwrap_or(EINVAL) }
}

impl OpenFile {
    pub(super) fn new(path: Excerpt, layout: Layout, generation: u32, slots: Slots<DataFile>, first_free: u64) -> Self {
        OpenFile {
            path,
            step: (STEP_US / layout.tick_us()).max(1),
            ticks: layout.ticks(),
            generation,
            first_free,
            saved_end: AtomicU64::new(first_free),
            slots: Mutex::new(slots),
            opened: AtomicU64::new(1),
            reported: AtomicU64::new(0),
            reported_free: AtomicU64::new(0),
        }
    }

    pub(super) fn is_opened_again(&self) {
        self.opened.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the first tick that was unused when this process opened the file. Returns `None` for
    /// a file in which nothing has been saved yet.
    pub(crate) fn first_free_tick(&self) -> Option<u64> {
        (self.first_free > 0).then_some(self.first_free)
    }

    /// Returns the end of the saved ticks. Ticks from [`first_free_tick`](Self::first_free_tick) to
    /// below this end may be used.
    #[inline]
    pub(crate) fn saved_end(&self) -> u64 {
        // Relaxed suffices: `save_through` stores the value only after the disk has confirmed it.
        self.saved_end.load(Ordering::Relaxed)
    }

    /// Saves that ticks through `tick`, and those of up to 100 ms after it, may be used. Returns
    /// when this is on disk.
    ///
    /// Several threads may call at the same time; one of them saves for all. The saved end never
    /// decreases.
    ///
    /// # Errors
    /// `StateUnavailable`: nothing has changed, and the next call tries again. `Forked` in a forked
    /// process.
    pub(crate) fn save_through(&self, tick: u64) -> Result<(), Error> {
        if self.is_copy() {
            return Err(Error::Forked);
        }
        // No operation under this lock leaves a partial change, so a poisoned lock is safe to use.
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if tick < self.saved_end() {
            return Ok(());
        }
        let end = tick.saturating_add(self.step).min(self.ticks).max(tick.saturating_add(1));
        slots.save(end).map_err(|error| unavailable(self.path, &error))?;
        self.saved_end.store(end, Ordering::Release);
        Ok(())
    }

    /// Reports that a generator ends and has used only ticks below `first_free_tick`.
    ///
    /// Call it once for each [`open`](super::StateFile::open). If all openers have called it, the
    /// last drop saves the largest tick: a clean close.
    pub(crate) fn close_at(&self, first_free_tick: u64) {
        self.reported_free.fetch_max(first_free_tick, Ordering::Relaxed);
        self.reported.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns whether this process is a forked copy of the process that opened the file.
    pub(super) fn is_copy(&self) -> bool {
        self.generation != process::generation()
    }

    /// Returns the end to save when the file is closed, or `None` if it is saved already.
    pub(super) fn exact_end(&mut self) -> Option<u64> {
        let (saved, reported) = (*self.saved_end.get_mut(), *self.reported_free.get_mut());
        // An opener that did not call `close_at` may have used all saved ticks.
        let all_reported = *self.opened.get_mut() == *self.reported.get_mut();
        let end = if all_reported { reported.max(self.first_free) } else { reported.max(saved) };
        (end != saved).then_some(end)
    }

    /// Saves this end when the file is closed. If saving fails, the file keeps a saved end that is
    /// not less.
    pub(super) fn save_at_close(&self, end: u64) {
        let _ = self.slots.lock().unwrap_or_else(PoisonError::into_inner).save(end);
    }
}
