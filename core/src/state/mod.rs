//! The state file: what may have been used is known after a crash, whatever the clock says then.
//!
//! The tick that may be used is saved *before* it is used, in steps: "ticks below N may have been used" stands on disk, and a
//! generator uses no tick from N on before a larger N stands there. Who opens the file next begins with N. A clean close
//! saves the tick that was reached, so that nothing is lost; a crash costs a step, at most 100 ms. (TiKV's timestamp oracle
//! does the same with its physical clock.)
//!
//! - [`record`]: what the file says, as text; whose file it is.
//! - [`slots`]: two slots written in turn, so that one is whole at every instant.
//! - [`file`](self::file): where the file is, how it comes into being.
//! - [`registry`]: who of this process has which file open, and the locks that keep other processes out.
//! - [`os`]: what the operating systems do differently.
//!
//! What no file can know: that it was put back from a backup, or copied with a virtual machine.

mod file;
mod os;
mod record;
mod registry;
mod slots;
#[cfg(test)]
mod tests;

use crate::error::{Error, Excerpt};
use crate::layout::Layout;
use crate::process;
use core::sync::atomic::{AtomicU64, Ordering};
use file::DataFile;
use slots::Slots;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// How far ahead ticks are saved, at most: what a crash costs.
const STEP_US: u64 = 100_000;

/// Whose ticks are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity<'a> {
    /// The scheme's name.
    pub scheme: &'static str,
    /// The layout.
    pub layout: &'a Layout,
    /// The first node.
    pub first_node: u64,
    /// The node after the last.
    pub end_node: u64,
}

/// An open state file, locked for as long as it lives.
///
/// A copy made by fork is inert: it saves nothing, and dropped it writes and unlocks nothing.
#[derive(Debug)]
pub(crate) struct StateFile {
    path: Excerpt,
    /// How many ticks are saved at once.
    step: u64,
    /// How many ticks the layout lasts.
    ticks: u64,
    /// The process that opened it.
    generation: u32,
    /// What the file said when it was opened; 0 for a new one.
    first_free: u64,
    /// Ticks below this one are saved.
    saved_end: AtomicU64,
    slots: Mutex<Slots<DataFile>>,
    /// How many opened it, and how many of them told what they used.
    opened: AtomicU64,
    told: AtomicU64,
    /// The largest tick that they told.
    told_free: AtomicU64,
}

fn unavailable(path: Excerpt, error: &io::Error) -> Error {
    // What std finds out by itself, a path with a NUL say, has no number: as an argument that makes no sense it has one.
    const EINVAL: i32 = 22;
    Error::StateUnavailable { path, os_error: error.raw_os_error().unwrap_or(EINVAL) }
}

impl StateFile {
    /// Opens a file or makes it, and locks it for life. It waits for nobody.
    ///
    /// Who opens it again in this process, by whatever name and with the same identity, gets the same one while it lives. Each
    /// opener tells [`close_at`](Self::close_at) once.
    ///
    /// Neither this nor the last drop may happen while [`process::no_fork`] is held.
    ///
    /// # Errors
    /// `StateInUse`, `StateMismatch` and `StateUnavailable`.
    pub(crate) fn open(path: &Path, identity: &Identity<'_>) -> Result<Arc<StateFile>, Error> {
        registry::open(path, identity, false)
    }

    /// Opens a file that nobody else of this process has open or opens while it lives: for a generator that shares no cursor.
    ///
    /// # Errors
    /// As [`open`](Self::open)'s.
    pub(crate) fn open_alone(path: &Path, identity: &Identity<'_>) -> Result<Arc<StateFile>, Error> {
        registry::open(path, identity, true)
    }

    fn new(path: Excerpt, layout: Layout, generation: u32, slots: Slots<DataFile>, first_free: u64) -> Self {
        StateFile {
            path,
            step: (STEP_US / layout.tick_us()).max(1),
            ticks: layout.ticks(),
            generation,
            first_free,
            saved_end: AtomicU64::new(first_free),
            slots: Mutex::new(slots),
            opened: AtomicU64::new(1),
            told: AtomicU64::new(0),
            told_free: AtomicU64::new(0),
        }
    }

    fn is_opened_again(&self) {
        self.opened.fetch_add(1, Ordering::Relaxed);
    }

    /// The first tick that nobody can have used, as the file said when this process opened it; `None` for a file in which nothing
    /// was saved yet.
    pub(crate) fn first_free_tick(&self) -> Option<u64> {
        (self.first_free > 0).then_some(self.first_free)
    }

    /// Ticks below this one are saved: those from [`first_free_tick`](Self::first_free_tick) on may be used.
    #[inline]
    pub(crate) fn saved_end(&self) -> u64 {
        // Relaxed is enough: whoever stored it did so after the disk had answered.
        self.saved_end.load(Ordering::Relaxed)
    }

    /// Saves that ticks through this one may be used, and more for up to 100 ms; returns when that is on disk. Threads may call
    /// at once: who comes second finds it done. What is saved already is never taken back.
    ///
    /// # Errors
    /// `StateUnavailable`: nothing has changed then, and the next call tries again. `Forked` in a copy made by fork.
    pub(crate) fn save_through(&self, tick: u64) -> Result<(), Error> {
        if self.generation != process::generation() {
            return Err(Error::Forked);
        }
        // Nothing in here can be left half done, so a panic elsewhere does no harm.
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if tick < self.saved_end() {
            return Ok(());
        }
        let end = tick.saturating_add(self.step).min(self.ticks).max(tick.saturating_add(1));
        slots.save(end).map_err(|error| unavailable(self.path, &error))?;
        self.saved_end.store(end, Ordering::Release);
        Ok(())
    }

    /// Tells, once for each [`open`](Self::open), that its generator goes and has used ticks below this one only. When all have
    /// told, the last drop saves the largest: a clean close.
    pub(crate) fn close_at(&self, first_free_tick: u64) {
        self.told_free.fetch_max(first_free_tick, Ordering::Relaxed);
        self.told.fetch_add(1, Ordering::Relaxed);
    }

    /// What to save at the end, if it is not what is saved.
    fn exact_end(&mut self) -> Option<u64> {
        let (saved, told) = (*self.saved_end.get_mut(), *self.told_free.get_mut());
        // Who went without a word may have used all that was saved.
        let all_told = *self.opened.get_mut() == *self.told.get_mut();
        let end = if all_told { told.max(self.first_free) } else { told.max(saved) };
        (end != saved).then_some(end)
    }
}

impl Drop for StateFile {
    fn drop(&mut self) {
        if self.generation != process::generation() {
            return;
        }
        let exact_end = self.exact_end();
        registry::close(self, || {
            if let Some(end) = exact_end {
                // Failing, it leaves what was saved before, which is no less.
                let _ = self.slots.lock().unwrap_or_else(PoisonError::into_inner).save(end);
            }
        });
    }
}
