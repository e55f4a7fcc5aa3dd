//! The slow path: takes positions without waiting. It reads the clock, steps a cursor and stores
//! the cursor's new state.

use super::Engine;
use super::format::Taken;
use super::pending::Pending;
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::cursor::Limits;
use crate::cursor::{CursorWord, Pace, Position, Step, step};
#[cfg(feature = "alloc")]
use crate::cursor::{Lane, step_back};
use crate::error::Error;
use crate::generator::shards::{Run, Shard, Snapshot};
#[cfg(feature = "std")]
use crate::state::StateFile;

/// Positions that a step found: the first position, their number, and the cursor's state after
/// them.
type Found<P> = (P, u64, P);

impl<C: Clock, W: CursorWord> Engine<C, W> {
    /// Returns the fields of a position in a run.
    #[inline]
    pub(super) fn taken(&self, run: &Run<W::Position>, position: W::Position) -> Taken<W::Position> {
        let one = W::Position::ONE;
        let low = position & ((one << run.bits) - one);
        let counter_bits = self.counter_bits;
        Taken {
            tick: (position >> run.bits).low_u64(),
            node: run.first_node + (low >> counter_bits).low_u64(),
            counter: low & ((one << counter_bits) - one),
            rollback: run.rollback,
        }
    }

    /// Takes up to `pace.want` positions if they need no wait, and converts the run with `done`.
    ///
    /// The conversion happens in here, so that the run does not go through memory.
    #[inline]
    pub(super) fn reserve<T>(
        &self,
        pace: Pace<W::Position>,
        done: impl FnOnce(Run<W::Position>) -> T,
    ) -> Result<Result<T, Pending>, Error> {
        if self.gate.is_copy() {
            return Err(Error::Forked);
        }
        let shard = self.shards.own();
        #[cfg(feature = "alloc")]
        if shard.has_lanes() {
            return Ok(self.reserve_of_lanes(shard, pace)?.map(done));
        }
        let mut is_coarse = self.has_long_ticks;
        loop {
            let snapshot = shard.snapshot();
            let (now, now_ns) = if is_coarse { self.read_coarse_clock()? } else { self.read_clock()? };
            self.check(now)?;
            let answer = step(snapshot.state, now, &shard.limits(), pace);
            let Step::Take { position, count, next } = answer else {
                if snapshot.cursor.has_moved(snapshot.state) {
                    self.check_files()?;
                    continue;
                }
                if core::mem::take(&mut is_coarse) {
                    continue;
                }
                return self.pending(answer, now, now_ns).map(Err);
            };
            let is_ahead = (position >> shard.bits()).low_u64() > now;
            // The coarse clock cannot show whether the clock is behind, or how long to wait.
            if is_ahead && core::mem::take(&mut is_coarse) {
                continue;
            }
            if let Some(run) = self.take(shard, &snapshot, (position, count, next), now, pace)? {
                self.counters.saw_clock(is_ahead);
                return Ok(Ok(done(run)));
            }
        }
    }

    /// Takes positions if each value of the rollback bits has a cursor.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn reserve_of_lanes(
        &self,
        shard: &Shard<W>,
        pace: Pace<W::Position>,
    ) -> Result<Result<Run<W::Position>, Pending>, Error> {
        loop {
            let (same, after) = shard.snapshots();
            let (now, now_ns) = self.read_clock()?;
            self.check(now)?;
            if same.cursor.has_moved(same.state) || after.cursor.has_moved(after.state) {
                self.check_files()?;
                continue;
            }
            let (lane, answer) = step_back(same.state, after.state, now, &shard.limits(), pace);
            let Step::Take { position, count, next } = answer else {
                return self.pending(answer, now, now_ns).map(Err);
            };
            let snapshot = if lane == Lane::Next { after } else { same };
            let Some(run) = self.take(shard, &snapshot, (position, count, next), now, pace)? else {
                continue;
            };
            if lane == Lane::Same {
                self.counters.saw_clock((position >> shard.bits()).low_u64() > now);
            } else if shard.move_on(snapshot.rollback) {
                self.counters.moved_on();
            }
            return Ok(Ok(run));
        }
    }

    /// Reads the clock. Returns its tick and its nanoseconds.
    #[inline]
    fn read_clock(&self) -> Result<(u64, u64), Error> {
        let now_ns = self.clock.now_ns()?;
        self.jumps.check(now_ns, &self.clock)?;
        Ok((self.ticks.at(now_ns, &self.layout)?, now_ns))
    }

    /// Reads the coarse clock, which is some milliseconds behind, if there is one; else the clock.
    #[inline]
    fn read_coarse_clock(&self) -> Result<(u64, u64), Error> {
        let Some(now_ns) = self.clock.coarse_ns() else { return self.read_clock() };
        self.jumps.check(now_ns, &self.clock)?;
        Ok((self.ticks.at(now_ns, &self.layout)?, now_ns))
    }

    /// Takes the positions that a step found, and first saves their tick if there is a state file.
    ///
    /// Returns `None` if another thread was faster. The caller must then read the cursor and the
    /// clock again.
    #[inline]
    fn take(
        &self,
        shard: &Shard<W>,
        snapshot: &Snapshot<'_, W>,
        found: Found<W::Position>,
        #[cfg_attr(not(feature = "std"), allow(unused_variables, reason = "nothing is saved"))] now: u64,
        #[cfg_attr(not(feature = "std"), allow(unused_variables, reason = "nothing is saved"))] pace: Pace<W::Position>,
    ) -> Result<Option<Run<W::Position>>, Error> {
        #[cfg(feature = "std")]
        if let Some(state) = &self.state {
            let tick = (found.0 >> shard.bits()).low_u64();
            if tick >= state.saved_end() {
                return self.save_and_take(state, tick, shard, snapshot, now, pace);
            }
        }
        Ok(self.replace(shard, snapshot, found))
    }

    /// Saves a tick, and takes positions of saved ticks.
    ///
    /// The clock is not read again. If a save took longer than the time that it covers, the clock
    /// would be past all saved ticks each time. Threads that save in turn could then do so forever.
    /// The first reading stays valid, because a tick that was reached stays reached.
    #[cfg(feature = "std")]
    #[cold]
    fn save_and_take(
        &self,
        state: &StateFile,
        tick: u64,
        shard: &Shard<W>,
        snapshot: &Snapshot<'_, W>,
        now: u64,
        pace: Pace<W::Position>,
    ) -> Result<Option<Run<W::Position>>, Error> {
        state.save_through(tick)?;
        // The clock was not behind. If the cursor has advanced since, other threads have moved it.
        let limits = Limits { forward_only: false, ..shard.limits() };
        loop {
            let snapshot = Snapshot { state: snapshot.cursor.load(), ..*snapshot };
            let Step::Take { position, count, next } = step(snapshot.state, now, &limits, pace) else {
                return Ok(None);
            };
            if (position >> limits.bits).low_u64() >= state.saved_end() {
                return Ok(None);
            }
            if let Some(run) = self.replace(shard, &snapshot, (position, count, next)) {
                return Ok(Some(run));
            }
        }
    }

    /// Stores the next state if the cursor still has the state that was read.
    #[inline]
    pub(super) fn replace(
        &self,
        shard: &Shard<W>,
        snapshot: &Snapshot<'_, W>,
        (position, count, next): Found<W::Position>,
    ) -> Option<Run<W::Position>> {
        let issued = self.uncounted(snapshot.state, (position, count, next), shard.mask());
        snapshot.cursor.replace(snapshot.state, next, issued).ok()?;
        Some(shard.run(snapshot, position, count))
    }

    /// Returns how many issued IDs the next state does not count.
    ///
    /// A sequence counts the IDs of its current tick itself, so they are added once a tick.
    #[inline]
    fn uncounted(&self, state: W::Position, (position, count, next): Found<W::Position>, mask: W::Position) -> u64 {
        if !self.counts_from_0 {
            return count;
        }
        let low = |state: W::Position| (state & mask).low_u64();
        let of_tick_left = if low(position) == 0 { low(state) } else { 0 };
        let of_full_tick = if low(next) == 0 { low(position) + count } else { 0 };
        of_tick_left + of_full_tick
    }
}
