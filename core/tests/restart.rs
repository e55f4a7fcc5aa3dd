//! A program that restarts within one tick repeats no ID; each process is a run of this test
//! program.

mod this_program;

use saiban::{
    Attempt, Clock, Error, Generator, Layout, LayoutSpec, Options, PooledEntropy, RandflakeGenerator, Scope, Secret,
    SnowflakeGenerator, SystemClock, UlidFlakeFormat, UlidFlakeGenerator,
};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use this_program::this_program;

/// The variable with a process's scheme and start tick; the test itself runs without it and starts
/// the processes.
const ROLE: &str = "SAIBAN_TEST_PROCESS";
const NOW_S: u64 = 1_763_700_000;

/// A clock that generators take for the process's own time, and that the test sets.
struct Set(AtomicU64);

impl Clock for Set {
    fn now_ns(&self) -> Result<u64, Error> {
        Ok(self.0.load(Ordering::Relaxed))
    }

    fn is_process_time(&self) -> bool {
        true
    }
}

/// Runs this test again as a separate process, and returns the IDs that it printed.
fn run_process(test: &str, role: &str) -> Vec<i64> {
    let output = this_program().args(["--exact", test, "--nocapture"]).env(ROLE, role).output().expect("a process");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{text}");
    text.lines().filter_map(|line| line.strip_prefix("ID ")).map(|id| id.parse().expect("an ID")).collect()
}

fn print(ids: &[i64]) {
    // The test harness may have begun this line.
    println!();
    for id in ids {
        println!("ID {id}");
    }
}

fn with_rollback() -> Layout {
    Layout::TWITTER.with_rollback_bits(2).expect("a layout")
}

/// Builds a generator of this scheme on this clock.
fn generator<'a>(scheme: &str, clock: &'a Set) -> Box<dyn Generator<Id = i64> + 'a> {
    let snowflake = |layout, options: Options| -> Box<dyn Generator<Id = i64> + 'a> {
        Box::new(SnowflakeGenerator::build(layout, &options, clock).expect("a generator"))
    };
    match scheme {
        "node" => snowflake(Layout::TWITTER, Options::node(1).scope(Scope::Process)),
        "shards" => snowflake(Layout::SONYFLAKE, Options::nodes(0..8).scope(Scope::Process).shards(4)),
        "rollback" => snowflake(with_rollback(), Options::node(1).scope(Scope::Process)),
        "randflake" => {
            let secret = Secret::new([3; 16]);
            Box::new(
                RandflakeGenerator::build(&secret, &Options::node(1).scope(Scope::Process), clock)
                    .expect("a generator"),
            )
        }
        _ => {
            let format = UlidFlakeFormat { scalability: Some(3), ..UlidFlakeFormat::default() };
            Box::new(
                UlidFlakeGenerator::build(format, &Options::default().scope(Scope::Process), clock, PooledEntropy)
                    .expect("a generator"),
            )
        }
    }
}

fn tick_ns(scheme: &str) -> u64 {
    match scheme {
        "randflake" => 1_000_000_000,
        "shards" => 10_000_000,
        _ => 1_000_000,
    }
}

const SCHEMES: [&str; 5] = ["node", "shards", "rollback", "randflake", "ulid-flake"];

#[test]
fn a_restart_inside_one_tick_repeats_nothing() {
    if let Ok(role) = std::env::var(ROLE) {
        let (scheme, tick) = role.split_once(' ').expect("scheme and tick");
        let tick: u64 = tick.parse().expect("a number");
        let time_ns = |tick: u64| NOW_S * 1_000_000_000 + tick * tick_ns(scheme);
        let clock = Set(AtomicU64::new(time_ns(tick)));
        let ids = generator(scheme, &clock);
        let mut made = Vec::new();
        for later in tick..tick + 2 {
            clock.0.store(time_ns(later), Ordering::Relaxed);
            for _ in 0..6 {
                match ids.try_generate() {
                    Ok(Attempt::Ready(id)) => made.push(id),
                    // A random part may reach the end of its field.
                    Ok(Attempt::Wait(_)) if later == tick || scheme == "ulid-flake" => {}
                    answer => panic!("{answer:?}"),
                }
            }
        }
        print(&made);
        return;
    }
    for scheme in SCHEMES {
        // Each process starts in the tick in which the one before ended.
        let mut all = HashSet::new();
        for tick in 0..4 {
            let ids = run_process("a_restart_inside_one_tick_repeats_nothing", &format!("{scheme} {tick}"));
            let asked = if scheme == "ulid-flake" { 1..=6 } else { 6..=6 };
            assert!(
                asked.contains(&ids.len()),
                "{scheme}: none in the tick of its birth, as many as asked for in the next"
            );
            assert!(ids.iter().all(|id| all.insert(*id)), "{scheme}: process {tick} repeats one before it");
        }
    }
}

#[test]
fn consecutive_processes_on_the_system_clock_repeat_nothing() {
    // A tick of 200 ms outlasts several processes.
    let spec = LayoutSpec::new().unused(1).timestamp(41).node(10).sequence(12).tick_us(200_000);
    let layout = spec.check().expect("a layout");
    if std::env::var(ROLE).is_ok() {
        let ids = SnowflakeGenerator::build(layout, &Options::node(1), SystemClock).expect("a generator");
        print(&[ids.generate().expect("an ID")]);
        return;
    }
    let all: Vec<i64> =
        (0..6).flat_map(|_| run_process("consecutive_processes_on_the_system_clock_repeat_nothing", "now")).collect();
    assert_eq!(all.len(), 6);
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "{all:?}");
}

#[test]
fn a_generator_with_a_last_used_time_begins_at_once() {
    let now_ms = NOW_S as i64 * 1_000;
    let clock = Set(AtomicU64::new(NOW_S * 1_000_000_000));
    let attempt = |options: Options| {
        let options = options.scope(Scope::Process);
        let ids = SnowflakeGenerator::build(Layout::INSTAGRAM, &options, &clock).expect("a generator");
        ids.try_generate().expect("an answer")
    };
    assert!(matches!(attempt(Options::node(1)), Attempt::Wait(_)));
    assert!(matches!(attempt(Options::node(1)), Attempt::Wait(_)), "made again in the same tick");
    // Nothing is waited for if the last ID is known, or is this process's own.
    assert!(matches!(attempt(Options::node(2).not_before(now_ms - 1)), Attempt::Ready(_)));
    assert!(matches!(attempt(Options::node(2).not_before(now_ms)), Attempt::Wait(_)));
    let (first, second) = (attempt(Options::node(2).not_before(now_ms - 1)), attempt(Options::node(2)));
    assert!(matches!((first, second), (Attempt::Ready(first), Attempt::Ready(second)) if first < second));
    // A custom clock may replay time.
    let manual = saiban::ManualClock::new(now_ms).expect("a time");
    let ids = SnowflakeGenerator::build(Layout::INSTAGRAM, &Options::node(1), &manual).expect("a generator");
    assert!(matches!(ids.try_generate(), Ok(Attempt::Ready(_))));
}

#[test]
fn a_generator_after_one_that_made_no_ids_does_not_begin_at_once() {
    let clock = Set(AtomicU64::new(0));
    let at = |ms: u64| clock.0.store(NOW_S * 1_000_000_000 + ms * 1_000_000, Ordering::Relaxed);
    let build = |options: Options| {
        SnowflakeGenerator::build(Layout::INSTAGRAM, &options.scope(Scope::Process), &clock).expect("a generator")
    };
    let is_ready = |ids: &dyn Generator<Id = i64>| matches!(ids.try_generate(), Ok(Attempt::Ready(_)));
    // These generators made no ID. Another process may have used the tick since, so the next
    // generator waits.
    drop(build(Options::node(20)));
    at(0);
    drop(build(Options::node(21).not_before(NOW_S as i64 * 1_000 - 9)));
    drop(build(Options::node(22)));
    at(7);
    for node in 20..23 {
        let ids = build(Options::node(node));
        assert!(!is_ready(&ids), "node {node}");
        at(8);
        // Another generator that is built meanwhile does not delay the first one.
        let other = build(Options::node(node));
        assert!(is_ready(&ids) && is_ready(&other), "node {node}");
        at(7);
    }
    // Both wait if the first one still exists.
    clock.0.store(0, Ordering::Relaxed);
    let first = build(Options::node(23));
    at(7);
    let second = build(Options::node(23));
    assert!(!is_ready(&first) && !is_ready(&second));
}

#[test]
fn a_clock_that_steps_about_while_a_generator_is_built_costs_waiting_and_no_more() {
    let at = |ms: u64| NOW_S * 1_000_000_000 + ms * 1_000_000;
    let clock = Set(AtomicU64::new(at(100)));
    for (node, policy) in (10..).zip(saiban::Rollback::ALL) {
        clock.0.store(at(100), Ordering::Relaxed);
        let options = Options::node(node).rollback(policy).scope(Scope::Process);
        let ids = SnowflakeGenerator::build(with_rollback(), &options, &clock).expect("a generator");
        for back in [50, 99, 100] {
            clock.0.store(at(back), Ordering::Relaxed);
            assert!(!matches!(ids.try_generate(), Ok(Attempt::Ready(_))), "{policy:?}: others may have been here");
        }
        clock.0.store(at(101), Ordering::Relaxed);
        let id = ids.generate().expect("an ID");
        assert_eq!(ids.inspect(id).expect("its own ID").timestamp_ms, Some(at(101) as i64 / 1_000_000));
    }
}

/// A clock that cannot be read at first.
struct Late(AtomicU64);

impl Clock for Late {
    fn now_ns(&self) -> Result<u64, Error> {
        match self.0.load(Ordering::Relaxed) {
            0 => Err(Error::ClockUnavailable),
            now_ns => Ok(now_ns),
        }
    }

    fn is_process_time(&self) -> bool {
        true
    }
}

#[test]
fn a_clock_that_cannot_be_read_by_build_does_not_let_a_generator_begin_at_once() {
    let clock = Late(AtomicU64::new(0));
    let build = || SnowflakeGenerator::build(Layout::INSTAGRAM, &Options::node(40).scope(Scope::Process), &clock);
    // The node's previous user may have used the tick that the clock shows when it can be read
    // again.
    assert!(matches!(build(), Err(Error::ClockUnavailable)));
    clock.0.store(NOW_S * 1_000_000_000, Ordering::Relaxed);
    let ids = build().expect("a generator");
    assert!(matches!(ids.try_generate(), Ok(Attempt::Wait(_))));
}

#[test]
fn processes_that_take_turns_with_a_node_repeat_nothing() {
    let clock = Set(AtomicU64::new(0));
    let at = |scheme: &str, tick: u64| NOW_S * 1_000_000_000 + tick * tick_ns(scheme);
    let first_of_two = |scheme: &str, tick: u64| {
        clock.0.store(at(scheme, tick), Ordering::Relaxed);
        let ids = generator(scheme, &clock);
        // The generator waits a tick, as `generate` does on an advancing clock.
        clock.0.store(at(scheme, tick + 1), Ordering::Relaxed);
        ids.generate().expect("an ID")
    };
    if let Ok(role) = std::env::var(ROLE) {
        let (scheme, tick) = role.split_once(' ').expect("scheme and tick");
        print(&[first_of_two(scheme, tick.parse().expect("a number"))]);
        return;
    }
    for scheme in SCHEMES {
        let mut all = HashSet::new();
        for tick in [0, 10, 20, 30] {
            // This process makes an ID; then, without a generator here, another process does,
            // possibly in the same tick; then this process tries again.
            let turns = [first_of_two(scheme, tick)];
            let others =
                run_process("processes_that_take_turns_with_a_node_repeat_nothing", &format!("{scheme} {}", tick + 1));
            for id in turns.into_iter().chain(others) {
                assert!(all.insert(id), "{scheme}: repeated in tick {tick}");
            }
            clock.0.store(at(scheme, tick + 2), Ordering::Relaxed);
            if let Ok(Attempt::Ready(id)) = generator(scheme, &clock).try_generate() {
                assert!(all.insert(id), "{scheme}: repeated in tick {tick}, where the other one was");
            }
        }
    }
}
