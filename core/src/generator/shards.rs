//! The cursors of a generator: one for each part of its nodes (shard) and each value of the
//! rollback bits (lane).

use super::engine::Line;
use crate::bits::low_64;
#[cfg(feature = "std")]
use crate::clock::Clock;
use crate::cursor::{Beginning, CursorKey, CursorWord, Limits, Position, Sharing, next_within, steps_within};
#[cfg(feature = "std")]
use crate::cursor::{Checked, Tenure};
use crate::error::Error;
use crate::layout::Layout;
#[cfg(feature = "alloc")]
use crate::sync::{AtomicUsize, Ordering};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::ops::Range;
#[cfg(feature = "std")]
use std::sync::Arc;

/// Returns the number of low bits of a position: those of the node's index in the range, and of the
/// sequence or random part.
///
/// If possible, the time is as far up as in the number, so that one addition converts a position to
/// its number.
fn position_bits<P: Position>(common: &Common<'_>, nodes: u64, line: Option<Line>) -> u32 {
    let as_in_number = line.map(Line::shift).filter(|shift| common.layout.timestamp_bits() + shift <= P::BITS);
    as_in_number.unwrap_or(common.counter_bits + (u64::BITS - (nodes - 1).leading_zeros()))
}

/// The properties that all cursors of a generator have in common.
pub(super) struct Common<'a> {
    pub(super) format: &'static str,
    pub(super) layout: Layout,
    pub(super) counter_bits: u32,
    pub(super) borrow: u64,
    pub(super) ticks: Range<u64>,
    /// Whether nothing is issued while the clock is behind.
    pub(super) forward_only: bool,
    /// The number of values of the rollback bits; 1 if they are not used.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "there is one"))]
    pub(super) lanes: u64,
    pub(super) sharing: Sharing,
    pub(super) beginning: Beginning<'a>,
}

#[derive(Debug)]
pub(super) struct Shards<W: CursorWord> {
    first: Shard<W>,
    #[cfg(feature = "alloc")]
    more: Vec<Shard<W>>,
}

impl<W: CursorWord> Shards<W> {
    /// Divides the nodes into `count` shards, as evenly as possible.
    pub(super) fn open(common: &Common<'_>, nodes: &Range<u64>, count: u64) -> Result<Self, Error> {
        let all = nodes.end - nodes.start;
        let at = |index: u64| nodes.start + low_64(u128::from(all) * u128::from(index) / u128::from(count));
        let first = Shard::open(common, common.sharing, at(0)..at(1))?;
        #[cfg(feature = "alloc")]
        let sharing = as_shared(common.sharing, &first.cursor);
        Ok(Shards {
            first,
            #[cfg(feature = "alloc")]
            more: (1..count)
                .map(|index| Shard::open(common, sharing, at(index)..at(index + 1)))
                .collect::<Result<_, _>>()?,
        })
    }

    /// Returns the shard of the current thread.
    #[inline]
    pub(super) fn own(&self) -> &Shard<W> {
        #[cfg(feature = "std")]
        if !self.more.is_empty() {
            let index = thread_number() % (self.more.len() + 1);
            return index.checked_sub(1).map_or(&self.first, |index| &self.more[index]);
        }
        &self.first
    }

    /// Returns the first shard.
    #[inline]
    pub(super) fn first(&self) -> &Shard<W> {
        &self.first
    }

    /// Returns the shard if there is only one.
    pub(super) fn only(&self) -> Option<&Shard<W>> {
        (self.all().count() == 1).then_some(&self.first)
    }

    fn all(&self) -> impl Iterator<Item = &Shard<W>> {
        #[cfg(feature = "alloc")]
        let more = self.more.iter();
        #[cfg(not(feature = "alloc"))]
        let more = core::iter::empty();
        core::iter::once(&self.first).chain(more)
    }

    pub(super) fn first_node(&self) -> u64 {
        self.first.first_node
    }

    /// Whether the cursors are in machine scope.
    pub(super) fn are_of_machine(&self) -> bool {
        self.first.cursor.is_of_machine()
    }

    /// Returns the file of the cursors, in machine scope.
    pub(super) fn path(&self) -> Option<&'static str> {
        self.first.cursor.path()
    }

    /// Returns the first tick of new cursors in the machine-scope file; 0 in process scope.
    pub(super) fn new_tick(&self) -> u64 {
        self.first.cursor.new_tick()
    }

    /// In machine scope, moves the cursors whose files were deleted to new files.
    #[cfg(feature = "std")]
    pub(super) fn check(&self, clock: &dyn Clock) -> Result<(), Error> {
        let mut checked = Checked::default();
        self.all().flat_map(Shard::lanes).try_for_each(|cursor| cursor.check(clock, &mut checked))
    }

    /// Returns the number of IDs issued. IDs that are issued during the call may be missing.
    pub(super) fn issued(&self, counts_from_0: bool) -> u64 {
        let issued = |shard: &Shard<W>, cursor: &W| {
            let before = cursor.issued();
            // The low part of a sequence is the number of IDs issued in the current tick.
            before.wrapping_add(if counts_from_0 { (cursor.reached() & shard.mask()).low_u64() } else { 0 })
        };
        self.all().map(|shard| shard.lanes().map(|cursor| issued(shard, cursor)).sum::<u64>()).sum()
    }

    /// Returns the first tick of which, and after which, no ID was issued.
    #[cfg(feature = "std")]
    pub(super) fn first_free_tick(&self) -> u64 {
        let free = |shard: &Shard<W>, cursor: &W| {
            let state = cursor.reached();
            let tick = (state >> shard.limits.bits).low_u64();
            if state & shard.mask() == W::Position::ZERO { tick } else { tick + 1 }
        };
        self.all().flat_map(|shard| shard.lanes().map(move |cursor| free(shard, cursor))).max().unwrap_or(0)
    }
}

/// Returns the sharing of a generator's further cursors, given its first cursor: either all cursors
/// are in machine scope, or none is.
#[cfg(feature = "alloc")]
fn as_shared(sharing: Sharing, first: &impl CursorWord) -> Sharing {
    match sharing {
        Sharing::Machine { .. } if first.is_of_machine() => Sharing::Machine { is_required: true },
        Sharing::Machine { .. } => Sharing::Process,
        sharing => sharing,
    }
}

/// Returns the number of the current thread: 0, 1, 2, … in the order of their first calls.
#[cfg(feature = "std")]
fn thread_number() -> usize {
    use core::sync::atomic::AtomicUsize;
    use std::cell::Cell;
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    std::thread_local! {
        static NUMBER: Cell<usize> = const { Cell::new(usize::MAX) };
    }
    // While a thread ends, its thread-local storage is gone; then any shard will do.
    NUMBER
        .try_with(|number| {
            if number.get() == usize::MAX {
                number.set(THREADS.fetch_add(1, Ordering::Relaxed));
            }
            number.get()
        })
        .unwrap_or(0)
}

/// A part of a generator's nodes, with a cursor for each value of the rollback bits.
#[derive(Debug)]
pub(super) struct Shard<W: CursorWord> {
    pub(super) first_node: u64,
    /// The conversion from positions to numbers, if the layout allows one addition for it.
    line: Option<Line>,
    limits: Limits<W::Position>,
    /// The tick after the last one that positions can have.
    #[cfg(feature = "std")]
    last_end_tick: u64,
    /// The lease, which determines the end of the window.
    #[cfg(feature = "std")]
    tenure: Option<Arc<Tenure>>,
    cursor: W,
    #[cfg(feature = "alloc")]
    others: Vec<W>,
    /// The lane in use. It is a hint: a thread that reads an old value finds this cursor ahead of
    /// the clock and moves on.
    #[cfg(feature = "alloc")]
    lane: AtomicUsize,
}

/// A cursor, and the state that was read from it.
#[derive(Debug)]
pub(super) struct Snapshot<'a, W: CursorWord> {
    pub(super) cursor: &'a W,
    pub(super) state: W::Position,
    pub(super) rollback: u64,
}

impl<W: CursorWord> Shard<W> {
    fn open(common: &Common<'_>, sharing: Sharing, nodes: Range<u64>) -> Result<Self, Error> {
        let count = nodes.end - nodes.start;
        let line = Line::of(&common.layout, common.counter_bits, nodes.start);
        let bits = position_bits::<W::Position>(common, count, line);
        // If positions use all 128 bits, no number is left for the state after the last tick. That
        // tick is then not used.
        let has_room = common.layout.timestamp_bits() + bits < u128::BITS;
        let last_end_tick = if has_room { common.layout.ticks() } else { common.layout.ticks() - 1 };
        let open = |rollback, sharing| {
            let (format, layout) = (common.format, common.layout.bare());
            let is_wide = W::Position::BITS > u64::BITS;
            let key =
                CursorKey { format, layout, first_node: nodes.start, end_node: nodes.end, rollback, bits, is_wide };
            W::open(&key, sharing, &common.beginning)
        };
        let cursor = open(0, sharing)?;
        #[cfg(feature = "alloc")]
        let sharing = as_shared(sharing, &cursor);
        Ok(Shard {
            first_node: nodes.start,
            line,
            limits: Limits {
                bits,
                slots: W::Position::from(count) << common.counter_bits,
                first_tick: common.ticks.start,
                end_tick: common.ticks.end.min(last_end_tick),
                borrow: common.borrow,
                forward_only: common.forward_only,
            },
            #[cfg(feature = "std")]
            last_end_tick,
            #[cfg(feature = "std")]
            tenure: common.beginning.tenure.clone(),
            cursor,
            #[cfg(feature = "alloc")]
            others: (1..common.lanes).map(|rollback| open(rollback, sharing)).collect::<Result<_, _>>()?,
            #[cfg(feature = "alloc")]
            lane: AtomicUsize::new(0),
        })
    }

    /// Returns what the cursors may issue at present: a lease may have been renewed or closed. Call
    /// it after reading a cursor's state.
    #[inline]
    pub(super) fn limits(&self) -> Limits<W::Position> {
        #[cfg(feature = "std")]
        if let Some(tenure) = &self.tenure {
            let end_tick = if tenure.was_closed() { 0 } else { tenure.end_tick().min(self.last_end_tick) };
            return Limits { end_tick, ..self.limits };
        }
        self.limits
    }

    /// Calls [`next_within`] with this shard's limits.
    #[inline]
    pub(super) fn next_within(
        &self,
        state: W::Position,
        now: u64,
        increment: W::Position,
    ) -> Option<(W::Position, W::Position)> {
        next_within(state, now, self.limits.bits, self.limits.slots, increment)
    }

    /// Calls [`steps_within`] with this shard's limits.
    #[inline]
    pub(super) fn steps_within(
        &self,
        state: W::Position,
        now: u64,
        increments: &mut [W::Position],
    ) -> (usize, W::Position) {
        steps_within(state, now, self.limits.bits, self.limits.slots, increments)
    }

    /// Returns the number of low bits of a position.
    #[inline]
    pub(super) fn bits(&self) -> u32 {
        self.limits.bits
    }

    /// Returns the number of positions in a tick.
    #[inline]
    pub(super) fn slots(&self) -> W::Position {
        self.limits.slots
    }

    pub(super) fn mask(&self) -> W::Position {
        (W::Position::ONE << self.limits.bits) - W::Position::ONE
    }

    fn lanes(&self) -> impl Iterator<Item = &W> {
        #[cfg(feature = "alloc")]
        let others = self.others.iter();
        #[cfg(not(feature = "alloc"))]
        let others = core::iter::empty();
        core::iter::once(&self.cursor).chain(others)
    }

    /// Reads the cursor of a shard without lanes. Call it before reading the clock.
    ///
    /// If the state were read later, it could contain ticks that other threads have reached since,
    /// and a correct clock would seem to have stepped back.
    #[inline]
    pub(super) fn snapshot(&self) -> Snapshot<'_, W> {
        self.snapshot_at(self.cursor.load())
    }

    /// Returns the cursor of a shard without lanes, with this state.
    #[inline]
    pub(super) fn snapshot_at(&self, state: W::Position) -> Snapshot<'_, W> {
        Snapshot { cursor: &self.cursor, state, rollback: 0 }
    }

    /// Returns the conversion from positions to numbers, if there is one, for rollback 0.
    #[inline]
    pub(super) fn line(&self) -> Option<Line> {
        self.line
    }

    /// Reads the cursor as `snapshot` does, but never waits for other threads: see
    /// [`CursorWord::peek`].
    #[inline]
    pub(super) fn peek(&self) -> Option<Snapshot<'_, W>> {
        self.cursor.peek().map(|state| self.snapshot_at(state))
    }

    #[cfg(feature = "alloc")]
    #[inline]
    pub(super) fn has_lanes(&self) -> bool {
        !self.others.is_empty()
    }

    /// Reads the cursors of the lane in use and of the next lane. Call it before reading the clock,
    /// as for `snapshot`.
    #[cfg(feature = "alloc")]
    pub(super) fn snapshots(&self) -> (Snapshot<'_, W>, Snapshot<'_, W>) {
        let snapshot = |lane: usize| {
            let cursor = lane.checked_sub(1).map_or(&self.cursor, |index| &self.others[index]);
            Snapshot { cursor, state: cursor.load(), rollback: lane as u64 }
        };
        let lane = self.lane.load(Ordering::Relaxed);
        let next = if lane == self.others.len() { 0 } else { lane + 1 };
        (snapshot(lane), snapshot(next))
    }

    /// Returns the positions taken from a cursor, as a run.
    #[inline]
    pub(super) fn run(&self, snapshot: &Snapshot<'_, W>, position: W::Position, count: u64) -> Run<W::Position> {
        Run { position, count, bits: self.limits.bits, first_node: self.first_node, rollback: snapshot.rollback }
    }

    /// Makes this lane the one in use, after the clock has stepped back. Returns whether this call
    /// changed it: of the threads that notice one step, only one does.
    #[cfg(feature = "alloc")]
    #[expect(clippy::cast_possible_truncation, reason = "there are at most 16 lanes")]
    pub(super) fn move_on(&self, rollback: u64) -> bool {
        let lane = rollback as usize;
        let before = lane.checked_sub(1).unwrap_or(self.others.len());
        #[cfg(target_has_atomic = "ptr")]
        return self.lane.compare_exchange(before, lane, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        // Targets without compare-and-swap have only `LocalCursor`, whose generator has a single
        // owner.
        #[cfg(not(target_has_atomic = "ptr"))]
        {
            let is_first = self.lane.load(Ordering::Relaxed) == before;
            if is_first {
                self.lane.store(lane, Ordering::Relaxed);
            }
            is_first
        }
    }
}

/// Taken positions: `count` of them from `position` on, all in one tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<P> {
    pub(super) position: P,
    pub(super) count: u64,
    pub(super) bits: u32,
    pub(super) first_node: u64,
    pub(super) rollback: u64,
}
