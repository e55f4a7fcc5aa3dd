//! The real cursor in the real engine, under every thread order of loom.
//!
//! `RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=target/loom cargo test -p saiban --features loom --test
//! loom` runs it.
//!
//! Two threads run in all orders, and three in all orders with at most three preemptions (two for
//! closing a lease); more would take hours. A test shows that the checks detect a cursor that loads
//! and stores instead of comparing and swapping.

#![cfg(loom)]

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use saiban::counter::Block;
use saiban::cursor::internal::{Beginning, CursorKey, Sharing};
use saiban::cursor::{Cursor, CursorWord, WideCursor};
use saiban::{
    Attempt, Clock, Error, ErrorKind, Generator, Grant, Layout, LayoutSpec, ManualClock, Options, PooledEntropy,
    RandflakeGenerator, Rollback, Scheme, Secret, SnowflakeGenerator, UlidGenerator,
};
use std::collections::HashSet;

/// A tick of one node has two IDs. The layouts have 2 node bits, or one node bit and one rollback
/// bit.
const PLAIN: LayoutSpec = LayoutSpec::new().unused(53).timestamp(8).node(2).sequence(1);
const ROOMY: LayoutSpec = LayoutSpec::new().unused(50).timestamp(8).node(2).sequence(4);
const WITH_ROLLBACK: LayoutSpec = LayoutSpec::new().unused(53).timestamp(8).node(1).rollback(1).sequence(1);

/// A clock that shows these ticks, one at each reading of any thread; the last one stays.
struct ClockReadings {
    ticks: &'static [u64],
    read: AtomicUsize,
}

impl Clock for ClockReadings {
    fn now_ns(&self) -> Result<u64, Error> {
        let read = self.read.fetch_add(1, Ordering::Relaxed).min(self.ticks.len() - 1);
        Ok(self.ticks[read] * 1_000_000)
    }
}

/// How a thread requests IDs.
#[derive(Clone, Copy)]
enum Ask {
    One,
    /// A list of up to three IDs.
    Some,
}

use Ask::{One, Some as Several};

/// A trial: the requests of each thread, while the clock shows these ticks.
#[derive(Clone)]
struct Trial {
    layout: LayoutSpec,
    options: Options,
    ticks: &'static [u64],
    threads: &'static [&'static [Ask]],
    /// The limit of preemptions per run; `None` tries all orders.
    preemptions: Option<usize>,
}

/// Makes the requests, and returns the IDs in order.
fn ask<W: CursorWord<Position = u64>>(ids: &SnowflakeGenerator<ClockReadings, W>, asks: &[Ask]) -> Vec<i64> {
    let mut made = Vec::new();
    for how in asks {
        match how {
            One => {
                if let Ok(Attempt::Ready(id)) = ids.try_generate() {
                    made.push(id);
                }
            }
            Several => {
                let mut block = [0; 3];
                let written = ids.fill(&mut block).unwrap_or(0);
                made.extend_from_slice(&block[..written]);
            }
        }
    }
    made
}

fn lane_of(layout: &Layout, id: i64) -> u64 {
    layout.split(id).expect("an ID of the layout").rollback
}

/// Runs a trial in every order, and returns the number of orders.
fn in_every_order<W: CursorWord<Position = u64> + Send + Sync + 'static>(trial: Trial) -> usize {
    let orders = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&orders);
    let mut model = loom::model::Builder::new();
    model.preemption_bound = trial.preemptions;
    model.max_branches = 10_000;
    model.check(move || {
        let layout = trial.layout.check().expect("a layout");
        let clock = ClockReadings { ticks: trial.ticks, read: AtomicUsize::new(0) };
        let ids = SnowflakeGenerator::<_, W>::with_cursor(layout, &trial.options, clock).expect("a generator");
        let ids = Arc::new(ids);
        let others: Vec<_> = trial.threads[1..]
            .iter()
            .map(|asks| {
                let ids = Arc::clone(&ids);
                loom::thread::spawn(move || ask(&ids, asks))
            })
            .collect();
        let mut made = vec![ask(&ids, trial.threads[0])];
        made.extend(others.into_iter().map(|thread| thread.join().expect("a thread that ends well")));

        for of_thread in &made {
            for lane in 0..=layout.max_rollback() {
                let of_lane = of_thread.iter().filter(|id| lane_of(&layout, **id) == lane);
                assert!(of_lane.is_sorted(), "out of order within a thread: {made:?}");
            }
        }
        let all: Vec<i64> = made.concat();
        assert!(!all.is_empty());
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len(), "an ID came twice: {made:?}");
        let stats = ids.stats().expect("stats");
        assert_eq!(stats.issued, all.len() as u64, "miscounted: {made:?}");
        let steps_back = trial.ticks.windows(2).filter(|pair| pair[1] < pair[0]).count() as u64;
        assert!(stats.rollbacks <= steps_back, "one step back counted twice: {} of {steps_back}", stats.rollbacks);
        counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    });
    orders.load(std::sync::atomic::Ordering::Relaxed)
}

fn one_node(threads: &'static [&'static [Ask]]) -> Trial {
    Trial { layout: PLAIN, options: Options::node(1), ticks: &[5, 4, 6, 5, 7], threads, preemptions: None }
}

#[test]
fn two_threads_never_get_the_same_id_in_any_order() {
    assert!(in_every_order::<Cursor>(one_node(&[&[One, One], &[One, One]])) > 100);
}

#[test]
fn positions_of_128_bits_are_never_taken_twice_in_any_order() {
    // The test uses the word alone, because a layout's positions need their generators.
    let key = |layout| CursorKey {
        format: "wide",
        layout,
        first_node: 0,
        end_node: 1,
        rollback: 0,
        bits: 100,
        is_wide: true,
    };
    let orders = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&orders);
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        let layout = PLAIN.check().expect("a layout");
        let cursor = WideCursor::open(&key(layout), Sharing::Own, &Beginning::default()).expect("a cursor");
        let cursor = Arc::new(cursor);
        // Both halves change with each position.
        let take = |cursor: &WideCursor| loop {
            let state = cursor.load();
            assert_eq!(state >> 64, state & u128::from(u64::MAX), "half a state");
            if cursor.replace(state, state + (1 << 64 | 1), 1).is_ok() {
                return state;
            }
        };
        let other = Arc::clone(&cursor);
        let other = loom::thread::spawn(move || take(&other));
        let mut taken = [take(&cursor), other.join().expect("a thread that ends well")];
        taken.sort_unstable();
        assert_eq!(taken, [0, 1 << 64 | 1]);
        assert_eq!(cursor.issued(), 2, "miscounted");
        counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    });
    assert!(orders.load(std::sync::atomic::Ordering::Relaxed) > 10);
}

#[test]
fn three_threads_never_get_the_same_id_in_any_order() {
    let trial = Trial { preemptions: Some(3), ..one_node(&[&[One], &[One], &[One]]) };
    assert!(in_every_order::<Cursor>(trial) > 100);
}

#[test]
fn blocks_of_a_range_of_nodes_never_overlap_in_any_order() {
    let trial = Trial { options: Options::nodes(0..3), ..one_node(&[&[Several], &[One, Several]]) };
    assert!(in_every_order::<Cursor>(trial) > 100);
}

#[test]
fn a_clock_that_steps_back_repeats_no_id_of_any_rollback_value_in_any_order() {
    let trial = Trial { layout: WITH_ROLLBACK, ticks: &[5, 3, 5, 2, 4, 6], ..one_node(&[&[One, One], &[One]]) };
    assert!(in_every_order::<Cursor>(trial) > 100);
}

#[test]
fn a_step_back_that_two_threads_see_is_counted_once_in_any_order() {
    let trial = Trial { layout: WITH_ROLLBACK, ticks: &[5, 3], ..one_node(&[&[One, One], &[One]]) };
    assert!(in_every_order::<Cursor>(trial) > 100);
}

#[test]
fn the_error_policy_repeats_nothing_in_any_order() {
    let options = Options::node(1).rollback(Rollback::Error);
    assert!(in_every_order::<Cursor>(Trial { options, ..one_node(&[&[One, One], &[One]]) }) > 100);
}

#[test]
fn a_clock_that_goes_forward_is_never_taken_for_one_that_stepped_back_in_any_order() {
    let forward = |layout, policy| Trial {
        layout,
        options: Options::node(1).rollback(policy),
        ticks: &[5, 6, 7],
        ..one_node(&[&[One, One], &[One]])
    };
    // The checks allow no rollback, because the clock never steps back.
    for trial in [forward(WITH_ROLLBACK, Rollback::Bits), forward(PLAIN, Rollback::Error)] {
        assert!(in_every_order::<Cursor>(trial) > 100);
    }
}

/// Takes up to `count` IDs, and returns their ticks and the first error.
fn take_ticks(ids: &SnowflakeGenerator<ClockReadings>, count: usize) -> (Vec<u64>, Option<ErrorKind>) {
    let layout = ids.layout().expect("a layout");
    let mut ticks = Vec::new();
    for _ in 0..count {
        match ids.try_generate() {
            Ok(Attempt::Ready(id)) => ticks.push(layout.split(id).expect("an ID of the layout").tick),
            Ok(_) => {}
            Err(error) => return (ticks, Some(error.kind())),
        }
    }
    (ticks, None)
}

/// Closes a lease in every order while these threads take IDs under it. Returns the possible
/// results: the first free tick, and the number of IDs taken before.
///
/// The cursor is the registry's own, and its lock is not loom's, so only one thread may use it: the
/// one that closes.
fn close_in_every_order(asks: &'static [usize], preemptions: Option<usize>) -> HashSet<(u64, usize)> {
    let results = std::sync::Arc::new(std::sync::Mutex::new(HashSet::new()));
    let seen = std::sync::Arc::clone(&results);
    let mut model = loom::model::Builder::new();
    model.preemption_bound = preemptions;
    model.max_branches = 10_000;
    model.check(move || {
        let layout = PLAIN.check().expect("a layout");
        let grant =
            Grant::new(Scheme::Snowflake, layout, None, 1..2, 5_000, 8_000).expect("a grant of the ticks 5 to 7");
        let build = |ticks| {
            let clock = ClockReadings { ticks, read: AtomicUsize::new(0) };
            SnowflakeGenerator::build(layout, &Options::default().grant(&grant), clock)
        };
        let threads: Vec<_> = asks
            .iter()
            .map(|asks| {
                let ids = build(&[5, 5, 6, 7]).expect("a generator");
                loom::thread::spawn(move || take_ticks(&ids, *asks))
            })
            .collect();
        let ids = build(&[7]).expect("a generator");
        let first_free_tick = grant.close().expect("its own process") as u64 / 1_000;
        assert_eq!(take_ticks(&ids, 1), (Vec::new(), Some(ErrorKind::LeaseLost)), "taken after the lease was closed");
        assert_eq!(build(&[7]).err().map(|error| error.kind()), Some(ErrorKind::LeaseLost));
        let mut count = 0;
        for thread in threads {
            let (ticks, error) = thread.join().expect("a thread that ends well");
            count += ticks.len();
            assert!(ticks.iter().all(|tick| *tick < first_free_tick), "{ticks:?} taken, {first_free_tick} told free");
            assert!(error.is_none_or(|kind| kind == ErrorKind::LeaseLost), "{error:?} of a lease that was closed");
        }
        seen.lock().expect("no panic").insert((first_free_tick, count));
    });
    std::mem::take(&mut *results.lock().expect("no panic"))
}

#[test]
fn time_that_closing_a_lease_reports_as_free_was_never_taken_in_any_order() {
    // One thread requests IDs in the ticks 5, 5, 6 and 7, and gets none, some, or all. The first
    // free tick follows its last one.
    let results = close_in_every_order(&[4], None);
    assert_eq!(results, HashSet::from([(5, 0), (6, 1), (6, 2), (7, 3), (8, 4)]));
    let results = close_in_every_order(&[2, 1], Some(2));
    assert!(results.contains(&(5, 0)) && results.iter().any(|(_, count)| *count == 3), "{results:?}");
}

/// A clock that advances by a quarter of a tick with each reading, and counts nanoseconds.
struct Moving(AtomicU64);

impl Moving {
    fn advance(&self) -> u64 {
        self.0.fetch_add(250_000, Ordering::Relaxed)
    }

    /// Returns the current tick. The read-modify-write always sees the latest value: a clock is not
    /// memory that another processor may have changed.
    fn now_tick(&self) -> u64 {
        self.0.fetch_add(0, Ordering::Relaxed) / 1_000_000
    }
}

impl Clock for &Moving {
    fn now_ns(&self) -> Result<u64, Error> {
        Ok(self.advance())
    }

    fn cycles(&self) -> Option<u64> {
        Some(self.advance())
    }
}

#[test]
fn no_order_of_threads_makes_an_id_of_a_tick_that_was_over() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.max_branches = 10_000;
    model.check(|| {
        let layout = ROOMY.check().expect("a layout");
        let clock: &'static Moving = Box::leak(Box::new(Moving(AtomicU64::new(4_250_000))));
        let ids = SnowflakeGenerator::build(layout, &Options::node(1), clock).expect("a generator");
        let ids = Arc::new(ids);
        // The tick has begun, and still has IDs when it ends.
        while !matches!(ids.try_generate(), Ok(Attempt::Ready(_))) {}
        let make = move |ids: Arc<SnowflakeGenerator<&Moving>>, count| {
            for _ in 0..count {
                let begun = clock.now_tick();
                if let Ok(Attempt::Ready(id)) = ids.try_generate() {
                    let tick = layout.split(id).expect("an ID of the layout").tick;
                    let ended = clock.now_tick();
                    assert!((begun..=ended).contains(&tick), "of {tick}, made between {begun} and {ended}");
                }
            }
        };
        let other = Arc::clone(&ids);
        let thread = loom::thread::spawn(move || make(other, 1));
        make(ids, 2);
        thread.join().expect("a thread that ends well");
    });
}

#[test]
fn ulids_of_the_cached_tick_are_never_made_twice_in_any_order() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.max_branches = 10_000;
    model.check(|| {
        // The clock stands still, so that every ID but the first is of the cached tick.
        let clock: &'static ManualClock = Box::leak(Box::new(ManualClock::new(4).expect("a time")));
        let ids = UlidGenerator::build(&Options::default(), clock, PooledEntropy).expect("a generator");
        let ids = Arc::new(ids);
        let make = |ids: &UlidGenerator<&ManualClock>| match ids.try_generate() {
            Ok(Attempt::Ready(id)) => id,
            other => panic!("{other:?}"),
        };
        let mut all = vec![make(&ids), make(&ids)];
        let other = Arc::clone(&ids);
        let thread = loom::thread::spawn(move || make(&other));
        all.extend([make(&ids), thread.join().expect("a thread that ends well"), make(&ids)]);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len(), "{all:?}");
        assert!(all[0] < all[1] && all[1] < all[2] && all[2] < all[4], "{all:?}");
    });
}

#[test]
fn prefetched_ciphertexts_are_read_whole_in_any_order() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.max_branches = 10_000;
    model.check(|| {
        let clock = ClockReadings { ticks: &[1_800_000_000_000], read: AtomicUsize::new(0) };
        let secret = Secret::new(*b"of no importance");
        let ids = Arc::new(RandflakeGenerator::build(&secret, &Options::node(1), clock).expect("a generator"));
        let sequence = |ids: &RandflakeGenerator<ClockReadings>| {
            let Ok(Attempt::Ready(id)) = ids.try_generate() else { panic!("an ID without a wait") };
            let parts = ids.inspect(id).expect("parts");
            assert_eq!(parts.node, Some(1), "half of one number, and half of another");
            parts.sequence.expect("a sequence")
        };
        // The second number begins a batch of 32, of which one is left: another thread writes the
        // next batch while this one is read.
        (0..32).for_each(|taken| assert_eq!(sequence(&ids), taken));
        let other = Arc::clone(&ids);
        let other = loom::thread::spawn(move || sequence(&other));
        let mut last = [sequence(&ids), other.join().expect("a thread that ends well")];
        last.sort_unstable();
        assert_eq!(last, [32, 33]);
    });
}

#[test]
fn the_last_number_of_a_block_is_taken_once_in_any_order() {
    loom::model(|| {
        let block = Arc::new(Block::new(7, 5, 1));
        let other = Arc::clone(&block);
        let other = loom::thread::spawn(move || other.take());
        let mut taken = [block.take(), other.join().expect("a thread that ends well")];
        taken.sort_unstable();
        assert_eq!(taken, [None, Some(7)]);
    });
}

/// A cursor with a load and a store instead of a compare-and-swap.
struct LoadThenStore {
    state: AtomicU64,
    issued: AtomicU64,
}

impl CursorWord for LoadThenStore {
    type Position = u64;
    const CAN_BE_CLOSED: bool = false;

    fn open(_: &CursorKey, _: Sharing, _: &Beginning) -> Result<Self, Error> {
        Ok(LoadThenStore { state: AtomicU64::new(0), issued: AtomicU64::new(0) })
    }

    fn load(&self) -> u64 {
        self.state.load(Ordering::SeqCst)
    }

    fn replace(&self, state: u64, next: u64, issued: u64) -> Result<(), u64> {
        let found = self.state.load(Ordering::SeqCst);
        if found != state {
            return Err(found);
        }
        self.state.store(next, Ordering::SeqCst);
        self.issued.fetch_add(issued, Ordering::SeqCst);
        Ok(())
    }

    fn issued(&self) -> u64 {
        self.issued.load(Ordering::SeqCst)
    }
}

#[test]
#[should_panic(expected = "an ID came twice")]
fn a_load_and_a_store_in_place_of_the_compare_and_swap_are_caught() {
    in_every_order::<LoadThenStore>(Trial { ticks: &[5], ..one_node(&[&[One], &[One]]) });
}
