//! A clock that jumps forward is refused: an ID from the far future would block its node until
//! then.

use saiban::{Clock, Error, ErrorKind, Generator, Layout, LayoutSpec, Options, SnowflakeGenerator};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const NOW_S: u64 = 1_763_700_000;
const HOUR_S: u64 = 3_600;
const DAY_S: u64 = 86_400;
const YEAR_S: u64 = 365 * DAY_S;

/// A clock with the time since boot.
struct Wall {
    now_s: AtomicU64,
    boot_s: AtomicU64,
    /// The number of readings before it jumps by a year.
    readings: AtomicU64,
}

impl Wall {
    fn new() -> Self {
        let (now_s, boot_s) = (AtomicU64::new(NOW_S), AtomicU64::new(5 * HOUR_S));
        Wall { now_s, boot_s, readings: AtomicU64::new(u64::MAX) }
    }

    /// Lets time pass.
    fn pass(&self, s: u64) {
        self.now_s.fetch_add(s, Ordering::Relaxed);
        self.boot_s.fetch_add(s, Ordering::Relaxed);
    }

    /// Sets the clock forward.
    fn jump(&self, s: u64) {
        self.now_s.fetch_add(s, Ordering::Relaxed);
    }

    fn jump_back(&self, s: u64) {
        self.now_s.fetch_sub(s, Ordering::Relaxed);
    }
}

impl Clock for Wall {
    fn now_ns(&self) -> Result<u64, Error> {
        if self.readings.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.jump(YEAR_S);
        }
        Ok(self.now_s.load(Ordering::Relaxed) * 1_000_000_000)
    }

    fn since_boot_ns(&self) -> Option<u64> {
        Some(self.boot_s.load(Ordering::Relaxed) * 1_000_000_000)
    }
}

fn generator(options: Options) -> (Arc<Wall>, SnowflakeGenerator<Arc<Wall>>) {
    let clock = Arc::new(Wall::new());
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &options, Arc::clone(&clock)).expect("a generator");
    (clock, ids)
}

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

#[test]
fn a_clock_that_jumps_by_years_is_refused_until_it_is_right_again() {
    let (clock, ids) = generator(Options::node(1));
    assert_eq!(kind(ids.generate()), None);
    clock.pass(HOUR_S);
    clock.jump(2 * YEAR_S);
    let error = ids.generate().expect_err("a jump");
    assert_eq!(
        error,
        Error::ClockJumped { ahead_ns: 2 * YEAR_S * 1_000_000_000, max_jump_ns: DAY_S * 1_000_000_000 },
        "one day by default"
    );
    for refused in [kind(ids.try_generate()), kind(ids.fill(&mut [0; 3])), kind(ids.generate_many(2))] {
        assert_eq!(refused, Some(ErrorKind::ClockJumped));
    }
    clock.jump_back(2 * YEAR_S);
    let id = ids.generate().expect("an ID");
    let timestamp_ms = ids.inspect(id).expect("its own ID").timestamp_ms;
    assert_eq!(timestamp_ms, Some((NOW_S + HOUR_S) as i64 * 1_000), "the refused time was used by nobody");
}

#[test]
fn jumps_of_centuries_are_refused_too() {
    // Found by fuzzing: a jump of 2^63 ns (292 years) or more looked like a step back.
    const LONG: Layout = match LayoutSpec::new().timestamp(50).node(4).sequence(10).check() {
        Ok(layout) => layout,
        Err(_) => panic!("a valid layout"),
    };
    for years in [1, 100, 291, 292, 293, 400, 500] {
        let clock = Wall::new();
        let ids = SnowflakeGenerator::build(LONG, &Options::node(1), &clock).expect("a generator");
        clock.pass(30 * DAY_S);
        assert_eq!(kind(ids.generate()), None);
        clock.jump(years * YEAR_S);
        assert_eq!(kind(ids.generate()), Some(ErrorKind::ClockJumped), "{years} years");
    }
}

#[test]
fn a_clock_that_falls_behind_the_time_since_boot_has_not_jumped() {
    let (clock, ids) = generator(Options::node(1));
    assert_eq!(kind(ids.generate()), None);
    clock.boot_s.fetch_add(20 * DAY_S, Ordering::Relaxed);
    clock.jump(2 * DAY_S);
    assert_eq!(kind(ids.generate()), None);
}

#[test]
fn a_clock_that_jumps_between_build_and_first_id_is_refused() {
    let (clock, ids) = generator(Options::node(1));
    clock.jump(YEAR_S);
    assert_eq!(kind(ids.generate()), Some(ErrorKind::ClockJumped));
}

#[test]
fn a_jump_is_detected_in_every_reading_of_the_clock() {
    for readings in 0..8 {
        let (clock, ids) = generator(Options::node(1));
        clock.readings.store(readings, Ordering::Relaxed);
        let mut noticed = false;
        for _ in 0..8 {
            clock.pass(DAY_S);
            match ids.generate() {
                Ok(id) => {
                    let timestamp_ms = ids.inspect(id).expect("its own ID").timestamp_ms.expect("a time");
                    let ahead_s = timestamp_ms as u64 / 1_000 - NOW_S;
                    assert!(ahead_s < YEAR_S, "{readings}: {} years ahead", ahead_s / YEAR_S);
                }
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::ClockJumped);
                    noticed = true;
                }
            }
        }
        assert!(noticed, "{readings}");
    }
}

#[test]
fn a_machine_that_slept_for_years_goes_on() {
    let (clock, ids) = generator(Options::node(1));
    for _ in 0..5 {
        assert_eq!(kind(ids.generate()), None);
        clock.pass(2 * YEAR_S);
    }
    // A clock that was set back and returns, within what is allowed, has not jumped.
    clock.jump_back(HOUR_S);
    let _ = ids.generate();
    clock.jump(HOUR_S);
    assert_eq!(kind(ids.generate()), None);
}

#[test]
fn a_jump_of_max_jump_is_allowed_and_a_longer_one_is_not() {
    for max_jump_s in [1, 10, DAY_S, YEAR_S] {
        let options = Options::node(1).max_jump(Duration::from_secs(max_jump_s));
        let (clock, ids) = generator(options.clone());
        assert_eq!(kind(ids.generate()), None);
        clock.jump(max_jump_s);
        assert_eq!(kind(ids.generate()), None, "{max_jump_s}");
        let (clock, ids) = generator(options);
        assert_eq!(kind(ids.generate()), None);
        clock.jump(max_jump_s + 1);
        assert_eq!(kind(ids.generate()), Some(ErrorKind::ClockJumped), "{max_jump_s}");
    }
    // A limit of less than a second is one second.
    let (clock, ids) = generator(Options::node(1).max_jump(Duration::ZERO));
    clock.jump(1);
    assert_eq!(kind(ids.generate()), None);
    assert_eq!(Options::jump_s(1), Ok(Duration::from_secs(1)));
    for max_jump_s in [0, -1, i64::MIN] {
        assert_eq!(kind(Options::jump_s(max_jump_s)), Some(ErrorKind::InvalidArgument));
    }
}

#[test]
fn a_new_generator_accepts_a_clock_that_has_jumped() {
    let (clock, ids) = generator(Options::node(1));
    clock.jump(YEAR_S);
    assert_eq!(kind(ids.generate()), Some(ErrorKind::ClockJumped));
    let new = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(1), &*clock).expect("a generator");
    assert_eq!(kind(new.generate()), None);
}

#[test]
fn jumps_are_detected_through_references_and_not_without_a_time_since_boot() {
    let clock = Wall::new();
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(1), &clock).expect("a generator");
    clock.jump(YEAR_S);
    assert_eq!(kind(ids.generate()), Some(ErrorKind::ClockJumped));

    let clock = saiban::ManualClock::new(NOW_S as i64 * 1_000).expect("a time");
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(1), &clock).expect("a generator");
    assert_eq!(kind(ids.generate()), None);
    clock.advance(YEAR_S as i64 * 1_000).expect("a time");
    assert_eq!(kind(ids.generate()), None);
}

/// A clock with nanoseconds and the time since boot.
struct Board {
    now_ns: AtomicU64,
    boot_ns: AtomicU64,
}

impl Clock for Board {
    fn now_ns(&self) -> Result<u64, Error> {
        Ok(self.now_ns.load(Ordering::Relaxed))
    }

    fn since_boot_ns(&self) -> Option<u64> {
        Some(self.boot_ns.load(Ordering::Relaxed))
    }
}

#[test]
fn a_machine_that_wakes_up_in_1970_makes_ids_when_its_clock_is_set_right() {
    const S: u64 = 1_000_000_000;
    let clock = Board { now_ns: AtomicU64::new(20 * S), boot_ns: AtomicU64::new(20 * S) };
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(1), &clock).expect("a generator");
    assert_eq!(kind(ids.generate()), Some(ErrorKind::TimestampBeforeEpoch));
    clock.now_ns.store(NOW_S * S, Ordering::Relaxed);
    assert_eq!(kind(ids.generate()), None, "no ID was made in 1970, so nothing is held by this jump");
    // From here on, the clock is checked as usual.
    clock.now_ns.fetch_add(YEAR_S * S, Ordering::Relaxed);
    assert_eq!(kind(ids.generate()), Some(ErrorKind::ClockJumped));
    clock.now_ns.store(20 * S, Ordering::Relaxed);
    assert_eq!(kind(ids.generate()), Some(ErrorKind::TimestampBeforeEpoch));
    clock.now_ns.store((NOW_S + YEAR_S) * S, Ordering::Relaxed);
    assert_eq!(kind(ids.generate()), Some(ErrorKind::ClockJumped), "what was known before 1970 is known still");
}

#[test]
fn a_jump_of_centuries_is_refused_too() {
    const S: u64 = 1_000_000_000;
    let spec = saiban::LayoutSpec::new().unused(1).timestamp(45).node(8).sequence(10);
    let layout = spec.check().expect("a layout");
    for years in [1, 200, 292, 293, 300, 400, 520] {
        let clock = Board { now_ns: AtomicU64::new(NOW_S * S), boot_ns: AtomicU64::new(20 * S) };
        let ids = SnowflakeGenerator::build(layout, &Options::node(1), &clock).expect("a generator");
        clock.now_ns.fetch_add(years * YEAR_S * S, Ordering::Relaxed);
        let error = ids.generate().expect_err("a jump");
        let ahead_ns = years * YEAR_S * S;
        assert_eq!(error, Error::ClockJumped { ahead_ns, max_jump_ns: DAY_S * S }, "{years} years");
    }
}
