//! The step of the cursor, over every state, clock, window and pace of a small world: ticks of 3 bits, low parts of 2.

use saiban::cursor::{Limits, Pace, Step, step};

const BITS: u32 = 2;
const TICKS: u64 = 8;
const MOST_BORROWED: u64 = 2;

fn tick_of(position: u64) -> u64 {
    position >> BITS
}

fn low_of(position: u64) -> u64 {
    position & ((1 << BITS) - 1)
}

/// Every shape of a tick and every window, with every number of ticks borrowed.
fn all_limits() -> impl Iterator<Item = Limits> {
    (1..=1 << BITS).flat_map(|slots| {
        (0..TICKS).flat_map(move |first_tick| {
            (first_tick + 1..=TICKS).flat_map(move |end_tick| {
                (0..=MOST_BORROWED).map(move |borrow| Limits {
                    bits: BITS,
                    slots,
                    first_tick,
                    end_tick,
                    borrow,
                    forward_only: false,
                })
            })
        })
    })
}

/// Every state that a cursor of this shape can have: after the last position of a tick comes the start of the next tick.
fn all_states(limits: &Limits) -> impl Iterator<Item = u64> {
    let slots = limits.slots;
    (0..=TICKS << BITS).filter(move |state| low_of(*state) < slots)
}

fn all_paces(limits: &Limits) -> impl Iterator<Item = Pace> {
    let strides = [1, 2, 3, 4, 5, u64::MAX];
    let wants = [1, 2, 3, 4, 5, u64::MAX];
    (0..limits.slots).flat_map(move |first| {
        strides.into_iter().flat_map(move |stride| wants.into_iter().map(move |want| Pace { first, stride, want }))
    })
}

/// Calls with every combination, and answers how many there were.
fn everywhere(mut check: impl FnMut(u64, u64, &Limits, Pace)) -> u64 {
    let mut count = 0;
    for limits in all_limits() {
        for state in all_states(&limits) {
            for now in 0..TICKS {
                for pace in all_paces(&limits) {
                    check(state, now, &limits, pace);
                    count += 1;
                }
            }
        }
    }
    count
}

#[test]
fn what_is_taken_was_free_and_is_not_free_afterwards() {
    let count = everywhere(|state, now, limits, pace| {
        if let Step::Take { position, count, next } = step(state, now, limits, pace) {
            assert!(position >= state, "{state} {now} {limits:?} {pace:?}: {position} was issued before");
            assert!(next >= position + count, "{state} {now} {limits:?} {pace:?}: {next} comes again");
            assert!(next > state);
        }
    });
    assert!(count > 1_000_000, "{count}");
}

#[test]
fn what_is_taken_lies_in_one_tick_of_the_window() {
    everywhere(|state, now, limits, pace| {
        if let Step::Take { position, count, .. } = step(state, now, limits, pace) {
            assert!((1..=pace.want).contains(&count));
            let last = position + count - 1;
            assert_eq!(tick_of(position), tick_of(last));
            assert!(low_of(last) < limits.slots);
            assert!((limits.first_tick..limits.end_tick).contains(&tick_of(position)));
        }
    });
}

#[test]
fn what_is_taken_is_in_a_tick_reached_or_at_most_borrow_ahead() {
    everywhere(|state, now, limits, pace| {
        if let Step::Take { position, .. } = step(state, now, limits, pace) {
            let reached = low_of(state) != 0 && tick_of(position) == tick_of(state);
            assert!(reached || tick_of(position) <= now + limits.borrow, "{state} {now} {limits:?} {pace:?}");
        }
    });
}

#[test]
fn a_new_tick_begins_with_first_and_an_old_one_goes_on_by_stride() {
    everywhere(|state, now, limits, pace| {
        if let Step::Take { position, .. } = step(state, now, limits, pace) {
            if low_of(state) != 0 && tick_of(position) == tick_of(state) {
                assert_eq!(position, state + (pace.stride - 1));
            } else {
                assert_eq!(low_of(position), pace.first);
            }
        }
    });
}

#[test]
fn the_state_after_is_in_the_tick_or_at_the_start_of_the_next() {
    everywhere(|state, now, limits, pace| {
        if let Step::Take { position, count, next } = step(state, now, limits, pace) {
            if low_of(position) + count == limits.slots {
                assert_eq!(next, (tick_of(position) + 1) << BITS);
            } else {
                assert_eq!(next, position + count);
            }
        }
    });
}

#[test]
fn as_much_is_taken_as_is_wanted_and_the_tick_holds() {
    everywhere(|state, now, limits, pace| {
        if let Step::Take { position, count, .. } = step(state, now, limits, pace) {
            assert_eq!(count, pace.want.min(limits.slots - low_of(position)));
        }
    });
}

#[test]
fn a_wait_ends_with_an_id_at_the_tick_it_names_and_not_before() {
    everywhere(|state, now, limits, pace| {
        if let Step::Wait { tick, until } = step(state, now, limits, pace) {
            assert!(until > now && until + limits.borrow == tick);
            for still in now..until {
                assert_eq!(step(state, still, limits, pace), Step::Wait { tick, until });
            }
            assert!(
                matches!(step(state, until, limits, pace), Step::Take { position, .. } if tick_of(position) == tick)
            );
        }
    });
}

#[test]
fn a_window_not_begun_begins_when_the_clock_reaches_it() {
    everywhere(|state, now, limits, pace| {
        if step(state, now, limits, pace) == Step::NotBegun {
            assert!(now < limits.first_tick);
            for later in now..limits.first_tick {
                let answer = step(state, later, limits, pace);
                assert!(matches!(answer, Step::NotBegun), "{state} {later} {limits:?} {pace:?}: {answer:?}");
            }
            assert!(matches!(step(state, limits.first_tick, limits, pace), Step::Take { .. }));
        }
    });
}

#[test]
fn a_window_that_is_over_stays_over() {
    everywhere(|state, now, limits, pace| {
        if let Step::Over { tick } = step(state, now, limits, pace) {
            assert!(tick >= limits.end_tick);
            for later in now..TICKS {
                assert!(matches!(step(state, later, limits, pace), Step::Over { .. }));
            }
        }
    });
}

#[test]
fn in_its_window_with_a_clock_that_goes_forward_a_cursor_never_refuses() {
    everywhere(|state, now, limits, pace| {
        let in_window = (limits.first_tick..limits.end_tick).contains(&now);
        if in_window && tick_of(state) < now {
            let answer = step(state, now, limits, pace);
            assert!(matches!(answer, Step::Take { position, .. } if tick_of(position) == now), "{answer:?}");
        }
    });
}

#[test]
fn a_stepped_back_clock_stays_in_the_tick_it_reached() {
    let limits = Limits { bits: BITS, slots: 4, first_tick: 0, end_tick: TICKS, borrow: 0, forward_only: false };
    let state = (5 << BITS) + 1;
    for now in 0..=5 {
        let taken = step(state, now, &limits, Pace::sequence(1));
        assert_eq!(taken, Step::Take { position: state, count: 1, next: state + 1 }, "clock {now}");
    }
    for now in 0..=5 {
        assert_eq!(step(6 << BITS, now, &limits, Pace::sequence(1)), Step::Wait { tick: 6, until: 6 }, "used up");
    }
}

#[test]
fn no_movement_of_the_clock_repeats_a_position() {
    // Every course of a clock over six readings, with a few paces in turn, in every window that does not borrow or does.
    let paces = [Pace::sequence(1), Pace::sequence(3), Pace { first: 1, stride: 2, want: 1 }];
    for slots in [2, 4] {
        for borrow in 0..=1 {
            for (first_tick, end_tick) in [(0, TICKS), (2, 6), (3, 4)] {
                let limits = Limits { bits: BITS, slots, first_tick, end_tick, borrow, forward_only: false };
                for course in 0..TICKS.pow(6) {
                    let mut state = 0;
                    let mut issued = 0_u64;
                    let mut readings = course;
                    for turn in 0..6 {
                        let now = readings % TICKS;
                        readings /= TICKS;
                        let pace = paces[turn % paces.len()];
                        if let Step::Take { position, count, next } = step(state, now, &limits, pace) {
                            let positions = ((1_u64 << count) - 1) << position;
                            assert_eq!(issued & positions, 0, "{limits:?}, course {course:o}");
                            issued |= positions;
                            state = next;
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn the_last_position_of_63_bits_is_issued_and_nothing_wraps() {
    let limits = Limits { bits: 12, slots: 1 << 12, first_tick: 0, end_tick: 1 << 51, borrow: 0, forward_only: false };
    let last_tick = (1 << 51) - 1;
    let state = (last_tick << 12) + 4095;
    assert_eq!(
        step(state, last_tick, &limits, Pace::sequence(u64::MAX)),
        Step::Take { position: state, count: 1, next: 1 << 63 }
    );
    assert_eq!(step(1 << 63, last_tick, &limits, Pace::sequence(1)), Step::Over { tick: 1 << 51 });
    let random = Pace { first: 0, stride: u64::MAX, want: 1 };
    assert_eq!(step(state, last_tick, &limits, random), Step::Over { tick: 1 << 51 });
}
