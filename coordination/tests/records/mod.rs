//! The guarantees of stores of versioned records, in addition to those of all stores.

#![allow(dead_code, reason = "each file of tests uses what it needs")]

use saiban::{ErrorKind, Layout, Scheme};
use saiban_coordination::Error;
use saiban_coordination::lease::protocol::{Acquire, Grant, LastSeen, Release, Renew};
use saiban_coordination::lease::{SlotKey, Terms};
use saiban_coordination::store::{Store, StoreUrl, open};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::conformance::answered;
use crate::servers::Server;

/// Records that this version of saiban does not write, and their errors.
pub const FOREIGN: [(&str, ErrorKind); 6] = [
    ("nonsense", ErrorKind::StoreCorrupt),
    ("{\"version\":1}", ErrorKind::StoreCorrupt),
    ("{\"version\":\"1\"}", ErrorKind::StoreCorrupt),
    ("{\"version\":0}", ErrorKind::StoreCorrupt),
    ("{\"version\":1.5}", ErrorKind::StoreCorrupt),
    ("{\"version\":2}", ErrorKind::StoreUnsupported),
];

/// The common tests of all servers of records; they use the static `SERVER`.
macro_rules! promises {
    () => {
        #[tokio::test]
        async fn every_answer_matches_the_protocol() {
            agreement::check(&store(SERVER.url()), 8).await;
        }

        #[tokio::test]
        async fn two_stores_that_race_get_different_nodes() {
            records::two_stores_that_race_get_different_nodes(SERVER.url()).await;
        }

        #[tokio::test]
        async fn a_lease_may_be_wider_than_what_one_transaction_joins() {
            records::a_lease_may_be_wider_than_what_one_transaction_joins(SERVER.url()).await;
        }

        #[tokio::test]
        async fn a_crowd_gets_different_nodes() {
            records::a_crowd_gets_different_nodes(SERVER.url()).await;
        }

        #[tokio::test]
        async fn the_only_free_node_of_many_is_found() {
            records::the_only_free_node_of_many_is_found(SERVER.url()).await;
        }

        #[tokio::test]
        async fn a_lease_that_is_lost_among_many_is_noticed() {
            records::a_lease_that_is_lost_among_many_is_noticed(SERVER.url()).await;
        }
    };
}
pub(crate) use promises;

/// Returns slot records with one invalid number.
pub fn flawed_slots() -> Vec<String> {
    let slot = "{\"version\":1,\"first_node\":0,\"end_node\":8,\"fence\":1,\"token\":1,\"start_us\":1,\"end_us\":5,\
                \"high_water_us\":5,\"holder\":\"\"}";
    [
        ("first_node\":0", "first_node\":1"),
        ("end_node\":8", "end_node\":0"),
        ("end_node\":8", "end_node\":-8"),
        ("end_node\":8", "end_node\":9"),
        ("end_node\":8", "end_node\":7"),
        ("fence\":1", "fence\":\"1\""),
        ("token\":1", "token\":9223372036854775808"),
        ("high_water_us\":5", "high_water_us\":4"),
        ("fence\":1", "fence\":9223372036854775807"),
        ("fence\":1", "fence\":2305843009213693952"),
        ("start_us\":1", "start_us\":6"),
        ("end_us\":5,\"high_water_us\":5", "end_us\":0,\"high_water_us\":9223372036854775807"),
        ("holder\":\"\"", "holder\":7"),
    ]
    .map(|(from, to)| slot.replace(from, to))
    .to_vec()
}

/// Returns namespace records with one invalid number.
pub fn flawed_namespaces() -> Vec<String> {
    // The text has no space, because ZooKeeper's own client would end it there.
    let namespace = "{\"version\":1,\"fingerprint\":\"any\",\"nodes\":8,\"max_ttl_us\":3600000000,\"incarnation\":7,\
                     \"quarantine_until_us\":0}";
    [
        ("nodes\":8", "nodes\":0"),
        ("max_ttl_us\":3600000000", "max_ttl_us\":0"),
        ("max_ttl_us\":3600000000", "max_ttl_us\":9223372036854775807"),
        ("quarantine_until_us\":0", "quarantine_until_us\":9223372036854775807"),
    ]
    .map(|(from, to)| namespace.replace(from, to))
    .to_vec()
}

pub fn store(url: &str) -> Arc<dyn Store> {
    open(&StoreUrl::new(url).expect("a URL")).expect("a store")
}

pub fn terms(name: &str, node_bits: u32) -> Terms {
    let text = format!("timestamp:41@ms,epoch=2024-01-01 node:{node_bits} sequence:8");
    let layout = Layout::from_text(&text).expect("a layout");
    Terms::new(name, Scheme::Flake, &layout, None, 3_600).expect("terms")
}

pub async fn acquire(store: &dyn Store, terms: &Terms, nodes: i64, token: i64) -> Result<Grant, Error> {
    let clock_us = store.list(terms.name()).await?.now_us;
    store.acquire(terms.name(), terms.fingerprint(), &request(nodes, token, clock_us)).await
}

fn request(nodes: i64, token: i64, clock_us: i64) -> Acquire {
    let holder = "tests".to_owned();
    let (ttl_us, max_clock_skew_us) = (600_000_000, 60_000_000);
    Acquire { nodes, ttl_us, holder, token, clock_us, max_clock_skew_us, seen: None }
}

pub fn renewal(grant: &Grant, ttl_us: i64) -> Renew {
    Renew { seen: LastSeen { incarnation: grant.incarnation, key: grant.key.clone(), end_us: grant.end_us }, ttl_us }
}

pub async fn two_stores_that_race_get_different_nodes(url: &str) {
    let terms = terms("race", 5);
    let stores = [store(url), store(url)];
    stores[0].create(&terms).await.expect("a new namespace");
    let tasks: Vec<_> = (0..32)
        .map(|index| {
            let (store, terms) = (Arc::clone(&stores[index % 2]), terms.clone());
            let token = i64::try_from(index).expect("small") + 1;
            tokio::spawn(async move { acquire(&*store, &terms, 1, token).await })
        })
        .collect();
    let mut nodes = BTreeSet::new();
    for task in tasks {
        let grant = task.await.expect("no panic").expect("room for all");
        assert!(nodes.insert(grant.key.nodes.start), "{grant:?} was granted before");
    }
    assert_eq!(nodes.len(), 32);
}

/// Creates a namespace of 2^9 nodes, 300 of which are separate slots.
pub async fn a_lease_may_be_wider_than_what_one_transaction_joins(url: &str) {
    let terms = terms("joins", 9);
    let store = store(url);
    store.create(&terms).await.expect("a new namespace");
    let mut grants = Vec::new();
    for token in 1..=300 {
        grants.push(acquire(&*store, &terms, 1, token).await.expect("room"));
    }
    for grant in &grants {
        let release = Release { key: grant.key.clone(), high_water_us: grant.start_us + 5 };
        store.release(terms.name(), &release).await.expect("given back");
    }
    let wide = acquire(&*store, &terms, 500, 301).await.expect("all that are left");
    assert_eq!(wide.key.nodes.end - wide.key.nodes.start, 500);
    let taken = |grant: &&Grant| wide.key.nodes.contains(&grant.key.nodes.start);
    let over_us = grants.iter().filter(taken).map(|grant| grant.start_us + 5).max().expect("some");
    assert!(wide.start_us >= over_us, "it begins after what was reserved");
    // A holder of a joined slot that missed the response to its release gets `LeaseLost`, without a
    // quarantine.
    let late = store.renew(terms.name(), &renewal(&grants[0], 1_000_000)).await;
    assert_eq!(late.expect_err("over").kind(), ErrorKind::LeaseLost);
    // The joined nodes can be divided again.
    let release = Release { key: wide.key.clone(), high_water_us: 0 };
    store.release(terms.name(), &release).await.expect("given back");
    for token in 400..420 {
        acquire(&*store, &terms, 1, token).await.expect("room again");
    }
}

/// 100 callers at the same time, for 1 or 4 of 1024 nodes: more slots than a grant reads.
pub async fn a_crowd_gets_different_nodes(url: &str) {
    let terms = terms("crowd-of-100", 10);
    let store = store(url);
    store.create(&terms).await.expect("a new namespace");
    let clock_us = store.list(terms.name()).await.expect("a listing").now_us;
    let calls = Arc::new(AtomicI64::new(0));
    let tasks: Vec<_> = (1..=100)
        .map(|number| {
            let (store, terms, calls) = (Arc::clone(&store), terms.clone(), Arc::clone(&calls));
            let acquire = move || {
                // As callers do, a call that is repeated has a token of its own.
                let token = calls.fetch_add(1, Ordering::Relaxed) + 1;
                let request = request(1 + number % 2 * 3, token, clock_us);
                let (store, terms) = (Arc::clone(&store), terms.clone());
                async move { store.acquire(terms.name(), terms.fingerprint(), &request).await }
            };
            tokio::spawn(answered(acquire))
        })
        .collect();
    let mut nodes = BTreeSet::new();
    for task in tasks {
        let grant = task.await.expect("no panic").expect("room for all");
        for node in grant.key.nodes.clone() {
            assert!(nodes.insert(node), "{grant:?} has a node that was granted before");
        }
    }
    assert_eq!(nodes.len(), 50 + 50 * 4);
    // The listing checks that the slots are all nodes, each once.
    let listing = store.list(terms.name()).await.expect("a listing");
    let held = listing.slots.iter().filter(|slot| slot.is_held(listing.now_us)).count() as i64;
    let calls = calls.load(Ordering::Relaxed);
    assert!((100..=calls).contains(&held), "{held} slots of {calls} calls: a call must not hold two");
}

/// Leases all nodes of a namespace, one by one: 128 slots.
async fn all_nodes(store: &dyn Store, name: &str) -> (Terms, Vec<Grant>) {
    let terms = terms(name, 7);
    store.create(&terms).await.expect("a new namespace");
    let mut grants = Vec::new();
    for token in 1..=128 {
        grants.push(acquire(store, &terms, 1, token).await.expect("room"));
    }
    grants.sort_by_key(|grant| grant.key.nodes.start);
    (terms, grants)
}

pub async fn the_only_free_node_of_many_is_found(url: &str) {
    let store = store(url);
    let (terms, grants) = all_nodes(&*store, "only-free-node").await;
    let full = acquire(&*store, &terms, 1, 200).await.expect_err("no node is left");
    assert_eq!(full.kind(), ErrorKind::NamespaceFull, "{full}");
    for (token, index) in (201..).zip([0, 127, 64]) {
        let release = Release { key: grants[index].key.clone(), high_water_us: 0 };
        store.release(terms.name(), &release).await.expect("given back");
        let grant = acquire(&*store, &terms, 1, token).await.expect("the node that is free");
        assert_eq!(grant.key.nodes, grants[index].key.nodes);
        assert!(grant.key.fence > grants[index].key.fence);
    }
    let full = acquire(&*store, &terms, 1, 300).await.expect_err("no node is left");
    assert_eq!(full.kind(), ErrorKind::NamespaceFull, "{full}");
}

pub async fn a_lease_that_is_lost_among_many_is_noticed(url: &str) {
    let store = store(url);
    let (terms, grants) = all_nodes(&*store, "lost-among-many").await;
    let again = |grant: &Grant, fence: i64| {
        let key = SlotKey { fence: grant.key.fence + fence, ..grant.key.clone() };
        let seen = Some(LastSeen { incarnation: grant.incarnation, key, end_us: grant.end_us });
        Acquire { seen, ..request(1, 500, grant.now_us) }
    };
    // What the store knows is no loss.
    for index in [0, 127] {
        let full = store.acquire(terms.name(), terms.fingerprint(), &again(&grants[index], 0)).await;
        assert_eq!(full.expect_err("no node is left").kind(), ErrorKind::NamespaceFull);
    }
    let lost = store.acquire(terms.name(), terms.fingerprint(), &again(&grants[90], 1)).await;
    assert_eq!(lost.expect_err("a newer lease is lost").kind(), ErrorKind::NamespaceQuarantined);
}

/// Creates a namespace whose eight nodes are one held slot.
pub async fn one_slot(store: &dyn Store, name: &str) -> (Terms, Grant) {
    let terms = terms(name, 3);
    store.create(&terms).await.expect("a new namespace");
    let grant = acquire(store, &terms, 8, 1).await.expect("all nodes");
    (terms, grant)
}

/// Checks that every call that reads the record returns this kind of error. Some errors name
/// another record, which contradicts this one.
pub async fn is_refused(store: &dyn Store, (terms, grant): &(Terms, Grant), text: &str, kind: ErrorKind) {
    let mut refusals = vec![
        acquire(store, terms, 1, 2).await.map(|_| ()),
        store.quarantine(terms.name()).await.map(|_| ()),
        store.create(terms).await.map(|_| ()),
    ];
    // A reader of all slots sees a gap after this slot.
    if !text.contains("end_node\":7") {
        refusals.push(store.renew(terms.name(), &renewal(grant, 1_000_000)).await.map(|_| ()));
        refusals.push(store.release(terms.name(), &Release { key: grant.key.clone(), high_water_us: 0 }).await);
    }
    for refusal in refusals {
        let error = refusal.expect_err(text);
        assert_eq!(error.kind(), kind, "{text}: {error}");
        let place = format!("/saiban/{}", terms.name());
        assert!(error.to_string().contains(&place), "{error}");
    }
}

pub async fn the_next_member_is_asked_when_one_does_not_answer(kind: &str, server: &Server) {
    let terms = terms("next", 3);
    let (away, there) = ("127.0.0.1:9", server.address());
    for hosts in [format!("{away},{there}"), format!("[::1]:9,{there},{away}")] {
        let store = store(&format!("{kind}://{hosts}/several/parts"));
        store.create(&terms).await.expect("a namespace");
        store.list(terms.name()).await.expect("a listing");
    }
    let here = store(&format!("{kind}://{there}/several/parts/"));
    here.list(terms.name()).await.expect("the same");
    let elsewhere = store(server.url()).list(terms.name()).await;
    assert_eq!(elsewhere.expect_err("another prefix").kind(), ErrorKind::NamespaceUnknown);
}

pub async fn an_unreachable_server_is_unavailable_and_its_password_stays_secret(kind: &str, server: &Server) {
    let error = store(&format!("{kind}://user:hidden@127.0.0.1:9,127.0.0.1:10/here")).list("any").await;
    let error = error.expect_err("nobody listens");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    assert!(!error.is_permanent(), "{error}");
    let text = error.to_string();
    assert!(text.contains(&format!("{kind}://user:***@127.0.0.1:9,127.0.0.1:10/here")), "{text}");
    assert!(text.contains("127.0.0.1:10: ") && !text.contains("hidden"), "{text}");
    // That server speaks another protocol.
    let other = if kind == "etcd" { "zookeeper" } else { "etcd" };
    if let Ok(url) = StoreUrl::new(&server.url().replace(kind, other)) {
        let error = open(&url).expect("a store").list("any").await.expect_err("another server");
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
    }
}

pub fn urls_that_cannot_be_used_are_refused_before_anything_is_called(kind: &str) {
    for rest in [
        "://",
        "://a,,b",
        "://a:1:2,b",
        "://a,b:99999",
        "://user@host",
        "://host/?ttl=3",
        "://host/?ca=/tmp/ca.pem",
        "s://host/?ca=/nowhere/ca.pem",
        "s://host/?ca=/dev/null",
        "s://host/?cert=/dev/null",
        "s://host/?cert=/dev/null&key=/dev/null",
    ] {
        let url = format!("{kind}{rest}");
        let error = StoreUrl::new(&url).and_then(|url| open(&url).map(|_| ())).expect_err(&url);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{url}: {error}");
    }
}

pub async fn a_killed_server_keeps_the_leases_that_it_granted(kind: &str) {
    let mut server = Server::start(kind);
    let store = store(server.url());
    let (terms, grant) = one_slot(&*store, "killed").await;
    server.order("kill");
    let renew = renewal(&grant, 700_000_000);
    let error = store.renew(terms.name(), &renew).await.expect_err("it is dead");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    server.order("start");
    let renewed = store.renew(terms.name(), &renew).await.expect("renewed");
    assert_eq!(renewed.key, grant.key);
    assert!(renewed.end_us > grant.end_us);
    // The old connection is closed, which the store has not detected yet.
    server.order("restart");
    store.renew(terms.name(), &renewal(&renewed, 800_000_000)).await.expect("renewed");
}

pub async fn a_server_restored_from_a_backup_grants_nothing(kind: &str) {
    let mut server = Server::start(kind);
    let store = store(server.url());
    let terms = terms("back", 3);
    store.create(&terms).await.expect("a new namespace");
    let before = acquire(&*store, &terms, 1, 1).await.expect("room");
    server.order("save copy");
    let after = acquire(&*store, &terms, 1, 2).await.expect("room");
    server.order("rewind copy");
    let quarantined = ErrorKind::NamespaceQuarantined;
    let error = store.renew(terms.name(), &renewal(&after, 700_000_000)).await.expect_err("it is lost");
    assert_eq!(error.kind(), quarantined, "{error}");
    let error = acquire(&*store, &terms, 1, 3).await.expect_err("nobody knows whose nodes these are");
    assert_eq!(error.kind(), quarantined, "{error}");
    store.renew(terms.name(), &renewal(&before, 700_000_000)).await.expect("what is known is renewed");
}
