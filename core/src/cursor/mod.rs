//! The one place where uniqueness is decided.
//!
//! A cursor's state is one word, the next *free* position: `tick << bits | low`, where `low` counts what a tick holds
//! (node index and sequence, or a random part). To issue is to take
//!
//! ```text
//! position = max(now << bits, state)        state' = position + 1
//! ```
//!
//! with one compare-and-swap. The state only grows, so no order of threads and no movement of the clock can repeat a
//! position. [`step`] is that rule as a pure function, and [`step_back`] the same for a layout with rollback bits, each value of
//! which has a cursor of its own. [`Cursor`] and [`LocalCursor`] are the word around it.

#[cfg(all(feature = "std", not(loom), any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod machine;
#[cfg(all(
    feature = "std",
    not(all(not(loom), any(target_os = "linux", target_os = "android", target_vendor = "apple")))
))]
#[path = "machine/absent.rs"]
mod machine;
mod position;
#[cfg(feature = "std")]
mod registry;
#[cfg(feature = "std")]
mod shared;
#[cfg(feature = "std")]
mod spaces;
#[cfg(feature = "std")]
mod tenure;
#[cfg(target_has_atomic = "64")]
mod wide;
mod word;

#[cfg(feature = "std")]
pub use machine::Checked;
#[cfg(feature = "std")]
pub(crate) use machine::listing;
pub use position::Position;
#[cfg(feature = "std")]
pub use spaces::{IdSpace, NodeRange};
#[cfg(feature = "std")]
pub use tenure::Tenure;
#[cfg(target_has_atomic = "64")]
pub use wide::WideCursor;
#[cfg(target_has_atomic = "64")]
pub use word::Cursor;
pub use word::{Beginning, CursorKey, CursorWord, LocalCursor, Sharing};

/// How long one check of a cursor file lasts where ticks are shorter than this, nanoseconds; else it lasts until the end of the tick. A new file begins
/// after the tick in which it was made, or twice this long after that: a generator in a deleted file has noticed by then.
#[cfg(feature = "std")]
pub(crate) const CHECK_NS: u64 = 1_000_000;

/// What a cursor may issue: the shape of a tick, and the interval of ticks that is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits<P = u64> {
    /// How many low bits a position has; tick and low bits together are at most [`Position::BITS`].
    pub bits: u32,
    /// How many positions of a tick are used: `0..slots`, 1 to 2^bits.
    pub slots: P,
    /// The first tick of our window.
    pub first_tick: u64,
    /// The tick after the last of our window.
    pub end_tick: u64,
    /// How many ticks ahead of the clock a position may lie.
    pub borrow: u64,
    /// Whether nothing is taken while the clock is behind the tick that was reached, be it used up or not.
    pub forward_only: bool,
}

/// How low parts follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace<P = u64> {
    /// The low part with which a new tick begins, below `slots`; 0 for a sequence, drawn for a random part.
    pub first: P,
    /// What is added within a tick; 1 for a sequence, drawn for a random part. At least 1.
    pub stride: P,
    /// How many consecutive positions are wanted, at least 1. Fewer may be taken, never more.
    pub want: u64,
}

impl<P: Position> Pace<P> {
    /// A sequence: from 0, one by one, `want` at once.
    #[must_use]
    pub const fn sequence(want: u64) -> Self {
        Pace { first: P::ZERO, stride: P::ONE, want }
    }
}

/// The answer of [`step`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<P = u64> {
    /// Positions `position..position + count`, all of one tick, are free; the state becomes `next`.
    Take {
        /// The first position.
        position: P,
        /// How many, at least 1.
        count: u64,
        /// The state afterwards.
        next: P,
    },
    /// The next free position lies in `tick`, which the clock has not reached: at `until` it may be taken.
    Wait {
        /// The tick of the next free position.
        tick: u64,
        /// The tick that the clock must reach.
        until: u64,
    },
    /// The clock is behind `tick`, which was reached, and only what goes forward is wanted.
    Behind {
        /// The tick that was reached.
        tick: u64,
    },
    /// The window begins with a later tick.
    NotBegun,
    /// The next free position lies at or past the end of the window.
    Over {
        /// The tick of the next free position.
        tick: u64,
    },
}

/// Decides which position comes next. It reads nothing and changes nothing.
///
/// A position is taken only if *its own* tick, not the clock's, lies in the window, and that tick is either one already
/// reached (the state's low part is not 0) or at most `borrow` ticks ahead of the clock. `now` is the clock's tick and
/// must fit the layout.
///
/// Where `forward_only` is set nothing is taken while the clock is behind the tick of the last position: Twitter's rule.
///
/// # Panics
/// In a build that checks arithmetic, for limits and paces outside the ranges that their fields name.
#[inline]
#[must_use]
pub fn step<P: Position>(state: P, now: u64, limits: &Limits<P>, pace: Pace<P>) -> Step<P> {
    let tick_of = |position: P| (position >> limits.bits).low_u64();
    let start_of = |tick: u64| P::from(tick) << limits.bits;
    if limits.forward_only && state > P::ZERO {
        // State is one past the last position.
        let tick = tick_of(state - P::ONE);
        if tick > now.saturating_add(limits.borrow) {
            return Step::Behind { tick };
        }
    }
    let free = start_of(now).max(state);

    let mut tick = tick_of(free);
    let mut low = free - start_of(tick);
    let mut reached = low != P::ZERO;
    if reached {
        // State is one past the last position, so the stride's own 1 is in it already. Past the end of the tick the next
        // free position is the start of the next tick, never beyond it.
        low = low.saturating_add(pace.stride - P::ONE);
        if low >= limits.slots {
            tick += 1;
            reached = false;
        }
    }
    if tick >= limits.end_tick {
        return Step::Over { tick };
    }
    if tick < limits.first_tick {
        return Step::NotBegun;
    }
    if !reached {
        if tick > now.saturating_add(limits.borrow) {
            return Step::Wait { tick, until: tick - limits.borrow };
        }
        low = pace.first;
    }
    let left = limits.slots - low;
    let count = left.min(P::from(pace.want));
    let next = if count == left { start_of(tick + 1) } else { start_of(tick) + low + count };
    Step::Take { position: start_of(tick) + low, count: count.low_u64(), next }
}

/// What [`step`] decides of one position in nearly every case, at less cost: the clock shows a tick of the window of which something was taken, and after
/// this one another position is left. Answers the position and the state after it; `None` says nothing: `step` does.
///
/// # Panics
/// As [`step`].
#[inline]
#[must_use]
pub fn next_within<P: Position>(state: P, now: u64, bits: u32, slots: P, stride: P) -> Option<(P, P)> {
    let start = P::from(now) << bits;
    if state <= start {
        return None;
    }
    let low = (state - start).saturating_add(stride - P::ONE);
    (low < slots - P::ONE).then(|| (start + low, start + low + P::ONE))
}

/// The same of many positions, one after the other: takes strides and puts the positions in their places, as many as [`next_within`] would. Answers how many,
/// and the state after the last.
///
/// # Panics
/// As [`step`].
#[inline]
#[must_use]
pub fn steps_within<P: Position>(state: P, now: u64, bits: u32, slots: P, strides: &mut [P]) -> (usize, P) {
    let start = P::from(now) << bits;
    if state <= start {
        return (0, state);
    }
    let mut free = state - start;
    for (taken, place) in strides.iter_mut().enumerate() {
        // One past the position, as states are: each waits for the one before, so that nothing else is done in between.
        let next = free.saturating_add(*place);
        if next >= slots {
            return (taken, start + free);
        }
        *place = start + (next - P::ONE);
        free = next;
    }
    (strides.len(), start + free)
}

/// Which cursor takes the next position, of a layout whose rollback bits give each step back of the clock a cursor of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// The one in use.
    Same,
    /// The next one.
    Next,
}

/// Decides which position comes next where a step back of the clock moves on to the next cursor. It reads nothing and changes
/// nothing.
///
/// `state` is the cursor in use, `next_state` that of the next value of the rollback bits, in turn. While the clock is not behind the
/// tick reached the one in use goes on. When it is, the next one takes over, unless the clock is behind that one as well: then the
/// one in use holds, as [`step`] does, until the clock has reached either. No cursor ever goes back, so that no number of steps
/// back repeats a position.
///
/// # Panics
/// As [`step`].
#[must_use]
pub fn step_back<P: Position>(state: P, next_state: P, now: u64, limits: &Limits<P>, pace: Pace<P>) -> (Lane, Step<P>) {
    let forward = Limits { forward_only: true, ..*limits };
    let reached = match step(state, now, &forward, pace) {
        Step::Behind { tick } => tick,
        answer => return (Lane::Same, answer),
    };
    let next = step(next_state, now, &forward, pace);
    if let Step::Take { .. } = next {
        return (Lane::Next, next);
    }
    let hold = step(state, now, &Limits { forward_only: false, ..*limits }, pace);
    let (Step::Wait { tick, .. } | Step::Over { tick }) = hold else {
        return (Lane::Same, hold);
    };
    // The clock may come to the next cursor's time first, and still be behind the tick that this one reached.
    match takes_at(next_state, now, &forward, pace) {
        Some(until) if until < reached.saturating_sub(limits.borrow) => (Lane::Same, Step::Wait { tick, until }),
        _ => (Lane::Same, hold),
    }
}

/// The tick of a clock that goes forward from `now` at which something is taken; `None` past the end of the window.
fn takes_at<P: Position>(state: P, mut now: u64, limits: &Limits<P>, pace: Pace<P>) -> Option<u64> {
    loop {
        now = match step(state, now, limits, pace) {
            Step::Take { .. } => return Some(now),
            Step::Wait { until, .. } => until,
            Step::Behind { tick } => tick.saturating_sub(limits.borrow),
            Step::NotBegun => limits.first_tick,
            Step::Over { .. } => return None,
        }
    }
}
