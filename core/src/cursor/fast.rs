//! Cheaper forms of `step` for nearly all cases.
//!
//! Each function is a specialisation of `step`. If it returns a position, `step` takes that
//! position; tests check this for every state of a small model. If it returns nothing, the caller
//! falls back to `step`.

use super::Position;

/// Returns the next position and the state after it, if positions of the clock's tick were issued,
/// and another one is left after this one. Otherwise returns `None`: fall back to `step`.
///
/// The caller has checked that the clock's tick lies in the window.
///
/// # Panics
/// As `step`.
#[inline]
#[must_use]
pub fn next_within<P: Position>(state: P, now: u64, bits: u32, slots: P, increment: P) -> Option<(P, P)> {
    let start = P::from(now) << bits;
    if state <= start {
        return None;
    }
    let low = (state - start).saturating_add(increment - P::ONE);
    (low < slots - P::ONE).then(|| (start + low, start + low + P::ONE))
}

/// Replaces increments by positions: as many as calls of [`next_within`], one for each increment,
/// would take. Returns the number of positions taken, and the state after the last.
///
/// # Panics
/// As `step`.
#[inline]
#[must_use]
pub fn steps_within<P: Position>(state: P, now: u64, bits: u32, slots: P, increments: &mut [P]) -> (usize, P) {
    let start = P::from(now) << bits;
    if state <= start {
        return (0, state);
    }
    let mut free = state - start;
    for (taken, place) in increments.iter_mut().enumerate() {
        // One past the position, as states are. Each iteration depends on the previous one through
        // this number only, which keeps the chain of dependencies short.
        let next = free.saturating_add(*place);
        if next >= slots {
            return (taken, start + free);
        }
        *place = start + (next - P::ONE);
        free = next;
    }
    (increments.len(), start + free)
}

/// Returns the next position and the state after it, in the tick whose second ID has the position
/// `second`.
///
/// `usable` is the number of positions from there on that are neither the first of the tick nor its
/// last. `increment` is called only if the tick has begun and is not used up. If this function
/// returns `None`, the caller falls back to `step`.
///
/// The caller has checked that the clock shows this tick, and that the tick lies in the window.
#[inline(always)]
pub fn next_of_known_tick<P: Position>(
    state: P,
    second: P,
    usable: P,
    increment: impl FnOnce() -> Option<P>,
) -> Option<(P, P)> {
    // For a state before the second ID, the difference wraps to a number above `usable`.
    if state.wrapping_sub(second) >= usable {
        return None;
    }
    // The state is one past the last position, so it includes 1 of the increment already.
    let position = state + (increment()? - P::ONE);
    (position - second < usable).then(|| (position, position + P::ONE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cursor::{Limits, Pace, Step, step};

    #[test]
    fn the_next_position_of_a_known_tick_is_the_one_that_the_step_takes() {
        for (bits, slots) in (1..=4).flat_map(|bits| (1..=1_u64 << bits).map(move |slots| (bits, slots))) {
            let limits = Limits { bits, slots, first_tick: 0, end_tick: 8, borrow: 0, forward_only: false };
            for (tick, state, increment) in (0..4)
                .flat_map(|tick| (0..80).flat_map(move |state| (1..6).map(move |increment| (tick, state, increment))))
            {
                let second = (tick << bits) + 1;
                let found = next_of_known_tick(state, second, slots.saturating_sub(2), || Some(increment));
                let wide = |(state, next): (u64, u64)| (u128::from(state), u128::from(next));
                let usable = slots.saturating_sub(2).into();
                let found_wide = next_of_known_tick(state.into(), second.into(), usable, || Some(increment.into()));
                assert_eq!(found_wide, found.map(wide));
                let pace = Pace { first: 0, increment, want: 1 };
                let is_of_tick = state > tick << bits && state < (tick + 1) << bits;
                match (found, step(state, tick, &limits, pace)) {
                    (Some(found), Step::Take { position, count: 1, next }) => assert_eq!(found, (position, next)),
                    (Some(found), other) => panic!("{found:?}, where the step says {other:?}"),
                    // The fast form takes all positions of a tick but the first and the last.
                    (None, Step::Take { position, .. }) if is_of_tick => {
                        assert!(position + 1 - second >= slots.saturating_sub(2), "{state} of {tick} by {increment}");
                    }
                    (None, _) => {}
                }
            }
        }
    }
}
