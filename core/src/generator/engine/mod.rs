//! The engine of all generators: five steps from the clock to an ID, for any layout.
//!
//! ```text
//!  +--------+    +------------+    +---------------+    +----------------+    +----------+
//!  | gate   | -> | tick       | -> | step          | -> | commit         | -> | ID       |
//!  | fork,  |    | tick cache |    | cursor/step   |    | compare-and-   |    | position |
//!  | lease  |    | or clock   |    | or its fast   |    | swap, count,   |    | to       |
//!  |        |    |            |    | forms         |    | state file     |    | number   |
//!  +--------+    +------------+    +---------------+    +----------------+    +----------+
//! ```
//!
//! `open` decides once what each ID needs; `gate` checks for each ID whether the process may issue
//! it. `fast` takes the five steps in the common case. It falls back to `reserve`, which takes them
//! in every case. If no position is available, `refusal` decides what to wait for, and `wait`
//! waits.
//!
//! Only the generators use the engine.

mod check;
#[cfg(feature = "std")]
mod checked;
mod fast;
mod fast_path;
mod format;
mod gate;
mod open;
mod pending;
mod refusal;
mod reserve;
mod tick_cache;
mod ticks;
mod wait;

pub(super) use format::{Format, Line, Owner, Taken};

use super::jump::JumpGuard;
use super::options::Waits;
use super::shards::{Run, Shards};
use super::stats::{Counters, Stats};
use super::{Attempt, Guarantee, Scope};
use crate::clock::Clock;
use crate::cursor::{CursorWord, Pace, Position};
use crate::error::Error;
use crate::layout::Layout;
#[cfg(feature = "std")]
use crate::state::StateFile;
#[cfg(feature = "std")]
use checked::Check;
use core::time::Duration;
use fast_path::FastPath;
use gate::Gate;
use pending::Reason;
#[cfg(feature = "std")]
use std::sync::Arc;
use tick_cache::TickCache;
use ticks::Ticks;

/// The number of random steps taken at once.
const STRIDES: usize = 64;

#[derive(Debug)]
pub(super) struct Engine<C, W: CursorWord> {
    layout: Layout,
    gate: Gate,
    clock: C,
    jumps: JumpGuard,
    ticks: Ticks,
    tick_cache: TickCache,
    /// Whether ticks are so long that the coarse clock, which is some milliseconds behind, mostly
    /// shows the right one.
    has_long_ticks: bool,
    window: core::ops::Range<u64>,
    /// The tick with which the cursors began.
    begin_tick: u64,
    fast: FastPath,
    shards: Shards<W>,
    counter_bits: u32,
    borrow: u64,
    /// Whether a cursor's state shows how many IDs its tick has.
    counts_from_0: bool,
    counters: Counters,
    waits: Waits,
    /// The state file, which stores the ticks that may be used.
    #[cfg(feature = "std")]
    state: Option<Arc<StateFile>>,
    /// The last check of the files, in machine scope; `None` in process scope.
    #[cfg(feature = "std")]
    check: Option<Check>,
}

impl<C: Clock, W: CursorWord> Engine<C, W> {
    /// Returns the tick with which the cursors began, also in a file that has replaced a deleted
    /// one.
    fn begin_tick(&self) -> u64 {
        self.begin_tick.max(self.shards.new_tick())
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the tick after the last one of the window at present; a lease may extend it.
    fn window_end(&self) -> u64 {
        self.gate.end_tick().unwrap_or(self.window.end)
    }

    pub(super) fn first_node(&self) -> u64 {
        self.shards.first_node()
    }

    pub(super) fn stats(&self, guarantee: Guarantee) -> Result<Stats, Error> {
        let (waits, rollbacks) = self.counters.read();
        let now_ns = self.clock.now_ns()?;
        let left_ns =
            if self.gate.is_over() { 0 } else { self.layout.tick_start_ns(self.window_end()).saturating_sub(now_ns) };
        Ok(Stats {
            issued: self.shards.issued(self.layout.counts_from_0()),
            waits,
            rollbacks,
            time_left_ms: left_ns / 1_000_000,
            guarantee,
            scope: if self.shards.are_of_machine() { Scope::Machine } else { Scope::Process },
        })
    }

    /// Makes an ID without waiting.
    pub(super) fn attempt<I>(
        &self,
        pace: Pace<W::Position>,
        to_id: impl Fn(Taken<W::Position>) -> I,
    ) -> Result<Attempt<I>, Error> {
        match self.reserve(pace, |run| to_id(self.taken(&run, run.position)))? {
            Ok(id) => Ok(Attempt::Ready(id)),
            Err(pending) if pending.wait_ns <= self.max_wait_ns(&pending) || pending.reason == Reason::UsedUp => {
                Ok(Attempt::Wait(Duration::from_nanos(pending.wait_ns)))
            }
            Err(pending) => Err(self.refusal(pending, self.max_wait_ns(&pending))),
        }
    }

    /// Makes an ID without waiting, for a caller that waits by itself and has `left` for it.
    pub(super) fn attempt_within<I>(
        &self,
        left: Duration,
        pace: Pace<W::Position>,
        to_id: impl Fn(Taken<W::Position>) -> I,
    ) -> Result<Attempt<I>, Error> {
        let pending = match self.reserve(pace, |run| to_id(self.taken(&run, run.position)))? {
            Ok(id) => return Ok(Attempt::Ready(id)),
            Err(pending) => pending,
        };
        let wait = Duration::from_nanos(pending.wait_ns);
        // A clock that never waits does not advance while the caller waits.
        if wait <= left && self.clock.wait(Duration::ZERO) {
            return Ok(Attempt::Wait(wait));
        }
        let max_wait_ns = u64::try_from(left.as_nanos()).unwrap_or(u64::MAX);
        Err(if wait <= left {
            Error::WouldWait { wait_ns: pending.wait_ns, max_wait_ns }
        } else {
            self.refusal(pending, max_wait_ns)
        })
    }

    /// Makes an ID, waiting for at most `max_wait`.
    pub(super) fn generate<I>(
        &self,
        pace: impl FnMut() -> Result<Pace<W::Position>, Error>,
        to_id: impl Fn(Taken<W::Position>) -> I,
    ) -> Result<I, Error> {
        self.reserve_waiting(pace, |run| to_id(self.taken(&run, run.position)))
    }

    /// Makes the next ID of a sequence, waiting for at most `max_wait`.
    #[inline]
    pub(super) fn generate_next<I>(&self, to_id: impl Fn(Taken<W::Position>) -> I) -> Result<I, Error> {
        match self.reserve_fast() {
            Some(run) => Ok(to_id(self.taken(&run, run.position))),
            None => self.generate(|| Ok(Pace::sequence(1)), to_id),
        }
    }

    /// Makes the next ID of a sequence without waiting.
    #[inline]
    pub(super) fn attempt_next<I>(&self, to_id: impl Fn(Taken<W::Position>) -> I) -> Result<Attempt<I>, Error> {
        match self.reserve_fast() {
            Some(run) => Ok(Attempt::Ready(to_id(self.taken(&run, run.position)))),
            None => self.attempt(Pace::sequence(1), to_id),
        }
    }

    /// Makes an ID of a random part that grows, waiting for at most `max_wait`. Within a tick, it
    /// needs randomness only for the step.
    #[inline]
    pub(super) fn generate_step<I>(
        &self,
        increment: impl FnOnce() -> Result<W::Position, Error>,
        pace: impl FnMut() -> Result<Pace<W::Position>, Error>,
        to_id: impl Fn(Taken<W::Position>) -> I,
    ) -> Result<I, Error> {
        match self.reserve_increment(increment) {
            Some(run) => Ok(to_id(self.taken(&run, run.position))),
            None => self.generate(pace, to_id),
        }
    }

    /// Makes an ID of a random part that grows, without waiting.
    #[inline]
    pub(super) fn attempt_step<I>(
        &self,
        increment: impl FnOnce() -> Result<W::Position, Error>,
        pace: impl FnOnce() -> Result<Pace<W::Position>, Error>,
        to_id: impl Fn(Taken<W::Position>) -> I,
    ) -> Result<Attempt<I>, Error> {
        match self.reserve_increment(increment) {
            Some(run) => Ok(Attempt::Ready(to_id(self.taken(&run, run.position)))),
            None => self.attempt(pace()?, to_id),
        }
    }

    /// Fills a buffer with IDs of a random part that grows. It reads the clock once for up to
    /// `STRIDES` IDs.
    pub(super) fn fill_steps<I>(
        &self,
        ids: &mut [I],
        increments: impl Fn(&mut [W::Position]) -> Result<(), Error>,
        pace: impl FnMut() -> Result<Pace<W::Position>, Error>,
        to_id: impl Fn(Taken<W::Position>) -> I,
    ) -> Result<usize, Error> {
        self.fill_steps_by(ids, increments, pace, |run, position| to_id(self.taken(run, position)))
    }

    #[expect(clippy::cast_possible_truncation, reason = "at most STRIDES positions were asked for")]
    fn fill_steps_by<I>(
        &self,
        ids: &mut [I],
        increments: impl Fn(&mut [W::Position]) -> Result<(), Error>,
        mut pace: impl FnMut() -> Result<Pace<W::Position>, Error>,
        to_id: impl Fn(&Run<W::Position>, W::Position) -> I,
    ) -> Result<usize, Error> {
        let mut written = 0;
        let mut positions = [W::Position::ONE; STRIDES];
        while written < ids.len() {
            let want = (ids.len() - written).min(STRIDES);
            if let Some(run) = self.reserve_increments(&increments, &mut positions[..want]) {
                let count = run.count as usize;
                for (id, position) in ids[written..written + count].iter_mut().zip(positions) {
                    *id = to_id(&run, position);
                }
                written += count;
                continue;
            }
            match self.reserve_waiting(&mut pace, |run| to_id(&run, run.position)) {
                Ok(id) => ids[written] = id,
                Err(_) if written > 0 => break,
                Err(error) => return Err(error),
            }
            written += 1;
        }
        Ok(written)
    }

    /// Fills a buffer with IDs, a run of positions at a time.
    pub(super) fn fill<I>(
        &self,
        ids: &mut [I],
        pace: impl FnMut(u64) -> Result<Pace<W::Position>, Error>,
        to_id: impl Fn(Taken<W::Position>) -> I,
    ) -> Result<usize, Error> {
        self.fill_by(ids, pace, |ids, run| {
            for (id, index) in ids.iter_mut().zip(0..run.count) {
                *id = to_id(self.taken(&run, run.position + index.into()));
            }
        })
    }

    /// Fills a buffer as `fill` does, but writes the IDs of a run together, given the fields of its
    /// first position.
    pub(super) fn fill_runs<I>(
        &self,
        ids: &mut [I],
        pace: impl FnMut(u64) -> Result<Pace<W::Position>, Error>,
        write: impl Fn(&mut [I], Taken<W::Position>),
    ) -> Result<usize, Error> {
        self.fill_by(ids, pace, |ids, run| write(ids, self.taken(&run, run.position)))
    }

    #[expect(clippy::cast_possible_truncation, reason = "no more positions were asked for than the buffer has room")]
    fn fill_by<I>(
        &self,
        ids: &mut [I],
        mut pace: impl FnMut(u64) -> Result<Pace<W::Position>, Error>,
        write: impl Fn(&mut [I], Run<W::Position>),
    ) -> Result<usize, Error> {
        let mut written = 0;
        while written < ids.len() {
            let want = (ids.len() - written) as u64;
            let run = match self.reserve_waiting(|| pace(want), |run| run) {
                Ok(run) => run,
                Err(_) if written > 0 => break,
                Err(error) => return Err(error),
            };
            let count = run.count as usize;
            write(&mut ids[written..written + count], run);
            written += count;
        }
        Ok(written)
    }
}

#[cfg(feature = "std")]
impl<C, W: CursorWord> Drop for Engine<C, W> {
    fn drop(&mut self) {
        if let Some(state) = &self.state {
            state.close_at(self.shards.first_free_tick());
        }
    }
}
