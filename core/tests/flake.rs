//! Custom layouts of 16 to 128 bits keep the guarantees of Snowflake layouts.

mod dice;

use dice::Dice;
use saiban::{
    Attempt, Clock, Error, ErrorKind, FlakeGenerator, Generator, Guarantee, IdValue, Layout, ManualClock, Options,
    OsEntropy, PooledEntropy, Rollback, Scope, SnowflakeGenerator, SystemClock, UlidFlakeFormat, UlidFlakeGenerator,
    WideFlakeGenerator,
};
use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Duration;

const NOW_MS: i64 = 1_763_700_000_000;

/// Layouts of each kind; the time of all of them lasts for years.
const LAYOUTS: [&str; 17] = [
    "timestamp:41,epoch=2020-02-02 node:10 sequence:12",
    "unused:1 timestamp:41,epoch=2020-02-02 node.datacenter:5 node.worker:5 sequence:12",
    "node:8 timestamp:34@10ms,epoch=2024-01-01 sequence:6",
    "timestamp:44 sequence:20",
    "timestamp:30@s,epoch=2024-01-01 sequence:10,start=random node:8",
    "timestamp:34@10ms,epoch=2024-01-01 random:14,step=255",
    "timestamp:40,epoch=2024-01-01 node:6 rollback:2 sequence:8",
    "unused:1 timestamp:41,epoch=2024-01-01 constant:2,value=2 node:4 sequence:8 random:8",
    "timestamp:26@min,epoch=2024-01-01 node:16",
    "timestamp:48 node:16 sequence:64",
    "timestamp:48 constant:4,value=7 random:76,step=1000000",
    "timestamp:60@us,epoch=2020-01-01 node:32 sequence:36,start=random",
    "timestamp:48 node:16 rollback:4 sequence:20 random:40",
    "timestamp:42 sequence:22 unused:64",
    "timestamp:48 rollback:2 sequence:14",
    "unused:1 timestamp:43,epoch=2024-01-01 rollback:2 random:18,step=255",
    "timestamp:48 rollback:4 sequence:60 random:16",
];

fn layout(text: &str) -> Layout {
    Layout::from_text(text).expect("a layout")
}

fn options(layout: &Layout, node: u64) -> Options {
    if layout.has_node() { Options::node(node) } else { Options::default() }
}

/// Makes IDs on two threads, while the clock jumps.
fn made_under_a_jumping_clock<I: IdValue>(
    clock: &ManualClock,
    ids: &(dyn Generator<Id = I> + Sync),
    tick_ms: i64,
) -> Vec<I> {
    const IDS: usize = 40_000;
    let reached_ms = Mutex::new(NOW_MS);
    let go_on = |dice: &mut Dice| {
        let mut reached_ms = reached_ms.lock().expect("no panic");
        *reached_ms += dice.below(3) as i64 * tick_ms;
        let back_ms = if dice.below(10) == 0 { dice.below(50) as i64 * tick_ms } else { 0 };
        clock.set(*reached_ms - back_ms).expect("a time");
    };
    let make = |seed: u64| {
        let mut dice = Dice::new(seed);
        let mut made = Vec::new();
        let mut block = [I::default(); 64];
        while made.len() < IDS / 2 {
            let answer = if dice.below(2) == 0 {
                ids.try_generate().map(|attempt| match attempt {
                    Attempt::Ready(id) => made.push(id),
                    Attempt::Wait(_) => go_on(&mut dice),
                })
            } else {
                ids.fill(&mut block).map(|written| made.extend_from_slice(&block[..written]))
            };
            match answer.map_err(|error| error.kind()) {
                Ok(()) if dice.below(8) != 0 => {}
                Ok(()) | Err(ErrorKind::WouldWait | ErrorKind::ClockBackward) => go_on(&mut dice),
                Err(kind) => panic!("{kind}"),
            }
        }
        made
    };
    std::thread::scope(|scope| {
        let threads = [1, 2].map(|seed| scope.spawn(move || make(seed)));
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread that ends well")).collect()
    })
}

fn assert_all_differ<I: IdValue>(mut made: Vec<I>, text: &str) {
    let count = made.len();
    made.sort_unstable();
    made.dedup();
    assert_eq!(made.len(), count, "{text}: an ID came twice");
}

#[test]
fn ids_of_every_sort_of_layout_are_all_different_under_a_jumping_clock() -> Result<(), Error> {
    for text in LAYOUTS {
        let layout = layout(text);
        let clock = ManualClock::new(NOW_MS)?;
        let tick_ms = (layout.tick_us() / 1_000).max(1) as i64;
        let options = options(&layout, 3);
        if layout.is_wide() {
            let ids = WideFlakeGenerator::build(layout, &options, &clock, OsEntropy)?;
            let made = made_under_a_jumping_clock(&clock, &ids, tick_ms);
            for id in &made {
                let parts = ids.inspect(*id)?;
                assert_eq!(parts.node, layout.has_node().then_some(3), "{text}");
                assert_eq!(ids.compose(&parts.into())?, *id, "{text}");
            }
            assert_all_differ(made, text);
        } else {
            let ids = FlakeGenerator::build(layout, &options, &clock, OsEntropy)?;
            let made = made_under_a_jumping_clock(&clock, &ids, tick_ms);
            assert!(layout.size_bits() == 64 || made.iter().all(|id| *id >> layout.size_bits() == 0), "{text}");
            assert!(made.iter().all(|id| ids.inspect(*id).is_ok()), "{text}");
            assert_all_differ(made, text);
        }
    }
    Ok(())
}

#[test]
fn a_flake_of_twitters_layout_is_a_snowflake() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    for layout in [Layout::TWITTER, Layout::DISCORD, Layout::INSTAGRAM, Layout::SONYFLAKE, Layout::SONYFLAKE_V2] {
        let flake = FlakeGenerator::build(layout, &Options::nodes(3..9), &clock, OsEntropy)?;
        let snowflake = SnowflakeGenerator::build(layout, &Options::nodes(3..9), &clock)?;
        for _ in 0..40 {
            clock.advance(7)?;
            let (mut flakes, mut snowflakes) = ([0; 300], [0; 300]);
            assert_eq!(flake.fill(&mut flakes)?, snowflake.fill(&mut snowflakes)?);
            assert_eq!(flakes, snowflakes);
        }
        assert_eq!(flake.stats()?, snowflake.stats()?);
    }
    Ok(())
}

#[test]
fn a_flake_a_snowflake_and_a_ulid_flake_of_one_layout_and_node_count_together() -> Result<(), Error> {
    // All IDs are in one tick, which `not_before` opens at once.
    let at_once = |options: Options| options.not_before(1).scope(Scope::Process);
    let options = at_once(Options::node(77));
    let counting = layout("timestamp:21@h node:10 sequence:12");
    let snowflake = SnowflakeGenerator::build(counting, &options, SystemClock)?;
    let flake = FlakeGenerator::new(counting, &options)?;
    let mut all = HashSet::new();
    for _ in 0..100 {
        assert!(all.insert(snowflake.generate()?) && all.insert(flake.generate()?));
    }
    let other = FlakeGenerator::new(layout("timestamp:21@h node.a:5 node.b:5 random:12,step=1"), &options).map(|_| ());
    assert_eq!(other.map_err(|error| error.kind()), Err(ErrorKind::NodeInUse));
    let format = UlidFlakeFormat { scalability: Some(9), ..UlidFlakeFormat::default() };
    let ulid_flake = UlidFlakeGenerator::build(format, &at_once(Options::default()), SystemClock, PooledEntropy)?;
    let flake = FlakeGenerator::new(*ulid_flake.layout().expect("a layout"), &at_once(Options::node(9)))?;
    let mut all = HashSet::new();
    for _ in 0..100 {
        assert!(all.insert(ulid_flake.generate()?) && all.insert(flake.generate()?));
    }
    Ok(())
}

#[test]
fn a_layout_without_node_that_has_given_up_bits_goes_on_when_the_clock_steps_back() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    let ids = FlakeGenerator::build(Layout::MASTODON.with_rollback_bits(2)?, &Options::default(), &clock, OsEntropy)?;
    let first = ids.inspect(ids.generate()?)?;
    clock.advance(-60_000)?;
    let second = ids.inspect(ids.generate()?)?;
    assert_eq!((first.rollback, second.rollback), (Some(0), Some(1)));
    assert_eq!((second.timestamp_ms, second.node), (Some(NOW_MS - 60_000), None));
    assert_eq!(ids.stats()?.guarantee, Guarantee::UniqueInProcess);
    Ok(())
}

#[test]
fn a_layout_with_and_without_rollback_bits_is_not_used_at_the_same_time() -> Result<(), Error> {
    // Both layouts share a cursor; no other test uses this epoch.
    let plain = layout("timestamp:42,epoch=2021-03-04 sequence:16");
    let kind = |layout| FlakeGenerator::new(layout, &Options::default()).map(|_| ()).map_err(|error| error.kind());
    let ids = FlakeGenerator::new(plain, &Options::default())?;
    let last = ids.generate()?;
    for bits in 1..=4 {
        assert_eq!(kind(plain.with_rollback_bits(bits)?), Err(ErrorKind::NodeInUse));
    }
    drop(ids);
    let with = FlakeGenerator::new(plain.with_rollback_bits(2)?, &Options::default())?;
    assert!(with.inspect(with.generate()?)?.timestamp_ms > ms(&plain, last));
    assert_eq!(
        (kind(plain), kind(plain.with_rollback_bits(1)?)),
        (Err(ErrorKind::NodeInUse), Err(ErrorKind::NodeInUse))
    );
    Ok(())
}

fn ms(layout: &Layout, id: i64) -> Option<i64> {
    layout.split(id).ok().map(|fields| layout.tick_start_ms(fields.tick))
}

#[test]
fn the_error_at_the_start_of_a_long_tick_has_a_remedy() -> Result<(), Error> {
    for text in ["timestamp:20@h,epoch=2025-01-01 sequence:12", "timestamp:16@d,epoch=2021-01-01 node:8 sequence:40"] {
        let layout = layout(text);
        // The error appears even just before the next tick.
        let error = FlakeGenerator::new(
            layout,
            &options(&layout, 5).scope(Scope::Process).max_wait(std::time::Duration::ZERO),
        )?
        .generate()
        .expect_err("the tick of the build");
        assert!(matches!(error, Error::WouldWaitAtFirst { .. }) && error.kind() == ErrorKind::WouldWait, "{error}");
        let message = error.to_string();
        for words in ["the tick after the one in which it was built", "not_before", "max_wait"] {
            assert!(message.contains(words), "{message} lacks {words}");
        }
        assert!(!message.contains("more nodes"), "{message}");
        // `not_before` opens the tick, as the message says. The other epoch has another cursor, as
        // the first one still waits.
        let other = self::layout(&text.replace("01-01", "01-02"));
        FlakeGenerator::new(other, &options(&other, 5).scope(Scope::Process).not_before(0))?.generate()?;
    }
    Ok(())
}

#[test]
fn a_constant_in_place_of_another_layouts_node_counts_as_that_node() -> Result<(), Error> {
    let options = Options::default().not_before(1).scope(Scope::Process);
    let at = |node: i64| {
        let mut options = options.clone();
        options.node = Some(node);
        options
    };
    let nodes = FlakeGenerator::new(layout("timestamp:24@h node:10 sequence:13"), &at(69))?;
    for (text, node, is_free) in [
        ("timestamp:24@h constant:10,value=69 sequence:13", None, false),
        ("timestamp:24@h constant:10,value=70 sequence:13", None, true),
        ("timestamp:24@h unused:10 sequence:13", None, true),
        ("timestamp:24@h constant:5,value=2 node:5 sequence:13", Some(5), false),
        ("timestamp:24@h constant:5,value=2 node:5 sequence:13", Some(6), true),
        ("timestamp:24@h constant:5,value=3 node:5 sequence:13", Some(5), true),
        ("timestamp:24@h constant:5,value=2 node:3 rollback:2 sequence:13", Some(1), false),
        ("timestamp:24@h constant:5,value=2 node:3 rollback:2 sequence:13", Some(2), true),
        ("timestamp:24@h random:10 sequence:13", None, false),
    ] {
        let options = node.map_or(options.clone(), at);
        let answer = FlakeGenerator::new(layout(text), &options).map(|_| ()).map_err(|error| error.kind());
        assert_eq!(answer, if is_free { Ok(()) } else { Err(ErrorKind::NodeInUse) }, "{text} {node:?}");
    }
    // The next generator begins with the tick after, an hour ahead.
    nodes.generate()?;
    drop(nodes);
    let constant = FlakeGenerator::new(layout("timestamp:24@h constant:10,value=69 sequence:13"), &options)?;
    assert!(matches!(constant.try_generate(), Ok(Attempt::Wait(_)) | Err(Error::ClockBackward { .. })));
    Ok(())
}

#[test]
fn two_generators_of_one_node_count_together() -> Result<(), Error> {
    let narrow = layout("unused:1 timestamp:41 node:10 sequence:12");
    let wide = layout("timestamp:48 node:16 sequence:64");
    let mut all = HashSet::new();
    let (first, second) =
        (FlakeGenerator::new(narrow, &Options::node(511))?, FlakeGenerator::new(narrow, &Options::node(511))?);
    for _ in 0..2_000 {
        assert!(all.insert(first.generate()? as u128) && all.insert(second.generate()? as u128));
    }
    let (first, second) =
        (WideFlakeGenerator::new(wide, &Options::node(511))?, WideFlakeGenerator::new(wide, &Options::node(511))?);
    for _ in 0..2_000 {
        assert!(all.insert(first.generate()?) && all.insert(second.generate()?));
    }
    drop((first, second));
    let third = WideFlakeGenerator::new(wide, &Options::node(511))?;
    assert!((0..2_000).all(|_| third.generate().is_ok_and(|id| all.insert(id))), "who comes later goes on");
    let overlapping = WideFlakeGenerator::new(wide, &Options::nodes(510..512)).map(|_| ());
    assert_eq!(overlapping.map_err(|error| error.kind()), Err(ErrorKind::NodeInUse));
    Ok(())
}

#[test]
fn a_state_file_holds_for_positions_of_128_bits_too() -> Result<(), Error> {
    let folder = tempfile::TempDir::new().expect("a folder");
    let wide = layout("timestamp:48 node:16 sequence:64");
    let options = Options::node(5).state(folder.path().join("wide.state"));
    let clock = ManualClock::new(NOW_MS)?;
    let before = WideFlakeGenerator::build(wide, &options, &clock, OsEntropy)?.generate()?;
    clock.set(NOW_MS - 60_000)?;
    let ids = WideFlakeGenerator::build(wide, &options, &clock, OsEntropy)?;
    assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::ClockBackward));
    clock.set(NOW_MS + 1)?;
    assert!(ids.generate()? > before);
    Ok(())
}

#[test]
fn the_guarantee_of_a_layout_is_reported() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    for (text, guarantee) in [
        ("timestamp:41 node:10 sequence:12", Guarantee::Unique),
        ("timestamp:44 sequence:18", Guarantee::UniqueInProcess),
        ("timestamp:44 node:4", Guarantee::Unique),
        ("timestamp:44 random:18,step=9", Guarantee::UniqueInProcess),
        ("timestamp:44 random:18", Guarantee::Probable),
        ("timestamp:44 node:4 random:14", Guarantee::Probable),
    ] {
        let layout = layout(text);
        let ids = FlakeGenerator::build(layout, &options(&layout, 1), &clock, OsEntropy)?;
        assert_eq!(ids.stats()?.guarantee, guarantee, "{text}");
        let made = ids.generate_many(1)?;
        assert_eq!((ids.stats()?.issued, made.len()), (1, 1), "{text}");
    }
    Ok(())
}

#[test]
fn a_layout_without_counter_makes_one_id_a_tick_and_node() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    let one = layout("timestamp:44 node:4");
    let ids = FlakeGenerator::build(one, &Options::node(1).max_wait(Duration::ZERO), &clock, OsEntropy)?;
    ids.generate()?;
    assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::WouldWait));
    let range = FlakeGenerator::build(one, &Options::nodes(2..5), &clock, OsEntropy)?;
    assert_eq!(range.fill(&mut [0; 10])?, 3, "a node each");
    clock.advance(1)?;
    ids.generate()?;
    assert_eq!(range.fill(&mut [0; 10])?, 3);
    assert_eq!((ids.stats()?.issued, range.stats()?.issued), (2, 6));
    Ok(())
}

#[test]
fn a_sequence_with_a_random_start_begins_in_its_lower_half_and_ends_at_its_maximum() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    let ids =
        FlakeGenerator::build(layout("timestamp:44 sequence:8,start=random"), &Options::default(), &clock, OsEntropy)?;
    let mut firsts = HashSet::new();
    for _ in 0..200 {
        clock.advance(1)?;
        let mut made = [0; 300];
        let count = ids.fill(&mut made)?;
        let sequences = made[..count].iter().map(|id| ids.inspect(*id).map(|parts| parts.sequence.unwrap_or(999)));
        let sequences: Vec<u64> = sequences.collect::<Result<_, _>>()?;
        assert!(sequences[0] < 128 && sequences[count - 1] == 255 && sequences.len() == 256 - sequences[0] as usize);
        assert!(sequences.windows(2).all(|pair| pair[0] + 1 == pair[1]));
        firsts.insert(sequences[0]);
    }
    assert!(firsts.len() > 60, "{} of 128 beginnings in 200 ticks", firsts.len());
    Ok(())
}

#[test]
fn the_end_of_a_layouts_time_is_an_error_and_no_id_wraps() -> Result<(), Error> {
    // In a layout of 128 bits the last tick is not used.
    for text in
        ["timestamp:32@s,epoch=1990-01-01 node:4 sequence:4", "timestamp:32@s,epoch=1990-01-01 random:96,step=1"]
    {
        let layout = layout(text);
        let clock = ManualClock::new(layout.last_ms())?;
        let kinds = |ids: &dyn Fn() -> Result<(), Error>| ids().map_err(|error| error.kind());
        let last_is_used = layout.size_bits() < 128;
        let expected = if last_is_used { Ok(()) } else { Err(ErrorKind::TimestampOverflow) };
        let options = options(&layout, 1);
        if layout.is_wide() {
            let ids = WideFlakeGenerator::build(layout, &options, &clock, OsEntropy)?;
            clock.set(layout.last_ms() - 1_000)?;
            ids.generate()?;
            clock.set(layout.last_ms())?;
            assert_eq!(kinds(&|| ids.generate().map(|_| ())), expected, "{text}");
        } else {
            let ids = FlakeGenerator::build(layout, &options, &clock, OsEntropy)?;
            assert_eq!(kinds(&|| ids.generate().map(|_| ())), expected, "{text}");
            clock.set(layout.last_ms() + 1_000)?;
            assert_eq!(kinds(&|| ids.generate().map(|_| ())), Err(ErrorKind::TimestampOverflow));
        }
        assert!(clock.now_ns()? > 0);
    }
    Ok(())
}

#[test]
fn a_layout_is_refused_with_the_wrong_generator_or_node() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    let kind = |answer: Result<(), Error>| answer.map_err(|error| error.kind());
    let narrow = |text, options: &Options| FlakeGenerator::build(layout(text), options, &clock, OsEntropy).map(|_| ());
    let wide =
        |text, options: &Options| WideFlakeGenerator::build(layout(text), options, &clock, OsEntropy).map(|_| ());
    assert_eq!(kind(narrow("timestamp:48 node:17", &Options::node(1))), Err(ErrorKind::InvalidLayout));
    assert_eq!(kind(wide("timestamp:48 node:16", &Options::node(1))), Err(ErrorKind::InvalidLayout));
    assert_eq!(kind(narrow("timestamp:48 node:16", &Options::default())), Err(ErrorKind::NodeRequired));
    assert_eq!(kind(narrow("timestamp:48 node:16", &Options::node(65_536))), Err(ErrorKind::NodeOutOfRange));
    assert_eq!(kind(narrow("timestamp:48 sequence:16", &Options::node(1))), Err(ErrorKind::InvalidArgument));
    assert_eq!(kind(wide("timestamp:48 random:80", &Options::nodes(0..2))), Err(ErrorKind::InvalidArgument));
    let bits = Options::node(1).rollback(Rollback::Bits);
    assert_eq!(kind(narrow("timestamp:48 node:16", &bits)), Err(ErrorKind::InvalidLayout));
    Ok(())
}
