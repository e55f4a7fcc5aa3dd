//! What all generators share: clock, cursors, window and waiting, over any layout.

use super::jump::JumpGuard;
use super::options::Waits;
use super::shards::{Common, Look, Run, Shard, Shards};
use super::stats::{Counters, Stats};
use super::{Attempt, Guarantee, Options, Rollback};
use crate::clock::Clock;
use crate::cursor::{Beginning, CursorWord, Pace, Position, Sharing, Step, step};
#[cfg(feature = "alloc")]
use crate::cursor::{Lane, step_back};
#[cfg(feature = "std")]
use crate::cursor::{Limits, Tenure};
use crate::error::{Error, LayoutProblem};
use crate::id::Scheme;
use crate::layout::{Fields, Layout};
#[cfg(feature = "std")]
use crate::state::{Identity, StateFile};
#[cfg(feature = "std")]
use crate::sync::{Ordering, fence};
use core::time::Duration;
#[cfg(feature = "std")]
use std::sync::Arc;

/// The most nodes that one cursor can count.
const fn most_nodes<P: Position>(layout: &Layout, counter_bits: u32) -> u64 {
    let bits = P::BITS.saturating_sub(layout.timestamp_bits() + counter_bits);
    1 << if bits < 63 { bits } else { 63 }
}

/// What a scheme is to its engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    #[cfg_attr(not(feature = "std"), allow(dead_code, reason = "state files name it"))]
    pub(super) scheme: Scheme,
    pub(super) layout: Layout,
    /// The format's own unit, in which windows are told.
    pub(super) unit_ms: i64,
    /// How many bits of a position count within a tick: the layout's, or some that no ID shows.
    pub(super) counter_bits: u32,
    /// How many ticks ahead of the clock an ID may be.
    pub(super) borrow: u64,
    pub(super) owner: Owner,
    /// Whose numbers the IDs are: generators of one process count together only with others of the same numbers.
    pub(super) numbers: &'static str,
    /// Which secret encrypts the IDs; none for those that are not.
    #[cfg(feature = "std")]
    pub(super) key_id: Option<u32>,
}

/// What keeps the IDs of two generators apart, and so those of a process and of its copy made by fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Nodes: a copy has none. Generators of one process with the same nodes count together.
    Node,
    /// Nothing: a copy is allowed to collide. Generators of one process count together.
    Nothing,
    /// What each draws for itself, copies too.
    Random,
}

impl Format {
    /// A scheme whose nodes keep its generators apart, with windows in milliseconds.
    pub(super) const fn of(scheme: Scheme, layout: Layout) -> Self {
        Format {
            scheme,
            layout,
            unit_ms: 1,
            counter_bits: layout.counter_bits(),
            borrow: 0,
            owner: Owner::Node,
            numbers: numbers_of(scheme),
            #[cfg(feature = "std")]
            key_id: None,
        }
    }
}

/// Whose IDs are told apart by their bits alone: Snowflake, Flake and Ulid-Flake put fields into the same numbers, and count together. A
/// Randflake's fields are encrypted; the other schemes keep cursors of their own.
const fn numbers_of(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Snowflake | Scheme::UlidFlake | Scheme::Flake => "fields",
        _ => scheme.name(),
    }
}

/// What the ID of a position holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken<P> {
    pub(super) tick: u64,
    pub(super) node: u64,
    pub(super) counter: P,
    pub(super) rollback: u64,
}

impl From<Taken<u64>> for Fields {
    #[inline]
    fn from(Taken { tick, node, counter, rollback }: Taken<u64>) -> Self {
        Fields { tick, node, counter, rollback }
    }
}

/// Positions that a step found: the first, how many, and the state after them.
type Found<P> = (P, u64, P);

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
    /// The tick is used up, or is the one in which the generator was built.
    UsedUp,
    /// The clock is behind the tick that was reached.
    ClockBehind,
    /// The window begins later.
    NotBegun,
}

#[derive(Debug)]
pub(super) struct Engine<C, W: CursorWord> {
    layout: Layout,
    counter_bits: u32,
    borrow: u64,
    window: core::ops::Range<u64>,
    /// The tick with which the cursors began.
    begin_tick: u64,
    waits: Waits,
    clock: C,
    jumps: JumpGuard,
    shards: Shards<W>,
    counters: Counters,
    /// The lease under which it counts.
    #[cfg(feature = "std")]
    tenure: Option<Arc<Tenure>>,
    /// What remembers the ticks that may be used.
    #[cfg(feature = "std")]
    state: Option<Arc<StateFile>>,
    /// The process that made the generator; `None` where a copy made by fork may go on with it.
    #[cfg(feature = "std")]
    generation: Option<u32>,
}

impl<C: Clock, W: CursorWord> Engine<C, W> {
    /// Opens the cursors for the nodes of these options.
    pub(super) fn open(format: &Format, options: &Options, clock: C) -> Result<Self, Error> {
        let Format { layout, unit_ms, counter_bits, borrow, owner, numbers, .. } = *format;
        let bits = layout.timestamp_bits() + counter_bits;
        if bits > W::Position::BITS {
            return Err(Error::InvalidLayout { reason: LayoutProblem::PositionTooWide { bits } });
        }
        // Random parts grow within one node's bits: a range would let them run into the next node.
        let most = if layout.is_random() { 1 } else { most_nodes::<W::Position>(&layout, counter_bits) };
        // First: nodes of another layout's lease may not be this one's.
        #[cfg(feature = "std")]
        options.check_grant(format.scheme, &layout, format.key_id)?;
        let nodes = options.node_range(&layout, most)?;
        let shards = options.shard_count(&nodes)?;
        let window = options.window_ticks(&layout, unit_ms)?;
        let rollback = options.rollback_of(&layout)?;
        let sharing = match (clock.is_process_time(), owner) {
            (false, _) | (true, Owner::Random) => Sharing::Own,
            (true, Owner::Node) => Sharing::Process,
            (true, Owner::Nothing) => Sharing::ProcessAndForks,
        };
        let mut beginning = Beginning::default();
        #[cfg(feature = "std")]
        let tenure = options.grant.as_ref().map(|grant| Arc::clone(grant.tenure()));
        #[cfg(feature = "std")]
        let sharing = if tenure.is_some() { Sharing::Process } else { sharing };
        #[cfg(feature = "std")]
        let state = open_state(format.scheme, &layout, &nodes, options, sharing)?;
        #[cfg(feature = "std")]
        if let Some(state) = &state {
            beginning.state_file = Some(Arc::as_ptr(state) as usize);
            beginning.of_any = state.first_free_tick().unwrap_or(0);
        }
        #[cfg(feature = "std")]
        if let Some(tenure) = &tenure {
            if !W::CAN_BE_CLOSED {
                return Err(Error::InvalidArgument {
                    what: "a generator of a single owner cannot be told that its lease is over: use one that threads may share",
                });
            }
            if tenure.is_copy() {
                return Err(Error::Forked);
            }
            beginning.of_any = tenure.first_tick();
            beginning.tenure = Some(Arc::clone(tenure));
        }
        // With a state file too: whoever counted without it, or the copy that a backup put in its place, left nothing in it.
        if sharing != Sharing::Own && options.not_before.is_none() && !options.is_leased() {
            beginning.of_new = tick_after_this(&layout, &clock)? + borrow;
        }
        let begin_tick = beginning.of_new.max(beginning.of_any);
        let common = Common {
            format: numbers,
            layout,
            counter_bits,
            borrow,
            ticks: window.clone(),
            forward_only: rollback == Rollback::Error,
            lanes: if rollback == Rollback::Bits { layout.max_rollback() + 1 } else { 1 },
            sharing,
            beginning,
        };
        // Whoever keeps generators of forked processes apart by what it draws must hear of forks as well.
        #[cfg(feature = "std")]
        let generation = crate::process::watched_generation();
        Ok(Engine {
            layout,
            counter_bits,
            borrow,
            window,
            begin_tick,
            waits: options.waits(&layout),
            jumps: JumpGuard::new(&clock, layout.tick_start_ns(0), options.max_jump_ns()),
            clock,
            shards: Shards::open(&common, &nodes, shards)?,
            counters: Counters::default(),
            #[cfg(feature = "std")]
            tenure,
            #[cfg(feature = "std")]
            state,
            #[cfg(feature = "std")]
            generation: (owner == Owner::Node).then_some(generation),
        })
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The tick after the last of our window, today.
    fn window_end(&self) -> u64 {
        #[cfg(feature = "std")]
        if let Some(tenure) = &self.tenure {
            return tenure.end_tick();
        }
        self.window.end
    }

    pub(super) fn first_node(&self) -> u64 {
        self.shards.first_node()
    }

    pub(super) fn stats(&self, guarantee: Guarantee) -> Result<Stats, Error> {
        let (waits, rollbacks) = self.counters.read();
        let left_ns = self.layout.tick_start_ns(self.window_end()).saturating_sub(self.clock.now_ns()?);
        Ok(Stats {
            issued: self.shards.issued(self.layout.counts_from_0()),
            waits,
            rollbacks,
            time_left_ms: left_ns / 1_000_000,
            guarantee,
        })
    }

    /// What the ID of a run's position holds.
    #[inline]
    fn taken(&self, run: &Run<W::Position>, position: W::Position) -> Taken<W::Position> {
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

    /// Takes up to `pace.want` positions, if that needs no wait, and makes something of them: in here, so that a run of positions does not
    /// go through memory.
    #[inline]
    fn reserve<T>(
        &self,
        pace: Pace<W::Position>,
        done: impl FnOnce(Run<W::Position>) -> T,
    ) -> Result<Result<T, Pending>, Error> {
        #[cfg(feature = "std")]
        if self.generation.is_some_and(|generation| generation != crate::process::generation()) {
            return Err(Error::Forked);
        }
        let shard = self.shards.own();
        #[cfg(feature = "alloc")]
        if shard.has_lanes() {
            return Ok(self.reserve_of_lanes(shard, pace)?.map(done));
        }
        loop {
            let look = shard.look();
            let (now, now_ns) = self.read_clock()?;
            let answer = step(look.state, now, &shard.limits(), pace);
            let Step::Take { position, count, next } = answer else {
                return self.pending(answer, now, now_ns).map(Err);
            };
            if let Some(run) = self.take(shard, &look, (position, count, next), now, pace)? {
                self.counters.saw_clock((position >> shard.bits()).low_u64() > now);
                return Ok(Ok(done(run)));
            }
        }
    }

    /// The same where each value of the rollback bits has a cursor.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn reserve_of_lanes(
        &self,
        shard: &Shard<W>,
        pace: Pace<W::Position>,
    ) -> Result<Result<Run<W::Position>, Pending>, Error> {
        loop {
            let (same, after) = shard.look_at_two();
            let (now, now_ns) = self.read_clock()?;
            let (lane, answer) = step_back(same.state, after.state, now, &shard.limits(), pace);
            let Step::Take { position, count, next } = answer else {
                return self.pending(answer, now, now_ns).map(Err);
            };
            let look = if lane == Lane::Next { after } else { same };
            let Some(run) = self.take(shard, &look, (position, count, next), now, pace)? else {
                continue;
            };
            if lane == Lane::Same {
                self.counters.saw_clock((position >> shard.bits()).low_u64() > now);
            } else if shard.move_on(look.rollback) {
                self.counters.moved_on();
            }
            return Ok(Ok(run));
        }
    }

    /// The clock's tick, and its nanoseconds.
    #[inline]
    fn read_clock(&self) -> Result<(u64, u64), Error> {
        let now_ns = self.clock.now_ns()?;
        self.jumps.check(now_ns, &self.clock)?;
        Ok((self.layout.tick_at_ns(now_ns)?, now_ns))
    }

    /// Takes the positions that a step found, of a tick that is saved. Answers `None` where everything must be looked at anew: another
    /// thread was faster.
    #[inline]
    fn take(
        &self,
        shard: &Shard<W>,
        look: &Look<'_, W>,
        found: Found<W::Position>,
        #[cfg_attr(not(feature = "std"), allow(unused_variables, reason = "nothing is saved"))] now: u64,
        #[cfg_attr(not(feature = "std"), allow(unused_variables, reason = "nothing is saved"))] pace: Pace<W::Position>,
    ) -> Result<Option<Run<W::Position>>, Error> {
        #[cfg(feature = "std")]
        if let Some(state) = &self.state {
            let tick = (found.0 >> shard.bits()).low_u64();
            if tick >= state.saved_end() {
                return self.save_and_take(state, tick, shard, look, now, pace);
            }
        }
        Ok(self.replace(shard, look, found))
    }

    /// Saves a tick, and takes positions of ticks that are saved then. The clock is not read again: on a disk that takes longer than a
    /// save is good for it would be past all that was saved each time, and of threads that save by turns one could do so for ever. What
    /// it showed stays true: ticks that were reached are reached.
    #[cfg(feature = "std")]
    #[cold]
    fn save_and_take(
        &self,
        state: &StateFile,
        tick: u64,
        shard: &Shard<W>,
        look: &Look<'_, W>,
        now: u64,
        pace: Pace<W::Position>,
    ) -> Result<Option<Run<W::Position>>, Error> {
        state.save_through(tick)?;
        // That the clock was not behind is known: where the cursor has come since, other threads have taken it.
        let limits = Limits { forward_only: false, ..shard.limits() };
        loop {
            let look = Look { state: look.cursor.load(), ..*look };
            let Step::Take { position, count, next } = step(look.state, now, &limits, pace) else {
                return Ok(None);
            };
            if (position >> limits.bits).low_u64() >= state.saved_end() {
                return Ok(None);
            }
            if let Some(run) = self.replace(shard, &look, (position, count, next)) {
                return Ok(Some(run));
            }
        }
    }

    /// Puts the next state in place of the one that was looked at, if it still stands there.
    #[inline]
    fn replace(
        &self,
        shard: &Shard<W>,
        look: &Look<'_, W>,
        (position, count, next): Found<W::Position>,
    ) -> Option<Run<W::Position>> {
        if look.cursor.replace(look.state, next).is_err() {
            return None;
        }
        self.count(look, (position, count, next), shard.mask());
        Some(shard.run(look, position, count))
    }

    /// What an answer without a position means.
    #[cold]
    fn pending(&self, answer: Step<W::Position>, now: u64, now_ns: u64) -> Result<Pending, Error> {
        #[cfg(feature = "std")]
        if let Some(tenure) = &self.tenure {
            // Pairs with the release of the state that closing put there, which a relaxed load may have seen.
            fence(Ordering::Acquire);
            if tenure.is_closed() {
                return Err(Error::LeaseClosed);
            }
        }
        // The tick that a clock which goes forward would wait for.
        let next = now.saturating_add(self.borrow).saturating_add(1);
        // The tick with which a generator begins is none that the clock fell behind.
        let is_behind = matches!(answer, Step::Wait { tick, .. } if tick > next && tick > self.begin_tick);
        let (until, reason) = match answer {
            #[cfg(feature = "std")]
            Step::Wait { tick, .. } if self.tenure.is_some() && tick == self.window.start => (tick, Reason::NotBegun),
            Step::Wait { tick, until } if tick > next => (until, Reason::ClockBehind),
            Step::Wait { until, .. } => (until, Reason::UsedUp),
            // Nor is it one for those who want to go forward only.
            Step::Behind { tick } if tick < self.begin_tick => (tick + 1, Reason::ClockBehind),
            Step::Behind { tick } => {
                self.counters.saw_clock(true);
                let behind_ns = self.layout.tick_start_ns(tick).saturating_sub(now_ns);
                return Err(Error::ClockBackward { behind_ns, max_wait_ns: 0 });
            }
            // Inside the window it is the last tick, which positions of all bits do not use.
            Step::Over { tick } if tick >= self.layout.ticks() || tick < self.window_end() => {
                return Err(Error::TimestampOverflow {
                    timestamp_ms: self.layout.tick_start_ms(tick),
                    last_ms: self.layout.last_ms(),
                });
            }
            Step::Over { .. } => {
                let end_ms = self.layout.tick_start_ms(self.window_end());
                #[cfg(feature = "std")]
                if self.tenure.is_some() {
                    return Err(Error::LeaseNotRenewed { end_ms });
                }
                return Err(Error::LeaseExpired { end_ms });
            }
            // A position that was to be had is none to wait for.
            Step::NotBegun | Step::Take { .. } => (self.window.start, Reason::NotBegun),
        };
        self.counters.saw_clock(is_behind);
        let wait_ns = self.layout.tick_start_ns(until).saturating_sub(now_ns);
        Ok(Pending { until, wait_ns, reason })
    }

    /// Counts what was issued, once a tick: a sequence tells by itself how many it holds.
    #[inline]
    fn count(&self, look: &Look<'_, W>, (position, count, next): Found<W::Position>, mask: W::Position) {
        if !self.layout.counts_from_0() {
            look.cursor.add_issued(count);
            return;
        }
        let low = |state: W::Position| (state & mask).low_u64();
        if low(position) == 0 && low(look.state) != 0 {
            look.cursor.add_issued(low(look.state));
        }
        if low(next) == 0 {
            look.cursor.add_issued(low(position) + count);
        }
    }

    /// The longest wait for this reservation.
    fn max_wait_ns(&self, pending: &Pending) -> u64 {
        if pending.until <= self.begin_tick { self.waits.at_first_ns } else { self.waits.for_tick_ns }
    }

    /// The error of a reservation that nobody may wait for.
    fn refusal(&self, Pending { until, wait_ns, reason }: Pending, max_wait_ns: u64) -> Error {
        match reason {
            Reason::UsedUp if until <= self.begin_tick => Error::WouldWaitAtFirst { wait_ns, max_wait_ns },
            Reason::UsedUp => Error::WouldWait { wait_ns, max_wait_ns },
            Reason::ClockBehind => Error::ClockBackward { behind_ns: wait_ns, max_wait_ns },
            Reason::NotBegun => {
                Error::LeaseNotBegun { start_ms: self.layout.tick_start_ms(self.window.start), wait_ns, max_wait_ns }
            }
        }
    }

    /// One ID without waiting.
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

    /// One ID without waiting, for a caller who waits by itself and has this much time left for it.
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
    #[inline]
    fn reserve_waiting<T>(
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

    /// One ID, waiting for at most `max_wait`.
    pub(super) fn generate<I>(
        &self,
        pace: impl FnMut() -> Result<Pace<W::Position>, Error>,
        to_id: impl Fn(Taken<W::Position>) -> I,
    ) -> Result<I, Error> {
        self.reserve_waiting(pace, |run| to_id(self.taken(&run, run.position)))
    }

    /// Fills a buffer, a run of positions at a time.
    pub(super) fn fill<I>(
        &self,
        ids: &mut [I],
        mut pace: impl FnMut(u64) -> Result<Pace<W::Position>, Error>,
        to_id: impl Fn(Taken<W::Position>) -> I,
    ) -> Result<usize, Error> {
        let mut written = 0;
        while written < ids.len() {
            let want = (ids.len() - written) as u64;
            let run = match self.reserve_waiting(|| pace(want), |run| run) {
                Ok(run) => run,
                Err(_) if written > 0 => break,
                Err(error) => return Err(error),
            };
            for (id, index) in ids[written..].iter_mut().zip(0..run.count) {
                *id = to_id(self.taken(&run, run.position + index.into()));
            }
            written += run.count as usize;
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

#[cfg(feature = "std")]
fn open_state(
    scheme: Scheme,
    layout: &Layout,
    nodes: &core::ops::Range<u64>,
    options: &Options,
    sharing: Sharing,
) -> Result<Option<Arc<StateFile>>, Error> {
    let Some(path) = &options.state else {
        return Ok(None);
    };
    let identity = Identity { scheme: scheme.name(), layout, first_node: nodes.start, end_node: nodes.end };
    // Who shares no cursor shares no file either.
    let open = if sharing == Sharing::Own { StateFile::open_alone } else { StateFile::open };
    open(path, &identity).map(Some)
}

/// The tick after the one that the clock shows: whoever counted for our nodes before us, until now, issued none from it. A clock outside
/// the layout's time issues nothing anyway; of one that cannot be read nobody knows what was issued.
fn tick_after_this(layout: &Layout, clock: &impl Clock) -> Result<u64, Error> {
    Ok(layout.tick_at_ns(clock.now_ns()?).map_or(0, |tick| tick + 1))
}
