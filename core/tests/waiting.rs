//! How long a generator waits for a tick, for a clock that stepped back, or for a window, and its
//! errors if it may not wait.

use saiban::generator::MAX_AT_ONCE;
use saiban::{
    Attempt, Clock, Error, ErrorKind, Generator, Layout, LayoutSpec, ManualClock, Options, SnowflakeGenerator,
};
use std::cell::{Cell, RefCell};
use std::time::Duration;

const NOW_MS: i64 = 1_763_700_000_000;

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

/// Returns options for one node.
fn node(node: u64) -> Options {
    Options::node(node)
}

/// A clock that records each wait, and advances by all or a part of it.
struct Diary {
    now_ns: Cell<u64>,
    waits_ns: RefCell<Vec<u64>>,
    /// How many of every thousand nanoseconds of a wait pass.
    pace: u64,
}

impl Diary {
    fn new(pace: u64) -> Self {
        Diary { now_ns: Cell::new(NOW_MS as u64 * 1_000_000), waits_ns: RefCell::default(), pace }
    }

    fn waited_ns(&self) -> u64 {
        self.waits_ns.borrow().iter().sum()
    }

    fn step_back(&self, ms: u64) {
        self.now_ns.set(self.now_ns.get() - ms * 1_000_000);
    }
}

impl Clock for Diary {
    fn now_ns(&self) -> Result<u64, Error> {
        Ok(self.now_ns.get())
    }

    fn wait(&self, duration: Duration) -> bool {
        let ns = duration.as_nanos() as u64;
        self.waits_ns.borrow_mut().push(ns);
        self.now_ns.set(self.now_ns.get() + (ns * self.pace).div_ceil(1_000));
        true
    }
}

fn diarist(diary: &Diary, max_wait_ms: u64) -> SnowflakeGenerator<&Diary> {
    let options = node(7).max_wait(Duration::from_millis(max_wait_ms));
    SnowflakeGenerator::build(Layout::TWITTER, &options, diary).expect("a generator")
}

#[test]
fn a_used_up_tick_waits_for_the_next_and_no_longer() {
    let diary = Diary::new(1_000);
    let ids = diarist(&diary, 5);
    assert_eq!(ids.generate_many(3 * 4096).map(|made| made.len()), Ok(3 * 4096));
    assert_eq!(*diary.waits_ns.borrow(), [1_000_000, 1_000_000]);
}

#[test]
fn no_call_waits_longer_than_max_wait() {
    let diary = Diary::new(1_000);
    let ids = diarist(&diary, 5);
    ids.generate().expect("an ID");
    ids.generate_many(4095).expect("the rest of the tick");
    diary.step_back(4);
    assert!(ids.generate().is_ok());
    assert_eq!(*diary.waits_ns.borrow(), [5_000_000], "to the start of the next tick");
    ids.generate_many(4095).expect("the rest of the tick");
    diary.step_back(5);
    assert_eq!(kind(ids.generate()), Some(ErrorKind::ClockBackward));
    assert_eq!(kind(ids.try_generate()), Some(ErrorKind::ClockBackward));
    assert_eq!(diary.waits_ns.borrow().len(), 1, "it did not begin to wait for what it would not get");
}

#[test]
fn a_clock_that_does_not_keep_up_is_not_waited_for_without_end() {
    for pace in [0, 1, 500] {
        let diary = Diary::new(pace);
        let ids = diarist(&diary, 5);
        ids.generate_many(4096).expect("a tick");
        let _ = ids.generate();
        assert!(diary.waited_ns() <= 5_000_000, "{pace}: {} ns", diary.waited_ns());
        assert!(diary.waits_ns.borrow().len() < 100);
    }
}

#[test]
fn a_max_wait_of_zero_allows_no_wait() {
    let diary = Diary::new(1_000);
    let ids = diarist(&diary, 0);
    ids.generate_many(4096).expect("a tick");
    assert_eq!(kind(ids.generate()), Some(ErrorKind::WouldWait));
    assert_eq!(ids.try_generate(), Ok(Attempt::Wait(Duration::from_millis(1))));
    assert!(diary.waits_ns.borrow().is_empty());
}

#[test]
fn by_default_two_ticks_are_waited_and_never_more_than_two_seconds() {
    let longest = |layout: Layout, tick_ms: u64| {
        let diary = Diary::new(1_000);
        let ids = SnowflakeGenerator::build(layout, &node(1), &diary).expect("a generator");
        let tick = ids.generate_many(1 << 8).map(|made| made.len());
        assert_eq!(tick, Ok(1 << 8));
        let mut back_ms = 0;
        // The clock steps back further each time, until the step is too large.
        for _ in 0..100_000 {
            diary.step_back(back_ms);
            let before = diary.waits_ns.borrow().len();
            while diary.waits_ns.borrow().len() == before {
                match ids.generate() {
                    Ok(_) => {}
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::ClockBackward);
                        return diary.waits_ns.borrow().iter().max().copied().unwrap_or(0) / 1_000_000;
                    }
                }
            }
            back_ms += tick_ms / 10;
        }
        panic!("it waited for any clock");
    };
    let ten_ms = Layout::SONYFLAKE;
    assert!((10..=20).contains(&longest(ten_ms, 10)));
    let slow = LayoutSpec::new().unused(1).timestamp(40).node(15).sequence(8).tick_us(60_000_000);
    let diary = Diary::new(1_000);
    let ids = SnowflakeGenerator::build(slow.check().expect("a layout"), &node(1), &diary).expect("a generator");
    assert_eq!(ids.generate_many(256).map(|made| made.len()), Ok(256));
    assert_eq!(kind(ids.generate()), Some(ErrorKind::WouldWait), "a minute is more than 2 s");
}

#[test]
fn a_window_that_begins_soon_is_waited_for() {
    let diary = Diary::new(1_000);
    let window = NOW_MS + 4..NOW_MS + 100;
    let options = node(7).window(window.clone()).max_wait(Duration::from_millis(5));
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &options, &diary).expect("a generator");
    let id = ids.generate().expect("an ID");
    assert_eq!(ids.inspect(id).map(|parts| parts.timestamp_ms), Ok(Some(window.start)));
    assert_eq!(diary.waited_ns(), 4_000_000);
}

#[test]
fn fill_stops_early_where_some_were_written() {
    let diary = Diary::new(1_000);
    let ids = diarist(&diary, 0);
    let mut block = vec![-1; 5_000];
    assert_eq!(ids.fill(&mut block), Ok(4096));
    assert!(block[4096..].iter().all(|id| *id == -1));
    assert_eq!(kind(ids.fill(&mut block)), Some(ErrorKind::WouldWait));
    assert_eq!(ids.fill(&mut []), Ok(0));
}

#[test]
fn too_many_ids_in_one_call_are_refused() {
    let diary = Diary::new(1_000);
    assert_eq!(kind(diarist(&diary, 5).generate_many(MAX_AT_ONCE + 1)), Some(ErrorKind::InvalidArgument));
    assert_eq!(kind(diarist(&diary, 5).generate_many(usize::MAX)), Some(ErrorKind::InvalidArgument));
    assert_eq!(diarist(&diary, 5).generate_many(0), Ok(Vec::new()));
}

// Clocks outside the layout's time.

#[test]
fn before_the_epoch_and_past_the_last_tick_there_are_no_ids() {
    let clock = ManualClock::new(0).expect("a time");
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &node(7), &clock).expect("a generator");
    assert_eq!(kind(ids.generate()), Some(ErrorKind::TimestampBeforeEpoch));
    clock.set(Layout::TWITTER.last_ms() + 1).expect("a time");
    assert_eq!(kind(ids.generate()), Some(ErrorKind::TimestampOverflow));
    clock.set(Layout::TWITTER.last_ms()).expect("a time");
    let last = ids.generate_many(4096).expect("the last tick of all");
    assert_eq!(last[4095], i64::MAX & !(1023 << 12) | 7 << 12);
    assert_eq!(kind(ids.generate()), Some(ErrorKind::TimestampOverflow), "nothing wraps");
}

#[test]
fn a_clock_that_cannot_be_read_is_an_error() {
    struct Broken;
    impl Clock for Broken {
        fn now_ns(&self) -> Result<u64, Error> {
            Err(Error::ClockUnavailable)
        }
    }
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &node(7), Broken).expect("a generator");
    assert_eq!(kind(ids.generate()), Some(ErrorKind::ClockUnavailable));
    for outside_ms in [-1, i64::MIN, i64::MAX, 18_446_744_073_710] {
        assert_eq!(kind(ManualClock::new(outside_ms)), Some(ErrorKind::ClockUnavailable));
    }
    let clock = ManualClock::new(5).expect("a time");
    assert_eq!(kind(clock.advance(-6)), Some(ErrorKind::ClockUnavailable));
    assert_eq!(kind(clock.set(-1)), Some(ErrorKind::ClockUnavailable));
    assert_eq!(clock.now_ms(), 5, "the old time stays");
}

#[test]
fn ids_begin_after_the_last_time_known_to_be_used() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let build = |options: Options| SnowflakeGenerator::build(Layout::TWITTER, &options, &clock);
    let ids = build(Options::node(1).not_before(NOW_MS + 2)).expect("a generator");
    assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::LeaseNotBegun));
    clock.advance(3).expect("a time");
    assert_eq!(ids.inspect(ids.generate().expect("an ID")).expect("parts").timestamp_ms, Some(NOW_MS + 3));
    // With a window, the later start applies; a time before the epoch has no effect.
    let within = build(Options::node(1).window(NOW_MS + 5..NOW_MS + 9).not_before(NOW_MS + 7)).expect("a generator");
    clock.advance(5).expect("a time");
    assert_eq!(within.inspect(within.generate().expect("an ID")).expect("parts").timestamp_ms, Some(NOW_MS + 8));
    assert!(build(Options::node(1).not_before(i64::MIN)).expect("a generator").generate().is_ok());
    for options in
        [Options::node(1).not_before(i64::MAX), Options::node(1).window(NOW_MS - 9..NOW_MS).not_before(NOW_MS - 1)]
    {
        assert_eq!(build(options).map_err(|error| error.kind()).err(), Some(ErrorKind::InvalidWindow));
    }
}

#[test]
fn default_max_wait_bounds_every_id_but_the_first_and_max_wait_bounds_all() {
    let window = NOW_MS + 300..NOW_MS + 900;
    let ms = Duration::from_millis;
    let with_waits = |default_ms, max_wait| {
        let mut options = node(7);
        (options.default_max_wait, options.max_wait) = (Some(ms(default_ms)), max_wait);
        options
    };
    // A tick of 100 ms exceeds `default_max_wait`.
    let slow =
        LayoutSpec::new().unused(1).timestamp(41).node(10).sequence(12).tick_us(100_000).check().expect("a layout");
    let diary = Diary::new(1_000);
    let ids = SnowflakeGenerator::build(slow, &with_waits(5, None), &diary).expect("a generator");
    ids.generate_many(4096).expect("a tick");
    assert_eq!(kind(ids.generate()), Some(ErrorKind::WouldWait));
    assert!(diary.waits_ns.borrow().is_empty());
    // `max_wait` takes precedence.
    let ids = SnowflakeGenerator::build(slow, &with_waits(5, Some(ms(100))), &diary).expect("a generator");
    ids.generate_many(4097).expect("a tick and one more");
    assert_eq!(diary.waited_ns(), 100_000_000);
    // A generator does not wait longer for the start of its window.
    let diary = Diary::new(1_000);
    let options = with_waits(5, None).window(window);
    let ids = SnowflakeGenerator::build(slow, &options, &diary).expect("a generator");
    assert_eq!(kind(ids.generate()), Some(ErrorKind::LeaseNotBegun));
}

#[test]
fn not_before_excludes_every_tick_of_its_millisecond() {
    // A millisecond has 1000 ticks, about 142, 10, or two thirds of one.
    for tick_us in [1, 7, 100, 1_500] {
        let spec =
            LayoutSpec::new().unused(1).timestamp(55).node(4).sequence(4).tick_us(tick_us).epoch_ms(NOW_MS - 777);
        let layout = spec.check().expect("a layout");
        let clock = ManualClock::new(NOW_MS).expect("a time");
        for tick in 0..3_000 {
            let now_ns = NOW_MS as u64 * 1_000_000 + tick * tick_us * 1_000;
            clock.set_ns(now_ns);
            let before = SnowflakeGenerator::build(layout, &node(1), &clock).expect("a generator");
            let last = before.generate().expect("an ID");
            let known_ms = before.inspect(last).expect("its own ID").timestamp_ms.expect("a time");
            let after = SnowflakeGenerator::build(layout, &node(1).not_before(known_ms), &clock).expect("a generator");
            assert!(!matches!(after.try_generate(), Ok(Attempt::Ready(_))), "{tick_us} µs, tick {tick}");
            clock.set_ns(now_ns + 1_000_000 + tick_us * 1_000);
            assert!(after.generate().expect("an ID") > last);
        }
    }
}

#[test]
fn try_generate_within_returns_a_wait_no_longer_than_the_time_left() {
    let answer = |ids: &dyn Generator<Id = i64>, left| ids.try_generate_within(left).map_err(|error| error.kind());
    let ms = Duration::from_millis;
    // A clock that never waits lets no caller wait either.
    let manual = ManualClock::new(NOW_MS).expect("a time");
    let window = Options::node(1).window(NOW_MS + 10..NOW_MS + 20);
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &window, &manual).expect("a generator");
    assert_eq!(answer(&ids, ms(10)), Err(ErrorKind::WouldWait));
    assert_eq!(answer(&ids, ms(9)), Err(ErrorKind::LeaseNotBegun));
    manual.advance(10).expect("a time");
    assert!(matches!(ids.try_generate_within(ms(0)), Ok(Attempt::Ready(_))));

    let diary = Diary::new(1_000);
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &window, &diary).expect("a generator");
    assert_eq!(answer(&ids, ms(10)), Ok(Attempt::Wait(ms(10))));
    assert_eq!(answer(&ids, ms(9)), Err(ErrorKind::LeaseNotBegun));
}

/// A clock that stands still, and counts the waits and their total.
struct Still {
    now_ns: u64,
    waits: Cell<u32>,
    waited_ns: Cell<u64>,
}

impl Clock for Still {
    fn now_ns(&self) -> Result<u64, Error> {
        Ok(self.now_ns)
    }

    fn wait(&self, duration: Duration) -> bool {
        self.waits.set(self.waits.get() + 1);
        self.waited_ns.set(self.waited_ns.get() + duration.as_nanos() as u64);
        true
    }
}

#[test]
fn a_clock_that_stands_still_just_before_a_tick_is_not_asked_millions_of_times() -> Result<(), Error> {
    for before_ns in [1, 10, 333, 999_999] {
        let now_ns = 1_763_700_000_000_000_000 - before_ns;
        let clock = Still { now_ns, waits: Cell::new(0), waited_ns: Cell::new(0) };
        let options = Options::node(1).not_before(1_763_699_999_999).max_wait(Duration::from_secs(1));
        let ids = SnowflakeGenerator::build(Layout::TWITTER, &options, &clock)?;
        assert!(ids.generate().is_err());
        let waits = clock.waits.get();
        assert!(waits <= 32, "{before_ns} ns before a tick: {waits} waits");
        let waited_ns = clock.waited_ns.get();
        // A last wait that would exceed the limit does not begin.
        assert!(waited_ns <= 1_000_000_000 && waited_ns + before_ns > 1_000_000_000, "{waited_ns}");
    }
    Ok(())
}
