//! The fast path: makes an ID of the tick that the clock shows, with one reading of the clock and
//! one step of a cursor.
//!
//! Every function returns `None` to fall back to the slow path ([`reserve`](super::reserve)), which
//! handles every case. Common code is inlined into its callers. Rare code is in functions of its
//! own, so that it costs the callers no registers.
//!
//! The fastest cases are of the tick in the [`TickCache`](super::tick_cache::TickCache), for a
//! generator with one cursor: a number ([`FastNumber`](super::fast_path::FastNumber)) takes three
//! comparisons, one step, one addition, and a position of 128 bits hardly more.

use super::{Engine, Taken};
use crate::clock::Clock;
use crate::cursor::{CursorWord, Limits, Pace, Position, Step, next_of_known_tick, step};
use crate::error::Error;
use crate::generator::Attempt;
use crate::generator::shards::{Run, Shard, Snapshot};

impl<C: Clock, W: CursorWord> Engine<C, W> {
    /// Takes the next position of a sequence.
    #[inline(always)]
    pub(super) fn reserve_fast(&self) -> Option<Run<W::Position>> {
        let (shard, snapshot, now) = self.read_fast(self.fast.has_sequence)?;
        let Some((position, next)) = shard.next_within(snapshot.state, now, W::Position::ONE) else {
            return self.reserve_at_edge(shard, snapshot, now);
        };
        // Only the first and the last position of a tick change the count of issued IDs; this is
        // neither.
        snapshot.cursor.replace(snapshot.state, next, 0).ok()?;
        self.counters.saw_clock(false);
        Some(shard.run(&snapshot, position, 1))
    }

    /// Takes the next position of a sequence if it may be the first or the last of its tick.
    #[inline(never)]
    fn reserve_at_edge(&self, shard: &Shard<W>, snapshot: Snapshot<'_, W>, now: u64) -> Option<Run<W::Position>> {
        let limits = Limits { borrow: 0, forward_only: false, ..shard.limits() };
        let Step::Take { position, count, next } = step(snapshot.state, now, &limits, Pace::sequence(1)) else {
            return None;
        };
        // If the position is of a later tick, the clock is behind, and the slow path must count
        // that.
        let is_of_now = position >> limits.bits == now.into();
        let run = if is_of_now { self.replace(shard, &snapshot, (position, count, next))? } else { return None };
        self.counters.saw_clock(false);
        Some(run)
    }

    /// Takes the position one random step after the last. Returns `None` at the start of a tick,
    /// because its first position is random too.
    #[inline(always)]
    pub(super) fn reserve_increment(
        &self,
        increment: impl FnOnce() -> Result<W::Position, Error>,
    ) -> Option<Run<W::Position>> {
        let (shard, snapshot, now) = self.read_fast(self.fast.has_increments)?;
        let (position, next) = shard.next_within(snapshot.state, now, increment().ok()?)?;
        snapshot.cursor.replace(snapshot.state, next, 1).ok()?;
        self.counters.saw_clock(false);
        Some(shard.run(&snapshot, position, 1))
    }

    /// Takes a position for each place in `positions`, each a random step after the previous one;
    /// fewer if the tick has no more.
    ///
    /// Writes the positions to `positions`, and returns the run that the first of them begins.
    #[inline]
    pub(super) fn reserve_increments(
        &self,
        increments: impl FnOnce(&mut [W::Position]) -> Result<(), Error>,
        positions: &mut [W::Position],
    ) -> Option<Run<W::Position>> {
        let (shard, snapshot, now) = self.read_fast(self.fast.has_increments)?;
        increments(positions).ok()?;
        // Other threads see only the state after the last step.
        let (taken, after) = shard.steps_within(snapshot.state, now, positions);
        let first = *positions.first().filter(|_| taken > 0)?;
        let run = self.replace(shard, &snapshot, (first, taken as u64, after))?;
        self.counters.saw_clock(false);
        Some(run)
    }

    /// Reads the cursor and the clock.
    #[inline(always)]
    fn read_fast(&self, is_fast: bool) -> Option<(&Shard<W>, Snapshot<'_, W>, u64)> {
        if !is_fast {
            return None;
        }
        let shard = self.shards.own();
        // Read before the clock: see `Shard::snapshot`.
        let snapshot = shard.peek()?;
        if self.gate.is_shut() {
            return None;
        }
        let now = match self.tick_cache.read(&self.clock) {
            Ok(now) => now,
            Err(cycles) => self.read_tick(cycles)?,
        };
        Some((shard, snapshot, now))
    }

    /// Returns the tick that the clock shows, if it lies in the window, and stores it in the tick
    /// cache.
    #[inline(never)]
    fn read_tick(&self, cycles: Option<u64>) -> Option<u64> {
        let coarse_ns = if self.has_long_ticks { self.clock.coarse_ns() } else { None };
        let now_ns = coarse_ns.map_or_else(|| self.clock.now_ns().ok(), Some)?;
        let now = self.ticks.quick(now_ns).filter(|_| self.jumps.is_passed(now_ns))?;
        // A window may be extended meanwhile, but never shortened. In the layout's last tick, a
        // cursor may have no room to count.
        if now < self.window.start || now >= self.window_end() || now + 1 >= self.layout.ticks() {
            return None;
        }
        self.check(now).ok()?;
        if let Some(cycles) = cycles {
            self.tick_cache.note(cycles, now_ns, now, self.fast.base(now), &self.ticks);
        }
        Some(now)
    }
}

/// IDs of a random part that grows, made from a position of 128 bits.
impl<C: Clock, W: CursorWord<Position = u128>> Engine<C, W> {
    /// Makes the next ID, waiting for at most `max_wait`. `of_position` converts a position of the
    /// fast path, and `of_fields` one of the slow path.
    #[inline]
    pub(in crate::generator) fn generate_wide(
        &self,
        increment: impl Fn() -> Result<u128, Error>,
        pace: impl FnMut() -> Result<Pace<u128>, Error>,
        of_position: impl Fn(u128) -> u128,
        of_fields: impl Fn(Taken<u128>) -> u128,
    ) -> Result<u128, Error> {
        match self.fast_position(&increment) {
            Some(position) => Ok(of_position(position)),
            None => self.generate_step(increment, pace, of_fields),
        }
    }

    /// Makes the next ID as `generate_wide` does, without waiting.
    #[inline]
    pub(in crate::generator) fn attempt_wide(
        &self,
        increment: impl Fn() -> Result<u128, Error>,
        pace: impl FnOnce() -> Result<Pace<u128>, Error>,
        of_position: impl Fn(u128) -> u128,
        of_fields: impl Fn(Taken<u128>) -> u128,
    ) -> Result<Attempt<u128>, Error> {
        match self.fast_position(&increment) {
            Some(position) => Ok(Attempt::Ready(of_position(position))),
            None => self.attempt_step(increment, pace, of_fields),
        }
    }

    /// Takes the next position of the cached tick, for an engine with one cursor. Forked copies of
    /// the process may do so too: there the cursor begins again.
    #[inline(always)]
    fn fast_position(&self, increment: impl FnOnce() -> Result<u128, Error>) -> Option<u128> {
        if !self.fast.has_wide {
            return None;
        }
        let high = self.tick_cache.noted_base(&self.clock)?;
        let shard = self.shards.first();
        let snapshot = shard.peek()?;
        let second = u128::from(high) << 64 | 1;
        let (position, next) = next_of_known_tick(snapshot.state, second, shard.slots() - 2, || increment().ok())?;
        snapshot.cursor.replace(snapshot.state, next, 1).ok()?;
        Some(position)
    }
}

/// IDs of up to 64 bits, made from the number of a position.
impl<C: Clock, W: CursorWord<Position = u64>> Engine<C, W> {
    /// Makes the next ID of a sequence from the number of its position, waiting for at most
    /// `max_wait`.
    #[inline]
    pub(in crate::generator) fn generate_number(&self, to_id: impl Fn(i64) -> i64) -> Result<i64, Error> {
        match self.number_fast() {
            Some(number) => Ok(to_id(number)),
            None => self.generate(|| Ok(Pace::sequence(1)), |taken| to_id(self.layout.join(taken.into()))),
        }
    }

    /// Makes the next ID of a sequence as `generate_number` does, without waiting.
    #[inline]
    pub(in crate::generator) fn attempt_number(&self, to_id: impl Fn(i64) -> i64) -> Result<Attempt, Error> {
        match self.number_fast() {
            Some(number) => Ok(Attempt::Ready(to_id(number))),
            None => self.attempt(Pace::sequence(1), |taken| to_id(self.layout.join(taken.into()))),
        }
    }

    /// Makes the next ID of a random part that grows, waiting for at most `max_wait`. Within a
    /// tick, it needs randomness only for the step.
    #[inline]
    pub(in crate::generator) fn generate_number_step(
        &self,
        increment: impl Fn() -> Result<u64, Error>,
        pace: impl FnMut() -> Result<Pace, Error>,
    ) -> Result<i64, Error> {
        match self.fast_number(1, &increment) {
            Some(number) => Ok(number),
            None => self.generate_step(increment, pace, |taken| self.layout.join(taken.into())),
        }
    }

    /// Makes the next ID of a random part as `generate_number_step` does, without waiting.
    #[inline]
    pub(in crate::generator) fn attempt_number_step(
        &self,
        increment: impl Fn() -> Result<u64, Error>,
        pace: impl FnOnce() -> Result<Pace, Error>,
    ) -> Result<Attempt, Error> {
        match self.fast_number(1, &increment) {
            Some(number) => Ok(Attempt::Ready(number)),
            None => self.attempt_step(increment, pace, |taken| self.layout.join(taken.into())),
        }
    }

    /// Fills a buffer with IDs of a random part that grows.
    pub(in crate::generator) fn fill_number_steps(
        &self,
        ids: &mut [i64],
        increments: impl Fn(&mut [u64]) -> Result<(), Error>,
        pace: impl FnMut() -> Result<Pace, Error>,
    ) -> Result<usize, Error> {
        let (count, offset) = (self.fast.number.count, self.fast.number.offset);
        // If the fast path makes numbers, each number is its position plus `offset`.
        let number = move |run: &Run<u64>, position: u64| {
            if count > 0 { (position + offset) as i64 } else { self.layout.join(self.taken(run, position).into()) }
        };
        self.fill_steps_by(ids, increments, pace, number)
    }

    /// Returns a fast number, or else the number of a position taken as in
    /// [`reserve_fast`](Self::reserve_fast). Only the number is made, so that it stays in
    /// registers.
    #[inline(always)]
    fn number_fast(&self) -> Option<i64> {
        if let Some(number) = self.fast_number(0, || Ok(1)) {
            return Some(number);
        }
        let (shard, snapshot, now) = self.read_fast(self.fast.has_sequence)?;
        let Some((position, next)) = shard.next_within(snapshot.state, now, 1) else {
            return self.number_at_edge(shard, snapshot.state, now);
        };
        if snapshot.cursor.replace(snapshot.state, next, 0).is_err() {
            return self.contended_number();
        }
        self.counters.saw_clock(false);
        Some(match shard.line() {
            Some(line) => line.number(now, position - (now << shard.bits())),
            None => self.number_of(&shard.run(&snapshot, position, 1)),
        })
    }

    /// Returns the next number of the cached tick, for an engine with one cursor.
    ///
    /// `issued` is the number of IDs that the cursor's state does not count: 0 for a sequence, 1
    /// for a random part.
    #[inline(always)]
    fn fast_number(&self, issued: u64, increment: impl FnOnce() -> Result<u64, Error>) -> Option<i64> {
        let fast = &self.fast.number;
        if !fast.is_of_this_process() {
            return None;
        }
        let second = self.tick_cache.noted_base(&self.clock)?;
        // Here and in `fast_position`, the cursor is read after the clock. If other threads have
        // moved its state past the cached tick, `next_of_known_tick` returns `None`.
        let snapshot = self.shards.first().snapshot();
        let (position, next) = next_of_known_tick(snapshot.state, second, fast.count, || increment().ok())?;
        snapshot.cursor.replace(snapshot.state, next, issued).ok()?;
        // The clock was not read, so there is no step back to count.
        Some((position + fast.offset) as i64)
    }

    /// Returns the next number of a sequence in the cached tick, and retries while other threads
    /// replace the cursor's state first.
    ///
    /// The clock is read once. A reading before each retry would only let more threads be first:
    /// the tick is known, and the state shows whether it has passed.
    #[cold]
    #[inline(never)]
    fn contended_number(&self) -> Option<i64> {
        let fast = &self.fast.number;
        if !fast.is_of_this_process() {
            return None;
        }
        let second = self.tick_cache.noted_base(&self.clock)?;
        let Snapshot { cursor, mut state, .. } = self.shards.first().snapshot();
        loop {
            let (position, next) = next_of_known_tick(state, second, fast.count, || Some(1))?;
            match cursor.replace(state, next, 0) {
                Ok(()) => return Some((position + fast.offset) as i64),
                Err(actual) => state = actual,
            }
        }
    }

    #[inline(never)]
    fn number_at_edge(&self, shard: &Shard<W>, state: u64, now: u64) -> Option<i64> {
        self.reserve_at_edge(shard, shard.snapshot_at(state), now).map(|run| self.number_of(&run))
    }

    #[inline(never)]
    fn number_of(&self, run: &Run<u64>) -> i64 {
        self.layout.join(self.taken(run, run.position).into())
    }
}
