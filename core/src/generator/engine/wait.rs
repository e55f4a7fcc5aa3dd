//! Waits for positions.

use super::Engine;
use super::pending::Pending;
use crate::clock::Clock;
use crate::cursor::{CursorWord, Pace};
use crate::error::Error;
use crate::generator::shards::Run;
use core::time::Duration;

impl<C: Clock, W: CursorWord> Engine<C, W> {
    /// Takes 1 to `pace.want` positions, waiting for at most `max_wait`. It holds no lock while it
    /// waits.
    #[inline]
    pub(super) fn reserve_waiting<T>(
        &self,
        mut pace: impl FnMut() -> Result<Pace<W::Position>, Error>,
        done: impl Fn(Run<W::Position>) -> T,
    ) -> Result<T, Error> {
        match self.reserve(pace()?, &done)? {
            Ok(made) => Ok(made),
            Err(pending) => self.wait_and_reserve(pending, pace, done),
        }
    }

    #[cold]
    fn wait_and_reserve<T>(
        &self,
        mut pending: Pending,
        mut pace: impl FnMut() -> Result<Pace<W::Position>, Error>,
        done: impl Fn(Run<W::Position>) -> T,
    ) -> Result<T, Error> {
        // The requested waits are summed: a clock that steps back and forth cannot measure them.
        let (mut waited_ns, mut waited_in_all_ns): (u64, u64) = (0, 0);
        let mut until = 0;
        let mut wait_ns = pending.wait_ns;
        loop {
            if pending.until > until {
                // The awaited tick has come, and other threads have used it up. A new wait begins
                // for the next tick.
                until = pending.until;
                waited_ns = 0;
            }
            let max_wait_ns = self.max_wait_ns(&pending);
            let left_ns = max_wait_ns.saturating_sub(waited_ns);
            let left_in_all_ns = self.waits.in_all_ns.max(max_wait_ns).saturating_sub(waited_in_all_ns);
            let left_ns = left_ns.min(left_in_all_ns);
            // A wait of 0 means that the tick begins later than any clock can show.
            if pending.wait_ns == 0 || pending.wait_ns > left_ns {
                return Err(self.refusal(pending, max_wait_ns));
            }
            wait_ns = wait_ns.min(left_ns);
            if !self.clock.wait(Duration::from_nanos(wait_ns)) {
                return Err(Error::WouldWait { wait_ns: pending.wait_ns, max_wait_ns });
            }
            self.counters.waited();
            waited_ns = waited_ns.saturating_add(wait_ns);
            waited_in_all_ns = waited_in_all_ns.saturating_add(wait_ns);
            match self.reserve(pace()?, &done)? {
                Ok(made) => return Ok(made),
                Err(again) => {
                    // If the clock stands still just before a tick, each wait is twice as long.
                    // Waits take longer than requested, so millions of the shortest would far
                    // exceed the limit.
                    let stands_still = (again.until, again.wait_ns) == (pending.until, pending.wait_ns);
                    wait_ns = if stands_still { wait_ns.saturating_mul(2) } else { again.wait_ns };
                    pending = again;
                }
            }
        }
    }
}
