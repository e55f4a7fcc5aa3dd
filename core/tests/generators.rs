//! Generators never repeat an ID, whatever threads and clocks do, and make none outside their
//! window.

mod dice;

use dice::Dice;
use saiban::cursor::LocalCursor;
use saiban::{
    Attempt, Clock, ComposeParts, Error, ErrorKind, Generator, Layout, Leniency, ManualClock, ObjectIdGenerator,
    Options, OsEntropy, PooledEntropy, RandflakeGenerator, Scope, Secret, SnowflakeGenerator, SystemClock,
    UlidFlakeFormat, UlidFlakeGenerator, UlidGenerator,
};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

const NOW_MS: i64 = 1_763_700_000_000;
const SECRET: Secret = Secret::new([0x5a; 16]);

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

/// Returns options for one node.
fn node(node: u64) -> Options {
    Options::node(node)
}

// A million IDs on four threads, while the clock jumps forward and back.

const THREADS: usize = 4;
const IDS: usize = 1_000_000;

/// Moves the clock: mostly forward, sometimes back or far forward.
fn jump(clock: &ManualClock, reached_ms: &AtomicI64, dice: &mut Dice) {
    let on = if dice.below(50) == 0 { 1000 } else { dice.below(4) as i64 };
    let now_ms = NOW_MS + on + reached_ms.fetch_add(on, Ordering::Relaxed);
    let back = if dice.below(10) == 0 { dice.below(2000) as i64 } else { 0 };
    clock.set(now_ms - back).expect("a time");
}

fn no_two_are_equal(clock: &ManualClock, ids: &(dyn Generator<Id = i64> + Sync)) {
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
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &node(7), &clock).expect("a generator");
    no_two_are_equal(&clock, &ids);
}

#[test]
fn a_million_snowflakes_of_a_range_of_nodes_are_all_different() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = SnowflakeGenerator::build(Layout::SONYFLAKE, &Options::nodes(3..103), &clock).expect("a generator");
    no_two_are_equal(&clock, &ids);
}

#[test]
fn a_million_randflakes_on_four_threads_are_all_different() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = RandflakeGenerator::build(&SECRET, &node(42), &clock).expect("a generator");
    no_two_are_equal(&clock, &ids);
}

#[test]
fn a_million_ulid_flakes_on_four_threads_are_all_different() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let format = UlidFlakeFormat::default();
    let ids = UlidFlakeGenerator::build(format, &Options::default(), &clock, PooledEntropy).expect("a generator");
    no_two_are_equal(&clock, &ids);
}

#[test]
fn a_million_scalable_ulid_flakes_on_four_threads_are_all_different() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let format = UlidFlakeFormat { scalability: Some(3), entropy_size: 2, ..UlidFlakeFormat::default() };
    let ids = UlidFlakeGenerator::build(format, &Options::default(), &clock, PooledEntropy).expect("a generator");
    no_two_are_equal(&clock, &ids);
}

#[test]
fn a_million_snowflakes_with_rollback_bits_on_four_threads_are_all_different() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let layout = Layout::TWITTER.with_rollback_bits(2).expect("a layout");
    let ids = SnowflakeGenerator::build(layout, &Options::nodes(3..6), &clock).expect("a generator");
    no_two_are_equal(&clock, &ids);
}

#[test]
fn a_million_snowflakes_of_shards_with_rollback_bits_on_four_threads_are_all_different() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let layout = Layout::DISCORD.with_rollback_bits(1).expect("a layout");
    let options = Options::nodes(0..511).shards(3);
    let ids = SnowflakeGenerator::build(layout, &options, &clock).expect("a generator");
    no_two_are_equal(&clock, &ids);
}

// Windows and ranges.

#[test]
fn as_many_nodes_as_a_cursor_can_count_are_used_to_the_last_tick_and_nothing_wraps() {
    // Positions have all 63 bits: 42 of time, 9 of nodes, 12 of sequence. The second layout has a
    // rollback bit, and all nodes that remain.
    for (layout, lanes) in [(Layout::DISCORD, 1), (Layout::DISCORD.with_rollback_bits(1).expect("a layout"), 2)] {
        let clock = ManualClock::new(layout.last_ms()).expect("a time");
        let build = |nodes| SnowflakeGenerator::build(layout, &Options::nodes(nodes), &clock);
        assert_eq!(kind(build(0..513)), Some(ErrorKind::NodeOutOfRange));
        let ids = build(0..512).expect("a generator");
        let all = ids.generate_many(512 * 4096).expect("the last tick of all");
        assert!(all.windows(2).all(|pair| (pair[0] as u64) < pair[1] as u64));
        let last = layout.split(all[512 * 4096 - 1]).expect("an ID of the layout");
        assert_eq!((last.tick, last.node, last.counter), (layout.ticks() - 1, 511, 4095));
        assert_eq!(kind(ids.generate()), Some(ErrorKind::TimestampOverflow));
        clock.advance(-1).expect("a time");
        let after = ids.generate().map(|id| layout.split(id).expect("an ID of the layout").rollback);
        // The other value of the rollback bit is still unused.
        assert_eq!(
            after.map_err(|error| error.kind()),
            if lanes == 1 { Err(ErrorKind::TimestampOverflow) } else { Ok(1) }
        );
        clock.advance(1).expect("a time");
        assert_eq!(kind(ids.generate_many(512 * 4096)).is_some(), lanes == 1);
        assert_eq!(kind(ids.generate()), Some(ErrorKind::TimestampOverflow));
        assert_eq!(ids.stats().expect("stats").issued, lanes * 512 * 4096 + (lanes - 1));
    }
}

#[test]
fn no_id_lies_outside_its_window_whatever_the_clock_shows() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let (start, end) = (NOW_MS, NOW_MS + 20);
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &node(7).window(start..end), &clock).expect("a generator");
    let mut dice = Dice::new(1);
    let mut made = 0;
    for _ in 0..20_000 {
        clock.set(start - 10 + dice.below(40) as i64).expect("a time");
        let before = clock.now_ms() < start;
        match ids.generate() {
            Ok(id) => {
                let timestamp_ms = ids.inspect(id).expect("its own ID").timestamp_ms.expect("a time");
                assert!((start..end).contains(&timestamp_ms), "{timestamp_ms}");
                made += 1;
            }
            Err(error) => match error.kind() {
                // A wait within `max_wait` is left to the clock, and this clock never waits.
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
    // Randflake windows are in seconds.
    let window = 1_763_700_000..1_763_700_001;
    let ids = RandflakeGenerator::build(&SECRET, &node(1).window(window), &clock).expect("a generator");
    clock.advance(999).expect("a time");
    assert_eq!(ids.generate_many(1 << 17).map(|made| made.len()), Ok(1 << 17));
    assert_eq!(kind(ids.generate()), Some(ErrorKind::LeaseExpired), "the second is used up, and the next is not ours");
}

#[test]
fn a_range_of_nodes_is_used_in_order_and_all_of_it() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &Options::nodes(5..8), &clock).expect("a generator");
    let made = ids.generate_many(3 * 4096).expect("a full tick");
    assert!(made.windows(2).all(|pair| pair[0] < pair[1]));
    for (index, id) in made.iter().enumerate() {
        let parts = ids.inspect(*id).expect("its own ID");
        assert_eq!(parts.node, Some(5 + index as u64 / 4096));
        assert_eq!(parts.sequence, Some(index as u64 % 4096));
        assert_eq!(parts.timestamp_ms, Some(NOW_MS));
    }
    assert_eq!(kind(ids.generate()), Some(ErrorKind::WouldWait));
}

#[test]
fn generators_without_a_node_are_not_made() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let none = Options::default();
    let mut both = node(1);
    both.nodes = Some(0..4);
    assert_eq!(kind(SnowflakeGenerator::build(Layout::TWITTER, &none, &clock)), Some(ErrorKind::NodeRequired));
    assert_eq!(kind(RandflakeGenerator::build(&SECRET, &none, &clock)), Some(ErrorKind::NodeRequired));
    assert_eq!(kind(SnowflakeGenerator::build(Layout::TWITTER, &both, &clock)), Some(ErrorKind::InvalidArgument));
    for (first, end) in [(0, 0), (5, 4), (-1, 3), (1020, 1025), (i64::MIN, i64::MAX)] {
        let mut options = Options::default();
        options.nodes = Some(first..end);
        let refused = SnowflakeGenerator::build(Layout::TWITTER, &options, &clock);
        assert_eq!(kind(refused), Some(ErrorKind::NodeOutOfRange), "{first} to {end}");
    }
}

#[test]
fn windows_that_hold_no_time_of_the_layout_are_refused() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let (first, last) = (Layout::TWITTER.epoch_ms(), Layout::TWITTER.last_ms());
    let backwards = Range { start: first, end: first - 1 };
    for window in [first..first, backwards, first - 1..first + 1, last..last + 2, i64::MIN..i64::MAX] {
        let refused = SnowflakeGenerator::build(Layout::TWITTER, &node(1).window(window.clone()), &clock);
        assert_eq!(kind(refused), Some(ErrorKind::InvalidWindow), "{window:?}");
    }
    for window in [first..first + 1, last..last + 1, first..last + 1] {
        let made = SnowflakeGenerator::build(Layout::TWITTER, &node(1).window(window.clone()), &clock);
        assert!(made.is_ok(), "{window:?}");
    }
}

// One process has one cursor for each node. These tests share the process's registry, so each uses
// its own nodes.

/// Builds a generator in process scope; `machine*.rs` tests machine scope.
fn in_process(options: Options) -> Result<SnowflakeGenerator, Error> {
    SnowflakeGenerator::build(Layout::TWITTER, &options.scope(Scope::Process), SystemClock)
}

#[test]
fn two_generators_of_the_same_node_never_repeat_each_other() {
    let [one, other] = [(); 2].map(|()| in_process(Options::node(100)).expect("a generator"));
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
fn a_generator_made_again_continues_where_the_first_stopped() {
    let mut all = Vec::new();
    for _ in 0..2_000 {
        all.push(in_process(Options::node(101)).and_then(|ids| ids.generate()).expect("an ID"));
    }
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn ranges_that_overlap_are_refused_while_the_other_lives() {
    let ranged = |nodes| in_process(Options::nodes(nodes));
    let first = ranged(110..114).expect("a generator");
    assert_eq!(kind(ranged(113..115)), Some(ErrorKind::NodeInUse));
    assert_eq!(kind(in_process(Options::node(111))), Some(ErrorKind::NodeInUse));
    assert!(ranged(110..114).is_ok() && ranged(114..115).is_ok());
    let discord = SnowflakeGenerator::build(Layout::DISCORD, &Options::node(111).scope(Scope::Process), SystemClock);
    assert!(discord.is_ok(), "another layout");
    let before = first.generate_many(10).expect("IDs");
    drop(first);
    let later = in_process(Options::node(110)).expect("a generator");
    assert!(later.generate().expect("an ID") > before[9], "the tick after the range's last is the first surely free");
}

#[test]
fn layouts_that_differ_only_in_their_description_do_not_repeat_each_other() {
    let described = |spec: saiban::LayoutSpec| {
        let layout = spec.node(10).sequence(12).epoch_ms(1_288_834_974_657).check().expect("a layout");
        SnowflakeGenerator::build(layout, &Options::node(150).scope(Scope::Process), SystemClock)
    };
    let spec = saiban::LayoutSpec::new;
    // The layouts are Twitter's, with its unused bits in two fields, and with one bit less of time;
    // their IDs are equal until 2045.
    let twitters = described(spec().unused(1).timestamp(41)).expect("a generator");
    let id = twitters.generate().expect("an ID");
    assert_eq!(kind(described(spec().unused(2).timestamp(40))), Some(ErrorKind::NodeInUse));
    assert_eq!(kind(described(spec().unused(1).unused(1).timestamp(40))), Some(ErrorKind::NodeInUse));
    drop(twitters);
    let later = described(spec().unused(2).timestamp(40)).expect("a generator");
    assert!(later.generate().expect("an ID") > id);
}

#[test]
fn a_single_owner_excludes_others_and_leaves_its_cursor_to_them() {
    type Local = SnowflakeGenerator<SystemClock, LocalCursor>;
    let local = |node| Local::with_cursor(Layout::TWITTER, &Options::node(node).scope(Scope::Process), SystemClock);
    let owner = local(120).expect("a generator");
    assert_eq!(kind(local(120)), Some(ErrorKind::NodeInUse));
    assert_eq!(kind(in_process(Options::node(120))), Some(ErrorKind::NodeInUse));
    let last = *owner.generate_many(5_000).expect("IDs").last().expect("5000");
    drop(owner);
    let shared = in_process(Options::node(120)).expect("a generator");
    let next = shared.generate().expect("an ID");
    assert!(next > last);
    assert_eq!(kind(local(120)), Some(ErrorKind::NodeInUse));
    drop(shared);
    assert!(local(120).and_then(|ids| ids.generate()).expect("an ID") > next);
}

#[test]
fn other_schemes_and_custom_clocks_share_no_cursor() {
    let system = SnowflakeGenerator::new(130).expect("a generator");
    let randflake = RandflakeGenerator::new(&SECRET, 130).expect("a generator");
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let first = SnowflakeGenerator::build(Layout::TWITTER, &node(130), &clock).expect("a generator");
    let second = SnowflakeGenerator::build(Layout::TWITTER, &node(130), &clock).expect("a generator");
    assert_eq!(first.generate(), second.generate(), "who brings a clock may replay its time");
    assert!(system.generate().is_ok() && randflake.generate().is_ok());
}

#[test]
fn stand_alone_ulid_flakes_of_one_process_never_repeat() {
    let made: Vec<UlidFlakeGenerator> = (0..4).map(|_| UlidFlakeGenerator::new().expect("a generator")).collect();
    let mut all: Vec<i64> = made.iter().flat_map(|ids| ids.generate_many(2_000).expect("IDs")).collect();
    all.sort_unstable();
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn a_stand_alone_ulid_flake_is_given_no_scalability_id() {
    let parts = ComposeParts::at_ms(NOW_MS).random(5).node(3);
    let error = UlidFlakeGenerator::new().expect("a generator").compose(&parts).expect_err("it has no field for it");
    assert_eq!(error.kind(), ErrorKind::NodeOutOfRange);
    assert!(error.to_string().contains("a stand-alone Ulid-Flake has no scalability id"), "{error}");
}

#[test]
fn lenient_readers_take_no_text_with_a_character_lost_or_doubled() -> Result<(), Error> {
    fn read<I: saiban::IdValue>(ids: &dyn Generator<Id = I>, text: &str) -> Result<I, Error> {
        ids.from_text_as(text, Leniency::Lenient)
    }
    fn keeps_its_width<I: saiban::IdValue>(ids: &dyn Generator<Id = I>, id: I, has_hyphens: bool) -> Result<(), Error> {
        let text = ids.to_text(id)?.to_string();
        for place in 0..text.len() {
            let (before, after) = text.split_at(place);
            for other in [format!("{before}{}", &after[1..]), format!("{before}{}{after}", &after[..1])] {
                assert_eq!(kind(read(ids, &other)), Some(ErrorKind::TextLength), "{other}");
            }
            if has_hyphens {
                assert_eq!(read(ids, &format!("{before}-{after}"))?, id);
                assert_eq!(kind(read(ids, &format!("{before}-{}", &after[1..]))), Some(ErrorKind::TextLength));
            }
        }
        assert_eq!(read(ids, &text.to_lowercase())?, id);
        assert_eq!(read(ids, &text.to_uppercase())?, id);
        Ok(())
    }
    let clock = ManualClock::new(NOW_MS)?;
    let ids = UlidFlakeGenerator::new()?;
    let parts = ComposeParts::at_ms(NOW_MS).random(5);
    keeps_its_width(&ids, ids.compose(&parts)?, true)?;
    let ids = UlidGenerator::build(&Options::default(), &clock, PooledEntropy)?;
    keeps_its_width(&ids, ids.compose(&parts)?, true)?;
    let ids = ObjectIdGenerator::build(&Options::default(), &clock, OsEntropy)?;
    keeps_its_width(&ids, ids.compose(&ComposeParts::at_ms(NOW_MS).node(5).sequence(7))?, false)
}

#[test]
fn generators_made_on_many_threads_at_once_share_their_cursor() {
    let make = || {
        (0..500)
            .map(|_| SnowflakeGenerator::new(140).and_then(|ids| ids.generate()).expect("an ID"))
            .collect::<Vec<_>>()
    };
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
    shared::<SnowflakeGenerator>();
    shared::<RandflakeGenerator>();
    shared::<UlidFlakeGenerator>();
    sent::<SnowflakeGenerator<SystemClock, LocalCursor>>();
}

#[test]
fn threads_that_ask_for_more_than_a_node_gives_wait_for_each_other() {
    let ids = SnowflakeGenerator::new(106).expect("a generator");
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

/// A clock that generators take for the process's own time, and that the test sets.
struct Wall(AtomicU64);

impl Clock for Wall {
    fn now_ns(&self) -> Result<u64, Error> {
        Ok(self.0.load(Ordering::Relaxed) * 1_000_000)
    }

    fn is_process_time(&self) -> bool {
        true
    }
}

#[test]
fn a_range_begins_after_ids_of_some_of_its_nodes_though_the_clock_stepped_back() -> Result<(), Error> {
    let wall = Wall(AtomicU64::new(NOW_MS as u64));
    let range = |nodes| SnowflakeGenerator::build(Layout::DISCORD, &Options::nodes(nodes).scope(Scope::Process), &wall);
    let first = range(420..424)?;
    wall.0.fetch_add(5, Ordering::Relaxed);
    let reached_ms = first.inspect(first.generate()?)?.timestamp_ms.expect("a time");
    drop(first);
    wall.0.fetch_sub(3, Ordering::Relaxed);
    let second = range(422..426)?;
    wall.0.fetch_add(1, Ordering::Relaxed);
    assert!(second.generate().is_err(), "the tick of the first is not over");
    wall.0.fetch_add(3, Ordering::Relaxed);
    assert_eq!(second.inspect(second.generate()?)?.timestamp_ms, Some(reached_ms + 1));
    Ok(())
}

#[test]
fn ticks_that_lie_partly_outside_the_window_are_not_used() -> Result<(), Error> {
    // Ticks have 10 ms; the window begins and ends inside a tick.
    let epoch_ms = Layout::SONYFLAKE.epoch_ms();
    let clock = ManualClock::new(epoch_ms + 103)?;
    let options = node(1).window(epoch_ms + 103..epoch_ms + 127);
    let ids = SnowflakeGenerator::build(Layout::SONYFLAKE, &options, &clock)?;
    assert_eq!(kind(ids.generate()), Some(ErrorKind::WouldWait));
    clock.set(epoch_ms + 119)?;
    assert_eq!(ids.inspect(ids.generate()?)?.timestamp_ms, Some(epoch_ms + 110));
    clock.set(epoch_ms + 120)?;
    assert_eq!(kind(ids.generate()), Some(ErrorKind::LeaseExpired));
    Ok(())
}

#[test]
fn a_generator_after_a_single_owner_begins_after_its_ids_though_the_clock_stepped_back() -> Result<(), Error> {
    let wall = Wall(AtomicU64::new(NOW_MS as u64));
    let owner: SnowflakeGenerator<_, LocalCursor> =
        SnowflakeGenerator::with_cursor(Layout::DISCORD, &Options::node(430).scope(Scope::Process), &wall)?;
    wall.0.fetch_add(5, Ordering::Relaxed);
    let reached = owner.inspect(owner.generate()?)?;
    drop(owner);
    wall.0.fetch_sub(3, Ordering::Relaxed);
    let next = SnowflakeGenerator::build(Layout::DISCORD, &Options::node(430).scope(Scope::Process), &wall)?;
    wall.0.fetch_add(1, Ordering::Relaxed);
    let parts = next.inspect(next.generate()?)?;
    assert_eq!((parts.timestamp_ms, parts.sequence), (reached.timestamp_ms, Some(1)));
    Ok(())
}

/// A clock that makes an ID at every third reading, for example for its log.
struct Logging;

std::thread_local! {
    static OWNER: RefCell<Option<Rc<SnowflakeGenerator<Logging, LocalCursor>>>> = const { RefCell::new(None) };
    static READINGS: Cell<u32> = const { Cell::new(0) };
    static LOGGED: RefCell<Vec<i64>> = const { RefCell::new(Vec::new()) };
}

impl Clock for Logging {
    fn now_ns(&self) -> Result<u64, Error> {
        READINGS.set(READINGS.get() + 1);
        if READINGS.get() % 3 == 0 {
            let ids = OWNER.with_borrow(Clone::clone).expect("a generator");
            let id = ids.generate()?;
            LOGGED.with_borrow_mut(|logged| logged.push(id));
        }
        Ok(NOW_MS as u64 * 1_000_000)
    }
}

#[test]
fn a_clock_that_asks_a_single_owner_for_an_id_gets_another_one() -> Result<(), Error> {
    let ids = Rc::new(SnowflakeGenerator::with_cursor(Layout::TWITTER, &node(1), Logging)?);
    OWNER.set(Some(Rc::clone(&ids)));
    let mut all = (0..100).map(|_| ids.generate()).collect::<Result<Vec<_>, _>>()?;
    OWNER.set(None);
    LOGGED.with_borrow(|logged| all.extend(logged));
    assert!(all.len() > 120, "{} are no proof", all.len());
    all.sort_unstable();
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "one came twice");
    Ok(())
}

#[test]
fn ids_one_by_one_are_those_of_a_list_in_every_order_of_fields() {
    let fields = ["timestamp:36,epoch=2025-01-01", "node:8", "sequence:10", "constant:5,value=19", "unused:3"];
    let mut orders = 0;
    for first in 0..fields.len().pow(5) {
        let order: Vec<usize> = (0..5).map(|place| first / fields.len().pow(place) % fields.len()).collect();
        if order.iter().collect::<HashSet<_>>().len() < fields.len() {
            continue;
        }
        let text = order.iter().map(|field| fields[*field]).collect::<Vec<_>>().join(" ");
        let layout = Layout::from_text(&text).expect("a layout");
        // A node has 1024 IDs a tick, so the range uses three nodes.
        for (nodes, count) in [(7..8, 900), (3..200, 2_500)] {
            let clock = ManualClock::new(1_763_700_000_000).expect("a time");
            let build =
                || SnowflakeGenerator::build(layout, &Options::nodes(nodes.clone()), &clock).expect("a generator");
            let (alone, listed) = (build(), build());
            let mut list = vec![0; count];
            assert_eq!(listed.fill(&mut list), Ok(count));
            let one_by_one: Vec<_> = (0..count).map(|_| alone.generate().expect("an ID")).collect();
            assert_eq!(one_by_one, list, "{text}, nodes {nodes:?}");
            orders += 1;
        }
    }
    assert_eq!(orders, 240);
}
