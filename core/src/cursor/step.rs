//! The rule for the next position, as pure functions without side effects.
//!
//! Nothing else decides which positions are taken. `fast` has cheaper forms for nearly all cases.

use super::Position;

/// What a cursor may issue: the shape of a tick, and the window of ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits<P = u64> {
    /// The number of low bits of a position. Tick and low bits together are at most
    /// `Position::BITS` bits.
    pub bits: u32,
    /// The number of positions that are used in a tick, `0..slots`: 1 to 2^bits.
    pub slots: P,
    /// The first tick of the window.
    pub first_tick: u64,
    /// The tick after the last of the window.
    pub end_tick: u64,
    /// By how many ticks a position may be ahead of the clock.
    pub borrow: u64,
    /// Whether nothing is taken while the clock is behind the last tick reached, even if that tick
    /// has free positions.
    pub forward_only: bool,
}

/// The order of low parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace<P = u64> {
    /// The low part of the first position of a new tick, below `slots`: 0 for a sequence, random
    /// for a random part.
    pub first: P,
    /// The increment within a tick, at least 1: 1 for a sequence, random for a random part.
    pub increment: P,
    /// How many consecutive positions are requested, at least 1. Fewer may be taken, never more.
    pub want: u64,
}

impl<P: Position> Pace<P> {
    /// Returns the pace of a sequence: from 0, in steps of 1, `want` positions at once.
    #[must_use]
    pub const fn sequence(want: u64) -> Self {
        Pace { first: P::ZERO, increment: P::ONE, want }
    }
}

/// The result of [`step`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<P = u64> {
    /// Positions `position..position + count`, all of one tick, are free. The state becomes `next`.
    Take {
        /// The first position.
        position: P,
        /// The number of positions, at least 1.
        count: u64,
        /// The new state.
        next: P,
    },
    /// The next free position lies in `tick`, which the clock has not reached. It may be taken when
    /// the clock reaches `until`.
    Wait {
        /// The tick of the next free position.
        tick: u64,
        /// The tick that the clock must reach.
        until: u64,
    },
    /// The clock is behind `tick`, the last tick reached, and `forward_only` is set.
    Behind {
        /// The last tick reached.
        tick: u64,
    },
    /// The next free position lies before the window.
    NotBegun,
    /// The next free position lies at or past the end of the window.
    Over {
        /// The tick of the next free position.
        tick: u64,
    },
}

/// Decides which position comes next. It has no side effects.
///
/// A position is taken only if *its own* tick, not the clock's, lies in the window. That tick must
/// have been reached already (the state's low part is not 0), or be at most `borrow` ticks ahead of
/// the clock. `now` is the clock's tick and must fit the layout.
///
/// If `forward_only` is set, nothing is taken while the clock is behind the tick of the last
/// position: Twitter's rule.
///
/// # Panics
/// In a build that checks arithmetic, if limits or pace are outside the ranges that their fields
/// document.
#[inline]
#[must_use]
pub fn step<P: Position>(state: P, now: u64, limits: &Limits<P>, pace: Pace<P>) -> Step<P> {
    let tick_of = |position: P| (position >> limits.bits).low_u64();
    let start_of = |tick: u64| P::from(tick) << limits.bits;
    if limits.forward_only && state > P::ZERO {
        // The state is one past the last position.
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
        // The state is one past the last position, so it includes 1 of the increment already. Past
        // the end of the tick, the next free position is the start of the next tick, never later.
        low = low.saturating_add(pace.increment - P::ONE);
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

/// The cursor that takes the next position, for a layout with rollback bits. Each step back of the
/// clock moves on to the next cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// The cursor in use.
    Same,
    /// The next cursor.
    Next,
}

/// Decides which position comes next, for a layout with rollback bits. It has no side effects.
///
/// `state` is the state of the cursor in use, `next_state` that of the cursor for the next value of
/// the rollback bits, in turn. While the clock is not behind the last tick reached, the cursor in
/// use continues. When the clock is behind, the next cursor takes over, unless the clock is behind
/// that one as well. Then the cursor in use decides as [`step`] does without `forward_only`, and
/// waits at most until the clock has reached the time of either cursor. No cursor ever goes back,
/// so no number of steps back repeats a position.
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
    // The clock may reach the next cursor's time first, and still be behind the last tick of this
    // one.
    match takes_at(next_state, now, &forward, pace) {
        Some(until) if until < reached.saturating_sub(limits.borrow) => (Lane::Same, Step::Wait { tick, until }),
        _ => (Lane::Same, hold),
    }
}

/// Returns the first tick, of a clock that goes forward from `now`, at which a position is taken.
/// Returns `None` past the end of the window.
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
