//! What generators promise: no two IDs are equal, whatever threads and clocks do, and none lies outside its window.

mod dice;

use dice::Dice;
use saiban::cursor::{Cursor, LocalCursor};
use saiban::generator::MOST_AT_ONCE;
use saiban::{
    Attempt, Clock, Entropy, Error, ErrorKind, Generator, Layout, ManualClock, Options, OsEntropy, Randflake, Secret,
    Snowflake, SystemClock, UlidFlake, UlidFlakeFormat,
};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

const NOW_MS: i64 = 1_763_700_000_000;
const SECRET: Secret = Secret::new([0x5a; 16]);

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

/// Options for a generator whose manual clock makes waiting pointless.
fn node(node: i64) -> Options {
    Options::node(node)
}

// A million IDs on four threads, while the clock jumps both ways.

const THREADS: usize = 4;
const IDS: usize = 1_000_000;

/// Moves the clock: mostly on, at times back and at times far on.
fn jump(clock: &ManualClock, reached_ms: &AtomicI64, dice: &mut Dice) {
    let on = if dice.below(50) == 0 { 1000 } else { dice.below(4) as i64 };
    let now_ms = NOW_MS + on + reached_ms.fetch_add(on, Ordering::Relaxed);
    let back = if dice.below(10) == 0 { dice.below(2000) as i64 } else { 0 };
    clock.set(now_ms - back).expect("a time");
}

fn no_two_are_equal(clock: &ManualClock, ids: &(dyn Generator + Sync)) {
    let reached_ms = AtomicI64::new(0);
    let make = |seed: usize| {
        let mut dice = Dice::new(seed as u64);
        let mut made = Vec::with_capacity(IDS / THREADS);
        let mut block = [0; 64];
        while made.len() < IDS / THREADS {
            let answer = match dice.below(3) {
                0 => ids.generate().map(|id| made.push(id)),
                1 => ids.try_generate().map(|attempt| {
                    if let Attempt::Ready(id) = attempt {
                        made.push(id);
                    } else {
                        jump(clock, &reached_ms, &mut dice);
                    }
                }),
                _ => {
                    let want = block.len().min(IDS / THREADS - made.len());
                    ids.fill(&mut block[..want]).map(|written| made.extend_from_slice(&block[..written]))
                }
            };
            match answer.map_err(|error| error.kind()) {
                Ok(()) if dice.below(8) != 0 => {}
                Ok(()) | Err(ErrorKind::WouldWait | ErrorKind::ClockBackward) => jump(clock, &reached_ms, &mut dice),
                Err(kind) => panic!("{kind}"),
            }
        }
        made
    };
    let mut all: Vec<i64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|seed| scope.spawn(move || make(seed))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread that ends well")).collect()
    });
    assert_eq!(all.len(), IDS);
    all.sort_unstable();
    assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn a_million_snowflakes_on_four_threads_are_all_different() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids: Snowflake<_> = Snowflake::build(Layout::TWITTER, &node(7), &clock).expect("a generator");
    no_two_are_equal(&clock, &ids);
}

#[test]
fn a_million_snowflakes_of_a_range_of_nodes_are_all_different() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids: Snowflake<_> = Snowflake::build(Layout::SONYFLAKE, &Options::nodes(3..103), &clock).expect("a generator");
    no_two_are_equal(&clock, &ids);
}

#[test]
fn a_million_randflakes_on_four_threads_are_all_different() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids: Randflake<_> = Randflake::build(&SECRET, &node(42), &clock).expect("a generator");
    no_two_are_equal(&clock, &ids);
}

#[test]
fn a_million_ulid_flakes_on_four_threads_are_all_different() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let format = UlidFlakeFormat::default();
    let ids: UlidFlake<_> = UlidFlake::build(format, &Options::default(), &clock, OsEntropy).expect("a generator");
    no_two_are_equal(&clock, &ids);
}

#[test]
fn a_million_scalable_ulid_flakes_on_four_threads_are_all_different() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let format = UlidFlakeFormat { scalability: Some(3), entropy_size: 2, ..UlidFlakeFormat::default() };
    let ids: UlidFlake<_> = UlidFlake::build(format, &Options::default(), &clock, OsEntropy).expect("a generator");
    no_two_are_equal(&clock, &ids);
}

// Windows and ranges.

#[test]
fn no_id_lies_outside_its_window_whatever_the_clock_shows() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let (start, end) = (NOW_MS, NOW_MS + 20);
    let ids: Snowflake<_> =
        Snowflake::build(Layout::TWITTER, &node(7).window(start..end), &clock).expect("a generator");
    let mut dice = Dice::new(1);
    let mut made = 0;
    for _ in 0..20_000 {
        clock.set(start - 10 + dice.below(40) as i64).expect("a time");
        let before = clock.now_ms() < start;
        match ids.generate() {
            Ok(id) => {
                let timestamp_ms = ids.inspect(id).expect("its own ID").timestamp_ms;
                assert!((start..end).contains(&timestamp_ms), "{timestamp_ms}");
                made += 1;
            }
            Err(error) => match error.kind() {
                // Waits within max_wait are the clock's, and this clock never waits.
                ErrorKind::LeaseNotBegun => assert!(before),
                ErrorKind::LeaseExpired | ErrorKind::WouldWait | ErrorKind::ClockBackward => {}
                kind => panic!("{kind}"),
            },
        }
    }
    assert!(made > 100, "{made}");
    clock.set(end).expect("a time");
    assert_eq!(kind(ids.generate()), Some(ErrorKind::LeaseExpired));
}

#[test]
fn the_windows_last_tick_is_used_and_the_next_is_not() {
    let clock = ManualClock::new(1_763_700_000_000).expect("a time");
    // Seconds, for Randflake.
    let window = 1_763_700_000..1_763_700_001;
    let ids: Randflake<_> = Randflake::build(&SECRET, &node(1).window(window), &clock).expect("a generator");
    clock.advance(999).expect("a time");
    assert_eq!(ids.generate_many(1 << 17).map(|made| made.len()), Ok(1 << 17));
    assert_eq!(kind(ids.generate()), Some(ErrorKind::LeaseExpired), "the second is used up, and the next is not ours");
}

#[test]
fn a_range_of_nodes_is_used_in_order_and_all_of_it() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids: Snowflake<_> = Snowflake::build(Layout::TWITTER, &Options::nodes(5..8), &clock).expect("a generator");
    let made = ids.generate_many(3 * 4096).expect("a full tick");
    assert!(made.windows(2).all(|pair| pair[0] < pair[1]));
    for (index, id) in made.iter().enumerate() {
        let parts = ids.inspect(*id).expect("its own ID");
        assert_eq!(parts.node, Some(5 + index as u64 / 4096));
        assert_eq!(parts.sequence, Some(index as u64 % 4096));
        assert_eq!(parts.timestamp_ms, NOW_MS);
    }
    assert_eq!(kind(ids.generate()), Some(ErrorKind::WouldWait));
}

#[test]
fn generators_without_a_node_are_not_made() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let none = Options::default();
    let both = Options { nodes: Some(0..4), ..node(1) };
    assert_eq!(kind(Snowflake::<_, Cursor>::build(Layout::TWITTER, &none, &clock)), Some(ErrorKind::NodeRequired));
    assert_eq!(kind(Randflake::<_, Cursor>::build(&SECRET, &none, &clock)), Some(ErrorKind::NodeRequired));
    assert_eq!(kind(Snowflake::<_, Cursor>::build(Layout::TWITTER, &both, &clock)), Some(ErrorKind::InvalidArgument));
    for (first, end) in [(0, 0), (5, 4), (-1, 3), (1020, 1025), (i64::MIN, i64::MAX)] {
        let refused = Snowflake::<_, Cursor>::build(Layout::TWITTER, &Options::nodes(first..end), &clock);
        assert_eq!(kind(refused), Some(ErrorKind::NodeOutOfRange), "{first} to {end}");
    }
}

#[test]
fn windows_that_hold_no_time_of_the_layout_are_refused() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let (first, last) = (Layout::TWITTER.epoch_ms(), Layout::TWITTER.last_ms());
    let backwards = Range { start: first, end: first - 1 };
    for window in [first..first, backwards, first - 1..first + 1, last..last + 2, i64::MIN..i64::MAX] {
        let refused = Snowflake::<_, Cursor>::build(Layout::TWITTER, &node(1).window(window.clone()), &clock);
        assert_eq!(kind(refused), Some(ErrorKind::InvalidWindow), "{window:?}");
    }
    for window in [first..first + 1, last..last + 1, first..last + 1] {
        let made = Snowflake::<_, Cursor>::build(Layout::TWITTER, &node(1).window(window.clone()), &clock);
        assert!(made.is_ok(), "{window:?}");
    }
}

// One process, one cursor for each node. These share the process's registry, so each has nodes of its own.

#[test]
fn two_generators_of_the_same_node_never_repeat_each_other() {
    let (one, other) = (Snowflake::new(100).expect("a generator"), Snowflake::new(100).expect("a generator"));
    let mut all = Vec::new();
    std::thread::scope(|scope| {
        let threads = [&one, &other].map(|ids| scope.spawn(|| ids.generate_many(20_000).expect("IDs")));
        for thread in threads {
            all.extend(thread.join().expect("a thread that ends well"));
        }
    });
    all.sort_unstable();
    assert_eq!(all.len(), 40_000);
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn a_generator_made_again_goes_on_where_the_first_stopped() {
    let mut all = Vec::new();
    for _ in 0..2_000 {
        all.push(Snowflake::new(101).and_then(|ids| ids.generate()).expect("an ID"));
    }
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn ranges_that_overlap_are_refused_while_the_other_lives() {
    let ranged = |nodes| Snowflake::<_, Cursor>::build(Layout::TWITTER, &Options::nodes(nodes), SystemClock);
    let first = ranged(110..114).expect("a generator");
    assert_eq!(kind(ranged(113..115)), Some(ErrorKind::NodeInUse));
    assert_eq!(kind(Snowflake::new(111)), Some(ErrorKind::NodeInUse));
    assert!(ranged(110..114).is_ok() && ranged(114..115).is_ok());
    assert!(Snowflake::<_, Cursor>::build(Layout::DISCORD, &Options::node(111), SystemClock).is_ok(), "another layout");
    let before = first.generate_many(10).expect("IDs");
    drop(first);
    let later = Snowflake::<_, Cursor>::build(Layout::TWITTER, &Options::node(110), SystemClock).expect("a generator");
    assert!(later.generate().expect("an ID") > before[9], "the tick after the range's last is the first surely free");
}

#[test]
fn layouts_that_differ_on_paper_only_do_not_repeat_each_other() {
    let described = |spec: saiban::LayoutSpec| {
        let layout = spec.node(10).sequence(12).epoch_ms(1_288_834_974_657).check().expect("a layout");
        Snowflake::<_, Cursor>::build(layout, &Options::node(150), SystemClock)
    };
    let spec = saiban::LayoutSpec::new;
    // Twitter's, with unused bits in two pieces, and with one less for the time, whose IDs are the same until 2045.
    let twitters = described(spec().unused(1).timestamp(41)).expect("a generator");
    let id = twitters.generate().expect("an ID");
    assert_eq!(kind(described(spec().unused(2).timestamp(40))), Some(ErrorKind::NodeInUse));
    assert_eq!(kind(described(spec().unused(1).unused(1).timestamp(40))), Some(ErrorKind::NodeInUse));
    drop(twitters);
    let later = described(spec().unused(2).timestamp(40)).expect("a generator");
    assert!(later.generate().expect("an ID") > id);
}

#[test]
fn a_single_owner_is_alone_and_leaves_its_cursor_behind() {
    type Local = Snowflake<SystemClock, LocalCursor>;
    let local = |node| Local::build(Layout::TWITTER, &Options::node(node), SystemClock);
    let owner = local(120).expect("a generator");
    assert_eq!(kind(local(120)), Some(ErrorKind::NodeInUse));
    assert_eq!(kind(Snowflake::new(120)), Some(ErrorKind::NodeInUse));
    let last = *owner.generate_many(5_000).expect("IDs").last().expect("5000");
    drop(owner);
    let shared = Snowflake::new(120).expect("a generator");
    let next = shared.generate().expect("an ID");
    assert!(next > last);
    assert_eq!(kind(local(120)), Some(ErrorKind::NodeInUse));
    drop(shared);
    assert!(local(120).and_then(|ids| ids.generate()).expect("an ID") > next);
}

#[test]
fn schemes_and_clocks_of_ones_own_share_nothing() {
    let system = Snowflake::new(130).expect("a generator");
    let randflake = Randflake::new(&SECRET, 130).expect("a generator");
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let first: Snowflake<_> = Snowflake::build(Layout::TWITTER, &node(130), &clock).expect("a generator");
    let second: Snowflake<_> = Snowflake::build(Layout::TWITTER, &node(130), &clock).expect("a generator");
    assert_eq!(first.generate(), second.generate(), "who brings a clock may replay its time");
    assert!(system.generate().is_ok() && randflake.generate().is_ok());
}

#[test]
fn stand_alone_ulid_flakes_of_one_process_never_repeat() {
    let made: Vec<UlidFlake> = (0..4).map(|_| UlidFlake::new().expect("a generator")).collect();
    let mut all: Vec<i64> = made.iter().flat_map(|ids| ids.generate_many(2_000).expect("IDs")).collect();
    all.sort_unstable();
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
}

// Waiting.

/// A clock that writes down how long it was asked to wait, and moves by as much, or by less.
struct Diary {
    now_ns: Cell<u64>,
    waits_ns: RefCell<Vec<u64>>,
    /// Of every thousand nanoseconds of a wait so many pass.
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

fn diarist(diary: &Diary, max_wait_ms: u64) -> Snowflake<&Diary> {
    let options = node(7).max_wait(Duration::from_millis(max_wait_ms));
    Snowflake::build(Layout::TWITTER, &options, diary).expect("a generator")
}

#[test]
fn a_used_up_tick_waits_for_the_next_and_no_longer() {
    let diary = Diary::new(1_000);
    let ids = diarist(&diary, 5);
    assert_eq!(ids.generate_many(3 * 4096).map(|made| made.len()), Ok(3 * 4096));
    assert_eq!(*diary.waits_ns.borrow(), [1_000_000, 1_000_000]);
}

#[test]
fn nobody_waits_longer_than_max_wait() {
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
fn without_leave_to_wait_there_is_none() {
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
        let ids: Snowflake<_> = Snowflake::build(layout, &node(1), &diary).expect("a generator");
        let tick = ids.generate_many(1 << 8).map(|made| made.len());
        assert_eq!(tick, Ok(1 << 8));
        let mut back_ms = 0;
        // Ever further back, until it is too far.
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
    let slow = saiban::LayoutSpec::new().unused(1).timestamp(40).node(15).sequence(8).tick_us(60_000_000);
    let diary = Diary::new(1_000);
    let ids: Snowflake<_> = Snowflake::build(slow.check().expect("a layout"), &node(1), &diary).expect("a generator");
    assert_eq!(ids.generate_many(256).map(|made| made.len()), Ok(256));
    assert_eq!(kind(ids.generate()), Some(ErrorKind::WouldWait), "a minute is more than 2 s");
}

#[test]
fn a_window_that_begins_soon_is_waited_for() {
    let diary = Diary::new(1_000);
    let window = NOW_MS + 4..NOW_MS + 100;
    let options = node(7).window(window.clone()).max_wait(Duration::from_millis(5));
    let ids: Snowflake<_> = Snowflake::build(Layout::TWITTER, &options, &diary).expect("a generator");
    let id = ids.generate().expect("an ID");
    assert_eq!(ids.inspect(id).map(|parts| parts.timestamp_ms), Ok(window.start));
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
fn more_at_once_than_anybody_needs_is_refused() {
    let diary = Diary::new(1_000);
    assert_eq!(kind(diarist(&diary, 5).generate_many(MOST_AT_ONCE + 1)), Some(ErrorKind::InvalidArgument));
    assert_eq!(kind(diarist(&diary, 5).generate_many(usize::MAX)), Some(ErrorKind::InvalidArgument));
    assert_eq!(diarist(&diary, 5).generate_many(0), Ok(Vec::new()));
}

// Clocks outside the layout's time.

#[test]
fn before_the_epoch_and_past_the_last_tick_there_are_no_ids() {
    let clock = ManualClock::new(0).expect("a time");
    let ids: Snowflake<_> = Snowflake::build(Layout::TWITTER, &node(7), &clock).expect("a generator");
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
    let ids: Snowflake<_> = Snowflake::build(Layout::TWITTER, &node(7), Broken).expect("a generator");
    assert_eq!(kind(ids.generate()), Some(ErrorKind::ClockUnavailable));
    for outside_ms in [-1, i64::MIN, i64::MAX, 18_446_744_073_710] {
        assert_eq!(kind(ManualClock::new(outside_ms)), Some(ErrorKind::ClockUnavailable));
    }
    let clock = ManualClock::new(5).expect("a time");
    assert_eq!(kind(clock.advance(-6)), Some(ErrorKind::ClockUnavailable));
    assert_eq!(kind(clock.set(-1)), Some(ErrorKind::ClockUnavailable));
    assert_eq!(clock.now_ms(), 5, "the old time stays");
}

// Random parts.

/// The same bits again and again.
struct Always(u64);

impl Entropy for Always {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        for (byte, value) in bytes.iter_mut().zip(self.0.to_le_bytes().into_iter().cycle()) {
            *byte = value;
        }
        Ok(())
    }
}

#[test]
fn random_parts_grow_by_1_to_the_most_that_the_entropy_size_allows() {
    for (scalability, entropy_size) in [(None, 1), (None, 2), (None, 3), (Some(31), 1), (Some(0), 2)] {
        let format = UlidFlakeFormat { scalability, entropy_size, ..UlidFlakeFormat::default() };
        let most = (1 << (8 * entropy_size)) - 1;
        let clock = ManualClock::new(NOW_MS).expect("a time");
        let ids: UlidFlake<_> = UlidFlake::build(format, &Options::default(), &clock, OsEntropy).expect("a generator");
        let mut last: Option<saiban::Parts> = None;
        for _ in 0..10_000 {
            let Ok(id) = ids.generate() else {
                clock.advance(1).expect("a time");
                continue;
            };
            let parts = ids.inspect(id).expect("its own ID");
            if let Some(last) = last.filter(|last| last.timestamp_ms == parts.timestamp_ms) {
                let step = parts.random.expect("a random part") - last.random.expect("a random part");
                assert!((1..=most).contains(&step), "{step}");
            }
            last = Some(parts);
        }
    }
}

#[test]
fn the_largest_draw_is_the_largest_step_and_the_smallest_is_1() {
    for (bits, step) in [(0, 1), (u64::MAX << 32, 255)] {
        let clock = ManualClock::new(NOW_MS).expect("a time");
        let format = UlidFlakeFormat::default();
        let ids: UlidFlake<_, Cursor, _> =
            UlidFlake::build(format, &Options::default(), &clock, Always(bits)).expect("a generator");
        let (first, second) = (ids.generate().expect("an ID"), ids.generate().expect("an ID"));
        assert_eq!(ids.inspect(first).map(|parts| parts.random), Ok(Some(0)));
        assert_eq!(second - first, step);
    }
}

#[test]
fn past_the_random_field_the_next_tick_is_waited_for() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let format = UlidFlakeFormat::default();
    let ids: UlidFlake<_, Cursor, _> =
        UlidFlake::build(format, &Options::default(), &clock, Always(u64::MAX)).expect("a generator");
    let first = ids.generate().expect("an ID");
    assert_eq!(ids.inspect(first).map(|parts| parts.random), Ok(Some((1 << 20) - 1)));
    assert_eq!(kind(ids.generate()), Some(ErrorKind::WouldWait));
    clock.advance(1).expect("a time");
    let second = ids.generate().expect("an ID");
    assert_eq!(ids.inspect(second).map(|parts| parts.timestamp_ms), Ok(NOW_MS + 1));
}

#[test]
fn without_randomness_there_is_no_ulid_flake() {
    struct Empty;
    impl Entropy for Empty {
        fn fill(&self, _: &mut [u8]) -> Result<(), Error> {
            Err(Error::EntropyUnavailable)
        }
    }
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let format = UlidFlakeFormat::default();
    let ids: UlidFlake<_, Cursor, _> =
        UlidFlake::build(format, &Options::default(), &clock, Empty).expect("a generator");
    assert_eq!(kind(ids.generate()), Some(ErrorKind::EntropyUnavailable));
    assert_eq!(kind(ids.try_generate()), Some(ErrorKind::EntropyUnavailable));
}

#[test]
fn entropy_sizes_that_are_not_possible_are_refused() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let build = |scalability, entropy_size| {
        let format = UlidFlakeFormat { scalability, entropy_size, ..UlidFlakeFormat::default() };
        kind(UlidFlake::<_, Cursor, _>::build(format, &Options::default(), &clock, OsEntropy))
    };
    for entropy_size in [i64::MIN, -1, 0, 4, i64::MAX] {
        assert_eq!(build(None, entropy_size), Some(ErrorKind::InvalidEntropySize));
        assert_eq!(build(Some(1), entropy_size), Some(ErrorKind::InvalidEntropySize));
    }
    assert_eq!((build(None, 3), build(Some(1), 3)), (None, Some(ErrorKind::InvalidEntropySize)));
    assert_eq!(build(Some(32), 1), Some(ErrorKind::NodeOutOfRange));
    assert_eq!(build(Some(-1), 1), Some(ErrorKind::NodeOutOfRange));
}

#[test]
fn generators_made_on_many_threads_at_once_share_their_cursor() {
    let make =
        || (0..500).map(|_| Snowflake::new(140).and_then(|ids| ids.generate()).expect("an ID")).collect::<Vec<_>>();
    let mut all: Vec<i64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread that ends well")).collect()
    });
    all.sort_unstable();
    assert!(all.len() == 4_000 && all.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn generators_are_shared_and_sent_as_their_cursors_allow() {
    fn shared<G: Generator + Send + Sync>() {}
    fn sent<G: Generator + Send>() {}
    shared::<Snowflake>();
    shared::<Randflake>();
    shared::<UlidFlake>();
    sent::<Snowflake<SystemClock, LocalCursor>>();
}

#[test]
fn threads_that_ask_for_more_than_a_node_gives_wait_for_each_other() {
    let ids = Snowflake::new(106).expect("a generator");
    let mut all = Vec::new();
    std::thread::scope(|scope| {
        let threads: [_; 4] = std::array::from_fn(|_| scope.spawn(|| ids.generate_many(20_000).expect("IDs")));
        for thread in threads {
            all.extend(thread.join().expect("a thread that ends well"));
        }
    });
    all.sort_unstable();
    assert!(all.len() == 80_000 && all.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn no_id_has_a_time_before_the_first_allowed() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let build = |options: Options| Snowflake::<_>::build(Layout::TWITTER, &options, &clock);
    let ids = build(Options::node(1).not_before(NOW_MS + 2)).expect("a generator");
    assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::WouldWait));
    clock.advance(2).expect("a time");
    assert_eq!(ids.inspect(ids.generate().expect("an ID")).expect("parts").timestamp_ms, NOW_MS + 2);
    // Within a window the later of the two counts; a time before the epoch forbids nothing.
    let within = build(Options::node(1).window(NOW_MS + 5..NOW_MS + 9).not_before(NOW_MS + 7)).expect("a generator");
    clock.advance(5).expect("a time");
    assert_eq!(within.inspect(within.generate().expect("an ID")).expect("parts").timestamp_ms, NOW_MS + 7);
    assert!(build(Options::node(1).not_before(i64::MIN)).expect("a generator").generate().is_ok());
    for options in
        [Options::node(1).not_before(i64::MAX), Options::node(1).window(NOW_MS - 9..NOW_MS).not_before(NOW_MS)]
    {
        assert_eq!(build(options).map_err(|error| error.kind()).err(), Some(ErrorKind::InvalidWindow));
    }
}

#[test]
fn who_waits_alone_is_told_how_long_and_never_longer_than_is_left() {
    let answer = |ids: &dyn Generator, left| ids.try_generate_within(left).map_err(|error| error.kind());
    let ms = Duration::from_millis;
    // A clock that never waits does not go on for others either.
    let manual = ManualClock::new(NOW_MS).expect("a time");
    let window = Options::node(1).window(NOW_MS + 10..NOW_MS + 20);
    let ids: Snowflake<_> = Snowflake::build(Layout::TWITTER, &window, &manual).expect("a generator");
    assert_eq!(answer(&ids, ms(10)), Err(ErrorKind::WouldWait));
    assert_eq!(answer(&ids, ms(9)), Err(ErrorKind::LeaseNotBegun));
    manual.advance(10).expect("a time");
    assert!(matches!(ids.try_generate_within(ms(0)), Ok(Attempt::Ready(_))));

    let diary = Diary::new(1_000);
    let ids: Snowflake<_> = Snowflake::build(Layout::TWITTER, &window, &diary).expect("a generator");
    assert_eq!(answer(&ids, ms(10)), Ok(Attempt::Wait(ms(10))));
    assert_eq!(answer(&ids, ms(9)), Err(ErrorKind::LeaseNotBegun));
}
