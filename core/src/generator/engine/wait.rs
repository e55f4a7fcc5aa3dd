//! Waiting for positions.

use super::Engine;
use super::pending::Pending;
use crate::clock::Clock;
use crate::cursor::{CursorWord, Pace};
use crate::error::Error;
use crate::generator::shards::Run;
use core::time::Duration;

impl<C: Clock, W: CursorWord> Engine<C, W> {
    /// Takes at least one and up to `pace.want` positions, waiting for at most `max_wait`. No lock is held meanwhile.
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
        // What was waited for is summed up: a clock that steps about cannot be asked how long it took.
        let (mut waited_ns, mut waited_in_all_ns): (u64, u64) = (0, 0);
        let mut until = 0;
        let mut wait_ns = pending.wait_ns;
        loop {
            if pending.until > until {
                // The tick waited for has come, and other threads have used it up: for the next one waiting begins anew.
                until = pending.until;
                waited_ns = 0;
            }
            let max_wait_ns = self.max_wait_ns(&pending);
            let left_ns = max_wait_ns.saturating_sub(waited_ns);
            let left_in_all_ns = self.waits.in_all_ns.max(max_wait_ns).saturating_sub(waited_in_all_ns);
            let left_ns = left_ns.min(left_in_all_ns);
            // No wait at all: the tick begins later than any clock can show.
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
                    // A clock that stands still just before a tick is waited for ever longer: each wait takes longer than it says, and
                    // millions of the shortest would take far longer than allowed.
                    let stands_still = (again.until, again.wait_ns) == (pending.until, pending.wait_ns);
                    wait_ns = if stands_still { wait_ns.saturating_mul(2) } else { again.wait_ns };
                    pending = again;
                }
            }
        }
    }
}
