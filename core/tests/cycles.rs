//! Between two clock readings a cycle counter shows that the tick has not ended.

use saiban::cursor::{Cursor, CursorWord, LocalCursor};
use saiban::entropy::{Entropy, PooledEntropy};
use saiban::{
    Clock, Error, ErrorKind, Generator, Layout, Options, SnowflakeGenerator, SystemClock, UlidFlakeFormat,
    UlidFlakeGenerator, UlidGenerator,
};
use std::cell::Cell;
use std::collections::HashSet;
use std::time::Duration;

const NOW_NS: u64 = 1_763_700_000_000_000_000;
const MS: u64 = 1_000_000;

/// A clock and a cycle counter, each set separately.
struct Machine {
    now_ns: Cell<u64>,
    cycles: Cell<u64>,
    reads: Cell<u64>,
    /// The cycles in 10 ns.
    rate: Cell<u64>,
}

impl Machine {
    fn new(rate: u64) -> Self {
        // The counter has run since the machine started.
        Machine { now_ns: Cell::new(NOW_NS), cycles: Cell::new(1 << 40), reads: Cell::new(0), rate: Cell::new(rate) }
    }

    fn pass(&self, ns: u64) {
        self.now_ns.set(self.now_ns.get() + ns);
        self.cycles.set(self.cycles.get().wrapping_add(ns * self.rate.get() / 10));
    }
}

impl Clock for &Machine {
    fn now_ns(&self) -> Result<u64, Error> {
        self.reads.set(self.reads.get() + 1);
        Ok(self.now_ns.get())
    }

    fn cycles(&self) -> Option<u64> {
        Some(self.cycles.get())
    }
}

fn snowflake<'a, W: CursorWord<Position = u64>>(
    layout: &str,
    clock: &'a Machine,
) -> SnowflakeGenerator<&'a Machine, W> {
    let options = Options::node(0).max_wait(Duration::ZERO);
    SnowflakeGenerator::with_cursor(Layout::from_text(layout).expect("a layout"), &options, clock).expect("a generator")
}

const MILLISECONDS: &str = "unused:1 timestamp:41,epoch=2020-01-01 node:2 sequence:20";

/// Advances time by steps of all sizes, and compares the tick of each ID with the clock's. Returns
/// the number of clock readings per ID.
fn ids_of_their_own_tick<W: CursorWord<Position = u64>>(layout: &str, rate: u64) -> f64 {
    let clock = Machine::new(rate);
    let ids = snowflake::<W>(layout, &clock);
    let fields = *ids.layout().expect("a layout");
    let tick_ns = fields.tick_ns();
    let mut seen = HashSet::new();
    clock.reads.set(0);
    let mut dice = 1_u64;
    for _ in 0..100_000 {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // Most steps are some nanoseconds, and a few exceed a tick.
        clock.pass(if dice >> 52 == 0 { (dice >> 20) % (3 * tick_ns) } else { (dice >> 40) % 40 });
        let id = ids.generate().expect("an ID");
        let epoch_ns = fields.epoch_ms() as u64 * MS;
        let tick = fields.split(id).expect("fields").tick;
        // A slow counter is detected only at a later reading.
        if rate >= 10 || clock.now_ns.get() > NOW_NS + 20 * MS {
            assert_eq!(tick, (clock.now_ns.get() - epoch_ns) / tick_ns, "{layout}, {rate} in 10 ns");
        }
        assert!(seen.insert(id));
    }
    clock.reads.get() as f64 / 100_000.0
}

#[test]
fn an_id_is_of_the_tick_that_the_clock_shows_and_the_clock_is_read_seldom() {
    let tenth = "unused:1 timestamp:44@100us,epoch=2025-01-01 node:2 sequence:17";
    let ten = "unused:1 timestamp:39@10ms,epoch=2020-01-01 node:2 sequence:22";
    let second = "unused:1 timestamp:30@s,epoch=2020-01-01 node:2 sequence:31";
    for layout in [MILLISECONDS, tenth, ten, second] {
        for rate in [10, 13, 26, 50] {
            let reads = ids_of_their_own_tick::<Cursor>(layout, rate);
            assert!(reads < 0.1, "{layout}, {rate} in 10 ns: {reads} readings an ID");
            assert_eq!(reads, ids_of_their_own_tick::<LocalCursor>(layout, rate));
        }
    }
    // For shorter ticks the clock is read for each ID.
    let short = "unused:1 timestamp:53@us,epoch=2025-01-01 node:2 sequence:8";
    assert!(ids_of_their_own_tick::<Cursor>(short, 26) >= 1.0);
}

#[test]
fn a_cycle_counter_that_is_too_slow_is_not_used() {
    for rate in [1, 5, 9] {
        assert!(ids_of_their_own_tick::<Cursor>(MILLISECONDS, rate) > 0.5, "{rate} in 10 ns");
    }
}

#[test]
fn a_cycle_counter_that_stops_or_is_set_shows_no_old_time_for_longer_than_a_millisecond() {
    let clock = Machine::new(26);
    let ids = snowflake::<Cursor>(MILLISECONDS, &clock);
    let made_ms = || ids.inspect(ids.generate().expect("an ID")).expect("parts").timestamp_ms.expect("a time") as u64;
    // The machine was restored elsewhere: time has advanced, and the counter has any value.
    for cycles in [0, 1, MS, u64::MAX / 2, u64::MAX - MS / 2, u64::MAX] {
        clock.pass(3 * MS);
        assert_eq!(made_ms(), clock.now_ns.get() / MS);
        clock.now_ns.set(clock.now_ns.get() + 3_600_000 * MS);
        clock.cycles.set(cycles);
        assert_eq!(made_ms(), clock.now_ns.get() / MS, "a counter of {cycles}");
    }
    // The machine was paused with its counter: the old tick ends once the counter has advanced by
    // the rest of that tick.
    clock.pass(3 * MS);
    made_ms();
    clock.now_ns.set(clock.now_ns.get() + 3_600_000 * MS);
    clock.pass(MS);
    assert_eq!(made_ms(), clock.now_ns.get() / MS);
}

#[test]
fn a_clock_that_is_set_back_is_noticed_a_millisecond_later_and_repeats_nothing() {
    let clock = Machine::new(26);
    let ids = snowflake::<Cursor>(MILLISECONDS, &clock);
    let mut seen = HashSet::new();
    for _ in 0..50 {
        seen.insert(ids.generate().expect("an ID"));
        clock.pass(MS / 20);
    }
    clock.now_ns.set(clock.now_ns.get() - 1_000 * MS);
    for _ in 0..50 {
        assert!(seen.insert(ids.generate().expect("an ID of the tick that was reached")));
        clock.pass(MS / 20);
    }
    let stats = ids.stats().expect("stats");
    assert_eq!((stats.issued, stats.rollbacks), (100, 1));
}

/// Randomness that fails on request.
struct Refusing<'a>(&'a Cell<bool>);

impl Entropy for Refusing<'_> {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        if self.0.get() { Err(Error::EntropyUnavailable) } else { PooledEntropy.fill(bytes) }
    }
}

#[test]
fn positions_left_in_a_tick_that_is_over_are_not_used_later() {
    let (clock, refuses) = (Machine::new(10), Cell::new(false));
    let options = Options::default().max_wait(Duration::ZERO);
    let ids = UlidFlakeGenerator::build(UlidFlakeFormat::default(), &options, &clock, Refusing(&refuses))
        .expect("a generator");
    let mut most = 0;
    for _ in 0..50 {
        ids.generate().expect("the first ID of a tick");
        clock.pass(MS);
        // This call caches the tick, but takes no position.
        refuses.set(true);
        assert_eq!(ids.generate(), Err(Error::EntropyUnavailable));
        refuses.set(false);
        clock.reads.set(0);
        let id = ids.generate().expect("an ID");
        let now_ms = (clock.now_ns.get() / MS) as i64;
        assert_eq!(ids.inspect(id).expect("parts").timestamp_ms, Some(now_ms));
        most = most.max(id & 0xf_ffff);
        clock.pass(MS);
    }
    // The random part was drawn at the start of the tick, not incremented.
    assert!(most > 255, "{most}");
    assert_eq!(ids.stats().expect("stats").issued, 100);
}

#[test]
fn a_random_part_never_runs_past_its_field() {
    // The increments are as large as the field or larger, so they soon reach its end.
    for (scalability, entropy_size) in [(None, 3), (Some(3), 2)] {
        let clock = Machine::new(26);
        let format = UlidFlakeFormat { scalability, entropy_size, ..UlidFlakeFormat::default() };
        let options = Options::default().max_wait(Duration::ZERO);
        let ids = UlidFlakeGenerator::build(format, &options, &clock, PooledEntropy).expect("a generator");
        let (mut made, mut last) = (0, 0);
        for _ in 0..5_000 {
            while let Ok(id) = ids.generate() {
                let parts = ids.inspect(id).expect("parts");
                let (node, now_ms) = (scalability.map(|node| node as u64), (clock.now_ns.get() / MS) as i64);
                assert_eq!((parts.node, parts.timestamp_ms), (node, Some(now_ms)));
                assert!(id > last, "{id} after {last}");
                (made, last) = (made + 1, id);
            }
            clock.pass(MS);
        }
        assert!(made > 5_100, "{made}");
    }
}

#[test]
fn every_id_is_counted_where_the_ticks_leave_no_position_unused() {
    // The range has all nodes, so the last position of a tick directly precedes the first of the
    // next.
    let layout = Layout::from_text("unused:1 timestamp:41,epoch=2020-01-01 node:2 sequence:3").expect("a layout");
    let clock = Machine::new(26);
    let options = Options::nodes(0..4).max_wait(Duration::ZERO);
    let ids = SnowflakeGenerator::build(layout, &options, &clock).expect("a generator");
    for tick in 1..=5 {
        for _ in 0..32 {
            ids.generate().expect("an ID");
        }
        assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::WouldWait));
        assert_eq!(ids.stats().expect("stats").issued, 32 * tick);
        clock.pass(MS);
    }
}

#[test]
fn no_id_is_made_after_the_end_of_a_window() {
    let clock = Machine::new(10);
    let (start_ms, end_ms) = ((NOW_NS / MS) as i64, (NOW_NS / MS) as i64 + 2);
    let options = Options::node(0).max_wait(Duration::ZERO).window(start_ms..end_ms);
    let ids = SnowflakeGenerator::build(Layout::from_text(MILLISECONDS).expect("a layout"), &options, &clock)
        .expect("a generator");
    let mut made = 0;
    while ids.generate().is_ok() {
        made += 1;
        clock.pass(MS / 10);
    }
    assert_eq!(made, 20);
}

#[test]
fn no_id_is_made_after_the_end_of_a_window_on_a_shared_cursor() {
    // `free` has no window and shares the cursor, so it continues into the next tick.
    let node = || Options::node(0).max_wait(Duration::ZERO);
    let begin_ms = (SystemClock.now_ns().expect("a time") / MS) as i64;
    let end_ms = begin_ms + 300;
    // A tick has so many IDs that they cannot run out.
    let layout = Layout::from_text(MILLISECONDS).expect("a layout");
    let build = |options: &Options| SnowflakeGenerator::build(layout, options, SystemClock).expect("a generator");
    let (within, free): (SnowflakeGenerator, SnowflakeGenerator) =
        (build(&node().window(begin_ms..end_ms)), build(&node()));
    let mut made = 0;
    loop {
        let now_ms = (SystemClock.now_ns().expect("a time") / MS) as i64;
        let _ = free.generate();
        match within.generate() {
            Ok(id) => {
                made += 1;
                assert!(within.inspect(id).expect("parts").timestamp_ms.expect("a time") < end_ms);
            }
            Err(error) if error.kind() == ErrorKind::LeaseExpired => break,
            Err(_) => {}
        }
        assert!(now_ms < end_ms + 1_000, "it never ended");
    }
    assert!(made > 0);
}

#[test]
fn ids_on_the_system_clock_have_a_time_between_call_and_return() {
    let now_ms = || SystemClock.now_ns().expect("a time") / MS;
    let ids = SnowflakeGenerator::new(77).expect("a generator");
    let wide = UlidGenerator::build(&Options::default(), SystemClock, PooledEntropy).expect("a generator");
    let mut later = 0;
    for turn in 0..300_000 {
        let before_ms = now_ms();
        let made_ms = if turn % 2 == 0 {
            ids.inspect(ids.generate().expect("an ID")).expect("parts").timestamp_ms
        } else {
            wide.inspect(wide.generate().expect("an ID")).expect("parts").timestamp_ms
        };
        let after_ms = now_ms();
        // A turn is skipped if the machine's clock was set meanwhile.
        if before_ms <= after_ms && after_ms - before_ms < 1_000 {
            let made_ms = made_ms.expect("a time") as u64;
            assert!((before_ms..=after_ms).contains(&made_ms), "{made_ms} between {before_ms} and {after_ms}");
            later += 1;
        }
    }
    assert!(later > 200_000, "{later}");
}
