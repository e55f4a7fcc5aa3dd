//! Records the leases that a store grants, and checks that IDs are within them.

use saiban::{Generator, Layout, ManualClock, Options, RandflakeGenerator, Secret, SnowflakeGenerator};
use saiban_coordination::store::{Listing, Store, StoreUrl, open};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// The interval between two reads of the store. A lease's end moves long before it is reached, so
/// no ID is missed between two reads while the store replies.
const EVERY: Duration = Duration::from_millis(200);

/// After this long without a response a lease may have been renewed, have ended, and have a new
/// holder, undetected.
const UNAVAILABLE: Duration = Duration::from_millis(600);

/// Nodes and the times (Unix µs) in which they were leased, by fence and token.
type Granted = HashMap<(i64, i64, i64), (Range<i64>, Range<i64>)>;

/// Records the leases of some namespaces.
pub struct Watch {
    store: Arc<dyn Store>,
    granted: HashMap<&'static str, Arc<Mutex<Granted>>>,
    tasks: Vec<JoinHandle<()>>,
}

impl Watch {
    pub fn of(url: &str, namespaces: &[&'static str]) -> Self {
        let store = open(&StoreUrl::new(url).expect("a URL")).expect("a store");
        let granted: HashMap<_, _> = namespaces.iter().map(|name| (*name, Arc::default())).collect();
        let start = |(name, granted): (&&'static str, &Arc<Mutex<Granted>>)| {
            tokio::spawn(collect(Arc::clone(&store), name, Arc::clone(granted)))
        };
        let tasks = granted.iter().map(start).collect();
        Watch { store, granted, tasks }
    }

    pub async fn listing(&self, namespace: &str) -> Listing {
        self.store.list(namespace).await.expect("a listing")
    }

    /// Returns the names of the current holders.
    pub async fn holders(&self, namespace: &str) -> Vec<String> {
        let Listing { slots, now_us, .. } = self.listing(namespace).await;
        slots.into_iter().filter(|slot| slot.is_held(now_us)).map(|slot| slot.holder).collect()
    }

    /// Returns the number of leases.
    pub fn count(&self, namespace: &str) -> usize {
        self.granted[namespace].lock().expect("a map").len()
    }

    /// Checks that every tick (its node, and its start and end in Unix µs) is within a lease of
    /// this namespace.
    pub fn check(&self, namespace: &str, ticks: impl Iterator<Item = (i64, Range<i64>)>) {
        let mut of_nodes: HashMap<i64, Vec<Range<i64>>> = HashMap::new();
        for (nodes, us) in self.granted[namespace].lock().expect("a map").values() {
            for node in nodes.clone() {
                of_nodes.entry(node).or_default().push(us.clone());
            }
        }
        for (node, tick) in ticks {
            let leases = of_nodes.get(&node).map(Vec::as_slice).unwrap_or_default();
            let is_granted = leases.iter().any(|lease| lease.start <= tick.start && tick.end <= lease.end);
            assert!(is_granted, "{namespace}: an ID of node {node} and {tick:?} µs lies in none of {leases:?}");
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

async fn collect(store: Arc<dyn Store>, name: &str, granted: Arc<Mutex<Granted>>) {
    let mut answered = Instant::now();
    loop {
        // The store may be down.
        if let Ok(listing) = store.list(name).await {
            let was_unavailable = answered.elapsed() > UNAVAILABLE;
            answered = Instant::now();
            let mut granted = granted.lock().expect("a map");
            for slot in listing.slots.into_iter().filter(|slot| slot.start_us > 0) {
                if slot.end_us == 0 {
                    // The lease was renewed and released while the store was away: its high-water
                    // mark is past its last ID, and its fence is one higher.
                    let key = (slot.nodes.start, slot.fence - 1, slot.token);
                    if was_unavailable {
                        let (_, us) = granted.entry(key).or_insert((slot.nodes, slot.start_us..slot.high_water_us));
                        us.end = us.end.max(slot.high_water_us);
                    }
                    continue;
                }
                let key = (slot.nodes.start, slot.fence, slot.token);
                if was_unavailable && !granted.contains_key(&key) {
                    let before = granted.iter_mut().filter(|((node, ..), _)| *node == slot.nodes.start);
                    // The previous holder's lease may have been renewed, at most until this lease
                    // began.
                    if let Some((_, (_, us))) = before.max_by_key(|((_, fence, _), _)| *fence) {
                        us.end = us.end.max(slot.start_us);
                    }
                }
                let (_, us) = granted.entry(key).or_insert((slot.nodes, slot.start_us..slot.end_us));
                us.end = us.end.max(slot.end_us);
            }
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Returns a function from one of Twitter's Snowflakes to its node and tick.
pub fn of_snowflakes() -> impl Fn(i64) -> (i64, Range<i64>) {
    let clock = ManualClock::new(0).expect("a clock");
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(0), clock).expect("a reader");
    move |id| tick(&ids, id, 1)
}

/// Returns a function from a Randflake to its node and tick.
pub fn of_randflakes(secret: &str) -> impl Fn(i64) -> (i64, Range<i64>) {
    let secret = Secret::from_hex(secret).expect("a secret");
    let clock = ManualClock::new(0).expect("a clock");
    let ids = RandflakeGenerator::build(&secret, &Options::node(0), clock).expect("a reader");
    move |id| tick(&ids, id, 1_000)
}

fn tick(ids: &impl Generator<Id = i64>, id: i64, tick_ms: i64) -> (i64, Range<i64>) {
    let parts = ids.inspect(id).expect("an ID");
    let (node, timestamp_ms) = (parts.node.expect("a node"), parts.timestamp_ms.expect("a time"));
    (node as i64, timestamp_ms * 1_000..(timestamp_ms + tick_ms) * 1_000)
}
