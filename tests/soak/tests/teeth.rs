//! Tests that the soak finds generators that repeat an ID, even if only once, and that it stops at
//! errors that are not about uniqueness.

use saiban::generator::Stats;
use saiban::{
    Attempt, ComposeParts, Error, ErrorKind, Generator, Layout, ManualClock, Options, OsEntropy, Parts, Scheme,
    SnowflakeGenerator, TickIdGenerator, TickOrder, WideFlakeGenerator,
};
use saiban_soak::{Failure, Fleet, Ids, JumpingClock, Own, Plan, SUBJECTS, soak};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const NOW_MS: i64 = 1_763_700_000_000;
const IDS: u64 = 600_000;

/// 1 MiB holds 131,072 IDs, so 600,000 IDs make five runs.
fn plan(folder: &tempfile::TempDir) -> Plan {
    Plan { threads: 4, ids: IDS, until: None, compare_s: 0.0, memory: 1 << 20, folder: folder.path().into(), seed: 3 }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn snowflake(options: &Options, clock: &Arc<ManualClock>) -> Ids {
    Box::new(SnowflakeGenerator::build(Layout::TWITTER, options, Arc::clone(clock)).expect("a generator"))
}

/// A generator that returns one of its earlier IDs again, once.
struct Forgetful {
    ids: Ids,
    made: AtomicU64,
    /// The index of the ID that will be repeated.
    first_at: u64,
    /// The index at which the ID is repeated.
    again_at: u64,
    first: AtomicU64,
}

impl Forgetful {
    fn pass(&self, id: i64) -> i64 {
        let number = self.made.fetch_add(1, Ordering::SeqCst);
        if number == self.first_at {
            self.first.store(id as u64, Ordering::SeqCst);
        }
        if number == self.again_at { self.first.load(Ordering::SeqCst) as i64 } else { id }
    }
}

impl Generator for Forgetful {
    type Id = i64;

    fn scheme(&self) -> Scheme {
        self.ids.scheme()
    }

    fn try_generate(&self) -> Result<Attempt, Error> {
        Ok(match self.ids.try_generate()? {
            Attempt::Ready(id) => Attempt::Ready(self.pass(id)),
            wait => wait,
        })
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt, Error> {
        self.ids.try_generate_within(left)
    }

    fn generate(&self) -> Result<i64, Error> {
        self.ids.generate().map(|id| self.pass(id))
    }

    fn fill(&self, ids: &mut [i64]) -> Result<usize, Error> {
        let made = self.ids.fill(ids)?;
        ids[..made].iter_mut().for_each(|id| *id = self.pass(*id));
        Ok(made)
    }

    fn stats(&self) -> Result<Stats, Error> {
        self.ids.stats()
    }

    fn compose(&self, parts: &ComposeParts) -> Result<i64, Error> {
        self.ids.compose(parts)
    }

    fn inspect(&self, id: i64) -> Result<Parts, Error> {
        self.ids.inspect(id)
    }

    fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<i64>, Error> {
        self.ids.range(start_ms, end_ms)
    }
}

#[test]
fn one_id_that_is_given_twice_among_all_is_found() {
    // At once, within a block, across blocks and runs, and as the last ID.
    for (first_at, again_at) in [(0, 1), (7, 900), (5, 300_000), (200_000, 430_000), (0, IDS - 1)] {
        let (folder, clock) = (folder(), JumpingClock::new(NOW_MS, 1).expect("a clock"));
        let ids = snowflake(&Options::nodes(0..16), &clock.clock);
        let (made, first) = (AtomicU64::new(0), AtomicU64::new(0));
        let shared: Vec<Ids> = vec![Box::new(Forgetful { ids, made, first_at, again_at, first })];
        let outcome = soak(&Fleet { shared, own: Vec::new() }, &clock, &plan(&folder)).expect("a soak");
        let report = outcome.report;
        assert_eq!((report.ids, report.distinct, report.repeated), (IDS, IDS - 1, 1), "{first_at} and {again_at}");
        assert_eq!(report.most[0].times, 2);
    }
}

#[test]
fn two_generators_that_have_one_node_are_found() {
    let (folder, clock) = (folder(), JumpingClock::new(NOW_MS, 1).expect("a clock"));
    let shared = [0..8, 0..16].map(|nodes| snowflake(&Options::nodes(nodes), &clock.clock)).into();
    let outcome = soak(&Fleet { shared, own: Vec::new() }, &clock, &plan(&folder)).expect("a soak");
    assert!(outcome.report.repeated > 0, "{outcome:?}");
}

#[test]
fn a_restart_that_loses_the_last_time_is_found() {
    let (folder, clock) = (folder(), JumpingClock::new(NOW_MS, 1).expect("a clock"));
    let own = |thread: u64| {
        let clock = Arc::clone(&clock.clock);
        Own::new(1, move |_| Ok(snowflake(&Options::node(thread), &clock)))
    };
    let fleet = Fleet { shared: Vec::new(), own: (0..4).map(own).collect() };
    let outcome = soak(&fleet, &clock, &plan(&folder)).expect("a soak");
    assert!(outcome.tally.restarts > 0 && outcome.report.repeated > 0, "{outcome:?}");
}

/// Builds a generator of 128-bit IDs, whose position has more than 63 bits.
fn wide_flake(options: &Options, clock: &Arc<ManualClock>) -> Ids<u128> {
    let layout = Layout::from_text("timestamp:56 unused:47 node:16 sequence:9").expect("a layout");
    Box::new(WideFlakeGenerator::build(layout, options, Arc::clone(clock), OsEntropy).expect("a generator"))
}

#[test]
fn two_wide_generators_that_have_one_node_are_found() {
    let (folder, clock) = (folder(), JumpingClock::new(NOW_MS, 1).expect("a clock"));
    let shared = [0..8, 7..16].map(|nodes| wide_flake(&Options::nodes(nodes), &clock.clock)).into();
    let outcome = soak(&Fleet { shared, own: Vec::new() }, &clock, &plan(&folder)).expect("a soak");
    assert!(outcome.report.repeated > 0, "{outcome:?}");
    assert!(outcome.report.most.iter().all(|repeat| repeat.id >> 9 & 0xffff == 7), "{outcome:?}");
}

#[test]
fn a_wide_restart_that_loses_the_last_time_is_found() {
    let (folder, clock) = (folder(), JumpingClock::new(NOW_MS, 1).expect("a clock"));
    let own = |thread: u64| {
        let clock = Arc::clone(&clock.clock);
        Own::new(1, move |_| Ok(wide_flake(&Options::node(thread), &clock)))
    };
    let fleet = Fleet { shared: Vec::new(), own: (0..4).map(own).collect() };
    let outcome = soak(&fleet, &clock, &plan(&folder)).expect("a soak");
    assert!(outcome.tally.restarts > 0 && outcome.report.repeated > 0, "{outcome:?}");
}

#[test]
fn tick_ids_of_generators_that_do_not_count_together_are_found() {
    for order in TickOrder::ALL {
        let (folder, clock) = (folder(), JumpingClock::new(NOW_MS, 1).expect("a clock"));
        // With a clock of the caller's own, each generator has its own cursor, and the random
        // digits are few.
        let ids = || TickIdGenerator::build(order, &Options::default(), Arc::clone(&clock.clock), OsEntropy);
        let shared: Vec<Ids<u128>> = vec![Box::new(ids().expect("a generator")), Box::new(ids().expect("a generator"))];
        let outcome = soak(&Fleet { shared, own: Vec::new() }, &clock, &plan(&folder)).expect("a soak");
        assert!(outcome.report.repeated > 0, "{order:?}: {outcome:?}");
    }
}

#[test]
fn a_restart_without_the_state_file_is_found() {
    let (folder, files, clock) = (folder(), folder(), JumpingClock::new(NOW_MS, 1).expect("a clock"));
    let own = |thread: u64| {
        let (clock, path) = (Arc::clone(&clock.clock), files.path().join(format!("{thread}.state")));
        Own::with_state(path, move |path| {
            // The file is gone, as after a restart in a container that does not keep the folder.
            let _ = std::fs::remove_file(path);
            Ok(snowflake(&Options::node(thread).state(path), &clock))
        })
    };
    let fleet = Fleet { shared: Vec::new(), own: (0..4).map(own).collect() };
    let outcome = soak(&fleet, &clock, &plan(&folder)).expect("a soak");
    assert!(outcome.tally.crashes > 0 && outcome.tally.restarts > outcome.tally.crashes, "{outcome:?}");
    assert!(outcome.report.repeated > 0, "{outcome:?}");
}

#[test]
fn an_error_that_no_jump_explains_ends_the_soak() {
    let (folder, clock) = (folder(), JumpingClock::new(NOW_MS, 1).expect("a clock"));
    let shared = vec![snowflake(&Options::node(1).window(NOW_MS - 1_000..NOW_MS + 20), &clock.clock)];
    let failure = soak(&Fleet { shared, own: Vec::new() }, &clock, &plan(&folder)).expect_err("the window is over");
    assert!(matches!(failure, Failure::Ids(error) if error.kind() == ErrorKind::LeaseExpired), "{failure}");
}

#[test]
fn the_soak_reserves_the_time_that_comparing_takes() {
    let an_hour = Duration::from_secs(3_600);
    // No time at all, and less time than the comparison of the first IDs would take.
    for (left, compare_s) in [(Duration::ZERO, 0.0), (an_hour, 1.0)] {
        let (folder, clock) = (folder(), JumpingClock::new(NOW_MS, 1).expect("a clock"));
        let shared = vec![snowflake(&Options::nodes(0..16), &clock.clock)];
        let plan = Plan { until: Some(Instant::now() + left), compare_s, ..plan(&folder) };
        let outcome = soak(&Fleet { shared, own: Vec::new() }, &clock, &plan).expect("a soak");
        assert!((1..IDS).contains(&outcome.report.ids), "{outcome:?}");
    }
}

#[test]
fn a_check_that_cannot_write_ends_the_soak() {
    let (folder, clock) = (folder(), JumpingClock::new(NOW_MS, 1).expect("a clock"));
    let shared = vec![snowflake(&Options::nodes(0..16), &clock.clock)];
    let plan = Plan { folder: folder.path().join("nowhere"), ..plan(&folder) };
    let failure = soak(&Fleet { shared, own: Vec::new() }, &clock, &plan).expect_err("there is no folder");
    assert!(matches!(failure, Failure::Check(_)), "{failure}");
}

#[test]
fn every_subject_meets_its_faults_and_repeats_nothing() {
    for subject in SUBJECTS {
        let (files, folder) = (folder(), folder());
        let (clock, fleet) = subject.prepare(4, files.path()).expect("generators");
        // A generator that never refuses has few turns in which the clock may jump. By chance, none
        // of these may have a fault.
        let meets_its_faults = (0..500).any(|seed| {
            // Another seed each time. With an equal seed, a clock that jumps rarely by now would
            // never jump again.
            let outcome = fleet.soak(&clock, &Plan { ids: 200_000, seed, ..plan(&folder) }).expect("a soak");
            let report = &outcome.report;
            assert_eq!((report.ids, report.repeated), (200_000, 0), "{}: {outcome:?}", subject.name);
            assert!(std::fs::read_dir(&folder).expect("the folder is there").next().is_none());
            // The counts include all soaks with this clock.
            outcome.jumps.back > 0 && outcome.jumps.frozen > 0
        });
        assert!(meets_its_faults, "{}", subject.name);
    }
}
