//! The cursors of a generator: one, or one for each part of its nodes (shards) and each value of the rollback bits (lanes).

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

/// How many low bits a position has: the node's index in our range, then the sequence or random part. Where there is room for it the time is as far up as in the number, so
/// that one addition makes a number of a position.
fn position_bits<P: Position>(common: &Common<'_>, nodes: u64, line: Option<Line>) -> u32 {
    let as_in_number = line.map(Line::shift).filter(|shift| common.layout.timestamp_bits() + shift <= P::BITS);
    as_in_number.unwrap_or(common.counter_bits + (u64::BITS - (nodes - 1).leading_zeros()))
}

/// What all cursors of a generator have in common.
pub(super) struct Common<'a> {
    pub(super) format: &'static str,
    pub(super) layout: Layout,
    pub(super) counter_bits: u32,
    pub(super) borrow: u64,
    pub(super) ticks: Range<u64>,
    /// Whether a clock that is behind is refused.
    pub(super) forward_only: bool,
    /// How many values the rollback bits take; 1 when none are used.
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
    /// Divides the nodes among this many shards, as evenly as they can be.
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

    /// The shard of this thread.
    #[inline]
    pub(super) fn own(&self) -> &Shard<W> {
        #[cfg(feature = "std")]
        if !self.more.is_empty() {
            let index = thread_number() % (self.more.len() + 1);
            return index.checked_sub(1).map_or(&self.first, |index| &self.more[index]);
        }
        &self.first
    }

    /// The first shard.
    #[inline]
    pub(super) fn first(&self) -> &Shard<W> {
        &self.first
    }

    /// The only shard, if it is.
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

    /// Whether other processes of the machine count with them.
    pub(super) fn are_of_machine(&self) -> bool {
        self.first.cursor.is_of_machine()
    }

    /// The file in which they do.
    pub(super) fn path(&self) -> Option<&'static str> {
        self.first.cursor.path()
    }

    /// The tick with which the machine's began at the earliest.
    pub(super) fn new_tick(&self) -> u64 {
        self.first.cursor.new_tick()
    }

    /// Moves those that are the machine's to new files where theirs were deleted.
    #[cfg(feature = "std")]
    pub(super) fn check(&self, clock: &dyn Clock) -> Result<(), Error> {
        let mut checked = Checked::default();
        self.all().flat_map(Shard::lanes).try_for_each(|cursor| cursor.check(clock, &mut checked))
    }

    /// How many IDs were issued, at least: what is issued meanwhile may be missing.
    pub(super) fn issued(&self, counts_from_0: bool) -> u64 {
        let issued = |shard: &Shard<W>, cursor: &W| {
            let before = cursor.issued();
            // A sequence's low part is the number of those issued from the tick that is not over yet.
            before + if counts_from_0 { (cursor.reached() & shard.mask()).low_u64() } else { 0 }
        };
        self.all().map(|shard| shard.lanes().map(|cursor| issued(shard, cursor)).sum::<u64>()).sum()
    }

    /// The first tick from which nothing was issued.
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

/// How the other cursors of a generator are shared, where this is how its first one was to be: all are the machine's, or none is.
#[cfg(feature = "alloc")]
fn as_shared(sharing: Sharing, first: &impl CursorWord) -> Sharing {
    match sharing {
        Sharing::Machine { .. } if first.is_of_machine() => Sharing::Machine { is_required: true },
        Sharing::Machine { .. } => Sharing::Process,
        sharing => sharing,
    }
}

/// The number of this thread: 0, 1, 2, … in the order in which threads asked.
#[cfg(feature = "std")]
fn thread_number() -> usize {
    use core::sync::atomic::AtomicUsize;
    use std::cell::Cell;
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    std::thread_local! {
        static NUMBER: Cell<usize> = const { Cell::new(usize::MAX) };
    }
    // At a thread's very end any shard will do.
    NUMBER
        .try_with(|number| {
            if number.get() == usize::MAX {
                number.set(THREADS.fetch_add(1, Ordering::Relaxed));
            }
            number.get()
        })
        .unwrap_or(0)
}

/// Some nodes and the cursor that counts for them; with rollback bits one for each of their values.
#[derive(Debug)]
pub(super) struct Shard<W: CursorWord> {
    pub(super) first_node: u64,
    /// How its numbers are put together, where that is done at once.
    line: Option<Line>,
    limits: Limits<W::Position>,
    /// The tick after the last that positions can have.
    #[cfg(feature = "std")]
    last_end_tick: u64,
    /// The lease that says where the window ends.
    #[cfg(feature = "std")]
    tenure: Option<Arc<Tenure>>,
    cursor: W,
    #[cfg(feature = "alloc")]
    others: Vec<W>,
    /// The lane in use. Nothing rests on it: threads that know an old one find its cursor ahead of the clock and move on.
    #[cfg(feature = "alloc")]
    lane: AtomicUsize,
}

/// A cursor as it was when it was looked at.
#[derive(Debug)]
pub(super) struct Look<'a, W: CursorWord> {
    pub(super) cursor: &'a W,
    pub(super) state: W::Position,
    pub(super) rollback: u64,
}

impl<W: CursorWord> Shard<W> {
    fn open(common: &Common<'_>, sharing: Sharing, nodes: Range<u64>) -> Result<Self, Error> {
        let count = nodes.end - nodes.start;
        let line = Line::of(&common.layout, common.counter_bits, nodes.start);
        let bits = position_bits::<W::Position>(common, count, line);
        // Where positions take all bits there are, no number is left for the state after the last tick: it is not used.
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

    /// What its cursors may issue, today: a lease may have been renewed, or closed. To be asked after a cursor's state was read.
    #[inline]
    pub(super) fn limits(&self) -> Limits<W::Position> {
        #[cfg(feature = "std")]
        if let Some(tenure) = &self.tenure {
            let end_tick = if tenure.was_closed() { 0 } else { tenure.end_tick().min(self.last_end_tick) };
            return Limits { end_tick, ..self.limits };
        }
        self.limits
    }

    /// What [`next_within`] says of its cursor.
    #[inline]
    pub(super) fn next_within(
        &self,
        state: W::Position,
        now: u64,
        stride: W::Position,
    ) -> Option<(W::Position, W::Position)> {
        next_within(state, now, self.limits.bits, self.limits.slots, stride)
    }

    /// What [`steps_within`] says of its cursor.
    #[inline]
    pub(super) fn steps_within(
        &self,
        state: W::Position,
        now: u64,
        strides: &mut [W::Position],
    ) -> (usize, W::Position) {
        steps_within(state, now, self.limits.bits, self.limits.slots, strides)
    }

    /// Whether something of this tick, or of a later one, was taken.
    #[inline]
    pub(super) fn has_begun(&self, state: W::Position, now: u64) -> bool {
        state > W::Position::from(now) << self.limits.bits
    }

    /// How many low bits a position has.
    #[inline]
    pub(super) fn bits(&self) -> u32 {
        self.limits.bits
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

    /// Looks at the cursor of a shard without lanes. It must be done before the clock is read: read later, a state could hold ticks that
    /// other threads have reached since, and a clock that is right would look set back.
    #[inline]
    pub(super) fn look(&self) -> Look<'_, W> {
        self.look_of(self.cursor.load())
    }

    /// A look that found this state.
    #[inline]
    pub(super) fn look_of(&self, state: W::Position) -> Look<'_, W> {
        Look { cursor: &self.cursor, state, rollback: 0 }
    }

    /// How numbers are put together at once, where that can be; of no rollback.
    #[inline]
    pub(super) fn line(&self) -> Option<Line> {
        self.line
    }

    /// The same without waiting for other threads: see [`CursorWord::peek`].
    #[inline]
    pub(super) fn peek(&self) -> Option<Look<'_, W>> {
        self.cursor.peek().map(|state| self.look_of(state))
    }

    #[cfg(feature = "alloc")]
    #[inline]
    pub(super) fn has_lanes(&self) -> bool {
        !self.others.is_empty()
    }

    /// Looks at the lane in use, and at the one that would be next; before the clock is read, too.
    #[cfg(feature = "alloc")]
    pub(super) fn look_at_two(&self) -> (Look<'_, W>, Look<'_, W>) {
        let look = |lane: usize| {
            let cursor = lane.checked_sub(1).map_or(&self.cursor, |index| &self.others[index]);
            Look { cursor, state: cursor.load(), rollback: lane as u64 }
        };
        let lane = self.lane.load(Ordering::Relaxed);
        let next = if lane == self.others.len() { 0 } else { lane + 1 };
        (look(lane), look(next))
    }

    /// The positions that were taken of a cursor.
    #[inline]
    pub(super) fn run(&self, look: &Look<'_, W>, position: W::Position, count: u64) -> Run<W::Position> {
        Run { position, count, bits: self.limits.bits, first_node: self.first_node, rollback: look.rollback }
    }

    /// The clock has stepped back: from now on this lane is in use. Answers whether it was not yet: of threads that see the same step
    /// one moves on.
    #[cfg(feature = "alloc")]
    #[expect(clippy::cast_possible_truncation, reason = "there are at most 16 lanes")]
    pub(super) fn move_on(&self, rollback: u64) -> bool {
        let lane = rollback as usize;
        let before = lane.checked_sub(1).unwrap_or(self.others.len());
        #[cfg(target_has_atomic = "ptr")]
        return self.lane.compare_exchange(before, lane, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        // Targets without compare-and-swap have `LocalCursor` alone, whose generator has one owner.
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

/// Positions that were taken: `count` of them from `position` on, all of one tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<P> {
    pub(super) position: P,
    pub(super) count: u64,
    pub(super) bits: u32,
    pub(super) first_node: u64,
    pub(super) rollback: u64,
}
