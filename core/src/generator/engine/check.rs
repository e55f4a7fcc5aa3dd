//! Checks once a tick, before its first ID, that the files of machine-scope words are still there.
//!
//! A generator may go on in a deleted file until the end of the tick in which it checked. A file that replaces that one begins with the tick
//! after the one in which it was made, so none of its IDs repeat those. Where ticks are shorter than [`CHECK_NS`], one check lasts that long,
//! and a new file begins twice as long after it was made.

use super::Engine;
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::cursor::CHECK_NS;
use crate::cursor::CursorWord;
use crate::error::Error;
#[cfg(feature = "std")]
use crate::sync::{AtomicU64, Ordering};

/// When the files were checked.
#[cfg(feature = "std")]
#[derive(Debug)]
pub(super) struct Check {
    /// A tick shifted right by this many bits is the interval that one check covers.
    shift: u32,
    /// The interval of the last check.
    last: AtomicU64,
}

#[cfg(feature = "std")]
impl Check {
    pub(super) fn of(tick_ns: u64) -> Self {
        Check { shift: (CHECK_NS / tick_ns).max(1).ilog2(), last: AtomicU64::new(u64::MAX) }
    }
}

impl<C: Clock, W: CursorWord> Engine<C, W> {
    /// Must be called after the clock has shown this tick, before a position of it is taken.
    #[inline]
    pub(super) fn check(&self, now: u64) -> Result<(), Error> {
        #[cfg(feature = "std")]
        if let Some(Check { shift, last }) = &self.check {
            let interval = now >> shift;
            if last.load(Ordering::Relaxed) != interval {
                self.check_files()?;
                last.store(interval, Ordering::Relaxed);
            }
        }
        let _ = now;
        Ok(())
    }

    /// Checks the files now, and moves to new ones where they were deleted.
    #[cold]
    pub(super) fn check_files(&self) -> Result<(), Error> {
        // What a lease had is not opened again once it is over.
        if self.is_over() {
            return Err(Error::LeaseClosed);
        }
        #[cfg(feature = "std")]
        self.shards.check(&self.clock)?;
        Ok(())
    }
}
