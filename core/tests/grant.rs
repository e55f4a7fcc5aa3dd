//! Under a lease no ID is issued outside its rectangle, nor after it was closed.

use saiban::{
    Attempt, Clock, Error, ErrorKind, FlakeGenerator, Generator, Grant, Layout, ManualClock, Options, OsEntropy,
    PooledEntropy, RandflakeGenerator, Rollback, Scheme, Scope, Secret, SnowflakeGenerator, SystemClock,
    UlidFlakeFormat, UlidFlakeGenerator, WideFlakeGenerator,
};
use std::sync::Barrier;
use std::thread;

const NOW_MS: i64 = 1_763_700_000_000;

fn twitter(nodes: std::ops::Range<i64>, from_ms: i64, to_ms: i64) -> Grant {
    let (start_us, end_us) = ((NOW_MS + from_ms) * 1_000, (NOW_MS + to_ms) * 1_000);
    Grant::new(Scheme::Snowflake, Layout::TWITTER, None, nodes, start_us, end_us).expect("a grant")
}

fn snowflake<C: Clock>(grant: &Grant, clock: C) -> Result<SnowflakeGenerator<C>, Error> {
    SnowflakeGenerator::build(Layout::TWITTER, &Options::default().grant(grant), clock)
}

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

#[test]
fn an_id_has_a_tick_of_the_lease_whatever_the_clock_shows() {
    let grant = twitter(100..104, 0, 3);
    let clock = ManualClock::new(NOW_MS - 5_000).expect("a time");
    let ids = snowflake(&grant, &clock).expect("a generator");
    assert_eq!(kind(ids.generate()), Some(ErrorKind::LeaseNotBegun));
    let mut made = Vec::new();
    for step in [0, 1, -1, 2, 1, 0, 2] {
        clock.set(NOW_MS + step).expect("a time");
        let mut block = [0; 5_000];
        let written = ids.fill(&mut block).unwrap_or(0);
        made.extend_from_slice(&block[..written]);
    }
    clock.set(NOW_MS + 3).expect("a time");
    assert_eq!(kind(ids.generate()), Some(ErrorKind::LeaseExpired));
    for id in &made {
        let parts = ids.inspect(*id).expect("an ID of its own");
        assert!((NOW_MS..NOW_MS + 3).contains(&parts.timestamp_ms.expect("a time")));
        assert!((100..104).contains(&parts.node.expect("a node")));
    }
    let count = made.len();
    made.sort_unstable();
    made.dedup();
    assert_eq!((made.len(), count > 10_000), (count, true));
    let _ = grant.close();
}

#[test]
fn a_lease_needs_no_wait_at_the_start_and_goes_on_when_it_is_renewed() {
    let grant = twitter(110..111, 0, 2);
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = snowflake(&grant, &clock).expect("a generator");
    assert!(matches!(ids.try_generate(), Ok(Attempt::Ready(_))), "the store sees to it that nobody was here before");
    let ns = |ms: i64| u64::try_from(ms).expect("a time after 1970") * 1_000_000;
    assert_eq!([ns(NOW_MS + 2) - 1, ns(NOW_MS + 2)].map(|now_ns| grant.has_ended(now_ns)), [false, true]);
    clock.advance(2).expect("a time");
    assert_eq!(kind(ids.generate()), Some(ErrorKind::LeaseExpired));
    grant.extend((NOW_MS + 5) * 1_000 + 999);
    assert_eq!(grant.end_ms(), NOW_MS + 5, "a tick that is cut in two is nobody's");
    assert_eq!([ns(NOW_MS + 5) - 1, ns(NOW_MS + 5)].map(|now_ns| grant.has_ended(now_ns)), [false, true]);
    assert!(ids.generate().is_ok());
    grant.extend((NOW_MS + 1) * 1_000);
    assert_eq!(grant.end_ms(), NOW_MS + 5, "what was granted is not taken back");
    assert_eq!(ids.stats().expect("stats").time_left_ms, 3);
    let _ = grant.close();
    assert_eq!(ids.stats().expect("stats").time_left_ms, 0, "none of it is for this generator");
}

#[test]
fn closing_returns_the_first_time_from_which_nothing_was_issued() {
    let rectangles = std::sync::atomic::AtomicI64::new(0);
    let high_water = |build: &dyn Fn(&Grant, &ManualClock)| {
        // Each rectangle is new: no store grants one twice.
        let first = 400 + 8 * rectangles.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let grant = twitter(first..first + 8, 0, 60_000);
        let clock = ManualClock::new(NOW_MS + 10).expect("a time");
        build(&grant, &clock);
        grant.close().expect("its own process") / 1_000 - NOW_MS
    };
    assert_eq!(high_water(&|_, _| ()), 0, "nobody made anything: the lease's start");
    assert_eq!(high_water(&|grant, clock| drop(snowflake(grant, clock).expect("a generator"))), 0);
    assert_eq!(
        high_water(&|grant, clock| {
            snowflake(grant, clock).expect("a generator").generate().expect("an ID");
        }),
        11
    );
    // The latest time of several generators, shards and rollback values counts.
    assert_eq!(
        high_water(&|grant, clock| {
            let options = Options::default().grant(grant).shards(4);
            let ids = SnowflakeGenerator::build(Layout::TWITTER, &options, clock).expect("a generator");
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| ids.generate().expect("an ID"));
                }
            });
            clock.advance(20).expect("a time");
            thread::scope(|scope| drop(scope.spawn(|| ids.generate().expect("an ID"))));
            clock.set(NOW_MS).expect("a time");
            let _ = ids.generate();
        }),
        31
    );
}

#[test]
fn closing_twice_returns_one_time() {
    let grant = twitter(128..129, 0, 60_000);
    let ids = snowflake(&grant, ManualClock::new(NOW_MS + 10).expect("a time")).expect("a generator");
    ids.generate().expect("an ID");
    // One thread may close the grant, and another one notify the store.
    let times = [grant.clone().close(), grant.close()];
    assert_eq!(times, [Some((NOW_MS + 11) * 1_000); 2]);
}

#[test]
fn rollback_values_and_wide_positions_are_closed_as_well() {
    let layout = Layout::TWITTER.with_rollback_bits(2).expect("a layout");
    let times = (NOW_MS * 1_000, (NOW_MS + 60_000) * 1_000);
    let grant = Grant::new(Scheme::Snowflake, layout, None, 3..4, times.0, times.1).expect("a grant");
    let clock = ManualClock::new(NOW_MS + 40).expect("a time");
    let options = Options::default().grant(&grant).rollback(Rollback::Bits);
    let ids = SnowflakeGenerator::build(layout, &options, &clock).expect("a generator");
    for back in [0, 10, 20, 30] {
        clock.set(NOW_MS + 40 - back).expect("a time");
        assert_eq!(ids.inspect(ids.generate().expect("an ID")).expect("parts").rollback, Some(back as u64 / 10));
    }
    assert_eq!(grant.close(), Some((NOW_MS + 41) * 1_000));
    assert_eq!(kind(ids.generate()), Some(ErrorKind::LeaseLost));

    let layout = Layout::from_text("timestamp:48 node:16 sequence:16 random:32").expect("a layout");
    let grant = Grant::new(Scheme::Flake, layout, None, 7..9, times.0, times.1).expect("a grant");
    let ids =
        WideFlakeGenerator::build(layout, &Options::default().grant(&grant), &clock, OsEntropy).expect("a generator");
    let id = ids.generate().expect("an ID");
    assert_eq!(ids.inspect(id).expect("parts").node, Some(7));
    assert_eq!(grant.close(), Some((NOW_MS + 11) * 1_000));
    assert_eq!(kind(ids.generate()), Some(ErrorKind::LeaseLost));
    assert_eq!(kind(ids.fill(&mut [0; 4])), Some(ErrorKind::LeaseLost));
}

#[test]
fn threads_issue_nothing_past_the_time_that_a_concurrent_close_returns() {
    for round in 0..50 {
        let now_ms = SystemClock.now_ns().expect("a time") as i64 / 1_000_000;
        let nodes = 200 + round * 4..204 + round * 4;
        let grant =
            Grant::new(Scheme::Snowflake, Layout::TWITTER, None, nodes, now_ms * 1_000, (now_ms + 60_000) * 1_000);
        let grant = grant.expect("a grant");
        let start = Barrier::new(4);
        let (high_water_us, made) = thread::scope(|scope| {
            let threads: Vec<_> = (0..3)
                .map(|_| {
                    scope.spawn(|| {
                        let ids = snowflake(&grant, SystemClock).expect("a generator");
                        start.wait();
                        let mut made = Vec::new();
                        let end = loop {
                            match ids.generate() {
                                Ok(id) => made.push(id),
                                Err(error) => break error.kind(),
                            }
                        };
                        assert_eq!(end, ErrorKind::LeaseLost);
                        made
                    })
                })
                .collect();
            start.wait();
            thread::yield_now();
            let high_water_us = grant.close().expect("its own process");
            let made: Vec<i64> = threads.into_iter().flat_map(|thread| thread.join().expect("a thread")).collect();
            (high_water_us, made)
        });
        let last = made.iter().max().copied().unwrap_or(0);
        let end_ms = Layout::TWITTER.split(last).map_or(0, |fields| Layout::TWITTER.tick_start_ms(fields.tick + 1));
        assert!(made.is_empty() || end_ms * 1_000 <= high_water_us, "{end_ms} ms, {high_water_us} µs");
    }
}

#[test]
fn generators_of_one_lease_share_its_nodes_and_others_are_refused_them() {
    let grant = twitter(130..132, 0, 1_000);
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let (one, other) = (snowflake(&grant, &clock).expect("one"), snowflake(&grant, &clock).expect("another"));
    let mut made: Vec<i64> =
        (0..100).flat_map(|_| [one.generate(), other.generate()]).map(|id| id.expect("an ID")).collect();
    made.sort_unstable();
    made.dedup();
    assert_eq!(made.len(), 200);
    assert_eq!(kind(SnowflakeGenerator::new(131)), Some(ErrorKind::NodeInUse));
    // A lease for another time may have equal nodes; one for an overlapping time may not.
    assert!(snowflake(&twitter(130..132, 1_000, 2_000), &clock).is_ok());
    assert_eq!(kind(snowflake(&twitter(131..133, 500, 900), &clock)), Some(ErrorKind::NodeInUse));
    assert!(grant.close().is_some());
    assert_eq!(kind(snowflake(&grant, &clock)), Some(ErrorKind::LeaseLost));
    assert!(snowflake(&twitter(131..133, 500, 900), &clock).is_ok());
}

#[test]
fn a_lease_is_for_the_ids_that_it_was_granted_for() {
    let grant = twitter(140..144, 0, 1_000);
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let options = Options::default().grant(&grant);
    let other = Some(ErrorKind::NamespaceMismatch);
    assert_eq!(kind(SnowflakeGenerator::build(Layout::DISCORD, &options, &clock)), other);
    assert_eq!(kind(FlakeGenerator::build(Layout::TWITTER, &options, &clock, OsEntropy)), other);
    // The error is the mismatch even for a scheme that cannot use these nodes.
    assert_eq!(kind(UlidFlakeGenerator::build(UlidFlakeFormat::default(), &options, &clock, PooledEntropy)), other);
    let (secret, another) = (Secret::new([1; 16]), Secret::new([2; 16]));
    assert_eq!(kind(RandflakeGenerator::build(&secret, &options, &clock)), other);
    let raw = Layout::from_text("timestamp:30@s,epoch=2024-10-27T03:33:20Z node:17 sequence:17").expect("a layout");
    let times = (NOW_MS * 1_000, (NOW_MS + 60_000) * 1_000);
    let of_secret = Grant::new(Scheme::Randflake, raw, Some(secret.key_id()), 0..4, times.0, times.1).expect("a grant");
    let options = Options::default().grant(&of_secret);
    assert_eq!(kind(RandflakeGenerator::build(&another, &options, &clock)), other);
    assert!(RandflakeGenerator::build(&secret, &options, &clock).is_ok());
}

#[test]
fn a_lease_gives_a_ulid_flake_its_scalability_id() {
    let layout = UlidFlakeFormat { scalability: Some(0), ..UlidFlakeFormat::default() }.layout().expect("a layout");
    let times = (NOW_MS * 1_000, (NOW_MS + 60_000) * 1_000);
    let grant = Grant::new(Scheme::UlidFlake, layout, None, 17..18, times.0, times.1).expect("a grant");
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let options = Options::default().grant(&grant);
    let ids =
        UlidFlakeGenerator::build(UlidFlakeFormat::default(), &options, &clock, PooledEntropy).expect("a generator");
    assert_eq!(ids.inspect(ids.generate().expect("an ID")).expect("parts").node, Some(17));
    let twice = UlidFlakeFormat { scalability: Some(3), ..UlidFlakeFormat::default() };
    assert_eq!(
        kind(UlidFlakeGenerator::build(twice, &options, &clock, PooledEntropy)),
        Some(ErrorKind::InvalidArgument)
    );
}

#[test]
fn a_lease_is_refused_beside_nodes_or_times() {
    let grant = twitter(150..151, 0, 1_000);
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let with = Options::default().grant(&grant);
    for options in [
        Options::node(150).grant(&grant),
        Options::nodes(150..151).grant(&grant),
        with.clone().window(NOW_MS..NOW_MS + 5),
        with.clone().not_before(NOW_MS),
        with.clone().state("/nowhere/ids.state"),
    ] {
        assert_eq!(
            kind(SnowflakeGenerator::build(Layout::TWITTER, &options, &clock)),
            Some(ErrorKind::InvalidArgument)
        );
    }
    let none = Layout::from_text("timestamp:41 sequence:12").expect("a layout");
    assert_eq!(kind(FlakeGenerator::build(none, &with, &clock, OsEntropy)), Some(ErrorKind::InvalidArgument));
    type Single<'c> = SnowflakeGenerator<&'c ManualClock, saiban::cursor::LocalCursor>;
    assert_eq!(kind(Single::with_cursor(Layout::TWITTER, &with, &clock)), Some(ErrorKind::InvalidArgument));
}

#[test]
fn impossible_rectangles_are_refused() {
    let grant =
        |nodes, from_us, to_us| kind(Grant::new(Scheme::Snowflake, Layout::TWITTER, None, nodes, from_us, to_us));
    let us = NOW_MS * 1_000;
    assert_eq!(grant(0..1_024, us, us + 1_000), None);
    assert_eq!(grant(0..1_025, us, us + 1_000), Some(ErrorKind::NodeOutOfRange));
    assert_eq!(grant(-1..1, us, us + 1_000), Some(ErrorKind::NodeOutOfRange));
    assert_eq!(grant(5..5, us, us + 1_000), Some(ErrorKind::NodeOutOfRange));
    assert_eq!(grant(0..1, us + 1, us + 1_999), Some(ErrorKind::InvalidWindow), "no whole tick");
    assert_eq!(grant(0..1, us, us), Some(ErrorKind::InvalidWindow));
    assert_eq!(grant(0..1, i64::MIN, 0), Some(ErrorKind::InvalidWindow), "before the epoch");
    assert_eq!(grant(0..1, i64::MIN, i64::MAX), None);
}

/// A clock that the registry takes for the process's own time, and that the test moves.
struct Moved<'c>(&'c ManualClock);

impl Clock for Moved<'_> {
    fn now_ns(&self) -> Result<u64, Error> {
        self.0.now_ns()
    }

    fn is_process_time(&self) -> bool {
        true
    }
}

#[test]
fn a_generator_for_the_nodes_of_an_ended_lease_continues_after_its_ids() {
    let grant = twitter(160..162, 0, 60_000);
    let clock = ManualClock::new(NOW_MS + 500).expect("a time");
    let leased = snowflake(&grant, Moved(&clock)).expect("a generator");
    let mut made = vec![0; 10_000];
    assert_eq!(leased.fill(&mut made[..8_192]), Ok(8_192));
    assert_eq!(grant.close(), Some((NOW_MS + 501) * 1_000));
    clock.set(NOW_MS + 100).expect("a time");
    for (nodes, free_ms) in [(160..162, 501), (161..162, 502)] {
        let options = Options::nodes(nodes).scope(Scope::Process);
        let ids = SnowflakeGenerator::build(Layout::TWITTER, &options, Moved(&clock)).expect("a generator");
        assert_eq!(kind(ids.generate()), Some(ErrorKind::ClockBackward));
        clock.set(NOW_MS + free_ms).expect("a time");
        assert!(!made.contains(&ids.generate().expect("an ID behind the lease's")));
        drop(ids);
        clock.set(NOW_MS + 100).expect("a time");
    }
    // Another lease of these nodes covers another time.
    assert!(snowflake(&twitter(160..162, 503, 60_000), Moved(&clock)).is_ok());
}

#[test]
fn leases_of_two_namespaces_may_have_the_same_nodes_at_the_same_time() {
    let build = |grant: &Grant| snowflake(grant, ManualClock::new(NOW_MS).expect("a time"));
    let orders = twitter(800..804, 0, 9).of_space(1, Scope::Process);
    let customers = twitter(802..806, 0, 9).of_space(2, Scope::Process);
    let (order_ids, customer_ids) = (build(&orders).expect("a generator"), build(&customers).expect("a generator"));
    assert!(order_ids.generate().is_ok() && customer_ids.generate().is_ok());
    // A grant without a namespace, or with the first grant's, conflicts: one store would not grant
    // both.
    for other in [twitter(803..807, 0, 9), twitter(803..807, 0, 9).of_space(1, Scope::Process)] {
        assert_eq!(kind(build(&other)), Some(ErrorKind::NodeInUse));
    }
    assert_eq!(orders.nodes(), 800..804);
    // Generators with explicit nodes do not conflict with leases of a known namespace.
    let given = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(801), SystemClock).expect("a generator");
    assert!(given.generate().is_ok());
    let leased = twitter(801..802, 0, 9).of_space(3, Scope::Process);
    assert!(build(&leased).expect("a generator").generate().is_ok());
    let unnamed = twitter(801..802, 0, 9);
    assert_eq!(kind(build(&unnamed)), Some(ErrorKind::NodeInUse));
    let _ = leased.close();
    for grant in [orders, customers] {
        assert_eq!(grant.close(), Some((NOW_MS + 1) * 1_000));
    }
}
