//! The usual ID: of a tick that the clock shows and that has begun, by a step that looks at the clock and one cursor, and at nothing else.
//!
//! Everything here answers `None` where that does not do, and says nothing by it: whoever takes the long way ([`reserve`](super::reserve)) finds out. What is usual is made
//! part of its callers; what is not is a function of its own, so that it costs them no registers.
//!
//! Most usual of all is a number ([`Usual`]) of the tick that was noted ([`Seen`]), by a generator with one cursor: three comparisons, one step, one addition.

use super::Engine;
use super::NOBODY;
use super::seen::Seen;
use crate::clock::Clock;
use crate::cursor::{CursorWord, Limits, Pace, Position, Step, step};
use crate::error::Error;
use crate::generator::Attempt;
use crate::generator::shards::{Look, Run, Shard, Shards};

/// What the usual number is made with, as far as that is decided once: the next one of the tick that was noted, of an engine's only cursor. Neither the first of its
/// tick nor the last, of which alone there is something to count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usual {
    /// The process whose numbers these are.
    #[cfg_attr(not(feature = "std"), allow(dead_code, reason = "nothing forks"))]
    process: u64,
    /// Whether they are those of its children, too.
    #[cfg_attr(not(feature = "std"), allow(dead_code, reason = "nothing forks"))]
    is_of_machine: bool,
    /// How many low bits a position has.
    bits: u32,
    /// How many positions of a tick are usual.
    count: u64,
    /// What makes a number of a position.
    offset: u64,
}

impl Usual {
    /// Where no number is usual.
    pub(super) const NEVER: Usual = Usual { process: NOBODY, is_of_machine: false, bits: 0, count: 0, offset: 0 };

    /// Of this process, whose shards go by these ticks.
    pub(super) fn of<W: CursorWord>(
        process: u64,
        is_of_machine: bool,
        shards: &Shards<W>,
        seen: &Seen,
    ) -> Option<Self> {
        let shard = shards.only().filter(|_| seen.is_worth_it())?;
        let offset = shard.line()?.offset(shard.bits())?;
        let count = shard.limits().slots.low_u64().saturating_sub(2);
        Some(Usual { process, is_of_machine, bits: shard.bits(), count, offset })
    }

    /// The position of a tick's second ID, which is what is noted of it.
    pub(super) fn second(&self, tick: u64) -> u64 {
        (tick << self.bits) + 1
    }
}

impl<C: Clock, W: CursorWord> Engine<C, W> {
    /// Takes the next position of a sequence.
    #[inline(always)]
    pub(super) fn reserve_quickly(&self) -> Option<Run<W::Position>> {
        let (shard, look, now) = self.look_quickly(self.is_quick_sequence)?;
        let Some((position, next)) = shard.next_within(look.state, now, W::Position::ONE) else {
            return self.reserve_at_edge(shard, look, now);
        };
        // Neither the first of its tick nor the last, of which alone there is something to count.
        look.cursor.replace(look.state, next, 0).ok()?;
        self.counters.saw_clock(false);
        Some(shard.run(&look, position, 1))
    }

    /// The same where the position is perhaps the first or the last of its tick.
    #[inline(never)]
    fn reserve_at_edge(&self, shard: &Shard<W>, look: Look<'_, W>, now: u64) -> Option<Run<W::Position>> {
        let limits = Limits { borrow: 0, forward_only: false, ..shard.limits() };
        let Step::Take { position, count, next } = step(look.state, now, &limits, Pace::sequence(1)) else {
            return None;
        };
        // Where it is of a later tick the clock is behind, which is counted.
        let is_of_now = position >> limits.bits == now.into();
        let run = if is_of_now { self.replace(shard, &look, (position, count, next))? } else { return None };
        self.counters.saw_clock(false);
        Some(run)
    }

    /// Takes the position that is a stride away, which is drawn for it: a tick that has not begun draws where it begins.
    #[inline(always)]
    pub(super) fn reserve_stride(
        &self,
        stride: impl FnOnce() -> Result<W::Position, Error>,
    ) -> Option<Run<W::Position>> {
        let (shard, look, now) = self.look_quickly(self.is_quick)?;
        if !shard.has_begun(look.state, now) {
            return None;
        }
        let (position, next) = shard.next_within(look.state, now, stride().ok()?)?;
        look.cursor.replace(look.state, next, 1).ok()?;
        self.counters.saw_clock(false);
        Some(shard.run(&look, position, 1))
    }

    /// Takes as many positions as there is room for, each a stride away from the one before, all drawn at once; fewer where the tick has no more. What is answered is
    /// the run that the first of them begins.
    #[inline]
    pub(super) fn reserve_strides(
        &self,
        strides: impl FnOnce(&mut [W::Position]) -> Result<(), Error>,
        positions: &mut [W::Position],
    ) -> Option<Run<W::Position>> {
        let (shard, look, now) = self.look_quickly(self.is_quick)?;
        if !shard.has_begun(look.state, now) {
            return None;
        }
        strides(positions).ok()?;
        // One step after the other, of which the others see the last.
        let (taken, after) = shard.steps_within(look.state, now, positions);
        let first = *positions.first().filter(|_| taken > 0)?;
        let run = self.replace(shard, &look, (first, taken as u64, after))?;
        self.counters.saw_clock(false);
        Some(run)
    }

    /// Looks at the cursor and the clock.
    #[inline(always)]
    fn look_quickly(&self, is_quick: bool) -> Option<(&Shard<W>, Look<'_, W>, u64)> {
        if !is_quick {
            return None;
        }
        let shard = self.shards.own();
        // Before the clock is read, as always.
        let look = shard.peek()?;
        if self.is_barred() {
            return None;
        }
        let now = match self.seen.look(&self.clock) {
            Ok(now) => now,
            Err(cycles) => self.see_tick(cycles)?,
        };
        Some((shard, look, now))
    }

    /// The tick that the clock shows, if it is one of our window. It is noted for those who ask next.
    #[inline(never)]
    fn see_tick(&self, cycles: Option<u64>) -> Option<u64> {
        let coarse_ns = if self.has_long_ticks { self.clock.coarse_ns() } else { None };
        let now_ns = coarse_ns.map_or_else(|| self.clock.now_ns().ok(), Some)?;
        let now = self.ticks.quick(now_ns).filter(|_| self.jumps.is_passed(now_ns))?;
        // A window may get longer meanwhile, never shorter. Of a format's last tick a cursor may have no room to count.
        if now < self.window.start || now >= self.window_end() || now + 1 >= self.layout.ticks() {
            return None;
        }
        self.check(now).ok()?;
        if let Some(cycles) = cycles {
            self.seen.note(cycles, now_ns, now, self.usual.second(now), &self.ticks);
        }
        Some(now)
    }
}

/// IDs of up to 64 bits, told apart by a sequence.
impl<C: Clock, W: CursorWord<Position = u64>> Engine<C, W> {
    /// The next ID, made of the number of its position; it waits for at most `max_wait`.
    #[inline]
    pub(in crate::generator) fn generate_number(&self, to_id: impl Fn(i64) -> i64) -> Result<i64, Error> {
        match self.number_quickly() {
            Some(number) => Ok(to_id(number)),
            None => self.generate(|| Ok(Pace::sequence(1)), |taken| to_id(self.layout.join(taken.into()))),
        }
    }

    /// The same without waiting.
    #[inline]
    pub(in crate::generator) fn attempt_number(&self, to_id: impl Fn(i64) -> i64) -> Result<Attempt, Error> {
        match self.number_quickly() {
            Some(number) => Ok(Attempt::Ready(to_id(number))),
            None => self.attempt(Pace::sequence(1), |taken| to_id(self.layout.join(taken.into()))),
        }
    }

    /// The same of a random part that grows: within a tick nothing is drawn but the stride.
    #[inline]
    pub(in crate::generator) fn generate_number_step(
        &self,
        stride: impl Fn() -> Result<u64, Error>,
        pace: impl FnMut() -> Result<Pace, Error>,
    ) -> Result<i64, Error> {
        match self.usual_number(1, &stride) {
            Some(number) => Ok(number),
            None => self.generate_step(stride, pace, |taken| self.layout.join(taken.into())),
        }
    }

    /// The same without waiting.
    #[inline]
    pub(in crate::generator) fn attempt_number_step(
        &self,
        stride: impl Fn() -> Result<u64, Error>,
        pace: impl FnOnce() -> Result<Pace, Error>,
    ) -> Result<Attempt, Error> {
        match self.usual_number(1, &stride) {
            Some(number) => Ok(Attempt::Ready(number)),
            None => self.attempt_step(stride, pace, |taken| self.layout.join(taken.into())),
        }
    }

    /// Fills a buffer with numbers of a random part that grows.
    pub(in crate::generator) fn fill_number_steps(
        &self,
        ids: &mut [i64],
        strides: impl Fn(&mut [u64]) -> Result<(), Error>,
        pace: impl FnMut() -> Result<Pace, Error>,
    ) -> Result<usize, Error> {
        let Usual { count, offset, .. } = self.usual;
        // Where numbers are usual they all are their positions and this.
        let number = move |run: &Run<u64>, position: u64| {
            if count > 0 { (position + offset) as i64 } else { self.layout.join(self.taken(run, position).into()) }
        };
        self.fill_steps_by(ids, strides, pace, number)
    }

    /// The usual number; else what [`reserve_quickly`](Self::reserve_quickly) takes, of which nothing but the number is made: it stays in registers.
    #[inline(always)]
    fn number_quickly(&self) -> Option<i64> {
        if let Some(number) = self.usual_number(0, || Ok(1)) {
            return Some(number);
        }
        let (shard, look, now) = self.look_quickly(self.is_quick_sequence)?;
        let Some((position, next)) = shard.next_within(look.state, now, 1) else {
            return self.number_at_edge(shard, look.state, now);
        };
        look.cursor.replace(look.state, next, 0).ok()?;
        self.counters.saw_clock(false);
        Some(match shard.line() {
            Some(line) => line.number(now, position - (now << shard.bits())),
            None => self.number_of(&shard.run(&look, position, 1)),
        })
    }

    /// The next number of the tick that was noted, of the only cursor. `issued` is how many IDs the state does not count by itself: none of a sequence, one of a random
    /// part.
    #[inline(always)]
    fn usual_number(&self, issued: u64, stride: impl FnOnce() -> Result<u64, Error>) -> Option<i64> {
        let usual = &self.usual;
        #[cfg(feature = "std")]
        if usual.process != crate::process::word() && !usual.is_of_machine {
            return None;
        }
        let second = self.seen.noted_second(&self.clock)?;
        // After the clock, for once: a state that other threads have brought past this tick is none of it.
        let look = self.shards.first().look();
        if look.state.wrapping_sub(second) >= usual.count {
            return None;
        }
        // State is one past the last position, so the stride's own 1 is in it already.
        let position = look.state + (stride().ok()? - 1);
        if position - second >= usual.count {
            return None;
        }
        look.cursor.replace(look.state, position + 1, issued).ok()?;
        // The clock was not read: there is nothing to count of it.
        Some((position + usual.offset) as i64)
    }

    #[inline(never)]
    fn number_at_edge(&self, shard: &Shard<W>, state: u64, now: u64) -> Option<i64> {
        self.reserve_at_edge(shard, shard.look_of(state), now).map(|run| self.number_of(&run))
    }

    #[inline(never)]
    fn number_of(&self, run: &Run<u64>) -> i64 {
        self.layout.join(self.taken(run, run.position).into())
    }
}
