//! The step of the cursor, over every state, clock, window and pace of a small model: ticks of 3
//! bits, low parts of 2.

mod small_world;

use saiban::cursor::internal::{Lane, Limits, Pace, Step, next_within, step, step_back, steps_within};
use small_world::{BITS, MAX_BORROWED, TICKS};

fn tick_of(position: u64) -> u64 {
    position >> BITS
}

fn low_of(position: u64) -> u64 {
    position & ((1 << BITS) - 1)
}

/// Returns the limits of every low-part size in every window.
fn all_limits() -> impl Iterator<Item = Limits> {
    (1..=1 << BITS).flat_map(small_world::all_limits)
}

/// Returns every state that a cursor with these limits can have: after the last position of a tick
/// comes the start of the next tick.
fn all_states(limits: &Limits) -> impl Iterator<Item = u64> {
    let slots = limits.slots;
    (0..=TICKS << BITS).filter(move |state| low_of(*state) < slots)
}

fn all_paces(limits: &Limits) -> impl Iterator<Item = Pace> {
    let increments = [1, 2, 3, 4, 5, u64::MAX];
    let wants = [1, 2, 3, 4, 5, u64::MAX];
    (0..limits.slots).flat_map(move |first| {
        increments
            .into_iter()
            .flat_map(move |increment| wants.into_iter().map(move |want| Pace { first, increment, want }))
    })
}

/// Calls `check` with every combination, and returns their number.
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
fn taken_positions_were_free_and_are_not_free_afterwards() {
    let count = everywhere(|state, now, limits, pace| {
        if let Step::Take { position, count, next } = step(state, now, limits, pace) {
            assert!(position >= state, "{state} {now} {limits:?} {pace:?}: {position} was issued before");
            assert!(next >= position + count, "{state} {now} {limits:?} {pace:?}: {next} comes again");
            assert!(next > state);
        }
    });
    assert!(count > 10_000_000, "{count}");
}

#[test]
fn next_within_a_tick_is_the_position_that_the_step_takes() {
    let mut answered = 0;
    everywhere(|state, now, limits, pace| {
        // `next_within` is called only for a tick inside the window, without borrowing, for one
        // position.
        if !(limits.first_tick..limits.end_tick).contains(&now) || limits.borrow > 0 || pace.want > 1 {
            return;
        }
        if let Some((position, next)) = next_within(state, now, limits.bits, limits.slots, pace.increment) {
            let taken = Step::Take { position, count: 1, next };
            assert_eq!(step(state, now, limits, pace), taken, "{state} {now} {limits:?} {pace:?}");
            answered += 1;
        }
        let is_roomy = tick_of(state) == now && low_of(state) > 0 && low_of(state) + 1 < limits.slots;
        assert!(!is_roomy || pace.increment > 1 || next_within(state, now, limits.bits, limits.slots, 1).is_some());
    });
    assert!(answered > 1_000, "{answered}");
}

#[test]
fn many_steps_within_a_tick_are_one_after_the_other() {
    let mut all = 0;
    everywhere(|state, now, limits, pace| {
        if pace.first > 0 || pace.want > 1 || limits.borrow > 0 {
            return;
        }
        let increments = [pace.increment, 1, 2, pace.increment];
        let mut positions = increments;
        let (taken, after) = steps_within(state, now, limits.bits, limits.slots, &mut positions);
        let mut next = state;
        for (index, increment) in increments.into_iter().enumerate() {
            match next_within(next, now, limits.bits, limits.slots, increment) {
                Some((position, then)) if index < taken => {
                    assert_eq!(positions[index], position, "{state} {now} {limits:?} {pace:?}");
                    next = then;
                }
                Some(_) => panic!("{state} {now} {limits:?} {pace:?}: {taken} are too few"),
                None => {
                    assert_eq!(index, taken, "{state} {now} {limits:?} {pace:?}");
                    break;
                }
            }
        }
        assert_eq!(after, next);
        all += taken;
    });
    assert!(all > 1_000, "{all}");
}

#[test]
fn taken_positions_lie_in_one_tick_of_the_window() {
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
fn taken_positions_are_in_a_reached_tick_or_at_most_borrow_ahead() {
    everywhere(|state, now, limits, pace| {
        if let Step::Take { position, .. } = step(state, now, limits, pace) {
            let reached = low_of(state) != 0 && tick_of(position) == tick_of(state);
            assert!(reached || tick_of(position) <= now + limits.borrow, "{state} {now} {limits:?} {pace:?}");
        }
    });
}

#[test]
fn a_new_tick_begins_with_first_and_an_old_one_continues_by_the_increment() {
    everywhere(|state, now, limits, pace| {
        if let Step::Take { position, .. } = step(state, now, limits, pace) {
            if low_of(state) != 0 && tick_of(position) == tick_of(state) {
                assert_eq!(position, state + (pace.increment - 1));
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
fn the_step_takes_as_many_positions_as_are_wanted_and_left() {
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
fn a_cursor_stays_in_the_tick_it_reached_when_the_clock_steps_back() {
    let limits = Limits { bits: BITS, slots: 4, first_tick: 0, end_tick: TICKS, borrow: 0, forward_only: false };
    let state = (5_u64 << BITS) + 1;
    for now in 0..=5 {
        let taken = step(state, now, &limits, Pace::sequence(1));
        assert_eq!(taken, Step::Take { position: state, count: 1, next: state + 1 }, "clock {now}");
    }
    for now in 0..=5 {
        assert_eq!(step(6_u64 << BITS, now, &limits, Pace::sequence(1)), Step::Wait { tick: 6, until: 6 }, "used up");
    }
}

#[test]
fn a_forward_only_cursor_takes_nothing_while_the_clock_is_behind_and_is_otherwise_like_others() {
    everywhere(|state, now, limits, pace| {
        let answer = step(state, now, &Limits { forward_only: true, ..*limits }, pace);
        let last_tick = state.checked_sub(1).map(tick_of);
        if last_tick.is_some_and(|tick| tick > now + limits.borrow) {
            assert_eq!(Some(answer), last_tick.map(|tick| Step::Behind { tick }));
        } else {
            assert_eq!(answer, step(state, now, &Limits { forward_only: false, ..*limits }, pace));
        }
    });
}

#[test]
fn no_movement_of_the_clock_repeats_a_position() {
    // Every clock sequence of six readings, with alternating paces, in every window, with and
    // without borrowing.
    let paces = [Pace::sequence(1), Pace::sequence(3), Pace { first: 1, increment: 2, want: 1 }];
    for slots in [2, 4] {
        for borrow in 0..=1 {
            for (first_tick, end_tick) in [(0, TICKS), (2, 6), (3, 4)] {
                let limits = Limits { bits: BITS, slots, first_tick, end_tick, borrow, forward_only: false };
                for trace in 0..TICKS.pow(6) {
                    let mut state = 0_u64;
                    let mut issued = 0_u64;
                    let mut readings = trace;
                    for turn in 0..6 {
                        let now = readings % TICKS;
                        readings /= TICKS;
                        let pace = paces[turn % paces.len()];
                        if let Step::Take { position, count, next } = step(state, now, &limits, pace) {
                            let positions = ((1_u64 << count) - 1) << position;
                            assert_eq!(issued & positions, 0, "{limits:?}, trace {trace:o}");
                            issued |= positions;
                            state = next;
                        }
                    }
                }
            }
        }
    }
}

// Rollback bits: each value has its own cursor.

/// The cursors of a generator with rollback bits, and the index of the one in use.
struct Lanes {
    states: Vec<u64>,
    in_use: usize,
}

impl Lanes {
    fn new(count: usize) -> Self {
        Lanes { states: vec![0; count], in_use: 0 }
    }

    /// Steps as a generator does: it takes the position, and advances the state.
    fn step(&mut self, now: u64, limits: &Limits, pace: Pace) -> (Lane, Step) {
        let next_lane = (self.in_use + 1) % self.states.len();
        let (lane, answer) = step_back(self.states[self.in_use], self.states[next_lane], now, limits, pace);
        if let Step::Take { next, .. } = answer {
            if lane == Lane::Next {
                self.in_use = next_lane;
            }
            self.states[self.in_use] = next;
        }
        (lane, answer)
    }
}

/// Returns every clock sequence of this many readings.
fn all_traces(readings: u32) -> impl Iterator<Item = Vec<u64>> {
    (0..TICKS.pow(readings)).map(move |trace| (0..readings).map(|at| trace / TICKS.pow(at) % TICKS).collect())
}

#[test]
fn no_sequence_of_clock_readings_repeats_a_position_of_any_rollback_value() {
    let paces = [Pace::sequence(1), Pace::sequence(3), Pace { first: 1, increment: 2, want: 1 }];
    let limits = Limits { bits: BITS, slots: 3, first_tick: 1, end_tick: 7, borrow: 0, forward_only: false };
    let mut moves = 0;
    for count in 2..=4 {
        for trace in all_traces(6) {
            let mut lanes = Lanes::new(count);
            let mut issued = vec![0_u64; count];
            for (turn, now) in trace.iter().enumerate() {
                let (lane, answer) = lanes.step(*now, &limits, paces[turn % paces.len()]);
                if let Step::Take { position, count, .. } = answer {
                    let positions = ((1_u64 << count) - 1) << position;
                    assert_eq!(issued[lanes.in_use] & positions, 0, "{count} values, trace {trace:?}");
                    issued[lanes.in_use] |= positions;
                }
                moves += u64::from(lane == Lane::Next);
            }
        }
    }
    assert!(moves > 100_000, "{moves}");
}

#[test]
fn past_the_last_rollback_value_the_cursor_holds_within_the_time_replayed() {
    let limits = Limits { bits: BITS, slots: 3, first_tick: 0, end_tick: TICKS, borrow: 0, forward_only: false };
    for count in 2..=4_usize {
        for trace in all_traces(5) {
            let mut lanes = Lanes::new(count);
            for now in &trace {
                let before = lanes.states.clone();
                let in_use = lanes.in_use;
                let (lane, answer) = lanes.step(*now, &limits, Pace::sequence(1));
                let is_ahead = |state: u64| state > 0 && tick_of(state - 1) > *now;
                let next_lane = (in_use + 1) % count;
                assert_eq!(
                    lane == Lane::Next,
                    is_ahead(before[in_use]) && !is_ahead(before[next_lane]) && matches!(answer, Step::Take { .. }),
                    "{count} values, trace {trace:?}"
                );
                if is_ahead(before[in_use]) && is_ahead(before[next_lane]) {
                    // The cursor continues in the tick that it reached, or waits.
                    let alone = step(before[in_use], *now, &limits, Pace::sequence(1));
                    match answer {
                        Step::Wait { .. } => assert!(matches!(alone, Step::Wait { .. })),
                        _ => assert_eq!(answer, alone),
                    }
                }
            }
        }
        // The clock steps back one tick at a time: every value is used once, and then none is left.
        let mut lanes = Lanes::new(count);
        let used: Vec<usize> = (0..count as u64 + 2)
            .map(|back| {
                lanes.step(TICKS - 1 - back, &limits, Pace::sequence(1));
                lanes.in_use
            })
            .collect();
        let last = count - 1;
        assert_eq!(used, (0..count).chain([last, last]).collect::<Vec<_>>());
    }
}

#[test]
fn the_wait_of_a_step_back_ends_with_a_position_and_not_before() {
    let mut waits = 0;
    for slots in [1, 3, 4] {
        for (first_tick, end_tick) in [(0, TICKS), (2, 6), (0, 4)] {
            for borrow in 0..=MAX_BORROWED {
                let limits = Limits { bits: BITS, slots, first_tick, end_tick, borrow, forward_only: false };
                for (state, next_state) in all_states(&limits).flat_map(|a| all_states(&limits).map(move |b| (a, b))) {
                    for now in 0..TICKS {
                        let ask = |now| step_back(state, next_state, now, &limits, Pace::sequence(1));
                        if let (lane, Step::Wait { tick, until }) = ask(now) {
                            assert_eq!(lane, Lane::Same);
                            assert!(until > now && tick >= until);
                            for still in now..until {
                                assert_eq!(
                                    ask(still),
                                    (lane, Step::Wait { tick, until }),
                                    "{state} {next_state} {still}"
                                );
                            }
                            assert!(matches!(ask(until).1, Step::Take { .. }), "{state} {next_state} {now} {limits:?}");
                            waits += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(waits > 1_000, "{waits}");
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
    let random = Pace { first: 0, increment: u64::MAX, want: 1 };
    assert_eq!(step(state, last_tick, &limits, random), Step::Over { tick: 1 << 51 });
}
