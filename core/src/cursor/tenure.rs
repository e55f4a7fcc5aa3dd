//! The ticks of one lease, as all cursors under it see them.

use super::registry;
use crate::process;
use crate::sync::{AtomicBool, AtomicU64, Ordering, fence};
use core::ops::Range;

/// The ticks of one lease, and whether it is over. Its end only grows, until it is closed with all cursors under it.
#[derive(Debug)]
pub struct Tenure {
    id: u64,
    /// The name space that it is of; 0 where nobody said.
    space: u64,
    /// Whether every process of this machine knows the name space by this number.
    is_of_machine: bool,
    first_tick: u64,
    end_tick: AtomicU64,
    is_closed: AtomicBool,
    /// The first tick from which nothing was issued, once it is closed.
    free_tick: AtomicU64,
    /// The process that it is of.
    generation: u32,
}

impl Tenure {
    /// The ticks of a lease of this process.
    #[must_use]
    pub fn new(ticks: Range<u64>) -> Self {
        static NEXT: core::sync::atomic::AtomicU64 = core::sync::atomic::AtomicU64::new(1);
        Tenure {
            id: NEXT.fetch_add(1, core::sync::atomic::Ordering::Relaxed),
            space: 0,
            is_of_machine: false,
            first_tick: ticks.start,
            end_tick: AtomicU64::new(ticks.end),
            is_closed: AtomicBool::new(false),
            free_tick: AtomicU64::new(ticks.start),
            generation: process::watched_generation(),
        }
    }

    /// The same ticks, in the name space with this number; `is_of_machine` says whether every process of this machine knows it by that.
    #[must_use]
    pub fn of_space(&self, space: u64, is_of_machine: bool) -> Self {
        Tenure { space, is_of_machine, ..Tenure::new(self.first_tick..self.end_tick()) }
    }

    /// The number by which every process of this machine knows its name space, if there is one.
    pub(crate) fn space_of_machine(&self) -> Option<u64> {
        Some(self.space).filter(|_| self.is_of_machine && self.has_space())
    }

    /// Whether somebody told its name space.
    pub(super) fn has_space(&self) -> bool {
        self.space != 0
    }

    /// Whether IDs of both may be compared: of two name spaces they are in columns of their own.
    pub(super) fn meets(&self, other: &Tenure) -> bool {
        let is_one_space = self.space == 0 || other.space == 0 || self.space == other.space;
        is_one_space && self.first_tick < other.end_tick() && other.first_tick < self.end_tick()
    }

    /// What tells it from all others of this process.
    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// The first tick.
    #[must_use]
    pub fn first_tick(&self) -> u64 {
        self.first_tick
    }

    /// The tick after the last.
    #[inline]
    #[must_use]
    pub fn end_tick(&self) -> u64 {
        self.end_tick.load(Ordering::Relaxed)
    }

    /// Moves the end on. An earlier one changes nothing.
    pub fn extend(&self, end_tick: u64) {
        // What a copy of the process knows of its parent's lease is nobody's business.
        if !self.is_copy() {
            registry::extend(self, end_tick);
        }
    }

    /// Moves the end on, for this process. Other processes of the machine have been told.
    pub(super) fn move_end(&self, end_tick: u64) {
        self.end_tick.fetch_max(end_tick, Ordering::Relaxed);
    }

    /// Whether it is over, whatever its end.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// The same after a cursor's state was read: who has read a state that closing left, or a later one, is told.
    #[inline]
    pub(crate) fn was_closed(&self) -> bool {
        // Pairs with the release of that state, which was read relaxed.
        fence(Ordering::Acquire);
        self.is_closed()
    }

    /// Whether this process is a copy of the one whose lease it is.
    #[must_use]
    pub fn is_copy(&self) -> bool {
        self.generation != process::generation()
    }

    /// Closes every cursor under it, for good: from now on none of them issues anything. Answers the first tick from which nothing was
    /// issued, the same however often it is asked; `None` in a copy of the process, where it changes nothing: what is counted there is not
    /// what the lease's process counts.
    pub fn close(&self) -> Option<u64> {
        if self.is_copy() {
            return None;
        }
        registry::close(self);
        Some(self.free_tick.load(Ordering::Relaxed))
    }

    /// Says that it is closed to who would open another cursor.
    pub(super) fn mark(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    /// Notes how far a cursor under it had come. Only the first time that it is closed there are any.
    pub(super) fn note_free(&self, tick: u64) {
        self.free_tick.fetch_max(tick, Ordering::Relaxed);
    }
}
