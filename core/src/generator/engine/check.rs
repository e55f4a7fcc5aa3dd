//! Checks that the files of machine-scope cursors still exist, once a tick before its first ID.
//!
//! A generator may continue to use a deleted file until the end of the tick in which it checked. A
//! replacement file begins with the tick after the one in which it was created, so its IDs differ.
//! If ticks are shorter than [`CHECK_NS`](crate::cursor::CHECK_NS), one check lasts for `CHECK_NS`,
//! and a new file begins twice as long after its creation.

use super::Engine;
#[cfg(feature = "std")]
use super::checked::Check;
use crate::clock::Clock;
use crate::cursor::CursorWord;
use crate::error::Error;
#[cfg(feature = "std")]
use crate::sync::Ordering;

impl<C: Clock, W: CursorWord> Engine<C, W> {
    /// Checks the files if this tick needs a check. Call it after the clock has shown the tick, and
    /// before a position of the tick is taken.
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

    /// Checks the files now, and moves to new files if they were deleted.
    #[cold]
    pub(super) fn check_files(&self) -> Result<(), Error> {
        // The cursors of a closed lease must not be opened again.
        if self.gate.is_over() {
            return Err(Error::LeaseClosed);
        }
        #[cfg(feature = "std")]
        self.shards.check(&self.clock)?;
        Ok(())
    }
}
