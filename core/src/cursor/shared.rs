//! The words that generators of the same nodes share, in this process's memory or in the machine's.

#![allow(
    unsafe_code,
    reason = "where the words are is a pointer, so that to follow it costs an ID one load wherever they are"
)]

use super::CursorKey;
use super::machine::{Checked, Hold};
use super::word::Words;
use crate::clock::Clock;
use crate::error::Error;
use alloc::sync::Arc;
use core::fmt;
use core::sync::atomic::{AtomicPtr, Ordering};

/// Marks a machine-scope word that must not be used any more: its file was deleted, and its range goes on in the new file.
/// A position has at most 63 bits, and the state after the very last one this bit alone.
pub(super) const MOVED: u64 = 1 << 63;

/// Whether a word was moved.
pub(super) fn has_moved(state: u64) -> bool {
    state > MOVED
}

/// What a word holds, without the mark of one that was moved.
pub(super) fn reached(state: u64) -> u64 {
    if has_moved(state) { state & !MOVED } else { state }
}

/// What keeps the words where they are.
#[derive(Clone, Debug)]
pub(super) enum Home {
    Process(Arc<Words>),
    Machine(Arc<Hold>),
}

/// Words that are shared.
pub(super) struct SharedWords {
    /// Always words that `home` keeps, or has kept: those of the machine's memory stay mapped for good.
    words: AtomicPtr<Words>,
    home: Home,
}

impl fmt::Debug for SharedWords {
    /// Without the pointer, which differs between two generators that are alike.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SharedWords").field(&self.home).finish()
    }
}

impl From<Home> for SharedWords {
    fn from(home: Home) -> Self {
        let words = match &home {
            Home::Process(words) => Arc::as_ptr(words),
            Home::Machine(hold) => hold.words(),
        };
        SharedWords { words: AtomicPtr::new(words.cast_mut()), home }
    }
}

impl From<Words> for SharedWords {
    fn from(words: Words) -> Self {
        Home::Process(Arc::new(words)).into()
    }
}

impl SharedWords {
    #[inline]
    pub(super) fn words(&self) -> &Words {
        // SAFETY: the words live as long as `home`, which is ours, and are only ever shared.
        unsafe { &*self.words.load(Ordering::Relaxed) }
    }

    /// Whether other processes of the machine count with them.
    pub(super) fn is_of_machine(&self) -> bool {
        matches!(self.home, Home::Machine(_))
    }

    /// The file that they are in.
    pub(super) fn path(&self) -> Option<&'static str> {
        match &self.home {
            Home::Process(_) => None,
            Home::Machine(hold) => Some(hold.path()),
        }
    }

    /// The tick with which the machine's began at the earliest.
    pub(super) fn new_tick(&self) -> u64 {
        match &self.home {
            Home::Process(_) => 0,
            Home::Machine(hold) => hold.new_tick(),
        }
    }

    /// Goes on in the new file where its own was deleted.
    pub(super) fn check(&self, clock: &dyn Clock, checked: &mut Checked) -> Result<(), Error> {
        let Home::Machine(hold) = &self.home else { return Ok(()) };
        if has_moved(self.words().state.load(crate::sync::Ordering::Relaxed)) || !hold.is_there(checked) {
            let words: *const Words = hold.follow(clock, checked)?;
            // After the new word was raised.
            self.words.store(words.cast_mut(), Ordering::Release);
        }
        Ok(())
    }

    /// What a word of up to 64 bits holds, without the mark of one that was moved.
    pub(super) fn reached(&self) -> u64 {
        reached(self.words().state.load(crate::sync::Ordering::Relaxed))
    }
}

impl Words {
    /// Raises the state, of up to 64 bits, to this one. What was issued from the tick that is left so counts still.
    pub(super) fn raise(&self, key: &CursorKey, state: u64) {
        let before = self.state.fetch_max(state, crate::sync::Ordering::Relaxed);
        if before < state {
            self.leave_tick(key, before);
        }
    }

    /// Counts what was issued from the tick of this state, which was replaced by one of a later tick.
    pub(super) fn leave_tick(&self, key: &CursorKey, state: u64) {
        if key.layout.counts_from_0() {
            let low = state & ((1 << key.bits) - 1);
            self.issued.fetch_add(low, crate::sync::Ordering::Relaxed);
        }
    }
}
