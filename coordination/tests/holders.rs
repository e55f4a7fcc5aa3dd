//! Holders and a store under faults: lost or late responses, holders that sleep past their end, and
//! clocks that differ. No two rectangles in use may overlap, and a holder's end must be one that
//! the store granted.

use proptest::prelude::*;
use saiban::{Layout, ManualClock, Scheme};
use saiban_coordination::Error;
use saiban_coordination::lease::Terms;
use saiban_coordination::lease::holder::{Act, Event, Holder, Moment, Policy, State};
use saiban_coordination::lease::protocol::Grant;
use saiban_coordination::store::{MemoryStore, Store};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

const START_MS: i64 = 1_800_000_000_000;
const TTL_US: i64 = 3_000_000;

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// The call is served, with a response at once.
    Answered,
    /// The call never arrives.
    Lost,
    /// The call is served, and its response is lost.
    AnswerLost,
}

#[derive(Clone, Copy, Debug)]
enum Turn {
    /// A holder performs its next act.
    Step {
        holder: usize,
        fate: Fate,
    },
    /// Time passes, in ms.
    Pass(i64),
    /// A holder's owner releases its nodes, or requests some.
    Stop(usize),
    Start(usize),
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let fate = prop_oneof![6 => Just(Fate::Answered), 1 => Just(Fate::Lost), 1 => Just(Fate::AnswerLost)];
    let turn = prop_oneof![
        8 => (0..3_usize, fate).prop_map(|(holder, fate)| Turn::Step { holder, fate }),
        4 => (1..2_000_i64).prop_map(Turn::Pass),
        1 => (0..3_usize).prop_map(Turn::Stop),
        1 => (0..3_usize).prop_map(Turn::Start),
    ];
    prop::collection::vec(turn, 1..200)
}

/// A holder, its next act, and the rectangles that its generators were allowed to use: first node,
/// end node, start, end.
struct Seat {
    holder: Holder,
    act: Act,
    used: Vec<[i64; 4]>,
    /// The end of the last tick that its generators took.
    reserved_us: i64,
    clock_off_us: i64,
}

fn moment(clock: &ManualClock, seat: &Seat) -> Moment {
    static RANDOM: AtomicI64 = AtomicI64::new(1);
    let at_us = clock.now_ms() * 1_000;
    let random = RANDOM.fetch_add(0x9e37_79b9, Ordering::Relaxed) & i64::MAX;
    Moment { at_us, clock_us: at_us + seat.clock_off_us, random }
}

fn lost() -> Error {
    Error::new(saiban::ErrorKind::StoreUnavailable, "no answer")
}

async fn step(seat: &mut Seat, fate: Fate, store: &MemoryStore<Arc<ManualClock>>, terms: &Terms, clock: &ManualClock) {
    let (name, print) = (terms.name(), terms.fingerprint());
    let answered = |answer: Result<Grant, Error>| if fate == Fate::AnswerLost { Err(lost()) } else { answer };
    let event = match seat.act.clone() {
        Act::Rest => return,
        Act::Wait(until_us) if clock.now_ms() * 1_000 < until_us => return,
        Act::Wait(_) => Event::Time,
        Act::Acquire(_) | Act::Renew(..) if fate == Fate::Lost => Event::Answer(Err(lost())),
        Act::Acquire(request) => Event::Answer(answered(store.acquire(name, print, &request).await)),
        Act::Renew(request, _) => Event::Answer(answered(store.renew(name, &request).await)),
        Act::Begin(grant) => {
            let nodes = &grant.key.nodes;
            seat.used.push([nodes.start, nodes.end, grant.start_us, grant.end_us]);
            Event::Time
        }
        Act::Extend(end_us) => {
            let last = seat.used.last_mut().expect("something to extend");
            assert!(end_us >= last[3], "an end only grows");
            last[3] = end_us;
            Event::Time
        }
        Act::Close => {
            // The lease is used up to the current time.
            let last = seat.used.last_mut().expect("something to close");
            let now_us = clock.now_ms() * 1_000;
            seat.reserved_us = now_us.clamp(last[2], last[3]);
            last[3] = seat.reserved_us;
            Event::Closed(seat.reserved_us)
        }
        Act::Release(request) => {
            assert_eq!(request.high_water_us, seat.reserved_us);
            if fate != Fate::Lost {
                store.release(name, &request).await.expect("the memory store answers");
            }
            Event::Released
        }
    };
    let now = moment(clock, seat);
    seat.act = seat.holder.on(event, now);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    #[test]
    fn no_two_holders_ever_use_one_node_at_one_time(turns in turns(), offs in prop::array::uniform3(-9_000_000..9_000_000_i64)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let clock = Arc::new(ManualClock::new(START_MS).expect("a time"));
        let store = MemoryStore::new(Arc::clone(&clock));
        let layout = Layout::from_text("timestamp:41@ms,epoch=2024-01-01 node:2 sequence:12").expect("a layout");
        let terms = Terms::new("weather", Scheme::Flake, &layout, None, 3).expect("terms");
        runtime.block_on(store.create(&terms)).expect("a namespace");
        let policy = |nodes| Policy {
            nodes, ttl_us: TTL_US, max_clock_skew_us: 10_000_000, holder: format!("{nodes}"), again: true,
        };
        let mut seats: Vec<Seat> = [1, 2, 3].iter().zip(offs).map(|(nodes, clock_off_us)| Seat {
            holder: Holder::new(policy(*nodes)), act: Act::Rest, used: Vec::new(), reserved_us: 0, clock_off_us,
        }).collect();
        for seat in &mut seats {
            let now = moment(&clock, seat);
            seat.act = seat.holder.on(Event::Start, now);
        }
        for turn in turns {
            match turn {
                Turn::Step { holder, fate } => {
                    runtime.block_on(step(&mut seats[holder], fate, &store, &terms, &clock));
                }
                Turn::Pass(ms) => clock.advance(ms).expect("a time"),
                Turn::Stop(holder) | Turn::Start(holder) => {
                    let seat = &mut seats[holder];
                    // The owner's request comes only while the holder performs no act.
                    if matches!(seat.act, Act::Rest | Act::Wait(_)) {
                        let event = if matches!(turn, Turn::Stop(_)) { Event::Stop } else { Event::Start };
                        let now = moment(&clock, seat);
                        seat.act = seat.holder.on(event, now);
                    }
                }
            }
        }
        let used: Vec<[i64; 4]> = seats.iter().flat_map(|seat| seat.used.clone()).collect();
        for (index, a) in used.iter().enumerate() {
            for b in &used[index + 1..] {
                let apart = a[1] <= b[0] || b[1] <= a[0] || a[3] <= b[2] || b[3] <= a[2];
                prop_assert!(apart, "{a:?} and {b:?} overlap");
            }
        }
        for seat in &seats {
            let has = seat.holder.grant().is_some();
            let may = matches!(seat.holder.state(), State::Active | State::Renewing | State::Draining | State::Expired | State::Lost);
            prop_assert!(!has || may);
        }
    }
}

/// Returns the waits of a holder after responses without a node, in µs.
fn pauses_us(ttl_us: i64, tries: usize) -> Vec<i64> {
    let mut now = Moment { at_us: 0, clock_us: START_MS * 1_000, random: 0 };
    let policy = Policy { nodes: 1, ttl_us, max_clock_skew_us: 10_000_000, holder: "one".into(), again: true };
    let mut holder = Holder::new(policy);
    let mut act = holder.on(Event::Start, now);
    let mut pauses_us = Vec::new();
    while pauses_us.len() < tries {
        act = match act {
            Act::Acquire(_) => holder.on(Event::Answer(Err(lost())), now),
            Act::Wait(until_us) => {
                pauses_us.push(until_us - now.at_us);
                now.at_us = until_us;
                holder.on(Event::Time, now)
            }
            other => panic!("{other:?}"),
        };
    }
    pauses_us
}

#[test]
fn a_holder_that_asks_in_vain_waits_twice_as_long_each_time_but_no_longer_than_leases_last() {
    assert_eq!(pauses_us(3_000_000, 7), [100_000, 200_000, 400_000, 800_000, 1_600_000, 3_000_000, 3_000_000]);
    assert_eq!(pauses_us(600_000_000, 40)[7..], [[12_800_000, 25_600_000].as_slice(), &[30_000_000; 31]].concat());
    assert_eq!(pauses_us(1_000, 3), [100_000; 3]);
}
