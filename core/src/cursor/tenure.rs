//! The ticks of one lease, shared by all cursors under the lease.
//!
//! A generator gets them with the grant of its lease.

use crate::process;
use crate::sync::{AtomicBool, AtomicU64, Ordering, fence};
use core::ops::Range;

/// The ticks of one lease, and whether the lease is over. The end only grows, until the lease is
/// closed together with all cursors under it.
#[derive(Debug)]
pub struct Tenure {
    id: u64,
    /// The namespace, as a number; 0 if it is unknown.
    space: u64,
    /// Whether every process of this machine knows the namespace by this number.
    is_of_machine: bool,
    first_tick: u64,
    end_tick: AtomicU64,
    is_closed: AtomicBool,
    /// The first tick without issued IDs, once the lease is closed.
    free_tick: AtomicU64,
    /// The generation of the process that has the lease.
    generation: u32,
}

impl Tenure {
    /// Creates the tenure of a lease of this process, with these ticks.
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

    /// Returns a new tenure with these ticks, in the namespace with the number `space`.
    /// `is_of_machine` is true if every process of this machine knows the namespace by that number.
    #[must_use]
    pub fn of_space(&self, space: u64, is_of_machine: bool) -> Self {
        Tenure { space, is_of_machine, ..Tenure::new(self.first_tick..self.end_tick()) }
    }

    /// Returns the number by which every process of this machine knows the namespace, if there is
    /// one.
    pub(crate) fn space_of_machine(&self) -> Option<u64> {
        Some(self.space).filter(|_| self.is_of_machine && self.has_space())
    }

    /// Returns whether the namespace is known.
    pub(super) fn has_space(&self) -> bool {
        self.space != 0
    }

    /// Returns whether the IDs of both leases may be equal: their ticks overlap, and they may be of
    /// one namespace. The IDs of two namespaces are in different columns.
    pub(super) fn meets(&self, other: &Tenure) -> bool {
        let is_one_space = self.space == 0 || other.space == 0 || self.space == other.space;
        is_one_space && self.first_tick < other.end_tick() && other.first_tick < self.end_tick()
    }

    /// Returns a number that identifies the tenure in this process.
    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// Returns the first tick.
    #[must_use]
    pub fn first_tick(&self) -> u64 {
        self.first_tick
    }

    /// Returns the tick after the last.
    #[inline]
    #[must_use]
    pub fn end_tick(&self) -> u64 {
        self.end_tick.load(Ordering::Relaxed)
    }

    /// Moves the end to a later tick, for this process. The machine's shared memory has the new end
    /// already.
    pub(super) fn move_end(&self, end_tick: u64) {
        self.end_tick.fetch_max(end_tick, Ordering::Relaxed);
    }

    /// Returns whether the lease was closed, regardless of its end.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// Returns [`is_closed`](Self::is_closed), after a cursor's state was read. A thread that has
    /// read the state that closing wrote, or a later one, gets `true`.
    #[inline]
    pub(crate) fn was_closed(&self) -> bool {
        // Pairs with the release store of that state, which was read relaxed.
        fence(Ordering::Acquire);
        self.is_closed()
    }

    /// Returns whether this process is a copy of the one that has the lease.
    #[must_use]
    pub fn is_copy(&self) -> bool {
        self.generation != process::generation()
    }

    /// Marks the lease as closed, so that no more cursors open under it.
    pub(super) fn mark(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    /// Returns the first tick without issued IDs, once the lease is closed.
    pub(super) fn free_tick(&self) -> u64 {
        self.free_tick.load(Ordering::Relaxed)
    }

    /// Records how far a cursor under the lease has come. Only the first call that closes the lease
    /// finds cursors.
    pub(super) fn note_free(&self, tick: u64) {
        self.free_tick.fetch_max(tick, Ordering::Relaxed);
    }
}
