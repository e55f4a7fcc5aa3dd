//! A generator's statistics match its IDs, waits and steps back.

use saiban::cursor::LocalCursor;
use saiban::{
    Clock, Error, Generator, Guarantee, Layout, LayoutSpec, ManualClock, Options, PooledEntropy, RandflakeGenerator,
    Rollback, Scope, Secret, SnowflakeGenerator, Stats, SystemClock, UlidFlakeFormat, UlidFlakeGenerator,
    UlidGenerator,
};
use std::cell::Cell;
use std::time::Duration;

const NOW_MS: i64 = 1_763_700_000_000;

fn stats(ids: &dyn Generator<Id = i64>) -> Stats {
    ids.stats().expect("a clock that can be read")
}

/// A layout with four IDs per tick, node and rollback value.
fn small() -> Layout {
    LayoutSpec::new().unused(1).timestamp(50).node(9).rollback(2).sequence(2).check().expect("a layout")
}

#[test]
fn issued_is_exact_after_every_call_over_nodes_blocks_and_steps_of_the_clock() {
    for options in [
        Options::node(1),
        Options::nodes(0..3),
        Options::nodes(0..5).shards(2),
        Options::nodes(0..3).rollback(Rollback::Hold),
        Options::nodes(0..3).rollback(Rollback::Error),
    ] {
        let clock = ManualClock::new(NOW_MS).expect("a time");
        let shared = SnowflakeGenerator::build(small(), &options, &clock).expect("a generator");
        let local: SnowflakeGenerator<_, LocalCursor> =
            SnowflakeGenerator::with_cursor(small(), &options, &clock).expect("a generator");
        for ids in [&shared as &dyn Generator<Id = i64>, &local] {
            clock.set(NOW_MS).expect("a time");
            let mut issued = 0;
            let mut block = [0; 9];
            for turn in 0..500_usize {
                issued += ids.fill(&mut block[..1 + turn % 9]).unwrap_or(0) as u64;
                issued += u64::from(ids.generate().is_ok());
                assert_eq!(stats(ids).issued, issued, "{options:?}, turn {turn}");
                let step = [0, 1, 3, -2, 0, -1, 2, 1][turn % 8];
                clock.advance(step).expect("a time");
            }
            assert!(issued > 500, "{issued}");
        }
    }
}

#[test]
fn random_parts_are_counted_one_by_one() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = UlidFlakeGenerator::build(UlidFlakeFormat::default(), &Options::default(), &clock, PooledEntropy)
        .expect("a generator");
    let mut issued = 0;
    for turn in 0..200 {
        issued += ids.fill(&mut [0; 7]).unwrap_or(0) as u64;
        assert_eq!(stats(&ids).issued, issued);
        clock.advance(turn % 3 - 1).expect("a time");
    }
}

#[test]
fn generators_that_share_a_cursor_report_one_count_and_later_ones_continue_it() -> Result<(), Error> {
    // The registry applies to the system clock; no other test of this program uses these nodes.
    type Local = SnowflakeGenerator<SystemClock, LocalCursor>;
    let build = || SnowflakeGenerator::build(Layout::TWITTER, &Options::node(300).scope(Scope::Process), SystemClock);
    let (one, other) = (build()?, build()?);
    one.generate_many(5_000)?;
    other.generate_many(3_001)?;
    assert_eq!((stats(&one).issued, stats(&other).issued), (8_001, 8_001));
    drop((one, other));
    let local = Local::with_cursor(Layout::TWITTER, &Options::node(300).scope(Scope::Process), SystemClock)?;
    assert_eq!(stats(&local).issued, 8_001);
    local.generate_many(4_100)?;
    drop(local);
    // A generator with another range counts separately, and does not change this count.
    let range =
        SnowflakeGenerator::build(Layout::TWITTER, &Options::nodes(298..302).scope(Scope::Process), SystemClock)?;
    range.generate_many(10)?;
    assert_eq!(stats(&range).issued, 10);
    drop(range);
    let again = build()?;
    assert_eq!(stats(&again).issued, 12_101);
    again.generate()?;
    assert_eq!(stats(&again).issued, 12_102);
    Ok(())
}

#[test]
fn threads_lose_no_count() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let layout = LayoutSpec::new().unused(1).timestamp(50).node(10).sequence(3).check().expect("a layout");
    let ids = SnowflakeGenerator::build(layout, &Options::nodes(0..5), &clock).expect("a generator");
    let make = || {
        let mut issued = 0;
        for turn in 0..20_000 {
            issued += match turn % 2 {
                0 => u64::from(ids.generate().is_ok()),
                _ => ids.fill(&mut [0; 11]).unwrap_or(0) as u64,
            };
            clock.advance(i64::from(turn % 3 == 0)).expect("a time");
        }
        issued
    };
    let issued: u64 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(make)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread that ends well")).sum()
    });
    assert_eq!(stats(&ids).issued, issued);
}

#[test]
fn threads_lose_no_count_of_wide_positions() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids: UlidGenerator<_> = UlidGenerator::build(&Options::default(), &clock, PooledEntropy).expect("a generator");
    let make = || {
        let mut issued = 0;
        for turn in 0..20_000 {
            issued += match turn % 2 {
                0 => u64::from(ids.generate().is_ok()),
                _ => ids.fill(&mut [0; 3]).unwrap_or(0) as u64,
            };
            clock.advance(i64::from(turn % 50 == 0)).expect("a time");
        }
        issued
    };
    let issued: u64 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(make)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread that ends well")).sum()
    });
    assert!(issued >= 4 * 40_000, "{issued}");
    assert_eq!(ids.stats().expect("stats").issued, issued);
}

/// A clock that advances by each wait.
struct Patient(Cell<u64>);

impl Clock for Patient {
    fn now_ns(&self) -> Result<u64, Error> {
        Ok(self.0.get())
    }

    fn wait(&self, duration: Duration) -> bool {
        self.0.set(self.0.get() + duration.as_nanos() as u64);
        true
    }
}

#[test]
fn every_wait_is_counted_and_nothing_else_is() {
    let clock = Patient(Cell::new(NOW_MS as u64 * 1_000_000));
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(1), &clock).expect("a generator");
    ids.generate_many(4096).expect("a tick");
    assert_eq!(stats(&ids).waits, 0);
    assert!(ids.try_generate().is_ok());
    assert_eq!(stats(&ids).waits, 0, "who tries does not wait");
    ids.generate().expect("an ID");
    assert_eq!(stats(&ids).waits, 1);
    ids.generate_many(3 * 4096).expect("three ticks");
    assert_eq!(stats(&ids).waits, 4);
    clock.0.set(clock.0.get() - 60_000_000_000);
    ids.generate_many(4095).expect("the rest of the tick");
    assert!(ids.generate().is_err());
    assert_eq!(stats(&ids).waits, 4, "what would be too long is not begun");
}

#[test]
fn a_rollback_is_counted_once_for_each_step_back() {
    for policy in Rollback::ALL {
        let clock = ManualClock::new(NOW_MS).expect("a time");
        let ids = SnowflakeGenerator::build(small(), &Options::node(1).rollback(policy), &clock).expect("a generator");
        let ask = |times: usize| (0..times).filter(|_| ids.generate().is_ok()).count();
        assert_eq!((ask(2), stats(&ids).rollbacks), (2, 0));
        clock.advance(1).expect("a time");
        assert!(ask(9) == 4 && stats(&ids).rollbacks == 0, "{policy:?}: a used-up tick is no step back");
        for step in 1..=3 {
            clock.advance(-1_000).expect("a time");
            ask(9);
            assert_eq!(stats(&ids).rollbacks, step, "{policy:?}");
            clock.advance(2_000).expect("a time");
            ask(2);
            assert_eq!(stats(&ids).rollbacks, step, "{policy:?}: forward again");
        }
    }
}

#[test]
fn a_step_back_that_is_held_first_and_then_counted_in_the_id_is_counted_once() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let layout = LayoutSpec::new().unused(1).timestamp(50).node(10).rollback(1).sequence(2).check().expect("a layout");
    let ids = SnowflakeGenerator::build(layout, &Options::node(1), &clock).expect("a generator");
    let at = |ms: i64| {
        clock.set(NOW_MS + ms).expect("a time");
        ids.generate().map(|id| ids.inspect(id).expect("its own ID").rollback.expect("rollback bits"))
    };
    assert_eq!(at(100), Ok(0));
    assert_eq!(at(50), Ok(1));
    assert_eq!(at(200), Ok(1));
    assert_eq!(stats(&ids).rollbacks, 1);
    // The clock is behind both values: the generator holds until it reaches the other value's time.
    assert_eq!(at(20), Ok(1));
    assert_eq!(stats(&ids).rollbacks, 2);
    assert_eq!(at(120), Ok(0));
    assert_eq!(stats(&ids).rollbacks, 2, "the same step");
    assert_eq!(at(119), Ok(0), "held again");
    assert_eq!(stats(&ids).rollbacks, 3);
}

#[test]
fn the_time_left_ends_with_the_window_or_the_format() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let left_ms = |ids: &dyn Generator<Id = i64>, now_ms: i64| {
        clock.set(now_ms).expect("a time");
        stats(ids).time_left_ms
    };
    let window = Options::node(1).window(NOW_MS..NOW_MS + 5_000);
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &window, &clock).expect("a generator");
    assert_eq!(left_ms(&ids, NOW_MS), 5_000);
    assert_eq!(left_ms(&ids, NOW_MS + 4_999), 1);
    assert_eq!(left_ms(&ids, NOW_MS + 5_000), 0);
    assert_eq!(left_ms(&ids, NOW_MS + 9_000), 0);
    assert_eq!(left_ms(&ids, NOW_MS - 1_000), 6_000);
    for (_, layout) in Layout::PRESETS.into_iter().filter(|(_, layout)| layout.has_node() && layout.last_ms() > NOW_MS)
    {
        let ids = SnowflakeGenerator::build(layout, &Options::node(1), &clock).expect("a generator");
        let end_ms = layout.tick_start_ms(layout.ticks());
        assert_eq!(left_ms(&ids, NOW_MS), (end_ms - NOW_MS) as u64);
        assert_eq!(left_ms(&ids, end_ms), 0);
    }
    let ids = RandflakeGenerator::build(&Secret::new([1; 16]), &Options::node(1), &clock).expect("a generator");
    assert_eq!(left_ms(&ids, 2_803_741_823_000), 1_000, "the last second of the format");
}

#[test]
fn each_generator_reports_its_guarantee() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let snowflake = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(1), &clock).expect("a generator");
    let randflake = RandflakeGenerator::build(&Secret::new([1; 16]), &Options::node(1), &clock).expect("a generator");
    assert_eq!(stats(&snowflake).guarantee, Guarantee::Unique);
    assert_eq!(stats(&randflake).guarantee, Guarantee::Unique);
    for (scalability, allow_collisions, guarantee, name) in [
        (None, false, Guarantee::UniqueInProcess, "unique_in_process"),
        (Some(1), false, Guarantee::Unique, "unique"),
        (None, true, Guarantee::Probable, "probable"),
        (Some(1), true, Guarantee::Probable, "probable"),
    ] {
        let format = UlidFlakeFormat { scalability, allow_collisions, ..UlidFlakeFormat::default() };
        let ids = UlidFlakeGenerator::build(format, &Options::default(), &clock, PooledEntropy).expect("a generator");
        assert_eq!(stats(&ids).guarantee, guarantee);
        assert_eq!((guarantee.name(), guarantee.to_string()), (name, name.to_owned()));
    }
}
