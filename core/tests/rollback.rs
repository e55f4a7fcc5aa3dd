//! When the clock steps back, a generator holds, refuses, or counts the step in the ID, and never
//! repeats an ID.

use saiban::clock::SystemClock;
use saiban::cursor::LocalCursor;
use saiban::{
    Attempt, Error, ErrorKind, Generator, Layout, LayoutProblem, LayoutSpec, ManualClock, Options, Parts, Rollback,
    SnowflakeGenerator,
};
use std::collections::HashSet;
use std::time::Duration;

const NOW_MS: i64 = 1_763_700_000_000;

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

fn with_bits(bits: u32) -> Layout {
    Layout::TWITTER.with_rollback_bits(bits).expect("a layout")
}

fn generator(layout: Layout, options: Options, clock: &ManualClock) -> SnowflakeGenerator<&ManualClock> {
    SnowflakeGenerator::build(layout, &options, clock).expect("a generator")
}

fn next(ids: &SnowflakeGenerator<&ManualClock>) -> Parts {
    ids.inspect(ids.generate().expect("an ID")).expect("its own ID")
}

// The policy `Hold`.

#[test]
fn the_hold_policy_continues_in_the_reached_tick_and_then_reports_how_far_the_clock_is_behind() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = generator(Layout::TWITTER, Options::node(1), &clock);
    let mut made = vec![ids.generate().expect("an ID")];
    clock.advance(-60_000).expect("a time");
    made.extend(ids.generate_many(4095).expect("the rest of the tick"));
    assert!(made.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(made.iter().all(|id| ids.inspect(*id).expect("its own ID").timestamp_ms == Some(NOW_MS)));
    let used_up = Error::ClockBackward { behind_ns: 60_001_000_000, max_wait_ns: 2_000_000 };
    assert_eq!(ids.generate(), Err(used_up), "the next tick begins a minute and a millisecond from now");
    assert_eq!(kind(ids.try_generate()), Some(ErrorKind::ClockBackward));
    clock.set(NOW_MS + 1).expect("a time");
    assert_eq!(next(&ids).timestamp_ms, Some(NOW_MS + 1));
}

// The policy `Error`.

#[test]
fn the_error_policy_refuses_at_once_and_continues_when_the_clock_returns() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let options = Options::node(1).rollback(Rollback::Error).max_wait(Duration::from_secs(3_600));
    let ids = generator(Layout::TWITTER, options, &clock);
    let before = ids.generate().expect("an ID");
    clock.advance(-5).expect("a time");
    let behind = Error::ClockBackward { behind_ns: 5_000_000, max_wait_ns: 0 };
    assert_eq!(ids.generate(), Err(behind), "though the tick has IDs left, and the wait would be allowed");
    assert_eq!(ids.try_generate(), Err(behind));
    assert_eq!(ids.try_generate_within(Duration::from_secs(1)), Err(behind));
    assert_eq!(ids.fill(&mut [0; 4]), Err(behind));
    clock.advance(5).expect("a time");
    assert_eq!(ids.generate(), Ok(before + 1));
    // A tick without free IDs is not a step back.
    ids.generate_many(4094).expect("the rest of the tick");
    assert_eq!(ids.try_generate(), Ok(Attempt::Wait(Duration::from_millis(1))));
    clock.advance(-1).expect("a time");
    assert_eq!(ids.generate(), Err(Error::ClockBackward { behind_ns: 1_000_000, max_wait_ns: 0 }));
}

// The policy `Bits`.

#[test]
fn a_step_back_is_counted_in_the_id_and_the_time_is_the_clocks() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = generator(with_bits(2), Options::node(1), &clock);
    let summary = |parts: Parts| (parts.timestamp_ms.expect("a time") - NOW_MS, parts.rollback, parts.sequence);
    assert_eq!(summary(next(&ids)), (0, Some(0), Some(0)));
    clock.advance(-1_000).expect("a time");
    assert_eq!(summary(next(&ids)), (-1_000, Some(1), Some(0)), "at once, and at the clock's time");
    assert_eq!(summary(next(&ids)), (-1_000, Some(1), Some(1)));
    clock.advance(5_000).expect("a time");
    assert_eq!(summary(next(&ids)), (4_000, Some(1), Some(0)), "a step forward is none to count");
    clock.advance(-1).expect("a time");
    assert_eq!(summary(next(&ids)), (3_999, Some(2), Some(0)));
    clock.advance(-1).expect("a time");
    assert_eq!(summary(next(&ids)), (3_998, Some(3), Some(0)));
    clock.advance(-1).expect("a time");
    assert_eq!(summary(next(&ids)), (3_997, Some(0), Some(0)), "the first value is free again: its last ID is older");
}

#[test]
fn past_the_last_rollback_value_a_generator_holds_and_never_repeats() {
    // A tick has four IDs, so it is soon used up.
    for bits in 1..=4 {
        let spec = LayoutSpec::new().unused(1).timestamp(50).node(11 - bits).rollback(bits).sequence(2);
        let clock = ManualClock::new(NOW_MS).expect("a time");
        let ids = generator(spec.check().expect("a layout"), Options::node(1), &clock);
        let mut all = HashSet::new();
        for step in 0..1_i64 << bits {
            clock.set(NOW_MS - step).expect("a time");
            let parts = next(&ids);
            assert_eq!((parts.rollback, parts.timestamp_ms), (Some(step as u64), Some(NOW_MS - step)));
            assert!(all.insert(parts.id));
        }
        // Every value is ahead of the clock now: only the rest of the reached tick is free.
        let last_ms = NOW_MS - (1 << bits) + 1;
        clock.set(last_ms - 1_000).expect("a time");
        for _ in 0..3 {
            let parts = next(&ids);
            assert_eq!((parts.rollback, parts.timestamp_ms), (Some((1 << bits) - 1), Some(last_ms)));
            assert!(all.insert(parts.id));
        }
        assert_eq!(kind(ids.generate()), Some(ErrorKind::ClockBackward));
        assert_eq!(kind(ids.generate()), Some(ErrorKind::ClockBackward), "however often it is asked");
        // The generator continues as the clock returns, and repeats no ID over the replayed time.
        let mut refused = 0;
        for ms in last_ms..NOW_MS + 5 {
            clock.set(ms).expect("a time");
            while let Ok(id) = ids.generate() {
                assert!(all.insert(id.into()), "{bits} bits: {id} came twice");
            }
            refused += 1;
        }
        assert!(refused > 0 && all.len() > 20);
    }
}

#[test]
fn a_clock_that_swings_for_ever_repeats_nothing() {
    for (layout, policy) in
        [(with_bits(2), Rollback::Bits), (with_bits(2), Rollback::Hold), (with_bits(1), Rollback::Error)]
    {
        let clock = ManualClock::new(NOW_MS).expect("a time");
        let ids = generator(layout, Options::nodes(3..6).rollback(policy), &clock);
        let local: SnowflakeGenerator<_, LocalCursor> =
            SnowflakeGenerator::with_cursor(layout, &Options::nodes(3..6).rollback(policy), &clock)
                .expect("a generator");
        let (mut all, mut of_local) = (HashSet::new(), HashSet::new());
        let mut block = [0; 3_000];
        for turn in 0..400_i64 {
            clock.set(NOW_MS + turn / 8 - (turn % 7) * (turn % 3)).expect("a time");
            if let Ok(written) = ids.fill(&mut block) {
                assert!(block[..written].iter().all(|id| all.insert(*id)), "{policy:?}, turn {turn}");
            }
            if let Ok(written) = local.fill(&mut block) {
                assert!(block[..written].iter().all(|id| of_local.insert(*id)), "{policy:?}, turn {turn}");
            }
        }
        assert!(all.len() > 100_000 && all == of_local, "{policy:?}: {} IDs", all.len());
    }
}

// The choice of a policy.

#[test]
fn rollback_bits_are_used_where_there_are_some_unless_another_policy_is_chosen() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let after_a_step_back = |layout, options: Options| {
        clock.set(NOW_MS).expect("a time");
        let ids = generator(layout, options, &clock);
        ids.generate().expect("an ID");
        clock.advance(-1).expect("a time");
        ids.generate().map(|id| ids.inspect(id).expect("its own ID").rollback).map_err(|error| error.kind())
    };
    assert_eq!(after_a_step_back(with_bits(1), Options::node(1)), Ok(Some(1)));
    assert_eq!(after_a_step_back(with_bits(1), Options::node(1).rollback(Rollback::Bits)), Ok(Some(1)));
    assert_eq!(after_a_step_back(with_bits(1), Options::node(1).rollback(Rollback::Hold)), Ok(Some(0)));
    assert_eq!(
        after_a_step_back(with_bits(1), Options::node(1).rollback(Rollback::Error)),
        Err(ErrorKind::ClockBackward)
    );
    assert_eq!(after_a_step_back(Layout::TWITTER, Options::node(1)), Ok(None));
    let refused = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(1).rollback(Rollback::Bits), &clock);
    assert_eq!(refused.err(), Some(Error::InvalidLayout { reason: LayoutProblem::NoRollback }));
}

#[test]
fn policies_are_found_by_their_names_and_others_are_not() {
    for policy in Rollback::ALL {
        assert_eq!(Rollback::from_name(policy.name()), Ok(policy));
    }
    for unknown in ["", "Hold", "bits ", "wait"] {
        assert_eq!(kind(Rollback::from_name(unknown)), Some(ErrorKind::UnknownName));
    }
}

#[test]
fn generators_of_one_node_share_the_cursor_of_each_rollback_value() -> Result<(), Error> {
    // The registry applies to the system clock; no other test uses this layout.
    let layout = LayoutSpec::new().unused(1).timestamp(41).node(9).rollback(1).sequence(12).check()?;
    let build = |options: Options| {
        SnowflakeGenerator::build(layout, &options.max_wait(Duration::from_secs(2)), saiban::SystemClock)
    };
    let (one, other) = (build(Options::node(1))?, build(Options::node(1).rollback(Rollback::Hold))?);
    let mut all = HashSet::new();
    for _ in 0..2_000 {
        assert!(all.insert(one.generate()?) && all.insert(other.generate()?));
    }
    // Each rollback value is a separate node, so a range that contains this node is refused.
    assert_eq!(kind(build(Options::nodes(0..3).rollback(Rollback::Hold))), Some(ErrorKind::NodeInUse));
    drop(other);
    assert_eq!(kind(build(Options::nodes(0..3))), Some(ErrorKind::NodeInUse));
    drop(one);
    let range = build(Options::nodes(0..3))?;
    assert!(all.insert(range.generate()?));
    Ok(())
}

#[test]
fn a_layout_with_rollback_bits_shares_its_nodes_with_the_layout_without_them() -> Result<(), Error> {
    let bits = Layout::TWITTER.with_rollback_bits(2)?;
    let build = |layout, node| SnowflakeGenerator::build(layout, &Options::node(node), SystemClock);
    // Node 140 with its rollback values is nodes 560 to 563 of the layout without them.
    let ids = build(bits, 140)?;
    for node in 560..564 {
        assert_eq!(build(Layout::TWITTER, node).map(|_| ()).map_err(|error| error.kind()), Err(ErrorKind::NodeInUse));
    }
    assert!(build(Layout::TWITTER, 559).is_ok() && build(Layout::TWITTER, 564).is_ok());
    let first = ids.generate()?;
    drop(ids);
    // Without the first generator, the other layout continues after its last ID.
    assert!(build(Layout::TWITTER, 560)?.generate()? > first);
    Ok(())
}
