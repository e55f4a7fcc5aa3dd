//! Compares the step of the cursor with a separately written model, over every state, clock, window
//! and pace: ticks of 3 bits, low parts of 2.

mod model;
mod small_world;

use model::{History, TICKS, in_words, place_of, verdict_back};
use saiban::cursor::internal::{Limits, Pace, Step, step, step_back};
use small_world::{BITS, all_limits};

/// Returns every state that a cursor of this shape can have, with the history that led to it.
fn all_states(slots: u64) -> Vec<(u64, History)> {
    let shape = Limits { bits: BITS, slots, first_tick: 0, end_tick: TICKS, borrow: 0, forward_only: false };
    (0..=TICKS << BITS)
        .map(|state| (state, place_of(state, &shape)))
        .filter(|(_, place)| place.low < slots)
        .map(|(state, place)| (state, History::all_before(place, slots)))
        .collect()
}

#[test]
fn the_step_and_the_model_agree_everywhere() {
    let mut count = 0_u64;
    for slots in 1..=1 << BITS {
        let states = all_states(slots);
        let mut paces = Vec::new();
        for first in 0..slots {
            for increment in [1, 2, 3, 4, 5, u64::MAX] {
                paces.extend([1, 2, 3, 4, 5, u64::MAX].map(|want| Pace { first, increment, want }));
            }
        }
        for limits in all_limits(slots) {
            for (state, history) in &states {
                for now in 0..TICKS {
                    for pace in &paces {
                        let wanted = in_words(history.verdict(now, &limits, *pace), &limits);
                        assert_eq!(step(*state, now, &limits, *pace), wanted, "{state} {now} {limits:?} {pace:?}");
                        count += 1;
                    }
                }
            }
        }
    }
    assert_eq!(count, 15_552_000, "every case there is");
}

#[test]
fn the_step_of_128_bits_takes_what_that_of_64_bits_takes() {
    // The low parts have 70 bits, of which few are used: only positions of tick 0 fit 64 bits.
    const MORE: u32 = 68;
    let widen =
        |position: u64| u128::from(position >> BITS) << (BITS + MORE) | u128::from(position & ((1 << BITS) - 1));
    let mut count = 0_u64;
    for slots in 1..=1 << BITS {
        for limits in all_limits(slots) {
            let Limits { bits, first_tick, end_tick, borrow, forward_only, .. } = limits;
            let wide = Limits { bits: bits + MORE, slots: slots.into(), first_tick, end_tick, borrow, forward_only };
            for (state, _) in all_states(slots) {
                for now in 0..TICKS {
                    for (first, increment, want) in [(0, 1, 1), (0, 1, u64::MAX), (slots - 1, 3, 1), (0, u64::MAX, 2)] {
                        let narrow_pace = Pace { first, increment, want };
                        let wide_pace = Pace { first: first.into(), increment: increment.into(), want };
                        let wanted = match step(state, now, &limits, narrow_pace) {
                            Step::Take { position, count, next } => {
                                Step::Take { position: widen(position), count, next: widen(next) }
                            }
                            Step::Wait { tick, until } => Step::Wait { tick, until },
                            Step::Behind { tick } => Step::Behind { tick },
                            Step::NotBegun => Step::NotBegun,
                            Step::Over { tick } => Step::Over { tick },
                        };
                        assert_eq!(step(widen(state), now, &wide, wide_pace), wanted, "{state} {now} {limits:?}");
                        count += 1;
                    }
                }
            }
        }
    }
    assert!(count > 500_000, "{count} cases");
}

#[test]
fn the_step_back_and_the_model_agree_on_every_pair_of_states() {
    let mut count = 0_u64;
    for slots in 1..=1 << BITS {
        let states = all_states(slots);
        let paces = [
            Pace::sequence(1),
            Pace::sequence(u64::MAX),
            Pace { first: slots - 1, increment: 3, want: 1 },
            Pace { first: 0, increment: 2, want: 2 },
        ];
        // `step_back` ignores `forward_only`, so half of the limits suffice.
        for limits in all_limits(slots).filter(|limits| limits.forward_only == (limits.borrow == 1)) {
            for (state, history) in &states {
                for (next_state, next_history) in &states {
                    for now in 0..TICKS {
                        for pace in paces {
                            let (lane, verdict) = verdict_back(history, next_history, now, &limits, pace);
                            assert_eq!(
                                step_back(*state, *next_state, now, &limits, pace),
                                (lane, in_words(verdict, &limits)),
                                "{state} {next_state} {now} {limits:?} {pace:?}"
                            );
                            count += 1;
                        }
                    }
                }
            }
        }
    }
    assert_eq!(count, 7_202_304, "every case there is");
}
