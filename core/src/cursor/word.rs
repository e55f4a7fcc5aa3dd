//! The word around the step: one atomic word that threads share, or a plain one for a single owner.

use crate::error::Error;
use crate::layout::Layout;
use core::cell::Cell;
#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering};

/// Whose positions a cursor counts: a format and a half-open range of nodes in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CursorKey {
    /// The format's name: Randflake's positions are none of Snowflake's.
    pub format: &'static str,
    /// The layout, which two generators must have in common to make equal IDs.
    pub layout: Layout,
    /// The first node.
    pub first_node: u64,
    /// The node after the last.
    pub end_node: u64,
    /// How many low bits a position has.
    pub bits: u32,
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
}

/// A word that holds a cursor's state. It only ever grows.
pub trait CursorWord: Sized {
    /// Opens the cursor of these nodes. Where it is shared, every opener of the same nodes gets the same one, so that two
    /// generators cannot repeat each other's IDs.
    ///
    /// # Errors
    /// `NodeInUse` when some, but not the same, nodes are in use in this process, or belong to the one it was forked from.
    fn open(key: &CursorKey, sharing: Sharing) -> Result<Self, Error>;

    /// The state: the next free position.
    fn load(&self) -> u64;

    /// Puts `next` in the place of `state`; answers the actual state when another thread was faster.
    ///
    /// # Errors
    /// The state found there.
    fn replace(&self, state: u64, next: u64) -> Result<(), u64>;
}

/// A cursor that threads share: one atomic word.
#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
pub struct Cursor(Word);

#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
enum Word {
    Own(AtomicU64),
    #[cfg(feature = "std")]
    Shared(super::registry::SharedWord),
}

#[cfg(target_has_atomic = "64")]
impl Cursor {
    #[inline]
    fn word(&self) -> &AtomicU64 {
        match &self.0 {
            Word::Own(word) => word,
            #[cfg(feature = "std")]
            Word::Shared(shared) => shared.word(),
        }
    }
}

#[cfg(target_has_atomic = "64")]
impl CursorWord for Cursor {
    fn open(key: &CursorKey, sharing: Sharing) -> Result<Self, Error> {
        #[cfg(feature = "std")]
        if sharing != Sharing::Own {
            return super::registry::open_shared(key, sharing).map(|shared| Cursor(Word::Shared(shared)));
        }
        let _ = (key, sharing);
        Ok(Cursor(Word::Own(AtomicU64::new(0))))
    }

    // Relaxed is enough: all that matters is the order of changes to this one word, which every thread agrees on.
    #[inline]
    fn load(&self) -> u64 {
        self.word().load(Ordering::Relaxed)
    }

    #[inline]
    fn replace(&self, state: u64, next: u64) -> Result<(), u64> {
        self.word().compare_exchange_weak(state, next, Ordering::Relaxed, Ordering::Relaxed).map(|_| ())
    }
}

/// A cursor with a single owner: no atomic word, not shared between threads, for targets without 64-bit atomics and for
/// loops that own their generator.
#[derive(Debug)]
pub struct LocalCursor {
    state: Cell<u64>,
    #[cfg(feature = "std")]
    claim: Option<super::registry::Claim>,
}

impl CursorWord for LocalCursor {
    fn open(key: &CursorKey, sharing: Sharing) -> Result<Self, Error> {
        #[cfg(feature = "std")]
        if sharing != Sharing::Own {
            let claim = super::registry::claim(key, sharing)?;
            return Ok(LocalCursor { state: Cell::new(claim.state()), claim: Some(claim) });
        }
        let _ = (key, sharing);
        Ok(LocalCursor {
            state: Cell::new(0),
            #[cfg(feature = "std")]
            claim: None,
        })
    }

    #[inline]
    fn load(&self) -> u64 {
        self.state.get()
    }

    #[inline]
    fn replace(&self, _state: u64, next: u64) -> Result<(), u64> {
        self.state.set(next);
        Ok(())
    }
}

#[cfg(feature = "std")]
impl Drop for LocalCursor {
    fn drop(&mut self) {
        // What this owner issued stays issued: who claims the nodes next goes on from here.
        if let Some(claim) = &self.claim {
            claim.give_back(self.state.get());
        }
    }
}
