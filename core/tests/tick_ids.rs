//! Tick IDs of one process: generators of one order share a cursor, so only other processes can use
//! an equal tick.

use saiban::generator::TickOrder;
use saiban::{Attempt, Clock, Error, ErrorKind, Generator, ManualClock, Options, PooledEntropy, TickIdGenerator};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const NOW_NS: u64 = 1_763_700_000_000_000_000;
const TICK_NS: u64 = 100;
const MS_NS: u64 = 1_000_000;

/// A clock that generators take for the process's own time, and that the test sets.
struct Set(AtomicU64);

impl Set {
    fn advance(&self, ns: u64) {
        self.0.fetch_add(ns, Ordering::Relaxed);
    }
}

impl Clock for Set {
    fn now_ns(&self) -> Result<u64, Error> {
        Ok(self.0.load(Ordering::Relaxed))
    }

    fn is_process_time(&self) -> bool {
        true
    }
}

fn build<C: Clock>(order: TickOrder, clock: C) -> TickIdGenerator<C> {
    TickIdGenerator::build(order, &Options::default(), clock, PooledEntropy).expect("a generator")
}

/// Returns the ID's tick: the number without the random digits.
fn tick(order: TickOrder, id: u128) -> u128 {
    id / if order == TickOrder::Ascending { 10_000 } else { 1_000 }
}

// All of this is one test, because generators share the process's cursor.
#[test]
fn tick_ids_of_one_process_and_order_never_have_a_tick_in_common() {
    let clock = Set(AtomicU64::new(NOW_NS));
    let mut numbers_of_all = HashSet::new();
    for order in TickOrder::ALL {
        clock.0.store(NOW_NS, Ordering::Relaxed);
        // A previous process may have run 1 ms ahead of this tick, so this one begins after that.
        let first = build(order, &clock);
        assert!(matches!(first.try_generate(), Ok(Attempt::Wait(wait)) if wait == Duration::from_nanos(TICK_NS)));
        clock.advance(TICK_NS);
        let id = first.generate().expect("an ID");
        let begin = first.range(1_763_700_000_001, 1_763_700_000_002).expect("a range");
        assert!(begin.contains(&id), "{order:?}: 1 ms ahead");
        assert_eq!(first.generate().map_err(|error| error.kind()), Err(ErrorKind::WouldWait));

        // Three generators run on threads at once, and together use up a millisecond.
        clock.advance(MS_NS);
        let mut all = vec![id];
        let (second, third) = (build(order, &clock), build(order, &clock));
        let fill = |ids: &TickIdGenerator<&Set>| {
            let mut made = vec![0; 5_000];
            // The other threads may have used all ticks.
            let written = match ids.fill(&mut made).map_err(|error| error.kind()) {
                Err(ErrorKind::WouldWait) => 0,
                written => written.expect("IDs"),
            };
            made.truncate(written);
            made
        };
        std::thread::scope(|scope| {
            let threads = [&first, &second, &third].map(|ids| scope.spawn(|| fill(ids)));
            for thread in threads {
                let made = thread.join().expect("a thread that ends well");
                let ordered = |pair: &[u128]| (pair[0] < pair[1]) == (order == TickOrder::Ascending);
                assert!(made.windows(2).all(ordered), "{order:?}: out of order within a generator");
                all.extend(made);
            }
        });
        assert_eq!(all.len(), 1 + 10_000, "{order:?}: as many as there are ticks, and no more");
        assert_eq!(first.stats().map(|stats| stats.issued), Ok(10_001), "{order:?}: counted together");

        // The generator is dropped and built again within a tick, many times.
        drop((first, second, third));
        for _ in 0..100 {
            let ids = build(order, &clock);
            clock.advance(TICK_NS);
            all.push(ids.generate().expect("an ID"));
        }
        let count = all.len();
        let ticks: HashSet<u128> = all.iter().map(|id| tick(order, *id)).collect();
        assert_eq!(ticks.len(), count, "{order:?}: a tick came twice");
        numbers_of_all.extend(all);

        // Generators on a custom clock do not share a cursor.
        let manual = ManualClock::new(1_763_700_000_000).expect("a time");
        let mut of_one_tick: Vec<u128> = [(); 2].map(|()| build(order, &manual).generate().expect("an ID")).into();
        of_one_tick.dedup_by_key(|id| tick(order, *id));
        assert_eq!(of_one_tick.len(), 1, "{order:?}: both began with the clock's tick");
    }
    assert_eq!(numbers_of_all.len(), 2 * 10_101, "as numbers the orders differ too");
}
