//! What all generators share: clock, cursors, window and waiting, over any layout.

mod check;
mod format;
mod pending;
mod reserve;
mod seen;
mod ticks;
mod usual;
mod wait;

pub(super) use format::{Format, Line, Owner, Taken};

use super::jump::JumpGuard;
use super::options::Waits;
use super::shards::{Common, Run, Shards};
use super::stats::{Counters, Stats};
use super::{Attempt, Guarantee, Options, Rollback, Scope};
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::cursor::Tenure;
use crate::cursor::{Beginning, CursorWord, Pace, Position, Sharing};
use crate::error::{Error, LayoutProblem};
use crate::layout::Layout;
#[cfg(feature = "std")]
use crate::state::{Identity, StateFile};
#[cfg(feature = "std")]
use check::Check;
use core::time::Duration;
use format::most_nodes;
use pending::Reason;
use seen::Seen;
use ticks::Ticks;
use usual::Usual;
#[cfg(feature = "std")]
use {crate::id::Scheme, std::sync::Arc};

/// The shortest tick for which a coarse clock is read: a hundred times as long as that is behind, at most.
const LONG_TICK_NS: u64 = 1_000_000_000;

/// No process.
const NOBODY: u64 = u64::MAX;

/// How many random steps are taken at once.
const STRIDES: usize = 64;

#[derive(Debug)]
pub(super) struct Engine<C, W: CursorWord> {
    layout: Layout,
    ticks: Ticks,
    seen: Seen,
    usual: Usual,
    counter_bits: u32,
    borrow: u64,
    window: core::ops::Range<u64>,
    /// The tick with which the cursors began.
    begin_tick: u64,
    waits: Waits,
    clock: C,
    /// Whether an ID may be had by a step that looks at the clock and one cursor, and at nothing else.
    is_quick: bool,
    /// The same of a sequence.
    is_quick_sequence: bool,
    /// Whether a cursor's state tells how many IDs its tick has.
    counts_from_0: bool,
    /// Whether ticks are so long that a clock which is some milliseconds behind tells most of them.
    has_long_ticks: bool,
    jumps: JumpGuard,
    shards: Shards<W>,
    counters: Counters,
    /// The lease under which it counts.
    #[cfg(feature = "std")]
    tenure: Option<Arc<Tenure>>,
    /// What remembers the ticks that may be used.
    #[cfg(feature = "std")]
    state: Option<Arc<StateFile>>,
    /// The process that made the generator; `None` where a copy made by fork may go on with it, [`NOBODY`] where there is more to ask.
    #[cfg(feature = "std")]
    process: Option<u64>,
    /// The process that made the generator, which has a lease of a cursor that is the machine's.
    #[cfg(feature = "std")]
    lease_process: Option<u64>,
    /// When the files of the machine's words are looked for; `None` for those of the process.
    #[cfg(feature = "std")]
    check: Option<Check>,
}

impl<C: Clock, W: CursorWord> Engine<C, W> {
    /// Opens the cursors for the nodes of these options.
    pub(super) fn open(format: &Format, options: &Options, clock: C) -> Result<Self, Error> {
        let Format { layout, unit_ms, counter_bits, borrow, owner, numbers, .. } = *format;
        let bits = layout.timestamp_bits() + counter_bits;
        if bits > W::Position::BITS {
            return Err(Error::InvalidLayout { reason: LayoutProblem::PositionTooWide { bits } });
        }
        // First: nodes of another scheme's or layout's lease may not be this one's, and what is wrong with them is not their number.
        #[cfg(feature = "std")]
        options.check_grant(format.scheme, &layout, format.key_id)?;
        // Random parts grow within one node's bits: a range would let them run into the next node.
        let most = if layout.is_random() { 1 } else { most_nodes::<W::Position>(&layout, counter_bits) };
        let nodes = options.node_range(&layout, most)?;
        let shards = options.shard_count(&nodes)?;
        let window = options.window_ticks(&layout, unit_ms)?;
        let rollback = options.rollback_of(&layout)?;
        let sharing = match (clock.is_process_time(), owner) {
            (false, _) | (true, Owner::Random) => Sharing::Own,
            (true, Owner::Node) if options.scope == Some(Scope::Process) => Sharing::Process,
            (true, Owner::Node) => Sharing::Machine { is_required: options.scope == Some(Scope::Machine) },
            (true, Owner::Nothing) => Sharing::ProcessAndForks,
        };
        // Cursors under a lease are shared also where the time is the caller's own.
        #[cfg(feature = "std")]
        let sharing = match (&options.grant, sharing) {
            (Some(grant), Sharing::Machine { .. }) if grant.tenure().space_of_machine().is_some() => sharing,
            (Some(_), _) => Sharing::Process,
            (None, _) => sharing,
        };
        if options.scope == Some(Scope::Machine) && !matches!(sharing, Sharing::Machine { .. }) {
            return Err(Error::NoMachineScope);
        }
        let mut beginning = Beginning { max_jump_ns: options.max_jump_ns(), ..Beginning::default() };
        beginning.clock = Some(&clock);
        #[cfg(feature = "std")]
        let tenure = options.grant.as_ref().map(|grant| Arc::clone(grant.tenure()));
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
        beginning.is_known = options.not_before.is_some() || options.is_leased();
        if sharing != Sharing::Own && !beginning.is_known {
            beginning.of_new = tick_after_this(&layout, &clock)? + borrow;
        }
        let begin_tick = beginning.of_new.max(beginning.of_any);
        let beginning_of_any = beginning.of_any;
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
        let has_long_ticks = layout.tick_ns() >= LONG_TICK_NS;
        let is_plain = borrow == 0 && !common.forward_only && common.lanes == 1;
        // What has to be saved first is read off the clock once: the disk may take longer than a tick.
        #[cfg(feature = "std")]
        let saves = state.is_some();
        #[cfg(not(feature = "std"))]
        let saves = false;
        // Whoever keeps generators of forked processes apart by what it draws must hear of forks as well.
        #[cfg(feature = "std")]
        let process = crate::process::watched();
        #[cfg(not(feature = "std"))]
        let process = 0;
        let is_quick_sequence = is_plain && !saves && layout.counts_from_0();
        let seen = Seen::new(layout.tick_ns(), has_long_ticks && clock.coarse_ns().is_some(), &clock);
        let shards = Shards::open(&common, &nodes, shards)?;
        let is_of_machine = shards.are_of_machine();
        let begin_tick = if is_of_machine { beginning_of_any } else { begin_tick };
        // Such a cursor goes on when the lease is closed: whoever has read its state asks the lease.
        let is_of_lease = is_of_machine && options.is_leased();
        let can_be_usual = is_plain && !saves && owner == Owner::Node && !is_of_lease;
        Ok(Engine {
            layout,
            ticks: Ticks::of(&layout),
            usual: Usual::of(process, is_of_machine, &shards, &seen).filter(|_| can_be_usual).unwrap_or(Usual::NEVER),
            seen,
            counter_bits,
            borrow,
            window,
            begin_tick,
            waits: options.waits(&layout),
            jumps: JumpGuard::new(&clock, layout.tick_start_ns(0), options.max_jump_ns()),
            clock,
            is_quick: is_plain && !saves,
            is_quick_sequence,
            counts_from_0: layout.counts_from_0(),
            has_long_ticks,
            shards,
            counters: Counters::default(),
            #[cfg(feature = "std")]
            tenure,
            #[cfg(feature = "std")]
            state,
            // With the machine's words a copy counts where its parent does; a state file and a lease are for their own process only.
            #[cfg(feature = "std")]
            process: match owner {
                Owner::Node if is_of_lease => Some(NOBODY),
                Owner::Node if saves || !is_of_machine => Some(process),
                _ => None,
            },
            #[cfg(feature = "std")]
            lease_process: is_of_lease.then_some(process),
            #[cfg(feature = "std")]
            check: is_of_machine.then(|| Check::of(layout.tick_ns())),
        })
    }

    /// The tick with which the cursors began, also in a file that has replaced another one.
    fn begin_tick(&self) -> u64 {
        self.begin_tick.max(self.shards.new_tick())
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

    /// Whether its lease was given back, or is another's; to be asked after a cursor's state was read.
    fn is_over(&self) -> bool {
        #[cfg(feature = "std")]
        if let Some(tenure) = &self.tenure {
            return tenure.was_closed();
        }
        false
    }

    pub(super) fn first_node(&self) -> u64 {
        self.shards.first_node()
    }

    pub(super) fn stats(&self, guarantee: Guarantee) -> Result<Stats, Error> {
        let (waits, rollbacks) = self.counters.read();
        let now_ns = self.clock.now_ns()?;
        let left_ns =
            if self.is_over() { 0 } else { self.layout.tick_start_ns(self.window_end()).saturating_sub(now_ns) };
        Ok(Stats {
            issued: self.shards.issued(self.layout.counts_from_0()),
            waits,
            rollbacks,
            time_left_ms: left_ns / 1_000_000,
            guarantee,
            scope: if self.shards.are_of_machine() { Scope::Machine } else { Scope::Process },
        })
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

    /// One ID, waiting for at most `max_wait`.
    pub(super) fn generate<I>(
        &self,
        pace: impl FnMut() -> Result<Pace<W::Position>, Error>,
        to_id: impl Fn(Taken<W::Position>) -> I,
    ) -> Result<I, Error> {
        self.reserve_waiting(pace, |run| to_id(self.taken(&run, run.position)))
    }

    /// The next ID of a sequence, waiting for at most `max_wait`.
    #[inline]
    pub(super) fn generate_next<I>(&self, to_id: impl Fn(Taken<W::Position>) -> I) -> Result<I, Error> {
        match self.reserve_quickly() {
            Some(run) => Ok(to_id(self.taken(&run, run.position))),
            None => self.generate(|| Ok(Pace::sequence(1)), to_id),
        }
    }

    /// The same without waiting.
    #[inline]
    pub(super) fn attempt_next<I>(&self, to_id: impl Fn(Taken<W::Position>) -> I) -> Result<Attempt<I>, Error> {
        match self.reserve_quickly() {
            Some(run) => Ok(Attempt::Ready(to_id(self.taken(&run, run.position)))),
            None => self.attempt(Pace::sequence(1), to_id),
        }
    }

    /// One ID of a random part that grows, waiting for at most `max_wait`: within a tick nothing is drawn but the stride.
    #[inline]
    pub(super) fn generate_step<I>(
        &self,
        stride: impl FnOnce() -> Result<W::Position, Error>,
        pace: impl FnMut() -> Result<Pace<W::Position>, Error>,
        to_id: impl Fn(Taken<W::Position>) -> I,
    ) -> Result<I, Error> {
        match self.reserve_stride(stride) {
            Some(run) => Ok(to_id(self.taken(&run, run.position))),
            None => self.generate(pace, to_id),
        }
    }

    /// The same without waiting.
    #[inline]
    pub(super) fn attempt_step<I>(
        &self,
        stride: impl FnOnce() -> Result<W::Position, Error>,
        pace: impl FnOnce() -> Result<Pace<W::Position>, Error>,
        to_id: impl Fn(Taken<W::Position>) -> I,
    ) -> Result<Attempt<I>, Error> {
        match self.reserve_stride(stride) {
            Some(run) => Ok(Attempt::Ready(to_id(self.taken(&run, run.position)))),
            None => self.attempt(pace()?, to_id),
        }
    }

    /// Fills a buffer with IDs of a random part that grows, some at a time: for those the clock is read once.
    pub(super) fn fill_steps<I>(
        &self,
        ids: &mut [I],
        strides: impl Fn(&mut [W::Position]) -> Result<(), Error>,
        pace: impl FnMut() -> Result<Pace<W::Position>, Error>,
        to_id: impl Fn(Taken<W::Position>) -> I,
    ) -> Result<usize, Error> {
        self.fill_steps_by(ids, strides, pace, |run, position| to_id(self.taken(run, position)))
    }

    #[expect(clippy::cast_possible_truncation, reason = "at most STRIDES positions were asked for")]
    fn fill_steps_by<I>(
        &self,
        ids: &mut [I],
        strides: impl Fn(&mut [W::Position]) -> Result<(), Error>,
        mut pace: impl FnMut() -> Result<Pace<W::Position>, Error>,
        to_id: impl Fn(&Run<W::Position>, W::Position) -> I,
    ) -> Result<usize, Error> {
        let mut written = 0;
        let mut positions = [W::Position::ONE; STRIDES];
        while written < ids.len() {
            let want = (ids.len() - written).min(STRIDES);
            if let Some(run) = self.reserve_strides(&strides, &mut positions[..want]) {
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

    /// Fills a buffer, a run of positions at a time.
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

    /// The same where the IDs of a run are written together, given what the first of them holds.
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
