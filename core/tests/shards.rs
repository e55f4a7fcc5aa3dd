//! A range of nodes divided among threads: each part has its own cursor, and no ID repeats.

use saiban::{
    Error, ErrorKind, Generator, Layout, LayoutSpec, ManualClock, Options, RandflakeGenerator, Secret,
    SnowflakeGenerator, SystemClock,
};
use std::collections::HashSet;

const NOW_MS: i64 = 1_763_700_000_000;

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

/// Returns the nodes that each of these threads, in sequence, gets in one tick.
fn nodes_of_threads(ids: &(dyn Generator<Id = i64> + Sync), threads: usize, tick: usize) -> Vec<HashSet<u64>> {
    let nodes = || {
        let mut block = vec![0; tick];
        let written = ids.fill(&mut block).unwrap_or(0);
        assert!(block[..written].is_sorted(), "the IDs of a thread ascend");
        block[..written].iter().map(|id| ids.inspect(*id).expect("its own ID").node.expect("a node")).collect()
    };
    (0..threads).map(|_| std::thread::scope(|scope| scope.spawn(nodes).join().expect("it ends well"))).collect()
}

#[test]
fn threads_use_different_nodes_and_together_use_all() {
    // Even and uneven divisions: 7 nodes in 3 parts are 2, 2 and 3.
    for (first, count, shards, parts) in
        [(0, 6, 3, vec![0..2, 2..4, 4..6]), (5, 7, 3, vec![5..7, 7..9, 9..12]), (1, 4, 4, vec![1..2, 2..3, 3..4, 4..5])]
    {
        let clock = ManualClock::new(NOW_MS).expect("a time");
        let options = Options::nodes(first..first + count).shards(shards);
        let ids = SnowflakeGenerator::build(Layout::INSTAGRAM, &options, &clock).expect("a generator");
        let mut used = HashSet::new();
        // Threads get parts in turn; threads of other tests may take a turn too.
        for _ in 0..200 {
            for nodes in nodes_of_threads(&ids, shards as usize, 1024 * count as usize) {
                if !nodes.is_empty() {
                    assert!(parts.iter().any(|part| part.clone().collect::<HashSet<_>>() == nodes), "{nodes:?}");
                    used.extend(nodes);
                }
            }
        }
        let all: HashSet<u64> = (first..first + count).collect();
        assert_eq!(used, all);
        // Every part is used up, and none has taken IDs from another.
        assert_eq!(ids.stats().expect("stats").issued, 1024 * count);
    }
}

#[test]
fn ids_of_threads_with_shards_are_all_different_and_each_threads_ascend() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let options = Options::nodes(10..17).shards(3);
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &options, &clock).expect("a generator");
    let make = || {
        let mut made = Vec::new();
        while made.len() < 50_000 {
            let mut block = [0; 500];
            match ids.fill(&mut block) {
                Ok(written) => made.extend_from_slice(&block[..written]),
                Err(_) => clock.advance(1).expect("a time"),
            }
        }
        made
    };
    let by_thread: Vec<Vec<i64>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..5).map(|_| scope.spawn(make)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread that ends well")).collect()
    });
    for made in &by_thread {
        assert!(made.windows(2).all(|pair| pair[0] < pair[1]));
    }
    let all: HashSet<i64> = by_thread.concat().into_iter().collect();
    assert_eq!(all.len(), by_thread.iter().map(Vec::len).sum::<usize>());
    assert_eq!(ids.stats().expect("stats").issued, all.len() as u64);
}

#[test]
fn shards_that_cannot_be_made_are_refused() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let build = |options: Options| SnowflakeGenerator::build(Layout::TWITTER, &options, &clock).map(|_| ());
    for (nodes, shards) in [(0..4, 0), (0..4, -1), (0..4, 5), (0..4, i64::MIN), (0..4, i64::MAX), (3..4, 2)] {
        let max = nodes.end - nodes.start;
        let answer = build(Options::nodes(nodes).shards(shards));
        assert_eq!(answer, Err(Error::ShardsOutOfRange { shards, max }));
        assert_eq!(kind(answer), Some(ErrorKind::NodeOutOfRange));
    }
    assert_eq!(kind(build(Options::node(3).shards(2))), Some(ErrorKind::NodeOutOfRange));
    assert_eq!(build(Options::node(3).shards(1)), Ok(()));
    assert_eq!(build(Options::nodes(0..1024).shards(1024)), Ok(()));
}

#[test]
fn shards_and_others_of_the_same_nodes_never_repeat_each_other() -> Result<(), Error> {
    // No other test of this program uses these nodes.
    let build = |options: Options| SnowflakeGenerator::build(Layout::DISCORD, &options, SystemClock);
    let sharded = || Options::nodes(100..108).shards(4);
    let mut all = HashSet::new();
    let one = build(sharded())?;
    assert!(one.generate_many(20_000)?.into_iter().all(|id| all.insert(id)));
    for refused in
        [Options::nodes(100..108), Options::nodes(100..108).shards(2), Options::node(103), Options::nodes(107..120)]
    {
        assert_eq!(kind(build(refused.clone())), Some(ErrorKind::NodeInUse), "{refused:?}");
    }
    let other = build(sharded())?;
    for _ in 0..1_000 {
        assert!(all.insert(one.generate()?) && all.insert(other.generate()?));
    }
    drop((one, other));
    // All nodes are used undivided, then divided differently, and then as before.
    let whole = build(Options::nodes(100..108))?;
    assert!(whole.generate_many(20_000)?.into_iter().all(|id| all.insert(id)));
    assert_eq!(kind(build(sharded())), Some(ErrorKind::NodeInUse), "held whole by another");
    drop(whole);
    for options in
        [Options::nodes(100..108).shards(3), Options::node(104), sharded(), Options::nodes(96..112).shards(2)]
    {
        let ids = build(options)?;
        assert!(ids.generate_many(20_000)?.into_iter().all(|id| all.insert(id)));
    }
    Ok(())
}

#[test]
fn a_refused_generator_of_shards_holds_none_of_its_nodes() -> Result<(), Error> {
    let build = |options: Options| SnowflakeGenerator::build(Layout::DISCORD, &options, SystemClock);
    let last = build(Options::node(207))?;
    assert_eq!(kind(build(Options::nodes(200..208).shards(4))), Some(ErrorKind::NodeInUse));
    let first = build(Options::nodes(200..204))?;
    assert_ne!(first.generate()?, last.generate()?);
    Ok(())
}

#[test]
fn randflakes_of_shards_are_all_different() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let options = Options::nodes(0..3).shards(2);
    let ids = RandflakeGenerator::build(&Secret::new([7; 16]), &options, &clock).expect("a generator");
    let make = || ids.generate_many(60_000).expect("IDs");
    let all: Vec<i64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(make)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread that ends well")).collect()
    });
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 120_000);
}

#[test]
fn more_shards_than_memory_holds_are_refused() {
    let wide = LayoutSpec::new().timestamp(20).node(40).sequence(4).check().expect("a valid layout");
    let clock = ManualClock::new(0).expect("1970");
    let build =
        |shards| SnowflakeGenerator::build(wide, &Options::nodes(0..1 << 39).shards(shards), &clock).map(|_| ());
    assert_eq!(build(1_024), Ok(()));
    for shards in [0, -1, 1_025, 1 << 39, i64::MAX] {
        assert_eq!(build(shards), Err(Error::ShardsOutOfRange { shards, max: 1_024 }));
    }
}
