//! The word that holds a cursor's state: an atomic one that threads share, or a plain one for a
//! single owner.
//!
//! Generators use cursors through [`CursorWord`].

use super::Position;
use super::beginning::Beginning;
use super::key::{CursorKey, Sharing, state_at};
#[cfg(feature = "std")]
use super::machine::Checked;
#[cfg(target_has_atomic = "64")]
use super::words::Words;
#[cfg(feature = "std")]
use crate::clock::Clock;
use crate::error::Error;
#[cfg(target_has_atomic = "64")]
use crate::sync::{AtomicU64, Ordering};
use core::cell::Cell;

/// A word that holds a cursor's state. The state only grows, within a process.
pub trait CursorWord: Sized {
    /// The type of the state.
    type Position: Position;
    /// Whether closing a lease can close the cursor: all generators of the cursor use this one
    /// word.
    const CAN_BE_CLOSED: bool;

    /// Opens the cursor of these nodes. If the cursor is shared, every opener of these nodes gets
    /// one cursor, so two generators cannot repeat each other's IDs.
    ///
    /// # Errors
    /// - `NodeInUse` if overlapping nodes are in use, if these nodes are in use with another state
    ///   file, or if they belong to the process that this one was forked from.
    /// - `LeaseLost` if the lease was closed.
    /// - `StateUnavailable` or `StateMismatch` if the file of a machine-scope cursor cannot be
    ///   used.
    /// - `ClockBackward` if a machine-scope cursor is too far ahead of the clock,
    ///   `ClockUnavailable` if the clock cannot be read.
    fn open(key: &CursorKey, sharing: Sharing, beginning: &Beginning<'_>) -> Result<Self, Error>;

    /// Returns the state: the next free position.
    fn load(&self) -> Self::Position;

    /// Returns the state, if that needs no wait for another thread. The halves of the state may be
    /// of different times. So use the result only if [`replace`](Self::replace) confirms it.
    #[inline]
    fn peek(&self) -> Option<Self::Position> {
        Some(self.load())
    }

    /// Replaces `state` by `next`, and adds `issued` to the number of IDs that the state does not
    /// count. If another thread has replaced `state` first, nothing changes.
    ///
    /// # Errors
    /// The actual state.
    fn replace(&self, state: Self::Position, next: Self::Position, issued: u64) -> Result<(), Self::Position>;

    /// Returns the number of IDs that the state does not count.
    fn issued(&self) -> u64;

    /// Returns the state as [`load`](Self::load) does, but without the mark of a cursor that has
    /// moved: see [`check`](Self::check).
    fn reached(&self) -> Self::Position {
        self.load()
    }

    /// Returns whether other processes of the machine share the cursor.
    fn is_of_machine(&self) -> bool {
        false
    }

    /// Returns the path of the file of a machine-scope cursor.
    fn path(&self) -> Option<&'static str> {
        None
    }

    /// Returns the first tick of new cursors in the file of a machine-scope cursor; 0 for other
    /// cursors.
    fn new_tick(&self) -> u64 {
        0
    }

    /// Returns whether the cursor had moved when it was in this state. If so,
    /// [`check`](Self::check) it before taking more of it.
    fn has_moved(&self, state: Self::Position) -> bool {
        let _ = state;
        false
    }

    /// Moves a machine-scope cursor to the new file, if its own was deleted.
    ///
    /// Call it when the clock has shown a new tick, before taking a position of that tick. All
    /// parts of a generator share one `checked`.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    #[cfg(feature = "std")]
    fn check(&self, clock: &dyn Clock, checked: &mut Checked) -> Result<(), Error> {
        let _ = (clock, checked);
        Ok(())
    }
}

/// A cursor that threads share: one atomic word.
#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
pub struct Cursor(Place);

/// With `std` the words are always behind a pointer, even those that are not shared: to distinguish
/// the two would cost a branch for each ID.
#[cfg(all(target_has_atomic = "64", feature = "std"))]
type Place = super::shared::SharedWords;
#[cfg(all(target_has_atomic = "64", not(feature = "std")))]
type Place = Words;

#[cfg(target_has_atomic = "64")]
impl Cursor {
    #[inline]
    fn words(&self) -> &Words {
        #[cfg(feature = "std")]
        return self.0.words();
        #[cfg(not(feature = "std"))]
        &self.0
    }
}

#[cfg(target_has_atomic = "64")]
impl CursorWord for Cursor {
    type Position = u64;
    const CAN_BE_CLOSED: bool = true;

    fn open(key: &CursorKey, sharing: Sharing, beginning: &Beginning<'_>) -> Result<Self, Error> {
        #[cfg(feature = "std")]
        if sharing != Sharing::Own {
            return super::registry::open_shared(key, sharing, beginning).map(Cursor);
        }
        let _ = sharing;
        let state = AtomicU64::new(state_at(beginning.of_any, key));
        Ok(Cursor(Place::from(Words { state, ..Words::default() })))
    }

    // Relaxed is enough: only the order of changes to this one word matters, and all threads agree
    // on that order.
    #[inline]
    fn load(&self) -> u64 {
        self.words().state.load(Ordering::Relaxed)
    }

    #[inline]
    fn replace(&self, state: u64, next: u64, issued: u64) -> Result<(), u64> {
        let words = self.words();
        words.state.compare_exchange_weak(state, next, Ordering::Relaxed, Ordering::Relaxed)?;
        // `issued` is mostly 0, and adding it would cost as much as the line above.
        if issued > 0 {
            words.issued.fetch_add(issued, Ordering::Relaxed);
        }
        Ok(())
    }

    fn issued(&self) -> u64 {
        self.words().issued.load(Ordering::Relaxed)
    }

    #[cfg(feature = "std")]
    fn reached(&self) -> u64 {
        self.0.reached()
    }

    #[cfg(feature = "std")]
    fn is_of_machine(&self) -> bool {
        self.0.is_of_machine()
    }

    #[cfg(feature = "std")]
    fn path(&self) -> Option<&'static str> {
        self.0.path()
    }

    #[cfg(feature = "std")]
    fn new_tick(&self) -> u64 {
        self.0.new_tick()
    }

    #[cfg(feature = "std")]
    fn has_moved(&self, state: u64) -> bool {
        super::words::has_moved(state)
    }

    #[cfg(feature = "std")]
    fn check(&self, clock: &dyn Clock, checked: &mut Checked) -> Result<(), Error> {
        self.0.check(clock, checked)
    }
}

/// A cursor with a single owner, in a plain word that threads cannot share. It is for targets
/// without 64-bit atomics, and for loops that own their generator.
#[derive(Debug)]
pub struct LocalCursor<P: Position = u64> {
    state: Cell<P>,
    issued: Cell<u64>,
    #[cfg(feature = "std")]
    claim: Option<super::registry::Claim>,
    /// The process to which the state belongs, as the number of forks before it.
    #[cfg(feature = "std")]
    generation: Cell<u32>,
}

#[cfg(feature = "std")]
impl<P: Position> LocalCursor<P> {
    /// Begins again with 0 in a forked child.
    ///
    /// Only generators of wide IDs go on there, with random positions: at the parent's state, the
    /// child would repeat the parent's IDs.
    #[inline]
    fn notice_fork(&self) {
        if P::BITS <= u64::BITS {
            return;
        }
        let generation = crate::process::generation();
        if self.generation.get() != generation {
            self.generation.set(generation);
            self.state.set(P::ZERO);
        }
    }
}

impl<P: Position> CursorWord for LocalCursor<P> {
    type Position = P;
    const CAN_BE_CLOSED: bool = false;

    fn open(key: &CursorKey, sharing: Sharing, beginning: &Beginning<'_>) -> Result<Self, Error> {
        #[cfg(feature = "std")]
        if sharing != Sharing::Own {
            let claim = super::registry::claim(key, super::registry::without_machine(sharing)?, beginning)?;
            let (state, issued) = claim.words();
            return Ok(LocalCursor {
                state: Cell::new(P::from_u128(state)),
                issued: Cell::new(issued),
                claim: Some(claim),
                generation: Cell::new(crate::process::watched_generation()),
            });
        }
        let _ = sharing;
        Ok(LocalCursor {
            state: Cell::new(state_at(beginning.of_any, key)),
            issued: Cell::new(0),
            #[cfg(feature = "std")]
            claim: None,
            #[cfg(feature = "std")]
            generation: Cell::new(crate::process::watched_generation()),
        })
    }

    #[inline]
    fn load(&self) -> P {
        #[cfg(feature = "std")]
        self.notice_fork();
        self.state.get()
    }

    #[inline]
    fn replace(&self, state: P, next: P, issued: u64) -> Result<(), P> {
        // There is one thread, but a clock that is being read may itself ask for an ID.
        if self.state.get() != state {
            return Err(self.state.get());
        }
        self.state.set(next);
        self.issued.set(self.issued.get() + issued);
        Ok(())
    }

    fn issued(&self) -> u64 {
        self.issued.get()
    }
}

#[cfg(feature = "std")]
impl<P: Position> Drop for LocalCursor<P> {
    fn drop(&mut self) {
        // What this owner issued stays issued: the next owner of the nodes continues from here.
        if let Some(claim) = &self.claim {
            claim.give_back(self.state.get().into(), self.issued.get());
        }
    }
}
