//! Property tests: the script decides as the protocol does for any history of requests, and its
//! arithmetic is exact.

use super::{RedisStore, SCRIPT, number};
use crate::Error;
use crate::lease::protocol::{self, Acquire, Changes, Decision, Grant, LastSeen, Release, Renew, View};
use crate::lease::{Namespace, Slot, Terms};
use crate::store::{Listing, Store, StoreUrl};
use proptest::prelude::*;
use redis::Commands;
use saiban::{Layout, Scheme};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[path = "../../../tests/servers/mod.rs"]
mod servers;

use servers::Server;

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start("redis"));

const START_US: i64 = 1_800_000_000_000_000;
const MAX_TTL_US: i64 = 60_000_000;

/// A namespace that only the protocol decides on, for comparison.
struct Model {
    name: String,
    namespace: Namespace,
    slots: BTreeMap<i64, Slot>,
}

impl Model {
    fn decide<T>(&mut self, now_us: i64, decide: impl FnOnce(&View<'_>) -> Decision<T>) -> Result<T, Error> {
        let slots: Vec<Slot> = self.slots.values().cloned().collect();
        let view = View { name: &self.name, namespace: &self.namespace, slots: &slots, now_us };
        let Decision { answer, changes: Changes { removed, put, quarantine_until_us } } = decide(&view);
        for node in removed {
            self.slots.remove(&node);
        }
        self.slots.extend(put.into_iter().map(|slot| (slot.nodes.start, slot)));
        self.namespace.quarantine_until_us = quarantine_until_us.unwrap_or(self.namespace.quarantine_until_us);
        answer
    }
}

#[derive(Clone, Debug)]
enum Step {
    Pass(i64),
    Acquire { nodes: i64, ttl_us: i64, clock_us: i64, seen: Option<(usize, Change)> },
    Renew { grant: usize, ttl_us: i64, change: Change },
    Release { grant: usize, reserved_us: i64, change: Change },
    Quarantine,
}

/// A change that turns the lease a holder knows into another one, or into garbage.
#[derive(Clone, Copy, Debug)]
enum Change {
    Nothing,
    Incarnation(i64),
    Fence(i64),
    Token(i64),
    End(i64),
    First(i64),
    Past(i64),
}

impl Change {
    fn of(self, grant: &Grant) -> LastSeen {
        let mut seen = LastSeen { incarnation: grant.incarnation, key: grant.key.clone(), end_us: grant.end_us };
        match self {
            Change::Nothing => {}
            Change::Incarnation(by) => seen.incarnation = seen.incarnation.wrapping_add(by),
            Change::Fence(by) => seen.key.fence = seen.key.fence.saturating_add(by),
            Change::Token(by) => seen.key.token = seen.key.token.wrapping_add(by),
            Change::End(by) => seen.end_us = seen.end_us.saturating_add(by),
            Change::First(by) => seen.key.nodes.start = seen.key.nodes.start.wrapping_add(by),
            Change::Past(by) => seen.key.nodes.end = seen.key.nodes.end.wrapping_add(by),
        }
        seen
    }
}

fn change() -> impl Strategy<Value = Change> {
    let by = prop_oneof![-3..4_i64, Just(i64::MIN), Just(i64::MAX), any::<i64>()];
    prop_oneof![
        30 => Just(Change::Nothing),
        1 => by.clone().prop_map(Change::Incarnation),
        1 => by.clone().prop_map(Change::Fence),
        1 => by.clone().prop_map(Change::Token),
        2 => prop_oneof![by.clone(), -30_000_000..30_000_000_i64].prop_map(Change::End),
        1 => by.clone().prop_map(Change::First),
        1 => by.prop_map(Change::Past),
    ]
}

/// Generates multiples of 10 s. Such times often coincide, which tests the boundary: one lease ends
/// exactly when another begins.
fn grains(range: std::ops::Range<i64>) -> impl Strategy<Value = i64> {
    const GRAIN_US: i64 = 10_000_000;
    range.prop_map(|grains| grains * GRAIN_US)
}

fn ttl_us() -> impl Strategy<Value = i64> {
    let edges = prop_oneof![Just(MAX_TTL_US + 1), Just(999), Just(-1), Just(i64::MAX)];
    prop_oneof![15 => 1_000..=MAX_TTL_US, 30 => grains(1..7), 2 => edges]
}

fn step() -> impl Strategy<Value = Step> {
    let edges = prop_oneof![Just(0), Just(65_536), Just(i64::MIN)];
    let nodes = prop_oneof![6 => Just(1_i64), 6 => 2..5_i64, 1 => 5..10_i64, 1 => edges];
    let clock_us = prop_oneof![20 => -1_000_000..=1_000_000_i64, 1 => any::<i64>(), 1 => Just(1_000_001)];
    let seen = proptest::option::weighted(0.1, (any::<usize>(), change()));
    prop_oneof![
        6 => prop_oneof![3 => grains(0..7), 1 => 0..2 * MAX_TTL_US, 1 => -5_000_000..5_000_000_i64].prop_map(Step::Pass),
        12 => (nodes, ttl_us(), clock_us, seen)
            .prop_map(|(nodes, ttl_us, clock_us, seen)| Step::Acquire { nodes, ttl_us, clock_us, seen }),
        8 => (any::<usize>(), ttl_us(), change()).prop_map(|(grant, ttl_us, change)| Step::Renew { grant, ttl_us, change }),
        10 => (any::<usize>(), prop_oneof![4 => grains(-1..9), 4 => -1_000_000..90_000_000_i64, 1 => any::<i64>()], change())
            .prop_map(|(grant, reserved_us, change)| Step::Release { grant, reserved_us, change }),
        1 => Just(Step::Quarantine),
    ]
}

/// Sends each request to the script and to the protocol. Both must return equal answers, including
/// error messages, and leave equal records.
async fn compare(node_bits: u32, steps: Vec<Step>) -> Result<(), TestCaseError> {
    static CASES: AtomicU64 = AtomicU64::new(0);
    let name = format!("case-{}", CASES.fetch_add(1, Ordering::Relaxed));
    let layout = format!("timestamp:41@ms,epoch=2024-01-01 node:{node_bits} sequence:8");
    let layout = Layout::from_text(&layout).expect("a layout");
    let terms = Terms::new(&name, Scheme::Flake, &layout, None, MAX_TTL_US / 1_000_000).expect("terms");
    let store = RedisStore::new(&StoreUrl::new(SERVER.url()).expect("a URL")).expect("a store");
    let mut now_us = START_US;
    store.now_us.store(now_us, Ordering::Relaxed);
    store.create(&terms).await.expect("a new namespace");
    let Listing { namespace, slots, .. } = store.list(&name).await.expect("a listing");
    let slots = slots.into_iter().map(|slot| (slot.nodes.start, slot)).collect();
    let mut model = Model { name: name.clone(), namespace, slots };
    let mut grants: Vec<Grant> = Vec::new();
    for (token, step) in (i64::MAX - 1_000..).zip(steps) {
        let grant = |index: usize| grants.get(index % grants.len().max(1));
        let granted = match step {
            Step::Pass(by_us) => {
                now_us = (now_us + by_us).max(1);
                store.now_us.store(now_us, Ordering::Relaxed);
                None
            }
            Step::Acquire { nodes, ttl_us, clock_us, seen } => {
                let seen = seen.and_then(|(index, change)| grant(index).map(|grant| change.of(grant)));
                let (holder, clock_us) = (format!("hölder {token} "), now_us.saturating_add(clock_us));
                let request = Acquire { nodes, ttl_us, holder, token, clock_us, max_clock_skew_us: 1_000_000, seen };
                let answer = store.acquire(&name, terms.fingerprint(), &request).await;
                let decided = model.decide(now_us, |view| protocol::acquire(view, terms.fingerprint(), &request));
                prop_assert_eq!(&answer, &decided, "{:?}", request);
                answer.ok()
            }
            Step::Renew { grant: index, ttl_us, change } => {
                let Some(grant) = grant(index) else { continue };
                let request = Renew { seen: change.of(grant), ttl_us };
                let answer = store.renew(&name, &request).await;
                prop_assert_eq!(
                    &answer,
                    &model.decide(now_us, |view| protocol::renew(view, &request)),
                    "{:?}",
                    request
                );
                answer.ok()
            }
            Step::Release { grant: index, reserved_us, change } => {
                let Some(grant) = grant(index) else { continue };
                let high_water_us = grant.start_us.saturating_add(reserved_us);
                let request = Release { key: change.of(grant).key, high_water_us };
                let answer = store.release(&name, &request).await;
                prop_assert_eq!(
                    answer,
                    model.decide(now_us, |view| protocol::release(view, &request)),
                    "{:?}",
                    request
                );
                None
            }
            Step::Quarantine => {
                let answer = store.quarantine(&name).await;
                prop_assert_eq!(answer, model.decide(now_us, protocol::quarantine_by_hand));
                None
            }
        };
        grants.extend(granted);
        let listing = store.list(&name).await.expect("a listing");
        prop_assert_eq!(&listing.namespace, &model.namespace);
        prop_assert_eq!(&listing.slots, &model.slots.values().cloned().collect::<Vec<_>>());
    }
    Ok(())
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future)
}

/// Evaluates Lua code after the script's functions for numbers.
fn lua(code: &str, a: i64, b: i64) -> Result<redis::Value, redis::RedisError> {
    let client = redis::Client::open(SERVER.url()).expect("a URL");
    let mut connection = client.get_connection().expect("a connection");
    let script = redis::Script::new(&format!("{}\n{code}", include_str!("numbers.lua")));
    script.arg(number(a)).arg(number(b)).invoke(&mut connection)
}

fn extreme() -> impl Strategy<Value = i64> {
    let edges: Vec<i64> = [0, 1, 1 << 31, 1 << 53, 9_999_999_999, 10_000_000_000, i64::MAX]
        .into_iter()
        .flat_map(|edge: i64| [edge - 1, edge, edge.saturating_add(1)])
        .collect();
    prop_oneof![proptest::sample::select(edges), any::<i64>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_script_and_the_protocol_decide_alike(
        node_bits in prop_oneof![Just(3_u32), Just(62)],
        steps in proptest::collection::vec(step(), 1..60),
    ) {
        block_on(compare(node_bits, steps))?;
    }

    #[test]
    fn numbers_of_the_script_are_exact(a in extreme(), b in extreme()) {
        let bulk = |number: i64| redis::Value::BulkString(super::number(number).into_bytes());
        let is_less = lua("return less(ARGV[1], ARGV[2]) and 1 or 0", a, b).expect("an answer");
        // The script has one value for all negative numbers, less than all others.
        prop_assert_eq!(is_less, redis::Value::Int(i64::from(a.max(-1) < b.max(-1))));
        prop_assert_eq!(lua("return max(ARGV[1], ARGV[2])", a, b).expect("an answer"), bulk(a.max(b)));
        prop_assert_eq!(lua("return min(ARGV[1], ARGV[2])", a, b).expect("an answer"), bulk(a.min(b)));
        if a >= 0 && b >= 0 {
            let sum = lua("return add(ARGV[1], ARGV[2])", a, b);
            match a.checked_add(b) {
                Some(expected) => prop_assert_eq!(sum.expect("an answer"), bulk(expected)),
                None => prop_assert!(sum.expect_err("too much").to_string().contains("past 2^63")),
            }
            let (low, high) = (a.min(b), a.max(b));
            prop_assert_eq!(lua("return subtract(ARGV[1], ARGV[2])", high, low).expect("an answer"), bulk(high - low));
        }
    }
}

#[test]
fn a_lease_that_would_end_where_it_begins_is_not_granted() {
    let acquire = |ttl_us| Step::Acquire { nodes: 8, ttl_us, clock_us: 0, seen: None };
    let reserved_to_the_end = Step::Release { grant: 0, reserved_us: 20_000_000, change: Change::Nothing };
    let steps = vec![acquire(20_000_000), reserved_to_the_end, acquire(20_000_000), acquire(20_000_001)];
    block_on(compare(3, steps)).expect("the script and the protocol agree");
}

#[test]
fn the_script_gives_no_key_a_time_to_live() {
    for command in ["EXPIRE", "PEXPIRE", "SETEX", "\"EX\"", "\"PX\""] {
        assert!(!SCRIPT.contains(command), "{command}");
    }
    block_on(compare(3, vec![Step::Acquire { nodes: 2, ttl_us: 5_000, clock_us: 0, seen: None }])).expect("a grant");
    let mut connection = redis::Client::open(SERVER.url()).expect("a URL").get_connection().expect("a connection");
    let keys: Vec<String> = connection.keys("saiban:{case-*}:*").expect("keys");
    assert!(keys.len() >= 3);
    for key in keys {
        let ttl_s: i64 = connection.ttl(&key).expect("an answer");
        assert_eq!(ttl_s, -1, "{key}");
    }
}
