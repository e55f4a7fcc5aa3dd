//! Threads make, use and drop generators for overlapping nodes and equivalent layouts, while the
//! process clock steps back and forth: some generators are refused, and no ID repeats.

mod dice;

use dice::Dice;
use saiban::cursor::LocalCursor;
use saiban::{
    Attempt, Clock, Error, ErrorKind, FlakeGenerator, Generator, IdValue, Layout, Options, PooledEntropy, Rollback,
    Scope, SnowflakeGenerator, WideFlakeGenerator,
};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

const NOW_MS: u64 = 1_763_700_000_000;
const THREADS: u64 = 3;
const TURNS: usize = 5_000;

/// The process clock, which any thread moves.
struct Swaying {
    now_ms: AtomicU64,
    reached_ms: AtomicU64,
}

impl Swaying {
    fn sway(&self, dice: &mut Dice) {
        let reached_ms = self.reached_ms.fetch_add(dice.below(2), Ordering::Relaxed);
        let back_ms = if dice.below(4) == 0 { dice.below(20) } else { 0 };
        self.now_ms.store(reached_ms - back_ms, Ordering::Relaxed);
    }
}

impl Clock for Swaying {
    fn now_ns(&self) -> Result<u64, Error> {
        Ok(self.now_ms.load(Ordering::Relaxed) * 1_000_000)
    }

    fn is_process_time(&self) -> bool {
        true
    }
}

/// Chooses some nodes of a layout, and other options.
fn choose(layout: &Layout, clock: &Swaying, dice: &mut Dice) -> Options {
    let now_ms = clock.now_ms.load(Ordering::Relaxed) as i64;
    let mut options = Options::default().scope(Scope::Process);
    if layout.has_node() {
        let first = dice.below(layout.max_node() + 1);
        let most = if layout.is_random() { 1 } else { 1 + dice.below(4) };
        let nodes = most.min(layout.max_node() + 1 - first);
        options = Options::nodes(first..first + nodes).scope(Scope::Process).shards(1 + dice.below(nodes) as i64);
    }
    if dice.below(4) == 0 {
        options = options.not_before(now_ms - dice.below(10) as i64);
    }
    if dice.below(8) == 0 {
        options = options.window(now_ms - 5..now_ms + 1 + dice.below(20) as i64);
    }
    match dice.below(6) {
        0 => options.rollback(Rollback::Error),
        1 => options.rollback(Rollback::Hold),
        _ => options,
    }
}

/// Generates IDs by one of three methods.
fn ask<I: IdValue>(ids: &dyn Generator<Id = I>, made: &mut Vec<I>, dice: &mut Dice) -> Result<(), Error> {
    match dice.below(3) {
        0 => made.push(ids.generate()?),
        1 => {
            if let Attempt::Ready(id) = ids.try_generate()? {
                made.push(id);
            }
        }
        // The buffer holds more IDs than a tick of one node.
        _ => {
            let mut block = [I::default(); 40];
            let written = ids.fill(&mut block)?;
            made.extend_from_slice(&block[..written]);
        }
    }
    Ok(())
}

type Build<I> = for<'c> fn(Layout, &Options, &'c Swaying, &mut Dice) -> Result<Box<dyn Generator<Id = I> + 'c>, Error>;

fn churn<I: IdValue + Ord + Send>(layouts: &[&str], build: Build<I>) {
    let clock = Swaying { now_ms: AtomicU64::new(NOW_MS), reached_ms: AtomicU64::new(NOW_MS) };
    let layouts: Vec<Layout> =
        layouts.iter().map(|text| Layout::from_text(text).unwrap_or_else(|error| panic!("{text}: {error}"))).collect();
    let run_thread = |seed: u64| {
        let mut dice = Dice::new(seed);
        let (mut made, mut refused, mut held) = (Vec::new(), 0_u64, Vec::new());
        for _ in 0..TURNS {
            clock.sway(&mut dice);
            let layout = layouts[dice.below(layouts.len() as u64) as usize];
            match build(layout, &choose(&layout, &clock, &mut dice), &clock, &mut dice).map_err(|error| error.kind()) {
                Ok(ids) => held.push(ids),
                Err(ErrorKind::NodeInUse) => refused += 1,
                // No tick of the window is left after `not_before`.
                Err(ErrorKind::InvalidWindow) => {}
                Err(kind) => panic!("{kind} for {layout}"),
            }
            for ids in &held {
                match ask(ids.as_ref(), &mut made, &mut dice).map_err(|error| error.kind()) {
                    Ok(()) => {}
                    Err(
                        ErrorKind::WouldWait
                        | ErrorKind::ClockBackward
                        | ErrorKind::LeaseNotBegun
                        | ErrorKind::LeaseExpired,
                    ) => clock.sway(&mut dice),
                    Err(kind) => panic!("{kind} for {layout}"),
                }
            }
            // One or two generators stay, so that later ones overlap them.
            while held.len() > dice.below(3) as usize {
                drop(held.swap_remove(dice.below(held.len() as u64) as usize));
            }
        }
        (made, refused)
    };
    let (mut all, mut refused) = (Vec::new(), 0);
    thread::scope(|scope| {
        let run_thread = &run_thread;
        let threads: Vec<_> = (0..THREADS).map(|seed| scope.spawn(move || run_thread(seed))).collect();
        for thread in threads {
            let (made, times) = thread.join().expect("a thread that ends well");
            all.extend(made);
            refused += times;
        }
    });
    let count = all.len();
    assert!(count > 10 * TURNS && refused > 100, "{count} IDs, {refused} refusals: too few to mean anything");
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count, "an ID came twice; {refused} refusals");
}

#[test]
fn generators_made_and_dropped_on_threads_repeat_nothing_whatever_their_layouts_are_called() {
    let layouts = [
        "timestamp:41 node:6 sequence:5",
        "unused:11 timestamp:41 node.region:3 node.host:3 sequence:5",
        "timestamp:41 node:4 rollback:2 sequence:5",
        "timestamp:41 rollback:1 node:5 sequence:5",
        "timestamp:41 constant:2,value=1 node:4 sequence:5",
        "timestamp:41 node:4 constant:2,value=3 sequence:5",
        "timestamp:41 node:3 unused:3 sequence:5",
        "timestamp:41 constant:6,value=37 sequence:5",
        "timestamp:41 node:6 sequence:5,start=random",
        "timestamp:41 node:6 random:5,step=3",
        "timestamp:41 node:6 rollback:1 sequence:4",
        "timestamp:41 node:3 random:3 sequence:5",
    ];
    churn(&layouts, |layout, options, clock, dice| {
        let is_plain = layout.has_node() && !layout.is_random() && !layout.has_random();
        Ok(match dice.below(3) {
            0 if is_plain && !layout.has_random_start() => Box::new(SnowflakeGenerator::build(layout, options, clock)?),
            1 if is_plain && !layout.has_random_start() => {
                Box::new(SnowflakeGenerator::<_, LocalCursor>::with_cursor(layout, options, clock)?)
            }
            _ => Box::new(FlakeGenerator::build(layout, options, clock, PooledEntropy)?),
        })
    });
}

#[test]
fn generators_of_wide_ids_made_and_dropped_on_threads_repeat_nothing() {
    // Time and sequence have 65 bits, which exceeds an atomic word.
    let layouts = [
        "timestamp:60 node:6 sequence:5",
        "unused:57 timestamp:60 node.region:3 node.host:3 sequence:5",
        "timestamp:60 node:4 rollback:2 sequence:5",
        "timestamp:60 constant:2,value=1 node:4 sequence:5",
        "timestamp:60 node:3 unused:3 sequence:5",
        "timestamp:60 node:6 random:5,step=3",
        "timestamp:60 node:3 random:3 sequence:5",
    ];
    churn(&layouts, |layout, options, clock, _| {
        Ok(Box::new(WideFlakeGenerator::build(layout, options, clock, PooledEntropy)?))
    });
}

#[test]
fn generators_made_and_dropped_on_threads_with_one_state_file_neither_hang_nor_repeat() {
    let clock = Swaying { now_ms: AtomicU64::new(NOW_MS), reached_ms: AtomicU64::new(NOW_MS) };
    let folder = tempfile::tempdir().expect("a folder");
    // No other test uses this layout.
    let layout = Layout::from_text("timestamp:42,epoch=2020-02-02 node:6 rollback:1 sequence:5").expect("a layout");
    let options = Options::nodes(0..4).scope(Scope::Process).shards(2).state(folder.path().join("ids.state"));
    let run_thread = |seed: u64| {
        let (mut dice, mut made) = (Dice::new(seed), Vec::new());
        for _ in 0..100 {
            clock.sway(&mut dice);
            let ids = FlakeGenerator::build(layout, &options, &clock, PooledEntropy).expect("a generator");
            for _ in 0..dice.below(10) {
                match ask(&ids, &mut made, &mut dice).map_err(|error| error.kind()) {
                    Ok(()) => {}
                    Err(ErrorKind::WouldWait | ErrorKind::ClockBackward) => clock.sway(&mut dice),
                    Err(kind) => panic!("{kind}"),
                }
            }
        }
        made
    };
    let mut all: Vec<i64> = thread::scope(|scope| {
        let run_thread = &run_thread;
        let threads: Vec<_> = (0..THREADS).map(|seed| scope.spawn(move || run_thread(seed))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread that ends well")).collect()
    });
    let count = all.len();
    assert!(count > 1_000, "{count} IDs: too few to mean anything");
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count, "an ID came twice");
}
