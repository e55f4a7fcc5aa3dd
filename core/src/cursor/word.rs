//! The word around the step: one atomic word that threads share, or a plain one for a single owner.

use super::Position;
#[cfg(feature = "std")]
use super::{Tenure, machine::Checked};
use crate::clock::Clock;
use crate::error::Error;
use crate::layout::Layout;
#[cfg(feature = "std")]
use crate::layout::{IdSet, TimeForm};
#[cfg(target_has_atomic = "64")]
use crate::sync::{AtomicU64, Ordering};
use core::cell::Cell;
use core::fmt;
#[cfg(feature = "std")]
use std::sync::Arc;

/// Whose positions a cursor counts: a format and a half-open range of nodes in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CursorKey {
    /// Whose numbers the IDs are: those of Snowflake, Flake and Ulid-Flake are their fields, so that equal fields are equal IDs whichever made
    /// them; Randflake's are encrypted.
    pub format: &'static str,
    /// The layout, which two generators must have in common to make equal IDs.
    pub layout: Layout,
    /// The first node.
    pub first_node: u64,
    /// The node after the last.
    pub end_node: u64,
    /// The value of the rollback bits, each of which has a cursor of its own; 0 for a layout without.
    pub rollback: u64,
    /// How many low bits a position has, at most 127.
    pub bits: u32,
    /// Whether positions are of 128 bits.
    pub is_wide: bool,
}

#[cfg(feature = "std")]
impl CursorKey {
    /// What two keys must have in common for their IDs to be able to be equal: whose numbers they are, and the form of their time.
    pub(super) fn space(&self) -> (&'static str, TimeForm) {
        (self.format, self.layout.time_form())
    }

    /// Its IDs, apart from their time.
    pub(super) fn ids(&self) -> IdSet {
        self.layout.ids_of(self.first_node..self.end_node, self.rollback)
    }
}

/// Who counts with the same cursor, as far as `std` can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Nobody else: the time is the caller's own.
    Own,
    /// Every opener of the same nodes in this process, but no process made of it by fork.
    Process,
    /// The same, and copies made by fork go on with a copy: where collisions are allowed.
    ProcessAndForks,
    /// Every opener of the same nodes on this machine, of the same user. Where the machine has no memory for that, or positions have more
    /// than 63 bits: `Process`.
    Machine {
        /// Whether it is refused there.
        is_required: bool,
    },
}

/// Where a cursor begins.
#[derive(Clone, Default)]
pub struct Beginning<'a> {
    /// The first tick of a cursor that nobody in this process has counted with.
    pub of_new: u64,
    /// The first tick of any.
    pub of_any: u64,
    /// Whether the caller knows that nobody has issued anything from there on, so that a cursor which is new does not begin later.
    pub is_known: bool,
    /// The lease under which it counts.
    #[cfg(feature = "std")]
    pub tenure: Option<Arc<Tenure>>,
    /// The clock of a cursor that is the machine's.
    pub clock: Option<&'a dyn Clock>,
    /// How far ahead of the clock a word may be that other processes of the machine count with, nanoseconds.
    pub max_jump_ns: u64,
    /// What the parts of one generator that are the machine's have open together.
    #[cfg(feature = "std")]
    pub(crate) lock_file: core::cell::OnceCell<super::machine::LockFile>,
    /// The state file that remembers it, as a number that tells one from another. Who counts with one cursor has one file.
    pub state_file: Option<usize>,
}

impl fmt::Debug for Beginning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Beginning { of_new, of_any, state_file, .. } = self;
        f.debug_struct("Beginning")
            .field("of_new", of_new)
            .field("of_any", of_any)
            .field("state_file", state_file)
            .finish_non_exhaustive()
    }
}

/// A word that holds a cursor's state. It only ever grows.
pub trait CursorWord: Sized {
    /// What it holds.
    type Position: Position;
    /// Whether a lease can close it from outside: it is one word for all who count with it.
    const CAN_BE_CLOSED: bool;

    /// Opens the cursor of these nodes. Where it is shared, every opener of the same nodes gets the same one, so that two
    /// generators cannot repeat each other's IDs.
    ///
    /// # Errors
    /// `NodeInUse` when some, but not the same, nodes are in use in this process, or with another state file, or belong to the
    /// process it was forked from.
    fn open(key: &CursorKey, sharing: Sharing, beginning: &Beginning<'_>) -> Result<Self, Error>;

    /// The state: the next free position.
    fn load(&self) -> Self::Position;

    /// The state, where it can be had without waiting for another thread. It may never have been there as a whole: what is made of it counts only
    /// once [`replace`](Self::replace) has found it.
    #[inline]
    fn peek(&self) -> Option<Self::Position> {
        Some(self.load())
    }

    /// Puts `next` in the place of `state`, and adds `issued` to the number of IDs that no state counts; answers the actual state when another
    /// was faster, and adds nothing then.
    ///
    /// # Errors
    /// The state found there.
    fn replace(&self, state: Self::Position, next: Self::Position, issued: u64) -> Result<(), Self::Position>;

    /// How many were added.
    fn issued(&self) -> u64;

    /// The state, as [`load`](Self::load) has it, where it is not a cursor's that moved: see [`check`](Self::check).
    fn reached(&self) -> Self::Position {
        self.load()
    }

    /// Whether other processes of the machine count with it.
    fn is_of_machine(&self) -> bool {
        false
    }

    /// The file in which they do.
    fn path(&self) -> Option<&'static str> {
        None
    }

    /// The tick with which it began at the earliest, where it is the machine's.
    fn new_tick(&self) -> u64 {
        0
    }

    /// Whether the cursor had moved when it was in this state: nothing more is taken of it before it is [checked](Self::check).
    fn has_moved(&self, state: Self::Position) -> bool {
        let _ = state;
        false
    }

    /// Of a cursor that is the machine's: moves it to the new file where its own was deleted. To be called when the clock has shown a new tick,
    /// before anything is taken of that; with one `checked` for all parts of a generator.
    ///
    /// # Errors
    /// As those of [`open`](Self::open).
    #[cfg(feature = "std")]
    fn check(&self, clock: &dyn Clock, checked: &mut Checked) -> Result<(), Error> {
        let _ = (clock, checked);
        Ok(())
    }
}

/// The state of a cursor that begins with this tick.
pub(super) fn state_at<P: Position>(tick: u64, key: &CursorKey) -> P {
    let tick = tick.min(key.layout.ticks());
    // Where a position has all the bits there are, the tick past the last is no number: the last one is not used either.
    let has_room = key.layout.timestamp_bits() + key.bits < u128::BITS;
    P::from(if has_room { tick } else { tick.min(key.layout.ticks() - 1) }) << key.bits
}

/// A cursor that threads share: one atomic word.
#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
pub struct Cursor(Place);

/// Behind a pointer, also where nobody shares them: which of the two it is would be asked for each ID.
#[cfg(all(target_has_atomic = "64", feature = "std"))]
type Place = super::shared::SharedWords;
#[cfg(all(target_has_atomic = "64", not(feature = "std")))]
type Place = Words;

/// What threads count with, on a cache line of its own: threads with other cursors are not to wait for this one.
#[cfg(target_has_atomic = "64")]
#[derive(Debug, Default)]
#[repr(C, align(128))]
pub(super) struct Words {
    pub(super) state: AtomicU64,
    pub(super) issued: AtomicU64,
    /// The state in place of the other, where positions have more than 63 bits.
    #[cfg(feature = "std")]
    pub(super) wide: super::wide::WideWord,
}

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

    // Relaxed is enough: all that matters is the order of changes to this one word, which every thread agrees on.
    #[inline]
    fn load(&self) -> u64 {
        self.words().state.load(Ordering::Relaxed)
    }

    #[inline]
    fn replace(&self, state: u64, next: u64, issued: u64) -> Result<(), u64> {
        let words = self.words();
        words.state.compare_exchange_weak(state, next, Ordering::Relaxed, Ordering::Relaxed)?;
        // Mostly there is nothing to add, and to add it would cost as much as the line above.
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
        super::shared::has_moved(state)
    }

    #[cfg(feature = "std")]
    fn check(&self, clock: &dyn Clock, checked: &mut Checked) -> Result<(), Error> {
        self.0.check(clock, checked)
    }
}

/// A cursor with a single owner: no atomic word, not shared between threads, for targets without 64-bit atomics and for
/// loops that own their generator.
#[derive(Debug)]
pub struct LocalCursor<P: Position = u64> {
    state: Cell<P>,
    issued: Cell<u64>,
    #[cfg(feature = "std")]
    claim: Option<super::registry::Claim>,
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
            });
        }
        let _ = sharing;
        Ok(LocalCursor {
            state: Cell::new(state_at(beginning.of_any, key)),
            issued: Cell::new(0),
            #[cfg(feature = "std")]
            claim: None,
        })
    }

    #[inline]
    fn load(&self) -> P {
        self.state.get()
    }

    #[inline]
    fn replace(&self, state: P, next: P, issued: u64) -> Result<(), P> {
        // There is one thread, but a clock may ask for an ID while it is asked for the time.
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
        // What this owner issued stays issued: who claims the nodes next goes on from here.
        if let Some(claim) = &self.claim {
            claim.give_back(self.state.get().into(), self.issued.get());
        }
    }
}
