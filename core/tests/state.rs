//! Generators with a state file: no run of a program repeats an ID of an earlier run, whatever the
//! clock shows.

use saiban::clock::SystemClock;
use saiban::{
    Clock, Error, ErrorKind, Generator, Layout, ManualClock, Options, PooledEntropy, RandflakeGenerator, Rollback,
    Secret, SnowflakeGenerator, UlidFlakeFormat, UlidFlakeGenerator,
};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;

mod dice;
use dice::Dice;

const NOW_MS: i64 = 1_763_700_000_000;

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

fn new_place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ids.state");
    (folder, path)
}

fn snowflake<C: Clock>(options: Options, clock: C) -> Result<SnowflakeGenerator<C>, Error> {
    SnowflakeGenerator::build(Layout::TWITTER, &options, clock)
}

/// Builds a generator of every scheme, on this clock and with state files at this path.
fn every_scheme<'a>(path: &Path, clock: &'a ManualClock) -> Vec<Box<dyn Generator<Id = i64> + 'a>> {
    let file = |name: &str| path.with_extension(name);
    let scalable = UlidFlakeFormat { scalability: Some(3), ..UlidFlakeFormat::default() };
    let bits = Layout::TWITTER.with_rollback_bits(2).expect("a layout");
    let randflake = Options::node(7).state(file("randflake"));
    let ulid = Options::default().state(file("ulid"));
    vec![
        Box::new(snowflake(Options::node(7).state(file("one")), clock).expect("one node")),
        Box::new(snowflake(Options::nodes(10..15).shards(3).state(file("many")), clock).expect("many nodes")),
        Box::new(snowflake(Options::node(7).rollback(Rollback::Error).state(file("error")), clock).expect("an error")),
        Box::new(SnowflakeGenerator::build(bits, &Options::node(7).state(file("bits")), clock).expect("bits")),
        Box::new(RandflakeGenerator::build(&Secret::new([7; 16]), &randflake, clock).expect("Randflake")),
        Box::new(UlidFlakeGenerator::build(scalable, &ulid, clock, PooledEntropy).expect("Ulid-Flake")),
    ]
}

#[test]
fn a_program_started_again_repeats_nothing_though_the_clock_was_set_back() {
    let (_folder, path) = new_place();
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let mut seen: Vec<HashSet<i64>> = vec![HashSet::new(); 6];
    let mut dice = Dice::new(11);
    for round in 0..25_i64 {
        let generators = every_scheme(&path, &clock);
        assert_eq!(generators.len(), seen.len());
        let from_ms = clock.now_ms();
        for _ in 0..20 {
            for (ids, seen) in generators.iter().zip(&mut seen) {
                if let Ok(id) = ids.generate() {
                    assert!(seen.insert(id), "{} repeats {id} in round {round}", ids.scheme());
                }
            }
            clock.advance(dice.below(1_000) as i64).expect("a time");
        }
        drop(generators);
        // The clock goes to before this run, or forward, so that IDs are available in the end.
        clock.set(from_ms - 500 + (dice.below(4_000) as i64)).expect("a time");
    }
    for (index, seen) in seen.iter().enumerate() {
        assert!(seen.len() > 25, "the generator {index} made {} IDs only", seen.len());
    }
}

#[test]
fn a_clean_close_costs_no_tick() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let clock = ManualClock::new(NOW_MS)?;
    let first = snowflake(Options::node(7).state(&path), &clock)?;
    let id = first.generate()?;
    drop(first);
    // The tick in use is not used again; the next one is available at once.
    let second = snowflake(Options::node(7).state(&path), &clock)?;
    assert_eq!(kind(second.generate()), Some(ErrorKind::WouldWait));
    clock.advance(1)?;
    let next = second.inspect(second.generate()?)?;
    let reached_ms = second.inspect(id)?.timestamp_ms.expect("a time");
    assert_eq!(next.timestamp_ms, Some(reached_ms + 1));
    Ok(())
}

#[test]
fn a_clean_close_saves_the_ticks_of_every_value_of_the_rollback_bits() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let layout = Layout::TWITTER.with_rollback_bits(2)?;
    let build = |clock| SnowflakeGenerator::build(layout, &Options::node(7).state(&path), clock);
    // The first value is used up to NOW_MS. The second, after a step back of an hour, is used up to
    // half an hour after NOW_MS.
    let clock = ManualClock::new(NOW_MS)?;
    let ids = build(&clock)?;
    ids.generate()?;
    clock.set(NOW_MS - 3_600_000)?;
    ids.generate()?;
    clock.set(NOW_MS + 1_800_000)?;
    let last = ids.generate()?;
    assert_eq!(ids.inspect(last)?.rollback, Some(1));
    drop(ids);
    // After a restart the generator begins with the first value.
    clock.set(NOW_MS + 60_000)?;
    let ids = build(&clock)?;
    assert_eq!(kind(ids.generate()), Some(ErrorKind::ClockBackward), "the ticks of the second value are used");
    clock.set(NOW_MS + 1_800_001)?;
    assert!(ids.generate()? > 0);
    Ok(())
}

#[test]
fn a_clock_behind_the_state_file_is_reported_with_the_difference() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let clock = ManualClock::new(NOW_MS)?;
    snowflake(Options::node(7).state(&path), &clock)?.generate()?;
    clock.set(NOW_MS - 3_600_000)?;
    let error = snowflake(Options::node(7).state(&path), &clock)?.generate().expect_err("an hour behind");
    assert_eq!(error.kind(), ErrorKind::ClockBackward);
    assert!(error.to_string().contains("3600 s"), "{error}");
    Ok(())
}

#[test]
fn a_state_file_belongs_to_one_generator_format_and_node() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let clock = ManualClock::new(NOW_MS)?;
    let ids = snowflake(Options::node(7).state(&path), &clock)?;
    // A generator on a custom clock does not share its cursor, so it cannot share the file.
    assert_eq!(kind(snowflake(Options::node(7).state(&path), &clock)), Some(ErrorKind::StateInUse));
    drop(ids);
    assert_eq!(kind(snowflake(Options::node(8).state(&path), &clock)), Some(ErrorKind::StateMismatch));
    assert_eq!(kind(snowflake(Options::nodes(7..9).state(&path), &clock)), Some(ErrorKind::StateMismatch));
    let discord = SnowflakeGenerator::build(Layout::DISCORD, &Options::node(7).state(&path), &clock);
    assert_eq!(kind(discord), Some(ErrorKind::StateMismatch));
    let nowhere = Options::node(7).state(path.join("no").join("such"));
    assert_eq!(kind(snowflake(nowhere, &clock)), Some(ErrorKind::StateUnavailable));
    std::fs::write(&path, "something else").expect("a file");
    assert_eq!(kind(snowflake(Options::node(7).state(&path), &clock)), Some(ErrorKind::StateMismatch));
    Ok(())
}

#[test]
fn generators_of_one_node_in_a_process_have_the_same_state_file() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let with_file = || snowflake(Options::node(801).state(&path), SystemClock);
    let (first, second) = (with_file()?, with_file()?);
    assert_ne!(first.generate()?, second.generate()?);
    // A generator without the file would use ticks that the file does not record.
    assert_eq!(kind(SnowflakeGenerator::new(801)), Some(ErrorKind::NodeInUse));
    let other = path.with_extension("other");
    assert_eq!(kind(snowflake(Options::node(801).state(other), SystemClock)), Some(ErrorKind::NodeInUse));
    drop(first);
    assert_eq!(kind(SnowflakeGenerator::new(801)), Some(ErrorKind::NodeInUse));
    drop(second);
    SnowflakeGenerator::new(801)?.generate()?;
    // The file then records the IDs that were issued without it.
    let third = with_file()?;
    let id = third.generate()?;
    assert_eq!(kind(SnowflakeGenerator::new(801)), Some(ErrorKind::NodeInUse));
    assert!(third.inspect(id)?.timestamp_ms > Some(0));
    Ok(())
}

#[test]
fn a_generator_that_allows_collisions_is_refused_a_state_file() {
    let (_folder, path) = new_place();
    let format = UlidFlakeFormat { allow_collisions: true, ..UlidFlakeFormat::default() };
    let ids = UlidFlakeGenerator::build(format, &Options::default().state(path), SystemClock, PooledEntropy);
    assert_eq!(kind(ids), Some(ErrorKind::InvalidArgument));
}

/// A clock that advances by `step_ns` with each reading, like a disk that takes this long for each
/// save. Waits advance it too. It fails after a few hundred readings, so an endless loop is
/// detected.
struct Going {
    now_ns: AtomicU64,
    step_ns: u64,
    readings: AtomicU64,
}

impl Going {
    fn new(step_ns: u64) -> Self {
        Going { now_ns: AtomicU64::new(NOW_MS as u64 * 1_000_000), step_ns, readings: AtomicU64::new(0) }
    }
}

impl Clock for Going {
    fn now_ns(&self) -> Result<u64, Error> {
        if self.readings.fetch_add(1, Ordering::Relaxed) >= 500 {
            return Err(Error::ClockUnavailable);
        }
        Ok(self.now_ns.fetch_add(self.step_ns, Ordering::Relaxed))
    }

    fn wait(&self, duration: Duration) -> bool {
        self.now_ns.fetch_add(duration.as_nanos() as u64, Ordering::Relaxed);
        true
    }
}

#[test]
fn a_disk_slower_than_a_step_slows_down_and_keeps_no_caller_waiting_for_ever() -> Result<(), Error> {
    let (_folder, path) = new_place();
    // Each save takes longer than the 100 ms that it reserves.
    let clock = Going::new(150_000_000);
    let bits = Layout::TWITTER.with_rollback_bits(2)?;
    for (layout, file) in [(Layout::TWITTER, "one"), (bits, "bits")] {
        let ids = SnowflakeGenerator::build(layout, &Options::node(7).state(path.with_extension(file)), &clock)?;
        let before = clock.readings.load(Ordering::Relaxed);
        let made: HashSet<i64> = (0..20).map(|_| ids.generate()).collect::<Result<_, _>>()?;
        assert_eq!(made.len(), 20);
        assert_eq!(clock.readings.load(Ordering::Relaxed) - before, 20, "each tick that was saved is used");
    }
    Ok(())
}

/// A clock whose reading lets another user of the generator take the free ticks and save; then it
/// advances by more than that save reserves.
struct Rival {
    going: Going,
    ids: OnceLock<Weak<SnowflakeGenerator<Arc<Rival>>>>,
    inside: AtomicBool,
    taken: Mutex<Vec<i64>>,
}

impl Clock for Rival {
    fn now_ns(&self) -> Result<u64, Error> {
        if let Some(ids) = self.ids.get().and_then(Weak::upgrade) {
            if !self.inside.swap(true, Ordering::Relaxed) {
                let id = ids.generate()?;
                self.taken.lock().expect("no panic").push(id);
                self.inside.store(false, Ordering::Relaxed);
            }
        }
        self.going.now_ns()
    }
}

#[test]
fn on_a_slow_disk_no_thread_saves_for_others_for_ever() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let bits = Layout::TWITTER.with_rollback_bits(2)?;
    for policy in Rollback::ALL {
        let layout = if policy == Rollback::Bits { bits } else { Layout::TWITTER };
        let clock = Arc::new(Rival {
            going: Going::new(150_000_000),
            ids: OnceLock::new(),
            inside: AtomicBool::new(false),
            taken: Mutex::default(),
        });
        let options = Options::node(7).state(path.with_extension(policy.name())).rollback(policy);
        let ids = Arc::new(SnowflakeGenerator::build(layout, &options, Arc::clone(&clock))?);
        clock.ids.set(Arc::downgrade(&ids)).expect("it is set once");
        let mut made: HashSet<i64> = (0..20).map(|_| ids.generate()).collect::<Result<_, _>>()?;
        assert_eq!(made.len(), 20);
        made.extend(clock.taken.lock().expect("no panic").iter());
        assert_eq!(made.len(), 40, "{policy:?}: one ID of the other's for each of ours, and none the same");
    }
    Ok(())
}

#[test]
fn after_a_crash_the_saved_ticks_are_waited_for_by_every_policy() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let bits = Layout::TWITTER.with_rollback_bits(2)?;
    for policy in Rollback::ALL {
        let clock = Going::new(0);
        let (file, copy) = (path.with_extension(policy.name()), path.with_extension("copy"));
        let build = |path: &Path| -> Result<SnowflakeGenerator<&Going>, Error> {
            SnowflakeGenerator::build(bits, &Options::node(7).state(path).rollback(policy), &clock)
        };
        let crashed = build(&file)?;
        let before = crashed.generate()?;
        // After a crash the file has the reserved ticks, but not the last one used.
        std::fs::copy(&file, &copy).expect("a copy");
        clock.wait(Duration::from_millis(3));
        let after = build(&copy)?.generate().expect("an ID of the first tick that was not saved");
        let time_ms = |id| crashed.inspect(id).map(|parts| parts.timestamp_ms.expect("a time"));
        assert_eq!(time_ms(after)? - time_ms(before)?, 100, "{policy:?}: the clock has not stepped back");
    }
    Ok(())
}
