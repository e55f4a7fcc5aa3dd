//! What all generators share: clock, cursor, window and waiting, over any layout.

use super::{Attempt, Options};
use crate::clock::Clock;
use crate::cursor::{CursorKey, CursorWord, Limits, Pace, Sharing, Step, step};
use crate::error::Error;
use crate::id::Scheme;
use crate::layout::{Fields, Layout};
use core::time::Duration;

/// Positions are words of 63 bits.
const POSITION_BITS: u32 = 63;

/// How many low bits a position has: the node's index in our range, then the sequence or random part.
const fn position_bits(layout: &Layout, nodes: u64) -> u32 {
    layout.counter_bits() + (u64::BITS - (nodes - 1).leading_zeros())
}

/// The most nodes that one cursor can count.
const fn most_nodes(layout: &Layout) -> u64 {
    1 << (POSITION_BITS - layout.timestamp_bits() - layout.counter_bits())
}

/// Positions that were taken: `count` of them from `position` on, all of one tick.
#[derive(Clone, Copy, Debug)]
struct Run {
    position: u64,
    count: u64,
}

/// A reservation that cannot be had yet, and the error it becomes if nobody may wait for it.
#[derive(Clone, Copy, Debug)]
struct Pending {
    /// The tick that is waited for.
    until: u64,
    wait_ns: u64,
    reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// The tick is used up.
    UsedUp,
    /// The clock is behind the tick that was reached.
    ClockBehind,
    /// The window begins later.
    NotBegun,
}

#[derive(Debug)]
pub(super) struct Engine<C, W> {
    layout: Layout,
    first_node: u64,
    limits: Limits,
    /// The longest wait for one tick, and for all that other threads use up before us.
    max_wait_ns: u64,
    max_wait_in_all_ns: u64,
    clock: C,
    cursor: W,
    /// The process that made the generator; `None` where a copy made by fork may go on with it.
    #[cfg(feature = "std")]
    generation: Option<u32>,
}

impl<C: Clock, W: CursorWord> Engine<C, W> {
    /// Opens a cursor for the nodes of these options. `unit_ms` is the format's own unit, in which windows are told.
    pub(super) fn open(
        scheme: Scheme,
        layout: Layout,
        options: &Options,
        unit_ms: i64,
        clock: C,
        allow_collisions: bool,
    ) -> Result<Self, Error> {
        // Random parts grow within one node's bits: a range would let them run into the next node.
        let most = if layout.is_random() { 1 } else { most_nodes(&layout) };
        let nodes = options.node_range(&layout, most)?;
        let ticks = options.window_ticks(&layout, unit_ms)?;
        let (max_wait_ns, max_wait_in_all_ns) = options.max_wait_ns(&layout);
        let count = nodes.end - nodes.start;
        let bits = position_bits(&layout, count);
        let key = CursorKey { format: scheme.name(), layout, first_node: nodes.start, end_node: nodes.end, bits };
        let limits = Limits {
            bits,
            slots: count << layout.counter_bits(),
            first_tick: ticks.start,
            end_tick: ticks.end,
            borrow: 0,
        };
        let sharing = match (clock.is_process_time(), allow_collisions) {
            (false, _) => Sharing::Own,
            (true, false) => Sharing::Process,
            (true, true) => Sharing::ProcessAndForks,
        };
        let cursor = W::open(&key, sharing)?;
        Ok(Engine {
            layout,
            first_node: nodes.start,
            limits,
            max_wait_ns,
            max_wait_in_all_ns,
            clock,
            cursor,
            #[cfg(feature = "std")]
            generation: (!allow_collisions).then(crate::process::watched_generation),
        })
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(super) fn first_node(&self) -> u64 {
        self.first_node
    }

    /// What the ID of a position holds.
    #[inline]
    fn fields(&self, position: u64) -> Fields {
        let low = position & ((1 << self.limits.bits) - 1);
        Fields {
            tick: position >> self.limits.bits,
            node: self.first_node + (low >> self.layout.counter_bits()),
            counter: low & self.layout.max_counter(),
        }
    }

    /// Takes up to `pace.want` positions, if that needs no wait.
    fn reserve(&self, pace: Pace) -> Result<Result<Run, Pending>, Error> {
        #[cfg(feature = "std")]
        if self.generation.is_some_and(|generation| generation != crate::process::generation()) {
            return Err(Error::Forked);
        }
        loop {
            // The state first: read later, it could hold ticks that other threads have reached since the clock was read, and a
            // clock that is right would look set back.
            let state = self.cursor.load();
            let now_ns = self.clock.now_ns()?;
            let now = self.layout.tick_at_ns(now_ns)?;
            let (until, reason) = match step(state, now, &self.limits, pace) {
                Step::Take { position, count, next } => match self.cursor.replace(state, next) {
                    Ok(()) => return Ok(Ok(Run { position, count })),
                    Err(_) => continue,
                },
                // Only the very next tick is what a clock that goes forward would wait for.
                Step::Wait { tick, until } if tick > now + 1 => (until, Reason::ClockBehind),
                Step::Wait { until, .. } => (until, Reason::UsedUp),
                Step::NotBegun => (self.limits.first_tick, Reason::NotBegun),
                Step::Over { tick } if tick >= self.layout.ticks() => {
                    return Err(Error::TimestampOverflow {
                        timestamp_ms: self.layout.tick_start_ms(tick),
                        last_ms: self.layout.last_ms(),
                    });
                }
                Step::Over { .. } => {
                    return Err(Error::LeaseExpired { end_ms: self.layout.tick_start_ms(self.limits.end_tick) });
                }
            };
            let wait_ns = self.layout.tick_start_ns(until).saturating_sub(now_ns);
            return Ok(Err(Pending { until, wait_ns, reason }));
        }
    }

    /// The error of a reservation that nobody may wait for.
    fn refusal(&self, Pending { wait_ns, reason, .. }: Pending, max_wait_ns: u64) -> Error {
        match reason {
            Reason::UsedUp => Error::WouldWait { wait_ns, max_wait_ns },
            Reason::ClockBehind => Error::ClockBackward { behind_ns: wait_ns, max_wait_ns },
            Reason::NotBegun => {
                Error::LeaseNotBegun { start_ms: self.layout.tick_start_ms(self.limits.first_tick), wait_ns }
            }
        }
    }

    /// One ID without waiting.
    pub(super) fn attempt(&self, pace: Pace, to_id: impl Fn(Fields) -> i64) -> Result<Attempt, Error> {
        match self.reserve(pace)? {
            Ok(run) => Ok(Attempt::Ready(to_id(self.fields(run.position)))),
            Err(pending) if pending.wait_ns <= self.max_wait_ns || pending.reason == Reason::UsedUp => {
                Ok(Attempt::Wait(Duration::from_nanos(pending.wait_ns)))
            }
            Err(pending) => Err(self.refusal(pending, self.max_wait_ns)),
        }
    }

    /// One ID without waiting, for a caller who waits by itself and has this much time left for it.
    pub(super) fn attempt_within(
        &self,
        left: Duration,
        pace: Pace,
        to_id: impl Fn(Fields) -> i64,
    ) -> Result<Attempt, Error> {
        let pending = match self.reserve(pace)? {
            Ok(run) => return Ok(Attempt::Ready(to_id(self.fields(run.position)))),
            Err(pending) => pending,
        };
        let wait = Duration::from_nanos(pending.wait_ns);
        // A clock that never waits does not go on while the caller does.
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

    /// Takes at least one and up to `pace.want` positions, waiting for at most `max_wait`. No lock is held meanwhile.
    fn reserve_waiting(&self, mut pace: impl FnMut() -> Result<Pace, Error>) -> Result<Run, Error> {
        // What was waited for is summed up: a clock that steps about cannot be asked how long it took.
        let (mut waited_ns, mut waited_in_all_ns): (u64, u64) = (0, 0);
        let mut until = 0;
        loop {
            let pending = match self.reserve(pace()?)? {
                Ok(run) => return Ok(run),
                Err(pending) => pending,
            };
            if pending.until > until {
                // The tick waited for has come, and other threads have used it up: for the next one waiting begins anew.
                until = pending.until;
                waited_ns = 0;
            }
            let left_ns = self.max_wait_ns.saturating_sub(waited_ns);
            let left_in_all_ns = self.max_wait_in_all_ns.saturating_sub(waited_in_all_ns);
            // No wait at all: the tick begins later than any clock can show.
            if pending.wait_ns == 0 || pending.wait_ns > left_ns.min(left_in_all_ns) {
                return Err(self.refusal(pending, self.max_wait_ns));
            }
            if !self.clock.wait(Duration::from_nanos(pending.wait_ns)) {
                return Err(Error::WouldWait { wait_ns: pending.wait_ns, max_wait_ns: self.max_wait_ns });
            }
            waited_ns = waited_ns.saturating_add(pending.wait_ns);
            waited_in_all_ns = waited_in_all_ns.saturating_add(pending.wait_ns);
        }
    }

    /// One ID, waiting for at most `max_wait`.
    pub(super) fn generate(
        &self,
        pace: impl FnMut() -> Result<Pace, Error>,
        to_id: impl Fn(Fields) -> i64,
    ) -> Result<i64, Error> {
        self.reserve_waiting(pace).map(|run| to_id(self.fields(run.position)))
    }

    /// Fills a buffer, a run of positions at a time.
    pub(super) fn fill(
        &self,
        ids: &mut [i64],
        mut pace: impl FnMut(u64) -> Result<Pace, Error>,
        to_id: impl Fn(Fields) -> i64,
    ) -> Result<usize, Error> {
        let mut written = 0;
        while written < ids.len() {
            let want = (ids.len() - written) as u64;
            let run = match self.reserve_waiting(|| pace(want)) {
                Ok(run) => run,
                Err(_) if written > 0 => break,
                Err(error) => return Err(error),
            };
            for (id, position) in ids[written..].iter_mut().zip(run.position..run.position + run.count) {
                *id = to_id(self.fields(position));
            }
            written += run.count as usize;
        }
        Ok(written)
    }
}
