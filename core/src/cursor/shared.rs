//! The words that generators of the same nodes share, in this process's memory or in memory that
//! all processes of the machine share.

#![allow(
    unsafe_code,
    reason = "where the words are is a pointer, so that to follow it costs an ID one load wherever they are"
)]

use super::machine::{Checked, Hold};
use super::words::{Words, has_moved, reached};
use crate::clock::Clock;
use crate::error::Error;
use alloc::sync::Arc;
use core::fmt;
use core::sync::atomic::{AtomicPtr, Ordering};

/// The owner of the words, which keeps them in place.
#[derive(Clone, Debug)]
pub(super) enum Home {
    Process(Arc<Words>),
    Machine(Arc<Hold>),
}

/// A pointer to shared words, with their owner.
pub(super) struct SharedWords {
    /// Always points to words that `home` keeps, or has kept. Machine-scope words stay mapped for
    /// the life of the process.
    words: AtomicPtr<Words>,
    home: Home,
}

impl fmt::Debug for SharedWords {
    /// Omits the pointer, which differs between two equal generators.
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
        // SAFETY: the words live as long as `home`, which `self` owns, and all references to them
        // are shared.
        unsafe { &*self.words.load(Ordering::Relaxed) }
    }

    /// Returns whether other processes of the machine share the words.
    pub(super) fn is_of_machine(&self) -> bool {
        matches!(self.home, Home::Machine(_))
    }

    /// Returns the path of the file of machine-scope words.
    pub(super) fn path(&self) -> Option<&'static str> {
        match &self.home {
            Home::Process(_) => None,
            Home::Machine(hold) => Some(hold.path()),
        }
    }

    /// Returns the first tick of new words in the file; 0 for words of the process.
    pub(super) fn new_tick(&self) -> u64 {
        match &self.home {
            Home::Process(_) => 0,
            Home::Machine(hold) => hold.new_tick(),
        }
    }

    /// Moves to the new file, if the words' own file was deleted.
    pub(super) fn check(&self, clock: &dyn Clock, checked: &mut Checked) -> Result<(), Error> {
        let Home::Machine(hold) = &self.home else { return Ok(()) };
        if has_moved(self.words().state.load(crate::sync::Ordering::Relaxed)) || !hold.is_there(checked) {
            let words: *const Words = hold.follow(clock, checked)?;
            // Stored after `follow` has raised the new word.
            self.words.store(words.cast_mut(), Ordering::Release);
        }
        Ok(())
    }

    /// Returns the state, of up to 64 bits, without the mark of a word that has moved.
    pub(super) fn reached(&self) -> u64 {
        reached(self.words().state.load(crate::sync::Ordering::Relaxed))
    }
}
