//! A coarse clock decides only the second: never whether the clock stepped back, nor how long to
//! wait.

use saiban::cursor::{Cursor, CursorWord, LocalCursor};
use saiban::{
    Attempt, Clock, ComposeParts, Error, ErrorKind, Generator, Layout, ManualClock, Options, RandflakeGenerator,
    Secret, SnowflakeGenerator, SystemClock,
};
use std::cell::Cell;
use std::collections::HashSet;
use std::time::Duration;

const NOW_MS: i64 = 1_763_700_000_000;
const LATE_NS: u64 = 4_000_000;
const PER_SECOND: usize = 1 << 17;

/// A clock whose coarse reading is 4 ms late, as in a kernel with 250 ticks a second.
struct Kernel {
    precise: ManualClock,
    precise_reads: Cell<u32>,
    has_coarse: bool,
}

impl Kernel {
    fn new(now_ms: i64) -> Self {
        let precise = ManualClock::new(now_ms).expect("a clock");
        Kernel { precise, precise_reads: Cell::new(0), has_coarse: true }
    }
}

impl Clock for Kernel {
    fn now_ns(&self) -> Result<u64, Error> {
        self.precise_reads.set(self.precise_reads.get() + 1);
        self.precise.now_ns()
    }

    fn coarse_ns(&self) -> Option<u64> {
        self.has_coarse.then(|| self.precise.now_ns().expect("a time") - LATE_NS)
    }
}

fn secret() -> Secret {
    Secret::from_hex("dffd6021bb2bd5b0af676290809ec3a5").expect("a secret")
}

fn randflake<W: CursorWord<Position = u64>>(clock: &Kernel) -> RandflakeGenerator<&Kernel, W> {
    RandflakeGenerator::with_cursor(&secret(), &Options::node(7).max_wait(Duration::ZERO), clock).expect("a generator")
}

#[test]
fn the_precise_clock_is_not_read_for_ids_within_a_second() {
    let clock = Kernel::new(NOW_MS + 500);
    let ids = randflake::<Cursor>(&clock);
    clock.precise_reads.set(0);
    for _ in 0..1_000 {
        ids.generate().expect("an ID");
    }
    assert_eq!(ids.fill(&mut [0; 1_000]), Ok(1_000));
    assert_eq!(clock.precise_reads.get(), 0);
}

fn second_after_second<W: CursorWord<Position = u64>>() {
    let clock = Kernel::new(NOW_MS + 990);
    let ids = randflake::<W>(&clock);
    let mut seen = HashSet::new();
    // In the first milliseconds of a second the coarse clock still shows the previous second: IDs
    // carry that second, and no step back is counted.
    for now_ms in NOW_MS + 990..NOW_MS + 1_020 {
        clock.precise.set(now_ms).expect("a time");
        let id = ids.generate().expect("an ID");
        let made_ms = ids.inspect(id).expect("parts").timestamp_ms.expect("a time");
        assert!(made_ms == (now_ms - 4).div_euclid(1_000) * 1_000, "{now_ms}: {made_ms}");
        assert!(seen.insert(id));
    }
    let stats = ids.stats().expect("stats");
    assert_eq!((stats.rollbacks, stats.issued), (0, 30));
}

#[test]
fn the_first_milliseconds_of_a_second_are_no_step_back() {
    second_after_second::<Cursor>();
    second_after_second::<LocalCursor>();
}

#[test]
fn a_second_that_is_used_up_is_waited_for_by_the_precise_clock() {
    let clock = Kernel::new(NOW_MS + 999);
    let ids = randflake::<Cursor>(&clock);
    let mut all = vec![0; PER_SECOND];
    assert_eq!(ids.fill(&mut all), Ok(PER_SECOND));
    assert_eq!(ids.generate().expect_err("it is used up").kind(), ErrorKind::WouldWait);
    assert_eq!(ids.try_generate(), Ok(Attempt::Wait(Duration::from_millis(1))));
    // The coarse clock still shows the old second, and the precise clock the new one.
    clock.precise.set(NOW_MS + 1_000).expect("a time");
    let id = ids.generate().expect("an ID");
    assert_eq!(ids.inspect(id).expect("parts").timestamp_ms, Some(NOW_MS + 1_000));
    // Now only the coarse clock is behind the cursor's tick.
    ids.generate().expect("another");
    assert_eq!(ids.stats().expect("stats").rollbacks, 0);
}

#[test]
fn a_clock_that_steps_back_is_still_detected() {
    let clock = Kernel::new(NOW_MS + 500);
    let ids = randflake::<Cursor>(&clock);
    let before = ids.generate().expect("an ID");
    clock.precise.set(NOW_MS - 5_000).expect("a time");
    let after = ids.generate().expect("of the tick that was reached");
    assert_eq!(ids.inspect(after).expect("parts").timestamp_ms, ids.inspect(before).expect("parts").timestamp_ms);
    assert_eq!(ids.stats().expect("stats").rollbacks, 1);
}

/// Compares the IDs with their positions encrypted one by one.
fn one_by_one<W: CursorWord<Position = u64>>() {
    // The calls make one ID or many, cross the boundaries of encrypted batches, follow a step back,
    // and reach the next second.
    let (clock, other) = (Kernel::new(NOW_MS), Kernel { has_coarse: false, ..Kernel::new(NOW_MS) });
    let ids = randflake::<W>(&clock);
    let raw: SnowflakeGenerator<_, LocalCursor> =
        SnowflakeGenerator::with_cursor(Layout::RANDFLAKE, &Options::node(7).max_wait(Duration::ZERO), &other)
            .expect("a generator");
    let encrypted = |raw_id| {
        let parts = raw.inspect(raw_id).expect("parts");
        ids.compose(&ComposeParts::from(parts)).expect("an ID")
    };
    let mut dice = 7_u64;
    for round in 0..400 {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let now_ms = NOW_MS + 500 + 20 * round - if dice >> 60 == 0 { 3_000 } else { 0 };
        clock.precise.set(now_ms.max(NOW_MS) / 1_000 * 1_000 + 500).expect("a time");
        other.precise.set(now_ms.max(NOW_MS) / 1_000 * 1_000 + 500).expect("a time");
        let count = (dice >> 33) as usize % 80;
        if dice & 1 << 40 == 0 {
            let (mut made, mut expected) = (vec![0; count], vec![0; count]);
            assert_eq!((ids.fill(&mut made), raw.fill(&mut expected)), (Ok(count), Ok(count)));
            assert_eq!(made, expected.into_iter().map(encrypted).collect::<Vec<_>>());
        } else {
            for _ in 0..count {
                assert_eq!(ids.generate(), raw.generate().map(encrypted));
            }
        }
    }
}

#[test]
fn prefetched_ciphertexts_equal_those_of_single_ids() {
    one_by_one::<LocalCursor>();
    one_by_one::<Cursor>();
}

#[test]
fn threads_that_share_prefetched_ciphertexts_make_each_id_once() {
    const THREADS: usize = 4;
    const EACH: usize = 20_000;
    let ids = RandflakeGenerator::build(&secret(), &Options::node(9), SystemClock).expect("a generator");
    let made: Vec<Vec<i64>> = std::thread::scope(|scope| {
        let make = || (0..EACH).map(|_| ids.generate().expect("an ID")).collect();
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(make)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread that ends well")).collect()
    });
    let numbers = |thread: &Vec<i64>| -> Vec<(Option<i64>, Option<u64>)> {
        let parts = thread.iter().map(|id| ids.inspect(*id).expect("parts"));
        parts
            .inspect(|parts| assert_eq!(parts.node, Some(9)))
            .map(|parts| (parts.timestamp_ms, parts.sequence))
            .collect()
    };
    let mut all = HashSet::new();
    for thread in made.iter().map(numbers) {
        assert!(thread.is_sorted(), "a thread's IDs go forward");
        all.extend(thread);
    }
    assert_eq!(all.len(), THREADS * EACH);
    // No position was skipped: the numbers of each second are the first ones.
    let mut sorted: Vec<_> = all.into_iter().collect();
    sorted.sort_unstable();
    for second in sorted.chunk_by(|(one, _), (next, _)| one == next) {
        assert!(second.iter().zip(0..).all(|((_, sequence), index)| *sequence == Some(index)));
    }
}
